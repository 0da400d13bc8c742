"""The chart as a picture and as text; labels are keys, words are in templates.

========== ===========================================================================================================
paper      colours and places, the sea, harbour, islands and rocks, the key: what a game keeps from turn to turn
signs      ships and other small drawings
overlay    what a turn adds: tracks, arcs, shots with their dice, ships, points
rows       the chart for a fixed-width face
fault      why a layout is illegal
========== ===========================================================================================================
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.blockade.draw.fault import fault
from engine.blockade.draw.overlay import overlay
from engine.blockade.draw.paper import HATCH, HEIGHT, PAPER, WIDTH, base
from engine.blockade.draw.rows import text_legend, text_rows
from engine.blockade.draw.signs import SYMBOLS
from engine.blockade.state import BlockadeView
from engine.core.contract import Event
from engine.core.drawing import Drawing, Label

__all__ = ["draw", "fault"]


def draw(view: BlockadeView, events: Sequence[Event] = ()) -> Drawing:
    """Return the chart; ``events`` of the turn give tracks, arcs and shots."""
    ships = [{"piece": ship.piece, "cell": ship.cell, "heading": ship.heading} for ship in view.ships]
    return Drawing(
        width=WIDTH,
        height=HEIGHT,
        background=PAPER,
        base=base(view.options, view.islands, view.rocks),
        overlay=tuple(overlay(view, events)),
        alt=Label("chart", {"turn": view.turn, "stage": view.stage, "ships": ships}),
        rows=text_rows(view, events),
        legend=tuple(text_legend(view, events)),
        patterns=(HATCH,),
        symbols=SYMBOLS,
    )
