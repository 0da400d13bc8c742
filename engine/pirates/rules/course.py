"""Courses: how far a ship may run in a wind, and where her run ends if she meets nobody (P10–P17, P24, A3, A4)."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from engine.core.geometry import RHUMBS, Cell, Rhumb, eighths, opposite
from engine.pirates.board import Board, board_of
from engine.pirates.options import PiratesOptions
from engine.pirates.state import PiratesView, RunCut, Ship, ShipOrder, Wind

Kind: TypeAlias = Literal["galleon", "brigantine"]
CutReason: TypeAlias = Literal[
    "wind", "calm", "hurricane", "land", "edge", "port", "corner", "upstream", "oars", "captured", "points"
]

POINTS: Final = 6
"""What a run may cost; the costs below give 3, 3, 2 and 1 cells on one course (A3)."""

COSTS: Final = (2, 2, 3, POINTS, None)
"""The cost of a step by the angle between course and downwind, in eighths (P15)."""

RULES: Final[dict[CutReason, str]] = {
    "wind": "P15",
    "oars": "P16",
    "calm": "P17",
    "hurricane": "P18",
    "land": "P7",
    "edge": "P13",
    "port": "P11",
    "corner": "P12",
    "upstream": "P24",
    "captured": "P34",
    "points": "P15",
}
"""The rule that cuts a run, by reason."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A run as it goes if nobody moves: cells from the start on, and why it is shorter than asked.

    ``cut`` is None if all was allowed. A run that ends early in an open port (``ends="port"``), on the tail of a
    current under ``current=pass`` (``ends="current"``) or before a ship (``ends="ship"``, ``met`` her cell) is not cut.
    """

    path: tuple[Cell, ...]
    cut: RunCut | None = None
    ends: Literal["", "port", "current", "ship"] = ""
    met: Cell | None = None


def step_cost(options: PiratesOptions, kind: Kind, wind: Wind, course: Rhumb) -> int | None:
    """Return what a step costs of six points, or None where wind and oars do not carry (P14–P18).

    In a calm brigantines row one cell any way, galleons stand (P17); dead upwind brigantines row one cell (P16).
    """
    if wind.force == "hurricane":
        return None
    rows = kind == "brigantine"
    if wind.force == "calm":
        return POINTS if rows else None
    cost = COSTS[eighths(course, opposite(wind.rhumb))]
    return POINTS if cost is None and rows and options.oars_upwind == "yes" else cost


def reach(options: PiratesOptions, kind: Kind, wind: Wind, course: Rhumb) -> int:
    """Return the most cells of a straight run (P15–P18)."""
    cost = step_cost(options, kind, wind, course)
    return 0 if cost is None else POINTS // cost


def rose(options: PiratesOptions, wind: Wind) -> dict[Kind, dict[Rhumb, int]]:
    """Return «course → max cells» for both classes, the rose printed with every report (1.4 step 1)."""
    kinds: tuple[Kind, ...] = ("galleon", "brigantine")
    return {kind: {course: reach(options, kind, wind, course) for course in RHUMBS} for kind in kinds}


def legs_of(options: PiratesOptions, order: ShipOrder) -> tuple[Rhumb, ...]:
    """Return the courses of an order step by step, no more than can matter; several courses only under ``bend=yes``."""
    if order.bends:
        legs = order.bends[: POINTS + 1]
        return legs if options.bend == "yes" else tuple(leg for leg in legs if leg == legs[0])
    if order.course is None:
        return ()
    return (order.course,) * min(order.distance, POINTS + 1)


def asked_cells(options: PiratesOptions, order: ShipOrder) -> int:
    """Return how many cells an order asks for."""
    return max(order.distance, 0) if order.course is not None and not order.bends else len(legs_of(options, order))


def plan_run(
    board: Board,
    options: PiratesOptions,
    ship: Ship,
    order: ShipOrder,
    wind: Wind,
    *,
    occupied: Container[Cell] = frozenset(),
) -> Plan:
    """Return the run of a ship on the map, cut at the last legal cell (1.4 step 2).

    ``occupied`` are sea cells with a ship, before which the run stops (P9): give none where ships move together.
    Raises ValueError for a ship that is not on the map.
    """
    if ship.cell is None:
        raise ValueError(f"ship {ship.number} is {ship.fate}: she has no cell to run from")
    path = [ship.cell]
    left = POINTS
    for course in legs_of(options, order):
        reason = _afford(options, ship, wind, course, left) or _bar(board, options, ship, path, course)
        if reason:
            return Plan(tuple(path), cut_run(options, ship, order, len(path) - 1, reason))
        beyond = board.step(path[-1], course)
        if board.is_sea(beyond) and beyond in occupied:
            return Plan(tuple(path), ends="ship", met=beyond)
        path.append(beyond)
        left -= step_cost(options, ship.kind, wind, course) or 0
        if not board.is_sea(beyond):
            return Plan(tuple(path), ends="port")
        if options.current == "pass" and board.tail_at(beyond):
            return Plan(tuple(path), ends="current")
    return Plan(tuple(path))


def cut_run(options: PiratesOptions, ship: Ship, order: ShipOrder, allowed: int, reason: CutReason) -> RunCut:
    """Return the event of a run cut to ``allowed`` cells."""
    asked = asked_cells(options, order)
    return RunCut(
        rule=RULES[reason], ship=ship.number, asked=asked, allowed=allowed, reason=reason, course=order.course
    )


def cuts(view: PiratesView, order: ShipOrder) -> RunCut | None:
    """Return how the run of an order will be cut by what is known beforehand, for the receipt; None if it is not."""
    for ship in view.ships:
        if ship.number == order.ship and ship.cell is not None:
            board = board_of(view.options.board, view.board)
            return plan_run(board, view.options, ship, order, view.wind).cut
    return None


def _afford(options: PiratesOptions, ship: Ship, wind: Wind, course: Rhumb, left: int) -> CutReason | None:
    """Say why the wind gives no further step, or None (P15–P18, A3)."""
    cost = step_cost(options, ship.kind, wind, course)
    if cost is not None and cost <= left:
        return None
    if wind.force == "calm":
        return "calm"
    if wind.force == "hurricane":
        return "hurricane"
    if options.bend == "yes" and cost is not None:
        return "points"
    return "oars" if cost is not None and course == wind.rhumb else "wind"


def _bar(board: Board, options: PiratesOptions, ship: Ship, path: list[Cell], course: Rhumb) -> CutReason | None:
    """Say what on the map bars the next step, or None (P7, P11–P13, P24)."""
    barrier = board.barrier(path[-1], course, ship.side)
    if barrier:
        return barrier
    arrow = board.upstream(path[-1], board.step(path[-1], course))
    return "upstream" if arrow and options.upstream == "head" and path[0] != arrow.cells[-1] else None
