"""Turns missed: grace for the late, the moderator's decision about them, and what becomes of who misses (1.7)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final

from sqlmodel import col, select

from adjudicator.clock import iso
from adjudicator.errors import RefusedByRules
from adjudicator.fairplay import events
from adjudicator.letters import Notice, Reader
from adjudicator.services import absences, asked, logbook, outbox, overdue, people, positions, readings, turns
from adjudicator.services.opened import Opened
from adjudicator.services.positions import Position, Table
from adjudicator.services.timing import GiveGrace
from adjudicator.services.work import Work
from adjudicator.storage.tables import Asked, Game, Observer, Tenure, Turn
from engine.core import codec
from engine.core.contract import Seat

TELLS_MODERATOR, WANTS_SUBSTITUTE = 2, 3
"""Turns missed in a row at which the moderator hears, and at which the seat is offered to a substitute."""
AUTOMATIC: Final = 3
"""Turns in a row that standing orders may play alone before their player is asked whether he is there."""


# Grace ----------------------------------------------------------------------------------------------------------------


def give_grace(work: Work, game: Game, turn: Turn, grace: GiveGrace) -> None:
    """Keep a turn open for its late seats: those that were in are closed at the deadline, and all are told."""
    turn.frozen, turn.grace = turn.deadline, grace.until
    turns.put_deadline(work, game, turn, grace.until, "held" if grace.held else "grace")
    _tell_grace(work, game, turn, "held" if grace.held else "grace")


def _tell_grace(work: Work, game: Game, turn: Turn, why: str) -> None:
    """Tell every seat whether it is closed or may still send, and until when ("": until the moderator decides)."""
    table = positions.table(game)
    frozen = turn.frozen or turn.deadline
    late = overdue.late(work, game, turn, frozen)
    now = positions.position(work, game, turn, by=frozen)
    owing = [seat.seat for seat in now.owing]
    titles = people.seat_titles(work, game)
    shown = [titles[seat] for seat in late] if table.header.who_in == "names" else []
    until = iso(turn.deadline) if turn.grace is not None else ""
    for tenure in people.tenures(work, game):
        place = "late" if tenure.seat in late else "in" if tenure.seat in owing else "nothing"
        facts = {"turn": turn.number, "before": iso(frozen), "deadline": until, "why": why, "place": place}
        turns.tell(work, table, tenure, "grace", f"{turn.number}/{why}/{until}", {**facts, "seats": shown})


def ask_moderator(work: Work, game: Game, turn: Turn, seats: Sequence[Seat]) -> None:
    """Put the seats without orders before the moderator, at once and then daily; after 72 h tell the players.

    He is shown each seat's view and never the others' orders, and that he looked is logged (play-by-mail 6).
    """
    cause = f"{turn.number}/r{turn.revision}/{iso(turn.deadline)}"
    if turn.frozen is None or turn.grace is not None:
        turn.frozen, turn.grace = turn.frozen or turn.deadline, None
        work.session.add(turn)
        turns.log_deadline(work, game, turn, None, "moderator")
        _tell_grace(work, game, turn, "moderator")
        _show_views(work, positions.position(work, game, turn), seats, cause)
    titles = people.seat_titles(work, game)
    facts = {
        "turn": turn.number,
        "since": iso(turn.deadline),
        "now": iso(work.now),
        "seats": [titles[one] for one in seats],
    }
    turns.await_moderator(work, positions.table(game), turn, turn.deadline, cause, ("late-awaited", facts))


def _show_views(work: Work, now: Position, seats: Sequence[Seat], cause: str) -> None:
    game, turn, ruleset = now.table.game, now.turn, now.table.ruleset
    titles, judge = people.seat_titles(work, game), people.moderator(work, game)
    for seat in seats:
        facts: dict[str, Any] = {"turn": turn.number, "seat": seat, "titles": titles[seat]}
        if judge is not None:
            view = now.view(seat)
            language = people.reader_of(work, game, judge, {}).language
            facts |= {"view": codec.encode(view), "template": list(ruleset.template(view, language))}
            look = events.Look(seq=0, at=logbook.at(work.now), turn=turn.number, who="moderator", what="view")
            logbook.append(work, game, look)
        turns.tell_moderator(work, game, "no-orders", f"{cause}/{seat}", facts, turn=turn.number)


# The moderator's words about it ---------------------------------------------------------------------------------------


def wait(work: Work, game: Game, number: int, span: timedelta) -> Turn:
    """Give the late seats of a named turn more time from now on.

    Raises `RefusedByRules` if that turn is not open, or is not being kept open for anybody.
    """
    turn = _kept_open(work, game, number)
    turn.grace = work.now + span
    turns.put_deadline(work, game, turn, turn.grace, "wait")
    _tell_grace(work, game, turn, "wait")
    return turn


def let_go(work: Work, game: Game, number: int) -> Turn:
    """Let a named turn go on without its late seats; what has arrived by now counts. Raises as `wait`."""
    turn = _kept_open(work, game, number)
    turn.let_go, turn.grace = True, None
    turns.put_deadline(work, game, turn, work.now, "let-go")
    return turn


def _kept_open(work: Work, game: Game, number: int) -> Turn:
    turn = turns.named_turn(work, game, number)
    if turn.frozen is None:
        raise RefusedByRules("nobody-late", turn=number)
    return turn


# Counting -------------------------------------------------------------------------------------------------------------


def count(work: Work, table: Table, turn: Turn) -> None:
    """Count the turns that each seat has missed in a row, once a turn, and tell those whom it concerns.

    Only ``no orders`` is a miss, and only after the deadline: a turn closed before it misses nobody. A seat for which
    the moderator alone has ordered has missed. A player away by his own word has not.
    """
    game = table.game
    if turn.locked is None:
        return
    now = positions.position(work, game, turn, by=turn.locked)
    passed = turn.locked >= (turn.frozen or turn.deadline)
    away = absences.played_over(work, game, turn.frozen or turn.deadline)
    for tenure in people.tenures(work, game):
        seat = now.seats[tenure.seat]
        if tenure.counted == turn.number or seat.word == "owes nothing" or tenure.seat in away:
            continue
        tenure.counted = turn.number
        said = [row for row in readings.accepted(work, game, turn.number, tenure.seat, turn.locked) if row.has_orders]
        if seat.word == "no orders" or (said and all(row.mail_id is None for row in said)):
            _missed(work, table, turn, tenure, passed=passed)
        elif not seat.folded.accepted:
            _automatic(work, table, turn, tenure)
        else:
            tenure.missed = tenure.automatic = 0
        work.session.add(tenure)


def _missed(work: Work, table: Table, turn: Turn, tenure: Tenure, *, passed: bool) -> None:
    if not passed:
        return
    tenure.missed, tenure.automatic = tenure.missed + 1, 0
    facts = {"turn": turn.number, "in_a_row": tenure.missed}
    turns.tell(work, table, tenure, "missed", f"{turn.number}/r{turn.revision}", facts)
    _in_a_row(work, table, turn, tenure)


def _automatic(work: Work, table: Table, turn: Turn, tenure: Tenure) -> None:
    """Count a turn that standing orders played: no miss, for three turns; then the player is asked, then it is one."""
    tenure.automatic, tenure.missed = tenure.automatic + 1, tenure.missed if tenure.automatic >= AUTOMATIC else 0
    if tenure.automatic == AUTOMATIC:
        reader = people.reader_of(work, table.game, tenure, people.seat_titles(work, table.game))
        facts = {"played": AUTOMATIC}
        asked.ask(work, "there", reader, facts, cause=f"{turn.number}", game=table.game, tenure=tenure)
    if tenure.automatic > AUTOMATIC:
        tenure.missed += 1
        _in_a_row(work, table, turn, tenure)


def _in_a_row(work: Work, table: Table, turn: Turn, tenure: Tenure) -> None:
    """Tell the moderator of a second miss in a row; at the third, offer the seat to a substitute."""
    game = table.game
    titles = people.seat_titles(work, game)[tenure.seat]
    facts = {"turn": turn.number, "seat": tenure.seat, "titles": titles, "in_a_row": tenure.missed}
    cause = f"{turn.number}/r{turn.revision}/{tenure.seat}"
    if tenure.missed >= TELLS_MODERATOR:
        turns.tell_moderator(work, game, "missed-again", cause, facts, turn=turn.number)
    if tenure.missed == WANTS_SUBSTITUTE:
        _offer(work, table, facts, cause)


def _offer(work: Work, table: Table, facts: dict[str, Any], cause: str) -> None:
    """Offer a seat to those who watch the game."""
    query = select(Observer).where(Observer.game_id == table.game.id, col(Observer.until).is_(None))
    for observer in work.session.exec(query.order_by(col(Observer.id))):
        reader = Reader(
            name=observer.name,
            language="en" if observer.language == "en" else "ru",
            zone=observer.zone,
            address=observer.address,
            reply_to=work.config.service.address,
        )
        notice = Notice(
            kind="substitute-wanted", reader=reader, facts=facts, head=table.head, pin=logbook.pin(table.game)
        )
        outbox.queue(
            work,
            f"substitute-wanted/{table.game.tag}/{cause}/{observer.id}",
            observer.address,
            outbox.Envelope(notice=notice),
            game=table.game,
        )


def heard_from(work: Work, tenure: Tenure) -> None:
    """Note that the holder of a seat is there: his standing orders may play three turns more."""
    if tenure.automatic:
        tenure.automatic = tenure.missed = 0
        work.session.add(tenure)


def is_there(work: Work, row: Asked, _facts: dict[str, Any], _mail: Opened) -> None:
    """Do what a ``да`` to «are you there?» says."""
    if row.tenure_id is not None:
        heard_from(work, work.session.get_one(Tenure, row.tenure_id))
