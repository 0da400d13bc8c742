"""An IMAP mailbox read by cursor: peeked, sized first, one mail at a time, its flags never taken for state."""

from __future__ import annotations

import contextlib
import imaplib
import ipaddress
import math
import re
import ssl
import threading
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError, LoginError
from msgspec import Struct

from mail.caps import MAIL_LIMIT
from mail.source import Arrived, Cursor, MailboxRefused, MailboxUnreachable, Moving, Position

Security = Literal["tls", "starttls", "none"]

_Facts = tuple[int, datetime] | None
"""Size and arrival; None for a mail of which the server would tell neither."""

_SIZES_AT_ONCE: Final = 500
_BODIES_AT_ONCE: Final = 50
_ATTEMPTS: Final = 2
_BREAKS: Final = 20
"""Connections one poll may lose to mails before it gives up: a provider locks out who logs in without end."""
_BESIDE: Final = 65_536
"""Bytes a literal may have beyond the largest mail that is fetched."""
_IDLE_SLICE: Final = 1.0
_IDLE_LONGEST: Final = 25.0
"""Seconds after which an IDLE is renewed. A dead link shows itself at its end, within the timeout of one command: both
together stay below a minute. Providers drop an IDLE after six minutes at the earliest (mail-facts 2)."""
_REFUSALS: Final = 2
"""IDLEs refused in a row after which a server that announces IDLE is polled like one that does not."""
_PUT_OFF: Final = re.compile(
    r"\[(?:UNAVAILABLE|INUSE|LIMIT|SERVERBUG)\]|too many (?:simultaneous )?connections", re.IGNORECASE
)
"""Answers to LOGIN that say nothing against the password (RFC 5530)."""
_SINCE_MARGIN: Final = timedelta(days=2)
_DELETED: Final = rb"\Deleted"


class ImapServer(Struct, frozen=True):
    """How to reach a mailbox; ``ca_file`` adds a private authority, ``security="none"`` is for this machine only."""

    host: str
    user: str
    password: str
    port: int = 993
    security: Security = "tls"
    ca_file: str = ""
    timeout: float = 30.0
    folders: tuple[str, ...] = ("INBOX",)
    idle: bool = True
    mail_limit: int = MAIL_LIMIT
    batch_bytes: int = 262_144
    """How much is fetched in one go; after a failure the same mails are fetched one at a time."""

    def __repr__(self) -> str:
        return f"ImapServer({self.user}@{self.host}:{self.port}, {self.security})"


