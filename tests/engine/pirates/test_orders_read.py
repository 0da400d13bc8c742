"""Lines as players write them, and the orders they are read as."""

from __future__ import annotations

import pytest

from engine.core.contract import Language, Note, Order, Reading
from engine.pirates.orders import read
from engine.pirates.state import (
    Fire,
    GoldOrder,
    NameOrder,
    PiratesView,
    Rhumb,
    SequenceOrder,
    ShipOrder,
    VolleyOrder,
    When,
)
from tests.engine.pirates.orders_position import at_sea, playing, set_up

PIRATE = at_sea("pirates-1")  # ships 4 «Месть» and 5 «Ласточка»
ALONE = at_sea("spain-2")  # ship 3 «Эспириту-Санто»
CHOOSER = set_up("spain-1")  # ships 1 and 2, puts the gold aboard


def run(ship: int, course: Rhumb, distance: int, fire: Fire | None = None) -> ShipOrder:
    return ShipOrder(ship=ship, course=course, distance=distance, fire=fire)


def stand(ship: int, fire: Fire | None = None) -> ShipOrder:
    return ShipOrder(ship=ship, fire=fire)


def shot(when: When, *targets: int) -> Fire:
    return Fire(when=when, targets=targets)


ANY_AFTER = Fire(when="after", targets=("any",))


def orders(reading: Reading) -> list[Order]:
    assert reading.complaints == ()
    return [one.order for one in reading.orders]


def one_line(view: PiratesView, line: str, language: Language = "ru") -> list[Order]:
    reading = read(view, (), [line], language)
    assert reading.prose == ()
    return orders(reading)


def notes(reading: Reading, kind: str) -> list[Note]:
    return [note for one in reading.orders for note in one.notes if note.kind == kind]


def repairs(view: PiratesView, line: str) -> list[tuple[str, str, str]]:
    found = notes(read(view, (), [line], "ru"), "repaired")
    return [(note.key, note.facts["typed"], note.facts["read"]) for note in found if "typed" in note.facts]


# The page's own examples ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("корабль 4: курс ЮВ 3; огонь до 1", run(4, "SE", 3, shot("before", 1))),
        ("корабль 5: стоять; огонь после 2,3,любой", stand(5, Fire(when="after", targets=(2, 3, "any")))),
        ("корабль 4: ремонт", ShipOrder(ship=4, repair=True)),
        ("залп А: 4,5 по 1 до", VolleyOrder(name="a", ships=(4, 5), targets=(1,), when="before")),
        ("залп А: нет", VolleyOrder(name="a")),
        ("ship 4: course SE 3; fire before 1", run(4, "SE", 3, shot("before", 1))),
        ("ship 5: stand; fire after 2,3,any", stand(5, Fire(when="after", targets=(2, 3, "any")))),
        ("ship 4: repair", ShipOrder(ship=4, repair=True)),
        ("volley A: 4,5 at 1 before", VolleyOrder(name="a", ships=(4, 5), targets=(1,), when="before")),
        ("volley A: none", VolleyOrder(name="a")),
    ],
)
def test_examples_of_the_page_are_read(line: str, order: Order) -> None:
    assert one_line(PIRATE, line) == [order]


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("золото 2", GoldOrder(ship=2)),
        ("золото жребий", GoldOrder(ship=0)),
        ("имя 2: Сокол", NameOrder(ship=2, name="Сокол")),
        ("gold 2", GoldOrder(ship=2)),
        ("gold lot", GoldOrder(ship=0)),
        ("name 2: Falcon", NameOrder(ship=2, name="Falcon")),
        ("Золото на «Санта-Марию».", GoldOrder(ship=2)),
        ("золото везёт Санта-Мария", GoldOrder(ship=2)),
        ("золото: корабль №2", GoldOrder(ship=2)),
        ("золото по жребию", GoldOrder(ship=0)),
        ("gold on ship 2", GoldOrder(ship=2)),
        ("gold by lot", GoldOrder(ship=0)),
        ("имя Санта-Мария: Сокол", NameOrder(ship=2, name="Сокол")),
        ("имя корабля 2 — «Святой Христофор»", NameOrder(ship=2, name="Святой Христофор")),
        ("назвать корабль 2 Сокол", NameOrder(ship=2, name="Сокол")),
        ("name 2: Queen Anne’s Revenge", NameOrder(ship=2, name="Queen Anne's Revenge")),
        ("имя 2:   Св.   Анна . ", NameOrder(ship=2, name="Св. Анна")),
        ("имя 2: Мари\u0438\u0306 \u200bII", NameOrder(ship=2, name="Марий II")),
        ("rename ship 2 to Falcon", NameOrder(ship=2, name="Falcon")),
        ("имя 2: Стоять насмерть", NameOrder(ship=2, name="Стоять насмерть")),
        ("имя 2: Сокол 4: стоять".replace("4: ", "4 "), NameOrder(ship=2, name="Сокол 4 стоять")),
    ],
)
def test_set_up_orders_are_read(line: str, order: Order) -> None:
    assert one_line(CHOOSER, line) == [order]


