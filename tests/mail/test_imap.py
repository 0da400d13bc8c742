"""A real IMAP mailbox, read by cursor, through outages, renumbering, strangers' flags and IDLE."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from imapclient import IMAPClient

from mail.imap import ImapServer, ImapSource, is_loopback
from mail.source import Arrived, Cursor, MailboxRefused, MailboxUnreachable, Position
from tests.mail.mails import raw_mail
from tests.servers.dovecot import Account, Dovecot

EVENING = datetime(2031, 5, 6, 19, 30, 15, tzinfo=timezone(timedelta(hours=3)))
FIRST, SECOND, THIRD = (raw_mail(f"ход {number}", ("X-Number", str(number))) for number in (1, 2, 3))


def server(dovecot: Dovecot, mailbox: Account, **other: object) -> ImapServer:
    known: dict[str, object] = {
        "host": dovecot.host,
        "port": dovecot.imap_port,
        "user": mailbox.user,
        "password": mailbox.password,
        "security": "none",
        "timeout": 10.0,
    }
    return ImapServer(**{**known, **other})  # type: ignore[arg-type]


@pytest.fixture
def source(dovecot: Dovecot, mailbox: Account) -> Iterator[ImapSource]:
    with closing(ImapSource(server(dovecot, mailbox))) as opened:
        yield opened


@pytest.fixture
def careful(dovecot: Dovecot, mailbox: Account) -> Iterator[ImapSource]:
    """Give a source that fetches every mail singly."""
    with closing(ImapSource(server(dovecot, mailbox, batch_bytes=1))) as opened:
        yield opened


START = Cursor()


def polled(source: ImapSource, cursor: Cursor = START, folder: str = "INBOX") -> list[Arrived]:
    return list(source.poll(folder, cursor))


def validity(source: ImapSource, folder: str = "INBOX") -> int:
    """Return what makes a folder's UIDs valid now."""
    return int(source.connect().folder_status(folder, [b"UIDVALIDITY"])[b"UIDVALIDITY"])


def behind(source: ImapSource, folder: str = "INBOX") -> Cursor:
    position = source.position(folder)
    assert position is not None
    return Cursor(position.uidvalidity, position.uid)


def test_poll_gives_bytes_and_the_servers_own_arrival(dovecot: Dovecot, mailbox: Account, source: ImapSource) -> None:
    dovecot.deliver(mailbox, FIRST, EVENING)
    (mail,) = polled(source)

    assert (mail.raw, mail.size, mail.why) == (FIRST, len(FIRST), "")
    assert (mail.arrival, mail.arrival and mail.arrival.tzinfo) == (EVENING, UTC)
    assert (mail.mailbox, mail.folder, mail.uid) == (f"imap:{mailbox.user}@{dovecot.host}/INBOX", "INBOX", 1)


def test_poll_changes_no_flag(dovecot: Dovecot, mailbox: Account, source: ImapSource) -> None:
    dovecot.deliver(mailbox, FIRST, EVENING)
    polled(source)

    (mail,) = dovecot.stored(mailbox)
    assert [flag for flag in mail.flags if flag != rb"\Recent"] == []


def test_poll_finds_mail_that_somebody_opened_on_a_phone(
    dovecot: Dovecot, mailbox: Account, source: ImapSource
) -> None:
    dovecot.deliver(mailbox, FIRST, EVENING)
    with dovecot.client(mailbox) as phone:
        phone.select_folder("INBOX")
        phone.fetch([1], ["BODY[]"])

    assert [mail.raw for mail in polled(source)] == [FIRST]


def test_five_polls_of_a_read_mailbox_give_nothing(dovecot: Dovecot, mailbox: Account, source: ImapSource) -> None:
    dovecot.deliver(mailbox, FIRST, EVENING)
    polled(source)
    cursor = behind(source)

    assert [polled(source, cursor) for _ in range(5)] == [[]] * 5
    assert behind(source) == cursor


def test_poll_sees_what_came_meanwhile_on_the_same_connection(
    dovecot: Dovecot, mailbox: Account, source: ImapSource
) -> None:
    dovecot.deliver(mailbox, FIRST, EVENING)
    polled(source)
    cursor = behind(source)
    dovecot.deliver(mailbox, SECOND, EVENING)
    dovecot.deliver(mailbox, THIRD, EVENING)

    assert [mail.raw for mail in polled(source, cursor)] == [SECOND, THIRD]


