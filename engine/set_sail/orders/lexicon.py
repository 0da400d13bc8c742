"""Words of the order language: heads of lines, groups of words, and what is written for a key (words.toml)."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources
from itertools import pairwise
from typing import Any, Final, NamedTuple

from engine.core.contract import Language
from engine.core.names import Ambiguous, Found, How, NotFound, find, one_off_words
from engine.core.names import fold as folded
from engine.core.scripts import keys, looks, sounds

MOST_CHARACTERS: Final = 4000
"""A longer line is no order, but for the moderator's story and cards."""
_WORD: Final = re.compile(r"[^\W_]+(?:[’'-][^\W_]+)*")
_LOST_DASH: Final = re.compile(r"(?<=\s)\?(?=\s)")
_DASH: Final = re.compile(r"\s+(?:[—–−-]|--)\s+|\s*—\s*|^\s*[—–-]\s+")
_BULLET: Final = re.compile(r"^\s*(?:[-*•·‣◦▪●]\s+|\d{1,2}[.)]\s+)")
DIALOGUE: Final = re.compile(r"\s*[—–―]")
"""A line that begins with a dash is what somebody says."""


class Word(NamedTuple):
    """A word of a line: folded, and where it stands."""

    fold: str
    start: int
    end: int


class Head(NamedTuple):
    """What a line begins with: key, where it ends, and by what repair it was read ("" by none)."""

    key: str
    end: int
    how: str = ""
    typed: str = ""
    read: str = ""


def clean(line: str) -> str:
    """Return a line with its letters composed, without signs nobody sees, and with dashes where a mail lost them."""
    plain = unicodedata.normalize("NFC", line)
    seen = "".join(sign for sign in plain if unicodedata.category(sign) not in {"Cf", "Cs", "Cc"} or sign == "\t")
    return _LOST_DASH.sub("—", seen)


def fold(text: str) -> str:
    """Return a text as it is compared: one space, small letters, ё as е, no marks at its ends."""
    return " ".join(folded(text).text.split()).strip(" .,;:!\"'")


def words(line: str) -> tuple[Word, ...]:
    """Return the words of a line: runs of letters, or digits, joined by a hyphen or apostrophe."""
    return tuple(Word(fold(match[0]), match.start(), match.end()) for match in _WORD.finditer(line))


def unlisted(line: str) -> str:
    """Return a line without the mark of a list before it."""
    return _BULLET.sub("", line, count=1)


def at_dash(text: str) -> tuple[str, str] | None:
    """Part a text at its first free dash."""
    match = _DASH.search(text)
    return (text[: match.start()].strip(), text[match.end() :].strip()) if match else None


# The data file --------------------------------------------------------------------------------------------------------


@cache
def _data() -> dict[str, dict[str, dict[str, list[str]]]]:
    source = resources.files("engine.set_sail.orders") / "words.toml"
    found: dict[str, Any] = tomllib.loads(source.read_text("utf-8"))
    return found


def said(group: str, key: str, language: Language) -> str:
    """Return the word that is written for a key. Raises KeyError for a key there is not."""
    return _data()[group][key][language][0]


@cache
def group(name: str) -> dict[str, tuple[str, ...]]:
    """Return the words of a group in both languages, by key."""
    return {key: (*entry["ru"], *entry["en"]) for key, entry in _data()[name].items()}


@cache
def glosses() -> dict[str, str]:
    """Return what the moves of the book mean in English, by id: whoever writes English may name them so."""
    return {key: entry["en"][0] for key, entry in _data()["moves"].items()}


def keys_of(name: str) -> tuple[str, ...]:
    """Return the keys of a group, in the order of the file."""
    return tuple(_data()[name])


_NAME_WORDS: Final = 6
"""Words of the longest name; a longer text is nobody's."""
_LONGEST_WORD: Final = 60


def find_name(typed: str, candidates: Mapping[str, Sequence[str]]) -> Found | Ambiguous | NotFound:
    """Find whom or what a typed name means, as `engine.core.names.find` does; a whole sentence is no name."""
    if len(typed.split()) > _NAME_WORDS:
        return NotFound(())
    return _found(typed, tuple((key, tuple(names)) for key, names in candidates.items()))


@lru_cache(maxsize=4096)
def _found(typed: str, candidates: tuple[tuple[str, tuple[str, ...]], ...]) -> Found | Ambiguous | NotFound:
    return find(typed, dict(candidates))


def is_word(name: str, key: str, text: str) -> bool:
    """Say whether a text is exactly a word of a key."""
    return len(text) <= _LONGEST_WORD and fold(text) in _folded_words(name, key)


@cache
def _folded_words(name: str, key: str) -> frozenset[str]:
    return frozenset(fold(one) for one in group(name)[key])


# Heads ----------------------------------------------------------------------------------------------------------------


@cache
def _heads() -> dict[str, tuple[tuple[tuple[str, ...], str], ...]]:
    """Return phrases of heads with their keys, by their first word, the longest first."""
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for key, phrases in group("heads").items():
        for phrase in phrases:
            parts = tuple(fold(phrase).split())
            found.setdefault(parts[0], []).append((parts, key))
    return {first: tuple(sorted(rows, key=lambda row: -len(row[0]))) for first, rows in found.items()}


@cache
def _sounds() -> dict[str, tuple[str, ...]]:
    """Return Russian first words of heads by how they sound."""
    found: dict[str, list[str]] = {}
    for word in _heads():
        for sound in sounds(word) if not word.isascii() else ():
            found.setdefault(sound, []).append(word)
    return {sound: tuple(rows) for sound, rows in found.items()}


def head_of(line: str) -> Head | None:
    """Return the head that a line begins with as it stands."""
    typed = words(line[:80])
    if not typed or line[: typed[0].start].strip(" \t"):
        return None
    return _head(line, typed, typed[0].fold)


def _head(line: str, typed: tuple[Word, ...], first: str) -> Head | None:
    for phrase, key in _heads().get(first, ()):
        row = typed[: len(phrase)]
        if [first, *(word.fold for word in row[1:])] != list(phrase):
            continue
        if any(line[one.end : other.start].strip() for one, other in pairwise(row)):
            continue
        return Head(key, row[-1].end)
    return None


def mended_heads(line: str) -> tuple[Head, ...]:
    """Return the heads that the first word of a line may mean by look, key, sound or a letter off."""
    typed = words(line[:80])
    if not typed or line[: typed[0].start].strip(" \t"):
        return ()
    first = typed[0].fold
    guesses: list[tuple[str, How]] = [(one, "lookalike") for one in looks(first)]
    guesses += [(one, "layout") for one in keys(first)]
    if first.isascii():
        guesses += [(word, "translit") for sound in sounds(first) for word in _sounds().get(sound, ())]
    known = tuple(_heads())  # the word that is written stands first among those of its key
    guesses += [(word, "one-off") for word in sorted(one_off_words(first, known), key=known.index)]
    found: dict[str, Head] = {}
    for guess, how in guesses:
        head = _head(line, typed, guess)
        if head is not None and head.key not in found:
            start = typed[0].start
            found[head.key] = head._replace(how=how, typed=line[start : typed[0].end], read=guess)
    return tuple(found.values())
