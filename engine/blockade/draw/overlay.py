"""What changes from turn to turn: tracks, arcs of guns that fired, shots with their dice, ships, title and points."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.blockade.draw.paper import (
    BLACK,
    BOARD,
    BOTTOM,
    CELL,
    FIRE,
    INK,
    LEFT,
    SMOKE,
    TOP,
    WHITE,
    WIDTH,
    centre,
)
from engine.blockade.events import BowTurned, Disabled, Fired, Rammed, RanAground, Stepped
from engine.blockade.gunnery import GUNS
from engine.blockade.state import PIECES, BlockadeView, Gun, Piece
from engine.blockade.waters import Square, heading_of, square
from engine.core.contract import Event
from engine.core.drawing import Circle, Label, Line, Pen, Point, Polygon, Rect, Shape, Text, Use
from engine.core.labels import Box, Page

COLOURS: Final[dict[Piece, tuple[str, str]]] = {"runner": (BLACK, WHITE), "blockader": (WHITE, BLACK)}
"""Each ship's colour, and what is seen upon it."""
_ASIDE: Final[dict[Piece, float]] = {"runner": 2.4, "blockader": -2.4}
"""Where ways run along the same squares, the two keep beside each other."""
_ARC: Final = 2.6 * CELL
"""How far an arc is drawn."""
_BADGE: Final = (24.0, 14.5)
_DEGREES: Final = 45


@dataclass(frozen=True, slots=True)
class Shot:
    """A shot as it is drawn: whence, whereto, with which gun of a ship on which heading."""

    event: Fired
    start: Square
    end: Square
    heading: int


@dataclass(slots=True)
class Log:
    """A turn's events as the chart needs them: each ship's steps, the shots, who was struck and where."""

    ways: dict[Piece, list[Stepped]] = field(default_factory=lambda: {piece: [] for piece in PIECES})
    shots: list[Shot] = field(default_factory=list)
    struck: list[str] = field(default_factory=list)
    disabled: list[str] = field(default_factory=list)


def log_of(view: BlockadeView, events: Sequence[Event]) -> Log:
    """Return what a turn's events draw, ships followed step by step."""
    log = Log()
    places = _beginnings(view, events)
    headings = {ship.piece: heading_of(ship.heading) for ship in view.ships}
    for event in events:
        match event:
            case Stepped(piece=piece, cell=cell, heading=heading):
                log.ways[piece].append(event)
                places[piece], headings[piece] = square(cell), heading_of(heading)
            case BowTurned(piece=piece, heading=heading):
                headings[piece] = heading_of(heading)
            case Fired(piece=piece, target=target):
                log.shots.append(Shot(event, places[piece], places[target], headings[piece]))
            case Disabled(cell=cell):
                log.disabled.append(cell)
            case Rammed(cell=cell) | RanAground(cell=cell):
                log.struck.append(cell)
    return log


def _beginnings(view: BlockadeView, events: Sequence[Event]) -> dict[Piece, Square]:
    """Return where each ship lay when the turn began: whence her first step led, else where she still lies."""
    places = {ship.piece: square(ship.cell) for ship in view.ships}
    for event in reversed(events):
        if isinstance(event, Stepped):
            places[event.piece] = square(event.start)
    return places


def overlay(view: BlockadeView, events: Sequence[Event]) -> Iterator[Shape]:
    """Yield the overlay from below to above."""
    log = log_of(view, events)
    yield from title(view)
    for shot in log.shots:
        yield _arc(shot)
    for piece in PIECES:
        yield from _way(piece, log.ways[piece], numbered=view.options.impulses > 1)
    for shot in log.shots:
        yield _line(shot)
    for cell in log.struck:
        yield Use("struck", *centre(square(cell)))
    yield from _ships(view, log)
    yield from _badges(view, log)


# Title ----------------------------------------------------------------------------------------------------------------


def title(view: BlockadeView) -> Iterator[Shape]:
    """Write the game and its turn, and each ship with her points."""
    yield Text(LEFT, 30, Label("chart-title", {"turn": view.turn, "stage": view.stage}), 22, INK, "start", "bold")
    x = WIDTH - LEFT - 18.0
    for ship in reversed(view.ships):
        yield Text(x, 30, str(ship.points), 20, INK, "start", "bold")
        yield Use(ship.piece, x - 20, 23, 90, 1.1)
        x -= 80


# Ways -----------------------------------------------------------------------------------------------------------------


