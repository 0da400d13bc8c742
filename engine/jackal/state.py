"""What a game of «Шакал» is made of: the position, what one viewer knows of it, and the slots of a turn."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from engine.core.contract import Outcome, Question, Seat, State, Value
from engine.jackal.options import JackalOptions

Colour: TypeAlias = Literal["white", "yellow", "black", "red"]
COLOURS: Final[tuple[Colour, ...]] = ("white", "yellow", "black", "red")
"""The colours in the order of the circle (J2.1); in positions they are numbers, 0 white to 3 red."""

UNITS: Final = ("W1", "W2", "W3", "Y1", "Y2", "Y3", "B1", "B2", "B3", "R1", "R2", "R3", "BG", "MS", "FR")
"""Characters by number: three pirates a colour, Ben Gunn, the missionary, Friday."""
UNIT: Final = {unit: number for number, unit in enumerate(UNITS)}
PIRATES: Final = 12
"""Characters below this number are pirates of colour number // 3."""
BG, MS, FR = 12, 13, 14

DEAD: Final = -1
"""In ``places``: dead, or out of the game."""
UNFOUND: Final = -2
"""In ``places``: a resident that nobody has found yet."""

TRAPPED, LOST, DRUNK, WAKING, CONVERTED, LOCKED = 1, 2, 4, 8, 16, 32
"""Bits of ``moods``. DRUNK misses the colour's next turn; WAKING does so in the turn now played (J8.15, R-40). LOST is
lost in a cave; LOCKED too, by ``cave_blocked=locked``. CONVERTED: the missionary has drunk (J9.11)."""

STEPS_A_CELL: Final = 8
"""A place is cell × 8 + step: step 0, or 1 to 5 on a spin (terms, J5.4)."""

# A load, and a heap of loads lying in one place, packed into a number of five fields.
COIN: Final = 1
TREASURE: Final = 1 << 8
BOAT: Final = 1 << 10
BALL: Final = 1 << 12
CART: Final = 1 << 16
ITEMS: Final[dict[str, tuple[int, int, int]]] = {
    "coin": (COIN, 0, 255),
    "treasure": (TREASURE, 8, 3),
    "boat": (BOAT, 10, 3),
    "ball": (BALL, 12, 15),
    "cart": (CART, 16, 3),
}
"""By item: its unit, the place of its field and the mask of its count."""


def count(heap: int, item: str) -> int:
    """Return how many of an item a heap holds."""
    _, shift, mask = ITEMS[item]
    return heap >> shift & mask


def worth(heap: int) -> int:
    """Return the gold in a heap: a coin is 1, the treasure 3 (J4.5)."""
    return (heap & 255) + 3 * (heap >> 8 & 3)


class PlanSlot(Value, frozen=True, kw_only=True):
    """A slot of the open turn: a colour's action, numbered within the turn, and who commands it (5.2, J8.21)."""

    colour: Colour
    number: int
    commander: Colour

    @property
    def key(self) -> str:
        """``white-1``."""
        return f"{self.colour}-{self.number}"


class Peek(Value, frozen=True, kw_only=True):
    """A closed tile a seat has seen: where it lies now, what it is, and in which turn it was seen (5.5)."""

    cell: int
    tile: int
    turn: int


class Notebook(Value, frozen=True, kw_only=True):
    """What one seat has peeked."""

    seat: Seat
    peeks: tuple[Peek, ...] = ()


class AllyRum(Value, frozen=True, kw_only=True):
    """What a seat's standing line says of its rum for allies (J9.16), and how many bottles are left of a number."""

    seat: Seat
    said: int
    left: int


class JackalState(State, frozen=True, kw_only=True):
    """A position of «Шакал» between turns. Tuples of four go by colour, of fifteen by character (`UNITS`).

    ``turn`` counts turns from 1, ``round`` passes of the circle. ``plan`` are the slots of the open turn. ``next`` is
    the colour with which normal play goes on after it. ``tiles`` by cell number (0 where no tile lies); ``loads`` are
    (place, heap) in order of places; ``owners`` the colours of the three residents, -1 while unfound. ``boat`` is the
    cell of a boat afloat, -1 if none, ``boat_owner`` its colour. ``destroyed`` is lost gold. ``smoke`` are the (colour,
    commander) slots that still burn after this turn's, ``smoke_cycle`` the slots one grass makes. ``quiet`` counts
    slots without an opening or a score, ``skipped`` those skipped running, ``seen`` are digests of positions since
    then (R-28).
    """

    options: JackalOptions
    roster: tuple[Seat, ...]
    turn: int
    round: int
    plan: tuple[PlanSlot, ...]
    next: int
    tiles: tuple[int, ...]
    loads: tuple[tuple[int, int], ...]
    places: tuple[int, ...]
    moods: tuple[int, ...]
    owners: tuple[int, ...]
    ships: tuple[int, ...]
    boat: int = -1
    boat_owner: int = -1
    gold: tuple[int, ...] = (0, 0, 0, 0)
    bottles: tuple[int, ...] = (0, 0, 0, 0)
    destroyed: int = 0
    smoke: tuple[tuple[int, int], ...] = ()
    smoke_cycle: tuple[tuple[int, int], ...] = ()
    quiet: int = 0
    skipped: int = 0
    seen: tuple[int, ...] = ()
    notebooks: tuple[Notebook, ...] = ()
    ally_rum: tuple[AllyRum, ...] = ()
    outcome: Outcome | None = None


class JackalView(Value, frozen=True, kw_only=True):
    """What one viewer knows (5.5): the position with every closed tile hidden, and his own notebook.

    The moderator sees no more of closed tiles than the players. ``pile`` counts the closed tiles by kind, which is
    public; ``left`` is the gold neither scored nor destroyed. ``face_down``: when the game is over, what lay under each
    cell that stayed closed, in reading order.
    """

    seat: Seat
    colours: tuple[Colour, ...]
    options: JackalOptions
    roster: tuple[Seat, ...]
    turn: int
    round: int
    plan: tuple[PlanSlot, ...]
    next: int
    tiles: tuple[int, ...]
    loads: tuple[tuple[int, int], ...]
    places: tuple[int, ...]
    moods: tuple[int, ...]
    owners: tuple[int, ...]
    ships: tuple[int, ...]
    boat: int = -1
    boat_owner: int = -1
    gold: tuple[int, ...] = (0, 0, 0, 0)
    bottles: tuple[int, ...] = (0, 0, 0, 0)
    destroyed: int = 0
    smoke: tuple[tuple[int, int], ...] = ()
    smoke_cycle: tuple[tuple[int, int], ...] = ()
    quiet: int = 0
    skipped: int = 0
    seen: tuple[int, ...] = ()
    ally_rum: tuple[AllyRum, ...] = ()
    pile: tuple[tuple[str, int], ...] = ()
    left: int = 0
    face_down: tuple[tuple[int, str], ...] = ()
    peeks: tuple[Peek, ...] = ()
    outcome: Outcome | None = None
    questions: tuple[Question, ...] = ()
