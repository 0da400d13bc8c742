"""Raw bytes of a mail to one frozen ``Incoming``: headers, thread, people, and the lines of its text."""

from __future__ import annotations

import hashlib
import html as entities
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from email.errors import MissingHeaderBodySeparatorDefect
from email.message import Message
from email.parser import BytesHeaderParser, BytesParser
from email.policy import compat32
from typing import Final

from msgspec import Struct

from mail import caps
from mail.addresses import Mailbox, is_group, mailboxes
from mail.charset import Decoded, mended
from mail.charset import decode as decode_text
from mail.flowed import unflow
from mail.headers import claimed_date, decoded, message_id, parameters, raw_bytes, thread_ids
from mail.html import TooDeep, html_lines
from mail.text import LINE_LENGTH, Line, one_line, plain, split_lines, storable
from mail.transfer import Undone, size, undo, without_enclosed

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
_MAIL_START: Final = re.compile(rb"\A(?:\xef\xbb\xbf|[ \t\r\n]+|>From [^\r\n]*\r?\n)+")
_HEADER_LINE: Final = re.compile(rb"[!-9;-~]+[ \t]*:|[ \t]|From ")
_MIME_LINE: Final = re.compile(rb"^(?:content-(?:type|transfer-encoding)|mime-version)[ \t]*:", re.IGNORECASE)
_BLANK_LINE: Final = re.compile(rb"\r?\n[ \t]*\r?\n")
_PAGE: Final = re.compile(rb"\s*(?:<!doctype html|<html)", re.IGNORECASE)
_TAG: Final = re.compile(rb"<[a-z!/]", re.IGNORECASE)
_LOOSE_BOUNDARY: Final = re.compile(rb"^--([^\s\"]{1,70})[ \t]*\r?\n(?=content-)", re.IGNORECASE | re.MULTILINE)
UNSURE: Final = ("letters-damaged", "charset-doubtful", "transfer-broken", "line-cut")
"""Repairs after which nothing may be acted upon without asking."""
_LONE_HEADER_BYTES: Final = 131_072
_HEAVY: Final = 2 * caps.TEXT_LIMIT
"""Bytes of a base64 part that are kept: one larger than the longest text allowed holds no text to be read."""
_BASE64_LABEL: Final = re.compile(
    rb"^content-transfer-encoding[ \t]*:[ \t]*base64[ \t]*\r?$", re.IGNORECASE | re.MULTILINE
)
_LEFT_OUT: Final = "x-bytes-left-out"
_STAND_IN_LINES: Final = 6
_REFERENCES: Final = re.compile(r"&(?:#\d{2,6}|#[xX][0-9a-fA-F]{2,5}|nbsp|laquo|raquo|[mn]dash);")
"""How a program that takes text out of HTML, or lacks a letter, writes letters and signs that no person types so."""
_BLANK_LINES: Final = re.compile(rb"(?:\r?\n[ \t]*){2,}")
_REPORT_BYTES: Final = 65_536
_GROUPS: Final = 100
"""Bytes and groups of fields of a delivery status that are read."""
_REPORTS: Final = frozenset({"message/delivery-status", "message/global-delivery-status"})
_ENCLOSED: Final = frozenset(
    {"message/rfc822", "message/global", "text/rfc822-headers", "message/rfc822-headers", "message/global-headers"}
)
"""Media types of what a report returns (RFC 3464, RFC 6522, RFC 6533)."""
_METHOD: Final = re.compile(rb"^METHOD:([A-Za-z]{1,20})", re.IGNORECASE | re.MULTILINE)
_CALENDAR_HEAD: Final = 4_096


_TYPE: Final = re.compile(rb"[ \t\"']*([a-z]+/[a-z0-9.+_-]+)(?=[\"';, \t\r\n]|\Z)", re.IGNORECASE)


class Attached(Struct, frozen=True):
    """A file that came with the mail: its decoded name, media type and size in bytes."""

    name: str
    kind: str
    size: int


