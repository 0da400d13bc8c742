"""The command line put together: the program's own options, and the commands in the order of an operator's day."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adjudicator.cli import game, inbox, letters, moderator, play, proofs, records, service, setup
from adjudicator.cli.phrases import Language
from adjudicator.cli.speaking import SpeakingGroup
from adjudicator.cli.terminal import terminal

app = typer.Typer(cls=SpeakingGroup, name="adjudicator", add_completion=False, pretty_exceptions_enable=False)


@app.callback()
def adjudicator(
    context: typer.Context,
    config: Annotated[Path, typer.Option(envvar="ADJUDICATOR_CONFIG", metavar="PATH")] = Path("adjudicator.toml"),
    language: Annotated[Language | None, typer.Option(metavar="ru|en", show_default=False)] = None,
) -> None:
    """Say where the configuration lies and which language to speak."""
    group = context.command
    spoken = group.language if isinstance(group, SpeakingGroup) else "ru"
    context.obj = terminal(config, language or spoken)


app.command("init")(setup.init)
app.command("check")(setup.check)
app.command("serve")(service.serve)
app.command("send")(service.send)
app.command("tidy")(service.tidy)
game.app.command("settle")(records.settle)
app.command("status")(game.status)
app.add_typer(moderator.app, name="game")
app.add_typer(inbox.app, name="inbox")
app.command("forum")(records.forum)
app.command("archive")(records.archive)
app.command("explain")(records.explain)
app.command("verify")(proofs.verify)
app.command("case")(proofs.case)
app.command("selfplay")(play.selfplay)
app.add_typer(letters.app, name="mail")
app.command("demo")(play.demo)
