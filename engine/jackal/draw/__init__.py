"""The island as a picture and as text; labels are keys, words are in templates.

========== ===========================================================================================================
paper      colours, places, the sea and its frame: what never changes
signs      a small drawing of every kind of tile
pieces     ships, characters and loads, and how many of them are laid out in one place
changes    what a turn's events add: tracks, tiles turned up, the beaten and the dead
chart      the picture of a view, its title and legend
gallery    all kinds of tiles with their names, for the rules page
rows       the map for a fixed-width face
========== ===========================================================================================================
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.contract import Event
from engine.core.drawing import Drawing, Label
from engine.jackal.draw.chart import SYMBOLS, overlay, sheet_of
from engine.jackal.draw.gallery import gallery
from engine.jackal.draw.paper import PAPER, base
from engine.jackal.draw.rows import text_legend, text_rows
from engine.jackal.state import JackalView

__all__ = ["draw", "gallery"]


def draw(view: JackalView, events: Sequence[Event] = ()) -> Drawing:
    """Return the island as a viewer may see it; ``events`` of the turn give tracks and tiles turned up."""
    sheet = sheet_of(view, events)
    return Drawing(
        width=sheet.width,
        height=sheet.height,
        background=PAPER,
        base=base(sheet.second, sheet.rows),
        overlay=tuple(overlay(sheet, events)),
        alt=Label("chart", {"round": view.round, "left": view.left}),
        rows=text_rows(view),
        legend=tuple(text_legend(view)),
        symbols=SYMBOLS,
    )
