"""A clock that jumps, forward and back (play-by-mail 1.3): the time it skipped does not count against anybody."""

from __future__ import annotations

from datetime import timedelta

import pytest

from adjudicator import jobs
from adjudicator.clock import MovedClock, SystemClock, iso
from adjudicator.services import ingest
from adjudicator.services.outages import Watch
from tests.adjudicator.services.stage import (
    ANNA,
    BORIS,
    HOUR,
    MINUTE,
    PIRATES,
    PIRATES_ORDERS,
    SPAIN,
    SPAIN_ORDERS,
    START,
    Stage,
)
from tests.adjudicator.services.test_turns import frozen


@pytest.mark.parametrize(
    ("wall", "ticks", "jump"),
    [
        (HOUR, HOUR, timedelta()),
        (HOUR + 59 * timedelta(seconds=1), HOUR, timedelta()),  # within what time servers correct
        (3 * HOUR, HOUR, 2 * HOUR),
        (-2 * HOUR, HOUR, -3 * HOUR),
    ],
)
def test_jump_is_what_the_clock_is_off_from_the_time_that_passed(
    wall: timedelta, ticks: timedelta, jump: timedelta
) -> None:
    watch = Watch()
    assert watch.jumped(START, timedelta()) == timedelta()

    assert watch.jumped(START + wall, ticks) == jump
    assert watch.jumped(START + wall + HOUR, ticks + HOUR) == timedelta()


def test_ticks_of_the_machine_grow_as_its_clock_does() -> None:
    clock = SystemClock()
    first, start = clock.ticks(), clock.now()
    second, end = clock.ticks(), clock.now()

    assert timedelta() <= second - first < timedelta(seconds=5)
    assert abs((end - start) - (second - first)) < timedelta(seconds=1)


def test_moved_clock_that_jumps_has_passed_no_time() -> None:
    clock = MovedClock(START)
    before = clock.ticks()
    clock.move(HOUR)
    clock.jump(-3 * HOUR)

    assert (clock.now(), clock.ticks() - before) == (START - 2 * HOUR, HOUR)


def near_the_deadline(stage: Stage) -> str:
    tag = stage.game()
    stage.settle()
    stage.say(tag, SPAIN, SPAIN_ORDERS)
    stage.read_until(stage.turn(tag).deadline - 20 * MINUTE)
    return tag


def test_clock_that_jumps_over_a_deadline_moves_it_by_the_jump_and_everybody_is_told(real: Stage) -> None:
    tag = near_the_deadline(real)
    deadline = real.turn(tag).deadline

    real.clock.jump(40 * MINUTE)  # less than an outage would need
    real.settle()

    assert (real.turn(tag).number, real.turn(tag).deadline) == (1, deadline + 40 * MINUTE)
    assert [row.address for row, _ in real.letters("deadline-moved")] == [ANNA, BORIS]
    assert real.notices("deadline-moved", ANNA)[0] == {
        "turn": 1,
        "before": iso(deadline),
        "deadline": iso(deadline + 40 * MINUTE),
        "reason": "clock",
        "since": iso(deadline - 20 * MINUTE),
        "until": iso(deadline + 20 * MINUTE),
    }


def test_long_jump_moves_a_deadline_once(real: Stage) -> None:
    tag = near_the_deadline(real)
    deadline = real.turn(tag).deadline
    real.clock.jump(5 * HOUR)
    real.settle()
    real.settle()

    assert abs(real.turn(tag).deadline - (deadline + 5 * HOUR)) < 2 * MINUTE
    assert len(real.letters("deadline-moved", ANNA)) == 1


def test_jump_that_passes_no_deadline_moves_nothing(real: Stage) -> None:
    tag = near_the_deadline(real)
    deadline = real.turn(tag).deadline
    real.clock.jump(10 * MINUTE)
    real.settle()

    assert real.turn(tag).deadline == deadline
    assert real.letters("deadline-moved") == []


def test_after_a_jump_back_nothing_moves_and_the_turn_locks_only_after_a_poll_of_the_mended_clock(real: Stage) -> None:
    tag = real.game()
    real.settle()
    deadline = real.turn(tag).deadline
    real.read_until(deadline - 3 * HOUR)
    real.clock.jump(2 * HOUR)
    real.settle()
    real.clock.jump(-2 * HOUR)
    real.settle()
    assert real.turn(tag).deadline == deadline

    real.say(tag, SPAIN, SPAIN_ORDERS + "готов")  # by a server whose clock was right all the time
    assert [why for _, why in real.verdicts()] == [""]
    real.say(tag, PIRATES, PIRATES_ORDERS + "готов")
    real.later(23 * MINUTE)

    assert frozen(real, tag, 1) == {SPAIN: ["sent"] * 3, PIRATES: ["sent"] * 6}


def test_letter_written_while_the_clock_was_ahead_is_sent_after_it_went_back(place: Stage) -> None:
    tag = place.game()
    place.settle()
    place.clock.jump(30 * MINUTE)
    place.write(tag, SPAIN, "статус")
    ingest.poll(place.house, place.desk.sources[0])
    jobs.think(place.desk)
    place.clock.jump(-30 * MINUTE)
    place.settle()

    assert {row.status for row, _ in place.letters("receipt")} == {"sent"}
