"""What a mailbox, a mail or a move may do wrong, and that nobody's orders suffer from it (play-by-mail 1.3)."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest
from msgspec.structs import replace
from sqlmodel import col, select

from adjudicator import jobs
from adjudicator.letters import Receipt
from adjudicator.services import people, tokens
from adjudicator.services.header import Header
from adjudicator.services.ingest import Moves
from adjudicator.services.intake import Doorway
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Mail, Mailbox, Seat
from mail.imap import ImapServer, ImapSource
from mail.message import content_hash
from mail.source import MailboxRefused, MailboxUnreachable
from tests.adjudicator.services.stage import (
    HOUR,
    JUDGE,
    MINUTE,
    OPERATOR,
    PIRATES,
    PIRATES_ORDERS,
    SPAIN,
    SPAIN_ORDERS,
    VERA,
    Stage,
    prepare,
    stage,
)
from tests.adjudicator.services.test_turns import frozen
from tests.servers.dovecot import Account, Dovecot
from tests.servers.postgres import Postgres
from tests.servers.scripted_imap import CAPABILITIES, Says, ScriptedImap
from tests.servers.smtp_sink import SmtpSink

SECOND = timedelta(seconds=1)
OTHERS = ((VERA, "Вера", "ru", SPAIN), ("gleb@example.org", "Глеб", "ru", PIRATES))
YANDEX = b"{tag} NO [AUTHENTICATIONFAILED] LOGIN invalid credentials or IMAP is disabled sc=AbCdEf_imap\r\n"


def scripted_source(server: ScriptedImap, timeout: float = 2.0) -> ImapSource:
    return ImapSource(
        ImapServer(
            host=server.host,
            port=server.port,
            user="judge",
            password="pass-of-judge",
            security="none",
            timeout=timeout,
            folders=("INBOX", "Junk"),
            batch_bytes=1,
        )
    )


@pytest.fixture
def imap() -> Iterator[ScriptedImap]:
    with ScriptedImap() as server:
        yield server


@pytest.fixture
def scripted(played: str, smtp_sink: SmtpSink, imap: ScriptedImap) -> Iterator[Stage]:
    """Give a service over a scripted mailbox and SQLite, with an ordinary game at hand."""
    doorway = Doorway(authserv=lambda _: "", trusted=lambda _: False)
    with stage(played, smtp_sink, [scripted_source(imap)], doorway, imap.deliver) as made:
        yield made


def letter_of(place: Stage, tag: str, seat: str, rest: bytes, *head: bytes) -> bytes:
    """Return a mail of a seat's holder whose headers, token apart, and body are as given."""
    with place.house.look() as work:
        sender = people.main_address(work, people.player(work, place.tenure(tag, seat).player_id))
    to = tokens.reply_address(JUDGE, place.carrier(tag, seat))
    given = [f"From: {sender}".encode()] if not any(one.startswith(b"From:") for one in head) else []
    return b"\r\n".join((*given, f"To: {to}".encode(), *head)) + b"\r\n\r\n" + rest


def rows(place: Stage) -> list[Mail]:
    with place.house.look() as work:
        return list(work.session.exec(select(Mail).order_by(col(Mail.id))))


def box(place: Stage) -> Mailbox:
    with place.house.look() as work:
        return work.session.exec(select(Mailbox).where(col(Mailbox.name).endswith("INBOX"))).one()


def one_ship(number: int) -> bytes:
    return f"корабль {number}: стоять\r\n".encode()


# One bad mail in front of good ones


BAD = {
    "GB2312 label and a raw byte": (b"From: =?GB2312?B?\x83\x83?= <\x83@example.org>", b"Subject: =?GB2312?Q?=83=30?="),
    "unknown charsets": (
        b"Subject: =?x-unknown-charset?B?SGk=?=",
        b"Content-Type: text/plain; charset=x-nope",
        b"Content-Transfer-Encoding: 8bit",
    ),
    "malformed multipart": (b'Content-Type: multipart/mixed; boundary="', b"MIME-Version: 1.0"),
    "no Message-ID": (b"Subject: 1",),
}


