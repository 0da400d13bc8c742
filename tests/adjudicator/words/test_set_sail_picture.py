"""The sheets of «Поднять паруса!» in the words of both languages, as a letter carries them."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from msgspec.structs import replace

from adjudicator.services.pictures import LARGEST, Picture
from adjudicator.words.environment import Phrases
from adjudicator.words.text import bare
from engine.core.contract import PUBLIC
from engine.core.drawing import Drawing, Label, Text
from engine.core.labels import text_width
from engine.set_sail.draw import draw
from engine.set_sail.draw.paper import WIDTH
from engine.set_sail.events import WoundTaken
from engine.set_sail.state import FATES, Forward, Pirate, Wound
from tests.adjudicator.words import voyage
from tests.adjudicator.words.voyage import ANNA, SAIL

Tongue = Literal["ru", "en"]
LANGUAGES: tuple[Tongue, ...] = ("ru", "en")


def words(language: Tongue, label: Label) -> str:
    return bare(Phrases(language, "set_sail")("label", label.key, label.facts, {}))


def everything() -> Any:
    """A campaign of eight with whatever can stand on a sheet."""
    state = voyage.position()
    wounds = (Wound(level="light", unspent=True), Wound(level="serious"), Wound(level="terrible"))
    status: Any = ("active", "out_of_scene", "dead")
    pirates = tuple(
        Pirate(
            seat=f"pirate-{number}",
            name="Максимилиан-Бартоломью Широкая Душа" if number % 2 else "",
            post="корабельный плотник",
            luck=number * 3,
            purse=number * 61,
            wounds=wounds[: number % 4],
            status=status[number % 3],
            der=-2,
            forward=(Forward(n=1, until="scene"),),
        )
        for number in range(1, 9)
    )
    return replace(
        state,
        roster=tuple(one.seat for one in pirates),
        pirates=pirates,
        players=(replace(state.players[0], struck=FATES),),
        ship=replace(state.ship, breakdown="deck", nav=0, disp=0),
    )


def drawn(seat: str) -> Drawing:
    return draw(SAIL.view(everything(), seat), (WoundTaken(rule="P11", seat="pirate-3", place=1, level="light"),))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seat", [ANNA, PUBLIC])
def test_every_word_of_the_sheets_stays_on_the_paper(seat: str, language: Tongue) -> None:
    drawing = drawn(seat)
    texts = [shape for shape in drawing.overlay if isinstance(shape, Text)]

    assert len(texts) > 60
    for text in texts:
        said = words(language, text.text) if isinstance(text.text, Label) else text.text
        assert said
        room = (WIDTH - 14 - text.x) if text.anchor == "start" else 100.0
        assert text_width(said, text.size) <= room * 1.12, said
    assert words(language, drawing.alt)
    assert all(words(language, label) for label in drawing.legend)


@pytest.mark.parametrize("language", LANGUAGES)
def test_sheets_of_eight_fit_a_letter_and_are_the_same_again(language: Tongue) -> None:
    one, other = (
        Picture(drawn(ANNA), lambda label: words(language, label), f"set_sail/{language}").png() for _ in range(2)
    )

    assert len(one) <= LARGEST
    assert one == other


def test_rows_tell_wounds_luck_and_who_is_gone() -> None:
    assert drawn(PUBLIC).rows[:4] == (
        "> Каракатица             0   1  -1      [===x  ] d  ??",
        "1 Максимилиан-Бартоло…  -2  +0  +0  +0  [/..] ~ ***",
        "2                       -2  +0  +0  +0  [/X.] + ******",
        "3 Максимилиан-Бартоло…  -2  +0  +0  +0  [/X#]   *********",
    )


def test_picture_for_the_public_holds_no_secret_of_the_crew() -> None:
    shown = "".join(str(shape) for shape in (*drawn(PUBLIC).overlay, *drawn(PUBLIC).legend, *drawn(PUBLIC).rows))

    assert "ростовщику" not in shown
    assert "рифе" not in shown
