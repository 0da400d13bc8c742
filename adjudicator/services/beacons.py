"""Dice by the beacon: which round a batch waits for, and its value once it is out (fair-play 3.2, rule B)."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import msgspec
from sqlmodel import col, select

from adjudicator.beacon import BeaconMissing
from adjudicator.fairplay import chain, events
from adjudicator.services import logbook, seeds
from adjudicator.services.work import House, Work
from adjudicator.storage.tables import Asking, Game, LogEntry, Turn
from engine.core.contract import Value

log = logging.getLogger("adjudicator")

PATIENCE: Final = timedelta(hours=1)
"""How long a round is asked for after it came out, before another one takes its place (rule B)."""

Fetch = Callable[[int], str]
"""Gives the beacon's text of a round, or raises `BeaconMissing`."""


class Awaited(Value, frozen=True):
    """A lock that waits for the value of its round."""

    game_id: int
    turn: int | None
    lock: int
    round: int


def round_for(game: Game, instant: datetime) -> int | None:
    """Return the first round that may serve a deadline, None where the dice are from phrases."""
    if not used(game):
        return None
    return chain.beacon_round(int(instant.timestamp()))


def used(game: Game) -> bool:
    """Say whether a game's dice come from the beacon."""
    return seeds.by_beacon(game)


def value(work: Work, game: Game, lock_seq: int) -> str:
    """Return the beacon's text that belongs to a lock, ``-`` while there is none."""
    for event in _beacons(work, game, lock_seq):
        if event.value is not None:
            return event.value
    return chain.NOTHING


def _beacons(work: Work, game: Game, lock_seq: int) -> list[events.Beacon]:
    """Return what the log says of a lock's round after it, in order."""
    query = (
        select(LogEntry.event)
        .where(LogEntry.game_id == game.id, LogEntry.seq > lock_seq, col(LogEntry.event).like('%"type":"beacon"%'))
        .order_by(col(LogEntry.seq))
    )
    found = [events.read_event(msgspec.json.decode(text)) for text in work.session.exec(query)]
    return [event for event in found if isinstance(event, events.Beacon) and event.lock == lock_seq]


def awaited(work: Work) -> list[Awaited]:
    """Return the locks of all games that wait for a value whose round is out, oldest first."""
    found = []
    for game, turn in _locked(work):
        lock = last_lock(work, turn) if turn is not None else start_lock(work, game)
        if not lock or value(work, game, lock) != chain.NOTHING:
            continue
        number = _round(work, game, lock)
        if number is not None and out(number) <= work.now:
            found.append(
                Awaited(game_id=game.id or 0, turn=turn.number if turn is not None else None, lock=lock, round=number)
            )
    return found


def _locked(work: Work) -> list[tuple[Game, Turn | None]]:
    starting = work.session.exec(select(Game).where(Game.status == "starting").order_by(col(Game.id))).all()
    query = (
        select(Game, Turn)
        .join(Turn, col(Turn.game_id) == col(Game.id))
        .where(Turn.status == "locked", col(Game.header).like('%"beacon"%'))
        .order_by(col(Turn.id))
    )
    running = [(game, turn) for game, turn in work.session.exec(query) if used(game)]
    return [*((game, None) for game in starting), *running]


def last_lock(work: Work, turn: Turn) -> int:
    """Return the sequence number of a turn's last lock: of its orders, or of the answers given since (fair-play D)."""
    query = select(Asking.lock_seq).where(Asking.turn_id == turn.id, col(Asking.lock_seq).is_not(None))
    latest = work.session.exec(query.order_by(col(Asking.number).desc()).limit(1)).first()
    return latest or turn.lock_seq or 0


def start_lock(work: Work, game: Game) -> int:
    """Return the sequence number of the lock of ``start``, the first of a game."""
    query = select(LogEntry.seq).where(LogEntry.game_id == game.id, col(LogEntry.event).like('%"type":"lock"%'))
    return work.session.exec(query.order_by(col(LogEntry.seq)).limit(1)).one()


def _round(work: Work, game: Game, lock_seq: int) -> int | None:
    """Return the round that a lock waits for: the one it names, or the last that took its place."""
    later = _beacons(work, game, lock_seq)
    if later:
        return later[-1].round
    entry = work.session.exec(select(LogEntry.event).where(LogEntry.game_id == game.id, LogEntry.seq == lock_seq)).one()
    number: int | None = msgspec.json.decode(entry).get("round")
    return number


def out(number: int) -> datetime:
    """Return the instant at which a round comes out."""
    return datetime.fromtimestamp(chain.round_time(number), UTC)


def waits(work: Work, game: Game, lock_seq: int) -> bool:
    """Say whether a lock still waits for its round."""
    return used(game) and value(work, game, lock_seq) == chain.NOTHING


def take_all(house: House, fetch: Fetch) -> int:
    """Fetch every value that is out and log it; return how many there were.

    It is fetched outside any transaction. One that no relay has an hour after it came out is given up for a round
    still to come: never for one that is out already (rule B).
    """
    with house.look() as work:
        waiting = awaited(work)
    return sum(_take(house, one, fetch) for one in waiting)


def _take(house: House, one: Awaited, fetch: Fetch) -> bool:
    text: str | None = None
    try:
        text = fetch(one.round)
    except BeaconMissing as trouble:
        log.warning("round %s of the beacon cannot be had: %s", one.round, trouble)
        if house.clock.now() < out(one.round) + PATIENCE:
            return False
    with house.unit("beacon") as work:
        game = work.game_by_id(one.game_id)
        if one not in awaited(work):
            return False
        number = one.round if text is not None else chain.beacon_round(int(work.now.timestamp()))
        _enter(work, game, one, number, text)
    return text is not None


def _enter(work: Work, game: Game, one: Awaited, number: int, text: str | None) -> None:
    at: dict[str, Any] = {"seq": 0, "at": logbook.at(work.now)}
    logbook.append(work, game, events.Beacon(**at, turn=one.turn, lock=one.lock, round=number, value=text))
