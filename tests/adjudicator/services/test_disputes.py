"""Disputes: a turn is disputed, held up, answered; the case file shows each reader what he may see (play-by-mail 6)."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from adjudicator.errors import RefusedByRules
from adjudicator.letters import Notice, Reader, Report
from adjudicator.services import casefile, casewords, disputes, post, render, turns
from adjudicator.services.header import Header
from adjudicator.services.work import Work
from engine.core.contract import MODERATOR, PUBLIC
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
    Stage,
    maildir_stage,
)
from tests.adjudicator.services.test_public import processed
from tests.servers.smtp_sink import SmtpSink

PROSE = "Дорогой судья, вчера на рыбалке клевал жирный сом"
QUOTED = "> вчерашнее словечко про омаров"
SAILS = "корабль 1: курс СВ 2   # хитрый манёвр\nкорабль 2: стоять\nкорабль 3: стоять\nсоль: треска"


def played(stage: Stage, *, header: Header | None = None) -> str:
    """Have turn 1 resolved, for which Anna wrote orders with prose, a comment, a refused line and a quote."""
    tag = stage.game(header=header)
    stage.write(tag, SPAIN, f"{PROSE}\n{SAILS}\nкорабль 1: курс на кабак\n\n{QUOTED}\n")
    processed(stage, tag, (PIRATES, PIRATES_ORDERS))
    return tag


def case(stage: Stage, tag: str, viewer: str, number: int = 1, about: str = "", language: Any = "ru") -> str:
    with stage.house.look() as work:
        reader = Reader(name="", language=language, zone="Europe/Moscow")
        return casewords.markdown(casefile.gather(work, work.game(tag, lock=False), number, reader, viewer, about))


# The case file --------------------------------------------------------------------------------------------------------


def test_case_file_of_ones_own_mail_has_its_words_headers_reading_and_receipt(place: Stage) -> None:
    tag = played(place)

    text = case(place, tag, SPAIN)

    assert PROSE in text
    assert "хитрый манёвр" in text
    assert "вчерашнее словечко про омаров" in text.partition("Отложено")[2].partition("Прочитано так")[0]
    assert "authentication-results" not in text
    assert "    date: " in text
    assert "Отправитель: ключ места" in text
    assert "✓ " in text
    assert "Расписка 1: передана почте" in text


@pytest.mark.parametrize("viewer", [PIRATES, PUBLIC, MODERATOR])
def test_case_file_of_others_has_no_word_of_a_letters_prose(place: Stage, viewer: str) -> None:
    tag = played(place)

    text = case(place, tag, viewer)

    words = f"{PROSE} {QUOTED} хитрый манёвр курс на кабак".replace(",", "").replace(">", "").split()
    own = [word for word in words if len(word) > 3 and word not in ("курс", "судья")]
    assert [word for word in own if word.casefold() in text.casefold()] == []
    assert "Отправитель: ключ места" in text
    assert "СВ 2" in text


def test_case_file_carries_no_token_of_anybody(place: Stage) -> None:
    tag = played(place)
    tokens = [place.carrier(tag, seat) for seat in (SPAIN, PIRATES)]

    for viewer in (SPAIN, PIRATES, MODERATOR):
        assert [token for token in tokens if token in case(place, tag, viewer)] == []
    assert f"{tokens[0].rpartition('.')[0]}.…" in case(place, tag, SPAIN)  # it stood in the address she wrote to


def test_case_file_carries_no_message_id_by_which_one_could_speak_for_anothers_seat(place: Stage) -> None:
    tag = place.game()
    asked, _ = place.letters("report", ANNA)[-1]
    place.write(tag, SPAIN, SAILS, answers=asked.message_id)
    processed(place, tag, (PIRATES, PIRATES_ORDERS))
    names = [letter.message_id.strip("<>") for letter, _ in place.letters()]

    for viewer in (SPAIN, PIRATES, MODERATOR, PUBLIC):
        text = case(place, tag, viewer)
        assert [name for name in names if name in text] == []
        assert "Message-ID `" in text
    assert f"in-reply-to: {asked.message_id[:9]}…" in case(place, tag, SPAIN)


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("mx.google.com; dkim=pass header.d=example.org", "ключа нет; mx.google.com подтверждает: dkim=pass"),
        ("", "свой ключ — в адресе, на который писали; почтовая служба за отправителя не поручилась"),
    ],
)
def test_case_file_says_what_proved_a_mail_and_only_to_its_party_who_signed_it(
    tmp_path: Path, smtp_sink: SmtpSink, played: str, header: str, said: str
) -> None:
    with maildir_stage(played, smtp_sink, tmp_path, authserv="mx.google.com") as stage:
        tag = stage.game()
        signed = [("Authentication-Results", header), ("DKIM-Signature", "v=1; d=example.org; b=x")] if header else []
        if header:
            stage.deliver(stage.message(ANNA, SAILS, headers=signed))
        else:
            stage.write(tag, SPAIN, SAILS)
        processed(stage, tag, (PIRATES, PIRATES_ORDERS))

        for viewer in (PIRATES, MODERATOR, SPAIN):
            text = case(stage, tag, viewer)
            assert f"Что за это и против: {said}" in " ".join(text.split())
            assert ("(example.org)" in text) == (viewer == SPAIN and header != "")


def test_orders_that_open_at_the_end_stay_sealed_in_anothers_case_file(place: Stage) -> None:
    tag = played(place, header=Header(open_orders="end"))

    for viewer in (PIRATES, PUBLIC):
        text = case(place, tag, viewer)
        assert "Что принято из этого письма, ещё закрыто" in text
        assert "СВ 2" not in text.partition("## Кости")[0]
    assert "СВ 2" in case(place, tag, MODERATOR).partition("## Кости")[0]
    assert "СВ 2" in case(place, tag, SPAIN).partition("## Кости")[0]


def test_what_others_sent_to_an_open_turn_is_in_nobodys_case_file_but_the_moderators(place: Stage) -> None:
    tag = place.game()
    place.write(tag, SPAIN, SPAIN_ORDERS)
    place.settle()

    assert "Писем к этому ходу нет" in case(place, tag, PIRATES)
    assert "Писем к этому ходу нет" not in case(place, tag, SPAIN)
    assert "Писем к этому ходу нет" not in case(place, tag, MODERATOR)


def test_case_file_has_orders_dice_with_proof_steps_rules_and_the_report(place: Stage) -> None:
    tag = played(place)

    text = case(place, tag, SPAIN)
    headings = [line[3:] for line in text.splitlines() if line.startswith("## ")]

    assert headings[:5] == [
        "Письма",
        "Приказы, с которыми ход закрыт",
        "Кости",
        "Что произошло и по какому правилу",
        "Отчёт",
    ]
    assert "# прислан" in text
    (result,) = [event for event in place.events(tag, "result") if event["turn"] == 1]
    assert next(iter(result["seeds"]["main"].values())) in text
    assert "каждая кость сходятся" in text or "сыгран заново" in text
    assert "**P21.**" in text  # the wind of the next round
    assert "передан почте" in text.casefold()


def test_case_file_of_a_piece_has_only_what_has_to_do_with_it(place: Stage) -> None:
    tag = played(place)

    whole, one = case(place, tag, PUBLIC), case(place, tag, PUBLIC, about="4")

    assert "галион 1" in whole.casefold().partition("что произошло")[2]
    assert "галион 1" not in one.casefold().partition("что произошло")[2].partition("эти правила")[0]
    assert "Пираты-1, письмо" in one
    assert "Испания-1, письмо" not in one
    with pytest.raises(RefusedByRules, match="unknown-piece"):
        case(place, tag, PUBLIC, about="каравелла")


def test_case_file_is_whole_in_english(place: Stage) -> None:
    tag = played(place)

    assert "## What happened and by which rule" in case(place, tag, SPAIN, language="en")


# Disputing ------------------------------------------------------------------------------------------------------------


def test_dispute_is_logged_and_told_to_all_and_its_text_to_the_moderator_alone(place: Stage) -> None:
    tag = played(place)
    receipt = place.say(tag, PIRATES, "спор ход 1: пушки молчали # зря")

    (line,) = receipt.lines
    assert (line.mark, line.key, line.facts["turn"], line.facts["text"]) == (
        "command",
        "dispute",
        1,
        "пушки молчали # зря",
    )
    (event,) = place.events(tag, "dispute")
    assert (event["turn"], event["state"], event["seat"], "пушки" in str(event)) == (1, "open", PIRATES, False)
    assert [facts["turn"] for facts in place.notices("disputed", ANNA) + place.notices("disputed", BORIS)] == [1, 1]
    assert "text" not in place.notices("disputed", ANNA)[0]
    (told,) = place.notices("disputed-moderator", OPERATOR)
    assert told["text"] == "пушки молчали # зря"
    assert PROSE not in told["case_file"]
    (look,) = place.events(tag, "look")
    assert (look["turn"], look["who"], look["what"]) == (1, "operator", "case")
    assert look["seq"] > event["seq"]


def test_the_case_file_is_attached_to_the_moderators_letter(place: Stage) -> None:
    tag = played(place)
    place.say(tag, PIRATES, "спор: пушки молчали")
    _, value = place.letters("disputed-moderator", OPERATOR)[-1]

    made = render.render(value)

    (name, kind, data) = made.files[0]
    assert (name, kind) == ("case-pirates-1-1.md", "text/markdown")
    assert data.decode().startswith("# Дело о ходе 1 · pirates-1\n")
    assert isinstance(value, Notice)
    assert post.make is not None


def test_a_moderator_who_plays_gets_the_case_file_of_the_public_and_looks_at_nothing(place: Stage) -> None:
    tag = played(place, header=Header(moderator="plays", dice="salts", open_orders="end"))
    place.say(tag, PIRATES, "спор: пушки молчали")

    (told,) = place.notices("disputed-moderator", OPERATOR)

    assert "Здесь только то, что знают все" in told["case_file"]
    assert place.events(tag, "look") == []


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("спор ход 2: рано", "dispute-no-turn"),
        ("спор ход 9: нет такого", "dispute-no-turn"),
        ("спор ход 1:", "dispute-empty"),
    ],
)
def test_dispute_that_cannot_be_opened_says_why(place: Stage, text: str, key: str) -> None:
    tag = played(place)

    receipt = place.say(tag, PIRATES, text)

    assert [(line.mark, line.key) for line in receipt.lines] == [("command-refused", key)]
    assert place.events(tag, "dispute") == []


def test_a_turn_can_be_disputed_until_the_deadline_after_its_report(place: Stage) -> None:
    tag = played(place)
    processed(place, tag, (SPAIN, SPAIN_ORDERS), (PIRATES, PIRATES_ORDERS))  # turn 2, well before its deadline

    assert place.say(tag, PIRATES, "спор ход 1: ещё можно").lines[0].key == "dispute"
    assert place.say(tag, PIRATES, "спор ход 1: ещё раз").lines[0].key == "dispute-open"
    place.read_until(place.turn(tag, 2).deadline + MINUTE)
    assert place.say(tag, SPAIN, "спор ход 1: уже нет").lines[0].key == "dispute-late"


def test_the_word_dispute_in_prose_is_no_dispute(place: Stage) -> None:
    tag = played(place)
    place.write(tag, PIRATES, "спор был жарким\n" + PIRATES_ORDERS)
    place.settle()

    assert place.events(tag, "dispute") == []


# Holding --------------------------------------------------------------------------------------------------------------


def locked(stage: Stage, tag: str) -> None:
    """Lock the open turn and do what there is to do."""
    with stage.house.unit("test") as work:
        turns.process(work, work.game(tag), stage.turn(tag).number)
    stage.settle()


def test_open_dispute_lets_the_next_turn_lock_but_not_resolve_for_a_day(place: Stage) -> None:
    tag = played(place)
    place.say(tag, PIRATES, "спор: пушки молчали")
    locked(place, tag)

    assert (place.turn(tag, 2).status, place.turn(tag, 2).number) == ("locked", 2)
    place.later(23 * HOUR)
    assert place.turn(tag, 2).status == "locked"
    place.later(2 * HOUR)
    assert place.turn(tag, 2).status == "resolved"


def test_answered_dispute_holds_up_nothing(place: Stage) -> None:
    tag = played(place)
    place.say(tag, PIRATES, "спор: пушки молчали")
    locked(place, tag)
    settled(place, tag, "stands", "пушки стреляли мимо")
    place.settle()

    assert place.turn(tag, 2).status == "resolved"


def settled(stage: Stage, tag: str, outcome: Any, text: str, number: int = 1) -> None:
    def answer(work: Work) -> None:
        game = work.game(tag)
        disputes.settle(work, disputes.about(work, game, number), outcome, text)

    stage.alter(answer)


@pytest.mark.parametrize(("outcome", "holds"), [("stands", False), ("rule", True)])
def test_a_seat_holds_up_a_turn_once_in_a_game_unless_it_was_right(place: Stage, outcome: str, holds: bool) -> None:
    tag = played(place)
    place.say(tag, PIRATES, "спор: раз")
    settled(place, tag, outcome, "так")
    locked(place, tag)
    again = place.say(tag, PIRATES, "спор: два")
    locked(place, tag)

    assert again.lines[0].facts["holds"] is holds
    assert place.turn(tag, 3).status == ("locked" if holds else "resolved")
    assert len(place.notices("disputed", ANNA)) == 2


# Settling -------------------------------------------------------------------------------------------------------------


def test_settled_dispute_is_told_to_all_and_stands_in_the_next_reports_corrections(place: Stage) -> None:
    tag = played(place)
    place.say(tag, PIRATES, "спор: пушки молчали")
    place.clock.move(timedelta(hours=1))
    settled(place, tag, "rule", "залп засчитан")
    locked(place, tag)
    locked(place, tag)

    for address in (ANNA, BORIS):
        assert [facts["outcome"] for facts in place.notices("dispute-settled", address)] == ["rule"]
    told = [value for _, value in place.letters("report", ANNA) if isinstance(value, Report)]
    assert [len(one.corrections) for one in told[-3:]] == [0, 1, 0]
    (correction,) = told[-2].corrections
    assert (correction["kind"], correction["turn"], correction["text"]) == ("dispute-rule", 1, "залп засчитан")
    assert "залп засчитан" in render.render(told[-2]).text
    (ruling,) = place.events(tag, "ruling")
    assert (ruling["turn"], ruling["text"]) == (1, "залп засчитан")
    assert [event["state"] for event in place.events(tag, "dispute")] == ["open", "rule"]


def test_a_settled_dispute_cannot_be_settled_again(place: Stage) -> None:
    tag = played(place)
    place.say(tag, PIRATES, "спор: пушки молчали")
    settled(place, tag, "stands", "")

    with pytest.raises(RefusedByRules, match="no-dispute"):
        settled(place, tag, "rule", "x")
