"""The transfer encoding of a part undone, as far as damage and false labels allow (RFC 2045 6)."""

from __future__ import annotations

import binascii
import re
from typing import Final, Literal

from msgspec import Struct

Encoding = Literal["", "base64", "quoted-printable", "uuencode"]

_NAMES: Final[dict[str, Encoding]] = {
    "base64": "base64", "base-64": "base64", "b64": "base64", "bas64": "base64",
    "quoted-printable": "quoted-printable", "quoted_printable": "quoted-printable",
    "quotedprintable": "quoted-printable", "quoted": "quoted-printable", "qp": "quoted-printable",
    "x-uuencode": "uuencode", "uuencode": "uuencode", "x-uue": "uuencode", "uue": "uuencode",
}  # fmt: skip
_ALPHABET: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_BLANKS: Final = b" \t\r\n"
_NOT_BASE64: Final = bytes(code for code in range(256) if code not in _ALPHABET + b"=")
_RULERS: Final = b"-_=*~"
_WORD: Final = 16
"""Letters below which a piece of a line between blanks is a word of somebody, not base64."""
_CONTROLS: Final = bytes(code for code in range(32) if code not in _BLANKS)
_URL_SAFE: Final = bytes.maketrans(b"-_", b"+/")
_GROUP: Final = re.compile(rb"[A-Za-z0-9+/]+={0,2}")
_HIGH_ESCAPE: Final = re.compile(rb"=[89A-Fa-f][0-9A-Fa-f]")
_SOFT_BREAK: Final = re.compile(rb"=[ \t]+(?=\n|\Z)")
_LOST_BREAK: Final = re.compile(rb"==(?=[0-9A-Fa-f]{2})")
_SPLIT_LETTER: Final = re.compile(rb"([\xd0\xd1])\n(?=[\x80-\xbf])")
_LINE_END: Final = re.compile(rb"\r\n?")
_UU_BEGIN: Final = re.compile(rb"^begin(?:-base64)? [0-7]{3,4} ?([^\r\n]{0,200})\r?\n", re.MULTILINE)
_UU_ENCLOSED: Final = re.compile(
    rb"^begin [0-7]{3,4} ([^\n]{1,200})\n((?:[!-`][ -`]{1,90}\n){1,40000}(?:[` ]?\n)?)end[ \t]*(?:\n|\Z)", re.MULTILINE
)
_FULL_LINE: Final = re.compile(
    rb"^([^\n]{70,73}(?:=[0-9A-Fa-f]{2}|[^\n]{2}[ \t])|[^\n]{73,76}(?=\n[ \t]))\n(?=[^\n])", re.MULTILINE
)
"""A line of quoted-printable as long as one that a soft break ends, in the middle of a word or before the next."""
_SHORTEST_GUESS: Final = 40
"""Bytes below which a body that says nothing of its encoding is never taken for base64."""


class Undone(Struct, frozen=True):
    """Bytes of a part, and codes of what was done to them.

    ``transfer-mended``: damage that takes nothing away. ``transfer-guessed``: the label was missing or false.
    ``transfer-broken``: bytes may be missing, so nothing in them may be acted upon without asking.
    """

    data: bytes
    repairs: tuple[str, ...] = ()


class Enclosed(Struct, frozen=True):
    """A uuencoded file that stood in the middle of a text."""

    name: bytes
    undone: Undone


def undo(body: bytes, label: str) -> Undone:
    """Undo a transfer encoding by its label, as people's programs write it, and by looks where the label is wrong."""
    encoding = _NAMES.get(label.partition(";")[0].partition("(")[0].strip().strip("\"'").lower(), "")
    if encoding == "base64":
        return _base64(body)
    if encoding == "quoted-printable":
        return _quoted_printable(body)
    if encoding == "uuencode":
        return _uuencoded(body)
    return _unlabelled(body)


