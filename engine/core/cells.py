"""Cells of a board as people type them, letter and number, whatever alphabet, keyboard or sight made of them."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from engine.core.names import Ambiguous, Found, How, NotFound, fold, nearest, settle
from engine.core.scripts import as_cyrillic, as_digits, as_latin, keys, sounds

_CELL: Final = re.compile(r"\W*(?:([^\W\d_]{1,2})[\s.-]+)?([^\W_](?:[^\W_]|\|)*)\W*")
_LONGEST: Final = 40
_MOST_LETTERS: Final = 2
_MOST_SIGNS: Final = 6
_AS_LETTERS: Final = {"0": "o", "1": "il", "3": "з", "6": "б", "8": "b"}
"""Digits, and the letters that they may be to the eye."""
_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyzабвгдежзийклмнопрстуфхцчшщъыьэюя"


def cell_readings(typed: str) -> tuple[tuple[tuple[str, How], ...], ...]:
    """Return what cell a text may name, in small letters, from the mildest repair to the boldest (mail-facts 5).

    As it stands; by the look of its letters and digits («А5», ``AЗ``, ``B1O``); then, side by side, by sound («Г5» is
    G5) and by key («Ф5» is A5). A text that is no letter and number in any of these ways has none.
    """
    signs = _signs(typed)
    parts = _parts(signs) if 1 < len(signs) <= _MOST_SIGNS else ()
    exact: list[tuple[str, How]] = [
        (head + number, "exact") for head, number in parts if head + number == _plain(signs)
    ]
    seen: list[tuple[str, How]] = [(look + number, "lookalike") for head, number in parts for look in _looks(head)]
    guessed: list[tuple[str, How]] = []
    for head, number in parts:
        guessed += [(other + number, "translit") for other in _sounds(head)]
        guessed += [(other + number, "layout") for other in keys(head) if other.isalpha()]
    return tuple(exact), tuple(seen), tuple(guessed)


def _signs(typed: str) -> str:
    """Return the letter and number of a text without what stands about and between them, "" if there is more."""
    found = _CELL.fullmatch(fold(typed[:_LONGEST]).text)
    return "".join(part or "" for part in found.groups()) if found else ""


def _plain(signs: str) -> str:
    """Return signs with the noughts before the number gone: ``A05`` is A5."""
    letters = signs.rstrip("0123456789")
    number = signs[len(letters) :]
    return letters + (number.lstrip("0") or number)


def _parts(signs: str) -> tuple[tuple[str, str], ...]:
    """Return the ways to part signs into letters and a number, letters that look like digits being digits."""
    found = []
    for length in range(1, _MOST_LETTERS + 1):
        head, number = signs[:length], as_digits(signs[length:])
        if number.isdecimal() and number.isascii():
            found.append((head, number.lstrip("0") or "0"))
    return tuple(found)


def _looks(head: str) -> tuple[str, ...]:
    """Return the letters that a column's may be to the eye."""
    letters = [head]
    for digit, twins in _AS_LETTERS.items():
        letters = [one.replace(digit, twin) for one in letters for twin in twins if digit in one or twin == twins[0]]
    found = (script(one) for one in letters for script in (as_latin, as_cyrillic, str))
    return tuple(one for one in dict.fromkeys(found) if one.isalpha())


def _sounds(head: str) -> tuple[str, ...]:
    """Return the letters of the other alphabet that sound as a column's."""
    if len(head) != 1:
        return ()
    keys_of = set(sounds(head))
    return tuple(letter for letter in _ALPHABET if letter != head and not keys_of.isdisjoint(sounds(letter)))


def read_cell(typed: str, legal: Collection[str]) -> Found | Ambiguous | NotFound:
    """Find which of the legal cells a text names; legal is what exists on this board from the reader's view.

    What is written, or what the eye sees, decides if it is a cell; else exactly one guess must be one. `Found.how` says
    by what repair, `Ambiguous.keys` are the cells it could be, `NotFound.suggestions` the nearest.
    """
    known = {cell.casefold(): cell for cell in legal}
    for rung in cell_readings(typed):
        meant = settle([(known[cell], how) for cell, how in rung if cell in known])
        if meant is not None:
            return meant
    return NotFound(nearest(typed[:_LONGEST], {cell: (cell,) for cell in legal}))
