"""Header fields as bytes to text: unfolding, encoded words (RFC 2047), parameters (RFC 2231), thread ids, dates."""

from __future__ import annotations

import binascii
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from mail.charset import decode, known
from mail.text import storable

VALUE_LIMIT: Final = 262_144
"""Bytes of one header value that are looked at."""

_SHOWN: Final = 16_384
"""Bytes of a header that are made text for people; addresses and ids are read from the whole value."""
_FOLD: Final = re.compile(rb"\r\n|[\r\n]")
_WORD: Final = re.compile(rb"=\?([^?\s=]{1,60})\?([bBqQ])\?([^?\r\n]{0,2000}(?:\?(?!=)[^?\r\n]{0,200}){0,3})\?=")
_PARAMETER: Final = re.compile(
    rb"[;\s]([A-Za-z0-9_.-]{1,40})(\*\d{1,3})?(\*)?[ \t]*=[ \t]*(\"(?:[^\"\\]|\\.)*\"?|[^;\r\n]*)"
)
_ID: Final = re.compile(r"<[^<>]{1,998}>")
_PERCENT: Final = re.compile(rb"%([0-9A-Fa-f]{2})")
_IDS_KEPT: Final = 100
_TOKEN: Final = re.compile(r"(?:\s|\([^()]*\))*\"?([^\s;(),\"]+)")
_TOKEN_LIMIT: Final = 1_000


def raw_bytes(value: object) -> bytes:
    """Give back the bytes of a header value as the standard parser keeps it (surrogate-escaped ASCII)."""
    return str(value)[:VALUE_LIMIT].encode("utf-8", "surrogateescape")


def decoded(value: bytes) -> str:
    """Give the text of an unstructured header: encoded words joined as bytes per charset, raw 8-bit by the ladder."""
    value = _FOLD.sub(b"", value[:_SHOWN]).strip()
    if b"=?" not in value:
        return storable(value.decode("ascii") if value.isascii() else decode(value).text)
    out: list[str] = []
    run = _Run()
    at = 0
    for word in _WORD.finditer(value):
        between = value[at : word.start()]
        if between.strip() or not run.open:
            out.append(run.close())
            out.append(decode(between).text)
        if not run.accepts(word):
            out.append(run.close())
        run.add(word)
        at = word.end()
    out += [run.close(), decode(value[at:]).text]
    return storable("".join(out))


class _Run:
    """Neighbouring encoded words of one charset: their bytes are joined before decoding, for letters split between."""

    def __init__(self) -> None:
        self.open = False
        self._charset = ""
        self._data = b""
        self._loose = b""

    def accepts(self, word: re.Match[bytes]) -> bool:
        """Say whether the next word belongs to the same run."""
        return self.open and _charset(word) == self._charset

    def add(self, word: re.Match[bytes]) -> None:
        """Take one encoded word; base64 cut in the middle of a group of four goes on in the next word."""
        self.open, self._charset = True, _charset(word)
        if word[2] in b"qQ":
            self._data += _b(self._loose) + _q(word[3])
            self._loose = b""
            return
        text = self._loose + re.sub(rb"[^A-Za-z0-9+/=_-]", b"", word[3])
        cut = 0 if text.endswith(b"=") else len(text) % 4
        self._loose = text[len(text) - cut :] if cut else b""
        self._data += _b(text[: len(text) - cut] if cut else text)

    def close(self) -> str:
        """End the run and give its text."""
        if not self.open:
            return ""
        data = self._data + _b(self._loose)
        charset = self._charset
        self.open, self._charset, self._data, self._loose = False, "", b"", b""
        return decode(data, charset).text


def _charset(word: re.Match[bytes]) -> str:
    """Give the charset of an encoded word by the one name of its codec, where it is known at all (RFC 2231 5)."""
    claim = word[1].partition(b"*")[0].decode("ascii", "replace").lower()
    return known(claim) or claim


