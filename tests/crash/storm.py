"""Random kills of the real ``serve``: one process on SQLite, three on PostgreSQL; one answer in twenty is lost."""

from __future__ import annotations

import random
import tempfile
import time
from datetime import datetime, timedelta
from multiprocessing.process import BaseProcess
from pathlib import Path

from sqlmodel import select

from adjudicator.clock import MovedClock
from adjudicator.storage.tables import Mailbox
from tests.crash import audit, worker
from tests.crash.run import Ran, Servers, _database, processes
from tests.crash.scenario import START, FileClock, OrderMail, Place, account, instants, opened, order_mails
from tests.servers.smtp_sink import Fault, SmtpSink, Stage

QUIET = 120.0
"""Seconds without a kill in which the service must have done all there is to do."""
STEP = timedelta(minutes=1)


def run(servers: Servers, made: str, *, kills: int, processes: int, chance: random.Random) -> Ran:
    """Play two turns with ``serve``, killed so many times at random instants."""
    with tempfile.TemporaryDirectory(prefix="storm-") as name, SmtpSink() as sink:
        folder = Path(name)
        sink.script(Fault(Stage.BODY, hang_up=True, accepted=True, times=None, every=20))
        with _database(servers, made, folder) as url:
            user = servers.dovecot.new_user()
            place = Place(url, user.user, user.password, servers.dovecot.imap_port, sink.port, folder)
            return _Storm(servers, place, sink, processes, chance).play(kills)


class _Storm:
    def __init__(self, servers: Servers, place: Place, sink: SmtpSink, processes: int, chance: random.Random) -> None:
        self._servers = servers
        self._place = place
        self._sink = sink
        self._wanted = processes
        self._chance = chance
        self._clock = FileClock(place.clock_file)
        self._running: list[BaseProcess] = []
        self._kills = 0

    def play(self, kills: int) -> Ran:
        self._clock.move_to(START)
        mails: list[OrderMail] = []
        said: list[str] = []
        try:
            for number in (1, 2):
                with opened(self._place, MovedClock(START)) as house:
                    new = order_mails(house, number)
                    looks = instants(house, number)
                mails += new
                self._servers.dovecot.lay_down(account(self._place), [(one.raw, one.arrival) for one in new])
                self._through(looks, number, kills * number // 2, said)
        finally:
            for process in self._running:
                process.kill()
                process.join()
        with opened(self._place, MovedClock(START + timedelta(days=30))) as house:
            found = audit.violations(house, mails, len(mails), self._sink.received)
        extra = len(self._sink.received) - len({mail.message_id for mail in self._sink.received})
        return Ran((*said, *found), (), self._kills, extra)

    def _through(self, looks: tuple[datetime, ...], number: int, kills: int, said: list[str]) -> None:
        """Move the clock from look to look, killing on the way, until the turn is resolved and all letters are gone.

        At its first look the service must get to its mailbox, however slow the machine: two days in which it never did
        are an outage, which moves the deadline, rightly (play-by-mail 1.3), and the storm is not about that.
        """
        for look in looks:
            self._clock.move_to(look)
            share = 1 if self._kills < kills else 0
            self._let_run(0.3 + self._chance.random(), share)
            if look == looks[0]:
                self._until_polled(look, number, said)
        until = time.monotonic() + QUIET
        while time.monotonic() < until:
            if self._kills < kills:
                self._let_run(0.2 + self._chance.random(), 1)
                until = time.monotonic() + QUIET
            else:
                self._let_run(0.5, 0)
            self._clock.move_to(self._clock.now() + STEP)
            if self._kills >= kills and self._done(number):
                return
        said.append(f"turn {number} was not done within {QUIET} s")

    def _until_polled(self, look: datetime, number: int, said: list[str]) -> None:
        until = time.monotonic() + QUIET
        while time.monotonic() < until:
            self._let_run(0.5, 0)
            with opened(self._place, self._clock) as house, house.look() as work:
                good = work.session.exec(select(Mailbox.good)).first()
            if good is not None and good >= look:
                return
        said.append(f"the mailbox was not read within {QUIET} s before the deadline of turn {number}")

    def _let_run(self, seconds: float, kill: int) -> None:
        while len(self._running) < self._wanted:
            process = processes.Process(target=worker.serve, args=(self._place,))
            process.start()
            self._running.append(process)
        time.sleep(seconds)
        for _ in range(kill):
            victim = self._running.pop(self._chance.randrange(len(self._running)))
            victim.kill()
            victim.join()
            self._kills += 1

    def _done(self, number: int) -> bool:
        with opened(self._place, self._clock) as house, house.look() as work:
            return audit.quiet(work, number)
