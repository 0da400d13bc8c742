"""Where to write on a drawing: each label takes the place that covers least of what must stay visible."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

_NARROW: Final = frozenset("iljtfrI.,:;'’!|()[]- «»1")
_BROAD: Final = frozenset("mwMWжшщюыфмЖШЩЮЫФМДдОО@")


class Box(NamedTuple):
    """A rectangle by its edges."""

    left: float
    top: float
    right: float
    bottom: float

    def moved(self, right: float, down: float) -> Box:
        """Return the box moved."""
        return Box(self.left + right, self.top + down, self.right + right, self.bottom + down)

    def grown(self, by: float) -> Box:
        """Return the box with a margin."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def distance(self, x: float, y: float) -> float:
        """Return how far a point lies from the box, nothing inside it."""
        return math.hypot(max(self.left - x, 0.0, x - self.right), max(self.top - y, 0.0, y - self.bottom))

    def overlap(self, other: Box) -> float:
        """Return the area common to both."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return width * height if width > 0 and height > 0 else 0.0


def text_width(words: str, size: float) -> float:
    """Return about how long words are in the project's face, rather too long than too short."""
    return size * sum(0.36 if char in _NARROW else 0.82 if char in _BROAD else 0.60 for char in words)


@dataclass
class Page:
    """What is taken on a drawing: boxes that must not be covered, each with how much that matters by unit of area."""

    frame: Box
    taken: list[tuple[Box, float]] = field(default_factory=list)

    def take(self, box: Box, weight: float = 10.0) -> None:
        """Mark a place as taken."""
        self.taken.append((box, weight))

    def cost(self, box: Box) -> float:
        """Return how bad it is to write here."""
        outside = (box.right - box.left) * (box.bottom - box.top) - box.overlap(self.frame)
        return outside * 50 + sum(box.overlap(other) * weight for other, weight in self.taken)

    def place(self, choices: Iterable[Box], also: Callable[[Box], float] = lambda _: 0.0) -> Box:
        """Return the cheapest of the boxes, the first of equals, and take it. Raises ValueError for no choices."""
        best = min(choices, key=lambda box: self.cost(box) + also(box))
        self.take(best.grown(1.5), 60)
        return best


def around(x: float, y: float, width: float, height: float, gap: float) -> Sequence[Box]:
    """Return boxes round a point as map makers prefer them: right, left, above, below, corners, then farther out."""
    found = []
    for step in (gap, gap * 1.5, gap * 2.1, gap * 2.8, gap * 3.6):
        slant = step * 0.72
        found += [
            Box(x + step, y - height / 2, x + step + width, y + height / 2),
            Box(x - step - width, y - height / 2, x - step, y + height / 2),
            Box(x - width / 2, y - step - height, x + width / 2, y - step),
            Box(x - width / 2, y + step, x + width / 2, y + step + height),
            Box(x + slant, y - slant - height, x + slant + width, y - slant),
            Box(x + slant, y + slant, x + slant + width, y + slant + height),
            Box(x - slant - width, y - slant - height, x - slant, y - slant),
            Box(x - slant - width, y + slant, x - slant, y + slant + height),
        ]
    return found


def beside(x: float, y: float, width: float, height: float, across: tuple[float, float], gap: float) -> Sequence[Box]:
    """Return boxes on both sides of a line through a point, close to it; ``across`` is the unit vector square to it."""
    reach = abs(across[0]) * width / 2 + abs(across[1]) * height / 2
    along = -across[1], across[0]
    found = []
    for far in (gap, gap * 2):
        for slide in (0.0, 14.0, -14.0, 28.0, -28.0):
            for side in (-1, 1):
                right = x + across[0] * side * (reach + far) + along[0] * slide
                down = y + across[1] * side * (reach + far) + along[1] * slide
                found.append(Box(right - width / 2, down - height / 2, right + width / 2, down + height / 2))
    return found