def test_poll_of_a_mailbox_whose_newest_mail_was_deleted_does_not_spin(
    dovecot: Dovecot, mailbox: Account, source: ImapSource
) -> None:
    for raw in (FIRST, SECOND, THIRD):
        dovecot.deliver(mailbox, raw, EVENING)
    polled(source)
    with dovecot.client(mailbox) as client:
        client.select_folder("INBOX")
        client.delete_messages([3])
        client.expunge()

    assert polled(source, Cursor(behind(source).uidvalidity, 2)) == []


def test_poll_fetches_one_mail_at_a_time(dovecot: Dovecot, mailbox: Account, source: ImapSource) -> None:
    for raw in (FIRST, SECOND):
        dovecot.deliver(mailbox, raw, EVENING)
    mails = source.poll("INBOX", Cursor())

    assert next(mails).raw == FIRST
    assert source.position("INBOX") is None


def test_a_mail_expunged_during_the_poll_is_named_and_the_rest_goes_on(
    dovecot: Dovecot, mailbox: Account, careful: ImapSource
) -> None:
    for raw in (FIRST, SECOND, THIRD):
        dovecot.deliver(mailbox, raw, EVENING)
    mails = careful.poll("INBOX", Cursor())
    next(mails)
    with dovecot.client(mailbox) as client:
        client.select_folder("INBOX")
        client.delete_messages([2])
        client.expunge()
    second, third = mails

    assert (second.raw, second.why, third.raw) == (None, "unfetchable", THIRD)
    assert list(careful.again("INBOX", validity(careful), [2])) == []


def test_again_gives_what_is_there(dovecot: Dovecot, mailbox: Account, source: ImapSource) -> None:
    dovecot.deliver(mailbox, FIRST, EVENING)

    assert [mail.raw for mail in source.again("INBOX", validity(source), [1, 99])] == [FIRST]


def test_a_mail_over_the_cap_is_not_fetched(dovecot: Dovecot, mailbox: Account) -> None:
    dovecot.deliver(mailbox, FIRST + b"x" * 5_000, EVENING)
    dovecot.deliver(mailbox, SECOND, EVENING)
    with closing(ImapSource(server(dovecot, mailbox, mail_limit=2_000))) as source:
        large, small = polled(source)

    assert (large.raw, large.why, large.size > 5_000, small.raw) == (None, "too-large", True, SECOND)


def test_a_new_uidvalidity_lists_again_since_the_given_day(
    dovecot: Dovecot, mailbox: Account, source: ImapSource
) -> None:
    old = EVENING - timedelta(days=30)
    dovecot.deliver(mailbox, FIRST, old)
    dovecot.deliver(mailbox, SECOND, EVENING)
    polled(source)
    before = behind(source)
    source.close()
    dovecot.new_uidvalidity(mailbox)
    dovecot.deliver(mailbox, THIRD, EVENING)
    mails = polled(source, Cursor(before.uidvalidity, before.uid, date(2031, 5, 6)))

    assert {mail.raw for mail in mails} == {SECOND, THIRD}
    position = source.position("INBOX")
    assert isinstance(position, Position)
    assert (position.relisted, position.uidvalidity == before.uidvalidity) == (True, False)


def test_poll_reads_other_folders_too(dovecot: Dovecot, mailbox: Account, source: ImapSource) -> None:
    dovecot.deliver(mailbox, FIRST, EVENING, folder="Junk")

    assert [mail.raw for mail in polled(source, folder="Junk")] == [FIRST]
    assert polled(source) == []


def test_a_missing_folder_is_refused_and_the_connection_stays(source: ImapSource) -> None:
    with pytest.raises(MailboxRefused, match="folder-missing"):
        polled(source, folder="Nowhere")
    assert polled(source) == []


# Housekeeping


def test_done_moves_the_named_mails_alone(dovecot: Dovecot, mailbox: Account, source: ImapSource) -> None:
    for raw in (FIRST, SECOND, THIRD):
        dovecot.deliver(mailbox, raw, EVENING)

    assert source.done("INBOX", validity(source), [1, 3, 77], "Processed") == (1, 3)
    assert [mail.raw for mail in dovecot.stored(mailbox)] == [SECOND]
    assert [mail.raw for mail in dovecot.stored(mailbox, "Processed")] == [FIRST, THIRD]