@pytest.mark.parametrize("line", ["порядок 2,1", "sequence 2,1", "порядок: 2 1", "порядок — Санта-Мария, Сан-Фелипе."])
def test_sequence_is_read_in_alternating_play(line: str) -> None:
    view = at_sea("spain-1", options=playing("spain-1", mode="alternating").options, to_move="spain")

    assert one_line(view, line) == [SequenceOrder(ships=(2, 1))]


# Courses --------------------------------------------------------------------------------------------------------------

COURSES: dict[Rhumb, str] = {
    "N": "С с север СЕВЕР на_север норд N n north Nord",
    "NE": "СВ св северо-восток север-восток северо_восток северовосток норд-ост С-В NE ne NO north-east north_east",
    "E": "В восток на_восток ост E east O ost",
    "SE": "ЮВ юго-восток юговосток зюйд-ост SE SO south-east southeast",
    "S": "Ю юг на_юг зюйд S south",
    "SW": "ЮЗ юго-запад юг-запад зюйд-вест SW south-west southwest",
    "W": "З запад на_запад вест W west",
    "NW": "СЗ северо-запад норд-вест NW north-west northwest",
}


@pytest.mark.parametrize(
    ("spelling", "course"),
    [(word.replace("_", " "), course) for course, words in COURSES.items() for word in words.split()],
)
def test_courses_are_read_in_every_spelling(spelling: str, course: Rhumb) -> None:
    assert one_line(PIRATE, f"корабль 4: курс {spelling} 2") == [run(4, course, 2)]


@pytest.mark.parametrize(
    ("typed", "read_as", "course"),
    [("C", "С", "N"), ("B", "В", "E"), ("CB", "СВ", "NE"), ("ЮB", "ЮВ", "SE"), ("C3", None, "N"), ("Cз", "СЗ", "NW")],
)
def test_latin_letters_in_a_course_are_read_as_meant_and_shown(typed: str, read_as: str | None, course: Rhumb) -> None:
    if read_as is None:  # the digit is a distance, never the letter З
        assert one_line(PIRATE, f"4: курс {typed}") == [run(4, course, 3)]
        assert repairs(PIRATE, f"4: курс {typed}") == [("lookalike", "C", "С")]
    else:
        assert one_line(PIRATE, f"4: курс {typed} 2") == [run(4, course, 2)]
        assert repairs(PIRATE, f"4: курс {typed} 2") == [("lookalike", typed, read_as)]


