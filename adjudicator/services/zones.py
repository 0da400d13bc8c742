"""Time zones as people name them: a city in Russian or English, an IANA name, ``МСК+3``, ``UTC+6``."""

from __future__ import annotations

import re
from functools import cache
from typing import Final
from zoneinfo import available_timezones

from babel import Locale
from babel.core import get_global

from engine.core.names import joined

_OFFSET: Final = re.compile(r"(мск|msk|utc|gmt)\s*(?:([+-])\s*(\d{1,2}))?")
MOSCOW: Final = 3


def resolve(text: str) -> str | None:
    """Return the IANA name of the zone that a text means, or None. Fixed offsets become ``Etc/GMT-6`` (POSIX signs)."""
    plain = " ".join(text.split()).casefold().replace("−", "-").replace("–", "-")
    found = _OFFSET.fullmatch(plain)
    if found:
        return _fixed(found)
    return _names().get(plain.replace(" ", "_")) or _cities().get(joined(plain))


@cache
def _names() -> dict[str, str]:
    """Return the IANA names by their small letters."""
    return {name.casefold(): name for name in sorted(available_timezones())}


def _fixed(found: re.Match[str]) -> str | None:
    base = MOSCOW if found[1] in ("мск", "msk") else 0
    if base and not found[3]:
        return "Europe/Moscow"
    hours = base + (int(found[3]) if found[2] == "+" else -int(found[3] or 0))
    if not -12 <= hours <= 14:
        return None
    return "UTC" if hours == 0 else f"Etc/GMT{'-' if hours > 0 else '+'}{abs(hours)}"


@cache
def _cities() -> dict[str, str]:
    """Return zones by the folded names of their cities in Russian and English."""
    known = frozenset(_names().values())
    found: dict[str, str] = {}
    for language in ("ru", "en"):
        for zone, names in Locale.parse(language).time_zones.items():
            if "city" in names and zone in known:
                found.setdefault(joined(names["city"]), zone)
    for zone in sorted(known & frozenset(get_global("zone_territories"))):
        found.setdefault(joined(zone.rpartition("/")[2].replace("_", " ")), zone)
    return found
