"""Every value of every switch of «Шакал» has a case, and every case names rules there are."""

from __future__ import annotations

import re
import typing
from pathlib import Path

import msgspec

from engine.core.cases import Case, parse
from engine.jackal.options import JackalOptions

FOLDER = Path(__file__).parents[2] / "cases" / "jackal"
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
