"""What tiles do to one who arrives: turning up, one-time effects, lasting effects (J8, J9, J10.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from engine.jackal.board import Board
from engine.jackal.events import (
    BottlesFound,
    CannonFired,
    Converted,
    EarthQuaked,
    GoldFound,
    Joined,
    LaidBack,
    MoodChanged,
    Moved,
    OathSworn,
    Peeked,
    PeekShown,
    PlaneWaits,
    TileOpened,
)
from engine.jackal.isle import BEYOND, Cell
from engine.jackal.rules.fighting import destroy, die, kill, leave_load, meet, vanish
from engine.jackal.rules.run import Run
from engine.jackal.rules.way import Way, flights
from engine.jackal.state import (
    BALL,
    BOAT,
    CART,
    COIN,
    COLOURS,
    CONVERTED,
    DRUNK,
    FR,
    LOCKED,
    LOST,
    MS,
    PIRATES,
    STEPS_A_CELL,
    TRAPPED,
    TREASURE,
    UNITS,
)
from engine.jackal.tiles import (
    ARMED,
    BEN,
    BOTTLES,
    BY_CODE,
    CARAMBA,
    CAVE,
    CODE,
    COINS,
    EFFECT,
    FRESH,
    FRIDAY,
    GRASS,
    KEG,
    KINDS,
    LIGHTHOUSE,
    MISSIONARY,
    OPEN,
    PLANE,
    QUAKE,
    RULE,
    SPENT,
    TRAP,
    barrel_of,
    rotation_of,
)
from engine.jackal.tiles import BALL as BALL_TILE
from engine.jackal.tiles import BOAT as BOAT_TILE
from engine.jackal.tiles import CART as CART_TILE
from engine.jackal.tiles import TREASURE as TREASURE_TILE

Effect: TypeAlias = Callable[[Run, Cell], Way | None]
"""An effect; what it returns is the next step, and the mover may be gone after it."""

LIGHTHOUSE_CELLS: Final = 4

_THINGS: Final[Mapping[int, tuple[str, int]]] = {
    TREASURE_TILE: ("treasure", TREASURE),
    BOAT_TILE: ("boat", BOAT),
    BALL_TILE: ("ball", BALL),
    CART_TILE: ("cart", CART),
}


# Turning up -----------------------------------------------------------------------------------------------------------


def turn_up(board: Board, cell: Cell, unit: int | None) -> None:
    """Turn a tile up; its gold or thing lies down at once (J3.3 1, J8.11, J10.0)."""
    tile = board.tiles[cell] | OPEN
    code = tile & CODE
    board.tiles[cell] = tile
    board.opened += 1
    name = board.geo.names[cell]
    board.events.append(
        TileOpened(
            rule="J3.3",
            cell=name,
            tile=BY_CODE[code].key,
            rotation=rotation_of(tile),
            unit="" if unit is None else UNITS[unit],
        )
    )
    item, number, laid = "coin", COINS[code], COINS[code] * COIN
    if code in _THINGS:
        item, laid = _THINGS[code]
        number = 1
    if laid:
        board.tiles[cell] = tile & ~EFFECT | SPENT
        board.put(cell * STEPS_A_CELL, laid)
        board.events.append(GoldFound(rule=RULE[code], cell=name, item=item, number=number))


def spend(board: Board, cell: Cell, state: int = SPENT) -> None:
    """Mark the one-time effect of a tile as used (J3.9)."""
    board.tiles[cell] = board.tiles[cell] & ~EFFECT | state
    board.spent += 1


# One-time effects -----------------------------------------------------------------------------------------------------


def _plane(run: Run, cell: Cell) -> Way | None:
    """Let the first to arrive fly in the same action, or stay (J8.12)."""
    board = run.board
    spend(board, cell)
    way = run.wants.flight(run, cell, list(flights(run, cell, "J8.12")))
    if way is None:
        armed = board.options.plane_defer == "yes"
        if armed:
            spend(board, cell, ARMED)
        board.events.append(PlaneWaits(rule="J8.12", unit=run.name, cell=board.geo.names[cell], armed=armed))
    run.fixed.clear()
    return way


def _resident(unit: int) -> Effect:
    def appear(run: Run, cell: Cell) -> Way | None:
        """Let a resident appear and join the entrant's colour (J9.01)."""
        board = run.board
        spend(board, cell)
        board.places[unit] = run.here
        board.owners[unit - PIRATES] = run.colour
        names = board.geo.names
        board.events.append(Joined(rule="J9.01", unit=UNITS[unit], colour=COLOURS[run.colour], cell=names[cell]))
        meet(run)
        return None

    return appear


