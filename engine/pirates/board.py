"""The chart of «Пираты»: a board file checked and turned into tables that the rules look up (P7, P11–P13, P22)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from importlib import resources
from typing import Any, Final, Literal, TypeAlias

import msgspec

from engine.core.codec import encode
from engine.core.geometry import (
    MOST_COLUMNS,
    MOST_ROWS,
    RHUMBS,
    STEPS,
    Cell,
    Rhumb,
    Spot,
    cell_name,
    parse_cell,
)

FORMAT: Final = "pirates-board/1"
LAND: Final = "#"
SEA: Final = "."
SPANISH: Final = "S"
BASE: Final = "P"
NEUTRAL: Final = "N"

Barrier: TypeAlias = Literal["", "edge", "land", "corner", "port"]
"""What bars a step: nothing, the edge (P13), land (P7), a barred corner (P12) or a port shut to the ship (P11)."""

OPEN_TO: Final[dict[str, str]] = {"spain": SPANISH, "pirates": BASE + NEUTRAL}
"""The kinds of port each side may enter (P11)."""

_KINDS: Final = LAND + SEA + SPANISH + BASE + NEUTRAL
_ID: Final = re.compile(r"[a-z0-9-]{1,32}", re.ASCII)
_LONGEST_NAME: Final = 40
_SHIPS: Final = tuple(str(number) for number in range(1, 10))
_MOST_PORTS: Final = 200


class BoardError(ValueError):
    """A board file that cannot be played on: where (a key or a cell), why (a reason code) and the facts of it."""

    def __init__(self, where: str, reason: str, **facts: Any) -> None:
        super().__init__(f"{where}: {reason} {facts}" if facts else f"{where}: {reason}")
        self.where = where
        self.reason = reason
        self.facts = facts


class Port(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A port: its cell, its id as events name it, and its name in both languages."""

    cell: Cell
    id: str
    name: dict[str, str]


