"""New addresses, keys and dead addresses: who may change where a player is written to (play-by-mail 2, 4)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from adjudicator.errors import RefusedByRules
from adjudicator.services import addresses, people, tokens
from tests.adjudicator.services.stage import ANNA, BORIS, JUDGE, PIRATES, SPAIN, SPAIN_ORDERS, Stage

NEW = "anna@new.example"


def asked(stage: Stage, address: str, text: str) -> None:
    """Let somebody answer the last letter that asks him to confirm something."""
    letter, _ = stage.letters("confirm", address)[-1]
    stage.deliver(stage.message(address, text, answers=letter.message_id))
    stage.settle()


def main_of(stage: Stage, tag: str, seat: str) -> str:
    tenure = stage.tenure(tag, seat)
    with stage.house.look() as work:
        return people.main_address(work, people.player(work, tenure.player_id))


def test_new_address_counts_once_both_ends_have_confirmed_it(both: Stage) -> None:
    tag = both.game()
    receipt = both.say(tag, SPAIN, f"адрес {NEW}")
    assert [line.key for line in receipt.lines] == ["address"]
    assert [row.address for row, _ in both.letters("confirm")] == [NEW, ANNA]

    asked(both, NEW, "да")
    assert main_of(both, tag, SPAIN) == ANNA
    asked(both, ANNA, "да")

    assert main_of(both, tag, SPAIN) == NEW
    assert [row.address for row, _ in both.letters("address-changed")] == [NEW]
    both.pass_deadline(tag)
    assert [row.address for row, _ in both.letters("report") if row.seat == SPAIN][-1] == NEW


def test_former_address_may_be_written_from_and_gets_no_more_reports(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, f"address {NEW}")
    asked(place, ANNA, "yes")
    asked(place, NEW, "yes")
    place.write(tag, SPAIN, SPAIN_ORDERS, sender=ANNA)
    place.settle()

    assert [row.address for row, _ in place.letters("receipt")][-2:] == [NEW, ANNA]


@pytest.mark.parametrize("refusing", [NEW, ANNA])
def test_address_that_one_end_refuses_is_not_changed(place: Stage, refusing: str) -> None:
    tag = place.game()
    place.say(tag, SPAIN, f"адрес {NEW}")
    asked(place, refusing, "нет")
    asked(place, ANNA if refusing == NEW else NEW, "да")

    assert main_of(place, tag, SPAIN) == ANNA


def test_address_confirmed_after_a_week_is_not_changed(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, f"адрес {NEW}")
    asked(place, NEW, "да")
    place.clock.move(timedelta(days=8))
    asked(place, ANNA, "да")

    assert main_of(place, tag, SPAIN) == ANNA


def test_confirmation_from_a_third_address_changes_nothing(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, f"адрес {NEW}")
    letter, _ = place.letters("confirm", NEW)[-1]
    place.deliver(place.message("thief@example.net", "да", answers=letter.message_id))
    place.settle()
    asked(place, ANNA, "да")

    assert main_of(place, tag, SPAIN) == ANNA


def test_new_address_is_asked_once_a_day(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, f"адрес {NEW}")
    receipt = place.say(tag, SPAIN, f"адрес {NEW}")

    assert [line.key for line in receipt.lines] == ["address-asked-today"]
    assert len(place.letters("confirm", NEW)) == 1


def test_address_of_another_seat_of_the_game_needs_the_moderators_word(place: Stage) -> None:
    tag = place.game()
    receipt = place.say(tag, SPAIN, f"адрес {BORIS}")

    assert [(line.mark, line.key) for line in receipt.lines] == [("command-refused", "address-taken")]
    assert place.letters("confirm") == []


@pytest.mark.parametrize("typed", [JUDGE, "a@b.c, d@e.f", "где-то@"])
def test_words_that_are_no_address_of_a_player_are_refused(place: Stage, typed: str) -> None:
    receipt = place.say(place.game(), SPAIN, f"адрес {typed}")

    assert [(line.mark, line.key) for line in receipt.lines] == [("command-refused", "bad-address")]


def test_new_key_makes_the_old_one_void_at_once(place: Stage) -> None:
    tag = place.game()
    old = place.carrier(tag, SPAIN)
    receipt = place.say(tag, SPAIN, "новый ключ")
    new = place.carrier(tag, SPAIN)
    assert receipt.reader.reply_to == tokens.reply_address(JUDGE, new)
    assert old != new

    place.deliver(place.message(ANNA, SPAIN_ORDERS, to=tokens.reply_address(JUDGE, old)))
    place.settle()
    assert place.verdicts()[-1] == ("held", "unproven")
    place.deliver(place.message(ANNA, SPAIN_ORDERS, to=tokens.reply_address(JUDGE, new)))
    place.settle()
    assert place.verdicts()[-1] == ("orders", "")


def test_thread_of_a_letter_with_the_old_key_proves_nothing(place: Stage) -> None:
    tag = place.game()
    letter, _ = place.letters("report", ANNA)[-1]
    place.say(tag, SPAIN, "new key")
    place.deliver(place.message(ANNA, SPAIN_ORDERS, answers=letter.message_id))
    place.settle()

    assert place.verdicts()[-1] == ("held", "unproven")


def test_dead_address_is_changed_by_the_moderator_and_logged_without_it(both: Stage) -> None:
    tag = both.game()
    both.alter(lambda work: addresses.replace(work, work.game(tag), SPAIN, NEW))
    both.settle()

    assert main_of(both, tag, SPAIN) == NEW
    assert [(one["seat"], one["text"]) for one in both.events(tag, "ruling")] == [(SPAIN, f"address {SPAIN}")]
    assert NEW not in str(both.events(tag))
    assert [row.address for row, _ in both.letters("address-changed")] == [NEW]
    with both.house.look() as work:
        assert people.holders_of(work, ANNA) == []


def test_address_by_the_moderator_that_serves_two_seats_is_told_to_all(place: Stage) -> None:
    tag = place.game()
    place.alter(lambda work: addresses.replace(work, work.game(tag), SPAIN, BORIS))
    place.settle()

    assert [row.seat for row, _ in place.letters("two-seats")] == [SPAIN, PIRATES]


def test_seat_that_there_is_not_has_no_address_to_change(place: Stage) -> None:
    tag = place.game()
    with pytest.raises(RefusedByRules, match="unknown-seat"):
        place.alter(lambda work: addresses.replace(work, work.game(tag), "atlantis-1", NEW))
