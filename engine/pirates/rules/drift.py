"""The hurricane: all ships at sea drift, some onto land (P18–P20, A12, A13)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from engine.core.geometry import STEPS, Rhumb, eighths, opposite
from engine.pirates.board import LAND
from engine.pirates.rules.movement import arrive
from engine.pirates.rules.turn import Turn, builder
from engine.pirates.state import DriftHeld, SecondSpin, Ship, ShipDrifted, ShipWrecked
from engine.pirates.view import HULL


def drift(turn: Turn, ships: Iterable[Ship], *, spins: bool = True) -> None:
    """Let ships drift one cell downwind together: second spins in number order, then from the downwind end (P18–P20).

    Ships that are not given stay and are obstacles. Without ``spins`` ships in danger of the shore are left where they
    are (foresight throws no dice).
    """
    downwind = opposite(turn.wind.rhumb)
    at_sea = sorted((ship for ship in ships if turn.at_sea(ship)), key=lambda ship: ship.number)
    endangered = [ship for ship in at_sea if _onto_land(turn, ship, downwind)]
    for ship in endangered if spins else ():
        _face_shore(turn, ship, downwind)
    _drift_together(turn, [ship for ship in at_sea if ship not in endangered], downwind)


def _onto_land(turn: Turn, ship: Ship, rhumb: Rhumb) -> bool:
    beyond = turn.board.ahead[ship.cell or ""][rhumb]
    return beyond is not None and turn.board.kinds[beyond] == LAND


# On the shore ---------------------------------------------------------------------------------------------------------


def _face_shore(turn: Turn, ship: Ship, downwind: Rhumb) -> None:
    """Spin again for a ship driven onto land: wreck if the second wind drives her ashore too (P20)."""
    if turn.options.strict_wreck == "yes":
        wreck(turn, ship)
        return
    address = f"{ship.piece}/x1/main/0"
    spin = turn.spin(address)
    saved = _is_saved(turn, ship, downwind, opposite(spin))
    turn.tell(SecondSpin(rule="P20", ship=ship.number, spin=spin, saved=saved, address=address, about=(ship.piece,)))
    if not saved:
        wreck(turn, ship)


def _is_saved(turn: Turn, ship: Ship, first: Rhumb, second: Rhumb) -> bool:
    """Say whether the second wind spares a ship; along the coast it does unless ``coast_wind=wreck`` (A13)."""
    turned = turn.options.coast_wind == "saved" or eighths(first, second) >= 3
    return turned and not _onto_land(turn, ship, second)


def wreck(turn: Turn, ship: Ship) -> None:
    """Lose a ship on the shore; the gold ship may stay as a derelict (P20, P37)."""
    if ship.cell is None:
        raise ValueError(f"ship {ship.number} is {ship.fate} and cannot be wrecked")
    is_gold = ship.number == turn.gold
    derelict = is_gold and turn.options.gold_wreck != "lost"
    if derelict:
        turn.change(ship.number, fate="derelict", owner="", side=builder(ship), hits=HULL[ship.kind] - 1)
    else:
        turn.change(ship.number, fate="wrecked", cell=None)
    turn.tell(
        ShipWrecked(
            rule="P37" if is_gold else "P20",
            ship=ship.number,
            cell=ship.cell,
            derelict=derelict,
            about=(ship.piece,),
        )
    )
    if is_gold:
        turn.reveal("wreck")
        turn.gold_lost = not derelict
    else:
        turn.show_empty(ship)


# Adrift ---------------------------------------------------------------------------------------------------------------


def _drift_together(turn: Turn, ships: Sequence[Ship], downwind: Rhumb) -> None:
    """Move ships from the downwind end, so that a follower moves if the one before her did (P19, A12)."""
    rows, columns = STEPS[downwind]
    spots = turn.board.spots

    def leads(ship: Ship) -> tuple[int, int]:
        spot = spots[ship.cell or ""]
        return -(spot.row * rows + spot.column * columns), ship.number

    frozen = turn.occupants() if turn.options.drift == "frozen" else {}
    for ship in sorted(ships, key=leads):
        held = _held(turn, ship, downwind) or _held_by_ship(turn, ship, downwind, frozen)
        if held:
            turn.tell(held)
        else:
            _move(turn, ship, downwind)


def _held(turn: Turn, ship: Ship, downwind: Rhumb) -> DriftHeld | None:
    """Say whether the map holds a ship: the edge, a shut port, a barred corner (P19)."""
    barrier = turn.board.barrier(ship.cell or "", downwind, ship.side)
    if barrier in {"edge", "port", "corner"}:
        return DriftHeld(rule="P19", ship=ship.number, cell=ship.cell or "", reason=barrier)
    return None


def _held_by_ship(turn: Turn, ship: Ship, downwind: Rhumb, frozen: dict[str, int]) -> DriftHeld | None:
    beyond = turn.board.step(ship.cell or "", downwind)
    other = frozen.get(beyond) or turn.occupants().get(beyond, 0)
    if not other:
        return None
    reason: Literal["derelict", "ship"] = "derelict" if turn.ships[other].fate == "derelict" else "ship"
    about = (ship.piece,)
    return DriftHeld(rule="P19", ship=ship.number, cell=ship.cell or "", reason=reason, other=other, about=about)


def _move(turn: Turn, ship: Ship, downwind: Rhumb) -> None:
    start = ship.cell or ""
    end = turn.board.step(start, downwind)
    turn.under_way.add(ship.number)
    turn.tell(ShipDrifted(rule="P18", ship=ship.number, start=start, end=end))
    arrive(turn, turn.change(ship.number, cell=end))
