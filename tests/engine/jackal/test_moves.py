"""The legal actions of a position, in canonical order (page 5.2)."""

from __future__ import annotations

from typing import Any

from engine.core.registry import ruleset
from engine.jackal.commands import Fly, Launch, Raise, RumLeap, Sail, SpinStep, Step
from engine.jackal.notation import read_position
from engine.jackal.options import JackalOptions

RULES = ruleset("jackal")
NEIGHBOURS = ["G5", "H5", "H6", "H7", "G7", "F7", "F6", "F5"]


def legal(text: str, players: int = 4, **options: Any) -> list[Any]:
    chosen = JackalOptions(mode="strict", **options)
    state = read_position(text, chosen, [seat.id for seat in RULES.seats(chosen, players)], None)
    view = RULES.view(state, "white")
    return [order.alternatives[0].act for order in RULES.legal(view, "white-1")]  # type: ignore[attr-defined]


def test_those_aboard_step_ahead_and_the_ship_moves_both_ways() -> None:
    assert legal("to move white") == [
        Step(unit="W1", cell="G2"),
        Step(unit="W2", cell="G2"),
        Step(unit="W3", cell="G2"),
        Sail(colour="white", route=("W",)),
        Sail(colour="white", route=("E",)),
        None,
    ]


def test_steps_go_clockwise_from_north_and_never_to_certain_death() -> None:
    found = legal("W1 G6, W2 dead, W3 dead, H5 = cannibal")

    assert [act.cell for act in found[:-1]] == [cell for cell in NEIGHBOURS if cell != "H5"]


def test_every_step_is_there_without_and_with_what_may_be_carried() -> None:
    found = legal("W1 G6, coin@G6, treasure@G6, W2 dead, W3 dead, H5 = fort")
    loads = [(act.cell, act.load.item if act.load else "") for act in found if isinstance(act, Step)]

    assert loads[:4] == [("G5", ""), ("G5", "coin"), ("G5", "treasure"), ("H5", "")]
    assert ("H5", "coin") not in loads


def test_the_trapped_leap_with_rum_alone() -> None:
    trapped = "G6 = trap, W1 G6 trapped, W2 dead, W3 dead"

    assert legal(trapped) == [None]
    assert [act.cell for act in legal(f"{trapped}, bottles white 1") if isinstance(act, RumLeap)] == NEIGHBOURS


def test_on_a_spin_one_steps_on() -> None:
    assert legal("H7 = spin3, W1 H7/1, W2 dead, W3 dead") == [SpinStep(unit="W1"), None]


def test_the_lost_and_the_drunk_do_nothing() -> None:
    assert legal("E5 = cave, W1 E5 lost, W2 F6 drunk, W3 dead") == [None]


def test_swimmers_swim_and_board() -> None:
    found = legal("W1 F1, W2 dead, W3 dead")

    assert [act.cell for act in found[:-1]] == ["G1", "E1"]


def test_who_touches_an_ally_ship_may_row_it() -> None:
    found = legal("W1 G13, W2 dead, W3 dead", players=2)

    assert [act for act in found if isinstance(act, Sail)] == [
        Sail(colour="black", route=("W",)),
        Sail(colour="black", route=("E",)),
    ]


def test_in_the_girls_fort_each_of_the_dead_may_be_raised() -> None:
    found = legal("G6 = fort_girl, W1 G6, W2 dead, W3 dead")

    assert [act.dead for act in found if isinstance(act, Raise)] == ["W2", "W3"]


def test_from_an_armed_plane_one_flies_home_and_anywhere() -> None:
    found = [
        act for act in legal("G6 = plane armed, W1 G6, W2 dead, W3 dead", plane_defer="yes") if isinstance(act, Fly)
    ]

    assert found[0].cell == "G1"
    assert len(found) == 1 + 116


def test_boat_is_launched_from_the_shore() -> None:
    found = [act for act in legal("boat@C2, W1 C2, W2 dead, W3 dead", tileset="ti_plus") if isinstance(act, Launch)]

    assert [act.cell for act in found] == ["C1", "D1", "B2", "B1"]
