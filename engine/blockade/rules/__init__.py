"""The rules of «Блокада», in the order of the page: set-up, steps, fire, dash, ending."""

from __future__ import annotations

from collections.abc import Mapping

from engine.blockade.rules import setup, turn
from engine.blockade.rules.dice import dice_purpose
from engine.blockade.rules.foresight import foresee
from engine.blockade.rules.setup import seats, start
from engine.blockade.state import BlockadeState
from engine.core.contract import Answers, Pause, Resolution, Seat, Sheet
from engine.core.dice import Dice

__all__ = ["dice_purpose", "foresee", "resolve", "seats", "start"]


def resolve(state: BlockadeState, sheets: Mapping[Seat, Sheet], dice: Dice, answers: Answers) -> Resolution | Pause:
    """Resolve the open turn: sides, layout, or play (2.5)."""
    if state.stage == "sides":
        return setup.settle(state, sheets, dice)
    if state.stage == "layout":
        return setup.lay_out(state, sheets, dice)
    return turn.resolve(state, sheets, dice, answers)
