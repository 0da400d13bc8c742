"""A turn: what players and moderator said is done in a stated order, then the next stage is open (page 1.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from msgspec.structs import replace

from engine.core.contract import MODERATOR, Answers, AwaitingAnswer, Event, Pause, Resolution, Seat, Sheet
from engine.core.dice import Dice, LoadedDice, UnplannedThrow
from engine.set_sail.commands import AnswerTrade, Choose, CrossOut, Enlist, Say, TakeDamage, TakeHole, Tale
from engine.set_sail.effects import Effect, numbered, write_effect
from engine.set_sail.events import CommandFailed, OptionsChosen, Said
from engine.set_sail.rules import moderator, rolls, scenes, secrets, setup, ship, talks
from engine.set_sail.rules.carrying import aimed, carry, founder, hurt
from engine.set_sail.rules.play import Play
from engine.set_sail.state import Decision, Level, Roll, SetSailState
from engine.set_sail.view import can_act, card_of, is_dead, may_spend, owed, view


def resolve(state: SetSailState, sheets: Mapping[Seat, Sheet], dice: Dice, answers: Answers) -> Resolution | Pause:
    """Resolve the open stage, whichever it is."""
    return _played(state, sheets, dice, answers, whole=True)


def interlude(state: SetSailState, commands: Sheet, dice: Dice, answers: Answers) -> Resolution | Pause:
    """Do the moderator's commands at once: a turn of its own, after which the open stage is open as before."""
    return _played(state, {MODERATOR: commands}, dice, answers, whole=False)


def _played(
    state: SetSailState, sheets: Mapping[Seat, Sheet], dice: Dice, answers: Answers, *, whole: bool
) -> Resolution | Pause:
    play = Play(state, sheets, dice, answers)
    play.follow_up = rolls.open_set_off
    try:
        if whole:
            _STAGES[state.stage](play)
        else:
            _commands(play)
    except AwaitingAnswer as awaited:
        return Pause(questions=awaited.questions, events=tuple(play.events), position=play.state)
    if whole:
        play.set(turn=state.turn + 1, stage=_next_stage(play.state))
    return Resolution(state=play.state, events=tuple(play.events))


def has_window(state: SetSailState) -> bool:
    """Say whether somebody may put luck into a roll whose window is open."""
    return any(
        roll.step == "window" and any(may_spend(state, roll, seat) for seat in state.roster) for roll in state.rolls
    )


def foresee(state: SetSailState, seat: Seat, sheet: Sheet) -> tuple[Event, ...]:
    """Return what a seat's decisions and tale would do by themselves, as far as neither dice nor questions tell."""
    if state.stage != "turn":
        return ()
    play = Play(state, {seat: sheet}, LoadedDice({}), Answers())
    said = {order.slot for order in sheet}
    try:
        _decisions(play, [one for one in state.decisions if one.seat == seat and one.key in said])
        _tales(play)
    except (AwaitingAnswer, UnplannedThrow):
        pass  # what has happened up to there is foreseen
    return tuple(event for event in play.events if event.known_to(seat))


# Stages ---------------------------------------------------------------------------------------------------------------


def _set_up(play: Play) -> None:
    """Fill in every sheet; a seat that said nothing has an average pirate (P1)."""
    for seat in play.state.roster:
        sheet = play.order(seat, Enlist)
        setup.enlist(play, seat, sheet if sheet is not None else Enlist())
    _say(play)
    _commands(play)


def _turn(play: Play) -> None:
    """Do what players said: dice of bids first, then windows, decisions, declarations, tales; commands last.

    Bids come first because their dice must not wait for an answer (fair-play D).
    """
    _say(play)
    open_ = [roll.key for roll in play.state.rolls if roll.step == "window"]
    owed_ = _owed_decisions(play, moderators=False)
    talks.bid(play)
    for key in open_:
        rolls.close_window(play, key)
    talks.settle_ties(play)
    _decisions(play, owed_)
    rolls.declare(play)
    _tales(play)
    _succeed(play)
    _commands(play)


def _ruling(play: Play) -> None:
    """Do what the moderator ruled: dice first, then what comes of the rolls before, his choices and his commands."""
    _say(play)
    pending = [roll.key for roll in play.state.rolls if roll.step == "offer"]
    owed_ = _owed_decisions(play, moderators=True)
    rolls.rule(play)
    rolls.offers(play, pending)
    _decisions(play, owed_)
    _commands(play)


_STAGES = {"set-up": _set_up, "turn": _turn, "ruling": _ruling}


def _commands(play: Play) -> None:
    moderator.commands(play)
    rolls.open_set_off(play)
    talks.settle_ties(play)


def _tales(play: Play) -> None:
    """Tell the tales of a carouse, in roster order (P7)."""
    for seat in play.state.roster:
        told = play.order(seat, Tale)
        if told is not None and can_act(play.state, seat):
            scenes.tale(play, seat, told.text)


def _succeed(play: Play) -> None:
    """Let the players of dead pirates bring new ones, whose sheets they sent: they act from the next turn on (A25)."""
    for seat in play.state.roster:
        sheet = play.order(seat, Enlist)
        if sheet is not None and is_dead(play.state, seat):
            setup.enlist(play, seat, sheet)


