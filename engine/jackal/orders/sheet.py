"""A sheet of orders: later lines replace earlier ones of the same slot; what is left open is «по умолчанию» (5.2)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.core.contract import Order, Sheet
from engine.jackal.commands import Alternative, SlotOrder
from engine.jackal.state import JackalView
from engine.jackal.view import own_plan


def fold(sheet: Sheet, orders: Iterable[Order]) -> Sheet:
    """Lay orders upon a sheet; an order keeps the place of the one it replaces."""
    laid = {order.slot: order for order in sheet}
    for order in orders:
        laid[order.slot] = order
    return tuple(laid.values())


def merge(view: JackalView, sheet: Sheet, standing: Sheet) -> Sheet:
    """Fill slots without an order from standing orders, but not those of the smoke; nothing is dropped (5.2)."""
    filled = {order.slot for order in sheet} | {one.key for one in view.plan if one.colour != one.commander}
    return sheet + tuple(order for order in standing if order.slot not in filled)


def silent(view: JackalView, sheet: Sheet) -> Sheet:
    """Return «по умолчанию» for every slot the viewer commands that has no order."""
    filled = {order.slot for order in sheet}
    return tuple(
        SlotOrder(colour=slot.colour, number=slot.number, alternatives=(Alternative(),))
        for slot in own_plan(view)
        if slot.key not in filled
    )
