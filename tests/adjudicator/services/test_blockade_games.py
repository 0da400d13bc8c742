"""«Блокада» by mail: whole games, set-up, silence, a layout mended, decisions in mid-turn (its page, 2.5)."""

from __future__ import annotations

import os
from typing import Any

import pytest

from adjudicator.letters import Reader, Receipt
from adjudicator.services import archive, casefile, casewords
from adjudicator.services.render import render
from tests.adjudicator.services.blockaders import (
    begun,
    checked,
    game,
    last_told,
    play_on,
    told,
    words,
)
from tests.adjudicator.services.islanders import log_of, process, status
from tests.adjudicator.services.smuggling import asked, close_group, given, question_letter
from tests.adjudicator.services.stage import ANNA, BORIS, Stage

LAYOUT = """остров E8 F8 G8 G9 G10
остров K12 L12 M12 L13 L11
остров Q9 R9 S9 T9 T10
остров O17 P17 P18 Q18 Q19
скала M5
скала H15"""
HIT = "hit-5"
"""A seed by which the first shot of turn 2 disables, move by move and in sealed play, if nobody writes before it."""
WITHIN_RANGE = "R L11 N, B F14 N, first B, toss first"
LONG = "SELFPLAY_GAMES" in os.environ
MORE: dict[str, tuple[dict[str, Any], int]] = {
    "one step": ({"steps": 1}, 64),
    "two steps": ({"steps": 2}, 34),
    "four steps": ({"steps": 4}, 18),
}
GAMES = {"three steps": ({}, 24), "strict": ({"edition": "strict"}, 124), **(MORE if LONG else {})}
"""Kinds of games played to their end, and how many turns they may take at most; `make selfplay` plays all of them."""


# Whole games


@pytest.mark.parametrize(("options", "most"), GAMES.values(), ids=GAMES)
def test_game_is_played_by_mail_to_its_natural_end(empty: Stage, options: dict[str, Any], most: int) -> None:
    tag = game(empty, **options)
    turns = play_on(empty, tag, most)
    refused = [
        line
        for _, value in empty.letters("receipt")
        if isinstance(value, Receipt)
        for line in value.lines
        if line.mark == "refused"
    ]

    assert turns > 3
    assert refused == []
    report = checked(empty, tag)
    assert (report.faults, report.sealed, {one.verdict for one in report.turns}) == ((), (), {"replayed"})
    for address, ended in ((ANNA, "## Итог"), (BORIS, "## The end")):
        text = render(empty.letters("", address)[-1][1]).text
        assert ended in text
        assert max(map(len, text.splitlines())) <= 76


# Set-up


def test_sides_places_and_toss_are_settled_by_what_both_say(empty: Stage) -> None:
    tag = game(empty)
    assert "Промолчите — будет `любая`." in told(empty, ANNA)
    empty.write(tag, "first", "сторона: блокада\nугол W23\nгавань M1")
    empty.write(tag, "second", "side: runner\nharbour K1")
    process(empty, tag)
    anna, boris = told(empty, ANNA), told(empty, BORIS)

    assert "Вы — **Блокирующий** (Анна)" in anna
    assert "You are **Runner** (Boris)" in boris
    assert "at K1, bow to the north (B2)" in boris
    assert "на W23, нос на вест (B3)" in anna


def test_equal_wishes_are_settled_by_a_die_that_is_told(empty: Stage) -> None:
    tag = game(empty)
    empty.write(tag, "first", "сторона: прорыв")
    empty.write(tag, "second", "side: runner")
    process(empty, tag)

    assert "Желания совпали, и решил жребий" in told(empty, ANNA)
    assert "sides/x1/main/0" in told(empty, BORIS)
    assert "equal wishes: who runs" in told(empty, BORIS)


def test_silence_takes_the_defaults_and_draws_the_islands(empty: Stage) -> None:
    tag = game(empty)
    process(empty, tag)
    assert "at L1, bow to the north" in told(empty, BORIS)
    process(empty, tag)

    assert "Острова и скалы легли по жребию (B5)" in told(empty, ANNA)
    assert "map/x1/rock/1" in told(empty, ANNA)
    process(empty, tag)
    assert "так держать, L1 → L2" in told(empty, ANNA)
    assert checked(empty, tag).faults == ()


def winner(stage: Stage, tag: str) -> tuple[str, str]:
    """Return the seat that won the toss, and its address."""
    seat = stage.position(tag).view("first").toss
    return seat, {"first": ANNA, "second": BORIS}[seat]


def test_illegal_layout_comes_back_with_a_drawing_and_a_second_mail_mends_it(empty: Stage) -> None:
    tag = game(empty)
    process(empty, tag)
    seat, address = winner(empty, tag)
    loser = {"first": "second", "second": "first"}[seat]
    refused = empty.say(tag, seat, LAYOUT.replace("K12 L12 M12 L13 L11", "P16 Q16 R16 S16 T16"))
    letter = render(refused)

    assert "!!" in letter.text
    assert [name for name, _ in letter.images] == ["fault-1"]
    assert 'src="cid:fault-1"' in letter.html
    assert empty.in_force(tag, seat) == ()
    assert "островa" not in words(empty.say(tag, loser, "остров E8 F8 G8 G9 G10"))
    mended = empty.say(tag, seat, LAYOUT)
    assert len(empty.in_force(tag, seat)) == 1
    assert render(mended).images == ()
    process(empty, tag)
    assert {"first": "расставил острова и скалы (B5)", "second": "has laid out islands and rocks (B5)"}[seat] in told(
        empty, address
    )
    assert "E8 F8 G8 G9 G10" in told(empty, ANNA)


