"""The moderator's commands: done in their order, each logged; one that cannot be done says why (page 1.6)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from engine.core.contract import EVERYONE, MODERATOR, Seat
from engine.set_sail.cards import BadCards, added, load
from engine.set_sail.commands import (
    CallCheck,
    CommandOrder,
    Conduct,
    Develop,
    DoEffect,
    DropPlan,
    Gate,
    Hire,
    Launch,
    LayCards,
    Learn,
    OpenTalk,
    Put,
    Repair,
    SealBid,
    UndoEffect,
)
from engine.set_sail.effects import BadEffect, CannotUndo, Change, parse_effect, undo
from engine.set_sail.events import CardsLaid, CommandFailed, EffectUndone, Ruled, WorldPut
from engine.set_sail.rules import fate, reputation, scenes, scheming, secrets, setup, ship, talks
from engine.set_sail.rules.carrying import carry
from engine.set_sail.rules.play import Play
from engine.set_sail.rules.rolls import is_revel, throw_for, with_chances
from engine.set_sail.rules.ship import HULL_MOST
from engine.set_sail.state import (
    BREAKDOWNS,
    GM_ACTOR,
    LEAST,
    MOST,
    SHIP_STATS,
    STATS,
    WOUND_SLOTS,
    Article,
    Clock,
    Enemy,
    Faction,
    Modifier,
    Roll,
    SetSailState,
)
from engine.set_sail.view import card_of

COMMANDS: Final = (
    DoEffect,
    UndoEffect,
    Gate,
    OpenTalk,
    SealBid,
    CallCheck,
    Conduct,
    Learn,
    DropPlan,
    Repair,
    Develop,
    Launch,
    Hire,
    Put,
    LayCards,
)


def commands(play: Play) -> None:
    """Do the moderator's commands in the order of their numbers."""
    given = [order for order in play.sheets.get(MODERATOR, ()) if isinstance(order, COMMANDS)]
    for order in sorted(given, key=lambda one: one.number):
        if why := _do(play, order):
            play.tell(CommandFailed(rule="P49", audience=(MODERATOR,), command=order.slot, why=why))


def _do(play: Play, order: CommandOrder) -> str:
    """Do one command; return why it cannot be done, "" if it was."""
    match order:
        case DoEffect():
            carry(play, order.effect)
            return ""
        case UndoEffect():
            return _undo(play, order)
        case Gate():
            return scenes.gate(play, order)
        case OpenTalk():
            return talks.open_talk(play, order)
        case SealBid():
            return talks.seal(play, order)
        case CallCheck():
            return _call(play, order)
        case DropPlan():
            return "" if scheming.drop(play, order.plan) else "no-plan"
        case Repair() | Develop() | Launch():
            return _of_ship(play, order)
        case LayCards():
            return _lay_cards(play, order)
        case Put():
            return _put(play, order)
        case Conduct() | Learn() | Hire():
            return _of_pirate(play, order)


def _of_ship(play: Play, order: Repair | Develop | Launch) -> str:
    match order:
        case Repair():
            return ship.repair(play, order.what, order.n)
        case Develop():
            return ship.develop(play, order.option, order.card)
        case Launch():
            ship.launch(play, order)
            return ""


def _of_pirate(play: Play, order: Conduct | Learn | Hire) -> str:
    if order.seat not in play.state.roster or (not isinstance(order, Hire) and not play.has_pirate(order.seat)):
        return "no-pirate"
    match order:
        case Conduct():
            return _conduct(play, order)
        case Learn():
            secrets.learn(play, order.seat, order.who, order.text)
        case Hire():
            setup.enlist(play, order.seat, order.sheet, luck=order.luck)
    return ""


def _conduct(play: Play, order: Conduct) -> str:
    """Judge by the code, kept or broken (P22); what luck cannot pay leads to Fate (P23)."""
    met = reputation.conduct(play, order.seat, order.article, kept=order.kept)
    if isinstance(met, str):
        return met
    if met:
        fate.meet(play, [order.seat], "luck", "P23")
    return ""


def _undo(play: Play, order: UndoEffect) -> str:
    """Take an effect back by its changes, unless later ones stand upon them."""
    made = tuple(Change(place=place, field=field, before=old, after=new) for place, field, old, new in order.changes)
    try:
        back = undo(play.state, made, replace)
    except CannotUndo as why:
        play.tell(EffectUndone(rule="P49", audience=(MODERATOR,), effect=order.effect, why=str(why)))
        return "changed-since"
    if not _could_be(back):
        return "changed-since"
    play.state = back
    play.tell(EffectUndone(rule="P49", audience=_may_know(play, order.effect), effect=order.effect))
    return ""


