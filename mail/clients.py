"""What is known of mail programs, read from ``mail/data/clients.toml`` with its schema checked."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec
from msgspec import Struct, field

from mail.text import folded


class Separators(Struct, frozen=True, forbid_unknown_fields=True):
    """Phrases above a quoted or forwarded mail: between dashes, or alone on a line with a colon."""

    phrases: tuple[str, ...]
    alone: tuple[str, ...]


class AttributionWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Words of the line that introduces a quote."""

    verbs: tuple[str, ...]
    starts: tuple[str, ...]
    months: tuple[str, ...]
    weekdays: tuple[str, ...]


class Footers(Struct, frozen=True, forbid_unknown_fields=True):
    """Lines a program adds by itself, whole or by their beginning."""

    equal: tuple[str, ...]
    begin: tuple[str, ...]


class Valedictions(Struct, frozen=True, forbid_unknown_fields=True):
    """Beginnings of the polite end of a letter."""

    begin: tuple[str, ...]


class Subjects(Struct, frozen=True, forbid_unknown_fields=True):
    """Beginnings of subjects: answers and forwards."""

    replies: tuple[str, ...]
    forwards: tuple[str, ...]


class Container(Struct, frozen=True, forbid_unknown_fields=True):
    """An HTML element that some program puts around a quote or a signature; all given conditions must fit.

    ``holds = "headers"``: its text begins with header lines («От: …»). ``unless_inside``: no such element stands in it.
    """

    client: str
    mark: Literal["quote", "signature"]
    tag: str = ""
    id: str = ""
    class_: str = field(default="", name="class")
    style: str = ""
    type: str = ""
    name: str = ""
    holds: Literal["", "headers"] = ""
    prefix: bool = False
    scope: Literal["element", "rest"] = "element"
    unless_inside: str = ""

    def __post_init__(self) -> None:
        """Refuse an entry that would fit every element."""
        if not (self.id or self.class_ or self.style or self.type or self.name):
            msg = f"clients.toml: the html entry of {self.client!r} names no id, class, style, type or name"
            raise ValueError(msg)


class Clients(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole catalogue."""

    headers: dict[str, tuple[str, ...]]
    attribution: AttributionWords
    separators: Separators
    footers: Footers
    valedictions: Valedictions
    html: tuple[Container, ...]
    subjects: Subjects


def read_clients(text: str) -> Clients:
    """Read a catalogue; raises ``msgspec.ValidationError`` or ``tomllib.TOMLDecodeError`` naming what is wrong."""
    return msgspec.convert(tomllib.loads(text), Clients)


@cache
def clients() -> Clients:
    """Give the catalogue that ships with the package."""
    return read_clients((files("mail") / "data" / "clients.toml").read_text("utf-8"))


def any_of(words: tuple[str, ...]) -> str:
    """Give a pattern for one of several phrases, folded, the longest first; linear, no repetition inside."""
    known = sorted(dict.fromkeys(map(folded, words)), key=lambda word: (-len(word), word))
    return "|".join(map(re.escape, known))