@pytest.mark.parametrize("head", BAD.values(), ids=BAD.keys())
def test_a_bad_mail_in_front_stops_none_of_the_pass_and_the_cursor_passes(
    scripted: Stage, imap: ScriptedImap, head: tuple[bytes, ...]
) -> None:
    tag = scripted.game()
    for number, seat, more in ((4, PIRATES, head), (5, PIRATES, ()), (1, SPAIN, ())):
        scripted.deliver(letter_of(scripted, tag, seat, one_ship(number), *more))
    scripted.settle()

    first, *others = scripted.verdicts()
    assert first[0] in ("orders", "held", "quarantined", "empty")
    assert others == [("orders", "")] * 2
    assert (box(scripted).uid, imap.told("STORE")) == (3, [])


def test_a_mail_that_cannot_be_handled_stops_none_of_the_pass_and_the_operator_hears_once(
    scripted: Stage,
) -> None:
    tag, other = scripted.game(), scripted.game(cast=OTHERS)
    scripted.alter(lambda work: spoil(work, tag))
    bad = scripted.write(tag, SPAIN, SPAIN_ORDERS)
    scripted.write(other, SPAIN, SPAIN_ORDERS)
    scripted.write(other, PIRATES, PIRATES_ORDERS)

    scripted.settle()
    assert [verdict for verdict, _ in scripted.verdicts()][1:] == ["orders", "orders"]
    for _ in range(4):
        scripted.settle()
    assert scripted.verdicts()[0][0] == "quarantined"
    row = rows(scripted)[0]
    assert row.raw is not None
    assert (scripted.house.vault.open(row.raw), row.attempts) == (bad, 3)
    assert [fact["mail"] for fact in scripted.notices("quarantined-operator", OPERATOR)] == [row.id]


def spoil(work: Work, tag: str) -> None:
    """Alter a game so that whatever is said of it raises."""
    game = work.session.exec(select(Game).where(Game.tag == tag)).one()
    for seat in work.session.exec(select(Seat).where(Seat.game_id == game.id)):
        seat.titles = "{"
        work.session.add(seat)


def test_a_mail_that_cannot_be_stored_is_kept_as_bare_bytes_once_and_stops_no_other(
    scripted: Stage, imap: ScriptedImap, played: str
) -> None:
    tag = scripted.game()
    bad = letter_of(scripted, tag, SPAIN, one_ship(1), b"Subject: x")
    with sqlite3.connect(played.removeprefix("sqlite:///")) as database:
        database.execute(
            f"CREATE TRIGGER refuse BEFORE INSERT ON mail WHEN NEW.content = '{content_hash(bad)}'"
            " BEGIN SELECT RAISE(ABORT, 'no room for it'); END"
        )
    scripted.deliver(bad)
    scripted.write(tag, PIRATES, PIRATES_ORDERS)
    for _ in range(4):
        scripted.settle()

    assert scripted.verdicts() == [("quarantined", "unstorable"), ("orders", "")]
    row = rows(scripted)[0]
    assert row.raw is not None
    assert (scripted.house.vault.open(row.raw), row.sha256) == (bad, sha256(bad).hexdigest())
    assert [fact["why"] for fact in scripted.notices("quarantined-operator", OPERATOR)] == ["unstorable"]
    assert len(asked_for_body(imap)) == 1
    assert box(scripted).uid == 2


def test_a_mail_the_server_never_gives_is_set_aside_after_three_polls_and_read_when_it_comes_after_all(
    scripted: Stage, imap: ScriptedImap
) -> None:
    tag = scripted.game()
    scripted.settle()
    half = b"* 1 FETCH (UID 1 BODY[] {4000}\r\nFrom: anna"
    imap.script(Says("UID FETCH 1 (BODY", (half,), None, hang_up=True))
    written = scripted.clock.now()
    scripted.write(tag, SPAIN, SPAIN_ORDERS)
    scripted.write(tag, PIRATES, PIRATES_ORDERS)
    found = []
    for _ in range(5):
        scripted.later(2 * MINUTE)
        found.append(scripted.verdicts()[0])

    assert found == [("new", "unfetchable")] * 3 + [("quarantined", "unfetchable")] * 2
    assert scripted.verdicts()[1] == ("orders", "")
    assert [fact["why"] for fact in scripted.notices("quarantined-operator", OPERATOR)] == ["unfetchable"]
    assert box(scripted).good == scripted.clock.now()

    imap.calm()
    scripted.later(HOUR)
    assert scripted.verdicts()[0] == ("orders", "")
    assert (rows(scripted)[0].arrival, scripted.in_force(tag, SPAIN) != ()) == (written, True)


