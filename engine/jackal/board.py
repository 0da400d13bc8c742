"""The position while a turn is resolved: a copy of plain lists that the rules change and that is frozen again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from struct import Struct
from typing import Final

import msgspec

from engine.core.contract import Event, Seat
from engine.jackal.isle import ISLE, NOWHERE, Cell, Geography
from engine.jackal.options import JackalOptions
from engine.jackal.state import (
    BALL,
    BG,
    BOAT,
    CART,
    COIN,
    COLOURS,
    CONVERTED,
    FR,
    MS,
    PIRATES,
    STEPS_A_CELL,
    TREASURE,
    JackalState,
    JackalView,
    Notebook,
    Peek,
    worth,
)
from engine.jackal.tiles import CODE, OPEN, SPIN, Tile, deck

BOAT_VESSEL: Final = 4
"""Vessels are numbered like the colours of their ships; 4 is the boat."""
NO_VESSEL: Final = -1

_DIGEST: Final = Struct("<15h15B3b4hhb4Bb")
_LOAD: Final = Struct("<hi")


class Board:
    """A position in the making. Lists go by cell, colour or character as in `JackalState`.

    ``sides[colour]`` is the number of its side, -1 where the colour is not in the game. The counters at the end tell
    what the action under way did; defaults and R-28 ask for them.
    """

    __slots__ = (
        "boat",
        "boat_owner",
        "bottles",
        "destroyed",
        "drowned",
        "events",
        "geo",
        "gold",
        "grass",
        "loads",
        "moods",
        "notebooks",
        "opened",
        "options",
        "owners",
        "places",
        "scored",
        "seats",
        "ships",
        "sides",
        "spent",
        "struck",
        "sunk",
        "tiles",
        "turn",
    )

    geo: Geography
    options: JackalOptions
    sides: tuple[int, ...]
    seats: tuple[Seat, ...]
    turn: int
    tiles: list[Tile]
    loads: dict[int, int]
    places: list[int]
    moods: list[int]
    owners: list[int]
    ships: list[Cell]
    boat: Cell
    boat_owner: int
    gold: list[int]
    bottles: list[int]
    destroyed: int
    notebooks: dict[Seat, dict[Cell, tuple[Tile, int]]]
    events: list[Event]
    opened: int
    scored: int
    struck: int
    drowned: int
    spent: int
    sunk: int
    grass: int

    def branch(self) -> Board:
        """Return a copy to try an action on; its events and counters start empty."""
        other = Board.__new__(Board)
        other.geo = self.geo
        other.options = self.options
        other.sides = self.sides
        other.seats = self.seats
        other.turn = self.turn
        other.tiles = self.tiles[:]
        other.loads = self.loads.copy()
        other.places = self.places[:]
        other.moods = self.moods[:]
        other.owners = self.owners[:]
        other.ships = self.ships[:]
        other.boat = self.boat
        other.boat_owner = self.boat_owner
        other.gold = self.gold[:]
        other.bottles = self.bottles[:]
        other.destroyed = self.destroyed
        other.notebooks = {seat: book.copy() for seat, book in self.notebooks.items()} if self.notebooks else {}
        other.events = []
        other.opened = other.scored = other.struck = other.drowned = other.spent = other.sunk = other.grass = 0
        return other

    # Who is where

    def colour_of(self, unit: int) -> int:
        """Return the colour a character plays for, -1 for a resident nobody has found."""
        return unit // 3 if unit < PIRATES else self.owners[unit - PIRATES]

    def side_of(self, unit: int) -> int:
        """Return the side a character plays for."""
        return self.sides[unit // 3 if unit < PIRATES else self.owners[unit - PIRATES]]

    def at(self, place: int) -> list[int]:
        """Return the characters in a place, in canonical order."""
        places = self.places
        if place not in places:
            return []
        return [unit for unit, here in enumerate(places) if here == place]

    def enemies_at(self, place: int, side: int) -> list[int]:
        """Return the characters of other sides in a place."""
        places = self.places
        if place not in places:
            return []
        return [unit for unit, here in enumerate(places) if here == place and self.side_of(unit) != side]

    def crew(self, colour: int) -> list[int]:
        """Return the living characters of a colour in canonical order: 1, 2, 3, Ben Gunn, missionary, Friday (5.2)."""
        places, owners = self.places, self.owners
        first = colour * 3
        found = [unit for unit in (first, first + 1, first + 2) if places[unit] >= 0]
        if colour in owners:
            found += [PIRATES + n for n in (0, 1, 2) if owners[n] == colour and places[PIRATES + n] >= 0]
        return found

    def is_sober(self, unit: int) -> bool:
        """Say whether a character is the missionary before he has drunk (J9.10)."""
        return unit == MS and not self.moods[MS] & CONVERTED

    def is_fighter(self, unit: int) -> bool:
        """Say whether a character is a fighter: a pirate, Ben Gunn, the converted missionary (terms)."""
        return unit <= BG or (unit == MS and self.moods[MS] & CONVERTED != 0)

    def living(self) -> tuple[int, ...]:
        """Return the colours that have a living character, in the order of the circle (J2.3)."""
        return tuple(colour for colour in range(len(COLOURS)) if self.sides[colour] >= 0 and self.crew(colour))

    # Places and vessels

    def place_on(self, cell: Cell) -> int:
        """Return the place one enters on a cell: step I of a spin, else the cell itself."""
        return cell * STEPS_A_CELL + (1 if SPIN[self.tiles[cell] & CODE] else 0)

    def vessel_at(self, cell: Cell) -> int:
        """Return the number of the vessel on a sea cell, NO_VESSEL if none."""
        if cell in self.ships:
            return self.ships.index(cell)
        return BOAT_VESSEL if cell == self.boat != NOWHERE else NO_VESSEL

    def vessel_colour(self, vessel: int) -> int:
        """Return the colour a vessel belongs to."""
        return self.boat_owner if vessel == BOAT_VESSEL else vessel

    def vessel_side(self, vessel: int) -> int:
        """Return the side a vessel belongs to."""
        return self.sides[self.vessel_colour(vessel)]

    def seat_of(self, colour: int) -> Seat:
        """Return the seat that commands a colour."""
        return self.seats[colour]

    def partners(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the seats of a seat's side in roster order, itself included."""
        side = self.sides[self.seats.index(seat)]
        found = [self.seats[colour] for colour in range(len(COLOURS)) if self.sides[colour] == side]
        return tuple(dict.fromkeys(found))

    # Loads

    def put(self, place: int, load: int) -> None:
        """Lay a load in a place."""
        if load:
            self.loads[place] = self.loads.get(place, 0) + load

    def take(self, place: int, load: int) -> None:
        """Take a load from a place."""
        rest = self.loads[place] - load
        if rest:
            self.loads[place] = rest
        else:
            del self.loads[place]

    @property
    def left(self) -> int:
        """Gold neither scored nor destroyed: lying or hidden."""
        return deck(self.options.tileset).gold - sum(self.gold) - self.destroyed

    def lying(self) -> int:
        """Return the gold that lies on the island."""
        return sum(map(worth, self.loads.values()))

    def digest(self, colour: int) -> int:
        """Return 63 bits that stand for the public position with a colour to move (R-28).

        Openings and every change of a tile clear the count, so the tiles themselves need not be part of it.
        """
        head = _DIGEST.pack(
            *self.places,
            *self.moods,
            *self.owners,
            *self.ships,
            self.boat,
            self.boat_owner,
            *(min(number, 255) for number in self.bottles),
            colour,
        )
        lying = b"".join(_LOAD.pack(place, load) for place, load in sorted(self.loads.items()))
        return int.from_bytes(blake2b(head + lying, digest_size=8).digest(), "big") >> 1


