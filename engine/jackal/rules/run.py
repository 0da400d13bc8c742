"""A character on its way: what the rules need to know of the move while it lasts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine.jackal.board import Board
from engine.jackal.isle import Cell
from engine.jackal.state import DEAD, STEPS_A_CELL, UNITS

if TYPE_CHECKING:
    from engine.jackal.rules.wants import Wants

STEP, HORSE_JUMP, FLIGHT = 0, 1, 2
"""Kinds of a move as ice and crocodile remember it (J3.7)."""
NO_VECTOR: Final = -1


class Rulebook(NamedTuple):
    """What a ruleset's tiles do, by code: effects of the first arrival, of every arrival, and the ways on.

    «Архипелаг» brings its own; the chain itself is the same (J3).
    """

    once: Mapping[int, Callable[[Run, Cell], Any]]
    lasting: Mapping[int, Callable[[Run, Cell], Any]]
    ways: Callable[[Run, Cell, int, int, int], tuple[Sequence[Any], bool]]


@dataclass(slots=True)
class Run:
    """A move under way (J3).

    ``origin`` is the place it began (J3.1), ``here`` the place the mover stands in, ``back`` the one he came from
    (J8.07). ``kind`` and ``vector`` are what ice repeats. ``used`` are ways taken at tiles with a choice, ``fixed`` the
    arrivals since the last such choice (J3.6). ``pacified``: he started beside a sober missionary (R-05).
    ``foreseen``: nothing has been turned up yet, so ``via`` binds (J3.4). ``unknown``: he came onto a closed tile whose
    kind the viewer does not know; nothing more can be said.
    """

    board: Board
    unit: int
    colour: int
    side: int
    wants: Wants
    book: Rulebook
    origin: int
    here: int
    back: int
    load: int = 0
    fighter: bool = True
    pacified: bool = False
    kind: int = STEP
    vector: int = NO_VECTOR
    used: set[tuple[int, int, int]] = field(default_factory=set)
    fixed: set[tuple[int, int, int]] = field(default_factory=set)
    foreseen: bool = True
    unknown: bool = False

    @property
    def alive(self) -> bool:
        """Whether the mover is still in the game."""
        return self.board.places[self.unit] != DEAD

    @property
    def name(self) -> str:
        """The mover's id, as events have it."""
        return UNITS[self.unit]

    @property
    def cell_name(self) -> str:
        """The name of the cell the mover stands on."""
        return self.board.geo.names[self.here // STEPS_A_CELL]
