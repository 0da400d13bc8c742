"""A running service for tests: real mailbox, submission server and database, and a clock that stands until moved."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from sqlmodel import SQLModel, col, select

from adjudicator import jobs
from adjudicator.clock import MovedClock
from adjudicator.config import Config, DatabaseSection, ServiceSection, SmtpSection
from adjudicator.letters import Notice, Receipt, Report
from adjudicator.services import games, people, positions, resolving, tokens, turns
from adjudicator.services.header import Header
from adjudicator.services.intake import Doorway
from adjudicator.services.outbox import Envelope, Job
from adjudicator.services.positions import Position
from adjudicator.services.rendering import Make
from adjudicator.services.seeds import Source as SecretSource
from adjudicator.services.work import House, Work
from adjudicator.storage.store import Store, open_engine
from adjudicator.storage.tables import Game, Letter, LogEntry, Mail, Tenure, Turn
from adjudicator.storage.tables import Mailbox as MailboxRow
from adjudicator.storage.vault import Vault
from engine.core import codec
from mail.addresses import Mailbox
from mail.compose import Letter as Outgoing
from mail.compose import compose
from mail.imap import ImapServer, ImapSource
from mail.maildir import MaildirSource
from mail.providers import Pin
from mail.smtp import SmtpServer
from mail.source import Source
from tests.servers.dovecot import Account, Dovecot
from tests.servers.smtp_sink import SmtpSink

KEY = b"a key of tests, thirty-two bytes"
START = datetime(2026, 1, 5, 12, tzinfo=UTC)
JUDGE = "judge@example.org"
OPERATOR = "host@example.org"
ANNA = "anna@example.org"
BORIS = "boris@example.org"
VERA = "vera@example.org"
SPAIN, PIRATES = "spain-1", "pirates-1"
CAST = ((ANNA, "Анна", "ru", SPAIN), (BORIS, "Борис", "ru", PIRATES))
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
SPAIN_ORDERS = "корабль 1: стоять\nкорабль 2: стоять\nкорабль 3: стоять\n"
PIRATES_ORDERS = "".join(f"корабль {number}: стоять\n" for number in range(4, 10))


def fixed_chance(start: str = "c") -> SecretSource:
    """Return secrets that are the same at every run; with this ``start`` turn 1 has a wind to sail СВ 3 in."""
    numbers = itertools.chain([0], itertools.count(1, 2))
    return lambda size: sha256(f"{start}/{next(numbers)}".encode()).digest()[:size]


def plainly(job: Job) -> tuple[bytes, str, str]:
    """Write a letter whose text is its value as JSON, and a report's answer template: quick, and easy to look into."""
    value = job.envelope.value
    text = codec.encode(value)
    if isinstance(value, Report):
        text = "\n".join((text, *value.template))
    letter = Outgoing(
        sender=Mailbox(job.from_name, job.from_address),
        to=Mailbox(value.reader.name, job.to),
        subject=f"{type(value).__name__}",
        date=job.date,
        message_id=job.message_id,
        text=text,
        in_reply_to=job.in_reply_to,
    )
    raw = compose(letter)
    return raw, text, sha256(raw).hexdigest()


