"""Letters: a row for each reader and cause, bytes made once, handed over under a lease, the same at every retry."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias

from sqlalchemy import bindparam, update
from sqlmodel import col, func, or_, select

from adjudicator.clock import iso
from adjudicator.letters import Notice, Reader, Receipt, Report
from adjudicator.services import dossier, logbook, tokens
from adjudicator.services.work import Work
from adjudicator.storage.tables import Asking, Game, Letter, Tenure, Turn
from engine.core.contract import Value
from mail.text import line_key

LetterValue: TypeAlias = Receipt | Report | Notice
RETRY = (60, 300, 900, 3600)
"""Seconds to the next try after a temporary failure; the last one repeats (RFC 5321 4.5.4)."""
JITTER = 10
"""A try may come sooner by up to this part of its span, so that letters put off together do not come together."""
GIVE_UP = timedelta(hours=48)
PAUSE = (900, 3600, 14400, 86400)
"""Seconds in which nothing is sent after a refusal of the whole service: suspicion of spam, a failed login."""
_PAUSED = "paused: "
RENDER_TRIES = 3
RECENT_LETTERS = 6
QUOTED_LETTERS = 8
AT_ONCE = 500
"""Names that one query asks for: SQLite's limit of variables was 999 for long."""
_ID = re.compile(r"<[!-;=?-~]{1,900}>")
"""A Message-ID that may stand in a header of ours as it is."""


class Envelope(Value, frozen=True, tag_field="letter"):
    """What a letter row keeps: the value, and the span of the log to attach."""

    receipt: Receipt | None = None
    report: Report | None = None
    notice: Notice | None = None
    log_after: int = 0
    log_to: int = 0
    data_of: int = 0
    """The player whose data is attached, 0 for nobody's (play-by-mail 8)."""
    archive: bool = False
    """Whether the archive of its game is attached (`services.rendering`)."""

    @property
    def value(self) -> LetterValue:
        """The letter's value, of whichever kind it is."""
        value = self.receipt or self.report or self.notice
        if value is None:
            raise ValueError("an envelope without a letter")
        return value


def queue(
    work: Work,
    key: str,
    address: str,
    envelope: Envelope,
    *,
    game: Game | None = None,
    tenure: Tenure | None = None,
    turn: int | None = None,
    opening: bool = False,
    in_reply_to: str = "",
) -> None:
    """Put a letter in the outbox; one whose cause has been answered already changes nothing."""
    message_id = tokens.message_id(work.vault, work.config.service.address, key)
    root = _thread(work, game, address)
    if game is not None and not root:
        work.memo["thread"][game.id, address] = message_id
    work.write(
        Letter,
        key=key,
        message_id=message_id,
        game_id=game.id if game else None,
        seat=tenure.seat if tenure else "",
        tenure_id=tenure.id if tenure else None,
        key_version=tenure.key_version if tenure else 1,
        turn=turn,
        opening=opening,
        kind=key.partition("/")[0],
        address=address,
        value=work.vault.seal_value(envelope),
        in_reply_to=in_reply_to if _ID.fullmatch(in_reply_to) else "",
        thread=root,
        created=work.now,
        due=work.now,
    )


def withdraw(work: Work, game: Game, kinds: Sequence[str]) -> None:
    """Keep back the letters of these kinds that nobody has begun to hand over."""
    work.session.execute(
        update(Letter)
        .where(col(Letter.game_id) == game.id, col(Letter.kind).in_(kinds), col(Letter.status).in_(("new", "rendered")))
        .values(status="withdrawn")
    )


def is_queued(work: Work, key: str) -> bool:
    """Say whether a cause has its letter."""
    return work.session.exec(select(Letter.id).where(Letter.key == key)).first() is not None


def _thread(work: Work, game: Game | None, address: str) -> str:
    """Return the Message-ID of the first letter of this game to this address: the root of its thread."""
    if game is None:
        return ""
    return work.once(("thread", game.id, address), lambda: _first_letter(work, game, address))


_FIRST: Final = (
    select(Letter.message_id)
    .where(Letter.game_id == bindparam("game"), Letter.address == bindparam("address"))
    .order_by(col(Letter.id))
    .limit(1)
)


def _first_letter(work: Work, game: Game, address: str) -> str:
    with work.session.no_autoflush:  # what this unit has queued itself is in its memo
        return work.session.exec(_FIRST, params={"game": game.id, "address": address}).first() or ""


def operator(work: Work, address: str) -> Reader:
    """Return an operator as the reader of a letter."""
    service = work.config.service
    return Reader(name=address, language=service.language, zone=service.zone, address=address, reply_to=service.address)


def unrendered(work: Work, limit: int = 20) -> Sequence[int]:
    """Return letters whose bytes are to be made now, oldest first."""
    query = select(Letter.id).where(Letter.status == "new", col(Letter.due) <= work.now)
    query = query.order_by(col(Letter.id)).limit(limit)
    return [letter_id for letter_id in work.session.exec(query) if letter_id is not None]


