"""The words of the order language: a folded line becomes tokens, each with the repair that was needed to read it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources
from typing import Any, Final, Literal, TypeAlias, TypeVar

import msgspec

from engine.core.contract import Language
from engine.core.names import (
    Folded,
    all_alike,
    all_declined,
    as_cyrillic,
    as_latin,
    declined,
    fold,
    forms,
    layouts,
    one_off,
    one_off_words,
)
from engine.pirates.orders.lexeme import Lexeme, Repair, Segments
from engine.pirates.orders.parting import other_readings, segments

Names: TypeAlias = tuple[tuple[int, str], ...]
"""Numbers and names of ships; a ship may stand in it under several names."""

_MOST_READINGS: Final = 16
_BEGINNING: Final = 100
_LONG_LINE: Final = 160
"""Atoms of a line of which only the first reading is tried, so that the cost stays linear."""


class Atom(msgspec.Struct, frozen=True):
    """A run of letters, a run of digits or a mark, with its span in the folded text."""

    kind: Literal["word", "number", "mark"]
    text: str
    start: int
    end: int


class Meaning(msgspec.Struct, frozen=True):
    """What a phrase means: a kind of token and its value; ``tight`` phrases must be typed with hyphens."""

    kind: str
    value: str | int
    tight: bool = False


_ATOM: Final = re.compile(r"(?P<word>[^\W\d_]+(?:'[^\W\d_]+)*)|(?P<number>[0-9]+)|(?P<mark>->|\S)")
_GLUE: Final = frozenset("-.\"'")


def atoms(text: str, start: int = 0) -> tuple[Atom, ...]:
    """Return the atoms of a folded text from a place on."""
    return tuple(
        [
            Atom(match.lastgroup, match[0], *match.span())  # type: ignore[arg-type]
            for match in _ATOM.finditer(text, start)
        ]
    )


def _spoken(text: str) -> tuple[str, ...]:
    """Return the words and numbers of a folded text."""
    return tuple(atom.text for atom in atoms(text) if atom.kind != "mark")


# The tables -----------------------------------------------------------------------------------------------------------


def _folded(text: str) -> str:
    return text.casefold().replace("ё", "е")


@cache
def _document() -> dict[str, Any]:
    return tomllib.loads((resources.files("engine.pirates.orders") / "words.toml").read_text("utf-8"))


@cache
def written(language: Language) -> Mapping[str, str]:
    """Return the words the service writes in a language: ``{"ship": "корабль", …}``."""
    words: dict[str, str] = _document()["written"][language]
    return words


@cache
def rhumb_codes(language: Language) -> Mapping[str, str]:
    """Return how the service writes each rhumb: ``{"NE": "СВ", …}``."""
    return {rhumb: words[0] for rhumb, words in _document()["rhumbs"][language].items()}


def _entries() -> Iterator[tuple[str, Meaning]]:
    """Yield every phrase with its meaning, Russian first."""
    document = _document()
    for language in ("ru", "en"):
        for rhumb, phrases in document["rhumbs"][language].items():
            yield from ((phrase, Meaning("RHUMB", rhumb, "-" in phrase)) for phrase in phrases)
        for kind, phrases in document["kinds"][language].items():
            yield from ((phrase, Meaning(kind, kind)) for phrase in phrases)
    for number, phrases in document["numbers"].items():
        yield from ((phrase, Meaning("NUMBER", number)) for phrase in phrases)


@cache
def phrases() -> Mapping[tuple[str, ...], tuple[Meaning, ...]]:
    """Return every phrase of the order language as folded words, with what it may mean."""
    table: dict[tuple[str, ...], tuple[Meaning, ...]] = {}
    for phrase, meaning in _entries():
        words = _spoken(_folded(phrase))
        table[words] = (*(known for known in table.get(words, ()) if known != meaning), meaning)
    return table


@cache
def _by_first_word() -> Mapping[str, tuple[tuple[tuple[str, ...], tuple[Meaning, ...]], ...]]:
    """Return the phrases and their meanings by their first word, longest first."""
    table: dict[str, list[tuple[tuple[str, ...], tuple[Meaning, ...]]]] = {}
    for words, meanings in sorted(phrases().items(), key=lambda phrase: -len(phrase[0])):
        table.setdefault(words[0], []).append((words, meanings))
    return {first: tuple(found) for first, found in table.items()}


@cache
def vocabulary() -> tuple[str, ...]:
    """Return all phrases of one word, sorted: what a mistyped word may have meant."""
    return tuple(sorted(words[0] for words in phrases() if len(words) == 1))


def only_words_of_orders(name: str) -> bool:
    """Say whether a name is nothing but words of the orders and numbers: «и 2» would make a list read two ways."""
    words = _spoken(fold(name).text)
    return all(word.isdigit() or (word,) in phrases() for word in words)


@cache
def reserved() -> frozenset[str]:
    """Return what a ship may not be called: words of the orders and of the commands, joined, look-alikes as Latin."""
    commands = (_spoken(_folded(command)) for command in _document()["reserved"]["commands"])
    return frozenset(as_latin("".join(words)) for words in (*phrases(), *commands))


# Reading atoms --------------------------------------------------------------------------------------------------------


class _Option(msgspec.Struct, frozen=True):
    """A way to read some atoms: from ``start`` to before ``stop``."""

    start: int
    stop: int
    kind: str
    value: str | int
    repair: Repair = ""


def _match(line: Sequence[Atom], place: int, words: Sequence[str], *, tight: bool = False) -> int | None:
    """Return the place after ``words`` if they stand at ``place``; hyphens, dots and quotes may part them."""
    for number, word in enumerate(words):
        if number:
            place = _over_glue(line, place, tight=tight)
        if place >= len(line) or line[place].text != word:
            return None
        place += 1
    return place


def _over_glue(line: Sequence[Atom], place: int, *, tight: bool) -> int:
    start = place
    while place < len(line) and line[place].kind == "mark" and line[place].text in _GLUE:
        place += 1
    return len(line) if tight and (place == start or line[start].text != "-") else place


def _spoken_ahead(line: Sequence[Atom], place: int, count: int) -> tuple[tuple[str, ...], int] | None:
    """Return the next ``count`` words or numbers and the place after them, or None if a mark parts them."""
    found: list[str] = []
    while len(found) < count:
        if found:
            place = _over_glue(line, place, tight=False)
        if place >= len(line) or line[place].kind == "mark":
            return None
        found.append(line[place].text)
        place += 1
    return tuple(found), place


_Key = TypeVar("_Key")
_Thing = TypeVar("_Thing")


def _grouped(pairs: Iterable[tuple[_Key, _Thing]]) -> dict[_Key, tuple[_Thing, ...]]:
    """Return the things of each key, each once, in the order given."""
    table: dict[_Key, dict[_Thing, None]] = {}
    for key, thing in pairs:
        table.setdefault(key, {})[thing] = None
    return {key: tuple(things) for key, things in table.items()}


def _spellings(word: str) -> tuple[str, ...]:
    """Return how a word of a name may be spelt: its case forms, and itself as Latin look-alikes."""
    return tuple(sorted({*forms(word), as_latin(word)}))


_SHORTEST_PART: Final = 3


def _part_forms(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the case forms by which one word of a longer name may stand for it."""
    parts = (word for word in words if len(word) >= _SHORTEST_PART and len(words) > 1)
    return tuple(sorted({form for word in parts for form in forms(word)}))


