"""Who plays the demonstration and in which words: cast.toml and the words of each language, checked when read."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, TypeVar

import msgspec

from engine.core.contract import Language, Value

Strings = tuple[str, ...]
Kind = TypeVar("Kind")


class Person(Value, frozen=True, forbid_unknown_fields=True):
    """Somebody who plays: name and address, mail programs in turn, names for ships, habits of writing.

    ``ready`` is how often of ten the ``word`` for it is added; ``hours`` the earliest and latest hour after a report.
    """

    key: str
    name: str
    short: str
    address: str
    language: Language
    zone: str
    programs: Annotated[Strings, msgspec.Meta(min_length=1)]
    ships: Strings
    habits: tuple[tuple[str, str], ...]
    word: str
    ready: Annotated[int, msgspec.Meta(ge=0, le=10)]
    hours: tuple[int, int]
    salts: Annotated[Strings, msgspec.Meta(min_length=1)]


class Cast(Value, frozen=True, forbid_unknown_fields=True):
    """All who may play, in the order in which they are invited."""

    people: tuple[Person, ...]


class LetterWords(Value, frozen=True, forbid_unknown_fields=True):
    """How people begin and end their letters."""

    greetings: Strings
    closings: Strings
    intros: Strings
    judge: str


class Stranger(Value, frozen=True, forbid_unknown_fields=True):
    """Somebody whom nobody has invited, and what he writes."""

    name: str
    address: str
    subject: str
    text: Strings


class Words(Value, frozen=True, forbid_unknown_fields=True):
    """The words of a language: of letters and their chat, of orders and commands, of the screen and of the page."""

    letter: LetterWords
    chat: dict[str, Strings]
    write: dict[str, str | Strings]
    scenes: dict[str, dict[str, str | Strings]]
    stranger: Stranger
    screen: dict[str, str | Strings]
    rhumbs: dict[str, str]
    outcomes: dict[str, str]
    scene: dict[str, str]
    page: dict[str, str]

    def line(self, name: str, /, **facts: object) -> str:
        """Return a line of orders or commands filled with facts."""
        return str(self.write[name]).format(**facts)

    def say(self, name: str, /, **facts: object) -> str:
        """Return a line of the screen filled with facts."""
        return str(self.screen[name]).format(**facts)

    def lines(self, scene: str, part: str) -> Strings:
        """Return what somebody says in a scene."""
        found = self.scenes[scene][part]
        return (found,) if isinstance(found, str) else found


def document(name: str) -> dict[str, Any]:
    """Return a data file of the demonstration."""
    return tomllib.loads(files("templates").joinpath("demo", name).read_text(encoding="utf-8"))


@cache
def words(language: Language) -> Words:
    """Return the words of a language. Raises `msgspec.ValidationError` that names what the file lacks."""
    return msgspec.convert(document(f"words.{language}.toml"), Words)


def company(players: int) -> tuple[Person, ...]:
    """Return so many people. Raises ValueError if there are not as many."""
    people = msgspec.convert(document("cast.toml"), Cast).people
    if not 0 < players <= len(people):
        raise ValueError(f"there are {len(people)} people to play, not {players!r}")
    return people[:players]
