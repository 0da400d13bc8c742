"""A board drawn once, as shapes and labels without words, for SVG, PNG and text alike."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final, Literal, TypeAlias
from xml.sax.saxutils import escape, quoteattr

from msgspec import field

from engine.core.contract import Language, Value

Point: TypeAlias = tuple[float, float]
"""Right and down, in units of the drawing."""


class Label(Value, frozen=True):
    """Words on a drawing: the ``key`` of their phrase in the reader's language, and the ``facts`` that fill it."""

    key: str
    facts: dict[str, Any] = field(default_factory=dict)


Translate: TypeAlias = Callable[[Label], str]
"""Gives the words of a label in the reader's language."""


class Pen(Value, frozen=True):
    """How a shape is painted. Colours are ``#rrggbb``, a pattern of the drawing as ``url(#name)``, or ``none``."""

    fill: str = "none"
    stroke: str = "none"
    width: float = 1.0
    dash: tuple[float, ...] = ()
    opacity: float = 1.0


class Rect(Value, frozen=True, tag=True):
    """A rectangle by its upper left corner; ``rx`` rounds its corners."""

    x: float
    y: float
    width: float
    height: float
    pen: Pen = Pen()
    rx: float = 0.0


class Line(Value, frozen=True, tag=True):
    """An open line through points, with round joints."""

    points: tuple[Point, ...]
    pen: Pen = Pen()


class Polygon(Value, frozen=True, tag=True):
    """A closed figure."""

    points: tuple[Point, ...]
    pen: Pen = Pen()


class Region(Value, frozen=True, tag=True):
    """Closed rings painted as one figure; a ring inside another is a hole (even-odd)."""

    rings: tuple[tuple[Point, ...], ...]
    pen: Pen = Pen()


class Circle(Value, frozen=True, tag=True):
    """A circle about its centre."""

    x: float
    y: float
    r: float
    pen: Pen = Pen()


class Text(Value, frozen=True, tag=True):
    """Words at a point of their base line: a `Label` in the reader's language, or a literal (a number, a grid letter).

    ``halo`` is the colour of an outline that keeps the words legible over lines, "" for none.
    """

    x: float
    y: float
    text: Label | str
    size: float
    colour: str = "#000000"
    anchor: Literal["start", "middle", "end"] = "middle"
    face: Literal["roman", "italic", "bold"] = "roman"
    halo: str = ""
    turn: float = 0.0
    spacing: float = 0.0


class Group(Value, frozen=True, tag=True):
    """Shapes moved to a place, turned (degrees, clockwise) and scaled together."""

    shapes: tuple[Shape, ...]
    x: float = 0.0
    y: float = 0.0
    turn: float = 0.0
    scale: float = 1.0


class Use(Value, frozen=True, tag=True):
    """A `Symbol` of the drawing set down at a place, turned (degrees, clockwise) and scaled."""

    symbol: str
    x: float = 0.0
    y: float = 0.0
    turn: float = 0.0
    scale: float = 1.0


Shape: TypeAlias = Rect | Line | Polygon | Region | Circle | Text | Group | Use


class Symbol(Value, frozen=True):
    """Shapes about an origin that a drawing shows many times and holds once; no `Use` stands in it."""

    name: str
    shapes: tuple[Shape, ...]


class Pattern(Value, frozen=True):
    """A tile that fills figures: ``url(#name)``. ``turn`` tilts it in degrees."""

    name: str
    width: float
    height: float
    shapes: tuple[Shape, ...]
    turn: float = 0.0


Row: TypeAlias = str | dict[Language, str]


class Drawing(Value, frozen=True):
    """A board: what always stands on it (``base``), what changes from turn to turn (``overlay``), and the same as text.

    ``rows`` is the map for a fixed-width font, a row whose signs differ by language once for each; ``legend`` says what
    its signs mean and where the pieces stand; ``alt`` says in words what the picture shows. ``background`` is the
    paper: a drawing never lies on the mail program's own.
    """

    width: int
    height: int
    background: str
    base: tuple[Shape, ...]
    overlay: tuple[Shape, ...]
    alt: Label
    rows: tuple[Row, ...] = ()
    legend: tuple[Label, ...] = ()
    patterns: tuple[Pattern, ...] = ()
    symbols: tuple[Symbol, ...] = ()


