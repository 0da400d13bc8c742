"""The desk letter once a day, urgent news at once, and nothing sealed in either (play-by-mail 6)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from adjudicator.clock import iso
from adjudicator.services import render
from adjudicator.services.header import Header
from adjudicator.services.work import Work
from adjudicator.storage.tables import Turn
from tests.adjudicator.services.stage import (
    ANNA,
    BORIS,
    HOUR,
    MINUTE,
    OPERATOR,
    PIRATES,
    PIRATES_ORDERS,
    SPAIN,
    VERA,
    Stage,
)
from tests.adjudicator.services.test_moderator import done, judged, last_answer
from tests.adjudicator.services.test_moderator_modes import held
from tests.adjudicator.services.test_turns import bounce

DAILY = Header(schedule="48h 21:00 Europe/Moscow")


def desks(stage: Stage, address: str) -> list[dict[str, Any]]:
    return stage.notices("desk", address)


def test_desk_letter_comes_once_a_day_at_the_games_hour(place: Stage) -> None:
    tag = judged(place, header=DAILY)
    place.settle()
    assert desks(place, VERA) == []

    place.at(place.clock.now().replace(hour=18, minute=0))
    place.later(MINUTE)
    place.later(HOUR)
    assert len(desks(place, VERA)) == 1
    assert desks(place, VERA)[0]["turn"] == place.turn(tag).number

    place.read_until(place.clock.now() + timedelta(days=1))
    assert len(desks(place, VERA)) == 2


def test_desk_letter_says_who_is_in_and_what_waits_with_verbs_to_copy(place: Stage) -> None:
    tag = judged(place, header=DAILY)
    place.say(tag, PIRATES, PIRATES_ORDERS)
    number = held(place, tag)

    place.at(place.clock.now().replace(hour=18, minute=0))

    (facts,) = desks(place, VERA)
    assert {one["name"]: one["word"] for one in facts["seats"]} == {"Анна": "no orders", "Борис": "orders in"}
    assert [(one["number"], one["sender"]) for one in facts["held"]] == [(number, BORIS)]
    assert {"напомнить 1", "продлить 1 24h", f"принять {number}", f"отклонить {number}"} <= set(facts["copy"])


def test_verbs_ready_to_copy_are_understood_as_they_stand(place: Stage) -> None:
    tag = judged(place, header=DAILY)
    place.at(place.clock.now().replace(hour=18, minute=0))
    (facts,) = desks(place, VERA)

    marks = done(place, tag, "\n".join(facts["copy"]) + "\n")

    assert [mark for mark, _ in marks if mark == "refused"] == []


def test_nothing_sealed_stands_in_the_desk_letter(place: Stage) -> None:
    tag = judged(place, header=DAILY)
    place.say(tag, SPAIN, "корабль 1: СВ 3\n")
    held(place, tag)

    place.at(place.clock.now().replace(hour=18, minute=0))

    ((_, value),) = place.letters("desk", VERA)
    text = render.render(value).text
    assert "тайный приказ" not in text
    assert "СВ 3" not in text


def test_desk_of_a_moderator_who_plays_shows_what_the_game_shows_to_every_seat(place: Stage) -> None:
    tag = judged(place, header=Header(moderator="plays", who_in="hidden"), judge=ANNA)
    place.say(tag, PIRATES, PIRATES_ORDERS)

    done(place, tag, "состояние\n")

    assert last_answer(place)["extras"]["status"]["seats"] == []
    copied = " ".join(last_answer(place)["extras"]["status"]["copy"])
    assert "предпросмотр" not in copied


def test_operator_gets_a_desk_letter_only_when_something_waits_and_nobody_moderates(place: Stage) -> None:
    tag = place.game(header=DAILY)
    place.at(place.clock.now().replace(hour=18, minute=0))
    assert desks(place, OPERATOR) == []

    held(place, tag)
    place.read_until(place.clock.now() + timedelta(days=1))

    assert len(desks(place, OPERATOR)) == 1


def test_mail_held_near_the_deadline_is_told_at_once_and_once(place: Stage) -> None:
    tag = judged(place)
    place.settle()
    place.read_until(place.turn(tag).deadline - 3 * HOUR)
    number = held(place, tag)
    place.later(MINUTE)

    (facts,) = place.notices("held-moderator", VERA)
    assert (facts["number"], facts["sender"], facts["deadline"]) == (number, BORIS, iso(place.turn(tag).deadline))
    assert "тайный приказ" not in str(facts)


def test_mail_held_long_before_the_deadline_waits_for_the_desk_letter(place: Stage) -> None:
    tag = judged(place)
    held(place, tag)

    assert place.notices("held-moderator") == []


def test_stuck_turn_is_told_to_the_moderator_and_its_cause_to_the_operator(place: Stage) -> None:
    tag = judged(place)
    done(place, tag, "состояние\n")
    number = place.turn(tag).id

    def spoil(work: Work) -> None:
        turn = work.session.get_one(Turn, number)
        turn.orders, turn.status, turn.locked, turn.lock_seq = b"spoilt", "locked", work.now, 1
        work.session.add(turn)

    place.alter(spoil)
    for span in (MINUTE, MINUTE, 6 * MINUTE, 31 * MINUTE):
        place.later(span)

    assert [facts["turn"] for facts in place.notices("stuck-moderator", VERA)] == [1]
    assert "cause" not in place.notices("stuck-moderator", VERA)[0]
    assert len(place.notices("stuck-operator", OPERATOR)) == 1


def test_bounced_opening_letter_is_told_to_the_moderator_at_once(place: Stage) -> None:
    tag = judged(place)
    letter = next(row for row, _ in place.letters("report", ANNA) if row.opening and row.turn == 1)
    place.deliver(bounce(ANNA, letter.message_id))
    place.settle()

    assert [facts["opening"] for facts in place.notices("bounced", VERA)] == [True]
    assert place.letters("bounced", OPERATOR) == []
    assert place.turn(tag).number == 1
