"""The words of the order language: a folded line becomes tokens, each with the repair that was needed to read it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from importlib import resources
from typing import Any, Final, Literal, TypeAlias, TypeVar

import msgspec

from engine.core.contract import Language
from engine.core.names import (
    Folded,
    abbreviated,
    all_declined,
    all_sounding,
    fold,
    forms,
    one_off,
    one_off_words,
    sounds_of,
)
from engine.core.scripts import as_digits, as_latin, keys, looks, sounds
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
    """What a phrase means: a kind of token and its value, itself where it has no other; ``tight`` ones need hyphens."""

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
            yield from ((phrase, Meaning(kind, phrase)) for phrase in phrases)
    for number, phrases in document["numbers"].items():
        yield from ((phrase, Meaning("NUMBER", number)) for phrase in phrases)
    for number, phrases in document["ordinals"].items():
        yield from ((phrase, Meaning("ORDINAL", number)) for phrase in phrases)


def _same(one: Meaning | _Option, other: Meaning | _Option) -> bool:
    """Say whether two words say the same: «огонь» and «огня» do, «С» and «Ю» do not."""
    return one.kind == other.kind and (one.kind not in _TELLING or one.value == other.value)


_TELLING: Final = frozenset({"RHUMB", "NUMBER", "ORDINAL", "NAME", "MARK", "WORD"})
"""Kinds whose value says more than the kind."""


@cache
def phrases() -> Mapping[tuple[str, ...], tuple[Meaning, ...]]:
    """Return every phrase of the order language as folded words, with what it may mean."""
    table: dict[tuple[str, ...], tuple[Meaning, ...]] = {}
    for phrase, meaning in _entries():
        words = _spoken(_folded(phrase))
        others = (known for known in table.get(words, ()) if not _same(known, meaning))
        table[words] = (*others, meaning)
    return table


@cache
def _by_first_word() -> Mapping[str, tuple[tuple[tuple[str, ...], tuple[Meaning, ...]], ...]]:
    """Return the phrases and their meanings by their first word, longest first."""
    table: dict[str, list[tuple[tuple[str, ...], tuple[Meaning, ...]]]] = {}
    for words, meanings in sorted(phrases().items(), key=lambda phrase: -len(phrase[0])):
        table.setdefault(words[0], []).append((words, meanings))
    return {first: tuple(found) for first, found in table.items()}


@lru_cache(maxsize=4096)
def _slips(word: str) -> tuple[str, ...]:
    """Return the words of the table one letter off from a word."""
    return one_off_words(word, vocabulary())


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
    return len(line) if tight and not _is_tight(line, start, place) else place


def _is_tight(line: Sequence[Atom], start: int, stop: int) -> bool:
    """Say whether a hyphen parts two words, or a dot without a space: «с-в», «с.в», but not «с. В»."""
    gapless = stop < len(line) and line[stop - 1].end == line[stop].start
    return start < stop and (line[start].text == "-" or (line[start].text == "." and gapless))


def _over_dot(line: Sequence[Atom], place: int, stop: int) -> int:
    """Return the place after the last dot of «с.в.», ``stop`` for what is not cut short by dots."""
    return stop + (line[place + 1].text == "." and stop < len(line) and line[stop].text == ".")


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


_SHORTEST_PART: Final = 3
_GUESSED_FROM: Final = 2
_LONGEST_PHRASE: Final = 120
"""Characters of a line that are looked at in another alphabet at a time, longer than any name or phrase."""
_KEYS_OF_LETTERS: Final = frozenset("[]{};:'\",.<>~")
"""Marks that are letters in the other layout."""


def _part_forms(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the case forms by which one word of a longer name may stand for it."""
    parts = (word for word in words if len(word) >= _SHORTEST_PART and len(words) > 1)
    return tuple(sorted({form for word in parts for form in forms(word)}))


class _Typed:
    """A folded line: its atoms, and what the same signs or keys are in another alphabet, found when asked for."""

    def __init__(self, text: str, *, digits: bool = False) -> None:
        self.text = text
        self.atoms = atoms(text)
        self.digits = digits

    @cached_property
    def _looks(self) -> tuple[str, ...]:
        return looks(self.text)

    @cached_property
    def _keys(self) -> tuple[str, ...]:
        return keys(self.text)

    def others(self, repair: Repair) -> tuple[str, ...]:
        """Return the line in other alphabets, character for character."""
        return self._looks if repair == "lookalike" else self._keys

    def after(self, place: int, end: int) -> int | None:
        """Return the place of the atom behind the one that ends at ``end``, None if none does."""
        while place < len(self.atoms) and self.atoms[place].end < end:
            place += 1
        return place + 1 if place < len(self.atoms) and self.atoms[place].end == end else None

    def touches(self, place: int, kind: str) -> bool:
        """Say whether an atom of this kind follows an atom without a gap."""
        if place + 1 >= len(self.atoms):
            return False
        after = self.atoms[place + 1]
        return after.kind == kind and after.start == self.atoms[place].end


