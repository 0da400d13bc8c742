"""The plot: which orders count when a turn is resolved, judged anew from the sheets alone (1.4, P29, A8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from engine.core.contract import Order, Seat, Sheet
from engine.pirates.state import Fire, PiratesState, SequenceOrder, Ship, ShipOrder, Side, VolleyOrder, When
from engine.pirates.view import to_act

_Line: TypeAlias = tuple[tuple[int, ...], tuple[int, ...], When]
"""What makes two volley lines the same: members, targets, phase (P29)."""


@dataclass(frozen=True, slots=True)
class Volley:
    """A volley as it falls due: ``members`` by number, ``absent`` listed ships whose seat did not send the line."""

    name: str
    side: Side
    members: tuple[int, ...]
    absent: tuple[int, ...]
    targets: tuple[int, ...]
    when: When


@dataclass(frozen=True, slots=True)
class Plot:
    """The orders that count. ``orders`` is by ship number; a ship without one stands and holds her fire.

    ``refused`` is the fire of ships that is one too many for their seat, ``has_shot`` are the seats that ordered one
    (``shots=seat``); ``sequence`` is the order of action under ``mode=alternating``.
    """

    orders: Mapping[int, ShipOrder]
    volleys: tuple[Volley, ...] = ()
    refused: Mapping[int, Fire] = field(default_factory=dict)
    has_shot: tuple[Seat, ...] = ()
    sequence: tuple[int, ...] = ()

    def order(self, number: int) -> ShipOrder:
        """Return the order of a ship; standing without fire if she has none."""
        order = self.orders.get(number)
        return ShipOrder(ship=number) if order is None else order

    def in_volley(self, number: int) -> bool:
        """Say whether a ship's fire belongs to a volley."""
        return bool(self.volleys) and any(number in volley.members for volley in self.volleys)


def plot(state: PiratesState, sheets: Mapping[Seat, Sheet]) -> Plot:
    """Return the orders that count: of ships afloat that may act this turn, each given by the seat that owns her."""
    fleet = {ship.number: ship for ship in to_act(state)}
    sheets = {seat: sheets[seat] for seat in state.roster if seat in sheets}
    orders = {
        order.ship: order
        for seat, sheet in sheets.items()
        for order in sheet
        if isinstance(order, ShipOrder) and _commands(fleet, seat, order)
    }
    lines = {seat: _volley_lines(fleet, seat, sheet) for seat, sheet in sheets.items()}
    refused: dict[int, Fire] = {}
    has_shot: list[Seat] = []
    if state.options.shots == "seat":
        for seat, sheet in sheets.items():
            spent, late = _one_shot(fleet, seat, sheet, lines[seat])
            refused |= late
            has_shot += [seat] * spent
    volleys = _volleys(fleet, lines)
    sequence = _sequence(state, sheets, fleet, orders) if state.options.mode == "alternating" else ()
    return Plot(orders, volleys, refused, tuple(has_shot), sequence)


def _commands(fleet: Mapping[int, Ship], seat: Seat, order: ShipOrder) -> bool:
    return order.ship in fleet and fleet[order.ship].owner == seat


# Volleys --------------------------------------------------------------------------------------------------------------


def _key(order: VolleyOrder) -> _Line:
    return tuple(sorted(set(order.ships))), order.targets, order.when


def _volley_lines(fleet: Mapping[int, Ship], seat: Seat, sheet: Sheet) -> dict[int, VolleyOrder]:
    """Return the volley line in force for each own ship that a seat lists; the latest line counts."""
    lines = {}
    for order in sheet:
        if isinstance(order, VolleyOrder):
            lines.update({number: order for number in order.ships if number in fleet and fleet[number].owner == seat})
    return lines


def _volleys(fleet: Mapping[int, Ship], lines: Mapping[Seat, Mapping[int, VolleyOrder]]) -> tuple[Volley, ...]:
    """Join the lines of seats of one side that say the same (P29, A25)."""
    joined: dict[tuple[Side, _Line], dict[int, VolleyOrder]] = {}
    for seat_lines in lines.values():
        for number, line in seat_lines.items():
            joined.setdefault((fleet[number].side, _key(line)), {})[number] = line
    return tuple(_volley(fleet, side, members) for (side, _), members in joined.items())


def _volley(fleet: Mapping[int, Ship], side: Side, lines: Mapping[int, VolleyOrder]) -> Volley:
    members = tuple(sorted(lines))
    line = lines[members[0]]
    owners = {fleet[number].owner for number in members}
    listed = [fleet[number] for number in sorted(set(line.ships)) if number in fleet]
    absent = tuple(ship.number for ship in listed if ship.side == side and ship.owner not in owners)
    return Volley(line.name, side, members, absent, line.targets, line.when)


# One shot a seat ------------------------------------------------------------------------------------------------------


def _one_shot(
    fleet: Mapping[int, Ship], seat: Seat, sheet: Sheet, lines: dict[int, VolleyOrder]
) -> tuple[bool, dict[int, Fire]]:
    """Leave a seat its first shot or volley and refuse the rest (``shots=seat``, A8).

    Strikes refused volleys from ``lines``; returns whether the seat has ordered a shot, and what is refused.
    """
    spent = False
    refused: dict[int, Fire] = {}
    for order in sheet:
        shot = _shot_of(fleet, seat, order, lines)
        if shot and spent:
            refused |= shot
            for number in shot:
                lines.pop(number, None)
        spent = spent or bool(shot)
    return spent, refused


def _shot_of(fleet: Mapping[int, Ship], seat: Seat, order: Order, lines: Mapping[int, VolleyOrder]) -> dict[int, Fire]:
    """Return the fire of each ship that would fire by an order; nothing for the silent default."""
    if isinstance(order, VolleyOrder):
        fire = Fire(when=order.when, targets=order.targets)
        return {number: fire for number in sorted(set(order.ships)) if lines.get(number) is order}
    if isinstance(order, ShipOrder) and order.fire and not order.silent and _commands(fleet, seat, order):
        return {} if order.ship in lines else {order.ship: order.fire}
    return {}


# The order of action --------------------------------------------------------------------------------------------------

_Fleet: TypeAlias = Mapping[int, Ship]


def _sequence(
    state: PiratesState, sheets: Mapping[Seat, Sheet], fleet: _Fleet, orders: Mapping[int, ShipOrder]
) -> tuple[int, ...]:
    """Return the ships in order of action: seats by their lowest ship, a seat's as it listed them (1.4).

    Ships left silent come last in their seat, by number. In a hurricane all act by number.
    """
    if state.wind.force == "hurricane":
        return tuple(sorted(fleet))
    owners = list(dict.fromkeys(fleet[number].owner for number in sorted(fleet)))
    return tuple(number for seat in owners for number in _own_sequence(seat, sheets.get(seat, ()), fleet, orders))


def _own_sequence(seat: Seat, sheet: Sheet, fleet: _Fleet, orders: Mapping[int, ShipOrder]) -> tuple[int, ...]:
    own = [number for number in sorted(fleet) if fleet[number].owner == seat]
    lines = [order.ship for order in sheet if isinstance(order, ShipOrder) and not order.silent]
    named = [number for order in sheet if isinstance(order, SequenceOrder) for number in order.ships]
    spoken = [number for number in lines if number in own and not orders[number].silent]
    return tuple(dict.fromkeys([number for number in named if number in own] + spoken + own))