class Incoming(Struct, frozen=True):
    """A mail taken apart. Every field is present whatever the damage; ``damage`` names the limit that was broken.

    ``repairs`` are codes of what was mended on the way: ``charset-guessed``, ``charset-mislabelled``,
    ``charset-was-utf-8``, ``charset-doubtful``, ``mojibake``, ``letters-damaged``, ``transfer-mended``,
    ``transfer-guessed``, ``transfer-broken``, ``boundary-guessed``, ``headers-mended``, ``address-mended``,
    ``line-cut``, ``orders-from-attachment``, ``attachment-not-read``, ``alternative-differs``.
    ``date`` is the sender's claim (aware, UTC) and decides nothing. ``text_from`` is ``plain``, ``html``,
    ``attachment`` or empty. ``delivery_status`` holds the field groups of an RFC 3464 report and
    ``returned`` the header fields of the mail it returns; ``calendar`` is the method of a calendar part (RFC 5546).
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
    calendar: str = ""
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


class _Part(Message):
    """A part of a mail whose bytes can be had without the standard parser's own ideas of charsets.

    A mail inside a mail stays shut, and a report's fields stay text: nothing inside is ever read but headers, and the
    parser would make a message of each blank line of a delivery status; 80 kB of them take it seconds.
    """

    _payload: object
    _undone: Undone | None = None
    _kind: tuple[str, dict[str, str]] | None = None

    def get_content_type(self) -> str:
        """Give the media type to the standard parser, another one for what is to stay shut."""
        kind = super().get_content_type()
        return "application/octet-stream" if kind.startswith("message/") else kind

    def body(self) -> bytes:
        """Give the bytes of a leaf as they stand, line ends made ``LF`` by the parser; none of a multipart."""
        payload = self._payload
        return payload.encode("utf-8", "surrogateescape") if isinstance(payload, str) else b""

    def undone(self) -> Undone:
        """Give the bytes of a leaf without their transfer encoding."""
        if self._undone is None:
            self._undone = undo(self.body(), self.encoding())
        return self._undone

    def encoding(self) -> str:
        """Give the transfer encoding as labelled."""
        return self.field("content-transfer-encoding").decode("ascii", "replace")

    def kind(self) -> tuple[str, dict[str, str]]:
        """Give media type and parameters; a missing or unreadable type is ``text/plain`` (RFC 2045 5.2)."""
        if self._kind is None:
            value = self.field("content-type")
            found = _TYPE.match(value)
            kind = found[1].decode("ascii").lower() if found else self.get_default_type()
            self._kind = kind, parameters(value)
        return self._kind

    def field(self, name: str) -> bytes:
        """Give the first header of that name, given in lower case, as bytes."""
        return next((raw_bytes(value) for field, value in self.raw_items() if field.lower() == name), b"")

    def children(self) -> list[_Part]:
        """Give the parts of a multipart, or the mail enclosed."""
        payload = self._payload
        return [child for child in payload if isinstance(child, _Part)] if isinstance(payload, list) else []


class _Leaf(Struct, frozen=True):
    """A piece of text before its charset is known: its bytes and the parameters of its type."""

    undone: Undone
    given: dict[str, str]


class _Body(Struct, frozen=True):
    """One stretch of the text of a mail, in one or both of its forms."""

    plain: tuple[_Leaf, ...] = ()
    html: tuple[_Leaf, ...] = ()


class _Found:
    """What a walk over the parts has gathered so far."""

    def __init__(self) -> None:
        self.bodies: list[_Body] = []
        self.files: list[tuple[_Leaf, str]] = []
        self.attached: list[Attached] = []
        self.delivery_status: tuple[tuple[tuple[str, str], ...], ...] = ()
        self.returned: tuple[tuple[str, str], ...] = ()
        self.calendar = ""
        self.repairs: list[str] = []
        self.damage = ""


def decode(raw: bytes) -> Incoming:
    """Take a raw mail apart; never raises, whatever the bytes. Limits are checked before anything is parsed."""
    found = _Found()
    start = _MAIL_START.match(raw)
    mail = raw[start.end() :] if start else raw
    damage = caps.over(mail)
    mail = mail if damage else _lightened(mail)
    message = _head(mail) if damage else _whole(mail)
    if message is None:
        damage, message = "unparsable", _head(mail)
    if not damage:
        message = _with_all_headers(mail, message, found)
        _walk(message, found, 0)
    return _incoming(len(raw), message, found, damage)


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
    digest = hashlib.sha256(b"\n".join(kept) + blank)
    digest.update(body.rstrip(b"\n"))
    return digest.hexdigest()


def _lightened(raw: bytes) -> bytes:
    """Leave out what base64 parts hold beyond any text, so that large pictures cost neither time nor memory.

    How many bytes are missing is noted in a header of the part.
    """
    if len(raw) < 2 * _HEAVY:
        return raw
    pieces: list[bytes] = []
    at = 0
    for label in _BASE64_LABEL.finditer(raw):
        blank = _BLANK_LINE.search(raw, label.start(), label.start() + _LONE_HEADER_BYTES)
        if blank is None or label.start() < at:
            continue
        end = raw.find(b"\n--", blank.end())
        end = len(raw) if end < 0 else end + 1
        first = raw.rfind(b"\n", blank.end(), blank.end() + _HEAVY) + 1
        if end - first < _HEAVY or first == 0:
            continue
        letters = end - first - raw.count(b"\n", first, end) - raw.count(b"\r", first, end)
        note = f"\r\n{_LEFT_OUT}: {letters * 3 // 4 - raw.count(b'=', end - 8, end)}".encode()
        pieces += (raw[at : blank.start()], note, raw[blank.start() : first])
        at = end
    return b"".join((*pieces, raw[at:])) if pieces else raw


def _whole(raw: bytes) -> _Part | None:
    for candidate in (raw, None):
        try:
            parsed = BytesParser(_Part, policy=compat32).parsebytes(
                candidate if candidate is not None else _BAD_PARAMETER.sub(b"", raw)
            )
        except Exception:  # noqa: BLE001, S112 - the standard parser raises Index-, Lookup-, Recursion-, Type- and ValueError on bad mail
            continue
        return parsed if isinstance(parsed, _Part) else None
    return None


def _head(raw: bytes) -> _Part:
    blank = _BLANK_LINE.search(raw, 0, _LONE_HEADER_BYTES)
    try:
        parsed = BytesHeaderParser(_Part, policy=compat32).parsebytes(
            raw[: blank.end() if blank else _LONE_HEADER_BYTES]
        )
    except Exception:  # noqa: BLE001 - as above: a mail without headers is still a mail to be kept and shown
        return _Part()
    return parsed if isinstance(parsed, _Part) else _Part()


def _with_all_headers(raw: bytes, message: _Part, found: _Found) -> _Part:
    """Read again a mail whose headers a stray line cut in two, so that its type and encoding went into the text."""
    if not any(isinstance(defect, MissingHeaderBodySeparatorDefect) for defect in message.defects):
        return message
    blank = _BLANK_LINE.search(raw)
    lines = (raw[: blank.start()] if blank else raw[:_LONE_HEADER_BYTES]).split(b"\n")
    strays = [at for at, line in enumerate(lines) if not _HEADER_LINE.match(line)]
    if blank is None or not any(map(_MIME_LINE.match, lines[strays[0] :] if strays else ())):
        return message
    for at in strays:
        lines[at] = b" " + lines[at]
    whole = _whole(b"\n".join(lines) + raw[blank.start() :])
    if whole is None:
        return message
    found.repairs.append("headers-mended")
    return whole


def _incoming(length: int, message: _Part, found: _Found, damage: str) -> Incoming:
    headers = tuple((name.lower(), raw_bytes(value)) for name, value in message.raw_items())
    text = _Text() if damage else _choose(found)
    kind, given = message.kind()
    return Incoming(
        size=length,
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
        calendar=found.calendar,
        repairs=tuple(dict.fromkeys((*found.repairs, *text.repairs, *_unclosed(headers)))),
        damage=damage or found.damage or text.damage,
    )


def _unclosed(headers: tuple[tuple[str, bytes], ...]) -> tuple[str, ...]:
    """Name a From whose angle bracket lacks its twin: its address is read, and that it was so is told."""
    value = _first(headers, "from")
    return ("address-mended",) if value.count(b"<") != value.count(b">") else ()


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


def _walk(part: _Part, found: _Found, depth: int) -> None:
    """Sort the leaves of a mail into text, HTML, files and the pieces of a delivery report."""
    if depth > caps.DEPTH_LIMIT:
        found.damage = "too-deep"
        return
    kind, given = part.kind()
    children = part.children()
    if kind in _REPORTS or kind in _ENCLOSED:
        _take_report(part, kind, found)
    elif len(children) + len(found.attached) > caps.PART_LIMIT:
        found.damage = "too-many-parts"
    elif kind == "multipart/alternative" and children:
        _walk_alternative(children, found, depth)
    elif children:
        for child in children:
            _walk(child, found, depth + 1)
    elif _may_be_multipart(part, kind) and (mended_part := _with_boundary(part)) is not None:
        found.repairs.append("boundary-guessed")
        _walk(mended_part, found, depth + 1)
    else:
        _take_leaf(part, "text/plain" if kind.startswith("multipart/") else kind, given, found)


def _walk_alternative(children: list[_Part], found: _Found, depth: int) -> None:
    """Make one stretch of text of the forms it is given in; of several plain ones the first that says something."""
    before = len(found.bodies)
    spoken: tuple[_Leaf, ...] = ()
    pages: tuple[_Leaf, ...] = ()
    for child in children:
        _walk(child, found, depth + 1)
        here = found.bodies[before:]
        del found.bodies[before:]
        if not any(leaf.undone.data.strip() for leaf in spoken):
            spoken += tuple(leaf for body in here for leaf in body.plain)
        pages += tuple(leaf for body in here for leaf in body.html)
    found.bodies.append(_Body(spoken, pages))


def _may_be_multipart(part: _Part, kind: str) -> bool:
    """Say whether a leaf may hold parts that were not seen: its type says so, or it has none that can be read."""
    return kind.startswith("multipart/") or (kind == "text/plain" and not _TYPE.match(part.field("content-type")))


def _with_boundary(part: _Part) -> _Part | None:
    """Read a multipart whose header names no boundary, or a wrong one, by the first line that looks like one."""
    payload = part.body()
    first = _LOOSE_BOUNDARY.search(payload)
    if first is None:
        return None
    raw = b'Content-Type: multipart/mixed; boundary="' + first[1] + b'"\r\n\r\n' + payload
    whole = None if caps.over(raw) else _whole(raw)
    return whole if whole is not None and whole.children() else None


def _take_leaf(part: _Part, kind: str, given: dict[str, str], found: _Found) -> None:
    disposition = part.field("content-disposition")
    name = parameters(disposition).get("filename") or given.get("name", "")
    attachment = disposition.partition(b";")[0].strip().lower() == b"attachment"
    if kind in ("text/plain", "text/html") and not attachment and not name:
        _take_text(_Leaf(part.undone(), given), kind, found)
        return
    missing = part.field(_LEFT_OUT)
    weight = size(part.body(), part.encoding()) + (int(missing) if missing.isdigit() and len(missing) < 10 else 0)
    found.attached.append(Attached(name, kind, weight))
    if kind == "text/calendar" and not found.calendar:
        method = _METHOD.search(part.undone().data[:_CALENDAR_HEAD])
        found.calendar = (given.get("method") or (method[1].decode("ascii") if method else "")).lower()
    if _may_hold_orders(kind, name):
        found.files.append((_Leaf(part.undone(), given), name))


def _may_hold_orders(kind: str, name: str) -> bool:
    if kind in ("text/plain", "text/markdown", "text/x-markdown"):
        return True
    return kind in ("application/octet-stream", "application/text", "text/x-unknown") and bool(_TEXT_NAME.search(name))


def _take_text(leaf: _Leaf, kind: str, found: _Found) -> None:
    """Take a piece of text for what it is, whatever its label: a page sent as plain text, plain text sent as a page."""
    data = leaf.undone.data
    if kind == "text/plain" and not _PAGE.match(data):
        text, enclosed = without_enclosed(data)
        for file in enclosed:
            name = decoded(file.name)
            found.attached.append(Attached(name, "application/octet-stream", len(file.undone.data)))
            if _TEXT_NAME.search(name):
                found.files.append((_Leaf(file.undone, {}), name))
        found.bodies.append(_Body(plain=(_Leaf(Undone(text, leaf.undone.repairs), leaf.given),)))
    elif kind == "text/html" and not _TAG.search(data) and b"\x00" not in data:
        found.bodies.append(_Body(plain=(leaf,)))
    else:
        found.bodies.append(_Body(html=(leaf,)))


def _take_report(part: _Part, kind: str, found: _Found) -> None:
    """Keep the field groups of a delivery status, or the headers of an enclosed mail (never its text)."""
    data = part.undone().data
    if kind in _REPORTS:
        found.delivery_status += tuple(_field_groups(data))
        return
    if not found.returned:
        found.returned = tuple((name.lower(), _shown(value)) for name, value in _head(data.lstrip()).raw_items())
    found.attached.append(Attached("", kind, 0))


def _field_groups(data: bytes) -> Iterator[tuple[tuple[str, str], ...]]:
    """Yield the groups of fields of a delivery status (RFC 3464 2.1), as far as reports go."""
    for block in _BLANK_LINES.split(data[:_REPORT_BYTES].strip(), _GROUPS):
        group = tuple((name, _shown(value)) for name, value in _head(block + b"\r\n\r\n").raw_items())
        if group:
            yield group


def _shown(value: object) -> str:
    return decoded(raw_bytes(value))


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
    try:
        return _chosen(found)
    except TooDeep:
        return _Text(damage="too-deep")


def _chosen(found: _Found) -> _Text:
    if sum(len(leaf.undone.data) for body in found.bodies for leaf in body.plain) > caps.TEXT_LIMIT:
        return _Text(damage="text-too-large")
    if sum(leaf.undone.data.count(b"\n") for body in found.bodies for leaf in body.plain) > caps.TEXT_LINES_LIMIT:
        return _Text(damage="too-many-lines")
    pages = [_read_leaves(body.html) for body in found.bodies]
    spoken = [_read_leaves(body.plain, flowed=True) for body in found.bodies]
    spoken = [_Read() if _stands_in(read, page) else read for read, page in zip(spoken, pages, strict=True)]
    said = [line for read in spoken if read.speaks() for line in read.strings]
    if sum(len(leaf.undone.data) for body in found.bodies for leaf in body.html) > caps.TEXT_LIMIT:
        if not said:
            return _Text(damage="text-too-large")
        pages = [_Read()] * len(pages)
    chosen = _Chosen()
    for read, shown in zip(spoken, pages, strict=True):
        page = "\n".join(shown.strings)
        if read.speaks():
            chosen.take("plain", [(line, "") for line in read.strings], read)
            chosen.repairs += ["alternative-differs"] if page and _differs(read.strings, page) else []
        elif page and (not said or _differs(said, page)):
            chosen.take("html", html_lines(page), shown)
    left = ["attachment-not-read"] if any(_ORDERS_NAME.search(name) for _, name in found.files) else []
    if not any(line and not line.isspace() for line, _ in chosen.rows):
        return _from_file(found)
    return chosen.text("\n".join(line for shown in pages for line in shown.strings), left)


class _Chosen:
    """The rows of text taken so far, each with its mark, and where they came from."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, str]] = []
        self.repairs: list[str] = []
        self._source = ""
        self._charset = ""

    def take(self, source: str, rows: list[tuple[str, str]], read: _Read) -> None:
        """Add a stretch of text."""
        self.rows += rows
        self.repairs += read.repairs
        self._source = self._source or source
        self._charset = self._charset or read.charset

    def text(self, page: str, more: list[str]) -> _Text:
        """Give it all as lines that are numbered and cut to length."""
        if len(self.rows) > caps.TEXT_LINES_LIMIT:
            return _Text(damage="too-many-lines")
        cut = ["line-cut"] if any(len(line) > LINE_LENGTH for line, _ in self.rows) else []
        lines = tuple(Line(number, line[:LINE_LENGTH], mark) for number, (line, mark) in enumerate(self.rows, 1))
        return _Text(lines, self._source, page, self._charset, (*self.repairs, *cut, *more))


