"""A seat's sheet is a fold over its accepted mails in order of arrival, never updated in place (play-by-mail 2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import field
from msgspec.structs import replace

from adjudicator.letters import SeatWord
from engine.core import codec
from engine.core.contract import Language, Order, Ruleset, Sheet, Slot, Value

Fold: TypeAlias = Callable[[Sheet, Iterable[Order]], Sheet]
ToOrder: TypeAlias = Callable[[dict[str, Any]], Order]


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


Words: TypeAlias = Literal["ready", "not-ready", "wait", "no-wait", "draft"]


class Say(Effect, frozen=True, tag="say"):
    """A word of the seat: ready, wait, draft, or their withdrawal."""

    word: Words


class Reply(Effect, frozen=True, tag="reply"):
    """Answers to the questions of a group, by key (play-by-mail 1.8); ``by`` is who gave them for the seat, if one did.

    Only readings of a group hold any, and these hold no orders.
    """

    answers: dict[str, str]
    by: Literal["seat", "moderator"] = "seat"


class Refused(Effect, frozen=True, tag="refused"):
    """A line was refused and waits to be mended; ``traces`` are what it leaves behind, as plain values."""

    traces: tuple[dict[str, Any], ...] = ()


AnyEffect: TypeAlias = Put | Clear | Restore | Say | Reply | Refused
Effects: TypeAlias = tuple[AnyEffect, ...]


class SeatSheet(Value, frozen=True):
    """A seat in an open turn: its sheet and standing orders, and what it has said.

    ``answers`` are those to the questions of a group, with who gave each. ``traces`` are what its orders of this turn
    left behind, those dropped and refused among them (`Order.trace`).
    """

    sheet: tuple[Order, ...] = ()
    standing: tuple[Order, ...] = ()
    ready: bool = False
    wait: bool = False
    draft: bool = False
    refused: bool = False
    accepted: bool = False
    answers: dict[str, tuple[str, Literal["seat", "moderator"]]] = field(default_factory=dict)
    traces: tuple[Order, ...] = ()

    @property
    def seen(self) -> tuple[Order, ...]:
        """What a letter that comes now is read upon: the sheet, and what is left of orders that are no longer on it."""
        return (*self.sheet, *self.traces)


class Step(Value, frozen=True):
    """One accepted mail of the seat: its receipt number and effects."""

    number: int
    effects: Effects


class History(Value, frozen=True):
    """A seat after all its mails so far, and after each by the number of its receipt; one more need not fold them all.

    ``lay`` is the ruleset's fold, ``to_order`` makes an order of its plain value.
    """

    now: SeatSheet
    after: dict[int, SeatSheet] = field(default_factory=dict)

    def then(self, step: Step, lay: Fold, to_order: ToOrder) -> History:
        """Return the seat's history with one more mail."""
        seat = _step(self.now, step.effects, self.after, lay, to_order)
        return History(now=seat, after={**self.after, step.number: seat})


def history(steps: Sequence[Step], standing: Sheet, lay: Fold, to_order: ToOrder) -> History:
    """Return the seat after these mails, which must come in order of (arrival, mailbox, uid).

    ``standing`` are the standing orders as the turn opened.
    """
    found = History(now=SeatSheet(standing=standing))
    for step in steps:
        found = found.then(step, lay, to_order)
    return found


def fold(steps: Sequence[Step], standing: Sheet, lay: Fold, to_order: ToOrder) -> SeatSheet:
    """Return the seat as these mails leave it."""
    return history(steps, standing, lay, to_order).now


def laying(ruleset: Ruleset, view: Any) -> tuple[Fold, ToOrder]:
    """Return how a ruleset lays orders upon the sheet of a seat, and makes them of their plain values."""

    def lay(sheet: Sheet, orders: Iterable[Order]) -> Sheet:
        return ruleset.fold(view, sheet, orders)

    def to_order(plain: dict[str, Any]) -> Order:
        order: Order = codec.from_plain(plain, ruleset.info.order)
        return order

    return lay, to_order


