"""What a game of «Блокада» is made of: the ships, the position, and what one viewer knows of it."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from engine.blockade.options import BlockadeOptions
from engine.blockade.waters import CellName
from engine.core.contract import Outcome, Question, Seat, State, Value
from engine.core.geometry import Rhumb

Piece: TypeAlias = Literal["runner", "blockader"]
"""The two ships: R, Прорыватель, and B, Блокирующий."""
PIECES: Final[tuple[Piece, ...]] = ("runner", "blockader")
Gun: TypeAlias = Literal["chaser", "port", "starboard"]
Stage: TypeAlias = Literal["sides", "layout", "play"]
"""Turn 0, in which sides are chosen; turn 1, in which the winner of the toss lays out; then play."""

SEATS: Final[tuple[Seat, Seat]] = ("first", "second")


def other(piece: Piece) -> Piece:
    """Return the other ship."""
    return "blockader" if piece == "runner" else "runner"


class Ship(Value, frozen=True, kw_only=True):
    """A ship: where she lies, whereto she heads, what she has scored and how many moves she has made.

    ``disabled``: she was disabled and not rammed; her next step is one square straight ahead (B20).
    """

    piece: Piece
    seat: Seat
    cell: CellName
    heading: Rhumb
    points: int = 0
    moves: int = 0
    disabled: bool = False


class Policy(Value, frozen=True, kw_only=True):
    """What a seat sent with its last plan for the case that it is disabled; strict play alone keeps it (2.5)."""

    seat: Seat
    turn: str


class BlockadeState(State, frozen=True, kw_only=True):
    """A position of «Блокада» between mail turns.

    ``turn`` is the number of the open turn: 0 sides, 1 layout, from 2 on play. ``ships`` are Runner and Blockader, none
    before the sides are known. ``toss`` is the seat that won the toss and lays out islands and rocks. ``first`` is the
    ship that moves first; in strict play the one whose turn it is. ``policies`` is private to each seat.
    """

    options: BlockadeOptions
    roster: tuple[Seat, ...]
    turn: int = 0
    stage: Stage = "sides"
    ships: tuple[Ship, ...] = ()
    toss: Seat = ""
    islands: tuple[tuple[CellName, ...], ...] = ()
    rocks: tuple[CellName, ...] = ()
    first: Piece = "runner"
    policies: tuple[Policy, ...] = ()
    outcome: Outcome | None = None


class BlockadeView(Value, frozen=True, kw_only=True):
    """What one viewer knows: the whole position; of the policies only his own.

    ``piece`` is the viewer's ship, "" before the sides are known and for those who have none.
    """

    seat: Seat
    piece: Piece | Literal[""]
    options: BlockadeOptions
    roster: tuple[Seat, ...]
    turn: int
    stage: Stage
    ships: tuple[Ship, ...] = ()
    toss: Seat = ""
    islands: tuple[tuple[CellName, ...], ...] = ()
    rocks: tuple[CellName, ...] = ()
    first: Piece = "runner"
    policy: str = ""
    outcome: Outcome | None = None
    questions: tuple[Question, ...] = ()


def ship_of(position: BlockadeState | BlockadeView, piece: Piece) -> Ship:
    """Return a ship of a position. Raises LookupError before the sides are known."""
    for ship in position.ships:
        if ship.piece == piece:
            return ship
    raise LookupError(f"there is no {piece!r} yet in turn {position.turn}")


def piece_of(position: BlockadeState | BlockadeView, seat: Seat) -> Piece | Literal[""]:
    """Return the ship of a seat, "" if it has none."""
    return next((ship.piece for ship in position.ships if ship.seat == seat), "")
