"""The chart of the Atlantic: land, ports and currents once, and over them the ships, their tracks, the shots and the wind."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.core.contract import Event
from engine.core.drawing import (
    Circle,
    Drawing,
    Group,
    Label,
    Line,
    Pattern,
    Pen,
    Point,
    Polygon,
    Rect,
    Region,
    Shape,
    Text,
)
from engine.core.geometry import RHUMBS, Cell, opposite, parse_cell
from engine.core.labels import Box, Page, around, beside, text_width
from engine.core.outline import rings, scatter, smooth
from engine.pirates.board import BASE, LAND, NEUTRAL, SEA, SPANISH, Board, Current, Port, board_of
from engine.pirates.rules.course import rose
from engine.pirates.state import PiratesView, Ship, ShipSunk, ShipWrecked, ShotFired, Wind
from engine.pirates.voyage import sightings, voyages

CELL: Final = 27
MARGIN: Final = 26

PAPER: Final = "#f7edd4"
SEA_TINT: Final = "#d5e7e3"
SHALLOWS: Final = (("#c3dcd9", 26.0), ("#b0d0cf", 15.0), ("#9bc2c4", 7.0))
LAND_TINT: Final = "#eed9a6"
GRID: Final = "#bad4d2"
HILL: Final = "#c19a5b"
INK: Final = "#3b2a1a"
FADED: Final = "#7d6646"
SPAIN: Final = "#b01e28"
PIRATES: Final = "#1d1a19"
HAVEN: Final = "#1f6470"
STREAM: Final = "#5b9fb5"
GOLD: Final = "#efb71c"
FIRE: Final = "#d9480f"
FLASH: Final = "#ffd84d"
WHITE: Final = "#fffaf0"
GREY: Final = "#8a8378"

_ROSE_SIZE: Final = (9, 7)
_KEY_SIZE: Final = (7, 8)


def draw(view: PiratesView, events: Sequence[Event] = ()) -> Drawing:
    """Return the chart as a viewer may see it; ``events`` of the turn give tracks, shots and losses."""
    board = board_of(view.options.board, view.board)
    chart = _chart(board)
    return Drawing(
        width=chart.width,
        height=chart.height,
        background=PAPER,
        base=chart.shapes,
        overlay=tuple(_overlay(view, board, chart, events)),
        alt=Label("chart", {"round": view.round, "title": dict(board.title), "wind": _wind_facts(view.wind)}),
        rows=text_rows(view),
        legend=tuple(text_legend(view)),
        patterns=(_HATCH,),
    )


# Places on paper ------------------------------------------------------------------------------------------------------


def _middle(cell: Cell) -> Point:
    spot = parse_cell(cell)
    return MARGIN + (spot.column + 0.5) * CELL, MARGIN + (spot.row + 0.5) * CELL


def _cell_box(cell: Cell) -> Box:
    x, y = _middle(cell)
    return Box(x - CELL / 2, y - CELL / 2, x + CELL / 2, y + CELL / 2)


@dataclass(frozen=True, eq=False)
class _Chart:
    """What stands on a board's paper before any ship is put on it."""

    width: int
    height: int
    shapes: tuple[Shape, ...]
    taken: tuple[tuple[Box, float], ...]
    rose: Box
    frame: Box


@lru_cache(maxsize=32)
def _chart_of(rows: tuple[str, ...], board: _Keyed) -> _Chart:
    return _paint(board.board)


@dataclass(frozen=True)
class _Keyed:
    """A board that is known by identity: boards are made once and kept, their tables need no hash."""

    board: Board

    def __hash__(self) -> int:
        return id(self.board)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Keyed) and other.board is self.board


def _chart(board: Board) -> _Chart:
    return _chart_of(board.rows, _Keyed(board))


