"""A command at once that asks somebody something in mid-turn: what the others write meanwhile is not lost (1.6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from adjudicator.fairplay.chain import row
from adjudicator.letters import Receipt
from engine.core.contract import MODERATOR
from engine.set_sail.events import FateMet, FateRolled
from tests.adjudicator.services.islanders import poll, text_to
from tests.adjudicator.services.sailors import SHEETS, campaign, checked, decide, happened, play, state
from tests.adjudicator.services.smuggling import group
from tests.adjudicator.services.stage import ANNA, BORIS, MINUTE, VERA, Stage, maildir_stage
from tests.servers.smtp_sink import SmtpSink


@dataclass(frozen=True, slots=True)
class Fate:
    """Turn 2 was open when a command let Flint meet Fate; what was written while he was asked, and what stood after."""

    stage: Stage
    tag: str
    asked_in: int
    anna: Receipt
    boris: Receipt
    purse_meanwhile: int
    after: dict[str, tuple[str, ...]]


@pytest.fixture(scope="module")
def fate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fate]:
    """Let Flint meet Fate by a command while turn 2 is open, and everybody write meanwhile."""
    folder = tmp_path_factory.mktemp("fate")
    with SmtpSink() as sink, maildir_stage(f"sqlite:///{folder / 'service.db'}", sink, folder) as stage:
        tag = campaign(stage)
        play(stage, tag, **{seat.replace("-", "_"): line for seat, line in SHEETS.items()})
        stage.write(tag, MODERATOR, "открыть главу\nоткрыть сцену\nкапитан Анна Бурая")
        poll(stage)
        stage.write(tag, "pirate-3", "заявка: Затаиться, изворотливость — жду\nсоль: семь футов")
        poll(stage)
        stage.clock.move(MINUTE)
        stage.write(tag, MODERATOR, "фарт Flint -9")
        poll(stage)
        asked_in = group(stage, tag).batch
        stage.clock.move(MINUTE)
        told = stage.letters("question-awaited", ANNA)[-1][0].message_id
        orders = "заявка: Смекнуть, дальновидность — слушаю\nсоль: якорь"
        anna = stage.say(tag, "pirate-1", orders, answers=told)
        stage.write(tag, MODERATOR, "деньги Вера +3 дублона")
        poll(stage)
        purse = state(stage, tag).pirates[2].purse
        tale = "fate: I cling to the anchor\nand sing the song of the drowned\n\nmove: Затаиться, cunning — I dive"
        boris = stage.say(tag, "pirate-2", tale)
        while stage.turn(tag).status == "asking":
            decide(stage, tag)
        after = {seat: stage.in_force(tag, seat) for seat in (*SHEETS, MODERATOR)}
        play(stage, tag)
        yield Fate(stage, tag, asked_in, anna, boris, purse, after)


def test_orders_sent_while_a_command_asks_somebody_else_are_those_of_the_turn_that_goes_on(fate: Fate) -> None:
    assert (fate.anna.turn, fate.anna.late, fate.anna.word) == (2, None, "orders in")
    assert fate.anna.deadline == "2026-01-07T12:00:00Z"
    assert fate.anna.in_force == ("заявка o1: Смекнуть, дальновидность — слушаю",)
    assert fate.after["pirate-1"] == ("заявка o1: Смекнуть, дальновидность — слушаю",)
    assert fate.after["pirate-3"] == ("заявка o1: Затаиться, изворотливость — жду",)


def test_letter_of_the_one_who_is_asked_answers_and_orders_together(fate: Fate) -> None:
    assert (fate.boris.late, [one.mark for one in fate.boris.lines]) == (None, ["command", "ok"])
    assert fate.boris.in_force == ("move o1: Lie Low, cunning — I dive",)
    assert [one["lines"] for one in fate.stage.notices("read-again", BORIS)] == [
        ["заявка o1: Затаиться, изворотливость — I dive"]
    ]  # Fate took the pirate out of the scene


def test_tale_of_fate_may_run_over_several_lines_as_mail_programs_break_them(fate: Fate) -> None:
    met = [one for one in happened(fate.stage, fate.tag, 2) if isinstance(one, FateMet | FateRolled)]

    assert [type(one) for one in met] == [FateMet, FateRolled]
    assert [(one.text, one.origin) for one in met if isinstance(one, FateRolled)] == [
        ("I cling to the anchor and sing the song of the drowned", "seat")
    ]


def test_dice_of_fate_are_of_the_batch_of_the_answer(fate: Fate) -> None:
    result = next(event for event in fate.stage.events(fate.tag, "result") if event["turn"] == 2)

    assert [(address, batch) for _, batch, address, _, _ in result["dice"]] == [
        ("pirate-2/x1/fate/0", fate.asked_in),
        ("pirate-2/x1/fate/1", fate.asked_in),
    ]


def test_phrases_said_while_a_command_asks_count_for_the_answers_and_then_for_the_turn(fate: Fate) -> None:
    locks = fate.stage.events(fate.tag, "lock")
    asked = next(event for event in locks if event.get("question"))

    assert asked["phrases"] == {"pirate-1": "якорь"}
    assert locks[-1]["rows"]["main"]["pirate-1"] == row("якорь")
    assert locks[-1]["rows"]["main"]["pirate-3"] == row("семь футов")
    assert checked(fate.stage, fate.tag).faults == ()


def test_command_sent_while_another_asks_is_done_as_soon_as_that_is_over(fate: Fate) -> None:
    assert fate.purse_meanwhile == 0
    assert [fate.stage.turn(fate.tag, number).phase for number in (2, 3, 4)] == ["at-once", "at-once", "turn"]
    assert state(fate.stage, fate.tag).pirates[2].purse == 15
    assert fate.after[MODERATOR] == ()


def test_everybody_is_told_that_his_orders_stay_open_while_a_command_asks(fate: Fate) -> None:
    told = [text_to(fate.stage, address, "question-awaited") for address in (ANNA, VERA)]

    assert ["Ваши приказы целы и остаются в силе для следующего хода" in text for text in told] == [True, True]
    assert [text.count("закрыт") for text in told] == [0, 0]
    assert "Your orders stay in force for the next turn" in text_to(fate.stage, BORIS, "question")
