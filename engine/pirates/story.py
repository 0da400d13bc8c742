"""The turn as a story: shots of a phase, runs, drift and currents gathered into scenes; templates have the words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

import msgspec

from engine.core.codec import plain
from engine.core.contract import Event, Outcome
from engine.core.geometry import RHUMBS, Cell, Rhumb, Spot, distance, eighths, opposite, parse_cell
from engine.core.story import JournalPage, Scene, Step, Tale
from engine.pirates.board import Board, board_of
from engine.pirates.rules.course import rose
from engine.pirates.state import (
    Carried,
    DerelictContested,
    DerelictTaken,
    DriftHeld,
    GalleonEmpty,
    GameEnded,
    GoldCaptured,
    GoldChosen,
    GoldRevealed,
    NameRefused,
    PiratesView,
    PortEntered,
    PortLeft,
    RoundBegan,
    RunCut,
    SecondSpin,
    Ship,
    ShipDrifted,
    ShipHit,
    ShipMoved,
    ShipNamed,
    ShipRepaired,
    ShipStopped,
    ShipSunk,
    ShipWrecked,
    ShotFired,
    ShotNotFired,
    Wind,
)
from engine.pirates.view import HULL
from engine.pirates.voyage import sightings

Facts: TypeAlias = dict[str, Any]
Chapter: TypeAlias = Literal[
    "names", "gold", "round", "guns", "runs", "drift", "currents", "derelict", "repairs", "end", ""
]
VIEW: Final = PiratesView
"""The type of the views that the story is told from."""

SAILS: Final = ("running", "broad", "beam", "close", "oars")
"""Points of sail by the angle between course and downwind, in eighths (P15, P16)."""


def tell(view: PiratesView, events: Sequence[Event]) -> Tale:
    """Return the story of a turn for a viewer: ``view`` after the turn, ``events`` those he may know."""
    return Tale(
        outlook=tuple(_outlook(view)),
        story=tuple(_story(view, events)),
        own=tuple(_own(view)),
        journal=tuple(_journal(view, events)),
        table=Scene("table", {"ships": [_ship_facts(view, ship) for ship in view.ships]}),
    )


def cast(view: PiratesView) -> Facts:
    """Return who and what the phrases name: ships by number, ports and currents by id, the reader's seat and side."""
    board = board_of(view.options.board, view.board)
    return {
        "ships": {ship.number: _ship_facts(view, ship) for ship in view.ships},
        "ports": {port.id: dict(port.name) for port in board.ports.values()},
        "currents": {current.id: dict(current.name) for current in board.currents},
        "goal": dict(board.ports[board.goal].name),
        "seat": view.seat,
        "side": view.side,
        "round": view.round,
        "limit": view.options.limit,
        "options": msgspec.structs.asdict(view.options),
    }


def _ship_facts(view: PiratesView, ship: Ship) -> Facts:
    port = board_of(view.options.board, view.board).ports.get(ship.cell or "")
    return {
        "number": ship.number,
        "name": ship.name,
        "kind": ship.kind,
        "side": ship.side,
        "owner": ship.owner,
        "cell": ship.cell or "",
        "port": port.id if port else "",
        "hits": ship.hits,
        "of": HULL[ship.kind],
        "left": HULL[ship.kind] - ship.hits,
        "fate": ship.fate,
        "gold": view.gold != 0 and view.gold == ship.number,
        "empty": ship.number in view.empty,
    }


# The coming turn ------------------------------------------------------------------------------------------------------


def _outlook(view: PiratesView) -> Iterator[Scene]:
    if view.outcome is not None:
        return
    wind = {"rhumb": view.wind.rhumb, "force": view.wind.force, "to": opposite(view.wind.rhumb)}
    if view.to_move:
        yield Scene("to-move", {"side": view.to_move})
    yield Scene("wind", wind)
    table = rose(view.options, view.wind)
    facts = [{"course": course, **{kind: far[course] for kind, far in table.items()}} for course in RHUMBS]
    yield Scene("rose", {"courses": facts, **wind})


