"""The sea: coming aboard, swimming, being run over, moving a vessel (J4.3, J4.4, J6, J10.4)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.jackal.board import BOAT_VESSEL, NO_VESSEL, Board
from engine.jackal.events import GoldScored, LoadsChanged, PickedUp, ShipMoved
from engine.jackal.isle import Cell
from engine.jackal.rules.fighting import destroy, die, kill, meet, strike, together, vanish
from engine.jackal.rules.run import Run
from engine.jackal.state import CART, COLOURS, FR, MS, STEPS_A_CELL, UNITS, worth


def arrive_at_sea(run: Run, cell: Cell) -> None:
    """End a move in the sea: aboard, dead under an enemy vessel, or swimming (J6.5–J6.8, J6.10)."""
    board = run.board
    vessel = board.vessel_at(cell)
    if vessel == NO_VESSEL:
        load, run.load = run.load, 0
        destroy(board, load, cell, "sunk")
        if not meet(run):
            strike(run, at_sea=True)
    elif board.vessel_side(vessel) != run.side:
        die(run, "enemy-ship")
    else:
        load, run.load = run.load, 0
        bring_aboard(board, vessel, cell, load, run.unit)
        meet(run)


def bring_aboard(board: Board, vessel: int, cell: Cell, load: int, unit: int) -> None:
    """Score what comes aboard (J4.3); a cart stays on a ship, balls and boats leave play (J10.3)."""
    if not load:
        return
    gold = worth(load)
    colour = board.vessel_colour(vessel)
    if gold:
        board.gold[colour] += gold
        board.scored += 1
        board.events.append(
            GoldScored(rule="J4.3", colour=COLOURS[colour], gold=gold, unit=UNITS[unit], cell=board.geo.names[cell])
        )
    if load & CART:
        board.put(cell * STEPS_A_CELL, CART)
    if load & ~(CART | 0x3FF):
        items = tuple(name for name, bit in (("boat", 3 << 10), ("ball", 15 << 12)) if load & bit)
        board.events.append(LoadsChanged(rule="J10.3", cell=board.geo.names[cell], items=items, gold=0, what="aboard"))


def move_vessel(board: Board, vessel: int, cell: Cell) -> None:
    """Move a vessel with all aboard to a free sea cell; pick up its own, kill enemies there (J6.1, J6.3, J6.10)."""
    start = board.boat if vessel == BOAT_VESSEL else board.ships[vessel]
    here, there = start * STEPS_A_CELL, cell * STEPS_A_CELL
    swimmers = board.at(there)
    for unit in board.at(here):
        board.places[unit] = there
    if here in board.loads:
        board.loads[there] = board.loads.pop(here)
    if vessel == BOAT_VESSEL:
        board.boat = cell
    else:
        board.ships[vessel] = cell
    names = board.geo.names
    colour = board.vessel_colour(vessel)
    board.events.append(
        ShipMoved(
            rule="J10.4" if vessel == BOAT_VESSEL else "J6.1",
            colour=COLOURS[colour],
            boat=vessel == BOAT_VESSEL,
            start=names[start],
            cell=names[cell],
        )
    )
    come_upon(board, swimmers, board.sides[colour], cell)


def come_upon(board: Board, swimmers: Sequence[int], side: int, cell: Cell) -> None:
    """Kill the enemies on the cell a vessel has come to, take the others aboard (J6.3, J6.10, J9.13)."""
    for unit in swimmers:
        if board.side_of(unit) != side:
            kill(board, unit, "enemy-ship")
            board.struck += 1
        else:
            board.events.append(PickedUp(rule="J6.3", unit=UNITS[unit], cell=board.geo.names[cell]))
    if together(board):
        vanish(board, MS, "meeting")
        vanish(board, FR, "meeting")