# As a good game master reads ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("4: ЮВ 3, огонь до 1", run(4, "SE", 3, shot("before", 1))),
        ("Корабль №4 курс ЮВ 3", run(4, "SE", 3)),
        ("корабль # 4: курс ЮВ 3", run(4, "SE", 3)),
        ("ship #4: course SE 3", run(4, "SE", 3)),
        ("ship no. 4: course NO 2", run(4, "NE", 2)),
        ("корабль номер 4: курс ЮВ 3", run(4, "SE", 3)),
        ("Месть: курс СВ 2", run(4, "NE", 2)),
        ("«Месть» — СВ 2", run(4, "NE", 2)),
        ("бригантина «Месть»: курс СВ 2", run(4, "NE", 2)),
        ("корабль 4 «Месть»: курс СВ 2", run(4, "NE", 2)),
        ("Месть (4): курс СВ 2", run(4, "NE", 2)),
        ("4:ЮВ3", run(4, "SE", 3)),
        ("4: 3 ЮВ", run(4, "SE", 3)),
        ("4: курс 3 ЮВ; огонь до 1", run(4, "SE", 3, shot("before", 1))),
        ("4 ЮВ 3", run(4, "SE", 3)),
        ("4) курс ЮВ 3", run(4, "SE", 3)),
        ("4 = ЮВ 3", run(4, "SE", 3)),
        ("корабль 4: идти на северо-восток на 2 клетки", run(4, "NE", 2)),
        ("корабль 4: огонь до 1; курс ЮВ 3", run(4, "SE", 3, shot("before", 1))),
        ("корабль 4: огонь до 1. Курс ЮВ 3.", run(4, "SE", 3, shot("before", 1))),
        ("корабль 4: курс ЮВ 3 и огонь до 1", run(4, "SE", 3, shot("before", 1))),
        ("корабль 4: курс ЮВ 3, затем огонь после 1", run(4, "SE", 3, shot("after", 1))),
        ("корабль 4: курс ЮВ 3 огонь после любой", run(4, "SE", 3, ANY_AFTER)),
        ("корабль 4: огонь после манёвра по любому", stand(4, ANY_AFTER)),
        ("корабль 4: стрелять по 1 до манёвра", stand(4, shot("before", 1))),
        ("корабль 4: огонь до хода по Сан-Фелипе и Санта-Марии", stand(4, shot("before", 1, 2))),
        ("корабль 4: огонь до: 1, 2 или 3", stand(4, shot("before", 1, 2, 3))),
        ("корабль 4: открыть огонь после 2 3 любой", stand(4, Fire(when="after", targets=(2, 3, "any")))),
        ("Ласточкой — стоять, огонь по галиону 2 после", stand(5, shot("after", 2))),
        ("корабль 4: стоять на месте; не стрелять", stand(4)),
        ("корабль 4: без огня", stand(4)),
        ("корабль 4: огонь нет", stand(4)),
        ("ship 4: go north-east 2 squares, then fire after the move at any", run(4, "NE", 2, ANY_AFTER)),
        ("ship 4: hold fire; stand still", stand(4)),
        ("brigantine 4: sail SE 3; shoot at galleon 1 before moving", run(4, "SE", 3, shot("before", 1))),
        ("4: после хода огонь по 1", stand(4, shot("after", 1))),
        ("4: до хода — огонь по 1, потом СВ 2", run(4, "NE", 2, shot("before", 1))),
        ("4: курс СВ, две клетки", run(4, "NE", 2)),
        ("4: курс СВ двумя клетками", run(4, "NE", 2)),
        ("4: курс с.в. 2", run(4, "NE", 2)),
        ("четвёртый: стоять", stand(4)),
        ("Четвёртому кораблю стоять", stand(4)),
        ("4-й корабль: стоять", stand(4)),
        ("корабль 4: огонь до по третьему галеону", stand(4, shot("before", 3))),
        ("4th ship: stand; fire before 2nd ship", stand(4, shot("before", 2))),
        ("4/СВ/2", run(4, "NE", 2)),
        ("ship four: NE two", run(4, "NE", 2)),
        ("Корабль 4. Курс СВ 2. Огонь после любой.", run(4, "NE", 2, ANY_AFTER)),
        ("Приказ: корабль 4: СВ 2", run(4, "NE", 2)),
        ("Месть идёт на СВ на 2 клетки и стреляет после манёвра по любому", run(4, "NE", 2, ANY_AFTER)),
        ("4 - СВ 2, огонь - после, цель - любая", run(4, "NE", 2, ANY_AFTER)),
        ("корабль 4: курс СВ 2 (огонь после любой)", run(4, "NE", 2, ANY_AFTER)),
        ("- корабль 4: стоять", stand(4)),
        ("* корабль 4: стоять", stand(4)),
        ("• корабль 4: стоять", stand(4)),
        ("1) корабль 4: стоять", stand(4)),
        ("2. корабль 4: стоять", stand(4)),
        ("корабль 4: стоять...", stand(4)),
        ("корабль 4: стоять!", stand(4)),
        ("КОРАБЛЬ 4: КУРС СВ 2", run(4, "NE", 2)),
        ("корабль 4: курс СВ 2 # к берегу", run(4, "NE", 2)),
        ("корабль 4: курс СВ 2 // к берегу, огонь до 1", run(4, "NE", 2)),
        ("корабль\u00a04:\u2009курс\u00a0СВ\u00a02", run(4, "NE", 2)),
        (
            "залп Б: 5 и 4 по «Сан-Фелипе» после манёвра",
            VolleyOrder(name="б", ships=(4, 5), targets=(1,), when="after"),
        ),
        ("залп: 4,5 по 1 до", VolleyOrder(name="a", ships=(4, 5), targets=(1,), when="before")),
        ("залп А до: 4,5 по 1,2", VolleyOrder(name="a", ships=(4, 5), targets=(1, 2), when="before")),
        ("залп А: 4,5 до 1", VolleyOrder(name="a", ships=(4, 5), targets=(1,), when="before")),
        ("volley: Месть, Ласточка at ship 1 after", VolleyOrder(name="a", ships=(4, 5), targets=(1,), when="after")),
        ("залп В: корабли 4, 5 по кораблю 1 до", VolleyOrder(name="b", ships=(4, 5), targets=(1,), when="before")),
        ("залп распустить", VolleyOrder(name="a")),
    ],
)
def test_lines_are_read_as_a_good_game_master_would(line: str, order: Order) -> None:
    assert one_line(PIRATE, line) == [order]


