"""The game goes on after a command done at once: the orders of the others are those of the next turn.

The open turn itself becomes the command's, for its batch must be opened before any later one (fair-play 3.1); what the
seats have said for it goes over into the next, under the deadline they know, read again against what they see now.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from adjudicator.clock import iso
from adjudicator.services import asking, people, positions, readings, seeds, sheets, turns
from adjudicator.services.positions import Table
from adjudicator.services.reports import Told
from adjudicator.services.schedule import min_notice
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Tenure, Turn
from engine.core import codec
from engine.core.contract import MODERATOR, Language, Order, Seat, Sheet, State


def go_on(work: Work, table: Table, turn: Turn, state: State, told: Told) -> Turn:
    """Open the turn after a command done at once: as the open one was, but for what the command has changed."""
    game = table.game
    said = {seat: positions.seat_now(work, table, turn, seat).folded.sheet for seat in speakers(work, game, turn)}
    readings.carry(work, game, turn.number)
    into = turn.number + 1
    lost = {seat: read_again(work, table, turn, state, seat, sheet, into) for seat, sheet in said.items() if sheet}
    until = max(turn.deadline, work.now + min_notice(timedelta(seconds=turn.period)))
    standing = positions.standing_of(work, table, turn)
    opened = turns.open_turn(work, table, turn.number + 1, state, standing, told, until=until)
    opened.frozen, opened.grace = turn.frozen, None if turn.grace is None else until
    opened.reminded, opened.prolonged, opened.let_go = turn.reminded, turn.prolonged, turn.let_go
    _keep_phrases(work, table, turn, opened)
    for tenure in holders(work, game):
        if lines := lost.get(tenure.seat):
            facts = {"turn": opened.number, "deadline": iso(opened.deadline), "lines": lines}
            turns.tell(work, table, tenure, "read-again", str(opened.number), facts)
    command_on(work, table, opened)
    return opened


def waits_for_none(work: Work, table: Table, turn: Turn) -> bool:
    """Say whether the moderator's commands wait for no lock: the rules let him command, and he owes nothing now."""
    if not table.ruleset.info.moderated or turn.status != "open" or table.game.paused is not None:
        return False
    owed = positions.seat_now(work, table, turn, MODERATOR).owed
    return all(slot.optional for slot in owed)


def too_late(work: Work, table: Table, turn: Turn, orders: Sheet) -> tuple[Order, ...]:
    """Return those of the moderator's orders that had to be laid down before a seat filled its slot (fair-play N).

    A seat whose standing word fills it has said it already.
    """
    slots = {order.precedes for order in orders if order.precedes}
    if not slots:
        return ()
    seats = positions.position(work, table.game, turn).seats.values()
    filled = {slot.key for seat in seats for slot in seat.owed if slot.key in slots and slot.key not in seat.missing}
    return tuple(order for order in orders if order.precedes in filled)


def command_on(work: Work, table: Table, opened: Turn) -> None:
    """Do what the moderator commanded while it could not be done at once, unless it waits for a lock.

    His last command asked somebody something then, or the clock stood still.
    """
    if not waits_for_none(work, table, opened):
        return
    sheet = positions.seat_now(work, table, opened, MODERATOR).folded.sheet
    commands = tuple(order for order in sheet if order.at_once)
    if commands and not too_late(work, table, opened, commands):
        _leave(work, table.game, opened.number, MODERATOR, [order for order in sheet if not order.at_once])
        turns.lock_at_once(work, table.game, opened, commands)


def speakers(work: Work, game: Game, turn: Turn) -> tuple[Seat, ...]:
    """Return the seats that have said something for a turn, in roster order, the moderator last."""
    spoke = {row.seat for row in readings.of_turn(work, game, turn.number)}
    return tuple(seat for seat in (*people.seat_titles(work, game), MODERATOR) if seat in spoke)


def holders(work: Work, game: Game) -> tuple[Tenure, ...]:
    """Return who holds the seats of a game, and who moderates it."""
    judge = people.moderator(work, game)
    return (*people.tenures(work, game), *([judge] if judge is not None else []))


def read_again(work: Work, table: Table, turn: Turn, state: State, seat: Seat, sheet: Sheet, into: int) -> list[str]:
    """Read a seat's orders against what it sees now; those that no longer read are dropped, and returned as lines.

    ``into`` is the turn that they are orders of then.
    """
    kept, lost = parted(work, table, turn, state, seat, sheet)
    if lost:
        written = sheets.Put(orders=())  # nothing may be left of it, but he has not missed the turn
        _leave(work, table.game, into, seat, kept, written, sheets.Refused())
    return lost


def parted(
    work: Work, table: Table, turn: Turn, state: State, seat: Seat, sheet: Sheet
) -> tuple[list[Order], list[str]]:
    """Part a seat's orders into those that still read by what it sees now, and the lines of those that do not."""
    ruleset = table.ruleset
    before, view = positions.view_of(work, table, turn, seat), ruleset.view(state, seat)
    language: Language = "en" if work.config.service.language == "en" else "ru"
    kept: list[Order] = []
    lost: list[str] = []
    for order in sheet:
        line = ruleset.write(order, language, before)
        if sheets.reads_again(ruleset, line, view, tuple(kept), order, language):
            kept.append(order)
        else:
            lost.append(line)
    return kept, lost


def _leave(
    work: Work, game: Game, number: int, seat: Seat, orders: Sequence[Order], *besides: sheets.AnyEffect
) -> None:
    """Enter what is left of a seat's orders behind all that it has said."""
    put = [sheets.Put(orders=tuple(codec.plain(order) for order in orders))] if orders else []
    effects = (sheets.Clear(), *put, *besides)
    receipt = readings.next_number(work, game, seat)
    kept = readings.Kept(
        mail_id=None,
        seat=seat,
        asking=0,
        number=receipt,
        arrival=readings.after_all(work, game, number, seat),
        mailbox="",
        uid=receipt,
        written=None,
        effects=effects,
        late=False,
        has_orders=False,
    )
    readings.add(work, game, number, kept)


def _keep_phrases(work: Work, table: Table, turn: Turn, opened: Turn) -> None:
    """Let the phrases that came with the orders count for their new batch too, until a player sends another.

    Of those said while the command asked somebody something, the last.
    """
    batches = [turn.batch, *(group.batch for group in asking.groups(work, turn))]
    for batch in reversed(batches):
        for row, phrase in seeds.spoken(work, table.game, batch).phrases.items():
            seeds.keep_phrase(work, table.game, row, phrase, opened.batch, automatic=True)
