"""A turn: its slots in order, alternatives, defaults, grass, repetition, the end (5.2, J2, J8.21, J11, R-28)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from engine.core.contract import (
    EVERYONE,
    Answers,
    AwaitingAnswer,
    Event,
    Outcome,
    Pause,
    Resolution,
    Seat,
    Sheet,
)
from engine.core.dice import Dice
from engine.jackal.board import Board, freeze, thaw
from engine.jackal.commands import (
    UNLIMITED,
    AllyRumOrder,
    Alternative,
    ConcludeOrder,
    PolicyOrder,
    SlotOrder,
)
from engine.jackal.events import (
    AlternativeFailed,
    DecisionAwaited,
    GameEnded,
    GrassBurns,
    OathSworn,
    SlotSkipped,
    TurnBegan,
    TurnCut,
)
from engine.jackal.rules.acting import perform
from engine.jackal.rules.actor import Acting
from engine.jackal.rules.defaults import default_acts, harmless
from engine.jackal.rules.effects import release_locked
from engine.jackal.rules.ending import ended, outcome
from engine.jackal.rules.illegal import Illegal
from engine.jackal.rules.moves import legal_acts, sober_up, wake
from engine.jackal.rules.planning import plan_turn, smoke_cycle
from engine.jackal.rules.repetition import clears, refuse_repetition
from engine.jackal.rules.wants import SlotTalk, Wants
from engine.jackal.state import COLOURS, AllyRum, JackalState, PlanSlot

OATHS: Final = 26
"""How many oaths the page's list has (R-19); templates hold the words."""
_DEFAULT: Final = (Alternative(),)


