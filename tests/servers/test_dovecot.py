"""Dovecot as other tests rely on it: bytes, arrivals, IDLE, MOVE, TLS and outages."""

from __future__ import annotations

import ssl
import threading
import time
from datetime import datetime, timedelta, timezone

import pytest
from imapclient import IMAPClient
from imapclient.exceptions import LoginError

from tests.servers.dovecot import Account, Dovecot

MAIL = (
    b"From: anna@example.org\r\nTo: judge@example.org\r\n"
    b"Subject: =?koi8-r?B?yM/E?=\r\nMessage-ID: <1@example.org>\r\n\r\n"
    b"A1-A2\r\n.\r\n\xcf\xf0\xe8\xe2\xe5\xf2\r\n"
)
EVENING = datetime(2031, 5, 6, 19, 30, 15, tzinfo=timezone(timedelta(hours=3)))


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
