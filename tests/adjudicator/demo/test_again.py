"""The same seed gives the same game, to the byte of its log; another seed another one."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.demo.cast import company
from adjudicator.demo.chance import Chance
from adjudicator.demo.harbour import Harbour, OpenTurn
from adjudicator.demo.troupe import Troupe
from adjudicator.demo.voyage import Voyage

pytestmark = pytest.mark.xdist_group("demo")


class Enough(Exception):
    """The first turn is open: the lot for seats, the gold and a wind are in the log."""


def until_the_first_turn(turn: OpenTurn | None) -> None:
    if turn is not None and turn.number == 1:
        raise Enough


def log_of(folder: Path, seed: str) -> bytes:
    folder.mkdir()
    with Harbour(folder, seed, company(2), "ru") as harbour:
        with pytest.raises(Enough):
            Voyage(harbour, Troupe(harbour, Chance(seed)), until_the_first_turn, lambda _: None).sail()
        return harbour.log()


def test_the_same_seed_gives_the_same_log(tmp_path: Path) -> None:
    log = log_of(tmp_path / "once", "demo")
    assert log_of(tmp_path / "again", "demo") == log
    assert log_of(tmp_path / "other", "other") != log
