"""Gunnery: who fires at whom, what the spins do, sinking and the capture of the gold (P25–P31, P34, P35)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final, Literal, TypeAlias

import msgspec

from engine.core.geometry import RHUMBS, Cell, Spot, cell_name, distance
from engine.pirates.board import SEA, Board
from engine.pirates.rules.plot import Volley
from engine.pirates.rules.turn import Turn, builder, piece, pieces, priority
from engine.pirates.state import GoldCaptured, Ship, ShipHit, ShipSunk, ShotFired, ShotNotFired, When
from engine.pirates.view import HULL, REACH

Targets: TypeAlias = tuple[int | Literal["any"], ...]
Excuse: TypeAlias = Literal["no-target", "in-port", "storm", "captured", "not-joined", "one-shot"]

SHOT: Final[dict[When, str]] = {"before": "o1", "after": "o2"}
"""The slot of a shot's die by its phase (table of dice)."""

_HITS: Final = frozenset(RHUMBS[::2])
_EXCUSED_BY: Final[dict[Excuse, str]] = {
    "no-target": "P25",
    "in-port": "P30",
    "storm": "A11",
    "captured": "P34",
    "not-joined": "P29",
    "one-shot": "A8",
}


class Gun(msgspec.Struct, frozen=True):
    """A shot that falls due: one ship's, or a volley's. ``lowest`` names its die."""

    ships: tuple[int, ...]
    lowest: int
    targets: Targets
    when: When
    volley: str = ""
    silent: bool = False


class Hit(msgspec.Struct, frozen=True):
    """One hit of a shot: the ship that scored it, and the ship its capture would go to (P29, A15)."""

    by: int
    captor: int


def fire(turn: Turn, when: When, actors: Iterable[Ship]) -> None:
    """Carry out a phase of fire: all spin on the cells as they are, then all hits are applied (1.4 steps 3, 6)."""
    struck: dict[int, list[Hit]] = {}
    for gun in _due(turn, when, actors):
        shot = None if _spent(turn, gun) else _shoot(turn, gun)
        if shot is not None and shot.silent:
            turn.silent_shots.add(turn.ships[gun.lowest].owner)
        if shot is not None and shot.hit:
            captor = min(shot.ships)
            struck.setdefault(shot.target, []).extend(Hit(number, captor) for number in shot.ships)
    apply_hits(turn, struck)


def _spent(turn: Turn, gun: Gun) -> bool:
    """Say whether a ship left silent holds fire because her seat has its one shot (``shots=seat``, A8)."""
    if turn.options.shots == "ship" or not gun.silent:
        return False
    owner = turn.ships[gun.lowest].owner
    return owner in turn.plot.has_shot or owner in turn.silent_shots


def _due(turn: Turn, when: When, actors: Iterable[Ship]) -> list[Gun]:
    """Return the shots of a phase in the order of their spins; a volley spins at its lowest member (1.4 step 3)."""
    plot = turn.plot
    numbers = [ship.number for ship in actors]
    due: list[Gun] = []
    for number in numbers:
        order = plot.order(number)
        shot = plot.refused.get(number) or order.fire
        if shot is None or shot.when != when:
            continue
        if number in plot.refused:
            turn.tell(_not_fired(number, when, "one-shot", shot.targets))
        elif not plot.in_volley(number):
            due.append(Gun((number,), number, shot.targets, when, silent=order.silent))
    due += [
        _volley_gun(turn, volley)
        for volley in plot.volleys
        if volley.when == when and volley not in turn.volleys_fired and not set(numbers).isdisjoint(volley.members)
    ]
    return sorted(due, key=lambda gun: priority(turn.opening[gun.lowest]))


def _volley_gun(turn: Turn, volley: Volley) -> Gun:
    """Return the shot of a volley, and tell who did not join it (P29)."""
    turn.volleys_fired.append(volley)
    for number in volley.absent:
        turn.tell(_not_fired(number, volley.when, "not-joined", volley.targets, volley.name))
    return Gun(volley.members, volley.members[0], volley.targets, volley.when, volley.name)


