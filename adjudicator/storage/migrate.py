"""The schema of the database brought from any released state to this program's, in one transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import as_file, files
from typing import Any, Final, Literal, TypeAlias

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, MetaData, inspect, text

from adjudicator.storage.tables import Game

State: TypeAlias = Literal["empty", "older", "current", "newer", "foreign"]
"""How a database stands to this program; ``foreign``: it holds tables, and they are none of ours."""

_LOCK: Final = 0x61646A75
"""Number of PostgreSQL's advisory lock: of two services started together one migrates and the other waits."""


class ForeignKeysBroken(Exception):
    """After a migration some row names another that is not there; nothing of the migration was kept."""


@contextmanager
def _alembic(connection: Connection | None = None) -> Iterator[Config]:
    with as_file(files(__package__).joinpath("migrations")) as folder:
        config = Config()
        config.set_main_option("script_location", str(folder).replace("%", "%%"))
        config.attributes["connection"] = connection
        yield config


def _revisions() -> tuple[str, ...]:
    """Return the revisions this program knows, the newest first."""
    with _alembic() as config:
        return tuple(script.revision for script in ScriptDirectory.from_config(config).walk_revisions())


def head() -> str:
    """Return the revision this program works with."""
    return _revisions()[0]


def current(engine: Engine) -> str | None:
    """Return the revision of a database, None if it was never migrated. Raises SQLAlchemyError if it is silent."""
    with engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def state(engine: Engine) -> State:
    """Return how a database stands to this program. Raises SQLAlchemyError if it does not answer."""
    revision = current(engine)
    if revision is None:
        return "foreign" if inspect(engine).get_table_names() else "empty"
    known = _revisions()
    if revision not in known:
        return "newer"
    return "current" if revision == known[0] else "older"


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Bring a database to this program's schema, wholly or not at all; without effect where it is there already.

    Raises alembic.util.CommandError for a database of a later program, `ForeignKeysBroken` if a row would lose another.
    """
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            _upgrade_sqlite(connection, revision)
        else:
            with connection.begin():
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
                _run(connection, revision)


def _upgrade_sqlite(connection: Connection, revision: str) -> None:
    """Batch mode makes a table anew and drops the old one, which would take along what names it: checked after."""
    driver: Any = connection.connection.driver_connection
    driver.execute("PRAGMA foreign_keys=OFF")  # without effect once the transaction has begun
    try:
        with connection.begin():
            _run(connection, revision)
            if broken := connection.execute(text("PRAGMA foreign_key_check")).all():
                raise ForeignKeysBroken(f"{len(broken)} rows, the first one {tuple(broken[0])!r}")
    finally:
        driver.execute("PRAGMA foreign_keys=ON")


def _run(connection: Connection, revision: str) -> None:
    with _alembic(connection) as config:
        command.upgrade(config, revision)


def differences(engine: Engine) -> Sequence[Any]:
    """Return how the database differs from the tables of this program, as Alembic tells it; empty when equal."""
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        found: Sequence[Any] = compare_metadata(context, metadata())
        return found


def metadata() -> MetaData:
    """Return the tables as the program declares them."""
    return Game.metadata


def draft(engine: Engine, message: str) -> None:
    """Write a draft of the next revision into the checkout, from what the tables have more than the database."""
    number = f"{len(_revisions()) + 1:04}"
    with engine.connect() as connection, _alembic(connection) as config:
        command.revision(config, message, autogenerate=True, rev_id=number)
