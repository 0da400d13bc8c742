"""The real servers as fixtures: one of each per test process, one user and one database per test.

Where a server is not installed its tests are skipped with the reason; with REQUIRE_SERVERS=1 they fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Literal

import pytest

from tests.servers.chromium import Chromium
from tests.servers.dovecot import Account, Dovecot
from tests.servers.postgres import Postgres
from tests.servers.required import running
from tests.servers.smtp_sink import SmtpSink


@pytest.fixture(scope="session")
def dovecot() -> Iterator[Dovecot]:
    """Give Dovecot; a test that stops it starts it again (`with dovecot.outage():`)."""
    yield from running(Dovecot())


@pytest.fixture
def mailbox(dovecot: Dovecot) -> Account:
    """Give an empty mailbox of this test's own, on a server that runs whatever an earlier test left behind."""
    if not dovecot.process.runs:
        dovecot.start()
    return dovecot.new_user()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """Give PostgreSQL; a test that stops it starts it again (`with postgres.outage():`)."""
    yield from running(Postgres())


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Give the SQLAlchemy address of an empty database of this test's own: the test runs on both databases."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'adjudicator.sqlite3'}"
        return
    postgres: Postgres = request.getfixturevalue("postgres")
    if not postgres.process.runs:
        postgres.start()
    url = postgres.new_database()
    yield url
    postgres.drop(url)


@pytest.fixture
def smtp_sink() -> Iterator[SmtpSink]:
    """Give a scripted SMTP server without TLS or login, all its own."""
    with SmtpSink() as sink:
        yield sink


@pytest.fixture
def new_smtp_sink() -> Iterator[Callable[..., SmtpSink]]:
    """Give a maker of scripted SMTP servers: `new_smtp_sink(tls="implicit", login=("judge", "secret"))`."""
    with ExitStack() as sinks:

        def make(
            tls: Literal["none", "starttls", "implicit"] = "none",
            login: tuple[str, str] | None = None,
            *,
            smtputf8: bool = True,
        ) -> SmtpSink:
            return sinks.enter_context(SmtpSink(tls, login, smtputf8=smtputf8))

        yield make


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """Give a browser: `chromium.screenshot(path_or_html)` is a PNG."""
    yield from running(Chromium())
