"""A mail turn of play: steps in strict alternation, fire, the dash that ends it, the limit (2.5.3–2.5.6, B15–B23)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import msgspec

from engine.blockade.board import Vessel, freeze, thaw
from engine.blockade.commands import DASH_STEPS, BlockadeOrder, DashDecision, TurnDecision, TurnOrder
from engine.blockade.events import (
    BowTurned,
    DashBegan,
    DashEnded,
    DecisionAwaited,
    Disabled,
    Fired,
    FireHeld,
    TurnBegan,
)
from engine.blockade.gunnery import POINTS, RESULTS, Result, distance
from engine.blockade.rules.dashing import auto_turn, steered
from engine.blockade.rules.ending import limit_reached, on_points
from engine.blockade.rules.helm import step_of
from engine.blockade.rules.passage import Passage
from engine.blockade.rules.signals import signals
from engine.blockade.state import BlockadeState, Gun, Piece, Policy, other, piece_of
from engine.blockade.waters import Relative, turned
from engine.core.codec import decode, encode
from engine.core.contract import Answers, AwaitingAnswer, Facts, Pause, Question, Resolution, Seat, Sheet
from engine.core.dice import Dice
from engine.core.geometry import RHUMBS


class Play:
    """A mail turn while it is resolved."""

    def __init__(self, state: BlockadeState, sheets: Mapping[Seat, Sheet], dice: Dice, answers: Answers) -> None:
        self.state = state
        self.sheets = sheets
        self.dice = dice
        self.answers = answers
        self.passage = Passage(thaw(state))
        self.board = self.passage.board
        self.events = self.passage.events
        self.strict = state.options.mode == "strict"
        self.impulses = state.options.impulses
        self.signals = {
            ship.piece: signals(sheets.get(ship.seat, ()), ship.piece, self.impulses) for ship in state.ships
        }
        self.first = state.first
        self.dashed = False

    def run(self) -> None:
        """Play the turn to its end. Raises AwaitingAnswer where a seat must decide."""
        if all(ordered.conclude for ordered in self.signals.values()):
            self.passage.finish(on_points(self.board, "agreed"))
            return
        self.events.append(TurnBegan(rule="B6", turn=self.state.turn, first=self.first, alone=self.strict))
        order = (self.first,) if self.strict else (self.first, other(self.first))
        for impulse in range(1, self.impulses + 1):
            for place, piece in enumerate(order):
                self._move(piece, impulse, place)
                if self.passage.outcome or self.dashed:
                    self._count()
                    return
        if self.strict:
            self.first = other(self.first)
        self._count()

    def _count(self) -> None:
        """Read the limit, at the end of the mail turn (B23)."""
        if self.passage.outcome is None and limit_reached(self.board):
            self.passage.finish(on_points(self.board, "limit"))

    def _move(self, piece: Piece, impulse: int, place: int) -> None:
        """Make a ship's move, then fire: who has just moved fires (B15)."""
        self.passage.move(piece, impulse, self.signals[piece].steps[impulse - 1])
        if self.passage.outcome is None:
            ship = self.board.ships[piece]
            guns = self.passage.guns(ship)
            if guns and not self.signals[piece].fire:
                self.events.append(
                    FireHeld(rule="B15", about=(piece,), piece=piece, impulse=impulse, guns=guns),
                )
            elif guns:
                self._fire(ship, impulse, guns, place)

    # Fire -------------------------------------------------------------------------------------------------------------

    def _fire(self, ship: Vessel, impulse: int, guns: tuple[Gun, ...], place: int) -> None:
        """Fire every gun that bears, a die each; all of them before anybody is disabled (B15, B17, B21)."""
        foe = self.board.foe(ship)
        results = [self._shot(ship, foe, impulse, gun) for gun in guns]
        hits = results.count("D4")
        if hits:
            foe.disabled = True
            self.events.append(
                Disabled(
                    rule="B21" if hits > 1 else "B18",
                    about=(foe.piece, ship.piece),
                    piece=foe.piece,
                    by=ship.piece,
                    cell=foe.at.name,
                    times=hits,
                )
            )
            self._turn_bow(foe, ship, impulse)
            self._dash(ship, foe, impulse, place)

    def _shot(self, ship: Vessel, foe: Vessel, impulse: int, gun: Gun) -> Result:
        face = self.dice.die(f"{ship.piece}/o{impulse}/{gun}/0", len(RESULTS))
        result = RESULTS[face - 1]
        ship.points += POINTS[result]
        self.events.append(
            Fired(
                rule="B17",
                about=(ship.piece, foe.piece),
                piece=ship.piece,
                target=foe.piece,
                impulse=impulse,
                gun=gun,
                face=face,
                result=result,
                points=POINTS[result],
                distance=distance(ship.at, foe.at),
            )
        )
        return result

    # Disabled ---------------------------------------------------------------------------------------------------------

    def _turn_bow(self, ship: Vessel, firer: Vessel, impulse: int) -> None:
        """Let a disabled ship change her course once, before the dash and seen from where both lie (B18, D6)."""
        auto = auto_turn(ship, firer.at)
        said = self.signals[ship.piece].turn
        if self.strict:
            said = self._asked_turn(ship, firer, impulse, auto)
        relative: Relative = auto if said == "auto" else "=" if said in ("=", "none") else cast("Relative", said)
        ship.heading = turned(ship.heading, relative)
        self.events.append(
            BowTurned(
                rule="B18",
                about=(ship.piece,),
                piece=ship.piece,
                cell=ship.at.name,
                relative=relative,
                heading=RHUMBS[ship.heading],
            )
        )

    def _dash(self, ship: Vessel, foe: Vessel, impulse: int, place: int) -> None:
        """Move six squares at once; nobody fires; after it the mail turn is over (B19, D12, 2.5.6)."""
        policy = self.signals[ship.piece].dash
        if self.strict:
            policy = self._asked_dash(ship, foe, impulse)
        steps = steered(self.board, ship, policy)
        self.events.append(
            DashBegan(rule="B19", about=(ship.piece, foe.piece), piece=ship.piece, target=foe.piece, cell=ship.at.name)
        )
        made = 0
        while made < DASH_STEPS and self.passage.outcome is None:
            made += 1
            self.passage.step(ship, impulse, steps[made - 1] if made <= len(steps) else None, made)
        self.dashed = True
        if self.passage.outcome is None:
            self.first = foe.piece
            self.events.append(
                DashEnded(
                    rule="B20",
                    about=(ship.piece, foe.piece),
                    piece=ship.piece,
                    cell=ship.at.name,
                    heading=RHUMBS[ship.heading],
                    squares=made,
                    first=foe.piece,
                    void=self._void(impulse, place),
                )
            )

    def _void(self, impulse: int, place: int) -> tuple[int, int]:
        """Return the steps that the first and the second ship had left in this mail turn."""
        if self.strict:
            return 0, 0
        left = self.impulses - impulse
        return left, left + 1 - place

    # Decisions in mid-turn (strict) -----------------------------------------------------------------------------------

    def _asked_turn(self, ship: Vessel, firer: Vessel, impulse: int, auto: Relative) -> str:
        key = f"{ship.piece}/o{impulse}/turn/0"
        said = self._policy(ship.seat)
        meant: Relative = auto if said == "auto" else "=" if said == "none" else cast("Relative", said or "=")
        question = Question(
            key=key,
            seat=ship.seat,
            what="turn",
            choices=(),
            default=encode(TurnDecision(key=key, turn=auto)),
            policy=encode(TurnDecision(key=key, turn=meant)) if said else "",
            facts={
                "piece": ship.piece,
                "cell": ship.at.name,
                "headings": {relative: RHUMBS[turned(ship.heading, relative)] for relative in ("=", "s", "p")},
                "enemy": firer.at.name,
                "auto": auto,
            },
        )
        (word,) = self.answers.take(question)
        found: TurnDecision = decode(word, BlockadeOrder)
        return found.turn

    def _policy(self, seat: Seat) -> str:
        """Return what a seat said of being disabled: in this turn, else with its last plan (2.5)."""
        kept = next((policy.turn for policy in self.state.policies if policy.seat == seat), "")
        return _turn_said(self.sheets.get(seat, ())) or kept

    def _asked_dash(self, ship: Vessel, foe: Vessel, impulse: int) -> str:
        key = f"{ship.piece}/o{impulse}/dash/0"
        said = self.signals[ship.piece].dash
        question = Question(
            key=key,
            seat=ship.seat,
            what="dash",
            choices=(),
            default=encode(DashDecision(key=key, dash="ram")),
            policy=encode(DashDecision(key=key, dash=said)) if self.signals[ship.piece].dash_said else "",
            facts={
                "piece": ship.piece,
                "cell": ship.at.name,
                "heading": RHUMBS[ship.heading],
                "enemy": foe.at.name,
                "enemy_heading": RHUMBS[foe.heading],
                "ways": {policy: "".join(steered(self.board, ship, policy)) for policy in policies(ship.piece)},
                "ends": {policy: self._end_of(ship, policy) for policy in policies(ship.piece)},
            },
        )
        (word,) = self.answers.take(question)
        found: DashDecision = decode(word, BlockadeOrder)
        return found.dash

    def _end_of(self, ship: Vessel, policy: str) -> Facts:
        """Return where a policy's dash ends, and whether that is a ram: words for the question, no rule."""
        at, heading, foe = ship.at, ship.heading, self.board.foe(ship)
        for relative in steered(self.board, ship, policy):
            at, heading = step_of(at, heading, relative)[1:]
        return {"cell": at.name, "heading": RHUMBS[heading], "ram": at == foe.at}

    # Results ----------------------------------------------------------------------------------------------------------

    def position(self) -> BlockadeState:
        """Return the state as things stand in mid-turn."""
        return msgspec.structs.replace(self.state, ships=freeze(self.board))

    def after(self) -> BlockadeState:
        """Return the state after the turn."""
        return msgspec.structs.replace(
            self.position(),
            turn=self.state.turn + 1,
            first=self.first,
            policies=_policies(self.state, self.sheets) if self.strict else (),
            outcome=self.passage.outcome,
        )

    def pause(self, awaiting: AwaitingAnswer) -> Pause:
        """Return what is asked and what has happened so far."""
        waits = [
            DecisionAwaited(rule="2.5", seat=one.seat, piece=_owner(self.state, one.seat), what=one.what)  # type: ignore[arg-type]
            for one in awaiting.questions
        ]
        return Pause(questions=awaiting.questions, events=(*self.events, *waits), position=self.position())


