"""A turn being played: the state so far, what has happened, dice, answers and everybody's sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from msgspec.structs import replace

from engine.core.contract import EVERYONE, MODERATOR, Answers, Event, Order, Question, Seat, Sheet
from engine.core.dice import Dice
from engine.set_sail.effects import changes
from engine.set_sail.events import EffectApplied
from engine.set_sail.state import Decision, Pirate, Player, Roll, SetSailState, Talk
from engine.set_sail.view import audience_of, pirate_of, roll_of

T = TypeVar("T", bound=Order)


class Play:
    """The working copy of one turn. Values are frozen: a rule puts a new one in the place of the old."""

    def __init__(self, state: SetSailState, sheets: Mapping[Seat, Sheet], dice: Dice, answers: Answers) -> None:
        self.state = state
        self.sheets = sheets
        self.dice = dice
        self.answers = answers
        self.events: list[Event] = []
        self.fates: dict[Seat, int] = {}
        self.set_off: list[str] = []
        self.follow_up: Callable[[Play], None] = lambda _: None
        self._depth = 0
        self._sorted: dict[tuple[Seat, type], dict[str, Any]] = {}

    # Sheets of orders

    def orders(self, seat: Seat, kind: type[T]) -> tuple[T, ...]:
        """Return a seat's orders of a class, in the order of its lines."""
        return tuple(self._by_slot(seat, kind).values())

    def order(self, seat: Seat, kind: type[T], slot: str = "") -> T | None:
        """Return a seat's order of a class for a slot, or its only one."""
        found = self._by_slot(seat, kind)
        return found.get(slot) if slot else next(iter(found.values()), None)

    def _by_slot(self, seat: Seat, kind: type[T]) -> dict[str, T]:
        """Return a seat's orders of a class by their slots; no two of a sheet share one."""
        key = (seat, kind)
        if key not in self._sorted:
            self._sorted[key] = {order.slot: order for order in self.sheets.get(seat, ()) if isinstance(order, kind)}
        return self._sorted[key]

    def captains(self, kind: type[T]) -> T | None:
        """Return the captain's standing word of a class; a dead captain's stands no more (A30, A36)."""
        captain = self.state.captain
        return self.order(captain, kind) if captain and self.has_pirate(captain) else None

    # Changing the state

    def set(self, **fields: Any) -> None:
        """Put new values into fields of the state."""
        self.state = replace(self.state, **fields)

    def pirate(self, seat: Seat) -> Pirate:
        """Return the pirate of a seat. Raises LookupError."""
        return pirate_of(self.state, seat)

    def has_pirate(self, seat: Seat) -> bool:
        """Say whether a seat has a pirate who is alive."""
        return any(one.seat == seat and one.status != "dead" for one in self.state.pirates)

    def put_pirate(self, seat: Seat, **fields: Any) -> Pirate:
        """Put new values into a pirate's sheet, and return it."""
        new = replace(self.pirate(seat), **fields)
        self.set(pirates=tuple(new if one.seat == seat else one for one in self.state.pirates))
        return new

    def put_ship(self, **fields: Any) -> None:
        """Put new values into the ship's sheet."""
        self.set(ship=replace(self.state.ship, **fields))

    def player(self, seat: Seat) -> Player:
        """Return what stays with a player."""
        return next((one for one in self.state.players if one.seat == seat), Player(seat=seat))

    def put_player(self, player: Player) -> None:
        """Put what stays with a player, in roster order."""
        others = {one.seat: one for one in self.state.players} | {player.seat: player}
        self.set(players=tuple(others[seat] for seat in self.state.roster if seat in others))

    def roll(self, key: str) -> Roll | None:
        """Return a pending roll."""
        return roll_of(self.state, key)

    def put_roll(self, roll: Roll) -> None:
        """Put a roll in the place of the one with its key, or behind the others; an applied one is done with."""
        keys = [one.key for one in self.state.rolls]
        place = keys.index(roll.key) if roll.key in keys else len(keys)
        put = () if roll.step == "applied" else (roll,)
        self.set(rolls=(*self.state.rolls[:place], *put, *self.state.rolls[place + 1 :]))

    def put_talk(self, talk: Talk) -> None:
        """Put a talk in the place of the one with its number."""
        self.set(talks=tuple(talk if one.number == talk.number else one for one in self.state.talks))

    def decide(self, decision: Decision) -> None:
        """Add a decision that somebody owes."""
        self.set(decisions=(*self.state.decisions, decision))

    def next_key(self, roll: Roll | None, what: str, seat: Seat) -> str:
        """Return a key for a decision, ``anna/o3/damage/0``, that none pending has."""
        base = f"{roll.key}/{what}" if roll is not None else f"{seat}/c/{what}"
        taken = {one.key for one in self.state.decisions}
        number = 0
        while f"{base}/{number}" in taken:
            number += 1
        return f"{base}/{number}"

    # Telling

    def tell(self, event: Event) -> None:
        """Add an event."""
        self.events.append(event)

    def of_roll(self, roll: Roll | None) -> tuple[Seat, ...]:
        """Return who may know of a roll."""
        return audience_of(roll)

    @property
    def crew(self) -> tuple[Seat, ...]:
        """Who knows what the crew knows."""
        return self.state.roster or EVERYONE

    @contextmanager
    def logged(self, effect: str, roll: str = "") -> Iterator[None]:
        """Log what an effect changed, so that it can be undone; for the moderator alone, for it holds everything.

        What follows from it at once (``follow_up``: a move it set off) belongs to it; an effect within another is
        logged without changes, for they are the other's.
        """
        before = self.state
        self._depth += 1
        yield
        self.follow_up(self)
        self._depth -= 1
        made = changes(before, self.state)
        if made:
            made = made if self._depth == 0 else ()
            self.tell(EffectApplied(rule="P49", audience=(MODERATOR,), effect=effect, roll=roll, changes=made))

    # Asking

    def ask(self, *questions: Question) -> tuple[str, ...]:
        """Return the answers to questions asked together; raises AwaitingAnswer."""
        return self.answers.take(*questions)
