"""What is wrong with a configuration: which setting, and whether it is missing, misspelt or of the wrong kind."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from rapidfuzz import process

from adjudicator.config import Config

_PLACE: Final = re.compile(r" - at `(?:key )?(?:in )?\$?\.?(.*)`$")
_MISSING: Final = re.compile(r"Object missing required field `(.+)`")
_UNKNOWN: Final = re.compile(r"Object contains unknown field `(.+)`")
_SYNTAX: Final = re.compile(r"\(at (?:line (\d+), column (\d+)|end of document)\)")
_ALIKE: Final = 60


def explained(key: str, given: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return an error's key and facts; what a wrong configuration lacks is told apart, setting by setting."""
    facts = dict(given)
    cause = str(facts.get("cause", ""))
    if key == "not-toml":
        found = _SYNTAX.search(cause)
        return ("syntax", {**facts, "line": found[1]}) if found and found[1] else ("syntax-end", facts)
    if key == "not-that-turn" and facts["current"] is None:
        return "not-any-turn", facts
    if key != "invalid":
        return key, facts
    place = _PLACE.search(cause)
    said = cause[: place.start()] if place else cause
    where = place[1] if place else ""
    if missing := _MISSING.match(said):
        return "setting-missing", {**facts, "setting": _joined(where, missing[1])}
    if unknown := _UNKNOWN.match(said):
        like = _alike(unknown[1])
        return "setting-misspelt" if like else "setting-unknown", {
            **facts,
            "setting": _joined(where, unknown[1]),
            "like": like,
        }
    return "setting-value", {**facts, "setting": where, "said": said}


def _joined(place: str, field: str) -> str:
    return f"{place}.{field}" if place else field


def _alike(typed: str) -> str:
    """Return the setting that a misspelt one most likely is, "" if none is near."""
    found = process.extractOne(typed, sorted(_settings(Config)), score_cutoff=_ALIKE)
    return found[0] if found else ""


def _settings(section: Any) -> set[str]:
    """Return the names of all settings, sections included."""
    names: set[str] = set()
    for field in msgspec.structs.fields(section):
        names.add(field.encode_name)
        for inner in (field.type, *getattr(field.type, "__args__", ())):
            if isinstance(inner, type) and issubclass(inner, msgspec.Struct):
                names |= _settings(inner)
    return names - {"folder"}
