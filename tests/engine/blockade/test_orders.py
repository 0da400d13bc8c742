"""The order language of «Блокада» in both languages: steps, parts, squares, P and its twin, what is mended (2.5)."""

from __future__ import annotations

import pytest

from engine.blockade.commands import (
    BlockadeOrder,
    CornerOrder,
    DashOrder,
    FireOrder,
    HarbourOrder,
    LayoutOrder,
    LineOrder,
    PlanOrder,
    SideOrder,
    TurnOrder,
)
from engine.blockade.layout import EXAMPLE
from engine.core.contract import Language
from tests.engine.blockade.positions import RULES, reads, seen

PLAN = PlanOrder(steps="=sp")


@pytest.mark.parametrize(
    "line",
    [
        "план: = П Л",
        "план: =ПЛ",
        "план =пл",
        "ПЛАН: - П Л",
        "план: – п, л",
        "план: прямо вправо влево",
        "план: прямо, направо, налево.",
        "курс: = П Л",
        "* план: = П Л",
        "1) план: = П Л",
        "2. план: = П Л!",
        "план: = П Л # вправо и назад",
        "план: = П Л // так вернее",
        "план - = П Л",
        "план: прямо; вправо; влево",
        "=ПЛ",
        "plan: = s p",
        "plan: =sp",
        "Plan =SP",
        "plan: straight starboard port",
        "plan: ahead, right, left",
        "plan: = s Р",
        "=SP",
        "план: = s Л",
    ],
)
def test_plan_is_read_as_people_write_it(line: str) -> None:
    reading = reads(line)

    assert [one.order for one in reading.orders] == [PLAN], reading
    assert [note.kind for one in reading.orders for note in one.notes] == []


@pytest.mark.parametrize("letter", ["P", "Р", "p", "р"])
@pytest.mark.parametrize("head", ["план:", "рывок: ==", "доворот:"])
def test_p_after_a_russian_keyword_is_refused_with_both_readings(head: str, letter: str) -> None:
    reading = reads(f"{head} {letter}")

    [complaint] = reading.complaints
    assert (complaint.kind, complaint.key) == ("ambiguous", "port-or-starboard")
    assert complaint.place == (len(head) + 1, len(head) + 2)
    right, left = (reads(line).orders[0].order for line in complaint.suggestions)
    assert (right != left, reading.orders) == (True, ())
    assert all(not reads(line).complaints for line in complaint.suggestions)


def test_both_readings_are_those_of_starboard_and_port() -> None:
    [complaint] = reads("план: = P Л").complaints

    assert complaint.suggestions == ("план: = П Л", "план: = Л Л")


@pytest.mark.parametrize("line", ["план: P = Р", "план: P; =; p", "план: =; доворот: P; рывок: PР=P", "план: Ｐ P"])
def test_both_readings_are_given_of_a_line_with_several_p(line: str) -> None:
    [complaint] = reads(line).complaints

    assert complaint.key == "port-or-starboard"
    assert len(complaint.suggestions) == 2
    assert all(not reads(line).complaints for line in complaint.suggestions)


def test_an_english_p_beside_it_stays_port() -> None:
    [complaint] = reads("план: P = P; turn: P").complaints

    assert complaint.suggestions == ("план: П = П; доворот: Л", "план: Л = Л; доворот: Л")


@pytest.mark.parametrize("letter", ["P", "Р", "p", "р"])
@pytest.mark.parametrize(("head", "order"), [("plan: = =", PlanOrder(steps="==p")), ("turn:", TurnOrder(turn="p"))])
def test_p_after_an_english_keyword_is_port(head: str, order: BlockadeOrder, letter: str) -> None:
    for language in ("ru", "en"):
        assert [one.order for one in reads(f"{head} {letter}", language).orders] == [order]


def test_bare_plan_with_p_goes_by_the_language_of_the_reader() -> None:
    assert [one.order for one in reads("=P=", "en").orders] == [PlanOrder(steps="=p=")]
    assert [one.key for one in reads("=P=", "ru").complaints] == ["port-or-starboard"]


