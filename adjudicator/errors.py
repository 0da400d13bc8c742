"""What can go wrong on our side, each with what to do about it."""

from __future__ import annotations


class AdjudicatorError(Exception):
    """Something went wrong; ``key`` names the sentence that says so, ``facts`` fill it."""

    def __init__(self, key: str, **facts: object) -> None:
        super().__init__(key + ("" if not facts else f" {facts}"))
        self.key = key
        self.facts = facts


class ConfigError(AdjudicatorError):
    """The configuration cannot be used: ``key`` says why, ``facts['where']`` the setting."""


class RefusedByRules(AdjudicatorError):
    """A command cannot be carried out now (wrong turn, wrong seat, game not running)."""


class NotFound(AdjudicatorError):
    """Something that was named does not exist."""
