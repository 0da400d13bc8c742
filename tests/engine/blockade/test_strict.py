"""Strict alternation: a turn stops twice after D4, with questions, policies and defaults (2.5)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.blockade.commands import (
    BlockadeOrder,
    DashDecision,
    DashOrder,
    PlanOrder,
    TurnDecision,
    TurnOrder,
)
from engine.blockade.events import BowTurned, DecisionAwaited, Stepped
from engine.blockade.state import BlockadeState, BlockadeView
from engine.core.codec import decode, encode
from engine.core.contract import Answers, Pause, Question, Resolution, Sheet
from engine.core.dice import BatchDice, LoadedDice
from tests.engine.blockade.positions import RULES, position

TURN, DASH = "runner/o1/turn/0", "blockader/o1/dash/0"
D4 = {"blockader/o1/chaser/0": 1}


def before(more: str = "") -> BlockadeState:
    return position(f"R L10 N, B V10 W, first B{more}", mode="strict")


def resolve(state: BlockadeState, sheet: Sheet = (), **answers: Any) -> Resolution | Pause:
    said = {key: encode(order) for key, order in (answers.get("said") or {}).items()}
    dice = LoadedDice(D4)
    return RULES.resolve(state, {"second": sheet, "first": answers.get("other", ())}, dice, Answers(said, dice))


def asked(state: BlockadeState, sheet: Sheet = (), **answers: Any) -> Question:
    result = resolve(state, sheet, **answers)
    assert isinstance(result, Pause)
    [question] = result.questions
    return question


TURNED = {TURN: TurnDecision(key=TURN, turn="=")}


def test_disabled_ship_is_asked_and_its_default_is_the_rule_of_auto() -> None:
    question = asked(before())

    assert (question.key, question.seat, question.what, question.choices) == (TURN, "first", "turn", ())
    assert decode(question.default, BlockadeOrder) == TurnDecision(key=TURN, turn="s")
    assert question.unanswered == (question.default, "default")
    assert question.facts["headings"] == {"=": "N", "s": "NE", "p": "NW"}


@pytest.mark.parametrize(("said", "meant"), [("s", "s"), ("p", "p"), ("none", "="), ("auto", "s")])
def test_turn_said_with_the_last_plan_is_the_policy(said: str, meant: str) -> None:
    question = asked(before(f", policy first {said}"))

    assert decode(question.unanswered[0], BlockadeOrder) == TurnDecision(key=TURN, turn=meant)  # type: ignore[arg-type]
    assert question.unanswered[1] == "policy"


def test_standing_order_is_the_policy_where_the_last_plan_said_nothing() -> None:
    view = RULES.view(before(), "first")
    standing = (TurnOrder(turn="p"),)

    assert RULES.merge(view, (), standing) == standing
    assert asked(before(), other=standing).unanswered[1] == "policy"
    assert RULES.merge(RULES.view(before(", policy first s"), "first"), (), standing) == ()


def test_turn_said_in_the_enemys_turn_goes_before_the_last_plan() -> None:
    at = before(", policy first s")
    sheet = RULES.read(RULES.view(at, "first"), (), ["доворот: Л"], "ru").sheet
    question = asked(at, other=RULES.merge(RULES.view(at, "first"), sheet, (TurnOrder(turn="none"),)))

    assert decode(question.unanswered[0], BlockadeOrder) == TurnDecision(key=TURN, turn="p")


def test_firer_is_asked_after_the_turn_and_his_plan_is_his_policy() -> None:
    plan = (PlanOrder(steps="="), DashOrder(dash="ppp==="))
    question = asked(before(), plan, said=TURNED)

    assert (question.key, question.seat, question.what) == (DASH, "second", "dash")
    assert decode(question.default, BlockadeOrder) == DashDecision(key=DASH, dash="ram")
    assert decode(question.policy, BlockadeOrder) == DashDecision(key=DASH, dash="ppp===")
    assert question.facts["ways"] == {"ram": "======"}
    assert asked(before(), said=TURNED).policy == ""


def test_pause_shows_the_position_so_far_and_whose_decision_is_awaited() -> None:
    result = resolve(before(), said=TURNED)

    assert isinstance(result, Pause)
    assert isinstance(result.position, BlockadeState)
    assert [(ship.cell, ship.points, ship.disabled) for ship in result.position.ships] == [
        ("L10", 0, True),
        ("U10", 4, False),
    ]
    assert result.events[-1] == DecisionAwaited(rule="2.5", seat="second", piece="blockader", what="dash")


def test_answers_are_done_and_the_disabled_ship_has_the_next_turn() -> None:
    said = {**TURNED, DASH: DashDecision(key=DASH, dash="sssss=")}
    result = resolve(before(), said=said)

    assert isinstance(result, Resolution)
    assert [event.relative for event in result.events if isinstance(event, BowTurned)] == ["="]
    assert [event.cell for event in result.events if isinstance(event, Stepped)][1:] == [
        "T11",
        "T12",
        "U13",
        "V13",
        "W12",
        "X11",
    ]
    assert isinstance(result.state, BlockadeState)
    assert (result.state.first, result.state.ships[0].disabled) == ("runner", True)


def test_each_answer_moves_the_dice_to_the_next_batch() -> None:
    keys = [bytes([number]) * 32 for number in range(60)]
    key = next(one for one in keys if BatchDice({"main": {1: one}}).die("blockader/o1/chaser/0", 6) == 1)
    dice = BatchDice({"main": dict.fromkeys((1, 2, 3), key)})
    said = {TURN: encode(TURNED[TURN]), DASH: encode(DashDecision(key=DASH, dash="ram"))}
    answers = Answers(said, dice)
    result = RULES.resolve(before(), {}, dice, answers)

    assert isinstance(result, Resolution)
    assert answers.taken == [TURN, DASH]
    assert dice.die("blockader/o1/chaser/0", 6) in range(1, 7)
    assert [throw.batch for throw in dice.throws] == [1, 3]


def view_asked(question: Question) -> BlockadeView:
    found = RULES.view(before(), question.seat, (question,))
    assert isinstance(found, BlockadeView)
    return found


@pytest.mark.parametrize(
    ("line", "turn"),
    [
        ("П", "s"),
        ("=", "="),
        ("Л", "p"),
        ("доворот: П", "s"),
        ("нет", "="),
        ("авто", "s"),
        ("ответ: Л", "p"),
        ("ответ 1: вправо", "s"),
        ("turn: p", "p"),
        ("starboard", "s"),
        ("1", "="),
        ("2", "s"),
        ("3.", "p"),
    ],
)
def test_answer_to_the_turn_is_read(line: str, turn: str) -> None:
    question = asked(before())
    reading = RULES.read(view_asked(question), (), [line], "ru")

    assert [one.order for one in reading.orders] == [TurnDecision(key=TURN, turn=turn)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "dash"),
    [
        ("таран", "ram"),
        ("рывок: таран", "ram"),
        ("1", "ram"),
        ("=П==Л=", "=s==p="),
        ("рывок: Л", "p====="),
        ("dash: =s==p=", "=s==p="),
        ("таарн", "ram"),
        ("nfhfy", "ram"),
    ],
)
def test_answer_to_the_dash_is_read(line: str, dash: str) -> None:
    question = asked(before(), said=TURNED)
    reading = RULES.read(view_asked(question), (), [line], "ru")

    assert [one.order for one in reading.orders] == [DashDecision(key=DASH, dash=dash)]


@pytest.mark.parametrize(
    ("line", "key"),
    [("уход", "no-run"), ("Р", "port-or-starboard"), ("доворот: П", "other-question"), ("4", "no-step")],
)
def test_answer_that_cannot_be_is_refused(line: str, key: str) -> None:
    question = asked(before(), said=TURNED)
    reading = RULES.read(view_asked(question), (), [line], "ru")

    assert ([one.key for one in reading.complaints], reading.orders) == ([key], ())


@pytest.mark.parametrize(
    ("line", "dashes"),
    [("рывок: ==P", ["==s===", "==p==="]), ("Р=Р", ["s=s===", "p=p==="]), ("рывок: P Л P", ["sps===", "ppp==="])],
)
def test_dash_with_p_is_refused_with_both_readings_of_all_its_squares(line: str, dashes: list[str]) -> None:
    view = view_asked(asked(before(), said=TURNED))
    [complaint] = RULES.read(view, (), [line], "ru").complaints
    found = [RULES.read(view, (), [one], "ru").orders[0].order for one in complaint.suggestions]

    assert found == [DashDecision(key=DASH, dash=dash) for dash in dashes]


def test_sentence_in_a_letter_that_answers_is_prose() -> None:
    question = asked(before(), said=TURNED)
    reading = RULES.read(view_asked(question), (), ["Ну что ж, сам напросился, друг", "таран"], "ru")

    assert (reading.prose, [one.order.slot for one in reading.orders]) == ((0,), [DASH])


@pytest.mark.parametrize("language", ["ru", "en"])
def test_legal_answers_read_back_as_they_are_written(language: Any) -> None:
    for said in ({}, TURNED):
        question = asked(before(), said=said)
        view = view_asked(question)
        for order in list(RULES.legal(view, question.key))[::37]:
            line = RULES.write(order, language, view)
            assert [one.order for one in RULES.read(view, (), [line], language).orders] == [order], line