# SVG ------------------------------------------------------------------------------------------------------------------

FACES: Final[dict[str, str]] = {
    "roman": 'font-weight="400"',
    "italic": 'font-style="italic"',
    "bold": 'font-weight="700"',
}
FAMILY: Final = "PT Serif, Georgia, 'Times New Roman', serif"
_OVER: Final = "over-"
"""Stands before the names of symbols in the overlay."""
_PAINT: Final = re.compile(r"none|#[0-9a-fA-F]{6}|url\(#[a-z0-9-]+\)")


Layer: TypeAlias = Literal["base", "overlay"]


def svg(drawing: Drawing, translate: Translate) -> str:
    """Return the drawing as an SVG document; all words are escaped. Raises ValueError for a colour that is not one."""
    return document(drawing, translate, layer(drawing, translate, "base") + layer(drawing, translate, "overlay"))


def layer(drawing: Drawing, translate: Translate, name: Layer) -> str:
    """Return one layer as SVG elements, so that the base can be written once for many turns.

    Each layer brings the symbols it uses, those of the overlay under names of its own: it can be painted alone.
    Raises ValueError for a symbol that the drawing does not have.
    """
    if name == "overlay":
        symbols = _symbols(drawing.symbols, drawing.overlay, translate, _OVER)
        return f"{f'<defs>{symbols}</defs>' if symbols else ''}{''.join(_shapes(drawing.overlay, translate, _OVER))}"
    patterns = "".join(_pattern(pattern, translate) for pattern in drawing.patterns)
    symbols = _symbols(drawing.symbols, drawing.base, translate, "")
    paper = f'<rect width="{drawing.width}" height="{drawing.height}" fill="{_paint(drawing.background)}"/>'
    return f"<defs>{patterns}{symbols}</defs>{paper}{''.join(_shapes(drawing.base, translate))}"


