"""Checks: bands, dice kept, and what is added to them (P1–P3, P15, P16, P38)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Literal, TypeAlias

from msgspec.structs import replace

from engine.core.dice import Dice
from engine.set_sail.cards import Card
from engine.set_sail.options import SetSailOptions
from engine.set_sail.rules.play import Play
from engine.set_sail.state import BREAKDOWNS, LEAST, MOST, SHIP_STATS, STATS, Band, Modifier, Pirate, Roll, Ship

Mode: TypeAlias = Literal["normal", "advantage", "disadvantage"]
SIDES: Final = 6
FULL, PARTIAL = 10, 7


def band_of(total: int) -> Band:
    """Return the band of a total: 10 or more, 7 to 9, 6 or less (P2, A1)."""
    return "full" if total >= FULL else "partial" if total >= PARTIAL else "miss"


def clamped(value: int, most: int = MOST) -> int:
    """Return a stat within its bounds (P1, A58)."""
    return max(LEAST, min(most, value))


def kept(faces: Sequence[int], mode: Mode) -> tuple[int, ...]:
    """Return the two dice that count: with advantage the highest, with disadvantage the lowest of three (P38)."""
    ordered = sorted(faces)
    return tuple(ordered[1:] if mode == "advantage" else ordered[:2] if mode == "disadvantage" else ordered)


def throw(dice: Dice, slot: str, mode: Mode) -> tuple[int, ...]:
    """Throw ``slot``/0 and 1, with advantage or disadvantage 2 too (fair-play 3.5)."""
    return tuple(dice.die(f"{slot}/{k}", SIDES) for k in range(2 if mode == "normal" else 3))


def mode_of(*, chance: bool, gm_chance: bool, options: SetSailOptions) -> Mode:
    """Return how the dice are kept: a chance a side, and both cancel (A43); HB4 off, the crew's is a bonus (A57)."""
    better = chance and options.hb_chance_is_advantage == "on"
    if better == gm_chance:
        return "normal"
    return "advantage" if better else "disadvantage"


# What is added --------------------------------------------------------------------------------------------------------


def permanent(pirate: Pirate, options: SetSailOptions) -> int:
    """Return the constant penalty of serious and terrible wounds: the worst only (P16, A18)."""
    levels = {wound.level for wound in pirate.wounds}
    parts = [penalty for level, penalty in (("serious", -1), ("terrible", -2)) if level in levels]
    return (sum if options.stack_permanent == "yes" else min)(parts or [0])


def light(pirate: Pirate, options: SetSailOptions) -> int:
    """Return the one-use penalty of light wounds: of all unspent ones, or of one (P15, A12)."""
    unspent = sum(wound.unspent for wound in pirate.wounds)
    return -(min(unspent, 1) if options.light_stack == "one_per_move" else unspent)


def spend_light(pirate: Pirate, options: SetSailOptions) -> Pirate:
    """Return the pirate whose light wounds have had their say (P15)."""
    left = 1 if options.light_stack == "one_per_move" else len(pirate.wounds)
    wounds = []
    for wound in pirate.wounds:
        spent = wound.unspent and left > 0
        left -= spent
        wounds.append(replace(wound, unspent=False) if spent else wound)
    return replace(pirate, wounds=tuple(wounds))


def ship_stat(ship: Ship, stat: str) -> int:
    """Return a ship's stat as it is now, lowered by a breakdown, and so it may be −1 (P31, A31)."""
    value: int = getattr(ship, stat)
    return value - (BREAKDOWNS.get(ship.breakdown) == stat)


def stat_of(play: Play, pirate: Pirate, stat: str) -> int:
    """Return the stat of a check: the pirate's, or the ship's on a ship move (A40)."""
    if stat in STATS:
        value: int = getattr(pirate, stat)
        return value
    return ship_stat(play.state.ship, stat) if stat in SHIP_STATS else 0


def card_bonus(play: Play, card: Card | None) -> int:
    """Return what a card adds to its own move, and rigging on the ship to the move it improves (page 1.5)."""
    if card is None:
        return 0
    own = 0 if card.modifies else card.bonus
    rigging = play.state.ship.rigging
    return own + sum(one.bonus for one in play.state.cards if one.modifies == card.id and one.id in rigging)


def modifiers(play: Play, pirate: Pirate, roll: Roll, card: Card | None, extra: Iterable[Modifier]) -> list[Modifier]:
    """Return all that is added before the window opens; parts of 0 are left out, but for the stat (P3)."""
    options = play.state.options
    accepts = card.accepts if card is not None else ("forward", "wounds")
    found = [Modifier(what="stat", n=stat_of(play, pirate, roll.stat))]
    if "wounds" in accepts:
        found += [
            Modifier(what="wounds", n=permanent(pirate, options)),
            Modifier(what="light", n=light(pirate, options)),
        ]
    if "forward" in accepts:
        found.append(Modifier(what="forward", n=sum(one.n for one in pirate.forward)))
    found.append(Modifier(what="card", n=card_bonus(play, card)))
    found += extra
    return [one for one in found if one.n or one.what == "stat"]


def consume(play: Play, pirate: Pirate, card: Card | None) -> None:
    """Take away what a check uses up: the light wounds' −1, and a modifier to the next check (P15)."""
    accepts = card.accepts if card is not None else ("forward", "wounds")
    if "wounds" in accepts:
        pirate = spend_light(pirate, play.state.options)
    if "forward" in accepts:
        pirate = replace(pirate, forward=tuple(one for one in pirate.forward if one.until != "next"))
    play.put_pirate(pirate.seat, wounds=pirate.wounds, forward=pirate.forward)


def total_of(roll: Roll) -> int:
    """Return the total: dice kept and everything added; there is no cap (P3)."""
    added = sum(one.n for one in roll.modifiers) + roll.own + sum(aid.n for aid in roll.aids)
    return sum(kept(roll.faces, roll.mode)) + added
