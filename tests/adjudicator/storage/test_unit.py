"""Plain rows of a unit are written together, before any query and the commit, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import event
from sqlmodel import col, select

from adjudicator.storage import migrate
from adjudicator.storage.store import Store, open_engine
from adjudicator.storage.tables import Letter

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    opened = Store(open_engine(database_url))
    migrate.upgrade(opened.engine)
    yield opened
    opened.close()


def letter(key: str, **values: Any) -> dict[str, Any]:
    given = {"key": key, "message_id": f"<{key}@example.org>", "kind": "receipt", "address": "anna@example.org"}
    return {**given, "value": b"sealed", "created": NOON, "due": NOON, **values}


def test_rows_are_written_in_one_statement_and_in_their_order(store: Store) -> None:
    statements: list[str] = []
    event.listen(store.engine, "before_cursor_execute", lambda *called: statements.append(called[2].split()[0]))

    with store.unit("test") as session:
        for number in range(3):
            session.write(Letter, letter(f"receipt/{number}"))

    assert statements.count("INSERT") == 1
    with store.look() as session:
        kept = session.exec(select(Letter).order_by(col(Letter.id))).all()
        assert [row.key for row in kept] == ["receipt/0", "receipt/1", "receipt/2"]
        assert kept[0] == Letter(id=kept[0].id, **letter("receipt/0", lease=None, sent=None))


def test_a_query_finds_rows_that_were_not_written_yet(store: Store) -> None:
    with store.unit("test") as session:
        session.write(Letter, letter("receipt/1"))

        assert session.exec(select(Letter.key)).all() == ["receipt/1"]


def test_a_unit_that_raises_keeps_no_row(store: Store) -> None:
    def fail() -> None:
        with store.unit("test") as session:
            session.write(Letter, letter("receipt/1"))
            session.flush()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()

    with store.look() as session:
        assert session.exec(select(Letter)).all() == []


def test_a_cause_that_has_its_letter_gets_no_other(store: Store) -> None:
    for said in (b"first", b"second"):
        with store.unit("test") as session:
            session.write(Letter, letter("receipt/1", value=said))

    with store.look() as session:
        assert session.exec(select(Letter.value)).all() == [b"first"]


@pytest.mark.parametrize("given", [{"key": "receipt/1"}, letter("receipt/1", colour="red")])
def test_a_row_with_a_column_missing_or_unknown_is_refused(store: Store, given: dict[str, Any]) -> None:
    with store.unit("test") as session, pytest.raises(TypeError, match="do not fit a row of Letter"):
        session.write(Letter, given)


def test_a_row_that_is_taken_again_is_written_as_it_was_changed(store: Store) -> None:
    with store.unit("test") as session:
        session.write(Letter, letter("receipt/1"))
    with store.unit("test") as session:
        row = session.exec(select(Letter)).one()
        row.status = "sent"
        session.add(row)
    with store.unit("test") as session:  # another unit's row is none of its own until it takes it
        row.trouble = "refused"
        session.add(row)

    with store.look() as session:
        assert session.exec(select(Letter.status, Letter.trouble)).all() == [("sent", "refused")]
