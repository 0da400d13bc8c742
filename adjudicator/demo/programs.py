"""How people's mail programs write an answer: charsets, encodings, quotes, attributions and footers, as data."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from functools import cache
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

import msgspec
from babel.dates import format_datetime

from adjudicator.demo.cast import Person, Strings, document
from engine.core.contract import Value

_POLICY: Final = SMTP.clone(max_line_length=998, cte_type="8bit")
_AFTER_TEXT: Final = b"Content-Type: text/html"
_PLAIN: Final = {
    **dict.fromkeys("«»“”„", '"'),
    **dict.fromkeys("—–−", "-"),
    **dict.fromkeys("’‘", "'"),
    "…": "...",
    "→": "->",
    "\u00a0": " ",
}
"""What old mail programs write for a sign that their charset lacks; anything else becomes a question mark."""


class Program(Value, frozen=True, forbid_unknown_fields=True):
    """A mail program: see the head of programs.toml."""

    title: str
    charset: str
    encoding: Literal["8bit", "base64", "quoted-printable"]
    own_words: Literal["above", "below", "between"]
    mark: str
    date: str
    attribution: Strings
    footer: Strings = ()
    html: str = ""
    agent: tuple[str, str] | None = None


@cache
def programs() -> Mapping[str, Program]:
    """Return all mail programs by key."""
    return msgspec.convert(document("programs.toml"), dict[str, Program])


@dataclass(frozen=True, slots=True)
class Quoted:
    """A letter that is answered."""

    name: str
    address: str
    reply_to: str
    written: datetime
    subject: str
    lines: tuple[str, ...]
    message_id: str
    references: str


def quoted(raw: bytes) -> Quoted:
    """Return what an answer needs of a letter of the service; what follows its text part is not looked at."""
    message: Any = message_from_bytes(raw.partition(_AFTER_TEXT)[0], policy=policy.default)
    sender = message["From"].addresses[0]
    answer = message["Reply-To"]
    body = message.get_body(("plain",))
    return Quoted(
        name=sender.display_name or sender.addr_spec,
        address=sender.addr_spec,
        reply_to=answer.addresses[0].addr_spec if answer else sender.addr_spec,
        written=message["Date"].datetime,
        subject=str(message["Subject"]),
        lines=tuple(body.get_content().splitlines()) if body is not None else (),
        message_id=str(message["Message-ID"]),
        references=" ".join(filter(None, (str(message.get("References", "")), str(message["Message-ID"])))),
    )


@dataclass(frozen=True, slots=True)
class Draft:
    """What somebody wants to say: his lines, his name, and lines that answer or replace a quoted one, by that line."""

    lines: tuple[str, ...]
    signature: str = ""
    between: Mapping[str, str] = field(default_factory=dict)
    edits: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Posting:
    """The outside of a mail: who writes when, with which program, and marks that nobody else uses."""

    person: Person
    program: Program
    at: datetime
    mark: str

    @property
    def local(self) -> datetime:
        """The instant on the writer's own clock."""
        return self.at.astimezone(ZoneInfo(self.person.zone))

    @property
    def message_id(self) -> str:
        """The Message-ID."""
        return f"<{self.mark}@{self.person.address.rpartition('@')[2]}>"


def answer(posting: Posting, draft: Draft, letter: Quoted) -> bytes:
    """Return an answer to a letter as a mail program writes it."""
    program, said = posting.program, draft.lines
    if program.own_words == "between":
        answered = {line.strip() for line in letter.lines} & set(draft.between)
        program = program if answered else msgspec.structs.replace(program, own_words="above")
        said = tuple(line for line in said if line not in [draft.between[one] for one in sorted(answered)])
    own = [*said, *_between(program.footer, {"signature": draft.signature or posting.person.name})]
    introduction = _introduction(posting, letter)
    quote = _edited(letter.lines, draft.edits)
    text = _text(program, own, introduction, quote, draft, letter)
    message = _outside(posting, letter.reply_to, f"Re: {letter.subject.removeprefix('Re: ')}", letter.name)
    message["In-Reply-To"], message["References"] = letter.message_id, letter.references
    _fill(message, program, text)
    if program.html:
        inside = {"own": _html(own), "quote": _html(quote), "attribution": _html(introduction), "footer": ""}
        message.add_alternative(_filled(program.html, inside), subtype="html", charset="utf-8", cte=program.encoding)
        message.set_boundary(f"=_{posting.mark}")
    return message.as_bytes(policy=_POLICY)


