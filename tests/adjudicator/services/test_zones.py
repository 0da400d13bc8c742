"""A zone as people name it."""

from __future__ import annotations

import pytest

from adjudicator.services import zones

NAMED = [
    ("Омск", "Asia/Omsk"),
    ("омск", "Asia/Omsk"),
    ("Omsk", "Asia/Omsk"),
    ("Нью-Йорк", "America/New_York"),
    ("new york", "America/New_York"),
    ("Europe/Moscow", "Europe/Moscow"),
    ("europe/moscow", "Europe/Moscow"),
    ("Москва", "Europe/Moscow"),
    ("Лондон", "Europe/London"),
    ("МСК", "Europe/Moscow"),
    ("msk", "Europe/Moscow"),
    ("МСК+3", "Etc/GMT-6"),
    ("мск +3", "Etc/GMT-6"),
    ("МСК-3", "UTC"),
    ("UTC", "UTC"),
    ("utc+6", "Etc/GMT-6"),
    ("UTC−5", "Etc/GMT+5"),
    ("GMT+0", "UTC"),
]


@pytest.mark.parametrize(("typed", "zone"), NAMED)
def test_zone_is_understood(typed: str, zone: str) -> None:
    assert zones.resolve(typed) == zone


@pytest.mark.parametrize(
    "typed", ["", "Атлантида", "UTC+15", "МСК+12", "UTC-13", "UTC+5:30", "../../etc/passwd", "x" * 300]
)
def test_zone_that_is_none_is_refused(typed: str) -> None:
    assert zones.resolve(typed) is None
