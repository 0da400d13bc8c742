"""Coasts: the outline of a set of grid cells as smooth rings, as an engraver would draw it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from engine.core.drawing import Point

Corner: TypeAlias = tuple[int, int]
"""Row and column of a grid corner: cell (r, c) lies between corners (r, c) and (r + 1, c + 1)."""

_ROUNDS: Final = 2
_WOBBLE: Final = 0.17


def rings(rows: range, columns: range, inside: Callable[[int, int], bool]) -> tuple[tuple[Corner, ...], ...]:
    """Return the closed outlines of the cells that are ``inside``, these to the right of the way.

    Where two such cells touch by a corner only they are joined, as a strait there is barred (pirates:P12).
    """
    ahead = _edges(rows, columns, inside)
    found = []
    while ahead:
        start = next(iter(ahead))
        found.append(tuple(_walk(start, ahead)))
    return tuple(found)


def _edges(rows: range, columns: range, inside: Callable[[int, int], bool]) -> dict[Corner, list[Corner]]:
    """Return, for every corner on an outline, the corners that follow it."""
    cells = {(r, c) for r in rows for c in columns if inside(r, c)}
    ahead: dict[Corner, list[Corner]] = {}
    for r, c in sorted(cells):
        for beside, start, end in (
            ((r - 1, c), (r, c), (r, c + 1)),
            ((r, c + 1), (r, c + 1), (r + 1, c + 1)),
            ((r + 1, c), (r + 1, c + 1), (r + 1, c)),
            ((r, c - 1), (r + 1, c), (r, c)),
        ):
            if beside not in cells:
                ahead.setdefault(start, []).append(end)
    return ahead


def _walk(start: Corner, ahead: dict[Corner, list[Corner]]) -> Iterator[Corner]:
    """Follow one outline till it closes, taking its edges out of ``ahead``; at a crossing turn so that cells join."""
    here, came = start, start
    while True:
        yield here
        choices = ahead[here]
        there = choices[0] if len(choices) == 1 else _turn_left(came, here, choices)
        choices.remove(there)
        if not choices:
            del ahead[here]
        here, came = there, here
        if here == start:
            return


def _turn_left(came: Corner, here: Corner, choices: list[Corner]) -> Corner:
    rows, columns = here[0] - came[0], here[1] - came[1]
    left = (here[0] - columns, here[1] + rows)
    return left if left in choices else choices[0]


def smooth(ring: Iterable[Corner], size: float, left: float = 0.0, top: float = 0.0) -> tuple[Point, ...]:
    """Return an outline with a hand's wobble and its corners cut twice (Chaikin); ``size`` is the side of a cell.

    The wobble depends on the corner alone, so that a board always looks the same.
    """
    points = [_wobbled(corner, size, left, top) for corner in ring]
    for _ in range(_ROUNDS):
        points = [point for pair in zip(points, [*points[1:], points[0]], strict=True) for point in _cut(*pair)]
    return tuple(points)


def scatter(row: int, column: int, salt: int) -> float:
    """Return a number from 0 to 1 that looks random and depends on the place alone."""
    value = (row * 73_856_093 ^ column * 19_349_663 ^ salt * 83_492_791) & 0xFFFFFFFF
    value = (value ^ value >> 15) * 0x2C1B3C6D & 0xFFFFFFFF
    value = (value ^ value >> 12) * 0x297A2D39 & 0xFFFFFFFF
    return ((value ^ value >> 15) & 0xFFFF) / 0xFFFF


def _wobbled(corner: Corner, size: float, left: float, top: float) -> Point:
    row, column = corner
    right = column + (scatter(row, column, 1) - 0.5) * 2 * _WOBBLE
    down = row + (scatter(row, column, 2) - 0.5) * 2 * _WOBBLE
    return left + right * size, top + down * size


def _cut(one: Point, other: Point) -> tuple[Point, Point]:
    return (
        (0.75 * one[0] + 0.25 * other[0], 0.75 * one[1] + 0.25 * other[1]),
        (0.25 * one[0] + 0.75 * other[0], 0.25 * one[1] + 0.75 * other[1]),
    )
