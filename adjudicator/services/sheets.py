"""A seat's sheet is a fold over its accepted mails in order of arrival, never updated in place (play-by-mail 2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, TypeAlias

from adjudicator.letters import SeatWord
from engine.core.contract import Order, Sheet, Slot, Value

Fold: TypeAlias = Callable[[Sheet, Iterable[Order]], Sheet]


class Effect(Value, frozen=True, tag_field="does"):
    """One thing a mail does to its seat's sheet, in the order of its lines."""


class Put(Effect, frozen=True, tag="put"):
    """Orders laid upon the sheet, as plain values of the ruleset's order type."""

    orders: tuple[dict[str, Any], ...]
    standing: bool = False


class Clear(Effect, frozen=True, tag="clear"):
    """``отмена``, ``заново``: the sheet starts from nothing."""

    standing: bool = False


class Restore(Effect, frozen=True, tag="restore"):
    """``вернуть N``: orders in force again as after receipt N of this seat."""

    number: int


class Say(Effect, frozen=True, tag="say"):
    """A word of the seat: ready, wait, draft, or their withdrawal."""

    word: Literal["ready", "not-ready", "wait", "no-wait", "draft"]


class Refused(Effect, frozen=True, tag="refused"):
    """A line was refused and waits to be mended."""


AnyEffect: TypeAlias = Put | Clear | Restore | Say | Refused
Effects: TypeAlias = tuple[AnyEffect, ...]


class SeatSheet(Value, frozen=True):
    """A seat in an open turn: its sheet and standing orders, and what it has said."""

    sheet: tuple[Order, ...] = ()
    standing: tuple[Order, ...] = ()
    ready: bool = False
    wait: bool = False
    draft: bool = False
    refused: bool = False
    accepted: bool = False


class Step(Value, frozen=True):
    """One accepted mail of the seat: its receipt number and effects."""

    number: int
    effects: Effects


def fold(steps: Sequence[Step], standing: Sheet, lay: Fold, to_order: Callable[[dict[str, Any]], Order]) -> SeatSheet:
    """Return the seat after these mails, which must come in order of (arrival, mailbox, uid).

    ``standing`` are the standing orders as the turn opened, ``lay`` is the ruleset's fold, ``to_order`` makes an order of its
    plain value.
    """
    seat = SeatSheet(standing=standing)
    after: dict[int, SeatSheet] = {}
    for step in steps:
        seat = _step(seat, step.effects, after, lay, to_order)
        after[step.number] = seat
    return seat


def _step(
    seat: SeatSheet,
    effects: Effects,
    after: dict[int, SeatSheet],
    lay: Fold,
    to_order: Callable[[dict[str, Any]], Order],
) -> SeatSheet:
    sheet, standing, accepted = seat.sheet, seat.standing, seat.accepted
    refused = any(isinstance(effect, Refused) for effect in effects)
    touched = False
    words: list[str] = []
    for effect in effects:
        if isinstance(effect, Put):
            orders = [to_order(order) for order in effect.orders]
            touched = accepted = True
            if effect.standing:
                standing = lay(standing, orders)
            else:
                sheet = lay(sheet, orders)
        elif isinstance(effect, Clear):
            touched = True
            sheet, standing = ((sheet, ()) if effect.standing else ((), standing))
            accepted = accepted and bool(sheet)
        elif isinstance(effect, Restore) and effect.number in after:
            touched = accepted = True
            sheet, standing = after[effect.number].sheet, after[effect.number].standing
        elif isinstance(effect, Say):
            words.append(effect.word)
    ready = "ready" in words or (seat.ready and not touched and not refused and "not-ready" not in words)
    wait = "wait" in words or (seat.wait and "no-wait" not in words)
    draft = "draft" in words or (seat.draft and not ({"ready", "not-ready"} & set(words)))
    return SeatSheet(
        sheet=sheet,
        standing=standing,
        ready=ready and "draft" not in words,
        wait=wait,
        draft=draft and "ready" not in words,
        refused=refused or (seat.refused and not touched),
        accepted=accepted or (bool(words) and "ready" in words),
    )


def word(seat: SeatSheet, owed: Sequence[Slot], missing: Sequence[str]) -> SeatWord:
    """Return the one word of a seat (play-by-mail 1.1). ``missing`` are the slots that neither its sheet nor its standing
    orders fill.
    """
    if all(slot.optional for slot in owed):
        return "owes nothing"
    if seat.ready:
        return "ready"
    if not seat.accepted and missing:
        return "no orders"
    return "draft" if missing or seat.draft or seat.refused else "orders in"
