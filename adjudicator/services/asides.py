"""Lines of a letter that were set aside as quote or signature, shown to its seat on request (play-by-mail 3)."""

from __future__ import annotations

from typing import Any, Final

from sqlmodel import select

from adjudicator.letters import LineVerdict
from adjudicator.services import opened, press
from adjudicator.services.said import Said
from adjudicator.services.work import Work
from adjudicator.storage.tables import Mail, Reading

SHOWN: Final = 200
"""Lines that an answer shows."""
_LINE: Final = 300


def refusal(work: Work, said: Said, argument: str) -> LineVerdict | None:
    """Return why the lines asked for cannot be shown, as a line of a receipt without its text; None if they can."""
    number = _number(work, said, argument)
    row = _mail(work, said, number)
    if row is not None and row.raw is not None:
        return None
    key = "no-letter" if row is None else "letter-gone"
    return LineVerdict(text="", mark="command-refused", key=key, facts={"number": number})


def shown(work: Work, said: Said, argument: str) -> dict[str, Any] | None:
    """Return what was set aside of the letter of a receipt and why, line by line, None if it is kept no longer.

    The letter is read once more: what is shown is what the reader of today sets aside.
    """
    number = _number(work, said, argument)
    row = _mail(work, said, number)
    if row is None or row.raw is None:
        return None
    aside = opened.reread(work, opened.read(work, work.vault.open(row.raw), ""), said.who).text.set_aside
    lines = [[one.why, one.line.raw.strip()[:_LINE]] for one in aside]
    return {"number": number, "lines": lines[:SHOWN], "more": max(0, len(lines) - SHOWN)}


def _number(work: Work, said: Said, argument: str) -> int:
    """Return the receipt that is meant: the one named, the one answered, else the last one."""
    if argument:
        return int(argument)
    answered = press.receipt_answered(work, said.who)
    return answered.number if answered is not None else said.against.number - 1


def _mail(work: Work, said: Said, number: int) -> Mail | None:
    """Return the mail of a receipt, if whoever holds the seat now wrote it: letters stay their writer's."""
    query = (
        select(Mail)
        .join(Reading, Reading.mail_id == Mail.id)  # type: ignore[arg-type]
        .where(Reading.game_id == said.table.game.id, Reading.seat == said.tenure.seat, Reading.number == number)
        .where(Reading.arrival >= said.tenure.since)
    )
    return work.session.exec(query).first()
