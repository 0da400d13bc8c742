"""Effects of the vocabulary carried out, each logged with what takes it back (page 1.5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, cast

from msgspec.structs import replace

from engine.core.codec import decode, encode
from engine.core.contract import MODERATOR, Choice, Question, Seat
from engine.set_sail.cards import Card
from engine.set_sail.commands import Narrate, SetSailOrder, StandingDamage
from engine.set_sail.effects import ENEMY, TREASURY, WHO, BadEffect, Effect, parse_effect, write_effect
from engine.set_sail.events import (
    AmbushChanged,
    ClockMoved,
    CommandFailed,
    ForwardGained,
    GmMove,
    Harmed,
    MoveTriggered,
    Noted,
    StatChanged,
)
from engine.set_sail.rules import fate, luck, money, reputation, scheming, secrets, ship, wounds
from engine.set_sail.rules.checks import clamped, mode_of, throw
from engine.set_sail.rules.play import Play
from engine.set_sail.state import (
    GM_ACTOR,
    SHIP_STATS,
    STATS,
    STATUSES,
    Ambush,
    Clock,
    Decision,
    Enemy,
    Forward,
    Level,
    Modifier,
    Plan,
    Roll,
)
from engine.set_sail.view import card_of

SETS_OFF: Final = "trig"


class Aim(NamedTuple):
    """An effect, the pirate it is about ("" for none), and the roll it comes from."""

    effect: Effect
    seat: Seat
    roll: Roll | None


def aimed(text: str, roll: Roll) -> str:
    """Return an effect with its placeholders set: ``@who`` the pirate of the roll, ``@enemy`` its enemy."""
    effect = parse_effect(text)
    names = {WHO: f"@{roll.seat}", ENEMY: f"@{roll.enemy}" if roll.enemy else ENEMY}
    who = names.get(effect.who, effect.who)
    rest = names.get(effect.text, effect.text) if effect.kind in ("ambush", "harm") else effect.text
    return write_effect(replace(effect, who=who, text=rest))


def carry(play: Play, text: str, roll: Roll | None = None) -> None:
    """Carry out one effect; one that cannot be done now says why to the moderator, who is asked for an open number."""
    try:
        effect = parse_effect(text)
    except BadEffect:
        _failed(play, text, "unread")
        return
    if effect.unknown:
        where = roll.key if roll is not None else ""
        key = play.next_key(roll, "number", GM_ACTOR)
        play.decide(Decision(key=key, seat=MODERATOR, kind="number", roll=where, about=text))
        return
    seat = _pirate_of(effect, roll)
    if effect.kind in _OF_PIRATES and not play.has_pirate(seat):
        _failed(play, text, "no-pirate")
        return
    with play.logged(text, roll.key if roll is not None else ""):
        why = _CARRIERS[effect.kind](play, Aim(effect, seat, roll))
    if why:
        _failed(play, text, why)


def _failed(play: Play, text: str, why: str) -> None:
    play.tell(CommandFailed(rule="P49", audience=(MODERATOR,), command=text, why=why))


def _pirate_of(effect: Effect, roll: Roll | None) -> Seat:
    """Return the pirate an effect is about: whom it names, else the one of the roll."""
    mine = roll.seat if roll is not None else ""
    if effect.kind == "ambush":
        return effect.text[1:] or mine
    return mine if effect.who in ("", WHO) else effect.who[1:]


# Pirates --------------------------------------------------------------------------------------------------------------


def _luck(play: Play, at: Aim) -> str:
    n = at.effect.n or 0
    if n >= 0:
        luck.regain(play, at.seat, n, "effect")
    elif not luck.lose(play, at.seat, -n, "effect"):
        fate.meet(play, [at.seat], "luck")
    return ""


def _damage(play: Play, at: Aim) -> str:
    """Deal damage: at once where there is nothing to choose or a standing word says it, else the at.seat is asked."""
    level = cast("Level", at.effect.key or "light")
    n = at.effect.n or 0
    word = play.order(at.seat, StandingDamage)
    if wounds.has_choice(play, at.seat) and word is None:
        where = at.roll.key if at.roll is not None else ""
        key = play.next_key(at.roll, "damage", at.seat)
        play.decide(Decision(key=key, seat=at.seat, kind="damage", roll=where, n=n, level=level))
        return ""
    bought = min(n, max(0, play.pirate(at.seat).luck - max(0, word.above))) if word is not None else 0
    hurt(play, at.seat, n, level, bought=bought)
    return ""


def hurt(play: Play, seat: Seat, n: int, level: Level, *, bought: int, place: int = 0) -> None:
    """Deal damage that was decided; luck that could not be paid leads to Fate, once (P9, P14, A24)."""
    if wounds.damage(play, seat, n, level, bought=bought, place=place):
        fate.meet(play, [seat], "luck", "P14")


def _heal(play: Play, at: Aim) -> str:
    return "" if wounds.heal(play, at.seat, at.effect.n or 0) else "no-wound"


def _wound(play: Play, at: Aim) -> str:
    return "" if wounds.set_level(play, at.seat, at.effect.n or 0, at.effect.key) else "no-wound"


def _rep(play: Play, at: Aim) -> str:
    if reputation.change(play, at.seat, at.effect.n or 0):
        fate.meet(play, [at.seat], "luck")
    return ""


def _stat(play: Play, at: Aim) -> str:
    if at.effect.key in SHIP_STATS:
        ship.add_bonus(play, at.effect.key, at.effect.n or 0)
        return ""
    if at.effect.key not in STATS or not play.has_pirate(at.seat):
        return "no-pirate"
    if at.effect.key == "rep":
        return _rep(play, at)
    value = clamped(getattr(play.pirate(at.seat), at.effect.key) + (at.effect.n or 0))
    play.put_pirate(at.seat, **{at.effect.key: value})
    play.tell(StatChanged(rule="P1", seat=at.seat, stat=at.effect.key, value=value))
    return ""


def _forward(play: Play, at: Aim) -> str:
    until = "scene" if at.effect.key == "scene" else "next"
    new = Forward(n=at.effect.n or 0, until="scene" if at.effect.key == "scene" else "next")
    play.put_pirate(at.seat, forward=(*play.pirate(at.seat).forward, new))
    play.tell(ForwardGained(rule="P3", seat=at.seat, n=new.n, until=until))
    return ""


def _ambush(play: Play, at: Aim) -> str:
    enemy = at.effect.who[1:]
    if at.effect.who == ENEMY:
        return "no-enemy"
    held = {token.enemy: token.n for token in play.pirate(at.seat).ambush}
    n = held.get(enemy, 0) + (at.effect.n or 0)
    if n < 0:
        return "no-token"
    held[enemy] = n
    play.put_pirate(at.seat, ambush=tuple(Ambush(enemy=one, n=left) for one, left in held.items() if left))
    play.tell(AmbushChanged(rule="P10", seat=at.seat, enemy=enemy, n=at.effect.n or 0))
    return ""


def _fate(play: Play, at: Aim) -> str:
    fate.meet(play, [at.seat], "ruling")
    return ""


def _status(play: Play, at: Aim) -> str:
    if at.seat not in {pirate.seat for pirate in play.state.pirates}:
        return "no-pirate"
    # One of the three as they are written here: a value equal to a default is left out of JSON only if it is the same.
    fate.set_status(play, at.seat, next(one for one in STATUSES if one == at.effect.key), "P49")
    return ""


# Money, secrets, ship, plans ------------------------------------------------------------------------------------------


def _money(play: Play, at: Aim) -> str:
    purse = "" if at.effect.who == TREASURY else at.seat
    if purse and not play.has_pirate(purse):
        return "no-pirate"
    return money.move(play, purse, at.effect.n or 0, "effect")


def _secret(play: Play, at: Aim) -> str:
    if at.effect.n == 1:
        secrets.gain(play, at.effect.text, "", at.seat, at.roll)
        return ""
    return "" if secrets.cross_out(play, int(at.effect.key), "effect") else "no-secret"


def _exposed(play: Play, at: Aim) -> str:
    if at.effect.who == ENEMY:
        return "no-enemy"
    return "" if secrets.expose(play, at.effect.who[1:], at.effect.n or 0, at.effect.text) else "no-secret"


def _hole(play: Play, at: Aim) -> str:
    ship.salvo(play, at.effect.n or 0, at.roll, founder)
    return ""


def _breakdown(play: Play, at: Aim) -> str:
    if at.effect.key != "none" and play.state.ship.breakdown:
        return "broken-already"
    if at.effect.key == "none":
        play.put_ship(breakdown="")
    else:
        play.put_ship(breakdown=at.effect.key, breakdown_used=play.state.battle)
    play.tell(StatChanged(rule="P31", seat="", stat="breakdown", value=int(at.effect.key != "none")))
    return ""


def _hull(play: Play, at: Aim) -> str:
    n = at.effect.n or 0
    if n > 0:
        return ship.mend(play, n)
    play.put_ship(hull=max(0, play.state.ship.hull + n))
    play.tell(StatChanged(rule="P26", seat="", stat="hull", value=play.state.ship.hull))
    return ""


def _flag(play: Play, at: Aim) -> str:
    ship.raise_flag(play, at.effect.key)
    return ""


def _chances(play: Play, at: Aim) -> str:
    return "" if scheming.change(play, at.effect.key, at.effect.n or 0, at.effect.text) else "no-plan"


def _clock(play: Play, at: Aim) -> str:
    known = {clock.id: clock for clock in play.state.clocks}
    clock = known.get(at.effect.key, Clock(id=at.effect.key))
    clock = replace(clock, n=max(0, clock.n + (at.effect.n or 0)))
    play.set(clocks=tuple((known | {clock.id: clock}).values()))
    audience = ("*",) if clock.open else (MODERATOR,)
    play.tell(ClockMoved(rule="P49", audience=audience, clock=clock.id, n=clock.n))
    return ""


def _harm(play: Play, at: Aim) -> str:
    if at.effect.who == ENEMY:
        return "no-enemy"
    harm(play, at.effect.who[1:], at.effect.n or 0)
    return ""


def harm(play: Play, enemy_id: str, n: int) -> None:
    """Harm an enemy (P46)."""
    known = {enemy.id: enemy for enemy in play.state.enemies}
    enemy = known.get(enemy_id, Enemy(id=enemy_id))
    enemy = replace(enemy, harm=enemy.harm + n)
    play.set(enemies=tuple((known | {enemy.id: enemy}).values()))
    play.tell(Harmed(rule="P46", enemy=enemy.id, n=n, harm=enemy.harm))


def _trigger(play: Play, at: Aim) -> str:
    if card_of(play.state, at.effect.key) is None:
        return "no-such-card"
    set_off(play, at.effect.key, ship.holder(play, at.roll), at.roll)
    return ""


def _gm_move(play: Play, at: Aim) -> str:
    play.tell(
        GmMove(rule="P2", audience=play.of_roll(at.roll), roll=at.roll.key if at.roll is not None else "", seat=at.seat)
    )
    return ""


def _note(play: Play, at: Aim) -> str:
    if at.effect.text:
        where = at.roll.key if at.roll is not None else ""
        play.tell(Noted(rule="P49", audience=_who_may_read(play, at.roll), text=at.effect.text, roll=where))
    return ""


def _who_may_read(play: Play, roll: Roll | None) -> tuple[Seat, ...]:
    """Return who may read a note: of a roll by a private card the crew alone, for it may be the card's text."""
    card = card_of(play.state, roll.move) if roll is not None else None
    if card is not None and card.private and not (roll is not None and roll.hidden):
        return play.crew
    return play.of_roll(roll)


