"""What holds in every position and whatever is ordered."""

from __future__ import annotations

import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.codec import decode, encode
from engine.core.contract import Event, Order, Resolution, Seat
from engine.core.dice import LoadedDice
from engine.core.geometry import RHUMBS
from engine.core.names import skeleton
from engine.pirates.board import board_of
from engine.pirates.notation import read_position, write_position
from engine.pirates.options import PiratesOptions
from engine.pirates.rules import foresee, resolve, seats
from engine.pirates.rules.setup import NAMES
from engine.pirates.state import (
    Fire,
    GoldOrder,
    NameOrder,
    PiratesState,
    SequenceOrder,
    Ship,
    ShipMoved,
    ShipOrder,
    ShotFired,
    VolleyOrder,
    Wind,
)
from engine.pirates.view import HULL, spanish_seats, view

DRILL: dict[str, Any] = tomllib.loads(
    (Path(__file__).parents[2] / "cases" / "pirates" / "drill.toml").read_text("utf-8")
)
BOARD = board_of("atlantic", DRILL)
SEA = BOARD.seas
MELEE = tuple(cell for cell in SEA if cell[0] in "EFG" and 5 <= int(cell[1:]) <= 9)
"""A few cells next to each other, so that drawn fleets really meet and fire."""
PROFILE = settings(derandomize=True, max_examples=60, deadline=None)

choices = st.sampled_from
numbers = st.integers(-1, 10)
targets = st.lists(st.one_of(numbers, st.just("any")), max_size=4).map(tuple)
fires = st.one_of(
    st.none(),
    st.builds(Fire, when=choices(["before", "after"]), targets=targets),
    st.builds(Fire, when=choices(["before", "after"]), targets=st.just(("any",))),
)
rhumbs = choices(RHUMBS)
ship_orders = st.builds(
    ShipOrder,
    ship=numbers,
    course=st.one_of(st.none(), rhumbs),
    distance=st.integers(-2, 50),
    bends=st.lists(rhumbs, max_size=5).map(tuple),
    repair=st.booleans(),
    fire=fires,
    silent=st.booleans(),
)
other_orders = st.one_of(
    st.builds(
        VolleyOrder,
        name=choices(["a", "b"]),
        ships=st.lists(numbers, max_size=4).map(tuple),
        targets=st.lists(numbers, max_size=3).map(tuple),
        when=choices(["before", "after"]),
    ),
    st.builds(GoldOrder, ship=numbers),
    st.builds(NameOrder, ship=numbers, name=choices(["Месть", "Mecтb", "Гром", "Гром!"])),
    st.builds(SequenceOrder, ships=st.lists(numbers, max_size=4).map(tuple)),
)
sheets_of_nine = st.lists(st.one_of(ship_orders, ship_orders, ship_orders, other_orders), max_size=6).map(tuple)
options_of_all_kinds = st.builds(
    PiratesOptions,
    mode=choices(["sealed", "alternating", "by_side"]),
    bend=choices(["no", "yes"]),
    current=choices(["end", "pass"]),
    upstream=choices(["head", "free"]),
    fire=choices(["square", "rays"]),
    shots=choices(["ship", "seat"]),
    storm_fire=choices(["yes", "no"]),
    drift=choices(["column", "frozen"]),
    coast_wind=choices(["saved", "wreck"]),
    strict_wreck=choices(["no", "yes"]),
    gold_wreck=choices(["derelict", "boarder", "lost"]),
    repair=choices(["automatic", "ordered"]),
    limit=choices([1, 7, 60]),
)


