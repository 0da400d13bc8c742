"""The service on its stage: a Maildir for what does not depend on the mailbox, Dovecot for what does."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.adjudicator.services.stage import Stage, imap_stage, maildir_stage, prepare
from tests.servers.dovecot import Account, Dovecot
from tests.servers.postgres import Postgres
from tests.servers.smtp_sink import SmtpSink


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give an SQLite file in which an ordinary game lies at turn 1."""
    file = tmp_path_factory.mktemp("prepared") / "prepared.db"
    prepare(f"sqlite:///{file}")
    return file


@pytest.fixture
def played(tmp_path: Path, prepared: Path) -> str:
    """Give the address of this test's own copy of that file."""
    file = tmp_path / "service.db"
    shutil.copy(prepared, file)
    return f"sqlite:///{file}"


@pytest.fixture
def empty(tmp_path: Path, smtp_sink: SmtpSink) -> Iterator[Stage]:
    """Give a service over a Maildir and SQLite, without any game."""
    with maildir_stage(f"sqlite:///{tmp_path / 'service.db'}", smtp_sink, tmp_path) as made:
        yield made


@pytest.fixture
def place(tmp_path: Path, smtp_sink: SmtpSink, played: str) -> Iterator[Stage]:
    """Give a service over a Maildir and SQLite, with an ordinary game at hand."""
    with maildir_stage(played, smtp_sink, tmp_path) as made:
        yield made


@pytest.fixture
def real(smtp_sink: SmtpSink, dovecot: Dovecot, mailbox: Account, played: str) -> Iterator[Stage]:
    """Give a service over Dovecot (INBOX and Junk) and SQLite, with an ordinary game at hand."""
    with imap_stage(played, smtp_sink, dovecot, mailbox) as made:
        yield made


@pytest.fixture(params=["sqlite", "postgresql"])
def both(request: pytest.FixtureRequest, smtp_sink: SmtpSink, dovecot: Dovecot, mailbox: Account) -> Iterator[Stage]:
    """Give a service over Dovecot on each of the two databases, with an ordinary game at hand."""
    if request.param == "sqlite":
        with imap_stage(request.getfixturevalue("played"), smtp_sink, dovecot, mailbox) as made:
            yield made
        return
    postgres: Postgres = request.getfixturevalue("postgres")
    if not postgres.process.runs:
        postgres.start()
    url = postgres.new_database(postgres.new_template("services", prepare))
    with imap_stage(url, smtp_sink, dovecot, mailbox) as made:
        yield made
    postgres.drop(url)
