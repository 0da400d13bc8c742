"""What a receipt adds to lines: where an order leads over open tiles, and lines that could be sent instead (5.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from engine.core.contract import Event, Language, Note
from engine.jackal.commands import AnyAct, Sail, SlotOrder
from engine.jackal.events import ActionTaken, Died, LoadsChanged, Moved
from engine.jackal.isle import ISLE, LAND
from engine.jackal.orders.choices import legal
from engine.jackal.orders.lexicon import as_cell, as_unit, tokens
from engine.jackal.orders.parsing import Parser
from engine.jackal.orders.writing import write
from engine.jackal.state import COLOURS, PIRATES, UNIT, JackalView
from engine.jackal.tiles import OPEN
from engine.jackal.view import own_plan

MOST_OFFERS: Final = 3
_LOOKED_THROUGH: Final = 400
_LOST: Final = frozenset({"sunk", "eaten", "enemy-ship", "shot"})


def foreseen(view: JackalView, events: Sequence[Event]) -> tuple[Note, ...]:
    """Return notes on what an order does over open tiles: a chain's path, a certain death, a load that is lost."""
    return tuple(_foreseen(view, events))


def _foreseen(view: JackalView, events: Sequence[Event]) -> Iterator[Note]:
    first = next((event for event in events if isinstance(event, ActionTaken)), None)
    moves = [event for event in events if isinstance(event, Moved) and first is not None and event.unit == first.unit]
    if len(moves) > 1:
        last = ISLE.index[moves[-1].cell]
        closed = ISLE.terrain[last] == LAND and not view.tiles[last] & OPEN
        cells = (moves[0].start, *(move.cell for move in moves))
        yield Note(kind="warning", key="path", rule="J3.5", facts={"cells": cells, "closed": closed})
    for event in events:
        if isinstance(event, Died):
            yield Note(kind="warning", key="dies", rule=event.rule, facts={"unit": event.unit, "cell": event.cell})
        if isinstance(event, LoadsChanged) and event.what in _LOST:
            yield Note(kind="warning", key="loses", rule=event.rule, facts={"cell": event.cell, "items": event.items})


def offered(view: JackalView, text: str, language: Language) -> tuple[str, ...]:
    """Return lines that are legal now for whom a line is about, those that lead nearest to its cell first."""
    if view.outcome is not None:
        return ()
    about = _about(text)
    target = next((cell for token in tokens(text)[1:] if (cell := as_cell(token.text))), "")
    if not about and not target:
        return ()
    colours = {slot.colour for slot in own_plan(view)}
    if about in UNIT and UNIT[about] < PIRATES and COLOURS[UNIT[about] // 3] not in colours:
        about = ""  # another's man: «B1» for «Б1»
    found: list[tuple[int, int, str]] = []
    for slot in own_plan(view):
        for place, order in enumerate(islice(legal(view, slot.key), _LOOKED_THROUGH)):
            act = order.alternatives[0].act if isinstance(order, SlotOrder) else None
            if act is not None and about in ("", _mover(act)):
                found.append((_distance(act, target), place, write(order, language, view)))
    return tuple(line for _, _, line in sorted(found)[:MOST_OFFERS])


def _about(text: str) -> str:
    """Return the unit a line is about, ``ship`` for a vessel, "" if that cannot be told."""
    parser = Parser(text, "ru")
    while (token := parser.peek()) is not None:
        unit = as_unit(token.text) or parser.one_of("residents")
        if unit:
            return unit
        if parser.phrase("ship") or parser.phrase("boat_vessel"):
            return "ship"
        parser.at += 1
    return ""


def _mover(act: AnyAct) -> str:
    return "ship" if isinstance(act, Sail) else act.unit


def _distance(act: AnyAct, target: str) -> int:
    """Return how far an act ends from a cell, in king's steps; 0 where either is not known."""
    to = getattr(act, "cell", "")
    if not target or to not in ISLE.index:
        return 0
    columns = abs(ord(to[0]) - ord(target[0]))
    return max(columns, abs(int(to[1:]) - int(target[1:])))
