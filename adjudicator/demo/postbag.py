"""All mail of the demonstration, in both directions and in order of time."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from email import message_from_bytes, policy
from email.parser import BytesHeaderParser
from functools import cached_property
from typing import Any, Literal


@dataclass(frozen=True)
class Item:
    """A mail: its number in order of time, who wrote it and who has it (keys of people, ``judge``, ``moderator``).

    ``kind`` is that of a letter of the service (report, receipt …), else ``mail``; ``scene`` the showpiece it belongs
    to; ``turn`` the turn that was open when a player wrote, or that a letter is about.
    """

    number: int
    at: datetime
    writer: str
    reader: str
    raw: bytes
    kind: str = "mail"
    program: str = ""
    scene: str = ""
    turn: int | None = None
    seat: str = ""
    letter_id: int = 0

    @cached_property
    def message(self) -> Any:
        """The mail taken apart."""
        return message_from_bytes(self.raw, policy=policy.default)

    @cached_property
    def head(self) -> Any:
        """Its header alone: a report carries pictures, and a parser is slow with them."""
        return BytesHeaderParser(policy=policy.default).parsebytes(self.raw.partition(b"\r\n\r\n")[0])

    @cached_property
    def message_id(self) -> str:
        """The Message-ID, "" where there is none."""
        return str(self.head.get("Message-ID", "")).strip()

    @cached_property
    def in_reply_to(self) -> str:
        """The Message-ID of the mail that this one answers."""
        return str(self.head.get("In-Reply-To", "")).strip()

    @property
    def subject(self) -> str:
        """The subject in words."""
        return str(self.head.get("Subject", ""))

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"{self.number:03}-{self.writer}-{self.reader}.eml"

    def part(self, kind: Literal["plain", "html"]) -> str:
        """Return the body part of a kind, "" if there is none."""
        found = self.message.get_body((kind,))
        return str(found.get_content()).replace("\r\n", "\n") if found is not None else ""

    def files(self) -> dict[str, bytes]:
        """Return pictures and attached files by name."""
        found = {}
        for part in self.message.walk():
            name = part.get_filename()
            if name and not part.is_multipart():
                found[name] = part.get_payload(decode=True) or b""
        return found


@dataclass(slots=True)
class Postbag:
    """Every mail that went through the demonstration's servers."""

    items: list[Item] = field(default_factory=list)

    def put(self, item: Item) -> Item:
        """Keep a mail under the next number."""
        kept = replace(item, number=len(self.items) + 1)
        self.items.append(kept)
        return kept

    def latest(self, reader: str, *kinds: str) -> Item:
        """Return the last letter of some kinds that somebody has. Raises LookupError if there is none."""
        for item in reversed(self.items):
            if item.reader == reader and item.kind in kinds:
                return item
        raise LookupError(f"{reader} has no letter of {kinds!r}")

    def answers(self, item: Item) -> list[Item]:
        """Return the letters of the service that answer a mail."""
        return [one for one in self.items if one.writer == "judge" and one.in_reply_to == item.message_id != ""]
