"""Who is silent or dead in «Поднять паруса!»: what is waited for, who is told, how one comes back (1.6, A25)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

import pytest

from engine.core.contract import MODERATOR
from engine.set_sail.events import PirateEnlisted
from tests.adjudicator.services.islanders import poll, text_to
from tests.adjudicator.services.sailors import MASTER, SHEETS, campaign, checked, command, happened, play, state
from tests.adjudicator.services.stage import ANNA, BORIS, MINUTE, Stage, maildir_stage
from tests.servers.smtp_sink import SmtpSink

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Absent:
    """A campaign in which the moderator, then a player, was silent for long, and a pirate died."""

    stage: Stage
    tag: str
    waiting: dict[str, str]
    days: tuple[tuple[int, tuple[str, ...]], ...]
    words: dict[str, str]
    told: str
    refused: tuple[str, ...]


@pytest.fixture(scope="module")
def absent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Absent]:
    """Turn 2 waits four days for the moderator; then Flint dies, Boris sends a new sheet, and Vera is silent."""
    folder = tmp_path_factory.mktemp("absent")
    with SmtpSink() as sink, maildir_stage(f"sqlite:///{folder / 'service.db'}", sink, folder) as stage:
        tag = campaign(stage)
        play(stage, tag, **{seat.replace("-", "_"): line for seat, line in SHEETS.items()})
        play(stage, tag, pirate_1="заявка: дерзость — лезу", pirate_2="do nothing", pirate_3="без хода")
        waiting = {address: text_to(stage, address) for address in (ANNA, MASTER)}
        stage.write(tag, MODERATOR, "состояние")
        poll(stage)
        waiting["desk"] = text_to(stage, MASTER, "moderated")
        stage.settle()
        opened, days = stage.turn(tag).opened, []
        for day in range(1, 5):
            before = len(stage.letters())
            stage.read_until(opened + day * DAY + 3 * MINUTE)
            poll(stage)
            kinds = sorted(letter.kind for letter, _ in stage.letters()[before:] if letter.kind != "desk")
            days.append((stage.turn(tag).number, tuple(kinds)))
        play(stage, tag, moderator="бросок Анна o1: нет")
        command(stage, tag, "пират Вера вне сцены", "фарт Flint -3", "пират Flint погиб")
        words = {seat: stage.word(tag, seat) for seat in SHEETS}
        told = text_to(stage, BORIS)
        stage.write(tag, "pirate-2", "sheet: name Silver; post cook; daring +2")
        play(stage, tag, pirate_1="заявка: дерзость — ещё")
        refused = tuple(line.key for line in stage.say(tag, "pirate-2", "move: I rise").lines)
        play(stage, tag, moderator="бросок Анна o1: нет\nоткрыть сцену")
        for _ in range(3):
            stage.write(tag, "pirate-1", "без хода")
            stage.write(tag, "pirate-2", "do nothing")
            stage.pass_deadline(tag)
        yield Absent(stage, tag, waiting, tuple(days), words, told, refused)


def test_ruling_waits_for_its_moderator_past_the_deadline(absent: Absent) -> None:
    assert [number for number, _ in absent.days] == [2, 2, 2, 2]


def test_silent_moderator_is_reminded_daily_and_players_are_told_after_three_days(absent: Absent) -> None:
    assert [kinds for _, kinds in absent.days] == [
        ("moderator-reminder",),
        ("moderator-reminder",),
        ("moderator-awaited", "moderator-awaited", "moderator-awaited", "moderator-reminder"),
        ("moderator-reminder",),
    ]


def test_players_read_at_once_that_the_turn_waits_for_the_moderator(absent: Absent) -> None:
    assert "Ход 2 ждёт судью: без его слова он не закроется." in absent.waiting[ANNA]
    assert "Он закроется" not in absent.waiting[ANNA]
    assert "жду ваших приказов" in absent.waiting[MASTER]
    assert "**Ход 2** ждёт вас: без вашего слова он не закроется." in absent.waiting["desk"]


def test_pirates_out_of_the_scene_or_dead_owe_nothing(absent: Absent) -> None:
    assert absent.words == {"pirate-1": "no orders", "pirate-2": "owes nothing", "pirate-3": "owes nothing"}


def test_player_of_a_dead_pirate_brings_another_by_mail(absent: Absent) -> None:
    enlisted = [
        (one.seat, one.name, one.successor)
        for number in range(3, 6)
        for one in happened(absent.stage, absent.tag, number)
        if isinstance(one, PirateEnlisted)
    ]
    pirate = state(absent.stage, absent.tag).pirates[1]

    assert "Your pirate is dead." in absent.told
    assert enlisted == [("pirate-2", "Silver", True)]
    assert (pirate.name, pirate.number, pirate.luck, pirate.der) == ("Silver", 2, 3, 2)


def test_player_silent_for_weeks_is_named_to_the_moderator_while_the_campaign_goes_on(absent: Absent) -> None:
    missed = [(one["seat"], one["in_a_row"]) for one in absent.stage.notices("missed-again", MASTER)]

    assert missed == [("pirate-3", 2), ("pirate-3", 3)]
    assert absent.stage.position(absent.tag).seats["pirate-3"].word == "no orders"
    assert checked(absent.stage, absent.tag).faults == ()
