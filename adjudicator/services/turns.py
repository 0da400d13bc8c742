"""An open turn: opened, its deadline moved, locked with everybody's orders frozen (play-by-mail 1, fair-play 3.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec
from sqlmodel import col, select

from adjudicator.clock import iso
from adjudicator.errors import RefusedByRules
from adjudicator.fairplay import events, record
from adjudicator.letters import Notice
from adjudicator.services import (
    absences,
    beacons,
    logbook,
    outbox,
    people,
    positions,
    readings,
    reports,
    schedule,
    seeds,
)
from adjudicator.services.positions import Position, Table
from adjudicator.services.reports import Told
from adjudicator.services.work import House, Work
from adjudicator.storage.tables import Game, LogEntry, Mail, Mailbox, MailGame, Tenure, Turn
from engine.core import codec
from engine.core.contract import MODERATOR, Seat, Sheet, State
from engine.core.dice import MAIN
from mail.addresses import canonical

RETRY = (60, 300, 1800)
"""Seconds to the next try of a turn that raised (play-by-mail 1, state ``stuck``)."""

AT_ONCE: Final = "at-once"
"""The phase of a turn that is a moderator's command done at once (`services.interludes`)."""

# Opening --------------------------------------------------------------------------------------------------------------


def open_turn(
    work: Work,
    table: Table,
    number: int,
    state: State,
    standing: Mapping[Seat, Sheet],
    told: Told,
    *,
    first: bool = False,
    until: datetime | None = None,
) -> Turn:
    """Open a turn and tell every holder of a seat; the first has twice the usual time (play-by-mail 0).

    ``until`` is its deadline where that stands already.
    """
    game = table.game
    phase = table.ruleset.phase(state)
    plan = schedule.of_phase(table.header, phase)
    usual = schedule.next_deadline(plan, work.now, times=2 if first and phase not in table.header.phases else 1)
    deadline = until or absences.past(work, game, plan, usual, absences.owing(table, state))
    turn = work.add(
        Turn(
            game_id=game.id or 0,
            number=number,
            phase=phase,
            opened=work.now,
            deadline=deadline,
            period=int(plan.period.total_seconds()),
            check=work.now,
            batch=game.next_batch,
            state=work.vault.seal_value(state),
            standing=work.vault.seal_value(standing),
        )
    )
    game.next_batch += 1
    work.forget("current", game.id)
    roster = _roster(work, game)
    logbook.append(
        work,
        game,
        events.Open(
            seq=0,
            at=logbook.at(work.now),
            turn=number,
            batch=turn.batch,
            roster=roster,
            deadline=iso(deadline),
            round=beacons.round_for(game, deadline),
        ),
    )
    cause = "start" if first else f"{told.turn}/r{told.revision}"
    reports.send(work, table, state, told, turn, reports.readers(work, table), cause)
    return turn


def _roster(work: Work, game: Game) -> tuple[Seat, ...]:
    return tuple(sorted(tenure.seat for tenure in people.tenures(work, game)))


def opened_roster(work: Work, game: Game, turn: Turn) -> tuple[Seat, ...]:
    """Return the rows of a turn's batch: the seats that were held as it opened, whatever has become of them since."""
    query = select(LogEntry.event).where(LogEntry.game_id == game.id, col(LogEntry.event).like('%"type":"open"%'))
    for event in work.session.exec(query.order_by(col(LogEntry.seq).desc())):
        found = msgspec.json.decode(event)
        if found["type"] == "open" and found["batch"] == turn.batch:
            return tuple(found["roster"])
    raise LookupError(f"batch {turn.batch} of {game.tag} was never opened")


# Locking --------------------------------------------------------------------------------------------------------------


def append_lock(
    work: Work,
    game: Game,
    event: events.Lock,
    parts: Mapping[str, Any] | None = None,
    audience: Mapping[str, tuple[Seat, ...]] | None = None,
) -> record.Entry:
    """Append a lock with the hashes of all mails received for it since the lock before (fair-play 3.6)."""
    query = (
        select(MailGame, Mail.sha256)
        .join(Mail, col(Mail.id) == col(MailGame.mail_id))
        .where(MailGame.game_id == game.id, col(MailGame.lock_seq).is_(None))
    )
    received = work.session.exec(query).all()
    mails = tuple(sorted({sha for _, sha in received}))
    entry = logbook.append(work, game, msgspec.structs.replace(event, mails=mails), parts=parts, audience=audience)
    for row, _ in received:
        row.lock_seq = entry.seq
        work.session.add(row)
    return entry


