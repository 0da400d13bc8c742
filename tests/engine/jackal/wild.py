"""Games of «Шакал» for the laws: of wild players, who try anything, and of bots."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.core.codec import decode, encode, from_plain, plain
from engine.core.contract import Answers, Resolution, Seat, Sheet
from engine.core.registry import ruleset
from engine.core.selfplay import Chance, turn_dice
from engine.jackal.board import Board, thaw
from engine.jackal.commands import (
    Alternative,
    AnyAct,
    Fly,
    Gift,
    Launch,
    Pick,
    PolicyCase,
    PolicyOrder,
    PolicyRule,
    RumLeap,
    SlotOrder,
    Step,
    Want,
    When,
)
from engine.jackal.isle import ISLE
from engine.jackal.options import JackalOptions
from engine.jackal.rules.moves import candidates, sails, wake
from engine.jackal.state import COLOURS, JackalState, JackalView
from engine.jackal.view import own_plan

RULES = ruleset("jackal")
AGAIN = 10
"""One turn in so many is resolved a second time, from what a log holds of it."""
TOPICS = ("arrow", "horse", "ice", "cave", "plane")
WISHES = ("to-ship", "to-closed", "to-coins", "not-water", "not-death", "stay", "ship")


def play_wildly(
    options: JackalOptions,
    players: int,
    seed: str,
    look: Callable[[JackalState, Resolution, Mapping[Seat, Sheet]], None],
    turns: int = 4000,
    *,
    sheet: Callable[[JackalState, Seat, Chance], Sheet] | None = None,
) -> JackalState:
    """Play a game of players who try anything, or as ``sheet`` says, and show every turn."""
    chance = Chance(seed.encode())
    write = sheet or wild_sheet
    roster = tuple(seat.id for seat in RULES.seats(options, players))
    state = RULES.start(options, roster, turn_dice(RULES, seed, 0)).state
    assert isinstance(state, JackalState)
    for turn in range(1, turns):
        if state.outcome is not None:
            break
        sheets = {seat: write(state, seat, chance) for seat in roster}
        result, answers = resolved(state, sheets, seed, turn, chance)
        if turn % AGAIN == 0:
            resolves_the_same(state, sheets, seed, turn, answers, result)
        look(state, result, sheets)
        assert isinstance(result.state, JackalState)
        state = result.state
    return state


def resolved(
    state: JackalState, sheets: Mapping[Seat, Sheet], seed: str, turn: int, chance: Chance
) -> tuple[Resolution, dict[str, str]]:
    """Resolve a turn, answering what is asked by chance."""
    answers: dict[str, str] = {}
    while True:
        dice = turn_dice(RULES, seed, turn, len(answers) + 1)
        result = RULES.resolve(state, sheets, dice, Answers(answers, dice))
        if isinstance(result, Resolution):
            return result, answers
        for question in result.questions:
            words = [choice.word for choice in question.choices] or [question.default]
            answers[question.key] = words[chance(len(words))]


def resolves_the_same(
    state: JackalState,
    sheets: Mapping[Seat, Sheet],
    seed: str,
    turn: int,
    answers: Mapping[str, str],
    result: Resolution,
) -> None:
    """Resolve a turn from what a log holds of it, and hold the outcome to the first to the byte."""
    kept = {
        seat: tuple(from_plain(plain(order), RULES.info.order) for order in sheet) for seat, sheet in sheets.items()
    }
    dice = turn_dice(RULES, seed, turn, len(answers) + 1)
    again = RULES.resolve(decode(encode(state), JackalState), kept, dice, Answers(dict(answers), dice))
    assert encode(again) == encode(result), f"turn {turn} resolves differently from its log"


def sane_sheet(state: JackalState, seat: Seat, chance: Chance) -> Sheet:
    """Return what the ruleset's own bot orders."""
    return RULES.bot(RULES.view(state, seat), chance)


def wild_sheet(state: JackalState, seat: Seat, chance: Chance) -> Sheet:
    view = RULES.view(state, seat)
    board = thaw(view)
    orders: list[SlotOrder | PolicyOrder] = []
    for slot in own_plan(view):
        colour = COLOURS.index(slot.colour)
        wake(board, colour)
        acts = list(candidates(board, colour))
        acts += [act for act in acts if getattr(act, "load", None) is not None or isinstance(act, Launch)] * 3
        acts += list(sails(board, colour)) if chance(5) == 0 else []
        if chance(2) == 0:
            orders += sane_orders(view, slot.key, chance)
        elif acts:
            several = tuple(wild_alternative(board, acts[chance(len(acts))], chance) for _ in range(4))
            orders.append(SlotOrder(colour=slot.colour, number=slot.number, alternatives=several))
    if chance(3) == 0:
        wants = tuple(
            PolicyRule(tile=topic, ask=chance(8) == 0, cases=(PolicyCase(want=wild_want(chance)),)) for topic in TOPICS
        )
        orders.append(PolicyOrder(rules=wants))
    return tuple(orders)


def sane_orders(view: JackalView, key: str, chance: Chance) -> list[SlotOrder]:
    return [order for order in RULES.bot(view, chance) if isinstance(order, SlotOrder) and order.slot == key]


def wild_alternative(board: Board, act: AnyAct, chance: Chance) -> Alternative:
    if isinstance(act, Step | Fly | RumLeap) and chance(6) == 0:
        act = type(act)(**{**{name: getattr(act, name) for name in act.__struct_fields__}, "via": wild_via(chance)})
    gifts = ()
    if chance(12) == 0:
        gifts = (Gift(unit=("MS", "FR")[chance(2)], before=chance(2) == 0),)  # type: ignore[arg-type]
    whens = tuple(When(tile=topic, want=wild_want(chance)) for topic in TOPICS if chance(3) == 0)
    return Alternative(act=act, gifts=gifts, whens=whens, perish=chance(10) == 0)


def wild_via(chance: Chance) -> tuple[Pick, ...]:
    return tuple(wild_pick(chance) for _ in range(1 + chance(2)))


def wild_pick(chance: Chance) -> Pick:
    match chance(4):
        case 0:
            return Pick(kind="way", way=("N", "NE", "E", "SE", "S", "SW", "W", "NW")[chance(8)])
        case 1:
            return Pick(kind="cell", way=ISLE.names[ISLE.land[chance(117)]])
        case 2:
            return Pick(kind="take", way="coin")
    return Pick(kind=WISHES[chance(len(WISHES))])  # type: ignore[arg-type]


def wild_want(chance: Chance) -> Want:
    return Want(wishes=tuple(wild_pick(chance) for _ in range(1 + chance(2))))
