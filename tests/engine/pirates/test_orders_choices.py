"""Legal orders, the answer template and the examples; whatever is written is read back the same."""

from __future__ import annotations

from itertools import islice

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.contract import Language, Order, Sheet
from engine.pirates.board import board_of
from engine.pirates.orders import examples, legal, read, slot_examples, template, write
from engine.pirates.rules.course import plan_run
from engine.pirates.state import (
    Fire,
    GoldOrder,
    NameOrder,
    PiratesView,
    SequenceOrder,
    ShipOrder,
    VolleyOrder,
    Wind,
)
from tests.engine.pirates.orders_position import at_sea, playing, set_up

PIRATE = at_sea("pirates-1")
ALTERNATING = at_sea("spain-1", options=playing("spain-1", mode="alternating").options, to_move="spain")
VIEWS: dict[str, PiratesView] = {
    "pirate": PIRATE,
    "spaniard": at_sea("spain-1"),
    "one ship in port": at_sea("spain-2", {3: {"hits": 1}}),
    "set-up, chooser": set_up("spain-1"),
    "set-up, pirate": set_up("pirates-1"),
    "bend": playing("pirates-1", bend="yes"),
    "alternating": ALTERNATING,
    "calm": msgspec.structs.replace(PIRATE, wind=Wind(rhumb="N", force="calm")),
    "hurricane": msgspec.structs.replace(PIRATE, wind=Wind(rhumb="N", force="hurricane")),
    "odd names": at_sea(
        "pirates-1",
        {4: {"name": "Курс СВ"}, 5: {"name": "Queen Anne's Revenge"}, 1: {"name": "Св. Анна 2"}, 2: {"name": "黒船"}},
    ),
}
SLOTS = ("ship1", "ship2", "ship3", "ship4", "ship5", "gold", "name1", "name4", "sequence", "volley-a", "volley-б")


def read_back(order: Order, language: Language, view: PiratesView, named: PiratesView | None) -> tuple[Order, ...]:
    reading = read(view, (), [write(order, language, named)], language)
    assert (reading.complaints, reading.prose) == ((), ())
    return tuple(one.order for one in reading.orders)


@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize("language", ["ru", "en"])
def test_what_is_written_is_read_back_the_same(name: str, language: Language) -> None:
    view = VIEWS[name]
    for slot in SLOTS:
        for order in islice(legal(view, slot), 0, None, 3):
            assert read_back(order, language, view, None) == (order,)
            assert read_back(order, language, view, view) == (order,)


NUMBERS = st.integers(min_value=1, max_value=9)
TARGETS = st.lists(st.one_of(NUMBERS, st.just("any")), min_size=1, max_size=5, unique=True).map(tuple)
FIRES = st.none() | st.builds(Fire, when=st.sampled_from(["before", "after"]), targets=TARGETS)
RHUMBS = st.sampled_from(["N", "NE", "E", "SE", "S", "SW", "W", "NW"])


@given(
    ship=st.sampled_from([4, 5]),
    course=RHUMBS,
    distance=st.integers(min_value=0, max_value=99),
    repair=st.booleans(),
    fire=FIRES,
)
@settings(derandomize=True, max_examples=150, deadline=None)
def test_any_ship_order_is_read_back(ship: int, course: str, distance: int, *, repair: bool, fire: Fire | None) -> None:
    run = {"course": course, "distance": distance} if distance else {"repair": repair}
    order = ShipOrder(ship=ship, fire=fire, **run)  # type: ignore[arg-type]

    for language in ("ru", "en"):
        assert read_back(order, language, PIRATE, None) == read_back(order, language, PIRATE, PIRATE) == (order,)


@given(bends=st.lists(RHUMBS, min_size=1, max_size=7).map(tuple), fire=FIRES)
@settings(derandomize=True, max_examples=100, deadline=None)
def test_any_turning_run_is_read_back(bends: tuple[str, ...], fire: Fire | None) -> None:
    order = ShipOrder(ship=4, bends=bends, fire=fire)  # type: ignore[arg-type]
    view = VIEWS["bend"]

    for language in ("ru", "en"):
        assert read_back(order, language, view, None) == (order,)


@given(
    name=st.text(alphabet="abcdehikmopqrstuvwxyzбгджзилпфцчшщъыьэюя0123456789", min_size=1, max_size=8).filter(
        lambda name: len(name) == 1 and name.isalpha()
    ),
    ships=st.sets(st.sampled_from([4, 5, 6, 7, 8, 9]), min_size=1).map(lambda ships: tuple(sorted(ships | {4}))),
    targets=st.lists(st.sampled_from([1, 2, 3]), min_size=1, max_size=3, unique=True).map(tuple),
    when=st.sampled_from(["before", "after"]),
)
@settings(derandomize=True, max_examples=100, deadline=None)
def test_any_volley_is_read_back(name: str, ships: tuple[int, ...], targets: tuple[int, ...], when: str) -> None:
    order = VolleyOrder(name=name, ships=ships, targets=targets, when=when)  # type: ignore[arg-type]

    for language in ("ru", "en"):
        assert read_back(order, language, PIRATE, None) == read_back(order, language, PIRATE, PIRATE) == (order,)
        dissolved = VolleyOrder(name=name)
        assert read_back(dissolved, language, PIRATE, None) == (dissolved,)


NAMES = st.text(
    alphabet=st.characters(whitelist_categories=("Lu", "Ll", "Nd"), whitelist_characters=" -.'"), max_size=39
).map(lambda text: " ".join(("Й" + text).split()).rstrip(" ."))


