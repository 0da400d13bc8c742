"""Wild players of «Шакал» and the laws that no position may break (page 5.7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

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
from engine.jackal.isle import COAST, ISLE, LAND
from engine.jackal.options import JackalOptions
from engine.jackal.rules.moves import candidates, sails, wake
from engine.jackal.state import COLOURS, FR, LOCKED, LOST, MS, STEPS_A_CELL, UNITS, JackalState, JackalView, worth
from engine.jackal.tiles import BY_CODE, CANNIBAL, CANNON, CODE, COINS, JUNGLE, LOADABLE, OPEN, PASSES, deck
from engine.jackal.view import own_plan

RULES = ruleset("jackal")
TOPICS = ("arrow", "horse", "ice", "cave", "plane")
WISHES = ("to-ship", "to-closed", "to-coins", "not-water", "not-death", "stay", "ship")


def play_wildly(
    options: JackalOptions,
    players: int,
    seed: str,
    look: Callable[[JackalState, Resolution, Mapping[Seat, Sheet]], None],
    turns: int = 4000,
) -> JackalState:
    """Play a game of players who try anything, and show every turn."""
    chance = Chance(seed.encode())
    roster = tuple(seat.id for seat in RULES.seats(options, players))
    state = RULES.start(options, roster, turn_dice(RULES, seed, 0)).state
    assert isinstance(state, JackalState)
    for turn in range(1, turns):
        if state.outcome is not None:
            break
        sheets = {seat: wild_sheet(state, seat, chance) for seat in roster}
        answers: dict[str, str] = {}
        while True:
            dice = turn_dice(RULES, seed, turn, len(answers) + 1)
            result = RULES.resolve(state, sheets, dice, Answers(answers, dice))
            if isinstance(result, Resolution):
                break
            for question in result.questions:
                words = [choice.word for choice in question.choices] or [question.default]
                answers[question.key] = words[chance(len(words))]
        look(state, result, sheets)
        assert isinstance(result.state, JackalState)
        state = result.state
    return state


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


# Laws -----------------------------------------------------------------------------------------------------------------


def check(before: JackalState, result: Resolution, sheets: Mapping[Seat, Sheet]) -> None:
    """Hold a position to the laws of 5.7."""
    state = result.state
    assert isinstance(state, JackalState)
    board = thaw(state)
    tiles_are_kept(state)
    gold_adds_up(board)
    for place, heap in state.loads:
        load_may_lie(board, place, heap)
    for unit, place in enumerate(state.places):
        if place >= 0:
            unit_may_stand(board, unit, place)
    for place in {place for place in state.places if place >= 0}:
        no_enemies_together(board, place)


def tiles_are_kept(state: JackalState) -> None:
    counts = Counter(BY_CODE[state.tiles[cell] & CODE].key for cell in ISLE.land)
    assert counts == deck(state.options.tileset).counts


def gold_adds_up(board: Board) -> None:
    hidden = sum(
        COINS[board.tiles[cell] & CODE] + 3 * (BY_CODE[board.tiles[cell] & CODE].key == "treasure")
        for cell in ISLE.land
        if not board.tiles[cell] & OPEN
    )
    total = deck(board.options.tileset).gold
    assert sum(board.gold) + board.lying() + board.destroyed + hidden == total
    assert board.left == board.lying() + hidden
    assert min(board.bottles) >= 0
    assert sum(board.bottles) <= deck(board.options.tileset).bottles


def load_may_lie(board: Board, place: int, heap: int) -> None:
    cell = place // STEPS_A_CELL
    assert heap > 0
    if ISLE.terrain[cell] != LAND:
        assert board.vessel_at(cell) >= 0, ISLE.names[cell]
        assert heap == 1 << 16, ISLE.names[cell]
        return
    tile = board.tiles[cell]
    assert tile & OPEN
    assert LOADABLE[tile & CODE], (ISLE.names[cell], BY_CODE[tile & CODE].key)
    if tile & CODE == CANNIBAL:
        assert board.places[FR] == place
    assert worth(heap) >= 0


def unit_may_stand(board: Board, unit: int, place: int) -> None:
    cell = place // STEPS_A_CELL
    if ISLE.terrain[cell] != LAND:
        vessel = board.vessel_at(cell)
        if vessel >= 0:
            assert board.vessel_side(vessel) == board.side_of(unit), UNITS[unit]
        else:
            assert ISLE.terrain[cell] == COAST
        return
    tile = board.tiles[cell]
    assert tile & OPEN, (UNITS[unit], ISLE.names[cell])
    assert not PASSES[tile & CODE] or tile & CODE == CANNON, (UNITS[unit], BY_CODE[tile & CODE].key)
    assert tile & CODE != CANNIBAL or unit == FR
    if board.moods[unit] & (LOST | LOCKED):
        assert BY_CODE[tile & CODE].key == "cave"


def no_enemies_together(board: Board, place: int) -> None:
    units = board.at(place)
    sides = {board.side_of(unit) for unit in units}
    cell = place // STEPS_A_CELL
    assert not (MS in units and FR in units and board.is_sober(MS))
    if len(sides) < 2 or board.tiles[cell] & CODE == JUNGLE:
        return
    # Only one who may not strike stands beside a lone Friday.
    assert FR in units, [UNITS[unit] for unit in units]
    assert len({board.side_of(unit) for unit in units if unit != FR}) == 1