def _paint(board: Board) -> _Chart:
    right, bottom = MARGIN + board.width * CELL, MARGIN + board.height * CELL
    frame = Box(MARGIN, MARGIN, right, bottom)
    rose_box, key_box, height = _free_places(board, bottom)
    page = Page(frame)
    for box in (rose_box, key_box):
        page.take(box, 40)
    for cell in board.ports:
        page.take(_cell_box(cell).grown(-4), 30)
    for current in board.currents:
        for cell in current.cells:
            page.take(_cell_box(cell).grown(-8), 12)
    names = [*_port_names(board, page), *_current_names(board, page)]
    shapes = (
        *_sea_and_land(board, frame, (rose_box, key_box)),
        *(shape for current in board.currents for shape in _arrow(current)),
        *(shape for port in board.ports.values() for shape in _port(board, port)),
        *names,
        *_margins(frame, right + MARGIN, height),
        *_grid_names(board, frame),
        *_key(key_box),
    )
    return _Chart(right + MARGIN, height, tuple(shapes), tuple(page.taken), rose_box, frame)


def _free_places(board: Board, bottom: int) -> tuple[Box, Box, int]:
    """Find land for the wind rose and the key; what finds none stands under the map, for which the paper grows."""
    boxes: list[Box] = []
    height = bottom + MARGIN
    for columns, rows in (_ROSE_SIZE, _KEY_SIZE):
        box = _free_land(board, columns, rows, boxes)
        if box is None:
            left = MARGIN + (columns + 1) * CELL * len(boxes)
            box = Box(left, bottom + MARGIN, left + columns * CELL, bottom + MARGIN + rows * CELL)
            height = max(height, int(box.bottom) + MARGIN)
        boxes.append(box)
    return boxes[0], boxes[1], height


def _free_land(board: Board, columns: int, rows: int, taken: Sequence[Box]) -> Box | None:
    """Return the all-land rectangle of that size that lies nearest to a corner of the map and covers none of ``taken``."""
    found = []
    for row in range(board.height - rows + 1):
        for column in range(board.width - columns + 1):
            if all(set(line[column : column + columns]) == {LAND} for line in board.rows[row : row + rows]):
                left, top = MARGIN + column * CELL, MARGIN + row * CELL
                box = Box(left, top, left + columns * CELL, top + rows * CELL)
                away = min(row, board.height - rows - row) + min(column, board.width - columns - column)
                if not any(box.overlap(other) for other in taken):
                    found.append((away, row, column, box))
    return min(found)[3] if found else None


# Sea and land ---------------------------------------------------------------------------------------------------------

_HATCH: Final = Pattern("hatch", 5, 5, (Line(((0, 2.5), (5, 2.5)), Pen(stroke="#dcc088", width=1)),), 45)


def _sea_and_land(board: Board, frame: Box, kept: Sequence[Box]) -> Iterator[Shape]:
    land = tuple(
        smooth(ring, CELL, MARGIN, MARGIN)
        for ring in rings(range(-1, board.height + 1), range(-1, board.width + 1), lambda r, c: _is_land(board, r, c))
    )
    width, height = frame.right - frame.left, frame.bottom - frame.top
    yield Rect(frame.left, frame.top, width, height, Pen(fill=SEA_TINT))
    for colour, breadth in SHALLOWS:
        yield Region(land, Pen(stroke=colour, width=breadth))
    yield from _grid(board, frame)
    yield Region(land, Pen(fill=LAND_TINT))
    yield Region(land, Pen(fill="url(#hatch)", stroke=INK, width=1.5))
    inner = [box.grown(-2) for box in kept]
    for row in range(board.height):
        for column in range(board.width):
            box = _cell_box(f"{chr(65 + row)}{column + 1}")
            if _is_inland(board, row, column) and not any(box.overlap(other) for other in inner):
                yield from _relief(row, column)


def _is_land(board: Board, row: int, column: int) -> bool:
    """Land and ports; beyond the edge the map goes on as it ends."""
    row, column = min(max(row, 0), board.height - 1), min(max(column, 0), board.width - 1)
    return board.rows[row][column] != SEA


def _is_inland(board: Board, row: int, column: int) -> bool:
    return all(
        _is_land(board, row + down, column + right) and _sign(board, row + down, column + right) == LAND
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
    )