def test_a_mail_that_is_never_given_is_asked_for_ever_more_rarely_and_a_week_at_most(
    scripted: Stage, imap: ScriptedImap
) -> None:
    tag = scripted.game()
    scripted.settle()
    imap.script(Says("UID FETCH 1 (BODY", (b"{tag} OK nothing\r\n",), None))
    written = scripted.clock.now()
    scripted.write(tag, SPAIN, SPAIN_ORDERS)
    asked = []
    for hour in (1, 2, 3, *range(30, 40), 167, 169, 200):
        before = len(asked_for_body(imap))
        scripted.read_until(written + hour * HOUR)
        asked.append(len(asked_for_body(imap)) - before)

    assert (asked[:3], asked[-2:], sum(asked) <= 14) == ([1, 1, 1], [0, 0], True)


def asked_for_body(imap: ScriptedImap) -> list[str]:
    return [one for one in imap.commands if one.startswith("UID FETCH 1 (BODY")]


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_a_size_no_column_holds_and_an_arrival_nobody_can_read_stop_nothing(
    database: str, request: pytest.FixtureRequest, smtp_sink: SmtpSink, imap: ScriptedImap
) -> None:
    postgres: Postgres | None = request.getfixturevalue("postgres") if database == "postgresql" else None
    url = request.getfixturevalue("played") if postgres is None else template(postgres)
    doorway = Doorway(authserv=lambda _: "", trusted=lambda _: False)
    with stage(url, smtp_sink, [scripted_source(imap)], doorway, imap.deliver) as place:
        tag = place.game()
        place.write(tag, SPAIN, SPAIN_ORDERS)
        place.write(tag, SPAIN, "корабль 1: стоять")
        place.write(tag, PIRATES, PIRATES_ORDERS)
        imap.inbox.mails[0].size = 99_999_999_999
        imap.inbox.mails[1].date = "00-Jan-0000 00:00:00 +0000"
        place.settle()

        assert place.verdicts() == [("quarantined", "too-large"), ("new", "unfetchable"), ("orders", "")]
        imap.inbox.mails[1].date = ""
        place.settle()
        assert (place.verdicts()[1], rows(place)[1].arrival) == (("orders", ""), place.clock.now())
    if postgres is not None:
        postgres.drop(url)


def template(postgres: Postgres) -> str:
    """Return a new database with an ordinary game in it."""
    if not postgres.process.runs:
        postgres.start()
    return postgres.new_database(postgres.new_template("services", prepare))


# The same mail again, and another under the same name


def test_three_mails_without_message_id_are_three(scripted: Stage) -> None:
    tag = scripted.game()
    for number in (4, 5, 6):
        scripted.deliver(letter_of(scripted, tag, PIRATES, one_ship(number)))
    scripted.settle()

    assert scripted.verdicts() == [("orders", "")] * 3
    assert len(scripted.in_force(tag, PIRATES)) == 3


@pytest.mark.parametrize("head", [(), (b"Message-ID: <1@example.org>",)], ids=["without", "with Message-ID"])
def test_a_mail_fetched_twice_after_a_crash_is_one_submission(scripted: Stage, head: tuple[bytes, ...]) -> None:
    tag = scripted.game()
    scripted.deliver(letter_of(scripted, tag, SPAIN, one_ship(1), *head))
    scripted.settle()
    for change in (back_to_the_start, renumbered):
        scripted.alter(change)
        scripted.settle()

    assert {verdict for verdict, _ in scripted.verdicts()} == {"orders"}
    assert (len(scripted.letters("receipt")), len(scripted.events(tag, "order"))) == (1, 1)


def back_to_the_start(work: Work) -> None:
    """Forget how far the mailbox was read, as though the process had died before it could note it."""
    for found in work.session.exec(select(Mailbox)):
        found.uid = 0
        work.session.add(found)


