"""The chart before any ship is put on it: sea and land, ports, currents, grid and key, painted once for a board."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.core.drawing import Circle, Group, Label, Line, Pattern, Pen, Point, Polygon, Rect, Region, Shape, Text
from engine.core.geometry import Cell
from engine.core.labels import Box, Page, around, text_width
from engine.core.outline import rings, scatter, smooth
from engine.pirates.board import LAND, SEA, Board, Current, Port
from engine.pirates.draw.signs import (
    CELL,
    FADED,
    FLASH,
    GOLD,
    GRID,
    HILL,
    INK,
    LAND_TINT,
    MARGIN,
    PAPER,
    PORT_INK,
    PORT_SIGNS,
    SEA_TINT,
    SHALLOWS,
    SPAIN,
    STREAM,
    STREAM_SIGN,
    WHITE,
    anchor,
    black_flag,
    castle,
    cell_box,
    middle,
    ship_shapes,
)
from engine.pirates.state import Ship

_ROSE_SIZE: Final = (9, 7)
_KEY_SIZE: Final = (7, 8)


@dataclass(frozen=True, eq=False)
class Chart:
    """What stands on a board's paper before any ship is put on it."""

    width: int
    height: int
    shapes: tuple[Shape, ...]
    taken: tuple[tuple[Box, float], ...]
    rose: Box
    frame: Box


@lru_cache(maxsize=32)
def _kept(board: _Keyed) -> Chart:
    return _paint(board.board)


@dataclass(frozen=True)
class _Keyed:
    """A board that is known by identity: boards are made once and kept, their tables need no hash."""

    board: Board

    def __hash__(self) -> int:
        return id(self.board)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Keyed) and other.board is self.board


def chart_of(board: Board) -> Chart:
    """Return a board's chart, painted when it is first asked for."""
    return _kept(_Keyed(board))


def _paint(board: Board) -> Chart:
    right, bottom = MARGIN + board.width * CELL, MARGIN + board.height * CELL
    frame = Box(MARGIN, MARGIN, right, bottom)
    rose_box, key_box, height = _free_places(board, bottom)
    page = Page(frame)
    for box in (rose_box, key_box):
        page.take(box, 40)
    for cell in board.ports:
        page.take(cell_box(cell).grown(-4), 30)
    for current in board.currents:
        for cell in current.cells:
            page.take(cell_box(cell).grown(-8), 12)
    names = _port_names(board, page)
    shapes = (
        *_sea_and_land(board, frame, (rose_box, key_box)),
        *(shape for current in board.currents for shape in _arrow(current)),
        *(shape for port in board.ports.values() for shape in _port(board, port)),
        *names,
        *_margins(frame, right + MARGIN, height),
        *_grid_names(board, frame),
        *_key(key_box),
    )
    return Chart(right + MARGIN, height, tuple(shapes), tuple(page.taken), rose_box, frame)


def _free_places(board: Board, bottom: int) -> tuple[Box, Box, int]:
    """Find land for the wind rose and the key; what finds none stands under the map, for which the paper grows."""
    boxes: list[Box] = []
    height = bottom + MARGIN
    for columns, rows in (_ROSE_SIZE, _KEY_SIZE):
        box = _free_land(board, columns, rows, boxes)
        if box is None:
            left = MARGIN + (columns + 1) * CELL * len(boxes)
            box = Box(left, bottom + MARGIN, left + columns * CELL, bottom + MARGIN + rows * CELL)
            height = max(height, int(box.bottom) + MARGIN)
        boxes.append(box)
    return boxes[0], boxes[1], height


def _free_land(board: Board, columns: int, rows: int, taken: Sequence[Box]) -> Box | None:
    """Return the all-land rectangle of that size nearest to a corner of the map that covers none of ``taken``."""
    found = []
    for row in range(board.height - rows + 1):
        for column in range(board.width - columns + 1):
            if all(set(line[column : column + columns]) == {LAND} for line in board.rows[row : row + rows]):
                left, top = MARGIN + column * CELL, MARGIN + row * CELL
                box = Box(left, top, left + columns * CELL, top + rows * CELL)
                away = min(row, board.height - rows - row) + min(column, board.width - columns - column)
                if not any(box.overlap(other) for other in taken):
                    found.append((away, row, column, box))
    return min(found)[3] if found else None