def _sign(board: Board, row: int, column: int) -> str:
    return board.rows[min(max(row, 0), board.height - 1)][min(max(column, 0), board.width - 1)]


def _relief(row: int, column: int) -> Iterator[Shape]:
    """Hills and trees, thinly sown, always the same on the same spot."""
    chance = scatter(row, column, 7)
    x, y = _middle(f"{chr(65 + row)}{column + 1}")
    x += (scatter(row, column, 8) - 0.5) * 10
    y += (scatter(row, column, 9) - 0.5) * 10
    if chance < 0.34:
        yield Line(((x - 9, y + 5), (x - 2, y - 6), (x + 1, y - 2), (x + 4, y - 7), (x + 11, y + 5)), Pen(stroke=HILL, width=1.4))
        yield Line(((x - 2, y - 6), (x, y + 3)), Pen(stroke=HILL, width=1))
        yield Line(((x + 4, y - 7), (x + 7, y + 3)), Pen(stroke=HILL, width=1))
    elif chance < 0.5:
        for shift in (-5, 4):
            yield Line(((x + shift, y + 4), (x + shift, y - 1)), Pen(stroke=HILL, width=1.2))
            yield Circle(x + shift, y - 4, 3.2, Pen(stroke=HILL, width=1.2))


def _grid(board: Board, frame: Box) -> Iterator[Shape]:
    pen = Pen(stroke=GRID, width=0.8)
    for column in range(1, board.width):
        x = MARGIN + column * CELL
        yield Line(((x, frame.top), (x, frame.bottom)), pen)
    for row in range(1, board.height):
        y = MARGIN + row * CELL
        yield Line(((frame.left, y), (frame.right, y)), pen)


def _margins(frame: Box, width: int, height: int) -> Iterator[Shape]:
    """Cover what was painted beyond the map and draw its frame, black and white by cells as on a sea chart."""
    paper = Pen(fill=PAPER)
    yield Rect(0, 0, width, frame.top, paper)
    yield Rect(0, frame.bottom, width, height - frame.bottom, paper)
    yield Rect(0, 0, frame.left, height, paper)
    yield Rect(frame.right, 0, width - frame.right, height, paper)
    outer = frame.grown(5)
    for side in _scale(frame, outer):
        yield Rect(side.left, side.top, side.right - side.left, side.bottom - side.top, Pen(fill=INK))
    for box in (frame, outer):
        yield Rect(box.left, box.top, box.right - box.left, box.bottom - box.top, Pen(stroke=INK, width=1.2))


def _scale(frame: Box, outer: Box) -> Iterator[Box]:
    for step in range(0, round((frame.right - frame.left) / CELL), 2):
        left = frame.left + step * CELL
        right = min(left + CELL, frame.right)
        yield Box(left, outer.top, right, frame.top)
        yield Box(left, frame.bottom, right, outer.bottom)
    for step in range(0, round((frame.bottom - frame.top) / CELL), 2):
        top = frame.top + step * CELL
        bottom = min(top + CELL, frame.bottom)
        yield Box(outer.left, top, frame.left, bottom)
        yield Box(frame.right, top, outer.right, bottom)


def _grid_names(board: Board, frame: Box) -> Iterator[Shape]:
    for column in range(board.width):
        x = MARGIN + (column + 0.5) * CELL
        for y in (frame.top - 9, frame.bottom + 18):
            yield Text(x, y, str(column + 1), 12, INK)
    for row in range(board.height):
        y = MARGIN + (row + 0.5) * CELL + 4
        for x in (frame.left - 15, frame.right + 15):
            yield Text(x, y, chr(65 + row), 13, INK, face="bold")


# Ports and currents ---------------------------------------------------------------------------------------------------


def _port(board: Board, port: Port) -> Iterator[Shape]:
    x, y = _middle(port.cell)
    if port.cell == board.goal:
        yield Circle(x, y, 12.5, Pen(fill=GOLD, stroke=INK, width=1))
    yield Group(_PORT_SIGNS[board.kinds[port.cell]], x, y)


