"""Whole games between bots, from a seed alone: the same seed plays the same game everywhere."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping
from statistics import median
from typing import Any, Final, TypeAlias

from engine.core.contract import (
    MODERATOR,
    Answers,
    Choose,
    Options,
    Outcome,
    Pause,
    Resolution,
    Ruleset,
    Seat,
    Sheet,
    State,
    Value,
)
from engine.core.dice import MAIN, BatchDice, die, line

Timer: TypeAlias = Callable[[], float]
"""Gives seconds; the engine knows no clock of its own."""
Watch: TypeAlias = Callable[[State, Mapping[Seat, Sheet], Resolution], None]
"""Is shown every turn: the state before, the sheets, and what came of them."""

OPEN_ENDED: Final = 200
"""After how many turns a game without an end is broken off."""


class GameRecord(Value, frozen=True, kw_only=True):
    """A game that was played: how many turns and orders, and how it ended; None if it was broken off."""

    seed: str
    players: int
    turns: int
    orders: int
    outcome: Outcome | None


class Tally(Value, frozen=True, kw_only=True):
    """Many games summed up. ``outcomes`` counts ``side reason``; ``seconds`` is 0 without a timer."""

    games: int
    finished: int
    outcomes: dict[str, int]
    turns_min: int
    turns_median: int
    turns_max: int
    turns: int
    orders: int
    seconds: float = 0.0

    @property
    def actions_per_second(self) -> float:
        """Orders resolved in a second, bots, dice and reading of views included."""
        return self.orders / self.seconds if self.seconds else 0.0

    def share(self, side: str) -> float:
        """Return the part of all games that a side won, 0 to 1."""
        won = sum(count for outcome, count in self.outcomes.items() if outcome.split()[0] == side)
        return won / self.games if self.games else 0.0


class Chance:
    """Chance for bots, from a key: the n-th choice depends on nothing but the key and n."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._taken = 0

    def __call__(self, n: int) -> int:
        """Return a number from 0 to n−1. Raises ValueError for n below 1."""
        if n < 1:
            raise ValueError(f"nothing to choose from: {n!r}")
        self._taken += 1
        return die(self._key, f"bot/x1/main/{self._taken}", n) - 1 if n > 1 else 0


def play(
    ruleset: Ruleset,
    options: Options,
    players: int,
    seed: str,
    *,
    watch: Watch | None = None,
    data: Mapping[str, Any] | None = None,
) -> GameRecord:
    """Play one game of bots to its end, or until the ruleset's longest game is over."""
    chance = Chance(_key(seed, "bots", 0))
    roster = tuple(seat.id for seat in ruleset.seats(options, players))
    state = ruleset.start(options, roster, turn_dice(ruleset, seed, 0), data=data).state
    turns = orders = 0
    while ruleset.outcome(state) is None and turns < (ruleset.info.longest or OPEN_ENDED):
        turns += 1
        sheets = _sheets(ruleset, state, (*roster, MODERATOR), chance)
        result = _resolve(ruleset, state, sheets, seed, turns, chance)
        if watch is not None:
            watch(state, sheets, result)
        state = result.state
        orders += sum(map(len, sheets.values()))
    return GameRecord(seed=seed, players=players, turns=turns, orders=orders, outcome=ruleset.outcome(state))


def many(
    ruleset: Ruleset,
    options: Options,
    games: int,
    *,
    players: int | None = None,
    seed: str = "selfplay",
    timer: Timer | None = None,
    after_each: Callable[[GameRecord], None] | None = None,
) -> Tally:
    """Play many games and sum them up; without ``players`` every number of seats has its turn."""
    least, most = ruleset.info.seats
    began = timer() if timer else 0.0
    records = []
    for number in range(games):
        seats = players or least + number % (most - least + 1)
        records.append(play(ruleset, options, seats, f"{seed}-{number}"))
        if after_each is not None:
            after_each(records[-1])
    return tally(records, timer() - began if timer else 0.0)


def tally(records: list[GameRecord], seconds: float = 0.0) -> Tally:
    """Sum up games. Raises ValueError for none."""
    if not records:
        raise ValueError("no games to sum up")
    turns = [record.turns for record in records]
    return Tally(
        games=len(records),
        finished=sum(record.outcome is not None for record in records),
        outcomes=dict(sorted(Counter(_label(record.outcome) for record in records).items())),
        turns_min=min(turns),
        turns_median=int(median(turns)),
        turns_max=max(turns),
        turns=sum(turns),
        orders=sum(record.orders for record in records),
        seconds=seconds,
    )


def _label(outcome: Outcome | None) -> str:
    if outcome is None:
        return "unfinished longest"
    return f"{','.join(outcome.sides) or 'draw'} {outcome.reason}"


def _sheets(ruleset: Ruleset, state: State, viewers: tuple[Seat, ...], choose: Choose) -> dict[Seat, Sheet]:
    """Ask the bot of every seat that owes something."""
    sheets: dict[Seat, Sheet] = {}
    for seat in viewers:
        view = ruleset.view(state, seat)
        if any(slot.seat == seat and not slot.optional for slot in ruleset.owed(view)):
            sheets[seat] = ruleset.bot(view, choose)
    return sheets


def _resolve(
    ruleset: Ruleset, state: State, sheets: Mapping[Seat, Sheet], seed: str, turn: int, choose: Choose
) -> Resolution:
    """Resolve a turn, answering what is asked in mid-turn by chance."""
    answers: dict[str, str] = {}
    while True:
        dice = turn_dice(ruleset, seed, turn, len(answers) + 1)
        result = ruleset.resolve(state, sheets, dice, Answers(answers, dice))
        if not isinstance(result, Pause):
            return result
        for question in result.questions:
            words = [choice.word for choice in question.choices] or [question.default]
            answers[question.key] = words[choose(len(words))]


def turn_dice(ruleset: Ruleset, seed: str, turn: int, groups: int = 1) -> BatchDice:
    """Return the dice of a turn of a self-played game; turn 0 is the start.

    There is a batch for the turn and one for each group of answers, and one of each set-up stream.
    """
    main = {group: _key(seed, f"{MAIN}/{turn}", group) for group in range(1, groups + 1)}
    streams = {stream: {1: _key(seed, stream, 1)} for stream in ruleset.info.streams}
    return BatchDice({MAIN: main, **streams})


def _key(seed: str, stream: str, batch: int) -> bytes:
    return hashlib.sha256(line("selfplay", seed, stream, batch)).digest()
