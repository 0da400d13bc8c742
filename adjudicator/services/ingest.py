"""Mail into the database: raw bytes and arrival first, then the cursor, in one transaction (play-by-mail 1.3)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, NamedTuple

from sqlalchemy import update
from sqlmodel import col, select

from adjudicator import failpoint
from adjudicator.clock import iso
from adjudicator.services import outages, quarantine, turns
from adjudicator.services.work import House, Work
from adjudicator.storage.tables import Mail, Mailbox
from mail.message import content_hash
from mail.source import Arrived, Cursor, MailboxRefused, MailboxUnreachable, Source

BATCH = 50
BATCH_BYTES = 8 << 20
TIDY = 200
RELIST = timedelta(days=2)
"""How far before the last good poll a folder is listed again when its UIDs have become void."""


def mailbox_name(source: str, folder: str) -> str:
    """Return the name under which a folder of a source is kept."""
    return f"{source}/{folder}"


def mailboxes(sources: Sequence[Source]) -> tuple[str, ...]:
    """Return the names of all folders that must have been read before a turn locks."""
    return tuple(mailbox_name(source.name, folder) for source in sources for folder in source.folders)


def poll(house: House, source: Source, *, move_to: str = "") -> int:
    """Read what is new in every folder of a source and return how many mails were stored.

    A folder that cannot be read raises `MailboxUnreachable` or `MailboxRefused` after its trouble has been noted.
    """
    stored = 0
    for folder in source.folders:
        try:
            stored += _poll_folder(house, source, folder, move_to)
        except (MailboxUnreachable, MailboxRefused) as trouble:
            with house.unit("poll-trouble") as work:
                _note_trouble(work, _box(work, mailbox_name(source.name, folder)), trouble.code)
            raise
    return stored


def _note_trouble(work: Work, box: Mailbox, code: str) -> None:
    """Note why a folder cannot be read; operators hear of it once, when deadlines begin to move (play-by-mail 1.3)."""
    box.trouble = code
    work.session.add(box)
    if box.good is not None and work.now - box.good > timedelta(seconds=work.config.times.outage_guard):
        facts = {"source": box.name, "since": iso(box.good), "why": code}
        turns.tell_operators(work, "outage-operator", f"{box.id}/{iso(box.good)}", facts)


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


def _poll_folder(house: House, source: Source, folder: str, move_to: str) -> int:
    name = mailbox_name(source.name, folder)
    began = house.clock.now()
    with house.look() as work:
        box = work.session.exec(select(Mailbox).where(Mailbox.name == name)).first() or Mailbox(name=name)
    _fetch_again(house, source, folder, name)
    since = (box.good - RELIST).date() if box.good else None
    cursor = Cursor(uidvalidity=box.uidvalidity, uid=box.uid, since=since)
    gap = Gap(box.good if box.good is None or box.good <= began else None, began)  # the clock may have gone back
    batch: list[Arrived] = []
    stored = 0
    for arrived in source.poll(folder, cursor, _known(house, source, name)):
        batch.append(arrived)
        if len(batch) >= BATCH or sum(one.size for one in batch) >= BATCH_BYTES:
            stored += _store(house, name, batch, gap)
            batch = []
    stored += _store(house, name, batch, gap)
    if move_to and move_to != folder:
        _tidy(house, source, folder, name, move_to)
    position = source.position(folder)
    with house.unit("polled") as work:
        box = _box(work, name)
        if position is not None:
            box.uidvalidity, box.uid = position.uidvalidity, max(position.uid, 0)
        _outage(work, gap)
        box.good, box.trouble = began, ""
        work.session.add(box)
    return stored


def _fetch_again(house: House, source: Source, folder: str, name: str) -> None:
    """Ask once more for mails that the server lists and would not give; after three polls they are set aside.

    Until then they have no verdict, and a turn whose deadline they arrived by waits for them (play-by-mail 1.3).
    """
    with house.look() as work:
        query = select(Mail.uid).where(Mail.mailbox == name, Mail.verdict == "new", col(Mail.raw).is_(None))
        uids = tuple(work.session.exec(query))
    if not uids:
        return
    found = {arrived.uid: arrived for arrived in source.again(folder, uids)}
    with house.unit("again") as work:
        query_rows = select(Mail).where(Mail.mailbox == name, Mail.verdict == "new", col(Mail.raw).is_(None))
        for row in work.session.exec(query_rows).all():
            arrived = found.get(row.uid)
            if arrived is not None and arrived.raw is not None:
                row.raw, row.size, row.why = work.vault.seal(arrived.raw), arrived.size, ""
                row.sha256, row.content = sha256(arrived.raw).hexdigest(), content_hash(arrived.raw)
            else:
                row.attempts += 1
                if row.attempts >= quarantine.ATTEMPTS:
                    quarantine.shunt(work, row)
            work.session.add(row)


def _known(house: House, source: Source, name: str) -> frozenset[int]:
    """Return the UIDs that are stored already, for a source whose UIDs do not count up: no cursor can say it."""
    if source.counts_up:
        return frozenset()
    with house.look() as work:
        return frozenset(work.session.exec(select(Mail.uid).where(Mail.mailbox == name)))


def _store(house: House, name: str, batch: Sequence[Arrived], gap: Gap) -> int:
    """Store mails and move the cursor behind them; a mail that is there already changes nothing."""
    if not batch:
        return 0
    fresh = 0
    with house.unit("ingest") as work:
        _outage(work, gap)  # before any mail is seen: none may be judged by a deadline that has to move
        box = _box(work, name)
        known = select(Mail.uid).where(
            Mail.mailbox == name,
            Mail.uidvalidity == batch[0].uidvalidity,
            col(Mail.uid).in_([one.uid for one in batch]),
        )
        seen = set(work.session.exec(known))
        for arrived in batch:
            if arrived.uid not in seen:
                fresh += 1
                row = _mail(work, name, arrived, gap.good)
                if row["verdict"] == "quarantined":
                    quarantine.tell(work, work.add(Mail(**row)))
                else:
                    work.write(Mail, **row)
        box.uidvalidity, box.uid = batch[-1].uidvalidity, max(one.uid for one in batch)
        work.session.add(box)
    return fresh


def _mail(work: Work, name: str, arrived: Arrived, good: datetime | None) -> dict[str, Any]:
    """Return the row of a mail, by column.

    One whose arrival lies well before a good poll that did not show it counts from when it was first seen
    (play-by-mail 1.3, *doubtful*).
    """
    raw = arrived.raw
    doubtful = good is not None and arrived.arrival < good - timedelta(seconds=work.config.times.doubt)
    marks = f"{name}/{arrived.uidvalidity}/{arrived.uid}".encode() if raw is None else raw
    return {
        "mailbox": name,
        "uidvalidity": arrived.uidvalidity,
        "uid": arrived.uid,
        "arrival": arrived.arrival,
        "counts": work.now if doubtful else arrived.arrival,
        "seen": work.now,
        "size": arrived.size,
        "raw": None if raw is None else work.vault.seal(raw),
        "sha256": sha256(marks).hexdigest(),
        "content": content_hash(raw) if raw is not None else sha256(marks).hexdigest(),
        "verdict": "new" if raw is not None or arrived.why == "unfetchable" else "quarantined",
        "why": arrived.why or ("doubtful" if doubtful else ""),
    }


class _Stored(NamedTuple):
    """A stored mail as far as tidying needs it."""

    id: int | None
    uid: int


def _tidy(house: House, source: Source, folder: str, name: str, target: str) -> None:
    """Move stored mails away, if the operator wants it; those too that an earlier poll did not come to move."""
    with house.look() as work:
        known = select(Mailbox.uidvalidity).where(Mailbox.name == name)
        query = select(Mail.id, Mail.uid).where(
            Mail.mailbox == name,
            col(Mail.uidvalidity).in_(known),
            col(Mail.tidied).is_(False),
            col(Mail.raw).is_not(None),
        )
        found = work.session.exec(query.order_by(col(Mail.uid)).limit(TIDY)).all()
    rows = [_Stored(mail_id, uid) for mail_id, uid in found]
    if not rows:
        return
    _move(source, folder, rows, target)
    with house.unit("tidied") as work:
        work.session.execute(update(Mail).where(col(Mail.id).in_([row.id for row in rows])).values(tidied=True))


def _move(source: Source, folder: str, mails: Sequence[_Stored], target: str) -> None:
    """Move mails to another folder; only after they are committed, and never as a record of anything."""
    failpoint.reach("move:before")
    source.done(folder, [mail.uid for mail in mails], target)
    failpoint.reach("move:after")


def _outage(work: Work, gap: Gap) -> None:
    """Move every deadline that passed while a folder was not read for too long, by the length of the outage (1.3)."""
    good, began = gap
    if good is not None and began - good > timedelta(seconds=work.config.times.outage_guard):
        outages.move(work, good, began, "outage")
