"""The turn as a story: step by step on both bridges, fire, the dash, the end; templates have the words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from engine.blockade.board import Board, Vessel, thaw
from engine.blockade.events import (
    BowTurned,
    DashBegan,
    DashEnded,
    DecisionAwaited,
    Disabled,
    Escaped,
    Fired,
    FireHeld,
    ForcedHome,
    GameBegan,
    GameEnded,
    GunsBear,
    Rammed,
    RanAground,
    ShipPlaced,
    SidesSettled,
    StepChanged,
    Stepped,
    TurnBegan,
)
from engine.blockade.gunnery import GUNS, bears, distance, guns_bearing, line_is_open
from engine.blockade.rules.helm import bar_of, step_of
from engine.blockade.state import PIECES, BlockadeView, Piece
from engine.blockade.view import movers, plan_is_void, table
from engine.blockade.waters import OPEN_SEA, RELATIVES
from engine.core.contract import Event
from engine.core.geometry import RHUMBS
from engine.core.story import JournalPage, Scene, Step, Tale

Facts: TypeAlias = dict[str, Any]
VIEW: Final = BlockadeView
"""The type of the views that the story is told from."""

_AFTER: Final = (Fired, FireHeld, GunsBear)
"""What is told together with the step it follows."""


def tell(view: BlockadeView, events: Sequence[Event]) -> Tale:
    """Return the story of a turn for a viewer: ``view`` after the turn, ``events`` those he may know."""
    return Tale(
        outlook=tuple(_outlook(view)),
        story=tuple(_story(events)),
        own=tuple(_own(view, events)),
        journal=tuple(_journal(events)),
        table=Scene("table", _table(view)) if view.ships else None,
    )


def cast(view: BlockadeView) -> Facts:
    """Return who and what the phrases name: the reader's seat and ship, whose ship is which, the switches."""
    return {
        "seat": view.seat,
        "piece": view.piece,
        "pieces": {ship.seat: ship.piece for ship in view.ships},
        "seats": {ship.piece: ship.seat for ship in view.ships},
        "options": msgspec.structs.asdict(view.options),
        "impulses": view.options.impulses,
        "moves": bool(view.piece) and view.stage == "play" and view.piece in movers(view),
    }


_CALLED: Final[dict[Piece, dict[str, str]]] = {
    "runner": {"ru": "Прорыватель", "en": "Runner"},
    "blockader": {"ru": "Блокирующий", "en": "Blockader"},
}


def called(view: BlockadeView) -> dict[str, dict[str, str]]:
    """Return the titles of seats since the sides are known: their ships (2.5)."""
    return {ship.seat: _CALLED[ship.piece] for ship in view.ships}


# The coming turn ------------------------------------------------------------------------------------------------------


def _outlook(view: BlockadeView) -> Iterator[Scene]:
    if view.outcome is not None:
        return
    if view.stage == "sides":
        yield Scene("outlook-sides", {"harbour": view.options.harbour})
    elif view.stage == "layout":
        yield Scene("outlook-layout", {"toss": view.toss, "own": view.seat == view.toss, "first": view.first})
    else:
        ships = [{"piece": ship.piece, "forced": ship.disabled, "moves": ship.moves} for ship in view.ships]
        facts = {
            "first": view.first,
            "movers": list(movers(view)),
            "alone": view.options.mode == "strict",
            "forced": [ship["piece"] for ship in ships if ship["forced"]],
            "steps": view.options.impulses,
            "left": view.options.limit - min(ship.moves for ship in view.ships),
            "limit": view.options.limit,
        }
        yield Scene("outlook-play", facts)


# What happened --------------------------------------------------------------------------------------------------------


def _story(events: Sequence[Event]) -> Iterator[Scene]:
    """Yield the story: set-up as it went, in play a scene an impulse, the dash and what ended the game apart.

    In strict play a turn is one step, which is told as it is; so are steps that are only tried.
    """
    at = 0
    while at < len(events):
        event = events[at]
        end = at + 1
        if isinstance(event, StepChanged):
            if _tried(events):
                yield Scene(_tag(event), _facts(event))
        elif isinstance(event, Stepped) and not event.dash:
            end = _end_of_impulse(events, at)
            yield Scene("impulse", {"impulse": event.impulse, "entries": _entries(events[at:end])})
        elif isinstance(event, DashBegan):
            end = _end_of_dash(events, at)
            yield Scene("dash", _dash(event, events[at + 1 : end]))
        elif not isinstance(event, ShipPlaced):
            yield Scene(_tag(event), _facts(event) | _placed(event, events))
        at = end


def _tried(events: Sequence[Event]) -> bool:
    """Say whether events are only foreseen: no turn began."""
    return not any(isinstance(event, TurnBegan) for event in events)


