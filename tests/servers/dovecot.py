"""A real IMAP server: Dovecot, with implicit TLS and plain ports, LMTP, and outages on demand."""

from __future__ import annotations

import grp
import imaplib
import itertools
import os
import smtplib
import socket
import ssl
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from string import Template
from typing import Self

from imapclient import IMAPClient

from tests.servers.place import (
    HOST,
    ServerMissing,
    account,
    new_certificate,
    new_folder,
    own_account,
    program,
    reserve_port,
)
from tests.servers.process import ServerProcess

PACKAGE = "dovecot-imapd and dovecot-lmtpd"
MAIL_ACCOUNT = 5000  # any number will do as root: Dovecot refuses uid 0 for mail
CLIENT_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Account:
    """A mailbox user of a test server."""

    user: str
    password: str
    address: str


@dataclass(frozen=True, slots=True)
class Stored:
    """A mail as it lies in a folder."""

    uid: int
    arrival: datetime
    flags: tuple[bytes, ...]
    raw: bytes


class Dovecot:
    """Dovecot in a folder of its own; `stop`, `kill`, `freeze` and `start` make outages, on ports that stay the same.

    `with Dovecot() as dovecot` starts it; raises ServerMissing if it is not installed.
    """

    host = HOST
    tls_host = "localhost"  # as named in the certificate

    def __init__(self) -> None:
        self._open = ExitStack()
        self._numbers = itertools.count(1)

    def __enter__(self) -> Self:
        with ExitStack() as starting:
            self._lay_out(starting)
            self.process.start()
            starting.callback(self.process.kill)
            self._open = starting.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def _lay_out(self, starting: ExitStack) -> None:
        binary = _binary()
        self.root = new_folder("dovecot", keep_open=starting)
        self.imap_port, self.imaps_port, self.lmtp_port = (reserve_port(keep_open=starting) for _ in range(3))
        self.ca_file = new_certificate(self.root).chain
        configuration = self.root / "dovecot.conf"
        ports = {"imap_port": self.imap_port, "imaps_port": self.imaps_port, "lmtp_port": self.lmtp_port}
        configuration.write_text(write_configuration(self.root, os.geteuid(), ports), "utf-8")
        mail = self.root / "mail"
        mail.mkdir()
        if os.geteuid() == 0:
            os.chown(mail, MAIL_ACCOUNT, MAIL_ACCOUNT)
        self.process = ServerProcess(
            command=[binary, "-F", "-c", str(configuration)],
            folder=self.root,
            log=self.root / "dovecot.log",
            answers=lambda: _greets(self.imap_port, b"* OK") and _greets(self.lmtp_port, b"220"),
        )

    # ------------------------------------------------------------------------------------------------------ outages

    def stop(self) -> None:
        """Stop the server as an operator would."""
        self.process.stop()

    def kill(self) -> None:
        """Kill every process of the server."""
        self.process.kill()

    def start(self) -> None:
        """Start a stopped or killed server again: same ports, same mail, same UIDVALIDITY."""
        self.process.start()

    def restart(self) -> None:
        """Stop the server if it runs, and start it."""
        self.process.stop()
        self.process.start()

    @contextmanager
    def outage(self) -> Iterator[None]:
        """Have no server inside the block."""
        self.process.kill()
        try:
            yield
        finally:
            self.process.start()

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Have a server inside the block that keeps its connections and answers nothing."""
        self.process.freeze()
        try:
            yield
        finally:
            self.process.thaw()

    # --------------------------------------------------------------------------------------------------------- mail

    def new_user(self, name: str = "") -> Account:
        """Name a mailbox user with an empty INBOX, Processed, Quarantine and Junk; each call another user."""
        user = (name or f"user{next(self._numbers)}").lower()
        return Account(user, f"secret-of-{user}", f"{user}@example.org")

    @contextmanager
    def client(self, user: Account, *, tls: bool = False) -> Iterator[IMAPClient]:
        """Give a logged-in IMAPClient with aware times, for the test's own looks into a mailbox."""
        context = ssl.create_default_context(cafile=str(self.ca_file)) if tls else None
        host, port = (self.tls_host, self.imaps_port) if tls else (self.host, self.imap_port)
        client = IMAPClient(host, port, ssl=tls, ssl_context=context, timeout=CLIENT_SECONDS)
        try:
            client.normalise_times = False
            # APPEND sends a literal in three pieces: without this each waits 40 ms for a delayed ACK
            client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            client.login(user.user, user.password)
            yield client
        finally:
            _leave(client)

    def deliver(self, user: Account, raw: bytes, arrival: datetime | None = None, folder: str = "INBOX") -> None:
        """Put a mail into a folder: handed over by LMTP now, or, with `arrival` or another folder, laid down as it is.

        `arrival` (aware) becomes INTERNALDATE, to the second.
        """
        if arrival is None and folder == "INBOX":
            self.hand_over(user, [raw])
        else:
            self.lay_down(user, [(raw, arrival)], folder)

    def lay_down(self, user: Account, mails: Iterable[tuple[bytes, datetime | None]], folder: str = "INBOX") -> None:
        """Put many mails into a Maildir as any delivery agent may, in this order and with any arrival.

        An APPEND could not do it: Dovecot takes an arrival in the future for now, and tests live in any year.
        """
        maildir = self._maildir(user, folder)
        for raw, arrival in mails:
            # Dovecot gives UIDs by the number that begins the name
            name = f"{next(self._numbers)}.laid.down"
            waiting = maildir / "tmp" / name
            waiting.write_bytes(raw)
            if arrival is not None:
                os.utime(waiting, (arrival.timestamp(), arrival.timestamp()))
            if os.geteuid() == 0:
                os.chown(waiting, MAIL_ACCOUNT, MAIL_ACCOUNT)
            waiting.rename(maildir / "new" / name)

    def _maildir(self, user: Account, folder: str) -> Path:
        """Return the Maildir of a folder, which Dovecot itself makes at the first look into it."""
        root = self.root / "mail" / user.user / "Maildir"
        maildir = root if folder == "INBOX" else root / f".{folder}"
        if not (maildir / "new").is_dir():
            with self.client(user) as client:
                client.select_folder(folder, readonly=True)
        return maildir

    def hand_over(self, user: Account, mails: Iterable[bytes], sender: str = "sender@example.org") -> None:
        """Deliver many mails by LMTP (RFC 2033) over one connection."""
        with smtplib.LMTP(self.host, self.lmtp_port) as lmtp:
            for raw in mails:
                lmtp.sendmail(sender, [user.address], raw)

    def stored(self, user: Account, folder: str = "INBOX") -> list[Stored]:
        """Return what lies in a folder, by UID, without setting a flag."""
        with self.client(user) as client:
            client.select_folder(folder, readonly=True)
            answer = client.fetch(client.search("ALL"), ["BODY.PEEK[]", "INTERNALDATE", "FLAGS"])
        return [
            Stored(uid, one[b"INTERNALDATE"], tuple(sorted(one[b"FLAGS"])), one[b"BODY[]"])
            for uid, one in sorted(answer.items())
        ]

    def new_uidvalidity(self, user: Account) -> None:
        """Renumber INBOX as a restored backup would: same mails, another UIDVALIDITY, UIDs from 1."""
        for name in ("dovecot-uidlist", "dovecot.index", "dovecot.index.log", "dovecot.index.cache"):
            (self.root / "mail" / user.user / "Maildir" / name).unlink(missing_ok=True)


