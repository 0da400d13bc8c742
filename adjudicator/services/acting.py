"""The moderator acts for a seat: its orders are entered, its player gets a copy and may overwrite it (play-by-mail 6).

What he enters takes its place among the seat's mails by arrival: now, or «as of» an earlier instant for orders that the
player left elsewhere. After the lock it is an amendment (`services.amending`).
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

import msgspec

from adjudicator.clock import iso
from adjudicator.errors import RefusedByRules
from adjudicator.letters import LineVerdict, Reader, Receipt
from adjudicator.services import (
    hearing,
    instants,
    logbook,
    moderation,
    outbox,
    people,
    positions,
    readings,
    seeds,
)
from adjudicator.services.hearing import Heard, Hearing
from adjudicator.services.moderation import By, Facts
from adjudicator.services.verbs import Verb
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Tenure, Turn
from engine.core import codec
from engine.core.contract import MODERATOR, Seat, Sheet
from mail.text import Line

_SAID_FOR_A_SEAT: Final = ("ready", "not-ready", "wait", "no-wait", "draft", "clear", "anew", "restore", "standing")
"""Commands that somebody else may say for a seat."""


def act_for(work: Work, game: Game, by: By, verb: Verb) -> Facts:
    """Enter orders for a seat; its player gets the receipt, as does a moderator who stands apart."""
    turn = _open_turn(work, game, verb)
    own = by.who == "operator" and verb.seat == MODERATOR and positions.table(game).ruleset.info.moderated
    seat = MODERATOR if own else moderation.seat_of(work, game, verb)
    arrival = _arrival(work, game, turn, seat, verb)
    table = positions.table(game)
    if by.who == "moderator" and table.header.moderator == "apart":
        moderation.look(work, game, by, "view", turn.number)
    against = _against(work, game, turn, seat, arrival)
    heard = _heard(against, verb)
    as_of = f" as of {iso(arrival)}" if verb.when else ""
    link = f" from {verb.link}" if verb.link else ""
    moderation.note(work, game, by, f"act for {seat}{as_of}{link}", seat=seat)
    readings.add(work, game, turn.number, _kept(against, heard, arrival, by))
    turn.check = work.now
    work.session.add(turn)
    titles = moderation.titles_of(work, game, seat)
    acted = {
        "who": by.who,
        "why": by.why,
        "link": verb.link,
        "titles": titles,
        "at": iso(arrival) if verb.when else "",
    }
    tenure = people.holder(work, game, seat)
    if tenure is not None:
        reader = people.reader_of(work, game, tenure, people.seat_titles(work, game))
        _write(work, game, turn, _receipt(work, game, turn, against, heard, reader, {**acted, "copy": False}), tenure)
    shown = by.who == "moderator" and table.header.moderator == "apart"
    judge = people.moderator(work, game)
    if shown and judge is not None:
        reader = msgspec.structs.replace(people.reader_of(work, game, judge, {}), titles=titles)
        _write(work, game, turn, _receipt(work, game, turn, against, heard, reader, {**acted, "copy": True}), judge)
    refused = sum(line.mark in ("refused", "command-refused") for line in heard.lines.values())
    taken = len(heard.lines) - refused
    return {"turn": turn.number, "titles": titles, "taken": taken, "refused": refused if by.who == "moderator" else 0,
            "shown": shown, "empty": tenure is None}  # fmt: skip


def _open_turn(work: Work, game: Game, verb: Verb) -> Turn:
    now = positions.current(work, game)
    if now is not None and verb.turn is not None and verb.turn < now.number:
        raise RefusedByRules("amend-instead", turn=verb.turn, resolved=True)
    turn = moderation.this_turn(work, game, verb)
    if turn.status != "open":
        raise RefusedByRules("amend-instead", turn=turn.number, resolved=False)
    return turn


def _arrival(work: Work, game: Game, turn: Turn, seat: Seat, verb: Verb) -> datetime:
    """Return the instant from which the orders count. Raises `RefusedByRules` if it lies outside the open turn."""
    if not verb.when:
        return readings.after_all(work, game, turn.number, seat)
    try:
        instant = instants.parse(verb.when, positions.table(game).header.zone, work.now, ahead=False)
    except instants.InstantError as cause:
        raise RefusedByRules("bad-when", when=verb.when, word=str(cause)) from cause
    if not turn.opened <= instant <= work.now:
        raise RefusedByRules("as-of-outside", since=iso(turn.opened), now=iso(work.now))
    return instant


def _against(work: Work, game: Game, turn: Turn, seat: Seat, arrival: datetime) -> Hearing:
    table = positions.table(game)
    tenure = people.holder(work, game, seat)
    language = people.player(work, tenure.player_id).language if tenure is not None else work.config.service.language
    return Hearing(
        table=table,
        view=positions.view_of(work, table, turn, seat),
        seat=seat,
        language="en" if language == "en" else "ru",
        before=positions.history(work, table, turn, seat, by=arrival),
        number=readings.next_number(work, game, seat),
    )


def _heard(against: Hearing, verb: Verb) -> Heard:
    """Hear the lines as the player's own, orders and words of the seat; nothing else may be said in his name."""
    heard = hearing.hear(against, [Line(number=place, raw=text) for place, text in enumerate(verb.text)])
    foreign = [place for place, line in heard.lines.items() if _is_foreign(line)]
    for place in [*foreign, *(place for _, place in heard.press)]:
        heard.lines[place] = LineVerdict(text=verb.text[place].strip(), mark="command-refused", key="not-for-others")
    heard.phrase, heard.press, heard.settings, heard.asked, heard.deeds = "", [], {}, {}, []
    if not heard.effects:
        raise RefusedByRules("no-orders-read", lines=[line.text for line in heard.verdicts()])
    return heard


