"""The chart as text, for a mail read in a fixed-width face."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.core.drawing import Label
from engine.core.geometry import Cell, parse_cell
from engine.pirates.board import Board, board_of
from engine.pirates.state import PiratesView

_STREAM_SIGNS: Final = {"E": ">", "W": "<", "N": "^", "S": "v", "NE": "/", "SW": "/", "NW": "\\", "SE": "\\"}


def text_rows(view: PiratesView) -> tuple[str, ...]:
    """Return the chart for a fixed-width mail: two lines of column numbers, then a row a line.

    Ships stand as their numbers, several in a port as ``+``.
    """
    board = board_of(view.options.board, view.board)
    signs = {cell: _text_sign(board, cell) for cell in board.kinds}
    for cell in board.kinds:
        here = [ship.number for ship in view.ships if ship.cell == cell]
        if here:
            signs[cell] = str(here[0]) if len(here) == 1 else "+"
    tens = "".join(str(column // 10) if column >= 10 else " " for column in range(1, board.width + 1))
    units = "".join(str(column % 10) for column in range(1, board.width + 1))
    rows = [f"   {tens}".rstrip(), f"   {units}"]
    for row in range(board.height):
        letter = chr(65 + row)
        rows.append(f"{letter}  " + "".join(signs[f"{letter}{column}"] for column in range(1, board.width + 1)))
    return tuple(rows)


def _text_sign(board: Board, cell: Cell) -> str:
    arrow = board.arrows.get(cell)
    if arrow is None:
        return board.kinds[cell]
    current, place = arrow
    first, second = current.cells[:2] if place == 0 else current.cells[place - 1 : place + 1]
    one, other = parse_cell(first), parse_cell(second)
    down, right = other.row - one.row, other.column - one.column
    name = ("N" if down < 0 else "S" if down > 0 else "") + ("W" if right < 0 else "E" if right > 0 else "")
    return _STREAM_SIGNS[name]


def text_legend(view: PiratesView) -> Iterator[Label]:
    """Yield what the signs of `text_rows` mean, and which ships lie together in a port."""
    board = board_of(view.options.board, view.board)
    yield Label("rows")
    for cell, port in board.ports.items():
        here = [ship.number for ship in view.ships if ship.cell == cell]
        if len(here) > 1:
            yield Label("rows-berth", {"port": dict(port.name), "cell": cell, "ships": here})
