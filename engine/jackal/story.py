"""The turn as a story: an entry a slot with its chain, what is one's own, the closed pile; templates have the words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final, TypeAlias

import msgspec

from engine.core.contract import Event
from engine.core.geometry import RHUMBS
from engine.core.story import JournalPage, Scene, Step, Tale
from engine.jackal.commands import AnyAct, Sail, SlotOrder
from engine.jackal.events import (
    ActionTaken,
    AlternativeFailed,
    DecisionAwaited,
    GameBegan,
    GameEnded,
    GrassBurns,
    LaidBack,
    Moved,
    PeekShown,
    SlotSkipped,
    TileOpened,
    TurnBegan,
    TurnCut,
)
from engine.jackal.isle import ISLE
from engine.jackal.orders.choices import legal
from engine.jackal.state import COLOURS, DEAD, PIRATES, UNITS, JackalView, PlanSlot, worth
from engine.jackal.tiles import ARROW, BY_CODE, CODE, KINDS, OPEN, barrel_of, deck, exits_of, make
from engine.jackal.view import COLUMNS, commander_of, men, own_plan, table

Facts: TypeAlias = dict[str, Any]
VIEW: Final = JackalView
"""The type of the views that the story is told from."""

_PRIVATE: Final = (AlternativeFailed, PeekShown, LaidBack)
"""Events that the reader's own part tells, not the story (5.6.2)."""
_MOST_HINTS: Final = 400
"""So many legal actions of a slot are looked through for hints."""
_MOST_WAYS: Final = 16
"""More ways than these are not listed: a plane flies nearly everywhere."""
_NOT_IN_JOURNAL: Final = (TurnBegan, ActionTaken, Moved, GameBegan, GameEnded, TurnCut, DecisionAwaited, *_PRIVATE)


def tell(view: JackalView, events: Sequence[Event]) -> Tale:
    """Return the story of a turn for a viewer: ``view`` after the turn, ``events`` those he may know."""
    return Tale(
        outlook=tuple(_outlook(view)),
        story=tuple(_story(view, events)),
        own=tuple(_own(view, events)),
        journal=tuple(_journal(events)),
        table=Scene("table", {**_gold(view), **_colours(view), "pile": _pile(view), "face_down": _face_down(view)}),
    )


def cast(view: JackalView) -> Facts:
    """Return who and what the phrases name: the reader's seat and colours, who commands which, the switches."""
    return {
        "seat": view.seat,
        "own": list(view.colours),
        "seats": {row["colour"]: row["seat"] for row in _colours(view)["colours"]},
        "round": view.round,
        "options": msgspec.structs.asdict(view.options),
    }


def tile_facts(tile: int) -> Facts:
    """Return a laid tile as facts: its key, the ways of an arrow or the barrel of a cannon, clockwise from north."""
    kind = BY_CODE[tile & CODE]
    ways = [RHUMBS[way] for way in exits_of(tile)] if ARROW[tile & CODE] else []
    barrel = RHUMBS[barrel_of(tile)] if kind.key == "cannon" else ""
    return {"tile": kind.key, "ways": ways, "barrel": barrel, "tile_rule": kind.rule, "passes": kind.passes}


# The coming turn ------------------------------------------------------------------------------------------------------


def _outlook(view: JackalView) -> Iterator[Scene]:
    if view.outcome is not None:
        return
    slots = [_slot_facts(view, slot) for slot in view.plan]
    smoke = any(slot["smoke"] for slot in slots)
    facts = {
        "round": view.round,
        "slots": slots,
        "smoke": smoke,
        "strict": view.options.mode == "strict",
        "passes": max((slot.number for slot in view.plan), default=1),
        "next": COLOURS[view.next],
        "more_smoke": len(view.smoke),
    }
    yield Scene("round", facts)


def _slot_facts(view: JackalView, slot: PlanSlot) -> Facts:
    return {
        "colour": slot.colour,
        "number": slot.number,
        "seat": commander_of(view, slot),
        "smoke": slot.colour != slot.commander,
    }


