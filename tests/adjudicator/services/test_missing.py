"""Turns missed: grace, the moderator's decision, misses counted, standing orders that play alone (play-by-mail 1.7)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from adjudicator.clock import iso
from adjudicator.errors import RefusedByRules
from adjudicator.services import games, missing, people, sheets, turns
from adjudicator.services.header import Header
from adjudicator.services.work import Work
from adjudicator.storage.tables import Observer, Reading, Tenure
from engine.core import codec
from engine.core.contract import MODERATOR
from tests.adjudicator.services import smuggling
from tests.adjudicator.services.stage import (
    ANNA,
    BORIS,
    HOUR,
    MINUTE,
    OPERATOR,
    PIRATES,
    PIRATES_ORDERS,
    SPAIN,
    SPAIN_ORDERS,
    VERA,
    Stage,
)
from tests.adjudicator.services.test_turns import frozen, reminders
from tests.rulesets import installed

MOSCOW = "Europe/Moscow"
STANDING = "".join(f"постоянный: корабль {number}: стоять\n" for number in range(4, 10))


def seat_moderator(stage: Stage, tag: str) -> None:
    """Let Vera run a game."""

    def change(work: Work) -> None:
        person = people.register(work, VERA, name="Вера", language="ru", zone=MOSCOW)
        game = work.game(tag)
        work.add(Tenure(game_id=game.id or 0, seat=MODERATOR, player_id=person.id or 0, since=work.now))

    stage.alter(change)


def counted(stage: Stage, tag: str, seat: str) -> tuple[int, int]:
    tenure = stage.tenure(tag, seat)
    return tenure.missed, tenure.automatic


def places(stage: Stage) -> list[tuple[str, str, str]]:
    """Return whom the notices of grace went to, as what, and why."""
    return [
        (row.address, value.facts["place"], value.facts["why"])
        for row, value in stage.letters("grace")  # type: ignore[union-attr]
    ]


def anna_alone(stage: Stage, **switches: Any) -> str:
    """Make a game in which Anna has ordered and Boris has not, past its deadline."""
    tag = stage.game(header=Header(**switches))
    stage.say(tag, SPAIN, SPAIN_ORDERS)
    stage.pass_deadline(tag)
    return tag


# go


def test_policy_go_plays_on_and_the_player_is_told_that_he_missed(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, SPAIN_ORDERS)
    place.pass_deadline(tag)

    assert place.turn(tag, 1).status == "resolved"
    assert place.notices("missed") == [{"turn": 1, "in_a_row": 1}]
    assert place.letters("missed")[0][0].address == BORIS
    assert (counted(place, tag, SPAIN), counted(place, tag, PIRATES)) == ((0, 0), (1, 0))


def test_only_no_orders_is_a_miss_and_a_draft_is_none(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, "корабль 1: стоять\nчерновик")
    place.say(tag, PIRATES, "ждать")  # a word, and no order
    place.pass_deadline(tag)

    assert (counted(place, tag, SPAIN), counted(place, tag, PIRATES)) == ((0, 0), (1, 0))


def test_turn_processed_before_its_deadline_misses_nobody(place: Stage) -> None:
    tag = place.game()
    place.alter(lambda work: turns.process(work, work.game(tag), 1))
    place.settle()

    assert place.turn(tag, 1).status == "resolved"
    assert place.notices("missed") == []
    assert counted(place, tag, PIRATES) == (0, 0)


# wait


def test_policy_wait_keeps_the_turn_open_for_the_late_and_closes_those_that_were_in(empty: Stage) -> None:
    tag = anna_alone(empty, missed="wait", grace=6 * 3600)
    turn = empty.turn(tag, 1)

    assert turn.status == "open"
    assert turn.frozen is not None
    assert turn.deadline == turn.grace == turn.frozen + 6 * HOUR
    assert places(empty) == [(ANNA, "in", "grace"), (BORIS, "late", "grace")]
    assert [event["reason"] for event in empty.events(tag, "deadline")] == ["grace"]


def test_order_of_a_seat_that_was_in_changes_nothing_in_the_grace_and_its_receipt_says_so(empty: Stage) -> None:
    tag = anna_alone(empty, missed="wait")
    closed = empty.turn(tag, 1).frozen
    before = empty.in_force(tag, SPAIN)

    receipt = empty.say(tag, SPAIN, "корабль 1: курс СВ 1")

    assert closed is not None
    assert receipt.late is not None
    assert (receipt.late["reason"], receipt.late["locked"]) == ("frozen", iso(closed))
    assert empty.in_force(tag, SPAIN) == before


def test_late_seat_sends_in_the_grace_and_the_turn_locks_after_the_cool_off(empty: Stage) -> None:
    tag = anna_alone(empty, missed="wait")
    empty.later(3 * HOUR)

    receipt = empty.say(tag, PIRATES, PIRATES_ORDERS)
    assert (receipt.late, receipt.word) == (None, "orders in")

    empty.later(23 * MINUTE)
    assert frozen(empty, tag, 1) == {SPAIN: ["sent"] * 3, PIRATES: ["sent"] * 6}
    assert counted(empty, tag, PIRATES) == (0, 0)


def test_order_that_came_between_the_deadline_and_the_grace_counts(empty: Stage) -> None:
    tag = empty.game(header=Header(missed="wait"))
    empty.say(tag, SPAIN, SPAIN_ORDERS)
    deadline = empty.turn(tag).deadline
    empty.read_until(deadline + MINUTE)  # nothing may lock before the margin
    assert empty.say(tag, PIRATES, PIRATES_ORDERS).late is None

    empty.read_until(deadline + 30 * MINUTE)

    assert frozen(empty, tag, 1)[PIRATES] == ["sent"] * 6


def test_late_seat_is_reminded_of_the_end_of_its_grace_and_the_other_is_not(empty: Stage) -> None:
    tag = anna_alone(empty, missed="wait")
    end = empty.turn(tag, 1).deadline
    before = len(reminders(empty))

    empty.read_until(end - 4 * HOUR)

    assert reminders(empty)[before:] == [(BORIS, 4)]


def test_grace_that_ends_without_orders_goes_to_the_operator_where_there_is_no_moderator(empty: Stage) -> None:
    tag = anna_alone(empty, missed="wait")
    empty.pass_deadline(tag)

    assert empty.turn(tag, 1).status == "open"
    ((letter, _),) = empty.letters("no-orders")
    assert letter.address == OPERATOR
    assert "view" not in empty.notices("no-orders")[0]


@pytest.mark.parametrize("moderator", ["plays", "none"])
def test_grace_that_ends_without_a_moderator_apart_plays_on(empty: Stage, moderator: str) -> None:
    tag = anna_alone(empty, missed="wait", moderator=moderator)
    empty.pass_deadline(tag)

    assert empty.turn(tag, 1).status == "resolved"
    assert empty.letters("no-orders") == []
    assert counted(empty, tag, PIRATES) == (1, 0)


# moderator


@contextmanager
def judged(stage: Stage, **switches: Any) -> Iterator[str]:
    """Give a game run by Vera whose turn 1 waits for her: Anna has ordered, Boris has not."""
    tag = stage.game(header=Header(missed="moderator", **switches))
    seat_moderator(stage, tag)
    stage.say(tag, SPAIN, SPAIN_ORDERS)
    stage.pass_deadline(tag)
    yield tag


def test_policy_moderator_shows_him_that_seats_view_and_never_the_others_orders(empty: Stage) -> None:
    with judged(empty) as tag:
        ((letter, _),) = empty.letters("no-orders")
        (facts,) = empty.notices("no-orders")
        now = empty.position(tag)

        assert letter.address == VERA
        assert facts["view"] == codec.encode(now.view(PIRATES))
        assert facts["view"] != codec.encode(now.view(SPAIN))  # Spain knows where her gold is
        assert facts["template"] == list(now.table.ruleset.template(now.view(PIRATES), "ru"))
        assert "orders" not in facts
        assert [(one["who"], one["what"]) for one in empty.events(tag, "look")] == [("moderator", "view")]
        assert places(empty) == [(ANNA, "in", "moderator"), (BORIS, "late", "moderator")]
        assert empty.events(tag, "deadline")[-1]["deadline"] is None


def test_turn_waits_for_the_moderator_who_is_reminded_daily_and_after_three_days_the_players_hear(
    empty: Stage,
) -> None:
    with judged(empty) as tag:
        since = empty.turn(tag).deadline
        for hours in (2, 23, 26, 30, 50, 71):
            empty.read_until(since + hours * HOUR)
        assert empty.turn(tag, 1).status == "open"
        assert [row.address for row, _ in empty.letters("late-awaited")] == [VERA, VERA]
        assert empty.letters("moderator-awaited") == []

        empty.read_until(since + 74 * HOUR)
        empty.read_until(since + 80 * HOUR)
        assert len(empty.letters("late-awaited")) == 3
        assert [row.address for row, _ in empty.letters("moderator-awaited")] == [ANNA, BORIS]
        assert len(empty.letters("no-orders")) == 1


def test_late_seat_may_still_send_while_the_moderator_is_awaited(empty: Stage) -> None:
    with judged(empty) as tag:
        empty.read_until(empty.clock.now() + 30 * HOUR)
        assert empty.say(tag, PIRATES, PIRATES_ORDERS).late is None

        empty.read_until(empty.clock.now() + 30 * MINUTE)

        assert frozen(empty, tag, 1)[PIRATES] == ["sent"] * 6


def test_moderator_may_let_the_turn_go_on_without_the_late_seat(empty: Stage) -> None:
    with judged(empty) as tag:
        empty.alter(lambda work: missing.let_go(work, work.game(tag), 1))
        empty.later(5 * MINUTE)

        assert frozen(empty, tag, 1) == {SPAIN: ["sent"] * 3, PIRATES: ["silent"] * 6}
        assert counted(empty, tag, PIRATES) == (1, 0)


def test_moderator_may_give_more_time_and_is_asked_again_when_it_has_passed(empty: Stage) -> None:
    with judged(empty) as tag:
        until = empty.clock.now() + 12 * HOUR
        empty.alter(lambda work: missing.wait(work, work.game(tag), 1, 12 * HOUR))
        empty.settle()

        assert (empty.turn(tag).deadline, empty.turn(tag).grace) == (until, until)
        assert places(empty)[2:] == [(ANNA, "in", "wait"), (BORIS, "late", "wait")]

        empty.pass_deadline(tag)
        assert empty.turn(tag, 1).status == "open"
        assert len(empty.letters("no-orders")) == 2


@pytest.mark.parametrize("verb", ["extend", "process"])
def test_usual_verbs_of_the_moderator_do_the_same(empty: Stage, verb: str) -> None:
    with judged(empty) as tag:
        now = empty.clock.now()
        if verb == "extend":
            empty.alter(lambda work: turns.extend(work, work.game(tag), 1, 12 * HOUR))
            assert empty.turn(tag).deadline == now + 12 * HOUR
            assert empty.say(tag, PIRATES, PIRATES_ORDERS).late is None
        else:
            empty.alter(lambda work: turns.process(work, work.game(tag), 1))
            empty.settle()
            assert empty.turn(tag, 1).status == "resolved"


def test_moderators_word_about_late_seats_needs_a_turn_that_is_kept_open(place: Stage) -> None:
    tag = place.game()

    with pytest.raises(RefusedByRules, match="nobody-late"):
        place.alter(lambda work: missing.let_go(work, work.game(tag), 1))


@pytest.mark.parametrize("moderator", ["plays", "none"])
def test_policy_moderator_is_not_to_be_had_where_none_is_apart(empty: Stage, moderator: str) -> None:
    header = Header(missed="moderator", moderator=moderator)  # type: ignore[arg-type]

    with pytest.raises(RefusedByRules, match="missed-moderator"):
        empty.alter(lambda work: games.create(work, "pirates", 2, header=header))


# In a row


def miss_turns(stage: Stage, tag: str, count: int) -> None:
    """Let turns go by with Anna's orders alone."""
    for _ in range(count):
        stage.say(tag, SPAIN, SPAIN_ORDERS)
        stage.pass_deadline(tag)


