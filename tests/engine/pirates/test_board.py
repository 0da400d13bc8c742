"""Charts: the Atlantic is sound, and a chart that cannot be played on is refused with place and reason."""

from __future__ import annotations

import copy
import json
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from engine.core.dice import LoadedDice
from engine.pirates.board import BoardError, board_of, load_board, packaged_board
from engine.pirates.options import PiratesOptions
from engine.pirates.rules import start

DRILL = Path(__file__).parents[2] / "cases" / "pirates" / "drill.toml"


def drill() -> dict[str, Any]:
    return tomllib.loads(DRILL.read_text("utf-8"))


def atlantic() -> dict[str, Any]:
    return tomllib.loads((resources.files("engine.pirates") / "data" / "atlantic.toml").read_text("utf-8"))


def test_atlantic_has_the_size_and_the_ports_of_the_rules() -> None:
    board = packaged_board("atlantic")

    assert (board.width, board.height, len(board.seas)) == (40, 23, 585)
    assert {kind: sum(board.kinds[cell] == kind for cell in board.ports) for kind in "SPN"} == {"S": 10, "P": 6, "N": 4}
    assert board.ports[board.goal].id == "cadiz"
    assert board.start == {1: "R1", 2: "R1", 3: "R1", 4: "Q11", 5: "B36", 6: "R9", 7: "B38", 8: "O9", 9: "D39"}
    assert len(board.currents) == 14


@pytest.mark.parametrize(
    ("port", "opens_to"),
    [
        ("R1", "Q1 Q2 R2"),
        ("P7", "O6 O7 O8 P8"),
        ("W8", "V7 V8 V9"),
        ("V10", "U9 U10 U11 V9"),
        ("R13", "Q12 Q13 Q14 R14 S12 S13 S14"),
        ("F36", "E35 E36 E37 F35 G35"),
        ("H36", "G35 H35 I35 I36"),
        ("I37", "I36 J36 J37"),
        ("Q11", "P10 P11 P12 Q10 Q12 R10"),
        ("R9", "Q10 R8 R10 S8 S9 S10"),
        ("B36", "A35 B35 B37 C35 C36 C37"),
        ("B38", "B37 C37 C38"),
        ("D39", "C38 D38 E38 E39"),
        ("I9", "H10 I10 J10"),
        ("D18", "C19 D19 E17 E18 E19"),
    ],
)
def test_port_of_the_atlantic_opens_to_the_sea_cells_of_its_row(port: str, opens_to: str) -> None:
    board = packaged_board("atlantic")
    beside = {board.ahead[port][rhumb] for rhumb in board.ahead[port] if not board.barriers[port][rhumb]}

    assert {cell for cell in beside if cell and board.is_sea(cell)} == set(opens_to.split())


def test_every_port_and_current_has_a_name_in_both_languages() -> None:
    board = packaged_board("atlantic")

    names = [port.name for port in board.ports.values()] + [current.name for current in board.currents]
    assert [set(name) for name in names] == [{"ru", "en"}] * 34
    assert board.ports["I37"].name == {"ru": "Кадикс", "en": "Cádiz"}


def test_goal_of_the_atlantic_lies_where_cadiz_does() -> None:
    board = packaged_board("atlantic")
    spot = board.spots[board.goal]
    assert board.geo is not None
    west = board.geo.west + spot.column * board.geo.width
    north = board.geo.north - spot.row * board.geo.height

    assert west <= -6.3 * 60 <= west + board.geo.width
    assert north - board.geo.height <= 36.5 * 60 <= north


def test_unknown_board_is_refused() -> None:
    for name in ("caspian", "../atlantic", "Atlantic", ""):
        with pytest.raises(BoardError) as caught:
            packaged_board(name)
        assert (caught.value.where, caught.value.reason) == ("board", "unknown")


def test_board_of_a_group_is_read_once_and_as_json_too() -> None:
    document = drill()

    assert board_of("atlantic", document) is board_of("atlantic", json.loads(json.dumps(document)))


def test_game_starts_on_a_board_of_the_group() -> None:
    document = atlantic()
    document["title"] = {"ru": "Наша карта", "en": "Our chart"}
    seats = ("spain-1", "pirates-1")

    state: Any = start(PiratesOptions(), seats, LoadedDice({}, lambda _, sides: sides), document).state

    assert state.board == document
    assert board_of(state.options.board, state.board).title["en"] == "Our chart"


def test_no_game_starts_on_a_drill_chart() -> None:
    with pytest.raises(BoardError) as caught:
        start(PiratesOptions(), ("spain-1", "pirates-1"), LoadedDice({}, lambda _, sides: sides), drill())

    assert (caught.value.where, caught.value.reason) == ("start", "start-missing")