def _q(text: bytes) -> bytes:
    return binascii.a2b_qp(text.replace(b" ", b"_"), header=True)


def _b(text: bytes) -> bytes:
    text = text.rstrip(b"=").replace(b"=", b"").replace(b"-", b"+").replace(b"_", b"/")
    if len(text) % 4 == 1:
        text = text[:-1]
    return binascii.a2b_base64(text + b"=" * (-len(text) % 4)) if text else b""


def first_token(value: str) -> str:
    """Give the first token of a structured value in lower case (``auto-replied (vacation)`` gives ``auto-replied``).

    Comments before it are stepped over, quotes around it are no part of it.
    """
    found = _TOKEN.match(value[:_TOKEN_LIMIT])
    return found.group(1).lower() if found else ""


def parameters(value: bytes) -> dict[str, str]:
    """Give the parameters of a Content-Type or Content-Disposition value; tolerant, names in lower case.

    Continuations and percent-encoding of RFC 2231 are joined, encoded words in values (which no RFC allows and
    many programs write) are decoded, raw 8-bit names go through the charset ladder.
    """
    pieces: dict[str, list[tuple[int, bool, bytes]]] = {}
    for found in _PARAMETER.finditer(b";" + _FOLD.sub(b"", value[:VALUE_LIMIT]).partition(b";")[2]):
        name = found[1].decode("ascii").lower()
        number = int(found[2][1:]) if found[2] else -1
        pieces.setdefault(name, []).append((number, bool(found[3]), _unquoted(found[4])))
    return {name: _joined(parts) for name, parts in pieces.items()}


def _unquoted(value: bytes) -> bytes:
    value = value.strip()
    if value.startswith(b'"'):
        return re.sub(rb"\\(.)", rb"\1", value[1:].removesuffix(b'"'))
    return value


def _joined(parts: list[tuple[int, bool, bytes]]) -> str:
    numbered = sorted(part for part in parts if part[0] >= 0 or part[1])
    if not any(percent for _, percent, _ in numbered):
        value = b"".join(value for _, _, value in numbered) if numbered else parts[0][2]
        return decoded(_percent_coded(value))
    data, charset = b"", ""
    for place, (_, percent, value) in enumerate(numbered):
        content = value
        if percent and place == 0 and value.count(b"'") >= 2:
            claim, _, content = value.split(b"'", 2)
            charset = claim.decode("ascii", "replace")
        data += _unpercented(content) if percent else content
    return storable(decode(data, charset).text)


def _percent_coded(value: bytes) -> bytes:
    """Undo percent-coding where a program wrote it into a plain parameter, if that gives UTF-8 beyond ASCII."""
    plain = _unpercented(value) if b"%" in value else value
    try:
        return plain if not plain.isascii() and plain.decode("utf-8") else value
    except UnicodeDecodeError:
        return value


def _unpercented(value: bytes) -> bytes:
    return _PERCENT.sub(lambda code: bytes.fromhex(code[1].decode("ascii")), value)


def thread_ids(value: str) -> tuple[str, ...]:
    """Give the message ids of an In-Reply-To or References value as opaque strings, brackets included.

    Of a very long list the first and the last hundred stay: the first is the thread, the last the parent.
    """
    ids = _ID.findall(value)
    if len(ids) > _IDS_KEPT:
        ids = [ids[0], *ids[-_IDS_KEPT:]]
    return tuple("".join(found.split()) for found in ids)


def message_id(value: str) -> str:
    """Give a Message-ID as an opaque string, brackets included where it has them; empty if there is none."""
    found = _ID.search(value)
    return "".join(found.group().split()) if found else "".join(value.split())[:998]


def claimed_date(value: str) -> datetime | None:
    """Read a Date header as an aware UTC instant, or nothing: it is the sender's claim and decides nothing."""
    try:
        found = parsedate_to_datetime(value)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (TypeError, ValueError, OverflowError, IndexError, AttributeError):  # all seen in the wild
        return None
