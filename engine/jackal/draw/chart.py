"""The island as shapes: tiles, ships, characters and gold on a square grid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from engine.core.contract import Event
from engine.core.drawing import Circle, Line, Pen, Point, Polygon, Rect, Shape, Text
from engine.jackal.draw.rows import tile_sign
from engine.jackal.events import Moved, TileOpened
from engine.jackal.isle import ISLE, NOWHERE, Cell
from engine.jackal.state import PIRATES, STEPS_A_CELL, UNITS, JackalView, worth
from engine.jackal.tiles import ARROW, BY_CODE, CODE, OPEN, exits_of

SIDE: Final = 44
MARGIN: Final = 26
SIZE: Final = 13 * SIDE + 2 * MARGIN
PAPER: Final = "#dcecf2"
INK: Final = "#33302a"

COLOUR_PENS: Final = ("#f6f4ee", "#e8bf3a", "#3c3a38", "#c4483a")
_LETTER_PENS: Final = (INK, INK, "#f6f4ee", "#f6f4ee")
RESIDENT_PENS: Final = ("#5c8a4c", "#4a6f9c", "#8a5f3c")
_CLOSED: Final = "#8fa07a"
_OPEN: Final = "#efe3c2"
_TINTS: Final = {
    "ice": "#cfe6f2",
    "croc": "#a9c48c",
    "trap": "#c9b48a",
    "cannibal": "#e0a08c",
    "fort": "#c8c2b6",
    "fort_girl": "#e0bcc4",
    "jungle": "#9cbf86",
    "cave": "#b4aa9c",
    "keg": "#d8b48c",
    "balloon": "#e8c8d8",
    "cannon": "#bcc0c4",
    "horse": "#dcc89c",
    "plane": "#d0d8e0",
    "spin2": "#b8cf9c",
    "spin3": "#ecd69c",
    "spin4": "#b0bf9c",
    "spin5": "#c4c0bc",
}
_RAYS: Final[tuple[Point, ...]] = ((0, -1), (0.7, -0.7), (1, 0), (0.7, 0.7), (0, 1), (-0.7, 0.7), (-1, 0), (-0.7, -0.7))


def centre(cell: Cell) -> Point:
    """Return the middle of a cell."""
    row, column = divmod(cell, 15)
    return MARGIN + (column - 0.5) * SIDE, MARGIN + (row - 0.5) * SIDE


def base() -> tuple[Shape, ...]:
    """Return what never changes: the letters and numbers of the frame."""
    return _BASE


def overlay(view: JackalView, events: Sequence[Event]) -> Iterator[Shape]:
    """Yield tiles, what changed this turn, ships, gold and characters, from below to above."""
    yield from _land(view.tiles)
    yield from _changes(events)
    for colour, cell in enumerate(view.ships):
        if cell != NOWHERE:
            yield from _ship(cell, COLOUR_PENS[colour])
    if view.boat != NOWHERE:
        yield from _ship(view.boat, COLOUR_PENS[view.boat_owner], 0.6)
    for place, heap in view.loads:
        if worth(heap):
            yield from _gold(place // STEPS_A_CELL, worth(heap))
    yield from _characters(view)


@lru_cache(maxsize=16)
def _land(tiles: tuple[int, ...]) -> tuple[Shape, ...]:
    return tuple(shape for cell in ISLE.land for shape in _tile(cell, tiles[cell]))


def _tile(cell: Cell, tile: int) -> Iterator[Shape]:
    x, y = centre(cell)
    edge = Pen(fill=_CLOSED, stroke="#6f7f5c")
    kind = BY_CODE.get(tile & CODE)
    if tile & OPEN and kind is not None:
        edge = Pen(fill=_TINTS.get(kind.key, _OPEN), stroke="#b5a67c")
    yield Rect(x=x - SIDE / 2 + 1, y=y - SIDE / 2 + 1, width=SIDE - 2, height=SIDE - 2, pen=edge, rx=3)
    if not tile & OPEN:
        return
    if ARROW[tile & CODE]:
        for exit_ in exits_of(tile):
            yield from _arrow(x, y, _RAYS[exit_])
    elif (signs := tile_sign(tile).strip()) != "..":
        yield Text(x=x, y=y + 5, text=signs, size=15, colour=INK, face="bold")


def _arrow(x: float, y: float, ray: Point) -> Iterator[Shape]:
    right, down = ray
    tip = (x + right * 17, y + down * 17)
    yield Line(points=((x, y), tip), pen=Pen(stroke=INK, width=2.4))
    left = (tip[0] - right * 6 - down * 4, tip[1] - down * 6 + right * 4)
    other = (tip[0] - right * 6 + down * 4, tip[1] - down * 6 - right * 4)
    yield Polygon(points=(tip, left, other), pen=Pen(fill=INK))


def _changes(events: Sequence[Event]) -> Iterator[Shape]:
    """Draw a ring about every tile turned up, and the tracks of those who moved."""
    for event in events:
        if isinstance(event, TileOpened):
            x, y = centre(ISLE.cell(event.cell))
            ring = Pen(stroke="#d8722c", width=2.5)
            yield Rect(x=x - SIDE / 2 + 2, y=y - SIDE / 2 + 2, width=SIDE - 4, height=SIDE - 4, pen=ring, rx=3)
        elif isinstance(event, Moved) and event.start != event.cell:
            way = (centre(ISLE.cell(event.start)), centre(ISLE.cell(event.cell)))
            yield Line(points=way, pen=Pen(stroke="#7a4a2a", width=1.8, dash=(4, 4)))


def _ship(cell: Cell, paint: str, scale: float = 1.0) -> Iterator[Shape]:
    x, y = centre(cell)
    wide, high = 18 * scale, 12 * scale
    hull = ((x - wide, y - high / 2), (x + wide, y - high / 2), (x + wide * 0.6, y + high), (x - wide * 0.6, y + high))
    yield Polygon(points=hull, pen=Pen(fill=paint, stroke=INK, width=1.6))


def _gold(cell: Cell, number: int) -> Iterator[Shape]:
    x, y = centre(cell)
    yield Circle(x=x + 12, y=y + 12, r=8, pen=Pen(fill="#f2cf4a", stroke="#8a6a18"))
    yield Text(x=x + 12, y=y + 16, text=str(number), size=11, colour=INK, face="bold")


def _characters(view: JackalView) -> Iterator[Shape]:
    """Draw those of one cell beside each other; the step of a spin stands under the number."""
    crowd: dict[Cell, int] = {}
    for unit, place in enumerate(view.places):
        if place < 0:
            continue
        cell = place // STEPS_A_CELL
        before = crowd.get(cell, 0)
        crowd[cell] = before + 1
        x, y = centre(cell)
        x, y = x - 12 + before % 3 * 12, y - 11 + before // 3 * 12
        resident = unit >= PIRATES
        paint = RESIDENT_PENS[unit - PIRATES] if resident else COLOUR_PENS[unit // 3]
        ring = COLOUR_PENS[view.owners[unit - PIRATES]] if resident else INK
        yield Circle(x=x, y=y, r=7, pen=Pen(fill=paint, stroke=ring, width=2 if resident else 1.2))
        letter = _LETTER_PENS[3] if resident else _LETTER_PENS[unit // 3]
        yield Text(x=x, y=y + 3.5, text=UNITS[unit][0 if resident else 1], size=10, colour=letter, face="bold")
        if place % STEPS_A_CELL:
            step = "I" * (place % STEPS_A_CELL) if place % STEPS_A_CELL < 4 else ("IV", "V")[place % STEPS_A_CELL - 4]
            yield Text(x=x, y=y + 15, text=step, size=9, colour=INK)


def _frame() -> Iterator[Shape]:
    for number in range(1, 14):
        middle = MARGIN + (number - 0.5) * SIDE
        for at in (MARGIN - 9, SIZE - MARGIN + 17):
            yield Text(x=middle, y=at, text="ABCDEFGHIJKLM"[number - 1], size=13, colour=INK)
        for at in (MARGIN - 14, SIZE - MARGIN + 14):
            yield Text(x=at, y=middle + 4, text=str(number), size=13, colour=INK)


_BASE: Final = tuple(_frame())
