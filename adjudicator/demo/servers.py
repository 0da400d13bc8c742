"""The embedded IMAP and SMTP servers of the demonstration: in process, on loopback, nothing to install but packages."""

from __future__ import annotations

import hmac
import ssl
import uuid
from argparse import Namespace
from asyncio import Server, StreamReader, StreamWriter, get_running_loop, start_server
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from types import TracebackType
from typing import Final, Self

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from proxyprotocol.sock import SocketInfo
from proxyprotocol.version import ProxyProtocolVersion
from pymap.backend.dict import Config, Login
from pymap.backend.dict.filter import FilterSet
from pymap.backend.dict.mailbox import MailboxSet
from pymap.concurrent import Subsystem
from pymap.imap import IMAPServer
from pymap.parsing.message import AppendMessage
from pymap.user import UserMetadata
from pysasl.hashing import Cleartext

from adjudicator.demo.loop import LoopThread

HOST: Final = "127.0.0.1"
DOMAIN: Final = "mail.demo.invalid"
LARGEST_MAIL: Final = 26_214_400  # bytes, 25 MiB: what common providers take


@dataclass(frozen=True, slots=True)
class Delivered:
    """A mail as it lies in a mailbox."""

    arrival: datetime  # aware, UTC, whole seconds: the precision of IMAP's INTERNALDATE
    sender: str  # envelope sender; "" for a bounce
    recipient: str  # envelope recipient as written, with any +extension
    raw: bytes  # as handed over
    trace: bytes  # the lines this server put before it (RFC 5321 section 4.4)

    @property
    def stored(self) -> bytes:
        """The bytes an IMAP client fetches: the trace lines, then the mail."""
        return self.trace + self.raw


class NoSuchMailbox(LookupError):
    """A mail was submitted for an address that has no account here."""


class EmbeddedMail:
    """An IMAP and an SMTP server in one background thread, sharing mailboxes in memory.

    `now` gives the arrival time of every delivery (aware) and is called from that thread, so the demo's fast clock
    is what IMAP reports as INTERNALDATE. Ports are chosen by the operating system; nothing listens beyond loopback.

    >>> with EmbeddedMail(now=clock) as mail:
    ...     mail.add_account("judge@demo.invalid", "secret")
    ...     mail.submit(raw, "anna@demo.invalid", ["judge+token@demo.invalid"])
    """

    host: Final = HOST

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._office = _PostOffice(now)
        self._loop = LoopThread("embedded-mail")
        self._open = ExitStack()

    def __enter__(self) -> Self:
        """Start both servers; `imap_port` and `smtp_port` are known from here on."""
        with ExitStack() as starting:
            starting.enter_context(self._loop)
            self._imap = self._loop.call(_start_imap(self._office))
            self._smtp = self._loop.call(_start_smtp(self._office))
            starting.callback(lambda: self._loop.call(_close(self._imap, self._smtp)))
            self._open = starting.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the servers, drop every connection and end the thread."""
        self._open.close()

    @property
    def imap_port(self) -> int:
        """The port of the IMAP server (no TLS)."""
        return _port(self._imap)

    @property
    def smtp_port(self) -> int:
        """The port of the SMTP server (no TLS; a login is possible, not required)."""
        return _port(self._smtp)

    def add_account(self, address: str, password: str, folders: Iterable[str] = ()) -> None:
        """Make a mailbox for `address`, which is also its login name, with `folders` beside INBOX.

        Raises ValueError if the address has one already.
        """
        self._loop.call(self._office.open(address, password, tuple(folders)))

    def submit(self, raw: bytes, sender: str, recipients: Iterable[str]) -> None:
        """Deliver `raw` to every recipient at once, as the SMTP server would; to all of them or to none.

        Raises NoSuchMailbox naming the first recipient without an account.
        """
        self._loop.call(self._office.deliver(raw, sender, tuple(recipients)))

    def inbox(self, address: str) -> list[Delivered]:
        """Return all mail ever delivered to `address`, oldest first, wherever a client moved it since.

        Raises NoSuchMailbox if the address has no account.
        """
        return list(self._office.account(address).delivered)


@dataclass(frozen=True, slots=True)
class _Account:
    password: str
    mailboxes: MailboxSet
    delivered: list[Delivered]


class _PostOffice:
    """The mailboxes, for both servers; changed in the loop's thread only."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._accounts: dict[str, _Account] = {}
        self.config = _Config()
        self.login = Login(self.config)

    def account(self, recipient: str) -> _Account:
        account = self._accounts.get(_mailbox_name(recipient))
        if account is None:
            raise NoSuchMailbox(recipient)
        return account

    async def open(self, address: str, password: str, folders: tuple[str, ...]) -> None:
        name = _mailbox_name(address)
        if name in self._accounts:
            raise ValueError(f"{address} has an account already")
        mailboxes = MailboxSet()
        for folder in folders:
            await mailboxes.add_mailbox(folder)
        # pymap would make the folders at the first login; mail may come before that
        self.config.set_cache[address] = (mailboxes, FilterSet())
        self.login.users_dict[address] = UserMetadata(self.config, address, password=password)
        self._accounts[name] = _Account(password, mailboxes, [])

    async def deliver(self, raw: bytes, sender: str, recipients: tuple[str, ...]) -> None:
        """Append to the mailbox objects themselves: an IMAP APPEND would wait 40 ms for Nagle and a delayed ACK."""
        accounts = [self.account(recipient) for recipient in recipients]
        arrival = self._now().astimezone(UTC).replace(microsecond=0)
        for account, recipient in zip(accounts, recipients, strict=True):
            mail = Delivered(arrival, sender, recipient, raw, _trace(arrival, sender, recipient))
            inbox = await account.mailboxes.get_mailbox("INBOX")
            await inbox.append(AppendMessage(mail.stored, arrival), recent=True)
            account.delivered.append(mail)

    def lets_in(self, name: str, password: bytes) -> bool:
        account = self._accounts.get(_mailbox_name(name))
        return account is not None and hmac.compare_digest(account.password.encode(), password)


