"""Set-up: seats and shares, the starting position, names and the gold (P1–P4, A1, A27)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from engine.core.contract import Event, Facts, Resolution, Seat, SeatInfo, Sheet
from engine.core.dice import Dice
from engine.core.names import skeleton
from engine.pirates.board import Board, BoardError, board_of
from engine.pirates.options import PiratesOptions
from engine.pirates.rules.closing import spin_wind
from engine.pirates.state import (
    GoldChosen,
    GoldOrder,
    NameOrder,
    NameRefused,
    PiratesState,
    Ship,
    ShipNamed,
    Side,
    WindSpun,
)
from engine.pirates.view import spanish_seats

GALLEONS: Final = (1, 2, 3)
BRIGANTINES: Final = (4, 5, 6, 7, 8, 9)
GOLD_STREAM: Final = "gold"
"""The set-up stream of the lot; also the name of the secret."""

NAMES: Final = {
    1: "Сан-Фелипе",
    2: "Санта-Мария",
    3: "Эспириту-Санто",
    4: "Месть",
    5: "Ласточка",
    6: "Чёрный Джек",
    7: "Фортуна",
    8: "Морской Волк",
    9: "Аделаида",
}
"""The names ships bear until their seats give others (P1)."""

SIDES: Final = {2: (1, 1), 3: (1, 2), 4: (2, 2), 5: (2, 3), 6: (3, 3), 7: (3, 4), 8: (3, 5), 9: (3, 6)}
"""Spanish and pirate seats by number of players (A1)."""

_GALLEON_SHARES: Final = {1: (3,), 2: (2, 1), 3: (1, 1, 1)}
_BRIGANTINE_SHARES: Final = {
    1: (6,),
    2: (3, 3),
    3: (2, 2, 2),
    4: (2, 2, 1, 1),
    5: (2, 1, 1, 1, 1),
    6: (1, 1, 1, 1, 1, 1),
}
_TITLES: Final[dict[Side, tuple[str, str]]] = {"spain": ("Испания", "Spain"), "pirates": ("Пираты", "Pirates")}


def seats(players: int) -> tuple[SeatInfo, ...]:
    """Return the places of a game, Spaniards first (P2, P3, A1). Raises ValueError for other than 2 to 9 players."""
    if players not in SIDES:
        raise ValueError(f"«Пираты» are played by 2 to 9 people, not {players!r}")
    spain, pirates = SIDES[players]
    return (
        *_side_seats("spain", GALLEONS, _GALLEON_SHARES[spain]),
        *_side_seats("pirates", BRIGANTINES, _BRIGANTINE_SHARES[pirates]),
    )


def _side_seats(side: Side, ships: Sequence[int], shares: Sequence[int]) -> list[SeatInfo]:
    """Deal ships to seats in number order, the shares from left to right (P3)."""
    left = list(ships)
    dealt = []
    for place, share in enumerate(shares, 1):
        ru, en = _TITLES[side]
        titles = {"ru": f"{ru}-{place}", "en": f"{en}-{place}"}
        pieces = tuple(f"ship{left.pop(0)}" for _ in range(share))
        dealt.append(SeatInfo(id=f"{side}-{place}", side=side, titles=titles, pieces=pieces))
    return dealt


def start(options: PiratesOptions, roster: Sequence[Seat], dice: Dice, data: Facts | None = None) -> Resolution:
    """Return the position of set-up, with the wind of the first turn (P3, table of dice).

    Raises ValueError for a roster that is not one of this ruleset's, BoardError for a board no game can start on.
    """
    infos = seats(len(roster))
    if tuple(roster) != tuple(info.id for info in infos):
        raise ValueError(f"{roster!r} are not the seats of a game for {len(roster)}")
    document = None if data is None else dict(data)
    board = board_of(options.board, document)
    if not board.start:
        raise BoardError("start", "start-missing")
    owners = {piece: info.id for info in infos for piece in info.pieces}
    wind = spin_wind(options, dice)
    state = PiratesState(
        options=options,
        roster=tuple(roster),
        round=0,
        wind=wind,
        ships=tuple(_launch(board, number, owners[f"ship{number}"]) for number in NAMES),
        board=document,
    )
    side: Any = "spain" if options.mode == "alternating" else ""
    return Resolution(state=state, events=(WindSpun(rule="P21", round=1, wind=wind, side=side),))


def _launch(board: Board, number: int, owner: Seat) -> Ship:
    galleon = number in GALLEONS
    return Ship(
        number=number,
        kind="galleon" if galleon else "brigantine",
        name=NAMES[number],
        owner=owner,
        side="spain" if galleon else "pirates",
        home=owner,
        cell=board.start[number],
    )


# The turn of set-up ---------------------------------------------------------------------------------------------------


def set_up(state: PiratesState, sheets: Mapping[Seat, Sheet], dice: Dice) -> Resolution:
    """Resolve turn 0: names, then the gold; nothing else is drawn (1.4)."""
    ships, events = give_names(state, sheets)
    chosen, by_lot = _choose_gold(state, sheets, dice)
    audience = spanish_seats(state.roster)
    opened = msgspec.structs.replace(
        state,
        ships=ships,
        gold=chosen,
        round=1,
        to_move="spain" if state.options.mode == "alternating" else "",
    )
    gold = GoldChosen(rule="P4", ship=chosen, by_lot=by_lot, audience=audience)
    return Resolution(state=opened, events=(*events, gold))


def _choose_gold(state: PiratesState, sheets: Mapping[Seat, Sheet], dice: Dice) -> tuple[int, bool]:
    """Return the galleon the lowest Spanish seat chose; without a choice one of three by lot (P4, 1.4)."""
    chooser = spanish_seats(state.roster)[0]
    chosen = [order.ship for order in sheets.get(chooser, ()) if isinstance(order, GoldOrder)]
    if chosen and chosen[-1] in GALLEONS:
        return chosen[-1], False
    return dice.die("gold/x1/main/0", len(GALLEONS), GOLD_STREAM), True


def give_names(state: PiratesState, sheets: Mapping[Seat, Sheet]) -> tuple[tuple[Ship, ...], list[Event]]:
    """Return the ships as their seats named them, and what is to be told (P1).

    Seats write unseen by each other: a name that looks like another ship's stays with the lower number, or with the
    ship that had it.
    """
    wishes = _wishes(state, sheets)
    ships = {ship.number: ship for ship in state.ships}
    events: list[Event] = []
    for number, name in sorted(wishes.items()):
        ship = ships[number]
        other = _bearer(ships.values(), number, name)
        if other:
            events.append(NameRefused(rule="P1", ship=number, name=name, other=other))
        elif name != ship.name:
            ships[number] = msgspec.structs.replace(ship, name=name)
            events.append(ShipNamed(rule="P1", ship=number, name=name, was=ship.name, about=(ship.piece,)))
    return tuple(ships.values()), events


def _wishes(state: PiratesState, sheets: Mapping[Seat, Sheet]) -> dict[int, str]:
    owners = {ship.number: ship.owner for ship in state.ships if ship.fate == "afloat"}
    return {
        order.ship: order.name
        for seat in state.roster
        for order in sheets.get(seat, ())
        if isinstance(order, NameOrder) and owners.get(order.ship) == seat and skeleton(order.name)
    }


def _bearer(ships: Iterable[Ship], number: int, name: str) -> int:
    """Return the number of another ship whose name looks the same, or 0."""
    look = skeleton(name)
    return next((ship.number for ship in ships if ship.number != number and skeleton(ship.name) == look), 0)
