"""A letter of ours to bytes: the same letter gives the same bytes, on every machine and at every try."""

from __future__ import annotations

import base64
import hashlib
import quopri
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Final, Literal

from msgspec import Struct

from mail.addresses import Mailbox
from mail.text import one_line, split_lines

REFERENCES_KEPT: Final = 8
"""Ids of a thread's end that stay in References, beside its first (mail-facts 6)."""

_ID: Final = re.compile(r"<[^<>\s@]{1,250}@[^<>\s@]{1,250}>")
_FOREIGN_ID: Final = re.compile(r"<[!-;=?-~]{1,900}>")
_ADDRESS: Final = re.compile(r"[^\s<>()\[\],;:\\\"@]{1,64}@[^\s<>()\[\],;:\\\"@]{1,255}")
_ATOMS: Final = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]*")
_HEADER_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,70}")
_MEDIA_TYPE: Final = re.compile(r"[a-z]+/[a-z0-9.+-]+(?:; ?[a-z-]+=[A-Za-z0-9._-]+)*")
_LIST_ID: Final = re.compile(r"[a-z0-9.-]{1,200}")
_URL: Final = re.compile(r"(?:https|mailto):[!-;=?-~]{1,900}")
_WORD_BYTES: Final = 45
_LINE: Final = 76


class Part(Struct, frozen=True):
    """A file of the letter: its name in the reader's language, media type and bytes; an inline image has a ``cid``."""

    name: str
    media_type: str
    data: bytes
    cid: str = ""


