"""The moderator's verbs by mail: each names its turn, is logged, shown to those it touches (play-by-mail 6, 1.9)."""

from __future__ import annotations

import email
import io
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from adjudicator.clock import iso
from adjudicator.letters import Notice, Receipt, Report
from adjudicator.services import games, people, post, tokens
from adjudicator.services.header import Header
from adjudicator.services.work import Work
from engine.core.contract import MODERATOR
from tests.adjudicator.services.stage import (
    ANNA,
    BORIS,
    HOUR,
    JUDGE,
    PIRATES,
    SPAIN,
    SPAIN_ORDERS,
    VERA,
    Stage,
    maildir_stage,
)
from tests.servers.smtp_sink import SmtpSink

ERIK = "erik@example.org"


def seat_the_judge(stage: Stage, tag: str, address: str = VERA, name: str = "Вера") -> None:
    """Let somebody moderate a game."""

    def appoint(work: Work) -> None:
        judge = people.register(work, address, name=name, language="ru", zone="Europe/Moscow")
        people.appoint(work, work.game(tag), judge)

    stage.alter(appoint)


def judged(stage: Stage, *, header: Header | None = None, judge: str = VERA) -> str:
    """Make a game at turn 1 that somebody moderates."""
    tag = stage.game(header=header)
    seat_the_judge(stage, tag, judge)
    return tag


def order(stage: Stage, tag: str, text: str, **how: Any) -> bytes:
    """Let the moderator write to his own address."""
    with stage.house.look() as work:
        game = work.game(tag, lock=False)
        judge = people.moderator(work, game)
        assert judge is not None
        to = tokens.reply_address(JUDGE, tokens.of_tenure(work.vault, game, judge))
        sender = people.main_address(work, people.player(work, judge.player_id))
    return stage.deliver(stage.message(sender, text, to=to, **how))


def done(stage: Stage, tag: str, text: str, **how: Any) -> list[tuple[str, str]]:
    """Let the moderator write, do the work, and return (mark, key) of each line of the one answer."""
    before = len(stage.notices("moderated"))
    order(stage, tag, text, **how)
    stage.settle()
    (answer,) = stage.notices("moderated")[before:]
    return [(line["mark"], line["key"]) for line in answer["answers"]]


def last_answer(stage: Stage) -> dict[str, Any]:
    return stage.notices("moderated")[-1]


def rulings(stage: Stage, tag: str) -> list[str]:
    return [one["text"] for one in stage.events(tag, "ruling")]


# 1.9: the turn is named -----------------------------------------------------------------------------------------------


def test_19_verb_for_a_turn_that_has_gone_by_does_nothing_and_says_so(place: Stage) -> None:
    tag = judged(place)
    before = place.turn(tag).deadline

    assert done(place, tag, "продлить 0 24h\nпровести 2\n") == [("refused", "not-that-turn")] * 2

    assert (place.turn(tag).number, place.turn(tag).deadline) == (1, before)
    assert last_answer(place)["answers"][0]["facts"]["current"] == 1
    assert rulings(place, tag) == []


@pytest.mark.parametrize(
    "line", ["провести", "пауза", "продлить 24h", f"исключить {SPAIN}", "завершить", f"за {SPAIN}: корабль 1: стоять"]
)
def test_19_verb_that_names_no_turn_is_asked_which(place: Stage, line: str) -> None:
    tag = judged(place)

    (mark,) = done(place, tag, f"{line}\n")

    assert mark in (("refused", "name-the-turn"), ("refused", "wants-span"))
    assert place.turn(tag).status == "open"


def test_19_answer_to_a_mail_about_a_turn_means_that_turn(place: Stage) -> None:
    tag = judged(place)
    done(place, tag, "состояние\n")
    (about,) = [row for row, _ in place.letters("moderated")]

    assert done(place, tag, "пауза\n", answers=about.message_id) == [("done", "pause")]

    done(place, tag, "продолжить 1\nпровести 1\n")
    place.settle()
    assert place.turn(tag).number == 2
    assert done(place, tag, "пауза\n", answers=about.message_id) == [("refused", "not-that-turn")]


