"""Laws that no game of «Блокада» may break, whatever its players send (B6–B23)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping
from fractions import Fraction
from itertools import pairwise

import pytest

from engine.blockade.commands import DASH_STEPS
from engine.blockade.events import (
    BowTurned,
    DashBegan,
    DashEnded,
    Fired,
    ForcedHome,
    GameEnded,
    LaidOut,
    RanAground,
    StepChanged,
    Stepped,
)
from engine.blockade.gunnery import GUNS
from engine.blockade.layout import fault_of
from engine.blockade.options import BlockadeOptions
from engine.blockade.state import BlockadeState, other, ship_of
from engine.blockade.waters import SIDE, TURNS, VECTORS, heading_of, square
from engine.core.contract import PUBLIC, Resolution, Seat, Sheet
from tests.engine.blockade.wild import play_wildly

GAMES = 5
OPTIONS = {
    "three steps": BlockadeOptions(),
    "one step": BlockadeOptions(steps=1, range=11),
    "four steps": BlockadeOptions(steps=4, head_on="arc", harbour=2),
    "strict": BlockadeOptions(mode="strict", harbour=4),
    "literal": BlockadeOptions(steps=2, blockader_heading="literal", limit=12),
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_no_law_is_broken_in_wild_games(options: BlockadeOptions) -> None:
    for number in range(GAMES):
        state = play_wildly(options, f"wild {number}", check_turn)
        assert state.outcome is not None


def check_turn(before: BlockadeState, result: Resolution, _sheets: Mapping[Seat, Sheet]) -> None:
    after = result.state
    assert isinstance(after, BlockadeState)
    check_layout(after, result)
    if before.stage == "play":
        check_steps(before, after, result)
        check_shots(before, after, result)
        check_dash(before, after, result)
        check_end(before, after, result)


def check_layout(after: BlockadeState, result: Resolution) -> None:
    """Every layout is legal, drawn or sent (B5)."""
    for event in result.events:
        if isinstance(event, LaidOut):
            assert fault_of(event.islands, event.rocks, [ship.cell for ship in after.ships]) is None


def check_steps(before: BlockadeState, after: BlockadeState, result: Resolution) -> None:
    """Steps go one square ahead after 45° at most, never onto land; Runner enters a harbour only to lose (B6–B8)."""
    land = {cell for island in before.islands for cell in island} | set(before.rocks)
    where = {ship.piece: (ship.cell, heading_of(ship.heading)) for ship in before.ships}
    for event in result.events:
        if isinstance(event, BowTurned):
            cell, heading = where[event.piece]
            assert heading_of(event.heading) == (heading + TURNS[event.relative]) % 8
            where[event.piece] = cell, heading_of(event.heading)
        if not isinstance(event, Stepped):
            continue
        cell, heading = where[event.piece]
        new = heading_of(event.heading)
        assert event.start == cell
        assert new == (heading + TURNS[event.relative]) % 8
        assert square(event.cell) == square(cell).ahead(new)
        assert event.cell not in land
        assert 1 <= square(event.cell).column <= SIDE
        assert not event.forced or event.relative == "="
        where[event.piece] = event.cell, new
    assert {ship.piece: (ship.cell, heading_of(ship.heading)) for ship in after.ships} == where
    moves = Counter(event.piece for event in result.events if isinstance(event, Stepped) and not event.dash)
    aground = [event.piece for event in result.events if isinstance(event, RanAground)]
    for ship in before.ships:
        made = ship_of(after, ship.piece).moves - ship.moves
        assert moves[ship.piece] <= made <= moves[ship.piece] + aground.count(ship.piece)


def check_shots(before: BlockadeState, after: BlockadeState, result: Resolution) -> None:
    """Guns fire within their arcs and range, over no island, and points are what the dice showed (B12–B17)."""
    islands = {square(cell) for island in before.islands for cell in island}
    where = {ship.piece: (square(ship.cell), heading_of(ship.heading)) for ship in before.ships}
    points = {ship.piece: ship.points for ship in before.ships}
    for event in result.events:
        if isinstance(event, Stepped | BowTurned):
            where[event.piece] = square(event.cell), heading_of(event.heading)
        if not isinstance(event, Fired):
            continue
        (at, heading), (target, _) = where[event.piece], where[other(event.piece)]
        axis = heading + dict(GUNS[event.piece])[event.gun]
        right, up = VECTORS[axis % 8]
        off = math.atan2(right, up) - math.atan2(target.column - at.column, target.row - at.row)
        assert abs(math.remainder(off, math.tau)) <= math.pi / 4 + 1e-9
        assert event.distance == abs(target.column - at.column) + abs(target.row - at.row) <= before.options.range
        assert not crosses(at, target, islands)
        points[event.piece] += event.points
    assert {ship.piece: ship.points for ship in after.ships} == points


def crosses(one: tuple[int, int], two: tuple[int, int], squares: Collection[tuple[int, int]]) -> bool:
    """Say whether the segment between two centres runs through the inside of a square, by exact intervals."""
    for column, row in squares:
        low, high = Fraction(0), Fraction(1)
        for start, end, centre in ((one[0], two[0], column), (one[1], two[1], row)):
            if start == end:
                if start != centre:
                    low, high = Fraction(1), Fraction(0)
                continue
            first = (Fraction(2 * centre - 1, 2) - start) / (end - start)
            second = (Fraction(2 * centre + 1, 2) - start) / (end - start)
            low, high = max(low, min(first, second)), min(high, max(first, second))
        if low < high:
            return True
    return False


def check_dash(before: BlockadeState, after: BlockadeState, result: Resolution) -> None:
    """A dash makes six squares at most, nobody fires in it, and it ends the mail turn (B19, 2.5.6)."""
    kinds = [type(event) for event in result.events]
    assert kinds.count(DashBegan) <= 1
    if DashBegan in kinds:
        began = kinds.index(DashBegan)
        squares = [event.dash for event in result.events[began:] if isinstance(event, Stepped)]
        assert squares == list(range(1, len(squares) + 1))
        assert len(squares) <= DASH_STEPS
        assert Fired not in kinds[began:]
    ended = [event for event in result.events if isinstance(event, DashEnded)]
    for event in ended:
        assert (event.squares, after.first) == (DASH_STEPS, other(event.piece))
        assert ship_of(after, other(event.piece)).disabled
    if not ended and after.outcome is None:
        strict = before.options.mode == "strict"
        assert after.first == (other(before.first) if strict else before.first)
        assert not any(ship.disabled for ship in after.ships if ship.piece == before.first or not strict)


def check_end(before: BlockadeState, after: BlockadeState, result: Resolution) -> None:
    """An outcome is told as the last event, and its winner is a ship's seat; nothing private is told to all."""
    ended = [event for event in result.events if isinstance(event, GameEnded)]
    assert bool(ended) == (after.outcome is not None)
    if after.outcome is not None:
        assert result.events[-1] == ended[0]
        assert after.outcome.winners == (ship_of(after, ended[0].winner).seat,)
    if any(isinstance(event, ForcedHome) for event in result.events):
        assert after.outcome is not None
        assert after.outcome.sides == ("blockader",)
    private = [event for event in result.events if isinstance(event, StepChanged)]
    assert not any(event.known_to(PUBLIC) for event in private)
    moved = [event for event in result.events if isinstance(event, Stepped) and not event.dash]
    assert all(one.piece != two.piece for one, two in pairwise(moved))
