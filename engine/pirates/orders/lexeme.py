"""A token of the order language, and the repair that was needed to read it."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

Repair: TypeAlias = Literal["", "part-name", "lookalike", "layout", "translit", "one-off"]
"""How a word was mended before it could be read, "" if it was not."""


class Lexeme(msgspec.Struct, frozen=True):
    """A token: its kind (a terminal of orders.lark), what it means, its span in the folded text, and its repair."""

    kind: str
    value: str | int
    start: int
    end: int
    repair: Repair = ""


Segments: TypeAlias = tuple[tuple[Lexeme, ...], ...]
"""A line as tokens, parted into the orders it holds."""