def watch(work: Work, tag: str) -> None:
    game = work.game(tag)
    work.add(Observer(game_id=game.id or 0, address="olga@example.org", name="Ольга", since=work.now))
    work.add(Observer(game_id=game.id or 0, address="oleg@example.org", since=work.now, until=work.now))


def test_second_miss_in_a_row_tells_the_moderator_and_the_third_offers_the_seat(place: Stage) -> None:
    tag = place.game()
    seat_moderator(place, tag)
    place.alter(lambda work: watch(work, tag))

    miss_turns(place, tag, 1)
    assert place.letters("missed-again") == []

    miss_turns(place, tag, 1)
    assert [(row.address, facts["in_a_row"]) for row, facts in told(place, "missed-again")] == [(VERA, 2)]
    assert place.letters("substitute-wanted") == []

    miss_turns(place, tag, 1)
    assert [facts["in_a_row"] for _, facts in told(place, "missed-again")] == [2, 3]
    assert [(row.address, facts["seat"]) for row, facts in told(place, "substitute-wanted")] == [
        ("olga@example.org", PIRATES)
    ]
    assert [facts["in_a_row"] for facts in place.notices("missed", BORIS)] == [1, 2, 3]


def told(stage: Stage, kind: str) -> list[tuple[Any, dict[str, Any]]]:
    return [(row, dict(value.facts)) for row, value in stage.letters(kind)]  # type: ignore[union-attr]


