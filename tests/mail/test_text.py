"""Plain form of text: what the keyboard, the phone and the word processor did to it is undone."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mail.text import Line, folded, line_key, one_line, plain, split_lines, storable
from tests.mail.mails import FIXED


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("пират\u00a01:\u202fA5\u2014B6", "пират 1: A5-B6"),
        ("“Жемчужина”: \u200bC4", '"Жемчужина": C4'),
        ("\ufeff«Морской волк» → СВ 3", '"Морской волк" -> СВ 3'),
        ("A5 —> B6, A5 => B6, A5 --> B6", "A5 -> B6, A5 -> B6, A5 -> B6"),
        ("ХОД\u00ad 5…", "ХОД 5..."),
        ("Ａ５ － Ｂ６", "A5 - B6"),
        ("1\ufe0f\u20e3 огонь", "1 огонь"),
        ("№ 5", "№ 5"),
        ("𝐀𝟓", "A5"),
        ("Queen Anne’s Revenge", "Queen Anne's Revenge"),
        (unicodedata.normalize("NFD", "Южный ёрш"), "Южный ёрш"),
        ("\tA5\t-\tB6 ", "A5 - B6"),
        ("\u200fСВ\u200e 3", "СВ 3"),
    ],
)
def test_plain_undoes_what_programs_do_to_an_order(typed: str, meant: str) -> None:
    assert plain(typed) == meant


@FIXED
@given(st.text())
def test_plain_is_stable(text: str) -> None:
    once = plain(text)

    assert plain(once) == once


def test_folded_makes_yo_and_case_equal() -> None:
    assert folded("Ёж  ЗЕЛЁНЫЙ") == folded("еж зеленый")


def test_line_key_ignores_markdown_and_blanks() -> None:
    assert line_key("**Сан-Фелипе**:   СВ 3") == line_key("сан-фелипе: СВ 3")


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("- пират 1: A5-B6", "пират 1: A5-B6"),
        ("-пират 2: C4", "пират 2: C4"),
        ("• огонь", "огонь"),
        ("-3", "-3"),
        ("--", "--"),
        ("- 5 на СВ", "5 на СВ"),
    ],
)
def test_line_text_drops_a_list_bullet_and_nothing_else(raw: str, text: str) -> None:
    assert Line(1, raw).text == text


def test_split_lines_knows_every_line_end() -> None:
    assert split_lines("a\r\nb\nc\rd\u2028e\x0bf\n") == ["a", "b", "c", "d", "e", "f"]


@FIXED
@given(st.text(alphabet=st.characters(codec=None)))
def test_storable_text_is_taken_by_a_database(text: str) -> None:
    kept = storable(text)

    assert "\x00" not in kept
    assert kept.encode("utf-8").decode("utf-8") == kept


@FIXED
@given(st.text())
def test_one_line_is_one_line(text: str) -> None:
    assert len(split_lines(one_line(text))) <= 1


SENT = "Сан-Фелипе: «СЗ 4» → СЗ 2 — при этом ветре… № 5, A1–A2, -3 м, ✓ «Ёж»"


@pytest.mark.parametrize("lost", ["?", '"', "-", ""])
@pytest.mark.parametrize("charset", ["koi8-r", "cp1251", "iso8859-5"])
def test_line_key_ignores_what_a_charset_lacks(charset: str, lost: str) -> None:
    quoted = "".join(char if char.encode(charset, "ignore") else lost for char in SENT)

    assert line_key(quoted) == line_key(SENT)


@pytest.mark.parametrize(
    ("one", "other"),
    [("курс -1", "курс 1"), ("пират 1: A1", "пират 1: A2"), ("3.5", "35"), ("???", ""), ("----", ""), ("да", "нет")],
)
def test_line_key_tells_lines_of_different_meaning_apart(one: str, other: str) -> None:
    assert line_key(one) != line_key(other)
