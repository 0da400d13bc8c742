"""``forum``, ``archive`` and ``explain``: what a game leaves for others to read (play-by-mail 1.10, 5, 6)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from adjudicator import bootstrap
from adjudicator.cli.phrases import Language, printable
from adjudicator.cli.terminal import Terminal
from adjudicator.errors import NotFound, RefusedByRules
from adjudicator.letters import Reader
from adjudicator.services import archive as archives
from adjudicator.services import casefile, casewords, disputes, history, people, positions
from adjudicator.services import forum as editions
from adjudicator.words.layout import WIDTH
from engine.core.contract import MODERATOR, PUBLIC

Tag = Annotated[str, typer.Argument(metavar="TAG")]
Number = Annotated[int, typer.Argument(metavar="TURN", min=0)]
Tongue = Annotated[Language | None, typer.Option("--lang", metavar="ru|en", show_default=False)]
Folder = Annotated[Path | None, typer.Option("--to", metavar="FOLDER", show_default=False)]


def forum(
    context: typer.Context,
    tag: Tag,
    turn: Number,
    profile: Annotated[str, typer.Option(metavar="BOARD", show_default=False)] = "",
    lang: Tongue = None,
    to: Folder = None,
    map_url: Annotated[str, typer.Option(metavar="URL", show_default=False)] = "",
) -> None:
    """Print the public report of a turn as posts for a board, or write it for every board into a folder."""
    terminal: Terminal = context.obj
    names = (profile,) if profile else editions.boards()
    for name in names:
        editions.profile(name)
    with bootstrap.opened(terminal.config()) as house, house.look() as work:
        game = work.game(tag, lock=False)
        at = positions.table(game)
        reader = Reader(name="", language=lang or terminal.language, zone=at.header.zone)
        report = history.public_report(work, at, history.turn_named(work, game, turn), reader)
    if to is not None or not profile:
        folder = to or Path(f"forum-{tag}")
        made = editions.editions(report, names, map_url=map_url)
        write_all(folder, ((name, data) for name, _, data in made))
        terminal.tell("forum.written", count=len(made), folder=str(folder))
        return
    posts = editions.posts(report, profile, map_url=map_url)
    for number, text in enumerate(posts, 1):
        if len(posts) > 1:
            terminal.tell("forum.part", style="bold", part=number, parts=len(posts))
        for line in text.splitlines():
            terminal.print(pasted(line))


def explain(
    context: typer.Context,
    tag: Tag,
    turn: Number,
    about: Annotated[str, typer.Argument(metavar="[SEAT|PIECE]", show_default=False)] = "",
    viewer: Annotated[str, typer.Option("--as", metavar="SEAT", show_default=False)] = MODERATOR,
    lang: Tongue = None,
) -> None:
    """Print the case file of a turn; a look at what is sealed is logged before it is shown."""
    terminal: Terminal = context.obj
    with bootstrap.opened(terminal.config()) as house:
        with house.unit("explain") as work:
            game = work.game(tag)
            seats = [seat.seat for seat in people.seats(work, game)]
            if viewer not in (*seats, MODERATOR, PUBLIC):
                raise RefusedByRules("unknown-seat", seat=viewer, seats=[*seats, MODERATOR, PUBLIC])
            disputes.look(work, game, turn, viewer, "operator")
        with house.look() as work:
            game = work.game(tag, lock=False)
            zone = positions.table(game).header.zone
            reader = Reader(name="", language=lang or terminal.language, zone=zone)
            case = casefile.gather(work, game, turn, reader, viewer, about)
    for line in casewords.markdown(case, width=WIDTH).splitlines():
        terminal.print(printable(line))


def archive(
    context: typer.Context,
    tag: Tag,
    to: Folder = None,
) -> None:
    """Write a game as static pages, as far as it may be public now."""
    terminal: Terminal = context.obj
    with bootstrap.opened(terminal.config()) as house, house.look() as work:
        found = archives.pages(work, work.game(tag, lock=False))
    folder = to or Path(f"archive-{tag}")
    write_all(folder, found.items())
    terminal.tell("archive.written", count=len(found), index=str(folder / "index.html"))


def settle(
    context: typer.Context,
    tag: Tag,
    turn: Number,
    outcome: Annotated[str, typer.Argument(metavar="stands|rule")],
    text: Annotated[str, typer.Argument(metavar="TEXT", show_default=False)] = "",
) -> None:
    """Answer the oldest open dispute about a turn; everybody is told."""
    terminal: Terminal = context.obj
    if outcome not in ("stands", "rule") or (outcome == "rule" and not text.strip()):
        raise RefusedByRules("dispute-outcome", outcome=outcome)
    with bootstrap.opened(terminal.config()) as house, house.unit("settle") as work:
        game = work.game(tag)
        disputes.settle(work, disputes.about(work, game, turn), "rule" if outcome == "rule" else "stands", text.strip())
        terminal.tell(f"settle.{outcome}", tag=tag, turn=turn)


def pasted(line: str) -> str:
    """Return a line to be copied from the terminal: what cannot be seen stays where the board needs it."""
    return "\u2060".join(printable(part) for part in line.split("\u2060"))


def write_all(folder: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Write files into a folder, made where it is missing. Raises `NotFound` where that cannot be done."""
    try:
        for name, data in files:
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
    except OSError as cause:
        raise NotFound("folder", where=str(folder), cause=cause.strerror) from cause
