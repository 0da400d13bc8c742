"""The switches of «Блокада» (page, table under 2.3) and the presets that name combinations of them."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

from engine.core.contract import Options


class BlockadeOptions(Options, frozen=True, kw_only=True):
    """Every switch of the ruleset, the default first.

    ``steps`` is the number of steps in a plan; by ``mode=strict`` a plan is one step whatever it says. ``limit`` is the
    number of moves after which points are counted (D10).
    """

    mode: Literal["sealed", "strict"] = "sealed"
    steps: Literal[3, 1, 2, 4] = 3
    harbour: Literal[6, 4, 2] = 6
    blockader_heading: Literal["inward", "literal"] = "inward"
    range: Literal[10, 11] = 10
    head_on: Literal["exact", "arc"] = "exact"
    limit: Annotated[int, msgspec.Meta(ge=1, le=500)] = 60

    @property
    def impulses(self) -> int:
        """How many steps each ship makes in a mail turn that no dash ends (2.5)."""
        return 1 if self.mode == "strict" else self.steps


EDITIONS: Final[dict[str, BlockadeOptions]] = {
    "sealed": BlockadeOptions(),
    "strict": BlockadeOptions(mode="strict"),
}
"""Sealed plans of three steps (the default), and move by move."""