@st.composite
def positions(draw: Any) -> PiratesState:
    """Draw a position that can be: a round, a wind, ships here and there, some lost, some taken."""
    players = draw(choices([2, 4, 9]))
    infos = seats(players)
    owners = {piece: info.id for info in infos for piece in info.pieces}
    gold = draw(st.integers(1, 3))
    sea = draw(choices([SEA, MELEE, MELEE]))
    cells = draw(st.lists(choices(sea), min_size=9, max_size=9, unique=True))
    prize = draw(st.booleans())
    ships = []
    for number, cell in zip(NAMES, cells, strict=True):
        galleon = number <= 3
        ship = Ship(
            number=number,
            kind="galleon" if galleon else "brigantine",
            name=NAMES[number],
            owner=owners[f"ship{number}"],
            side="spain" if galleon else "pirates",
            home=owners[f"ship{number}"],
            cell=cell,
            hits=draw(st.integers(0, HULL["galleon" if galleon else "brigantine"] - 1)),
        )
        fate = draw(choices(["sea", "sea", "sea", "port", "sunk"]))
        if fate == "port":
            ship = msgspec.structs.replace(ship, cell="I1" if galleon else "I12")
        if number == gold and prize:
            taken = draw(choices(["prize", "derelict"]))
            pirate = next(info.id for info in infos if info.side == "pirates")
            ship = msgspec.structs.replace(ship, cell=cell, hits=2, side="pirates", owner=pirate)
            if taken == "derelict":
                ship = msgspec.structs.replace(ship, fate="derelict", owner="", side="spain")
        elif fate == "sunk" and number != gold:
            ship = msgspec.structs.replace(ship, cell=None, fate="sunk")
        ships.append(ship)
    options = draw(options_of_all_kinds)
    return PiratesState(
        options=options,
        roster=tuple(info.id for info in infos),
        round=draw(choices([1, 2, 7])),
        wind=Wind(rhumb=draw(rhumbs), force=draw(choices(["fresh", "fresh", "calm", "hurricane"]))),
        ships=tuple(ships),
        to_move=draw(choices(["spain", "pirates"])) if options.mode == "alternating" else "",
        gold=gold,
        gold_open=prize,
        board=DRILL,
    )


@st.composite
def turns(draw: Any) -> tuple[PiratesState, dict[Seat, tuple[Order, ...]], int]:
    state = draw(positions())
    sheets = {seat: draw(sheets_of_nine) for seat in (*state.roster, "stranger-1")}
    return state, sheets, draw(st.integers(0, 7))


def dice(face: int) -> LoadedDice:
    """Return dice whose faces differ by address, all turned by ``face``."""
    return LoadedDice({}, lambda address, sides: 1 + (sum(map(ord, address)) + face) % sides)


def played(state: PiratesState, sheets: dict[Seat, tuple[Order, ...]], face: int) -> tuple[PiratesState, Resolution]:
    result = resolve(state, sheets, dice(face))
    after = result.state
    assert isinstance(after, PiratesState)
    return after, result


@PROFILE
@given(positions())
def test_positions_are_written_and_read_back(state: PiratesState) -> None:
    ships = [ship if ship.cell else msgspec.structs.replace(ship, hits=HULL[ship.kind]) for ship in state.ships]
    state = msgspec.structs.replace(state, ships=tuple(ships))

    assert read_position(write_position(state), state.options, state.roster, state.board) == state


@PROFILE
@given(turns())
def test_ships_are_where_ships_can_be(turn: tuple[PiratesState, dict[Seat, tuple[Order, ...]], int]) -> None:
    after, _ = played(*turn)

    at_sea = [ship.cell for ship in after.ships if ship.cell is not None and BOARD.is_sea(ship.cell)]
    assert len(at_sea) == len(set(at_sea))
    for ship in after.ships:
        assert (ship.cell is None) == (ship.fate in {"sunk", "wrecked"})
        assert ship.cell is None or BOARD.is_sea(ship.cell) or BOARD.is_open(ship.cell, ship.side)
        assert 0 <= ship.hits <= HULL[ship.kind]
        assert ship.fate != "afloat" or (ship.hits < HULL[ship.kind] and ship.owner in after.roster)
        assert (ship.fate == "derelict") == (ship.owner == "")


