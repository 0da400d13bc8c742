"""Positions in one line, as rule cases write them: ``1G* E5 h2 →P, 4B E8; wind N fresh``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from engine.core.contract import Facts, Seat
from engine.core.geometry import as_rhumb
from engine.pirates.board import board_of
from engine.pirates.options import PiratesOptions
from engine.pirates.rules.setup import GALLEONS, NAMES, seats
from engine.pirates.state import PiratesState, Ship, Side, Wind
from engine.pirates.view import HULL, side_of

FACES: Final[Mapping[str, int]] = {"wind/x1/rhumb/0": 1, "wind/x1/force/0": 2}
"""The dice that need not be loaded: the next wind is north and fresh."""

_SHIP: Final = re.compile(
    r"""(?P<number>[1-9])(?P<kind>[GB])?(?P<gold>\*)?
        (?:\s+(?P<cell>[A-Z][1-9][0-9]?))?
        (?:\s+h(?P<hits>[0-9]))?
        (?:\s+→(?P<side>[PS]))?
        (?:\s+@(?P<owner>[a-z]+-[1-9]))?
        (?:\s+(?P<fate>afloat|derelict|sunk|wrecked))?""",
    re.VERBOSE,
)
_SIDES: Final[dict[str, Side]] = {"S": "spain", "P": "pirates"}


def read_position(text: str, options: PiratesOptions, roster: Sequence[Seat], data: Facts | None) -> PiratesState:
    """Return the position a text describes; the notation is described in ``tests/cases/README.md``.

    Ships that are not named were sunk; a prize belongs to the first seat of its side. Raises ValueError for a part that
    cannot be read and for a position that cannot be.
    """
    owners = {piece: info.id for info in seats(len(roster)) for piece in info.pieces}
    ships = {number: _absent(number, owners[f"ship{number}"]) for number in NAMES}
    marks: dict[str, Any] = {"wind": Wind(rhumb="N", force="fresh"), "round": 7}
    if options.mode == "alternating":
        marks["to_move"] = "spain"
    for part in _parts(text):
        match = _SHIP.fullmatch(part)
        if match is None:
            marks.update(_mark(part))
        else:
            number = int(match["number"])
            ships[number] = _placed(ships[number], match, roster)
            if match["gold"]:
                prize = ships[number].side != side_of(ships[number].home) or ships[number].fate == "derelict"
                marks = {"gold": number, "gold_open": prize, **marks}
    document = None if data is None else dict(data)
    state = PiratesState(options=options, roster=tuple(roster), ships=tuple(ships.values()), board=document, **marks)
    _check(state)
    return state


def write_position(state: PiratesState) -> str:
    """Return the text that reads back as a position, names, homes and the outcome apart."""
    parts = [_written(ship, state) for ship in state.ships if ship.fate != "sunk" or ship.hits]
    parts += [f"wind {state.wind.rhumb} {state.wind.force}", f"round {state.round}"]
    if state.to_move:
        parts.append(f"to move {state.to_move}")
    if state.gold:
        parts += [f"gold {state.gold}", "gold open" if state.gold_open else "gold sealed"]
    if state.empty:
        parts.append(" ".join(("empty", *map(str, state.empty))))
    return ", ".join(parts)


def _written(ship: Ship, state: PiratesState) -> str:
    words = [f"{ship.number}{ship.kind[0].upper()}{'*' * (ship.number == state.gold)}"]
    if ship.cell:
        words.append(ship.cell)
    if ship.hits and ship.fate != "sunk":
        words.append(f"h{ship.hits}")
    if ship.owner and ship.side != side_of(ship.home):
        words.append("→P" if ship.side == "pirates" else "→S")
    if ship.owner and ship.owner != ship.home:
        words.append(f"@{ship.owner}")
    if ship.fate != "afloat":
        words.append(ship.fate)
    return " ".join(words)


def differences(before: PiratesState, after: PiratesState, text: str) -> tuple[str, ...]:
    """Return how a position differs from what a text says became of the one before.

    What a part leaves out must be as it was, and so must ships that no part names.
    """
    expected = {ship.number: ship for ship in before.ships}
    free: dict[int, tuple[str, ...]] = {}
    wrong = []
    for part in _parts(text):
        match = _SHIP.fullmatch(part)
        if match is None:
            wrong += [f"{key} is not {value!r}" for key, value in _mark(part).items() if getattr(after, key) != value]
        else:
            number = int(match["number"])
            expected[number] = _placed(expected[number], match, before.roster)
            free[number] = ("home",) if match["owner"] or not match["side"] else ("home", "owner")
    for ship in after.ships:
        for key in msgspec.structs.fields(Ship):
            left_open = key.name in free.get(ship.number, ("home",))
            want, have = getattr(expected[ship.number], key.name), getattr(ship, key.name)
            if want != have and not left_open:
                wrong.append(f"ship {ship.number}: {key.name} is {have!r}, not {want!r}")
    return tuple(wrong)


def _parts(text: str) -> list[str]:
    parts = (" ".join(part.split()) for part in re.split(r"[,;\n]", text.replace("->", "→")))
    return [part for part in parts if part]


def _absent(number: int, owner: Seat) -> Ship:
    return Ship(
        number=number,
        kind="galleon" if number in GALLEONS else "brigantine",
        name=NAMES[number],
        owner=owner,
        side="spain" if number in GALLEONS else "pirates",
        home=owner,
        cell=None,
        fate="sunk",
    )


def _placed(ship: Ship, match: re.Match[str], roster: Sequence[Seat]) -> Ship:
    """Return a ship as a part of the notation changes it."""
    changes: dict[str, Any] = {}
    if match["kind"] and match["kind"] != ship.kind[0].upper():
        raise ValueError(f"ship {ship.number} is a {ship.kind}: {match[0]!r}")
    if match["cell"]:
        changes |= {"cell": match["cell"], "fate": "afloat"}
    if match["hits"]:
        changes["hits"] = int(match["hits"])
    if match["side"]:
        side = _SIDES[match["side"]]
        changes |= {"side": side, "fate": "afloat", "owner": next(seat for seat in roster if side_of(seat) == side)}
    if match["owner"]:
        changes["owner"] = match["owner"]
    if match["fate"]:
        changes["fate"] = match["fate"]
    if changes.get("fate") == "derelict":
        changes |= {"owner": "", "hits": HULL[ship.kind] - 1}
    elif changes.get("fate") == "sunk":
        changes |= {"cell": None, "hits": HULL[ship.kind]}
    elif changes.get("fate") == "wrecked":
        changes["cell"] = None
    return msgspec.structs.replace(ship, **changes)


def _mark(part: str) -> dict[str, Any]:
    """Read a part that is not a ship: ``wind W calm``, ``round 7``, ``to move spain``, ``gold 4``, ``empty 2``."""
    match part.split():
        case ["wind", rhumb, "calm" | "fresh" | "hurricane" as force]:
            return {"wind": Wind(rhumb=as_rhumb(rhumb), force=force)}
        case ["round", number] if number.isdecimal():
            return {"round": int(number)}
        case ["to", "move", "spain" | "pirates" as side]:
            return {"to_move": side}
        case ["gold", "open"]:
            return {"gold_open": True}
        case ["gold", "sealed"]:
            return {"gold_open": False}
        case ["gold", number] if number.isdecimal():
            return {"gold": int(number)}
        case ["empty", *numbers] if all(number.isdecimal() for number in numbers):
            return {"empty": tuple(map(int, numbers))}
    raise ValueError(f"{part!r} is neither a ship (1G* E5 h2 →P) nor a mark (wind W fresh, round 7)")


def _check(state: PiratesState) -> None:
    """Refuse a position that cannot be: land, two ships in one sea cell, a foreign port (P7, P8, P11)."""
    board = board_of(state.options.board, state.board)
    taken: dict[str, int] = {}
    for ship in state.ships:
        if ship.cell is None:
            continue
        if ship.cell not in board.kinds:
            raise ValueError(f"ship {ship.number}: {ship.cell!r} is not on this board")
        at_sea = board.is_sea(ship.cell)
        if not at_sea and not board.is_open(ship.cell, ship.side):
            raise ValueError(f"ship {ship.number} cannot be in {ship.cell}")
        if at_sea and taken.setdefault(ship.cell, ship.number) != ship.number:
            raise ValueError(f"ships {taken[ship.cell]} and {ship.number} are both in {ship.cell}")
