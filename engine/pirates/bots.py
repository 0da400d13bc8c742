"""Sane players of «Пираты»: Spain runs the gold home, the pirates hunt it and bring the prize to a base."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

import msgspec

from engine.core.contract import Choose, Order, Sheet
from engine.core.geometry import RHUMBS, Cell, Rhumb, distance
from engine.pirates.board import SPANISH, Board, board_of
from engine.pirates.rules.course import plan_run, reach
from engine.pirates.state import Fire, GoldOrder, PiratesView, Ship, ShipOrder, Side
from engine.pirates.view import HULL, REACH, owed, to_act

Worth: TypeAlias = Callable[[Cell], float]
"""How far a cell is from where a ship wants to be; less is better."""

FAR: Final = 10_000
_ESCORT: Final = 2
"""Empty galleons wait this far from the goal, so as not to show that they are empty."""
_SAIL_AHEAD: Final = 3
"""How many cells ahead of a galleon her hunters steer."""
_MAY_COME: Final = 6
"""By how much two ships may near each other in a round, three cells each."""
_NEAR_PORT: Final = 3
"""A galleon one hit from sinking puts in where a port of her own is no further than this."""


@dataclass(frozen=True, slots=True)
class Watch:
    """What a bot looks at: the view, its board, and its ships that owe an order."""

    view: PiratesView
    board: Board
    fleet: tuple[Ship, ...]


def bot(view: PiratesView, choose: Choose) -> Sheet:
    """Return orders for all that a seat owes: the gold in set-up, afterwards one order a ship."""
    slots = [slot for slot in owed(view) if slot.seat == view.seat and not slot.optional]
    if any(slot.key == "gold" for slot in slots):
        return (GoldOrder(ship=1 + choose(3)),)
    fleet = tuple(ship for ship in to_act(view) if ship.owner == view.seat)
    watch = Watch(view, board_of(view.options.board, view.board), fleet)
    orders = [_order(watch, ship, choose) for ship in fleet]
    return tuple(_one_shot(orders) if view.options.shots == "seat" else orders)


def _order(watch: Watch, ship: Ship, choose: Choose) -> ShipOrder:
    worth = _goal_of(watch, ship)
    course, cells = _best_run(watch, ship, worth, choose)
    fire = _fire(watch, ship)
    if course is None and not watch.board.is_sea(ship.cell or ""):
        return ShipOrder(ship=ship.number, repair=ship.hits > 0)
    if course is None:
        return ShipOrder(ship=ship.number, fire=fire)
    if watch.view.options.bend == "yes":
        return ShipOrder(ship=ship.number, bends=(course,) * cells, fire=fire)
    return ShipOrder(ship=ship.number, course=course, distance=cells, fire=fire)


def _one_shot(orders: Sequence[ShipOrder]) -> Iterator[Order]:
    """Leave the seat one shot, of the first ship that has a target now, else the first that may (``shots=seat``)."""
    armed = [order for order in orders if order.fire is not None]
    ready = [order for order in armed if order.fire is not None and order.fire.when == "before"]
    shooter = next(iter(ready or armed), None)
    for order in orders:
        yield order if order is shooter else msgspec.structs.replace(order, fire=None)


def _fire(watch: Watch, ship: Ship) -> Fire | None:
    """Return fire at any: before the run if an enemy is in reach, after it if one may come, else none.

    Who moves second does not fire before the run: by then the enemies have sailed on.
    """
    nearest = min((_apart(watch.board, ship, enemy) for enemy in _enemies(watch, ship)), default=FAR)
    in_reach = nearest <= REACH[ship.kind] and watch.board.is_sea(ship.cell or "")
    if in_reach and not _second(watch, ship):
        return Fire(when="before", targets=("any",))
    return Fire(when="after", targets=("any",)) if nearest <= _MAY_COME + REACH[ship.kind] else None


def _second(watch: Watch, ship: Ship) -> bool:
    """Say whether a ship acts after her enemies have (``by_side``)."""
    return watch.view.options.mode == "by_side" and ship.side == "pirates"


def _enemies(watch: Watch, ship: Ship) -> list[Ship]:
    """Return the enemies afloat at sea."""
    return [
        other
        for other in watch.view.ships
        if other.fate == "afloat" and other.side != ship.side and watch.board.is_sea(other.cell or "")
    ]


def _apart(board: Board, one: Ship, other: Ship) -> int:
    return distance(board.spots[one.cell or ""], board.spots[other.cell or ""])


# Where to -------------------------------------------------------------------------------------------------------------


def _goal_of(watch: Watch, ship: Ship) -> Worth:
    """Return what a ship wants: her port, the prize, the derelict, a galleon to hunt."""
    gold = next((other for other in watch.view.ships if other.number == watch.view.gold), None)
    if gold is not None and gold.fate == "derelict":
        return _beside(watch, ship, gold.cell or "")
    if ship.side == "spain":
        return _spanish_goal(watch, ship, gold)
    return _pirate_goal(watch, ship, gold)


def _spanish_goal(watch: Watch, ship: Ship, gold: Ship | None) -> Worth:
    if gold is not None and gold.side == "pirates":
        return _beside(watch, ship, gold.cell or "")
    home = field(watch.board, ship.side, (watch.board.goal,))
    ports = field(watch.board, ship.side, _ports(watch.board, SPANISH))
    in_need = ship.hits >= HULL[ship.kind] - 1
    if in_need and ports.get(ship.cell or "", FAR) <= min(_NEAR_PORT, home.get(ship.cell or "", FAR) - 1):
        return lambda cell: ports.get(cell, FAR)
    if gold is not None and ship.number != gold.number:
        return lambda cell: abs(home.get(cell, FAR) - _ESCORT)
    return lambda cell: home.get(cell, FAR)


def _pirate_goal(watch: Watch, ship: Ship, gold: Ship | None) -> Worth:
    if gold is not None and gold.number == ship.number:
        bases = field(watch.board, ship.side, watch.board.bases)
        return lambda cell: bases.get(cell, FAR)
    hunters_of_prize = gold is not None and gold.side == "pirates"
    quarry = [other for other in watch.view.ships if other.fate == "afloat" and other.side == "spain"]
    if gold is not None and gold.side == "spain":
        quarry = [gold]
    elif not hunters_of_prize:
        quarry = [other for other in quarry if other.number not in watch.view.empty] or quarry
    if not quarry:
        return lambda _: 0
    way = field(watch.board, ship.side, (ship.cell or "",))
    nearest = min(quarry, key=lambda other: (_way_to(watch, way, other), other.number))
    return _beside(watch, ship, _run_of(watch, nearest) if _second(watch, ship) else _ahead(watch, nearest))


def _way_to(watch: Watch, way: Mapping[Cell, int], other: Ship) -> int:
    """Return how far a ship is; one in a port counts from the sea before it."""
    cell = other.cell or ""
    around = [beyond for beyond in watch.board.ahead[cell].values() if beyond is not None]
    return min((way.get(near, FAR) for near in (cell, *around)), default=FAR)


def _ahead(watch: Watch, quarry: Ship) -> Cell:
    """Return where a galleon will be in a while if she sails for the goal."""
    home = field(watch.board, "spain", (watch.board.goal,))
    cell = quarry.cell or ""
    for _ in range(_SAIL_AHEAD):
        around = [beyond for beyond in watch.board.ahead[cell].values() if beyond is not None and beyond in home]
        best = min(around, key=lambda beyond: home[beyond], default=cell)
        if not watch.board.is_sea(best):
            break
        cell = best
    return cell


def _run_of(watch: Watch, quarry: Ship) -> Cell:
    """Return where a galleon that makes the most of this wind for the goal ends her run."""
    home = field(watch.board, "spain", (watch.board.goal,))
    ends = [(home.get(end, FAR), end) for _, _, end in _runs(watch, quarry)]
    return min(ends, default=(FAR, quarry.cell or ""))[1]


def _beside(watch: Watch, ship: Ship, cell: Cell) -> Worth:
    """Return the wish to lie within reach of a cell."""
    way = field(watch.board, ship.side, (cell,))
    return lambda here: max(way.get(here, FAR), 1)


def _ports(board: Board, kind: str) -> tuple[Cell, ...]:
    return tuple(cell for cell in board.ports if board.kinds[cell] == kind)


@lru_cache(maxsize=8192)
def field(board: Board, side: Side, goals: tuple[Cell, ...]) -> Mapping[Cell, int]:
    """Return for every cell a ship of a side can be in how many steps it is from the nearest goal, ships apart.

    Ports other than the goals are no thoroughfare (A16). A goal shut to the side is measured from the sea about it.
    """
    steps = dict.fromkeys(goals, 0)
    shore = list(goals)
    for cell in shore:
        if cell not in goals and not board.is_sea(cell):
            continue
        for rhumb in RHUMBS:
            beyond = board.ahead[cell][rhumb]
            if beyond is None or beyond in steps or board.barriers[cell][rhumb]:
                continue
            if board.is_sea(beyond) or board.is_open(beyond, side):
                steps[beyond] = steps[cell] + 1
                shore.append(beyond)
    return steps


# How ------------------------------------------------------------------------------------------------------------------


def _best_run(watch: Watch, ship: Ship, worth: Worth, choose: Choose) -> tuple[Rhumb | None, int]:
    """Return the course and number of cells that bring a ship nearest to her wish; one of several by chance."""
    stay = worth(_carried(watch.board, ship.cell or ""))
    best: list[tuple[Rhumb | None, int]] = [(None, 0)]
    least = stay
    for course, cells, end in _runs(watch, ship):
        value = worth(_carried(watch.board, end))
        if value < least:
            best, least = [(course, cells)], value
        elif value == least:
            best.append((course, cells))
    return best[choose(len(best))] if len(best) > 1 else best[0]


def _runs(watch: Watch, ship: Ship) -> Iterator[tuple[Rhumb, int, Cell]]:
    """Yield the runs a ship could make if she met nobody: course, cells, and where they end."""
    options = watch.view.options
    still = {other.cell or "" for other in watch.view.ships if other.fate == "derelict"}
    for course in RHUMBS:
        most = reach(options, ship.kind, watch.view.wind, course)
        order = ShipOrder(ship=ship.number, course=course, distance=most)
        plan = plan_run(watch.board, options, ship, order, watch.view.wind, occupied=still)
        for cells, end in enumerate(plan.path[1:], 1):
            yield course, cells, end


def _carried(board: Board, cell: Cell) -> Cell:
    """Return where a ship that ends her run here will be after the currents."""
    current = board.tail_at(cell)
    return current.cells[-1] if current else cell
