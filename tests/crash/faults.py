"""Faults that can be put into the service on purpose, to see that the crash test finds every one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import update
from sqlmodel import col

from adjudicator import failpoint
from adjudicator.fairplay import events
from adjudicator.services import delivery, ingest, intake, logbook, outbox, people, receipts, reports, resolving, turns
from adjudicator.storage.tables import Letter, Mail, Turn


def mark_sent_before_sending() -> None:
    """Marks letters as sent when they are claimed."""
    claim = delivery._claim

    def marked(house: Any, owner: str) -> Any:
        claimed = claim(house, owner)
        for one in claimed:
            with house.unit("fault") as work:
                outbox.handed_over(work, one)
        return claimed

    delivery._claim = marked


def move_before_commit() -> None:
    """Moves mail to another folder before it is stored."""
    store, move = ingest._store, ingest._move
    pending: dict[str, Any] = {}

    def moved_first(house: Any, name: str, batch: Sequence[Any], good: Any) -> int:
        if batch:
            failpoint.reach("fault:move")
            source, folder, target = pending["args"]
            move(source, folder, batch, target)
            failpoint.reach("fault:moved")
        return store(house, name, batch, good)

    poll_folder = ingest._poll_folder

    def remember(house: Any, source: Any, folder: str, moves: ingest.Moves) -> int:
        pending["args"] = (source, folder, moves.processed)
        return poll_folder(house, source, folder, moves)

    ingest._store, ingest._poll_folder = moved_first, remember
    ingest._move = lambda *_: ()


def cursor_before_mail() -> None:
    """Moves the cursor in a transaction before the one that stores the mail."""
    store = ingest._store

    def early(house: Any, name: str, batch: Sequence[Any], good: Any) -> int:
        if batch:
            with house.unit("fault-cursor") as work:
                box = ingest._box(work, name)
                box.uidvalidity, box.uid = batch[-1].uidvalidity, max(one.uid for one in batch)
                work.session.add(box)
        return store(house, name, batch, good)

    ingest._store = early


def report_in_second_transaction() -> None:
    """Writes the report rows after the result has been committed."""
    late: list[tuple[Any, ...]] = []
    send, resolve = reports.send, resolving.resolve

    def hold_back(_work: Any, *args: Any) -> None:
        late.append(args)

    def resolve_then_send(house: Any, turn_id: int) -> None:
        resolve(house, turn_id)
        while late:
            table, state, told, turn, _tenures, cause = late.pop(0)
            with house.unit("fault-reports") as work:
                at = type(table)(work.game_by_id(table.game.id), table.ruleset, table.header)
                fresh = work.session.get(Turn, turn.id) if turn is not None else None
                send(work, at, state, told, fresh, people.tenures(work, at.game), cause)

    reports.send, resolving.resolve = hold_back, resolve_then_send


def new_message_id_per_send() -> None:
    """Gives a letter a new Message-ID with every attempt."""
    claim = outbox.claim

    def renamed(work: Any, owner: str, limit: int) -> Any:
        claimed = claim(work, owner, limit)
        found = []
        for one in claimed:
            letter = work.session.get(Letter, one.letter_id)
            new = letter.message_id.replace("@", f".{letter.attempts}@")
            found.append(
                outbox.HandOver(
                    letter_id=one.letter_id,
                    address=one.address,
                    raw=one.raw.replace(letter.message_id.encode(), new.encode()),
                    owner=one.owner,
                )
            )
        return tuple(found)

    delivery.outbox.claim = renamed


def bytes_made_at_every_send() -> None:
    """Dates the bytes of a letter at the time of sending instead of once."""
    claim = outbox.claim

    def dated(work: Any, owner: str, limit: int) -> Any:
        return tuple(
            outbox.HandOver(
                letter_id=one.letter_id,
                address=one.address,
                raw=one.raw + f"\r\nX-Sent: {work.now.isoformat()} {owner}\r\n".encode(),
                owner=one.owner,
            )
            for one in claim(work, owner, limit)
        )

    delivery.outbox.claim = dated


def receipt_in_second_transaction() -> None:
    """Queues receipts after the reading of a mail has been committed."""
    late: list[tuple[Any, ...]] = []
    receipt, handle = receipts.answer, intake.handle

    def hold_back(_work: Any, *args: Any) -> None:
        late.append(args)

    def handle_then_answer(house: Any, doorway: Any, mail_ids: Any) -> None:
        handle(house, doorway, mail_ids)
        while late:
            args = late.pop(0)
            with house.unit("fault-receipt") as work:
                receipt(work, *args)

    receipts.answer, intake.handle = hold_back, handle_then_answer


def verdict_before_effects() -> None:
    """Commits a mail's verdict before what the mail does."""
    handle = intake.handle

    def verdict_first(house: Any, doorway: Any, mail_ids: Any) -> None:
        with house.unit("fault-verdict") as work:
            work.session.execute(update(Mail).where(col(Mail.id).in_(mail_ids)).values(verdict="orders"))
        failpoint.reach("fault:between")
        with house.store.unit("fault-verdict-back") as session:
            session.execute(update(Mail).where(col(Mail.id).in_(mail_ids)).values(verdict="new"))
        handle(house, doorway, mail_ids)

    intake.handle = verdict_first


