"""Quarantined mail read again after a fix: each takes the place of its arrival (play-by-mail 2, 3.4)."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypeAlias

from sqlmodel import col, select

from adjudicator.services import identity, intake, opened, verdicts
from adjudicator.services.intake import Doorway
from adjudicator.services.opened import Opened
from adjudicator.services.work import House, Work
from adjudicator.storage.tables import Mail, MailGame
from engine.core.contract import Value

Did: TypeAlias = Literal["read", "still", "failed", "no-bytes", "settled"]
"""What became of a mail: it has a verdict now; it is beyond the same limit; reading it raises; its bytes were never
fetched or are kept no longer; it had left the quarantine before."""


class Replayed(Value, frozen=True):
    """A mail of the quarantine and what reading it again came to; ``was`` is why it was there."""

    number: int
    sender: str
    arrival: datetime
    was: str
    did: Did
    verdict: str
    why: str = ""


def waiting(work: Work) -> list[int]:
    """Return the mails in quarantine in the order in which they count; a copy goes with the letter it is a copy of."""
    query = select(Mail.id).where(Mail.verdict == "quarantined", col(Mail.twin).is_(None))
    rows = work.session.exec(query.order_by(col(Mail.counts), col(Mail.mailbox), col(Mail.uid)))
    return [number for number in rows if number is not None]


def replay(house: House, doorway: Doorway, number: int) -> Replayed:
    """Read a quarantined mail again and do what it says, from its own arrival, in one transaction.

    After the lock it is evidence like any mail that came late. If reading it raises, nothing of it stands and it stays
    where it was. Raises `sqlalchemy.exc.NoResultFound` for a number that no mail has.
    """
    with house.look() as work:
        row = work.session.exec(select(Mail).where(Mail.id == number)).one()
        before = row.why
        if row.verdict != "quarantined":
            return _told(row, "settled", before)
        if row.raw is None:
            return _told(row, "no-bytes", before)
        raw = work.vault.open(row.raw)
        reading = opened.read(work, raw, doorway.authserv(row.mailbox))
    try:
        with house.unit("replay") as work:
            row = work.session.exec(select(Mail).where(Mail.id == number).with_for_update()).one()
            if row.verdict != "quarantined":
                return _told(row, "settled", before)
            row.verdict, row.why = "new", "doubtful" if row.counts > row.arrival else ""
            verdicts.look_up_twins(work, [row])
            identity.look_up(work, [reading])
            intake.name(row, reading)
            intake.decide(work, Opened(row, raw, reading, again=True), trusted=doorway.trusted(row.mailbox))
            _take_twins_along(work, row)
            return _told(row, "still" if row.verdict == "quarantined" else "read", before)
    except Exception as trouble:  # noqa: BLE001 - whatever this mail does to us, the next one must be read
        return _failed(house, number, before, f"{type(trouble).__name__}: {trouble}"[:500])


def _told(row: Mail, did: Did, before: str, trouble: str = "") -> Replayed:
    return Replayed(
        number=row.id or 0,
        sender=row.sender,
        arrival=row.arrival,
        was=before,
        did=did,
        verdict=row.verdict,
        why=trouble or (row.why if did in ("read", "still", "settled") else ""),
    )


def _failed(house: House, number: int, before: str, trouble: str) -> Replayed:
    with house.look() as work:
        return _told(work.session.exec(select(Mail).where(Mail.id == number)).one(), "failed", before, trouble)


def _take_twins_along(work: Work, row: Mail) -> None:
    """Give the copies of a letter its verdict, and assign them to the same games (fair-play 3.6)."""
    games = work.session.exec(select(MailGame.game_id).where(MailGame.mail_id == row.id)).all()
    for twin in work.session.exec(select(Mail).where(Mail.twin == row.id).order_by(col(Mail.id))):
        twin.verdict = row.verdict
        work.session.add(twin)
        for game_id in games:
            verdicts.assign(work, twin, game_id)
