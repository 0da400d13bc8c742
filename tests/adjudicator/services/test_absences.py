"""Absences by mail: what they move, what all are told, and what not (play-by-mail 1.7). The stage's day is Monday."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import col, select

from adjudicator.clock import iso
from adjudicator.fairplay.sources import read_source
from adjudicator.fairplay.verify import verify
from adjudicator.letters import Receipt
from adjudicator.services import logbook, turns
from adjudicator.services.header import Header
from adjudicator.services.work import Work
from adjudicator.storage.tables import Absence
from engine.core import registry
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
from tests.adjudicator.services.test_missing import counted
from tests.adjudicator.services.test_turns import frozen, reminders

DAY = timedelta(days=1)


def moved(stage: Stage) -> list[dict[str, Any]]:
    return [fact for fact in stage.notices("deadline-moved") if fact["reason"] == "absence"]


def line(receipt: Receipt) -> tuple[str, str, dict[str, Any]]:
    (found,) = receipt.lines
    return found.mark, found.key, found.facts


def absences(stage: Stage) -> list[Absence]:
    with stage.house.look() as work:
        return list(work.session.exec(select(Absence).order_by(col(Absence.id))))


# Turn 1 opens on Monday 5 January at 12:00 UTC and ends on Wednesday the 7th at 12:00 UTC


def test_absence_moves_the_deadline_it_touches_to_the_first_scheduled_instant_after_it(place: Stage) -> None:
    tag = place.game()
    before = place.turn(tag).deadline

    receipt = place.say(tag, SPAIN, "отпуск 7.1-9.1")

    midnight = START.replace(day=9, hour=21)  # the 10th begins in Moscow
    assert before == START + 2 * DAY
    assert place.turn(tag).deadline == midnight
    assert line(receipt) == (
        "command",
        "absence",
        {
            "first": "2026-01-07",
            "last": "2026-01-09",
            "days": 3,
            "left": 18,
            "waits": True,
            "deadline": iso(midnight),
            "stays": False,
            "turn": 1,
        },
    )
    assert receipt.deadline == iso(midnight)


def test_deadline_goes_to_the_games_own_hour_and_day(empty: Stage) -> None:
    tag = empty.game(header=Header(schedule="every mon,wed,sat 21:00 Europe/Moscow"))
    assert empty.turn(tag).deadline == START.replace(day=7, hour=18)

    empty.say(tag, SPAIN, "absence 2026-01-07..2026-01-08")

    assert empty.turn(tag).deadline == START.replace(day=10, hour=18)


def test_all_are_told_that_and_not_whose(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, "отпуск 7.1-9.1")

    assert [row.address for row, _ in place.letters("deadline-moved")] == [ANNA, BORIS]
    assert {tuple(sorted(fact)) for fact in moved(place)} == {("before", "deadline", "reason", "turn")}
    public = [event for event in place.events(tag) if event["type"] in ("absence", "deadline")]
    assert [event["type"] for event in public] == ["absence", "deadline"]
    assert [SPAIN in str(event) for event in public] == [False, False]


def test_whose_is_told_where_the_game_shows_it(empty: Stage) -> None:
    tag = empty.game(header=Header(absences_shown=True))
    empty.say(tag, SPAIN, "отпуск 7.1-9.1")

    assert [fact["titles"]["ru"] for fact in moved(empty)] == ["Испания-1"] * 2
    assert empty.events(tag, "absence")[0]["seat"] == SPAIN


def test_private_part_of_the_log_says_whose_and_when_to_its_seat_alone_and_the_log_verifies(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, "отпуск 7.1-9.1")

    def files(work: Work) -> tuple[bytes, bytes]:
        game = work.game(tag, lock=False)
        return logbook.file_for(work, game, SPAIN, 0, game.seq), logbook.file_for(work, game, PIRATES, 0, game.seq)

    with place.house.look() as work:
        own, other = files(work)
    assert b'"from":"2026-01-07"' in own.replace(b" ", b"")
    assert b"2026-01-07" not in other.replace(b"2026-01-07T12:00:00Z", b"")
    assert verify(read_source(tag, own), {"pirates": registry.ruleset("pirates")}).faults == ()


def test_zone_of_the_player_says_when_his_day_begins(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, "зона Владивосток\nотпуск 8.1-9.1")

    assert place.turn(tag).deadline == START + 2 * DAY  # at noon UTC it is 22:00 of the 7th there

    place.say(tag, PIRATES, "зона UTC+12\nотпуск 8.1-8.1")  # midnight there, and the 8th
    assert place.turn(tag).deadline == START.replace(day=9, hour=14)  # which is the 9th in Vladivostok


@pytest.mark.parametrize(("hours", "moves"), [(24, True), (23, False)])
def test_absence_is_declared_a_day_before_the_deadline_it_moves(place: Stage, hours: int, moves: bool) -> None:
    tag = place.game()
    deadline = place.turn(tag).deadline
    place.read_until(deadline - hours * HOUR - MINUTE)

    receipt = place.say(tag, SPAIN, "отпуск 7.1-9.1")

    assert (place.turn(tag).deadline > deadline) is moves
    assert line(receipt)[2]["stays"] is not moves


def test_later_deadlines_go_past_an_absence_declared_before(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, SPAIN_ORDERS + "отпуск 8.1-12.1")
    assert place.turn(tag).deadline == START + 2 * DAY

    place.pass_deadline(tag)

    assert place.turn(tag).number == 2
    assert place.turn(tag).deadline == START.replace(day=12, hour=21)
    assert place.events(tag, "open")[-1]["deadline"] == iso(place.turn(tag).deadline)


def test_deadline_that_touches_two_absences_goes_past_both(place: Stage) -> None:
    tag = place.game()
    place.say(tag, PIRATES, "отпуск 10.1-11.1")
    place.say(tag, SPAIN, "отпуск 7.1-9.1")

    assert place.turn(tag).deadline == START.replace(day=11, hour=21)


def test_absence_that_touches_no_deadline_moves_none(place: Stage) -> None:
    tag = place.game()
    receipt = place.say(tag, SPAIN, "отпуск 20.1-22.1")

    assert place.turn(tag).deadline == START + 2 * DAY
    assert line(receipt)[2]["deadline"] == ""
    assert place.letters("deadline-moved") == []


def test_absence_of_a_seat_that_owes_nothing_moves_nothing(empty: Stage) -> None:
    """In set-up only Spain owes orders: the gold."""
    tag = empty.game()
    empty.alter(lambda work: turns.extend(work, work.game(tag), 1, HOUR))

    with empty.house.look() as work:
        first = empty.turn(tag, 0)
        table = turns.positions.table(work.game(tag, lock=False))
        owing = turns.absences.owing(table, turns.positions.state_of(work, table, first))

    assert owing == {SPAIN}


def test_moved_deadline_arms_the_reminders_anew(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, "отпуск 7.1-9.1")
    deadline = place.turn(tag).deadline
    place.read_until(deadline - 4 * HOUR)

    assert reminders(place) == [(ANNA, 4), (BORIS, 4)]


# Capped


def test_absences_are_capped_for_the_game_and_days_taken_twice_count_once(empty: Stage) -> None:
    tag = empty.game(header=Header(absence_days=10))
    assert line(empty.say(tag, SPAIN, "отпуск 20.1-27.1"))[2]["left"] == 2

    mark, key, facts = line(empty.say(tag, SPAIN, "отпуск 1.2-3.2"))
    assert (mark, key, facts) == ("command-refused", "absence-cap", {"wanted": 3, "left": 2, "cap": 10})

    assert line(empty.say(tag, SPAIN, "отпуск 26.1-29.1"))[2]["left"] == 0
    assert line(empty.say(tag, PIRATES, "отпуск 1.2-3.2"))[1] == "absence"


def test_game_may_have_no_absences_but_nobody_is_held_back(empty: Stage) -> None:
    tag = empty.game(header=Header(absence_days=0))

    assert line(empty.say(tag, SPAIN, "отпуск 7.1"))[1] == "absence-cap"
    assert line(empty.say(tag, SPAIN, "отпуск 7.1 без переноса"))[1] == "absence"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("отпуск 3/12", "absence-slash"),
        ("отпуск 1.1-3.1", "absence-past"),
        ("absence soon", "absence-unread"),
        ("отпуск", "absence-form"),
        ("отпуск отмена", "absence-none"),
    ],
)
def test_refused_absence_changes_nothing(place: Stage, text: str, key: str) -> None:
    tag = place.game()

    assert line(place.say(tag, SPAIN, text))[:2] == ("command-refused", key)
    assert (absences(place), place.events(tag, "absence")) == ([], [])


# Without moving


def test_without_moving_the_standing_orders_play_and_it_is_no_miss(place: Stage) -> None:
    tag = place.game()
    place.say(tag, PIRATES, "постоянный: корабль 4: стоять\nотпуск 7.1-15.1 без переноса")
    place.say(tag, SPAIN, SPAIN_ORDERS)
    assert place.turn(tag).deadline == START + 2 * DAY

    place.pass_deadline(tag)
    place.say(tag, SPAIN, SPAIN_ORDERS)
    place.pass_deadline(tag)

    assert frozen(place, tag, 2)[PIRATES] == ["standing"] + ["silent"] * 5
    assert counted(place, tag, PIRATES) == (0, 0)
    assert place.notices("missed") == []


@pytest.mark.parametrize("missed", ["wait", "moderator"])
def test_seat_away_without_moving_is_not_waited_for_nor_reminded(empty: Stage, missed: Any) -> None:
    tag = empty.game(header=Header(missed=missed))
    empty.say(tag, PIRATES, "absence 7.1-9.1 no move")
    empty.say(tag, SPAIN, SPAIN_ORDERS)
    empty.read_until(empty.turn(tag).deadline - 4 * HOUR)
    empty.pass_deadline(tag)

    assert empty.turn(tag, 1).status == "resolved"
    assert reminders(empty) == []
    assert counted(empty, tag, PIRATES) == (0, 0)


# Taken back


def test_absence_is_taken_back_before_it_begins_and_moves_no_later_deadline(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, "отпуск 8.1-12.1")

    assert line(place.say(tag, SPAIN, "отпуск отмена")) == (
        "command",
        "absence-withdrawn",
        {"first": "2026-01-08", "last": "2026-01-12"},
    )
    place.say(tag, PIRATES, PIRATES_ORDERS)
    place.pass_deadline(tag)
    assert place.turn(tag).deadline < START.replace(day=10)
    assert len(place.events(tag, "absence")) == 2


def test_deadline_that_was_moved_stays_when_the_absence_is_taken_back(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, "отпуск 7.1-9.1")
    deadline = place.turn(tag).deadline
    place.say(tag, SPAIN, "отпуск отмена")

    assert place.turn(tag).deadline == deadline


def test_absence_that_has_begun_is_not_taken_back(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, "отпуск 6.1-9.1")
    place.read_until(START + DAY)

    assert line(place.say(tag, SPAIN, "absence cancel"))[:2] == ("command-refused", "absence-none")


def test_one_of_several_absences_is_taken_back_by_its_day(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, "отпуск 20.1-22.1")
    place.say(tag, SPAIN, "отпуск 1.2-3.2")

    assert line(place.say(tag, SPAIN, "отпуск отмена"))[:2] == ("command-refused", "absence-which")
    assert line(place.say(tag, SPAIN, "отпуск отмена 1.2"))[1] == "absence-withdrawn"
    assert [one.withdrawn is None for one in absences(place)] == [True, False]


def test_absence_from_a_held_letter_counts_from_its_arrival(place: Stage) -> None:
    tag = place.game()
    place.deliver(place.message(ANNA, "отпуск 7.1-9.1", subject=f"[{tag}] отпуск"))
    place.settle()
    question, _ = place.letters("held", ANNA)[-1]
    place.read_until(place.turn(tag).deadline - HOUR)

    place.say(tag, SPAIN, "да", answers=question.message_id)

    assert [one.declared - START < MINUTE for one in absences(place)] == [True]
    assert place.turn(tag).deadline == START.replace(day=9, hour=21)


def test_absence_ends_with_the_tenure(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, SPAIN_ORDERS + "отпуск 8.1-12.1")
    place.say(tag, PIRATES, PIRATES_ORDERS)

    def leave(work: Work) -> None:
        tenure = place.tenure(tag, SPAIN)
        tenure.until = work.now
        work.session.add(tenure)

    place.alter(leave)
    place.read_until(place.turn(tag).deadline + 3 * MINUTE)

    assert place.turn(tag).deadline == START.replace(day=9, hour=13)
