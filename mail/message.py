"""Raw bytes of a mail to one frozen ``Incoming``: headers, thread, people, and the lines of its text."""

from __future__ import annotations

import hashlib
import html as entities
import re
from collections.abc import Iterator
from datetime import datetime
from email.message import Message
from email.parser import BytesHeaderParser, BytesParser
from email.policy import compat32
from typing import Any, Final

from msgspec import Struct

from mail import caps
from mail.addresses import Mailbox, is_group, mailboxes
from mail.charset import decode as decode_text
from mail.charset import mended
from mail.flowed import unflow
from mail.headers import claimed_date, decoded, message_id, parameters, raw_bytes, thread_ids
from mail.html import html_lines
from mail.text import LINE_LENGTH, Line, one_line, split_lines, storable

_RECIPIENTS: Final = ("delivered-to", "x-original-to", "envelope-to", "x-delivered-to", "x-envelope-to")
_ORDERS_NAME: Final = re.compile(r"приказ|ход|команд|orders?|moves?|turn", re.IGNORECASE)
_TEXT_NAME: Final = re.compile(r"\.(?:txt|text|md|ord)$", re.IGNORECASE)
_WORDS: Final = re.compile(r"\w{3,}")
_TRACE: Final = re.compile(
    rb"(?:received|x-received|return-path|delivered-to|x-original-to|envelope-to|x-delivered-to|authentication-results|"
    rb"received-spf|arc-[a-z-]+|x-spam[a-z-]*|x-yandex[a-z-]*|x-mailru[a-z-]*|x-folder|x-gm-[a-z-]+|x-google[a-z-]*|"
    rb"status|x-status|x-uid|x-keywords|x-mozilla[a-z-]*)[ \t]*:",
    re.IGNORECASE,
)
_BAD_PARAMETER: Final = re.compile(rb";[ \t]*[A-Za-z-]+\*[0-9]*\*?[ \t]*(?=[;\r\n])")
_LOOSE_BOUNDARY: Final = re.compile(rb"^--([^\s\"]{1,70})[ \t]*\r?\n(?=content-)", re.IGNORECASE | re.MULTILINE)
UNSURE: Final = ("letters-damaged", "charset-doubtful", "transfer-broken", "line-cut")
"""Repairs after which nothing may be acted upon without asking."""
_LONE_HEADER_BYTES: Final = 131_072


class Attached(Struct, frozen=True):
    """A file that came with the mail: its decoded name, media type and size in bytes."""

    name: str
    kind: str
    size: int


class Incoming(Struct, frozen=True):
    """A mail taken apart. Every field is present whatever the damage; ``damage`` names the limit that was broken.

    ``repairs`` are codes of what was mended on the way: ``charset-guessed``, ``charset-mislabelled``,
    ``charset-was-utf-8``, ``mojibake``, ``letters-damaged``, ``transfer-damaged``, ``boundary-guessed``,
    ``line-cut``, ``orders-from-attachment``, ``attachment-not-read``, ``alternative-differs``.
    ``date`` is the sender's claim (aware, UTC) and decides nothing. ``text_from`` is ``plain``, ``html``,
    ``attachment`` or empty. ``delivery_status`` holds the field groups of an RFC 3464 report and
    ``returned`` the header fields of the mail it returns.
    """

    size: int
    headers: tuple[tuple[str, bytes], ...]
    subject: str = ""
    sender: tuple[Mailbox, ...] = ()
    to: tuple[str, ...] = ()
    cc: tuple[str, ...] = ()
    delivered_to: tuple[str, ...] = ()
    message_id: str = ""
    in_reply_to: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    date: datetime | None = None
    kind: str = "text/plain"
    report_type: str = ""
    lines: tuple[Line, ...] = ()
    text_from: str = ""
    html: str = ""
    charset: str = ""
    attached: tuple[Attached, ...] = ()
    delivery_status: tuple[tuple[tuple[str, str], ...], ...] = ()
    returned: tuple[tuple[str, str], ...] = ()
    repairs: tuple[str, ...] = ()
    damage: str = ""

    def header(self, name: str) -> str:
        """Give the decoded value of the first header of that name, empty if there is none."""
        return next(iter(self.all(name)), "")

    def all(self, name: str) -> tuple[str, ...]:
        """Give the decoded values of every header of that name, topmost first."""
        low = name.lower()
        return tuple(decoded(value) for field, value in self.headers if field == low)

    def has(self, name: str) -> bool:
        """Say whether a header of that name is there at all."""
        low = name.lower()
        return any(field == low for field, _ in self.headers)

    @property
    def from_address(self) -> str:
        """The one From address, or empty unless exactly one From header names exactly one mailbox (RFC 5322 3.6.2)."""
        fields = [value for field, value in self.headers if field == "from"]
        if len(fields) != 1 or len(self.sender) != 1:
            return ""
        grouped = b":" in fields[0] and b";" in fields[0] and is_group(fields[0].decode("ascii", "surrogateescape"))
        return "" if grouped else self.sender[0].address

    @property
    def silent_execution_forbidden(self) -> bool:
        """Whether letters were lost or cut on the way, so that nothing may be acted upon without asking."""
        return any(code in UNSURE for code in self.repairs)


