"""A ship on her way: a step made, what it leads to, and the events that tell of it (B6–B11, B19, B20, B22)."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.blockade.board import Board, Vessel
from engine.blockade.events import (
    Escaped,
    ForcedHome,
    GameEnded,
    Rammed,
    RanAground,
    StepChanged,
    Stepped,
)
from engine.blockade.gunnery import guns_bearing
from engine.blockade.rules.ending import RULES, outcome
from engine.blockade.rules.helm import Step, barred, choose, fate_of, step_of
from engine.blockade.state import Gun, Piece, other
from engine.blockade.waters import Relative
from engine.core.contract import Event, Outcome
from engine.core.geometry import RHUMBS


@dataclass(slots=True)
class Passage:
    """A board on which ships move, what has happened, and how the game ended, if it did."""

    board: Board
    events: list[Event] = field(default_factory=list)
    outcome: Outcome | None = None

    def move(self, piece: Piece, impulse: int, planned: Relative) -> None:
        """Make a ship's move: the planned step or what falls back on it; the forced square of a disabled ship."""
        ship = self.board.ships[piece]
        ship.moves += 1
        if ship.disabled:
            self._recover(ship, impulse, planned)
        else:
            self.step(ship, impulse, planned)

    def step(self, ship: Vessel, impulse: int, planned: Relative | None, dash: int = 0) -> None:
        """Make a step; ``dash`` is its number in a dash, in which no planned step is left if ``planned`` is None."""
        found = choose(self.board, ship, planned)
        if found.step is None:
            self._aground(ship)
            return
        if planned is not None and found.step.relative != planned:
            self._changed(ship, impulse, planned, found.step.relative, found.bar, dash)
        self._enter(ship, impulse, found.step, dash=dash)

    def guns(self, ship: Vessel) -> tuple[Gun, ...]:
        """Return the guns that a ship can fire from where she is (B12–B16)."""
        board = self.board
        return guns_bearing(board.chart, board.options.range, ship.piece, ship.at, ship.heading, board.foe(ship).at)

    def _recover(self, ship: Vessel, impulse: int, planned: Relative) -> None:
        """Make the forced square of a ship that was disabled: straight ahead, whatever lies there (B20)."""
        ship.disabled = False
        step = step_of(ship.at, ship.heading, "=")
        if planned != "=":
            self._changed(ship, impulse, planned, "=", "disabled", 0)
        if barred(self.board.chart, ship.at, step.to):
            self._aground(ship, forced=True)
        else:
            self._enter(ship, impulse, step, forced=True)

    def _enter(self, ship: Vessel, impulse: int, step: Step, *, forced: bool = False, dash: int = 0) -> None:
        start, fate = ship.at, fate_of(self.board, ship, step)
        ship.at, ship.heading = step.to, step.heading
        self.events.append(
            Stepped(
                rule="B19" if dash else "B20" if forced else "B6",
                about=(ship.piece,),
                piece=ship.piece,
                impulse=impulse,
                start=start.name,
                cell=step.to.name,
                heading=RHUMBS[step.heading],
                relative=step.relative,
                forced=forced,
                dash=dash,
            )
        )
        if fate == "harbour":
            self.events.append(ForcedHome(rule="B11", about=(ship.piece,), piece=ship.piece, cell=step.to.name))
            self.end("harbour", other(ship.piece))
        elif fate == "escape":
            self.events.append(Escaped(rule="B10", about=(ship.piece,), piece=ship.piece, cell=step.to.name))
            self.end("escape", ship.piece)
        elif fate:
            self._ram(ship, head_on=fate == "head-on")

    def _ram(self, ship: Vessel, *, head_on: bool) -> None:
        foe = other(ship.piece)
        self.events.append(
            Rammed(
                rule="B22",
                about=(ship.piece, foe),
                piece=ship.piece,
                target=foe,
                cell=ship.at.name,
                head_on=head_on,
            )
        )
        self.end("head-on" if head_on else "ram", foe if head_on else ship.piece)

    def _aground(self, ship: Vessel, *, forced: bool = False) -> None:
        self.events.append(
            RanAground(
                rule="B20" if forced else "B9",
                about=(ship.piece,),
                piece=ship.piece,
                cell=ship.at.name,
                heading=RHUMBS[ship.heading],
                forced=forced,
            )
        )
        self.end("ashore", other(ship.piece))

    def _changed(self, ship: Vessel, impulse: int, planned: Relative, taken: Relative, why: str, dash: int) -> None:
        self.events.append(
            StepChanged(
                rule="B20" if why == "disabled" else "B11" if why == "harbour" else "B8",
                audience=(ship.seat,),
                about=(ship.piece,),
                piece=ship.piece,
                impulse=impulse,
                planned=planned,
                taken=taken,
                why=why,  # type: ignore[arg-type]
                dash=dash,
            )
        )

    def end(self, reason: str, winner: Piece, how: str = "") -> None:
        """End the game."""
        self.finish(outcome(self.board, reason, winner, how))

    def finish(self, found: Outcome) -> None:
        """End the game with an outcome."""
        self.outcome = found
        ships = self.board.ships
        points = (ships["runner"].points, ships["blockader"].points)
        winner: Piece = "runner" if found.sides == ("runner",) else "blockader"
        self.events.append(GameEnded(rule=RULES[found.reason], reason=found.reason, winner=winner, points=points))
