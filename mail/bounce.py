"""What a delivery failure says: which letter of ours, which recipient, for good or for now."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from email.parser import BytesParser
from email.policy import compat32
from typing import Final, Literal

from flufl.bounce import all_failures
from msgspec import Struct
from msgspec.structs import replace

from mail.addresses import mailboxes
from mail.headers import message_id
from mail.message import Incoming
from mail.robots import robots
from mail.text import folded

_STATUS: Final = re.compile(r"(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])")
_CODE: Final = re.compile(r"(?<![\d.])([45]\d\d)(?=[ -])")
_ID: Final = re.compile(r"\bmessage-id\s?:\s*(<[^<>\s]{1,998}>|$)", re.IGNORECASE)
_FOLDED_ID: Final = re.compile(r"\W{0,8}(<[^<>\s]{1,998}>)\s*$")
_MARK: Final = re.compile(r"\bx-game-outbox-id\s?:\s*([A-Za-z0-9._-]{1,200})", re.IGNORECASE)
_LINES: Final = 400
_QUOTED_LINES: Final = 5_000
"""Lines of a report in which the letter it returns is looked for; its headers stand below the explanation."""
_MENTIONED: Final = 16
_FLUFL_LIMIT: Final = 131_072
_REPORT: Final = re.compile(rb"message/(?:global-)?delivery-status", re.IGNORECASE)

# Its detectors throw on odd mail and write the whole trace down before they do; what we make of it is said here.
logging.getLogger("flufl.bounce").disabled = True


class Bounce(Struct, frozen=True):
    """One failed or delayed recipient.

    ``original`` is the Message-ID of the letter as the report quotes it (empty if it quotes none: such a report
    proves nothing), ``mentioned`` all ids it names, the most telling first, of which ``original`` is the first;
    ``outbox_id`` our own mark in the returned headers, ``status`` an RFC 3463 code or empty, ``source`` what told us:
    ``fields`` (RFC 3464), ``header``, ``words`` or ``detector``.
    """

    recipient: str
    action: Literal["failed", "delayed", "other"]
    status: str
    original: str
    outbox_id: str
    diagnostic: str
    source: Literal["fields", "header", "words", "detector"]
    mentioned: tuple[str, ...] = ()

    @property
    def permanent(self) -> bool:
        """Whether the failure is for good; a status of class 4 was read as ``delayed`` whatever it called itself."""
        return self.action == "failed"


def read_bounces(incoming: Incoming, raw: bytes = b"") -> tuple[Bounce, ...]:
    """Read the failures a mail reports: RFC 3464 fields first, then headers and words, then general detectors.

    ``raw`` is only needed for the last. An empty answer means that nothing could be read out of it.
    """
    mentioned = tuple(dict.fromkeys(filter(None, _mentioned(incoming))))[:_MENTIONED]
    original, mark = next(iter(mentioned), ""), _mark(incoming)
    found = (
        _from_fields(incoming, original, mark)
        or _from_words(incoming, original, mark)
        or _from_detectors(incoming, raw, original, mark)
    )
    return tuple(replace(one, mentioned=mentioned) for one in found)


def _mentioned(incoming: Incoming) -> Iterator[str]:
    """Yield the ids of what may be the returned letter: returned headers, the report's own fields, text, thread."""
    yield from (message_id(value) for name, value in incoming.returned if name == "message-id")
    for group in incoming.delivery_status:
        for name, value in group:
            if name.lower() in ("x-original-message-id", "original-message-id"):
                yield message_id(value)
    yield from _in_text(incoming)
    yield from (*incoming.in_reply_to, *reversed(incoming.references))


def _in_text(incoming: Incoming) -> Iterator[str]:
    """Yield the ids that header lines in the text name; one that is folded stands alone on the next line."""
    folded_line = False
    for line in incoming.lines[:_QUOTED_LINES]:
        if folded_line and (alone := _FOLDED_ID.match(line.raw[:1_200])):
            yield alone[1]
        folded_line = False
        for found in _ID.finditer(line.raw[:1_200]):
            folded_line = not found[1]
            yield found[1]


def _mark(incoming: Incoming) -> str:
    """Find our own mark: in the returned headers, or in header lines of the text."""
    returned = next((value for name, value in incoming.returned if name == "x-game-outbox-id"), "")
    if returned:
        return returned
    lines = (line.raw[:1_200] for line in incoming.lines[:_QUOTED_LINES] if "utbox" in line.raw)
    return next((found[1] for line in lines if (found := _MARK.search(line))), "")


