"""The walk along a log, event by event: seeds against anchors, entropy against phrases, every die against its key."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from adjudicator.fairplay.assemble import Entered, Fault, Log
from adjudicator.fairplay.chain import NOTHING, Batch, Seed, beacon_round, check_beacon, leads_to, round_time, row
from adjudicator.fairplay.chain import earlier_seed as earlier
from adjudicator.fairplay.events import (
    Anchor,
    Answer,
    AnyEvent,
    Beacon,
    Burn,
    ByBatch,
    Deadline,
    Finish,
    Genesis,
    Join,
    Lock,
    Open,
    Order,
    Phrase,
    Question,
    Rekey,
    Result,
    Tenure,
    ThrowRow,
)
from adjudicator.fairplay.log import Object
from engine.core.dice import MAIN, Throw, die

BatchId: TypeAlias = tuple[str, int]

UNCERTAIN: Final = frozenset(
    {"genesis", "join", "roster", "rows", "round", "beacon", "not-locked", "anchor", "no-seed"}
)
"""Faults that mean nothing once a line before them is missing or unreadable; the gap itself has been said."""


@dataclass(slots=True)
class Stream:
    """A chain as far as it is known: the highest seed proven, and the chain's length."""

    known: Seed
    n: int


@dataclass(slots=True)
class Walked:
    """What the walk has gathered for the re-run: where each batch was locked, its key once its seed is out."""

    genesis: Genesis | None = None
    locks: dict[int, Lock] = field(default_factory=dict)
    locked_in: dict[BatchId, int] = field(default_factory=dict)
    seeds: dict[BatchId, tuple[int, bytes]] = field(default_factory=dict)
    """The seed of a batch and the ``seq`` of the event that published it first."""
    beacons: dict[int, str] = field(default_factory=dict)
    """By ``seq`` of the lock."""
    finished: bool = False

    def batch(self, stream: str, number: int) -> Batch | None:
        """Return a batch whose entropy is fixed, or None: not locked, or its beacon is not in yet."""
        lock = self.locks.get(self.locked_in.get((stream, number), 0))
        if lock is None or self.genesis is None or (lock.round is not None and lock.seq not in self.beacons):
            return None
        rows = lock.rows.get(stream, {})
        return Batch(self.genesis.campaign, stream, number, rows, self.beacons.get(lock.seq, NOTHING))

    def key(self, stream: str, number: int) -> bytes | None:
        """Return the key of a batch whose seed is published, or None."""
        batch = self.batch(stream, number)
        published = self.seeds.get((stream, number))
        if batch is None or published is None:
            return None
        try:
            return batch.key(published[1])
        except ValueError:
            return None


