"""Which schema a database has, and how it stands to the one this program works with."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Literal, TypeAlias

from sqlalchemy import Engine, inspect, text

State: TypeAlias = Literal["empty", "older", "current", "newer", "foreign"]
"""How a database stands to this program; ``foreign``: it holds tables, and they are none of ours."""


@cache
def revisions() -> tuple[str, ...]:
    """Return the revisions this program knows, the oldest first: a file each, whose name begins with its number."""
    folder = files("adjudicator.storage").joinpath("migrations", "versions")
    return tuple(sorted(file.name.partition("_")[0] for file in folder.iterdir() if file.name.endswith(".py")))


def head() -> str:
    """Return the revision this program works with."""
    return revisions()[-1]


def current(engine: Engine) -> str | None:
    """Return the revision of a database, None if it was never migrated. Raises SQLAlchemyError if it is silent."""
    with engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None
        found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()
        return found


def state(engine: Engine) -> State:
    """Return how a database stands to this program. Raises SQLAlchemyError if it is silent."""
    revision = current(engine)
    if revision is None:
        return "foreign" if set(inspect(engine).get_table_names()) - {"alembic_version"} else "empty"
    if revision not in revisions():
        return "newer"
    return "current" if revision == head() else "older"