class _Config(Config):
    """pymap's settings without what it reads from the machine: no environment, no name look-up, no thread pool."""

    def __init__(self) -> None:
        super().__init__(
            Namespace(passlib_cfg=None, proxy_protocol=None),
            host=HOST,
            port=0,
            demo_data=False,
            demo_user="",
            demo_password="",
            ssl_context=ssl.create_default_context(ssl.Purpose.CLIENT_AUTH),
            tls_enabled=False,
            hash_context=Cleartext(),
            cpu_subsystem=Subsystem.for_asyncio(),
            proxy_protocol=ProxyProtocolVersion.get(None),
            max_append_len=LARGEST_MAIL,
        )

    @property
    def greeting(self) -> bytes:
        """The words of the first line; pymap's own asks the resolver for this machine's name each time."""
        return b"Server ready " + DOMAIN.encode("ascii")


async def _start_imap(office: _PostOffice) -> Server:
    server = IMAPServer(office.login, office.config)

    async def connected(reader: StreamReader, writer: StreamWriter) -> None:
        await server(reader, writer, SocketInfo.get(writer, None, unique_id=uuid.uuid4().bytes))

    return await start_server(connected, HOST, 0)


async def _start_smtp(office: _PostOffice) -> Server:
    return await get_running_loop().create_server(lambda: _SmtpConnection(office), HOST, 0)


async def _close(*servers: Server) -> None:
    for server in servers:
        server.close()  # its connections end with the loop; since Python 3.12 wait_closed would wait for them


class SmtpSession(Session):
    """aiosmtpd's session without its warning, at every login, that `login_data` will go away one day."""

    _login: object = None

    @property
    def login_data(self) -> object:
        """Who logged in, as aiosmtpd keeps it."""
        return self._login

    @login_data.setter
    def login_data(self, value: object) -> None:
        self._login = value


class _SmtpConnection(SMTP):
    """aiosmtpd's protocol with our mailboxes behind it."""

    def __init__(self, office: _PostOffice) -> None:
        self._office = office
        super().__init__(
            _SmtpHooks(office),
            hostname=DOMAIN,
            ident="ESMTP",
            data_size_limit=LARGEST_MAIL,
            enable_SMTPUTF8=True,
            auth_require_tls=False,  # loopback only, as everything here
            authenticator=self._check_login,
            loop=get_running_loop(),
        )

    def _create_session(self) -> Session:
        return SmtpSession(self.loop)

    def _check_login(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, login: object
    ) -> AuthResult:
        known = isinstance(login, LoginPassword) and self._office.lets_in(
            login.login.decode("utf-8", "replace"), login.password
        )
        return AuthResult(success=known, handled=False)


class _SmtpHooks:
    """What the SMTP server does with recipients and mails; aiosmtpd finds its hooks by these names."""

    def __init__(self, office: _PostOffice) -> None:
        self._office = office

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        try:
            self._office.account(address)
        except NoSuchMailbox:
            return "550 5.1.1 no such mailbox"
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        raw = envelope.original_content or b""
        await self._office.deliver(raw, envelope.mail_from or "", tuple(envelope.rcpt_tos))
        return "250 2.0.0 OK"


def _port(server: Server) -> int:
    return int(server.sockets[0].getsockname()[1])


def _mailbox_name(address: str) -> str:
    """Return the key of the mailbox an address leads to: any case, any +extension (RFC 5233)."""
    local, _, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


def _trace(arrival: datetime, sender: str, recipient: str) -> bytes:
    """Return the lines a mail server puts before a mail at final delivery."""
    lines = (
        f"Return-Path: <{sender}>",
        f"Delivered-To: {recipient}",
        f"Received: from localhost by {DOMAIN} with ESMTP; {format_datetime(arrival)}",
    )
    return "".join(f"{line}\r\n" for line in lines).encode("utf-8", "surrogateescape")
