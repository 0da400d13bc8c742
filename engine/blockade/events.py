"""The events of «Блокада»: what happened, by which rule; squares, ships and steps are named as in orders."""

from __future__ import annotations

from typing import Literal, TypeAlias

from engine.blockade.state import Gun, Piece
from engine.blockade.waters import CellName, Relative
from engine.core.contract import Event, Seat
from engine.core.geometry import Rhumb


class GameBegan(Event, frozen=True, kw_only=True):
    """The board is empty, both seats are to say what they would like (B4)."""


class SidesSettled(Event, frozen=True, kw_only=True):
    """Who runs and who blockades; ``by_lot`` where the wishes were equal (B4)."""

    runner: Seat
    blockader: Seat
    by_lot: bool


class ShipPlaced(Event, frozen=True, kw_only=True):
    """A ship lies on the square where she begins (B2, B3)."""

    piece: Piece
    seat: Seat
    cell: CellName
    heading: Rhumb


class Tossed(Event, frozen=True, kw_only=True):
    """The toss: who lays out islands and rocks, and which ship, the loser's, moves first (B4)."""

    winner: Seat
    first: Piece


class LaidOut(Event, frozen=True, kw_only=True):
    """Islands and rocks lie on the board (B5); ``drawn``: by the dice, at the ``attempt``-th time."""

    seat: Seat
    islands: tuple[tuple[CellName, ...], ...]
    rocks: tuple[CellName, ...]
    drawn: bool
    attempt: int = 0


class TurnBegan(Event, frozen=True, kw_only=True):
    """A mail turn of play: its number, and which ship moves first, in strict play alone (B6)."""

    turn: int
    first: Piece
    alone: bool = False


class Stepped(Event, frozen=True, kw_only=True):
    """A ship made a step: her course changed by ``relative``, then one square on the new heading (B6).

    ``forced``: the square of a ship that was disabled (B20). ``dash``: the number of the square within a dash, 0 for a
    move (B19). ``impulse`` counts the steps of the mail turn from 1.
    """

    piece: Piece
    impulse: int
    start: CellName
    cell: CellName
    heading: Rhumb
    relative: Relative
    forced: bool = False
    dash: int = 0


class StepChanged(Event, frozen=True, kw_only=True):
    """The step a seat had planned could not be made, and another was taken; its author's alone to know (2.5.4).

    ``why``: ``edge``, ``land``, ``harbour``; ``disabled`` where the forced square took its place (B20).
    """

    piece: Piece
    impulse: int
    planned: Relative
    taken: Relative
    why: Literal["edge", "land", "harbour", "disabled"]
    dash: int = 0


class GunsBear(Event, frozen=True, kw_only=True):
    """These guns would bear from here: foresight alone, where no die is thrown (B12–B16)."""

    piece: Piece
    impulse: int
    guns: tuple[Gun, ...]
    distance: int


class Fired(Event, frozen=True, kw_only=True):
    """A gun fired: its die (B15, B17). ``result``: ``D4 H2 H1 M``; ``points`` what it scored."""

    piece: Piece
    target: Piece
    impulse: int
    gun: Gun
    face: int
    result: Literal["D4", "H2", "H1", "M"]
    points: int
    distance: int


class FireHeld(Event, frozen=True, kw_only=True):
    """Guns bore, and the ship held her fire (B15)."""

    piece: Piece
    impulse: int
    guns: tuple[Gun, ...]


class Disabled(Event, frozen=True, kw_only=True):
    """A ship was disabled and stops (B18); ``times`` 2 where two shots of one turn did it (B21)."""

    piece: Piece
    by: Piece
    cell: CellName
    times: int = 1


class BowTurned(Event, frozen=True, kw_only=True):
    """A disabled ship changed her course once, or kept it: ``relative`` is ``=`` then (B18, D6)."""

    piece: Piece
    cell: CellName
    relative: Relative
    heading: Rhumb


class DashBegan(Event, frozen=True, kw_only=True):
    """The firer begins the six squares of a dash (B19)."""

    piece: Piece
    target: Piece
    cell: CellName


class DashEnded(Event, frozen=True, kw_only=True):
    """A dash is over and nobody was rammed: the rest of the mail turn is void (2.5.6).

    ``void`` are the steps that the first and the second ship had left. ``first`` moves first now.
    """

    piece: Piece
    cell: CellName
    heading: Rhumb
    squares: int
    first: Piece
    void: tuple[int, int] = (0, 0)


class Rammed(Event, frozen=True, kw_only=True):
    """A ship moved into the enemy's square (B22). ``head_on``: Runner struck the Blockader's bow, and is lost."""

    piece: Piece
    target: Piece
    cell: CellName
    head_on: bool = False


class RanAground(Event, frozen=True, kw_only=True):
    """A ship had no square to go to and was driven ashore (B9, B20)."""

    piece: Piece
    cell: CellName
    heading: Rhumb
    forced: bool = False


class ForcedHome(Event, frozen=True, kw_only=True):
    """The Runner was forced back into the harbour (B11)."""

    piece: Piece
    cell: CellName


class Escaped(Event, frozen=True, kw_only=True):
    """The Runner reached the open sea (B10)."""

    piece: Piece
    cell: CellName


class DecisionAwaited(Event, frozen=True, kw_only=True):
    """A seat's decision is awaited in mid-turn; strict play alone (2.5)."""

    seat: Seat
    piece: Piece
    what: Literal["turn", "dash"]


class GameEnded(Event, frozen=True, kw_only=True):
    """The game is over: how, which ship has won, and the points of both.

    ``reason``: ``escape harbour ram head-on ashore points tie``.
    """

    reason: str
    winner: Piece
    points: tuple[int, int]


BlockadeEvent: TypeAlias = (
    GameBegan
    | SidesSettled
    | ShipPlaced
    | Tossed
    | LaidOut
    | TurnBegan
    | Stepped
    | StepChanged
    | GunsBear
    | Fired
    | FireHeld
    | Disabled
    | BowTurned
    | DashBegan
    | DashEnded
    | Rammed
    | RanAground
    | ForcedHome
    | Escaped
    | DecisionAwaited
    | GameEnded
)