def convert(board: Board) -> None:
    """Make the missionary a pirate of his colour (J9.11)."""
    board.moods[MS] |= CONVERTED
    cell = board.geo.names[board.places[MS] // STEPS_A_CELL]
    board.events.append(Converted(rule="J9.11", colour=COLOURS[board.owners[MS - PIRATES]], cell=cell))


def _rum(run: Run, cell: Cell) -> Way | None:
    """Put bottles into the colour's stock; the missionary and Friday drink one of them (J9.11, J9.14, J9.16)."""
    board = run.board
    spend(board, cell)
    bottles = BOTTLES[board.tiles[cell] & CODE]
    drinks = run.unit == FR or board.is_sober(run.unit)
    board.bottles[run.colour] += bottles - drinks
    board.events.append(
        BottlesFound(rule="J9.16", colour=COLOURS[run.colour], number=bottles - drinks, cell=board.geo.names[cell])
    )
    if drinks:
        drink(run)
    return None


def drink(run: Run) -> None:
    """Let the mover drink: the missionary is converted, Friday leaves (J9.11, J9.14)."""
    if run.unit == FR:
        leave_load(run)
        vanish(run.board, FR, "rum")
    else:
        convert(run.board)
        run.fighter = True


def _lighthouse(run: Run, cell: Cell) -> Way | None:
    """Let the finder choose closed cells; they are turned up, or shown to him alone (J8.17)."""
    board = run.board
    spend(board, cell)
    closed = [one for one in board.geo.land if not board.tiles[one] & OPEN]
    if not closed:
        return None
    cells = run.wants.cells(run, closed, min(LIGHTHOUSE_CELLS, len(closed)))
    names = tuple(board.geo.names[one] for one in cells)
    board.events.append(Peeked(rule="J8.17", unit=run.name, cells=names))
    if board.options.lighthouse == "old":
        _turned_up_by_lighthouse(run, cells)
    else:
        _peek(run, cells, names)
    return None


def _turned_up_by_lighthouse(run: Run, cells: tuple[Cell, ...]) -> None:
    """Turn cells up in the order named; when all are open a quake acts, then grass (R-34). Caves are exits (R-35).

    The quake may move the grass: it burns where it then lies.
    """
    board = run.board
    if any(not board.tiles[one] & CODE for one in cells):
        return
    for one in cells:
        turn_up(board, one, None)
        if board.tiles[one] & CODE == CAVE:
            release_lost(board, one)
    for code, effect in ((QUAKE, _quake), (GRASS, _grass)):
        for one in board.geo.land:
            if board.tiles[one] & (CODE | OPEN) == code | OPEN and board.tiles[one] & EFFECT == FRESH:
                effect(run, one)


def _peek(run: Run, cells: tuple[Cell, ...], names: tuple[str, ...]) -> None:
    """Show the four to the commander alone; he lays them back among these cells (J8.17, R-36, R-38)."""
    board = run.board
    if any(not board.tiles[one] & CODE for one in cells):
        return
    audience = run.wants.audience
    tiles = [board.tiles[one] for one in cells]
    board.events.append(
        PeekShown(
            rule="J8.17",
            audience=audience,
            cells=names,
            tiles=tuple(BY_CODE[tile & CODE].key for tile in tiles),
            rotations=tuple(map(rotation_of, tiles)),
        )
    )
    to = run.wants.lay(run, cells) if board.options.lighthouse == "new" else cells
    for book in board.notebooks.values():
        for one in cells:
            book.pop(one, None)
    for tile, there in zip(tiles, to, strict=True):
        board.tiles[there] = tile
        for seat in audience:
            board.notebooks.setdefault(seat, {})[there] = (tile, board.turn)
    if board.options.lighthouse == "new":
        laid = tuple(board.geo.names[there] for there in to)
        board.events.append(LaidBack(rule="J8.17", audience=audience, cells=names, to=laid))


def may_quake(board: Board) -> list[Cell]:
    """Return the land cells with nobody and nothing on them (J8.19, R-22)."""
    taken = {place // STEPS_A_CELL for place in board.places if place >= 0}
    taken |= {place // STEPS_A_CELL for place in board.loads}
    return [cell for cell in board.geo.land if cell not in taken]


def _quake(run: Run, cell: Cell) -> Way | None:
    """Swap two cells; rotations and spent effects travel with the tiles, and so does what seats know (J8.19, R-22)."""
    board = run.board
    spend(board, cell)
    free = may_quake(board)
    if len(free) < 2:
        board.events.append(EarthQuaked(rule="J8.19", cells=()))
        return None
    one, other, turns = run.wants.pair(run, free)
    board.tiles[one], board.tiles[other] = board.tiles[other], board.tiles[one]
    for at, quarter in zip((other, one), turns, strict=False):
        if board.tiles[at] & OPEN:
            tile = board.tiles[at]
            board.tiles[at] = tile & ~(3 << 6) | (rotation_of(tile) + quarter) % 4 << 6
    for book in board.notebooks.values():
        seen = (book.pop(one, None), book.pop(other, None))
        for at, entry in zip((other, one), seen, strict=True):
            if entry is not None:
                book[at] = entry
    names = board.geo.names
    board.events.append(EarthQuaked(rule="J8.19", cells=(names[one], names[other]), turns=turns))
    return None


def _grass(run: Run, cell: Cell) -> Way | None:
    """Set the grass alight; the turn sees to what follows (J8.21)."""
    spend(run.board, cell)
    run.board.grass += 1
    return None


# Lasting effects ------------------------------------------------------------------------------------------------------


def _mood(board: Board, unit: int, mood: str, rule: str) -> None:
    cell = board.geo.names[board.places[unit] // STEPS_A_CELL]
    board.events.append(MoodChanged(rule=rule, unit=UNITS[unit], cell=cell, mood=mood))  # type: ignore[arg-type]


def _trap(run: Run, _: Cell) -> Way | None:
    """Catch the newcomer unless a friend is there; a friend's coming frees all who are (J8.06, R-16, R-44)."""
    board = run.board
    friends = [unit for unit in board.at(run.here) if unit != run.unit and board.side_of(unit) == run.side]
    for unit in friends:
        if board.moods[unit] & TRAPPED:
            board.moods[unit] &= ~TRAPPED
            _mood(board, unit, "freed", "J8.06")
    if not friends and run.unit != FR:
        board.moods[run.unit] |= TRAPPED
        _mood(board, run.unit, "trapped", "J8.06")
    return None


def _keg(run: Run, _: Cell) -> Way | None:
    """Put the mover to sleep for the colour's next turn; Friday leaves, the missionary is converted (J8.15, R-23)."""
    board = run.board
    if run.unit == FR:
        drink(run)
        return None
    if board.is_sober(run.unit):
        drink(run)
    board.moods[run.unit] |= DRUNK
    _mood(board, run.unit, "drunk", "J8.15")
    return None


def _caramba(run: Run, cell: Cell) -> Way | None:
    """Make the mover swear (J8.16, R-19); which oath of the list it was is drawn when the action stands."""
    board = run.board
    if not run.wants.may_swear(run):
        die(run, "oath")
        return None
    board.events.append(OathSworn(rule="J8.16", unit=run.name, cell=board.geo.names[cell], words=run.wants.oath))
    return None


def open_caves(board: Board) -> list[Cell]:
    """Return the open caves in reading order."""
    return [cell for cell in board.geo.land if board.tiles[cell] & (CODE | OPEN) == CAVE | OPEN]


def release_lost(board: Board, cell: Cell) -> None:
    """Let all the lost of the first cave come out at the second, which lies at ``cell`` (J8.18 b, R-35)."""
    for unit, mood in enumerate(board.moods):
        if mood & LOST and board.places[unit] != cell * STEPS_A_CELL:
            board.moods[unit] &= ~LOST
            board.places[unit] = cell * STEPS_A_CELL
            _mood(board, unit, "out", "J8.18")


def _cave(run: Run, cell: Cell) -> Way | None:
    """Lose the entrant, or let him come out of another open cave and stop there (J8.18, R-20, R-21)."""
    board = run.board
    caves = open_caves(board)
    if len(caves) < 2:
        board.moods[run.unit] |= LOST
        _mood(board, run.unit, "lost", "J8.18")
        return None
    first = next(one for one in caves if one != cell)
    if any(board.moods[unit] & LOST for unit in board.at(first * STEPS_A_CELL)):
        release_lost(board, cell)
    exits = [one for one in caves if one != cell and not board.enemies_at(one * STEPS_A_CELL, run.side)]
    if not exits:
        run.wants.pass_over(run)
        if board.options.cave_blocked == "locked":
            board.moods[run.unit] |= LOCKED
            _mood(board, run.unit, "locked", "J8.18")
        return None
    _come_out(run, cell, run.wants.cave(run, cell, exits))
    return None


def _come_out(run: Run, cell: Cell, exit_: Cell) -> None:
    """Move one who has chosen his exit; who comes out of a cave arrives nowhere anew (J3.8)."""
    board = run.board
    place = exit_ * STEPS_A_CELL
    board.places[run.unit] = place
    run.here = place
    names = board.geo.names
    board.events.append(Moved(rule="J8.18", unit=run.name, start=names[cell], cell=names[exit_], how="cave"))
    meet(run)


def release_locked(board: Board) -> None:
    """Let those a blocked cave has locked in come out as soon as another exit is free (R-21, ``cave_blocked=locked``).

    The exit is the free one nearest their own ship, as the page's default has it.
    """
    for unit, mood in enumerate(board.moods):
        if not mood & LOCKED or board.places[unit] < 0:
            continue
        cell = board.places[unit] // STEPS_A_CELL
        side = board.side_of(unit)
        free = [one for one in open_caves(board) if one != cell and not board.enemies_at(one * STEPS_A_CELL, side)]
        if free:
            ship = board.ships[board.colour_of(unit)]
            exit_ = min(free, key=lambda one: board.geo.apart[one][ship])
            board.moods[unit] &= ~LOCKED
            board.places[unit] = exit_ * STEPS_A_CELL
            _mood(board, unit, "out", "J8.18")


def fire(run: Run, cell: Cell) -> None:
    """Fire the cannon: loads and characters in line are lost, vessels and the lost in caves are not (J10.1, R-26)."""
    board = run.board
    run.load = 0
    geo = board.geo
    barrel = barrel_of(board.tiles[cell])
    line = []
    there = geo.around[cell][barrel]
    while geo.terrain[there] != BEYOND:
        line.append(there)
        there = geo.around[there][barrel]
    board.events.append(CannonFired(rule="J10.1", unit=run.name, cells=tuple(geo.names[one] for one in line)))
    for one in line:
        if board.vessel_at(one) >= 0:
            continue
        for unit in range(len(board.places)):
            if board.places[unit] // STEPS_A_CELL == one and not board.moods[unit] & (LOST | LOCKED):
                kill(board, unit, "ball")
        for place in [place for place in board.loads if place // STEPS_A_CELL == one]:
            destroy(board, board.loads.pop(place), one, "shot")


ONCE: Final[Mapping[int, Effect]] = {
    PLANE: _plane,
    BEN: _resident(PIRATES),
    MISSIONARY: _resident(MS),
    FRIDAY: _resident(FR),
    LIGHTHOUSE: _lighthouse,
    QUAKE: _quake,
    GRASS: _grass,
    **{KINDS[key].code: _rum for key in ("rum1", "rum2", "rum3")},
}
"""Effects of the first arrival, by code."""

LASTING: Final[Mapping[int, Effect]] = {TRAP: _trap, KEG: _keg, CARAMBA: _caramba, CAVE: _cave}
"""Effects of every arrival at a tile one may stand on, by code."""