# Sides and seats ------------------------------------------------------------------------------------------------------


def colours_of(options: JackalOptions, players: int) -> tuple[int, ...]:
    """Return the colours in a game, in the order of the circle (J12). Raises ValueError for other than 2 to 4."""
    return _colours(players, options.empty_side)


def _colours(players: int, empty_side: str) -> tuple[int, ...]:
    if players == 3:
        return tuple(colour for colour, name in enumerate(COLOURS) if name != empty_side)
    if players not in (2, 4):
        raise ValueError(f"«Шакал» is played by 2 to 4, not {players!r}")
    return tuple(range(len(COLOURS)))


def homes_of(options: JackalOptions, sides: tuple[int, ...], geo: Geography = ISLE) -> tuple[Cell, ...]:
    """Return where the ships start: in the middle of their sides (J1.4), NOWHERE for a colour that is not in the game.

    With ``empty_shift`` the two beside an empty side start two thirds along their nine cells, toward it (R-30).
    """
    empty = sides.index(-1) if options.empty_shift == "yes" and -1 in sides else -1
    return tuple(
        NOWHERE if side < 0 else geo.routes[colour][_START + _shift(colour, empty)] for colour, side in enumerate(sides)
    )


_START: Final = 4


def _shift(colour: int, empty: int) -> int:
    """Return how far a ship starts from the middle of its route, toward an empty side beside it."""
    if empty < 0 or (colour - empty) % 2 == 0:
        return 0
    return 1 if COLOURS[empty] in ("yellow", "black") else -1  # routes run from the west and from the north


