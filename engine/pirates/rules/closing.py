"""The close of a turn: derelict, repair, victory and the next wind (P21, P33, P37–P39, 1.4 steps 7–10)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.core.contract import Outcome
from engine.core.dice import Dice
from engine.core.geometry import RHUMBS, distance
from engine.pirates.board import BASE
from engine.pirates.options import PiratesOptions
from engine.pirates.rules.turn import Turn, builder, pieces
from engine.pirates.state import DerelictContested, DerelictTaken, Force, Ship, ShipRepaired, Side, Wind
from engine.pirates.view import side_of

BOTH: Final[tuple[Side, ...]] = ("spain", "pirates")
FORCE_FACES: Final = 8


# Derelict -------------------------------------------------------------------------------------------------------------


def claim_derelict(turn: Turn, sides: Sequence[Side] = BOTH) -> None:
    """Give a derelict to the side that alone has a ship at sea beside it (P37); ``sides`` are those that may claim."""
    hull = turn.ships.get(turn.gold)
    if hull is None or hull.fate != "derelict":
        return
    beside = [ship for side in sides for ship in turn.afloat(side) if _beside(turn, ship, hull)]
    claimants = {ship.side for ship in beside}
    if len(claimants) > 1:
        turn.tell(DerelictContested(rule="P37", ship=hull.number, about=(hull.piece,)))
    elif beside and turn.options.gold_wreck == "boarder":
        _board(turn, hull, beside[0])
    elif beside:
        _take(turn, hull, beside[0])


def _beside(turn: Turn, ship: Ship, hull: Ship) -> bool:
    spots = turn.board.spots
    return turn.at_sea(ship) and distance(spots[ship.cell or ""], spots[hull.cell or ""]) <= 1


def _take(turn: Turn, hull: Ship, claimant: Ship) -> None:
    """Let a derelict sail for the owner of the claimant from the next round on (P37)."""
    home = claimant.owner if claimant.side == builder(hull) else hull.home
    turn.change(hull.number, fate="afloat", owner=claimant.owner, side=claimant.side, home=home)
    turn.tell(_taken(hull, claimant, boarded=False))


def _board(turn: Turn, hull: Ship, claimant: Ship) -> None:
    """Make the claimant the gold ship, in her own class and state; the hull is removed (P38)."""
    turn.change(hull.number, fate="wrecked", cell=None, owner=hull.home)
    turn.gold = claimant.number
    turn.tell(_taken(hull, claimant, boarded=True))


def _taken(hull: Ship, claimant: Ship, *, boarded: bool) -> DerelictTaken:
    return DerelictTaken(
        rule="P38" if boarded else "P37",
        ship=hull.number,
        by=claimant.number,
        owner=claimant.owner,
        side=claimant.side,
        boarded=boarded,
        about=pieces((hull.number, claimant.number)),
    )


# Repair ---------------------------------------------------------------------------------------------------------------


def repair(turn: Turn, side: Side | None = None) -> None:
    """Mend one hit of every ship that spent the whole turn in a port open to her (P33)."""
    for ship in turn.afloat(side):
        ordered = turn.options.repair == "automatic" or turn.plot.order(ship.number).repair
        if ship.hits and ordered and _stayed_in_port(turn, ship):
            mended = turn.change(ship.number, hits=ship.hits - 1)
            port = turn.harbour(ship)
            turn.tell(ShipRepaired(rule="P33", ship=ship.number, hits=mended.hits, port=port, about=(ship.piece,)))


def _stayed_in_port(turn: Turn, ship: Ship) -> bool:
    return ship.number not in turn.under_way and turn.board.is_open(ship.cell or "", ship.side)


# Victory --------------------------------------------------------------------------------------------------------------


def verdict(turn: Turn, *, last: bool) -> Outcome | None:
    """Return how the game ends after this turn, or None (P5, P37, P39); ``last``: the limit of rounds is reached.

    A position in which no ship carries gold is a drill and never ends.
    """
    if not turn.gold:
        return None
    return _gold_in_port(turn) or _gold_lost(turn) or _fleet_gone(turn) or (_limit(turn) if last else None)


def _gold_in_port(turn: Turn) -> Outcome | None:
    """Spain wins with the gold in the goal, the pirates with it in any base (P5)."""
    ship = turn.ships[turn.gold]
    if ship.fate != "afloat" or turn.at_sea(ship):
        return None
    if ship.side == "spain" and ship.cell == turn.board.goal:
        return _won(turn, "spain", "gold-home", brought_by=ship)
    if ship.side == "pirates" and turn.board.kinds[ship.cell or ""] == BASE:
        return _won(turn, "pirates", "gold-base", brought_by=ship)
    return None


def _gold_lost(turn: Turn) -> Outcome | None:
    return Outcome(reason="gold-lost", rule="P37", facts={"ship": turn.gold}) if turn.gold_lost else None


def _fleet_gone(turn: Turn) -> Outcome | None:
    """Judge a side that has no ship afloat; a prize counts for its holder, a derelict for nobody (P39, A24)."""
    sides = {ship.side for ship in turn.ships.values() if ship.fate == "afloat"}
    if not sides:
        return Outcome(reason="nobody-afloat", rule="P39")
    if "pirates" not in sides:
        return _won(turn, "spain", "no-pirates")
    if "spain" not in sides:
        return _won(turn, "pirates", "no-spaniards")
    return None


def _limit(turn: Turn) -> Outcome:
    return Outcome(reason="limit", rule="P39", facts={"rounds": turn.state.round})


def _won(turn: Turn, side: Side, reason: str, *, brought_by: Ship | None = None) -> Outcome:
    """Return a victory of a side; who brought the gold home is named first (P40)."""
    winners = tuple(seat for seat in turn.state.roster if side_of(seat) == side)
    if brought_by is None:
        return Outcome(reason=reason, rule="P39", sides=(side,), winners=winners)
    winners = tuple(dict.fromkeys((brought_by.owner, *winners)))
    facts = {"ship": brought_by.number, "port": turn.harbour(brought_by)}
    return Outcome(reason=reason, rule="P5", sides=(side,), winners=winners, facts=facts)


# Wind -----------------------------------------------------------------------------------------------------------------


def spin_wind(options: PiratesOptions, dice: Dice) -> Wind:
    """Spin rhumb and force of a coming round (P21, A2)."""
    rhumb = RHUMBS[dice.die("wind/x1/rhumb/0", len(RHUMBS)) - 1]
    return Wind(rhumb=rhumb, force=force_of(options, dice.die("wind/x1/force/0", FORCE_FACES)))


def force_of(options: PiratesOptions, face: int) -> Force:
    """Return the force a face of eight stands for: the lowest calm, the highest hurricane, the rest fresh (A2)."""
    if face <= options.calm:
        return "calm"
    return "hurricane" if face > FORCE_FACES - options.hurricane else "fresh"
