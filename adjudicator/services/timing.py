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

    ``words`` and ``told`` list the seats that owe orders and are still heard; ``told`` is when the seat's opening
    letter was accepted by SMTP. ``good`` is when the last successful poll of the slowest source of the game began;
    ``unread`` the earliest arrival of a mail without a verdict.

    ``late`` are the seats without orders by the deadline that the turn may be kept open for, ``held`` those of them
    whose only mail is held, ``silent`` those of them that have sent nothing since. ``missed`` and ``grace`` are the
    game's policy (1.7); ``frozen`` is when the seats that were in were closed, None before; ``let_go``: the moderator
    lets the turn go on without the rest. ``ruling``: only the moderator owes, and has not sent it (1.8). ``judged``:
    there is a moderator apart who may decide about seats without orders.
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
    late: tuple[Seat, ...] = ()
    held: tuple[Seat, ...] = ()
    silent: tuple[Seat, ...] = ()
    missed: Literal["go", "wait", "moderator"] = "go"
    grace: timedelta = timedelta(days=1)
    frozen: datetime | None = None
    let_go: bool = False
    ruling: bool = False
    paused: bool = False
    judged: bool = True


class LockNow(Value, frozen=True):
    """The turn locks; what came by ``arrived_by`` counts: the deadline, or, ``early``, the start of the last poll."""

    arrived_by: datetime
    early: bool


class MoveDeadline(Value, frozen=True):
    """The deadline moves, since a seat was told too late (1.4)."""

    deadline: datetime
    seats: tuple[Seat, ...]


class GiveGrace(Value, frozen=True):
    """Late seats may send until ``until``; those that were in at the deadline are closed (1.7).

    ``held``: it is given for a held mail alone (4), whatever the game's policy.
    """

    until: datetime
    seats: tuple[Seat, ...]
    held: bool


class AskModerator(Value, frozen=True):
    """The moderator decides about seats without orders: orders for them, more time, or the turn goes on (1.7)."""

    seats: tuple[Seat, ...]


class NotYet(Value, frozen=True):
    """The turn stays open, because of ``reason``; nothing changes before ``until`` unless something arrives."""

    reason: Literal["clock", "not-told", "poll", "unread", "moderator", "paused"]
    until: datetime


Verdict: TypeAlias = LockNow | MoveDeadline | GiveGrace | AskModerator | NotYet

LOOK_AGAIN = timedelta(hours=1)
"""When to look again at a turn that only a person can move on."""


def decide(moment: Moment) -> Verdict:
    """Return what becomes of an open turn now."""
    if moment.paused:
        return NotYet(reason="paused", until=moment.now + LOOK_AGAIN)
    early = _early_from(moment)
    if early is not None and early <= moment.now:
        return _read_up_to(moment, early, early=True)
    if moment.frozen is not None and not moment.words:  # who was waited for has confirmed his held mail
        return _read_up_to(moment, moment.frozen, early=True)
    moved = _not_told(moment)
    if moved is not None:
        return moved
    if moment.now < moment.deadline:
        soon = _early_from(moment)
        return NotYet(reason="clock", until=min(moment.deadline, soon) if soon else moment.deadline)
    return _at_deadline(moment)


def _at_deadline(moment: Moment) -> Verdict:
    """Return what becomes of a turn whose deadline has passed: only ``no orders`` keeps it open (1.7)."""
    read = _read_up_to(moment, moment.deadline, early=False)
    if not isinstance(read, LockNow):
        return read
    if moment.ruling:
        return NotYet(reason="moderator", until=moment.now + LOOK_AGAIN)
    if moment.let_go:
        return read
    if moment.late and moment.frozen is None and (moment.held or moment.missed == "wait"):
        only_held = moment.missed != "wait"
        until = moment.deadline + moment.grace
        return GiveGrace(until=until, seats=moment.held if only_held else moment.late, held=only_held)
    if moment.silent and moment.missed != "go" and moment.judged:
        return AskModerator(seats=moment.silent)
    if moment.last_order is not None and moment.last_order > moment.deadline:  # sent while the turn was kept open
        return _read_up_to(moment, moment.last_order + moment.cool_off, early=True)
    return read


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
    if moment.good is None or not needed <= moment.good <= moment.now:  # a poll in the future: the clock went back
        return NotYet(reason="poll", until=max(needed, moment.now))
    arrived_by = moment.good if early else instant
    if moment.unread is not None and moment.unread <= arrived_by:
        return NotYet(reason="unread", until=moment.now)
    return LockNow(arrived_by=arrived_by, early=early)
