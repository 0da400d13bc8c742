"""``verify`` and ``case``: what anyone can check without the service, its key or its word."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from adjudicator.cli.phrases import printable
from adjudicator.cli.terminal import Terminal
from adjudicator.errors import NotFound
from adjudicator.fairplay.assemble import Fault
from adjudicator.fairplay.sources import Source, by_campaign, read_source
from adjudicator.fairplay.verify import Report, TurnVerdict
from adjudicator.fairplay.verify import verify as verify_log
from engine.core import cases, registry

Files = Annotated[list[Path], typer.Argument(metavar="FILE…")]


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as cause:
        raise NotFound("file", path=str(path), cause=cause.strerror) from cause


# verify ---------------------------------------------------------------------------------------------------------------


def verify(context: typer.Context, files: Files) -> None:
    """Check logs of games, from log files, mails and pasted pins; exit code 1 if anything is broken."""
    terminal: Terminal = context.obj
    found = by_campaign(source for path in files for source in _sources(path))
    if not found:
        raise NotFound("log", paths=[str(path) for path in files])
    sound = True
    for campaign, sources in found.items():
        report = verify_log(sources, registry.rulesets())
        _tell(terminal, campaign, report)
        sound = sound and report.sound
    if not sound:
        raise typer.Exit(1)


def _sources(path: Path) -> Iterator[Source]:
    try:
        yield from read_source(str(path), _bytes(path))
    except ValueError as cause:
        raise NotFound("file-too-large", path=str(path)) from cause


def _tell(terminal: Terminal, campaign: str, report: Report) -> None:
    name = report.campaign or campaign or None
    terminal.tell("verify.game", style="bold", campaign=name, ruleset=report.ruleset, events=report.events)
    for turn in report.turns:
        terminal.print(_turn_line(terminal, turn), style="bold red" if turn.verdict == "broken" else "")
    for fault in report.faults:
        terminal.tell("verify.fault", style="red", **_fault(terminal, fault))
    if report.sealed and not report.finished:
        terminal.tell("verify.sealed", count=len(report.sealed))
    for beacon in report.beacons:
        terminal.tell("verify.beacon", beacon=beacon)
    if report.pinned or report.beyond:
        terminal.tell("verify.pins", pinned=report.pinned, beyond=report.beyond)
    terminal.tell("verify.sound" if report.sound else "verify.broken", head=report.head)


def _turn_line(terminal: Terminal, turn: TurnVerdict) -> str:
    say = terminal.say
    which = say("verify.start") if turn.turn is None else say("verify.turn", turn=turn.turn)
    again = say("verify.revision", replay=turn.replay) if turn.replay else ""
    verdict = say(f"verify.verdict.{turn.verdict.replace(' ', '-')}", missing=turn.missing or None)
    return f"{which}{again}: {verdict}{say('verify.weak') if turn.weak else ''}"


def _fault(terminal: Terminal, fault: Fault) -> dict[str, object]:
    say = terminal.say
    place = fault.place
    where = say("verify.place", source=place.source, line=place.line) if place else say("verify.nowhere")
    facts = ", ".join(f"{name} = {value}" for name, value in fault.facts.items())
    key = say.first(f"fault.{fault.kind}", "fault.other")
    return {"where": where, "sentence": say(key, kind=fault.kind), "facts": f" ({facts})" if facts else ""}


# case -----------------------------------------------------------------------------------------------------------------


def case(context: typer.Context, files: Files) -> None:
    """Run rule cases: ``ok ID`` or ``FAIL ID: why`` a line; exit code 1 on any failure."""
    terminal: Terminal = context.obj
    failures = 0
    for path in files:
        for line, good in _case_lines(path):
            terminal.print(printable(line), style="" if good else "red")
            failures += not good
    if failures:
        raise typer.Exit(1)


def _case_lines(path: Path) -> Iterator[tuple[str, bool]]:
    """Yield the line of each case of a file and whether it holds; a file that cannot be read is one failure."""
    try:
        text = _bytes(path).decode("utf-8")
        found = cases.parse(text, lambda name: (path.parent / name).read_text(encoding="utf-8"))
    except (ValueError, OSError) as problem:
        yield f"FAIL {path.name}: {problem}", False
        return
    for one in found:
        verdict = cases.run(one)
        yield (f"ok {one.id}", True) if verdict.ok else (f"FAIL {one.id}: {verdict.why}", False)