# One shot -------------------------------------------------------------------------------------------------------------


def _shoot(turn: Turn, gun: Gun) -> ShotFired | None:
    """Fire at the first target of the list that a gun can reach; without one there is no spin (P28, P29)."""
    preys = {number: prey(turn, turn.ships[number]) for number in gun.ships if _can_serve(turn, gun, number)}
    target = _aim(gun, list(chain.from_iterable(preys.values())))
    firing = [number for number, found in preys.items() if target in found]
    for number in preys:
        if number not in firing and not gun.silent:
            turn.tell(_not_fired(number, gun.when, "no-target", gun.targets, gun.volley))
    if target is None:
        return None
    address = f"{piece(gun.lowest)}/{SHOT[gun.when]}/main/0"
    spin = turn.spin(address)
    shot = ShotFired(
        rule="P29" if gun.volley else "P28",
        ships=tuple(firing),
        target=target,
        when=gun.when,
        spin=spin,
        hit=spin in _HITS,
        address=address,
        volley=gun.volley,
        silent=gun.silent,
    )
    turn.tell(shot)
    return shot


def _can_serve(turn: Turn, gun: Gun, number: int) -> bool:
    """Say whether a ship can fire at all now, and tell if she cannot though she is afloat (P30, P34, A11)."""
    ship = turn.ships[number]
    if ship.fate != "afloat":
        return False
    excuse: Excuse | None = None
    if number in turn.captured:
        excuse = "captured"
    elif turn.options.storm_fire == "no" and turn.wind.force != "fresh":
        excuse = "storm"
    elif not turn.at_sea(ship):
        excuse = "in-port"
    if excuse and not gun.silent:
        turn.tell(_not_fired(number, gun.when, excuse, gun.targets, gun.volley))
    return excuse is None


def _aim(gun: Gun, within: Sequence[int]) -> int | None:
    """Return the first target of a list that is within reach, or None; «любой» is the first of them all (A21)."""
    for target in gun.targets:
        if target == "any" and within:
            return within[0]
        if target in within:
            return int(target)
    return None


def prey(turn: Turn, shooter: Ship) -> list[int]:
    """Return the enemies a ship at sea can hit now: afloat, in range, in line (P25, P26, P30, A18).

    They stand in the order of «любой» (A21): for Spaniards the captured gold first; then the nearest, those with the
    fewest hits left, the lowest number.
    """
    field = field_of_fire(turn.board, shooter.cell or "", REACH[shooter.kind], rays_only=turn.options.fire == "rays")
    enemies = [
        ship
        for ship in turn.ships.values()
        if ship.cell in field and ship.side != shooter.side and ship.fate == "afloat"
    ]
    enemies.sort(key=lambda ship: _appeal(turn, shooter, ship))
    return [ship.number for ship in enemies]


def _appeal(turn: Turn, shooter: Ship, ship: Ship) -> tuple[bool, int, int, int]:
    captured_gold = ship.number == turn.gold and ship.side == "pirates"
    return not captured_gold, _gap(turn.board, shooter, ship), hits_left(turn, ship), ship.number


def hits_left(turn: Turn, ship: Ship) -> int:
    """Return how many hits a ship has left before she is lost to her side; a prize has 1 (A21, P35)."""
    return 1 if turn.is_prize(ship) else HULL[ship.kind] - ship.hits


def _gap(board: Board, one: Ship, other: Ship) -> int:
    return distance(board.spots[one.cell or ""], board.spots[other.cell or ""])


@lru_cache(maxsize=4096)
def field_of_fire(board: Board, cell: Cell, reach: int, *, rays_only: bool) -> frozenset[Cell]:
    """Return the sea cells that a gun in a cell reaches (P25, P26, P30, A7)."""
    near = {cell}
    for _ in range(reach):
        near |= {beyond for one in near for beyond in board.ahead[one].values() if beyond and board.is_sea(beyond)}
    return frozenset(end for end in near if in_sight(board, cell, end, reach, rays_only=rays_only))