def renumbered(work: Work) -> None:
    for found in work.session.exec(select(Mailbox)):
        found.uidvalidity = 1
        work.session.add(found)


def test_two_mails_under_one_message_id_are_two_and_the_second_replaces(scripted: Stage) -> None:
    tag = scripted.game()
    name = b"Message-ID: <the-same@example.org>"
    scripted.deliver(letter_of(scripted, tag, SPAIN, "корабль 1: стоять\r\n".encode(), name))
    scripted.settle()
    scripted.clock.move(MINUTE)
    scripted.deliver(letter_of(scripted, tag, SPAIN, "корабль 1: курс СВ 3\r\n".encode(), name))
    scripted.settle()

    assert scripted.verdicts() == [("orders", "")] * 2
    assert scripted.in_force(tag, SPAIN) == ("«Сан-Фелипе»: курс СВ 3",)
    assert len(scripted.letters("receipt")) == 2


def test_after_the_mailbox_was_made_anew_exactly_the_new_mail_acts(
    real: Stage, dovecot: Dovecot, mailbox: Account
) -> None:
    tag = real.game()
    real.write(tag, SPAIN, "корабль 1: курс СВ 1")
    real.write(tag, SPAIN, "корабль 1: курс СВ 2")
    real.settle()
    real.desk.sources[0].close()
    dovecot.new_uidvalidity(mailbox)
    real.clock.move(5 * MINUTE)
    real.write(tag, SPAIN, "корабль 1: курс СВ 3")
    real.settle()

    assert [verdict for verdict, _ in real.verdicts()] == ["orders"] * 5
    assert len([row for row in rows(real) if row.twin is None]) == 3
    assert (len(real.letters("receipt")), len(real.events(tag, "order"))) == (3, 3)
    assert real.in_force(tag, SPAIN) == ("«Сан-Фелипе»: курс СВ 3",)


def test_with_uidvalidity_zero_exactly_the_new_mail_acts_whatever_its_number(
    scripted: Stage, imap: ScriptedImap
) -> None:
    tag = scripted.game()
    imap.inbox.uidvalidity = 0
    for speed in (1, 2):
        scripted.write(tag, SPAIN, f"корабль 1: курс СВ {speed}")
    for _ in range(3):
        scripted.settle()
    assert len(rows(scripted)) == 2

    imap.inbox.mails.reverse()
    for uid, held in enumerate(imap.inbox.mails, start=2):
        held.uid = uid
    scripted.clock.move(MINUTE)
    scripted.write(tag, SPAIN, "корабль 1: курс СВ 3")
    imap.inbox.mails[-1].uid = 1
    for _ in range(2):
        scripted.settle()

    assert scripted.verdicts() == [("orders", "")] * 3
    assert len(scripted.letters("receipt")) == 3
    assert scripted.in_force(tag, SPAIN) == ("«Сан-Фелипе»: курс СВ 3",)


# Moving away what was read


def moving(place: Stage, quarantine: str = "") -> None:
    """Let the service move read mail away."""
    object.__setattr__(place.desk, "moves", {place.desk.sources[0].name: Moves("Processed", quarantine)})


def test_a_mail_is_moved_only_after_it_is_stored(scripted: Stage, imap: ScriptedImap) -> None:
    tag = scripted.game()
    moving(scripted)
    imap.script(Says("UID MOVE", hang_up=True, silent=False))
    scripted.write(tag, SPAIN, SPAIN_ORDERS)
    scripted.settle()

    assert (scripted.verdicts(), len(imap.inbox.mails)) == ([("orders", "")], 1)
    scripted.settle()
    assert (imap.inbox.mails, len(imap.folders["Processed"].mails)) == ([], 1)


def test_a_refused_move_leaves_the_mail_is_not_repeated_and_is_no_outage(scripted: Stage, imap: ScriptedImap) -> None:
    tag = scripted.game()
    moving(scripted)
    imap.script(Says("UID MOVE", (b"{tag} NO [OVERQUOTA] no room\r\n",), None))
    scripted.write(tag, SPAIN, SPAIN_ORDERS)
    for _ in range(5):
        scripted.later(2 * MINUTE)

    assert (len(imap.told("MOVE")), len(imap.inbox.mails), imap.folders["Processed"].mails) == (1, 1, [])
    assert (box(scripted).good, box(scripted).trouble) == (scripted.clock.now(), "")
    assert scripted.verdicts() == [("orders", "")]


