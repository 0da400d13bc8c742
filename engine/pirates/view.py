"""What each viewer knows, what is owed, and the state table of a report (P4, P40)."""

from __future__ import annotations

from typing import Any, Final

from engine.core.contract import MODERATOR, PUBLIC, Question, Seat, Slot
from engine.pirates.board import board_of
from engine.pirates.state import PiratesState, PiratesView, Ship, Side

HULL: Final = {"galleon": 3, "brigantine": 2}
"""The hit at which a ship goes down (P31)."""

REACH: Final = {"galleon": 2, "brigantine": 1}
"""How far the guns carry (P25)."""

COLUMNS: Final = ("ship", "name", "kind", "side", "owner", "cell", "port", "hits", "of", "fate", "gold")
"""Columns of the state table; ``port`` is the id of a port or "", ``gold`` whether the viewer knows it aboard."""


def side_of(seat: Seat) -> Side | None:
    """Return the side of a seat; None for those who only watch or judge."""
    if seat.startswith("spain-"):
        return "spain"
    return "pirates" if seat.startswith("pirates-") else None


def spanish_seats(roster: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Return the seats that know the gold (P4), the one that chooses it first."""
    return tuple(seat for seat in roster if side_of(seat) == "spain")


def view(state: PiratesState, seat: Seat, questions: tuple[Question, ...] = ()) -> PiratesView:
    """Return what this viewer may know. Raises ValueError for a seat that is not of this game."""
    if seat not in {*state.roster, MODERATOR, PUBLIC}:
        raise ValueError(f"{seat!r} has no place in this game: {state.roster!r}")
    side = side_of(seat)
    knows_gold = state.gold_open or side == "spain" or seat == MODERATOR
    return PiratesView(
        seat=seat,
        side=side or "",
        options=state.options,
        roster=state.roster,
        round=state.round,
        wind=state.wind,
        ships=state.ships,
        to_move=state.to_move,
        gold=state.gold if knows_gold else 0,
        gold_open=state.gold_open,
        gold_owed=state.round == 0 and state.outcome is None,
        empty=state.empty,
        outcome=state.outcome,
        questions=questions,
        board=state.board,
    )


def naming_open(position: PiratesState | PiratesView) -> bool:
    """Say whether names may be given: in set-up and until the first turn locks (1.4)."""
    first = position.round == 1 and position.to_move != "pirates"
    return position.outcome is None and (position.round == 0 or first)


def to_act(position: PiratesState | PiratesView) -> tuple[Ship, ...]:
    """Return the ships that owe an order in the turn that is open, by number (1.4)."""
    if position.round == 0 or position.outcome is not None:
        return ()
    side = position.to_move
    return tuple([ship for ship in position.ships if ship.fate == "afloat" and (not side or ship.side == side)])


def owed(view: PiratesView) -> tuple[Slot, ...]:
    """Return who owes what; all of it is public. Empty exactly when there is an outcome.

    In set-up the lowest Spanish seat owes the gold (1.4); names may be given but are never waited for. Afterwards every
    ship afloat is a slot of its seat, under ``mode=alternating`` those of the side to move only.
    """
    slots = []
    if view.gold_owed:
        slots.append(Slot(seat=spanish_seats(view.roster)[0], key="gold", what="gold"))
    slots += [_ship_slot(ship) for ship in to_act(view)]
    if naming_open(view):
        slots += [_name_slot(ship) for ship in view.ships if ship.fate == "afloat"]
    return tuple(slots)


def _ship_slot(ship: Ship) -> Slot:
    return Slot(seat=ship.owner, key=ship.piece, what="ship", piece=ship.piece, facts={"ship": ship.number})


def _name_slot(ship: Ship) -> Slot:
    facts = {"ship": ship.number, "name": ship.name}
    return Slot(seat=ship.owner, key=f"name{ship.number}", what="name", piece=ship.piece, optional=True, facts=facts)


def table(view: PiratesView) -> tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]]:
    """Return the state table: `COLUMNS` and a row for every ship, those lost included."""
    return COLUMNS, tuple(_row(view, ship) for ship in view.ships)


def _row(view: PiratesView, ship: Ship) -> tuple[Any, ...]:
    port = board_of(view.options.board, view.board).ports.get(ship.cell or "")
    gold = view.gold == ship.number
    return (
        ship.number,
        ship.name,
        ship.kind,
        ship.side,
        ship.owner,
        ship.cell or "",
        port.id if port else "",
        ship.hits,
        HULL[ship.kind],
        ship.fate,
        gold,
    )
