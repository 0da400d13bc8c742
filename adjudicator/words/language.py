"""What differs between languages and is no sentence: plurals, dates in a reader's zone, spans of time."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel import Locale
from babel.dates import format_date, format_datetime, get_timezone_location

Tongue = Literal["ru", "en"]
_DAY: Final = {"ru": "EEE d MMMM", "en": "EEE d MMMM"}
_CLOCK: Final = "HH:mm"


@cache
def locale(language: Tongue) -> Locale:
    """Return the Babel locale of a language."""
    return Locale(language)


def plural(number: int, language: Tongue, *forms: str) -> str:
    """Return the form that goes with a number: one, few, many in Russian; one, other in English.

    Raises ValueError if the language needs another number of forms.
    """
    tags = {"ru": ("one", "few", "many"), "en": ("one", "other")}[language]
    if len(forms) != len(tags):
        raise ValueError(f"{language} has {len(tags)} forms, given were {forms!r}")
    return forms[tags.index(locale(language).plural_form(abs(number)))]


def instant(text: str) -> dt.datetime:
    """Read a UTC-aware instant in ISO 8601. Raises ValueError for one without a zone."""
    moment = dt.datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"an instant without a zone: {text!r}")
    return moment


@dataclass(frozen=True, slots=True)
class Moment:
    """An instant as a reader sees it: day and hour in his zone, the offset, the zone's place, and the same in UTC."""

    day: str
    clock: str
    offset: str
    place: str
    utc_day: str
    utc_clock: str
    same_day: bool


def moment(text: str, zone: str, language: Tongue) -> Moment:
    """Return an instant for a reader; an unknown zone is shown as UTC."""
    utc = instant(text).astimezone(dt.UTC)
    local = utc.astimezone(_zone(zone))
    return Moment(
        day=format_datetime(local, _DAY[language], locale=locale(language)),
        clock=format_datetime(local, _CLOCK, locale=locale(language)),
        offset=_offset(local),
        place=_place(zone, language),
        utc_day=format_datetime(utc, _DAY[language], locale=locale(language)),
        utc_clock=format_datetime(utc, _CLOCK, locale=locale(language)),
        same_day=local.date() == utc.date(),
    )


def day(text: str, language: Tongue) -> str:
    """Return a date, ``2026-12-03``, in words: «чт 3 декабря 2026»."""
    return format_date(dt.date.fromisoformat(text), "EEE d MMMM y", locale=locale(language))


def _zone(name: str) -> dt.tzinfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return dt.UTC


def _offset(local: dt.datetime) -> str:
    minutes = int((local.utcoffset() or dt.timedelta()).total_seconds() // 60)
    hours, rest = divmod(abs(minutes), 60)
    sign = "−" if minutes < 0 else "+"
    return f"UTC{sign}{hours}" + (f":{rest:02}" if rest else "") if minutes else "UTC"


def _place(zone: str, language: Tongue) -> str:
    """Return the town a zone is named after, "" for UTC and the like, which name none."""
    if "/" not in zone or zone.startswith("Etc/") or not isinstance(_zone(zone), ZoneInfo):
        return ""
    return get_timezone_location(_zone(zone), locale=locale(language), return_city=True)


@dataclass(frozen=True, slots=True)
class Span:
    """A span of time in whole days, hours and minutes, rounded down; minutes only where there are no days."""

    days: int
    hours: int
    minutes: int


def span(start: str, end: str) -> Span:
    """Return the time from ``start`` to ``end``, nothing if it has passed."""
    seconds = max(0, int((instant(end) - instant(start)).total_seconds()))
    minutes = seconds // 60
    days, rest = divmod(minutes, 24 * 60)
    hours, left = divmod(rest, 60)
    return Span(days, hours, 0 if days else left)


def hundredths(number: int, language: Tongue) -> str:
    """Return a number of hundredths with two decimals, and the mark between as the language has it."""
    mark = "," if language == "ru" else "."
    return f"{number // 100}{mark}{number % 100:02}"
