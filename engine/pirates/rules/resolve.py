"""Resolve a turn of «Пираты» (1.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from engine.core.contract import Outcome, Resolution, Seat, Sheet
from engine.core.dice import Dice
from engine.pirates.rules.closing import spin_wind, verdict
from engine.pirates.rules.modes import play_alternating, play_by_side, play_sealed
from engine.pirates.rules.plot import plot
from engine.pirates.rules.setup import give_names, set_up
from engine.pirates.rules.turn import Turn
from engine.pirates.state import GameEnded, PiratesState, RoundBegan, Side, WindSpun
from engine.pirates.view import naming_open

_PLAY: Final = {"sealed": play_sealed, "by_side": play_by_side, "alternating": play_alternating}


def resolve(state: PiratesState, sheets: Mapping[Seat, Sheet], dice: Dice) -> Resolution:
    """Resolve the turn that is open. A ship without an order stands and holds her fire.

    Orders for ships a seat does not own, or that may not act, count for nothing. Raises ValueError after the end.
    """
    if state.outcome is not None:
        raise ValueError(f"the game has ended: {state.outcome!r}")
    if state.round == 0:
        return set_up(state, sheets, dice)
    turn = Turn(state, plot(state, sheets), dice)
    turn.tell(RoundBegan(rule="P21", round=state.round, wind=state.wind, side=state.to_move))
    if naming_open(state):
        _give_names(turn, sheets)
    _PLAY[state.options.mode](turn)
    return _close(turn)


def _give_names(turn: Turn, sheets: Mapping[Seat, Sheet]) -> None:
    """Give the names that came until the first turn locked (1.4)."""
    ships, events = give_names(turn.state, sheets)
    turn.ships = {ship.number: ship for ship in ships}
    turn.events += events


def _close(turn: Turn) -> Resolution:
    """Judge victory; if nobody has won, spin the next wind (1.4 steps 9, 10)."""
    state = turn.state
    number, side = _next_turn(state)
    outcome = verdict(turn, last=number > state.options.limit)
    changes: dict[str, Any] = {}
    if outcome is None:
        wind = spin_wind(state.options, turn.dice)
        turn.tell(WindSpun(rule="P21", round=number, wind=wind, side=side))
        changes = {"round": number, "to_move": side, "wind": wind}
    else:
        _end(turn, outcome)
    after = msgspec.structs.replace(
        state,
        ships=tuple(turn.ships.values()),
        gold=turn.gold,
        gold_open=turn.gold_open,
        empty=turn.empty,
        outcome=outcome,
        **changes,
    )
    return Resolution(state=after, events=tuple(turn.events))


def _next_turn(state: PiratesState) -> tuple[int, Any]:
    """Return the round and the side to move of the next turn; a round is both turns, Spaniards first (P6)."""
    if state.options.mode != "alternating":
        return state.round + 1, ""
    other: Side = "spain" if state.to_move == "pirates" else "pirates"
    return (state.round + 1 if other == "spain" else state.round), other


def _end(turn: Turn, outcome: Outcome) -> None:
    turn.tell(GameEnded(rule=outcome.rule, outcome=outcome))
    turn.reveal("end")
