"""Fights, deaths and departures: who is beaten, who dies, who leaves the game (J5, J7.1, J9.13, J4.6–J4.10)."""

from __future__ import annotations

from typing import Literal, TypeAlias

from engine.jackal.board import Board, items_of
from engine.jackal.events import Died, FridayTurned, LoadsChanged, Struck, Vanished
from engine.jackal.isle import LAND
from engine.jackal.rules.run import Run
from engine.jackal.state import COLOURS, CONVERTED, DEAD, FR, LOCKED, LOST, MS, PIRATES, STEPS_A_CELL, UNITS, worth
from engine.jackal.tiles import CODE, JUNGLE, LOADABLE

Cause: TypeAlias = Literal["enemy-ship", "struck-at-sea", "cannibal", "loop", "impossible", "ball", "oath"]

_DEATH_RULES = {
    "enemy-ship": "J6.7",
    "struck-at-sea": "J6.8",
    "cannibal": "J8.08",
    "loop": "J3.6",
    "impossible": "J3.4",
    "ball": "J10.1",
    "oath": "J8.16",
}


def destroy(board: Board, load: int, cell: int, what: Literal["sunk", "eaten", "enemy-ship", "shot", "aboard"]) -> None:
    """Take a load out of the game; its gold counts as destroyed (J4.4, J4.8, J4.9, J10.1)."""
    if not load:
        return
    gold = worth(load)
    board.destroyed += gold
    board.sunk += 1
    rule = {"sunk": "J4.4", "eaten": "J4.8", "enemy-ship": "J4.9", "shot": "J10.1", "aboard": "J10.3"}[what]
    board.events.append(LoadsChanged(rule=rule, cell=board.geo.names[cell], items=items_of(load), gold=gold, what=what))


def kill(board: Board, unit: int, cause: Cause) -> None:
    """Take a dead character off the board (J7.1)."""
    cell = board.places[unit] // STEPS_A_CELL
    board.places[unit] = DEAD
    board.moods[unit] = board.moods[unit] & CONVERTED
    board.drowned += 1
    rule = _DEATH_RULES[cause]
    board.events.append(Died(rule=rule, unit=UNITS[unit], cell=board.geo.names[cell], cause=cause))


def die(run: Run, cause: Cause) -> None:
    """End a move by death. The load lies at ``origin`` after a loop or an impossible step (J3.4, J3.6).

    After a failed oath it stays on the cell (J4.10); the cannibal eats it, with an enemy ship it is destroyed (J4.8,
    J4.9).
    """
    board = run.board
    cell = run.here // STEPS_A_CELL
    kill(board, run.unit, cause)
    load, run.load = run.load, 0
    if cause in ("loop", "impossible"):
        board.put(run.origin, load)
    elif cause == "oath":
        board.put(run.here, load)
    else:
        destroy(board, load, cell, "eaten" if cause == "cannibal" else "enemy-ship")


def vanish(board: Board, unit: int, cause: Literal["meeting", "rum"]) -> None:
    """Take a resident out of the game for good (J9.13, J9.14)."""
    cell = board.places[unit] // STEPS_A_CELL
    board.places[unit] = DEAD
    board.moods[unit] = 0
    board.spent += 1
    rule = "J9.13" if cause == "meeting" else "J9.14"
    board.events.append(Vanished(rule=rule, unit=UNITS[unit], cell=board.geo.names[cell], cause=cause))


def leave_load(run: Run) -> None:
    """Leave the load of one who vanishes on his cell; where it cannot lie, at ``origin``; at sea it sinks (J4.10)."""
    board = run.board
    load, run.load = run.load, 0
    cell = run.here // STEPS_A_CELL
    if board.geo.terrain[cell] != LAND:
        destroy(board, load, cell, "sunk")
    else:
        board.put(run.here if LOADABLE[board.tiles[cell] & CODE] else run.origin, load)


def meet(run: Run) -> bool:
    """Let the sober missionary and Friday vanish if they are in one place; say whether the mover is gone (J9.13)."""
    board = run.board
    if not together(board):
        return False
    gone = run.unit in (MS, FR)
    if gone:
        leave_load(run)
    vanish(board, MS, "meeting")
    vanish(board, FR, "meeting")
    return gone


def together(board: Board) -> bool:
    """Say whether the sober missionary and Friday are in one place."""
    return board.places[MS] == board.places[FR] >= 0 and board.is_sober(MS)


def beat(board: Board, unit: int, by: int) -> None:
    """Send a beaten character to its own colour's ship, all effects cleared (J5.1, R-10)."""
    cell = board.places[unit] // STEPS_A_CELL
    ship = board.ships[board.colour_of(unit)]
    board.places[unit] = ship * STEPS_A_CELL
    board.moods[unit] &= CONVERTED
    board.struck += 1
    names = board.geo.names
    board.events.append(Struck(rule="J5.1", unit=UNITS[unit], by=UNITS[by], cell=names[cell], ship=names[ship]))


def turn_friday(board: Board, colour: int) -> None:
    """Let Friday change side (J5.6, R-12)."""
    was = board.owners[FR - PIRATES]
    board.owners[FR - PIRATES] = colour
    board.struck += 1
    cell = board.geo.names[board.places[FR] // STEPS_A_CELL]
    board.events.append(FridayTurned(rule="J5.6", cell=cell, was=COLOURS[was], colour=COLOURS[colour]))


def strike(run: Run, *, at_sea: bool = False) -> None:
    """Strike all enemies in the place the mover has come to (J5.1); at sea they die (J6.8).

    Nobody strikes in the jungle (J5.3), nor who carries no sword or started beside a sober missionary (R-05).
    """
    board = run.board
    enemies = board.enemies_at(run.here, run.side)
    if not enemies or not run.fighter or run.pacified:
        return
    if not at_sea and board.tiles[run.here // STEPS_A_CELL] & CODE == JUNGLE:
        return
    for unit in enemies:
        if unit == FR:
            turn_friday(board, run.colour)
        elif at_sea:
            kill(board, unit, "struck-at-sea")
        elif not board.moods[unit] & (LOST | LOCKED):
            beat(board, unit, run.unit)