def write_configuration(root: Path, uid: int, ports: dict[str, int]) -> str:
    """Return the configuration for a Dovecot started under `uid`, which may be root."""
    template = Template(Path(__file__).with_name("dovecot.conf").read_text("utf-8"))
    if uid == 0:
        account("dovenull", package=PACKAGE)
        mine = {"internal_user": "dovecot", "login_user": "dovenull", "internal_group": "", "chroot": ""}
        return template.substitute(ports, **mine, root=root, uid=MAIL_ACCOUNT, gid=MAIL_ACCOUNT)
    entry = own_account()
    # without root nobody can change user or root folder
    mine = {"internal_user": entry.pw_name, "login_user": entry.pw_name, "chroot": "chroot ="}
    mine["internal_group"] = f"default_internal_group = {grp.getgrgid(entry.pw_gid).gr_name}"
    return template.substitute(ports, **mine, root=root, uid=uid, gid=entry.pw_gid)


def _binary() -> str:
    binary = program("dovecot", "/usr/sbin/dovecot", package=PACKAGE)
    version = subprocess.run([binary, "--version"], capture_output=True, check=True, text=True).stdout
    if not version.startswith("2.3."):
        raise ServerMissing(f"Dovecot 2.3 is not installed (this is {version.strip()}, with other settings)")
    return binary


def _greets(port: int, words: bytes) -> bool:
    try:
        with socket.create_connection((HOST, port), timeout=1) as connection:
            return connection.recv(256).startswith(words)
    except OSError:
        return False


def _leave(client: IMAPClient) -> None:
    try:
        client.logout()
    except (OSError, imaplib.IMAP4.error):  # the server may be down by now, which is the point of some tests
        client.shutdown()