# What happened --------------------------------------------------------------------------------------------------------


def _story(view: JackalView, events: Sequence[Event]) -> Iterator[Scene]:
    """Yield an entry a slot, in the order they were played (5.6.2); what a seat only tries tells its failures too."""
    tried = not any(isinstance(event, TurnBegan | GameBegan) for event in events)
    slot: list[Event] = []
    for event in events:
        alone = isinstance(event, TurnBegan | GameBegan | GameEnded | SlotSkipped | GrassBurns | TurnCut)
        awaited = isinstance(event, DecisionAwaited)
        if (alone or awaited or isinstance(event, ActionTaken)) and slot:
            yield _entry(view, slot)
            slot = []
        if isinstance(event, _PRIVATE):
            if tried and isinstance(event, AlternativeFailed):
                yield Scene("failed", _facts(event))
        elif alone or awaited:
            yield Scene(_tag(event), _facts(event))
        else:
            slot.append(event)
    if slot:
        yield _entry(view, slot)


def _entry(view: JackalView, events: Sequence[Event]) -> Scene:
    """Return the entry of a slot: who moved what, and the chain link by link with what happened at each (J3.5)."""
    first = events[0]
    if not isinstance(first, ActionTaken):
        return Scene("aside", {"notes": [_note(event, "") for event in events]})
    facts = _facts(first)
    facts["smoke"] = first.commander != _seat_of(view, first.colour)
    facts["seat"] = first.commander
    facts["before"], facts["links"] = _links(events[1:], first.unit)
    return Scene("slot", facts)


def _links(events: Sequence[Event], actor: str) -> tuple[list[Facts], list[Facts]]:
    """Return what happened before the first move, and the moves of a chain, each with what followed it."""
    before: list[Facts] = []
    links: list[Facts] = []
    for event in events:
        if isinstance(event, Moved) and event.unit == actor:
            links.append({**_facts(event), "notes": []})
        elif links:
            links[-1]["notes"].append(_note(event, actor))
        else:
            before.append(_note(event, actor))
    return before, links


def _note(event: Event, actor: str) -> Facts:
    """Return an event as a remark in an entry; ``chain``: its place and who did it have just been named."""
    return _facts(event) | {"tag": _tag(event), "chain": bool(actor), "actor": actor, "self": ""}


def _facts(event: Event) -> Facts:
    """Return an event's fields, and what its phrase says of the tile in it."""
    facts: Facts = msgspec.structs.asdict(event)
    if isinstance(event, TileOpened):
        facts |= tile_facts(make(event.tile, rotation=event.rotation))
    if isinstance(event, PeekShown):
        seen = zip(event.cells, event.tiles, event.rotations, strict=True)
        facts["seen"] = [{"cell": cell, **tile_facts(make(key, rotation=turns))} for cell, key, turns in seen]
    if isinstance(event, LaidBack):
        facts["moves"] = [list(pair) for pair in zip(event.cells, event.to, strict=True) if pair[0] != pair[1]]
    if isinstance(event, GrassBurns):
        facts["pairs"] = [list(pair) for pair in zip(event.colours, event.commanders, strict=True)]
    if isinstance(event, GameEnded):
        facts["gold"] = [[COLOURS[colour], gold] for colour, gold in enumerate(event.gold)]
    return facts


def _tag(event: Event) -> str:
    return str(type(event).__struct_config__.tag)


def _seat_of(view: JackalView, colour: str) -> str:
    return next((str(row["seat"]) for row in _colours(view)["colours"] if row["colour"] == colour), "")


# The reader's own part ------------------------------------------------------------------------------------------------


