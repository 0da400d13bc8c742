"""What lies, stands and sails on the island: ships, characters by colour and name, loads with their counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from engine.core.drawing import Circle, Label, Line, Pen, Polygon, Rect, Shape, Text, Use
from engine.jackal.draw.paper import COLOURS, FIRE, GOLD, GOLD_EDGE, INK, LETTERS, RESIDENT_TINTS, WHITE
from engine.jackal.orders.writing import Writer
from engine.jackal.state import COLOURS as NAMES
from engine.jackal.state import (
    CONVERTED,
    DRUNK,
    LOCKED,
    LOST,
    PIRATES,
    TRAPPED,
    UNITS,
    WAKING,
    JackalView,
    count,
)

Box = tuple[float, float, float, float]
"""Left, top, width and height."""

WIDE, BROAD, HIGH = 22.0, 30.0, 16.0
"""What a pirate and what a resident takes at full size, and how high both are."""
READABLE: Final = 0.8
"""A size at which pieces can be read well."""

MARKS: Final = (("trapped", TRAPPED), ("lost", LOST | LOCKED), ("drunk", DRUNK | WAKING), ("converted", CONVERTED))
"""States that are drawn, by name: bits of moods."""
LOADS: Final = ("treasure", "boat", "ball", "cart", "coin")

_RUSSIAN, _ENGLISH = Writer("ru"), Writer("en")


class Piece(NamedTuple):
    """What stands in a place: its symbol and words, how wide it is, its marks and the colour of whom it belongs to."""

    symbol: str
    words: Label | str
    ink: str
    wide: float
    marks: tuple[str, ...] = ()
    owner: int = -1


def unit_name(unit: int) -> Label:
    """Return a character as orders name it: «Б1», W1."""
    return Label("name", {"ru": _RUSSIAN.unit(UNITS[unit]), "en": _ENGLISH.unit(UNITS[unit])})


def letter(colour: int) -> Label:
    """Return the letter of a colour: «Б», W."""
    name = unit_name(colour * 3)
    return Label("name", {tongue: words[0] for tongue, words in name.facts.items()})


def unit_piece(view: JackalView, unit: int) -> Piece:
    """Return a character as a piece."""
    moods = view.moods[unit]
    marks = tuple(name for name, bits in MARKS if moods & bits)
    if unit < PIRATES:
        colour = unit // 3
        return Piece(f"unit-{NAMES[colour]}", unit_name(unit), LETTERS[colour], WIDE + 7 * len(marks), marks)
    owner = view.owners[unit - PIRATES]
    return Piece(f"unit-{UNITS[unit]}", unit_name(unit), WHITE, BROAD + 3 + 7 * len(marks), marks, owner)


def load_pieces(heap: int) -> tuple[Piece, ...]:
    """Return the loads of a place: one piece a kind, coins with their number."""
    out = []
    for item in LOADS:
        number = count(heap, item)
        if number:
            words = str(number) if item == "coin" or number > 1 else ""
            out.append(Piece(f"load-{item}", words, INK, HIGH + 1))
    return tuple(out)


# Placing --------------------------------------------------------------------------------------------------------------


def laid(pieces: Sequence[Piece], box: Box, *, top: bool = False) -> Iterator[Shape]:
    """Draw pieces in a box as large as they fit, in rows from its bottom, or its top; the last row in the middle."""
    if not pieces:
        return
    left, upper, wide, high = box
    rows, scale = _rows(pieces, wide, high)
    for number, row in enumerate(rows):
        at = number + 0.5 if top else number + 0.5 - len(rows)
        y = (upper if top else upper + high) + at * HIGH * scale
        x = left + (wide - sum(piece.wide for piece in row) * scale) / 2
        for piece in row:
            yield from _piece(piece, x + piece.wide * scale / 2, y, scale)
            x += piece.wide * scale


def fit(pieces: Sequence[Piece], wide: float, high: float) -> float:
    """Return how large pieces can be in so much room."""
    return _rows(pieces, wide, high)[1]


def _rows(pieces: Sequence[Piece], wide: float, high: float) -> tuple[list[Sequence[Piece]], float]:
    """Return rows and size: the fewest rows in which pieces can be read well, else those that let them be largest."""
    best: tuple[list[Sequence[Piece]], float] = ([], 0.0)
    for columns in range(len(pieces), 0, -1):
        rows = [pieces[start : start + columns] for start in range(0, len(pieces), columns)]
        widest = max(sum(piece.wide for piece in row) for row in rows)
        scale = min(1.0, wide / widest, high / (len(rows) * HIGH))
        if scale > best[1] + 0.001:
            best = (rows, scale)
        if scale >= READABLE:
            break
    return best


def _piece(piece: Piece, x: float, y: float, scale: float) -> Iterator[Shape]:
    body = piece.wide - 7 * len(piece.marks)
    middle = x - 3.5 * len(piece.marks) * scale
    if piece.owner >= 0:
        yield Use(f"owner-{NAMES[piece.owner]}", middle + 10.5 * scale, y, scale=scale)
        yield Text(
            middle + 10.5 * scale, y + 3.6 * scale, letter(piece.owner), 10 * scale, LETTERS[piece.owner], face="bold"
        )
        middle -= 5.5 * scale
    yield Use(piece.symbol, middle, y, scale=scale)
    if piece.words:
        size = 11.5 if piece.symbol.startswith("unit-") else 10.5
        yield Text(middle, y + 4 * scale, piece.words, size * scale, piece.ink, face="bold")
    for place, mark in enumerate(piece.marks):
        yield Use(f"mark-{mark}", x + (body / 2 + 7 * place - 3.5 * (len(piece.marks) - 1)) * scale, y, scale=scale)


# Symbols --------------------------------------------------------------------------------------------------------------


def _plate(fill: str, wide: float = 20.5) -> tuple[Shape, ...]:
    return (Rect(-wide / 2, -7.2, wide, 14.4, Pen(fill=fill, stroke=INK, width=1.3), 5),)


def _unit(colour: int) -> tuple[Shape, ...]:
    """Return a pirate's plate: by colour, and by form too: round, square, cut, pointed."""
    pen = Pen(fill=COLOURS[colour], stroke=INK, width=1.3)
    if colour == 0:
        return (Rect(-10.3, -7.2, 20.6, 14.4, pen, 7),)
    if colour == 1:
        return (Rect(-10.3, -7.2, 20.6, 14.4, pen),)
    edge = Pen(fill=COLOURS[colour], stroke=WHITE, width=1)
    if colour == 2:
        return (
            Polygon(
                (
                    (-6.5, -7.2),
                    (6.5, -7.2),
                    (10.3, -3.6),
                    (10.3, 3.6),
                    (6.5, 7.2),
                    (-6.5, 7.2),
                    (-10.3, 3.6),
                    (-10.3, -3.6),
                ),
                edge,
            ),
        )
    return (Polygon(((-8, -7.2), (8, -7.2), (10.8, 0), (8, 7.2), (-8, 7.2), (-10.8, 0)), edge),)