def test_layout_that_was_never_mended_is_drawn(empty: Stage) -> None:
    tag = game(empty)
    process(empty, tag)
    seat, _ = winner(empty, tag)
    empty.write(tag, seat, LAYOUT.replace("скала H15", ""))
    process(empty, tag)

    assert "легли по жребию" in told(empty, ANNA)


# Play


def test_receipt_shows_the_step_that_will_be_made_instead(empty: Stage) -> None:
    tag = begun(empty, "R L5 N, B A24 E, first R; rock L6")
    receipt = words(empty.say(tag, "first", "план: = = П П; огонь не стрелять"))

    assert "✂ план: = = П; огонь не стрелять" in receipt
    assert "лишнее (П) отброшено (2.5.2)" in receipt
    assert "шаг 1: = → П, на M6, курс норд-ост: там земля (B8)" in receipt


def test_later_line_replaces_only_the_parts_it_names_and_a_standing_part_lasts(empty: Stage) -> None:
    tag = begun(empty, "R L5 N, B A24 E, first R")
    empty.say(tag, "first", "постоянный: огонь не стрелять\nплан: = П Л; рывок: уход")
    empty.say(tag, "first", "план: = = =")

    assert empty.in_force(tag, "first") == ("план: = = =", "рывок: уход")
    process(empty, tag)
    assert "огонь не стрелять" in told(empty, ANNA)


def test_turn_ends_with_a_dash_and_both_logs_tell_it(empty: Stage) -> None:
    tag = begun(empty, WITHIN_RANGE, seed=HIT)
    process(empty, tag)
    anna, boris = told(empty, ANNA), told(empty, BORIS)

    assert "**Прорыватель подбит** на L11: машина стала (B18)." in anna
    assert "**A dash!** The Blockader goes at full speed: F15" in boris
    assert "its" not in boris.split("## Ship's log")[1].split("## Map")[0]
    assert "подбиты на L11, машина стала (B18)" in anna
    assert "rang for full speed: F15" in boris
    assert "1: D4" in boris
    process(empty, tag)
    assert "вынужденный шаг (B20)" in told(empty, ANNA)


# Strict play


def test_strict_play_asks_the_disabled_ship_and_then_the_firer(empty: Stage) -> None:
    tag = begun(empty, WITHIN_RANGE, edition="strict", seed=HIT)
    process(empty, tag)
    assert empty.turn(tag).status == "asking"
    turn = words(question_letter(empty, ANNA)[1])
    assert "Вы подбиты на L11, и Блокирующий с F15 сейчас пойдёт в рывок." in turn
    assert "3. `Л` — нос на норд-вест (к противнику)" in turn
    assert "Не ответите — будет: доворот: Л" in turn
    assert "куда довернуть" not in words(question_letter(empty, BORIS, "question-awaited")[1])
    empty.say(tag, "first", "2")
    close_group(empty, tag)

    dash = words(question_letter(empty, BORIS)[1])
    assert "The Runner is disabled at L11, bow to the north-east." in dash
    assert "1. `ram`" in dash
    empty.say(tag, "second", "answer: = s s p = =")
    close_group(empty, tag)
    assert [(key, whose) for key, _, whose in given(empty, tag)] == [
        ("runner/o1/turn/0", "seat"),
        ("blockader/o1/dash/0", "seat"),
    ]
    assert "довернуть вправо: Прорыватель повернул нос на норд-ост (B18)" in told(empty, ANNA)
    assert "Рывок!" in told(empty, ANNA)
    assert "Вы ещё не оправились: корабль сам пройдёт клетку прямо" in told(empty, ANNA)
    assert checked(empty, tag).faults != ()  # the position was laid down, not played to


def test_unanswered_questions_are_left_to_the_defaults(empty: Stage) -> None:
    tag = begun(empty, WITHIN_RANGE, edition="strict", seed=HIT)
    process(empty, tag)
    assert asked(empty, tag)["first"].answers == {}
    close_group(empty, tag)
    close_group(empty, tag)

    assert [(key, whose) for key, _, whose in given(empty, tag)] == [
        ("runner/o1/turn/0", "default"),
        ("blockader/o1/dash/0", "default"),
    ]
    assert "довернуть влево: Прорыватель повернул нос на норд-вест (B18)" in told(empty, ANNA)
    assert "**Рывок!** Блокирующий даёт полный ход: F15" in told(empty, ANNA)


def test_game_ends_by_consent_and_points_are_counted(empty: Stage) -> None:
    tag = begun(empty, "R L5 N, B A24 E, first R, points 2:1")
    for seat, line in (("first", "завершаем"), ("second", "conclude")):
        empty.write(tag, seat, line)
    process(empty, tag)

    assert status(empty, tag) == "finished"
    assert "Both agreed to count the points. Points: the Runner 2, the Blockader 1." in last_told(empty, BORIS)
    assert "Победа: Прорыватель." in last_told(empty, ANNA)


# What else may be asked for


def test_case_file_archive_map_try_rules_and_log_are_in_the_players_words(empty: Stage) -> None:
    tag = begun(empty, WITHIN_RANGE, seed=HIT)
    process(empty, tag)
    said = words(empty.say(tag, "first", "план: = Л =\nпроба\nкарта\nправила таран\nжурнал всё"))
    assert "Прорыватель" in said.split("## Проба")[1]
    assert "Прорыватель L11" in said
    assert "B22" in said
    assert "подбиты на L11" in said
    with empty.house.look() as work:
        found = work.game(tag, lock=False)
        case = casewords.markdown(
            casefile.gather(work, found, 2, Reader(name="", language="en", zone="Europe/London"), "second")
        )
        pages = archive.pages(work, found)
    assert "disabled at L11" in case
    assert pages
    assert b"blockader/o1/starboard/0" in log_of(empty, tag)
