"""What servers do that no real one does on demand: damaged answers, ends inside a literal, silence, refusals."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime

import pytest

from mail import imap
from mail.imap import ImapServer, ImapSource
from mail.source import Arrived, Cursor, MailboxRefused, MailboxUnreachable, Position
from tests.mail.mails import raw_mail
from tests.servers.scripted_imap import CAPABILITIES, Says, ScriptedImap

NOON = datetime(2031, 5, 6, 12, tzinfo=UTC)
FIRST, SECOND, THIRD = (raw_mail(f"ход {number}", ("X-Number", str(number))) for number in (1, 2, 3))
YANDEX = b"{tag} NO [AUTHENTICATIONFAILED] LOGIN invalid credentials or IMAP is disabled sc=AbCdEf_imap\r\n"


@pytest.fixture
def scripted() -> Iterator[ScriptedImap]:
    """Give a server that holds three mails."""
    with ScriptedImap() as server:
        for raw in (FIRST, SECOND, THIRD):
            server.deliver(raw, NOON)
        yield server


def reached(server: ScriptedImap, **other: object) -> ImapSource:
    known: dict[str, object] = {
        "host": server.host, "port": server.port, "user": "judge", "password": "secret", "security": "none",
        "timeout": 2.0,
    }  # fmt: skip
    return ImapSource(ImapServer(**{**known, **other}))  # type: ignore[arg-type]


@pytest.fixture
def source(scripted: ScriptedImap) -> Iterator[ImapSource]:
    with closing(reached(scripted)) as opened:
        yield opened


def polled(source: ImapSource, cursor: Cursor | None = None) -> list[Arrived]:
    return list(source.poll("INBOX", cursor or Cursor()))


def seen(mails: list[Arrived]) -> list[tuple[int, bool, str]]:
    """Return UID, whether there are bytes, and why not."""
    return [(mail.uid, mail.raw is not None, mail.why) for mail in mails]


ALL = [(1, True, ""), (2, True, ""), (3, True, "")]
WITHOUT_SECOND = [(1, True, ""), (2, False, "unfetchable"), (3, True, "")]


# Bodies


def test_a_connection_closed_inside_a_literal_costs_one_mail(scripted: ScriptedImap, source: ImapSource) -> None:
    half = b"* 2 FETCH (UID 2 BODY[] {4000}\r\nFrom: anna@example.org\r\n\r\nhalf a wo"
    scripted.script(
        Says("UID FETCH 1,2,3 (BODY", (half,), hang_up=True), Says("UID FETCH 2 (BODY", (half,), None, hang_up=True)
    )

    assert seen(polled(source)) == WITHOUT_SECOND
    assert len([one for one in scripted.commands if one.startswith("UID FETCH 2 (BODY")]) == 2
    assert source.position("INBOX") == Position(7, 3, relisted=False)


def test_a_mail_that_was_cut_once_is_read_at_the_next_try(scripted: ScriptedImap, source: ImapSource) -> None:
    scripted.script(Says("UID FETCH 1,2,3 (BODY", (b"* 1 FETCH (UID 1 BODY[] {900}\r\nFrom",), hang_up=True))

    assert [mail.raw for mail in polled(source)] == [FIRST, SECOND, THIRD]


@pytest.mark.parametrize(
    "answer",
    [
        b"{tag} OK nothing to tell\r\n",
        b"* 2 FETCH (FLAGS (\\Seen))\r\n{tag} OK somebody reads along\r\n",
        b"* 2 FETCH (UID 2 FLAGS (\\Seen))\r\n* 3 EXPUNGE\r\n* 2 EXISTS\r\n{tag} OK done\r\n",
        b"* 2 FETCH (UID 2 BODY[] NIL)\r\n{tag} OK gone\r\n",
        b"{tag} NO [EXPUNGEISSUED] it went away\r\n",
        b"* 2 FETCH (UID 2 BODY[] {99999999999}\r\n",
        b"* 2 FETCH (UID 2 BODY[] {5\r\nhello)\r\n{tag} OK done\r\n",
        b"* 2 FETCH (UID 2 BODY[] \xff\xfe((((\r\n{tag} OK done\r\n",
        b"* 2 FETCH (UID two BODY[] {5}\r\nhello)\r\n{tag} OK done\r\n",
    ],
)
def test_an_answer_without_the_body_is_an_attempt_and_the_rest_is_read(scripted: ScriptedImap, answer: bytes) -> None:
    scripted.script(Says("UID FETCH 2 (BODY", (answer,), None))
    with closing(reached(scripted, batch_bytes=1)) as careful:
        assert seen(polled(careful)) == WITHOUT_SECOND
        scripted.calm()
        assert [mail.raw for mail in careful.again("INBOX", 7, [2])] == [SECOND]


def test_flag_news_of_another_client_hide_no_mail(scripted: ScriptedImap, source: ImapSource) -> None:
    sizes = b"".join(
        b'* %d FETCH (UID %d RFC822.SIZE 90 INTERNALDATE "06-May-2031 12:00:00 +0000")\r\n' % (uid, uid)
        for uid in (3, 1, 2)
    )
    news = b"* 3 FETCH (FLAGS (\\Seen))\r\n* 1 FETCH (UID 1 FLAGS (\\Answered))\r\n* 3 EXISTS\r\n* 0 RECENT\r\n"
    scripted.script(Says("UID FETCH", (news + sizes + news + b"{tag} OK done\r\n",)))

    assert [mail.raw for mail in polled(source)] == [FIRST, SECOND, THIRD]


def test_a_literal_larger_than_any_mail_is_never_waited_for(scripted: ScriptedImap) -> None:
    scripted.script(Says("UID FETCH 1 (BODY", (b"* 1 FETCH (UID 1 BODY[] {99999999999}\r\n",), None))
    with closing(reached(scripted, batch_bytes=1, timeout=30.0)) as careful:
        began = time.perf_counter()
        assert seen(polled(careful)) == [(1, False, "unfetchable"), (2, True, ""), (3, True, "")]
        assert time.perf_counter() - began < 15


def test_a_server_that_counts_sizes_wrongly_gets_no_mail_past_the_cap(scripted: ScriptedImap) -> None:
    scripted.inbox.mails[1].raw = FIRST + b"x" * 6_000
    scripted.inbox.mails[1].size = 10
    scripted.inbox.mails[2].size = 99_999_999_999
    with closing(reached(scripted, mail_limit=5_000)) as source:
        assert seen(polled(source)) == [(1, True, ""), (2, False, "too-large"), (3, False, "too-large")]
    assert [one for one in scripted.commands if one.startswith("UID FETCH 3 (BODY")] == []


# Sizes and arrivals


@pytest.mark.parametrize("date", ["00-Jan-0000 00:00:00 +0000", "31-Dec-9999 23:59:59 -1200", "yesterday", ""])
def test_a_mail_whose_arrival_cannot_be_told_stops_no_other(
    scripted: ScriptedImap, source: ImapSource, date: str
) -> None:
    scripted.inbox.mails[1].date = date or " "
    mails = polled(source)

    assert seen(mails) == WITHOUT_SECOND
    assert (mails[1].arrival, source.position("INBOX")) == (None, Position(7, 3, relisted=False))


def test_a_mail_the_server_lists_and_says_nothing_of_is_named_and_passed(
    scripted: ScriptedImap, source: ImapSource
) -> None:
    lines = (
        b'* 1 FETCH (UID 1 RFC822.SIZE 90 INTERNALDATE "06-May-2031 12:00:00 +0000")\r\n'
        b'* 3 FETCH (UID 3 RFC822.SIZE 90 INTERNALDATE "06-May-2031 12:00:00 +0000")\r\n{tag} OK done\r\n'
    )
    scripted.script(Says("UID FETCH 1,2,3 (RFC822.SIZE", (lines,)))

    assert seen(polled(source)) == WITHOUT_SECOND


def test_a_mail_expunged_between_search_and_fetch_is_no_mail(scripted: ScriptedImap, source: ImapSource) -> None:
    scripted.script(Says("UID SEARCH", (b"* SEARCH 1 2 3 4 5\r\n{tag} OK done\r\n",)))
    scripted.inbox.uidnext = 6

    assert seen(polled(source)) == ALL
    assert source.position("INBOX") == Position(7, 5, relisted=False)


def test_a_server_that_breaks_at_every_mail_is_not_logged_into_without_end(scripted: ScriptedImap) -> None:
    for _ in range(60):
        scripted.deliver(FIRST, NOON)
    scripted.script(Says("UID FETCH", times=None, hang_up=True, having="BODY"))
    with closing(reached(scripted)) as source:
        mails = source.poll("INBOX", Cursor())
        given = []
        with pytest.raises(MailboxUnreachable, match="connection-lost"):
            given += [next(mails).why for _ in range(63)]
        assert 10 < scripted.logins <= imap._BREAKS + 2


# UIDs


def test_the_cursor_passes_what_was_deleted_at_the_end(scripted: ScriptedImap, source: ImapSource) -> None:
    scripted.inbox.mails[2].uid = 8
    scripted.inbox.uidnext = 10
    polled(source)
    assert source.position("INBOX") == Position(7, 9, relisted=False)

    began = time.perf_counter()
    assert (polled(source, Cursor(7, 9)), source.wait(0.3)) == ([], False)
    assert time.perf_counter() - began >= 0.3  # no spin


def test_a_stale_uidnext_hides_no_mail(scripted: ScriptedImap, source: ImapSource) -> None:
    polled(source)
    scripted.inbox.uidnext = 4
    scripted.deliver(FIRST + b"new", NOON)

    assert [mail.uid for mail in polled(source, Cursor(7, 3))] == [4]
    assert source.position("INBOX") == Position(7, 4, relisted=False)
    assert scripted.told("EXAMINE") == ['EXAMINE "INBOX"'] * 2


def test_uidvalidity_zero_lists_anew_at_every_poll(scripted: ScriptedImap, source: ImapSource) -> None:
    scripted.inbox.uidvalidity = 0

    assert seen(polled(source, Cursor(0, 3, date(2031, 5, 6)))) == ALL
    assert source.position("INBOX") == Position(0, 3, relisted=True)
    assert source.done("INBOX", 0, [1], "Processed") == ()
    assert list(source.again("INBOX", 0, [1])) == []
    assert scripted.told("MOVE", "COPY", "STORE", "EXPUNGE") == []


def test_after_a_new_uidvalidity_a_quiet_folder_is_not_read_again_from_its_beginning(
    scripted: ScriptedImap, source: ImapSource
) -> None:
    scripted.inbox.uidvalidity = 8

    assert polled(source, Cursor(7, 3, date(2032, 1, 1))) == []
    assert source.position("INBOX") == Position(8, 3, relisted=True)


def test_mails_of_a_folder_that_was_made_anew_are_neither_fetched_again_nor_moved(
    scripted: ScriptedImap, source: ImapSource
) -> None:
    scripted.inbox.uidvalidity = 8

    assert list(source.again("INBOX", 7, [2])) == []
    assert source.done("INBOX", 7, [1, 2], "Junk") == ()
    assert [held.uid for held in scripted.inbox.mails] == [1, 2, 3]


def test_no_charset_is_ever_named_in_a_search(scripted: ScriptedImap, source: ImapSource) -> None:
    polled(source)
    polled(source, Cursor(7, 1))
    polled(source, Cursor(6, 1, date(2031, 5, 6)))
    source.done("INBOX", 7, [1], "Junk")

    assert scripted.told("SEARCH") == [
        "UID SEARCH ALL", "UID SEARCH UID 2:*", "UID SEARCH SINCE 04-May-2031", "UID SEARCH UID 1",
    ]  # fmt: skip


def test_only_peeks_are_asked_for_in_a_folder_opened_for_reading(scripted: ScriptedImap, source: ImapSource) -> None:
    polled(source)

    assert scripted.told("SELECT", "STORE", "EXPUNGE", "CLOSE") == []
    assert [one for one in scripted.told("FETCH") if "BODY" in one and "BODY.PEEK[]" not in one] == []


# Housekeeping


def bare(*missing: str) -> ScriptedImap:
    return ScriptedImap(tuple(one for one in CAPABILITIES if one not in missing))


def test_without_move_and_uidplus_not_a_word_is_said_that_changes_a_mail() -> None:
    with bare("MOVE", "UIDPLUS") as server, closing(reached(server)) as source:
        server.deliver(FIRST, NOON)
        server.deliver(SECOND, NOON).flags.add(r"\Deleted")

        assert (source.moving(), source.done("INBOX", 7, [1], "Processed")) == ("not", ())
        assert server.told("SELECT", "COPY", "MOVE", "STORE", "EXPUNGE", "CREATE", "CLOSE") == []
        assert [held.uid for held in server.inbox.mails] == [1, 2]


@pytest.mark.parametrize("missing", ["", "MOVE"])
def test_where_the_target_is_missing_and_cannot_be_made_nothing_is_deleted(missing: str) -> None:
    with bare(missing) as server, closing(reached(server)) as source:
        server.deliver(FIRST, NOON)
        server.deliver(SECOND, NOON).flags.add(r"\Deleted")
        server.script(Says("CREATE", (b"{tag} NO [CANNOT] not here\r\n",), None))

        assert source.done("INBOX", 7, [1], "Processed") == ()
        assert ([held.uid for held in server.inbox.mails], server.told("STORE", "EXPUNGE")) == ([1, 2], [])


@pytest.mark.parametrize(("missing", "verb"), [("", "UID MOVE"), ("MOVE", "UID COPY")])
def test_a_refused_move_deletes_nothing(missing: str, verb: str) -> None:
    with bare(missing) as server, closing(reached(server)) as source:
        server.deliver(FIRST, NOON)
        server.deliver(SECOND, NOON).flags.add(r"\Deleted")
        server.script(Says(verb, (b"{tag} NO [TRYCREATE] the folder went away\r\n",), None))

        assert source.done("INBOX", 7, [1], "Junk") == ()
        assert ([held.uid for held in server.inbox.mails], server.told("STORE", "EXPUNGE")) == ([1, 2], [])


def test_a_move_in_steps_expunges_its_own_mails_alone() -> None:
    with bare("MOVE") as server, closing(reached(server)) as source:
        server.deliver(FIRST, NOON)
        server.deliver(SECOND, NOON).flags.add(r"\Deleted")

        assert (source.moving(), source.done("INBOX", 7, [1], "Junk")) == ("in-steps", (1,))
        assert [held.uid for held in server.inbox.mails] == [2]
        assert server.told("EXPUNGE") == ["UID EXPUNGE 1"]


# Logging in


def test_a_refused_login_shows_the_servers_words_and_is_no_outage(scripted: ScriptedImap, source: ImapSource) -> None:
    scripted.script(Says("LOGIN", (YANDEX,)))
    with pytest.raises(MailboxRefused) as failure:
        polled(source)

    assert (failure.value.code, "IMAP is disabled" in failure.value.detail) == ("login-refused", True)
    assert len(scripted.told("LOGIN")) == 1


@pytest.mark.parametrize(
    "answer",
    [
        b"{tag} NO [UNAVAILABLE] LOGIN internal server error sc=x\r\n",
        b"{tag} NO [LIMIT] Maximum number of connections from user+IP exceeded\r\n",
        b"{tag} NO [ALERT] Too many simultaneous connections. (Failure)\r\n",
    ],
)
def test_a_busy_server_says_nothing_against_the_password(
    scripted: ScriptedImap, source: ImapSource, answer: bytes
) -> None:
    scripted.script(Says("LOGIN", (answer,)))
    with pytest.raises(MailboxUnreachable, match="login-put-off"):
        polled(source)

    assert seen(polled(source)) == ALL


def test_a_server_without_starttls_never_hears_the_password(scripted: ScriptedImap) -> None:
    with closing(reached(scripted, security="starttls")) as source, pytest.raises(MailboxRefused) as failure:
        polled(source)

    assert (failure.value.code, scripted.told("LOGIN", "AUTHENTICATE")) == ("starttls-missing", [])


@pytest.mark.parametrize(
    "fault",
    [
        Says("GREETING", (b"* BYE overloaded\r\n",), hang_up=True),
        Says("GREETING", (b"220 smtp.example.org ESMTP\r\n",), hang_up=True),
        Says("GREETING", hang_up=True),
        Says("GREETING", silent=True),
        Says("LOGIN", silent=True),
        Says("EXAMINE", silent=True),
        Says("EXAMINE", (b"* BYE shutting down\r\n",), hang_up=True),
        Says("UID SEARCH", (b"* SEARCH one two\r\n{tag} OK done\r\n",)),
        Says("UID SEARCH", (b"{tag} NO [SERVERBUG] try later\r\n",)),
        Says("UID FETCH", silent=True),
    ],
    ids=str,
)
def test_a_sick_server_is_told_from_a_refusal_and_read_when_it_is_well(scripted: ScriptedImap, fault: Says) -> None:
    scripted.script(fault)
    with closing(reached(scripted, timeout=0.3)) as source:
        try:
            mails = polled(source)
        except MailboxUnreachable:
            mails = polled(source)
        assert seen(mails) == ALL


# Waiting


def spent(source: ImapSource, seconds: float) -> tuple[bool | str, float, float]:
    """Wait, and return what came of it, how long it took, and how much of the processor."""
    began, cpu = time.perf_counter(), time.thread_time()
    try:
        result: bool | str = source.wait(seconds)
    except MailboxUnreachable as trouble:
        result = trouble.code
    return result, time.perf_counter() - began, time.thread_time() - cpu


def test_an_idle_that_the_server_ends_is_an_ordinary_event(scripted: ScriptedImap, source: ImapSource) -> None:
    polled(source)
    killer = threading.Timer(0.2, scripted.cut)
    killer.start()
    result, took, cpu = spent(source, 20)
    killer.join()

    assert (result, took < 12, cpu < 0.5) == ("connection-lost", True, True)
    scripted.deliver(FIRST + b"new", NOON)
    assert [mail.uid for mail in polled(source, Cursor(7, 3))] == [4]


@pytest.mark.parametrize(("hang_up", "code"), [(True, "connection-lost"), (False, "timeout")])
def test_a_goodbye_while_idle_ends_the_wait_without_a_spin(scripted: ScriptedImap, *, hang_up: bool, code: str) -> None:
    goodbye = (b"+ idling\r\n", b"* BYE Autologout; idle for too long\r\n")
    scripted.script(Says("IDLE", goodbye, hang_up=hang_up, silent=not hang_up, gap=0.1))
    with closing(reached(scripted, timeout=1.0)) as source:
        polled(source)
        result, took, cpu = spent(source, 20)

        assert (result, took < 12, cpu < 0.3) == (code, True, True)
        assert seen(polled(source)) == ALL


@pytest.mark.parametrize("command", ["IDLE", "DONE", "NOOP"])
def test_a_black_hole_is_noticed_within_a_renewal_and_a_timeout(
    scripted: ScriptedImap, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr(imap, "_IDLE_LONGEST", 0.4)
    lines = (b"+ idling\r\n",) if command == "IDLE" else ()
    with closing(reached(scripted, timeout=0.5)) as source:
        polled(source)
        scripted.script(Says(command, lines, None, silent=True))
        result, took, cpu = spent(source, 60)

    assert (result, took < 20, cpu < 0.3) == ("timeout", True, True)


def test_a_dead_link_shows_itself_within_a_minute() -> None:
    assert imap._IDLE_LONGEST + ImapServer("h", "u", "p").timeout <= 60
    assert imap._IDLE_LONGEST < 29 * 60  # RFC 2177


def test_an_idle_is_renewed_and_goes_on_hearing(
    scripted: ScriptedImap, source: ImapSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imap, "_IDLE_LONGEST", 0.2)
    polled(source)
    post = threading.Timer(0.7, scripted.deliver, [FIRST, NOON])
    post.start()

    assert source.wait(20) is True
    post.join()
    assert len(scripted.told("IDLE")) >= 3


@pytest.mark.parametrize("answer", [b"{tag} BAD Unknown command IDLE\r\n", b"{tag} NO not today\r\n"])
def test_a_server_that_announces_idle_and_refuses_it_is_polled(
    scripted: ScriptedImap, source: ImapSource, answer: bytes
) -> None:
    scripted.script(Says("IDLE", (answer,), None))
    polled(source)

    waits = [spent(source, 0.3) for _ in range(4)]
    assert [result for result, _, _ in waits] == [True, True, False, False]
    assert all(took >= 0.3 for _, took, _ in waits[2:])
    assert len(scripted.told("IDLE")) == 2


@pytest.mark.parametrize("capabilities", [("IMAP4rev1",), ("IMAP4rev1", "MOVE", "UIDPLUS")])
def test_a_server_without_idle_is_polled(capabilities: tuple[str, ...]) -> None:
    with ScriptedImap(capabilities) as server, closing(reached(server)) as source:
        server.deliver(FIRST, NOON)

        assert (seen(polled(source)), source.wait(0.1), server.told("IDLE", "STORE")) == ([(1, True, "")], False, [])


def test_idle_can_be_switched_off(scripted: ScriptedImap) -> None:
    with closing(reached(scripted, idle=False)) as source:
        polled(source)

        assert (source.wait(0.1), scripted.told("IDLE")) == (False, [])
