"""Movement: runs in impulses or one after another, and what entering a port means (P8–P11, 1.4 step 4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from engine.core.geometry import Cell
from engine.pirates.rules.course import Plan, asked_cells, cut_run, plan_run
from engine.pirates.rules.turn import Turn
from engine.pirates.state import PortEntered, PortLeft, Ship, ShipMoved, ShipStopped

IMPULSES: Final = 3
"""The longest run has three cells, and each impulse is one step of every ship (1.4)."""


@dataclass(slots=True)
class Run:
    """A run in hand: the cells still to come, nearest first, those sailed, and what stopped it."""

    number: int
    ahead: list[Cell]
    sailed: list[Cell] = field(default_factory=list)
    stopped: ShipStopped | None = None

    @property
    def target(self) -> Cell | None:
        """The cell of the next step; None for a ship that stands or was stopped."""
        return self.ahead[0] if self.ahead and self.stopped is None else None

    def stop(self, other: int, reason: Literal["swap", "yield", "occupied"]) -> None:
        """Stop for the whole round before the next cell."""
        about = (f"ship{self.number}",)
        self.stopped = ShipStopped(
            rule="P9", ship=self.number, cell=self.ahead[0], other=other, reason=reason, about=about
        )


def run_together(turn: Turn) -> None:
    """Move all ships in three impulses (1.4 step 4)."""
    runs = {ship.number: _set_out(_plan(turn, ship, {}), ship) for ship in turn.afloat()}
    for _ in range(IMPULSES):
        _impulse(turn, runs)
    for run in runs.values():
        _tell_run(turn, run)


def run_in_turn(turn: Turn, ships: Iterable[Ship]) -> None:
    """Run ships one after another, each stopping before an occupied cell (``by_side``, ``alternating``)."""
    for ship in ships:
        others = {cell: number for cell, number in turn.occupants().items() if number != ship.number}
        plan = _plan(turn, ship, others)
        run = _set_out(plan, ship)
        while run.target is not None:
            _advance(turn, run)
        if plan.met is not None:
            run.ahead.append(plan.met)
            run.stop(others[plan.met], "occupied")
        _tell_run(turn, run)


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


def _set_out(plan: Plan, ship: Ship) -> Run:
    return Run(ship.number, list(plan.path[1:]), [plan.path[0]])


# Impulses -------------------------------------------------------------------------------------------------------------


def _impulse(turn: Turn, runs: dict[int, Run]) -> None:
    """Let every ship take one step, in the order of the rule: swaps, the same cell, occupied cells, all the rest."""
    _stop_swaps(turn, runs)
    _stop_rivals(turn, runs)
    while _stop_before_occupied(turn, runs):
        pass
    for run in [run for run in runs.values() if run.target is not None]:
        _advance(turn, run)


def _stop_swaps(turn: Turn, runs: dict[int, Run]) -> None:
    """Stop two ships that head into each other's sea cells; where either cell is a port they pass."""
    occupants = turn.occupants()
    pairs = []
    for run in runs.values():
        other = runs.get(occupants.get(run.target or "", 0))
        if other is not None and turn.at_sea(turn.ships[run.number]) and other.target == turn.ships[run.number].cell:
            pairs.append((run, other.number))
    for run, number in pairs:
        run.stop(number, "swap")


def _stop_rivals(turn: Turn, runs: dict[int, Run]) -> None:
    """Give a sea cell that several want to the first in priority; the others stop."""
    taken: dict[Cell, int] = {}
    for run in runs.values():
        if run.target is None or not turn.board.is_sea(run.target):
            continue
        winner = taken.setdefault(run.target, run.number)
        if winner != run.number:
            run.stop(winner, "yield")


def _stop_before_occupied(turn: Turn, runs: dict[int, Run]) -> bool:
    """Stop ships before sea cells whose ship does not leave in this impulse; say whether any was stopped."""
    occupants = turn.occupants()
    blocked = []
    for run in runs.values():
        other = occupants.get(run.target or "", 0)
        if other and (other not in runs or runs[other].target is None):
            blocked.append((run, other))
    for run, other in blocked:
        run.stop(other, "occupied")
    return bool(blocked)


def _advance(turn: Turn, run: Run) -> None:
    cell = run.ahead.pop(0)
    run.sailed.append(cell)
    turn.change(run.number, cell=cell)


# What is told ---------------------------------------------------------------------------------------------------------


def _tell_run(turn: Turn, run: Run) -> None:
    ship = turn.ships[run.number]
    if len(run.sailed) > 1:
        turn.under_way.add(run.number)
        tell_left(turn, ship, run.sailed[0])
        turn.tell(ShipMoved(rule="P10", ship=run.number, path=tuple(run.sailed)))
    if run.stopped:
        turn.tell(run.stopped)
    if len(run.sailed) > 1:
        arrive(turn, ship)


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
