"""What each viewer sees of a position, what he owes, and the state table (2.5)."""

from __future__ import annotations

from typing import Any, Final

from engine.blockade.state import BlockadeState, BlockadeView, Piece, piece_of, ship_of
from engine.core.contract import MODERATOR, PUBLIC, Question, Seat, Slot

COLUMNS: Final = ("piece", "seat", "cell", "heading", "points", "moves", "disabled", "first")


def view(state: BlockadeState, seat: Seat, questions: tuple[Question, ...] = ()) -> BlockadeView:
    """Return what a viewer may know: everything but the other's policy. Raises ValueError for a stranger."""
    if seat not in (*state.roster, PUBLIC, MODERATOR):
        raise ValueError(f"{seat!r} has no place in this game: {state.roster!r}")
    return BlockadeView(
        seat=seat,
        piece=piece_of(state, seat),
        options=state.options,
        roster=state.roster,
        turn=state.turn,
        stage=state.stage,
        ships=state.ships,
        toss=state.toss,
        islands=state.islands,
        rocks=state.rocks,
        first=state.first,
        policy=next((policy.turn for policy in state.policies if policy.seat == seat), ""),
        outcome=state.outcome,
        questions=questions,
    )


def movers(view: BlockadeView) -> tuple[Piece, ...]:
    """Return the ships that move in the open turn, in their order: in strict play one alone."""
    ships = tuple(ship.piece for ship in view.ships)
    ordered = sorted(ships, key=lambda piece: piece != view.first)
    return tuple(ordered[:1] if view.options.mode == "strict" else ordered)


def plan_is_void(view: BlockadeView, piece: Piece) -> bool:
    """Say whether nothing of a ship's plan can count: the forced square is all she has (B20, 2.5)."""
    return ship_of(view, piece).disabled and view.options.impulses == 1


def owed(view: BlockadeView) -> tuple[Slot, ...]:
    """Return who owes what; all of it is public. What a viewer may add stands behind it as optional."""
    if view.outcome is not None:
        return ()
    if view.stage == "sides":
        return _owed_sides(view)
    if view.stage == "layout":
        return (Slot(seat=view.toss, key="layout", what="layout"),)
    needed = tuple(_needed(view, piece) for piece in movers(view))
    return needed + _extras(view, needed)


def _owed_sides(view: BlockadeView) -> tuple[Slot, ...]:
    needed = tuple(Slot(seat=seat, key="side", what="side") for seat in view.roster)
    if view.seat not in view.roster:
        return needed
    return needed + tuple(Slot(seat=view.seat, key=key, what=key, optional=True) for key in ("harbour", "corner"))


def _needed(view: BlockadeView, piece: Piece) -> Slot:
    """Return what a ship owes: a plan, or where that would be void whether she fires."""
    key = "fire" if plan_is_void(view, piece) else "plan"
    facts = {"piece": piece, "steps": view.options.impulses, "forced": ship_of(view, piece).disabled}
    return Slot(seat=ship_of(view, piece).seat, key=key, what=key, piece=piece, facts=facts)


def _extras(view: BlockadeView, needed: tuple[Slot, ...]) -> tuple[Slot, ...]:
    """Return what the viewer may say beside what he owes."""
    if not view.piece:
        return ()
    parts = ("plan", "fire", "dash", "turn") if view.piece in movers(view) else ("turn",)
    taken = {slot.key for slot in needed if slot.seat == view.seat}
    facts = {"piece": view.piece}
    return tuple(
        Slot(seat=view.seat, key=key, what=key, piece=view.piece, optional=True, facts=facts)
        for key in (*parts, "conclude")
        if key not in taken
    )


def table(view: BlockadeView) -> tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]]:
    """Return the state table: `COLUMNS` and a row for each ship, the one that moves first marked."""
    rows = tuple(
        (
            ship.piece,
            ship.seat,
            ship.cell,
            ship.heading,
            ship.points,
            ship.moves,
            ship.disabled,
            ship.piece == view.first,
        )
        for ship in view.ships
    )
    return COLUMNS, rows
