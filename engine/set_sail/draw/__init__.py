"""The sheets of ship and pirates as a picture and as text; labels are keys, words are in templates.

========== ===========================================================================================================
paper      colours, sizes, the border: what never changes
signs      wounds, luck, hull, secrets, the ship under sail
cards      the panels: the ship's, the reader's own pirate, the others
rows       the same for a fixed-width face
========== ===========================================================================================================
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.contract import Event
from engine.core.drawing import Drawing, Label
from engine.set_sail.draw.cards import height, sheets
from engine.set_sail.draw.paper import PAPER, WIDTH, base
from engine.set_sail.draw.rows import text_legend, text_rows
from engine.set_sail.draw.signs import SYMBOLS
from engine.set_sail.events import WoundTaken
from engine.set_sail.sheets import sheet, ship_sheet
from engine.set_sail.state import SetSailView

__all__ = ["draw"]


def draw(view: SetSailView, events: Sequence[Event] = ()) -> Drawing:
    """Return the sheets as a viewer may see them; wounds of this turn's ``events`` are ringed."""
    ship = ship_sheet(view)
    fresh = {
        (event.seat, event.place) for event in events if isinstance(event, WoundTaken) and event.known_to(view.seat)
    }
    pirates = [
        sheet(view, one) | {"fresh": [place for seat, place in sorted(fresh) if seat == one.seat]}
        for one in view.state.pirates
    ]
    high = height(pirates, view.seat)
    return Drawing(
        width=WIDTH,
        height=high,
        background=PAPER,
        base=base(high),
        overlay=tuple(sheets(ship, pirates, view.seat)),
        alt=Label("sheets", {"chapter": view.state.chapter, "scene": view.state.scene, "name": ship["name"]}),
        rows=text_rows(ship, pirates),
        legend=tuple(text_legend(ship, pirates)),
        symbols=SYMBOLS,
    )
