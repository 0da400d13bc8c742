"""The turn in hand: the position as it changes while it is resolved, and what has happened so far."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec

from engine.core.contract import Event, Seat
from engine.core.dice import Dice
from engine.core.geometry import RHUMBS, Cell, Rhumb
from engine.pirates.board import SEA, Board, board_of
from engine.pirates.rules.plot import Plot, Volley
from engine.pirates.state import GalleonEmpty, GoldRevealed, PiratesState, Ship, Side


class Turn:
    """A turn being played. It lives within one call of ``resolve`` or ``foresee`` and is never handed out.

    ``opening`` are the ships as the turn began, ``captured`` those that changed hands in it (P34), ``under_way`` those
    that left their cell, ``silent_shots`` the seats for which a ship left silent has fired (A8).
    """

    def __init__(self, state: PiratesState, plot: Plot, dice: Dice) -> None:
        self.state = state
        self.plot = plot
        self.dice = dice
        self.board: Board = board_of(state.options.board, state.board)
        self.options = state.options
        self.wind = state.wind
        self.ships: dict[int, Ship] = {ship.number: ship for ship in state.ships}
        self._in_priority = self._sorted()
        self.opening: Mapping[int, Ship] = dict(self.ships)
        self.gold = state.gold
        self.gold_open = state.gold_open
        self.gold_lost = False
        self.empty = state.empty
        self.events: list[Event] = []
        self.captured: set[int] = set()
        self.under_way: set[int] = set()
        self.silent_shots: set[Seat] = set()
        self.volleys_fired: list[Volley] = []

    def tell(self, event: Event) -> None:
        """Enter something that happened."""
        self.events.append(event)

    def change(self, number: int, **changes: Any) -> Ship:
        """Put a ship into a new condition and return it."""
        ship = msgspec.structs.replace(self.ships[number], **changes)
        self.ships[number] = ship
        if "fate" in changes or "side" in changes:
            self._in_priority = self._sorted()
        return ship

    def afloat(self, side: Side | None = None) -> list[Ship]:
        """Return the ships afloat, of one side or all, in order of priority: Spaniards first, then by number (1.4)."""
        ships = self.ships
        afloat = [ships[number] for number in self._in_priority]
        return [ship for ship in afloat if ship.side == side] if side else afloat

    def _sorted(self) -> list[int]:
        """Return the numbers of the ships afloat in order of priority."""
        return [ship.number for ship in sorted(self.ships.values(), key=priority) if ship.fate == "afloat"]

    def at_sea(self, ship: Ship) -> bool:
        """Say whether a ship is on the map and in no port (P30)."""
        return ship.cell is not None and self.board.is_sea(ship.cell)

    def harbour(self, ship: Ship) -> str:
        """Return the id of the port a ship lies in, or ""."""
        port = self.board.ports.get(ship.cell or "")
        return port.id if port else ""

    def occupants(self) -> dict[Cell, int]:
        """Return which ship, derelicts included, is in which sea cell (P8)."""
        kinds = self.board.kinds
        return {cell: ship.number for ship in self.ships.values() if (cell := ship.cell) and kinds[cell] == SEA}

    def spin(self, address: str) -> Rhumb:
        """Return the rhumb that a spin shows (P28, table of dice)."""
        return RHUMBS[self.dice.die(address, len(RHUMBS)) - 1]

    def is_prize(self, ship: Ship) -> bool:
        """Say whether a ship is the gold ship in the hands of those who did not build her (P35, P38)."""
        return ship.number == self.gold and ship.side != builder(ship)

    def reveal(self, reason: Literal["capture", "wreck", "port", "end"]) -> None:
        """Publish which ship carries the gold, if it is not yet known (P36)."""
        if self.gold and not self.gold_open:
            self.gold_open = True
            self.tell(GoldRevealed(rule="P36", ship=self.gold, reason=reason, about=(piece(self.gold),)))

    def show_empty(self, ship: Ship) -> None:
        """Publish that a galleon carries no gold, if that is news (P36)."""
        known = self.gold_open or not self.gold or ship.number in self.empty
        if ship.kind == "galleon" and not known:
            self.empty = (*self.empty, ship.number)
            self.tell(GalleonEmpty(rule="P36", ship=ship.number, about=(ship.piece,)))


def priority(ship: Ship) -> tuple[bool, int]:
    """Return the order in which ships spin and take contested cells: Spaniards, then pirates, by number (1.4).

    A prize stands among the pirates under its own number.
    """
    return ship.side != "spain", ship.number


def builder(ship: Ship) -> Side:
    """Return the side a class of ship belongs to from the first."""
    return "spain" if ship.kind == "galleon" else "pirates"


def piece(number: int) -> str:
    """Return the piece id of a ship."""
    return f"ship{number}"


def pieces(numbers: Iterable[int]) -> tuple[str, ...]:
    """Return the piece ids of several ships."""
    return tuple(map(piece, numbers))
