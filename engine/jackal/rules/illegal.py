"""An action that cannot be: why, where and by which rule; a value for whoever asked, never a fault."""

from __future__ import annotations


class Illegal(Exception):
    """An action or alternative that is not legal now. ``why`` is a complaint key, ``cell`` a name or ""."""

    def __init__(self, why: str, rule: str, cell: str = "") -> None:
        super().__init__(f"{why} ({rule}) {cell}".strip())
        self.why = why
        self.rule = rule
        self.cell = cell
