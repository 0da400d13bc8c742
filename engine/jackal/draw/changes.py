"""What changed in a turn, told by its events: tracks, tiles turned up, the dead, the beaten, the quake's exchange."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from engine.core.contract import Event
from engine.core.drawing import Circle, Label, Line, Pen, Point, Polygon, Rect, Shape, Text, Use
from engine.jackal.draw.paper import COLOURS, FIRE, INK, RESIDENT_TINTS, SIDE, WHITE, centre
from engine.jackal.draw.pieces import unit_name
from engine.jackal.events import CannonFired, Died, EarthQuaked, Moved, Peeked, ShipMoved, Struck, TileOpened
from engine.jackal.isle import ISLE
from engine.jackal.state import COLOURS as NAMES
from engine.jackal.state import PIRATES, UNIT

QUAKE: Final = "#8a3fa0"
_FLIGHTS: Final = frozenset({"jump", "flight", "balloon", "shot", "cave"})


def moved(shape: Shape, x: float, y: float) -> Shape:
    """Return a symbol set down elsewhere. Raises TypeError for a shape that is none."""
    if not isinstance(shape, Use):
        raise TypeError(f"not a symbol: {shape!r}")
    return msgspec.structs.replace(shape, x=shape.x + x, y=shape.y + y)


def symbols() -> Iterator[tuple[str, tuple[Shape, ...]]]:
    """Yield the drawings of changes by name."""
    yield "opened", (Rect(-23.5, -23.5, 47, 47, Pen(stroke=FIRE, width=3), 4),)
    yield "swapped", (Rect(-23.5, -23.5, 47, 47, Pen(stroke=QUAKE, width=3, dash=(6, 4)), 5),)
    eye = ((-9, 0), (-5, -4.5), (0, -6), (5, -4.5), (9, 0), (5, 4.5), (0, 6), (-5, 4.5))
    yield (
        "peeked",
        (
            Polygon(eye, Pen(fill=WHITE, stroke=INK, width=1.4)),
            Circle(0, 0, 3.2, Pen(fill="#3f6f9f", stroke=INK, width=1)),
        ),
    )
    yield (
        "died",
        (
            Line(((-9, -9), (9, 9)), Pen(stroke=WHITE, width=7)),
            Line(((-9, 9), (9, -9)), Pen(stroke=WHITE, width=7)),
            Line(((-9, -9), (9, 9)), Pen(stroke=FIRE, width=3.6)),
            Line(((-9, 9), (9, -9)), Pen(stroke=FIRE, width=3.6)),
        ),
    )
    star = tuple(
        (math.cos(math.pi * step / 8 - math.pi / 2) * far, math.sin(math.pi * step / 8 - math.pi / 2) * far)
        for step in range(16)
        for far in ((13.0, 7.0)[step % 2],)
    )
    yield "struck", (Polygon(star, Pen(fill="#ffd84d", stroke=FIRE, width=1.5)),)
    yield (
        "track",
        (
            Line(((-20, 0), (12, 0)), Pen(stroke=WHITE, width=6)),
            Line(((-20, 0), (12, 0)), Pen(stroke=INK, width=2.6)),
            Polygon(((20, 0), (8, -7), (8, 7)), Pen(fill=INK, stroke=WHITE, width=1)),
        ),
    )


KEYS: Final = (
    ("track", Moved, 0.6),
    ("opened", TileOpened, 0.46),
    ("struck", Struck, 0.85),
    ("died", Died, 0.9),
    ("swapped", EarthQuaked, 0.46),
    ("peeked", Peeked, 1.1),
)
"""What the legend explains if it happened: symbol, event, and how large it is there."""


def legend(events: Sequence[Event]) -> Iterator[tuple[tuple[Shape, ...], Label]]:
    """Yield the signs of what happened with their names."""
    for name, kind, scale in KEYS:
        if any(isinstance(event, kind) for event in events):
            yield (Use(name, scale=scale),), Label(f"key-{name}")


def rings(events: Sequence[Event], second: bool) -> Iterator[Shape]:  # noqa: FBT001
    """Ring tiles turned up or swapped, and put an eye on those looked at from the lighthouse."""
    for event in events:
        if isinstance(event, TileOpened):
            yield Use("opened", *_at(event.cell, second))
        elif isinstance(event, EarthQuaked) and event.cells:
            one, other = (_at(cell, second) for cell in event.cells)
            yield Line((one, other), Pen(stroke=QUAKE, width=2, dash=(6, 5)))
            yield Use("swapped", *one)
            yield Use("swapped", *other)
        elif isinstance(event, Peeked):
            for cell in event.cells:
                x, y = _at(cell, second)
                yield Use("peeked", x + 15, y - 17)


def tracks(events: Sequence[Event], second: bool) -> Iterator[Shape]:  # noqa: FBT001
    """Draw the way of everyone who moved, of ships and of balls, and where somebody was beaten or died."""
    for event in events:
        match event:
            case Moved(unit=unit, start=start, cell=cell, how=how) if start != cell and how != "aboard":
                yield from _way(_at(start, second), _at(cell, second), UNIT[unit], flight=how in _FLIGHTS)
            case ShipMoved(colour=colour, start=start, cell=cell):
                yield from _way(_at(start, second), _at(cell, second), NAMES.index(colour) * 3 + 1)
            case CannonFired(cells=cells) if cells:
                ends = (_at(cells[0], second), _at(cells[-1], second))
                yield Line(ends, Pen(stroke=FIRE, width=5, dash=(10, 5)))
    for event in events:
        if isinstance(event, Struck):
            x, y = _at(event.cell, second)
            yield Use("struck", x + 14, y - 14)
        elif isinstance(event, Died):
            x, y = _at(event.cell, second)
            yield Use("died", x, y - 8)
            yield Text(x, y + 14, unit_name(UNIT[event.unit]), 12, FIRE, face="bold", halo=WHITE)


def _way(start: Point, end: Point, unit: int, *, flight: bool = False) -> Iterator[Shape]:
    """Draw an arrow in the colour of who went; each of a colour's men a little aside, flights broken."""
    (x0, y0), (x1, y1) = start, end
    length = math.hypot(x1 - x0, y1 - y0)
    right, down = (x1 - x0) / length, (y1 - y0) / length
    aside = (unit % 3 - 1) * 6
    x0, y0, x1, y1 = x0 - down * aside, y0 + right * aside, x1 - down * aside, y1 + right * aside
    # It ends at the edge of the cell: in the middle men and loads would hide its head.
    short = SIDE * 0.42 / max(abs(right), abs(down))
    x0, y0, x1, y1 = x0 + right * 5, y0 + down * 5, x1 - right * short, y1 - down * short
    colour = COLOURS[unit // 3] if unit < PIRATES else RESIDENT_TINTS[unit - PIRATES]
    edge = WHITE if unit // 3 in (2, 3) or unit >= PIRATES else INK
    neck = (x1 - right * 8, y1 - down * 8)
    dash = (7.0, 5.0) if flight else ()
    head = (
        (x1, y1),
        (x1 - right * 11 - down * 6.5, y1 - down * 11 + right * 6.5),
        (x1 - right * 11 + down * 6.5, y1 - down * 11 - right * 6.5),
    )
    yield Line(((x0, y0), neck), Pen(stroke=edge, width=6.4, dash=dash))
    yield Line(((x0, y0), neck), Pen(stroke=colour, width=3.4, dash=dash))
    yield Polygon(head, Pen(fill=colour, stroke=edge, width=1.5))


def _at(cell: str, second: bool) -> Point:  # noqa: FBT001
    return centre(ISLE.cell(cell), second)