def in_sight(board: Board, start: Cell, end: Cell, reach: int, *, rays_only: bool) -> bool:
    """Say whether a gun at ``start`` reaches ``end`` and nothing stands between (P25, P26, A7).

    Next to the gun the line is always open; at two cells it is shut where all cells between are land or port.
    """
    here, there = board.spots[start], board.spots[end]
    rows, columns = there.row - here.row, there.column - here.column
    gap = max(abs(rows), abs(columns))
    knight = abs(rows * columns) == 2
    if not 1 <= gap <= reach or (rays_only and knight):
        return False
    return gap == 1 or any(board.kinds[cell] == SEA for cell in _between(here, rows, columns))


def _between(here: Spot, rows: int, columns: int) -> list[Cell]:
    """Return the cell or, at a knight's offset, the two cells between a gun and a target two cells off (P26)."""
    half = [(rows // 2, columns // 2)]
    if abs(rows) == 1:
        half = [(0, columns // 2), (rows, columns // 2)]
    elif abs(columns) == 1:
        half = [(rows // 2, 0), (rows // 2, columns)]
    return [cell_name(Spot(here.row + down, here.column + right)) for down, right in half]


# What hits do ---------------------------------------------------------------------------------------------------------


def apply_hits(turn: Turn, struck: dict[int, list[Hit]]) -> None:
    """Apply the hits of a phase together, ship by ship in the order they were first hit (P31, P34, P35)."""
    for number, hits in struck.items():
        ship = turn.ships[number]
        needed = hits_left(turn, ship)
        if number == turn.gold and len(hits) >= needed:
            _capture(turn, ship, hits[:needed])
        else:
            _batter(turn, ship, hits)


def _batter(turn: Turn, ship: Ship, hits: Sequence[Hit]) -> None:
    """Count hits; a galleon sinks at the third, a brigantine at the second (P31)."""
    hull = HULL[ship.kind]
    after = turn.change(ship.number, hits=min(ship.hits + len(hits), hull))
    by = _tell_hit(turn, after, hits)
    if after.hits == hull and ship.cell is not None:
        turn.change(ship.number, fate="sunk", cell=None)
        turn.tell(ShipSunk(rule="P31", ship=ship.number, cell=ship.cell, by=by, about=pieces((ship.number, *by))))
        turn.show_empty(ship)


def _capture(turn: Turn, ship: Ship, hits: Sequence[Hit]) -> None:
    """Give the gold ship to the side that hit her last, patched up to one hit below sinking (P34, P35, P38)."""
    hull = HULL[ship.kind]
    captor = turn.ships[hits[-1].captor]
    home_again = captor.side == builder(ship)
    owner = ship.home if home_again else captor.owner
    _tell_hit(turn, turn.change(ship.number, hits=min(ship.hits + len(hits), hull)), hits)
    turn.change(ship.number, hits=hull - 1, side=captor.side, owner=owner)
    turn.captured.add(ship.number)
    turn.tell(
        GoldCaptured(
            rule="P35" if home_again else "P34",
            ship=ship.number,
            by=captor.number,
            owner=owner,
            side=captor.side,
            hits=hull - 1,
            about=pieces((ship.number, captor.number)),
        )
    )
    turn.reveal("capture")


def _tell_hit(turn: Turn, ship: Ship, hits: Sequence[Hit]) -> tuple[int, ...]:
    by = tuple(dict.fromkeys(hit.by for hit in hits))
    turn.tell(
        ShipHit(
            rule="P31",
            ship=ship.number,
            taken=len(hits),
            hits=ship.hits,
            of=HULL[ship.kind],
            by=by,
            about=pieces((ship.number, *by)),
        )
    )
    return by


def _not_fired(number: int, when: When, reason: Excuse, targets: Targets, volley: str = "") -> ShotNotFired:
    return ShotNotFired(rule=_EXCUSED_BY[reason], ship=number, when=when, reason=reason, targets=targets, volley=volley)
