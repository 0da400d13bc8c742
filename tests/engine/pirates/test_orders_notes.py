"""What a receipt says beside orders that were read: cuts, and what is legal but surprising."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.pirates.orders import read
from engine.pirates.state import PiratesView, Wind
from tests.engine.pirates.orders_position import at_sea, playing

PIRATE = at_sea("pirates-1")  # 4 at O14, 5 at M13; Spaniards 1 at O12, 2 at N12; the wind from NW


def noted(view: PiratesView, line: str, kind: str) -> list[tuple[str, str, dict[str, Any]]]:
    reading = read(view, (), [line], "ru")
    assert (len(reading.orders), reading.complaints) == (1, ())
    return [(note.key, note.rule, dict(note.facts)) for note in reading.orders[0].notes if note.kind == kind]


def in_wind(force: Any, **options: Any) -> PiratesView:
    return msgspec.structs.replace(playing("pirates-1", **options), wind=Wind(rhumb="NW", force=force))


def cut(ship: int, course: str | None, asked: int, allowed: int, reason: str, **facts: Any) -> dict[str, Any]:
    return {
        "ship": ship, "course": course, "bends": (), "asked": asked, "allowed": allowed, "reason": reason, **facts,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("view", "line", "rule", "facts"),
    [
        (PIRATE, "4: ЮВ 9", "P15", cut(4, "SE", 9, 3, "wind")),
        (PIRATE, "4: СВ 3", "P15", cut(4, "NE", 3, 2, "wind")),
        (PIRATE, "4: С 2", "P15", cut(4, "N", 2, 1, "wind")),
        (PIRATE, "4: СЗ 4", "P16", cut(4, "NW", 4, 1, "oars")),
        (at_sea("spain-1"), "1: СЗ 1", "P15", cut(1, "NW", 1, 0, "wind")),
        (at_sea("spain-2"), "ЮВ 3", "P7", cut(3, "SE", 3, 0, "land")),
        (at_sea("spain-2"), "З 1", "P15", cut(3, "W", 1, 0, "edge")),
        (in_wind("calm"), "4: ЮВ 3", "P17", cut(4, "SE", 3, 1, "calm")),
        (in_wind("hurricane"), "4: ЮВ 3", "P18", cut(4, "SE", 3, 0, "hurricane")),
        (
            playing("pirates-1", bend="yes"),
            "4: ЮВ СЗ",
            "P15",
            cut(4, None, 2, 1, "points", bends=("SE", "NW")),
        ),
    ],
)
def test_a_cut_run_is_shown_before_anybody_moves(
    view: PiratesView, line: str, rule: str, facts: dict[str, Any]
) -> None:
    if facts["reason"] == "edge":
        rule = "P13"
    assert noted(view, line, "cut") == [("run", rule, facts)]


@pytest.mark.parametrize("line", ["4: ЮВ 3", "4: СВ 2", "4: С 1", "4: стоять", "4: ремонт"])
def test_a_run_that_can_be_made_is_not_cut(line: str) -> None:
    assert noted(PIRATE, line, "cut") == []


@pytest.mark.parametrize(
    ("view", "line", "key", "rule", "facts"),
    [
        (PIRATE, "4: ремонт", "repair-at-sea", "P33", {"ship": 4}),
        (PIRATE, "залп А: 4,6,7 по 1 до", "volley-others", "P29",
         {"volley": "a", "ships": (6, 7), "seats": ("pirates-2",)}),
        (PIRATE, "4: огонь до 6", "friendly", "P27", {"ship": 4, "target": 6}),
        (PIRATE, "залп А: 4,5 по 6 до", "friendly", "P27", {"ship": 0, "target": 6, "volley": "a"}),
        (PIRATE, "4: огонь до 4", "target-self", "P27", {"ship": 4}),
        (PIRATE, "4: огонь до 1", "out-of-reach", "P25", {"ship": 4, "targets": (1,)}),
        (PIRATE, "4: огонь после 3", "out-of-reach", "P25", {"ship": 4, "targets": (3,)}),
        (at_sea("pirates-1", {1: {"fate": "sunk", "cell": None}}), "4: огонь до 1", "target-gone", "P31",
         {"ship": 4, "target": 1}),
        (at_sea("pirates-1", {4: {"cell": "O9"}}), "4: огонь до 1", "fire-in-port", "P30",
         {"ship": 4, "when": "before"}),
        (at_sea("pirates-1", {4: {"cell": "O9"}}), "4: огонь после любой", "fire-in-port", "P30",
         {"ship": 4, "when": "after"}),
        (in_wind("calm", storm_fire="no"), "4: огонь после любой", "storm-fire", "P30", {"ship": 4}),
        (in_wind("hurricane", storm_fire="no"), "залп А: 4,5 по 1 до", "storm-fire", "P30",
         {"ship": 0, "volley": "a"}),
    ],
)  # fmt: skip
def test_what_is_legal_but_surprising_is_said(
    view: PiratesView, line: str, key: str, rule: str, facts: dict[str, Any]
) -> None:
    assert noted(view, line, "warning") == [(key, rule, facts)]


@pytest.mark.parametrize(
    ("view", "line"),
    [
        (PIRATE, "4: огонь после любой"),
        (PIRATE, "4: З 1; огонь после 1"),
        (PIRATE, "4: огонь после 1"),
        (PIRATE, "4: огонь до 1,любой"),
        (at_sea("pirates-1", {1: {"cell": "O20"}}), "4: огонь после 1"),  # run and currents may bring them together
        (PIRATE, "залп А: 4,5 по 1 до"),
        (at_sea("pirates-1", {4: {"cell": "O13"}}), "4: огонь до 1"),
        (at_sea("spain-1"), "1: огонь до 4"),
        (at_sea("pirates-1", {4: {"cell": "O9"}}), "4: В 3; огонь после любой"),
        (at_sea("pirates-1", {4: {"cell": "O9"}}), "4: ремонт"),
        (in_wind("calm"), "4: огонь после любой"),
        (playing("pirates-1", mode="by_side"), "4: огонь до 1"),
    ],
)
def test_what_is_usual_needs_no_word(view: PiratesView, line: str) -> None:
    assert noted(view, line, "warning") == []
