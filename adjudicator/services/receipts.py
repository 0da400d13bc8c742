"""The receipt of a letter: what each line was taken for, what is in force now, what is missing (play-by-mail 3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from adjudicator.clock import iso
from adjudicator.letters import LineVerdict, Reader, Receipt, SeatWord
from adjudicator.services import (
    answers,
    asides,
    asking,
    caps,
    logbook,
    outbox,
    people,
    positions,
    readings,
    seeds,
    turns,
)
from adjudicator.services.hearing import Heard, Hearing
from adjudicator.services.positions import SeatNow
from adjudicator.services.said import Said
from adjudicator.services.work import Work
from engine.core import codec
from engine.core.contract import MODERATOR, Language
from mail.addresses import canonical
from mail.text import line_key

_ECHOES: Final = 2
"""Own lines equal to ours from which on the writer is warned of them."""
LANGUAGES: Final[tuple[Language, ...]] = ("ru", "en")


def answer(
    work: Work, said: Said, late: dict[str, Any] | None, commitment: str, edited: tuple[LineVerdict, ...]
) -> None:
    """Queue the receipt, to the main address and to the one written from, with the letters asked for again.

    ``late`` says why orders could not count, ``edited`` are lines changed inside a quote. A cap may keep it back.
    """
    table, tenure, mail, heard = said.table, said.tenure, said.mail, said.heard
    reader = people.reader_of(work, table.game, tenure, people.seat_titles(work, table.game))
    receipt = replace(_receipt(work, said, reader, late, commitment, edited), idle=caps.is_idle(work, said, late))
    if caps.silence(work, said, receipt):
        return
    for address in dict.fromkeys((reader.address, canonical(said.who.address))):
        outbox.queue(
            work,
            f"receipt/{mail.row.id}/{table.game.tag}/{tenure.seat}/{address}",
            address,
            outbox.Envelope(receipt=receipt),
            game=table.game,
            tenure=tenure,
            turn=said.turn.number,
            in_reply_to=mail.row.message_id,
        )
    answers.resend(work, table, tenure, heard.asked, mail.row)


def _receipt(
    work: Work,
    said: Said,
    reader: Reader,
    late: dict[str, Any] | None,
    commitment: str,
    edited: tuple[LineVerdict, ...],
) -> Receipt:
    table, tenure, turn, heard, against = said.table, said.tenure, said.turn, said.heard, said.against
    seat = positions.seat_now(work, table, turn, tenure.seat)
    others, count = positions.statuses(work, positions.position(work, table.game, turn), tenure.seat)
    spoken = seeds.spoken(work, table.game, said.batch)
    asked, word = _asking(work, said)
    return Receipt(
        head=table.head,
        reader=reader,
        number=against.number,
        turn=turn.number,
        phase=turn.phase,
        understood=heard.understood,
        lines=_lines(heard, word or seat.word),
        unheard=tuple(heard.unheard[place] for place in sorted(heard.unheard)),
        at_once=heard.at_once,
        set_aside=sum(aside.why != "end" for aside in said.mail.reading.text.set_aside),
        repairs=said.mail.reading.incoming.repairs,
        echoed=_echoed(said),
        reread=iso(said.mail.row.arrival) if said.mail.again else "",
        edited_quote=edited,
        in_force=_written(against, seat.folded.sheet, reader),
        standing=_written(against, seat.folded.standing, reader),
        missing=tuple(codec.plain(slot) for slot in seat.owed if slot.key in seat.missing and not slot.optional)
        if asked is None
        else (),
        word=word or seat.word,
        deadline=iso(turn.deadline),
        paused=table.game.paused is not None,
        now=iso(work.now),
        others=others if asked is None else (),
        count_in=count if asked is None else None,
        pin=logbook.pin(table.game),
        prev_pin=logbook.pin_at(work, table.game, tenure.reported_seq),
        commitment=commitment,
        phrase=spoken.phrases.get(tenure.seat, ""),
        phrase_automatic=tenure.seat not in spoken.sent,
        late=late,
        overtaken=(late is None or said.group is not None) and bool(heard.effects) and _overtaken(work, said),
        reply=_reply(work, said, reader),
        view=_view_so_far(work, said, told=asked is not None or turns.goes_on(turn)),
        asking=asked,
        events=_foreseen(against, seat) if "try" in heard.asked else (),
    )


def _reply(work: Work, said: Said, reader: Reader) -> dict[str, Any] | None:
    """Return what the letter asks for besides and the receipt itself answers, by command."""
    asked = said.heard.asked
    found = answers.extras(work, said.table, said.tenure, said.turn, said.against, asked, reader)
    aside = asides.shown(work, said, asked["set-aside"][-1]) if "set-aside" in asked else None
    return found if aside is None else {**(found or {}), "set-aside": aside}


def _echoed(said: Said) -> int:
    """Return how many of the writer's own lines are lines of ours, the answer template's apart; one proves nothing.

    More of them are a quote whose shape nobody knew: he is told to look (mail-bugs 5). The template is there to be
    sent back.
    """
    echoed = said.mail.reading.text.echoed
    if len(echoed) < _ECHOES:
        return 0
    ruleset, view = said.table.ruleset, said.against.view
    offered = {line_key(line) for language in LANGUAGES for line in ruleset.template(view, language)}
    count = sum(line_key(line.raw) not in offered for line in echoed)
    return count if count >= _ECHOES else 0


def _lines(heard: Heard, word: SeatWord) -> tuple[LineVerdict, ...]:
    """Return the lines of a letter; ``готов`` of a seat that is a draft all the same does not say that it is ready."""
    held_up = word == "draft"
    return tuple(
        replace(line, key="ready-draft") if held_up and line.key == "ready" and line.mark == "command" else line
        for line in heard.verdicts()
    )


def _view_so_far(work: Work, said: Said, *, told: bool) -> str:
    """Return what the seat knows as JSON; of a turn that waits for decisions what it was ``told`` so far."""
    asked = said.against.asking
    if said.tenure.seat == MODERATOR:  # nothing sealed, whatever is asked of him (play-by-mail 6)
        return codec.encode(asking.sight(said.table, positions.state_of(work, said.table, said.turn), MODERATOR, ()))
    if told and asked is not None and asked.view is not None:
        return codec.encode(asked.view)
    return positions.view_text(work, said.table, said.turn, said.tenure.seat)


def _asking(work: Work, said: Said) -> tuple[dict[str, Any] | None, SeatWord | None]:
    """Return what is asked in the turn, as this seat may know it, and the seat's word to its questions (1.8)."""
    table, turn, seat = said.table, said.turn, said.tenure.seat
    group = asking.current(work, turn)
    if group is None:
        return None, None
    own = asking.now(work, table.game, turn, group).get(seat)
    if own is None and turns.goes_on(turn):  # its orders stay open while a command asks somebody else
        return None, None
    titles = people.seat_titles(work, table.game)
    awaited = asking.awaited(work, table, turn, group)
    facts = {
        "deadline": asking.deadline_of(work, group),
        "awaited": [titles[one] for one in awaited if one != MODERATOR],
        "moderator": MODERATOR in awaited,
        "questions": [] if own is None else asking.with_answers(own),
    }
    return facts, "owes nothing" if own is None else own.word


def _foreseen(against: Hearing, seat: SeatNow) -> tuple[str, ...]:
    """Return what the seat's orders would do alone, on what it sees and without dice (``проба``, play-by-mail 2)."""
    ruleset, view = against.table.ruleset, against.view
    sheet = seat.filled + ruleset.silent(view, seat.filled)
    return tuple(codec.encode(event) for event in ruleset.foresee(view, sheet))


def _written(against: Hearing, orders: Sequence[Any], reader: Reader) -> tuple[str, ...]:
    return tuple(against.table.ruleset.write(order, reader.language, against.view) for order in orders)


def _overtaken(work: Work, said: Said) -> bool:
    """Say whether this letter was written before one that arrived earlier (play-by-mail 2).

    Its date is the writer's claim: one dated later than it arrived was written when it arrived at the latest.
    """
    date = said.mail.reading.incoming.date
    if date is None:
        return False
    written = min(date, said.mail.row.counts)
    group = said.group.number if said.group is not None else 0
    others = readings.accepted(work, said.table.game, said.turn.number, said.tenure.seat, asking=group)
    return any(
        row.written is not None and min(row.written, row.arrival) > written
        for row in others
        if row.mail_id != said.mail.row.id
    )