def _end_of_impulse(events: Sequence[Event], at: int) -> int:
    """Return where an impulse that begins at a step ends: at what neither steps nor fires."""
    first = events[at]
    assert isinstance(first, Stepped)  # noqa: S101 - the caller looked
    end = at + 1
    while end < len(events):
        event = events[end]
        goes_on = isinstance(event, Stepped) and not event.dash and event.impulse == first.impulse
        if not (goes_on or isinstance(event, (*_AFTER, StepChanged))):
            break
        if isinstance(event, StepChanged) and (event.dash or event.impulse != first.impulse):
            break
        end += 1
    return end


def _entries(events: Sequence[Event]) -> list[Facts]:
    """Return the steps of an impulse, each with the fire that followed it."""
    entries: list[Facts] = []
    for event in events:
        if isinstance(event, Stepped):
            entries.append({**_facts(event), "fire": None, "held": [], "bear": [], "distance": 0})
        elif isinstance(event, Fired):
            entries[-1]["fire"] = _broadside(entries[-1]["fire"], event)
        elif isinstance(event, FireHeld):
            entries[-1]["held"] = list(event.guns)
        elif isinstance(event, GunsBear):
            entries[-1] |= {"bear": list(event.guns), "distance": event.distance}
    return entries


def _broadside(before: Facts | None, event: Fired) -> Facts:
    """Return the guns that a ship fired after a step, with one more."""
    shots = before["shots"] if before else []
    shot = {"gun": event.gun, "face": event.face, "result": event.result, "points": event.points}
    found = [*shots, shot]
    return {
        "piece": event.piece,
        "target": event.target,
        "distance": event.distance,
        "shots": found,
        "points": sum(int(one["points"]) for one in found),
        "rule": event.rule,
    }


def _end_of_dash(events: Sequence[Event], at: int) -> int:
    end = at + 1
    while end < len(events) and isinstance(events[end], Stepped | StepChanged):
        end += 1
    return end


def _dash(began: DashBegan, events: Sequence[Event]) -> Facts:
    """Return a dash: whence, along which squares, by which helm."""
    steps = [event for event in events if isinstance(event, Stepped)]
    return {
        **_facts(began),
        "path": [step.cell for step in steps],
        "steps": [step.relative for step in steps],
        "heading": steps[-1].heading if steps else "",
    }


def _placed(event: Event, events: Sequence[Event]) -> Facts:
    """Return where the ships lie, told with the sides."""
    if not isinstance(event, SidesSettled):
        return {}
    ships = [one for one in events if isinstance(one, ShipPlaced)]
    return {"ships": [{"piece": one.piece, "cell": one.cell, "heading": one.heading} for one in ships]}


def _facts(event: Event) -> Facts:
    facts: Facts = msgspec.structs.asdict(event)
    return facts


def _tag(event: Event) -> str:
    return str(type(event).__struct_config__.tag)


# The reader's own part ------------------------------------------------------------------------------------------------


def _own(view: BlockadeView, events: Sequence[Event]) -> Iterator[Scene]:
    """Yield what only the reader learns: steps that were changed; then his ship, her ways, how the enemy bears."""
    if not _tried(events):
        for event in events:
            if isinstance(event, StepChanged) and view.seat in event.audience:
                yield Scene("own-step-changed", _facts(event))
    if not view.piece or not view.ships:
        return
    board = thaw(view)
    ship = board.ships[view.piece]
    yield Scene("own-ship", _ship(view, board, ship))
    if view.stage != "play" or view.outcome is not None:
        return
    yield Scene("own-enemy", _enemy(view, board, ship))
    if events and view.piece in movers(view):
        yield Scene("own-ways", {"ways": _ways(board, ship), "forced": ship.disabled})


def _ship(view: BlockadeView, board: Board, ship: Vessel) -> Facts:
    return {
        "piece": ship.piece,
        "cell": ship.at.name,
        "heading": RHUMBS[ship.heading],
        "points": ship.points,
        "theirs": board.foe(ship).points,
        "play": view.stage == "play",
        "disabled": ship.disabled,
        "rows": OPEN_SEA - ship.at.row,
    }


