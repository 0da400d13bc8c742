"""Positions as rule cases write them: ``W1 F6, coin@F6, G6 = arrow E, H3 = chest5 closed; gold white 17``.

Described in ``tests/cases/jackal/README.md``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from engine.core.contract import Facts, Seat
from engine.core.geometry import RHUMBS
from engine.jackal.board import colours_of
from engine.jackal.isle import ISLE, LAND
from engine.jackal.options import JackalOptions
from engine.jackal.rules.planning import plan_turn
from engine.jackal.rules.setup import first_position
from engine.jackal.state import (
    BG,
    COLOURS,
    CONVERTED,
    DEAD,
    DRUNK,
    FR,
    ITEMS,
    LOCKED,
    LOST,
    MS,
    PIRATES,
    STEPS_A_CELL,
    TRAPPED,
    UNIT,
    UNITS,
    JackalState,
    Notebook,
    Peek,
)
from engine.jackal.tiles import ARMED, CODE, EFFECT, EXITS, KINDS, OPEN, SPENT

FACES: Final[Mapping[str, int]] = {
    "gm/x1/first/0": 1,
    **{f"gm/deck/shuffle/{k}": 117 - k for k in range(116)},
    **{f"gm/deck/turn/{place}": 1 for place in range(117)},
}
"""The dice that need not be loaded: white begins, and the deck lies in table order, unturned."""

_MOODS: Final = {"trapped": TRAPPED, "lost": LOST, "drunk": DRUNK, "converted": CONVERTED, "locked": LOCKED}
_PLACE: Final = re.compile(r"([A-NZ](?:1[0-4]|[0-9]))(?:/([1-5]))?")
_LOAD: Final = re.compile(r"(coin|treasure|boat|ball|cart)@([A-NZ](?:1[0-4]|[0-9]))(?:/([1-5]))?(?:\*([0-9]+))?")


@dataclass(slots=True)
class Marks:
    """A position being written down, or what became of one."""

    tiles: list[int]
    loads: dict[int, int]
    places: list[int]
    moods: list[int]
    owners: list[int]
    ships: list[int]
    gold: list[int]
    bottles: list[int]
    boat: int = -1
    boat_owner: int = -1
    destroyed: int = 0
    quiet: int = 0
    next: int = 0
    known: dict[tuple[Seat, str], str] = field(default_factory=dict)
    effects: set[int] = field(default_factory=set)
    plan: tuple[str, ...] = ()
    named: set[int] = field(default_factory=set)


def read_position(text: str, options: JackalOptions, roster: Sequence[Seat], _data: Facts | None) -> JackalState:
    """Return the position a text describes. Unnamed tiles are open blanks, unnamed pirates aboard, white to act.

    Raises ValueError for a part that cannot be read.
    """
    blank = KINDS["empty"].code | OPEN
    tiles = tuple(blank if kind == LAND else 0 for kind in ISLE.terrain)
    empty = first_position(options, tuple(roster), tiles, colours_of(options, len(roster))[0])
    marks = _marks_of(empty)
    for part in _parts(text):
        _read(marks, part)
    _follow_ships(marks, empty)
    state = msgspec.structs.replace(
        empty,
        plan=(),
        next=marks.next,
        tiles=tuple(marks.tiles),
        loads=tuple(sorted(marks.loads.items())),
        places=tuple(marks.places),
        moods=tuple(marks.moods),
        owners=tuple(marks.owners),
        ships=tuple(marks.ships),
        boat=marks.boat,
        boat_owner=marks.boat_owner,
        gold=tuple(marks.gold),
        bottles=tuple(marks.bottles),
        destroyed=marks.destroyed,
        quiet=marks.quiet,
        notebooks=_notebooks(marks, roster),
        turn=0,
        round=0,
    )
    return plan_turn(state)


def _marks_of(state: JackalState) -> Marks:
    return Marks(
        tiles=list(state.tiles),
        loads=dict(state.loads),
        places=list(state.places),
        moods=list(state.moods),
        owners=list(state.owners),
        ships=list(state.ships),
        gold=list(state.gold),
        bottles=list(state.bottles),
        boat=state.boat,
        boat_owner=state.boat_owner,
        destroyed=state.destroyed,
        next=COLOURS.index(state.plan[0].colour) if state.plan else state.next,
    )


def _follow_ships(marks: Marks, before: JackalState) -> None:
    """Put pirates whom nothing placed aboard the ship where it now lies."""
    for unit in range(PIRATES):
        old, new = before.ships[unit // 3], marks.ships[unit // 3]
        if unit not in marks.named and old >= 0:
            marks.places[unit] = new * STEPS_A_CELL


def _notebooks(marks: Marks, roster: Sequence[Seat]) -> tuple[Notebook, ...]:
    found = []
    for seat in roster:
        cells = sorted(ISLE.cell(cell) for owner, cell in marks.known if owner == seat)
        if cells:
            peeks = tuple(Peek(cell=cell, tile=marks.tiles[cell], turn=1) for cell in cells)
            found.append(Notebook(seat=seat, peeks=peeks))
    return tuple(found)


def _parts(text: str) -> list[str]:
    parts = (" ".join(part.split()) for part in re.split(r"[,;\n]", text))
    return [part for part in parts if part]


def _place(text: str) -> int:
    match = _PLACE.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no place: G7, or H7/2 on a spin")
    return ISLE.cell(match[1]) * STEPS_A_CELL + int(match[2] or 0)


def _read(marks: Marks, part: str) -> None:
    """Read one part into the marks. Raises ValueError."""
    load = _LOAD.fullmatch(part)
    words = part.split()
    if load is not None:
        _put(marks, load)
    elif len(words) > 1 and words[1] == "=":
        # Before units: B3 is a cell here, though it may be black's third pirate elsewhere.
        _tile(marks, words[0], words[2:])
    elif words[0] in UNIT:
        _unit(marks, UNIT[words[0]], words[1:])
    elif not _mark(marks, words):
        raise ValueError(f"{part!r} is neither a unit (W1 F6), a load (coin@F6), a tile (G6 = horse) nor a mark")


def _put(marks: Marks, match: re.Match[str]) -> None:
    place = ISLE.cell(match[2]) * STEPS_A_CELL + int(match[3] or 0)
    unit, shift, mask = ITEMS[match[1]]
    number = int(match[4] or 1)
    heap = marks.loads.get(place, 0) & ~(mask << shift) | number * unit
    if heap:
        marks.loads[place] = heap
    else:
        marks.loads.pop(place, None)


def _unit(marks: Marks, unit: int, words: Sequence[str]) -> None:
    """Read ``W1 F6 trapped``, ``W2 dead``, ``MS yellow G6 converted``."""
    left = list(words)
    marks.named.add(unit)
    if unit in (BG, MS, FR) and left and left[0] in COLOURS:
        marks.owners[unit - PIRATES] = COLOURS.index(left.pop(0))
    if left == ["dead"]:
        marks.places[unit] = DEAD
        marks.moods[unit] = 0
        return
    if left and left[0] not in _MOODS:
        marks.places[unit] = _place(left.pop(0))
    marks.moods[unit] = sum(_MOODS[word] for word in left)


def _tile(marks: Marks, name: str, words: Sequence[str]) -> None:
    """Read ``G6 = arrow W E closed``, ``G5 = cannon N``, ``G6 = plane armed``."""
    cell = ISLE.cell(name)
    flags = [word for word in words if word in ("closed", "armed", "spent")]
    kind, *directions = [word for word in words if word not in flags]
    tile = _code(kind, directions)
    if "closed" not in flags:
        tile |= OPEN
    if "armed" in flags:
        tile |= ARMED
    elif "spent" in flags or (tile & OPEN and KINDS_SPENT.get(tile & CODE)):
        tile |= SPENT
    marks.tiles[cell] = tile
    marks.effects.add(cell)


KINDS_SPENT: Final = {
    kind.code: bool(kind.coins) or kind.key in ("treasure", "boat", "ball", "cart") for kind in KINDS.values()
}
"""Kinds that lay something when turned up: an open one has done so."""


def _code(kind: str, directions: Sequence[str]) -> int:
    if kind == "arrow":
        exits = tuple(sorted(RHUMBS.index(word) for word in directions))
        if exits not in EXITS:
            raise ValueError(f"no arrow points {' '.join(directions)}")
        code, rotation = divmod(EXITS.index(exits), 4)
        return code | rotation << 6
    if kind not in KINDS:
        raise ValueError(f"{kind!r} is no tile")
    rotation = RHUMBS.index(directions[0]) // 2 if directions else 0
    return KINDS[kind].code | rotation << 6


def _mark(marks: Marks, words: Sequence[str]) -> bool:
    """Read a part that is no unit, load or tile; say whether it is one."""
    return _tile_mark(marks, words) or _other_mark(marks, words)


def _tile_mark(marks: Marks, words: Sequence[str]) -> bool:
    match words:
        case ["all", "closed"]:
            marks.tiles = [tile & ~OPEN if tile else 0 for tile in marks.tiles]
        case ["closed", *cells]:
            for name in cells:
                marks.tiles[ISLE.cell(name)] &= ~OPEN
        case ["open", *cells]:
            for name in cells:
                marks.tiles[ISLE.cell(name)] |= OPEN
        case ["spent" | "armed" as word, name]:
            cell = ISLE.cell(name)
            marks.tiles[cell] = marks.tiles[cell] & ~EFFECT | (SPENT if word == "spent" else ARMED)
            marks.effects.add(cell)
        case _:
            return False
    return True


def _other_mark(marks: Marks, words: Sequence[str]) -> bool:
    match words:
        case ["ship", colour, name] if colour in COLOURS:
            marks.ships[COLOURS.index(colour)] = ISLE.cell(name)
        case ["boat", colour, name] if colour in COLOURS:
            marks.boat, marks.boat_owner = ISLE.cell(name), COLOURS.index(colour)
        case ["gold", colour, number] if colour in COLOURS:
            marks.gold[COLOURS.index(colour)] = int(number)
        case ["bottles", colour, number] if colour in COLOURS:
            marks.bottles[COLOURS.index(colour)] = int(number)
        case ["destroyed", number]:
            marks.destroyed = int(number)
        case ["quiet", number]:
            marks.quiet = int(number)
        case ["to", "move", colour] if colour in COLOURS:
            marks.next = COLOURS.index(colour)
        case [seat, "knows", name, *kind]:
            marks.known[seat, name] = kind[0] if kind else ""
        case ["plan", *slots]:
            marks.plan = tuple(slots)
        case _:
            return False
    return True


# What became of a position --------------------------------------------------------------------------------------------


def differences(before: JackalState, after: JackalState, text: str) -> tuple[str, ...]:
    """Return how a position differs from what a text says became of the one before.

    What the text does not name must be as it was. Spent effects, notebooks and the plan of the next turn are looked at
    only where the text names them; who is aboard a ship that moved has moved with it.
    """
    want = _marks_of(before)
    for part in _parts(text):
        _read(want, part)
    _aboard(want, before)
    have = _marks_of(after)
    wrong = [*_tiles_differ(want, have), *_units_differ(want, have), *_loads_differ(want, have)]
    for name in ("ships", "gold", "bottles", "boat", "destroyed"):
        one, other = getattr(want, name), getattr(have, name)
        if one != other:
            wrong.append(f"{name} {_named(name, other)}, not {_named(name, one)}")
    wrong += _known_differ(want, after)
    plan = tuple(f"{slot.colour}/{slot.commander}" for slot in after.plan)
    if want.plan and want.plan != plan:
        wrong.append(f"the plan is {' '.join(plan)}")
    return tuple(wrong)


def _named(name: str, value: Any) -> Any:
    if name == "ships":
        return [ISLE.names[cell] for cell in value]
    return ISLE.names[value] if name == "boat" and value >= 0 else value


def _aboard(want: Marks, before: JackalState) -> None:
    vessels = [*zip(before.ships, want.ships, strict=True), (before.boat, want.boat)]
    for unit, place in enumerate(want.places):
        if unit in want.named or place != before.places[unit]:
            continue
        for old, new in vessels:
            if old != new and old >= 0 and place == old * STEPS_A_CELL:
                want.places[unit] = new * STEPS_A_CELL


def _tiles_differ(want: Marks, have: Marks) -> list[str]:
    wrong = []
    for cell, name in enumerate(ISLE.names):
        mask = -1 if cell in want.effects else ~EFFECT
        if want.tiles[cell] & mask != have.tiles[cell] & mask:
            wrong.append(f"{name} is {_tile_name(have.tiles[cell])}, not {_tile_name(want.tiles[cell])}")
    return wrong


def _tile_name(tile: int) -> str:
    key = next((kind.key for kind in KINDS.values() if kind.code == tile & CODE), "sea")
    state = {SPENT: " spent", ARMED: " armed"}.get(tile & EFFECT, "")
    return f"{key}/{tile >> 6 & 3}{'' if tile & OPEN else ' closed'}{state}"


def _units_differ(want: Marks, have: Marks) -> list[str]:
    wrong = []
    for unit, name in enumerate(UNITS):
        one = (want.places[unit], want.moods[unit], _owner(want, unit))
        other = (have.places[unit], have.moods[unit], _owner(have, unit))
        if one != other:
            wrong.append(f"{name} {_unit_name(other)}, not {_unit_name(one)}")
    return wrong


def _owner(marks: Marks, unit: int) -> int:
    return marks.owners[unit - PIRATES] if unit >= PIRATES and marks.places[unit] >= 0 else -1


def _unit_name(one: tuple[int, int, int]) -> str:
    place, moods, owner = one
    where = _place_name(place) if place >= 0 else "dead" if place == DEAD else "unfound"
    words = [word for word, bit in _MOODS.items() if moods & bit]
    return " ".join([*([COLOURS[owner]] if owner >= 0 else []), where, *words])


def _place_name(place: int) -> str:
    step = place % STEPS_A_CELL
    return ISLE.names[place // STEPS_A_CELL] + (f"/{step}" if step else "")


def _loads_differ(want: Marks, have: Marks) -> list[str]:
    return [
        f"at {_place_name(place)} lie {have.loads.get(place, 0):#x}, not {want.loads.get(place, 0):#x}"
        for place in sorted({*want.loads, *have.loads})
        if want.loads.get(place, 0) != have.loads.get(place, 0)
    ]


def _known_differ(want: Marks, after: JackalState) -> list[str]:
    wrong = []
    for (seat, name), kind in want.known.items():
        peeks = next((book.peeks for book in after.notebooks if book.seat == seat), ())
        seen = next((peek.tile for peek in peeks if peek.cell == ISLE.cell(name)), 0)
        key = next((one.key for one in KINDS.values() if one.code == seen & CODE), "nothing")
        if (kind or key) != key or (not kind and key == "nothing"):
            wrong.append(f"{seat} knows {key} of {name}, not {kind or 'anything'}")
    return wrong
