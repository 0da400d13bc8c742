"""The service, its mail servers and the fast clock they share: what the demonstration sails from."""

from __future__ import annotations

import smtplib
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from importlib import import_module
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from sqlalchemy import event
from sqlmodel import col, func, select

from adjudicator import bootstrap, jobs
from adjudicator.clock import MovedClock
from adjudicator.config import Config, DatabaseSection, ImapSection, ServiceSection, SmtpSection
from adjudicator.demo.cast import Person, words
from adjudicator.demo.postbag import Item, Postbag
from adjudicator.demo.servers import EmbeddedMail
from adjudicator.services import games, logbook, outbox, people, positions, post, rendering
from adjudicator.storage import migrate
from adjudicator.storage.tables import Game, Letter, Mail, Reading, Turn
from engine.core.contract import Event, Language
from engine.core.registry import ruleset

RULESET: Final = "pirates"
JUDGE: Final = "judge@pirates.example"
MODERATOR: Final = "moderator@pirates.example"
DATABASE: Final = "adjudicator.db"
KEY: Final = "service.key"
START: Final = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
"""A Monday evening in Moscow."""
POLL: Final = timedelta(minutes=2)
"""How often the service looks into its mailbox; the clock hops to those looks that find or decide something."""


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """The turn that is open: its number, when it opened and ends, and when the service will look at it next."""

    number: int
    opened: datetime
    deadline: datetime
    check: datetime
    state: Any


