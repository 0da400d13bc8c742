"""Lines of fire in every direction, and orders that only a broken caller could send."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from engine.core.codec import plain
from engine.core.contract import Order
from engine.core.dice import LoadedDice
from engine.core.geometry import Spot, cell_name
from engine.pirates.board import load_board, packaged_board
from engine.pirates.notation import read_position
from engine.pirates.options import PiratesOptions
from engine.pirates.rules import resolve, seats
from engine.pirates.rules.gunnery import field_of_fire, in_sight
from engine.pirates.state import Fire, ShipOrder, VolleyOrder

DRILL: dict[str, Any] = tomllib.loads(
    (Path(__file__).parents[2] / "cases" / "pirates" / "drill.toml").read_text("utf-8")
)
SIZE = 9
CENTRE = Spot(4, 4)
STRAIGHT = [(rows, columns) for rows in (-2, 0, 2) for columns in (-2, 0, 2) if (rows, columns) != (0, 0)]
KNIGHT = [(rows, columns) for rows in (-2, -1, 1, 2) for columns in (-2, -1, 1, 2) if abs(rows * columns) == 2]


def sees(offset: tuple[int, int], *blocked: tuple[int, int], reach: int = 2, rays_only: bool = False) -> bool:
    """Say whether a gun in the middle of an open sea reaches an offset past land at other offsets."""
    grid = [["."] * SIZE for _ in range(SIZE)]
    grid[0][0] = "S"
    for rows, columns in blocked:
        grid[CENTRE.row + rows][CENTRE.column + columns] = "#"
    port = {"cell": "A1", "id": "home", "name": {"ru": "Дом", "en": "Home"}}
    title = {"ru": "Карта", "en": "Chart"}
    rows_of_chart = ["".join(row) for row in grid]
    board = load_board(
        {"format": "pirates-board/1", "title": title, "rows": rows_of_chart, "goal": "A1", "ports": [port]}
    )
    target = cell_name(Spot(CENTRE.row + offset[0], CENTRE.column + offset[1]))
    return in_sight(board, cell_name(CENTRE), target, reach, rays_only=rays_only)


@pytest.mark.parametrize("offset", STRAIGHT)
def test_land_in_the_middle_shuts_a_straight_or_slanting_line(offset: tuple[int, int]) -> None:
    middle = (offset[0] // 2, offset[1] // 2)

    assert sees(offset)
    assert not sees(offset, middle)
    assert sees(offset, rays_only=True)
    assert not sees(offset, reach=1)


@pytest.mark.parametrize("offset", KNIGHT)
def test_a_knights_offset_is_shut_only_where_both_cells_between_are_land(offset: tuple[int, int]) -> None:
    rows, columns = offset
    slanting = (rows // abs(rows), columns // abs(columns))
    straight = (0, slanting[1]) if abs(columns) == 2 else (slanting[0], 0)

    assert sees(offset)
    assert sees(offset, straight)
    assert sees(offset, slanting)
    assert not sees(offset, straight, slanting)
    assert not sees(offset, rays_only=True)


@pytest.mark.parametrize("offset", [(0, 3), (3, 3), (-3, 1), (0, 0)])
def test_three_cells_are_too_far_and_a_ship_does_not_hit_herself(offset: tuple[int, int]) -> None:
    assert not sees(offset)


@pytest.mark.parametrize("rays_only", [False, True])
@pytest.mark.parametrize("reach", [1, 2])
def test_a_field_of_fire_is_every_sea_cell_in_sight(reach: int, rays_only: bool) -> None:
    board = packaged_board("atlantic")

    for cell in board.seas:
        seen = {end for end in board.seas if in_sight(board, cell, end, reach, rays_only=rays_only)}
        assert field_of_fire(board, cell, reach, rays_only=rays_only) == seen


def turn(text: str, seat: str, *orders: Order, players: int = 2, **options: Any) -> list[dict[str, Any]]:
    roster = [one.id for one in seats(players)]
    state = read_position(text, PiratesOptions(**options), roster, DRILL)
    dice = LoadedDice({}, lambda *_: 1)
    return [plain(event) for event in resolve(state, {seat: orders}, dice).events]


def shots(events: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    kinds = {"shot-fired": "ships", "shot-not-fired": "ship"}
    return [(event["type"], event[kinds[event["type"]]]) for event in events if event["type"] in kinds]


def test_a_second_shot_of_a_seat_is_refused_although_the_sheet_holds_it() -> None:
    fire = Fire(when="before", targets=(1,))
    orders = (ShipOrder(ship=4, fire=fire), ShipOrder(ship=5, fire=fire))

    events = turn("1G E5, 4B E6, 5B F5", "pirates-1", *orders, shots="seat")

    assert shots(events) == [("shot-not-fired", 5), ("shot-fired", (4,))]


def test_a_second_volley_of_a_seat_is_refused_although_the_sheet_holds_it() -> None:
    first = VolleyOrder(name="a", ships=(4,), targets=(1,))
    second = VolleyOrder(name="b", ships=(5, 6), targets=(1,))

    events = turn("1G E5, 4B E6, 5B F5, 6B F6", "pirates-1", first, second, shots="seat")

    assert shots(events) == [("shot-not-fired", 5), ("shot-not-fired", 6), ("shot-fired", (4,))]


def test_an_order_for_a_ship_of_another_seat_counts_for_nothing() -> None:
    fire = Fire(when="before", targets=("any",))

    assert shots(turn("1G E5, 4B E6", "spain-1", ShipOrder(ship=4, fire=fire))) == []
    assert shots(turn("1G E5, 4B E6", "stranger", ShipOrder(ship=4, fire=fire))) == []


def test_the_latest_of_two_volleys_that_name_a_ship_has_her() -> None:
    first = VolleyOrder(name="a", ships=(4, 5), targets=(1,))
    second = VolleyOrder(name="b", ships=(5, 6), targets=(1,))

    events = turn("1G E5, 2G A1, 4B E6, 5B F5, 6B F6", "pirates-1", first, second)

    assert shots(events) == [("shot-fired", (4,)), ("shot-fired", (5, 6))]


def test_a_volley_across_sides_has_no_foreign_members() -> None:
    volley = VolleyOrder(name="a", ships=(1, 4), targets=(1,))

    assert shots(turn("1G E5, 4B E6", "pirates-1", volley)) == [("shot-fired", (4,))]


def test_lines_of_both_sides_that_say_the_same_are_two_volleys() -> None:
    roster = [one.id for one in seats(2)]
    state = read_position("1G E5, 2G A1, 4B E6", PiratesOptions(), roster, DRILL)
    line = VolleyOrder(name="a", ships=(1, 4), targets=(4, 1))

    events = resolve(state, {"spain-1": (line,), "pirates-1": (line,)}, LoadedDice({}, lambda *_: 2)).events

    assert shots([plain(event) for event in events]) == [("shot-fired", (1,)), ("shot-fired", (4,))]
