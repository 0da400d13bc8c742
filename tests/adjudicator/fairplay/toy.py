"""«Контрабанда», a game of three turns that has all that a log must carry: a secret, private events, a question, dice.

In turn 0 the first seat hides the cargo in one of three holds, or leaves it to the lot (stream ``cargo``). In turns 1
and 2 every seat searches a hold and throws a die for it; a six asks the seat whether to shout, and shouting throws once
more, from the batch of the answer. After turn 2 the cargo is published; throws and finds are summed up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, cast

from msgspec.structs import replace

from engine.core.contract import (
    Answers,
    AwaitingAnswer,
    Choice,
    Event,
    Facts,
    Info,
    Options,
    Order,
    Outcome,
    Pause,
    Question,
    Resolution,
    Ruleset,
    Seat,
    SeatInfo,
    Secret,
    Sheet,
    State,
)
from engine.core.dice import Dice


class ToyOptions(Options, frozen=True, kw_only=True):
    sides: int = 6
    lucky: bool = False


class ToyState(State, frozen=True, kw_only=True):
    options: ToyOptions
    roster: tuple[Seat, ...]
    turn: int
    tide: int
    cargo: int = 0
    scores: tuple[int, ...] = ()


class Search(Order, frozen=True, kw_only=True):
    hold: int

    @property
    def slot(self) -> str:
        return "search"


class Hide(Order, frozen=True, kw_only=True):
    secret: ClassVar[str | None] = "cargo"

    hold: int

    @property
    def slot(self) -> str:
        return "cargo"


class Tide(Event, frozen=True, kw_only=True):
    face: int


class Hidden(Event, frozen=True, kw_only=True):
    hold: int


class Searched(Event, frozen=True, kw_only=True):
    seat: Seat
    face: int


class Found(Event, frozen=True, kw_only=True):
    hold: int
    cargo: bool


class Shown(Event, frozen=True, kw_only=True):
    hold: int


class Toy:
    @property
    def info(self) -> Info:
        return Info(
            name="toy",
            revision=2,
            titles={"ru": "Контрабанда", "en": "Contraband"},
            seats=(2, 4),
            longest=3,
            options=ToyOptions,
            state=ToyState,
            order=Search | Hide,
            event=Tide | Hidden | Searched | Found | Shown,
            editions={"classic": ToyOptions()},
            streams=("cargo",),
        )

    def seats(self, options: ToyOptions, players: int) -> tuple[SeatInfo, ...]:
        return tuple(SeatInfo(id=f"crew-{number}", side="", titles={}) for number in range(1, players + 1))

    def start(self, options: ToyOptions, seats: Sequence[Seat], dice: Dice, *, data: Facts | None = None) -> Resolution:
        tide = dice.die("tide/x1/main/0", 6)
        state = ToyState(options=options, roster=tuple(seats), turn=0, tide=tide)
        return Resolution(state=state, events=(Tide(rule="T1", face=tide),))

    def phase(self, state: ToyState) -> Literal["turn", "set-up"]:
        return "turn" if state.turn else "set-up"

    def resolve(
        self, state: ToyState, sheets: Mapping[Seat, Sheet], dice: Dice, answers: Answers
    ) -> Resolution | Pause:
        events: list[Event] = []
        try:
            state = (
                self._hide(state, sheets, dice, events)
                if state.turn == 0
                else self._search(state, sheets, dice, answers, events)
            )
        except AwaitingAnswer as awaiting:
            return Pause(questions=awaiting.questions, events=tuple(events), position=state)
        return Resolution(state=state, events=tuple(events))

    def _hide(self, state: ToyState, sheets: Mapping[Seat, Sheet], dice: Dice, events: list[Event]) -> ToyState:
        hider = state.roster[0]
        chosen = [order.hold for order in sheets[hider] if isinstance(order, Hide)]
        hold = chosen[0] or dice.die("cargo/x1/main/0", 3, "cargo")
        events.append(Hidden(rule="T2", hold=hold, audience=(hider,)))
        return replace(state, turn=1, cargo=hold)

    def _search(
        self, state: ToyState, sheets: Mapping[Seat, Sheet], dice: Dice, answers: Answers, events: list[Event]
    ) -> ToyState:
        scores = []
        for number, seat in enumerate(state.roster):
            hold = next(order.hold for order in sheets[seat] if isinstance(order, Search))
            face = dice.die(f"{seat}/o1/main/0", state.options.sides)
            events.append(Found(rule="T3", hold=hold, cargo=hold == state.cargo, audience=(seat,)))
            if face == 6:
                face += self._shout(seat, dice, answers)
            events.append(Searched(rule="T3", seat=seat, face=face))
            prize = 7 if hold == state.cargo else int(state.options.lucky)
            scores.append(face + prize + (state.scores[number] if state.scores else 0))
        if state.turn == 2:
            events.append(Shown(rule="T4", hold=state.cargo))
        return replace(state, turn=state.turn + 1, scores=tuple(scores))

    def _shout(self, seat: Seat, dice: Dice, answers: Answers) -> int:
        choices = (Choice(word="yes"), Choice(word="no"))
        question = Question(key=f"{seat}/o1/shout/0", seat=seat, what="shout", choices=choices, default="no")
        return dice.die(f"{seat}/o1/shout/0", 6) if answers.take(question) == ("yes",) else 0

    def outcome(self, state: ToyState) -> Outcome | None:
        if state.turn < 3:
            return None
        best = max(state.scores)
        winners = (seat for seat, score in zip(state.roster, state.scores, strict=True) if score == best)
        return Outcome(reason="score", rule="T4", winners=tuple(winners))

    def secrets(self, state: ToyState) -> tuple[Secret, ...]:
        return (Secret(name="cargo", audience=state.roster[:1], open=state.turn == 3),)

    def seal(self, state: ToyState, seat: Seat, sheet: Sheet) -> dict[str, dict[str, Any]]:
        hidden = [order for order in sheet if isinstance(order, Hide)]
        return {"cargo": {"hold": hidden[-1].hold}} if hidden else {}

    def unseal(self, state: ToyState, name: str, sealed: Mapping[str, Any]) -> tuple[Seat, Sheet]:
        return state.roster[0], (Hide(hold=sealed["hold"]),)


TOY = cast("Ruleset", Toy())
"""It has all of the contract that the log needs, and no more."""
