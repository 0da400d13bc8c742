"""Where the lines and pins of a log are found: log files, mails that carry them, mailbox files, pasted reports."""

from __future__ import annotations

import email
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from email.message import Message
from typing import Final

from adjudicator.fairplay.log import Event, Line, NotCanonical, Pin, read_line, read_pins

LARGEST_SOURCE: Final = 256 << 20
LARGEST_MAIL: Final = 64 << 20
LARGEST_TEXT: Final = 4 << 20
"""Bytes; of a longer text only the beginning and the end are searched for pins."""
DEEPEST_MAIL: Final = 20

_MBOX: Final = re.compile(rb"^From [^\n]*\n", re.MULTILINE)
_QUOTED_FROM: Final = re.compile(rb"^>(>*From )", re.MULTILINE)
_HEADER: Final = re.compile(rb"[!-9;-~]+:[^\n]*\n")
_MARK: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a line stands: the name of a file or mail part, and the number of the line in it, from 1."""

    source: str
    line: int


@dataclass(frozen=True, slots=True)
class Found:
    """A line of a log file, or why it is none (a key of `NotCanonical`)."""

    place: Place
    line: Line | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """One log file or part of one, or the pins found in a text; ``campaign`` is whose it is, where that is known."""

    name: str
    lines: tuple[Found, ...] = ()
    pins: tuple[tuple[Place, Pin], ...] = ()
    campaign: str | None = None


def read_source(name: str, data: bytes) -> tuple[Source, ...]:
    """Return what a file holds, told apart by its beginning: a log, a mailbox, a mail, or a text with pins.

    Raises ValueError above `LARGEST_SOURCE`.
    """
    if len(data) > LARGEST_SOURCE:
        raise ValueError(f"{name}: {len(data)} bytes are too many")
    beginning = data.removeprefix(_MARK).lstrip()[:1]
    if beginning == b"{" or not beginning:
        return (_log(name, data),)
    if data.startswith(b"From "):
        return tuple(source for number, raw in enumerate(_mails(data), 1) for source in _mail(f"{name}#{number}", raw))
    mail = tuple(_mail(name, data)) if _HEADER.match(data) else ()
    return mail if any(source.lines or source.pins for source in mail) else (_text(name, data),)


def _log(name: str, data: bytes) -> Source:
    # Line ends and empty lines are the work of mail clients and editors, and say nothing.
    texts = data.removeprefix(_MARK).replace(b"\r\n", b"\n").split(b"\n")
    return Source(name, tuple(_found(Place(name, number), text) for number, text in enumerate(texts, 1) if text))


def _found(place: Place, text: bytes) -> Found:
    try:
        return Found(place, read_line(text.decode()))
    except UnicodeDecodeError:
        return Found(place, None, "not-utf-8")
    except NotCanonical as refused:
        return Found(place, None, str(refused))


def _text(name: str, data: bytes) -> Source:
    if len(data) > LARGEST_TEXT:
        data = data[: LARGEST_TEXT // 2] + b"\n" + data[-LARGEST_TEXT // 2 :]
    return Source(name, pins=tuple((Place(name, 0), pin) for pin in read_pins(data.decode("utf-8", "replace"))))


def _mails(data: bytes) -> Iterator[bytes]:
    separators = list(_MBOX.finditer(data))
    ends = [*(separator.start() for separator in separators[1:]), len(data)]
    for separator, end in zip(separators, ends, strict=True):
        yield _QUOTED_FROM.sub(rb"\1", data[separator.end() : end])


def _mail(name: str, raw: bytes) -> Iterator[Source]:
    if len(raw) > LARGEST_MAIL:
        return
    # The parser of the standard library raises what it likes on broken mail, and one bad mail must not hide the others.
    try:
        parts = [(part.get_filename() or "", part.get_content_type(), _bytes(part)) for part in _leaves(raw)]
    except Exception:  # noqa: BLE001
        return
    texts = [_text(f"{name}/{number}", data) for number, (_, kind, data) in enumerate(parts, 1) if kind == "text/plain"]
    logs = [_log(f"{name}/{filename}", data) for filename, _, data in parts if filename.endswith(".jsonl")]
    named = {(pin.seq, pin.head): pin.campaign for text in texts for _, pin in text.pins}
    yield from texts
    for log in logs:
        pinned = [(found.line.seq, found.line.head) for found in log.lines if isinstance(found.line, Pin)]
        yield replace(log, campaign=named.get(pinned[-1]) if pinned else None)


def _leaves(raw: bytes) -> Iterator[Message]:
    waiting = [(email.message_from_bytes(raw), 0)]
    while waiting:
        part, depth = waiting.pop(0)
        if part.is_multipart() and depth < DEEPEST_MAIL:
            waiting += [(inner, depth + 1) for inner in part.get_payload() if isinstance(inner, Message)]
        elif not part.is_multipart():
            yield part


def _bytes(part: Message) -> bytes:
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def by_campaign(sources: Iterable[Source]) -> dict[str, tuple[Source, ...]]:
    """Return the sources of each campaign, by its name; a mailbox may hold the mails of several games.

    Pins go to the campaign they name. A log that nothing names goes to the only campaign there is, else to ``""``.
    """
    known = [(source, _founded(source) or source.campaign) for source in sources]
    names = sorted(
        {name for _, name in known if name} | {pin.campaign or "" for source, _ in known for _, pin in source.pins}
    )
    only = names[0] if len(names) == 1 else ""
    sorted_out: dict[str, list[Source]] = {name: [] for name in names}
    for source, name in known:
        if source.lines:
            sorted_out.setdefault(name or only, []).append(source)
        for pinned in dict.fromkeys(pin.campaign or "" for _, pin in source.pins):
            pins = tuple((place, pin) for place, pin in source.pins if pin.campaign == pinned)
            sorted_out[pinned].append(Source(source.name, pins=pins, campaign=pinned))
    return {name: tuple(its) for name, its in sorted_out.items()}


def _founded(source: Source) -> str | None:
    for found in source.lines:
        if isinstance(found.line, Event) and found.line.object.get("type") == "genesis":
            campaign = found.line.object.get("campaign")
            return campaign if isinstance(campaign, str) else None
    return None
