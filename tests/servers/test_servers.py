"""The fixtures themselves: what other tests rely on is shown here once, on the real servers."""

from __future__ import annotations

import asyncio
import signal
import smtplib
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from datetime import datetime, timedelta, timezone
from io import BytesIO
from pathlib import Path

import psycopg
import pytest
from imapclient import IMAPClient
from imapclient.exceptions import LoginError
from PIL import Image
from playwright.sync_api import Page
from sqlalchemy import create_engine, text

from tests.servers.chromium import Chromium
from tests.servers.dovecot import Account, Dovecot, version
from tests.servers.place import HOST, ServerMissing, program, reserve_port
from tests.servers.postgres import Postgres
from tests.servers.process import alive
from tests.servers.required import running
from tests.servers.smtp_sink import Fault, Received, SmtpSink, Stage

MAIL = (
    b"From: anna@example.org\r\nTo: judge@example.org\r\n"
    b"Subject: =?koi8-r?B?yM/E?=\r\nMessage-ID: <1@example.org>\r\n\r\n"
    b"A1-A2\r\n.\r\n\xcf\xf0\xe8\xe2\xe5\xf2\r\n"
)
EVENING = datetime(2031, 5, 6, 19, 30, 15, tzinfo=timezone(timedelta(hours=3)))


# -------------------------------------------------------------------------------------------------------------- Dovecot


def test_dovecot_keeps_bytes_and_arrival(dovecot: Dovecot, mailbox: Account) -> None:
    dovecot.deliver(mailbox, MAIL, EVENING)

    (mail,) = dovecot.stored(mailbox)
    assert (mail.raw, mail.arrival, mail.arrival.utcoffset()) == (MAIL, EVENING, timedelta(0))
    assert [flag for flag in mail.flags if flag != rb"\Recent"] == []


def test_dovecot_delivers_by_lmtp_with_trace_lines(dovecot: Dovecot, mailbox: Account) -> None:
    dovecot.deliver(mailbox, MAIL)

    (mail,) = dovecot.stored(mailbox)
    assert mail.raw.startswith(b"Return-Path: <sender@example.org>\r\n")
    assert mail.raw.endswith(MAIL)


def test_dovecot_delivers_into_another_folder(dovecot: Dovecot, mailbox: Account) -> None:
    dovecot.deliver(mailbox, MAIL, EVENING, folder="Junk")

    assert [mail.raw for mail in dovecot.stored(mailbox, "Junk")] == [MAIL]
    assert dovecot.stored(mailbox) == []


def test_dovecot_users_do_not_see_each_other(dovecot: Dovecot) -> None:
    anna, boris = dovecot.new_user("Anna"), dovecot.new_user()
    dovecot.deliver(anna, MAIL, EVENING)

    assert (len(dovecot.stored(anna)), len(dovecot.stored(boris))) == (1, 0)


def test_dovecot_idle_wakes_on_delivery(dovecot: Dovecot, mailbox: Account) -> None:
    with dovecot.client(mailbox) as client:
        client.select_folder("INBOX")
        client.idle()
        deliver = threading.Timer(0.1, dovecot.deliver, [mailbox, MAIL])
        deliver.start()
        woken_by = client.idle_check(timeout=10)
        client.idle_done()
        deliver.join()

    assert (1, b"EXISTS") in woken_by


def test_dovecot_moves_a_mail(dovecot: Dovecot, mailbox: Account) -> None:
    dovecot.deliver(mailbox, MAIL, EVENING)
    with dovecot.client(mailbox) as client:
        assert client.has_capability("MOVE")
        client.select_folder("INBOX")
        client.move([1], "Processed")

    assert dovecot.stored(mailbox) == []
    (moved,) = dovecot.stored(mailbox, "Processed")
    assert (moved.raw, moved.arrival) == (MAIL, EVENING)


def test_dovecot_speaks_implicit_tls_and_starttls(dovecot: Dovecot, mailbox: Account) -> None:
    with dovecot.client(mailbox, tls=True) as client:
        assert client.folder_exists("INBOX")
    context = ssl.create_default_context(cafile=str(dovecot.ca_file))
    with IMAPClient(dovecot.tls_host, dovecot.imap_port, ssl=False, timeout=10) as client:
        client.starttls(context)
        client.login(mailbox.user, mailbox.password)


def test_dovecot_certificate_is_refused_without_its_ca(dovecot: Dovecot) -> None:
    with pytest.raises(ssl.SSLCertVerificationError):
        IMAPClient(dovecot.tls_host, dovecot.imaps_port, ssl_context=ssl.create_default_context(), timeout=10)


