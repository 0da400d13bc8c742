"""A turn as a storyteller needs it: scenes in order, journals, the state of one's own pieces; no words yet."""

from __future__ import annotations

from typing import Any

from msgspec import field

from engine.core.contract import Value


class Scene(Value, frozen=True):
    """One thing to tell: ``key`` names the phrase in the ruleset's templates, ``facts`` fill it."""

    key: str
    facts: dict[str, Any] = field(default_factory=dict)


class JournalPage(Value, frozen=True):
    """What one piece's судовой журнал says of a turn; ``facts`` name the piece."""

    piece: str
    facts: dict[str, Any]
    lines: tuple[Scene, ...]


class Tale(Value, frozen=True):
    """All that a report tells of a turn.

    ``outlook``: what the coming turn is played under (wind, who moves). ``story``: what happened, in the game's order.
    ``own``: the reader's own pieces. ``journal``: a page for every piece with something to tell. ``table``: the scene
    whose phrase is the state table.
    """

    outlook: tuple[Scene, ...] = ()
    story: tuple[Scene, ...] = ()
    own: tuple[Scene, ...] = ()
    journal: tuple[JournalPage, ...] = ()
    table: Scene | None = None


class Step(Value, frozen=True):
    """One step of a resolution, for the case file of a dispute: what happened, by which rule, to which pieces.

    ``scene`` names the piece's entry in the судовой журнал; ``piece`` are the facts of the piece that tells it, none
    where it is nobody's.
    """

    scene: Scene
    rule: str
    pieces: tuple[str, ...] = ()
    piece: dict[str, Any] = field(default_factory=dict)
