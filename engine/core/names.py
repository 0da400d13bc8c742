"""Find what a typed word or name means although people decline, misspell and mistype."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, Literal, TypeAlias

import msgspec
from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from engine.core.scripts import as_latin, keys, looks, sounds

How: TypeAlias = Literal["exact", "declined", "lookalike", "part", "layout", "translit", "one-off"]
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


_LOST_QUOTES: Final = re.compile(r"(?<![^\s(])\?([^\W_][^?\"]{0,60})\?(?=[\s:,;.)]|$)")
_LOST_DASH: Final = re.compile(r"(?<=\s)\?(?=\s)")


def signs_restored(folded: Folded) -> Folded:
    """Read quotes and dashes where question marks stand for them: what programs write for signs koi8-r lacks.

    A question mark before a word, with its twin after one, is a quote; one between blanks a dash. Nobody asks so.
    """
    if "?" not in folded.text:
        return folded
    return Folded(_LOST_DASH.sub("-", _LOST_QUOTES.sub(r'"\1"', folded.text)), folded.origin)


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


@lru_cache(maxsize=4096)
def nominatives(typed: str) -> tuple[str, ...]:
    """Return the words of which a folded Russian word may be a case form, the word itself left out."""
    if not _cyrillic(typed):
        return ()
    found = [typed.removesuffix(ending) for ending in _CONSONANT.split() if typed.endswith(ending)]
    found = [base for base in found if base and base[-1] in _HARD]
    for nominative, others in _PARADIGMS:
        found += [typed.removesuffix(other) + nominative for other in others.split() if typed.endswith(other)]
    return tuple(dict.fromkeys(base for base in found if len(base) >= _SHORTEST_PART))


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
_SHORTEST_PART: Final = 3
_NEAR: Final = 60.0
_CLEARLY: Final = 10.0
_MOST_SUGGESTIONS: Final = 3


def all_declined(typed: tuple[str, ...], name: tuple[str, ...]) -> bool:
    """Say whether folded words are a name's words, each in some case."""
    return len(typed) == len(name) and all(declined(one, other) for one, other in zip(typed, name, strict=True))


def part_of(typed: tuple[str, ...], name: tuple[str, ...]) -> bool:
    """Say whether the typed words stand in the name in a row and are not all of it: «Джек» of «Чёрный Джек».

    A word may be cut short with a dot if another is whole: «Ч. Джек».
    """
    if abbreviated(typed, name):
        return True
    if not typed or len(typed) >= len(name) or len("".join(typed)) < _SHORTEST_PART:
        return False
    return any(all_declined(typed, name[place : place + len(typed)]) for place in range(len(name) - len(typed) + 1))


def abbreviated(typed: tuple[str, ...], name: tuple[str, ...]) -> bool:
    """Say whether typed words, of which some end in a dot, are a name's words with these cut short there."""
    if len(typed) != len(name) or not any(word.endswith(".") for word in typed):
        return False
    whole = [one for one, other in zip(typed, name, strict=True) if declined(one, other)]
    short = sum(one.endswith(".") and other.startswith(one[:-1]) for one, other in zip(typed, name, strict=True))
    return len(whole) + short == len(name) and any(len(word) >= _SHORTEST_PART for word in whole)


def all_sounding(typed: tuple[str, ...], name: tuple[str, ...]) -> bool:
    """Say whether folded words are a name's, each in some case, in the letters of the other alphabet: «San Felipe»."""
    return len(typed) == len(name) and all(_sounding(one, other) for one, other in zip(typed, name, strict=True))


def _sounding(typed: str, word: str) -> bool:
    if typed.isdigit():
        return typed == word
    if typed.isascii() == word.isascii():
        return False
    if not set(sounds(typed)).isdisjoint(sounds_of(word)):
        return True
    meant = set(sounds(word))  # «Флинту» is Flint in a case of his own
    return any(not meant.isdisjoint(sounds(base)) for base in nominatives(typed))


@lru_cache(maxsize=4096)
def sounds_of(word: str) -> frozenset[str]:
    """Return the keys of `sounds` of a word of a name in all its case forms."""
    return frozenset(key for form in forms(word) for key in sounds(form))


def one_off(typed: tuple[str, ...], name: tuple[str, ...]) -> bool:
    """Say whether folded words are a name with one letter put in, left out, changed or swapped with its neighbour.

    The letter may be a space or hyphen; the words may stand in any case.
    """
    one, other = "".join(typed), "".join(name)
    if min(len(one), len(other)) >= _ONE_OFF_FROM and OSA.distance(one, other, score_cutoff=1) <= 1:
        return True
    if len(typed) != len(name):
        return False
    wrong = [(one, other) for one, other in zip(typed, name, strict=True) if not declined(one, other)]
    return len(wrong) == 1 and bool(one_off_words(wrong[0][0], tuple(sorted(forms(wrong[0][1])))))


def _dotted(text: str) -> tuple[str, ...]:
    """Return the words of a folded name as `words_of` does, with the dot of those that are cut short."""
    plain = text.replace("'", "")
    return tuple("".join(sign if sign.isalnum() or sign == "." else " " for sign in plain).replace(".", ". ").split())


_Fits: TypeAlias = Callable[[tuple[str, ...]], bool]


def _ladder(typed: str) -> Iterator[tuple[tuple[How, _Fits], ...]]:
    """Yield the repairs from the mildest to the boldest, each as a test of a candidate's words.

    What the eye cannot tell apart comes before guesses; guesses stand side by side, none above another.
    """
    text = fold(typed).text
    words = words_of(typed)
    yield (("exact", lambda name: "".join(words) == "".join(name)),)
    yield (("declined", lambda name: all_declined(words, name)),)
    seen = tuple(words_of(look) for look in looks(text))
    yield (("lookalike", lambda name: any("".join(o) == "".join(name) or all_declined(o, name) for o in seen)),)
    typings = tuple(words_of(other) for other in keys(text))
    dotted = _dotted(text)
    yield (
        ("part", lambda name: part_of(words, name) or abbreviated(dotted, name)),
        ("layout", lambda name: any(all_declined(other, name) for other in typings)),
        ("translit", lambda name: all_sounding(words, name)),
        ("one-off", lambda name: one_off(words, name)),
    )


def find(typed: str, candidates: Mapping[str, Sequence[str]]) -> Found | Ambiguous | NotFound:
    """Find whom or what a typed name means among ``candidates``: keys, each with the names it goes by.

    Declined Russian forms count as the name itself. A repair (look-alike letters, a part of the name, the wrong
    keyboard layout, Russian in Latin letters, one letter off) is made only if exactly one candidate fits, and the
    result says which it was.
    """
    known = {key: tuple(words_of(name) for name in names) for key, names in candidates.items()}
    for rung in _ladder(typed) if joined(typed) else ():
        fitting = [
            (key, how)
            for how, fits in rung
            for key, names in known.items()
            if any(name and fits(name) for name in names)
        ]
        meant = settle(fitting)
        if meant is not None:
            return meant
    return NotFound(nearest(typed, candidates))


def settle(fitting: Iterable[tuple[str, How]]) -> Found | Ambiguous | None:
    """Return the one thing that fits, by the first repair that led to it; of several none is chosen (3.1)."""
    found: dict[str, How] = {}
    for key, how in fitting:
        found.setdefault(key, how)
    if len(found) == 1:
        ((key, how),) = found.items()
        return Found(key, how)
    return Ambiguous(tuple(found), next(iter(found.values()))) if found else None


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
