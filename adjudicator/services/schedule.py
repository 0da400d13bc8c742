"""When turns end: schedules read from a line, deadlines computed once as UTC instants (play-by-mail 1.5)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from adjudicator.services.header import Header

DAYS: Final = {
    **dict.fromkeys(("пн", "понедельник", "mon", "monday"), 0),
    **dict.fromkeys(("вт", "вторник", "tue", "tuesday"), 1),
    **dict.fromkeys(("ср", "среда", "среду", "wed", "wednesday"), 2),
    **dict.fromkeys(("чт", "четверг", "thu", "thursday"), 3),
    **dict.fromkeys(("пт", "пятница", "пятницу", "fri", "friday"), 4),
    **dict.fromkeys(("сб", "суббота", "субботу", "sat", "saturday"), 5),
    **dict.fromkeys(("вс", "воскресенье", "sun", "sunday"), 6),
}
UNITS: Final = {"h": 3600, "ч": 3600, "d": 86400, "д": 86400, "m": 60, "м": 60, "мин": 60, "min": 60}
_EVERY: Final = ("каждый", "каждую", "каждое", "every")
_SKIP: Final = ("skip", "кроме")
LONGEST: Final = timedelta(days=60)


class ScheduleError(ValueError):
    """A schedule that cannot be read; the message quotes the part that is wrong."""


@dataclass(frozen=True, slots=True)
class Weekly:
    """Fixed days of the week at a wall time of one zone."""

    days: tuple[int, ...]
    hour: time
    zone: ZoneInfo
    skip: tuple[date, ...] = ()

    @property
    def period(self) -> timedelta:
        """The usual gap between deadlines."""
        return timedelta(days=7) / len(self.days)


@dataclass(frozen=True, slots=True)
class Every:
    """A span counted from the report, rounded up to the game's hour (to the full hour where it has none)."""

    span: timedelta
    hour: time | None
    zone: ZoneInfo
    skip: tuple[date, ...] = ()

    @property
    def period(self) -> timedelta:
        """The usual gap between deadlines."""
        return self.span


Schedule: TypeAlias = Weekly | Every


def parse_span(text: str) -> timedelta:
    """Return a span such as ``48h``, ``2d``, ``36ч``, ``90min``. Raises `ScheduleError` for another or over 60 days."""
    found = re.fullmatch(r"(\d{1,5})\s*(h|ч|d|д|m|м|мин|min)", text.strip().casefold())
    if not found:
        raise ScheduleError(text)
    span = timedelta(seconds=int(found[1]) * UNITS[found[2]])
    if not timedelta(minutes=1) <= span <= LONGEST:
        raise ScheduleError(text)
    return span


def parse(text: str, default_zone: str) -> Schedule:
    """Return the schedule that a line states.

    ``каждый пн, чт 21:00 Europe/Moscow``, ``every mon,thu 21:00``, ``48h``, ``48h 21:00 Europe/Moscow``, each with
    ``skip 2026-12-31, 2027-01-01``. Raises `ScheduleError` that quotes the word it stumbled on.
    """
    words = re.split(r"[\s,;]+", text.strip())
    words, skip = _split_skips(words)
    if not words or words == [""]:
        raise ScheduleError(text)
    zone, words = _take_zone(words, default_zone)
    hour, words = _take_hour(words)
    if words and words[0].casefold() in _EVERY:
        if hour is None:
            raise ScheduleError(text)
        return Weekly(_days(words[1:], text), hour, zone, skip)
    if len(words) != 1:
        raise ScheduleError(" ".join(words) or text)
    return Every(parse_span(words[0]), hour, zone, skip)


def for_phase(schedule: Schedule, seconds: int | None) -> Schedule:
    """Return the schedule of a kind of turn whose length the game's header sets apart; None leaves it (1.5, 1.8)."""
    if seconds is None:
        return schedule
    return Every(timedelta(seconds=seconds), None, schedule.zone, schedule.skip)


def write(schedule: Schedule) -> str:
    """Return the line that `parse` reads back as this schedule."""
    names = [next(word for word, number in DAYS.items() if number == day and word.isascii()) for day in range(7)]
    tail = f" {schedule.zone.key}"
    if schedule.skip:
        tail += " skip " + ", ".join(day.isoformat() for day in schedule.skip)
    if isinstance(schedule, Weekly):
        return f"every {','.join(names[day] for day in schedule.days)} {schedule.hour:%H:%M}{tail}"
    minutes = int(schedule.span.total_seconds()) // 60
    span = f"{minutes // 60}h" if minutes % 60 == 0 else f"{minutes}m"
    return span + (f" {schedule.hour:%H:%M}" if schedule.hour else "") + tail