# Moves set off --------------------------------------------------------------------------------------------------------


def founder(play: Play, roll: Roll | None) -> None:
    """«Не пойти ко дну»: of the pirate who makes or holds the ship move (P30, A36, A37)."""
    set_off(play, ship.FOUNDER, ship.holder(play, roll), roll)


def set_off(play: Play, move: str, seat: Seat, roll: Roll | None) -> None:
    """Set off a move by an outcome: how, and by which stat, is asked in the same turn; its dice are the answer's.

    `rolls.open_set_off` adds it up and opens its window.
    """
    card = card_of(play.state, move)
    if card is None or not seat:
        play.tell(GmMove(rule="P2", seat=seat))
        return
    key = _key(play, roll)
    audience = play.of_roll(roll)
    play.tell(MoveTriggered(rule="P30", audience=audience, roll=key, seat=seat, card=card.cited))
    plan = scheming.plan_of(play, roll.plan) if roll is not None and roll.plan and "chance" in card.accepts else None
    which, chances = _which_stat(key, seat, card), _chances_left(key, seat, card, plan)
    told, *answered = play.ask(_how(key, seat, card), *which, *chances)
    words = decode(told, SetSailOrder)
    stat = answered[0] if which else card.roll.stat if isinstance(card.roll.stat, str) else ""
    rolls = card.roll.kind != "none"
    spends = {one.what: word == "yes" for one, word in zip(chances, answered[len(which) :], strict=True)}
    crew, gm = (
        plan is not None and spends.get(what, False) and scheming.spend_chance(play, plan.id, side, key, audience)
        for what, side in (("chance", "crew"), ("gm-chance", "gm"))
    )
    options = play.state.options
    mode = mode_of(chance=crew, gm_chance=gm, options=options)
    bonus = crew and options.hb_chance_is_advantage == "off"
    play.put_roll(
        Roll(
            key=key,
            seat=seat,
            kind="trigger",
            move=move,
            stat=stat,
            text=words.text if isinstance(words, Narrate) else "",
            hidden=roll.hidden if roll is not None else False,
            enemy=roll.enemy if roll is not None else "",
            plan=plan.id if plan is not None else "",
            mode=mode,
            faces=throw(play.dice, key, mode) if rolls else (),
            modifiers=(Modifier(what="chance", n=1),) if bonus else (),
        )
    )


