"""Whole games between bots, with the log that the service would keep of them."""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256

from adjudicator.fairplay.scribe import Scribe
from engine.core.contract import MODERATOR, Ruleset, Seat, Sheet
from engine.core.registry import ruleset
from engine.core.selfplay import Chance

PIRATES = ruleset("pirates")


def bot_game(edition: str, players: int, seed: str, rules: Ruleset = PIRATES) -> Scribe:
    """Play a game of bots to its end; the same seed plays the same game. Questions get their default."""
    secret = sha256(seed.encode()).digest()
    game = Scribe(
        rules,
        rules.info.editions[edition],
        players,
        campaign=f"{rules.info.name}-{players}-5fd20c1e",
        secret=secret,
        began=datetime(2026, 1, 5, 18, tzinfo=UTC),
        edition=edition,
        batches=512,
    )
    for number in range(players):
        game.join(None, f"соль {number}")
    game.start()
    choose = Chance(secret)
    while game.state is not None and rules.outcome(game.state) is None:
        game.play(_orders(game, choose, rules), answer=lambda question: question.default)
    game.finish()
    return game


def _orders(game: Scribe, choose: Chance, rules: Ruleset) -> dict[Seat, Sheet]:
    assert game.state is not None
    sheets = {}
    for seat in (*game.seats, MODERATOR):
        view = rules.view(game.state, seat)
        if any(slot.seat == seat and not slot.optional for slot in rules.owed(view)):
            sheets[seat] = rules.bot(view, choose)
    return sheets
