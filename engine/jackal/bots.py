"""A sane player of «Шакал»: carries gold home, takes what lies near, strikes who carries, else turns up tiles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.core.contract import Choose, Sheet
from engine.core.geometry import RHUMBS
from engine.jackal.board import NO_VESSEL, Board, thaw
from engine.jackal.commands import Alternative, AnyAct, Load, Raise, Sail, SlotOrder, SpinStep, Step
from engine.jackal.isle import COAST, LAND, Cell
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
from engine.jackal.tiles import CANNIBAL, CODE, CROC, FORT, FORT_GIRL, JUNGLE, OPEN, PASSES, SPIN
from engine.jackal.view import own_plan

ALTERNATIVES: Final = 3
"""So many of the best actions go into an order, best first."""


def bot(view: JackalView, choose: Choose) -> Sheet:
    """Return an order for every slot the viewer commands."""
    board = thaw(view)
    return tuple(_order(board, slot, choose) for slot in own_plan(view))


def _order(board: Board, slot: PlanSlot, choose: Choose) -> SlotOrder:
    colour = COLOURS.index(slot.colour)
    ranked = sorted(_ranked(board, colour), key=lambda one: -one[0])
    if len(ranked) > 1 and choose(4) == 0:
        # A whim now and then: two bots that mirror each other would shuttle for ever.
        place = choose(len(ranked))
        ranked.insert(0, ranked.pop(place))
    best = tuple(Alternative(act=what) for _, what in ranked[:ALTERNATIVES])
    return SlotOrder(colour=slot.colour, number=slot.number, alternatives=(*best, Alternative()))


def _ranked(board: Board, colour: int) -> Iterator[tuple[float, AnyAct]]:
    """Yield actions worth trying with what they are worth; nothing is played out."""
    for unit in board.crew(colour):
        mood = board.moods[unit]
        if not mood & (DRUNK | LOST | LOCKED | TRAPPED):
            yield from _of_unit(board, unit, colour)
    ship = board.ships[colour]
    route = board.geo.routes[colour]
    if ship in route and any(board.is_fighter(unit) for unit in board.at(ship * STEPS_A_CELL)):
        at = route.index(ship)
        for other in (at - 1, at + 1):
            if 0 <= other < len(route) and board.vessel_at(route[other]) == NO_VESSEL:
                rhumb = RHUMBS[board.geo.direction(ship, route[other])]
                yield 1.0, Sail(colour=COLOURS[colour], route=(rhumb,))


def _of_unit(board: Board, unit: int, colour: int) -> Iterator[tuple[float, AnyAct]]:
    geo = board.geo
    place = board.places[unit]
    cell = place // STEPS_A_CELL
    name = UNITS[unit]
    code = board.tiles[cell] & CODE
    heap = board.loads.get(place, 0)
    load = None if board.is_sober(unit) else _best_load(heap)
    if SPIN[code] > place % STEPS_A_CELL and unit != FR:
        yield 6.0 if load else 3.0, SpinStep(unit=name, load=load)
        return
    if code == FORT_GIRL and unit // 3 == colour and DEAD in board.places[colour * 3 : colour * 3 + 3]:
        yield 20.0, Raise(unit=name)
    ship = board.ships[colour]
    apart = geo.apart[ship]
    ashore = geo.terrain[cell] == LAND
    aboard = not ashore and board.vessel_at(cell) != NO_VESSEL
    if aboard:
        target = geo.ahead.get(cell)
        if target is not None:
            yield 4.0 + _worth_of(board, unit, target, apart[cell]), Step(unit=name, cell=geo.names[target])
        return
    for target in geo.around[cell]:
        if target < 0:
            continue
        if geo.terrain[target] != LAND:
            if target == ship:
                value = 30.0 if load else (5.0 if not ashore else 0.5)
                yield value, Step(unit=name, cell=geo.names[target], load=load)
            elif not ashore and geo.terrain[target] == COAST and board.vessel_at(target) == NO_VESSEL:
                yield 2.0 - apart[target] / 4, Step(unit=name, cell=geo.names[target])
            continue
        if not ashore:
            continue
        if load is not None and _passable(board, target):
            yield 12.0 + apart[cell] - apart[target] * 1.5, Step(unit=name, cell=geo.names[target], load=load)
        yield _worth_of(board, unit, target, apart[cell]), Step(unit=name, cell=geo.names[target])


def _best_load(heap: int) -> Load | None:
    if heap and count(heap, "treasure"):
        return Load(item="treasure")
    return Load(item="coin") if heap and count(heap, "coin") else None


def _passable(board: Board, cell: Cell) -> bool:
    tile = board.tiles[cell]
    code = tile & CODE
    return bool(tile & OPEN) and code not in (CANNIBAL, FORT, FORT_GIRL, JUNGLE, CROC)


def _worth_of(board: Board, unit: int, cell: Cell, near: int) -> float:
    """Return what a land cell is worth to somebody with empty hands."""
    tile = board.tiles[cell]
    if not tile & OPEN:
        return 5.0
    code = tile & CODE
    if code == CANNIBAL:
        return -50.0
    value = -1.0 if PASSES[code] else 0.0
    gold = worth(board.loads.get(cell * STEPS_A_CELL, 0))
    if gold:
        value += 8.0
    if board.enemies_at(cell * STEPS_A_CELL, board.side_of(unit)):
        value += 7.0 if gold else 3.0
    return value + _pull(board, cell)


def _pull(board: Board, cell: Cell) -> float:
    """Return how strongly gold and closed tiles about a cell draw."""
    tiles, geo = board.tiles, board.geo
    closed = sum(1 for one in geo.around[cell] if geo.terrain[one] == LAND and not tiles[one] & OPEN)
    apart = geo.apart[cell]
    gold = min((apart[place // STEPS_A_CELL] for place, heap in board.loads.items() if heap & 0x3FF), default=20)
    return closed * 0.3 - gold * 0.2
