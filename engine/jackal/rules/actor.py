"""The colour about to act: which of its characters may, what they take along, what is told of it (J2, J4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.core.contract import Seat
from engine.jackal.board import Board, items_of
from engine.jackal.commands import (
    Load,
    Pick,
)
from engine.jackal.events import ActionTaken
from engine.jackal.rules.chain import JACKAL
from engine.jackal.rules.illegal import Illegal
from engine.jackal.rules.run import Rulebook, Run
from engine.jackal.rules.wants import SlotTalk, Wants
from engine.jackal.state import (
    CART,
    COLOURS,
    ITEMS,
    LOCKED,
    LOST,
    MS,
    STEPS_A_CELL,
    TRAPPED,
    UNIT,
    WAKING,
    count,
)
from engine.jackal.tiles import ARMED, CODE, EFFECT, PLANE, SPENT

CART_HOLDS: Final = 2
"""So many loads go into a cart (J10.3)."""


class Acting:
    """A colour about to act on a board: who commands, whether grass burns, whose rum may be used.

    ``unforeseen``: the act has turned something up, so nothing after it can make it undone.
    """

    __slots__ = ("ally_rum", "board", "book", "colour", "defaulted", "side", "smoke", "talk", "unforeseen", "wants")

    def __init__(
        self,
        board: Board,
        talk: SlotTalk,
        wants: Wants,
        *,
        smoke: bool = False,
        ally_rum: dict[Seat, int] | None = None,
        defaulted: bool = False,
        book: Rulebook = JACKAL,
    ) -> None:
        self.board = board
        self.book = book
        self.colour = talk.colour
        self.side = board.sides[talk.colour]
        self.talk = talk
        self.wants = wants
        self.smoke = smoke
        self.ally_rum = ally_rum if ally_rum is not None else {}
        self.defaulted = defaulted
        self.unforeseen = False


def mover(acting: Acting, name: str, *, trapped: bool = False) -> int:
    """Return the number of a character that may act now. Raises Illegal."""
    board = acting.board
    unit = UNIT.get(name, -1)
    if unit < 0 or board.places[unit] < 0 or board.colour_of(unit) != acting.colour:
        raise Illegal("not-yours" if unit >= 0 and board.places[unit] >= 0 else "not-alive", "J2.2")
    mood = board.moods[unit]
    if mood & WAKING:
        raise Illegal("drunk", "J8.15")
    if mood & (LOST | LOCKED):
        raise Illegal("lost", "J8.18")
    if mood & TRAPPED and not trapped:
        raise Illegal("trapped", "J8.06")
    return unit


def begin(acting: Acting, unit: int, load: Load | None, via: Sequence[Pick] = ()) -> Run:
    """Return a move that begins: the load is taken up (J2.5), an armed plane that is left is spent (J8.12)."""
    board = acting.board
    here = board.places[unit]
    acting.wants.via = list(via)
    taken = _taken(board, unit, here, load) if load is not None else 0
    if taken:
        board.take(here, taken)
    pacified = board.is_sober(MS) and board.places[MS] == here and unit != MS
    return Run(
        board=board,
        unit=unit,
        colour=acting.colour,
        side=acting.side,
        wants=acting.wants,
        book=acting.book,
        origin=here,
        here=here,
        back=here,
        load=taken,
        fighter=board.is_fighter(unit),
        pacified=pacified,
    )


def _taken(board: Board, unit: int, place: int, load: Load) -> int:
    """Return what a mover takes along, packed. Raises Illegal if it does not lie there (J4.1, J10.3)."""
    if board.is_sober(unit):
        raise Illegal("missionary-carries-nothing", "J9.10")
    heap = board.loads.get(place, 0)
    name = board.geo.names[place // STEPS_A_CELL]
    if not count(heap, load.item):
        raise Illegal("no-such-load", "J4.1", name)
    if load.item != "cart":
        return ITEMS[load.item][0]
    inside: Sequence[str] = load.inside
    if load.bare:
        inside = (
            ["treasure"] * count(heap, "treasure") + ["coin"] * count(heap, "coin") + ["ball"] * count(heap, "ball")
        )
        inside = inside[:CART_HOLDS]
    if len(inside) > CART_HOLDS or any(item in ("boat", "cart") for item in inside):
        raise Illegal("cart-full", "J10.3", name)
    packed = CART + sum(ITEMS[item][0] for item in inside)
    if any(count(packed, item) > count(heap, item) for item in ("coin", "treasure", "ball")):
        raise Illegal("no-such-load", "J10.3", name)
    return packed


def leave_plane(run: Run) -> None:
    """Spend an armed plane that the mover is about to leave (J8.12)."""
    cell = run.here // STEPS_A_CELL
    tile = run.board.tiles[cell]
    if tile & CODE == PLANE and tile & EFFECT == ARMED:
        run.board.tiles[cell] = tile & ~EFFECT | SPENT
        run.board.spent += 1


def tell(acting: Acting, run: Run, act_name: str) -> None:
    """Tell of an action that begins: who commands, what moves, with what load."""
    board = acting.board
    board.events.append(
        ActionTaken(
            rule="J2.2",
            colour=COLOURS[acting.colour],
            number=acting.talk.number,
            commander=acting.talk.seat,
            act=act_name,  # type: ignore[arg-type]
            unit=run.name,
            start=run.cell_name,
            step=run.here % STEPS_A_CELL,
            load=items_of(run.load),
            defaulted=acting.defaulted,
        )
    )