class Walk:
    """The checks that need the log alone and no ruleset; ``faults`` and ``walked`` are the outcome."""

    def __init__(self, log: Log) -> None:
        self.walked = Walked()
        self.faults: list[Fault] = []
        self._log = log
        self._streams: dict[str, Stream] = {}
        self._players: list[str] = []
        self._held: dict[str, str] = {}
        self._rosters: dict[int, tuple[str, ...]] = {}
        self._rounds: dict[int, tuple[int, int | None]] = {}
        self._highest: dict[str, int] = {}
        self._resolved: set[int] = set()
        self._torn = False
        for seq, entered in log.events.items():
            self._torn |= entered.event is None or (seq > 1 and seq - 1 not in log.events)
            self._step(seq, entered)
        self._secret_dice()
        self._phrases()
        self._mails()

    def _fault(self, kind: str, seq: int, **facts: Any) -> None:
        if self._torn and kind in UNCERTAIN:
            return
        self.faults.append(Fault(kind, self._log.events[seq].place, seq, seq, facts))

    def _step(self, seq: int, entered: Entered) -> None:
        event = entered.event
        if (seq == 1) != isinstance(event, Genesis):
            if event is not None:
                self._fault("genesis", seq)
            return
        match event:
            case Genesis():
                self._genesis(event)
            case Anchor():
                self._anchor(event.seq, event.stream, Stream(Seed(0, bytes.fromhex(event.anchor)), event.n))
            case Rekey():
                for stream, chain in sorted(event.chains.items()):
                    self._rekey(event.seq, stream, Stream(Seed(chain.after, bytes.fromhex(chain.anchor)), chain.n))
            case Join():
                self._join(event)
            case Tenure():
                self._tenure(event)
            case _:
                self._play(event)

    def _play(self, event: AnyEvent | None) -> None:
        match event:
            case Open() | Question():
                self._open(event)
            case Deadline():
                self._announce(event.seq, event.batch, event.deadline, event.round)
            case Lock():
                self._lock(event)
            case Beacon():
                self._beacon(event)
            case Result():
                self._result(event)
            case Burn():
                self._take_seeds(event.seq, event.seeds)
            case Finish():
                self._take_seeds(event.seq, event.seeds)
                self.walked.finished = True

    # Chains -----------------------------------------------------------------------------------------------------------

    def _genesis(self, event: Genesis) -> None:
        self.walked.genesis = event
        for stream, anchor in event.anchors.items():
            self._streams[stream] = Stream(Seed(0, bytes.fromhex(anchor)), event.n)

    def _anchor(self, seq: int, name: str, stream: Stream) -> None:
        if name in self._streams:
            self._fault("anchor", seq, stream=name)
        self._streams.setdefault(name, stream)

    def _rekey(self, seq: int, name: str, stream: Stream) -> None:
        opened = max(self._rosters, default=0) if name == MAIN else 0
        if stream.known.number < max(opened, self._highest.get(name, 0)):
            self._fault("anchor", seq, stream=name)
        self._streams[name] = stream

    def _take_seeds(self, seq: int, published: ByBatch) -> None:
        for name, seeds in sorted(published.items()):
            for number in sorted(map(int, seeds)):
                seed = Seed(number, bytes.fromhex(seeds[str(number)]))
                if self._proven(name, seed):
                    self.walked.seeds.setdefault((name, number), (seq, seed.value))
                elif name in self._streams or not self._torn:
                    self._fault("seed", seq, stream=name, batch=number)

    def _proven(self, name: str, seed: Seed) -> bool:
        stream = self._streams.get(name)
        campaign = self.walked.genesis.campaign if self.walked.genesis else ""
        if stream is None or not 0 < seed.number <= stream.n:
            return False
        if seed.number < stream.known.number:
            known = stream.known.value
            for number in range(stream.known.number, seed.number, -1):
                known = earlier(campaign, name, number, known)
            return known == seed.value
        if leads_to(campaign, name, seed, stream.known):
            stream.known = seed
            return True
        return False

    # Rosters and beacons ----------------------------------------------------------------------------------------------

    def _join(self, event: Join) -> None:
        if event.player != f"p{len(self._players) + 1}":
            self._fault("join", event.seq, player=event.player)
        self._players.append(event.player)

    def _tenure(self, event: Tenure) -> None:
        if event.player is None:
            self._held.pop(event.seat, None)
        else:
            self._held[event.seat] = event.player

    def _open(self, event: Open | Question) -> None:
        if event.batch <= max(self._rosters, default=1):
            self._fault("batch-again", event.seq, stream=MAIN, batch=event.batch)
        if list(event.roster) != sorted(self._held):
            self._fault("roster", event.seq, batch=event.batch)
        self._rosters[event.batch] = event.roster
        self._announce(event.seq, event.batch, event.deadline, event.round)

    def _announce(self, seq: int, batch: int, deadline: str | None, number: int | None) -> None:
        beacon = self.walked.genesis is not None and self.walked.genesis.mode == "beacon"
        expected = beacon_round(_unix(deadline)) if beacon and deadline is not None else None
        if number != expected:
            self._fault("round", seq, round=number, expected=expected)
        self._check_future(seq, number)
        self._rounds[batch] = seq, number

    def _check_future(self, seq: int, number: int | None) -> None:
        """Hold a round to rule B: when it is named, it is still to come."""
        if number is not None and round_time(number) <= _unix(str(self._log.events[seq].object["at"])):
            self._fault("round-past", seq, round=number)

    def _beacon(self, event: Beacon) -> None:
        lock = self.walked.locks.get(event.lock)
        if lock is None or lock.round is None or event.lock in self.walked.beacons:
            self._fault("beacon", event.seq, round=event.round)
        elif event.value is None:
            self._check_future(event.seq, event.round)
            self.walked.locks[lock.seq] = replace(lock, round=event.round)
        elif event.round != lock.round or not _beacon_of(event.value, event.round):
            self._fault("beacon", event.seq, round=event.round)
        else:
            self.walked.beacons[event.lock] = event.value

    # Locks ------------------------------------------------------------------------------------------------------------

    def _lock(self, event: Lock) -> None:
        self.walked.locks[event.seq] = event
        if event.streams.get(MAIN) != event.batch or set(event.rows) != set(event.streams):
            self._fault("lock", event.seq)
        for stream, number in sorted(event.streams.items()):
            if number <= self._highest.get(stream, 0):
                self._fault("batch-again", event.seq, stream=stream, batch=number)
            self._highest[stream] = max(number, self._highest.get(stream, 0))
            self.walked.locked_in.setdefault((stream, number), event.seq)
            self._lock_rows(event, stream, number)
        self._lock_phrases(event)
        if list(event.mails) != sorted(set(event.mails)):
            self._fault("mails", event.seq)
        self._lock_round(event)

    def _lock_rows(self, event: Lock, stream: str, number: int) -> None:
        expected: Sequence[str] | None = None
        if number == 1:
            expected = self._players
        elif stream == MAIN:
            expected = self._rosters.get(number, ())
        if expected is not None and set(event.rows.get(stream, {})) != set(expected):
            self._fault("rows", event.seq, stream=stream, batch=number)

    def _lock_phrases(self, event: Lock) -> None:
        for name, phrase in sorted(event.phrases.items()):
            shown = [rows[name] for _, rows in sorted(event.rows.items()) if name in rows]
            if not shown or any(value != row(phrase) for value in shown):
                self._fault("phrase", event.seq, row=name)

    def _lock_round(self, event: Lock) -> None:
        """Hold the round to that of the last deadline announced, or, locked early, to the time of the decision."""
        beacon = self.walked.genesis is not None and self.walked.genesis.mode == "beacon"
        announced = self._rounds.get(event.batch or 0, (0, None))[1]
        expected = beacon_round(_unix(event.decided)) if event.decided is not None else announced
        if event.round != (expected if beacon else None):
            self._fault("round", event.seq, round=event.round, expected=expected if beacon else None)
        if event.decided is not None:
            self._check_future(event.seq, event.round)
        if beacon and any(value != NOTHING for rows in event.rows.values() for value in rows.values()):
            self._fault("mixed", event.seq)

    # Results ----------------------------------------------------------------------------------------------------------

    def _result(self, event: Result) -> None:
        self._take_seeds(event.seq, event.seeds)
        for number in event.batches:
            if (MAIN, number) not in self.walked.locked_in:
                self._fault("not-locked", event.seq, stream=MAIN, batch=number)
            elif event.replay == 0 and number in self._resolved:
                self._fault("batch-again", event.seq, stream=MAIN, batch=number)
            elif (MAIN, number) not in self.walked.seeds and str(number) not in event.seeds.get(MAIN, {}):
                self._fault("no-seed", event.seq, stream=MAIN, batch=number)
        self._resolved.update(event.batches)
        self._entropy(event)
        self._dice(event.seq, event.dice)
        for stream, batch, address, _, face in event.dice:
            if not self._open_to(event, stream, batch):
                self._fault("die", event.seq, stream=stream, batch=batch, address=address, face=face)
        if event.seats is not None:
            self._held.update(event.seats)

    def _entropy(self, event: Result) -> None:
        for stream, numbers in sorted(event.seeds.items()):
            for number in sorted(map(int, numbers)):
                batch = self.walked.batch(stream, number)
                if batch is None and (stream, number) in self.walked.locked_in:
                    self._fault("beacon", event.seq, stream=stream, batch=number)
                elif batch is None and stream != MAIN:
                    self._fault("not-locked", event.seq, stream=stream, batch=number)
                elif batch and event.entropy.get(stream, {}).get(str(number)) != _entropy_of(batch):
                    self._fault("entropy", event.seq, stream=stream, batch=number)

    def _open_to(self, event: Result, stream: str, batch: int) -> bool:
        """Say whether public dice of a result may come from a batch: its own of ``main``, or one of an open stream."""
        if stream == MAIN:
            return batch in event.batches
        return (stream, batch) in self.walked.seeds or str(batch) in event.seeds.get(stream, {})

    def _dice(self, seq: int, rows: Iterable[ThrowRow]) -> None:
        """Compare faces with keys. A batch whose seed or entropy is at fault has no key, and that has been said."""
        for throw in (Throw(*entry) for entry in rows):
            key = self.walked.key(throw.stream, throw.batch)
            if key is not None and not _shows(key, throw):
                self._fault("die", seq, stream=throw.stream, batch=throw.batch, address=throw.address, face=throw.face)

    def _secret_dice(self) -> None:
        """Check the dice of secrets that have been opened since; a part whose stream is still sealed waits.

        A seat's part holds those of ``main`` that it alone knew of.
        """
        for (seq, part), opened in sorted(self._log.openings.items(), key=lambda item: (item[0][0], item[0][1] or "")):
            if not isinstance(self._log.events[seq].event, Result) or not isinstance(opened.get("dice"), list):
                continue
            rows = [entry for entry in opened["dice"] if _is_throw(entry)]
            stream = MAIN if "events" in opened else part
            if len(rows) != len(opened["dice"]) or any(entry[0] != stream for entry in rows):
                self._fault("secret", seq, part=part)
            self._dice(seq, [entry for entry in rows if (entry[0], entry[1]) in self.walked.seeds])

    # Mails and phrases of one's own -----------------------------------------------------------------------------------

    def _phrases(self) -> None:
        for seq, batch, opened in self._opened(Phrase):
            lock = self.walked.locks.get(self.walked.locked_in.get((MAIN, batch), 0))
            if (
                lock is not None
                and lock.round is None
                and lock.phrases.get(str(opened.get("row"))) != opened.get("phrase")
            ):
                self._fault("phrase", seq, row=opened.get("row"))

    def _mails(self) -> None:
        received = {mail for lock in self.walked.locks.values() for mail in lock.mails}
        for seq, batch, opened in self._opened(Order, Answer):
            if (MAIN, batch) in self.walked.locked_in and opened.get("mail") not in received:
                self._fault("mail", seq, mail=opened.get("mail"))

    def _opened(self, *types: type[Phrase | Order | Answer]) -> list[tuple[int, int, Object]]:
        """Return ``seq``, batch and object of the opened events of types with one private part."""
        opened = []
        for seq, entered in self._log.events.items():
            event, value = entered.event, self._log.openings.get((seq, None))
            if isinstance(event, types) and value is not None:
                opened.append((seq, event.batch, value))
        return opened


def _unix(time: str) -> int:
    """Return Unix seconds; a day that is in no calendar is before all others, and so agrees with nothing."""
    try:
        return int(datetime.fromisoformat(time).timestamp())
    except ValueError:
        return 0


def _beacon_of(value: str, number: int) -> bool:
    try:
        check_beacon(value)
    except ValueError:
        return False
    return not value.startswith("drand:") or value.split(":")[2] == str(number)


def _entropy_of(batch: Batch) -> str | None:
    try:
        return batch.entropy
    except ValueError:
        return None


def _shows(key: bytes, throw: Throw) -> bool:
    try:
        return die(key, throw.address, throw.sides) == throw.face
    except ValueError:
        return False


def _is_throw(entry: Any) -> bool:
    match entry:
        case [str(), int(), str(), int(), int()]:
            return True
    return False
