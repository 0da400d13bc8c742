"""``mail``: how a letter would be read, changing nothing; the quarantine read again after a fix."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from adjudicator import bootstrap
from adjudicator.cli.reading import Shown, read_alone, read_here
from adjudicator.cli.terminal import Terminal
from adjudicator.clock import iso
from adjudicator.errors import AdjudicatorError, NotFound, RefusedByRules
from adjudicator.services import replaying
from adjudicator.services.replaying import Replayed
from mail.caps import MAIL_LIMIT

app = typer.Typer(no_args_is_help=True)

Reader = Callable[[bytes], Shown]
STANDARD_INPUT: Final = Path("-")
_MAILDIR: Final = ("cur", "new")
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
    with _reader(terminal) as reader:
        shown = reader(raw)
    if as_json:
        terminal.json(shown)
    else:
        tell_read(terminal, shown)


@app.command("replay")
def replay(
    context: typer.Context,
    files: Annotated[list[Path] | None, typer.Argument(metavar="FILE.eml|FOLDER…", show_default=False)] = None,
    mail: Annotated[list[int] | None, typer.Option("--mail", metavar="NUMBER", min=1, show_default=False)] = None,
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    """Read the quarantine again, each mail from its own arrival; of files only show how they would be read."""
    terminal: Terminal = context.obj
    if files and mail:
        raise RefusedByRules("replay-both")
    if files:
        _look_through(terminal, files, as_json=as_json)
    elif not terminal.config_path.exists() and not mail:
        if as_json:
            terminal.json({"mails": [], "why": "no-configuration"})
        else:
            terminal.tell("replay.no-configuration", where=str(terminal.config_path))
    else:
        _replay(terminal, mail or (), as_json=as_json)


# Files ----------------------------------------------------------------------------------------------------------------


def _bytes(file: Path) -> bytes:
    """Return a file's bytes, one more than a mail may have at most: the rest is not worth reading."""
    try:
        if file == STANDARD_INPUT:
            return typer.get_binary_stream("stdin").read(MAIL_LIMIT + 1)
        with file.open("rb") as opened:
            return opened.read(MAIL_LIMIT + 1)
    except FileNotFoundError as cause:
        raise NotFound("file-missing", path=str(file)) from cause
    except IsADirectoryError as cause:
        raise NotFound("file-folder", path=str(file)) from cause
    except OSError as cause:
        raise NotFound("file", path=str(file), cause=cause.strerror) from cause


@contextmanager
def _reader(terminal: Terminal) -> Iterator[Reader]:
    """Give what reads mails with what is at hand: house, configuration alone, or neither."""
    if not terminal.config_path.exists():
        yield lambda raw: read_alone(raw, "no-configuration")
        return
    try:
        config = terminal.config()
        house = bootstrap.build(config)
    except AdjudicatorError as trouble:
        # A letter can be looked at on any machine: what the configuration lacks is only said.
        why = trouble.key
        yield lambda raw: read_alone(raw, why)
        return
    try:
        with house.look() as work:
            yield lambda raw: read_here(work, raw, bootstrap.doorway(config))
    finally:
        house.store.close()


def _look_through(terminal: Terminal, files: Sequence[Path], *, as_json: bool) -> None:
    """Show how each of these files would be read, changing nothing."""
    with _reader(terminal) as reader:
        found = [{"file": str(file), **reader(_bytes(file))} for path in files for file in _letters(path)]
    if as_json:
        terminal.json({"mails": found})
        return
    if not found:
        terminal.tell("replay.no-letters", paths=[str(path) for path in files])
        return
    rows = [
        (
            one["file"],
            terminal.say(f"read.verdict-{one['verdict']}"),
            one["sender"]["address"],
            reason(terminal, one["why"]),
        )
        for one in found
    ]
    terminal.table("replay", ("file", "verdict", "sender", "why"), rows)
    terminal.tell("replay.looked", count=len(found))


