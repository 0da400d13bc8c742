"""An open turn as it stands: its state, who owes what, every seat's sheet and word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlmodel import col, select

from adjudicator.letters import GameHead, SeatStatus, SeatWord
from adjudicator.services import people, readings, sheets
from adjudicator.services.header import Header, read
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Mail, Turn
from engine.core import codec, registry
from engine.core.contract import MODERATOR, Order, Ruleset, Seat, Sheet, Slot, State


@dataclass(frozen=True, slots=True)
class Table:
    """A game with its ruleset and settings."""

    game: Game
    ruleset: Ruleset
    header: Header

    @property
    def head(self) -> GameHead:
        """The header as letters print it."""
        game = self.game
        return _head(game.tag, game.ruleset, game.edition, game.campaign, game.header, game.options)


@dataclass(frozen=True, slots=True)
class SeatNow:
    """A seat in an open turn: what it owes, its folded sheet, the same with standing orders, and its word."""

    seat: Seat
    owed: tuple[Slot, ...]
    folded: sheets.SeatSheet
    filled: Sheet
    missing: tuple[str, ...]
    word: SeatWord


@dataclass(frozen=True, slots=True)
class Position:
    """An open turn with everybody in it, in roster order; ``held`` are the seats that somebody holds now."""

    table: Table
    turn: Turn
    state: State
    seats: Mapping[Seat, SeatNow]
    last_order: datetime | None
    held: tuple[Seat, ...]

    def view(self, seat: Seat) -> Any:
        """Return what a viewer may know."""
        return self.table.ruleset.view(self.state, seat)

    @property
    def waits_for_moderator(self) -> bool:
        """Whether only the moderator owes: such a turn never locks without him (play-by-mail 1.8)."""
        return [seat.seat for seat in self.owing] == [MODERATOR]

    @property
    def owing(self) -> tuple[SeatNow, ...]:
        """The seats that owe orders and have somebody to give them: a free seat is not waited for (play-by-mail 2)."""
        return tuple(
            seat
            for seat in self.seats.values()
            if seat.word != "owes nothing" and (seat.seat in self.held or seat.seat == MODERATOR)
        )


def table(game: Game) -> Table:
    """Return a game with its ruleset and settings."""
    return Table(game, registry.ruleset(game.ruleset), read(game.header))


@lru_cache(maxsize=256)
def _head(tag: str, ruleset: str, edition: str, campaign: str, header_text: str, options: str) -> GameHead:
    header = read(header_text)
    return GameHead(
        tag=tag,
        ruleset=ruleset,
        edition=edition,
        campaign=campaign,
        header={name: codec.plain(getattr(header, name)) for name in header.__struct_fields__},
        options=codec.decode(options, dict[str, Any]),
    )


def current(work: Work, game: Game) -> Turn | None:
    """Return the turn of a game that is not resolved yet, None before ``start`` and after the end."""
    return work.once(("current", game.id), lambda: _current(work, game))


def _current(work: Work, game: Game) -> Turn | None:
    query = select(Turn).where(Turn.game_id == game.id, col(Turn.status).in_(("open", "locked", "asking", "stuck")))
    return work.session.exec(query.order_by(col(Turn.number).desc(), col(Turn.revision).desc()).limit(1)).first()


def turn(work: Work, game: Game, number: int) -> Turn | None:
    """Return the latest revision of a turn."""
    query = select(Turn).where(Turn.game_id == game.id, Turn.number == number)
    return work.session.exec(query.order_by(col(Turn.revision).desc()).limit(1)).first()


def state_of(work: Work, at: Table, turn: Turn) -> State:
    """Return the position a turn opened with."""
    state: State = work.once(("state", turn.id), lambda: work.vault.open_value(turn.state, at.ruleset.info.state))
    return state


def view_of(work: Work, at: Table, turn: Turn, seat: Seat) -> Any:
    """Return what a viewer may know of the position a turn opened with."""
    return work.once(("view", turn.id, seat), lambda: at.ruleset.view(state_of(work, at, turn), seat))


def view_text(work: Work, at: Table, turn: Turn, seat: Seat) -> str:
    """Return a view as letters carry it."""
    return work.once(("view-text", turn.id, seat), lambda: codec.encode(view_of(work, at, turn, seat)))


def standing_of(work: Work, at: Table, turn: Turn) -> dict[Seat, Sheet]:
    """Return each seat's standing orders as the turn opened."""
    kind = dict[str, tuple[at.ruleset.info.order, ...]]  # type: ignore[name-defined]
    found: dict[Seat, Sheet] = work.once(("standing", turn.id), lambda: work.vault.open_value(turn.standing, kind))
    return found


def history(work: Work, at: Table, turn: Turn, seat: Seat, *, by: datetime | None = None) -> sheets.History:
    """Return a seat of an open turn as its accepted mails leave it, by (arrival, mailbox, uid), up to an instant."""
    return work.once(
        ("steps", at.game.id, turn.number, seat, by, "history"),
        lambda: _history(work, at, turn, seat, readings.accepted(work, at.game, turn.number, seat, by)),
    )


def history_before(work: Work, at: Table, turn: Turn, seat: Seat, mail: Mail) -> sheets.History:
    """Return a seat of an open turn as its accepted mails before a mail's place leave it."""
    here = (mail.counts, mail.mailbox, mail.uid)
    found = readings.accepted(work, at.game, turn.number, seat)
    before = [row for row in found if (row.arrival, row.mailbox, row.uid) < here]
    return history(work, at, turn, seat) if before == found else _history(work, at, turn, seat, before)


