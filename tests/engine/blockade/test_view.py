"""What each seat may know: nothing of the other's policy, of a planned step that was changed, of wishes (2.5)."""

from __future__ import annotations

import pytest

from engine.core.codec import encode
from engine.core.contract import PUBLIC, Answers, Event, Resolution
from engine.core.dice import LoadedDice
from tests.engine.blockade.positions import RULES, position, seen


def known(events: tuple[Event, ...], seat: str) -> str:
    return encode([event for event in events if event.known_to(seat)])


def test_policy_of_a_plan_is_its_own_seats_alone() -> None:
    worlds = [position(f"R L5 N, B A20 E, first B, policy first {turn}", mode="strict") for turn in ("s", "none")]

    for seat in ("second", PUBLIC):
        one, two = (RULES.view(world, seat) for world in worlds)
        assert encode(one) == encode(two)
        assert RULES.read(one, (), ["план: П", "x"], "ru") == RULES.read(two, (), ["план: П", "x"], "ru")
    assert [RULES.view(world, "first").policy for world in worlds] == ["s", "none"]


def test_others_do_not_learn_which_step_was_planned() -> None:
    """Both plans lead to M6: one by falling back from the rock, the other as it says."""
    at = position("R L5 N, B A24 E, first R; rock L6", steps=1)
    told = []
    for plan in ("план: =", "план: П"):
        sheet = RULES.read(RULES.view(at, "first"), (), [plan], "ru").sheet
        result = RULES.resolve(at, {"first": sheet}, LoadedDice({}), Answers())
        assert isinstance(result, Resolution)
        told.append(result)
    one, two = told

    assert one.state == two.state
    for seat in ("second", PUBLIC):
        assert known(one.events, seat) == known(two.events, seat)
    assert known(one.events, "first") != known(two.events, "first")


def test_set_up_tells_sides_and_not_the_wishes_that_were_dropped() -> None:
    """Whoever gets his side says two squares; the one that does not fit is nobody's business."""
    at = position("stage sides")
    dice = {"toss/x1/main/0": 1}
    told = []
    for corner in ("угол A24", "угол X23"):
        first = RULES.read(RULES.view(at, "first"), (), ["сторона: прорыв", corner], "ru").sheet
        second = RULES.read(RULES.view(at, "second"), (), ["сторона: блокада"], "ru").sheet
        result = RULES.resolve(at, {"first": first, "second": second}, LoadedDice(dice), Answers())
        assert isinstance(result, Resolution)
        told.append(encode(result))

    assert told[0] == told[1]


@pytest.mark.parametrize("seat", ["first", "second", PUBLIC])
def test_nobody_knows_anything_of_set_up_before_it_is_resolved(seat: str) -> None:
    view = RULES.view(position("stage sides"), seat)

    assert (view.ships, view.toss, view.piece) == ((), "", "")
    assert [slot.key for slot in RULES.owed(view) if not slot.optional] == ["side", "side"]


def test_winner_of_the_toss_alone_owes_the_layout() -> None:
    owed = RULES.owed(seen("stage layout, toss second"))

    assert [(slot.seat, slot.key) for slot in owed] == [("second", "layout")]


def test_strict_turn_is_owed_by_the_ship_that_moves() -> None:
    at = position("R L5 N, B A20 E, first B", mode="strict")

    assert [(slot.seat, slot.key) for slot in RULES.owed(RULES.view(at, PUBLIC))] == [("second", "plan")]
    assert [slot.key for slot in RULES.owed(RULES.view(at, "first")) if slot.seat == "first"] == ["turn", "conclude"]


def test_ship_whose_plan_is_void_owes_her_fire() -> None:
    for options in ({"mode": "strict"}, {"steps": 1}):
        owed = RULES.owed(seen("R L5 N disabled, B A20 E, first R", **options))
        assert [slot.key for slot in owed if slot.seat == "first" and not slot.optional] == ["fire"]
