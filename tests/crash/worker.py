"""The process that is killed: one phase of the scenario, by `jobs.run_once` or by the real ``serve``."""

from __future__ import annotations

import os
import signal
from datetime import datetime
from pathlib import Path

from adjudicator import bootstrap, failpoint, jobs
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


def work_through(place: Place, instants: tuple[datetime, ...], hit: int, fault: str = "") -> None:
    """Do all there is to do at each of these instants, from where the clock stands on; die at the given failpoint."""
    faults.apply(fault)
    failpoint.hook = CrashAt(hit, place.folder / "trace")
    clock = FileClock(place.clock_file)
    with opened(place, clock) as house:
        desk = bootstrap.desk(house)
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
        jobs.serve(bootstrap.desk(house))
