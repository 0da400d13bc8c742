"""The chart before a ship is put on it: sea, open sea and mainland, harbour, corners, grid, islands, rocks, the key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from engine.blockade.options import BlockadeOptions
from engine.blockade.waters import OPEN_SEA, SIDE, CellName, Square, corners, harbour, square
from engine.core.drawing import Circle, Group, Label, Line, Pattern, Pen, Point, Polygon, Rect, Region, Shape, Text, Use
from engine.core.outline import rings, scatter, smooth

CELL: Final = 27
LEFT: Final = 34
HEAD: Final = 40
"""Height of the title."""
TOP: Final = HEAD + 24
"""Where row 24 begins: column letters stand between it and the title."""
COAST: Final = 22
"""Height of the strip of mainland under row 1."""
ROW: Final = 25
"""Height of a row of the key."""
WIDTH: Final = SIDE * CELL + 2 * LEFT
BOARD: Final = SIDE * CELL
BOTTOM: Final = TOP + BOARD
KEY_TOP: Final = BOTTOM + COAST + 26
KEY_COLUMNS: Final = 5
HEIGHT: Final = KEY_TOP + 2 * ROW + 12

PAPER: Final = "#f7f1df"
SEA: Final = "#dbe9e8"
DEEP: Final = "#b9d6dc"
SHALLOWS: Final = (("#c9dfdd", 16.0), ("#b4d2d1", 8.0))
GRID: Final = "#c3d9d8"
SAND: Final = "#ecd7a4"
HATCHED: Final = "#d9bd80"
QUAY: Final = "#efe3bf"
INK: Final = "#2f2720"
FADED: Final = "#86765c"
WHITE: Final = "#fffdf6"
BLACK: Final = "#26211f"
FIRE: Final = "#cf3a12"
SMOKE: Final = "#7b7f80"
BRASS: Final = "#c79a2f"
SECTOR: Final = "#d9c6bd"
SECTORS: Final = "#d6a294"
"""What `FIRE` gives where an arc lies over the sea, and two arcs: named here, so that a small palette has them."""
RUST: Final = "#8a4a2a"

HATCH: Final = Pattern("hatch", 7, 7, tuple(Rect(step, 6 - step, 1, 1, Pen(fill=HATCHED)) for step in range(7)))


def centre(at: Square) -> Point:
    """Return the middle of a square on the paper."""
    return LEFT + (at.column - 0.5) * CELL, TOP + (OPEN_SEA - at.row + 0.5) * CELL


def corner(at: Square) -> Point:
    """Return the upper left corner of a square on the paper."""
    x, y = centre(at)
    return x - CELL / 2, y - CELL / 2


@lru_cache(maxsize=64)
def base(
    options: BlockadeOptions, islands: tuple[tuple[CellName, ...], ...], rocks: tuple[CellName, ...]
) -> tuple[Shape, ...]:
    """Return what stays as it is from turn to turn of a game; kept, because a base is known by identity."""
    return tuple(_base(options, islands, rocks))


def _base(
    options: BlockadeOptions, islands: Sequence[Sequence[CellName]], rocks: Sequence[CellName]
) -> Iterator[Shape]:
    yield Rect(LEFT, TOP, BOARD, BOARD, Pen(fill=SEA))
    yield Rect(LEFT, TOP, BOARD, CELL, Pen(fill=DEEP))
    if not islands:
        yield from _marked(corners(options), QUAY)
    yield from _marked(harbour(options), QUAY)
    shapes = tuple(_coast(island) for island in islands)
    for colour, breadth in SHALLOWS:
        for shape in shapes:
            yield Region(shape, Pen(stroke=colour, width=breadth))
    for step in range(1, SIDE):
        yield Rect(LEFT + step * CELL, TOP, 1, BOARD, Pen(fill=GRID))
        yield Rect(LEFT, TOP + step * CELL, BOARD, 1, Pen(fill=GRID))
    yield from _waves()
    for shape in shapes:
        yield Region(shape, Pen(fill=SAND))
        yield Region(shape, Pen(fill="url(#hatch)", stroke=INK, width=1.3))
    for rock in rocks:
        yield Use("rock", *centre(square(rock)))
    yield from _mainland(options)
    yield Rect(LEFT, TOP, BOARD, BOARD + COAST, Pen(stroke=INK, width=1.5))
    yield from _names()
    yield from _key()


def _coast(island: Sequence[CellName]) -> tuple[tuple[Point, ...], ...]:
    """Return the outline of an island, drawn from its squares."""
    squares = frozenset(map(square, island))
    found = rings(range(SIDE), range(SIDE), lambda row, column: Square(column + 1, OPEN_SEA - row) in squares)
    return tuple(smooth(ring, CELL, LEFT, TOP) for ring in found)


def _marked(cells: Sequence[CellName], colour: str) -> Iterator[Shape]:
    for cell in cells:
        x, y = corner(square(cell))
        yield Rect(x, y, CELL, CELL, Pen(fill=colour))


def _waves() -> Iterator[Shape]:
    """Draw waves in the row of the open sea, and its name among them."""
    pen = Pen(stroke="#8fb9c3", width=1.2)
    for column in range(1, SIDE + 1):
        if scatter(column, OPEN_SEA, 3) < 0.8:
            x, y = centre(Square(column, OPEN_SEA))
            yield Line(((x - 8, y + 7), (x - 4, y + 4.5), (x, y + 7), (x + 4, y + 4.5), (x + 8, y + 7)), pen)
    for part in (0.25, 0.75):
        at = LEFT + BOARD * part, TOP + CELL / 2 + 4
        yield Text(*at, Label("open-sea"), 12.5, "#4d8090", face="italic", halo=DEEP, spacing=2)


def _mainland(options: BlockadeOptions) -> Iterator[Shape]:
    """Draw the strip of mainland south of row 1, with quays before the harbour."""
    yield Rect(LEFT, BOTTOM, BOARD, COAST, Pen(fill=SAND))
    yield Rect(LEFT, BOTTOM, BOARD, COAST, Pen(fill="url(#hatch)"))
    yield Rect(LEFT, BOTTOM, BOARD, 1.6, Pen(fill=INK))
    for cell in harbour(options):
        x, y = centre(square(cell))
        yield Use("anchor", x, y + 1)
        yield Rect(x - 9, BOTTOM - 2, 18, 5, Pen(fill=RUST, stroke=INK, width=0.8))
    for x in (LEFT + BOARD * 0.16, LEFT + BOARD * 0.84):
        yield Text(x, BOTTOM + 16, Label("mainland"), 13, INK, face="italic", halo=SAND, spacing=2)
    x, y = LEFT + BOARD / 2, BOTTOM + 17
    yield Text(x, y, Label("harbour"), 13, INK, face="italic", halo=SAND, spacing=1)


def _names() -> Iterator[Shape]:
    for step in range(1, SIDE + 1):
        x, y = centre(Square(step, step))
        letter = Square(step, 1).name[0]
        yield Text(x, TOP - 8, letter, 13.5, INK, face="bold")
        yield Text(x, BOTTOM + COAST + 15, letter, 13.5, INK, face="bold")
        for side in (LEFT - 16, LEFT + BOARD + 16):
            yield Text(side, y + 4.5, str(step), 12.5, INK, face="bold")


_COLUMNS: Final = (0, 152, 298, 424, 552)
"""Where the columns of the key begin."""

# The key --------------------------------------------------------------------------------------------------------------


def _key() -> Iterator[Shape]:
    """Explain the signs in two rows."""
    for place, (key, shapes) in enumerate(_SIGNS):
        row, column = divmod(place, KEY_COLUMNS)
        x, y = LEFT + _COLUMNS[column] + 15, KEY_TOP + row * ROW + ROW / 2
        yield Group(shapes, x, y)
        yield Text(x + 21, y + 4.5, Label(f"key-{key}"), 13, INK, "start")


_SIGNS: Final[tuple[tuple[str, tuple[Shape, ...]], ...]] = (
    ("runner", (Use("runner", turn=90),)),
    (
        "track",
        (Line(((-15, 0), (13, 0)), Pen(stroke=BLACK, width=2.6)), Circle(0, 0, 4, Pen(fill=WHITE, stroke=BLACK))),
    ),
    ("shot", (Line(((-15, 0), (15, 0)), Pen(stroke=FIRE, width=2.4)),)),
    ("disabled", (Use("disabled", scale=0.7),)),
    ("island", (Polygon(((-12, 7), (-13, -3), (-5, -8), (6, -6), (13, 2), (10, 8)), Pen(fill=SAND, stroke=INK)),)),
    ("blockader", (Use("blockader", turn=90),)),
    ("dash", (Line(((-15, 0), (15, 0)), Pen(stroke=BLACK, width=3, dash=(0.1, 6.0))),)),
    ("miss", (Line(((-15, 0), (15, 0)), Pen(stroke=SMOKE, width=1.6, dash=(5.0, 4.0))),)),
    ("arc", (Polygon(((0, 10), (-11, -4), (-6, -8), (0, -9), (6, -8), (11, -4)), Pen(fill=SECTOR, stroke=SECTORS)),)),
    ("rock", (Use("rock"),)),
)
