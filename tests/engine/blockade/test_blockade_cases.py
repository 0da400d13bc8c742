"""Every rule, ruling and value of every switch of «Блокада» has a case; every case names rules there are."""

from __future__ import annotations

import re
import typing
from pathlib import Path

import msgspec

from engine.blockade.options import BlockadeOptions
from engine.core.cases import Case, parse

FOLDER = Path(__file__).parents[2] / "cases" / "blockade"
RULES = {f"B{number}" for number in range(1, 24)} | {f"D{number}" for number in range(1, 19)}
PAGE = (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 16, 17, 18, 19, 21, 22, 24, 27, 28, 29, 30, 33, 35)
"""Numbers of the cases of the page (2.6)."""


def cases() -> list[Case]:
    return [case for path in sorted(FOLDER.glob("*.case")) for case in parse(path.read_text("utf-8"))]


def test_every_rule_and_ruling_has_a_case() -> None:
    named = {rule for case in cases() for rule in case.rules}

    assert sorted(RULES - named) == []


def test_every_case_names_rules_of_the_page_and_ids_are_unique() -> None:
    found = cases()

    assert [case.id for case in found if not case.rules] == []
    assert [rule for case in found for rule in case.rules if rule not in RULES] == []
    assert len({case.id for case in found}) == len(found)


def test_every_case_of_the_page_is_there() -> None:
    ids = [match for case in cases() if (match := re.fullmatch(r"BT(\d\d)[a-g]?", case.id))]

    assert sorted({int(match[1]) for match in ids}) == list(PAGE)


def test_every_value_of_every_switch_has_a_case() -> None:
    chosen = {(key, value) for case in cases() for key, value in case.options.items()}

    missing = [
        (field.name, value)
        for field in msgspec.structs.fields(BlockadeOptions)
        for value in values_of(field.name)
        if (field.name, value) not in chosen
    ]

    assert missing == []


def values_of(name: str) -> tuple[object, ...]:
    return (60, 1) if name == "limit" else typing.get_args(typing.get_type_hints(BlockadeOptions)[name])
