"""Every value of every switch of «Шакал» has a case, and every case names rules there are."""

from __future__ import annotations

import re
import typing
from pathlib import Path

import msgspec

import engine.jackal
from engine.core.cases import Case, parse
from engine.jackal.options import JackalOptions

FOLDER = Path(__file__).parents[2] / "cases" / "jackal"
PAGE = Path(engine.jackal.__path__[0]) / "rules.en.md"
NUMBERED = re.compile(r"^\*\*(J[0-9.]+)\.\*\* ", re.MULTILINE)
RULINGS = {f"R{number:02}" for number in range(1, 65)} - {"R33"}
"""The numbers of the rulings; there is no R-33."""
NOT_OURS = {
    "R60": "the bear of «Архипелаг»",
    "R61": "the bottle tiles of «Архипелаг»",
    "R62": "drawings of «Архипелаг»",
    "R63": "the speed of its ships",
    "R64": "its musket",
}
"""Rulings without a case, and why."""
RULE = re.compile(r"J([1-9]|1[0-2])\.[0-9]+|R(0[1-9]|[1-5][0-9]|6[0-4])")


def cases() -> list[Case]:
    return [case for path in sorted(FOLDER.glob("*.case")) for case in parse(path.read_text("utf-8"))]


def test_every_value_of_every_switch_has_a_case() -> None:
    chosen = {(key, value) for case in cases() for key, value in case.options.items()}

    missing = [
        (field.name, value)
        for field in msgspec.structs.fields(JackalOptions)
        for value in values_of(field.name)
        if (field.name, value) not in chosen
    ]

    assert missing == []


def values_of(name: str) -> tuple[object, ...]:
    if name == "actions_per_round":
        return (1, 2, 3)
    return typing.get_args(typing.get_type_hints(JackalOptions)[name])


def test_every_case_names_rules_of_the_page_and_ids_are_unique() -> None:
    found = cases()

    assert [case.id for case in found if not case.rules] == []
    assert [rule for case in found for rule in case.rules if not RULE.fullmatch(rule)] == []
    assert len({case.id for case in found}) == len(found)


def test_every_rule_and_ruling_is_named_by_a_case_or_is_not_ours() -> None:
    named = {rule for case in cases() for rule in case.rules}
    rules = set(NUMBERED.findall(PAGE.read_text("utf-8")))

    assert len(rules) == 104
    assert sorted((rules | RULINGS) - named) == sorted(NOT_OURS)
