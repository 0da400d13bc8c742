"""The chart: who stands where, how signs differ, which names are written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
import pytest

from engine.core.drawing import Circle, Drawing, Group, Label, Polygon, Shape, Text, layer, svg
from engine.core.geometry import parse_cell
from engine.core.labels import Box
from engine.pirates.board import Current, board_of
from engine.pirates.draw import draw
from engine.pirates.draw.signs import CELL, FLASH, GOLD, MARGIN, PIRATES, SPAIN, cell_box, ship_shapes
from engine.pirates.options import PiratesOptions
from engine.pirates.state import PiratesView, Ship, ShipMoved, ShipSunk, ShotFired, Wind


def ship(number: int, cell: str | None, **changes: Any) -> Ship:
    side = "spain" if number < 4 else "pirates"
    made = Ship(
        number=number,
        kind="galleon" if number < 4 else "brigantine",
        name=f"Имя {number}",
        owner=f"{side}-1",
        side="spain" if number < 4 else "pirates",
        home="spain-1",
        cell=cell,
        fate="afloat" if cell else "sunk",
    )
    return msgspec.structs.replace(made, **changes)


def view(*ships: Ship, **changes: Any) -> PiratesView:
    made = PiratesView(
        seat="spain-1",
        side="spain",
        options=PiratesOptions(),
        roster=("spain-1", "pirates-1"),
        round=5,
        wind=Wind(rhumb="NE", force="fresh"),
        ships=ships,
    )
    return msgspec.structs.replace(made, **changes)


def walk(shapes: Iterable[Shape], x: float = 0, y: float = 0) -> Iterator[tuple[Shape, float, float]]:
    for shape in shapes:
        if isinstance(shape, Group):
            yield from walk(shape.shapes, x + shape.x, y + shape.y)
        else:
            yield shape, x, y


def texts(drawing: Drawing, name: str = "overlay") -> list[str]:
    return [
        shape.text
        for shape, _, _ in walk(getattr(drawing, name))
        if isinstance(shape, Text) and isinstance(shape.text, str)
    ]


def sails(drawing: Drawing) -> dict[str, tuple[float, float]]:
    """Find where the numbers on sails stand."""
    groups = [shape for shape in drawing.overlay if isinstance(shape, Group)]
    found = {}
    for group in groups:
        for shape in group.shapes:
            if isinstance(shape, Text) and isinstance(shape.text, str):
                found[shape.text] = (group.x, group.y)
    return found


def middle(cell: str) -> tuple[float, float]:
    spot = parse_cell(cell)
    return MARGIN + (spot.column + 0.5) * CELL, MARGIN + (spot.row + 0.5) * CELL


def test_ships_at_sea_stand_in_the_middle_of_their_cells() -> None:
    drawing = draw(view(ship(1, "P5"), ship(4, "J26"), ship(5, None)))

    assert sails(drawing) == {"1": middle("P5"), "4": middle("J26")}


def test_ships_in_one_port_lie_apart_so_that_every_number_is_read() -> None:
    drawing = draw(view(ship(1, "R1"), ship(2, "R1"), ship(3, "R1"), ship(8, "O9"), ship(9, "O9")))
    places = sorted(sails(drawing).values())

    assert len(places) == 5
    assert all(
        abs(one[0] - other[0]) >= 20 or abs(one[1] - other[1]) >= 20
        for one in places
        for other in places
        if one != other
    )
    assert all(MARGIN < x < drawing.width - MARGIN and MARGIN < y < drawing.height - MARGIN for x, y in places)


def test_berths_cover_no_ship_at_sea() -> None:
    drawing = draw(view(ship(1, "P7"), ship(2, "O7"), ship(3, "O8"), ship(4, "P8"), ship(5, "O6")))
    (x, y) = sails(drawing)["1"]

    assert all(
        abs(x - other[0]) > 20 or abs(y - other[1]) > 20 for number, other in sails(drawing).items() if number != "1"
    )


def test_a_class_is_told_by_its_shape_and_a_side_by_colour_and_flag() -> None:
    hulls = {
        (kind, side): [shape for shape in ship_shapes(ship(number, "P5", side=side)) if isinstance(shape, Polygon)]
        for number, kind in ((1, "galleon"), (4, "brigantine"))
        for side in ("spain", "pirates")
    }
    outline = {key: [shape.points for shape in shapes] for key, shapes in hulls.items()}
    colours = {key: {shape.pen.fill for shape in shapes} for key, shapes in hulls.items()}

    assert outline["galleon", "spain"][0] == outline["galleon", "pirates"][0] != outline["brigantine", "pirates"][0]
    assert (
        outline["galleon", "spain"] != outline["galleon", "pirates"]
    )  # the flags differ in shape, not in colour alone
    assert {key for key, inks in colours.items() if SPAIN in inks} == {("galleon", "spain"), ("brigantine", "spain")}
    assert {key for key, inks in colours.items() if PIRATES in inks} == {
        ("galleon", "pirates"),
        ("brigantine", "pirates"),
    }


@pytest.mark.parametrize("hits", [0, 1, 2])
def test_a_hole_stands_for_each_hit(hits: int) -> None:
    holes = [
        shape
        for shape in ship_shapes(ship(1, "P5", hits=hits))
        if isinstance(shape, Circle) and shape.pen.fill == FLASH
    ]

    assert len(holes) == hits


def test_gold_is_drawn_only_for_who_knows_it() -> None:
    def coins(gold: int) -> int:
        shapes = walk(draw(view(ship(1, "P5"), ship(2, "P3"), gold=gold)).overlay)
        return sum(isinstance(shape, Circle) and shape.pen.fill == GOLD for shape, _, _ in shapes)

    assert (coins(2), coins(0)) == (1, 0)


def test_overlay_shows_tracks_shots_and_losses_of_the_turn() -> None:
    calm = draw(view(ship(1, "P5"), ship(4, "P6")))
    events = (
        ShipMoved(rule="P10", ship=1, path=("P3", "P4", "P5")),
        ShotFired(rule="P28", ships=(1,), target=4, when="after", spin="N", hit=True, address="ship1/o2/main/0"),
        ShipSunk(rule="P31", ship=5, cell="P7", by=(1,)),
    )
    turn = draw(view(ship(1, "P5"), ship(4, "P6"), ship(5, None)), events)

    assert len(turn.overlay) > len(calm.overlay) + 6
    assert texts(turn).count("5") == texts(calm).count("5") + 1
    assert turn.base == calm.base


def test_compass_gives_the_cells_of_both_classes_at_every_point() -> None:
    numbers = [text for text in texts(draw(view())) if text.isdigit()]

    assert numbers == ["1", "1", "0", "1", "1", "1", "2", "2", "3", "3", "3", "3", "3", "3", "2", "2"]


def labels(drawing: Drawing) -> list[tuple[str, float, float, float, str]]:
    found = []
    for shape, x, y in walk((*drawing.base, *drawing.overlay)):
        if isinstance(shape, Text) and isinstance(shape.text, Label) and shape.text.key == "name":
            found.append((shape.text.facts["ru"], x + shape.x, y + shape.y, shape.size, shape.anchor))
    return found


def test_every_port_and_current_is_named_and_names_do_not_collide() -> None:
    board = board_of("atlantic", None)
    placed = labels(draw(view()))
    boxes = []
    for name, x, y, size, anchor in placed:
        width = len(name) * size * 0.53
        left = {"start": x, "middle": x - width / 2, "end": x - width}[anchor]
        boxes.append((left, y - size * 0.75, left + width, y))

    assert {name for name, *_ in placed} >= {port.name["ru"] for port in board.ports.values()}
    assert len(placed) == len(board.ports) + len(board.currents)
    for place, one in enumerate(boxes):
        for other in boxes[place + 1 :]:
            assert min(one[2], other[2]) <= max(one[0], other[0]) or min(one[3], other[3]) <= max(one[1], other[1])


@pytest.mark.parametrize("current", board_of("atlantic", None).currents, ids=lambda current: current.id)
def test_no_ship_lies_on_the_name_of_a_current(current: Current) -> None:
    board = board_of("atlantic", None)
    free = name_box(draw(view()), current)
    assert free is not None
    under = [cell for cell in board.seas if cell_box(cell).overlap(free)]
    assert under

    for cell in under:
        moved = name_box(draw(view(ship(4, cell))), current)
        assert moved is not None
        assert moved.overlap(cell_box(cell).grown(-3)) == 0


def name_box(drawing: Drawing, current: Current) -> Box | None:
    """Return about where the name of a current is written."""
    for name, x, y, size, _ in labels(drawing):
        if name == current.name["ru"]:
            width = len(name) * size * 0.53
            return Box(x - width / 2, y - size * 0.75, x + width / 2, y)
    return None


def test_names_are_in_the_readers_language() -> None:
    drawing = draw(view())

    def speak(language: str) -> str:
        return svg(drawing, lambda label: label.facts.get(language, label.key) if label.key == "name" else label.key)

    assert [name in speak("ru") for name in (">Нассау<", ">Nassau<")] == [True, False]
    assert [name in speak("en") for name in (">Нассау<", ">Nassau<")] == [False, True]


def test_text_rows_show_ships_by_number_and_many_in_a_port_as_a_plus() -> None:
    rows = draw(view(ship(1, "R1"), ship(2, "R1"), ship(4, "K12"), ship(5, "O9"))).rows

    assert rows[1] == "   1234567890123456789012345678901234567890"
    assert rows[2 + 10] == "K  ########./.4.N..................N...####"
    assert rows[2 + 14] == "O  ....../.5....\\................/..#######"
    assert rows[2 + 17].startswith("R  +..#")
    assert {len(row) for row in rows[1:]} == {43}


def test_text_legend_names_the_ships_of_a_crowded_port() -> None:
    legend = draw(view(ship(1, "R1"), ship(2, "R1"), ship(4, "K12"))).legend

    assert [(label.key, label.facts.get("ships")) for label in legend] == [("rows", None), ("rows-berth", [1, 2])]


def test_a_board_without_broad_land_has_the_compass_and_key_below_the_map() -> None:
    document = {
        "format": "pirates-board/1",
        "title": {"ru": "Лужа", "en": "The Puddle"},
        "goal": "H1",
        "rows": ["S........P", *[".........."] * 6, "S........."],
        "start": {str(number): "A1" if number < 4 else "A10" for number in range(1, 10)},
        "ports": [
            {"cell": "A1", "id": "home", "name": {"ru": "Дом", "en": "Home"}},
            {"cell": "H1", "id": "goal", "name": {"ru": "Цель", "en": "Goal"}},
            {"cell": "A10", "id": "lair", "name": {"ru": "Логово", "en": "Lair"}},
        ],
    }

    drawing = draw(view(ship(1, "C3"), board=document))

    assert drawing.height > MARGIN * 2 + 8 * CELL + 100
    assert sails(drawing) == {"1": middle("C3")}
    assert "key-galleon" in [
        shape.text.key
        for shape, _, _ in walk(drawing.base)
        if isinstance(shape, Text) and isinstance(shape.text, Label)
    ]


def test_base_is_made_once_for_a_board() -> None:
    one, other = draw(view(ship(1, "P5"))), draw(view(ship(1, "P4"), round=6))

    assert one.base is other.base
    assert layer(one, lambda label: label.key, "overlay") != layer(other, lambda label: label.key, "overlay")
