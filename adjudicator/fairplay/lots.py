"""Seats by lot, drawn at ``start`` (fair-play 3.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.core.contract import Seat
from engine.core.dice import Dice

LOT: Final = "seats/x1"


def allot(asked: Mapping[str, Seat | None], seats: Sequence[Seat], dice: Dice) -> dict[Seat, str]:
    """Return who takes which seat, in roster order; a seat that nobody takes is left out.

    ``asked`` is each player's wish, in the order of joining. The first to ask for a seat has it; everybody else takes a
    place of the shuffled free seats, in the order of joining. Raises ValueError for more players than seats and for a
    wish that is no seat of the game.
    """
    if len(asked) > len(seats):
        raise ValueError(f"{len(asked)} players for {len(seats)} seats")
    taken: dict[Seat, str] = {}
    luckless = []
    for player, seat in asked.items():
        if seat is not None and seat not in seats:
            raise ValueError(f"{seat!r} is no seat of this game")
        if seat is None or seat in taken:
            luckless.append(player)
        else:
            taken[seat] = player
    if luckless:
        free = [seat for seat in seats if seat not in taken]
        places = dice.permutation(LOT, len(free))
        taken |= {free[place]: player for place, player in zip(places, luckless, strict=False)}
    return {seat: taken[seat] for seat in seats if seat in taken}
