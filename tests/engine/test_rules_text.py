"""The rules as sent to players: every rule, option, value and topic stands in both languages."""

from __future__ import annotations

import re
from importlib import resources
from typing import get_args, get_type_hints

import pytest

from engine.core.registry import rulesets
from engine.pirates.options import EDITIONS, PiratesOptions
from engine.pirates.orders import read
from tests.engine.pirates.orders_position import at_sea, set_up

LANGUAGES = ("ru", "en")


def rules(language: str, ruleset: str = "pirates") -> str:
    return (resources.files(f"engine.{ruleset}") / f"rules.{language}.md").read_text("utf-8")


def rule(number: int, language: str) -> str:
    found = [block for block in rules(language).split("\n\n") if block.startswith(f"**P{number}.** ")]
    assert len(found) == 1, f"P{number} stands {len(found)} times in {language}"
    return found[0]


def topics(language: str) -> list[str]:
    return re.findall(r"^\*(?:Тема|Topic): (.+)\*$", rules(language), re.MULTILINE)


@pytest.mark.parametrize("name", list(rulesets()))
def test_rules_are_shipped_in_both_languages(name: str) -> None:
    assert all(rules(language, name).startswith("# ") for language in LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("number", range(1, 41))
def test_rule_has_one_text_of_its_own(number: int, language: str) -> None:
    assert len(rule(number, language)) > 30


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_stand_in_their_order(language: str) -> None:
    numbers = [int(number) for number in re.findall(r"^\*\*P(\d+)\.\*\*", rules(language), re.MULTILINE)]

    assert numbers == list(range(1, 41))


@pytest.mark.parametrize("name", list(rulesets()))
def test_both_languages_have_the_same_rules_in_the_same_order(name: str) -> None:
    russian, english = (
        re.findall(r"^\*\*([A-Z0-9][0-9.]*)\.\*\* ", rules(one, name), re.MULTILINE) for one in LANGUAGES
    )

    assert russian == english
    assert 0 < len(set(russian)) == len(russian)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", list(rulesets()))
def test_rules_fit_a_mail(name: str, language: str) -> None:
    assert [line for line in rules(language, name).splitlines() if len(line) > 76] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_section_names_its_topic(language: str) -> None:
    sections = re.findall(r"^## .+$", rules(language), re.MULTILINE)

    assert len(topics(language)) == len(sections) == 13


def test_sections_stand_in_the_same_order_in_both_languages() -> None:
    english = [line.split(", ")[0] for line in topics("en")]

    assert [line.split(", ")[-1] for line in topics("ru")] == english


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_and_value_is_described(language: str) -> None:
    lines = re.findall(r"^- `(\w+)`:(.+?)(?=^- |\Z)", rules(language), re.MULTILINE | re.DOTALL)
    described = {name: set(re.findall(r"`([\w]+)`", text)) for name, text in lines}
    hints = get_type_hints(PiratesOptions)
    fields = list(PiratesOptions.__struct_fields__)

    assert [name for name, _ in lines] == fields
    for name in fields:
        literals = {value for value in get_args(hints[name]) if isinstance(value, str)}
        assert literals <= described[name], name
        assert str(getattr(PiratesOptions(), name)) in described[name], name


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_edition_is_named(language: str) -> None:
    assert [name for name in EDITIONS if f"`{name}`" not in rules(language)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_example_orders_of_the_rules_can_be_sent_as_they_stand(language: str) -> None:
    examples = [line.strip() for line in rules(language).splitlines() if line.startswith("    ")]
    galleon = at_sea("spain-1")

    for line in examples:
        view = galleon if " 2: " in line else at_sea("pirates-1")
        reading = read(view, (), [line], "ru" if language == "ru" else "en")
        assert (len(reading.orders), reading.complaints) == (1, ()), line
    assert len(examples) == 5


def test_set_up_examples_of_the_rules_can_be_sent_as_they_stand() -> None:
    view = set_up("spain-1")

    for line in ("золото 2", "золото жребий", "gold 2", "gold lot"):
        assert line in rules("ru") + rules("en")
        assert len(read(view, (), [line], "ru").orders) == 1


def test_the_ship_of_the_gold_is_spelt_as_in_the_source() -> None:
    assert "галеон" not in rules("ru").casefold()
