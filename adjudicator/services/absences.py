"""Absences that were declared: which deadlines they touch, and where these go instead (play-by-mail 1.7)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from sqlmodel import col, select

from adjudicator.services import people, schedule
from adjudicator.services.positions import Table
from adjudicator.services.work import Work
from adjudicator.storage.tables import Absence, Game
from engine.core.contract import MODERATOR, Seat, State

AHEAD: Final = timedelta(hours=24)
"""How long before a deadline an absence must be declared to move it."""
_MOVES: Final = 60
"""Absences that one deadline can be moved past; a cap on the loop, no table has as many."""


def of_game(work: Work, game: Game) -> Sequence[Absence]:
    """Return the absences of those who hold seats now, in the order declared; what was withdrawn is left out."""
    return work.once(("absences", game.id), lambda: _of_game(work, game))


def _of_game(work: Work, game: Game) -> Sequence[Absence]:
    holders = [tenure.id for tenure in people.tenures(work, game)]
    query = select(Absence).where(
        Absence.game_id == game.id, col(Absence.withdrawn).is_(None), col(Absence.tenure_id).in_(holders)
    )
    return work.session.exec(query.order_by(col(Absence.declared), col(Absence.id))).all()


def begins(absence: Absence) -> datetime:
    """Return the instant at which an absence begins: midnight where its player lives."""
    return schedule.at_wall_time(absence.first, time(), ZoneInfo(absence.zone))


def ends(absence: Absence) -> datetime:
    """Return the instant at which an absence is over: the midnight after its last day."""
    return schedule.at_wall_time(absence.last + timedelta(days=1), time(), ZoneInfo(absence.zone))


def touches(absence: Absence, deadline: datetime) -> bool:
    """Say whether a deadline falls into an absence that was declared early enough."""
    return begins(absence) <= deadline < ends(absence) and absence.declared + AHEAD <= deadline


def owing(table: Table, state: State) -> frozenset[Seat]:
    """Return the seats that owe orders in a position: the others are away without anybody noticing."""
    owed = table.ruleset.owed(table.ruleset.view(state, MODERATOR))
    return frozenset(slot.seat for slot in owed if not slot.optional)


def past(work: Work, game: Game, plan: schedule.Schedule, deadline: datetime, owing: Collection[Seat]) -> datetime:
    """Return a deadline moved past every absence that it touches, to the first scheduled instant after."""
    waiting = [one for one in of_game(work, game) if one.waits and one.seat in owing]
    for _ in range(_MOVES):
        over = [ends(absence) for absence in waiting if touches(absence, deadline)]
        if not over:
            return deadline
        deadline = schedule.first_from(plan, max(over))
    return deadline


def played_over(work: Work, game: Game, deadline: datetime) -> frozenset[Seat]:
    """Return the seats that are away at a deadline and are played by their standing orders (``без переноса``)."""
    return frozenset(one.seat for one in of_game(work, game) if not one.waits and begins(one) <= deadline < ends(one))
