"""The orders of «Блокада» as values (2.5): set-up, layout, the four parts of a ship's orders, answers.

Steps are relative: ``=`` straight, ``s`` starboard, ``p`` port, as `engine.blockade.waters.Relative`.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from engine.blockade.waters import CellName
from engine.core.contract import Order

Side: TypeAlias = Literal["runner", "blockader", "any"]
DASH_STEPS: Final = 6
"""So many squares are made in a dash (B19)."""


class SideOrder(Order, frozen=True, kw_only=True):
    """«сторона»: which ship a seat would like (B4)."""

    side: Side

    @property
    def slot(self) -> str:
        """``side``."""
        return "side"


class HarbourOrder(Order, frozen=True, kw_only=True):
    """«гавань»: on which square a seat begins as Runner (B2)."""

    cell: CellName

    @property
    def slot(self) -> str:
        """``harbour``."""
        return "harbour"


class CornerOrder(Order, frozen=True, kw_only=True):
    """«угол»: on which square a seat begins as Blockader (B3)."""

    cell: CellName

    @property
    def slot(self) -> str:
        """``corner``."""
        return "corner"


class LayoutOrder(Order, frozen=True, kw_only=True):
    """«остров», «скала», «расклад»: the whole layout, one piece (B5); without islands it is left to the dice."""

    islands: tuple[tuple[CellName, ...], ...] = ()
    rocks: tuple[CellName, ...] = ()

    @property
    def slot(self) -> str:
        """``layout``."""
        return "layout"

    @property
    def random(self) -> bool:
        """Whether it is left to the dice."""
        return not self.islands


class PlanOrder(Order, frozen=True, kw_only=True):
    """«план»: the steps of a mail turn, as many as the game has (2.5.2): ``=sp``."""

    steps: str

    @property
    def slot(self) -> str:
        """``plan``."""
        return "plan"


class FireOrder(Order, frozen=True, kw_only=True):
    """«огонь»: fire every gun that bears, or hold fire (B15)."""

    fire: Literal["all", "hold"]

    @property
    def slot(self) -> str:
        """``fire``."""
        return "fire"


class DashOrder(Order, frozen=True, kw_only=True):
    """«рывок»: what to do when the enemy is disabled (B19): ``ram``, ``run``, or six steps."""

    dash: str

    @property
    def slot(self) -> str:
        """``dash``."""
        return "dash"


class TurnOrder(Order, frozen=True, kw_only=True):
    """«доворот»: the one change of course of the own ship when she is disabled (B18)."""

    turn: Literal["auto", "none", "s", "p"]

    @property
    def slot(self) -> str:
        """``turn``."""
        return "turn"


class ConcludeOrder(Order, frozen=True, kw_only=True):
    """«завершаем»: count the points as they stand, if both say so (D10)."""

    agreed: bool

    @property
    def slot(self) -> str:
        """``conclude``."""
        return "conclude"


Part: TypeAlias = SideOrder | HarbourOrder | CornerOrder | PlanOrder | FireOrder | DashOrder | TurnOrder | ConcludeOrder


class LineOrder(Order, frozen=True, kw_only=True):
    """Several parts said in one line, parted by semicolons; on a sheet each is an order of its own (2.5.2)."""

    parts: tuple[Part, ...]

    @property
    def slot(self) -> str:
        """The slot of the first part."""
        return self.parts[0].slot


class TurnDecision(Order, frozen=True, kw_only=True):
    """The answer of a disabled ship in strict play: her single change of course."""

    key: str
    turn: Literal["=", "s", "p"]

    @property
    def slot(self) -> str:
        """The key of the question."""
        return self.key


class DashDecision(Order, frozen=True, kw_only=True):
    """The answer of a firer in strict play: his dash, as in `DashOrder`."""

    key: str
    dash: str

    @property
    def slot(self) -> str:
        """The key of the question."""
        return self.key


BlockadeOrder: TypeAlias = (
    SideOrder
    | HarbourOrder
    | CornerOrder
    | LayoutOrder
    | PlanOrder
    | FireOrder
    | DashOrder
    | TurnOrder
    | ConcludeOrder
    | LineOrder
    | TurnDecision
    | DashDecision
)
