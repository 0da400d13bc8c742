"""The order language: what is written is read back, look-alikes mean what stands there, the rest is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.contract import Language, Question, Reading
from engine.core.registry import ruleset
from engine.jackal.commands import (
    AllyRumOrder,
    Alternative,
    ConcludeOrder,
    Decision,
    Fly,
    Gift,
    Guard,
    Launch,
    Load,
    Pick,
    PolicyCase,
    PolicyOrder,
    PolicyRule,
    Raise,
    RumLeap,
    Sail,
    SlotOrder,
    SpinStep,
    Step,
    Want,
    When,
)
from engine.jackal.notation import read_position
from engine.jackal.options import JackalOptions
from engine.jackal.state import JackalView

RULES = ruleset("jackal")


def view_of(position: str = "W1 F6", players: int = 4, seat: str = "white", **options: Any) -> JackalView:
    chosen = JackalOptions(**options)
    roster = [one.id for one in RULES.seats(chosen, players)]
    view: JackalView = RULES.view(read_position(position, chosen, roster, None), seat)
    return view


def read(line: str, view: JackalView | None = None, language: Language = "ru") -> Reading:
    return RULES.read(view or view_of(), (), line.split("\n"), language)


def the_order(line: str, view: JackalView | None = None, language: Language = "ru") -> Any:
    reading = read(line, view, language)
    assert (reading.complaints, reading.prose) == ((), ()), (line, reading)
    (one,) = reading.orders
    return one.order


def first(line: str, view: JackalView | None = None, language: Language = "ru") -> Alternative:
    found: Alternative = the_order(line, view, language).alternatives[0]
    return found


# The page's examples --------------------------------------------------------------------------------------------------


def test_priority_lists_and_alternatives() -> None:
    order = the_order("1) Б2 на G7 (стрелка: С, СВ, В; конь: к кораблю; самолёт: F2)\n   иначе Б2 на F7")

    assert order == SlotOrder(
        colour="white",
        number=1,
        alternatives=(
            Alternative(
                act=Step(unit="W2", cell="G7"),
                whens=(
                    When(tile="arrow", want=Want(wishes=tuple(Pick(kind="way", way=way) for way in ("N", "NE", "E")))),
                    When(tile="horse", want=Want(wishes=(Pick(kind="to-ship"),))),
                    When(tile="plane", want=Want(wishes=(Pick(kind="cell", way="F2"),))),
                ),
            ),
            Alternative(act=Step(unit="W2", cell="F7")),
        ),
    )


def test_guard_and_load() -> None:
    order = the_order("если враг H5: Б1 на H5\nиначе Б1 на G4 +монета")

    assert order.alternatives[0] == Alternative(
        act=Step(unit="W1", cell="H5"), guards=(Guard(kind="enemy", cell="H5"),)
    )
    assert order.alternatives[1].act == Step(unit="W1", cell="G4", load=Load(item="coin"))


def test_via_binds_directions_and_cells() -> None:
    assert first("Б3 на F4 +монета : СВ, G2").act == Step(
        unit="W3",
        cell="F4",
        load=Load(item="coin"),
        via=(Pick(kind="way", way="NE"), Pick(kind="cell", way="G2")),
    )


def test_an_ally_rows_in_his_own_slot() -> None:
    order = the_order("Ч: КОР Б В", view_of(players=2))

    assert order == SlotOrder(
        colour="black", number=1, alternatives=(Alternative(act=Sail(colour="white", route=("E",))),)
    )


def test_boat_is_carried_and_launched() -> None:
    assert first("Б1 на C2 +шлюпка : спустить C1").act == Step(
        unit="W1", cell="C2", load=Load(item="boat"), via=(Pick(kind="launch", way="C1"),)
    )


def test_policy_with_cases_and_a_question() -> None:
    line = (
        "политика: стрелка = не в воду, к кораблю с монетой / к закрытым без монеты; самолёт = спросить, потом остаться"
    )

    assert the_order(line) == PolicyOrder(
        rules=(
            PolicyRule(
                tile="arrow",
                cases=(
                    PolicyCase(want=Want(wishes=(Pick(kind="not-water"), Pick(kind="to-ship"))), laden="laden"),
                    PolicyCase(want=Want(wishes=(Pick(kind="to-closed"),)), laden="unladen"),
                ),
            ),
            PolicyRule(tile="plane", ask=True, cases=(PolicyCase(want=Want(wishes=(Pick(kind="stay"),))),)),
        )
    )


def test_gifts_oath_and_certain_death() -> None:
    found = first('Б1 на G6; напоить МС союзника до; напоить ПТ ! (лёд: С) "Тысяча чертей!"')

    assert found.gifts == (Gift(unit="MS", before=True, ally=True), Gift(unit="FR"))
    assert (found.perish, found.oath) == (True, "Тысяча чертей!")


@pytest.mark.parametrize("line", ["Б1 на G6 !", "Б1 на G6 погибнуть", "w1 to g6 perish", "б1->G6!"])
def test_ways_to_accept_death(line: str) -> None:
    assert first(line).perish


# Look-alikes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "cell"),
    [
        ("Б1 на К1", "K1"),
        ("Б1 на В3", "B3"),
        ("Б1 на с4", "C4"),
        ("W1 to b3", "B3"),
        ("Б1 → М7", "M7"),
        ("Б1 — Е6", "E6"),
    ],
)
def test_letter_and_number_after_to_is_a_cell(line: str, cell: str) -> None:
    act = first(line).act

    assert isinstance(act, Step)
    assert act.cell == cell


@pytest.mark.parametrize(
    ("line", "seat", "unit"),
    [
        ("К1 на B8", "red", "R1"),
        ("k1 на B8", "red", "R1"),
        ("Ж2 на L7", "yellow", "Y2"),
        ("Ч3 на G12", "black", "B3"),
        ("B3 to G12", "black", "B3"),
        ("В3 на G12", "black", "B3"),
    ],
)
def test_letter_and_number_at_the_start_is_a_unit(line: str, seat: str, unit: str) -> None:
    act = first(line, view_of(seat=seat)).act

    assert isinstance(act, Step)
    assert act.unit == unit


@pytest.mark.parametrize(
    ("line", "way"), [("КОР В", "E"), ("SHIP W", "W"), ("кор з", "W"), ("КОР C", "N"), ("ship e", "E")]
)
def test_lone_letter_of_a_ship_is_a_direction(line: str, way: str) -> None:
    assert first(line).act == Sail(colour="white", route=(way,))


def test_ship_to_a_cell_and_a_direction_with_a_number() -> None:
    assert first("КОР на F1").act == Sail(colour="white", route=("F1",))
    assert [one.key for one in read("КОР В3").complaints] == ["no-course"]


def test_latin_c_is_no_direction_in_an_english_line() -> None:
    assert [one.key for one in read("SHIP C", language="en").complaints] == ["no-course"]


# What is refused ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("Б1 на Щ9", "no-cell"),
        ("Б1 на G6 +бочка", "no-item"),
        ("Б1 пойти G6", "no-verb"),
        ("Б1 на G6 (гора: С)", "no-tile"),
        ("Б1 на G6 (стрелка С)", "no-colon"),
        ("Б1 на G6 (стрелка: С", "no-bracket"),
        ("если дождь: Б1 на G6", "no-guard"),
        ("Б1 на G6 и ещё куда-нибудь", "unexpected"),
        ("Б1 на G6; напоить БГ", "gift-to-whom"),
        ("политика: гора = С", "no-tile"),
        ("союзнику ром: много", "how-many"),
    ],
)
def test_line_that_cannot_be_read_says_why(line: str, key: str) -> None:
    reading = read(line)

    assert [(one.kind, one.key) for one in reading.complaints] == [("unread", key)]
    assert reading.orders == ()


def test_line_for_another_colour_is_refused() -> None:
    assert [one.key for one in read("жёлтые: Ж1 на L7").complaints] == ["not-your-slot"]


def test_greeting_is_prose() -> None:
    reading = read("Добрый вечер!\n\nБ1 на F7\nС уважением, Анна")

    assert (reading.prose, len(reading.orders)) == ((0, 1, 3), 1)


def test_line_of_two_colours_of_one_player_goes_to_the_slot_of_its_unit() -> None:
    view = view_of(players=2)

    assert the_order("Ч1 на G12", view).slot == "black-1"
    assert the_order("КОР Ч З", view).slot == "black-1"
    assert [one.key for one in read("КОР З", view).complaints] == ["which-colour"]


# Answers --------------------------------------------------------------------------------------------------------------


def asked(what: str, facts: dict[str, Any], position: str = "W1 F6, all closed") -> JackalView:
    state = read_position(position, JackalOptions(), ["white", "yellow", "black", "red"], None)
    key = f"white/o1/{what}/0"
    question = Question(key=key, seat="white", what=what, choices=(), default="", facts=facts)
    view: JackalView = RULES.view(state, "white", (question,))
    return view


@pytest.mark.parametrize("line", ["H3, I3, J3, K3", "ответ: H3, I3, J3, K3", "ответ 1: h3, i3, J3, К3"])
def test_lighthouse_is_answered_by_cells(line: str) -> None:
    view = asked("lighthouse", {"number": 4})

    assert the_order(line, view) == Decision(key="white/o1/lighthouse/0", want=Want(cells=("H3", "I3", "J3", "K3")))


@pytest.mark.parametrize("line", ["H3, H3", "A1", "H3, I3, J3, K3, L3"])
def test_cells_that_are_not_closed_or_too_many_are_refused(line: str) -> None:
    assert [one.key for one in read(line, asked("lighthouse", {"number": 4})).complaints] == ["not-closed"]


def test_quake_is_answered_by_a_pair_with_nobody_on_it() -> None:
    view = asked("quake", {}, "W1 F6")

    assert the_order("H3-C9", view).want == Want(pair=("H3", "C9"))
    assert [one.key for one in read("H3-F6", view).complaints] == ["not-free"]


def test_tiles_are_laid_back_as_a_permutation() -> None:
    view = asked("lay", {"cells": ("H3", "I3", "J3", "K3")})

    assert the_order("разложить H3-K3, I3-H3, J3-J3, K3-I3", view).lay == (
        ("H3", "K3"),
        ("I3", "H3"),
        ("J3", "J3"),
        ("K3", "I3"),
    )
    assert the_order("как было", view).lay == ()
    assert [one.key for one in read("разложить H3-K3, I3-K3", view).complaints] == ["not-a-permutation"]


def test_flight_is_answered_by_a_cell_or_by_staying() -> None:
    view = asked("plane", {"cells": ("F2", "G1"), "stays": True})

    assert the_order("F2", view).want == Want(wishes=(Pick(kind="cell", way="F2"),))
    assert the_order("остаться", view).want == Want(wishes=(Pick(kind="stay"),))
    assert [one.key for one in read("C4", view).complaints] == ["no-flight-there"]


def test_answer_to_nothing_is_refused() -> None:
    assert [one.key for one in read("ответ: H3").complaints] == ["nothing-asked"]


def test_bracket_behind_a_cart_is_its_load_or_a_surprise() -> None:
    view = view_of("W1 F6, cart@F6, coin@F6")

    assert the_order("Б1 на F7 +тачка (монета)", view).alternatives[0].act.load.inside == ("coin",)
    bare = the_order("Б1 на F7 +тачка (стрелка: С; конь: к кораблю)", view).alternatives[0]
    assert (bare.act.load.bare, [when.tile for when in bare.whens]) == (True, ["arrow", "horse"])


# Write and read are inverse -------------------------------------------------------------------------------------------

CELLS = st.sampled_from(["A1", "B3", "C9", "E10", "G7", "K1", "M13", "N0", "Z7", "G0"])
UNITS = st.sampled_from(["W1", "W2", "W3", "BG", "MS", "FR"])
RHUMBS = st.sampled_from(["N", "NE", "E", "SE", "S", "SW", "W", "NW"])
ITEMS = st.sampled_from(["coin", "treasure", "ball", "boat"])
LOADS = st.none() | st.one_of(
    ITEMS.map(lambda item: Load(item=item)),  # type: ignore[arg-type]
    st.just(Load(item="cart", bare=True)),
    st.lists(ITEMS, max_size=2).map(lambda items: Load(item="cart", inside=tuple(items))),  # type: ignore[arg-type]
)
PICKS = st.one_of(
    RHUMBS.map(lambda way: Pick(kind="way", way=way)),
    CELLS.map(lambda cell: Pick(kind="cell", way=cell)),
    ITEMS.map(lambda item: Pick(kind="take", way=item)),
    st.sampled_from([Pick(kind="ship"), Pick(kind="stay")]),
)
NAMED = ("to-ship", "to-closed", "to-coins", "not-water", "not-death")
WISHES = PICKS | st.sampled_from([Pick(kind=kind) for kind in NAMED])  # type: ignore[arg-type]
VIA = st.lists(PICKS, max_size=3).map(tuple)
WISH_WANTS = st.lists(WISHES, min_size=1, max_size=3).map(lambda wishes: Want(wishes=tuple(wishes)))
PAIRS = st.lists(CELLS, min_size=2, max_size=2, unique=True)
TOPIC_WANTS = st.one_of(
    st.tuples(st.sampled_from(["arrow", "horse", "ice", "cave", "plane"]), WISH_WANTS),
    st.tuples(st.just("lighthouse"), st.lists(CELLS, min_size=1, max_size=4).map(lambda one: Want(cells=tuple(one)))),
    st.tuples(st.just("quake"), PAIRS.map(lambda pair: Want(pair=tuple(pair)))),
    st.tuples(st.just("quake"), PAIRS.map(lambda pair: Want(pair=tuple(pair), turns=(1, 3)))),
    st.tuples(st.sampled_from(["lighthouse", "quake"]), st.just(Want(near=True))),
)
ACTS = st.one_of(
    st.builds(Step, unit=UNITS, cell=CELLS, load=LOADS, via=VIA),
    st.builds(SpinStep, unit=UNITS, load=LOADS),
    st.builds(RumLeap, unit=UNITS, cell=CELLS, ally=st.booleans(), load=LOADS, via=VIA),
    st.builds(Fly, unit=UNITS, cell=CELLS, load=LOADS, via=VIA),
    st.builds(Raise, unit=UNITS, dead=st.sampled_from(["", "W2"])),
    st.builds(Launch, unit=UNITS, cell=CELLS),
    st.builds(
        Sail,
        colour=st.sampled_from(["white", "black"]),
        boat=st.booleans(),
        route=st.lists(RHUMBS, min_size=1, max_size=3).map(tuple) | st.lists(CELLS, min_size=1, max_size=3).map(tuple),
    ),
)
GUARDS = st.one_of(
    st.builds(
        Guard, kind=st.sampled_from(["empty", "enemy", "own", "closed", "ship"]), cell=CELLS, negated=st.booleans()
    ),
    st.builds(Guard, kind=st.just("item"), cell=CELLS, negated=st.booleans(), what=ITEMS),
    st.builds(
        Guard,
        kind=st.just("open"),
        cell=CELLS,
        negated=st.booleans(),
        what=st.sampled_from(["", "arrow", "keg", "fort"]),
    ),
)
ALTERNATIVES = st.builds(
    Alternative,
    act=ACTS,
    guards=st.lists(GUARDS, max_size=2).map(tuple),
    gifts=st.lists(
        st.builds(Gift, unit=st.sampled_from(["MS", "FR"]), before=st.booleans(), ally=st.booleans()), max_size=2
    ).map(tuple),
    whens=st.lists(TOPIC_WANTS.map(lambda one: When(tile=one[0], want=one[1])), max_size=3).map(tuple),
    perish=st.booleans(),
    oath=st.sampled_from(["", "Пиастры!", "Йо-хо-хо, лево руля"]),
)
POLICIES = st.builds(
    PolicyOrder,
    rules=st.lists(
        TOPIC_WANTS.flatmap(
            lambda one: st.builds(
                PolicyRule,
                tile=st.just(one[0]),
                ask=st.booleans(),
                cases=st.lists(
                    st.builds(PolicyCase, want=st.just(one[1]), laden=st.sampled_from(["", "laden", "unladen"])),
                    min_size=1,
                    max_size=2,
                ).map(tuple),
            )
        ),
        min_size=1,
        max_size=3,
    ).map(tuple),
)
ORDERS = st.one_of(
    st.builds(
        SlotOrder,
        colour=st.just("white"),
        number=st.just(1),
        alternatives=st.lists(ALTERNATIVES | st.just(Alternative()), min_size=1, max_size=3).map(tuple),
    ),
    POLICIES,
    st.just(PolicyOrder(always=True)),
    st.builds(AllyRumOrder, bottles=st.integers(-1, 9)),
    st.builds(ConcludeOrder, agreed=st.booleans()),
)


@settings(derandomize=True, max_examples=300, deadline=None)
@given(order=ORDERS, language=st.sampled_from(["ru", "en"]))
def test_what_is_written_is_read_back(order: Any, language: Language) -> None:
    view = view_of(players=2)
    line = RULES.write(order, language)

    assert the_order(line, view, language) == order, line
    assert the_order(line, view, "en" if language == "ru" else "ru") == order, line


def test_slot_is_named_only_where_more_than_one_can_be_meant() -> None:
    order = SlotOrder(colour="white", number=1, alternatives=(Alternative(act=Step(unit="W1", cell="G6")),))

    assert RULES.write(order, "ru", view_of()) == "Б1 на G6"
    assert RULES.write(order, "ru", view_of(players=2)) == "белые: Б1 на G6"
    assert RULES.write(order, "en", view_of(actions_per_round=2)) == "1) W1 to G6"
    assert RULES.write(order, "en") == "white: 1) W1 to G6"


def test_order_for_black_is_read_back() -> None:
    order = SlotOrder(colour="black", number=1, alternatives=(Alternative(act=Step(unit="B1", cell="G12")),))
    view = view_of(players=2)

    assert the_order(RULES.write(order, "ru", view), view) == order
