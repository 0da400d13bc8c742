"""How Alembic runs our revisions: on the connection it is handed, inside the transaction that is open there."""

from __future__ import annotations

from typing import Any, Literal

from alembic import context
from sqlmodel import AutoString

from adjudicator.storage.columns import Utc
from adjudicator.storage.migrate import metadata


def plain_type(kind: str, value: Any, _: Any) -> str | Literal[False]:
    """Write our own column types as the plain ones they are, so that a revision needs nothing of the program."""
    if kind == "type" and isinstance(value, Utc):
        return "sa.DateTime(timezone=True)"
    if kind == "type" and isinstance(value, AutoString):
        return "sa.String()"
    return False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata(),
    render_as_batch=True,
    render_item=plain_type,
    compare_type=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
