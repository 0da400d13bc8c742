"""Instants as people write them: ``5.12 21:00``, ``2026-12-05 21:00 Омск``, ``чт 21:00``, ``завтра 21:00``."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from adjudicator.services import schedule, zones

_CLOCK: Final = re.compile(r"(\d{1,2}):(\d{2})")
_ISO: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_DAY: Final = re.compile(r"(\d{1,2})\.(\d{1,2})(?:\.(\d{4}))?\.?")
_NEAR: Final = {"сегодня": 0, "today": 0, "завтра": 1, "tomorrow": 1, "послезавтра": 2, "вчера": -1, "yesterday": -1}
_IDLE: Final = ("в", "at", "на", "к", "до", "on", "by")


class InstantError(ValueError):
    """Words that name no instant, or that could name two; the message quotes what it stumbled on."""


def parse(text: str, zone: str, now: datetime, *, ahead: bool = True) -> datetime:
    """Return the UTC instant that words name: a day and an hour, and a zone where it is not this one.

    A day without its year is the next such day from now (``ahead``), else the last. ``3/12`` names two days and is
    refused. Raises `InstantError`.
    """
    apart = re.sub(r"(?<=\d)T(?=\d)", " ", text.strip())
    words = [word for word in re.split(r"[\s,]+", apart) if word and word.casefold() not in _IDLE]
    clocks = [word for word in words if _CLOCK.fullmatch(word)]
    if len(clocks) != 1:
        raise InstantError(text.strip())
    rest = [word for word in words if word != clocks[0]]
    if not rest:
        raise InstantError(text.strip())
    if any("/" in word and word[:1].isdigit() for word in rest):
        raise InstantError(next(word for word in rest if "/" in word))
    name = _zone(" ".join(rest[1:]), zone)
    hour = _hour(clocks[0])
    today = now.astimezone(ZoneInfo(name)).date()
    day = _day(rest[0].casefold(), today, ahead=ahead)
    instant = schedule.at_wall_time(day, hour, ZoneInfo(name))
    if rest[0].casefold() in schedule.DAYS and ahead and instant <= now:
        instant = schedule.at_wall_time(day + timedelta(days=7), hour, ZoneInfo(name))
    return instant


def _zone(typed: str, default: str) -> str:
    if not typed:
        return default
    name = zones.resolve(typed)
    if name is None:
        raise InstantError(typed)
    return name


def _hour(typed: str) -> time:
    found = _CLOCK.fullmatch(typed)
    if found is None or int(found[1]) > 23 or int(found[2]) > 59:
        raise InstantError(typed)
    return time(int(found[1]), int(found[2]))


def _day(typed: str, today: date, *, ahead: bool) -> date:
    try:
        if typed in _NEAR:
            return today + timedelta(days=_NEAR[typed])
        if typed in schedule.DAYS:
            distance = (schedule.DAYS[typed] - today.weekday()) % 7
            return today + timedelta(days=distance if ahead else distance - 7 if distance else 0)
        if found := _ISO.fullmatch(typed):
            return date(int(found[1]), int(found[2]), int(found[3]))
        if found := _DAY.fullmatch(typed):
            if found[3]:
                return date(int(found[3]), int(found[2]), int(found[1]))
            return _nearest(int(found[2]), int(found[1]), today, ahead=ahead)
    except ValueError as cause:
        raise InstantError(typed) from cause
    raise InstantError(typed)


def _nearest(month: int, day: int, today: date, *, ahead: bool) -> date:
    """Return the next or the last day of this number and month; 29.2 is looked for through four years."""
    years = range(today.year, today.year + 5) if ahead else range(today.year, today.year - 5, -1)
    for year in years:
        try:
            found = date(year, month, day)
        except ValueError:
            continue
        if (found >= today) if ahead else (found <= today):
            return found
    raise InstantError(f"{day}.{month}")
