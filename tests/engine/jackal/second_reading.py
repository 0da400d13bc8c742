"""A second reading of the page: one action on a position, written from the rules alone and nothing of the engine.

Cells are (row, column), 1 to 13; 0 and 14 are the second ring of sea. No oaths, lighthouse or earthquake.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, NoReturn, TypeAlias

Spot: TypeAlias = tuple[int, int]
Heap: TypeAlias = dict[str, int]
Vector: TypeAlias = tuple[int, int]

COMPASS: dict[str, Vector] = {
    "N": (-1, 0),
    "NE": (-1, 1),
    "E": (0, 1),
    "SE": (1, 1),
    "S": (1, 0),
    "SW": (1, -1),
    "W": (0, -1),
    "NW": (-1, -1),
}
KNIGHT: list[Vector] = [(-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1)]
INLAND: list[Vector] = [(1, 0), (0, -1), (-1, 0), (0, 1)]
SPINS = {"spin2": 2, "spin3": 3, "spin4": 4, "spin5": 5}
PASSES = ("arrow", "horse", "ice", "croc", "balloon", "cannon")
NO_LOADS = ("fort", "fort_girl", "jungle")
LAID: dict[str, Heap] = {
    **{f"chest{n}": {"coin": n} for n in range(1, 6)},
    **{thing: {thing: 1} for thing in ("treasure", "boat", "ball", "cart")},
}
RESIDENTS = {"ben": "BG", "missionary": "MS", "friday": "FR"}
THE_BOAT = 4
ENOUGH = 3


class NotLegal(Exception):
    """The action is not legal."""


class Over(Exception):
    """The mover is dead or gone, the action is over."""


@dataclass(slots=True)
class Tile:
    kind: str
    ways: list[str]
    open: bool
    effect: str


@dataclass(slots=True)
class Man:
    colour: int
    alive: bool
    cell: Spot = (0, 0)
    step: int = 0
    trapped: bool = False
    drunk: bool = False
    lost: bool = False
    waking: bool = False


@dataclass(slots=True)
class Position:
    tiles: dict[Spot, Tile]
    men: dict[str, Man]
    converted: bool
    loads: dict[tuple[Spot, int], Heap]
    ships: list[Spot]
    sides: list[int]
    gold: list[int]
    bottles: list[int]
    boat: Spot | None
    boat_colour: int
    destroyed: int
    waits: bool
    drops: bool
    ring: bool
    grass: int = 0


@dataclass(slots=True, frozen=True)
class Way:
    to: Spot | None
    kind: str = ""
    vector: Vector | None = None


Choose: TypeAlias = Callable[[Sequence[Any]], Any]


def is_land(cell: Spot) -> bool:
    row, column = cell
    return 2 <= row <= 12 and 2 <= column <= 12 and not (row in (2, 12) and column in (2, 12))


def is_inside(cell: Spot) -> bool:
    return 1 <= cell[0] <= 13 and 1 <= cell[1] <= 13


def is_corner(cell: Spot) -> bool:
    return cell[0] in (1, 13) and cell[1] in (1, 13)


def is_coast(cell: Spot) -> bool:
    return is_inside(cell) and not is_land(cell) and not is_corner(cell)


def beyond(cell: Spot, vector: Vector) -> Spot:
    return cell[0] + vector[0], cell[1] + vector[1]


def touches(one: Spot, other: Spot) -> bool:
    return one != other and max(abs(one[0] - other[0]), abs(one[1] - other[1])) == 1


def worth(heap: Heap) -> int:
    return heap.get("coin", 0) + 3 * heap.get("treasure", 0)


def vessel(now: Position, cell: Spot) -> int | None:
    if cell in now.ships:
        return now.ships.index(cell)
    return THE_BOAT if now.boat == cell else None


def master(now: Position, ship: int) -> int:
    return now.boat_colour if ship == THE_BOAT else ship


def is_sober(now: Position, name: str) -> bool:
    return name == "MS" and not now.converted


def fights(now: Position, name: str) -> bool:
    return name != "FR" and not is_sober(now, name)


def crowd(now: Position, cell: Spot, step: int) -> list[str]:
    return [name for name, man in now.men.items() if man.alive and (man.cell, man.step) == (cell, step)]


def foes(now: Position, cell: Spot, step: int, side: int) -> list[str]:
    return [name for name in crowd(now, cell, step) if now.sides[now.men[name].colour] != side]


def first_step(now: Position, cell: Spot) -> int:
    return int(is_land(cell) and now.tiles[cell].open and now.tiles[cell].kind in SPINS)


def lay(now: Position, cell: Spot, step: int, heap: Heap) -> None:
    there = now.loads.setdefault((cell, step), {})
    for item, number in heap.items():
        there[item] = there.get(item, 0) + number


class Journey:
    """A character's move."""

    def __init__(self, now: Position, name: str, load: Heap, choose: Choose) -> None:
        self.now, self.name, self.load, self.choose = now, name, dict(load), choose
        self.man = now.men[name]
        self.side = now.sides[self.man.colour]
        self.origin = (self.man.cell, self.man.step)
        self.before = self.man.cell
        self.used: set[tuple[Spot, Way]] = set()
        self.fixed: set[tuple[Spot, Way]] = set()
        saint = now.men["MS"]
        self.calm = name != "MS" and saint.alive and is_sober(now, "MS") and (saint.cell, saint.step) == self.origin

    def may_enter(self, cell: Spot | None, step: int | None = None) -> bool:
        now = self.now
        if cell is None or not is_inside(cell):
            return False
        if not is_land(cell):
            if vessel(now, cell) is not None:
                return True
            return is_coast(cell) and self.dares("sea", foes(now, cell, 0, self.side), laden=False)
        tile, laden = now.tiles[cell], bool(self.load)
        if laden and (not tile.open or tile.kind in NO_LOADS):
            return False
        where = first_step(now, cell) if step is None else step
        return self.dares(tile.kind, foes(now, cell, where, self.side), laden=laden)

    def dares(self, kind: str, there: list[str], *, laden: bool) -> bool:
        now = self.now
        if not there or kind == "jungle":
            return True
        if kind in NO_LOADS or (kind == "cave" and any(now.men[one].lost for one in there)):
            return False
        if any(is_sober(now, one) for one in there):
            return there == ["MS"] and self.name == "FR" and not laden
        if laden:
            return False
        return there == ["FR"] or (fights(now, self.name) and not self.calm)

    # What becomes of him

    def die(self, load: str) -> NoReturn:
        self.man.alive = False
        if self.load and load == "origin":
            lay(self.now, *self.origin, self.load)
        elif self.load:
            self.now.destroyed += worth(self.load)
        raise Over

    def leave_the_game(self) -> NoReturn:
        self.man.alive = False
        cell = self.man.cell
        if self.load and not is_land(cell):
            self.now.destroyed += worth(self.load)
        elif self.load and self.now.tiles[cell].kind in (*PASSES, *NO_LOADS, "cannibal"):
            lay(self.now, *self.origin, self.load)
        elif self.load:
            lay(self.now, cell, self.man.step, self.load)
        raise Over

    def enlighten(self) -> None:
        one, other = self.now.men["MS"], self.now.men["FR"]
        meet = one.alive and other.alive and (one.cell, one.step) == (other.cell, other.step)
        if meet and is_sober(self.now, "MS"):
            one.alive = other.alive = False
            if self.name in ("MS", "FR"):
                self.leave_the_game()

    def strike(self, *, at_sea: bool) -> None:
        now = self.now
        jungle = not at_sea and now.tiles[self.man.cell].kind == "jungle"
        if not fights(now, self.name) or self.calm or jungle:
            return
        for name in foes(now, self.man.cell, self.man.step, self.side):
            foe = now.men[name]
            if name == "FR":
                foe.colour = self.man.colour
            elif at_sea:
                foe.alive = False
            else:
                foe.cell, foe.step, foe.trapped, foe.drunk, foe.lost = now.ships[foe.colour], 0, False, False, False

    # The chain

    def go(self, way: Way | None) -> None:
        while way is not None:
            way = self.arrive(way)
        if self.load:
            lay(self.now, self.man.cell, self.man.step, self.load)

    def arrive(self, way: Way) -> Way | None:
        assert way.to is not None
        self.before = self.man.cell
        self.man.cell, self.man.step = way.to, first_step(self.now, way.to)
        if not is_land(way.to):
            self.come_to_sea(way.to)
            return None
        tile = self.now.tiles[way.to]
        if not tile.open:
            tile.open = True
            self.man.step = first_step(self.now, way.to)
            if tile.kind in LAID:
                lay(self.now, way.to, 0, LAID[tile.kind])
                tile.effect = "spent"
        if tile.kind == "cannibal" and self.name != "FR":
            self.die("eaten")
        self.enlighten()
        self.strike(at_sea=False)
        if tile.effect == "fresh" and (tile.kind == "plane" or self.act_once(tile)):
            return self.board_plane(tile) if tile.kind == "plane" else None
        if tile.kind in PASSES:
            return self.pass_on(tile, way)
        self.stay(tile)
        return None

    def come_to_sea(self, cell: Spot) -> None:
        now, ship = self.now, vessel(self.now, cell)
        load, self.load = self.load, {}
        if ship is None:
            now.destroyed += worth(load)
            self.enlighten()
            self.strike(at_sea=True)
        elif now.sides[master(now, ship)] != self.side:
            self.load = load
            self.die("lost")
        else:
            now.gold[master(now, ship)] += worth(load)
            if load.get("cart"):
                lay(now, cell, 0, {"cart": 1})
            self.enlighten()

    def act_once(self, tile: Tile) -> bool:
        now, colour = self.now, self.man.colour
        if tile.kind in RESIDENTS:
            tile.effect = "spent"
            now.men[RESIDENTS[tile.kind]] = Man(colour, alive=True, cell=self.man.cell)
            self.man = now.men[self.name]
            self.enlighten()
        elif tile.kind.startswith("rum"):
            tile.effect = "spent"
            drinks = not fights(now, self.name)
            now.bottles[colour] += int(tile.kind[-1]) - drinks
            self.drink()
        elif tile.kind == "grass":
            tile.effect = "spent"
            now.grass += 1
        else:
            return False
        return True

    def drink(self) -> None:
        if self.name == "FR":
            self.leave_the_game()
        self.now.converted = self.now.converted or self.name == "MS"

    def flights(self) -> list[Way]:
        now = self.now
        ships = [cell for colour, cell in enumerate(now.ships) if now.sides[colour] == self.side]
        return [Way(cell, "flight") for cell in sorted([*ships, *now.tiles]) if cell != self.man.cell]

    def board_plane(self, tile: Tile) -> Way | None:
        tile.effect = "spent"
        self.fixed.clear()
        way: Way = self.choose([*(way for way in self.flights() if self.may_enter(way.to)), Way(None)])
        if way.to is None:
            tile.effect = "armed" if self.now.waits else "spent"
            return None
        return way

    def stay(self, tile: Tile) -> None:
        if tile.kind == "trap":
            friends = [one for one in crowd(self.now, self.man.cell, 0) if one != self.name]
            friends = [one for one in friends if self.now.sides[self.now.men[one].colour] == self.side]
            for one in friends:
                self.now.men[one].trapped = False
            self.man.trapped = not friends and self.name != "FR"
        elif tile.kind == "keg":
            self.drink()
            self.man.drunk = True
        elif tile.kind == "cave":
            self.enter_cave()

    def enter_cave(self) -> None:
        now, here = self.now, self.man.cell
        caves = sorted(cell for cell, tile in now.tiles.items() if tile.kind == "cave" and tile.open)
        if caves == [here]:
            self.man.lost = True
            return
        for man in now.men.values():
            if man.alive and man.lost:
                man.lost, man.cell = False, here
        exits = [cell for cell in caves if cell != here and not foes(now, cell, 0, self.side)]
        if exits:
            self.man.cell = self.choose(exits)
            self.enlighten()

    def pass_on(self, tile: Tile, came: Way) -> Way | None:
        here = self.man.cell
        if tile.kind == "cannon" and self.load == {"ball": 1}:
            self.fire(COMPASS[tile.ways[0]])
            return None
        several = self.several_ways(tile, came)
        if several:
            return self.pick(several)
        arrival = (here, Way(here, came.kind, came.vector))
        if arrival in self.fixed:
            self.die("origin")
        self.fixed.add(arrival)
        way = self.only_way(tile, came)
        if tile.kind == "cannon":
            self.shoot_friends(way)
        if tile.kind == "balloon":
            return way
        if not self.may_enter(way.to) and self.now.drops and tile.kind != "cannon":
            self.drop()
        if not self.may_enter(way.to):
            if way.to is not None and not is_land(way.to):
                self.now.destroyed += worth(self.load)
                self.load = {}
            self.die("origin")
        return way

    def drop(self) -> None:
        lay(self.now, *self.origin, self.load)
        self.load = {}

    def several_ways(self, tile: Tile, came: Way) -> list[Way]:
        here = self.man.cell
        if tile.kind == "arrow" and len(tile.ways) > 1:
            return [Way(beyond(here, COMPASS[word]), "step", COMPASS[word]) for word in tile.ways]
        if tile.kind == "horse" or (tile.kind == "ice" and came.kind == "horse"):
            jumps = [beyond(here, vector) for vector in KNIGHT]
            return [Way(cell, "horse") for cell in jumps if is_land(cell) or is_coast(cell)]
        return self.flights() if tile.kind == "ice" and came.kind == "flight" else []

    def pick(self, ways: list[Way]) -> Way:
        here = self.man.cell

        def good() -> list[Way]:
            found = [way for way in ways if (here, way) not in self.used and self.may_enter(way.to)]
            return sorted(found, key=lambda way: way.to or (0, 0))

        if not good() and self.now.drops:
            self.drop()
        if not good():
            self.die("origin")
        way: Way = self.choose(good())
        self.used.add((here, way))
        self.fixed.clear()
        return way

    def only_way(self, tile: Tile, came: Way) -> Way:
        here = self.man.cell
        if tile.kind == "balloon":
            return Way(self.now.ships[self.man.colour], came.kind, came.vector)
        if tile.kind == "croc":
            back = came.vector and (-came.vector[0], -came.vector[1])
            return Way(self.before, came.kind, back)
        if tile.kind == "ice":
            assert came.vector is not None
            return Way(beyond(here, came.vector), "step", came.vector)
        vector = COMPASS[tile.ways[0]]
        if tile.kind == "arrow":
            return Way(beyond(here, vector), "step", vector)
        while is_land(here):
            here = beyond(here, vector)
        return Way(here, came.kind, came.vector)

    def fire(self, vector: Vector) -> None:
        now, self.load = self.now, {}
        cell = beyond(self.man.cell, vector)
        while is_inside(cell):
            if vessel(now, cell) is None:
                for man in now.men.values():
                    man.alive = man.alive and (man.cell != cell or man.lost)
                for place in [one for one in now.loads if one[0] == cell]:
                    now.destroyed += worth(now.loads.pop(place))
            cell = beyond(cell, vector)

    def shoot_friends(self, way: Way) -> None:
        assert way.to is not None
        for name in crowd(self.now, self.man.cell, 0):
            if name == self.name:
                continue
            friend = Journey(self.now, name, {}, self.choose)
            friend.calm = False
            try:
                if not friend.may_enter(way.to):
                    friend.die("origin")
                friend.man.cell = way.to
                friend.come_to_sea(way.to)
            except Over:
                continue