def spoil(document: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """Return a copy with one entry changed; ``path`` is keys and places parted by dots."""
    spoilt = copy.deepcopy(document)
    *way, last = path.split(".")
    here: Any = spoilt
    for step in way:
        here = here[int(step)] if isinstance(here, list) else here[step]
    if isinstance(here, list):
        here[int(last)] = value
    elif value is None:
        del here[last]
    else:
        here[last] = value
    return spoilt


@pytest.mark.parametrize(
    ("path", "value", "where", "reason"),
    [
        ("format", "pirates-board/9", "format", "unknown-format"),
        ("rows", None, "document", "shape"),
        ("rows", [], "rows", "size"),
        ("rows", ["."] * 27, "rows", "size"),
        ("rows.3", "...", "rows", "ragged"),
        ("rows.0", "...........x", "A12", "unknown-sign"),
        ("rows.0", "...........N", "A12", "port-unnamed"),
        ("rows.0", ".#..........", "", ""),
        ("colour", "blue", "document", "shape"),
        ("title", {"ru": "Карта"}, "title", "names-missing"),
        ("ports.0.name", {"ru": "Кадикс", "en": " "}, "cadiz", "bad-name"),
        ("ports.0.name", {"ru": "К" * 41, "en": "C"}, "cadiz", "bad-name"),
        ("ports.0.name", {"ru": "Кадикс\u202e", "en": "C"}, "cadiz", "bad-name"),
        ("ports.0.id", "Cádiz!", "ports", "bad-id"),
        ("ports.1.id", "cadiz", "ports", "bad-id"),
        ("ports.0.cell", "A1", "A1", "no-port-drawn"),
        ("ports.1.cell", "I1", "I1", "port-twice"),
        ("rows.8", "S#.........P", "", ""),
        ("currents.0.cells", ["G8"], "arrow", "current-too-short"),
        ("currents.0.cells", ["G8", "G10"], "arrow", "current-not-straight"),
        ("currents.0.cells", ["G8", "G9", "F10"], "arrow", "current-not-straight"),
        ("currents.0.cells", ["I10", "I11", "I12"], "arrow", "current-off-sea"),
        ("currents.0.cells", ["G8", "G9", "Z9"], "arrow", "current-off-sea"),
        ("currents.0.cells", ["B5", "C4"], "arrow", "current-not-straight"),
        ("goal", "I12", "goal", "goal-not-spanish"),
        ("goal", "Z99", "goal", "goal-not-spanish"),
        ("start", {"1": "I1"}, "start", "start-numbers"),
    ],
)
def test_spoilt_chart_is_refused_with_place_and_reason(path: str, value: Any, where: str, reason: str) -> None:
    spoilt = spoil(drill(), path, value)
    if not reason:
        load_board(spoilt)
        return

    with pytest.raises(BoardError) as caught:
        load_board(spoilt)

    assert (caught.value.where, caught.value.reason) == (where, reason)


@pytest.mark.parametrize(
    ("number", "cell", "reason"),
    [("1", "I37", "start-at-goal"), ("1", "Q11", "start-not-a-home"), ("4", "R1", "start-not-a-home")],
)
def test_start_must_be_a_home_port_other_than_the_goal(number: str, cell: str, reason: str) -> None:
    with pytest.raises(BoardError) as caught:
        load_board(spoil(atlantic(), f"start.{number}", cell))

    assert (caught.value.where, caught.value.reason) == ("start", reason)


def test_port_shut_in_by_land_is_refused() -> None:
    walled = drill()
    walled["rows"][7:9] = ["##..........", "S#.........P"]

    with pytest.raises(BoardError) as caught:
        load_board(walled)

    assert (caught.value.where, caught.value.reason) == ("I1", "port-closed")


def test_sea_that_cannot_be_reached_is_refused() -> None:
    cut_off = drill()
    cut_off["rows"][0:2] = [".#..........", "##.#........"]

    with pytest.raises(BoardError) as caught:
        load_board(cut_off)

    assert caught.value.reason == "sea-cut-off"


def test_two_currents_may_not_share_a_cell() -> None:
    crossed = drill()
    crossed["currents"].append({"id": "other", "name": {"ru": "Другое", "en": "Other"}, "cells": ["F9", "G9", "H9"]})

    with pytest.raises(BoardError) as caught:
        load_board(crossed)

    assert (caught.value.where, caught.value.reason) == ("other", "current-shares-cell")
    assert caught.value.facts == {"cell": "G9", "other": "arrow"}
