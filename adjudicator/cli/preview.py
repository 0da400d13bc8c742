"""What ``game preview`` shows: the report that would go out, made with trial dice and marked so (play-by-mail 6)."""

from __future__ import annotations

import msgspec

from adjudicator.cli.phrases import printable
from adjudicator.cli.terminal import Terminal
from adjudicator.errors import RefusedByRules
from adjudicator.letters import Reader, Report
from adjudicator.services import people, positions, previews
from adjudicator.services.moderation import By
from adjudicator.services.render import render
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game
from engine.core.contract import MODERATOR, PUBLIC


def gather(terminal: Terminal, work: Work, game: Game, by: By, number: int, seat: str, key: bytes) -> previews.Preview:
    """Log the look and return what a viewer would be told of the named turn; it is shown once the look is committed."""
    return previews.preview(work, game, by, number, reader(terminal, work, game, seat), key)


def reader(terminal: Terminal, work: Work, game: Game, seat: str) -> Reader:
    """Return who looks at a game as a seat, as the moderator or as anybody. Raises `RefusedByRules` for other words."""
    titles = people.seat_titles(work, game)
    if seat not in (*titles, MODERATOR, PUBLIC):
        raise RefusedByRules("unknown-seat", seat=seat, seats=[*titles, MODERATOR, PUBLIC])
    return Reader(
        name="",
        language=terminal.language,
        zone=positions.table(game).header.zone,
        seat="" if seat == PUBLIC else seat,
        titles=titles.get(seat) or {terminal.language: terminal.say("preview.moderator")},
    )


def tell(terminal: Terminal, made: previews.Preview) -> None:
    """Print a preview, marked as what it is."""
    mark = terminal.say("preview.mark" if made.trial else "preview.true")
    terminal.print(mark, style="bold yellow")
    print_report(terminal, made.report)
    terminal.print(mark, style="bold yellow")


def print_report(terminal: Terminal, report: Report) -> None:
    """Print a report as a letter would have it."""
    for line in render(msgspec.structs.replace(report, preview="")).text.splitlines():
        terminal.print(printable(line))