def _castle(colour: str) -> tuple[Shape, ...]:
    walls = ((-8, 8), (-8, -6), (-5, -6), (-5, -3), (-2, -3), (-2, -8), (2, -8), (2, -3), (5, -3), (5, -6), (8, -6), (8, 8))
    gate = ((-2, 8), (-2, 4), (0, 2.4), (2, 4), (2, 8))
    return Polygon(walls, Pen(fill=colour, stroke=INK, width=1)), Polygon(gate, Pen(fill=LAND_TINT))


def _black_flag() -> tuple[Shape, ...]:
    cloth = ((-6, -10), (9, -9), (7.5, -4), (9, 2), (-6, 1))
    return (
        Line(((-6, -11), (-6, 10)), Pen(stroke=INK, width=2)),
        Polygon(cloth, Pen(fill=PIRATES, stroke=INK, width=1)),
        Line(((-2.5, -1), (4.5, -6.5)), Pen(stroke=WHITE, width=1.3)),
        Line(((-2.5, -6.5), (4.5, -1)), Pen(stroke=WHITE, width=1.3)),
        Circle(1, -4.4, 2.6, Pen(fill=WHITE)),
    )


def _anchor() -> tuple[Shape, ...]:
    pen = Pen(stroke=HAVEN, width=2.2)
    return (
        Circle(0, 0, 10.5, Pen(fill=WHITE, stroke=HAVEN, width=1.2)),
        Circle(0, -5.5, 1.8, Pen(stroke=HAVEN, width=1.5)),
        Line(((0, -3.5), (0, 7)), pen),
        Line(((-3.4, -1.5), (3.4, -1.5)), pen),
        Line(((-6, 2), (-4.2, 5), (0, 7), (4.2, 5), (6, 2)), pen),
    )


_PORT_SIGNS: Final = {SPANISH: _castle(SPAIN), BASE: _black_flag(), NEUTRAL: _anchor()}
_PORT_INK: Final = {SPANISH: SPAIN, BASE: PIRATES, NEUTRAL: HAVEN}


def _port_names(board: Board, page: Page) -> list[Shape]:
    """Write the names of ports, the goal first, those in crowded waters before those with room."""
    found: list[Shape] = []
    crowd = {cell: sum(_near(cell, other) for other in board.ports) for cell in board.ports}
    for cell in sorted(board.ports, key=lambda one: (one != board.goal, -crowd[one], one)):
        size = 14.5 if cell == board.goal else 12
        x, y = _middle(cell)
        words = dict(board.ports[cell].name)
        width = max(text_width(name, size) for name in words.values())
        box = page.place(around(x, y, width, size, CELL * 0.5), lambda box: _stray(board, box, cell) + _wet(board, box) * 0.5)
        found.append(_written(box, x, Label("name", words), size, _PORT_INK[board.kinds[cell]]))
    return found


def _stray(board: Board, box: Box, cell: Cell) -> float:
    """Return how easily words are taken for another port's: they stand far from their own, or nearer to another."""
    own = box.distance(*_middle(cell))
    others = min((box.distance(*_middle(other)) for other in board.ports if other != cell), default=CELL * 9.0)
    return max(0.0, own - 12) * 45 + max(0.0, own + 8 - others) * 90


def _near(one: Cell, other: Cell) -> bool:
    (x, y), (right, down) = _middle(one), _middle(other)
    return abs(x - right) < CELL * 5 and abs(y - down) < CELL * 3


