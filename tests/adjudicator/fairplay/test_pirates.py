"""Whole games of «Пираты» between bots, kept and checked: replayed at the end, and only from the gold on before it."""

from __future__ import annotations

from functools import cache

import pytest

from adjudicator.fairplay.scribe import Scribe
from adjudicator.fairplay.sources import read_source
from adjudicator.fairplay.verify import Report, verify
from engine.core.registry import rulesets
from tests.adjudicator.fairplay.bots import PIRATES, bot_game

EDITIONS = sorted(PIRATES.info.editions)


@cache
def played(edition: str, players: int) -> Scribe:
    """Give a finished game, played once for all tests that look at it."""
    return bot_game(edition, players, f"{edition} {players}")


def check(log: bytes) -> Report:
    return verify(read_source("log.jsonl", log), rulesets())


@pytest.mark.parametrize(("edition", "players"), [(edition, 2 + 3 * n % 8) for n, edition in enumerate(EDITIONS)])
def test_finished_game_is_replayed_to_its_last_turn(edition: str, players: int) -> None:
    report = check(played(edition, players).file())

    assert report.faults == ()
    assert {turn.verdict for turn in report.turns} == {"replayed"}
    assert (report.ruleset, report.sealed, report.finished) == ("pirates", (), True)


def test_turns_are_checked_by_dice_alone_while_the_gold_is_sealed() -> None:
    game = played(EDITIONS[0], 5)

    report = check(game.file(lambda opening: opening.part != "gold"))

    assert report.faults == ()
    assert [turn.verdict for turn in report.turns[:2]] == ["replayed", "dice checked"]
    assert {turn.verdict for turn in report.turns[1:]} == {"dice checked"}
    assert {sealed.part for sealed in report.sealed} == {"gold"}


def test_position_of_a_ship_that_was_forged_is_found_by_playing_again() -> None:
    game = played(EDITIONS[0], 5)
    log = game.file()
    result = next(event for event in game.events if event["type"] == "result" and event["turn"] == 3)
    moved = next(event for event in result["events"] if "cell" in event or "to" in event)
    field = "to" if "to" in moved else "cell"
    old = f'"{field}":"{moved[field]}"'.encode()
    lines = log.split(b"\n")
    assert old in lines[result["seq"] - 1]
    lines[result["seq"] - 1] = lines[result["seq"] - 1].replace(old, f'"{field}":"A18"'.encode(), 1)

    report = check(b"\n".join(lines))

    assert ("events", result["seq"]) in [(fault.kind, fault.place.line) for fault in report.faults if fault.place]