def test_turn_with_orders_ends_a_row_of_misses(place: Stage) -> None:
    tag = place.game()
    miss_turns(place, tag, 1)
    place.say(tag, PIRATES, PIRATES_ORDERS)
    miss_turns(place, tag, 1)
    miss_turns(place, tag, 1)

    assert counted(place, tag, PIRATES) == (1, 0)
    assert place.letters("missed-again") == []


def test_standing_orders_are_no_miss_for_three_turns_then_the_player_is_asked_then_they_are(place: Stage) -> None:
    tag = place.game()
    place.say(tag, PIRATES, STANDING)
    miss_turns(place, tag, 1)
    assert counted(place, tag, PIRATES) == (0, 0)  # it was sent in this turn

    miss_turns(place, tag, 2)
    assert counted(place, tag, PIRATES) == (0, 2)
    assert place.letters("confirm") == []

    miss_turns(place, tag, 1)
    assert counted(place, tag, PIRATES) == (0, 3)
    assert [row.address for row, _ in place.letters("confirm")] == [BORIS]

    miss_turns(place, tag, 1)
    assert counted(place, tag, PIRATES) == (1, 4)
    assert frozen(place, tag, 5)[PIRATES] == ["standing"] * 6
    assert place.notices("missed") == []


@pytest.mark.parametrize("word", ["да", "статус"])
def test_player_who_says_that_he_is_there_has_three_turns_more(place: Stage, word: str) -> None:
    tag = place.game()
    place.say(tag, PIRATES, STANDING)
    miss_turns(place, tag, 4)
    question, _ = place.letters("confirm", BORIS)[-1]

    place.write(tag, PIRATES, word, answers=question.message_id if word == "да" else "")
    place.settle()

    assert counted(place, tag, PIRATES) == (0, 0)
    miss_turns(place, tag, 1)
    assert counted(place, tag, PIRATES) == (0, 1)


