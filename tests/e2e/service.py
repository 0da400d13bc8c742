"""A service in a process of its own, over real servers, by a clock that the test moves."""

from __future__ import annotations

import email
import email.policy
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path

from adjudicator import bootstrap, failpoint, jobs
from adjudicator.config import (
    Config,
    DatabaseSection,
    ImapSection,
    ServiceSection,
    SmtpSection,
    TimesSection,
)
from adjudicator.services.work import House
from adjudicator.storage import migrate
from adjudicator.storage.store import Store, open_engine
from adjudicator.storage.vault import Vault
from tests.crash.scenario import FileClock
from tests.servers.dovecot import Account, Dovecot
from tests.servers.smtp_sink import SmtpSink

START = datetime(2026, 1, 5, 12, tzinfo=UTC)
KEY = b"a key of tests, thirty-two bytes"
JUDGE = "judge@example.org"
PATIENCE = 60.0
"""Seconds in which something must have happened; a machine that does other work too is slow."""

processes = get_context("spawn")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a service works: database, mailbox, submission port, folder of the clock, seconds between polls."""

    url: str
    account: Account
    imap_port: int
    smtp_port: int
    folder: Path
    poll: int

    @property
    def clock(self) -> FileClock:
        """The clock of all services of this place."""
        return FileClock(self.folder / "now")

    @property
    def config(self) -> Config:
        """The configuration of a service here."""
        mailbox = ImapSection(
            host="127.0.0.1",
            user=self.account.user,
            password=self.account.password,
            port=self.imap_port,
            security="none",
            junk="Junk",
            processed="Processed",
        )
        return Config(
            service=ServiceSection(address=JUDGE, name="Судья", operators=("host@example.org",)),
            smtp=SmtpSection(host="127.0.0.1", port=self.smtp_port, security="none"),
            imap=(mailbox,),
            database=DatabaseSection(url=self.url),
            times=TimesSection(poll=self.poll),
            folder=str(self.folder),
        )

    @contextmanager
    def house(self) -> Iterator[House]:
        """Give the house of this place, for a service or for a test's own looks."""
        store = Store(open_engine(self.url))
        try:
            yield House(self.config, store, Vault(KEY), self.clock)
        finally:
            store.close()


def serve(place: Place, trace: Path) -> None:
    """Serve until SIGTERM, and write down the name of every unit of work that was committed."""

    def note(name: str) -> None:
        with trace.open("a", encoding="ascii") as file:
            file.write(f"{name}\n")

    failpoint.hook = note
    with place.house() as house:
        jobs.serve(bootstrap.desk(house))


@dataclass(slots=True)
class Harbour:
    """A place with its servers, the services that run there, and the players' side of the mail."""

    place: Place
    dovecot: Dovecot
    sink: SmtpSink
    running: list[tuple[BaseProcess, Path]] = field(default_factory=list)

    def start(self) -> Path:
        """Start a service and wait until it is ready; return the file of what it did."""
        trace = self.place.folder / f"trace{len(self.running)}"
        trace.touch()
        process = processes.Process(target=serve, args=(self.place, trace))
        process.start()
        self.running.append((process, trace))
        self.until(lambda: "serve:ready" in trace.read_text("ascii"))
        return trace

    def stop(self, *which: int) -> list[int | None]:
        """End services as an operator would, all where none is named, and return their exit codes."""
        ending = [self.running[place] for place in which] if which else list(self.running)
        for process, _ in ending:
            process.terminate()
        for process, _ in ending:
            process.join(PATIENCE)
        self.running = [one for one in self.running if one not in ending]
        return [process.exitcode for process, _ in ending]

    def kill(self) -> None:
        """End what still runs, at the end of a test."""
        for process, _ in self.running:
            process.kill()
            process.join()

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds, while the clock goes on. Raises TimeoutError."""
        end = time.monotonic() + PATIENCE
        while not holds():
            if time.monotonic() > end:
                raise TimeoutError(f"not within {PATIENCE} s")
            time.sleep(0.1)
            self.pass_time(timedelta(seconds=1))

    def pass_time(self, span: timedelta) -> None:
        """Move the clock."""
        self.place.clock.move_to(self.place.clock.now() + span)

    def letters(self, address: str, subject: str = "") -> list[EmailMessage]:
        """Return what an address got so far, as a mail program reads it."""
        found = []
        for mail in self.sink.received:
            message = email.message_from_bytes(mail.raw, policy=email.policy.default)
            assert isinstance(message, EmailMessage)
            if mail.recipients == (address,) and subject in str(message["Subject"]):
                found.append(message)
        return found

    def wait_for(self, address: str, subject: str, count: int = 1) -> EmailMessage:
        """Wait until an address has so many letters with these words in their subject, and return the last one."""
        self.until(lambda: len(self.letters(address, subject)) >= count)
        return self.letters(address, subject)[-1]

    def answer(self, address: str, letter: EmailMessage, text: str) -> None:
        """Let a player answer a letter as a mail program does: to its reply address, quoting it."""
        body = letter.get_body(("plain",))
        quoted = body.get_content() if isinstance(body, EmailMessage) else ""
        now = self.place.clock.now()
        message = EmailMessage()
        message["From"] = address
        message["To"] = str(letter["Reply-To"])
        message["Subject"] = f"Re: {letter['Subject']}"
        message["In-Reply-To"] = str(letter["Message-ID"])
        message["Message-ID"] = f"<{time.monotonic_ns()}@example.org>"
        message["Date"] = format_datetime(now)
        quote = "".join(f"> {line}\n" for line in quoted.splitlines())
        message.set_content(f"{text}\n\n05.01.2026, 15:00, Судья <{JUDGE}> пишет:\n{quote}")
        self.dovecot.lay_down(self.place.account, [(message.as_bytes(), now)])


@contextmanager
def harbour(
    url: str, dovecot: Dovecot, account: Account, sink: SmtpSink, folder: Path, *, poll: int
) -> Iterator[Harbour]:
    """Give a place on an empty database, whose schema is there."""
    engine = open_engine(url)
    migrate.upgrade(engine)
    engine.dispose()
    place = Place(url, account, dovecot.imap_port, sink.port, folder, poll)
    place.clock.move_to(START)
    made = Harbour(place, dovecot, sink)
    try:
        yield made
    finally:
        made.kill()


def text_of(letter: EmailMessage) -> str:
    """Return the text part of a letter."""
    body = letter.get_body(("plain",))
    return body.get_content() if isinstance(body, EmailMessage) else ""


def lines_of(letter: EmailMessage, *starts: str) -> Sequence[str]:
    """Return the lines of a letter's text that begin so, each once."""
    found = (line.strip() for line in text_of(letter).splitlines())
    return list(dict.fromkeys(line for line in found if line.startswith(starts)))
