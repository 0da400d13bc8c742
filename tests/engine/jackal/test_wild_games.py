"""Games of players who try anything keep every law of the page (5.7), whatever the edition and the switches."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.jackal.options import EDITIONS
from tests.engine.jackal.laws import check
from tests.engine.jackal.soak import options_of, play
from tests.engine.jackal.wild import play_wildly

SHARE = 60
"""So many games of the five thousand are played in every run of the tests."""

GAMES = [
    ("tl", 2, {}),
    ("ti", 3, {"cave_blocked": "locked"}),
    ("oe", 4, {"forced_load": "drop"}),
    ("cl", 4, {"teams": "yes"}),
    ("tl", 3, {"mode": "round", "actions_per_round": 2, "share_peeks": "yes"}),
]


@pytest.mark.parametrize(("edition", "players", "switches"), GAMES)
def test_wild_game_keeps_the_laws_after_every_slot(edition: str, players: int, switches: dict[str, Any]) -> None:
    options = msgspec.structs.replace(EDITIONS[edition], **{"mode": "strict", **switches})

    end = play_wildly(options, players, f"wild-{edition}", check, turns=400)

    assert end.turn > 20


@pytest.mark.parametrize("number", range(0, 17 * SHARE, 17))
def test_game_of_every_kind_keeps_the_laws(number: int) -> None:
    """A share of what `tests.engine.jackal.soak` plays: all editions, numbers of players and modes (17 is prime)."""
    played = play("share", number)

    assert played.turns > 10
    assert played.views > 0


def test_share_has_every_kind_of_game() -> None:
    kinds = [options_of(number) for number in range(0, 17 * SHARE, 17)]

    assert {options.mode for options, _, _ in kinds} == {"round", "strict"}
    assert {(players, options.teams) for options, players, _ in kinds} == {(2, "no"), (3, "no"), (4, "no"), (4, "yes")}
    assert {options.tileset for options, _, _ in kinds} == {"ti117", "classic117", "ti_plus"}
    assert {wild for _, _, wild in kinds} == {True, False}