class _Found:
    """What a walk over the parts has gathered so far."""

    def __init__(self) -> None:
        self.plain: list[Message] = []
        self.html: list[Message] = []
        self.files: list[tuple[Message, str]] = []
        self.attached: list[Attached] = []
        self.delivery_status: tuple[tuple[tuple[str, str], ...], ...] = ()
        self.returned: tuple[tuple[str, str], ...] = ()
        self.repairs: list[str] = []
        self.damage = ""


def decode(raw: bytes) -> Incoming:
    """Take a raw mail apart; never raises, whatever the bytes. Limits are checked before anything is parsed."""
    damage = caps.over(raw)
    message = _head(raw) if damage else _whole(raw)
    if message is None:
        damage, message = "unparsable", _head(raw)
    found = _Found()
    if not damage:
        _walk(message, found, 0)
    return _incoming(raw, message, found, damage)


def content_hash(raw: bytes) -> str:
    """Give the SHA-256 of a mail without its trace headers: equal for the same letter found in two places."""
    head, blank, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    kept: list[bytes] = []
    skipping = False
    for line in head.split(b"\n"):
        if line[:1] not in (b" ", b"\t"):
            skipping = _TRACE.match(line) is not None
        if not skipping:
            kept.append(line)
    return hashlib.sha256(b"\n".join(kept) + blank + body.rstrip(b"\n")).hexdigest()


def _whole(raw: bytes) -> Message | None:
    for candidate in (raw, None):
        try:
            return BytesParser(policy=compat32).parsebytes(
                candidate if candidate is not None else _BAD_PARAMETER.sub(b"", raw)
            )
        except Exception:  # noqa: BLE001, S112 - the standard parser raises Index-, Lookup-, Recursion-, Type- and ValueError on bad mail
            continue
    return None


def _head(raw: bytes) -> Message:
    try:
        return BytesHeaderParser(policy=compat32).parsebytes(raw[:_LONE_HEADER_BYTES])
    except Exception:  # noqa: BLE001 - as above: a mail without headers is still a mail to be kept and shown
        return Message()


def _incoming(raw: bytes, message: Message, found: _Found, damage: str) -> Incoming:
    headers = tuple((name.lower(), raw_bytes(value)) for name, value in message.raw_items())
    text = _Text() if damage else _choose(found)
    kind, given = _content_type(message)
    return Incoming(
        size=len(raw),
        headers=headers,
        subject=one_line(decoded(_first(headers, "subject"))),
        sender=_people(headers, "from"),
        to=_addresses(headers, ("to",)),
        cc=_addresses(headers, ("cc",)),
        delivered_to=_addresses(headers, _RECIPIENTS),
        message_id=message_id(_ascii(_first(headers, "message-id"))),
        in_reply_to=thread_ids(_ascii(_first(headers, "in-reply-to"))),
        references=thread_ids(_ascii(_first(headers, "references"))),
        date=claimed_date(_ascii(_first(headers, "date"))),
        kind=kind,
        report_type=given.get("report-type", "").lower(),
        lines=text.lines,
        text_from=text.source,
        html=text.html,
        charset=text.charset,
        attached=tuple(found.attached),
        delivery_status=found.delivery_status,
        returned=found.returned,
        repairs=tuple(dict.fromkeys((*found.repairs, *text.repairs))),
        damage=damage or found.damage or text.damage,
    )


def _first(headers: tuple[tuple[str, bytes], ...], name: str) -> bytes:
    return next((value for field, value in headers if field == name), b"")


def _ascii(value: bytes) -> str:
    return storable(value.decode("utf-8", "replace"))


def _people(headers: tuple[tuple[str, bytes], ...], name: str) -> tuple[Mailbox, ...]:
    """Read mailboxes from the raw value first and decode names after: an encoded name must not become an address."""
    found: list[Mailbox] = []
    for field, value in headers:
        if field == name:
            found += (
                Mailbox(decoded(box.name.encode("utf-8", "surrogateescape")), storable(_text_of(box.address)))
                for box in mailboxes(value.decode("ascii", "surrogateescape"))
            )
    return tuple(found)


