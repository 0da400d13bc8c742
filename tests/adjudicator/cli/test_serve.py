"""``serve`` as a real process: letters go out, a second service is refused, SIGTERM ends it politely."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from adjudicator import bootstrap
from adjudicator.config import load
from adjudicator.errors import ConfigError
from tests.adjudicator.cli.commands import adjudicator, write_config
from tests.servers.dovecot import Account, Dovecot
from tests.servers.smtp_sink import Fault, SmtpSink
from tests.servers.smtp_sink import Stage as At

PROGRAM = [sys.executable, "-c", "from adjudicator.cli import main; main()", "--language", "en"]


def house_with_maildir(folder: Path, sink: SmtpSink) -> None:
    for part in ("cur", "new", "tmp"):
        (folder / "Maildir" / part).mkdir(parents=True)
    write_config(
        folder,
        imap="",
        maildir='path = "Maildir"',
        smtp=f'host = "{sink.host}"\nport = {sink.port}\nsecurity = "none"',
    )
    adjudicator(folder, "init")


@contextmanager
def serving(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Have a service inside the block that says it is running."""
    process = subprocess.Popen(
        [*PROGRAM, "serve"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("The service is running. ")
        yield process
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


def test_serve_sends_what_is_written_and_ends_on_sigterm(tmp_path: Path, smtp_sink: SmtpSink) -> None:
    house_with_maildir(tmp_path, smtp_sink)
    adjudicator(tmp_path, "game", "create", "pirates")

    with serving(tmp_path) as process:
        adjudicator(tmp_path, "game", "invite", "pirates-1", "anna@example.org")
        [mail] = smtp_sink.wait(1, 60)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)

    assert mail.recipients == ("anna@example.org",)
    assert (process.returncode, out) == (0, "The service has stopped.\n")
    assert "Traceback" not in err


def test_a_second_service_of_an_sqlite_file_is_refused(tmp_path: Path, smtp_sink: SmtpSink) -> None:
    house_with_maildir(tmp_path, smtp_sink)

    with serving(tmp_path):
        second = subprocess.run(
            [*PROGRAM, "serve"], cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=60, check=False
        )

    assert (second.returncode, second.stdout) == (1, "")
    assert second.stderr == (
        f"✗ Another process serves the database {tmp_path / 'adjudicator.db'} already. "
        "SQLite has one service at a time; stop that one or use PostgreSQL.\n"
    )


def test_a_killed_service_leaves_no_lock_behind(tmp_path: Path, smtp_sink: SmtpSink) -> None:
    house_with_maildir(tmp_path, smtp_sink)
    with serving(tmp_path) as process:
        process.kill()
        process.communicate()

    with bootstrap.sole_service(load(tmp_path / "adjudicator.toml")):
        pass


def test_one_service_at_a_time_holds_inside_a_process_too(tmp_path: Path) -> None:
    write_config(tmp_path)
    config = load(tmp_path / "adjudicator.toml")

    with (
        bootstrap.sole_service(config),
        pytest.raises(ConfigError, match="already-served"),
        bootstrap.sole_service(config),
    ):
        pass
    with bootstrap.sole_service(config):
        pass


def test_services_share_postgresql(tmp_path: Path) -> None:
    write_config(tmp_path, database='url = "postgresql+psycopg://judge@127.0.0.1:9/games"')
    config = load(tmp_path / "adjudicator.toml")

    with bootstrap.sole_service(config), bootstrap.sole_service(config):
        pass


def test_serve_refuses_an_empty_database(tmp_path: Path) -> None:
    write_config(tmp_path)
    (tmp_path / "service.key").write_text("00" * 32, encoding="ascii")

    result = adjudicator(tmp_path, "serve")

    assert result.exit_code == 1
    assert result.stderr.endswith("is still empty. Make its tables with: adjudicator init.\n")


def test_serve_reads_a_real_mailbox(tmp_path: Path, dovecot: Dovecot, mailbox: Account, smtp_sink: SmtpSink) -> None:
    write_config(
        tmp_path,
        imap=f'host = "{dovecot.host}"\nport = {dovecot.imap_port}\nuser = "{mailbox.user}"\n'
        f'password = "{mailbox.password}"\nsecurity = "none"\nprocessed = "Processed"',
        smtp=f'host = "{smtp_sink.host}"\nport = {smtp_sink.port}\nsecurity = "none"',
    )
    adjudicator(tmp_path, "init")
    dovecot.deliver(mailbox, b"From: eve@example.org\r\nSubject: hello\r\n\r\nhello\r\n")

    with serving(tmp_path) as process:
        until = time.monotonic() + 60
        while not dovecot.stored(mailbox, "Processed") and time.monotonic() < until:
            time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)

    assert len(dovecot.stored(mailbox, "Processed")) == 1
    assert process.returncode == 0


def test_send_hands_over_what_waits_and_says_how_much(tmp_path: Path, smtp_sink: SmtpSink) -> None:
    house_with_maildir(tmp_path, smtp_sink)
    adjudicator(tmp_path, "game", "create", "pirates")
    adjudicator(tmp_path, "game", "invite", "pirates-1", "anna@example.org")

    first, second = adjudicator(tmp_path, "send"), adjudicator(tmp_path, "send")

    assert (first.exit_code, first.stdout) == (0, "Sent: 1 letter.\n")
    assert (second.exit_code, second.stdout) == (0, "Sent: 0 letters.\n")
    assert [mail.recipients for mail in smtp_sink.received] == [("anna@example.org",)]


def test_send_says_what_is_left(tmp_path: Path, smtp_sink: SmtpSink) -> None:
    house_with_maildir(tmp_path, smtp_sink)
    adjudicator(tmp_path, "game", "create", "pirates")
    adjudicator(tmp_path, "game", "invite", "pirates-1", "anna@example.org")

    with smtp_sink.outage():
        result = adjudicator(tmp_path, "send", language="ru")

    assert result.exit_code == 1
    assert result.stdout == (
        "Отправлено: 0 писем.\nОсталось: 1 письмо. Причины: adjudicator game status и adjudicator check.\n"
    )


def test_send_that_is_paused_says_so_by_its_exit_code_the_log_and_the_status(
    tmp_path: Path, smtp_sink: SmtpSink, caplog: pytest.LogCaptureFixture
) -> None:
    house_with_maildir(tmp_path, smtp_sink)
    adjudicator(tmp_path, "game", "create", "pirates")
    for address in ("anna@example.org", "boris@example.org"):
        adjudicator(tmp_path, "game", "invite", "pirates-1", address)
    spam = "554 5.7.1 [2] Message rejected under suspicion of SPAM"
    smtp_sink.script(Fault(At.BODY, spam, times=None))

    result = adjudicator(tmp_path, "send")

    assert (result.exit_code, smtp_sink.received) == (1, [])
    assert "Left: 2 letters." in result.stdout
    assert ["refuses us, nothing is sent until" in one and spam[4:] in one for one in caplog.messages] == [True]
    status = adjudicator(tmp_path, "game", "status").stdout
    assert "Nothing is sent until" in status
    assert "suspicion of SPAM" in " ".join(status.split())
    assert "Waiting to be sent: 2 letters." in status
