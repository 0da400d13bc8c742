"""Currents: ships on the tail of an arrow are carried towards its head (P22, P23, A22)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.pirates.rules.turn import Turn
from engine.pirates.state import Carried, Ship


def carry(turn: Turn, ships: Iterable[Ship]) -> None:
    """Carry every ship that is on a tail, in the order given; whether she ran, drifted or stood there (P22)."""
    for ship in ships:
        current = turn.board.tail_at(ship.cell or "")
        if current:
            _carry_one(turn, ship, current.id, current.cells)


def _carry_one(turn: Turn, ship: Ship, current: str, cells: tuple[str, ...]) -> None:
    """Carry a ship cell by cell, stopping before an occupied cell (P23)."""
    occupants = turn.occupants()
    path = [cells[0]]
    blocked_by = 0
    for cell in cells[1:]:
        blocked_by = occupants.get(cell, 0)
        if blocked_by:
            break
        path.append(cell)
    turn.change(ship.number, cell=path[-1])
    turn.tell(
        Carried(
            rule="P22",
            ship=ship.number,
            current=current,
            path=tuple(path),
            blocked_by=blocked_by,
            about=(ship.piece,),
        )
    )
