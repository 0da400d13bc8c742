"""The log of a game in the database: events appended, parts sealed and opened, files for a reader (fair-play 7)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import Any, Final

import msgspec
from sqlmodel import col, select

from adjudicator.clock import iso
from adjudicator.fairplay import log, record
from adjudicator.fairplay.events import AnyEvent
from adjudicator.letters import Pin
from adjudicator.services import seeds
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, LogEntry, Opening
from engine.core.contract import Seat, Value


def at(instant: datetime) -> str:
    """Return an instant as events write it."""
    return iso(instant)


class LogDamaged(Exception):
    """An event of the log in the database is not the one that was hashed when it was written."""


def demand_sound(work: Work, game: Game, after: int) -> None:
    """Check the chain of the events after a sequence number. Raises `LogDamaged`, which names the first altered one."""
    before = pin_at(work, game, after)
    head = before.head if before else log.NO_HEAD
    for entry in entries(work, game, after, game.seq):
        head = log.link(head, json.loads(entry.event))
        if head != entry.head:
            raise LogDamaged(f"event {entry.seq} of {game.tag} was altered")
    if head != game.head:
        raise LogDamaged(f"the log of {game.tag} does not end as it was left")


class KeptPart(Value, frozen=True):
    """A private part as the database keeps it: with its nonce and its name in the event (None where it is alone)."""

    name: str | None
    object: dict[str, Any]
    salt: str
    audience: tuple[Seat, ...]


def append(
    work: Work,
    game: Game,
    event: AnyEvent,
    *,
    private: Any = None,
    parts: Mapping[str, Any] | None = None,
    audience: Mapping[str, tuple[Seat, ...]] | None = None,
) -> record.Entry:
    """Append an event to the log of a game and return its entry; the game's ``seq`` and ``head`` move with it.

    ``private`` is the hidden object of a type with one private part, ``parts`` those of a type with several, by name.
    ``audience`` says who may open a part at once; a part it does not name is open to the seat of that name. Raises
    `adjudicator.fairplay.log.NotCanonical` for values that have no canonical bytes.
    """
    hidden = private is not None or bool(parts)
    book = record.Book(game.campaign, seeds.game_key(work, game) if hidden else b"", game.seq, game.head)
    book, entry = record.enter(book, event, private, parts)
    readers = audience or {}
    kept = tuple(
        KeptPart(
            name=one.part,
            object=dict(one.object),
            salt=one.salt,
            audience=readers.get(one.part or log.ONE_PART, (one.part,) if one.part else ()),
        )
        for one in entry.openings
    )
    game.seq, game.head = book.seq, book.head
    work.session.add(game)
    work.write(
        LogEntry,
        game_id=game.id or 0,
        seq=book.seq,
        head=book.head,
        event=entry.text,
        parts=work.vault.seal_value(kept) if kept else None,
    )
    return entry


def commitment_of(entry: record.Entry) -> str:
    """Return the commitment of an event's single private part."""
    return str(entry.line.object["private"])


def open_part(work: Work, game: Game, entry_seq: int, part: str) -> None:
    """Open a private part to all, from the present end of the log on; opening it again changes nothing."""
    known = select(Opening).where(Opening.game_id == game.id, Opening.seq == entry_seq, Opening.part == part)
    if work.session.exec(known).first() is None:
        work.add(Opening(game_id=game.id or 0, seq=entry_seq, part=part, since=game.seq))


def keep_inside(work: Work, game: Game, texts: Sequence[str], readers: Sequence[Seat]) -> frozenset[tuple[int, str]]:
    """Let these readers open every part that holds one of some texts; return which parts these are, by number and name.

    They are those that nobody outside may ever read.
    """
    needles = [json.dumps(text, ensure_ascii=False)[1:-1] for text in texts]
    query = select(LogEntry).where(LogEntry.game_id == game.id, col(LogEntry.parts).is_not(None))
    found: set[tuple[int, str]] = set()
    for entry in work.session.exec(query.order_by(col(LogEntry.seq))) if needles else ():
        parts = kept_parts(work, entry)
        holding = [part for part in parts if _holds(part, needles)]
        if holding:
            wider = {part.name: (*part.audience, *readers) for part in holding}
            parts = tuple(msgspec.structs.replace(one, audience=wider.get(one.name, one.audience)) for one in parts)
            entry.parts = work.vault.seal_value(parts)
            work.session.add(entry)
            found |= {(entry.seq, part.name or log.ONE_PART) for part in holding}
    return frozenset(found)


def _holds(part: KeptPart, needles: Sequence[str]) -> bool:
    text = json.dumps(part.object, ensure_ascii=False)
    return any(needle in text for needle in needles)


