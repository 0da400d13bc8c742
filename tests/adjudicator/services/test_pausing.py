"""A game whose clock stands still (play-by-mail 6, 1): nothing locks, mail is read, deadlines move by the pause."""

from __future__ import annotations

import pytest

from adjudicator.clock import iso
from adjudicator.errors import RefusedByRules
from adjudicator.services import pausing, turns
from adjudicator.services.header import Header
from tests.adjudicator.services.stage import (
    ANNA,
    BORIS,
    HOUR,
    MINUTE,
    PIRATES,
    PIRATES_ORDERS,
    SPAIN,
    SPAIN_ORDERS,
    Stage,
)
from tests.adjudicator.services.test_turns import frozen, reminders
from tests.servers.smtp_sink import SmtpSink


def pause(stage: Stage, tag: str) -> None:
    stage.alter(lambda work: pausing.pause(work, work.game(tag)))


def resume(stage: Stage, tag: str) -> None:
    stage.alter(lambda work: pausing.resume(work, work.game(tag)))
    stage.settle()


def test_nothing_locks_in_a_pause_and_nobody_is_reminded(place: Stage) -> None:
    tag = place.game()
    pause(place, tag)
    deadline = place.turn(tag).deadline

    for hours in (-24, -4, 1, 100):
        place.read_until(deadline + hours * HOUR)

    assert (place.turn(tag).status, place.turn(tag).deadline) == ("open", deadline)
    assert reminders(place) == []
    assert [row.address for row, _ in place.letters("paused")] == [ANNA, BORIS]
    assert place.events(tag, "deadline")[-1]["deadline"] is None


def test_deadline_moves_by_the_length_of_the_pause_and_all_are_told(place: Stage) -> None:
    tag = place.game()
    deadline = place.turn(tag).deadline
    place.read_until(deadline - 10 * HOUR)
    pause(place, tag)
    place.read_until(deadline + 90 * HOUR)

    resume(place, tag)

    assert place.turn(tag).deadline == deadline + 100 * HOUR
    assert place.notices("resumed") == [{"turn": 1, "deadline": iso(deadline + 100 * HOUR)}] * 2
    assert place.events(tag, "deadline")[-1]["reason"] == "resumed"
    place.pass_deadline(tag)
    assert place.turn(tag).number == 2


def test_reminders_follow_the_deadline_after_the_pause(place: Stage, smtp_sink: SmtpSink) -> None:
    tag = place.game()
    deadline = place.turn(tag).deadline
    with smtp_sink.outage():
        place.read_until(deadline - 24 * HOUR)
        pause(place, tag)
    place.read_until(deadline - 20 * HOUR)
    assert {row.status for row, _ in place.letters("reminder")} == {"withdrawn"}

    resume(place, tag)
    place.read_until(deadline - 20 * HOUR + MINUTE)
    place.read_until(deadline)
    assert reminders(place) == [(ANNA, 24), (BORIS, 24)] * 2 + [(ANNA, 4), (BORIS, 4)]


def test_mail_is_read_and_answered_in_a_pause_and_the_receipt_says_that_the_clock_stands(place: Stage) -> None:
    tag = place.game()
    deadline = place.turn(tag).deadline
    pause(place, tag)
    place.read_until(deadline + 10 * HOUR)

    receipt = place.say(tag, SPAIN, SPAIN_ORDERS)

    assert (receipt.late, receipt.paused, len(receipt.in_force)) == (None, True, 3)
    resume(place, tag)
    assert place.say(tag, PIRATES, PIRATES_ORDERS).paused is False
    place.pass_deadline(tag)
    assert frozen(place, tag, 1) == {SPAIN: ["sent"] * 3, PIRATES: ["sent"] * 6}


def test_all_ready_do_not_lock_a_paused_game_but_one_that_goes_on(place: Stage) -> None:
    tag = place.game()
    pause(place, tag)
    place.say(tag, SPAIN, SPAIN_ORDERS + "готов")
    place.say(tag, PIRATES, PIRATES_ORDERS + "готов")
    place.later(2 * HOUR)
    assert place.turn(tag, 1).status == "open"

    resume(place, tag)
    place.later(3 * MINUTE)
    assert place.turn(tag, 1).status == "resolved"


def test_outage_in_a_pause_moves_nothing_twice(place: Stage) -> None:
    tag = place.game()
    place.settle()
    deadline = place.turn(tag).deadline
    pause(place, tag)
    start = place.clock.now()
    place.at(deadline + 5 * HOUR)  # nobody has read the mailbox meanwhile
    resume(place, tag)

    assert place.turn(tag).deadline == deadline + (place.clock.now() - start)
    assert place.letters("deadline-moved") == []


def test_grace_moves_with_the_pause(empty: Stage) -> None:
    tag = empty.game(header=Header(missed="wait"))
    empty.say(tag, SPAIN, SPAIN_ORDERS)
    empty.pass_deadline(tag)
    end = empty.turn(tag).deadline
    pause(empty, tag)
    empty.read_until(empty.clock.now() + 7 * HOUR)
    resume(empty, tag)

    assert (empty.turn(tag).deadline, empty.turn(tag).grace) == (end + 7 * HOUR, end + 7 * HOUR)


def test_turn_that_waits_for_the_moderator_waits_on_after_a_pause(empty: Stage) -> None:
    tag = empty.game(header=Header(missed="moderator"))
    empty.say(tag, SPAIN, SPAIN_ORDERS)
    empty.pass_deadline(tag)
    deadline = empty.turn(tag).deadline
    pause(empty, tag)
    empty.read_until(empty.clock.now() + 7 * HOUR)
    resume(empty, tag)

    assert empty.turn(tag).deadline == deadline
    assert empty.notices("resumed") == [{}, {}]


def test_pause_and_resume_are_refused_where_they_mean_nothing(place: Stage) -> None:
    tag = place.game()
    with pytest.raises(RefusedByRules, match="not-paused"):
        resume(place, tag)
    pause(place, tag)
    with pytest.raises(RefusedByRules, match="already-paused"):
        pause(place, tag)
    with pytest.raises(RefusedByRules, match="paused"):
        place.alter(lambda work: turns.process(work, work.game(tag), 1))