@dataclass(slots=True)
class Stage:
    """A service with its world. Mail goes in by `deliver` or `write`, time by `clock`, work is done by `settle`."""

    house: House
    desk: jobs.Desk
    clock: MovedClock
    post: Callable[[bytes, datetime, str], None]
    ready: str = ""
    numbers: Iterator[int] = field(default_factory=lambda: iter(range(1, 10_000)))

    # Work -------------------------------------------------------------------------------------------------------------

    def settle(self) -> int:
        """Do all there is to do now."""
        return jobs.run_once(self.desk)

    def later(self, span: timedelta) -> None:
        """Move the clock by a span and do all there is to do then."""
        self.clock.move(span)
        self.settle()

    def at(self, instant: datetime) -> None:
        """Move the clock to an instant and do all there is to do then."""
        self.clock.move_to(instant)
        self.settle()

    def read_until(self, instant: datetime) -> None:
        """Move the clock to an instant as though the mailbox had been read all the while, and do what is to be done."""
        with self.house.unit("test") as work:
            for box in work.session.exec(select(MailboxRow)):
                box.good = max(box.good or instant, instant - MINUTE)
                work.session.add(box)
        self.at(instant)

    def pass_deadline(self, tag: str) -> None:
        """Let the deadline of a game pass, its mailbox read all the while, until the turn has been looked at."""
        self.settle()  # the first poll
        self.read_until(self.turn(tag).deadline + 3 * MINUTE)

    # Games ------------------------------------------------------------------------------------------------------------

    def game(
        self,
        *,
        header: Header | None = None,
        cast: Sequence[tuple[str, str, str, str]] = CAST,
        options: dict[str, Any] | None = None,
        told: bool = True,
    ) -> str:
        """Make a game whose turn 1 is open; an ordinary one may lie at hand.

        Its letters are written, and stand as handed over if ``told``.
        """
        if self.ready and header is None and cast is CAST:
            tag, self.ready = self.ready, ""
            return tag
        with self.house.unit("test") as work:
            game = games.create(
                work, "pirates", len(cast), header=header or Header(), options=options or {}, source=fixed_chance()
            )
            for address, name, language, seat in cast:
                invitation = games.invite(work, game, address, name=name, language=language, seat=seat)
                games.join(work, game, invitation, phrase=f"соль {name}", arrival=work.now)
            games.start(work, game)
        with self.house.unit("test") as work:
            turns.process(work, work.game(game.tag), 0)
        resolving.resolve_due(self.house)
        while jobs.render(self.desk):
            pass
        if told:
            self.alter(_hand_over)
        return game.tag

    def position(self, tag: str) -> Position:
        """Return the open turn of a game with every seat's word."""
        with self.house.look() as work:
            game = work.game(tag, lock=False)
            turn = positions.current(work, game)
            if turn is None:
                raise LookupError(f"{tag} has no open turn")
            return positions.position(work, game, turn)

    def word(self, tag: str, seat: str) -> str:
        """Return the one word of a seat in the open turn."""
        return self.position(tag).seats[seat].word

    def in_force(self, tag: str, seat: str) -> tuple[str, ...]:
        """Return a seat's orders in force, as written in Russian."""
        now = self.position(tag)
        ruleset = now.table.ruleset
        return tuple(ruleset.write(order, "ru", now.view(seat)) for order in now.seats[seat].folded.sheet)

    def turn(self, tag: str, number: int | None = None) -> Turn:
        """Return a turn of a game, the open one by default."""
        with self.house.look() as work:
            game = work.game(tag, lock=False)
            found = positions.current(work, game) if number is None else positions.turn(work, game, number)
            if found is None:
                raise LookupError(f"{tag} has no turn {number}")
            return found

    # Mail in ----------------------------------------------------------------------------------------------------------

    def tenure(self, tag: str, seat: str) -> Tenure:
        """Return who holds a seat."""
        with self.house.look() as work:
            game = work.game(tag, lock=False)
            held = (*people.tenures(work, game), people.moderator(work, game))
            return next(one for one in held if one is not None and one.seat == seat)

    def carrier(self, tag: str, seat: str) -> str:
        """Return the token of a seat, as plus-addresses carry it."""
        with self.house.look() as work:
            return tokens.of_tenure(work.vault, work.game(tag, lock=False), self.tenure(tag, seat))

    def message(
        self,
        sender: str,
        text: str,
        *,
        to: str = JUDGE,
        subject: str = "",
        answers: str = "",
        date: datetime | None = None,
        headers: Sequence[tuple[str, str]] = (),
    ) -> bytes:
        """Return the bytes of a person's mail."""
        message = EmailMessage()
        message["From"] = sender
        message["To"] = to
        message["Subject"] = subject or "приказы"
        message["Message-ID"] = f"<{next(self.numbers)}.letter@example.org>"
        message["Date"] = format_datetime(date or self.clock.now())
        if answers:
            message["In-Reply-To"] = answers
        for name, value in headers:
            message[name] = value
        message.set_content(text)
        return message.as_bytes()

    def deliver(self, raw: bytes, *, arrival: datetime | None = None, folder: str = "INBOX") -> bytes:
        """Lay a mail into the judge's mailbox, and return it."""
        self.post(raw, arrival or self.clock.now(), folder)
        return raw

    def write(
        self,
        tag: str,
        seat: str,
        text: str,
        *,
        arrival: datetime | None = None,
        folder: str = "INBOX",
        sender: str = "",
        answers: str = "",
        date: datetime | None = None,
        headers: Sequence[tuple[str, str]] = (),
    ) -> bytes:
        """Let the holder of a seat write to its address with the token in it."""
        with self.house.look() as work:
            tenure = self.tenure(tag, seat)
            address = sender or people.main_address(work, people.player(work, tenure.player_id))
        to = tokens.reply_address(JUDGE, self.carrier(tag, seat))
        raw = self.message(address, text, to=to, answers=answers, date=date or arrival, headers=headers)
        return self.deliver(raw, arrival=arrival, folder=folder)

    def say(self, tag: str, seat: str, text: str, **how: Any) -> Receipt:
        """Let the holder of a seat write now, do the work, and return the receipt."""
        self.write(tag, seat, text, **how)
        before = len(self.letters("receipt"))
        self.settle()
        written = self.letters("receipt")[before:]
        if len(written) != 1:
            raise AssertionError(f"{len(written)} receipts for {text!r}: {self.verdicts()[-3:]}")
        value = written[0][1]
        assert isinstance(value, Receipt)
        return value

    # What came of it --------------------------------------------------------------------------------------------------

    def letters(self, kind: str = "", address: str = "") -> list[tuple[Letter, Receipt | Report | Notice]]:
        """Return the letters in the outbox with what they say, oldest first."""
        with self.house.look() as work:
            rows = work.session.exec(select(Letter).order_by(col(Letter.id))).all()
            return [
                (row, work.vault.open_value(row.value, Envelope).value)
                for row in rows
                if (not kind or row.kind == kind) and (not address or row.address == address)
            ]

    def notices(self, kind: str, address: str = "") -> list[dict[str, Any]]:
        """Return what the notices of a kind say."""
        found = [value for _, value in self.letters(kind, address)]
        return [dict(value.facts) for value in found if isinstance(value, Notice)]

    def kinds(self) -> list[tuple[str, str]]:
        """Return kind and address of every letter, oldest first."""
        return [(row.kind, row.address) for row, _ in self.letters()]

    def verdicts(self) -> list[tuple[str, str]]:
        """Return the verdict on every mail, and why, in the order of storing."""
        with self.house.look() as work:
            return [(row.verdict, row.why) for row in work.session.exec(select(Mail).order_by(col(Mail.id)))]

    def events(self, tag: str, kind: str = "") -> list[dict[str, Any]]:
        """Return the log of a game."""
        with self.house.look() as work:
            game = work.game(tag, lock=False)
            query = select(LogEntry.event).where(LogEntry.game_id == game.id).order_by(col(LogEntry.seq))
            found = [json.loads(line) for line in work.session.exec(query)]
        return [one for one in found if not kind or one["type"] == kind]

    def alter(self, change: Callable[[Work], object]) -> None:
        """Change the database behind the service's back."""
        with self.house.unit("test") as work:
            change(work)


