"""The one secret of «Пираты»: which galleon carries the gold (P4, P36, 1.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.core.contract import Seat, Secret, Sheet
from engine.pirates.rules.setup import GALLEONS, GOLD_STREAM
from engine.pirates.state import GoldOrder, PiratesState
from engine.pirates.view import spanish_seats

LOT: Final = 0
"""Stands in the sealed object for a choice left to the lot: the stream ``gold``, opened with it, says which."""


def secrets(state: PiratesState) -> tuple[Secret, ...]:
    """Return the gold: every Spanish seat knows it, all do once it is published (P36), at the latest with the end."""
    opened = state.gold_open or state.outcome is not None
    return (Secret(name=GOLD_STREAM, audience=spanish_seats(state.roster), open=opened),)


def seal(state: PiratesState, seat: Seat, sheet: Sheet) -> dict[str, dict[str, Any]]:
    """Return the sealed object of the seat that chooses the gold in set-up; nothing for other seats and turns."""
    chosen = [order.ship for order in sheet if isinstance(order, GoldOrder)]
    if state.round or not chosen or seat != spanish_seats(state.roster)[0]:
        return {}
    return {GOLD_STREAM: {GOLD_STREAM: chosen[-1]}}


def unseal(state: PiratesState, name: str, sealed: Mapping[str, Any]) -> tuple[Seat, Sheet]:
    """Return whose order a sealed object is. Raises ValueError for an object that `seal` did not make."""
    ship = sealed.get(GOLD_STREAM)
    if name != GOLD_STREAM or set(sealed) != {GOLD_STREAM} or ship not in (LOT, *GALLEONS):
        raise ValueError(f"{sealed!r} is no sealed {name!r} of «Пираты»")
    return spanish_seats(state.roster)[0], (GoldOrder(ship=ship),)
