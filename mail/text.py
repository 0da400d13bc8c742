"""Lines of text as people typed them, and the plain form in which their words are compared and read."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from msgspec import Struct

LINE_LENGTH: Final = 2_000
"""Characters of a line that are kept; the rest is dropped and the mail is marked ``line-cut``."""

_INVISIBLE: Final = (
    *(0x00AD, 0x034F, 0x061C, 0x180E, 0xFEFF, 0xFE0E, 0xFE0F, 0x20E3, 0xFFFC),
    *range(0x200B, 0x2010),
    *range(0x202A, 0x202F),
    *range(0x2060, 0x2065),
    *range(0x2066, 0x206A),
)
_SPACES: Final = (0x00A0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000, 0x0009)
_DASHES: Final = (*range(0x2010, 0x2016), 0x2212, 0x2043, 0xFE58, 0xFE63, 0xFF0D)
_QUOTES: Final = "«»„“”‟‘’‚‛‹›″＂"
_ARROWS: Final = "→⇒⇨➔➙➜➝➞➡⟶⟹⭢🡒🡆⮕"

_PLAIN: Final[dict[int, str]] = {
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys(_INVISIBLE, ""),
    **dict.fromkeys(_SPACES, " "),
    **dict.fromkeys(_DASHES, "-"),
    **{ord(mark): '"' for mark in _QUOTES},
    **{ord(arrow): "->" for arrow in _ARROWS},
    0x2026: "...",
}
# Looked for first: most lines need nothing of this, and looking is ten times faster than translating.
_ODD: Final = re.compile(f"[{re.escape(''.join(map(chr, sorted(_PLAIN))))}]")
_COMPATIBLE: Final = re.compile("[^\u0000-\u02af\u0400-\u052f\u2000-\u206f]")
_APOSTROPHE: Final = re.compile(r"(?<=[A-Za-z])[’‘ʼ](?=[A-Za-z])")
_ARROW: Final = re.compile(r"[-=]{1,3}>")
_BULLET: Final = re.compile(r"^[-*•·‣◦▪●]+(?:\s+(?=\S)|(?=[^\W\d_]))")
_LOSABLE: Final = re.compile(r"""[*_`\\|#?"'>]+|[^\x00-\x7fа-я]+|(?<![^\s])-(?!\d)|(?<=\S)-|\.{2,}""")
_BREAKS: Final = re.compile(r"\r\n|[\n\r\v\f\x85\u2028\u2029]")
_UNSTORABLE: Final = re.compile("[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]")


class Line(Struct, frozen=True, gc=False):
    """One line of a mail: where it stood, as it was written, and what the mail's own structure says about it.

    ``mark`` is ``quote``, ``signature`` or ``struck`` (through) where the HTML said so, else empty.
    """

    number: int
    raw: str
    mark: str = ""

    @property
    def text(self) -> str:
        """The line in plain form, without a list bullet: what an order reader should look at."""
        return _read(self.raw)


@lru_cache(maxsize=8_192)
def plain(text: str) -> str:
    """Give ``text`` with look-alike punctuation made one: NFC, one kind of space, dash, quote and arrow.

    Invisible characters go (a combining Apple «й» is composed first), full-width letters and digits become
    narrow, «№» stays. Blanks are squeezed and stripped. Letters keep their case and alphabet.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
        if _ODD.search(text):
            text = _APOSTROPHE.sub("'", text).translate(_PLAIN)
        if _COMPATIBLE.search(text):
            text = "".join(map(_narrow, text))
    if ">" in text:
        text = _ARROW.sub("->", text)
    return " ".join(text.split())


@lru_cache(maxsize=2_048)
def _read(raw: str) -> str:
    return _BULLET.sub("", plain(raw), count=1)


def _narrow(char: str) -> str:
    """Undo a compatibility form (bold, circled, wide) of one letter or digit; leave every other character."""
    if char < "\u02b0" or "\u0400" <= char <= "\u052f" or unicodedata.category(char)[0] not in "LN":
        return char
    other = unicodedata.normalize("NFKC", char)
    return other if len(other) == 1 else char


def folded(text: str) -> str:
    """Give the form in which two words or names are compared: plain, caseless, ё as е."""
    return plain(text).casefold().replace("ё", "е")


@lru_cache(maxsize=8_192)
def line_key(text: str) -> str:
    """Give the form in which a line we sent is recognised again in a quote.

    Folded, without marks of Markdown and without whatever an 8-bit charset may lack, because a client writes ``?``,
    ``"``, ``-`` or nothing there: quotes, dashes (a minus before a digit stays), arrows, foreign letters and signs.
    A line of nothing else is its own key.
    """
    low = folded(text)
    return " ".join(_LOSABLE.sub("", low).split()) or low


def storable(text: str) -> str:
    """Drop what a database or a UTF-8 encoder refuses: NUL and other controls, lone surrogates. Breaks stay."""
    return _UNSTORABLE.sub("", text)


def one_line(text: str) -> str:
    """Give ``text`` fit for one header or one line of a report: no breaks, no controls, blanks squeezed."""
    return " ".join(storable(text).split())


def split_lines(text: str) -> list[str]:
    """Split at every kind of line end people's programs write; no empty last line for a final end."""
    lines = _BREAKS.split(text)
    if lines and not lines[-1]:
        lines.pop()
    return lines