def test_19_line_with_a_turn_names_it_for_the_whole_letter(place: Stage) -> None:
    tag = judged(place)

    assert done(place, tag, "ход 1\nпауза\n") == [("done", "pause")]


def test_19_same_mail_delivered_twice_acts_once(real: Stage) -> None:
    tag = judged(real)
    before = real.turn(tag).deadline
    raw = order(real, tag, "продлить 1 24h\n")
    real.settle()

    real.deliver(raw, folder="Junk")
    real.settle()

    assert real.turn(tag).deadline == before + 24 * HOUR
    assert len(real.notices("moderated")) == 1


# The letter -----------------------------------------------------------------------------------------------------------


def test_answer_says_line_by_line_what_was_done_and_why_not(place: Stage) -> None:
    tag = judged(place)

    found = done(place, tag, "Привет!\nпродлить 1 24h: Анна в дороге\nпродлить 1 много\nсрок 1\nаннулировать 1\n")

    assert found == [
        ("refused", "verb-unread"),
        ("done", "extend"),
        ("refused", "bad-span"),
        ("refused", "wants-when"),
        ("refused", "void-later-verb"),
    ]
    assert last_answer(place)["answers"][0]["text"] == "Привет!"
    assert "продлить" in last_answer(place)["extras"]["verbs"]


@pytest.mark.parametrize("line", ["void 1", "rollback to 1", "аннулировать 1", "откат к 1"])
def test_void_and_rollback_come_later_and_the_answer_says_so(place: Stage, line: str) -> None:
    tag = judged(place)

    (found,) = done(place, tag, f"{line}\n")

    assert found[0] == "refused"
    assert found[1].endswith("-later-verb")


def test_letter_without_a_verb_does_nothing_and_is_told_the_verbs(place: Stage) -> None:
    tag = judged(place)

    order(place, tag, "Как у вас дела?\n")
    place.settle()

    assert place.verdicts() == [("empty", "no-verb")]
    (facts,) = place.notices("moderator-help", VERA)
    assert {"состояние", "провести"} <= set(facts["verbs"])


def test_english_verbs_are_heard_like_russian_ones(place: Stage) -> None:
    tag = judged(place)

    lines = "status\nextend 1 24h\nnudge\npause turn 1\nresume 1\nlanguage en\n"

    assert [key for _, key in done(place, tag, lines)] == ["status", "extend", "nudge", "pause", "resume", "language"]


def test_player_cannot_use_the_moderators_verbs(place: Stage) -> None:
    tag = judged(place)

    receipt = place.say(tag, SPAIN, "готов\nпровести 1\n")

    assert place.turn(tag).number == 1
    assert [line.mark for line in receipt.lines] == ["command", "refused"] or len(receipt.lines) == 1
    assert place.notices("moderated") == []


def test_token_of_a_seat_is_not_the_moderators(place: Stage) -> None:
    tag = judged(place, header=Header(moderator="plays"), judge=ANNA)

    place.write(tag, SPAIN, "провести 1\n")
    place.settle()

    assert place.notices("moderated") == []
    assert place.turn(tag).number == 1


def test_letter_of_a_moderator_who_plays_without_a_token_is_asked_for_whom(
    tmp_path: Path, smtp_sink: SmtpSink, played: str
) -> None:
    with maildir_stage(played, smtp_sink, tmp_path, trusted=True) as stage:
        tag = judged(stage, header=Header(moderator="plays"), judge=ANNA)
        stage.deliver(stage.message(ANNA, "пауза 1\n", subject=f"[{tag}]"))
        stage.settle()
        assert stage.verdicts()[-1] == ("held", "which-seat")
        assert stage.notices("moderated") == []

        stage.deliver(stage.message(ANNA, "место судья\nпауза 1\n", subject=f"[{tag}]"))
        stage.settle()
        assert [line["key"] for line in stage.notices("moderated")[0]["answers"]] == ["pause"]


