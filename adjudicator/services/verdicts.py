"""The one verdict of a mail, which its twins share: the same letter found twice is settled once (play-by-mail 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlmodel import col, select

from adjudicator.services.work import Work
from adjudicator.storage.tables import Mail, MailGame, Reading


def look_up_twins(work: Work, rows: Sequence[Mail]) -> None:
    """Find what was settled before of the contents of these mails, all at once."""
    found: dict[str, list[Mail]] = {row.content: [] for row in rows}
    query = select(Mail).where(col(Mail.content).in_(list(found)), Mail.verdict != "new", col(Mail.twin).is_(None))
    for row in work.session.exec(query.order_by(col(Mail.id))):
        found[row.content].append(row)
    work.know("settled", found)


def settle(work: Work, row: Mail, verdict: str, why: str = "") -> None:
    """Give a mail its verdict; later copies in the same transaction find it."""
    row.verdict, row.why = verdict, why or row.why
    work.session.add(row)
    settled = work.memo["settled"].get((row.content,), [])
    if row not in settled:
        settled.append(row)


def settle_as_twin(work: Work, row: Mail) -> bool:
    """Give a copy the verdict of the letter found before, if there is one, and assign it to the same games.

    The lock lists the hash of every raw mail (fair-play 3.6). Of the two arrivals the earlier counts.
    """
    twin = _twin(work, row)
    if twin is None:
        return False
    row.verdict, row.why = twin.verdict, f"twin of {twin.id}"
    row.twin = twin.id
    work.session.add(row)
    for game_id in work.session.exec(select(MailGame.game_id).where(MailGame.mail_id == twin.id)).all():
        assign(work, row, game_id)
    return True


def assign(work: Work, row: Mail, game_id: int | None) -> None:
    """Assign a mail to a game, if it is for one: the game's next lock lists it. Once assigned it stays so."""
    if game_id is not None:
        work.write(MailGame, mail_id=row.id, game_id=game_id)


def hold(work: Work, row: Mail, game_id: int | None, why: str) -> None:
    """Note that what a mail says of a game is held and why, "" once it is released; its other parts may stand."""
    query = select(MailGame).where(MailGame.mail_id == row.id, MailGame.game_id == game_id)
    for assigned in work.session.exec(query):
        assigned.held = why
        work.session.add(assigned)


def release(work: Work, row: Mail, game_id: int | None) -> None:
    """Let what a mail says of a game count, as its writer has confirmed it: it is the game's from now on."""
    games = select(MailGame.game_id).where(MailGame.mail_id == row.id)
    if game_id not in work.session.exec(games).all():
        assign(work, row, game_id)
    hold(work, row, game_id, "")


def is_held(work: Work, row: Mail, game_id: int | None) -> bool:
    """Say whether what a mail says of a game is held: the mail as a whole, or its part for that game."""
    query = select(MailGame).where(MailGame.mail_id == row.id, MailGame.game_id == game_id)
    return row.verdict == "held" or any(assigned.held for assigned in work.session.exec(query))


RANK: Final = ("orders", "late", "held", "quarantined", "empty")
"""Of a letter in parts the verdict that comes first here is the letter's."""


def settle_whole(work: Work, row: Mail, found: Sequence[tuple[str, str]]) -> None:
    """Give a letter in parts its one verdict, from those of its parts."""
    if len(found) > 1:  # the one of a letter that is whole is its verdict already
        row.verdict, row.why = min(found, key=lambda one: RANK.index(one[0]))
        work.session.add(row)


def _twin(work: Work, row: Mail) -> Mail | None:
    """Return the same letter found elsewhere before.

    A letter that came too late is no twin of a copy that arrived in time: the copy is read as if it were alone.
    """
    settled: list[Mail] = work.memo["settled"][(row.content,)]
    for twin in settled:
        if row.counts >= twin.counts:
            return twin
        if twin.verdict != "late":
            _move_up(work, twin, row)
            return twin
    return None


def _move_up(work: Work, twin: Mail, row: Mail) -> None:
    work.forget("steps")
    work.forget("readings")
    twin.counts = row.counts
    work.session.add(twin)
    for reading in work.session.exec(select(Reading).where(Reading.mail_id == twin.id)):
        reading.arrival = row.counts
        work.session.add(reading)