def _from_file(found: _Found) -> _Text:
    files = [leaf for leaf, name in found.files if _ORDERS_NAME.search(name) or len(found.files) == 1]
    if len(files) != 1:
        return _Text(repairs=("attachment-not-read",) if files else ())
    if len(files[0].undone.data) > caps.TEXT_LIMIT:
        return _Text(damage="text-too-large")
    read = _read_leaves(files, flowed=True)
    chosen = _Chosen()
    chosen.take("attachment", [(line, "") for line in read.strings], read)
    return chosen.text("", ["orders-from-attachment"])


class _Read(Struct, frozen=True):
    """Decoded leaves of one kind, joined."""

    strings: tuple[str, ...] = ()
    charset: str = ""
    repairs: tuple[str, ...] = ()

    def speaks(self) -> bool:
        """Say whether any line holds something to be seen."""
        return any(line and plain(line[:LINE_LENGTH]) for line in self.strings)


def _read_leaves(leaves: Iterable[_Leaf], *, flowed: bool = False) -> _Read:
    strings: list[str] = []
    repairs: list[str] = []
    charset = ""
    for leaf in leaves:
        read = decode_text(leaf.undone.data, leaf.given.get("charset", ""))
        fixed = mended(storable(read.text))
        if flowed and _REFERENCES.search(fixed.text):
            fixed = Decoded(storable(entities.unescape(fixed.text)), "", (*fixed.repairs, "mojibake"))
        charset = charset or read.charset
        repairs += (*leaf.undone.repairs, *read.repairs, *fixed.repairs)
        lines = split_lines(fixed.text.removeprefix("\ufeff"))
        if flowed and leaf.given.get("format", "").lower() == "flowed":
            lines = unflow(lines, delsp=leaf.given.get("delsp", "").lower() == "yes")
        strings += lines
    return _Read(tuple(strings), charset, tuple(repairs))


