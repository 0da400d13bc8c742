"""Every rule, ruling and switch of «Поднять паруса!» has a case, and every case names rules there are."""

from __future__ import annotations

import typing
from pathlib import Path

import msgspec

from engine.core.cases import Case, parse
from engine.set_sail.options import SetSailOptions

FOLDER = Path(__file__).parents[2] / "cases" / "set_sail"
RULES = {f"P{number}" for number in range(1, 50)} | {f"A{number}" for number in range(1, 64)}


def cases() -> list[Case]:
    def read(name: str) -> str:
        return (FOLDER / name).read_text("utf-8")

    return [case for path in sorted(FOLDER.glob("*.case")) for case in parse(read(path.name), read)]


def test_every_rule_and_ruling_has_a_case() -> None:
    named = {rule for case in cases() for rule in case.rules}

    assert sorted(RULES - named) == []


def test_every_case_names_rules_of_the_page_and_ids_are_unique() -> None:
    found = cases()

    assert [case.id for case in found if not case.rules] == []
    assert [rule for case in found for rule in case.rules if rule not in RULES] == []
    assert len({case.id for case in found}) == len(found)


def test_the_thirty_worked_cases_of_the_page_are_played() -> None:
    worked = [case.id for case in cases() if case.id.startswith("W")]

    assert worked == [f"W{number:02}" for number in range(1, 31)]


def test_every_value_of_every_switch_has_a_case() -> None:
    chosen = {(key, value) for case in cases() for key, value in case.options.items()}

    missing = [
        (field.name, value)
        for field in msgspec.structs.fields(SetSailOptions)
        for value in typing.get_args(typing.get_type_hints(SetSailOptions)[field.name])
        if (field.name, value) not in chosen
    ]

    assert missing == []
