"""A seat's private record for whoever takes it over: what it was told and answered, its open turn, its log (6)."""

from __future__ import annotations

import re
from typing import Any, Final

from sqlmodel import col, select

from adjudicator.clock import iso
from adjudicator.letters import Notice
from adjudicator.services import logbook, outbox, people, positions, reports, seeds
from adjudicator.services.positions import Table
from adjudicator.services.reports import Told
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Letter, Tenure, Turn
from engine.core.dice import MAIN, Throw

KINDS: Final = ("report", "receipt")
"""Letters that belong to a seat's record."""
LIMIT: Final = 2_000_000
"""Characters of earlier letters that are handed over; beyond it the oldest are left out."""
_CARRIER: Final = re.compile(r"[^\s<>]*\+[a-z0-9-]{1,32}\.s\d{1,12}\.[a-z2-7]{26}@[^\s<>]*|\S*\.s\d+\.[a-z2-7]{26}\S*")


def hand_over(work: Work, game: Game, turn: Turn, tenure: Tenure, earlier: Tenure | None) -> None:
    """Send a newcomer the report that opened the turn, and in one letter all that his seat has been told before."""
    table = positions.table(game)
    open_again(work, table, turn, tenure)
    tenure.reported_seq = game.seq
    titles = people.seat_titles(work, game)
    reader = people.reader_of(work, game, tenure, titles)
    facts: dict[str, Any] = {
        "turn": turn.number,
        "titles": titles[tenure.seat],
        "deadline": iso(turn.deadline),
        "letters": earlier_letters(work, game, tenure) if earlier is not None else [],
    }
    notice = Notice(kind="seat-record", reader=reader, facts=facts, head=table.head, pin=logbook.pin(game))
    outbox.queue(
        work,
        f"seat-record/{game.tag}/{tenure.seat}/{tenure.id}",
        reader.address,
        outbox.Envelope(notice=notice, log_after=0, log_to=game.seq),
        game=game,
        tenure=tenure,
        turn=turn.number,
    )


def open_again(work: Work, table: Table, turn: Turn, tenure: Tenure) -> None:
    """Send somebody who has come since the report that opened a turn."""
    told, state = told_before(work, table, turn), positions.state_of(work, table, turn)
    reports.send(work, table, state, told, turn, [tenure], f"substitute-{tenure.id}", again=True)


def told_before(work: Work, table: Table, turn: Turn) -> Told:
    """Return what came of the turn before, for the report that opens this one again."""
    game = table.game
    before = positions.turn(work, game, turn.number - 1)
    if before is None or before.events is None or before.dice is None:
        return Told()
    event = table.ruleset.info.event
    kind = tuple[event, ...]  # type: ignore[valid-type]
    seed = seeds.seed(work, game, MAIN, before.batch).hex()
    return Told(
        events=work.vault.open_value(before.events, kind),
        dice=work.vault.open_value(before.dice, tuple[Throw, ...]),
        spoken=seeds.spoken(work, game, before.batch),
        seeds=((MAIN, before.batch, seed),),
        turn=before.number,
        revision=before.revision,
    )


def earlier_letters(work: Work, game: Game, tenure: Tenure) -> list[dict[str, str]]:
    """Return the reports and receipts that earlier holders of a seat got, oldest first, their keys struck out."""
    query = select(Letter).where(
        Letter.game_id == game.id,
        Letter.seat == tenure.seat,
        Letter.tenure_id != tenure.id,
        col(Letter.kind).in_(KINDS),
        col(Letter.text).is_not(None),
    )
    found: list[dict[str, str]] = []
    size = 0
    for letter in work.session.exec(query.order_by(col(Letter.id).desc())):
        text = _CARRIER.sub("…", outbox.text_of(work, letter))
        size += len(text)
        if size > LIMIT:
            break
        found.append({"at": iso(letter.created), "text": text})
    return found[::-1]