def told(work: Work, now: Position) -> dict[Seat, datetime | None]:
    """Return when each seat that owes was told, None if it was not (play-by-mail 1.4).

    A seat whose letter failed and that has written for this turn all the same knows of it.
    """
    game, turn = now.table.game, now.turn
    sent = dict(outbox.openings(work, game, turn.number))
    wrote: dict[Seat, datetime] = {}
    for row in sorted(readings.of_turn(work, game, turn.number), key=lambda row: row.arrival, reverse=True):
        if not row.late:
            wrote[row.seat] = row.arrival
    held = set(_roster(work, game))
    return {seat.seat: sent.get(seat.seat) or wrote.get(seat.seat) for seat in now.owing if seat.seat in held}


def waits_to_be_told(work: Work, game: Game, turn: Turn) -> bool:
    """Say whether no deadline locks an open turn: a seat was not told, so it will move, or the moderator is awaited."""
    now = positions.position(work, game, turn)
    return now.waits_for_moderator or None in told(work, now).values()


def last_good_poll(work: Work, sources: Sequence[str]) -> datetime | None:
    """Return when the last good poll of the slowest source began, None if one was never read."""
    boxes = work.session.exec(select(Mailbox).where(col(Mailbox.name).in_(sources))).all()
    good = [box.good for box in boxes if box.good is not None]
    return min(good) if good and len(good) == len(sources) else None


def set_back(house: House, turn_id: int, trouble: Exception) -> None:
    """Set back an open turn that cannot be looked at.

    It is tried again after 1, 5 and 30 min, then half-hourly; at the fourth failure the operators are told.
    """
    with house.unit("trouble") as work:
        turn = work.session.exec(select(Turn).where(Turn.id == turn_id)).one()
        turn.trouble, turn.attempts = f"{type(trouble).__name__}: {trouble}"[:2000], turn.attempts + 1
        turn.check = work.now + timedelta(seconds=RETRY[min(turn.attempts, len(RETRY)) - 1])
        work.session.add(turn)
        if turn.attempts == len(RETRY) + 1:
            tag = work.session.exec(select(Game.tag).where(Game.id == turn.game_id)).one()
            facts = {"turn": turn.number, "cause": f"{tag}: {turn.trouble}"}
            tell_operators(work, "stuck-operator", f"{tag}/{turn.number}/open", facts)


def remind_moderator(work: Work, now: Position) -> datetime:
    """Remind the moderator of what he owes in an open turn, unless he has sent it; return when to look again."""
    turn, owed = now.turn, now.seats[MODERATOR]
    facts = {
        "turn": turn.number,
        "since": iso(turn.opened),
        "missing": [codec.plain(slot) for slot in owed.owed if slot.key in owed.missing and not slot.optional],
    }
    cause = f"{turn.number}/r{turn.revision}"
    silent = owed.word in ("no orders", "draft")
    return await_moderator(work, now.table, turn, turn.opened, cause, ("moderator-reminder", facts) if silent else None)


def await_moderator(
    work: Work, at: Table, turn: Turn, since: datetime, cause: str, reminder: tuple[str, dict[str, Any]] | None
) -> datetime:
    """Remind the moderator daily of what he alone owes since an instant, tell the players after three days (1.8).

    ``reminder`` is the kind and facts of the notice, None once he has answered. Returns when to look again.
    """
    days = (work.now - since) // DAY
    if reminder is not None and days:
        kind, facts = reminder
        tell_moderator(work, at.game, kind, f"{cause}/day-{days}", facts, turn=turn.number)
        if work.now - since >= PATIENCE:
            facts = {"turn": turn.number, "since": iso(since), "now": iso(work.now)}
            tell_all(work, at, "moderator-awaited", cause, facts)
    return since + (days + 1) * DAY