def test_dovecot_refuses_wrong_passwords_without_growing_delay(dovecot: Dovecot, mailbox: Account) -> None:
    began = time.monotonic()
    for _ in range(4):
        client = IMAPClient(dovecot.host, dovecot.imap_port, ssl=False, timeout=10)
        with pytest.raises(LoginError):
            client.login(mailbox.user, "wrong")
        client.shutdown()

    assert time.monotonic() - began < 6


def test_dovecot_outage_cuts_connections_and_loses_no_mail(dovecot: Dovecot, mailbox: Account) -> None:
    dovecot.deliver(mailbox, MAIL, EVENING)
    with dovecot.client(mailbox) as client:
        before = client.select_folder("INBOX")[b"UIDVALIDITY"]
        with dovecot.outage():
            with pytest.raises(ConnectionRefusedError):
                IMAPClient(dovecot.host, dovecot.imap_port, ssl=False, timeout=10)
            with pytest.raises((OSError, IMAPClient.AbortError)):
                client.noop()

    with dovecot.client(mailbox) as client:
        assert client.select_folder("INBOX")[b"UIDVALIDITY"] == before
    assert [mail.raw for mail in dovecot.stored(mailbox)] == [MAIL]


def test_dovecot_stops_and_starts_on_the_same_port(dovecot: Dovecot, mailbox: Account) -> None:
    port = dovecot.imap_port
    dovecot.stop()
    assert not dovecot.process.runs
    dovecot.start()
    dovecot.restart()

    assert (dovecot.imap_port, dovecot.stored(mailbox)) == (port, [])


def test_dovecot_frozen_keeps_the_connection_and_is_silent(dovecot: Dovecot, mailbox: Account) -> None:
    with dovecot.client(mailbox) as client:
        client.socket().settimeout(0.3)
        with dovecot.frozen(), pytest.raises(TimeoutError):
            client.noop()

    assert dovecot.stored(mailbox) == []


def test_dovecot_can_renumber_a_mailbox(dovecot: Dovecot, mailbox: Account) -> None:
    dovecot.lay_down(mailbox, [(MAIL, EVENING), (MAIL, EVENING)])
    with dovecot.client(mailbox) as client:
        before = client.select_folder("INBOX")[b"UIDVALIDITY"]
        client.move([1], "Processed")
    dovecot.new_uidvalidity(mailbox)

    with dovecot.client(mailbox) as client:
        after = client.select_folder("INBOX")[b"UIDVALIDITY"]
    assert (after > before, [mail.uid for mail in dovecot.stored(mailbox)]) == (True, [1])


def test_dovecot_is_a_version_the_configuration_is_for(dovecot: Dovecot) -> None:
    assert version().startswith("2.3.")


# ----------------------------------------------------------------------------------------------------------- PostgreSQL


def test_database_url_is_an_empty_database_of_its_own(database_url: str) -> None:
    engine = create_engine(database_url)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE mast (n integer)"))
        connection.execute(text("INSERT INTO mast VALUES (3)"))
    with engine.connect() as connection:
        assert connection.execute(text("SELECT n FROM mast")).scalars().all() == [3]
    engine.dispose()


def test_postgres_is_as_durable_as_in_real_life(postgres: Postgres) -> None:
    with _session(postgres.new_database()) as session:
        settings = [session.execute(f"SHOW {name}".encode()).fetchall() for name in ("fsync", "synchronous_commit")]

    assert settings == [[("on",)], [("on",)]]


def test_postgres_copies_a_template(postgres: Postgres) -> None:
    def fill(url: str) -> None:
        filled.append(url)
        with _session(url) as session:
            session.execute("CREATE TABLE mast AS SELECT 3 AS n")

    filled: list[str] = []
    template = postgres.new_template("masts", fill)
    assert postgres.new_template("masts", fill) == template

    first, second = postgres.new_database(template), postgres.new_database(template)
    with _session(first) as session:
        session.execute("DROP TABLE mast")
    with _session(second) as session:
        assert session.execute("SELECT n FROM mast").fetchall() == [(3,)]
    assert len(filled) == 1


def test_postgres_outage_keeps_what_was_committed(postgres: Postgres) -> None:
    url = postgres.new_database()
    session = _session(url)
    session.execute("CREATE TABLE mast AS SELECT 3 AS n")
    session.commit()
    with postgres.outage():
        with pytest.raises(psycopg.OperationalError):
            session.execute("SELECT 1")
        with pytest.raises(psycopg.OperationalError):
            _session(url)
    session.close()

    with _session(url) as session:
        assert session.execute("SELECT n FROM mast").fetchall() == [(3,)]


