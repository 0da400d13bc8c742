"""A small drawing of every kind of tile, about the middle of its cell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.core.drawing import Circle, Group, Line, Pen, Point, Polygon, Rect, Shape, Text
from engine.jackal.draw.paper import FIRE, GOLD, GOLD_EDGE, INK, WHITE, arc
from engine.jackal.tiles import BY_CODE, CODE, KINDS, rotation_of

Shapes = tuple[Shape, ...]

SAND: Final = "#f6e8bd"
GRASS: Final = "#d3e3a4"
WOOD: Final = "#8f5a2b"
LEAF: Final = "#4f8a3c"
STONE: Final = "#a79d8f"
DARK_STONE: Final = "#6f665b"
RUST: Final = "#b8472a"
EDGE: Final = "#b59d66"
BACK: Final = "#7fa38a"
BACK_LIGHT: Final = "#a4c0a6"
SKIN: Final = "#e2ad7c"
STEEL: Final = "#5d646b"
WATER: Final = "#8cc3cf"

CLOSED: Final = "closed"
BLANKS: Final = 4


def ground(fill: str, edge: str = EDGE) -> Shape:
    """Return the card of a tile."""
    return Rect(-24.5, -24.5, 49, 49, Pen(fill=fill, stroke=edge, width=1), 4)


def _fill(points: tuple[Point, ...], fill: str, stroke: str = INK, width: float = 1.0) -> Shape:
    return Polygon(points, Pen(fill=fill, stroke=stroke, width=width))


def _line(colour: str, width: float, *points: Point) -> Shape:
    return Line(points, Pen(stroke=colour, width=width))


def _disc(x: float, y: float, r: float, fill: str, stroke: str = INK, width: float = 1.0) -> Shape:
    return Circle(x, y, r, Pen(fill=fill, stroke=stroke, width=width))


def _dot(x: float, y: float, r: float, fill: str) -> Shape:
    return Circle(x, y, r, Pen(fill=fill))


def _box(x: float, y: float, wide: float, high: float, fill: str, rx: float = 0.0) -> Shape:
    return Rect(x, y, wide, high, Pen(fill=fill, stroke=INK, width=1), rx)


# Closed and blank -----------------------------------------------------------------------------------------------------


def _closed() -> Shapes:
    star = ((0, -15), (3.5, -3.5), (15, 0), (3.5, 3.5), (0, 15), (-3.5, 3.5), (-15, 0), (-3.5, -3.5))
    return (
        ground(BACK, "#4f7a3a"),
        Rect(-21, -21, 42, 42, Pen(stroke=BACK_LIGHT, width=1), 2),
        Polygon(star, Pen(fill=BACK_LIGHT)),
    )


def _blank(number: int) -> Shapes:
    """Return one of the four blanks: grass, stones, a bush, shells."""
    if number == 0:
        tufts = ((-12, 8), (9, -8), (13, 14))
        return (ground(GRASS), *(_tuft(x, y) for x, y in tufts))
    if number == 1:
        return (
            ground(SAND),
            _fill(arc(-9, 8, 7, 4.5, 0, 360, 10), "#dcd6c4", EDGE),
            _fill(arc(9, -9, 5, 3.5, 0, 360, 10), "#dcd6c4", EDGE),
        )
    if number == 2:
        leaves = ((-8, 5), (-1, 1), (6, 6))
        return (ground(GRASS), *(_dot(x, y, 6, "#a9cf86") for x, y in leaves), _line("#7fa657", 1.4, (-1, 12), (-1, 6)))
    return (
        ground(SAND),
        _line("#d9b45c", 1.6, (-16, -8), (-9, -11), (-2, -8), (5, -11)),
        _line("#d9b45c", 1.6, (-4, 9), (3, 6), (10, 9), (17, 6)),
    )


def _tuft(x: float, y: float) -> Shape:
    return _line("#7fa657", 1.6, (x - 4, y - 5), (x - 1, y), (x, y - 7), (x + 1, y), (x + 4, y - 5))


# Arrows ---------------------------------------------------------------------------------------------------------------


def _arrow(key: str) -> Shapes:
    turns = [("N", "NE", "E", "SE", "S", "SW", "W", "NW").index(exit_) for exit_ in KINDS[key].exits]
    shapes: list[Shape] = [ground(SAND)]
    for turn in turns:
        far = 22 if turn % 2 == 0 else 26
        shaft = ((-3.4, 0), (-3.4, 11 - far), (-8.5, 11 - far), (0, -far), (8.5, 11 - far), (3.4, 11 - far), (3.4, 0))
        shapes.append(Group((_fill(shaft, RUST, "#6e2412"),), turn=turn * 45))
    shapes.append(_disc(0, 0, 5, "#f0c0a0" if len(turns) > 1 else RUST, "#6e2412"))
    return tuple(shapes)


# Spins: the steps lie where characters are put, in `STEPS` ---------------------------------------------------------

STEPS: Final[dict[int, tuple[tuple[float, float, float, float], ...]]] = {
    2: ((-24, -24, 48, 23), (-24, 1, 48, 23)),
    3: ((-24, -24, 48, 15), (-24, -8, 48, 16), (-24, 9, 48, 15)),
    4: ((-24, -24, 23.5, 23.5), (0.5, -24, 23.5, 23.5), (0.5, 0.5, 23.5, 23.5), (-24, 0.5, 23.5, 23.5)),
    5: ((-24, -24, 23.5, 15), (0.5, -24, 23.5, 15), (-12, -8, 24, 16), (-24, 9, 23.5, 15), (0.5, 9, 23.5, 15)),
}
"""By number of steps: the box of each step (left, top, width, height) about the middle of the cell."""
NUMERALS: Final = {2: 5.6, 3: 5.6, 4: 4.3, 5: 4.3}
"""By number of steps: half of what the number of a step takes at the left of its box."""


def _spin(fill: str, path: str, steps: int, ornament: Shapes) -> Shapes:
    boxes = STEPS[steps]
    middles = tuple(
        (x + wide / 2 if wide < 40 else (-9, 9)[place % 2], y + high / 2)
        for place, (x, y, wide, high) in enumerate(boxes)
    )
    half = NUMERALS[steps]
    way = tuple((x + half, y + high / 2) for x, y, _, high in boxes)
    out: list[Shape] = [ground(fill), *ornament, Line(middles, Pen(stroke=path, width=5))]
    out.append(Line(way, Pen(stroke=RUST, width=2, dash=(3, 2.5))))
    for place, (x, y, _, high) in enumerate(boxes):
        out.append(_disc(x + half, y + high / 2, half, WHITE, INK, 0.8))
        out.append(Text(x + half, y + high / 2 + half * 0.64, str(place + 1), half * 1.8, INK, face="bold"))
    return tuple(out)


def _palm(x: float, y: float, tall: float = 10) -> Shapes:
    top = y - tall
    return (
        _line(WOOD, 1.8, (x, y), (x + 1, top)),
        _line(LEAF, 2.2, (x - 6, top + 3), (x + 1, top), (x + 8, top + 3)),
        _line(LEAF, 2.2, (x - 4, top - 4), (x + 1, top), (x + 6, top - 4)),
    )


def _trail() -> Shapes:
    return _spin("#d3e3a4", "#efe2bd", 2, (*_palm(17, -6), *_palm(-16, 20), *_palm(18, 21, 8)))


def _desert() -> Shapes:
    dune = _line("#d9b45c", 1.4, (-2, -20), (6, -23), (20, -18))
    cactus = (_line("#4f8a3c", 3, (18, 22), (18, 11)), _line("#4f8a3c", 2, (14, 13), (14, 16), (18, 17)))
    return _spin("#f5dc8f", "#d9b45c", 3, (dune, *cactus))


def _swamp() -> Shapes:
    pools = tuple(
        _fill(arc(x, y, 8, 4, 0, 360, 10), "#87a98c", "#87a98c") for x, y in ((-8, -17), (16, -5), (14, 19), (-14, 6))
    )
    return _spin("#b4c795", "#efe2bd", 4, pools)


def _mountain() -> Shapes:
    peaks = tuple(
        shape
        for x, y in ((-12, 6), (14, 5), (0, 23))
        for shape in (
            _fill(((x - 10, y), (x, y - 15), (x + 10, y)), "#b9aea0", DARK_STONE),
            _fill(((x - 3.4, y - 10), (x, y - 15), (x + 3.4, y - 10)), WHITE, DARK_STONE, 0.6),
        )
    )
    return _spin("#dcd6c4", "#efe2bd", 5, peaks)


# Dangers --------------------------------------------------------------------------------------------------------------


def _horse() -> Shapes:
    head = (
        (-9, 16),
        (-8, 6),
        (-11, 1),
        (-14, 4),
        (-18, 1),
        (-17, -4),
        (-9, -12),
        (-8, -19),
        (-3, -14),
        (4, -12),
        (10, -5),
        (13, 5),
        (13, 16),
    )
    mane = ((-3, -14), (4, -12), (10, -5), (13, 5), (13, 16), (8, 16), (8, 5), (5, -3), (-1, -9))
    return (
        ground("#f6e8bd"),
        _fill(head, "#a5682f", INK, 1.2),
        _fill(mane, "#5a351b"),
        _dot(-8, -6, 1.6, INK),
        _line(INK, 1, (-15, 1), (-11, -1)),
    )


def _ice() -> Shapes:
    rays: list[Shape] = []
    for turn in (0, 60, 120):
        arm = (
            _line("#3f8fbf", 2.6, (0, -18), (0, 18)),
            _line("#3f8fbf", 2, (-5, -16), (0, -10), (5, -16)),
            _line("#3f8fbf", 2, (-5, 16), (0, 10), (5, 16)),
        )
        rays.append(Group(arm, turn=turn))
    return ground("#dceef5", "#8fb9cc"), *rays


def _trap() -> Shapes:
    def jaw(way: float) -> Shapes:
        bow = arc(0, -1, 17, 13 * way, 0, 180, 8)
        teeth = tuple(
            _fill(((x - 3, y), (x, y - 7 * way), (x + 3, y)), "#aab2b8")
            for x, y in ((-10, 10 * way - 1), (-3.4, 12 * way - 1), (3.4, 12 * way - 1), (10, 10 * way - 1))
        )
        return (*teeth, Line(bow, Pen(stroke=STEEL, width=3.2)))

    return ground("#f6e8bd"), *jaw(1), *jaw(-1), _disc(-17, -1, 3, STEEL), _disc(17, -1, 3, STEEL)


def _croc() -> Shapes:
    upper = (
        (-22, -3),
        (-21, -8),
        (-4, -9),
        (0, -14),
        (6, -14),
        (9, -9),
        (18, -8),
        (23, -1),
        (23, 4),
        (-2, 3),
        (-6, -2),
    )
    lower = ((-20, 9), (-8, 2), (-2, 3), (23, 4), (20, 10), (2, 12), (-18, 12))
    teeth = tuple(_fill(((x, -2.6), (x + 2, 2), (x + 4, -2.6)), WHITE, INK, 0.7) for x in (-21, -16, -11))
    under = tuple(
        _fill(((x, 8.2 - place * 2.6), (x + 2, 3.6 - place * 2.6), (x + 4, 7 - place * 2.6)), WHITE, INK, 0.7)
        for place, x in enumerate((-18, -13))
    )
    return (
        ground("#bfe0dc", "#8fb9cc"),
        _line("#8cc3cf", 1.6, (-18, 18), (-12, 16), (-6, 18), (0, 16), (6, 18), (12, 16), (18, 18)),
        *teeth,
        *under,
        _fill(lower, "#4f8a3c", INK, 1.1),
        _fill(upper, "#6fae57", INK, 1.1),
        _disc(3, -10, 2.6, "#fbe58a"),
        _dot(2.6, -10, 1.2, INK),
        _dot(-18, -6, 1.2, INK),
    )


def _bone(x: float, y: float, turn: float) -> Shape:
    ends = tuple(_disc(right, down, 2.4, WHITE, INK, 1) for right in (-1.9, 1.9) for down in (-9, 9))
    return Group((*ends, _box(-1.6, -9, 3.2, 18, WHITE), Rect(-1.1, -9.6, 2.2, 19.2, Pen(fill=WHITE))), x, y, turn)


def _cannibal() -> Shapes:
    """Return his cauldron on the fire, bones sticking out."""
    pot = (*arc(0, -2, 15, 15, 0, 180, 10), (-17, -6), (17, -6))
    flames = ((-15, 20), (-13, 10), (-9, 15), (-5, 7), (0, 14), (5, 7), (9, 15), (13, 10), (15, 20))
    return (
        ground("#f0c0a0", "#b98662"),
        _bone(-6, -12, -22),
        _bone(6, -12, 22),
        _fill(flames, "#ef7d22", "#6e2412"),
        _fill(pot, "#3d4246", INK, 1.2),
        _box(-17.5, -8.5, 35, 4.6, "#6f665b", 2),
        _disc(0, 2.4, 5.4, WHITE, INK, 0.9),
        _dot(-2, 1.8, 1.5, INK),
        _dot(2, 1.8, 1.5, INK),
        _line(INK, 1.2, (-1.8, 5.4), (1.8, 5.4)),
    )


def _walls(fill: str) -> Shape:
    return _fill(
        (
            (-19, 15),
            (-19, -11),
            (-13, -11),
            (-13, -6),
            (-7, -6),
            (-7, -16),
            (-3, -16),
            (-3, -12),
            (3, -12),
            (3, -16),
            (7, -16),
            (7, -6),
            (13, -6),
            (13, -11),
            (19, -11),
            (19, 15),
        ),
        fill,
        INK,
        1.2,
    )


def _gate() -> Shapes:
    return (_fill((*arc(0, 5, 5, 5, 180, 360, 6), (5, 15), (-5, 15)), "#5a351b"),)


def _fort() -> Shapes:
    slits = tuple(_box(x - 1.2, 0, 2.4, 6, INK) for x in (-13, 13))
    return (
        ground("#dcd6c4"),
        _walls("#b9aea0"),
        *_gate(),
        *slits,
        _line(INK, 1.2, (0, -12), (0, -22)),
        _fill(((0, -22), (9, -19.5), (0, -17)), "#3f6f9f"),
    )


def _fort_girl() -> Shapes:
    heart = ((0, 8), (-12, -4), (-13, -9), (-9, -13), (-4, -12), (0, -8), (4, -12), (9, -13), (13, -9), (12, -4))
    return (
        ground("#f4d7d2", "#b98662"),
        _walls("#b9aea0"),
        *_gate(),
        Group((_fill(heart, "#d9534a", INK, 1.4), _line("#f6b8b0", 1.8, (-8.5, -7.5), (-7, -9.5))), 0, -10, scale=0.85),
    )


# Gold and things ------------------------------------------------------------------------------------------------------

_ROMAN: Final = ("", "I", "II", "III", "IV", "V")


def _chest(coins: int) -> Shapes:
    return (
        ground("#f3dfa4"),
        _fill((*arc(0, -4, 17, 11, 180, 360, 8),), "#a5682f", INK, 1.2),
        *(_disc(x, -4, 3.4, GOLD, GOLD_EDGE, 0.9) for x in (-11, -5.5, 0, 5.5, 11)),
        _box(-17, -3, 34, 17, "#8f5a2b", 1),
        _box(-17, 0, 34, 2.4, "#d9a441"),
        _disc(0, 7, 6.8, "#fbe58a", GOLD_EDGE),
        Text(0, 10.8, _ROMAN[coins], 10.5, INK, face="bold"),
    )


def _treasure() -> Shapes:
    return (
        ground("#f3dfa4"),
        *(_disc(x, y, 4.2, GOLD, GOLD_EDGE, 1) for x, y in ((-15, 12), (-8, 9), (15, 12), (8, 9), (-11, 14), (11, 14))),
        _fill(((-14, -12), (-7, -3), (0, -16), (7, -3), (14, -12), (11, 7), (-11, 7)), GOLD, GOLD_EDGE, 1.4),
        _box(-11, 7, 22, 4, "#d9a441"),
        _disc(0, 0, 3, "#d9534a"),
        _dot(-14, -13, 2.2, "#d9534a"),
        _dot(14, -13, 2.2, "#d9534a"),
        _dot(0, -17, 2.2, "#3f8fbf"),
    )


def _bottle(x: float, scale: float = 1.0) -> Shape:
    glass = ((-2, -16), (2, -16), (2, -8), (6, -3), (6, 14), (-6, 14), (-6, -3), (-2, -8))
    shapes = (
        _fill(glass, "#4f8a3c", INK, 1.2),
        _box(-2.4, -19, 4.8, 3.6, "#d9a441"),
        _box(-6, 0, 12, 8, WHITE),
        _line(RUST, 1.6, (-3, 2.6), (3, 5.6)),
        _line(RUST, 1.6, (3, 2.6), (-3, 5.6)),
    )
    return Group(shapes, x, 0, scale=scale)


def _rum(bottles: int) -> Shapes:
    places = {1: (0,), 2: (-9, 9), 3: (-15, 0, 15)}[bottles]
    return (ground("#f6e8bd"), *(_bottle(x) for x in places))


def _plane() -> Shapes:
    pen = "#d9534a"
    body = ((-3.4, -12), (0, -18), (3.4, -12), (3, 12), (0, 17), (-3, 12))
    return (
        ground("#dceef5", "#8fb9cc"),
        Group(
            (
                _box(-21, -9, 42, 5, "#f3dfa4", 2),
                _box(-21, -3, 42, 5, "#f3dfa4", 2),
                _line(INK, 1, (-14, -9), (-14, 2)),
                _line(INK, 1, (14, -9), (14, 2)),
                _fill(((-8, 15), (8, 15), (8, 11), (-8, 11)), "#f3dfa4"),
                _fill(body, pen, INK, 1.2),
                _line(INK, 2.4, (-8, -18), (8, -18)),
                _disc(0, -3, 2.4, INK),
            ),
            turn=35,
        ),
    )


def _balloon() -> Shapes:
    bag = arc(0, -8, 14, 13, 0, 360, 18)
    stripe = (*arc(0, -8, 6, 13, -90, 90, 8), *arc(0, -8, 6, 13, 90, 270, 8))
    return (
        ground("#dceef5", "#8fb9cc"),
        _line(INK, 1, (-11, 0), (-4, 11)),
        _line(INK, 1, (11, 0), (4, 11)),
        _fill(bag, "#d9534a", INK, 1.2),
        _fill(stripe, "#fbe58a", INK, 0.8),
        _box(-5, 10, 10, 8, "#a5682f", 1),
    )


def _cannon() -> Shapes:
    """Return a cannon whose barrel points north."""
    barrel = ((-4.5, -13), (4.5, -13), (6.5, 10), (4, 14), (-4, 14), (-6.5, 10))
    return (
        ground("#dcd6c4"),
        _box(-13, -6, 5, 16, WOOD, 2),
        _box(8, -6, 5, 16, WOOD, 2),
        _box(-9, 0, 18, 5, WOOD),
        _fill(barrel, STEEL, INK, 1.2),
        _box(-5.6, -15, 11.2, 3.4, "#3d4246"),
        _disc(0, 15.5, 2.6, "#3d4246"),
        _fill(((0, -24), (6, -17), (-6, -17)), FIRE, "#6e2412"),
    )


def _keg() -> Shapes:
    staves = ((-11, -16), (11, -16), (15, -1), (11, 14), (-11, 14), (-15, -1))
    return (
        ground("#f3dfa4"),
        _fill(staves, "#b4743a", INK, 1.2),
        _line("#6b4423", 1, (-4, -16), (-5, 14)),
        _line("#6b4423", 1, (4, -16), (5, 14)),
        _line("#5d646b", 2.8, (-12.6, -10), (12.6, -10)),
        _line("#5d646b", 2.8, (-12.6, 8), (12.6, 8)),
        _disc(0, -1, 3.2, "#5a351b"),
        _line("#5a351b", 2, (0, 2), (0, 5)),
        _dot(0, 18, 1.8, "#d9a441"),
    )


def _caramba() -> Shapes:
    """Return a parrot that shouts."""
    return (
        ground("#f3dfa4"),
        _fill(((-4, 16), (-12, 8), (-12, -6), (-5, -14), (3, -12), (5, -4), (4, 8)), "#4f8a3c", INK, 1.2),
        _fill(((-12, 2), (-3, -1), (0, 8), (-6, 13)), "#3f6f9f"),
        _disc(-2, -10, 7.5, "#d9534a", INK, 1.2),
        _fill(((4, -13), (11, -9), (6, -4), (4, -7)), "#f4c430"),
        _disc(-1, -12, 2.4, WHITE, INK, 0.8),
        _dot(-0.6, -12, 1.1, INK),
        _fill(((8, -22), (23, -22), (23, 4), (14, 4), (10, 9), (11, 4), (8, 4), (8, -3), (12, -8), (8, -13)), WHITE),
        _line(RUST, 3.4, (17.5, -17), (17.5, -6)),
        _dot(17.5, -0.6, 2, RUST),
        _line(WOOD, 3, (-18, 17), (10, 17)),
    )


def _lighthouse() -> Shapes:
    return (
        ground("#dceef5", "#8fb9cc"),
        Polygon(((-4, -14), (-24, -21), (-24, -8)), Pen(fill="#fbe58a")),
        Polygon(((4, -14), (24, -21), (24, -8)), Pen(fill="#fbe58a")),
        _fill(((-9, 16), (-5, -10), (5, -10), (9, 16)), WHITE, INK, 1.2),
        _fill(((-6.2, -3), (6.2, -3), (7.2, 4), (-7.2, 4)), RUST),
        _fill(((-8.2, 10), (8.2, 10), (9, 16), (-9, 16)), RUST),
        _box(-4.4, -17, 8.8, 7, "#ffd84d"),
        _fill(((-6, -17), (0, -23), (6, -17)), RUST),
    )


# Residents ------------------------------------------------------------------------------------------------------------


def _ben() -> Shapes:
    """Return a bearded castaway with a straw hat."""
    return (
        ground("#d3e3a4"),
        _fill(((-11, -4), (-9, 12), (0, 19), (9, 12), (11, -4)), "#8a8078", INK, 1.2),
        _fill(arc(0, -3, 8.5, 9, 0, 360, 14), SKIN, INK, 1),
        _fill(((-8, 0), (0, 3), (8, 0), (6, 9), (0, 14), (-6, 9)), "#8a8078", INK, 0.8),
        _line(INK, 1.2, (-2.5, 5), (2.5, 5)),
        _dot(-3, -3, 1.3, INK),
        _dot(3, -3, 1.3, INK),
        _fill(((-19, -8), (19, -8), (16, -11), (-16, -11)), "#d9b45c", INK, 1.1),
        _fill(((-9, -11), (-6, -21), (6, -21), (9, -11)), "#d9b45c", INK, 1.1),
        _line(RUST, 2.2, (-8, -12.6), (8, -12.6)),
    )


def _missionary() -> Shapes:
    """Return a monk in a cowl with a cross."""
    return (
        ground("#e6dff0", "#8fb9cc"),
        _fill(((-16, 18), (-13, -2), (-9, -14), (0, -21), (9, -14), (13, -2), (16, 18)), "#6b4423", INK, 1.2),
        _fill(arc(0, -6, 7.6, 9, 0, 360, 14), SKIN, INK, 1),
        _dot(-2.8, -7, 1.3, INK),
        _dot(2.8, -7, 1.3, INK),
        _line(INK, 1.2, (-2.4, -1.6), (2.4, -1.6)),
        _line(GOLD, 3, (0, 5), (0, 17)),
        _line(GOLD, 3, (-4.4, 9), (4.4, 9)),
    )


def _friday() -> Shapes:
    """Return a young islander with a feather and a necklace."""
    return (
        ground("#f3dfa4"),
        _fill(((-14, 19), (-9, 9), (9, 9), (14, 19)), "#a5682f", INK, 1.2),
        _fill(((6, -14), (15, -24), (13, -11)), "#3f8fbf"),
        _fill(arc(0, -4, 9.6, 11.5, 0, 360, 14), "#a5682f", INK, 1.2),
        _fill(((-10.5, -7), *arc(0, -8, 10.5, 9, 180, 360, 8), (10.5, -7)), "#33291f"),
        _line(RUST, 2.6, (-10, -7), (10, -7)),
        _dot(-3.4, -2.4, 1.5, INK),
        _dot(3.4, -2.4, 1.5, INK),
        _line(INK, 1.3, (-2.6, 2.6), (0, 3.6), (2.6, 2.6)),
        *(_dot(x, y, 1.9, WHITE) for x, y in ((-7, 11), (-2.5, 13.4), (2.5, 13.4), (7, 11))),
    )


# Land -----------------------------------------------------------------------------------------------------------------


def _cave() -> Shapes:
    return (
        ground("#dcd6c4"),
        _fill(((-22, 16), (-19, -4), (-10, -16), (2, -20), (13, -14), (21, -1), (22, 16)), STONE, INK, 1.2),
        _line(DARK_STONE, 1.2, (-13, -6), (-8, -11)),
        _line(DARK_STONE, 1.2, (11, -9), (15, -3)),
        _fill((*arc(0, 3, 11, 12, 180, 360, 8), (11, 16), (-11, 16)), "#33291f", INK, 1.2),
        _dot(-3.5, 2, 1.6, "#fbe58a"),
        _dot(3.5, 2, 1.6, "#fbe58a"),
    )


def _quake() -> Shapes:
    crack = (
        (-6, -24),
        (2, -14),
        (-4, -6),
        (5, 2),
        (-2, 10),
        (6, 24),
        (11, 24),
        (4, 11),
        (11, 1),
        (2, -7),
        (8, -15),
        (1, -24),
    )
    return (
        ground("#f3dfa4"),
        _fill(crack, "#5a351b"),
        _line("#b98662", 1.8, (-20, -10), (-14, -6), (-17, 1), (-11, 6)),
        _line("#b98662", 1.8, (20, -6), (15, 0), (19, 7)),
        _fill(((-19, 16), (-14, 9), (-8, 12), (-10, 18)), STONE),
        _fill(((15, 17), (20, 12), (22, 18)), STONE),
        _fill(((-15, -15), (-11, -19), (-8, -14)), STONE),
    )


def _jungle() -> Shapes:
    """Return a thicket: trunks, a dense roof of leaves, lianas."""
    roof = ((-15.5, -12, 8.5), (-6, -15, 9), (7, -15, 9), (15.5, -11, 8.5), (-11, -6, 8), (0, -8, 9), (11, -6, 8))
    return (
        ground("#86b56a", "#4f7a3a"),
        *(_box(x - 2.2, -10, 4.4, high, "#6b4423") for x, high in ((-15, 26), (0, 30), (15, 26))),
        *(_disc(x, y, r, "#3f7a34", "#2f5a24", 1) for x, y, r in roof),
        *(_dot(x, y, 2.2, "#6fae57") for x, y in ((-17, -14), (-6, -18), (7, -18), (17, -13), (0, -10))),
        _line("#2f5a24", 1.8, (-8, -2), (-6, 5), (-9, 11)),
        _line("#2f5a24", 1.8, (8, -2), (6, 4), (9, 9)),
        *(
            _fill(((x - 6, 22), (x - 3, 12), (x, 17), (x + 3, 11), (x + 6, 22)), "#4f8a3c", "#2f5a24")
            for x in (-16, -5, 6, 16)
        ),
        _disc(-12, -9, 2.4, "#ef7d22", INK, 0.7),
        _disc(11, -14, 2.4, "#d9534a", INK, 0.7),
    )


def _grass() -> Shapes:
    """Return burning grass under smoke."""
    smoke = ((-10, -13, 6), (-2, -17, 6.5), (7, -14, 6), (13, -19, 4.5))
    return (
        ground("#d3e3a4"),
        *(_dot(x, y, r, "#b9aea0") for x, y, r in smoke),
        *(
            _fill(((x - 4, 15), (x + lean, -4 - (x % 3) * 3), (x + 4, 15)), "#6fae57", "#2f5a24")
            for x, lean in ((-16, -4), (-9, 1), (9, -1), (16, 4))
        ),
        _fill(((-7, 16), (-8, 6), (-4, 1), (-3, 5), (1, -8), (5, 3), (7, 0), (8, 9), (6, 16)), "#ef7d22", "#6e2412"),
        _fill(((-3, 16), (-3, 10), (0, 4), (4, 10), (3, 16)), "#ffd84d", "#ef7d22"),
    )


def _boat() -> Shapes:
    hull = ((-21, -1), (21, -1), (14, 12), (-14, 12))
    return (
        ground("#f6e8bd"),
        _line(WOOD, 2.4, (-16, -18), (10, 16)),
        _line(WOOD, 2.4, (16, -18), (-10, 16)),
        _fill(hull, "#b4743a", INK, 1.3),
        _line("#6b4423", 1.4, (-18, 4), (18, 4)),
        _box(-23, -4, 46, 4, "#d9a441", 1),
    )


def _ball() -> Shapes:
    return (
        ground("#dcd6c4"),
        _disc(-8, 7, 9, "#3d4246"),
        _disc(8, 7, 9, "#3d4246"),
        _disc(0, -7, 9, "#3d4246"),
        *(_dot(x, y, 2.4, "#aab2b8") for x, y in ((-11, 4), (5, 4), (-3, -10))),
    )


def _cart() -> Shapes:
    tray = ((-18, -10), (12, -10), (6, 5), (-11, 5))
    return (
        ground("#f6e8bd"),
        _line(WOOD, 2.6, (4, 5), (21, -6)),
        _line(WOOD, 2.6, (5, 5), (13, 15)),
        _fill(tray, "#b4743a", INK, 1.3),
        _line("#6b4423", 1.2, (-15, -3), (9, -3)),
        _disc(-9, 10, 6.4, "#d9a441", INK, 1.4),
        _line(INK, 1, (-9, 4), (-9, 16)),
        _line(INK, 1, (-15, 10), (-3, 10)),
        _dot(-9, 10, 1.8, INK),
    )


_DRAWN: Final[dict[str, Callable[[], Shapes]]] = {
    "horse": _horse,
    "spin2": _trail,
    "spin3": _desert,
    "spin4": _swamp,
    "spin5": _mountain,
    "ice": _ice,
    "trap": _trap,
    "croc": _croc,
    "cannibal": _cannibal,
    "fort": _fort,
    "fort_girl": _fort_girl,
    "plane": _plane,
    "balloon": _balloon,
    "cannon": _cannon,
    "keg": _keg,
    "treasure": _treasure,
    "caramba": _caramba,
    "lighthouse": _lighthouse,
    "ben": _ben,
    "missionary": _missionary,
    "friday": _friday,
    "cave": _cave,
    "quake": _quake,
    "jungle": _jungle,
    "grass": _grass,
    "boat": _boat,
    "ball": _ball,
    "cart": _cart,
}


def _all() -> dict[str, Shapes]:
    made = {CLOSED: _closed()} | {f"empty{number}": _blank(number) for number in range(BLANKS)}
    for key, kind in KINDS.items():
        if kind.exits:
            made[key] = _arrow(key)
        elif kind.coins:
            made[key] = _chest(kind.coins)
        elif kind.bottles:
            made[key] = _rum(kind.bottles)
        elif key in _DRAWN:
            made[key] = _DRAWN[key]()
    return made


SIGNS: Final = _all()
"""Every drawing by its name: ``closed``, ``empty0`` to ``empty3``, else the kind's key."""


def sign_of(tile: int, cell: int) -> tuple[str, float]:
    """Return the drawing of an open tile and its turn in degrees; blanks take their drawing from their cell."""
    key = BY_CODE[tile & CODE].key
    if key == "empty":
        return f"empty{(cell * 7 + cell // 15 * 3) % BLANKS}", 0
    turns = bool(KINDS[key].exits) or key == "cannon"
    return key, rotation_of(tile) * 90.0 if turns else 0