def _stands_in(spoken: _Read, shown: _Read) -> bool:
    """Say whether a text only says that the mail is written in HTML, and in words that its page does not have."""
    if not shown.strings or not 0 < len(spoken.strings) <= _STAND_IN_LINES:
        return False
    page = "\n".join(shown.strings)
    words = _WORDS.findall("\n".join(spoken.strings)[:LINE_LENGTH].lower())
    if len(page) > caps.TEXT_LIMIT or not any(word in ("html", "mime") for word in words):
        return False
    there = frozenset(_WORDS.findall(entities.unescape(page).lower()))
    return any(word not in there for word in words)


def _differs(spoken: Sequence[str], page: str) -> bool:
    """Say whether the plain and the HTML form of one mail look like different texts (a cheap look at their words)."""
    here = list(dict.fromkeys(_WORDS.findall("\n".join(spoken[:200]).lower())))[:60]
    if len(here) > 8:
        there = frozenset(_WORDS.findall(entities.unescape(page).lower()))
        return 2 * sum(word in there for word in here) < len(here)
    shown = _WORDS.findall("\n".join(line for line, mark in html_lines(page) if not mark).lower())
    fresh = sum(word not in here for word in dict.fromkeys(shown))
    return fresh > 6 and fresh > 2 * len(here)