def test_postgres_stops_and_starts_on_the_same_port(postgres: Postgres) -> None:
    url = postgres.new_database()
    postgres.stop()
    postgres.start()

    with _session(url) as session:
        assert session.execute("SELECT 1").fetchall() == [(1,)]
    postgres.drop(url)


# ----------------------------------------------------------------------------------------------------------------- SMTP


def test_smtp_sink_keeps_envelope_and_bytes(smtp_sink: SmtpSink, tmp_path: Path) -> None:
    smtp_sink.ledger = tmp_path / "ledger"
    with smtplib.SMTP(smtp_sink.host, smtp_sink.port) as client:
        client.sendmail("judge@example.org", ["anna@example.org", "boris@example.org"], MAIL)
        written = smtp_sink.ledger.read_text()

    received = Received("judge@example.org", ("anna@example.org", "boris@example.org"), MAIL, "")
    assert smtp_sink.received == [received]
    assert written == f"<1@example.org> {received.sha256} anna@example.org,boris@example.org\n"


def test_smtp_sink_waits_for_mail(smtp_sink: SmtpSink) -> None:
    later = threading.Timer(0.1, _send, [smtp_sink])
    later.start()

    assert [mail.raw for mail in smtp_sink.wait(1)] == [MAIL]
    later.join()
    smtp_sink.forget()
    with pytest.raises(TimeoutError, match="0 of 1"):
        smtp_sink.wait(1, seconds=0.05)


@pytest.mark.parametrize(
    ("stage", "reply"),
    [
        (Stage.EHLO, "421 4.3.2 closing"),
        (Stage.MAIL, "451 4.3.0 try later"),
        (Stage.RCPT, "450 4.2.0 greylisted"),
        (Stage.DATA, "421 4.7.0 too many mails"),
        (Stage.BODY, "554 5.7.1 suspicion of spam"),
    ],
)
def test_smtp_sink_fails_at_a_stage_as_often_as_asked(smtp_sink: SmtpSink, stage: Stage, reply: str) -> None:
    occasions = 4 if stage is Stage.EHLO else 2  # refused at EHLO the client tries HELO
    smtp_sink.script(Fault(stage, reply, times=occasions))

    assert [_send(smtp_sink), _send(smtp_sink), _send(smtp_sink)] == [reply[:3], reply[:3], ""]
    assert [mail.raw for mail in smtp_sink.received] == [MAIL]


def test_smtp_sink_turns_a_caller_away(smtp_sink: SmtpSink) -> None:
    smtp_sink.script(Fault(Stage.CONNECT, "421 4.3.2 too many connections"))

    assert [_send(smtp_sink), _send(smtp_sink)] == ["421", ""]


def test_smtp_sink_refuses_one_recipient_of_two(smtp_sink: SmtpSink) -> None:
    smtp_sink.script(Fault(Stage.RCPT, "550 5.1.1 no such user", recipient="boris@example.org", times=None))
    with smtplib.SMTP(smtp_sink.host, smtp_sink.port) as client:
        refused = client.sendmail("judge@example.org", ["anna@example.org", "boris@example.org"], MAIL)

    assert refused == {"boris@example.org": (550, b"5.1.1 no such user")}
    assert [mail.recipients for mail in smtp_sink.received] == [("anna@example.org",)]


@pytest.mark.parametrize("accepted", [False, True])
def test_smtp_sink_hangs_up_after_the_mail(smtp_sink: SmtpSink, accepted: bool) -> None:
    smtp_sink.script(Fault(Stage.BODY, hang_up=True, accepted=accepted))

    assert _send(smtp_sink) == "disconnected"
    assert len(smtp_sink.received) == accepted


def test_smtp_sink_loses_every_third_acknowledgement(smtp_sink: SmtpSink) -> None:
    smtp_sink.script(Fault(Stage.BODY, hang_up=True, accepted=True, times=None, every=3))

    assert [_send(smtp_sink) for _ in range(6)] == ["", "", "disconnected", "", "", "disconnected"]
    assert len(smtp_sink.received) == 6
    smtp_sink.calm()
    assert [_send(smtp_sink) for _ in range(3)] == ["", "", ""]


def test_smtp_sink_is_slow_on_demand(smtp_sink: SmtpSink) -> None:
    smtp_sink.script(Fault(Stage.BODY, wait=0.3))
    began = time.monotonic()

    assert _send(smtp_sink) == ""
    assert 0.3 <= time.monotonic() - began < 5
    assert len(smtp_sink.received) == 1


