"""A scripted SMTP server: takes every mail, keeps it, and fails where and how a test says."""

from __future__ import annotations

import asyncio
import email
import hashlib
import ssl
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Literal, Self

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from adjudicator.demo.loop import LoopThread
from adjudicator.demo.servers import SmtpSession
from tests.servers.place import HOST, new_certificate, new_folder, reserve_port

LARGEST_MAIL = 33_554_432  # bytes


class Stage(StrEnum):
    """Where in a conversation a fault strikes: each is a moment at which the server owes a reply."""

    CONNECT = "connect"
    EHLO = "EHLO"  # or HELO, to which clients fall back
    LOGIN = "AUTH"
    MAIL = "MAIL"
    RCPT = "RCPT"
    DATA = "DATA"  # the command, before 354
    RSET = "RSET"
    BODY = "body"  # the mail itself, after the final dot


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong: a wait, then a reply in place of ours, then the end of the connection; each if asked for."""

    stage: Stage
    reply: str = ""  # "450 4.2.0 greylisted"; empty: no reply of its own
    recipient: str = ""  # RCPT and BODY: only mail to this address
    times: int | None = 1  # how often it strikes; None: always
    every: int = 1  # it strikes at every n-th occasion
    wait: float = 0.0  # seconds before anything is said
    hang_up: bool = False
    accepted: bool = False  # BODY: the mail is kept although the reply says otherwise or never comes


@dataclass(frozen=True, slots=True)
class Received:
    """A mail the server took."""

    sender: str
    recipients: tuple[str, ...]
    raw: bytes
    login: str  # "" without a login

    @property
    def message_id(self) -> str:
        """The Message-ID with its angle brackets, or an empty string."""
        return str(email.message_from_bytes(self.raw).get("Message-ID", "")).strip()

    @property
    def sha256(self) -> str:
        """The digest of the bytes as received."""
        return hashlib.sha256(self.raw).hexdigest()


@dataclass(slots=True)
class _Scripted:
    fault: Fault
    occasions: int = 0
    struck: int = 0

    def strikes(self, stage: Stage, recipients: tuple[str, ...]) -> bool:
        """Count an occasion, and say whether the fault strikes at it."""
        fault = self.fault
        if fault.stage is not stage or (fault.recipient and fault.recipient not in recipients):
            return False
        if fault.times is not None and self.struck >= fault.times:
            return False
        self.occasions += 1
        if self.occasions % fault.every:
            return False
        self.struck += 1
        return True


@dataclass(slots=True)
class _Kept:
    """What the connections and the test share, under one lock."""

    changed: threading.Condition = field(default_factory=threading.Condition)
    faults: list[_Scripted] = field(default_factory=list)
    received: list[Received] = field(default_factory=list)
    ledger: Path | None = None

    def strike(self, stage: Stage, recipients: tuple[str, ...] = ()) -> Fault | None:
        with self.changed:
            return next((one.fault for one in self.faults if one.strikes(stage, recipients)), None)

    def keep(self, mail: Received) -> None:
        with self.changed:
            if self.ledger is not None:
                with self.ledger.open("a", encoding="utf-8") as ledger:
                    ledger.write(f"{mail.message_id} {mail.sha256} {','.join(mail.recipients)}\n")
            self.received.append(mail)
            self.changed.notify_all()


class SmtpSink:
    """An SMTP server in a thread of its own.

    `tls`: "none", "starttls" (asked for before anything else) or "implicit". `login`: (name, password) that a client
    must give. `smtputf8`: whether addresses outside ASCII are offered (RFC 6531). `ledger`: a file that gets
    "Message-ID sha256 recipients" of each mail before its 250 is sent.
    """

    host = HOST
    tls_host = "localhost"  # as named in the certificate

    def __init__(
        self,
        tls: Literal["none", "starttls", "implicit"] = "none",
        login: tuple[str, str] | None = None,
        *,
        smtputf8: bool = True,
    ) -> None:
        self._smtputf8 = smtputf8
        self._tls: Literal["none", "starttls", "implicit"] = tls
        self._login = login
        self._kept = _Kept()
        self._connections: list[_Connection] = []
        self._loop = LoopThread("smtp-sink")
        self._open = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as starting:
            certificate = new_certificate(new_folder("smtp", keep_open=starting))
            self.ca_file = certificate.chain
            self._context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            self._context.load_cert_chain(certificate.chain, certificate.key)
            self.port = reserve_port(keep_open=starting)
            starting.enter_context(self._loop)
            self._loop.call(self._listen())
            starting.callback(lambda: self._loop.call(self._close()))
            self._open = starting.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def script(self, *faults: Fault) -> None:
        """Add faults; of those that fit an occasion the first added strikes."""
        with self._kept.changed:
            self._kept.faults += [_Scripted(fault) for fault in faults]

    def calm(self) -> None:
        """Take back all faults."""
        with self._kept.changed:
            self._kept.faults.clear()

    @property
    def received(self) -> list[Received]:
        """The mails taken so far, in order."""
        with self._kept.changed:
            return list(self._kept.received)

    def wait(self, count: int, seconds: float = 10.0) -> list[Received]:
        """Wait until at least `count` mails were taken, and return them; raise TimeoutError after `seconds`."""
        kept = self._kept
        with kept.changed:
            if not kept.changed.wait_for(lambda: len(kept.received) >= count, seconds):
                raise TimeoutError(f"{len(kept.received)} of {count} mails after {seconds} s")
            return list(kept.received)

    def forget(self) -> None:
        """Forget the mails taken so far."""
        with self._kept.changed:
            self._kept.received.clear()

    @property
    def ledger(self) -> Path | None:
        """The file that gets a line of each mail before its 250 is sent; None: no file."""
        return self._kept.ledger

    @ledger.setter
    def ledger(self, file: Path | None) -> None:
        self._kept.ledger = file

    @contextmanager
    def outage(self) -> Iterator[None]:
        """Have no server inside the block: open connections are cut, new ones refused."""
        self._loop.call(self._close())
        try:
            yield
        finally:
            self._loop.call(self._listen())

    async def _listen(self) -> None:
        implicit = self._context if self._tls == "implicit" else None
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._connection, HOST, self.port, ssl=implicit)

    async def _close(self) -> None:
        self._server.close()
        for connection in self._connections:
            connection.cut()
        self._connections.clear()
        await asyncio.sleep(0)  # the transports report their end in the next round

    def _connection(self) -> _Connection:
        starttls = self._context if self._tls == "starttls" else None
        connection = _Connection(self._kept, self._login, starttls, smtputf8=self._smtputf8)
        self._connections.append(connection)
        return connection


class _Connection(SMTP):
    """aiosmtpd's protocol that looks into the script before each reply."""

    def __init__(
        self, kept: _Kept, login: tuple[str, str] | None, starttls: ssl.SSLContext | None, *, smtputf8: bool
    ) -> None:
        self._kept = kept
        self._wanted = login
        self._logged_in_as = ""
        super().__init__(
            self,
            hostname="sink.test.invalid",
            ident="ESMTP",
            data_size_limit=LARGEST_MAIL,
            enable_SMTPUTF8=smtputf8,
            tls_context=starttls,
            require_starttls=starttls is not None,
            auth_require_tls=False,  # STARTTLS is demanded above; aiosmtpd does not see implicit TLS
            authenticator=self._check_login,
            loop=asyncio.get_running_loop(),
        )

    def cut(self) -> None:
        """End the connection without a word."""
        if isinstance(self.transport, asyncio.WriteTransport):
            self.transport.abort()

    async def _struck(self, stage: Stage, recipients: tuple[str, ...] = ()) -> str:
        """Carry out the fault scripted for this moment, and return the reply it gives in place of ours, if any."""
        fault = self._kept.strike(stage, recipients)
        return "" if fault is None else await self._carry_out(fault)

    async def _carry_out(self, fault: Fault) -> str:
        await asyncio.sleep(fault.wait)
        if not fault.hang_up:
            return fault.reply
        if fault.reply:
            await self.push(fault.reply)
            self._writer.close()
        else:
            self.cut()
        raise asyncio.CancelledError  # as aiosmtpd itself ends a conversation whose connection is gone

    def _create_session(self) -> Session:
        return SmtpSession(self.loop)

    def _check_login(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, login: object
    ) -> AuthResult:
        given = (login.login.decode(), login.password.decode()) if isinstance(login, LoginPassword) else None
        if given is None or given != self._wanted:
            return AuthResult(success=False, handled=False)
        self._logged_in_as = given[0]
        return AuthResult(success=True)

    async def _handle_client(self) -> None:
        if reply := await self._struck(Stage.CONNECT):
            await self.push(reply)
            self._writer.close()
        else:
            await super()._handle_client()

    async def smtp_EHLO(self, hostname: str) -> None:  # noqa: N802  # aiosmtpd finds its commands by these names
        if reply := await self._struck(Stage.EHLO):
            await self.push(reply)
        else:
            await super().smtp_EHLO(hostname)

    async def smtp_HELO(self, hostname: str) -> None:  # noqa: N802
        if reply := await self._struck(Stage.EHLO):
            await self.push(reply)
        else:
            await super().smtp_HELO(hostname)

    async def smtp_AUTH(self, arg: str) -> None:  # noqa: N802
        if reply := await self._struck(Stage.LOGIN):
            await self.push(reply)
        else:
            await super().smtp_AUTH(arg)

    async def smtp_MAIL(self, arg: str | None) -> None:  # noqa: N802
        if self._wanted is not None and not self._logged_in_as:
            await self.push("530 5.7.0 Authentication required")
        elif reply := await self._struck(Stage.MAIL):
            await self.push(reply)
        else:
            await super().smtp_MAIL(arg)

    async def smtp_RSET(self, arg: str | None) -> None:  # noqa: N802
        if reply := await self._struck(Stage.RSET):
            await self.push(reply)
        else:
            await super().smtp_RSET(arg)

    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802
        if reply := await self._struck(Stage.DATA):
            await self.push(reply)
        else:
            await super().smtp_DATA(arg)

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if reply := await self._struck(Stage.RCPT, (address,)):
            return reply
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        recipients = tuple(envelope.rcpt_tos)
        mail = Received(envelope.mail_from or "", recipients, envelope.original_content or b"", self._logged_in_as)
        fault = self._kept.strike(Stage.BODY, recipients)
        if fault is None or fault.accepted or not (fault.reply or fault.hang_up):
            self._kept.keep(mail)
        return (fault and await self._carry_out(fault)) or "250 2.0.0 OK"
