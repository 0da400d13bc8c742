"""Addressed dice, ``pbm-dice/1``: the face of a die follows from a batch key and the address it is thrown at.

A ruleset is handed a `Dice` and says where it throws, never when: two throws at different addresses do not touch each
other, so neither the order of resolution nor a correction elsewhere moves a die (fair-play 3, rules D and C).
"""

from __future__ import annotations

import hmac
import re
import struct
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, Protocol, TypeVar

T = TypeVar("T")

TAG: Final = "pbm-dice/1"
MAIN: Final = "main"
"""The stream that is opened batch by batch; every other stream belongs to one secret."""

WORDS: Final = 1 << 32
"""Number of values of one 32-bit word; also the largest number of sides."""

_EIGHT_WORDS: Final = struct.Struct(">8I")
_ID: Final = re.compile(r"[a-z0-9_-]{1,32}", re.ASCII)
_ADDRESS: Final = re.compile(r"(?:[a-z0-9_-]{1,32}/){3}(?:0|[1-9][0-9]{0,31})", re.ASCII)


def line(*fields: str | int) -> bytes:
    r"""Return the fields joined by ``\n`` with a final ``\n``, as UTF-8: the frame of all that is hashed.

    Raises ValueError for a field that contains a newline.
    """
    text = "\n".join(map(str, fields)) + "\n"
    if text.count("\n") != len(fields):
        culprit = next(field for field in fields if "\n" in str(field))
        raise ValueError(f"{culprit!r} contains a newline")
    return text.encode()


def check_id(text: str) -> str:
    """Return an id as it is. Raises ValueError for anything but ``[a-z0-9_-]{1,32}``."""
    if not _ID.fullmatch(text):
        raise ValueError(f"{text!r} is not an id: 1 to 32 of a-z 0-9 _ -")
    return text


def check_address(address: str) -> str:
    """Return an address ``actor/slot/step/k`` as it is (fair-play 3.5). Raises ValueError for any other text."""
    if not _ADDRESS.fullmatch(address):
        raise ValueError(f"{address!r} is not an address: actor/slot/step/k")
    return address


def check_sides(sides: int) -> int:
    """Return a number of sides as it is. Raises ValueError outside 2…2³²."""
    if not 2 <= sides <= WORDS:
        raise ValueError(f"a die has 2 to {WORDS} sides, not {sides!r}")
    return sides


def pick(block: bytes, sides: int) -> int | None:
    """Return the face that a 32-byte block gives, or None if all eight of its words are rejected (fair-play 3.4)."""
    limit = WORDS - WORDS % sides
    for word in _EIGHT_WORDS.unpack(block):
        if word < limit:
            return int(1 + word % sides)
    return None


def die(key: bytes, address: str, sides: int) -> int:
    """Return the face, 1…sides, of the die at an address under a batch key (fair-play 3.4).

    Raises ValueError for an address or a number of sides that cannot be.
    """
    check_address(address)
    check_sides(sides)
    attempt = 0
    while (face := pick(hmac.digest(key, line(TAG, "die", address, sides, attempt), "sha256"), sides)) is None:
        attempt += 1
    return face


class Throw(NamedTuple):
    """One die that was thrown, as the log lists it."""

    stream: str
    batch: int
    address: str
    sides: int
    face: int


class NeedsBatch(LookupError):
    """A die was asked of a batch that is not at hand: not locked yet, or a secret that is still sealed."""

    def __init__(self, stream: str, address: str) -> None:
        super().__init__(f"no batch of stream {stream!r} for the die {address!r}")
        self.stream = stream
        self.address = address


class UnplannedThrow(LookupError):
    """A die was thrown that nobody loaded."""


class Dice(Protocol):
    """Chance as a ruleset sees it."""

    @abstractmethod
    def die(self, address: str, sides: int, stream: str = MAIN) -> int:
        """Return the face, 1…sides, of the die at an address; the same address in the same batch is the same die."""

    @abstractmethod
    def advance(self) -> None:
        """Move ``main`` to the batch of the group of answers just taken (fair-play D); not for rulesets to call."""

    def permutation(self, address: str, n: int, stream: str = MAIN) -> tuple[int, ...]:
        """Return the numbers 0…n−1 shuffled by the dice ``<address>/shuffle/k``; ``address`` is ``actor/slot``.

        For i = n…2 places i and die(i) change (fair-play 3.6); of none or one nothing is thrown.
        """
        places = list(range(n))
        for i in range(n, 1, -1):
            other = self.die(f"{address}/shuffle/{n - i}", i, stream) - 1
            places[i - 1], places[other] = places[other], places[i - 1]
        return tuple(places)

    def one_of(self, address: str, choices: Sequence[T], stream: str = MAIN) -> T:
        """Return one of a list in its stated order, by one die; of a single choice nothing is thrown.

        Raises ValueError for an empty list.
        """
        return self.weighted(address, [(choice, 1) for choice in choices], stream)

    def weighted(self, address: str, choices: Sequence[tuple[T, int]], stream: str = MAIN) -> T:
        """Return one of (choice, weight) pairs in their stated order, by one die of the sum of the weights.

        Raises ValueError for a negative weight and if the weights sum to nothing.
        """
        total = sum(weight for _, weight in choices)
        if total < 1 or any(weight < 0 for _, weight in choices):
            raise ValueError(f"nothing to draw from {choices!r}")
        left = self.die(address, total, stream) if total > 1 else 1
        for choice, weight in choices:
            left -= weight
            if left <= 0:
                return choice
        raise AssertionError("the face lies within the sum of the weights")


