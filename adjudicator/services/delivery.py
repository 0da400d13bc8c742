"""Handing letters over: claimed and committed before they are sent, marked after the server's 250 (play-by-mail 7)."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta

from adjudicator import failpoint
from adjudicator.clock import iso
from adjudicator.services import bounces, failing, outbox, turns
from adjudicator.services.outbox import HandOver
from adjudicator.services.work import House, Work
from adjudicator.storage.tables import Letter
from mail.smtp import Outcome, Session, SmtpServer

log = logging.getLogger("adjudicator")

BATCH = 20
HOUR = timedelta(hours=1)
ALARM = "breaker"
"""The kind of the letter that calls the operators when the breaker opens."""


async def deliver(house: House, server: SmtpServer, owner: str) -> int:
    """Hand over the letters that are due on one connection; return how many were accepted.

    The breaker stops sending, never reading: over the hourly limit nothing is claimed but the alarm. A server that
    cannot be reached is not asked again for each letter, and no letter is sent on a lease that may have run out.
    """
    claimed = _claim(house, owner)
    accepted = 0
    if not claimed:
        return 0
    until = house.clock.now() + timedelta(seconds=house.config.times.lease) / 2
    async with Session(server) as session:
        for place, letter in enumerate(claimed):
            failpoint.reach("send:before")
            outcome = await session.send(house.config.service.address, letter.address, letter.raw)
            failpoint.reach("send:after")
            accepted += outcome.result == "accepted"
            _record(house, letter, outcome)
            rest = claimed[place + 1 :]
            if outcome.retry == "pause" or house.clock.now() > until:
                _give_back(house, rest)
                break
            if outcome.result == "deferred" and outcome.stage in ("connect", "login"):
                for other in rest:
                    _record(house, other, outcome)
                break
    return accepted


def _claim(house: House, owner: str) -> tuple[HandOver, ...]:
    """Claim what may be sent now; where so much was sent within the hour that none may, the operators are called."""
    with house.look() as work:
        if not outbox.any_due(work) or outbox.paused(work) is not None:
            return ()
    with house.unit("claim") as work:
        room = work.config.limits.letters_per_hour - outbox.sent_within(work, HOUR)
        if room > 0:
            return outbox.claim(work, owner, min(BATCH, room))
        _alarm(work)
        return outbox.claim(work, owner, BATCH, kind=ALARM)


def _alarm(work: Work) -> None:
    """Tell the operators that the breaker has opened, once a day: it is the one letter that passes it."""
    day = work.now.date().isoformat()
    known = [outbox.is_queued(work, f"{ALARM}/{day}/{address}") for address in work.config.service.operators]
    if not all(known) or not known:
        log.error("%s letters within the hour: sending rests, reading goes on", work.config.limits.letters_per_hour)
    if not all(known):
        facts = {"limit": work.config.limits.letters_per_hour, "count": outbox.waiting(work)}
        turns.tell_operators(work, ALARM, day, facts)


def _record(house: House, letter: HandOver, outcome: Outcome) -> None:
    trouble = f"{outcome.stage} {outcome.code} {outcome.text}".strip()
    with house.unit("sent") as work:
        match outcome.result:
            case "accepted":
                outbox.handed_over(work, letter)
            case "refused":
                row = outbox.refused(work, letter, trouble)
                if not failing.note(work, row.address) or row.opening:
                    _tell(work, row, trouble)
            case "deferred" | "uncertain":
                pause = outcome.retry == "pause"
                row = outbox.put_off(work, letter, trouble, uncertain=outcome.result == "uncertain", pause=pause)
                if pause:  # no letter can tell of it now: the log does, and `game status`
                    log.error("the submission server refuses us, nothing is sent until %s: %s", iso(row.due), trouble)
                if pause or row.status == "failed":
                    _tell(work, row, trouble)


def _tell(work: Work, row: Letter, trouble: str) -> None:
    """Tell the operators, once, of a letter that was refused or given up; never of such a notice itself."""
    if row.kind not in bounces.ABOUT_FAILURES:
        facts = {"address": row.address, "seat": row.seat, "turn": row.turn, "why": trouble, "opening": row.opening}
        turns.tell_operators(work, "refused-letter", f"{row.id}", facts)


def _give_back(house: House, rest: Sequence[HandOver]) -> None:
    with house.unit("give-back") as work:
        outbox.give_back(work, rest)
