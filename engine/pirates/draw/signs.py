"""The signs of the chart: colours, places on the paper, ports, ships."""

from __future__ import annotations

from typing import Final

from engine.core.drawing import Circle, Line, Pen, Point, Polygon, Shape, Text
from engine.core.geometry import Cell, parse_cell
from engine.core.labels import Box
from engine.pirates.board import BASE, NEUTRAL, SPANISH
from engine.pirates.state import Ship

CELL: Final = 27
MARGIN: Final = 26

PAPER: Final = "#f7edd4"
SEA_TINT: Final = "#d5e7e3"
SHALLOWS: Final = (("#c3dcd9", 26.0), ("#b0d0cf", 15.0), ("#9bc2c4", 7.0))
LAND_TINT: Final = "#eed9a6"
GRID: Final = "#bad4d2"
HILL: Final = "#c19a5b"
INK: Final = "#3b2a1a"
FADED: Final = "#7d6646"
SPAIN: Final = "#b01e28"
PIRATES: Final = "#1d1a19"
HAVEN: Final = "#1f6470"
STREAM: Final = "#5b9fb5"
GOLD: Final = "#efb71c"
FIRE: Final = "#d9480f"
FLASH: Final = "#ffd84d"
WHITE: Final = "#fffaf0"
GREY: Final = "#8a8378"


def middle(cell: Cell) -> Point:
    """Return the point in the middle of a cell."""
    spot = parse_cell(cell)
    return MARGIN + (spot.column + 0.5) * CELL, MARGIN + (spot.row + 0.5) * CELL


def cell_box(cell: Cell) -> Box:
    """Return the square of a cell."""
    x, y = middle(cell)
    return Box(x - CELL / 2, y - CELL / 2, x + CELL / 2, y + CELL / 2)


# Ports and currents ---------------------------------------------------------------------------------------------------


def castle(colour: str) -> tuple[Shape, ...]:
    """Return a castle: a Spanish port, about the origin."""
    walls = (
        (-8, 8),
        (-8, -6),
        (-5, -6),
        (-5, -3),
        (-2, -3),
        (-2, -8),
        (2, -8),
        (2, -3),
        (5, -3),
        (5, -6),
        (8, -6),
        (8, 8),
    )
    gate = ((-2, 8), (-2, 4), (0, 2.4), (2, 4), (2, 8))
    return Polygon(walls, Pen(fill=colour, stroke=INK, width=1)), Polygon(gate, Pen(fill=LAND_TINT))


def black_flag() -> tuple[Shape, ...]:
    """Return a black flag: a pirate base, about the origin."""
    cloth = ((-6, -10), (9, -9), (7.5, -4), (9, 2), (-6, 1))
    return (
        Line(((-6, -11), (-6, 10)), Pen(stroke=INK, width=2)),
        Polygon(cloth, Pen(fill=PIRATES, stroke=INK, width=1)),
        Line(((-2.5, -1), (4.5, -6.5)), Pen(stroke=WHITE, width=1.3)),
        Line(((-2.5, -6.5), (4.5, -1)), Pen(stroke=WHITE, width=1.3)),
        Circle(1, -4.4, 2.6, Pen(fill=WHITE)),
    )


def anchor() -> tuple[Shape, ...]:
    """Return an anchor: a neutral port, about the origin."""
    pen = Pen(stroke=HAVEN, width=2.2)
    return (
        Circle(0, 0, 10.5, Pen(fill=WHITE, stroke=HAVEN, width=1.2)),
        Circle(0, -5.5, 1.8, Pen(stroke=HAVEN, width=1.5)),
        Line(((0, -3.5), (0, 7)), pen),
        Line(((-3.4, -1.5), (3.4, -1.5)), pen),
        Line(((-6, 2), (-4.2, 5), (0, 7), (4.2, 5), (6, 2)), pen),
    )


PORT_SIGNS: Final = {SPANISH: castle(SPAIN), BASE: black_flag(), NEUTRAL: anchor()}
PORT_INK: Final = {SPANISH: SPAIN, BASE: PIRATES, NEUTRAL: HAVEN}

STREAM_SIGN: Final = (
    Polygon(((-13, -2), (3, -4), (2, -8), (14, 0), (2, 8), (3, 4), (-13, 2)), Pen(fill=STREAM, stroke=WHITE, width=1)),
)


# Ships ----------------------------------------------------------------------------------------------------------------


def ship_shapes(ship: Ship, *, gold: bool = False) -> tuple[Shape, ...]:
    """Return a ship about the origin, within half a cell.

    Her class shows in hull and rig, her side in colour and flag; her number is on the sail; a hole stands for each hit,
    a coin for the gold if she is known to carry it.
    """
    spanish = ship.side == "spain"
    body, cloth, ink = (SPAIN, WHITE, SPAIN) if spanish else (PIRATES, "#3a3431", WHITE)
    if ship.fate == "derelict":
        body, cloth, ink = GREY, PAPER, INK
    hull, sail, mast = _GALLEON if ship.kind == "galleon" else _BRIGANTINE
    parts: list[Shape] = [
        Polygon(hull, Pen(fill=body, stroke=WHITE, width=3)),
        Polygon(sail, Pen(fill=cloth, stroke=WHITE, width=3)),
        Line(((mast, -15), (mast, 4)), Pen(stroke=INK, width=1.6)),
        Polygon(hull, Pen(fill=body, stroke=INK, width=1.1)),
    ]
    if ship.fate != "derelict":
        parts.append(Polygon(_flag(mast, spanish), Pen(fill=body, stroke=INK, width=0.8)))
    parts.append(Polygon(sail, Pen(fill=cloth, stroke=INK, width=1.1)))
    parts.append(Text(mast + (0.4 if ship.kind == "galleon" else 1.2), -0.2, str(ship.number), 12.5, ink, face="bold"))
    parts += [Circle(-5.5 + 5.5 * place, 7, 2.2, Pen(fill=FLASH, stroke=INK, width=1)) for place in range(ship.hits)]
    if gold:
        parts.append(Circle(-10, -8.5, 4.4, Pen(fill=GOLD, stroke=INK, width=1.2)))
        parts.append(Circle(-10, -8.5, 2.2, Pen(stroke=FADED, width=0.9)))
    return tuple(parts)


_GALLEON: Final = (
    ((-12.5, -3), (-8, -3), (-7, 2.5), (7, 2.5), (8, -0.5), (13, -1.5), (11, 5), (8, 10.5), (-9, 10.5), (-11.5, 5)),
    ((-6.5, -12), (6.5, -12), (8.5, -6), (7, 1.2), (-6.5, 1.2), (-4.5, -6)),
    0.0,
)
_BRIGANTINE: Final = (
    ((-11, 3), (-4, 4.4), (6, 4), (13, 1.5), (8.5, 10), (-8, 10)),
    ((-8.5, 2), (-4.5, -9), (2, -13), (10, 2)),
    -0.6,
)


def _flag(mast: float, spanish: bool) -> tuple[Point, ...]:  # noqa: FBT001 - one of two flags
    if spanish:
        return (mast, -16), (mast + 9, -13.8), (mast, -11.8)
    return (mast, -16), (mast + 8, -16), (mast + 8, -12), (mast, -12)
