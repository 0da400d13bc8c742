"""Polite answers: what the writer of a mail that changes nothing is told, if anything (play-by-mail 4, 7)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from sqlmodel import func, select

from adjudicator.clock import iso
from adjudicator.letters import Notice
from adjudicator.services import answers, outbox, people, positions
from adjudicator.services.identity import Speaker
from adjudicator.services.opened import Opened
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Letter, Tenure
from mail.addresses import canonical

DAILY: Final = 2
"""Answers of one kind that an address gets in a day."""


def polite(
    work: Work,
    mail: Opened,
    kind: str,
    facts: dict[str, Any],
    *,
    who: Speaker | None = None,
    game: Game | None = None,
    tenure: Tenure | None = None,
) -> None:
    """Answer a registered sender without orders: at most twice a day in the same words (play-by-mail 7).

    ``tenure`` is the seat whose holder hears of it, if it is not the sender himself.
    """
    address = mail.reading.incoming.from_address
    players = people.holders_of(work, address) if address else ()
    if not players and tenure is None:
        return
    tenure = tenure or (next(iter(who.tenures), None) if who is not None else None)
    if tenure is None or game is None:
        reader = answers.reader(work, players[0], address)
        head = None
    else:
        reader = people.reader_of(work, game, tenure, people.seat_titles(work, game))
        head = positions.table(game).head
    if _answered_today(work, kind, reader.address) >= DAILY:
        return
    notice = Notice(
        kind=kind,
        reader=reader,
        facts={**facts, "arrival": iso(mail.row.arrival), "subject": mail.row.subject},
        head=head,
    )
    outbox.queue(
        work,
        "/".join((kind, *([mail.part] if mail.part else ()), str(mail.row.id))),
        reader.address,
        outbox.Envelope(notice=notice),
        game=game if head else None,
        tenure=tenure if head else None,
        in_reply_to=mail.row.message_id,
    )


def _answered_today(work: Work, kind: str, address: str) -> int:
    day = work.now - timedelta(days=1)
    query = (
        select(func.count())
        .select_from(Letter)
        .where(Letter.kind == kind, Letter.address == canonical(address), Letter.created > day)
    )
    return work.session.exec(query).one()
