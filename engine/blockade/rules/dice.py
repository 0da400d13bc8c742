"""The closed list of dice of «Блокада»: what each address is thrown for (2.5)."""

from __future__ import annotations

import re
from typing import Any, Final

_GUN: Final = re.compile(r"(runner|blockader)/o([1-4])/(chaser|port|starboard)/0", re.ASCII)
_MAP: Final = re.compile(r"map/x([1-9][0-9]*)/(?:(island)/([0-3])|(rock)/([01]))", re.ASCII)


def dice_purpose(address: str) -> tuple[str, dict[str, Any]]:
    """Return the phrase key and the facts of what a die is thrown for. Raises ValueError for any other address."""
    if address == "sides/x1/main/0":
        return "sides", {}
    if address == "toss/x1/main/0":
        return "toss", {}
    if match := _GUN.fullmatch(address):
        return "gun", {"piece": match[1], "impulse": int(match[2]), "gun": match[3]}
    if match := _MAP.fullmatch(address):
        kind, place = match[2] or match[4], match[3] or match[5]
        return f"map-{kind}", {"attempt": int(match[1]), "place": int(place) + 1}
    raise ValueError(f"{address!r} is no die of «Блокада»")
