"""What the command line says: sentences by key from the phrase files, filled with facts, in the reader's language."""

from __future__ import annotations

import string
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, TypeAlias

from adjudicator.words.language import plural

Language: TypeAlias = Literal["ru", "en"]
LANGUAGES: Final[tuple[Language, ...]] = ("ru", "en")

_PLAIN_CONTROLS: Final = "\t"


def printable(text: str) -> str:
    """Return text that a terminal cannot take for a command: control and direction marks shown as «�»."""
    return "".join(
        "\N{REPLACEMENT CHARACTER}"
        if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") and char not in _PLAIN_CONTROLS
        else char
        for char in text
    )


class _Formatter(string.Formatter):
    """``{name}`` is a fact; ``{count:|письмо|письма|писем}`` the form that goes with a number, without the number."""

    def __init__(self, language: Language) -> None:
        self._language: Language = language

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec.startswith("|"):
            return plural(int(value), self._language, *format_spec[1:].split("|"))
        return format(_shown(value), format_spec)


def _shown(value: Any) -> str:
    """Return a fact as it is printed; texts of others cannot drive the terminal."""
    if value is None:
        return "—"
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return ", ".join(_shown(item) for item in value)
    return printable(str(value))


class Phrases:
    """The phrases of one language. Missing keys and missing facts raise LookupError: they are mistakes of ours."""

    def __init__(self, language: Language, table: Mapping[str, str]) -> None:
        self.language: Language = language
        self._table = table
        self._formatter = _Formatter(language)

    def __call__(self, key: str, /, **facts: Any) -> str:
        """Return the phrase of a key filled with facts."""
        if key not in self._table:
            raise LookupError(f"no phrase {key!r} in {self.language}")
        try:
            return self._formatter.vformat(self._table[key], (), facts)
        except KeyError as cause:
            raise LookupError(f"the phrase {key!r} in {self.language} wants the fact {cause}") from cause

    def __contains__(self, key: str) -> bool:
        return key in self._table

    def first(self, *keys: str) -> str:
        """Return the first of these keys that has a phrase. Raises LookupError if none has."""
        for key in keys:
            if key in self._table:
                return key
        raise LookupError(f"none of {keys} in {self.language}")

    @property
    def keys(self) -> tuple[str, ...]:
        """All keys in the order of the file."""
        return tuple(self._table)


@cache
def phrases(language: Language) -> Phrases:
    """Return the phrases of a language, of all files in the folder; ValueError if two of them have one of a key."""
    folder = files("templates").joinpath("cli")
    found: dict[str, str] = {}
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(f".{language}.toml"):
            said = dict(_flat(tomllib.loads(file.read_text(encoding="utf-8"))))
            if twice := sorted(set(said) & set(found)):
                raise ValueError(f"{twice[0]!r} of {file.name} is the key of another phrase too")
            found |= said
    return Phrases(language, found)


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, str):
            yield prefix + name, value.strip("\n")
        else:
            yield from _flat(value, f"{prefix}{name}.")
