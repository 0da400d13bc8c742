"""The unit of work: one session, one transaction, begun so that it cannot fail half-way for want of a lock."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from sqlalchemy import Engine, Insert, create_engine, event, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, SQLModel

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


class UnitSession(Session):
    """A session that also takes plain rows, which nobody reads back in it, and writes all of a table at once.

    They are written with the next flush, so before any query and before the commit.
    """

    def __init__(self, bind: Any, **settings: Any) -> None:
        super().__init__(bind, **settings)
        self._waiting: dict[type[SQLModel], list[dict[str, Any]]] = {}

    def add(self, instance: object, *, _warn: bool = True) -> None:
        """Take a new row; what was changed in one that is here already is written anyhow."""
        if instance not in self:
            super().add(instance, _warn=_warn)

    def write(self, kind: type[SQLModel], values: dict[str, Any]) -> None:
        """Take a new row of a table. Raises TypeError if a column is missing, or there is none of that name."""
        row = {**_defaults(kind), **values}
        if row.keys() != _columns(kind):
            raise TypeError(f"{sorted(row.keys() ^ _columns(kind))} do not fit a row of {kind.__name__}")
        self._waiting.setdefault(kind, []).append(row)

    def flush(self, objects: Any = None) -> None:
        """Write what was changed, then the plain rows: they may refer to it."""
        super().flush(objects)
        waiting, self._waiting = self._waiting, {}
        for kind, rows in waiting.items():
            connection = self.connection()
            connection.execute(_insert(kind, connection.dialect.name), rows)


@cache
def _columns(kind: type[SQLModel]) -> frozenset[str]:
    table = SQLModel.metadata.tables[str(kind.__tablename__)]
    return frozenset(column.name for column in table.columns if not column.primary_key)


@cache
def _defaults(kind: type[SQLModel]) -> dict[str, Any]:
    table = SQLModel.metadata.tables[str(kind.__tablename__)]
    nothing = {name: None for name in _columns(kind) if table.columns[name].nullable}
    given = {name: field.default for name, field in kind.model_fields.items() if not field.is_required()}
    return nothing | {name: value for name, value in given.items() if name in _columns(kind)}


@cache
def _insert(kind: type[SQLModel], dialect: str) -> Insert:
    """Return the statement that writes rows; one whose cause is there already changes nothing.

    A cause is a unique ``key``, or the columns that the table names as ``ONCE``.
    """
    insert = postgresql.insert if dialect == "postgresql" else sqlite.insert
    statement = insert(SQLModel.metadata.tables[str(kind.__tablename__)])
    once = getattr(kind, "ONCE", ("key",) if "key" in _columns(kind) else ())
    return statement.on_conflict_do_nothing(index_elements=list(once)) if once else statement


class Store:
    """Gives units of work on one database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    @property
    def is_sqlite(self) -> bool:
        """Whether the database is an SQLite file, which one service at a time may serve."""
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def unit(self, name: str) -> Iterator[UnitSession]:
        """Give a session whose transaction is committed at the end of the block, or rolled back if it raises.

        ``name`` is what the unit is called at its failpoints.
        """
        with UnitSession(self.engine, expire_on_commit=False) as session:
            session.connection()
            failpoint.reach(f"{name}:begun")
            yield session
            session.flush()
            failpoint.reach(f"{name}:before-commit")
            session.commit()
        failpoint.reach(f"{name}:after-commit")

    @contextmanager
    def look(self) -> Iterator[UnitSession]:
        """Give a session for reading only: it begins without taking the writer's lock and is never committed."""
        with self.engine.connect() as connection:
            connection.info["writes"] = False
            try:
                with UnitSession(connection, expire_on_commit=False, autoflush=False) as session:
                    yield session
            finally:
                connection.info["writes"] = True

    @contextmanager
    def alone(self, lock: int) -> Iterator[bool]:
        """Say whether this process alone does what the number stands for, as long as the block lasts.

        On PostgreSQL that is an advisory lock of a connection of its own: whoever dies gives it back with his
        connection, and one whose machine was cut off loses it after two minutes. An SQLite file has one service.
        """
        if self.is_sqlite:
            yield True
            return
        with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            for setting, value in (("idle", 60), ("interval", 20), ("count", 3)):
                connection.execute(text(f"SET tcp_keepalives_{setting} = {value}"))
            ours = bool(connection.scalar(text("SELECT pg_try_advisory_lock(:lock)"), {"lock": lock}))
            try:
                yield ours
            finally:
                if ours:
                    connection.execute(text("SELECT pg_advisory_unlock(:lock)"), {"lock": lock})

    def check(self) -> None:
        """Ask the database a question. Raises sqlalchemy.exc.SQLAlchemyError if it does not answer."""
        with self.engine.connect() as connection:
            connection.execute(text("SELECT 1"))

    def close(self) -> None:
        """Give all connections back."""
        self.engine.dispose()