# Sea and land ---------------------------------------------------------------------------------------------------------

# Whole pixels, not slanted lines: these stay crisp, and a picture of them takes far fewer bytes.
_HATCH_STEP: Final = 8
HATCH: Final = Pattern(
    "hatch",
    _HATCH_STEP,
    _HATCH_STEP,
    tuple(Rect(step, _HATCH_STEP - 1 - step, 1, 1, Pen(fill="#e3ca96")) for step in range(_HATCH_STEP)),
)


def _sea_and_land(board: Board, frame: Box, kept: Sequence[Box]) -> Iterator[Shape]:
    land = tuple(
        smooth(ring, CELL, MARGIN, MARGIN)
        for ring in rings(range(-1, board.height + 1), range(-1, board.width + 1), lambda r, c: _is_land(board, r, c))
    )
    width, height = frame.right - frame.left, frame.bottom - frame.top
    yield Rect(frame.left, frame.top, width, height, Pen(fill=SEA_TINT))
    for colour, breadth in SHALLOWS:
        yield Region(land, Pen(stroke=colour, width=breadth))
    yield from _grid(board, frame)
    yield Region(land, Pen(fill=LAND_TINT))
    yield Region(land, Pen(fill="url(#hatch)", stroke=INK, width=1.5))
    inner = [box.grown(-2) for box in kept]
    for row in range(board.height):
        for column in range(board.width):
            box = cell_box(f"{chr(65 + row)}{column + 1}")
            if _is_inland(board, row, column) and not any(box.overlap(other) for other in inner):
                yield from _relief(row, column)


def _is_land(board: Board, row: int, column: int) -> bool:
    """Say whether a cell is land or port; beyond the edge the map goes on as it ends."""
    row, column = min(max(row, 0), board.height - 1), min(max(column, 0), board.width - 1)
    return board.rows[row][column] != SEA


def _is_inland(board: Board, row: int, column: int) -> bool:
    return all(
        _is_land(board, row + down, column + right) and _sign(board, row + down, column + right) == LAND
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
    )


def _sign(board: Board, row: int, column: int) -> str:
    return board.rows[min(max(row, 0), board.height - 1)][min(max(column, 0), board.width - 1)]


def _relief(row: int, column: int) -> Iterator[Shape]:
    """Draw hills and trees, thinly sown, always the same on the same spot."""
    chance = scatter(row, column, 7)
    x, y = middle(f"{chr(65 + row)}{column + 1}")
    x += (scatter(row, column, 8) - 0.5) * 10
    y += (scatter(row, column, 9) - 0.5) * 10
    if chance < 0.3:
        yield Line(
            ((x - 9, y + 5), (x - 2, y - 6), (x + 1, y - 2), (x + 4, y - 7), (x + 11, y + 5)),
            Pen(stroke=HILL, width=1.4),
        )
        yield Line(((x - 2, y - 6), (x, y + 3)), Pen(stroke=HILL, width=1))
        yield Line(((x + 4, y - 7), (x + 7, y + 3)), Pen(stroke=HILL, width=1))
    elif chance < 0.44:
        for shift in (-5, 4):
            yield Line(((x + shift, y + 4), (x + shift, y - 1)), Pen(stroke=HILL, width=1.2))
            yield Circle(x + shift, y - 4, 3.2, Pen(stroke=HILL, width=1.2))


def _grid(board: Board, frame: Box) -> Iterator[Shape]:
    # Rectangles a pixel wide: painters are far quicker with them than with lines right across the picture.
    pen = Pen(fill=GRID)
    for column in range(1, board.width):
        yield Rect(MARGIN + column * CELL, frame.top, 1, frame.bottom - frame.top, pen)
    for row in range(1, board.height):
        yield Rect(frame.left, MARGIN + row * CELL, frame.right - frame.left, 1, pen)


