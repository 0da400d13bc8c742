"""The jobs of the service: read mail, lock and resolve, render, deliver, remind; ``serve`` runs them by the clock.

Work is found in the database, never in memory: a job that is run twice, or after a kill, does what is left to do.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import secrets
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from multiprocessing import connection, get_context, parent_process
from typing import Any

from apscheduler.schedulers.asyncio import AsyncIOScheduler

from adjudicator import failpoint
from adjudicator.beacon import Relays
from adjudicator.services import (
    asking,
    beacons,
    carrying,
    delivery,
    desking,
    games,
    ingest,
    intake,
    lookout,
    outages,
    outbox,
    post,
    reminders,
    rendering,
    resolving,
    retention,
    warming,
)
from adjudicator.services.beacons import Fetch
from adjudicator.services.intake import Doorway
from adjudicator.services.outbox import Job
from adjudicator.services.rendering import Made, Make
from adjudicator.services.work import House
from mail.smtp import SmtpServer
from mail.source import MailboxRefused, MailboxUnreachable, Source
from mail.text import one_line

log = logging.getLogger("adjudicator")

SWEEP = 5.0
"""Seconds between two looks for work that nothing announced."""
TIDY = 3600.0
"""Seconds between two rounds of tidying."""
BACK_OFF = (1.0, 2.0, 5.0, 15.0, 60.0, 300.0)
"""Seconds to the next try of a mailbox that cannot be read; the last one repeats."""
REFUSED = (300.0, 900.0, 3600.0)
"""Seconds to the next try of a mailbox that refuses us: a tight loop would lock the account out."""
CAUSES = {
    "login-refused": "either the password is wrong (most providers want one made for programs), or IMAP is switched off"
    " in the settings of the mailbox",
}
"""What an operator should look at; providers give one answer for several causes."""


TEXT = 300
"""Characters of a server's own words in a line of the log."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What the jobs work with: the house, its mailboxes, the submission server, and who makes letters' bytes.

    ``moves`` names, for a source, the folders that mail is tidied away to, by its name; ``make`` is a pure
    function; ``beacon`` gives the value of a round; ``watch`` remembers the clock.
    """

    house: House
    sources: tuple[Source, ...]
    doorway: Doorway
    server: SmtpServer
    moves: dict[str, ingest.Moves] = field(default_factory=dict)
    make: Make = post.make
    beacon: Fetch = Relays().value
    watch: outages.Watch = field(default_factory=outages.Watch)
    owner: str = field(default_factory=lambda: secrets.token_hex(8))

    @property
    def mailboxes(self) -> tuple[str, ...]:
        """Names of all folders that must have been read before a turn locks."""
        return ingest.mailboxes(self.sources)


# One job at a time ----------------------------------------------------------------------------------------------------


def take_over(desk: Desk) -> None:
    """Free what a process now dead had claimed; only where one process at a time serves the database (SQLite)."""
    with desk.house.unit("take-over") as work:
        outbox.take_over(work)


def poll(desk: Desk, source: Source) -> int:
    """Read one mailbox, if its lease is ours; return how many mails were stored."""
    if not ingest.lease(desk.house, source, desk.owner):
        return 0
    return ingest.poll(desk.house, source, desk.moves.get(source.name, ingest.STAY))


def think(desk: Desk) -> int:
    """Give mail its verdicts, lock what is due, resolve what is locked, remind; return how much there was to do."""
    outages.look(desk.house, desk.watch)  # before any mail is judged by a clock that has jumped
    done = intake.handle_all(desk.house, desk.doorway)
    done += carrying.carry_all(desk.house)
    lookout.look_after_all(desk.house, desk.mailboxes)
    done += beacons.take_all(desk.house, desk.beacon) + games.start_all(desk.house)
    asking.look_after_all(desk.house, desk.mailboxes)
    done += resolving.resolve_due(desk.house)
    done += desking.desk_all(desk.house)
    return done + reminders.remind_all(desk.house)


def render(desk: Desk) -> int:
    """Make the bytes of letters that have none, in this process; return how many."""
    return rendering.render_all(desk.house, desk.make)


def deliver(desk: Desk) -> int:
    """Hand over the letters that are due; return how many were accepted."""
    return asyncio.run(delivery.deliver(desk.house, desk.server, desk.owner))


def run_once(desk: Desk) -> int:
    """Do everything there is to do now, in this thread; return how much there was (``send``, demonstration, tests)."""
    done = 0
    for source in desk.sources:
        done += poll(desk, source)
    while count := think(desk) + render(desk):
        done += count
    while count := deliver(desk):
        done += count
    return done


# serve ----------------------------------------------------------------------------------------------------------------


class Poller(threading.Thread):
    """The one thread that owns a mailbox: it polls, waits for a hint or the interval, and outlives any trouble."""

    def __init__(self, desk: Desk, source: Source, found: Callable[[], None]) -> None:
        super().__init__(name=f"poll {source.name}", daemon=True)
        self._desk = desk
        self._source = source
        self._found = found
        self._ending = threading.Event()
        self._failures = 0
        self._refusals = 0

    def run(self) -> None:
        """Poll until `end` is called."""
        while not self._ending.is_set():
            pause = self._turn()
            if pause:
                self._ending.wait(pause)
        self._source.close()

    def end(self) -> None:
        """Stop after the mail in hand."""
        self._ending.set()
        self._source.wake()

    def _turn(self) -> float:
        try:
            poll(self._desk, self._source)
            self._refusals = 0
            self._found()
            return self._wait()
        except MailboxRefused as trouble:
            return self._refused(trouble)
        except MailboxUnreachable as trouble:
            log.warning("mailbox %s cannot be reached: %s", self._source.name, one_line(str(trouble))[:TEXT])
            return self._backed_off()
        except Exception:  # the poller must outlive whatever a server or database does; the trouble is logged whole
            log.exception("polling %s failed", self._source.name)
            return self._backed_off()

    def _wait(self) -> float:
        """Wait for a hint of mail; a server that ends the wait does nothing unusual, and is asked again soon.

        If it does so time and again it is polled no more often than one that gives no hints.
        """
        longest = float(self._desk.house.config.times.poll)
        try:
            if not self._ending.is_set():
                self._source.wait(longest)
        except MailboxUnreachable as trouble:
            log.info("mailbox %s ended the wait for mail: %s", self._source.name, trouble.code)
            return min(self._backed_off(), longest)
        self._failures = 0
        return 0.0

    def _refused(self, trouble: MailboxRefused) -> float:
        """Name what may be the cause, in the server's own words too, and wait longer each time."""
        pause = REFUSED[min(self._refusals, len(REFUSED) - 1)] if trouble.code in CAUSES else REFUSED[0]
        self._refusals += 1
        cause = f" ({CAUSES[trouble.code]})" if trouble.code in CAUSES else ""
        said = one_line(str(trouble))[:TEXT]
        log.error("mailbox %s refuses us: %s%s; next try in %d s", self._source.name, said, cause, pause)
        return pause

    def _backed_off(self) -> float:
        self._failures += 1
        return BACK_OFF[min(self._failures, len(BACK_OFF)) - 1]


