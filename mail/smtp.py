"""Handing one stored mail to one recipient by SMTP, and what became of it: accepted, deferred, refused or uncertain."""

from __future__ import annotations

import contextlib
import re
import ssl
from types import TracebackType
from typing import Final, Literal, Self

from aiosmtplib import SMTP
from aiosmtplib.errors import (
    SMTPConnectError,
    SMTPException,
    SMTPNotSupported,
    SMTPResponseException,
    SMTPServerDisconnected,
    SMTPTimeoutError,
)
from msgspec import Struct

from mail.imap import Security, is_loopback, tls_context
from mail.text import one_line

Stage = Literal["connect", "login", "mail", "rcpt", "data"]
_SPAM: Final = re.compile(r"spam|спам|suspicio|5\.7\.1.{0,80}(?:block|polic)", re.IGNORECASE)
_TEXT: Final = 500


class SmtpServer(Struct, frozen=True):
    """How to hand over mail; ``security="none"`` is for this machine only, ``timeout`` seconds go for every step."""

    host: str
    user: str = ""
    password: str = ""
    port: int = 465
    security: Security = "tls"
    ca_file: str = ""
    timeout: float = 60.0
    local_hostname: str = "localhost"

    def __repr__(self) -> str:
        return f"SmtpServer({self.user}@{self.host}:{self.port}, {self.security})"


class Outcome(Struct, frozen=True):
    """What became of one hand-over.

    ``accepted``: the server took it. ``deferred``: it did not, try the same bytes again (``retry``: ``at-once`` on a
    new connection, ``later``, or ``pause`` = stop all sending and tell the operator). ``refused``: it will not, for
    this letter. ``uncertain``: the answer after DATA was lost, so the same bytes under the same Message-ID are sent
    again later and may arrive twice. ``code`` is 0 where no server spoke.
    """

    result: Literal["accepted", "deferred", "refused", "uncertain"]
    code: int = 0
    text: str = ""
    stage: Stage = "data"
    retry: Literal["", "at-once", "later", "pause"] = ""


async def send(server: SmtpServer, envelope_from: str, to: str, raw: bytes) -> Outcome:
    """Hand over one mail on a connection of its own; never raises for what a server or a network does."""
    async with Session(server) as session:
        return await session.send(envelope_from, to, raw)