def _margins(frame: Box, width: int, height: int) -> Iterator[Shape]:
    """Cover what was painted beyond the map and draw its frame, black and white by cells as on a sea chart."""
    paper = Pen(fill=PAPER)
    yield Rect(0, 0, width, frame.top, paper)
    yield Rect(0, frame.bottom, width, height - frame.bottom, paper)
    yield Rect(0, 0, frame.left, height, paper)
    yield Rect(frame.right, 0, width - frame.right, height, paper)
    outer = frame.grown(5)
    for side in _scale(frame, outer):
        yield Rect(side.left, side.top, side.right - side.left, side.bottom - side.top, Pen(fill=INK))
    for box in (frame, outer):
        yield Rect(box.left, box.top, box.right - box.left, box.bottom - box.top, Pen(stroke=INK, width=1.2))


def _scale(frame: Box, outer: Box) -> Iterator[Box]:
    for step in range(0, round((frame.right - frame.left) / CELL), 2):
        left = frame.left + step * CELL
        right = min(left + CELL, frame.right)
        yield Box(left, outer.top, right, frame.top)
        yield Box(left, frame.bottom, right, outer.bottom)
    for step in range(0, round((frame.bottom - frame.top) / CELL), 2):
        top = frame.top + step * CELL
        bottom = min(top + CELL, frame.bottom)
        yield Box(outer.left, top, frame.left, bottom)
        yield Box(frame.right, top, outer.right, bottom)


def _grid_names(board: Board, frame: Box) -> Iterator[Shape]:
    for column in range(board.width):
        x = MARGIN + (column + 0.5) * CELL
        for y in (frame.top - 9, frame.bottom + 18):
            yield Text(x, y, str(column + 1), 12, INK)
    for row in range(board.height):
        y = MARGIN + (row + 0.5) * CELL + 4
        for x in (frame.left - 15, frame.right + 15):
            yield Text(x, y, chr(65 + row), 13, INK, face="bold")


# Ports and currents ---------------------------------------------------------------------------------------------------


def _port(board: Board, port: Port) -> Iterator[Shape]:
    x, y = middle(port.cell)
    if port.cell == board.goal:
        yield Circle(x, y, 12.5, Pen(fill=GOLD, stroke=INK, width=1))
    yield Group(PORT_SIGNS[board.kinds[port.cell]], x, y)


def _port_names(board: Board, page: Page) -> list[Shape]:
    """Write the names of ports, the goal first, those in crowded waters before those with room."""
    found: list[Shape] = []
    crowd = {cell: sum(_near(cell, other) for other in board.ports) for cell in board.ports}
    for cell in sorted(board.ports, key=lambda one: (one != board.goal, -crowd[one], one)):
        size = 14.5 if cell == board.goal else 12
        x, y = middle(cell)
        words = dict(board.ports[cell].name)
        width = max(text_width(name, size) for name in words.values())
        box = page.place(around(x, y, width, size, CELL * 0.5), _costs(board, cell, 0.5))
        found.append(_written(box, x, Label("name", words), size, PORT_INK[board.kinds[cell]]))
    return found


def _costs(board: Board, cell: Cell, water: float) -> Callable[[Box], float]:
    return lambda box: stray(board, box, cell) + wet(board, box) * water


def stray(board: Board, box: Box, cell: Cell) -> float:
    """Return how easily words are taken for another port's: they stand far from their own, or nearer to another."""
    own = box.distance(*middle(cell))
    others = min((box.distance(*middle(other)) for other in board.ports if other != cell), default=CELL * 9.0)
    return max(0.0, own - 12) * 45 + max(0.0, own + 8 - others) * 90


def _near(one: Cell, other: Cell) -> bool:
    (x, y), (right, down) = middle(one), middle(other)
    return abs(x - right) < CELL * 5 and abs(y - down) < CELL * 3


