"""How the log's events are filled from a game: sheets, events and dice in, public fields and private parts out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import msgspec

from adjudicator.fairplay.events import AnyEvent, Origin, Plain, write_event
from adjudicator.fairplay.log import NO_HEAD, Event, Object, Opening, canon, link_text, seal
from engine.core.codec import from_plain, plain
from engine.core.contract import EVERYONE, MODERATOR, Options, Ruleset, Seat, Sheet, State
from engine.core.contract import Event as GameEvent
from engine.core.dice import MAIN, Throw

Parts: TypeAlias = dict[str, Plain]
"""Private parts of an event, by name, before they are sealed."""


# Entering -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Book:
    """A log as far as its next entry needs it: whose it is, the key of its private parts, its length and head."""

    campaign: str
    game_key: bytes
    seq: int = 0
    head: str = NO_HEAD


@dataclass(frozen=True, slots=True)
class Entry:
    """An event as entered: its line, its canonical text, the head after it, and the openings of its private parts."""

    line: Event
    text: str
    head: str
    openings: tuple[Opening, ...] = ()

    @property
    def seq(self) -> int:
        """The place of the event in its log."""
        return self.line.seq


def enter(
    book: Book, event: AnyEvent, private: Any = None, parts: Mapping[str, Any] | None = None
) -> tuple[Book, Entry]:
    """Return the log with one more event, and its entry.

    ``private`` is the hidden object of a type with one private part, ``parts`` those of a type with several; both are
    sealed here. Raises TypeError where the type has no such part, or has one and is given none.
    """
    seq = book.seq + 1
    fields: dict[str, Any] = {"seq": seq}
    openings: list[Opening] = []
    if private is not None:
        fields["private"], opening = seal(book.game_key, book.campaign, seq, plain(private))
        openings.append(opening)
    if parts:
        sealed = {
            name: seal(book.game_key, book.campaign, seq, plain(part), name) for name, part in sorted(parts.items())
        }
        fields["private"] = {name: committed for name, (committed, _) in sealed.items()}
        openings += [opening for _, opening in sealed.values()]
    _check_parts(event, single=private is not None, several=bool(parts))
    written = write_event(msgspec.structs.replace(event, **fields))
    text = canon(written)
    head = link_text(book.head, text)
    entry = Entry(Event(seq, written), text.decode(), head, tuple(openings))
    return Book(book.campaign, book.game_key, seq, head), entry


def _check_parts(event: AnyEvent, *, single: bool, several: bool) -> None:
    match getattr(event, "private", None):
        case "":
            fit = single and not several
        case dict():
            fit = not single
        case _:
            fit = not several and (not single or hasattr(event, "private"))
    if not fit:
        raise TypeError(f"private parts do not fit the event {event!r}")


# Options and orders ---------------------------------------------------------------------------------------------------


def options_object(options: Options) -> Plain:
    """Return every switch with its value, defaults too: a later program may have other defaults."""
    return {name: plain(getattr(options, name)) for name in options.__struct_fields__}


def switch_options(ruleset: Ruleset, state: State, changes: Object) -> State:
    """Return the state under options changed by a ruling. Raises msgspec.ValidationError for a switch there is not."""
    options = from_plain({**options_object(state.options), **changes}, ruleset.info.options)  # type: ignore[attr-defined]
    return msgspec.structs.replace(state, options=options)


def lock_parts(
    ruleset: Ruleset, state: State, sheets: Mapping[Seat, Sheet], origins: Mapping[Seat, Mapping[str, Origin]]
) -> Parts:
    """Return the private parts of a lock: each seat's `OrdersPart`, and each secret order as a part of its own.

    ``origins`` says of a seat's slots where their order came from; a slot it does not name was sent.
    """
    parts: Parts = {}
    for seat, sheet in sheets.items():
        ordinary = [order for order in sheet if order.secret is None]
        came_from = origins.get(seat, {})
        parts[seat] = {
            "orders": [plain(order) for order in ordinary],
            "from": [came_from.get(order.slot, "sent") for order in ordinary],
        }
        parts |= ruleset.seal(state, seat, sheet)
    return parts


def sheets_of(ruleset: Ruleset, state: State, seats: Sequence[Seat], parts: Mapping[str, Object]) -> dict[Seat, Sheet]:
    """Return the sheets that a lock's opened parts stand for, in roster order: the inverse of `lock_parts`.

    A seat's secret orders come after the others. A turn is resolved from these sheets and no others, so that whoever
    holds the log resolves the same.
    """
    sheets: dict[Seat, Sheet] = {}
    for seat in (*seats, MODERATOR):
        if seat in parts:
            sheets[seat] = tuple(from_plain(order, ruleset.info.order) for order in parts[seat]["orders"])
    for name in sorted(set(parts) - set(sheets)):
        seat, orders = ruleset.unseal(state, name, parts[name])
        sheets[seat] = sheets.get(seat, ()) + tuple(orders)
    return sheets


# Events and dice ------------------------------------------------------------------------------------------------------


def split_events(events: Sequence[GameEvent], seats: Sequence[Seat]) -> tuple[tuple[Plain, ...], Parts]:
    """Return the events for everybody, and by seat those it knows besides, each with its place among all.

    What no seat knows is the moderator's. Every seat has a part, for its absence would tell that the seat learnt
    nothing. Raises KeyError for an audience that is no seat.
    """
    public = tuple(plain(event) for event in events if event.audience == EVERYONE)
    known: dict[Seat, list[tuple[int, Plain]]] = {seat: [] for seat in (*seats, MODERATOR)}
    for place, event in enumerate(events):
        if event.audience != EVERYONE:
            for seat in event.audience or (MODERATOR,):
                known[seat].append((place, plain(event)))
    return public, {seat: {"events": told} for seat, told in known.items()}


def split_dice(throws: Iterable[Throw], sealed: Iterable[str]) -> tuple[tuple[Throw, ...], Parts]:
    """Return the dice of open streams, and those of each sealed stream as its part.

    ``sealed`` names the streams that have a locked batch and no published seed. Each has a part, thrown or not: its
    absence would tell that nothing was left to the lot.
    """
    parts: dict[str, list[Throw]] = {stream: [] for stream in sealed}
    shown: list[Throw] = []
    for throw in throws:
        parts.get(throw.stream, shown).append(throw)
    return tuple(shown), {stream: {"dice": thrown} for stream, thrown in parts.items()}


def split_result(
    events: Sequence[GameEvent], throws: Iterable[Throw], seats: Sequence[Seat], sealed: Iterable[str]
) -> tuple[tuple[Plain, ...], tuple[Throw, ...], Parts]:
    """Return the events and dice of a result that are for everybody, and its private parts.

    Dice of an event that not everybody may know stand in the parts of those who know it, beside what they are told:
    that they were thrown would tell of it.
    """
    public, parts = split_events(events, seats)
    shown, secrets = split_dice(throws, sealed)
    told: list[Throw] = []
    for throw, readers in read_by(events, shown):
        for seat in readers if readers != EVERYONE else ():
            parts[seat].setdefault("dice", []).append(throw)
        told += [throw] if readers == EVERYONE else []
    return public, tuple(told), {**parts, **secrets}


def read_by(events: Iterable[GameEvent], throws: Iterable[Throw]) -> Iterator[tuple[Throw, tuple[Seat, ...]]]:
    """Yield dice, each with who may know that it was thrown, beside the moderator: `EVERYONE`, or its event's readers.

    The dice of streams of their own are for `split_dice` to hide.
    """
    private = [event for event in events if event.audience != EVERYONE and event.dice]
    hidden = [(event.dice, event.audience or (MODERATOR,)) for event in private]
    for throw in throws:
        audiences = (audience for start, audience in hidden if throw.address.startswith(start))
        yield throw, next(audiences, EVERYONE) if throw.stream == MAIN else EVERYONE
