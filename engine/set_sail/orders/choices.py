"""Legal orders of a slot, samples where it is open, the answer template and examples."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final, cast

from msgspec.structs import replace

from engine.core.codec import decode
from engine.core.contract import MODERATOR, PUBLIC, Language, Order, Slot
from engine.set_sail.commands import (
    LOT,
    AnswerTrade,
    Bid,
    BidValue,
    Choose,
    CrossOut,
    Declare,
    DoEffect,
    Enlist,
    Gate,
    Idle,
    Offer,
    Put,
    Ruling,
    Say,
    Scheme,
    SetSailOrder,
    Spend,
    StandingBids,
    StandingBreakdown,
    StandingDamage,
    StandingLuck,
    StandingOffer,
    StandingStale,
    StandingTrade,
    StandingYield,
    StayOut,
    TakeDamage,
    TakeHole,
    TakePart,
    Tale,
)
from engine.set_sail.demands import unmet
from engine.set_sail.orders.lasting import ALWAYS, NEVER
from engine.set_sail.orders.sheet import as_declared, silence
from engine.set_sail.orders.writing import write
from engine.set_sail.state import BIDS, SHIP_STATS, STATS, Decision, SetSailView
from engine.set_sail.view import card_of, owed, roll_of

MOST_EXAMPLES: Final = 6
_BLANK: Final = "…"
"""Free text of a sample."""

_STANDING: Final[dict[str, tuple[Order, ...]]] = {
    "standing-luck": (StandingLuck(), StandingLuck(when="always"), StandingLuck(when="never")),
    "standing-damage": (
        StandingDamage(above=2),
        StandingDamage(above=ALWAYS),
        StandingDamage(above=NEVER),
    ),
    "standing-breakdown": (
        StandingBreakdown(kind="sails"),
        StandingBreakdown(kind="deck"),
        StandingBreakdown(kind="powder"),
        StandingBreakdown(kind="hole"),
    ),
    "standing-bids": (StandingBids(values=("glory", "purse", "life")), StandingBids(values=("life",))),
    "standing-yield": (StandingYield(give_up=True), StandingYield(give_up=False)),
    "standing-stale": (StandingStale(), StandingStale(id=1)),
    "standing-trade": (StandingTrade(take=False), StandingTrade(take=True)),
    "standing-offer": (StandingOffer(),),
}


def legal(view: SetSailView, slot: str) -> Iterator[Order]:
    """Yield the legal orders for a slot in a fixed order; of open slots a sample."""
    one = next((one for one in owed(view) if one.key == slot and one.seat == view.seat), None)
    if one is not None:
        yield from _STANDING.get(slot, ()) or _of_slot(view, one)
        return
    for question in view.questions:
        if question.key == slot and not question.choices:
            yield decode(question.default, SetSailOrder)


def _of_slot(view: SetSailView, slot: Slot) -> Iterator[Order]:
    match slot.what:
        case "declaration":
            yield from _declarations(view, int(slot.key[1:]))
        case "window":
            yield from _window(view, slot)
        case "bid":
            yield from _bids(view, slot.facts["talk"])
        case "ruling":
            yield from _rulings(view, slot.facts["roll"])
        case "offer":
            yield from _offers(view, slot.facts["roll"])
        case "command":
            yield from _commands(view)
        case what if what in _SAMPLES:
            yield from _SAMPLES[what]
        case _:
            yield from _decisions(view, slot.key)


_SAMPLES: Final[dict[str, tuple[Order, ...]]] = {
    "sheet": (
        Enlist(der=2, izv=1, dal=-1, rep=0),
        Enlist(der=0, izv=2, dal=1, rep=-1),
        Enlist(der=0, izv=0, dal=0, rep=0),
    ),
    "join": (TakePart(),),
    "tale": (Tale(text=_BLANK),),
    "say": (Say(text=_BLANK),),
    "story": (Say(text=_BLANK), Say(text="")),
}


def _declarations(view: SetSailView, number: int) -> Iterator[Order]:
    state = view.state
    pirate = next((one for one in state.pirates if one.seat == view.seat), None)
    held = pirate.moves if pirate is not None else ()
    for card in state.cards:
        common = card.group in ("basic", "ship", "port", "ship_extra") or card.requires.post or card.requires.background
        if (common or card.id in held) and not unmet(state, view.seat, card):
            listed = card.roll.stat if isinstance(card.roll.stat, tuple) else ()
            stats = listed or (STATS if card.group == "basic" and card.roll.stat == "ask" else ("",))
            yield from (Declare(number=number, move=card.id, stat=stat, text=_BLANK) for stat in stats)
    yield from (Scheme(number=number, goal=_BLANK, secrets=(one.id,)) for one in state.ship.secrets)
    yield Declare(number=number, text=_BLANK)
    yield Declare(number=number, text=_BLANK, hidden=True)
    yield Idle(number=number)


def _window(view: SetSailView, slot: Slot) -> Iterator[Order]:
    key = slot.facts["roll"]
    roll = roll_of(view.state, key)
    card = card_of(view.state, roll.move) if roll is not None else None
    accepts = card.accepts if card is not None else ("help", "hinder")
    if slot.facts["own"]:
        yield Spend(roll=key, act="luck")
    elif "help" in accepts:
        yield Spend(roll=key, act="help", how=_BLANK)
    if not slot.facts["own"] and view.state.options.allow_hinder != "no" and "hinder" in accepts:
        yield Spend(roll=key, act="hinder", how=_BLANK)
    yield Spend(roll=key, act="nothing")


def _bids(view: SetSailView, number: int) -> Iterator[Order]:
    for value in (*BIDS, LOT):
        yield Bid(talk=number, value=cast("BidValue", value))
    talk = next(one for one in view.state.talks if one.number == number)
    fitting = talk.suitable_a if talk.a == view.seat else talk.suitable_b
    if talk.b not in view.state.roster:
        held = [one.id for one in view.state.ship.secrets]
    else:
        about = talk.b if talk.a == view.seat else talk.a
        mine = next((one.knows for one in view.state.pirates if one.seat == view.seat), ())
        held = [one.id for one in mine if one.who == about]
    yield from (Bid(talk=number, value="glory", uses=one, text=_BLANK) for one in fitting if one in held)


def _decisions(view: SetSailView, key: str) -> Iterator[Order]:
    one = next((one for one in view.state.decisions if one.key == key), None)
    if one is None:
        return
    match one.kind:
        case "trade":
            yield from (AnswerTrade(key=key, take=take) for take in (True, False))
        case "damage":
            luck = next((pirate.luck for pirate in view.state.pirates if pirate.seat == one.seat), 0)
            yield from (TakeDamage(key=key, luck=n) for n in range(min(luck, one.n) + 1))
        case "hole":
            yield TakeHole(key=key)
            yield from (TakeHole(key=key, kind=kind) for kind in ("sails", "deck", "powder"))
        case "number":
            yield Choose(key=key, options=("1",))
            yield Choose(key=key)
        case "stale":
            yield from (CrossOut(key=key, id=secret.id) for secret in view.state.ship.secrets)
        case _:
            yield from _options(one)


def _options(one: Decision) -> Iterator[Order]:
    yield from (Choose(key=one.key, options=(option,)) for option in one.options)
    if 1 < one.n <= len(one.options):
        yield Choose(key=one.key, options=one.options[: one.n])
    yield Choose(key=one.key)


# The moderator --------------------------------------------------------------------------------------------------------


def _rulings(view: SetSailView, key: str) -> Iterator[Order]:
    declared = as_declared(view, key)
    yield declared
    roll = roll_of(view.state, key)
    move = declared.move or (roll.move if roll is not None else "")
    card = card_of(view.state, move)
    if card is None or card.roll.kind in ("stat", "ship"):
        stats = SHIP_STATS if card is not None and card.roll.kind == "ship" else STATS
        made = (Ruling(roll=key, move=move, stat=stat) for stat in stats)
        yield from (one for one in made if one != declared)
    if declared != Ruling(roll=key, rolls=False):
        yield Ruling(roll=key, rolls=False)


def _offers(view: SetSailView, key: str) -> Iterator[Order]:
    yield Offer(roll=key)
    roll = roll_of(view.state, key)
    if roll is not None and roll.band in ("full", "partial") and roll.kind != "tie" and not roll.traded:
        yield Offer(roll=key, trade=True)
    yield Offer(roll=key, effects=())
    if roll is not None:
        yield Offer(roll=key, effects=(f"damage:1:@{roll.seat}",))


def _commands(view: SetSailView) -> Iterator[Order]:
    state = view.state
    yield Gate(number=1, what="scene", opens=True)
    yield Gate(number=1, what="battle", opens=not state.battle)
    yield Gate(number=1, what="passage", opens=not state.passage)
    yield Gate(number=1, what="carouse", opens=not state.carouse)
    yield Gate(number=1, what="chapter", opens=False)
    for pirate in state.pirates:
        if pirate.status != "dead":
            yield DoEffect(number=1, effect=f"luck:+1:@{pirate.seat}")
            yield DoEffect(number=1, effect=f"damage:1:@{pirate.seat}")
    yield DoEffect(number=1, effect="money:+50:@treasury")
    yield DoEffect(number=1, effect=f"secret:+1:{_BLANK}")
    if state.pirates:
        yield Put(number=1, what="captain", id=state.pirates[0].seat)


# Lines ----------------------------------------------------------------------------------------------------------------


def template(view: SetSailView, language: Language) -> tuple[str, ...]:
    """Return a line for every slot the viewer owes: what silence would say, and a declaration to be filled in."""
    found = []
    for slot in owed(view):
        if slot.seat != view.seat or slot.optional or view.seat == PUBLIC:
            continue
        if slot.what == "window":
            continue
        order = silence(view, slot)
        if slot.what in ("declaration", "sheet", "story"):
            order = next(legal(view, slot.key))
        found.append(_shown(order, language, view))
    if any(slot.seat == view.seat and slot.what == "window" for slot in owed(view)) and view.seat != PUBLIC:
        found.append(write(StayOut(), language, view))
    return tuple(found)


def _shown(order: Order, language: Language, view: SetSailView) -> str:
    """Return an order as a line to be filled in: with places for names, an argument, and the secrets to look at.

    Of a sheet two stats are enough to show how it is done: with four the line is broader than a letter.
    """
    if isinstance(order, Enlist) and not order.name:
        order = replace(order, name=_BLANK, post=_BLANK, dal=None, rep=None)
    elif isinstance(order, Bid) and order.value != LOT and not order.text:
        order = replace(order, text=_BLANK)
    elif isinstance(order, Ruling) and order.secrets is None:
        roll = roll_of(view.state, order.roll)
        if roll is not None and roll.kind == "scheme":
            order = replace(order, secrets=roll.secrets)
    return write(order, language, view)


def examples(view: SetSailView, language: Language) -> tuple[str, ...]:
    """Return a few lines that show the language in this position, what is owed first."""
    if view.seat == PUBLIC:
        return ()
    own = [slot for slot in owed(view) if slot.seat == view.seat]
    own = [slot for slot in own if slot.what != "join" or view.state.ship.secrets]
    own.sort(key=lambda slot: slot.optional)
    found: dict[str, str] = {}
    for slot in own:
        for order in islice(legal(view, slot.key), 12):
            kind = f"{type(order).__name__}{getattr(order, 'act', '')}{getattr(order, 'hidden', '')}"
            found.setdefault(kind, _shown(order, language, view))
    if any(slot.what == "window" for slot in own):
        found["Spendnothing"] = write(StayOut(), language, view)
    lines = tuple(found.values())
    return lines[: MOST_EXAMPLES * 2] if view.seat == MODERATOR else lines[:MOST_EXAMPLES]
