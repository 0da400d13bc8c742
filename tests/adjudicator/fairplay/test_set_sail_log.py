"""A campaign of «Поднять паруса!» is played again from its log, the moderator's rulings and its questions included."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import pytest

from adjudicator.fairplay.assemble import assemble
from adjudicator.fairplay.rerun import rerun
from adjudicator.fairplay.scribe import Scribe
from adjudicator.fairplay.sources import read_source
from adjudicator.fairplay.verify import verify
from adjudicator.fairplay.walk import Walk
from engine.core.codec import encode
from engine.core.contract import MODERATOR, PUBLIC, Order, Question, Seat, Sheet, State
from engine.core.registry import ruleset, rulesets
from engine.core.selfplay import Chance
from engine.set_sail import commands as c
from engine.set_sail.state import SetSailState
from tests.engine.set_sail.soak import WILD, options_of, sane_sheets
from tests.engine.set_sail.wild import ROSTER, Wild

SET_SAIL = ruleset("set_sail")
TURNS = 30
CAMPAIGNS = int(os.environ.get("SELFPLAY_GAMES", "0")) // 10
"""Beside the four that are always played: `make selfplay` plays 100."""


def begun(players: int, seed: str, options: Any = None) -> Scribe:
    game = Scribe(
        SET_SAIL,
        options or SET_SAIL.info.editions["house"],
        players,
        campaign=f"set_sail-{players}-5fd20c1e",
        secret=sha256(seed.encode()).digest(),
        began=datetime(2026, 1, 5, 18, tzinfo=UTC),
        edition="house",
        batches=1024,
    )
    for number in range(players):
        game.join(None, f"соль {number}")
    game.start()
    return game


def play_on(game: Scribe, turns: int, beside: Iterable[Order] = ()) -> None:
    choose = Chance(game.book.campaign.encode())
    for _ in range(turns):
        game.play(_orders(game, choose, tuple(beside)), answer=_answer)


def _orders(game: Scribe, choose: Chance, beside: Sheet) -> dict[Seat, Sheet]:
    assert game.state is not None
    sheets: dict[Seat, Sheet] = {}
    for seat in (*game.seats, MODERATOR):
        view = SET_SAIL.view(game.state, seat)
        if any(slot.seat == seat and not slot.optional for slot in SET_SAIL.owed(view)):
            sheets[seat] = SET_SAIL.bot(view, choose)
    sheets[MODERATOR] = (*sheets.get(MODERATOR, ()), *beside)
    return sheets


def _answer(question: Question) -> str:
    return question.choices[0].word if question.choices else question.default


def test_campaign_with_rulings_and_questions_is_replayed_from_its_log() -> None:
    game = begun(3, "replay")
    play_on(game, TURNS, [c.DoEffect(number=90, effect="luck:-1:@pirate-1")])
    game.finish()

    report = verify(read_source("log.jsonl", game.file()), rulesets())

    assert (report.faults, report.sealed, report.finished) == ((), (), True)
    assert {turn.verdict for turn in report.turns} == {"replayed"}
    assert [event for event in game.events if event.get("type") == "question"]


def test_log_told_in_mid_campaign_holds_nothing_of_what_only_some_may_know() -> None:
    game = begun(2, "secret")
    words = [
        c.DoEffect(number=91, effect="secret:+1:CREW-SECRET"),
        c.Learn(number=92, seat="pirate-1", who="pirate-2", text="KNOWN-TO-ONE"),
        c.Put(number=93, what="clock", id="doomsday", n=3),
    ]
    play_on(game, 4, words)

    public = game.file(lambda _: False)

    assert [word for word in (b"CREW-SECRET", b"KNOWN-TO-ONE", b"doomsday") if word in game.file()] != []
    assert [word for word in (b"CREW-SECRET", b"KNOWN-TO-ONE", b"doomsday") if word in public] == []


def test_dice_of_a_secret_action_stand_in_the_part_of_its_seat_and_are_checked_there() -> None:
    game = begun(2, "hidden dice")
    game.play({})
    game.play({"pirate-1": (c.Declare(number=1, text="крадусь", stat="izv", hidden=True),)})
    game.play({MODERATOR: (c.Ruling(roll="pirate-1/o1", stat="izv"),)})

    def told(seat: Seat) -> bytes:
        return game.file(lambda opening: opening.part == seat)

    thrown = b'"pirate-1/o1/main/0"'
    assert (thrown in told("pirate-1"), thrown in told("pirate-2"), thrown in told("")) == (True, False, False)
    assert verify(read_source("log.jsonl", told("pirate-1")), rulesets()).faults == ()
    game.finish()
    assert {one.verdict for one in verify(read_source("log.jsonl", game.file()), rulesets()).turns} == {"replayed"}


@pytest.mark.parametrize("number", [1, 2, 3, 8, *range(9, CAMPAIGNS + 5)])
def test_replayed_campaign_gives_the_same_sheets(number: int) -> None:
    name = f"sheets:{number}"
    wild = Wild(number) if number % WILD == WILD - 1 else None
    game = begun(len(ROSTER) if wild else 2 + number % 7, name, options_of(name, number))
    choose = Chance(name.encode())
    drawn: list[bytes] = []
    for _ in range(TURNS if number > 8 else 12):
        assert isinstance(game.state, SetSailState)
        sheets = wild.sheets(game.state) if wild else sane_sheets(game.state, choose)
        game.play(sheets, answer=lambda question: answered(question, choose))
        drawn.append(sheets_of(game.state))
    game.finish()

    log = assemble(read_source("log.jsonl", game.file()))
    again = rerun(log, Walk(log).walked, rulesets())

    assert [(one.missing, one.fault) for one in again] == [((), None)] * len(again)
    assert [sheets_of(one.state) for one in again[1:]] == drawn


def answered(question: Question, choose: Chance) -> str:
    words = [choice.word for choice in question.choices] or [question.default]
    return words[choose(len(words))]


def sheets_of(state: State | None) -> bytes:
    """Return all that is printed of a position for everybody: sheets as drawings and tables, and what each may know."""
    assert isinstance(state, SetSailState)
    views = [SET_SAIL.view(state, seat) for seat in (*state.roster, MODERATOR, PUBLIC)]
    return encode([(SET_SAIL.draw(view), SET_SAIL.table(view), view) for view in views]).encode()