def test_done_makes_the_folder_it_needs(dovecot: Dovecot, mailbox: Account, source: ImapSource) -> None:
    dovecot.deliver(mailbox, FIRST, EVENING)
    source.done("INBOX", validity(source), [1], "Старое")

    assert [mail.raw for mail in dovecot.stored(mailbox, "Старое")] == [FIRST]


def without(*capabilities: str) -> Callable[[IMAPClient, str], bool]:
    real = IMAPClient.has_capability
    return lambda client, name: name not in capabilities and bool(real(client, name))


def test_done_without_move_expunges_its_own_mails_alone(
    dovecot: Dovecot, mailbox: Account, source: ImapSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    for raw in (FIRST, SECOND):
        dovecot.deliver(mailbox, raw, EVENING)
    with dovecot.client(mailbox) as stranger:
        stranger.select_folder("INBOX")
        stranger.delete_messages([2])
    monkeypatch.setattr(IMAPClient, "has_capability", without("MOVE"))

    assert source.done("INBOX", validity(source), [1], "Processed") == (1,)
    assert [mail.raw for mail in dovecot.stored(mailbox)] == [SECOND]
    assert [mail.raw for mail in dovecot.stored(mailbox, "Processed")] == [FIRST]


def test_done_without_move_and_uidplus_leaves_everything(
    dovecot: Dovecot, mailbox: Account, source: ImapSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    dovecot.deliver(mailbox, FIRST, EVENING)
    monkeypatch.setattr(IMAPClient, "has_capability", without("MOVE", "UIDPLUS"))

    assert source.done("INBOX", validity(source), [1], "Processed") == ()
    assert len(dovecot.stored(mailbox)) == 1


def test_done_into_a_folder_that_cannot_be_made_leaves_everything(
    dovecot: Dovecot, mailbox: Account, source: ImapSource
) -> None:
    dovecot.deliver(mailbox, FIRST, EVENING)

    assert source.done("INBOX", validity(source), [1], "a//b") == ()
    assert len(dovecot.stored(mailbox)) == 1


# Outages


def test_a_server_that_died_is_reached_again_after_it_is_back(
    dovecot: Dovecot, mailbox: Account, source: ImapSource
) -> None:
    dovecot.deliver(mailbox, FIRST, EVENING)
    polled(source)
    with dovecot.outage():
        for code in ("connection-lost", "connect-failed"):
            with pytest.raises(MailboxUnreachable) as failure:
                polled(source)
            assert failure.value.code == code

    assert [mail.raw for mail in polled(source)] == [FIRST]


def test_a_server_that_dies_inside_a_poll_names_the_mail(
    dovecot: Dovecot, mailbox: Account, careful: ImapSource
) -> None:
    for raw in (FIRST, SECOND):
        dovecot.deliver(mailbox, raw, EVENING)
    mails = careful.poll("INBOX", Cursor())
    next(mails)
    with dovecot.outage(), pytest.raises(MailboxUnreachable) as failure:
        next(mails)

    assert failure.value.uid == 2
    assert [mail.raw for mail in polled(careful)] == [FIRST, SECOND]


def test_a_frozen_server_costs_the_timeout(dovecot: Dovecot, mailbox: Account) -> None:
    with closing(ImapSource(server(dovecot, mailbox, timeout=2.0))) as source:
        polled(source)
        with dovecot.frozen():
            began = time.perf_counter()
            with pytest.raises(MailboxUnreachable, match="timeout"):
                polled(source)
            assert time.perf_counter() - began < 5


def test_a_wrong_password_is_refused_in_the_servers_own_words(dovecot: Dovecot, mailbox: Account) -> None:
    with pytest.raises(MailboxRefused) as failure:
        ImapSource(server(dovecot, mailbox, password="wrong-secret")).connect()

    assert (failure.value.code, "wrong-secret" in str(failure.value)) == ("login-refused", False)


def test_plain_text_to_another_machine_is_refused_before_a_word(dovecot: Dovecot, mailbox: Account) -> None:
    with pytest.raises(MailboxRefused, match="plaintext-refused"):
        ImapSource(server(dovecot, mailbox, host="mail.example.org")).connect()


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_mail_is_read_encrypted(dovecot: Dovecot, mailbox: Account, security: str) -> None:
    dovecot.deliver(mailbox, FIRST, EVENING)
    port = dovecot.imaps_port if security == "tls" else dovecot.imap_port
    known = server(dovecot, mailbox, host=dovecot.tls_host, port=port, security=security, ca_file=str(dovecot.ca_file))
    with closing(ImapSource(known)) as source:
        assert [mail.raw for mail in polled(source)] == [FIRST]


def test_an_unknown_certificate_is_refused(dovecot: Dovecot, mailbox: Account) -> None:
    known = server(dovecot, mailbox, host=dovecot.tls_host, port=dovecot.imaps_port, security="tls")
    with pytest.raises(MailboxRefused, match="certificate-refused"):
        ImapSource(known).connect()


# Waiting


def test_wait_wakes_on_delivery(dovecot: Dovecot, mailbox: Account, source: ImapSource) -> None:
    polled(source)
    post = threading.Timer(0.3, dovecot.deliver, [mailbox, FIRST])
    post.start()
    began = time.perf_counter()

    assert source.wait(20) is True
    assert time.perf_counter() - began < 10
    post.join()
    assert len(polled(source)) == 1


def test_wait_ends_at_once_for_mail_that_came_after_the_poll(
    dovecot: Dovecot, mailbox: Account, source: ImapSource
) -> None:
    polled(source)
    dovecot.deliver(mailbox, FIRST, EVENING)
    began = time.perf_counter()

    assert source.wait(20) is True
    assert time.perf_counter() - began < 5


def test_wait_does_not_wake_for_a_deleted_mail(dovecot: Dovecot, mailbox: Account, source: ImapSource) -> None:
    for raw in (FIRST, SECOND):
        dovecot.deliver(mailbox, raw, EVENING)
    polled(source)
    with dovecot.client(mailbox) as client:
        client.select_folder("INBOX")
        client.delete_messages([2])
        client.expunge()

    assert [source.wait(1.2), polled(source, behind(source)), source.wait(1.2)] == [False, [], False]


@pytest.mark.parametrize("zone", ["Asia/Vladivostok", "America/New_York"])
def test_arrival_does_not_depend_on_the_zone_of_this_machine(
    dovecot: Dovecot, mailbox: Account, source: ImapSource, monkeypatch: pytest.MonkeyPatch, zone: str
) -> None:
    dovecot.deliver(mailbox, FIRST, EVENING)
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        assert [mail.arrival for mail in polled(source)] == [EVENING]
    finally:
        monkeypatch.undo()
        time.tzset()


def test_wait_ends_by_itself(source: ImapSource) -> None:
    assert source.wait(0.5) is False


def test_wait_is_ended_from_another_thread(source: ImapSource) -> None:
    waker = threading.Timer(0.2, source.wake)
    waker.start()
    began = time.perf_counter()

    assert source.wait(30) is True
    assert time.perf_counter() - began < 5
    waker.join()


def test_wait_on_a_dead_server_raises_and_does_not_spin(dovecot: Dovecot, source: ImapSource) -> None:
    polled(source)
    killer = threading.Timer(0.3, dovecot.kill)
    killer.start()
    began, cpu = time.perf_counter(), time.thread_time()
    try:
        with pytest.raises(MailboxUnreachable):
            source.wait(60)
        assert time.perf_counter() - began < 20
        assert time.thread_time() - cpu < 2
    finally:
        killer.join()
        dovecot.start()


def test_wait_on_a_frozen_server_raises(dovecot: Dovecot, mailbox: Account) -> None:
    with closing(ImapSource(server(dovecot, mailbox, timeout=2.0))) as source:
        polled(source)
        with dovecot.frozen(), pytest.raises(MailboxUnreachable):
            source.wait(3)


def test_wait_without_idle_merely_waits(source: ImapSource, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(IMAPClient, "has_capability", without("IDLE"))

    assert source.wait(0.2) is False


def test_only_this_machine_is_loopback() -> None:
    names = ["localhost", "127.0.0.1", "127.9.9.9", "::1", "[::1]", "mail.example.org", "10.0.0.1", "127.0.0.1.example"]

    assert [is_loopback(name) for name in names] == [True] * 5 + [False] * 3


def test_a_password_does_not_show_in_a_log_line(dovecot: Dovecot, mailbox: Account) -> None:
    assert mailbox.password not in repr(server(dovecot, mailbox))
