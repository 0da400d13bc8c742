"""A seat's sheet: orders laid upon it, what each drops, standing orders, and the default of ships left silent (1.4)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.core.contract import Note, Order, Sheet
from engine.core.contract import Value as _Value
from engine.pirates.orders.position import commanded, gold_seat, own_ships
from engine.pirates.state import (
    Fire,
    GoldOrder,
    NameOrder,
    PiratesView,
    SequenceOrder,
    ShipOrder,
    VolleyOrder,
)

SELF_DEFENCE = Fire(when="after", targets=("any",))
"""What a ship left without orders does: she stands and fires after the run at any (A20)."""


class Laid(_Value, frozen=True):
    """A sheet with one more order upon it, and what that dropped."""

    sheet: tuple[Order, ...]
    notes: tuple[Note, ...] = ()


def lay(view: PiratesView, sheet: Sheet, order: Order) -> Laid:
    """Lay one order upon a sheet: it replaces what was said before about the same ship, volley, gold or name (1.4)."""
    if isinstance(order, ShipOrder):
        return _lay_ship(view, sheet, order)
    if isinstance(order, VolleyOrder):
        return _lay_volley(view, sheet, order)
    return Laid(sheet=(*_without(sheet, order.slot), order))


def _without(sheet: Sheet, slot: str) -> Sheet:
    return tuple(order for order in sheet if order.slot != slot)


def _lay_ship(view: PiratesView, sheet: Sheet, order: ShipOrder) -> Laid:
    """Lay the whole order of a ship: only a fire order of its own takes her out of a volley."""
    notes: list[Note] = []
    earlier = next((one for one in sheet if one.slot == order.slot), None)
    if isinstance(earlier, ShipOrder) and not earlier.silent:
        notes += _dropped(earlier, order)
    kept = _without(sheet, order.slot)
    if order.fire is not None:
        kept, left = _leave_volleys(view, kept, (order.ship,))
        notes += left
    return Laid(sheet=(*kept, order), notes=tuple(notes))


def _dropped(earlier: ShipOrder, order: ShipOrder) -> list[Note]:
    notes: list[Note] = []
    ran, runs = earlier.course or earlier.bends, order.course or order.bends
    if ran and not runs:
        run = {"course": earlier.course, "distance": earlier.distance, "bends": earlier.bends}
        notes.append(Note(kind="drops", key="course", facts={"ship": order.ship, **run}))
    if earlier.fire is not None and order.fire is None:
        fire = {"when": earlier.fire.when, "targets": earlier.fire.targets}
        notes.append(Note(kind="drops", key="fire", facts={"ship": order.ship, **fire}))
    return notes


def _leave_volleys(view: PiratesView, sheet: Sheet, ships: Iterable[int], but: str = "") -> tuple[Sheet, list[Note]]:
    """Take ships out of every volley of the sheet but one; a volley without own ships left is gone."""
    if not any(isinstance(order, VolleyOrder) for order in sheet):
        return sheet, []
    own = {ship.number for ship in own_ships(view)}
    leaving = set(ships)
    kept: list[Order] = []
    notes: list[Note] = []
    for order in sheet:
        if not isinstance(order, VolleyOrder) or order.slot == but or leaving.isdisjoint(order.ships):
            kept.append(order)
            continue
        facts = [{"ship": ship, "volley": order.name} for ship in order.ships if ship in leaving]
        notes += [Note(kind="drops", key="left-volley", rule="P29", facts=fact) for fact in facts]
        left = tuple(ship for ship in order.ships if ship not in leaving)
        if own.intersection(left):
            kept.append(VolleyOrder(name=order.name, ships=left, targets=order.targets, when=order.when))
    return tuple(kept), notes


def _lay_volley(view: PiratesView, sheet: Sheet, order: VolleyOrder) -> Laid:
    """Lay a volley: it replaces its members' own fire and leaves their courses (P29)."""
    own = {ship.number for ship in own_ships(view)}
    earlier = next((one for one in sheet if one.slot == order.slot), None)
    members = tuple(ship for ship in order.ships if ship in own)
    kept, notes = _leave_volleys(view, _without(sheet, order.slot), members)
    if isinstance(earlier, VolleyOrder):
        released = tuple(ship for ship in earlier.ships if ship in own and ship not in members)
        if released:
            gone = {"volley": order.name, "ships": released}
            notes.append(Note(kind="drops", key="volley-dissolved", rule="P29", facts=gone))
    quiet: list[Order] = []
    for one in kept:
        fired = isinstance(one, ShipOrder) and one.ship in members and one.fire is not None
        if fired and isinstance(one, ShipOrder):
            facts = {"ship": one.ship, "volley": order.name}
            notes.append(Note(kind="drops", key="fire-to-volley", rule="P29", facts=facts))
            quiet.append(without_fire(one))
        else:
            quiet.append(one)
    return Laid(sheet=(*quiet, order), notes=tuple(notes))


