"""Mails set aside for a person: what cannot be handled is kept as it came, operators are told (play-by-mail 1.3)."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from adjudicator.clock import iso
from adjudicator.letters import Notice
from adjudicator.services import outbox
from adjudicator.services.work import Work
from adjudicator.storage.tables import Mail

ATTEMPTS: Final = 3
"""Tries after which a mail that cannot be handled is set aside (Mailman's shunt)."""
NAMED_A_DAY: Final = 20
"""Mails set aside that an operator is told of in a day, one letter each."""
DAY: Final = timedelta(days=1)


def shunt(work: Work, row: Mail) -> None:
    """Set a mail aside, its raw bytes kept, and tell the operators."""
    row.verdict = "quarantined"
    work.session.add(row)
    tell(work, row)


def tell(work: Work, row: Mail) -> None:
    """Name a mail that was set aside to the operators; of a flood only the first of the day.

    `adjudicator inbox` has them all. Strangers could make the breaker open with letters to the operators otherwise.
    """
    for address in work.config.service.operators:
        if outbox.written_since(work, "quarantined-operator", address, work.now - DAY) >= NAMED_A_DAY:
            continue
        facts = {"mail": row.id, "sender": row.sender, "arrival": iso(row.arrival), "why": row.why}
        notice = Notice(kind="quarantined-operator", reader=outbox.operator(work, address), facts=facts)
        outbox.queue(work, f"quarantined-operator/{row.id}/{address}", address, outbox.Envelope(notice=notice))
