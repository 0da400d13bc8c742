"""Which turn a letter is about, and whether it comes too late for that turn (play-by-mail 4)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from sqlmodel import select

from adjudicator.clock import iso
from adjudicator.services import outbox, overdue, positions, turns
from adjudicator.services.said import Said
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Turn
from engine.core.contract import Seat


def turn_meant(work: Work, said: Said) -> int:
    """Return the turn a letter is about: named, else that of the letter it answers, else by arrival.

    Of a doubtful letter it is the server's word that counts here: late orders must not become those of a later turn.
    Orders of a turn that became a command done at once are those of the turn that goes on after it.
    """
    named = _named(work, said)
    return named if named >= said.turn.number else turns.gone_on(work, said.table.game, named)


def _named(work: Work, said: Said) -> int:
    if said.heard.turn is not None:
        return said.heard.turn
    game, answered = said.table.game, said.who.answered
    if answered is not None and answered.game_id == game.id and answered.turn is not None:
        return answered.turn
    own = said.tenure.seat
    sent = [at for seat, at in outbox.openings(work, game, said.turn.number) if seat == own]
    told = not sent or (sent[0] is not None and sent[0] <= said.mail.row.arrival)
    before = said.turn.number - 1
    return said.turn.number if told or positions.turn(work, game, before) is None else before


def late(work: Work, said: Said, meant: int) -> dict[str, Any] | None:
    """Return why orders can no longer count, None if they do: another turn, or past this one's lock or deadline."""
    turn, arrival = said.turn, said.mail.row.counts
    if meant != turn.number:
        earlier = work.session.exec(
            select(Turn).where(Turn.game_id == turn.game_id, Turn.number == meant).limit(1)
        ).first()
        locked = earlier.locked if earlier is not None else None
        facts = {"turn": meant, "open": turn.number, "arrival": iso(arrival), "reason": "other-turn"}
        return {**facts, "locked": iso(locked) if locked else ""}
    reason = shut(work, said.table.game, turn, said.tenure.seat, arrival)
    if reason is None:
        return None
    locked = turn.frozen if reason == "frozen" else turn.locked
    return {
        "turn": meant,
        "open": turn.number + (turn.status != "open"),
        "arrival": iso(arrival),
        "locked": iso(locked or turn.deadline),
        "reason": reason,
    }


def shut(
    work: Work, game: Game, turn: Turn, seat: Seat, arrival: datetime
) -> Literal["locked", "frozen", "deadline"] | None:
    """Return why a turn takes no orders that a seat sent at an instant, None if it does (play-by-mail 1.4, 1.7, 6)."""
    if turn.status != "open" and not turns.goes_on(turn):
        return "locked"
    if overdue.closed(work, game, turn, seat, arrival):
        return "frozen"
    counted = arrival if game.paused is None else min(arrival, game.paused)  # the clock stands still in a pause
    if counted <= turn.deadline or turns.goes_on(turn) or turns.waits_to_be_told(work, game, turn):
        return None
    return None if overdue.may_still_send(work, game, turn, seat) else "deadline"
