"""The days of an absence read from a line, Russian, English or ISO; what could mean two things is refused (1.7)."""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import partial
from typing import Any, Final, NamedTuple

import msgspec

from engine.core.contract import Value

NEAR: Final = timedelta(days=183)
"""How far ahead days without a year may lie; what is further off is taken for days that have passed."""
FAR: Final = timedelta(days=366)
_MONTHS: Final = tuple(
    frozenset(names.split())
    for names in (
        "янв январь января jan january",
        "фев февр февраль февраля feb february",
        "мар март марта mar march",
        "апр апрель апреля apr april",
        "май мая may",
        "июн июнь июня jun june",
        "июл июль июля jul july",
        "авг август августа aug august",
        "сен сент сентябрь сентября sep sept september",
        "окт октябрь октября oct october",
        "ноя нояб ноябрь ноября nov november",
        "дек декабрь декабря dec december",
    )
)
_ISO: Final = re.compile(r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")
_ISO_SPAN: Final = re.compile(r"(\d{1,2}\.\d{1,2}\.\d{4})\s*/\s*(?=\d{1,2}\.\d{1,2}\.\d{4})")
_SLASHED: Final = re.compile(r"(?<!\d)(\d{1,2})\s*/\s*(\d{1,2})(?:\s*/\s*(\d{4}|\d{2}))?(?!\d)")
_BETWEEN: Final = re.compile(r"\s*(?:\.{2,}|-|\b(?:по|до|to|until|till|through)\b)\s*")
_NUMBERS: Final = re.compile(r"(\d{1,2})(?:\.(\d{1,2})(?:\.(\d{4}|\d{2}))?)?\.?")
_DAY_MONTH: Final = re.compile(
    r"(\d{1,2})(?:st|nd|rd|th|-?го)?\s+([a-zа-я]{3,10})\.?(?:,?\s+(\d{4}))?(?:\s*г(?:ода)?\.?)?"
)
_MONTH_DAY: Final = re.compile(r"([a-zа-я]{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(\d{4}))?")


class Days(Value, frozen=True):
    """An absence from its first to its last day, both of them belonging to it."""

    first: date
    last: date

    @property
    def count(self) -> int:
        """How many days it has."""
        return (self.last - self.first).days + 1


class Unread(Value, frozen=True):
    """Why a line gives no days: the key of a complaint and its facts."""

    key: str
    facts: dict[str, Any] = msgspec.field(default_factory=dict)


class _Part(NamedTuple):
    day: int
    month: int | None
    year: int | None


def read(text: str, today: date) -> Days | Unread:
    """Return the days a line names, seen from ``today`` where its writer lives.

    ``3.12-10.12``, ``3-10.12``, ``3.12``, ``с 3 по 10 декабря``, ``Dec 3 - Dec 10``, ``2026-12-03..2026-12-10``. Days
    without a year are the next such days; the year may turn within them. ``3/12`` is refused with both readings.
    """
    plain = _plain(text)
    if _SLASHED.search(plain):
        return _slashed(plain, today)
    parts = _parts(plain)
    if parts is None:
        return Unread(key="absence-unread")
    try:
        return _placed(*parts, today)
    except ValueError:
        return Unread(key="absence-no-day")


def _plain(text: str) -> str:
    plain = " ".join(text.casefold().replace("ё", "е").split())
    plain = re.sub("[\u2010-\u2015\u2212]", "-", plain)
    plain = re.sub(r"^(?:с|со|from)\s+", "", plain).rstrip(" .!")
    plain = _ISO.sub(lambda found: f"{int(found[3])}.{int(found[2])}.{found[1]}", plain)
    return _ISO_SPAN.sub(r"\1-", plain)


def _slashed(plain: str, today: date) -> Unread:
    """Refuse ``3/12`` with what it could mean: the day first, or the month first."""
    readings = []
    for order in ((1, 2, 3), (2, 1, 3)):
        found = read(_SLASHED.sub(partial(_dotted, order), plain), today)
        if isinstance(found, Days) and found not in readings:
            readings.append(found)
    facts = [{"first": one.first.isoformat(), "last": one.last.isoformat()} for one in readings]
    return Unread(key="absence-slash", facts={"readings": facts})


def _dotted(order: tuple[int, ...], found: re.Match[str]) -> str:
    return ".".join(found[place] for place in order if found[place])


def _parts(plain: str) -> tuple[_Part, _Part] | None:
    """Return the first and the last day as written, a month that only one of them names given to both."""
    found = [_part(one) for one in _BETWEEN.split(plain)]
    if not 1 <= len(found) <= 2 or None in found:
        return None
    first, last = (one for one in (found[0], found[-1]) if one is not None)
    if first.month is None:
        first = first._replace(month=last.month)
    if last.month is None:
        last = last._replace(month=first.month)
    return None if first.month is None else (first, last)


def _part(text: str) -> _Part | None:
    if found := _NUMBERS.fullmatch(text):
        return _Part(int(found[1]), int(found[2]) if found[2] else None, _year(found[3]))
    if found := _DAY_MONTH.fullmatch(text):
        day, name, year = found.groups()
    elif found := _MONTH_DAY.fullmatch(text):
        name, day, year = found.groups()
    else:
        return None
    month = next((place for place, names in enumerate(_MONTHS, 1) if name in names), None)
    return None if month is None else _Part(int(day), month, _year(year))


def _year(text: str | None) -> int | None:
    if text is None:
        return None
    return int(text) if len(text) == 4 else 2000 + int(text)


def _placed(first: _Part, last: _Part, today: date) -> Days | Unread:
    """Return the days in their years. Raises ValueError for a day that no calendar has."""
    if first.year is not None or last.year is not None:
        begin = _day(first, first.year if first.year is not None else last.year or 0)
        end = _day(last, last.year if last.year is not None else begin.year)
        if first.year is None and begin > end:
            begin = _day(first, begin.year - 1)
        if last.year is None and end < begin:
            end = _day(last, begin.year + 1)
        return _checked(begin, end, today)
    for year in (today.year - 1, today.year, today.year + 1):
        days = _within(first, last, year)
        if days is not None and days[1] >= today:
            return Unread(key="absence-past") if days[0] - today > NEAR else _checked(*days, today)
    return Unread(key="absence-no-day")


def _within(first: _Part, last: _Part, year: int) -> tuple[date, date] | None:
    """Return days without a year as they lie in one, None where its calendar lacks one of them (29 February)."""
    try:
        begin, end = _day(first, year), _day(last, year)
        return (begin, end) if begin <= end else (begin, _day(last, year + 1))
    except ValueError:
        return None


def _day(part: _Part, year: int) -> date:
    return date(year, part.month or 0, part.day)


def _checked(first: date, last: date, today: date) -> Days | Unread:
    if last < first:
        return Unread(key="absence-backwards")
    if last < today:
        return Unread(key="absence-past")
    if last - today > FAR:
        return Unread(key="absence-far")
    return Days(first=max(first, today), last=last)
