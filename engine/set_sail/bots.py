"""A sane player, who acts, helps and bargains by chance, and a sane moderator, who lets every kind of thing happen."""

from __future__ import annotations

from typing import Final

from engine.core.contract import MODERATOR, Choose, Order, Sheet, Slot
from engine.set_sail import commands as c
from engine.set_sail.orders import fold, legal
from engine.set_sail.orders.sheet import silence
from engine.set_sail.state import SetSailView
from engine.set_sail.view import owed

_EVENTS: Final = (
    "damage:1:@{seat}",
    "damage:1:serious:@{seat}",
    "luck:+1:@{seat}",
    "hole:1",
    "hull:+1",
    "secret:+1:…",
    "money:+50:@treasury",
    "rep:-1:@{seat}",
    "heal:1:@{seat}",
    "status:active:@{seat}",
    "forward:+1:next:@{seat}",
)


def bot(view: SetSailView, choose: Choose) -> Sheet:
    """Return orders for all owed slots of the viewer."""
    orders = tuple(_one(view, slot, choose) for slot in own_slots(view) if not slot.optional)
    if view.seat == MODERATOR:
        return fold(orders, _moderator(view, choose))
    return fold(orders, _extra(view, choose))


def own_slots(view: SetSailView) -> tuple[Slot, ...]:
    """Return the slots of the viewer."""
    return tuple(slot for slot in owed(view) if slot.seat == view.seat)


def _one(view: SetSailView, slot: Slot, choose: Choose) -> Order:
    if slot.what == "ruling" and choose(4):
        return c.Ruling(roll=slot.facts["roll"], stat=("der", "izv", "dal", "rep")[choose(4)])
    found = list(legal(view, slot.key))
    return found[choose(len(found))] if found else silence(view, slot)


def _extra(view: SetSailView, choose: Choose) -> list[Order]:
    """Return what a player does beside what he owes: take part, tell a tale, leave standing words."""
    found: list[Order] = []
    for slot in own_slots(view):
        wanted = {"join": 3, "tale": 1, "standing-luck": 4, "standing-damage": 4}.get(slot.key, 0)
        if slot.optional and wanted and not choose(wanted):
            orders = list(legal(view, slot.key))
            found.append(orders[choose(len(orders))])
    return found


def _moderator(view: SetSailView, choose: Choose) -> list[Order]:
    """Return a few commands: something happens to somebody, a scene opens, a talk begins."""
    state = view.state
    if state.stage == "set-up":
        launch = c.Launch(number=1, name="…", nav=1, fire=2, disp=1, hull=3)
        return [launch, c.Put(number=2, what="threat", id="fort")]
    seat = state.roster[choose(len(state.roster))]
    found: list[Order] = []
    if not choose(3):
        effect = _EVENTS[choose(len(_EVENTS))].format(seat=seat)
        found.append(c.DoEffect(number=len(found) + 1, effect=effect))
    if not choose(6):
        found.append(c.Gate(number=len(found) + 1, what="scene", opens=True, enemies=("fort",)))
        what = ("battle", "passage", "carouse", "chapter")[choose(4)]
        found.append(c.Gate(number=len(found) + 1, what=what, opens=bool(choose(2))))  # type: ignore[arg-type]
    if not choose(5):
        others = ("fort", *(one for one in state.roster if one != seat))
        other = others[choose(len(others))]
        found.append(c.OpenTalk(number=len(found) + 1, a=seat, b=other, threat=not choose(2)))
    if not choose(8) and any(pirate.seat == seat and pirate.status == "dead" for pirate in state.pirates):
        found.append(c.Hire(number=len(found) + 1, seat=seat, sheet=c.Enlist(name="…", der=1)))
    return found
