"""The turns of a game that are resolved, as they were told: for public reports, pages and case files made later."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlmodel import col, select

from adjudicator.clock import iso
from adjudicator.errors import NotFound, RefusedByRules
from adjudicator.letters import Pin, Reader, Report
from adjudicator.services import beacons, logbook, positions, reports, seeds
from adjudicator.services.positions import Table
from adjudicator.services.reports import Told
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, LogEntry, Turn
from engine.core.contract import Event, State
from engine.core.dice import MAIN, Throw


def resolved(work: Work, game: Game) -> Sequence[Turn]:
    """Return the turns of a game that are resolved, the latest revision of each, in order."""
    query = select(Turn).where(Turn.game_id == game.id, Turn.status == "resolved")
    latest: dict[int, Turn] = {}
    for turn in work.session.exec(query.order_by(col(Turn.number), col(Turn.revision))):
        latest[turn.number] = turn
    return list(latest.values())


def turn_named(work: Work, game: Game, number: int) -> Turn:
    """Return a resolved turn by its number. Raises `RefusedByRules` if there is none."""
    found = next((turn for turn in resolved(work, game) if turn.number == number), None)
    if found is None:
        raise RefusedByRules("not-resolved", turn=number, tag=game.tag)
    return found


def events_of(work: Work, at: Table, turn: Turn) -> tuple[Event, ...]:
    """Return everything that happened in a resolved turn, in order."""
    kind = tuple[at.ruleset.info.event, ...]  # type: ignore[name-defined]
    found: tuple[Event, ...] = work.vault.open_value(turn.events, kind) if turn.events else ()
    return found


def throws_of(work: Work, turn: Turn) -> tuple[Throw, ...]:
    """Return all dice of a resolved turn, those of sealed streams too, in the order thrown."""
    found: tuple[Throw, ...] = work.vault.open_value(turn.dice, tuple[Throw, ...]) if turn.dice else ()
    return found


def result_of(work: Work, game: Game, turn: Turn) -> dict[str, Any]:
    """Return the log event of a turn's result."""
    query = select(LogEntry.event).where(LogEntry.game_id == game.id, LogEntry.seq == turn.result_seq)
    found: dict[str, Any] = json.loads(work.session.exec(query).one())
    return found


def told(work: Work, at: Table, turn: Turn) -> Told:
    """Return what came of a resolved turn, as it was told."""
    result = result_of(work, at.game, turn)
    opened = result["seeds"].get(MAIN, {})
    return Told(
        events=events_of(work, at, turn),
        dice=throws_of(work, turn),
        spoken=seeds.spoken(work, at.game, turn.batch),
        answered=tuple(seeds.spoken(work, at.game, batch) for batch in result["batches"][1:]),
        seeds=tuple((MAIN, int(batch), seed) for batch, seed in sorted(opened.items(), key=lambda pair: int(pair[0]))),
        turn=turn.number,
        revision=turn.revision,
        beacon=beacons.value(work, at.game, turn.lock_seq or 0),
    )


def state_after(work: Work, at: Table, turn: Turn) -> State:
    """Return the position a resolved turn led to: the one the next turn opened with, or the game ended with.

    Raises `NotFound` for a game that ended before its last position was kept.
    """
    following = positions.turn(work, at.game, turn.number + 1)
    if following is not None:
        return positions.state_of(work, at, following)
    return final_state(work, at)


def final_state(work: Work, at: Table) -> State:
    """Return the position a game ended with. Raises `NotFound` where it was not kept."""
    if at.game.final is None:
        raise NotFound("final-position", tag=at.game.tag)
    final: State = work.vault.open_value(at.game.final, at.ruleset.info.state)
    return final


def told_at(work: Work, game: Game, turn: Turn) -> int:
    """Return how far the log went when a turn's report was written: to the next turn's opening, or to the end."""
    for entry in logbook.entries(work, game, turn.result_seq or 0, game.seq):
        if json.loads(entry.event)["type"] in ("open", "finish"):
            return entry.seq
    return turn.result_seq or 0


def public_report(work: Work, at: Table, turn: Turn, reader: Reader) -> Report:
    """Return the public report of a resolved turn, as everybody was told then; the deadline in it is today's."""
    following = positions.turn(work, at.game, turn.number + 1)
    now = positions.position(work, at.game, following) if following is not None else None
    pin = logbook.pin_at(work, at.game, told_at(work, at.game, turn))
    pins: tuple[Pin, Pin | None] = (pin or logbook.pin(at.game), None)
    made = reports.public(work, at, state_after(work, at, turn), reader, told(work, at, turn), now, pins)
    return msgspec.structs.replace(made, resolved_at=_moment(turn.resolved))


def retold(work: Work, at: Table, turn: Turn, reader: Reader) -> Report:
    """Return what a reader may know of a resolved turn by now, without what was asked of anybody then."""
    pins = (logbook.pin(at.game), None)
    made = reports.report(work, at, state_after(work, at, turn), reader, told(work, at, turn), None, pins)
    return msgspec.structs.replace(made, resolved_at=_moment(turn.resolved), pin=None, farewells=(), press=())


def _moment(instant: datetime | None) -> str:
    return iso(instant) if instant else ""