def _resident(number: int) -> tuple[Shape, ...]:
    return (Rect(-10.8, -7.2, 21.6, 14.4, Pen(fill=RESIDENT_TINTS[number], stroke=INK, width=1.3), 3),)


def _owner(colour: int) -> tuple[Shape, ...]:
    return (Rect(-5, -7.2, 10.5, 14.4, Pen(fill=COLOURS[colour], stroke=INK, width=1.3), 3),)


def _coin() -> tuple[Shape, ...]:
    return Circle(0, 0, 7.8, Pen(fill=GOLD, stroke=GOLD_EDGE, width=1.5)), Circle(0, 0, 6, Pen(fill="#fbdc74"))


def _mark(*shapes: Shape) -> tuple[Shape, ...]:
    return Circle(0, 0, 5.6, Pen(fill=WHITE, stroke=FIRE, width=1.3)), *shapes


def _ink(width: float, *points: tuple[float, float]) -> Shape:
    return Line(points, Pen(stroke=INK, width=width))


def symbols() -> Iterator[tuple[str, tuple[Shape, ...]]]:
    """Yield the drawings of pieces by name."""
    for colour, name in enumerate(NAMES):
        yield f"unit-{name}", _unit(colour)
        yield f"owner-{name}", _owner(colour)
        yield f"ship-{name}", _ship(colour)
        yield f"afloat-{name}", _afloat(colour)
    for number in range(3):
        yield f"unit-{UNITS[PIRATES + number]}", _resident(number)
    for step in range(1, 6):
        numeral = Text(0, 3.6, str(step), 10, INK, face="bold")
        yield f"step-{step}", (Circle(0, 0, 5.6, Pen(fill=WHITE, stroke=INK, width=0.8)), numeral)
    yield "load-coin", _coin()
    crown = ((-7.5, -5), (-3.6, -0.5), (0, -7), (3.6, -0.5), (7.5, -5), (6, 6), (-6, 6))
    yield (
        "load-treasure",
        (Polygon(crown, Pen(fill=GOLD, stroke=GOLD_EDGE, width=1.5)), Circle(0, 2, 1.8, Pen(fill=FIRE))),
    )
    yield "load-boat", (Polygon(((-8, -2), (8, -2), (5, 5), (-5, 5)), Pen(fill="#b4743a", stroke=INK, width=1.3)),)
    yield (
        "load-ball",
        (Circle(0, 0, 6.5, Pen(fill="#4b5157", stroke=INK, width=1.2)), Circle(-2, -2, 1.8, Pen(fill="#aab2b8"))),
    )
    yield (
        "load-cart",
        (
            Polygon(((-8, -5), (5, -5), (2, 2), (-5, 2)), Pen(fill="#b4743a", stroke=INK, width=1.2)),
            _ink(1.4, (2, 2), (8, -2)),
            Circle(-3.4, 4, 2.8, Pen(fill="#d39a56", stroke=INK, width=1.2)),
        ),
    )
    yield (
        "mark-trapped",
        _mark(
            _ink(1.5, (-3.6, -2.4), (-1.8, 0.6), (0, -2.4), (1.8, 0.6), (3.6, -2.4)), _ink(1.5, (-3.6, 2.8), (3.6, 2.8))
        ),
    )
    yield "mark-lost", _mark(Text(0, 3.6, "?", 10.5, INK, face="bold"))
    yield "mark-drunk", _mark(_ink(1.5, (-2.6, -2.8), (2.6, -2.8), (-2.6, 2.8), (2.6, 2.8)))
    yield "mark-converted", _mark(_ink(1.4, (-3, -3), (3, 3)), _ink(1.4, (3, -3), (-3, 3)))


