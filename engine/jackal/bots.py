"""A sane player of «Шакал»: the job that takes the fewest actions comes first: gold, a closed tile, a friend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from operator import itemgetter
from typing import Final, TypeAlias

from engine.core.contract import Choose, Sheet
from engine.core.geometry import RHUMBS
from engine.jackal.board import NO_VESSEL, Board, thaw
from engine.jackal.commands import (
    Alternative,
    AnyAct,
    Load,
    Pick,
    Raise,
    RumLeap,
    Sail,
    SlotOrder,
    SpinStep,
    Step,
    Want,
    When,
)
from engine.jackal.isle import LAND, NOWHERE, Cell
from engine.jackal.paths import FAR, SHORE, Cells, Goals, Ground, Walk, cells_of, ground_of, slide, swim, walk
from engine.jackal.rules.acting import FIGHTERS_ENOUGH
from engine.jackal.state import (
    COIN,
    COLOURS,
    DEAD,
    DRUNK,
    FR,
    LOCKED,
    LOST,
    STEPS_A_CELL,
    TRAPPED,
    TREASURE,
    UNITS,
    JackalView,
    PlanSlot,
    count,
)
from engine.jackal.tiles import CODE, FORT, FORT_GIRL, JUNGLE, SPIN
from engine.jackal.view import own_plan

ALTERNATIVES: Final = 2
"""So many of the best actions go into an order, best first."""
LANES: Final = 4
"""So many moves ahead a ship looks for a better place."""
WHIMS: Final = 7
"""One action in so many is a whim."""
Plan: TypeAlias = tuple[float, str, int, Cell, Load | None, Walk | None]
"""Actions the job takes, what is done, the character (or colour of the ship), where to, with what load, on what way."""
_DEFAULT: Final = Alternative()
_IDLE: Final = DRUNK | LOST | LOCKED
_GOLD: Final = 255 * COIN | 3 * TREASURE
_TREASURE: Final = Load(item="treasure")
_COIN: Final = Load(item="coin")
_NOBODY: Final = -1

# What a job costs beyond the way to it, in actions.
GOLD_LYING: Final = 2
CLOSED: Final = 3
RESCUE: Final = 1
RAISING: Final = 1
CAUGHT: Final = 8
"""Gold in a trap: somebody has to come and help."""
BOTTLE: Final = 1.5
IN_HAND: Final = -3.0
"""A load in hand is carried home first."""
STRIKING: Final = -0.5
ROBBING: Final = -2.0
"""A fighter likes to strike, and to take a coin from under somebody's feet."""
AT_ONCE: Final = -9.0