def _text_of(address: str) -> str:
    return decode_text(address.encode("utf-8", "surrogateescape")).text


def _addresses(headers: tuple[tuple[str, bytes], ...], names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(box.address for name in names for box in _people(headers, name)))


def _content_type(part: Message) -> tuple[str, dict[str, str]]:
    """Give media type and parameters of a part; a missing or unreadable type is ``text/plain`` (RFC 2045 5.2)."""
    value = next((raw_bytes(value) for name, value in part.raw_items() if name.lower() == "content-type"), b"")
    kind = value.partition(b";")[0].decode("ascii", "replace").strip().strip("\"'").lower()
    if not re.fullmatch(r"[a-z]+/[a-z0-9.+_-]+", kind):
        kind = part.get_default_type()
    return kind, parameters(value)


def _disposition(part: Message) -> tuple[str, dict[str, str]]:
    value = next((raw_bytes(value) for name, value in part.raw_items() if name.lower() == "content-disposition"), b"")
    return value.partition(b";")[0].decode("ascii", "replace").strip().lower(), parameters(value)


def _walk(part: Message, found: _Found, depth: int) -> None:
    """Sort the leaves of a mail into text, HTML, files and the pieces of a delivery report."""
    if depth > caps.DEPTH_LIMIT:
        found.damage = "too-deep"
        return
    kind, given = _content_type(part)
    if kind in (
        "message/delivery-status",
        "message/rfc822",
        "message/global",
        "text/rfc822-headers",
        "message/rfc822-headers",
    ):
        _take_report(part, kind, found)
    elif part.is_multipart():
        _walk_parts(part, kind, found, depth)
    elif kind.startswith("multipart/") and (mended_part := _with_boundary(part)) is not None:
        found.repairs.append("boundary-guessed")
        _walk(mended_part, found, depth + 1)
    else:
        _take_leaf(part, kind, given, found)


def _walk_parts(part: Message, kind: str, found: _Found, depth: int) -> None:
    children = list(_children(part))
    if len(children) + len(found.attached) > caps.PART_LIMIT:
        found.damage = "too-many-parts"
        return
    if kind != "multipart/alternative":
        for child in children:
            _walk(child, found, depth + 1)
        return
    before = len(found.plain)
    for child in children:
        # Of several plain alternatives the first that says something is the text; the others say the same.
        spoken = any(_payload(leaf, []).strip() for leaf in found.plain[before:])
        keep = len(found.plain)
        _walk(child, found, depth + 1)
        if spoken:
            del found.plain[keep:]


def _with_boundary(part: Message) -> Message | None:
    """Read a multipart whose header names no boundary, or a wrong one, by the first line that looks like one."""
    payload = _payload(part, [])
    first = _LOOSE_BOUNDARY.search(payload)
    if first is None:
        return None
    raw = b'Content-Type: multipart/mixed; boundary="' + first[1] + b'"\r\n\r\n' + payload
    whole = None if caps.over(raw) else _whole(raw)
    return whole if whole is not None and whole.is_multipart() else None


def _children(part: Message) -> Iterator[Message]:
    payload: Any = part.get_payload()
    for child in payload if isinstance(payload, list) else ():
        if isinstance(child, Message):
            yield child


def _take_leaf(part: Message, kind: str, given: dict[str, str], found: _Found) -> None:
    disposition, named = _disposition(part)
    name = named.get("filename") or given.get("name", "")
    if kind in ("text/plain", "text/html") and disposition != "attachment" and not name:
        (found.plain if kind == "text/plain" else found.html).append(part)
        return
    found.attached.append(Attached(name, kind, len(_payload(part, found.repairs))))
    if kind == "text/plain" or (kind in ("application/octet-stream", "text/markdown") and _TEXT_NAME.search(name)):
        found.files.append((part, name))


def _take_report(part: Message, kind: str, found: _Found) -> None:
    """Keep the field groups of a delivery status, or the headers of an enclosed mail (never its text)."""
    if kind == "message/delivery-status":
        groups = (tuple((name, _shown(value)) for name, value in child.raw_items()) for child in _children(part))
        found.delivery_status = tuple(group for group in groups if group)
        return
    enclosed = next(_children(part), None)
    if enclosed is None and kind != "message/rfc822":
        enclosed = _head(_payload(part, found.repairs))
    if enclosed is not None and not found.returned:
        found.returned = tuple((name.lower(), _shown(value)) for name, value in enclosed.raw_items())
    found.attached.append(Attached("", kind, 0))


def _shown(value: object) -> str:
    return decoded(raw_bytes(value))


