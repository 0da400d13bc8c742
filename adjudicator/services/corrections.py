"""What was put right since the last report, for the next one: disputes answered, turns resolved again (5, 6)."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from sqlmodel import col, select

from adjudicator.clock import iso
from adjudicator.services import people
from adjudicator.services.work import Work
from adjudicator.storage.tables import Dispute, Game, LogEntry, Turn


def before(work: Work, game: Game, turn: int | None) -> tuple[dict[str, Any], ...]:
    """Return what was put right between the report of a turn and the report before it, oldest first."""
    since = _first_told(work, game, turn - 1) if turn else None
    if turn is None or since is None:
        return ()
    to = _first_told(work, game, turn) or work.now
    return (*replayed(work, game, since, to), *disputes_answered(work, game, since, to))


def _first_told(work: Work, game: Game, number: int) -> datetime | None:
    """Return when a turn was first resolved, whatever its later revisions."""
    query = select(Turn.resolved).where(Turn.game_id == game.id, Turn.number == number, Turn.revision == 0)
    return work.session.exec(query).first()


def replayed(work: Work, game: Game, since: datetime, to: datetime) -> tuple[dict[str, Any], ...]:
    """Return the turns that were resolved again in a span of time, each with who had it done and why."""
    query = select(LogEntry.event).where(LogEntry.game_id == game.id, col(LogEntry.event).like('%"type":"replay"%'))
    found = [json.loads(event) for event in work.session.exec(query.order_by(col(LogEntry.seq)))]
    return tuple(
        {"kind": "replay", "turn": one["turn"], "who": one.get("by", "moderator"), "why": one["reason"]}
        for one in found
        if one["type"] == "replay" and iso(since) < one["at"] <= iso(to)
    )


def disputes_answered(work: Work, game: Game, since: datetime, to: datetime) -> tuple[dict[str, Any], ...]:
    """Return the disputes that were answered in a span of time."""
    query = select(Dispute).where(
        Dispute.game_id == game.id,
        col(Dispute.status).in_(("stands", "rule")),
        col(Dispute.settled) > since,
        col(Dispute.settled) <= to,
    )
    titles = people.seat_titles(work, game)
    upheld = _answered_by_replay(work, game)
    return tuple(
        {
            "kind": f"dispute-{one.status}" if one.id not in upheld else "dispute-replay",
            "turn": one.turn,
            "seat": one.seat,
            "titles": titles[one.seat],
            "text": one.outcome,
        }
        for one in work.session.exec(query.order_by(col(Dispute.settled), col(Dispute.id)))
    )


def _answered_by_replay(work: Work, game: Game) -> list[int | None]:
    """Return the disputes that a correction answered: their row says ``rule``, as of any that was upheld."""
    query = select(LogEntry.event).where(LogEntry.game_id == game.id, col(LogEntry.event).like('%"type":"dispute"%'))
    found = [json.loads(event) for event in work.session.exec(query)]
    told = {(one["turn"], one.get("seat"), one["at"]) for one in found if one.get("state") == "replay"}
    rows = work.session.exec(select(Dispute).where(Dispute.game_id == game.id, Dispute.status == "rule")).all()
    return [one.id for one in rows if one.settled and (one.turn, one.seat, iso(one.settled)) in told]
