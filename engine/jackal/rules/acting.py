"""One action of a colour: guards, gifts and the act itself, or why it is not legal (J2, J7)."""

from __future__ import annotations

from typing import Final

from engine.jackal.commands import (
    AnyAct,
    Fly,
    Gift,
    Launch,
    Raise,
    RumLeap,
    Sail,
    SpinStep,
    Step,
)
from engine.jackal.events import Raised
from engine.jackal.rules.actor import Acting, begin, mover, tell
from engine.jackal.rules.chain import tidy_cannibals
from engine.jackal.rules.guards import holds
from engine.jackal.rules.illegal import Illegal
from engine.jackal.rules.rum import give
from engine.jackal.rules.steps import fly, rum_leap, spin_step, step
from engine.jackal.rules.vessels import launch_boat, sail
from engine.jackal.state import (
    DEAD,
    PIRATES,
    STEPS_A_CELL,
    UNIT,
    UNITS,
)
from engine.jackal.tiles import CODE, FORT_GIRL

FIGHTERS_ENOUGH: Final = 3
"""With so many fighters alive the girl raises nobody (J7.3)."""


def perform(acting: Acting) -> None:
    """Carry out an alternative on the board of ``acting``. Raises Illegal if it is not legal now."""
    alternative = acting.wants.alternative
    for guard in alternative.guards:
        if not holds(acting, guard):
            raise Illegal("guard", "5.2", guard.cell)
    if alternative.act is None:
        raise ValueError("«по умолчанию» is settled elsewhere")
    if acting.smoke and alternative.gifts:
        raise Illegal("no-rum-in-smoke", "J8.21")
    for gift in alternative.gifts:
        if gift.before:
            give(acting, gift)
    act(acting, alternative.act)
    for gift in alternative.gifts:
        if not gift.before:
            _give_after(acting, gift)
    tidy_cannibals(acting.board)


def _give_after(acting: Acting, gift: Gift) -> None:
    """Give a bottle after the act. Raises Illegal where open tiles forbade it; what is turned up is not undone."""
    try:
        give(acting, gift)
    except Illegal:
        if not acting.unforeseen:
            raise


def act(acting: Acting, what: AnyAct) -> None:
    """Carry out the act of an alternative."""
    match what:
        case Step():
            step(acting, what)
        case SpinStep():
            spin_step(acting, what)
        case RumLeap():
            rum_leap(acting, what)
        case Fly():
            fly(acting, what)
        case Raise():
            _raise(acting, what)
        case Launch():
            launch_boat(acting, what)
        case Sail():
            sail(acting, what)


def _raise(acting: Acting, what: Raise) -> None:
    """Raise a dead pirate of the colour in the girl's fort (J7.2–J7.4)."""
    board = acting.board
    unit = mover(acting, what.unit)
    place = board.places[unit]
    colour = acting.colour
    if unit >= PIRATES or board.tiles[place // STEPS_A_CELL] & CODE != FORT_GIRL:
        raise Illegal("not-in-girls-fort", "J7.2")
    if sum(board.is_fighter(one) for one in board.crew(colour)) >= FIGHTERS_ENOUGH:
        raise Illegal("fighters-enough", "J7.3")
    dead = [one for one in range(colour * 3, colour * 3 + 3) if board.places[one] == DEAD]
    chosen = UNIT.get(what.dead, -1) if what.dead else dead[0] if dead else -1
    if chosen not in dead:
        raise Illegal("nobody-to-raise", "J7.2")
    run = begin(acting, unit, None)
    tell(acting, run, "raise")
    board.places[chosen] = place
    board.moods[chosen] = 0
    board.events.append(Raised(rule="J7.2", unit=UNITS[chosen], by=UNITS[unit], cell=run.cell_name))