def size(body: bytes, label: str) -> int:
    """Say how many bytes a part has without its transfer encoding; for sound base64 without undoing it."""
    if label.strip().lower() == "base64":
        return max(0, (len(body) - body.count(b"\n") - body.count(b"\r")) * 3 // 4 - body[-8:].count(b"="))
    return len(undo(body, label).data)


def without_enclosed(text: bytes) -> tuple[bytes, tuple[Enclosed, ...]]:
    """Take uuencoded files out of a text (``begin 644 name`` … ``end``), as old Outlook and newsreaders put them in."""
    if b"begin " not in text:
        return text, ()
    plain = _LINE_END.sub(b"\n", text)
    found = tuple(Enclosed(one[1].strip(), _uu_lines(one[2])) for one in _UU_ENCLOSED.finditer(plain))
    return (_UU_ENCLOSED.sub(b"", plain), found) if found else (text, ())


def _base64(body: bytes) -> Undone:
    text = body.translate(None, _BLANKS)
    if _is_base64(text):
        data = binascii.a2b_base64(text)
        words = b" " in body.strip() and not _is_utf_8(data) and any(map(_foreign, body.splitlines()))
        return Undone(body, ("transfer-guessed",)) if words else Undone(data)
    return _damaged_base64(body)


def _is_base64(text: bytes) -> bool:
    return len(text) % 4 == 0 and not text.endswith(b"===") and not text.rstrip(b"=").translate(None, _ALPHABET)


def _damaged_base64(body: bytes) -> Undone:
    """Read base64 around foreign lines, stray characters, padding too little or in the middle, the URL alphabet."""
    lines = [line for line in body.splitlines() if not _foreign(line)]
    kept = b"".join(lines).translate(_URL_SAFE, _BLANKS)
    strays = len(kept.translate(None, _ALPHABET + b"="))
    if 2 * len(kept) < len(body.translate(None, _BLANKS)) or 10 * strays > len(kept):
        return Undone(body, ("transfer-guessed",))
    broken = False
    data = bytearray()
    for group in _GROUP.findall(kept.translate(None, _NOT_BASE64)):
        letters = group.rstrip(b"=")
        broken = broken or len(letters) % 4 == 1 or (strays > 0 and len(group) % 4 != 0)
        letters = letters[: len(letters) - 1] if len(letters) % 4 == 1 else letters
        data += binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))
    return Undone(bytes(data), ("transfer-broken" if broken else "transfer-mended",))


def _foreign(line: bytes) -> bool:
    """Say whether a line among base64 is somebody's words, or a ruler: what relays put below a body."""
    if not line.isascii() or not line.strip(_RULERS + _BLANKS):
        return line.strip() not in (b"", b"=", b"==")
    pieces = line.split()
    return len(pieces) > 1 and any(len(piece) < _WORD for piece in pieces[:-1])


def _quoted_printable(body: bytes) -> Undone:
    if not _HIGH_ESCAPE.search(body):
        raw = Undone(body, ("transfer-guessed",)) if not body.isascii() else _unlabelled(body)
        if raw.repairs:
            return raw
    text = _LINE_END.sub(b"\n", body)
    # The standard decoder knows neither blanks after a soft break nor a soft break whose line end was lost.
    mended = _LOST_BREAK.sub(b"=", _SOFT_BREAK.sub(b"=", text)) if b"==" in text or _SOFT_BREAK.search(text) else text
    data = binascii.a2b_qp(mended)
    whole = data if _is_utf_8(data) else _rejoined(mended, data)
    return Undone(whole, ("transfer-mended",) if whole is not data or mended is not text else ())


def _rejoined(text: bytes, data: bytes) -> bytes:
    """Join lines that a soft break parted and a relay took the sign from: letters of UTF-8 torn in two tell of it."""
    joined = _SPLIT_LETTER.sub(rb"\1", data)
    if len(joined) == len(data) or not _is_utf_8(joined):
        return data
    # What follows whole words stays apart: a line of its own may be as long by chance.
    all_joined = binascii.a2b_qp(_FULL_LINE.sub(rb"\1", text))
    return all_joined if _is_utf_8(all_joined) else joined


def _is_utf_8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _unlabelled(body: bytes) -> Undone:
    """Leave a body as it is, unless all of it looks encoded and reads as text once decoded."""
    if not body.isascii():
        return Undone(body)
    escapes = body.count(b"=")
    if escapes >= 4 and 12 * escapes > len(body) and 16 * len(_HIGH_ESCAPE.findall(body)) > len(body):
        return Undone(_quoted_printable(body).data, ("transfer-guessed",))
    if (
        len(body.strip()) >= _SHORTEST_GUESS
        and b" " not in body.strip()
        and _is_base64(text := body.translate(None, _BLANKS))
    ):
        data = binascii.a2b_base64(text)
        if _wrapped_alike(body.split()) and data.translate(None, _CONTROLS) == data:
            return Undone(data, ("transfer-guessed",))
    return Undone(body)


def _wrapped_alike(lines: list[bytes]) -> bool:
    """Say whether lines are as long as a program wraps base64: all the same and long, but the last."""
    width = len(lines[0])
    return width >= _SHORTEST_GUESS and all(len(line) == width for line in lines[:-1]) and len(lines[-1]) <= width


def _uuencoded(body: bytes) -> Undone:
    begin = _UU_BEGIN.search(body)
    return Undone(body, ("transfer-guessed",)) if begin is None else _uu_lines(body[begin.end() :])


def _uu_lines(text: bytes) -> Undone:
    data = bytearray()
    broken = False
    for line in text.splitlines():
        if line.rstrip() == b"end":
            break
        if line.rstrip() in (b"`", b""):
            continue
        # The first character says how many bytes a line holds; some programs leave rubbish or lose blanks at its end.
        count = (line[0] - 32) & 63
        wanted = (count + 2) // 3 * 4 + 1
        try:
            data += binascii.a2b_uu(line[:wanted].ljust(wanted))
        except binascii.Error:
            broken = True
    return Undone(bytes(data), ("transfer-broken",) if broken else ())
