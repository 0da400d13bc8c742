"""Signs of the chart about an origin, bows up: both ships, a rock, an anchor, who is disabled, who is struck."""

from __future__ import annotations

import math
from typing import Final

from engine.blockade.draw.paper import BLACK, BRASS, FADED, FIRE, INK, RUST, WHITE
from engine.core.drawing import Circle, Line, Pen, Point, Polygon, Shape, Symbol

_HULL: Final[tuple[Point, ...]] = (
    (0, -13.2),
    (1.9, -9.5),
    (4.6, -5.5),
    (5.3, 0.5),
    (4.9, 6.5),
    (3.2, 10.6),
    (0, 12),
    (-3.2, 10.6),
    (-4.9, 6.5),
    (-5.3, 0.5),
    (-4.6, -5.5),
    (-1.9, -9.5),
)


def _ship(hull: str, deck: str, chaser: float) -> tuple[Shape, ...]:
    """Return a ship: her hull, funnel, a gun on either side, and the chaser: ahead if negative, astern if positive."""
    end = chaser + (-5.2 if chaser < 0 else 5.2)
    return (
        Polygon(_HULL, Pen(fill=hull, stroke=WHITE, width=3.6)),
        Line(((-7.4, 1), (7.4, 1)), Pen(stroke=INK, width=2.2)),
        Polygon(_HULL, Pen(fill=hull, stroke=INK, width=1.4)),
        Line(((0, chaser), (0, end)), Pen(stroke=deck, width=2.2)),
        Circle(0, chaser, 2.2, Pen(fill=BRASS, stroke=deck, width=0.9)),
        Circle(0, 1, 2.7, Pen(fill=RUST, stroke=deck, width=1)),
    )


_STAR: Final = tuple(
    (math.cos(math.pi * step / 8) * far, math.sin(math.pi * step / 8) * far)
    for step in range(16)
    for far in ((15.5, 8.0)[step % 2],)
)

SYMBOLS: Final = (
    Symbol("runner", _ship(BLACK, WHITE, 6.6)),
    Symbol("blockader", _ship(WHITE, INK, -5.4)),
    Symbol(
        "rock",
        (
            Polygon(
                ((-9, 8), (-6.5, -1), (-3, 1), (0.5, -9), (5, -2), (6.5, -4), (9.5, 8)), Pen(fill="#8d8578", stroke=INK)
            ),
            Line(((0.5, -9), (-0.5, 0), (2.5, 8)), Pen(stroke=INK, width=0.9)),
            Line(((-12, 9.5), (-6, 8), (0, 9.5), (6, 8), (12, 9.5)), Pen(stroke=WHITE, width=1.8)),
        ),
    ),
    Symbol(
        "anchor",
        (
            Circle(0, -6, 1.9, Pen(stroke=FADED, width=1.3)),
            Line(((0, -4), (0, 6)), Pen(stroke=FADED, width=1.7)),
            Line(((-3.4, -2), (3.4, -2)), Pen(stroke=FADED, width=1.4)),
            Line(((-5.5, 1.5), (-3.8, 4.6), (0, 6.2), (3.8, 4.6), (5.5, 1.5)), Pen(stroke=FADED, width=1.7)),
        ),
    ),
    Symbol(
        "disabled",
        (
            Circle(0, 0, 14.6, Pen(stroke=WHITE, width=4.4)),
            Circle(0, 0, 14.6, Pen(stroke=FIRE, width=2.4, dash=(5.0, 3.6))),
        ),
    ),
    Symbol("struck", (Polygon(_STAR, Pen(fill="#ffd84d", stroke=FIRE, width=1.6)),)),
)
"""Everything the chart shows many times, once."""
