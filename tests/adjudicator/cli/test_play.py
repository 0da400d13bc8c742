"""``selfplay``: bots through the engine alone, one object."""

from __future__ import annotations

import json
from pathlib import Path

from engine.core.registry import rulesets
from tests.adjudicator.cli.commands import adjudicator


def test_selfplay_prints_one_object_that_the_seed_decides(tmp_path: Path) -> None:
    words = ("selfplay", "pirates", "--games", 3, "--seed", "autumn", "--players", 2, "--edition", "by-side", "--json")

    first, second = (json.loads(adjudicator(tmp_path, *words).stdout) for _ in range(2))

    assert list(first) == ["games", "finished", "outcomes", "turns", "actions_per_second"]
    assert (first["games"], first["finished"], sum(first["outcomes"].values())) == (3, 3, 3)
    assert list(first["turns"]) == ["min", "median", "max"]
    assert first["actions_per_second"] > 0
    assert {**first, "actions_per_second": 0} == {**second, "actions_per_second": 0}


def test_selfplay_tells_a_person_the_same(tmp_path: Path) -> None:
    result = adjudicator(tmp_path, "selfplay", "pirates", "--games", 2, "--players", 2, language="ru")

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines()[0] == "Сыграно 2, окончено 2."


def test_selfplay_refuses_players_that_cannot_be(tmp_path: Path) -> None:
    result = adjudicator(tmp_path, "selfplay", "pirates", "--players", 1)

    assert (result.exit_code, result.stderr) == (1, "✗ 1 cannot play it. From and to: 2, 9.\n")


def test_selfplay_names_the_rulesets_there_are(tmp_path: Path) -> None:
    result = adjudicator(tmp_path, "selfplay", "chess")

    known = ", ".join(rulesets())
    assert (result.exit_code, result.stderr) == (1, f"✗ There is no ruleset “chess”. Known: {known}.\n")