@given(name=NAMES)
@settings(derandomize=True, max_examples=150, deadline=None)
def test_any_allowed_name_is_read_back_or_refused(name: str) -> None:
    view = set_up("pirates-1")
    reading = read(view, (), [write(NameOrder(ship=4, name=name), "ru")], "ru")

    if reading.orders:
        (order,) = (one.order for one in reading.orders)
        assert isinstance(order, NameOrder)
        assert read_back(order, "en", view, None) == (order,)
        assert order.name.casefold() == name.casefold() or not name.isascii()
    else:
        assert {complaint.key for complaint in reading.complaints} <= {"name-word", "name-taken", "name-mark"}


# Legal orders ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VIEWS)
def test_legal_orders_are_few_distinct_and_always_the_same(name: str) -> None:
    view = VIEWS[name]
    for slot in SLOTS:
        found = list(legal(view, slot))
        assert found == list(legal(view, slot))
        assert len(found) == len(set(found)) < 2500
        assert {order.slot for order in found} <= {slot}


@pytest.mark.parametrize("name", VIEWS)
def test_legal_runs_are_never_cut(name: str) -> None:
    view = VIEWS[name]
    board = board_of(view.options.board, view.board)
    ships = {ship.number: ship for ship in view.ships}
    for slot in SLOTS:
        for order in legal(view, slot):
            if isinstance(order, ShipOrder):
                plan = plan_run(board, view.options, ships[order.ship], order, view.wind)
                assert plan.cut is None


def test_legal_orders_of_a_ship_begin_with_standing() -> None:
    found = list(islice(legal(PIRATE, "ship4"), 4))

    assert found == [
        ShipOrder(ship=4),
        ShipOrder(ship=4, fire=Fire(when="before", targets=(1,))),
        ShipOrder(ship=4, fire=Fire(when="before", targets=(2,))),
        ShipOrder(ship=4, fire=Fire(when="before", targets=(3,))),
    ]


def test_every_course_and_distance_the_wind_allows_is_legal() -> None:
    runs = {
        (order.course, order.distance)
        for order in legal(PIRATE, "ship4")
        if isinstance(order, ShipOrder) and order.course
    }

    assert runs == {
        ("N", 1), ("NE", 1), ("NE", 2), ("E", 1), ("E", 2), ("E", 3), ("SE", 1), ("SE", 2), ("SE", 3),
        ("S", 1), ("S", 2), ("S", 3), ("SW", 1), ("SW", 2), ("W", 1), ("NW", 1),
    }  # fmt: skip


def test_repair_is_legal_in_an_open_port_only() -> None:
    assert any(order.repair for order in legal(at_sea("spain-2"), "ship3") if isinstance(order, ShipOrder))
    assert not any(order.repair for order in legal(PIRATE, "ship4") if isinstance(order, ShipOrder))


@pytest.mark.parametrize("slot", ["ship1", "ship12", "gold", "name4", "sequence", "nothing", "", "ship", "volley"])
def test_nothing_is_legal_for_a_slot_that_is_not_ones_own(slot: str) -> None:
    assert list(legal(PIRATE, slot)) == []


def test_gold_is_offered_galleon_by_galleon_and_by_lot() -> None:
    assert list(legal(set_up("spain-1"), "gold")) == [GoldOrder(ship=number) for number in (1, 2, 3, 0)]
    assert list(legal(set_up("spain-2"), "gold")) == []


def test_sequences_are_offered_in_alternating_play() -> None:
    assert list(legal(ALTERNATING, "sequence")) == [SequenceOrder(ships=(1, 2)), SequenceOrder(ships=(2, 1))]


def test_turning_runs_are_found_by_their_points() -> None:
    bends = [order.bends for order in legal(VIEWS["bend"], "ship4") if isinstance(order, ShipOrder) and not order.fire]

    assert ("SE", "SE", "E") in bends
    assert ("NE", "NE") in bends
    assert ("NW", "SE") not in bends
    assert max(len(legs) for legs in bends) == 3


# Template and examples ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize("language", ["ru", "en"])
def test_template_and_examples_can_be_sent_as_they_stand(name: str, language: Language) -> None:
    view = VIEWS[name]
    for lines in (template(view, language), examples(view, language)):
        assert lines
        for line in lines:
            reading = read(view, (), [line], language)
            assert (len(reading.orders), reading.complaints) == (1, ()), line
            assert [note.kind for one in reading.orders for note in one.notes if note.kind != "warning"] == []


def sheet_of(view: PiratesView) -> Sheet:
    return read(view, (), template(view, "ru"), "ru").sheet


def test_template_fills_every_ship() -> None:
    assert [order.slot for order in sheet_of(PIRATE)] == ["ship4", "ship5"]
    assert [order.slot for order in sheet_of(set_up("spain-1"))] == ["gold", "name1", "name2"]
    assert template(at_sea("moderator"), "ru") == ()


def test_template_betrays_no_gold() -> None:
    one, other = at_sea("spain-1", gold=1), at_sea("spain-1", gold=2)

    assert template(one, "ru") == template(other, "ru")
    assert template(set_up("spain-1"), "ru")[0] == "золото жребий"


def test_template_mends_a_holed_ship_in_port() -> None:
    assert template(VIEWS["one ship in port"], "ru") == ("корабль 3: ремонт",)


def test_slot_examples_fill_their_slot() -> None:
    assert slot_examples(PIRATE, "ship4", "ru") == (template(PIRATE, "ru")[0],)
    assert slot_examples(set_up("spain-1"), "gold", "ru") == ("золото 1", "золото 2")
    assert slot_examples(PIRATE, "ship1", "ru") == ()


def test_an_order_of_another_ruleset_is_not_written() -> None:
    with pytest.raises(TypeError, match="no order of «Пираты»"):
        write(Order(), "ru")
