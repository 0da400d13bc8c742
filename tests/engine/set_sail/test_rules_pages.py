"""The rules as sent to players: every rule, switch and edition in both languages, and examples that can be sent."""

from __future__ import annotations

import re
from importlib import resources
from typing import get_args, get_type_hints

import pytest

from engine.core.contract import Language
from engine.set_sail import RULESET
from engine.set_sail.notation import read_position
from engine.set_sail.options import EDITIONS, SetSailOptions

LANGUAGES: tuple[Language, ...] = ("ru", "en")
every_language = pytest.mark.parametrize("language", LANGUAGES)


def rules(language: str) -> str:
    return (resources.files("engine.set_sail") / f"rules.{language}.md").read_text("utf-8")


def topics(language: str) -> list[list[str]]:
    found = re.findall(r"^\*(?:Тема|Topic): (.+)\*$", rules(language), re.MULTILINE)
    return [topic.split(", ") for topic in found]


@every_language
def test_rules_stand_in_their_order(language: str) -> None:
    numbers = [int(number) for number in re.findall(r"^\*\*P(\d+)\.\*\* \S", rules(language), re.MULTILINE)]

    assert numbers == list(range(1, 50))


@every_language
def test_rules_fit_a_mail(language: str) -> None:
    assert [line for line in rules(language).splitlines() if len(line) > 76] == []


@every_language
def test_every_switch_and_value_is_described(language: str) -> None:
    lines = re.findall(r"^- `(\w+)`:(.+?)(?=^- |\Z)", rules(language), re.MULTILINE | re.DOTALL)
    described = {name: re.findall(r"`(\w+)`", text) for name, text in lines}
    hints = get_type_hints(SetSailOptions)

    assert {name: sorted(values) for name, values in described.items()} == {
        name: sorted(get_args(hints[name])) for name in SetSailOptions.__struct_fields__
    }


@every_language
def test_every_edition_is_named(language: str) -> None:
    assert [name for name in EDITIONS if f"`{name}`" not in rules(language)] == []


def test_sections_and_topics_are_the_same_in_both_languages() -> None:
    assert [topic[-1] for topic in topics("ru")] == [
        next(word for word in topic if word in topics("ru")[place]) for place, topic in enumerate(topics("en"))
    ]
    assert len(topics("ru")) == len(re.findall(r"^## ", rules("ru"), re.MULTILINE))


@every_language
def test_examples_can_be_sent_as_they_stand(language: Language) -> None:
    state = read_position("pirate-1 F3", SetSailOptions(), ("pirate-1", "pirate-2"), None)
    view = RULESET.view(state, "pirate-1")
    examples = [line.strip() for line in rules(language).splitlines() if line.startswith("    ")]

    for line in examples:
        reading = RULESET.read(view, (), [line], language)
        assert (len(reading.orders), reading.complaints, reading.prose) == (1, (), ()), line
    assert len(examples) == 4
