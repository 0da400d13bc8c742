"""What becomes of a test whose server is not installed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack
from typing import Never, TypeVar

import pytest

from tests.servers.place import ServerMissing

Server = TypeVar("Server")


def running(server: AbstractContextManager[Server]) -> Iterator[Server]:
    """Give a started server and end it afterwards; if it is not installed, skip, or fail with REQUIRE_SERVERS=1."""
    with ExitStack() as stack:
        try:
            started = stack.enter_context(server)
        except ServerMissing as missing:
            _do_without(str(missing))
        yield started


def _do_without(reason: str) -> Never:
    if os.environ.get("REQUIRE_SERVERS") == "1":
        pytest.fail(f"{reason}, and REQUIRE_SERVERS=1 says it must be", pytrace=False)
    pytest.skip(reason)
