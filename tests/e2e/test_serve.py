"""Whole games by the real service: a process, Dovecot, SMTP, a database, and nobody who polls for it."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlmodel import select

from adjudicator.fairplay.sources import read_source
from adjudicator.fairplay.verify import verify
from adjudicator.services import games, outbox, positions
from adjudicator.services.header import Header
from adjudicator.storage.tables import LogEntry, Mailbox, Turn
from engine.core import registry
from tests.e2e.service import Harbour, harbour, lines_of, text_of
from tests.servers.dovecot import Account, Dovecot
from tests.servers.smtp_sink import SmtpSink

ANNA, BORIS = "anna@example.org", "boris@example.org"
MINUTE = timedelta(minutes=1)


@pytest.fixture
def port(dovecot: Dovecot, mailbox: Account, smtp_sink: SmtpSink, tmp_path: Path) -> Iterator[Harbour]:
    """Give a place on SQLite whose service polls every second."""
    url = f"sqlite:///{tmp_path / 'service.db'}"
    with harbour(url, dovecot, mailbox, smtp_sink, tmp_path, poll=1) as made:
        yield made


def invite(port: Harbour, *, limit: int = 60, schedule: str = "48h") -> str:
    """Make a game and write its two invitations."""
    with port.place.house() as house, house.unit("test") as work:
        game = games.create(work, "pirates", 2, options={"limit": limit}, header=Header(schedule=schedule))
        games.invite(work, game, ANNA, name="Анна", seat="spain-1")
        games.invite(work, game, BORIS, name="Boris", language="en")
        return game.tag


def status(port: Harbour, tag: str) -> list[tuple[int, str]]:
    with port.place.house() as house, house.look() as work:
        query = select(Turn).where(Turn.game_id == work.game(tag, lock=False).id)
        return sorted((turn.number, turn.status) for turn in work.session.exec(query))


def test_whole_game_is_played_by_mail_and_the_service_ends_when_told(port: Harbour) -> None:
    tag = invite(port, limit=1, schedule="2h")
    port.start()
    port.answer(ANNA, port.wait_for(ANNA, f"[{tag}]"), "Вступаю!\nсоль: Йо-хо-хо")
    port.answer(BORIS, port.wait_for(BORIS, f"[{tag}]"), "join\nsalt: seven feet under the keel")

    # Set-up: only Spain owes, and says that she is ready.
    opening = port.wait_for(ANNA, f"[{tag}]", 3)
    port.answer(ANNA, opening, "Добрый вечер!\nзолото 2\nимя 2: Надежда\nготов")
    receipt = port.wait_for(ANNA, "расписка 1")
    assert "Надежда" in text_of(receipt)
    port.pass_time(25 * MINUTE)

    # Turn 1: Anna sends the answer template as it came, Boris his own words; the turn locks at its deadline.
    report = port.wait_for(ANNA, f"[{tag}]", 5)
    template = lines_of(report, "корабль ")
    assert len(template) >= 3
    port.answer(ANNA, report, "\n".join(template[:3]) + "\nготов")
    port.answer(BORIS, port.wait_for(BORIS, f"[{tag}]", 4), "ship 4: stand\nship 5: to the moon\nwait")
    assert "moon" in text_of(port.wait_for(BORIS, "receipt 1"))
    port.pass_time(10 * MINUTE)
    port.until(lambda: status(port, tag)[-1] == (1, "open"))

    deadline = _deadline(port, tag)
    while port.place.clock.now() < deadline + 3 * MINUTE:
        port.pass_time(min(50 * MINUTE, deadline + 3 * MINUTE - port.place.clock.now()))
        _polled(port)
    port.until(lambda: status(port, tag)[-1][1] == "resolved")

    last = _last(port, BORIS)
    assert port.stop() == [0]
    report_of_check = verify(read_source("last letter", last.as_bytes()), {"pirates": registry.ruleset("pirates")})
    assert (report_of_check.faults, report_of_check.finished) == ((), True)
    assert {turn.verdict for turn in report_of_check.turns} == {"replayed"}
    with port.dovecot.client(port.place.account) as client:
        assert client.select_folder("INBOX", readonly=True)[b"EXISTS"] == 0
        assert client.select_folder("Processed", readonly=True)[b"EXISTS"] == 5


def _deadline(port: Harbour, tag: str) -> datetime:
    with port.place.house() as house, house.look() as work:
        turn = positions.current(work, work.game(tag, lock=False))
        assert turn is not None
        return turn.deadline


def _polled(port: Harbour) -> None:
    """Wait until the mailbox has been read at the present time of the clock or later."""
    now = port.place.clock.now()

    def read() -> bool:
        with port.place.house() as house, house.look() as work:
            return all(box.good is not None and box.good >= now for box in work.session.exec(select(Mailbox)))

    port.until(read)


def _last(port: Harbour, address: str) -> EmailMessage:
    """Return the letter that carries the end of the log."""
    port.until(lambda: any(b'"type":"finish"' in log for letter in port.letters(address) for log in _logs(letter)))
    return port.letters(address)[-1]


def _logs(letter: EmailMessage) -> list[bytes]:
    files = [part for part in letter.iter_attachments() if (part.get_filename() or "").endswith(".jsonl")]
    return [bytes(part.get_payload(decode=True) or b"") for part in files]


def test_two_services_share_a_database_and_each_turn_is_resolved_once(
    dovecot: Dovecot, mailbox: Account, smtp_sink: SmtpSink, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    postgres = request.getfixturevalue("postgres")
    url = postgres.new_database()
    with harbour(url, dovecot, mailbox, smtp_sink, tmp_path, poll=1) as port:
        tags = [invite(port, schedule="1h") for _ in range(2)]
        traces = [port.start(), port.start()]
        for tag in tags:
            port.answer(ANNA, port.wait_for(ANNA, f"[{tag}]"), "вступаю")
            port.answer(BORIS, port.wait_for(BORIS, f"[{tag}]"), "join")
        for tag in tags:
            port.wait_for(BORIS, f"[{tag}]", 3)
        for _ in range(6):
            port.pass_time(40 * MINUTE)
            _polled(port)
            time.sleep(0.2)
        port.until(lambda: all(status(port, tag)[0] == (0, "resolved") for tag in tags))
        port.until(lambda: _nothing_waits(port))

        for tag in tags:
            kinds = Counter((one["type"], one.get("turn")) for one in _events(port, tag))
            assert {count for (kind, _), count in kinds.items() if kind in ("lock", "result", "open")} == {1}
        assert set(Counter(mail.message_id for mail in smtp_sink.received).values()) == {1}

        # The one that reads the mailbox goes; after its lease the other takes over.
        reader = next(place for place, trace in enumerate(traces) if "ingest:begun" in trace.read_text("ascii"))
        assert port.stop(reader) == [0]
        port.pass_time(6 * MINUTE)
        port.answer(ANNA, port.wait_for(ANNA, f"[{tags[0]}]"), "статус")
        port.until(lambda: "ingest:begun" in traces[1 - reader].read_text("ascii"))
        port.until(lambda: any("расписка" in str(letter["Subject"]) for letter in port.letters(ANNA)))
        assert port.stop() == [0]
    postgres.drop(url)


def _events(port: Harbour, tag: str) -> list[dict[str, object]]:
    with port.place.house() as house, house.look() as work:
        game = work.game(tag, lock=False)
        lines = work.session.exec(select(LogEntry.event).where(LogEntry.game_id == game.id))
        return [json.loads(line) for line in lines]


def _nothing_waits(port: Harbour) -> bool:
    with port.place.house() as house, house.look() as work:
        return outbox.waiting(work) == 0


def test_mail_is_answered_in_two_seconds_without_polling(
    dovecot: Dovecot, mailbox: Account, smtp_sink: SmtpSink, tmp_path: Path
) -> None:
    with harbour(f"sqlite:///{tmp_path / 'service.db'}", dovecot, mailbox, smtp_sink, tmp_path, poll=3600) as port:
        tag = invite(port)
        port.start()
        port.answer(ANNA, port.wait_for(ANNA, f"[{tag}]"), "вступаю")
        port.answer(BORIS, port.wait_for(BORIS, f"[{tag}]"), "join")
        report = port.wait_for(ANNA, f"[{tag}]", 3)
        took = []
        for number, question in enumerate(("статус", "помощь", "имя 1: Надежда"), start=1):
            time.sleep(0.5)
            began = time.monotonic()
            port.answer(ANNA, report, question)
            port.wait_for(ANNA, f"расписка {number}")
            took.append(time.monotonic() - began)
        assert port.stop() == [0]

    assert min(took) < 2.0
