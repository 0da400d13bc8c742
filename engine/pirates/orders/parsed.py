"""A text as the grammar takes it before anybody judges it: the ways that can be followed, and where the first stops."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

import msgspec

from engine.core.names import Folded, fold, signs_restored
from engine.core.scripts import layouts
from engine.pirates.orders.grammar import Line, Stumble, parse
from engine.pirates.orders.lexeme import Lexeme, Segments
from engine.pirates.orders.lexicon import Lexicon, Way
from engine.pirates.orders.orderly import CLAUSES, is_orderly

_COMMENT: Final = re.compile(r"#(?!\d)|(?:^|(?<=\s))//")
_SHIP_SIGN: Final = re.compile(r"\s*[^\W\d]*\s*#\s*\d")  # «корабль # 4»


class Parsed(msgspec.Struct, frozen=True):
    """A text folded, the likeliest way to part it into orders, and the ways that the grammar follows, best first.

    ``orderly`` says whether it begins as an order does; ``stuck`` are the tokens and the place where the first way that
    cannot be followed stops; ``whole`` is false if there are more ways than were tried.
    """

    folded: Folded
    first: Segments
    orderly: bool
    followed: tuple[tuple[Way, tuple[Line, ...]], ...]
    stuck: tuple[tuple[Lexeme, ...], Stumble] | None
    whole: bool

    @property
    def begins_clause(self) -> bool:
        """Whether the text goes on with an order rather than begins one: «огонь до 1» on a line of its own."""
        return self.orderly and self.first[0][0].kind in CLAUSES

    @property
    def begins_anew(self) -> bool:
        """Whether the text begins an order of its own."""
        return self.orderly and self.first[0][0].kind not in CLAUSES


def parsed(lexicon: Lexicon, text: str, *, digits: bool = False) -> Parsed:
    """Return a text as tokens and parts of orders; ``digits``: letters that look like a digit may be one."""
    return (_common if len(text) <= _COMMON else _lately)(lexicon, text, digits=digits)


@lru_cache(maxsize=512)
def in_other_layouts(lexicon: Lexicon, text: str) -> tuple[str, ...]:
    """Return what a text is in the other keyboard layouts, where it begins as an order there."""
    return tuple(other for other in layouts(text) if lexicon.begins(fold(other)))


def uncommented(text: str) -> str:
    """Return the text with its comment blanked; «#4» is a number (play-by-mail 2)."""
    sign = _SHIP_SIGN.match(text)
    comment = _COMMENT.search(text, sign.end() if sign else 0)
    return text if comment is None else text[: comment.start()] + " " * (len(text) - comment.start())


def _parsed(lexicon: Lexicon, text: str, *, digits: bool) -> Parsed:
    folded = signs_restored(fold(uncommented(text)))
    readings = lexicon.readings(folded, digits=digits)
    followed: list[tuple[Way, tuple[Line, ...]]] = []
    stuck: tuple[tuple[Lexeme, ...], Stumble] | None = None
    for way in readings.ways:
        lines: list[Line] = []
        for tokens in way.segments:
            line = parse(tokens)
            if isinstance(line, Stumble):
                stuck = stuck or (tokens, line)
                break
            lines.append(line)
        else:
            followed.append((way, tuple(lines)))
    first = readings.ways[0].segments
    return Parsed(folded, first, is_orderly(first[0]), tuple(followed), stuck, readings.whole)


_COMMON: Final = 120
"""Characters of a text that is remembered for long: greetings and orders come again, long lines are rare and large."""
_common: Final = lru_cache(maxsize=512)(_parsed)
_lately: Final = lru_cache(maxsize=8)(_parsed)
