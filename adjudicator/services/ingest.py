"""Mail into the database: raw bytes and arrival first, then the cursor, in one transaction (play-by-mail 1.3)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, update
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlmodel import col, select

from adjudicator import failpoint
from adjudicator.clock import iso
from adjudicator.services import outages, quarantine, turns
from adjudicator.services.work import House, Work
from adjudicator.storage.tables import Mail, Mailbox
from mail.message import content_hash
from mail.source import Arrived, Cursor, MailboxRefused, MailboxUnreachable, Source
from mail.text import one_line

log = logging.getLogger("adjudicator")

BATCH = 50
BATCH_BYTES = 8 << 20
DETAIL = 300
"""Characters of a server's own words that are passed on."""
TIDY = 200
RELIST = timedelta(days=2)
"""How far before the last good poll a folder is listed again when its UIDs have become void."""
LARGEST = 2**31 - 1
"""The largest size that is noted: some servers announce nonsense, and a column has its limit."""
UNFETCHABLE = "unfetchable"
HOPE = timedelta(days=7)
"""How long a mail that was set aside because the server would not give it is asked for still, ever more rarely."""


def mailbox_name(source: str, folder: str) -> str:
    """Return the name under which a folder of a source is kept."""
    return f"{source}/{folder}"


def mailboxes(sources: Sequence[Source]) -> tuple[str, ...]:
    """Return the names of all folders that must have been read before a turn locks."""
    return tuple(mailbox_name(source.name, folder) for source in sources for folder in source.folders)


class Moves(NamedTuple):
    """Where mails are moved to once they are stored, and those that were set aside; "" leaves them where they are."""

    processed: str = ""
    quarantine: str = ""


STAY = Moves()


def poll(house: House, source: Source, moves: Moves = STAY) -> int:
    """Read what is new in every folder of a source and return how many mails were stored.

    A folder that cannot be read raises `MailboxUnreachable` or `MailboxRefused` after its trouble has been noted.
    """
    stored = 0
    for folder in source.folders:
        try:
            stored += _poll_folder(house, source, folder, moves)
        except (MailboxUnreachable, MailboxRefused) as trouble:
            with house.unit("poll-trouble") as work:
                _note_trouble(work, _box(work, mailbox_name(source.name, folder)), trouble)
            raise
    return stored


def _note_trouble(work: Work, box: Mailbox, trouble: MailboxUnreachable | MailboxRefused) -> None:
    """Note why a folder cannot be read, and tell operators once: at once if only a person can mend it.

    Otherwise they hear of it when deadlines begin to move (play-by-mail 1.3).
    """
    box.trouble = trouble.code
    work.session.add(box)
    cause = f"{box.id}/{iso(box.good) if box.good is not None else 'never'}"
    facts = {"source": box.name, "why": trouble.code}
    if isinstance(trouble, MailboxRefused):
        facts["detail"] = one_line(trouble.detail)[:DETAIL]
        turns.tell_operators(work, "mailbox-refused", cause, facts)
    if box.good is not None and work.now - box.good > timedelta(seconds=work.config.times.outage_guard):
        turns.tell_operators(work, "outage-operator", cause, {**facts, "since": iso(box.good)})


def lease(house: House, source: Source, owner: str) -> bool:
    """Take or renew the lease of a source's folders, so that one poller reads them; False while somebody else has it.

    An SQLite file is served by one process alone, which needs none.
    """
    if house.store.is_sqlite:
        return True
    with house.unit("lease") as work:
        until = work.now + timedelta(seconds=work.config.times.lease)
        boxes = [_box(work, mailbox_name(source.name, folder)) for folder in source.folders]
        if any(box.owner not in ("", owner) and box.lease is not None and box.lease > work.now for box in boxes):
            return False
        for box in boxes:
            box.owner, box.lease = owner, until
            work.session.add(box)
    return True


def _box(work: Work, name: str) -> Mailbox:
    box = work.session.exec(select(Mailbox).where(Mailbox.name == name)).first()
    return box or work.add(Mailbox(name=name))


