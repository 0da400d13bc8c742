"""The rulesets there are, found by scanning: a new folder under ``engine`` with a RULESET is a new ruleset."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import engine
from engine.core.contract import Ruleset


class UnknownRuleset(LookupError):
    """No ruleset of this name is installed."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(f"no ruleset {name!r}; there are: {', '.join(known)}")
        self.name = name
        self.known = known


@cache
def rulesets() -> Mapping[str, Ruleset]:
    """Return every ruleset by its name, in the order of names."""
    found = {}
    for module in sorted(pkgutil.iter_modules(engine.__path__), key=lambda module: module.name):
        if module.ispkg and module.name != "core":
            ruleset = getattr(importlib.import_module(f"engine.{module.name}"), "RULESET", None)
            if ruleset is not None:
                found[module.name] = ruleset
    for name, ruleset in found.items():
        if ruleset.info.name != name:
            raise ValueError(f"the ruleset in engine/{name} calls itself {ruleset.info.name!r}")
    return MappingProxyType(found)


def ruleset(name: str) -> Ruleset:
    """Return a ruleset. Raises UnknownRuleset."""
    known = rulesets()
    if name not in known:
        raise UnknownRuleset(name, tuple(known))
    return known[name]