def without_fire(order: ShipOrder) -> ShipOrder:
    """Return the order with its fire left out."""
    return ShipOrder(
        ship=order.ship,
        course=order.course,
        distance=order.distance,
        bends=order.bends,
        repair=order.repair,
        silent=order.silent,
    )


def fold(view: PiratesView, sheet: Sheet, orders: Iterable[Order]) -> Sheet:
    """Lay orders upon a sheet one after another."""
    for order in orders:
        sheet = lay(view, sheet, order).sheet
    return sheet


def in_volley(sheet: Sheet, ship: int) -> bool:
    """Say whether a volley of the sheet is the fire order of this ship (P29)."""
    return any(isinstance(order, VolleyOrder) and ship in order.ships for order in sheet)


def shot_of(sheet: Sheet, besides: Order | None = None) -> ShipOrder | VolleyOrder | None:
    """Return the first order of the sheet that fires, other than the one that ``besides`` replaces."""
    for order in sheet:
        if besides is not None and order.slot == besides.slot:
            continue
        if isinstance(order, VolleyOrder) and order.ships:
            return order
        if isinstance(order, ShipOrder) and order.fire is not None:
            return order
    return None


def merge(view: PiratesView, sheet: Sheet, standing: Sheet) -> Sheet:
    """Fill slots that have no order from standing orders; nothing of ``sheet`` is dropped.

    A standing volley takes those of its members that have no fire of their own; a standing order of a ship that fires
    in a volley gives only her course; under ``shots=seat`` a standing shot yields to the one that was ordered (A8).
    """
    ships = {ship.number for ship in commanded(view)}
    merged = sheet
    for order in standing:
        filled = any(one.slot == order.slot for one in merged)
        if not filled and isinstance(order, ShipOrder) and order.ship in ships:
            merged = (*merged, _standing_ship(view, merged, order))
        elif not filled and isinstance(order, VolleyOrder):
            merged = _with_standing_volley(view, merged, order)
        elif not filled and isinstance(order, SequenceOrder) and ships:
            merged = (*merged, order)
    return merged


def _one_shot_spent(view: PiratesView, sheet: Sheet) -> bool:
    return view.options.shots == "seat" and shot_of(sheet) is not None


def _standing_ship(view: PiratesView, sheet: Sheet, order: ShipOrder) -> ShipOrder:
    quiet = in_volley(sheet, order.ship) or _one_shot_spent(view, sheet)
    return without_fire(order) if quiet else order


def _with_standing_volley(view: PiratesView, sheet: Sheet, order: VolleyOrder) -> Sheet:
    busy = {one.ship for one in sheet if isinstance(one, ShipOrder) and one.fire is not None}
    busy |= {ship for one in sheet if isinstance(one, VolleyOrder) for ship in one.ships}
    left = tuple(ship for ship in order.ships if ship not in busy)
    own = {ship.number for ship in commanded(view)}
    if not own.intersection(left) or _one_shot_spent(view, sheet):
        return sheet
    return (*sheet, VolleyOrder(name=order.name, ships=left, targets=order.targets, when=order.when))


def silent(view: PiratesView, sheet: Sheet) -> Sheet:
    """Return orders for the owed slots that have none: gold by lot (1.4); ships stand and fire after at any (A20).

    A ship in a volley has its order: it stands and fires with the others (1.4). Under ``shots=seat`` the rules choose
    which silent ship fires (A8).
    """
    filled = {order.slot for order in sheet}
    orders: list[Order] = []
    if view.round == 0 and view.outcome is None and view.seat == gold_seat(view) and "gold" not in filled:
        orders.append(GoldOrder(ship=0))
    orders.extend(
        ShipOrder(ship=ship.number, fire=SELF_DEFENCE, silent=True)
        for ship in commanded(view)
        if ship.piece not in filled and not in_volley(sheet, ship.number)
    )
    return tuple(orders)


def pending_names(sheet: Sheet) -> dict[int, str]:
    """Return the names that the sheet gives to ships."""
    return {order.ship: order.name for order in sheet if isinstance(order, NameOrder)}
