"""The driver: hops the clock from one thing that happens to the next, until the game is over."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from typing import Final

from adjudicator.demo.harbour import POLL, Harbour, OpenTurn
from adjudicator.demo.postbag import Item
from adjudicator.demo.troupe import Errand, Troupe

REMINDERS: Final = (timedelta(hours=24), timedelta(hours=4))
BEFORE: Final = timedelta(minutes=30)
"""A look this long before the deadline: it would move without a good poll within the hour before (play-by-mail 1.3)."""
AFTER: Final = timedelta(minutes=3)
"""A look this long after it: the turn locks once a poll has begun two minutes after the deadline."""
MARGIN: Final = timedelta(minutes=2)


class Adrift(RuntimeError):
    """The game neither ended nor went on: something in the service stands still."""


@dataclass(slots=True)
class Voyage:
    """The errands that wait, and the clock that is moved from one to the next."""

    harbour: Harbour
    troupe: Troupe
    tell: Callable[[OpenTurn | None], None]
    show: Callable[[Item], None]
    _waiting: list[tuple[datetime, int, Errand]] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=count)
    _sent: datetime | None = None

    def sail(self) -> None:
        """Play from the invitations to the last letter."""
        self.harbour.invite_all()
        self.harbour.round()
        self._await(self.troupe.joining())
        planned = -1
        turn = self._until_started()
        while turn is not None:
            if turn.number != planned:
                self.tell(turn)
                self._await(self.troupe.plan(turn))
                planned, idle = turn.number, 0
            idle = self._step(turn, idle)
            turn = self.harbour.open_turn()
        self.harbour.round()
        self.tell(None)

    def _until_started(self) -> OpenTurn | None:
        while self._waiting:
            self._run_until(self._waiting[0][0])
            self.harbour.clock.move(POLL)
            self.harbour.round()
        self._sent = None
        return self.harbour.open_turn()

    def _await(self, errands: Iterable[Errand]) -> None:
        for errand in errands:
            heapq.heappush(self._waiting, (errand.at, next(self._numbers), errand))

    def _step(self, turn: OpenTurn, idle: int) -> int:
        """Go to the next errand or the next look of the service, whichever comes first."""
        look = self._next_look(turn)
        if self._waiting and self._waiting[0][0] < look:
            self._run_until(self._waiting[0][0])
            return 0
        if idle > 100:
            raise Adrift(f"turn {turn.number} stands still at {self.harbour.clock.now()}")
        self.harbour.clock.move_to(look)
        self.harbour.round()
        self._sent = None
        return idle + 1

    def _run_until(self, instant: datetime) -> None:
        self.harbour.clock.move_to(max(instant, self.harbour.clock.now()))
        while self._waiting and self._waiting[0][0] <= instant:
            heapq.heappop(self._waiting)[2].run()
            self._sent = self.harbour.clock.now()
            self.show(self.harbour.mail.items[-1])

    def _next_look(self, turn: OpenTurn) -> datetime:
        """Return when the service next finds something to do, at one of its looks every two minutes."""
        now, end = self.harbour.clock.now(), turn.deadline
        looks = [end - step + POLL / 2 for step in REMINDERS]
        looks += [end - BEFORE, end + AFTER, turn.check + MARGIN]
        if self._sent is not None:
            looks.append(self._sent + POLL)
        return min((look for look in looks if look > now), default=now + POLL)