class Job(Value, frozen=True):
    """All that the bytes of a letter are made of; picklable, for a worker process."""

    letter_id: int
    to: str
    outbox_id: str
    envelope: Envelope
    from_name: str
    from_address: str
    message_id: str
    in_reply_to: str
    thread: str
    date: datetime
    list_id: str
    log_name: str = ""
    log_file: bytes = b""
    data_name: str = "my-data.zip"
    data_file: bytes = b""


def job(work: Work, letter_id: int) -> Job | None:
    """Gather what a letter's bytes are made of, or None if they are made."""
    letter = work.session.exec(select(Letter).where(Letter.id == letter_id)).one()
    if letter.status != "new":
        return None
    envelope: Envelope = work.vault.open_value(letter.value, Envelope)
    game = work.session.exec(select(Game).where(Game.id == letter.game_id)).first() if letter.game_id else None
    file, name = b"", ""
    if game is not None and envelope.log_to:
        file = logbook.file_for(work, game, letter.seat or None, envelope.log_after, envelope.log_to)
        name = f"log-{envelope.log_to}.jsonl"
    service = work.config.service
    return Job(
        letter_id=letter_id,
        to=letter.address,
        outbox_id=letter.message_id.strip("<>").partition("@")[0],
        envelope=envelope,
        from_name=service.name,
        from_address=service.address,
        message_id=letter.message_id,
        in_reply_to=letter.in_reply_to,
        thread=letter.thread,
        date=letter.created,
        list_id=f"{game.tag if game else 'desk'}.{service.address.rpartition('@')[2]}",
        log_name=name,
        log_file=file,
        data_file=dossier.file_for(work, envelope.data_of) if envelope.data_of else b"",
    )


def keep_bytes(work: Work, letter_id: int, raw: bytes, text: str, sha256: str) -> bool:
    """Store a letter's bytes, once; whoever comes second with the same letter changes nothing."""
    kept = work.session.execute(
        update(Letter)
        .where(col(Letter.id) == letter_id, col(Letter.status) == "new")
        .values(
            raw=work.vault.seal(raw),
            text=work.vault.seal(zlib.compress(text.encode())),
            sha256=sha256,
            status="rendered",
        )
    )
    return bool(getattr(kept, "rowcount", 0))


def empty(work: Work, letter: Letter, *, address: bool = False) -> None:
    """Leave of a letter its hash and Message-ID: what it said is kept no longer (play-by-mail 8).

    One not handed over yet is withdrawn. ``address``: nor whom it went to.
    """
    letter.raw, letter.text, letter.value = None, None, b""
    letter.in_reply_to, letter.trouble = "", ""
    if letter.status in ("new", "rendered"):
        letter.status = "withdrawn"
    if address:
        letter.key = letter.key.replace(letter.address, f"forgotten-{letter.id}")
        letter.address = ""
    work.session.add(letter)


def envelope_of(work: Work, letter: Letter) -> Envelope | None:
    """Return what a letter says, None if that is kept no longer."""
    envelope: Envelope | None = work.vault.open_value(letter.value, Envelope) if letter.value else None
    return envelope


def text_of(work: Work, letter: Letter) -> str:
    """Return the text part of a letter whose bytes are made, else nothing."""
    return zlib.decompress(work.vault.open(letter.text)).decode() if letter.text else ""


def look_up(work: Work, message_ids: Iterable[str]) -> None:
    """Find the letters of ours with these Message-IDs, all at once."""
    found: dict[str, Letter | None] = dict.fromkeys(message_ids)
    names = list(found)
    for start in range(0, len(names), AT_ONCE):
        query = select(Letter).where(col(Letter.message_id).in_(names[start : start + AT_ONCE]))
        found |= {row.message_id: row for row in work.session.exec(query)}
    work.know("letter", found)


def letter(work: Work, message_id: str) -> Letter | None:
    """Return the letter of ours with this Message-ID."""
    found: Letter | None = work.known("letter", message_id, look_up)
    return found


def keys_sent(work: Work, address: str, answered: Sequence[str]) -> frozenset[str]:
    """Return the keys of the lines of our last letters to an address and of those a mail answers (play-by-mail 3.3)."""
    quoted = (letter(work, name) for name in answered[:QUOTED_LETTERS])
    letters = [*_recent(work, address), *(row for row in quoted if row is not None and row.address == address)]
    return frozenset[str]().union(*(_keys(work, row) for row in letters))


def openings(work: Work, game: Game, turn: int) -> Sequence[tuple[str, datetime | None]]:
    """Return the seats that letters opened a turn to, in the order of their making, and when each was handed over."""
    return work.once(("openings", game.id, turn), lambda: _openings(work, game, turn))


