"""«правила N» finds a rule by its number, whatever letter its ruleset gives it, or a section by its topic."""

from __future__ import annotations

from importlib import resources

import pytest

from adjudicator.services.answers import part_of


def text(ruleset: str) -> str:
    return (resources.files(f"engine.{ruleset}") / "rules.ru.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("ruleset", "topic", "begins"),
    [
        ("pirates", "P18", "**P18.** "),
        ("pirates", "п18", "**P18.** "),
        ("pirates", "p1", "**P1.** "),
        ("jackal", "J6.4", "**J6.4.** "),
        ("jackal", "j8.02", "**J8.02.** "),
        ("jackal", "r28", "**R28.** "),
        ("jackal", "5.2", "**5.2.** "),
    ],
)
def test_rule_is_found_by_its_number(ruleset: str, topic: str, begins: str) -> None:
    found = part_of(text(ruleset), topic)

    assert found.startswith(begins)
    assert "\n\n" not in found


@pytest.mark.parametrize(
    ("ruleset", "topic", "begins"),
    [("pirates", "ветер", "## Ветер"), ("jackal", "ром", "## Обитатели и ром")],
)
def test_section_is_found_by_its_topic(ruleset: str, topic: str, begins: str) -> None:
    assert part_of(text(ruleset), topic).startswith(begins)


def test_what_is_neither_is_found_nowhere() -> None:
    assert part_of(text("jackal"), "J99.9") == ""
    assert part_of(text("pirates"), "P180") == ""
