"""Endless repetition: an action that would bring the same position for the third time is illegal (R-28 a)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.jackal.board import Board
from engine.jackal.rules.illegal import Illegal

TIMES: Final = 3
"""An action that would bring a position for this time is illegal."""


def clears(branch: Board) -> bool:
    """Say whether an action begins a new count of positions: an opening, a score, a death, a tile changed."""
    return bool(branch.opened or branch.scored or branch.drowned or branch.spent)


def refuse_repetition(seen: Sequence[int], branch: Board, colour: int) -> int:
    """Return the digest of the position an action brings, 0 where nothing can have been repeated yet.

    ``seen`` are the digests of the positions since the last action that cleared the count. Raises Illegal.
    """
    if len(seen) + 1 < TIMES or clears(branch):
        return 0
    mark = branch.digest(colour)
    if seen.count(mark) >= TIMES - 1:
        raise Illegal("third-time", "R28")
    return mark
