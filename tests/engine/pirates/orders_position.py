"""Positions in which the tests of the order language read lines: two Spanish and three pirate seats on the Atlantic."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.pirates.options import PiratesOptions
from engine.pirates.state import PiratesState, PiratesView, Ship, Wind
from engine.pirates.view import view

ROSTER = ("spain-1", "spain-2", "pirates-1", "pirates-2", "pirates-3")
FLEET = (
    (1, "Сан-Фелипе", "spain-1", "O12"),
    (2, "Санта-Мария", "spain-1", "N12"),
    (3, "Эспириту-Санто", "spain-2", "R1"),
    (4, "Месть", "pirates-1", "O14"),
    (5, "Ласточка", "pirates-1", "M13"),
    (6, "Чёрный Джек", "pirates-2", "R9"),
    (7, "Фортуна", "pirates-2", "B38"),
    (8, "Морской Волк", "pirates-3", "O9"),
    (9, "Аделаида", "pirates-3", "D39"),
)


def ship(number: int, name: str, owner: str, cell: str) -> Ship:
    spanish = number <= 3
    return Ship(
        number=number,
        kind="galleon" if spanish else "brigantine",
        name=name,
        owner=owner,
        side="spain" if spanish else "pirates",
        home=owner if spanish else "",
        cell=cell,
    )


def state(changes: dict[int, dict[str, Any]] | None = None, **fields: Any) -> PiratesState:
    """Round 5, a fresh wind from NW; ``changes`` alters ships by number, ``fields`` the state."""
    ships = tuple(msgspec.structs.replace(ship(*line), **(changes or {}).get(line[0], {})) for line in FLEET)
    given: dict[str, Any] = {
        "options": PiratesOptions(),
        "roster": ROSTER,
        "round": 5,
        "wind": Wind(rhumb="NW", force="fresh"),
        "ships": ships,
        "gold": 2,
        **fields,
    }
    return PiratesState(**given)


def at_sea(seat: str, changes: dict[int, dict[str, Any]] | None = None, **fields: Any) -> PiratesView:
    """What a seat sees of `state`; ``pirates-1`` has ships 4 and 5, ``spain-2`` ship 3 alone."""
    return view(state(changes, **fields), seat)


def set_up(seat: str, **fields: Any) -> PiratesView:
    """What a seat sees before the first turn."""
    return at_sea(seat, round=0, gold=0, **fields)


def playing(seat: str, **options: Any) -> PiratesView:
    """What a seat sees of `state` under other options."""
    return at_sea(seat, options=PiratesOptions(**options))