def test_what_was_set_aside_goes_to_a_folder_of_its_own(scripted: Stage, imap: ScriptedImap) -> None:
    tag = scripted.game()
    moving(scripted, "Quarantine")
    scripted.deliver(letter_of(scripted, tag, SPAIN, one_ship(1) * 2_500, b"Subject: long"))
    scripted.write(tag, PIRATES, PIRATES_ORDERS)
    scripted.settle()
    assert len(imap.inbox.mails) == 2  # no verdict yet when they were stored

    scripted.settle()
    assert [verdict for verdict, _ in scripted.verdicts()] == ["quarantined", "orders"]
    folders = {name: len(folder.mails) for name, folder in imap.folders.items()}
    assert folders == {"INBOX": 0, "Junk": 0, "Quarantine": 1, "Processed": 1}


@pytest.mark.parametrize("step", ["UID COPY", "UID STORE", "UID EXPUNGE"])
def test_a_copy_whose_fate_is_unknown_is_never_made_again(played: str, smtp_sink: SmtpSink, step: str) -> None:
    doorway = Doorway(authserv=lambda _: "", trusted=lambda _: False)
    with (
        ScriptedImap(tuple(one for one in CAPABILITIES if one != "MOVE")) as server,
        stage(played, smtp_sink, [scripted_source(server)], doorway, server.deliver) as place,
    ):
        tag = place.game()
        moving(place)
        server.script(Says(step, times=None, hang_up=True))
        place.write(tag, SPAIN, SPAIN_ORDERS)
        for _ in range(5):
            place.later(2 * MINUTE)

        assert (len(server.told("COPY")), len(server.inbox.mails)) == (1, 1)
        assert (place.verdicts(), box(place).good) == ([("orders", "")], place.clock.now())


def test_nothing_is_moved_out_of_a_folder_whose_numbers_mean_other_mails(scripted: Stage, imap: ScriptedImap) -> None:
    tag = scripted.game()
    scripted.write(tag, SPAIN, SPAIN_ORDERS)
    scripted.settle()
    moving(scripted)
    imap.inbox.mails[0].raw = letter_of(scripted, tag, PIRATES, one_ship(4))
    imap.script(Says("SELECT", (b"* 1 EXISTS\r\n* OK [UIDVALIDITY 8] anew\r\n{tag} OK [READ-WRITE] done\r\n",)))
    scripted.settle()

    assert (len(imap.inbox.mails), imap.told("MOVE", "COPY")) == (1, [])


# The poller


def poller(place: Stage) -> jobs.Poller:
    return jobs.Poller(place.desk, place.desk.sources[0], lambda: None)


def quick(place: Stage, seconds: int = 0) -> None:
    """Let a wait for mail be over at once."""
    config = place.house.config
    object.__setattr__(place.house, "config", replace(config, times=replace(config.times, poll=seconds)))


def test_a_refused_login_is_tried_ever_more_rarely_and_the_log_names_both_causes(
    scripted: Stage, imap: ScriptedImap, caplog: pytest.LogCaptureFixture
) -> None:
    scripted.game()
    quick(scripted)
    imap.script(Says("LOGIN", (YANDEX,), 4))
    asked = poller(scripted)
    with caplog.at_level(logging.INFO, "adjudicator"):
        pauses = [asked._turn() for _ in range(5)]

    assert (pauses, len(imap.told("LOGIN"))) == ([300.0, 900.0, 3600.0, 3600.0, 0.0], 5)
    first = caplog.messages[0]
    assert [word in first for word in ("password is wrong", "IMAP is switched off", "IMAP is disabled", "300 s")] == [
        True
    ] * 4
    assert "pass-of-judge" not in caplog.text
    (notice,) = scripted.notices("mailbox-refused", OPERATOR)
    assert (notice["why"], "IMAP is disabled" in notice["detail"]) == ("login-refused", True)


