"""The island of one view: tiles, what changed, ships, loads, characters, title and legend."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.core.contract import Event
from engine.core.drawing import Label, Pen, Point, Rect, Shape, Symbol, Text, Use
from engine.core.labels import text_width
from engine.jackal.board import sides_of
from engine.jackal.draw import changes, pieces
from engine.jackal.draw.paper import FADED, HEAD, INK, LETTERS, MARGIN, PAPER, ROW, SIDE, WHITE, centre, rings
from engine.jackal.draw.signs import CLOSED, NUMERALS, SIGNS, STEPS, sign_of
from engine.jackal.events import TileOpened
from engine.jackal.isle import ISLE, LAND, NOWHERE, Cell
from engine.jackal.state import COLOURS, STEPS_A_CELL, JackalView
from engine.jackal.tiles import BY_CODE, CODE, EFFECT, KINDS, OPEN, SPENT, SPIN

COLUMNS: Final = 4
"""Columns of the legend."""
_LETTERING: Final = 12.5
_VEIL: Final = "veil"
_KNOWN: Final = "known"
_THRONG: Final = 0.65
"""Pieces smaller than this on a step are a throng."""
_HINT: Final = 0.56
"""How large a peeked tile is drawn on its back."""

SYMBOLS: Final = (
    *(Symbol(name, shapes) for name, shapes in SIGNS.items()),
    *(Symbol(name, shapes) for name, shapes in pieces.symbols()),
    *(Symbol(name, shapes) for name, shapes in changes.symbols()),
    Symbol(_KNOWN, (Rect(-18, -18, 36, 36, Pen(stroke=WHITE, width=1.8, dash=(4, 3)), 4),)),
    Symbol(_VEIL, (Rect(-24.5, -24.5, 49, 49, Pen(fill="#f6e8bd", opacity=0.7), 4),)),
)
"""Everything a picture is put together from, once."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A view being drawn: whether the second sea ring is shown, and its legend."""

    view: JackalView
    second: bool
    legend: tuple[tuple[tuple[Shape, ...], Label], ...]

    @property
    def rows(self) -> int:
        """Return how many rows the legend takes."""
        return -(-len(self.legend) // COLUMNS)

    @property
    def width(self) -> int:
        """Return the width of the picture."""
        return rings(self.second) * SIDE + 2 * MARGIN

    @property
    def height(self) -> int:
        """Return the height of the picture."""
        return self.width + HEAD + (self.rows * ROW + 14 if self.rows else 0)


def sheet_of(view: JackalView, events: Sequence[Event]) -> Sheet:
    """Return what is to be drawn of a view."""
    return Sheet(view, view.options.ship_move == "second_ring", tuple(_legend(view, events)))


def overlay(sheet: Sheet, events: Sequence[Event]) -> Iterator[Shape]:
    """Yield what changes from turn to turn, from below to above."""
    view, second = sheet.view, sheet.second
    yield from _title(sheet)
    yield from _land(view.tiles, _lively(view, events), second)
    yield from _peeks(sheet)
    yield from changes.rings(events, second)
    for colour, cell in enumerate(view.ships):
        if cell != NOWHERE:
            yield from pieces.ship(colour, *centre(cell, second))
    if view.boat != NOWHERE:
        yield Use(f"afloat-{COLOURS[view.boat_owner]}", *centre(view.boat, second))
    yield from changes.tracks(events, second)
    yield from _places(view, second)
    yield from _key(sheet)


# Title and legend -----------------------------------------------------------------------------------------------------


def _title(sheet: Sheet) -> Iterator[Shape]:
    """Write game and round, and the gold of every colour beside its sail."""
    view = sheet.view
    yield Text(MARGIN, 31, Label("chart-title", {"round": view.round}), 22, INK, "start", "bold")
    sides, _ = sides_of(view.options, view.roster)
    x = sheet.width - MARGIN - 12.0
    for colour in range(len(COLOURS) - 1, -1, -1):
        if sides[colour] < 0:
            continue
        gold = pieces.Piece("load-coin", str(view.gold[colour]), INK, 17)
        plate = pieces.Piece(f"unit-{COLOURS[colour]}", pieces.letter(colour), LETTERS[colour], 22)
        yield from pieces.laid((plate, gold), (x - 30, 14, 42, 20))
        x -= 62


def _legend(view: JackalView, events: Sequence[Event]) -> Iterator[tuple[tuple[Shape, ...], Label]]:
    """Yield the signs that stand on the board with their names: kinds, then states, then changes."""
    tiles = [view.tiles[cell] for cell in ISLE.land]
    if any(not tile & OPEN for tile in tiles):
        yield _tile_key(CLOSED), Label("key-closed")
    seen = {BY_CODE[tile & CODE].key for tile in tiles if tile & OPEN}
    told: set[str] = set()
    for key, kind in KINDS.items():
        family = "arrow" if kind.exits else "chest" if kind.coins else "rum" if kind.bottles else key
        if key in seen and key != "empty" and family not in told:
            told.add(family)
            several = family in ("chest", "rum")
            yield _tile_key(key), Label(f"key-{family}") if several else Label("name", {"ru": kind.ru, "en": kind.en})
    if any(not view.tiles[peek.cell] & OPEN for peek in view.peeks):
        yield (*_tile_key(CLOSED), Use(_KNOWN, scale=0.46)), Label("key-known")
    for mark, bits in pieces.MARKS:
        if any(mood & bits for mood, place in zip(view.moods, view.places, strict=True) if place >= 0):
            yield (Use(f"mark-{mark}", scale=1.5),), Label(f"key-{mark}")
    yield from changes.legend(events)


def _tile_key(key: str) -> tuple[Shape, ...]:
    return (Use(key, scale=0.46),)


def _key(sheet: Sheet) -> Iterator[Shape]:
    """Write the legend by columns, each as broad as its longest name."""
    columns = [sheet.legend[start : start + sheet.rows] for start in range(0, len(sheet.legend), max(1, sheet.rows))]
    needs = [max(_breadth(label) for _, label in column) + 36 for column in columns]
    spare = (rings(sheet.second) * SIDE - sum(needs)) / len(needs) if needs else 0
    x, top = MARGIN + 13.0, sheet.width + HEAD + ROW / 2 + 2
    for column, need in zip(columns, needs, strict=True):
        for row, (shapes, label) in enumerate(column):
            yield from (changes.moved(shape, x, top + row * ROW) for shape in shapes)
            yield Text(x + 18, top + row * ROW + 4.5, label, _LETTERING, INK, "start")
        x += need + min(spare, 40)


def _breadth(label: Label) -> float:
    """Return how broad a name is in its longer language; of a phrase, as much as one may take."""
    words = label.facts.values() if label.key == "name" else ("м" * 12,)
    return max(text_width(word, _LETTERING) for word in words)


# The island -----------------------------------------------------------------------------------------------------------


def _lively(view: JackalView, events: Sequence[Event]) -> frozenset[Cell]:
    """Return the cells whose spent tile still matters: turned up this turn, or something lies there."""
    opened = {ISLE.cell(event.cell) for event in events if isinstance(event, TileOpened)}
    return frozenset(opened | {place // STEPS_A_CELL for place, _ in view.loads})


def _land(tiles: tuple[int, ...], lively: frozenset[Cell], second: bool) -> Iterator[Shape]:  # noqa: FBT001
    """Draw every tile; one that is spent, and no better than a blank, is pale."""
    for cell in ISLE.land:
        tile, at = tiles[cell], centre(cell, second)
        if not tile & OPEN:
            yield Use(CLOSED, *at)
            continue
        name, turn = sign_of(tile, cell)
        yield Use(name, *at, turn)
        if tile & EFFECT == SPENT and BY_CODE[tile & CODE].once and cell not in lively:
            yield Use(_VEIL, *at)


def _peeks(sheet: Sheet) -> Iterator[Shape]:
    """Draw on closed tiles what the viewer has seen under them: his own knowledge, in no other picture (5.5)."""
    for peek in sheet.view.peeks:
        if sheet.view.tiles[peek.cell] & OPEN:
            continue
        x, y = centre(peek.cell, sheet.second)
        name, turn = sign_of(peek.tile, peek.cell)
        yield Use(name, x, y, turn, _HINT)
        yield Use(_KNOWN, x, y)


# What stands there ----------------------------------------------------------------------------------------------------


def _places(view: JackalView, second: bool) -> Iterator[Shape]:  # noqa: FBT001
    """Draw loads and characters cell by cell."""
    cells: dict[Cell, dict[int, tuple[pieces.Piece, ...]]] = {}
    for unit, place in enumerate(view.places):
        if place >= 0:
            steps = cells.setdefault(place // STEPS_A_CELL, {})
            steps[place % STEPS_A_CELL] = (*steps.get(place % STEPS_A_CELL, ()), pieces.unit_piece(view, unit))
    loads = {place: pieces.load_pieces(heap) for place, heap in view.loads}
    for cell in sorted(cells.keys() | {place // STEPS_A_CELL for place in loads}):
        men, at = cells.get(cell, {}), centre(cell, second)
        spin = SPIN[view.tiles[cell] & CODE] if view.tiles[cell] & OPEN else 0
        if spin:
            standing = [(step, men.get(step, ()), loads.get(cell * STEPS_A_CELL + step, ())) for step in range(1, 6)]
            yield from _spin(spin, {step: (*who, *what) for step, who, what in standing if who or what}, at)
        else:
            yield from _stand(view, cell, men.get(0, ()), loads.get(cell * STEPS_A_CELL, ()), at)


def _stand(
    view: JackalView, cell: Cell, men: tuple[pieces.Piece, ...], loads: tuple[pieces.Piece, ...], at: Point
) -> Iterator[Shape]:
    """Draw who is aboard on the hull, swimmers amid the cell; on land loads above, men below."""
    left, top = at[0] - 25, at[1] - 25
    if cell in view.ships:
        yield from pieces.laid(men, (left, top + 19, 50, 31))
    elif ISLE.terrain[cell] != LAND:
        yield from pieces.laid(men, (left, top, 50, 33 if len(men) < 3 else 50))
    else:
        low = 32.0 if loads else 49.0
        yield from pieces.laid(loads, (left, top, 50, 17), top=True)
        yield from pieces.laid(men, (left, top + 50 - low, 50, low))


def _spin(spin: int, steps: dict[int, tuple[pieces.Piece, ...]], at: Point) -> Iterator[Shape]:
    """Draw who and what is on each step beside its number; in a throng, the steps taken as bands across the tile."""
    x, y = at
    room = 2 * NUMERALS[spin] + 0.5
    boxes = {step: STEPS[spin][step - 1] for step in steps}
    if all(pieces.fit(steps[step], wide - room, high) >= _THRONG for step, (_, _, wide, high) in boxes.items()):
        for step, (left, top, wide, high) in boxes.items():
            yield from pieces.laid(steps[step], (x + left + room, y + top, wide - room, high))
        return
    high = min(48 / len(steps), 34.0)
    for place, (step, here) in enumerate(steps.items()):
        top = y - high * len(steps) / 2 + place * high
        yield Rect(x - 24, top + 0.5, 48, high - 1, Pen(fill=PAPER, stroke=FADED, width=0.8), 4)
        yield Use(f"step-{step}", x - 17.5, top + high / 2, scale=min(1.0, high / 12))
        yield from pieces.laid(here, (x - 11, top + 0.5, 34.5, high - 1))
