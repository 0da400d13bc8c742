"""Find what a typed word or name means although people decline, misspell and mistype."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, Literal, TypeAlias

import msgspec
from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

How: TypeAlias = Literal["exact", "declined", "part", "lookalike", "layout", "one-off"]
"""By what repair a name was found; ``exact`` and ``declined`` are no repair at all."""

# Folding (mail-facts 5) -----------------------------------------------------------------------------------------------

_INVISIBLE: Final = frozenset(
    "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
)
_REPLACED: Final[Mapping[str, str]] = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-"),
    **dict.fromkeys("«»„“”‟″＂", '"'),
    **dict.fromkeys("‘’‚‛′＇`´", "'"),
    **dict.fromkeys("→⇒➔➜⟶", "->"),
    "…": "...",
    "ё": "е",
}


class Folded(msgspec.Struct, frozen=True):
    """A text made comparable: ``origin[i]`` is the raw place of its i-th character, the last one the end."""

    text: str
    origin: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the half-open span of the raw text that ``text[start:end]`` came from."""
        return self.origin[start], self.origin[end]


def _clusters(raw: str) -> Iterator[tuple[int, str]]:
    """Yield each letter with the marks written over it: Apple sends й as и and a breve."""
    start = 0
    for place in range(1, len(raw) + 1):
        if place == len(raw) or not unicodedata.combining(raw[place]):
            yield start, raw[start:place]
            start = place


@lru_cache(maxsize=4096)
def _plain(cluster: str) -> str:
    """Return what a letter with its marks is compared as: composed, narrow, without stress marks, small."""
    composed = unicodedata.normalize("NFC", cluster)
    base = composed[0]
    if base in _INVISIBLE or unicodedata.category(base) in {"Mn", "Me", "Cf", "Cs"}:
        return ""
    if unicodedata.category(base) == "Zs" or base in "\t\r\n\v\f\u2028\u2029\x85":
        return " "
    if base in _REPLACED:
        return _REPLACED[base]
    narrow = unicodedata.normalize("NFKC", base) if base.isalnum() else base
    small = (letter for letter in narrow.casefold() if unicodedata.category(letter) not in {"Mn", "Me"})
    return "".join(_REPLACED.get(letter, letter) for letter in small)


def fold(raw: str) -> Folded:
    """Fold a text for comparison, keeping for each character the place it came from.

    NFC, no invisible characters, one kind of space, dash and quote, full-width as ASCII, ё as е, small letters. Curly
    apostrophes become ``'``. Never raises; lone surrogates vanish.
    """
    if not any(map(unicodedata.combining, raw)):
        plains = [_plain(letter) for letter in raw]
        text = "".join(plains)
        if len(text) == len(raw) and "" not in plains:  # nearly always: one letter for each
            return Folded(text, tuple(range(len(raw) + 1)))
    letters: list[str] = []
    origin: list[int] = []
    for place, cluster in _clusters(raw) if raw else ():
        plain = _plain(cluster)
        letters.append(plain)
        origin.extend([place] * len(plain))
    return Folded("".join(letters), (*origin, len(raw)))


# Look-alikes and keyboards --------------------------------------------------------------------------------------------

_LATIN_TWINS: Final = "abekmhopctyxijs"
_CYRILLIC_TWINS: Final = "авекмнорстухіјѕ"
_TO_LATIN: Final = str.maketrans(_CYRILLIC_TWINS, _LATIN_TWINS)
_TO_CYRILLIC: Final = str.maketrans(_LATIN_TWINS, _CYRILLIC_TWINS)


def as_latin(text: str) -> str:
    """Return folded text with every Cyrillic letter that has a Latin twin replaced by it: С becomes C."""
    return text.translate(_TO_LATIN)


def as_cyrillic(text: str) -> str:
    """Return folded text with every Latin letter that has a Cyrillic twin replaced by it: C becomes С."""
    return text.translate(_TO_CYRILLIC)