def _step(
    seat: SeatSheet,
    effects: Effects,
    after: Mapping[int, SeatSheet],
    lay: Fold,
    to_order: ToOrder,
) -> SeatSheet:
    """Return the seat after one mail; a mail that touches the orders leaves it ready only if it says so itself."""
    refused = any(isinstance(effect, Refused) for effect in effects)
    touched = any(isinstance(effect, Put | Clear | Restore | Reply) for effect in effects)
    seat = replace(
        seat, ready=seat.ready and not (touched or refused), refused=refused or (seat.refused and not touched)
    )
    for effect in effects:
        match effect:
            case Put():
                seat = _put(seat, effect, lay, to_order)
            case Clear(standing=True):
                seat = replace(seat, standing=())
            case Clear():
                seat = replace(seat, sheet=(), accepted=False)
            case Restore() if effect.number in after:
                then = after[effect.number]
                seat = replace(
                    seat,
                    sheet=then.sheet,
                    standing=then.standing,
                    accepted=then.accepted,
                    refused=seat.refused or then.refused,
                    answers=then.answers,
                )
            case Refused():
                seat = _traced(seat, [to_order(order) for order in effect.traces])
            case Reply():
                given = {key: (word, effect.by) for key, word in effect.answers.items()}
                seat = replace(seat, answers={**seat.answers, **given}, accepted=True)
            case Say():
                seat = _said(seat, effect.word)
    return seat


def _put(seat: SeatSheet, put: Put, lay: Fold, to_order: ToOrder) -> SeatSheet:
    orders = [to_order(order) for order in put.orders]
    lasting = [order for order in orders if put.standing or order.lasts]
    passing = [order for order in orders if not (put.standing or order.lasts)]
    standing = lay(seat.standing, lasting) if lasting else seat.standing
    sheet = lay(seat.sheet, passing) if passing else seat.sheet
    return _traced(replace(seat, sheet=sheet, standing=standing, accepted=True), passing)


def _traced(seat: SeatSheet, orders: Sequence[Order]) -> SeatSheet:
    """Return the seat with what these orders leave behind; nothing takes that away but the end of the turn."""
    left = (order.trace for order in orders)
    return replace(seat, traces=tuple(dict.fromkeys([*seat.traces, *(one for one in left if one is not None)])))


def _said(seat: SeatSheet, word: Words) -> SeatSheet:
    """Return the seat after one of its words; of two that contradict each other the later one counts."""
    match word:
        case "ready":
            return replace(seat, ready=True, draft=False, accepted=True)
        case "not-ready":
            return replace(seat, ready=False, draft=False)
        case "draft":
            return replace(seat, ready=False, draft=True)
        case "wait" | "no-wait":
            return replace(seat, wait=word == "wait")


def reads_again(ruleset: Ruleset, line: str, view: Any, sheet: Sheet, order: Order, language: Language) -> bool:
    """Say whether the line of an order still reads as that order upon a sheet, by what a seat sees now."""
    said = replace(order, arrival=0) if order.queues else order
    found = ruleset.read(view, sheet, line.splitlines(), language)
    return [one.order for one in (*found.orders, *found.told)] == [said] and not found.complaints


def word(seat: SeatSheet, owed: Sequence[Slot], missing: Sequence[str]) -> SeatWord:
    """Return the one word of a seat (play-by-mail 1.1).

    ``missing`` are the slots that neither its sheet nor its standing orders fill. A seat that says ``готов`` with a
    slot left open or a line refused is a draft: it would lock the turn over something that it does not know.
    """
    if all(slot.optional for slot in owed):
        return "owes nothing"
    if not seat.accepted and missing:
        return "no orders"
    if missing or seat.draft or seat.refused:
        return "draft"
    return "ready" if seat.ready else "orders in"