def test_moderator_invites_and_starts_by_mail(empty: Stage) -> None:
    with empty.house.unit("test") as work:
        judge = people.register(work, VERA, name="Вера", language="ru", zone="Europe/Moscow")
        tag = games.create(work, "pirates", 2, header=Header(auto_start=False), moderator=judge).tag

    found = done(empty, tag, f"пригласить Анна <{ANNA}> место {SPAIN}\nпригласить {BORIS}\nначать\n")

    assert found == [("done", "invite"), ("done", "invite"), ("refused", "seats-free")]
    assert [(row.address, value.reader.seat) for row, value in empty.letters("invitation")] == [
        (ANNA, SPAIN),
        (BORIS, ""),
    ]


# The clock ------------------------------------------------------------------------------------------------------------


def test_process_locks_the_named_turn_tells_everybody_and_is_logged_with_the_reason(place: Stage) -> None:
    tag = judged(place)
    place.say(tag, SPAIN, SPAIN_ORDERS)

    assert done(place, tag, "провести 1: все на месте\n") == [("done", "process")]

    assert place.turn(tag).number == 2
    assert rulings(place, tag) == ["moderator · process 1 · все на месте"]
    assert [facts["why"] for facts in place.notices("processed")] == ["все на месте"] * 2


def test_deadline_sets_an_instant_in_the_games_zone(place: Stage) -> None:
    tag = judged(place)

    assert done(place, tag, "срок 1 9.01 21:00\n") == [("done", "deadline")]

    assert iso(place.turn(tag).deadline) == "2026-01-09T18:00:00Z"
    assert len(place.notices("deadline-moved")) == 2


def test_deadline_too_soon_to_hear_of_it_is_refused(place: Stage) -> None:
    tag = judged(place)
    before = place.turn(tag).deadline

    assert done(place, tag, "срок 1 сегодня 16:00\n") == [("refused", "deadline-too-soon")]

    assert place.turn(tag).deadline == before


def test_deadline_that_could_mean_two_days_is_refused(place: Stage) -> None:
    tag = judged(place)

    assert done(place, tag, "срок 1 3/12 21:00\n") == [("refused", "bad-when")]


def test_extend_is_capped_by_the_header(place: Stage) -> None:
    tag = judged(place, header=Header(extend_cap=86400))
    before = place.turn(tag).deadline

    found = done(place, tag, "продлить 1 25h\nпродлить 1 24h\n")

    assert found == [("refused", "extend-cap"), ("done", "extend")]
    assert place.turn(tag).deadline == before + 24 * HOUR


def test_extend_tells_everybody_who_and_why(place: Stage) -> None:
    tag = judged(place)

    done(place, tag, "продлить 1 24h: Анна в дороге\n")

    assert [(facts["reason"], facts["why"]) for facts in place.notices("deadline-moved")] == [
        ("extended", "Анна в дороге")
    ] * 2
    assert rulings(place, tag) == ["moderator · extend 1 24h · Анна в дороге"]


def test_pause_and_resume_stop_the_clock_and_move_the_deadline(place: Stage) -> None:
    tag = judged(place)
    before = place.turn(tag).deadline

    assert done(place, tag, "пауза 1: каникулы\n") == [("done", "pause")]
    place.clock.move(timedelta(hours=10))
    assert done(place, tag, "продолжить 1\n") == [("done", "resume")]

    assert place.turn(tag).deadline == before + timedelta(hours=10)
    assert len(place.notices("paused")) == 2
    assert rulings(place, tag) == ["moderator · pause 1 · каникулы", "moderator · resume 1"]


# Words ----------------------------------------------------------------------------------------------------------------


