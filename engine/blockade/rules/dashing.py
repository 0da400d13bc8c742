"""The dash: the shortest way to a ram or out to sea, else the best six squares (2.5.5, B19, D7, D14, D15)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from engine.blockade.board import Board, Vessel
from engine.blockade.commands import DASH_STEPS
from engine.blockade.rules.helm import Step, bar_of, is_head_on, step_of
from engine.blockade.waters import OPEN_SEA, RELATIVES, VECTORS, Relative, Square, apart, turned

Path: TypeAlias = tuple[Step, ...]


def steered(board: Board, ship: Vessel, policy: str) -> tuple[Relative, ...]:
    """Return the steps by which a policy steers a dash (2.5.5): ``ram``, ``run``, or an explicit plan.

    A plan is filled up with ``=``; what of it cannot be done is seen when it is done.
    """
    if policy not in ("ram", "run"):
        return tuple((policy + "=" * DASH_STEPS)[:DASH_STEPS])  # type: ignore[arg-type]
    path = to_ram(board, ship) if policy == "ram" else None
    if path is None:
        path = to_sea(board, ship) or northerly(board, ship) if ship.piece == "runner" else nearest(board, ship)
    return tuple(step.relative for step in path)


def to_ram(board: Board, ship: Vessel) -> Path | None:
    """Return the shortest way of at most six squares into the enemy; Runner seeks no head-on end. None if none is."""
    foe = board.foe(ship)

    def rams(step: Step) -> bool:
        head_on = ship.piece == "runner" and is_head_on(board.options, step.heading, foe.heading)
        return step.to == foe.at and not head_on

    return _shortest(board, ship, rams)


def to_sea(board: Board, ship: Vessel) -> Path | None:
    """Return Runner's shortest way of at most six squares to a square of row 24 without the enemy, None if none is."""
    foe = board.foe(ship)
    return _shortest(board, ship, lambda step: step.to.row == OPEN_SEA and step.to != foe.at)


def nearest(board: Board, ship: Vessel) -> Path:
    """Return the six squares that end nearest the enemy, first in order; not dead ahead of him unless bow to bow."""
    foe = board.foe(ship)

    def bow_to_bow(end: Step) -> bool:
        return is_head_on(board.options, foe.heading, end.heading)

    return _best(board, ship, lambda end: (apart(end.to, foe.at),), bow_to_bow)


def northerly(board: Board, ship: Vessel) -> Path:
    """Return the six squares that end most northerly, then heading nearest north, never dead ahead of the enemy."""
    return _best(board, ship, lambda end: (-end.to.row, min(end.heading, 8 - end.heading)), lambda _: False)


def _steps(board: Board, ship: Vessel, at: Square, heading: int) -> Iterator[Step]:
    """Yield the legal steps from a place in the order ``=``, П, Л."""
    for relative in RELATIVES:
        step = step_of(at, heading, relative)
        if not bar_of(board, ship.piece, at, step.to):
            yield step


def _shortest(board: Board, ship: Vessel, ends: Callable[[Step], bool]) -> Path | None:
    """Return the first of the shortest paths to an end, breadth first; none runs through the enemy."""
    foe = board.foe(ship)
    front: list[tuple[Square, int, Path]] = [(ship.at, ship.heading, ())]
    seen = {(ship.at, ship.heading)}
    for _ in range(DASH_STEPS):
        reached = []
        for at, heading, path in front:
            for step in _steps(board, ship, at, heading):
                if ends(step):
                    return (*path, step)
                if step.to != foe.at and (step.to, step.heading) not in seen:
                    seen.add((step.to, step.heading))
                    reached.append((step.to, step.heading, (*path, step)))
        front = reached
    return None


def _best(
    board: Board, ship: Vessel, worth: Callable[[Step], tuple[int, ...]], allowed_ahead: Callable[[Step], bool]
) -> Path:
    """Return the path of six squares whose end is worth most (least first), first in order (D14).

    Not dead ahead of the disabled ship while another end is left; without a path of six the longest, first in order.
    """
    foe = board.foe(ship)
    bow = foe.at.ahead(foe.heading)
    paths = list(_ends(board, ship))
    longest = max((len(path) for path in paths), default=0)
    full = [path for path in paths if len(path) == longest]
    if not longest:
        return ()
    if longest < DASH_STEPS:
        return full[0]
    clear = [path for path in full if path[-1].to != bow or allowed_ahead(path[-1])]
    return min(clear or full, key=lambda path: worth(path[-1]))


def _ends(board: Board, ship: Vessel) -> Sequence[Path]:
    """Return, in order, the first path to each place and length: among ends of equal worth only it could be chosen."""
    foe = board.foe(ship)
    found: list[Path] = []
    front: dict[tuple[Square, int], Path] = {(ship.at, ship.heading): ()}
    for _ in range(DASH_STEPS):
        reached: dict[tuple[Square, int], Path] = {}
        # Places stand in the order of their first paths, and so do the steps from each.
        for (at, heading), path in front.items():
            for step in _steps(board, ship, at, heading):
                if step.to != foe.at:
                    reached.setdefault((step.to, step.heading), (*path, step))
        if not reached:
            break
        found = list(reached.values())
        front = reached
    return found


def auto_turn(ship: Vessel, enemy: Square) -> Relative:
    """Return the change of course that brings the enemy nearest a disabled ship's bow (2.5.5, «авто»)."""
    return max(RELATIVES, key=lambda relative: _towards(ship.at, turned(ship.heading, relative), enemy))


def _towards(at: Square, heading: int, enemy: Square) -> int:
    """Return twice dot·|dot| over the square of the heading's length: greater means nearer the bow (B13)."""
    right, up = VECTORS[heading]
    dot = (enemy.column - at.column) * right + (enemy.row - at.row) * up
    return dot * abs(dot) * (2 // (right * right + up * up))
