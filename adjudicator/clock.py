"""The only place that asks what time it is."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol

_TICKING: Final = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class Clock(Protocol):
    """Something that knows the time as an aware UTC instant."""

    def now(self) -> datetime:
        """Return the present instant in UTC."""
        ...

    def ticks(self) -> timedelta:
        """Return a span that grows as time passes, whatever is done to the clock: only differences mean anything."""
        ...


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        """Return the present instant in UTC, whole microseconds."""
        return datetime.now(UTC)

    def ticks(self) -> timedelta:
        """Return how long the machine has run, its sleep included."""
        return timedelta(seconds=time.clock_gettime(_TICKING))


class MovedClock:
    """A clock that stands until it is moved: for the demonstration and the tests."""

    def __init__(self, start: datetime) -> None:
        if start.tzinfo is None:
            raise ValueError(f"a clock needs an aware instant, not {start!r}")
        self._now = start.astimezone(UTC)
        self._wrong = timedelta()

    def now(self) -> datetime:
        """Return the instant it stands at."""
        return self._now

    def ticks(self) -> timedelta:
        """Return how far it was moved; a jump is none of it."""
        return self._now - self._wrong - datetime.min.replace(tzinfo=UTC)

    def jump(self, span: timedelta) -> None:
        """Set it wrong by a span, forward or back, while no time passes."""
        self._now += span
        self._wrong += span

    def move(self, span: timedelta) -> None:
        """Move it forward by a span."""
        self.move_to(self._now + span)

    def move_to(self, instant: datetime) -> None:
        """Move it to a later instant. Raises ValueError for an earlier one."""
        if instant < self._now:
            raise ValueError(f"the clock stands at {self._now}, it does not go back to {instant}")
        self._now = instant.astimezone(UTC)


def iso(instant: datetime) -> str:
    """Return an instant as the log writes it: ``2026-01-05T18:00:00Z`` (seconds; RFC 3339)."""
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def from_iso(text: str) -> datetime:
    """Return the instant that `iso` wrote."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