class Lookout:
    """What a bot looks at: the board, and how far it is for a colour to whatever is worth an action.

    ``ready`` is gold one of its own stands on, ``prey`` a coin somebody else does, ``safe`` traps that hold a friend
    and so catch nobody; ``route`` is empty while the ship is in the second ring.
    """

    __slots__ = (
        "board",
        "closed",
        "colour",
        "crewed",
        "goals",
        "ground",
        "home",
        "prey",
        "ready",
        "route",
        "safe",
        "ship",
        "side",
    )

    def __init__(self, board: Board, ground: Ground, colour: int) -> None:
        self.board, self.ground, self.colour = board, ground, colour
        self.side = board.sides[colour]
        self.ship = board.ships[colour]
        route = board.geo.routes[colour]
        self.route = route if self.ship in route else ()
        crew = board.crew(colour)
        standing = [board.places[unit] for unit in crew]
        self.crewed = any(board.is_fighter(unit) for unit in board.at(self.ship * STEPS_A_CELL))
        self.safe = _bits(
            [board.places[unit] for unit, mood in enumerate(board.moods) if mood & TRAPPED and self._friend(unit)]
        )
        self.closed = ((CLOSED, ground.closed),)
        heaps = {place: heap & _GOLD for place, heap in board.loads.items() if heap & _GOLD}
        gold = _bits(heaps)
        self.ready = _bits([place for place in standing if place in heaps])
        near = gold and gold & (_about(standing) | self.ready)
        self.home = walk(ground, self._harbours() if near else (), self.safe, laden=True)
        for cell in cells_of(near):
            if not self.home.leads_from(cell):
                # There is no way home with it yet.
                gold ^= 1 << cell
        self.ready &= gold
        # A single coin under somebody's feet is on its way: robbing him is a job for neighbours only.
        taken = _bits([place for place, coins in heaps.items() if coins == COIN and place in board.places])
        self.prey = gold & taken & ~self.ready
        lying, traps = gold & ~taken, ground.traps & ~self.safe
        self.goals: Goals = ((GOLD_LYING, lying & ~traps), *self.closed, (RESCUE, self.safe), (CAUGHT, lying & traps))
        if ground.girls and self.may_raise(crew):
            self.goals += ((RAISING, ground.girls),)

    def work(self, unit: int) -> Walk:
        """Return the way of a character with empty hands to the nearest job; the missionary can only explore."""
        return walk(self.ground, self.closed if self.board.is_sober(unit) else self.goals, self.safe)

    def may_raise(self, crew: list[int]) -> bool:
        """Say whether the colour has a dead pirate and so few fighters that he can be raised (J7.3)."""
        board = self.board
        first = self.colour * 3
        if DEAD not in board.places[first : first + 3]:
            return False
        return sum(board.is_fighter(unit) for unit in crew) < FIGHTERS_ENOUGH

    def _friend(self, unit: int) -> bool:
        board = self.board
        return board.places[unit] >= 0 and board.side_of(unit) == self.side

    def _harbours(self) -> Goals:
        """Return where gold comes home: the side's ships, any balloon, the shore where the own ship can sail."""
        board = self.board
        ships = _bits([board.ships[other] * STEPS_A_CELL for other in range(4) if board.sides[other] == self.side])
        at = self.route.index(self.ship) if self.crewed and self.route else NOWHERE
        return _harbours(self.ground, ships, self.route, at)


@lru_cache(maxsize=64)
def _harbours(ground: Ground, ships: Cells, route: tuple[Cell, ...], at: int) -> Goals:
    if at == NOWHERE:
        return ((0, ships | ground.balloons),)
    walked = ground.walked & ~ground.bare
    shores = [
        (abs(lane - at) + 1, SHORE[cell] & walked) for lane, cell in enumerate(route) if 0 < abs(lane - at) <= LANES
    ]
    return ((0, ships | ground.balloons), *shores)