def is_loopback(host: str) -> bool:
    """Say whether a host is this machine, by name or number, without asking anybody."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def tls_context(ca_file: str) -> ssl.SSLContext:
    """Give a context that verifies certificates and names, against a private authority too where one is given."""
    context = ssl.create_default_context()
    if ca_file:
        context.load_verify_locations(cafile=ca_file)
    return context


@contextlib.contextmanager
def _plainly(uid: int = 0) -> Iterator[None]:
    """Map what the libraries raise to what a caller must know: try again later, or tell the operator."""
    try:
        yield
    except ssl.SSLCertVerificationError as error:
        raise MailboxRefused("certificate-refused", error.verify_message) from error
    except ssl.SSLError as error:
        raise MailboxUnreachable("tls-failed", str(error.reason or error), uid) from error
    except TimeoutError as error:
        raise MailboxUnreachable("timeout", str(error), uid) from error
    except (imaplib.IMAP4.abort, EOFError, OSError) as error:
        raise MailboxUnreachable("connection-lost", str(error), uid) from error
    except (IMAPClientError, ArithmeticError, ValueError, LookupError, TypeError, AssertionError) as error:
        # The client library answers damaged server lines with any of these; the connection is not to be trusted after.
        raise MailboxUnreachable("protocol-error", f"{type(error).__name__}: {error}", uid) from error


class ImapSource:
    """One mailbox, one connection, opened when first needed and again after a failure; owned by one thread."""

    def __init__(self, server: ImapServer) -> None:
        self.server = server
        self._client: IMAPClient | None = None
        self._positions: dict[str, Position] = {}
        self._next: dict[str, int] = {}
        self._breaks = 0
        self._refusals = 0
        self._wake = threading.Event()

    @property
    def name(self) -> str:
        """The name under which mails of this mailbox are stored."""
        return f"imap:{self.server.user}@{self.server.host}"

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders to poll."""
        return self.server.folders

    # Connection

    def connect(self) -> IMAPClient:
        """Open and log in unless that is done; raises ``MailboxUnreachable`` or ``MailboxRefused``."""
        if self._client is None:
            client = self._opened()
            try:
                self._log_in(client)
            except BaseException:
                _shut(client)
                raise
            self._client = client
        return self._client

    def _opened(self) -> IMAPClient:
        server = self.server
        if server.security == "none" and not is_loopback(server.host):
            raise MailboxRefused("plaintext-refused", server.host)
        direct = server.security == "tls"
        context = tls_context(server.ca_file) if direct else None
        try:
            with _plainly():
                client = IMAPClient(server.host, server.port, ssl=direct, ssl_context=context, timeout=server.timeout)
        except MailboxUnreachable as error:
            code = "connect-failed" if error.code == "connection-lost" else error.code
            raise MailboxUnreachable(code, error.detail) from error
        client.normalise_times = False
        _guard(client, server.mail_limit + _BESIDE)
        return client

    def _log_in(self, client: IMAPClient) -> None:
        with _plainly():
            if self.server.security == "starttls":
                if not client.has_capability("STARTTLS"):
                    raise MailboxRefused("starttls-missing", self.server.host)
                client.starttls(tls_context(self.server.ca_file))
            try:
                client.login(self.server.user, self.server.password)
            except LoginError as error:
                if isinstance(error.__context__, imaplib.IMAP4.abort):
                    raise MailboxUnreachable("connection-lost", str(error)) from error
                if _PUT_OFF.search(str(error)):
                    raise MailboxUnreachable("login-put-off", str(error)) from error
                # Providers answer a wrong password and IMAP switched off alike: the detail shows their own words.
                raise MailboxRefused("login-refused", str(error)) from error

    @contextlib.contextmanager
    def _safely(self, uid: int = 0) -> Iterator[IMAPClient]:
        """Give the open connection; when it fails, forget it, so that the next call opens a fresh one."""
        client = self.connect()
        try:
            with _plainly(uid):
                yield client
        except MailboxUnreachable:
            self.drop()
            raise

    def drop(self) -> None:
        """Forget the connection without a word to the server."""
        client, self._client = self._client, None
        if client is not None:
            _shut(client)

    def close(self) -> None:
        """Log out if the server still listens; never raises."""
        client, self._client = self._client, None
        if client is not None:
            try:
                client.logout()
            except (IMAPClientError, OSError, EOFError, ValueError):  # leaving anyway
                _shut(client)

    # Reading

    @property
    def counts_up(self) -> bool:
        """UIDs rise with every mail (RFC 9051 2.3.1.1)."""
        return True

    def poll(self, folder: str, cursor: Cursor, known: Collection[int] = ()) -> Iterator[Arrived]:
        """Give the mails behind the cursor, oldest UID first, fetched in small batches when they are asked for.

        The folder is examined, never selected for writing, and bodies are peeked: no flag changes. A batch that fails
        is fetched again one mail at a time, so that a mail which breaks the connection becomes ``unfetchable`` and
        stops no other. If UIDVALIDITY is another than the cursor's (or 0), no UID is trusted: everything since
        ``cursor.since`` less two days is listed again, and the caller's content hash keeps each letter from acting
        twice.
        """
        self._positions.pop(folder, None)
        self._breaks = 0
        state, uids, relisted = self._listed(folder, cursor)
        left = frozenset() if relisted else frozenset(known)
        for chunk in _chunks([uid for uid in uids if uid not in left], _SIZES_AT_ONCE):
            for facts in self._facts(folder, state.uidvalidity, chunk):
                yield from self._fetched(folder, state.uidvalidity, facts)
        # What was deleted at the end of the folder leaves a gap below UIDNEXT, in which nothing can appear any more.
        highest = max(0 if relisted else cursor.uid, state.uidnext - 1, *uids, 0)
        self._positions[folder] = Position(state.uidvalidity, highest, relisted)
        self._next[folder] = state.uidnext

    def position(self, folder: str) -> Position | None:
        """Tell what the last finished poll of a folder saw."""
        return self._positions.get(folder)

    def again(self, folder: str, uidvalidity: int, uids: Collection[int]) -> Iterator[Arrived]:
        """Fetch some mails once more; those that are gone, or whose UIDs are void, are left out."""
        self._breaks = 0
        with self._safely() as client:
            state = _examined(client, folder)
        if uidvalidity and state.uidvalidity == uidvalidity:
            for facts in self._facts(folder, uidvalidity, sorted(uids)):
                yield from self._fetched(folder, uidvalidity, facts)

    def _listed(self, folder: str, cursor: Cursor) -> tuple[_Folder, list[int], bool]:
        with self._safely() as client:
            state = _examined(client, folder)
            if state.uidvalidity and state.uidvalidity == cursor.uidvalidity:
                # «n:*» always names the last mail, even one below n: filtered here (mail-facts 0.7).
                found = client.search(["UID", f"{cursor.uid + 1}:*"])
                return state, sorted(uid for uid in found if uid > cursor.uid), False
            criteria = ["SINCE", cursor.since - _SINCE_MARGIN] if cursor.since else ["ALL"]
            relisted = not state.uidvalidity or cursor.uidvalidity != 0
            return state, sorted(client.search(criteria)), relisted

    def _facts(self, folder: str, uidvalidity: int, uids: list[int]) -> Iterator[dict[int, _Facts]]:
        """Give size and arrival of mails by rising UID, together; singly if that fails, for the sake of the others.

        A mail that is gone by now is left out; one that is there and of which the server does not tell has None.
        """
        try:
            told = self._told(uids)
        except MailboxUnreachable as error:
            self._reopened(folder, uidvalidity, error)
            told = None
        if told is not None:
            untold = [uid for uid in uids if uid not in told]
            present = self._present(untold)
            facts: dict[int, _Facts] = {uid: told.get(uid) for uid in uids if uid in told or uid in present}
            yield facts
            return
        for uid in uids:
            yield self._singly(folder, uidvalidity, uid)

    def _singly(self, folder: str, uidvalidity: int, uid: int) -> dict[int, _Facts]:
        try:
            told = self._told([uid])
        except MailboxUnreachable as error:
            self._reopened(folder, uidvalidity, error)
            return {uid: None}
        return {uid: told.get(uid)} if told or self._present([uid]) else {}

    def _told(self, uids: list[int]) -> dict[int, tuple[int, datetime]]:
        """Ask for size and arrival; what an answer lacks, or says so that it cannot be, is left out."""
        if not uids:
            return {}
        told: dict[int, tuple[int, datetime]] = {}
        with self._safely() as client:
            for uid, data in sorted(client.fetch(uids, [b"RFC822.SIZE", b"INTERNALDATE"]).items()):
                size, arrival = data.get(b"RFC822.SIZE"), data.get(b"INTERNALDATE")
                if isinstance(size, int) and isinstance(arrival, datetime) and arrival.tzinfo is not None:
                    told[uid] = size, arrival.astimezone(UTC)
        return told

    def _present(self, uids: list[int]) -> frozenset[int]:
        """Say which of some mails the folder still has."""
        if not uids:
            return frozenset()
        with self._safely() as client:
            return frozenset(client.search(["UID", ",".join(map(str, uids))])) & frozenset(uids)

    def _fetched(self, folder: str, uidvalidity: int, facts: dict[int, _Facts]) -> Iterator[Arrived]:
        for batch in self._batches(facts):
            bodies = self._together(folder, uidvalidity, batch)
            for uid in batch:
                yield self._arrived(folder, uidvalidity, uid, facts[uid], bodies.get(uid))

    def _batches(self, facts: dict[int, _Facts]) -> Iterator[list[int]]:
        """Part mails into runs of bounded size; one that is larger stands alone."""
        batch: list[int] = []
        total = 0
        for uid, told in facts.items():
            size = told[0] if told is not None else self.server.batch_bytes
            if batch and (total + size > self.server.batch_bytes or len(batch) >= _BODIES_AT_ONCE):
                yield batch
                batch, total = [], 0
            batch.append(uid)
            total += size
        if batch:
            yield batch

    def _together(self, folder: str, uidvalidity: int, uids: list[int]) -> dict[int, bytes]:
        """Fetch the bodies of a batch; what is missing in the answer is asked for singly afterwards."""
        if len(uids) == 1:
            return {}
        try:
            with self._safely() as client:
                answer = client.fetch(uids, [b"BODY.PEEK[]"])
        except MailboxUnreachable as error:
            self._reopened(folder, uidvalidity, error)
            return {}
        bodies = {uid: data.get(b"BODY[]") for uid, data in answer.items()}
        return {uid: raw for uid, raw in bodies.items() if isinstance(raw, bytes)}

    def _reopened(self, folder: str, uidvalidity: int, cause: MailboxUnreachable) -> None:
        """Come back to the folder after a failure in it; raises if the server is gone or the folder another one.

        It raises too once too many connections were lost this way: what was given until then is stored, so that the
        next poll begins behind it.
        """
        self._breaks += 1
        if self._breaks > _BREAKS:
            raise cause
        try:
            with self._safely() as client:
                state = _examined(client, folder)
        except MailboxUnreachable as error:
            raise MailboxUnreachable(error.code, error.detail, cause.uid) from cause
        if state.uidvalidity != uidvalidity:
            raise cause

    def _arrived(self, folder: str, uidvalidity: int, uid: int, facts: _Facts, body: bytes | None) -> Arrived:
        if facts is None:
            return Arrived(f"{self.name}/{folder}", folder, uidvalidity, uid, None, 0, None, "unfetchable")
        size, arrival = facts
        why: Literal["", "too-large", "unfetchable"] = "too-large" if size > self.server.mail_limit else ""
        raw = None if why else body if body is not None else self._body(folder, uidvalidity, uid)
        if raw is not None and len(raw) > self.server.mail_limit:
            raw, why = None, "too-large"  # a server that counts sizes wrongly
        elif raw is None and not why:
            why = "unfetchable"
        return Arrived(f"{self.name}/{folder}", folder, uidvalidity, uid, arrival, size, raw, why)

    def _body(self, folder: str, uidvalidity: int, uid: int) -> bytes | None:
        """Fetch one body without setting a flag.

        None if the answer lacks it (flag news, expunged meanwhile), or if asking for this very mail broke the
        connection twice while the server was there: such a mail must not keep the others from being read.
        """
        for _ in range(_ATTEMPTS):
            try:
                with self._safely(uid) as client:
                    answer = client.fetch([uid], [b"BODY.PEEK[]"])
            except MailboxUnreachable as error:
                self._reopened(folder, uidvalidity, error)
                continue
            raw = answer.get(uid, {}).get(b"BODY[]")
            return raw if isinstance(raw, bytes) else None
        return None

    # Housekeeping

    def moving(self) -> Moving:
        """Say by which ladder ``done`` goes: MOVE, COPY and UID EXPUNGE, or none."""
        with self._safely() as client:
            return (
                "whole" if client.has_capability("MOVE") else "in-steps" if client.has_capability("UIDPLUS") else "not"
            )

    def done(self, folder: str, uidvalidity: int, uids: Collection[int], target: str) -> tuple[int, ...]:
        """Move stored mails out of the folder if the server can do it without risk, else leave them.

        MOVE (RFC 6851) where there is; else COPY and, after it succeeded, UID EXPUNGE of these very mails (UIDPLUS,
        RFC 4315); never a bare EXPUNGE, which takes other people's mails along. What the server refuses stays as it is;
        nothing is moved whose UID may by now be another mail's.
        """
        way = self.moving()
        with self._safely() as client:
            if way == "not" or not uids or not uidvalidity or not _ensured(client, target):
                return ()
            if int(client.select_folder(folder).get(b"UIDVALIDITY", 0)) != uidvalidity:
                return ()
            present = sorted(frozenset(client.search(["UID", ",".join(map(str, sorted(uids)))])) & frozenset(uids))
            return tuple(present) if present and _moved(client, way, present, target) else ()

    # Waiting

    def wait(self, seconds: float) -> bool:
        """Wait for a hint of new mail by IDLE, or merely wait where the server has none; True = look at once.

        The wait is cut in slices so that ``wake`` ends it within a second, and every IDLE ends with DONE and NOOP: a
        dead link, which answers an idle check with nothing for ever, shows itself there as ``MailboxUnreachable``.
        A server that announces IDLE and refuses it is polled instead.
        """
        if self._wake.is_set() or not self._can_idle():
            return self._woken(seconds)
        left = seconds
        while left > 0 and not self._wake.is_set():
            span = min(left, _IDLE_LONGEST)
            if self._idled(span):
                return True
            left -= span
        return self._woken(0)

    def wake(self) -> None:
        """End a ``wait`` that another thread is in, or the next one."""
        self._wake.set()

    def _woken(self, seconds: float) -> bool:
        woken = self._wake.wait(seconds)
        self._wake.clear()
        return woken

    def _can_idle(self) -> bool:
        if not self.server.idle or self._refusals >= _REFUSALS:
            return False
        with self._safely() as client:
            return bool(client.has_capability("IDLE"))

    def _idled(self, seconds: float) -> bool:
        inbox = self.server.folders[0]
        with self._safely() as client:
            state = _examined(client, inbox)
            if state.uidnext > self._next.get(inbox, state.uidnext):
                return True  # it came between the last poll and this wait
            if not self._idles(client):
                return True
            seen: list[Any] = []
            for _ in range(math.ceil(seconds / _IDLE_SLICE)):
                seen += client.idle_check(timeout=min(_IDLE_SLICE, seconds))
                if _news(seen, state.exists) or _goodbye(seen) or self._wake.is_set():
                    break
            _, late = client.idle_done()
            _, later = client.noop()
            return _news([*seen, *late, *later], state.exists)

    def _idles(self, client: IMAPClient) -> bool:
        """Begin to IDLE; if the server will not, begin anew with a connection whose state is known."""
        try:
            client.idle()
        except imaplib.IMAP4.abort:
            raise
        except IMAPClientError:
            self._refusals += 1
            self.drop()
            return False
        self._refusals = 0
        return True


