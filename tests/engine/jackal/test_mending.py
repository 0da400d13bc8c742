"""Mistyped lines of «Шакал» are mended where exactly one legal order is meant, and shown; else ways out are offered."""

from __future__ import annotations

import pytest

from engine.core.contract import Reading
from engine.core.registry import ruleset
from tests.engine.jackal.test_orders import asked, view_of

RULES = ruleset("jackal")
POSITION = "W1 F6, coin@F6, F7 = a1s, G5 = croc closed"


def read(line: str, position: str = POSITION, mode: str = "round") -> Reading:
    return RULES.read(view_of(position, mode=mode), (), line.split("\n"), "ru")


def written(reading: Reading, position: str = POSITION) -> list[str]:
    return [RULES.write(one.order, "ru", view_of(position)) for one in reading.orders]


@pytest.mark.parametrize(
    "line",
    [
        "Б 1 на G6",
        "Б1 на G 6",
        "Б1 G6",
        "Б1: G6",
        "Б1 в G6",
        "Б1 идёт на G6.",
        "- Б1 на G6",
        "1. Б1 на G6",
        "\u200bБ1 на G6",
    ],
)
def test_ways_of_writing_are_no_repair(line: str) -> None:
    reading = read(line)

    assert written(reading) == ["Б1 на G6"]
    assert [note.key for one in reading.orders for note in one.notes] == []


@pytest.mark.parametrize(
    ("line", "order", "key", "facts"),
    [
        ("Б1 на Г6", "Б1 на G6", "translit", {"typed": "Г6", "read": "G6"}),
        ("Б1 на П6", "Б1 на G6", "layout", {"typed": "П6", "read": "G6"}),
        ("Б1 на G6 +манета", "Б1 на G6 +монета", "one-off", {"typed": "манета", "read": "монета"}),
        ("Б1 на G6 (стелка: С)", "Б1 на G6 (стрелка: С)", "one-off", {"typed": "стелка", "read": "стрелка"}),
        ("rjh d", "КОР В", "layout", {"typed": "rjh d", "read": "кор в"}),
        ("полтика: стрелка = С", "политика: стрелка = С", "one-off", {"typed": "полтика", "read": "политика"}),
        ("политика: стрелка = к закрытм", "политика: стрелка = к закрытым", "one-off", None),
    ],
)
def test_mistyped_word_is_mended_and_shown(line: str, order: str, key: str, facts: dict[str, str] | None) -> None:
    reading = read(line)
    notes = [note for one in reading.orders for note in one.notes]

    assert written(reading) == [order]
    assert [(note.kind, note.key) for note in notes] == [("repaired", key)]
    assert facts is None or notes[0].facts == facts


def test_what_is_mended_must_be_legal_now() -> None:
    reading = read("Б1 на Г9")

    assert (reading.orders, [one.key for one in reading.complaints]) == ((), ["no-cell"])
    assert reading.complaints[0].suggestions[0].startswith("Б1 на ")


def test_end_by_consent_is_never_guessed() -> None:
    assert read("завершам").orders == ()
    assert read("завершаем").orders != ()


@pytest.mark.parametrize("line", ["Добрый день, вот приказ на ход 5", "завтра пришлю 2 приказа", "С уважением, Анна"])
def test_prose_stays_prose(line: str) -> None:
    assert read(line).prose == (0,)


def test_refused_line_offers_legal_ones_for_the_same_man_nearest_first() -> None:
    reading = read("Б1 на H8", mode="strict")

    assert [(one.key, one.suggestions) for one in reading.complaints] == [
        ("not-a-neighbour", ("Б1 на G7", "Б1 на G7 +монета", "Б1 на G6"))
    ]


def test_man_of_another_colour_is_refused_with_what_was_likely_meant() -> None:
    reading = read("B1 на G6")

    assert [(one.kind, one.key) for one in reading.complaints] == [("not-allowed", "not-yours")]
    assert reading.complaints[0].suggestions[0] == "Б1 на G6"


def test_receipt_shows_the_path_over_open_tiles() -> None:
    notes = read("Б1 на F7").orders[0].notes

    assert [(note.key, note.facts) for note in notes] == [("path", {"cells": ("F6", "F7", "G7"), "closed": False})]


def test_receipt_warns_of_death_and_of_a_lost_load() -> None:
    notes = read("Б1 на G6 +монета !", "W1 F6, coin@F6, G6 = cannibal").orders[0].notes

    assert [note.key for note in notes] == ["dies", "loses"]


def test_replaced_order_is_named() -> None:
    view = view_of(POSITION)
    sheet = RULES.read(view, (), ("Б1 на G6",), "ru").sheet
    notes = RULES.read(view, sheet, ("Б1 на F5",), "ru").orders[0].notes

    assert [(note.kind, note.facts) for note in notes] == [("drops", {"order": "Б1 на G6"})]


@pytest.mark.parametrize(
    ("what", "facts", "line", "answer"),
    [
        ("plane", {"cells": ("F2", "G1"), "stays": True}, "остатся", "остаться"),
        ("plane", {"cells": ("F2", "G1"), "stays": True}, "П1", "G1"),
        ("lighthouse", {"number": 2}, "Н3, Ш3", "H3, I3"),
    ],
)
def test_mistyped_answer_is_mended(what: str, facts: dict[str, object], line: str, answer: str) -> None:
    view = asked(what, facts)

    assert [RULES.write(one.order, "ru", view) for one in RULES.read(view, (), (line,), "ru").orders] == [answer]
