"""The move procedure: a chain of arrivals until the mover stops, dies or leaves (J3, normative)."""

from __future__ import annotations

from typing import Final, cast

from engine.jackal.board import Board
from engine.jackal.events import Moved
from engine.jackal.isle import LAND, Cell
from engine.jackal.rules.effects import LASTING, ONCE, fire, turn_up
from engine.jackal.rules.entering import OK, barred
from engine.jackal.rules.fighting import destroy, die, meet, strike
from engine.jackal.rules.run import NO_VECTOR, STEP, Rulebook, Run
from engine.jackal.rules.water import arrive_at_sea
from engine.jackal.rules.way import Way, admissible, fatal, ways_from
from engine.jackal.state import BALL, FR, STEPS_A_CELL
from engine.jackal.tiles import (
    ARROW,
    BALLOON,
    CANNIBAL,
    CANNON,
    CODE,
    EFFECT,
    FRESH,
    HORSE,
    OPEN,
    PASSES,
)

JACKAL: Final = Rulebook(once=ONCE, lasting=LASTING, ways=ways_from)
"""The tiles of «Шакал»."""


def follow(run: Run, way: Way | None) -> None:
    """Make a step and all that it leads to; then lay down what was carried (J3.5, J4.7)."""
    while way is not None:
        way = arrive(run, way)
    if run.load and run.alive:
        run.board.put(run.here, run.load)
        run.load = 0
    tidy_cannibals(run.board)


def arrive(run: Run, way: Way) -> Way | None:
    """Arrive at a cell, in the order of J3.3, and return the step that follows from it."""
    board, cell = run.board, way.cell
    run.back = run.here
    run.kind, run.vector = way.kind, way.vector
    place = board.place_on(cell)
    board.places[run.unit] = run.here = place
    names = board.geo.names
    board.events.append(
        Moved(
            rule=way.rule,
            unit=run.name,
            start=names[run.back // STEPS_A_CELL],
            cell=names[cell],
            step=place % STEPS_A_CELL,
            how=way.how,
        )
    )
    if board.geo.terrain[cell] != LAND:
        arrive_at_sea(run, cell)
        return None
    return _on_land(run, cell)


def _on_land(run: Run, cell: Cell) -> Way | None:
    board = run.board
    if not board.tiles[cell] & OPEN:
        if not board.tiles[cell] & CODE:
            run.unknown = True
            return None
        run.foreseen = False
        turn_up(board, cell, run.unit)
    code = board.tiles[cell] & CODE
    if code == CANNIBAL and run.unit != FR:
        die(run, "cannibal")
        return None
    if meet(run):
        return None
    strike(run)
    once = run.book.once.get(code)
    if once is not None and board.tiles[cell] & EFFECT == FRESH:
        return cast("Way | None", once(run, cell))
    if PASSES[code]:
        return _pass_on(run, cell, code)
    lasting = run.book.lasting.get(code)
    return lasting(run, cell) if lasting is not None else None


def _pass_on(run: Run, cell: Cell, code: int) -> Way | None:
    """Return the forced step from a pass tile, or None where the mover dies or a gunner stays (J3.4, J10.2)."""
    board = run.board
    if code == CANNON and run.load == BALL:
        fire(run, cell)
        return None
    ways, choice = run.book.ways(run, cell, run.kind, run.vector, run.back)
    if not choice:
        return _only_way(run, cell, code, ways[0])
    found = admissible(run, cell, ways, run.load)
    if not found and run.load and board.options.forced_load == "drop":
        _drop(run)
        found = admissible(run, cell, ways, run.load)
    if not found:
        used_up = any(barred(run, way.cell, run.load) == OK for way in ways)
        die(run, "loop" if used_up else "impossible")
        return None
    if not run.wants.perish and len(found) > 1:
        found = [way for way in found if not fatal(run, cell, way)] or found
    topic = "arrow" if ARROW[code] else "horse" if code == HORSE else "ice"
    way = run.wants.way(run, topic, cell, found)
    run.used.add((cell, way.kind, way.cell))
    run.fixed.clear()
    return way


def _only_way(run: Run, cell: Cell, code: int, way: Way) -> Way | None:
    """Return the one way on, unless it closes a loop (J3.6) or is not admissible (J3.4)."""
    arrival = (cell, run.kind, run.vector)
    if arrival in run.fixed:
        die(run, "loop")
        return None
    run.fixed.add(arrival)
    if code == CANNON:
        _shoot_gunners(run, way)
    if code == BALLOON:
        return way
    why = barred(run, way.cell, run.load)
    if why and run.load and run.board.options.forced_load == "drop" and code != CANNON:
        _drop(run)
        why = barred(run, way.cell, run.load)
    if why == OK:
        return way
    if run.board.geo.terrain[way.cell] != LAND:
        # At sea the load has sunk before anybody asks who is there (J2.7).
        load, run.load = run.load, 0
        destroy(run.board, load, way.cell, "sunk")
    die(run, "impossible")
    return None


def _drop(run: Run) -> None:
    """Leave the load where the move began and go on without it (R-08, ``forced_load=drop``)."""
    run.board.put(run.origin, run.load)
    run.load = 0


def _shoot_gunners(run: Run, way: Way) -> None:
    """Shoot away the friends who stand on the cannon when the mover comes without a ball (J10.2)."""
    board = run.board
    for unit in board.at(run.here):
        if unit == run.unit:
            continue
        colour = board.colour_of(unit)
        gunner = Run(
            board=board,
            unit=unit,
            colour=colour,
            side=board.sides[colour],
            wants=run.wants,
            book=run.book,
            origin=run.here,
            here=run.here,
            back=run.here,
            fighter=board.is_fighter(unit),
            kind=STEP,
            vector=NO_VECTOR,
        )
        if barred(gunner, way.cell, 0) == OK:
            arrive(gunner, way)
        else:
            die(gunner, "impossible")


def tidy_cannibals(board: Board) -> None:
    """Destroy what lies on a cannibal's cell without Friday (R-57)."""
    for place in [one for one in board.loads if board.tiles[one // STEPS_A_CELL] & CODE == CANNIBAL]:
        if board.places[FR] != place:
            destroy(board, board.loads.pop(place), place // STEPS_A_CELL, "eaten")
