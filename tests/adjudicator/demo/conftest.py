"""One demonstration, played once, for all tests that look at what it leaves."""

from __future__ import annotations

from dataclasses import dataclass
from io import StringIO

import pytest
from rich.console import Console

from adjudicator.demo import DemoResult, run


@dataclass(frozen=True)
class Shown:
    """A demonstration and what it said on the screen."""

    result: DemoResult
    screen: str


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    screen = StringIO()
    result = run(tmp_path_factory.mktemp("show") / "demo", console=Console(file=screen, width=100))
    return Shown(result, screen.getvalue())
