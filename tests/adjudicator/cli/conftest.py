"""Houses that many tests begin with, made once in a process and copied for each test."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


class Houses:
    """Lays a house into a test's own folder as a function makes it."""

    def __init__(self, kept: Callable[[str], Path]) -> None:
        self._kept = kept
        self._made: dict[Callable[[Path], object], Path] = {}

    def lay(self, folder: Path, make: Callable[[Path], object]) -> Path:
        """Return the folder, with the house in it."""
        if make not in self._made:
            kept = self._kept(make.__name__)
            make(kept)
            self._made[make] = kept
        shutil.copytree(self._made[make], folder, dirs_exist_ok=True)
        return folder


@pytest.fixture(scope="session")
def houses(tmp_path_factory: pytest.TempPathFactory) -> Houses:
    """Give the houses of this process."""
    return Houses(tmp_path_factory.mktemp)