def policies(piece: Piece) -> tuple[str, ...]:
    """Return the dashes that the rules steer for a ship; the Blockader has nowhere to run to (D15)."""
    return ("ram", "run") if piece == "runner" else ("ram",)


def _owner(state: BlockadeState, seat: Seat) -> Piece:
    found = piece_of(state, seat)
    if not found:
        raise ValueError(f"{seat!r} has no ship")
    return found


def _turn_said(sheet: Sheet) -> str:
    """Return what a sheet says of the own turn when disabled, "" if nothing."""
    return next((order.turn for order in sheet if isinstance(order, TurnOrder)), "")


def _policies(state: BlockadeState, sheets: Mapping[Seat, Sheet]) -> tuple[Policy, ...]:
    """Return what each seat's last plan said for the case that it is disabled (2.5)."""
    found = {policy.seat: policy.turn for policy in state.policies}
    mover = next(ship.seat for ship in state.ships if ship.piece == state.first)
    found[mover] = _turn_said(sheets.get(mover, ()))
    return tuple(Policy(seat=seat, turn=found[seat]) for seat in state.roster if found.get(seat))


def resolve(state: BlockadeState, sheets: Mapping[Seat, Sheet], dice: Dice, answers: Answers) -> Resolution | Pause:
    """Resolve a mail turn of play; it pauses where a seat must decide (strict)."""
    play = Play(state, sheets, dice, answers)
    try:
        play.run()
    except AwaitingAnswer as awaiting:
        return play.pause(awaiting)
    return Resolution(state=play.after(), events=tuple(play.events))
