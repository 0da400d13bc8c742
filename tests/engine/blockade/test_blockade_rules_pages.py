"""The rules as sent to players: every rule, switch and value of «Блокада» stands in both languages."""

from __future__ import annotations

import ast
import re
import typing
from importlib import resources
from pathlib import Path

import msgspec
import pytest

from engine.blockade.options import EDITIONS, BlockadeOptions
from tests.engine.blockade.positions import RULES, seen

LANGUAGES: tuple[typing.Literal["ru"], typing.Literal["en"]] = ("ru", "en")
NUMBERED = re.compile(r"^\*\*([BD0-9][0-9.]*)\.\*\* ", re.MULTILINE)
SOURCES = Path(__file__).parents[3] / "engine" / "blockade"


def page(language: str) -> str:
    return (resources.files("engine.blockade") / f"rules.{language}.md").read_text("utf-8")


def numbers(language: str) -> list[str]:
    return NUMBERED.findall(page(language))


def cited() -> set[str]:
    """Return every rule that an event, a note or a refusal of the engine names."""
    found: set[str] = set()
    for path in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            value = node.value if isinstance(node, ast.Constant) else None
            if isinstance(value, str) and re.fullmatch(r"B\d{1,2}|D\d{1,2}|2\.5(\.\d)?", value):
                found.add(value)
    return found


def test_every_rule_and_ruling_of_the_page_is_written_down() -> None:
    rules = {f"B{number}" for number in range(1, 24)} | {f"D{number}" for number in range(1, 19)}

    assert sorted(rules - set(numbers("ru"))) == []
    assert sorted(cited() - set(numbers("ru"))) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_section_names_its_topic(language: str) -> None:
    sections = re.findall(r"^## .+\n\*(?:Тема|Topic): .+\*$", page(language), re.MULTILINE)

    assert len(sections) == len(re.findall(r"^## ", page(language), re.MULTILINE)) == 7


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_edition_switch_and_value_is_described(language: str) -> None:
    lines = re.findall(r"^- `(\w+)`:(.+?)(?=^- |\Z)", page(language), re.MULTILINE | re.DOTALL)
    described = {name: set(re.findall(r"`([\w]+)`", text)) for name, text in lines}
    hints = typing.get_type_hints(BlockadeOptions)

    assert [name for name, _ in lines] == [field.name for field in msgspec.structs.fields(BlockadeOptions)]
    for name, values in described.items():
        wanted = {str(value) for value in typing.get_args(hints[name])} or {str(getattr(BlockadeOptions(), name))}
        assert wanted <= values, name
    assert [name for name in EDITIONS if f"`{name}`" not in page(language)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_orders_shown_can_be_sent_as_they_stand(language: typing.Literal["ru", "en"]) -> None:
    blocks = re.findall(r"((?:^    .+\n)+)", page(language), re.MULTILINE)
    stages = ("stage sides", "stage layout, toss first", "stage layout, toss first", "")

    assert len(blocks) == len(stages)
    for block, stage in zip(blocks, stages, strict=True):
        lines = [line.strip() for line in block.splitlines()]
        reading = RULES.read(seen(stage), (), lines, language)
        taken = sorted(place for order in reading.orders for place in order.lines)
        assert (taken, reading.complaints) == (list(range(len(lines))), ())
