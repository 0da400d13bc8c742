"""The island as text and as a picture (page 5.6)."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from itertools import pairwise
from xml.etree import ElementTree as ET

import msgspec
import pytest

from engine.core.contract import PUBLIC, Event, Language
from engine.core.drawing import Drawing, Label, Text, Use, svg
from engine.core.registry import ruleset
from engine.jackal.board import freeze, thaw
from engine.jackal.draw import draw, gallery
from engine.jackal.draw.chart import SYMBOLS
from engine.jackal.draw.paper import PAPER, SIDE, centre
from engine.jackal.draw.rows import tile_sign
from engine.jackal.draw.signs import SIGNS, sign_of
from engine.jackal.events import Died, EarthQuaked, Moved, ShipMoved, Struck, TileOpened
from engine.jackal.isle import ISLE
from engine.jackal.notation import read_position
from engine.jackal.options import EDITIONS, JackalOptions
from engine.jackal.state import STEPS_A_CELL, JackalState, JackalView
from engine.jackal.tiles import BY_CODE, KINDS, OPEN, SPENT, deck, exits_of, make

RULES = ruleset("jackal")
LANGUAGES: tuple[Language, ...] = ("ru", "en")
SVG = "{http://www.w3.org/2000/svg}"
SEATS = ["white", "yellow", "black", "red"]


def state_of(text: str, options: JackalOptions | None = None) -> JackalState:
    return read_position(text, options or JackalOptions(), SEATS, None)


def view_of(text: str, options: JackalOptions | None = None) -> JackalView:
    view: JackalView = RULES.view(state_of(text, options), "white")
    return view


def russian(label: Label) -> str:
    return str(label.facts["ru"]) if label.key == "name" else label.key


def english(label: Label) -> str:
    return str(label.facts["en"]) if label.key == "name" else label.key


def uses(drawing: Drawing) -> list[Use]:
    return [shape for shape in drawing.overlay if isinstance(shape, Use)]


def on(drawing: Drawing, cell: str, *, second: bool = False) -> list[str]:
    """Return the symbols whose middle lies within a cell."""
    x, y = centre(ISLE.cell(cell), second)
    return [use.symbol for use in uses(drawing) if abs(use.x - x) < SIDE / 2 and abs(use.y - y) < SIDE / 2]


def words_of(drawing: Drawing, cell: str) -> list[str]:
    """Return the words, in Russian, whose middle lies within a cell."""
    x, y = centre(ISLE.cell(cell))
    texts = [shape for shape in drawing.overlay if isinstance(shape, Text)]
    near = [text.text for text in texts if abs(text.x - x) < SIDE / 2 and abs(text.y - y) < SIDE / 2]
    return [russian(text) if isinstance(text, Label) else text for text in near]


def legend_of(drawing: Drawing) -> list[str]:
    """Return the words under the frame, in Russian."""
    texts = [shape for shape in drawing.overlay if isinstance(shape, Text) and shape.y > drawing.width + 40]
    return [russian(text.text) for text in texts if isinstance(text.text, Label)]


# The map as text ------------------------------------------------------------------------------------------------------


def test_map_has_a_line_a_row_with_tiles_ships_and_gold() -> None:
    drawn = RULES.draw(
        view_of("C2 = arrow NE, D2 = chest5 closed, E2 = spin3, F2 = chest2, coin@F2*2, G2 = ice, ship white H1")
    )

    assert drawn.rows[:3] == (
        "    A  B  C  D  E  F  G  H  I  J  K  L  M",
        {"ru": " 1                       Б=", "en": " 1                       W="},
        {"ru": " 2        ↗  ·· 3  .2 Лд .. .. .. ..", "en": " 2        ↗  ·· 3  .2 Ic .. .. .. .."},
    )
    assert len(drawn.rows) == 14


def test_legend_of_the_map_explains_what_stands_on_it_and_no_more() -> None:
    bare = RULES.draw(view_of("")).legend[0].facts
    rich = RULES.draw(view_of("C2 = arrow NE, D2 = chest5 closed, E2 = spin3, G2 = ice, H2 = cannon N, coin@F2")).legend

    assert {key: value for key, value in bare.items() if value} == {
        "ships": ["white", "yellow", "black", "red"],
        "blank": True,
    }
    assert [kind["key"] for kind in rich[0].facts["kinds"]] == ["ice", "cannon"]
    assert all(rich[0].facts[key] for key in ("closed", "blank", "arrows", "spins", "gold"))


def test_every_arrow_has_a_sign_of_its_own_by_rotation() -> None:
    signs = {tile_sign(make(key, rotation=turn), "en") for key in KINDS if KINDS[key].exits for turn in range(4)}

    assert len(signs) == 4 + 4 + 2 + 2 + 4 + 1 + 1


def test_a_spent_plane_is_a_blank() -> None:
    assert [tile_sign(make("plane"), language) for language in LANGUAGES] == ["См", "Pl"]
    assert tile_sign(make("plane", effect=SPENT), "ru") == ".."


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_that_can_be_seen_has_a_sign_of_two_columns_of_its_own(language: Language) -> None:
    signs = [tile_sign(make(key), language) for key in KINDS]

    assert len(set(signs)) == len(signs)
    assert {len(sign) for sign in signs} == {2}
    assert language == "ru" or not any("а" <= letter.lower() <= "я" for sign in signs for letter in sign)


def test_legend_names_characters_with_step_and_state_and_loads() -> None:
    legend = RULES.draw(view_of("W1 H7/2 drunk, H7 = spin3, W2 dead, W3 dead, treasure@G6")).legend

    man = {"cell": "H7", "step": 2, "ship": False, "boat": False, "states": ["drunk"], "loads": []}
    assert legend[1].facts == {"colour": "white", "ship": "G1", "boat": "", "men": [{"units": ["W1"], **man}]}
    assert legend[-1].facts == {"heaps": [{"cell": "G6", "step": 0, "items": ("treasure",)}]}


# Tiles ----------------------------------------------------------------------------------------------------------------


def test_every_kind_has_a_drawing_of_its_own() -> None:
    blanks = {f"empty{number}" for number in range(4)}

    assert set(SIGNS) == {"closed", *blanks, *(key for key in KINDS if key != "empty")}
    assert len({msgspec.json.encode(shapes) for shapes in SIGNS.values()}) == len(SIGNS)


@pytest.mark.parametrize("key", [key for key in KINDS if KINDS[key].exits])
@pytest.mark.parametrize("rotation", range(4))
def test_arrow_heads_point_to_the_exits(key: str, rotation: int) -> None:
    tile = make(key, rotation=rotation)
    name, turn = sign_of(tile, 100)
    heads = [shape.turn for shape in SIGNS[name] if hasattr(shape, "turn") and hasattr(shape, "shapes")]

    assert sorted((head + turn) % 360 / 45 for head in heads) == list(exits_of(tile))


@pytest.mark.parametrize(("rhumb", "turn"), [("N", 0), ("E", 90), ("S", 180), ("W", 270)])
def test_cannon_is_turned_as_its_barrel_points(rhumb: str, turn: int) -> None:
    drawing = draw(view_of(f"G6 = cannon {rhumb}"))

    assert [use.turn for use in uses(drawing) if use.symbol == "cannon" and use.scale == 1.0] == [turn]


def test_other_kinds_stand_upright_however_they_lie() -> None:
    turned = {sign_of(make(key, rotation=3), 100)[1] for key in KINDS if not KINDS[key].exits and key != "cannon"}

    assert turned == {0}


def test_blanks_have_four_drawings_and_all_occur() -> None:
    found = {use.symbol for use in uses(draw(view_of("")))}

    assert {name for name in found if name.startswith("empty")} == {"empty0", "empty1", "empty2", "empty3"}


def test_spent_tile_is_pale_unless_turned_up_now_or_something_lies_there() -> None:
    drawing = draw(
        view_of("G6 = plane spent, C5 = rum1 spent, D5 = chest2, coin@D5"),
        (TileOpened(rule="J3.3", cell="C5", tile="rum1", rotation=0, unit="W1"),),
    )

    assert on(drawing, "G6") == ["plane", "veil"]
    assert on(drawing, "C5") == ["rum1", "opened"]
    assert on(drawing, "D5") == ["chest2", "load-coin"]


# Ships, characters, loads ---------------------------------------------------------------------------------------------


def test_pirates_are_told_by_colour_form_and_number() -> None:
    drawing = draw(view_of("W1 G6, Y2 H6, B3 I6, R1 J6"))

    assert [words_of(drawing, cell) for cell in ("G6", "H6", "I6", "J6")] == [["Б1"], ["Ж2"], ["Ч3"], ["К1"]]
    plates = [symbol.shapes for symbol in SYMBOLS if re.fullmatch("unit-(white|yellow|black|red)", symbol.name)]
    outlines = {re.sub("#[0-9a-f]{6}", "", str(msgspec.json.encode(shapes))) for shapes in plates}
    assert len(outlines) == 4


def test_everybody_of_a_crowd_stands_in_the_cell_without_overlap() -> None:
    crowd = "G6 = jungle, " + ", ".join(f"{unit} G6" for unit in ("W1", "W2", "W3", "Y1", "Y2", "Y3", "B1", "B2", "B3"))
    drawing = draw(view_of(f"{crowd}, R1 G6, R2 G6, R3 G6, BG white G6, MS red G6, FR black G6"))
    x, y = centre(ISLE.cell("G6"))
    plates = [use for use in uses(drawing) if use.symbol.startswith("unit-") and abs(use.x - x) < 25 > abs(use.y - y)]

    assert len(plates) == 15
    assert len({(round(use.x, 1), round(use.y, 1)) for use in plates}) == 15
    assert min(use.scale for use in plates) >= 0.5


def test_who_stands_on_a_spin_stands_beside_the_number_of_his_step() -> None:
    drawing = draw(view_of("H7 = spin3, W1 H7/1, Y2 H7/3, coin@H7/2*3"))
    x, y = centre(ISLE.cell("H7"))
    heights = {use.symbol: round(use.y - y) for use in uses(drawing) if abs(use.x - x) < 25 > abs(use.y - y)}

    assert [heights[name] for name in ("unit-white", "load-coin", "unit-yellow")] == [-16, 0, 16]


def test_throng_on_a_spin_stands_in_bands_with_the_numbers_of_their_steps() -> None:
    drawing = draw(view_of("H7 = spin5, W1 H7/1, W2 H7/1, W3 H7/1, Y2 H7/4"))
    x, y = centre(ISLE.cell("H7"))
    here = [use for use in uses(drawing) if abs(use.x - x) < 25 > abs(use.y - y)]

    assert [use.symbol for use in here if use.symbol.startswith("step-")] == ["step-1", "step-4"]
    assert [use.y < y for use in here if use.symbol.startswith("unit-")] == [True, True, True, False]
    assert min(use.scale for use in here if use.symbol.startswith("unit-")) >= 0.7


def test_states_and_owners_are_marked() -> None:
    drawing = draw(view_of("G6 = trap, W1 G6 trapped, H6 = keg, W2 H6 drunk, I6 = cave, W3 I6 lost, FR red J6"))

    assert [on(drawing, cell)[1:] for cell in ("G6", "H6", "I6")] == [
        ["unit-white", "mark-trapped"],
        ["unit-white", "mark-drunk"],
        ["unit-white", "mark-lost"],
    ]
    assert on(drawing, "J6")[1:] == ["owner-red", "unit-FR"]
    assert words_of(drawing, "J6") == ["К", "ПТ"]


def test_loads_lie_with_their_counts() -> None:
    drawing = draw(view_of("coin@G6*3, treasure@H6, ball@I6*2, cart@J6, boat@K6"))

    assert [(on(drawing, f"{cell}6")[1:], words_of(drawing, f"{cell}6")) for cell in "GHIJK"] == [
        (["load-coin"], ["3"]),
        (["load-treasure"], []),
        (["load-ball"], ["2"]),
        (["load-cart"], []),
        (["load-boat"], []),
    ]


def test_ships_lie_on_their_sides_with_their_letter_and_crew() -> None:
    drawing = draw(view_of("ship white H1"))

    assert [on(drawing, cell)[0] for cell in ("H1", "M7", "G13", "A7")] == [
        "ship-white",
        "ship-yellow",
        "ship-black",
        "ship-red",
    ]
    assert words_of(drawing, "H1") == ["Б", "Б1", "Б2", "Б3"]


# What changed ---------------------------------------------------------------------------------------------------------


def test_tracks_and_tiles_turned_up_are_drawn_and_explained() -> None:
    view = view_of("W1 F6, R1 A7")
    events = (
        Moved(rule="J3.1", unit="W1", start="F5", cell="F6", how="step"),
        TileOpened(rule="J3.3", cell="F6", tile="empty", rotation=0, unit="W1"),
        ShipMoved(rule="J6.1", colour="red", start="A6", cell="A7"),
        Struck(rule="J5.1", unit="R1", by="W1", cell="F6", ship="A7"),
        Died(rule="J7.1", unit="Y1", cell="K9", cause="loop"),
        EarthQuaked(rule="J8.19", cells=("C3", "D9")),
    )
    drawing = draw(view, events)

    assert legend_of(drawing) == ["key-track", "key-opened", "key-struck", "key-died", "key-swapped"]
    assert on(drawing, "F6")[1:] == ["opened", "struck", "unit-white"]
    assert (on(drawing, "C3")[1:], on(drawing, "D9")[1:], on(drawing, "K9")[1:]) == (["swapped"], ["swapped"], ["died"])
    assert words_of(drawing, "K9") == ["Ж1"]
    assert len([shape for shape in drawing.overlay if type(shape).__name__ == "Polygon"]) == 2


def test_legend_explains_what_stands_on_the_board_and_nothing_else() -> None:
    drawing = draw(view_of("G6 = arrow N, H6 = arrow N E S W, I6 = chest1, J6 = chest5, C3 = horse closed"))

    assert legend_of(drawing) == ["key-closed", "стрелка", "key-chest"]


def test_title_tells_the_round_and_the_gold_of_every_colour() -> None:
    drawing = draw(view_of("gold white 17, gold red 2"))
    head = [shape for shape in drawing.overlay if isinstance(shape, Text) and shape.y < 40]

    assert head[0].text == Label("chart-title", {"round": 1})
    assert [text.text if isinstance(text.text, str) else russian(text.text) for text in head[1:]] == [
        "К", "2", "Ч", "0", "Ж", "0", "Б", "17",
    ]  # fmt: skip


# The frame ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "letters", "numbers"),
    [("tl", "ABCDEFGHIJKLM", range(1, 14)), ("oe", "ZABCDEFGHIJKLMN", range(15))],
)
def test_frame_names_every_column_and_row_on_both_sides(edition: str, letters: str, numbers: Sequence[int]) -> None:
    drawing = draw(view_of("", EDITIONS[edition]))
    names = [shape.text for shape in drawing.base if isinstance(shape, Text)]

    assert sorted(map(str, names)) == sorted([*letters, *map(str, numbers)] * 2)


def test_ship_in_the_second_ring_is_on_the_picture() -> None:
    drawing = draw(view_of("ship white G0", EDITIONS["oe"]))

    assert on(drawing, "G0", second=True)[0] == "ship-white"


def test_paper_is_light_and_base_is_the_same_for_the_same_board() -> None:
    one, other = draw(view_of("W1 G6")), draw(view_of("W1 H6"))

    assert one.base is other.base
    assert min(int(PAPER[start : start + 2], 16) for start in (1, 3, 5)) > 200


# Secrets --------------------------------------------------------------------------------------------------------------


def dealt(opened: int, seed: int = 5, edition: str = "tl") -> JackalState:
    """Return a dealt island with some tiles turned up, and a lighthouse's knowledge of three others."""
    chance = random.Random(seed)
    codes = list(deck(EDITIONS[edition].tileset).laid_out())
    chance.shuffle(codes)
    board = thaw(state := state_of("", EDITIONS[edition]))
    up = set(chance.sample(ISLE.land, opened))
    for cell, code in zip(ISLE.land, codes, strict=True):
        board.tiles[cell] = code | chance.randrange(4) << 6 | (OPEN if cell in up else 0)
    closed = [cell for cell in ISLE.land if cell not in up]
    board.notebooks = {"white": {cell: (board.tiles[cell], 1) for cell in closed[:3]}}
    return freeze(board, state)