class Service:
    """``serve``: one process, APScheduler as a mere clock, our tables as the truth."""

    def __init__(self, desk: Desk, *, renderers: int = 1) -> None:
        self._desk = desk
        self._renderers = renderers
        self._wake = asyncio.Event()
        self._ending = asyncio.Event()
        self._database = ThreadPoolExecutor(max_workers=2, thread_name_prefix="database")
        self._workers = self._new_workers()

    def _new_workers(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._renderers, mp_context=get_context("spawn"), initializer=_end_with_parent)

    async def run(self) -> None:
        """Work until `end` is called; the unit in hand is finished, nothing more is begun."""
        loop = asyncio.get_running_loop()
        if self._desk.house.store.is_sqlite:
            await loop.run_in_executor(self._database, take_over, self._desk)
        pollers = [Poller(self._desk, source, self._waker(loop)) for source in self._desk.sources]
        scheduler = AsyncIOScheduler()
        scheduler.add_job(self._wake.set, "interval", seconds=SWEEP, coalesce=True, misfire_grace_time=None)
        scheduler.add_job(self._tidy, "interval", seconds=TIDY, coalesce=True, misfire_grace_time=None)
        scheduler.start()
        for poller in pollers:
            poller.start()
        try:
            self._wake.set()
            while not self._ending.is_set():
                await self._wake.wait()
                self._wake.clear()
                await self._pass(loop)
        finally:
            scheduler.shutdown(wait=False)
            for poller in pollers:
                poller.end()
            await loop.run_in_executor(self._database, _join, pollers)
            self._workers.shutdown(wait=True, cancel_futures=True)
            self._database.shutdown(wait=True)

    def end(self) -> None:
        """Stop after the unit in hand (SIGTERM)."""
        self._ending.set()
        self._wake.set()

    def _waker(self, loop: asyncio.AbstractEventLoop) -> Callable[[], None]:
        def found() -> None:
            with contextlib.suppress(RuntimeError):  # the loop may have ended while the poller was at work
                loop.call_soon_threadsafe(self._wake.set)

        return found

    async def _pass(self, loop: asyncio.AbstractEventLoop) -> None:
        """One round of all jobs; whatever a job raises is logged, and the next round tries again."""
        for job in (self._think, self._render, self._deliver):
            if self._ending.is_set():
                return
            try:
                await job(loop)
            except Exception:  # one job's trouble must not keep the others from their work
                log.exception("%s failed", job.__name__.strip("_"))

    async def _think(self, loop: asyncio.AbstractEventLoop) -> None:
        while await loop.run_in_executor(self._database, think, self._desk):
            if self._ending.is_set():
                return

    async def _render(self, loop: asyncio.AbstractEventLoop) -> None:
        house = self._desk.house
        while jobs := await loop.run_in_executor(self._database, rendering.gather, house):
            made = await self._made(loop, jobs)
            if any(isinstance(one, BrokenExecutor) for one in made):  # one of them has killed a worker: which one?
                made = [(await self._made(loop, [job]))[0] for job in jobs]
            if self._ending.is_set():
                return
            for job, one in zip(jobs, made, strict=True):
                await loop.run_in_executor(self._database, rendering.keep, house, job, one)

    async def _made(self, loop: asyncio.AbstractEventLoop, jobs: Sequence[Job]) -> list[Made | BaseException]:
        """Return the bytes of letters, or what went wrong with each; a worker that died is replaced."""
        work = (loop.run_in_executor(self._workers, self._desk.make, job) for job in jobs)
        made: list[Made | BaseException] = list(await asyncio.gather(*work, return_exceptions=True))
        if any(isinstance(one, BrokenExecutor) for one in made):
            self._workers.shutdown(wait=False, cancel_futures=True)
            self._workers = self._new_workers()
        return made

    async def _tidy(self) -> None:
        """Empty what is kept no longer (play-by-mail 8)."""
        try:
            done = await asyncio.get_running_loop().run_in_executor(self._database, retention.tidy, self._desk.house)
        except Exception:  # what is not tidied now is tidied in an hour
            log.exception("tidying failed")
            return
        if done.any:
            log.info("tidied: %s mails of games, %s of strangers, %s letters", done.games, done.strangers, done.letters)

    async def _deliver(self, _loop: asyncio.AbstractEventLoop) -> None:
        desk = self._desk
        connections = desk.house.config.smtp.connections
        while not self._ending.is_set():
            batch = [delivery.deliver(desk.house, desk.server, f"{desk.owner}/{one}") for one in range(connections)]
            if not sum(await asyncio.gather(*batch)):
                return


def _end_with_parent() -> None:
    """Let a rendering process end as soon as the service that began it is gone, however it went."""
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_wait_for_end, args=(parent.sentinel,), name="parent", daemon=True).start()


def _wait_for_end(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(0)


def _join(pollers: Sequence[threading.Thread]) -> None:
    for poller in pollers:
        poller.join(timeout=timedelta(seconds=30).total_seconds())


def serve(desk: Desk, *, ready: Callable[[Any], None] | None = None) -> None:
    """Run the service until SIGTERM or SIGINT. ``ready`` is told the `Service` once it can be ended."""
    asyncio.run(_serve(desk, ready))


def leave_start_up_alone() -> None:
    """Let the collector of garbage pass over what is here by now: it stays to the end, and looking at it costs time."""
    gc.collect()
    gc.freeze()


async def _serve(desk: Desk, ready: Callable[[Any], None] | None) -> None:
    service = Service(desk)
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, service.end)
    warming.warm_up()
    leave_start_up_alone()
    if ready is not None:
        ready(service)
    failpoint.reach("serve:ready")
    await service.run()
