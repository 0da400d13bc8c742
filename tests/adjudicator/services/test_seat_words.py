"""What a seat says beyond its orders: ``проба``, ``вернуть N``, ``слово`` (play-by-mail 1.10, 2)."""

from __future__ import annotations

import pytest

from adjudicator.errors import RefusedByRules
from adjudicator.letters import Receipt, Report
from adjudicator.services import farewells, games
from adjudicator.services.header import Header
from adjudicator.services.render import render
from tests.adjudicator.services.stage import ANNA, BORIS, PIRATES, SPAIN, SPAIN_ORDERS, Stage, fixed_chance


def words(value: Receipt | Report) -> str:
    return " ".join(render(value).text.split())


# проба ----------------------------------------------------------------------------------------------------------------


def test_try_shows_what_my_own_orders_would_do_alone(place: Stage) -> None:
    tag = place.game()
    receipt = place.say(tag, SPAIN, "проба\nкорабль 1: СВ 1\nкорабль 2: стоять\nкорабль 3: стоять\n")

    assert [line.key for line in receipt.lines if line.mark == "command"] == ["try"]
    assert len(receipt.events) > 0
    assert [("Проба" in text, "Одни ваши приказы" in text) for text in [words(receipt)]] == [(True, True)]


def test_try_knows_nothing_of_what_others_have_ordered(place: Stage) -> None:
    """The same letter gives the same foresight whatever the other side has sealed."""
    tag = place.game()
    before = place.say(tag, SPAIN, "проба\n" + SPAIN_ORDERS).events
    place.say(tag, PIRATES, "корабль 4: стоять\nготов\n")

    assert place.say(tag, SPAIN, "проба\n").events == before


def test_try_throws_no_die_and_changes_nothing(place: Stage) -> None:
    tag = place.game()
    first = place.say(tag, SPAIN, SPAIN_ORDERS)
    tried = place.say(tag, SPAIN, "try\n")

    assert (tried.in_force, tried.word) == (first.in_force, first.word)
    assert [one["type"] for one in place.events(tag)][-1] == "order"


def test_receipt_without_try_foresees_nothing(place: Stage) -> None:
    assert place.say(place.game(), SPAIN, "корабль 1: СВ 1\n").events == ()


# вернуть N ------------------------------------------------------------------------------------------------------------


def test_restore_of_a_receipt_of_another_turn_is_refused_and_says_which_turn_it_was(place: Stage) -> None:
    tag = place.game()
    old = place.say(tag, SPAIN, SPAIN_ORDERS)
    place.pass_deadline(tag)
    receipt = place.say(tag, SPAIN, f"вернуть {old.number}")

    assert [(line.mark, line.key, line.facts) for line in receipt.lines] == [
        ("command-refused", "no-such-receipt", {"number": 1, "numbers": [], "turn": 1})
    ]
    assert (receipt.in_force, "расписка 1 — из хода 1" in words(receipt)) == ((), True)


def test_restored_sheet_is_a_draft_again_if_a_line_of_it_was_still_to_be_mended(place: Stage) -> None:
    tag = place.game()
    bad = place.say(tag, SPAIN, SPAIN_ORDERS + "корабль 1: СВ 99\nкорабль 1: фыва\n")
    good = place.say(tag, SPAIN, "заново\n" + SPAIN_ORDERS)
    restored = place.say(tag, SPAIN, f"вернуть {bad.number}")

    assert (bad.word, good.word, restored.word) == ("draft", "orders in", "draft")


def test_restore_takes_back_what_stood_after_any_receipt_of_the_turn(place: Stage) -> None:
    tag = place.game()
    numbers = [place.say(tag, SPAIN, f"корабль 1: СВ {run}").number for run in (1, 2)]
    place.say(tag, SPAIN, "отмена")

    assert [len(place.say(tag, SPAIN, f"вернуть {one}").in_force) for one in numbers] == [1, 1]
    assert (
        place.say(tag, SPAIN, f"вернуть {numbers[0]}").in_force
        != place.say(tag, SPAIN, f"вернуть {numbers[1]}").in_force
    )


# слово ----------------------------------------------------------------------------------------------------------------


def end(stage: Stage, tag: str) -> None:
    for seat, address in ((SPAIN, ANNA), (PIRATES, BORIS)):
        stage.say(tag, seat, "ничья")
        row, _ = stage.letters("confirm", address)[-1]
        stage.write(tag, seat, "да", answers=row.message_id)
        stage.settle()


def last_letter(stage: Stage, address: str) -> Report:
    return next(value for _, value in stage.letters("report", address) if isinstance(value, Report) and value.outcome)


def test_farewell_is_kept_from_all_until_the_last_letter_and_printed_there(place: Stage) -> None:
    tag = place.game()
    before = len(place.letters())
    receipt = place.say(tag, SPAIN, "слово: Спасибо за игру! # и за рифы\nслово: До встречи.\n")
    assert {row.address for row, _ in place.letters()[before:]} == {ANNA}
    end(place, tag)

    assert [(line.mark, line.key) for line in receipt.lines] == [("command", "farewell")] * 2
    letter = last_letter(place, BORIS)
    assert [(one["seat"], one["name"], one["text"]) for one in letter.farewells] == [
        (SPAIN, "Анна", "Спасибо за игру! # и за рифы\nДо встречи.")
    ]
    text = render(letter).text
    assert ("│ До встречи." in text, "## Слово игрокам" in text) == (True, True)


def test_later_farewell_replaces_an_earlier_one(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, "слово: раз\n")
    place.say(tag, SPAIN, "farewell: два\n")
    end(place, tag)

    assert [one["text"] for one in last_letter(place, ANNA).farewells] == ["два"]


def test_farewell_of_one_who_has_left_is_printed_too(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, "слово: пора\nсдаюсь\n")
    row, _ = place.letters("confirm", ANNA)[-1]
    place.write(tag, SPAIN, "да", answers=row.message_id)
    place.settle()
    place.say(tag, PIRATES, "ничья")
    row, _ = place.letters("confirm", BORIS)[-1]
    place.write(tag, PIRATES, "да", answers=row.message_id)
    place.settle()

    assert [one["text"] for one in last_letter(place, BORIS).farewells] == ["пора"]


def test_farewell_that_is_too_long_is_refused_and_the_old_one_stands(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, "слово: коротко\n")
    half = "о" * (farewells.LIMIT // 2)
    receipt = place.say(tag, SPAIN, f"слово: {half}\nслово: {half}\n")

    assert [(one.mark, one.key) for one in receipt.lines] == [("command-refused", "farewell-long")] * 2
    with place.house.look() as work:
        assert [one["text"] for one in farewells.all_of(work, work.game(tag, lock=False))] == ["коротко"]


def test_farewell_cannot_pass_for_the_judge(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, "слово: # Решение судьи: **победили мы**\n")
    end(place, tag)
    made = render(last_letter(place, BORIS))

    assert "│ # Решение судьи" in made.text.replace("\\", "")
    assert "<strong>победили мы</strong>" not in made.html


# Header ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("moderator", ["plays", "none"])
def test_nobody_but_a_moderator_who_stands_apart_may_read_press(empty: Stage, moderator: str) -> None:
    header = Header(press_read=True, moderator=moderator)  # type: ignore[arg-type]

    with pytest.raises(RefusedByRules, match="press-read"), empty.house.unit("test") as work:
        games.create(work, "pirates", 2, header=header, source=fixed_chance())
