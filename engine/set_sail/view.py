"""What each viewer knows of a campaign, what he owes, and the state table.

The crew sits at one table: sheets, ship, code, plans and open rolls are known to every seat. Private to a seat is what
its pirate learnt about others, a hidden declaration, and what it is asked about one; private to the moderator are
closed clocks and a sealed bid. The public knows neither what the crew's secrets say nor the texts of private cards.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace

from engine.core.contract import MODERATOR, PUBLIC, Question, Seat, Slot
from engine.set_sail.cards import ACCEPTS, BandText, Card
from engine.set_sail.state import Decision, Pirate, Roll, SetSailState, SetSailView, Talk

COLUMNS: Final = ("seat", "name", "status", "der", "izv", "dal", "rep", "luck", "wounds", "purse")
MOST_DECLARED: Final = 9
"""Declarations of one seat in one batch that have a slot."""


def view(state: SetSailState, seat: Seat, questions: tuple[Question, ...] = ()) -> SetSailView:
    """Return what a viewer may know. Raises ValueError for a seat that is not of this game."""
    if seat not in state.roster and seat not in {MODERATOR, PUBLIC}:
        raise ValueError(f"{seat!r} has no place in this game: {state.roster!r}")
    crew = seat != PUBLIC
    shown = state if seat == MODERATOR else _shown(state, seat)
    return SetSailView(seat=seat, crew=crew, state=shown, secret_count=len(state.ship.secrets), questions=questions)


def _shown(state: SetSailState, seat: Seat) -> SetSailState:
    """Return the state without what a player, or the public, may not know."""
    hidden = tuple(roll.key for roll in state.rolls if roll.hidden and roll.seat != seat)
    public = seat == PUBLIC
    return replace(
        state,
        pirates=tuple(one if one.seat == seat else replace(one, knows=(), learnt=0) for one in state.pirates),
        ship=replace(state.ship, secrets=()) if public else state.ship,
        factions=tuple(replace(one, secrets=()) for one in state.factions) if public else state.factions,
        clocks=tuple(clock for clock in state.clocks if clock.open),
        talks=tuple(_talk_shown(talk, seat, state) for talk in state.talks),
        plans=tuple(replace(plan, goal="") for plan in state.plans) if public else state.plans,
        rolls=tuple(_roll_shown(roll, public=public) for roll in state.rolls if roll.key not in hidden),
        decisions=tuple(
            _decision_shown(one, public=public)
            for one in state.decisions
            if (one.roll not in hidden or one.seat == seat) and one.kind != "number"
        ),
        cards=tuple(_card_shown(card) for card in state.cards) if public else state.cards,
        aid=tuple(one for one in state.aid if one.seat == seat),
        used=tuple(one for one in state.used if one.startswith(f"{seat}/")),
        secrets_found=0 if public else state.secrets_found,
        commands=0,
    )


def _talk_shown(talk: Talk, seat: Seat, state: SetSailState) -> Talk:
    """Return a talk without what is sealed, and without the marks on secrets that are not the viewer's.

    Of talks with the moderator's character they are of the ship's sheet, and the crew's; of talks between pirates they
    say what each has learnt about the other.
    """
    crew = talk.b not in state.roster and seat != PUBLIC
    return replace(
        talk,
        sealed="",
        sealed_secret="",
        sealed_chance=False,
        suitable_a=talk.suitable_a if crew or seat == talk.a else (),
        suitable_b=talk.suitable_b if seat == talk.b else (),
    )


def _roll_shown(roll: Roll, *, public: bool) -> Roll:
    """Return a roll without effects the moderator has still to rule; for the public without a scheme's aim."""
    shown = replace(roll, proposal=())
    return replace(shown, goal="", secrets=()) if public else shown


def _decision_shown(decision: Decision, *, public: bool) -> Decision:
    """Return a decision as the public may see it: not which secret was learnt, nor about whom."""
    if not public:
        return decision
    return replace(decision, text="", about="" if decision.kind == "stale" else decision.about)


def _card_shown(card: Card) -> Card:
    """Return a card without its private texts."""
    if not card.private:
        return card
    empty = BandText()
    return replace(
        card, trigger="", option=(), full=empty, partial=empty, miss=empty, always=empty, aliases=(), status="stub"
    )


# What is owed ---------------------------------------------------------------------------------------------------------


def owed(view: SetSailView) -> tuple[Slot, ...]:
    """Return the slots the viewer may know to be owed (page 1.6): one's own, from the moderator's view all.

    Nobody's absence ends a campaign: where no pirate can act, the moderator owes the story.
    """
    state = view.state
    seats = state.roster if view.seat in (MODERATOR, PUBLIC) else (view.seat,)
    found: list[Slot] = []
    match state.stage:
        case "set-up":
            found += [Slot(seat=seat, key="sheet", what="sheet") for seat in seats]
        case "turn":
            for seat in seats:
                found += _owed_by(view, seat)
        case "ruling":
            found += _rulings(view)
    found += _extras(view, seats)
    return tuple(found)