def _is_foreign(line: LineVerdict) -> bool:
    return line.mark == "command" and line.key not in _SAID_FOR_A_SEAT


def _kept(against: Hearing, heard: Heard, arrival: datetime, by: By) -> readings.Kept:
    return readings.Kept(
        mail_id=None,
        seat=against.seat,
        asking=0,
        number=against.number,
        arrival=arrival,
        mailbox="",
        uid=against.number,
        written=None,
        effects=tuple(heard.effects),
        late=False,
        has_orders=True,
        by=by.who,
    )


def _write(work: Work, game: Game, turn: Turn, receipt: Receipt, tenure: Tenure) -> None:
    outbox.queue(
        work,
        f"receipt/act-{game.seq}/{game.tag}/{tenure.seat}/{tenure.id}",
        receipt.reader.address,
        outbox.Envelope(receipt=receipt),
        game=game,
        tenure=tenure,
        turn=turn.number,
    )


def _receipt(
    work: Work, game: Game, turn: Turn, against: Hearing, heard: Heard, reader: Reader, acted: Facts
) -> Receipt:
    table = against.table
    seat = positions.seat_now(work, table, turn, against.seat)
    others, count = positions.statuses(work, positions.position(work, game, turn), against.seat)
    spoken = seeds.spoken(work, game, turn.batch)

    def written(orders: Sheet) -> tuple[str, ...]:
        return tuple(table.ruleset.write(order, reader.language, against.view) for order in orders)

    return Receipt(
        head=table.head,
        reader=reader,
        number=against.number,
        turn=turn.number,
        phase=turn.phase,
        understood=heard.understood,
        lines=heard.verdicts(),
        in_force=written(seat.folded.sheet),
        standing=written(seat.folded.standing),
        missing=tuple(codec.plain(slot) for slot in seat.owed if slot.key in seat.missing and not slot.optional),
        word=seat.word,
        deadline=iso(turn.deadline),
        now=iso(work.now),
        others=others,
        count_in=count,
        pin=logbook.pin(game),
        phrase=spoken.phrases.get(against.seat, "") if not acted["copy"] else "",
        phrase_automatic=against.seat not in spoken.sent,
        view=positions.view_text(work, table, turn, against.seat),
        acted=acted,
    )