def _own(view: PiratesView) -> Iterator[Scene]:
    if not view.side:
        return
    mine = [ship for ship in view.ships if ship.owner == view.seat and ship.fate == "afloat"]
    for ship in mine:
        yield Scene("own-ship", _ship_facts(view, ship))
    if not mine:
        yield Scene("own-none", {"side": view.side})


# What happened --------------------------------------------------------------------------------------------------------

_CHAPTERS: Final[dict[type[Event], Chapter]] = {
    ShipNamed: "names",
    NameRefused: "names",
    GoldChosen: "gold",
    RoundBegan: "round",
    ShotFired: "guns",
    ShotNotFired: "guns",
    ShipHit: "guns",
    ShipSunk: "guns",
    GoldCaptured: "guns",
    RunCut: "runs",
    ShipMoved: "runs",
    ShipStopped: "runs",
    PortLeft: "runs",
    PortEntered: "runs",
    ShipDrifted: "drift",
    DriftHeld: "drift",
    SecondSpin: "drift",
    ShipWrecked: "drift",
    Carried: "currents",
    DerelictTaken: "derelict",
    DerelictContested: "derelict",
    ShipRepaired: "repairs",
    GameEnded: "end",
}


class _Told:
    """An event with where every ship was when it happened, and the wind it happened in."""

    __slots__ = ("event", "here", "wind")

    def __init__(self, event: Event, here: dict[int, Cell], wind: Wind) -> None:
        self.event = event
        self.here = here
        self.wind = wind


def _story(view: PiratesView, events: Sequence[Event]) -> Iterator[Scene]:
    board = board_of(view.options.board, view.board)
    ships = {ship.number: ship for ship in view.ships}
    shots = False
    for name, told in _chapters(view, events):
        shots = shots or name == "guns"
        match name:
            case "guns":
                yield from _guns(told)
            case "runs":
                yield _runs(told, board, ships)
            case "drift":
                yield _drift(told, board)
            case "currents":
                yield Scene(
                    "currents", {"carried": [_carried(one.event) for one in told if isinstance(one.event, Carried)]}
                )
            case "repairs":
                yield Scene("repairs", {"repaired": [plain(one.event) for one in told]})
            case "names":
                yield Scene("names", _names([one.event for one in told]))
            case _:
                yield from (_scene(one.event, view) for one in told)
    if events and isinstance(events[0], RoundBegan) and not shots:
        yield Scene("no-guns", {})


def _names(events: Sequence[Event]) -> Facts:
    return {
        "named": [plain(event) for event in events if isinstance(event, ShipNamed)],
        "refused": [plain(event) for event in events if isinstance(event, NameRefused)],
    }


def _chapters(view: PiratesView, events: Sequence[Event]) -> Iterator[tuple[Chapter, list[_Told]]]:
    """Cut the events into chapters; the two phases of fire are chapters of their own."""
    wind = view.wind
    open_chapter: tuple[Chapter, str] = ("", "")
    told: list[_Told] = []
    for event, here in zip(events, sightings(view, events), strict=True):
        if isinstance(event, RoundBegan):
            wind = event.wind
        found = _chapter(event, open_chapter)
        if found[0] == "":
            continue
        if found != open_chapter and told:
            yield open_chapter[0], told
            told = []
        open_chapter = found
        told.append(_Told(event, here, wind))
    if told:
        yield open_chapter[0], told


def _chapter(event: Event, now: tuple[Chapter, str]) -> tuple[Chapter, str]:
    if isinstance(event, ShotFired | ShotNotFired):
        return "guns", event.when
    if isinstance(event, PortEntered) and now[0] == "drift":
        return now
    if isinstance(event, GoldRevealed | GalleonEmpty):
        return now if now[0] == "guns" else ("gold", "")
    name = _CHAPTERS.get(type(event), "")
    return now if name == "guns" == now[0] else (name, "")


