"""The registry of tiles: one entry a kind, and how a laid tile is packed into a number."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any, Final, TypeAlias

import msgspec

from engine.core.contract import Value
from engine.core.geometry import RHUMBS

Tile: TypeAlias = int
"""A laid tile: code, rotation in quarter turns clockwise, open, and how much of its one-time effect is left.

bits 0–5 code (0 is a tile nobody may know), 6–7 rotation, 8 open, 9–10 FRESH, ARMED (a plane that waits) or SPENT.
"""

OPEN: Final = 1 << 8
CODE: Final = 63
FRESH, ARMED, SPENT = 0, 1 << 9, 2 << 9
EFFECT: Final = 3 << 9
HIDDEN: Final = 0
"""A closed tile whose kind the viewer does not know."""


class TileKind(Value, frozen=True, kw_only=True):
    """A kind of tile.

    ``passes``: nobody rests here (pass tile); ``once``: spent by the first arrival; ``load``: a load may lie here;
    ``exits``: of an arrow at rotation 0; ``steps``: of a spin; ``coins``, ``bottles``: what it holds. ``glyph`` is its
    sign on the map of letters, ``glyph_en`` that for English readers where it is another.
    """

    key: str
    code: int
    rule: str
    passes: bool = msgspec.field(name="pass")
    once: bool
    load: bool
    glyph: str
    ru: str
    en: str
    glyph_en: str = ""
    exits: tuple[str, ...] = ()
    steps: int = 0
    coins: int = 0
    bottles: int = 0


class Deck(Value, frozen=True, kw_only=True):
    """A tile set: counts by kind in the order of the page's table, and the sums they are checked against."""

    tiles: int
    gold: int
    bottles: int
    counts: dict[str, int]

    def laid_out(self) -> tuple[int, ...]:
        """Return the codes of all tiles in table order, as they are shuffled (5.2)."""
        return tuple(KINDS[key].code for key, count in self.counts.items() for _ in range(count))


class DeckError(ValueError):
    """A tile set whose counts do not sum to what it says."""


def _data(name: str) -> dict[str, Any]:
    source = resources.files("engine.jackal") / "data" / f"{name}.toml"
    return tomllib.loads(source.read_text("utf-8"))


def _registry() -> dict[str, TileKind]:
    kinds = msgspec.convert(_data("tiles")["tile"], list[TileKind])
    if len({kind.code for kind in kinds}) != len(kinds) or len({kind.key for kind in kinds}) != len(kinds):
        raise DeckError("data/tiles.toml names a key or code twice")
    if any(not 0 < kind.code <= CODE for kind in kinds):
        raise DeckError(f"codes are 1 to {CODE}")
    return {kind.key: kind for kind in kinds}


KINDS: Final = _registry()
"""Every kind by key, in the order of the page's table."""
BY_CODE: Final[dict[int, TileKind]] = {kind.code: kind for kind in KINDS.values()}


@cache
def deck(name: str) -> Deck:
    """Return a packaged tile set. Raises DeckError if its sums are wrong: tiles, gold, bottles, arrows by kind."""
    found = msgspec.convert(_data(name), Deck)
    check_deck(found)
    return found


def check_deck(found: Deck) -> None:
    """Raise DeckError unless the counts sum to what the set says and every arrow kind occurs three times."""
    unknown = [key for key in found.counts if key not in KINDS]
    if unknown:
        raise DeckError(f"no such tiles: {unknown!r}")
    order = [key for key in KINDS if key in found.counts]
    if order != list(found.counts):
        raise DeckError("the counts are not in table order, which the shuffle rests on")
    sums = {
        "tiles": sum(found.counts.values()),
        "gold": sum((KINDS[key].coins + 3 * (key == "treasure")) * count for key, count in found.counts.items()),
        "bottles": sum(KINDS[key].bottles * count for key, count in found.counts.items()),
    }
    for what, have in sums.items():
        if have != getattr(found, what):
            raise DeckError(f"{what}: the counts sum to {have}, not {getattr(found, what)}")
    arrows = [found.counts.get(kind.key, 0) for kind in KINDS.values() if kind.exits]
    if arrows != [3] * len(arrows):
        raise DeckError(f"every arrow kind occurs three times, not {arrows}")


