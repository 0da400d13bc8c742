"""Games of «Шакал» by number, every turn held to the laws: all editions, numbers of players, modes, sane and wild.

``python -m tests.engine.jackal.soak --games 5000 --seed 1`` prints one JSON object; a game that breaks a law ends with
its number, and ``--first NUMBER --games 1`` with the same seed plays that very game again.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Mapping
from statistics import median
from typing import Any, Final, NamedTuple

import msgspec

from engine.core.contract import Resolution, Seat, Sheet
from engine.jackal.options import EDITIONS, JackalOptions
from engine.jackal.state import JackalState
from tests.engine.jackal.laws import check, views_keep_secrets
from tests.engine.jackal.wild import play_wildly, sane_sheet

TABLES: Final[tuple[tuple[int, dict[str, Any]], ...]] = ((2, {}), (3, {}), (4, {}), (4, {"teams": "yes"}))
"""Two, three, four, and two against two."""
SWITCHES: Final[tuple[dict[str, Any], ...]] = (
    {},
    {"mode": "strict"},
    {"actions_per_round": 2},
    {"actions_per_round": 3, "share_peeks": "yes"},
    {"mode": "strict", "cave_blocked": "locked"},
    {"forced_load": "drop", "oath": "require"},
    {"mode": "strict", "plane_defer": "yes", "lighthouse": "new"},
    {"ship_picks_up": "no", "tie": "living", "end_early": "no"},
)
WILD: Final = 5
"""One game in so many is of wild players."""
WILD_SLOTS: Final = 400
"""Wild players find no end: so many slots of their games are played."""
SECRETS: Final = 16
"""The views of one turn in so many are held against those of a twin."""


class Played(NamedTuple):
    """What a game came to."""

    wild: bool
    turns: int
    slots: int
    views: int
    reason: str


def options_of(number: int) -> tuple[JackalOptions, int, bool]:
    """Return the options, the number of players and whether they are wild, of the game of that number."""
    edition = list(EDITIONS)[number % len(EDITIONS)]
    number //= len(EDITIONS)
    players, teams = TABLES[number % len(TABLES)]
    number //= len(TABLES)
    switches = SWITCHES[number % len(SWITCHES)]
    return msgspec.structs.replace(EDITIONS[edition], **teams, **switches), players, number % WILD == WILD - 1


def play(seed: str, number: int) -> Played:
    """Play a game and hold every turn of it to the laws. Raises LawBroken."""
    options, players, wild = options_of(number)
    turns = slots = views = 0

    def look(before: JackalState, result: Resolution, sheets: Mapping[Seat, Sheet]) -> None:
        nonlocal turns, slots, views
        turns += 1
        slots += len(before.plan)
        check(before, result)
        if turns % SECRETS == 1:
            assert isinstance(result.state, JackalState)
            views += views_keep_secrets(result.state)

    most = WILD_SLOTS // (1 if options.mode == "strict" else players * options.actions_per_round) if wild else 10_000
    name = f"{seed}:{number}"
    end = play_wildly(options, players, name, look, most, sheet=None if wild else sane_sheet)
    return Played(wild, turns, slots, views, end.outcome.reason if end.outcome is not None else "broken-off")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", default="1")
    arguments = parser.parse_args()
    began = time.process_time()
    games: list[Played] = []
    for number in range(arguments.first, arguments.first + arguments.games):
        try:
            games.append(play(arguments.seed, number))
        except Exception:
            sys.stderr.write(f"game {number}: --seed {arguments.seed} --first {number} --games 1\n")
            raise
    sane = [game for game in games if not game.wild]
    found = {
        "seed": arguments.seed,
        "games": len(games),
        "wild": len(games) - len(sane),
        "turns": sum(game.turns for game in games),
        "slots": sum(game.slots for game in games),
        "views_compared": sum(game.views for game in games),
        "sane_outcomes": dict(Counter(game.reason for game in sane).most_common()),
        "wild_outcomes": dict(Counter(game.reason for game in games if game.wild).most_common()),
        "sane_slots": {"median": median([game.slots for game in sane]), "max": max(game.slots for game in sane)}
        if sane
        else {},
        "seconds": round(time.process_time() - began, 1),
    }
    sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