def test_smtp_sink_outage_refuses_and_comes_back(smtp_sink: SmtpSink) -> None:
    with smtplib.SMTP(smtp_sink.host, smtp_sink.port) as client:
        client.ehlo()
        with smtp_sink.outage():
            with pytest.raises(ConnectionRefusedError):
                smtplib.SMTP(smtp_sink.host, smtp_sink.port)
            with pytest.raises(smtplib.SMTPServerDisconnected):
                client.noop()

    assert _send(smtp_sink) == ""


@pytest.mark.parametrize("tls", ["none", "starttls", "implicit"])
def test_smtp_sink_speaks_tls_and_demands_its_login(new_smtp_sink: Callable[..., SmtpSink], tls: str) -> None:
    sink = new_smtp_sink(tls=tls, login=("judge", "secret"))
    context = ssl.create_default_context(cafile=str(sink.ca_file))
    with (
        smtplib.SMTP_SSL(sink.tls_host, sink.port, context=context)
        if tls == "implicit"
        else smtplib.SMTP(sink.tls_host, sink.port)
    ) as client:
        if tls == "starttls":
            client.starttls(context=context)
        client.ehlo()
        assert client.docmd("MAIL", "FROM:<judge@example.org>")[0] == 530
        with pytest.raises(smtplib.SMTPAuthenticationError):
            client.login("judge", "wrong")
        client.login("judge", "secret")
        client.sendmail("judge@example.org", ["anna@example.org"], MAIL)

    assert [(mail.raw, mail.login) for mail in sink.received] == [(MAIL, "judge")]


def test_smtp_sink_certificate_is_refused_without_its_ca(new_smtp_sink: Callable[..., SmtpSink]) -> None:
    sink = new_smtp_sink(tls="implicit")

    with pytest.raises(ssl.SSLCertVerificationError):
        smtplib.SMTP_SSL(sink.tls_host, sink.port, context=ssl.create_default_context())


# ------------------------------------------------------------------------------------------------------------- Chromium


def test_chromium_shows_a_file(chromium: Chromium, tmp_path: Path) -> None:
    page = tmp_path / "sea.html"
    page.write_text('<body style="margin:0;background:#0000ff"><div style="height:900px">', "utf-8")

    png = chromium.screenshot(page, width=320, save_as=tmp_path / "sea.png")

    picture = Image.open(BytesIO(png)).convert("RGB")
    assert (picture.size, picture.getpixel((10, 890))) == ((320, 900), (0, 0, 255))
    assert (tmp_path / "sea.png").read_bytes() == png


def test_chromium_shows_dark_colors_to_those_who_ask(chromium: Chromium) -> None:
    page = "<style>body{background:white}@media(prefers-color-scheme:dark){body{background:black}}</style>"

    corners = [
        Image.open(BytesIO(chromium.screenshot(page, colors=colors))).convert("RGB").getpixel((0, 0))
        for colors in ("light", "dark")
    ]
    assert corners == [(255, 255, 255), (0, 0, 0)]


def test_chromium_reaches_nothing_outside(chromium: Chromium) -> None:
    page = '<img src="http://tracker.invalid/pixel.png" onerror="document.title=\'kept in\'">'

    def look(tab: Page) -> str:
        tab.set_content(page)
        tab.wait_for_function("document.title")
        return tab.title()

    assert chromium.visit(look) == "kept in"


def test_chromium_leaves_the_test_its_event_loop(chromium: Chromium) -> None:
    chromium.screenshot("<p>one</p>")

    assert asyncio.run(asyncio.sleep(0, "ran")) == "ran"


# ------------------------------------------------------------------------------------------------------ what is missing


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


def _session(url: str) -> psycopg.Connection[tuple[object, ...]]:
    return psycopg.connect(url.replace("+psycopg", ""), connect_timeout=5)


def _send(sink: SmtpSink) -> str:
    """Send MAIL over a fresh connection and return the code that refused it, "disconnected", or "" when accepted."""
    try:
        with smtplib.SMTP(sink.host, sink.port) as client:
            client.sendmail("judge@example.org", ["anna@example.org"], MAIL)
    except smtplib.SMTPServerDisconnected:
        return "disconnected"
    except smtplib.SMTPRecipientsRefused as refused:
        return str(refused.recipients["anna@example.org"][0])
    except smtplib.SMTPResponseException as refused:
        return str(refused.smtp_code)
    return ""
