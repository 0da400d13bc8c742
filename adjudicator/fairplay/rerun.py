"""The re-run: every turn resolved again from its opened orders and its dice, and compared with what was published."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from adjudicator.fairplay.assemble import Fault, Log, commitments
from adjudicator.fairplay.events import (
    AnswersPart,
    EventsPart,
    Genesis,
    Join,
    Lock,
    Plain,
    Replay,
    ReplayPart,
    Result,
    Rollback,
    Ruling,
    Void,
)
from adjudicator.fairplay.log import Object, canon
from adjudicator.fairplay.lots import allot
from adjudicator.fairplay.record import sheets_of, split_result, switch_options
from adjudicator.fairplay.walk import Walked
from engine.core.codec import from_plain, plain
from engine.core.contract import MODERATOR, Answers, Event, Pause, Resolution, Ruleset, Seat, State, resolve_turn
from engine.core.dice import MAIN, BatchDice, NeedsBatch, Throw


@dataclass(frozen=True, slots=True)
class Rerun:
    """What came of resolving one result again.

    ``missing`` names what is still sealed, or else not at hand: ``orders 57/spain-1``, ``stream gold``, ``ruleset``,
    ``program``, ``position``; ``fault`` is what differs. With neither, the re-run gives exactly what was published, and
    ``state`` is the position it led to.
    """

    seq: int
    missing: tuple[str, ...] = ()
    fault: Fault | None = None
    state: State | None = None


class _Missing(Exception):
    """The turn cannot be resolved with what is at hand."""

    def __init__(self, *what: str) -> None:
        super().__init__(", ".join(what))
        self.what = what


class _Differs(Exception):
    """The turn comes out otherwise than published."""

    def __init__(self, kind: str, **facts: Any) -> None:
        super().__init__(kind)
        self.kind = kind
        self.facts = facts


@dataclass(slots=True)
class _Positions:
    """The position now, and as each turn opened, as far as they are known."""

    now: State | None = None
    _before: dict[int, State | None] = field(default_factory=dict)
    _last: int = -1

    def opening(self, turn: int, *, again: bool) -> State | None:
        """Return the position in which a turn is resolved, and keep it.

        A turn that is resolved ``again`` goes back to where it began, unless the turn before it has just been: a replay
        goes forward over later turns.
        """
        if not again or self._last < turn:
            self._before[turn] = self.now
        self._last = turn
        return self._before.get(turn)

    def back_to(self, turn: int) -> None:
        """Put the game back to the opening of a turn; without effect on a turn that has no result."""
        self.now = self._before.get(turn, self.now)
        self._last = turn - 1


def rerun(log: Log, walked: Walked, rulesets: Mapping[str, Ruleset]) -> tuple[Rerun, ...]:
    """Return what came of every result of a log, in order. Nothing can be resolved without its genesis."""
    if walked.genesis is None:
        return ()
    return tuple(_Rerunner(log, walked, walked.genesis, rulesets.get(walked.genesis.ruleset)).run())


class _Rerunner:
    def __init__(self, log: Log, walked: Walked, genesis: Genesis, ruleset: Ruleset | None) -> None:
        self._log = log
        self._walked = walked
        self._genesis = genesis
        self._ruleset = ruleset
        self._positions = _Positions()
        self._asked: dict[str, Seat | None] = {}
        self._seated: dict[Seat, str] = {}
        self._corrected: dict[tuple[int, int], Replay] = {}
        self._switches: dict[int, list[Plain]] = {}

    def run(self) -> Iterator[Rerun]:
        expected = 1
        for seq, entered in self._log.events.items():
            if seq != expected or entered.event is None:
                self._positions.now = None
            expected = seq + 1
            match entered.event:
                case Result() as result:
                    yield self._guarded(seq, partial(self._again, result))
                case Join(player=player, seat=seat) if self._positions.now is None:
                    self._asked[player] = seat
                case Void(turn=turn) | Rollback(turn=turn):
                    self._positions.back_to(turn)
                case Replay() as replay:
                    self._corrected[replay.turn, replay.replay] = replay
                case Ruling(turn=turn, options=dict(changes)):
                    self._switches.setdefault(turn, []).append(changes)

    def _guarded(self, seq: int, act: Callable[[], None]) -> Rerun:
        """Return what came of an act of the re-run, whatever it raises."""
        place = self._log.events[seq].place
        try:
            act()
        except _Missing as missing:
            return Rerun(seq, missing.what)
        except _Differs as differs:
            return Rerun(seq, fault=Fault(differs.kind, place, seq, seq, differs.facts))
        except Exception as error:  # noqa: BLE001
            # A ruleset may raise anything on orders that were forged; whatever it is, the published result is not its.
            facts = {"error": f"{type(error).__name__}: {error}"}
            return Rerun(seq, fault=Fault("raised", place, seq, seq, facts))
        return Rerun(seq, state=self._positions.now)

    def _again(self, result: Result) -> None:
        """Resolve a result again and compare. Raises _Missing or _Differs; the position goes on as it was found."""
        opening = None if result.turn is None else self._positions.opening(result.turn, again=result.replay > 0)
        self._positions.now = None
        if self._ruleset is None or self._ruleset.info.revision < result.revision:
            raise _Missing("program" if self._ruleset else "ruleset")
        keys = self._keys(result)
        lost = [f"batch {number}" for number in result.batches if number not in keys.get(MAIN, {})]
        if lost:
            raise _Missing(*lost)
        dice = BatchDice(keys)
        if result.turn is None:
            resolution = self._start(self._ruleset, dice)
        else:
            resolution = self._turn(self._ruleset, opening, result, dice)
        self._positions.now = resolution.state
        if result.turn is None and self._seated != result.seats:
            raise _Differs("seats", published=result.seats, found=self._seated)
        self._compare(result, resolution.events, dice.throws)
        reached = plain(self._ruleset.outcome(resolution.state))
        if canon(reached) != canon(result.outcome):
            raise _Differs("outcome", published=result.outcome, found=reached)

    # Playing again ----------------------------------------------------------------------------------------------------

    def _keys(self, result: Result) -> dict[str, dict[int, bytes]]:
        keys: dict[str, dict[int, bytes]] = {}
        for (stream, number), lock in self._walked.locked_in.items():
            wanted = number in result.batches if stream == MAIN else lock < result.seq
            key = self._walked.key(stream, number) if wanted else None
            if key is not None:
                keys.setdefault(stream, {})[number] = key
        return keys

    def _start(self, ruleset: Ruleset, dice: BatchDice) -> Resolution:
        genesis = self._genesis
        self._seated = allot(self._asked, genesis.seats, dice)
        options = from_plain(genesis.options, ruleset.info.options)
        try:
            return ruleset.start(options, genesis.seats, dice, data=genesis.data)
        except NeedsBatch as needed:
            raise _Missing(f"stream {needed.stream}") from None

    def _turn(self, ruleset: Ruleset, state: State | None, result: Result, dice: BatchDice) -> Resolution:
        if state is None:
            raise _Missing("position")
        for changes in self._switches.get(result.turn or 0, ()):
            state = switch_options(ruleset, state, changes)
        locks = [self._lock_of(number) for number in result.batches]
        orders = self._parts(lock for lock in locks if lock.question is None)
        asked = [self._given(lock) for lock in locks if lock.question is not None]
        answers = {key: word for part in asked for key, word in part.answers.items()}
        origins = {key: origin for part in asked for key, origin in part.origins.items()}
        groups = {key: group for group, part in enumerate(asked, 1) for key in part.answers}
        orders, answers = self._correct(result, orders, answers)
        sheets = sheets_of(ruleset, state, self._genesis.seats, orders)
        given = Answers(answers, dice, origins=origins, groups=groups)
        at_once = any(lock.at_once for lock in locks)
        try:
            resolution = resolve_turn(ruleset, state, sheets, dice, given, at_once=at_once)
        except NeedsBatch as needed:
            if needed.stream == MAIN:
                raise _Differs("more-batches", address=needed.address) from None
            raise _Missing(f"stream {needed.stream}") from None
        if isinstance(resolution, Pause):
            raise _Differs("asks", keys=[question.key for question in resolution.questions])
        return resolution

    def _lock_of(self, number: int) -> Lock:
        lock = self._walked.locks.get(self._walked.locked_in.get((MAIN, number), 0))
        if lock is None:
            raise _Missing(f"lock {number}")
        return lock

    def _opened(self, seq: int, parts: Mapping[str, str]) -> dict[str, Object]:
        missing = [f"orders {seq}/{part}" for part in sorted(parts) if (seq, part) not in self._log.openings]
        if missing:
            raise _Missing(*missing)
        return {part: self._log.openings[seq, part] for part in sorted(parts)}

    def _parts(self, locks: Iterable[Lock]) -> dict[str, Object]:
        opened: dict[str, Object] = {}
        for lock in locks:
            opened |= self._opened(lock.seq, lock.private)
        return opened

    def _given(self, lock: Lock) -> AnswersPart:
        """Return the answers that a lock froze, those of all seats together."""
        parts = [from_plain(part, AnswersPart) for part in self._opened(lock.seq, lock.private).values()]
        return AnswersPart(
            answers={key: word for part in parts for key, word in part.answers.items()},
            origins={key: origin for part in parts for key, origin in part.origins.items()},
        )

    def _correct(
        self, result: Result, orders: dict[str, Object], answers: dict[str, str]
    ) -> tuple[dict[str, Object], dict[str, str]]:
        """Lay the corrections of a replay, and of the replays before it, over what was locked."""
        for number in range(1, result.replay + 1):
            replay = self._corrected.get((result.turn or 0, number))
            if replay is None:
                continue
            for part, opened in self._opened(replay.seq, replay.private).items():
                if part in (*self._genesis.seats, MODERATOR):
                    corrected = from_plain(opened, ReplayPart)
                    answers = answers | corrected.answers
                    if corrected.orders is not None:
                        orders = {**orders, part: {"orders": corrected.orders, "from": corrected.origins}}
                else:
                    orders = {**orders, part: opened}
        return orders, answers

    # Comparing --------------------------------------------------------------------------------------------------------

    def _compare(self, result: Result, events: tuple[Event, ...], throws: tuple[Throw, ...]) -> None:
        opened = {stream for (stream, _), (seq, _) in self._walked.seeds.items() if seq <= result.seq}
        locked = {stream for (stream, _), seq in self._walked.locked_in.items() if seq < result.seq}
        told, dice, parts = split_result(events, throws, self._genesis.seats, sorted(locked - opened))
        if canon(told) != canon(result.events):
            raise _Differs("events", place=_first_difference(told, result.events))
        if dice != tuple(Throw(*entry) for entry in result.dice):
            raise _Differs("dice", place=_first_difference(dice, result.dice))
        self._all_there("events", result, [part for part in parts if part not in locked])
        self._all_there("dice", result, [part for part in parts if part in locked])
        for part, expected in parts.items():
            published = self._log.openings.get((result.seq, part))
            if published is not None:
                self._compare_part(part, expected, published)

    def _compare_part(self, part: str, expected: Object, published: Object) -> None:
        if canon(published.get("dice", [])) != canon(expected.get("dice", [])):
            raise _Differs("dice", part=part)
        if "events" in expected and canon(published) != canon(expected):
            raise _Differs("events", part=part, place=_first_difference(_told(expected), _told(published)))

    def _all_there(self, kind: str, result: Result, parts: Iterable[str]) -> None:
        missing = sorted(set(parts) - set(commitments(self._log.events[result.seq].object)))
        if missing:
            raise _Differs(kind, parts=missing)


def _told(part: Object) -> tuple[tuple[int, Plain], ...]:
    told: EventsPart = from_plain(part, EventsPart)
    return told.events


def _first_difference(found: Iterable[Any], published: Iterable[Any]) -> int:
    """Return the place, from 0, at which two lists begin to differ."""
    pairs = zip(map(canon, found), map(canon, published), strict=False)
    place = 0
    for one, other in pairs:
        if one != other:
            break
        place += 1
    return place
