"""One run of the scenario: lay down the mail, start the worker, let it die where told, start it again, audit."""

from __future__ import annotations

import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from multiprocessing import get_context
from pathlib import Path

from adjudicator.clock import MovedClock
from tests.crash import audit, worker
from tests.crash.scenario import START, FileClock, OrderMail, Place, account, instants, opened, order_mails, prepare
from tests.servers.dovecot import Dovecot
from tests.servers.postgres import Postgres
from tests.servers.smtp_sink import SmtpSink

LIMIT = 120
"""Seconds after which a worker that does not end is a violation of its own."""
TEMPLATE = "crash_template"

processes = get_context("forkserver")
processes.set_forkserver_preload(["tests.crash.worker", "adjudicator.bootstrap", "tests.crash.warmed"])


@dataclass(frozen=True, slots=True)
class Servers:
    """The servers of a run; ``postgres`` None runs on SQLite."""

    dovecot: Dovecot
    postgres: Postgres | None


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run came to: violations, names of the failpoints passed in the phase that was to die, how often it died,
    and how many letters arrived more often than once."""

    violations: tuple[str, ...]
    trace: tuple[str, ...]
    kills: int
    extra: int


def template(servers: Servers, folder: Path) -> str:
    """Return the address of the prepared database that every run starts from, made once."""
    if servers.postgres is not None:
        return servers.postgres.new_template(TEMPLATE, prepare)
    file = folder / "template.db"
    if not file.exists():
        prepare(f"sqlite:///{file}")
    return f"sqlite:///{file}"


@contextmanager
def _database(servers: Servers, made: str, folder: Path) -> Iterator[str]:
    if servers.postgres is not None:
        url = servers.postgres.new_database(made)
        try:
            yield url
        finally:
            servers.postgres.drop(url)
        return
    shutil.copy(made.removeprefix("sqlite:///"), folder / "run.db")
    yield f"sqlite:///{folder / 'run.db'}"


def run(servers: Servers, made: str, *, phase: int = 1, hit: int = 0, fault: str = "") -> Ran:
    """Play two turns; in ``phase`` (1 or 2) the worker dies at failpoint number ``hit`` (0: nowhere)."""
    with tempfile.TemporaryDirectory(prefix="crash-") as name, SmtpSink() as sink:
        folder = Path(name)
        with _database(servers, made, folder) as url:
            user = servers.dovecot.new_user()
            place = Place(url, user.user, user.password, servers.dovecot.imap_port, sink.port, folder)
            FileClock(place.clock_file).move_to(START)
            return _play(servers, place, sink, phase, hit, fault)


def _play(servers: Servers, place: Place, sink: SmtpSink, phase: int, hit: int, fault: str) -> Ran:
    mails: list[OrderMail] = []
    deliveries = kills = 0
    trace: tuple[str, ...] = ()
    said: list[str] = []
    for number in (1, 2):
        with opened(place, MovedClock(START)) as house:
            try:
                new = order_mails(house, number)
            except ValueError as trouble:
                said.append(str(trouble))
                break
            looks = instants(house, number)
        mails += new
        again = new[:1]
        servers.dovecot.lay_down(account(place), [(one.raw, one.arrival) for one in (*new, *again)])
        deliveries += len(new) + len(again)
        died, trace_of_phase = _work(place, looks, hit if number == phase else 0, fault, said)
        kills += died
        trace = trace_of_phase if number == phase else trace
    with opened(place, MovedClock(START + timedelta(days=30))) as house:
        found = audit.violations(house, mails, deliveries, sink.received)
    left = servers.dovecot.stored(account(place))
    moved = servers.dovecot.stored(account(place), "Processed")
    if left or len(moved) != deliveries:
        found.append(f"{len(left)} mails in INBOX, {len(moved)} in Processed of {deliveries}")
    extra = len(sink.received) - len({mail.message_id for mail in sink.received})
    return Ran((*said, *found), trace, kills, extra)


def _work(
    place: Place, looks: tuple[datetime, ...], hit: int, fault: str, said: list[str]
) -> tuple[int, tuple[str, ...]]:
    """Run the worker through a phase; after a kill run it again, unharmed, to the end."""
    file = place.folder / "trace"
    file.unlink(missing_ok=True)
    code = _start(place, looks, hit, fault)
    trace = tuple(file.read_text(encoding="ascii").split()) if file.exists() else ()
    if code == 0:
        return 0, trace
    if code != -signal.SIGKILL:
        said.append(f"the worker ended with {code}")
        return 0, trace
    code = _start(place, looks, 0, fault)
    if code != 0:
        said.append(f"the worker started again ended with {code}")
    return 1, trace


def _start(place: Place, looks: tuple[datetime, ...], hit: int, fault: str) -> int | None:
    process = processes.Process(target=worker.work_through, args=(place, looks, hit, fault))
    process.start()
    process.join(LIMIT)
    if process.is_alive():
        process.kill()
        process.join()
        return 99
    return process.exitcode