def _openings(work: Work, game: Game, turn: int) -> Sequence[tuple[str, datetime | None]]:
    query = (
        select(Letter.seat, Letter.sent)
        .where(Letter.game_id == game.id, Letter.turn == turn, col(Letter.opening).is_(True))
        .where(Letter.kind != "question")
    )
    return work.session.exec(query.order_by(col(Letter.id))).all()


def look_up_recent(work: Work, addresses: Iterable[str]) -> None:
    """Find the last letters to each of some addresses whose text is made, all at once."""
    found: dict[str, list[Letter]] = {address: [] for address in addresses}
    place = func.row_number().over(partition_by=col(Letter.address), order_by=col(Letter.id).desc())
    written = col(Letter.address).in_(list(found)) & col(Letter.text).is_not(None)
    last = select(col(Letter.id).label("id"), place.label("place")).where(written).subquery()
    query = select(Letter).join(last, col(Letter.id) == last.c.id).where(last.c.place <= RECENT_LETTERS)
    for row in work.session.exec(query.order_by(col(Letter.id).desc())):
        found[row.address].append(row)
    work.know("recent", found)


def _recent(work: Work, address: str) -> Sequence[Letter]:
    found: Sequence[Letter] = work.known("recent", address, look_up_recent)
    return found


def _keys(work: Work, row: Letter) -> frozenset[str]:
    def read() -> frozenset[str]:
        return frozenset(line_key(line) for line in text_of(work, row).splitlines() if line.strip())

    return work.once(("keys", row.id), read)


# Handing over ---------------------------------------------------------------------------------------------------------


class HandOver(Value, frozen=True):
    """A letter claimed for sending."""

    letter_id: int
    address: str
    raw: bytes
    owner: str


def _due(work: Work) -> Any:
    return or_(
        (col(Letter.status) == "rendered") & (col(Letter.due) <= work.now),
        (col(Letter.status) == "sending") & (col(Letter.lease) <= work.now),
    )


def any_due(work: Work) -> bool:
    """Say whether any letter may be claimed now."""
    return work.session.exec(select(Letter.id).where(_due(work)).limit(1)).first() is not None


def claim(work: Work, owner: str, limit: int, *, kind: str = "") -> tuple[HandOver, ...]:
    """Claim letters that are due, under a lease, oldest first, those of one ``kind`` alone if one is named.

    A lease that ran out is somebody who died: its letter is sent again, the same bytes under the same Message-ID.
    """
    query = select(Letter).where(_due(work)).order_by(col(Letter.due), col(Letter.id)).limit(limit)
    if kind:
        query = query.where(Letter.kind == kind)
    claimed = []
    until = work.now + timedelta(seconds=work.config.times.lease)
    for letter in work.session.exec(query.with_for_update(skip_locked=True)):
        if letter.raw is None or letter.id is None:
            continue
        if letter.kind in ("reminder", "question-reminder") and _is_stale(work, letter):
            letter.status = "withdrawn"
            work.session.add(letter)
            continue
        letter.status, letter.owner, letter.lease = "sending", owner, until
        letter.attempts += 1
        work.session.add(letter)
        claimed.append(
            HandOver(letter_id=letter.id, address=letter.address, raw=work.vault.open(letter.raw), owner=owner)
        )
    return tuple(claimed)


def _is_stale(work: Work, letter: Letter) -> bool:
    """Say whether a reminder comes too late: its deadline has passed or moved, its turn is closed, its game stands."""
    if letter.kind == "question-reminder":
        return _is_answered(work, letter)
    query = (
        select(Turn.deadline)
        .join(Game, col(Game.id) == col(Turn.game_id))
        .where(
            Turn.game_id == letter.game_id,
            Turn.number == letter.turn,
            Turn.status == "open",
            Turn.deadline > work.now,
            col(Game.paused).is_(None),
        )
    )
    return not any(f"/{iso(deadline)}/" in letter.key for deadline in work.session.exec(query))


def _is_answered(work: Work, letter: Letter) -> bool:
    """Say whether a reminder of a question comes too late: its group has closed, or its deadline passed or moved."""
    query = select(Asking.deadline).where(Asking.game_id == letter.game_id, col(Asking.locked).is_(None))
    open_until = list(work.session.exec(query))
    if "/day-" in letter.key:  # the moderator is awaited without a deadline
        return not open_until
    return not any(f"/{iso(deadline)}/" in letter.key and deadline > work.now for deadline in open_until)


def paused(work: Work) -> tuple[datetime, str] | None:
    """Return until when nothing may be sent and why, if the submission server refused the whole service lately."""
    query = select(Letter.due, Letter.trouble).where(
        Letter.status == "rendered", col(Letter.due) > work.now, col(Letter.trouble).startswith(_PAUSED)
    )
    found = work.session.exec(query.order_by(col(Letter.due).desc()).limit(1)).first()
    return None if found is None else (found[0], found[1].removeprefix(_PAUSED))


