"""The island and the sea about it: cells by number, their neighbours, shores and the ships' own sides (J1, J10.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from engine.core.geometry import RHUMBS, STEPS

Cell: TypeAlias = int
"""A cell by its number: row × 15 + column of the grid with the second sea ring; -1 is no cell."""

NOWHERE: Final = -1
DIRECTIONS: Final = len(RHUMBS)
"""Directions are numbers clockwise from north, eighths of a turn: 0 N, 1 NE … 7 NW."""

BEYOND, LAND, COAST, CORNER = 0, 1, 2, 3
"""Terrain: the second sea ring, land, sea that touches land (48 cells), the unused outer corners (J1.2, R-01)."""

_COLUMNS: Final = "ZABCDEFGHIJKLMN"
_WIDTH: Final = len(_COLUMNS)
_KNIGHT: Final = ((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1))
"""Knight's jumps clockwise from north."""


@dataclass(frozen=True, slots=True, eq=False)
class Geography:
    """A board as the rules see it. Everything is looked up by cell number.

    ``around[c]`` has the eight neighbours by direction, NOWHERE off the grid. ``knights[c]`` are the cells a horse
    reaches: land and coastal sea. ``routes[colour]`` are the cells of a ship's own side in the order of default moves
    (first the W or N end; the middle is where it starts), ``ahead[c]`` the land cell straight ahead of a ship's cell,
    ``behind[c]`` the second-ring cell behind it (J10.5).
    ``apart[a][b]`` counts king's steps.
    """

    names: tuple[str, ...]
    index: dict[str, Cell]
    terrain: tuple[int, ...]
    around: tuple[tuple[Cell, ...], ...]
    knights: tuple[tuple[Cell, ...], ...]
    land: tuple[Cell, ...]
    coast: tuple[Cell, ...]
    routes: tuple[tuple[Cell, ...], ...]
    ahead: dict[Cell, Cell]
    behind: dict[Cell, Cell]
    apart: tuple[tuple[int, ...], ...]

    def cell(self, name: str) -> Cell:
        """Return the number of a cell. Raises ValueError for a name that is none."""
        if name not in self.index:
            raise ValueError(f"{name!r} is no cell of this board")
        return self.index[name]

    def direction(self, one: Cell, other: Cell) -> int:
        """Return the direction from a cell to its neighbour, NOWHERE if they are not neighbours."""
        return self.around[one].index(other) if other in self.around[one] else NOWHERE


def _terrain(row: int, column: int) -> int:
    if not (1 <= row <= 13 and 1 <= column <= 13):
        return BEYOND
    if row in (1, 13) or column in (1, 13):
        return CORNER if row in (1, 13) and column in (1, 13) else COAST
    return COAST if row in (2, 12) and column in (2, 12) else LAND


def _at(row: int, column: int) -> Cell:
    inside = 0 <= row < _WIDTH and 0 <= column < _WIDTH
    return row * _WIDTH + column if inside else NOWHERE


def _isle() -> Geography:
    places = [(row, column) for row in range(_WIDTH) for column in range(_WIDTH)]
    names = tuple(f"{_COLUMNS[column]}{row}" for row, column in places)
    terrain = tuple(_terrain(row, column) for row, column in places)
    around = tuple(tuple(_at(row + STEPS[one][0], column + STEPS[one][1]) for one in RHUMBS) for row, column in places)
    jumps = (tuple(_at(row + down, column + right) for down, right in _KNIGHT) for row, column in places)
    knights = tuple(tuple(cell for cell in one if cell >= 0 and terrain[cell] in (LAND, COAST)) for one in jumps)
    middle = range(3, 12)
    routes = (
        tuple(_at(1, column) for column in middle),
        tuple(_at(row, 13) for row in middle),
        tuple(_at(13, column) for column in middle),
        tuple(_at(row, 1) for row in middle),
    )
    inward = (4, 6, 0, 2)
    return Geography(
        names=names,
        index={name: cell for cell, name in enumerate(names)},
        terrain=terrain,
        around=around,
        knights=knights,
        land=tuple(cell for cell, kind in enumerate(terrain) if kind == LAND),
        coast=tuple(cell for cell, kind in enumerate(terrain) if kind == COAST),
        routes=routes,
        ahead={cell: around[cell][inward[colour]] for colour in range(4) for cell in routes[colour]},
        behind={cell: around[cell][(inward[colour] + 4) % 8] for colour in range(4) for cell in routes[colour]},
        apart=tuple(tuple(max(abs(r - y), abs(c - x)) for y, x in places) for r, c in places),
    )


ISLE: Final = _isle()
"""The island of 117 cells with four ships (J1.1–J1.4)."""
