"""A sheet of orders: every part is a piece of its own; what is left open gets the silent default (2.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.blockade.commands import FireOrder, LayoutOrder, LineOrder, PlanOrder, SideOrder
from engine.blockade.state import BlockadeView
from engine.blockade.view import movers, owed
from engine.core.contract import Order, Sheet


def parts_of(order: Order) -> tuple[Order, ...]:
    """Return the orders that a line gives: its parts, or itself."""
    return order.parts if isinstance(order, LineOrder) else (order,)


def fold(sheet: Sheet, orders: Iterable[Order]) -> Sheet:
    """Lay orders upon a sheet; a part keeps the place of the one it replaces."""
    laid = {order.slot: order for order in sheet}
    for order in orders:
        for part in parts_of(order):
            laid[part.slot] = part
    return tuple(laid.values())


def merge(view: BlockadeView, sheet: Sheet, standing: Sheet) -> Sheet:
    """Fill parts without an order from standing orders.

    By ``mode=strict`` who does not move may be disabled: what he said of that with his last plan goes before a standing
    order, as an order of that turn would have (2.5).
    """
    filled = {order.slot for order in sheet}
    wanted = {slot.key for slot in owed(view) if slot.seat == view.seat}
    if view.policy and not moves_now(view):
        wanted.discard("turn")
    return sheet + tuple(order for order in standing if order.slot in wanted and order.slot not in filled)


def silent(view: BlockadeView, sheet: Sheet) -> Sheet:
    """Return the default for every slot owed that has no order."""
    filled = {order.slot for order in sheet}
    owing = [slot.key for slot in owed(view) if slot.seat == view.seat and not slot.optional and slot.key not in filled]
    return tuple(_defaults(view, owing))


def _defaults(view: BlockadeView, owing: Iterable[str]) -> Iterator[Order]:
    for key in owing:
        if key == "side":
            yield SideOrder(side="any")
        elif key == "layout":
            yield LayoutOrder()
        elif key == "fire":
            yield FireOrder(fire="all")
        else:
            yield PlanOrder(steps="=" * view.options.impulses)


def moves_now(view: BlockadeView) -> bool:
    """Say whether the viewer's ship moves in the open turn."""
    return view.stage == "play" and bool(view.piece) and view.piece in movers(view)
