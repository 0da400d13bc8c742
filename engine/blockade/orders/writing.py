"""Orders written as lines that read back the same (2.5)."""

from __future__ import annotations

from engine.blockade.commands import (
    ConcludeOrder,
    CornerOrder,
    DashDecision,
    DashOrder,
    FireOrder,
    HarbourOrder,
    LayoutOrder,
    LineOrder,
    PlanOrder,
    SideOrder,
    TurnDecision,
    TurnOrder,
)
from engine.blockade.orders.lexicon import written
from engine.core.contract import Language, Order


def write(order: Order, language: Language) -> str:
    """Return the line that reads back as an order. Raises TypeError for an order of another ruleset."""
    if isinstance(order, LineOrder):
        return "; ".join(write(part, language) for part in order.parts)
    match order:
        case PlanOrder(steps=steps):
            return f"{_head('plan', language)}: {steps_written(steps, language)}"
        case FireOrder(fire=fire):
            return f"{_head('fire', language)} {written('fire', fire, language)}"
        case DashOrder(dash=dash):
            return f"{_head('dash', language)}: {_dash(dash, language)}"
        case TurnOrder(turn=turn):
            return f"{_head('turn', language)}: {_turn(turn, language)}"
        case SideOrder(side=side):
            return f"{_head('side', language)}: {written('side', side, language)}"
        case HarbourOrder(cell=cell):
            return f"{_head('harbour', language)} {cell}"
        case CornerOrder(cell=cell):
            return f"{_head('corner', language)} {cell}"
        case ConcludeOrder(agreed=agreed):
            return _head("conclude" if agreed else "not-conclude", language)
        case LayoutOrder():
            return _layout(order, language)
        case TurnDecision(turn=turn):
            return f"{_head('turn', language)}: {written('steps', turn, language)}"
        case DashDecision(dash=dash):
            return f"{_head('dash', language)}: {_dash(dash, language)}"
    raise TypeError(f"no order of «Блокада»: {order!r}")


def _head(key: str, language: Language) -> str:
    return written("heads", key, language)


def steps_written(steps: str, language: Language) -> str:
    """Return steps with blanks between them: ``= П Л``."""
    return " ".join(written("steps", step, language) for step in steps)


def _dash(dash: str, language: Language) -> str:
    if dash in ("ram", "run"):
        return written("dash", dash, language)
    return "".join(written("steps", step, language) for step in dash)


def _turn(turn: str, language: Language) -> str:
    return written("turn" if turn in ("auto", "none") else "steps", turn, language)


def _layout(order: LayoutOrder, language: Language) -> str:
    if order.random:
        return f"{_head('layout', language)}: {written('layout', 'random', language)}"
    return "; ".join(layout_lines(order, language))


def layout_lines(order: LayoutOrder, language: Language) -> tuple[str, ...]:
    """Return a layout as players write it, a thing a line."""
    islands = [f"{_head('island', language)} {' '.join(island)}" for island in order.islands]
    return (*islands, *(f"{_head('rock', language)} {rock}" for rock in order.rocks))
