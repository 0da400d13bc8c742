"""A sane player of «Шакал»: carries gold home, takes what lies near, strikes who carries, else turns up tiles."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, TypeAlias

from engine.core.contract import Choose, Sheet
from engine.core.geometry import RHUMBS
from engine.jackal.board import NO_VESSEL, Board, thaw
from engine.jackal.commands import Alternative, AnyAct, Load, Raise, Sail, SlotOrder, SpinStep, Step
from engine.jackal.isle import COAST, ISLE, LAND, Cell
from engine.jackal.rules.defaults import swim_distances
from engine.jackal.state import (
    COLOURS,
    DEAD,
    DRUNK,
    FR,
    LOCKED,
    LOST,
    STEPS_A_CELL,
    TRAPPED,
    UNITS,
    JackalView,
    PlanSlot,
    count,
    worth,
)
from engine.jackal.tiles import BY_CODE, CANNIBAL, CODE, CROC, FORT, FORT_GIRL, JUNGLE, OPEN, PASSES, SPIN
from engine.jackal.view import own_plan

ALTERNATIVES: Final = 3
"""So many of the best actions go into an order, best first."""
WHIMS: Final = 5
"""One action in so many is a whim."""
Plan: TypeAlias = tuple[float, str, int, Cell, Load | None]
"""What it is worth, what it is, the character (or colour of the ship), where to, with what load."""
_DEFAULT: Final = Alternative()


Steps: TypeAlias = dict[Cell, int]
"""How many steps each cell is from the nearest of some goals, over open tiles one can stand on."""


class Lookout:
    """What a bot looks at: the board, and how far it is to closed tiles, to gold and home."""

    __slots__ = ("board", "gold", "tiles", "to_closed", "to_gold", "turn")

    def __init__(self, view: JackalView) -> None:
        self.board = thaw(view)
        self.tiles = view.tiles
        self.turn = view.turn
        self.gold = tuple([place // STEPS_A_CELL for place, heap in view.loads if worth(heap)])
        self.to_closed = _to_closed(view.tiles)
        self.to_gold = _steps(view.tiles, self.gold)

    def pull(self, cell: Cell) -> float:
        """Return how strongly gold and closed tiles draw one who stands on a cell."""
        return 4.0 / (1 + self.to_gold.get(cell, FAR)) + 3.0 / (1 + self.to_closed.get(cell, FAR))

    def home(self, ship: Cell) -> Steps:
        """Return how far it is to the cells from which a ship is boarded."""
        return _steps(self.tiles, tuple([cell for cell in ISLE.around[ship] if ISLE.terrain[cell] == LAND]))


@lru_cache(maxsize=8)
def _to_closed(tiles: tuple[int, ...]) -> Steps:
    return _steps(tiles, tuple([cell for cell in ISLE.land if not tiles[cell] & OPEN]))


@lru_cache(maxsize=64)
def _steps(tiles: tuple[int, ...], goals: tuple[Cell, ...]) -> Steps:
    """Return the steps to the nearest goal; who stands beside a goal is one step from it."""
    found = dict.fromkeys(goals, 0)
    shore = list(goals)
    for cell in shore:
        steps = found[cell] + 1
        for near in _SHORES[cell]:
            if near not in found and tiles[near] & OPEN and _WALKED[tiles[near] & CODE]:
                found[near] = steps
                shore.append(near)
    return found


_SHORES: Final = tuple(
    tuple(near for near in around if near >= 0 and ISLE.terrain[near] == LAND) for around in ISLE.around
)
_WALKED: Final = tuple(
    code in BY_CODE and not BY_CODE[code].passes and BY_CODE[code].key not in ("cannibal", "trap") for code in range(64)
)
FAR: Final = 99
LEAVING: Final = 6.0
"""What it costs to walk away from gold one stands on."""


def bot(view: JackalView, choose: Choose) -> Sheet:
    """Return an order for every slot the viewer commands."""
    look = Lookout(view)
    busy: set[int] = set()
    return tuple([_order(look, slot, choose, busy) for slot in own_plan(view)])


def _order(look: Lookout, slot: PlanSlot, choose: Choose, busy: set[int]) -> SlotOrder:
    """Return the order of a slot; a later slot of the same colour prefers characters that are not ``busy`` yet."""
    colour = COLOURS.index(slot.colour)
    ranked = sorted(_ranked(look, colour), key=_by_worth)
    if slot.number > 1:
        ranked.sort(key=lambda plan: plan[1] != "sail" and plan[2] in busy)
    if len(ranked) > 1 and (look.turn + colour) % WHIMS == 0:
        # A whim now and then: two bots that mirror each other would shuttle for ever.
        ranked.insert(0, ranked.pop(choose(len(ranked))))
    if ranked and ranked[0][1] != "sail":
        busy.add(ranked[0][2])
    best = [Alternative(act=_act(look.board, one)) for one in ranked[:ALTERNATIVES]]
    return SlotOrder(colour=slot.colour, number=slot.number, alternatives=(*best, _DEFAULT))


def _by_worth(plan: Plan) -> float:
    return -plan[0]


def _act(board: Board, plan: Plan) -> AnyAct:
    """Return the act that a plan stands for."""
    _, what, unit, cell, load = plan
    names = board.geo.names
    if what == "step":
        return Step(unit=UNITS[unit], cell=names[cell], load=load)
    if what == "spin":
        return SpinStep(unit=UNITS[unit], load=load)
    if what == "raise":
        return Raise(unit=UNITS[unit])
    rhumb = RHUMBS[board.geo.direction(board.ships[unit], cell)]
    return Sail(colour=COLOURS[unit], route=(rhumb,))


def _ranked(look: Lookout, colour: int) -> list[Plan]:
    """Return actions worth trying with what they are worth; nothing is played out."""
    board = look.board
    plans: list[Plan] = []
    for unit in board.crew(colour):
        if not board.moods[unit] & (DRUNK | LOST | LOCKED | TRAPPED):
            _of_unit(look, unit, colour, plans)
    ship = board.ships[colour]
    route = board.geo.routes[colour]
    if ship in route and any(board.is_fighter(unit) for unit in board.at(ship * STEPS_A_CELL)):
        at = route.index(ship)
        lanes = [route[other] for other in (at - 1, at + 1) if 0 <= other < len(route)]
        plans += [(1.0, "sail", colour, cell, None) for cell in lanes if board.vessel_at(cell) == NO_VESSEL]
    return plans


def _of_unit(look: Lookout, unit: int, colour: int, plans: list[Plan]) -> None:
    """Add what one character could do."""
    board = look.board
    geo = board.geo
    place = board.places[unit]
    cell = place // STEPS_A_CELL
    code = board.tiles[cell] & CODE
    heap = board.loads.get(place, 0)
    load = None if not heap or board.is_sober(unit) else _best_load(heap)
    if SPIN[code] > place % STEPS_A_CELL and unit != FR:
        plans.append((6.0 if load else 3.0, "spin", unit, cell, load))
        return
    if code == FORT_GIRL and unit // 3 == colour and DEAD in board.places[colour * 3 : colour * 3 + 3]:
        plans.append((20.0, "raise", unit, cell, None))
    if geo.terrain[cell] == LAND:
        _ashore(look, unit, cell, load, plans)
    elif board.vessel_at(cell) != NO_VESSEL:
        target = geo.ahead.get(cell)
        if target is not None:
            plans.append((4.0 + _worth_of(look, unit, target), "step", unit, target, None))
    else:
        _afloat(look, unit, cell, plans)


def _ashore(look: Lookout, unit: int, cell: Cell, load: Load | None, plans: list[Plan]) -> None:
    board = look.board
    geo = board.geo
    ship = board.ships[board.colour_of(unit)]
    apart = geo.apart[ship]
    home = look.home(ship) if load is not None else {}
    here = home.get(cell, FAR)
    for target in geo.around[cell]:
        if geo.terrain[target] != LAND:
            if target == ship:
                plans.append((30.0 if load else 0.5, "step", unit, target, load))
            continue
        if load is not None and _passable(board, target):
            plans.append(
                (_way_home(here, home.get(target, FAR), apart[target] - apart[cell]), "step", unit, target, load)
            )
        plans.append((_worth_of(look, unit, target) - (LEAVING if load else 0.0), "step", unit, target, None))


def _way_home(here: int, there: int, farther: int) -> float:
    """Return what a laden step is worth: shorter by the way one can walk, else as the crow flies."""
    if here < FAR:
        return 12.0 if there < here else 3.0 - farther
    return 7.0 - 2.0 * farther


def _afloat(look: Lookout, unit: int, cell: Cell, plans: list[Plan]) -> None:
    board = look.board
    geo = board.geo
    ship = board.ships[board.colour_of(unit)]
    strokes = swim_distances(geo, ship)
    for target in geo.around[cell]:
        if target == ship:
            plans.append((5.0, "step", unit, target, None))
        elif target >= 0 and geo.terrain[target] == COAST and board.vessel_at(target) == NO_VESSEL:
            plans.append((3.0 if strokes[target] < strokes[cell] else 0.0, "step", unit, target, None))


def _best_load(heap: int) -> Load | None:
    if heap and count(heap, "treasure"):
        return Load(item="treasure")
    return Load(item="coin") if heap and count(heap, "coin") else None


def _passable(board: Board, cell: Cell) -> bool:
    tile = board.tiles[cell]
    code = tile & CODE
    return bool(tile & OPEN) and code not in (CANNIBAL, FORT, FORT_GIRL, JUNGLE, CROC)


def _worth_of(look: Lookout, unit: int, cell: Cell) -> float:
    """Return what a land cell is worth to somebody with empty hands."""
    board = look.board
    tile = board.tiles[cell]
    if not tile & OPEN:
        return 5.0
    code = tile & CODE
    if code == CANNIBAL:
        return -50.0
    value = look.pull(cell)
    if PASSES[code]:
        value -= 1.0
    place = cell * STEPS_A_CELL
    gold = place in board.loads and cell in look.gold
    if gold:
        value += 8.0
    if place in board.places and board.enemies_at(place, board.side_of(unit)):
        value += 7.0 if gold else 3.0
    return value