class Gap(NamedTuple):
    """The time since a folder was last read with success, and the beginning of the poll that ends it."""

    good: datetime | None
    began: datetime


def _poll_folder(house: House, source: Source, folder: str, moves: Moves) -> int:
    name = mailbox_name(source.name, folder)
    began = house.clock.now()
    with house.look() as work:
        box = work.session.exec(select(Mailbox).where(Mailbox.name == name)).first() or Mailbox(name=name)
    _fetch_again(house, source, folder, box)
    since = (box.good - RELIST).date() if box.good else None
    cursor = Cursor(uidvalidity=box.uidvalidity, uid=box.uid, since=since)
    gap = Gap(box.good if box.good is None or box.good <= began else None, began)  # the clock may have gone back
    batch: list[Arrived] = []
    stored = 0
    try:
        for arrived in source.poll(folder, cursor, _known(house, source, name)):
            batch.append(arrived)
            if len(batch) >= BATCH or sum(one.size for one in batch) >= BATCH_BYTES:
                stored += _store(house, name, batch, gap)
                batch = []
    except (MailboxUnreachable, MailboxRefused):
        _store(house, name, batch, gap)  # what came before the trouble is read, and the next poll begins behind it
        raise
    stored += _store(house, name, batch, gap)
    _tidy(house, source, folder, name, moves)
    position = source.position(folder)
    with house.unit("polled") as work:
        box = _box(work, name)
        if position is not None:
            box.uidvalidity, box.uid = position.uidvalidity, max(position.uid, 0)
        _outage(work, gap)
        box.good, box.trouble = began, ""
        work.session.add(box)
    return stored


def _fetch_again(house: House, source: Source, folder: str, box: Mailbox) -> None:
    """Ask once more for mails that the server lists and would not give; after three polls they are set aside.

    Until then they have no verdict, and a turn whose deadline they arrived by waits for them (play-by-mail 1.3).
    """
    with house.look() as work:
        waiting = [(row.uidvalidity, row.uid) for row in _bodiless(work, box.name)]
    if not waiting:
        return
    uids = [uid for uidvalidity, uid in waiting if uidvalidity == box.uidvalidity]
    found = {arrived.uid: arrived for arrived in source.again(folder, box.uidvalidity, uids)}
    with house.unit("again") as work:
        for row in _bodiless(work, box.name):
            arrived = found.get(row.uid) if row.uidvalidity == box.uidvalidity else None
            if arrived is not None and arrived.raw is not None:
                _complete(work, row, arrived, arrived.raw)
            else:
                row.attempts += 1
                if row.verdict == "new" and row.attempts >= quarantine.ATTEMPTS:
                    quarantine.shunt(work, row)
            work.session.add(row)


def _bodiless(work: Work, name: str) -> list[Mail]:
    """Return the mails whose bytes the server has not given yet and that are to be asked for now.

    One that was set aside is asked for after ever longer spans: a provider's bad hour costs nobody his letter.
    """
    query = select(Mail).where(
        Mail.mailbox == name,
        Mail.why == UNFETCHABLE,
        col(Mail.verdict).in_(("new", "quarantined")),
        col(Mail.raw).is_(None),
        col(Mail.seen) > work.now - HOPE,
    )
    rows = work.session.exec(query.order_by(col(Mail.id))).all()
    return [row for row in rows if row.verdict == "new" or work.now - row.seen > timedelta(minutes=2**row.attempts)]


def _complete(work: Work, row: Mail, arrived: Arrived, raw: bytes) -> None:
    """Add what the server has given at last: the mail is read, and counts from its arrival."""
    row.raw, row.size, row.why, row.verdict, row.attempts = work.vault.seal(raw), arrived.size, "", "new", 0
    row.sha256, row.content = sha256(raw).hexdigest(), content_hash(raw)
    if arrived.arrival is not None and row.arrival == row.seen:  # the server would not even tell when it came
        row.arrival = row.counts = min(arrived.arrival, row.seen)


