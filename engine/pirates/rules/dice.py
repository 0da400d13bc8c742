"""The closed list of dice of «Пираты»: what each address is thrown for (1.4, table of dice)."""

from __future__ import annotations

import re
from typing import Any, Final

_FIXED: Final = {
    "wind/x1/rhumb/0": "wind-rhumb",
    "wind/x1/force/0": "wind-force",
    "gold/x1/main/0": "gold-lot",
}
_SHIP: Final = re.compile(r"ship([1-9])/(o1|o2|x1)/main/0", re.ASCII)
_PHASES: Final = {"o1": "before", "o2": "after"}


def dice_purpose(address: str) -> tuple[str, dict[str, Any]]:
    """Return the phrase key and the facts of what a die is thrown for. Raises ValueError for any other address."""
    if address in _FIXED:
        return _FIXED[address], {}
    match = _SHIP.fullmatch(address)
    if match is None:
        raise ValueError(f"{address!r} is no die of «Пираты»")
    ship = int(match[1])
    if match[2] == "x1":
        return "second-spin", {"ship": ship}
    return "shot", {"ship": ship, "when": _PHASES[match[2]]}
