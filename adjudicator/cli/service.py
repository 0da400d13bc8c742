"""``serve`` and ``send``: the service itself, for good or for one round."""

from __future__ import annotations

import logging
import sys

import typer

from adjudicator import bootstrap, jobs
from adjudicator.cli.terminal import Terminal
from adjudicator.services import outbox, retention


def serve(context: typer.Context) -> None:
    """Read mail, resolve turns and send letters until SIGTERM or SIGINT; an SQLite file has one service at a time."""
    terminal: Terminal = context.obj
    config = terminal.config()
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    for noisy in ("apscheduler", "alembic"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    with bootstrap.opened(config) as house, bootstrap.sole_service(config):
        desk = bootstrap.desk(house)
        terminal.tell("serve.begins", sources=desk.mailboxes, database=bootstrap.shown_url(config))
        jobs.serve(desk)
    terminal.tell("serve.ended")


def send(context: typer.Context) -> None:
    """Make and hand over the letters that are due, once."""
    terminal: Terminal = context.obj
    with bootstrap.opened(terminal.config()) as house:
        desk = bootstrap.desk(house)
        while jobs.render(desk):
            pass
        sent = 0
        while count := jobs.deliver(desk):
            sent += count
        with house.look() as work:
            left = outbox.waiting(work)
        terminal.tell("send.sent", count=sent)
    if left:
        terminal.tell("send.left", count=left)
        raise typer.Exit(1)


def tidy(context: typer.Context) -> None:
    """Empty what is kept no longer, and say how much it was; ``serve`` does the same every hour."""
    terminal: Terminal = context.obj
    with bootstrap.opened(terminal.config()) as house:
        done = retention.tidy(house)
    terminal.tell("tidy.done", games=done.games, strangers=done.strangers, letters=done.letters)