class Lexicon:
    """The words of the language together with the names of one game's ships."""

    def __init__(self, names: Names, *, bends: bool) -> None:
        spoken = [(number, words) for number, name in names if (words := _spoken(fold(name).text))]
        runs = [(number, ("".join(words),)) for number, words in spoken if len(words) > 1]  # «СанФелипе»
        self._names = (*spoken, *runs)
        self._bends = bends
        self._by_word = _grouped((words[0], (number, words)) for number, words in self._names)
        self._by_form = _grouped((form, name) for name in self._names for form in _spellings(name[1][0]))
        self._by_part = _grouped((form, number) for number, words in self._names for form in _part_forms(words))
        self._first_words = tuple(sorted({words[0] for _, words in self._names}))

    def readings(self, folded: Folded, start: int = 0) -> tuple[Segments, ...]:
        """Return the ways to read a line as tokens, the best first, no more than a few; the spans are folded ones."""
        found = [segments(tokens, folded.text) for tokens in self._paths(atoms(folded.text, start))]
        found += [other for one in found for other in other_readings(one)]
        return tuple(dict.fromkeys(found)) if len(found) > 1 else tuple(found)

    def begins(self, folded: Folded) -> bool:
        """Say whether a line begins with a number, a word of the orders or a ship's name, without any repair."""
        line = atoms(folded.text[:_BEGINNING])
        spoken = next((place for place, atom in enumerate(line) if atom.kind != "mark"), None)
        if spoken is None:
            return False
        exact = line[spoken].kind == "number" or self._exact_names(line, spoken) or self._exact_phrases(line, spoken)
        return bool(exact)

    def _paths(self, line: Sequence[Atom]) -> list[tuple[Lexeme, ...]]:
        """Return the paths through the options; once there are many, only the first option goes on."""
        paths: list[tuple[int, tuple[Lexeme, ...]]] = [(0, ())]
        done: list[tuple[Lexeme, ...]] = []
        most = _MOST_READINGS if len(line) <= _LONG_LINE else 1
        cached: dict[int, tuple[_Option, ...]] = {}
        while paths:
            place, tokens = paths.pop(0)
            grown = list(tokens)
            while place < len(line):
                options = cached.get(place) or self._options(line, place)
                cached[place] = options
                if len(options) > 1:
                    room = max(most - len(paths) - len(done) - 1, 0)
                    paths += [(other.stop, (*grown, _lexeme(other, line))) for other in options[1 : 1 + room]]
                grown.append(_lexeme(options[0], line))
                place = options[0].stop
            done.append(tuple(grown))
        return done

    def _options(self, line: Sequence[Atom], place: int) -> tuple[_Option, ...]:
        atom = line[place]
        if atom.kind == "mark":
            return (_quoted(self._names, line, place) or _Option(place, place + 1, "MARK", atom.text),)
        exact = (*self._exact_names(line, place), *self._exact_phrases(line, place))
        if exact:
            return exact
        if atom.kind == "number":
            return (_Option(place, place + 1, "NUMBER", atom.text),)
        return self._repaired(line, place) or (_Option(place, place + 1, "WORD", atom.text),)

    def _exact_names(self, line: Sequence[Atom], place: int) -> tuple[_Option, ...]:
        names = self._by_word.get(line[place].text)
        if names is None:
            return ()
        found = [
            _Option(place, stop, "NAME", number)
            for number, words in names
            if (stop := _match(line, place, words)) is not None
        ]
        longest = max((option.stop for option in found), default=0)
        return tuple(option for option in found if option.stop == longest)

    def _exact_phrases(self, line: Sequence[Atom], place: int) -> tuple[_Option, ...]:
        """Return the longest phrase that stands here; under ``bend`` «норд ост» may also be two courses."""
        for words, meanings in _by_first_word().get(line[place].text, ()):
            if len(words) == 1:
                return tuple([_Option(place, place + 1, meaning.kind, meaning.value) for meaning in meanings])
            found = [
                _Option(place, stop, meaning.kind, meaning.value)
                for meaning in meanings
                if (stop := _match(line, place, words, tight=meaning.tight)) is not None
            ]
            if found:
                return (*found, *self._apart(line, place, words, found[0]))
        return ()

    def _apart(self, line: Sequence[Atom], place: int, words: tuple[str, ...], whole: _Option) -> tuple[_Option, ...]:
        loose = whole.stop - place == len(words)  # no hyphen between the words
        if not (self._bends and loose and whole.kind == "RHUMB" and (words[0],) in phrases()):
            return ()
        return tuple(_Option(place, place + 1, meaning.kind, meaning.value) for meaning in phrases()[words[:1]])

    def _repaired(self, line: Sequence[Atom], place: int) -> tuple[_Option, ...]:
        """Return the readings by the mildest repair that gives any."""
        word = line[place].text
        mistyped = tuple(_folded(text) for text in layouts(word))
        return (
            self._whole_names(line, place, "", (word,), all_declined)
            or self._whole_names(line, place, "lookalike", (as_latin(word), as_cyrillic(word)), all_alike)
            or _words(place, "lookalike", (as_cyrillic(word), as_latin(word)))
            or self._parts(line, place)
            or self._whole_names(line, place, "layout", mistyped, _all_mistyped)
            or _words(place, "layout", mistyped)
            or (
                *self._whole_names(line, place, "one-off", one_off_words(word, self._first_words), one_off),
                *_words(place, "one-off", one_off_words(word, vocabulary())),
                *_compound(line, place),
            )
        )

    def _whole_names(
        self, line: Sequence[Atom], place: int, repair: Repair, firsts: Iterable[str], fits: _Fits
    ) -> tuple[_Option, ...]:
        """Return the ships whose whole name stands here; ``firsts`` are spellings its first word may have."""
        found: dict[int, _Option] = {}
        for number, words in dict.fromkeys(name for first in firsts for name in self._by_form.get(first, ())):
            ahead = _spoken_ahead(line, place, len(words))
            if ahead is not None and fits(ahead[0], words):
                found.setdefault(number, _Option(place, ahead[1], "NAME", number, repair))
        return tuple(found.values())

    def _parts(self, line: Sequence[Atom], place: int) -> tuple[_Option, ...]:
        """Return the ships of whose name one word stands here: «Джек» for «Чёрный Джек»."""
        numbers = self._by_part.get(line[place].text, ())
        return tuple(_Option(place, place + 1, "NAME", number, "part-name") for number in numbers)


