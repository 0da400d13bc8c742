"""Words and marks of the order language: tokens, look-alike letters, phrases of one or several words (5.3)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Any, Final, NamedTuple

from engine.core.contract import Language

_TOKEN: Final = re.compile(r'"[^"]*"|«[^»]*»|“[^”]*”|[^\W\d_]+(?:[_\'’][^\W\d_]+)*\d*|\d+|->|[^\w\s]')
_ARROWS: Final = frozenset({"->", "→", "—", "–"})
_CYRILLIC: Final = re.compile(r"[а-яё]", re.IGNORECASE)
MOST_CHARACTERS: Final = 600
"""A longer line is no order."""

_TO_LATIN: Final = str.maketrans("АВЕКМНОРСТХУЗав", "ABEKMHOPCTXYZab")
"""Cyrillic letters that look like the Latin ones of cells."""
_CELL: Final = re.compile(r"([A-NZ])(1[0-4]|[0-9])", re.ASCII)
_UNIT: Final = re.compile(r"([БЖЧКWYRKBВ])([123])")
_UNIT_COLOURS: Final = {
    "Б": "W",
    "W": "W",
    "Ж": "Y",
    "Y": "Y",
    "Ч": "B",
    "B": "B",
    "В": "B",
    "К": "R",
    "K": "R",
    "R": "R",
}
DIRECTIONS_RU: Final = {
    "N": "С",
    "NE": "СВ",
    "E": "В",
    "SE": "ЮВ",
    "S": "Ю",
    "SW": "ЮЗ",
    "W": "З",
    "NW": "СЗ",
}
_WORDS: Final = {
    **dict(zip(("СЕВЕР", "ВОСТОК", "ЮГ", "ЗАПАД"), "NESW", strict=True)),
    **dict(zip(("NORTH", "EAST", "SOUTH", "WEST"), "NESW", strict=True)),
}
_DIRECTIONS: Final = {**{ru: en for en, ru in DIRECTIONS_RU.items()}, **{en: en for en in DIRECTIONS_RU}, **_WORDS}
_FOLDED: Final = {ru.translate(str.maketrans("СВ", "CB")): en for en, ru in DIRECTIONS_RU.items()}


class Token(NamedTuple):
    """A word or mark of a line, as written, folded, and where it stands."""

    text: str
    fold: str
    start: int
    end: int


def fold(text: str) -> str:
    """Return a word as it is compared: case, ё and apostrophes do not matter."""
    return text.casefold().replace("ё", "е").replace("’", "'")


def tokens(line: str) -> tuple[Token, ...]:
    """Return the tokens of a line; arrows and dashes are all ``-``."""
    found = []
    for match in _TOKEN.finditer(line):
        text = "-" if match[0] in _ARROWS else match[0]
        found.append(Token(text, fold(text), match.start(), match.end()))
    return tuple(found)


def is_russian(line: str) -> bool:
    """Say whether a line has a Cyrillic letter beyond those that look Latin."""
    return bool(_CYRILLIC.search(line))


def as_cell(text: str) -> str | None:
    """Return the cell a word names, look-alikes folded, None if it is none."""
    match = _CELL.fullmatch(text.upper().translate(_TO_LATIN))
    return match[0] if match else None


def as_unit(text: str) -> str | None:
    """Return the id of the pirate a word names where a unit is due, None if it names none."""
    match = _UNIT.fullmatch(text.upper())
    return f"{_UNIT_COLOURS[match[1]]}{match[2]}" if match else None


def as_rhumb(text: str, *, russian: bool) -> str | None:
    """Return the rhumb a word names; Latin C and B are С and В only in a Russian line (5.3)."""
    upper = text.upper()
    if upper in _DIRECTIONS:
        return _DIRECTIONS[upper]
    return _FOLDED.get(upper) if russian else None


@cache
def _data() -> dict[str, dict[str, dict[str, list[str]]]]:
    source = resources.files("engine.jackal.orders") / "words.toml"
    found: dict[str, Any] = tomllib.loads(source.read_text("utf-8"))
    return found


def written(group: str, key: str, language: Language) -> str:
    """Return the word or phrase that is written for a key. Raises KeyError for a key there is not."""
    return _data()[group][key][language][0]


@cache
def synonyms(group: str, key: str) -> tuple[tuple[str, ...], ...]:
    """Return the phrases of a key in both languages, as tuples of folded words, the longest first."""
    entry = _data()[group][key]
    found = [tuple(fold(word) for word in phrase.split()) for words in entry.values() for phrase in words]
    return tuple(sorted(dict.fromkeys(found), key=len, reverse=True))


def keys(group: str) -> Iterator[str]:
    """Yield the keys of a group, in the order of the file."""
    yield from _data()[group]
