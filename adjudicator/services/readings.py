"""What the mails of a turn said, looked up once in a transaction for the whole table and kept up to date within it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import update
from sqlmodel import col, func, select

from adjudicator.services import sheets
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Reading
from engine.core.contract import Seat

ACTORS: Final = ("moderator", "operator", "players")
"""Who may have entered a reading for a seat that did not write it (`Reading.by`)."""


class Kept(NamedTuple):
    """A reading as a turn looks at it: its mail's place among the others, its receipt's number, what it does.

    ``by`` is who entered it for the seat, where no mail of its own did.
    """

    mail_id: int | None
    seat: Seat
    asking: int
    number: int
    arrival: datetime
    mailbox: str
    uid: int
    written: datetime | None
    effects: sheets.Effects
    late: bool
    has_orders: bool
    by: str = ""


def of_turn(work: Work, game: Game, turn: int) -> list[Kept]:
    """Return all readings of a turn: those of its orders and of its questions, late ones too."""
    return work.once(("readings", game.id, turn), lambda: _of_turn(work, game, turn))


def _of_turn(work: Work, game: Game, turn: int) -> list[Kept]:
    query = select(Reading).where(Reading.game_id == game.id, Reading.turn == turn)
    return [
        Kept(
            mail_id=row.mail_id,
            seat=row.seat,
            asking=row.asking,
            number=row.number,
            arrival=row.arrival,
            mailbox=row.mailbox,
            uid=row.uid,
            written=row.written,
            effects=work.vault.open_value(row.effects, sheets.Effects),
            late=row.late,
            has_orders=row.has_orders,
            by=row.by,
        )
        for row in work.session.exec(query)
    ]


def accepted(
    work: Work, game: Game, turn: int, seat: Seat, by: datetime | None = None, *, asking: int = 0
) -> Sequence[Kept]:
    """Return a seat's accepted readings in the order in which they count, up to an instant (play-by-mail 2).

    ``asking`` is the number of a group of questions, 0 for the turn's orders.
    """
    found = [row for row in of_turn(work, game, turn) if row.seat == seat and row.asking == asking and not row.late]
    in_time = [row for row in found if by is None or row.arrival <= by]
    return sorted(in_time, key=lambda row: (row.arrival, row.mailbox, row.uid, row.number))


def add(work: Work, game: Game, turn: int, kept: Kept) -> None:
    """Store a reading."""
    of_turn(work, game, turn).append(kept)
    numbers = _numbers(work, game)
    numbers[kept.seat] = max(numbers.get(kept.seat, 0), kept.number)
    work.forget("steps", game.id, turn, kept.seat)
    sealed = work.vault.seal_value(kept.effects)
    work.write(Reading, **{**kept._asdict(), "game_id": game.id, "turn": turn, "effects": sealed})


def carry(work: Work, game: Game, turn: int) -> None:
    """Make the orders of a turn those of the next: the turn itself became a command done at once."""
    ours = (col(Reading.game_id) == game.id) & (col(Reading.turn) == turn)
    moved = ours & (col(Reading.asking) == 0) & col(Reading.late).is_(False)
    work.session.flush()
    work.session.execute(update(Reading).where(moved).values(turn=turn + 1))
    for kind in ("readings", "steps"):
        for number in (turn, turn + 1):
            work.forget(kind, game.id, number)


def after_all(work: Work, game: Game, turn: int, seat: Seat) -> datetime:
    """Return an instant from now on that lies behind all that a seat has said: a mail server may be ahead of us."""
    last = max((row.arrival for row in accepted(work, game, turn, seat)), default=work.now)
    return work.now if last < work.now else last + timedelta(microseconds=1)


def next_number(work: Work, game: Game, seat: Seat) -> int:
    """Return the number of a seat's next receipt; they count through the whole game."""
    return _numbers(work, game).get(seat, 0) + 1


def _numbers(work: Work, game: Game) -> dict[Seat, int]:
    return work.once(("numbers", game.id), lambda: _last_numbers(work, game))


def _last_numbers(work: Work, game: Game) -> dict[Seat, int]:
    query = select(Reading.seat, func.max(Reading.number)).where(Reading.game_id == game.id).group_by(Reading.seat)
    return dict(work.session.exec(query).all())


def turn_of(work: Work, game: Game, seat: Seat, number: int) -> int | None:
    """Return the turn that a seat's receipt of this number belongs to, None if it had none."""
    query = select(Reading.turn).where(Reading.game_id == game.id, Reading.seat == seat, Reading.number == number)
    return work.session.exec(query).first()
