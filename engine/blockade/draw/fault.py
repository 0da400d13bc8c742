"""Why a layout is illegal, drawn: all that was laid out, the squares at fault, and where the rule bars (B5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from engine.blockade.draw.overlay import title
from engine.blockade.draw.paper import CELL, FIRE, HATCH, HEIGHT, PAPER, WHITE, WIDTH, base, centre, corner
from engine.blockade.draw.rows import FAULT, laid, land, signs_of
from engine.blockade.draw.signs import SYMBOLS
from engine.blockade.layout import COLUMNS, ISLAND_ROWS, ROCK_ROWS
from engine.blockade.state import BlockadeView
from engine.blockade.waters import OPEN_SEA, SIDE, CellName, Square, heading_of, square
from engine.core.contract import Complaint
from engine.core.drawing import Drawing, Label, Line, Pen, Rect, Shape, Use

PREFIX: Final = "layout-"
"""Complaints about a layout bear the name of the condition it breaks behind this."""


def fault(view: BlockadeView, complaint: Complaint) -> Drawing | None:
    """Return the drawing of a refused layout, None for a complaint that no drawing would explain."""
    facts = complaint.facts
    if not complaint.key.startswith(PREFIX) or not (facts.get("islands") or facts.get("rocks")):
        return None
    condition = complaint.key.removeprefix(PREFIX)
    islands = tuple(tuple(island) for island in facts["islands"])
    rocks, bad = tuple(facts["rocks"]), tuple(facts["cells"])
    label: dict[str, Any] = {"condition": condition, "cells": list(bad)}
    signs = signs_of(view) | land(islands, rocks) | dict.fromkeys(bad, FAULT)
    return Drawing(
        width=WIDTH,
        height=HEIGHT,
        background=PAPER,
        base=base(view.options, islands, rocks),
        overlay=tuple(_overlay(view, condition, bad)),
        alt=Label("fault", label),
        rows=laid(signs),
        legend=(Label("rows-fault", label),),
        patterns=(HATCH,),
        symbols=SYMBOLS,
    )


def _overlay(view: BlockadeView, condition: str, bad: Sequence[CellName]) -> Iterator[Shape]:
    yield from title(view)
    for left, low, right, high in _barred(condition):
        x, y = corner(Square(left, high))
        yield Rect(x, y, (right - left + 1) * CELL, (high - low + 1) * CELL, Pen(fill=FIRE, opacity=0.16))
    for ship in view.ships:
        yield Use(ship.piece, *centre(square(ship.cell)), heading_of(ship.heading) * 45)
    for cell in bad:
        x, y = centre(square(cell))
        half = CELL / 2 - 1.5
        yield Rect(x - half, y - half, 2 * half, 2 * half, Pen(stroke=FIRE, width=3), 3)
        for slope in (1, -1):
            cross = ((x - 6, y - 6 * slope), (x + 6, y + 6 * slope))
            yield Line(cross, Pen(stroke=WHITE, width=5))
            yield Line(cross, Pen(stroke=FIRE, width=2.6))


def _barred(condition: str) -> tuple[tuple[int, int, int, int], ...]:
    """Return the squares in which a condition allows nothing: columns and rows, first and last, of oblongs."""
    match condition:
        case "island-near-mainland":
            return ((1, 1, SIDE, ISLAND_ROWS[0] - 1),)
        case "rock-near-mainland":
            return ((1, 1, SIDE, ROCK_ROWS[0] - 1),)
        case "near-edge":
            west, east = COLUMNS
            return (1, 1, west - 1, SIDE), (east + 1, 1, SIDE, SIDE), (west, OPEN_SEA, east, OPEN_SEA)
        case _:
            return ()