def _chances_left(key: str, seat: Seat, card: Card, plan: Plan | None) -> tuple[Question, ...]:
    """Return the questions whether chances of the plan go into it, of each side that has any (P38, A43, A44)."""
    if plan is None or card.roll.kind == "none":
        return ()
    sides = (("2", seat, "chance", plan.crew), ("3", MODERATOR, "gm-chance", plan.gm))
    choices = (Choice(word="yes"), Choice(word="no"))
    facts = {"card": card.id, "plan": plan.id, "for": seat}
    return tuple(
        Question(key=f"{key}/{place}", seat=asked, what=what, choices=choices, default="no", facts=facts)
        for place, asked, what, left in sides
        if left
    )


def _key(play: Play, roll: Roll | None) -> str:
    """Return ``anna/o3/trig`` of the declaration that set it off, once a turn; else a slot of the moderator's own."""
    key = f"{'/'.join(roll.key.split('/')[:2])}/{SETS_OFF}" if roll is not None else ""
    if not key or key in play.set_off or play.roll(key) is not None:
        number = play.state.commands + 1
        play.set(commands=number)
        key = f"{GM_ACTOR}/o{number}/{SETS_OFF}"
    play.set_off.append(key)
    return key


def _how(key: str, seat: Seat, card: Card) -> Question:
    slot = f"{key}/0"
    silent = encode(Narrate(key=slot, text=""))
    return Question(key=slot, seat=seat, what="trigger", choices=(), default=silent, facts={"card": card.id})


