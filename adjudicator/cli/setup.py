"""``init`` and ``check``: a house set up, and every part of it tried."""

from __future__ import annotations

import importlib
import os
import shutil
from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, func, select

from adjudicator import bootstrap
from adjudicator import check as checking
from adjudicator.cli.invalid import explained
from adjudicator.cli.phrases import Language
from adjudicator.cli.terminal import Terminal
from adjudicator.clock import SystemClock
from adjudicator.config import Config, load
from adjudicator.errors import ConfigError
from adjudicator.storage import schema
from adjudicator.storage.tables import Secret
from adjudicator.storage.vault import create_key


def init(
    context: typer.Context,
    force: Annotated[bool, typer.Option("--force")] = False,
) -> None:
    """Write configuration and service key where there are none, and bring the database to this program's schema."""
    terminal: Terminal = context.obj
    path = terminal.config_path
    if path.exists() and not force:
        terminal.tell("init.config-kept", path=path)
    else:
        kept = _write_config(path, terminal.language)
        if kept is not None:
            terminal.tell("init.config-saved", path=kept)
        terminal.tell("init.config-written", path=path)
    config = load(path)
    _set_up_database(terminal, config)
    _set_up_key(terminal, config)
    terminal.tell("init.next", path=path)


def _write_config(path: Path, language: Language) -> Path | None:
    """Write the configuration, for its owner only: passwords may stand in it; return where an old one was kept."""
    kept = None
    if path.exists():
        kept = path.with_name(f"{path.name}.old")
        shutil.copy2(path, kept)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(checking.config_template(language))
    except OSError as cause:
        raise ConfigError("unwritable", where=str(path), cause=cause.strerror) from cause
    return kept


def _set_up_database(terminal: Terminal, config: Config) -> None:
    engine = bootstrap.engine_of(config)
    try:
        try:
            bootstrap.demand_schema(engine, config)
            terminal.tell("init.database-kept", where=bootstrap.shown_url(config))
        except ConfigError as trouble:
            if trouble.key not in ("database-empty", "database-older"):
                raise
            _migrate(engine, config)
            if (file := bootstrap.database_file(config)) is not None:
                file.chmod(0o600)  # names and addresses of players are nobody else's business
            terminal.tell(f"init.{trouble.key}", where=bootstrap.shown_url(config), revision=schema.head())
    finally:
        engine.dispose()


def _migrate(engine: Engine, config: Config) -> None:
    # Alembic is a heavy thing to load for every other command.
    migrate = importlib.import_module("adjudicator.storage.migrate")
    try:
        migrate.upgrade(engine)
    except SQLAlchemyError as cause:
        raise bootstrap.silent(cause, config) from cause


def _set_up_key(terminal: Terminal, config: Config) -> None:
    """Make the service key, unless there is one; where secrets are kept already, a new key could not open them."""
    path = config.path(config.service.key_file)
    if path.exists():
        terminal.tell("init.key-kept", path=path)
        return
    engine = bootstrap.engine_of(config)
    with Session(engine) as session:
        secrets = session.exec(select(func.count()).select_from(Secret)).one()
    engine.dispose()
    if secrets:
        raise ConfigError("key-lost", where=str(path))
    try:
        create_key(path)
    except OSError as cause:
        raise ConfigError("unwritable", where=str(path), cause=cause.strerror) from cause
    terminal.tell("init.key-written", path=path)


def check(context: typer.Context) -> None:
    """Try everything the service needs, one line each; exit code 1 if anything is wrong."""
    terminal: Terminal = context.obj
    good = True
    for finding in checking.findings(terminal.config_path, SystemClock()):
        good = good and finding.ok
        mark = "check.ok" if finding.ok else "check.wrong"
        key, facts = explained(finding.key, finding.facts)
        sentence = terminal.say(terminal.say.first(f"check.{key}", f"error.{key}"), **facts)
        terminal.tell(
            mark,
            style="" if finding.ok else "bold red",
            subject=terminal.say(f"subject.{finding.subject}", **finding.facts),
            sentence=sentence,
        )
    terminal.tell("check.all-good" if good else "check.some-wrong")
    if not good:
        raise typer.Exit(1)
