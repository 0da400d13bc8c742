"""The chart as text, for a mail read in a fixed-width face: two signs a square."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.blockade.draw.overlay import log_of
from engine.blockade.state import PIECES, BlockadeView
from engine.blockade.waters import OPEN_SEA, SIDE, CellName, Square, corners, harbour
from engine.core.contract import Event
from engine.core.drawing import Label
from engine.core.geometry import RHUMBS

WATER: Final = "· "
ISLAND: Final = "##"
ROCK: Final = "^^"
HARBOUR: Final = "_ "
CORNER: Final = ": "
FAULT: Final = "!!"
ARROWS: Final = dict(zip(RHUMBS, "↑↗→↘↓↙←↖", strict=True))
LETTERS: Final = {"runner": "R", "blockader": "B"}
DASH: Final = "+"


def text_rows(view: BlockadeView, events: Sequence[Event] = ()) -> tuple[str, ...]:
    """Return the map from north to south, ships with their headings, and the squares each passed this turn."""
    return laid(signs_of(view, events))


def laid(signs: dict[CellName, str]) -> tuple[str, ...]:
    """Return signs of squares as rows between two lines of column letters."""
    letters = "   " + " ".join(Square(column, 1).name[0] for column in range(1, SIDE + 1))
    rows = [letters]
    for row in range(OPEN_SEA, 0, -1):
        cells = "".join(signs.get(Square(column, row).name, WATER) for column in range(1, SIDE + 1))
        rows.append(f"{row:>2} {cells}".rstrip())
    return (*rows, letters)


def signs_of(view: BlockadeView, events: Sequence[Event] = ()) -> dict[CellName, str]:
    """Return the signs of all squares that are not plain water."""
    signs = dict.fromkeys(harbour(view.options), HARBOUR)
    if view.stage != "play":
        signs |= dict.fromkeys(corners(view.options), CORNER)
    signs |= land(view.islands, view.rocks)
    log = log_of(view, events)
    for piece in PIECES:
        for step in log.ways[piece]:
            signs.setdefault(step.start, LETTERS[piece].lower() + "0")
            signs[step.cell] = LETTERS[piece].lower() + (DASH if step.dash else str(step.impulse))
    for ship in view.ships:
        signs[ship.cell] = LETTERS[ship.piece] + ARROWS[ship.heading]
    return signs


def land(islands: Sequence[Sequence[CellName]], rocks: Sequence[CellName]) -> dict[CellName, str]:
    """Return the signs of islands and rocks."""
    return {cell: ISLAND for island in islands for cell in island} | dict.fromkeys(rocks, ROCK)


def text_legend(view: BlockadeView, events: Sequence[Event] = ()) -> Iterator[Label]:
    """Yield what the signs mean, and how the ships stand."""
    ships = [{"piece": ship.piece, "cell": ship.cell, "heading": ship.heading} for ship in view.ships]
    log = log_of(view, events)
    facts = {
        "ships": ships,
        "stage": view.stage,
        "tracks": any(log.ways[piece] for piece in PIECES),
        "dash": any(step.dash for piece in PIECES for step in log.ways[piece]),
    }
    yield Label("rows", facts)