def _letters(path: Path) -> list[Path]:
    """Return the mails that a path names: itself, or those of a folder and of the Maildirs in it, by name."""
    if not path.is_dir():
        return [path]
    inside = [file for file in path.rglob("*") if file.suffix.lower() == ".eml" or file.parent.name in _MAILDIR]
    return sorted(file for file in inside if file.is_file())


# The quarantine -------------------------------------------------------------------------------------------------------


def _replay(terminal: Terminal, numbers: Sequence[int], *, as_json: bool) -> None:
    """Read quarantined mails again and say what became of each; exit code 1 if one of them raises again."""
    config = terminal.config()
    doorway = bootstrap.doorway(config)
    with bootstrap.opened(config) as house:
        with house.look() as work:
            waiting = replaying.waiting(work)
        missing = [number for number in numbers if number not in waiting]
        if missing:
            raise NotFound("not-quarantined", number=missing[0])
        chosen = [number for number in waiting if not numbers or number in numbers]
        with terminal.progress("replay.progress", len(chosen)) as bar:
            done: list[Replayed] = []
            for number in chosen:
                done.append(replaying.replay(house, doorway, number))
                bar.advance(bar.task_ids[0])
    if as_json:
        terminal.json({"mails": [_plain(one) for one in done]})
    else:
        _tell(terminal, done, config.service.zone)
    if any(one.did == "failed" for one in done):
        raise typer.Exit(1)


def _plain(one: Replayed) -> dict[str, Any]:
    return {
        "number": one.number,
        "sender": one.sender,
        "arrival": iso(one.arrival),
        "was": one.was,
        "did": one.did,
        "verdict": one.verdict,
        "why": one.why,
    }


def _tell(terminal: Terminal, done: Sequence[Replayed], zone: str) -> None:
    if not done:
        terminal.tell("replay.none")
        return
    rows = [
        (
            one.number,
            one.sender or None,
            terminal.when(iso(one.arrival), zone),
            reason(terminal, one.was),
            terminal.say(f"replay.did-{one.did}", verdict=terminal.say(f"verdict.{one.verdict}")),
            reason(terminal, one.why),
        )
        for one in done
    ]
    terminal.table("replay", ("number", "sender", "arrival", "was", "did", "why"), rows)
    left = sum(one.verdict == "quarantined" for one in done)
    terminal.tell("replay.done", read=len(done) - left, left=left)


# Words ----------------------------------------------------------------------------------------------------------------


def reason(terminal: Terminal, code: str) -> str:
    """Return a reason in words, several as they are parted by commas; one without words as it is."""
    codes = code.split(", ") if code else []
    found = [terminal.say(terminal.say.first(f"why.{one.replace(' ', '-')}", "why.other"), code=one) for one in codes]
    return ", ".join(found)


def tell_read(terminal: Terminal, shown: Shown) -> None:
    """Print how a mail was read."""
    sender = shown["sender"]
    word = shown["verdict"]
    unproven = word == "orders" and not sender["proven"]
    verdict = terminal.say("read.verdict-orders-unproven" if unproven else f"read.verdict-{word}")
    why = reason(terminal, shown["why"])
    terminal.tell("read.verdict-why" if why else "read.verdict", style="bold", verdict=verdict, why=why)
    key = "read.proven" if sender["proven"] else "read.unproven"
    terminal.tell(key, address=sender["address"] or None, why=reason(terminal, sender["why"]))
    terminal.tell("read.subject", subject=shown["subject"][:_SUBJECT])
    terminal.tell("read.text", charset=shown["charset"] or None)
    for code in shown["repairs"]:
        repair = terminal.say(terminal.say.first(f"repair.{code}", "repair.other"), code=code)
        terminal.tell("read.mended", repair=repair)
    terminal.tell("read.own", style="bold", count=len(shown["own"]))
    for line in shown["own"]:
        terminal.tell("read.line", line=line)
    if shown["set_aside"]:
        terminal.tell("read.aside", style="bold", count=len(shown["set_aside"]))
        reasons = [(terminal.say(f"aside.{one['why'].replace(' ', '-')}"), one["line"]) for one in shown["set_aside"]]
        for why, line in reasons:
            terminal.tell("read.aside-line", why=why, line=line)