def test_a_busy_login_is_tried_again_soon_and_nobody_is_called(scripted: Stage, imap: ScriptedImap) -> None:
    scripted.game()
    quick(scripted)
    imap.script(Says("LOGIN", (b"{tag} NO [UNAVAILABLE] LOGIN internal server error\r\n",), 2))
    asked = poller(scripted)

    assert [asked._turn() for _ in range(3)] == [1.0, 2.0, 0.0]
    assert scripted.notices("mailbox-refused") == []


def test_a_server_that_ends_every_idle_is_polled_without_a_spin_and_loses_no_order(
    scripted: Stage, imap: ScriptedImap, caplog: pytest.LogCaptureFixture
) -> None:
    tag = scripted.game()
    quick(scripted, 20)
    imap.script(Says("IDLE", (b"+ idling\r\n* BYE idle for too long\r\n",), 4, hang_up=True))
    asked = poller(scripted)
    pauses = []
    with caplog.at_level(logging.INFO, "adjudicator"):
        for number in (4, 5, 6, 7):
            scripted.deliver(letter_of(scripted, tag, PIRATES, one_ship(number)))
            pauses.append(asked._turn())
    jobs.think(scripted.desk)

    assert pauses == [1.0, 2.0, 5.0, 15.0]
    assert [record.levelname for record in caplog.records] == ["INFO"] * 4
    assert len(scripted.in_force(tag, PIRATES)) == 4


def test_a_poller_outlives_a_black_hole_and_reads_what_came_meanwhile(
    played: str, smtp_sink: SmtpSink, imap: ScriptedImap, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "BACK_OFF", (0.1, 0.2))
    doorway = Doorway(authserv=lambda _: "", trusted=lambda _: False)
    source = scripted_source(imap, timeout=0.3)
    with stage(played, smtp_sink, [source], doorway, imap.deliver) as place:
        tag = place.game()
        quick(place, 1)
        imap.script(Says("IDLE", (b"+ idling\r\n",), silent=True))
        read = threading.Event()
        asked = jobs.Poller(place.desk, source, lambda: len(rows(place)) == 2 and read.set())
        place.write(tag, SPAIN, "корабль 1: стоять")
        asked.start()
        try:
            while not imap.told("IDLE"):
                read.wait(0.05)
            place.write(tag, SPAIN, "корабль 2: стоять")
            assert read.wait(20)
        finally:
            asked.end()
            asked.join(10)
        assert not asked.is_alive()


def test_a_server_without_idle_and_keywords_is_served_by_polling(played: str, smtp_sink: SmtpSink) -> None:
    doorway = Doorway(authserv=lambda _: "", trusted=lambda _: False)
    with (
        ScriptedImap(("IMAP4rev1",)) as server,
        stage(played, smtp_sink, [scripted_source(server)], doorway, server.deliver) as place,
    ):
        tag = place.game()
        moving(place)
        for number in (4, 5):
            place.deliver(letter_of(place, tag, PIRATES, one_ship(number)))
            place.settle()

        assert len(place.in_force(tag, PIRATES)) == 2
        assert server.told("IDLE", "STORE", "SELECT", "MOVE", "COPY", "EXPUNGE") == []


def test_operators_are_called_when_no_poll_has_succeeded_for_the_guard(scripted: Stage, imap: ScriptedImap) -> None:
    scripted.game()
    scripted.settle()
    good = scripted.clock.now()
    imap.script(Says("EXAMINE", times=None, hang_up=True))
    told = []
    for minutes in (30, 31, 60):
        scripted.clock.move(minutes * MINUTE)
        with pytest.raises(MailboxUnreachable):
            scripted.settle()
        told.append(len(scripted.letters("outage-operator")))

    assert (told, box(scripted).good, box(scripted).trouble) == ([0, 1, 1], good, "connection-lost")


def test_a_missing_folder_is_told_of_at_once(scripted: Stage, imap: ScriptedImap) -> None:
    scripted.game()
    del imap.folders["Junk"]
    for _ in range(2):
        with pytest.raises(MailboxRefused):
            scripted.settle()

    assert [fact["why"] for fact in scripted.notices("mailbox-refused", OPERATOR)] == ["folder-missing"]


# Deadlines


