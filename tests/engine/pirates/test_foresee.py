"""Foresight: one's own orders on what one sees, nobody else moving, no dice."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from engine.core.codec import plain
from engine.core.contract import Order
from engine.pirates.board import board_of
from engine.pirates.notation import read_position
from engine.pirates.options import PiratesOptions
from engine.pirates.rules import foresee, seats
from engine.pirates.rules.course import cuts, plan_run, reach, rose
from engine.pirates.state import Fire, GoldOrder, NameOrder, PiratesState, RunCut, ShipOrder, Wind
from engine.pirates.view import view

DRILL: dict[str, Any] = tomllib.loads(
    (Path(__file__).parents[2] / "cases" / "pirates" / "drill.toml").read_text("utf-8")
)


def position(text: str, players: int = 2, **options: Any) -> PiratesState:
    roster = [seat.id for seat in seats(players)]
    return read_position(text, PiratesOptions(**options), roster, DRILL)


def told(state: PiratesState, seat: str, *orders: Order) -> list[str]:
    return [plain(event)["type"] for event in foresee(view(state, seat), orders)]


def test_a_run_ends_before_a_ship_that_does_not_move() -> None:
    state = position("1G E3, 4B E5; wind W fresh")

    events = foresee(view(state, "spain-1"), (ShipOrder(ship=1, course="E", distance=3),))

    assert [plain(event)["type"] for event in events] == ["ship-moved", "ship-stopped"]


def test_fire_is_not_foreseen() -> None:
    state = position("1G E3, 4B E5; wind W fresh")

    assert told(state, "spain-1", ShipOrder(ship=1, fire=Fire(when="before", targets=(4,)))) == []


def test_a_ship_beside_a_derelict_would_take_her() -> None:
    state = position("1G* E5 derelict, 2G E2, 4B A1; wind W fresh")

    assert told(state, "spain-1", ShipOrder(ship=2, course="E", distance=2)) == ["ship-moved", "derelict-taken"]


def test_current_port_and_repair_are_foreseen() -> None:
    state = position("1G I1 h1, 2G I2, 3G G7, 4B A1; wind E fresh")
    orders = (
        ShipOrder(ship=1, repair=True),
        ShipOrder(ship=2, course="W", distance=1),
        ShipOrder(ship=3, course="NE", distance=1),
    )
    assert told(state, "spain-1", *orders) == ["ship-moved", "port-entered", "ship-moved", "ship-repaired"]


def test_in_a_hurricane_the_drift_is_foreseen_and_the_shore_left_open() -> None:
    state = position("1G E3, 2G I5, 4B E5; wind N hurricane")

    assert told(state, "spain-1", ShipOrder(ship=1, course="E", distance=1)) == ["run-cut", "ship-drifted"]


def test_in_alternating_play_ships_are_foreseen_one_after_another() -> None:
    state = position("1G E3, 2G E4, 4B G7; wind W fresh; to move spain", mode="alternating")

    first = told(state, "spain-1", ShipOrder(ship=1, course="E", distance=2), ShipOrder(ship=2, course="E", distance=2))
    last = told(state, "spain-1", ShipOrder(ship=2, course="E", distance=2), ShipOrder(ship=1, course="E", distance=2))

    assert first == ["ship-stopped", "ship-moved"]
    assert last == ["ship-moved", "ship-moved"]
    assert told(state, "pirates-1", ShipOrder(ship=4, course="E", distance=1)) == []


def test_in_play_by_side_ships_are_foreseen_by_number() -> None:
    state = position("1G E3, 2G E4, 4B A1; wind W fresh", mode="by_side")

    orders = (ShipOrder(ship=2, course="E", distance=2), ShipOrder(ship=1, course="E", distance=2))
    events = told(state, "spain-1", *orders)

    assert events == ["ship-stopped", "ship-moved"]


def test_another_seats_ships_are_not_told_of() -> None:
    state = position("1G E3, 4B G8; wind W fresh")

    assert told(state, "spain-1", ShipOrder(ship=1)) == []
    assert told(state, "pirates-1") == ["carried"]


def test_in_set_up_names_and_the_own_choice_of_gold_are_foreseen() -> None:
    roster = [seat.id for seat in seats(2)]
    state = read_position("1G R1, 2G R1, 4B O9; round 0", PiratesOptions(), roster, None)

    chosen = told(state, "spain-1", GoldOrder(ship=2), NameOrder(ship=1, name="Sol"))
    left_to_the_lot = told(state, "spain-1", GoldOrder(ship=0))

    assert chosen == ["ship-named", "gold-chosen"]
    assert left_to_the_lot == []


def test_cuts_says_what_the_receipt_must_say() -> None:
    state = position("1G E3, 4B E5; wind N fresh")
    seen = view(state, "spain-1")

    assert cuts(seen, ShipOrder(ship=1, course="W", distance=3)) == RunCut(
        rule="P15", ship=1, asked=3, allowed=2, reason="wind", course="W"
    )
    assert cuts(seen, ShipOrder(ship=1, course="W", distance=2)) is None
    assert cuts(seen, ShipOrder(ship=2, course="W", distance=2)) is None


def test_a_huge_distance_is_cut_and_quoted_as_asked() -> None:
    state = position("1G A6; wind N fresh")
    cut = cuts(view(state, "spain-1"), ShipOrder(ship=1, course="W", distance=10**9))

    assert cut is not None
    assert (cut.asked, cut.allowed) == (10**9, 2)


def test_a_run_into_an_open_port_ends_there_and_is_not_cut() -> None:
    state = position("1G I3; wind E fresh")
    order = ShipOrder(ship=1, course="W", distance=3)

    plan = plan_run(board_of("atlantic", DRILL), state.options, state.ships[0], order, state.wind)

    assert (plan.path, plan.cut, plan.ends) == (("I3", "I2", "I1"), None, "port")


def test_the_rose_gives_three_three_two_one_none() -> None:
    shown = rose(PiratesOptions(), Wind(rhumb="N", force="fresh"))

    assert list(shown["galleon"].values()) == [0, 1, 2, 3, 3, 3, 2, 1]
    assert list(shown["brigantine"].values()) == [1, 1, 2, 3, 3, 3, 2, 1]
    assert reach(PiratesOptions(oars_upwind="no"), "brigantine", Wind(rhumb="N", force="fresh"), "N") == 0
    assert set(rose(PiratesOptions(), Wind(rhumb="N", force="calm"))["galleon"].values()) == {0}
    assert set(rose(PiratesOptions(), Wind(rhumb="N", force="calm"))["brigantine"].values()) == {1}
    assert set(rose(PiratesOptions(), Wind(rhumb="N", force="hurricane"))["brigantine"].values()) == {0}
