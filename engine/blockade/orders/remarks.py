"""What a receipt says beside orders: plans filled up or cut, steps that land will change, a head-on ram foreseen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.blockade.board import Board, Vessel, thaw
from engine.blockade.commands import DASH_STEPS, DashOrder, Part, PlanOrder
from engine.blockade.events import ForcedHome, RanAground, StepChanged, Stepped
from engine.blockade.rules.helm import Step, bar_of, step_of, strikes_head_on
from engine.blockade.rules.passage import Passage
from engine.blockade.rules.signals import filled
from engine.blockade.state import BlockadeView
from engine.blockade.view import plan_is_void
from engine.blockade.waters import RELATIVES, Square
from engine.core.contract import Event, Note


def sized(view: BlockadeView, part: Part) -> tuple[Part, tuple[Note, ...]]:
    """Return a part with as many steps as the game has, and what was filled up or cut (✂, 2.5.2, 2.5.5)."""
    if isinstance(part, PlanOrder):
        size = view.options.impulses
        return PlanOrder(steps=filled(part.steps, size)), _size_notes("plan", part.steps, size)
    if isinstance(part, DashOrder) and part.dash not in ("ram", "run"):
        return DashOrder(dash=filled(part.dash, DASH_STEPS)), _size_notes("dash", part.dash, DASH_STEPS)
    return part, ()


def _size_notes(what: str, steps: str, size: int) -> tuple[Note, ...]:
    if len(steps) == size:
        return ()
    key = f"{what}-filled" if len(steps) < size else f"{what}-cut"
    rule = "2.5.2" if what == "plan" else "2.5.5"
    facts = {"steps": filled(steps, size), "given": len(steps), "size": size, "left_over": steps[size:]}
    return (Note(kind="cut", key=key, rule=rule, facts=facts),)


def on_part(view: BlockadeView, part: Part) -> tuple[Note, ...]:
    """Return what the chart says of a part: of a plan, the steps that will be others, where it ends ashore (2.5.4)."""
    if not isinstance(part, PlanOrder) or not view.piece:
        return ()
    if plan_is_void(view, view.piece):
        return (Note(kind="cut", key="plan-void", rule="B20", facts={"piece": view.piece}),)
    return tuple(_on_plan(view, part))


def _on_plan(view: BlockadeView, plan: PlanOrder) -> Iterator[Note]:
    """Follow the own plan as far as it is known beforehand: land, edge, harbour, and the forced square.

    Where the enemy will be nobody knows, but for the first step: before who moves first he lies as he lies now, and if
    he moves first and is disabled, on his forced square (B20).
    """
    assert view.piece  # noqa: S101 - `on_part` has looked
    passage = Passage(thaw(view))
    ship = passage.board.ships[view.piece]
    leads = view.first == view.piece
    for impulse, planned in enumerate(plan.steps, 1):
        if impulse == 1 and not leads and passage.board.foe(ship).disabled:
            foe = passage.board.foe(ship)
            foe.at = foe.at.ahead(foe.heading)
        elif impulse > 1 or not leads:
            _out_of_sight(passage.board, ship)
        yield from _head_on(passage.board, ship, impulse, planned)
        seen = len(passage.events)
        passage.move(view.piece, impulse, planned)  # type: ignore[arg-type]
        yield from _told(passage.events[seen:])
        if passage.outcome is not None:
            return


def _out_of_sight(board: Board, ship: Vessel) -> None:
    """Take the enemy off the chart: he moves too, and a receipt does not guess where to."""
    board.foe(ship).at = Square(-9, -9)


def _head_on(board: Board, ship: Vessel, impulse: int, planned: str) -> Iterator[Note]:
    """Warn of a planned head-on ram, which is obeyed (D17)."""
    step = _planned(ship, planned)
    if strikes_head_on(board, ship, step) and not bar_of(board, ship.piece, ship.at, step.to):
        yield Note(kind="warning", key="head-on", rule="B22", facts={"impulse": impulse, "cell": step.to.name})


def _planned(ship: Vessel, planned: str) -> Step:
    return step_of(ship.at, ship.heading, "=" if ship.disabled else next(one for one in RELATIVES if one == planned))


def _told(events: Sequence[Event]) -> Iterator[Note]:
    """Tell what a step will be instead of the planned one, and where the plan ends the game."""
    changed = next((event for event in events if isinstance(event, StepChanged)), None)
    for event in events:
        if isinstance(event, Stepped) and changed is not None:
            facts = {
                "impulse": changed.impulse,
                "planned": changed.planned,
                "taken": changed.taken,
                "why": changed.why,
                "cell": event.cell,
                "heading": event.heading,
            }
            yield Note(kind="cut", key="step-changed", rule=changed.rule, facts=facts)
        elif isinstance(event, RanAground):
            facts = {"cell": event.cell, "forced": event.forced}
            yield Note(kind="warning", key="ashore", rule=event.rule, facts=facts)
        elif isinstance(event, ForcedHome):
            yield Note(kind="warning", key="harbour", rule="B11", facts={"cell": event.cell})
