"""Set-up: seats, turn 0 with sides and squares, the toss, turn 1 with islands and rocks (B2–B5, D1, D2, D11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from engine.blockade.commands import CornerOrder, HarbourOrder, LayoutOrder, Side, SideOrder
from engine.blockade.events import GameBegan, LaidOut, ShipPlaced, SidesSettled, Tossed
from engine.blockade.layout import Drawn, draw, fault_of
from engine.blockade.options import BlockadeOptions
from engine.blockade.state import SEATS, BlockadeState, Ship, other, piece_of
from engine.blockade.waters import CellName, corner_heading, corners, harbour
from engine.core.contract import Event, Resolution, Seat, SeatInfo, Sheet
from engine.core.dice import Dice

TITLES: Final = {"first": {"ru": "первый", "en": "first"}, "second": {"ru": "второй", "en": "second"}}
HARBOUR: Final = "L1"
CORNER: Final = "B23"
"""Where ships begin whose seats have not said (2.5.1)."""


def seats(players: int) -> tuple[SeatInfo, ...]:
    """Return the places of a game; sides are known after turn 0 only. Raises ValueError for other than 2 players."""
    if players != len(SEATS):
        raise ValueError(f"«Блокада» is played by 2 people, not {players!r}")
    return tuple(SeatInfo(id=seat, side=seat, titles=TITLES[seat]) for seat in SEATS)


def start(options: BlockadeOptions, roster: Sequence[Seat]) -> Resolution:
    """Return the position of turn 0. Raises ValueError for a roster that is not this ruleset's."""
    if tuple(roster) != SEATS:
        raise ValueError(f"{roster!r} are not the seats of a game for {len(roster)}: {SEATS!r}")
    return Resolution(state=BlockadeState(options=options, roster=SEATS), events=(GameBegan(rule="B4"),))


# Turn 0 ---------------------------------------------------------------------------------------------------------------


def settle(state: BlockadeState, sheets: Mapping[Seat, Sheet], dice: Dice) -> Resolution:
    """Settle the sides, place both ships and toss (B2–B4)."""
    one, two = state.roster
    wishes = tuple(_wish(sheets.get(seat, ())) for seat in state.roster)
    runner, by_lot = _runner(state.roster, (wishes[0], wishes[1]), dice)
    blockader = two if runner == one else one
    options = state.options
    berth = _cell(sheets.get(runner, ()), HarbourOrder, HARBOUR, harbour(options))
    corner = _cell(sheets.get(blockader, ()), CornerOrder, CORNER, corners(options))
    ships = (
        Ship(piece="runner", seat=runner, cell=berth, heading="N"),
        Ship(piece="blockader", seat=blockader, cell=corner, heading=corner_heading(options, corner)),
    )
    winner = state.roster[dice.die("toss/x1/main/0", 2) - 1]
    placed = msgspec.structs.replace(state, turn=1, stage="layout", ships=ships, toss=winner)
    winners = piece_of(placed, winner)
    first = other(winners) if winners else "runner"
    events: tuple[Event, ...] = (
        SidesSettled(rule="B4", runner=runner, blockader=blockader, by_lot=by_lot),
        *(
            ShipPlaced(
                rule="B2" if ship.piece == "runner" else "B3",
                about=(ship.piece,),
                piece=ship.piece,
                seat=ship.seat,
                cell=ship.cell,
                heading=ship.heading,
            )
            for ship in ships
        ),
        Tossed(rule="B4", winner=winner, first=first),
    )
    return Resolution(state=msgspec.structs.replace(placed, first=first), events=events)


def _wish(sheet: Sheet) -> Side:
    return next((order.side for order in sheet if isinstance(order, SideOrder)), "any")


def _runner(roster: Sequence[Seat], wishes: tuple[Side, Side], dice: Dice) -> tuple[Seat, bool]:
    """Return who runs, and whether a die said so: equal wishes are settled by lot (dice, 2.5)."""
    one, two = wishes
    if one == two:
        first_has_it = dice.die("sides/x1/main/0", 2) == 1
        first_runs = first_has_it == (one != "blockader")
        return roster[0 if first_runs else 1], True
    first_runs = one == "runner" or two == "blockader"
    return roster[0 if first_runs else 1], False


def _cell(
    sheet: Sheet, kind: type[HarbourOrder | CornerOrder], default: CellName, legal: Sequence[CellName]
) -> CellName:
    said = next((order.cell for order in sheet if isinstance(order, kind)), default)
    return said if said in legal else default


# Turn 1 ---------------------------------------------------------------------------------------------------------------


def lay_out(state: BlockadeState, sheets: Mapping[Seat, Sheet], dice: Dice) -> Resolution:
    """Lay out islands and rocks as the winner of the toss says, or by the dice (B5, D11)."""
    order = next((one for one in sheets.get(state.toss, ()) if isinstance(one, LayoutOrder)), LayoutOrder())
    ships = tuple(ship.cell for ship in state.ships)
    chosen = not order.random and fault_of(order.islands, order.rocks, ships) is None
    found = Drawn(order.islands, order.rocks, 0) if chosen else draw(dice, ships)
    laid = LaidOut(
        rule="B5",
        seat=state.toss,
        islands=found.islands,
        rocks=found.rocks,
        drawn=not chosen,
        attempt=found.attempt,
    )
    after = msgspec.structs.replace(state, turn=2, stage="play", islands=found.islands, rocks=found.rocks)
    return Resolution(state=after, events=(laid,))