class Harbour:
    """One game of the demonstration with all that serves it; entered, servers and workers run until it is left."""

    def __init__(self, folder: Path, seed: str, company: Sequence[Person], language: Language) -> None:
        self.folder = folder
        self.company = company
        self.clock = MovedClock(START)
        self.mail = Postbag()
        self.game_id = 0
        self._language = language
        self._seed = seed
        self._open = ExitStack()
        self._seen: dict[str, int] = {}
        self._addresses = {person.address: person.key for person in company} | {MODERATOR: "moderator"}

    def __enter__(self) -> Self:
        """Start the servers, the database and the workers that make letters."""
        with ExitStack() as starting:
            self.servers = starting.enter_context(EmbeddedMail(self.clock.now))
            languages = dict.fromkeys([*(person.language for person in self.company), self._language])
            self.workers = {language: starting.enter_context(_worker()) for language in languages}
            self.config = self._config()
            self.house = self._house()
            starting.callback(self.house.store.close)
            self.desk = bootstrap.desk(self.house)
            for source in self.desk.sources:
                starting.callback(source.close)
            self._open = starting.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close everything."""
        self._open.close()

    def _config(self) -> Config:
        password = sha256(f"{self._seed}/mailbox".encode()).hexdigest()
        for address in (JUDGE, *self._addresses):
            self.servers.add_account(address, password)
        host, service = self.servers.host, words(self._language).letter.judge
        return Config(
            service=ServiceSection(
                address=JUDGE, name=service, language=self._language, operators=(MODERATOR,), key_file=KEY
            ),
            smtp=SmtpSection(host=host, port=self.servers.smtp_port, security="none"),
            imap=(
                ImapSection(
                    host=host, port=self.servers.imap_port, user=JUDGE, password=password, security="none", idle=False
                ),
            ),
            database=DatabaseSection(url=f"sqlite:///{DATABASE}"),
            folder=str(self.folder.resolve()),
        )

    def _house(self) -> Any:
        # A game on show keeps no secrets: with a key from the seed, tokens and Message-IDs are the same every time.
        self.config.path(KEY).write_text(sha256(f"{self._seed}/key".encode()).hexdigest() + "\n", encoding="ascii")
        engine = bootstrap.engine_of(self.config)
        migrate.upgrade(engine)
        engine.dispose()
        house = bootstrap.build(self.config, self.clock)
        event.listen(house.store.engine, "connect", _unhurried)
        house.store.engine.dispose()  # connections made before know nothing of it
        return house

    # The game ---------------------------------------------------------------------------------------------------------

    def invite_all(self) -> None:
        """Make the game and invite everybody."""
        with self.house.unit("demo") as work:
            game = games.create(work, RULESET, len(self.company), source=self._secrets())
            self.game_id = game.id or 0
            for person in self.company:
                games.invite(work, game, person.address, name=person.name, language=person.language)

    def _secrets(self) -> Callable[[int], bytes]:
        """Return bytes made from the seed: dice on show may be foreseen, so that a game can be shown again."""
        asked = count()
        return lambda size: sha256(f"{self._seed}/secret/{next(asked)}".encode()).digest()[:size]

    def open_turn(self) -> OpenTurn | None:
        """Return the turn that is open, None before the start and after the end."""
        with self.house.look() as work:
            game = work.session.get_one(Game, self.game_id)
            turn = positions.current(work, game)
            if turn is None:
                return None
            state = positions.state_of(work, positions.table(game), turn)
            return OpenTurn(turn.number, turn.opened, turn.deadline, turn.check, state)

    def seats(self) -> dict[str, str]:
        """Return who holds which seat: key of a person, id of the seat."""
        with self.house.look() as work:
            game = work.session.get_one(Game, self.game_id)
            holders = [
                (people.main_address(work, people.player(work, one.player_id)), one.seat)
                for one in people.tenures(work, game)
            ]
        return {self._addresses[address]: seat for address, seat in holders}

    def titles(self) -> dict[str, dict[str, str]]:
        """Return the titles of all seats."""
        with self.house.look() as work:
            return people.seat_titles(work, work.session.get_one(Game, self.game_id))

    def happened(self, number: int, seat: str) -> tuple[Event, ...]:
        """Return the events of a resolved turn that a seat may know."""
        kind: Any = tuple[ruleset(RULESET).info.event, ...]  # type: ignore[misc]
        with self.house.look() as work:
            query = select(Turn).where(Turn.game_id == self.game_id, Turn.number == number)
            turn = work.session.exec(query).first()
            found = work.vault.open_value(turn.events, kind) if turn is not None and turn.events else ()
        return tuple(event for event in found if event.known_to(seat))

    def receipt_number(self, mail: Item) -> int:
        """Return the number of the receipt for a mail, as it stands in it."""
        with self.house.look() as work:
            query = select(Reading.number).join(Mail, col(Mail.id) == col(Reading.mail_id))
            return int(work.session.exec(query.where(Mail.message_id == mail.message_id)).one())

    def log(self) -> bytes:
        """Return the log of the game as everybody may have it."""
        with self.house.look() as work:
            game = work.session.get_one(Game, self.game_id)
            return logbook.file_for(work, game, None, 0, game.seq)

    def outcome(self) -> str:
        """Return why the game ended, "" while it goes on."""
        last = self.mail.latest(self.company[0].key, "report")
        with self.house.look() as work:
            row = work.session.get_one(Letter, last.letter_id)
            report = work.vault.open_value(row.value, outbox.Envelope).report
        return report.outcome.reason if report is not None and report.outcome is not None else ""

    def turns(self) -> tuple[Turn, ...]:
        """Return all turns of the game in order."""
        with self.house.look() as work:
            query = select(Turn).where(Turn.game_id == self.game_id).order_by(col(Turn.number))
            return tuple(work.session.exec(query))

    def told(self) -> dict[int, int]:
        """Return which turn each report tells of, by the id of its letter; -1 is the opening letter."""
        with self.house.look() as work:
            rows = work.session.exec(select(Letter).where(Letter.kind == "report"))
            envelopes = {row.id or 0: work.vault.open_value(row.value, outbox.Envelope) for row in rows}
        return {letter: envelope.report.turn for letter, envelope in envelopes.items() if envelope.report is not None}

    # Mail -------------------------------------------------------------------------------------------------------------

    def send(self, raw: bytes, writer: str, envelope: str, to: str, **marks: Any) -> Item:
        """Hand a mail over by SMTP as its writer's program would, and keep it."""
        host, port = self.servers.host, self.servers.smtp_port
        with smtplib.SMTP(host, port, local_hostname="localhost", timeout=30) as server:
            server.sendmail(envelope, [to], raw, mail_options=["BODY=8BITMIME"])
        return self.mail.put(Item(0, self.clock.now(), writer, "judge", raw, **marks))

    def round(self) -> None:
        """Let the service look into its mailbox and do everything there is to do."""
        for source in self.desk.sources:
            jobs.poll(self.desk, source)
        while jobs.think(self.desk) + self._render():
            pass
        while jobs.deliver(self.desk):
            pass
        self._collect()

    def _render(self) -> int:
        """Make letters in the worker processes; one that cannot be made ends the demonstration."""
        waiting = rendering.gather(self.house)
        made = [self.workers[job.envelope.value.reader.language].submit(post.make, job) for job in waiting]
        for job, letter in zip(waiting, made, strict=True):
            rendering.keep(self.house, job, letter.result())
        return len(waiting)

    def _collect(self) -> None:
        """Take what has come to people's mailboxes, in the order in which it was written."""
        fresh = []
        for address, reader in self._addresses.items():
            inbox = self.servers.inbox(address)
            fresh += [(reader, delivered) for delivered in inbox[self._seen.get(address, 0) :]]
            self._seen[address] = len(inbox)
        found = [Item(0, one.arrival, "judge", reader, one.stored) for reader, one in fresh]
        rows = self._letters([item.message_id for item in found])
        for item in sorted(found, key=lambda item: rows[item.message_id].id or 0):
            row = rows[item.message_id]
            self.mail.put(
                Item(0, item.at, "judge", item.reader, item.raw, row.kind, "", "", row.turn, row.seat, row.id or 0)
            )

    def _letters(self, message_ids: Sequence[str]) -> dict[str, Letter]:
        with self.house.look() as work:
            query = select(Letter).where(col(Letter.message_id).in_(message_ids))
            return {row.message_id: row for row in work.session.exec(query)}

    def unsent(self) -> int:
        """Return how many letters are not handed over."""
        with self.house.look() as work:
            query = select(func.count()).select_from(Letter).where(Letter.status != "sent")
            return int(work.session.exec(query).one())


def _worker() -> Executor:
    """Return a process that makes letters of one language, so that its templates and maps are prepared only once."""
    pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
    pool.submit(import_module, post.__name__)
    return pool


def _unhurried(connection: Any, _record: Any) -> None:
    """Let the disk take its time: a demonstration that a power cut breaks off is begun anew."""
    connection.execute("PRAGMA synchronous=OFF")
