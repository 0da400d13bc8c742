"""Bottles: whose is drunk, and giving one to the missionary or Friday (J9.16–J9.20)."""

from __future__ import annotations

from typing import Literal

from engine.jackal.commands import (
    Gift,
)
from engine.jackal.events import BottleSpent
from engine.jackal.isle import Cell
from engine.jackal.rules.actor import Acting
from engine.jackal.rules.effects import convert
from engine.jackal.rules.fighting import vanish
from engine.jackal.rules.illegal import Illegal
from engine.jackal.state import (
    COLOURS,
    FR,
    LOCKED,
    LOST,
    MS,
    STEPS_A_CELL,
    UNIT,
)


def take_bottle(acting: Acting, unit: str, use: Literal["leap", "gift"], *, ally: bool) -> None:
    """Take a bottle from the colour's stock, else from an ally's who consents (J9.16, J8.21). Raises Illegal."""
    board = acting.board
    if acting.smoke:
        raise Illegal("no-rum-in-smoke", "J8.21")
    stocks = [acting.colour]
    own_seat = board.seats[acting.colour]
    if ally or any(other != acting.colour and board.seats[other] == own_seat for other in range(4)):
        stocks += [
            other
            for other in range(4)
            if other != acting.colour and board.sides[other] == acting.side and _consents(acting, other)
        ]
    for colour in stocks:
        if board.bottles[colour]:
            board.bottles[colour] -= 1
            board.spent += 1
            seat = board.seats[colour]
            if colour != acting.colour and seat != own_seat and acting.ally_rum.get(seat, 0) > 0:
                acting.ally_rum[seat] -= 1
            board.events.append(
                BottleSpent(
                    rule="J9.17" if use == "leap" else "J9.20",
                    colour=COLOURS[colour],
                    unit=unit,
                    use=use,
                )
            )
            return
    raise Illegal("no-bottle", "J9.16")


def _consents(acting: Acting, colour: int) -> bool:
    """Say whether a colour's owner lets this colour drink: two colours of one player yes, partners as told (J9.16)."""
    board = acting.board
    seat = board.seats[colour]
    return seat == board.seats[acting.colour] or acting.ally_rum.get(seat, 0) != 0


def give(acting: Acting, gift: Gift) -> None:
    """Give a bottle to the missionary or Friday of any side (J9.20). Raises Illegal."""
    board = acting.board
    unit = UNIT[gift.unit]
    if board.places[unit] < 0:
        raise Illegal("nobody-to-give", "J9.20")
    if unit == MS and not board.is_sober(MS):
        raise Illegal("has-drunk", "J9.11")
    if board.moods[unit] & (LOST | LOCKED):
        raise Illegal("lost", "J9.17")
    cell = board.places[unit] // STEPS_A_CELL
    if not any(_may_give(acting, one, cell) for one in board.crew(acting.colour)):
        raise Illegal("too-far-to-give", "J9.20", board.geo.names[cell])
    take_bottle(acting, gift.unit, "gift", ally=gift.ally)
    if unit == FR:
        vanish(board, FR, "rum")
    else:
        convert(board)


def _may_give(acting: Acting, unit: int, cell: Cell) -> bool:
    board = acting.board
    if not board.is_fighter(unit) or board.moods[unit] & (LOST | LOCKED):
        return False
    here = board.places[unit] // STEPS_A_CELL
    return board.geo.apart[here][cell] <= 1
