"""What a receipt says beside an order that was read: the part that will be cut, and what is legal but surprising."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.core.contract import Note, Order
from engine.core.geometry import RHUMBS, distance
from engine.pirates.board import Board, board_of
from engine.pirates.orders.position import own_ships, ship_numbered
from engine.pirates.rules.course import Plan, plan_run, reach
from engine.pirates.state import PiratesView, Ship, ShipOrder, VolleyOrder, When
from engine.pirates.view import REACH


def remarks(view: PiratesView, order: Order) -> tuple[Note, ...]:
    """Return the notes on an order as the viewer's own knowledge gives them."""
    if isinstance(order, ShipOrder):
        return tuple(_on_ship(view, order))
    if isinstance(order, VolleyOrder):
        return tuple(_on_volley(view, order))
    return ()


def _on_ship(view: PiratesView, order: ShipOrder) -> Iterator[Note]:
    ship = ship_numbered(view, order.ship)
    if ship is None or ship.cell is None:
        return
    board = board_of(view.options.board, view.board)
    plan = plan_run(board, view.options, ship, order, view.wind)
    if plan.cut is not None:
        facts = {
            "ship": order.ship,
            "course": order.course,
            "bends": order.bends,
            "asked": plan.cut.asked,
            "allowed": plan.cut.allowed,
            "reason": plan.cut.reason,
        }
        yield Note(kind="cut", key="run", rule=plan.cut.rule, facts=facts)
    if order.repair and board.is_sea(ship.cell):
        yield _warning("repair-at-sea", "P33", ship=order.ship)
    if order.fire is not None:
        yield from _on_fire(view, board, ship, plan, order)


def _warning(key: str, rule: str, **facts: Any) -> Note:
    return Note(kind="warning", key=key, rule=rule, facts=facts)


def _on_fire(view: PiratesView, board: Board, ship: Ship, plan: Plan, order: ShipOrder) -> Iterator[Note]:
    fire = order.fire
    if fire is None:
        return
    targets = tuple(target for target in fire.targets if target != "any")
    yield from _on_targets(view, ship.number, targets)
    if view.options.storm_fire == "no" and view.wind.force != "fresh":
        yield _warning("storm-fire", "P30", ship=ship.number)
    elif not board.is_sea(plan.path[0] if fire.when == "before" else plan.path[-1]):
        yield _warning("fire-in-port", "P30", ship=ship.number, when=fire.when)
    elif "any" not in fire.targets and not _within_reach(view, board, ship, plan, fire.when, targets):
        yield _warning("out-of-reach", "P25", ship=ship.number, targets=targets)


def _on_targets(view: PiratesView, number: int, targets: tuple[int, ...]) -> Iterator[Note]:
    for target in targets:
        other = ship_numbered(view, target)
        if target == number:
            yield _warning("target-self", "P27", ship=number)
        elif other is not None and other.fate in {"sunk", "wrecked"}:
            yield _warning("target-gone", "P31", ship=number, target=target)
        elif other is not None and other.fate == "afloat" and other.side == view.side:
            yield _warning("friendly", "P27", ship=number, target=target)


def _within_reach(
    view: PiratesView, board: Board, ship: Ship, plan: Plan, when: When, targets: tuple[int, ...]
) -> bool:
    """Say whether a listed ship may come under the guns this round, as generously as the winds and currents allow.

    Before the run everybody stands where he is seen, but for the side that moves second (``by_side``).
    """
    waits = when == "after" or view.options.mode != "sealed"
    place = plan.path[-1] if when == "after" else plan.path[0]
    drift = 1 if view.wind.force == "hurricane" else 0
    longest = max((len(current.cells) - 1 for current in board.currents), default=0)
    slack = (longest + drift) * 2 if waits else 0
    for target in targets:
        other = ship_numbered(view, target)
        if other is not None and other.cell is not None:
            run = max(reach(view.options, other.kind, view.wind, course) for course in RHUMBS) if waits else 0
            gap = distance(board.spots[place], board.spots[other.cell])
            if gap <= REACH[ship.kind] + run + slack:
                return True
    return not any(_may_be_hit(view, target) for target in targets)


def _may_be_hit(view: PiratesView, number: int) -> bool:
    """Say whether a target is on the map and another's: for the rest other warnings are enough."""
    ship = ship_numbered(view, number)
    return ship is not None and ship.cell is not None and ship.side != view.side


def _on_volley(view: PiratesView, order: VolleyOrder) -> Iterator[Note]:
    if not order.ships:
        return
    own = {ship.number for ship in own_ships(view)}
    others = [ship for number in order.ships if number not in own and (ship := ship_numbered(view, number)) is not None]
    if others:
        seats = tuple(dict.fromkeys(ship.owner for ship in others))
        ships = tuple(ship.number for ship in others)
        yield _warning("volley-others", "P29", volley=order.name, ships=ships, seats=seats)
    for note in _on_targets(view, 0, order.targets):
        yield Note(kind=note.kind, key=note.key, rule=note.rule, facts={**note.facts, "volley": order.name})
    if view.options.storm_fire == "no" and view.wind.force != "fresh":
        yield _warning("storm-fire", "P30", ship=0, volley=order.name)