def _history(work: Work, at: Table, turn: Turn, seat: Seat, said: Sequence[readings.Kept]) -> sheets.History:
    steps = [sheets.Step(number=row.number, effects=row.effects) for row in said]
    standing = standing_of(work, at, turn).get(seat, ())
    return sheets.history(steps, standing, *sheets.laying(at.ruleset, view_of(work, at, turn, seat)))


def seat_now(work: Work, at: Table, turn: Turn, seat: Seat, *, by: datetime | None = None) -> SeatNow:
    """Return a seat of an open turn as its accepted mails leave it."""
    return work.once(("steps", at.game.id, turn.number, seat, by, "now"), lambda: _seat_now(work, at, turn, seat, by))


def _seat_now(work: Work, at: Table, turn: Turn, seat: Seat, by: datetime | None) -> SeatNow:
    ruleset = at.ruleset
    view = view_of(work, at, turn, seat)
    owed = work.once(("owed", turn.id, seat), lambda: tuple(slot for slot in ruleset.owed(view) if slot.seat == seat))
    folded = history(work, at, turn, seat, by=by).now
    filled = ruleset.merge(view, folded.sheet, folded.standing)
    missing = tuple(order.slot for order in ruleset.silent(view, filled))
    return SeatNow(seat, owed, folded, filled, missing, sheets.word(folded, owed, missing))


def position(work: Work, game: Game, turn: Turn, *, by: datetime | None = None) -> Position:
    """Return an open turn with every seat as the mails that arrived by an instant leave it."""
    at = table(game)
    state = state_of(work, at, turn)
    roster = list(people.seat_titles(work, game))
    if work.once(("moderator-owes", turn.id), lambda: _moderator_owes(work, at, turn)):
        roster.append(MODERATOR)
    found = {seat: seat_now(work, at, turn, seat, by=by) for seat in roster}
    said = readings.of_turn(work, game, turn.number)
    in_time = [row.arrival for row in said if row.has_orders and not row.late and not row.asking]
    return Position(at, turn, state, found, max(in_time, default=None), tuple(people.by_seat(work, game)))


def _moderator_owes(work: Work, at: Table, turn: Turn) -> bool:
    return any(slot.seat == MODERATOR for slot in at.ruleset.owed(view_of(work, at, turn, MODERATOR)))


def place_of(
    work: Work, at: Table, turn: Turn, seat: Seat, order: Order, by: datetime | None
) -> tuple[datetime, str, int] | None:
    """Return the place, by (arrival, mailbox, uid), of the mail that brought an order; saying it again moves it not."""
    found = None
    for row in readings.accepted(work, at.game, turn.number, seat, by):
        for effect in row.effects:
            if isinstance(effect, sheets.Put) and not effect.standing:
                brought = [codec.from_plain(one, at.ruleset.info.order) for one in effect.orders]
                if order in brought:
                    found = found or (row.arrival, row.mailbox, row.uid)
                elif order.slot in [one.slot for one in brought]:
                    found = None
            elif isinstance(effect, sheets.Clear) and not effect.standing:
                found = None
    return found


def acted_slots(work: Work, at: Table, turn: Turn, seat: Seat, by: datetime | None) -> frozenset[str]:
    """Return the slots whose orders in force somebody else entered for the seat (play-by-mail 6, fair-play 7)."""
    now: dict[str, bool] = {}
    after: dict[int, dict[str, bool]] = {}
    for row in readings.accepted(work, at.game, turn.number, seat, by):
        for effect in row.effects:
            if isinstance(effect, sheets.Clear) and not effect.standing:
                now = {}
            elif isinstance(effect, sheets.Restore):
                now = dict(after.get(effect.number, now))
            elif isinstance(effect, sheets.Put) and not effect.standing:
                orders = [codec.from_plain(order, at.ruleset.info.order) for order in effect.orders]
                now |= {order.slot: row.by in readings.ACTORS for order in orders}
        after[row.number] = dict(now)
    return frozenset(slot for slot, acted in now.items() if acted)


def statuses(work: Work, now: Position, reader: Seat) -> tuple[tuple[SeatStatus, ...], tuple[int, int] | None]:
    """Return what the game shows a reader of the other seats: their words, a count, or nothing (header ``who_in``)."""
    header = now.table.header
    holders = people.by_seat(work, now.table.game)
    owing = now.owing
    waits = {seat.seat: seat.folded.wait for seat in now.seats.values()}
    if header.who_in == "hidden":
        return (), None
    if header.who_in == "count":
        return (), (sum(seat.word in ("orders in", "ready") for seat in owing), len(owing))
    titles = people.seat_titles(work, now.table.game)
    shown = []
    for seat in owing:
        if seat.seat in (reader, MODERATOR):
            continue
        holder = holders.get(seat.seat)
        named = holder is not None and header.names == "shown"
        name = people.player(work, holder.player_id).name if holder and named else ""
        word: SeatWord = "orders in" if seat.word == "ready" and header.early == "in" else seat.word
        shown.append(SeatStatus(seat=seat.seat, titles=titles[seat.seat], name=name, word=word, waits=waits[seat.seat]))
    return tuple(shown), None


def unread_since(work: Work) -> datetime | None:
    """Return the earliest arrival of a mail that has no verdict yet."""
    query = select(Mail.counts).where(Mail.verdict == "new").order_by(col(Mail.counts)).limit(1)
    return work.session.exec(query).first()
