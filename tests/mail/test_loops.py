"""When to be silent."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from mail.loops import Counts, breaker_open, silence_before_receipt, silence_before_stranger

NOON = datetime(2025, 11, 3, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("counts", "has_orders", "silence"),
    [
        (Counts(), False, ""),
        (Counts(receipts_today=10), True, "receipts-of-the-day"),
        (Counts(receipts_today=10, submissions_today=1), True, ""),
        (Counts(receipts_today=59, submissions_today=50), True, ""),
        (Counts(identical_in_thread=2), False, "identical-answers"),
        (Counts(identical_in_thread=2), True, ""),
        (Counts(sent_in_hour=200), True, "breaker"),
    ],
)
def test_receipts_stop_at_the_caps(counts: Counts, has_orders: bool, silence: str) -> None:
    assert silence_before_receipt(counts, has_orders=has_orders) == silence


def test_two_robots_that_answer_each_other_stop_after_two() -> None:
    sent = 0
    while not silence_before_receipt(Counts(receipts_today=sent, identical_in_thread=sent), has_orders=False):
        sent += 1

    assert sent == 2


def test_a_stranger_hears_once_a_day() -> None:
    assert silence_before_stranger(None, NOON) == ""
    assert silence_before_stranger(NOON - timedelta(hours=23), NOON) == "stranger-answered-today"
    assert silence_before_stranger(NOON - timedelta(hours=24), NOON) == ""


def test_the_breaker_opens_at_its_limit() -> None:
    assert [breaker_open(count, 3) for count in (2, 3)] == [False, True]