def test_nudge_goes_to_those_who_are_awaited_only(place: Stage) -> None:
    tag = judged(place)
    place.say(tag, SPAIN, SPAIN_ORDERS)

    assert done(place, tag, "напомнить 1\n") == [("done", "nudge")]

    assert [row.address for row, _ in place.letters("nudge")] == [BORIS]
    assert last_answer(place)["answers"][0]["facts"]["count"] == 1


def test_broadcast_goes_whole_to_every_seat(place: Stage) -> None:
    tag = judged(place)

    assert done(place, tag, "объявить:\nС Новым годом!\n\nИграем дальше.\nконец письма\n") == [("done", "broadcast")]

    assert [facts["text"] for facts in place.notices("broadcast")] == ["С Новым годом!\n\nИграем дальше."] * 2
    assert rulings(place, tag) == ["moderator · broadcast"]


def test_unclosed_text_that_holds_a_verb_goes_nowhere(place: Stage) -> None:
    tag = judged(place)

    assert done(place, tag, "объявить:\nПривет всем.\nпровести 1\n") == [("refused", "text-unclosed")]

    assert place.notices("broadcast") == []
    assert place.turn(tag).number == 1


def test_press_to_a_seat_and_its_answer_comes_back_to_the_moderator(place: Stage) -> None:
    tag = judged(place)

    assert done(place, tag, f"письмо {SPAIN}: Всё ли у вас хорошо?\n") == [("done", "press")]

    ((row, value),) = place.letters("press", ANNA)
    assert isinstance(value, Notice)
    assert (value.facts["seat"], value.facts["text"]) == (MODERATOR, "Всё ли у вас хорошо?")
    assert [one["turn"] for one in place.events(tag, "press")] == [1]
    place.write(tag, SPAIN, "Да, спасибо.\n", answers=row.message_id)
    place.settle()
    assert place.verdicts()[-1][0] == "orders"


def test_ruling_stands_in_the_log_in_full_and_goes_to_everybody(place: Stage) -> None:
    tag = judged(place)

    assert done(place, tag, "решение: Ход 1 считается как есть.\n") == [("done", "rule")]

    assert rulings(place, tag) == ["moderator · rule · Ход 1 считается как есть."]
    assert [facts["text"] for facts in place.notices("ruling")] == ["Ход 1 считается как есть."] * 2


def disputed(stage: Stage, tag: str) -> None:
    """Let turn 1 be resolved and Anna dispute it."""
    done(stage, tag, "провести 1\n")
    stage.write(tag, SPAIN, "спор ход 1: ветер был другой\n")
    stage.settle()
    assert [one["state"] for one in stage.events(tag, "dispute")] == ["open"]


def test_dispute_is_settled_by_mail_as_stands(place: Stage) -> None:
    tag = judged(place)
    disputed(place, tag)

    assert done(place, tag, "в силе ход 1: ветер тот же\n") == [("done", "stands")]

    assert [one["state"] for one in place.events(tag, "dispute")] == ["open", "stands"]
    assert rulings(place, tag)[-1] == "moderator · turn 1 stands · ветер тот же"


def test_dispute_is_settled_by_mail_with_a_ruling(place: Stage) -> None:
    tag = judged(place)
    disputed(place, tag)

    assert done(place, tag, "решение ход 1: Ветер был тот же.\n") == [("done", "rule")]

    assert [one["state"] for one in place.events(tag, "dispute")] == ["open", "rule"]
    assert place.notices("ruling") == []


def test_archive_by_mail_brings_the_game_as_pages(place: Stage, smtp_sink: SmtpSink) -> None:
    tag = judged(place)
    object.__setattr__(place.desk, "make", post.make)
    place.pass_deadline(tag)

    assert done(place, tag, "архив\n") == [("done", "archive")]

    (raw,) = [mail.raw for mail in smtp_sink.received if b"pirates-1.zip" in mail.raw]
    attached = next(
        part for part in email.message_from_bytes(raw).walk() if part.get_content_type() == "application/zip"
    )
    with zipfile.ZipFile(io.BytesIO(bytes(attached.get_payload(decode=True)))) as pages:
        names = pages.namelist()
    assert [name for name in names if name.endswith(("index.html", "turn-1.html", "log.jsonl", "check_log.py"))] == [
        f"{tag}/check_log.py",
        f"{tag}/index.html",
        f"{tag}/log.jsonl",
        f"{tag}/turn-1.html",
    ]