def _about(places: Iterable[int]) -> Cells:
    found = 0
    for place in places:
        found |= SHORE[place // STEPS_A_CELL]
    return found


def _bits(places: Iterable[int]) -> Cells:
    found = 0
    for place in places:
        found |= 1 << place // STEPS_A_CELL
    return found


def bot(view: JackalView, choose: Choose) -> Sheet:
    """Return an order for every slot the viewer commands."""
    board = thaw(view)
    busy: set[int] = set()
    return tuple([_order(board, view, slot, choose, busy) for slot in own_plan(view)])


def _order(board: Board, view: JackalView, slot: PlanSlot, choose: Choose, busy: set[int]) -> SlotOrder:
    """Return the order of a slot; a later slot of the same colour prefers characters that are not ``busy`` yet."""
    colour = COLOURS.index(slot.colour)
    look = Lookout(board, ground_of(view.tiles), colour)
    ranked = sorted(_near(look), key=itemgetter(0))
    if not ranked or ranked[0][0] > CLOSED + 1:
        ranked = sorted((*ranked, *_far(look)), key=itemgetter(0))
    if slot.number > 1:
        ranked.sort(key=lambda plan: plan[1] != "sail" and plan[2] in busy)
    if len(ranked) > 1 and (view.turn + colour) % WHIMS == 0:
        # A whim now and then: two bots that mirror each other would shuttle for ever.
        ranked.insert(0, ranked.pop(choose(len(ranked))))
    if ranked and ranked[0][1] != "sail":
        busy.add(ranked[0][2])
    best = [_alternative(look, plan) for plan in ranked[:ALTERNATIVES]]
    return SlotOrder(colour=slot.colour, number=slot.number, alternatives=(*best, _DEFAULT))


def _alternative(look: Lookout, plan: Plan) -> Alternative:
    """Return what a plan stands for, with the ways on that it has in mind."""
    board = look.board
    act = _act(board, plan)
    _, _, unit, cell, _, way = plan
    if way is None or not way.leads_on(cell):
        return Alternative(act=act)
    names = board.geo.names
    start = slide(board.tiles, cell, board.geo.direction(board.places[unit] // STEPS_A_CELL, cell))
    wishes: dict[str, tuple[Pick, ...]] = {}
    for topic, exit_ in way.onward(start, board.tiles):
        wishes[topic] = (*wishes.get(topic, ()), Pick(kind="cell", way=names[exit_]))
    return Alternative(act=act, whens=tuple([When(tile=one, want=Want(wishes=picks)) for one, picks in wishes.items()]))


def _act(board: Board, plan: Plan) -> AnyAct:
    """Return the act of a plan."""
    _, what, unit, cell, load, _ = plan
    name = board.geo.names[cell]
    match what:
        case "step":
            return Step(unit=UNITS[unit], cell=name, load=load)
        case "spin":
            return SpinStep(unit=UNITS[unit], load=load)
        case "rum":
            return RumLeap(unit=UNITS[unit], cell=name, load=load)
        case "raise":
            return Raise(unit=UNITS[unit])
    return Sail(colour=COLOURS[unit], route=(RHUMBS[board.geo.direction(board.ships[unit], cell)],))


def _near(look: Lookout) -> Iterator[Plan]:
    """Yield what is done at once: gold is carried on, jobs beside a character are taken up, a friend is raised."""
    board = look.board
    for unit in board.crew(look.colour):
        if board.moods[unit] & _IDLE:
            continue
        place = board.places[unit]
        cell = place // STEPS_A_CELL
        if board.geo.terrain[cell] == LAND:
            code = board.tiles[cell] & CODE
            if code == FORT_GIRL and unit // 3 == look.colour and look.may_raise(board.crew(look.colour)):
                yield AT_ONCE, "raise", unit, cell, None, None
            load = _load(look, unit, place)
            if load is not None:
                yield from _ashore(look, unit, place, look.home, load)
            elif not _steps_left(code, unit, place) and not board.moods[unit] & TRAPPED:
                yield from _beside(look, unit, SHORE[cell])
        elif cell in board.geo.ahead and board.vessel_at(cell) != NO_VESSEL:
            yield from _beside(look, unit, 1 << board.geo.ahead[cell])
    if look.ready and look.crewed:
        yield from _sailing(look, landing=False)


def _far(look: Lookout) -> Iterator[Plan]:
    """Yield what is done where no job lies near: walking, landing elsewhere, swimming back, rum."""
    board = look.board
    for unit in board.crew(look.colour):
        if board.moods[unit] & _IDLE:
            continue
        place = board.places[unit]
        cell = place // STEPS_A_CELL
        if board.geo.terrain[cell] == LAND:
            if _load(look, unit, place) is None:
                yield from _ashore(look, unit, place, look.work(unit), None)
        elif board.vessel_at(cell) == NO_VESSEL:
            yield from _afloat(look, unit, cell)
        elif cell in board.geo.ahead:
            ashore, work = board.geo.ahead[cell], look.work(unit)
            yield work.through(ashore), "step", unit, ashore, None, work
    if look.crewed:
        yield from _sailing(look, landing=True)


def _load(look: Lookout, unit: int, place: int) -> Load | None:
    """Return the gold one takes along from where he stands."""
    board = look.board
    if not look.ready >> place // STEPS_A_CELL & 1 or place not in board.loads or board.is_sober(unit):
        return None
    heap = board.loads[place]
    return _TREASURE if count(heap, "treasure") else _COIN if count(heap, "coin") else None


def _steps_left(code: int, unit: int, place: int) -> int:
    """Return how many steps of a spin are still before one."""
    return SPIN[code] - place % STEPS_A_CELL if SPIN[code] and unit != FR else 0


def _beside(look: Lookout, unit: int, near: Cells) -> Iterator[Plan]:
    """Yield jobs on cells one can step onto."""
    sober = look.board.is_sober(unit)
    for cost, jobs in look.closed if sober else look.goals:
        for cell in cells_of(jobs & near):
            struck = _strike(look, unit, cell, None)
            if struck is not None:
                yield cost + 1 + struck, "step", unit, cell, None, None
    if look.prey & near and look.board.is_fighter(unit):
        for cell in cells_of(look.prey & near):
            if _strike(look, unit, cell, None) == ROBBING:
                yield GOLD_LYING + 1 + ROBBING, "step", unit, cell, None, None


def _ashore(look: Lookout, unit: int, place: int, way: Walk, load: Load | None) -> Iterator[Plan]:
    """Yield steps on a way: on foot, on a spin, or out of a trap or spin with rum."""
    board = look.board
    cell = place // STEPS_A_CELL
    bonus = IN_HAND if load is not None else 0.0
    steps = _steps_left(board.tiles[cell] & CODE, unit, place)
    if steps:
        yield steps + way.left(cell) + bonus, "spin", unit, cell, load, None
    what, extra = "step", bonus
    if steps or board.moods[unit] & TRAPPED:
        if not board.bottles[look.colour] or not board.is_fighter(unit) or board.options.rum_spin == "no":
            return
        what, extra = "rum", bonus + BOTTLE
    for actions, target in way.best(cell):
        struck = _strike(look, unit, target, load)
        if struck is not None:
            yield actions + extra + struck, what, unit, target, load, way


def _strike(look: Lookout, unit: int, target: Cell, load: Load | None) -> float | None:
    """Return what enemies on a cell add to a job, None where they keep one out; a fighter likes to rob them."""
    board = look.board
    place = board.place_on(target)
    if place not in board.places or not board.enemies_at(place, look.side):
        return 0.0
    code = board.tiles[target] & CODE
    if load is not None or not board.is_fighter(unit) or code in (FORT, FORT_GIRL):
        return 0.0 if code == JUNGLE else None
    return ROBBING if place in board.loads else STRIKING


def _afloat(look: Lookout, unit: int, cell: Cell) -> Iterator[Plan]:
    """Yield strokes towards the own ship."""
    board = look.board
    geo = board.geo
    others = tuple([ship for colour, ship in enumerate(board.ships) if board.sides[colour] not in (_NOBODY, look.side)])
    strokes = swim(look.ship, others)
    ashore = geo.ahead.get(look.ship, NOWHERE)
    landing = 1 + look.work(unit).through(ashore) if ashore != NOWHERE else FAR
    for target in geo.around[cell]:
        if target in strokes and (target == look.ship or board.vessel_at(target) == NO_VESSEL):
            yield strokes[target] + landing, "step", unit, target, None, None


def _sailing(look: Lookout, *, landing: bool) -> Iterator[Plan]:
    """Yield moves of the own ship: to a better landing, or to meet gold on the shore."""
    board = look.board
    if not look.route:
        inward = [cell for cell in board.geo.around[look.ship] if cell in board.geo.routes[look.colour]]
        for cell in inward[:1]:
            yield AT_ONCE, "sail", look.colour, cell, None, None
        return
    geo = board.geo
    at = look.route.index(look.ship)
    work = walk(look.ground, look.goals, look.safe)
    for step in (-1, 1):
        lanes = [
            (moves, look.route[at + step * moves])
            for moves in range(1, LANES + 1)
            if 0 <= at + step * moves < len(look.route)
        ]
        if not lanes or board.vessel_at(look.route[at + step]) != NO_VESSEL:
            continue
        best: float = min(moves + work.through(geo.ahead[lane]) for moves, lane in lanes) if landing else FAR
        for cell in cells_of(look.ready):
            moves = next((moves for moves, lane in lanes if SHORE[lane] >> cell & 1), FAR)
            if look.home.left(cell) == moves + 1:
                best = min(best, moves + 1 + IN_HAND)
        if best < FAR:
            yield best, "sail", look.colour, look.route[at + step], None, None
