"""What each reader is told of a turn: the values of reports, cut to what he may know (play-by-mail 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from adjudicator.clock import iso
from adjudicator.fairplay import lots, record
from adjudicator.fairplay.chain import NOTHING
from adjudicator.letters import Closing, DieThrown, Pin, Reader, Report, SeatStatus
from adjudicator.services import corrections, farewells, forum, logbook, outbox, people, positions, press
from adjudicator.services.positions import Position, Table
from adjudicator.services.seeds import Spoken
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Tenure, Turn
from engine.core import codec
from engine.core.contract import EVERYONE, MODERATOR, PUBLIC, Event, Outcome, Seat, State, Value
from engine.core.dice import MAIN, Throw
from mail.addresses import canonical


class Told(Value, frozen=True):
    """What came of a batch, for the letters: events, dice, phrases or beacon, and the seeds opened with it.

    ``answered`` are the phrases of the batches that came with answers (fair-play D).
    """

    events: tuple[Any, ...] = ()
    dice: tuple[Throw, ...] = ()
    spoken: Spoken = Spoken(phrases={}, sent=())
    answered: tuple[Spoken, ...] = ()
    seeds: tuple[tuple[str, int, str], ...] = ()
    turn: int | None = None
    revision: int = 0
    beacon: str = NOTHING


def thrown(
    at: Table, state: State, throws: Sequence[Throw], seat: Seat, happened: Sequence[Event]
) -> tuple[DieThrown, ...]:
    """Return the dice that a reader may see: those of ``main``, of open secrets and of secrets he knows.

    Dice of something that happened without his knowledge are left out, as it is.
    """
    known = {secret.name for secret in at.ruleset.secrets(state) if secret.open or seat in secret.audience}
    shown = []
    for throw, readers in record.read_by(happened, throws):
        if throw.stream != MAIN and throw.stream not in known:
            continue
        if readers != EVERYONE and seat not in (MODERATOR, *readers):
            continue
        lot = throw.address.startswith(f"{lots.LOT}/")
        key, facts = ("seats-lot", {}) if lot else at.ruleset.dice_purpose(throw.address)
        shown.append(DieThrown(**throw._asdict(), key=key, facts=facts))
    return tuple(shown)


def known_events(events: Sequence[Event], seat: Seat) -> tuple[str, ...]:
    """Return the events a reader may know, as JSON."""
    return tuple(codec.encode(event) for event in events if event.known_to(seat))


def report(
    work: Work,
    at: Table,
    state: State,
    reader: Reader,
    told: Told,
    now: Position | None,
    pins: tuple[Pin, Pin | None],
    ended: Outcome | None = None,
) -> Report:
    """Return what a reader is told of the batch that was resolved, and of the turn that is open now (None: the end).

    ``ended`` is how the game ended where that is not the rules' doing: by a draw, or broken off.
    """
    next_turn = now.turn if now else None
    seat = reader.seat or PUBLIC
    ruleset = at.ruleset
    view = ruleset.view(state, seat)
    owed = tuple(slot for slot in ruleset.owed(view) if slot.seat == reader.seat) if next_turn else ()
    language = reader.language
    own = now.seats.get(reader.seat) if now and reader.seat else None
    others = _others(work, at, reader.seat, told, now)
    return Report(
        head=at.head,
        reader=reader,
        turn=-1 if told.turn is None else told.turn,
        revision=told.revision,
        resolved_at=iso(work.now),
        view=codec.encode(view),
        events=known_events(told.events, seat),
        asked=tuple(codec.plain(slot) for slot in owed),
        examples=ruleset.examples(view, language) if owed else (),
        template=ruleset.template(view, language) if owed else (),
        next_turn=next_turn.number if next_turn else -1,
        deadline=iso(next_turn.deadline) if next_turn else "",
        dice=thrown(at, state, told.dice, seat, told.events),
        phrases=tuple((row, one.phrases[row]) for one in (told.spoken, *told.answered) for row in one.sent),
        seeds=told.seeds,
        others=others,
        corrections=corrections.before(work, at.game, told.turn),
        pin=pins[0],
        prev_pin=pins[1],
        outcome=ended or ruleset.outcome(state),
        farewells=farewells.all_of(work, at.game) if now is None else (),
        press=press.published(work, at.game) if now is None else (),
        weak_chance=told.turn is not None and not told.spoken.phrases and told.beacon == NOTHING,
        judge_awaited=now is not None and now.waits_for_moderator,
        beacon="" if told.beacon == NOTHING else told.beacon,
        standing=tuple(ruleset.write(order, language, view) for order in own.folded.standing) if own else (),
    )


def readers(work: Work, at: Table) -> tuple[Tenure, ...]:
    """Return who gets a report of every turn: who holds a seat, and a moderator whom the rules ask like a seat."""
    judge = people.moderator(work, at.game) if at.ruleset.info.moderated else None
    return (*people.tenures(work, at.game), *([judge] if judge is not None else []))


def send(
    work: Work,
    at: Table,
    state: State,
    told: Told,
    next_turn: Turn | None,
    tenures: Sequence[Tenure],
    cause: str,
    *,
    ended: Outcome | None = None,
    closing: Closing | None = None,
    again: bool = False,
) -> None:
    """Queue one report for each holder of a seat; the last letter carries the whole log.

    ``again``: it is for somebody who has come since; the public has had its own.
    """
    titles = people.seat_titles(work, at.game)
    now = positions.position(work, at.game, next_turn) if next_turn else None
    for tenure in tenures:
        reader = people.reader_of(work, at.game, tenure, titles)
        pins = (logbook.pin(at.game), logbook.pin_at(work, at.game, tenure.reported_seq))
        value = _closed(report(work, at, state, reader, told, now, pins, ended), closing)
        outbox.queue(
            work,
            f"report/{at.game.tag}/{cause}/{tenure.seat}/{tenure.id}",
            reader.address,
            outbox.Envelope(
                report=value,
                log_after=0 if next_turn is None else tenure.reported_seq,
                log_to=at.game.seq,
            ),
            game=at.game,
            tenure=tenure,
            turn=next_turn.number if next_turn else told.turn,
            opening=next_turn is not None,
        )
        tenure.reported_seq = at.game.seq
        work.session.add(tenure)
    if again:
        return
    _send_public(work, at, state, told, now, cause, ended, closing)


def _closed(made: Report, closing: Closing | None) -> Report:
    return made if closing is None else msgspec.structs.replace(made, closing=closing)


# The public report ----------------------------------------------------------------------------------------------------


def public(
    work: Work,
    at: Table,
    state: State,
    reader: Reader,
    told: Told,
    now: Position | None,
    pins: tuple[Pin, Pin | None],
    ended: Outcome | None = None,
) -> Report:
    """Return what everybody may be told, in the words of a reader without a seat.

    Who has sent orders is left out, for at the time of a report nobody has; in the opening letter the players' names
    stand there, if the game shows them. Raises ValueError for a reader with a seat.
    """
    if reader.seat:
        raise ValueError(f"{reader.seat!r} is not public")
    made = report(work, at, state, reader, told, now, pins, ended)
    return made if told.turn is None else msgspec.structs.replace(made, others=())


def _others(work: Work, at: Table, seat: Seat, told: Told, now: Position | None) -> tuple[SeatStatus, ...]:
    """Return who plays in the opening letter of a game that shows names, else who is in; the last one has a list."""
    if now is None:
        return ()
    if told.turn is not None:
        return positions.statuses(work, now, seat)[0]
    return _named(work, at.game) if at.header.names == "shown" else ()


def _named(work: Work, game: Game) -> tuple[SeatStatus, ...]:
    """Return who holds which seat."""
    titles = people.seat_titles(work, game)
    return tuple(
        SeatStatus(seat=one.seat, titles=titles[one.seat], name=people.player(work, one.player_id).name)
        for one in people.tenures(work, game)
    )


def _send_public(
    work: Work,
    at: Table,
    state: State,
    told: Told,
    now: Position | None,
    cause: str,
    ended: Outcome | None,
    closing: Closing | None,
) -> None:
    """Queue the public report for every observer, and the moderator's copy with the forum editions.

    Observers get the public lines of the log and its openings; the copy carries none, and is the operators' where the
    game has no moderator.
    """
    game, last = at.game, now is None
    turn = now.turn.number if now else told.turn
    for observer in people.observers(work, game):
        reader = people.observer_reader(work, game, observer)
        pins = (logbook.pin(game), logbook.pin_at(work, game, observer.reported_seq))
        outbox.queue(
            work,
            f"report/{game.tag}/{cause}/observer/{observer.id}",
            reader.address,
            outbox.Envelope(
                report=_closed(public(work, at, state, reader, told, now, pins, ended), closing),
                log_after=0 if last else observer.reported_seq,
                log_to=game.seq,
            ),
            game=game,
            turn=turn,
        )
        observer.reported_seq = game.seq
        work.session.add(observer)
    for reader in posters(work, at):
        made = _closed(public(work, at, state, reader, told, now, (logbook.pin(game), None), ended), closing)
        outbox.queue(
            work,
            f"public/{game.tag}/{cause}/{reader.address}",
            reader.address,
            outbox.Envelope(report=msgspec.structs.replace(made, forum=forum.boards())),
            game=game,
            turn=turn,
        )


def posters(work: Work, at: Table) -> list[Reader]:
    """Return who gets the public report to post it: the moderator, or the operators where there is none."""
    tenure = people.moderator(work, at.game)
    if tenure is not None:
        return [people.moderator_reader(work, at.game, tenure)]
    return [outbox.operator(work, canonical(address)) for address in work.config.service.operators]
