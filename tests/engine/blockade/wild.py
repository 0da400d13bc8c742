"""Wild players of «Блокада»: any legal order, any answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.blockade.options import BlockadeOptions
from engine.blockade.state import BlockadeState
from engine.core.codec import encode
from engine.core.contract import Answers, Order, Pause, Resolution, Seat, Sheet
from engine.core.selfplay import Chance, turn_dice
from tests.engine.blockade.positions import ROSTER, RULES

Look = Callable[[BlockadeState, Resolution, Mapping[Seat, Sheet]], None]


def play_wildly(options: BlockadeOptions, seed: str, look: Look, turns: int = 300) -> BlockadeState:
    """Play a game of players who send anything that is legal, and show every turn."""
    chance = Chance(seed.encode())
    state = RULES.start(options, ROSTER, turn_dice(RULES, seed, 0)).state
    assert isinstance(state, BlockadeState)
    for turn in range(1, turns):
        if state.outcome is not None:
            break
        sheets = {seat: wild_sheet(state, seat, chance) for seat in ROSTER}
        result = _resolved(state, sheets, seed, turn, chance)
        look(state, result, sheets)
        assert isinstance(result.state, BlockadeState)
        state = result.state
    return state


def _resolved(state: BlockadeState, sheets: Mapping[Seat, Sheet], seed: str, turn: int, chance: Chance) -> Resolution:
    answers: dict[str, str] = {}
    while True:
        dice = turn_dice(RULES, seed, turn, len(answers) + 1)
        result = RULES.resolve(state, sheets, dice, Answers(answers, dice))
        if isinstance(result, Resolution):
            return result
        answers |= answered(result, chance)


def answered(pause: Pause, chance: Chance) -> dict[str, str]:
    """Answer each question by any of its legal answers."""

    found = {}
    for question in pause.questions:
        view = RULES.view(pause.position, question.seat, pause.questions)
        orders = list(RULES.legal(view, question.key))
        found[question.key] = encode(orders[chance(len(orders))])
    return found


def wild_sheet(state: BlockadeState, seat: Seat, chance: Chance) -> Sheet:
    """Return any legal order for each slot that the seat owes or may fill, one in three left out."""
    view = RULES.view(state, seat)
    sheet: list[Order] = []
    for slot in RULES.owed(view):
        if slot.seat != seat or slot.key == "conclude" or (slot.optional and chance(3) == 0):
            continue
        orders = list(RULES.legal(view, slot.key))
        sheet.append(orders[0] if slot.key in ("plan", "layout") and chance(3) == 0 else orders[chance(len(orders))])
    return tuple(sheet)
