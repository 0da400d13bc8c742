"""The unit of work: one session, one transaction, begun so that it cannot fail half-way for want of a lock."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, create_engine, event, text
from sqlmodel import Session

from adjudicator import failpoint


def _sqlite_settings(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # we begin transactions ourselves, so that they can be IMMEDIATE
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=30000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_immediate(connection: Any) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.info.get("writes", True) else "BEGIN")


def open_engine(url: str) -> Engine:
    """Return an engine for a database URL, with the settings that durability asks for."""
    if url.startswith("sqlite"):
        engine = create_engine(url, connect_args={"timeout": 30, "check_same_thread": False})
        event.listen(engine, "connect", _sqlite_settings)
        event.listen(engine, "begin", _begin_immediate)
        return engine
    return create_engine(url, pool_pre_ping=True)


class Store:
    """Gives units of work on one database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    @property
    def is_sqlite(self) -> bool:
        """Whether the database is an SQLite file, which one service at a time may serve."""
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def unit(self, name: str) -> Iterator[Session]:
        """Give a session whose transaction is committed at the end of the block, or rolled back if it raises.

        ``name`` is what the unit is called at its failpoints.
        """
        with Session(self.engine, expire_on_commit=False) as session:
            session.connection()
            failpoint.reach(f"{name}:begun")
            yield session
            session.flush()
            failpoint.reach(f"{name}:before-commit")
            session.commit()
        failpoint.reach(f"{name}:after-commit")

    @contextmanager
    def look(self) -> Iterator[Session]:
        """Give a session for reading only: it begins without taking the writer's lock and is never committed."""
        with self.engine.connect() as connection:
            connection.info["writes"] = False
            try:
                with Session(connection, expire_on_commit=False, autoflush=False) as session:
                    yield session
            finally:
                connection.info["writes"] = True

    def check(self) -> None:
        """Ask the database a question. Raises sqlalchemy.exc.SQLAlchemyError if it does not answer."""
        with self.engine.connect() as connection:
            connection.execute(text("SELECT 1"))

    def close(self) -> None:
        """Give all connections back."""
        self.engine.dispose()
