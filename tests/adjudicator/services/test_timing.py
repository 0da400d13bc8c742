"""When an open turn locks, decided from facts alone: every branch of play-by-mail 1.2, 1.3 and 1.4."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.services.timing import AskModerator, GiveGrace, LockNow, Moment, MoveDeadline, NotYet, decide

OPENED = datetime(2026, 1, 5, 12, tzinfo=UTC)
DEADLINE = datetime(2026, 1, 7, 12, tzinfo=UTC)
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)

MOMENT = Moment(
    now=DEADLINE + 3 * MINUTE,
    deadline=DEADLINE,
    period=48 * HOUR,
    words={"a": "orders in", "b": "no orders"},
    told={"a": OPENED, "b": OPENED},
    waits=False,
    last_order=OPENED + HOUR,
    early="ready",
    cool_off=20 * MINUTE,
    margin=2 * MINUTE,
    good=DEADLINE + 2 * MINUTE,
    unread=None,
)
ON_TIME = LockNow(arrived_by=DEADLINE, early=False)


def at(**facts: Any) -> Moment:
    return replace(MOMENT, **facts)


# At the deadline (1.3)


def test_turn_locks_once_a_poll_that_began_the_margin_after_the_deadline_has_succeeded() -> None:
    assert decide(MOMENT) == ON_TIME


def test_turn_waits_for_such_a_poll() -> None:
    assert decide(at(good=DEADLINE + 119 * timedelta(seconds=1))) == NotYet(reason="poll", until=MOMENT.now)


def test_turn_waits_until_such_a_poll_can_begin() -> None:
    facts = at(now=DEADLINE, good=DEADLINE)

    assert decide(facts) == NotYet(reason="poll", until=DEADLINE + 2 * MINUTE)


def test_turn_waits_for_a_source_that_was_never_read() -> None:
    assert decide(at(good=None)) == NotYet(reason="poll", until=MOMENT.now)


@pytest.mark.parametrize("arrival", [OPENED, DEADLINE])
def test_turn_waits_for_the_verdict_on_a_mail_that_arrived_by_the_deadline(arrival: datetime) -> None:
    assert decide(at(unread=arrival)) == NotYet(reason="unread", until=MOMENT.now)


def test_turn_does_not_wait_for_a_mail_that_arrived_after_the_deadline() -> None:
    assert decide(at(unread=DEADLINE + MINUTE)) == ON_TIME


def test_before_the_deadline_nothing_is_due_but_the_deadline() -> None:
    assert decide(at(now=DEADLINE - HOUR)) == NotYet(reason="clock", until=DEADLINE)


def test_turn_that_nobody_owes_locks_at_its_deadline() -> None:
    assert decide(at(words={}, told={}, last_order=None)) == ON_TIME


# All ready before the deadline, play-by-mail 1.2


READY = {"a": "ready", "b": "ready"}
LAST = OPENED + HOUR
COOLED = LAST + 20 * MINUTE
EARLY = at(now=COOLED + 3 * MINUTE, words=READY, good=COOLED + 2 * MINUTE)


def test_all_ready_locks_early_after_the_cool_off_and_the_margin() -> None:
    assert decide(EARLY) == LockNow(arrived_by=COOLED + 2 * MINUTE, early=True)


def test_early_lock_waits_for_the_cool_off() -> None:
    facts = replace(EARLY, now=COOLED - MINUTE, good=COOLED - MINUTE)

    assert decide(facts) == NotYet(reason="clock", until=COOLED)


def test_early_lock_waits_for_a_poll_that_began_the_margin_after_the_cool_off() -> None:
    facts = replace(EARLY, now=COOLED + MINUTE, good=COOLED + MINUTE)

    assert decide(facts) == NotYet(reason="poll", until=COOLED + 2 * MINUTE)


@pytest.mark.parametrize("arrival", [LAST, COOLED, COOLED + MINUTE, COOLED + 2 * MINUTE])
def test_early_lock_waits_for_the_verdict_on_every_mail_that_would_count(arrival: datetime) -> None:
    assert decide(replace(EARLY, unread=arrival)) == NotYet(reason="unread", until=EARLY.now)


@pytest.mark.parametrize("word", ["no orders", "draft", "orders in"])
def test_one_seat_that_is_not_ready_keeps_the_turn_open(word: str) -> None:
    assert decide(replace(EARLY, words={"a": "ready", "b": word})) == NotYet(reason="clock", until=DEADLINE)


def test_wait_keeps_the_turn_open_until_the_deadline_and_no_longer() -> None:
    assert decide(replace(EARLY, waits=True)) == NotYet(reason="clock", until=DEADLINE)
    assert decide(at(words=READY, waits=True)) == ON_TIME


@pytest.mark.parametrize(
    ("early", "words", "locks"),
    [
        ("ready", ("ready", "orders in"), False),
        ("in", ("ready", "orders in"), True),
        ("in", ("orders in", "orders in"), True),
        ("in", ("orders in", "draft"), False),
        ("never", ("ready", "ready"), False),
    ],
)
def test_what_locks_early_is_the_games_choice(early: str, words: tuple[str, str], locks: bool) -> None:
    verdict = decide(replace(EARLY, early=early, words=dict(zip("ab", words, strict=True))))

    assert isinstance(verdict, LockNow) is locks


def test_turn_without_a_single_accepted_order_never_locks_early() -> None:
    assert decide(replace(EARLY, last_order=None)) == NotYet(reason="clock", until=DEADLINE)


def test_cool_off_that_would_end_after_the_deadline_leaves_the_deadline() -> None:
    late = DEADLINE - 10 * MINUTE

    assert decide(at(words=READY, last_order=late)) == ON_TIME
    assert decide(at(words=READY, last_order=late, now=DEADLINE - MINUTE)) == NotYet(reason="clock", until=DEADLINE)


def test_all_ready_need_no_notice_for_they_know() -> None:
    assert decide(replace(EARLY, told={"a": None, "b": LAST})) == LockNow(arrived_by=COOLED + 2 * MINUTE, early=True)


# Being told (1.4): min_notice of 48 h is 12 h


def test_seat_told_too_late_moves_the_deadline_by_what_is_missing() -> None:
    told = DEADLINE - 11 * HOUR

    assert decide(at(told={"a": OPENED, "b": told})) == MoveDeadline(deadline=told + 12 * HOUR, seats=("b",))


def test_deadline_moves_as_soon_as_it_is_known_that_it_must() -> None:
    told = DEADLINE - HOUR
    facts = at(now=told, told={"a": OPENED, "b": told})

    assert decide(facts) == MoveDeadline(deadline=told + 12 * HOUR, seats=("b",))


def test_seat_told_just_in_time_moves_nothing() -> None:
    assert decide(at(told={"a": OPENED, "b": DEADLINE - 12 * HOUR})) == ON_TIME


def test_latest_told_seat_decides_the_move() -> None:
    told = {"a": DEADLINE - 11 * HOUR, "b": DEADLINE - HOUR}

    assert decide(at(told=told)) == MoveDeadline(deadline=DEADLINE + 11 * HOUR, seats=("a", "b"))


def test_short_period_needs_a_third_of_it() -> None:
    facts = at(period=6 * HOUR, told={"a": OPENED, "b": DEADLINE - HOUR})

    assert decide(facts) == MoveDeadline(deadline=DEADLINE + HOUR, seats=("b",))


def test_seat_not_told_is_waited_for() -> None:
    assert decide(at(told={"a": OPENED, "b": None})) == NotYet(reason="not-told", until=MOMENT.now)


def test_seat_not_told_changes_nothing_before_the_deadline() -> None:
    facts = at(now=DEADLINE - HOUR, told={"a": OPENED, "b": None})

    assert decide(facts) == NotYet(reason="clock", until=DEADLINE)


# Missed turns (1.7): seat b has no orders by the deadline

LATE = at(late=("b",), silent=("b",))
GRACE = replace(LATE, missed="wait", grace=24 * HOUR)
IN_GRACE = replace(GRACE, frozen=DEADLINE, deadline=DEADLINE + 24 * HOUR, words={"b": "no orders"}, early="in")


def test_policy_go_locks_without_the_late_seat() -> None:
    assert decide(LATE) == ON_TIME


def test_policy_wait_gives_grace_from_the_deadline() -> None:
    assert decide(GRACE) == GiveGrace(until=DEADLINE + 24 * HOUR, seats=("b",), held=False)


def test_grace_is_given_only_once_all_that_came_by_the_deadline_is_read() -> None:
    assert decide(replace(GRACE, good=DEADLINE)) == NotYet(reason="poll", until=GRACE.now)
    assert decide(replace(GRACE, unread=DEADLINE)) == NotYet(reason="unread", until=GRACE.now)


def test_turn_without_a_late_seat_needs_no_grace() -> None:
    assert decide(at(missed="wait")) == ON_TIME


def test_grace_that_runs_keeps_the_turn_open() -> None:
    assert decide(IN_GRACE) == NotYet(reason="clock", until=DEADLINE + 24 * HOUR)


def test_grace_ends_early_once_the_late_seats_have_orders_in() -> None:
    sent = DEADLINE + HOUR
    facts = replace(
        IN_GRACE,
        words={"b": "orders in"},
        late=(),
        silent=(),
        last_order=sent,
        now=sent + 23 * MINUTE,
        good=sent + 22 * MINUTE,
    )

    assert decide(facts) == LockNow(arrived_by=sent + 22 * MINUTE, early=True)


def test_grace_that_ends_with_a_draft_locks_with_the_draft() -> None:
    end = IN_GRACE.deadline
    facts = replace(IN_GRACE, words={"b": "draft"}, late=(), silent=(), now=end + 3 * MINUTE, good=end + 2 * MINUTE)

    assert decide(facts) == LockNow(arrived_by=end, early=False)


def test_grace_that_ends_without_orders_asks_the_moderator() -> None:
    end = IN_GRACE.deadline

    assert decide(replace(IN_GRACE, now=end + 3 * MINUTE, good=end + 2 * MINUTE)) == AskModerator(seats=("b",))


def test_policy_moderator_asks_at_the_deadline() -> None:
    assert decide(replace(LATE, missed="moderator")) == AskModerator(seats=("b",))


def test_turn_that_waits_for_the_moderator_locks_once_the_late_seat_has_sent_and_cooled_off() -> None:
    sent = DEADLINE + 30 * HOUR
    facts = replace(LATE, missed="moderator", frozen=DEADLINE, words={"b": "orders in"}, silent=(), last_order=sent)

    assert decide(replace(facts, now=sent + MINUTE, good=sent)) == NotYet(reason="poll", until=sent + 22 * MINUTE)
    assert decide(replace(facts, now=sent + 23 * MINUTE, good=sent + 22 * MINUTE)) == LockNow(
        arrived_by=sent + 22 * MINUTE, early=True
    )


def test_turn_that_was_let_go_locks_without_the_late_seat() -> None:
    facts = replace(LATE, missed="moderator", frozen=DEADLINE - HOUR, words={"b": "no orders"}, let_go=True)

    assert decide(facts) == ON_TIME


@pytest.mark.parametrize("missed", ["go", "moderator"])
def test_seat_whose_only_mail_is_held_is_waited_for_once_whatever_the_policy(missed: str) -> None:
    facts = replace(LATE, missed=missed, held=("b",))

    assert decide(facts) == GiveGrace(until=DEADLINE + 24 * HOUR, seats=("b",), held=True)
    assert not isinstance(decide(replace(facts, frozen=DEADLINE - 24 * HOUR, words={"b": "no orders"})), GiveGrace)


def test_held_mail_that_was_confirmed_ends_the_wait_for_it() -> None:
    facts = replace(LATE, frozen=DEADLINE - HOUR, deadline=DEADLINE + 23 * HOUR, words={}, told={}, late=(), silent=())

    assert decide(facts) == LockNow(arrived_by=DEADLINE + 2 * MINUTE, early=True)


def test_grace_ends_without_a_moderator_apart_as_the_policy_go() -> None:
    end = IN_GRACE.deadline

    assert decide(replace(IN_GRACE, judged=False, now=end + 3 * MINUTE, good=end + 2 * MINUTE)) == LockNow(
        arrived_by=end, early=False
    )


# A phase that only the moderator owes (1.8), a pause, a clock that goes back


def test_phase_that_only_the_moderator_owes_never_locks_without_him() -> None:
    facts = at(words={"moderator": "no orders"}, told={}, last_order=None, ruling=True, now=DEADLINE + 500 * HOUR)

    assert decide(replace(facts, good=facts.now)) == NotYet(reason="moderator", until=facts.now + HOUR)


def test_phase_that_only_the_moderator_owes_locks_when_he_has_sent_it_after_the_deadline() -> None:
    sent = DEADLINE + 100 * HOUR
    facts = at(words={"moderator": "orders in"}, told={}, last_order=sent, now=sent + HOUR, good=sent + 59 * MINUTE)

    assert decide(facts) == LockNow(arrived_by=sent + 59 * MINUTE, early=True)


@pytest.mark.parametrize("facts", [MOMENT, EARLY, GRACE, at(told={"a": OPENED, "b": DEADLINE})])
def test_nothing_locks_and_nothing_moves_in_a_pause(facts: Moment) -> None:
    assert decide(replace(facts, paused=True)) == NotYet(reason="paused", until=facts.now + HOUR)


def test_poll_that_lies_in_the_future_is_no_good_one_since_the_clock_has_gone_back() -> None:
    assert decide(at(good=MOMENT.now + MINUTE)) == NotYet(reason="poll", until=MOMENT.now)
