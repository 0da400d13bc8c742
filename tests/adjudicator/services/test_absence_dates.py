"""Days of an absence as people write them (play-by-mail 1.7); today is Friday, 20 November 2026."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.services.absence_dates import Days, Unread, read

TODAY = date(2026, 11, 20)
WEEK = Days(first=date(2026, 12, 3), last=date(2026, 12, 10))


@pytest.mark.parametrize(
    "text",
    [
        "3.12-10.12",
        "3.12 - 10.12",
        "3.12 — 10.12.",
        "03.12–10.12",
        "3-10.12",
        "с 3.12 по 10.12",
        "с 3 по 10 декабря",
        "3 декабря - 10 декабря",
        "3-10 дек",
        "3.12.2026-10.12.2026",
        "3.12-10.12.26",
        "Dec 3 - Dec 10",
        "December 3-10",
        "3rd December to 10th December 2026",
        "from 3 Dec until 10 Dec",
        "2026-12-03..2026-12-10",
        "2026-12-03 - 2026-12-10",
        "2026-12-03/2026-12-10",
    ],
)
def test_days_are_read_in_russian_english_and_iso(text: str) -> None:
    assert read(text, TODAY) == WEEK


@pytest.mark.parametrize("text", ["3.12", "3 декабря", "2026-12-03", "Dec 3"])
def test_one_day_is_an_absence_too(text: str) -> None:
    assert read(text, TODAY) == Days(first=date(2026, 12, 3), last=date(2026, 12, 3))


def test_both_days_belong_to_it() -> None:
    assert WEEK.count == 8


@pytest.mark.parametrize("text", ["3/12", "3/12-10/12", "3/12/2026 - 10/12/2026"])
def test_slash_is_refused_with_both_readings(text: str) -> None:
    found = read(text, TODAY)

    assert isinstance(found, Unread)
    assert found.key == "absence-slash"
    assert len(found.facts["readings"]) == (1 if "2026" in text else 2)  # 12 March 2026 has passed


def test_slash_says_what_the_readings_are() -> None:
    assert read("3/12", TODAY) == Unread(
        key="absence-slash",
        facts={
            "readings": [
                {"first": "2026-12-03", "last": "2026-12-03"},
                {"first": "2027-03-12", "last": "2027-03-12"},
            ]
        },
    )


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("30.12-5.1", date(2026, 12, 30), date(2027, 1, 5)),
        ("5.1-10.1", date(2027, 1, 5), date(2027, 1, 10)),
        ("30.12-3.1.2027", date(2026, 12, 30), date(2027, 1, 3)),
        ("30.12.2026-3.1", date(2026, 12, 30), date(2027, 1, 3)),
    ],
)
def test_year_may_turn_within_the_days_or_before_them(text: str, first: date, last: date) -> None:
    assert read(text, TODAY) == Days(first=first, last=last)


def test_days_that_have_begun_count_from_today() -> None:
    assert read("15.11-25.11", TODAY) == Days(first=TODAY, last=date(2026, 11, 25))


def test_twenty_ninth_of_february_is_sought_in_a_year_that_has_it() -> None:
    assert read("29.2", date(2027, 12, 1)) == Days(first=date(2028, 2, 29), last=date(2028, 2, 29))


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("1.11-5.11", "absence-past"),
        ("1.11.2026", "absence-past"),
        ("10.12.2026-3.12.2026", "absence-backwards"),
        ("1.1.2029", "absence-far"),
        ("31.2", "absence-no-day"),
        ("31.2.2027", "absence-no-day"),
        ("3.13", "absence-no-day"),
        ("завтра", "absence-unread"),
        ("на неделю", "absence-unread"),
        ("3 маршрута", "absence-unread"),
        ("3", "absence-unread"),
        ("3.12-5.12-7.12", "absence-unread"),
        ("", "absence-unread"),
    ],
)
def test_what_gives_no_days_is_refused_with_the_reason(text: str, key: str) -> None:
    found = read(text, TODAY)

    assert isinstance(found, Unread)
    assert found.key == key


@settings(derandomize=True, max_examples=200)
@given(st.dates(date(2026, 1, 1), date(2030, 12, 31)), st.text(max_size=60))
def test_reading_never_raises(today: date, text: str) -> None:
    read(text, today)


@settings(derandomize=True, max_examples=200)
@given(st.dates(date(2026, 1, 1), date(2030, 12, 31)), st.integers(0, 180), st.integers(0, 60))
def test_days_written_out_are_read_back_whatever_the_day_today(today: date, ahead: int, length: int) -> None:
    first = date.fromordinal(today.toordinal() + ahead)
    last = date.fromordinal(first.toordinal() + length)

    for text in (f"{first}..{last}", f"{first:%d.%m}-{last:%d.%m}", f"{first:%d.%m.%Y}-{last:%d.%m.%Y}"):
        assert read(text, today) == Days(first=first, last=last), text
