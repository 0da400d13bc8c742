"""Legal orders of a slot, the answer template and examples (5.3, 5.6)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from engine.core.codec import decode
from engine.core.contract import Language, Order
from engine.jackal.board import thaw
from engine.jackal.commands import (
    AllyRumOrder,
    Alternative,
    ConcludeOrder,
    JackalOrder,
    Pick,
    PolicyCase,
    PolicyOrder,
    PolicyRule,
    SlotOrder,
    Want,
)
from engine.jackal.orders.writing import write
from engine.jackal.rules.moves import legal_acts, wake
from engine.jackal.state import COLOURS, JackalView
from engine.jackal.view import own_plan

EXAMPLES: int = 4


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
    """Return a few legal lines of different units."""
    found: dict[str, str] = {}
    for slot in own_plan(view)[:2]:
        for order in islice(legal(view, slot.key), 60):
            act = order.alternatives[0].act if isinstance(order, SlotOrder) else None
            kind = f"{type(act).__name__}{getattr(act, 'unit', '')}{bool(getattr(act, 'load', None))}"
            found.setdefault(kind, write(order, language, view))
    return tuple(found.values())[:EXAMPLES]
