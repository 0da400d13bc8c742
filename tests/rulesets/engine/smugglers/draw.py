"""The harbour as letters show it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.contract import Event
from engine.core.drawing import Drawing

from . import RULESET, SmugglersView  # noqa: TID252 - it is engine.smugglers to the registry, wherever it lies


def draw(view: SmugglersView, events: Sequence[Event] = ()) -> Drawing:
    """Return the board, whatever has happened."""
    drawing: Drawing = RULESET.draw(view)
    return drawing
