"""Case files: rule cases as text, read section by section (``tests/cases/README.md``)."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from engine.core.contract import Value

Reader: TypeAlias = Callable[[str], str]
"""Gives the text of a file that lies beside a case file."""

SECTIONS: Final = (
    "options",
    "players",
    "start",
    "position",
    "orders",
    "silent",
    "answers",
    "dice",
    "receipt",
    "foresee",
    "asks",
    "events",
    "then",
    "view",
    "outcome",
    "next",
)
"""The sections of a case; `tests/cases/README.md` describes each."""

_TITLE: Final = re.compile(r"=== (?P<id>\S+) (?P<title>.*?)(?: \[(?P<rules>[^\]]*)\])?")
_FACT: Final = re.compile(r"(?P<key>\w+)=(?P<value>\[[^\]]*\]|\"[^\"]*\"|\S+)")


class CaseSyntaxError(ValueError):
    """A case file that cannot be read: the number of the line, and what is wrong with it."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line


class Section(Value, frozen=True, kw_only=True):
    """A part of a case: ``--- orders spain-1 en`` has the name ``orders``, two arguments, and the lines below."""

    name: str
    arguments: tuple[str, ...]
    lines: tuple[str, ...]
    line: int


class Case(Value, frozen=True, kw_only=True):
    """A rule case. ``turns`` are the sections turn by turn; ``data`` a document for ``start`` and positions."""

    id: str
    title: str
    rules: tuple[str, ...]
    ruleset: str
    line: int
    turns: tuple[tuple[Section, ...], ...]
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    players: int = 2
    data: dict[str, Any] | None = None


# Reading --------------------------------------------------------------------------------------------------------------


def parse(text: str, read: Reader | None = None) -> tuple[Case, ...]:
    """Return the cases of a file in its order. ``read`` gives the files that ``data`` names.

    Raises CaseSyntaxError for a file that cannot be read.
    """
    head: list[tuple[int, str]] = []
    blocks: list[tuple[int, str, list[tuple[int, str]]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("==="):
            blocks.append((number, line, []))
        else:
            (blocks[-1][2] if blocks else head).append((number, line))
    defaults = _head(head, read)
    cases = tuple(_case(number, title, lines, defaults) for number, title, lines in blocks)
    ids = [case.id for case in cases]
    for case in cases:
        if ids.count(case.id) > 1:
            raise CaseSyntaxError(case.line, f"the id {case.id!r} is used twice")
    return cases


def _head(lines: Iterable[tuple[int, str]], read: Reader | None) -> dict[str, Any]:
    """Read what stands before the first case: ``ruleset NAME`` and ``data FILE``."""
    head: dict[str, Any] = {}
    for number, line in lines:
        match line.split():
            case [] | ["#", *_]:
                pass
            case ["ruleset", name]:
                head["ruleset"] = name
            case ["data", name] if read is not None:
                loads = tomllib.loads if name.endswith(".toml") else json.loads
                head["data"] = loads(read(name))
            case _:
                raise CaseSyntaxError(number, f"{line!r} is neither «ruleset NAME» nor «data FILE»")
    if "ruleset" not in head:
        raise CaseSyntaxError(1, "the file does not say «ruleset NAME»")
    return head


def _case(number: int, title: str, lines: Sequence[tuple[int, str]], defaults: Mapping[str, Any]) -> Case:
    match = _TITLE.fullmatch(title)
    if match is None:
        raise CaseSyntaxError(number, f"{title!r} is not «=== ID title [rules]»")
    sections = _sections(lines)
    options = {key: value_of(value) for section in named(sections, "options") for key, value in pairs_of(section)}
    players = [int(section.arguments[0]) for section in named(sections, "players")]
    return Case(
        id=match["id"],
        title=match["title"],
        rules=tuple((match["rules"] or "").split()),
        line=number,
        turns=_turns(sections),
        options=options,
        players=players[-1] if players else 2,
        **defaults,
    )


def _sections(lines: Sequence[tuple[int, str]]) -> list[Section]:
    sections: list[Section] = []
    for number, line in lines:
        if line.startswith("--- "):
            name, *arguments = line[4:].split()
            if name not in SECTIONS:
                raise CaseSyntaxError(number, f"there is no section {name!r}; there are: {', '.join(SECTIONS)}")
            sections.append(Section(name=name, arguments=tuple(arguments), lines=(), line=number))
        elif line.strip() and not line.startswith("# "):
            if not sections:
                raise CaseSyntaxError(number, f"{line!r} stands in no section")
            last = sections[-1]
            sections[-1] = msgspec.structs.replace(last, lines=(*last.lines, line))
    return sections


def _turns(sections: Iterable[Section]) -> tuple[tuple[Section, ...], ...]:
    turns: list[list[Section]] = [[]]
    for section in sections:
        if section.name == "next":
            turns.append([])
        else:
            turns[-1].append(section)
    return tuple(map(tuple, turns))


def named(sections: Iterable[Section], name: str) -> list[Section]:
    """Return the sections of a name, in their order."""
    return [section for section in sections if section.name == name]


def pairs_of(section: Section) -> list[tuple[str, str]]:
    """Return the ``key = value`` lines of a section."""
    pairs = []
    for line in section.lines:
        key, sign, value = line.partition("=")
        if not sign:
            raise CaseSyntaxError(section.line, f"{line!r} is not «key = value»")
        pairs.append((key.strip(), value.strip()))
    return pairs


def value_of(text: str) -> Any:
    """Return a written value: JSON where it is JSON, several words parted by commas as a list, else the text."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return [value_of(word) for word in text.split(",")] if "," in text else text


def facts_of(line: str) -> dict[str, Any]:
    """Return the ``key=value`` facts of a line."""
    return {match["key"]: value_of(match["value"]) for match in _FACT.finditer(line)}