class Current(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An arrow of the chart (P22): cells from tail to head."""

    id: str
    name: dict[str, str]
    cells: tuple[Cell, ...]


class Geo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the north-west corner of A1 lies, and the size of a cell, in minutes of arc; east and north positive."""

    west: int
    north: int
    width: int
    height: int


class BoardDocument(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A board file as it is written; see ``data/README.md``."""

    format: str
    title: dict[str, str]
    rows: tuple[str, ...]
    goal: Cell
    ports: tuple[Port, ...]
    currents: tuple[Current, ...] = ()
    start: dict[str, Cell] = {}
    geo: Geo | None = None


@dataclass(frozen=True, eq=False)
class Board:
    """A checked board; everything is looked up by the name of a cell. A board equals only itself.

    ``ahead`` gives the next cell towards each rhumb, ``barriers`` what bars the step there whoever makes it, ``arrows``
    the current of a cell and its place in it, counted from the tail.
    """

    title: Mapping[str, str]
    rows: tuple[str, ...]
    ports: Mapping[Cell, Port]
    currents: tuple[Current, ...]
    start: Mapping[int, Cell]
    goal: Cell
    geo: Geo | None
    kinds: Mapping[Cell, str] = field(repr=False)
    spots: Mapping[Cell, Spot] = field(repr=False)
    ahead: Mapping[Cell, Mapping[Rhumb, Cell | None]] = field(repr=False)
    barriers: Mapping[Cell, Mapping[Rhumb, Barrier]] = field(repr=False)
    arrows: Mapping[Cell, tuple[Current, int]] = field(repr=False)

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.rows[0])

    @property
    def height(self) -> int:
        """Number of rows."""
        return len(self.rows)

    @cached_property
    def seas(self) -> tuple[Cell, ...]:
        """All sea cells, row by row."""
        return tuple(cell for cell, kind in self.kinds.items() if kind == SEA)

    @cached_property
    def tails(self) -> Mapping[Cell, Current]:
        """The arrow that begins in a cell, for those where one does (P22)."""
        return {current.cells[0]: current for current in self.currents}

    @cached_property
    def shut(self) -> Mapping[str, Mapping[Cell, Mapping[Rhumb, Barrier]]]:
        """What bars the step from each cell towards each rhumb, by side: ``barriers`` and the ports shut to it."""
        return {side: {cell: self._shut(cell, side) for cell in self.kinds} for side in OPEN_TO}

    def _shut(self, cell: Cell, side: str) -> dict[Rhumb, Barrier]:
        found: dict[Rhumb, Barrier] = {}
        for rhumb, beyond in self.ahead[cell].items():
            entered = beyond is not None and (self.is_sea(beyond) or self.is_open(beyond, side))
            found[rhumb] = self.barriers[cell][rhumb] or ("" if entered else "port")
        return found

    @cached_property
    def bases(self) -> tuple[Cell, ...]:
        """All pirate bases, row by row."""
        return tuple(cell for cell, kind in self.kinds.items() if kind == BASE)

    def is_sea(self, cell: Cell) -> bool:
        """Say whether ships meet here: one ship a cell, guns reach it, wind and current carry (P8, P30)."""
        return self.kinds[cell] == SEA

    def is_open(self, cell: Cell, side: str) -> bool:
        """Say whether this cell is a port that ships of ``side`` may enter (P11)."""
        return self.kinds[cell] in OPEN_TO[side]

    def barrier(self, cell: Cell, rhumb: Rhumb, side: str) -> Barrier:
        """Return what bars a step of a ship of ``side`` from a cell, ships apart (P7, P11–P13)."""
        return self.shut[side][cell][rhumb]

    def step(self, cell: Cell, rhumb: Rhumb) -> Cell:
        """Return the cell that lies next towards a rhumb. Raises ValueError at the edge of the map."""
        beyond = self.ahead[cell][rhumb]
        if beyond is None:
            raise ValueError(f"nothing lies {rhumb} of {cell!r}")
        return beyond

    def upstream(self, start: Cell, end: Cell) -> Current | None:
        """Return the arrow that a step goes against: both cells are its own and the step leads to its tail (P24)."""
        here, there = self.arrows.get(start), self.arrows.get(end)
        if here is None or there is None or here[0] is not there[0] or there[1] > here[1]:
            return None
        return here[0]

    def tail_at(self, cell: Cell) -> Current | None:
        """Return the arrow whose tail is here (P22)."""
        return self.tails.get(cell)


def load_board(document: Mapping[str, Any]) -> Board:
    """Return the board of a parsed document (TOML or JSON). Raises BoardError for one that cannot be played on."""
    sheet = _shape(document)
    kinds = _kinds(sheet.rows)
    spots = {cell: parse_cell(cell) for cell in kinds}
    ahead = {cell: _ahead(spot, kinds) for cell, spot in spots.items()}
    barriers = {cell: _barriers(ahead[cell], kinds) for cell in kinds}
    board = Board(
        title=sheet.title,
        rows=sheet.rows,
        ports={port.cell: port for port in sheet.ports},
        currents=sheet.currents,
        start={int(number): cell for number, cell in sheet.start.items()},
        goal=sheet.goal,
        geo=sheet.geo,
        kinds=kinds,
        spots=spots,
        ahead=ahead,
        barriers=barriers,
        arrows={cell: (current, place) for current in sheet.currents for place, cell in enumerate(current.cells)},
    )
    _check_names(sheet)
    _check_ports(board, sheet.ports)
    _check_sea(board)
    _check_currents(board)
    _check_start(board)
    return board


@cache
def packaged_board(name: str) -> Board:
    """Return a board that ships with the ruleset, by the name of its file. Raises BoardError if there is none."""
    source = resources.files("engine.pirates") / "data" / f"{name}.toml"
    if not _ID.fullmatch(name) or not source.is_file():
        raise BoardError("board", "unknown", name=name)
    return load_board(tomllib.loads(source.read_text("utf-8")))


def board_of(name: str, document: Mapping[str, Any] | None) -> Board:
    """Return the board of a game: the document its group brought, else the packaged board of that name."""
    return packaged_board(name) if document is None else _brought(encode(document))


@lru_cache(maxsize=32)
def _brought(text: str) -> Board:
    return load_board(msgspec.json.decode(text))


# Checks ---------------------------------------------------------------------------------------------------------------


def _shape(document: Mapping[str, Any]) -> BoardDocument:
    try:
        sheet = msgspec.convert(document, BoardDocument)
    except msgspec.ValidationError as error:
        raise BoardError("document", "shape", problem=str(error)) from error
    if sheet.format != FORMAT:
        raise BoardError("format", "unknown-format", found=sheet.format, expected=FORMAT)
    return sheet


def _kinds(rows: tuple[str, ...]) -> dict[Cell, str]:
    if not 1 <= len(rows) <= MOST_ROWS or not 1 <= len(rows[0]) <= MOST_COLUMNS:
        raise BoardError("rows", "size", rows=len(rows), columns=len(rows[0]) if rows else 0)
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise BoardError("rows", "ragged", row=chr(ord("A") + number), columns=len(row), expected=len(rows[0]))
    kinds = {cell_name(Spot(r, c)): sign for r, row in enumerate(rows) for c, sign in enumerate(row)}
    for cell, sign in kinds.items():
        if sign not in _KINDS:
            raise BoardError(cell, "unknown-sign", sign=sign)
    return kinds


def _ahead(spot: Spot, kinds: Mapping[Cell, str]) -> dict[Rhumb, Cell | None]:
    neighbours: dict[Rhumb, Cell | None] = {}
    for rhumb, (rows, columns) in STEPS.items():
        beyond = Spot(spot.row + rows, spot.column + columns)
        inside = 0 <= beyond.row < MOST_ROWS and 0 <= beyond.column < MOST_COLUMNS
        name = cell_name(beyond) if inside else ""
        neighbours[rhumb] = name if name in kinds else None
    return neighbours


def _barriers(ahead: Mapping[Rhumb, Cell | None], kinds: Mapping[Cell, str]) -> dict[Rhumb, Barrier]:
    return {rhumb: _barrier(rhumb, ahead, kinds) for rhumb in RHUMBS}


def _barrier(rhumb: Rhumb, ahead: Mapping[Rhumb, Cell | None], kinds: Mapping[Cell, str]) -> Barrier:
    beyond = ahead[rhumb]
    if beyond is None:
        return "edge"
    if kinds[beyond] == LAND:
        return "land"
    place = RHUMBS.index(rhumb)
    beside = (ahead[RHUMBS[place - 1]], ahead[RHUMBS[(place + 1) % 8]])
    diagonal = place % 2 == 1
    return "corner" if diagonal and all(cell is None or kinds[cell] == LAND for cell in beside) else ""


def _check_names(sheet: BoardDocument) -> None:
    _check_name("title", sheet.title)
    for key, things in (("ports", sheet.ports), ("currents", sheet.currents)):
        if len(things) > _MOST_PORTS:
            raise BoardError(key, "too-many", count=len(things), most=_MOST_PORTS)
        seen: set[str] = set()
        for thing in things:
            if not _ID.fullmatch(thing.id) or thing.id in seen:
                raise BoardError(key, "bad-id", id=thing.id)
            seen.add(thing.id)
            _check_name(thing.id, thing.name)


def _check_name(where: str, name: Mapping[str, str]) -> None:
    if set(name) != {"ru", "en"}:
        raise BoardError(where, "names-missing", languages=sorted(name))
    for text in name.values():
        if not text.strip() or len(text) > _LONGEST_NAME or not text.isprintable():
            raise BoardError(where, "bad-name", name=text)


def _check_ports(board: Board, ports: tuple[Port, ...]) -> None:
    for port in ports:
        if board.kinds.get(port.cell, LAND) in LAND + SEA:
            raise BoardError(port.cell, "no-port-drawn", port=port.id)
    if len(board.ports) != len(ports):
        twice = [port.cell for port in ports if board.ports[port.cell] is not port]
        raise BoardError(twice[0], "port-twice")
    for cell, kind in board.kinds.items():
        if kind not in LAND + SEA and cell not in board.ports:
            raise BoardError(cell, "port-unnamed", kind=kind)
    for cell in board.ports:
        if not any(_reaches(board, cell, rhumb) for rhumb in RHUMBS):
            raise BoardError(cell, "port-closed")


def _reaches(board: Board, cell: Cell, rhumb: Rhumb) -> bool:
    return not board.barriers[cell][rhumb] and board.is_sea(board.step(cell, rhumb))


def _check_sea(board: Board) -> None:
    """Refuse a sea of which a ship could not reach every part without passing a port."""
    if not board.seas:
        raise BoardError("rows", "no-sea")
    reached = {board.seas[0]}
    shore = [board.seas[0]]
    while shore:
        cell = shore.pop()
        found = [board.step(cell, rhumb) for rhumb in RHUMBS if _reaches(board, cell, rhumb)]
        shore += [beyond for beyond in found if beyond not in reached]
        reached.update(found)
    for cell in board.seas:
        if cell not in reached:
            raise BoardError(cell, "sea-cut-off")


def _check_currents(board: Board) -> None:
    owners: dict[Cell, str] = {}
    for current in board.currents:
        if len(current.cells) < 2:
            raise BoardError(current.id, "current-too-short", cells=len(current.cells))
        for cell in current.cells:
            if board.kinds.get(cell) != SEA:
                raise BoardError(current.id, "current-off-sea", cell=cell)
            if cell in owners:
                raise BoardError(current.id, "current-shares-cell", cell=cell, other=owners[cell])
            owners[cell] = current.id
        if _heading(board, current) is None:
            raise BoardError(current.id, "current-not-straight")


def _heading(board: Board, current: Current) -> Rhumb | None:
    """Return the one rhumb along which every step of an arrow leads, or None."""
    pairs = list(zip(current.cells, current.cells[1:], strict=False))
    for rhumb in RHUMBS:
        if all(board.ahead[start][rhumb] == end and not board.barriers[start][rhumb] for start, end in pairs):
            return rhumb
    return None


def _check_start(board: Board) -> None:
    if board.kinds.get(board.goal) != SPANISH:
        raise BoardError("goal", "goal-not-spanish", cell=board.goal)
    if not board.start:
        return
    numbers = [str(number) for number in board.start]
    if sorted(numbers) != list(_SHIPS):
        raise BoardError("start", "start-numbers", found=sorted(numbers), expected=list(_SHIPS))
    for number, cell in sorted(board.start.items()):
        kind = SPANISH if number <= 3 else BASE
        if board.kinds.get(cell) != kind:
            raise BoardError("start", "start-not-a-home", ship=number, cell=cell)
        if cell == board.goal:
            raise BoardError("start", "start-at-goal", ship=number, cell=cell)
