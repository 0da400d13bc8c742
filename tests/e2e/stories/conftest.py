"""What a story begins with: an ordinary game of two seats, prepared once, over Dovecot, the sink and SQLite."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from adjudicator.services import post
from tests.adjudicator.services.stage import imap_stage, prepare
from tests.e2e.stories.story import Story
from tests.servers.dovecot import Account, Dovecot
from tests.servers.smtp_sink import SmtpSink


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give an SQLite file in which a game lies at turn 1, its letters written and not yet handed over."""
    file = tmp_path_factory.mktemp("story") / "begun.db"
    prepare(f"sqlite:///{file}", make=post.make, told=False)
    return file


@pytest.fixture
def story(smtp_sink: SmtpSink, dovecot: Dovecot, mailbox: Account, begun: Path, tmp_path: Path) -> Iterator[Story]:
    """Give a story with a game at turn 1, whose players have their letters."""
    file = tmp_path / "service.db"
    shutil.copy(begun, file)
    with imap_stage(f"sqlite:///{file}", smtp_sink, dovecot, mailbox, make=post.make) as stage:
        made = Story(stage, smtp_sink)
        made.work()
        yield made


@pytest.fixture
def blank(smtp_sink: SmtpSink, dovecot: Dovecot, mailbox: Account, tmp_path: Path) -> Iterator[Story]:
    """Give a story that begins without any game."""
    with imap_stage(f"sqlite:///{tmp_path / 'service.db'}", smtp_sink, dovecot, mailbox, make=post.make) as stage:
        yield Story(stage, smtp_sink)
