"""One action of a colour: guards, gifts, the act itself, and whether it is legal at all (J2, J6, J7, J9.17–J9.20)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from engine.core.contract import Seat
from engine.core.geometry import RHUMBS
from engine.jackal.board import BOAT_VESSEL, NO_VESSEL, Board, items_of
from engine.jackal.commands import (
    Alternative,
    AnyAct,
    Fly,
    Gift,
    Guard,
    Launch,
    Load,
    Pick,
    Raise,
    RumLeap,
    Sail,
    SpinStep,
    Step,
)
from engine.jackal.events import ActionTaken, BoatLaunched, BottleSpent, Died, Moved, Raised
from engine.jackal.isle import COAST, CORNER, LAND, NOWHERE, Cell
from engine.jackal.rules.chain import JACKAL, follow, tidy_cannibals
from engine.jackal.rules.effects import convert
from engine.jackal.rules.entering import OK, barred, barred_place
from engine.jackal.rules.fighting import kill, meet, strike, vanish
from engine.jackal.rules.illegal import Illegal
from engine.jackal.rules.run import STEP, Rulebook, Run
from engine.jackal.rules.wants import SlotTalk, Wants
from engine.jackal.rules.water import move_vessel
from engine.jackal.rules.way import Way, admissible, flights
from engine.jackal.state import (
    BOAT,
    CART,
    COLOURS,
    DEAD,
    FR,
    ITEMS,
    LOCKED,
    LOST,
    MS,
    PIRATES,
    STEPS_A_CELL,
    TRAPPED,
    UNIT,
    UNITS,
    WAKING,
    count,
)
from engine.jackal.tiles import ARMED, BY_CODE, CODE, EFFECT, FORT_GIRL, OPEN, PLANE, SPENT, SPIN

FIGHTERS_ENOUGH: Final = 3
"""With so many fighters alive the girl raises nobody (J7.3)."""
CART_HOLDS: Final = 2
"""So many loads go into a cart (J10.3)."""


class Acting:
    """A colour about to act on a board: who commands, whether grass burns, whose rum may be used."""

    __slots__ = ("ally_rum", "board", "book", "colour", "defaulted", "side", "smoke", "talk", "wants")

    def __init__(
        self,
        board: Board,
        talk: SlotTalk,
        wants: Wants,
        *,
        smoke: bool = False,
        ally_rum: dict[Seat, int] | None = None,
        defaulted: bool = False,
        book: Rulebook = JACKAL,
    ) -> None:
        self.board = board
        self.book = book
        self.colour = talk.colour
        self.side = board.sides[talk.colour]
        self.talk = talk
        self.wants = wants
        self.smoke = smoke
        self.ally_rum = ally_rum if ally_rum is not None else {}
        self.defaulted = defaulted


def perform(acting: Acting) -> None:
    """Carry out an alternative on the board of ``acting``. Raises Illegal if it is not legal now."""
    alternative = acting.wants.alternative
    for guard in alternative.guards:
        if not holds(acting, guard):
            raise Illegal("guard", "5.2", guard.cell)
    if alternative.act is None:
        raise ValueError("«по умолчанию» is settled elsewhere")
    for gift in alternative.gifts:
        if gift.before:
            give(acting, gift)
    act(acting, alternative.act)
    for gift in alternative.gifts:
        if not gift.before:
            give(acting, gift)
    tidy_cannibals(acting.board)


def act(acting: Acting, what: AnyAct) -> None:
    """Carry out the act of an alternative."""
    match what:
        case Step():
            _step(acting, what)
        case SpinStep():
            _spin_step(acting, what)
        case RumLeap():
            _rum_leap(acting, what)
        case Fly():
            _fly(acting, what)
        case Raise():
            _raise(acting, what)
        case Launch():
            _launch(acting, what)
        case Sail():
            _sail(acting, what)


# Who may act ----------------------------------------------------------------------------------------------------------


def mover(acting: Acting, name: str, *, trapped: bool = False) -> int:
    """Return the number of a character that may act now. Raises Illegal."""
    board = acting.board
    unit = UNIT.get(name, -1)
    if unit < 0 or board.places[unit] < 0 or board.colour_of(unit) != acting.colour:
        raise Illegal("not-yours" if unit >= 0 and board.places[unit] >= 0 else "not-alive", "J2.2")
    mood = board.moods[unit]
    if mood & WAKING:
        raise Illegal("drunk", "J8.15")
    if mood & (LOST | LOCKED):
        raise Illegal("lost", "J8.18")
    if mood & TRAPPED and not trapped:
        raise Illegal("trapped", "J8.06")
    return unit


def _begin(acting: Acting, unit: int, load: Load | None, via: Sequence[Pick] = ()) -> Run:
    """Return a move that begins: the load is taken up (J2.5), an armed plane that is left is spent (J8.12)."""
    board = acting.board
    here = board.places[unit]
    acting.wants.via = list(via)
    taken = _taken(board, unit, here, load) if load is not None else 0
    if taken:
        board.take(here, taken)
    pacified = board.is_sober(MS) and board.places[MS] == here and unit != MS
    return Run(
        board=board,
        unit=unit,
        colour=acting.colour,
        side=acting.side,
        wants=acting.wants,
        book=acting.book,
        origin=here,
        here=here,
        back=here,
        load=taken,
        fighter=board.is_fighter(unit),
        pacified=pacified,
    )


def _taken(board: Board, unit: int, place: int, load: Load) -> int:
    """Return what a mover takes along, packed. Raises Illegal if it does not lie there (J4.1, J10.3)."""
    if board.is_sober(unit):
        raise Illegal("missionary-carries-nothing", "J9.10")
    heap = board.loads.get(place, 0)
    name = board.geo.names[place // STEPS_A_CELL]
    if not count(heap, load.item):
        raise Illegal("no-such-load", "J4.1", name)
    if load.item != "cart":
        return ITEMS[load.item][0]
    inside: Sequence[str] = load.inside
    if load.bare:
        inside = (
            ["treasure"] * count(heap, "treasure") + ["coin"] * count(heap, "coin") + ["ball"] * count(heap, "ball")
        )
        inside = inside[:CART_HOLDS]
    if len(inside) > CART_HOLDS or any(item in ("boat", "cart") for item in inside):
        raise Illegal("cart-full", "J10.3", name)
    packed = CART + sum(ITEMS[item][0] for item in inside)
    if any(count(packed, item) > count(heap, item) for item in ("coin", "treasure", "ball")):
        raise Illegal("no-such-load", "J10.3", name)
    return packed


def leave_plane(run: Run) -> None:
    """Spend an armed plane that is left (J8.12)."""
    cell = run.origin // STEPS_A_CELL
    tile = run.board.tiles[cell]
    if tile & CODE == PLANE and tile & EFFECT == ARMED:
        run.board.tiles[cell] = tile & ~EFFECT | SPENT
        run.board.spent += 1


def _told(acting: Acting, run: Run, act_name: str) -> None:
    board = acting.board
    board.events.append(
        ActionTaken(
            rule="J2.2",
            colour=COLOURS[acting.colour],
            number=acting.talk.number,
            commander=acting.talk.seat,
            act=act_name,  # type: ignore[arg-type]
            unit=run.name,
            start=run.cell_name,
            step=run.here % STEPS_A_CELL,
            load=items_of(run.load),
            defaulted=acting.defaulted,
        )
    )


def finish(run: Run) -> None:
    """Launch the boat where the order says so (J10.4), then refuse certain death not accepted (J2.8) and odd picks."""
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


# Steps ----------------------------------------------------------------------------------------------------------------


def _step(acting: Acting, what: Step) -> None:
    """Step, board, leave a ship or boat, swim, leave a spin («на»)."""
    unit = mover(acting, what.unit)
    run = _begin(acting, unit, what.load, what.via)
    _leave(acting, run, acting.board.geo.cell(what.cell), "step")


def _leave(acting: Acting, run: Run, cell: Cell, act_name: str) -> None:
    way = first_way(acting.board, run, cell)
    why = barred(run, cell, run.load)
    if why != OK:
        raise Illegal(why, _BAR_RULES.get(why, "J3.2"), acting.board.geo.names[cell])
    _told(acting, run, act_name)
    leave_plane(run)
    follow(run, way)
    finish(run)


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


def _spin_step(acting: Acting, what: SpinStep) -> None:
    """Advance one step on a spin, striking whoever stands on the next (J8.04, J5.4)."""
    board = acting.board
    unit = mover(acting, what.unit)
    here = board.places[unit]
    steps = SPIN[board.tiles[here // STEPS_A_CELL] & CODE]
    if not steps or here % STEPS_A_CELL >= steps or unit == FR:
        raise Illegal("no-next-step", "J8.04")
    run = _begin(acting, unit, what.load)
    why = barred_place(run, here + 1, run.load)
    if why != OK:
        raise Illegal(why, _BAR_RULES.get(why, "J3.2"), run.cell_name)
    _told(acting, run, "spin")
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


def _rum_leap(acting: Acting, what: RumLeap) -> None:
    """Spend a bottle and leave a trap or spin straight to a neighbouring cell (J9.17)."""
    board = acting.board
    unit = mover(acting, what.unit, trapped=True)
    here = board.places[unit]
    spin = SPIN[board.tiles[here // STEPS_A_CELL] & CODE]
    if board.options.rum_spin == "no" or not (board.moods[unit] & TRAPPED or spin) or not board.is_fighter(unit):
        raise Illegal("no-need-of-rum", "J9.17")
    _bottle(acting, UNITS[unit], "leap", ally=what.ally)
    board.moods[unit] &= ~TRAPPED
    run = _begin(acting, unit, what.load, what.via)
    cell = board.geo.cell(what.cell)
    way = first_way(board, run, cell, leaping=True)
    why = barred(run, cell, run.load)
    if why != OK:
        raise Illegal(why, _BAR_RULES.get(why, "J3.2"), what.cell)
    _told(acting, run, "rum")
    follow(run, way)
    finish(run)


def _fly(acting: Acting, what: Fly) -> None:
    """Fly from a plane that waits (J8.12)."""
    board = acting.board
    unit = mover(acting, what.unit)
    cell = board.places[unit] // STEPS_A_CELL
    tile = board.tiles[cell]
    if tile & CODE != PLANE or tile & EFFECT != ARMED:
        raise Illegal("no-plane", "J8.12")
    run = _begin(acting, unit, what.load, what.via)
    target = board.geo.cell(what.cell)
    ways = [way for way in flights(run, cell, "J8.12") if way.cell == target]
    if not ways:
        raise Illegal("no-flight-there", "J8.12", what.cell)
    if not admissible(run, cell, ways, run.load):
        why = barred(run, target, run.load)
        raise Illegal(why, _BAR_RULES.get(why, "J3.2"), what.cell)
    _told(acting, run, "fly")
    leave_plane(run)
    follow(run, ways[0])
    finish(run)


# Other acts -----------------------------------------------------------------------------------------------------------


def _raise(acting: Acting, what: Raise) -> None:
    """Raise a dead pirate of the colour in the girl's fort (J7.2–J7.4)."""
    board = acting.board
    unit = mover(acting, what.unit)
    place = board.places[unit]
    colour = acting.colour
    if unit >= PIRATES or board.tiles[place // STEPS_A_CELL] & CODE != FORT_GIRL:
        raise Illegal("not-in-girls-fort", "J7.2")
    if sum(board.is_fighter(one) for one in board.crew(colour)) >= FIGHTERS_ENOUGH:
        raise Illegal("fighters-enough", "J7.3")
    dead = [one for one in range(colour * 3, colour * 3 + 3) if board.places[one] == DEAD]
    chosen = UNIT.get(what.dead, -1) if what.dead else dead[0] if dead else -1
    if chosen not in dead:
        raise Illegal("nobody-to-raise", "J7.2")
    run = _begin(acting, unit, None)
    _told(acting, run, "raise")
    board.places[chosen] = place
    board.moods[chosen] = 0
    board.events.append(Raised(rule="J7.2", unit=UNITS[chosen], by=UNITS[unit], cell=run.cell_name))


def _launch(acting: Acting, what: Launch) -> None:
    """Put the boat lying here to sea and go aboard (J10.4)."""
    unit = mover(acting, what.unit)
    run = _begin(acting, unit, None)
    if not count(acting.board.loads.get(run.here, 0), "boat"):
        raise Illegal("no-boat-here", "J10.4")
    _told(acting, run, "launch")
    leave_plane(run)
    launch(run, acting.board.geo.cell(what.cell))


def launch(run: Run, cell: Cell) -> None:
    """Put the boat that lies where the mover stands onto a coastal cell touching his (J10.4). Raises Illegal."""
    board = run.board
    geo = board.geo
    here = run.here // STEPS_A_CELL
    free = geo.terrain[cell] == COAST and cell in geo.around[here] and board.vessel_at(cell) == NO_VESSEL
    if not free or geo.terrain[here] != LAND or board.is_sober(run.unit):
        raise Illegal("cannot-launch", "J10.4", geo.names[cell])
    board.take(run.here, BOAT)
    board.boat, board.boat_owner = cell, run.colour
    board.spent += 1
    board.events.append(BoatLaunched(rule="J10.4", unit=run.name, colour=COLOURS[run.colour], cell=geo.names[cell]))
    swimmers = board.at(cell * STEPS_A_CELL)
    board.places[run.unit] = run.here = cell * STEPS_A_CELL
    run_over(run, swimmers)


def run_over(run: Run, swimmers: Sequence[int]) -> None:
    """Kill the enemies on the cell a vessel has come to (J6.3, J6.10)."""
    for unit in swimmers:
        if run.board.side_of(unit) != run.side:
            kill(run.board, unit, "enemy-ship")


def _sail(acting: Acting, what: Sail) -> None:
    """Move a ship along its own side, or the boat, by one cell (J6.1, J6.2, J10.4, J10.5)."""
    board = acting.board
    vessel = BOAT_VESSEL if what.boat else COLOURS.index(what.colour or COLOURS[acting.colour])
    start = board.boat if what.boat else board.ships[vessel]
    if start == NOWHERE:
        raise Illegal("no-such-vessel", "J6.1")
    if not may_row(acting, vessel, start):
        raise Illegal("nobody-to-row", "J6.1")
    if len(what.route) != 1:
        raise Illegal("one-cell-only", "J6.1")
    cell = _course(board, start, what.route[0])
    if cell not in sea_lanes(board, vessel, start):
        raise Illegal("not-along-the-side", "J6.1", board.geo.names[cell] if cell >= 0 else "")
    if board.options.ship_picks_up == "no" and any(
        board.side_of(unit) == acting.side for unit in board.at(cell * STEPS_A_CELL)
    ):
        raise Illegal("swimmer-in-the-way", "J6.3", board.geo.names[cell])
    board.events.append(
        ActionTaken(
            rule="J2.2",
            colour=COLOURS[acting.colour],
            number=acting.talk.number,
            commander=acting.talk.seat,
            act="sail",
            start=board.geo.names[start],
            defaulted=acting.defaulted,
        )
    )
    move_vessel(board, vessel, cell)


def _course(board: Board, start: Cell, word: str) -> Cell:
    """Return the cell a word of a route stands for: a rhumb, or a cell's name."""
    if word in RHUMBS:
        return board.geo.around[start][RHUMBS.index(word)]
    return board.geo.cell(word)


def may_row(acting: Acting, vessel: int, start: Cell) -> bool:
    """Say whether the colour to move may move a vessel (J6.1, J6.2, R-11).

    Its own with any own or allied fighter aboard, an ally's with one of its own aboard (``ally_rows``).
    """
    board = acting.board
    if board.vessel_side(vessel) != acting.side:
        return False
    aboard = [unit for unit in board.at(start * STEPS_A_CELL) if board.is_fighter(unit)]
    if board.vessel_colour(vessel) != acting.colour:
        if board.options.ally_rows == "no":
            return False
        aboard = [unit for unit in aboard if board.colour_of(unit) == acting.colour]
    return any(not board.moods[unit] & WAKING for unit in aboard)


def sea_lanes(board: Board, vessel: int, start: Cell) -> list[Cell]:
    """Return the cells a vessel may move to, first the W or N way (J6.1, J10.4, J10.5)."""
    geo = board.geo
    if vessel == BOAT_VESSEL:
        second = board.options.ship_move == "second_ring"
        lanes = [
            cell
            for cell in geo.around[start]
            if cell >= 0
            and (geo.terrain[cell] in (COAST, CORNER) or (second and geo.terrain[cell] not in (LAND, COAST)))
        ]
    else:
        lanes = _ship_lanes(board, vessel, start)
    return [cell for cell in lanes if board.vessel_at(cell) == NO_VESSEL]


def _ship_lanes(board: Board, vessel: int, start: Cell) -> list[Cell]:
    geo = board.geo
    route = geo.routes[vessel]
    behind = [geo.behind[cell] for cell in route]
    inner = start in route
    lane = list(route) if inner else behind
    at = lane.index(start)
    found = [lane[one] for one in (at - 1, at + 1) if 0 <= one < len(lane)]
    if board.options.ship_move == "second_ring":
        found.append(behind[at] if inner else route[at])
    return found


# Rum ------------------------------------------------------------------------------------------------------------------


def _bottle(acting: Acting, unit: str, use: Literal["leap", "gift"], *, ally: bool) -> None:
    """Take a bottle from the colour's stock, else from an ally's who consents (J9.16, J8.21). Raises Illegal."""
    board = acting.board
    if acting.smoke:
        raise Illegal("no-rum-in-smoke", "J8.21")
    stocks = [acting.colour]
    own_seat = board.seats[acting.colour]
    if ally or any(other != acting.colour and board.seats[other] == own_seat for other in range(4)):
        stocks += [
            other
            for other in range(4)
            if other != acting.colour and board.sides[other] == acting.side and _consents(acting, other)
        ]
    for colour in stocks:
        if board.bottles[colour]:
            board.bottles[colour] -= 1
            board.spent += 1
            seat = board.seats[colour]
            if colour != acting.colour and seat != own_seat and acting.ally_rum.get(seat, 0) > 0:
                acting.ally_rum[seat] -= 1
            board.events.append(
                BottleSpent(
                    rule="J9.17" if use == "leap" else "J9.20",
                    colour=COLOURS[colour],
                    unit=unit,
                    use=use,
                )
            )
            return
    raise Illegal("no-bottle", "J9.16")


def _consents(acting: Acting, colour: int) -> bool:
    """Say whether a colour's owner lets this colour drink: two colours of one player yes, partners as told (J9.16)."""
    board = acting.board
    seat = board.seats[colour]
    return seat == board.seats[acting.colour] or acting.ally_rum.get(seat, 0) != 0


def give(acting: Acting, gift: Gift) -> None:
    """Give a bottle to the missionary or Friday of any side (J9.20). Raises Illegal."""
    board = acting.board
    unit = UNIT[gift.unit]
    if board.places[unit] < 0:
        raise Illegal("nobody-to-give", "J9.20")
    if unit == MS and not board.is_sober(MS):
        raise Illegal("has-drunk", "J9.11")
    if board.moods[unit] & (LOST | LOCKED):
        raise Illegal("lost", "J9.17")
    cell = board.places[unit] // STEPS_A_CELL
    if not any(_may_give(acting, one, cell) for one in board.crew(acting.colour)):
        raise Illegal("too-far-to-give", "J9.20", board.geo.names[cell])
    _bottle(acting, gift.unit, "gift", ally=gift.ally)
    if unit == FR:
        vanish(board, FR, "rum")
    else:
        convert(board)


def _may_give(acting: Acting, unit: int, cell: Cell) -> bool:
    board = acting.board
    if not board.is_fighter(unit) or board.moods[unit] & (LOST | LOCKED):
        return False
    here = board.places[unit] // STEPS_A_CELL
    return board.geo.apart[here][cell] <= 1


# Guards ---------------------------------------------------------------------------------------------------------------


def holds(acting: Acting, guard: Guard) -> bool:
    """Say whether a guard holds on the open board (5.3)."""
    return _holds(acting, guard) != guard.negated


def _holds(acting: Acting, guard: Guard) -> bool:
    board = acting.board
    cell = board.geo.cell(guard.cell)
    units = [unit for unit, place in enumerate(board.places) if place // STEPS_A_CELL == cell and place >= 0]
    heap = sum(load for place, load in board.loads.items() if place // STEPS_A_CELL == cell)
    is_open = bool(board.tiles[cell] & OPEN) or board.geo.terrain[cell] != LAND
    match guard.kind:
        case "empty":
            return not units
        case "enemy":
            return any(board.side_of(unit) != acting.side for unit in units)
        case "own":
            return any(board.side_of(unit) == acting.side for unit in units)
        case "item":
            return count(heap, guard.what) > 0
        case "closed":
            return not is_open
        case "ship":
            return board.vessel_at(cell) != NO_VESSEL
        case "open":
            if not is_open or not guard.what:
                return is_open
            kind = BY_CODE.get(board.tiles[cell] & CODE)
            return kind is not None and guard.what in (
                kind.key,
                kind.key.rstrip("12345"),
                "arrow" if kind.exits else "",
            )
    raise ValueError(f"{guard.kind!r} is no guard")


def alternative_of(what: AnyAct, *, perish: bool = False) -> Alternative:
    """Return an alternative that is only an act."""
    return Alternative(act=what, perish=perish)
