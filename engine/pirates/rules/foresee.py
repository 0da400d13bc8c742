"""Foresight: what a seat's own orders would do if nobody else moved, without dice (``проба``, the receipt)."""

from __future__ import annotations

from engine.core.contract import Event, Sheet
from engine.core.dice import LoadedDice
from engine.pirates.rules.closing import claim_derelict, repair
from engine.pirates.rules.currents import carry
from engine.pirates.rules.drift import drift
from engine.pirates.rules.movement import run_in_turn, run_together, tell_cuts
from engine.pirates.rules.plot import plot
from engine.pirates.rules.setup import give_names
from engine.pirates.rules.turn import Turn
from engine.pirates.state import GoldChosen, GoldOrder, PiratesState, PiratesView
from engine.pirates.view import naming_open, spanish_seats


def foresee(view: PiratesView, sheet: Sheet) -> tuple[Event, ...]:
    """Return the events of a seat's own orders on what it sees: runs, drift, currents, ports, repairs; no fire.

    In a hurricane all ships drift; one in danger of the shore is left where she is, since the second spin decides.
    """
    state = _seen(view)
    sheets = {view.seat: sheet}
    events = give_names(state, sheets)[1] if naming_open(view) else []
    if view.round == 0:
        return (*events, *_gold_chosen(view, sheet))
    turn = Turn(state, plot(state, sheets), LoadedDice({}))
    turn.events += events
    _sail(turn)
    own = {ship.number for ship in state.ships if ship.owner == view.seat}
    return tuple(event for event in turn.events if _concerns(event, own))


def _seen(view: PiratesView) -> PiratesState:
    """Return the position a view shows, the gold as far as the viewer knows it."""
    return PiratesState(
        options=view.options,
        roster=view.roster,
        round=view.round,
        wind=view.wind,
        ships=view.ships,
        to_move=view.to_move,
        gold=view.gold,
        gold_open=view.gold_open,
        empty=view.empty,
        outcome=view.outcome,
        board=view.board,
    )


def _gold_chosen(view: PiratesView, sheet: Sheet) -> tuple[Event, ...]:
    chosen = [order.ship for order in sheet if isinstance(order, GoldOrder) and order.ship]
    audience = spanish_seats(view.roster)
    return tuple(GoldChosen(rule="P4", ship=ship, by_lot=False, audience=audience) for ship in chosen[-1:])


def _sail(turn: Turn) -> None:
    """Play the turn without fire and without dice."""
    mode = turn.options.mode
    moving = [turn.ships[number] for number in turn.plot.sequence] if mode == "alternating" else turn.afloat()
    if turn.wind.force == "hurricane":
        tell_cuts(turn, moving)
        drift(turn, moving, spins=False)
    elif mode == "sealed":
        run_together(turn)
    else:
        run_in_turn(turn, moving)
    carry(turn, [turn.ships[ship.number] for ship in moving])
    claim_derelict(turn)
    repair(turn)


def _concerns(event: Event, own: set[int]) -> bool:
    return getattr(event, "ship", 0) in own or getattr(event, "by", 0) in own
