"""The island as text, for a mail read in a fixed-width face (page 5.6.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.core.drawing import Label
from engine.jackal.board import items_of
from engine.jackal.isle import ISLE, LAND, NOWHERE, Cell
from engine.jackal.state import COLOURS, STEPS_A_CELL, JackalView, worth
from engine.jackal.tiles import ARROW, BY_CODE, CODE, EFFECT, OPEN, SPENT, rotation_of
from engine.jackal.view import men

CLOSED: Final = "··"
BLANK: Final = ".."
SEA: Final = "  "
SHIPS: Final = ("W=", "Y=", "B=", "R=", "b=")
"""Ships by their English letters, and the boat."""

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
_CANNONS: Final = ("П↑", "П→", "П↓", "П←")


def text_rows(view: JackalView) -> tuple[str, ...]:
    """Return the map: a line of column letters, then a line a row; two signs and a space a cell.

    Gold lying on a cell stands as its worth in the second sign.
    """
    second = view.options.ship_move == "second_ring"
    columns = "ZABCDEFGHIJKLMN" if second else "ABCDEFGHIJKLM"
    numbers = range(15) if second else range(1, 14)
    rows = ["    " + "  ".join(columns)]
    for number in numbers:
        cells = [ISLE.index[f"{column}{number}"] for column in columns]
        rows.append(f"{number:>2}  " + " ".join(sign(view, cell) for cell in cells))
    return tuple(row.rstrip() for row in rows)


def sign(view: JackalView, cell: Cell) -> str:
    """Return the two signs of a cell."""
    if ISLE.terrain[cell] != LAND:
        if cell in view.ships:
            return SHIPS[view.ships.index(cell)]
        return SHIPS[4] if cell == view.boat != NOWHERE else SEA
    tile = view.tiles[cell]
    if not tile & OPEN:
        return CLOSED
    gold = sum(worth(heap) for place, heap in view.loads if place // STEPS_A_CELL == cell)
    signs = tile_sign(tile)
    return f"{signs[0]}{min(gold, 9)}" if gold else signs


def tile_sign(tile: int) -> str:
    """Return the two signs of an open tile: a blank where its effect is spent."""
    kind = BY_CODE[tile & CODE]
    if kind.once and tile & EFFECT == SPENT:
        return BLANK
    if ARROW[tile & CODE]:
        return _ARROWS[kind.key][rotation_of(tile)]
    if kind.key == "cannon":
        return _CANNONS[rotation_of(tile)]
    return f"{kind.glyph:<2}"


def text_legend(view: JackalView) -> Iterator[Label]:
    """Yield what the signs mean, every crew with its ship, men, places and states, and the loads that lie about."""
    yield Label("rows")
    for colour, name in enumerate(COLOURS):
        if view.ships[colour] >= 0:
            boat = ISLE.names[view.boat] if view.boat != NOWHERE and view.boat_owner == colour else ""
            facts = {"colour": name, "ship": ISLE.names[view.ships[colour]], "boat": boat, "men": men(view, colour)}
            yield Label("rows-crew", facts)
    if view.loads:
        places = ((ISLE.names[place // STEPS_A_CELL], place % STEPS_A_CELL, heap) for place, heap in view.loads)
        heaps = [{"cell": cell, "step": step, "items": items_of(heap)} for cell, step, heap in places]
        yield Label("rows-loads", {"heaps": heaps})
