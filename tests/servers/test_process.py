"""Servers that are missing, ports that are reserved, processes that end with the tests."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

import pytest

from tests.servers.place import HOST, ServerMissing, program, reserve_port
from tests.servers.process import ServerProcess, alive
from tests.servers.required import running


def test_program_not_installed_is_named_with_its_package() -> None:
    with pytest.raises(ServerMissing, match=r"no-such-daemon is not installed \(Debian package daemons\)"):
        program("no-such-daemon", package="daemons")


def test_missing_server_skips_its_tests_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REQUIRE_SERVERS", raising=False)

    with pytest.raises(pytest.skip.Exception, match="no dovecot"):
        next(running(_Missing()))


def test_missing_server_fails_its_tests_where_servers_are_required(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REQUIRE_SERVERS", "1")

    with pytest.raises(pytest.fail.Exception, match="no dovecot, and REQUIRE_SERVERS=1"):
        next(running(_Missing()))


class _Missing(AbstractContextManager[None]):
    def __enter__(self) -> None:
        raise ServerMissing("no dovecot")

    def __exit__(self, *_: object) -> None:
        raise AssertionError("never entered")


def test_reserved_port_is_nobody_elses_and_ours_to_listen_on() -> None:
    with ExitStack() as reserved:
        port = reserve_port(keep_open=reserved)
        with socket.socket() as other, pytest.raises(OSError, match="already in use"):
            other.bind((HOST, port))
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((HOST, port))
        with socket.create_server((HOST, port)), socket.create_connection((HOST, port)):
            pass


def test_server_that_ended_by_itself_can_be_started_again(tmp_path: Path) -> None:
    log = tmp_path / "log"
    command = ["sh", "-c", "sleep 60 & echo up; read forever < forever"]
    os.mkfifo(tmp_path / "forever")
    server = ServerProcess(command, tmp_path, log, answers=lambda: log.read_text().endswith("up\n"))
    server.start()
    (tmp_path / "forever").write_text("\n")
    while server.runs:
        time.sleep(0.01)

    log.write_text("")
    server.start()
    server.freeze()
    server.stop()
    server.stop()
    assert not server.runs


def test_server_that_does_not_start_says_why(tmp_path: Path) -> None:
    command = ["sh", "-c", "echo no such sea >&2; exit 3"]
    server = ServerProcess(command, tmp_path, tmp_path / "log", answers=lambda: False)

    with pytest.raises(RuntimeError, match="no such sea"):
        server.start()
    assert not server.runs


KILLED = """
import os, pathlib, signal, sys
from tests.servers.process import ServerProcess

here = pathlib.Path(sys.argv[1])
log = here / "log"
command = ["sh", "-c", "echo up; exec sleep 60"]
server = ServerProcess(command, here, log, answers=lambda: log.read_text() == "up\\n")
server.start()
print(server._running.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_server_dies_with_a_killed_test_process(tmp_path: Path) -> None:
    path = {"PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", KILLED, str(tmp_path)]
    killed = subprocess.run(command, capture_output=True, text=True, check=False, env=path)

    assert (killed.returncode, killed.stderr) == (-signal.SIGKILL, "")
    deadline = time.monotonic() + 10
    while alive(int(killed.stdout)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not alive(int(killed.stdout))
