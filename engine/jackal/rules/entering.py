"""Who may enter which place: admissible steps (J3.2) and the table of enemies in a place (J2.7)."""

from __future__ import annotations

from typing import Final

from engine.jackal.board import NO_VESSEL, Board
from engine.jackal.isle import COAST, LAND, NOWHERE, Cell
from engine.jackal.rules.run import Run
from engine.jackal.state import FR, LOCKED, LOST, STEPS_A_CELL
from engine.jackal.tiles import CAVE, CODE, FORT, FORT_GIRL, JUNGLE, OPEN, SPIN

OK: Final = ""
"""Nothing bars the way."""
_NO_LOADS: Final = (FORT, FORT_GIRL, JUNGLE)


def barred(run: Run, cell: Cell, load: int) -> str:
    """Return why a mover with a load may not enter a cell, `OK` if he may (J3.2 a, e, f, g).

    An enemy vessel is no bar: it kills (J6.7). Whether the step can be made at all (J3.2 b–d) is the caller's matter.
    """
    board = run.board
    terrain = NOWHERE if cell < 0 else board.geo.terrain[cell]
    if terrain == LAND:
        tile = board.tiles[cell]
        if not tile & OPEN:
            return "load-on-closed" if load else OK
        code = tile & CODE
        if load and code in _NO_LOADS:
            return "no-load-there"
        place = cell * STEPS_A_CELL + (1 if SPIN[code] else 0)
        return _held(run, place, code, load) if place in board.places else OK
    if terrain < LAND:
        return "off-the-board"
    if board.vessel_at(cell) != NO_VESSEL:
        return OK
    if terrain != COAST:
        return "off-the-board"
    place = cell * STEPS_A_CELL
    return _held(run, place, 0, 0) if place in board.places else OK


def barred_place(run: Run, place: int, load: int) -> str:
    """Return why a mover may not come to a numbered step of a spin, as `barred`."""
    board = run.board
    code = board.tiles[place // STEPS_A_CELL] & CODE
    return _held(run, place, code, load) if place in board.places else OK


def _held(run: Run, place: int, code: int, load: int) -> str:
    """Return why the enemies in a place keep a mover out (J2.7, J3.2 f), `OK` if they do not."""
    board = run.board
    enemies = board.enemies_at(place, run.side)
    if not enemies or code == JUNGLE:
        return OK
    if code in (FORT, FORT_GIRL):
        return "fort-held"
    if code == CAVE and any(board.moods[unit] & (LOST | LOCKED) for unit in enemies):
        return "cave-held"
    return _table(run, board, enemies, load)


def _table(run: Run, board: Board, enemies: list[int], load: int) -> str:
    """Return the answer of table J2.7 for enemies in one place, jungle and forts apart."""
    if any(board.is_sober(unit) for unit in enemies):
        alone = len(enemies) == 1
        return OK if alone and run.unit == FR and not load else "missionary-there"
    if load:
        return "load-onto-enemy"
    if enemies == [FR]:
        return OK
    if not run.fighter:
        return "no-fighter"
    return "beside-missionary" if run.pacified else OK