def _could_be(state: SetSailState) -> bool:
    """Say whether sheets are within their bounds (P1, P6, P11, P24–P26, P37): a line of changes may be anybody's."""
    ship = state.ship
    sheets = all(
        all(LEAST <= getattr(one, stat) <= MOST for stat in STATS)
        and min(one.luck, one.purse) >= 0
        and len(one.wounds) <= WOUND_SLOTS
        for one in state.pirates
    )
    seats = [one.seat for one in state.pirates]
    return (
        sheets
        and seats == [seat for seat in state.roster if seat in seats]
        and 0 <= ship.hull <= ship.hull_max <= HULL_MOST
        and all(0 <= getattr(ship, stat) <= MOST for stat in SHIP_STATS)
        and len(ship.secrets) <= secrets.MOST
        and ship.breakdown in ("", *BREAKDOWNS)
        and state.treasury >= 0
        and all(min(one.crew, one.gm) >= 0 for one in state.plans)
    )


def _may_know(play: Play, text: str) -> tuple[Seat, ...]:
    """Return who may read an effect that was taken back: what secrets say is the crew's, closed clocks nobody's."""
    try:
        effect = parse_effect(text)
    except BadEffect:
        return (MODERATOR,)
    if effect.kind in ("secret", "exposed"):
        return play.crew
    if effect.kind == "note":
        return (MODERATOR,)
    open_ = [one.id for one in play.state.clocks if one.open]
    return (MODERATOR,) if effect.kind == "clock" and effect.key not in open_ else EVERYONE


def _call(play: Play, order: CallCheck) -> str:
    """Call for a check without a declaration: its dice are ``gm/o<n>/main`` (page 1.6)."""
    if order.seat not in play.state.roster or not play.has_pirate(order.seat):
        return "no-pirate"
    number = play.state.commands + 1
    play.set(commands=number)
    card = card_of(play.state, order.move)
    roll = Roll(
        key=f"{GM_ACTOR}/o{number}",
        seat=order.seat,
        move=order.move,
        stat="rep" if is_revel(play, card) else order.stat,
        enemy=order.enemy,
        plan=order.plan,
    )
    extra = [Modifier(what="card", n=order.bonus)]
    takes = card is None or "chance" in card.accepts
    roll = with_chances(play, roll, extra, chance=order.chance and takes, gm_chance=order.gm_chance and takes)
    cited = card.cited if card is not None else ""
    play.tell(Ruled(rule="P49", roll=roll.key, seat=roll.seat, rolls=True, card=cited, stat=roll.stat, mode=roll.mode))
    throw_for(play, roll, card, extra)
    return ""


def _lay_cards(play: Play, order: LayCards) -> str:
    try:
        own = load(order.document)
        laid = added(play.state.cards, own)
    except BadCards as why:
        return f"cards:{why.key}"
    play.set(cards=laid)
    play.tell(CardsLaid(rule="P4", cards=tuple(card.cited for card in own)))
    return ""


def _put(play: Play, order: Put) -> str:
    """Put something of the world into the state: enemies, articles, clocks, the captain."""
    state = play.state
    match order.what:
        case "enemy" | "threat":
            enemies = {one.id: one for one in state.enemies}
            known = enemies.get(order.id, Enemy(id=order.id))
            name = order.text or known.name or order.name
            enemies[order.id] = replace(known, threat=order.what == "threat", here=True, name=name)
            play.set(enemies=tuple(enemies.values()))
        case "prescription" | "prohibition":
            code = {one.id: one for one in state.code}
            name = code[order.id].name if order.id in code else ""
            code[order.id] = Article(id=order.id, kind=order.what, text=order.text, name=name or order.name)
            play.set(code=tuple(code.values()))
        case "clock" | "open-clock":
            clocks = {one.id: one for one in state.clocks}
            name = order.text or clocks.get(order.id, Clock(id=order.id)).name or order.name
            clocks[order.id] = Clock(id=order.id, n=max(0, order.n), open=order.what == "open-clock", name=name)
            play.set(clocks=tuple(clocks.values()))
        case "side":
            sides = {one.id: one for one in state.factions}
            side = sides.get(order.id, Faction(id=order.id))
            sides[order.id] = replace(side, name=order.text or side.name or order.name)
            play.set(factions=tuple(sides.values()))
        case "captain":
            return _make_captain(play, order.id)
    hidden = order.what == "clock"
    audience = (MODERATOR,) if hidden else ("*",)
    called = next((one.name for one in play.state.code if one.id == order.id), "") or order.name
    told = WorldPut(rule="P49", audience=audience, what=order.what, id=order.id, name=called, text=order.text)
    play.tell(told)
    return ""


def _make_captain(play: Play, seat: Seat) -> str:
    if seat not in play.state.roster:
        return "no-pirate"
    play.set(captain=seat)
    play.tell(WorldPut(rule="A36", what="captain", id=seat))
    return ""
