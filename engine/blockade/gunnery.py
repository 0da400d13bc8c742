"""Guns: arcs in integers, range, and the line of fire over rocks but not over islands (B12–B16)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from engine.blockade.state import Gun, Piece
from engine.blockade.waters import VECTORS, Chart, Square

GUNS: Final[dict[Piece, tuple[tuple[Gun, int], ...]]] = {
    "runner": (("chaser", 4), ("port", 6), ("starboard", 2)),
    "blockader": (("chaser", 0), ("port", 6), ("starboard", 2)),
}
"""The guns of each ship in the order of fire (B15), and where each points: eighths clockwise from the bow (B12)."""

Result: TypeAlias = Literal["D4", "H2", "H1", "M"]
RESULTS: Final[tuple[Result, ...]] = ("D4", "H2", "H1", "M", "M", "M")
"""What the marked die shows, by face from 1 (B17)."""
POINTS: Final[dict[Result, int]] = {"D4": 4, "H2": 2, "H1": 1, "M": 0}


def bears(at: Square, axis: int, target: Square) -> bool:
    """Say whether a gun that points along an axis bears on a square: within 45°, edges included (B13, D4)."""
    right, up = VECTORS[axis % 8]
    columns, rows = target.column - at.column, target.row - at.row
    dot = columns * right + rows * up
    return dot > 0 and 2 * dot * dot >= (right * right + up * up) * (columns * columns + rows * rows)


def distance(one: Square, two: Square) -> int:
    """Return how far two squares lie apart as ships count it: along rows and columns alone (B14)."""
    return abs(one.column - two.column) + abs(one.row - two.row)


def line_of_fire(one: Square, two: Square) -> Iterator[tuple[Square, ...]]:
    """Yield the squares that the segment between two centres crosses, end squares included (B16).

    Where it runs through a corner exactly, the two squares beside that corner come together, as a pair: both must be
    island to block it.
    """
    columns, rows = two.column - one.column, two.row - one.row
    wide, high = abs(columns), abs(rows)
    right, up = (columns > 0) - (columns < 0), (rows > 0) - (rows < 0)
    column, row, crossed, climbed = one.column, one.row, 0, 0
    yield (one,)
    while crossed < wide or climbed < high:
        # Which edge comes first: the next vertical at (1 + 2·crossed)/2·wide of the way, or the next horizontal one.
        ahead = (1 + 2 * crossed) * high - (1 + 2 * climbed) * wide
        if ahead == 0:
            yield Square(column + right, row), Square(column, row + up)
        if ahead <= 0:
            column, crossed = column + right, crossed + 1
        if ahead >= 0:
            row, climbed = row + up, climbed + 1
        yield (Square(column, row),)


def line_is_open(chart: Chart, one: Square, two: Square) -> bool:
    """Say whether no island stops a shot; rocks never do (B16)."""
    return not any(all(square in chart.islands for square in crossed) for crossed in line_of_fire(one, two))


def guns_bearing(chart: Chart, reach: int, piece: Piece, at: Square, heading: int, target: Square) -> tuple[Gun, ...]:
    """Return the guns of a ship that can fire at a square, in the order of fire (B12–B16)."""
    if distance(at, target) > reach:
        return ()
    guns = tuple(gun for gun, axis in GUNS[piece] if bears(at, heading + axis, target))
    return guns if guns and line_is_open(chart, at, target) else ()
