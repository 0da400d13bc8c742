"""What a ship does in a mail turn: the parts that were ordered, and the default of those that were not (2.5.4, D18)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from engine.blockade.commands import ConcludeOrder, DashOrder, FireOrder, PlanOrder, TurnOrder
from engine.blockade.state import Piece
from engine.blockade.waters import Relative
from engine.core.contract import Sheet


@dataclass(frozen=True, slots=True)
class Signals:
    """A ship's orders with nothing left open; ``dash_said`` tells whether the dash was ordered."""

    steps: tuple[Relative, ...]
    fire: bool = True
    dash: str = "ram"
    turn: str = "auto"
    conclude: bool = False
    dash_said: bool = False


def filled(steps: str, impulses: int) -> str:
    """Return a plan of exactly so many steps: filled up with ``=``, or cut (2.5.2)."""
    return (steps + "=" * impulses)[:impulses]


def signals(sheet: Sheet, piece: Piece, impulses: int) -> Signals:
    """Return what a sheet orders a ship; a part that it lacks is ``===``, fire all, ``таран``, ``авто``."""
    steps, fire, dash, turn, conclude, said = "", True, "ram", "auto", False, False
    for order in sheet:
        match order:
            case PlanOrder():
                steps = order.steps
            case FireOrder():
                fire = order.fire == "all"
            case DashOrder() if (piece, order.dash) != ("blockader", "run"):
                dash, said = order.dash, True
            case TurnOrder():
                turn = order.turn
            case ConcludeOrder():
                conclude = order.agreed
            case _:
                pass
    return Signals(cast("tuple[Relative, ...]", tuple(filled(steps, impulses))), fire, dash, turn, conclude, said)