def fresh(posting: Posting, to: str, subject: str, lines: Sequence[str]) -> bytes:
    """Return a mail that answers nothing."""
    message = _outside(posting, to, subject, "")
    _fill(message, posting.program, "\n".join(lines))
    return message.as_bytes(policy=_POLICY)


def _between(lines: Iterable[str], facts: Mapping[str, str]) -> list[str]:
    found = [line.format(**facts) for line in lines]
    return ["", *found] if found else []


def _introduction(posting: Posting, letter: Quoted) -> list[str]:
    here = letter.written.astimezone(ZoneInfo(posting.person.zone))
    date = format_datetime(here, posting.program.date, locale=posting.person.language)
    facts = {"date": date, "name": letter.name, "address": letter.address, "reader": posting.person.address}
    lines = [line.format(**facts, subject=letter.subject) for line in posting.program.attribution]
    return [lines[0][:1].upper() + lines[0][1:], *lines[1:]] if posting.program.title == "Mail.ru" else lines


def _text(
    program: Program, own: list[str], introduction: list[str], quote: list[str], draft: Draft, letter: Quoted
) -> str:
    mark = program.mark.format(initial=letter.name[:1])
    if program.own_words == "between":
        return "\n".join([*introduction, *_answered(quote, mark, draft.between), "", *own])
    marked = [f"{mark}{line}".rstrip() if mark.strip() else line for line in quote]
    if program.own_words == "below":
        return "\n".join([*introduction, *marked, "", *own])
    return "\n".join([*own, "", *introduction, *marked])


def _edited(lines: Sequence[str], edits: Mapping[str, str]) -> list[str]:
    """Return lines of a letter, the last of each that was edited replaced in its place."""
    found = list(lines)
    for place in {line.strip(): place for place, line in enumerate(lines) if line.strip() in edits}.values():
        bare = lines[place].strip()
        found[place] = lines[place].replace(bare, edits[bare])
    return found


def _answered(quote: Sequence[str], mark: str, answers: Mapping[str, str]) -> list[str]:
    """Return the part of a letter that is answered line by line, with the answers below its lines."""
    places = {line.strip(): place for place, line in enumerate(quote) if line.strip() in answers}
    first, last = min(places.values()), max(places.values())
    found = []
    for place in range(first, last + 1):
        found.append(f"{mark}{quote[place]}".rstrip())
        if places.get(quote[place].strip()) == place:
            found.append(answers[quote[place].strip()])
    return found


def _outside(posting: Posting, to: str, subject: str, name: str) -> EmailMessage:
    person = posting.person
    message = EmailMessage(policy=_POLICY)
    message["From"] = Address(person.name, addr_spec=person.address)
    message["To"] = Address(name, addr_spec=to)
    message["Subject"] = subject
    message["Date"] = posting.local
    message["Message-ID"] = posting.message_id
    if posting.program.agent is not None:
        message[posting.program.agent[0]] = posting.program.agent[1]
    return message


def _fill(message: EmailMessage, program: Program, text: str) -> None:
    spelt = "".join(char if _has(program.charset, char) else _PLAIN.get(char, "?") for char in text)
    message.set_content(spelt + "\n", charset=program.charset, cte=program.encoding)


@cache
def _has(charset: str, char: str) -> bool:
    try:
        char.encode(charset)
    except UnicodeEncodeError:
        return False
    return True


def _html(lines: Sequence[str]) -> str:
    """Return lines as mail programs write them; a line of blanks keeps its place."""
    escaped = (html.escape(line, quote=False).replace("  ", " &nbsp;") for line in lines)
    return "".join(f"<div>{line or '<br>'}</div>" for line in escaped)


def _filled(pattern: str, facts: Mapping[str, str]) -> str:
    for name, value in facts.items():
        pattern = pattern.replace(f"{{{name}}}", value)
    return pattern


def delayed(at: datetime, zone: str, minutes: int) -> datetime:
    """Return the first waking minute, from 8 to 23 by the zone's clock, that lies at least so many minutes later."""
    wanted = at + timedelta(minutes=minutes)
    local = wanted.astimezone(ZoneInfo(zone))
    if local.hour < 8:
        return wanted + timedelta(hours=8 - local.hour)
    return wanted + timedelta(hours=9) if local.hour >= 23 else wanted
