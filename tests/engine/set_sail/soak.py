"""Campaigns of «Поднять паруса!» by number, every turn held to the laws: all switches, two to eight, sane and wild.

``python -m tests.engine.set_sail.soak --games 1000 --seed 1`` prints one JSON object; a campaign that breaks a law ends
with its number, and ``--first NUMBER --games 1`` with the same seed plays that very campaign again.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import typing
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from statistics import median
from typing import Final

from engine.core.contract import MODERATOR, Answers, Resolution, Seat, Sheet
from engine.core.dice import Throw
from engine.core.selfplay import Chance, turn_dice
from engine.set_sail import RULESET
from engine.set_sail import events as ev
from engine.set_sail.options import EDITIONS, SetSailOptions
from engine.set_sail.state import SetSailState
from tests.engine.set_sail.laws import check, views_keep_secrets
from tests.engine.set_sail.wild import ROSTER, Wild

TURNS: Final = 60
WILD: Final = 3
"""One campaign in so many is of people whose orders make little sense."""
SECRETS: Final = 8
"""The views of one turn in so many are held against those of a twin."""

Look = Callable[[SetSailState, Resolution, tuple[Throw, ...]], None]


def options_of(name: str, number: int) -> SetSailOptions:
    """Return the switches of a campaign: the editions in turn, then any mixture."""
    editions = list(EDITIONS.values())
    if number % 4 < len(editions):
        return editions[number % 4]
    choose = Chance(sha256(name.encode()).digest())
    hints = typing.get_type_hints(SetSailOptions)
    words = {field: typing.get_args(hints[field]) for field in SetSailOptions.__struct_fields__}
    return SetSailOptions(**{field: its[choose(len(its))] for field, its in words.items()})


def play(seed: str, number: int, turns: int = TURNS, look: Look | None = None) -> Counter[str]:
    """Play a campaign and hold every turn of it to the laws; return what happened how often. Raises LawBroken."""
    name = f"{seed}:{number}"
    wild = Wild(int.from_bytes(sha256(name.encode()).digest()[:4])) if number % WILD == WILD - 1 else None
    roster = ROSTER if wild else tuple(seat.id for seat in RULESET.seats(options_of(name, number), 2 + number % 7))
    choose = Chance(name.encode())
    state = RULESET.start(options_of(name, number), roster, turn_dice(RULESET, name, 0)).state
    told = Counter[str]({"wild": int(wild is not None)})
    for turn in range(1, turns + 1):
        assert isinstance(state, SetSailState)
        sheets = wild.sheets(state) if wild else sane_sheets(state, choose)
        result, throws = resolve(state, sheets, name, turn, choose)
        check(state, result, throws)
        if look is not None:
            look(state, result, throws)
        state = result.state
        told.update(str(event.__struct_config__.tag) for event in result.events)
        told.update({"turns": 1, "dice": len(throws)})
        told.update(f"band {event.band}" for event in result.events if isinstance(event, ev.WindowClosed))
        if turn % SECRETS == 1:
            assert isinstance(state, SetSailState)
            told["views"] += views_keep_secrets(state)
    return told


def sane_sheets(state: SetSailState, choose: Chance) -> dict[Seat, Sheet]:
    """Ask the bot of every seat that owes something."""
    sheets: dict[Seat, Sheet] = {}
    for seat in (*state.roster, MODERATOR):
        view = RULESET.view(state, seat)
        if any(slot.seat == seat and not slot.optional for slot in RULESET.owed(view)):
            sheets[seat] = RULESET.bot(view, choose)
    return sheets


def resolve(
    state: SetSailState, sheets: dict[Seat, Sheet], name: str, turn: int, choose: Chance
) -> tuple[Resolution, tuple[Throw, ...]]:
    """Resolve a turn, answering what is asked by chance; return what came of it, and its dice."""
    answers: dict[str, str] = {}
    while True:
        dice = turn_dice(RULESET, name, turn, len(answers) + 1)
        result = RULESET.resolve(state, sheets, dice, Answers(answers, dice))
        if isinstance(result, Resolution):
            return result, dice.throws
        for question in result.questions:
            words = [choice.word for choice in question.choices] or [question.default]
            answers[question.key] = words[choose(len(words))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--turns", type=int, default=TURNS)
    arguments = parser.parse_args()
    began = time.process_time()
    games: list[Counter[str]] = []
    for number in range(arguments.first, arguments.first + arguments.games):
        try:
            games.append(play(arguments.seed, number, arguments.turns))
        except Exception:
            sys.stderr.write(f"campaign {number}: --seed {arguments.seed} --first {number} --games 1\n")
            raise
    whole: Counter[str] = sum(games, Counter())
    counted = ("rolled", "fate-rolled", "bids-opened", "scheme-laid", "trade-offered", "wound-taken", "move-triggered")
    bands = {band: whole[f"band {band}"] for band in ("full", "partial", "miss")}
    found = {
        "seed": arguments.seed,
        "campaigns": len(games),
        "wild": whole["wild"],
        "turns": whole["turns"],
        "dice": whole["dice"],
        "views_compared": whole["views"],
        "bands": bands,
        "events": {name: whole[name] for name in counted},
        "kinds_of_events": sum(tag.__struct_config__.tag in whole for tag in typing.get_args(ev.SetSailEvent)),
        "rolls_a_campaign": median([game["rolled"] for game in games]),
        "seconds": round(time.process_time() - began, 1),
    }
    sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
