"""The dice: every vector of fair-play 5, the draws, the record of throws, and loaded dice."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.dice import (
    BatchDice,
    LoadedDice,
    NeedsBatch,
    Throw,
    UnplannedThrow,
    check_address,
    check_id,
    die,
    line,
    pick,
)

K1 = bytes.fromhex("553454f964f640c2cbf3de520f8734aa29ab31a6bd0fb8911e5ddbfbd83638b1")
K2 = bytes.fromhex("5e9471971010144cd4da4617bd61867794f31528accd423f77a672a6ad53b59f")


@pytest.mark.parametrize(
    ("slot", "sides", "faces"),
    [
        ("anna/o1/main", 6, [6, 5, 2]),
        ("anna/o2/main", 6, [3, 5, 6]),
        ("boris/o1/main", 6, [4, 5, 5]),
        ("vera/o1/main", 6, [6, 5, 6]),
        ("anna/o1/fate", 6, [1, 4]),
        ("boris/o1/neg1", 6, [1, 1]),
        ("karto/n1/bid1", 3, [3]),
        ("karto/n1/pct", 100, [6, 76]),
        ("karto/n1/d20", 20, [9]),
    ],
)
def test_die_gives_the_published_faces(slot: str, sides: int, faces: list[int]) -> None:
    assert [die(K1, f"{slot}/{k}", sides) for k in range(len(faces))] == faces


def test_die_under_the_key_of_a_beacon_batch_gives_the_published_faces() -> None:
    assert [die(K2, f"anna/o1/main/{k}", 6) for k in range(3)] == [5, 5, 2]


def test_die_takes_the_second_word_where_the_first_is_rejected() -> None:
    assert die(K1, "karto/n1/big/4", 3_000_000_000) == 933_191_534


@pytest.mark.parametrize(
    ("block", "face"),
    [
        ("ffffffff00000005", 6),
        ("fffffffb", 6),
        ("fffffffc00000000", 1),
        ("ff" * 32, None),
    ],
)
def test_pick_rejects_words_at_and_above_the_limit(block: str, face: int | None) -> None:
    assert pick(bytes.fromhex(block.ljust(64, "0")), 6) == face


def test_die_of_all_words_takes_any_word() -> None:
    assert pick(b"\xff" * 32, 1 << 32) == 1 << 32


def test_die_is_uniform_as_published() -> None:
    faces = Counter(die(K1, f"x/o{i}/main/0", 6) for i in range(600_000))

    assert [faces[face] for face in range(1, 7)] == [99966, 100107, 99769, 99676, 100084, 100398]
    chi_square = sum((count - 100_000) ** 2 for count in faces.values()) / 100_000
    assert round(chi_square, 2) == 3.36


@pytest.mark.parametrize("sides", [-1, 0, 1, (1 << 32) + 1])
def test_die_refuses_an_impossible_number_of_sides(sides: int) -> None:
    with pytest.raises(ValueError, match=f"not {sides}"):
        die(K1, "anna/o1/main/0", sides)


@pytest.mark.parametrize(
    "address",
    [
        *("", "anna", "anna/o1/main", "anna/o1/main/0/1", "anna//main/0", "anna/o1/main/x"),
        *("anna/o1/main/00", "anna/o1/main/-1", "anna/o1/main/٣", "anna/o1/main/0\n"),
        *("Anna/o1/main/0", "анна/o1/main/0", "a" * 33 + "/o1/main/0"),
    ],
)
def test_address_of_another_shape_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="is not an address"):
        check_address(address)


@pytest.mark.parametrize("text", ["", "a" * 33, "Spain-1", "spain 1", "spain-1\n", "испания"])
def test_id_of_another_shape_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not an id"):
        check_id(text)


def test_id_may_hold_letters_digits_underscores_and_hyphens() -> None:
    assert check_id("pirates-7-5fd20c1e_") == "pirates-7-5fd20c1e_"


def test_line_refuses_a_field_with_a_newline() -> None:
    assert line("a", 1) == b"a\n1\n"
    with pytest.raises(ValueError, match="newline"):
        line("a", "b\nc")


# Batches --------------------------------------------------------------------------------------------------------------


def test_batch_dice_record_each_die_once_in_order() -> None:
    dice = BatchDice({"main": {1: K1}})

    faces = [dice.die(f"anna/o1/main/{k}", 6) for k in (0, 1, 0)]

    assert faces == [6, 5, 6]
    assert dice.throws == (Throw("main", 1, "anna/o1/main/0", 6, 6), Throw("main", 1, "anna/o1/main/1", 6, 5))


def test_batch_dice_refuse_one_die_with_two_numbers_of_sides() -> None:
    dice = BatchDice({"main": {1: K1}})
    dice.die("anna/o1/main/0", 6)

    with pytest.raises(ValueError, match="has 6 sides and is thrown again with 8"):
        dice.die("anna/o1/main/0", 8)


def test_batch_dice_advance_to_the_next_main_batch_at_hand() -> None:
    dice = BatchDice({"main": {9: K2, 7: K1}})

    before = dice.die("anna/o1/main/0", 6)
    dice.advance()
    after = dice.die("anna/o1/main/0", 6)

    assert (before, after) == (6, 5)
    assert [throw.batch for throw in dice.throws] == [7, 9]


def test_batch_dice_need_a_batch_only_when_a_die_asks_for_it() -> None:
    dice = BatchDice({"main": {1: K1}})
    dice.advance()

    with pytest.raises(NeedsBatch) as needed:
        dice.die("white/o1/oath/0", 20)

    assert (needed.value.stream, needed.value.address) == ("main", "white/o1/oath/0")


def test_batch_dice_of_a_sealed_stream_are_not_at_hand() -> None:
    dice = BatchDice({"main": {1: K1}})

    with pytest.raises(NeedsBatch) as needed:
        dice.die("gold/x1/main/0", 3, "gold")

    assert needed.value.stream == "gold"


def test_batch_dice_of_other_streams_stay_where_they_are() -> None:
    dice = BatchDice({"main": {1: K1}, "deck": {1: K2}})
    dice.advance()

    assert dice.die("anna/o1/main/0", 6, "deck") == 5
    assert dice.throws == (Throw("deck", 1, "anna/o1/main/0", 6, 5),)


def test_batch_dice_do_not_depend_on_the_order_of_throws() -> None:
    addresses = [f"ship{number}/o1/main/0" for number in range(1, 10)]
    forward, backward = BatchDice({"main": {1: K1}}), BatchDice({"main": {1: K1}})

    faces = {address: forward.die(address, 8) for address in addresses}

    assert {address: backward.die(address, 8) for address in reversed(addresses)} == faces


# Draws ----------------------------------------------------------------------------------------------------------------


def test_permutation_changes_places_from_the_last_down() -> None:
    dice = LoadedDice({"gm/deck/shuffle/0": 1, "gm/deck/shuffle/1": 3, "gm/deck/shuffle/2": 1})

    order = dice.permutation("gm/deck", 4)

    assert order == (1, 3, 2, 0)
    assert [throw.sides for throw in dice.throws] == [4, 3, 2]


@pytest.mark.parametrize("n", [0, 1])
def test_permutation_of_none_or_one_throws_nothing(n: int) -> None:
    assert LoadedDice({}).permutation("gm/deck", n) == tuple(range(n))


@settings(derandomize=True, max_examples=50, deadline=None)
@given(n=st.integers(0, 120), seed=st.binary(max_size=4))
def test_permutation_keeps_every_number(n: int, seed: bytes) -> None:
    dice = BatchDice({"deck": {1: sha256(seed).digest()}})

    assert sorted(dice.permutation("gm/deck", n, "deck")) == list(range(n))


def test_permutation_of_three_is_uniform() -> None:
    orders = Counter(
        BatchDice({"main": {1: sha256(b"%d" % i).digest()}}).permutation("gm/deck", 3) for i in range(12_000)
    )

    chi_square = sum((count - 2_000) ** 2 for count in orders.values()) / 2_000
    assert len(orders) == 6
    assert chi_square < 15.09


def test_one_of_takes_the_choice_of_the_face() -> None:
    assert LoadedDice({"map/x1/rock/0": 2}).one_of("map/x1/rock/0", ["a", "b", "c"]) == "b"


def test_one_of_a_single_choice_throws_nothing() -> None:
    assert LoadedDice({}).one_of("map/x1/rock/0", ["a"]) == "a"


def test_one_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing to draw from"):
        LoadedDice({}).one_of("map/x1/rock/0", [])


@pytest.mark.parametrize(("face", "drawn"), [(1, "rum"), (2, "coin"), (4, "coin"), (5, "pit"), (6, "pit")])
def test_weighted_gives_each_choice_its_share_in_order(face: int, drawn: str) -> None:
    dice = LoadedDice({"gm/x1/loot/0": face})

    assert dice.weighted("gm/x1/loot/0", [("rum", 1), ("coin", 3), ("empty", 0), ("pit", 2)]) == drawn
    assert dice.throws == (Throw("main", 1, "gm/x1/loot/0", 6, face),)


# Loaded dice ----------------------------------------------------------------------------------------------------------


def test_loaded_dice_fail_on_an_unplanned_throw() -> None:
    with pytest.raises(UnplannedThrow, match="ship4/o1/main/0"):
        LoadedDice({"ship5/o1/main/0": 1}).die("ship4/o1/main/0", 8)


def test_loaded_dice_refuse_a_face_the_die_does_not_have() -> None:
    with pytest.raises(ValueError, match="cannot show 9"):
        LoadedDice({"ship4/o1/main/0": 9}).die("ship4/o1/main/0", 8)


def test_loaded_dice_name_those_never_thrown() -> None:
    dice = LoadedDice({"ship4/o1/main/0": 1, "ship5/o1/main/0": 2, "ship6/o1/main/0": 3})
    dice.die("ship5/o1/main/0", 8)

    assert dice.unused() == ("ship4/o1/main/0", "ship6/o1/main/0")


def test_loaded_dice_ask_for_a_face_that_was_not_laid_out() -> None:
    def next_wind(address: str, sides: int) -> int | None:
        return {"wind/x1/rhumb/0": 1, "wind/x1/force/0": 2}.get(address)

    dice = LoadedDice({"wind/x1/rhumb/0": 7}, next_wind)

    assert (dice.die("wind/x1/rhumb/0", 8), dice.die("wind/x1/force/0", 8)) == (7, 2)
    with pytest.raises(UnplannedThrow, match="ship4"):
        dice.die("ship4/o1/main/0", 8)
