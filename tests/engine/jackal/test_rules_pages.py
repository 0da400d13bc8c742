"""The rules as sent to players: every rule, switch and value of «Шакал» stands in both languages."""

from __future__ import annotations

import ast
import re
import typing
from importlib import resources
from pathlib import Path

import msgspec
import pytest

from engine.jackal.options import EDITIONS, JackalOptions

LANGUAGES = ("ru", "en")
NUMBERED = re.compile(r"^\*\*([JR0-9][0-9.]*)\.\*\* ", re.MULTILINE)
SOURCES = Path(__file__).parents[3] / "engine" / "jackal"


def page(language: str) -> str:
    return (resources.files("engine.jackal") / f"rules.{language}.md").read_text("utf-8")


def numbers(language: str) -> list[str]:
    return NUMBERED.findall(page(language))


def cited() -> set[str]:
    """Return every rule that an event or a refusal of the engine names."""
    found: set[str] = set()
    for path in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            value = node.value if isinstance(node, ast.Constant) else None
            if isinstance(value, str) and re.fullmatch(r"J\d{1,2}\.\d{1,2}|R\d\d|5\.[24]", value):
                found.add(value)
    return found


def test_every_rule_that_is_cited_is_written_down() -> None:
    assert sorted(cited() - set(numbers("ru"))) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_section_names_its_topic(language: str) -> None:
    sections = re.findall(r"^## .+\n\*(?:Тема|Topic): .+\*$", page(language), re.MULTILINE)

    assert len(sections) == len(re.findall(r"^## ", page(language), re.MULTILINE)) == 14


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_edition_switch_and_value_is_named(language: str) -> None:
    text = page(language)
    values = [
        value
        for hint in typing.get_type_hints(JackalOptions).values()
        for value in typing.get_args(hint)
        if isinstance(value, str) and value not in ("yes", "no", "white", "yellow", "black", "red", "")
    ]

    assert [field.name for field in msgspec.structs.fields(JackalOptions) if f"`{field.name}`" not in text] == []
    assert [value for value in values if f"`{value}`" not in text] == []
    assert [name for name in EDITIONS if f"`{name}`" not in text] == []
