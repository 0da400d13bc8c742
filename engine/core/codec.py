"""States, orders and events as JSON text and back; the same value gives the same text everywhere."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


def encode(value: Any) -> str:
    """Return the canonical JSON text of a value: keys sorted, no spaces, no escapes for non-ASCII."""
    return msgspec.json.encode(value, order="sorted").decode()


def decode(text: str | bytes, type_: Any) -> Any:
    """Return the value of ``type_`` that `encode` wrote. Raises msgspec.ValidationError for anything else."""
    return msgspec.json.decode(text, type=type_)


def plain(value: Any) -> Any:
    """Return the value as dicts, lists, strings and integers, for the log."""
    return msgspec.to_builtins(value, order="sorted")


def from_plain(value: Any, type_: Any) -> Any:
    """Return the value of ``type_`` from what `plain` gave. Raises msgspec.ValidationError for anything else."""
    return msgspec.convert(value, type=type_)