def _known(house: House, source: Source, name: str) -> frozenset[int]:
    """Return the UIDs that are stored already, for a source whose UIDs do not count up: no cursor can say it."""
    if source.counts_up:
        return frozenset()
    with house.look() as work:
        return frozenset(work.session.exec(select(Mail.uid).where(Mail.mailbox == name)))


def _store(house: House, name: str, batch: Sequence[Arrived], gap: Gap) -> int:
    """Store mails and move the cursor behind them; a mail that is there already changes nothing.

    If they cannot be stored together each is stored alone, and one that cannot is kept as bare bytes, set aside.
    """
    if not batch:
        return 0
    try:
        return _store_together(house, name, batch, gap, _mail)
    except (OperationalError, InterfaceError):
        raise  # the database is at fault, not a mail
    except Exception:  # one of them makes trouble; which one shows when each is stored alone
        log.exception("storing %d mails of %s failed", len(batch), name)
    return sum(_store_alone(house, name, arrived, gap) for arrived in batch)


def _store_alone(house: House, name: str, arrived: Arrived, gap: Gap) -> int:
    try:
        return _store_together(house, name, (arrived,), gap, _mail)
    except (OperationalError, InterfaceError):
        raise
    except Exception:  # whatever it is, the mails behind it must be read
        log.exception("mail %d of %s is set aside", arrived.uid, name)
        return _store_together(house, name, (arrived,), gap, _bare)


def _store_together(house: House, name: str, batch: Sequence[Arrived], gap: Gap, make: _Row) -> int:
    fresh = 0
    with house.unit("ingest") as work:
        _outage(work, gap)  # before any mail is seen: none may be judged by a deadline that has to move
        box = _box(work, name)
        rows = {row["uid"]: row for row in (make(work, name, arrived, gap.good) for arrived in batch)}
        known = select(Mail.uid).where(
            Mail.mailbox == name, Mail.uidvalidity == batch[0].uidvalidity, col(Mail.uid).in_(list(rows))
        )
        seen = set(work.session.exec(known))
        for uid, row in rows.items():
            if uid not in seen:
                fresh += 1
                if row["verdict"] == "quarantined":
                    quarantine.tell(work, work.add(Mail(**row)))
                else:
                    work.write(Mail, **row)
        box.uidvalidity, box.uid = batch[-1].uidvalidity, max(one.uid for one in batch)
        work.session.add(box)
    return fresh


_Row: TypeAlias = Callable[[Work, str, Arrived, datetime | None], dict[str, Any]]


def _mail(work: Work, name: str, arrived: Arrived, good: datetime | None) -> dict[str, Any]:
    """Return the row of a mail, by column.

    One whose arrival lies well before a good poll that did not show it counts from when it was first seen
    (play-by-mail 1.3, *doubtful*).
    """
    raw = arrived.raw
    arrival = arrived.arrival or work.now
    doubtful = good is not None and arrival < good - timedelta(seconds=work.config.times.doubt)
    marks = f"{name}/{arrived.uidvalidity}/{arrived.uid}".encode() if raw is None else raw
    content = content_hash(raw) if raw is not None else sha256(marks).hexdigest()
    return {
        "mailbox": name,
        "uidvalidity": arrived.uidvalidity,
        "uid": arrived.uid if arrived.uidvalidity else _number(content),
        "arrival": arrival,
        "counts": work.now if doubtful else arrival,
        "seen": work.now,
        "size": min(arrived.size, LARGEST),
        "raw": None if raw is None else work.vault.seal(raw),
        "sha256": sha256(marks).hexdigest(),
        "content": content,
        "verdict": "new" if raw is not None or arrived.why == UNFETCHABLE else "quarantined",
        "why": arrived.why or ("doubtful" if doubtful else ""),
    }


def _number(content: str) -> int:
    """Return what stands for the UID where a server promises nothing about UIDs (UIDVALIDITY 0): the letter itself."""
    return int(content[:16], 16) >> 1


