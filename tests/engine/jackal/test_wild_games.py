"""Games of players who try anything keep every law of the page (5.7), whatever the edition and the switches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from engine.core.codec import encode
from engine.core.contract import MODERATOR, PUBLIC, Resolution, Seat, Sheet
from engine.jackal.isle import ISLE
from engine.jackal.options import EDITIONS
from engine.jackal.state import JackalState
from engine.jackal.tiles import OPEN
from engine.jackal.view import view
from tests.engine.jackal.wild import check, play_wildly

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


def test_views_do_not_depend_on_what_lies_closed() -> None:
    """Two closed tiles change places: whoever has not peeked sees the same to the byte."""
    compared = 0

    def look(before: JackalState, result: Resolution, sheets: Mapping[Seat, Sheet]) -> None:
        nonlocal compared
        state = result.state
        assert isinstance(state, JackalState)
        closed = [cell for cell in ISLE.land if not state.tiles[cell] & OPEN]
        if len(closed) < 2 or state.turn % 9:
            return
        one, other = closed[0], closed[-1]
        tiles = list(state.tiles)
        tiles[one], tiles[other] = tiles[other], tiles[one]
        twin = msgspec.structs.replace(state, tiles=tuple(tiles))
        for seat in (*state.roster, PUBLIC, MODERATOR):
            assert encode(view(state, seat)) == encode(view(twin, seat))
            compared += 1

    play_wildly(msgspec.structs.replace(EDITIONS["tl"], mode="strict"), 4, "secret", look, turns=200)

    assert compared > 50
