"""Rulesets that only tests play: their rooms and phrases lie here, laid out as in ``engine/`` and ``templates/``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import engine
import templates
from adjudicator.words import environment
from engine.core import registry

HERE = Path(__file__).parent


@contextmanager
def installed() -> Iterator[None]:
    """Let the registry and the templates find the rulesets of this folder, as if they had been installed."""
    places = ((engine.__path__, str(HERE / "engine")), (templates.__path__, str(HERE / "templates")))
    for path, place in places:
        path.append(place)
    _forget()
    try:
        yield
    finally:
        for path, place in places:
            path.remove(place)
        _forget()


def _forget() -> None:
    registry.rulesets.cache_clear()
    environment.phrase_files.cache_clear()
    environment.phrases_of.cache_clear()
