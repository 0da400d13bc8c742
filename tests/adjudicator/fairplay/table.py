"""A game of «Контрабанда» whose moderator makes mistakes: it can be voided, rolled back, replayed and rekeyed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from adjudicator.fairplay.chain import chain
from adjudicator.fairplay.events import Burn, Rekey, RekeyChain, Replay, Rollback, Ruling, Void
from adjudicator.fairplay.record import switch_options
from adjudicator.fairplay.scribe import Scribe
from engine.core.codec import plain
from engine.core.contract import Answers, Question, Resolution, Seat, Sheet, State
from engine.core.dice import MAIN
from tests.adjudicator.fairplay.toy import TOY, Hide, Search, ToyOptions

CAMPAIGN = "toy-1-5fd20c1e"
BEGAN = datetime(2026, 1, 5, 18, tzinfo=UTC)


class Table(Scribe):
    """Three players at «Контрабанда»."""

    def __init__(self, secret: int = 2, **settings: Any) -> None:
        super().__init__(TOY, ToyOptions(), 3, campaign=CAMPAIGN, secret=bytes([secret]) * 32, began=BEGAN, **settings)
        self.positions: dict[int, State] = {}

    def begin(self) -> None:
        """Let three players join, two of them wishing the same seat, and start."""
        self.join("crew-2", "йо-хо-хо")
        self.join(None, "семь футов под килем")
        self.join("crew-2")
        self.start()

    def hide(self, hold: int) -> None:
        """Play turn 0."""
        self.play({"crew-1": (Hide(hold=hold),)})

    def search(self, hold: int = 1, **others: int) -> None:
        """Play a turn in which everybody searches the same hold, but for some; every question is answered yes."""
        self.positions[self.turn] = self._position()
        self.play(self._sheets(hold, others), answer=shout)

    def _sheets(self, hold: int, others: Mapping[str, int]) -> dict[Seat, Sheet]:
        return {seat: (Search(hold=others.get(seat.replace("-", "_"), hold)),) for seat in self.seats}

    def void(self) -> None:
        """Void the last turn: the batch that was open for the next is burned, and the turn is open again."""
        turn = self.turn - 1
        self._enter(Void(at=self._at(), turn=turn, reason="сбой почты", assent=self.seats))
        self._anew(turn)

    def roll_back(self, turn: int) -> None:
        """Go back to the opening of a turn."""
        self._enter(Rollback(at=self._at(), turn=turn, reason="ошибка судьи"))
        self._anew(turn)

    def _anew(self, turn: int) -> None:
        if self.turn < 3:
            seed = self._chains[MAIN][self._batch].hex()
            self._opened.add((MAIN, self._batch))
            self._enter(Burn(at=self._at(), seeds={MAIN: {str(self._batch): seed}}, reason="void"))
        self.state, self.turn = self.positions[turn], turn
        self._open()

    def correct(self, turn: int, position: State, batches: list[int], hold: int = 1, **others: int) -> None:
        """Replay a turn from a position with other orders; the batches are those it had."""
        old = next(event for event in reversed(self.events) if event["type"] == "result" and event["turn"] == turn)
        revision = 1 + old.get("replay", 0)
        sheets = self._sheets(hold, others)
        parts = {
            seat: {"orders": [plain(order) for order in sheets[seat]], "from": ["sent"]}
            for seat in self.seats
            if seat.replace("-", "_") in others
        }
        replay = Replay(at=self._at(), turn=turn, replay=revision, result=old["seq"], reason="строка прочтена неверно")
        self._enter(replay, parts=parts)
        dice = self._dice(batches)
        resolution = self.ruleset.resolve(position, sheets, dice, Answers({}, dice))
        assert isinstance(resolution, Resolution)
        self._result(turn, batches, dice, resolution, replay=revision)

    def switch(self, turn: int, **options: Any) -> None:
        """Rule that options hold from a turn on."""
        self._enter(Ruling(at=self._at(), turn=turn, text="с этого хода иначе", options=options))
        assert self.state is not None
        self.state = switch_options(self.ruleset, self.state, options)

    def rekey(self, last: bytes) -> None:
        """Begin a new chain of ``main``; the batch that is open is given up with the old one."""
        after = self._batch
        seeds = chain(CAMPAIGN, MAIN, last, 256, first=after)
        self._chains[MAIN] = (*self._chains[MAIN][:after], *seeds)
        chains = {MAIN: RekeyChain(anchor=seeds[0].hex(), after=after, n=256)}
        self._enter(Rekey(at=self._at(), chains=chains, reason="ключ утрачен"))
        self._open()


def shout(question: Question) -> str:
    """Answer yes to everything."""
    return "yes"


def whole_game(secret: int = 2, hold: int = 3, **settings: Any) -> Table:
    """Return a finished game of three turns; with these defaults nobody is asked anything."""
    table = Table(secret, **settings)
    table.begin()
    table.hide(hold)
    for turn in (1, 2):
        table.phrase("crew-1", f"соль {turn}")
        table.search()
    table.finish()
    return table