def _say(play: Play) -> None:
    """Tell what was said, in roster order, the moderator's story first."""
    for seat in (MODERATOR, *play.state.roster):
        said = play.order(seat, Say)
        if said is not None and said.text:
            about = () if seat == MODERATOR else (seat,)
            play.tell(Said(rule="P49" if seat == MODERATOR else "P2", about=about, seat=seat, text=said.text))


def _next_stage(state: SetSailState) -> str:
    """Return the stage that somebody owes something in: after a turn the ruling, after a ruling the turn."""
    if state.stage == "turn":
        return "ruling" if _owes(state, "ruling") or not _owes(state, "turn") else "turn"
    return "turn" if _owes(state, "turn") else "ruling"


def _owes(state: SetSailState, stage: str) -> bool:
    """Say whether a stage would have anything owed in it, the story apart."""
    slots = owed(view(replace(state, stage=stage), MODERATOR))
    return any(not slot.optional and slot.key != "say" for slot in slots)


# Decisions ------------------------------------------------------------------------------------------------------------


def _owed_decisions(play: Play, *, moderators: bool) -> list[Decision]:
    """Return the decisions owed as the stage opened: the players' in a turn, the moderator's in a ruling."""
    return [one for one in play.state.decisions if (one.seat == MODERATOR) == moderators]


def _decisions(play: Play, owed_: list[Decision]) -> None:
    """Settle what was owed; silence is the default. What arises only now is owed in the next stage."""
    for decision in owed_:
        play.set(decisions=tuple(one for one in play.state.decisions if one.key != decision.key))
        _settle(play, decision)
        rolls.open_set_off(play)
        if decision.roll:
            rolls.finish(play, decision.roll)


def _settle(play: Play, decision: Decision) -> None:
    roll = play.roll(decision.roll) if decision.roll else None
    match decision.kind:
        case "trade":
            answer = play.order(decision.seat, AnswerTrade, decision.key)
            rolls.answer_trade(play, decision.roll, take=answer is not None and answer.take)
        case "damage":
            _settle_damage(play, decision)
        case "hole":
            _settle_hole(play, decision, roll)
        case "stale":
            crossed = play.order(decision.seat, CrossOut, decision.key)
            with play.logged(f"secret:+1:{decision.text}", decision.roll):
                secrets.settle(play, decision, crossed.id if crossed is not None else 0)
        case "number":
            _settle_number(play, decision, roll)
        case "choice" | "revel" | "priority":
            _settle_choice(play, decision, roll)


def _settle_damage(play: Play, decision: Decision) -> None:
    """Luck or wound (P6a); silence takes the wound (A63)."""
    if not play.has_pirate(decision.seat):
        return
    order = play.order(decision.seat, TakeDamage, decision.key)
    bought, place = (order.luck, order.place) if order is not None else (0, 0)
    level = cast("Level", decision.level)
    effect = Effect(kind="damage", n=decision.n, key=level, who=f"@{decision.seat}")
    with play.logged(write_effect(effect), decision.roll):
        hurt(play, decision.seat, decision.n, level, bought=max(0, min(bought, decision.n)), place=place)


def _settle_hole(play: Play, decision: Decision, roll: Roll | None) -> None:
    """Hole or breakdown (P31); silence takes the hole (A63)."""
    order = play.order(decision.seat, TakeHole, decision.key)
    with play.logged(f"hole:{decision.n}", decision.roll):
        ship.take(play, decision.n, order.kind if order is not None else "hole", roll, founder)


def _settle_number(play: Play, decision: Decision, roll: Roll | None) -> None:
    """Carry out an effect whose number the moderator was asked for; by silence it does not come about (A63)."""
    order = play.order(decision.seat, Choose, decision.key)
    if order is None or not order.options:
        return
    try:
        filled = numbered(decision.about, int(order.options[0]))
    except ValueError:
        play.tell(CommandFailed(rule="P49", audience=(MODERATOR,), command=decision.about, why="number-open"))
    else:
        carry(play, filled, roll)


def _settle_choice(play: Play, decision: Decision, roll: Roll | None) -> None:
    """Options of a card, who chooses at a revel, the priority of a voyage; silence chooses nothing (A63)."""
    order = play.order(decision.seat, Choose, decision.key)
    picked = tuple(one for one in (order.options if order is not None else ()) if one in decision.options)
    by = "moderator" if decision.seat == MODERATOR else "player"
    if decision.kind == "priority":
        if picked:
            ship.priority(play, picked[0])
        return
    if roll is None:
        return
    if decision.kind == "revel":
        keeps = picked[:1] == ("player",)
        rolls.revel_chosen(play, roll, by_player=keeps, extra=keeps)
        return
    picked = tuple(dict.fromkeys(picked))[: decision.n]
    card = card_of(play.state, roll.move)
    play.tell(
        OptionsChosen(
            rule="P48" if decision.about == "extra" else "P2",
            audience=play.of_roll(roll),
            roll=roll.key,
            seat=roll.seat,
            options=picked,
            by=by,
            card=card.cited if card is not None else "",
        )
    )
    for option in picked:
        for text in _effects_of(play, roll, option):
            carry(play, aimed(text, roll), roll)


def _effects_of(play: Play, roll: Roll, option: str) -> tuple[str, ...]:
    """Return the effects of an option of the roll's card, or of rigging: ``rigging.option``."""
    owner, _, own = option.rpartition(".")
    card = card_of(play.state, owner or roll.move)
    return next((one.effects for one in card.option if one.id == own), ()) if card is not None else ()