@pytest.mark.parametrize(
    ("line", "repair", "order"),
    [
        ("Mecть: курс СВ 2", ("lookalike", "Mecть", "Месть"), run(4, "NE", 2)),
        ("корaбль 4: курс СВ 2", ("lookalike", "корaбль", "корабль"), run(4, "NE", 2)),
        ("корабль 4: kypc СВ 2", ("lookalike", "kypc", "курс"), run(4, "NE", 2)),
        ("корабль 4: rehc СВ 2", ("layout", "rehc", "курс"), run(4, "NE", 2)),
        ("корабль 4: стоять; jujym после любой", ("layout", "jujym", "огонь"), stand(4, ANY_AFTER)),
        ("Vtcnm: курс СВ 2", ("layout", "Vtcnm", "Месть"), run(4, "NE", 2)),
        ("Мсеть: курс СВ 2", ("one-off", "Мсеть", "Месть"), run(4, "NE", 2)),
        ("Ласточа: курс СВ 2", ("one-off", "Ласточа", "Ласточка"), run(5, "NE", 2)),
        ("карабль 4: курс СВ 2", ("one-off", "карабль", "корабль"), run(4, "NE", 2)),
        ("корабль 4: огнь после любой", ("one-off", "огнь", "огонь"), stand(4, ANY_AFTER)),
        ("корабль 4: курс северо-васток 2", ("one-off", "северо-васток", "СВ"), run(4, "NE", 2)),
        ("корабль 4: курс севре 2", ("one-off", "севре", "С"), run(4, "N", 2)),
        ("корабль 4: стоять; огонь посли любой", ("one-off", "посли", "после"), stand(4, ANY_AFTER)),
        ("ship 4: cource NE 2", ("one-off", "cource", "курс"), run(4, "NE", 2)),
        ("корабль 4: огонь до по Джеку", ("part-name", "Джеку", "Чёрный Джек"), stand(4, shot("before", 6))),
        ("корабль 4: огонь до по Фелипе", ("part-name", "Фелипе", "Сан-Фелипе"), stand(4, shot("before", 1))),
        ("корабль 4: огонь до по Ч. Джеку", ("part-name", "Ч. Джеку", "Чёрный Джек"), stand(4, shot("before", 6))),
        (
            "корабль 4: огонь до по Морск. Волку",
            ("part-name", "Морск. Волку", "Морской Волк"),
            stand(4, shot("before", 8)),
        ),
        ("корабль 4: огонь до по San Felipe", ("translit", "San Felipe", "Сан-Фелипе"), stand(4, shot("before", 1))),
        ("Lastochkoy: СВ 2", ("translit", "Lastochkoy", "Ласточка"), run(5, "NE", 2)),
        ("4: курс SV 2", ("translit", "SV", "СВ"), run(4, "NE", 2)),
        ("4: огонь до по Сан-Фелиппе", ("one-off", "Сан-Фелиппе", "Сан-Фелипе"), stand(4, shot("before", 1))),
        ("4: огонь до по Черному Джэку", ("one-off", "Черному Джэку", "Чёрный Джек"), stand(4, shot("before", 6))),
        (
            "4: стоять; огонь после k.,jq, 1",
            ("layout", "k.,jq", "любой"),
            stand(4, Fire(when="after", targets=("any", 1))),
        ),
        ("4: курс .u 2", ("layout", ".u", "Ю"), run(4, "S", 2)),
        ('4: огонь до по "Xthyjve L;tre"', ("layout", "Xthyjve L;tre", "Чёрный Джек"), stand(4, shot("before", 6))),
        ("4: курс >D 3", ("layout", ">D", "ЮВ"), run(4, "SE", 3)),
        ("4: 0гонь до 1", ("lookalike", "0гонь", "огонь"), stand(4, shot("before", 1))),
        ("4: в0сток 2", ("lookalike", "в0сток", "В"), run(4, "E", 2)),
        ("4: огонь до З", ("lookalike", "З", "3"), stand(4, shot("before", 3))),
        ("4: огонь до I", ("lookalike", "I", "1"), stand(4, shot("before", 1))),
        ("4: огонь до 1 и б", ("lookalike", "б", "6"), stand(4, shot("before", 1, 6))),
        ("4: ЮВ З", ("lookalike", "З", "3"), run(4, "SE", 3)),
        ("4: прикз стоять", ("one-off", "прикз", "приказ"), stand(4)),  # a word that says nothing, shown all the same
    ],
)
def test_what_was_mended_is_shown(line: str, repair: tuple[str, str, str], order: Order) -> None:
    assert one_line(PIRATE, line) == [order]
    assert repairs(PIRATE, line) == [repair]


