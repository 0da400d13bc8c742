"""The configuration: one commented TOML file, checked as it is read."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from adjudicator.errors import ConfigError
from mail.providers import BadPin, Pin, pin

Port = Annotated[int, msgspec.Meta(ge=1, le=65535)]


class _Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of the file; an unknown key is an error, since it is most often a misspelt one."""


class ServiceSection(_Section, frozen=True):
    """Who we are: ``address`` is the mailbox that players write to; ``operators`` may create games by mail."""

    address: str
    name: str = "Adjudicator"
    language: Literal["ru", "en"] = "ru"
    zone: str = "Europe/Moscow"
    operators: tuple[str, ...] = ()
    key_file: str = "service.key"
    data: str = "."


class DatabaseSection(_Section, frozen=True):
    """Where games are kept: an SQLAlchemy URL; a relative SQLite path is taken from the configuration's folder."""

    url: str = "sqlite:///adjudicator.db"


class ImapSection(_Section, frozen=True):
    """A mailbox. ``provider`` or ``authserv`` says whose Authentication-Results count in it (`mail.providers`).

    ``sealers`` are domains whose ARC seals count there.
    """

    host: str
    user: str
    password: str = ""
    password_file: str = ""
    port: Port = 993
    security: Literal["tls", "starttls", "none"] = "tls"
    ca_file: str = ""
    inbox: str = "INBOX"
    junk: str = ""
    processed: str = ""
    quarantine: str = ""
    provider: str = ""
    authserv: str = ""
    sealers: tuple[str, ...] = ()
    idle: bool = True


class MaildirSection(_Section, frozen=True):
    """A Maildir read like a mailbox; ``trusted``: registered addresses act without further proof (play-by-mail 4c)."""

    path: str
    trusted: bool = False
    provider: str = ""
    authserv: str = ""
    sealers: tuple[str, ...] = ()


class SmtpSection(_Section, frozen=True):
    """The submission server."""

    host: str
    port: Port = 465
    user: str = ""
    password: str = ""
    password_file: str = ""
    security: Literal["tls", "starttls", "none"] = "tls"
    ca_file: str = ""
    connections: Annotated[int, msgspec.Meta(ge=1, le=4)] = 2


class BeaconSection(_Section, frozen=True):
    """Relays of the drand beacon, asked in this order, for games whose dice come from it (fair-play 3.2)."""

    relays: tuple[str, ...] = ("https://api.drand.sh", "https://drand.cloudflare.com")


class TimesSection(_Section, frozen=True):
    """Spans of the service in seconds (play-by-mail 1); the defaults are those of the rules."""

    poll: int = 120
    margin: int = 120
    outage_guard: int = 3600
    doubt: int = 600
    lease: int = 300


class LimitsSection(_Section, frozen=True):
    """Caps of play-by-mail 7."""

    mails_per_turn: int = 50
    receipts_per_day: int = 10
    letters_per_hour: int = 200


class Config(_Section, frozen=True):
    """The whole configuration. ``folder`` is where relative paths start, set by `load`."""

    service: ServiceSection
    smtp: SmtpSection
    imap: tuple[ImapSection, ...] = ()
    maildir: tuple[MaildirSection, ...] = ()
    database: DatabaseSection = DatabaseSection()
    beacon: BeaconSection = BeaconSection()
    times: TimesSection = TimesSection()
    limits: LimitsSection = LimitsSection()
    folder: str = "."

    def path(self, name: str) -> Path:
        """Return a path of the configuration, relative ones taken from its folder."""
        return Path(self.folder, name)

    @property
    def database_url(self) -> str:
        """The database's URL with a relative SQLite path made absolute."""
        url = self.database.url
        prefix = "sqlite:///"
        if url.startswith(prefix) and url != "sqlite://" and not url.startswith("sqlite:////"):
            return prefix + str(self.path(url.removeprefix(prefix)).resolve())
        return url


def secret(config: Config, section: ImapSection | SmtpSection) -> str:
    """Return a section's password, from its file where one is named; `ConfigError` if that cannot be read."""
    if not section.password_file:
        return section.password
    try:
        return config.path(section.password_file).read_text(encoding="utf-8").strip()
    except OSError as cause:
        raise ConfigError("password-file", where=section.password_file, cause=str(cause)) from cause


def pin_of(section: ImapSection | MaildirSection) -> Pin | None:
    """Return whose word on senders counts in a mailbox, None for nobody's. Raises `mail.providers.BadPin`."""
    return pin(section.authserv, section.provider, section.sealers)


def _demand_pin(section: ImapSection | MaildirSection, where: str, setting: str) -> None:
    try:
        pin_of(section)
    except BadPin as wrong:
        raise ConfigError(
            wrong.key, where=where, setting=setting, typed=wrong.typed, known=list(wrong.known)
        ) from wrong


def load(path: Path) -> Config:
    """Read a configuration file. Raises `ConfigError` that names the place and what is wrong with it."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as cause:
        raise ConfigError("missing", where=str(path)) from cause
    except (OSError, UnicodeDecodeError) as cause:
        raise ConfigError("unreadable", where=str(path), cause=str(cause)) from cause
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as cause:
        raise ConfigError("not-toml", where=str(path), cause=str(cause)) from cause
    try:
        config = msgspec.convert(document, Config)
    except msgspec.ValidationError as cause:
        raise ConfigError("invalid", where=str(path), cause=str(cause)) from cause
    if not config.imap and not config.maildir:
        raise ConfigError("no-source", where=str(path))
    for place, mailbox in enumerate(config.imap):
        _demand_pin(mailbox, str(path), f"imap[{place}]")
    for place, maildir in enumerate(config.maildir):
        _demand_pin(maildir, str(path), f"maildir[{place}]")
    return msgspec.structs.replace(config, folder=str(path.resolve().parent))
