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
from adjudicator.services import beacons, logbook, outbox, people, positions, readings, reports, schedule, seeds, timing
from adjudicator.services.positions import Position, Table
from adjudicator.services.reports import Told
from adjudicator.services.work import House, Work
from adjudicator.storage.tables import Game, LogEntry, Mail, Mailbox, MailGame, Turn
from engine.core.contract import Seat, Sheet, State
from engine.core.dice import MAIN
from mail.addresses import canonical

RETRY = (60, 300, 1800)
"""Seconds to the next try of a turn that raised (play-by-mail 1, state ``stuck``)."""

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
) -> Turn:
    """Open a turn and tell every holder of a seat; the first has twice the usual time (play-by-mail 0)."""
    game = table.game
    plan = schedule.for_phase(
        schedule.parse(table.header.schedule, table.header.zone), table.header.phases.get(table.ruleset.phase(state))
    )
    deadline = schedule.next_deadline(plan, work.now, times=2 if first else 1)
    turn = work.add(
        Turn(
            game_id=game.id or 0,
            number=number,
            phase=table.ruleset.phase(state),
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
    reports.send(work, table, state, told, turn, people.tenures(work, game), cause)
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


def moment(work: Work, now: Position, sources: Sequence[str]) -> timing.Moment:
    """Return what is known of an open turn, for `timing.decide`."""
    header, turn = now.table.header, now.turn
    return timing.Moment(
        now=work.now,
        deadline=turn.deadline,
        period=timedelta(seconds=turn.period),
        words={seat.seat: seat.word for seat in now.owing},
        told=_told(work, now),
        waits=any(now.seats[seat].folded.wait for seat in now.held),
        last_order=now.last_order,
        early=header.early,
        cool_off=timedelta(seconds=header.cool_off),
        margin=timedelta(seconds=work.config.times.margin),
        good=last_good_poll(work, sources),
        unread=positions.unread_since(work),
    )


def _told(work: Work, now: Position) -> dict[Seat, datetime | None]:
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
    """Say whether an open turn cannot lock at its deadline because a seat was not told: the deadline will move."""
    return None in _told(work, positions.position(work, game, turn)).values()


def last_good_poll(work: Work, sources: Sequence[str]) -> datetime | None:
    """Return when the last good poll of the slowest source began, None if one was never read."""
    boxes = work.session.exec(select(Mailbox).where(col(Mailbox.name).in_(sources))).all()
    good = [box.good for box in boxes if box.good is not None]
    return min(good) if good and len(good) == len(sources) else None


def due(work: Work) -> list[int]:
    """Return the open turns to look at now, oldest first."""
    query = select(Turn.id).where(Turn.status == "open", Turn.check <= work.now).order_by(col(Turn.id))
    return [turn_id for turn_id in work.session.exec(query) if turn_id is not None]


def look_after_all(house: House, sources: Sequence[str]) -> int:
    """Lock every open turn whose time has come, or move its deadline; return how many were looked at."""
    with house.look() as work:
        found = due(work)
    for turn_id in found:
        try:
            _look_after_one(house, turn_id, sources)
        except Exception as trouble:  # noqa: BLE001 - a damaged row or a ruleset that raises must not stop other games
            set_back(house, turn_id, trouble)
    return len(found)


def _look_after_one(house: House, turn_id: int, sources: Sequence[str]) -> None:
    with house.unit("lock") as work:
        turn = work.session.exec(select(Turn).where(Turn.id == turn_id)).one()
        game = work.game_by_id(turn.game_id)
        work.session.refresh(turn)
        if turn.status == "open":
            look_after(work, game, turn, sources)
            turn.trouble, turn.attempts = "", 0


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


def look_after(work: Work, game: Game, turn: Turn, sources: Sequence[str]) -> timing.Verdict:
    """Lock an open turn if its time has come, or move its deadline; return what was decided."""
    verdict = timing.decide(moment(work, positions.position(work, game, turn), sources))
    if isinstance(verdict, timing.LockNow):
        lock(work, game, turn, verdict.arrived_by, early=verdict.early)
    elif isinstance(verdict, timing.MoveDeadline):
        move_deadline(work, game, turn, verdict.deadline, "told-late")
    else:
        turn.check = verdict.until
        work.session.add(turn)
    return verdict


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
    parts = record.lock_parts(ruleset, now.state, orders, origins)
    audience = {secret.name: secret.audience for secret in ruleset.secrets(now.state)}
    spoken = seeds.spoken(work, game, turn.batch)
    roster = opened_roster(work, game, turn)
    decided = decided_at(work, game, arrived_by) if early else None
    entry = append_lock(
        work,
        game,
        events.Lock(
            seq=0,
            at=logbook.at(work.now),
            turn=turn.number,
            batch=turn.batch,
            streams={MAIN: turn.batch},
            rows={MAIN: {row: spoken.row(row) for row in roster}},
            phrases={row: spoken.phrases[row] for row in spoken.sent if row in roster},
            round=beacons.round_for(game, decided or turn.deadline),
            decided=logbook.at(decided) if decided else None,
        ),
        parts,
        _audience_of(now, orders, audience),
    )
    turn.orders = work.vault.seal_value(parts)
    turn.status, turn.locked, turn.lock_seq = "locked", arrived_by, entry.seq
    work.session.add(turn)


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
    """Give an open turn another deadline, and tell everybody; reminders follow the new one."""
    before, turn.deadline, turn.check = turn.deadline, deadline, work.now
    work.session.add(turn)
    logbook.append(
        work,
        game,
        events.Deadline(
            seq=0,
            at=logbook.at(work.now),
            turn=turn.number,
            batch=turn.batch,
            deadline=iso(deadline),
            reason=reason,
            round=beacons.round_for(game, deadline),
        ),
    )
    tell_all(
        work,
        positions.table(game),
        "deadline-moved",
        f"{turn.number}/{iso(deadline)}",
        {"turn": turn.number, "before": iso(before), "deadline": iso(deadline), "reason": reason, **facts},
    )


WINDOW: Final = timedelta(hours=12)
"""By which a window is prolonged, once, if an order comes in its last `LAST_HOURS` (play-by-mail 1.8)."""
LAST_HOURS: Final = timedelta(hours=6)


def prolong_window(work: Work, game: Game, turn: Turn, arrival: datetime) -> None:
    """Prolong a phase of kind ``window`` once by 12 h, if an order that counts came in its last 6 h (1.8)."""
    if turn.phase == "window" and not turn.prolonged and turn.deadline - LAST_HOURS <= arrival <= turn.deadline:
        turn.prolonged = True
        move_deadline(work, game, turn, turn.deadline + WINDOW, "window")


def tell_all(work: Work, table: Table, kind: str, cause: str, facts: dict[str, Any]) -> None:
    """Queue a notice for every holder of a seat."""
    titles = people.seat_titles(work, table.game)
    for tenure in people.tenures(work, table.game):
        reader = people.reader_of(work, table.game, tenure, titles)
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
    """Move the deadline of a named open turn (play-by-mail 1.9). Raises `RefusedByRules` if that turn is not open."""
    turn = named_turn(work, game, number)
    move_deadline(work, game, turn, turn.deadline + span, "extended")
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
    """Lock a named open turn at once. Raises `RefusedByRules` if that turn is not open."""
    turn = named_turn(work, game, number)
    last = positions.position(work, game, turn).last_order  # a mail server's clock may be ahead of ours
    lock(work, game, turn, max(work.now, last or work.now), early=True)
    return turn
