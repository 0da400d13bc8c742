"""Mailboxes as headers name them: who a header really points at, however the display name is dressed up."""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress
from functools import lru_cache
from typing import Final

from msgspec import Struct

_ADDRESS: Final = re.compile(r"[^\s<>()\[\],;:\\\"@]{1,64}@[^\s<>()\[\],;:\\\"@]{1,255}")
_LIMIT: Final = 65_536
_OWN_LETTERS: Final = re.compile("[\u00df\u03c2\u200c\u200d]")
"""Characters that the standard codec maps to others, and today's rules do not: «ß» makes another domain than «ss»."""


class Mailbox(Struct, frozen=True, gc=False):
    """A display name and an addr-spec (RFC 5322 3.4); the name is decoration and proves nothing."""

    name: str
    address: str

    @property
    def canonical(self) -> str:
        """The address in the form in which two are compared (see ``canonical``)."""
        return canonical(self.address)


class _Piece(Struct):
    """One comma-separated piece of an address list while it is being read."""

    words: list[str]
    angle: list[str]
    angles: int = 0
    group: bool = False
    end: str = ""


def mailboxes(header: str) -> tuple[Mailbox, ...]:
    """Read the mailboxes of one raw (undecoded) address header; never raises, keeps order, drops nonsense.

    Quoted strings and comments are decoration. A piece that holds two different addresses outside quotes
    (``igor@example.ru <evil@example.net>``) gives both, so that a caller who demands exactly one refuses it. What
    is no address from end to end (``<evil"igor@example.ru>``) gives none: another program may read another one there.
    """
    return _common(header) if len(header) <= _COMMON else _mailboxes(header[:_LIMIT])


def _mailboxes(header: str) -> tuple[Mailbox, ...]:
    found: list[Mailbox] = []
    for piece in _pieces(header):
        found += _of_piece(piece)
    return tuple(found)


_COMMON: Final = 500
"""Characters of a header that is remembered: people write from the same address, and to the same."""
_common: Final = lru_cache(maxsize=512)(_mailboxes)


def is_group(header: str) -> bool:
    """Say whether an address header names a group (``friends: igor@example.ru;``, RFC 6854), whoever is in it."""
    pieces = _pieces(header[:_LIMIT])
    begun = next((place for place, piece in enumerate(pieces) if piece.group), len(pieces))
    return any(piece.end == ";" for piece in pieces[begun:])


def canonical(address: str) -> str:
    """Give the form in which addresses are compared: caseless, an international domain in its ASCII form (IDNA)."""
    local, at, domain = address.strip().rpartition("@")
    if not local.isascii():
        local = unicodedata.normalize("NFC", local)
    return f"{local.lower()}{at}{canonical_domain(domain)}"


def canonical_domain(domain: str) -> str:
    """Give the form in which domains are compared, as ``canonical`` does for whole addresses."""
    low = domain.rstrip(".").lower()
    if low.isascii():
        return low
    return ".".join(map(_ascii_label, re.split("[.\u3002\uff0e\uff61]", unicodedata.normalize("NFC", low))))


def _ascii_label(label: str) -> str:
    with suppress(UnicodeError):  # not a real domain: it still equals itself
        if _OWN_LETTERS.search(label):
            return "xn--" + label.encode("punycode").decode("ascii")
        return label.encode("idna").decode("ascii")
    return label


def same_address(one: str, other: str) -> bool:
    """Say whether two addresses are the same mailbox by spelling alone (dots and plus-tags make a difference)."""
    return canonical(one) == canonical(other)


def split_plus(address: str) -> tuple[str, str]:
    """Split ``judge+tag@host`` into ``judge@host`` and ``tag``; the tag is empty where there is none."""
    local, at, domain = address.rpartition("@")
    base, _, tag = local.partition("+")
    return f"{base}{at}{domain}", tag


def _pieces(header: str) -> list[_Piece]:
    """Split at commas and semicolons outside quotes, comments and angles; group names before a colon go."""
    pieces = [_Piece([""], [])]
    quoted, depth, inside, addressed = False, 0, False, False
    index = 0
    while index < len(header):
        char, piece = header[index], pieces[-1]
        index += 1
        if char == "\\" and (quoted or depth):
            if quoted:
                piece.words.append("\0" + header[index : index + 1])
            index += 1
        elif quoted:
            quoted = char != '"'
            piece.words.append("" if char == '"' else "\0" + char)
        elif char == "(" or depth:
            depth += (char == "(") - (char == ")")
        elif inside:
            inside = char != ">"
            piece.angle.append("" if char == ">" else char)
        elif char == '"':
            quoted = True
        elif char == "<":
            inside, piece.angles = True, piece.angles + 1
        elif char in ",;":
            piece.end = char
            pieces.append(_Piece([""], []))
            addressed = False
        elif char == ":" and not addressed:
            piece.words.clear()
            piece.group = True
        else:
            piece.words.append(char)
            addressed = addressed or char == "@"
    return pieces


def _of_piece(piece: _Piece) -> list[Mailbox]:
    """Read one piece: the angle address with the words before it as name, and any address among bare words."""
    bare = "".join(" " if word.startswith("\0") else word for word in piece.words)
    name = " ".join("".join(word.lstrip("\0") for word in piece.words).split())
    words = ((word, _ADDRESS.findall(word)) for word in bare.split() if "@" in word)
    outside = [address for word, found in words if len(found) > 1 or found == [word] for address in found]
    inside = _of_angle("".join(piece.angle)) if piece.angles == 1 else _ADDRESS.findall("".join(piece.angle))
    if piece.angles == 1 and inside:
        others = [address for address in outside if canonical(address) != canonical(inside[0])]
        return [Mailbox(name, inside[0]), *(Mailbox("", address) for address in others)]
    return [Mailbox("", address) for address in (*inside, *outside)]


def _of_angle(text: str) -> list[str]:
    """Read what stands in angles: an address and nothing else, a route before it (RFC 5322 4.4) left out."""
    route, _, address = text.strip(" \t<").rpartition(":")
    plain = not route or route.lower() == "mailto" or (route.startswith("@") and " " not in route)
    return [address.strip()] if plain and _ADDRESS.fullmatch(address.strip()) else []