# Held mail (4)


def test_seat_whose_only_mail_is_held_is_waited_for_once_for_the_grace_span(place: Stage) -> None:
    tag = place.game()
    place.say(tag, PIRATES, PIRATES_ORDERS)
    place.deliver(place.message(ANNA, SPAIN_ORDERS, subject=f"[{tag}] ход 1"))
    place.pass_deadline(tag)
    turn = place.turn(tag)

    assert turn.frozen is not None
    assert (turn.number, turn.deadline) == (1, turn.frozen + 24 * HOUR)
    assert places(place) == [(ANNA, "late", "held"), (BORIS, "in", "held")]

    place.pass_deadline(tag)
    assert frozen(place, tag, 1)[SPAIN] == ["silent"] * 3


def test_held_mail_confirmed_in_the_grace_counts_from_its_arrival_and_the_turn_locks(place: Stage) -> None:
    tag = place.game()
    place.say(tag, PIRATES, PIRATES_ORDERS)
    place.deliver(place.message(ANNA, SPAIN_ORDERS, subject=f"[{tag}] ход 1"))
    place.pass_deadline(tag)
    question, _ = place.letters("held", ANNA)[-1]

    assert place.say(tag, SPAIN, "да", answers=question.message_id).late is None
    place.later(5 * MINUTE)

    assert frozen(place, tag, 1) == {SPAIN: ["sent"] * 3, PIRATES: ["sent"] * 6}
    assert counted(place, tag, SPAIN) == (0, 0)


