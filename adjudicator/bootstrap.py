"""The house built from its configuration: the only place that names concrete adapters of mail, database and clock."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from sqlalchemy import Engine
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from adjudicator.beacon import relays
from adjudicator.clock import Clock, SystemClock
from adjudicator.config import Config, ImapSection, MaildirSection, pin_of, secret
from adjudicator.errors import ConfigError
from adjudicator.jobs import Desk
from adjudicator.services.ingest import Moves
from adjudicator.services.intake import Doorway
from adjudicator.services.work import House
from adjudicator.storage import schema
from adjudicator.storage.store import Store, open_engine
from adjudicator.storage.vault import Vault, load_key
from mail.imap import ImapServer, ImapSource
from mail.maildir import INBOX, MaildirSource
from mail.providers import Pin
from mail.smtp import SmtpServer
from mail.source import Source

_TEXT: Final = 300


def build(config: Config, clock: Clock | None = None) -> House:
    """Return the house of a configuration, its database and service key at hand.

    Raises `ConfigError`: ``database-unreachable``, ``database-locked``, ``database-empty``, ``database-older``,
    ``database-newer``, ``database-foreign`` (its tables are not ours), ``key-missing``, ``key-unreadable``.
    """
    vault = Vault(load_key(config.path(config.service.key_file)))
    engine = engine_of(config)
    try:
        demand_schema(engine, config)
    except ConfigError:
        engine.dispose()
        raise
    return House(config, Store(engine), vault, clock or SystemClock())


@contextmanager
def opened(config: Config, clock: Clock | None = None) -> Iterator[House]:
    """Give the house of a configuration for the length of a block, and close its database after."""
    house = build(config, clock)
    try:
        yield house
    finally:
        house.store.close()


# Database -------------------------------------------------------------------------------------------------------------


def engine_of(config: Config) -> Engine:
    """Return the database of a configuration. Raises `ConfigError` for an address that is none or needs a library."""
    try:
        return open_engine(config.database_url)
    except (SQLAlchemyError, ImportError, ValueError) as cause:
        raise ConfigError("database-url", where=shown_url(config), cause=plainly(cause)) from cause


def demand_schema(engine: Engine, config: Config) -> None:
    """Raise the `ConfigError` that says how a database differs from this program, or that it does not answer."""
    try:
        state = schema.state(engine)
    except SQLAlchemyError as cause:
        raise silent(cause, config) from cause
    if state != "current":
        raise ConfigError(f"database-{state}", where=shown_url(config))


def silent(cause: SQLAlchemyError, config: Config) -> ConfigError:
    """Return the error of a database that does not do as asked: held by another program, or not there at all."""
    said = plainly(cause)
    key = "database-locked" if "database is locked" in said else "database-unreachable"
    return ConfigError(key, where=shown_url(config), cause=said)


def shown_url(config: Config) -> str:
    """Return the address of the database without its password."""
    try:
        return make_url(config.database_url).render_as_string(hide_password=True)
    except SQLAlchemyError:
        return "database.url"


def plainly(cause: BaseException) -> str:
    """Return what an error of the database's driver says, on one line and without the driver's background advice."""
    said = str(getattr(cause, "orig", None) or cause)
    return " ".join(said.split())[:_TEXT]


def database_file(config: Config) -> Path | None:
    """Return the file of an SQLite database, None for a database server and for one in memory."""
    url = make_url(config.database_url)
    if url.get_backend_name() != "sqlite" or not url.database or url.database == ":memory:":
        return None
    return Path(url.database)


@contextmanager
def sole_service(config: Config) -> Iterator[None]:
    """Be the one service of an SQLite file inside the block; services on a database server share it freely.

    The lock goes with the process, whatever ends it. Raises `ConfigError` ``already-served``.
    """
    file = database_file(config)
    if file is None:
        yield
        return
    with Path(f"{file}.serve").open("w", encoding="ascii") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as cause:
            raise ConfigError("already-served", where=str(file)) from cause
        yield


# Mail -----------------------------------------------------------------------------------------------------------------


def imap_server(config: Config, section: ImapSection, timeout: float = 30.0) -> ImapServer:
    """Return how to reach a mailbox; a step that takes longer than ``timeout`` seconds fails."""
    return ImapServer(
        host=section.host,
        user=section.user,
        password=secret(config, section),
        port=section.port,
        security=section.security,
        ca_file=str(config.path(section.ca_file)) if section.ca_file else "",
        timeout=timeout,
        folders=_folders(section),
        idle=section.idle,
    )


def maildir_path(config: Config, section: MaildirSection) -> Path:
    """Return the directory of a Maildir."""
    return config.path(section.path).resolve()


def smtp_server(config: Config, timeout: float = 60.0) -> SmtpServer:
    """Return how to hand over mail; a step that takes longer than ``timeout`` seconds fails."""
    section = config.smtp
    return SmtpServer(
        host=section.host,
        user=section.user,
        password=secret(config, section),
        port=section.port,
        security=section.security,
        ca_file=str(config.path(section.ca_file)) if section.ca_file else "",
        timeout=timeout,
        local_hostname=_ascii_domain(config.service.address),
    )


def _ascii_domain(address: str) -> str:
    domain = address.rpartition("@")[2]
    return domain if domain and domain.isascii() else "localhost"


def mailboxes(config: Config) -> tuple[str, ...]:
    """Return the names of all folders that are read, for those who may not see the passwords."""
    names = [f"{_imap_name(section)}/{folder}" for section in config.imap for folder in _folders(section)]
    return (*names, *(f"{_maildir_name(config, section)}/{INBOX}" for section in config.maildir))


def _folders(section: ImapSection) -> tuple[str, ...]:
    return tuple(folder for folder in (section.inbox, section.junk) if folder)


def _imap_name(section: ImapSection) -> str:
    return f"imap:{section.user}@{section.host}"


def _maildir_name(config: Config, section: MaildirSection) -> str:
    return f"maildir:{maildir_path(config, section)}"


def sources(config: Config) -> tuple[Source, ...]:
    """Return the sources of mail in the order of the configuration; no connection is made yet."""
    mailboxes = (ImapSource(imap_server(config, section)) for section in config.imap)
    maildirs = (MaildirSource(maildir_path(config, section)) for section in config.maildir)
    return (*mailboxes, *maildirs)


def pin_for(config: Config, mailbox: str) -> Pin | None:
    """Return whose results count in a mailbox or a folder of it, None where nobody's do (play-by-mail 4a)."""
    for section in config.imap:
        if _within(mailbox, _imap_name(section)):
            return pin_of(section)
    inside = [
        (len(source), place, section)
        for place, section in enumerate(config.maildir)
        if _within(mailbox, source := _maildir_name(config, section))
    ]
    return pin_of(max(inside)[2]) if inside else None


def trusted(config: Config, mailbox: str) -> bool:
    """Say whether the senders of a mailbox need no further proof than a registered address (play-by-mail 4c)."""
    inside = [
        (len(source), section.trusted)
        for section in config.maildir
        if _within(mailbox, source := _maildir_name(config, section))
    ]
    return max(inside)[1] if inside else False


def doorway(config: Config) -> Doorway:
    """Return what intake asks of the place a mail came in by."""
    return Doorway(partial(pin_for, config), partial(trusted, config))


def desk(house: House) -> Desk:
    """Return what the jobs of the service work with; no connection is made yet."""
    config = house.config
    found = sources(config)
    tidied = [Moves(section.processed, section.quarantine) for section in config.imap]
    return Desk(
        house=house,
        sources=found,
        doorway=doorway(config),
        server=smtp_server(config),
        beacon=relays(config.beacon.relays).value,
        moves={source.name: moves for source, moves in zip(found, tidied, strict=False)},
    )


def _within(mailbox: str, source: str) -> bool:
    return mailbox == source or mailbox.startswith(f"{source}/")