class Letter(Struct, frozen=True):
    """Everything a mail of ours consists of. Text and HTML say the same; an empty ``html`` gives a mail without HTML.

    ``message_id``, ``in_reply_to`` and ``references`` carry their angle brackets; an id of another program that could
    not stand in a header is left out. ``date`` is aware. ``headers`` are further fields for machines (ASCII names and
    values).
    """

    sender: Mailbox
    to: Mailbox
    subject: str
    date: datetime
    message_id: str
    text: str
    html: str = ""
    reply_to: Mailbox | None = None
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    auto_submitted: Literal["auto-generated", "auto-replied"] = "auto-generated"
    list_id: str = ""
    list_name: str = ""
    unsubscribe: tuple[str, ...] = ()
    one_click: bool = False
    language: str = ""
    images: tuple[Part, ...] = ()
    attachments: tuple[Part, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()


class _Body(Struct, frozen=True):
    """A finished MIME part: its header lines and its content, without the blank line between."""

    head: tuple[str, ...]
    content: bytes

    def whole(self) -> bytes:
        return "".join(f"{line}\r\n" for line in self.head).encode("ascii") + b"\r\n" + self.content


def compose(letter: Letter) -> bytes:
    """Write a letter as CRLF bytes, seven-bit clean, lines within RFC 5322 limits.

    Raises ValueError, quoting it, for an id of ours, an address, type or header that could not stand in a mail: such a
    value is a mistake of ours. Breaks and controls in names and subjects, which people write, become blanks. Ids are
    never encoded nor cut (an encoded In-Reply-To breaks threads). Boundaries come from the Message-ID and cannot occur
    in the content.
    """
    body = _mixed(letter)
    head = "".join(f"{name}: {value}\r\n" for name, value in _fields(letter))
    return head.encode("utf-8") + b"MIME-Version: 1.0\r\n" + body.whole()


def thread(parents: Iterable[str], parent: str) -> tuple[str, ...]:
    """Give References for an answer to ``parent``: its own and itself, cut to the first and the last eight."""
    ids = tuple(dict.fromkeys((*parents, parent)))
    return ids if len(ids) <= REFERENCES_KEPT + 1 else (ids[0], *ids[-REFERENCES_KEPT:])


def _fields(letter: Letter) -> Iterable[tuple[str, str]]:
    yield "From", _mailbox(letter.sender)
    yield "To", _mailbox(letter.to)
    if letter.reply_to is not None:
        yield "Reply-To", _mailbox(letter.reply_to)
    yield "Subject", _unstructured(letter.subject, len("Subject: "))
    yield "Date", format_datetime(letter.date.astimezone(UTC))
    yield "Message-ID", _checked(_ID, letter.message_id, "Message-ID")
    if _quotable(letter.in_reply_to):
        yield "In-Reply-To", letter.in_reply_to
    if references := tuple(filter(_quotable, letter.references)):
        yield "References", "\r\n ".join(references)
    yield "Auto-Submitted", letter.auto_submitted
    yield "X-Auto-Response-Suppress", "All"
    if letter.list_id:
        name = f"{_phrase(letter.list_name)} " if letter.list_name else ""
        yield "List-Id", f"{name}<{_checked(_LIST_ID, letter.list_id, 'List-Id')}>"
    if letter.unsubscribe:
        yield "List-Unsubscribe", ",\r\n ".join(f"<{_checked(_URL, url, 'address')}>" for url in letter.unsubscribe)
    if letter.one_click:
        yield "List-Unsubscribe-Post", "List-Unsubscribe=One-Click"
    if letter.language:
        yield "Content-Language", _checked(_HEADER_NAME, letter.language, "language")
    for name, value in letter.headers:
        yield _checked(_HEADER_NAME, name, "header name"), _machine(value)


# Header values


def _checked(pattern: re.Pattern[str], value: str, what: str) -> str:
    if not pattern.fullmatch(value):
        raise ValueError(f"not a {what}: {value!r}")
    return value


def _machine(value: str) -> str:
    if not value.isascii() or not value.isprintable() or len(value) > 900:
        raise ValueError(f"not a header value for machines: {value!r}")
    return value


def _quotable(value: str) -> bool:
    """Say whether another program's id can stand in a header: printable ASCII in brackets; Exchange uses all of it."""
    return _FOREIGN_ID.fullmatch(value) is not None


def _mailbox(box: Mailbox) -> str:
    address = _checked(_ADDRESS, box.address, "address")
    local, _, domain = address.rpartition("@")
    if not domain.isascii():
        address = f"{local}@{domain.encode('idna').decode('ascii')}"
    name = one_line(box.name)
    return f"{_phrase(name)} <{address}>" if name else address


def _phrase(name: str) -> str:
    """Write a display name: as it is, in quotes, or as encoded words (RFC 5322 3.2.5, RFC 2047 5.3)."""
    name = one_line(name)
    if not name.isascii() or "=?" in name or len(name) > 60:
        return "\r\n ".join(_encoded_words(name))
    if _ATOMS.fullmatch(name):
        return name
    escaped = name.replace("\\", r"\\").replace('"', r"\"")
    return f'"{escaped}"'


def _unstructured(text: str, used: int) -> str:
    """Write a subject: ASCII words at both ends stay readable, what is between is encoded; folded at 76 columns."""
    words = one_line(text).split(" ")
    needy = [index for index, word in enumerate(words) if not word.isascii() or "=?" in word or len(word) > 60]
    if needy:
        first, last = needy[0], needy[-1]
        words = [*words[:first], *_encoded_words(" ".join(words[first : last + 1])), *words[last + 1 :]]
    lines, width = [""], used
    for word in words:
        if lines[-1] and width + 1 + len(word) > _LINE:
            lines.append(word)
            width = 1 + len(word)
        else:
            lines[-1] = f"{lines[-1]} {word}" if lines[-1] else word
            width += 1 + len(word)
    return "\r\n ".join(lines)


def _encoded_words(text: str) -> list[str]:
    """Cut text into encoded words of whole characters and at most 75 columns (RFC 2047 2 and 5)."""
    words: list[bytes] = [b""]
    for char in text:
        piece = char.encode("utf-8", "replace")
        if len(words[-1]) + len(piece) > _WORD_BYTES:
            words.append(b"")
        words[-1] += piece
    return [f"=?utf-8?B?{base64.b64encode(word).decode('ascii')}?=" for word in words]


# Parts


def _mixed(letter: Letter) -> _Body:
    main = _alternative(letter)
    if not letter.attachments:
        return main
    return _multi("mixed", letter, [main, *(_file(part, "attachment") for part in letter.attachments)])


def _alternative(letter: Letter) -> _Body:
    plain = _text("plain", letter.text)
    if not letter.html.strip():
        return plain
    rich = _text("html", letter.html)
    if letter.images:
        rich = _multi("related", letter, [rich, *(_file(part, "inline") for part in letter.images)])
    return _multi("alternative", letter, [plain, rich])


def _multi(kind: str, letter: Letter, bodies: list[_Body]) -> _Body:
    # «=_» can stand neither in base64 nor in quoted-printable, so no content can look like a boundary.
    digest = hashlib.sha256(f"{kind} {letter.message_id}".encode()).hexdigest()[:24]
    boundary = f"=_{kind}_{digest}"
    extra = '; type="text/html"' if kind == "related" else ""
    head = (f'Content-Type: multipart/{kind}{extra};\r\n boundary="{boundary}"',)
    mark = b"--" + boundary.encode("ascii")
    content = b"".join(mark + b"\r\n" + body.whole() + b"\r\n" for body in bodies) + mark + b"--\r\n"
    return _Body(head, content)


def _text(kind: Literal["plain", "html"], text: str) -> _Body:
    """Encode a text: quoted-printable where most of it is ASCII, else base64, which is shorter for Cyrillic."""
    lines = split_lines(text)
    data = "".join(f"{line}\r\n" for line in lines).encode("utf-8", "replace")
    readable = 10 * sum(byte < 128 for byte in data) >= 9 * len(data)
    head = (f"Content-Type: text/{kind}; charset=utf-8",)
    if readable:
        content = b"".join(_quoted(line) + b"\r\n" for line in lines)
        return _Body((*head, "Content-Transfer-Encoding: quoted-printable"), content)
    return _Body((*head, "Content-Transfer-Encoding: base64"), _base64(data))


def _quoted(line: str) -> bytes:
    encoded = quopri.encodestring(line.encode("utf-8", "replace")).replace(b"\n", b"\r\n")
    # Old relays write «>From » at a line's start, which breaks a signed mail.
    return encoded.replace(b"F", b"=46", 1) if encoded.startswith(b"From ") else encoded


def _base64(data: bytes) -> bytes:
    text = base64.b64encode(data)
    return b"".join(text[at : at + _LINE] + b"\r\n" for at in range(0, len(text), _LINE))


def _file(part: Part, disposition: Literal["attachment", "inline"]) -> _Body:
    media = _checked(_MEDIA_TYPE, part.media_type, "media type")
    fallback, named = _file_name(part.name)
    head = [f'Content-Type: {media};\r\n name="{fallback}"', "Content-Transfer-Encoding: base64"]
    if part.cid:
        head.append(f"Content-ID: {_checked(_ID, f'<{part.cid}>', 'Content-ID')}")
    head.append(f"Content-Disposition: {disposition};\r\n {named}")
    return _Body(tuple(head), _base64(part.data))


def _file_name(name: str) -> tuple[str, str]:
    """Give an ASCII file name for old programs, and the parameter with the real one (RFC 2231 where it needs that)."""
    clean = one_line(name).replace("/", "_").replace("\\", "_")[:100] or "file"
    fallback = re.sub(r"[^A-Za-z0-9._ -]", "_", clean)
    if fallback == clean:
        return fallback, f'filename="{fallback}"'
    encoded = "".join(_percent(byte) for byte in clean.encode("utf-8", "replace"))
    return fallback, f"filename*=utf-8''{encoded}"


def _percent(byte: int) -> str:
    return chr(byte) if byte < 128 and (chr(byte).isalnum() or byte in b"._-") else f"%{byte:02X}"