class Session:
    """A connection for one batch: opened with the first mail, renewed once if it went stale between two mails."""

    def __init__(self, server: SmtpServer) -> None:
        if server.security == "none" and not is_loopback(server.host):
            raise ValueError(f"mail would go to {server.host!r} unencrypted: security must be 'tls' or 'starttls'")
        self._server = server
        self._client: SMTP | None = None
        self._used = False
        self._stage: Stage = "connect"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Say goodbye if the server still listens; never raises."""
        client, self._client = self._client, None
        if client is None:
            return
        with contextlib.suppress(SMTPException, OSError, TimeoutError):
            await client.quit(timeout=min(5.0, self._server.timeout))
        client.close()

    async def send(self, envelope_from: str, to: str, raw: bytes) -> Outcome:
        """Hand over one mail to exactly one recipient, the bytes as they are (line ends and dots apart).

        Two players never share a transaction: call it once for each.
        """
        envelope_from, to = _as_ascii(envelope_from), _as_ascii(to)
        stale = self._used
        outcome = await self._attempt(envelope_from, to, raw)
        if stale and outcome.retry == "at-once":
            outcome = await self._attempt(envelope_from, to, raw)
        return outcome

    async def _attempt(self, envelope_from: str, to: str, raw: bytes) -> Outcome:
        stale = self._used
        try:
            client = await self._connected()
            self._stage, self._used = "mail", True
            options, encoding = await _addressing(client, envelope_from, to)
            await client.mail(envelope_from, options=options, encoding=encoding)
            self._stage = "rcpt"
            await client.rcpt(to, encoding=encoding)
            self._stage = "data"
            response = await client.data(raw)
        except SMTPResponseException as error:
            await self._cleared(error.code)
            return _answered(error.code, one_line(error.message)[:_TEXT], self._stage)
        except (SMTPException, OSError) as error:
            self._forget()
            return _silent(error, self._stage, stale=stale)
        return Outcome("accepted", response.code, one_line(response.message)[:_TEXT], "data")

    async def _connected(self) -> SMTP:
        if self._client is not None and self._client.is_connected:
            return self._client
        self._stage = "connect"
        server = self._server
        context = None if server.security == "none" else tls_context(server.ca_file)
        client = SMTP(
            hostname=server.host,
            port=server.port,
            timeout=server.timeout,
            local_hostname=server.local_hostname,
            use_tls=server.security == "tls",
            start_tls=server.security == "starttls",
            tls_context=context,
        )
        self._client, self._used = client, False
        await client.connect()
        if server.user:
            self._stage = "login"
            await client.login(server.user, server.password)
        return client

    async def _cleared(self, code: int) -> None:
        """Make the connection fit for the next mail, or drop it."""
        client = self._client
        if client is None or code == 421 or not client.is_connected:
            self._forget()
            return
        try:
            await client.rset()
        except (TimeoutError, SMTPException, OSError):
            self._forget()

    def _forget(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.close()


def _as_ascii(address: str) -> str:
    """Write an international domain in ASCII, as every server takes it, where nothing else needs more (RFC 5890)."""
    local, _, domain = address.rpartition("@")
    if domain.isascii() or not local.isascii():
        return address
    try:
        return f"{local}@{domain.encode('idna').decode('ascii')}"
    except UnicodeError:
        return address


async def _addressing(client: SMTP, envelope_from: str, to: str) -> tuple[list[str], str]:
    """Ask for SMTPUTF8 only where an address needs it (RFC 6531)."""
    if envelope_from.isascii() and to.isascii():
        return [], "ascii"
    await client.ehlo()
    if not client.supports_extension("smtputf8"):
        raise SMTPNotSupported("the server takes no address outside ASCII (SMTPUTF8)")
    return ["SMTPUTF8"], "utf-8"


def _answered(code: int, text: str, stage: Stage) -> Outcome:
    """Judge an answer of refusal by its code and by whom it concerns (RFC 5321 4.2.1)."""
    if code == 421:
        return Outcome("deferred", code, text, stage, "at-once" if stage in ("mail", "rcpt") else "later")
    if stage in ("connect", "login"):
        # Not this letter but the whole service is refused: nothing is lost, everything waits for the operator.
        return Outcome("deferred", code, text, stage, "pause" if code >= 500 else "later")
    if code < 500:
        return Outcome("deferred", code, text, stage, "later")
    spam = code == 554 or (code == 550 and stage == "data")
    if (spam and _SPAM.search(text)) or (stage == "mail" and code not in (552, 554)):
        # A provider that suspects spam blocks the account for a day; one that refuses our sender refuses it every time.
        return Outcome("deferred", code, text, stage, "pause")
    return Outcome("refused", code, text, stage)


def _silent(error: Exception, stage: Stage, *, stale: bool) -> Outcome:
    """Judge a failure without an answer: after DATA nobody knows whether the server took the mail."""
    text = one_line(str(error))[:_TEXT]
    if stage == "mail" and isinstance(error, SMTPNotSupported):
        return Outcome("refused", 0, text, stage)
    if stage == "data":
        return Outcome("uncertain", 0, text, stage, "later")
    if stage in ("connect", "login") and not _passing(error):
        return Outcome("deferred", 0, text, stage, "pause")
    return Outcome("deferred", 0, text, stage, "at-once" if stale and stage == "mail" else "later")


def _passing(error: Exception) -> bool:
    """Say whether a failed connection may heal by itself: a wrong certificate or a missing STARTTLS does not."""
    if isinstance(error.__cause__, ssl.SSLCertVerificationError):
        return False
    return isinstance(error, SMTPConnectError | SMTPServerDisconnected | SMTPTimeoutError | OSError)