def _scene(event: Event, view: PiratesView) -> Scene:
    facts: Facts = plain(event)
    tag = facts.pop("type")
    if isinstance(event, RoundBegan):
        facts |= {
            "to": opposite(event.wind.rhumb),
            "rhumb": event.wind.rhumb,
            "force": event.wind.force,
            "side": event.side,
        }
    if isinstance(event, GameEnded):
        facts |= outcome_facts(event.outcome)
    if isinstance(event, DerelictTaken):
        facts["boarded"] = event.boarded
    return Scene(tag, facts | {"own": view.side})


def outcome_facts(outcome: Outcome) -> Facts:
    """Return an outcome as facts for its phrase."""
    return {
        "reason": outcome.reason,
        "sides": list(outcome.sides),
        "winners": list(outcome.winners),
        "facts": dict(outcome.facts),
    }


# Guns -----------------------------------------------------------------------------------------------------------------


def _guns(told: Sequence[_Told]) -> Iterator[Scene]:
    shots = [one for one in told if isinstance(one.event, ShotFired)]
    when = next((one.event.when for one in told if isinstance(one.event, ShotFired | ShotNotFired)), "before")
    yield Scene(
        "guns",
        {
            "when": when,
            "shots": [_shot(one, shots[:place]) for place, one in enumerate(shots)],
            "held": _held(one.event for one in told if isinstance(one.event, ShotNotFired)),
            "ends": _ends([one.event for one in told if isinstance(one.event, _ENDS)]),
        },
    )


_ENDS: Final = (ShipHit, ShipSunk, GoldCaptured, GoldRevealed, GalleonEmpty)


def _shot(one: _Told, earlier: Sequence[_Told]) -> Facts:
    shot = one.event
    if not isinstance(shot, ShotFired):
        raise TypeError(f"not a shot: {shot!r}")
    last = earlier[-1].event if earlier else None
    before = [told.event for told in earlier if isinstance(told.event, ShotFired)]
    return {
        "ships": list(shot.ships),
        "target": shot.target,
        "spin": shot.spin,
        "hit": shot.hit,
        "volley": shot.volley,
        "silent": shot.silent,
        "distance": _range(one, shot),
        "first": last is None,
        "again": isinstance(last, ShotFired) and last.target == shot.target,
        "answer": any(shot.target in other.ships and other.target in shot.ships for other in before),
    }


def _range(one: _Told, shot: ShotFired) -> int:
    """Return the distance of the nearest shooter, 0 where it cannot be told."""
    target = one.here.get(shot.target)
    cells = [one.here[number] for number in shot.ships if number in one.here]
    return min((distance(parse_cell(cell), parse_cell(target)) for cell in cells), default=0) if target else 0


def _held(events: Iterable[ShotNotFired]) -> list[Facts]:
    """Gather the shots that were ordered and not fired, by what prevented them."""
    found: dict[tuple[str, str], list[int]] = {}
    for event in events:
        found.setdefault((event.reason, event.volley), []).append(event.ship)
    return [{"reason": reason, "volley": volley, "ships": ships} for (reason, volley), ships in found.items()]


def _ends(events: Sequence[Event]) -> list[Facts]:
    """Tell what the hits did; of a ship that was lost or taken by them only that is told."""
    lost = {event.ship for event in events if isinstance(event, ShipSunk | GoldCaptured)}
    return [_end(event) for event in events if not (isinstance(event, ShipHit) and event.ship in lost)]


def _end(event: Event) -> Facts:
    facts: Facts = plain(event)
    return facts | {"what": facts["type"], "by": facts.get("by", [])}


# Runs, drift and currents ---------------------------------------------------------------------------------------------