def result_before_next_turn() -> None:
    """Commits that a turn is resolved before the next one is opened."""
    open_turn, resolve = turns.open_turn, resolving.resolve
    late: list[tuple[tuple[Any, ...], dict[str, Any]]] = []

    def hold_back(work: Any, *args: Any, **named: Any) -> None:
        late.append((args, named))

    def resolve_then_open(house: Any, turn_id: int) -> None:
        resolve(house, turn_id)
        while late:
            (table, *rest), named = late.pop(0)
            with house.unit("fault-open") as work:
                game = work.game_by_id(table.game.id)
                fresh = type(table)(game, table.ruleset, table.header)
                open_turn(work, fresh, *rest, **named)

    turns.open_turn, resolving.resolve = hold_back, resolve_then_open
    resolving.turns.open_turn = hold_back


def commitment_in_second_transaction() -> None:
    """Logs the commitment to a mail's orders after the mail has been dealt with."""
    append, handle = logbook.append, intake.handle
    late: list[tuple[Any, Any, dict[str, Any]]] = []

    class Entry:
        event = '{"private": ""}'

    def hold_back(work: Any, game: Any, event: Any, **named: Any) -> Any:
        if isinstance(event, events.Order):
            late.append((game.id, event, named))
            return Entry()
        return append(work, game, event, **named)

    def handle_then_log(house: Any, doorway: Any, mail_ids: Any) -> None:
        handle(house, doorway, mail_ids)
        while late:
            game_id, event, named = late.pop(0)
            with house.unit("fault-commitment") as work:
                append(work, work.game_by_id(game_id), event, **named)

    logbook.append, intake.handle = hold_back, handle_then_log


def dead_claims_forgotten() -> None:
    """Never sends again what a dead process had claimed."""
    outbox.take_over = lambda _work: None

    def only_rendered(work: Any) -> Any:
        return (col(Letter.status) == "rendered") & (col(Letter.due) <= work.now)

    outbox._due = only_rendered


FAULTS: dict[str, Callable[[], None]] = {
    fault.__name__: fault
    for fault in (
        mark_sent_before_sending,
        move_before_commit,
        cursor_before_mail,
        report_in_second_transaction,
        new_message_id_per_send,
        bytes_made_at_every_send,
        receipt_in_second_transaction,
        verdict_before_effects,
        result_before_next_turn,
        commitment_in_second_transaction,
        dead_claims_forgotten,
    )
}


def apply(name: str) -> None:
    """Put a fault into this process's service; "" puts none."""
    if name:
        FAULTS[name]()
