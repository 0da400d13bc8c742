"""Decisions in mid-turn by mail: asked, answered, left to policy and default, resolved again (play-by-mail 1.8)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.adjudicator.services.smuggling import (
    FIRST,
    asked,
    asking_game,
    checked,
    close_group,
    given,
)
from tests.adjudicator.services.stage import Stage
from tests.rulesets import installed


@pytest.fixture(autouse=True)
def smugglers() -> Iterator[None]:
    with installed():
        yield


def test_answer_by_number_is_locked_and_the_turn_resolved_with_it(empty: Stage) -> None:
    tag = asking_game(empty)
    assert (empty.turn(tag).number, empty.turn(tag).status) == (1, "asking")
    receipt = empty.say(tag, FIRST, "ответ: 1")
    assert [line.key for line in receipt.lines] == ["answer"]
    assert asked(empty, tag)[FIRST].answers == {f"{FIRST}/o1/shout/0": "yes"}
    close_group(empty, tag)
    assert given(empty, tag) == [(f"{FIRST}/o1/shout/0", "yes", "seat")]
    assert empty.turn(tag).number == 2
    report = checked(empty, tag)
    assert report.faults == ()
    assert [turn.verdict for turn in report.turns] == ["replayed", "replayed"]
