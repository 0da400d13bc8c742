"""What one's own orders would do on what is seen, nobody else moving and no die thrown (`проба`)."""

from __future__ import annotations

from engine.core.contract import Event, Sheet
from engine.jackal.board import thaw
from engine.jackal.commands import UNLIMITED, SlotOrder
from engine.jackal.events import AlternativeFailed
from engine.jackal.rules.acting import perform
from engine.jackal.rules.actor import Acting
from engine.jackal.rules.illegal import Illegal
from engine.jackal.rules.moves import sober_up, wake
from engine.jackal.rules.repetition import refuse_repetition
from engine.jackal.rules.wants import SlotTalk, Wants
from engine.jackal.state import COLOURS, JackalView


def foresee(view: JackalView, sheet: Sheet) -> tuple[Event, ...]:
    """Return the events of one's own orders, slot by slot, as far as open tiles tell."""
    board = thaw(view)
    orders = {order.slot: order for order in sheet if isinstance(order, SlotOrder)}
    told: list[Event] = []
    for slot in view.plan:
        order = orders.get(slot.key)
        if order is None:
            continue
        colour = COLOURS.index(slot.colour)
        wake(board, colour)
        talk = SlotTalk(colour, slot.number, view.seat)
        for place, alternative in enumerate(order.alternatives, 1):
            if alternative.act is None:
                break
            branch = board.branch()
            acting = Acting(
                branch,
                talk,
                Wants(alternative, talk, (view.seat,)),
                smoke=slot.colour != slot.commander,
                ally_rum=dict.fromkeys(view.roster, UNLIMITED),
            )
            try:
                perform(acting)
                refuse_repetition(view.seen, branch, colour)
            except Illegal as why:
                told.append(
                    AlternativeFailed(
                        rule=why.rule,
                        audience=(view.seat,),
                        colour=slot.colour,
                        number=slot.number,
                        place=place,
                        why=why.why,
                        cell=why.cell,
                    )
                )
                continue
            told += branch.events
            board = branch
            break
        sober_up(board)
    return tuple(told)
