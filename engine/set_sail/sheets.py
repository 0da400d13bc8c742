"""The sheets of ship and pirates as facts that pictures and phrases are made from."""

from __future__ import annotations

from typing import Any, TypeAlias

from engine.set_sail.rules.checks import light, permanent, ship_stat
from engine.set_sail.rules.money import counted
from engine.set_sail.rules.wounds import slots as slots_of
from engine.set_sail.state import FATES, SHIP_STATS, STATS, WOUND_SLOTS, Pirate, SetSailView

Facts: TypeAlias = dict[str, Any]


def sheet(view: SetSailView, pirate: Pirate) -> Facts:
    """Return a pirate's sheet as a viewer may see it."""
    state = view.state
    backgrounds = {one.id: one.name for one in state.backgrounds}
    called = {one.id: one.name for one in state.enemies}
    held = dict(zip(slots_of(pirate), pirate.wounds, strict=True))
    slots: list[Facts] = [
        {"level": held[slot].level, "unspent": held[slot].unspent} if slot in held else {"level": "", "unspent": False}
        for slot in range(1, WOUND_SLOTS + 1)
    ]
    struck = next((one.struck for one in state.players if one.seat == pirate.seat), ())
    return {
        "seat": pirate.seat,
        "name": pirate.name,
        "post": pirate.post,
        "captain": state.captain == pirate.seat,
        "background": backgrounds.get(pirate.background) or pirate.background,
        "stats": [{"key": stat, "n": getattr(pirate, stat)} for stat in STATS],
        "luck": pirate.luck,
        "wounds": slots,
        "penalty": permanent(pirate, state.options) + light(pirate, state.options),
        "purse": coins(pirate.purse),
        "empty": pirate.purse == 0,
        "status": pirate.status,
        "moves": list(pirate.moves),
        "ambush": [
            {"enemy": one.enemy, "name": called.get(one.enemy) or one.enemy, "n": one.n} for one in pirate.ambush
        ],
        "forward": [{"n": one.n, "until": one.until} for one in pirate.forward],
        "struck": [option for option in FATES if option in struck],
        "knows": [{"id": one.id, "who": one.who, "text": one.text} for one in pirate.knows],
    }


def ship_sheet(view: SetSailView) -> Facts:
    """Return the ship's sheet as a viewer may see it: of secrets the public knows how many there are."""
    ship = view.state.ship
    return {
        "name": ship.name,
        "kind": ship.kind,
        "stats": [{"key": stat, "n": ship_stat(ship, stat)} for stat in SHIP_STATS],
        "hull": ship.hull,
        "hull_max": ship.hull_max,
        "breakdown": ship.breakdown,
        "met": list(ship.met),
        "bought": list(ship.bought),
        "moves": list(ship.moves),
        "rigging": list(ship.rigging),
        "secrets": [{"id": one.id, "text": one.text, "about": one.about} for one in ship.secrets],
        "secret_count": view.secret_count,
        "treasury": coins(view.state.treasury),
        "poor": view.state.treasury == 0,
    }


def coins(sum_: int) -> Facts:
    """Return a sum of piastres as chests, doubloons and piastres (P24)."""
    chests, doubloons, piastres = counted(sum_)
    return {"chests": chests, "doubloons": doubloons, "piastres": piastres}