def lock(work: Work, game: Game, turn: Turn, arrived_by: datetime, *, early: bool) -> None:
    """Freeze the accepted orders that came by an instant, log everybody's commitment (play-by-mail 1, ``locked``)."""
    now = positions.position(work, game, turn, by=arrived_by)
    ruleset = now.table.ruleset
    orders: dict[Seat, Sheet] = {}
    origins: dict[Seat, dict[str, events.Origin]] = {}
    for seat in now.seats.values():
        silent = ruleset.silent(now.view(seat.seat), seat.filled)
        if not seat.filled and not silent:
            continue
        orders[seat.seat] = seat.filled + silent
        sent = {order.slot for order in seat.folded.sheet}
        origins[seat.seat] = {order.slot: "standing" for order in seat.filled if order.slot not in sent}
        origins[seat.seat] |= {order.slot: "silent" for order in silent}
        acted = positions.acted_slots(work, now.table, turn, seat.seat, arrived_by)
        origins[seat.seat] |= dict.fromkeys(sorted(acted & sent), "moderator")
    orders = _queued(work, now, orders, arrived_by)
    _freeze(work, now, orders, origins, decided_at(work, game, arrived_by) if early else None, arrived_by)


def _queued(work: Work, now: Position, orders: Mapping[Seat, Sheet], by: datetime) -> dict[Seat, Sheet]:
    """Say in the orders for which that counts whose came first: by the arrival of the mails that brought them."""
    came = [
        (place, seat, order.slot)
        for seat, sheet in orders.items()
        for order in sheet
        if order.queues
        for place in [positions.place_of(work, now.table, now.turn, seat, order, by)]
        if place is not None
    ]
    places = {(seat, slot): number for number, (_, seat, slot) in enumerate(sorted(came), 1)}
    return {
        seat: tuple(
            msgspec.structs.replace(order, arrival=places[seat, order.slot]) if (seat, order.slot) in places else order
            for order in sheet
        )
        for seat, sheet in orders.items()
    }


def lock_at_once(work: Work, game: Game, turn: Turn, commands: Sheet) -> None:
    """Lock an open turn over the moderator's commands alone, as a turn of its own; what the seats said waits."""
    now = positions.position(work, game, turn)
    arrived_by = max(work.now, now.last_order or work.now)
    turn.phase = AT_ONCE
    _freeze(work, now, {MODERATOR: commands}, {}, decided_at(work, game, arrived_by), arrived_by)


def _freeze(
    work: Work,
    now: Position,
    orders: Mapping[Seat, Sheet],
    origins: Mapping[Seat, Mapping[str, events.Origin]],
    decided: datetime | None,
    arrived_by: datetime,
) -> None:
    """Log the lock of a turn over these orders, and keep them as it froze them."""
    game, turn, ruleset = now.table.game, now.turn, now.table.ruleset
    parts = record.lock_parts(ruleset, now.state, orders, origins)
    audience = {secret.name: secret.audience for secret in ruleset.secrets(now.state)}
    event = lock_event(work, game, turn.number, turn.batch, opened_roster(work, game, turn), turn.deadline, decided)
    event = msgspec.structs.replace(event, at_once=turn.phase == AT_ONCE)
    entry = append_lock(work, game, event, parts, _audience_of(now, orders, audience))
    turn.orders = work.vault.seal_value(parts)
    turn.status, turn.locked, turn.lock_seq = "locked", arrived_by, entry.seq
    work.session.add(turn)


def goes_on(turn: Turn) -> bool:
    """Say whether a turn became a command that is being done: what the seats say for it is said for the next."""
    return turn.phase == AT_ONCE and turn.resolved is None


def gone_on(work: Work, game: Game, number: int) -> int:
    """Return the turn that goes on with the orders of a turn: another, where that became a command done at once."""
    while (turn := positions.turn(work, game, number)) is not None and turn.phase == AT_ONCE and turn.resolved:
        number += 1
    return number


