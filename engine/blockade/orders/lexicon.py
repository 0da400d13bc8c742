"""Words and marks of the order language: tokens, phrases of one or several words, the letters of steps (2.5)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Any, Final, NamedTuple

from engine.blockade.waters import Relative
from engine.core.contract import Language
from engine.core.names import fold

MOST_CHARACTERS: Final = 600
"""A longer line is no order."""
_TOKEN: Final = re.compile(r"[^\W\d_]+\d*|\d+|[^\w\s]")

LETTERS: Final[dict[str, Relative]] = {"=": "=", "-": "=", "п": "s", "s": "s", "ѕ": "s", "л": "p"}
"""Signs of steps that mean one thing in every language."""
PORT_OR_STARBOARD: Final = "pр"
"""Latin P and its Cyrillic twin: port after an English keyword, two readings after a Russian one (2.5.2)."""


class Token(NamedTuple):
    """A word or mark of a line, folded, and where it stands in the line as written."""

    text: str
    start: int
    end: int


def tokens(line: str) -> tuple[Token, ...]:
    """Return the tokens of a line; all dashes are ``-``."""
    folded = fold(line)
    return tuple(Token(found[0], *folded.span(*found.span())) for found in _TOKEN.finditer(folded.text))


def _folded(phrase: str) -> tuple[str, ...]:
    return tuple(token.text for token in tokens(phrase))


@cache
def _data() -> dict[str, dict[str, dict[Language, list[str]]]]:
    source = resources.files("engine.blockade.orders") / "words.toml"
    found: dict[str, Any] = tomllib.loads(source.read_text("utf-8"))
    return found


def written(group: str, key: str, language: Language) -> str:
    """Return the word or phrase that is written for a key. Raises KeyError for a key there is not."""
    return _data()[group][key][language][0]


class Phrase(NamedTuple):
    """A phrase of one or several words: what it stands for, and in which language it is."""

    words: tuple[str, ...]
    key: str
    language: Language


@cache
def phrases(group: str) -> tuple[Phrase, ...]:
    """Return the phrases of a group, the longest first."""
    found = [
        Phrase(_folded(phrase), key, language)
        for key, entry in _data()[group].items()
        for language, words in entry.items()
        for phrase in words
    ]
    return tuple(sorted(dict.fromkeys(found), key=lambda phrase: -len(phrase.words)))


@cache
def vocabulary() -> dict[str, tuple[str, ...]]:
    """Return the words of the language as names to be found, one-letter words and answers apart."""
    words = {
        word: (word,)
        for group in _data()
        if group != "answer"
        for phrase in phrases(group)
        for word in phrase.words
        if len(word) > 1
    }
    return dict(sorted(words.items()))


def groups() -> Iterator[str]:
    """Yield the groups of words, in the order of the file."""
    yield from _data()
