"""A game's clock stopped and started again: nothing locks meanwhile, deadlines move by the pause (play-by-mail 6)."""

from __future__ import annotations

from datetime import datetime, timedelta

from adjudicator.clock import iso
from adjudicator.errors import RefusedByRules
from adjudicator.services import asking, interludes, positions, turns
from adjudicator.services.positions import Table
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Turn


def pause(work: Work, game: Game) -> None:
    """Stop the clock of a game; mail goes on being read and answered.

    Raises `RefusedByRules` if the game is not running, or stands still already.
    """
    if game.status != "running":
        raise RefusedByRules("not-running", tag=game.tag)
    if game.paused is not None:
        raise RefusedByRules("already-paused", tag=game.tag)
    game.paused = work.now
    work.session.add(game)
    turn = positions.current(work, game)
    if turn is not None and turn.status == "open":
        turns.log_deadline(work, game, turn, None, "paused")
    turns.tell_all(work, positions.table(game), "paused", iso(work.now), {})


def resume(work: Work, game: Game) -> timedelta:
    """Start the clock of a game again and return how long it stood: deadlines move by as much.

    A turn that was opened in the pause has lost only the time since. Raises `RefusedByRules` if the game does not stand
    still.
    """
    if game.paused is None:
        raise RefusedByRules("not-paused", tag=game.tag)
    since, game.paused = game.paused, None
    work.session.add(game)
    turn = positions.current(work, game)
    facts: dict[str, object] = {}
    if turn is not None and turn.status == "open":
        if turn.frozen is None or turn.grace is not None:  # else the turn waits for the moderator, and no clock runs
            later = turn.deadline + (work.now - max(since, turn.opened))
            turns.put_deadline(work, game, turn, turns.past_absences(work, game, turn, later), "resumed")
            facts = {"turn": turn.number, "deadline": iso(turn.deadline)}
        turn.check = work.now
        work.session.add(turn)
    elif turn is not None:
        _resume_questions(work, positions.table(game), turn, since)
    turns.tell_all(work, positions.table(game), "resumed", iso(since), facts)
    if turn is not None and turn.status == "open":
        interludes.command_on(work, positions.table(game), turn)
    return work.now - since


def _resume_questions(work: Work, table: Table, turn: Turn, since: datetime) -> None:
    """Move the deadline of questions asked in mid-turn likewise (1.8)."""
    for group in asking.groups(work, turn):
        if group.locked is None:
            later = group.deadline + (work.now - max(since, group.asked))
            asking.move_deadline(work, table, turn, group, later, "resumed")