def _which_stat(key: str, seat: Seat, card: Card) -> tuple[Question, ...]:
    """Return the question by which stat it is rolled: the player's of a list, the moderator's of «ask»."""
    if card.roll.kind not in ("stat", "ship") or (isinstance(card.roll.stat, str) and card.roll.stat != "ask"):
        return ()
    asked = MODERATOR if card.roll.stat == "ask" else seat
    words = (SHIP_STATS if card.roll.kind == "ship" else STATS) if card.roll.stat == "ask" else card.roll.stat
    choices = tuple(Choice(word=word) for word in words)
    facts = {"card": card.id, "for": seat}
    return (Question(key=f"{key}/1", seat=asked, what="stat", choices=choices, default=words[0], facts=facts),)


_Carrier = Callable[[Play, Aim], str]
_CARRIERS: Final[dict[str, _Carrier]] = {
    "luck": _luck,
    "damage": _damage,
    "heal": _heal,
    "rep": _rep,
    "stat": _stat,
    "forward": _forward,
    "ambush": _ambush,
    "money": _money,
    "secret": _secret,
    "exposed": _exposed,
    "hole": _hole,
    "breakdown": _breakdown,
    "wound": _wound,
    "hull": _hull,
    "flag": _flag,
    "chances": _chances,
    "clock": _clock,
    "harm": _harm,
    "fate": _fate,
    "status": _status,
    "trigger": _trigger,
    "gm_move": _gm_move,
    "note": _note,
}
_OF_PIRATES: Final = ("luck", "damage", "heal", "rep", "forward", "ambush", "wound", "fate")
