"""The sheets for a fixed-width face: a line for the ship, a line for every pirate; their signs are in the legend."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engine.core.drawing import Label

_NAME: Final = 20
_MARKS: Final = {"": ".", "light": "/", "serious": "X", "terrible": "#"}
_GONE: Final = {"active": " ", "out_of_scene": "~", "dead": "+"}
_FLAWS: Final = {"": ".", "sails": "s", "deck": "d", "powder": "p"}
_MOST_STARS: Final = 10

Sheet = Mapping[str, Any]


def text_rows(ship: Sheet, pirates: Sequence[Sheet]) -> tuple[str, ...]:
    """Return the rows: of the ship its three stats, hull, breakdown, secrets; of pirates stats, wounds and luck."""
    if not ship["name"] and not ship["hull_max"]:
        return tuple(_row(number, one) for number, one in enumerate(pirates, 1))
    stats = "  ".join(f"{one['n']:2d}" for one in ship["stats"])
    hull = "=" * ship["hull"] + "x" * (ship["hull_max"] - ship["hull"])
    secrets = "?" * ship["secret_count"]
    rows = [f"> {_cut(ship['name']):{_NAME}}  {stats}      [{hull:6}] {_FLAWS[ship['breakdown']]}  {secrets}".rstrip()]
    return (*rows, *(_row(number, one) for number, one in enumerate(pirates, 1)))


def _row(number: int, one: Sheet) -> str:
    stats = " ".join(f"{row['n']:+3d}" for row in one["stats"])
    wounds = "".join(_MARKS[wound["level"]] for wound in one["wounds"])
    luck = "*" * one["luck"] if one["luck"] <= _MOST_STARS else f"{one['luck']}*"
    return f"{number} {_cut(one['name']):{_NAME}} {stats}  [{wounds}] {_GONE[one['status']]} {luck}".rstrip()


def _cut(name: str) -> str:
    """Return a name that keeps to its column; marks that a fence of Markdown would take are no letters of it."""
    plain = "".join(char for char in name if char.isprintable() and char != "`")
    return plain if len(plain) <= _NAME else f"{plain[: _NAME - 1]}…"


def text_legend(ship: Sheet, pirates: Sequence[Sheet]) -> Iterator[Label]:
    """Yield what the signs mean."""
    if ship["name"] or ship["hull_max"]:
        yield Label("rows-ship")
    if pirates:
        yield Label("rows-pirates")