def test_a_second_before_the_deadline_counts_although_it_is_read_ten_minutes_after(scripted: Stage) -> None:
    tag = scripted.game()
    scripted.settle()
    deadline = scripted.turn(tag).deadline
    scripted.read_until(deadline - 10 * MINUTE)
    scripted.write(tag, SPAIN, SPAIN_ORDERS, arrival=deadline - SECOND)
    scripted.write(tag, PIRATES, PIRATES_ORDERS, arrival=deadline + SECOND)
    scripted.at(deadline + 10 * MINUTE)

    assert frozen(scripted, tag, 1) == {SPAIN: ["sent"] * 3, PIRATES: ["silent"] * 6}
    assert [verdict for verdict, _ in scripted.verdicts()] == ["orders", "late"]
    in_time, late = (value for _, value in scripted.letters("receipt"))
    assert isinstance(in_time, Receipt)
    assert isinstance(late, Receipt)
    assert (in_time.late, late.late is not None) == (None, True)


DATES = {
    "none": b"X-Date: none",
    "words": b"Date: yesterday, towards evening",
    "a day that is none": b"Date: Mon, 99 Foo 2026 99:99:99 +9999",
    "a year no calendar has": b"Date: Mon, 1 Jan 99999999999999999999 00:00:00 +0000",
    "a zone no clock has": b"Date: Fri, 31 Dec 9999 23:59:59 -9959",
    "the first year": b"Date: Mon, 1 Jan 0001 00:00:00 +2359",
    "raw bytes": b"Date: \xff\xfe\x00\xcf\xed",
    "in the future": b"Date: Sat, 1 Jan 2028 00:00:00 +0000",
    "long ago": b"Date: Thu, 1 Jan 1970 00:00:00 +0000",
}


def test_whatever_the_date_header_says_arrival_decides(place: Stage) -> None:
    tag = place.game()
    place.settle()
    deadline = place.turn(tag).deadline
    place.read_until(deadline - MINUTE)
    for number, date in enumerate(DATES.values()):
        for arrival in (deadline - SECOND, deadline + SECOND):
            text = f"корабль {number % 3 + 1}: стоять\r\nсоль: {number} {arrival}\r\n".encode()
            place.deliver(letter_of(place, tag, SPAIN, text, date), arrival=arrival)
    place.at(deadline + 3 * MINUTE)

    assert {(row.arrival < deadline, row.verdict) for row in rows(place)} == {(True, "orders"), (False, "late")}
    assert len(rows(place)) == 2 * len(DATES)
    assert frozen(place, tag, 1)[SPAIN] == ["sent"] * 3


def test_a_letter_dated_in_the_future_makes_no_later_one_an_old_one(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, "корабль 1: стоять", date=place.clock.now() + 24 * HOUR)
    place.clock.move(HOUR)

    assert place.say(tag, SPAIN, "корабль 2: стоять").overtaken is False


@pytest.mark.parametrize(
    ("opened", "schedule", "deadline"),
    [
        # the clocks go back from 03:00 to 02:00: half past two comes twice, and the first counts
        (
            datetime(2026, 10, 17, tzinfo=UTC),
            "every sun 02:30 Europe/Berlin",
            datetime(2026, 10, 25, 0, 30, tzinfo=UTC),
        ),
        # the clocks go from 02:00 to 03:00: there is no half past two, the next instant counts
        (datetime(2026, 3, 21, tzinfo=UTC), "every sun 02:30 Europe/Berlin", datetime(2026, 3, 29, 1, tzinfo=UTC)),
    ],
)
def test_a_deadline_in_a_change_of_clocks_is_one_instant_for_everybody(
    place: Stage, opened: datetime, schedule: str, deadline: datetime
) -> None:
    place.clock.move_to(opened)
    tag = place.game(header=Header(schedule=schedule))
    place.settle()
    assert place.turn(tag).deadline == deadline
    place.read_until(deadline - MINUTE)

    place.write(tag, SPAIN, SPAIN_ORDERS, arrival=deadline - SECOND)
    place.write(tag, PIRATES, PIRATES_ORDERS, arrival=deadline + SECOND)  # the same wall time may come once more
    place.at(deadline + 3 * MINUTE)

    assert frozen(place, tag, 1) == {SPAIN: ["sent"] * 3, PIRATES: ["silent"] * 6}
