"""A database of every released schema, stopped in mid-turn, is brought up to date and plays on."""

from __future__ import annotations

import base64
import gzip
import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, MetaData, insert, text
from sqlmodel import select

from adjudicator import jobs
from adjudicator.clock import MovedClock
from adjudicator.fairplay.sources import read_source
from adjudicator.fairplay.verify import verify
from adjudicator.services import logbook, turns
from adjudicator.services.intake import Doorway
from adjudicator.services.work import House
from adjudicator.storage import migrate, schema
from adjudicator.storage.store import Store, open_engine
from adjudicator.storage.tables import Game, Mailbox, Turn
from adjudicator.storage.vault import Vault
from engine.core import registry
from mail.smtp import SmtpServer
from tests.adjudicator.services.stage import KEY, OPERATOR, bare_configuration, plainly
from tests.servers.smtp_sink import SmtpSink

DATA = Path(__file__).parent / "data"
RELEASED = sorted(file.name.removesuffix(".json.gz") for file in DATA.glob("*.json.gz"))


def released(revision: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(gzip.decompress((DATA / f"{revision}.json.gz").read_bytes()))
    return found


def value(plain: Any) -> Any:
    """Return a cell as the database takes it: bytes, instants and dates are marked in the file."""
    if isinstance(plain, dict) and "bytes" in plain:
        return base64.b64decode(plain["bytes"])
    if isinstance(plain, dict) and "instant" in plain:
        return datetime.fromisoformat(plain["instant"]).replace(tzinfo=UTC)
    if isinstance(plain, dict) and "date" in plain:
        return date.fromisoformat(plain["date"])
    return plain


def lay_in(url: str, revision: str) -> None:
    """Make a database of a released schema with the rows of its fixture."""
    engine = open_engine(url)
    migrate.upgrade(engine, revision)
    tables = MetaData()
    tables.reflect(engine)
    document = released(revision)["tables"]
    with engine.begin() as connection:
        for table in tables.sorted_tables:
            rows = [{name: value(cell) for name, cell in row.items()} for row in document.get(table.name, [])]
            for row in rows:
                for name, cell in row.items():
                    if table.c[name].type.python_type is bool:
                        row[name] = bool(cell)
            if rows:
                connection.execute(insert(table), rows)
                _count_on(connection, table.name, len(rows))
    engine.dispose()


def _count_on(connection: Connection, table: str, last: int) -> None:
    """Let PostgreSQL count its ids on from the rows that were laid in with ids of their own."""
    if connection.dialect.name == "postgresql":
        connection.execute(
            text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :last)"), {"name": f'"{table}"', "last": last}
        )


def test_every_revision_before_the_last_has_its_fixture() -> None:
    assert list(schema.revisions()[:-1]) == RELEASED


@pytest.mark.parametrize("revision", RELEASED)
def test_a_released_database_is_upgraded_in_mid_turn_and_plays_on(
    revision: str, database_url: str, smtp_sink: SmtpSink
) -> None:
    lay_in(database_url, revision)
    engine = open_engine(database_url)

    migrate.upgrade(engine)

    assert migrate.differences(engine) == []
    clock = MovedClock(datetime.fromisoformat(released(revision)["now"]))
    house = House(bare_configuration(database_url), Store(engine), Vault(KEY), clock)
    server = SmtpServer(host="127.0.0.1", port=smtp_sink.port, security="none", timeout=5.0)
    desk = jobs.Desk(house, (), Doorway(lambda _: "", lambda _: False), server, make=plainly)
    with house.unit("test") as work:
        turn = work.session.exec(select(Turn).where(Turn.status == "open")).one()
        before, deadline = turn.number, turn.deadline
        clock.move_to(deadline + timedelta(minutes=3))
        for box in work.session.exec(select(Mailbox)):
            work.session.delete(box)  # the desk of this test reads none
    with house.unit("test") as work:
        turns.process(work, work.game("pirates-1"), before)
    jobs.run_once(desk)

    with house.look() as work:
        game = work.session.exec(select(Game)).one()
        now = work.session.exec(select(Turn).where(Turn.status == "open")).one()
        file = logbook.file_for(work, game, None, 0, game.seq)
    report = verify(read_source("pirates-1", file), {"pirates": registry.ruleset("pirates")})
    house.store.close()
    assert (now.number, report.faults) == (before + 1, ())
    told = sorted(one for mail in smtp_sink.received for one in mail.recipients if one != OPERATOR)
    assert told == [row["address"] for row in released(revision)["tables"]["address"]]
