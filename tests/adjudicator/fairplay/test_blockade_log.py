"""Whole games of «Блокада» are played again from their logs; of an open turn everything is told with its result."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from hashlib import sha256

import pytest

from adjudicator.fairplay.scribe import Scribe
from adjudicator.fairplay.sources import read_source
from adjudicator.fairplay.verify import verify
from engine.core.contract import Question, Seat, Sheet
from engine.core.registry import ruleset, rulesets
from engine.core.selfplay import Chance

BLOCKADE = ruleset("blockade")
GAMES = min(int(os.environ.get("SELFPLAY_GAMES", "6")), 200)


def played(edition: str, seed: str) -> Scribe:
    """Play a game of bots to its end."""
    secret = sha256(seed.encode()).digest()
    game = Scribe(
        BLOCKADE,
        BLOCKADE.info.editions[edition],
        2,
        campaign="blockade-2-5fd20c1e",
        secret=secret,
        began=datetime(2026, 1, 5, 18, tzinfo=UTC),
        edition=edition,
        batches=512,
    )
    for number in range(2):
        game.join(None, f"соль {number}")
    game.start()
    choose = Chance(secret)
    while game.state is not None and BLOCKADE.outcome(game.state) is None:
        game.play(_orders(game, choose), answer=_answer)
    game.finish()
    return game


def _orders(game: Scribe, choose: Chance) -> dict[Seat, Sheet]:
    assert game.state is not None
    views = {seat: BLOCKADE.view(game.state, seat) for seat in game.seats}
    owing = {slot.seat for view in views.values() for slot in BLOCKADE.owed(view) if not slot.optional}
    return {seat: BLOCKADE.bot(view, choose) for seat, view in views.items() if seat in owing}


def _answer(question: Question) -> str:
    return question.unanswered[0]


@pytest.mark.parametrize("number", range(GAMES))
def test_whole_game_is_replayed_from_its_log(number: int) -> None:
    game = played("strict" if number % 3 == 2 else "sealed", f"log {number}")

    report = verify(read_source("log.jsonl", game.file()), rulesets())

    assert (report.faults, report.sealed, report.finished) == ((), (), True)
    assert {turn.verdict for turn in report.turns} == {"replayed"}


def test_strict_game_keeps_its_questions_in_the_log() -> None:
    game = played("strict", "one")

    assert [event for event in game.events if event.get("type") == "question"]
