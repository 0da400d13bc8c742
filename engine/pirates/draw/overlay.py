"""What changes on the chart from turn to turn: tracks, shots, losses, ships, berths and the wind."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from engine.core.contract import Event
from engine.core.drawing import Circle, Group, Label, Line, Pen, Point, Polygon, Rect, Shape, Text
from engine.core.geometry import RHUMBS, Cell, opposite
from engine.core.labels import Box, Page, around, beside, text_width
from engine.pirates.board import Board, Current
from engine.pirates.draw.chart import Chart, stray, wet
from engine.pirates.draw.signs import (
    CELL,
    FADED,
    FIRE,
    FLASH,
    HAVEN,
    INK,
    LAND_TINT,
    PIRATES,
    PORT_SIGNS,
    SEA_TINT,
    SPAIN,
    STREAM,
    WHITE,
    cell_box,
    middle,
    ship_shapes,
)
from engine.pirates.rules.course import rose
from engine.pirates.state import PiratesView, Ship, ShipSunk, ShipWrecked, ShotFired, Wind
from engine.pirates.voyage import sightings, voyages


def overlay(view: PiratesView, board: Board, chart: Chart, events: Sequence[Event]) -> Iterator[Shape]:
    """Draw what this turn adds to the chart, the lowest layer first."""
    ways = voyages(view, events)
    by_number = {ship.number: ship for ship in view.ships}
    at_sea = [ship for ship in view.ships if ship.cell is not None and board.is_sea(ship.cell)]
    page = Page(chart.frame, list(chart.taken))
    for ship in at_sea:
        page.take(cell_box(ship.cell or ""), 60)
    yield from _current_names(board, page)
    for number, way in ways.items():
        yield from _track(way, by_number[number])
    yield from _shots(view, events)
    yield from _losses(events, by_number)
    for ship in at_sea:
        x, y = middle(ship.cell or "")
        yield Group(ship_shapes(ship, gold=_golden(view, ship)), x, y, -9 if ship.fate == "derelict" else 0)
    yield from _berths(view, board, page)
    yield from _wind_rose(view, board, chart.rose)


def _golden(view: PiratesView, ship: Ship) -> bool:
    return view.gold == ship.number and view.gold != 0


def _current_names(board: Board, page: Page) -> Iterator[Shape]:
    """Write the names of currents along the sea, clear of ships; one that finds no room is left out."""
    size = 11.0
    for current in board.currents:
        points = [middle(cell) for cell in current.cells]
        x = sum(point[0] for point in points) / len(points)
        y = sum(point[1] for point in points) / len(points)
        words = dict(current.name)
        width = max(text_width(name, size) for name in words.values()) * 0.92
        best = min(beside(x, y, width, size, _across(current), 9), key=page.cost)
        if page.cost(best) < width * size * 2:
            page.take(best, 60)
            centre = (best.left + best.right) / 2
            yield Text(centre, best.bottom - 2, Label("name", words), size, HAVEN, face="italic", halo=SEA_TINT)


def _across(current: Current) -> Point:
    (x0, y0), (x1, y1) = middle(current.cells[0]), middle(current.cells[-1])
    length = math.hypot(x1 - x0, y1 - y0)
    return -(y1 - y0) / length, (x1 - x0) / length


def _track(way: Sequence[Cell], ship: Ship) -> Iterator[Shape]:
    """Draw the way of a turn as a row of dots, from a ring where it began."""
    if len(way) < 2:
        return
    points = tuple(middle(cell) for cell in way)
    colour = SPAIN if ship.side == "spain" else PIRATES
    yield Line(points, Pen(stroke=WHITE, width=4.5, opacity=0.8))
    yield Line(points, Pen(stroke=colour, width=2.6, dash=(0.1, 5.5)))
    yield Circle(*points[0], 3.6, Pen(fill=WHITE, stroke=colour, width=1.6))


def _shots(view: PiratesView, events: Sequence[Event]) -> Iterator[Shape]:
    """Draw each shot as a line; a star where it struck, rings in the water where it did not."""
    struck: set[Cell] = set()
    for event, here in zip(events, sightings(view, events), strict=True):
        if not isinstance(event, ShotFired) or event.target not in here:
            continue
        aim = here[event.target]
        x, y = middle(aim)
        for number in event.ships:
            if number in here:
                yield from _shot(middle(here[number]), (x, y), hit=event.hit)
        if event.hit and aim not in struck:
            struck.add(aim)
            yield Polygon(tuple(_star(x, y, 19, 11, 11)), Pen(fill=FLASH, stroke=FIRE, width=1.4))


def _shot(start: Point, end: Point, *, hit: bool) -> Iterator[Shape]:
    pen = Pen(stroke=FIRE, width=1.8, dash=(5, 3)) if hit else Pen(stroke=FADED, width=1.3, dash=(3, 4))
    yield Line((start, end), pen)
    if not hit:
        x, y = start[0] + (end[0] - start[0]) * 0.6, start[1] + (end[1] - start[1]) * 0.6
        yield Circle(x, y, 5, Pen(fill=WHITE, stroke=STREAM, width=1.4))
        yield Circle(x, y, 2, Pen(stroke=STREAM, width=1.2))


def _star(x: float, y: float, outer: float, inner: float, rays: int) -> Iterator[Point]:
    for step in range(rays * 2):
        radius = inner if step % 2 else outer
        angle = math.pi * step / rays - math.pi / 2
        yield x + math.cos(angle) * radius, y + math.sin(angle) * radius


def _losses(events: Iterable[Event], ships: dict[int, Ship]) -> Iterator[Shape]:
    """Draw a cross and the number where a ship went down this turn."""
    for event in events:
        if isinstance(event, ShipSunk) or (isinstance(event, ShipWrecked) and not event.derelict):
            x, y = middle(event.cell)
            colour = SPAIN if ships[event.ship].side == "spain" else PIRATES
            for points in (((x - 8, y - 8), (x + 8, y + 8)), ((x - 8, y + 8), (x + 8, y - 8))):
                yield Line(points, Pen(stroke=WHITE, width=6))
                yield Line(points, Pen(stroke=colour, width=3))
            yield Text(x + 12, y - 5, str(event.ship), 12, colour, face="bold", halo=WHITE)


def _berths(view: PiratesView, board: Board, page: Page) -> Iterator[Shape]:
    """Lay ships in port side by side on a plate beside it, so that every number can be read."""
    for cell in board.ports:
        ships = [ship for ship in view.ships if ship.cell == cell]
        if ships:
            yield from _berth(cell, ships, view, page, board)


def _berth(cell: Cell, ships: Sequence[Ship], view: PiratesView, page: Page, board: Board) -> Iterator[Shape]:
    x, y = middle(cell)
    pitch, scale = 24.0, 0.84
    width, height = pitch * len(ships) + 4, 27.0
    box = page.place(
        around(x, y, width, height, CELL * 0.55), lambda box: stray(board, box, cell) + wet(board, box) * 0.4
    )
    down = (box.top + box.bottom) / 2
    yield Line(((x, y), ((box.left + box.right) / 2, down)), Pen(stroke=INK, width=1.4))
    yield Group(PORT_SIGNS[board.kinds[cell]], x, y)
    yield Rect(box.left, box.top, width, height, Pen(fill=WHITE, stroke=INK, width=1.1), 5)
    for place, ship in enumerate(ships):
        shapes = ship_shapes(ship, gold=_golden(view, ship))
        yield Group(shapes, box.left + 2 + pitch * (place + 0.5), down + 2.4, scale=scale)


# The wind -------------------------------------------------------------------------------------------------------------

_FORCE_TINT: Final = {"calm": "#f6d860", "fresh": "#bfe0ea", "hurricane": "#e0644f"}


def wind_facts(wind: Wind) -> dict[str, str]:
    """Return a wind as facts for its phrase."""
    return {"rhumb": wind.rhumb, "force": wind.force}


def _wind_rose(view: PiratesView, board: Board, box: Box) -> Iterator[Shape]:
    """Draw the compass with the coming wind, and at each point how far a galleon and a brigantine may run (P15)."""
    x, y = (box.left + box.right) / 2, box.top + (box.bottom - box.top) * 0.58
    radius = min(box.right - box.left, (box.bottom - box.top) * 0.84) * 0.31
    title = dict(board.title)
    yield Text(
        x,
        box.top + 17,
        Label("chart-title", {"title": title, "round": view.round}),
        16,
        INK,
        face="bold",
        halo=LAND_TINT,
    )
    yield Text(x, box.top + 33, Label("chart-wind", wind_facts(view.wind)), 12.5, INK, face="italic", halo=LAND_TINT)
    yield Circle(x, y, radius + 2, Pen(fill=WHITE, stroke=INK, width=1.6))
    yield Circle(x, y, radius - 3, Pen(fill=_FORCE_TINT[view.wind.force], stroke=INK, width=0.8))
    yield from _compass(x, y, radius - 5)
    yield from _wind_arrow(x, y, radius, view.wind)
    yield from _reaches(view, x, y, radius + 13)


def _compass(x: float, y: float, radius: float) -> Iterator[Shape]:
    for place, length in ((1, 0.62), (3, 0.62), (5, 0.62), (7, 0.62), (0, 1.0), (2, 1.0), (4, 1.0), (6, 1.0)):
        angle = math.pi * place / 4
        tip = (x + math.sin(angle) * radius * length, y - math.cos(angle) * radius * length)
        for side, colour in ((-1, INK), (1, WHITE)):
            waist = angle + side * math.pi / 4
            corner = (x + math.sin(waist) * radius * 0.2, y - math.cos(waist) * radius * 0.2)
            yield Polygon(((x, y), tip, corner), Pen(fill=colour, stroke=INK, width=0.7))


def _wind_arrow(x: float, y: float, radius: float, wind: Wind) -> Iterator[Shape]:
    """Draw an arrow that flies downwind through the compass (P14): none in a calm, three in a hurricane."""
    if wind.force == "calm":
        return
    angle = math.pi * RHUMBS.index(opposite(wind.rhumb)) / 4
    along, across = (math.sin(angle), -math.cos(angle)), (math.cos(angle), math.sin(angle))

    def at(far: float, aside: float) -> Point:
        return x + along[0] * far + across[0] * aside, y + along[1] * far + across[1] * aside

    for aside in (0,) if wind.force == "fresh" else (-11, 11, 0):
        tail, tip = -radius * (1.0 if aside == 0 else 0.8), radius * (0.96 if aside == 0 else 0.76)
        body = (
            at(tail, aside - 3),
            at(tip - 13, aside - 3),
            at(tip - 13, aside - 8.5),
            at(tip, aside),
            at(tip - 13, aside + 8.5),
            at(tip - 13, aside + 3),
            at(tail, aside + 3),
        )
        yield Polygon(body, Pen(fill=SPAIN if wind.force == "hurricane" else "#1d6fa5", stroke=WHITE, width=1.3))


def _reaches(view: PiratesView, x: float, y: float, radius: float) -> Iterator[Shape]:
    table = rose(view.options, view.wind)
    for place, rhumb in enumerate(RHUMBS):
        angle = math.pi * place / 4
        right, down = x + math.sin(angle) * (radius + 9), y - math.cos(angle) * (radius + 1)
        for shift, kind, colour in ((-7, "galleon", SPAIN), (7, "brigantine", PIRATES)):
            far = table["galleon" if kind == "galleon" else "brigantine"][rhumb]
            yield Circle(right + shift, down, 6.8, Pen(fill=colour, stroke=WHITE, width=1))
            yield Text(right + shift, down + 4, str(far), 11, WHITE, face="bold")
