"""Press: passed on word for word to those it names, or not at all (play-by-mail 2)."""

from __future__ import annotations

import pytest

from adjudicator.services.header import Header
from tests.adjudicator.services.stage import (
    ANNA,
    BORIS,
    CAST,
    OPERATOR,
    PIRATES,
    PIRATES_ORDERS,
    SPAIN,
    SPAIN_ORDERS,
    VERA,
    Stage,
)

THREE = (*CAST, (VERA, "Вера", "ru", "pirates-2"))


def press(to: str, text: str = "встретимся у Азор", end: str = "конец письма\n") -> str:
    return f"письмо {to}:\n{text}\n{end}"


def readers(stage: Stage) -> list[str]:
    return [row.address for row, _ in stage.letters("press")]


@pytest.mark.parametrize(
    ("to", "addresses"),
    [
        ("Борису", [BORIS]),
        ("Борис", [BORIS]),
        ("Пираты-1", [BORIS]),
        ("pirates-1", [BORIS]),
        ("Борису, Вере", [BORIS, VERA]),
        ("Борису и Вере", [BORIS, VERA]),
        ("всем", [BORIS, VERA]),
        ("all", [BORIS, VERA]),
        ("судье", [OPERATOR]),
        ("moderator, Борису", [BORIS, OPERATOR]),
    ],
)
def test_press_goes_to_those_it_names(empty: Stage, to: str, addresses: list[str]) -> None:
    tag = empty.game(cast=THREE)
    receipt = empty.say(tag, SPAIN, press(to))

    assert [line.mark for line in receipt.lines] == ["press"]
    assert sorted(readers(empty)) == sorted(addresses)


def test_press_is_passed_on_word_for_word_and_logged_without_a_word_of_it(place: Stage) -> None:
    tag = place.game()
    text = "— Сан-Фелипе: СВ 3!\n  «готов» ли ты…\n• статус\n# не комментарий // и это"
    receipt = place.say(tag, SPAIN, press("Борису", text))
    ((_, letter),) = place.letters("press")

    assert getattr(letter, "facts")["text"] == text  # noqa: B009
    assert receipt.lines[0].facts["lines"] == text.splitlines()
    assert (receipt.in_force, receipt.word) == ((), "no orders")
    logged = place.events(tag, "press")[-1]
    assert set(logged) == {"at", "private", "seq", "turn", "type"}


def test_orders_beside_press_are_done(place: Stage) -> None:
    tag = place.game()
    receipt = place.say(tag, SPAIN, press("Борису") + SPAIN_ORDERS)

    assert (len(receipt.in_force), readers(place)) == (3, [BORIS])


def test_press_without_its_end_goes_if_nothing_in_it_reads_as_an_order(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, press("Борису", "привет\nкак дела?", end=""))

    assert readers(place) == [BORIS]


@pytest.mark.parametrize("line", ["корабль 1: стоять", "готов"])
def test_press_without_its_end_that_holds_an_order_goes_nowhere_and_the_receipt_asks(place: Stage, line: str) -> None:
    tag = place.game()
    receipt = place.say(tag, SPAIN, press("Борису", f"привет\n{line}", end=""))

    assert [(one.mark, one.key) for one in receipt.lines] == [("command-refused", "press-unclosed")]
    assert (readers(place), receipt.in_force, receipt.word) == ([], (), "no orders")


def test_press_to_nobody_known_is_refused_with_what_could_be_meant(place: Stage) -> None:
    receipt = place.say(place.game(), SPAIN, press("Васе"))

    assert [(one.mark, one.key, one.facts["typed"]) for one in receipt.lines] == [
        ("command-refused", "press-unknown", "Васе")
    ]
    assert readers(place) == []


def test_empty_press_is_refused(place: Stage) -> None:
    receipt = place.say(place.game(), SPAIN, press("Борису", " "))

    assert [one.key for one in receipt.lines] == ["press-empty"]


def test_nothing_set_aside_as_quote_or_signature_is_sent(place: Stage) -> None:
    tag = place.game()
    quote = "05.01.2026, 15:00, Судья <judge@example.org> пишет:\n> тайна\n"
    text = f"письмо Борису:\nпривет\n\n-- \nАнна, тел. 123\n\n{quote}"
    place.say(tag, SPAIN, text)
    ((_, letter),) = place.letters("press")

    assert getattr(letter, "facts")["text"] == "привет"  # noqa: B009


@pytest.mark.parametrize(
    ("rule", "to", "passes"),
    [
        ("none", "Борису", False),
        ("none", "судье", True),
        ("public", "Борису", False),
        ("public", "всем", True),
        ("private", "Борису", True),
    ],
)
def test_game_says_what_press_may_pass(empty: Stage, rule: str, to: str, passes: bool) -> None:
    tag = empty.game(header=Header(press=rule), cast=THREE)  # type: ignore[arg-type]
    receipt = empty.say(tag, SPAIN, press(to))

    assert [one.mark for one in receipt.lines] == ["press" if passes else "command-refused"]
    assert (readers(empty) != []) is passes


def test_answer_to_press_without_an_order_is_press_back(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, press("Борису"))
    letter, _ = place.letters("press", BORIS)[-1]

    receipt = place.say(tag, PIRATES, "Согласен.\nНо не раньше среды…", answers=letter.message_id)

    assert [one.mark for one in receipt.lines] == ["press"]
    ((_, back),) = place.letters("press", ANNA)
    assert getattr(back, "facts")["text"] == "Согласен.\nНо не раньше среды…"  # noqa: B009


def test_answer_to_press_with_orders_in_it_does_neither_before_the_player_says_which(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, press("Борису"))
    letter, _ = place.letters("press", BORIS)[-1]

    receipt = place.say(tag, PIRATES, "Согласен.\nсоль: раз\n" + PIRATES_ORDERS, answers=letter.message_id)

    assert [one.mark for one in receipt.lines] == ["command-refused"]
    assert (receipt.in_force, receipt.phrase_automatic, readers(place)) == ((), True, [BORIS])


def test_answer_to_press_that_says_which_is_obeyed(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, press("Борису"))
    letter, _ = place.letters("press", BORIS)[-1]

    receipt = place.say(tag, PIRATES, press("Анне") + PIRATES_ORDERS, answers=letter.message_id)

    assert (len(receipt.in_force), readers(place)) == (6, [BORIS, ANNA])


def test_press_passes_in_a_locked_turn_too(place: Stage) -> None:
    tag = place.game()
    place.pass_deadline(tag)
    old = next(row for row, _ in place.letters("report", ANNA) if row.turn == 1)

    receipt = place.say(tag, SPAIN, press("Борису"), answers=old.message_id)

    assert (receipt.late, readers(place)) == (None, [BORIS])