@pytest.mark.parametrize(
    ("line", "meant", "order"),
    [
        ("rjhf,km 4^ rehc >D 3$ jujym lj 1", "корабль 4: курс ЮВ 3; огонь до 1", run(4, "SE", 3, shot("before", 1))),
        ("rjhf,km 4: rehc >D 3", "корабль 4: курс ЮВ 3", run(4, "SE", 3)),
        ("Vtcnm^ cnjznm", "Месть: стоять", stand(4)),
        ("ыршз 4Ж сщгкыу ТУ 2ж ашку фаеук фтн", "ship 4: course NE 2; fire after any", run(4, "NE", 2, ANY_AFTER)),
    ],
)
def test_a_line_in_the_wrong_layout_is_read_and_shown(line: str, meant: str, order: Order) -> None:
    assert one_line(PIRATE, line) == [order]
    assert repairs(PIRATE, line) == [("layout", line, meant)]


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("Сан-Фелипе", 1),
        ("САНФЕЛИПЕ", 1),
        ("сан фелипе", 1),
        ("Санта-Марии", 2),
        ("Санта-Марию", 2),
        ("«Санта-Мария»", 2),
        ("Эспириту-Санто", 3),
        ("Мести", 4),
        ("Ласточке", 5),
        ("Чёрному Джеку", 6),
        ("Черному Джеку", 6),
        ("Чёрный Джек", 6),
        ("Фортуне", 7),
        ("Морскому Волку", 8),
        ("Аделаиде", 9),
        ("галиону «Сан-Фелипе»", 1),
        ("бригантине Фортуна", 7),
        ("кораблю №3", 3),
    ],
)
def test_targets_are_named_in_any_case(typed: str, number: int) -> None:
    assert one_line(PIRATE, f"корабль 4: огонь до по {typed}") == [stand(4, shot("before", number))]
    assert repairs(PIRATE, f"корабль 4: огонь до по {typed}") == []


def test_a_name_given_in_the_same_letter_is_known_at_once() -> None:
    view = at_sea("pirates-1", round=1)
    reading = read(view, (), ["имя 4: Вихрь", "Вихрем: курс СВ 2"], "ru")

    assert orders(reading) == [NameOrder(ship=4, name="Вихрь"), run(4, "NE", 2)]


def test_a_name_that_begins_like_an_order_does_not_swallow_one() -> None:
    view = at_sea("pirates-1", {4: {"name": "Курс СВ"}})

    assert one_line(view, "5: курс СВ 2") == [run(5, "NE", 2)]
    assert one_line(view, "«Курс СВ»: стоять") == [stand(4)]
    assert one_line(view, "Курс СВ: курс СВ 2") == [run(4, "NE", 2)]


