"""``mail read``: how a letter would be read, changing nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final

import typer

from adjudicator import bootstrap
from adjudicator.cli.reading import read_alone, read_here
from adjudicator.cli.terminal import Terminal
from adjudicator.config import Config
from adjudicator.errors import AdjudicatorError, NotFound
from mail.caps import MAIL_LIMIT

app = typer.Typer(no_args_is_help=True)

_SUBJECT: Final = 200


@app.callback()
def mail() -> None:
    """Look at letters."""


@app.command("read")
def read(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE.eml")],
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    """Show verdict, sender, own words and what was set aside; with a configuration, the proof too."""
    terminal: Terminal = context.obj
    raw = _bytes(file)
    shown = _shown(terminal, raw)
    if as_json:
        terminal.json(shown)
    else:
        tell_read(terminal, shown)


def _bytes(file: Path) -> bytes:
    """Return a file's bytes, one more than a mail may have at most: the rest is not worth reading."""
    try:
        with file.open("rb") as opened:
            return opened.read(MAIL_LIMIT + 1)
    except OSError as cause:
        raise NotFound("file", path=str(file), cause=cause.strerror) from cause


def _shown(terminal: Terminal, raw: bytes) -> dict[str, Any]:
    """Read the mail with what is at hand: house, configuration alone, or neither."""
    if not terminal.config_path.exists():
        return read_alone(raw, "no-configuration")
    try:
        config: Config = terminal.config()
        with bootstrap.opened(config) as house, house.look() as work:
            return read_here(work, raw, bootstrap.doorway(config))
    except AdjudicatorError as trouble:
        # A letter can be looked at on any machine: what the configuration lacks is only said.
        return read_alone(raw, trouble.key)


def tell_read(terminal: Terminal, shown: dict[str, Any]) -> None:
    """Print how a mail was read."""
    sender = shown["sender"]
    verdict = terminal.say(f"read.verdict-{shown['verdict']}")
    terminal.tell(
        "read.verdict" if not shown["why"] else "read.verdict-why", style="bold", verdict=verdict, why=shown["why"]
    )
    key = "read.proven" if sender["proven"] else "read.unproven"
    why = terminal.say.first(f"why.{sender['why'].replace(' ', '-')}", "why.other")
    terminal.tell(key, address=sender["address"] or None, why=terminal.say(why, code=sender["why"]))
    terminal.tell("read.subject", subject=shown["subject"][:_SUBJECT])
    terminal.tell("read.text", charset=shown["charset"] or None, repairs=shown["repairs"] or None)
    terminal.tell("read.own", style="bold", count=len(shown["own"]))
    for line in shown["own"]:
        terminal.tell("read.line", line=line)
    if shown["set_aside"]:
        terminal.tell("read.aside", style="bold", count=len(shown["set_aside"]))
        reasons = [(terminal.say(f"aside.{one['why'].replace(' ', '-')}"), one["line"]) for one in shown["set_aside"]]
        for reason, line in reasons:
            terminal.tell("read.aside-line", why=reason, line=line)