def lock_event(
    work: Work,
    game: Game,
    turn: int,
    batch: int,
    roster: Sequence[Seat],
    deadline: datetime,
    decided: datetime | None,
    question: int | None = None,
) -> events.Lock:
    """Return the lock of a batch of ``main``: of a turn's orders, or of the answers to ``question`` (fair-play 3.6).

    ``roster`` are its rows; ``decided`` is when it was locked, if before its ``deadline``.
    """
    spoken = seeds.spoken(work, game, batch)
    return events.Lock(
        seq=0,
        at=logbook.at(work.now),
        turn=turn,
        batch=batch,
        streams={MAIN: batch},
        rows={MAIN: {row: spoken.row(row) for row in roster}},
        phrases={row: spoken.phrases[row] for row in spoken.sent if row in roster},
        round=beacons.round_for(game, decided or deadline),
        decided=logbook.at(decided) if decided else None,
        question=question,
    )


def decided_at(work: Work, game: Game, arrived_by: datetime) -> datetime:
    """Return the instant an early lock states: what had arrived by then counts.

    With the beacon it is now, for the round must be still to come (fair-play B).
    """
    return max(arrived_by, work.now) if seeds.by_beacon(game) else arrived_by


def _audience_of(
    now: Position, orders: Mapping[Seat, Sheet], audience: Mapping[str, tuple[Seat, ...]]
) -> dict[str, tuple[Seat, ...]]:
    """Return who may open the secret parts of a lock: those who will know the secret, its writer among them."""
    found: dict[str, tuple[Seat, ...]] = {}
    for seat, sheet in orders.items():
        for name in now.table.ruleset.seal(now.state, seat, sheet):
            found[name] = tuple(dict.fromkeys((*audience.get(name, ()), seat)))
    return found


def move_deadline(work: Work, game: Game, turn: Turn, deadline: datetime, reason: str, **facts: Any) -> None:
    """Give an open turn another deadline, and tell everybody; reminders follow the new one.

    Where it moves for a reason of ours, it goes past the absences that it then touches (play-by-mail 1.7).
    """
    if reason in ("outage", "told-late", "clock"):
        deadline = past_absences(work, game, turn, deadline)
    before = turn.deadline
    put_deadline(work, game, turn, deadline, reason)
    tell_all(
        work,
        positions.table(game),
        "deadline-moved",
        f"{turn.number}/{iso(deadline)}",
        {"turn": turn.number, "before": iso(before), "deadline": iso(deadline), "reason": reason, **facts},
    )


DAY: Final = timedelta(days=1)
PATIENCE: Final = timedelta(hours=72)
"""After which the players are told that only the moderator is awaited (play-by-mail 1.8)."""
WINDOW: Final = timedelta(hours=12)
"""By which a window is prolonged, once, if an order comes in its last `LAST_HOURS` (play-by-mail 1.8)."""
LAST_HOURS: Final = timedelta(hours=6)


def prolong_window(work: Work, game: Game, turn: Turn, arrival: datetime) -> None:
    """Prolong a phase of kind ``window`` once by 12 h, if an order that counts came in its last 6 h (1.8)."""
    if turn.phase == "window" and not turn.prolonged and turn.deadline - LAST_HOURS <= arrival <= turn.deadline:
        turn.prolonged = True
        move_deadline(work, game, turn, turn.deadline + WINDOW, "window")


def past_absences(work: Work, game: Game, turn: Turn, deadline: datetime) -> datetime:
    """Return a deadline for an open turn moved past the absences that it touches (play-by-mail 1.7)."""
    table = positions.table(game)
    owing = absences.owing(table, positions.state_of(work, table, turn))
    return absences.past(work, game, schedule.of_phase(table.header, turn.phase), deadline, owing)


def put_deadline(work: Work, game: Game, turn: Turn, deadline: datetime, reason: str) -> None:
    """Give an open turn another deadline, and log it; of a turn in its grace, the grace ends then."""
    turn.deadline, turn.check = deadline, work.now
    if turn.grace is not None:
        turn.grace = deadline
    work.session.add(turn)
    log_deadline(work, game, turn, deadline, reason)