# One ship, several ships, several lines -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("курс ЮВ 3; огонь до 4", run(3, "SE", 3, shot("before", 4))),
        ("ЮВ 3", run(3, "SE", 3)),
        ("ЮВ3", run(3, "SE", 3)),
        ("2 ЮВ", run(3, "SE", 2)),
        ("Стоять.", stand(3)),
        ("ремонт", ShipOrder(ship=3, repair=True)),
        ("огонь после любой", stand(3, ANY_AFTER)),
        ("1) курс ЮВ 3", run(3, "SE", 3)),
    ],
)
def test_the_only_ship_need_not_be_named(line: str, order: Order) -> None:
    assert one_line(ALONE, line) == [order]
    assert [note.key for note in notes(read(ALONE, (), [line], "ru"), "repaired")] == ["only-ship"]


def test_one_line_may_order_several_ships() -> None:
    assert one_line(PIRATE, "корабли 4 и 5: курс СВ 2") == [run(4, "NE", 2), run(5, "NE", 2)]
    assert one_line(PIRATE, "4: СВ 2; 5: стоять; огонь после любой") == [run(4, "NE", 2), stand(5, ANY_AFTER)]
    assert one_line(PIRATE, "4: стоять. залп А: 4,5 по 1 до") == [
        stand(4),
        VolleyOrder(name="a", ships=(4, 5), targets=(1,), when="before"),
    ]


@pytest.mark.parametrize(
    "line", ["все: стоять", "Все корабли: стоять.", "оба — стоять", "all ships: stand", "both stand"]
)
def test_one_line_may_order_all_ships(line: str) -> None:
    assert one_line(PIRATE, line) == [stand(4), stand(5)]


def test_a_line_of_several_orders_is_refused_whole() -> None:
    reading = read(PIRATE, (), ["4: СВ 2; корабль 1: стоять"], "ru")

    assert (reading.orders, reading.sheet) == ((), ())
    assert [complaint.key for complaint in reading.complaints] == ["not-your-ship"]


@pytest.mark.parametrize(
    ("lines", "order", "used"),
    [
        (["корабль 4: курс СВ 2; огонь", "после любой"], run(4, "NE", 2, ANY_AFTER), (0, 1)),
        (["корабль 4: курс СВ 2;", "огонь после любой"], run(4, "NE", 2, ANY_AFTER), (0, 1)),
        (["Корабль 4:", "курс СВ 2", "огонь после любой"], run(4, "NE", 2, ANY_AFTER), (0, 1, 2)),
        (["корабль 4: огонь после 1,", "2"], stand(4, shot("after", 1, 2)), (0, 1)),
        (["корабль 4: курс северо-", "восток 2"], run(4, "NE", 2), (0, 1)),
        (["корабль 4: курс СВ 2 # к берегу", "огонь после любой // пусть знают"], run(4, "NE", 2, ANY_AFTER), (0, 1)),
        (["- корабль 4:", "  - курс СВ 2", "  - огонь после любой"], run(4, "NE", 2, ANY_AFTER), (0, 1, 2)),
    ],
)
def test_an_order_broken_over_lines_is_read_as_one(lines: list[str], order: Order, used: tuple[int, ...]) -> None:
    reading = read(PIRATE, (), [*lines, "Всем привет!"], "ru")

    assert orders(reading) == [order]
    assert [one.lines for one in reading.orders] == [used]
    assert [(note.key, note.facts["lines"]) for note in notes(reading, "repaired")] == [("joined", len(used))]
    assert reading.prose == (len(lines),)


def test_a_line_that_goes_on_with_a_refused_one_is_not_given_to_another_ship() -> None:
    reading = read(ALONE, (), ["корабль 1: курс ЮВ 2", "огонь до 4"], "ru")

    assert reading.sheet == ()
    assert [(complaint.key, complaint.lines) for complaint in reading.complaints] == [("not-your-ship", (0, 1))]


@pytest.mark.parametrize("line", ["1) 2: СВ 2", "1. корабль 2: СВ 2", "1) Санта-Мария СВ 2", "1) 2 СВ 2"])
def test_the_number_of_a_list_is_not_taken_for_a_ship(line: str) -> None:
    assert one_line(at_sea("spain-1"), line) == [run(2, "NE", 2)]


def test_the_number_of_a_list_is_the_ship_if_the_line_names_none() -> None:
    assert one_line(at_sea("spain-1"), "2) СВ 2; огонь после любой") == [run(2, "NE", 2, ANY_AFTER)]