def _owed_by(view: SetSailView, seat: Seat) -> list[Slot]:
    """Return what a player owes in a turn: a declaration, windows, decisions, a bid."""
    state = view.state
    slots = []
    if is_dead(state, seat):
        slots.append(Slot(seat=seat, key="sheet", what="sheet", optional=True))
    if can_act(state, seat):
        slots += [
            Slot(seat=seat, key=f"o{number}", what="declaration", piece=seat, optional=place > 0)
            for place, number in enumerate(numbers(state, seat))
        ]
        slots.append(Slot(seat=seat, key="join", what="join", optional=True))
    if state.carouse and state.options.hb_tale == "on" and not state.tale_told and can_act(state, seat):
        slots.append(Slot(seat=seat, key="tale", what="tale", optional=True))
    slots += [
        Slot(seat=seat, key=f"{roll.key}/window", what="window", facts={"roll": roll.key, "own": roll.seat == seat})
        for roll in state.rolls
        if roll.step == "window" and may_spend(state, roll, seat)
    ]
    slots += [
        Slot(seat=seat, key=one.key, what=one.kind, facts={"roll": one.roll})
        for one in state.decisions
        if one.seat == seat
    ]
    slots += [
        Slot(seat=seat, key=f"n{talk.number}/bid", what="bid", facts={"talk": talk.number, "round": talk.round})
        for talk in state.talks
        if not talk.tie and seat in (talk.a, talk.b)
    ]
    return slots


def _rulings(view: SetSailView) -> list[Slot]:
    """Return what the moderator owes: rulings, offers, his choices; the story where nothing else is to be done."""
    if view.seat not in (MODERATOR, PUBLIC):
        return []
    state = view.state
    slots = [
        Slot(seat=MODERATOR, key=f"{roll.key}/{what}", what=what, facts={"roll": roll.key})
        for roll in state.rolls
        for step, what in (("declared", "ruling"), ("offer", "offer"))
        if roll.step == step
    ]
    slots += [
        Slot(seat=MODERATOR, key=one.key, what=one.kind, facts={"roll": one.roll})
        for one in state.decisions
        if one.seat == MODERATOR
    ]
    return [*slots, Slot(seat=MODERATOR, key="say", what="story", optional=bool(slots))]


def _extras(view: SetSailView, seats: tuple[Seat, ...]) -> list[Slot]:
    """Return slots that may be filled and are never waited for: prose, standing words, the moderator's commands."""
    slots = []
    for seat in seats:
        slots += [
            Slot(seat=seat, key=key, what=key, optional=True)
            for key in (
                "say",
                "standing-luck",
                "standing-damage",
                "standing-breakdown",
                "standing-bids",
                "standing-yield",
                "standing-stale",
                "standing-trade",
            )
        ]
    if view.seat == MODERATOR:
        slots += [
            Slot(seat=MODERATOR, key=key, what=what, optional=True)
            for key, what in (("c1", "command"), ("standing-offer", "standing-offer"))
        ]
    return slots


# Words about a state --------------------------------------------------------------------------------------------------


def pirate_of(state: SetSailState, seat: Seat) -> Pirate:
    """Return the pirate of a seat. Raises LookupError."""
    for pirate in state.pirates:
        if pirate.seat == seat:
            return pirate
    raise LookupError(f"{seat!r} has no pirate")


def can_act(state: SetSailState, seat: Seat) -> bool:
    """Say whether a seat's pirate is in the scene (page 1.6: one out of scene or dead owes nothing)."""
    return any(pirate.seat == seat and pirate.status == "active" for pirate in state.pirates)


def is_dead(state: SetSailState, seat: Seat) -> bool:
    """Say whether a seat's pirate is dead: its player may send the sheet of another (A25)."""
    return any(pirate.seat == seat and pirate.status == "dead" for pirate in state.pirates)


def roll_of(state: SetSailState, key: str) -> Roll | None:
    """Return a pending roll by its key."""
    return next((roll for roll in state.rolls if roll.key == key), None)


def numbers(state: SetSailState, seat: Seat) -> tuple[int, ...]:
    """Return the numbers of a seat's declarations in this batch, the first, the second …: those that none pending has.

    So no two pending rolls share a key, and a number rests on the open position alone (fair-play 3.5).
    """
    taken = {int(roll.key.split("/")[1][1:]) for roll in state.rolls if roll.key.startswith(f"{seat}/o")}
    return tuple([number for number in range(1, MOST_DECLARED + len(taken) + 1) if number not in taken])[:MOST_DECLARED]


def may_spend(state: SetSailState, roll: Roll, seat: Seat) -> bool:
    """Say whether a seat's luck could go into a roll: its own, or a crewmate's, and there is any (P6, A4, A23)."""
    return seat in who_may_spend(state, roll)


def who_may_spend(state: SetSailState, roll: Roll) -> tuple[Seat, ...]:
    """Return the seats whose luck could go into a roll, in roster order."""
    card = card_of(state, roll.move) if roll.move else None
    accepts = card.accepts if card is not None else ACCEPTS
    own = roll.own == 0 and "own_luck" in accepts
    others = "help" in accepts or (state.options.allow_hinder != "no" and "hinder" in accepts)
    others = others and not roll.hidden
    given = [aid.seat for aid in roll.aids]
    return tuple(
        [
            one.seat
            for one in state.pirates
            if one.luck > 0
            and one.status == "active"
            and (own if one.seat == roll.seat else others and one.seat not in given)
            and one.seat not in roll.veto
        ]
    )


def card_of(state: SetSailState, move: str) -> Card | None:
    """Return a card by its id; built-in moves have none."""
    return next((card for card in state.cards if card.id == move), None)


def audience_of(roll: Roll | None) -> tuple[Seat, ...]:
    """Return who may know of a roll: everybody, or of a hidden one the seat alone."""
    return (roll.seat,) if roll is not None and roll.hidden else ("*",)


def the_crew(state: SetSailState) -> tuple[Seat, ...]:
    """Return the seats that know what the crew knows."""
    return state.roster


def table(view: SetSailView) -> tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]]:
    """Return the state table: `COLUMNS` and a row for every pirate."""
    return COLUMNS, tuple(
        (
            one.seat,
            one.name,
            one.status,
            one.der,
            one.izv,
            one.dal,
            one.rep,
            one.luck,
            tuple(wound.level for wound in one.wounds),
            one.purse,
        )
        for one in view.state.pirates
    )
