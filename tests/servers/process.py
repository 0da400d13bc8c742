"""A server program as a process group that can be stopped, killed, frozen and started again."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

START_SECONDS = 60.0
STOP_SECONDS = 10.0


@dataclass(slots=True)
class ServerProcess:
    """One server program, run in a session of its own so that a signal reaches all its processes and no others."""

    command: Sequence[str]
    folder: Path
    log: Path
    answers: Callable[[], bool]  # whether it can be talked to
    stop_signal: signal.Signals = signal.SIGTERM
    run_as: pwd.struct_passwd | None = None
    _running: subprocess.Popen[bytes] | None = field(default=None, init=False)

    def start(self) -> None:
        """Start the program and wait until it answers; raise RuntimeError with the end of its log if it does not."""
        if self.runs:
            raise RuntimeError(f"{self.command[0]} runs already")
        self.kill()  # what is left of one that ended by itself
        with self.log.open("ab") as log:
            self._running = subprocess.Popen(
                [*_dies_with_us(self.stop_signal), *self.command],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                user=self.run_as and self.run_as.pw_uid,
                group=self.run_as and self.run_as.pw_gid,
                extra_groups=self.run_as and [],
            )
        self._wait_for_answer(self._running)

    def stop(self) -> None:
        """End it as an operator would, and wait until no process of it is left."""
        self._end(self.stop_signal)

    def kill(self) -> None:
        """End it as a power cut would (SIGKILL to every process of it), and wait until none is left."""
        self._end(signal.SIGKILL)

    def freeze(self) -> None:
        """Stop it in its tracks: connections stay open, and nothing answers."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let a frozen server go on."""
        self._signal(signal.SIGCONT)

    @property
    def runs(self) -> bool:
        """Whether it was started and has not ended since, by us or by itself."""
        return self._running is not None and self._running.poll() is None

    def _signal(self, what: signal.Signals) -> None:
        if self._running is None:
            raise RuntimeError(f"{self.command[0]} does not run")
        os.killpg(self._running.pid, what)

    def _end(self, how: signal.Signals) -> None:
        running, self._running = self._running, None
        if running is None:
            return
        with suppress(ProcessLookupError):  # it may have ended by itself
            os.killpg(running.pid, signal.SIGCONT)  # a frozen server cannot end
            os.killpg(running.pid, signal.SIGKILL) if how is signal.SIGKILL else running.send_signal(how)
        try:
            running.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()
        _end_group(running.pid)

    def _wait_for_answer(self, running: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not self.answers():
            if running.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError(
                    f"{self.command[0]} did not start:\n{self.log.read_text('utf-8', 'replace')[-4000:]}"
                )
            time.sleep(0.02)


def _end_group(group: int) -> None:
    """Kill what the leader left behind (Dovecot leaves the processes of connected clients) until all of it is dead."""
    deadline = time.monotonic() + STOP_SECONDS
    while alive(group):
        if time.monotonic() > deadline:
            raise RuntimeError(f"process group {group} does not end")
        with suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)
        time.sleep(0.002)


def alive(group: int) -> bool:
    """Whether a process of the group is left that is more than a zombie: process 1 may take a second to reap those."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it ended meanwhile
            state, _, group_of_it = stat.read_text().rpartition(")")[2].split()[:3]
            if int(group_of_it) == group and state != "Z":
                return True
    return False


def _dies_with_us(how: signal.Signals) -> list[str]:
    """Return a prefix that ends the server when the test process dies, even by SIGKILL, where the system can do it."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", how.name.removeprefix("SIG"), "--"] if setpriv else []
