"""Luck spent, lost and regained (P6, P7, P9, A7, A23)."""

from __future__ import annotations

from engine.core.contract import EVERYONE, Seat
from engine.set_sail.events import LuckRegained, LuckSpent
from engine.set_sail.rules.play import Play


def spend(play: Play, seat: Seat, n: int, why: str, roll: str = "") -> bool:
    """Spend luck of one's own will; say whether there was enough (P6, A23)."""
    pirate = play.pirate(seat)
    if pirate.luck < n:
        return False
    play.put_pirate(seat, luck=pirate.luck - n)
    if n:
        audience = play.of_roll(play.roll(roll)) if roll else EVERYONE
        left = pirate.luck - n
        play.tell(LuckSpent(rule="P6", audience=audience, seat=seat, n=n, why=why, left=left, roll=roll))
    return True


def lose(play: Play, seat: Seat, n: int, why: str) -> bool:
    """Lose luck by force; say whether it could be paid. What cannot be paid leads to Fate (P9, A24, A26)."""
    pirate = play.pirate(seat)
    paid = min(n, pirate.luck)
    play.put_pirate(seat, luck=pirate.luck - paid)
    if paid:
        play.tell(LuckSpent(rule="P9", seat=seat, n=paid, why=why, left=pirate.luck - paid, forced=True))
    return paid == n


def regain(play: Play, seat: Seat, n: int, why: str, rule: str = "P7", roll: str = "") -> None:
    """Get luck back, where it is capped no further than it began (P7, A7); of a roll's trade who may know of it."""
    pirate = play.pirate(seat)
    luck = pirate.luck + n
    if play.state.options.luck_cap == "start":
        luck = max(pirate.luck, min(luck, pirate.luck_start))
    if luck != pirate.luck:
        play.put_pirate(seat, luck=luck)
        audience = play.of_roll(play.roll(roll)) if roll else EVERYONE
        told = LuckRegained(rule=rule, audience=audience, seat=seat, n=luck - pirate.luck, why=why, left=luck)
        play.tell(told)
