"""The position while a turn is resolved: ships that rules move, on a chart that stays as it is."""

from __future__ import annotations

from dataclasses import dataclass

from engine.blockade.options import BlockadeOptions
from engine.blockade.state import BlockadeState, BlockadeView, Piece, Ship, other
from engine.blockade.waters import Chart, Square, chart_of, harbour, heading_of, square
from engine.core.contract import Seat
from engine.core.geometry import RHUMBS


@dataclass(slots=True)
class Vessel:
    """A ship under way; ``heading`` in eighths clockwise from north."""

    piece: Piece
    seat: Seat
    at: Square
    heading: int
    points: int = 0
    moves: int = 0
    disabled: bool = False


@dataclass(slots=True)
class Board:
    """Chart, switches and both ships."""

    options: BlockadeOptions
    chart: Chart
    harbour: frozenset[Square]
    ships: dict[Piece, Vessel]

    def foe(self, ship: Vessel) -> Vessel:
        """Return the enemy of a ship."""
        return self.ships[other(ship.piece)]


def thaw(position: BlockadeState | BlockadeView) -> Board:
    """Return the board of a position in play."""
    ships = {
        ship.piece: Vessel(
            piece=ship.piece,
            seat=ship.seat,
            at=square(ship.cell),
            heading=heading_of(ship.heading),
            points=ship.points,
            moves=ship.moves,
            disabled=ship.disabled,
        )
        for ship in position.ships
    }
    return Board(
        options=position.options,
        chart=chart_of(position.islands, position.rocks),
        harbour=frozenset(map(square, harbour(position.options))),
        ships=ships,
    )


def freeze(board: Board) -> tuple[Ship, ...]:
    """Return the ships of a board as a position has them."""
    return tuple(
        Ship(
            piece=ship.piece,
            seat=ship.seat,
            cell=ship.at.name,
            heading=RHUMBS[ship.heading],
            points=ship.points,
            moves=ship.moves,
            disabled=ship.disabled,
        )
        for ship in board.ships.values()
    )