class _Folder(Struct, frozen=True):
    """The state of a folder as it was examined; 0 for what the server did not tell."""

    uidvalidity: int
    uidnext: int
    exists: int


def _examined(client: IMAPClient, folder: str) -> _Folder:
    """Look at a folder read-only; afresh each time, so that no stale UIDNEXT hides mail."""
    try:
        state = client.select_folder(folder, readonly=True)
    except imaplib.IMAP4.abort:
        raise
    except IMAPClientError as error:
        raise MailboxRefused("folder-missing", f"{folder}: {error}") from error
    uidvalidity, uidnext, exists = (int(state.get(key, 0)) for key in (b"UIDVALIDITY", b"UIDNEXT", b"EXISTS"))
    return _Folder(uidvalidity, uidnext, exists)


def _news(answers: Iterable[Any], exists: int) -> bool:
    """Say whether there are more mails than before; some servers tell the number although it is the same."""
    return any(isinstance(one, tuple) and len(one) > 1 and one[1] == b"EXISTS" and one[0] > exists for one in answers)


def _goodbye(answers: Iterable[Any]) -> bool:
    """Say whether the server has ended the connection: an ordinary thing to do to one that idles (RFC 2177)."""
    return any(isinstance(one, tuple) and one[:1] == (b"BYE",) for one in answers)