# Actions --------------------------------------------------------------------------------------------------------------


def copy_of(before: Position) -> Position:
    return replace(
        before,
        tiles={cell: copy(tile) for cell, tile in before.tiles.items()},
        men={name: copy(man) for name, man in before.men.items()},
        loads={place: dict(heap) for place, heap in before.loads.items()},
        ships=list(before.ships),
        gold=list(before.gold),
        bottles=list(before.bottles),
    )


def play(before: Position, colour: int, act: tuple[Any, ...], choose: Choose) -> Position:
    """Return the position after an action. Raises NotLegal.

    ``sail vessel way``, ``step unit cell load``, ``spin unit load``, ``rum unit cell load``, ``fly unit cell load``,
    ``raise unit``, ``launch unit cell``.
    """
    now = copy_of(before)
    what, who, *rest = act
    if what == "sail":
        _sail(now, colour, who, rest[0])
    else:
        _move(now, colour, what, who, rest, choose)
    for place in list(now.loads):
        if is_land(place[0]) and now.tiles[place[0]].kind == "cannibal":
            friday = now.men["FR"]
            if not (friday.alive and friday.cell == place[0]):
                now.destroyed += worth(now.loads.pop(place))
    return now


def _sail(now: Position, colour: int, ship: int, word: str) -> None:
    start = now.boat if ship == THE_BOAT else now.ships[ship]
    side = now.sides[colour]
    if start is None or now.sides[master(now, ship)] != side:
        raise NotLegal
    rowers = [name for name in crowd(now, start, 0) if fights(now, name) and not now.men[name].waking]
    if master(now, ship) != colour:
        rowers = [name for name in rowers if now.men[name].colour == colour]
    cell = beyond(start, COMPASS[word])
    if not rowers or is_land(cell) or vessel(now, cell) is not None or not _sea_lane(now, ship, cell, word):
        raise NotLegal
    swimmers = crowd(now, cell, 0)
    for name in crowd(now, start, 0):
        now.men[name].cell = cell
    if (start, 0) in now.loads:
        now.loads[cell, 0] = now.loads.pop((start, 0))
    if ship == THE_BOAT:
        now.boat = cell
    else:
        now.ships[ship] = cell
    _come_upon(now, cell, swimmers, side)


