"""Lines that cannot be read as they stand: what they may mean by look, key, sound or a letter off (mail-facts 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, Generic, NamedTuple, TypeVar

from engine.blockade.orders.lexicon import Token, tokens, vocabulary
from engine.blockade.orders.parsing import TwoReadings, Unread
from engine.core.contract import Note
from engine.core.names import Ambiguous, Found, find
from engine.core.scripts import layouts

T = TypeVar("T")

MOST_REPAIRS: Final = 3
"""A line with more faults than these is not guessed at."""
_MOST_TOKENS: Final = 60
_SHORTEST: Final = 3
"""A shorter word is not guessed at."""
_EXACT_ONLY: Final = frozenset({"завершаем", "conclude"})
"""Words too serious to be guessed."""


class Mended(NamedTuple, Generic[T]):
    """What was found in a line, and the notes that say what was mended in it."""

    found: T
    notes: tuple[Note, ...]


def mendings(text: str, reads: Callable[[str], T]) -> tuple[Mended[T] | TwoReadings, ...]:
    """Return what ``reads`` may find in a line: words mended, else the other keyboard layout; the first kind only.

    ``reads`` raises Unread and TwoReadings.

    Beside each other stand readings by the same kind of repair: then the line is ambiguous.
    """
    if len(tokens(text)) > _MOST_TOKENS:
        return ()
    for candidates in (((text, ()),), tuple(_other_keys(text))):
        found = [one for candidate, notes in candidates for one in _reworded(candidate, notes, reads, MOST_REPAIRS)]
        if found:
            return tuple(found)
    return ()


def _other_keys(text: str) -> Iterator[tuple[str, tuple[Note, ...]]]:
    """Yield what the same keys give in the other keyboard layout."""
    for other in layouts(text):
        yield other, (Note(kind="repaired", key="layout", facts={"typed": text.strip(), "read": other.strip()}),)


def _reworded(
    text: str, notes: tuple[Note, ...], reads: Callable[[str], T], left: int
) -> Iterator[Mended[T] | TwoReadings]:
    """Yield the readings of a line, each word that stops the reading replaced by what it may mean."""
    try:
        yield Mended(reads(text), notes)
    except TwoReadings as two:
        yield two
    except Unread as why:
        if left and why.place is not None:
            for start, end, read, how in _meant(text, why.place):
                note = Note(kind="repaired", key=how, facts={"typed": text[start:end], "read": read})
                yield from _reworded(text[:start] + read + text[end:], (*notes, note), reads, left - 1)


def _meant(text: str, place: tuple[int, int]) -> Iterator[tuple[int, int, str, str]]:
    """Yield what the word at a fault may mean: its span, what it is read as, and by what repair."""
    word = next((token for token in tokens(text) if token.start == place[0]), None)
    if word is None or len(word.text) < _SHORTEST or not _has_letters(word):
        return
    match find(word.text, vocabulary()):
        case Found(key=read, how=how) if read != word.text and read not in _EXACT_ONLY:
            yield word.start, word.end, read, how
        case Ambiguous(keys=keys, how=how):
            for read in keys:
                if read not in _EXACT_ONLY:
                    yield word.start, word.end, read, how
        case _:
            pass


def _has_letters(word: Token) -> bool:
    return any(sign.isalpha() for sign in word.text)
