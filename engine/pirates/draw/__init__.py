"""The chart of the Atlantic: land, ports and currents once, over them ships, their tracks, shots and the wind."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.contract import Event
from engine.core.drawing import Drawing, Label
from engine.pirates.board import board_of
from engine.pirates.draw.chart import HATCH, chart_of
from engine.pirates.draw.overlay import overlay, wind_facts
from engine.pirates.draw.rows import text_legend, text_rows
from engine.pirates.draw.signs import PAPER
from engine.pirates.state import PiratesView

__all__ = ["draw"]


def draw(view: PiratesView, events: Sequence[Event] = ()) -> Drawing:
    """Return the chart as a viewer may see it; ``events`` of the turn give tracks, shots and losses."""
    board = board_of(view.options.board, view.board)
    chart = chart_of(board)
    return Drawing(
        width=chart.width,
        height=chart.height,
        background=PAPER,
        base=chart.shapes,
        overlay=tuple(overlay(view, board, chart, events)),
        alt=Label("chart", {"round": view.round, "title": dict(board.title), "wind": wind_facts(view.wind)}),
        rows=text_rows(view),
        legend=tuple(text_legend(view)),
        patterns=(HATCH,),
    )
