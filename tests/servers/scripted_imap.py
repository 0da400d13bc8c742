"""A scripted IMAP server: holds mails in memory, and fails where and how a test says, as no real one does on demand."""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Self

from tests.servers.place import HOST

CAPABILITIES = ("IMAP4rev1", "IDLE", "MOVE", "UIDPLUS")
TICK = 0.05


@dataclass(frozen=True, slots=True)
class Says:
    """What goes wrong at a command: these lines in place of the ordinary answer, then the end, or silence.

    ``command`` begins as the client writes it, without its tag: ``UID FETCH 2 (BODY``. ``{tag}`` in a line becomes the
    tag. Without lines the ordinary answer is given first, unless the server hangs up or falls silent.
    """

    command: str
    lines: tuple[bytes, ...] = ()
    times: int | None = 1  # how often it strikes; None: always
    hang_up: bool = False
    silent: bool = False  # nothing more is said on this connection, which stays open
    having: str = ""  # the command must contain this too
    gap: float = 0.0  # seconds between two lines: else they come together


@dataclass(slots=True)
class Held:
    """A mail in a folder."""

    uid: int
    raw: bytes
    arrival: datetime
    flags: set[str] = field(default_factory=set)
    date: str = ""  # INTERNALDATE as it is told, if it is told wrongly
    size: int | None = None  # RFC822.SIZE as it is told, if it is told wrongly


@dataclass(slots=True)
class Folder:
    """A folder: its mails, its UIDVALIDITY, and the UIDNEXT it tells if that is not the true one."""

    mails: list[Held] = field(default_factory=list)
    uidvalidity: int = 7
    uidnext: int | None = None

    def next_uid(self) -> int:
        """Return the UID the next mail will get."""
        return max((held.uid for held in self.mails), default=0) + 1