def test_a_comment_is_never_an_order() -> None:
    assert one_line(PIRATE, "4: огонь до 1 # 2 тоже можно") == [stand(4, shot("before", 1))]
    assert one_line(PIRATE, "4: огонь до 1 #2") == [stand(4, shot("before", 1, 2))]
    assert one_line(PIRATE, "4: СВ 2 //и огонь до 1") == [run(4, "NE", 2)]


def test_orders_on_lines_of_their_own_are_not_joined() -> None:
    reading = read(PIRATE, (), ["корабль 4: стоять", "корабль 5: стоять", "", "корабль 4: СВ 2"], "ru")

    assert orders(reading) == [stand(4), stand(5), run(4, "NE", 2)]
    assert [one.lines for one in reading.orders] == [(0,), (1,), (3,)]


# Turning runs ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "bends"),
    [
        ("4: курс ЮВ ЮВ В", ("SE", "SE", "E")),
        ("4: курс ЮВ, ЮВ, В", ("SE", "SE", "E")),
        ("4: ЮВ-ЮВ-В", ("SE", "SE", "E")),
        ("ship 4: course SE SE E", ("SE", "SE", "E")),
        ("4: юго-восток восток", ("SE", "E")),
        ("4: норд-ост", ("NE",)),
        ("4: ЮВ 2", ("SE", "SE")),
        ("4: ЮВ 2 В 1", ("SE", "SE", "E")),
        ("4: ЮВ", ("SE",)),
    ],
)
def test_courses_are_listed_when_runs_may_turn(line: str, bends: tuple[Rhumb, ...]) -> None:
    assert one_line(playing("pirates-1", bend="yes"), line) == [ShipOrder(ship=4, bends=bends)]


def test_two_words_may_be_one_course_or_two_when_runs_may_turn() -> None:
    view = playing("pirates-1", bend="yes")
    (complaint,) = read(view, (), ["4: норд ост"], "ru").complaints

    assert (complaint.kind, complaint.key) == ("ambiguous", "two-readings")
    assert complaint.suggestions == ("корабль 4: курс СВ", "корабль 4: курс С В")
    assert one_line(PIRATE, "4: норд ост 2") == [run(4, "NE", 2)]


def test_no_cells_is_standing() -> None:
    reading = read(PIRATE, (), ["4: курс СВ 0"], "ru")

    assert orders(reading) == [stand(4)]
    assert [note.key for note in notes(reading, "repaired")] == ["zero"]


def test_a_line_too_long_to_be_remembered_is_read_like_a_short_one() -> None:
    targets = " ".join(["1", "2"] * 30)

    line = f"корабль 4: курс ЮВ 2; огонь до {targets}"

    assert read(PIRATE, (), [line], "ru").sheet == (run(4, "SE", 2, shot("before", 1, 2)),)


def test_lines_of_one_shape_keep_their_own_words() -> None:
    reading = read(PIRATE, (), ["корабль 4: курс ЮВ 2", "ship 5: course N 1"], "ru")

    assert reading.sheet == (run(4, "SE", 2), run(5, "N", 1))


@pytest.mark.parametrize(
    ("lost", "whole"),
    [
        ("?Ласточка?: СВ 3", "«Ласточка»: СВ 3"),
        ("Месть ? СЗ 2", "Месть — СЗ 2"),
        (
            "?Ласточка?: СВ 3, огонь после, цель ? ?Эспириту-Санто?",
            "«Ласточка»: СВ 3, огонь после, цель — «Эспириту-Санто»",
        ),
        (
            '"Ласточка": СВ 3, огонь после, цель - "Эспириту-Санто"',
            "«Ласточка»: СВ 3, огонь после, цель — «Эспириту-Санто»",
        ),
        ("Ласточка: СВ 3, огонь после, цель  Эспириту-Санто", "«Ласточка»: СВ 3, огонь после, цель — «Эспириту-Санто»"),
    ],
)
def test_signs_that_a_charset_lacks_are_read_from_what_stands_for_them(lost: str, whole: str) -> None:
    assert one_line(PIRATE, lost) == one_line(PIRATE, whole)


@pytest.mark.parametrize("line", ["Ласточка: СВ 3?", "где Ласточка?", "Ласточка: СВ 3 ?!"])
def test_a_question_is_no_order(line: str) -> None:
    assert read(PIRATE, (), [line], "ru").orders == ()