def _ship(colour: int) -> tuple[Shape, ...]:
    """Return a ship with the sail of her colour; her letter is written on it."""
    hull = ((-25, -3), (-18, 0), (18, 0), (25, -5), (23, 11), (16, 24), (-16, 24), (-23, 11))
    sail = ((-14, -24), (14, -24), (17, -15), (14, -6), (-14, -6), (-11, -15))
    return (
        Line(((0, -25), (0, 2)), Pen(stroke=INK, width=2.2)),
        Polygon(sail, Pen(fill=COLOURS[colour], stroke=INK, width=1.4)),
        Polygon(hull, Pen(fill="#9a6231", stroke=INK, width=1.5)),
        Line(((-22, 4), (-18, 5.5), (18, 5.5), (22.5, 3)), Pen(stroke=COLOURS[colour], width=2.4)),
    )


def _afloat(colour: int) -> tuple[Shape, ...]:
    return (
        Line(((-14, -8), (12, 14)), Pen(stroke="#8f5a2b", width=2)),
        Line(((14, -8), (-12, 14)), Pen(stroke="#8f5a2b", width=2)),
        Polygon(((-20, 2), (20, 2), (14, 14), (-14, 14)), Pen(fill="#b4743a", stroke=INK, width=1.4)),
        Line(((-17.5, 7), (17.5, 7)), Pen(stroke=COLOURS[colour], width=3)),
    )


def ship(colour: int, x: float, y: float) -> Iterator[Shape]:
    """Draw a ship with the letter of her colour."""
    yield Use(f"ship-{NAMES[colour]}", x, y)
    yield Text(x + 1, y - 10, letter(colour), 15, LETTERS[colour], face="bold")
