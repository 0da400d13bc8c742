"""The island as text and as a picture (page 5.6.3)."""

from __future__ import annotations

from engine.core.drawing import svg
from engine.core.registry import ruleset
from engine.jackal.draw import draw
from engine.jackal.draw.rows import tile_sign
from engine.jackal.events import Moved, TileOpened
from engine.jackal.notation import read_position
from engine.jackal.options import JackalOptions
from engine.jackal.state import JackalView
from engine.jackal.tiles import KINDS, SPENT, make

RULES = ruleset("jackal")


def view_of(text: str) -> JackalView:
    view: JackalView = RULES.view(
        read_position(text, JackalOptions(), ["white", "yellow", "black", "red"], None), "white"
    )
    return view


def test_map_has_a_line_a_row_with_tiles_ships_and_gold() -> None:
    rows = RULES.draw(
        view_of("C2 = arrow NE, D2 = chest5 closed, E2 = spin3, F2 = chest2, coin@F2*2, ship white H1")
    ).rows

    assert rows[0] == "    A  B  C  D  E  F  G  H  I  J  K  L  M"
    assert rows[1] == " 1                       W="
    assert rows[2] == " 2        ↗  ·· 3  .2 .. .. .. .. .."
    assert len(rows) == 14


def test_every_arrow_has_a_sign_of_its_own_by_rotation() -> None:
    signs = {tile_sign(make(key, rotation=turn)) for key in KINDS if KINDS[key].exits for turn in range(4)}

    assert len(signs) == 4 + 4 + 2 + 2 + 4 + 1 + 1


def test_a_spent_plane_is_a_blank() -> None:
    assert (tile_sign(make("plane")), tile_sign(make("plane", effect=SPENT))) == ("См", "..")


def test_legend_names_characters_with_step_and_state_and_loads() -> None:
    legend = RULES.draw(view_of("W1 H7/2 drunk, H7 = spin3, W2 dead, W3 dead, treasure@G6")).legend

    man = {"cell": "H7", "step": 2, "ship": False, "boat": False, "states": ["drunk"], "loads": []}
    assert legend[1].facts == {"colour": "white", "ship": "G1", "boat": "", "men": [{"units": ["W1"], **man}]}
    assert legend[-1].facts == {"heaps": [{"cell": "G6", "step": 0, "items": ("treasure",)}]}


def test_picture_shows_nothing_of_a_closed_tile() -> None:
    one, other = (
        svg(RULES.draw(view_of(f"H3 = {kind} closed")), lambda label: label.key) for kind in ("chest5", "cannibal")
    )

    assert one == other


def test_tracks_and_tiles_turned_up_are_drawn() -> None:
    view = view_of("W1 F6")
    events = (
        Moved(rule="J3.1", unit="W1", start="F5", cell="F6", how="step"),
        TileOpened(rule="J3.3", cell="F6", tile="empty", rotation=0, unit="W1"),
    )

    assert len(draw(view, events).overlay) == len(draw(view).overlay) + 2
