"""The end and the score (J11)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.contract import Outcome
from engine.jackal.board import Board
from engine.jackal.state import COLOURS, DRUNK, WAKING

QUIET_SLOTS: int = 50
"""So many slots a colour in play without an opening or a score end the game (R-28 b)."""


def side_name(board: Board, side: int) -> str:
    """Return the id of a side: that of its first colour."""
    return COLOURS[board.sides.index(side)]


def scores(board: Board) -> dict[int, int]:
    """Return the gold of every side, pooled (J12.1), by the number of the side."""
    found: dict[int, int] = {}
    for colour, side in enumerate(board.sides):
        if side >= 0:
            found[side] = found.get(side, 0) + board.gold[colour]
    return found


def ended(board: Board, quiet: int, skipped: int) -> Outcome | None:
    """Return the outcome if the game is over after a slot (J11.0–J11.5)."""
    left = board.left
    if left == 0:
        return outcome(board, "no-gold-left", "J11.2")
    if board.options.end_early == "leader" and max(board.gold) * 2 > left:
        gold = sorted(scores(board).values(), reverse=True)
        if gold[0] > gold[1] + left:
            return outcome(board, "leader", "J11.3")
    if not (board.drowned or board.spent or skipped or quiet >= QUIET_SLOTS):
        return None
    living = board.living()
    if not living:
        return outcome(board, "nobody-left", "J11.4")
    if skipped >= len(living) and not any(mood & (DRUNK | WAKING) for mood in board.moods):
        return outcome(board, "nobody-can-act", "J11.4")
    if quiet >= QUIET_SLOTS * len(living):
        return outcome(board, "stalemate", "J11.5")
    return None


def outcome(board: Board, reason: str, rule: str) -> Outcome:
    """Return who has won: most gold; ties are shared, or go to the more living pirates (J11.1, R-29)."""
    gold = scores(board)
    most = max(gold.values())
    best = [side for side, have in gold.items() if have == most]
    if board.options.tie == "living" and len(best) > 1:
        men = {side: _living_pirates(board, side) for side in best}
        best = [side for side in best if men[side] == max(men.values())]
    return Outcome(
        reason=reason,
        rule=rule,
        sides=tuple(side_name(board, side) for side in best),
        winners=_winners(board, best),
        facts={"gold": {side_name(board, side): have for side, have in gold.items()}, "left": board.left},
    )


def _winners(board: Board, sides: Sequence[int]) -> tuple[str, ...]:
    seats = [board.seats[colour] for side in sides for colour in range(4) if board.sides[colour] == side]
    return tuple(dict.fromkeys(seats))


def _living_pirates(board: Board, side: int) -> int:
    """Count a side's living pirates; Ben Gunn and the converted missionary are pirates (terms)."""
    living = (unit for unit, place in enumerate(board.places) if place >= 0 and board.is_fighter(unit))
    return sum(board.side_of(unit) == side for unit in living)
