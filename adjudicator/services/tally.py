"""Statistics of dice: how often each face came, against what was to be expected. Pure; whole numbers, hundredths."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from adjudicator.letters import Luck, Purpose

LARGEST: Final = 20
"""Sides of the largest die there is on a table. A purpose with more is a draw from a list, say a deck of tiles."""


def by_purpose(dice: Iterable[tuple[str, int, int]]) -> tuple[Purpose, ...]:
    """Return the statistics of dice given as (purpose, sides, face), in the order in which purposes first appear.

    Draws from lists are left out: each is another list, and says nothing of how dice fell. Raises ValueError for a
    face that the die does not have.
    """
    counted: dict[tuple[str, int], list[int]] = {}
    drawn: set[str] = set()
    for key, sides, face in dice:
        if not 1 <= face <= sides:
            raise ValueError(f"a die of {sides} sides shows no {face}")
        if sides > LARGEST:
            drawn.add(key)
        elif key not in drawn:
            counted.setdefault((key, sides), [0] * sides)[face - 1] += 1
    return tuple(_purpose(key, sides, faces) for (key, sides), faces in counted.items() if key not in drawn)


def _purpose(key: str, sides: int, faces: list[int]) -> Purpose:
    count = sum(faces)
    total = sum(face * times for face, times in enumerate(faces, 1))
    squares = sum(times * times for times in faces)
    return Purpose(
        key=key,
        sides=sides,
        faces=tuple(faces),
        mean=_rounded(100 * total, count),
        expected=50 * (sides + 1),
        chi=_rounded(100 * (sides * squares - count * count), count),
    )


def _rounded(part: int, whole: int) -> int:
    return (2 * part + whole) // (2 * whole)


def by_seat(tries: Iterable[tuple[str, str, bool, tuple[int, int]]]) -> tuple[Luck, ...]:
    """Return each seat's luck from tries given as (seat, key, lucky, chance), the chance as a fraction."""
    found: dict[tuple[str, str], Luck] = {}
    for seat, key, lucky, (part, whole) in tries:
        before = found.get((seat, key), Luck(seat=seat, key=key, tries=0, lucky=0, expected=0))
        found[seat, key] = Luck(
            seat=seat,
            key=key,
            tries=before.tries + 1,
            lucky=before.lucky + lucky,
            expected=before.expected + _rounded(100 * part, whole),
        )
    return tuple(found[name] for name in sorted(found))
