"""Choices that look free and are the same for the same seed, each drawn at an address of its own, like the dice."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from itertools import count
from typing import TypeVar

from engine.core.contract import Choose

Thing = TypeVar("Thing")


class Chance:
    """What the people of the demonstration leave to chance; a choice more or less changes no other."""

    def __init__(self, seed: str) -> None:
        self._seed = seed

    def below(self, bound: int, *address: object) -> int:
        """Return a number from 0 to ``bound`` - 1."""
        words = "/".join((self._seed, *map(str, address)))
        return int.from_bytes(sha256(words.encode()).digest()[:8]) % bound

    def pick(self, things: Sequence[Thing], *address: object) -> Thing:
        """Return one of several things. Raises ZeroDivisionError where there is none."""
        return things[self.below(len(things), *address)]

    def digits(self, *address: object) -> str:
        """Return 16 hexadecimal digits: a Message-ID, a boundary."""
        return sha256("/".join((self._seed, *map(str, address))).encode()).hexdigest()[:16]

    def chooser(self, *address: object) -> Choose:
        """Return what a bot asks: every question is another address."""
        asked = count()
        return lambda bound: self.below(bound, *address, next(asked))
