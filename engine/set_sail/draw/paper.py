"""The paper that sheets are drawn on: colours, sizes, and the border, which changes with nothing but the height."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engine.core.drawing import Label, Line, Pen, Rect, Shape, Text
from engine.core.labels import text_width

WIDTH: Final = 720
MARGIN: Final = 22
GAP: Final = 14

PAPER: Final = "#f5ecd6"
PANEL: Final = "#fbf6e8"
INK: Final = "#2e241a"
FADED: Final = "#85714f"
LINE: Final = "#b89f72"
RED: Final = "#a3281e"
GOLD: Final = "#d8a52c"
GOLD_EDGE: Final = "#8a5f0d"
SEA: Final = "#3f6f80"
WHITE: Final = "#fffdf6"


@lru_cache(maxsize=32)
def base(height: int) -> tuple[Shape, ...]:
    """Return the border of a sheet so high. Kept, because a base is known by identity."""
    outer = Rect(7, 7, WIDTH - 14, height - 14, Pen(stroke=FADED, width=2.4), 5)
    inner = Rect(12, 12, WIDTH - 24, height - 24, Pen(stroke=LINE, width=1), 3)
    return (outer, inner, *(_corner(x, y) for x in (12.0, WIDTH - 12.0) for y in (12.0, height - 12.0)))


def _corner(x: float, y: float) -> Shape:
    """Return a stud, as on the corner of a chest."""
    return Rect(x - 5, y - 5, 10, 10, Pen(fill=PAPER, stroke=FADED, width=1.6), 2)


def panel(x: float, y: float, wide: float, high: float, *, own: bool = False) -> Shape:
    """Return the panel of a sheet; the reader's own has a strong edge."""
    edge = Pen(fill=PANEL, stroke=SEA, width=2.4) if own else Pen(fill=PANEL, stroke=LINE, width=1.2)
    return Rect(x, y, wide, high, edge, 6)


def words(x: float, y: float, text: Label | str, size: float = 12, colour: str = INK, face: str = "roman") -> Text:
    """Return words that begin at a point."""
    if face == "bold":
        return Text(x, y, text, size, colour, "start", "bold")
    return Text(x, y, text, size, colour, "start", "italic" if face == "italic" else "roman")


def middle(x: float, y: float, text: Label | str, size: float = 12, colour: str = INK, *, bold: bool = False) -> Text:
    """Return words about a point."""
    return Text(x, y, text, size, colour, "middle", "bold" if bold else "roman")


def cut(text: str, size: float, room: float) -> str:
    """Return a person's words, shortened where they would leave their room."""
    if text_width(text, size) <= room:
        return text
    while text and text_width(f"{text}…", size) > room:
        text = text[:-1]
    return f"{text.rstrip()}…"


def rule(x: float, y: float, wide: float) -> Shape:
    """Return a thin line."""
    return Line(((x, y), (x + wide, y)), Pen(stroke=LINE, width=0.9))
