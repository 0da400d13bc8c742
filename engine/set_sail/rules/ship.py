"""The ship: bonuses, holes and breakdowns, repair, development (P26–P34, A31–A39)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from engine.core.contract import Seat
from engine.set_sail.commands import Launch, StandingBreakdown
from engine.set_sail.events import (
    BreakdownTaken,
    FlagRaised,
    Foundering,
    HoleTaken,
    ShipDeveloped,
    ShipLaunched,
    ShipMended,
    StatChanged,
)
from engine.set_sail.rules import money
from engine.set_sail.rules.play import Play
from engine.set_sail.state import BREAKDOWNS, CHEST, DEVELOPMENTS, SHIP_STATS, Decision, Roll, Ship

MOST, HULL_MOST = 3, 6
"""Bounds of the three stats, and of the hull (P26)."""
DEVELOPMENT_COSTS: Final = 6 * CHEST
CONDITIONS: Final = 2
"""How many different conditions a development asks for (P33, A35)."""
FOUNDER: Final = "ne_poyti_ko_dnu"


def add_bonus(play: Play, stat: str, n: int) -> None:
    """Raise or lower a ship's stat; what goes above 3 lifts the hull and its maximum instead (P28, A32, A33)."""
    ship = play.state.ship
    value: int = getattr(ship, stat) + n
    play.put_ship(**{stat: max(0, min(MOST, value))})
    play.tell(StatChanged(rule="P28", seat="", stat=stat, value=min(MOST, max(0, value))))
    if value > MOST:
        raise_hull(play, value - MOST)


def raise_hull(play: Play, n: int) -> None:
    """Lift the hull and its maximum alike, to 6 at most; what goes beyond is lost (A32, A34)."""
    ship = play.state.ship
    play.put_ship(hull=min(HULL_MOST, ship.hull + n), hull_max=min(HULL_MOST, ship.hull_max + n))
    play.tell(StatChanged(rule="A32", seat="", stat="hull", value=play.state.ship.hull))


def launch(play: Play, order: Launch) -> None:
    """Set the ship's sheet, of the one there is what is said, and the bonus of her priority (P26, P27, HB2)."""
    old = play.state.ship
    again = bool(old.name) and order.name in ("", old.name)
    ship = old if again else Ship(name=order.name, secrets=old.secrets)
    stats = {stat: getattr(order, stat) for stat in SHIP_STATS if getattr(order, stat) is not None}
    said = {part: getattr(order, part) for part in ("moves", "rigging", "bought") if getattr(order, part) is not None}
    play.set(ship=replace(ship, kind=order.kind or ship.kind, **said))
    play.put_ship(**{stat: min(MOST, max(0, value)) for stat, value in stats.items()})
    if order.hull is not None:
        hull = min(HULL_MOST, max(0, order.hull))
        play.put_ship(hull=hull, hull_max=hull)
    now = play.state.ship
    play.tell(ShipLaunched(rule="P26", name=now.name, kind=now.kind, priority=order.priority, again=again))
    players_choose = play.state.options.hb_priority_by_gm == "off" or order.ordered
    chooser = holder(play, None)
    if players_choose and chooser:
        options = (*SHIP_STATS, "hull")
        play.decide(
            Decision(key=play.next_key(None, "priority", chooser), seat=chooser, kind="priority", options=options)
        )
    elif order.priority:
        priority(play, order.priority)


def priority(play: Play, chosen: str) -> None:
    """Give the bonus of a priority: +1, with the overflow of P28 (P27)."""
    if chosen == "hull":
        raise_hull(play, 1)
    else:
        add_bonus(play, chosen, 1)


# Holes ----------------------------------------------------------------------------------------------------------------


def holder(play: Play, roll: Roll | None) -> Seat:
    """Return who decides for the ship: who makes the ship move, else the captain, else the first who can (A36)."""
    for seat in (roll.seat if roll is not None else "", play.state.captain):
        if seat and play.has_pirate(seat):
            return seat
    return next((one.seat for one in play.state.pirates if one.status == "active"), "")


def may_break(play: Play) -> bool:
    """Say whether a breakdown may be taken instead of a hole: once a battle, none while one is unrepaired (P31)."""
    ship = play.state.ship
    return play.state.battle and not ship.breakdown and not ship.breakdown_used


def salvo(play: Play, n: int, roll: Roll | None, founder: Callable[[Play, Roll | None], None]) -> None:
    """Take holes, with a breakdown for one where the holder wants it; he is asked unless he has a standing word."""
    chooser = holder(play, roll)
    if may_break(play) and chooser:
        word = play.order(chooser, StandingBreakdown) or play.captains(StandingBreakdown)
        if word is None:
            key = play.next_key(roll, "hole", chooser)
            where = roll.key if roll is not None else ""
            play.decide(Decision(key=key, seat=chooser, kind="hole", roll=where, n=n))
            return
        take(play, n, word.kind, roll, founder)
    else:
        take(play, n, "hole", roll, founder)


