"""What may be taken apart at all: limits on a raw mail, looked at in one cheap pass before any parser runs."""

from __future__ import annotations

import re
from typing import Final

MAIL_LIMIT: Final = 25 * 1024 * 1024
"""Bytes of a whole mail (play-by-mail 7)."""
TEXT_LIMIT: Final = 1024 * 1024
"""Bytes of the text of a mail (play-by-mail 7)."""
HEADER_LIMIT: Final = 256 * 1024
"""Bytes of the header block."""
FIELD_LIMIT: Final = 1_000
"""Fields of the header block."""
LINES_LIMIT: Final = 600_000
"""Lines of a whole mail: 25 MiB of base64 in lines of 60 characters have fewer."""
PART_LIMIT: Final = 200
DEPTH_LIMIT: Final = 20
TEXT_LINES_LIMIT: Final = 20_000
"""Lines of the chosen text, quotes included; one's own lines are counted apart (``OWN_LINES_LIMIT``)."""
OWN_LINES_LIMIT: Final = 2_000
"""Lines of own text (play-by-mail 7)."""

_DELIMITER_LINES_LIMIT: Final = 100_000
_FIELD: Final = re.compile(rb"[\r\n][^ \t\r\n]")
_BLANK_LINE: Final = re.compile(rb"\r?\n[ \t]*\r?\n|\r\r")
_MARK: Final = re.compile(
    rb"^(?:--(?P<delimiter>[^\r\n]{1,200})|content-type[ \t]*:(?P<type>[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*))",
    re.IGNORECASE | re.MULTILINE,
)
_BOUNDARY: Final = re.compile(
    rb"boundary(?:\*0?)?\*?[ \t]*=[ \t]*(?:\"([^\"\r\n]{1,200})|([^\s;\"]{1,200}))", re.IGNORECASE
)
_MULTI: Final = re.compile(rb"multipart/", re.IGNORECASE)
_ENCLOSED: Final = re.compile(rb"\s*message/(?!delivery-status)", re.IGNORECASE)


def over(raw: bytes) -> str:
    """Name the first limit a raw mail breaks, or nothing.

    One of ``too-large``, ``headers-too-large``, ``too-many-lines``, ``too-many-parts``, ``too-deep``.

    The nesting is followed by declared boundaries and the lines that use them, in linear time, without building
    anything: 50,000 parts or 3,000 multiparts inside each other are refused in milliseconds.
    """
    if len(raw) > MAIL_LIMIT:
        return "too-large"
    blank = _BLANK_LINE.search(raw, 0, HEADER_LIMIT + 4)
    if blank is None and len(raw) > HEADER_LIMIT:
        return "headers-too-large"
    end = blank.start() if blank else len(raw)
    if end > FIELD_LIMIT and len(_FIELD.findall(raw, 0, end)) > FIELD_LIMIT:
        return "headers-too-large"
    bare = raw.count(b"\r") - raw.count(b"\r\n")
    if raw.count(b"\n") + bare > LINES_LIMIT:
        return "too-many-lines"
    # The parser takes a bare CR for the end of a line, too.
    return _over_shape(raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if bare else raw)


def _over_shape(raw: bytes) -> str:
    stack: list[bytes] = []
    place: dict[bytes, int] = {}
    parts = lines = 0
    for mark in _MARK.finditer(raw):
        if (declared := mark["type"]) is not None:
            _enter(declared, stack, place)
            if len(stack) > DEPTH_LIMIT:
                return "too-deep"
            continue
        lines += 1
        if lines > _DELIMITER_LINES_LIMIT:
            return "too-many-parts"
        parts += _pass(mark["delimiter"].rstrip(b" \t"), stack, place)
        if parts > PART_LIMIT:
            return "too-many-parts"
    return ""


def _enter(declared: bytes, stack: list[bytes], place: dict[bytes, int]) -> None:
    """Go one level down for a multipart or an enclosed mail."""
    found = _BOUNDARY.search(declared) if _MULTI.search(declared) else None
    if found is not None:
        name = (found[1] or found[2]).rstrip()
    elif _ENCLOSED.match(declared) or _MULTI.search(declared):
        name = b""
    else:
        return
    stack.append(name)
    if name:
        place.setdefault(name, len(stack) - 1)


def _pass(delimiter: bytes, stack: list[bytes], place: dict[bytes, int]) -> int:
    """Count a delimiter line of an open multipart as a part, and leave what was open inside it."""
    at = place.get(delimiter)
    closing = at is None
    if closing:
        at = place.get(delimiter.removesuffix(b"--"))
    if at is None:
        return 0
    keep = at if closing else at + 1
    for name in stack[keep:]:
        if name and place.get(name, -1) >= keep:
            del place[name]
    del stack[keep:]
    return 0 if closing else 1
