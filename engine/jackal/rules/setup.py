"""Set-up: seats and sides (J12), the deck from its own stream (5.2), the first position (J1.6, J1.7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.core.contract import Resolution, Seat, SeatInfo
from engine.core.dice import Dice
from engine.jackal.board import colours_of, homes_of, sides_of
from engine.jackal.events import GameBegan
from engine.jackal.isle import ISLE
from engine.jackal.options import JackalOptions
from engine.jackal.rules.planning import plan_turn
from engine.jackal.state import COLOURS, STEPS_A_CELL, UNFOUND, UNITS, JackalState
from engine.jackal.tiles import deck

DECK_STREAM: Final = "deck"
"""The stream that shuffles and turns the tiles; also the name of the secret."""

TITLES: Final = (("Белые", "White"), ("Жёлтые", "Yellow"), ("Чёрные", "Black"), ("Красные", "Red"))


def seats(options: JackalOptions, players: int) -> tuple[SeatInfo, ...]:
    """Return the places of a game (J12): a seat bears its first colour's name, its side that of its first seat.

    Raises ValueError for other than 2 to 4 players.
    """
    colours = colours_of(options, players)
    if players == 2:
        return tuple(_seat(COLOURS[one], COLOURS[one], (one, one + 2)) for one in (0, 1))
    paired = players == 4 and options.teams == "yes"
    return tuple(_seat(COLOURS[one], COLOURS[one % 2 if paired else one], (one,)) for one in colours)


def _seat(name: Seat, side: str, colours: Sequence[int]) -> SeatInfo:
    ru = " и ".join(TITLES[one][0] if n == 0 else TITLES[one][0].lower() for n, one in enumerate(colours))
    en = " and ".join(TITLES[one][1] if n == 0 else TITLES[one][1].lower() for n, one in enumerate(colours))
    pieces = tuple(unit.lower() for one in colours for unit in UNITS[one * 3 : one * 3 + 3])
    return SeatInfo(id=name, side=side, titles={"ru": ru, "en": en}, pieces=pieces)


def start(options: JackalOptions, roster: Sequence[Seat], dice: Dice) -> Resolution:
    """Return the position before the first turn. Raises ValueError for a roster that is not one of this ruleset's."""
    infos = seats(options, len(roster))
    if tuple(roster) != tuple(info.id for info in infos):
        raise ValueError(f"{roster!r} are not the seats of a game for {len(roster)}")
    state = first_position(options, tuple(roster), deal(options, dice), first_colour(options, len(roster), dice))
    colours = tuple(COLOURS[one] for one in colours_of(options, len(roster)))
    return Resolution(state=state, events=(GameBegan(rule="J1.7", first=state.plan[0].colour, colours=colours),))


def first_colour(options: JackalOptions, players: int, dice: Dice) -> int:
    """Return the colour that begins: white, the youngest player's as the host named it, else by lot (J2.1)."""
    colours = colours_of(options, players)
    if options.first == "white":
        return colours[0]
    if options.first_colour and COLOURS.index(options.first_colour) in colours:
        return COLOURS.index(options.first_colour)
    return colours[dice.die("gm/x1/first/0", len(colours)) - 1]


def deal(options: JackalOptions, dice: Dice) -> tuple[int, ...]:
    """Return the closed tiles by cell: shuffled, laid row by row from the north-west, each turned by a die (5.2)."""
    tiles = deck(options.tileset).laid_out()
    order = dice.permutation("gm/deck", len(tiles), DECK_STREAM)
    laid = [0] * len(ISLE.names)
    for place, cell in enumerate(ISLE.land):
        quarter = dice.die(f"gm/deck/turn/{place}", 4, DECK_STREAM) - 1
        laid[cell] = tiles[order[place]] | quarter << 6
    return tuple(laid)


def first_position(options: JackalOptions, roster: tuple[Seat, ...], tiles: tuple[int, ...], first: int) -> JackalState:
    """Return a position with all pirates aboard and no gold found (J1.7)."""
    sides, _ = sides_of(options, roster)
    ships = homes_of(options, sides)
    places = [ships[unit // 3] * STEPS_A_CELL if ships[unit // 3] >= 0 else -1 for unit in range(12)]
    state = JackalState(
        options=options,
        roster=roster,
        turn=0,
        round=0,
        plan=(),
        next=first,
        tiles=tiles,
        loads=(),
        places=(*places, UNFOUND, UNFOUND, UNFOUND),
        moods=(0,) * len(UNITS),
        owners=(-1, -1, -1),
        ships=ships,
    )
    return plan_turn(state)