class _Record:
    """The throws of one turn in their order, one for each die however often it is looked at.

    The place of a throw is its stream, batch and address.
    """

    def __init__(self) -> None:
        self._throws: dict[tuple[str, int, str], Throw] = {}

    def known(self, place: tuple[str, int, str], sides: int) -> int | None:
        """Return the face of a die already thrown. Raises ValueError if it had another number of sides."""
        throw = self._throws.get(place)
        if throw is None:
            return None
        if throw.sides != sides:
            raise ValueError(f"the die {throw.address!r} has {throw.sides} sides and is thrown again with {sides}")
        return throw.face

    def enter(self, place: tuple[str, int, str], sides: int, face: int) -> int:
        """Record a throw and return its face."""
        self._throws[place] = Throw(*place, sides, face)
        return face

    def throws(self) -> tuple[Throw, ...]:
        return tuple(self._throws.values())


class BatchDice(Dice):
    """The dice of one turn, from the keys of its batches.

    ``keys`` gives each stream its batches, number to key. ``main`` begins at its lowest and moves on with `advance`;
    every other stream has one batch at a time, its highest.
    """

    def __init__(self, keys: Mapping[str, Mapping[int, bytes]]) -> None:
        self._keys = {stream: dict(batches) for stream, batches in keys.items()}
        self._last = {stream: max(batches) for stream, batches in keys.items() if batches}
        self._to_come = iter(sorted(self._keys.get(MAIN, ())))
        self._main = next(self._to_come, None)
        self._record = _Record()

    @property
    def throws(self) -> tuple[Throw, ...]:
        """All dice thrown so far, in order."""
        return self._record.throws()

    def advance(self) -> None:
        """Move ``main`` to its next batch; whether that one is at hand shows at the next throw."""
        self._main = next(self._to_come, None)

    def die(self, address: str, sides: int, stream: str = MAIN) -> int:
        """Return the face of a die. Raises NeedsBatch if its batch is not at hand."""
        batch = self._main if stream == MAIN else self._last.get(stream)
        if batch is None:
            raise NeedsBatch(stream, address)
        place = (stream, batch, address)
        face = self._record.known(place, sides)
        if face is None:
            face = self._record.enter(place, sides, die(self._keys[stream][batch], address, sides))
        return face


class LoadedDice(Dice):
    """Dice whose faces were laid out beforehand, for cases and tests.

    ``faces`` maps addresses to faces. A throw that is not among them is asked of ``otherwise`` (address and sides to a
    face, or None for "not mine"), and is an error if that has none either.
    """

    def __init__(self, faces: Mapping[str, int], otherwise: Callable[[str, int], int | None] | None = None) -> None:
        self._faces = {check_address(address): face for address, face in faces.items()}
        self._otherwise = otherwise
        self._group = 1
        self._record = _Record()
        self._used: set[str] = set()

    @property
    def throws(self) -> tuple[Throw, ...]:
        """All dice thrown so far, in order; batches are numbered from 1."""
        return self._record.throws()

    def unused(self) -> tuple[str, ...]:
        """Return the loaded addresses that nobody threw, as they were laid out."""
        return tuple(address for address in self._faces if address not in self._used)

    def advance(self) -> None:
        """Move on to the dice after the next answers; the loaded faces stay as they are."""
        self._group += 1

    def die(self, address: str, sides: int, stream: str = MAIN) -> int:
        """Return the loaded face. Raises UnplannedThrow if there is none, ValueError if the die cannot show it."""
        check_sides(sides)
        batch = self._group if stream == MAIN else 1
        place = (stream, batch, address)
        face = self._record.known(place, sides)
        if face is None:
            face = self._record.enter(place, sides, self._load(address, sides))
        return face

    def _load(self, address: str, sides: int) -> int:
        face = self._faces.get(check_address(address))
        if face is not None:
            self._used.add(address)
        elif self._otherwise is not None:
            face = self._otherwise(address, sides)
        if face is None:
            raise UnplannedThrow(f"nobody loaded the die {address!r} of {sides} sides")
        if not 1 <= face <= sides:
            raise ValueError(f"the die {address!r} of {sides} sides cannot show {face}")
        return face
