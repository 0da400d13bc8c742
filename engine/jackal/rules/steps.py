"""Steps a commander chooses: on foot, by water, on a spin, with rum, from a plane (J3.1, J6.4–J6.7, J8.04, J8.12)."""

from __future__ import annotations

from typing import Final

from engine.jackal.board import BOAT_VESSEL, NO_VESSEL, Board
from engine.jackal.commands import (
    Fly,
    RumLeap,
    SpinStep,
    Step,
)
from engine.jackal.events import Died, Moved
from engine.jackal.isle import BEYOND, COAST, LAND, NOWHERE, Cell
from engine.jackal.rules.actor import Acting, begin, leave_plane, mover, tell
from engine.jackal.rules.chain import follow
from engine.jackal.rules.entering import OK, barred, barred_place
from engine.jackal.rules.fighting import meet, strike
from engine.jackal.rules.illegal import Illegal
from engine.jackal.rules.rum import take_bottle
from engine.jackal.rules.run import STEP, Run
from engine.jackal.rules.vessels import launch
from engine.jackal.rules.way import Way, admissible, flights
from engine.jackal.state import (
    CART,
    FR,
    STEPS_A_CELL,
    TRAPPED,
    UNITS,
    count,
)
from engine.jackal.tiles import ARMED, CODE, EFFECT, PLANE, SPIN

_BAR_RULES: Final = {
    "load-on-closed": "J4.2",
    "no-load-there": "J4.7",
    "fort-held": "J3.2",
    "cave-held": "J8.18",
    "missionary-there": "J2.7",
    "load-onto-enemy": "J5.1",
    "no-fighter": "J2.7",
    "beside-missionary": "J2.7",
    "off-the-board": "J3.2",
}


def step(acting: Acting, what: Step) -> None:
    """Step, board, leave a ship or boat, swim, leave a spin («на»)."""
    unit = mover(acting, what.unit)
    run = begin(acting, unit, what.load, what.via)
    _leave(acting, run, acting.board.geo.cell(what.cell), "step")


def _leave(acting: Acting, run: Run, cell: Cell, act_name: str) -> None:
    way = first_way(acting.board, run, cell)
    why = barred(run, cell, run.load)
    if why != OK:
        raise Illegal(why, _BAR_RULES.get(why, "J3.2"), acting.board.geo.names[cell])
    tell(acting, run, act_name)
    leave_plane(run)
    follow(run, way)
    finish(acting, run)


def first_way(board: Board, run: Run, cell: Cell, *, leaping: bool = False) -> Way:
    """Return a chosen first step as a way. Raises Illegal if it cannot be made (J3.2 a–d, J6.4–J6.7, J10.4)."""
    geo = board.geo
    here = run.here // STEPS_A_CELL
    name = geo.names[cell]
    direction = geo.direction(here, cell)
    if direction == NOWHERE:
        raise Illegal("not-a-neighbour", "J3.2", name)
    if geo.terrain[here] != LAND:
        return _from_sea(board, run, here, cell, direction)
    steps = SPIN[board.tiles[here] & CODE]
    if steps and not leaping and run.unit != FR and run.here % STEPS_A_CELL < steps:
        raise Illegal("on-the-spin", "J8.04", name)
    if geo.terrain[cell] == LAND:
        return Way(cell, "step", "J3.1", STEP, direction)
    if board.vessel_at(cell) == NO_VESSEL:
        raise Illegal("no-jumping-in", "J3.2", name)
    return Way(cell, "aboard", "J6.5", STEP, direction)


def _from_sea(board: Board, run: Run, here: Cell, cell: Cell, direction: int) -> Way:
    """Return the first step of one aboard or swimming."""
    geo = board.geo
    name = geo.names[cell]
    if geo.terrain[here] == BEYOND:
        raise Illegal("off-the-board", "J10.5", name)
    vessel = board.vessel_at(here)
    to_vessel = board.vessel_at(cell)
    if vessel == NO_VESSEL:
        if geo.terrain[cell] == LAND:
            raise Illegal("no-landing", "J6.6", name)
        if to_vessel == NO_VESSEL and geo.terrain[cell] != COAST:
            raise Illegal("off-the-board", "J1.2", name)
        return Way(cell, "swim" if to_vessel == NO_VESSEL else "aboard", "J6.6", STEP, direction)
    if run.load & ~CART or (run.load and board.options.cart_lands == "no"):
        raise Illegal("no-load-off-ship", "J6.4", name)
    if geo.terrain[cell] == LAND:
        if vessel == BOAT_VESSEL:
            if direction % 2:
                raise Illegal("not-straight-ahead", "J10.4", name)
        elif board.options.disembark == "ahead" and geo.ahead.get(here) != cell:
            raise Illegal("not-straight-ahead", "J6.4", name)
        return Way(cell, "step", "J6.4", STEP, direction)
    boats = BOAT_VESSEL in (vessel, to_vessel)
    if to_vessel == NO_VESSEL or not boats or board.vessel_side(to_vessel) != run.side:
        raise Illegal("no-jumping-in", "J6.4", name)
    return Way(cell, "aboard", "J10.4", STEP, direction)