def _bare(work: Work, name: str, arrived: Arrived, _good: datetime | None) -> dict[str, Any]:
    """Return the row of a mail that cannot be stored as others are: its bytes, and that it is set aside."""
    raw = arrived.raw or b""
    digest = sha256(raw or f"{name}/{arrived.uidvalidity}/{arrived.uid}".encode()).hexdigest()
    arrival = arrived.arrival or work.now
    known = {"mailbox": name, "uidvalidity": arrived.uidvalidity, "arrival": arrival, "counts": arrival}
    known |= {"uid": arrived.uid if arrived.uidvalidity else _number(digest), "seen": work.now, "size": len(raw)}
    known |= {"raw": work.vault.seal(raw) if raw else None, "sha256": digest, "content": digest}
    return {**known, "verdict": "quarantined", "why": "unstorable"}


class _Stored(NamedTuple):
    """A stored mail as far as tidying needs it."""

    id: int | None
    uidvalidity: int
    uid: int


def _tidy(house: House, source: Source, folder: str, name: str, moves: Moves) -> None:
    """Move stored mails away, if the operator wants it; those too that an earlier poll did not come to move.

    Where mails that were set aside have a folder of their own, the others wait for their verdict before they are moved.
    """
    aside = col(Mail.verdict) == "quarantined"
    if moves.quarantine and moves.quarantine != folder:
        _tidy_away(house, source, folder, name, moves.quarantine, aside)
    if moves.processed and moves.processed != folder:
        read = ~aside & (col(Mail.verdict) != "new") if moves.quarantine else col(Mail.raw).is_not(None)
        _tidy_away(house, source, folder, name, moves.processed, read)


def _tidy_away(house: House, source: Source, folder: str, name: str, target: str, which: ColumnElement[bool]) -> None:
    """Move the mails a condition names.

    Each is tried once: what the server refuses to move stays where it is. Only a move that is done whole or not at all
    may be repeated after a lost connection; one in steps is marked before it begins, for nobody could say how far it
    came, and a copy made anew at every poll would fill the mailbox. Whatever comes of it, the mails have been read.
    """
    with house.look() as work:
        known = select(Mailbox.uidvalidity).where(Mailbox.name == name)
        query = select(Mail.id, Mail.uidvalidity, Mail.uid).where(
            Mail.mailbox == name,
            col(Mail.uidvalidity).in_(known),
            col(Mail.tidied).is_(False),
            which,
        )
        found = work.session.exec(query.order_by(col(Mail.uid)).limit(TIDY)).all()
    rows = [_Stored(mail_id, uidvalidity, uid) for mail_id, uidvalidity, uid in found]
    if not rows:
        return
    try:
        before = source.moving() != "whole"
        if before:
            _mark_tidied(house, rows)
        moved = _move(source, folder, rows, target)
        if not before:
            _mark_tidied(house, rows)
    except (MailboxUnreachable, MailboxRefused) as trouble:
        log.warning("mails of %s could not be moved to %s: %s", name, target, trouble.code)
        return
    if len(moved) < len(rows):
        log.info("%d mails of %s stay where they are", len(rows) - len(moved), name)


def _mark_tidied(house: House, rows: Sequence[_Stored]) -> None:
    with house.unit("tidied") as work:
        work.session.execute(update(Mail).where(col(Mail.id).in_([row.id for row in rows])).values(tidied=True))


def _move(source: Source, folder: str, mails: Sequence[_Stored], target: str) -> tuple[int, ...]:
    """Move mails to another folder; only after they are committed, and never as a record of anything."""
    failpoint.reach("move:before")
    moved = source.done(folder, mails[0].uidvalidity, [mail.uid for mail in mails], target)
    failpoint.reach("move:after")
    return moved


def _outage(work: Work, gap: Gap) -> None:
    """Move every deadline that passed while a folder was not read for too long, by the length of the outage (1.3)."""
    good, began = gap
    if good is not None and began - good > timedelta(seconds=work.config.times.outage_guard):
        outages.move(work, good, began, "outage")