def _payload(part: Message, repairs: list[str]) -> bytes:
    """Undo the transfer encoding of a leaf as far as it goes."""
    try:
        data: Any = part.get_payload(decode=True)
    except Exception:  # noqa: BLE001 - base64, quopri and uu raise many kinds on damage; the raw text is better than nothing
        data = None
        repairs.append("transfer-damaged")
    if any(type(defect).__name__.startswith("InvalidBase64") for defect in part.defects):
        repairs.append("transfer-damaged")
    return data if isinstance(data, bytes) else b""


class _Text(Struct, frozen=True):
    """The text chosen for reading, and how it came to be."""

    lines: tuple[Line, ...] = ()
    source: str = ""
    html: str = ""
    charset: str = ""
    repairs: tuple[str, ...] = ()
    damage: str = ""


def _choose(found: _Found) -> _Text:
    """Choose plain text that says something, else HTML, else one text file named like orders (mail-facts 1)."""
    html = _read_leaves(found.html)
    plain = _read_leaves(found.plain, flowed=True)
    if plain.damage or (html.damage and not plain.strings):
        return _Text(damage=plain.damage or html.damage)
    page = "\n".join(html.strings)
    left = ("attachment-not-read",) if any(_ORDERS_NAME.search(name) for _, name in found.files) else ()
    if any(not line.isspace() and line for line in plain.strings):
        differs = ("alternative-differs",) if page and _differs(plain.strings, page) else ()
        lines, cut = _lines(plain.strings)
        return _checked(_Text(lines, "plain", page, plain.charset, (*plain.repairs, *cut, *differs, *left)))
    if page:
        rows = html_lines(page)
        marks = tuple(Line(number, line[:LINE_LENGTH], mark) for number, (line, mark) in enumerate(rows, 1))
        if any(line.raw.strip() for line in marks):
            cut = ("line-cut",) if any(len(line) > LINE_LENGTH for line, _ in rows) else ()
            return _checked(_Text(marks, "html", page, html.charset, (*html.repairs, *cut, *left)))
    return _from_file(found)


def _from_file(found: _Found) -> _Text:
    files = [part for part, name in found.files if _ORDERS_NAME.search(name) or len(found.files) == 1]
    if len(files) != 1:
        return _Text(repairs=("attachment-not-read",) if files else ())
    read = _read_leaves(files, flowed=True)
    lines, cut = _lines(read.strings)
    return _checked(
        _Text(lines, "attachment", "", read.charset, (*read.repairs, *cut, "orders-from-attachment"), read.damage)
    )


class _Read(Struct, frozen=True):
    """Decoded leaves of one kind, joined."""

    strings: tuple[str, ...] = ()
    charset: str = ""
    repairs: tuple[str, ...] = ()
    damage: str = ""


def _read_leaves(parts: list[Message], *, flowed: bool = False) -> _Read:
    strings: list[str] = []
    repairs: list[str] = []
    charset = ""
    total = 0
    for part in parts:
        data = _payload(part, repairs)
        total += len(data)
        if total > caps.TEXT_LIMIT:
            return _Read(damage="text-too-large")
        _, given = _content_type(part)
        read = decode_text(data, given.get("charset", ""))
        fixed = mended(storable(read.text))
        charset = charset or read.charset
        repairs += (*read.repairs, *fixed.repairs)
        lines = split_lines(fixed.text.removeprefix("\ufeff"))
        if flowed and given.get("format", "").lower() == "flowed":
            lines = unflow(lines, delsp=given.get("delsp", "").lower() == "yes")
        strings += lines
    return _Read(tuple(strings), charset, tuple(repairs))


def _lines(strings: tuple[str, ...]) -> tuple[tuple[Line, ...], tuple[str, ...]]:
    cut = ("line-cut",) if any(len(line) > LINE_LENGTH for line in strings) else ()
    return tuple(Line(number, line[:LINE_LENGTH]) for number, line in enumerate(strings, 1)), cut


def _checked(text: _Text) -> _Text:
    return _Text(damage="too-many-lines") if len(text.lines) > caps.TEXT_LINES_LIMIT else text


def _differs(plain: tuple[str, ...], page: str) -> bool:
    """Say whether the plain and the HTML form of one mail look like different texts (a cheap look at their words)."""
    here = list(dict.fromkeys(_WORDS.findall("\n".join(plain[:200]).lower())))[:60]
    if len(here) > 8:
        there = frozenset(_WORDS.findall(entities.unescape(page).lower()))
        return 2 * sum(word in there for word in here) < len(here)
    shown = _WORDS.findall("\n".join(line for line, mark in html_lines(page) if not mark).lower())
    fresh = sum(word not in here for word in dict.fromkeys(shown))
    return fresh > 6 and fresh > 2 * len(here)
