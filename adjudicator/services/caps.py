"""When an answer is not sent: the caps that keep two machines from answering each other for ever (play-by-mail 7).

All of them count what lies in the database, in the transaction that would write the answer: where nothing can be
counted, nothing is written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final

from msgspec.structs import replace
from sqlmodel import col, select

from adjudicator.letters import Receipt
from adjudicator.services import opened, outbox, sheets
from adjudicator.services.said import Said
from adjudicator.services.work import Work
from adjudicator.storage.tables import Letter, Tenure
from engine.core import codec
from mail.addresses import canonical
from mail.loops import IDENTICAL_ANSWERS, Counts, Silence, silence_before_receipt, without_numbers
from mail.text import line_key

DAY: Final = timedelta(days=1)
_LOOKED_AT: Final = 100
"""Letters of a day that are compared with a new one."""
_NOW: Final = re.compile(r'"now":"[^"]*"')
_PASSING: Final[dict[str, Any]] = {
    "lines": (),
    "late": None,
    "number": 0,
    "pin": None,
    "prev_pin": None,
    "now": "",
    "phrase": "",
    "phrase_automatic": False,
    "set_aside": 0,
    "overtaken": False,
}
"""What may differ between two receipts that say the same, emptied; lines and lateness are compared by themselves."""


def is_idle(work: Work, said: Said, late: dict[str, Any] | None) -> bool:
    """Say whether a letter changed nothing, so that its receipt may be one too many.

    Orders always change something, even those that are in force already, unless they are but our own lines sent back
    in answer to a letter of ours: that is how a machine quotes.
    """
    heard = said.heard
    if late is not None and not late.get("answers", False):
        return True
    if heard.phrase or heard.answers or any(line.mark == "press" for line in heard.lines.values()):
        return False
    before, after = (replace(said.against.after(done), refused=False) for done in ((), heard.effects))
    if before != after:
        return False
    ordered = any(isinstance(effect, sheets.Put | sheets.Clear | sheets.Restore) for effect in heard.effects)
    return not ordered or _echoes(work, said)


def _echoes(work: Work, said: Said) -> bool:
    if said.who.answered is None:
        return False
    ours = opened.sent_keys(work, said.mail.reading, said.who)
    taken = [line for line in said.heard.lines.values() if line.mark in ("ok", "cut")]
    return bool(taken) and all(line_key(line.text) in ours for line in taken)


def silence(work: Work, said: Said, receipt: Receipt) -> Silence:
    """Name the cap that forbids this receipt, or nothing; a letter that changed something always has one."""
    if not receipt.idle:
        return ""
    sent = select(Letter).where(
        Letter.tenure_id == said.tenure.id, Letter.kind == "receipt", col(Letter.created) > work.now - DAY
    )
    letters = work.session.exec(sent.order_by(col(Letter.id).desc()).limit(_LOOKED_AT)).all()
    idle = _idle_ones(work, letters)
    # Somebody who tries again and again to write an order right writes nothing else, and means the number he changes.
    prose = any(line.raw.strip() and place not in said.heard.lines for place, line in enumerate(said.mail.own))
    mine = _said(receipt, numbers=not prose)
    counts = Counts(
        receipts_today=len(idle),
        identical_in_thread=sum(_said(one, numbers=not prose) == mine for one in idle.values()),
    )
    return silence_before_receipt(counts, has_orders=False, beyond=work.config.limits.receipts_per_day)


def _idle_ones(work: Work, letters: Sequence[Letter]) -> dict[str, Receipt]:
    """Return those receipts that answered a letter which changed nothing, one for each mail."""
    found: dict[str, Receipt] = {}
    for letter in letters:
        envelope = outbox.envelope_of(work, letter)
        if envelope is not None and envelope.receipt is not None and envelope.receipt.idle:
            found[letter.key.split("/")[1]] = envelope.receipt
    return found


def _said(receipt: Receipt, *, numbers: bool) -> tuple[str, Receipt]:
    """Return the lines that a receipt repeats, with ``numbers`` or without, and all the rest that need not differ.

    Both as they come out of the database: a value that was just made is written differently (`engine.core.codec`).
    """
    kept: Receipt = codec.decode(codec.encode(receipt), Receipt)
    late = {key: value for key, value in (kept.late or {}).items() if key != "arrival"}
    lines = codec.encode([codec.plain(kept.lines), late])
    return (lines if numbers else without_numbers(lines)), replace(kept, **_PASSING)


def told_alike(work: Work, tenure: Tenure, kind: str, facts: dict[str, Any], *, numbers: bool) -> bool:
    """Say whether the holder of a seat got two notices of a kind within a day that said the same."""
    sent = select(Letter).where(
        Letter.tenure_id == tenure.id, Letter.kind == kind, col(Letter.created) > work.now - DAY
    )
    mine, alike = _told(facts, numbers=numbers), 0
    for letter in work.session.exec(sent.order_by(col(Letter.id).desc()).limit(_LOOKED_AT)):
        envelope = outbox.envelope_of(work, letter)
        if envelope is not None and envelope.notice is not None:
            alike += _told(envelope.notice.facts, numbers=numbers) == mine
    return alike >= IDENTICAL_ANSWERS


def _told(facts: dict[str, Any], *, numbers: bool) -> str:
    told = _NOW.sub('"now":""', codec.encode(facts))
    return told if numbers else without_numbers(told)


def answered_alike(work: Work, kind: str, address: str) -> bool:
    """Say whether an address has had its answers of a kind for the day."""
    return outbox.written_since(work, kind, canonical(address), work.now - DAY) >= IDENTICAL_ANSWERS
