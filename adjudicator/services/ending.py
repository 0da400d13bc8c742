"""A game ends: by its outcome, by a draw, or because it is broken off; everything is opened, all are told (1.10)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from sqlmodel import col, select

from adjudicator.errors import RefusedByRules
from adjudicator.fairplay import events
from adjudicator.services import (
    closing,
    disputes,
    logbook,
    outbox,
    people,
    positions,
    press,
    proposals,
    reports,
    seeds,
)
from adjudicator.services.positions import Table
from adjudicator.services.reports import Told
from adjudicator.services.work import Work
from adjudicator.storage.tables import Asked, Asking, Tenure, Turn
from engine.core import codec
from engine.core.contract import MODERATOR, Outcome, State, moderated
from engine.core.dice import MAIN

Reason = Literal["outcome", "draw", "finish"]

OPENED: Final = ("lock", "result", "replay", "order", "phrase", "question", "answer", "absence")
"""Events whose sealed parts are open to all once the game is over."""
WITHDRAWN: Final = ("reminder", "question", "confirm", "proposal", "nudge")
"""Letters that have no sense any more: they are not sent if they have not been (1.10)."""


def finish(
    work: Work,
    table: Table,
    reason: Reason,
    *,
    state: State | None = None,
    told: Told | None = None,
    why: str = "",
    readers: Sequence[Tenure] = (),
) -> None:
    """End a game: all that is sealed but press is opened, the last letter carries the whole log (play-by-mail 1.10).

    ``state`` and ``told`` are of the turn that has just been resolved; without them the game ends in the middle of the
    turn that is open, whose dice are burned. ``why`` names the phrase of the result (``outcome_<why>``) where the
    reason does not; ``readers`` get the last letter beside those who hold a seat. Raises `RefusedByRules` if no turn is
    open.
    """
    game, ruleset = table.game, table.ruleset
    cause = f"{told.turn}/r{told.revision}" if told is not None else f"end/{reason}"
    if state is None or told is None:
        turn = positions.current(work, game)
        if turn is None:
            raise RefusedByRules("no-open-turn", tag=game.tag)
        state, told = positions.state_of(work, table, turn), Told(turn=turn.number, revision=turn.revision)
        _give_up(work, table, turn, reason)
    reached = ruleset.outcome(state) if reason == "outcome" else Outcome(reason=why or reason, rule="")
    still = [secret for secret in ruleset.secrets(state) if not secret.open]
    logbook.append(
        work,
        game,
        events.Finish(
            seq=0,
            at=logbook.at(work.now),
            reason=reason,
            seeds={
                secret.name: {"1": seeds.seed(work, game, secret.name, 1).hex()}
                for secret in still
                if secret.name in ruleset.info.streams
            },
            outcome=codec.plain(reached) if reached and reason == "outcome" else None,
        ),
    )
    inside = _keep_inside(work, table, state)
    for kind in OPENED:
        logbook.open_where(work, game, kind=kind, but=inside)
    press.open_published(work, game)
    _withdraw(work, table)
    game.status, game.finished, game.paused, game.final = "finished", work.now, None, work.vault.seal_value(state)
    work.session.add(game)
    tenures = (*reports.readers(work, table), *readers)
    reports.send(work, table, state, told, None, tenures, cause, ended=reached, closing=closing.gather(work, table))


def kept_inside(work: Work, table: Table) -> tuple[str, ...]:
    """Return the texts of a game that nobody outside may read, of every turn that it had."""
    master = moderated(table.ruleset)
    turns = work.session.exec(select(Turn).where(Turn.game_id == table.game.id).order_by(col(Turn.id)))
    found = [master.kept(positions.state_of(work, table, turn)) for turn in turns] if master is not None else []
    return tuple(dict.fromkeys(text for texts in found for text in texts))


def _keep_inside(work: Work, table: Table, state: State) -> frozenset[tuple[int, str]]:
    """Keep what may not go out for those who played, and return the parts of the log that hold it."""
    master = moderated(table.ruleset)
    last = master.kept(state) if master is not None else ()
    readers = (*(seat.seat for seat in people.seats(work, table.game)), MODERATOR)
    return logbook.keep_inside(work, table.game, (*kept_inside(work, table), *last), readers)


def _give_up(work: Work, table: Table, turn: Turn, reason: Reason) -> None:
    """Give up the turn that is open: it has no result, and the seeds of its batches are published (fair-play U)."""
    askings = select(Asking.batch).where(Asking.turn_id == turn.id).order_by(col(Asking.number))
    batches = [turn.batch, *work.session.exec(askings)]
    opened = {str(batch): seeds.seed(work, table.game, MAIN, batch).hex() for batch in batches}
    logbook.append(work, table.game, events.Burn(seq=0, at=logbook.at(work.now), seeds={MAIN: opened}, reason=reason))
    turn.status, turn.retry = "withdrawn", None
    work.session.add(turn)
    work.forget("current", table.game.id)


def _withdraw(work: Work, table: Table) -> None:
    """Withdraw reminders, open questions, votes and disputes (play-by-mail 1.10)."""
    proposals.withdraw(work, table.game)
    disputes.lapse(work, table.game)
    outbox.withdraw(work, table.game, WITHDRAWN)
    open_now = select(Asked).where(Asked.game_id == table.game.id, col(Asked.settled).is_(None))
    for row in work.session.exec(open_now).all():
        row.settled = work.now
        work.session.add(row)
