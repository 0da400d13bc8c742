"""A unit of work: one transaction, the instant it began, and what the service is made of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from sqlmodel import SQLModel, select
from sqlmodel.sql.expression import SelectOfScalar

from adjudicator.clock import Clock
from adjudicator.config import Config
from adjudicator.errors import NotFound
from adjudicator.storage.store import Store, UnitSession
from adjudicator.storage.tables import Game
from adjudicator.storage.vault import Vault

Row = TypeVar("Row", bound=SQLModel)
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Work:
    """A transaction under way; everything a service function needs of the world."""

    session: UnitSession
    now: datetime
    vault: Vault
    config: Config
    memo: defaultdict[str, dict[tuple[Any, ...], Any]] = field(default_factory=lambda: defaultdict(dict))
    """What was looked up already in this transaction, by kind; whoever changes a thing forgets it here."""

    def once(self, key: tuple[Any, ...], find: Callable[[], Found]) -> Found:
        """Return what ``find`` finds, asked once in this transaction; a key begins with its kind."""
        known, rest = self.memo[key[0]], key[1:]
        if rest not in known:
            known[rest] = find()
        found: Found = known[rest]
        return found

    def know(self, kind: str, found: Mapping[Any, Any]) -> None:
        """Take note of many things of a kind that were looked up at once, by the one word of their keys."""
        self.memo[kind].update({(word,): value for word, value in found.items()})

    def known(self, kind: str, word: Any, look_up: Callable[[Work, Sequence[Any]], None]) -> Any:
        """Return one of the things that ``look_up`` finds at once, alone if it was not among them."""
        if (word,) not in self.memo[kind]:
            look_up(self, [word])
        return self.memo[kind][(word,)]

    def forget(self, kind: str, *start: Any) -> None:
        """Forget all of a kind that was looked up under keys that go on so."""
        known = self.memo[kind]
        for rest in [rest for rest in known if rest[: len(start)] == start]:
            del known[rest]

    def add(self, row: Row) -> Row:
        """Store a new row and give it its id."""
        self.session.add(row)
        self.session.flush()
        return row

    def write(self, kind: type[SQLModel], /, **values: Any) -> None:
        """Store a new row whose id nobody asks for: those of one table are written at once, before the next query."""
        self.session.write(kind, values)

    def game(self, tag: str, *, lock: bool = True) -> Game:
        """Return the game of a tag, its row taken so that intake, lock and resolve never cross. Raises `NotFound`."""
        query = select(Game).where(Game.tag == tag)
        game = self.session.exec(_taken(query) if lock else query).first()
        if game is None:
            raise NotFound("game", tag=tag)
        return game

    def game_by_id(self, game_id: int | None) -> Game:
        """Return a game by its id with its row taken, which stays ours to the end of the transaction."""
        return self.once(
            ("game", game_id), lambda: self.session.exec(_taken(select(Game).where(Game.id == game_id))).one()
        )


def _taken(query: SelectOfScalar[Game]) -> SelectOfScalar[Game]:
    """Take the row, and read it as it is once it is ours: what was looked at before the wait may have changed since."""
    return query.with_for_update().execution_options(populate_existing=True)


@dataclass(frozen=True, slots=True)
class House:
    """What the service is made of: configuration, database, service key and clock."""

    config: Config
    store: Store
    vault: Vault
    clock: Clock

    @contextmanager
    def unit(self, name: str) -> Iterator[Work]:
        """Give a unit of work that is committed at the end of the block, or not at all."""
        with self.store.unit(name) as session:
            yield Work(session, self.clock.now(), self.vault, self.config)

    @contextmanager
    def look(self) -> Iterator[Work]:
        """Give a unit that only reads."""
        with self.store.look() as session:
            yield Work(session, self.clock.now(), self.vault, self.config)