def _hand_over(work: Work) -> None:
    """Mark every letter as handed over."""
    for letter in work.session.exec(select(Letter).where(col(Letter.sent).is_(None))):
        letter.status, letter.sent = "sent", work.now
        work.session.add(letter)


def prepare(url: str, *, make: Make = plainly, told: bool = True) -> None:
    """Lay an ordinary game into an empty database: turn 1 is open, the letters of it as `Stage.game` leaves them."""
    engine = open_engine(url)
    SQLModel.metadata.create_all(engine)
    house = House(bare_configuration(url), Store(engine), Vault(KEY), MovedClock(START))
    server = SmtpServer(host="127.0.0.1", port=1, security="none")
    desk = jobs.Desk(house, (), Doorway(lambda _: "", lambda _: False), server, make=make)
    Stage(house, desk, MovedClock(START), lambda *_: None).game(told=told)
    house.store.close()


def bare_configuration(url: str) -> Config:
    """Return a configuration that reaches nothing but a database."""
    return Config(
        service=ServiceSection(address=JUDGE, name="Судья", operators=(OPERATOR,)),
        smtp=SmtpSection(host="127.0.0.1", port=1, security="none", connections=1),
        database=DatabaseSection(url=url),
    )


@contextmanager
def stage(
    url: str,
    sink: SmtpSink,
    sources: Sequence[Source],
    doorway: Doorway,
    deliver: Callable[[bytes, datetime, str], None],
    *,
    make: Make = plainly,
    **sections: Any,
) -> Iterator[Stage]:
    """Give a stage on a database, with the game that lies in it. ``sections`` replace those of the configuration."""
    clock = MovedClock(START)
    engine = open_engine(url)
    SQLModel.metadata.create_all(engine)
    house = House(msgspec.structs.replace(bare_configuration(url), **sections), Store(engine), Vault(KEY), clock)
    server = SmtpServer(host="127.0.0.1", port=sink.port, security="none", timeout=5.0)
    desk = jobs.Desk(house, tuple(sources), doorway, server, make=make)
    with house.look() as work:
        tags = work.session.exec(select(Game.tag)).all()
    try:
        yield Stage(house, desk, clock, deliver, next(iter(tags), ""))
    finally:
        for source in sources:
            source.close()
        house.store.close()


@contextmanager
def imap_stage(
    url: str, sink: SmtpSink, dovecot: Dovecot, account: Account, *, authserv: str = "", **sections: Any
) -> Iterator[Stage]:
    """Give a stage whose mailbox, Junk beside INBOX, is on Dovecot."""
    server = ImapServer(
        host="127.0.0.1",
        user=account.user,
        password=account.password,
        port=dovecot.imap_port,
        security="none",
        timeout=5.0,
        folders=("INBOX", "Junk"),
    )

    def deliver(raw: bytes, arrival: datetime, where: str) -> None:
        dovecot.lay_down(account, [(raw, arrival)], where)

    doorway = Doorway(authserv=lambda _: authserv, trusted=lambda _: False)
    with stage(url, sink, [ImapSource(server)], doorway, deliver, **sections) as made:
        yield made


@contextmanager
def maildir_stage(
    url: str, sink: SmtpSink, folder: Path, *, trusted: bool = False, authserv: Pin | str = "", **sections: Any
) -> Iterator[Stage]:
    """Give a stage whose mailbox is a Maildir on this machine."""
    place = folder / "Maildir"
    numbers = iter(range(1, 10_000))
    for part in ("cur", "new", "tmp"):
        (place / part).mkdir(parents=True)

    def deliver(raw: bytes, arrival: datetime, where: str) -> None:
        name = f"{int(arrival.timestamp())}.M{next(numbers)}P1.test"  # the later of two in one second, the later
        (place / "new" / name).write_bytes(raw)

    doorway = Doorway(authserv=lambda _: authserv, trusted=lambda _: trusted)
    with stage(url, sink, [MaildirSource(place)], doorway, deliver, **sections) as made:
        yield made
