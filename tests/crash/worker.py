"""The process that is killed: one phase of the scenario, by `jobs.run_once` or by the real ``serve``."""

from __future__ import annotations

import dataclasses
import os
import signal
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from adjudicator import bootstrap, failpoint, jobs
from adjudicator.services.outbox import Job
from adjudicator.services.rendering import Made
from engine.core import codec
from mail.addresses import Mailbox
from mail.compose import Letter, Part, compose
from tests.crash import faults
from tests.crash.scenario import FileClock, Place, opened


class CrashAt:
    """Counts the failpoints passed, writes their names down, and kills the process at one of them (0: at none)."""

    def __init__(self, hit: int, trace: Path) -> None:
        self._hit = hit
        self._trace = trace
        self._count = 0

    def __call__(self, name: str) -> None:
        self._count += 1
        with self._trace.open("a", encoding="ascii") as file:
            file.write(name + "\n")
        if self._count == self._hit:
            os.kill(os.getpid(), signal.SIGKILL)


def plain_letter(job: Job) -> Made:
    """Make a letter's bytes without words and pictures: what is killed here is the way of a letter, not its beauty."""
    text = codec.encode(job.envelope.value)
    letter = Letter(
        sender=Mailbox(job.from_name, job.from_address),
        to=Mailbox("", job.to),
        subject=job.list_id,
        date=job.date,
        message_id=job.message_id,
        text=text,
        attachments=(Part(job.log_name, "application/x-ndjson", job.log_file),) if job.log_file else (),
    )
    raw = compose(letter)
    return raw, text, sha256(raw).hexdigest()


def work_through(place: Place, instants: tuple[datetime, ...], hit: int, fault: str = "") -> None:
    """Do all there is to do at each of these instants, from where the clock stands on; die at the given failpoint."""
    faults.apply(fault)
    failpoint.hook = CrashAt(hit, place.folder / "trace")
    clock = FileClock(place.clock_file)
    with opened(place, clock) as house:
        desk = dataclasses.replace(bootstrap.desk(house), make=plain_letter)
        if house.store.is_sqlite:
            jobs.take_over(desk)
        for instant in instants:
            if clock.now() <= instant:
                clock.move_to(instant)
                jobs.run_once(desk)
        for source in desk.sources:
            source.close()


def serve(place: Place) -> None:
    """Run the real service until SIGTERM, by the clock in the file."""
    with opened(place, FileClock(place.clock_file)) as house:
        jobs.serve(dataclasses.replace(bootstrap.desk(house), make=plain_letter))
