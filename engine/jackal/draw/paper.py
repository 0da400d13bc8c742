"""The paper of the island's picture: colours, places, the sea and the frame."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from engine.core.drawing import Line, Pen, Point, Polygon, Rect, Shape, Text
from engine.jackal.isle import Cell

SIDE: Final = 50
"""Side of a cell, in units of the drawing."""
MARGIN: Final = 35
HEAD: Final = 36
"""Height of the title above the frame."""
ROW: Final = 27
"""Height of a row of the legend."""

PAPER: Final = "#fbf6e6"
SEA: Final = "#cfe5ea"
DEEP: Final = "#bad8e0"
FOAM: Final = "#e9f4f3"
INK: Final = "#33291f"
FADED: Final = "#8b7a5e"
WHITE: Final = "#fffdf6"
GOLD: Final = "#f4c430"
GOLD_EDGE: Final = "#8a5f0d"
FIRE: Final = "#e2571e"

COLOURS: Final = ("#fffdf6", "#ffd23f", "#2f2b2a", "#c8372d")
"""White, yellow, black, red, as everywhere by number."""
RESIDENT_TINTS: Final = ("#5c7a2e", "#5a4a8a", "#8a5530")
"""Ben Gunn, the missionary, Friday."""
LETTERS: Final = (INK, INK, WHITE, WHITE)
"""What is written on a colour."""


def rings(second: bool) -> int:  # noqa: FBT001 - one of two seas
    """Return the number of cells of a side: 15 with the second sea ring (J10.5)."""
    return 15 if second else 13


def centre(cell: Cell, second: bool = False) -> Point:  # noqa: FBT001, FBT002
    """Return the middle of a cell."""
    row, column = divmod(cell, 15)
    shift = 0.5 if second else -0.5
    return MARGIN + (column + shift) * SIDE, HEAD + MARGIN + (row + shift) * SIDE


def arc(x: float, y: float, wide: float, high: float, start: float, end: float, steps: int = 8) -> tuple[Point, ...]:
    """Return points of an ellipse about a middle, by degrees clockwise from east."""
    angles = [math.radians(start + (end - start) * step / steps) for step in range(steps + 1)]
    return tuple((x + math.cos(angle) * wide, y + math.sin(angle) * high) for angle in angles)


@lru_cache(maxsize=32)
def base(second: bool, rows: int) -> tuple[Shape, ...]:  # noqa: FBT001
    """Return what never changes above a legend of so many rows: sea, waves, frame, letters and numbers.

    Kept, because a base is known by identity; ``rows`` is part of it, as it makes the paper's height.
    """
    return tuple(_base(second, rows))


def _base(second: bool, rows: int) -> Iterator[Shape]:  # noqa: FBT001
    many = rings(second)
    wide, top = many * SIDE, HEAD + MARGIN
    yield Rect(MARGIN, top, wide, wide, Pen(fill=SEA))
    off = 2 if second else 1
    yield Polygon(tuple(_shore(MARGIN + off * SIDE, top + off * SIDE)), Pen(fill=FOAM, stroke=FOAM, width=14))
    for step in range(1, many):
        yield Rect(MARGIN + step * SIDE, top, 1, wide, Pen(fill=DEEP))
        yield Rect(MARGIN, top + step * SIDE, wide, 1, Pen(fill=DEEP))
    for row in range(many):
        for column in range(many):
            if min(row, column, many - 1 - row, many - 1 - column) < off and (row * 5 + column * 3) % 4 == 0:
                yield _wave(MARGIN + (column + 0.5) * SIDE, top + (row + 0.5) * SIDE)
    yield Rect(MARGIN, top, wide, wide, Pen(stroke=INK, width=1.6))
    if rows:
        yield Rect(MARGIN, top + wide + MARGIN - 1, wide, 1, Pen(fill=FADED))
    names = "ZABCDEFGHIJKLMN" if second else "ABCDEFGHIJKLM"
    for step, name in enumerate(names):
        middle = (step + 0.5) * SIDE
        number = str(step if second else step + 1)
        for y in (top - 10, top + wide + 22):
            yield Text(MARGIN + middle, y, name, 16, INK, face="bold")
        for x in (MARGIN - 17, MARGIN + wide + 17):
            yield Text(x, top + middle + 5, number, 16, INK, face="bold")


def _shore(left: float, top: float) -> Iterator[Point]:
    """Yield the outline of the land: a square of eleven cells without its corners (J1.1)."""
    far = 11 * SIDE
    for x, y in ((0, 1), (1, 1), (1, 0)):
        yield left + x * SIDE, top + y * SIDE
    for x, y in ((1, 0), (1, 1), (0, 1)):
        yield left + far - x * SIDE, top + y * SIDE
    for x, y in ((0, 1), (1, 1), (1, 0)):
        yield left + far - x * SIDE, top + far - y * SIDE
    for x, y in ((1, 0), (1, 1), (0, 1)):
        yield left + x * SIDE, top + far - y * SIDE


def _wave(x: float, y: float) -> Shape:
    return Line(((x - 9, y), (x - 4.5, y - 3), (x, y), (x + 4.5, y - 3), (x + 9, y)), Pen(stroke=DEEP, width=1.6))
