"""Recorded games: the orders and what came of them, to be resolved the same by every later program.

``python -m tests.engine.recorded_games`` records them anew: only when the outcome is meant to change, and then the
ruleset has a new option or a new revision (fair-play 7).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.core.codec import encode, from_plain, plain
from engine.core.contract import Answers, Resolution, Ruleset, Sheet
from engine.core.registry import rulesets
from engine.core.selfplay import play, turn_dice

FOLDER = Path(__file__).parent / "recorded"
PLAYERS = {"pirates": 5, "jackal": 4}
TURNS = {"jackal": 25}
"""So many turns are kept of a game that is long; all of them where a ruleset is not named."""


def digest(result: Resolution) -> str:
    return hashlib.sha256(encode(result).encode()).hexdigest()


def editions() -> Iterator[tuple[str, str]]:
    for name, rules in rulesets().items():
        for edition in rules.info.editions:
            yield name, edition


def path_of(name: str, edition: str) -> Path:
    return FOLDER / f"{name}-{edition}.jsonl"


def record(name: str, edition: str) -> None:
    """Play a game of bots and write its head and its turns, one a line."""
    rules = rulesets()[name]
    seed, players = f"recorded-{edition}", PLAYERS.get(name, rules.info.seats[0])
    lines: list[dict[str, Any]] = [
        {"edition": edition, "players": players, "revision": rules.info.revision, "seed": seed}
    ]
    play(
        rules,
        rules.info.editions[edition],
        players,
        seed,
        watch=lambda _, sheets, result: lines.append({"digest": digest(result), "sheets": plain(dict(sheets))}),
    )
    del lines[1 + TURNS.get(name, len(lines)) :]
    text = "".join(json.dumps(line, ensure_ascii=False, sort_keys=True) + "\n" for line in lines)
    path_of(name, edition).write_text(text, "utf-8")


def _sheet(rules: Ruleset, orders: list[Any]) -> Sheet:
    return tuple(from_plain(order, rules.info.order) for order in orders)


def replay(rules: Ruleset, lines: list[dict[str, Any]]) -> list[str]:
    """Resolve a recorded game again and return the digests of its turns."""
    head, *turns = lines
    options = rules.info.editions[head["edition"]]
    roster = tuple(seat.id for seat in rules.seats(options, head["players"]))
    state = rules.start(options, roster, turn_dice(rules, head["seed"], 0)).state
    digests = []
    for number, turn in enumerate(turns, 1):
        sheets = {seat: _sheet(rules, orders) for seat, orders in turn["sheets"].items()}
        result = _resolved(rules, state, sheets, head["seed"], number)
        digests.append(digest(result))
        state = result.state
    return digests


def _resolved(rules: Ruleset, state: Any, sheets: dict[str, Sheet], seed: str, number: int) -> Resolution:
    """Resolve a turn; open questions get their default, as in the game that was recorded."""
    answers: dict[str, str] = {}
    while True:
        dice = turn_dice(rules, seed, number, len(answers) + 1)
        result = rules.resolve(state, sheets, dice, Answers(answers, dice))
        if isinstance(result, Resolution):
            return result
        assert not any(question.choices for question in result.questions), result.questions
        answers |= {question.key: question.default for question in result.questions}


if __name__ == "__main__":
    for one in editions():
        record(*one)