def document(drawing: Drawing, translate: Translate, layers: str) -> str:
    """Return layers of a drawing as a document of its size."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {drawing.width} {drawing.height}" '
        f'width="{drawing.width}" height="{drawing.height}" font-family="{FAMILY}" role="img">'
        f"<title>{_text(translate(drawing.alt))}</title>{layers}</svg>\n"
    )


def _shapes(shapes: Iterable[Shape], translate: Translate, prefix: str = "") -> list[str]:
    return [_shape(shape, translate, prefix) for shape in shapes]


def _symbols(symbols: Iterable[Symbol], shapes: Iterable[Shape], translate: Translate, prefix: str) -> str:
    """Write the symbols that shapes use, in the order of the drawing."""
    wanted, known = _used(shapes), {symbol.name: symbol for symbol in symbols}
    if wanted - known.keys():
        raise ValueError(f"no such symbols in the drawing: {sorted(wanted - known.keys())!r}")
    return "".join(
        f"<g id={quoteattr(prefix + name)}>{''.join(_shapes(symbol.shapes, translate))}</g>"
        for name, symbol in known.items()
        if name in wanted
    )


def _used(shapes: Iterable[Shape]) -> frozenset[str]:
    found: set[str] = set()
    for shape in shapes:
        if isinstance(shape, Use):
            found.add(shape.symbol)
        elif isinstance(shape, Group):
            found |= _used(shape.shapes)
    return frozenset(found)


def _shape(shape: Shape, translate: Translate, prefix: str) -> str:
    match shape:
        case Rect():
            corner = f' rx="{_number(shape.rx)}"' if shape.rx else ""
            size = f'width="{_number(shape.width)}" height="{_number(shape.height)}"'
            return f'<rect x="{_number(shape.x)}" y="{_number(shape.y)}" {size}{corner}{_pen(shape.pen)}/>'
        case Line():
            joints = ' stroke-linecap="round" stroke-linejoin="round"'
            return f'<polyline points="{_points(shape.points)}"{joints}{_pen(shape.pen)}/>'
        case Polygon():
            return f'<polygon points="{_points(shape.points)}" stroke-linejoin="round"{_pen(shape.pen)}/>'
        case Region():
            rings = "".join(f"M{_points(ring)}Z" for ring in shape.rings)
            return f'<path d="{rings}" fill-rule="evenodd" stroke-linejoin="round"{_pen(shape.pen)}/>'
        case Circle():
            return f'<circle cx="{_number(shape.x)}" cy="{_number(shape.y)}" r="{_number(shape.r)}"{_pen(shape.pen)}/>'
        case Text():
            return _words(shape, translate)
        case Group():
            return f"<g{_place(shape)}>{''.join(_shapes(shape.shapes, translate, prefix))}</g>"
        case Use():
            return f"<use href={quoteattr('#' + prefix + shape.symbol)}{_place(shape)}/>"


def _words(text: Text, translate: Translate) -> str:
    words = translate(text.text) if isinstance(text.text, Label) else text.text
    marks = (
        f'text-anchor="{text.anchor}" font-size="{_number(text.size)}" fill="{_paint(text.colour)}" {FACES[text.face]}'
    )
    if text.spacing:
        marks += f' letter-spacing="{_number(text.spacing)}"'
    if text.turn:
        marks += f' transform="rotate({_number(text.turn)} {_number(text.x)} {_number(text.y)})"'
    place = f'x="{_number(text.x)}" y="{_number(text.y)}"'
    body = f"<text {place} {marks}>{_text(words)}</text>"
    if not text.halo:
        return body
    # Not every painter knows paint-order, so the outline is painted first, under the words.
    outline = f'stroke="{_paint(text.halo)}" stroke-width="{_number(text.size / 4)}" stroke-linejoin="round"'
    return f"<text {place} {marks} {outline}>{_text(words)}</text>{body}"


def _pen(pen: Pen) -> str:
    out = f' fill="{_paint(pen.fill)}"'
    if pen.stroke != "none":
        out += f' stroke="{_paint(pen.stroke)}" stroke-width="{_number(pen.width)}"'
    if pen.dash:
        out += f' stroke-dasharray="{" ".join(map(_number, pen.dash))}"'
    if pen.opacity != 1.0:
        # Not `opacity`: that makes painters compose a layer as large as the picture for every shape.
        out += f' fill-opacity="{_number(pen.opacity)}" stroke-opacity="{_number(pen.opacity)}"'
    return out


def _paint(colour: str) -> str:
    if not _PAINT.fullmatch(colour):
        raise ValueError(f"not a colour: {colour!r}")
    return colour


def _place(group: Group | Use) -> str:
    steps = []
    if group.x or group.y:
        steps.append(f"translate({_number(group.x)} {_number(group.y)})")
    if group.turn:
        steps.append(f"rotate({_number(group.turn)})")
    if group.scale != 1.0:
        # A symbol is scaled to fit its place, so that tenths will not do.
        steps.append(f"scale({group.scale:.3g})" if isinstance(group, Use) else f"scale({_number(group.scale)})")
    return f" transform={quoteattr(' '.join(steps))}" if steps else ""


def _pattern(pattern: Pattern, translate: Translate) -> str:
    turn = f' patternTransform="rotate({_number(pattern.turn)})"' if pattern.turn else ""
    size = f'width="{_number(pattern.width)}" height="{_number(pattern.height)}"'
    tile = "".join(_shapes(pattern.shapes, translate))
    return f'<pattern id={quoteattr(pattern.name)} patternUnits="userSpaceOnUse" {size}{turn}>{tile}</pattern>'


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _number(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".") or "0"


def _text(words: str) -> str:
    # XML 1.0 has no way to write control characters, escaped or not.
    return escape("".join(char for char in words if char >= " "))
