"""Lines that cannot be read as they stand: what they may mean by look, key, sound or a letter off (mail-facts 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from engine.core.cells import read_cell
from engine.core.contract import Language, Note, Order, ReadOrder
from engine.core.names import Ambiguous, Found, find
from engine.core.names import fold as folded
from engine.core.scripts import layouts
from engine.jackal.isle import ISLE
from engine.jackal.orders.lexicon import Token, as_unit, fold, keys, synonyms, tokens
from engine.jackal.orders.parsing import Line, Parser, Unread, begins_order

MOST_REPAIRS: Final = 3
"""A line with more faults than these is not guessed at."""
_CELL_EXPECTED: Final = frozenset({"no-cell", "no-pick", "unexpected", "no-dash", "no-colon"})


class Mended(NamedTuple):
    """A line that can be read, and the notes that say what was mended in it."""

    text: str
    line: Line
    notes: tuple[Note, ...]


def mendings(text: str, language: Language) -> tuple[Mended, ...]:
    """Return what a line may mean, from the mildest repair to the boldest; only the mildest kind that leads anywhere.

    Beside each other stand readings by the same kind of repair: then the line is ambiguous.
    """
    for candidates in (_folded(text), _closed_up(text), ((text, ()),), _other_keys(text)):  # the mildest first
        found: dict[Line, Mended] = {}
        for candidate, notes in candidates:
            for one in _reworded(candidate, notes, language, MOST_REPAIRS):
                found.setdefault(one.line, one)
        if found:
            return tuple(found.values())
    return ()


def may_be_order(text: str) -> bool:
    """Say whether a line that does not begin as an order is worth mending: it is short and no greeting or prose."""
    words = len(tokens(text))
    return 0 < words <= (_MOST_WORDS if any(sign.isdigit() for sign in text) else _MOST_PLAIN_WORDS)


_MOST_WORDS: Final = 40
_MOST_PLAIN_WORDS: Final = 16
_EXACT_ONLY: Final = frozenset({"conclude", "not-conclude", "perish"})
"""Phrases too serious to be guessed."""
_Candidate: TypeAlias = tuple[str, tuple[Note, ...]]


def _folded(text: str) -> Iterator[_Candidate]:
    """Yield the line without invisible signs and with its letters composed, which is no repair at all."""
    plain = folded(text).text
    if plain != fold(text):
        yield plain, ()


def _closed_up(text: str) -> Iterator[_Candidate]:
    """Yield the line with the space in its first unit gone: «Б 2 на G7»."""
    found = tokens(text)
    if len(found) > 1:
        joined = found[0].text + found[1].text
        if as_unit(joined):
            yield text[: found[0].start] + joined + text[found[1].end :], ()


def _other_keys(text: str) -> Iterator[_Candidate]:
    """Yield what the same keys give in the other keyboard layout, where that begins as an order."""
    for other in layouts(text):
        if begins_order(other):
            yield other, (Note(kind="repaired", key="layout", facts={"typed": text.strip(), "read": other.strip()}),)


def _reworded(text: str, notes: tuple[Note, ...], language: Language, left: int) -> Iterator[Mended]:
    """Yield the readings of a line, each word that stops the reading replaced by what it may mean."""
    try:
        yield Mended(text, Parser(text, language).read(), notes)
    except Unread as why:
        if left and why.place is not None:
            for start, end, read, how in _meant(text, why):
                note = Note(kind="repaired", key=how, facts={"typed": text[start:end], "read": read})
                mended = text[:start] + read + text[end:]
                said = notes if how == "exact" else (*notes, note)
                yield from _reworded(mended, said, language, left - 1)


def answers(text: str, reads: Callable[[str], Order], left: int = MOST_REPAIRS) -> Iterator[ReadOrder]:
    """Yield what an answer may mean that ``reads`` takes, each word that stops it replaced by what it may mean."""
    try:
        yield ReadOrder(order=reads(text), lines=())
    except Unread as why:
        if left and why.place is not None:
            for start, end, read, how in _meant(text, why):
                note = Note(kind="repaired", key=how, facts={"typed": text[start:end], "read": read})
                for one in answers(text[:start] + read + text[end:], reads, left - 1):
                    yield ReadOrder(order=one.order, lines=(), notes=(note, *one.notes))


def _meant(text: str, why: Unread) -> Iterator[tuple[int, int, str, str]]:
    """Yield what the word at the fault may mean: its span, what it is read as, and by what repair."""
    if why.place is None:
        return
    all_ = tokens(text)
    at = next((place for place, token in enumerate(all_) if token.start == why.place[0]), -1)
    if at < 0:
        return
    if why.why in _CELL_EXPECTED:
        yield from _as_cells(text, all_, at)
    short = len(all_[at].text) == 1 or all_[at].fold in _vocabulary()
    known = short and at + 1 < len(all_)  # «к закрытм»: the phrase stops the reading
    word = all_[at + 1] if known else all_[at]
    if word.text.isalpha():
        yield from _as_words(word)


def _as_cells(text: str, all_: tuple[Token, ...], at: int) -> Iterator[tuple[int, int, str, str]]:
    """Yield the cells that the word, or the word with its neighbour, may name: «G 7», «G1O», «Г7»."""
    word = all_[at]
    spans = [(word.start, word.end)]
    if at + 1 < len(all_) and all_[at + 1].text.isalnum():
        spans.append((word.start, all_[at + 1].end))
    if at and all_[at - 1].end == word.start:
        spans.append((all_[at - 1].start, word.end))
    for start, end in spans:
        match read_cell(text[start:end], ISLE.names):
            case Found(key=cell, how=how):
                yield start, end, cell, how
            case Ambiguous(keys=cells, how=how):
                for cell in cells:
                    yield start, end, cell, how
            case _:
                pass


def _as_words(word: Token) -> Iterator[tuple[int, int, str, str]]:
    match find(word.text, _vocabulary()):
        case Found(key=read, how=how) if read != word.fold:
            yield word.start, word.end, read, how
        case Ambiguous(keys=read, how=how):
            for one in read:
                yield word.start, word.end, one, how
        case _:
            pass


@cache
def _vocabulary() -> dict[str, tuple[str, ...]]:
    """Return every word of the order language, as names to be found."""
    words = {
        word: (word,)
        for group in ("phrases", "items", "colours", "residents", "topics", "tiles")
        for key in keys(group)
        if key not in _EXACT_ONLY
        for phrase in synonyms(group, key)
        for word in phrase
        if len(word) > 1 or fold(word) != word
    }
    return dict(sorted(words.items()))