_QWERTY: Final = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`" + 'QWERTYUIOP{}ASDFGHJKL:"ZXCVBNM<>~' + "/?@#$^&|"
_JCUKEN: Final = "йцукенгшщзхъфывапролджэячсмитьбюё" + "ЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮЁ" + '.,"№;:?/'
_TYPED_QWERTY: Final = str.maketrans(_QWERTY, _JCUKEN)
_TYPED_JCUKEN: Final = str.maketrans(_JCUKEN[: -len("/?@#$^&|")], _QWERTY[: -len("/?@#$^&|")])
_LETTERS_QWERTY: Final = str.maketrans(
    {key: value for key, value in zip(_QWERTY, _JCUKEN, strict=True) if key not in ':;./?@#$^&|"'}
)


def layouts(raw: str) -> tuple[str, ...]:
    """Return what the same keys give in the other keyboard layout (ЙЦУКЕН and QWERTY), character for character.

    Three readings at most: all keys Russian; only letters Russian, marks left alone; all keys English.
    """
    found = (raw.translate(_TYPED_QWERTY), raw.translate(_LETTERS_QWERTY), raw.translate(_TYPED_JCUKEN))
    return tuple(text for place, text in enumerate(found) if text != raw and text not in found[:place])


# Case forms -----------------------------------------------------------------------------------------------------------

_PARADIGMS: Final[tuple[tuple[str, str], ...]] = (
    ("ие", "ия ию ием ии их им ими"),
    ("ий", "ия ию ием ии его ему им ем ого ому ом"),
    ("ый", "ого ому ым ом"),
    ("ой", "ого ому ым им ом оя ою оем ое"),
    ("ей", "ея ею еем ее ья ью ьем ье"),
    ("ая", "ой ую ою ей ею аи аю"),
    ("яя", "ей юю ею"),
    ("ое", "ого ому ым им ом"),
    ("ее", "его ему им ем"),
    ("ые", "ых ым ыми"),
    ("а", "ы и е у ой ою ей ею"),
    ("я", "и е ю ей ею"),
    ("ь", "и ью я ю ем е"),
    ("й", "я ю ем е и"),
    ("о", "а у ом е"),
    ("е", "я ю ем и а у"),
    ("ы", "ов ам ами ах"),
    ("и", "ов ев ей ам ами ах ям ями ях"),
)
"""Endings of a nominative and those its other cases may have, longest ending first."""
_CONSONANT: Final = "а у ом ем е ым"
_HARD: Final = frozenset("бвгджзклмнпрстфхцчшщ")


def _cyrillic(word: str) -> bool:
    return bool(word) and all("а" <= letter <= "я" for letter in word)


@lru_cache(maxsize=4096)
def forms(word: str) -> frozenset[str]:
    """Return the case forms a folded Russian word may take, itself included; other words have only one.

    A fleeting vowel may go: Ветер, Ветра; Лев, Льва.
    """
    if not _cyrillic(word) or len(word) < 3:
        return frozenset({word})
    if word[-1] in _HARD:
        bases = [word]
        if word[-2] in "ео":
            bases += [word[:-2] + word[-1], word[:-2] + "ь" + word[-1]]
        return frozenset({word, *(base + ending for base in bases for ending in _CONSONANT.split())})
    for ending, others in _PARADIGMS:
        if word.endswith(ending):
            base = word.removesuffix(ending)
            return frozenset({word, *(base + other for other in others.split())})
    return frozenset({word})


def declined(typed: str, word: str) -> bool:
    """Say whether a folded word is a case form of a name's folded word, or the word itself."""
    return typed == word or typed in forms(word)


# Names ----------------------------------------------------------------------------------------------------------------


class Found(msgspec.Struct, frozen=True):
    """Exactly one candidate fits; ``how`` says by what repair."""

    key: str
    how: How


class Ambiguous(msgspec.Struct, frozen=True):
    """Several candidates fit equally well."""

    keys: tuple[str, ...]
    how: How


class NotFound(msgspec.Struct, frozen=True):
    """No candidate fits; ``suggestions`` are the keys of the nearest ones, best first."""

    suggestions: tuple[str, ...]


def words_of(name: str) -> tuple[str, ...]:
    """Return the folded words of a name: spaces, dashes, dots and quotes only part them, an apostrophe joins."""
    text = fold(name).text.replace("'", "")
    return tuple("".join(letter if letter.isalnum() else " " for letter in text).split())


def joined(name: str) -> str:
    """Return a name as one comparable run of letters: «Сан-Фелипе» and «сан фелипе» are the same."""
    return "".join(words_of(name))


def skeleton(name: str) -> str:
    """Return what is left of a name for the eye: equal for two names that look alike in any script."""
    return as_latin(joined(name))


_ONE_OFF_FROM: Final = 4
_NEAR: Final = 60.0
_CLEARLY: Final = 10.0
_MOST_SUGGESTIONS: Final = 3


def all_declined(typed: tuple[str, ...], name: tuple[str, ...]) -> bool:
    """Say whether folded words are a name's words, each in some case."""
    return len(typed) == len(name) and all(declined(one, other) for one, other in zip(typed, name, strict=True))


def _part(typed: tuple[str, ...], name: tuple[str, ...]) -> bool:
    """Say whether the typed words stand in the name in a row and are not all of it: «Джек» of «Чёрный Джек»."""
    if not typed or len(typed) >= len(name) or len("".join(typed)) < _ONE_OFF_FROM - 1:
        return False
    return any(all_declined(typed, name[place : place + len(typed)]) for place in range(len(name) - len(typed) + 1))


def all_alike(typed: tuple[str, ...], name: tuple[str, ...]) -> bool:
    """Say whether folded words are a name's words to the eye, in whatever script they were typed."""
    same_eyes = as_latin("".join(typed)) == as_latin("".join(name))
    return same_eyes or all_declined(tuple(as_cyrillic(word) for word in typed), name)


def one_off(typed: tuple[str, ...], name: tuple[str, ...]) -> bool:
    """Say whether folded words are a name with one letter put in, left out, changed or swapped with its neighbour."""
    one, other = "".join(typed), "".join(name)
    return min(len(one), len(other)) >= _ONE_OFF_FROM and OSA.distance(one, other, score_cutoff=1) <= 1


def _layout_words(typed: str) -> tuple[tuple[str, ...], ...]:
    return tuple(words_of(text) for text in layouts(typed))


def _ladder(typed: str) -> Iterator[tuple[How, Callable[[tuple[str, ...]], bool]]]:
    """Yield the repairs from the mildest to the boldest, each as a test of a candidate's words."""
    words = words_of(typed)
    yield "exact", lambda name: "".join(words) == "".join(name)
    yield "declined", lambda name: all_declined(words, name)
    yield "lookalike", lambda name: all_alike(words, name)
    yield "part", lambda name: _part(words, name)
    yield "layout", lambda name: any(all_declined(other, name) for other in _layout_words(typed))
    yield "one-off", lambda name: one_off(words, name)


def find(typed: str, candidates: Mapping[str, Sequence[str]]) -> Found | Ambiguous | NotFound:
    """Find whom or what a typed name means among ``candidates``: keys, each with the names it goes by.

    Declined Russian forms count as the name itself. A repair (a part of the name, look-alike letters, the wrong
    keyboard layout, one letter off) is made only if exactly one candidate fits, and the result says which it was.
    """
    known = {key: tuple(words_of(name) for name in names) for key, names in candidates.items()}
    if joined(typed):
        for how, fits in _ladder(typed):
            keys = tuple(key for key, names in known.items() if any(name and fits(name) for name in names))
            if len(keys) == 1:
                return Found(keys[0], how)
            if keys:
                return Ambiguous(keys, how)
    return NotFound(nearest(typed, candidates))


def nearest(typed: str, candidates: Mapping[str, Sequence[str]], most: int = _MOST_SUGGESTIONS) -> tuple[str, ...]:
    """Return the keys of the candidates most like ``typed``, best first, equal ones in the order given.

    A name is as near as it is whole, or as the nearest of its longer words. Where some are clearly nearer, the others
    are left out.
    """
    wanted = joined(typed)
    scores = {key: max((_likeness(wanted, name) for name in names), default=0.0) for key, names in candidates.items()}
    least = max(_NEAR, max(scores.values(), default=0.0) - _CLEARLY)
    best = sorted((key for key in scores if scores[key] >= least), key=lambda key: -scores[key])
    return tuple(best[:most])


def _likeness(wanted: str, name: str) -> float:
    """Return how like a name is to a joined text, 0 to 100."""
    parts = (word for word in words_of(name) if len(word) >= _ONE_OFF_FROM)
    return max(fuzz.ratio(wanted, text) for text in (joined(name), *parts))


def nearest_words(typed: str, vocabulary: Sequence[str], most: int = _MOST_SUGGESTIONS) -> tuple[str, ...]:
    """Return the words of a vocabulary most like a folded word, best first."""
    found = process.extract(typed, vocabulary, scorer=fuzz.ratio, limit=most, score_cutoff=_NEAR)
    return tuple(word for word, _score, _place in found)


@lru_cache(maxsize=4096)
def one_off_words(typed: str, vocabulary: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a vocabulary one letter off: put in, left out, changed or swapped with its neighbour."""
    if len(typed) < _ONE_OFF_FROM:
        return ()
    found = process.extract(typed, vocabulary, scorer=OSA.distance, limit=None, score_cutoff=1)
    return tuple(sorted(word for word, _distance, _place in found if len(word) >= _ONE_OFF_FROM))
