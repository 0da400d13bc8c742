"""The ways that lead on from a pass tile, and which of them are certain death (J3.4, J3.6, J8.02–J8.14)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.jackal.board import NO_VESSEL, Board
from engine.jackal.isle import DIRECTIONS, LAND, Cell
from engine.jackal.rules.entering import OK, barred
from engine.jackal.rules.run import FLIGHT, HORSE_JUMP, NO_VECTOR, STEP, Run
from engine.jackal.state import BALL, FR, STEPS_A_CELL
from engine.jackal.tiles import (
    ARROW,
    BALLOON,
    CANNIBAL,
    CANNON,
    CARAMBA,
    CODE,
    CROC,
    HORSE,
    ICE,
    OPEN,
    PASSES,
    barrel_of,
    exits_of,
)

How: TypeAlias = Literal[
    "step", "exit", "jump", "slide", "flight", "balloon", "shot", "back", "cave", "spin", "aboard", "swim"
]

HALF: Final = DIRECTIONS // 2


class Way(NamedTuple):
    """A step that is about to be made: where to, how it is told, by which rule, and what ice will repeat (J3.7)."""

    cell: Cell
    how: How
    rule: str
    kind: int
    vector: int


def reversed_vector(vector: int) -> int:
    """Return the opposite direction."""
    return (vector + HALF) % DIRECTIONS if vector >= 0 else vector


def flights(run: Run, cell: Cell, rule: str) -> Iterator[Way]:
    """Yield the targets of a flight: own and allied ships, then every other land cell in reading order (R-18)."""
    board = run.board
    if board.options.plane_to_ship == "yes":
        for vessel in (run.colour, *(other for other in range(4) if other != run.colour)):
            if board.sides[vessel] == run.side:
                yield Way(board.ships[vessel], "flight", rule, FLIGHT, NO_VECTOR)
    for target in board.geo.land:
        if target != cell:
            yield Way(target, "flight", rule, FLIGHT, NO_VECTOR)


def target_of_cannon(board: Board, cell: Cell) -> Cell:
    """Return the first sea cell in the barrel's direction (J8.13)."""
    barrel = barrel_of(board.tiles[cell])
    while board.geo.terrain[cell] == LAND:
        cell = board.geo.around[cell][barrel]
    return cell


def ways_from(run: Run, cell: Cell, kind: int, vector: int, back: int) -> tuple[Sequence[Way], bool]:
    """Return the ways on from an open pass tile, and whether it is a tile with a choice (J3.6)."""
    board = run.board
    tile = board.tiles[cell]
    code = tile & CODE
    around = board.geo.around[cell]
    if ARROW[code]:
        exits = exits_of(tile)
        return [Way(around[exit_], "exit", "J8.02", STEP, exit_) for exit_ in exits], len(exits) > 1
    if code == HORSE or (code == ICE and kind == HORSE_JUMP):
        rule = "J8.03" if code == HORSE else "J8.05"
        return [Way(to, "jump", rule, HORSE_JUMP, NO_VECTOR) for to in board.geo.knights[cell]], True
    if code == ICE and kind == FLIGHT:
        return list(flights(run, cell, "J8.05")), True
    if code == ICE:
        return [Way(around[vector], "slide", "J8.05", STEP, vector)], False
    if code == CROC:
        to = back // STEPS_A_CELL
        return [Way(to, "back", "J8.07", kind, reversed_vector(vector) if kind == STEP else vector)], False
    if code == BALLOON:
        return [Way(board.ships[run.colour], "balloon", "J8.14", kind, vector)], False
    if code == CANNON:
        return [Way(target_of_cannon(board, cell), "shot", "J8.13", kind, vector)], False
    raise ValueError(f"{code!r} is no pass tile")


def admissible(run: Run, cell: Cell, ways: Sequence[Way], load: int) -> list[Way]:
    """Return the ways that are not used up and not barred (J3.4, J3.6)."""
    used = run.used
    return [way for way in ways if (cell, way.kind, way.cell) not in used and barred(run, way.cell, load) == OK]


def survives(run: Run, cell: Cell, way: Way) -> bool:
    """Say whether a way on from a cell can end otherwise than in death, as far as the open board shows (J2.8).

    Ways taken before are closed. A choice never needs to be made twice to live, so every place is looked at once.
    """
    board = run.board
    verdict = _ends(run, board, way)
    if verdict is not None:
        return verdict
    to_do = [(way, cell * STEPS_A_CELL)]
    seen = set()
    while to_do:
        way, back = to_do.pop()
        verdict = _ends(run, board, way)
        if verdict is not None:
            if verdict:
                return True
            continue
        key = (way, back)
        if key in seen:
            continue
        seen.add(key)
        ways, _ = run.book.ways(run, way.cell, way.kind, way.vector, back)
        here = way.cell * STEPS_A_CELL
        found = admissible(run, way.cell, ways, run.load)
        if not found and run.load and board.options.forced_load == "drop":
            found = admissible(run, way.cell, ways, 0)
        to_do += [(one, here) for one in found]
    return False


def _ends(run: Run, board: Board, way: Way) -> bool | None:
    """Return True for a way that ends alive, False for one that ends dead, None for one that goes on."""
    cell = way.cell
    if board.geo.terrain[cell] != LAND:
        vessel = board.vessel_at(cell)
        return vessel == NO_VESSEL or board.vessel_side(vessel) == run.side
    tile = board.tiles[cell]
    code = tile & CODE
    if not tile & OPEN or code == BALLOON or (code == ICE and way.kind == FLIGHT):
        return True
    if code == CANNON and run.load == BALL:
        return True
    if code == CANNIBAL:
        return run.unit == FR
    if code == CARAMBA:
        return run.wants.may_swear(run)
    return None if PASSES[code] else True


def fatal(run: Run, cell: Cell, way: Way) -> bool:
    """Say whether a way is certain death over open tiles (J2.8)."""
    return not survives(run, cell, way)