def _sea_lane(now: Position, ship: int, cell: Spot, word: str) -> bool:
    if ship == THE_BOAT:
        outer = now.ring and not is_inside(cell) and min(cell) >= 0 and max(cell) <= 14
        return is_coast(cell) or is_corner(cell) or outer
    along, across = (cell[1], cell[0]) if ship in (0, 2) else (cell[0], cell[1])
    rows = {0: (1, 0), 1: (13, 14), 2: (13, 14), 3: (1, 0)}[ship]
    return len(word) == 1 and 3 <= along <= 11 and across in rows[: 1 + now.ring]


def _come_upon(now: Position, cell: Spot, swimmers: list[str], side: int) -> None:
    for name in swimmers:
        now.men[name].alive = now.sides[now.men[name].colour] == side
    one, other = now.men["MS"], now.men["FR"]
    if one.alive and other.alive and one.cell == other.cell == cell and is_sober(now, "MS"):
        one.alive = other.alive = False


def _move(now: Position, colour: int, what: str, name: str, rest: list[Any], choose: Choose) -> None:
    man = now.men[name]
    stuck = man.waking or man.lost or (man.trapped and what != "rum")
    if not man.alive or man.colour != colour or stuck:
        raise NotLegal
    kind = now.tiles[man.cell].kind if is_land(man.cell) else "sea"
    held = kind in SPINS and man.step < SPINS[kind] and name != "FR"
    if what == "raise":
        _raise(now, name, kind)
        return
    if what == "launch":
        _launch(now, name, rest[0], held=held)
        return
    if what == "rum":
        if not (man.trapped or kind in SPINS) or not fights(now, name) or not now.bottles[colour]:
            raise NotLegal
        now.bottles[colour] -= 1
        man.trapped = False
    journey = Journey(now, name, _taken(now, name, rest[-1]), choose)
    try:
        if what == "spin":
            _advance(journey, held=held)
        else:
            _set_out(journey, rest[0], kind, what, held=held and what != "rum")
    except Over:
        return