@pytest.mark.parametrize("seat", ["yellow", "black", PUBLIC])
def test_picture_of_others_has_no_kind_that_is_nowhere_open(seat: str) -> None:
    state = dealt(30)
    view = RULES.view(state, seat)
    shown = {BY_CODE[tile & 63].key for tile in view.tiles if tile & OPEN}
    drawn = svg(draw(view), english)
    closed_kinds = [key for key in KINDS if key not in shown and key != "empty"]

    assert len(closed_kinds) > 5
    assert [key for key in closed_kinds if f'"over-{key}"' in drawn or f'"#over-{key}"' in drawn] == []
    assert [
        kind for key in closed_kinds if (kind := KINDS[key].en) in re.findall(">([^<]+)<", drawn) and kind != "arrow"
    ] == []


def test_every_closed_cell_shows_its_back_alone_to_those_who_have_not_peeked() -> None:
    state = dealt(40)
    drawing = draw(RULES.view(state, "yellow"))
    closed = [ISLE.names[cell] for cell in ISLE.land if not state.tiles[cell] & OPEN]

    assert {tuple(on(drawing, cell)) for cell in closed} == {("closed",)}


def test_who_has_peeked_sees_it_small_on_the_back_and_nobody_else_does() -> None:
    text = "H3 = cannibal closed, white knows H3"
    state = state_of(text)

    assert on(draw(RULES.view(state, "white")), "H3") == ["closed", "cannibal", "known"]
    assert on(draw(RULES.view(state, "yellow")), "H3") == ["closed"]