_Fits: TypeAlias = Callable[[tuple[str, ...], tuple[str, ...]], bool]


def _all_mistyped(typed: tuple[str, ...], name: tuple[str, ...]) -> bool:
    """Say whether typed words are a name in the other layout, all of them in the same one."""
    typings = [_declined_typings(one, other) for one, other in zip(typed, name, strict=True)]
    return bool(set.intersection(*typings))


def _declined_typings(typed: str, word: str) -> set[int]:
    return {place for place, text in enumerate(layouts(typed)) if declined(_folded(text), word)}


def _words(place: int, repair: Repair, texts: tuple[str, ...]) -> tuple[_Option, ...]:
    """Return what the table says of each text, every meaning once."""
    found: dict[tuple[str, str | int], _Option] = {}
    for text in texts:
        for meaning in phrases().get((text,), ()):
            option = _Option(place, place + 1, meaning.kind, meaning.value, repair)
            found.setdefault((meaning.kind, meaning.value), option)
    return tuple(found.values())


def _compound(line: Sequence[Atom], place: int) -> tuple[_Option, ...]:
    """Return what two words joined by a hyphen mean with one letter off: «юго-востк»."""
    if place + 2 >= len(line) or line[place + 1].text != "-" or line[place + 2].kind != "word":
        return ()
    both = line[place].text + line[place + 2].text
    options = _words(place, "one-off", (both, *one_off_words(both, vocabulary())))
    return tuple(_Option(place, place + 3, option.kind, option.value, option.repair) for option in options)


def _quoted(names: tuple[tuple[int, tuple[str, ...]], ...], line: Sequence[Atom], place: int) -> _Option | None:
    """Return the ship whose whole name stands between quotes here."""
    if line[place].text != '"':
        return None
    for number, words in names:
        stop = _match(line, place + 1, words)
        if stop is not None and stop < len(line) and line[stop].text == '"':
            return _Option(place, stop + 1, "NAME", number)
    return None


def _lexeme(option: _Option, line: Sequence[Atom]) -> Lexeme:
    start, end = line[option.start].start, line[option.stop - 1].end
    return Lexeme(option.kind, option.value, start, end, option.repair)


@lru_cache(maxsize=64)
def lexicon(names: Names, *, bends: bool) -> Lexicon:
    """Return the words of the language with these names."""
    return Lexicon(names, bends=bends)
