"""Which slots the next turn has: the circle, rounds of one or more passes, smoke (J2.1, J8.21, 5.2)."""

from __future__ import annotations

import msgspec

from engine.jackal.board import sides_of
from engine.jackal.state import COLOURS, PIRATES, JackalState, PlanSlot


def living(state: JackalState) -> tuple[int, ...]:
    """Return the colours with a living character, in the order of the circle."""
    sides, _ = sides_of(state.options, state.roster)
    places, owners = state.places, state.owners
    return tuple(
        colour
        for colour in range(4)
        if sides[colour] >= 0
        and (
            max(places[colour * 3 : colour * 3 + 3]) >= 0
            or any(owner == colour and places[PIRATES + n] >= 0 for n, owner in enumerate(owners))
        )
    )


def circle_from(colours: tuple[int, ...], first: int) -> tuple[int, ...]:
    """Return colours in the order of the circle, beginning with the first at or after ``first``."""
    return tuple(sorted(colours, key=lambda colour: (colour - first) % 4))


def smoke_cycle(colours: tuple[int, ...], opener: int) -> tuple[tuple[int, int], ...]:
    """Return the (colour, commander) slots of one grass: each commanded by the colour after it (J8.21, R-37)."""
    circle = circle_from(colours, opener + 1)
    return tuple((colour, circle[(n + 1) % len(circle)]) for n, colour in enumerate(circle))


def plan_turn(state: JackalState) -> JackalState:
    """Return the state with the slots of the turn that now opens."""
    if state.outcome is not None:
        return msgspec.structs.replace(state, plan=())
    alive = living(state)
    smoke = tuple(slot for slot in state.smoke if slot[0] in alive)
    if smoke:
        burning = sum(colour in alive for colour, _ in state.smoke_cycle)
        now = 1 if state.options.mode == "strict" else burning
        plan = tuple(
            PlanSlot(colour=COLOURS[colour], number=1, commander=COLOURS[commander])
            for colour, commander in smoke[:now]
        )
        return msgspec.structs.replace(
            state, plan=plan, smoke=smoke[now:], turn=state.turn + 1, round=state.round + _new_round(state, plan)
        )
    circle = circle_from(alive, state.next)
    if state.options.mode == "strict":
        circle, passes = circle[:1], 1
    else:
        passes = state.options.actions_per_round
    plan = tuple(
        PlanSlot(colour=COLOURS[colour], number=number, commander=COLOURS[colour])
        for number in range(1, passes + 1)
        for colour in circle
    )
    after = (COLOURS.index(plan[-1].colour) + 1) % 4 if plan else state.next
    return msgspec.structs.replace(
        state,
        plan=plan,
        next=after,
        smoke=(),
        smoke_cycle=(),
        turn=state.turn + 1,
        round=state.round + _new_round(state, plan),
    )


def _new_round(state: JackalState, plan: tuple[PlanSlot, ...]) -> bool:
    """Say whether a turn begins a new round: always, but in strict play only where the circle begins anew."""
    if state.options.mode == "round" or not state.plan or not plan:
        return True
    return COLOURS.index(plan[0].colour) <= COLOURS.index(state.plan[0].colour)
