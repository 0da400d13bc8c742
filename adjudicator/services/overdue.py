"""Who has no orders when a deadline passes, whom the turn waits for, and who may still send (play-by-mail 1.7, 4)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import col, select

from adjudicator.services import absences, people, positions
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Mail, MailGame, Turn
from engine.core.contract import Seat
from mail.addresses import canonical


def late(work: Work, game: Game, turn: Turn, by: datetime) -> tuple[Seat, ...]:
    """Return the seats that had no orders at an instant, in roster order; only ``no orders`` is late (1.7).

    A seat that nobody holds is not waited for, nor one whose player is away and wants the turn to go on.
    """
    now = positions.position(work, game, turn, by=by)
    held = {tenure.seat for tenure in people.tenures(work, game)}
    away = absences.played_over(work, game, turn.frozen or turn.deadline)
    return tuple(
        seat.seat for seat in now.owing if seat.word == "no orders" and seat.seat in held and seat.seat not in away
    )


def held_only(work: Work, game: Game, turn: Turn, seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """Return those of the seats without orders whose holder has a mail held that came in this turn and in time (4)."""
    query = (
        select(Mail.sender)
        .join(MailGame, col(MailGame.mail_id) == col(Mail.id))
        .where(
            MailGame.game_id == game.id,
            Mail.verdict == "held",
            Mail.why != "robot",
            Mail.counts > turn.opened,
            Mail.counts <= (turn.frozen or turn.deadline),
        )
    )
    senders = {canonical(sender) for sender in work.session.exec(query) if sender}
    found = []
    for tenure in people.tenures(work, game):
        own = {canonical(address) for address in people.addresses(work, tenure.player_id)}
        if tenure.seat in seats and own & senders:
            found.append(tenure.seat)
    return tuple(found)


def closed(work: Work, game: Game, turn: Turn, seat: Seat, arrival: datetime) -> bool:
    """Say whether a seat was in when the deadline passed, and a mail comes after it: its orders stay as they are."""
    if turn.frozen is None or arrival <= turn.frozen:
        return False
    return seat not in late(work, game, turn, turn.frozen)


def may_still_send(work: Work, game: Game, turn: Turn, seat: Seat) -> bool:
    """Say whether an open turn whose deadline has passed goes on waiting for a seat: by its policy, not let go."""
    header = positions.table(game).header
    if header.missed == "go" or turn.let_go or (turn.frozen is not None and header.moderator != "apart"):
        return False
    return seat in late(work, game, turn, turn.deadline)
