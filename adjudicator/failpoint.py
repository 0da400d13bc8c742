"""Named places where a test may kill the process, to show that a kill at any instant loses nothing."""

from __future__ import annotations

from collections.abc import Callable

hook: Callable[[str], None] | None = None
"""Called with the name of every place passed; set by the crash test only."""


def reach(name: str) -> None:
    """Pass a named place."""
    if hook is not None:
        hook(name)
