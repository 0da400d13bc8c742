"""Everything the service needs, tried piece by piece: what is right, and what is wrong in one sentence's facts."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cryptography.exceptions import InvalidTag
from sqlalchemy import Engine, text
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session as Database
from sqlmodel import col, select

from adjudicator import bootstrap
from adjudicator.clock import Clock
from adjudicator.config import Config, ImapSection, MaildirSection, load
from adjudicator.errors import ConfigError
from adjudicator.storage.tables import Secret
from adjudicator.storage.vault import Vault, load_key
from adjudicator.words import environment
from engine.core import registry
from mail.imap import ImapSource
from mail.smtp import Session, SmtpServer
from mail.source import MailboxRefused, MailboxUnreachable

Good: TypeAlias = tuple[str, dict[str, Any]]
"""Key and facts of what is said of a part that works."""
Subject: TypeAlias = Literal["configuration", "templates", "key", "database", "clock", "imap", "maildir", "smtp"]

SECONDS: Final = 10.0
"""How long one step of a connection may take before it counts as dead."""
SKEW: Final = timedelta(minutes=2)
"""How far two clocks may differ: the margin of a lock (play-by-mail 1.3)."""
_TEXT: Final = 200


@dataclass(frozen=True, slots=True)
class Finding:
    """One part tried: ``key`` names the sentence, ``facts`` fill it."""

    subject: Subject
    ok: bool
    key: str
    facts: Mapping[str, Any] = field(default_factory=dict)


class _Wrong(Exception):
    """A part that does not work, told as the sentence of its finding."""

    def __init__(self, key: str, **facts: Any) -> None:
        super().__init__(key)
        self.key = key
        self.facts = facts


def config_template(language: Literal["ru", "en"]) -> str:
    """Return the commented configuration that ``init`` writes."""
    return files("adjudicator.data").joinpath(f"config.{language}.toml").read_text(encoding="utf-8")


def findings(path: Path, clock: Clock) -> Iterator[Finding]:
    """Try everything in the order in which it is needed; one part's trouble does not hide another's."""
    try:
        config = load(path)
        _demand_settings(config)
    except ConfigError as trouble:
        yield Finding("configuration", False, *_told(trouble))
        return
    except _Wrong as wrong:
        yield Finding("configuration", False, wrong.key, wrong.facts)
        return
    yield Finding("configuration", True, "configuration-read", {"path": path})
    yield _tried("templates", _templates)
    yield _tried("key", partial(_key, config))
    yield from _database(config, clock)
    for section in config.imap:
        yield from _mailbox(config, section, clock)
    for maildir in config.maildir:
        yield _tried("maildir", partial(_maildir, config, maildir), path=maildir.path)
    yield _tried("smtp", partial(_submission, config), host=config.smtp.host, port=config.smtp.port)


def _told(trouble: ConfigError) -> tuple[str, dict[str, Any]]:
    return trouble.key, dict(trouble.facts)


def _tried(subject: Subject, part: Callable[[], Good], **names: Any) -> Finding:
    """Return the finding of a part: what it returns is said when it works, what it raises when not."""
    try:
        key, facts = part()
        return Finding(subject, True, key, {**names, **facts})
    except _Wrong as wrong:
        return Finding(subject, False, wrong.key, {**names, **wrong.facts})
    except ConfigError as trouble:
        key, facts = _told(trouble)
        return Finding(subject, False, key, {**names, **facts})


# Configuration, templates, key ----------------------------------------------------------------------------------------


def _demand_settings(config: Config) -> None:
    """Look at what only people can get wrong: an address that is none, a zone that is none, mail without encryption."""
    if not config.service.address.partition("@")[2]:
        raise _Wrong("address", where="service.address", typed=config.service.address)
    try:
        ZoneInfo(config.service.zone)
    except (ZoneInfoNotFoundError, ValueError) as cause:
        raise _Wrong("zone", where="service.zone", typed=config.service.zone) from cause


def _templates() -> Good:
    """Look for the phrases of every ruleset in both languages: without them no letter can be written."""
    for folder in ("shared", *registry.rulesets()):
        for language in ("ru", "en"):
            if not environment.phrase_files(folder, language):
                raise _Wrong("template-missing", name=f"{folder}/phrases.{language}.j2")
    return "templates-found", {"rulesets": list(registry.rulesets())}


def _key(config: Config) -> Good:
    path = config.path(config.service.key_file)
    load_key(path)
    if path.stat().st_mode & 0o077:
        raise _Wrong("key-open", path=path)
    return "key-found", {"path": path}


# Database, clock ------------------------------------------------------------------------------------------------------


def _database(config: Config, clock: Clock) -> Iterator[Finding]:
    names = {"where": bootstrap.shown_url(config)}
    try:
        engine = bootstrap.engine_of(config)
    except ConfigError as trouble:
        key, facts = _told(trouble)
        yield Finding("database", False, key, {**names, **facts})
        return
    try:
        found = _tried("database", partial(_schema, engine, config), **names)
        yield found
        if found.ok and engine.dialect.name == "postgresql":
            yield _tried("clock", partial(_clock_of, engine, config, clock), **names)
    finally:
        engine.dispose()


def _schema(engine: Engine, config: Config) -> Good:
    file = bootstrap.database_file(config)
    if file is not None and not file.exists():
        raise _Wrong("database-empty")  # looking at an SQLite file that is not there would make it
    bootstrap.demand_schema(engine, config)
    with _answering(config), Database(engine) as session, session.begin():
        # The unit begins as the service's do: on SQLite it needs the writer's lock.
        sealed = session.exec(select(Secret.value).order_by(col(Secret.id)).limit(1)).first()
    if sealed is not None:
        _demand_fitting_key(config, sealed)
    return "database-current", {}


@contextmanager
def _answering(config: Config) -> Iterator[None]:
    try:
        yield
    except SQLAlchemyError as cause:
        raise bootstrap.silent(cause, config) from cause


def _demand_fitting_key(config: Config, sealed: bytes) -> None:
    """See that the key opens what the database holds: a new key is no use to old games."""
    try:
        vault = Vault(load_key(config.path(config.service.key_file)))
    except ConfigError:
        return  # said already
    try:
        vault.open(sealed)
    except InvalidTag as cause:
        raise _Wrong("key-foreign", path=config.path(config.service.key_file)) from cause


def _clock_of(engine: Engine, config: Config, clock: Clock) -> Good:
    with _answering(config), engine.connect() as connection:
        theirs = connection.execute(text("SELECT clock_timestamp()")).scalar_one()
    return _demand_same_time(theirs, clock.now())


def _demand_same_time(theirs: datetime, ours: datetime) -> Good:
    if abs(theirs - ours) > SKEW:
        raise _Wrong("clock-skew", minutes=round(abs(theirs - ours).total_seconds() / 60))
    return "clock-right", {}


# Mailboxes ------------------------------------------------------------------------------------------------------------


def _mailbox(config: Config, section: ImapSection, clock: Clock) -> Iterator[Finding]:
    names = {"user": section.user, "host": section.host, "port": section.port}
    try:
        source = ImapSource(bootstrap.imap_server(config, section, SECONDS))
    except ConfigError as trouble:
        key, facts = _told(trouble)
        yield Finding("imap", False, key, {**names, **facts})
        return
    try:
        found = _tried("imap", partial(_folders, source, section), **names)
        yield found
        if found.ok:
            yield from _newest(source, section, clock, names)
    finally:
        source.close()


def _folders(source: ImapSource, section: ImapSection) -> Good:
    """Log in and look at every folder that is read; folders that mail is moved to are made when needed."""
    with _reachable():
        client = source.connect()
        for folder in source.folders:
            if not client.folder_exists(folder):
                there = sorted(str(name) for _, _, name in client.list_folders())
                raise _Wrong("imap-folder", folder=folder, folders=there[:20])
        idle, move = client.has_capability("IDLE"), client.has_capability("MOVE")
        moves = move or client.has_capability("UIDPLUS")
    if section.processed and not moves:
        return "imap-no-move", {"folders": list(source.folders), "processed": section.processed}
    return ("imap-good" if idle or not section.idle else "imap-no-idle"), {"folders": list(source.folders)}


@contextmanager
def _reachable() -> Iterator[None]:
    """Tell what keeps a mailbox from being read by its cause, so that the sentence can say what to do."""
    try:
        yield
    except MailboxRefused as trouble:
        key = f"imap-{trouble.code}"
        if trouble.code == "login-refused" and "disabled" in trouble.detail.casefold():
            key = "imap-switched-off"
        raise _Wrong(key, detail=trouble.detail[:_TEXT]) from trouble
    except MailboxUnreachable as trouble:
        key = "host-unknown" if _host_unknown(trouble) else f"imap-{trouble.code}"
        if "unexpected response" in trouble.detail:
            key = "imap-protocol-error"
        raise _Wrong(key, detail=trouble.detail[:_TEXT]) from trouble
    except OSError as trouble:
        # The authority's file is read before any connection is made.
        raise _Wrong("ca-file", detail=str(trouble)[:_TEXT]) from trouble


def _host_unknown(error: BaseException | None) -> bool:
    """Say whether the cause of an error is a name that nobody knows (getaddrinfo)."""
    while error is not None:
        if type(error).__name__ == "gaierror":
            return True
        error = error.__cause__ or error.__context__
    return False


def _newest(source: ImapSource, section: ImapSection, clock: Clock, names: Mapping[str, Any]) -> Iterator[Finding]:
    """Compare our clock with the arrival of the newest mail, which cannot lie in the future."""
    arrival = None
    # The client library answers damaged lines with whatever it likes, and the mailbox itself was just found good.
    with suppress(Exception):
        client = source.connect()
        state = client.select_folder(section.inbox, readonly=True)
        if state.get(b"EXISTS"):
            answer = client.fetch([max(client.search("ALL"))], [b"INTERNALDATE"])
            arrival = next((one[b"INTERNALDATE"] for one in answer.values() if b"INTERNALDATE" in one), None)
    if isinstance(arrival, datetime) and arrival.astimezone(UTC) - clock.now() > SKEW:
        ahead = arrival.astimezone(UTC) - clock.now()
        yield Finding("clock", False, "clock-behind", {**names, "minutes": round(ahead.total_seconds() / 60)})


def _maildir(config: Config, section: MaildirSection) -> Good:
    path = bootstrap.maildir_path(config, section)
    if not path.is_dir():
        raise _Wrong("maildir-missing", path=path)
    for part in ("new", "cur"):
        if not (path / part).is_dir():
            raise _Wrong("maildir-part", path=path, part=part)
        try:
            next((path / part).iterdir(), None)
        except OSError as cause:
            raise _Wrong("maildir-closed", path=path / part, cause=cause.strerror) from cause
    return "maildir-good", {"path": path}


# Submission -----------------------------------------------------------------------------------------------------------


class _Greeting(Session):
    """A session that goes as far as naming the sender, and sends nothing."""

    async def greet(self, sender: str) -> None:
        client = await self._connected()
        await client.mail(sender)
        await client.rset()


def _submission(config: Config) -> Good:
    try:
        server = bootstrap.smtp_server(config, SECONDS)
        greeting = _Greeting(server)
    except ValueError as cause:
        raise _Wrong("smtp-plaintext") from cause
    try:
        asyncio.run(_greeted(greeting, config.service.address))
    except Exception as error:
        # Whatever the library or the operating system raises: `check` is there to say what it means.
        raise _why(error, server) from error
    return "smtp-good", {"sender": config.service.address}


async def _greeted(greeting: _Greeting, sender: str) -> None:
    try:
        await greeting.greet(sender)
    finally:
        await greeting.close()


def _why(error: BaseException, server: SmtpServer) -> _Wrong:
    """Return what a failed greeting means, by the deepest cause that says something."""
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return _Wrong("smtp-certificate-refused", detail=cause.verify_message)
        if isinstance(cause, ssl.SSLError):
            return _Wrong("smtp-tls-failed", detail=str(cause.reason or cause))
    if _host_unknown(error):
        return _Wrong("host-unknown")
    detail = " ".join(str(getattr(error, "message", error)).split())[:_TEXT]
    code = getattr(error, "code", 0)
    name = type(error).__name__
    if name == "SMTPAuthenticationError":
        return _Wrong("smtp-login-refused", detail=detail, code=code)
    if name == "SMTPSenderRefused":
        key = "smtp-login-missing" if code == 530 or not server.user else "smtp-sender-refused"
        return _Wrong(key, detail=detail, code=code)
    if server.security == "starttls" and "STARTTLS" in detail:
        return _Wrong("smtp-starttls-missing", detail=detail)
    if "AUTH" in detail:
        return _Wrong("smtp-no-auth", detail=detail)
    if isinstance(error, TimeoutError) or "Timeout" in name or "Timed out" in detail:
        return _Wrong("smtp-timeout", detail=detail)
    if code:
        return _Wrong("smtp-refused", detail=detail, code=code)
    if isinstance(error, FileNotFoundError | PermissionError):
        return _Wrong("ca-file", detail=detail)
    return _Wrong("smtp-connect-failed", detail=detail)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
