"""When a receipt is not sent: the caps that keep two machines from answering each other for ever (play-by-mail 7)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from msgspec.structs import replace
from sqlmodel import col, func, select

from adjudicator.letters import Receipt
from adjudicator.services import outbox
from adjudicator.services.work import Work
from adjudicator.storage.tables import Letter, Mail, Reading, Tenure
from engine.core import codec
from mail.loops import IDENTICAL_ANSWERS, Counts, Silence, silence_before_receipt

DAY = timedelta(days=1)
_PASSING: Final[dict[str, Any]] = {
    "number": 0,
    "pin": None,
    "prev_pin": None,
    "now": "",
    "phrase": "",
    "phrase_automatic": False,
    "set_aside": 0,
}
"""What may differ between two receipts that say the same, emptied."""


def silence(work: Work, tenure: Tenure, receipt: Receipt, *, has_orders: bool) -> Silence:
    """Name the cap that forbids this receipt, or nothing.

    An answer to orders is never a repetition, and never one too many: every mail has one.
    """
    if has_orders:
        return ""
    since = work.now - DAY
    sent = select(Letter).where(Letter.tenure_id == tenure.id, Letter.kind == "receipt", col(Letter.created) > since)
    letters = work.session.exec(sent.order_by(col(Letter.id).desc()).limit(100)).all()
    mails = (
        select(func.count(col(Reading.id)))
        .join(Mail, col(Mail.id) == col(Reading.mail_id))
        .where(Reading.game_id == tenure.game_id, Reading.seat == tenure.seat, col(Mail.seen) > since)
    )
    counts = Counts(
        receipts_today=len({letter.key.split("/")[1] for letter in letters}),
        submissions_today=work.session.exec(mails).one(),
        identical_in_thread=_alike(work, letters, receipt),
    )
    return silence_before_receipt(counts, has_orders=False)


def _alike(work: Work, letters: Any, receipt: Receipt) -> int:
    """Count the mails that were answered with the same receipt today, as far as that matters."""
    said = _said(receipt)
    alike: set[str] = set()
    for letter in letters:
        envelope = outbox.envelope_of(work, letter)
        if envelope is not None and envelope.receipt is not None and _said(envelope.receipt) == said:
            alike.add(letter.key.split("/")[1])
        if len(alike) >= IDENTICAL_ANSWERS:
            break
    return len(alike)


def _said(receipt: Receipt) -> Receipt:
    """Return a receipt as it comes out of the database, without what differs every time."""
    said: Receipt = codec.decode(codec.encode(replace(receipt, **_PASSING)), Receipt)
    return said
