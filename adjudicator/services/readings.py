"""What the mails of a turn said, looked up once in a transaction for the whole table and kept up to date within it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import func, select

from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Reading
from engine.core.contract import Seat


def of_turn(work: Work, game: Game, turn: int) -> list[Reading]:
    """Return all readings of a turn: those of its orders and of its questions, late ones too."""
    query = select(Reading).where(Reading.game_id == game.id, Reading.turn == turn)
    return work.once(("readings", game.id, turn), lambda: list(work.session.exec(query)))


def accepted(
    work: Work, game: Game, turn: int, seat: Seat, by: datetime | None = None, *, asking: int = 0
) -> Sequence[Reading]:
    """Return a seat's accepted readings in the order in which they count, up to an instant (play-by-mail 2).

    ``asking`` is the number of a group of questions, 0 for the turn's orders.
    """
    found = [row for row in of_turn(work, game, turn) if row.seat == seat and row.asking == asking and not row.late]
    in_time = [row for row in found if by is None or row.arrival <= by]
    return sorted(in_time, key=lambda row: (row.arrival, row.mailbox, row.uid, row.number))


def add(work: Work, game: Game, row: Reading) -> None:
    """Store a reading."""
    of_turn(work, game, row.turn).append(row)
    numbers = _numbers(work, game)
    numbers[row.seat] = max(numbers.get(row.seat, 0), row.number)
    work.forget("steps", game.id, row.turn, row.seat)
    work.session.add(row)


def next_number(work: Work, game: Game, seat: Seat) -> int:
    """Return the number of a seat's next receipt; they count through the whole game."""
    return _numbers(work, game).get(seat, 0) + 1


def _numbers(work: Work, game: Game) -> dict[Seat, int]:
    query = select(Reading.seat, func.max(Reading.number)).where(Reading.game_id == game.id).group_by(Reading.seat)
    return work.once(("numbers", game.id), lambda: dict(work.session.exec(query).all()))
