"""Games for the bench: made, joined and started without mail, so that only what is measured takes time."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from adjudicator.clock import MovedClock
from adjudicator.config import Config, DatabaseSection, ImapSection, LimitsSection, ServiceSection, SmtpSection
from adjudicator.services import games
from adjudicator.services.work import House
from adjudicator.storage import migrate
from adjudicator.storage.store import Store, open_engine
from adjudicator.storage.tables import Game
from adjudicator.storage.vault import Vault

START = datetime(2026, 1, 5, 12, tzinfo=UTC)
JUDGE = "judge@example.org"


def house(folder: Path, user: str = "judge", password: str = "", port: int = 1) -> House:
    """Return a house on a fresh SQLite file, durable as in real life."""
    url = f"sqlite:///{folder / 'bench.db'}"
    engine = open_engine(url)
    migrate.upgrade(engine)
    config = Config(
        service=ServiceSection(address=JUDGE),
        smtp=SmtpSection(host="127.0.0.1", port=1, security="none"),
        imap=(ImapSection(host="127.0.0.1", user=user, password=password, port=port, security="none"),),
        database=DatabaseSection(url=url),
        limits=LimitsSection(mails_per_turn=10_000),
    )
    return House(config, Store(engine), Vault(b"b" * 32), MovedClock(START))


def started(place: House, players: int, **options: object) -> str:
    """Make a game of «Пираты», start it, and return its tag."""
    with place.unit("bench") as work:
        game = games.create(work, "pirates", players, options=options)
        for number in range(players):
            address = f"player{number}.{game.tag}@example.org"
            invitation = games.invite(work, game, address, name=f"Player {number}", language="en")
            games.join(work, game, invitation, phrase=f"phrase {number}", arrival=work.now)
        games.start(work, game)
        return _tag(game)


def _tag(game: Game) -> str:
    return game.tag


def seconds(run: Callable[[], object], times: int) -> float:
    """Return the median time of a call over so many runs, in seconds."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        taken.append(time.perf_counter() - start)
    return median(taken)
