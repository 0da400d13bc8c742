"""Drawings as SVG, coasts as rings, and where labels go."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from engine.core.codec import decode, encode
from engine.core.drawing import (
    Circle,
    Drawing,
    Group,
    Label,
    Line,
    Pattern,
    Pen,
    Polygon,
    Rect,
    Region,
    Symbol,
    Text,
    Use,
    layer,
    svg,
)
from engine.core.labels import Box, Page, around, beside, text_width
from engine.core.outline import rings, smooth

SVG = "{http://www.w3.org/2000/svg}"


def words(label: Label) -> str:
    return f"{label.key} & <{label.facts.get('name', '')}>"


def sample(*overlay: Text) -> Drawing:
    base = (
        Rect(0, 0, 10, 10, Pen(fill="url(#hatch)")),
        Region((((0, 0), (4, 0), (4, 4)), ((1, 1), (2, 1), (2, 2))), Pen(fill="#aabbcc")),
        Line(((0, 0), (5, 5)), Pen(stroke="#000000", dash=(1, 2), opacity=0.5)),
        Polygon(((0, 0), (1, 0), (1, 1)), Pen(fill="#ffffff")),
        Group((Circle(1, 1, 2, Pen(stroke="#123456")),), 3, 4, 90, 0.5),
    )
    hatch = Pattern("hatch", 2, 2, (Line(((0, 0), (2, 2)), Pen(stroke="#cccccc")),), 45)
    return Drawing(20, 10, "#fffff0", base, overlay, Label("alt", {"name": "x"}), patterns=(hatch,))


def test_svg_escapes_words_of_labels_and_literals() -> None:
    drawing = sample(
        Text(1, 2, Label("port", {"name": '"Порт"</text><script>'}), 5, halo="#ffffff"), Text(3, 4, "a<b\x07", 5)
    )

    root = ET.fromstring(svg(drawing, words))

    assert [text.text for text in root.iter(f"{SVG}text")] == ['port & <"Порт"</text><script>>'] * 2 + ["a<b"]
    assert list(root.iter(f"{SVG}script")) == []


def test_svg_says_in_words_what_the_picture_shows() -> None:
    root = ET.fromstring(svg(sample(), words))

    assert (root.get("role"), root.findtext(f"{SVG}title")) == ("img", "alt & <x>")
    assert (root.get("width"), root.get("height")) == ("20", "10")


def test_svg_is_its_two_layers() -> None:
    drawing = sample(Text(1, 2, "9", 5))

    assert layer(drawing, words, "base") + layer(drawing, words, "overlay") in svg(drawing, words)
    assert ">9<" not in layer(drawing, words, "base")


@pytest.mark.parametrize("colour", ["red", "#12345", '#123456" onload="x', "url(http://x)", ""])
def test_svg_refuses_what_is_no_colour(colour: str) -> None:
    with pytest.raises(ValueError, match="not a colour"):
        svg(Drawing(1, 1, colour, (), (), Label("alt")), words)


def test_drawing_survives_json() -> None:
    drawing = sample(Text(1, 2, Label("port"), 5), Text(1, 2, "9", 5))

    assert decode(encode(drawing), Drawing) == drawing


# Coasts and labels ----------------------------------------------------------------------------------------------------


def outline(*rows: str) -> list[set[tuple[int, int]]]:
    cells = {(r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "#"}
    return [set(ring) for ring in rings(range(len(rows)), range(len(rows[0])), lambda r, c: (r, c) in cells)]


def test_outline_of_a_cell_is_its_four_corners() -> None:
    assert outline("#") == [{(0, 0), (0, 1), (1, 1), (1, 0)}]


def test_outline_of_a_lake_is_a_ring_of_its_own() -> None:
    assert sorted(map(len, outline("###", "#.#", "###"))) == [4, 12]


def test_outline_joins_cells_that_touch_by_a_corner() -> None:
    assert len(outline("#.", ".#")) == 1
    assert len(outline("##", "##")) == 1
    assert len(outline("#.#")) == 2


def test_smooth_coast_stays_near_the_grid_and_is_always_the_same() -> None:
    ring = rings(range(2), range(2), lambda *_: True)[0]

    assert smooth(ring, 10) == smooth(ring, 10)
    assert all(-2 <= x <= 22 and -2 <= y <= 22 for x, y in smooth(ring, 10))


def test_label_takes_the_first_free_place_round_its_point() -> None:
    page = Page(Box(0, 0, 200, 100))
    right, left = around(100, 50, 30, 10, 8)[:2]

    assert page.place(around(100, 50, 30, 10, 8)) == right
    assert page.place(around(100, 50, 30, 10, 8)) == left


def test_label_keeps_inside_the_frame_and_off_what_is_taken() -> None:
    page = Page(Box(0, 0, 200, 100))
    page.take(Box(0, 40, 60, 60))

    box = page.place(around(195, 50, 30, 10, 8))

    assert box.right <= 195
    assert box.overlap(Box(0, 40, 60, 60)) == 0


def test_labels_beside_a_line_clear_it() -> None:
    for box in beside(50, 50, 40, 10, (0.0, 1.0), 6):
        assert box.bottom <= 44.001 or box.top >= 55.999


def test_text_width_is_rather_too_long() -> None:
    assert text_width("Вера-Круз", 12) > text_width("Круз", 12) > 4 * 12 * 0.4


# Symbols --------------------------------------------------------------------------------------------------------------


def with_symbols(*overlay: Use) -> Drawing:
    symbols = tuple(Symbol(name, (Circle(0, 0, 1, Pen(fill="#112233")),)) for name in ("one", "two", "three"))
    base = (Group((Use("two", 1, 2),), 3, 4),)
    return Drawing(20, 10, "#ffffff", base, overlay, Label("alt"), symbols=symbols)


def test_symbol_is_written_once_in_each_layer_that_uses_it() -> None:
    drawing = with_symbols(Use("one", 1, 2, 90, 0.46), Use("one"), Use("two"))

    assert layer(drawing, words, "overlay") == (
        '<defs><g id="over-one"><circle cx="0" cy="0" r="1" fill="#112233"/></g>'
        '<g id="over-two"><circle cx="0" cy="0" r="1" fill="#112233"/></g></defs>'
        '<use href="#over-one" transform="translate(1 2) rotate(90) scale(0.46)"/>'
        '<use href="#over-one"/><use href="#over-two"/>'
    )
    assert '<g id="two">' in layer(drawing, words, "base")
    assert "one" not in layer(drawing, words, "base")


def test_no_name_stands_twice_in_a_drawing_with_symbols_in_both_layers() -> None:
    root = ET.fromstring(svg(with_symbols(Use("two"), Use("three")), words))

    assert [part.get("id") for part in root.iter(f"{SVG}g") if part.get("id")] == ["two", "over-two", "over-three"]


def test_symbol_that_the_drawing_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\['four'\]"):
        svg(with_symbols(Use("four")), words)