class Lexicon:
    """The words of the language together with the names of one game's ships."""

    def __init__(self, names: Names, *, bends: bool) -> None:
        spoken = [(number, words) for number, name in names if (words := _spoken(fold(name).text))]
        runs = [(number, ("".join(words),)) for number, words in spoken if len(words) > 1]  # «СанФелипе»
        self._names = (*spoken, *runs)
        self._bends = bends
        self._by_word = _grouped((words[0], (number, words)) for number, words in self._names)
        self._by_form = _grouped((form, name) for name in self._names for form in sorted(forms(name[1][0])))
        self._by_part = _grouped((form, number) for number, words in self._names for form in _part_forms(words))
        self._by_sound = _grouped((key, name) for name in self._names for key in sorted(sounds_of(name[1][0])))
        self._long_names = _grouped((name[1][0][0], name) for name in spoken if len(name[1]) > 1)
        self._first_words = tuple(sorted(self._by_form))

    def readings(self, folded: Folded, *, digits: bool = False) -> Readings:
        """Return the ways to read a line as tokens, the best first, no more than a few; the spans are folded ones.

        ``digits``: letters that look like a digit may be one where a number can stand.
        """
        paths, whole = self._paths(_Typed(folded.text, digits=digits))
        paths += [other for tokens in paths for other in _as_russian(tokens, folded.text)]
        ways: dict[Segments, Way] = {}
        for tokens in paths:
            mended = tuple([token for token in tokens if token.repair])
            parted = segments(tokens, folded.text)
            for one in (parted, *other_readings(parted)):
                ways.setdefault(one, Way(one, mended))
        return Readings(tuple(ways.values()), whole)

    def begins(self, folded: Folded) -> bool:
        """Say whether a line begins with a number, a word of the orders or a ship's name, without any repair."""
        text = folded.text[:_BEGINNING]
        first = next((atom for atom in _ATOM.finditer(text) if atom.lastgroup != "mark"), None)
        if first is None or not (first["number"] or first[0] in self._by_word or first[0] in _by_first_word()):
            return False
        return bool(first["number"] or self._exact(atoms(text, first.start()), 0))

    def _paths(self, typed: _Typed) -> tuple[list[tuple[Lexeme, ...]], bool]:
        """Return the paths through the options, and whether they are all: of many only the first option goes on."""
        line = typed.atoms
        paths: list[tuple[int, tuple[Lexeme, ...]]] = [(0, ())]
        done: list[tuple[Lexeme, ...]] = []
        most = _MOST_READINGS if len(line) <= _LONG_LINE else 1
        whole = True
        cached: dict[int, tuple[_Option, ...]] = {}
        while paths:
            place, tokens = paths.pop(0)
            grown = list(tokens)
            while place < len(line):
                options = cached.get(place) or self._options(typed, place)
                cached[place] = options
                if len(options) > 1:
                    room = max(most - len(paths) - len(done) - 1, 0)
                    whole = whole and room >= len(options) - 1
                    paths += [(other.stop, (*grown, _lexeme(other, line))) for other in options[1 : 1 + room]]
                grown.append(_lexeme(options[0], line))
                place = options[0].stop
            done.append(tuple(grown))
        return done, whole

    def _options(self, typed: _Typed, place: int) -> tuple[_Option, ...]:
        line = typed.atoms
        atom = line[place]
        if atom.kind == "word":
            exact = self._exact(line, place)
            mixed = exact and typed.touches(place, "number") and typed.touches(place + 1, "word")  # «в0сток»
            options = exact or self._repaired(typed, place) or (_Option(place, place + 1, "WORD", atom.text),)
            options = (*options, *self._other_script(typed, place, "lookalike")) if mixed else options
        elif atom.kind == "number":
            options = self._exact(line, place) or (_Option(place, place + 1, "NUMBER", atom.text),)
            if typed.touches(place, "word"):  # «0гонь»
                options = (*options, *self._other_script(typed, place, "lookalike"))
        else:
            options = (_quoted(self._names, line, place) or _Option(place, place + 1, "MARK", atom.text),)
            if atom.text in _KEYS_OF_LETTERS and _may_be_key(typed, place):
                options = (*options, *self._other_script(typed, place, "layout"))
        digit = _digit(line, place) if typed.digits else None
        return options if digit is None else (*options, digit)

    def _exact(self, line: Sequence[Atom], place: int) -> tuple[_Option, ...]:
        names = self._exact_names(line, place)
        phrases = self._exact_phrases(line, place)
        return (*names, *phrases) if names else phrases

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
                _Option(place, _over_dot(line, place, stop), meaning.kind, meaning.value)
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

    # Repairs (3.1): what the eye cannot tell apart first; guesses side by side, for the rules to judge ---------------

    def _repaired(self, typed: _Typed, place: int) -> tuple[_Option, ...]:
        return (
            self._declined(typed.atoms, place)
            or self._other_script(typed, place, "lookalike")
            or _each_once(tuple(self._guesses(typed, place)), len(typed.atoms[place].text))
        )

    def _declined(self, line: Sequence[Atom], place: int) -> tuple[_Option, ...]:
        names = self._by_form.get(line[place].text)
        return self._whole_names(line, place, "", names, all_declined) if names else ()

    def _guesses(self, typed: _Typed, place: int) -> Iterator[_Option]:
        line, word = typed.atoms, typed.atoms[place].text
        for number in self._by_part.get(word, ()):
            yield _Option(place, place + 1, "NAME", number, "part-name")
        if "." in typed.text:
            yield from self._abbreviated(line, place)
        yield from self._other_script(typed, place, "layout")
        sounding = [name for key in sounds(word) for name in self._by_sound.get(key, ())]
        if sounding:
            yield from self._whole_names(line, place, "translit", sounding, all_sounding)
        if word.isascii():
            yield from _sounding_phrases(line, place)
        near = [
            name for first in (word, *one_off_words(word, self._first_words)) for name in self._by_form.get(first, ())
        ]
        if near:
            yield from self._whole_names(line, place, "one-off", near, one_off)
        yield from _words(place, "one-off", _slips(word))
        yield from _compound(line, place)

    def _other_script(self, typed: _Typed, place: int, repair: Repair) -> tuple[_Option, ...]:
        """Return what stands here, exactly or declined, if the signs or keys are taken for another alphabet's."""
        start = typed.atoms[place].start
        found: list[_Option] = []
        for text in typed.others(repair):
            first = _ATOM.match(text, start)
            if first is None or not (first[0] in self._by_form or first[0] in _by_first_word()):
                continue
            line = atoms(text[: start + _LONGEST_PHRASE], start)
            options = (*self._exact_names(line, 0), *self._declined(line, 0), *self._exact_phrases(line, 0))
            for option in options:
                end = line[option.stop - 1].end
                stop = typed.after(place, end) if text[start:end] != typed.text[start:end] else None
                if stop is not None:
                    found.append(_Option(place, stop, option.kind, option.value, repair))
        return _each_once(found, len(typed.atoms[place].text))

    def _whole_names(
        self, line: Sequence[Atom], place: int, repair: Repair, names: Iterable[_Name], fits: _Fits
    ) -> tuple[_Option, ...]:
        """Return the ships of ``names`` whose whole name stands here."""
        found: dict[int, _Option] = {}
        for number, words in dict.fromkeys(names):
            ahead = _spoken_ahead(line, place, len(words))
            if ahead is not None and fits(ahead[0], words):
                found.setdefault(number, _Option(place, ahead[1], "NAME", number, repair))
        return tuple(found.values())

    def _abbreviated(self, line: Sequence[Atom], place: int) -> Iterator[_Option]:
        """Yield the ships of whose name some words stand here whole and some cut short by a dot: «Ч. Джек»."""
        for number, name in self._long_names.get(line[place].text[0], ()):
            typed, stop = _dotted_ahead(line, place, len(name))
            if abbreviated(typed, name):
                yield _Option(place, stop, "NAME", number, "part-name")