def spin_step(acting: Acting, what: SpinStep) -> None:
    """Advance one step on a spin, striking whoever stands on the next (J8.04, J5.4)."""
    board = acting.board
    unit = mover(acting, what.unit)
    here = board.places[unit]
    steps = SPIN[board.tiles[here // STEPS_A_CELL] & CODE]
    if not steps or here % STEPS_A_CELL >= steps or unit == FR:
        raise Illegal("no-next-step", "J8.04")
    run = begin(acting, unit, what.load)
    why = barred_place(run, here + 1, run.load)
    if why != OK:
        raise Illegal(why, _BAR_RULES.get(why, "J3.2"), run.cell_name)
    tell(acting, run, "spin")
    advance(run)


def advance(run: Run) -> None:
    """Come to the next step of a spin (J8.04)."""
    board = run.board
    run.back = run.here
    run.here += 1
    board.places[run.unit] = run.here
    name = run.cell_name
    board.events.append(
        Moved(rule="J8.04", unit=run.name, start=name, cell=name, step=run.here % STEPS_A_CELL, how="spin")
    )
    if meet(run):
        return
    strike(run)
    board.put(run.here, run.load)


def rum_leap(acting: Acting, what: RumLeap) -> None:
    """Spend a bottle and leave a trap or spin straight to a neighbouring cell (J9.17)."""
    board = acting.board
    unit = mover(acting, what.unit, trapped=True)
    here = board.places[unit]
    spin = SPIN[board.tiles[here // STEPS_A_CELL] & CODE]
    helps = board.moods[unit] & TRAPPED or (spin and board.options.rum_spin == "leave")
    if not helps or not board.is_fighter(unit):
        raise Illegal("no-need-of-rum", "J9.17")
    take_bottle(acting, UNITS[unit], "leap", ally=what.ally)
    board.moods[unit] &= ~TRAPPED
    run = begin(acting, unit, what.load, what.via)
    cell = board.geo.cell(what.cell)
    way = first_way(board, run, cell, leaping=True)
    why = barred(run, cell, run.load)
    if why != OK:
        raise Illegal(why, _BAR_RULES.get(why, "J3.2"), what.cell)
    tell(acting, run, "rum")
    follow(run, way)
    finish(acting, run)


def fly(acting: Acting, what: Fly) -> None:
    """Fly from a plane that waits (J8.12)."""
    board = acting.board
    unit = mover(acting, what.unit)
    cell = board.places[unit] // STEPS_A_CELL
    tile = board.tiles[cell]
    if tile & CODE != PLANE or tile & EFFECT != ARMED:
        raise Illegal("no-plane", "J8.12")
    run = begin(acting, unit, what.load, what.via)
    target = board.geo.cell(what.cell)
    ways = [way for way in flights(run, cell, "J8.12") if way.cell == target]
    if not ways:
        raise Illegal("no-flight-there", "J8.12", what.cell)
    if not admissible(run, cell, ways, run.load):
        why = barred(run, target, run.load)
        raise Illegal(why, _BAR_RULES.get(why, "J3.2"), what.cell)
    tell(acting, run, "fly")
    leave_plane(run)
    follow(run, ways[0])
    finish(acting, run)


def finish(acting: Acting, run: Run) -> None:
    """Launch the boat where the order says so (J10.4), then refuse certain death not accepted (J2.8) and odd picks."""
    acting.unforeseen = run.unknown or not run.foreseen
    via = run.wants.via
    if via and via[0].kind == "launch" and run.alive and run.foreseen:
        if not count(run.board.loads.get(run.here, 0), "boat"):
            raise Illegal("no-boat-here", "J10.4", run.cell_name)
        launch(run, run.board.geo.cell(via.pop(0).way))
    if run.foreseen and not run.unknown:
        if not run.wants.perish and not run.alive and _died(run):
            raise Illegal("certain-death", "J2.8")
        if run.wants.via and run.alive:
            raise Illegal("via-impossible", "J3.4")


def _died(run: Run) -> bool:
    """Say whether the mover died; a resident that vanished did not (J9.13)."""
    return any(event.unit == run.name for event in run.board.events if isinstance(event, Died))
