"""A sane player of «Блокада»: Runner looks for water to the north, the Blockader for a place across her way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.blockade.board import Board, Vessel, thaw
from engine.blockade.commands import FireOrder, LayoutOrder, PlanOrder, SideOrder, TurnOrder
from engine.blockade.gunnery import GUNS, bears, distance, line_is_open
from engine.blockade.rules.helm import bar_of, step_of
from engine.blockade.state import BlockadeView
from engine.blockade.view import movers, plan_is_void
from engine.blockade.waters import RELATIVES, SIDE, Square, apart
from engine.core.contract import Choose, Sheet

WHIM: Final = 8
"""One plan in so many is any of the better half: who always does the same is rammed for it."""
AGROUND: Final = -100.0
OUT_AT_SEA: Final = 50.0
FAR: Final = 6
WIDE_BERTH: Final = 11
"""Farther off than so many squares the enemy is of no account."""


def bot(view: BlockadeView, choose: Choose) -> Sheet:
    """Return orders of a sane player for what the viewer owes."""
    if view.outcome is not None:
        return ()
    if view.stage == "sides":
        return (SideOrder(side="any"),) if view.seat in view.roster else ()
    if view.stage == "layout":
        return (LayoutOrder(),) if view.seat == view.toss else ()
    if not view.piece or view.piece not in movers(view):
        return ()
    if plan_is_void(view, view.piece):
        return (FireOrder(fire="all"),)
    board = thaw(view)
    ship = board.ships[view.piece]
    plans = sorted(_plans(board, ship, view.options.impulses), key=lambda one: -one[0])
    best = [plan for worth, plan in plans if worth >= plans[0][0] - 0.5]
    if choose(WHIM) == 0:
        best = [plan for _, plan in plans[: max(1, len(plans) // 3)]]
    return (PlanOrder(steps=best[choose(len(best))]), TurnOrder(turn="auto"))


def _plans(board: Board, ship: Vessel, steps: int) -> list[tuple[float, str]]:
    """Return plans with what they are worth; of those that run aground at the same step only the first."""
    return list(_walk(board, ship, (ship.at, ship.heading), "", steps, 0.0))


def _walk(
    board: Board, ship: Vessel, here: tuple[Square, int], plan: str, steps: int, worth: float
) -> Iterator[tuple[float, str]]:
    """Yield the ways on from a place, each with what it is worth."""
    if len(plan) == steps:
        yield worth + _end(board, ship, here, steps), plan
        return
    for relative in RELATIVES:
        step = step_of(*here, "=" if ship.disabled and not plan else relative)
        whole = plan + relative
        if bar_of(board, ship.piece, here[0], step.to):
            yield AGROUND + len(plan), (whole + "=" * steps)[:steps]
        elif ship.piece == "runner" and step.to.row == SIDE:
            yield OUT_AT_SEA - len(plan), (whole + "=" * steps)[:steps]
        else:
            met = _exchange(board, ship, step.to, step.heading)
            yield from _walk(board, ship, (step.to, step.heading), whole, steps, worth + met)


def _exchange(board: Board, ship: Vessel, at: Square, heading: int) -> float:
    """Return what an exchange of fire is worth: own guns that bear, and the enemy's."""
    foe = board.foe(ship)
    if distance(at, foe.at) > board.options.range:
        return 0.0
    mine = sum(bears(at, heading + axis, foe.at) for _, axis in GUNS[ship.piece])
    theirs = sum(bears(foe.at, foe.heading + axis, at) for _, axis in GUNS[foe.piece])
    return 0.6 * mine - 0.4 * theirs if (mine or theirs) and line_is_open(board.chart, at, foe.at) else 0.0


def _end(board: Board, ship: Vessel, here: tuple[Square, int], steps: int) -> float:
    """Return what the place is worth in which a plan ends."""
    at, heading = here
    foe = board.foe(ship)
    ways = sum(not bar_of(board, ship.piece, at, step_of(at, heading, one).to) for one in RELATIVES)
    worth = -4.0 if ways == 0 else -1.0 if ways == 1 else 0.0
    if ship.piece == "runner":
        # Northward, but round the enemy rather than under his bow.
        away = apart(at, foe.at)
        worth += 1.0 * at.row - 0.2 * min(heading, 8 - heading) + 0.45 * min(away, WIDE_BERTH)
        return worth - (3.0 if away <= steps else 0.0)
    # Down upon the Runner, holding north of her as long as she is far.
    goal_row = min(SIDE - 1, foe.at.row + 4) if apart(ship.at, foe.at) > FAR else foe.at.row + 1
    return worth - 0.9 * abs(at.row - goal_row) - 0.9 * abs(at.column - foe.at.column)