def sides_of(options: JackalOptions, roster: tuple[Seat, ...]) -> tuple[tuple[int, ...], tuple[Seat, ...]]:
    """Return the side and the commanding seat of every colour, -1 and "" where the colour is not in the game (J12)."""
    return _sides(options.teams, options.empty_side, roster)


@lru_cache(maxsize=64)
def _sides(teams: str, empty_side: str, roster: tuple[Seat, ...]) -> tuple[tuple[int, ...], tuple[Seat, ...]]:
    colours = _colours(len(roster), empty_side)
    paired = len(roster) == 2 or (len(roster) == 4 and teams == "yes")
    sides = tuple((colour % 2 if paired else colour) if colour in colours else -1 for colour in range(4))
    if len(roster) == 2:
        return sides, tuple(roster[colour % 2] for colour in range(4))
    names = iter(roster)
    return sides, tuple(next(names) if colour in colours else "" for colour in range(4))


# Thawing and freezing -------------------------------------------------------------------------------------------------


def thaw(position: JackalState | JackalView, geo: Geography = ISLE) -> Board:
    """Return a position as a board that can be changed; of a view, closed tiles are of no known kind."""
    board = Board.__new__(Board)
    board.geo = geo
    board.options = position.options
    board.sides, board.seats = sides_of(position.options, position.roster)
    board.turn = position.turn
    board.tiles = list(position.tiles)
    board.loads = dict(position.loads)
    board.places = list(position.places)
    board.moods = list(position.moods)
    board.owners = list(position.owners)
    board.ships = list(position.ships)
    board.boat = position.boat
    board.boat_owner = position.boat_owner
    board.gold = list(position.gold)
    board.bottles = list(position.bottles)
    board.destroyed = position.destroyed
    books = position.notebooks if isinstance(position, JackalState) else ()
    board.notebooks = {book.seat: {peek.cell: (peek.tile, peek.turn) for peek in book.peeks} for book in books}
    board.events = []
    board.opened = board.scored = board.struck = board.drowned = board.spent = board.sunk = board.grass = 0
    return board


def freeze(board: Board, state: JackalState) -> JackalState:
    """Return the state with the position of a board; what the board does not hold stays as it was."""
    return msgspec.structs.replace(
        state,
        tiles=tuple(board.tiles),
        loads=tuple(sorted(board.loads.items())),
        places=tuple(board.places),
        moods=tuple(board.moods),
        owners=tuple(board.owners),
        ships=tuple(board.ships),
        boat=board.boat,
        boat_owner=board.boat_owner,
        gold=tuple(board.gold),
        bottles=tuple(board.bottles),
        destroyed=board.destroyed,
        notebooks=_books(board, state.roster) if board.notebooks else (),
    )


def _books(board: Board, roster: Sequence[Seat]) -> tuple[Notebook, ...]:
    """Return the notebooks without what is open by now, in roster order (5.5)."""
    found = []
    for seat in roster:
        book = board.notebooks.get(seat, {})
        peeks = tuple(
            Peek(cell=cell, tile=tile, turn=turn)
            for cell, (tile, turn) in sorted(book.items())
            if not board.tiles[cell] & OPEN
        )
        if peeks:
            found.append(Notebook(seat=seat, peeks=peeks))
    return tuple(found)


# Loads in words -------------------------------------------------------------------------------------------------------

_UNITS: Final = (("coin", COIN, 0, 255), ("treasure", TREASURE, 8, 3), ("boat", BOAT, 10, 3))
_MORE: Final = (("ball", BALL, 12, 15), ("cart", CART, 16, 3))


def items_of(heap: int) -> tuple[str, ...]:
    """Return the items in a heap by name, one entry each."""
    return tuple(name for name, _, shift, mask in (*_UNITS, *_MORE) for _ in range(heap >> shift & mask))


def is_friday(unit: int) -> bool:
    """Say whether a character is Friday."""
    return unit == FR
