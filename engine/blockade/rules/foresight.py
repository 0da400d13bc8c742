"""What one's own orders would do if nobody else moved, without dice (`проба`), and what is known of it beforehand."""

from __future__ import annotations

from engine.blockade.board import thaw
from engine.blockade.commands import PlanOrder
from engine.blockade.events import GunsBear
from engine.blockade.gunnery import distance
from engine.blockade.rules.passage import Passage
from engine.blockade.rules.signals import signals
from engine.blockade.state import BlockadeView
from engine.core.contract import Event, Sheet


def foresee(view: BlockadeView, sheet: Sheet) -> tuple[Event, ...]:
    """Return the own steps of a plan, and the guns that would bear after each, the enemy staying where he is."""
    if not view.piece or view.stage != "play" or view.outcome is not None:
        return ()
    if not any(isinstance(order, PlanOrder) for order in sheet):
        return ()
    ordered = signals(sheet, view.piece, view.options.impulses)
    passage = Passage(thaw(view))
    ship = passage.board.ships[view.piece]
    for impulse, planned in enumerate(ordered.steps, 1):
        passage.move(view.piece, impulse, planned)
        if passage.outcome is not None:
            break
        guns = passage.guns(ship)
        if guns and ordered.fire:
            away = distance(ship.at, passage.board.foe(ship).at)
            found = GunsBear(
                rule="B12",
                audience=(view.seat,),
                about=(ship.piece,),
                piece=ship.piece,
                impulse=impulse,
                guns=guns,
                distance=away,
            )
            passage.events.append(found)
    return tuple(passage.events)