class Way(msgspec.Struct, frozen=True):
    """A line as tokens parted into orders; ``mended`` are those that were repaired, the silent ones included."""

    segments: Segments
    mended: tuple[Lexeme, ...]


class Readings(msgspec.Struct, frozen=True):
    """The ways to read a line; ``whole`` is false if there are more than were followed."""

    ways: tuple[Way, ...]
    whole: bool


_Name: TypeAlias = tuple[int, tuple[str, ...]]
_Fits: TypeAlias = Callable[[tuple[str, ...], tuple[str, ...]], bool]


def _may_be_key(typed: _Typed, place: int) -> bool:
    """Say whether a mark may be the first letter of a word in the other layout: «.u» is «юг», «:fyyf» is «Жанна»."""
    return typed.touches(place, "word") or typed.touches(place, "mark")


def _each_once(options: Sequence[_Option], length: int) -> tuple[_Option, ...]:
    """Return every meaning once, by the first repair that gave it; a lone letter is not guessed to say nothing."""
    if not options:
        return ()
    found: list[_Option] = []
    for option in options:
        lone = option.repair not in {"", "lookalike"} and option.kind in {"FILLER", "AND"} and length < _GUESSED_FROM
        if not lone and not any(one.stop == option.stop and _same(one, option) for one in found):
            found.append(option)
    return tuple(found)


