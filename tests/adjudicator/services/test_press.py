"""Press: passed on word for word to those it names, or not at all (play-by-mail 2)."""

from __future__ import annotations

import pytest

from adjudicator.letters import Report
from adjudicator.services import games, logbook, people, tokens
from adjudicator.services.header import Header
from adjudicator.services.press import published
from adjudicator.services.render import render
from adjudicator.services.tokens import reply_address
from adjudicator.storage.tables import Tenure
from engine.core.contract import Note
from tests.adjudicator.services.stage import (
    ANNA,
    BORIS,
    CAST,
    JUDGE,
    OPERATOR,
    PIRATES,
    PIRATES_ORDERS,
    SPAIN,
    SPAIN_ORDERS,
    VERA,
    Stage,
    fixed_chance,
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


# Which of two was meant -----------------------------------------------------------------------------------------------


def receipt_id(stage: Stage, address: str) -> str:
    row, _ = stage.letters("receipt", address)[-1]
    return row.message_id


def asked_which(stage: Stage, tag: str) -> None:
    stage.say(tag, SPAIN, press("Борису"))
    letter, _ = stage.letters("press", BORIS)[-1]
    stage.say(tag, PIRATES, "Согласен.\n" + PIRATES_ORDERS, answers=letter.message_id)


def test_answer_to_press_with_orders_becomes_orders_when_the_player_says_so(place: Stage) -> None:
    tag = place.game()
    asked_which(place, tag)
    receipt = place.say(tag, PIRATES, "приказы", answers=receipt_id(place, BORIS))

    assert (len(receipt.in_force), readers(place)) == (6, [BORIS])


def test_answer_to_press_with_orders_becomes_press_when_the_player_says_so(place: Stage) -> None:
    tag = place.game()
    asked_which(place, tag)
    receipt = place.say(tag, PIRATES, "письмо", answers=receipt_id(place, BORIS))

    assert ([line.mark for line in receipt.lines], receipt.in_force) == (["press"], ())
    assert place.notices("press", ANNA)[0]["text"] == ("Согласен.\n" + PIRATES_ORDERS).strip()


def test_unclosed_press_with_an_order_goes_out_whole_at_a_yes_and_the_order_is_not_done(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, press("Борису", "привет\nкорабль 1: стоять", end=""))
    receipt = place.say(tag, SPAIN, "да", answers=receipt_id(place, ANNA))

    assert ([line.mark for line in receipt.lines], receipt.in_force) == (["press"], ())
    assert place.notices("press", BORIS)[0]["text"] == "привет\nкорабль 1: стоять"


# Unsigned press -------------------------------------------------------------------------------------------------------


UNSIGNED = Header(press="anonymous")


def words(stage: Stage, kind: str, address: str) -> str:
    """Return the letters of a kind to a player as he reads them, in one line."""
    made = [render(value) for _, value in stage.letters(kind, address)]
    return " ".join(" ".join(f"{one.subject} {one.text}" for one in made).split())


def test_unsigned_press_does_not_name_its_writer(empty: Stage) -> None:
    tag = empty.game(header=UNSIGNED, cast=THREE)
    empty.say(tag, SPAIN, press("Борису", "кто я?"))
    (facts,) = empty.notices("press", BORIS)

    assert (facts["by"], facts["seat"], facts["titles"], facts["name"]) == ("unsigned", "", {}, "")
    text = words(empty, "press", BORIS)
    assert ("кто я?" in text, "Анна" in text, "Испания" in text) == (True, False, False)


def test_reader_of_unsigned_press_cannot_open_its_part_of_the_log(empty: Stage) -> None:
    """Its writer can, and the part says that it was unsigned."""
    tag = empty.game(header=UNSIGNED, cast=THREE)
    empty.say(tag, SPAIN, press("Борису", "кто я?"))
    with empty.house.look() as work:
        game = work.game(tag, lock=False)
        files = {seat: logbook.file_for(work, game, seat, 0, game.seq).decode() for seat in (SPAIN, PIRATES)}

    assert ["кто я?" in files[seat] for seat in (SPAIN, PIRATES)] == [True, False]
    assert '"anonymous":true' in files[SPAIN]


def test_answer_to_unsigned_press_reaches_its_writer_and_the_answerer_does_not_learn_who_it_is(empty: Stage) -> None:
    tag = empty.game(header=UNSIGNED, cast=THREE)
    empty.say(tag, SPAIN, press("Борису", "кто я?"))
    letter, _ = empty.letters("press", BORIS)[-1]
    receipt = empty.say(tag, PIRATES, "не знаю", answers=letter.message_id)

    assert [one["text"] for one in empty.notices("press", ANNA)] == ["не знаю"]
    assert [(line.mark, line.facts) for line in receipt.lines] == [
        ("press", {"to": "", "lines": ["не знаю"], "seats": [], "unsigned": True, "read": False})
    ]
    with empty.house.look() as work:
        game = work.game(tag, lock=False)
        file = logbook.file_for(work, game, PIRATES, 0, game.seq).decode()
    assert ("не знаю" in file, "письмо отправлено его автору" in words(empty, "receipt", BORIS)) == (False, True)


# The judge ------------------------------------------------------------------------------------------------------------


def appoint(stage: Stage, tag: str) -> str:
    with stage.house.unit("test") as work:
        person = people.register(work, "semyon@example.org", name="Семён", language="ru", zone="Europe/Moscow")
        people.appoint(work, work.game(tag), person)
    return "semyon@example.org"


def test_press_to_the_judge_goes_to_the_moderator_where_the_game_has_one(place: Stage) -> None:
    tag = place.game()
    judge = appoint(place, tag)
    place.say(tag, SPAIN, press("судье"))

    assert readers(place) == [judge]


def test_judge_is_written_to_where_there_is_no_press(empty: Stage) -> None:
    tag = empty.game(header=Header(press="none"))
    judge = appoint(empty, tag)
    empty.say(tag, SPAIN, press("moderator"))

    assert readers(empty) == [judge]


def test_judge_sees_who_wrote_to_him_in_a_game_of_unsigned_press(empty: Stage) -> None:
    tag = empty.game(header=UNSIGNED, cast=THREE)
    judge = appoint(empty, tag)
    empty.say(tag, SPAIN, press("Борису, судье"))

    assert [empty.notices("press", one)[0]["seat"] for one in (judge, BORIS)] == [SPAIN, ""]


def test_judge_who_may_read_press_gets_copies_and_the_players_are_told_so(empty: Stage) -> None:
    tag = empty.game(header=Header(press_read=True))
    judge = appoint(empty, tag)
    receipt = empty.say(tag, SPAIN, press("Борису", "тайна"))

    assert [(one["copy"], one["text"]) for one in empty.notices("press-copy", judge)] == [(True, "тайна")]
    assert (receipt.lines[0].facts["read"], empty.notices("press", BORIS)[0]["read"]) == (True, True)
    assert "Судья читает переписку этой игры." in words(empty, "press", BORIS)
    assert "копия — у судьи" in words(empty, "receipt", ANNA)


def test_judge_who_may_not_read_press_gets_none(place: Stage) -> None:
    tag = place.game()
    judge = appoint(place, tag)
    place.say(tag, SPAIN, press("Борису", "тайна"))

    assert place.letters("", judge) == []


def test_header_in_every_report_says_how_press_is_kept(empty: Stage) -> None:
    empty.game(header=Header(press="anonymous", press_read=True, press_published=True))
    text = words(empty, "report", ANNA)

    assert "переписка без подписей; судья читает переписку; в конце переписка публикуется" in text


# Whom it cannot reach -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("to", ["Анне", "Испания-1", "spain-1"])
def test_press_to_oneself_is_refused(place: Stage, to: str) -> None:
    receipt = place.say(place.game(), SPAIN, press(to))

    assert [(line.mark, line.key) for line in receipt.lines] == [("command-refused", "press-self")]


def test_press_to_a_name_one_letter_off_goes_to_the_one_who_fits_and_says_so(place: Stage) -> None:
    receipt = place.say(place.game(), SPAIN, press("Боррису"))

    (line,) = receipt.lines
    facts = {"typed": "Боррису", "read": "Пираты-1 (Борис)"}
    assert (line.mark, line.notes) == ("press", (Note(kind="repaired", key="command-one-off", facts=facts),))
    assert readers(place) == [BORIS]


def test_press_to_a_misspelt_name_is_refused_with_whom_it_could_mean(place: Stage) -> None:
    receipt = place.say(place.game(), SPAIN, press("Боррисху"))

    assert [(line.key, line.facts["suggestions"]) for line in receipt.lines] == [
        ("press-unknown", ["Пираты-1 (Борис)"])
    ]
    assert readers(place) == []


def test_press_to_a_free_seat_goes_nowhere_and_says_so(empty: Stage) -> None:
    tag = empty.game(cast=THREE)
    vera = empty.tenure(tag, "pirates-2").id
    with empty.house.unit("test") as work:
        people.dismiss(work, work.game(tag), work.session.get_one(Tenure, vera))
    alone = empty.say(tag, SPAIN, press("Пираты-2"))
    both = empty.say(tag, SPAIN, press("Борису, Пираты-2"))
    everybody = empty.say(tag, SPAIN, press("всем"))

    assert [(line.mark, line.key) for one in (alone, both, everybody) for line in one.lines] == [
        ("command-refused", "press-free"),
        ("command-refused", "press-free"),
        ("press", "press"),
    ]
    assert readers(empty) == [BORIS]


def finish(stage: Stage, tag: str) -> None:
    for seat, address in ((SPAIN, ANNA), (PIRATES, BORIS)):
        stage.say(tag, seat, "ничья")
        row, _ = stage.letters("confirm", address)[-1]
        stage.write(tag, seat, "да", answers=row.message_id)
        stage.settle()


def test_press_in_a_game_that_is_over_is_not_passed_on_and_its_writer_is_told(place: Stage) -> None:
    tag = place.game()
    carrier = place.carrier(tag, SPAIN)
    finish(place, tag)
    place.deliver(place.message(ANNA, press("Борису", "ещё партию?"), to=reply_address(JUDGE, carrier)))
    place.settle()

    told = place.notices("no-turn", ANNA)
    assert (readers(place), [(one["status"], one["judge"], one["press"]) for one in told]) == ([], [("finished", 0, 1)])


def test_judge_is_written_to_even_after_the_end(place: Stage) -> None:
    tag = place.game()
    finish(place, tag)
    place.write(tag, SPAIN, press("судье", "спасибо"))
    place.settle()

    assert readers(place) == [OPERATOR]
    assert [(one["judge"], one["press"]) for one in place.notices("no-turn", ANNA)] == [(1, 0)]


def test_before_the_start_the_judge_is_written_to_and_nobody_else(empty: Stage) -> None:
    with empty.house.unit("test") as work:
        game = games.create(work, "pirates", 2, header=Header(auto_start=False), source=fixed_chance())
        invitation = games.invite(work, game, ANNA, name="Анна", language="ru", seat=SPAIN)
        games.join(work, game, invitation, phrase="соль Анна", arrival=work.now)
        to = reply_address(JUDGE, tokens.of_invitation(work.vault, game, invitation))
    empty.deliver(empty.message(ANNA, press("судье", "когда начнём?") + press("Борису", "привет"), to=to))
    empty.settle()

    assert [(row.address, getattr(value, "facts")["text"]) for row, value in empty.letters("press")] == [  # noqa: B009
        (OPERATOR, "когда начнём?")
    ]
    told = empty.notices("no-turn", ANNA)
    assert [(one["status"], one["judge"], one["press"]) for one in told] == [("created", 1, 1)]


# Published ------------------------------------------------------------------------------------------------------------


def test_press_is_published_where_the_header_says_so_but_not_what_the_judge_alone_was_told(empty: Stage) -> None:
    tag = empty.game(header=Header(press_published=True))
    empty.say(tag, SPAIN, press("Борису", "встретимся у Азор"))
    empty.say(tag, SPAIN, press("судье", "он жульничает"))
    finish(empty, tag)

    last = next(value for _, value in empty.letters("report", BORIS) if isinstance(value, Report) and value.outcome)
    assert [one["text"] for one in last.press] == ["встретимся у Азор"]
    text = render(last).text
    assert ("│ встретимся у Азор" in text, "жульничает" in text) == (True, False)
    with empty.house.look() as work:
        game = work.game(tag, lock=False)
        file = logbook.file_for(work, game, None, 0, game.seq).decode()
    assert ("встретимся у Азор" in file, "жульничает" in file) == (True, False)


def test_press_is_not_published_where_the_header_does_not_say_so(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, press("Борису", "встретимся у Азор"))
    finish(place, tag)

    with place.house.look() as work:
        game = work.game(tag, lock=False)
        file = logbook.file_for(work, game, None, 0, game.seq).decode()
        assert (published(work, game), "встретимся у Азор" in file) == ((), False)


def test_unsigned_press_is_published_unsigned(empty: Stage) -> None:
    tag = empty.game(header=Header(press="anonymous", press_published=True))
    empty.say(tag, SPAIN, press("Борису", "кто я?"))
    finish(empty, tag)

    with empty.house.look() as work:
        game = work.game(tag, lock=False)
        found = [(one["by"], one["titles"], one["to"], one["text"]) for one in published(work, game)]
        file = logbook.file_for(work, game, None, 0, game.seq).decode()
    assert (found, "кто я?" in file) == ([("unsigned", {}, [], "кто я?")], False)
