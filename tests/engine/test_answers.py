"""Answers to questions in mid-turn: taken in groups, each group with its batch of dice (fair-play D)."""

from __future__ import annotations

import pytest

from engine.core.contract import Answers, AwaitingAnswer, Choice, Question
from engine.core.dice import BatchDice


def question(key: str, **changes: str) -> Question:
    choices = (Choice(word="yes"), Choice(word="no"))
    return Question(key=key, seat="white", what="plane", choices=choices, default="no", **changes)


FIRST, SECOND, THIRD = question("white/o1/plane/0"), question("black/o1/plane/0"), question("white/o2/plane/0")
KEYS = {"main": {number: bytes([number]) * 32 for number in (7, 8, 9)}}


def test_each_taking_moves_the_dice_to_the_next_batch() -> None:
    dice = BatchDice(KEYS)
    answers = Answers({FIRST.key: "yes", THIRD.key: "no"}, dice)
    dice.die("white/o1/main/0", 6)
    assert answers.take(FIRST) == ("yes",)
    dice.die("white/o1/main/0", 6)
    assert answers.take(THIRD) == ("no",)
    dice.die("white/o1/main/0", 6)

    assert [throw.batch for throw in dice.throws] == [7, 8, 9]
    assert answers.taken == [FIRST.key, THIRD.key]


def test_questions_of_one_group_taken_one_by_one_share_its_batch() -> None:
    dice = BatchDice(KEYS)
    groups = {FIRST.key: 1, SECOND.key: 1, THIRD.key: 2}
    answers = Answers(dict.fromkeys(groups, "yes"), dice, groups=groups)
    for one in (FIRST, SECOND, THIRD):
        answers.take(one)
        dice.die("white/o1/main/0", 6)
        dice.die(f"{one.key.split('/')[0]}/x1/main/0", 6)

    assert sorted({(throw.address, throw.batch) for throw in dice.throws}) == [
        ("black/x1/main/0", 8),
        ("white/o1/main/0", 8),
        ("white/o1/main/0", 9),
        ("white/x1/main/0", 8),
        ("white/x1/main/0", 9),
    ]


def test_what_is_missing_is_asked_together_and_moves_no_dice() -> None:
    dice = BatchDice(KEYS)
    answers = Answers({FIRST.key: "yes"}, dice)
    with pytest.raises(AwaitingAnswer) as awaiting:
        answers.demand(FIRST, SECOND, THIRD)
    dice.die("white/o1/main/0", 6)

    assert awaiting.value.questions == (SECOND, THIRD)
    assert [throw.batch for throw in dice.throws] == [7]


def test_an_answer_says_who_gave_it() -> None:
    answers = Answers({FIRST.key: "yes", SECOND.key: "no"}, origins={SECOND.key: "default"})

    assert (answers.origin(FIRST), answers.origin(SECOND)) == ("seat", "default")


def test_an_answer_that_is_no_choice_raises() -> None:
    with pytest.raises(ValueError, match="'perhaps' does not answer 'white/o1/plane/0'"):
        Answers({FIRST.key: "perhaps"}).take(FIRST)


@pytest.mark.parametrize(
    ("policy", "expected"), [("", ("no", "default")), ("yes", ("yes", "policy")), ("perhaps", ("no", "default"))]
)
def test_without_an_answer_the_policy_counts_if_it_is_one_and_then_the_default(
    policy: str, expected: tuple[str, str]
) -> None:
    assert question("white/o1/plane/0", policy=policy).unanswered == expected
