"""The chart of «Блокада» in the words of both languages, as a letter carries it."""

from __future__ import annotations

from typing import get_args

import pytest

from adjudicator.services.pictures import LARGEST, Picture
from adjudicator.services.render import render
from adjudicator.words.environment import Phrases
from adjudicator.words.text import bare
from engine.blockade.draw import draw, fault
from engine.blockade.layout import Condition
from engine.core.contract import Complaint, Language
from engine.core.drawing import Circle, Drawing, Group, Label, Line, Polygon, Shape, Text, Use
from engine.core.registry import ruleset
from tests.adjudicator.words import blockading

LANGUAGES: tuple[Language, ...] = ("ru", "en")
BLOCKADE = ruleset("blockade")


def words(language: Language, label: Label) -> str:
    return bare(Phrases(language, "blockade")("label", label.key, label.facts, {}))


def drawn() -> Drawing:
    result = blockading.played()
    return draw(BLOCKADE.view(result.state, "first"), result.events)


def complaint(condition: str) -> Complaint:
    facts = {"islands": blockading.ISLANDS, "rocks": blockading.ROCKS, "cells": ("E8", "M5"), "number": 3}
    return Complaint(kind="not-allowed", key=f"layout-{condition}", lines=(0,), facts=facts)


def texts(drawing: Drawing) -> list[Text]:
    return [shape for shape in (*drawing.base, *drawing.overlay) if isinstance(shape, Text)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_label_of_the_chart_has_words_that_fit(language: Language) -> None:
    labels = [text.text for text in texts(drawn()) if isinstance(text.text, Label)]

    assert len(labels) > 12
    assert all(0 < len(words(language, label)) <= 22 for label in labels)
    assert words(language, drawn().alt)


@pytest.mark.parametrize("language", LANGUAGES)
def test_picture_is_as_broad_as_a_letter_shows_it_small_enough_and_the_same_again(language: Language) -> None:
    one, other = (
        Picture(drawn(), lambda label: words(language, label), f"blockade/{language}").png() for _ in range(2)
    )

    assert drawn().width <= 720
    assert len(one) <= LARGEST
    assert one == other


def test_every_shot_stands_with_its_die_its_line_and_its_arc() -> None:
    overlay = drawn().overlay
    dice = [shape.text for shape in overlay if isinstance(shape, Text) and shape.text in ("D4", "H2", "H1", "M")]
    arcs = [shape for shape in overlay if isinstance(shape, Polygon) and len(shape.points) > 8]

    assert sorted(map(str, dice)) == ["D4", "H1", "M"]
    assert len(arcs) == 3


def test_tracks_are_lines_and_a_dash_is_dotted() -> None:
    lines = [shape for shape in drawn().overlay if isinstance(shape, Line) and shape.pen.width == 3.2]

    assert [(len(line.points), bool(line.pen.dash)) for line in lines] == [(2, False), (3, False), (7, True)]


def test_ships_stand_with_their_bows_to_their_headings_and_a_ring_about_the_disabled() -> None:
    result = blockading.played()
    ships = {ship.piece: ship for ship in result.state.ships}  # type: ignore[attr-defined]
    uses = [shape for shape in drawn().overlay if isinstance(shape, Use)]
    turns = {use.symbol: use.turn for use in uses if use.scale == 1.0}

    assert (ships["runner"].heading, ships["blockader"].heading) == ("NW", "SE")
    assert (turns["runner"], turns["blockader"]) == (315, 135)
    assert "disabled" in turns


def test_text_map_has_24_columns_and_fits_a_fixed_face() -> None:
    rows = drawn().rows

    assert len(rows) == 26
    assert max(map(len, rows)) <= 51
    assert rows[1].startswith("24 ")
    assert "R↖" in rows[13]
    assert "B↘" in rows[12]
    assert "b0" in rows[11]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("condition", get_args(Condition))
def test_every_broken_condition_has_its_drawing_and_words(condition: str, language: Language) -> None:
    view = blockading.settled().state
    drawing = fault(BLOCKADE.view(view, "first"), complaint(condition))

    assert drawing is not None
    assert sum("!!" in row for row in drawing.rows) == 2
    assert all(words(language, label) for label in (drawing.alt, *drawing.legend))


def test_other_complaints_have_no_drawing() -> None:
    view = BLOCKADE.view(blockading.position(), "first")

    assert fault(view, Complaint(kind="unread", key="no-cell", lines=(0,))) is None
    assert fault(view, Complaint(kind="not-allowed", key="layout-both", lines=(0,))) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_orders_broader_than_a_letter_are_broken_at_their_semicolons(language: Language) -> None:
    text = render(blockading.accepted_layout(language)).text
    force = text.split("```")[0]

    assert max(map(len, text.splitlines())) <= 76
    assert "H15" in force


def flat(shapes: tuple[Shape, ...]) -> list[Shape]:
    return [one for shape in shapes for one in (flat(shape.shapes) if isinstance(shape, Group) else [shape])]


def test_key_explains_the_signs_that_are_drawn() -> None:
    key = {shape.symbol for shape in flat(drawn().base) if isinstance(shape, Use)}

    assert {"runner", "blockader", "rock", "disabled", "anchor"} <= key
    assert any(isinstance(shape, Circle) for shape in flat(drawn().base))
