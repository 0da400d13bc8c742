"""How a turn would end: with trial dice before its lock, after it the true result; each look is logged (6).

A look is committed before anything is shown (fair-play L): `preview` only logs and gathers, the letter or the terminal
shows what it returns.
"""

from __future__ import annotations

import msgspec

from adjudicator.errors import RefusedByRules
from adjudicator.letters import Reader, Report
from adjudicator.services import logbook, moderation, positions, reports, resolving, turns
from adjudicator.services.moderation import By
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game
from engine.core.contract import Resolution, Value


class Preview(Value, frozen=True):
    """What a viewer would be told of a turn; ``trial``: with a throw-away key, the true dice will fall otherwise."""

    report: Report
    trial: bool
    turn: int


def preview(work: Work, game: Game, by: By, number: int, reader: Reader, key: bytes) -> Preview:
    """Log a look at the named turn and return what ``reader`` would be told if it were resolved as it stands.

    ``key`` is for the trial dice. Raises `RefusedByRules` if the game has moved on, or the turn stops at a question.
    """
    turn = positions.current(work, game)
    if turn is None or turn.number != number:
        turn = turns.named_turn(work, game, number)
    if turn.status == "asking":
        raise RefusedByRules("asks", turn=number)
    table = positions.table(game)
    if turn.status == "open":
        moderation.look(work, game, by, "preview", number)
        resolution, throws = resolving.on_trial(work, table, turn, key)
        told = reports.Told(events=resolution.events, dice=throws, turn=number)
    else:
        moderation.look(work, game, by, "result", number)
        try:
            locked = resolving.load(work, turn.id or 0)
            found = locked.resolve()
        except Exception as cause:
            raise RefusedByRules("no-result-yet", turn=number) from cause
        if not isinstance(found, Resolution):
            raise RefusedByRules("asks", turn=number)
        resolution = found
        told = reports.Told(events=resolution.events, dice=locked.dice.throws, spoken=locked.spoken[0], turn=number)
    report = reports.report(work, table, resolution.state, reader, told, None, (logbook.pin(game), None))
    trial = turn.status == "open"
    report = msgspec.structs.replace(report, preview="trial" if trial else "true")
    return Preview(report=report, trial=trial, turn=number)
