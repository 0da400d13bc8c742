"""Ships and the boat: who may move them, where to, and launching (J6.1, J6.2, J10.4, J10.5)."""

from __future__ import annotations

from engine.core.geometry import RHUMBS
from engine.jackal.board import BOAT_VESSEL, NO_VESSEL, Board
from engine.jackal.commands import (
    Launch,
    Sail,
)
from engine.jackal.events import ActionTaken, BoatLaunched
from engine.jackal.isle import COAST, CORNER, LAND, NOWHERE, Cell
from engine.jackal.rules.actor import Acting, begin, leave_plane, mover, tell
from engine.jackal.rules.illegal import Illegal
from engine.jackal.rules.run import Run
from engine.jackal.rules.water import come_upon, move_vessel
from engine.jackal.state import (
    BOAT,
    COLOURS,
    FR,
    LOCKED,
    LOST,
    STEPS_A_CELL,
    TRAPPED,
    WAKING,
    count,
)
from engine.jackal.tiles import CODE, SPIN


def sail(acting: Acting, what: Sail) -> None:
    """Move a ship along its own side, or the boat, by one cell (J6.1, J6.2, J10.4, J10.5)."""
    board = acting.board
    vessel = BOAT_VESSEL if what.boat else COLOURS.index(what.colour or COLOURS[acting.colour])
    start = board.boat if what.boat else board.ships[vessel]
    if start == NOWHERE:
        raise Illegal("no-such-vessel", "J6.1")
    if not may_row(acting, vessel, start):
        raise Illegal("nobody-to-row", "J6.1")
    if len(what.route) != 1:
        raise Illegal("one-cell-only", "J6.1")
    cell = _course(board, start, what.route[0])
    if cell not in sea_lanes(board, vessel, start):
        raise Illegal("not-along-the-side", "J6.1", board.geo.names[cell] if cell >= 0 else "")
    if board.options.ship_picks_up == "no" and any(
        board.side_of(unit) == acting.side for unit in board.at(cell * STEPS_A_CELL)
    ):
        raise Illegal("swimmer-in-the-way", "J6.3", board.geo.names[cell])
    board.events.append(
        ActionTaken(
            rule="J2.2",
            colour=COLOURS[acting.colour],
            number=acting.talk.number,
            commander=acting.talk.seat,
            act="sail",
            start=board.geo.names[start],
            defaulted=acting.defaulted,
        )
    )
    move_vessel(board, vessel, cell)


def _course(board: Board, start: Cell, word: str) -> Cell:
    """Return the cell a word of a route stands for: a rhumb, or a cell's name."""
    if word in RHUMBS:
        return board.geo.around[start][RHUMBS.index(word)]
    return board.geo.cell(word)


def may_row(acting: Acting, vessel: int, start: Cell) -> bool:
    """Say whether the colour to move may move a vessel (J6.1, J6.2, R-11).

    Its own with any own or allied fighter aboard, an ally's with one of its own aboard (``ally_rows``).
    """
    board = acting.board
    if board.vessel_side(vessel) != acting.side:
        return False
    aboard = [unit for unit in board.at(start * STEPS_A_CELL) if board.is_fighter(unit)]
    if board.vessel_colour(vessel) != acting.colour:
        if board.options.ally_rows == "no":
            return False
        aboard = [unit for unit in aboard if board.colour_of(unit) == acting.colour]
    return any(not board.moods[unit] & WAKING for unit in aboard)


def sea_lanes(board: Board, vessel: int, start: Cell) -> list[Cell]:
    """Return the cells a vessel may move to, first the W or N way (J6.1, J10.4, J10.5)."""
    geo = board.geo
    if vessel == BOAT_VESSEL:
        second = board.options.ship_move == "second_ring"
        lanes = [
            cell
            for cell in geo.around[start]
            if cell >= 0
            and (geo.terrain[cell] in (COAST, CORNER) or (second and geo.terrain[cell] not in (LAND, COAST)))
        ]
    else:
        lanes = _ship_lanes(board, vessel, start)
    return [cell for cell in lanes if board.vessel_at(cell) == NO_VESSEL]


def _ship_lanes(board: Board, vessel: int, start: Cell) -> list[Cell]:
    geo = board.geo
    route = geo.routes[vessel]
    behind = [geo.behind[cell] for cell in route]
    inner = start in route
    lane = list(route) if inner else behind
    at = lane.index(start)
    found = [lane[one] for one in (at - 1, at + 1) if 0 <= one < len(lane)]
    if board.options.ship_move == "second_ring":
        found.append(behind[at] if inner else route[at])
    return found


def launch_boat(acting: Acting, what: Launch) -> None:
    """Put the boat lying here to sea and go aboard (J10.4)."""
    unit = mover(acting, what.unit)
    run = begin(acting, unit, None)
    if not count(acting.board.loads.get(run.here, 0), "boat"):
        raise Illegal("no-boat-here", "J10.4")
    tell(acting, run, "launch")
    launch(run, acting.board.geo.cell(what.cell))


def launch(run: Run, cell: Cell) -> None:
    """Put the boat that lies where the mover stands onto a coastal cell touching his (J10.4). Raises Illegal."""
    board = run.board
    geo = board.geo
    here = run.here // STEPS_A_CELL
    free = geo.terrain[cell] == COAST and cell in geo.around[here] and board.vessel_at(cell) == NO_VESSEL
    if not free or geo.terrain[here] != LAND or board.is_sober(run.unit):
        raise Illegal("cannot-launch", "J10.4", geo.names[cell])
    _free_to_launch(run, geo.names[cell])
    leave_plane(run)
    board.take(run.here, BOAT)
    board.boat, board.boat_owner = cell, run.colour
    board.spent += 1
    board.events.append(BoatLaunched(rule="J10.4", unit=run.name, colour=COLOURS[run.colour], cell=geo.names[cell]))
    swimmers = board.at(cell * STEPS_A_CELL)
    board.places[run.unit] = run.here = cell * STEPS_A_CELL
    come_upon(board, swimmers, run.side, cell)


def _free_to_launch(run: Run, name: str) -> None:
    """See to it that nothing holds the mover back: no trap, no cave, no spin before its last step. Raises Illegal."""
    board = run.board
    mood = board.moods[run.unit]
    if mood & TRAPPED:
        raise Illegal("trapped", "J8.06")
    if mood & (LOST | LOCKED):
        raise Illegal("lost", "J8.18")
    if SPIN[board.tiles[run.here // STEPS_A_CELL] & CODE] > run.here % STEPS_A_CELL and run.unit != FR:
        raise Illegal("on-the-spin", "J8.04", name)