class ScriptedImap:
    """An IMAP server on loopback for one user, who gets in by any password; `commands` is all it was told."""

    host = HOST

    def __init__(self, capabilities: Sequence[str] = CAPABILITIES, folders: Sequence[str] = ("INBOX", "Junk")) -> None:
        self.capabilities = tuple(capabilities)
        self.folders = {name: Folder() for name in folders}
        self.commands: list[str] = []
        self.logins = 0
        self._faults: list[tuple[Says, list[int]]] = []
        self._lock = threading.RLock()
        self._open: list[socket.socket] = []
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Self:
        self._listener = socket.create_server((HOST, 0))
        self.port = int(self._listener.getsockname()[1])
        self._start(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()
        for thread in self._threads:
            thread.join(5)

    def _start(self, work: object, *args: object) -> None:
        thread = threading.Thread(target=work, args=args, daemon=True)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    # What a test does with it

    @property
    def inbox(self) -> Folder:
        """The folder every mail comes to."""
        return self.folders["INBOX"]

    def script(self, *faults: Says) -> None:
        """Add faults; of those that fit a command the first added strikes."""
        with self._lock:
            self._faults += [(fault, [0]) for fault in faults]

    def calm(self) -> None:
        """Take back all faults."""
        with self._lock:
            self._faults.clear()

    def deliver(self, raw: bytes, arrival: datetime, folder: str = "INBOX", **told: object) -> Held:
        """Put a mail into a folder; an idling client is told."""
        with self._lock:
            there = self.folders[folder]
            held = Held(there.next_uid(), raw, arrival, **told)  # type: ignore[arg-type]
            there.mails.append(held)
            return held

    def cut(self) -> None:
        """End every connection without a word."""
        with self._lock:
            ending, self._open = self._open, []
        for connection in ending:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()

    def told(self, *verbs: str) -> list[str]:
        """Return the commands that begin with one of these verbs, UID left aside."""
        return [one for one in self.commands if one.removeprefix("UID ").startswith(verbs)]

    # The server

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self._lock:
                self._open.append(connection)
            self._start(self._serve, connection)

    def _serve(self, connection: socket.socket) -> None:
        with suppress(OSError, _Ended):
            _Conversation(self, connection).run()
        with suppress(OSError):
            connection.close()

    def struck(self, command: str) -> Says | None:
        """Note a command, and return the fault that strikes at it."""
        with self._lock:
            self.commands.append(command)
            for fault, struck in self._faults:
                fits = command.startswith(fault.command) and fault.having in command
                if fits and (fault.times is None or struck[0] < fault.times):
                    struck[0] += 1
                    return fault
        return None


class _Ended(Exception):
    """The conversation is over."""


class _Conversation:
    """One connection."""

    def __init__(self, server: ScriptedImap, connection: socket.socket) -> None:
        self._server = server
        self._connection = connection
        self._file = connection.makefile("rb")
        self._folder = Folder()
        self._tag = ""

    def run(self) -> None:
        if (fault := self._server.struck("GREETING")) is not None:
            self._carry_out(fault)
        self._say(b"* OK ready")
        while line := self._file.readline():
            self._tag, _, command = line.decode("utf-8").rstrip("\r\n").partition(" ")
            if (fault := self._server.struck(_hidden(command))) is not None:
                self._carry_out(fault)
                if fault.lines:
                    continue
            self._answer(command)

    def _carry_out(self, fault: Says) -> None:
        for number, line in enumerate(fault.lines):
            time.sleep(fault.gap if number else 0)
            self._connection.sendall(line.replace(b"{tag}", self._tag.encode()))
        if fault.silent:
            while self._file.readline():
                pass
            raise _Ended
        if fault.hang_up:
            with suppress(OSError):
                self._connection.shutdown(socket.SHUT_RDWR)
            raise _Ended

    def _say(self, *lines: bytes) -> None:
        self._connection.sendall(b"".join(line + b"\r\n" for line in lines))

    def _ok(self, text: str = "done") -> None:
        self._say(f"{self._tag} OK {text}".encode())

    def _answer(self, command: str) -> None:
        verb, _, rest = command.removeprefix("UID ").partition(" ")
        answer = getattr(self, f"_do_{verb.lower()}", None)
        if answer is None:
            self._say(f"{self._tag} BAD what is {verb}?".encode())
        elif verb.upper() == "IDLE":
            answer(rest)
        else:
            with self._server._lock:
                answer(rest)

    def _do_capability(self, _: str) -> None:
        self._say(f"* CAPABILITY {' '.join(self._server.capabilities)}".encode())
        self._ok()

    def _do_login(self, _: str) -> None:
        self._server.logins += 1
        self._ok()

    def _do_logout(self, _: str) -> None:
        self._say(b"* BYE")
        self._ok()
        raise _Ended

    def _do_noop(self, _: str) -> None:
        self._say(f"* {len(self._folder.mails)} EXISTS".encode())
        self._ok()

    def _do_list(self, rest: str) -> None:
        name = rest.rpartition(" ")[2].strip('"')
        if name in self._server.folders:
            self._say(f'* LIST () "/" "{name}"'.encode())
        self._ok()

    def _do_create(self, rest: str) -> None:
        self._server.folders.setdefault(rest.strip('"'), Folder())
        self._ok()

    def _do_select(self, rest: str) -> None:
        self._select(rest.strip('"'))

    _do_examine = _do_select

    def _do_search(self, rest: str) -> None:
        self._say(f"* SEARCH {' '.join(str(held.uid) for held in self._found(rest))}".strip().encode())
        self._ok()

    def _do_fetch(self, rest: str) -> None:
        self._fetch(rest)

    def _do_copy(self, rest: str) -> None:
        self._copy(rest, move=False)

    def _do_move(self, rest: str) -> None:
        self._copy(rest, move=True)

    def _do_store(self, rest: str) -> None:
        for held in self._named(rest.partition(" ")[0]):
            held.flags.add(r"\Deleted")
        self._ok()

    def _do_expunge(self, rest: str) -> None:
        self._expunge(rest)

    def _do_idle(self, _: str) -> None:
        self._idle()

    def _select(self, name: str) -> None:
        if name not in self._server.folders:
            self._say(f"{self._tag} NO [NONEXISTENT] no such folder".encode())
            return
        self._folder = self._server.folders[name]
        told = self._folder.uidnext if self._folder.uidnext is not None else self._folder.next_uid()
        self._say(
            rb"* FLAGS (\Seen \Deleted)",
            rb"* OK [PERMANENTFLAGS (\Seen \Deleted)] no keywords",
            f"* {len(self._folder.mails)} EXISTS".encode(),
            f"* OK [UIDVALIDITY {self._folder.uidvalidity}] so far".encode(),
            f"* OK [UIDNEXT {told}] next".encode(),
        )
        self._ok()

    def _named(self, uids: str) -> list[Held]:
        found: list[Held] = []
        last = max((held.uid for held in self._folder.mails), default=0)
        for part in uids.split(","):
            low, _, high = part.partition(":")
            ends = [last if end == "*" else int(end) for end in (low, high or low)]
            found += [held for held in self._folder.mails if min(ends) <= held.uid <= max(ends)]
        return found

    def _found(self, rest: str) -> list[Held]:
        if rest.startswith("UID "):
            return self._named(rest.removeprefix("UID ").strip())
        if rest.startswith("SINCE "):
            since = datetime.strptime(rest.split()[1].strip('"') + " +0000", "%d-%b-%Y %z").date()
            return [held for held in self._folder.mails if held.arrival.date() >= since]
        return list(self._folder.mails)

    def _fetch(self, rest: str) -> None:
        uids, _, items = rest.partition(" ")
        for held in self._named(uids):
            place = self._folder.mails.index(held) + 1
            if "BODY" in items:
                head = f"* {place} FETCH (UID {held.uid} BODY[] {{{len(held.raw)}}}\r\n".encode()
                self._connection.sendall(head + held.raw + b")\r\n")
            else:
                date = held.date or held.arrival.strftime("%d-%b-%Y %H:%M:%S %z")
                size = len(held.raw) if held.size is None else held.size
                self._say(f'* {place} FETCH (UID {held.uid} RFC822.SIZE {size} INTERNALDATE "{date}")'.encode())
        self._ok()

    def _copy(self, rest: str, *, move: bool) -> None:
        uids, _, name = rest.partition(" ")
        target = self._server.folders.get(name.strip('"'))
        if target is None:
            self._say(f"{self._tag} NO [TRYCREATE] no such folder".encode())
            return
        for held in self._named(uids):
            target.mails.append(Held(target.next_uid(), held.raw, held.arrival))
            if move:
                self._folder.mails.remove(held)
        self._ok()

    def _expunge(self, uids: str) -> None:
        chosen = self._named(uids) if uids else self._folder.mails
        for held in [one for one in chosen if r"\Deleted" in one.flags]:
            self._folder.mails.remove(held)
        self._ok()

    def _idle(self) -> None:
        self._say(b"+ idling")
        known = len(self._folder.mails)
        self._connection.settimeout(TICK)
        try:
            while True:
                try:
                    line = self._connection.recv(100)
                except TimeoutError:
                    if len(self._folder.mails) > known:
                        known = len(self._folder.mails)
                        self._say(f"* {known} EXISTS".encode())
                    continue
                if not line:
                    raise _Ended
                break
        finally:
            self._connection.settimeout(None)
        if (fault := self._server.struck("DONE")) is not None:
            self._carry_out(fault)
        self._ok("idle ended")


def _hidden(command: str) -> str:
    """Return a command as it may stand in a list: without the password."""
    return re.sub(r"^(LOGIN \S+) .*", r"\1", command)
