"""The laws that no turn of «Шакал» may break (page 5.7), each with what breaks it as the message."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec

from engine.core.codec import encode
from engine.core.contract import MODERATOR, PUBLIC, Event, Resolution
from engine.jackal.board import NO_VESSEL, Board, thaw
from engine.jackal.events import ActionTaken, CannonFired, EarthQuaked, LaidBack, Moved, PeekShown, Raised
from engine.jackal.isle import COAST, ISLE, LAND
from engine.jackal.state import (
    CART,
    COLOURS,
    FR,
    LOCKED,
    LOST,
    MS,
    STEPS_A_CELL,
    TRAPPED,
    UNITS,
    WAKING,
    JackalState,
    worth,
)
from engine.jackal.tiles import (
    ARROW,
    BY_CODE,
    CANNIBAL,
    CANNON,
    CAVE,
    CODE,
    COINS,
    HIDDEN,
    HORSE,
    ICE,
    JUNGLE,
    KINDS,
    LOADABLE,
    OPEN,
    PASSES,
    PLANE,
    SPIN,
    TRAP,
    deck,
    exits_of,
)
from engine.jackal.view import view

FIGHTERS = 3
"""With so many fighters alive nobody is raised (J7.3)."""
TREASURE = KINDS["treasure"].code


class LawBroken(AssertionError):
    """A position or a turn that no rule allows."""


def demand(kept: object, law: str, *what: object) -> None:
    """Raise LawBroken with the law and what broke it, unless it is kept."""
    if not kept:
        raise LawBroken(f"{law}: {' '.join(map(str, what))}")


def check(before: JackalState, result: Resolution, _: object = None) -> None:
    """Hold a turn and the position after it to every law but secrecy, which takes its time (`views_keep_secrets`)."""
    state = result.state
    assert isinstance(state, JackalState)
    board = thaw(state)
    tiles_are_kept(state)
    gold_adds_up(board)
    for place, heap in state.loads:
        load_may_lie(board, place, heap)
    fired = {event.unit for event in result.events if isinstance(event, CannonFired)}
    for unit, place in enumerate(state.places):
        if place >= 0:
            unit_may_stand(board, unit, place)
            moods_fit(board, unit, place)
            stayed = before.places[unit] == place
            on_cannon = board.tiles[place // STEPS_A_CELL] & CODE == CANNON
            demand(not on_cannon or stayed or UNITS[unit] in fired, "only a gunner rests on a cannon", UNITS[unit])
    for place in sorted({place for place in state.places if place >= 0}):
        no_enemies_together(board, place)
    raised_are_few(before, result.events)
    if not any(isinstance(event, EarthQuaked | LaidBack) for event in result.events):
        for chain in chains(result.events):
            chain_ends_by_the_loop_rule(state, chain)
    peeks_are_private(state, result.events)


def tiles_are_kept(state: JackalState) -> None:
    """The island has the tiles of its set, no more and no fewer."""
    counts = Counter(BY_CODE[state.tiles[cell] & CODE].key for cell in ISLE.land)
    demand(counts == deck(state.options.tileset).counts, "the tiles are those of the start", counts)


def gold_adds_up(board: Board) -> None:
    """Gold scored, lying, destroyed and hidden is all the gold; bottles come from the island alone."""
    codes = [board.tiles[cell] & CODE for cell in ISLE.land if not board.tiles[cell] & OPEN]
    hidden = sum(COINS[code] + 3 * (code == TREASURE) for code in codes)
    total = deck(board.options.tileset).gold
    parts = (sum(board.gold), board.lying(), board.destroyed, hidden)
    demand(sum(parts) == total, "gold scored, lying, destroyed and hidden is all there is", parts, total)
    demand(board.left == board.lying() + hidden, "what is left lies or is hidden", board.left)
    bottles = deck(board.options.tileset).bottles
    demand(min(board.bottles) >= 0 and sum(board.bottles) <= bottles, "bottles come from the island", board.bottles)


def load_may_lie(board: Board, place: int, heap: int) -> None:
    """No load lies on a pass tile, a fort, in the jungle or in the sea; a cart may stand on a deck (J4.7, J10.3)."""
    cell = place // STEPS_A_CELL
    name = ISLE.names[cell]
    demand(heap > 0 and worth(heap) >= 0, "a heap holds something", name, heap)
    if ISLE.terrain[cell] != LAND:
        demand(board.vessel_at(cell) != NO_VESSEL and heap == CART, "no load lies in the sea", name, heap)
        return
    tile = board.tiles[cell]
    demand(tile & OPEN, "no load lies on a closed tile", name)
    demand(LOADABLE[tile & CODE], "no load lies where none may", name, BY_CODE[tile & CODE].key)
    demand(tile & CODE != CANNIBAL or board.places[FR] == place, "the cannibal eats what Friday leaves", name)


def unit_may_stand(board: Board, unit: int, place: int) -> None:
    """Nobody rests on a closed or a pass tile, on the cannibal but Friday, at sea but on the coast or a ship of his."""
    cell, step = divmod(place, STEPS_A_CELL)
    name = UNITS[unit]
    if ISLE.terrain[cell] != LAND:
        vessel = board.vessel_at(cell)
        if vessel != NO_VESSEL:
            demand(board.vessel_side(vessel) == board.side_of(unit), "nobody is aboard an enemy ship", name)
        else:
            demand(ISLE.terrain[cell] == COAST, "nobody swims off the coast", name, ISLE.names[cell])
        return
    tile = board.tiles[cell]
    key = BY_CODE[tile & CODE].key
    demand(tile & OPEN, "nobody rests on a closed tile", name, ISLE.names[cell])
    demand(not PASSES[tile & CODE] or tile & CODE == CANNON, "nobody rests on a pass tile", name, key)
    demand(tile & CODE != CANNIBAL or unit == FR, "only Friday lives on the cannibal's tile", name)
    demand(0 <= step <= SPIN[tile & CODE], "a place is a step of a spin or the whole cell", name, key, step)


def moods_fit(board: Board, unit: int, place: int) -> None:
    """Who is lost is in a cave, who is trapped in a trap, and nobody is left half awake after a turn."""
    mood, code = board.moods[unit], board.tiles[place // STEPS_A_CELL] & CODE
    demand(not mood & (LOST | LOCKED) or code == CAVE, "the lost are in caves", UNITS[unit])
    demand(not mood & TRAPPED or code == TRAP, "the trapped are in traps", UNITS[unit])
    demand(not mood & WAKING, "who missed his turn is awake", UNITS[unit])


def no_enemies_together(board: Board, place: int) -> None:
    """No two sides share a place, but for the jungle and one who may not strike beside a lone Friday (R-05)."""
    units = board.at(place)
    names = [UNITS[unit] for unit in units]
    sides = {board.side_of(unit) for unit in units}
    demand(not (MS in units and FR in units and board.is_sober(MS)), "missionary and Friday part for ever", names)
    if len(sides) < 2 or board.tiles[place // STEPS_A_CELL] & CODE == JUNGLE:
        return
    rest = {board.side_of(unit) for unit in units if unit != FR}
    demand(FR in units and len(rest) == 1, "enemies share no place", names)


def raised_are_few(before: JackalState, events: tuple[Event, ...]) -> None:
    """Nobody is raised who lives, and nobody while the colour has three fighters (J7.3, J7.4)."""
    board = thaw(before)
    dead = {UNITS[unit] for unit in range(12) if before.places[unit] < 0}
    for event in events:
        if isinstance(event, Raised):
            colour = UNITS.index(event.unit) // 3
            demand(event.unit in dead, "only the dead are raised", event.unit)
            dead.discard(event.unit)
            fighters = sum(board.is_fighter(unit) for unit in board.crew(colour))
            demand(fighters < FIGHTERS or len(before.plan) > 1, "nobody is raised beside three", COLOURS[colour])
        elif getattr(event, "cause", None) is not None:
            dead.add(event.unit)  # type: ignore[attr-defined]


def chains(events: tuple[Event, ...]) -> Iterator[list[Moved]]:
    """Yield the moves of each action's mover, in order."""
    chain: list[Moved] = []
    mover = ""
    for event in events:
        if isinstance(event, ActionTaken):
            yield chain
            chain, mover = [], event.unit
        elif isinstance(event, Moved) and event.unit == mover:
            chain.append(event)
    yield chain


