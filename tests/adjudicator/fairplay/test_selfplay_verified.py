"""Many games of bots end in time, and each is played again from its log alone (``make selfplay``: 1,000 of them)."""

from __future__ import annotations

import os
from collections import Counter
from statistics import median

import pytest

from adjudicator.fairplay.sources import read_source
from adjudicator.fairplay.verify import verify
from engine.core.registry import ruleset, rulesets
from tests.adjudicator.fairplay.bots import PIRATES, bot_game

GAMES = int(os.environ.get("SELFPLAY_GAMES", "12"))
EDITION = next(iter(PIRATES.info.editions))
ROUNDS = 60
JACKAL = ruleset("jackal")
JACKAL_GAMES = max(4, GAMES // 10)
"""Games of «Шакал» are ten times as long."""


def test_selfplay_games_end_in_time_and_are_replayed_from_their_logs(capsys: pytest.CaptureFixture[str]) -> None:
    least, most = PIRATES.info.seats
    rounds: list[int] = []
    winners: Counter[tuple[str, ...]] = Counter()
    for number in range(GAMES):
        game = bot_game(EDITION, least + number % (most - least + 1), f"selfplay {number}")
        report = verify(read_source("log.jsonl", game.file()), rulesets())
        outcome = None if game.state is None else PIRATES.outcome(game.state)

        turns = [None, *range(game.turn)]
        assert (number, report.faults, report.sealed, report.finished) == (number, (), (), True)
        assert [(turn.turn, turn.verdict) for turn in report.turns] == [(turn, "replayed") for turn in turns]
        assert outcome is not None, f"game {number} has no outcome"
        rounds.append(game.turn - 1)
        winners[outcome.sides] += 1

    assert max(rounds) <= ROUNDS
    with capsys.disabled():
        shares = ", ".join(f"{'/'.join(sides) or 'nobody'} {won / GAMES:.0%}" for sides, won in winners.most_common())
        print(f"\n{GAMES} games replayed; rounds {min(rounds)} to {max(rounds)}, median {median(rounds):.0f}; {shares}")


def test_selfplay_games_of_jackal_end_by_their_rules_and_are_replayed_from_their_logs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    editions = list(JACKAL.info.editions)
    least, most = JACKAL.info.seats
    rounds: list[int] = []
    reasons: Counter[str] = Counter()
    for number in range(JACKAL_GAMES):
        players = least + number % (most - least + 1)
        game = bot_game(editions[number % len(editions)], players, f"selfplay {number}", JACKAL)
        report = verify(read_source("log.jsonl", game.file()), rulesets())
        outcome = None if game.state is None else JACKAL.outcome(game.state)

        turns = [None, *range(1, game.turn)]
        assert (number, report.faults, report.sealed, report.finished) == (number, (), (), True)
        assert [(turn.turn, turn.verdict) for turn in report.turns] == [(turn, "replayed") for turn in turns]
        assert outcome is not None, f"game {number} has no outcome"
        assert outcome.rule.startswith("J11")
        rounds.append(game.turn - 1)
        reasons[outcome.reason] += 1

    with capsys.disabled():
        shares = ", ".join(f"{reason} {number / JACKAL_GAMES:.0%}" for reason, number in reasons.most_common())
        print(f"\n{JACKAL_GAMES} games replayed; rounds {min(rounds)} to {max(rounds)}; {shares}")
