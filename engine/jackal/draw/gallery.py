"""All kinds of tiles with their names on one sheet, for the rules page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.core.drawing import Drawing, Label, Shape, Text, Use
from engine.core.labels import text_width
from engine.jackal.draw.chart import SYMBOLS
from engine.jackal.draw.paper import INK, PAPER
from engine.jackal.draw.signs import BLANKS, CLOSED
from engine.jackal.tiles import KINDS

COLUMNS: Final = 6
WIDE, HIGH = 122, 96
_EDGE: Final = 14


def gallery() -> Drawing:
    """Return the sheet: the closed tile, the four blanks, then every kind in the order of the registry."""
    kinds = tuple(_kinds())
    rows = -(-len(kinds) // COLUMNS)
    return Drawing(
        width=COLUMNS * WIDE + 2 * _EDGE,
        height=rows * HIGH + 2 * _EDGE,
        background=PAPER,
        base=tuple(_sheet(kinds)),
        overlay=(),
        alt=Label("gallery"),
        symbols=SYMBOLS,
    )


def _kinds() -> Iterator[tuple[str, Label]]:
    yield CLOSED, Label("key-closed")
    for key, kind in KINDS.items():
        name = Label("name", {"ru": kind.ru, "en": kind.en})
        if key == "empty":
            yield from ((f"empty{number}", name) for number in range(BLANKS))
        else:
            yield key, name


def _sheet(kinds: tuple[tuple[str, Label], ...]) -> Iterator[Shape]:
    for place, (key, label) in enumerate(kinds):
        row, column = divmod(place, COLUMNS)
        x, y = _EDGE + (column + 0.5) * WIDE, _EDGE + row * HIGH + 38
        yield Use(key, x, y, scale=1.3)
        for line, words in enumerate(_lines(label)):
            yield Text(x, y + 46 + 12 * line, words, 12, INK)


def _lines(label: Label) -> tuple[Label, ...]:
    """Break a name that is too long for its column before its last word, in both languages alike."""
    if label.key != "name" or max(text_width(words, 12) for words in label.facts.values()) <= WIDE - 6:
        return (label,)
    parts = {tongue: words.rpartition(" ") for tongue, words in label.facts.items()}
    first = {tongue: head or tail for tongue, (head, _, tail) in parts.items()}
    second = {tongue: tail if head else "" for tongue, (head, _, tail) in parts.items()}
    return Label("name", first), Label("name", second)