@pytest.mark.parametrize(
    "line", ["===", "---", "= = =", "- привет", "P.S.", "пл", "-", "— Анна", "да", "нет", "no", "all"]
)
def test_rules_and_greetings_are_no_plans(line: str) -> None:
    assert reads(line).prose == (0,)


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("огонь все", FireOrder(fire="all")),
        ("огонь: всем", FireOrder(fire="all")),
        ("огонь не стрелять", FireOrder(fire="hold")),
        ("не стрелять", FireOrder(fire="hold")),
        ("fire all", FireOrder(fire="all")),
        ("fire: hold", FireOrder(fire="hold")),
        ("hold fire", FireOrder(fire="hold")),
        ("рывок: таран", DashOrder(dash="ram")),
        ("рывок: уход", DashOrder(dash="run")),
        ("рывок: =П==Л=", DashOrder(dash="=s==p=")),
        ("dash: ram", DashOrder(dash="ram")),
        ("dash: run", DashOrder(dash="run")),
        ("dash: =s==p=", DashOrder(dash="=s==p=")),
        ("доворот: авто", TurnOrder(turn="auto")),
        ("доворот: нет", TurnOrder(turn="none")),
        ("доворот П", TurnOrder(turn="s")),
        ("доворот: =", TurnOrder(turn="none")),
        ("turn: auto", TurnOrder(turn="auto")),
        ("turn: none", TurnOrder(turn="none")),
        ("turn: s", TurnOrder(turn="s")),
        ("рывок — таран", DashOrder(dash="ram")),
        ("рывок-уход", DashOrder(dash="run")),
        ("рывок: -П--Л-", DashOrder(dash="=s==p=")),
        ("огонь - все", FireOrder(fire="all")),
        ("dash - run", DashOrder(dash="run")),
    ],
)
def test_part_is_read(line: str, order: BlockadeOrder) -> None:
    assert [one.order for one in reads(line).orders] == [order]


@pytest.mark.parametrize(
    "line",
    [
        "план: = П Л; огонь все; рывок: =П==Л=; доворот: авто",
        "plan: = s p; fire all; dash: =s==p=; turn: auto",
        "план =ПЛ ; fire all; рывок =П==Л=; turn auto;",
        "план: = П Л, огонь все, рывок: =П==Л=, доворот: авто",
        "план =ПЛ огонь все рывок =П==Л= доворот авто",
    ],
)
def test_four_parts_stand_in_one_line(line: str) -> None:
    parts = (PLAN, FireOrder(fire="all"), DashOrder(dash="=s==p="), TurnOrder(turn="auto"))
    reading = reads(line)

    assert [one.order for one in reading.orders] == [LineOrder(parts=parts)]
    assert reading.sheet == parts


def test_later_line_replaces_only_the_parts_it_names() -> None:
    lines = ["план: ===; огонь все; доворот: авто", "огонь не стрелять"]
    reading = RULES.read(seen(), (), lines, "ru")

    assert reading.sheet == (PlanOrder(steps="==="), FireOrder(fire="hold"), TurnOrder(turn="auto"))
    assert [note.facts for note in reading.orders[1].notes] == [{"order": "огонь все"}]


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("сторона: прорыв", SideOrder(side="runner")),
        ("сторона блокада", SideOrder(side="blockader")),
        ("сторона: любая", SideOrder(side="any")),
        ("side: runner", SideOrder(side="runner")),
        ("side: any", SideOrder(side="any")),
        ("гавань L1", HarbourOrder(cell="L1")),
        ("гавань: М1", HarbourOrder(cell="M1")),
        ("гавань К 1", HarbourOrder(cell="K1")),
        ("harbor O1", HarbourOrder(cell="O1")),
        ("угол В23", CornerOrder(cell="B23")),
        ("угол Х24", CornerOrder(cell="X24")),
        ("corner C24", CornerOrder(cell="C24")),
        ("угол С24", CornerOrder(cell="C24")),
    ],
)
def test_set_up_is_read_and_cyrillic_twins_are_no_repair(line: str, order: BlockadeOrder) -> None:
    reading = reads(line, at=seen("stage sides"))

    assert [(one.order, one.notes) for one in reading.orders] == [(order, ())]


LAYOUT = LayoutOrder(islands=EXAMPLE[0], rocks=EXAMPLE[1])
LINES = (
    "остров Е8 F8 G8 G9 G10",
    "остров: К12, L11, L12-L13 - М12",
    "island Q9 R9 S9 T9 T10",
    "остров О17 Р17 Р18 Q18 Q19",
    "скала М5",
    "rock Н15",
)


def test_layout_is_one_piece_of_all_its_lines() -> None:
    at = seen("stage layout, toss first")
    reading = RULES.read(at, (), ["Вот мой расклад.", *LINES[:3], "", *LINES[3:], "Анна"], "ru")

    assert [(one.order, one.lines) for one in reading.orders] == [(LAYOUT, (1, 2, 3, 5, 6, 7))]
    assert (reading.complaints, reading.prose) == ((), (0, 4, 8))


def test_layout_line_that_a_mail_program_broke_is_joined() -> None:
    at = seen("stage layout, toss first")
    broken = RULES.write(LAYOUT, "ru")
    words = broken.split()
    lines = [" ".join(words[:9]), " ".join(words[9:19]), " ".join(words[19:])]

    assert [one.order for one in RULES.read(at, (), lines, "ru").orders] == [LAYOUT]


def test_layout_with_a_square_that_is_none_is_refused_as_a_whole() -> None:
    at = seen("stage layout, toss first")
    reading = RULES.read(at, (), [*LINES[:5], "скала Я99"], "ru")

    assert [(one.key, one.lines) for one in reading.complaints] == [("no-cell", (0, 1, 2, 3, 4, 5))]
    assert reading.sheet == ()


