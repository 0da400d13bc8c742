"""The engine does to a position what a second reading of the page does, whatever is tried on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from engine.core.geometry import RHUMBS
from engine.core.selfplay import Chance
from engine.jackal.board import Board, thaw
from engine.jackal.commands import Alternative, AnyAct, Fly, Launch, Load, Raise, RumLeap, Sail, SpinStep, Step
from engine.jackal.isle import ISLE, LAND, Cell
from engine.jackal.options import JackalOptions
from engine.jackal.rules.acting import perform
from engine.jackal.rules.actor import Acting
from engine.jackal.rules.illegal import Illegal
from engine.jackal.rules.run import Run
from engine.jackal.rules.setup import first_position
from engine.jackal.rules.wants import SlotTalk, Wants
from engine.jackal.rules.way import Way, admissible
from engine.jackal.state import (
    BG,
    CART,
    COLOURS,
    CONVERTED,
    DEAD,
    DRUNK,
    FR,
    ITEMS,
    LOST,
    MS,
    PIRATES,
    STEPS_A_CELL,
    TRAPPED,
    UNITS,
    WAKING,
    count,
)
from engine.jackal.tiles import (
    ARMED,
    BY_CODE,
    CANNIBAL,
    CANNON,
    CAVE,
    CODE,
    EFFECT,
    EXITS,
    FRESH,
    JUNGLE,
    KINDS,
    LOADABLE,
    OPEN,
    PASSES,
    SPENT,
    SPIN,
    TRAP,
    barrel_of,
    exits_of,
)
from tests.engine.jackal import second_reading

ROSTER = ("white", "yellow", "black", "red")
KEYS = (
    *("empty", "empty", "empty", "arrow", "arrow", "arrow", "arrow", "arrow", "arrow", "horse", "horse"),
    *(
        "ice",
        "ice",
        "ice",
        "ice",
        "croc",
        "croc",
        "croc",
        "croc",
        "spin2",
        "spin3",
        "spin4",
        "trap",
        "trap",
        "cannibal",
    ),
    *("fort", "fort_girl", "jungle", "jungle", "keg", "cave", "cave", "balloon", "cannon", "cannon", "plane", "grass"),
    *("chest2", "treasure", "rum1", "rum2", "friday", "missionary", "ben"),
)
ARROWS = [code * 4 + turn for code in range(64) for turn in range(4) if EXITS[code * 4 + turn]]
RESIDENTS = ("ben", "missionary", "friday")
EFFECTS = {FRESH: "fresh", ARMED: "armed", SPENT: "spent"}


def pick(chance: Chance, of: Sequence[Any]) -> Any:
    return of[chance(len(of))]


def spot(cell: Cell) -> second_reading.Spot:
    return divmod(cell, 15)


@dataclass(slots=True)
class Scripted(Wants):
    """Takes of the ways in order of their cells the one that chance names."""

    chance: Chance | None = None

    def one(self, ways: Sequence[Any]) -> Any:
        assert self.chance is not None
        return pick(self.chance, ways)

    def way(self, run: Run, topic: str, cell: Cell, ways: Sequence[Way]) -> Way:
        way: Way = self.one(sorted(ways, key=lambda way: way.cell))
        return way

    def flight(self, run: Run, cell: Cell, ways: Sequence[Way]) -> Way | None:
        found = sorted(admissible(run, cell, ways, run.load), key=lambda way: way.cell)
        way: Way | None = self.one([*found, None])
        return way

    def cave(self, run: Run, cell: Cell, exits: Sequence[Cell]) -> Cell:
        exit_: Cell = self.one(sorted(exits))
        return exit_


# Positions ------------------------------------------------------------------------------------------------------------


def options(chance: Chance) -> JackalOptions:
    return JackalOptions(
        tileset=pick(chance, ("ti117", "ti_plus")),
        teams=pick(chance, ("yes", "no")),
        plane_defer=pick(chance, ("yes", "no")),
        forced_load=pick(chance, ("die", "die", "drop")),
        ship_move=pick(chance, ("side", "second_ring")),
    )


def random_tile(chance: Chance) -> int:
    key = pick(chance, KEYS)
    tile: int = KINDS[key].code | chance(4) << 6 if key != "arrow" else 0
    if key == "arrow":
        code, turn = divmod(pick(chance, ARROWS), 4)
        tile = code | turn << 6
    if not chance(4):
        return tile
    if key == "plane":
        return tile | OPEN | int(pick(chance, (FRESH, ARMED, SPENT)))
    laid = key in ("chest2", "treasure", "friday", "missionary", "ben", "grass")
    return tile | OPEN | (SPENT if laid or (key.startswith("rum") and chance(2)) else FRESH)


def random_board(chance: Chance, switches: JackalOptions) -> Board:
    tiles = [random_tile(chance) if kind == LAND else 0 for kind in ISLE.terrain]
    board = thaw(first_position(switches, ROSTER, tuple(tiles), 0))
    board.ships = [pick(chance, route) for route in ISLE.routes]
    if switches.ship_move == "second_ring" and not chance(4):
        colour = chance(4)
        board.ships[colour] = ISLE.behind[board.ships[colour]]
    afloat = pick(chance, ISLE.coast)
    if switches.tileset == "ti_plus" and chance(2) and afloat not in board.ships:
        board.boat, board.boat_owner = afloat, chance(4)
    middle = pick(chance, ISLE.land)
    near = [cell for cell in ISLE.land if ISLE.apart[cell][middle] <= 1 + chance(2)]
    for unit in range(len(UNITS)):
        place_unit(board, unit, near, chance)
    found = [KINDS[key].code for unit, key in zip((BG, MS, FR), RESIDENTS, strict=True) if board.places[unit] >= 0]
    board.tiles = [tile | SPENT if tile & CODE in found else tile for tile in board.tiles]
    board.bottles = [chance(3) for _ in COLOURS]
    for _ in range(chance(20)):
        place_load(board, pick(chance, near), chance)
    if switches.tileset == "ti_plus" and not chance(3):
        board.put(pick(chance, board.ships) * STEPS_A_CELL, CART)
    return board


def place_unit(board: Board, unit: int, near: Sequence[Cell], chance: Chance) -> None:
    """Put a character where it could be, or out of the game."""
    board.places[unit] = DEAD
    if unit >= PIRATES:
        board.owners[unit - PIRATES] = chance(4)
    if not chance(3 if unit >= PIRATES else 7):
        return
    for _ in range(50):
        cell = pick(chance, pick(chance, (near, near, near, near, board.ships, ISLE.coast)))
        code = board.tiles[cell] & CODE
        place = cell * STEPS_A_CELL + (1 + (chance(SPIN[code]) if unit != FR else 0) if SPIN[code] else 0)
        if may_stand(board, unit, cell, place):
            settle(board, unit, place, chance)
            return


def may_stand(board: Board, unit: int, cell: Cell, place: int) -> bool:
    tile, vessel = board.tiles[cell], board.vessel_at(cell)
    side = board.side_of(unit)
    if ISLE.terrain[cell] == LAND:
        code = tile & CODE
        gunner = code == CANNON and board.options.tileset == "ti_plus"
        if not tile & OPEN or (PASSES[code] and not gunner) or (code == CANNIBAL and unit != FR):
            return False
    elif vessel >= 0 and board.vessel_side(vessel) != side:
        return False
    if unit in (MS, FR) and board.places[MS + FR - unit] == place:
        return False
    return tile & CODE == JUNGLE or not board.enemies_at(place, side)


def settle(board: Board, unit: int, place: int, chance: Chance) -> None:
    code = board.tiles[place // STEPS_A_CELL] & CODE
    caves = [cell for cell in ISLE.land if board.tiles[cell] & (CODE | OPEN) == CAVE | OPEN]
    if code == TRAP and unit != FR and not board.at(place):
        board.moods[unit] |= TRAPPED
    if code == CAVE and len(caves) == 1:
        board.moods[unit] |= LOST
    if unit == MS and not chance(3):
        board.moods[unit] |= CONVERTED
    board.places[unit] = place


def place_load(board: Board, cell: Cell, chance: Chance) -> None:
    tile = board.tiles[cell]
    code = tile & CODE
    things = ["coin", "coin", "treasure"]
    if board.options.tileset == "ti_plus":
        things += ["ball", "ball", "cart", "boat"]
    if tile & OPEN and LOADABLE[code] and code != CANNIBAL:
        place = cell * STEPS_A_CELL + (1 + chance(SPIN[code]) if SPIN[code] else 0)
        thing = pick(chance, things)
        if count(board.loads.get(place, 0), thing) < 2:
            board.put(place, ITEMS[thing][0])


# The same in the terms of the second reading --------------------------------------------------------------------------


def heap_of(packed: int) -> dict[str, int]:
    return {item: count(packed, item) for item in ITEMS if count(packed, item)}


def tile_of(tile: int) -> second_reading.Tile:
    ways = [RHUMBS[way] for way in exits_of(tile)]
    kind = "arrow" if ways else BY_CODE[tile & CODE].key
    if tile & CODE == CANNON:
        ways = [RHUMBS[barrel_of(tile)]]
    return second_reading.Tile(kind, ways, bool(tile & OPEN), EFFECTS[tile & EFFECT])


def man_of(board: Board, unit: int) -> second_reading.Man:
    place, mood = board.places[unit], board.moods[unit]
    if place < 0:
        return second_reading.Man(board.colour_of(unit), alive=False)
    return second_reading.Man(
        board.colour_of(unit),
        alive=True,
        cell=spot(place // STEPS_A_CELL),
        step=place % STEPS_A_CELL,
        trapped=bool(mood & TRAPPED),
        drunk=bool(mood & DRUNK),
        lost=bool(mood & LOST),
        waking=bool(mood & WAKING),
    )


def read(board: Board) -> second_reading.Position:
    return second_reading.Position(
        tiles={spot(cell): tile_of(board.tiles[cell]) for cell in ISLE.land},
        men={name: man_of(board, unit) for unit, name in enumerate(UNITS)},
        converted=bool(board.moods[MS] & CONVERTED),
        loads={
            (spot(place // STEPS_A_CELL), place % STEPS_A_CELL): heap_of(packed)
            for place, packed in board.loads.items()
        },
        ships=[spot(ship) for ship in board.ships],
        sides=list(board.sides),
        gold=list(board.gold),
        bottles=list(board.bottles),
        boat=spot(board.boat) if board.boat >= 0 else None,
        boat_colour=board.boat_owner,
        destroyed=board.destroyed,
        waits=board.options.plane_defer == "yes",
        drops=board.options.forced_load == "drop",
        ring=board.options.ship_move == "second_ring",
        grass=board.grass,
    )


def told(position: second_reading.Position) -> dict[str, Any]:
    """Return a position as what can be compared: the dead are nowhere, empty heaps are no heaps."""
    heaps = {place: {item: n for item, n in heap.items() if n} for place, heap in position.loads.items()}
    return {
        "men": {name: man if man.alive else None for name, man in position.men.items()},
        "converted": position.converted and position.men["MS"].alive,
        "tiles": position.tiles,
        "loads": {place: heap for place, heap in heaps.items() if heap},
        "sea": (position.ships, position.boat),
        "score": (position.gold, position.bottles, position.destroyed, position.grass),
    }


# Acts -----------------------------------------------------------------------------------------------------------------


def random_load(board: Board, unit: int, chance: Chance) -> tuple[Load | None, dict[str, int]]:
    heap = heap_of(board.loads.get(board.places[unit], 0))
    if not heap or not chance(3):
        return None, {}
    item = pick(chance, list(heap))
    if item != "cart":
        return Load(item=item), {item: 1}
    inside = [one for one in ("treasure", "coin", "ball") if heap.get(one) and chance(2)][:2]
    return Load(item="cart", inside=tuple(inside)), {"cart": 1, **dict.fromkeys(inside, 1)}


def random_act(board: Board, colour: int, unit: int, chance: Chance) -> tuple[AnyAct, tuple[Any, ...]]:
    """Return an act for the engine, and the same for the second reading."""
    name = UNITS[unit]
    load, heap = random_load(board, unit, chance)
    beside = pick(chance, [one for one in ISLE.around[board.places[unit] // STEPS_A_CELL] if one >= 0])
    to = ISLE.names[beside]
    match pick(chance, ("step", "step", "step", "step", "spin", "rum", "fly", "raise", "sail", "launch")):
        case "step":
            return Step(unit=name, cell=to, load=load), ("step", name, spot(beside), heap)
        case "spin":
            return SpinStep(unit=name, load=load), ("spin", name, heap)
        case "rum":
            return RumLeap(unit=name, cell=to, load=load), ("rum", name, spot(beside), heap)
        case "raise":
            return Raise(unit=name), ("raise", name)
        case "launch":
            return Launch(unit=name, cell=to), ("launch", name, spot(beside))
        case "fly":
            far = pick(chance, [*ISLE.land, *board.ships])
            return Fly(unit=name, cell=ISLE.names[far], load=load), ("fly", name, spot(far), heap)
    word = pick(chance, RHUMBS)
    ship = pick(chance, (colour, colour, (colour + 2) % 4, second_reading.THE_BOAT))
    afloat = ship == second_reading.THE_BOAT
    return Sail(colour=COLOURS[0 if afloat else ship], boat=afloat, route=(word,)), ("sail", ship, word)


def engine_plays(board: Board, colour: int, act: AnyAct, seed: bytes) -> dict[str, Any] | None:
    talk = SlotTalk(colour, 1, board.seats[colour])
    wants = Scripted(Alternative(act=act, perish=True), talk, ("white",), chance=Chance(seed))
    branch = board.branch()
    try:
        perform(Acting(branch, talk, wants))
    except Illegal:
        return None
    return told(read(branch))


def reader_plays(
    position: second_reading.Position, colour: int, act: tuple[Any, ...], seed: bytes
) -> dict[str, Any] | None:
    chance = Chance(seed)
    try:
        return told(second_reading.play(position, colour, act, lambda ways: pick(chance, ways)))
    except second_reading.NotLegal:
        return None


@pytest.mark.parametrize("seed", range(3))
def test_both_readings_of_an_action_agree(seed: int) -> None:
    chance = Chance(f"second-reading-{seed}".encode())
    legal = 0
    for _ in range(20):
        board = random_board(chance, options(chance))
        position = read(board)
        for number in range(40):
            colour = chance(4)
            if not board.crew(colour):
                continue
            act, same = random_act(board, colour, pick(chance, board.crew(colour)), chance)
            ways = f"{seed}-{number}".encode()
            done = engine_plays(board, colour, act, ways)
            legal += done is not None

            assert done == reader_plays(position, colour, same, ways), (act, board.options)
    assert legal > 100
