"""«По умолчанию»: what a slot without an order does (5.2)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from engine.core.geometry import RHUMBS
from engine.jackal.board import NO_VESSEL, Board, homes_of
from engine.jackal.commands import AnyAct, Sail, SpinStep, Step
from engine.jackal.isle import COAST, LAND, NOWHERE, Cell, Geography
from engine.jackal.rules.moves import candidates
from engine.jackal.rules.vessels import sea_lanes
from engine.jackal.state import COLOURS, LOCKED, LOST, STEPS_A_CELL, UNITS, WAKING
from engine.jackal.tiles import CODE, SPIN


def default_acts(board: Board, colour: int) -> Iterator[AnyAct]:
    """Yield what «по умолчанию» tries, in its order; the first that is legal and harmless counts."""
    yield from _spin_steps(board, colour)
    yield from _homeward(board, colour)
    yield from _swimmers(board, colour)
    yield from (what for what in candidates(board, colour) if isinstance(what, Step) and what.load is None)


def harmless(before: Board, after: Board, what: AnyAct) -> bool:
    """Say whether an action opened, struck, drowned, spent and sank nothing (5.2).

    Who walks into the sea of his own accord drowns for this purpose; a swimmer is there already.
    """
    if after.opened or after.struck or after.drowned or after.spent or after.sunk or after.grass:
        return False
    if not isinstance(what, Step):
        return True
    unit = UNITS.index(what.unit)
    return _dry(after, after.places[unit] // STEPS_A_CELL) or not _dry(before, before.places[unit] // STEPS_A_CELL)


def _dry(board: Board, cell: Cell) -> bool:
    return board.geo.terrain[cell] == LAND or board.vessel_at(cell) != NO_VESSEL


def _spin_steps(board: Board, colour: int) -> Iterator[AnyAct]:
    for unit in board.crew(colour):
        place = board.places[unit]
        on_spin = SPIN[board.tiles[place // STEPS_A_CELL] & CODE] > place % STEPS_A_CELL
        if on_spin and board.is_fighter(unit) and not board.moods[unit] & (WAKING | LOST | LOCKED):
            yield SpinStep(unit=UNITS[unit])


def _homeward(board: Board, colour: int) -> Iterator[AnyAct]:
    """Yield the ship's move toward its start cell, away from it if there, first the W or N way."""
    start = board.ships[colour]
    if start == NOWHERE:
        return
    apart = board.geo.apart[homes_of(board.options, board.sides, board.geo)[colour]]
    nearer = [cell for cell in sea_lanes(board, colour, start) if apart[cell] < apart[start] or not apart[start]]
    for cell in nearer:
        yield Sail(colour=COLOURS[colour], route=(RHUMBS[board.geo.direction(start, cell)],))


def _swimmers(board: Board, colour: int) -> Iterator[AnyAct]:
    strokes = swim_distances(board.geo, board.ships[colour])
    for unit in board.crew(colour):
        cell = board.places[unit] // STEPS_A_CELL
        if _dry(board, cell) or board.moods[unit] & WAKING:
            continue
        for target in board.geo.around[cell]:
            if strokes.get(target, strokes[cell]) < strokes[cell]:
                yield Step(unit=UNITS[unit], cell=board.geo.names[target])


@lru_cache(maxsize=256)
def swim_distances(geo: Geography, ship: Cell) -> dict[Cell, int]:
    """Return how many strokes each coastal cell is from a ship."""
    found = {ship: 0}
    shore = [ship]
    for cell in shore:
        for target in geo.around[cell]:
            if target >= 0 and geo.terrain[target] == COAST and target not in found:
                found[target] = found[cell] + 1
                shore.append(target)
    return found
