"""The laws that no turn of «Поднять паруса!» may break, each with what breaks it as the message."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from engine.core.codec import encode
from engine.core.contract import MODERATOR, PUBLIC, Event, Resolution, Seat
from engine.core.dice import Throw
from engine.set_sail import RULESET
from engine.set_sail import events as ev
from engine.set_sail.effects import RISING
from engine.set_sail.rules.checks import band_of, kept
from engine.set_sail.state import BREAKDOWNS, DEVELOPMENTS, FATES, SHIP_STATS, STATS, Pirate, Roll, SetSailState, Ship

HIDDEN = "то, чего никто не знает"


class LawBroken(AssertionError):
    """A position or a turn that no rule allows."""


def demand(law: str, holds: bool, *what: object) -> None:
    if not holds:
        raise LawBroken(f"{law}: {what!r}")


def check(before: SetSailState, result: Resolution, throws: Sequence[Throw]) -> None:
    """Hold a turn to the laws. Raises LawBroken."""
    after = result.state
    assert isinstance(after, SetSailState)
    within_bounds(after)
    _dice(throws, result.events)
    _totals(result.events)
    _kept_books(before, after, result.events)
    _only_grows(before, after)


# Bounds ---------------------------------------------------------------------------------------------------------------


def within_bounds(state: SetSailState) -> None:
    """P1, P6, P11, P21, P24, P25, P26, P31, P34: what a sheet may hold."""
    for pirate in state.pirates:
        demand("P1", all(-2 <= getattr(pirate, stat) <= 3 for stat in STATS), pirate)
        demand("P6", pirate.luck >= 0, pirate)
        demand("P24", pirate.purse >= 0, pirate)
        demand("P11", len(pirate.wounds) <= 3, pirate)
        demand("P15", all(one.level == "light" for one in pirate.wounds if one.unspent), pirate)
    for player in state.players:
        demand("P21", len(set(player.struck)) == len(player.struck) and set(player.struck) <= set(FATES), player)
    _ship(state.ship)
    demand("P24", state.treasury >= 0, state.treasury)
    demand("P37", all(plan.crew >= 0 and plan.gm >= 0 for plan in state.plans), state.plans)
    demand("P42", all(talk.round <= 3 for talk in state.talks), state.talks)
    demand("1.6", len({roll.key for roll in state.rolls}) == len(state.rolls), state.rolls)
    demand("1.6", len({one.key for one in state.decisions}) == len(state.decisions), state.decisions)
    pending = ("", *(roll.key for roll in state.rolls))
    demand("1.6", all(one.roll in pending for one in state.decisions), state.decisions, state.rolls)
    demand("1.6", all(talk.tie in pending for talk in state.talks), state.talks, state.rolls)


def _ship(ship: Ship) -> None:
    demand("P26", 0 <= ship.hull <= ship.hull_max <= 6, ship)
    demand("P26", all(0 <= getattr(ship, stat) <= 3 for stat in SHIP_STATS), ship)
    demand("P25", len(ship.secrets) <= 3, ship.secrets)
    demand("P34", len(set(ship.bought)) == len(ship.bought) and set(ship.bought) <= set(DEVELOPMENTS), ship.bought)
    demand("P31", ship.breakdown in ("", *BREAKDOWNS), ship)
    demand("A38", ship.patched >= 0, ship)


# Dice -----------------------------------------------------------------------------------------------------------------


def _dice(throws: Sequence[Throw], events: Sequence[Event]) -> None:
    """1.6: no die outside the closed list, none twice; every face that is told was thrown."""
    for throw in throws:
        purpose, _ = RULESET.dice_purpose(throw.address)  # raises ValueError for any other
        demand("1.6", throw.sides == (3 if purpose == "bid" else 6), throw)
    demand("1.6", len({throw[:3] for throw in throws}) == len(throws), throws)
    for event in events:
        if isinstance(event, ev.Rolled):
            own = [throw.face for throw in throws if throw.address.startswith(event.dice)]
            demand("fair-play F", tuple(own) == event.faces, event, throws)


def _totals(events: Iterable[Event]) -> None:
    """P2, P3, P38: a total is the dice that count and all that is added."""
    for event in events:
        if isinstance(event, ev.Rolled):
            mode = "normal"
            if len(event.faces) == 3:
                mode = "advantage" if event.kept == kept(event.faces, "advantage") else "disadvantage"
            demand("P38", event.kept == kept(event.faces, mode), event)  # type: ignore[arg-type]
            demand("P3", event.total == sum(event.kept) + sum(one.n for one in event.modifiers), event)
            demand("P2", event.band == band_of(event.total), event)
        if isinstance(event, ev.FateRolled):
            demand("P19", event.total == sum(event.faces) and event.escapes == (event.total >= 10), event)


# Books ----------------------------------------------------------------------------------------------------------------


def _kept_books(before: SetSailState, after: SetSailState, events: Sequence[Event]) -> None:
    """P6, P24, P25: luck, money and secrets change by what is told, and by nothing else."""
    if any(isinstance(event, ev.EffectUndone) for event in events):
        return
    told = Counter[tuple[str, str]]()
    for event in events:
        match event:
            case ev.MoneyMoved():
                told["money", event.purse] += event.n
            case ev.LuckSpent():
                told["luck", event.seat] -= event.n
            case ev.LuckRegained():
                told["luck", event.seat] += event.n
            case ev.SecretGained(seat=""):
                told["secrets", ""] += 1
            case ev.SecretLost() if event.audience == after.roster:
                told["secrets", ""] -= 1
    demand("P24", after.treasury == before.treasury + told["money", ""], before.treasury, after.treasury, events)
    demand("P25", len(after.ship.secrets) == len(before.ship.secrets) + told["secrets", ""], after.ship.secrets)
    enlisted = {event.seat for event in events if isinstance(event, ev.PirateEnlisted)}
    known = {one.seat: one for one in before.pirates}
    for pirate in after.pirates:
        if pirate.seat not in enlisted:
            _pirates_books(known[pirate.seat], pirate, told)


def _pirates_books(before: Pirate, after: Pirate, told: Counter[tuple[str, str]]) -> None:
    demand("P24", after.purse == before.purse + told["money", after.seat], before, after)
    demand("P6", after.luck == before.luck + told["luck", after.seat], before, after)


def _only_grows(before: SetSailState, after: SetSailState) -> None:
    """P21, A25, fair-play 3.5: what is struck stays struck, and numbers rise."""
    for name in (*RISING, "turn"):
        demand("3.5", getattr(after, name) >= getattr(before, name), name)
    struck = {player.seat: player.struck for player in after.players}
    demand("P21", all(struck[one.seat][: len(one.struck)] == one.struck for one in before.players), struck)
    if not any(getattr(after.ship, name) != getattr(before.ship, name) for name in ("name", "kind")):
        demand("P34", set(after.ship.bought) >= set(before.ship.bought) or not after.ship.bought, after.ship)


# What is hidden -------------------------------------------------------------------------------------------------------


def views_keep_secrets(state: SetSailState) -> int:
    """Compare the views of a state with those of twins that differ in nothing a viewer may know; return how many.

    Raises LawBroken.
    """
    count = 0
    for seat in (*state.roster, PUBLIC):
        twin = twin_of(state, seat)
        told, other = (_told(one, seat) for one in (state, twin))
        demand(f"what {seat} may know", told == other, told, other)
        demand("what the moderator may know", _told(state, MODERATOR) != _told(twin, MODERATOR), seat)
        count += 1
    return count


def _told(state: SetSailState, seat: Seat) -> str:
    view = RULESET.view(state, seat)
    return encode((view, RULESET.owed(view), RULESET.table(view), RULESET.draw(view)))


def twin_of(state: SetSailState, seat: Seat) -> SetSailState:
    """Return the state with everything changed that this viewer may not know."""
    pirates = tuple(
        one if one.seat == seat else replace(one, learnt=one.learnt + 1, knows=one.knows[1:]) for one in state.pirates
    )
    hidden = Roll(key="gm/o999", seat=next(one for one in state.roster if one != seat), hidden=True, text=HIDDEN)
    twin = replace(
        state,
        pirates=pirates,
        clocks=tuple(one if one.open else replace(one, n=one.n + 1) for one in state.clocks),
        talks=tuple(replace(one, sealed="life", sealed_secret=HIDDEN) for one in state.talks),
        rolls=(*(replace(one, text=HIDDEN) if _is_hidden(one, seat) else one for one in state.rolls), hidden),
        aid=tuple(one for one in state.aid if one.seat == seat),
        commands=state.commands + 1,
    )
    return twin if seat != PUBLIC else _outside(twin)


def _is_hidden(roll: Roll, seat: Seat) -> bool:
    return roll.hidden and roll.seat != seat


def _outside(state: SetSailState) -> SetSailState:
    """Return the state with everything changed that the crew alone knows."""
    secrets = tuple(replace(one, text=HIDDEN, about=HIDDEN, id=one.id + 1) for one in state.ship.secrets)
    return replace(
        state,
        ship=replace(state.ship, secrets=secrets),
        factions=tuple(replace(one, secrets=tuple(HIDDEN for _ in one.secrets)) for one in state.factions),
        plans=tuple(replace(one, goal=HIDDEN) for one in state.plans),
        rolls=tuple(replace(one, goal=HIDDEN, proposal=(HIDDEN,), secrets=()) for one in state.rolls),
        talks=tuple(replace(one, suitable_a=(7,), suitable_b=(8,)) for one in state.talks),
        decisions=tuple(replace(one, text=HIDDEN) for one in state.decisions),
        secrets_found=state.secrets_found + 1,
    )
