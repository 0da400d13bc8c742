"""PostgreSQL as other tests rely on it: durable, fresh databases, outages; and SQLite beside it."""

from __future__ import annotations

import psycopg
import pytest
from sqlalchemy import create_engine, text

from tests.servers.postgres import Postgres


def test_database_url_is_an_empty_database_of_its_own(database_url: str) -> None:
    engine = create_engine(database_url)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE mast (n integer)"))
        connection.execute(text("INSERT INTO mast VALUES (3)"))
    with engine.connect() as connection:
        assert connection.execute(text("SELECT n FROM mast")).scalars().all() == [3]
    engine.dispose()


def test_postgres_is_as_durable_as_in_real_life(postgres: Postgres) -> None:
    with _session(postgres.new_database()) as session:
        settings = [session.execute(f"SHOW {name}".encode()).fetchall() for name in ("fsync", "synchronous_commit")]

    assert settings == [[("on",)], [("on",)]]


def test_postgres_copies_a_template(postgres: Postgres) -> None:
    def fill(url: str) -> None:
        filled.append(url)
        with _session(url) as session:
            session.execute("CREATE TABLE mast AS SELECT 3 AS n")

    filled: list[str] = []
    template = postgres.new_template("masts", fill)
    assert postgres.new_template("masts", fill) == template

    first, second = postgres.new_database(template), postgres.new_database(template)
    with _session(first) as session:
        session.execute("DROP TABLE mast")
    with _session(second) as session:
        assert session.execute("SELECT n FROM mast").fetchall() == [(3,)]
    assert len(filled) == 1


def test_postgres_outage_keeps_what_was_committed(postgres: Postgres) -> None:
    url = postgres.new_database()
    session = _session(url)
    session.execute("CREATE TABLE mast AS SELECT 3 AS n")
    session.commit()
    with postgres.outage():
        with pytest.raises(psycopg.OperationalError):
            session.execute("SELECT 1")
        with pytest.raises(psycopg.OperationalError):
            _session(url)
    session.close()

    with _session(url) as session:
        assert session.execute("SELECT n FROM mast").fetchall() == [(3,)]


def test_postgres_stops_and_starts_on_the_same_port(postgres: Postgres) -> None:
    url = postgres.new_database()
    postgres.stop()
    postgres.start()

    with _session(url) as session:
        assert session.execute("SELECT 1").fetchall() == [(1,)]
    postgres.drop(url)


def _session(url: str) -> psycopg.Connection[tuple[object, ...]]:
    return psycopg.connect(url.replace("+psycopg", ""), connect_timeout=5)
