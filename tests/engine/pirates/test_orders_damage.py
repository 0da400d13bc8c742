"""Orders as clients, keyboards and habits damage them: read as meant, or refused, never read as another order."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.contract import Language, Order
from engine.core.names import forms, words_of
from engine.core.scripts import layouts
from engine.pirates.orders import legal, read, write
from engine.pirates.orders.position import commanded
from engine.pirates.state import PiratesState, PiratesView
from engine.pirates.view import view
from tests.engine.pirates.test_properties import positions

Damage = Callable[[str, int], str]
"""Takes a line and a number that chooses among the places where it could be damaged."""

_LOOKS: Final = {**dict(zip("АВЕКМНОРСТУХаеорсух", "ABEKMHOPCTYXaeopcyx", strict=True))}
_LOOKS.update({other: one for one, other in _LOOKS.items()})


def _somewhere(line: str, number: int, fits: Callable[[str], bool], other: Callable[[str], str]) -> str:
    places = [place for place, sign in enumerate(line) if fits(sign)]
    if not places:
        return line
    place = places[number % len(places)]
    return line[:place] + other(line[place]) + line[place + 1 :]


def _one_look_alike(line: str, number: int) -> str:
    return _somewhere(line, number, _LOOKS.__contains__, _LOOKS.__getitem__)


def _all_look_alikes(line: str, number: int) -> str:
    return "".join(_LOOKS.get(sign, sign) if (number >> place % 8) & 1 else sign for place, sign in enumerate(line))


def _keys(line: str, number: int) -> str:
    """Type the line on the same keys in the other layout."""
    return layouts(line)[number % len(layouts(line))]


def _one_word_of_keys(line: str, number: int) -> str:
    words = line.split(" ")
    place = number % len(words)
    other = layouts(words[place])
    return " ".join([*words[:place], other[-1] if other else words[place], *words[place + 1 :]])


def _odd_space(line: str, number: int) -> str:
    return _somewhere(line, number, str.isspace, lambda _: "\u00a0\u202f\u2009\t"[number % 4])


def _invisible(line: str, number: int) -> str:
    place = number % (len(line) + 1)
    return line[:place] + "\u200b\ufeff\u00ad\u2060\u200e\ufe0f"[number % 6] + line[place:]


def _decomposed(line: str, _number: int) -> str:
    return unicodedata.normalize("NFD", line)


def _iphone(line: str, number: int) -> str:
    """Put the dashes and quotes that phones put."""
    quotes = ("„“", "“”", "‘’", '""')[number % 4]
    line = line.replace("«", quotes[0]).replace("»", quotes[1]).replace("“", quotes[0]).replace("”", quotes[1])
    return line.replace("-", "–—‑−"[number % 4]).replace(": ", " — ", number % 2)


def _cases(line: str, number: int) -> str:
    return (line.upper, line.lower, line.title)[number % 3]()


def _in_a_long_word(line: str, number: int, other: Callable[[str, int], str]) -> str:
    """Damage a word of five letters and more at one of its letters; of shorter ones the damage makes other words."""
    words = list(re.finditer(r"[^\W\d_]{5,}", line))
    if not words:
        return line
    word = words[number % len(words)]
    return line[: word.start()] + other(word[0], 1 + number % (len(word[0]) - 2)) + line[word.end() :]


def _one_letter_out(line: str, number: int) -> str:
    return _in_a_long_word(line, number, lambda word, place: word[:place] + word[place + 1 :])


def _one_letter_twice(line: str, number: int) -> str:
    return _in_a_long_word(line, number, lambda word, place: word[:place] + word[place] + word[place:])


def _neighbours_swapped(line: str, number: int) -> str:
    return _in_a_long_word(line, number, lambda word, at: word[:at] + word[at + 1] + word[at] + word[at + 2 :])


def _fullwidth(line: str, number: int) -> str:
    return _somewhere(
        line, number, lambda sign: "!" <= sign <= "~" and sign.isalnum(), lambda sign: chr(ord(sign) + 0xFEE0)
    )


HARMLESS: Final[tuple[Damage, ...]] = (_odd_space, _invisible, _decomposed, _iphone, _cases, _fullwidth)
"""After these the order is read, and nothing was repaired."""
MENDED: Final[tuple[Damage, ...]] = (_one_look_alike, _all_look_alikes, _keys)
"""After these the order is read, if only one reading is legal."""
GUESSED: Final[tuple[Damage, ...]] = (_one_word_of_keys, _one_letter_out, _one_letter_twice, _neighbours_swapped)
"""After these the order may be read."""


def _orders_of(seen: PiratesView, number: int) -> list[Order]:
    """Return some of the legal orders of each of the viewer's ships."""
    found = []
    for ship in commanded(seen):
        all_legal = list(legal(seen, ship.piece))
        found.append(all_legal[number * 7919 % len(all_legal)])
    return found