def _dotted_ahead(line: Sequence[Atom], place: int, count: int) -> tuple[tuple[str, ...], int]:
    """Return up to ``count`` words, each with the dot that cuts it short, and the place after them."""
    found: list[str] = []
    while len(found) < count and place < len(line) and line[place].kind != "mark":
        word, place = line[place].text, place + 1
        if place < len(line) and line[place].text == ".":
            word, place = word + ".", place + 1
        found.append(word)
        if len(found) < count and place < len(line) and line[place].text == "-":
            place += 1
    return tuple(found), place


_BEFORE_NUMBERS: Final = frozenset({"SHIP", "NUM", "AT", "BEFORE", "AFTER", "RHUMB"})
_BETWEEN_NUMBERS: Final = frozenset({",", "/", "+", "№", "#"})


def _digit(line: Sequence[Atom], place: int) -> _Option | None:
    """Return the number that a lone letter may be to the eye, where a number can stand: «корабль З», «до 1 и б».

    Elsewhere «I» and «о» are words. A nought means nothing by itself.
    """
    digit = as_digits(line[place].text)
    if not (len(digit) == 1 and digit.isdigit() and digit != "0" and line[place].kind != "number"):
        return None
    before = place - 1
    while before >= 0 and (line[before].text in _BETWEEN_NUMBERS or _means(line[before], {"AND"})):
        before -= 1
    if before < 0:
        stands = place == 0 and len(line) > 1 and line[1].text == ":"
    else:
        stands = line[before].kind == "number" or _means(line[before], _BEFORE_NUMBERS)
    return _Option(place, place + 1, "NUMBER", digit, "lookalike") if stands else None


def _means(atom: Atom, kinds: Container[str]) -> bool:
    return any(meaning.kind in kinds for meaning in phrases().get((atom.text,), ()))


def _as_russian(tokens: tuple[Lexeme, ...], text: str) -> Iterator[tuple[Lexeme, ...]]:
    """Yield the line with S as the Russian С where other words are Russian in Latin letters: «kurs S 2» is both."""
    if any(token.repair == "translit" and token.kind != "NAME" for token in tokens):
        other = tuple(
            Lexeme("RHUMB", "N", token.start, token.end, "translit")
            if token.kind == "RHUMB" and text[token.start : token.end] == "s"
            else token
            for token in tokens
        )
        if other != tokens:
            yield other


@cache
def _phrases_by_sound() -> Mapping[str, tuple[tuple[tuple[str, ...], tuple[Meaning, ...]], ...]]:
    """Return the Russian phrases and their meanings by the sound of their first word, longest first."""
    ordered = sorted(phrases().items(), key=lambda phrase: -len(phrase[0]))
    russian = [phrase for phrase in ordered if not phrase[0][0].isascii()]
    return _grouped((key, phrase) for phrase in russian for key in sounds(phrase[0][0]))


def _sounding_phrases(line: Sequence[Atom], place: int) -> tuple[_Option, ...]:
    """Return the longest Russian phrase that stands here in Latin letters: «kurs», «bez ognya»."""
    for key in sounds(line[place].text):
        for words, meanings in _phrases_by_sound().get(key, ()):
            ahead = _spoken_ahead(line, place, len(words))
            if ahead is not None and all(
                not set(sounds(one)).isdisjoint(sounds(other)) for one, other in zip(ahead[0], words, strict=True)
            ):
                return tuple(
                    [_Option(place, ahead[1], meaning.kind, meaning.value, "translit") for meaning in meanings]
                )
    return ()


def _words(place: int, repair: Repair, texts: tuple[str, ...]) -> tuple[_Option, ...]:
    """Return what the table says of each text."""
    meanings = [meaning for text in texts for meaning in phrases().get((text,), ())]
    return tuple([_Option(place, place + 1, meaning.kind, meaning.value, repair) for meaning in meanings])


def _compound(line: Sequence[Atom], place: int) -> tuple[_Option, ...]:
    """Return what two words joined by a hyphen mean with one letter off: «юго-востк»."""
    if place + 2 >= len(line) or line[place + 1].text != "-" or line[place + 2].kind != "word":
        return ()
    both = line[place].text + line[place + 2].text
    options = _words(place, "one-off", (both, *_slips(both)))
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
