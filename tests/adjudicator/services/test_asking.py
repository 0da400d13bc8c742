"""Decisions in mid-turn by mail: asked, answered, left to policy and default, resolved again (play-by-mail 1.8)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import col, select

from adjudicator.clock import iso
from adjudicator.errors import RefusedByRules
from adjudicator.letters import LineVerdict, Receipt
from adjudicator.services import answering, asking, positions, resolving
from adjudicator.services.header import Header
from adjudicator.services.outbox import Envelope
from adjudicator.services.render import render
from adjudicator.storage.tables import Game, Letter
from engine.core import registry
from engine.core.codec import encode
from engine.core.contract import Pause
from tests.adjudicator.services.smuggling import (
    FIRST,
    SECOND,
    THIRD,
    asked,
    asking_game,
    checked,
    close_group,
    game,
    group,
    question_letter,
)
from tests.adjudicator.services.smuggling import (
    given as answered,
)
from tests.adjudicator.services.stage import ANNA, BORIS, HOUR, JUDGE, MINUTE, OPERATOR, VERA, Stage
from tests.rulesets import installed
from tests.servers.smtp_sink import Fault, SmtpSink
from tests.servers.smtp_sink import Stage as At

SHOUT = f"{FIRST}/o1/shout/0"


@pytest.fixture(autouse=True)
def smugglers() -> Iterator[None]:
    with installed():
        yield


def keys(receipt: Receipt) -> list[tuple[str, str]]:
    return [(line.mark, line.key) for line in receipt.lines]


def words(letter: Any) -> str:
    """Return the text of a letter in one line."""
    return " ".join(render(letter).text.split())


def only(receipt: Receipt) -> LineVerdict:
    (line,) = receipt.lines
    return line


def resolved_and_replayed(stage: Stage, tag: str, turn: int = 1) -> None:
    assert stage.turn(tag, turn).status == "resolved"
    report = checked(stage, tag)
    assert report.faults == ()
    assert {one.verdict for one in report.turns} == {"replayed"}


# The letter


def test_letter_to_the_seat_asked_tells_what_has_happened_the_options_the_default_and_the_deadline(
    empty: Stage,
) -> None:
    tag = asking_game(empty)
    _, letter = question_letter(empty, ANNA)
    told = words(letter)

    assert "Ход 1: решать вам" in render(letter).subject
    assert "обыскан, выпало" in told  # public
    assert "Пусто." in told or "Товар здесь!" in told  # for this seat alone
    assert "**Вопрос 1.** Кричать ли на всю гавань?" in told
    assert "1. кричать 2. молчать Не" in told
    assert "Не ответите — будет: молчать." in told
    assert letter.facts["deadline"] == iso(group(empty, tag).deadline)
    assert "Жду до" in told


def test_others_learn_whose_decision_is_awaited_never_which(empty: Stage) -> None:
    tag = asking_game(empty, players=3)
    _, letter = question_letter(empty, BORIS, "question-awaited")
    told = words(letter)

    assert "the decision lies with Crew 1." in told
    assert "Hold 1 was searched" in told
    assert letter.facts["questions"] == []
    assert "shout" not in str(letter.facts)
    assert [row.address for row, _ in empty.letters("question-awaited")] == [BORIS, VERA]
    assert [row.address for row, _ in empty.letters("question")] == [ANNA]
    (entry,) = empty.events(tag, "question")
    assert (entry["seats"], sorted(entry["private"])) == ([FIRST], [FIRST])


def test_event_so_far_is_told_to_its_audience_alone(empty: Stage) -> None:
    asking_game(empty)
    (own,) = (value for _, value in empty.letters("question"))
    (other,) = (value for _, value in empty.letters("question-awaited"))

    def finds(letter: Any) -> list[str]:
        return [text for text in letter.facts["events"] if '"found"' in text]

    assert [f'"seat":"{FIRST}"' in text for text in finds(own)] == [True]
    assert [f'"seat":"{SECOND}"' in text for text in finds(other)] == [True]


@pytest.mark.parametrize(
    ("pace", "hours"), [("48h", 12), ("24h", 6), ("6h", 6), ("10d", 24)], ids=["quarter", "least", "short", "most"]
)
def test_deadline_is_a_quarter_of_the_turn_at_most_a_day_never_under_six_hours(
    empty: Stage, pace: str, hours: int
) -> None:
    tag = asking_game(empty, header=Header(schedule=pace))

    assert group(empty, tag).deadline == group(empty, tag).asked + hours * HOUR
    assert empty.events(tag, "question")[0]["deadline"] == iso(group(empty, tag).deadline)


# Answers


@pytest.mark.parametrize(
    "line",
    [
        "ответ: 1",
        "ответ 1: 1",
        "ответ 1",
        "answer: yes",
        "1",
        "1.",
        "кричать",
        "Ответ: Кричать!",
        "ответ кричать",
        "shout",
        "1. кричать",
    ],
)
def test_answer_is_a_number_or_words_and_bare_as_the_whole_letter(empty: Stage, line: str) -> None:
    tag = asking_game(empty)
    receipt = empty.say(tag, FIRST, line)

    assert keys(receipt) == [("command", "answer")]
    assert asked(empty, tag)[FIRST].answers == {SHOUT: "yes"}


def test_receipt_shows_the_answer_the_question_and_the_deadline(empty: Stage) -> None:
    tag = asking_game(empty)
    receipt = empty.say(tag, FIRST, "ответ: 1")
    told = words(receipt)

    assert "✓ вопрос 1: кричать" in told
    assert "Ваше слово: **ответ есть**." in told
    assert "**Вопрос 1.** Кричать ли на всю гавань? Ваш ответ: кричать." in told
    assert receipt.asking is not None
    assert receipt.asking["deadline"] == iso(group(empty, tag).deadline)
    assert receipt.commitment == empty.events(tag, "answer")[0]["private"]


def test_answer_may_be_changed_until_the_deadline(empty: Stage) -> None:
    tag = asking_game(empty)
    empty.say(tag, FIRST, "ответ: 1")
    empty.later(HOUR)
    empty.say(tag, FIRST, "ответ: 2")
    close_group(empty, tag)

    assert answered(empty, tag) == [(SHOUT, "no", "seat")]
    resolved_and_replayed(empty, tag)


def test_answer_that_arrived_after_the_deadline_changes_nothing(empty: Stage) -> None:
    tag = asking_game(empty)
    deadline = group(empty, tag).deadline
    empty.read_until(deadline - MINUTE)
    empty.write(tag, FIRST, "ответ: 1", arrival=deadline + timedelta(seconds=1))
    empty.at(deadline + MINUTE)
    empty.at(deadline + 3 * MINUTE)

    assert empty.verdicts()[-1][0] == "late"
    receipt = empty.letters("receipt", ANNA)[-1][1]
    assert isinstance(receipt, Receipt)
    assert keys(receipt) == [("command-refused", "answer-closed")]
    assert answered(empty, tag) == [(SHOUT, "no", "default")]


def test_answer_that_arrived_by_the_deadline_and_was_read_after_it_counts(empty: Stage) -> None:
    tag = asking_game(empty)
    deadline = group(empty, tag).deadline
    empty.read_until(deadline - MINUTE)
    empty.write(tag, FIRST, "ответ: 1", arrival=deadline - timedelta(seconds=1))
    empty.at(deadline + 3 * MINUTE)

    assert answered(empty, tag) == [(SHOUT, "yes", "seat")]


def test_unknown_answer_is_refused_with_the_options_and_keeps_the_seat_a_draft(empty: Stage) -> None:
    tag = asking_game(empty)
    receipt = empty.say(tag, FIRST, "ответ: бежать\nготов")

    assert keys(receipt) == [("command-refused", "answer-unknown"), ("command", "ready-draft")]
    assert "такого ответа на вопрос 1 нет; есть: кричать · молчать" in words(receipt)
    assert asked(empty, tag)[FIRST].word == "draft"


def test_one_letter_off_is_mended_and_shown(empty: Stage) -> None:
    tag = asking_game(empty)
    receipt = empty.say(tag, FIRST, "ответ: молчаь")

    assert "✓ вопрос 1: молчать" in words(receipt)
    assert asked(empty, tag)[FIRST].answers == {SHOUT: "no"}


def test_number_and_words_that_disagree_are_refused_with_both_readings(empty: Stage) -> None:
    tag = asking_game(empty)
    receipt = empty.say(tag, FIRST, "ответ: 1. молчать")

    assert only(receipt).key == "answer-ambiguous"
    assert "можно понять двояко: кричать или молчать" in words(receipt)
    assert asked(empty, tag)[FIRST].answers == {}


def test_of_several_questions_the_number_says_which(empty: Stage) -> None:
    tag = asking_game(empty, "point first")
    empty.say(tag, FIRST, "ответ 1: показать 3\nготов")
    empty.later(23 * MINUTE)
    assert group(empty, tag).number == 2

    closed = empty.say(tag, FIRST, "ответ 1: показать 2")
    assert keys(closed) == [("command-refused", "answer-closed")]
    missing = empty.say(tag, FIRST, "ответ 7: 1")
    assert (only(missing).key, only(missing).facts["numbers"]) == ("no-such-question", [2])
    empty.say(tag, FIRST, "ответ 2: 1")
    assert asked(empty, tag)[FIRST].answers == {f"{FIRST}/o2/shout/0": "yes"}


def test_bare_answer_to_a_letter_about_an_earlier_question_never_lands_on_a_later_one(empty: Stage) -> None:
    tag = asking_game(empty, "first first")
    letter, _ = question_letter(empty, ANNA)
    empty.say(tag, FIRST, "1\nготов")
    empty.later(23 * MINUTE)
    assert group(empty, tag).number == 2

    late = empty.say(tag, FIRST, "2", answers=letter.message_id)
    assert keys(late) == [("command-refused", "answer-closed")]
    assert asked(empty, tag)[FIRST].answers == {}

    numbered = empty.say(tag, FIRST, "ответ 2: 2", answers=letter.message_id)
    assert keys(numbered) == [("command", "answer")]


def test_bare_answer_after_the_turn_is_over_is_told_that_the_question_is_closed(empty: Stage) -> None:
    tag = asking_game(empty)
    letter, _ = question_letter(empty, ANNA)
    close_group(empty, tag)
    assert empty.turn(tag).number == 2

    receipt = empty.say(tag, FIRST, "1", answers=letter.message_id)

    assert keys(receipt) == [("command-refused", "answer-closed")]


def test_answer_where_nothing_is_asked_is_refused(empty: Stage) -> None:
    tag = game(empty)
    receipt = empty.say(tag, FIRST, "ответ: 1")

    assert keys(receipt) == [("command-refused", "no-question")]


def test_several_questions_to_one_seat_need_their_numbers(empty: Stage) -> None:
    tag = asking_game(empty, "both")
    bare = empty.say(tag, FIRST, "1")
    assert (only(bare).key, only(bare).facts["numbers"]) == ("which-question", [1, 2])

    empty.say(tag, FIRST, "ответ 1: 1")
    assert asked(empty, tag)[FIRST].word == "draft"
    empty.say(tag, FIRST, "ответ 2: 2")
    assert asked(empty, tag)[FIRST].word == "orders in"
    close_group(empty, tag)
    assert [word for _, word, _ in answered(empty, tag)] == ["yes", "no"]
    resolved_and_replayed(empty, tag)


def test_open_question_is_answered_in_the_words_of_the_rules(empty: Stage) -> None:
    tag = asking_game(empty, "point")
    refused = empty.say(tag, FIRST, "ответ: показать 9")
    assert only(refused).key == "answer-complaint"
    assert "на вопрос 1 так ответить нельзя: трюмов всего три" in words(refused)

    taken = empty.say(tag, FIRST, "показать 2")
    assert "✓ вопрос 1: показать 2" in words(taken)
    close_group(empty, tag)
    assert [event for event in empty.events(tag, "result")[-1]["events"] if event["type"] == "pointed"] == [
        {"type": "pointed", "rule": "S3", "seat": FIRST, "hold": 2}
    ]
    resolved_and_replayed(empty, tag)


@pytest.mark.parametrize("answer", ["1", "ответ: 1", "ответ 1: 1", "1. показать 3", "показать 3"])
def test_open_question_offers_answers_by_number_and_a_number_means_what_the_letter_said(
    empty: Stage, answer: str
) -> None:
    tag = asking_game(empty, "point")
    assert "1. показать 3, самый тёмный 2. показать 1" in words(question_letter(empty, ANNA)[1])

    assert "✓ вопрос 1: показать 3" in words(empty.say(tag, FIRST, answer))
    close_group(empty, tag)
    assert [event["hold"] for event in empty.events(tag, "result")[-1]["events"] if event["type"] == "pointed"] == [3]


def test_number_that_is_not_offered_or_does_not_fit_its_words_is_no_answer(empty: Stage) -> None:
    tag = asking_game(empty, "point")

    assert only(empty.say(tag, FIRST, "ответ: 3")).key == "answer-unknown"
    torn = empty.say(tag, FIRST, "ответ: 1. показать 2")
    assert only(torn).key == "answer-ambiguous"
    assert "показать 3 или показать 2" in words(torn)
    assert asked(empty, tag)[FIRST].answers == {}


def test_unproven_answer_is_held_and_counts_once_it_is_confirmed(empty: Stage) -> None:
    tag = asking_game(empty)
    empty.deliver(empty.message(ANNA, "ответ: 1", subject=f"[{tag}]"))
    empty.settle()
    assert empty.verdicts()[-1][0] == "held"
    assert asked(empty, tag)[FIRST].answers == {}

    letter, _ = empty.letters("held", ANNA)[-1]
    empty.write(tag, FIRST, "да", answers=letter.message_id)
    empty.settle()
    assert asked(empty, tag)[FIRST].answers == {SHOUT: "yes"}


def test_orders_sent_while_a_decision_is_awaited_are_late_and_the_answer_beside_them_counts(empty: Stage) -> None:
    tag = asking_game(empty)
    orders = empty.say(tag, SECOND, "search 3")
    assert orders.late is not None
    assert (orders.late["reason"], empty.verdicts()[-1][0]) == ("locked", "late")

    both = empty.say(tag, FIRST, "искать 3\nответ: 1")
    assert both.late is not None
    assert "приказы из этого письма не исполнены" in words(both)
    assert asked(empty, tag)[FIRST].answers == {SHOUT: "yes"}
    close_group(empty, tag)
    resolved_and_replayed(empty, tag)


def test_status_shows_whose_decision_is_awaited_and_until_when(empty: Stage) -> None:
    tag = asking_game(empty)
    receipt = empty.say(tag, SECOND, "status")

    assert receipt.asking is not None
    assert receipt.asking["questions"] == []
    assert "Turn 1 is closed and waits for a decision: Crew 1. Deadline:" in words(receipt)
    assert "Your word: **no decision is asked of you**." in words(receipt)


# Policy and default


def test_missing_answer_takes_the_policy_and_then_the_default(empty: Stage) -> None:
    tag = game(empty, "all", players=3)
    empty.say(tag, FIRST, "искать 1\nполитика: да")
    empty.pass_deadline(tag)
    assert "Не ответите — будет: кричать (так велит ваша политика)." in words(question_letter(empty, ANNA)[1])
    empty.say(tag, THIRD, "ответ: 1")
    close_group(empty, tag)

    assert answered(empty, tag) == [
        (f"{FIRST}/o1/shout/0", "yes", "policy"),
        (f"{SECOND}/o1/shout/0", "no", "default"),
        (f"{THIRD}/o1/shout/0", "yes", "seat"),
    ]
    shouted = [event["origin"] for event in empty.events(tag, "result")[-1]["events"] if event["type"] == "shouted"]
    assert shouted == ["policy", "seat"]
    resolved_and_replayed(empty, tag)


def test_answer_goes_before_the_policy(empty: Stage) -> None:
    tag = game(empty)
    empty.say(tag, FIRST, "политика: да")
    empty.pass_deadline(tag)
    empty.say(tag, FIRST, "ответ: 2")
    close_group(empty, tag)

    assert answered(empty, tag) == [(SHOUT, "no", "seat")]


# Closing


def test_group_closes_only_after_a_poll_that_began_the_margin_after_its_deadline(empty: Stage) -> None:
    tag = asking_game(empty)
    deadline = group(empty, tag).deadline
    empty.read_until(deadline)
    empty.later(MINUTE)
    assert empty.turn(tag).status == "asking"

    empty.later(MINUTE)
    assert empty.turn(tag).number == 2


def test_group_closes_early_when_all_asked_are_ready(empty: Stage) -> None:
    tag = asking_game(empty, "all")
    empty.say(tag, FIRST, "ответ: 1\nготов")
    empty.say(tag, SECOND, "1")
    empty.later(40 * MINUTE)
    assert empty.turn(tag).status == "asking"

    empty.say(tag, SECOND, "ready")
    empty.later(19 * MINUTE)
    assert empty.turn(tag).status == "asking"
    empty.later(4 * MINUTE)
    assert empty.turn(tag).number == 2
    resolved_and_replayed(empty, tag)


def test_group_closes_early_on_answers_alone_where_the_game_says_in(empty: Stage) -> None:
    tag = asking_game(empty, header=Header(early="in"))
    empty.say(tag, FIRST, "1")
    empty.later(23 * MINUTE)

    assert empty.turn(tag).number == 2


def test_group_never_closes_early_where_the_game_says_never_or_somebody_waits(empty: Stage) -> None:
    never = asking_game(empty, header=Header(early="never"))
    waits = asking_game(empty)
    empty.say(never, FIRST, "1\nготов")
    empty.say(waits, FIRST, "1\nготов\nждать")
    empty.later(HOUR)

    assert [empty.turn(tag).status for tag in (never, waits)] == ["asking", "asking"]


def test_outage_moves_the_deadline_of_a_question_and_everybody_is_told(empty: Stage) -> None:
    tag = asking_game(empty)
    deadline = group(empty, tag).deadline
    good = deadline - 2 * HOUR
    empty.read_until(good)
    empty.at(deadline + HOUR)

    assert group(empty, tag).deadline == deadline + 3 * HOUR
    assert [row.address for row, _ in empty.letters("question-moved")] == [ANNA, BORIS]
    assert empty.events(tag, "deadline")[-1]["reason"] == "outage"
    assert empty.events(tag, "deadline")[-1]["batch"] == group(empty, tag).batch
    close_group(empty, tag)
    resolved_and_replayed(empty, tag)


def test_question_whose_letter_came_late_is_awaited_longer(empty: Stage, smtp_sink: SmtpSink) -> None:
    tag = game(empty)
    empty.settle()
    smtp_sink.script(Fault(At.RCPT, "450 4.2.0 greylisted", recipient=ANNA, times=None))
    empty.pass_deadline(tag)
    deadline = group(empty, tag).deadline
    empty.read_until(deadline + 3 * MINUTE)
    assert empty.turn(tag).status == "asking"

    smtp_sink.calm()
    empty.read_until(deadline + HOUR)
    empty.settle()
    assert group(empty, tag).deadline == deadline + HOUR + 4 * HOUR  # a third of the twelve hours
    assert empty.notices("question-moved", ANNA)[0]["reason"] == "told-late"


def test_one_reminder_at_half_time_to_those_who_have_not_answered(empty: Stage) -> None:
    tag = asking_game(empty, "all", players=3)
    empty.say(tag, SECOND, "1")
    asked_at, deadline = group(empty, tag).asked, group(empty, tag).deadline
    half = asked_at + (deadline - asked_at) / 2
    empty.read_until(half - MINUTE)
    assert empty.letters("question-reminder") == []

    empty.read_until(half)
    empty.read_until(half + HOUR)
    assert [row.address for row, _ in empty.letters("question-reminder")] == [ANNA, VERA]
    assert "Кричать ли на всю гавань?" in words(question_letter(empty, ANNA, "question-reminder")[1])


def test_reminder_is_not_sent_once_the_group_has_closed(empty: Stage, smtp_sink: SmtpSink) -> None:
    tag = asking_game(empty)
    asked_at, deadline = group(empty, tag).asked, group(empty, tag).deadline
    smtp_sink.script(Fault(At.RCPT, "450 4.2.0 greylisted", recipient=ANNA, times=None))
    empty.read_until(asked_at + (deadline - asked_at) / 2)
    close_group(empty, tag)
    smtp_sink.calm()
    empty.later(2 * HOUR)

    assert [row.status for row, _ in empty.letters("question-reminder")] == ["withdrawn"]


# Again from the beginning


def test_several_groups_in_a_row_each_have_a_batch_and_all_seeds_come_with_the_result(empty: Stage) -> None:
    tag = game(empty, "first all first")
    batch = empty.turn(tag).batch
    empty.pass_deadline(tag)
    for number in (1, 2, 3):
        assert (group(empty, tag).number, group(empty, tag).batch) == (number, batch + number)
        assert empty.events(tag, "result")[-1]["turn"] is None  # nothing is published before the last answer
        empty.say(tag, FIRST, "1\nготов\nсоль: крик " + str(number))
        if number == 2:
            empty.say(tag, SECOND, "2\nready")
        empty.later(23 * MINUTE)

    result = empty.events(tag, "result")[-1]
    batches = [batch, batch + 1, batch + 2, batch + 3]
    assert result["batches"] == batches
    assert sorted(result["seeds"]["main"]) == sorted(map(str, batches))
    assert [entry[1] for entry in result["dice"]] == [batch, batch, batch + 1, batch + 2, batch + 3]
    locks = [event for event in empty.events(tag, "lock") if "question" in event]
    assert [lock["phrases"] for lock in locks] == [{FIRST: f"крик {number}"} for number in (1, 2, 3)]
    assert (empty.turn(tag).number, empty.turn(tag).batch) == (2, batch + 4)
    resolved_and_replayed(empty, tag)


def test_questions_asked_together_and_taken_one_by_one_share_a_batch(empty: Stage) -> None:
    tag = game(empty, "each first")
    batch = empty.turn(tag).batch
    empty.pass_deadline(tag)
    assert sorted(asked(empty, tag)) == [FIRST, SECOND]
    empty.say(tag, FIRST, "1\nготов")
    empty.say(tag, SECOND, "1\nready")
    empty.later(23 * MINUTE)
    empty.say(tag, FIRST, "1\nготов")
    empty.later(23 * MINUTE)

    dice = empty.events(tag, "result")[-1]["dice"]
    assert [entry[1] for entry in dice] == [batch, batch, batch + 1, batch + 1, batch + 2]
    resolved_and_replayed(empty, tag)


def test_log_of_a_player_is_dice_checked_until_the_questions_are_opened_and_replayed_then(empty: Stage) -> None:
    tag = asking_game(empty, header=Header(open_orders="end"))
    empty.say(tag, FIRST, "1\nготов")
    empty.later(23 * MINUTE)
    assert [turn.verdict for turn in checked(empty, tag).turns] == ["replayed", "dice checked"]
    empty.pass_deadline(tag)
    close_group(empty, tag)

    for reader in (None, FIRST, SECOND):
        report = checked(empty, tag, reader)
        assert (report.faults, [turn.verdict for turn in report.turns]) == ((), ["replayed"] * 3)


def test_question_and_answer_are_sealed_while_the_turn_waits(empty: Stage) -> None:
    tag = asking_game(empty, header=Header(who_in="hidden"))
    empty.say(tag, FIRST, "ответ: 1")
    (answer,) = empty.events(tag, "answer")
    (question,) = empty.events(tag, "question")

    assert "seat" not in answer
    assert "shout" not in str((answer, question))


# Ends and hands


def test_process_takes_policies_and_defaults_at_once(empty: Stage) -> None:
    tag = asking_game(empty)
    with empty.house.unit("test") as work, pytest.raises(RefusedByRules):
        asking.process(work, work.game(tag), 2)
    with empty.house.unit("test") as work:
        asking.process(work, work.game(tag), 1)
    empty.settle()

    assert answered(empty, tag) == [(SHOUT, "no", "default")]
    assert empty.turn(tag).number == 2
    resolved_and_replayed(empty, tag)


def test_answer_entered_for_a_seat_is_logged_as_the_moderators_and_may_be_overwritten(empty: Stage) -> None:
    tag = asking_game(empty, "all")
    with empty.house.unit("test") as work:
        for seat in (FIRST, SECOND):
            answering.answer_for(work, work.game(tag), 1, seat, "кричать", by="operator")
    empty.say(tag, SECOND, "2")
    close_group(empty, tag)

    assert answered(empty, tag) == [(SHOUT, "yes", "moderator"), (f"{SECOND}/o1/shout/0", "no", "seat")]
    assert [row.address for row, _ in empty.letters("answered-for")] == [ANNA, BORIS]
    assert "Ваш ответ: кричать." in words(empty.letters("answered-for", ANNA)[0][1])
    resolved_and_replayed(empty, tag)


def test_answer_that_cannot_be_entered_is_refused(empty: Stage) -> None:
    tag = asking_game(empty)
    for number, seat, text, key in (
        (2, FIRST, "1", "not-asking"),
        (1, SECOND, "1", "not-asked"),
        (1, FIRST, "9", "no-answer"),
    ):
        with empty.house.unit("test") as work, pytest.raises(RefusedByRules) as refused:
            answering.answer_for(work, work.game(tag), number, seat, text, by="operator")
        assert refused.value.key == key


def test_seat_that_nobody_holds_is_not_waited_for(empty: Stage) -> None:
    tag = game(empty)
    empty.settle()

    def leave(work: Any) -> None:
        tenure = empty.tenure(tag, FIRST)
        tenure.until = work.now
        work.session.add(tenure)

    empty.pass_deadline(tag)
    empty.alter(leave)
    empty.later(13 * HOUR)
    empty.settle()

    assert answered(empty, tag) == [(SHOUT, "no", "default")]


def test_turn_that_raises_after_its_answers_is_stuck_with_them_safe(
    empty: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    tag = asking_game(empty)
    empty.say(tag, FIRST, "1\nготов")
    real = registry.ruleset("smugglers")

    def broken(*_: object) -> None:
        raise ZeroDivisionError("no tide")

    monkeypatch.setattr(type(real), "resolve", broken)
    monkeypatch.setattr(resolving, "paused", lambda *_: None)
    empty.later(23 * MINUTE)
    assert (empty.turn(tag).status, empty.turn(tag).trouble) == ("stuck", "ZeroDivisionError: no tide")

    monkeypatch.undo()
    empty.later(2 * MINUTE)
    assert empty.turn(tag).number == 2
    assert answered(empty, tag) == [(SHOUT, "yes", "seat")]
    resolved_and_replayed(empty, tag)


def test_next_turn_opens_with_the_result_and_its_report_tells_the_whole_turn(empty: Stage) -> None:
    tag = asking_game(empty)
    empty.say(tag, FIRST, "1\nготов\nсоль: эй")
    empty.later(23 * MINUTE)
    report = empty.letters("report", BORIS)[-1][1]

    assert [one.split('"type":"')[1].split('"')[0] for one in report.events] == [  # type: ignore[union-attr]
        "searched",
        "searched",
        "found",
        "shouted",
    ]
    assert report.phrases == ((FIRST, "эй"),)  # type: ignore[union-attr]
    assert len(report.seeds) == 2  # type: ignore[union-attr]
    assert empty.turn(tag).deadline == empty.turn(tag).opened + timedelta(hours=48) + (
        HOUR - timedelta(minutes=empty.turn(tag).opened.minute)
    )


# The moderator


def test_group_that_only_the_moderator_owes_never_closes_without_him(empty: Stage) -> None:
    tag = asking_game(empty, "judge")
    assert empty.events(tag, "question")[0].get("deadline") is None
    assert empty.letters("question", OPERATOR)
    assert "Слово за: судья." in words(question_letter(empty, ANNA, "question-awaited")[1])
    for hours in range(24, 120, 24):
        empty.read_until(group(empty, tag).asked + timedelta(hours=hours))

    assert empty.turn(tag).status == "asking"
    assert len(empty.letters("question-reminder", OPERATOR)) == 4  # daily
    assert [row.address for row, _ in empty.letters("moderator-awaited")] == [ANNA, BORIS]  # once, after 72 hours
    told = empty.letters("moderator-awaited")[0][0].created
    assert told - group(empty, tag).asked == timedelta(hours=72)

    with empty.house.unit("test") as work:
        answering.answer_for(work, work.game(tag), 1, "moderator", "high", by="operator")
    empty.later(23 * MINUTE)
    empty.settle()
    assert answered(empty, tag) == [("gm/o1/tide/0", "high", "seat")]
    resolved_and_replayed(empty, tag)


def test_moderator_answers_by_mail_and_sees_nothing_sealed(empty: Stage) -> None:
    tag = asking_game(empty, "judge", moderator="gm@example.org")
    _, letter = question_letter(empty, "gm@example.org")
    assert '"found"' not in str(letter.facts["events"])
    assert '"goods"' not in letter.facts["view"]

    receipt = empty.say(tag, "moderator", "ответ: high")
    assert keys(receipt) == [("command", "answer")]
    assert "Вы — **судья** этой игры" in words(receipt)
    empty.later(23 * MINUTE)
    assert answered(empty, tag) == [("gm/o1/tide/0", "high", "seat")]
    resolved_and_replayed(empty, tag)


def test_turn_that_only_the_moderator_owes_never_locks_without_him(empty: Stage) -> None:
    tag = game(empty, "", kind="ruling", rounds=1, moderator="gm@example.org")
    opened = empty.turn(tag).opened
    for hours in range(24, 24 * 5, 24):
        empty.read_until(opened + timedelta(hours=hours))
    empty.pass_deadline(tag)
    assert (empty.turn(tag).number, empty.turn(tag).status) == (1, "open")
    days = [facts["missing"][0]["key"] for facts in empty.notices("moderator-reminder", "gm@example.org")]
    assert days == ["tide"] * 4
    assert [row.address for row, _ in empty.letters("moderator-awaited")] == [ANNA, BORIS]

    receipt = empty.say(tag, "moderator", "прилив: высокий")
    assert receipt.late is None
    empty.later(23 * MINUTE)
    assert empty.turn(tag, 1).status == "resolved"
    assert empty.events(tag, "result")[-1]["events"][0]["high"] is True


# Windows


def test_window_is_prolonged_once_by_twelve_hours_if_an_order_comes_in_its_last_six(empty: Stage) -> None:
    tag = game(empty, "", kind="window", header=Header(phases={"window": 24 * 3600}))
    deadline = empty.turn(tag).deadline
    empty.read_until(deadline - 7 * HOUR)
    empty.say(tag, FIRST, "искать 1")
    assert empty.turn(tag).deadline == deadline

    empty.read_until(deadline - 5 * HOUR)
    empty.say(tag, FIRST, "статус")
    assert empty.turn(tag).deadline == deadline
    empty.say(tag, SECOND, "search 2")
    assert empty.turn(tag).deadline == deadline + 12 * HOUR
    assert {facts["reason"] for facts in empty.notices("deadline-moved")} == {"window"}

    empty.read_until(deadline + 11 * HOUR)
    empty.say(tag, FIRST, "искать 3")
    assert empty.turn(tag).deadline == deadline + 12 * HOUR


def test_order_in_the_last_hours_of_an_ordinary_turn_prolongs_nothing(empty: Stage) -> None:
    tag = game(empty, "")
    deadline = empty.turn(tag).deadline
    empty.read_until(deadline - HOUR)
    empty.say(tag, FIRST, "искать 1")

    assert empty.turn(tag).deadline == deadline


def test_kind_of_turn_has_the_length_that_the_header_gives_it(empty: Stage) -> None:
    tag = game(empty, "", kind="window", header=Header(schedule="10d", phases={"window": 36 * 3600}))

    assert empty.turn(tag).deadline == empty.turn(tag).opened + 36 * HOUR
    assert empty.turn(tag).period == 36 * 3600


# Positions


def test_pause_is_computed_anew_and_never_stored(empty: Stage) -> None:
    tag = asking_game(empty)
    with empty.house.look() as work:
        turn = positions.current(work, work.game(tag, lock=False))
        assert turn is not None
        pause = resolving.paused(work, turn)

    assert pause is not None
    assert [question.key for question in pause.questions] == [SHOUT]
    assert empty.turn(tag).events is None


def test_unasked_sender_with_no_proof_learns_nothing(empty: Stage) -> None:
    tag = asking_game(empty)
    empty.deliver(empty.message("x@example.org", "1", to=JUDGE, subject=f"[{tag}]"))
    empty.settle()

    assert asked(empty, tag)[FIRST].answers == {}
    assert empty.letters("", "x@example.org") == []


# Secrets


class Undone(Exception):
    """The transaction is given up: what was to be seen has been seen."""


def letters_of(stage: Stage, tag: str, goods: int, holds: tuple[int, int]) -> dict[str, list[str]]:
    """Return the letters about a turn's questions by address, without their pins; nothing of it stays."""
    found: dict[str, list[str]] = {}
    with suppress(Undone), stage.house.unit("test") as work:
        made = work.game(tag)
        table, turn = positions.table(made), positions.current(work, made)
        assert turn is not None
        state = positions.state_of(work, table, turn)
        order = type(table.ruleset.silent(table.ruleset.view(state, FIRST), ())[0])
        searches = {seat: (order(hold=hold),) for seat, hold in zip((FIRST, SECOND), holds, strict=True)}
        turn.state = work.vault.seal_value(msgspec.structs.replace(state, goods=goods))
        turn.standing = work.vault.seal_value(searches)
        work.memo.clear()
        asking.process(work, made, 1)
        pause = resolving.load(work, turn.id or 0).resolve()
        assert isinstance(pause, Pause)
        asking.ask(work, table, turn, pause)
        for row in work.session.exec(select(Letter).where(col(Letter.kind).startswith("question"))):
            value = work.vault.open_value(row.value, Envelope).value
            found.setdefault(row.address, []).append(encode(msgspec.structs.replace(value, pin=None, prev_pin=None)))
        raise Undone
    return found


@settings(derandomize=True, max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(holds=st.tuples(st.integers(1, 3), st.integers(1, 3)))
def test_positions_that_a_seat_cannot_tell_apart_give_equal_letters(empty: Stage, holds: tuple[int, int]) -> None:
    """A seat learns whether the goods lie in the hold that it searched, and nothing else of where they are."""
    with empty.house.look() as work:
        tags = work.session.exec(select(Game.tag)).all()
    tag = tags[0] if tags else game(empty, "all")
    letters = {goods: letters_of(empty, tag, goods, holds) for goods in (1, 2, 3)}

    for address, hold in zip((ANNA, BORIS), holds, strict=True):
        here, *elsewhere = (letters[goods][address] for goods in sorted(letters, key=lambda goods: goods != hold))
        assert elsewhere[0] == elsewhere[1]
        assert here != elsewhere[0]