# Acting for a seat ----------------------------------------------------------------------------------------------------


def test_act_for_a_seat_enters_its_orders_and_its_player_gets_a_copy(place: Stage) -> None:
    tag = judged(place)

    assert done(place, tag, f"за {SPAIN}, ход 1: корабль 1: стоять\nкорабль 2: стоять\n") == [("done", "act-for")]

    assert place.in_force(tag, SPAIN) == ("«Сан-Фелипе»: стоять", "«Санта-Мария»: стоять")
    ((_, copy),) = place.letters("receipt", ANNA)
    assert isinstance(copy, Receipt)
    assert (copy.acted or {})["who"] == "moderator"
    assert [line.read for line in copy.lines] == ["«Сан-Фелипе»: стоять", "«Санта-Мария»: стоять"]
    ((_, own),) = place.letters("receipt", VERA)
    assert isinstance(own, Receipt)
    assert (own.acted or {})["copy"] is True
    assert rulings(place, tag) == [f"moderator · act for {SPAIN}"]


def test_player_may_overwrite_what_was_entered_for_him_until_the_lock(place: Stage) -> None:
    tag = judged(place)
    done(place, tag, f"за {SPAIN}, ход 1: {SPAIN_ORDERS}")
    place.later(HOUR)

    place.say(tag, SPAIN, "корабль 1: СВ 3\n")

    assert "«Сан-Фелипе»: курс СВ 3" in place.in_force(tag, SPAIN)


def test_lock_says_which_orders_the_moderator_entered(place: Stage) -> None:
    tag = judged(place)
    done(place, tag, f"за {SPAIN}, ход 1: корабль 1: стоять\nкорабль 2: стоять\n")
    place.later(HOUR)
    place.say(tag, SPAIN, "корабль 2: стоять\n")

    done(place, tag, "провести 1\n")

    with place.house.look() as work:
        parts = work.vault.open_value(place.turn(tag, 1).orders or b"", dict[str, Any])
    assert parts[SPAIN]["from"] == ["moderator", "sent", "silent"]


def test_act_as_of_an_earlier_time_takes_its_place_before_the_players_own_letter(place: Stage) -> None:
    tag = judged(place)
    place.later(3 * HOUR)
    place.say(tag, SPAIN, "корабль 1: СВ 3\n")
    place.later(HOUR)

    heading = f"за {SPAIN} на сегодня 16:00 по https://forum.example.org/1, ход 1:"
    assert done(place, tag, f"{heading}\nкорабль 1: стоять\nкорабль 2: стоять\n") == [("done", "act-for")]

    assert sorted(place.in_force(tag, SPAIN)) == ["«Сан-Фелипе»: курс СВ 3", "«Санта-Мария»: стоять"]
    acted = [value.acted for _, value in place.letters("receipt", ANNA) if isinstance(value, Receipt) and value.acted]
    assert [(one["at"], one["link"]) for one in acted] == [("2026-01-05T13:00:00Z", "https://forum.example.org/1")]
    assert rulings(place, tag) == [
        f"moderator · act for {SPAIN} as of 2026-01-05T13:00:00Z from https://forum.example.org/1"
    ]


def test_act_as_of_a_time_outside_the_turn_is_refused(place: Stage) -> None:
    tag = judged(place)

    assert done(place, tag, f"за {SPAIN} на вчера 16:00, ход 1: корабль 1: стоять\n") == [("refused", "as-of-outside")]