PROFILE = settings(derandomize=True, max_examples=25, deadline=None)
NAMES: Final = ("Анна", "Жанна", "Весть", "Месть", "Святая Анна", "Ёж", "Чёрная Каракатица", "Queen Mary", "Йод-2")
"""Names near each other, of which a damaged one must never become another."""
FAR_NAMES: Final = (
    "Гавана",
    "Ласточка",
    "Морской Волк",
    "Сан-Фелипе",
    "Queen Mary",
    "Эспириту",
    "Чёрный Джек",
    "Зюйд",
    "Юнга",
)


class Written(msgspec.Struct):
    """A legal order of a drawn position as a line, and a number that chooses its damage."""

    seen: PiratesView
    order: Order
    line: str
    number: int


@st.composite
def lines(draw: Any, names: tuple[str, ...]) -> list[Written]:
    """Draw legal orders of a position as lines, by name or number, in either language."""
    state: PiratesState = draw(positions())
    ships = tuple(msgspec.structs.replace(ship, name=names[ship.number - 1]) for ship in state.ships)
    seat = state.roster[draw(st.integers(0, 8)) % len(state.roster)]
    seen = view(msgspec.structs.replace(state, ships=ships), seat)
    language: Language = draw(st.sampled_from(("ru", "en")))
    number, named = draw(st.integers(0, 10_000)), draw(st.booleans())
    orders = enumerate(_orders_of(seen, number))
    return [Written(seen, order, write(order, language, seen if named else None), number + at) for at, order in orders]


def read_as(written: Written, typed: str) -> tuple[list[Order], bool, bool]:
    """Return the orders a text is read as, whether a repair is shown, and whether the text is complained of."""
    reading = read(written.seen, (), [typed], "ru")
    mended = any(note.kind == "repaired" for one in reading.orders for note in one.notes)
    return [one.order for one in reading.orders], mended, bool(reading.complaints)


@pytest.mark.parametrize("damage", HARMLESS, ids=lambda damage: damage.__name__.strip("_"))
def test_marks_and_spaces_of_clients_change_nothing(damage: Damage) -> None:
    @PROFILE
    @given(lines(NAMES))
    def holds(drawn: list[Written]) -> None:
        for one in drawn:
            typed = damage(one.line, one.number)
            assert read_as(one, typed) == ([one.order], False, False), (one.line, typed)

    holds()


@pytest.mark.parametrize("damage", MENDED, ids=lambda damage: damage.__name__.strip("_"))
def test_look_alikes_and_keys_are_read_as_meant_or_refused(damage: Damage) -> None:
    @PROFILE
    @given(lines(NAMES))
    def holds(drawn: list[Written]) -> None:
        for one in drawn:
            typed = damage(one.line, one.number)
            orders, mended, refused = read_as(one, typed)
            assert (orders, mended, refused) in (([one.order], typed != one.line, False), ([], False, True)), typed

    holds()


@pytest.mark.parametrize("damage", GUESSED, ids=lambda damage: damage.__name__.strip("_"))
def test_a_mistyped_word_is_read_as_meant_or_refused_and_its_repair_shown(damage: Damage) -> None:
    @PROFILE
    @given(lines(FAR_NAMES))
    def holds(drawn: list[Written]) -> None:
        for one in drawn:
            typed = damage(one.line, one.number)
            orders, mended, _ = read_as(one, typed)
            assert (orders, mended) in (([one.order], typed != one.line), ([], False)), (one.line, typed)

    holds()


@PROFILE
@given(lines(NAMES), st.integers(0, 40))
def test_a_ships_name_in_any_case_is_that_ship_or_refused(drawn: list[Written], number: int) -> None:
    for one in drawn:
        typed = one.line
        for ship in one.seen.ships:
            declined = [sorted(forms(word))[number % len(forms(word))] for word in words_of(ship.name)]
            typed = typed.replace(f"«{ship.name}»", f"«{' '.join(declined)}»")
        assert read_as(one, typed)[0] in ([one.order], []), (one.line, typed)
