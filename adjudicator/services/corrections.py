"""What was put right since the last report, for the next one: disputes answered (play-by-mail 5, 6)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlmodel import col, select

from adjudicator.services import people, positions
from adjudicator.services.work import Work
from adjudicator.storage.tables import Dispute, Game


def before(work: Work, game: Game, turn: int | None) -> tuple[dict[str, Any], ...]:
    """Return what was put right between the report of a turn and the report before it, oldest first."""
    last = positions.turn(work, game, turn - 1) if turn else None
    if turn is None or last is None or last.resolved is None:
        return ()
    this = positions.turn(work, game, turn)
    return disputes_answered(work, game, last.resolved, (this.resolved if this else None) or work.now)


def disputes_answered(work: Work, game: Game, since: datetime, to: datetime) -> tuple[dict[str, Any], ...]:
    """Return the disputes that were answered in a span of time."""
    query = select(Dispute).where(
        Dispute.game_id == game.id,
        col(Dispute.status).in_(("stands", "rule")),
        col(Dispute.settled) > since,
        col(Dispute.settled) <= to,
    )
    titles = people.seat_titles(work, game)
    return tuple(
        {
            "kind": f"dispute-{one.status}",
            "turn": one.turn,
            "seat": one.seat,
            "titles": titles[one.seat],
            "text": one.outcome,
        }
        for one in work.session.exec(query.order_by(col(Dispute.settled), col(Dispute.id)))
    )
