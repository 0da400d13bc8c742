"""What each viewer sees of a position, what he owes, and the state table (5.5, 5.6)."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Any, Final

from engine.core.contract import MODERATOR, PUBLIC, Question, Seat, Slot
from engine.jackal.board import items_of, sides_of
from engine.jackal.isle import ISLE
from engine.jackal.state import (
    COLOURS,
    CONVERTED,
    DEAD,
    DRUNK,
    LOCKED,
    LOST,
    PIRATES,
    STEPS_A_CELL,
    TRAPPED,
    UNITS,
    JackalState,
    JackalView,
    PlanSlot,
)
from engine.jackal.tiles import BY_CODE, CODE, HIDDEN, OPEN, deck

MOODS: Final = {TRAPPED: "trapped", LOST: "lost", LOCKED: "locked", DRUNK: "drunk", CONVERTED: "converted"}
"""The words of the moods that are shown, by bit."""
COLUMNS: Final = ("colour", "seat", "side", "gold", "alive", "dead", "bottles", "residents", "ship")


def view(state: JackalState, seat: Seat, questions: tuple[Question, ...] = ()) -> JackalView:
    """Return what a viewer may know (5.5). Raises ValueError for a seat that is not of this game.

    Nobody sees closed tiles, not even the moderator: they are sealed until the last letter, which tells all of them.
    """
    if seat not in state.roster and seat not in {MODERATOR, PUBLIC}:
        raise ValueError(f"{seat!r} has no place in this game: {state.roster!r}")
    tiles, pile = _shown(state.tiles)
    return JackalView(
        seat=seat,
        colours=commanded(state, seat),
        options=state.options,
        roster=state.roster,
        turn=state.turn,
        round=state.round,
        plan=state.plan,
        next=state.next,
        tiles=tiles,
        loads=state.loads,
        places=state.places,
        moods=state.moods,
        owners=state.owners,
        ships=state.ships,
        boat=state.boat,
        boat_owner=state.boat_owner,
        gold=state.gold,
        bottles=state.bottles,
        destroyed=state.destroyed,
        smoke=state.smoke,
        smoke_cycle=state.smoke_cycle,
        quiet=state.quiet,
        skipped=state.skipped,
        seen=state.seen,
        ally_rum=tuple(entry for entry in state.ally_rum if entry.seat == seat),
        pile=pile,
        left=deck(state.options.tileset).gold - sum(state.gold) - state.destroyed,
        peeks=next((book.peeks for book in state.notebooks if book.seat == seat), ()),
        outcome=state.outcome,
        face_down=_face_down(state.tiles) if state.outcome is not None else (),
        questions=questions,
    )


@lru_cache(maxsize=64)
def _shown(tiles: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[tuple[str, int], ...]]:
    """Return the tiles with closed ones hidden, and how many of each kind are closed, in table order."""
    shown = tuple([tile if tile & OPEN else HIDDEN for tile in tiles])
    closed = Counter([tiles[cell] & CODE for cell in ISLE.land if not tiles[cell] & OPEN])
    return shown, tuple((BY_CODE[code].key, closed[code]) for code in sorted(closed) if code)


def _face_down(tiles: tuple[int, ...]) -> tuple[tuple[int, str], ...]:
    """Return the closed cells with the kinds that lay there, which the last letter opens (5.2)."""
    return tuple((cell, BY_CODE[tiles[cell] & CODE].key) for cell in ISLE.land if not tiles[cell] & OPEN)


def commanded(state: JackalState | JackalView, seat: Seat) -> tuple[Any, ...]:
    """Return the colours that are a seat's own, in the order of the circle."""
    return _commanded(*sides_of(state.options, state.roster), seat)


@lru_cache(maxsize=64)
def _commanded(sides: tuple[int, ...], seats: tuple[Seat, ...], seat: Seat) -> tuple[Any, ...]:
    return tuple(name for colour, name in enumerate(COLOURS) if sides[colour] >= 0 and seats[colour] == seat)


def commander_of(view: JackalView, slot: PlanSlot) -> Seat:
    """Return the seat that commands in a slot: under smoke that of another colour (J8.21)."""
    _, seats = sides_of(view.options, view.roster)
    return seats[COLOURS.index(slot.commander)]


def own_plan(view: JackalView) -> tuple[PlanSlot, ...]:
    """Return the slots of the open turn that the viewer commands."""
    _, seats = sides_of(view.options, view.roster)
    return tuple([slot for slot in view.plan if seats[COLOURS.index(slot.commander)] == view.seat])


def owed(view: JackalView) -> tuple[Slot, ...]:
    """Return who owes what: a slot for each action, under smoke of its commander; all of it is public (5.2)."""
    _, seats = sides_of(view.options, view.roster)
    slots = _slots(view.plan, seats)
    if view.outcome is not None or view.seat in (MODERATOR, PUBLIC):
        return slots
    return slots + _extras(view.seat)


@lru_cache(maxsize=256)
def _slots(plan: tuple[PlanSlot, ...], seats: tuple[Seat, ...]) -> tuple[Slot, ...]:
    return tuple(
        Slot(
            seat=seats[COLOURS.index(slot.commander)],
            key=slot.key,
            what="smoke" if slot.colour != slot.commander else "action",
            facts={"colour": slot.colour, "number": slot.number},
        )
        for slot in plan
    )


@lru_cache(maxsize=32)
def _extras(seat: Seat) -> tuple[Slot, ...]:
    return tuple(Slot(seat=seat, key=key, what=key, optional=True) for key in ("policy", "ally-rum", "conclude"))


def table(view: JackalView) -> tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]]:
    """Return the state table: `COLUMNS` and a row for every colour in the game (5.6)."""
    sides, seats = sides_of(view.options, view.roster)
    rows = [_row(view, colour, sides, seats[colour]) for colour in range(len(COLOURS)) if sides[colour] >= 0]
    return COLUMNS, tuple(rows)


def _row(view: JackalView, colour: int, sides: tuple[int, ...], seat: Seat) -> tuple[Any, ...]:
    own = view.places[colour * 3 : colour * 3 + 3]
    residents = tuple(
        UNITS[PIRATES + n] for n in range(3) if view.owners[n] == colour and view.places[PIRATES + n] >= 0
    )
    return (
        COLOURS[colour],
        seat,
        COLOURS[sides.index(sides[colour])],
        view.gold[colour],
        sum(place >= 0 for place in own),
        sum(place == DEAD for place in own),
        view.bottles[colour],
        residents,
        ISLE.names[view.ships[colour]],
    )


def men(view: JackalView, colour: int) -> list[dict[str, Any]]:
    """Return the living characters of a colour as facts, those of one place and mood together, in canonical order."""
    found: dict[tuple[int, int], list[str]] = {}
    shown = sum(MOODS)
    for unit, place in enumerate(view.places):
        owner = unit // 3 if unit < PIRATES else view.owners[unit - PIRATES]
        if place >= 0 and owner == colour:
            found.setdefault((place, view.moods[unit] & shown), []).append(UNITS[unit])
    heaps = dict(view.loads)
    return [
        {
            "units": units,
            "cell": ISLE.names[place // STEPS_A_CELL],
            "step": place % STEPS_A_CELL,
            "ship": place // STEPS_A_CELL in view.ships,
            "boat": view.boat >= 0 and place // STEPS_A_CELL == view.boat,
            "states": [word for bit, word in MOODS.items() if mood & bit],
            "loads": list(items_of(heaps.get(place, 0))),
        }
        for (place, mood), units in found.items()
    ]
