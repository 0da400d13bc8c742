"""Gunnery: who fires at whom, what the spins do, sinking and the capture of the gold (P25–P31, P34, P35)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

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


@dataclass(frozen=True, slots=True)
class Gun:
    """A shot that falls due: one ship's, or a volley's. ``lowest`` names its die."""

    ships: tuple[int, ...]
    lowest: int
    targets: Targets
    when: When
    volley: str = ""
    silent: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
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
    numbers = [ship.number for ship in actors]
    for number in numbers:
        refused = turn.plot.refused.get(number)
        if refused and refused.when == when:
            turn.tell(_not_fired(number, when, "one-shot", refused.targets))
    due = [(turn.opening[number], _own_gun(turn, when, number)) for number in numbers]
    due += [
        (turn.opening[volley.members[0]], _volley_gun(turn, volley))
        for volley in turn.plot.volleys
        if volley.when == when and any(number in volley.members for number in numbers)
    ]
    return [gun for ship, gun in sorted(due, key=lambda one: priority(one[0])) if gun is not None]


def _own_gun(turn: Turn, when: When, number: int) -> Gun | None:
    order = turn.plot.order(number)
    if order.fire is None or order.fire.when != when or turn.plot.in_volley(number):
        return None
    if number in turn.plot.refused:
        return None
    return Gun((number,), number, order.fire.targets, when, silent=order.silent)


def _volley_gun(turn: Turn, volley: Volley) -> Gun | None:
    """Return the shot of a volley, once (P29)."""
    if volley in turn.volleys_fired:
        return None
    turn.volleys_fired.append(volley)
    for number in volley.absent:
        turn.tell(_not_fired(number, volley.when, "not-joined", volley.targets, volley.name))
    return Gun(volley.members, volley.members[0], volley.targets, volley.when, volley.name)


# One shot -------------------------------------------------------------------------------------------------------------


def _shoot(turn: Turn, gun: Gun) -> ShotFired | None:
    """Fire at the first target of the list that a gun can reach; without one there is no spin (P28, P29)."""
    crews = [number for number in gun.ships if _can_serve(turn, gun, number)]
    target = next((aim for aim in _aims(turn, gun, crews) if _any_bears(turn, crews, aim)), None)
    firing = [number for number in crews if target is not None and bears(turn, number, target)]
    for number in crews:
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


def _aims(turn: Turn, gun: Gun, crews: Sequence[int]) -> list[int]:
    """Return the targets of a list one after another, «любой» spelt out (A21)."""
    aims: list[int] = []
    for target in gun.targets:
        if target == "any":
            aims += [aim.number for crew in crews for aim in prey(turn, turn.ships[crew])]
        else:
            aims.append(target)
    return aims


def prey(turn: Turn, shooter: Ship) -> list[Ship]:
    """Return the enemies a ship can hit, in the order of «любой» (A21).

    For Spaniards the captured gold first; then the nearest, those with the fewest hits left, the lowest number.
    """
    enemies = [ship for ship in turn.ships.values() if bears(turn, shooter.number, ship.number)]
    return sorted(enemies, key=lambda ship: (not _captured_gold(turn, shooter, ship), *_worth(turn, shooter, ship)))


def _captured_gold(turn: Turn, shooter: Ship, ship: Ship) -> bool:
    return shooter.side == "spain" and ship.number == turn.gold and ship.side == "pirates"


def _worth(turn: Turn, shooter: Ship, ship: Ship) -> tuple[int, int, int]:
    return _gap(turn.board, shooter, ship), hits_left(turn, ship), ship.number


def hits_left(turn: Turn, ship: Ship) -> int:
    """Return how many hits a ship has left before she is lost to her side; a prize has 1 (A21, P35)."""
    return 1 if turn.is_prize(ship) else HULL[ship.kind] - ship.hits


def _any_bears(turn: Turn, crews: Iterable[int], target: int) -> bool:
    return any(bears(turn, crew, target) for crew in crews)


def bears(turn: Turn, shooter: int, target: int) -> bool:
    """Say whether a ship can hit another now: an enemy afloat at sea, in range, in line (P25, P26, P30, A18)."""
    one, other = turn.ships.get(shooter), turn.ships.get(target)
    if one is None or other is None or other.fate != "afloat" or other.side == one.side:
        return False
    if one.cell is None or other.cell is None or not turn.at_sea(other):
        return False
    rays_only = turn.options.fire == "rays"
    return in_sight(turn.board, one.cell, other.cell, REACH[one.kind], rays_only=rays_only)


def _gap(board: Board, one: Ship, other: Ship) -> int:
    return distance(board.spots[one.cell or ""], board.spots[other.cell or ""])


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
