"""A turn resolved again with the orders that should have counted, and the later turns after it (play-by-mail 6).

Nothing is entered here: what was locked and what is corrected come in, the new results come out, or the turn at which
it cannot go on. Every die stays where it was thrown (fair-play C).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import msgspec

from adjudicator.fairplay import record
from adjudicator.fairplay.log import Object
from adjudicator.services import sheets, turns
from adjudicator.services.resolving import Locked
from engine.core import codec
from engine.core.contract import MODERATOR, Language, Order, Resolution, Ruleset, Seat, Sheet, State, Value
from engine.core.dice import Throw

Why: TypeAlias = Literal["dice", "illegal", "owes", "asks", "ends", "raises"]


@dataclass(frozen=True, slots=True)
class Played:
    """A turn that is locked, and resolved where ``throws`` are the dice it threw; ``parts`` is what its lock froze.

    A turn that was resolved again has thrown what any of its revisions threw.
    """

    locked: Locked
    parts: Mapping[str, Object]
    throws: tuple[Throw, ...] | None

    @property
    def number(self) -> int:
        """The number of the turn."""
        return self.locked.turn.number


@dataclass(frozen=True, slots=True)
class Again:
    """A turn resolved again: what it was resolved from, and what came of it; ``before`` is what had come of it."""

    played: Played
    locked: Locked
    resolution: Resolution


class Stop(Value, frozen=True):
    """The turn at which a correction cannot go on, and why.

    ``dice``: a die would be thrown that was not thrown before, on somebody's word alone; ``illegal``: an order given
    then is none any more; ``owes``: a seat owes what it was never asked; ``asks``: the rules stop at a question;
    ``ends``: the game would be over; ``raises``: the rules stumble.
    """

    turn: int
    why: Why
    facts: dict[str, Any] = msgspec.field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Correction:
    """The turns resolved again, in order, and the position they lead to; with ``stop`` none of it is to be had."""

    again: tuple[Again, ...]
    state: State
    stop: Stop | None = None


def correct(
    ruleset: Ruleset,
    seats: Sequence[Seat],
    played: Sequence[Played],
    parts: Mapping[str, Object],
    *,
    rests_on_word: bool,
    language: Language,
) -> Correction:
    """Resolve the first of these turns again with ``parts`` as what its lock froze, then the others with their own.

    The last of them may be locked and not resolved: its orders are held against the new position, no more. With
    ``rests_on_word`` no die is thrown that was not thrown before.
    """
    done: list[Again] = []
    state = played[0].locked.state
    for place, one in enumerate(played):
        stop = _unfit(ruleset, seats, one, state, language) if place else None
        if stop is not None or one.throws is None:
            return Correction(tuple(done), state, stop)
        found = _again(ruleset, seats, one, state, one.parts if place else parts)
        stop = found if isinstance(found, Stop) else _new_dice(one, found) if rests_on_word else None
        if isinstance(found, Stop) or stop is not None:
            return Correction(tuple(done), state, stop)
        done.append(found)
        state = found.resolution.state
        if ruleset.outcome(state) is not None:
            return Correction(tuple(done), state, Stop(turn=one.number, why="ends"))
    return Correction(tuple(done), state)


def _again(
    ruleset: Ruleset, seats: Sequence[Seat], one: Played, state: State, parts: Mapping[str, Object]
) -> Again | Stop:
    try:
        laid = record.sheets_of(ruleset, state, seats, parts)
        locked = msgspec.structs.replace(one.locked, state=state, sheets=laid)
        came = locked.resolve()
    except Exception as trouble:  # noqa: BLE001 - whatever the rules raise on it, such a correction is not to be had
        return Stop(turn=one.number, why="raises", facts={"cause": f"{type(trouble).__name__}: {trouble}"[:500]})
    if not isinstance(came, Resolution):
        return Stop(turn=one.number, why="asks")
    return Again(one, locked, came)


def _new_dice(one: Played, again: Again) -> Stop | None:
    """Refuse dice that were not thrown before: whoever knows the batch would choose them (fair-play C, T6)."""
    known = {throw[:3] for throw in one.throws or ()}
    fresh = [throw.address for throw in again.locked.dice.throws if throw[:3] not in known]
    return Stop(turn=one.number, why="dice", facts={"addresses": fresh}) if fresh else None


# Later turns ----------------------------------------------------------------------------------------------------------


def _unfit(ruleset: Ruleset, seats: Sequence[Seat], one: Played, state: State, language: Language) -> Stop | None:
    """Return why the orders of a later turn do not fit the position it would now open with, None if they do."""
    for seat in (*seats, MODERATOR):
        before, view = ruleset.view(one.locked.state, seat), ruleset.view(state, seat)
        if codec.encode(before) == codec.encode(view):
            continue
        said = list(_said(ruleset, one, seat))
        kept: Sheet = ()
        for order in said:
            line = ruleset.write(order, language, before)
            if not sheets.reads_again(ruleset, line, view, kept, order, language):
                return Stop(turn=one.number, why="illegal", facts={"seat": seat, "line": line})
            kept = (*kept, order)
        if one.locked.turn.phase != turns.AT_ONCE and not _as_silent(ruleset, one, seat, view, kept):
            return Stop(turn=one.number, why="owes", facts={"seat": seat})
    return None


def _said(ruleset: Ruleset, one: Played, seat: Seat, *, silent: bool = False) -> Iterator[Order]:
    """Yield the orders of a seat as locked: what was said for it, its secrets too, or what silence filled in.

    A secret that silence filled in counts as said: the lock does not tell.
    """
    part = one.parts.get(seat, {"orders": (), "from": ()})
    for order, origin in zip(part["orders"], part["from"], strict=True):
        if (origin == "silent") == silent:
            yield codec.from_plain(order, ruleset.info.order)
    if not silent:
        yield from (order for order in one.locked.sheets.get(seat, ()) if order.secret is not None)


def _as_silent(ruleset: Ruleset, one: Played, seat: Seat, view: Any, kept: Sheet) -> bool:
    """Say whether silence would fill the same slots in the same way as it did."""
    if seat == MODERATOR and not any(slot.seat == MODERATOR for slot in ruleset.owed(view)):
        return seat not in one.parts
    filled = [order for order in ruleset.silent(view, kept) if order.secret is None]
    return filled == list(_said(ruleset, one, seat, silent=True))
