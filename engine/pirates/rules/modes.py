"""The three ways to play a turn: sealed, by side, alternating (1.4)."""

from __future__ import annotations

from engine.pirates.rules.closing import claim_derelict, repair
from engine.pirates.rules.currents import carry
from engine.pirates.rules.drift import drift
from engine.pirates.rules.gunnery import fire
from engine.pirates.rules.movement import run_in_turn, run_together, tell_cuts
from engine.pirates.rules.turn import Turn
from engine.pirates.state import Ship, Side


def play_sealed(turn: Turn) -> None:
    """Play a round in which all sealed orders are carried out together: steps 3 to 8 of 1.4."""
    fire(turn, "before", turn.afloat())
    if turn.wind.force == "hurricane":
        tell_cuts(turn, turn.afloat())
        drift(turn, turn.afloat())
    else:
        run_together(turn)
    carry(turn, turn.afloat())
    fire(turn, "after", turn.afloat())
    claim_derelict(turn)
    repair(turn)


def play_by_side(turn: Turn) -> None:
    """Play a round in which all sealed orders are carried out side by side, Spaniards first (``by_side``)."""
    _half_round(turn, "spain")
    _half_round(turn, "pirates")
    claim_derelict(turn)
    repair(turn)


def _half_round(turn: Turn, side: Side) -> None:
    """Let one side fire, run or drift, be carried and fire.

    A ship acts in the half of the side she began the round on, so that wind and current move her once though she
    changes hands (A23).
    """
    fire(turn, "before", _fleet(turn, side))
    fleet = _fleet(turn, side)
    if turn.wind.force == "hurricane":
        tell_cuts(turn, fleet)
        drift(turn, fleet)
    else:
        run_in_turn(turn, fleet)
    carry(turn, _fleet(turn, side))
    fire(turn, "after", _fleet(turn, side))


def _fleet(turn: Turn, side: Side) -> list[Ship]:
    """Return the ships afloat that began the turn on a side, by number."""
    return [ship for ship in turn.ships.values() if ship.fate == "afloat" and turn.opening[ship.number].side == side]


def play_alternating(turn: Turn) -> None:
    """Play one side's turn: its ships act one after another, each to the end (``alternating``)."""
    side: Side = "pirates" if turn.state.to_move == "pirates" else "spain"
    for number in turn.plot.sequence:
        _act(turn, number)
    claim_derelict(turn, (side,))
    repair(turn, side)


def _act(turn: Turn, number: int) -> None:
    """Carry out one ship's action: fire, run or drift, current, fire, hits counted at once."""
    fire(turn, "before", [turn.ships[number]])
    if turn.wind.force == "hurricane":
        tell_cuts(turn, [turn.ships[number]])
        drift(turn, [turn.ships[number]])
    else:
        run_in_turn(turn, [turn.ships[number]])
    if turn.ships[number].fate == "afloat":
        carry(turn, [turn.ships[number]])
        fire(turn, "after", [turn.ships[number]])
