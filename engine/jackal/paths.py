"""How many actions it is to somewhere over open tiles: walks taken backwards from their goals, in sets of cells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import Final, TypeAlias

from engine.jackal.isle import COAST, ISLE, LAND, NOWHERE, Cell
from engine.jackal.tiles import (
    ARROW,
    BALLOON,
    BY_CODE,
    CANNIBAL,
    CAVE,
    CODE,
    FORT,
    FORT_GIRL,
    HORSE,
    ICE,
    JUNGLE,
    KEG,
    OPEN,
    PASSES,
    SPIN,
    TRAP,
    Tile,
    exits_of,
)

Cells: TypeAlias = int
"""A set of cells: bit n is cell n. A step is a shift, so a whole front moves at once."""
Goals: TypeAlias = tuple[tuple[int, Cells], ...]
"""Goals, each set with the actions that are still to be done there."""

FAR: Final = 99
"""More actions than any way takes: there is none."""
BEST: Final = 3
"""So many steps from a cell are looked at."""
_WORSE: Final = 2
"""Nor steps that take so many more actions than the best."""
_ASLEEP: Final = 2
_CHAIN: Final = 8
"""So many choices of one way are said in advance."""
_KIND: Final = CODE | 3 << 6
"""Code and rotation of a tile: what says where it leads."""
_MIDDLE: Final = ISLE.index["G7"]
_ROW: Final = ISLE.around[_MIDDLE][4] - _MIDDLE
_JUMPS: Final = tuple(cell - _MIDDLE for cell in ISLE.knights[_MIDDLE])
_LAID: Final = itemgetter(*ISLE.land)
_BITS: Final = tuple(1 << cell for cell in ISLE.land)
SHORE: Final[tuple[Cells, ...]] = tuple(
    sum(1 << near for near in around if near != NOWHERE and ISLE.terrain[near] in (LAND, COAST))
    for around in ISLE.around
)
_SHUNNED: Final = (CANNIBAL, TRAP)


def _price(code: int) -> int:
    """Return the actions it takes to enter a tile and be free to leave; a pass tile takes none of its own."""
    if code in BY_CODE and PASSES[code]:
        return 0
    return _ASLEEP if code == KEG else SPIN[code] or 1


PRICE: Final = tuple(map(_price, range(CODE + 1)))
"""By code: the actions it takes to enter a tile and to be free to leave it."""
_SLOW: Final = tuple(sorted({price for price in PRICE if price > 1}))
_DEAREST: Final = max(PRICE)


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """The open tiles of an island by what they do to one who walks.

    ``slow`` are cells by their price (`PRICE`). ``led`` are cells to which an arrow, a horse or ice leads from afar,
    ``doors`` by such a cell, as a set, where one enters for it. ``caves`` is empty while fewer than two are open: who
    enters the only one is lost.
    """

    closed: Cells
    walked: Cells
    bare: Cells
    slow: tuple[tuple[int, Cells], ...]
    traps: Cells
    passes: Cells
    led: Cells
    doors: dict[Cells, Cells]
    horses: Cells
    ice: Cells
    caves: Cells
    balloons: Cells
    girls: Cells


def cells_of(cells: Cells) -> Iterator[Cell]:
    """Yield the cells of a set in reading order."""
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest


@lru_cache(maxsize=8)
def ground_of(tiles: tuple[Tile, ...]) -> Ground:
    """Return the ground that open tiles make."""
    kinds: defaultdict[int, Cells] = defaultdict(int)
    closed = 0
    for tile, bit in zip(_LAID(tiles), _BITS, strict=True):
        if tile & OPEN:
            kinds[tile & _KIND] |= bit
        else:
            closed |= bit
    by_code: defaultdict[int, Cells] = defaultdict(int)
    for kind, cells in kinds.items():
        by_code[kind & CODE] |= cells
    caves = by_code[CAVE]
    lonely = caves & (caves - 1) == 0
    walked, slow = 0, dict.fromkeys(_SLOW, 0)
    for code, cells in by_code.items():
        if PRICE[code] and code not in _SHUNNED and not (code == CAVE and lonely):
            walked |= cells
        if PRICE[code] > 1:
            slow[PRICE[code]] |= cells
    passes = sum([cells for code, cells in by_code.items() if ARROW[code] or code in (HORSE, ICE)])
    doors = _doors(kinds, by_code[ICE], passes)
    return Ground(
        closed=closed,
        walked=walked,
        bare=by_code[FORT] | by_code[FORT_GIRL] | by_code[JUNGLE],
        slow=tuple([(price, cells) for price, cells in slow.items() if cells]),
        traps=by_code[TRAP],
        passes=passes,
        led=sum(doors),
        doors=doors,
        horses=by_code[HORSE],
        ice=by_code[ICE],
        caves=0 if lonely else caves,
        balloons=by_code[BALLOON],
        girls=by_code[FORT_GIRL],
    )


def _doors(kinds: dict[int, Cells], ice: Cells, passes: Cells) -> dict[Cells, Cells]:
    """Return the arrows, horses and starts of a slide by the cell they lead to."""
    found = defaultdict(int, {stop: starts & ~passes for stop, starts in _slides(ice).items()})
    for kind, cells in kinds.items():
        if ARROW[kind & CODE]:
            for cell in cells_of(cells):
                for way in exits_of(kind):
                    found[1 << _off_ice(ice, ISLE.around[cell][way], way)] |= 1 << cell
        elif kind & CODE == HORSE:
            for cell in cells_of(cells):
                for jump in _JUMPS:
                    found[1 << cell + jump] |= 1 << cell
    return found


@lru_cache(maxsize=64)
def _slides(ice: Cells) -> dict[Cells, Cells]:
    """Return from where one slides to a cell, by the cells that ice leads to (J8.05)."""
    found: defaultdict[Cells, Cells] = defaultdict(int)
    for cell in cells_of(ice):
        for way, behind in enumerate(ISLE.around[cell][4:] + ISLE.around[cell][:4]):
            if not ice >> behind & 1:
                found[1 << _off_ice(ice, cell, way)] |= 1 << behind
    return dict(found)


def _off_ice(ice: Cells, cell: Cell, way: int) -> Cell:
    """Return where one stops who comes to a cell in a direction: over ice straight on (J8.05)."""
    while ice >> cell & 1:
        cell = ISLE.around[cell][way]
    return cell


def slide(tiles: Sequence[Tile], cell: Cell, way: int) -> Cell:
    """Return where one comes who enters a cell in a direction: over ice straight on (J8.05)."""
    while tiles[cell] & (CODE | OPEN) == ICE | OPEN:
        cell = ISLE.around[cell][way]
    return cell


class Walk:
    """The actions from every cell to the nearest goal, counted as far as somebody asks.

    ``fronts[n]`` are the cells from which n actions are left, ``entered[n]`` those that n actions reach a goal by
    entering, that action included.
    """

    __slots__ = (
        "_best",
        "_entered",
        "_fronts",
        "_goals",
        "_ground",
        "_last",
        "_seen",
        "_starts",
        "_through",
        "_walked",
        "_ways",
    )

    def __init__(self, ground: Ground, goals: Goals, safe: Cells = 0, *, laden: bool = False) -> None:
        self._ground = ground
        self._walked = safe | (ground.walked & ~ground.bare if laden else ground.walked)
        self._seen = 0
        self._fronts: list[Cells] = []
        self._last = max([actions for actions, _ in goals], default=-1)
        self._goals: dict[int, Cells] = {}
        # There is always room for what the next front leads to.
        self._entered = [0] * (self._last + _DEAREST + 1)
        self._through: dict[Cell, int] = {}
        self._best: dict[Cell, tuple[tuple[int, Cell], ...]] = {}
        self._ways = self._starts = self._walked | ground.passes & ~ground.ice
        for actions, cells in goals:
            self._ways |= cells
            self._goals[actions] = self._goals.get(actions, 0) | cells

    def left(self, cell: Cell) -> int:
        """Return the actions that one who stands on a cell still needs, `FAR` where no way is known."""
        bit = 1 << cell
        while not self._seen & bit:
            if len(self._fronts) > self._last or not self._ways & bit:
                return FAR
            self._advance()
        actions = 0
        for front in self._fronts:
            if front & bit:
                break
            actions += 1
        return actions

    def through(self, cell: Cell) -> int:
        """Return the actions needed by one who now enters a cell, that action included, `FAR` where no way is known."""
        found = self._through.get(cell)
        if found is None:
            found = self._through[cell] = self._reckon(1 << cell) if self._ways >> cell & 1 else FAR
        return found

    def _reckon(self, near: Cells) -> int:
        """Return the actions needed by one who may enter any of some cells, `FAR` where no way is known."""
        actions = 0
        while actions <= self._last:
            if actions == len(self._fronts):
                self._advance()
            if self._entered[actions] & near:
                return actions
            actions += 1
        return FAR

    def leads_from(self, cell: Cell) -> bool:
        """Say whether there is any way from a land cell, which is sooner known than the best."""
        return self._reckon(SHORE[cell]) < FAR or bool(self._over_ice(cell))

    def best(self, cell: Cell) -> tuple[tuple[int, Cell], ...]:
        """Return the best steps from a land cell, with the actions needed through them, the fewest first."""
        found = self._best.get(cell)
        if found is None:
            found = self._best[cell] = self._best_from(cell)
        return found

    def _best_from(self, cell: Cell) -> tuple[tuple[int, Cell], ...]:
        near = SHORE[cell]
        found: list[tuple[int, Cell]] = []
        actions = 0
        while len(found) < BEST and actions <= self._last:
            if found and actions > found[0][0] + _WORSE:
                break
            if actions == len(self._fronts):
                self._advance()
            here = self._entered[actions] & near
            if here:
                found += [(actions, one) for one in cells_of(here)]
            actions += 1
        slides = self._over_ice(cell)
        return tuple(sorted(found + slides)[:BEST] if slides else found[:BEST])

    def _over_ice(self, cell: Cell) -> list[tuple[int, Cell]]:
        """Return the steps from a cell onto ice that lead on, with the actions needed through them."""
        ice = self._ground.ice
        if not ice & SHORE[cell]:
            return []
        steps = [(way, one) for way, one in enumerate(ISLE.around[cell]) if ice >> one & 1]
        slides = [(self.through(_off_ice(ice, one, way)), one) for way, one in steps]
        return [one for one in slides if one[0] < FAR]

    def leads_on(self, cell: Cell) -> bool:
        """Say whether entering a cell leads to a choice (`onward`)."""
        return bool((self._ground.passes | self._ground.caves) >> cell & 1)

    def onward(self, cell: Cell, tiles: Sequence[Tile]) -> Iterator[tuple[str, Cell]]:
        """Yield the choices on the best way from a tile one enters, as a topic and the cell to choose."""
        ground = self._ground
        for _ in range(_CHAIN):
            bit = 1 << cell
            if ground.caves & bit:
                yield "cave", min(cells_of(ground.caves ^ bit), key=self.left)
                return
            exits: dict[Cell, Cell]
            if ground.horses & bit:
                topic, exits = "horse", {to: to for to in ISLE.knights[cell]}
            elif ground.passes & ~ground.ice & bit:
                around = ISLE.around[cell]
                topic, exits = "arrow", {around[way]: slide(tiles, around[way], way) for way in exits_of(tiles[cell])}
            else:
                return
            cell = min(exits, key=lambda exit_: self.through(exits[exit_]))
            yield topic, cell
            cell = exits[cell]

    def _advance(self) -> None:
        """Settle the cells that are one action farther than those settled before."""
        ground, now, entered = self._ground, len(self._fronts), self._entered
        entered.append(0)
        front = (self._goals.get(now, 0) | self._into(entered[now])) & ~self._seen
        passed = passing = front & ground.passes
        while passing:
            # Entering a pass tile is no action of its own: who can step onto it is as near as it is.
            into = self._into(passing) & ~self._seen & ~front
            front |= into
            passing = into & ground.passes
            passed |= passing
        entered[now] |= passed
        self._seen |= front
        self._fronts.append(front)
        quick = front & ~ground.passes
        if not quick:
            return
        self._last = max(self._last, now + 1)
        for price, cells in ground.slow:
            slow = quick & cells
            if slow:
                quick ^= slow
                entered[now + price] |= slow
                self._last = max(self._last, now + price)
        out = quick & ground.caves
        if out:
            # One comes out here who enters another cave; who enters this one comes out elsewhere.
            quick = quick ^ out | (ground.caves if out & (out - 1) else ground.caves ^ out)
        entered[now + 1] |= quick

    def _into(self, cells: Cells) -> Cells:
        """Return the cells from which one comes into these: on foot, by an arrow, over ice, on a horse."""
        if not cells:
            return 0
        row = cells | cells << 1 | cells >> 1
        found = (row | row << _ROW | row >> _ROW) & self._walked
        led = cells & self._ground.led
        if led:
            doors, starts = self._ground.doors, 0
            while led:
                lowest = led & -led
                starts |= doors[lowest]
                led ^= lowest
            found |= starts & self._starts
        return found


@lru_cache(maxsize=64)
def walk(ground: Ground, goals: Goals, safe: Cells = 0, *, laden: bool = False) -> Walk:
    """Return the way to the nearest goal; ``safe`` traps catch nobody, ``laden`` bars where no load may lie."""
    return Walk(ground, goals, safe, laden=laden)


@lru_cache(maxsize=64)
def swim(ship: Cell, others: tuple[Cell, ...]) -> dict[Cell, int]:
    """Return how many strokes each coastal cell is from a ship, round the ships of others."""
    found = {ship: 0}
    shore = [ship]
    for cell in shore:
        for near in ISLE.around[cell]:
            if near != NOWHERE and ISLE.terrain[near] == COAST and near not in found and near not in others:
                found[near] = found[cell] + 1
                shore.append(near)
    return found
