"""Mails set aside for a person: what cannot be handled is kept as it came, operators are told (play-by-mail 1.3)."""

from __future__ import annotations

from typing import Final

from adjudicator.clock import iso
from adjudicator.letters import Notice
from adjudicator.services import outbox
from adjudicator.services.work import Work
from adjudicator.storage.tables import Mail

ATTEMPTS: Final = 3
"""Tries after which a mail that cannot be handled is set aside (Mailman's shunt)."""


def shunt(work: Work, row: Mail) -> None:
    """Set a mail aside, its raw bytes kept, and tell the operators."""
    row.verdict = "quarantined"
    work.session.add(row)
    tell(work, row)


def tell(work: Work, row: Mail) -> None:
    """Name a mail that was set aside to the operators."""
    for address in work.config.service.operators:
        facts = {"mail": row.id, "sender": row.sender, "arrival": iso(row.arrival), "why": row.why}
        notice = Notice(kind="quarantined-operator", reader=outbox.operator(work, address), facts=facts)
        outbox.queue(work, f"quarantined-operator/{row.id}/{address}", address, outbox.Envelope(notice=notice))
