"""When turns end: lines read, deadlines reckoned across weekends, skips and clock changes (play-by-mail 1.5, 1.4)."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.services.schedule import (
    Every,
    Schedule,
    ScheduleError,
    Weekly,
    at_wall_time,
    min_notice,
    next_deadline,
    parse,
    parse_span,
    write,
)

MOSCOW, BERLIN, NEW_YORK = ZoneInfo("Europe/Moscow"), ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York")
NINE = time(21, 0)
HOUR = timedelta(hours=1)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


# Reading and writing


@pytest.mark.parametrize(
    ("line", "schedule"),
    [
        ("каждый пн, чт 21:00 Europe/Moscow", Weekly((0, 3), NINE, MOSCOW)),
        ("every mon,thu 21:00 Europe/Moscow", Weekly((0, 3), NINE, MOSCOW)),
        ("Каждую среду 21:00", Weekly((2,), NINE, BERLIN)),
        ("каждое воскресенье 9:05 UTC", Weekly((6,), time(9, 5), ZoneInfo("UTC"))),
        ("every thursday, monday; friday 21:00", Weekly((0, 3, 4), NINE, BERLIN)),
        ("48h", Every(48 * HOUR, None, BERLIN)),
        ("48 ч".replace(" ", ""), Every(48 * HOUR, None, BERLIN)),
        ("2d 21:00 Europe/Moscow", Every(48 * HOUR, NINE, MOSCOW)),
        ("3д 21:00", Every(72 * HOUR, NINE, BERLIN)),
        ("90мин", Every(1.5 * HOUR, None, BERLIN)),
        (
            "every mon 21:00 Europe/Moscow skip 2026-12-28, 2027-01-04",
            Weekly((0,), NINE, MOSCOW, (date(2026, 12, 28), date(2027, 1, 4))),
        ),
        ("48h 21:00 Europe/Moscow кроме 2026-12-31", Every(48 * HOUR, NINE, MOSCOW, (date(2026, 12, 31),))),
    ],
)
def test_line_is_read(line: str, schedule: Schedule) -> None:
    assert parse(line, "Europe/Berlin") == schedule


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("", ""),
        ("   ", "   "),
        ("every", "every"),
        ("every mon", "every mon"),
        ("every 21:00", "every 21:00"),
        ("каждый пн, фигвам 21:00", "фигвам"),
        ("every mon 25:00", "25:00"),
        ("every mon 21:00 Europe/Atlantis", "Europe/Atlantis"),
        ("every mon 21:00 ../../etc/passwd", "../../etc/passwd"),
        ("48", "48"),
        ("0h", "0h"),
        ("2000h", "2000h"),
        ("48h завтра", "48h завтра"),
        ("48h skip never", "skip never"),
    ],
)
def test_line_that_is_none_is_refused_with_the_word_it_stumbled_on(line: str, word: str) -> None:
    with pytest.raises(ScheduleError) as refusal:
        parse(line, "Europe/Moscow")
    assert str(refusal.value) == word


def test_span_is_read_in_both_languages() -> None:
    assert parse_span("36ч") == parse_span("36h") == 36 * HOUR
    assert parse_span("2 д") == parse_span("2 d") == 48 * HOUR


DATES = st.lists(st.dates(date(2026, 1, 1), date(2030, 12, 31)), max_size=3, unique=True).map(tuple)
ZONES = st.sampled_from([MOSCOW, BERLIN, NEW_YORK, ZoneInfo("UTC"), ZoneInfo("Asia/Kolkata")])
HOURS = st.builds(time, st.integers(0, 23), st.integers(0, 59))
WEEKLY = st.builds(
    Weekly,
    st.lists(st.integers(0, 6), min_size=1, max_size=7, unique=True).map(lambda d: tuple(sorted(d))),
    HOURS,
    ZONES,
    DATES,
)
EVERY = st.builds(Every, st.integers(1, 86_000).map(lambda m: timedelta(minutes=m)), st.none() | HOURS, ZONES, DATES)


@settings(derandomize=True, max_examples=150)
@given(WEEKLY | EVERY)
def test_what_is_written_is_read_back(schedule: Schedule) -> None:
    assert parse(write(schedule), "Asia/Tokyo") == schedule


# Deadlines


WEEKDAYS = parse("every mon,thu 21:00 Europe/Moscow", "UTC")  # the usual gap is 84 h, half of it 42 h


@pytest.mark.parametrize(
    ("report", "deadline"),
    [
        ("2026-01-05T18:05", "2026-01-08T18:00"),  # Monday's report: Thursday
        ("2026-01-06T23:59", "2026-01-08T18:00"),  # 42 h 1 min before Thursday's deadline
        ("2026-01-07T00:00", "2026-01-08T18:00"),  # exactly half the usual gap
        ("2026-01-07T00:01", "2026-01-12T18:00"),  # too late for Thursday
        ("2026-01-08T18:01", "2026-01-12T18:00"),
    ],
)
def test_next_deadline_is_the_first_instant_half_the_usual_gap_after_the_report(report: str, deadline: str) -> None:
    assert next_deadline(WEEKDAYS, utc(report)) == utc(deadline)


def test_first_turn_has_twice_the_usual_time() -> None:
    assert next_deadline(WEEKDAYS, utc("2026-01-05T18:05"), times=2) == utc("2026-01-12T18:00")
    assert next_deadline(parse("48h", "UTC"), utc("2026-01-05T12:00"), times=2) == utc("2026-01-09T12:00")


def test_skipped_days_have_no_deadline() -> None:
    plan = parse("every mon,thu 21:00 Europe/Moscow skip 2026-01-08, 2026-01-12", "UTC")

    assert next_deadline(plan, utc("2026-01-05T18:05")) == utc("2026-01-15T18:00")


def test_schedule_that_skips_every_day_is_refused() -> None:
    monday = date(2026, 1, 5)
    skip = tuple(monday + timedelta(weeks=week) for week in range(80))

    with pytest.raises(ScheduleError):
        next_deadline(Weekly((0,), NINE, MOSCOW, skip), utc("2026-01-05T18:05"))


@pytest.mark.parametrize(
    ("line", "report", "deadline"),
    [
        ("48h", "2026-01-05T12:00", "2026-01-07T12:00"),  # a full hour stands
        ("48h", "2026-01-05T12:00:01", "2026-01-07T13:00"),  # else rounded up
        ("48h 21:00 Europe/Moscow", "2026-01-05T12:00", "2026-01-07T18:00"),
        ("48h 21:00 Europe/Moscow", "2026-01-05T18:01", "2026-01-08T18:00"),
        ("48h 21:00 Europe/Moscow skip 2026-01-07", "2026-01-05T12:00", "2026-01-08T18:00"),
        ("48h UTC skip 2026-01-07", "2026-01-05T12:00", "2026-01-08T12:00"),
        ("30m", "2026-01-05T12:10", "2026-01-05T13:00"),
    ],
)
def test_span_is_counted_from_the_report_and_rounded_up_to_the_games_hour(
    line: str, report: str, deadline: str
) -> None:
    assert next_deadline(parse(line, "UTC"), utc(report)) == utc(deadline)


@pytest.mark.parametrize(
    ("zone", "offset"),
    [("Asia/Kolkata", timedelta(hours=5, minutes=30)), ("Asia/Kathmandu", timedelta(hours=5, minutes=45))],
)
def test_span_is_rounded_to_a_full_hour_of_the_games_own_zone(zone: str, offset: timedelta) -> None:
    deadline = next_deadline(parse(f"48h {zone}", "UTC"), utc("2026-01-05T12:00"))

    assert (deadline + offset).minute == 0
    assert timedelta(0) <= deadline - utc("2026-01-07T12:00") < HOUR


# Clock changes


def test_wall_time_is_kept_across_clock_changes() -> None:
    plan = parse("every sat 21:00 Europe/Berlin", "UTC")
    before = next_deadline(plan, utc("2026-03-15T12:00"))
    after = next_deadline(plan, utc("2026-03-23T12:00"))

    assert (before, after) == (utc("2026-03-21T20:00"), utc("2026-03-28T20:00"))
    assert next_deadline(plan, utc("2026-03-29T12:00")) == utc("2026-04-04T19:00")


@pytest.mark.parametrize(
    ("day", "hour", "zone", "instant"),
    [
        (date(2026, 3, 29), time(2, 30), BERLIN, "2026-03-29T01:00"),  # 02:00-03:00 does not exist: the next instant
        (date(2026, 3, 29), time(2, 0), BERLIN, "2026-03-29T01:00"),
        (date(2026, 3, 29), time(3, 0), BERLIN, "2026-03-29T01:00"),
        (date(2026, 3, 29), time(1, 59), BERLIN, "2026-03-29T00:59"),
        (date(2026, 10, 25), time(2, 30), BERLIN, "2026-10-25T00:30"),  # comes twice: the first
        (date(2026, 10, 25), time(3, 0), BERLIN, "2026-10-25T02:00"),
        (date(2026, 3, 8), time(2, 30), NEW_YORK, "2026-03-08T07:00"),
        (date(2026, 11, 1), time(1, 30), NEW_YORK, "2026-11-01T05:30"),
        (date(2011, 12, 30), time(12, 0), ZoneInfo("Pacific/Apia"), "2011-12-30T10:00"),  # a day that never was
        (date(2026, 1, 5), NINE, MOSCOW, "2026-01-05T18:00"),
    ],
)
def test_wall_time_across_a_clock_change(day: date, hour: time, zone: ZoneInfo, instant: str) -> None:
    assert at_wall_time(day, hour, zone) == utc(instant)


@settings(derandomize=True, max_examples=150)
@given(WEEKLY | EVERY, st.integers(0, 4 * 365 * 24 * 60))
def test_deadline_comes_after_its_least_time_and_never_on_a_skipped_day(schedule: Schedule, minute: int) -> None:
    report = utc("2026-01-01T00:00") + timedelta(minutes=minute)

    deadline = next_deadline(schedule, report)

    assert deadline - report >= (schedule.period if isinstance(schedule, Every) else schedule.period / 2)
    assert deadline.astimezone(schedule.zone).date() not in schedule.skip


@pytest.mark.parametrize(("period", "notice"), [(24 * HOUR, 8 * HOUR), (36 * HOUR, 12 * HOUR), (84 * HOUR, 12 * HOUR)])
def test_notice_is_a_third_of_the_period_and_at_most_twelve_hours(period: timedelta, notice: timedelta) -> None:
    assert min_notice(period) == notice
