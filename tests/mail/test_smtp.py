"""Handing over a mail to a real SMTP server that fails where the test says."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import pytest

from mail.smtp import Outcome, Session, SmtpServer, send
from tests.mail.mails import raw_mail
from tests.servers.smtp_sink import Fault, SmtpSink, Stage

RAW = raw_mail("ход\n.\n..точки\n")
JUDGE, IGOR, ANNA = "judge@games.example", "igor@example.ru", "anna@example.ru"


def server(sink: SmtpSink, timeout: float = 5.0) -> SmtpServer:
    return SmtpServer(host=sink.host, port=sink.port, security="none", timeout=timeout)


def handed(sink: SmtpSink, timeout: float = 5.0) -> Outcome:
    return asyncio.run(send(server(sink, timeout), JUDGE, IGOR, RAW))


def test_a_mail_arrives_byte_for_byte(smtp_sink: SmtpSink) -> None:
    outcome = handed(smtp_sink)

    assert (outcome.result, outcome.code) == ("accepted", 250)
    (mail,) = smtp_sink.received
    assert (mail.sender, mail.recipients, mail.raw) == (JUDGE, (IGOR,), RAW)


@pytest.mark.parametrize(
    ("fault", "result", "stage", "retry"),
    [
        (Fault(Stage.RCPT, "450 4.2.0 greylisted"), "deferred", "rcpt", "later"),
        (Fault(Stage.RCPT, "451 4.3.0 try again"), "deferred", "rcpt", "later"),
        (Fault(Stage.BODY, "452 4.3.1 full"), "deferred", "data", "later"),
        (Fault(Stage.CONNECT, "421 4.3.2 busy", hang_up=True), "deferred", "connect", "later"),
        (Fault(Stage.CONNECT, "554 5.7.1 go away", hang_up=True), "deferred", "connect", "pause"),
        (Fault(Stage.MAIL, "421 4.3.2 closing"), "deferred", "mail", "at-once"),
        (Fault(Stage.RCPT, "550 5.1.1 no such user"), "refused", "rcpt", ""),
        (Fault(Stage.BODY, "550 5.7.0 no"), "refused", "data", ""),
        (Fault(Stage.BODY, "552 5.3.4 too big"), "refused", "data", ""),
        (Fault(Stage.BODY, "554 5.7.1 Message rejected under suspicion of SPAM"), "deferred", "data", "pause"),
        (
            Fault(Stage.BODY, "554 5.7.1 [2] Message rejected under suspicion of SPAM; https://ya.example/"),
            "deferred",
            "data",
            "pause",
        ),
        (
            Fault(Stage.BODY, "550 spam message rejected. Please visit http://help.example/notspam"),
            "deferred",
            "data",
            "pause",
        ),
        (Fault(Stage.RCPT, "550 5.7.1 his spam filter does not want you"), "refused", "rcpt", ""),
        (Fault(Stage.MAIL, "552 5.3.4 message exceeds the size limit"), "refused", "mail", ""),
        (Fault(Stage.DATA, "552 5.3.4 too big"), "refused", "data", ""),
        (Fault(Stage.DATA, "421 4.3.2 closing"), "deferred", "data", "later"),
        (Fault(Stage.BODY, "554 5.0.0 transaction failed"), "refused", "data", ""),
        (Fault(Stage.MAIL, "553 5.7.1 Sender address rejected: not owned by auth user."), "deferred", "mail", "pause"),
        (Fault(Stage.MAIL, hang_up=True), "deferred", "mail", "later"),
        (Fault(Stage.RCPT, hang_up=True), "deferred", "rcpt", "later"),
        (Fault(Stage.BODY, hang_up=True), "uncertain", "data", "later"),
        (Fault(Stage.BODY, hang_up=True, accepted=True), "uncertain", "data", "later"),
    ],
    ids=lambda value: f"{value.stage}-{value.reply or 'hang-up'}" if isinstance(value, Fault) else str(value),
)
def test_every_failure_has_its_outcome(smtp_sink: SmtpSink, fault: Fault, result: str, stage: str, retry: str) -> None:
    smtp_sink.script(fault)
    outcome = handed(smtp_sink)

    assert (outcome.result, outcome.stage, outcome.retry) == (result, stage, retry)
    assert f"{outcome.code or ''}" in fault.reply


@pytest.mark.parametrize("stage", [Stage.CONNECT, Stage.EHLO, Stage.MAIL, Stage.RCPT, Stage.DATA, Stage.BODY])
def test_a_silent_server_costs_the_timeout_wherever_it_falls_silent(smtp_sink: SmtpSink, stage: Stage) -> None:
    smtp_sink.script(Fault(stage, wait=20.0, times=None))

    began = time.perf_counter()
    outcome = handed(smtp_sink, timeout=0.2)
    assert time.perf_counter() - began < 8
    assert outcome.retry == "later"
    assert outcome.result == ("uncertain" if stage in (Stage.DATA, Stage.BODY) else "deferred")


def test_no_step_waits_longer_than_a_minute() -> None:
    assert SmtpServer(host="mail.example.org").timeout <= 60


def test_a_server_that_never_answers_costs_the_timeout_and_no_more(smtp_sink: SmtpSink) -> None:
    smtp_sink.script(Fault(Stage.BODY, wait=3.0))

    began = time.perf_counter()
    outcome = handed(smtp_sink, timeout=0.5)
    assert time.perf_counter() - began < 2.5
    assert (outcome.result, outcome.retry) == ("uncertain", "later")


def test_a_server_that_is_not_there_defers(smtp_sink: SmtpSink) -> None:
    with smtp_sink.outage():
        outcome = handed(smtp_sink)

    assert (outcome.result, outcome.stage, outcome.retry) == ("deferred", "connect", "later")


def test_the_same_bytes_again_after_a_lost_answer_are_the_only_copy_more(smtp_sink: SmtpSink) -> None:
    smtp_sink.script(Fault(Stage.BODY, hang_up=True, accepted=True))

    assert [handed(smtp_sink).result, handed(smtp_sink).result] == ["uncertain", "accepted"]
    assert [mail.raw for mail in smtp_sink.received] == [RAW, RAW]


async def _batch(server: SmtpServer, *recipients: str) -> list[Outcome]:
    async with Session(server) as session:
        return [await session.send(JUDGE, to, RAW) for to in recipients]


def test_a_batch_gives_each_reader_a_transaction_of_his_own(smtp_sink: SmtpSink) -> None:
    asyncio.run(_batch(server(smtp_sink), IGOR, ANNA))

    assert [mail.recipients for mail in smtp_sink.received] == [(IGOR,), (ANNA,)]


def test_one_refused_reader_does_not_stop_the_batch(smtp_sink: SmtpSink) -> None:
    smtp_sink.script(Fault(Stage.RCPT, "550 5.1.1 unknown", recipient=IGOR))
    outcomes = asyncio.run(_batch(server(smtp_sink), IGOR, ANNA))

    assert [outcome.result for outcome in outcomes] == ["refused", "accepted"]


@pytest.mark.parametrize(
    "fault", [Fault(Stage.MAIL, "421 4.4.2 idle too long", every=2), Fault(Stage.MAIL, hang_up=True, every=2)]
)
def test_a_stale_connection_is_renewed_at_once(smtp_sink: SmtpSink, fault: Fault) -> None:
    smtp_sink.script(fault)
    outcomes = asyncio.run(_batch(server(smtp_sink), IGOR, ANNA))

    assert [outcome.result for outcome in outcomes] == ["accepted", "accepted"]


@pytest.mark.parametrize(
    "fault", [Fault(Stage.RSET, "421 4.4.2 idle too long", hang_up=True), Fault(Stage.RSET, hang_up=True)]
)
def test_a_connection_that_ends_at_the_reset_is_made_anew_at_once(smtp_sink: SmtpSink, fault: Fault) -> None:
    smtp_sink.script(Fault(Stage.RCPT, "550 5.1.1 unknown", recipient=IGOR), fault)
    outcomes = asyncio.run(_batch(server(smtp_sink), IGOR, ANNA, IGOR))

    assert [outcome.result for outcome in outcomes] == ["refused", "accepted", "accepted"]
    assert [mail.recipients for mail in smtp_sink.received] == [(ANNA,), (IGOR,)]


def test_a_reader_put_off_delays_nobody_else_of_the_batch(smtp_sink: SmtpSink) -> None:
    smtp_sink.script(Fault(Stage.RCPT, "450 4.2.0 greylisted", recipient=IGOR))
    outcomes = asyncio.run(_batch(server(smtp_sink), IGOR, ANNA))

    assert [(outcome.result, outcome.retry) for outcome in outcomes] == [("deferred", "later"), ("accepted", "")]


@pytest.mark.parametrize("tls", ["starttls", "implicit"])
def test_mail_goes_encrypted_and_logged_in(new_smtp_sink: Callable[..., SmtpSink], tls: str) -> None:
    sink = new_smtp_sink(tls=tls, login=("judge", "secret"))
    known = SmtpServer(
        host=sink.tls_host,
        port=sink.port,
        security="tls" if tls == "implicit" else "starttls",
        ca_file=str(sink.ca_file),
        user="judge",
        password="secret",
        timeout=5,
    )

    assert asyncio.run(send(known, JUDGE, IGOR, RAW)).result == "accepted"
    assert sink.received[0].login == "judge"


def test_a_wrong_password_pauses_everything_and_fails_no_letter(new_smtp_sink: Callable[..., SmtpSink]) -> None:
    sink = new_smtp_sink(login=("judge", "secret"))
    wrong = SmtpServer(host=sink.host, port=sink.port, security="none", user="judge", password="wrong", timeout=5)
    outcome = asyncio.run(send(wrong, JUDGE, IGOR, RAW))

    assert (outcome.result, outcome.code, outcome.stage, outcome.retry) == ("deferred", 535, "login", "pause")


def test_an_unknown_certificate_pauses_everything(new_smtp_sink: Callable[..., SmtpSink]) -> None:
    sink = new_smtp_sink(tls="implicit")
    outcome = asyncio.run(send(SmtpServer(host=sink.tls_host, port=sink.port, timeout=5), JUDGE, IGOR, RAW))

    assert (outcome.result, outcome.stage, outcome.retry) == ("deferred", "connect", "pause")
    assert sink.received == []


def test_a_server_without_starttls_gets_no_mail_and_no_password(smtp_sink: SmtpSink) -> None:
    known = SmtpServer(
        host=smtp_sink.host, port=smtp_sink.port, security="starttls", user="judge", password="secret", timeout=5
    )
    outcome = asyncio.run(send(known, JUDGE, IGOR, RAW))

    assert (outcome.result, outcome.stage, outcome.retry) == ("deferred", "connect", "pause")
    assert smtp_sink.received == []


def test_plain_text_to_another_machine_is_a_mistake_of_the_configuration() -> None:
    with pytest.raises(ValueError, match="unencrypted"):
        Session(SmtpServer(host="mail.example.org", security="none"))


def test_an_address_outside_ascii_goes_by_smtputf8(smtp_sink: SmtpSink) -> None:
    outcome = asyncio.run(send(server(smtp_sink), JUDGE, "игорь@example.ru", RAW))

    assert (outcome.result, smtp_sink.received[0].recipients) == ("accepted", ("игорь@example.ru",))


def test_an_address_outside_ascii_is_refused_where_the_server_does_not_offer_it(
    new_smtp_sink: Callable[..., SmtpSink],
) -> None:
    sink = new_smtp_sink(smtputf8=False)
    outcomes = asyncio.run(_batch(server(sink), "игорь@example.ru", ANNA))

    assert [(outcome.result, outcome.stage) for outcome in outcomes] == [("refused", "mail"), ("accepted", "data")]
    assert [mail.recipients for mail in sink.received] == [(ANNA,)]


def test_an_international_domain_alone_needs_no_smtputf8(new_smtp_sink: Callable[..., SmtpSink]) -> None:
    sink = new_smtp_sink(smtputf8=False)
    (outcome,) = asyncio.run(_batch(server(sink), "igor@почта.рф"))

    assert (outcome.result, sink.received[0].recipients) == ("accepted", ("igor@xn--80a1acny.xn--p1ai",))


def test_a_password_does_not_show_in_a_log_line() -> None:
    assert "secret" not in repr(SmtpServer(host="localhost", user="judge", password="secret"))
