"""Layouts of «Блокада»: the places of pentominoes, the draw, and its beginning anew where nothing fits (2.5, B5)."""

from __future__ import annotations

import pytest

from engine.blockade.commands import LayoutOrder
from engine.blockade.layout import (
    BOARD,
    EXAMPLE,
    Region,
    draw,
    fault_of,
    island_placements,
    pentominoes,
    rock_placements,
)
from engine.core.contract import Answers, Resolution
from engine.core.dice import BatchDice, LoadedDice
from tests.engine.blockade.positions import RULES, position, seen

SHIPS = ("L1", "B23")


def test_there_are_sixty_three_fixed_pentominoes() -> None:
    assert len(pentominoes()) == 63


def test_places_are_ordered_by_their_squares() -> None:
    places = [placement.squares for placement in island_placements()]

    assert places == sorted(places)
    assert len(set(places)) == len(places) == 20344
    assert [one.name for one in places[0]] == ["B6", "B7", "B8", "B9", "B10"]
    assert [one.name for one in rock_placements()[1].squares] == ["B3"]
    assert len(rock_placements()) == 22 * 22


def test_drawn_layouts_are_legal_and_throw_six_dice() -> None:
    for number in range(8):
        dice = BatchDice({"main": {1: bytes([number]) * 32}})
        drawn = draw(dice, SHIPS)
        assert fault_of(drawn.islands, drawn.rocks, SHIPS) is None
        assert [throw.address for throw in dice.throws] == [
            *(f"map/x1/island/{k}" for k in range(4)),
            *(f"map/x1/rock/{k}" for k in range(2)),
        ]
        assert dice.throws[0].sides == 20307  # without the places upon B23
        assert drawn.attempt == 1


def test_draw_begins_anew_at_x2_where_a_list_is_empty() -> None:
    """A strip in which an island lying along row 7 leaves no room for four."""
    strip = Region(columns=(2, 9), island_rows=(6, 10), rock_rows=(2, 10))
    first = {"map/x1/island/0": 1, "map/x1/island/1": 1, "map/x1/island/2": 1, "map/x1/island/3": 1}
    across = next(
        place
        for place, one in enumerate(island_placements(strip), 1)
        if [square.name for square in one.squares] == ["B7", "C7", "D7", "E7", "F7"]
    )
    dice = LoadedDice(
        {
            "map/x1/island/0": across,
            **{address.replace("x1", "x2"): face for address, face in first.items()},
            "map/x2/rock/0": 1,
            "map/x2/rock/1": 1,
        },
        lambda address, _: 1 if address.startswith("map/x1/") else None,
    )
    drawn = draw(dice, SHIPS, strip)

    assert drawn.attempt == 2
    assert len(drawn.islands) == 4
    assert BOARD.columns == (2, 23)


def test_dice_of_the_draw_have_a_purpose() -> None:
    assert RULES.dice_purpose("map/x2/island/3") == ("map-island", {"attempt": 2, "place": 4})
    assert RULES.dice_purpose("map/x1/rock/0") == ("map-rock", {"attempt": 1, "place": 1})


@pytest.mark.parametrize("address", ["map/x1/rock/2", "map/x1/island/4", "map/x0/rock/0", "runner/o5/port/0"])
def test_dice_that_the_page_does_not_list_have_none(address: str) -> None:
    with pytest.raises(ValueError, match="is no die"):
        RULES.dice_purpose(address)


def test_example_of_the_page_is_legal_for_the_winner_of_the_toss_unless_a_ship_lies_on_it() -> None:
    here = list(RULES.legal(seen("stage layout, toss first"), "layout"))
    there = list(RULES.legal(seen("stage layout, toss first, B Q19 E"), "layout"))

    assert here == [LayoutOrder(), LayoutOrder(islands=EXAMPLE[0], rocks=EXAMPLE[1])]
    assert there == [LayoutOrder()]


def test_an_illegal_layout_that_reached_the_lock_is_left_to_the_dice() -> None:
    """It is refused when it is read; should a position change under it, the game goes on."""

    at = position("stage layout, toss first")
    dice = BatchDice({"main": {1: b"x"}})
    result = RULES.resolve(at, {"first": (LayoutOrder(islands=(("B6",),)),)}, dice, Answers())

    assert isinstance(result, Resolution)
    assert len(result.state.islands) == 4  # type: ignore[attr-defined]
