"""What each viewer knows and owes, the sealed gold, and the state table."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.core.contract import MODERATOR, PUBLIC, Outcome, Secret
from engine.core.dice import LoadedDice
from engine.pirates import RULESET
from engine.pirates.notation import read_position
from engine.pirates.options import PiratesOptions
from engine.pirates.rules import dice_purpose, seats, start
from engine.pirates.state import GoldOrder, PiratesState, ShipOrder
from engine.pirates.view import naming_open, owed, table, to_act, view

DRILL: dict[str, Any] = tomllib.loads(
    (Path(__file__).parents[2] / "cases" / "pirates" / "drill.toml").read_text("utf-8")
)


def opening(players: int, options: PiratesOptions | None = None) -> PiratesState:
    roster = tuple(seat.id for seat in seats(players))
    state = start(options or PiratesOptions(), roster, LoadedDice({}, lambda _, sides: sides)).state
    assert isinstance(state, PiratesState)
    return state


def position(text: str, players: int = 2, **options: Any) -> PiratesState:
    roster = [seat.id for seat in seats(players)]
    return read_position(text, PiratesOptions(**options), roster, DRILL)


def owing(state: PiratesState, viewer: str = MODERATOR) -> list[str]:
    return [f"{slot.seat} {slot.key}" for slot in owed(view(state, viewer)) if not slot.optional]


def test_in_set_up_only_the_gold_is_owed_by_the_lowest_spanish_seat() -> None:
    state = opening(9)

    for viewer in (MODERATOR, PUBLIC, "spain-1", "spain-3", "pirates-2"):
        assert owing(state, viewer) == ["spain-1 gold"]


def test_names_may_be_given_until_the_first_turn_locks() -> None:
    state = opening(2)
    first = msgspec.structs.replace(state, round=1, gold=1)

    assert [slot.key for slot in owed(view(state, "pirates-1")) if slot.optional] == [f"name{n}" for n in range(1, 10)]
    assert naming_open(state)
    assert naming_open(first)
    assert naming_open(msgspec.structs.replace(first, to_move="spain"))
    assert not naming_open(msgspec.structs.replace(first, to_move="pirates"))
    assert not naming_open(msgspec.structs.replace(first, round=2))


def test_every_ship_afloat_is_owed_by_her_seat() -> None:
    state = position("1G* E5 h2 →P @pirates-2, 3G A1, 4B B9, 7B H4", players=4)

    assert owing(state) == ["pirates-2 ship1", "spain-2 ship3", "pirates-1 ship4", "pirates-2 ship7"]


def test_a_derelict_is_owed_by_nobody() -> None:
    assert owing(position("1G* E5 derelict, 2G A1, 4B B9")) == ["spain-1 ship2", "pirates-1 ship4"]


def test_in_alternating_play_only_the_side_to_move_owes() -> None:
    state = position("1G* E5 h2 →P, 2G A1, 4B B9; to move spain", mode="alternating")

    assert owing(state) == ["spain-1 ship2"]
    assert owing(msgspec.structs.replace(state, to_move="pirates")) == ["pirates-1 ship1", "pirates-1 ship4"]


def test_nothing_is_owed_after_the_end() -> None:
    ended = msgspec.structs.replace(position("1G* E5, 4B B9"), outcome=Outcome(reason="limit", rule="P39"))

    assert owed(view(ended, MODERATOR)) == ()
    assert to_act(ended) == ()
    with pytest.raises(ValueError, match="the game has ended"):
        RULESET.resolve(ended, {}, LoadedDice({}), None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("viewer", "gold"),
    [("spain-1", 2), ("spain-2", 2), (MODERATOR, 2), ("pirates-1", 0), ("pirates-2", 0), (PUBLIC, 0)],
)
def test_the_gold_is_seen_by_spain_and_the_moderator_alone(viewer: str, gold: int) -> None:
    state = position("2G* E5, 3G A1, 4B B9", players=4)

    assert view(state, viewer).gold == gold
    assert view(msgspec.structs.replace(state, gold_open=True), viewer).gold == 2


def test_a_view_of_a_stranger_is_refused() -> None:
    with pytest.raises(ValueError, match="'spain-3' has no place in this game"):
        view(opening(2), "spain-3")


def test_the_table_tells_of_every_ship_and_of_the_gold_only_who_knows() -> None:
    state = position("1G* I1 h1, 2G E5, 4B B9; wind N fresh")

    columns, rows = table(view(state, "spain-1"))
    _, public = table(view(state, PUBLIC))

    assert len(rows) == 9
    first = dict(zip(columns, rows[0], strict=True))
    assert first == {
        "ship": 1,
        "name": "Сан-Фелипе",
        "kind": "galleon",
        "side": "spain",
        "owner": "spain-1",
        "cell": "I1",
        "port": "cadiz",
        "hits": 1,
        "of": 3,
        "fate": "afloat",
        "gold": True,
    }
    assert dict(zip(columns, rows[2], strict=True))["fate"] == "sunk"
    assert [row[-1] for row in public] == [False] * 9


# The sealed gold ------------------------------------------------------------------------------------------------------


def test_the_gold_is_sealed_by_the_seat_that_owes_it_and_by_no_other() -> None:
    state = opening(4)

    assert RULESET.seal(state, "spain-1", (GoldOrder(ship=2),)) == {"gold": {"gold": 2}}
    assert RULESET.seal(state, "spain-1", (GoldOrder(ship=0),)) == {"gold": {"gold": 0}}
    assert RULESET.seal(state, "spain-1", ()) == {}
    assert RULESET.seal(state, "spain-2", (GoldOrder(ship=2),)) == {}
    assert RULESET.seal(position("1G* E5, 4B B9"), "spain-1", (ShipOrder(ship=1),)) == {}


@pytest.mark.parametrize("ship", [0, 1, 2, 3])
def test_the_sealed_gold_is_unsealed_as_it_was(ship: int) -> None:
    state = opening(4)

    [(name, sealed)] = RULESET.seal(state, "spain-1", (GoldOrder(ship=ship),)).items()

    assert RULESET.unseal(state, name, sealed) == ("spain-1", (GoldOrder(ship=ship),))


@pytest.mark.parametrize(
    ("name", "sealed"),
    [
        ("gold", {"gold": 4}),
        ("gold", {}),
        ("gold", {"gold": "2"}),
        ("gold", {"gold": 1, "x": 2}),
        ("deck", {"gold": 1}),
    ],
)
def test_another_object_is_not_unsealed(name: str, sealed: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="is no sealed"):
        RULESET.unseal(opening(2), name, sealed)


def test_the_secret_is_spains_until_the_gold_is_published_or_the_game_has_ended() -> None:
    state = position("1G* E5, 4B B9", players=4)
    sealed = Secret(name="gold", audience=("spain-1", "spain-2"))
    opened = Secret(name="gold", audience=("spain-1", "spain-2"), open=True)

    assert RULESET.secrets(opening(4)) == (sealed,)
    assert RULESET.secrets(state) == (sealed,)
    assert RULESET.secrets(msgspec.structs.replace(state, gold_open=True)) == (opened,)
    assert RULESET.secrets(msgspec.structs.replace(state, outcome=Outcome(reason="x", rule="P39"))) == (opened,)


# Dice and seats -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "purpose"),
    [
        ("wind/x1/rhumb/0", ("wind-rhumb", {})),
        ("wind/x1/force/0", ("wind-force", {})),
        ("gold/x1/main/0", ("gold-lot", {})),
        ("ship4/o1/main/0", ("shot", {"ship": 4, "when": "before"})),
        ("ship9/o2/main/0", ("shot", {"ship": 9, "when": "after"})),
        ("ship1/x1/main/0", ("second-spin", {"ship": 1})),
    ],
)
def test_purpose_of_a_die(address: str, purpose: tuple[str, dict[str, Any]]) -> None:
    assert dice_purpose(address) == purpose


@pytest.mark.parametrize("address", ["ship0/o1/main/0", "ship4/o3/main/0", "ship4/o1/main/1", "wind/x1/force/1", ""])
def test_a_die_off_the_closed_list_has_no_purpose(address: str) -> None:
    with pytest.raises(ValueError, match="is no die"):
        dice_purpose(address)


@pytest.mark.parametrize(
    ("players", "shares"),
    [
        (2, "123 456789"),
        (3, "123 456 789"),
        (4, "12 3 456 789"),
        (5, "12 3 45 67 89"),
        (6, "1 2 3 45 67 89"),
        (7, "1 2 3 45 67 8 9"),
        (8, "1 2 3 45 6 7 8 9"),
        (9, "1 2 3 4 5 6 7 8 9"),
    ],
)
def test_ships_are_shared_out_by_number(players: int, shares: str) -> None:
    dealt = ["".join(piece.removeprefix("ship") for piece in seat.pieces) for seat in seats(players)]

    assert " ".join(dealt) == shares


def test_seats_are_called_by_side_and_number() -> None:
    assert [seat.id for seat in seats(4)] == ["spain-1", "spain-2", "pirates-1", "pirates-2"]
    assert seats(4)[3].titles == {"ru": "Пираты-2", "en": "Pirates-2"}
    assert seats(4)[0].titles == {"ru": "Испания-1", "en": "Spain-1"}


def test_a_roster_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="are not the seats"):
        start(PiratesOptions(), ("pirates-1", "spain-1"), LoadedDice({}))
