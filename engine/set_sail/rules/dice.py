"""The closed list of dice of «Поднять паруса!»: what each address is thrown for (page 1.6)."""

from __future__ import annotations

import re
from typing import Any, Final

_ID: Final = r"[a-z0-9_-]{1,32}"
_CHECK: Final = re.compile(rf"({_ID})/o([0-9]+)/(main|trig)/([012])", re.ASCII)
_FATE: Final = re.compile(rf"({_ID})/x([0-9]+)/fate/([01])", re.ASCII)
_TIE: Final = re.compile(rf"({_ID})/n([0-9]+)/neg([123])/([012])", re.ASCII)
_BID: Final = re.compile(rf"({_ID})/n([0-9]+)/bid([123])/0", re.ASCII)


def dice_purpose(address: str) -> tuple[str, dict[str, Any]]:
    """Return the phrase key and the facts of what a die is thrown for. Raises ValueError for any other address."""
    if match := _CHECK.fullmatch(address):
        key = "check" if match[3] == "main" else "set-off"
        return key, {"seat": match[1], "number": int(match[2]), "place": int(match[4])}
    if match := _FATE.fullmatch(address):
        return "fate", {"seat": match[1], "number": int(match[2]), "place": int(match[3])}
    if match := _TIE.fullmatch(address):
        return "tie", {"seat": match[1], "talk": int(match[2]), "round": int(match[3]), "place": int(match[4])}
    if match := _BID.fullmatch(address):
        return "bid", {"who": match[1], "talk": int(match[2]), "round": int(match[3])}
    raise ValueError(f"{address!r} is no die of «Поднять паруса!»")
