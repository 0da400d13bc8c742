"""Movement: runs in impulses or one after another, and what entering a port means (P8–P11, 1.4 step 4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal, TypeAlias

from engine.core.geometry import Cell
from engine.pirates.board import Board
from engine.pirates.rules.course import Plan, asked_cells, cut_run, plan_run
from engine.pirates.rules.turn import Turn, piece
from engine.pirates.state import PortEntered, PortLeft, Ship, ShipMoved, ShipStopped

IMPULSES: Final = 3
"""The longest run has three cells, and each impulse is one step of every ship (1.4)."""


def run_together(turn: Turn) -> None:
    """Move all ships in three impulses (1.4 step 4)."""
    board = turn.board
    paths = {ship.number: _plan(turn, ship, {}).path for ship in turn.afloat()}
    stops: dict[int, ShipStopped] = {}
    occupants = turn.occupants()
    for impulse in range(1, IMPULSES + 1):
        steps = {number: path[impulse] for number, path in paths.items() if impulse < len(path)}
        for stop in _stops(board, steps, occupants):
            stops[stop.ship] = stop
            paths[stop.ship] = paths[stop.ship][:impulse]
        for number in steps:
            occupants.pop(paths[number][impulse - 1], None)
        occupants.update((cell, number) for number, cell in steps.items() if board.is_sea(cell))
    for number, path in paths.items():
        _end_run(turn, number, path, stops.get(number))


def run_in_turn(turn: Turn, ships: Iterable[Ship]) -> None:
    """Run ships one after another, each stopping before an occupied cell (``by_side``, ``alternating``)."""
    for ship in ships:
        others = {cell: number for cell, number in turn.occupants().items() if number != ship.number}
        plan = _plan(turn, ship, others)
        stop = _stopped(ship.number, plan.met, others[plan.met], "occupied") if plan.met else None
        _end_run(turn, ship.number, plan.path, stop)


def tell_cuts(turn: Turn, ships: Iterable[Ship]) -> None:
    """Tell which runs the hurricane forbids (P18)."""
    for ship in ships:
        _plan(turn, ship, {})


def _plan(turn: Turn, ship: Ship, occupied: Mapping[Cell, int]) -> Plan:
    """Return the run of a ship, and tell how it was cut (1.4 step 2); a captured ship makes none (P34)."""
    order = turn.plot.order(ship.number)
    if ship.number in turn.captured:
        plan = Plan((ship.cell or "",))
        if asked_cells(turn.options, order):
            plan = Plan(plan.path, cut_run(turn.options, ship, order, 0, "captured"))
    else:
        plan = plan_run(turn.board, turn.options, ship, order, turn.wind, occupied=occupied)
    if plan.cut:
        turn.tell(plan.cut)
    return plan


# Impulses -------------------------------------------------------------------------------------------------------------

_Steps: TypeAlias = dict[int, Cell]
"""The cell each ship is about to enter, in the order of priority; who is stopped is struck off."""
_Occupants: TypeAlias = Mapping[Cell, int]
"""Which ship is in which sea cell."""


def _stops(board: Board, steps: _Steps, occupants: _Occupants) -> list[ShipStopped]:
    """Stop the ships that cannot take their step, in the order of the rule: swaps, the same cell, occupied cells."""
    wanted = set(steps.values())
    if len(wanted) == len(steps) and wanted.isdisjoint(occupants):
        return []  # nobody is in anybody's way
    stops = [*_stop_swaps(steps, occupants), *_stop_rivals(board, steps)]
    while blocked := _stop_before_occupied(steps, occupants):
        stops += blocked
    return stops


def _stop_swaps(steps: _Steps, occupants: _Occupants) -> list[ShipStopped]:
    """Stop two ships that head into each other's sea cells; where either cell is a port they pass."""
    here = {number: cell for cell, number in occupants.items()}
    others = {number: occupants.get(cell, 0) for number, cell in steps.items()}
    swaps = [(number, other) for number, other in others.items() if number in here and steps.get(other) == here[number]]
    return [_stopped(number, steps.pop(number), other, "swap") for number, other in swaps]


def _stop_rivals(board: Board, steps: _Steps) -> list[ShipStopped]:
    """Give a sea cell that several want to the first in priority; the others stop."""
    first: dict[Cell, int] = {}
    losers = [
        number for number, cell in steps.items() if board.is_sea(cell) and first.setdefault(cell, number) != number
    ]
    return [_stopped(number, steps[number], first[steps.pop(number)], "yield") for number in losers]


def _stop_before_occupied(steps: _Steps, occupants: _Occupants) -> list[ShipStopped]:
    """Stop ships before sea cells whose ship does not leave in this impulse."""
    blocked = [number for number, cell in steps.items() if occupants.get(cell, number) not in steps]
    return [_stopped(number, steps[number], occupants[steps.pop(number)], "occupied") for number in blocked]


def _stopped(number: int, cell: Cell, other: int, reason: Literal["swap", "yield", "occupied"]) -> ShipStopped:
    return ShipStopped(rule="P9", ship=number, cell=cell, other=other, reason=reason, about=(piece(number),))


# What is told ---------------------------------------------------------------------------------------------------------


def _end_run(turn: Turn, number: int, path: tuple[Cell, ...], stop: ShipStopped | None) -> None:
    """Put a ship where her run ended, and tell of it."""
    if len(path) > 1:
        turn.under_way.add(number)
        tell_left(turn, turn.change(number, cell=path[-1]), path[0])
        turn.tell(ShipMoved(rule="P10", ship=number, path=path))
    if stop:
        turn.tell(stop)
    if len(path) > 1:
        arrive(turn, turn.ships[number])


def tell_left(turn: Turn, ship: Ship, start: Cell) -> None:
    """Tell that a ship left the port she began in, if it was one (P32)."""
    port = turn.board.ports.get(start)
    if port:
        turn.tell(PortLeft(rule="P32", ship=ship.number, cell=start, port=port.id, about=(ship.piece,)))


def arrive(turn: Turn, ship: Ship) -> None:
    """Tell that a ship entered a port, if she did, and what is thereby known of the gold (P11, P36)."""
    port = turn.board.ports.get(ship.cell or "")
    if port is None:
        return
    turn.tell(PortEntered(rule="P11", ship=ship.number, cell=port.cell, port=port.id, about=(ship.piece,)))
    if port.cell == turn.board.goal:
        if ship.number == turn.gold:
            turn.reveal("port")
        else:
            turn.show_empty(ship)