def _runs(told: Sequence[_Told], board: Board, ships: Mapping[int, Ship]) -> Scene:
    legs: dict[int, Facts] = {}
    for one in told:
        ship: int = getattr(one.event, "ship", 0)
        leg = legs.setdefault(ship, _empty_leg(ship, one.here.get(ship, "")))
        match one.event:
            case ShipMoved() as run:
                leg |= _ran(run, one.wind)
            case RunCut() as cut:
                leg["cut"] = {
                    "asked": cut.asked,
                    "allowed": cut.allowed,
                    "reason": cut.reason,
                    "course": cut.course or "",
                }
            case ShipStopped() as stop:
                leg["stop"] = {"cell": stop.cell, "other": stop.other, "reason": stop.reason}
            case PortLeft() as port:
                leg["left"] = port.port
            case PortEntered() as port:
                leg["entered"] = port.port
                leg["home"] = port.cell == board.goal
            case _:
                pass
    parts = [_side(side, legs, told, ships) for side in ("spain", "pirates")]
    return Scene("runs", {"sides": [part for part in parts if part["groups"]]})


def _side(side: str, legs: Mapping[int, Facts], told: Sequence[_Told], ships: Mapping[int, Ship]) -> Facts:
    """Tell the runs of a side: ships that did just the same together, and what the side is up to on the whole."""
    own = [legs[number] for number in sorted(legs) if ships[number].side == side]
    groups: dict[tuple[Any, ...], list[Facts]] = {}
    for leg in own:
        plain_run = leg["course"] and not (leg["left"] or leg["entered"] or leg["stop"] or leg["cut"])
        same = (leg["sail"], leg["course"], leg["cells"], ships[leg["ship"]].kind) if plain_run else (leg["ship"],)
        groups.setdefault(same, []).append(leg)
    return {"side": side, "mood": _mood(own, told, ships), "groups": list(groups.values())}


def _mood(own: Sequence[Facts], told: Sequence[_Told], ships: Mapping[int, Ship]) -> str:
    """Say what a side is up to: leaving port, making port, at the oars, at a stand, closing, or under way."""
    moved = [leg for leg in own if leg["cells"]]
    if not moved:
        return "stuck"
    for key, mood in (("left", "leaving"), ("entered", "entering")):
        if sum(bool(leg[key]) for leg in moved) * 2 >= len(moved):
            return mood
    if all(leg["sail"] == "oars" for leg in moved):
        return "oars"
    before = dict(told[0].here)
    after = before | {leg["ship"]: leg["end"] for leg in own}
    return "closing" if _gap(after, own, ships) < _gap(before, own, ships) else "sailing"


def _gap(here: Mapping[int, Cell], own: Sequence[Facts], ships: Mapping[int, Ship]) -> int:
    """Return how many cells lie between these ships and the nearest enemy."""
    side = ships[own[0]["ship"]].side
    foes = [cell for number, cell in here.items() if ships[number].side != side]
    near = (distance(parse_cell(here[leg["ship"]]), parse_cell(foe)) for leg in own for foe in foes)
    return min(near, default=0)


def _empty_leg(ship: int, start: Cell) -> Facts:
    return {
        "ship": ship,
        "start": start,
        "end": start,
        "cells": 0,
        "course": "",
        "courses": [],
        "sail": "",
        "cut": {},
        "stop": {},
        "left": "",
        "entered": "",
        "home": False,
    }


def _ran(run: ShipMoved, wind: Wind) -> Facts:
    courses = [_course(parse_cell(one), parse_cell(other)) for one, other in zip(run.path, run.path[1:], strict=False)]
    straight = courses[0] if courses and len(set(courses)) == 1 else ""
    return {
        "start": run.path[0],
        "end": run.path[-1],
        "cells": len(courses),
        "course": straight,
        "courses": courses,
        "sail": "oars" if wind.force == "calm" else SAILS[eighths(courses[0], opposite(wind.rhumb))] if courses else "",
    }


def _course(one: Spot, other: Spot) -> Rhumb:
    down, right = other.row - one.row, other.column - one.column
    name = ("N" if down < 0 else "S" if down > 0 else "") + ("W" if right < 0 else "E" if right > 0 else "")
    return next(rhumb for rhumb in RHUMBS if rhumb == name)


