"""Damage, wounds and treatment (P11–P16, A14–A22)."""

from __future__ import annotations

from typing import cast

from msgspec.structs import replace

from engine.core.contract import Seat
from engine.set_sail.events import LuckSpent, WoundHealed, WoundTaken
from engine.set_sail.rules import luck
from engine.set_sail.rules.play import Play
from engine.set_sail.state import LEVELS, WOUND_SLOTS, Level, Pirate, Wound


def forced(play: Play, pirate: Pirate) -> bool:
    """Say whether damage cannot become a wound, so that luck must pay: all slots terrible, or full (P14, A15)."""
    full = len(pirate.wounds) >= WOUND_SLOTS
    if play.state.options.full_slots == "luck_only":
        return full
    return full and all(wound.level == "terrible" for wound in pirate.wounds)


def has_choice(play: Play, seat: Seat) -> bool:
    """Say whether a pirate can choose between luck and a wound (P6a)."""
    pirate = play.pirate(seat)
    return pirate.luck > 0 and not forced(play, pirate)


def damage(play: Play, seat: Seat, n: int, level: Level = "light", *, bought: int = 0, place: int = 0) -> bool:
    """Deal damage unit by unit, the first ``bought`` paid with luck (P6a, A17).

    Returns whether a loss of luck could not be paid: then the pirate meets Fate, once for it all (A24).
    """
    unpaid = False
    for unit in range(n):
        if unit < bought and luck.spend(play, seat, 1, "wound"):
            continue
        unpaid = not _unit(play, seat, level, place) or unpaid
    return unpaid


def _unit(play: Play, seat: Seat, level: Level, place: int) -> bool:
    """Deal one unit; say whether luck, where it had to pay, could."""
    pirate = play.pirate(seat)
    if forced(play, pirate):
        if pirate.luck < 1:
            return False
        play.put_pirate(seat, luck=pirate.luck - 1)
        play.tell(LuckSpent(rule="P14", seat=seat, n=1, why="wound", left=pirate.luck - 1, forced=True))
    elif len(pirate.wounds) < WOUND_SLOTS:
        _into_free_slot(play, pirate, level)
    else:
        _grow(play, pirate, level, place)
    return True


def _into_free_slot(play: Play, pirate: Pirate, level: Level) -> None:
    """Put a wound into a free slot (P11); a light one brings its one-use −1 (P15)."""
    play.put_pirate(pirate.seat, wounds=(*pirate.wounds, Wound(level=level, unspent=level == "light")))
    play.tell(WoundTaken(rule="P11", seat=pirate.seat, place=len(pirate.wounds) + 1, level=level))


def _grow(play: Play, pirate: Pirate, level: Level, place: int) -> None:
    """Raise the lowest wound by one, or to terrible (P12–P14, A16, A19); ``place`` chooses among equals (A14)."""
    ranks = [LEVELS.index(wound.level) for wound in pirate.wounds]
    lowest = ranks.index(min(ranks))
    if 1 <= place <= len(ranks) and ranks[place - 1] == min(ranks):
        lowest = place - 1
    was = pirate.wounds[lowest].level
    new: Level = "terrible" if level == "terrible" else LEVELS[LEVELS.index(was) + 1]
    _put(play, pirate, lowest, Wound(level=new))
    rule = "P12" if was == "light" else "P13"
    play.tell(WoundTaken(rule=rule, seat=pirate.seat, place=lowest + 1, level=new, was=was))


def _put(play: Play, pirate: Pirate, place: int, wound: Wound | None) -> None:
    wounds = list(pirate.wounds)
    wounds[place : place + 1] = [wound] if wound is not None else []
    play.put_pirate(pirate.seat, wounds=tuple(wounds))


def set_level(play: Play, seat: Seat, place: int, level: str) -> bool:
    """Set the level of a slot, or empty it (A21); say whether there was anything to set."""
    pirate = play.pirate(seat)
    if place > len(pirate.wounds) + 1 or (place > len(pirate.wounds) and level == "none"):
        return False
    if place > len(pirate.wounds):
        _into_free_slot(play, pirate, cast("Level", level))
        return True
    was = pirate.wounds[place - 1].level
    new = None if level == "none" else Wound(level=cast("Level", level), unspent=level == "light")
    _put(play, pirate, place - 1, new)
    lighter = new is None or LEVELS.index(new.level) < LEVELS.index(was)
    if lighter:
        play.tell(WoundHealed(rule="A21", seat=seat, place=place, was=was, level="" if new is None else new.level))
    else:
        play.tell(WoundTaken(rule="A21", seat=seat, place=place, level=level, was=was))
    return True


def heal(play: Play, seat: Seat, place: int) -> bool:
    """Treat one slot; say whether there was a wound in it (P16, A22)."""
    pirate = play.pirate(seat)
    if not 1 <= place <= len(pirate.wounds):
        return False
    was = pirate.wounds[place - 1].level
    _put(play, pirate, place - 1, None)
    play.tell(WoundHealed(rule="P16", seat=seat, place=place, was=was))
    return True


def heal_light(play: Play, seat: Seat) -> None:
    """Heal light wounds at the end of a chapter (P15, A20)."""
    pirate = play.pirate(seat)
    for place, wound in enumerate(pirate.wounds, 1):
        if wound.level == "light":
            play.tell(WoundHealed(rule="P15", seat=seat, place=place, was="light"))
    left = tuple(replace(wound, unspent=False) for wound in pirate.wounds if wound.level != "light")
    if left != pirate.wounds:
        play.put_pirate(seat, wounds=left)
