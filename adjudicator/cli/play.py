"""``selfplay`` and ``demo``: games that nobody has to sit down for."""

from __future__ import annotations

import importlib
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, Final

import typer

from adjudicator.cli.terminal import Terminal
from adjudicator.errors import NotFound, RefusedByRules
from adjudicator.services import games
from engine.core import registry
from engine.core import selfplay as bots
from engine.core.contract import Ruleset

EXTRA: Final = ("aiosmtpd", "proxyprotocol", "pymap", "pysasl")
"""Modules of the extra ``demo``."""


def selfplay(
    context: typer.Context,
    ruleset: Annotated[str, typer.Argument(metavar="RULESET")],
    count: Annotated[int, typer.Option("--games", min=1)] = 100,
    seed: Annotated[str, typer.Option()] = "selfplay",
    players: Annotated[int | None, typer.Option(min=1, show_default=False)] = None,
    edition: Annotated[str, typer.Option(show_default=False)] = "",
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    """Play bots against each other through the engine alone, and sum up."""
    terminal: Terminal = context.obj
    rules = registry.ruleset(ruleset)
    options = games.options_of(ruleset, edition or next(iter(rules.info.editions)), {})
    if players is not None:
        _demand_seats(rules, options, players)
    with terminal.progress("selfplay.progress", count) as bar:
        tally = bots.many(
            rules,
            options,
            count,
            players=players,
            seed=seed,
            timer=perf_counter,
            after_each=lambda _: bar.advance(bar.task_ids[0]),
        )
    if as_json:
        terminal.json(_object(tally))
    else:
        _tell(terminal, tally)


def _demand_seats(rules: Ruleset, options: Any, players: int) -> None:
    try:
        rules.seats(options, players)
    except ValueError as cause:
        raise RefusedByRules("bad-players", players=players, seats=list(rules.info.seats)) from cause


def _object(tally: bots.Tally) -> dict[str, Any]:
    return {
        "games": tally.games,
        "finished": tally.finished,
        "outcomes": tally.outcomes,
        "turns": {"min": tally.turns_min, "median": tally.turns_median, "max": tally.turns_max},
        "actions_per_second": round(tally.actions_per_second, 1),
    }


def _tell(terminal: Terminal, tally: bots.Tally) -> None:
    terminal.tell("selfplay.games", style="bold", games=tally.games, finished=tally.finished)
    rows = [(name, number, f"{number / tally.games:.1%}") for name, number in tally.outcomes.items()]
    terminal.table("selfplay.outcome", ("name", "count", "share"), rows)
    terminal.tell("selfplay.turns", least=tally.turns_min, median=tally.turns_median, most=tally.turns_max)
    terminal.tell("selfplay.speed", speed=round(tally.actions_per_second))


def demo(
    context: typer.Context,
    out: Annotated[Path, typer.Option(metavar="PATH")] = Path("demo"),
    seed: Annotated[str, typer.Option()] = "demo",
    players: Annotated[int, typer.Option(min=2, max=9)] = 4,
) -> None:
    """Play a whole game by real e-mail on this machine; everything lands in a folder."""
    terminal: Terminal = context.obj
    try:
        # Its mail servers come with an extra that nobody needs to run a service.
        run = importlib.import_module("adjudicator.demo").run
    except ModuleNotFoundError as cause:
        if cause.name in EXTRA:
            raise NotFound("demo-extra", name=cause.name) from cause
        raise
    run(out, seed=seed, players=players, console=terminal.out, language=terminal.language)