# Codes the rules name -------------------------------------------------------------------------------------------------

EMPTY: Final = KINDS["empty"].code
HORSE: Final = KINDS["horse"].code
ICE: Final = KINDS["ice"].code
TRAP: Final = KINDS["trap"].code
CROC: Final = KINDS["croc"].code
CANNIBAL: Final = KINDS["cannibal"].code
FORT: Final = KINDS["fort"].code
FORT_GIRL: Final = KINDS["fort_girl"].code
PLANE: Final = KINDS["plane"].code
BALLOON: Final = KINDS["balloon"].code
CANNON: Final = KINDS["cannon"].code
KEG: Final = KINDS["keg"].code
TREASURE: Final = KINDS["treasure"].code
CARAMBA: Final = KINDS["caramba"].code
LIGHTHOUSE: Final = KINDS["lighthouse"].code
BEN: Final = KINDS["ben"].code
MISSIONARY: Final = KINDS["missionary"].code
FRIDAY: Final = KINDS["friday"].code
CAVE: Final = KINDS["cave"].code
QUAKE: Final = KINDS["quake"].code
JUNGLE: Final = KINDS["jungle"].code
GRASS: Final = KINDS["grass"].code
BOAT: Final = KINDS["boat"].code
BALL: Final = KINDS["ball"].code
CART: Final = KINDS["cart"].code


def _by_code(of: Any, otherwise: Any) -> tuple[Any, ...]:
    return tuple(of(BY_CODE[code]) if code in BY_CODE else otherwise for code in range(CODE + 1))


RULE: Final[tuple[str, ...]] = _by_code(lambda kind: kind.rule, "")
"""By code: the rule that says what the tile does."""
PASSES: Final[tuple[bool, ...]] = _by_code(lambda kind: kind.passes, False)
LOADABLE: Final[tuple[bool, ...]] = _by_code(lambda kind: kind.load, False)
SPIN: Final[tuple[int, ...]] = _by_code(lambda kind: kind.steps, 0)
"""By code: number of steps of a spin, 0 for other tiles."""
COINS: Final[tuple[int, ...]] = _by_code(lambda kind: kind.coins, 0)
BOTTLES: Final[tuple[int, ...]] = _by_code(lambda kind: kind.bottles, 0)
ARROW: Final[tuple[bool, ...]] = _by_code(lambda kind: bool(kind.exits), False)
EXITS: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(sorted((RHUMBS.index(exit_) + 2 * rotation) % 8 for exit_ in BY_CODE[code].exits)) if code in BY_CODE else ()
    for code in range(CODE + 1)
    for rotation in range(4)
)
"""By code × 4 + rotation: the directions an arrow points in, clockwise from north (J1.6)."""


def code_of(tile: Tile) -> int:
    """Return the code of a laid tile, 0 for one the viewer does not know."""
    return tile & CODE


def rotation_of(tile: Tile) -> int:
    """Return the quarter turns clockwise of a laid tile."""
    return tile >> 6 & 3


def exits_of(tile: Tile) -> tuple[int, ...]:
    """Return the directions of an arrow's exits."""
    return EXITS[(tile & CODE) * 4 + (tile >> 6 & 3)]


def barrel_of(tile: Tile) -> int:
    """Return the direction of a cannon's barrel: north at rotation 0."""
    return (tile >> 6 & 3) * 2


def make(key: str, *, rotation: int = 0, opened: bool = True, effect: int = FRESH) -> Tile:
    """Return a laid tile of a kind. Raises KeyError for a kind there is not."""
    return KINDS[key].code | rotation << 6 | (OPEN if opened else 0) | effect
