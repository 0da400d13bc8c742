"""Legal orders of a slot, the answer template and examples (5.3, 5.6)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from engine.core.codec import decode
from engine.core.contract import Language, Order
from engine.jackal.board import thaw
from engine.jackal.commands import (
    AllyRumOrder,
    Alternative,
    AnyAct,
    ConcludeOrder,
    JackalOrder,
    Pick,
    PolicyCase,
    PolicyOrder,
    PolicyRule,
    Sail,
    SlotOrder,
    Want,
    When,
)
from engine.jackal.isle import ISLE
from engine.jackal.orders.writing import write
from engine.jackal.rules.moves import legal_acts, wake
from engine.jackal.state import COLOURS, JackalView
from engine.jackal.tiles import OPEN
from engine.jackal.view import own_plan

EXAMPLES: Final = 3
_LOOKED_THROUGH: Final = 200


def legal(view: JackalView, slot: str) -> Iterator[Order]:
    """Yield the legal orders for a slot: its acts in canonical order, «по умолчанию» last; samples of open slots."""
    for one in own_plan(view):
        if one.key == slot:
            yield from _of_slot(view, COLOURS.index(one.colour), one.number, smoke=one.colour != one.commander)
    if slot == "policy":
        yield PolicyOrder(always=True)
        yield PolicyOrder(
            rules=(PolicyRule(tile="arrow", cases=(PolicyCase(want=Want(wishes=(Pick(kind="not-water"),))),)),)
        )
    if slot == "ally-rum":
        yield from (AllyRumOrder(bottles=number) for number in (-1, 0, 2))
    if slot == "conclude":
        yield from (ConcludeOrder(agreed=agreed) for agreed in (True, False))
    for question in view.questions:
        if question.key == slot and not question.choices:
            yield decode(question.default, JackalOrder)


def _of_slot(view: JackalView, colour: int, number: int, *, smoke: bool) -> Iterator[Order]:
    board = thaw(view)
    wake(board, colour)
    for act in legal_acts(board, colour, view.seen, smoke=smoke):
        yield SlotOrder(colour=COLOURS[colour], number=number, alternatives=(Alternative(act=act),))
    yield SlotOrder(colour=COLOURS[colour], number=number, alternatives=(Alternative(),))


def template(view: JackalView, language: Language) -> tuple[str, ...]:
    """Return a legal line for every slot the viewer commands."""
    slots = own_plan(view)
    return tuple(write(next(legal(view, slot.key)), language, view) for slot in slots)


def examples(view: JackalView, language: Language) -> tuple[str, ...]:
    """Return a line for each of the first slots: what to do, at a surprise too, and what else; it may be sent as is."""
    lines = []
    for place, slot in enumerate(own_plan(view)[:EXAMPLES]):
        acts = _of_many_kinds(view, slot.key)
        if acts:
            first = next((act for act in acts if getattr(act, "load", None)), acts[place % len(acts)])
            other = next((act for act in acts if _mover(act) != _mover(first)), None)
            whens = _SURPRISE if place == 0 and any(not view.tiles[cell] & OPEN for cell in ISLE.land) else ()
            alternatives = (Alternative(act=first, whens=whens), *((Alternative(act=other),) if other else ()))
            order = SlotOrder(colour=slot.colour, number=slot.number, alternatives=alternatives)
            lines.append(write(order, language, view))
    return tuple(lines)


_SURPRISE: Final = (When(tile="arrow", want=Want(wishes=(Pick(kind="not-water"), Pick(kind="to-closed")))),)


def _of_many_kinds(view: JackalView, slot: str) -> list[AnyAct]:
    """Return the first legal act of each mover, with a load and without."""
    found: dict[tuple[str, str, bool], AnyAct] = {}
    for order in islice(legal(view, slot), _LOOKED_THROUGH):
        act = order.alternatives[0].act if isinstance(order, SlotOrder) else None
        if act is not None:
            found.setdefault((type(act).__name__, _mover(act), bool(getattr(act, "load", None))), act)
    return list(found.values())


def _mover(act: AnyAct) -> str:
    return "" if isinstance(act, Sail) else act.unit
