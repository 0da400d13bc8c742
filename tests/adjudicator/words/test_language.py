"""Plurals, moments in a zone, spans of time."""

from __future__ import annotations

import pytest

from adjudicator.words.language import Moment, Span, moment, plural, span


@pytest.mark.parametrize(
    ("number", "form"),
    [
        (0, "пробоин"),
        (1, "пробоина"),
        (2, "пробоины"),
        (5, "пробоин"),
        (11, "пробоин"),
        (12, "пробоин"),
        (21, "пробоина"),
    ],
)
def test_plural_in_russian(number: int, form: str) -> None:
    assert plural(number, "ru", "пробоина", "пробоины", "пробоин") == form


@pytest.mark.parametrize(("number", "form"), [(0, "holes"), (1, "hole"), (2, "holes"), (11, "holes"), (21, "holes")])
def test_plural_in_english(number: int, form: str) -> None:
    assert plural(number, "en", "hole", "holes") == form


def test_plural_refuses_a_wrong_number_of_forms() -> None:
    with pytest.raises(ValueError, match="ru has 3 forms"):
        plural(1, "ru", "дыра", "дыры")


def test_moment_names_the_readers_hour_its_offset_and_utc() -> None:
    assert moment("2026-12-05T22:30:00Z", "Asia/Omsk", "ru") == Moment(
        day="вс 6 декабря",
        clock="04:30",
        offset="UTC+6",
        place="Омск",
        utc_day="сб 5 декабря",
        utc_clock="22:30",
        same_day=False,
    )


@pytest.mark.parametrize(
    ("zone", "offset", "place"),
    [
        ("Asia/Kolkata", "UTC+5:30", "Kolkata"),
        ("America/St_Johns", "UTC−3:30", "St. John’s"),
        ("Europe/London", "UTC", "London"),
        ("UTC", "UTC", ""),
        ("Etc/GMT-3", "UTC+3", ""),
        ("Nowhere/Land", "UTC", ""),
        ("../etc/passwd", "UTC", ""),
    ],
)
def test_moment_shows_odd_zones(zone: str, offset: str, place: str) -> None:
    found = moment("2026-12-05T12:00:00Z", zone, "en")

    assert (found.offset, found.place) == (offset, place)


def test_moment_follows_the_clock_change() -> None:
    assert [moment(f"2026-{month}-01T12:00:00Z", "Europe/Berlin", "en").clock for month in ("01", "07")] == [
        "13:00",
        "14:00",
    ]


def test_moment_refuses_an_instant_without_a_zone() -> None:
    with pytest.raises(ValueError, match="without a zone"):
        moment("2026-12-05T12:00:00", "UTC", "en")


def test_span_rounds_down_and_is_never_negative() -> None:
    start = "2026-12-04T09:40:30Z"

    assert span(start, "2026-12-05T15:00:00Z") == Span(days=1, hours=5, minutes=0)
    assert span(start, "2026-12-04T11:00:00Z") == Span(days=0, hours=1, minutes=19)
    assert span(start, "2026-12-04T09:00:00Z") == Span(days=0, hours=0, minutes=0)