def _split_skips(words: list[str]) -> tuple[list[str], tuple[date, ...]]:
    for place, word in enumerate(words):
        if word.casefold() in _SKIP:
            try:
                return words[:place], tuple(date.fromisoformat(item) for item in words[place + 1 :])
            except ValueError as cause:
                raise ScheduleError(" ".join(words[place:])) from cause
    return words, ()


def _take_zone(words: list[str], default: str) -> tuple[ZoneInfo, list[str]]:
    if "/" in words[-1] or words[-1] == "UTC":
        try:
            return ZoneInfo(words[-1]), words[:-1]
        except (ZoneInfoNotFoundError, ValueError) as cause:
            raise ScheduleError(words[-1]) from cause
    return ZoneInfo(default), words


def _take_hour(words: list[str]) -> tuple[time | None, list[str]]:
    for place, word in enumerate(words):
        found = re.fullmatch(r"(\d{1,2}):(\d{2})", word)
        if found:
            if int(found[1]) > 23 or int(found[2]) > 59:
                raise ScheduleError(word)
            return time(int(found[1]), int(found[2])), words[:place] + words[place + 1 :]
    return None, words


def _days(words: list[str], text: str) -> tuple[int, ...]:
    unknown = [word for word in words if word.casefold() not in DAYS]
    if unknown or not words:
        raise ScheduleError(unknown[0] if unknown else text)
    return tuple(sorted({DAYS[word.casefold()] for word in words}))


def at_wall_time(day: date, hour: time, zone: ZoneInfo) -> datetime:
    """Return the UTC instant of a wall time: the next one where it does not exist, the first where it comes twice."""
    wall = datetime.combine(day, hour, zone)
    instant = wall.astimezone(UTC)
    if instant.astimezone(zone).replace(tzinfo=None) == wall.replace(tzinfo=None):
        return instant
    early, late = wall.replace(fold=1).astimezone(UTC), instant
    offset = early.astimezone(zone).utcoffset()
    while late - early > timedelta(seconds=1):
        middle = early + (late - early) / 2
        if middle.astimezone(zone).utcoffset() == offset:
            early = middle
        else:
            late = middle
    return late.replace(microsecond=0)


def next_deadline(schedule: Schedule, report: datetime, *, times: int = 1) -> datetime:
    """Return the first scheduled instant at least half the usual gap after the report (play-by-mail 1.5).

    ``times=2`` gives the first turn its double length (play-by-mail 0).
    """
    if isinstance(schedule, Every):
        return _rounded(schedule, report + schedule.span * times)
    return first_from(schedule, report + schedule.period * (times - 0.5))


def first_from(schedule: Schedule, earliest: datetime) -> datetime:
    """Return the first scheduled instant from another on: an absence moves a deadline there (play-by-mail 1.7)."""
    if isinstance(schedule, Every):
        return _rounded(schedule, earliest)
    day = earliest.astimezone(schedule.zone).date() - timedelta(days=1)
    for ahead in range(400):
        candidate = day + timedelta(days=ahead)
        if candidate.weekday() in schedule.days and candidate not in schedule.skip:
            instant = at_wall_time(candidate, schedule.hour, schedule.zone)
            if instant >= earliest:
                return instant
    raise ScheduleError("skip")


def _rounded(schedule: Every, earliest: datetime) -> datetime:
    if schedule.hour is None:
        wall = earliest.astimezone(schedule.zone)  # zones with an odd half hour have full hours of their own
        past = timedelta(minutes=wall.minute, seconds=wall.second, microseconds=wall.microsecond)
        instant = earliest if not past else earliest - past + timedelta(hours=1)
        while instant.astimezone(schedule.zone).date() in schedule.skip:
            instant += timedelta(days=1)
        return instant
    day = earliest.astimezone(schedule.zone).date()
    while True:
        instant = at_wall_time(day, schedule.hour, schedule.zone)
        if instant >= earliest and day not in schedule.skip:
            return instant
        day += timedelta(days=1)


def of_phase(header: Header, phase: str) -> Schedule:
    """Return when a turn of a kind ends: the game's schedule, or a span of its own from the report (header.phases)."""
    return for_phase(parse(header.schedule, header.zone), header.phases.get(phase))


def min_notice(period: timedelta) -> timedelta:
    """Return how long before a deadline a seat must be told: a third of the period, at most 12 h (play-by-mail 1.4)."""
    return min(period / 3, timedelta(hours=12))
