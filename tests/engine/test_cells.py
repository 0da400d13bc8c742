"""Cells as people type them: «А5» in Cyrillic, ``AЗ`` with a letter for a digit, by sound or by key."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.cells import cell_readings, read_cell
from engine.core.names import Ambiguous, Found, NotFound

JACKAL = tuple(f"{letter}{number}" for letter in "ABCDEFGHIJKLM" for number in range(1, 14))
WIDE = tuple(f"{letter}{number}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWX" for number in range(1, 25))
RUSSIAN = tuple(f"{letter}{number}" for letter in "АБВГДЕЖЗИК" for number in range(1, 11))


@pytest.mark.parametrize(
    "typed", ["A5", "a5", "A 5", "A-5", "«A5»", "A\u00a05", "\ufeffA\u200b5", "Ａ５", "A05", "A5."]
)
def test_a_cell_is_read_whatever_marks_are_about_it(typed: str) -> None:
    assert read_cell(typed, JACKAL) == Found("A5", "exact")


@pytest.mark.parametrize(
    ("typed", "cell"),
    [
        ("А5", "A5"),
        ("а5", "A5"),
        ("В5", "B5"),
        ("С13", "C13"),
        ("Е5", "E5"),
        ("Н5", "H5"),
        ("К1О", "K10"),
        ("М1о", "M10"),
        ("AЗ", "A3"),
        ("Aз", "A3"),
        ("Bl", "B1"),
        ("BI", "B1"),
        ("B|3", "B13"),
        ("Cб", "C6"),
        ("85", "B5"),
        ("15", "I5"),
    ],
)
def test_what_looks_like_a_cell_is_that_cell(typed: str, cell: str) -> None:
    found = read_cell(typed, JACKAL if typed != "15" else [one for one in JACKAL if one[0] != "L"])

    assert found == Found(cell, "lookalike")


def test_letters_of_the_whole_alphabet_that_look_alike_are_one_column() -> None:
    for cyrillic, latin in zip("АВЕКМНОРСТУХ", "ABEKMHOPCTYX", strict=True):
        cell = f"{latin}7"
        assert read_cell(f"{cyrillic}7", [cell, "Z7"]) == Found(cell, "lookalike")
        assert read_cell(f"{cyrillic.lower()}7", [cell, "Z7"]) == Found(cell, "lookalike")


@pytest.mark.parametrize(
    ("typed", "cell", "how"),
    [("Г5", "G5", "translit"), ("Б5", "B5", "translit"), ("Ш5", "I5", "layout"), ("Р5", "H5", "layout")],
)
def test_a_guess_is_made_if_one_cell_alone_is_on_the_board(typed: str, cell: str, how: str) -> None:
    assert read_cell(typed, JACKAL) == Found(cell, how)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("typed", "cells"), [("Д5", ("D5", "L5")), ("Ф5", ("F5", "A5")), ("И5", ("I5", "J5", "B5")), ("Л5", ("L5", "K5"))]
)
def test_of_two_guesses_none_is_chosen(typed: str, cells: tuple[str, ...]) -> None:
    found = read_cell(typed, JACKAL)

    assert isinstance(found, Ambiguous)
    assert set(found.keys) == set(cells)


def test_the_board_decides_between_guesses() -> None:
    assert read_cell("Д5", [cell for cell in JACKAL if cell != "L5"]) == Found("D5", "translit")
    assert isinstance(read_cell("Р5", WIDE), Found)  # Р is P to the eye, where the board has a P
    assert read_cell("Р5", WIDE) == Found("P5", "lookalike")


def test_a_board_with_russian_letters_is_read_from_latin_ones() -> None:
    assert read_cell("A5", RUSSIAN) == Found("А5", "lookalike")
    assert read_cell("в5", RUSSIAN) == Found("В5", "exact")
    assert read_cell("G5", RUSSIAN) == Found("Г5", "translit")
    assert read_cell("75", RUSSIAN) == NotFound(())


@pytest.mark.parametrize(
    "typed", ["", "A", "5", "AB", "A99", "Z5", "A5B6", "привет", "A5 - B6", "A1-l", "A 1 1", "A||1", "A" * 5000]
)
def test_what_is_no_cell_of_the_board_is_not_found(typed: str) -> None:
    assert isinstance(read_cell(typed, JACKAL), NotFound)


@given(st.sampled_from(WIDE), st.integers(0, 3))
@settings(derandomize=True, max_examples=200)
def test_a_cell_in_look_alikes_is_never_another(cell: str, how: int) -> None:
    table = str.maketrans("ABEKMHOPCTYX013"[: 12 + how], "АВЕКМНОРСТУХО|З"[: 12 + how])
    typed = cell[0].translate(table) + cell[1:].translate(table)
    found = read_cell(typed, WIDE)

    assert not isinstance(found, Found) or found.key == cell


@given(st.text(max_size=12))
@settings(derandomize=True, max_examples=300)
def test_no_text_makes_the_reader_of_cells_fall(typed: str) -> None:
    assert len(cell_readings(typed)) == 3
    assert isinstance(read_cell(typed, JACKAL), Found | Ambiguous | NotFound)
