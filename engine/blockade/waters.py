"""The board of «Блокада»: 24 columns west to east, 24 rows south to north, headings, harbour and corners (B1–B3)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.blockade.options import BlockadeOptions
from engine.core.geometry import RHUMBS, Rhumb

CellName: TypeAlias = str
"""Column letter and row number: ``L1``."""
Relative: TypeAlias = Literal["=", "s", "p"]
"""A step relative to the heading: ``=`` straight, ``s`` 45° to starboard first, ``p`` 45° to port first."""

SIDE: Final = 24
RELATIVES: Final[tuple[Relative, ...]] = ("=", "s", "p")
"""The order in which steps are tried (2.5.4)."""
TURNS: Final[dict[str, int]] = {"=": 0, "s": 1, "p": -1}
"""By how many eighths of a circle, clockwise, a relative step changes the heading."""
VECTORS: Final = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""Change of column and row of a step, by heading: eighths clockwise from north, as `RHUMBS`."""
OPEN_SEA: Final = SIDE
"""The row that touches the open sea (B1)."""

_CELL: Final = re.compile(r"([A-X])([1-9]|1[0-9]|2[0-4])", re.ASCII)


class Square(NamedTuple):
    """A square of the board: column and row, both from 1."""

    column: int
    row: int

    def ahead(self, heading: int) -> Square:
        """Return the neighbour that lies towards a heading; it may lie off the board."""
        right, up = VECTORS[heading]
        return Square(self.column + right, self.row + up)

    @property
    def on_board(self) -> bool:
        """Whether this is a square of the board."""
        return 1 <= self.column <= SIDE and 1 <= self.row <= SIDE

    @property
    def name(self) -> CellName:
        """``L1``."""
        return f"{chr(ord('A') + self.column - 1)}{self.row}"


def square(name: CellName) -> Square:
    """Return the square of a name. Raises ValueError for anything but A1 to X24."""
    match = _CELL.fullmatch(name)
    if match is None:
        raise ValueError(f"{name!r} is no square: A1 to X24")
    return Square(ord(match[1]) - ord("A") + 1, int(match[2]))


CELLS: Final[tuple[CellName, ...]] = tuple(
    Square(column, row).name for column in range(1, SIDE + 1) for row in range(1, SIDE + 1)
)
"""All squares by name, in the order of columns, then rows."""


def heading_of(rhumb: Rhumb) -> int:
    """Return a rhumb as eighths of a circle clockwise from north."""
    return RHUMBS.index(rhumb)


def turned(heading: int, relative: str) -> int:
    """Return the heading after a relative change of course."""
    return (heading + TURNS[relative]) % 8


def apart(one: Square, other: Square) -> int:
    """Return how many king's steps lie between two squares (Chebyshev)."""
    return max(abs(one.column - other.column), abs(one.row - other.row))


# Where ships begin ----------------------------------------------------------------------------------------------------

_HARBOURS: Final = {6: "JKLMNO", 4: "KLMN", 2: "LM"}
_CORNERS: Final = {"inward": ("ABC", "VWX"), "literal": ("BC", "VW")}


@lru_cache(maxsize=8)
def harbour(options: BlockadeOptions) -> tuple[CellName, ...]:
    """Return the squares of the harbour, west to east (B2, D1)."""
    return tuple(f"{column}1" for column in _HARBOURS[options.harbour])


@lru_cache(maxsize=8)
def corners(options: BlockadeOptions) -> tuple[CellName, ...]:
    """Return the squares on which the Blockader may begin: north-west, then north-east (B3, D2)."""
    return tuple(
        f"{column}{row}" for side in _CORNERS[options.blockader_heading] for row in (24, 23) for column in side
    )


def corner_heading(options: BlockadeOptions, cell: CellName) -> Rhumb:
    """Return the Blockader's heading in a corner square: inward, or outward by ``literal`` (B3, D2)."""
    west = square(cell).column <= SIDE // 2
    return "E" if west == (options.blockader_heading == "inward") else "W"


# Land -----------------------------------------------------------------------------------------------------------------


class Chart(NamedTuple):
    """What lies on the board: squares of islands, and of islands and rocks together."""

    islands: frozenset[Square]
    land: frozenset[Square]


@lru_cache(maxsize=64)
def chart_of(islands: tuple[tuple[CellName, ...], ...], rocks: tuple[CellName, ...]) -> Chart:
    """Return the chart of a layout."""
    high = frozenset(square(cell) for island in islands for cell in island)
    return Chart(high, high | frozenset(square(cell) for cell in rocks))
