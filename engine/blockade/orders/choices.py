"""Legal orders of a slot, the answer template and examples (2.5)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import get_args

from engine.blockade.commands import (
    DASH_STEPS,
    ConcludeOrder,
    CornerOrder,
    DashDecision,
    DashOrder,
    FireOrder,
    HarbourOrder,
    LayoutOrder,
    LineOrder,
    PlanOrder,
    Side,
    SideOrder,
    TurnDecision,
    TurnOrder,
)
from engine.blockade.layout import EXAMPLE, fault_of
from engine.blockade.orders.sheet import moves_now
from engine.blockade.orders.writing import write
from engine.blockade.rules.setup import CORNER, HARBOUR
from engine.blockade.rules.turn import policies
from engine.blockade.state import BlockadeView
from engine.blockade.view import plan_is_void
from engine.blockade.waters import RELATIVES, corners, harbour
from engine.core.contract import Language, Order

EXAMPLE_DASH = "=s==p="


def legal(view: BlockadeView, slot: str) -> Iterator[Order]:
    """Yield the legal orders for a slot in a fixed order; of layouts the draw, and a sample if it fits."""
    question = next((question for question in view.questions if question.key == slot), None)
    if question is not None and question.what == "turn":
        yield from (TurnDecision(key=slot, turn=relative) for relative in RELATIVES)
    elif question is not None:
        yield from (DashDecision(key=slot, dash=dash) for dash in _dashes(view))
    elif view.stage == "sides":
        yield from _of_sides(view, slot)
    elif view.stage == "layout" and slot == "layout":
        yield LayoutOrder()
        yield from _sample(view)
    elif view.stage == "play":
        yield from _of_play(view, slot)


def _of_sides(view: BlockadeView, slot: str) -> Iterator[Order]:
    if slot == "side":
        yield from (SideOrder(side=side) for side in get_args(Side))
    elif slot == "harbour":
        yield from (HarbourOrder(cell=cell) for cell in harbour(view.options))
    elif slot == "corner":
        yield from (CornerOrder(cell=cell) for cell in corners(view.options))


def _sample(view: BlockadeView) -> Iterator[LayoutOrder]:
    islands, rocks = EXAMPLE
    if fault_of(islands, rocks, [ship.cell for ship in view.ships]) is None:
        yield LayoutOrder(islands=islands, rocks=rocks)


def _of_play(view: BlockadeView, slot: str) -> Iterator[Order]:
    if slot == "plan":
        yield from (PlanOrder(steps="".join(plan)) for plan in product(RELATIVES, repeat=view.options.impulses))
    elif slot == "fire":
        yield from (FireOrder(fire="all"), FireOrder(fire="hold"))
    elif slot == "dash":
        yield from (DashOrder(dash=dash) for dash in _dashes(view))
    elif slot == "turn":
        yield from (TurnOrder(turn="auto"), TurnOrder(turn="none"), TurnOrder(turn="s"), TurnOrder(turn="p"))
    elif slot == "conclude":
        yield from (ConcludeOrder(agreed=True), ConcludeOrder(agreed=False))


def _dashes(view: BlockadeView) -> Iterator[str]:
    if view.piece:
        yield from policies(view.piece)
        yield from ("".join(plan) for plan in product(RELATIVES, repeat=DASH_STEPS))


def template(view: BlockadeView, language: Language) -> tuple[str, ...]:
    """Return the lines that a seat is likely to send, ready to be edited."""
    if view.outcome is not None or view.seat not in view.roster:
        return ()
    if view.stage == "sides":
        orders: tuple[Order, ...] = (SideOrder(side="any"), HarbourOrder(cell=HARBOUR), CornerOrder(cell=CORNER))
    elif view.stage == "layout":
        orders = (LayoutOrder(),) if view.seat == view.toss else ()
    else:
        orders = _of_ship(view, "=" * view.options.impulses, "ram")
    return tuple(write(order, language) for order in orders)


def _of_ship(view: BlockadeView, steps: str, dash: str) -> tuple[Order, ...]:
    """Return a ship's whole orders in one line; without a plan where that would be void."""
    if not moves_now(view):
        return ()
    rest = (FireOrder(fire="all"), DashOrder(dash=dash), TurnOrder(turn="auto"))
    if view.piece and plan_is_void(view, view.piece):
        return (LineOrder(parts=rest),)
    return (LineOrder(parts=(PlanOrder(steps=steps), *rest)),)


def examples(view: BlockadeView, language: Language) -> tuple[str, ...]:
    """Return a few lines that show the language of orders."""
    if view.outcome is not None or view.seat not in view.roster:
        return ()
    orders: tuple[Order, ...] = ()
    if view.stage == "sides":
        orders = (
            SideOrder(side="runner"),
            SideOrder(side="blockader"),
            HarbourOrder(cell=harbour(view.options)[0]),
            CornerOrder(cell=corners(view.options)[-1]),
        )
    elif view.stage == "layout" and view.seat == view.toss:
        orders = (LayoutOrder(),)  # a whole layout is longer than a line of a letter: what is asked shows one
    elif moves_now(view):
        orders = (
            *(
                ()
                if view.piece and plan_is_void(view, view.piece)
                else (PlanOrder(steps="=sp="[: view.options.impulses]),)
            ),
            FireOrder(fire="hold"),
            DashOrder(dash=(*policies(view.piece or "blockader")[1:], EXAMPLE_DASH)[0]),
            TurnOrder(turn="s"),
        )
    return tuple(write(order, language) for order in orders)
