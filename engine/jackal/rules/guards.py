"""Conditions of alternatives on the open board (5.3)."""

from __future__ import annotations

from engine.jackal.board import NO_VESSEL
from engine.jackal.commands import (
    Guard,
)
from engine.jackal.isle import LAND
from engine.jackal.rules.actor import Acting
from engine.jackal.state import (
    STEPS_A_CELL,
    count,
)
from engine.jackal.tiles import BY_CODE, CODE, OPEN


def holds(acting: Acting, guard: Guard) -> bool:
    """Say whether a guard holds on the open board (5.3)."""
    return _holds(acting, guard) != guard.negated


def _holds(acting: Acting, guard: Guard) -> bool:
    board = acting.board
    cell = board.geo.cell(guard.cell)
    units = [unit for unit, place in enumerate(board.places) if place // STEPS_A_CELL == cell and place >= 0]
    heap = sum(load for place, load in board.loads.items() if place // STEPS_A_CELL == cell)
    is_open = bool(board.tiles[cell] & OPEN) or board.geo.terrain[cell] != LAND
    match guard.kind:
        case "empty":
            return not units
        case "enemy":
            return any(board.side_of(unit) != acting.side for unit in units)
        case "own":
            return any(board.side_of(unit) == acting.side for unit in units)
        case "item":
            return count(heap, guard.what) > 0
        case "closed":
            return not is_open
        case "ship":
            return board.vessel_at(cell) != NO_VESSEL
        case "open":
            if not is_open or not guard.what:
                return is_open
            kind = BY_CODE.get(board.tiles[cell] & CODE)
            return kind is not None and guard.what in (
                kind.key,
                kind.key.rstrip("12345"),
                "arrow" if kind.exits else "",
            )
    raise ValueError(f"{guard.kind!r} is no guard")
