"""Orders a seat may give: all legal ones of a slot, and sensible ones for examples and the answer template."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final, Literal, TypeAlias

import msgspec

from engine.core.contract import Language, Order
from engine.core.geometry import RHUMBS, Rhumb, distance
from engine.pirates.board import Board, board_of
from engine.pirates.orders.position import commanded, enemies, gold_seat, own_ships, ship_numbered
from engine.pirates.orders.sheet import SELF_DEFENCE
from engine.pirates.orders.writing import write
from engine.pirates.rules.course import POINTS, plan_run
from engine.pirates.state import (
    Fire,
    GoldOrder,
    NameOrder,
    PiratesView,
    SequenceOrder,
    Ship,
    ShipOrder,
    VolleyOrder,
    When,
)
from engine.pirates.view import naming_open

_PHASES: Final[tuple[When, When]] = ("before", "after")
_SAMPLE_NAMES: Final = ("Образец", "Sample")
_MOST_PAIRS: Final = 6
_FARTHEST: Final = 3

Run: TypeAlias = ShipOrder


def legal(view: PiratesView, slot: str) -> Iterator[Order]:
    """Yield the legal orders for a slot in a fixed order, lazily; nothing for a slot that is not the viewer's now.

    ``ship4``: standing, repair in port, every run the wind, the map and the currents allow, each without fire and with
    each phase at each single target. ``gold``, ``name4``, ``sequence`` and ``volley-…``: names are a marked sample,
    sequences and volleys a few of the many.
    """
    kind = slot.rstrip("0123456789")
    number = int(slot[len(kind) :] or 0)
    if slot.startswith("volley-"):
        yield from _volleys(view, slot.removeprefix("volley-"))
    elif kind == "ship":
        yield from _ship_orders(view, number)
    elif kind == "gold":
        yield from _golds(view)
    elif kind == "name":
        yield from _names(view, number)
    elif kind == "sequence":
        yield from _sequences(view)


def _ship_orders(view: PiratesView, number: int) -> Iterator[ShipOrder]:
    ship = next((one for one in commanded(view) if one.number == number), None)
    if ship is None:
        return
    fires = (None, *_fires(view))
    for run in _runs(view, ship):
        yield from (run if fire is None else msgspec.structs.replace(run, fire=fire) for fire in fires)


def _fires(view: PiratesView) -> Iterator[Fire]:
    targets: tuple[int | Literal["any"], ...] = (*(ship.number for ship in enemies(view)), "any")
    for when in _PHASES:
        yield from (Fire(when=when, targets=(target,)) for target in targets)


def _runs(view: PiratesView, ship: Ship) -> Iterator[Run]:
    """Yield standing, repair where it can be had, and the runs that will not be cut, shortest first on each course."""
    board = board_of(view.options.board, view.board)
    yield ShipOrder(ship=ship.number)
    if ship.cell is not None and board.is_open(ship.cell, ship.side):
        yield ShipOrder(ship=ship.number, repair=True)
    if view.options.bend == "yes":
        yield from _bent(view, board, ship, ())
        return
    for course in RHUMBS:
        for cells in range(1, _FARTHEST + 1):
            run = ShipOrder(ship=ship.number, course=course, distance=cells)
            if not _whole(view, board, ship, run, cells):
                break
            yield run


def _whole(view: PiratesView, board: Board, ship: Ship, run: Run, cells: int) -> bool:
    plan = plan_run(board, view.options, ship, run, view.wind)
    return plan.cut is None and len(plan.path) == cells + 1


def _bent(view: PiratesView, board: Board, ship: Ship, legs: tuple[Rhumb, ...]) -> Iterator[Run]:
    for course in RHUMBS if len(legs) < POINTS else ():
        bends = (*legs, course)
        run = ShipOrder(ship=ship.number, bends=bends)
        if _whole(view, board, ship, run, len(bends)):
            yield run
            yield from _bent(view, board, ship, bends)


def _golds(view: PiratesView) -> Iterator[GoldOrder]:
    if view.round == 0 and view.outcome is None and view.seat == gold_seat(view):
        galleons = [ship.number for ship in view.ships if ship.kind == "galleon"]
        yield from (GoldOrder(ship=number) for number in sorted(galleons))
        yield GoldOrder(ship=0)


def _names(view: PiratesView, number: int) -> Iterator[NameOrder]:
    if naming_open(view) and any(ship.number == number for ship in own_ships(view)):
        yield from (NameOrder(ship=number, name=f"{sample} {number}") for sample in _SAMPLE_NAMES)


def _sequences(view: PiratesView) -> Iterator[SequenceOrder]:
    """Yield the own ships in order, begun with each of them in turn, and backwards."""
    numbers = tuple(ship.number for ship in commanded(view))
    if view.options.mode != "alternating" or not numbers:
        return
    for first in range(len(numbers)):
        yield SequenceOrder(ships=(*numbers[first:], *numbers[:first]))
    if len(numbers) > 2:
        yield SequenceOrder(ships=tuple(reversed(numbers)))


def _volleys(view: PiratesView, name: str) -> Iterator[VolleyOrder]:
    numbers = tuple(ship.number for ship in commanded(view))
    if not numbers:
        return
    yield VolleyOrder(name=name)
    for pair in list(combinations(numbers, 2))[:_MOST_PAIRS]:
        for when in _PHASES:
            for target in enemies(view):
                yield VolleyOrder(name=name, ships=pair, targets=(target.number,), when=when)


# Examples -------------------------------------------------------------------------------------------------------------


def sensible(view: PiratesView, ship: Ship) -> ShipOrder:
    """Return an order for a ship that is legal now and never silly: on towards her aim, fire after at any.

    Her aim is what everybody can see: Кадикс for Spain, the nearest galleon for a pirate, the nearest base for a prize;
    a holed ship in port mends.
    """
    board = board_of(view.options.board, view.board)
    if ship.cell is None:
        return ShipOrder(ship=ship.number)
    if ship.hits and board.is_open(ship.cell, ship.side):
        return ShipOrder(ship=ship.number, repair=True)
    aims = _aims(view, board, ship)
    runs = [run for run in _runs(view, ship) if not run.repair]
    best = min(runs, key=lambda run: _gap(view, board, ship, run, aims))
    end = plan_run(board, view.options, ship, best, view.wind).path[-1]
    return msgspec.structs.replace(best, fire=SELF_DEFENCE) if board.is_sea(end) else best


def _aims(view: PiratesView, board: Board, ship: Ship) -> tuple[str, ...]:
    if ship.side == "spain":
        return (board.goal,)
    if ship.kind == "galleon":
        return board.bases
    prey = [other.cell for other in enemies(view) if other.cell is not None]
    return tuple(prey) or (board.goal,)


def _gap(view: PiratesView, board: Board, ship: Ship, run: Run, aims: tuple[str, ...]) -> int:
    end = plan_run(board, view.options, ship, run, view.wind).path[-1]
    return min(distance(board.spots[end], board.spots[aim]) for aim in aims)


def template(view: PiratesView, language: Language) -> tuple[str, ...]:
    """Return the seat's order lines ready to be edited and sent as they stand; each of them is legal now.

    In set-up the gold goes by lot, so that a template sent back unread betrays nothing.
    """
    return tuple(write(order, language) for order in _template(view))


def _template(view: PiratesView) -> Iterator[Order]:
    if view.round == 0:
        yield from (order for order in _golds(view) if order.ship == 0)
        if naming_open(view):
            yield from (NameOrder(ship=ship.number, name=ship.name) for ship in own_ships(view) if ship.name)
    for ship in commanded(view):
        yield sensible(view, ship)


def examples(view: PiratesView, language: Language) -> tuple[str, ...]:
    """Return a few lines, one of each kind that the seat may send now, all of them legal in this position."""
    return tuple(dict.fromkeys(write(order, language) for order in _examples(view)))


def _examples(view: PiratesView) -> Iterator[Order]:
    yield from _template(view)
    ships = commanded(view)
    targets = [ship.number for ship in enemies(view)]
    if ships and targets:
        fire = Fire(when="before", targets=(targets[0], "any"))
        yield ShipOrder(ship=ships[0].number, fire=fire)
    if len(ships) > 1 and targets:
        members = (ships[0].number, ships[1].number)
        yield VolleyOrder(name="a", ships=members, targets=(targets[0],), when="after")
    for ship in ships:
        if any(run.repair for run in _runs(view, ship)):
            yield ShipOrder(ship=ship.number, repair=True)
            break
    yield from list(_sequences(view))[1:2]


def slot_examples(view: PiratesView, slot: str, language: Language) -> tuple[str, ...]:
    """Return a line or two that fill one slot now: the sensible order of a ship, else the first legal ones."""
    ship = ship_numbered(view, int(slot[4:])) if slot.startswith("ship") and slot[4:].isdigit() else None
    if ship is not None and ship in commanded(view):
        return (write(sensible(view, ship), language),)
    first = [order for _, order in zip(range(2), legal(view, slot), strict=False)]
    return tuple(write(order, language) for order in first)
