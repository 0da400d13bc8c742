"""The picture of the island in the words of both languages, as a letter carries it."""

from __future__ import annotations

from typing import Literal

import msgspec
import pytest

from adjudicator.services.pictures import LARGEST, Picture
from adjudicator.services.render import Rendered, render
from adjudicator.words.environment import Phrases
from adjudicator.words.text import bare
from engine.core.contract import Event
from engine.core.drawing import Drawing, Label, Text
from engine.core.registry import ruleset
from engine.jackal.draw import draw, gallery
from engine.jackal.draw.changes import KEYS
from engine.jackal.draw.pieces import MARKS
from engine.jackal.events import Died, EarthQuaked, Moved, Peeked, Struck, TileOpened
from engine.jackal.notation import read_position
from engine.jackal.options import JackalOptions
from engine.jackal.tiles import KINDS
from tests.adjudicator.words import samples

Tongue = Literal["ru", "en"]
LANGUAGES: tuple[Tongue, ...] = ("ru", "en")
EDITION = {"jackal": "tl", "pirates": "golitsyn"}
SEATS = ["white", "yellow", "black", "red"]
EVENTS: tuple[Event, ...] = (
    Moved(rule="J3.1", unit="W1", start="F5", cell="F6", how="step"),
    TileOpened(rule="J3.3", cell="F6", tile="empty", rotation=0, unit="W1"),
    Struck(rule="J5.1", unit="R1", by="W1", cell="F6", ship="A7"),
    Died(rule="J7.1", unit="Y1", cell="K9", cause="loop"),
    EarthQuaked(rule="J8.19", cells=("C3", "D9")),
    Peeked(rule="J8.17", unit="W1", cells=("E4",)),
)


def words(language: Tongue, label: Label) -> str:
    return bare(Phrases(language, "jackal")("label", label.key, label.facts, {}))


def drawn(text: str, events: tuple[Event, ...] = ()) -> Drawing:
    rules = ruleset("jackal")
    state = read_position(text, JackalOptions(), SEATS, None)
    return draw(rules.view(state, "white"), events)


def position() -> str:
    """Return a position with every kind turned up and every state."""
    cells = [f"{column}{row}" for row in range(4, 11) for column in "DEFGHI"]
    kinds = [key for key in KINDS if not KINDS[key].exits and key != "empty"]
    tiles = ", ".join(f"{cell} = {key}" for cell, key in zip(cells, kinds, strict=False))
    return f"{tiles}, closed C3 C4, white knows C4, W1 L8 trapped, W2 L8 lost, W3 L8 drunk, MS red L8 converted"


def labels(drawing: Drawing) -> list[Label]:
    shapes = [*drawing.base, *drawing.overlay]
    return [shape.text for shape in shapes if isinstance(shape, Text) and isinstance(shape.text, Label)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_label_of_the_picture_has_words_that_fit(language: Tongue) -> None:
    drawing = drawn(position(), EVENTS)
    keys = {label.key for label in labels(drawing)}

    assert {"key-known"} | {f"key-{name}" for name, _ in MARKS} | {f"key-{name}" for name, _, _ in KEYS} <= keys
    assert all(0 < len(words(language, label)) <= 26 for label in labels(drawing))
    assert words(language, drawing.alt)


@pytest.mark.parametrize("language", LANGUAGES)
def test_picture_of_everything_fits_a_letter_and_is_the_same_again(language: Tongue) -> None:
    one, other = (
        Picture(drawn(position(), EVENTS), lambda label: words(language, label), f"jackal/{language}").png()
        for _ in range(2)
    )

    assert len(one) <= LARGEST
    assert one == other


@pytest.mark.parametrize("language", LANGUAGES)
def test_sheet_of_all_tiles_fits_a_letter(language: Tongue) -> None:
    sheet = gallery()

    assert words(language, sheet.alt)
    assert len(Picture(sheet, lambda label: words(language, label), f"jackal/{language}").png()) <= LARGEST


def rules_letter(language: Tongue, ruleset_name: str, topic: str) -> Rendered:
    head = msgspec.structs.replace(samples.HEAD, ruleset=ruleset_name, edition=EDITION[ruleset_name])
    asked = {"rules": {"topic": topic, "text": "**J1.1.** 13×13.\n"}}
    return render(
        msgspec.structs.replace(samples.receipt(language), head=head, lines=(), missing=(), view="", reply=asked)
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_bring_the_sheet_of_all_tiles(language: Tongue) -> None:
    letter = rules_letter(language, "jackal", "")

    assert [name for name, _ in letter.images] == ["tiles"]
    assert 'src="cid:tiles"' in letter.html


@pytest.mark.parametrize(("ruleset_name", "topic"), [("jackal", "J1.1"), ("pirates", "")])
def test_a_single_rule_and_a_game_without_tiles_bring_none(ruleset_name: str, topic: str) -> None:
    assert rules_letter("en", ruleset_name, topic).images == ()
