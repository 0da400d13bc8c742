"""An open turn is looked at when its time has come: it locks, moves, or is kept open for somebody (play-by-mail 1)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from msgspec.structs import replace
from sqlmodel import col, select

from adjudicator.services import missing, overdue, positions, timing, turns
from adjudicator.services.positions import Position
from adjudicator.services.work import House, Work
from adjudicator.storage.tables import Game, Turn
from engine.core.contract import MODERATOR


def due(work: Work) -> list[int]:
    """Return the open turns to look at now, oldest first."""
    query = select(Turn.id).where(Turn.status == "open", Turn.check <= work.now).order_by(col(Turn.id))
    return [turn_id for turn_id in work.session.exec(query) if turn_id is not None]


def look_after_all(house: House, sources: Sequence[str]) -> int:
    """Lock every open turn whose time has come, or move its deadline; return how many were looked at."""
    with house.look() as work:
        found = due(work)
    for turn_id in found:
        try:
            _look_after_one(house, turn_id, sources)
        except Exception as trouble:  # noqa: BLE001 - a damaged row or a ruleset that raises must not stop other games
            turns.set_back(house, turn_id, trouble)
    return len(found)


def _look_after_one(house: House, turn_id: int, sources: Sequence[str]) -> None:
    with house.unit("lock") as work:
        turn = work.session.exec(select(Turn).where(Turn.id == turn_id)).one()
        game = work.game_by_id(turn.game_id)
        work.session.refresh(turn)
        if turn.status == "open":
            look_after(work, game, turn, sources)
            turn.trouble, turn.attempts = "", 0


def look_after(work: Work, game: Game, turn: Turn, sources: Sequence[str]) -> timing.Verdict:
    """Do what is due with an open turn; return what was decided."""
    now = positions.position(work, game, turn)
    verdict = timing.decide(moment(work, now, sources))
    match verdict:
        case timing.LockNow():
            turns.lock(work, game, turn, verdict.arrived_by, early=verdict.early)
        case timing.MoveDeadline():
            turns.move_deadline(work, game, turn, verdict.deadline, "told-late")
        case timing.GiveGrace():
            missing.give_grace(work, game, turn, verdict)
        case timing.AskModerator():
            missing.ask_moderator(work, game, turn, verdict.seats)
            turn.check = work.now + timing.LOOK_AGAIN
        case timing.NotYet():
            turn.check = verdict.until
            if now.waits_for_moderator and verdict.reason != "paused":
                turn.check = min(turn.check, turns.remind_moderator(work, now))
    work.session.add(turn)
    return verdict


def moment(work: Work, now: Position, sources: Sequence[str]) -> timing.Moment:
    """Return what is known of an open turn, for `timing.decide`."""
    header, turn = now.table.header, now.turn
    found = timing.Moment(
        now=work.now,
        deadline=turn.deadline,
        period=timedelta(seconds=turn.period),
        words={seat.seat: seat.word for seat in now.owing},
        told=turns.told(work, now),
        waits=any(now.seats[seat].folded.wait for seat in now.held),
        last_order=now.last_order,
        early=header.early,
        cool_off=timedelta(seconds=header.cool_off),
        margin=timedelta(seconds=work.config.times.margin),
        good=turns.last_good_poll(work, sources),
        unread=positions.unread_since(work),
        missed=header.missed,
        grace=timedelta(seconds=header.grace),
        frozen=turn.frozen,
        let_go=turn.let_go,
        paused=now.table.game.paused is not None,
        judged=header.moderator == "apart",
    )
    return found if work.now < turn.deadline and turn.frozen is None else _overdue(work, now, found)


def _overdue(work: Work, now: Position, found: timing.Moment) -> timing.Moment:
    """Add what matters once the deadline has passed: who is late, whom the turn is kept open for (1.7, 1.8)."""
    game, turn = now.table.game, now.turn
    late = overdue.late(work, game, turn, turn.deadline)
    if turn.frozen is not None:
        awaited = overdue.late(work, game, turn, turn.frozen)
        if found.missed == "go":  # the grace was given for a held mail, and nobody else is waited for
            awaited = overdue.held_only(work, game, turn, awaited)
        late = tuple(seat for seat in late if seat in awaited)
        found = replace(
            found,
            words={seat: word for seat, word in found.words.items() if seat in awaited},
            told={seat: told for seat, told in found.told.items() if seat in awaited},
            waits=any(now.seats[seat].folded.wait for seat in awaited),
            early="in",
        )
    return replace(
        found,
        late=late,
        silent=tuple(seat for seat in late if now.seats[seat].word == "no orders"),
        held=overdue.held_only(work, game, turn, late) if late and turn.frozen is None else (),
        ruling=now.waits_for_moderator and now.seats[MODERATOR].word not in ("orders in", "ready"),
    )