def open_where(
    work: Work,
    game: Game,
    *,
    name: str | None = None,
    kind: str | None = None,
    turn: int | None = None,
    but: AbstractSet[tuple[int, str]] = frozenset(),
) -> None:
    """Open all parts of this name and of events of this kind and turn, but some; None matches everything."""
    query = select(LogEntry).where(LogEntry.game_id == game.id, col(LogEntry.parts).is_not(None))
    for entry in work.session.exec(query.order_by(col(LogEntry.seq))):
        event = json.loads(entry.event)
        if (kind and event["type"] != kind) or (turn is not None and event.get("turn") != turn):
            continue
        for part in kept_parts(work, entry):
            if (name is None or part.name == name) and (entry.seq, part.name or log.ONE_PART) not in but:
                open_part(work, game, entry.seq, part.name or log.ONE_PART)


def kept_parts(work: Work, entry: LogEntry) -> tuple[KeptPart, ...]:
    """Return the private parts of an entry."""
    if entry.parts is None:
        return ()
    parts: tuple[KeptPart, ...] = work.vault.open_value(entry.parts, tuple[KeptPart, ...])
    return parts


def withdraw(work: Work, game: Game, seat: Seat, kinds: Sequence[str], since: datetime, until: datetime | None) -> int:
    """Forget what a seat wrote between two instants in events of these kinds; the commitments stay, withdrawn.

    Returns how many parts are gone for good (play-by-mail 8).
    """
    query = select(LogEntry).where(LogEntry.game_id == game.id, col(LogEntry.parts).is_not(None))
    count = 0
    for entry in work.session.exec(query.order_by(col(LogEntry.seq))).all():
        event = json.loads(entry.event)
        if event["type"] not in kinds or not at(since) <= event["at"] <= (at(until) if until else event["at"]):
            continue
        parts = kept_parts(work, entry)
        left = tuple(part for part in parts if seat not in (part.object.get(key) for key in ("seat", "row", "from")))
        count += len(parts) - len(left)
        entry.parts = work.vault.seal_value(left) if left else None
        work.session.add(entry)
    return count


def parts_at(work: Work, game: Game, seq: int) -> tuple[KeptPart, ...]:
    """Return the private parts of the entry with this sequence number."""
    query = select(LogEntry).where(LogEntry.game_id == game.id, LogEntry.seq == seq)
    return kept_parts(work, work.session.exec(query).one())


def pin(game: Game) -> Pin:
    """Return the pin of the log as it stands."""
    return Pin(seq=game.seq, head=game.head)


def pin_at(work: Work, game: Game, seq: int) -> Pin | None:
    """Return the pin of an earlier event, None for 0."""
    return work.once(("pin", game.id, seq), lambda: _pin_at(work, game, seq)) if seq else None


def _pin_at(work: Work, game: Game, seq: int) -> Pin | None:
    query = select(LogEntry.head).where(LogEntry.game_id == game.id, LogEntry.seq == seq)
    head = work.session.exec(query).first()
    return Pin(seq=seq, head=head) if head else None


def entries(work: Work, game: Game, after: int, to: int) -> Sequence[LogEntry]:
    """Return the entries after one sequence number up to another."""
    query = select(LogEntry).where(LogEntry.game_id == game.id, LogEntry.seq > after, LogEntry.seq <= to)
    return work.session.exec(query.order_by(col(LogEntry.seq))).all()


def file_for(work: Work, game: Game, reader: Seat | None, after: int, to: int) -> bytes:
    """Return a log file: events after one sequence number up to another, and the openings now due to this reader.

    ``reader`` None gives what everybody may open. The bytes depend on nothing but the arguments and the log. Of what
    lies before them only entries are read that have been opened since: a long game's letters cost no more than a short
    one's.
    """
    lately = select(Opening).where(Opening.game_id == game.id, Opening.since > after, Opening.since <= to)
    opened = {(opening.seq, opening.part) for opening in work.session.exec(lately)}
    earlier = sorted({seq for seq, _ in opened if seq <= after})
    found = entries(work, game, after, to)
    openings: list[log.Opening] = []
    for entry in (*_these(work, game, earlier), *found):
        if entry.parts is None:
            continue
        for part in kept_parts(work, entry):
            own = reader is not None and reader in part.audience and entry.seq > after
            if own or (entry.seq, part.name or log.ONE_PART) in opened:
                openings.append(log.Opening(entry.seq, part.salt, part.object, part.name))
    last = pin_at(work, game, to)
    head = last.head if last is not None else log.NO_HEAD
    events = [json.loads(entry.event) for entry in found]
    return log.write_log(events, openings, log.Pin(to, head, game.campaign))


def _these(work: Work, game: Game, numbers: Sequence[int]) -> Iterator[LogEntry]:
    """Yield the entries with these numbers, which rise."""
    for start in range(0, len(numbers), _AT_ONCE):
        some = numbers[start : start + _AT_ONCE]
        query = select(LogEntry).where(LogEntry.game_id == game.id, col(LogEntry.seq).in_(some))
        yield from work.session.exec(query.order_by(col(LogEntry.seq)))


_AT_ONCE: Final = 500
"""Numbers in one question to the database."""
