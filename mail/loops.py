"""When to be silent: caps on answers as pure rules over counts (play-by-mail 7, RFC 3834 4)."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Final, Literal

from msgspec import Struct

RECEIPTS_BEYOND_SUBMISSIONS: Final = 10
"""Receipts a seat may get in a day above the number of its own submissions."""
IDENTICAL_ANSWERS: Final = 2
"""Answers without orders with the same text in one thread."""
BREAKER_PER_HOUR: Final = 200
"""Mails the whole service hands over in an hour before it stops sending (never reading)."""
STRANGER_EVERY: Final = timedelta(days=1)

Silence = Literal["", "receipts-of-the-day", "identical-answers", "breaker", "stranger-answered-today"]


class Counts(Struct, frozen=True):
    """What was sent and received so far; the day and the hour are those before the moment of asking."""

    receipts_today: int = 0
    submissions_today: int = 0
    identical_in_thread: int = 0
    sent_in_hour: int = 0


def silence_before_receipt(
    counts: Counts,
    *,
    has_orders: bool,
    per_hour: int = BREAKER_PER_HOUR,
    beyond: int = RECEIPTS_BEYOND_SUBMISSIONS,
) -> Silence:
    """Name the cap that forbids one more answer to a seat, or nothing. An answer to orders is never a repetition."""
    if breaker_open(counts.sent_in_hour, per_hour):
        return "breaker"
    if counts.receipts_today >= counts.submissions_today + beyond:
        return "receipts-of-the-day"
    if not has_orders and counts.identical_in_thread >= IDENTICAL_ANSWERS:
        return "identical-answers"
    return ""


def silence_before_stranger(last_answer: datetime | None, now: datetime) -> Silence:
    """Forbid a second word within a day to an address that holds no seat."""
    return "stranger-answered-today" if last_answer is not None and now - last_answer < STRANGER_EVERY else ""


def breaker_open(sent_in_hour: int, per_hour: int = BREAKER_PER_HOUR) -> bool:
    """Say whether the service has sent so much within the hour that it must stop sending and call the operator."""
    return sent_in_hour >= per_hour


_NUMBERED: Final = re.compile(r"[^\W_]*\d[^\W_]*")


def without_numbers(text: str) -> str:
    """Give a text with every word that holds a digit made one: what a robot with a ticket number says each time."""
    return _NUMBERED.sub("0", text)