def chain_ends_by_the_loop_rule(state: JackalState, chain: list[Moved]) -> None:
    """Each way of a choice is taken once an action; between choices nothing comes again but what kills (J3.6)."""
    taken: set[tuple[str, str, str]] = set()
    fixed: set[tuple[str, str, str]] = set()
    for one, move in enumerate(chain):
        key = (move.start, move.cell, move.how)
        tile = state.tiles[ISLE.cell(move.start)]
        if one and move.how in ("exit", "jump", "flight") and _offers_ways(tile, move):
            demand(key not in taken, "a way is taken once an action", *key)
            taken.add(key)
            fixed.clear()
        else:
            demand(key not in fixed or one == len(chain) - 1, "a chain without a choice does not repeat itself", *key)
            fixed.add(key)


def _offers_ways(tile: int, move: Moved) -> bool:
    code = tile & CODE
    return code in (HORSE, PLANE) or (code == ICE and move.how != "exit") or (ARROW[code] and len(exits_of(tile)) > 1)


def peeks_are_private(state: JackalState, events: tuple[Event, ...]) -> None:
    """What is seen from the lighthouse is told to the finder's side at most, and kept in its notebooks alone."""
    for event in events:
        if isinstance(event, PeekShown | LaidBack):
            seats = [seat for seat in event.audience if seat in state.roster]
            told = len(seats) == len(event.audience) and 0 < len(seats) <= (1 if _alone(state) else 2)
            demand(told, "a peek is private", event.audience)
    for book in state.notebooks:
        closed = [peek for peek in book.peeks if not state.tiles[peek.cell] & OPEN]
        demand(len(closed) == len(book.peeks), "notebooks are of closed tiles", book.seat)
        true = [peek for peek in closed if state.tiles[peek.cell] == peek.tile]
        demand(len(true) == len(closed), "a notebook tells the truth", book.seat)


