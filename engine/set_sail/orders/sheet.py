"""A sheet of orders: later lines replace earlier ones of the same slot; what is silent does nothing (page 1.6)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.core.codec import decode
from engine.core.contract import Order, Sheet, Slot
from engine.set_sail.commands import (
    AnswerTrade,
    Bid,
    Choose,
    CrossOut,
    Declare,
    Enlist,
    Idle,
    Offer,
    Ruling,
    Say,
    Scheme,
    SetSailOrder,
    Spend,
    StandingAid,
    StandingBids,
    StandingBreakdown,
    StandingDamage,
    StandingLuck,
    StandingStale,
    StandingTrade,
    StayOut,
    TakeDamage,
    TakeHole,
)
from engine.set_sail.state import DecisionKind, SetSailView
from engine.set_sail.view import card_of, owed, roll_of


def fold(sheet: Sheet, orders: Iterable[Order]) -> Sheet:
    """Lay orders upon a sheet; an order keeps the place of the one it replaces.

    Who does nothing declares nothing else, and who declares something does not do nothing. Who stays out of all rolls
    takes back what he put into them in earlier letters.
    """
    laid = {order.slot: order for order in sheet}
    orders = tuple(orders)
    if any(isinstance(order, StayOut) for order in orders):
        laid = {slot: one for slot, one in laid.items() if not isinstance(one, Spend)}
    for order in orders:
        if isinstance(order, Idle):
            laid = {slot: one for slot, one in laid.items() if not isinstance(one, Declare | Scheme)}
        elif isinstance(order, Declare | Scheme):
            laid = {slot: one for slot, one in laid.items() if not isinstance(one, Idle) or slot == order.slot}
        laid[order.slot] = order
    return tuple(laid.values())


def merge(view: SetSailView, sheet: Sheet, standing: Sheet) -> Sheet:
    """Fill slots without an order from standing orders and what standing words say to open decisions (page 1.6)."""
    filled = {order.slot for order in sheet}
    idle = any(isinstance(order, Declare | Scheme) for order in sheet)
    words = tuple(order for order in standing if order.slot not in filled and not (idle and isinstance(order, Idle)))
    filled |= {order.slot for order in words}
    open_ = [slot for slot in _own(view) if slot.key not in filled]
    said = [_said_by(view, slot, (*sheet, *standing)) for slot in open_]
    if any(isinstance(order, StayOut) for order in sheet):
        said += [Spend(roll=slot.facts["roll"], act="nothing") for slot in open_ if slot.what == "window"]
    return (*sheet, *words, *(order for order in said if order is not None))


def _own(view: SetSailView) -> list[Slot]:
    return [slot for slot in owed(view) if slot.seat == view.seat]


def _said_by(view: SetSailView, slot: Slot, words: Sheet) -> Order | None:
    """Return what a standing word says to a slot that is open: trades, damage, holes, stale secrets, bids."""
    for word in words:
        match slot.what, word:
            case "trade", StandingTrade(take=take):
                return AnswerTrade(key=slot.key, take=take)
            case "damage", StandingDamage(above=above):
                return TakeDamage(key=slot.key, luck=_bought(view, slot.key, above))
            case "hole", StandingBreakdown(kind=kind):
                return TakeHole(key=slot.key, kind=kind)
            case "stale", StandingStale(id=number):
                return CrossOut(key=slot.key, id=number)
            case "bid", StandingBids(values=values) if len(values) >= slot.facts["round"]:
                return Bid(talk=slot.facts["talk"], value=values[slot.facts["round"] - 1])
            case _:
                pass
    return None


def _bought(view: SetSailView, key: str, above: int) -> int:
    """Return how many units luck buys off while there is more of it than a number (page 1.6)."""
    n = next((one.n for one in view.state.decisions if one.key == key), 0)
    luck = next((pirate.luck for pirate in view.state.pirates if pirate.seat == view.seat), 0)
    return min(n, max(0, luck - max(0, above)))


def silent(view: SetSailView, sheet: Sheet) -> Sheet:
    """Return orders for what is owed and not ordered: nothing is spent, chosen, taken or offered (A63).

    A declaration under any number answers for the first, a standing word for the windows it is about.
    """
    filled = {order.slot for order in sheet}
    declared = any(isinstance(order, Declare | Scheme | Idle) for order in sheet)
    slots = [slot for slot in _own(view) if not slot.optional and slot.key not in filled]
    found = [
        silence(view, slot)
        for slot in slots
        if not (declared and slot.what == "declaration") and not (slot.what == "window" and _watched(view, slot, sheet))
    ]
    return (*found, *_unanswered(view, filled))


def _watched(view: SetSailView, slot: Slot, sheet: Sheet) -> bool:
    """Say whether a standing word speaks for a window: when it closes, the rules look at what the word says."""
    roll = roll_of(view.state, slot.facts["roll"])
    if roll is None or roll.seat == view.seat:
        return any(isinstance(order, StandingLuck) for order in sheet)
    return any(isinstance(order, StandingAid) and order.whom in ("", roll.seat) for order in sheet)


def _unanswered(view: SetSailView, filled: set[str]) -> Sheet:
    """Return the defaults of open questions put to the viewer."""
    asked = [question for question in view.questions if not question.choices and question.key not in filled]
    return tuple(decode(question.default, SetSailOrder) for question in asked)


def silence(view: SetSailView, slot: Slot) -> Order:
    """Return what silence says to a slot (page 1.6, *Silence*)."""
    key = slot.key
    match slot.what:
        case "sheet":
            return Enlist(der=0, izv=0, dal=0, rep=0)
        case "declaration":
            return Idle(number=int(key[1:]))
        case "window":
            return Spend(roll=slot.facts["roll"], act="nothing")
        case "bid":
            return Bid(talk=slot.facts["talk"], value="lot")
        case "ruling":
            return as_declared(view, slot.facts["roll"])
        case "offer":
            return Offer(roll=slot.facts["roll"])
        case "story" | "say":
            return Say(text="")
        case _:
            return _undecided(view, key)


def _undecided(view: SetSailView, key: str) -> Order:
    kinds: dict[str, DecisionKind] = {one.key: one.kind for one in view.state.decisions}
    match kinds.get(key, "choice"):
        case "trade":
            return AnswerTrade(key=key, take=False)
        case "damage":
            return TakeDamage(key=key)
        case "hole":
            return TakeHole(key=key)
        case "stale":
            return CrossOut(key=key, id=min((secret.id for secret in view.state.ship.secrets), default=0))
        case _:
            return Choose(key=key)


def as_declared(view: SetSailView, key: str) -> Ruling:
    """Return the ruling that takes a declaration as it is, without chances; where no stat is known it just happens."""
    roll = roll_of(view.state, key)
    if roll is None:
        return Ruling(roll=key, rolls=False)
    card = card_of(view.state, roll.move)
    fixed = card.roll.stat if card is not None and isinstance(card.roll.stat, str) and card.roll.stat != "ask" else ""
    listed = card.roll.stat if card is not None and isinstance(card.roll.stat, tuple) else ()
    first = next(iter(listed), "") if roll.stat not in listed else ""
    stat = fixed or first or roll.stat or ("dal" if roll.kind == "scheme" else "")
    if not stat or (card is not None and card.roll.kind in ("none", "flat")):
        flat = card is not None and card.roll.kind == "flat"
        return Ruling(roll=key, move=roll.move, rolls=flat)
    return Ruling(roll=key, move=roll.move, stat=stat)