def _taken(now: Position, name: str, load: Heap) -> Heap:
    man = now.men[name]
    heap = now.loads.get((man.cell, man.step), {})
    if load and (is_sober(now, name) or any(heap.get(item, 0) < number for item, number in load.items())):
        raise NotLegal
    for item, number in load.items():
        heap[item] -= number
    return load


def _raise(now: Position, name: str, kind: str) -> None:
    man = now.men[name]
    dead = [f"{name[0]}{n}" for n in (1, 2, 3) if name[1:].isdigit() and not now.men[f"{name[0]}{n}"].alive]
    alive = [one for one, other in now.men.items() if other.alive and other.colour == man.colour and fights(now, one)]
    if kind != "fort_girl" or not dead or len(alive) >= ENOUGH:
        raise NotLegal
    now.men[dead[0]] = Man(man.colour, alive=True, cell=man.cell)


def _launch(now: Position, name: str, cell: Spot, *, held: bool) -> None:
    man = now.men[name]
    heap = now.loads.get((man.cell, man.step), {})
    free = is_coast(cell) and touches(cell, man.cell) and vessel(now, cell) is None
    if not free or held or is_sober(now, name) or not is_land(man.cell) or not heap.get("boat"):
        raise NotLegal
    heap["boat"] -= 1
    _leave_plane(now, man.cell)
    now.boat, now.boat_colour = cell, man.colour
    swimmers = crowd(now, cell, 0)
    man.cell, man.step = cell, 0
    _come_upon(now, cell, swimmers, now.sides[man.colour])


