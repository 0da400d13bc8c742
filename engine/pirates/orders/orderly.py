"""Say whether a line means to be an order, so that failing to read it deserves a complaint and not silence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.pirates.orders.lexeme import Lexeme

HEADS: Final = frozenset({"VOLLEY", "GOLD", "NAMING", "SEQUENCE"})
"""Words that begin an order of another kind than a ship's."""
CLAUSES: Final = frozenset({"COURSE", "RHUMB", "CELLS", "STAND", "REPAIR", "FIRE", "HOLD"})
"""Tokens that begin a part of a ship's order."""
_SPOKEN: Final = frozenset({"COURSE", "STAND", "REPAIR", "FIRE", "HOLD"})
_ARGUMENTS: Final = frozenset({"RHUMB", "CELLS", "NUMBER", "NAME", "BEFORE", "AFTER", "ANY", "AT", "LOT", "NONE"})
_SUBJECTS: Final = frozenset({"SHIP", "NUMBER", "NAME", "ALL"})
_LONGEST_SUBJECT: Final = 5


def is_orderly(tokens: Sequence[Lexeme]) -> bool:
    """Say whether tokens begin as an order does.

    They begin with a word of the orders, a ship's number or name, or unknown words with a colon, and go on as an order
    might: «Месть будет страшной» and «Золото моё!» do not, «Месть: курс кривой» and «Каракатица: СВ 2» do. A question
    means to be an order only if it names its ship.
    """
    if not tokens:
        return False
    kinds = [token.kind for token in tokens]
    first, known = kinds[0], "WORD" not in kinds
    arguments = not _ARGUMENTS.isdisjoint(kinds[1:])
    if first in HEADS:
        return arguments or "SHIP" in kinds or "_COLON" in kinds or (first == "VOLLEY" and known and len(kinds) > 1)
    if first in {"STAND", "REPAIR", "HOLD"}:
        return known or (arguments and kinds[1] != "WORD")
    if first in {"COURSE", "FIRE"}:
        return (known or arguments) and not _asks(tokens)
    if first == "RHUMB":
        return known and ("NUMBER" in kinds or not _SPOKEN.isdisjoint(kinds))
    return first in _SUBJECTS | {"WORD"} and _has_subject(tokens, kinds)


def _asks(tokens: Sequence[Lexeme]) -> bool:
    return tokens[-1].value == "?"


def _has_subject(tokens: Sequence[Lexeme], kinds: Sequence[str]) -> bool:
    """Say whether a number, a name or unknown words at the beginning are what an order is about."""
    strange = kinds[0] == "WORD"
    parts = {"WORD"} if strange else {"WORD", "_SOFT", *_SUBJECTS}
    end = next((place for place, kind in enumerate(kinds) if kind not in parts), len(kinds))
    rest = kinds[end:]
    if end > _LONGEST_SUBJECT or not rest:
        return not strange and "WORD" not in kinds and "SHIP" in kinds and len(kinds) > 1
    if rest[0] != "_COLON":
        return not strange and rest[0] in _SPOKEN
    if strange:
        return not CLAUSES.isdisjoint(rest[1:3]) and not _asks(tokens)
    return kinds[0] == "NAME" or "SHIP" in kinds[:end] or not CLAUSES.isdisjoint(rest)
