"""The schema of the database brought from any released state to this program's, in one transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import as_file, files
from typing import Any, Final

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import Connection, Engine, MetaData, text

from adjudicator.storage import schema
from adjudicator.storage.tables import Game

_LOCK: Final = 0x61646A75
"""Number of PostgreSQL's advisory lock: of two services started together one migrates and the other waits."""


class ForeignKeysBroken(Exception):
    """After a migration some row names another that is not there; nothing of the migration was kept."""


@contextmanager
def alembic(connection: Connection | None = None) -> Iterator[Config]:
    """Give Alembic's configuration for our revisions, and the connection they are to run on."""
    with as_file(files(__package__).joinpath("migrations")) as folder:
        config = Config()
        config.set_main_option("script_location", str(folder).replace("%", "%%"))
        config.attributes["connection"] = connection
        yield config


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
    with alembic(connection) as config:
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
    number = f"{len(schema.revisions()) + 1:04}"
    with engine.connect() as connection, alembic(connection) as config:
        command.revision(config, message, autogenerate=True, rev_id=number)
