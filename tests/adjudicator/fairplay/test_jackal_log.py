"""A whole game of «Шакал» is played again from its log; until its end the log keeps the deck to itself."""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256

from adjudicator.fairplay.scribe import Scribe
from adjudicator.fairplay.sources import read_source
from adjudicator.fairplay.verify import verify
from engine.core.codec import encode
from engine.core.contract import Question, Seat, Sheet
from engine.core.registry import ruleset, rulesets
from engine.core.selfplay import Chance
from engine.jackal.rules.setup import DECK_STREAM
from engine.jackal.state import JackalState

JACKAL = ruleset("jackal")


def begun(edition: str, players: int, seed: str) -> Scribe:
    game = Scribe(
        JACKAL,
        JACKAL.info.editions[edition],
        players,
        campaign=f"jackal-{players}-5fd20c1e",
        secret=sha256(seed.encode()).digest(),
        began=datetime(2026, 1, 5, 18, tzinfo=UTC),
        edition=edition,
        batches=1024,
    )
    for number in range(players):
        game.join(None, f"соль {number}")
    game.start()
    return game


def play_on(game: Scribe, turns: int) -> None:
    choose = Chance(game.book.campaign.encode())
    for _ in range(turns):
        if game.state is None or JACKAL.outcome(game.state) is not None:
            return
        game.play(_orders(game, choose), answer=_answer)


def _orders(game: Scribe, choose: Chance) -> dict[Seat, Sheet]:
    assert game.state is not None
    views = {seat: JACKAL.view(game.state, seat) for seat in game.seats}
    owing = {slot.seat for view in views.values() for slot in JACKAL.owed(view) if not slot.optional}
    return {seat: JACKAL.bot(view, choose) for seat, view in views.items() if seat in owing}


def _answer(question: Question) -> str:
    return question.choices[0].word if question.choices else question.default


def test_whole_game_with_its_questions_is_replayed_from_its_log() -> None:
    game = begun("tl", 2, "replay 4")
    play_on(game, 1000)
    game.finish()

    report = verify(read_source("log.jsonl", game.file()), rulesets())

    assert (report.faults, report.sealed, report.finished) == ((), (), True)
    assert {turn.verdict for turn in report.turns} == {"replayed"}
    assert [event for event in game.events if event.get("type") == "question"]


def test_log_told_in_mid_game_holds_no_die_of_the_deck_and_no_closed_tile() -> None:
    game = begun("tl", 2, "secret")
    play_on(game, 12)
    assert isinstance(game.state, JackalState)

    public = game.file(lambda _: False)
    everything = game.file()

    assert b"gm/deck/" in everything
    assert b"gm/deck/" not in public
    assert encode(game.state.tiles).encode() not in everything
    assert f'"{DECK_STREAM}"'.encode() in public
