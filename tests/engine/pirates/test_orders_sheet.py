"""A sheet is a fold: what a later line replaces, what a volley takes over, standing orders, ships left silent."""

from __future__ import annotations

from typing import Any

from engine.core.contract import Order
from engine.pirates.orders import fold, merge, read, silent, write
from engine.pirates.state import (
    Fire,
    GoldOrder,
    PiratesView,
    SequenceOrder,
    ShipOrder,
    VolleyOrder,
)
from tests.engine.pirates.orders_position import at_sea, playing, set_up

PIRATE = at_sea("pirates-1")  # ships 4 and 5
ANY_AFTER = Fire(when="after", targets=("any",))


def sheet(*lines: str, view: PiratesView = PIRATE, upon: tuple[Order, ...] = ()) -> tuple[str, ...]:
    reading = read(view, upon, lines, "ru")
    assert (reading.complaints, reading.prose) == ((), ())
    assert reading.sheet == fold(view, upon, [one.order for one in reading.orders])
    return tuple(write(order, "ru") for order in reading.sheet)


def orders(*lines: str, view: PiratesView = PIRATE) -> tuple[Order, ...]:
    return read(view, (), lines, "ru").sheet


def noted(kind: str, *lines: str, view: PiratesView = PIRATE) -> list[tuple[int, str, dict[str, Any]]]:
    reading = read(view, (), lines, "ru")
    assert reading.complaints == ()
    return [
        (one.lines[0], note.key, dict(note.facts)) for one in reading.orders for note in one.notes if note.kind == kind
    ]


# A later line ---------------------------------------------------------------------------------------------------------


def test_a_later_line_is_the_whole_order_of_its_ship() -> None:
    assert sheet("4: СВ 2; огонь до 1", "5: стоять", "4: ЮВ 3") == ("корабль 5: стоять", "корабль 4: курс ЮВ 3")


def test_what_a_later_line_leaves_out_is_dropped_and_said() -> None:
    lost_fire = {"ship": 4, "when": "before", "targets": (1,)}
    lost_course = {"ship": 4, "course": "NE", "distance": 2, "bends": ()}

    assert noted("drops", "4: СВ 2; огонь до 1", "4: ЮВ 3") == [(1, "fire", lost_fire)]
    assert noted("drops", "4: СВ 2; огонь до 1", "4: огонь до 1") == [(1, "course", lost_course)]
    assert noted("drops", "4: СВ 2", "4: ЮВ 3; огонь после любой") == []


def test_a_line_of_another_letter_replaces_too() -> None:
    earlier = orders("4: СВ 2; огонь до 1", "5: стоять")

    assert sheet("5: СВ 1", upon=earlier) == ("корабль 4: курс СВ 2; огонь до 1", "корабль 5: курс СВ 1")


def test_gold_names_and_sequences_are_replaced_whole() -> None:
    alternating = at_sea("spain-1", options=playing("spain-1", mode="alternating").options, to_move="spain")

    assert sheet("золото 1", "имя 1: Сокол", "золото 2", "имя 1: Ястреб", view=set_up("spain-1")) == (
        "золото 2",
        "имя 1: Ястреб",
    )
    assert sheet("порядок 2,1", "порядок 1,2", view=alternating) == ("порядок 1,2",)


# Volleys --------------------------------------------------------------------------------------------------------------


def test_a_volley_replaces_its_members_fire_and_leaves_their_courses() -> None:
    lines = ("4: СВ 2; огонь до 1", "5: стоять; огонь после любой", "залп А: 4,5 по 1 до")

    assert sheet(*lines) == ("корабль 4: курс СВ 2", "корабль 5: стоять", "залп А: 4,5 по 1 до")
    assert noted("drops", *lines) == [
        (2, "fire-to-volley", {"ship": 4, "volley": "a"}),
        (2, "fire-to-volley", {"ship": 5, "volley": "a"}),
    ]


def test_a_member_leaves_its_volley_only_by_fire_of_its_own() -> None:
    assert sheet("залп А: 4,5 по 1 до", "4: СВ 2") == ("залп А: 4,5 по 1 до", "корабль 4: курс СВ 2")
    assert sheet("залп А: 4,5 по 1 до", "4: огонь после 2") == (
        "залп А: 5 по 1 до",
        "корабль 4: стоять; огонь после 2",
    )
    assert noted("drops", "залп А: 4,5 по 1 до", "4: огонь после 2") == [(1, "left-volley", {"ship": 4, "volley": "a"})]


def test_a_volley_without_own_ships_is_gone() -> None:
    lines = ("залп А: 4,6 по 1 до", "4: огонь после 2")

    assert sheet(*lines) == ("корабль 4: стоять; огонь после 2",)


def test_a_ship_is_in_one_volley() -> None:
    assert sheet("залп А: 4,5 по 1 до", "залп Б: 5 по 2 после") == ("залп А: 4 по 1 до", "залп Б: 5 по 2 после")