@PROFILE
@given(turns())
def test_a_turn_survives_json_and_is_the_same_again(
    turn: tuple[PiratesState, dict[Seat, tuple[Order, ...]], int],
) -> None:
    state, sheets, face = turn
    before = encode(state), encode(sheets)
    after, result = played(state, sheets, face)

    assert (encode(state), encode(sheets)) == before
    assert decode(encode(after), PiratesState) == after
    stored = decode(encode(state), PiratesState)
    assert encode(resolve(stored, sheets, dice(face))) == encode(result)


@PROFILE
@given(turns())
def test_no_ship_goes_further_than_wind_and_current_take_her(
    turn: tuple[PiratesState, dict[Seat, tuple[Order, ...]], int],
) -> None:
    _, result = played(*turn)

    paths = [event.path for event in result.events if isinstance(event, ShipMoved)]
    assert all(2 <= len(path) <= 4 for path in paths)
    for path in paths:
        for start, end in pairwise(path):
            assert end in BOARD.ahead[start].values()


@PROFILE
@given(turns())
def test_each_ship_fires_at_most_once_and_only_at_the_other_side(
    turn: tuple[PiratesState, dict[Seat, tuple[Order, ...]], int],
) -> None:
    _, result = played(*turn)

    shots = [event for event in result.events if isinstance(event, ShotFired)]
    firing = [ship for shot in shots for ship in shot.ships]
    assert len(firing) == len(set(firing))


@PROFILE
@given(turns())
def test_names_stay_distinct_to_the_eye(turn: tuple[PiratesState, dict[Seat, tuple[Order, ...]], int]) -> None:
    after, _ = played(*turn)

    assert len({skeleton(ship.name) for ship in after.ships}) == 9


@PROFILE
@given(turns())
def test_foresight_of_nonsense_raises_nothing(turn: tuple[PiratesState, dict[Seat, tuple[Order, ...]], int]) -> None:
    state, sheets, _ = turn
    for seat in state.roster:
        foresee(view(state, seat), sheets[seat])


@PROFILE
@given(turns())
def test_worlds_that_differ_in_the_gold_look_the_same_to_pirates(
    turn: tuple[PiratesState, dict[Seat, tuple[Order, ...]], int],
) -> None:
    state, sheets, face = turn
    for seat in state.roster:
        at_any = Fire(when="before", targets=("any",))
        own = [ship.number for ship in state.ships if ship.owner == seat]
        sheets[seat] = (*sheets[seat], *(ShipOrder(ship=number, fire=at_any) for number in own))
    state = msgspec.structs.replace(
        state,
        gold_open=False,
        ships=tuple(ship if ship.number > 3 else sailing(ship, state) for ship in state.ships),
    )
    other = msgspec.structs.replace(state, gold=1 + state.gold % 3)
    one_after, one = played(state, sheets, face)
    other_after, two = played(other, sheets, face)
    outsiders = [seat for seat in (*state.roster, "public") if seat not in spanish_seats(state.roster)]

    for seat in outsiders:
        assert encode(view(state, seat)) == encode(view(other, seat))
    if one_after.gold_open or other_after.gold_open:
        return
    for seat in outsiders:
        assert encode(view(one_after, seat)) == encode(view(other_after, seat))
        assert told(one, seat) == told(two, seat)


def sailing(ship: Ship, state: PiratesState) -> Ship:
    """Return a galleon in Spanish hands, as all are before the gold is known."""
    if ship.side == "spain" and ship.fate == "afloat":
        return ship
    if ship.fate == "derelict" or ship.side == "pirates":
        return msgspec.structs.replace(ship, side="spain", owner=ship.home, fate="afloat")
    return ship


def told(result: Resolution, seat: Seat) -> list[str]:
    return [encode(event) for event in result.events if knows(event, seat)]


def knows(event: Event, seat: Seat) -> bool:
    return event.known_to(seat)
