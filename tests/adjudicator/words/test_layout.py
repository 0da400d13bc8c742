"""Paragraphs and tables in a fixed-width mail."""

from __future__ import annotations

import pytest

from adjudicator.words import layout
from adjudicator.words.layout import WIDTH, columns, fold, table
from adjudicator.words.text import as_markdown, player

LONG = "Галион 1 «Сан-Фелипе» полным ветром пробежал три клетки на восток и вошёл в порт Гавана, где его давно ждали."


def test_fold_breaks_paragraphs_at_76_columns() -> None:
    assert fold(LONG) == (
        "Галион 1 «Сан-Фелипе» полным ветром пробежал три клетки на восток и вошёл в\n"
        "порт Гавана, где его давно ждали.\n"
    )


def test_fold_indents_what_follows_in_a_list_item() -> None:
    assert fold(f"- {LONG}") == (
        "- Галион 1 «Сан-Фелипе» полным ветром пробежал три клетки на восток и вошёл\n"
        "  в порт Гавана, где его давно ждали.\n"
    )


def test_fold_marks_every_line_of_a_players_words() -> None:
    assert fold(f"│ {LONG}\n│\n│ конец") == (
        "│ Галион 1 «Сан-Фелипе» полным ветром пробежал три клетки на восток и вошёл\n"
        "│ в порт Гавана, где его давно ждали.\n│\n│ конец\n"
    )


@pytest.mark.parametrize("kept", ["    корабль 1: " + "х" * 90, "| " + "х" * 90 + " |", "## " + "х" * 90])
def test_fold_leaves_code_tables_and_headings(kept: str) -> None:
    assert fold(kept) == kept + "\n"


def test_fold_leaves_a_fence_and_refuses_an_open_one() -> None:
    assert fold("```\nа   б\n\n\nв\n```") == "```\nа   б\n\n\nв\n```\n"
    with pytest.raises(ValueError, match="not closed"):
        fold("```\nа")


def test_fold_cuts_a_word_that_no_line_holds() -> None:
    assert [len(line) for line in fold("х" * 200).split()] == [76, 76, 48]


def test_fold_counts_wide_signs_as_two_columns() -> None:
    assert [columns(line) for line in fold("海賊 " * 30).splitlines()] == [74, 74]


def test_table_aligns_words_and_sets_numbers_to_the_right() -> None:
    assert table(["№", "корабль"], [["1", "галион"], ["12", "бригантина"]]) == (
        "|  № | корабль    |\n|---:|------------|\n|  1 | галион     |\n| 12 | бригантина |"
    )


def test_table_cuts_the_widest_column_to_fit_a_mail() -> None:
    made = table(["а", "б"], [["x" * 100, "y"]])

    assert [len(line) for line in made.split("\n")] == [WIDTH, WIDTH, WIDTH]
    assert "x…" in made


def test_table_keeps_a_bar_in_a_players_name_inside_its_cell() -> None:
    made = table(["имя"], [[player("а|б")]])

    assert as_markdown(made).split("\n")[2] == r"| а\|б |"


def test_table_aligns_names_of_wide_and_combining_scripts() -> None:
    made = table(["имя", "x"], [["海賊", "1"], ["И\u0306ода", "2"], ["Ромео", "3"]])

    assert [columns(line) for line in made.split("\n")] == [13] * 5


@pytest.mark.parametrize("text", ["x" * 200_000, "x " * 100_000, "я*" * 100_000], ids=["word", "words", "marks"])
def test_cell_or_word_of_any_length_is_cut_without_trying_every_length(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[int] = []
    monkeypatch.setattr(layout, "columns", lambda text: looked.append(len(text)) or columns(text))

    layout.table(("a", "b"), [(text, "b")])

    assert sum(looked) < 100 * len(text)
