"""What a seat commands in a position: the look-ups that judging, folding and offering orders share."""

from __future__ import annotations

from operator import attrgetter

from engine.core.contract import Seat
from engine.pirates.state import PiratesView, Ship
from engine.pirates.view import spanish_seats, to_act


def ship_numbered(view: PiratesView, number: int) -> Ship | None:
    """Return the ship of a number, lost ones included, or None."""
    return next((ship for ship in view.ships if ship.number == number), None)


def own_ships(view: PiratesView) -> tuple[Ship, ...]:
    """Return the viewer's ships that are afloat, by number."""
    return tuple(ship for ship in _by_number(view) if ship.owner == view.seat and ship.fate == "afloat")


def commanded(view: PiratesView) -> tuple[Ship, ...]:
    """Return the ships the viewer owes an order: none in set-up, after the end, in the other side's turn."""
    return tuple(ship for ship in to_act(view) if ship.owner == view.seat)


def enemies(view: PiratesView) -> tuple[Ship, ...]:
    """Return the other side's ships afloat, by number."""
    return tuple(ship for ship in _by_number(view) if ship.side != view.side and ship.fate == "afloat")


def gold_seat(view: PiratesView) -> Seat:
    """Return the seat that puts the gold aboard: the lowest of Spain (1.4)."""
    return spanish_seats(view.roster)[0]


def _by_number(view: PiratesView) -> list[Ship]:
    return sorted(view.ships, key=attrgetter("number"))