def test_act_for_after_the_lock_is_an_amendment(place: Stage) -> None:
    tag = judged(place)

    def lock(work: Work) -> None:
        turn = place.turn(tag)
        row = work.session.merge(turn)
        row.status = "stuck"
        work.session.add(row)

    place.alter(lock)

    assert done(place, tag, f"за {SPAIN}, ход 1: корабль 1: стоять\n") == [("refused", "amend-instead")]


def test_nothing_but_orders_is_said_in_a_players_name(place: Stage) -> None:
    tag = judged(place)

    assert done(place, tag, f"за {SPAIN}, ход 1:\nсоль: чужие слова\nсдаюсь\nкорабль 1: стоять\n") == [
        ("done", "act-for")
    ]

    assert last_answer(place)["answers"][0]["facts"]["refused"] == 2
    assert place.notices("confirm-resign") == []
    assert [one for one in place.events(tag, "phrase") if one["turn"] == 1] == []


# Looks ----------------------------------------------------------------------------------------------------------------


def test_preview_before_the_lock_has_trial_dice_and_is_a_look_logged(place: Stage) -> None:
    tag = judged(place)
    place.say(tag, SPAIN, SPAIN_ORDERS)

    assert done(place, tag, "предпросмотр 1\n") == [("done", "preview")]

    ((row, value),) = place.letters("preview")
    assert isinstance(value, Report)
    assert (row.address, value.preview, value.turn) == (VERA, "trial", 1)
    assert [(one["who"], one["what"], one["turn"]) for one in place.events(tag, "look")] == [
        ("moderator", "preview", 1)
    ]
    assert place.turn(tag).status == "open"


def test_looks_are_listed_in_the_last_letter(place: Stage) -> None:
    tag = judged(place)
    done(place, tag, "предпросмотр 1\nзавершить ход 1\n")
    confirm(place, tag)

    last = place.letters("report", ANNA)[-1][1]

    assert isinstance(last, Report)
    assert last.closing is not None
    assert [(one["turn"], one["who"], one["what"]) for one in last.closing.looks] == [(1, "moderator", "preview")]


# Confirmed ------------------------------------------------------------------------------------------------------------


def confirm(stage: Stage, tag: str, word: str = "да") -> None:
    row = [row for row, _ in stage.letters("confirm")][-1]
    order(stage, tag, f"{word}\n", answers=row.message_id)
    stage.settle()


def test_eject_is_confirmed_by_an_answer_and_told_to_all(place: Stage) -> None:
    tag = judged(place)

    assert done(place, tag, f"исключить {SPAIN}, ход 1: молчит месяц\n") == [("asked", "asked")]
    assert place.tenure(tag, SPAIN).until is None
    confirm(place, tag)

    with place.house.look() as work:
        assert [one.seat for one in people.tenures(work, work.game(tag, lock=False))] == [PIRATES]
    assert [facts["why"] for facts in place.notices("ejected", ANNA)] == ["молчит месяц"]
    assert len(place.notices("seat-left", BORIS)) == 1
    assert [(one["seat"], one["reason"]) for one in place.events(tag, "tenure")] == [(SPAIN, "eject")]
    assert rulings(place, tag) == [f"moderator · eject {SPAIN} · молчит месяц"]


def test_eject_that_is_not_confirmed_does_nothing(place: Stage) -> None:
    tag = judged(place)

    done(place, tag, f"исключить {SPAIN}, ход 1\n")
    confirm(place, tag, "нет")

    assert place.tenure(tag, SPAIN).until is None
    assert rulings(place, tag) == []


def test_letters_of_the_ejected_are_answered_once_and_not_executed(place: Stage) -> None:
    tag = judged(place)
    to = tokens.reply_address(JUDGE, place.carrier(tag, SPAIN))
    done(place, tag, f"исключить {SPAIN}, ход 1\n")
    confirm(place, tag)

    for _ in range(3):
        place.deliver(place.message(ANNA, SPAIN_ORDERS, to=to))
        place.settle()

    assert place.verdicts()[-3:] == [("held", "former-holder")] * 3
    assert len(place.notices("former", ANNA)) == 1
    assert place.in_force(tag, SPAIN) == ()


