"""Column types: aware UTC instants, text that every database can hold, and kinds checked by the database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import CheckConstraint, DateTime, Dialect, TypeDecorator


class Utc(TypeDecorator[datetime]):
    """An aware instant, stored in UTC; SQLite forgets the zone, so it is put back on reading."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuse naive instants: a deadline without a zone is a bug."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"naive instant {value!r}")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give the instant its zone back."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def one_of(column: str, words: Sequence[str]) -> CheckConstraint:
    """Return the check that a text column holds one of these words."""
    listed = ", ".join(f"'{word}'" for word in words)
    return CheckConstraint(f"{column} IN ({listed})", name=f"ck_{column}")


def clean(text: Any) -> str:
    """Return text without NUL and lone surrogates, which PostgreSQL refuses."""
    return str(text).replace("\x00", "").encode("utf-8", "surrogatepass").decode("utf-8", "replace")
