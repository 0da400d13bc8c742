"""Drawings as pictures: SVG for those who want the file, a small palette PNG for the letter itself."""

from __future__ import annotations

import io
import re
from functools import lru_cache
from importlib.resources import as_file, files
from typing import Final

import resvg_py
from PIL import Image

from engine.core.drawing import Drawing, Translate, svg

LARGEST: Final = 60_000
"""Bytes of a map in a letter (play-by-mail 5)."""

FONTS: Final = ("PTSerif-Regular.ttf", "PTSerif-Italic.ttf", "PTSerif-Bold.ttf")
"""The project's own faces: without a font that has Cyrillic words vanish from a picture and nobody is told."""

_BASE_COLOURS: Final = (24, 20, 16, 12, 8, 4)
"""How many mixed colours a palette has beside the pure ones of the drawing, best first."""

_COLOUR: Final = re.compile(r"#([0-9a-f]{6})\b")


def png(drawing: Drawing, translate: Translate, width: int = 0) -> bytes:
    """Return a drawing as a palette PNG of at most `LARGEST` bytes, ``width`` pixels wide (its own width if 0).

    The base is painted once for each board, language and size, and kept. Painting holds the interpreter lock for the
    whole call, so it belongs into a worker process. Raises ValueError for a drawing that no palette makes small enough.
    """
    size = width or drawing.width
    base, overlay = svg(drawing, translate, "base"), svg(drawing, translate, "overlay")
    whole = _painted(base, size).copy()
    whole.alpha_composite(_paint(overlay, size))
    picture = whole.convert("RGB")
    inks = tuple(dict.fromkeys(_COLOUR.findall(base + overlay)))
    made = b""
    for colours in _BASE_COLOURS:
        made = _saved(picture, _palette(base, size, colours, inks))
        if len(made) <= LARGEST:
            return made
    raise ValueError(f"a map of {len(made)} bytes is too large for a letter")


@lru_cache(maxsize=16)
def _painted(document: str, width: int) -> Image.Image:
    return _paint(document, width)


def _paint(document: str, width: int) -> Image.Image:
    made = resvg_py.svg_to_bytes(
        svg_string=document,
        width=width,
        skip_system_fonts=True,
        font_files=list(_font_files()),
        font_family="PT Serif",
        serif_family="PT Serif",
    )
    return Image.open(io.BytesIO(bytes(made))).convert("RGBA")


@lru_cache(maxsize=1)
def _font_files() -> tuple[str, ...]:
    folder = files("templates") / "fonts"
    paths = []
    for name in FONTS:
        with as_file(folder / name) as path:
            if not path.is_file():
                raise FileNotFoundError(f"the font {name!r} is not installed with the templates")
            paths.append(str(path))
    return tuple(paths)


@lru_cache(maxsize=64)
def _palette(base: str, width: int, colours: int, inks: tuple[str, ...]) -> Image.Image:
    """Return a palette of the chief colours of the painted base and the pure colours of the drawing."""
    picture = _painted(base, width).convert("RGB")
    chief = picture.quantize(colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).getpalette() or []
    pure = [part for ink in inks[: 255 - colours] for part in bytes.fromhex(ink)]
    palette = Image.new("P", (1, 1))
    palette.putpalette(chief[: colours * 3] + pure)
    return palette


def _saved(picture: Image.Image, palette: Image.Image) -> bytes:
    file = io.BytesIO()
    picture.quantize(palette=palette, dither=Image.Dither.NONE).save(file, "PNG", compress_level=9)
    return file.getvalue()
