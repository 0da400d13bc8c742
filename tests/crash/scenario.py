"""The scenario of the crash test: two games of two players, two turns each, ten deliveries of eight order mails."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

from sqlmodel import select

from adjudicator.clock import MovedClock, from_iso, iso
from adjudicator.config import Config, DatabaseSection, ImapSection, ServiceSection, SmtpSection, TimesSection
from adjudicator.services import games, people, resolving, tokens, turns
from adjudicator.services.positions import current
from adjudicator.services.work import House
from adjudicator.storage import migrate
from adjudicator.storage.store import Store, open_engine
from adjudicator.storage.tables import Game, Letter, Turn
from adjudicator.storage.vault import Vault
from tests.servers.dovecot import Account

START = datetime(2026, 1, 5, 12, tzinfo=UTC)
KEY = b"crash test service key, 32 bytes"
JUDGE = "judge@example.org"
PLAYERS = (("anna@example.org", "Анна", "ru"), ("boris@example.org", "Boris", "en"))
ORDERS = {
    "spain": "корабль 1: курс {course} 1\nкорабль 2: стоять\nкорабль 3: стоять\n",
    "pirates": "ship 4: stand; fire after any\nship 5: stand\n",
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a run happens: database, mailbox, submission port, folder for the clock."""

    url: str
    user: str
    password: str
    imap_port: int
    smtp_port: int
    folder: Path

    @property
    def clock_file(self) -> Path:
        """The file that says what time it is, for every process of the run."""
        return self.folder / "now"


class FileClock:
    """A clock that several processes read from one file."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def now(self) -> datetime:
        """Return the instant that stands in the file."""
        return from_iso(self._file.read_text(encoding="ascii").strip())

    def ticks(self) -> timedelta:
        """Return how far the clock has gone: it never jumps."""
        return self.now() - START

    def move_to(self, instant: datetime) -> None:
        """Set the clock, never back, and in one step for all who read it."""
        if not self._file.exists() or self.now() < instant:
            new = self._file.with_suffix(".new")
            new.write_text(iso(instant), encoding="ascii")
            new.replace(self._file)


def config(place: Place) -> Config:
    """Return the configuration of a run; leases are short: work a dead process held comes back within minutes."""
    return Config(
        service=ServiceSection(address=JUDGE, name="Судья", operators=("host@example.org",)),
        smtp=SmtpSection(host="127.0.0.1", port=place.smtp_port, security="none", connections=1),
        imap=(
            ImapSection(
                host="127.0.0.1",
                user=place.user,
                password=place.password,
                port=place.imap_port,
                security="none",
                processed="Processed",
            ),
        ),
        database=DatabaseSection(url=place.url),
        times=TimesSection(poll=1),  # the clock of the run goes by hours, that of the poller by real seconds
        folder=str(place.folder),
    )


def prepare(url: str) -> None:
    """Make the database as it is when turn 1 of both games is open and everybody has been told."""
    clock = MovedClock(START)
    engine = open_engine(url)
    migrate.upgrade(engine)
    place = Place(url, "nobody", "", 1, 1, Path("/nonexistent"))
    house = House(config(place), Store(engine), Vault(KEY), clock)
    for _ in range(2):
        with house.unit("prepare") as work:
            game = games.create(work, "pirates", 2)
            for place_number, (address, name, language) in enumerate(PLAYERS):
                seat = ("spain-1", "pirates-1")[place_number]
                invitation = games.invite(work, game, address, name=name, language=language, seat=seat)
                games.join(work, game, invitation, phrase=f"соль {name}", arrival=work.now)
            games.start(work, game)
        with house.unit("prepare") as work:
            game = work.game(game.tag)
            turns.process(work, game, 0)
        resolving.resolve_due(house)
    with house.unit("prepare") as work:
        for letter in work.session.exec(select(Letter)):
            letter.status, letter.sent = "sent", work.now
            work.session.add(letter)
    house.store.close()


@contextlib.contextmanager
def opened(place: Place, clock: MovedClock | FileClock) -> Iterator[House]:
    """Give the house of a run."""
    engine = open_engine(place.url)
    try:
        yield House(config(place), Store(engine), Vault(KEY), clock)
    finally:
        engine.dispose()


@dataclass(frozen=True, slots=True)
class OrderMail:
    """An order mail of the scenario: for which game, seat and turn, its bytes, and when it arrives."""

    tag: str
    seat: str
    turn: int
    raw: bytes
    arrival: datetime


def order_mails(house: House, number: int) -> tuple[OrderMail, ...]:
    """Return the mails of turn ``number``, two for each game, written an hour after it opened."""
    found = []
    with house.look() as work:
        for game in work.session.exec(select(Game).order_by(Game.tag)):
            turn = current(work, game)
            if turn is None or turn.number != number:
                raise ValueError(f"{game.tag} is not at turn {number}")
            for tenure in people.tenures(work, game):
                person = people.player(work, tenure.player_id)
                message = EmailMessage()
                message["From"] = f"{person.name} <{people.main_address(work, person)}>"
                message["To"] = tokens.reply_address(JUDGE, tokens.of_tenure(work.vault, game, tenure))
                message["Subject"] = f"[{game.tag}] Ход {number}"
                message["Message-ID"] = f"<turn{number}.{tenure.seat}.{game.tag}@example.org>"
                message["Date"] = turn.opened + timedelta(hours=1)
                text = ORDERS[tenure.seat.partition("-")[0]].format(course="В" if number == 1 else "С")
                message.set_content(text)
                raw, arrival = message.as_bytes(policy=SMTP), turn.opened + timedelta(hours=1)
                found.append(OrderMail(game.tag, tenure.seat, number, raw, arrival))
    return tuple(found)


def instants(house: House, number: int) -> tuple[datetime, ...]:
    """Return when the service looks: before the deadline of turn ``number`` and after it, each time once more after the
    lease of a dead process has run out."""
    with house.look() as work:
        deadlines = [turn.deadline for turn in work.session.exec(select(Turn).where(Turn.number == number))]
    before, after = min(deadlines) - timedelta(minutes=30), max(deadlines) + timedelta(minutes=5)
    lease = timedelta(minutes=6)
    return (before, before + lease, after, after + lease, after + 2 * lease)


def account(place: Place) -> Account:
    """Return the mailbox of a run."""
    return Account(place.user, place.password, f"{place.user}@example.org")
