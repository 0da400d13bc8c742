"""Mails of robots and of people as data files tell them, made into bytes for a given letter of ours."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

DATA: Final = Path(__file__).parent / "data"
_HEAD: Final = re.compile(r"^=== ([^:\n]+?)(?:: (\S+)(?: (\S+))?)?$", re.MULTILINE)
_FIELD: Final = re.compile(r"^[A-Za-z][A-Za-z0-9-]*:")


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter of ours that a mail of the corpus answers or returns, who got it, and who we are."""

    message_id: str = "<abcdefghijklmnopqrstuvwxyz234567@example.org>"
    address: str = "anna@example.org"
    judge: str = "judge@example.org"
    tagged: str = "judge+pirates-1@example.org"

    @property
    def mark(self) -> str:
        """What the letter carries as X-Game-Outbox-Id."""
        return self.message_id.strip("<>").partition("@")[0]

    @property
    def head(self) -> str:
        """The letter's header block, as reports return it."""
        return "\n".join(
            (
                f"From: =?utf-8?B?0KHRg9C00YzRjw==?= <{self.judge}>",
                f"To: {self.address}",
                "Subject: [pirates-1] 1",
                f"Message-ID: {self.message_id}",
                "Auto-Submitted: auto-generated",
                f"X-Game-Outbox-Id: {self.mark}",
            )
        )


@dataclass(frozen=True, slots=True)
class Sample:
    """A mail of the corpus: its name, what it is to be taken for, and its text with marks in it."""

    name: str
    kind: str
    signal: str
    text: str

    def raw(self, letter: Letter = Letter(), orders: str = "корабль 1: стоять", number: int = 1) -> bytes:
        """Make the mail's bytes; ``number`` tells two of the same apart."""
        text = self.text
        marks = {
            "@ANNA@": letter.address,
            "@JUDGE@": letter.judge,
            "@JUDGE_TAGGED@": letter.tagged,
            "@ID@": letter.message_id,
        }
        for mark, value in {**marks, "@BOX@": letter.mark, "@OURS@": letter.head, "@ORDERS@": orders}.items():
            text = text.replace(mark, value)
        text = text.replace("anna@example.org", letter.address)
        lines = text.split("\n")
        fields = 0
        while fields < len(lines) and (_FIELD.match(lines[fields]) or (fields and lines[fields][:1] == " ")):
            fields += 1
        head = "\n".join(lines[:fields])
        body = "\n".join(lines[fields:]).strip("\n") or orders
        ordinary = {
            "From": f"=?utf-8?B?0JDQvdC90LA=?= <{letter.address}>",
            "To": letter.tagged,
            "Subject": "Re: [pirates-1] Ход 1",
            "Date": "Mon, 05 Jan 2026 15:00:00 +0300",
            "Message-ID": f"<{self.kind or 'person'}.{number}@corpus.example>",
            "In-Reply-To": letter.message_id,
            "MIME-Version": "1.0",
            "Content-Type": "text/plain; charset=utf-8",
            "Content-Transfer-Encoding": "8bit",
        }
        given = {line.partition(":")[0].lower() for line in lines[:fields]}
        rest = "".join(f"\n{name}: {value}" for name, value in ordinary.items() if name.lower() not in given)
        charset = "windows-1251" if "windows-1251" in head else "utf-8"
        header = "\n".join(map(_encoded, (head + rest).strip("\n").split("\n")))
        return f"{header}\n\n{body}\n".replace("\n", "\r\n").encode(charset)


def _encoded(line: str) -> str:
    """Write a header line that is not ASCII as mail programs do."""
    name, _, value = line.partition(": ")
    if line.isascii() or (name == "Subject" and value == "приказы"):
        return line
    box = re.fullmatch(r"(.*?) ?(<[^<>]+>)", value)
    word, rest = (box[1].strip('"'), f" {box[2]}") if box else (value, "")
    return f"{name}: =?utf-8?B?{base64.b64encode(word.encode()).decode()}?={rest}"


def samples(file: str) -> Iterator[Sample]:
    """Read the mails of a data file."""
    text = (DATA / file).read_text(encoding="utf-8")
    heads = list(_HEAD.finditer(text))
    ends = [*(head.start() for head in heads[1:]), len(text)]
    for head, end in zip(heads, ends, strict=True):
        yield Sample(head[1], head[2] or "", head[3] or "", text[head.end() + 1 : end].rstrip("\n"))


ROBOTS: Final = tuple(samples("robots.txt"))
PEOPLE: Final = tuple(samples("people.txt"))
