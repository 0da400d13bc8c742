"""The island as a picture and as text; labels are keys, words are in templates."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.contract import Event
from engine.core.drawing import Drawing, Label
from engine.jackal.draw.chart import PAPER, SIZE, base, overlay
from engine.jackal.draw.rows import text_legend, text_rows
from engine.jackal.state import JackalView

__all__ = ["draw"]


def draw(view: JackalView, events: Sequence[Event] = ()) -> Drawing:
    """Return the island as a viewer may see it; ``events`` of the turn give tracks and tiles turned up.

    The second sea ring is in the text only, as yet.
    """
    return Drawing(
        width=SIZE,
        height=SIZE,
        background=PAPER,
        base=base(),
        overlay=tuple(overlay(view, events)),
        alt=Label("chart", {"round": view.round, "left": view.left}),
        rows=text_rows(view),
        legend=tuple(text_legend(view)),
    )
