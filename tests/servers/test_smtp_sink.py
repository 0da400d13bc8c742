"""The SMTP server of the tests keeps what it is told to keep and fails where it is told to fail."""

from __future__ import annotations

import smtplib
import ssl
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.servers.smtp_sink import Fault, Received, SmtpSink, Stage

MAIL = (
    b"From: anna@example.org\r\nTo: judge@example.org\r\n"
    b"Subject: =?koi8-r?B?yM/E?=\r\nMessage-ID: <1@example.org>\r\n\r\n"
    b"A1-A2\r\n.\r\n\xcf\xf0\xe8\xe2\xe5\xf2\r\n"
)


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
