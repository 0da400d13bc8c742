"""Actions a colour may take, in canonical order: for answers' examples, bots, defaults and R-03 (5.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.geometry import RHUMBS
from engine.jackal.board import BOAT_VESSEL, NO_VESSEL, Board
from engine.jackal.commands import Alternative, AnyAct, Fly, Launch, Load, Raise, RumLeap, Sail, SpinStep, Step
from engine.jackal.isle import COAST, LAND, NOWHERE, Cell
from engine.jackal.rules.acting import perform
from engine.jackal.rules.actor import Acting
from engine.jackal.rules.illegal import Illegal
from engine.jackal.rules.repetition import TIMES, refuse_repetition
from engine.jackal.rules.vessels import sea_lanes
from engine.jackal.rules.wants import SlotTalk, Wants
from engine.jackal.state import (
    COLOURS,
    DEAD,
    DRUNK,
    FR,
    LOCKED,
    LOST,
    PIRATES,
    STEPS_A_CELL,
    TRAPPED,
    UNITS,
    WAKING,
    count,
)
from engine.jackal.tiles import ARMED, CODE, EFFECT, FORT_GIRL, PLANE, SPIN


def wake(board: Board, colour: int) -> None:
    """Begin a colour's turn: those put to sleep miss this one (J8.15)."""
    for unit, mood in enumerate(board.moods):
        if mood & DRUNK and board.places[unit] >= 0 and board.colour_of(unit) == colour:
            board.moods[unit] = mood & ~DRUNK | WAKING


def sober_up(board: Board) -> None:
    """End a colour's turn: those who missed it are awake (R-40)."""
    for unit, mood in enumerate(board.moods):
        if mood & WAKING:
            board.moods[unit] = mood & ~WAKING


def loads_at(board: Board, unit: int) -> Iterator[Load]:
    """Yield the loads a character could take from where it stands."""
    heap = board.loads.get(board.places[unit], 0)
    if not heap or board.is_sober(unit):
        return
    for item in ("coin", "treasure", "ball", "boat"):
        if count(heap, item):
            yield Load(item=item)
    if count(heap, "cart"):
        yield Load(item="cart", bare=True)


def candidates(board: Board, colour: int) -> Iterator[AnyAct]:
    """Yield acts of a colour's characters that are worth trying, in canonical order, without a load first."""
    for unit in board.crew(colour):
        if not board.moods[unit] & (WAKING | LOST | LOCKED):
            yield from _of_unit(board, unit, colour)


def _of_unit(board: Board, unit: int, colour: int) -> Iterator[AnyAct]:
    name = UNITS[unit]
    place = board.places[unit]
    cell = place // STEPS_A_CELL
    code = board.tiles[cell] & CODE
    held = SPIN[code] > place % STEPS_A_CELL and unit != FR
    trapped = bool(board.moods[unit] & TRAPPED)
    loads: tuple[Load | None, ...] = (None, *loads_at(board, unit))
    if held:
        for load in loads:
            yield SpinStep(unit=name, load=load)
    targets = _neighbours(board, cell)
    if not held and not trapped:
        for target in targets:
            for load in loads:
                yield Step(unit=name, cell=target, load=load)
    if (trapped or SPIN[code]) and board.is_fighter(unit) and board.bottles[colour]:
        for target in targets:
            for load in loads:
                yield RumLeap(unit=name, cell=target, load=load)
    yield from _special(board, unit, colour, loads)


def _special(board: Board, unit: int, colour: int, loads: tuple[Load | None, ...]) -> Iterator[AnyAct]:
    name = UNITS[unit]
    place = board.places[unit]
    cell = place // STEPS_A_CELL
    tile = board.tiles[cell]
    if tile & CODE == FORT_GIRL and unit < PIRATES:
        for dead in range(colour * 3, colour * 3 + 3):
            if board.places[dead] == DEAD:
                yield Raise(unit=name, dead=UNITS[dead])
    if tile & CODE == PLANE and tile & EFFECT == ARMED:
        ships = [board.ships[colour], *(ship for ship in board.ships if ship >= 0)]
        for target in dict.fromkeys([*ships, *board.geo.land]):
            for load in loads:
                yield Fly(unit=name, cell=board.geo.names[target], load=load)
    if count(board.loads.get(place, 0), "boat") and board.geo.terrain[cell] == LAND:
        for target in board.geo.around[cell]:
            if board.geo.terrain[target] == COAST and board.vessel_at(target) == NO_VESSEL:
                yield Launch(unit=name, cell=board.geo.names[target])


def _neighbours(board: Board, cell: Cell) -> list[str]:
    """Return the neighbours a step could lead to, clockwise from north."""
    geo = board.geo
    at_sea = geo.terrain[cell] != LAND
    aboard = at_sea and board.vessel_at(cell) != NO_VESSEL
    found = []
    for target in geo.around[cell]:
        if target == NOWHERE:
            continue
        terrain = geo.terrain[target]
        vessel = board.vessel_at(target) != NO_VESSEL
        if vessel or (terrain == LAND and (aboard or not at_sea)) or (terrain == COAST and at_sea and not aboard):
            found.append(geo.names[target])
    return found


def sails(board: Board, colour: int) -> Iterator[Sail]:
    """Yield moves of the vessels a colour may row: its own ship first, then allied ones, then the boat."""
    side = board.sides[colour]
    others = [one for one in range(4) if one != colour and board.sides[one] == side]
    for vessel in (colour, *others, BOAT_VESSEL):
        start = board.boat if vessel == BOAT_VESSEL else board.ships[vessel]
        if start == NOWHERE or board.vessel_side(vessel) != side:
            continue
        for cell in sea_lanes(board, vessel, start):
            rhumb = RHUMBS[board.geo.direction(start, cell)]
            owner = COLOURS[board.vessel_colour(vessel)]
            yield Sail(colour=owner, boat=vessel == BOAT_VESSEL, route=(rhumb,))


def attempt(board: Board, alternative: Alternative, talk: SlotTalk, *, smoke: bool = False) -> Board:
    """Return the board after an alternative, nothing asked. Raises Illegal."""
    branch = board.branch()
    perform(Acting(branch, talk, Wants(alternative, talk, (talk.seat,)), smoke=smoke))
    return branch


def legal_acts(board: Board, colour: int, seen: Sequence[int] = (), *, smoke: bool = False) -> Iterator[AnyAct]:
    """Yield the acts that are legal without ``!`` on this board, in canonical order, vessels last.

    ``seen`` are the digests of earlier positions (R-28 a).
    """
    talk = SlotTalk(colour, 1, board.seats[colour])
    often = [mark for mark in seen if seen.count(mark) >= TIMES - 1]
    for what in (*candidates(board, colour), *sails(board, colour)):
        try:
            refuse_repetition(often, attempt(board, Alternative(act=what), talk, smoke=smoke), colour)
        except Illegal:
            continue
        yield what
