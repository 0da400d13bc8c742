"""Layout for a fixed-width mail: paragraphs folded at 76 columns, tables whose columns stand under each other."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from adjudicator.words.text import HTML_ONLY, Markdown, as_markdown

WIDTH: Final = 76
"""Columns of a mail's text part (play-by-mail 5)."""

# All but Latin, Greek, Cyrillic, common punctuation, arrows, lines and our own marks: these take one column each.
_ODD: Final = re.compile(
    "[^\x20-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u22ff\u2500-\u259f\u2700-\u27bf\ue000-\uf8ff]"
)
_FIXED: Final = ("    ", "|", "#", "---", HTML_ONLY)
_ITEM: Final = re.compile(r"(?P<indent> {0,3})(?P<mark>[-*] |\d{1,3}\. |│(?: |$))(?P<rest>.*)")
_SPACE: Final = re.compile(r"[ \t]+")


def columns(text: str) -> int:
    """Return how many columns a line of finished text takes: wide signs two, combining ones none."""
    return len(text) if not _ODD.search(text) else sum(_columns(char) for char in text)


def _columns(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def shown(text: str) -> int:
    """Return the columns of a word that may still be armoured, as it will stand in the text part."""
    return columns(as_markdown(text))


def fold(markdown: str, width: int = WIDTH) -> str:
    """Fold paragraphs and list items of Markdown; code, tables and headings stay, blank lines come singly."""
    out: list[str] = []
    for block in _blocks(markdown.split("\n")):
        if block == [""] and (not out or out[-1] == ""):
            continue
        out += block if _stays(block) else _folded(block, width)
    return "\n".join(out).strip("\n") + "\n"


def _stays(block: list[str]) -> bool:
    return block == [""] or block[0].startswith(("```", *_FIXED))


def _blocks(lines: list[str]) -> Iterator[list[str]]:
    """Cut into blank lines, fenced code, lines that stay, and paragraphs (a list item is a paragraph)."""
    paragraph: list[str] = []
    fence: list[str] = []
    for line in (line.rstrip() for line in lines):
        if fence or line.startswith("```"):
            fence.append(line)
            if len(fence) > 1 and line.startswith("```"):
                yield from _emit(paragraph)
                yield fence
                paragraph, fence = [], []
        elif not line or line.startswith(_FIXED):
            yield from _emit(paragraph)
            paragraph = []
            yield [line]
        elif _ITEM.match(line):
            yield from _emit(paragraph)
            paragraph = [line]
        else:
            paragraph.append(line)
    yield from _emit(paragraph)
    if fence:
        raise ValueError(f"a fence is not closed: {fence[0]!r}")


def _emit(paragraph: list[str]) -> Iterator[list[str]]:
    if paragraph:
        yield paragraph


def _folded(paragraph: list[str], width: int) -> list[str]:
    item = _ITEM.match(paragraph[0])
    first = item["indent"] + item["mark"] if item else ""
    rest = first if "│" in first else " " * len(first)
    words = _SPACE.sub(" ", " ".join([item["rest"] if item else paragraph[0], *paragraph[1:]])).strip().split(" ")
    return _fill(words, first, rest, width)


def _fill(words: list[str], first: str, rest: str, width: int) -> list[str]:
    lines: list[str] = []
    line, used = first, columns(first)
    begun = False
    for word in _cut(words, width - columns(rest)):
        size = shown(word)
        if begun and used + 1 + size > width:
            lines.append(line)
            line, used, begun = rest, columns(rest), False
        line, used = (f"{line} {word}", used + 1 + size) if begun else (line + word, used + size)
        begun = True
    return [*lines, line.rstrip()]


def _cut(words: list[str], width: int) -> Iterator[str]:
    """Cut words that no line can hold; addresses in angle brackets or links stay whole, they are useless cut."""
    for word in words:
        whole = word
        while shown(whole) > width and "](" not in whole:
            cut = max(_within(whole, width), 1)
            yield whole[:cut]
            whole = whole[cut:]
        yield whole


def _within(text: str, width: int) -> int:
    """Return how many signs of a text fit into so many columns; quick for a text of any length."""
    return bisect_right(range(1, len(text) + 1), width, key=lambda end: shown(text[:end]))


def table(head: Sequence[str], rows: Sequence[Sequence[str]], width: int = WIDTH) -> Markdown:
    """Return a Markdown table with aligned columns, cells cut with «…» where the widest column would not fit.

    Cells that are all digits stand to the right.
    """
    cells = [[_cell(cell) for cell in row] for row in (head, *rows)]
    sizes = [min(max(shown(row[place]) for row in cells), width) for place in range(len(head))]
    while sum(sizes) + 3 * len(sizes) + 1 > width:
        sizes[sizes.index(max(sizes))] -= 1
    right = [bool(rows) and all(row[place].isdigit() for row in cells[1:]) for place in range(len(head))]
    rule = (
        "|"
        + "|".join("-" * (size + 1) + (":" if to_right else "-") for size, to_right in zip(sizes, right, strict=True))
        + "|"
    )
    lines = ["| " + " | ".join(map(_padded, row, sizes, right)) + " |" for row in cells]
    return Markdown("\n".join([lines[0], rule, *lines[1:]]))


def _cell(text: str) -> str:
    return _SPACE.sub(" ", text.replace("\n", " ")).replace("|", "¦").strip()


def _padded(cell: str, size: int, to_right: bool) -> str:  # noqa: FBT001 - mapped over columns
    if shown(cell) > size:
        cell = cell[: _within(cell, size - 1)] + "…"
    room = " " * (size - shown(cell))
    return room + cell if to_right else cell + room
