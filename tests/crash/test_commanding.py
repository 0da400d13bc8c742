"""A moderator's command at once is cut off at every failpoint: it is done once, and nobody's orders are lost (1.6).

Here the service is cut off by an exception that nothing catches, and begun anew on the same database; what a kill of
the whole process does is tried for the other units in `test_crash`.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from sqlmodel import SQLModel, select

from adjudicator import failpoint, jobs
from adjudicator.clock import MovedClock
from adjudicator.services import resolving, turns
from adjudicator.services.intake import Doorway
from adjudicator.services.work import House
from adjudicator.storage.store import Store, open_engine
from adjudicator.storage.tables import Letter
from adjudicator.storage.vault import Vault
from engine.core.contract import MODERATOR
from mail.maildir import MaildirSource
from mail.smtp import SmtpServer
from tests.adjudicator.services.islanders import poll
from tests.adjudicator.services.sailors import campaign, checked, state
from tests.adjudicator.services.stage import (
    KEY,
    MINUTE,
    START,
    Stage,
    bare_configuration,
    maildir_stage,
    plainly,
    stage,
)
from tests.servers.postgres import Postgres
from tests.servers.smtp_sink import SmtpSink

TAG = "set-sail-1"
UNITS = ("intake", "resolve", "ingest")
"""Units in which the command is read, locked and done, and what the seats said goes over."""
SHARED = ("intake:after-commit", "resolve:computed", "resolve:before-commit")
"""Places that are tried on PostgreSQL: the command is locked, done, and about to be recorded."""


class CutOff(BaseException):
    """The end of the service, which no handler of errors may swallow."""


@dataclass(slots=True)
class Hits:
    """Counts the failpoints of `UNITS` and cuts the service off at one of them (0: at none)."""

    hit: int
    seen: list[str] = field(default_factory=list)

    def __call__(self, name: str) -> None:
        if name.startswith(UNITS):
            self.seen.append(name)
            if len(self.seen) == self.hit:
                raise CutOff(name)


def prepare(url: str) -> None:
    """Make the database of a campaign whose turn 1 is open, everybody told."""
    engine = open_engine(url)
    SQLModel.metadata.create_all(engine)
    house = House(bare_configuration(url), Store(engine), Vault(KEY), MovedClock(START))
    nowhere = SmtpServer(host="127.0.0.1", port=1, security="none")
    desk = jobs.Desk(house, (), Doorway(lambda _: "", lambda _: False), nowhere, make=plainly)
    made = Stage(house, desk, MovedClock(START), lambda *_: None)
    tag = campaign(made)
    with house.unit("test") as work:
        turns.process(work, work.game(tag), 0)
    resolving.resolve_due(house)
    poll(made)
    house.store.close()


@pytest.fixture(params=["sqlite", "postgresql"], scope="module")
def databases(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """Give a database of each kind, and keep the list of copies to be dropped in the end."""
    if request.param == "sqlite":
        file = tmp_path_factory.mktemp("commanding") / "prepared.db"
        prepare(f"sqlite:///{file}")
        yield [str(file)]
        return
    postgres: Postgres = request.getfixturevalue("postgres")
    if not postgres.process.runs:
        postgres.start()
    yield [postgres.new_template("commanding", prepare)]


@contextmanager
def copied(databases: list[str], folder: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """Give the address of a copy of the prepared database."""
    if databases[0].endswith(".db"):
        shutil.copy(databases[0], folder / "run.db")
        yield f"sqlite:///{folder / 'run.db'}"
        return
    postgres: Postgres = request.getfixturevalue("postgres")
    url = postgres.new_database(databases[0])
    yield url
    postgres.drop(url)


def cut_off(url: str, sink: SmtpSink, folder: Path, hit: int) -> tuple[list[str], dict[str, object]]:
    """Let Anna order and the moderator command; cut the service off at a hit, begin anew; return what came of it."""
    hits = Hits(hit)
    with maildir_stage(url, sink, folder) as first:
        first.write(TAG, "pirate-1", "заявка: лезу на мачту")
        first.write(TAG, MODERATOR, "деньги казна +1 сундук\nоткрыть сцену", arrival=START + MINUTE)
        first.clock.move(2 * MINUTE)
        failpoint.hook = hits
        try:
            with contextlib.suppress(CutOff):
                poll(first)
        finally:
            failpoint.hook = None
    with stage(url, sink, [MaildirSource(folder / "Maildir")], first.desk.doorway, lambda *_: None) as again:
        for _ in range(3):
            again.clock.move(10 * MINUTE)
            poll(again)
        with again.house.look() as work:
            letters = work.session.exec(select(Letter.kind, Letter.turn, Letter.seat, Letter.status)).all()
        return hits.seen, {
            "turns": [(one.number, one.phase, one.status) for one in (again.turn(TAG, n) for n in (1, 2))],
            "treasury": (state(again, TAG).treasury, state(again, TAG).scene),
            "orders": again.in_force(TAG, "pirate-1"),
            "log": [event["type"] for event in again.events(TAG)],
            "letters": sorted(map(tuple, letters), key=str),
            "faults": checked(again, TAG).faults,
            "verdicts": again.verdicts(),
        }


def test_command_at_once_that_is_cut_off_anywhere_is_done_once(
    databases: list[str], request: pytest.FixtureRequest, smtp_sink: SmtpSink, tmp_path: Path
) -> None:
    def tried(hit: int) -> tuple[list[str], dict[str, object]]:
        folder = tmp_path / str(hit)
        folder.mkdir()
        with copied(databases, folder, request) as url:
            return cut_off(url, smtp_sink, folder, hit)

    seen, whole = tried(0)
    assert whole["turns"] == [(1, "at-once", "resolved"), (2, "turn", "open")]
    assert (whole["treasury"], whole["orders"]) == ((50, 2), ("заявка o1: лезу на мачту",))
    assert {name.partition(":")[0] for name in seen} >= {"intake", "resolve"}
    dense = databases[0].endswith(".db")
    whole_way = [hit for hit, name in enumerate(seen, 1) if not name.endswith(":begun")]
    chosen = whole_way if dense else [seen.index(name) + 1 for name in SHARED]
    assert {hit: came for hit in chosen if (came := tried(hit)[1]) != whole} == {}