def take_over(work: Work) -> None:
    """Free the letters that a process now dead had claimed; only where ours is the one process there is (SQLite)."""
    work.session.execute(
        update(Letter).where(col(Letter.status) == "sending").values(status="rendered", owner="", lease=None)
    )


def handed_over(work: Work, done: HandOver) -> None:
    """Mark a letter as accepted by the submission server."""
    letter = work.session.exec(select(Letter).where(Letter.id == done.letter_id)).one()
    letter.status, letter.sent, letter.owner, letter.lease, letter.trouble = "sent", work.now, "", None, ""
    work.session.add(letter)
    if letter.opening:  # the turn it opens may have been waiting for just this (play-by-mail 1.4)
        touched = (col(Turn.game_id) == letter.game_id) & (col(Turn.number) == letter.turn)
        work.session.execute(update(Turn).where(touched, col(Turn.status) == "open").values(check=work.now))
        waiting_groups = (col(Asking.game_id) == letter.game_id) & col(Asking.locked).is_(None)
        work.session.execute(update(Asking).where(waiting_groups).values(check=work.now))


def put_off(work: Work, done: HandOver, trouble: str, *, uncertain: bool = False, pause: bool = False) -> Letter:
    """Try a letter again later: after 1, 5, 15, 60 minutes and then hourly; where 48 hours end it is ``failed``.

    ``pause``: the refusal concerns the whole service, and until this letter is due again nothing else is sent either.
    """
    letter = work.session.exec(select(Letter).where(Letter.id == done.letter_id)).one()
    spans = PAUSE if pause else RETRY
    letter.status, letter.owner, letter.lease = "rendered", "", None
    letter.due = work.now + _span(letter, spans[min(letter.attempts, len(spans)) - 1])
    letter.trouble = f"{_PAUSED}{trouble}" if pause else trouble
    letter.uncertain = letter.uncertain or uncertain
    if (work.now if pause else letter.due) - letter.created > GIVE_UP:
        letter.status = "failed"
    work.session.add(letter)
    return letter


def _span(letter: Letter, seconds: int) -> timedelta:
    """Return the time to a letter's next try: never longer than said, shortened by its name and not by chance."""
    share = zlib.crc32(f"{letter.message_id}/{letter.attempts}".encode()) % 1000
    return timedelta(seconds=seconds - seconds * share // (1000 * JITTER))


def refused(work: Work, done: HandOver, trouble: str) -> Letter:
    """Mark a letter as refused for good; it is never tried again."""
    letter = work.session.exec(select(Letter).where(Letter.id == done.letter_id)).one()
    letter.status, letter.owner, letter.lease, letter.trouble = "failed", "", None, trouble
    work.session.add(letter)
    return letter


def give_back(work: Work, done: Sequence[HandOver]) -> None:
    """Give letters back that were claimed and not tried."""
    for one in done:
        letter = work.session.exec(select(Letter).where(Letter.id == one.letter_id)).one()
        letter.status, letter.owner, letter.lease, letter.attempts = "rendered", "", None, letter.attempts - 1
        work.session.add(letter)


def sent_within(work: Work, span: timedelta) -> int:
    """Return how many letters were handed over in the last span or are on the way, for the breaker."""
    on_the_way = (col(Letter.status) == "sending") & (col(Letter.lease) > work.now)
    counted = or_(col(Letter.sent) > work.now - span, on_the_way)
    query = select(func.count()).select_from(Letter).where(counted)
    return work.session.exec(query).one()


def written_since(work: Work, kind: str, address: str, since: datetime) -> int:
    """Return how many letters of a kind were written to an address since an instant."""
    query = select(func.count()).select_from(Letter).where(Letter.kind == kind, Letter.address == address)
    return work.session.exec(query.where(col(Letter.created) > since)).one()


def waiting(work: Work) -> int:
    """Return how many letters are neither sent nor failed."""
    query = select(func.count()).select_from(Letter).where(col(Letter.status).in_(("new", "rendered", "sending")))
    return work.session.exec(query).one()


def unrenderable(work: Work, letter_id: int, trouble: Exception) -> Letter | None:
    """Set a letter back whose bytes could not be made: tried again after 1, 5 and 15 min, then given up.

    Returns the letter once it is given up. Its value stays, so that a mended program can still make it.
    """
    letter = work.session.exec(select(Letter).where(Letter.id == letter_id)).one()
    letter.trouble = f"{type(trouble).__name__}: {trouble}"[:500]
    letter.attempts += 1
    work.session.add(letter)
    if letter.attempts <= RENDER_TRIES:
        letter.due = work.now + timedelta(seconds=RETRY[letter.attempts - 1])
        return None
    letter.status = "failed"
    return letter
