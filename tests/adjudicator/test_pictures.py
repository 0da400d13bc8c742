"""Maps as pictures: the font, the palette, the size, the same in a worker process."""

from __future__ import annotations

import io
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from PIL import Image

from adjudicator.services import pictures
from adjudicator.services.pictures import LARGEST, Picture
from adjudicator.services.render import render
from engine.core.drawing import Drawing, Label, Pen, Rect, Text
from tests.adjudicator.words import samples


def painted(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


def sign(words: str, face: str = "roman") -> Drawing:
    text = Text(
        100,
        30,
        Label("words"),
        24,
        "#000000",
        face="bold" if face == "bold" else "italic" if face == "italic" else "roman",
    )
    return Drawing(200, 50, "#ffffff", (Rect(0, 0, 1, 1, Pen(fill="#ffffff")),), (text,), Label("alt"))


def ink(words: str, face: str = "roman") -> int:
    """Count the dark pixels of words painted alone."""
    picture = painted(Picture(sign(words, face), lambda _: words, words).png()).convert("L")
    return sum(picture.histogram()[:128])


@pytest.mark.parametrize("face", ["roman", "italic", "bold"])
@pytest.mark.parametrize("words", ["Кадикс", "Вера-Круз", "Щёлково", "Cádiz", "La Coruña", "№ 4 → «Ёж»"])
def test_labels_are_painted_with_the_projects_own_font(words: str, face: str) -> None:
    assert ink(words, face) > 100


def test_different_letters_are_painted_differently() -> None:
    assert len({ink(letter) for letter in "АБВГДЖ"}) == 6


def test_a_missing_font_is_an_error_not_a_picture_without_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "FONTS", ("PTSerif-Lost.ttf",))
    pictures._font_files.cache_clear()
    try:
        with pytest.raises(FileNotFoundError, match="PTSerif-Lost"):
            ink("Без шрифта")
    finally:
        pictures._font_files.cache_clear()


def test_map_is_a_small_palette_picture_on_its_own_light_paper() -> None:
    data = render(samples.report("ru")).images[0][1]
    picture = painted(data)

    assert (picture.format, picture.mode, picture.size) == ("PNG", "P", (1132, 673))
    assert len(data) <= LARGEST
    assert picture.info.get("transparency") is None
    assert all(part > 200 for part in picture.convert("RGB").getpixel((3, 3)))


def test_labels_of_the_map_differ_between_languages_and_only_there() -> None:
    russian, english = (
        painted(render(samples.report(language)).images[0][1]).convert("L") for language in ("ru", "en")
    )
    port, open_sea = (50, 505, 112, 522), (500, 500, 640, 515)

    assert russian.crop(port).tobytes() != english.crop(port).tobytes()
    assert russian.crop(open_sea).tobytes() == english.crop(open_sea).tobytes()


def test_picture_too_rich_for_any_palette_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "LARGEST", 10)

    with pytest.raises(ValueError, match="too large for a letter"):
        Picture(sign("Слишком"), lambda _: "Слишком", "rich").png()


def test_picture_too_rich_for_any_palette_is_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Picture(sign("Тесно"), lambda _: "Тесно", "smaller").png()
    monkeypatch.setattr(pictures, "LARGEST", len(whole) - 1)
    pictures._png.cache_clear()

    smaller = Picture(sign("Тесно"), lambda _: "Тесно", "smaller").png()

    assert (painted(whole).size, painted(smaller).size) == ((200, 50), (170, 42))
    assert len(smaller) < len(whole)


def test_letters_are_rendered_alike_in_a_worker_process() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        there = pool.submit(render, samples.report("ru")).result()

    assert there == render(samples.report("ru"))
