"""Islands and rocks: what makes a layout legal, all places a pentomino can lie in, and the draw by dice (B5, D3)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.blockade.waters import SIDE, CellName, Square, apart, square
from engine.core.dice import Dice

ISLANDS: Final = 4
ROCKS: Final = 2
ISLAND_SQUARES: Final = 5
COLUMNS: Final = (2, SIDE - 1)
"""Islands and rocks lie in columns B to W (B5)."""
ISLAND_ROWS: Final = (6, SIDE - 1)
ROCK_ROWS: Final = (2, SIDE - 1)
CLEAR: Final = 2
"""With a clear square between them, things lie at least so many king's steps apart (D3)."""

Condition: TypeAlias = Literal[
    "island-count",
    "rock-count",
    "island-size",
    "square-twice",
    "island-broken",
    "island-near-mainland",
    "rock-near-mainland",
    "near-edge",
    "on-ship",
    "too-near",
]
"""The conditions of B5, in the order in which they are looked at."""

EXAMPLE: Final = (
    (
        ("E8", "F8", "G8", "G9", "G10"),
        ("K12", "L11", "L12", "L13", "M12"),
        ("Q9", "R9", "S9", "T9", "T10"),
        ("O17", "P17", "P18", "Q18", "Q19"),
    ),
    ("M5", "H15"),
)
"""A legal layout, to show how one is written (2.4)."""


class Fault(NamedTuple):
    """A condition that a layout breaks, and the squares that break it (none where the number is wrong)."""

    condition: Condition
    cells: tuple[CellName, ...] = ()
    number: int = 0


def in_order(cells: Iterable[CellName]) -> tuple[CellName, ...]:
    """Return squares by column, then row."""
    return tuple(one.name for one in sorted(square(cell) for cell in cells))


def fault_of(
    islands: Sequence[Sequence[CellName]], rocks: Sequence[CellName], ships: Collection[CellName]
) -> Fault | None:
    """Return the first condition of B5 that a layout breaks, None for a legal one."""
    return next(_faults(islands, rocks, ships), None)


def _faults(
    islands: Sequence[Sequence[CellName]], rocks: Sequence[CellName], ships: Collection[CellName]
) -> Iterator[Fault]:
    yield from _of_shape(islands, rocks)
    yield from _of_place(islands, rocks, ships)
    things = [tuple(map(square, island)) for island in islands] + [(square(rock),) for rock in rocks]
    for place, thing in enumerate(things):
        for another in things[:place]:
            near = [one for one in thing if any(apart(one, two) < CLEAR for two in another)]
            if near:
                touched = [two for two in another if any(apart(one, two) < CLEAR for one in near)]
                yield Fault("too-near", in_order(one.name for one in (*near, *touched)))


def _of_shape(islands: Sequence[Sequence[CellName]], rocks: Sequence[CellName]) -> Iterator[Fault]:
    if len(islands) != ISLANDS:
        yield Fault("island-count", number=len(islands))
    if len(rocks) != ROCKS:
        yield Fault("rock-count", number=len(rocks))
    for island in islands:
        if len(set(island)) != len(island):
            yield Fault("square-twice", in_order({cell for cell in island if list(island).count(cell) > 1}))
        if len(island) != ISLAND_SQUARES:
            yield Fault("island-size", tuple(island), len(island))
        if not _connected(frozenset(map(square, island))):
            yield Fault("island-broken", tuple(island))


def _of_place(
    islands: Sequence[Sequence[CellName]], rocks: Sequence[CellName], ships: Collection[CellName]
) -> Iterator[Fault]:
    high = [square(cell) for island in islands for cell in island]
    low = [square(cell) for cell in rocks]
    yield from _fault("island-near-mainland", [one for one in high if one.row < ISLAND_ROWS[0]])
    yield from _fault("rock-near-mainland", [one for one in low if one.row < ROCK_ROWS[0]])
    yield from _fault("near-edge", [one for one in (*high, *low) if not _clear_of_edges(one)])
    yield from _fault("on-ship", [one for one in (*high, *low) if one.name in ships])


def _fault(condition: Condition, squares: Sequence[Square]) -> Iterator[Fault]:
    if squares:
        yield Fault(condition, in_order(one.name for one in squares))


def _clear_of_edges(one: Square) -> bool:
    """Say whether a square keeps clear of the northern, eastern and western edges."""
    return COLUMNS[0] <= one.column <= COLUMNS[1] and one.row <= ISLAND_ROWS[1]


def _connected(squares: frozenset[Square]) -> bool:
    """Say whether squares hang together by their edges."""
    reached = set(sorted(squares)[:1])
    front = list(reached)
    for one in front:
        for right, up in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            near = Square(one.column + right, one.row + up)
            if near in squares and near not in reached:
                reached.add(near)
                front.append(near)
    return len(reached) == len(squares)