def _wet(board: Board, box: Box) -> float:
    """Return how much open sea a box covers: names are better written on land, ships sail on the rest."""
    sea = 0.0
    for row in range(int((box.top - MARGIN) // CELL), int((box.bottom - MARGIN) // CELL) + 1):
        for column in range(int((box.left - MARGIN) // CELL), int((box.right - MARGIN) // CELL) + 1):
            if 0 <= row < board.height and 0 <= column < board.width and board.rows[row][column] == SEA:
                left, top = MARGIN + column * CELL, MARGIN + row * CELL
                sea += box.overlap(Box(left, top, left + CELL, top + CELL))
    return sea


def _written(box: Box, x: float, label: Label, size: float, colour: str) -> Text:
    """Set words in a box: those on the right of a point begin at it, those on the left end at it, in any language."""
    middle = (box.left + box.right) / 2
    off = middle - x
    base = box.bottom - size * 0.2
    if abs(off) < 3:
        return Text(x, base, label, size, colour, "middle", "bold", WHITE)
    if off > 0:
        return Text(box.left, base, label, size, colour, "start", "bold", WHITE)
    return Text(box.right, base, label, size, colour, "end", "bold", WHITE)


def _arrow(current: Current) -> Iterator[Shape]:
    """A broad stream with a head; it begins narrow at the tail, where ships are taken (P22)."""
    points = [_middle(cell) for cell in current.cells]
    (x0, y0), (x1, y1) = points[0], points[-1]
    length = math.hypot(x1 - x0, y1 - y0)
    along, across = ((x1 - x0) / length, (y1 - y0) / length), (-(y1 - y0) / length, (x1 - x0) / length)

    def at(far: float, aside: float) -> Point:
        return x0 + along[0] * far + across[0] * aside, y0 + along[1] * far + across[1] * aside

    end = length + 6
    body = (at(-7, -2), at(end - 11, -4.5), at(end - 12, -8.5), at(end, 0), at(end - 12, 8.5), at(end - 11, 4.5), at(-7, 2))
    yield Polygon(body, Pen(fill=STREAM, stroke=WHITE, width=1))
    yield Line((at(-3, 0), at(end - 5, 0)), Pen(stroke=WHITE, width=1.2, dash=(6, 4)))


def _across(current: Current) -> Point:
    (x0, y0), (x1, y1) = _middle(current.cells[0]), _middle(current.cells[-1])
    length = math.hypot(x1 - x0, y1 - y0)
    return -(y1 - y0) / length, (x1 - x0) / length


def _current_names(board: Board, page: Page) -> list[Shape]:
    """Write the names of currents along the sea; one that would cover ports or other names is left out."""
    found: list[Shape] = []
    size = 11.0
    for current in board.currents:
        middle = [_middle(cell) for cell in current.cells]
        x = sum(point[0] for point in middle) / len(middle)
        y = sum(point[1] for point in middle) / len(middle)
        words = dict(current.name)
        width = max(text_width(name, size) for name in words.values()) * 0.92
        best = min(beside(x, y, width, size, _across(current), 9), key=page.cost)
        if page.cost(best) < width * size * 2:
            page.take(best, 60)
            centre = (best.left + best.right) / 2
            found.append(Text(centre, best.bottom - 2, Label("name", words), size, HAVEN, face="italic", halo=SEA_TINT))
    return found


# Ships ----------------------------------------------------------------------------------------------------------------


def ship_shapes(ship: Ship, *, gold: bool = False) -> tuple[Shape, ...]:
    """Return a ship about the origin, within half a cell: the class by hull and rig, the side by colour and flag, her
    number on the sail, a hole for each hit, a coin if she is known to carry the gold."""
    spanish = ship.side == "spain"
    body, cloth, ink = (SPAIN, WHITE, SPAIN) if spanish else (PIRATES, "#3a3431", WHITE)
    if ship.fate == "derelict":
        body, cloth, ink = GREY, PAPER, INK
    hull, sail, mast = _GALLEON if ship.kind == "galleon" else _BRIGANTINE
    parts: list[Shape] = [
        Polygon(hull, Pen(fill=body, stroke=WHITE, width=3)),
        Polygon(sail, Pen(fill=cloth, stroke=WHITE, width=3)),
        Line(((mast, -15), (mast, 4)), Pen(stroke=INK, width=1.6)),
        Polygon(hull, Pen(fill=body, stroke=INK, width=1.1)),
    ]
    if ship.fate != "derelict":
        parts.append(Polygon(_flag(mast, spanish), Pen(fill=body, stroke=INK, width=0.8)))
    parts.append(Polygon(sail, Pen(fill=cloth, stroke=INK, width=1.1)))
    parts.append(Text(mast + (0.4 if ship.kind == "galleon" else 1.2), -0.2, str(ship.number), 12.5, ink, face="bold"))
    parts += [Circle(-5.5 + 5.5 * place, 7, 2.2, Pen(fill=FLASH, stroke=INK, width=1)) for place in range(ship.hits)]
    if gold:
        parts.append(Circle(-10, -8.5, 4.4, Pen(fill=GOLD, stroke=INK, width=1.2)))
        parts.append(Circle(-10, -8.5, 2.2, Pen(stroke=FADED, width=0.9)))
    return tuple(parts)


_GALLEON: Final = (
    ((-12.5, -3), (-8, -3), (-7, 2.5), (7, 2.5), (8, -0.5), (13, -1.5), (11, 5), (8, 10.5), (-9, 10.5), (-11.5, 5)),
    ((-6.5, -12), (6.5, -12), (8.5, -6), (7, 1.2), (-6.5, 1.2), (-4.5, -6)),
    0.0,
)
_BRIGANTINE: Final = (
    ((-11, 3), (-4, 4.4), (6, 4), (13, 1.5), (8.5, 10), (-8, 10)),
    ((-8.5, 2), (-4.5, -9), (2, -13), (10, 2)),
    -0.6,
)


def _flag(mast: float, spanish: bool) -> tuple[Point, ...]:  # noqa: FBT001 - one of two flags
    if spanish:
        return (mast, -16), (mast + 9, -13.8), (mast, -11.8)
    return (mast, -16), (mast + 8, -16), (mast + 8, -12), (mast, -12)


def _overlay(view: PiratesView, board: Board, chart: _Chart, events: Sequence[Event]) -> Iterator[Shape]:
    ways = voyages(view, events)
    by_number = {ship.number: ship for ship in view.ships}
    for number, way in ways.items():
        yield from _track(way, by_number[number])
    yield from _shots(view, events)
    yield from _losses(events, by_number)
    at_sea = [ship for ship in view.ships if ship.cell is not None and board.is_sea(ship.cell)]
    for ship in at_sea:
        x, y = _middle(ship.cell or "")
        yield Group(ship_shapes(ship, gold=_golden(view, ship)), x, y, -9 if ship.fate == "derelict" else 0)
    yield from _berths(view, board, chart, at_sea)
    yield from _wind_rose(view, board, chart.rose)


def _golden(view: PiratesView, ship: Ship) -> bool:
    return view.gold == ship.number and view.gold != 0


def _track(way: Sequence[Cell], ship: Ship) -> Iterator[Shape]:
    """The way of a turn as a row of dots, from a ring where it began."""
    if len(way) < 2:
        return
    points = tuple(_middle(cell) for cell in way)
    colour = SPAIN if ship.side == "spain" else PIRATES
    yield Line(points, Pen(stroke=WHITE, width=4.5, opacity=0.8))
    yield Line(points, Pen(stroke=colour, width=2.6, dash=(0.1, 5.5)))
    yield Circle(*points[0], 3.6, Pen(fill=WHITE, stroke=colour, width=1.6))


def _shots(view: PiratesView, events: Sequence[Event]) -> Iterator[Shape]:
    """Each shot as a line; a star where it struck, rings in the water where it did not."""
    struck: set[Cell] = set()
    for event, here in zip(events, sightings(view, events), strict=True):
        if not isinstance(event, ShotFired) or event.target not in here:
            continue
        aim = here[event.target]
        x, y = _middle(aim)
        for number in event.ships:
            if number in here:
                yield from _shot(_middle(here[number]), (x, y), hit=event.hit)
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
    """A cross and the number where a ship went down this turn."""
    for event in events:
        if isinstance(event, ShipSunk) or (isinstance(event, ShipWrecked) and not event.derelict):
            x, y = _middle(event.cell)
            colour = SPAIN if ships[event.ship].side == "spain" else PIRATES
            for points in (((x - 8, y - 8), (x + 8, y + 8)), ((x - 8, y + 8), (x + 8, y - 8))):
                yield Line(points, Pen(stroke=WHITE, width=6))
                yield Line(points, Pen(stroke=colour, width=3))
            yield Text(x + 12, y - 5, str(event.ship), 12, colour, face="bold", halo=WHITE)


def _berths(view: PiratesView, board: Board, chart: _Chart, at_sea: Sequence[Ship]) -> Iterator[Shape]:
    """Ships in port lie side by side on a plate beside it, so that every number can be read."""
    page = Page(chart.frame, list(chart.taken))
    for ship in at_sea:
        page.take(_cell_box(ship.cell or ""), 60)
    for cell in board.ports:
        ships = [ship for ship in view.ships if ship.cell == cell]
        if ships:
            yield from _berth(cell, ships, view, page, board)


def _berth(cell: Cell, ships: Sequence[Ship], view: PiratesView, page: Page, board: Board) -> Iterator[Shape]:
    x, y = _middle(cell)
    pitch, scale = 24.0, 0.84
    width, height = pitch * len(ships) + 4, 27.0
    box = page.place(around(x, y, width, height, CELL * 0.55), lambda box: _stray(board, box, cell) + _wet(board, box) * 0.4)
    middle = ((box.left + box.right) / 2, (box.top + box.bottom) / 2)
    yield Line(((x, y), middle), Pen(stroke=INK, width=1.4))
    yield Group(_PORT_SIGNS[board.kinds[cell]], x, y)
    yield Rect(box.left, box.top, width, height, Pen(fill=WHITE, stroke=INK, width=1.1), 5)
    for place, ship in enumerate(ships):
        shapes = ship_shapes(ship, gold=_golden(view, ship))
        yield Group(shapes, box.left + 2 + pitch * (place + 0.5), middle[1] + 2.4, scale=scale)


# The wind -------------------------------------------------------------------------------------------------------------

_FORCE_TINT: Final = {"calm": "#f6d860", "fresh": "#bfe0ea", "hurricane": "#e0644f"}


def _wind_facts(wind: Wind) -> dict[str, str]:
    return {"rhumb": wind.rhumb, "force": wind.force}


def _wind_rose(view: PiratesView, board: Board, box: Box) -> Iterator[Shape]:
    """The compass with the wind of the coming turn, and at each point how far a galleon and a brigantine may run."""
    x, y = (box.left + box.right) / 2, box.top + (box.bottom - box.top) * 0.58
    radius = min(box.right - box.left, (box.bottom - box.top) * 0.84) * 0.31
    title = dict(board.title)
    yield Text(x, box.top + 17, Label("chart-title", {"title": title, "round": view.round}), 16, INK, face="bold", halo=LAND_TINT)
    yield Text(x, box.top + 33, Label("chart-wind", _wind_facts(view.wind)), 12.5, INK, face="italic", halo=LAND_TINT)
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
    """An arrow that flies downwind through the compass (P14); in a calm there is none, in a hurricane there are three."""
    if wind.force == "calm":
        return
    angle = math.pi * RHUMBS.index(opposite(wind.rhumb)) / 4
    along, across = (math.sin(angle), -math.cos(angle)), (math.cos(angle), math.sin(angle))

    def at(far: float, aside: float) -> Point:
        return x + along[0] * far + across[0] * aside, y + along[1] * far + across[1] * aside

    for aside in (0,) if wind.force == "fresh" else (-11, 11, 0):
        tail, tip = -radius * (1.0 if aside == 0 else 0.8), radius * (0.96 if aside == 0 else 0.76)
        body = (
            at(tail, aside - 3), at(tip - 13, aside - 3), at(tip - 13, aside - 8.5), at(tip, aside),
            at(tip - 13, aside + 8.5), at(tip - 13, aside + 3), at(tail, aside + 3),
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


# The key --------------------------------------------------------------------------------------------------------------


def _key(box: Box) -> Iterator[Shape]:
    """What the signs mean, in the reader's words."""
    width, height = box.right - box.left - 12, box.bottom - box.top - 12
    yield Rect(box.left + 6, box.top + 6, width, height, Pen(fill=PAPER, stroke=INK, width=1.2), 4)
    yield Rect(box.left + 9, box.top + 9, width - 6, height - 6, Pen(stroke=FADED, width=0.7), 3)
    step = (height - 16) / 7
    for place, (key, shapes) in enumerate(_KEY):
        y = box.top + 14 + step * (place + 0.5)
        yield Group(shapes, box.left + 26, y, scale=0.85)
        yield Text(box.left + 43, y + 4, Label(key), 12.5, INK, "start")


def _sample(number: int, hits: int = 0) -> tuple[Shape, ...]:
    kind, side = ("galleon", "spain") if number < 4 else ("brigantine", "pirates")
    ship = Ship(
        number=number,
        kind="galleon" if kind == "galleon" else "brigantine",
        name="",
        owner="",
        side="spain" if side == "spain" else "pirates",
        home="",
        cell=None,
        hits=hits,
    )
    return ship_shapes(ship)


_STREAM_SIGN: Final = (
    Polygon(((-13, -2), (3, -4), (2, -8), (14, 0), (2, 8), (3, 4), (-13, 2)), Pen(fill=STREAM, stroke=WHITE, width=1)),
)
_KEY: Final[tuple[tuple[str, tuple[Shape, ...]], ...]] = (
    ("key-galleon", _sample(1)),
    ("key-brigantine", _sample(4)),
    ("key-spanish", _castle(SPAIN)),
    ("key-base", _black_flag()),
    ("key-neutral", _anchor()),
    ("key-current", _STREAM_SIGN),
    ("key-hits", (Circle(-4, 0, 4, Pen(fill=FLASH, stroke=INK, width=1.2)), Circle(6, 0, 4, Pen(fill=FLASH, stroke=INK, width=1.2)))),
)


# The same as text -----------------------------------------------------------------------------------------------------

_STREAM_SIGNS: Final = {"E": ">", "W": "<", "N": "^", "S": "v", "NE": "/", "SW": "/", "NW": "\\", "SE": "\\"}


def text_rows(view: PiratesView) -> tuple[str, ...]:
    """Return the chart for a fixed-width mail: two lines of column numbers, then a row a line; ships stand as their
    numbers, several in a port as ``+``."""
    board = board_of(view.options.board, view.board)
    signs = {cell: _text_sign(board, cell) for cell in board.kinds}
    for cell in board.kinds:
        here = [ship.number for ship in view.ships if ship.cell == cell]
        if here:
            signs[cell] = str(here[0]) if len(here) == 1 else "+"
    tens = "".join(str(column // 10) if column >= 10 else " " for column in range(1, board.width + 1))
    units = "".join(str(column % 10) for column in range(1, board.width + 1))
    rows = [f"   {tens}".rstrip(), f"   {units}"]
    for row in range(board.height):
        letter = chr(65 + row)
        rows.append(f"{letter}  " + "".join(signs[f"{letter}{column}"] for column in range(1, board.width + 1)))
    return tuple(rows)


def _text_sign(board: Board, cell: Cell) -> str:
    arrow = board.arrows.get(cell)
    if arrow is None:
        return board.kinds[cell]
    current, place = arrow
    first, second = current.cells[:2] if place == 0 else current.cells[place - 1 : place + 1]
    one, other = parse_cell(first), parse_cell(second)
    down, right = other.row - one.row, other.column - one.column
    name = ("N" if down < 0 else "S" if down > 0 else "") + ("W" if right < 0 else "E" if right > 0 else "")
    return _STREAM_SIGNS[name]


def text_legend(view: PiratesView) -> Iterator[Label]:
    """Yield what the signs of `text_rows` mean, and which ships lie together in a port."""
    board = board_of(view.options.board, view.board)
    yield Label("rows")
    for cell, port in board.ports.items():
        here = [ship.number for ship in view.ships if ship.cell == cell]
        if len(here) > 1:
            yield Label("rows-berth", {"port": dict(port.name), "cell": cell, "ships": here})
