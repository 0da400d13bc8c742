"""A sane player of «Блокада»: Runner looks for water to the north, the Blockader for a place across her way."""

from __future__ import annotations

from itertools import product
from typing import Final

from engine.blockade.board import Board, Vessel, thaw
from engine.blockade.commands import FireOrder, LayoutOrder, PlanOrder, SideOrder, TurnOrder
from engine.blockade.gunnery import guns_bearing
from engine.blockade.rules.helm import bar_of, step_of
from engine.blockade.state import BlockadeView
from engine.blockade.view import movers, plan_is_void
from engine.blockade.waters import RELATIVES, SIDE, Relative, apart
from engine.core.contract import Choose, Sheet

WHIM: Final = 8
"""One plan in so many is any of the better half: who always does the same is rammed for it."""
AGROUND: Final = -100.0
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
    """Return every plan with what it is worth."""
    return [(_worth(board, ship, plan), "".join(plan)) for plan in product(RELATIVES, repeat=steps)]


def _worth(board: Board, ship: Vessel, plan: tuple[Relative, ...]) -> float:
    """Return what a plan is worth: where it ends, what could fire there, and whether the way is clear."""
    at, heading, worth = ship.at, ship.heading, 0.0
    foe = board.foe(ship)
    forced = ship.disabled
    for number, relative in enumerate(plan):
        step = step_of(at, heading, "=" if forced and number == 0 else relative)
        if bar_of(board, ship.piece, at, step.to):
            return AGROUND + number
        at, heading = step.to, step.heading
        if ship.piece == "runner" and at.row == SIDE:
            return 50.0 - number
        mine = guns_bearing(board.chart, board.options.range, ship.piece, at, heading, foe.at)
        theirs = guns_bearing(board.chart, board.options.range, foe.piece, foe.at, foe.heading, at)
        worth += 0.6 * len(mine) - 0.4 * len(theirs)
    ways = sum(not bar_of(board, ship.piece, at, step_of(at, heading, one).to) for one in RELATIVES)
    worth -= 4.0 if ways == 0 else 1.0 if ways == 1 else 0.0
    if ship.piece == "runner":
        # Northward, but round the enemy rather than under his bow.
        away = apart(at, foe.at)
        worth += 1.0 * at.row - 0.2 * min(heading, 8 - heading) + 0.45 * min(away, WIDE_BERTH)
        return worth - (3.0 if away <= len(plan) else 0.0)
    # Down upon the Runner, holding north of her as long as she is far.
    goal_row = min(SIDE - 1, foe.at.row + 4) if apart(ship.at, foe.at) > 6 else foe.at.row + 1
    return worth - 0.9 * abs(at.row - goal_row) - 0.9 * abs(at.column - foe.at.column)
