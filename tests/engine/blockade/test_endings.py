"""Every ending of rule 19 occurs: between sane bots, between wild players, or in a scripted game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.blockade.options import BlockadeOptions
from engine.blockade.state import BlockadeState
from engine.core.contract import Answers, Resolution
from engine.core.dice import LoadedDice
from engine.core.selfplay import play
from tests.engine.blockade.positions import ROSTER, RULES
from tests.engine.blockade.wild import play_wildly

LAYOUT = """остров E8 F8 G8 G9 G10
остров K12 L12 M12 L13 L11
остров Q9 R9 S9 T9 T10
остров O17 P17 P18 Q18 Q19
скала D5
скала C15"""


def scripted(letters: Sequence[tuple[str, str]], points: dict[str, int] | None = None, **options: Any) -> BlockadeState:
    """Play a game from its first letter: what first and second write in each turn; dice by the ship that fires."""
    faces = {"sides": 1, "toss": 1, **(points or {})}
    state = RULES.start(BlockadeOptions(**options), ROSTER, LoadedDice({})).state
    for letter in letters:
        sheets = {}
        for seat, line in zip(ROSTER, letter, strict=True):
            view = RULES.view(state, seat)
            reading = RULES.read(view, (), line.split("\n") if line else (), "ru")
            assert reading.complaints == (), line
            sheets[seat] = reading.sheet + RULES.silent(view, reading.sheet)
        dice = LoadedDice({}, lambda address, _: faces.get(address.split("/")[0]))
        result = RULES.resolve(state, sheets, dice, Answers())
        assert isinstance(result, Resolution)
        state = result.state
    assert isinstance(state, BlockadeState)
    return state


def ending(state: BlockadeState) -> str:
    assert state.outcome is not None
    return f"{state.outcome.sides[0]} {state.outcome.reason}"


SIDES = ("сторона: прорыв\nгавань N1", "сторона: блокада\nугол X24")
FAR = "план: ===; огонь не стрелять"


def test_runner_who_turns_back_is_forced_home() -> None:
    turns = [SIDES, (LAYOUT, ""), ("план: ==Л", FAR), ("план: ЛЛЛ", FAR), ("план: ===", FAR)]

    assert ending(scripted(turns)) == "blockader harbour"


@pytest.mark.parametrize(
    ("dice", "end"),
    [
        ({"blockader": 3, "runner": 4}, "blockader points"),
        ({"blockader": 4, "runner": 3}, "runner points"),
        ({"blockader": 4, "runner": 4}, "blockader tie"),
    ],
)
def test_game_that_nothing_else_ends_goes_by_points(dice: dict[str, int], end: str) -> None:
    """They pass each other in the east, broadside to broadside, until both have made twelve steps."""
    sides = ("сторона: прорыв\nгавань O1", "сторона: блокада\nугол W23")
    turns = [
        sides,
        (LAYOUT, ""),
        ("план: ПЛ==", "план: ЛЛ=="),
        ("план: ====", "план: ===="),
        ("план: ====", "план: ===="),
    ]

    assert ending(scripted(turns, dice, steps=4, limit=12)) == end


def test_agreed_stop_counts_the_points_as_they_stand() -> None:
    turns = [SIDES, (LAYOUT, ""), ("завершаем", "завершаем")]

    assert ending(scripted(turns)) == "blockader tie"


def test_runner_who_steams_upon_the_bow_is_lost() -> None:
    """Both hold fire and neither yields; they meet in column J."""
    sides = ("сторона: прорыв\nгавань J1", "сторона: блокада\nугол A23")
    down = ["план: ====", "план: ====", "план: ПП==", "план: ===="]
    turns = [sides, (LAYOUT, ""), *(("план: ====; огонь не стрелять", f"{plan}; огонь не стрелять") for plan in down)]

    assert ending(scripted(turns, steps=4)) == "blockader head-on"


def test_sane_bots_ram_and_escape() -> None:
    missing = {"runner escape", "runner ram", "blockader ram"}
    for number in range(40):
        outcome = play(RULES, BlockadeOptions(), 2, f"ends {number}").outcome
        assert outcome is not None
        missing.discard(f"{outcome.sides[0]} {outcome.reason}")
        if not missing:
            break

    assert missing == set()


def test_wild_players_run_ashore_on_either_side() -> None:
    missing = {"blockader ashore", "runner ashore"}
    for number in range(40):
        missing.discard(ending(play_wildly(BlockadeOptions(), f"wild ends {number}", lambda *_: None)))
        if not missing:
            break

    assert missing == set()
