"""Positions as rule cases write them: ``R K1 N, B A24 E, first R; rock L6; island K9 K10 L10 M10 M9``.

Described in ``tests/cases/blockade/README.md``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from engine.blockade.options import BlockadeOptions
from engine.blockade.state import BlockadeState, Piece, Policy, Ship, other
from engine.blockade.waters import square
from engine.core.contract import Facts, Seat
from engine.core.geometry import as_rhumb

FACES: Final[Mapping[str, int]] = {}
"""Every die is to be loaded."""

_SHIP: Final = re.compile(
    r"(?P<piece>[RB]) (?P<cell>[A-X][0-9]{1,2})(?: (?P<heading>[NESW]{1,2}))?(?P<disabled> disabled)?"
)
_PIECES: Final[dict[str, Piece]] = {"R": "runner", "B": "blockader"}
_LETTERS: Final = {piece: letter for letter, piece in _PIECES.items()}
_FREE: Final = ("turn", "moves")
"""What a ``then`` may leave out although it changes with every turn."""


def read_position(text: str, options: BlockadeOptions, roster: Sequence[Seat], _data: Facts | None) -> BlockadeState:
    """Return the position a text describes; what no part names is as in a game whose first seat runs.

    Raises ValueError for a part that cannot be read and for a ship on land.
    """
    ships = (
        Ship(piece="runner", seat=roster[0], cell="L1", heading="N"),
        Ship(piece="blockader", seat=roster[1], cell="B23", heading="E"),
    )
    empty = BlockadeState(
        options=options, roster=tuple(roster), turn=2, stage="play", ships=ships, toss=roster[1], first="runner"
    )
    state = _read(empty, text)
    if state.stage == "sides":
        return msgspec.structs.replace(state, ships=(), turn=0, toss="")
    land = [cell for island in state.islands for cell in island] + list(state.rocks)
    for ship in state.ships:
        if ship.cell in land:
            raise ValueError(f"{_LETTERS[ship.piece]} cannot lie on land: {ship.cell}")
    return state


def write_position(state: BlockadeState) -> str:
    """Return the text that reads back as a position, the outcome apart."""
    parts = [_written(ship) for ship in state.ships]
    parts += [f"island {' '.join(island)}" for island in state.islands]
    parts += [f"rock {rock}" for rock in state.rocks]
    if state.ships:
        runner, blockader = state.ships
        parts += [f"runner {runner.seat}", f"first {_LETTERS[state.first]}", f"toss {state.toss}"]
        parts += [f"points {runner.points}:{blockader.points}", f"moves {runner.moves}:{blockader.moves}"]
    parts += [f"policy {policy.seat} {policy.turn}" for policy in state.policies]
    return ", ".join((*parts, f"stage {state.stage}", f"turn {state.turn}"))


def _written(ship: Ship) -> str:
    return f"{_LETTERS[ship.piece]} {ship.cell} {ship.heading}" + (" disabled" if ship.disabled else "")


def differences(before: BlockadeState, after: BlockadeState, text: str) -> tuple[str, ...]:
    """Return how a position differs from what a text says became of the one before.

    What no part names must be as it was, but for the number of the turn and the moves made.
    """
    named = {part.split()[0] for part in _parts(text)}
    base = before
    if before.stage == "sides" and after.ships:
        base = msgspec.structs.replace(after, islands=before.islands, rocks=before.rocks)
    expected = _read(msgspec.structs.replace(base, islands=() if "island" in named else base.islands), text)
    wrong = []
    for want, have in zip(expected.ships, after.ships, strict=False):
        for field in msgspec.structs.fields(Ship):
            one, two = getattr(want, field.name), getattr(have, field.name)
            if one != two and not (field.name in _FREE and field.name not in named):
                wrong.append(f"{_LETTERS[want.piece]}: {field.name} is {two!r}, not {one!r}")
    for name in ("islands", "rocks", "first", "toss", "turn", "policies"):
        one, two = getattr(expected, name), getattr(after, name)
        if one != two and not (name in _FREE and name not in named):
            wrong.append(f"{name} is {two!r}, not {one!r}")
    return tuple(wrong)


def _parts(text: str) -> list[str]:
    return [part for part in (" ".join(one.split()) for one in re.split(r"[,;\n]", text)) if part]


def _read(state: BlockadeState, text: str) -> BlockadeState:
    islands, rocks = list(state.islands), list(state.rocks)
    for part in _parts(text):
        match = _SHIP.fullmatch(part)
        if match is not None:
            state = _placed(state, match)
            continue
        match part.split():
            case ["island", *cells] if cells:
                islands.append(tuple(square(cell).name for cell in cells))
            case ["rock", cell]:
                rocks.append(square(cell).name)
            case words:
                state = _marked(state, words, part)
    return msgspec.structs.replace(state, islands=tuple(islands), rocks=tuple(dict.fromkeys(rocks)))


def _placed(state: BlockadeState, match: re.Match[str]) -> BlockadeState:
    """Return the position with a ship where a part of the text puts her."""
    changes: dict[str, Any] = {"cell": square(match["cell"]).name, "disabled": bool(match["disabled"])}
    if match["heading"]:
        changes["heading"] = as_rhumb(match["heading"])
    return _with(state, _PIECES[match["piece"]], changes)


def _with(state: BlockadeState, piece: Piece, changes: dict[str, Any]) -> BlockadeState:
    ships = tuple(msgspec.structs.replace(ship, **changes) if ship.piece == piece else ship for ship in state.ships)
    return msgspec.structs.replace(state, ships=ships)


def _marked(state: BlockadeState, words: list[str], part: str) -> BlockadeState:
    """Return the position with a mark: ``first R``, ``points 0:3``, ``turn 4``, ``policy first s`` and so on."""
    match words:
        case ["first", "R" | "B" as letter]:
            return msgspec.structs.replace(state, first=_PIECES[letter])
        case ["points" | "moves" as what, both] if re.fullmatch(r"\d+:\d+", both):
            for piece, number in zip(("runner", "blockader"), map(int, both.split(":")), strict=True):
                state = _with(state, piece, {what: number})  # type: ignore[arg-type]
            return state
        case ["turn", number] if number.isdecimal():
            return msgspec.structs.replace(state, turn=int(number))
        case ["toss", seat] if seat in state.roster:
            return msgspec.structs.replace(state, toss=seat)
        case ["runner", seat] if seat in state.roster:
            rival = next(one for one in state.roster if one != seat)
            state = _with(state, "runner", {"seat": seat})
            return _with(state, other("runner"), {"seat": rival})
        case ["stage", "sides" | "layout" | "play" as stage]:
            turn = {"sides": 0, "layout": 1}.get(stage, state.turn)
            return msgspec.structs.replace(state, stage=stage, turn=turn)
        case ["policy", seat, turn] if seat in state.roster:
            kept = tuple(policy for policy in state.policies if policy.seat != seat)
            said = () if turn == "-" else (Policy(seat=seat, turn=turn),)
            found = {policy.seat: policy for policy in (*kept, *said)}
            return msgspec.structs.replace(state, policies=tuple(found[one] for one in state.roster if one in found))
    raise ValueError(f"{part!r} is neither a ship (R L5 N) nor land (island …, rock L6) nor a mark (first R)")
