"""The embedded mail servers, read with the clients a service and its players use."""

from __future__ import annotations

import smtplib
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta, timezone

import pytest
from imapclient import IMAPClient
from imapclient.exceptions import LoginError

from adjudicator.demo.loop import LoopThread
from adjudicator.demo.servers import Delivered, EmbeddedMail, NoSuchMailbox
from mail.imap import ImapServer, ImapSource
from mail.source import Cursor

JUDGE, ANNA, BORIS = "judge@demo.invalid", "anna@demo.invalid", "борис@demo.invalid"
START = datetime(2031, 5, 6, 7, 8, 9, 500_000, tzinfo=UTC)
MAIL = (
    b"From: anna@demo.invalid\r\nTo: judge@demo.invalid\r\nMessage-ID: <1@demo.invalid>\r\n\r\n"
    b"A1-A2\r\n.\r\n\xcf\xf0\xe8\xe2\xe5\xf2\r\n"
)


class FastClock:
    """A clock that a test sets."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> FastClock:
    return FastClock(START)


@pytest.fixture
def mail(clock: FastClock) -> Iterator[EmbeddedMail]:
    with EmbeddedMail(now=clock) as mail:
        for address in (JUDGE, ANNA, BORIS):
            mail.add_account(address, f"secret of {address}", ["Processed"])
        yield mail


@contextmanager
def logged_in(mail: EmbeddedMail, address: str = JUDGE) -> Iterator[IMAPClient]:
    client = IMAPClient(mail.host, mail.imap_port, ssl=False, timeout=10)
    try:
        client.normalise_times = False
        client.login(address, f"secret of {address}")
        yield client
    finally:
        client.shutdown()


def test_submitted_mail_is_fetched_with_the_clock_of_the_demo(mail: EmbeddedMail, clock: FastClock) -> None:
    mail.submit(MAIL, ANNA, [JUDGE])
    clock.now += timedelta(hours=72)
    mail.submit(MAIL, ANNA, [JUDGE])

    with logged_in(mail) as client:
        client.select_folder("INBOX")
        answer = client.fetch(client.search("ALL"), ["BODY.PEEK[]", "INTERNALDATE", "RFC822.SIZE", "FLAGS"])
    first, second = (answer[uid] for uid in sorted(answer))
    assert first[b"INTERNALDATE"] == START.replace(microsecond=0)
    assert second[b"INTERNALDATE"] - first[b"INTERNALDATE"] == timedelta(hours=72)
    assert [first[b"BODY[]"], second[b"BODY[]"]] == [one.stored for one in mail.inbox(JUDGE)]
    assert first[b"RFC822.SIZE"] == len(first[b"BODY[]"])
    assert b"\\Seen" not in first[b"FLAGS"]


def test_inbox_keeps_envelope_trace_and_bytes(mail: EmbeddedMail, clock: FastClock) -> None:
    clock.now = datetime(2031, 5, 6, 10, 8, 9, tzinfo=timezone(timedelta(hours=3)))
    mail.submit(MAIL, ANNA, ["Judge+w7k2@DEMO.invalid"])

    trace = (
        b"Return-Path: <anna@demo.invalid>\r\n"
        b"Delivered-To: Judge+w7k2@DEMO.invalid\r\n"
        b"Received: from localhost by mail.demo.invalid with ESMTP; Tue, 06 May 2031 07:08:09 +0000\r\n"
    )
    arrival = datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC)
    assert mail.inbox(JUDGE) == [Delivered(arrival, ANNA, "Judge+w7k2@DEMO.invalid", MAIL, trace)]
    assert mail.inbox(JUDGE)[0].stored == trace + MAIL


@pytest.mark.parametrize(
    "raw", [b"\r\n", b"no header", b"a: b\n\nbare\nline feeds\rand returns\n", b"\x00\xff" * 9, b"x" * 99_999]
)
def test_odd_bytes_are_fetched_as_they_were_submitted(mail: EmbeddedMail, raw: bytes) -> None:
    mail.submit(raw, "", [JUDGE])

    with logged_in(mail) as client:
        client.select_folder("INBOX", readonly=True)
        (answer,) = client.fetch(client.search("ALL"), ["BODY.PEEK[]"]).values()
    assert answer[b"BODY[]"] == mail.inbox(JUDGE)[0].trace + raw


def test_mail_sent_by_smtp_lies_with_every_recipient(mail: EmbeddedMail) -> None:
    with smtplib.SMTP(mail.host, mail.smtp_port) as client:
        client.login(JUDGE, f"secret of {JUDGE}")
        client.sendmail(JUDGE, [ANNA, BORIS], MAIL, mail_options=["SMTPUTF8"])

    assert [(one.sender, one.recipient, one.raw) for one in mail.inbox(ANNA)] == [(JUDGE, ANNA, MAIL)]
    assert [(one.sender, one.recipient, one.raw) for one in mail.inbox(BORIS)] == [(JUDGE, BORIS, MAIL)]
    assert mail.inbox(JUDGE) == []


def test_smtp_refuses_an_unknown_recipient_and_delivers_to_the_others(mail: EmbeddedMail) -> None:
    with smtplib.SMTP(mail.host, mail.smtp_port) as client:
        refused = client.sendmail(JUDGE, [ANNA, "vera@demo.invalid"], MAIL)

    assert refused == {"vera@demo.invalid": (550, b"5.1.1 no such mailbox")}
    assert len(mail.inbox(ANNA)) == 1


def test_smtp_and_imap_refuse_a_wrong_password(mail: EmbeddedMail) -> None:
    with smtplib.SMTP(mail.host, mail.smtp_port) as smtp, pytest.raises(smtplib.SMTPAuthenticationError):
        smtp.login(JUDGE, "wrong")
    imap = IMAPClient(mail.host, mail.imap_port, ssl=False, timeout=10)
    with pytest.raises(LoginError):
        imap.login(JUDGE, "wrong")
    imap.shutdown()


def test_submit_to_an_unknown_address_delivers_to_nobody(mail: EmbeddedMail) -> None:
    with pytest.raises(NoSuchMailbox, match=r"vera@demo\.invalid"):
        mail.submit(MAIL, ANNA, [JUDGE, "vera@demo.invalid"])

    assert mail.inbox(JUDGE) == []


def test_an_address_has_one_account(mail: EmbeddedMail) -> None:
    with pytest.raises(ValueError, match=r"JUDGE@demo\.invalid has an account already"):
        mail.add_account("JUDGE@demo.invalid", "other")


def test_idle_wakes_on_delivery(mail: EmbeddedMail) -> None:
    with logged_in(mail) as client:
        client.select_folder("INBOX")
        client.idle()
        submit = threading.Timer(0.05, mail.submit, [MAIL, ANNA, [JUDGE]])
        submit.start()
        woken_by = client.idle_check(timeout=10)
        client.idle_done()
        submit.join()

    assert (1, b"EXISTS") in woken_by


def test_moved_mail_leaves_the_imap_inbox_and_stays_in_the_record(mail: EmbeddedMail) -> None:
    mail.submit(MAIL, ANNA, [JUDGE])
    with logged_in(mail) as client:
        assert client.has_capability("MOVE")
        client.select_folder("INBOX")
        client.move(client.search("ALL"), "Processed")
        assert client.search("ALL") == []
        client.select_folder("Processed", readonly=True)
        (moved,) = client.fetch(client.search("ALL"), ["BODY.PEEK[]", "INTERNALDATE"]).values()

    assert (moved[b"BODY[]"], moved[b"INTERNALDATE"]) == (mail.inbox(JUDGE)[0].stored, START.replace(microsecond=0))


def test_a_source_reads_waits_and_moves_on_a_server_that_keeps_no_keywords(mail: EmbeddedMail) -> None:
    with logged_in(mail) as client:
        assert rb"\*" not in client.select_folder("INBOX")[b"PERMANENTFLAGS"]
    known = ImapServer(host=mail.host, port=mail.imap_port, user=JUDGE, password=f"secret of {JUDGE}", security="none")
    with closing(ImapSource(known)) as source:
        mail.submit(MAIL, ANNA, [JUDGE])
        first = [one.raw for one in source.poll("INBOX", Cursor())]
        seen = source.position("INBOX")
        assert seen is not None
        submit = threading.Timer(0.2, mail.submit, [MAIL, ANNA, [JUDGE]])
        submit.start()
        woken = source.wait(20)
        submit.join()
        second = list(source.poll("INBOX", Cursor(seen.uidvalidity, seen.uid)))

        assert (first, woken) == ([mail.inbox(JUDGE)[0].stored], True)
        assert [one.arrival for one in second] == [START.replace(microsecond=0)]
        assert source.done("INBOX", seen.uidvalidity, [seen.uid], "Processed") == (seen.uid,)
        assert [one.uid for one in source.poll("INBOX", Cursor())] == [second[0].uid]


def test_leaving_ends_connections_thread_and_servers(clock: FastClock) -> None:
    before = threading.enumerate()
    with EmbeddedMail(now=clock) as mail:
        mail.add_account(JUDGE, f"secret of {JUDGE}")
        smtp = smtplib.SMTP(mail.host, mail.smtp_port, timeout=10)
        imap = IMAPClient(mail.host, mail.imap_port, ssl=False, timeout=10)
        imap.login(JUDGE, f"secret of {JUDGE}")
        imap.select_folder("INBOX")
        imap.idle()
        port = mail.imap_port

    assert threading.enumerate() == before
    with pytest.raises(smtplib.SMTPServerDisconnected):
        smtp.noop()
    with pytest.raises(IMAPClient.AbortError):
        imap.idle_done()
    imap.shutdown()
    with pytest.raises(ConnectionRefusedError):
        IMAPClient(mail.host, port, ssl=False, timeout=10)


def test_a_clock_that_raises_is_heard_by_the_submitter_and_answered_to_smtp(clock: FastClock) -> None:
    def broken() -> datetime:
        raise RuntimeError("the clock stands")

    with EmbeddedMail(now=broken) as mail:
        mail.add_account(JUDGE, "secret")
        with pytest.raises(RuntimeError, match="the clock stands"):
            mail.submit(MAIL, ANNA, [JUDGE])
        with smtplib.SMTP(mail.host, mail.smtp_port) as smtp, pytest.raises(smtplib.SMTPDataError, match="500"):
            smtp.sendmail(ANNA, [JUDGE], MAIL)
        assert mail.inbox(JUDGE) == []


def test_loop_thread_refuses_to_wait_for_itself() -> None:
    async def from_inside(loop: LoopThread) -> None:
        loop.call(from_inside(loop))

    with LoopThread("inside") as loop, pytest.raises(RuntimeError, match="inside: a call from its own thread"):
        loop.call(from_inside(loop))
