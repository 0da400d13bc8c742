"""Reminders: one for each seat, deadline and step, to those who have sent nothing or a draft (play-by-mail 1.6)."""

from __future__ import annotations

from datetime import timedelta

from sqlmodel import col, select

from adjudicator.clock import iso
from adjudicator.letters import Notice
from adjudicator.services import absences, logbook, outbox, overdue, people, positions, turns
from adjudicator.services.work import House, Work
from adjudicator.storage.tables import Game, Turn
from engine.core import codec


def remind_all(house: House) -> int:
    """Queue the reminders that are due now and return how many; a step that was slept through is not made up for."""
    with house.look() as work:
        query = (
            select(Turn.id)
            .join(Game, col(Game.id) == col(Turn.game_id))
            .where(Turn.status == "open", Turn.deadline > work.now, Turn.trouble == "", col(Game.paused).is_(None))
        )
        found = [turn_id for turn_id in work.session.exec(query.order_by(col(Turn.id))) if turn_id is not None]
    count = 0
    for turn_id in found:
        try:
            count += _remind_one(house, turn_id)
        except Exception as trouble:  # noqa: BLE001 - a damaged row or a ruleset that raises must not stop other games
            turns.set_back(house, turn_id, trouble)
    return count


def _remind_one(house: House, turn_id: int) -> int:
    with house.look() as work:
        turn = work.session.exec(select(Turn).where(Turn.id == turn_id)).one()
        game = work.session.exec(select(Game).where(Game.id == turn.game_id)).one()
        step = step_due(work, game, turn)
        if step is None or turn.reminded == _mark(turn, step):
            return 0
    with house.unit("remind") as work:
        game = work.game_by_id(turn.game_id)
        now = positions.current(work, game)
        return _remind(work, game, now) if now is not None and now.status == "open" else 0


def step_due(work: Work, game: Game, turn: Turn) -> int | None:
    """Return the latest reminder step, in seconds before the deadline, whose time has come; None before the first."""
    steps = positions.table(game).header.remind
    reached = [
        step for step in steps if turn.opened < turn.deadline - timedelta(seconds=step) <= work.now < turn.deadline
    ]
    return min(reached, default=None)


def _mark(turn: Turn, step: int) -> str:
    return f"{iso(turn.deadline)}/{step}"


def _remind(work: Work, game: Game, turn: Turn) -> int:
    step = step_due(work, game, turn)
    if step is None or turn.reminded == _mark(turn, step):
        return 0
    now = positions.position(work, game, turn)
    holders = people.by_seat(work, game)
    titles = people.seat_titles(work, game)
    away = absences.played_over(work, game, turn.deadline)
    count = 0
    for seat in now.owing:
        if seat.word not in ("no orders", "draft") or seat.seat not in holders or seat.seat in away:
            continue
        if overdue.closed(work, game, turn, seat.seat, work.now):
            continue
        tenure = holders[seat.seat]
        reader = people.reader_of(work, game, tenure, titles)
        facts = {
            "turn": turn.number,
            "deadline": iso(turn.deadline),
            "now": iso(work.now),
            "word": seat.word,
            "hours": step // 3600,
            "missing": [codec.plain(slot) for slot in seat.owed if slot.key in seat.missing and not slot.optional],
            "template": list(now.table.ruleset.template(now.view(seat.seat), reader.language)),
        }
        notice = Notice(kind="reminder", reader=reader, facts=facts, head=now.table.head, pin=logbook.pin(game))
        key = f"reminder/{game.tag}/{turn.number}/{seat.seat}/{_mark(turn, step)}"
        count += not outbox.is_queued(work, key)
        outbox.queue(
            work,
            key,
            reader.address,
            outbox.Envelope(notice=notice),
            game=game,
            tenure=tenure,
            turn=turn.number,
        )
    turn.reminded = _mark(turn, step)
    work.session.add(turn)
    return count