def test_refused_layout_names_its_squares_and_all_that_was_written() -> None:
    at = seen("stage layout, toss first")
    [complaint] = RULES.read(at, (), [*LINES[:5], "скала N6"], "ru").complaints

    assert complaint.key == "layout-too-near"
    assert complaint.facts == {
        "cells": ("M5", "N6"),
        "number": 0,
        "islands": tuple(tuple(cell for cell in island) for island in LAID),
        "rocks": ("M5", "N6"),
    }
    assert complaint.suggestions == ("расклад: случайный",)


LAID = (
    ("E8", "F8", "G8", "G9", "G10"),
    ("K12", "L11", "L12", "L13", "M12"),
    ("Q9", "R9", "S9", "T9", "T10"),
    ("O17", "P17", "P18", "Q18", "Q19"),
)


@pytest.mark.parametrize(
    ("typed", "order", "how"),
    [
        ("плна: = П Л", PLAN, "one-off"),
        ("огнь все", FireOrder(fire="all"), "one-off"),
        ("рывок: тарaн", DashOrder(dash="ram"), "lookalike"),
        ("rjdjhjn yt", None, ""),
        ("gkfy: = G K", PLAN, "layout"),
        ("ljdjhjn: fdnj", TurnOrder(turn="auto"), "layout"),
        ("зфдт", None, ""),
        ("dovorot: avto", TurnOrder(turn="auto"), "translit"),
        ("dash: rum", None, ""),
        ("turn: atuo", TurnOrder(turn="auto"), "one-off"),
    ],
)
def test_mistyped_line_is_mended_if_it_can_mean_one_thing(typed: str, order: BlockadeOrder | None, how: str) -> None:
    reading = reads(typed)
    found = [one.order for one in reading.orders]

    assert found == ([order] if order is not None else [])
    assert {note.key for one in reading.orders for note in one.notes} == ({how} if how else set())


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("план:", "no-steps"),
        ("план: = Ж", "no-step"),
        ("план: = П Л 3", "no-step"),
        ("огонь:", "no-fire"),
        ("рывок:", "no-dash"),
        ("доворот:", "no-turn"),
        ("доворот: П П", "one-turn"),
        ("план: ===; план: =", "part-twice"),
        ("план: ===; привет", "no-keyword"),
        ("сторона: прорыв", "set-up-over"),
        ("скала M5", "no-layout-now"),
    ],
)
def test_faulty_line_says_why(line: str, key: str) -> None:
    assert [one.key for one in reads(line).complaints] == [key]


@pytest.mark.parametrize(
    "line",
    [
        "Привет, капитан! Ветер сегодня в твою сторону.",
        "План у меня простой и дерзкий, жди",
        "Fire and brimstone upon you, old friend",
        "Увидимся в открытом море!",
        "",
    ],
)
def test_prose_is_prose(line: str) -> None:
    assert reads(line).prose == (0,)


def test_one_bad_part_refuses_its_line_and_offers_the_rest() -> None:
    reading = reads("план: ===; сторона: прорыв; огонь все")

    [complaint] = reading.complaints
    assert (complaint.key, complaint.suggestions) == ("set-up-over", ("план: = = =; огонь все",))


@pytest.mark.parametrize("language", ["ru", "en"])
def test_lines_written_are_those_of_the_page(language: Language) -> None:
    parts = (PLAN, FireOrder(fire="all"), DashOrder(dash="=s==p="), TurnOrder(turn="auto"))
    lines = {
        "ru": "план: = П Л; огонь все; рывок: =П==Л=; доворот: авто",
        "en": "plan: = s p; fire all; dash: =s==p=; turn: auto",
    }

    assert RULES.write(LineOrder(parts=parts), language) == lines[language]


def test_standing_orders_fill_the_parts_that_were_not_ordered() -> None:
    at = seen()
    standing = (FireOrder(fire="hold"), DashOrder(dash="run"), TurnOrder(turn="p"))
    sheet = (PLAN, FireOrder(fire="all"))

    assert RULES.merge(at, sheet, standing) == (PLAN, FireOrder(fire="all"), DashOrder(dash="run"), TurnOrder(turn="p"))


def test_who_orders_fire_alone_has_still_to_plan() -> None:
    at = seen()
    sheet = (FireOrder(fire="hold"),)

    assert RULES.silent(at, sheet) == (PlanOrder(steps="==="),)
    assert RULES.silent(seen("R L6 N disabled", steps=1), ()) == (FireOrder(fire="all"),)


def test_observer_orders_nothing() -> None:
    reading = reads("план: ===", at=seen(seat="public"))

    assert [one.key for one in reading.complaints] == ["no-seat"]