class Turn:
    """A turn being resolved."""

    def __init__(self, state: JackalState, sheets: Mapping[Seat, Sheet], dice: Dice, answers: Answers) -> None:
        self.state = state
        self.sheets = sheets
        self.dice = dice
        self.answers = answers
        self.board = thaw(state)
        self.quiet = state.quiet
        self.skipped = state.skipped
        self.seen = list(state.seen)
        self.smoke = state.smoke
        self.cycle = state.smoke_cycle
        self.next = state.next
        self.burning = any(slot.colour != slot.commander for slot in state.plan)
        self.ally_rum = _ally_rum(state, sheets)
        self.outcome: Outcome | None = None
        self.talk: SlotTalk | None = None
        self.mark = 0

    @property
    def events(self) -> list[Event]:
        """All that has happened in this turn."""
        return self.board.events

    # Slots

    def play(self) -> None:
        """Play the slots in order until the turn is cut or the game ends."""
        slots = tuple(slot.key for slot in self.state.plan)
        self.events.append(TurnBegan(rule="J2.1", round=self.state.round, slots=slots, smoke=self.burning))
        if self._all_conclude():
            self._end(outcome(self.board, "agreed", "J11.4"))
            return
        for place, slot in enumerate(self.state.plan):
            grass = self._slot(slot)
            found = ended(self.board, self.quiet, self.skipped)
            if found is not None:
                self._end(found)
                return
            if grass and self._burn(grass, slot, self.state.plan[place + 1 :]):
                return

    def _slot(self, slot: PlanSlot) -> int:
        """Play one slot; return how many grasses were set alight."""
        board = self.board
        colour = COLOURS.index(slot.colour)
        if not board.crew(colour):
            rule = "R37" if self.burning else "J2.3"
            self.events.append(SlotSkipped(rule=rule, colour=slot.colour, number=slot.number, reason="dead"))
            return 0
        wake(board, colour)
        seat = board.seat_of(COLOURS.index(slot.commander))
        self.talk = SlotTalk(colour, slot.number, seat)
        branch = self._carried_out(slot, seat, self.talk) or self._default(colour, self.talk)
        if branch is None:
            self._skip(slot, colour)
            sober_up(board)
            return 0
        self._adopt(branch, colour)
        return branch.grass

    def _carried_out(self, slot: PlanSlot, seat: Seat, talk: SlotTalk) -> Board | None:
        """Return the board after the first alternative that is legal now, None if there is none (5.2)."""
        sheet = self.sheets.get(seat, ())
        order = next((one for one in sheet if isinstance(one, SlotOrder) and one.slot == slot.key), None)
        policy = next((one for one in sheet if isinstance(one, PolicyOrder)), None) if not self.burning else None
        for place, alternative in enumerate(order.alternatives if order is not None else _DEFAULT, 1):
            if alternative.act is None:
                return None
            wants = Wants(alternative, talk, self._audience(seat), policy, self.answers)
            try:
                return self._tried(talk, wants)
            except Illegal as why:
                self.events.append(
                    AlternativeFailed(
                        rule=why.rule,
                        audience=(seat,),
                        colour=slot.colour,
                        number=slot.number,
                        place=place,
                        why=why.why,
                        cell=why.cell,
                    )
                )
        return None

    def _tried(self, talk: SlotTalk, wants: Wants, *, defaulted: bool = False) -> Board:
        """Return the board after an alternative. Raises Illegal."""
        branch = self.board.branch()
        acting = Acting(
            branch,
            talk,
            wants,
            smoke=self.burning,
            ally_rum=dict(self.ally_rum),
            defaulted=defaulted,
        )
        perform(acting)
        self.mark = refuse_repetition(self.seen, branch, talk.colour)
        self.ally_rum = acting.ally_rum
        return branch

    def _default(self, colour: int, talk: SlotTalk) -> Board | None:
        """Return the board after «по умолчанию», None where nothing harmless is legal (5.2)."""
        for what in default_acts(self.board, colour):
            wants = Wants(Alternative(act=what), talk, (talk.seat,))
            try:
                branch = self._tried(talk, wants, defaulted=True)
            except Illegal:
                continue
            if harmless(self.board, branch, what):
                return branch
        return None

    def _skip(self, slot: PlanSlot, colour: int) -> None:
        """Let a slot pass: nothing legal (R-03), or nothing ordered and nothing harmless to do (5.2)."""
        able = next(legal_acts(self.board, colour, self.seen, smoke=self.burning), None) is not None
        self.skipped = 0 if able else self.skipped + 1
        self.quiet += 1
        self.events.append(
            SlotSkipped(
                rule="5.2" if able else "R03",
                colour=slot.colour,
                number=slot.number,
                reason="no-order" if able else "nothing-legal",
            )
        )

    def _adopt(self, branch: Board, colour: int) -> None:
        """Make a branch the position, count it, and say which oaths were uttered."""
        told = self.board.events
        told += self._sworn(branch.events, colour)
        branch.events = told
        if branch.options.cave_blocked == "locked":
            release_locked(branch)
        sober_up(branch)
        self.board = branch
        self.skipped = 0
        if branch.opened or branch.scored:
            self.quiet = 0
        else:
            self.quiet += 1
        if clears(branch):
            self.seen.clear()
        self.seen.append(self.mark or branch.digest(colour))

    def _sworn(self, events: list[Event], colour: int) -> list[Event]:
        """Fill in the oaths the engine utters, each drawn at its address (R-19)."""
        k = 0
        for place, event in enumerate(events):
            if isinstance(event, OathSworn) and not event.words and self.talk is not None:
                address = f"{COLOURS[colour]}/o{self.talk.number}/oath/{k}"
                events[place] = msgspec.structs.replace(event, oath=self.dice.die(address, OATHS))
                k += 1
        return events

    # Grass, the end

    def _burn(self, grass: int, slot: PlanSlot, rest: tuple[PlanSlot, ...]) -> bool:
        """Set slots on fire; say whether the turn is cut here (J8.21, 5.2). One colour alone commands itself."""
        living = self.board.living()
        if len(living) == 1:
            return False
        opener = COLOURS.index(slot.colour)
        first = not self.burning and not self.cycle
        if first:
            self.next = (opener + 1) % 4
        # A second grass keeps the shift, over the colours now alive: the dead do not command.
        self.cycle = smoke_cycle(living, (self.next - 1) % 4)
        self.smoke += self.cycle * grass
        self.events.append(
            GrassBurns(
                rule="J8.21",
                colours=tuple(COLOURS[colour] for colour, _ in self.cycle * grass),
                commanders=tuple(COLOURS[commander] for _, commander in self.cycle * grass),
            )
        )
        if first and rest:
            self.events.append(TurnCut(rule="5.2", lapsed=tuple(one.key for one in rest)))
        return first

    def _all_conclude(self) -> bool:
        """Say whether every seat says «завершаем» (J11.4)."""
        return all(
            any(isinstance(order, ConcludeOrder) and order.agreed for order in self.sheets.get(seat, ()))
            for seat in self.state.roster
        )

    def _end(self, found: Outcome) -> None:
        self.outcome = found
        self.events.append(GameEnded(rule=found.rule, reason=found.reason, gold=tuple(self.board.gold)))

    def _audience(self, seat: Seat) -> tuple[Seat, ...]:
        """Return who sees what a seat peeks: itself, its partner too under ``share_peeks`` (5.5)."""
        return self.board.partners(seat) if self.state.options.share_peeks == "yes" else (seat,)

    # Results

    def after(self) -> JackalState:
        """Return the state with the next turn planned."""
        state = freeze(self.board, self.state)
        played = msgspec.structs.replace(
            state,
            quiet=self.quiet,
            skipped=self.skipped,
            seen=tuple(self.seen),
            smoke=self.smoke,
            smoke_cycle=self.cycle,
            next=self.next,
            ally_rum=_kept(self.state, self.sheets, self.ally_rum),
            outcome=self.outcome,
        )
        return plan_turn(played)

    def pause(self, awaiting: AwaitingAnswer) -> Pause:
        """Return the questions and what has happened so far, for views only (5.4)."""
        position = self.talk.position if self.talk is not None and self.talk.position is not None else self.board
        seats = tuple(dict.fromkeys(question.seat for question in awaiting.questions))
        waits = [DecisionAwaited(rule="5.4", seat=seat, audience=EVERYONE) for seat in seats]
        so_far = [*self.events, *(position.events if position is not self.board else ()), *waits]
        return Pause(questions=awaiting.questions, events=tuple(so_far), position=freeze(position, self.state))


