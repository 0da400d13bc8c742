"""The registry of tiles and the packaged decks are what the page's table says."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from engine.core.dice import LoadedDice
from engine.core.geometry import RHUMBS
from engine.jackal.board import homes_of
from engine.jackal.isle import COAST, CORNER, ISLE, LAND
from engine.jackal.notation import FACES
from engine.jackal.options import EDITIONS, JackalOptions
from engine.jackal.rules.setup import deal
from engine.jackal.tiles import (
    BY_CODE,
    CODE,
    EXITS,
    KINDS,
    OPEN,
    DeckError,
    check_deck,
    deck,
    exits_of,
    make,
    rotation_of,
)


@pytest.mark.parametrize(("name", "gold", "bottles"), [("classic117", 37, 0), ("ti117", 40, 10), ("ti_plus", 40, 10)])
def test_packaged_decks_have_their_sums(name: str, gold: int, bottles: int) -> None:
    found = deck(name)

    assert (found.tiles, found.gold, found.bottles) == (117, gold, bottles)
    assert len(found.laid_out()) == 117


def test_expansion_replaces_twenty_two_blanks_and_boats_four_more() -> None:
    classic, island, plus = (deck(name).counts for name in ("classic117", "ti117", "ti_plus"))

    assert (classic["empty"], island["empty"], plus["empty"]) == (40, 18, 14)
    assert {key: island[key] for key in classic if key != "empty"} == {
        key: count for key, count in classic.items() if key != "empty"
    }
    assert {key: count for key, count in plus.items() if key not in island} == {"boat": 1, "ball": 2, "cart": 1}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"empty": 17}, "tiles: the counts sum to 116"),
        ({"empty": 17, "chest1": 6}, "gold: the counts sum to 41"),
        ({"empty": 17, "rum1": 4}, "bottles: the counts sum to 11"),
        ({"a1s": 2, "a1d": 4}, "every arrow kind occurs three times"),
        ({"sphinx": 1}, "no such tiles"),
    ],
)
def test_deck_that_does_not_add_up_is_refused(change: dict[str, int], problem: str) -> None:
    good = deck("ti117")
    bad = msgspec.structs.replace(good, counts={**good.counts, **change})

    with pytest.raises(DeckError, match=problem):
        check_deck(bad)


def test_deck_out_of_table_order_is_refused() -> None:
    good = deck("classic117")
    counts = dict(reversed(good.counts.items()))

    with pytest.raises(DeckError, match="not in table order"):
        check_deck(msgspec.structs.replace(good, counts=counts))


def test_every_kind_has_a_code_a_rule_and_names_of_its_own() -> None:
    kinds = KINDS.values()

    assert len({kind.code for kind in kinds}) == len(kinds) == len(BY_CODE)
    assert all(kind.rule.startswith("J") and kind.ru and kind.en and kind.glyph for kind in kinds)


@pytest.mark.parametrize(
    ("key", "turns", "exits"),
    [
        ("a1s", 0, "E"),
        ("a1s", 1, "S"),
        ("a1d", 3, "NW"),
        ("a2s", 1, "N S"),
        ("a2d", 1, "SE NW"),
        ("a3", 0, "E S NW"),
        ("a3", 1, "NE S W"),
        ("a4s", 1, "N E S W"),
        ("a4d", 2, "NE SE SW NW"),
    ],
)
def test_arrow_points_where_it_was_turned(key: str, turns: int, exits: str) -> None:
    assert " ".join(RHUMBS[one] for one in exits_of(make(key, rotation=turns))) == exits


def test_arrows_have_as_many_distinct_rotations_as_the_page_says() -> None:
    distinct = {
        key: len({EXITS[KINDS[key].code * 4 + turns] for turns in range(4)}) for key in KINDS if KINDS[key].exits
    }

    assert distinct == {"a1s": 4, "a1d": 4, "a2s": 2, "a2d": 2, "a3": 4, "a4s": 1, "a4d": 1}


def test_island_has_117_cells_and_48_of_coast() -> None:
    kinds = Counter(ISLE.terrain)

    assert (kinds[LAND], kinds[COAST], kinds[CORNER]) == (117, 48, 4)
    assert [ISLE.names[cell] for cell in homes_of(JackalOptions(), (0, 1, 2, 3))] == ["G1", "M7", "G13", "A7"]
    assert [ISLE.names[cell] for cell in ISLE.routes[1]] == [f"M{row}" for row in range(3, 12)]
    assert ISLE.names[ISLE.land[0]] == "C2"
    assert ISLE.names[ISLE.land[-1]] == "K12"


def test_horse_jumps_from_the_middle_are_the_eight_of_the_page() -> None:
    jumps = {ISLE.names[cell] for cell in ISLE.knights[ISLE.cell("H8")]}

    assert jumps == {"F7", "F9", "G6", "G10", "I6", "I10", "J7", "J9"}


def test_deck_is_laid_row_by_row_from_the_north_west_as_the_dice_fall() -> None:
    plain = deal(JackalOptions(), LoadedDice(FACES))
    swapped = deal(JackalOptions(), LoadedDice({**FACES, "gm/deck/shuffle/0": 1, "gm/deck/turn/2": 4}))

    first, second, third = ISLE.land[:3]
    assert [plain[cell] & CODE for cell in ISLE.land] == list(deck("ti117").laid_out())
    assert BY_CODE[swapped[first] & CODE].key == "grass"
    assert BY_CODE[swapped[second] & CODE].key == "empty"
    assert (rotation_of(swapped[third]), rotation_of(swapped[first])) == (3, 0)
    assert not any(tile & OPEN for tile in plain)


def test_presets_differ_as_the_page_says() -> None:
    assert EDITIONS["tl"] == JackalOptions()
    assert (EDITIONS["ti"].lighthouse, EDITIONS["ti"].plane_defer, EDITIONS["ti"].first) == ("old", "yes", "white")
    assert (EDITIONS["20"].plane_defer, EDITIONS["20"].first, EDITIONS["20"].tileset) == (
        "no",
        "youngest",
        "classic117",
    )
    assert EDITIONS["cl"] == EDITIONS["lx"]
    assert (EDITIONS["oe"].tileset, EDITIONS["oe"].ship_move) == ("ti_plus", "second_ring")