def wet(board: Board, box: Box) -> float:
    """Return how much open sea a box covers: names are better written on land, ships sail on the rest."""
    sea = 0.0
    for row in range(int((box.top - MARGIN) // CELL), int((box.bottom - MARGIN) // CELL) + 1):
        for column in range(int((box.left - MARGIN) // CELL), int((box.right - MARGIN) // CELL) + 1):
            if 0 <= row < board.height and 0 <= column < board.width and board.rows[row][column] == SEA:
                left, top = MARGIN + column * CELL, MARGIN + row * CELL
                sea += box.overlap(Box(left, top, left + CELL, top + CELL))
    return sea


def _written(box: Box, x: float, label: Label, size: float, colour: str) -> Text:
    """Set words in a box: those on the right of a point begin at it, those on the left end at it, in any language."""
    off = (box.left + box.right) / 2 - x
    base = box.bottom - size * 0.2
    if abs(off) < 3:
        return Text(x, base, label, size, colour, "middle", "bold", WHITE)
    if off > 0:
        return Text(box.left, base, label, size, colour, "start", "bold", WHITE)
    return Text(box.right, base, label, size, colour, "end", "bold", WHITE)


def _arrow(current: Current) -> Iterator[Shape]:
    """Draw a broad stream with a head; it begins narrow at the tail, where ships are taken (P22)."""
    points = [middle(cell) for cell in current.cells]
    (x0, y0), (x1, y1) = points[0], points[-1]
    length = math.hypot(x1 - x0, y1 - y0)
    along, across = ((x1 - x0) / length, (y1 - y0) / length), (-(y1 - y0) / length, (x1 - x0) / length)

    def at(far: float, aside: float) -> Point:
        return x0 + along[0] * far + across[0] * aside, y0 + along[1] * far + across[1] * aside

    end = length + 6
    body = (
        at(-7, -2),
        at(end - 11, -4.5),
        at(end - 12, -8.5),
        at(end, 0),
        at(end - 12, 8.5),
        at(end - 11, 4.5),
        at(-7, 2),
    )
    yield Polygon(body, Pen(fill=STREAM, stroke=WHITE, width=1))
    yield Line((at(-3, 0), at(end - 5, 0)), Pen(stroke=WHITE, width=1.2, dash=(6, 4)))


# The key --------------------------------------------------------------------------------------------------------------


def _key(box: Box) -> Iterator[Shape]:
    """Explain the signs in the reader's words."""
    width, height = box.right - box.left - 12, box.bottom - box.top - 12
    yield Rect(box.left + 6, box.top + 6, width, height, Pen(fill=PAPER, stroke=INK, width=1.2), 4)
    yield Rect(box.left + 9, box.top + 9, width - 6, height - 6, Pen(stroke=FADED, width=0.7), 3)
    step = (height - 16) / 7
    for place, (key, shapes) in enumerate(_KEY):
        y = box.top + 14 + step * (place + 0.5)
        yield Group(shapes, box.left + 26, y, scale=0.85)
        yield Text(box.left + 43, y + 4, Label(key), 12.5, INK, "start")


def _sample(number: int, hits: int = 0) -> tuple[Shape, ...]:
    kind, side = ("galleon", "spain") if number < 4 else ("brigantine", "pirates")
    ship = Ship(
        number=number,
        kind="galleon" if kind == "galleon" else "brigantine",
        name="",
        owner="",
        side="spain" if side == "spain" else "pirates",
        home="",
        cell=None,
        hits=hits,
    )
    return ship_shapes(ship)


_KEY: Final[tuple[tuple[str, tuple[Shape, ...]], ...]] = (
    ("key-galleon", _sample(1)),
    ("key-brigantine", _sample(4)),
    ("key-spanish", castle(SPAIN)),
    ("key-base", black_flag()),
    ("key-neutral", anchor()),
    ("key-current", STREAM_SIGN),
    (
        "key-hits",
        (
            Circle(-4, 0, 4, Pen(fill=FLASH, stroke=INK, width=1.2)),
            Circle(6, 0, 4, Pen(fill=FLASH, stroke=INK, width=1.2)),
        ),
    ),
)