def _drift(told: Sequence[_Told], board: Board) -> Scene:
    facts: Facts = {"drifted": [], "held": [], "spins": [], "wrecks": [], "ports": []}
    for one in told:
        match one.event:
            case ShipDrifted():
                facts["drifted"].append(plain(one.event))
            case DriftHeld():
                facts["held"].append(plain(one.event) | {"other": one.event.other})
            case SecondSpin():
                facts["spins"].append(plain(one.event))
            case ShipWrecked():
                facts["wrecks"].append(plain(one.event) | {"derelict": one.event.derelict})
            case PortEntered():
                facts["ports"].append(plain(one.event) | {"home": one.event.cell == board.goal})
            case _:
                pass
    wind = told[0].wind
    return Scene("drift", facts | {"rhumb": wind.rhumb, "to": opposite(wind.rhumb)})


def _carried(event: Carried) -> Facts:
    return {
        "ship": event.ship,
        "current": event.current,
        "start": event.path[0],
        "end": event.path[-1],
        "cells": len(event.path) - 1,
        "blocked_by": event.blocked_by,
    }


# The судовой журнал ---------------------------------------------------------------------------------------------------


def _journal(view: PiratesView, events: Sequence[Event]) -> Iterator[JournalPage]:
    """Give every ship with something to tell her page (P32): the events that are about her, in order."""
    for ship in view.ships:
        lines = tuple(_entry(event, ship) for event in events if ship.piece in event.about)
        if lines:
            yield JournalPage(piece=ship.piece, facts=_ship_facts(view, ship), lines=lines)


def steps(view: PiratesView, events: Sequence[Event]) -> tuple[Step, ...]:
    """Return the events one by one, each told by the ship it befell, with all ships that have to do with it."""
    ships = {ship.number: ship for ship in view.ships}
    return tuple(_step(view, event, ships) for event in events)


def _step(view: PiratesView, event: Event, ships: Mapping[int, Ship]) -> Step:
    numbers = _concerned(event)
    teller = ships.get(numbers[0]) if numbers else None
    return Step(
        scene=_entry(event, teller),
        rule=event.rule,
        pieces=tuple(ships[number].piece for number in numbers if number in ships),
        piece=_ship_facts(view, teller) if teller else {},
    )


def tries(view: PiratesView, events: Sequence[Event]) -> Iterator[tuple[str, str, bool, tuple[int, int]]]:
    """Yield whose luck was tried in what, whether it held, and the chance: every shot, a hit at four rhumbs of eight.

    A volley is one spin, and the luck of the seat whose ship spins it (P28, P29).
    """
    owners = {ship.number: ship.owner for ship in view.ships}
    for event in events:
        if isinstance(event, ShotFired):
            yield owners[int(event.address.removeprefix("ship").partition("/")[0])], "shots", event.hit, (4, 8)


def _concerned(event: Event) -> tuple[int, ...]:
    """Return the ships an event has to do with, the one it befell first."""
    found: list[int] = []
    for name in ("ship", "ships", "target", "by", "other", "blocked_by"):
        value: tuple[int, ...] | int = getattr(event, name, ())
        found += value if isinstance(value, tuple) else (value,)
    return tuple(dict.fromkeys(number for number in found if number))


def _entry(event: Event, ship: Ship | None) -> Scene:
    facts: Facts = plain(event)
    tag = facts.pop("type")
    defaults: Facts = {"blocked_by": 0, "derelict": False, "boarded": False, "volley": "", "silent": False, "other": 0}
    here = ship.number if ship else 0
    by = event.by if isinstance(event, ShipHit | ShipSunk) else ()
    own: Facts = {"self": here, "mates": [number for number in by if number != here]}
    return Scene(tag, defaults | {"by": [], "course": ""} | facts | own)
