"""What ``game preview`` shows: the report that would go out, made with trial dice and marked so (play-by-mail 6)."""

from __future__ import annotations

from adjudicator.cli.phrases import printable
from adjudicator.cli.terminal import Terminal
from adjudicator.errors import RefusedByRules
from adjudicator.letters import Reader
from adjudicator.services import logbook, people, positions, reports, resolving
from adjudicator.services.render import render
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game
from engine.core.contract import MODERATOR, PUBLIC


def tell(terminal: Terminal, work: Work, game: Game, number: int, seat: str, key: bytes) -> None:
    """Print what a viewer would be told if the named turn were resolved now with dice of a throw-away key."""
    titles = people.seat_titles(work, game)
    if seat not in (*titles, MODERATOR, PUBLIC):
        raise RefusedByRules("unknown-seat", seat=seat, seats=[*titles, MODERATOR, PUBLIC])
    at = positions.table(game)
    resolution, throws = resolving.preview(work, game, number, key)
    reader = Reader(
        name="",
        language=terminal.language,
        zone=at.header.zone,
        seat="" if seat == PUBLIC else seat,
        titles=titles.get(seat) or {terminal.language: terminal.say("preview.moderator")},
    )
    told = reports.Told(events=resolution.events, dice=throws, turn=number)
    report = reports.report(work, at, resolution.state, reader, told, None, (logbook.pin(game), None))
    mark = terminal.say("preview.mark")
    terminal.print(mark, style="bold yellow")
    for line in render(report).text.splitlines():
        terminal.print(printable(line))
    terminal.print(mark, style="bold yellow")