def _leave_plane(now: Position, cell: Spot) -> None:
    if is_land(cell) and now.tiles[cell].kind == "plane" and now.tiles[cell].effect == "armed":
        now.tiles[cell].effect = "spent"


def _advance(journey: Journey, *, held: bool) -> None:
    man = journey.man
    if not held or not journey.may_enter(man.cell, man.step + 1):
        raise NotLegal
    man.step += 1
    journey.enlighten()
    journey.strike(at_sea=False)
    journey.go(None)


def _set_out(journey: Journey, cell: Spot, kind: str, what: str, *, held: bool) -> None:
    now, start = journey.now, journey.man.cell
    if what == "fly":
        armed = kind == "plane" and now.tiles[start].effect == "armed"
        if not armed or Way(cell, "flight") not in journey.flights() or not journey.may_enter(cell):
            raise NotLegal
        _leave_plane(now, start)
        journey.go(Way(cell, "flight"))
        return
    allowed = _off_land if is_land(start) else _off_ship if vessel(now, start) is not None else _swims
    if held or not touches(cell, start) or not allowed(journey, cell) or not journey.may_enter(cell):
        raise NotLegal
    _leave_plane(now, start)
    journey.go(Way(cell, "step", (cell[0] - start[0], cell[1] - start[1])))


def _off_land(journey: Journey, cell: Spot) -> bool:
    return is_land(cell) or vessel(journey.now, cell) is not None


def _swims(_journey: Journey, cell: Spot) -> bool:
    return not is_land(cell)


def _off_ship(journey: Journey, cell: Spot) -> bool:
    now, start = journey.now, journey.man.cell
    ship = vessel(now, start)
    assert ship is not None
    if not is_inside(start) or any(item != "cart" and number for item, number in journey.load.items()):
        return False
    if is_land(cell):
        straight = 0 in (cell[0] - start[0], cell[1] - start[1])
        return straight if ship == THE_BOAT else beyond(start, INLAND[ship]) == cell
    other = vessel(now, cell)
    return other is not None and THE_BOAT in (ship, other) and now.sides[master(now, other)] == journey.side