def _ally_rum(state: JackalState, sheets: Mapping[Seat, Sheet]) -> dict[Seat, int]:
    """Return how many bottles each seat's allies may use: what is left of what it said last (J9.16)."""
    found = {entry.seat: entry.left for entry in state.ally_rum}
    said = {entry.seat: entry.said for entry in state.ally_rum}
    for seat in state.roster:
        for order in sheets.get(seat, ()):
            if isinstance(order, AllyRumOrder) and said.get(seat) != order.bottles:
                found[seat] = order.bottles
    return found


def _kept(state: JackalState, sheets: Mapping[Seat, Sheet], left: Mapping[Seat, int]) -> tuple[AllyRum, ...]:
    said = {entry.seat: entry.said for entry in state.ally_rum}
    for seat in state.roster:
        for order in sheets.get(seat, ()):
            if isinstance(order, AllyRumOrder):
                said[seat] = order.bottles
    return tuple(
        AllyRum(seat=seat, said=said[seat], left=UNLIMITED if said[seat] == UNLIMITED else left.get(seat, 0))
        for seat in state.roster
        if seat in said
    )


def resolve(state: JackalState, sheets: Mapping[Seat, Sheet], dice: Dice, answers: Answers) -> Resolution | Pause:
    """Resolve a turn; it pauses where a seat must decide (5.4)."""
    turn = Turn(state, sheets, dice, answers)
    try:
        turn.play()
    except AwaitingAnswer as awaiting:
        return turn.pause(awaiting)
    return Resolution(state=turn.after(), events=tuple(turn.events))