def _guard(client: IMAPClient, limit: int) -> None:
    """Break a connection whose server announces a literal larger than any that was asked for, before it is read."""
    read = client._imap.read  # noqa: SLF001 - the library has no place of its own for this

    def within(size: int) -> bytes:
        if size > limit:
            raise imaplib.IMAP4.abort(f"a literal of {size} bytes, more than any mail that was asked for")
        return bytes(read(size))

    client._imap.read = within  # noqa: SLF001


def _moved(client: IMAPClient, way: Moving, uids: list[int], target: str) -> bool:
    """Move mails; False if the server refused a step, after which none was deleted that is not in the target too."""
    try:
        if way == "whole":
            client.move(uids, target)
        else:
            client.copy(uids, target)
            client.add_flags(uids, [_DELETED], silent=True)
            client.uid_expunge(uids)
    except imaplib.IMAP4.abort:
        raise
    except IMAPClientError:
        return False
    return True


def _ensured(client: IMAPClient, folder: str) -> bool:
    """Make sure a folder is there; a refusal means that nothing is moved, never that something is deleted."""
    try:
        if not client.folder_exists(folder):
            client.create_folder(folder)
    except imaplib.IMAP4.abort:
        raise
    except IMAPClientError:
        return False
    return True


def _chunks(items: list[int], size: int) -> Iterator[list[int]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def _shut(client: IMAPClient) -> None:
    with contextlib.suppress(IMAPClientError, OSError, EOFError, ValueError):
        client.shutdown()
