"""When an open turn locks, decided from facts alone (play-by-mail 1.2, 1.3, 1.4)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

from adjudicator.letters import SeatWord
from adjudicator.services.schedule import min_notice
from engine.core.contract import Seat, Value


class Moment(Value, frozen=True):
    """What is known of an open turn at an instant.

    ``words`` and ``told`` list the seats that owe orders; ``told`` is when the seat's opening letter was accepted by
    SMTP. ``good`` is when the last successful poll of the slowest source of the game began; ``unread`` the earliest
    arrival of a mail without a verdict.
    """

    now: datetime
    deadline: datetime
    period: timedelta
    words: Mapping[Seat, SeatWord]
    told: Mapping[Seat, datetime | None]
    waits: bool
    last_order: datetime | None
    early: Literal["ready", "in", "never"]
    cool_off: timedelta
    margin: timedelta
    good: datetime | None
    unread: datetime | None


class LockNow(Value, frozen=True):
    """The turn locks; what came by ``arrived_by`` counts: the deadline, or, ``early``, the start of the last poll."""

    arrived_by: datetime
    early: bool


class MoveDeadline(Value, frozen=True):
    """The deadline moves, since a seat was told too late (1.4)."""

    deadline: datetime
    seats: tuple[Seat, ...]


class NotYet(Value, frozen=True):
    """The turn stays open, because of ``reason``; nothing changes before ``until`` unless something arrives."""

    reason: Literal["clock", "not-told", "poll", "unread"]
    until: datetime


Verdict: TypeAlias = LockNow | MoveDeadline | NotYet


def decide(moment: Moment) -> Verdict:
    """Return what becomes of an open turn now."""
    early = _early_from(moment)
    if early is not None and early <= moment.now:
        return _read_up_to(moment, early, early=True)
    moved = _not_told(moment)
    if moved is not None:
        return moved
    if moment.now < moment.deadline:
        soon = _early_from(moment)
        return NotYet(reason="clock", until=min(moment.deadline, soon) if soon else moment.deadline)
    return _read_up_to(moment, moment.deadline, early=False)


def _early_from(moment: Moment) -> datetime | None:
    """Return the instant from which the turn may lock early, None where it may not (1.2)."""
    enough = {"ready": ("ready",), "in": ("ready", "orders in"), "never": ()}[moment.early]
    if moment.waits or not moment.words or any(word not in enough for word in moment.words.values()):
        return None
    if moment.last_order is None or moment.last_order + moment.cool_off >= moment.deadline:
        return None
    return moment.last_order + moment.cool_off


def _not_told(moment: Moment) -> MoveDeadline | NotYet | None:
    """Return the move or the waiting that a letter accepted too late asks for (1.4)."""
    untold = [seat for seat, told in moment.told.items() if told is None]
    if untold:
        return (
            NotYet(reason="not-told", until=max(moment.now, moment.deadline)) if moment.now >= moment.deadline else None
        )
    notice = min_notice(moment.period)
    late = {seat: told + notice for seat, told in moment.told.items() if told and told + notice > moment.deadline}
    if not late:
        return None
    return MoveDeadline(deadline=max(late.values()), seats=tuple(late))


def _read_up_to(moment: Moment, instant: datetime, *, early: bool) -> Verdict:
    """Return the lock, once everything that arrived by ``instant`` has surely been read (1.3)."""
    needed = instant + moment.margin
    if moment.good is None or moment.good < needed:
        return NotYet(reason="poll", until=max(needed, moment.now))
    arrived_by = moment.good if early else instant
    if moment.unread is not None and moment.unread <= arrived_by:
        return NotYet(reason="unread", until=moment.now)
    return LockNow(arrived_by=arrived_by, early=early)
