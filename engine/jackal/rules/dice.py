"""The closed list of dice of «Шакал»: what each address is thrown for (5.2)."""

from __future__ import annotations

import re
from typing import Any, Final

_DECK: Final = re.compile(r"gm/deck/(shuffle|turn)/([0-9]+)", re.ASCII)
_OATH: Final = re.compile(r"(white|yellow|black|red)/o([1-9])/oath/([0-9]+)", re.ASCII)


def dice_purpose(address: str) -> tuple[str, dict[str, Any]]:
    """Return the phrase key and the facts of what a die is thrown for. Raises ValueError for any other address."""
    if address == "gm/x1/first/0":
        return "first-colour", {}
    if match := _DECK.fullmatch(address):
        return f"deck-{match[1]}", {"place": int(match[2])}
    if match := _OATH.fullmatch(address):
        return "oath", {"colour": match[1], "number": int(match[2])}
    raise ValueError(f"{address!r} is no die of «Шакал»")
