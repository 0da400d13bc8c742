"""The small drawings of a sheet: wounds, luck, hull, secrets, chest, a ship under sail."""

from __future__ import annotations

import math
from typing import Final

from engine.core.drawing import Circle, Line, Pen, Point, Polygon, Rect, Shape, Symbol
from engine.set_sail.draw.paper import FADED, GOLD, GOLD_EDGE, INK, LINE, PAPER, RED, SEA, WHITE

BOX: Final = 22
"""Side of a slot for a wound."""


def _star(radius: float) -> tuple[Point, ...]:
    points = []
    for step in range(10):
        far = radius if step % 2 == 0 else radius * 0.42
        angle = math.radians(36 * step - 90)
        points.append((far * math.cos(angle), far * math.sin(angle)))
    return tuple(points)


def _slot(stroke: str = FADED) -> Shape:
    return Rect(-BOX / 2, -BOX / 2, BOX, BOX, Pen(fill=WHITE, stroke=stroke, width=1.4), 3)


def _slash(*points: Point) -> Shape:
    return Line(points, Pen(stroke=RED, width=3.2))


_HULL: Final[tuple[Point, ...]] = ((-9, -9), (9, -9), (9, 2), (0, 11), (-9, 2))

_SHIELD: Final[tuple[Point, ...]] = ((-17, -17), (17, -17), (17, 5), (0, 19), (-17, 5))

_SHIP: Final[tuple[Shape, ...]] = (
    Line(((-24, 26), (-24, -34)), Pen(stroke=INK, width=2.2)),
    Line(((10, 26), (10, -44)), Pen(stroke=INK, width=2.6)),
    Line(((38, 24), (38, -26)), Pen(stroke=INK, width=2)),
    Line(((-46, 24), (-78, 6)), Pen(stroke=INK, width=2.2)),
    Polygon(((-42, -8), (-10, -8), (-6, 14), (-46, 14)), Pen(fill=WHITE, stroke=FADED, width=1.4)),
    Polygon(((-38, -30), (-13, -30), (-10, -11), (-41, -11)), Pen(fill=WHITE, stroke=FADED, width=1.4)),
    Polygon(((-8, -14), (28, -14), (33, 14), (-13, 14)), Pen(fill=WHITE, stroke=FADED, width=1.4)),
    Polygon(((-3, -40), (23, -40), (27, -18), (-7, -18)), Pen(fill=WHITE, stroke=FADED, width=1.4)),
    Polygon(((40, -22), (58, 14), (40, 14)), Pen(fill=WHITE, stroke=FADED, width=1.4)),
    Polygon(((-48, 10), (-74, 8), (-48, -18)), Pen(fill=WHITE, stroke=FADED, width=1.4)),
    Polygon(((10, -44), (28, -50), (10, -56)), Pen(fill=RED, stroke=RED, width=1)),
    Polygon(((-56, 20), (62, 20), (70, 12), (64, 40), (48, 46), (-38, 46)), Pen(fill="#6d4c2a", stroke=INK, width=1.6)),
    Line(((-48, 29), (66, 29)), Pen(stroke=GOLD, width=2)),
    *(Rect(x, 34, 6, 5, Pen(fill=INK)) for x in (-30, -12, 6, 24, 42)),
    *(
        Line(((x - 16, 52), (x - 8, 48), (x, 52), (x + 8, 48), (x + 16, 52)), Pen(stroke=SEA, width=2))
        for x in (-58, -22, 14, 50)
    ),
)

SYMBOLS: Final = (
    Symbol("wound-", (_slot(LINE),)),
    Symbol("wound-light", (_slot(), _slash((-6, 6), (6, -6)))),
    Symbol("wound-serious", (_slot(), _slash((-6, 6), (6, -6)), _slash((-6, -6), (6, 6)))),
    Symbol(
        "wound-terrible",
        (
            Rect(-BOX / 2, -BOX / 2, BOX, BOX, Pen(fill=RED, stroke=INK, width=1.4), 3),
            Line(((-6, 6), (6, -6)), Pen(stroke=WHITE, width=3)),
            Line(((-6, -6), (6, 6)), Pen(stroke=WHITE, width=3)),
        ),
    ),
    Symbol(
        "luck", (Circle(0, 0, 8.5, Pen(fill=GOLD, stroke=GOLD_EDGE, width=1.4)), Polygon(_star(5.6), Pen(fill=WHITE)))
    ),
    Symbol("plank", (Polygon(_HULL, Pen(fill=SEA, stroke=INK, width=1.4)),)),
    Symbol(
        "plank-lost",
        (
            Polygon(_HULL, Pen(fill=WHITE, stroke=FADED, width=1.4)),
            Line(((-5, -5), (1, -1), (-2, 2), (4, 6)), Pen(stroke=RED, width=2)),
        ),
    ),
    Symbol("plank-none", (Polygon(_HULL, Pen(stroke=LINE, width=1, dash=(2, 2))),)),
    Symbol(
        "seal",
        (Circle(0, 0, 9, Pen(fill=RED, stroke="#6f1710", width=1.4)), Circle(0, 0, 4.6, Pen(stroke=PAPER, width=1.4))),
    ),
    Symbol("seal-none", (Circle(0, 0, 9, Pen(stroke=LINE, width=1, dash=(2, 2))),)),
    Symbol("ring", (Circle(0, 0, 17, Pen(fill=WHITE, stroke=SEA, width=2)),)),
    Symbol(
        "ring-ship",
        (Polygon(((-17, -17), (17, -17), (17, 5), (0, 19), (-17, 5)), Pen(fill=WHITE, stroke=SEA, width=2)),),
    ),
    Symbol("tick", (Line(((-4, 0), (-1, 4), (5, -5)), Pen(stroke=RED, width=2.4)),)),
    Symbol("box", (Rect(-6, -6, 12, 12, Pen(fill=WHITE, stroke=FADED, width=1.2), 2),)),
    Symbol("new", (Circle(0, 0, 16, Pen(stroke=RED, width=1.6, dash=(3, 2))),)),
    Symbol("under-sail", _SHIP),
)
"""Everything a sheet is put together from, once."""
