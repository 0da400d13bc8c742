"""The round as a story: what each event tells, in the game's order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.codec import plain
from engine.core.contract import Event
from engine.core.story import Scene, Tale

from . import SmugglersView  # noqa: TID252 - it is engine.smugglers to the registry, wherever it lies

VIEW = SmugglersView


def tell(view: SmugglersView, events: Sequence[Event]) -> Tale:
    """Return one scene an event."""
    return Tale(story=tuple(Scene(key=type(event).__name__.lower(), facts=plain(event)) for event in events))


def cast(view: SmugglersView) -> dict[str, Any]:
    """Return nothing: seats are all there is, and their titles are known."""
    return {}