def _way(piece: Piece, steps: Sequence[Stepped], *, numbered: bool) -> Iterator[Shape]:
    """Draw a ship's way: a line for her moves, dots for a dash, her moves numbered by impulse."""
    if not steps:
        return
    colour, edge = COLOURS[piece]
    off = _ASIDE[piece]

    def at(cell: str) -> Point:
        x, y = centre(square(cell))
        return x + off, y + off

    moves = [step for step in steps if not step.dash]
    dash = [step for step in steps if step.dash]
    for part, dots in ((moves, ()), (dash, (0.1, 6.4))):
        if part:
            points = (at(part[0].start), *(at(step.cell) for step in part))
            yield Line(points, Pen(stroke=edge, width=5.4, dash=dots))
            yield Line(points, Pen(stroke=colour, width=3.2, dash=dots))
    yield Circle(*at(steps[0].start), 3.6, Pen(fill=colour, stroke=edge, width=1.3))
    for step in moves[: len(moves) if dash else -1]:
        x, y = at(step.cell)
        yield Circle(x, y, 6.6 if numbered else 3.6, Pen(fill=colour, stroke=edge, width=1.3))
        if numbered:
            yield Text(x, y + 3.8, str(step.impulse), 10.5, edge, face="bold")


# Fire -----------------------------------------------------------------------------------------------------------------


def axis_of(piece: Piece, gun: Gun) -> int:
    """Return where a gun points, in eighths clockwise from the bow."""
    return dict(GUNS[piece])[gun]


def _arc(shot: Shot) -> Polygon:
    """Draw the quarter that a gun covers (B12)."""
    # The blend with the sea is `paper.SECTOR`.
    middle = (shot.heading + axis_of(shot.event.piece, shot.event.gun)) * _DEGREES
    x, y = centre(shot.start)
    rim = [math.radians(middle + step) for step in range(-_DEGREES, _DEGREES + 1, 9)]
    points = ((x, y), *((x + math.sin(angle) * _ARC, y - math.cos(angle) * _ARC) for angle in rim))
    return Polygon(points, Pen(fill=FIRE if shot.event.points else SMOKE, opacity=0.2))


def _ends(shot: Shot) -> tuple[Point, Point]:
    """Return the ends of a shot's line; guns of one broadside keep a little apart."""
    (x0, y0), (x1, y1) = centre(shot.start), centre(shot.end)
    length = math.hypot(x1 - x0, y1 - y0) or 1.0
    aside = {"chaser": 0.0, "port": -2.6, "starboard": 2.6}[shot.event.gun]
    right, down = -(y1 - y0) / length * aside, (x1 - x0) / length * aside
    return (x0 + right, y0 + down), (x1 + right, y1 + down)


def _line(shot: Shot) -> Line:
    pen = Pen(stroke=FIRE, width=2.4) if shot.event.points else Pen(stroke=SMOKE, width=1.6, dash=(5.0, 4.0))
    return Line(_ends(shot), pen)


def _badges(view: BlockadeView, log: Log) -> Iterator[Shape]:
    """Write on every shot what its die showed, where it covers neither ship nor another's."""
    page = Page(Box(LEFT, TOP, LEFT + BOARD, BOTTOM))
    for cell in _kept_clear(view, log):
        x, y = centre(square(cell))
        page.take(Box(x - 12, y - 12, x + 12, y + 12), 40)
    for shot in log.shots:
        box = page.place(_choices(shot))
        colour, ink = COLOURS[shot.event.piece]
        wide, high = _BADGE
        rim = Pen(fill=colour, stroke=FIRE if shot.event.points else SMOKE, width=1.6)
        yield Rect(box.left, box.top, wide, high, rim, 4)
        yield Text((box.left + box.right) / 2, box.bottom - 3.4, shot.event.result, 11.5, ink, face="bold")


def _kept_clear(view: BlockadeView, log: Log) -> Iterable[str]:
    return [*(ship.cell for ship in view.ships), *(step.cell for piece in PIECES for step in log.ways[piece])]


def _choices(shot: Shot) -> Iterator[Box]:
    """Yield places for a badge: along the line from its middle outwards, then beside it."""
    (x0, y0), (x1, y1) = _ends(shot)
    length = math.hypot(x1 - x0, y1 - y0) or 1.0
    across = (-(y1 - y0) / length, (x1 - x0) / length)
    wide, high = _BADGE
    for aside in (0.0, 13.0, -13.0, 24.0, -24.0):
        for part in (0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78):
            x = x0 + (x1 - x0) * part + across[0] * aside
            y = y0 + (y1 - y0) * part + across[1] * aside
            yield Box(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)


# Ships ----------------------------------------------------------------------------------------------------------------


def _ships(view: BlockadeView, log: Log) -> Iterator[Shape]:
    """Draw the ships, who was rammed under who rammed her; a ring about a disabled one."""
    last = next((piece for piece in PIECES if log.ways[piece] and log.ways[piece][-1].dash), "")
    for ship in sorted(view.ships, key=lambda one: one.piece == last):
        x, y = centre(square(ship.cell))
        if ship.disabled:
            yield Use("disabled", x, y)
        yield Use(ship.piece, x, y, heading_of(ship.heading) * _DEGREES)
