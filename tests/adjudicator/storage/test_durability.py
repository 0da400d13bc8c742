"""What was committed survives: the settings that durability asks for stand on every connection."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Engine, text

from adjudicator.storage.store import open_engine
from tests.servers.postgres import Postgres


def setting(engine: Engine, question: str) -> object:
    with engine.connect() as connection:
        return connection.execute(text(question)).scalar_one()


def test_every_sqlite_connection_is_durable(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path / 'games.db'}")

    for _ in range(2):  # a second connection is made anew after the first was thrown away
        assert setting(engine, "PRAGMA synchronous") == 2
        assert setting(engine, "PRAGMA journal_mode") == "wal"
        assert setting(engine, "PRAGMA foreign_keys") == 1
        assert setting(engine, "PRAGMA busy_timeout") == 30_000
        engine.dispose()


def test_postgresql_waits_for_the_disk(postgres: Postgres) -> None:
    url = postgres.new_database()
    engine = open_engine(url)

    assert setting(engine, "SHOW fsync") == "on"
    assert setting(engine, "SHOW synchronous_commit") == "on"
    assert setting(engine, "SHOW full_page_writes") == "on"

    engine.dispose()
    postgres.drop(url)