def test_a_volley_is_dissolved_by_its_name() -> None:
    assert sheet("залп А: 4,5 по 1 до", "залп А: нет") == ("залп А: нет",)
    assert noted("drops", "залп А: 4,5 по 1 до", "залп А: нет") == [
        (1, "volley-dissolved", {"volley": "a", "ships": (4, 5)})
    ]


def test_a_volley_said_again_releases_those_it_no_longer_names() -> None:
    assert sheet("залп А: 4,5 по 1 до", "залп A: 4 по 2 до") == ("залп А: 4 по 2 до",)
    assert noted("drops", "залп А: 4,5 по 1 до", "залп A: 4 по 2 до") == [
        (1, "volley-dissolved", {"volley": "a", "ships": (5,)})
    ]


# Standing orders ------------------------------------------------------------------------------------------------------


def test_standing_orders_fill_what_has_no_order() -> None:
    standing = orders("4: СВ 2; огонь после любой", "5: стоять; огонь после любой")

    assert merge(PIRATE, orders("5: ЮВ 3"), standing) == orders("5: ЮВ 3", "4: СВ 2; огонь после любой")
    assert merge(PIRATE, (), standing) == standing


def test_a_standing_order_gives_a_volleys_member_its_course_only() -> None:
    merged = merge(PIRATE, orders("залп А: 4,5 по 1 до"), orders("4: СВ 2; огонь после любой"))

    assert merged == orders("залп А: 4,5 по 1 до", "4: СВ 2")


def test_a_standing_volley_takes_those_who_have_no_fire_of_their_own() -> None:
    standing = orders("залп А: 4,5 по 1 до")

    assert merge(PIRATE, orders("4: СВ 2", "5: огонь до 2"), standing) == (
        *orders("4: СВ 2", "5: огонь до 2"),
        VolleyOrder(name="a", ships=(4,), targets=(1,)),
    )
    assert merge(PIRATE, orders("4: огонь до 2", "5: огонь до 2"), standing) == orders("4: огонь до 2", "5: огонь до 2")
    assert merge(PIRATE, orders("залп А: нет"), standing) == orders("залп А: нет")


def test_standing_orders_of_lost_ships_and_other_turns_wait() -> None:
    standing = orders("4: СВ 2", "5: СВ 2")
    lost = at_sea("pirates-1", {4: {"fate": "sunk", "cell": None}})
    theirs = at_sea("pirates-1", options=playing("pirates-1", mode="alternating").options, to_move="spain")

    assert merge(lost, (), standing) == orders("5: СВ 2")
    assert merge(theirs, (), standing) == ()
    assert merge(set_up("pirates-1"), (), standing) == ()


def test_a_standing_shot_yields_where_a_seat_has_one() -> None:
    view = playing("pirates-1", shots="seat")
    standing = (ShipOrder(ship=4, fire=ANY_AFTER), ShipOrder(ship=5, fire=ANY_AFTER))

    assert merge(view, orders("4: огонь до 1"), standing) == orders("4: огонь до 1", "5: стоять")
    assert merge(view, (), standing) == orders("4: огонь после любой", "5: стоять")


def test_a_standing_sequence_is_kept() -> None:
    view = at_sea("spain-1", options=playing("spain-1", mode="alternating").options, to_move="spain")
    standing = (SequenceOrder(ships=(2, 1)),)

    assert merge(view, (), standing) == standing
    assert merge(view, (SequenceOrder(ships=(1, 2)),), standing) == (SequenceOrder(ships=(1, 2)),)


# Silence --------------------------------------------------------------------------------------------------------------


def test_a_ship_left_without_orders_stands_and_fires_after_at_any() -> None:
    assert silent(PIRATE, orders("4: СВ 2")) == (ShipOrder(ship=5, fire=ANY_AFTER, silent=True),)
    assert silent(PIRATE, orders("4: СВ 2", "5: стоять")) == ()


def test_a_member_of_a_volley_has_its_order_and_is_not_silent() -> None:
    assert silent(PIRATE, orders("залп А: 4,6 по 1 до", "5: стоять")) == ()


def test_silence_leaves_the_gold_to_the_lot() -> None:
    assert silent(set_up("spain-1"), ()) == (GoldOrder(ship=0),)
    assert silent(set_up("spain-1"), (GoldOrder(ship=1),)) == ()
    assert silent(set_up("spain-2"), ()) == silent(set_up("pirates-1"), ()) == ()


def test_nobody_is_silent_who_owes_nothing() -> None:
    theirs = at_sea("pirates-1", options=playing("pirates-1", mode="alternating").options, to_move="spain")

    assert silent(theirs, ()) == ()
    assert silent(at_sea("moderator"), ()) == ()


def test_a_silent_default_gives_way_to_any_line() -> None:
    default = silent(PIRATE, ())

    assert sheet("4: СВ 2; огонь до 1", upon=default) == (
        "корабль 5: стоять; огонь после любой",
        "корабль 4: курс СВ 2; огонь до 1",
    )