def test_picture_is_the_same_whatever_the_closed_tiles_hide() -> None:
    one, other = (
        svg(draw(view_of(f"H3 = {kind} closed, G6 = {rest} closed")), english)
        for kind, rest in (("chest5", "cannibal"), ("cannibal", "chest5"))
    )

    assert one == other


# The document ---------------------------------------------------------------------------------------------------------


def busy(edition: str) -> Drawing:
    """Return a whole island turned up, with everybody on it and a lively round."""
    state = dealt(117, edition=edition)
    board = thaw(state)
    chance = random.Random(9)
    for unit in range(15):
        board.places[unit] = chance.choice(ISLE.land) * STEPS_A_CELL
    board.owners = [0, 1, 2]
    for cell in chance.sample(ISLE.land, 20):
        board.loads[cell * STEPS_A_CELL] = chance.randint(1, 5)
    events: list[Event] = []
    for unit in ("W1", "Y2", "B3", "R1"):
        way = chance.sample(ISLE.land, 4)
        events += [
            Moved(rule="J3.1", unit=unit, start=ISLE.names[one], cell=ISLE.names[other], how="step")
            for one, other in pairwise(way)
        ]
    return draw(RULES.view(freeze(board, state), "yellow"), events)


@pytest.mark.parametrize("edition", ["tl", "oe"])
def test_document_is_small_whole_and_holds_each_drawing_once(edition: str) -> None:
    document = svg(busy(edition), russian)
    root = ET.fromstring(document)
    names = [part.get("id", "") for part in root.iter(f"{SVG}g") if part.get("id")]

    assert len(document) < 110_000
    assert len(names) == len(set(names))
    assert {use.get("href", "")[1:] for use in root.iter(f"{SVG}use")} == set(names)
    paths = [len(part.findall(f"{SVG}polygon")) for part in [root]]
    assert paths[0] < 40


def test_document_is_the_same_every_time() -> None:
    assert svg(busy("tl"), russian) == svg(busy("tl"), russian)


def test_documents_of_two_languages_differ_in_words_alone() -> None:
    one, other = (re.sub(r">[^<]*</text>", ">", svg(busy("tl"), words)) for words in (russian, english))

    assert one == other


def test_gallery_shows_every_drawing_once_with_a_name_in_both_languages() -> None:
    drawing = gallery()
    shown = [shape.symbol for shape in drawing.base if isinstance(shape, Use)]
    names = [shape.text for shape in drawing.base if isinstance(shape, Text)]

    assert shown == list(dict.fromkeys(shown))
    assert set(shown) == set(SIGNS)
    assert all(
        isinstance(name, Label) and (name.key == "key-closed" or set(name.facts) == {"ru", "en"}) for name in names
    )
