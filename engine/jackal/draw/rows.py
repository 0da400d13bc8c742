"""The island as text, for a mail read in a fixed-width face, with signs of the reader's language (page 5.6.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, get_args

from engine.core.contract import Language
from engine.core.drawing import Label, Row
from engine.jackal.board import items_of
from engine.jackal.isle import ISLE, LAND, NOWHERE, Cell
from engine.jackal.state import COLOURS, STEPS_A_CELL, JackalView, worth
from engine.jackal.tiles import ARROW, BY_CODE, CODE, EFFECT, EMPTY, KINDS, OPEN, SPENT, TileKind, rotation_of
from engine.jackal.view import men

CLOSED: Final = "··"
BLANK: Final = ".."
SEA: Final = "  "
SHIPS: Final[dict[Language, str]] = {"ru": "БЖЧКш", "en": "WYBRb"}
"""Letters of the ships in the order of the colours, and of the boat; a keel stands beside them."""
KEEL: Final = "="

_ARROWS: Final = {
    "a1s": ("→ ", "↓ ", "← ", "↑ "),
    "a1d": ("↗ ", "↘ ", "↙ ", "↖ "),
    "a2s": ("↔ ", "↕ ", "↔ ", "↕ "),
    "a2d": ("⤢ ", "⤡ ", "⤢ ", "⤡ "),
    "a3": ("↖Y", "↗Y", "↘Y", "↙Y"),
    "a4s": ("✛ ",) * 4,
    "a4d": ("✕ ",) * 4,
}
"""Arrows by rotation; of the three-way one its diagonal, the other two ways are the straight ones not touching it."""
_BARRELS: Final = "↑→↓←"


def text_rows(view: JackalView) -> tuple[Row, ...]:
    """Return the map: a line of column letters, then a line a row; two signs and a space a cell.

    Gold lying on a cell stands as its worth in the second sign.
    """
    second = view.options.ship_move == "second_ring"
    columns = "ZABCDEFGHIJKLMN" if second else "ABCDEFGHIJKLM"
    numbers = range(15) if second else range(1, 14)
    rows: list[Row] = ["    " + "  ".join(columns)]
    for number in numbers:
        cells = [ISLE.index[f"{column}{number}"] for column in columns]
        rows.append({language: _row(view, number, cells, language) for language in get_args(Language)})
    return tuple(rows)


def _row(view: JackalView, number: int, cells: list[Cell], language: Language) -> str:
    return f"{number:>2}  {' '.join(sign(view, cell, language) for cell in cells)}".rstrip()


def sign(view: JackalView, cell: Cell, language: Language) -> str:
    """Return the two signs of a cell."""
    if ISLE.terrain[cell] != LAND:
        if cell in view.ships:
            return SHIPS[language][view.ships.index(cell)] + KEEL
        return SHIPS[language][len(COLOURS)] + KEEL if cell == view.boat != NOWHERE else SEA
    tile = view.tiles[cell]
    if not tile & OPEN:
        return CLOSED
    gold = sum(worth(heap) for place, heap in view.loads if place // STEPS_A_CELL == cell)
    signs = tile_sign(tile, language)
    return f"{signs[0]}{min(gold, 9)}" if gold else signs


def tile_sign(tile: int, language: Language) -> str:
    """Return the two signs of an open tile: a blank where its effect is spent."""
    kind = BY_CODE[tile & CODE]
    if kind.once and tile & EFFECT == SPENT:
        return BLANK
    if ARROW[tile & CODE]:
        return _ARROWS[kind.key][rotation_of(tile)]
    letters = glyph(kind, language)
    return letters[0] + _BARRELS[rotation_of(tile)] if kind.key == "cannon" else f"{letters:<2}"


def glyph(kind: TileKind, language: Language) -> str:
    """Return the sign of a kind in a language."""
    return kind.glyph_en if language == "en" and kind.glyph_en else kind.glyph


def text_legend(view: JackalView) -> Iterator[Label]:
    """Yield what the signs mean, every crew with its ship, men, places and states, and the loads that lie about.

    Only signs that stand on the map are explained.
    """
    yield Label("rows", _signs(view))
    for colour, name in enumerate(COLOURS):
        if view.ships[colour] >= 0:
            boat = ISLE.names[view.boat] if view.boat != NOWHERE and view.boat_owner == colour else ""
            facts = {"colour": name, "ship": ISLE.names[view.ships[colour]], "boat": boat, "men": men(view, colour)}
            yield Label("rows-crew", facts)
    if view.loads:
        places = ((ISLE.names[place // STEPS_A_CELL], place % STEPS_A_CELL, heap) for place, heap in view.loads)
        heaps = [{"cell": cell, "step": step, "items": items_of(heap)} for cell, step, heap in places]
        yield Label("rows-loads", {"heaps": heaps})


def _signs(view: JackalView) -> dict[str, object]:
    """Return which signs stand on the map: ships by colour, groups of tiles, and kinds with letters of their own."""
    tiles = [view.tiles[cell] for cell in ISLE.land if view.tiles[cell] & OPEN]
    shown = {tile & CODE for tile in tiles if not (BY_CODE[tile & CODE].once and tile & EFFECT == SPENT)}
    kinds = [kind for kind in KINDS.values() if kind.code in shown and not kind.exits and not kind.steps]
    lettered = [kind for kind in kinds if kind.code != EMPTY]
    return {
        "ships": [name for colour, name in enumerate(COLOURS) if view.ships[colour] >= 0],
        "boat": view.boat != NOWHERE,
        "closed": len(tiles) < len(ISLE.land),
        "blank": any(tile_sign(tile, "en") == BLANK for tile in tiles),
        "arrows": any(kind.exits for kind in KINDS.values() if kind.code in shown),
        "spins": any(kind.steps for kind in KINDS.values() if kind.code in shown),
        "kinds": [{"key": kind.key, "ru": glyph(kind, "ru"), "en": glyph(kind, "en")} for kind in lettered],
        "gold": any(worth(heap) for _, heap in view.loads),
    }