def _from_fields(incoming: Incoming, original: str, mark: str) -> tuple[Bounce, ...]:
    found = []
    for group in incoming.delivery_status:
        fields = {name.lower(): value for name, value in reversed(group)}
        recipient = _recipient(fields.get("final-recipient", "")) or _recipient(fields.get("original-recipient", ""))
        action = fields.get("action", "").strip().lower()
        if not recipient and not action:
            continue
        status = _STATUS.search(fields.get("status", "")) or _STATUS.search(fields.get("diagnostic-code", ""))
        found.append(
            Bounce(
                recipient=recipient,
                action=_action(action, status[1] if status else ""),
                status=status[1] if status else "",
                original=original,
                outbox_id=mark,
                diagnostic=fields.get("diagnostic-code", "")[:500],
                source="fields",
            )
        )
    return tuple(found)


def _recipient(value: str) -> str:
    """Give the address of an RFC 3464 recipient field (``rfc822; igor@example.ru``)."""
    return next((box.address for box in mailboxes(value.rpartition(";")[2])), "")


def _action(action: str, status: str) -> Literal["failed", "delayed", "other"]:
    if action == "delayed" or (action in ("failed", "") and status.startswith("4")):
        return "delayed"
    return "failed" if action in ("failed", "") else "other"


def _from_words(incoming: Incoming, original: str, mark: str) -> tuple[Bounce, ...]:
    text = "\n".join(line.raw for line in incoming.lines[:_LINES])
    low = folded(f"{incoming.subject} {text}")
    failed = tuple(box.address for value in incoming.all("x-failed-recipients") for box in mailboxes(value))
    words = robots().failures
    if not failed and not _says(words.failed + words.permanent + words.temporary, low):
        return ()
    status = _STATUS.search(text)
    code = status[1] if status else _class_of(_CODE.search(text))
    lasting = _says(words.permanent, low) or code.startswith("5")
    passing = code.startswith("4") or (not lasting and _says(words.temporary, low))
    recipients = failed or _named_in(incoming)
    source: Literal["header", "words"] = "header" if failed else "words"
    action: Literal["failed", "delayed"] = "delayed" if passing else "failed"
    reason = _reason(incoming, words.temporary if passing else words.permanent + words.failed)
    return tuple(
        Bounce(address, action, status[1] if status else "", original, mark, reason, source) for address in recipients
    )


def _reason(incoming: Incoming, words: tuple[str, ...]) -> str:
    """Give the line of the text that says why, empty if none does."""
    lines = (line.raw.strip() for line in incoming.lines[:_LINES])
    return next((line[:500] for line in lines if _STATUS.search(line) or _says(words, folded(line))), "")


def _class_of(code: re.Match[str] | None) -> str:
    return code[1][:1] if code else ""


def _says(words: tuple[str, ...], low: str) -> bool:
    return any(folded(word) in low for word in words)


def _named_in(incoming: Incoming) -> tuple[str, ...]:
    """Give the first address that stands in the text and is neither the reporter's nor the addressee's."""
    known = frozenset(box.canonical for box in incoming.sender) | frozenset(address.lower() for address in incoming.to)
    returned = tuple(box.address for name, value in incoming.returned if name == "to" for box in mailboxes(value))
    if returned:
        return returned
    for line in incoming.lines[:_LINES]:
        for box in mailboxes(line.raw[:500].replace(":", " ")):
            if box.canonical not in known and not box.canonical.startswith(("mailer-daemon@", "postmaster@")):
                return (box.address.rstrip("."),)
    return ()


def _from_detectors(incoming: Incoming, raw: bytes, original: str, mark: str) -> tuple[Bounce, ...]:
    """Ask flufl.bounce, which finds addresses and does not judge whether a mail is a bounce at all.

    Not about a report: its fields have been read, and its blank lines would keep the standard parser busy for long.
    """
    if not raw or incoming.damage or len(raw) > _FLUFL_LIMIT or _REPORT.search(raw):
        return ()
    try:
        temporary, permanent = all_failures(BytesParser(policy=compat32).parsebytes(raw))
        found = [(_address(value), "delayed") for value in sorted(temporary)]
        found += [(_address(value), "failed") for value in sorted(permanent)]
    except Exception:  # noqa: BLE001 - its detectors are known to throw on odd mail, and it is only a second opinion
        return ()
    return tuple(
        Bounce(address, "delayed" if action == "delayed" else "failed", "", original, mark, "", "detector")
        for address, action in found
        if address
    )


def _address(value: bytes | str) -> str:
    text = value.decode("ascii", "replace") if isinstance(value, bytes) else value
    return next((box.address for box in mailboxes(text)), "")
