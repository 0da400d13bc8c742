"""The log of a game that is played without mail: self-play, tests, and anybody who wants to see a whole one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from adjudicator.fairplay.chain import NOTHING, Batch, beacon_round, chain, row
from adjudicator.fairplay.events import (
    AnyEvent,
    Beacon,
    ByBatch,
    Finish,
    Genesis,
    Join,
    Lock,
    Open,
    Origin,
    Phrase,
    Question,
    Result,
)
from adjudicator.fairplay.log import Object, Opening, Pin, write_log
from adjudicator.fairplay.lots import allot
from adjudicator.fairplay.record import Book, enter, lock_parts, options_object, sheets_of, split_result
from engine.core.codec import plain
from engine.core.contract import Answers, Facts, Options, Pause, Resolution, Ruleset, Seat, Sheet, State
from engine.core.contract import Question as Asked
from engine.core.dice import MAIN, BatchDice, line

Answerer = Callable[[Asked], str]


class Scribe:
    """Plays a game turn by turn and keeps its log, as the service does.

    ``secret`` (32 bytes) stands for what the service draws by chance: seeds and the game key follow from it. Time is
    made up: every event comes two minutes after the one before, from ``began`` on. ``beacon`` gives the value of a
    round, where the dice are to come from a beacon instead of phrases.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        options: Options,
        players: int,
        *,
        campaign: str,
        secret: bytes,
        began: datetime,
        edition: str = "",
        batches: int = 256,
        data: Facts | None = None,
        beacon: Callable[[int], str] | None = None,
    ) -> None:
        self.ruleset = ruleset
        self.seats = tuple(seat.id for seat in ruleset.seats(options, players))
        self.book = Book(campaign, _drawn(secret, "key"))
        self.events: list[Object] = []
        self.openings: list[Opening] = []
        self.state: State | None = None
        self.turn = -1
        self._began = began
        self._beacon = beacon
        self._options = options
        self._data = data
        self._asked: dict[str, Seat | None] = {}
        self._held: dict[Seat, str] = {}
        self._phrases: dict[str, str] = {}
        self._chains = {
            stream: chain(campaign, stream, _drawn(secret, stream), batches) for stream in (MAIN, *ruleset.info.streams)
        }
        self._batches: dict[tuple[str, int], Batch] = {}
        self._opened: set[tuple[str, int]] = set()
        self._batch = 1
        self._enter(
            Genesis(
                at=self._at(),
                campaign=campaign,
                ruleset=ruleset.info.name,
                revision=ruleset.info.revision,
                edition=edition,
                options=options_object(options),
                seats=self.seats,
                anchors={stream: seeds[0].hex() for stream, seeds in sorted(self._chains.items())},
                n=batches,
                mode="beacon" if beacon else "salts",
                open_orders=ruleset.info.open_orders,
                data=None if data is None else plain(data),
            )
        )

    # Playing ----------------------------------------------------------------------------------------------------------

    def join(self, seat: Seat | None = None, phrase: str | None = None) -> str:
        """Let a player join, and return his id."""
        player = f"p{len(self._asked) + 1}"
        self._asked[player] = seat
        self._enter(Join(at=self._at(), player=player, seat=seat))
        self.phrase(player, phrase)
        return player

    def phrase(self, who: str, phrase: str | None) -> None:
        """Take the phrase of a player before the start, of a seat after it; None says none was sent.

        With a beacon no phrase counts, and none is logged.
        """
        if phrase is not None and self._beacon is None:
            self._phrases[who] = phrase
            turn = None if self.state is None else self.turn
            event = Phrase(at=self._at(), turn=turn, batch=self._batch)
            self._enter(event, {"row": who, "phrase": phrase})

    def start(self) -> Resolution:
        """Draw seats and the first position; the first turn is open afterwards."""
        self._lock(None, dict.fromkeys(sorted(self._chains), 1), list(self._asked), {})
        dice = self._dice([1])
        self._held = allot(self._asked, self.seats, dice)
        resolution = self.ruleset.start(self._options, self.seats, dice, data=self._data)
        self._result(None, [1], dice, resolution, seats=self._held)
        self.turn = 0 if self.ruleset.phase(resolution.state) == "set-up" else 1
        self._open()
        return resolution

    def play(
        self,
        sheets: Mapping[Seat, Sheet],
        origins: Mapping[Seat, Mapping[str, Origin]] | None = None,
        answer: Answerer | None = None,
    ) -> Resolution:
        """Lock and resolve the open turn, with ``answer`` for each question; the next turn is open afterwards."""
        state = self._position()
        numbers = [self._batch]
        parts = lock_parts(self.ruleset, state, sheets, origins or {})
        self._lock(self.turn, {MAIN: numbers[0]}, sorted(self._held), parts)
        locked = sheets_of(self.ruleset, state, self.seats, parts)
        answers: dict[str, str] = {}
        groups: dict[str, int] = {}
        while True:
            dice = self._dice(numbers)
            resolution = self.ruleset.resolve(state, locked, dice, Answers(answers, dice, groups=groups))
            if not isinstance(resolution, Pause):
                break
            if answer is None:
                raise ValueError(f"nobody answers {resolution.questions!r}")
            groups |= {question.key: len(numbers) for question in resolution.questions}
            numbers.append(self._ask(resolution, answer, answers, len(numbers)))
        self._result(self.turn, numbers, dice, resolution)
        self.turn += 1
        if self.ruleset.outcome(resolution.state) is None:
            self._open()
        return resolution

    def finish(self) -> None:
        """End the game: every stream is opened."""
        self._enter(Finish(at=self._at(), reason="outcome", seeds=self._open_seeds(sorted(self._batches))))

    def file(self, told: Callable[[Opening], bool] = lambda _: True) -> bytes:
        """Return the log with those openings that a reader was told."""
        openings = [opening for opening in self.openings if told(opening)]
        return write_log(self.events, openings, Pin(self.book.seq, self.book.head))

    # Keeping ----------------------------------------------------------------------------------------------------------

    def _enter(self, event: AnyEvent, private: Any = None, parts: Mapping[str, Any] | None = None) -> int:
        self.book, entry = enter(self.book, event, private, parts)
        self.events.append(entry.line.object)
        self.openings.extend(entry.openings)
        return self.book.seq

    def _at(self) -> str:
        return self._now().strftime("%Y-%m-%dT%H:%M:%SZ")

    def _now(self) -> datetime:
        return self._began + timedelta(minutes=2 * self.book.seq)

    def _position(self) -> State:
        if self.state is None:
            raise ValueError("the game has not begun")
        return self.state

    def _open(self) -> None:
        self._phrases = {}
        self._batch += 1
        self._enter(Open(at=self._at(), turn=self.turn, batch=self._batch, roster=tuple(sorted(self._held))))

    def _lock(
        self,
        turn: int | None,
        streams: Mapping[str, int],
        roster: list[str],
        parts: Mapping[str, Any],
        question: int | None = None,
    ) -> None:
        phrases = {name: self._phrases[name] for name in roster if name in self._phrases}
        rows = {name: row(phrases.get(name)) for name in roster}
        number = beacon_round(int(self._now().timestamp())) if self._beacon else None
        lock = Lock(
            at=self._at(),
            turn=turn,
            batch=streams[MAIN],
            streams=dict(streams),
            rows=dict.fromkeys(streams, rows),
            phrases=phrases,
            round=number,
            decided=self._at() if self._beacon else None,
            question=question,
        )
        seq = self._enter(lock, parts=parts)
        value = NOTHING
        if self._beacon and number is not None:
            value = self._beacon(number)
            self._enter(Beacon(at=self._at(), turn=turn, lock=seq, round=number, value=value))
        for stream, batch in streams.items():
            self._batches[stream, batch] = Batch(self.book.campaign, stream, batch, rows, value)

    def _ask(self, pause: Pause, answer: Answerer, answers: dict[str, str], group: int) -> int:
        """Ask the questions of a pause, lock the answers, and return the batch they opened."""
        self._batch = number = self._batch + 1
        asked: dict[Seat, list[Asked]] = {}
        for question in pause.questions:
            asked.setdefault(question.seat, []).append(question)
        seats = tuple(sorted(asked))
        roster = tuple(sorted(self._held))
        event = Question(at=self._at(), turn=self.turn, batch=number, group=group, seats=seats, roster=roster)
        put = {seat: {"questions": [plain(question) for question in questions]} for seat, questions in asked.items()}
        seq = self._enter(event, parts=put)
        given = {seat: {question.key: answer(question) for question in questions} for seat, questions in asked.items()}
        parts = {seat: {"answers": words, "from": dict.fromkeys(words, "seat")} for seat, words in given.items()}
        self._phrases = {}
        self._lock(self.turn, {MAIN: number}, sorted(self._held), parts, question=seq)
        for words in given.values():
            answers.update(words)
        return number

    def _dice(self, numbers: list[int]) -> BatchDice:
        keys: dict[str, dict[int, bytes]] = {}
        for (stream, number), batch in self._batches.items():
            if stream != MAIN or number in numbers:
                keys.setdefault(stream, {})[number] = batch.key(self._chains[stream][number])
        return BatchDice(keys)

    def _open_seeds(self, batches: list[tuple[str, int]]) -> ByBatch:
        seeds: ByBatch = {}
        for stream, number in batches:
            if (stream, number) not in self._opened:
                self._opened.add((stream, number))
                seeds.setdefault(stream, {})[str(number)] = self._chains[stream][number].hex()
        return seeds

    def _result(
        self,
        turn: int | None,
        numbers: list[int],
        dice: BatchDice,
        resolution: Resolution,
        seats: dict[Seat, str] | None = None,
        replay: int = 0,
    ) -> None:
        self.state = resolution.state
        secrets = {secret.name: secret.open for secret in self.ruleset.secrets(resolution.state)}
        ready = [(stream, number) for stream, number in sorted(self._batches) if secrets.get(stream, False)]
        seeds = self._open_seeds([*((MAIN, number) for number in numbers), *ready])
        entropy = {
            stream: {number: self._batches[stream, int(number)].entropy for number in its}
            for stream, its in seeds.items()
        }
        sealed = {stream for stream, _ in self._batches} - {stream for stream, _ in self._opened}
        told, thrown, parts = split_result(resolution.events, dice.throws, self.seats, sorted(sealed))
        outcome = self.ruleset.outcome(resolution.state)
        event = Result(
            at=self._at(),
            turn=turn,
            revision=self.ruleset.info.revision,
            batches=tuple(numbers),
            seeds=seeds,
            entropy=entropy,
            dice=thrown,
            events=told,
            replay=replay,
            seats=seats,
            outcome=None if outcome is None else plain(outcome),
        )
        self._enter(event, parts=parts)


def _drawn(secret: bytes, purpose: str) -> bytes:
    return sha256(line("scribe", purpose) + secret).digest()
