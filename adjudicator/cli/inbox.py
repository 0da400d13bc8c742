"""``inbox``: the mails that wait or were set aside, by verdict; one shown as it was read; released or dropped (6)."""

from __future__ import annotations

from typing import Annotated, Final

import typer
from sqlmodel import col, select

from adjudicator import bootstrap
from adjudicator.cli.letters import reason, tell_read
from adjudicator.cli.reading import read_here
from adjudicator.cli.terminal import Terminal
from adjudicator.clock import iso
from adjudicator.errors import NotFound, RefusedByRules
from adjudicator.services import mandate, moderation, positions, releasing
from adjudicator.services.identity import Grounds, grounds_of
from adjudicator.services.moderation import By
from adjudicator.services.verbs import Verb
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Mail, MailGame

app = typer.Typer(invoke_without_command=True)

VERDICTS: Final = ("held", "quarantined", "late", "empty", "automatic", "bounce", "orders", "new")
WAITING: Final = ("held", "quarantined", "late", "new")
"""Verdicts that are listed where none is named."""
LIMIT: Final = 200
Number = Annotated[int, typer.Argument(metavar="NUMBER", min=1)]
Why = Annotated[str, typer.Option("--why", show_default=False)]


@app.callback()
def inbox(
    context: typer.Context,
    verdict: Annotated[str, typer.Option(metavar="|".join(VERDICTS), show_default=False)] = "",
    tag: Annotated[str, typer.Option("--game", metavar="TAG", show_default=False)] = "",
) -> None:
    """List mails by verdict: held, quarantined, from strangers, late."""
    if context.invoked_subcommand is not None:
        return
    if verdict and verdict not in VERDICTS:
        raise RefusedByRules("unknown-verdict", verdict=verdict, verdicts=list(VERDICTS))
    terminal: Terminal = context.obj
    with bootstrap.opened(terminal.config()) as house, house.look() as work:
        rows = _listed(work, verdict, work.game(tag, lock=False) if tag else None)
        if not rows:
            terminal.tell("inbox.none")
            return
        zone = work.config.service.zone
        table = []
        for row in rows:
            why = reason(terminal, row.why)
            game = _tag_of(work, row)
            sender = row.sender or None
            table.append((row.id, terminal.say(f"verdict.{row.verdict}"), terminal.when(iso(row.arrival), zone), sender,
                          game, why))  # fmt: skip
        terminal.table("inbox", ("number", "verdict", "arrival", "sender", "game", "why"), table)


def _listed(work: Work, verdict: str, game: Game | None) -> list[Mail]:
    wanted = (verdict,) if verdict else WAITING
    query = select(Mail).where(col(Mail.verdict).in_(wanted), col(Mail.twin).is_(None))
    if game is not None:
        query = query.join(MailGame, col(MailGame.mail_id) == col(Mail.id)).where(MailGame.game_id == game.id)
    return list(work.session.exec(query.order_by(col(Mail.id).desc()).limit(LIMIT)))[::-1]


def _tag_of(work: Work, row: Mail) -> str:
    query = select(Game.tag).join(MailGame, col(MailGame.game_id) == col(Game.id)).where(MailGame.mail_id == row.id)
    return ", ".join(work.session.exec(query.order_by(col(Game.id))))


@app.command()
def show(context: typer.Context, number: Number, why: Why = "") -> None:
    """Show a mail as it was read; the look is logged in its game before anything is shown."""
    terminal: Terminal = context.obj
    by = By("operator", why)
    with bootstrap.opened(terminal.config()) as house:
        with house.unit("inbox-show") as work:
            row = _mail(work, number)
            for game in _games(work, row):
                mandate.refuse_idle_operator(game, by)
                turn = positions.current(work, game)
                if game.status == "running":
                    moderation.look(work, game, by, "mail", turn.number if turn else None)
        with house.look() as work:
            row = _mail(work, number)
            if row.raw is None:
                raise NotFound("mail-raw", number=number)
            shown = read_here(work, work.vault.open(row.raw), bootstrap.doorway(house.config), row.mailbox)
        found = (row.verdict, row.why, grounds_of(row))
    tell_read(terminal, shown)
    _tell_found(terminal, *found)


def _tell_found(terminal: Terminal, verdict: str, why: str, grounds: Grounds | None) -> None:
    """Print what was decided of a mail when it came, and what was found for and against its sender."""
    reason = terminal.say(terminal.say.first(f"why.{why}", "why.other"), code=why)
    decided = "inbox.decided-why" if why else "inbox.decided"
    terminal.tell(decided, style="bold", verdict=terminal.say(f"verdict.{verdict}"), why=reason)
    if grounds is None:
        return
    token = grounds.token.replace("'", "") or "none"
    terminal.tell(f"inbox.token-{token}", carrier=terminal.say(f"inbox.carrier-{grounds.carrier or 'none'}"))
    said = f"inbox.provider-{grounds.result}" + ("-signed" if grounds.signer else "")
    word = terminal.say(terminal.say.first(f"vouching.{grounds.why}", "why.other"), code=grounds.why)
    terminal.tell(said, by=grounds.by or None, why=word, signer=grounds.signer)
    remarks = {"unaddressed": not grounds.addressed, "source": grounds.source}
    for key in (*(name for name, holds in remarks.items() if holds), *filter(None, (grounds.confirmed,))):
        terminal.tell(f"inbox.{key}")


def _mail(work: Work, number: int) -> Mail:
    row = work.session.exec(select(Mail).where(Mail.id == number)).first()
    if row is None:
        raise NotFound("mail", number=number)
    return row


def _games(work: Work, row: Mail) -> list[Game]:
    query = select(Game).join(MailGame, col(MailGame.game_id) == col(Game.id)).where(MailGame.mail_id == row.id)
    return list(work.session.exec(query.order_by(col(Game.id))))


@app.command()
def release(context: typer.Context, number: Number, why: Why = "") -> None:
    """Let a held mail speak for its registered sender, from its own arrival."""
    _decide(context, "release", number, why)


@app.command()
def drop(context: typer.Context, number: Number, why: Why = "") -> None:
    """Set a held mail aside for good."""
    _decide(context, "drop", number, why)


def _decide(context: typer.Context, name: str, number: int, why: str) -> None:
    terminal: Terminal = context.obj
    by = By("operator", why)
    does = {"release": releasing.release, "drop": releasing.drop}[name]
    with bootstrap.opened(terminal.config()) as house, house.unit(f"inbox-{name}") as work:
        games = _games(work, _mail(work, number))
        if not games:
            raise RefusedByRules("mail-of-no-game", number=number)
        for game in games:
            taken = work.game(game.tag)
            mandate.refuse_idle_operator(taken, by)
            does(work, taken, by, Verb(name=name, line=0, last=0, number=number, why=why))
    terminal.tell(f"inbox.{name}", number=number)
