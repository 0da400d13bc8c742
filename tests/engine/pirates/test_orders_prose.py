"""What is said and not ordered: prose stays prose, hidden orders are pointed out, nothing makes the reader fall."""

from __future__ import annotations

import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.pirates.orders import read
from engine.pirates.orders.reading import LONGEST_LINE
from tests.engine.pirates.orders_position import at_sea, playing, set_up

PIRATE = at_sea("pirates-1")
ALONE = at_sea("spain-2")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "   ",
        "Привет!",
        "Здравствуйте, судья. Вот мои приказы:",
        "Месть будет страшной!",
        "Месть",
        "Золото моё будет!",
        "Курс доллара растёт.",
        "Завтра уезжаю на 4 дня, отвечу 12 мая.",
        "Удачи всем и попутного ветра",
        "Ласточка вчера свила гнездо под крышей.",
        "4 дня не было ветра",
        "12:30 буду дома",
        "Best regards, Anna",
        "I will be away on the 4th.",
        "See you in the north!",
        "Fire and fury!",
        "Ship ahoy!",
        "# корабль 4: стоять",
        "// корабль 4: стоять",
        "--",
        "* * *",
        "В общем, так.",
        "С уважением, Борис",
        "Порядок!",
        "Имя мне легион",
        "Стоит ли мне идти на север?",
        "Вопрос: огонь в штиль разрешён?",
        "Огонь батарея! Огонь батальон!",
        "Залп Авроры мы ещё услышим.",
        "Корабли постоят в порту 2 дня",
        "Кораблей у нас осталось 3, зато каких!",
        "Ремонт квартиры отнял 3 недели.",
        "P.S. Ласточка — самая быстрая.",
        "С 3 по 10 мая меня не будет",
        "Норд-ост крепчал",
        "в 3 часа дня",
    ],
)
@pytest.mark.parametrize("view", [PIRATE, ALONE], ids=["two ships", "one ship"])
def test_words_that_order_nothing_are_prose(view: object, line: str) -> None:
    reading = read(view, (), [line], "ru")  # type: ignore[arg-type]

    assert (reading.orders, reading.complaints, reading.prose) == ((), (), (0,))


@pytest.mark.parametrize(
    "line",
    [
        "курс кривой 3",
        "огонь по испанцам",
        "корабль Каракатица: СВ 2",
        "корабль Каракатица стоять",
        "Каракатица: СВ 2",
        "Месть: курс на закат",
        "корабль 4: полный вперёд",
        "корабль 4: стоять?",
        "корабль 4",
        "залп А",
        "залп А: те же",
        "золото: куда-нибудь",
        "стоять 5",
        "4: что-нибудь; стоять",
        "ship 4: hard to starboard",
    ],
)
@pytest.mark.parametrize("view", [PIRATE, ALONE], ids=["two ships", "one ship"])
def test_what_means_to_be_an_order_is_never_passed_over(view: object, line: str) -> None:
    reading = read(view, (), [line], "ru")  # type: ignore[arg-type]

    assert (reading.orders, reading.prose, len(reading.complaints)) == ((), (), 1)


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("я хотел сказать корабль 4: стоять", "корабль 4: стоять"),
        ("Ну что, 4: стоять", "4: стоять"),
        ("Думаю так: корабль 4: СВ 2; огонь после любой", "корабль 4: СВ 2; огонь после любой"),
        ("А ещё залп А: 4,5 по 1 до", "залп А: 4,5 по 1 до"),
        ("Please let ship 4: stand", "ship 4: stand"),
    ],
)
def test_an_order_inside_prose_is_pointed_out_and_not_carried_out(line: str, typed: str) -> None:
    reading = read(PIRATE, (), [line], "ru")
    (found,) = reading.complaints

    assert (reading.orders, reading.sheet) == ((), ())
    assert (found.kind, found.key, found.facts) == ("unread", "in-prose", {"typed": typed})
    assert found.place == (line.index(typed), len(line))
    assert len(found.suggestions) == 1


def test_a_line_too_long_to_read_is_refused_if_it_begins_like_an_order() -> None:
    order = "корабль 4: стоять; " + "огонь " * LONGEST_LINE
    prose = "Дорогие друзья, " * LONGEST_LINE
    reading = read(PIRATE, (), [order, prose], "ru")

    assert [(one.key, one.lines) for one in reading.complaints] == [("too-long", (0,))]
    assert reading.prose == (1,)


VOCABULARY = (
    "корабль 4 5 1 12 : ; , . - — курс СВ ЮВ 3 2 З С огонь до после по любой залп А нет стоять ремонт золото имя все "
    'порядок ship course fire NO no at before any Месть Джек Сан-Фелипе # // ? « " 99999999999 и затем Привет ещё два'
)
WORDS = st.sampled_from(VOCABULARY.split())


def classified(lines: list[str], view: object) -> None:
    reading = read(view, (), lines, "ru")  # type: ignore[arg-type]
    used = [set(one.lines) for one in (*reading.orders, *reading.complaints)]
    kinds = [
        {place for one in reading.orders for place in one.lines},
        {place for one in reading.complaints for place in one.lines},
        set(reading.prose),
    ]
    assert sorted(place for kind in kinds for place in kind) == list(range(len(lines)))
    assert all(lines_of for lines_of in used)
    for one in reading.complaints:
        if one.place is not None:
            start, end = one.place
            assert 0 <= start <= end <= len(lines[one.lines[0]])


@given(st.lists(st.lists(WORDS, max_size=12).map(" ".join), max_size=4))
@example(["корабль 4: курс", "СВ 2; огонь", "после", "любой"])
@settings(derandomize=True, max_examples=200, deadline=None)
def test_every_line_is_an_order_a_complaint_or_prose(lines: list[str]) -> None:
    for view in (PIRATE, ALONE, playing("pirates-1", bend="yes", shots="seat"), set_up("spain-1")):
        classified(lines, view)


@given(st.lists(st.text(max_size=80), max_size=3))
@settings(derandomize=True, max_examples=200, deadline=None)
def test_no_text_makes_the_reader_fall(lines: list[str]) -> None:
    classified(lines, PIRATE)


@pytest.mark.parametrize(
    "unit",
    ["4: ", "но no on ", "огонь до 1, ", "норд ост ", "залп ", "ааа ", "корабль 4: стоять; ", "- ", "3 ", "4 - "],
)
def test_long_lines_cost_no_more_than_their_length(unit: str) -> None:
    def calls(length: int) -> int:
        """Count the calls it takes to read a line: unlike seconds, they are the same on every machine."""
        lines = [("корабль 4: " + unit * length)[:length]]
        read(PIRATE, (), lines, "ru")  # fill the caches
        counted = 0

        def count(_frame: object, event: str, _argument: object) -> None:
            nonlocal counted
            counted += event == "call"

        sys.setprofile(count)
        try:
            read(PIRATE, (), lines, "ru")
        finally:
            sys.setprofile(None)
        return counted

    assert calls(LONGEST_LINE) < 2.5 * calls(LONGEST_LINE // 2) + 1000


def test_a_line_met_again_is_read_with_the_names_and_the_sight_of_now() -> None:
    line, other = "Молния: стоять", at_sea("pirates-1", {5: {"name": "Молния"}})

    assert [read(view, (), (line,), "ru").orders != () for view in (PIRATE, other, PIRATE)] == [False, True, False]
    assert [one.order.slot for one in read(other, (), (line,), "ru").orders] == ["ship5"]
    assert read(at_sea("spain-2", {5: {"name": "Молния"}}), (), (line,), "ru").orders == ()
