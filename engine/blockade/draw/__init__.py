"""The chart as a picture and as text; labels are keys, words are in templates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.blockade.events import Stepped
from engine.blockade.state import BlockadeView
from engine.blockade.waters import SIDE, Square, chart_of, harbour, square
from engine.core.contract import Event
from engine.core.drawing import Circle, Drawing, Label, Line, Pen, Rect

__all__ = ["draw"]

_SQUARE: Final = 20
_SIZE: Final = SIDE * _SQUARE


def draw(view: BlockadeView, events: Sequence[Event] = ()) -> Drawing:
    """Return the chart as everybody sees it; ``events`` of the turn give the tracks of both ships."""
    chart = chart_of(view.islands, view.rocks)
    land = tuple(
        Rect(left, top, _SQUARE, _SQUARE, Pen(fill="#c8a870" if one in chart.islands else "#808080"))
        for one in sorted(chart.land)
        for left, top in (_corner(one),)
    )
    tracks = tuple(
        Line((_centre(event.start), _centre(event.cell)), Pen(stroke="#303030"))
        for event in events
        if isinstance(event, Stepped)
    )
    ships = tuple(
        Circle(*_centre(ship.cell), 7, Pen(fill="#000000" if ship.piece == "runner" else "#ffffff", stroke="#000000"))
        for ship in view.ships
    )
    return Drawing(
        width=_SIZE,
        height=_SIZE,
        background="#dde8ee",
        base=land,
        overlay=(*tracks, *ships),
        alt=Label("chart", {"turn": view.turn}),
        rows=_rows(view),
    )


def _corner(one: Square) -> tuple[float, float]:
    return (one.column - 1) * _SQUARE, (SIDE - one.row) * _SQUARE


def _centre(cell: str) -> tuple[float, float]:
    left, top = _corner(square(cell))
    return left + _SQUARE / 2, top + _SQUARE / 2


def _rows(view: BlockadeView) -> tuple[str, ...]:
    """Return the chart row by row from the north: R, B, ``#`` island, ``*`` rock, ``=`` harbour."""
    chart = chart_of(view.islands, view.rocks)
    signs = dict.fromkeys(harbour(view.options), "=")
    signs |= {one.name: "#" if one in chart.islands else "*" for one in sorted(chart.land)}
    signs |= {ship.cell: ship.piece[0].upper() for ship in view.ships}
    columns = range(1, SIDE + 1)
    return tuple(
        f"{row:2} " + " ".join(signs.get(Square(column, row).name, ".") for column in columns)
        for row in range(SIDE, 0, -1)
    )
