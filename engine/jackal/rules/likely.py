"""Likely answers to open questions, which a letter lists by number: from what the asked seat may see alone (5.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from engine.jackal.board import Board, items_of
from engine.jackal.isle import LAND, Cell
from engine.jackal.rules.run import Run
from engine.jackal.rules.way import Way, fatal
from engine.jackal.state import COLOURS, DEAD, PIRATES, STEPS_A_CELL, TRAPPED, UNITS, worth
from engine.jackal.tiles import BY_CODE, CANNIBAL, CODE, COINS, CROC, FORT_GIRL, OPEN, SPIN, TRAP, TREASURE

Pairs: TypeAlias = tuple[tuple[str, str], ...]

HEAPS: Final = 3
"""So many heaps of gold, and two throngs of enemies, are worth a number in a letter."""
THRONGS: Final = 2
NEAR: Final = 4
"""A tile that harms is worth moving away when it lies within so many cells of the own ship."""
_HARM: Final = (CANNIBAL, CROC, TRAP)
_OF_TREASURE: Final = 3


class Likely(NamedTuple):
    """An answer worth a number, and why one might want it, as facts of its phrase."""

    answer: Any
    facts: dict[str, Any]


# Flights --------------------------------------------------------------------------------------------------------------


def likely_flights(run: Run, cell: Cell, ways: Sequence[Way], *, stays: bool) -> tuple[Likely, ...]:
    """Return flights worth a number, None for staying: home, gold, a fight, help, what is closed (J8.12, R-18).

    None of them is certain death, and no cell comes twice.
    """
    safe = [way for way in ways if not fatal(run, cell, way)]
    found: dict[Cell, Likely] = {}
    for way, facts in _flights(run, safe):
        found.setdefault(way.cell, Likely(way, facts))
    waits = run.board.options.plane_defer == "yes"
    stay = (Likely(None, {"why": "stay", "waits": waits}),) if stays else ()
    return (*stay, *found.values())


def _flights(run: Run, ways: Sequence[Way]) -> Iterator[tuple[Way, dict[str, Any]]]:
    board = run.board
    home = board.geo.apart[board.ships[run.colour]]
    ashore = sorted((way for way in ways if board.geo.terrain[way.cell] == LAND), key=lambda way: home[way.cell])
    for way in ways:
        if way.cell in board.ships:
            colour = COLOURS[board.ships.index(way.cell)]
            own = way.cell == board.ships[run.colour]
            yield way, {"why": "ship" if own else "ally", "colour": colour, "gold": worth(run.load)}
    if run.load:
        yield from ((way, {"why": "near-ship"}) for way in ashore[: len(ashore) == len(ways)])
        return
    golden = [way for way in ashore if _gold_at(board, way.cell)]
    for way in sorted(golden, key=lambda way: -_gold_at(board, way.cell))[:HEAPS]:
        facts = {"items": _items_at(board, way.cell), "enemies": _struck(run, way.cell)}
        yield way, {"why": "gold", **facts}
    throngs = [way for way in ashore if _struck(run, way.cell)]
    for way in sorted(throngs, key=lambda way: -len(_struck(run, way.cell)))[:THRONGS]:
        yield way, {"why": "strike", "enemies": _struck(run, way.cell)}
    for way in ashore:
        caught = [unit for unit in _men_at(board, way.cell) if _is_caught_friend(run, unit)]
        if caught:
            yield way, {"why": "free", "units": tuple(UNITS[unit] for unit in caught)}
            break
    yield from ((way, {"why": "raise"}) for way in ashore if _may_raise(run, way.cell))
    closed = [way for way in ashore if _is_closed(board, way.cell)]
    yield from ((way, {"why": "closed-near"}) for way in closed[:1])
    yield from ((way, {"why": "closed-many"}) for way in sorted(closed, key=lambda way: -_closed_about(board, way))[:1])


def _gold_at(board: Board, cell: Cell) -> int:
    return sum(worth(heap) for place, heap in board.loads.items() if place // STEPS_A_CELL == cell)


def _items_at(board: Board, cell: Cell) -> tuple[str, ...]:
    heaps = sorted((place, heap) for place, heap in board.loads.items() if place // STEPS_A_CELL == cell)
    return tuple(item for _, heap in heaps for item in items_of(heap))


def _men_at(board: Board, cell: Cell) -> list[int]:
    return [unit for unit, place in enumerate(board.places) if place >= 0 and place // STEPS_A_CELL == cell]


def _struck(run: Run, cell: Cell) -> tuple[str, ...]:
    """Return the enemies who would be struck where one lands: on a spin those on its first step (J5.4)."""
    board = run.board
    if not board.tiles[cell] & OPEN or not run.fighter:
        return ()
    place = cell * STEPS_A_CELL + (1 if SPIN[board.tiles[cell] & CODE] else 0)
    tile = BY_CODE[board.tiles[cell] & CODE]
    if tile.key == "jungle" or tile.passes:
        return ()
    return tuple(UNITS[unit] for unit in board.enemies_at(place, run.side))


def _is_caught_friend(run: Run, unit: int) -> bool:
    board = run.board
    return bool(board.moods[unit] & TRAPPED) and board.side_of(unit) == run.side and unit != run.unit


def _may_raise(run: Run, cell: Cell) -> bool:
    """Say whether a pirate who lands here could raise a dead one of his colour (J7.2)."""
    board = run.board
    dead = board.places[run.colour * 3 : run.colour * 3 + 3]
    here = board.tiles[cell]
    return bool(here & OPEN) and here & CODE == FORT_GIRL and run.unit < PIRATES and DEAD in dead


def _is_closed(board: Board, cell: Cell) -> bool:
    return not board.tiles[cell] & OPEN


def _closed_about(board: Board, way: Way) -> int:
    return _closed_near(board, way.cell)


def _closed_near(board: Board, cell: Cell) -> int:
    geo = board.geo
    return sum(geo.terrain[one] == LAND and _is_closed(board, one) for one in geo.around[cell] if one >= 0)


# Lighthouse -----------------------------------------------------------------------------------------------------------


def likely_looks(run: Run, closed: Sequence[Cell], near: Sequence[Cell], number: int) -> tuple[Likely, ...]:
    """Return cells worth looking at: near own men (``near``, the default), the ship, the finder, deep in (J8.17)."""
    board = run.board
    apart = board.geo.apart
    here = run.here // STEPS_A_CELL
    sets: tuple[tuple[str, Iterable[Cell]], ...] = (
        ("near-men", near),
        ("near-ship", sorted(closed, key=lambda cell: _home(run, cell))),
        ("near-finder", sorted(closed, key=lambda cell: apart[here][cell])),
        ("closed-many", sorted(closed, key=lambda cell: -_closed_near(board, cell))),
    )
    found: dict[frozenset[Cell], Likely] = {}
    for why, ranked in sets:
        cells = tuple(ranked)[:number]
        found.setdefault(frozenset(cells), Likely(cells, {"why": why, "colour": COLOURS[run.colour]}))
    return tuple(found.values())


def _home(run: Run, cell: Cell) -> int:
    """Return how far a cell is from the nearest ship of the colours that the asked seat plays, in smoke too."""
    board = run.board
    own = [ship for ship, seat in zip(board.ships, board.seats, strict=True) if ship >= 0 and seat == run.wants.asked]
    return min(board.geo.apart[cell][ship] for ship in own or [board.ships[run.colour]])


def likely_layings(run: Run, cells: Sequence[Cell]) -> tuple[Likely, ...]:
    """Return how one might lay tiles back: as they lay, or what gold there is nearest the own ship (J8.17)."""
    as_it_was = Likely((), {"why": "as-it-was"})
    board = run.board
    names = board.geo.names
    golden = sorted((cell for cell in cells if _hidden_gold(board.tiles[cell])), key=lambda cell: _richer(board, cell))
    places = sorted(cells, key=lambda cell: _home(run, cell))
    to = dict(zip(golden, places, strict=False))
    if all(_home(run, cell) == _home(run, there) for cell, there in to.items()):
        return (as_it_was,)
    left = [cell for cell in cells if cell not in to.values()]
    for cell in cells:
        if cell not in to and cell in left:
            left.remove(cell)
            to[cell] = cell
    to |= dict(zip((cell for cell in cells if cell not in to), left, strict=True))
    pairs: Pairs = tuple((names[cell], names[to[cell]]) for cell in cells if to[cell] != cell)
    return as_it_was, Likely(pairs, {"why": "gold-near"})


def _richer(board: Board, cell: Cell) -> int:
    return -_hidden_gold(board.tiles[cell])


def _hidden_gold(tile: int) -> int:
    return _OF_TREASURE if tile & CODE == TREASURE else COINS[tile & CODE]


# Earthquake -----------------------------------------------------------------------------------------------------------


def likely_swaps(run: Run, free: Sequence[Cell], far: tuple[Cell, Cell]) -> tuple[Likely, ...]:
    """Return swaps worth a number: the default, gold one has seen nearer home, a tile that harms away (J8.19)."""
    found = {frozenset(far): Likely(far, {"why": "far"})}
    for pair, facts in _swaps(run, free):
        found.setdefault(frozenset(pair), Likely(pair, facts))
    return tuple(found.values())


def _swaps(run: Run, free: Sequence[Cell]) -> Iterator[tuple[tuple[Cell, Cell], dict[str, Any]]]:
    board = run.board
    book = board.notebooks.get(run.wants.asked, {})
    seen = {cell: book[cell][0] for cell in sorted(book) if cell in free and _is_closed(board, cell)}
    closed = sorted((cell for cell in free if _is_closed(board, cell)), key=lambda cell: _home(run, cell))
    unknown = [cell for cell in closed if cell not in seen]
    rich = sorted((cell for cell in seen if _hidden_gold(seen[cell])), key=lambda cell: -_hidden_gold(seen[cell]))
    if rich and unknown and _home(run, unknown[0]) < _home(run, rich[0]):
        yield (rich[0], unknown[0]), {"why": "gold-seen", "tile": _key(seen[rich[0]])}
    harm = [cell for cell in free if not _is_closed(board, cell) and board.tiles[cell] & CODE in _HARM]
    harm = sorted((cell for cell in harm if _home(run, cell) <= NEAR), key=lambda cell: _home(run, cell))
    if harm and unknown and _home(run, unknown[-1]) > _home(run, harm[0]):
        yield (harm[0], unknown[-1]), {"why": "harm-away", "tile": _key(board.tiles[harm[0]])}


def _key(tile: int) -> str:
    return BY_CODE[tile & CODE].key
