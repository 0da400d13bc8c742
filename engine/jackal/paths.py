"""How many actions it is to somewhere over open tiles: walks taken backwards from their goals, in sets of cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
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
_TURN: Final = 3 << 6
_ACROSS: Final = tuple(ISLE.around[ISLE.index["G7"]][way] - ISLE.index["G7"] for way in range(8))
SHORE: Final[tuple[Cells, ...]] = tuple(
    sum(1 << near for near in around if near != NOWHERE and ISLE.terrain[near] in (LAND, COAST))
    for around in ISLE.around
)
_ROW: Final = _ACROSS[4]
_JUMPS: Final = tuple(cell - ISLE.index["G7"] for cell in ISLE.knights[ISLE.index["G7"]])
_SHUNNED: Final = (CANNIBAL, TRAP)
_NO_LOADS: Final = (FORT, FORT_GIRL, JUNGLE)


def _price(code: int) -> int:
    """Return the actions it takes to enter a tile and be free to leave; a pass tile takes none of its own."""
    if code in BY_CODE and PASSES[code]:
        return 0
    return _ASLEEP if code == KEG else SPIN[code] or 1


PRICE: Final = tuple(map(_price, range(CODE + 1)))
"""By code: the actions it takes to enter a tile and to be free to leave it."""
_SLOW: Final = tuple(sorted({price for price in PRICE if price > 1}))


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """The open tiles of an island by what they do to one who walks.

    ``slow`` are cells by their price (`PRICE`), ``arrows`` those with an exit in a direction, by how far that is in
    cell numbers. ``caves`` is empty while fewer than two are open: who enters the only one is lost.
    """

    closed: Cells
    walked: Cells
    bare: Cells
    slow: tuple[tuple[int, Cells], ...]
    traps: Cells
    passes: Cells
    arrows: tuple[tuple[int, Cells], ...]
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
    kinds: dict[int, Cells] = {}
    closed = 0
    for cell in ISLE.land:
        tile = tiles[cell]
        if tile & OPEN:
            kind = tile & (CODE | _TURN)
            kinds[kind] = kinds.get(kind, 0) | 1 << cell
        else:
            closed |= 1 << cell
    by_code: dict[int, Cells] = {}
    arrows = [0] * 8
    for kind, cells in kinds.items():
        code = kind & CODE
        by_code[code] = by_code.get(code, 0) | cells
        for way in exits_of(kind):
            arrows[way] |= cells
    caves = by_code.get(CAVE, 0)
    lonely = caves & (caves - 1) == 0
    walked, slow = 0, dict.fromkeys(_SLOW, 0)
    for code, cells in by_code.items():
        if PRICE[code] and code not in _SHUNNED and not (code == CAVE and lonely):
            walked |= cells
        if PRICE[code] > 1:
            slow[PRICE[code]] |= cells
    return Ground(
        closed=closed,
        walked=walked,
        bare=sum(by_code.get(code, 0) for code in _NO_LOADS),
        slow=tuple((price, cells) for price, cells in slow.items() if cells),
        traps=by_code.get(TRAP, 0),
        passes=sum(cells for code, cells in by_code.items() if ARROW[code] or code in (HORSE, ICE)),
        arrows=tuple((across, cells) for across, cells in zip(_ACROSS, arrows, strict=True) if cells),
        horses=by_code.get(HORSE, 0),
        ice=by_code.get(ICE, 0),
        caves=0 if lonely else caves,
        balloons=by_code.get(BALLOON, 0),
        girls=by_code.get(FORT_GIRL, 0),
    )


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

    __slots__ = ("_best", "_due", "_entered", "_fronts", "_ground", "_seen", "_through", "_walked", "_ways")

    def __init__(self, ground: Ground, goals: Goals, safe: Cells = 0, *, laden: bool = False) -> None:
        self._ground = ground
        self._walked = safe | (ground.walked & ~ground.bare if laden else ground.walked)
        self._seen = 0
        self._fronts: list[Cells] = []
        self._entered: list[Cells] = [0]
        self._through: dict[Cell, int] = {}
        self._due: dict[int, Cells] = {}
        self._best: dict[Cell, tuple[tuple[int, Cell], ...]] = {}
        self._ways = self._walked | ground.passes & ~ground.ice
        for actions, cells in goals:
            self._ways |= cells
            self._owe(actions, cells)

    def left(self, cell: Cell) -> int:
        """Return the actions that one who stands on a cell still needs, `FAR` where no way is known."""
        bit = 1 << cell
        while not self._seen & bit:
            if not self._due or not self._ways & bit:
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

    def _reckon(self, bit: Cells) -> int:
        actions, entered = 0, self._entered
        while self._due or actions < len(entered):
            if actions >= len(self._fronts) and self._due:
                self._advance()
            elif entered[actions] & bit:
                return actions
            else:
                actions += 1
        return FAR

    def best(self, cell: Cell, tiles: Sequence[Tile]) -> tuple[tuple[int, Cell], ...]:
        """Return the best steps from a land cell, with the actions needed through them, the fewest first."""
        found = self._best.get(cell)
        if found is None:
            found = self._best[cell] = self._best_from(cell, tiles)
        return found

    def _best_from(self, cell: Cell, tiles: Sequence[Tile]) -> tuple[tuple[int, Cell], ...]:
        near = SHORE[cell]
        found: list[tuple[int, Cell]] = []
        actions, entered = 0, self._entered
        while len(found) < BEST and (self._due or actions < len(entered)):
            if found and actions > found[0][0] + _WORSE:
                break
            if actions >= len(self._fronts) and self._due:
                self._advance()
                continue
            here = entered[actions] & near
            if here:
                found += [(actions, one) for one in cells_of(here)]
            actions += 1
        if near & self._ground.ice:
            slides = [(self.through(slide(tiles, one, way)), one) for way, one in enumerate(ISLE.around[cell])]
            found += [one for one in slides if self._ground.ice >> one[1] & 1 and one[0] < FAR]
            found.sort()
        return tuple(found[:BEST])

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

    def _owe(self, actions: int, cells: Cells) -> None:
        cells &= ~self._seen
        if cells:
            self._due[actions] = self._due.get(actions, 0) | cells

    def _enter(self, actions: int, cells: Cells) -> None:
        entered = self._entered
        while len(entered) <= actions:
            entered.append(0)
        entered[actions] |= cells

    def _lead(self, actions: int, cells: Cells) -> None:
        """Note that one comes nearer by entering cells, and whoever can do so is that far."""
        self._enter(actions, cells)
        self._owe(actions, self._into(cells))

    def _advance(self) -> None:
        """Settle the cells that are one action farther than those settled before."""
        ground, now = self._ground, len(self._fronts)
        front = self._due.pop(now, 0) & ~self._seen
        passed = passing = front & ground.passes
        while passing:
            # Entering a pass tile is no action of its own: who can step onto it is as near as it is.
            into = self._into(passing) & ~self._seen & ~front
            front |= into
            passing = into & ground.passes
            passed |= passing
        self._enter(now, passed)
        self._seen |= front
        self._fronts.append(front)
        quick = front & ~ground.passes
        if not quick:
            return
        for price, cells in ground.slow:
            slow = quick & cells
            if slow:
                quick ^= slow
                self._lead(now + price, slow)
        out = quick & ground.caves
        if out:
            # One comes out here who enters another cave; who enters this one comes out elsewhere.
            quick ^= out
            self._lead(now + 1, ground.caves if out & (out - 1) else ground.caves ^ out)
        if quick:
            self._lead(now + 1, quick)

    def _into(self, cells: Cells) -> Cells:
        """Return the cells from which one comes into these: on foot, by an arrow, over ice, on a horse."""
        ground = self._ground
        row = cells | cells << 1 | cells >> 1
        about = row | row << _ROW | row >> _ROW
        found = about & self._walked
        for across, arrows in ground.arrows:
            found |= (cells >> across if across > 0 else cells << -across) & arrows
        if about & ground.ice:
            found |= self._slid_into(cells)
        if ground.horses:
            for across in _JUMPS:
                found |= (cells >> across if across > 0 else cells << -across) & ground.horses
        return found

    def _slid_into(self, cells: Cells) -> Cells:
        """Return the cells from which one comes into these over ice, straight on (J8.05)."""
        ground = self._ground
        arrows = dict(ground.arrows)
        found = 0
        for across in _ACROSS:
            before = (cells >> across if across > 0 else cells << -across) & ground.ice
            while before:
                before = before >> across if across > 0 else before << -across
                found |= before & (self._walked | arrows.get(across, 0))
                before &= ground.ice
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