def _own(view: JackalView, events: Sequence[Event]) -> Iterator[Scene]:
    """Yield what only the reader learns: alternatives that failed, peeks; then his men, their ways, his notebook."""
    if not view.colours:
        return
    for event in events:
        if isinstance(event, _PRIVATE) and view.seat in event.audience:
            yield Scene(f"own-{_tag(event)}", _facts(event))
    hints = _hints(view) if events else {}  # in mid-turn, where nothing has just been resolved, nobody may move
    for colour in view.colours:
        yield Scene("own-colour", _crew(view, COLOURS.index(colour)))
    for unit, ways in hints.items():
        yield Scene("own-ways", {"unit": unit, "ways": ways})
    closed = [peek for peek in view.peeks if not view.tiles[peek.cell] & OPEN]
    if closed:
        seen = [{"cell": ISLE.names[peek.cell], "turn": peek.turn, **tile_facts(peek.tile)} for peek in closed]
        yield Scene("own-notebook", {"seen": seen})
    for entry in view.ally_rum:
        yield Scene("own-ally-rum", {"said": entry.said, "left": entry.left})


def _crew(view: JackalView, colour: int) -> Facts:
    own = range(colour * 3, colour * 3 + 3)
    return {
        "colour": COLOURS[colour],
        "men": men(view, colour),
        "dead": [UNITS[unit] for unit in own if view.places[unit] == DEAD],
        "gold": view.gold[colour],
        "bottles": view.bottles[colour],
        "ship": ISLE.names[view.ships[colour]],
    }


def _hints(view: JackalView) -> dict[str, list[Facts]]:
    """Return where the men of the reader's slots may go now; a plus after a cell: with a load too (5.6.6)."""
    found: dict[str, dict[tuple[str, str], bool]] = {}
    colours = list(dict.fromkeys(slot.colour for slot in own_plan(view)))
    for colour in colours:
        key = next(slot.key for slot in own_plan(view) if slot.colour == colour)
        for order in islice(legal(view, key), _MOST_HINTS):
            act = order.alternatives[0].act if isinstance(order, SlotOrder) else None
            if act is not None:
                unit, where = _way(act, colour)
                ways = found.setdefault(unit, {})
                ways[where] = ways.get(where, False) or bool(getattr(act, "load", None))
    return {unit: _shortened(ways) for unit, ways in found.items()}


def _shortened(ways: dict[tuple[str, str], bool]) -> list[Facts]:
    """Return ways by what is done, flights as one where there are many: ``to`` whereto, ``laden`` what of it laden."""
    acts: dict[str, Facts] = {}
    for (act, to), load in ways.items():
        group = acts.setdefault(act, {"act": act, "to": [], "laden": False, "many": False})
        group["to"].append(f"{to}+" if load and to else to)
        group["laden"] = group["laden"] or load
    for group in acts.values():
        group["many"] = len(group["to"]) > _MOST_WAYS
    return list(acts.values())


def _way(act: AnyAct, colour: str) -> tuple[str, tuple[str, str]]:
    """Return who an act moves, and what it does whereto."""
    if isinstance(act, Sail):
        return f"{'boat' if act.boat else 'ship'}-{act.colour or colour}", ("sail", act.route[0])
    to = getattr(act, "cell", "") or getattr(act, "dead", "")
    return act.unit, (str(type(act).__struct_config__.tag), to)


# Tables ---------------------------------------------------------------------------------------------------------------


def _colours(view: JackalView) -> Facts:
    _, rows = table(view)
    return {"colours": [{**dict(zip(COLUMNS, row, strict=True)), "residents": list(row[7])} for row in rows]}


def _gold(view: JackalView) -> Facts:
    """Return where the gold is: scored, lying, hidden and destroyed make the whole (5.6.4)."""
    scored = sum(view.gold)
    lying = sum(worth(heap) for _, heap in view.loads)
    whole = deck(view.options.tileset).gold
    hidden = whole - scored - lying - view.destroyed
    sides: dict[str, int] = {}
    for row in _colours(view)["colours"]:
        sides[row["side"]] = sides.get(row["side"], 0) + row["gold"]
    shared = [[side, gold] for side, gold in sides.items()] if len(sides) < len(_colours(view)["colours"]) else []
    totals = {"scored": scored, "lying": lying, "hidden": hidden, "destroyed": view.destroyed, "whole": whole}
    return {**totals, "sides": shared}