def _alone(state: JackalState) -> bool:
    """Say whether every seat keeps what it has seen from its partner, if it has one."""
    return state.options.share_peeks == "no" or len(state.roster) < 4 or state.options.teams == "no"


def views_keep_secrets(state: JackalState) -> int:
    """Compare views with those of a twin whose closed tiles lie otherwise; return how many were compared.

    Only tiles that a viewer has not peeked change places, so whatever he is shown must be the same to the byte. When
    the game is over there is nothing left to keep: the last letter tells what stayed face down.
    """
    compared = 0
    if state.outcome is not None:
        return compared
    for seat in (*state.roster, PUBLIC, MODERATOR):
        peeked = {peek.cell for book in state.notebooks if book.seat == seat for peek in book.peeks}
        closed = [cell for cell in ISLE.land if not state.tiles[cell] & OPEN and cell not in peeked]
        tiles = list(state.tiles)
        for cell, other in zip(closed, reversed(closed), strict=True):
            tiles[cell] = state.tiles[other]
        shown = view(state, seat)
        for cell in closed:
            demand(shown.tiles[cell] == HIDDEN, "a closed tile is hidden", seat, ISLE.names[cell])
        twin = msgspec.structs.replace(state, tiles=tuple(tiles), notebooks=_others_apart(state, seat))
        demand(encode(view(twin, seat)) == encode(shown), "a view does not depend on what lies closed", seat)
        compared += len(closed) > 1
    return compared


def _others_apart(state: JackalState, seat: str) -> tuple[object, ...]:
    """Return the notebooks without those of others: they are none of this viewer's business."""
    return tuple(book for book in state.notebooks if book.seat == seat)
