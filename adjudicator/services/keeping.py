"""What a letter said is kept: its effects as a reading, its phrase for the dice, its commitment in the log."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from adjudicator.fairplay import chain, events
from adjudicator.letters import LineVerdict
from adjudicator.services import logbook, readings, seeds, sheets, turns
from adjudicator.services.said import Said
from adjudicator.services.work import Work
from engine.core.contract import MODERATOR


def keep(work: Work, said: Said, late_for: int | None) -> str:
    """Keep what a mail says; if in time, take its phrase and log the seat's commitment, which is returned, else ""."""
    if said.heard.afterwards:
        _add_reading(work, said, said.heard.afterwards, 0, None)
    if said.heard.effects or not said.heard.afterwards:
        asking = said.group.number if said.group is not None and late_for is None else 0
        _add_reading(work, said, said.heard.effects, asking, late_for)
    if late_for is not None:
        return ""
    if said.tenure.seat != MODERATOR:  # he has no row among the dice (fair-play 3.2)
        _keep_phrases(work, said)
    if said.heard.answers:
        answered = _log_answers(work, said)
        if said.heard.afterwards:
            _log_orders(work, said)
        return answered
    return _log_orders(work, said) if said.heard.touches else ""


def _keep_phrases(work: Work, said: Said) -> None:
    if said.heard.phrase:
        _take_phrase(work, said)
    row, game = said.mail.row, said.table.game
    automatic = chain.automatic_phrase(row.message_id, said.mail.raw)
    seeds.keep_phrase(work, game, said.tenure.seat, automatic, said.batch, automatic=True)


def _add_reading(
    work: Work, said: Said, effects: Sequence[sheets.AnyEffect], asking: int, late_for: int | None
) -> None:
    row, game = said.mail.row, said.table.game
    kept = readings.Kept(
        mail_id=None if said.heard.afterwards and asking else row.id or 0,  # a mail has one row a turn: its orders'
        seat=said.tenure.seat,
        asking=asking,
        number=max(said.against.number, readings.next_number(work, game, said.tenure.seat)),
        arrival=row.counts,
        mailbox=row.mailbox,
        uid=row.uid,
        written=said.mail.reading.incoming.date,
        effects=tuple(effects),
        late=late_for is not None,
        has_orders=bool(effects),
    )
    readings.add(work, game, said.turn.number if late_for is None else late_for, kept)


def _take_phrase(work: Work, said: Said) -> None:
    """Take the phrase of the letter and log it, or say in the receipt that an earlier one counts (fair-play 2)."""
    heard, turn, seat = said.heard, said.turn, said.tenure.seat
    locked = said.group is None and turns.goes_on(turn)  # its batch is: the phrase goes over into the next
    if not seeds.keep_phrase(work, said.table.game, seat, heard.phrase, said.batch, automatic=locked):
        place = next(place for place, line in heard.lines.items() if line.key == "salt")
        heard.lines[place] = LineVerdict(text=heard.lines[place].text, mark="command-refused", key="salt-kept")
        heard.phrase = ""
        return
    if locked:
        return
    logbook.append(
        work,
        said.table.game,
        events.Phrase(seq=0, at=logbook.at(said.mail.row.counts), turn=turn.number, batch=said.batch, private=""),
        private=events.PhrasePart(row=seat, phrase=chain.normalised(heard.phrase)),
        audience={"-": (seat,)},
    )


def _log_answers(work: Work, said: Said) -> str:
    """Log that a seat has answered, and what under a nonce; return the commitment (fair-play 6)."""
    row, seat = said.mail.row, said.tenure.seat
    own = "\n".join(line.raw for line in said.mail.own)
    text = sha256(own.encode()).hexdigest()
    shown = seat if said.table.header.who_in == "names" else None
    entry = logbook.append(
        work,
        said.table.game,
        events.Answer(
            seq=0, at=logbook.at(row.counts), turn=said.turn.number, batch=said.batch, seat=shown, private=""
        ),
        private=events.AnswerPart(seat=seat, mail=row.sha256, text=text, answers=said.heard.answers),
        audience={"-": (seat,)},
    )
    return logbook.commitment_of(entry)


def _log_orders(work: Work, said: Said) -> str:
    """Log that a seat has ordered, and what under a nonce; return the commitment (fair-play 6)."""
    row, seat, turn = said.mail.row, said.tenure.seat, said.turn
    own = "\n".join(line.raw for line in said.mail.own)
    effects = (*said.heard.effects, *said.heard.afterwards)
    accepted = [order for effect in effects if isinstance(effect, sheets.Put) for order in effect.orders]
    part = events.OrderPart(seat=seat, mail=row.sha256, text=sha256(own.encode()).hexdigest(), orders=tuple(accepted))
    shown = seat if said.table.header.who_in == "names" else None
    entry = logbook.append(
        work,
        said.table.game,
        events.Order(seq=0, at=logbook.at(row.counts), turn=turn.number, batch=turn.batch, seat=shown, private=""),
        private=part,
        audience={"-": (seat,)},
    )
    return logbook.commitment_of(entry)