def log_deadline(work: Work, game: Game, turn: Turn, deadline: datetime | None, reason: str) -> None:
    """Log the deadline of an open turn, None where no clock locks it any more."""
    logbook.append(
        work,
        game,
        events.Deadline(
            seq=0,
            at=logbook.at(work.now),
            turn=turn.number,
            batch=turn.batch,
            deadline=iso(deadline) if deadline is not None else None,
            reason=reason,
            round=beacons.round_for(game, deadline) if deadline is not None else None,
        ),
    )


def tell_all(work: Work, table: Table, kind: str, cause: str, facts: dict[str, Any]) -> None:
    """Queue a notice for every holder of a seat."""
    for tenure in people.tenures(work, table.game):
        tell(work, table, tenure, kind, cause, facts)


def tell(work: Work, table: Table, tenure: Tenure, kind: str, cause: str, facts: dict[str, Any]) -> None:
    """Queue a notice for the holder of a seat."""
    reader = people.reader_of(work, table.game, tenure, people.seat_titles(work, table.game))
    notice = Notice(kind=kind, reader=reader, facts=facts, head=table.head, pin=logbook.pin(table.game))
    outbox.queue(
        work,
        f"{kind}/{table.game.tag}/{cause}/{tenure.seat}/{tenure.id}",
        reader.address,
        outbox.Envelope(notice=notice),
        game=table.game,
        tenure=tenure,
        turn=facts.get("turn"),
    )


def tell_operators(work: Work, kind: str, cause: str, facts: dict[str, Any], game: Game | None = None) -> None:
    """Queue an urgent notice for every operator (play-by-mail 6)."""
    service = work.config.service
    for address in service.operators:
        notice = Notice(
            kind=kind,
            reader=outbox.operator(work, address),
            facts=facts,
            head=positions.table(game).head if game else None,
        )
        outbox.queue(work, f"{kind}/{cause}/{address}", canonical(address), outbox.Envelope(notice=notice), game=game)


def tell_moderator(
    work: Work, game: Game, kind: str, cause: str, facts: dict[str, Any], *, turn: int | None = None
) -> None:
    """Queue an urgent notice for the moderator of a game, for the operators where it has none (play-by-mail 6)."""
    tenure = people.moderator(work, game)
    if tenure is None:
        tell_operators(work, kind, f"{game.tag}/{cause}", facts, game)
        return
    reader = people.reader_of(work, game, tenure, {})
    notice = Notice(kind=kind, reader=reader, facts=facts, head=positions.table(game).head, pin=logbook.pin(game))
    outbox.queue(
        work,
        f"{kind}/{game.tag}/{cause}/{tenure.seat}/{tenure.id}",
        reader.address,
        outbox.Envelope(notice=notice),
        game=game,
        tenure=tenure,
        turn=turn,
    )


def extend(work: Work, game: Game, number: int, span: timedelta) -> Turn:
    """Move the deadline of a named open turn (play-by-mail 1.9). Raises `RefusedByRules` if that turn is not open.

    Of a turn that waits for the moderator to decide about its late seats, this gives them so much time from now (1.7).
    """
    turn = named_turn(work, game, number)
    since = turn.deadline
    if turn.frozen is not None:
        since = max(since, work.now)
        turn.grace = since + span
    move_deadline(work, game, turn, since + span, "extended")
    return turn


def named_turn(work: Work, game: Game, number: int) -> Turn:
    """Return the open turn a command is meant for; `RefusedByRules` if the game has moved on (play-by-mail 1.9)."""
    turn = positions.current(work, game)
    if turn is None or turn.number != number or turn.status != "open":
        raise RefusedByRules(
            "not-that-turn",
            turn=number,
            current=turn.number if turn else None,
            status=turn.status if turn else game.status,
        )
    return turn


def process(work: Work, game: Game, number: int) -> Turn:
    """Lock a named open turn at once. Raises `RefusedByRules` if that turn is not open, or the game stands still."""
    turn = named_turn(work, game, number)
    if game.paused is not None:
        raise RefusedByRules("paused", tag=game.tag)
    last = positions.position(work, game, turn).last_order  # a mail server's clock may be ahead of ours
    lock(work, game, turn, max(work.now, last or work.now), early=True)
    return turn
