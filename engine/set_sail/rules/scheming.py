"""«Строить козни»: secrets committed, helpers, chances for a plan (P35–P38, A41–A46, A61)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from engine.core.contract import Seat
from engine.set_sail.events import ChancesChanged, ChanceSpent, SchemeJoined, SchemeLaid
from engine.set_sail.rules import luck, secrets
from engine.set_sail.rules.play import Play
from engine.set_sail.state import MOST, Plan, Roll

HELPERS: Final = 3
BEYOND: Final = 2
"""Chances on top with a full success (P37)."""


def fitting(play: Play, roll: Roll, ruled: tuple[int, ...] | None) -> tuple[int, ...]:
    """Return the committed secrets that the crew has and the moderator finds suitable (P35, P49, A62)."""
    known = [one.id for one in play.state.ship.secrets]
    return tuple(one for one in roll.secrets if one in known and (ruled is None or one in ruled))


def pay_helpers(play: Play, roll: Roll) -> int:
    """Let helpers pay and return what they add: the first three by arrival who can (P36, A42, A61; cap: A41)."""
    pays = 1 if play.state.options.hb_scheme_pays_luck == "on" else 0
    leader = play.pirate(roll.seat)
    cap = HELPERS if play.state.options.scheme_cap == "helpers" else max(0, min(HELPERS, MOST - leader.dal))
    counted = 0
    for seat in roll.helpers:
        joins = counted < cap and luck.spend(play, seat, pays, "scheme", roll.key)
        counted += joins
        event = SchemeJoined(rule="P36", roll=roll.key, seat=seat, counted=joins, paid=pays if joins else 0)
        play.tell(replace(event, audience=play.of_roll(roll)))
    return counted


def commit(play: Play, numbers: Sequence[int]) -> None:
    """Take the committed secrets off the ship's sheet, whatever comes of it (P37)."""
    for number in numbers:
        secrets.cross_out(play, number, "schemed")


def lay(play: Play, roll: Roll) -> None:
    """Give the chances of a scheme's final band (P37)."""
    n = len(roll.secrets)
    crew = {"full": n + BEYOND, "partial": n}.get(roll.band, 0)
    gm = n if roll.band == "miss" else 0
    number = play.state.plans_made + 1
    plan = Plan(id=f"p{number}", goal=roll.goal, crew=crew, gm=gm)
    play.set(plans_made=number, plans=(*play.state.plans, plan))
    play.tell(SchemeLaid(rule="P37", audience=play.crew, roll=roll.key, plan=plan.id, goal=roll.goal, crew=crew, gm=gm))


def plan_of(play: Play, plan: str) -> Plan | None:
    """Return a plan; without an id the only one there is."""
    plans = play.state.plans
    if not plan and len(plans) == 1:
        return plans[0]
    return next((one for one in plans if one.id == plan), None)


def spend_chance(play: Play, plan_id: str, side: str, roll: str, audience: tuple[Seat, ...]) -> bool:
    """Spend a chance of the crew (``crew``) or the moderator (``gm``) before the roll; say whether there was one."""
    plan = plan_of(play, plan_id)
    if plan is None or getattr(plan, side) < 1:
        return False
    left: int = getattr(plan, side) - 1
    _put(play, replace(plan, **{side: left}))
    told = ChanceSpent(
        rule="P38", audience=audience, roll=roll, side="crew" if side == "crew" else "gm", plan=plan.id, left=left
    )
    play.tell(told)
    return True


def change(play: Play, side: str, n: int, plan_id: str) -> bool:
    """Give or take chances by an effect; without a plan of that name a new one is made for a gain."""
    plan = plan_of(play, plan_id)
    if plan is None:
        if n < 1:
            return False
        number = play.state.plans_made + 1
        plan = Plan(id=plan_id or f"p{number}")
        play.set(plans_made=number, plans=(*play.state.plans, plan))
    plan = replace(plan, **{side: max(0, getattr(plan, side) + n)})
    _put(play, plan)
    play.tell(ChancesChanged(rule="P37", plan=plan.id, crew=plan.crew, gm=plan.gm))
    return True


def drop(play: Play, plan_id: str) -> bool:
    """End a plan: its chances go with it and pass to no other (A45)."""
    plan = plan_of(play, plan_id)
    if plan is None:
        return False
    play.set(plans=tuple(one for one in play.state.plans if one.id != plan.id))
    play.tell(ChancesChanged(rule="A45", plan=plan.id, crew=0, gm=0))
    return True


def _put(play: Play, plan: Plan) -> None:
    play.set(plans=tuple(plan if one.id == plan.id else one for one in play.state.plans))