def _enemy(view: BlockadeView, board: Board, ship: Vessel) -> Facts:
    """Return how far the enemy is, which guns bear on him from here, and which of his on us."""
    foe = board.foe(ship)
    reach = view.options.range
    pointed = [gun for gun, axis in GUNS[ship.piece] if bears(ship.at, ship.heading + axis, foe.at)]
    return {
        "piece": foe.piece,
        "cell": foe.at.name,
        "heading": RHUMBS[foe.heading],
        "distance": distance(ship.at, foe.at),
        "range": reach,
        "in_range": distance(ship.at, foe.at) <= reach,
        "hidden": bool(pointed) and not line_is_open(board.chart, ship.at, foe.at),
        "guns": list(guns_bearing(board.chart, reach, ship.piece, ship.at, ship.heading, foe.at)),
        "theirs": list(guns_bearing(board.chart, reach, foe.piece, foe.at, foe.heading, ship.at)),
        "disabled": foe.disabled,
        "void": plan_is_void(view, ship.piece),
    }


def _ways(board: Board, ship: Vessel) -> list[Facts]:
    """Return the three steps a ship may order, and what bars each; the forced square alone of a disabled ship."""
    ways = []
    for relative in RELATIVES[:1] if ship.disabled else RELATIVES:
        step = step_of(ship.at, ship.heading, relative)
        bar = bar_of(board, ship.piece, ship.at, step.to)
        cell = step.to.name if step.to.on_board else ""
        enemy = step.to == board.foe(ship).at
        ways.append({"step": relative, "cell": cell, "heading": RHUMBS[step.heading], "bar": bar, "enemy": enemy})
    return ways


# The table ------------------------------------------------------------------------------------------------------------


def _table(view: BlockadeView) -> Facts:
    columns, rows = table(view)
    ships = [dict(zip(columns, row, strict=True)) for row in rows]
    return {
        "ships": [{**ship, "guns": [gun for gun, _ in GUNS[ship["piece"]]]} for ship in ships],
        "play": view.stage == "play",
        "limit": view.options.limit,
        "alone": view.options.mode == "strict",
    }


# The судовой журнал ---------------------------------------------------------------------------------------------------


def _journal(events: Sequence[Event]) -> Iterator[JournalPage]:
    """Give each bridge its page: the way made, own fire and the enemy's, what befell the ship."""
    for piece in PIECES:
        lines = tuple(_log(piece, events))
        if lines:
            yield JournalPage(piece=piece, facts={"piece": piece}, lines=lines)


def _log(piece: Piece, events: Sequence[Event]) -> Iterator[Scene]:
    way: list[Stepped] = []
    for event in events:
        if isinstance(event, Stepped):
            if event.piece == piece:
                if way and way[-1].dash == 0 < event.dash:
                    yield _way(piece, way)
                    way = []
                way.append(event)
            continue
        if _is_logged(event, piece):
            if way:
                yield _way(piece, way)
                way = []
            yield Scene(_tag(event), _facts(event) | {"self": piece})
    if way:
        yield _way(piece, way)


def _way(piece: Piece, steps: Sequence[Stepped]) -> Scene:
    """Return steps made without anything between them as one entry."""
    facts = {
        "self": piece,
        "start": steps[0].start,
        "cells": [step.cell for step in steps],
        "heading": steps[-1].heading,
        "turned": any(step.relative != "=" for step in steps),
        "forced": steps[0].forced,
        "dash": steps[0].dash > 0,
    }
    return Scene("sailed", facts)


_NOT_LOGGED: Final = (
    GameBegan,
    SidesSettled,
    TurnBegan,
    StepChanged,
    DashBegan,
    DashEnded,
    DecisionAwaited,
    GameEnded,
    GunsBear,
)


def _is_logged(event: Event, piece: Piece) -> bool:
    """Say whether an event is entered in the log of a ship: what she did, and what befell her."""
    if isinstance(event, _NOT_LOGGED):
        return False
    if isinstance(event, Fired | Disabled | Rammed):
        return piece in event.about
    if isinstance(event, ShipPlaced | BowTurned | FireHeld | RanAground | ForcedHome | Escaped):
        return event.piece == piece
    return False


def steps(_view: BlockadeView, events: Sequence[Event]) -> tuple[Step, ...]:
    """Return the events one by one, each told by the ship that did it, with the rule that brought it about."""
    found = []
    for event in events:
        teller = str(getattr(event, "piece", ""))
        pieces = event.about or ((teller,) if teller else ())
        piece = {"piece": teller} if teller else {}
        found.append(Step(Scene(_tag(event), _facts(event) | {"self": teller}), event.rule, tuple(pieces), piece))
    return tuple(found)


def tries(view: BlockadeView, events: Sequence[Event]) -> Iterator[tuple[str, str, bool, tuple[int, int]]]:
    """Yield whose luck was tried in what, whether it held, and the chance: every shot, a hit on three faces of six."""
    seats = {ship.piece: ship.seat for ship in view.ships}
    for event in events:
        if isinstance(event, Fired):
            yield seats[event.piece], "shots", event.result != "M", (3, 6)
