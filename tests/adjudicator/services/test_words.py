"""Every letter that the life of a turn can write has its words, in both languages."""

from __future__ import annotations

from typing import Any

import pytest
from sqlmodel import col, select

from adjudicator.letters import Notice
from adjudicator.services import games, outbox, resolving, turns
from adjudicator.services.work import Work
from adjudicator.storage.tables import Letter, Player
from tests.adjudicator.services.stage import ANNA, BORIS, CAST, HOUR, MINUTE, PIRATES, SPAIN, VERA, Stage
from tests.adjudicator.services.test_secrecy import opened, process, work, world
from tests.adjudicator.services.test_turns import bounce
from tests.servers.smtp_sink import SmtpSink

ORDERS = "корабль 1: стоять\nкорабль 2: курс В 9\nship 3: stand\n"
COMMANDS = (
    "готов\nне готов\nждать\nне ждать\nчерновик\nотмена\nзаново\nвернуть 1\nвернуть 99\nстатус\nкарта\nотчёт\n"
    "отчёт 99\nжурнал\nжурнал всё\nправила\nправила P18\nправила рокировка\nпомощь\nсоль: раз\nсоль: два\n"
    "постоянный: корабль 1: стоять\nпостоянный: чудо\nязык fr\nзона Омск\nзона Атлантида\nход 1\n"
    "место Испания-1\nвступаю\n"
)
PRESS = "письмо Борису:\nпривет\nконец письма\nписьмо Васе:\nпривет\nконец письма\nписьмо судье:\n \nконец письма\n"
KINDS = """bounced deadline-moved empty held invitation join-refused no-turn outage-operator press quarantined
quarantined-operator receipt refused-letter reminder report report-again stuck stuck-operator too-many unknown-game
welcome which-seat whole-log"""


@pytest.mark.parametrize("language", ["ru", "en"])
def test_every_letter_of_a_turns_life_has_its_words(smtp_sink: SmtpSink, language: str) -> None:
    with world(smtp_sink) as stage:
        tag = opened(stage, cast=(*CAST, (VERA, "Вера", "ru", "pirates-2")))
        stage.alter(lambda unit: speak(unit, language))
        stage.write(tag, SPAIN, "золото 2\nимя 2: Надежда\nготов")
        work(stage)
        process(stage, tag)
        mails(stage, tag)
        events(stage, tag)
        work(stage)
        silent = [(row.key, row.trouble) for row, _ in stage.letters() if row.raw is None]
        kinds = {row.kind for row, _ in stage.letters()}

    assert silent == []
    assert set(KINDS.split()) - kinds == set()


def speak(unit: Work, language: str) -> None:
    for player in unit.session.exec(select(Player)):
        player.language = language
        unit.session.add(player)


def mails(stage: Stage, tag: str) -> None:
    """Let players write everything that has an answer of its own."""
    for text in (ORDERS, COMMANDS, PRESS, "письмо всем:\nкорабль 1: стоять\n", "Просто спасибо!"):
        stage.write(tag, SPAIN, text)
    stage.write(tag, PIRATES, "ход 7\nкорабль 4: стоять")
    stage.write(tag, PIRATES, "\r\n".join(["корабль 4: стоять"] * 2500))
    stage.deliver(stage.message(ANNA, ORDERS, subject=f"[{tag}]"))
    stage.write(tag, SPAIN, ORDERS, sender=BORIS)
    work(stage)
    press, _ = stage.letters("press", BORIS)[-1]
    stage.write(tag, PIRATES, "Согласен!", answers=press.message_id)
    stage.write(tag, PIRATES, "Согласен!\nкорабль 4: стоять", answers=press.message_id)
    report, _ = stage.letters("report", BORIS)[-1]
    stage.deliver(bounce(BORIS, report.message_id))
    work(stage)


def events(stage: Stage, tag: str) -> None:
    """Let happen to a game and its invitations what the service tells people of."""
    with stage.house.unit("test") as unit:
        game = unit.game(tag)
        turn = turns.named_turn(unit, game, 1)
        for reason in ("outage", "told-late", "extended"):
            later = turn.deadline + HOUR
            span = {"since": "2026-01-05T12:00:00Z", "until": "2026-01-05T14:00:00Z"} if reason == "outage" else {}
            turns.move_deadline(unit, game, turn, later, reason, **span)
        turns.tell_operators(unit, "outage-operator", "1", {"source": "imap:x", "since": "2026-01-05T12:00:00Z"})
        row = unit.session.exec(select(Letter).order_by(col(Letter.id))).first()
        assert row is not None
        facts = {"address": row.address, "seat": SPAIN, "turn": 1, "why": "550 no", "opening": True}
        turns.tell_operators(unit, "refused-letter", "1", facts)
        resolving._tell_stuck(unit, game, turn)
        who = outbox.operator(unit, ANNA)
        other = games.create(unit, "pirates", 2)
        games.invite(unit, other, "gleb@example.org", language=who.language)
        for kind, told in POLITE.items():
            notice = Notice(kind=kind, reader=who, facts={**told, "subject": "x", "arrival": "2026-01-05T12:00:00Z"})
            outbox.queue(unit, f"{kind}/test", ANNA, outbox.Envelope(notice=notice))
    work(stage)
    letter, _ = stage.letters("invitation", "gleb@example.org")[-1]
    for text in ("Здравствуйте!", "вступаю Атлантида", "вступаю\nсоль: раз", "корабль 1: стоять"):
        stage.deliver(stage.message("gleb@example.org", text, answers=letter.message_id))
        work(stage)
    stage.clock.move_to(stage.turn(tag).deadline - 4 * HOUR + MINUTE)
    work(stage)


POLITE: dict[str, dict[str, Any]] = {
    "too-many": {"limit": 50},
    "unknown-game": {"games": []},
    "which-seat": {"tag": "pirates-1", "seats": [{"ru": "Испания-1", "en": "Spain-1"}]},
    "quarantined": {"why": "too-large"},
}
