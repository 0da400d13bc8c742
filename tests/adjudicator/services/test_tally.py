"""Statistics of dice against expectation, and the luck of seats (play-by-mail 1.10)."""

from __future__ import annotations

import pytest

from adjudicator.letters import Luck, Purpose
from adjudicator.services.tally import by_purpose, by_seat


def test_dice_are_counted_by_purpose_with_mean_expectation_and_spread() -> None:
    dice = [("shot", 6, 1), ("wind", 8, 8), ("shot", 6, 6), ("shot", 6, 6), ("shot", 8, 2)]

    assert by_purpose(dice) == (
        Purpose(key="shot", sides=6, faces=(1, 0, 0, 0, 0, 2), mean=433, expected=350, chi=700),
        Purpose(key="wind", sides=8, faces=(0, 0, 0, 0, 0, 0, 0, 1), mean=800, expected=450, chi=700),
        Purpose(key="shot", sides=8, faces=(0, 1, 0, 0, 0, 0, 0, 0), mean=200, expected=450, chi=700),
    )


def test_draws_from_a_list_are_no_dice() -> None:
    deck = [("deck", sides, 1) for sides in range(117, 0, -1)]

    assert [one.key for one in by_purpose([("deck", 2, 1), *deck, ("shot", 20, 20)])] == ["shot"]


def test_even_faces_have_no_spread() -> None:
    (found,) = by_purpose([("x", 6, face) for face in range(1, 7)] * 10)

    assert (found.count, found.mean, found.chi) == (60, 350, 0)


def test_a_face_that_the_die_does_not_have_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="a die of 6 sides shows no 7"):
        by_purpose([("x", 6, 7)])


def test_luck_is_reckoned_for_each_seat_and_thing() -> None:
    tries = [("b", "shots", True, (1, 2)), ("a", "shots", False, (1, 2)), ("b", "shots", True, (1, 3))]

    assert by_seat(tries) == (
        Luck(seat="a", key="shots", tries=1, lucky=0, expected=50),
        Luck(seat="b", key="shots", tries=2, lucky=2, expected=83),
    )