def test_finish_is_confirmed_and_ends_the_game(place: Stage) -> None:
    tag = judged(place)

    assert done(place, tag, "завершить ход 1: все разъехались\n") == [("asked", "asked")]
    confirm(place, tag)

    with place.house.look() as work:
        assert work.game(tag, lock=False).status == "finished"
    assert [one["reason"] for one in place.events(tag, "finish")] == ["finish"]


def test_hand_over_is_confirmed_and_the_newcomer_accepts(place: Stage) -> None:
    tag = judged(place)

    assert done(place, tag, f"передать {ERIK}\n") == [("asked", "asked")]
    confirm(place, tag)
    ((row, value),) = place.letters("invitation", ERIK)
    assert isinstance(value, Notice)
    assert value.kind == "moderator-wanted"
    old = tokens_of_judge(place, tag)

    place.deliver(place.message(f"Эрик <{ERIK}>", "вступаю\n", to=value.reader.reply_to, answers=row.message_id))
    place.settle()

    with place.house.look() as work:
        judge = people.moderator(work, work.game(tag, lock=False))
        assert judge is not None
        assert people.main_address(work, people.player(work, judge.player_id)) == ERIK
    assert len(place.notices("handed-over", VERA)) == 1
    assert len(place.notices("new-moderator")) == 2
    assert len(place.notices("moderator-welcome", ERIK)) == 1
    place.deliver(place.message(VERA, "провести 1\n", to=tokens.reply_address(JUDGE, old)))
    place.settle()
    assert place.verdicts()[-1] == ("held", "former-holder")
    assert place.turn(tag).number == 1


def tokens_of_judge(stage: Stage, tag: str) -> str:
    with stage.house.look() as work:
        game = work.game(tag, lock=False)
        judge = people.moderator(work, game)
        assert judge is not None
        return tokens.of_tenure(work.vault, game, judge)


def test_hand_over_to_somebody_who_plays_is_refused_where_the_moderator_stands_apart(place: Stage) -> None:
    tag = judged(place)

    done(place, tag, f"передать {ANNA}\n")
    confirm(place, tag)

    assert [value.kind for _, value in place.letters("invitation", ANNA) if isinstance(value, Notice)] == ["invitation"]
    assert [facts["why"] for facts in place.notices("confirmed-refused")] == ["already-plays"]


def test_held_letter_of_the_moderator_is_done_once_he_confirms_it(place: Stage) -> None:
    tag = judged(place)
    place.deliver(place.message(VERA, "объявить Завтра отчёта не будет.", subject=f"[{tag}] дело"))
    place.settle()
    assert (place.verdicts()[-1], place.notices("broadcast")) == (("held", "unproven"), [])

    asked = place.letters("held", VERA)[-1][0]
    place.deliver(place.message(VERA, "да", answers=asked.message_id))
    place.settle()

    assert [verdict for verdict, _ in place.verdicts()[-2:]] == ["orders", "orders"]
    assert [notice["text"] for notice in place.notices("broadcast", ANNA)] == ["Завтра отчёта не будет."]


@pytest.mark.parametrize("place", ["испания 1", "место Испания-1", "на место испания-1", "seat spain-1"])
def test_invited_are_a_name_an_address_and_a_seat(empty: Stage, place: str) -> None:
    with empty.house.unit("test") as work:
        tag = games.create(work, "pirates", 2).tag
    seat_the_judge(empty, tag)

    assert done(empty, tag, f"пригласить Анна <{ANNA}> {place}") == [("done", "invite")]

    (invitation,) = empty.notices("invitation", ANNA)
    (letter,) = [value for _, value in empty.letters("invitation", ANNA)]
    assert (invitation["seat"], letter.reader.name) == (SPAIN, "Анна")
