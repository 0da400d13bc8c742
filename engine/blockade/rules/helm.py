"""Steps: what stops one, what is taken instead, and how entering a square is judged (B6–B11, B22, D16, D17)."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from engine.blockade.board import Board, Vessel
from engine.blockade.options import BlockadeOptions
from engine.blockade.state import Piece
from engine.blockade.waters import OPEN_SEA, RELATIVES, Chart, Relative, Square, turned

Bar: TypeAlias = Literal["", "edge", "land", "harbour"]
Fate: TypeAlias = Literal["", "harbour", "ram", "head-on", "escape"]


class Step(NamedTuple):
    """A step that could be made: how it turns, where it leads, and the heading on it."""

    relative: Relative
    to: Square
    heading: int


class Choice(NamedTuple):
    """What becomes of a planned step. ``step`` is None where nothing is left: ashore. ``bar`` stopped the plan."""

    step: Step | None
    bar: Bar


def step_of(at: Square, heading: int, relative: Relative) -> Step:
    """Return a relative step from a square."""
    new = turned(heading, relative)
    return Step(relative, at.ahead(new), new)


def barred(chart: Chart, at: Square, to: Square) -> Bar:
    """Say what land or edge keeps a ship from stepping to a neighbour, "" if nothing does (B8)."""
    if not to.on_board:
        return "edge"
    if to in chart.land:
        return "land"
    # Between two land squares that share a corner nobody passes; on a straight step these are ends, and free.
    beside = (Square(to.column, at.row), Square(at.column, to.row))
    return "land" if all(one in chart.land for one in beside) else ""


def is_head_on(options: BlockadeOptions, runner: int, blockader: int) -> bool:
    """Say whether Runner's heading meets the Blockader's bow: exactly opposite, or within its arc (D9)."""
    gap = (runner - blockader) % 8
    return gap == 4 or (options.head_on == "arc" and gap in (3, 5))


def strikes_head_on(board: Board, ship: Vessel, step: Step) -> bool:
    """Say whether a step is Runner's ram upon the armoured bow, which loses (B22)."""
    foe = board.foe(ship)
    return ship.piece == "runner" and step.to == foe.at and is_head_on(board.options, step.heading, foe.heading)


def fate_of(board: Board, ship: Vessel, step: Step) -> Fate:
    """Judge the entering of a square: harbour, enemy, open sea, in this order (D16)."""
    if ship.piece == "runner" and step.to in board.harbour:
        return "harbour"
    if step.to == board.foe(ship).at:
        return "head-on" if strikes_head_on(board, ship, step) else "ram"
    return "escape" if ship.piece == "runner" and step.to.row == OPEN_SEA else ""


def bar_of(board: Board, piece: Piece, at: Square, to: Square) -> Bar:
    """Say what keeps a ship from a square: edge, land, for Runner a harbour (B8, B11)."""
    found = barred(board.chart, at, to)
    if not found and piece == "runner" and to in board.harbour:
        return "harbour"
    return found


def choose(board: Board, ship: Vessel, planned: Relative | None) -> Choice:
    """Return the step that is made: the planned one, then ``=``, П, Л; a harbour if nothing else is left (2.5.4).

    What is taken instead does not ram head-on while another step is legal; a planned head-on ram is obeyed (D17).
    """
    steps = {relative: step_of(ship.at, ship.heading, relative) for relative in RELATIVES}
    bars = {relative: bar_of(board, ship.piece, ship.at, step.to) for relative, step in steps.items()}
    if planned is not None and not bars[planned]:
        return Choice(steps[planned], "")
    free = [steps[relative] for relative in RELATIVES if not bars[relative]]
    tried = RELATIVES if planned is None else (planned, *RELATIVES)
    harbours = [steps[relative] for relative in tried if bars[relative] == "harbour"]
    safe = [step for step in free if not strikes_head_on(board, ship, step)]
    found = safe or free or harbours
    return Choice(found[0] if found else None, bars[planned] if planned is not None else "")