def _pile(view: JackalView) -> Facts:
    """Return the closed pile by kind, all arrows as one, with the chance of each as the reader knows it (5.6.5).

    Chances are in tenths of a per cent, of a closed tile that the reader has not seen.
    """
    seen: dict[str, int] = {}
    for peek in view.peeks:
        if not view.tiles[peek.cell] & OPEN:
            key = _group(BY_CODE[peek.tile & CODE].key)
            seen[key] = seen.get(key, 0) + 1
    counts: dict[str, int] = {}
    for key, number in view.pile:
        counts[_group(key)] = counts.get(_group(key), 0) + number
    unknown = sum(counts.values()) - sum(seen.values())
    rows = [
        {"key": key, "number": number, "tenths": _tenths(number - seen.get(key, 0), unknown)}
        for key, number in counts.items()
    ]
    half = (len(rows) + 1) // 2
    return {"closed": sum(counts.values()), "seen": sum(seen.values()), "left": rows[:half], "right": rows[half:]}


def _face_down(view: JackalView) -> list[Facts]:
    """Return where each kind lay that was never turned up, when the game is over; blanks are not worth a word."""
    found: dict[str, list[str]] = {}
    for cell, key in view.face_down:
        if key != "empty":
            found.setdefault(_group(key), []).append(ISLE.names[cell])
    return [{"key": key, "cells": found[key]} for key in dict.fromkeys(map(_group, KINDS)) if key in found]


def _group(key: str) -> str:
    return "arrow" if KINDS[key].exits else key


def _tenths(number: int, of: int) -> int:
    return (2000 * number + of) // (2 * of) if of else 0


# The судовой журнал ---------------------------------------------------------------------------------------------------


def _journal(events: Sequence[Event]) -> Iterator[JournalPage]:
    """Give every crew with something to tell its page: what befell its men and ship, finds, losses, curious things."""
    entries: dict[str, list[Scene]] = {colour: [] for colour in COLOURS}
    acting = ""
    for event in events:
        if isinstance(event, ActionTaken):
            acting = event.colour
        if not isinstance(event, _NOT_IN_JOURNAL):
            for colour in _concerned(event, acting):
                entries[colour].append(_line(event, colour))
    for colour, lines in entries.items():
        if lines:
            yield JournalPage(piece=colour, facts={"colour": colour}, lines=tuple(lines))


def _concerned(event: Event, acting: str) -> tuple[str, ...]:
    """Return the colours in whose журнал an event is entered: whom it befell, else who acted."""
    found = [str(getattr(event, name)) for name in ("colour", "was") if getattr(event, name, "")]
    for name in ("unit", "by"):
        unit = str(getattr(event, name, ""))
        if unit and unit in UNITS[:PIRATES]:
            found.append(COLOURS[UNITS.index(unit) // 3])
    if isinstance(event, SlotSkipped | GrassBurns):
        found = [event.colour] if isinstance(event, SlotSkipped) else [acting]
    return tuple(dict.fromkeys(one for one in found or [acting] if one))


def _line(event: Event, colour: str) -> Scene:
    return Scene(_tag(event), _facts(event) | {"self": colour, "chain": False, "actor": ""})


def steps(_view: JackalView, events: Sequence[Event]) -> tuple[Step, ...]:
    """Return the events one by one, each told by the crew it befell, with the rule that brought it about."""
    found: list[Step] = []
    acting = ""
    for event in events:
        if isinstance(event, ActionTaken):
            acting = event.colour
        colours = _concerned(event, acting)
        teller = colours[0] if colours else ""
        pieces = [str(unit).lower() for name in ("unit", "by") if (unit := getattr(event, name, ""))]
        found.append(
            Step(
                scene=_line(event, teller),
                rule=event.rule,
                pieces=tuple(dict.fromkeys(pieces)),
                piece={"colour": teller} if teller else {},
            )
        )
    return tuple(found)
