"""Recorded games: the orders and what came of them, to be resolved the same by every later program.

``python -m tests.engine.recorded_games jackal`` records those of a ruleset anew: only when the outcome is meant to
change, and once it has been released the ruleset then has a new option or a new revision (fair-play 7). Without a name
the games are recorded that have no file yet.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from engine.core.codec import encode, from_plain, plain
from engine.core.contract import Answers, Resolution, Ruleset, Seat, Sheet
from engine.core.registry import rulesets
from engine.core.selfplay import Chance, turn_dice

FOLDER = Path(__file__).parent / "recorded"
PLAYERS = {"pirates": 5}
TABLES: dict[str, tuple[int, dict[str, Any]]] = {
    "jackal-tl": (2, {}),
    "jackal-ti": (3, {"mode": "strict"}),
    "jackal-20": (4, {}),
    "jackal-cr": (2, {"actions_per_round": 2}),
    "jackal-oe": (4, {}),
    "jackal-lx": (4, {"teams": "yes"}),
    "jackal-cl": (3, {}),
}
"""Players and switches of a game where the ruleset is played at tables of several kinds."""
TURNS = {"jackal": 48, "set_sail": 24}
"""So many turns are kept of a game that is long, or has no end; all of them where a ruleset is not named."""
SEEDS = {("blockade", "sealed"): "recorded-sealed-75"}
"""Where most games are short: the seed of a long one."""


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
    players, switches = TABLES.get(f"{name}-{edition}", (PLAYERS.get(name, rules.info.seats[0]), {}))
    head: dict[str, Any] = {
        "edition": edition,
        "players": players,
        "revision": rules.info.revision,
        "seed": SEEDS.get((name, edition), f"recorded-{edition}"),
    }
    if switches:
        head["switches"] = switches
    lines = [head]
    roster, state = _begun(rules, head)
    chance = Chance(head["seed"].encode())
    while rules.outcome(state) is None and len(lines) <= TURNS.get(name, len(lines)):
        sheets = {seat: rules.bot(rules.view(state, seat), chance) for seat in roster if _owes(rules, state, seat)}
        answers: dict[str, str] = {}
        result = _resolved(rules, state, sheets, head["seed"], len(lines), answers, chance)
        line = {"digest": digest(result), "sheets": plain(dict(sheets))}
        lines.append(line | {"answers": answers} if answers else line)
        state = result.state
    text = "".join(json.dumps(line, ensure_ascii=False, sort_keys=True) + "\n" for line in lines)
    path_of(name, edition).write_text(text, "utf-8")


def _begun(rules: Ruleset, head: Mapping[str, Any]) -> tuple[tuple[Seat, ...], Any]:
    options = msgspec.structs.replace(rules.info.editions[head["edition"]], **head.get("switches", {}))
    roster = tuple(seat.id for seat in rules.seats(options, head["players"]))
    return roster, rules.start(options, roster, turn_dice(rules, head["seed"], 0)).state


def _owes(rules: Ruleset, state: Any, seat: Seat) -> bool:
    return any(slot.seat == seat and not slot.optional for slot in rules.owed(rules.view(state, seat)))


def _sheet(rules: Ruleset, orders: list[Any]) -> Sheet:
    return tuple(from_plain(order, rules.info.order) for order in orders)


def replay(rules: Ruleset, lines: list[dict[str, Any]]) -> list[str]:
    """Resolve a recorded game again and return the digests of its turns."""
    head, *turns = lines
    _, state = _begun(rules, head)
    digests = []
    for number, turn in enumerate(turns, 1):
        sheets = {seat: _sheet(rules, orders) for seat, orders in turn["sheets"].items()}
        result = _resolved(rules, state, sheets, head["seed"], number, turn.get("answers", {}))
        digests.append(digest(result))
        state = result.state
    return digests


def _resolved(
    rules: Ruleset,
    state: Any,
    sheets: dict[str, Sheet],
    seed: str,
    number: int,
    said: dict[str, str],
    chance: Chance | None = None,
) -> Resolution:
    """Resolve a turn; a question gets what was ``said``, one new to it an answer by chance, without it the default."""
    answers: dict[str, str] = {}
    while True:
        dice = turn_dice(rules, seed, number, len(answers) + 1)
        result = rules.resolve(state, sheets, dice, Answers(answers, dice))
        if isinstance(result, Resolution):
            return result
        for question in result.questions:
            if chance is not None:
                words = [choice.word for choice in question.choices] or [question.default]
                said[question.key] = words[chance(len(words))]
            answers[question.key] = said.get(question.key, question.default)


if __name__ == "__main__":
    for one in editions():
        if one[0] in sys.argv[1:] or (not sys.argv[1:] and not path_of(*one).exists()):
            record(*one)
