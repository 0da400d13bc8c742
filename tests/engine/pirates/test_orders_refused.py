"""Lines that are no orders: why not, where, by which rule, and what the player could send instead."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.contract import MODERATOR, PUBLIC, Complaint, Language, Outcome
from engine.pirates.orders import read
from engine.pirates.state import PiratesView
from tests.engine.pirates.orders_position import at_sea, playing, set_up

PIRATE = at_sea("pirates-1")
ALONE = at_sea("spain-2")


def complaint(view: PiratesView, line: str, language: Language = "ru") -> Complaint:
    reading = read(view, (), [line], language)
    assert (reading.orders, reading.prose) == ((), ())
    (found,) = reading.complaints
    assert found.lines == (0,)
    return found


def refused(view: PiratesView, line: str) -> tuple[str, str, str]:
    found = complaint(view, line)
    return found.kind, found.key, found.rule


# Cannot be read -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "key", "typed", "suggestions"),
    [
        ("корабль 4: курс 3 3", "digit-for-west", "3", ("корабль 4: курс З 3",)),
        ("корабль 4: курс С3 2", "digit-for-west", "3", ("корабль 4: курс СЗ 2",)),
        ("корабль 4: Ю3 2; огонь после любой", "digit-for-west", "3", ("корабль 4: курс ЮЗ 2; огонь после любой",)),
        ("корабль 4: курс кривой 3", "unknown-word", "кривой", None),
        ("корабль 4: стоять?", "unknown-word", "?", ("корабль 4: стоять",)),
        ("корабль 4: курс СВ 2 быстро", "unknown-word", "быстро", None),
        ("корабль 4: огонь до 1-3", "unknown-word", "-", ("корабль 4: стоять; огонь до 1,3",)),
        ("корабль 4: стоять 5", "unexpected", "5", ("корабль 4: стоять",)),
        ("корабль 4: СВ 2; 5", "unexpected", "5", ("корабль 4: курс СВ 2",)),
        ("корабль 4: огонь 1 до 2", "unexpected", "огонь 1 до 2", ()),
        ("Каракатица: курс СВ 2", "unknown-ship", "Каракатица", ("корабль 4: курс СВ 2", "корабль 5: курс СВ 2")),
        ("корабль 12: стоять", "unknown-ship", "корабль 12", ("корабль 4: стоять", "корабль 5: стоять")),
        ("корабль 99999999999999999999: стоять", "unknown-ship", "корабль 99999999999999999999", None),
        ("корабль 4: огонь до по Каракатице", "unknown-ship", "Каракатице", None),
        ("корабль 4: огонь до 17", "unknown-ship", "17", ()),
        ("4: курс СВ 100", "bad-distance", "100", ()),
        ("4: курс СВ 99999999999", "bad-distance", "99999999999", ()),
    ],
)
def test_unread_lines_show_the_place_and_the_way_out(
    line: str, key: str, typed: str, suggestions: tuple[str, ...] | None
) -> None:
    found = complaint(PIRATE, line)

    assert (found.kind, found.key, found.facts["typed"]) == ("unread", key, typed)
    assert found.place is not None
    assert line[slice(*found.place)] == typed
    if suggestions is not None:
        assert found.suggestions == suggestions


@pytest.mark.parametrize(
    ("line", "key", "facts", "suggestions"),
    [
        ("ЮВ 3", "no-ship", {}, ("корабль 4: курс ЮВ 3", "корабль 5: курс ЮВ 3")),
        ("стоять", "no-ship", {}, ("корабль 4: стоять", "корабль 5: стоять")),
        ("4: курс СВ", "no-distance", {"course": "NE", "allowed": 2}, ("корабль 4: курс СВ 2",)),
        ("4: огонь до", "no-target", {}, ("корабль 4: стоять; огонь до любой",)),
        (
            "4: СВ 2; огонь",
            "no-target",
            {},
            ("корабль 4: курс СВ 2; огонь до любой", "корабль 4: курс СВ 2; огонь после любой"),
        ),
        ("залп А: 4,5 до", "no-target", {}, ()),
        ("залп А: по 1 до", "no-ship-list", {}, ()),
        ("корабль 4 «Ласточка»: стоять", "two-ships", {"ship": 4, "other": 5}, ()),
        ("4: СВ 2; курс ЮВ 2", "twice", {"what": "course"}, ()),
        ("4: СВ 2; стоять", "twice", {"what": "stand"}, ()),
        ("4: ремонт; СВ 2", "twice", {"what": "stand"}, ()),
        ("4: огонь до 1; огонь после 2", "twice", {"what": "fire"}, ()),
        ("4: огонь до и после 1", "twice", {"what": "fire"}, ()),
        ("4: огонь до 1; не стрелять", "twice", {"what": "fire"}, ()),
    ],
)
def test_unread_lines_say_what_is_missing(
    line: str, key: str, facts: dict[str, Any], suggestions: tuple[str, ...]
) -> None:
    found = complaint(PIRATE, line)

    assert (found.kind, found.key, found.facts, found.suggestions) == ("unread", key, facts, suggestions)


def test_a_line_without_end_offers_an_order_of_that_ship() -> None:
    found = complaint(PIRATE, "корабль 4:")

    assert found.key == "incomplete"
    assert [line[:11] for line in found.suggestions] == ["корабль 4: "]


@pytest.mark.parametrize(
    ("line", "suggestions"),
    [
        ("Каракатичка: курс СВ 2", ("корабль 4: курс СВ 2",)),
        ("Чёрная Каракатичка: курс СВ 2", ("корабль 4: курс СВ 2",)),
        ("корабль Волчок: стоять", ("корабль 5: стоять",)),
        ("Мрской Влк: стоять", ("корабль 5: стоять",)),
        ("Фортуночка: стоять", ("корабль 4: стоять", "корабль 5: стоять")),  # another seat's ship obeys nobody here
        ("корабль 4: огонь до Санта-Марта", ("корабль 4: стоять; огонь до 2",)),
    ],
)
def test_a_misspelt_ship_is_taken_for_the_near_one_alone(line: str, suggestions: tuple[str, ...]) -> None:
    view = at_sea("pirates-1", {4: {"name": "Чёрная Каракатица"}, 5: {"name": "Морской Волк"}, 8: {"name": "Кит"}})

    found = complaint(view, line)

    assert (found.kind, found.suggestions) == ("unread", suggestions)


def test_suggestions_speak_the_readers_language() -> None:
    assert complaint(PIRATE, "ship 4: course 3 3", "en").suggestions == ("ship 4: course W 3",)


@pytest.mark.parametrize(
    "line",
    [
        "корабль 4: курс 3 3",
        "Каракатица: курс СВ 2",
        "корабль 4: стоять?",
        "4: курс СВ",
        "4: огонь до",
        "4: огонь 1",
        "корабль 4:",
        "корабль 4: курс кривой 3",
        "4: норд ост юг 2",
        "Ну что, корабль 4: стоять",
    ],
)
@pytest.mark.parametrize("language", ["ru", "en"])
def test_every_suggestion_can_be_sent_as_it_stands(line: str, language: Language) -> None:
    found = complaint(PIRATE, line, language)

    assert found.suggestions != ()
    for suggestion in found.suggestions:
        reading = read(PIRATE, (), [suggestion], language)
        assert (len(reading.orders), reading.complaints) == (1, ())


# Two meanings ---------------------------------------------------------------------------------------------------------


def test_fire_without_its_time_is_refused_with_both() -> None:
    found = complaint(PIRATE, "4: СВ 2; огонь по 1")

    assert (found.kind, found.key, found.rule) == ("ambiguous", "no-phase", "P27")
    assert found.suggestions == ("корабль 4: курс СВ 2; огонь до 1", "корабль 4: курс СВ 2; огонь после 1")


def test_volley_without_its_time_is_refused_with_both() -> None:
    found = complaint(PIRATE, "залп А: 4,5 по 1")

    assert (found.kind, found.key) == ("ambiguous", "no-phase")
    assert found.suggestions == ("залп А: 4,5 по 1 до", "залп А: 4,5 по 1 после")


def test_a_name_that_fits_two_ships_is_refused_with_both() -> None:
    view = at_sea("pirates-1", {4: {"name": "Белый Орёл"}, 5: {"name": "Чёрный Орёл"}})
    found = complaint(view, "Орлом: стоять")

    assert (found.kind, found.key) == ("ambiguous", "two-ships-fit")
    assert found.facts == {"typed": "Орлом", "ships": (4, 5)}
    assert found.suggestions == ("корабль 4: стоять", "корабль 5: стоять")


@pytest.mark.parametrize(
    ("line", "suggestions"),
    [
        ("korabl 4: kurs S 1", ("корабль 4: курс Ю 1", "корабль 4: курс С 1")),  # South, or the Russian С
        ("4: огонь до по Весты", ("корабль 4: стоять; огонь до 1", "корабль 4: стоять; огонь до 2")),
    ],
)
def test_a_repair_that_leads_to_two_orders_is_refused_with_both(line: str, suggestions: tuple[str, ...]) -> None:
    view = at_sea("pirates-1", {1: {"name": "Весты-Один"}, 2: {"name": "Вести"}})
    found = complaint(view, line)

    assert (found.kind, found.suggestions) == ("ambiguous", suggestions)


@pytest.mark.parametrize("line", ["4: первым делом огонь до 2", "4: fire first at 2 before", "I order ship 4: stand"])
def test_a_word_that_only_sounds_like_a_number_is_none(line: str) -> None:
    assert complaint(PIRATE, line).kind == "unread"


def test_of_many_readings_of_which_not_all_were_looked_at_none_is_chosen() -> None:
    view = at_sea("spain-1", {1: {"name": "Волна-Раз"}, 4: {"name": "Волна-Два"}})  # members must be one's own

    assert read(view, (), ["залп А: Волна,Волна по 5 до"], "ru").complaints == ()
    found = complaint(view, "залп А: Волна,Волна,Волна,Волна,Волна по 5 до")
    assert (found.kind, found.key) == ("ambiguous", "two-readings")


def test_a_name_that_fits_two_ships_means_the_one_that_obeys() -> None:
    view = at_sea("pirates-1", {4: {"name": "Белый Орёл"}, 8: {"name": "Чёрный Орёл"}})
    reading = read(view, (), ["Орлом: стоять"], "ru")

    assert [one.order.slot for one in reading.orders] == ["ship4"]


# Not allowed now ------------------------------------------------------------------------------------------------------

LOST = at_sea(
    "pirates-1",
    {
        4: {"fate": "sunk", "cell": None},
        6: {"fate": "wrecked", "cell": None},
        1: {"fate": "derelict", "owner": ""},
    },
)


@pytest.mark.parametrize(
    ("view", "line", "key", "rule"),
    [
        (PIRATE, "корабль 1: стоять", "not-your-ship", "P2"),
        (PIRATE, "корабль 6: стоять", "not-your-ship", "P2"),
        (PIRATE, "Чёрный Джек: стоять", "not-your-ship", "P2"),
        (LOST, "корабль 4: стоять", "ship-lost", "P31"),
        (LOST, "корабль 6: стоять", "ship-lost", "P31"),
        (LOST, "корабль 1: стоять", "derelict", "P37"),
        (LOST, "залп А: 5,4 по 2 до", "volley-lost", "P29"),
        (at_sea(PUBLIC), "корабль 4: стоять", "no-seat", "P2"),
        (at_sea(MODERATOR), "корабль 4: стоять", "no-seat", "P2"),
        (at_sea("spain-2", {3: {"owner": "pirates-1", "side": "pirates"}}), "стоять", "no-ships", "P40"),
        (set_up("pirates-1"), "корабль 4: стоять", "set-up", "P4"),
        (set_up("pirates-1"), "залп А: 4,5 по 1 до", "set-up", "P4"),
        (PIRATE, "4: курс ЮВ ЮВ В", "bends-off", "P10"),
        (PIRATE, "4: ЮВ 2 В 1", "bends-off", "P10"),
        (PIRATE, "залп А: 4,5 по любой до", "volley-any", "P29"),
        (PIRATE, "залп А: 4,5 по 1,любой до", "volley-any", "P29"),
        (PIRATE, "залп А: 4,1 по 2 до", "volley-foreign", "P29"),
        (PIRATE, "залп А: 6,7 по 1 до", "volley-not-yours", "P29"),
        (PIRATE, "золото 2", "gold-not-spain", "P4"),
        (ALONE, "золото 2", "gold-late", "P4"),
        (at_sea("spain-1"), "gold lot", "gold-late", "P4"),
        (set_up("spain-2"), "золото 3", "gold-not-yours", "P4"),
        (set_up("spain-1"), "золото 4", "gold-not-galleon", "P4"),
        (PIRATE, "имя 4: Сокол", "name-late", "P1"),
        (set_up("pirates-1"), "имя 6: Сокол", "not-your-ship", "P2"),
        (set_up("pirates-1"), f"имя 4: {'о' * 41}", "name-length", "P1"),
        (set_up("pirates-1"), "имя 4: «»", "name-mark", "P1"),
        (set_up("pirates-1"), "имя 4: 3 друга", "name-letter", "P1"),
        (set_up("pirates-1"), "имя 4: Раз, два", "name-mark", "P1"),
        (set_up("pirates-1"), "имя 4: Раз; два", "name-mark", "P1"),
        (set_up("pirates-1"), "имя 4: Раз: два", "name-mark", "P1"),
        (set_up("pirates-1"), "имя 4: Раз #2", "name-mark", "P1"),
        (set_up("pirates-1"), "имя 4: а//б", "name-mark", "P1"),
        (set_up("pirates-1"), "имя 4: Граф «Орлов» и Ко", "name-mark", "P1"),
        (set_up("pirates-1"), "имя 4: Огонь", "name-word", "P1"),
        (set_up("pirates-1"), "имя 4: oгoнь", "name-word", "P1"),
        (set_up("pirates-1"), "имя 4: Норд-Ост", "name-word", "P1"),
        (set_up("pirates-1"), "имя 4: Готов", "name-word", "P1"),
        (set_up("pirates-1"), "имя 4: not ready", "name-word", "P1"),
        (set_up("pirates-1"), "имя 4: и 2", "name-word", "P1"),
        (set_up("pirates-1"), "имя 4: Курс СВ 2", "name-word", "P1"),
        (set_up("pirates-1"), "имя 4: Фортуна", "name-taken", "P1"),
        (set_up("pirates-1"), "имя 4: ФOPTУHA", "name-taken", "P1"),
        (set_up("pirates-1"), "имя 4: Сан Фелипе", "name-taken", "P1"),
        (PIRATE, "порядок 5,4", "sequence-off", "P6"),
    ],
)
def test_what_the_position_forbids_is_refused_by_its_rule(view: PiratesView, line: str, key: str, rule: str) -> None:
    assert refused(view, line) == ("not-allowed", key, rule)


def test_after_the_end_nothing_is_ordered() -> None:
    view = at_sea("pirates-1", outcome=Outcome(reason="limit", rule="P39"))

    assert refused(view, "корабль 4: стоять") == ("not-allowed", "game-over", "P39")


@pytest.mark.parametrize("line", ["корабль 4: стоять", "порядок 4,5", "залп А: 4,5 по 1 до"])
def test_in_the_other_sides_turn_nothing_is_ordered(line: str) -> None:
    view = at_sea("pirates-1", options=playing("pirates-1", mode="alternating").options, to_move="spain")

    assert refused(view, line) == ("not-allowed", "not-your-turn", "P6")


def test_sequence_names_own_ships_only() -> None:
    view = at_sea("pirates-1", options=playing("pirates-1", mode="alternating").options, to_move="pirates")

    assert refused(view, "порядок 4,6") == ("not-allowed", "not-your-ship", "P2")


def test_names_are_given_until_the_first_turn_locks() -> None:
    alternating = playing("pirates-1", mode="alternating").options
    first = at_sea("pirates-1", round=1, options=alternating, to_move="spain")
    second = at_sea("pirates-1", round=1, options=alternating, to_move="pirates")

    assert len(read(first, (), ["имя 4: Сокол"], "ru").orders) == 1
    assert len(read(at_sea("pirates-1", round=1), (), ["имя 4: Сокол"], "ru").orders) == 1
    assert refused(second, "имя 4: Сокол") == ("not-allowed", "name-late", "P1")
    assert refused(at_sea("pirates-1", round=2), "имя 4: Сокол") == ("not-allowed", "name-late", "P1")


def test_two_own_ships_may_not_take_one_name_in_a_letter() -> None:
    reading = read(set_up("pirates-1"), (), ["имя 4: Сокол", "имя 5: Coкoл", "имя 5: Месть"], "ru")

    assert [(one.key, one.lines) for one in reading.complaints] == [("name-taken", (1,))]
    assert [one.order.slot for one in reading.orders] == ["name4", "name5"]


def test_a_second_shot_of_a_seat_is_refused_where_it_has_one() -> None:
    view = playing("pirates-1", shots="seat")
    reading = read(view, (), ["4: огонь до 1", "5: СВ 2; огонь до 1", "4: огонь после 2", "5: СВ 2"], "ru")
    (found,) = reading.complaints

    assert (found.key, found.rule, found.facts) == ("one-shot", "P27", {"ship": 4, "volley": ""})
    assert found.suggestions == ("корабль 5: курс СВ 2",)
    assert [one.lines for one in reading.orders] == [(0,), (2,), (3,)]


def test_a_volley_may_take_over_the_one_shot_of_its_member() -> None:
    view = playing("pirates-1", shots="seat")
    reading = read(view, (), ["4: огонь до 1", "залп А: 4,5 по 1 до", "5: огонь до 1"], "ru")

    assert [one.lines for one in reading.orders] == [(0,), (1,)]
    assert [(one.key, one.facts) for one in reading.complaints] == [("one-shot", {"ship": 0, "volley": "a"})]
