"""The end of a game: who has won, why, by which rule (B9–B11, B22, B23)."""

from __future__ import annotations

from typing import Final

from engine.blockade.board import Board
from engine.blockade.state import Piece
from engine.core.contract import Outcome

RULES: Final = {
    "escape": "B10",
    "harbour": "B11",
    "ram": "B22",
    "head-on": "B22",
    "ashore": "B9",
    "points": "B23",
    "tie": "B23",
}
"""The reasons for which a game ends, and their rules."""


def outcome(board: Board, reason: str, winner: Piece, how: str = "") -> Outcome:
    """Return an outcome; ``how`` points came to be counted: ``limit`` or ``agreed`` (D10)."""
    runner, blockader = board.ships["runner"], board.ships["blockader"]
    return Outcome(
        reason=reason,
        rule=RULES[reason],
        sides=(winner,),
        winners=(board.ships[winner].seat,),
        facts={
            "points": {"runner": runner.points, "blockader": blockader.points},
            "cell": board.ships[winner].at.name,
            "how": how,
        },
    )


def on_points(board: Board, how: str) -> Outcome:
    """Return the outcome by points; a tie is the Blockader's: the blockade was held (B23, D10)."""
    runner, blockader = board.ships["runner"].points, board.ships["blockader"].points
    if runner == blockader:
        return outcome(board, "tie", "blockader", how)
    return outcome(board, "points", "runner" if runner > blockader else "blockader", how)


def limit_reached(board: Board) -> bool:
    """Say whether both ships have made their moves, read at the end of a mail turn (B23)."""
    return all(ship.moves >= board.options.limit for ship in board.ships.values())
