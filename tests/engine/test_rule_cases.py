"""Every rule case of every ruleset holds; every rule, ruling and option value of «Пираты» has one."""

from __future__ import annotations

import re
import typing
from pathlib import Path

import msgspec
import pytest

from engine.core.cases import Case, CaseSyntaxError, Verdict, parse, run
from engine.pirates.options import PiratesOptions

FOLDER = Path(__file__).parent.parent / "cases"


def cases_of(ruleset: str) -> list[Case]:
    found: list[Case] = []
    for path in sorted((FOLDER / ruleset).glob("*.case")):
        found += parse(path.read_text("utf-8"), lambda name: (FOLDER / ruleset / name).read_text("utf-8"))
    return found


def all_cases() -> list[Case]:
    return [case for folder in sorted(FOLDER.iterdir()) if folder.is_dir() for case in cases_of(folder.name)]


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: f"{case.ruleset}-{case.id} {case.title}")
def test_case_holds(case: Case) -> None:
    assert run(case) == Verdict(ok=True)


def test_every_rule_and_ruling_of_pirates_has_a_case() -> None:
    named = {rule for case in cases_of("pirates") for rule in case.rules}
    rules = {f"P{number}" for number in range(1, 41)} | {f"A{number}" for number in range(1, 28)}

    assert sorted(rules - named) == []


def test_every_case_of_pirates_names_rules_there_are() -> None:
    rules = {f"P{number}" for number in range(1, 41)} | {f"A{number}" for number in range(1, 28)}

    for case in cases_of("pirates"):
        assert case.rules, case.id
        assert [rule for rule in case.rules if rule not in rules] == [], case.id


def test_ids_of_cases_are_unique_in_a_ruleset() -> None:
    ids = [case.id for case in cases_of("pirates")]

    assert len(ids) == len(set(ids))


def test_every_value_of_every_option_of_pirates_has_a_case() -> None:
    chosen = {(key, value) for case in cases_of("pirates") for key, value in case.options.items()}

    missing = [
        (field.name, value)
        for field in msgspec.structs.fields(PiratesOptions)
        for value in values_of(field.name)
        if (field.name, value) not in chosen
    ]

    assert missing == []


def values_of(name: str) -> tuple[object, ...]:
    if name in {"calm", "hurricane"}:
        return (0, 1, 2)
    if name == "limit":
        return (60,)
    if name == "board":
        return ("atlantic",)
    return typing.get_args(typing.get_type_hints(PiratesOptions)[name])


HEAD = "ruleset pirates\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("=== A1 no head [P1]\n--- start\n", 1),
        (HEAD + "data x.toml\n", 2),
        (HEAD + "=== A1\n", 2),
        (HEAD + "=== A1 title [P1]\nstray\n", 3),
        (HEAD + "=== A1 title [P1]\n--- unknown\n", 3),
        (HEAD + "=== A1 title [P1]\n--- options\nmode sealed\n", 3),
        (HEAD + "=== A1 title [P1]\n=== A1 again [P1]\n", 2),
    ],
)
def test_parse_names_the_line_of_a_bad_file(text: str, line: int) -> None:
    with pytest.raises(CaseSyntaxError) as caught:
        parse(text)

    assert caught.value.line == line


def verdict(body: str) -> Verdict:
    text = "ruleset pirates\ndata drill.toml\n=== X1 title [P1]\n" + body
    [case] = parse(text, lambda name: (FOLDER / "pirates" / name).read_text("utf-8"))
    return run(case)


def test_run_says_what_became_of_a_ship_instead() -> None:
    found = verdict("--- position\n1G E3; wind W fresh\n--- orders spain-1\n1: курс В 2\n--- then\n1 E4\n")

    assert found == Verdict(ok=False, why="ship 1: cell is 'E5', not 'E4'")


def test_run_fails_when_an_unnamed_ship_moved() -> None:
    found = verdict("--- position\n1G E3, 2G F3; wind W fresh\n--- orders spain-1\n2: курс В 2\n--- then\n1 E3\n")

    assert found == Verdict(ok=False, why="ship 2: cell is 'F5', not 'F3'")


def test_run_fails_on_a_die_nobody_loaded() -> None:
    found = verdict("--- position\n1G E3, 4B E4\n--- orders spain-1\n1: огонь до 4\n--- then\n1 E3\n")

    assert not found.ok
    assert "UnplannedThrow" in found.why


def test_run_fails_on_a_die_nobody_threw() -> None:
    found = verdict("--- position\n1G E3\n--- dice\nship1/o1/main/0 = 1\n")

    assert found == Verdict(ok=False, why="dice loaded and not thrown: ship1/o1/main/0")


def test_run_fails_on_a_complaint_nobody_expected() -> None:
    found = verdict("--- position\n1G E3, 4B E5\n--- orders spain-1\n4: стоять\n--- then\n1 E3\n")

    assert not found.ok
    assert "not-your-ship" in found.why


def test_run_fails_on_events_too_many() -> None:
    found = verdict("--- position\n1G E3; wind W fresh\n--- orders spain-1\n1: курс В 2\n--- events\nno ship-moved\n")

    assert not found.ok
    assert re.search("ship-moved", found.why)


def test_run_fails_when_the_game_ends_and_the_case_does_not_say_so() -> None:
    found = verdict("--- position\n1G* I2, 4B A1\n--- orders spain-1\n1: курс З 1\n--- then\n1 I1, gold open\n")

    assert found == Verdict(ok=False, why="outcome is «spain gold-home spain-1», not «none»")


def test_run_fails_when_a_view_shows_too_much() -> None:
    found = verdict("--- position\n1G* E3, 4B A1\n--- view spain-1\ngold = 0\n")

    assert found == Verdict(ok=False, why="spain-1 sees gold = 1, not 0")


def test_run_refuses_a_position_that_cannot_be() -> None:
    found = verdict("--- position\n1G J3, 4B A1\n--- then\n1 J3\n")

    assert found == Verdict(ok=False, why="ValueError: ship 1 cannot be in J3")
