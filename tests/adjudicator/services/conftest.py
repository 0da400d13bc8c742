"""The service on its stage: a Maildir for what does not depend on the mailbox, Dovecot for what does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.adjudicator.services.stage import Stage, imap_stage, maildir_stage
from tests.servers.dovecot import Account, Dovecot
from tests.servers.smtp_sink import SmtpSink


@pytest.fixture
def place(tmp_path: Path, smtp_sink: SmtpSink) -> Iterator[Stage]:
    """Give a service over a Maildir and SQLite."""
    with maildir_stage(f"sqlite:///{tmp_path / 'test.db'}", smtp_sink, tmp_path) as made:
        yield made


@pytest.fixture
def real(tmp_path: Path, smtp_sink: SmtpSink, dovecot: Dovecot, mailbox: Account) -> Iterator[Stage]:
    """Give a service over Dovecot (INBOX and Junk) and SQLite."""
    url = f"sqlite:///{tmp_path / 'test.db'}"
    with imap_stage(url, smtp_sink, tmp_path, dovecot, mailbox) as made:
        yield made


@pytest.fixture
def both(tmp_path: Path, smtp_sink: SmtpSink, dovecot: Dovecot, mailbox: Account, database_url: str) -> Iterator[Stage]:
    """Give a service over Dovecot on each of the two databases."""
    with imap_stage(database_url, smtp_sink, tmp_path, dovecot, mailbox) as made:
        yield made
