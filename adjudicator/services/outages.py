"""Time that does not count: an outage of ours, or a clock that jumped, costs nobody his turn (play-by-mail 1.3)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from sqlalchemy import update
from sqlmodel import col, select

from adjudicator.clock import iso
from adjudicator.services import asking, positions, turns
from adjudicator.services.work import House, Work
from adjudicator.storage.tables import Asking, Letter, Mailbox, Turn

JUMP: Final = timedelta(minutes=1)
"""How far the clock must be off from the time that passed before it is said to have jumped."""


def move(work: Work, since: datetime, until: datetime, reason: Literal["outage", "clock"]) -> None:
    """Move every deadline that passed between two instants by the time between them, and tell everybody.

    The clock of a paused game stands still anyway, and its deadlines move when it goes on.
    """
    query = select(Turn.id, Turn.game_id).where(Turn.status == "open", Turn.deadline > since, Turn.deadline <= until)
    for turn_id, game_id in work.session.exec(query.order_by(col(Turn.id))).all():
        game = work.game_by_id(game_id)
        turn = positions.current(work, game)
        if game.paused is not None or turn is None or turn.id != turn_id or turn.status != "open":
            continue
        if since < turn.deadline <= until:
            later = turn.deadline + (until - since)
            turns.move_deadline(work, game, turn, later, reason, since=iso(since), until=iso(until))
    asking.outage(work, since, until, reason)


@dataclass(slots=True)
class Watch:
    """The last look at the clock: what it said, and how much time had passed."""

    at: datetime | None = None
    ticks: timedelta = timedelta()

    def jumped(self, now: datetime, ticks: timedelta) -> timedelta:
        """Return by how much the clock has jumped since the last look, nothing for less than `JUMP`."""
        before, self.at = self.at, now
        passed, self.ticks = ticks - self.ticks, ticks
        if before is None or abs((now - before) - passed) < JUMP:
            return timedelta()
        return (now - before) - passed


def look(house: House, watch: Watch) -> None:
    """See whether the clock has jumped since the last look.

    Deadlines that a jump forward has passed move by its length. After a jump back nothing moves, for no time was lost;
    what was to be done at an hour that is the future again is looked at now, and no poll counts that lies ahead.
    """
    now, ticks = house.clock.now(), house.clock.ticks()
    jump = watch.jumped(now, ticks)
    if jump > timedelta():
        with house.unit("clock") as work:
            move(work, now - jump, now, "clock")
    elif jump < timedelta():
        with house.unit("clock") as work:
            _look_again(work)


def _look_again(work: Work) -> None:
    now = work.now
    work.session.execute(update(Turn).where(col(Turn.status) == "open", col(Turn.check) > now).values(check=now))
    work.session.execute(update(Turn).where(col(Turn.retry) > now).values(retry=now))
    work.session.execute(update(Asking).where(col(Asking.locked).is_(None), col(Asking.check) > now).values(check=now))
    work.session.execute(update(Mailbox).where(col(Mailbox.good) > now).values(good=now))
    work.session.execute(update(Mailbox).where(col(Mailbox.lease) > now).values(lease=now))
    fresh = col(Letter.status).in_(("new", "rendered")) & (col(Letter.attempts) == 0)
    work.session.execute(update(Letter).where(fresh, col(Letter.due) > now).values(due=now))
