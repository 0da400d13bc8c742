"""Courses: how far a ship may run in a wind, and where her run ends if she meets nobody (P10–P17, P24, A3, A4)."""

from __future__ import annotations

from collections.abc import Container, Mapping
from functools import cache
from typing import Final, Literal, TypeAlias

import msgspec

from engine.core.geometry import RHUMBS, Cell, Rhumb, eighths, opposite
from engine.pirates.board import Board, board_of
from engine.pirates.options import PiratesOptions
from engine.pirates.state import Force, PiratesView, RunCut, Ship, ShipOrder, Wind

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


class Plan(msgspec.Struct, frozen=True):
    """A run as it goes if nobody moves: cells from the start on, and why it is shorter than asked.

    ``cut`` is None if all was allowed. A run that ends early in an open port (``ends="port"``), on the tail of a
    current under ``current=pass`` (``ends="current"``) or before a ship (``ends="ship"``, ``met`` her cell) is not cut.
    """

    path: tuple[Cell, ...]
    cut: RunCut | None = None
    ends: Literal["", "port", "current", "ship"] = ""
    met: Cell | None = None


def step_costs(options: PiratesOptions, kind: Kind, wind: Wind) -> Mapping[Rhumb, int | None]:
    """Return what a step on each course costs of six points, None where wind and oars do not carry (P14–P18).

    In a calm brigantines row one cell any way, galleons stand (P17); dead upwind brigantines row one cell (P16).
    """
    return _step_costs(wind.rhumb, wind.force, rows=kind == "brigantine", oars_upwind=options.oars_upwind == "yes")


@cache
def _step_costs(rhumb: Rhumb, force: Force, *, rows: bool, oars_upwind: bool) -> dict[Rhumb, int | None]:
    if force == "hurricane":
        return dict.fromkeys(RHUMBS)
    if force == "calm":
        return dict.fromkeys(RHUMBS, POINTS if rows else None)
    upwind = POINTS if rows and oars_upwind else None
    costs = {course: COSTS[eighths(course, opposite(rhumb))] for course in RHUMBS}
    return {course: upwind if cost is None else cost for course, cost in costs.items()}


def reach(options: PiratesOptions, kind: Kind, wind: Wind, course: Rhumb) -> int:
    """Return the most cells of a straight run (P15–P18)."""
    cost = step_costs(options, kind, wind)[course]
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
    here, path = ship.cell, [ship.cell]
    left = POINTS
    costs, barriers = step_costs(options, ship.kind, wind), board.shut[ship.side]
    for course in legs_of(options, order):
        cost, barrier = costs[course], barriers[here][course]
        reason: CutReason | Literal[""]
        if cost is None or cost > left:
            reason = _no_wind(options, wind, course, cost)
        else:
            reason = barrier if barrier or here not in board.arrows else _against(board, options, path, course)
        if reason:
            return Plan(tuple(path), cut_run(options, ship, order, len(path) - 1, reason))
        here = board.step(here, course)
        if here in occupied:
            return Plan(tuple(path), ends="ship", met=here)
        path.append(here)
        left -= cost or 0
        if not board.is_sea(here):
            return Plan(tuple(path), ends="port")
        if options.current == "pass" and here in board.tails:
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


def _no_wind(options: PiratesOptions, wind: Wind, course: Rhumb, cost: int | None) -> CutReason:
    """Say why the wind gives no further step (P15–P18, A3)."""
    if wind.force == "calm":
        return "calm"
    if wind.force == "hurricane":
        return "hurricane"
    if options.bend == "yes" and cost is not None:
        return "points"
    return "oars" if cost is not None and course == wind.rhumb else "wind"


def _against(board: Board, options: PiratesOptions, path: list[Cell], course: Rhumb) -> CutReason | Literal[""]:
    """Return ``upstream`` for a step against a current, allowed only in a run that began at its head (P24)."""
    arrow = board.upstream(path[-1], board.step(path[-1], course))
    return "upstream" if arrow and options.upstream == "head" and path[0] != arrow.cells[-1] else ""
