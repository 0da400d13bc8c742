"""Mailboxes as headers name them: who a header really points at, however the display name is dressed up."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Final

from msgspec import Struct

_ADDRESS: Final = re.compile(r"[^\s<>()\[\],;:\\\"@]{1,64}@[^\s<>()\[\],;:\\\"@]{1,255}")
_LIMIT: Final = 65_536


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


def mailboxes(header: str) -> tuple[Mailbox, ...]:
    """Read the mailboxes of one raw (undecoded) address header; never raises, keeps order, drops nonsense.

    Quoted strings and comments are decoration. A piece that holds two different addresses outside quotes
    (``igor@example.ru <evil@example.net>``) gives both, so that a caller who demands exactly one refuses it.
    """
    found: list[Mailbox] = []
    for piece in _pieces(header[:_LIMIT]):
        found += _of_piece(piece)
    return tuple(found)


def canonical(address: str) -> str:
    """Give the form in which addresses are compared: caseless, an international domain in its ASCII form (IDNA)."""
    local, at, domain = address.strip().rpartition("@")
    domain = domain.rstrip(".").lower()
    if not domain.isascii():
        with suppress(UnicodeError):  # not a real domain: it still equals itself
            domain = domain.encode("idna").decode("ascii")
    return f"{local.lower()}{at}{domain}"


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
    quoted, depth, inside = False, 0, False
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
            pieces.append(_Piece([""], []))
        elif char == ":" and "@" not in piece.words:
            piece.words.clear()
        else:
            piece.words.append(char)
    return pieces


def _of_piece(piece: _Piece) -> list[Mailbox]:
    """Read one piece: the angle address with the words before it as name, and any address among bare words."""
    bare = "".join(" " if word.startswith("\0") else word for word in piece.words)
    name = " ".join("".join(word.lstrip("\0") for word in piece.words).split())
    outside = _ADDRESS.findall(bare)
    inside = _ADDRESS.findall("".join(piece.angle).rpartition(":")[2])
    if piece.angles == 1 and len(inside) == 1:
        others = [address for address in outside if canonical(address) != canonical(inside[0])]
        return [Mailbox(name, inside[0]), *(Mailbox("", address) for address in others)]
    return [Mailbox("", address) for address in (*inside, *outside)]