def take(play: Play, n: int, kind: str, roll: Roll | None, founder: Callable[[Play, Roll | None], None]) -> None:
    """Take holes one by one, the first as a breakdown if that was chosen (A37, A60); at hull 0 the ship founders."""
    foundered = False
    for _ in range(n):
        if kind in BREAKDOWNS and may_break(play):
            play.put_ship(breakdown=kind, breakdown_used=True)
            play.tell(BreakdownTaken(rule="P31", kind=kind))
        elif play.state.ship.hull == 0:
            foundered = True
        else:
            play.put_ship(hull=play.state.ship.hull - 1)
            play.tell(HoleTaken(rule="P30", hull=play.state.ship.hull))
    if foundered:
        play.tell(Foundering(rule="P30", roll=roll.key if roll is not None and not roll.hidden else ""))
        founder(play, roll)


# Repair and development -----------------------------------------------------------------------------------------------


def mend(play: Play, n: int) -> str:
    """Raise the hull by a move, up to its maximum; at sea one hole a passage, or a use (P32, A38, A39)."""
    ship = play.state.ship
    wanted = min(n, ship.hull_max - ship.hull)
    if play.state.passage:
        left = 1 - ship.patched if play.state.options.sea_repair == "per_passage" else 1
        wanted = min(wanted, left)
    if wanted < 1:
        return "nothing-to-mend" if ship.hull >= ship.hull_max else "mended-this-passage"
    patched = ship.patched + wanted if play.state.passage else ship.patched
    play.put_ship(hull=ship.hull + wanted, patched=patched)
    play.tell(ShipMended(rule="P32", hull=play.state.ship.hull, n=wanted))
    return ""


def repair(play: Play, what: str, n: int) -> str:
    """Repair in port for a chest a step of hull, or a breakdown, from the treasury (P32, A29); say why not."""
    ship = play.state.ship
    if play.state.passage:
        return "at-sea"
    if what == "breakdown":
        if not ship.breakdown:
            return "nothing-to-mend"
        if why := money.move(play, "", -CHEST, "repair"):
            return why
        play.put_ship(breakdown="")
        play.tell(ShipMended(rule="P32", hull=ship.hull, breakdown=ship.breakdown, paid=CHEST))
        return ""
    steps = min(n, ship.hull_max - ship.hull)
    if steps < 1:
        return "nothing-to-mend"
    if why := money.move(play, "", -CHEST * steps, "repair"):
        return why
    play.put_ship(hull=ship.hull + steps)
    play.tell(ShipMended(rule="P32", hull=play.state.ship.hull, n=steps, paid=CHEST * steps))
    return ""


def develop(play: Play, option: str, card: str) -> str:
    """Develop the ship in port for 6 chests and two conditions met, which are used up (P33, P34, A34, A35)."""
    ship = play.state.ship
    if play.state.passage:
        return "at-sea"
    if option not in DEVELOPMENTS or option in ship.bought:
        return "bought-before"
    if len(ship.met) < CONDITIONS:
        return "conditions"
    if why := _unfit(play, option, card):
        return why
    if why := money.move(play, "", -DEVELOPMENT_COSTS, "development"):
        return why
    play.put_ship(bought=(*ship.bought, option), met=())
    if option in SHIP_STATS:
        add_bonus(play, option, 1)
    elif option.startswith("move"):
        play.put_ship(moves=(*ship.moves, card))
    else:
        play.put_ship(rigging=(*ship.rigging, card))
    raise_hull(play, 1)
    now = play.state.ship
    play.tell(ShipDeveloped(rule="P34", option=option, card=card, hull=now.hull, hull_max=now.hull_max))
    return ""


def _unfit(play: Play, option: str, card: str) -> str:
    """Return why a card cannot be chosen for an option, "" if it can or none is asked for (P34)."""
    if option in SHIP_STATS:
        return ""
    ship = play.state.ship
    group, known = ("ship_extra", ship.moves) if option.startswith("move") else ("rigging", ship.rigging)
    fits = any(one.id == card and one.group == group for one in play.state.cards)
    return "" if fits and card not in known else "no-such-card"


def raise_flag(play: Play, flag: str) -> None:
    """Meet a condition of development (P33)."""
    if flag not in play.state.ship.met:
        play.put_ship(met=(*play.state.ship.met, flag))
        play.tell(FlagRaised(rule="P33", flag=flag))
