"""Games recorded by an earlier program resolve byte for byte the same (fair-play 7)."""

from __future__ import annotations

import json

import pytest

from engine.core.registry import ruleset
from tests.engine.recorded_games import editions, path_of, replay


@pytest.mark.parametrize(("name", "edition"), list(editions()))
def test_recorded_game_resolves_the_same(name: str, edition: str) -> None:
    lines = [json.loads(line) for line in path_of(name, edition).read_text("utf-8").splitlines()]

    assert ruleset(name).info.revision >= lines[0]["revision"]
    assert len(lines) > 10
    assert replay(ruleset(name), lines) == [line["digest"] for line in lines[1:]]
