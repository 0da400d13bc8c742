"""A campaign of «Поднять паруса!» is played again from its log, the moderator's rulings and its questions included."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from hashlib import sha256

from adjudicator.fairplay.scribe import Scribe
from adjudicator.fairplay.sources import read_source
from adjudicator.fairplay.verify import verify
from engine.core.contract import MODERATOR, Order, Question, Seat, Sheet
from engine.core.registry import ruleset, rulesets
from engine.core.selfplay import Chance
from engine.set_sail import commands as c

SET_SAIL = ruleset("set_sail")
TURNS = 30


def begun(players: int, seed: str) -> Scribe:
    game = Scribe(
        SET_SAIL,
        SET_SAIL.info.editions["house"],
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
