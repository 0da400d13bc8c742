"""Names of cells, rhumbs and angles."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.geometry import (
    MOST_COLUMNS,
    MOST_ROWS,
    RHUMBS,
    STEPS,
    Spot,
    as_rhumb,
    cell_name,
    distance,
    eighths,
    opposite,
    parse_cell,
)

spots = st.builds(Spot, st.integers(0, MOST_ROWS - 1), st.integers(0, MOST_COLUMNS - 1))


@settings(derandomize=True)
@given(spots)
def test_cell_name_and_parse_cell_are_inverse(spot: Spot) -> None:
    assert parse_cell(cell_name(spot)) == spot


@pytest.mark.parametrize("name", ["", "R", "1", "r1", "R0", "R01", "R100", "AA1", "Я1", "R1 ", "R²"])
def test_parse_cell_refuses_other_text(name: str) -> None:
    with pytest.raises(ValueError, match="is not a cell"):
        parse_cell(name)


@pytest.mark.parametrize("spot", [Spot(-1, 0), Spot(26, 0), Spot(0, 99), Spot(0, -1)])
def test_cell_name_refuses_a_cell_without_a_name(spot: Spot) -> None:
    with pytest.raises(ValueError, match="has no name"):
        cell_name(spot)


@pytest.mark.parametrize(
    ("one", "other", "expected"), [("N", "N", 0), ("N", "NE", 1), ("NW", "E", 3), ("S", "N", 4), ("W", "N", 2)]
)
def test_eighths_counts_the_smaller_angle(one: str, other: str, expected: int) -> None:
    assert eighths(as_rhumb(one), as_rhumb(other)) == expected


def test_opposite_rhumb_undoes_a_step() -> None:
    for rhumb in RHUMBS:
        rows, columns = STEPS[rhumb]
        assert STEPS[opposite(rhumb)] == (-rows, -columns)
        assert eighths(rhumb, opposite(rhumb)) == 4


def test_distance_is_the_larger_difference() -> None:
    assert distance(Spot(0, 0), Spot(2, -1)) == 2


def test_as_rhumb_refuses_other_text() -> None:
    with pytest.raises(ValueError, match="'O' is not a rhumb"):
        as_rhumb("O")
