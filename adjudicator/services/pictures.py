"""Drawings as pictures: SVG for those who want the file, a small palette PNG for the letter itself."""

from __future__ import annotations

import io
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

_PALETTES: Final = (48, 40, 32, 24, 16)


def png(drawing: Drawing, translate: Translate, width: int = 0) -> bytes:
    """Return a drawing as a palette PNG of at most `LARGEST` bytes, ``width`` pixels wide (its own width if 0).

    The base is painted once for each board, language and size, and kept: holds the interpreter lock for the whole call,
    so it belongs into a worker process. Raises ValueError for a drawing that no palette makes small enough.
    """
    base = svg(drawing, translate, "base")
    size = width or drawing.width
    whole = _painted(base, size).copy()
    overlay = _paint(svg(drawing, translate, "overlay"), size)
    whole.alpha_composite(overlay)
    return _small(whole.convert("RGB"))


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


def _small(picture: Image.Image) -> bytes:
    made = b""
    for colours in _PALETTES:
        file = io.BytesIO()
        palette = picture.quantize(colours, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
        palette.save(file, "PNG", compress_level=7)
        made = file.getvalue()
        if len(made) <= LARGEST:
            return made
    raise ValueError(f"a map of {len(made)} bytes is too large for a letter")
