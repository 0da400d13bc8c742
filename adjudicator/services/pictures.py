"""Drawings as pictures: SVG for those who want the file, a small palette PNG for the letter itself."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files
from typing import Final

import resvg_py
from PIL import Image

from engine.core.drawing import Drawing, Translate, document, layer

LARGEST: Final = 60_000
"""Bytes of a map in a letter (play-by-mail 5)."""

FONTS: Final = ("PTSerif-Regular.ttf", "PTSerif-Italic.ttf", "PTSerif-Bold.ttf")
"""The project's own faces: without a font that has Cyrillic words vanish from a picture and nobody is told."""

_SAVINGS: Final = ((16, 8), (12, 8), (8, 9), (4, 9))
"""Palettes, the handsomest first: mixed colours beside the pure ones of the drawing, and how hard to compress."""

_SHRINKING: Final = (1.0, 0.92, 0.85, 0.78, 0.7, 0.6, 0.5)
"""Sizes a picture is made in until it is small enough; a letter shows it in the breadth it has."""

_COLOUR: Final = re.compile(r"#([0-9a-f]{6})\b")


class Picture:
    """A drawing in a reader's words: the SVG document, and the PNG painted from the same layers."""

    def __init__(self, drawing: Drawing, translate: Translate, tongue: str) -> None:
        """Write the layers; ``tongue`` names what ``translate`` speaks, so that a base is written once for each."""
        self._size = (drawing.width, drawing.height)
        self._base = _written(_Base(drawing, translate, tongue))
        self._overlay = layer(drawing, translate, "overlay")
        self.svg = document(drawing, translate, self._base + self._overlay)

    def png(self) -> bytes:
        """Return a palette PNG of at most `LARGEST` bytes, the same for the same layers.

        The base is painted once for each board and language, and kept. Painting holds the interpreter lock for the
        whole call, so it belongs into a worker process. A picture too rich for every palette is made smaller. Raises
        ValueError if that does not do either.
        """
        return _png(self._base, self._overlay, self._size)


@dataclass(frozen=True, eq=False)
class _Base:
    """The base of a drawing, known by identity: a ruleset makes a board's base once and keeps it."""

    drawing: Drawing
    translate: Translate
    tongue: str

    def __hash__(self) -> int:
        return hash((id(self.drawing.base), self.tongue))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Base) and self.drawing.base is other.drawing.base and self.tongue == other.tongue


@lru_cache(maxsize=32)
def _written(base: _Base) -> str:
    return layer(base.drawing, base.translate, "base")


@lru_cache(maxsize=16)
def _png(base: str, overlay: str, size: tuple[int, int]) -> bytes:
    inks = tuple(dict.fromkeys(_COLOUR.findall(base + overlay)))
    made = b""
    for share in _SHRINKING:
        whole = _painted(base, size, share).copy()
        whole.alpha_composite(_paint(overlay, size, share))
        picture = whole.convert("RGB")
        for colours, effort in _SAVINGS:
            made = _saved(picture, _palette(base, size, colours, inks), effort)
            if len(made) <= LARGEST:
                return made
    raise ValueError(f"a map of {len(made)} bytes is too large for a letter")


@lru_cache(maxsize=16)
def _painted(layers: str, size: tuple[int, int], share: float) -> Image.Image:
    return _paint(layers, size, share)


def _paint(layers: str, size: tuple[int, int], share: float) -> Image.Image:
    width, height = size
    box = f'viewBox="0 0 {width} {height}" width="{round(width * share)}" height="{round(height * share)}"'
    made = resvg_py.svg_to_bytes(
        svg_string=f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{layers}</svg>',
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
def _palette(base: str, size: tuple[int, int], colours: int, inks: tuple[str, ...]) -> Image.Image:
    """Return a palette of the chief colours of the painted base and the pure colours of the drawing."""
    picture = _painted(base, size, 1.0).convert("RGB")
    chief = picture.quantize(colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).getpalette() or []
    pure = [part for ink in inks[: 255 - colours] for part in bytes.fromhex(ink)]
    palette = Image.new("P", (1, 1))
    palette.putpalette(chief[: colours * 3] + pure)
    return palette


def _saved(picture: Image.Image, palette: Image.Image, effort: int) -> bytes:
    file = io.BytesIO()
    picture.quantize(palette=palette, dither=Image.Dither.NONE).save(file, "PNG", compress_level=effort)
    return file.getvalue()