def test_seat_without_any_mail_is_not_waited_for_because_another_has_one_held(place: Stage) -> None:
    tag = place.game()
    place.deliver(place.message(ANNA, SPAIN_ORDERS, subject=f"[{tag}] ход 1"))
    place.pass_deadline(tag)
    question, _ = place.letters("held", ANNA)[-1]
    place.say(tag, SPAIN, "да", answers=question.message_id)
    place.later(5 * MINUTE)

    assert place.turn(tag, 1).status == "resolved"
    assert counted(place, tag, PIRATES) == (1, 0)


# Phases with a length of their own, and one that only the moderator owes (1.8)


def test_phase_may_have_a_length_of_its_own(empty: Stage) -> None:
    tag = empty.game(header=Header(schedule="48h", phases={"set-up": 12 * 3600, "turn": 24 * 3600}))

    assert empty.turn(tag, 0).deadline == empty.turn(tag, 0).opened + 12 * HOUR
    assert (empty.turn(tag, 0).period, empty.turn(tag, 1).period) == (12 * 3600, 24 * 3600)
    assert empty.turn(tag, 1).deadline == empty.turn(tag, 1).opened + 24 * HOUR


def test_first_turn_has_twice_the_usual_time_where_its_phase_has_none_of_its_own(empty: Stage) -> None:
    tag = empty.game(header=Header(schedule="48h", phases={"window": 3600}))

    assert empty.turn(tag, 0).deadline == empty.turn(tag, 0).opened + 96 * HOUR


def rule_tide(work: Work, tag: str) -> None:
    """Let the moderator send what he owes."""
    game = work.game(tag)
    reading = Reading(
        game_id=game.id or 0,
        seat=MODERATOR,
        turn=1,
        number=1,
        arrival=work.now,
        mailbox="",
        uid=0,
        effects=work.vault.seal_value((sheets.Put(orders=({"type": "tide", "high": True},)),)),
        has_orders=True,
        by="moderator",
    )
    work.session.add(reading)


@pytest.fixture
def smugglers() -> Iterator[None]:
    """Let the ruleset of tests that asks be known."""
    with installed():
        yield


@pytest.mark.usefixtures("smugglers")
def test_phase_that_only_the_moderator_owes_never_locks_without_him(empty: Stage) -> None:
    tag = smuggling.game(empty, "", kind="ruling", moderator=VERA)
    opened, deadline = empty.turn(tag).opened, empty.turn(tag).deadline
    for hours in range(1, 75, 6):
        empty.read_until(opened + hours * HOUR)
    assert [row.address for row, _ in empty.letters("moderator-reminder")] == [VERA] * 3  # daily
    assert [row.address for row, _ in empty.letters("moderator-awaited")] == [ANNA, BORIS]  # after 72 h

    empty.read_until(deadline + 300 * HOUR)
    assert empty.turn(tag, 1).status == "open"
    assert empty.letters("missed") == []

    empty.alter(lambda work: rule_tide(work, tag))
    empty.read_until(empty.clock.now() + 2 * HOUR)
    assert empty.turn(tag, 1).status == "resolved"
