"""Letters that turned up later than they say they arrived: the moderator is told, and may rule on them (1.3)."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256
from typing import Any

from sqlmodel import col, select

from adjudicator.clock import iso
from adjudicator.errors import NotFound, RefusedByRules
from adjudicator.fairplay import events
from adjudicator.services import lateness, logbook, opened, people, positions, sheets, turns
from adjudicator.services.said import Said
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Mail, MailGame, Reading, Turn


def tell(work: Work, said: Said) -> None:
    """Tell the moderator of orders in a doubtful letter.

    Of an open turn it counts from when it was first seen, unless he rules otherwise; of a closed turn it is evidence,
    where it arrived before the lock: an outcome may hang on it, and `replay` is possible.
    """
    row, game = said.mail.row, said.table.game
    if row.counts == row.arrival or not said.heard.effects:
        return
    facts: dict[str, Any] = {
        "turn": said.turn.number,
        "seat": said.tenure.seat,
        "titles": people.seat_titles(work, game).get(said.tenure.seat, {}),
        "mail": row.id,
        "arrival": iso(row.arrival),
        "seen": iso(row.counts),
    }
    closed = _closed_since(work, game, row.arrival)
    if closed is not None and closed.locked is not None:
        facts |= {"turn": closed.number, "locked": iso(closed.locked)}
        turns.tell_moderator(work, game, "evidence", f"{row.id}", facts, turn=closed.number)
    elif said.turn.status == "open":
        turns.tell_moderator(work, game, "doubtful", f"{row.id}", facts, turn=said.turn.number)


def _closed_since(work: Work, game: Game, arrival: datetime) -> Turn | None:
    """Return the turn that was open when a letter arrived, by the server's word, and has closed since."""
    query = select(Turn).where(Turn.game_id == game.id, Turn.opened <= arrival, col(Turn.locked) >= arrival)
    return work.session.exec(query.order_by(col(Turn.revision).desc()).limit(1)).first()


def admit(work: Work, game: Game, mail_id: int, why: str) -> Mail:
    """Let a doubtful letter count from its arrival; the ruling and its reason enter the log, and all are told.

    Raises `NotFound` for a letter that is not of this game; `RefusedByRules` for one that is not doubtful, or whose
    turn is closed: that one is evidence and nothing else.
    """
    here = select(MailGame).where(MailGame.mail_id == mail_id, MailGame.game_id == game.id)
    row = work.session.get(Mail, mail_id)
    if row is None or work.session.exec(here).first() is None:
        raise NotFound("mail-of-game", mail=mail_id, tag=game.tag)
    if row.counts == row.arrival:
        raise RefusedByRules("not-doubtful", mail=mail_id)
    turn = positions.current(work, game)
    readings = work.session.exec(select(Reading).where(Reading.mail_id == mail_id, Reading.game_id == game.id)).all()
    if turn is None or turn.status != "open" or not readings or any(one.turn != turn.number for one in readings):
        raise RefusedByRules("mail-too-late", mail=mail_id)
    row.counts = row.arrival
    work.session.add(row)
    work.forget("readings")
    work.forget("steps")
    for reading in sorted(readings, key=lambda one: one.number):
        _count(work, game, turn, row, reading)
    turn.check = work.now
    work.session.add(turn)
    seats = {reading.seat for reading in readings}
    ruling = events.Ruling(seq=0, at=logbook.at(work.now), turn=turn.number, text=why, seat=min(seats))
    logbook.append(work, game, ruling)
    turns.tell_all(work, positions.table(game), "ruling", f"{turn.number}/admit/{mail_id}", {"text": why})
    return row


def _count(work: Work, game: Game, turn: Turn, row: Mail, reading: Reading) -> None:
    """Put a reading at the place of its arrival; orders that were late before are logged now."""
    was_late, reading.arrival = reading.late, row.arrival
    reading.late = lateness.shut(work, game, turn, reading.seat, row.arrival) is not None
    work.session.add(reading)
    if not was_late or reading.late or row.raw is None:
        return
    effects: sheets.Effects = work.vault.open_value(reading.effects, sheets.Effects)
    orders = tuple(order for effect in effects if isinstance(effect, sheets.Put) for order in effect.orders)
    own = "\n".join(line.raw for line in opened.read(work, work.vault.open(row.raw), "").text.own)
    logbook.append(
        work,
        game,
        events.Order(
            seq=0,
            at=logbook.at(row.arrival),
            turn=turn.number,
            batch=turn.batch,
            seat=reading.seat if positions.table(game).header.who_in == "names" else None,
            private="",
        ),
        private=events.OrderPart(
            seat=reading.seat, mail=row.sha256, text=sha256(own.encode()).hexdigest(), orders=orders
        ),
        audience={"-": (reading.seat,)},
    )
