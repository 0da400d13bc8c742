"""Seats by lot: wishes first, the rest by the published permutation."""

from __future__ import annotations

import pytest

from adjudicator.fairplay.lots import allot
from engine.core.dice import LoadedDice

SEATS = ("spain-1", "spain-2", "pirates-1", "pirates-2")


def test_wishes_are_granted_without_dice() -> None:
    asked = {"p1": "pirates-2", "p2": "spain-1", "p3": "spain-2", "p4": "pirates-1"}

    assert allot(asked, SEATS, LoadedDice({})) == {
        "spain-1": "p2",
        "spain-2": "p3",
        "pirates-1": "p4",
        "pirates-2": "p1",
    }


def test_first_to_ask_has_the_seat_and_the_others_draw_in_the_order_of_joining() -> None:
    dice = LoadedDice({"seats/x1/shuffle/0": 1, "seats/x1/shuffle/1": 2})
    asked = {"p1": None, "p2": "spain-1", "p3": "spain-1", "p4": None}

    seats = allot(asked, SEATS, dice)

    assert seats == {"spain-1": "p2", "spain-2": "p4", "pirates-1": "p3", "pirates-2": "p1"}
    assert dice.unused() == ()


def test_seat_that_nobody_takes_is_left_out() -> None:
    dice = LoadedDice({"seats/x1/shuffle/0": 4, "seats/x1/shuffle/1": 3, "seats/x1/shuffle/2": 2})

    assert allot({"p1": None, "p2": None}, SEATS, dice) == {"spain-1": "p1", "spain-2": "p2"}


@pytest.mark.parametrize("asked", [{f"p{n}": None for n in range(1, 6)}, {"p1": "england-1"}])
def test_what_the_game_has_no_seat_for_is_refused(asked: dict[str, str | None]) -> None:
    with pytest.raises(ValueError, match=r"5 players for 4 seats|'england-1' is no seat"):
        allot(asked, SEATS, LoadedDice({}))
