"""What we sent is known again in a quote without marks, whatever a mail program did to its lines."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from mail.reply import Speech, own_text
from mail.text import line_key
from tests.mail.mails import OLD, ORDERS, numbered, texts

GOLDEN = Path(__file__).parent.parent / "adjudicator" / "words" / "golden"
LETTERS = {
    name: (GOLDEN / f"{name}.md").read_text("utf-8").splitlines() for name in ("report.ru", "receipt.ru", "last.en")
}
NEW = ORDERS.split("\n")
ATTRIBUTION = "03.11.2025 10:00, Судья игры пишет:\n> [pirates-7]\n"
LOOKS_LIKE = {"«": '"', "»": '"', "„": '"', "“": '"', "—": "-", "–": "-", "−": "-", "…": "...", "→": "->"}


def lacking(charset: str, missing: str) -> Callable[[str], str]:
    """Give what a program writes that has no letters for some signs: something alike, or always the same."""

    def folded(line: str) -> str:
        return "".join(
            char if has(charset, char) else LOOKS_LIKE.get(char, "?") if missing == "alike" else missing
            for char in line
        )

    return folded


def has(charset: str, char: str) -> bool:
    try:
        char.encode(charset)
    except UnicodeEncodeError:
        return False
    return True


FOLDINGS: dict[str, Callable[[str], str]] = {
    "nothing": lambda line: line,
    "no-break spaces": lambda line: line.replace(" ", "\u00a0"),
    "doubled spaces": lambda line: line.replace(" ", "  "),
    "plain quotes and dashes": lambda line: "".join(LOOKS_LIKE.get(char, char) for char in line),
    "curly quotes and long dashes": lambda line: line.replace('"', "“").replace(" - ", " — ").replace("...", "…"),
    "two dashes": lambda line: line.replace("—", "--"),
    "letters taken apart": lambda line: unicodedata.normalize("NFD", line),
    "invisible signs": lambda line: line.replace(" ", "\u200b "),
    "Markdown lost": lambda line: re.sub(r"[*`#]", "", line),
    "Markdown added": lambda line: f"**{line}**",
    "table bars lost": lambda line: line.replace("|", " "),
    "indented": lambda line: f"\t{line}  ",
    "capitals": str.upper,
    **{
        f"{charset} with {missing or 'nothing'}": lacking(charset, missing)
        for charset in ("koi8-r", "cp1251", "iso-8859-5")
        for missing in ("?", '"', "-", "", "alike")
    },
}


def spoken(name: str) -> list[str]:
    """Give the lines of a letter that hold words, without pictures and rules."""
    return [line for line in LETTERS[name] if re.search(r"[^\W\d_]{4}", line) and "✓" not in line and "✗" not in line]


def keys(name: str) -> frozenset[str]:
    return frozenset(line_key(line) for line in LETTERS[name] if line.strip())


@pytest.mark.parametrize("folding", FOLDINGS.values(), ids=FOLDINGS.keys())
@pytest.mark.parametrize("name", LETTERS)
def test_a_line_of_ours_is_known_again_after_what_programs_do_to_it(name: str, folding: Callable[[str], str]) -> None:
    quote = "\n".join(map(folding, spoken(name)))
    result = own_text(numbered(f"{ATTRIBUTION}{quote}\n\n{ORDERS}"), sent_lines=keys(name))

    assert texts(result.own) == NEW


@pytest.mark.parametrize("width", [24, 40, 60, 72])
@pytest.mark.parametrize("mark", ["", "> "], ids=["no marks", "the first piece marked"])
@pytest.mark.parametrize("name", LETTERS)
def test_a_line_of_ours_is_known_again_wrapped_anew(name: str, mark: str, width: int) -> None:
    broken = [textwrap.wrap(line, width, break_on_hyphens=False) for line in spoken(name)]
    quote = "\n".join("\n".join([mark + pieces[0], *pieces[1:]]) for pieces in broken if len(pieces) <= 5)
    result = own_text(numbered(f"{ATTRIBUTION}{quote}\n\n{ORDERS}"), sent_lines=keys(name))

    assert texts(result.own) == NEW


@pytest.mark.parametrize("width", [76, 998])
def test_a_line_of_ours_longer_than_a_mail_may_have_is_known_again(width: int) -> None:
    line = "Карта: https://games.example/" + "клетка-и-ещё-клетка/" * 60
    pieces = [line[start : start + width] for start in range(0, len(line), width)][:8]
    sent = frozenset({line_key("".join(pieces))})
    quote = "\n".join(pieces)
    result = own_text(numbered(f"{ATTRIBUTION}> {quote}\n{ORDERS}"), sent_lines=sent)

    assert texts(result.own) == NEW


@pytest.mark.parametrize("name", LETTERS)
def test_nothing_is_subtracted_above_the_quote(name: str) -> None:
    orders = ["корабль 1: курс ЮЗ 2; огонь после любой", "Сан-Фелипе: СВ 3"]
    sent = keys(name) | frozenset(map(line_key, orders))
    speech = Speech(is_order=lambda text: ":" in text)
    result = own_text(numbered("\n".join([*orders, "", ATTRIBUTION, OLD])), sent_lines=sent, speech=speech)

    assert texts(result.own)[:2] == orders
    assert texts(result.echoed) == orders


def test_three_lines_of_ours_above_the_quote_are_a_person_repeating_them() -> None:
    told = spoken("report.ru")[5:8]
    result = own_text(numbered("\n".join(["Не понял вот это:", *told, *NEW])), sent_lines=keys("report.ru"))

    assert texts(result.own) == texts(numbered("\n".join(["Не понял вот это:", *told, *NEW])))
    assert texts(result.echoed) == texts(numbered("\n".join(told)))


def test_a_whole_letter_of_ours_without_any_sign_of_a_quote_is_one() -> None:
    speech = Speech(is_order=lambda text: text.startswith(("пират", "корабль")))
    text = "\n".join([*NEW, *LETTERS["report.ru"], "пират 3: стоять"])
    result = own_text(numbered(text), sent_lines=keys("report.ru"), speech=speech)

    assert texts(result.own) == NEW
    assert texts(result.because("edited quote")) == ["пират 3: стоять"]


def test_lines_of_ours_shown_to_an_ally_in_a_press_letter_stay() -> None:
    speech = Speech(opens=lambda text: text.startswith("письмо"), closes=lambda text: text == "конец письма")
    text = ["письмо Анне:", *spoken("report.ru")[:9], "конец письма", *NEW]
    result = own_text(numbered("\n".join(text)), sent_lines=keys("report.ru"), speech=speech)

    assert texts(result.own) == texts(numbered("\n".join(text)))


def test_a_line_of_ones_own_that_begins_like_one_of_ours_stays_below_the_quote() -> None:
    sent = frozenset(map(line_key, ["пират 1: A1 - A2, потом стоять", "пират 2: стоять"]))
    result = own_text(numbered(f"{ATTRIBUTION}пират 1: A1 - A2\nпотом копать"), sent_lines=sent)

    assert texts(result.own) == ["пират 1: A1 - A2", "потом копать"]
