"""Square grids with eight neighbours: names of cells, rhumbs and the angles between them."""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple, TypeAlias, cast

Rhumb: TypeAlias = Literal["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
Cell: TypeAlias = str
"""Row letter and column number: ``R1``."""

RHUMBS: Final[tuple[Rhumb, ...]] = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
"""The eight rhumbs clockwise from north; a place in this tuple counts eighths of a turn."""
STEPS: Final[dict[Rhumb, tuple[int, int]]] = {
    "N": (-1, 0),
    "NE": (-1, 1),
    "E": (0, 1),
    "SE": (1, 1),
    "S": (1, 0),
    "SW": (1, -1),
    "W": (0, -1),
    "NW": (-1, -1),
}
"""Change of row and column that a step towards a rhumb makes."""

MOST_ROWS: Final = 26
MOST_COLUMNS: Final = 99

_CELL: Final = re.compile(r"([A-Z])([1-9][0-9]?)", re.ASCII)
_PLACE: Final[dict[str, int]] = {rhumb: place for place, rhumb in enumerate(RHUMBS)}


class Spot(NamedTuple):
    """A row and a column, both from 0."""

    row: int
    column: int


def eighths(one: Rhumb, other: Rhumb) -> int:
    """Return the angle between two rhumbs in eighths of a turn: 0 (same) to 4 (opposite)."""
    gap = abs(_PLACE[one] - _PLACE[other])
    return min(gap, 8 - gap)


def opposite(rhumb: Rhumb) -> Rhumb:
    """Return the rhumb that lies straight across."""
    return RHUMBS[(_PLACE[rhumb] + 4) % 8]


def as_rhumb(text: str) -> Rhumb:
    """Return a rhumb as it is. Raises ValueError for any other text."""
    if text not in _PLACE:
        raise ValueError(f"{text!r} is not a rhumb: {' '.join(RHUMBS)}")
    return cast("Rhumb", text)


def cell_name(spot: Spot) -> Cell:
    """Return the name of a cell: row 17, column 0 is ``R1``. Raises ValueError outside 26 rows and 99 columns."""
    if not (0 <= spot.row < MOST_ROWS and 0 <= spot.column < MOST_COLUMNS):
        raise ValueError(f"{spot!r} has no name: a grid has at most {MOST_ROWS} rows and {MOST_COLUMNS} columns")
    return f"{chr(ord('A') + spot.row)}{spot.column + 1}"


def parse_cell(name: str) -> Spot:
    """Return the row and column of a cell. Raises ValueError for anything but a letter and a number from 1 to 99."""
    match = _CELL.fullmatch(name)
    if match is None:
        raise ValueError(f"{name!r} is not a cell: a letter A-Z and a number 1-99")
    return Spot(ord(match[1]) - ord("A"), int(match[2]) - 1)


def distance(one: Spot, other: Spot) -> int:
    """Return how many king's steps lie between two cells."""
    return max(abs(one.row - other.row), abs(one.column - other.column))
