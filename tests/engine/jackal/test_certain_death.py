"""What is certain death is found as a search through every choice finds it (J2.8, J3.4, J3.6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pytest

from engine.core.selfplay import Chance
from engine.jackal.board import Board, thaw
from engine.jackal.commands import Alternative, Load, Step
from engine.jackal.isle import ISLE, Cell
from engine.jackal.notation import read_position
from engine.jackal.options import JackalOptions
from engine.jackal.rules.acting import perform
from engine.jackal.rules.actor import Acting
from engine.jackal.rules.illegal import Illegal
from engine.jackal.rules.run import Run
from engine.jackal.rules.wants import SlotTalk, Wants
from engine.jackal.rules.way import Way
from engine.jackal.state import DEAD, STEPS_A_CELL
from engine.jackal.tiles import CODE, EXITS, KINDS, OPEN

OPTIONS = JackalOptions(mode="strict")
ROSTER = ("white", "yellow", "black", "red")
ARROWS = [code * 4 + turn for code in range(64) for turn in range(4) if EXITS[code * 4 + turn]]
OTHERS = ("horse", "ice", "croc", "cannibal", "fort", "ice", "croc", "cannibal", "empty")
MOST_CHOICES = 400


FORT = KINDS["fort"].code


@dataclass(slots=True)
class Scripted(Wants):
    """Takes the ways a script names, the first ones after its end, and notes how many there were."""

    script: Sequence[int] = ()
    met: list[int] = field(default_factory=list)

    def way(self, run: Run, topic: str, cell: Cell, ways: Sequence[Way]) -> Way:
        place = len(self.met)
        self.met.append(len(ways))
        return ways[self.script[place] if place < len(self.script) else 0]


def boards(number: int) -> Iterator[Board]:
    """Yield small wildernesses of pass tiles with forts held by the enemy and cannibals among them."""
    chance = Chance(b"certain death")
    for _ in range(number):
        board = thaw(read_position("W1 G6, W2 dead, W3 dead", OPTIONS, ROSTER, None))
        for cell in ISLE.land:
            if ISLE.names[cell] == "G6":
                continue
            if chance(2):
                code, turn = divmod(ARROWS[chance(len(ARROWS))], 4)
                board.tiles[cell] = code | turn << 6 | OPEN
            else:
                key = OTHERS[chance(len(OTHERS))]
                board.tiles[cell] = KINDS[key].code | OPEN
                if key == "fort" and board.places[3] == board.ships[1] * STEPS_A_CELL:
                    board.places[3] = cell * STEPS_A_CELL
        yield board


def step(board: Board, cell: str) -> Step:
    return Step(unit="W1", cell=cell, load=Load(item="coin") if board.loads else None)


def outcome(board: Board, cell: str, script: Sequence[int]) -> tuple[bool, list[int]]:
    """Say whether a step ends alive if the choices go by a script, and how many ways there were at each."""
    talk = SlotTalk(0, 1, "white")
    wants = Scripted(Alternative(act=step(board, cell), perish=True), talk, ("white",), script=script)
    branch = board.branch()
    perform(Acting(branch, talk, wants))
    return branch.places[0] != DEAD, wants.met


def can_live(board: Board, cell: str) -> bool | None:
    """Search every course of choices; None where there are too many."""
    to_do: list[tuple[int, ...]] = [()]
    tried = 0
    while to_do:
        script = to_do.pop()
        tried += 1
        if tried > MOST_CHOICES:
            return None
        alive, met = outcome(board, cell, script)
        if alive:
            return True
        for place in range(len(script), len(met)):
            to_do += [(*script, *[0] * (place - len(script)), other) for other in range(1, met[place])]
    return False


def is_legal(board: Board, cell: str) -> bool:
    talk = SlotTalk(0, 1, "white")
    alternative = Alternative(act=step(board, cell))
    try:
        perform(Acting(board.branch(), talk, Wants(alternative, talk, ("white",))))
    except Illegal as why:
        if why.why != "certain-death":
            raise
        return False
    return True


@pytest.mark.parametrize("laden", [False, True])
def test_a_step_is_refused_exactly_when_no_course_of_choices_lives(laden: bool) -> None:
    found = {True: 0, False: 0}
    for board in boards(60):
        if laden:
            board.loads[board.places[0]] = 1
        for cell in ("G5", "H5", "H6", "H7", "G7", "F7", "F6", "F5"):
            if board.tiles[ISLE.cell(cell)] & CODE == FORT:
                continue
            living = can_live(board, cell)
            if living is not None:
                assert is_legal(board, cell) == living, (cell, board.tiles)
                found[living] += 1

    assert found[True] > 200
    assert found[False] > 40
