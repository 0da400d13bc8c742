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


def slots(pirate: Pirate) -> tuple[int, ...]:
    """Return the slots of a pirate's wounds, in their order."""
    return tuple(wound.slot or place for place, wound in enumerate(pirate.wounds, 1))


def _into_free_slot(play: Play, pirate: Pirate, level: Level, slot: int = 0) -> None:
    """Put a wound into a free slot, the first if none is named (P11); a light one brings its one-use −1 (P15)."""
    taken = slots(pirate)
    slot = slot or next(one for one in range(1, WOUND_SLOTS + 1) if one not in taken)
    new = Wound(level=level, unspent=level == "light", slot=slot)
    play.put_pirate(pirate.seat, wounds=(*pirate.wounds, new))
    play.tell(WoundTaken(rule="P11", seat=pirate.seat, place=slot, level=level))


def _grow(play: Play, pirate: Pirate, level: Level, place: int) -> None:
    """Raise the lowest wound by one, or to terrible (P12–P14, A16, A19); the slot ``place`` among equals (A14)."""
    ranks = [LEVELS.index(wound.level) for wound in pirate.wounds]
    lowest = ranks.index(min(ranks))
    taken = slots(pirate)
    if place in taken and ranks[taken.index(place)] == min(ranks):
        lowest = taken.index(place)
    was = pirate.wounds[lowest].level
    new: Level = "terrible" if level == "terrible" else LEVELS[LEVELS.index(was) + 1]
    _put(play, pirate, lowest, Wound(level=new, slot=taken[lowest]))
    rule = "P12" if was == "light" else "P13"
    play.tell(WoundTaken(rule=rule, seat=pirate.seat, place=taken[lowest], level=new, was=was))


def _put(play: Play, pirate: Pirate, at: int, wound: Wound | None) -> None:
    wounds = [replace(one, slot=slot) for one, slot in zip(pirate.wounds, slots(pirate), strict=True)]
    wounds[at : at + 1] = [wound] if wound is not None else []
    play.put_pirate(pirate.seat, wounds=tuple(wounds))


def set_level(play: Play, seat: Seat, place: int, level: str) -> bool:
    """Set the level of a slot, or empty it (A21); say whether there was anything to set."""
    pirate = play.pirate(seat)
    taken = slots(pirate)
    if place not in taken:
        if level == "none" or not 1 <= place <= WOUND_SLOTS:
            return False
        _into_free_slot(play, pirate, cast("Level", level), place)
        return True
    was = pirate.wounds[taken.index(place)].level
    new = None if level == "none" else Wound(level=cast("Level", level), unspent=level == "light", slot=place)
    _put(play, pirate, taken.index(place), new)
    lighter = new is None or LEVELS.index(new.level) < LEVELS.index(was)
    if lighter:
        play.tell(WoundHealed(rule="A21", seat=seat, place=place, was=was, level="" if new is None else new.level))
    else:
        play.tell(WoundTaken(rule="A21", seat=seat, place=place, level=level, was=was))
    return True


def heal(play: Play, seat: Seat, place: int) -> bool:
    """Treat one slot; say whether there was a wound in it (P16, A22)."""
    pirate = play.pirate(seat)
    taken = slots(pirate)
    if place not in taken:
        return False
    was = pirate.wounds[taken.index(place)].level
    _put(play, pirate, taken.index(place), None)
    play.tell(WoundHealed(rule="P16", seat=seat, place=place, was=was))
    return True


def heal_light(play: Play, seat: Seat) -> None:
    """Heal light wounds at the end of a chapter (P15, A20)."""
    pirate = play.pirate(seat)
    held = list(zip(pirate.wounds, slots(pirate), strict=True))
    for wound, slot in held:
        if wound.level == "light":
            play.tell(WoundHealed(rule="P15", seat=seat, place=slot, was="light"))
    left = tuple(replace(wound, unspent=False, slot=slot) for wound, slot in held if wound.level != "light")
    if len(left) < len(held):
        play.put_pirate(seat, wounds=left)
