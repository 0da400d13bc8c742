"""Where the ships were: each one's way through a turn, and where all stood at each event, from the events alone."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.contract import Event
from engine.core.geometry import Cell
from engine.pirates.state import Carried, DriftHeld, PiratesView, ShipDrifted, ShipMoved, ShipSunk, ShipWrecked


def voyages(view: PiratesView, events: Sequence[Event]) -> dict[int, tuple[Cell, ...]]:
    """Return the cells each ship went through, from where she began the turn to where she is or was lost.

    Ships that were lost earlier are left out.
    """
    ways: dict[int, list[Cell]] = {}
    for event in events:
        ship, path = leg(event)
        way = ways.setdefault(ship, []) if path else []
        way += path if not way or way[-1] != path[0] else path[1:]
    for piece in view.ships:
        if piece.cell is not None:
            ways.setdefault(piece.number, [piece.cell])
    return {number: tuple(ways[number]) for number in sorted(ways)}


def leg(event: Event) -> tuple[int, list[Cell]]:
    """Return the ship and the cells that an event shows her in, in order; no cells for an event that shows none."""
    match event:
        case ShipMoved() | Carried():
            return event.ship, list(event.path)
        case ShipDrifted():
            return event.ship, [event.start, event.end]
        case ShipSunk() | ShipWrecked() | DriftHeld():
            return event.ship, [event.cell]
        case _:
            return 0, []


def sightings(view: PiratesView, events: Sequence[Event]) -> tuple[dict[int, Cell], ...]:
    """Return where every ship was just before each event."""
    here = {number: way[0] for number, way in voyages(view, events).items()}
    seen = []
    for event in events:
        seen.append(dict(here))
        ship, path = leg(event)
        if path:
            here[ship] = path[-1]
    return tuple(seen)
