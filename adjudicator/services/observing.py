"""Watching a game: who gets its public reports, and until when (play-by-mail 0, 5)."""

from __future__ import annotations

from typing import Any

from sqlmodel import select

from adjudicator.errors import RefusedByRules
from adjudicator.letters import Notice
from adjudicator.services import logbook, outbox, people, positions, unwanted
from adjudicator.services.opened import Opened
from adjudicator.services.work import Work
from adjudicator.storage.tables import Asked, Game, Observer
from mail.addresses import canonical


def demand_open(work: Work, game: Game, address: str) -> None:
    """Raise `RefusedByRules` if somebody may not watch a game: he plays in it, it is closed, or it is over."""
    playing = [at.id for person in people.holders_of(work, address) for _, at in people.tenures_of(work, person)]
    if game.id in playing:
        raise RefusedByRules("observe-seated", tag=game.tag)
    if game.status == "finished":
        raise RefusedByRules("observe-over", tag=game.tag)
    if positions.table(game).header.entry != "open":
        raise RefusedByRules("observe-closed", tag=game.tag)


def begin(work: Work, game: Game, address: str, *, name: str, language: str, cause: str = "") -> Observer:
    """Let an address watch a game; public reports come to it from now on. With a ``cause`` it is told so."""
    folded = canonical(address)
    query = select(Observer).where(Observer.game_id == game.id, Observer.address == folded)
    row = work.session.exec(query).first() or Observer(game_id=game.id or 0, address=folded, since=work.now)
    row.name, row.language, row.until = name, language, None
    row.zone, row.reported_seq = work.config.service.zone, game.seq
    work.add(row)
    unwanted.forgive(work, folded)
    if cause:
        _tell(work, game, row, "observing", cause)
    return row


def confirmed(work: Work, row: Asked, facts: dict[str, Any], _mail: Opened) -> None:
    """Let a stranger watch who has confirmed that he wants to."""
    game = work.session.get_one(Game, row.game_id)
    demand_open(work, game, row.address)
    name, language = str(facts["name"]), str(facts["language"])
    begin(work, game, row.address, name=name, language=language)


def end(work: Work, row: Observer, cause: str) -> None:
    """End an observer's letters, and tell him once."""
    if row.until is not None:
        return
    row.until = work.now
    work.session.add(row)
    _tell(work, work.session.get_one(Game, row.game_id), row, "observing-ended", cause)


def of_address(work: Work, game: Game, address: str) -> Observer | None:
    """Return the observer of a game at an address, None if nobody watches from there."""
    query = select(Observer).where(Observer.game_id == game.id, Observer.address == canonical(address))
    row = work.session.exec(query).first()
    return row if row is not None and row.until is None else None


def _tell(work: Work, game: Game, row: Observer, kind: str, cause: str) -> None:
    at = positions.table(game)
    notice = Notice(
        kind=kind,
        reader=people.observer_reader(work, game, row),
        facts={"status": game.status},
        head=at.head,
        pin=logbook.pin(game),
    )
    outbox.queue(work, f"{kind}/{game.tag}/{row.id}/{cause}", row.address, outbox.Envelope(notice=notice), game=game)