# Drawn by dice --------------------------------------------------------------------------------------------------------


class Region(NamedTuple):
    """Where islands and rocks may lie: columns, rows of islands, rows of rocks, first and last."""

    columns: tuple[int, int] = COLUMNS
    island_rows: tuple[int, int] = ISLAND_ROWS
    rock_rows: tuple[int, int] = ROCK_ROWS


BOARD: Final = Region()
"""The whole board."""


class Placement(NamedTuple):
    """A thing on the board: its squares in order, and as bits these and all that must stay clear about them."""

    squares: tuple[Square, ...]
    bits: int
    halo: int


@cache
def pentominoes() -> tuple[tuple[Square, ...], ...]:
    """Return the 63 fixed pentominoes, each by its squares in order, moved to column 1 and row 1."""
    shapes: set[tuple[Square, ...]] = {(Square(1, 1),)}
    for _ in range(ISLAND_SQUARES - 1):
        shapes = {_to_corner((*shape, near)) for shape in shapes for near in _beside(shape)}
    return tuple(sorted(shapes))


def _beside(shape: tuple[Square, ...]) -> Iterator[Square]:
    for one in shape:
        for right, up in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            near = Square(one.column + right, one.row + up)
            if near not in shape:
                yield near


def _to_corner(shape: tuple[Square, ...]) -> tuple[Square, ...]:
    left = min(one.column for one in shape) - 1
    low = min(one.row for one in shape) - 1
    return tuple(sorted(Square(one.column - left, one.row - low) for one in shape))


def _bit(one: Square) -> int:
    return 1 << ((one.column + 1) * (SIDE + 4) + one.row + 1)


def _placement(squares: tuple[Square, ...]) -> Placement:
    near = [Square(one.column + right, one.row + up) for one in squares for right in (-1, 0, 1) for up in (-1, 0, 1)]
    bits = sum(map(_bit, squares))
    halo = 0
    for one in near:
        halo |= _bit(one)
    return Placement(squares, bits, halo)


@cache
def island_placements(region: Region = BOARD) -> tuple[Placement, ...]:
    """Return every place of a pentomino in a region, ordered by their squares, these by column, then row."""
    found = sorted(
        tuple([Square(one.column + column, one.row + row) for one in shape])
        for shape in pentominoes()
        for column in range(region.columns[0] - 1, region.columns[1] - max(one.column for one in shape) + 1)
        for row in range(region.island_rows[0] - 1, region.island_rows[1] - max(one.row for one in shape) + 1)
    )
    return tuple(map(_placement, found))


@cache
def rock_placements(region: Region = BOARD) -> tuple[Placement, ...]:
    """Return every square of a region for a rock, by column, then row."""
    columns = range(region.columns[0], region.columns[1] + 1)
    rows = range(region.rock_rows[0], region.rock_rows[1] + 1)
    return tuple(_placement((Square(column, row),)) for column in columns for row in rows)


class Drawn(NamedTuple):
    """A layout that was drawn, at the how-manieth attempt."""

    islands: tuple[tuple[CellName, ...], ...]
    rocks: tuple[CellName, ...]
    attempt: int


MOST_ATTEMPTS: Final = 100
"""On the board of the game the first attempt always succeeds; a region too small for any layout must not hang."""


def draw(dice: Dice, ships: Collection[CellName], region: Region = BOARD) -> Drawn:
    """Draw a layout: each island from the places legal so far, then the rocks; an empty list begins anew (2.5, dice).

    Raises ValueError for a region in which no attempt succeeds.
    """
    for attempt in range(1, MOST_ATTEMPTS + 1):
        things = _attempt(dice, ships, region, attempt)
        if things is not None:
            names = [tuple(one.name for one in thing.squares) for thing in things]
            return Drawn(tuple(names[:ISLANDS]), tuple(name for (name,) in names[ISLANDS:]), attempt)
    raise ValueError(f"no layout lies in {region!r}")


def _attempt(dice: Dice, ships: Collection[CellName], region: Region, attempt: int) -> list[Placement] | None:
    afloat = sum(_bit(square(cell)) for cell in ships)
    taken = 0
    things: list[Placement] = []
    kinds = [("island", k, island_placements(region)) for k in range(ISLANDS)]
    kinds += [("rock", k, rock_placements(region)) for k in range(ROCKS)]
    for kind, k, placements in kinds:
        closed = taken | afloat
        legal = [one for one in placements if not one.bits & closed]
        if not legal:
            return None
        # The number in the list, as `Dice.one_of` gives it, without weighing twenty thousand places one by one.
        place = dice.die(f"map/x{attempt}/{kind}/{k}", len(legal)) if len(legal) > 1 else 1
        thing = legal[place - 1]
        things.append(thing)
        taken |= thing.halo
    return things
