"""Migrations lead to the tables of the program from nothing, on both databases, and never half-way."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Engine, text
from sqlalchemy.exc import IntegrityError

from adjudicator.storage import migrate, schema
from adjudicator.storage.store import open_engine


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    opened = open_engine(database_url)
    yield opened
    opened.dispose()


def test_upgrade_from_nothing_makes_the_tables_of_the_program(engine: Engine) -> None:
    assert schema.state(engine) == "empty"

    migrate.upgrade(engine)

    assert migrate.differences(engine) == []
    assert (schema.state(engine), schema.current(engine)) == ("current", schema.head())


def test_the_name_of_a_revision_file_begins_with_its_number() -> None:
    with migrate.alembic() as config:
        scripts = ScriptDirectory.from_config(config).walk_revisions()
        assert tuple(script.revision for script in scripts)[::-1] == schema.revisions()


def test_differences_names_a_column_that_is_missing(engine: Engine) -> None:
    migrate.upgrade(engine)
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE player DROP COLUMN zone"))

    found = migrate.differences(engine)

    assert [(kind, table, column.name) for kind, _, table, column in found] == [("add_column", "player", "zone")]


def test_upgrade_of_a_current_database_changes_nothing(engine: Engine) -> None:
    migrate.upgrade(engine)
    with engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO player (name, language, zone, created) VALUES ('Анна', 'ru', 'UTC', '2026-01-05 18:00:00')"
            )
        )

    migrate.upgrade(engine)

    with engine.connect() as connection:
        assert connection.execute(text("SELECT name FROM player")).scalars().all() == ["Анна"]


def test_state_knows_a_database_of_a_later_program(engine: Engine) -> None:
    migrate.upgrade(engine)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    assert schema.state(engine) == "newer"
    with pytest.raises(CommandError, match="9999"):
        migrate.upgrade(engine)


def test_state_knows_tables_of_somebody_else(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE recipes (id INTEGER PRIMARY KEY)"))

    assert schema.state(engine) == "foreign"


def test_upgrade_that_fails_keeps_nothing(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE turn (id INTEGER PRIMARY KEY)"))  # in the way of ours

    with pytest.raises(Exception, match="turn"):
        migrate.upgrade(engine)

    assert schema.current(engine) is None
    assert schema.state(engine) == "foreign"


def test_two_services_started_together_migrate_once(engine: Engine) -> None:
    with ThreadPoolExecutor(2) as threads:
        done = [threads.submit(migrate.upgrade, engine) for _ in range(2)]
        assert [one.result(60) for one in done] == [None, None]

    assert schema.state(engine) == "current"


def test_foreign_keys_hold_after_an_upgrade_on_the_same_connection(engine: Engine) -> None:
    migrate.upgrade(engine)

    orphan = "INSERT INTO address (player_id, address, main, confirmed, failures) VALUES (77, 'a@b', true, :now, 0)"
    with engine.connect() as connection, pytest.raises(IntegrityError):
        connection.execute(text(orphan), {"now": "2026-01-05 18:00:00"})
