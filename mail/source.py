"""Where mail comes from: the one shape that a mailbox server and a Maildir share."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import date, datetime
from typing import Literal, Protocol

from msgspec import Struct

Moving = Literal["whole", "in-steps", "not"]


class Arrived(Struct, frozen=True):
    """A mail as a source gives it.

    ``mailbox`` names source and folder, ``arrival`` is the server's own time of arrival (aware, UTC; play-by-mail 1.3),
    None if it would not tell. ``raw`` is None where ``why`` says so: ``too-large`` (over the cap, never fetched) or
    ``unfetchable`` (the server lists it and gives no body now: store it as an attempt, move the cursor, and ask
    ``again`` later).
    """

    mailbox: str
    folder: str
    uidvalidity: int
    uid: int
    arrival: datetime | None
    size: int
    raw: bytes | None
    why: Literal["", "too-large", "unfetchable"] = ""


class Cursor(Struct, frozen=True):
    """How far a folder was read: all up to ``uid`` is stored; ``since`` = the day to list from when UIDs are void."""

    uidvalidity: int = 0
    uid: int = 0
    since: date | None = None


class Position(Struct, frozen=True):
    """What a poll saw: the folder's UIDVALIDITY, the highest UID it may count as read, whether old UIDs were void."""

    uidvalidity: int
    uid: int
    relisted: bool


class MailboxUnreachable(Exception):
    """The mailbox cannot be reached now; trying again later is right. ``code`` says what failed, ``uid`` at which mail.

    Codes: ``connect-failed``, ``timeout``, ``tls-failed``, ``connection-lost``, ``protocol-error``, ``login-put-off``
    (RFC 5530: the server is busy, or has too many of our connections; the password is not in doubt).
    """

    def __init__(self, code: str, detail: str = "", uid: int = 0) -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = code
        self.detail = detail
        self.uid = uid


class MailboxRefused(Exception):
    """The mailbox refuses us and will do so again until somebody changes something: the operator must hear of it.

    Codes: ``login-refused``, ``certificate-refused``, ``plaintext-refused`` (no TLS to another machine),
    ``starttls-missing``, ``folder-missing``.
    """

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = code
        self.detail = detail


class Source(Protocol):
    """A place mail is read from; owned by one thread."""

    @property
    def name(self) -> str:
        """A stable name for the database, without secrets."""
        ...

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders to poll, the inbox first."""
        ...

    @property
    def counts_up(self) -> bool:
        """Whether a newer mail has a higher UID, so that a cursor says what was read; if not, `known` does."""
        ...

    def poll(self, folder: str, cursor: Cursor, known: Collection[int] = ()) -> Iterator[Arrived]:
        """Give the mails behind the cursor, one at a time, oldest UID first; ``known`` UIDs are left out.

        After the last one ``position`` tells where the cursor may go. Raises ``MailboxUnreachable``/``MailboxRefused``.
        """
        ...

    def position(self, folder: str) -> Position | None:
        """Tell what the last finished poll of a folder saw."""
        ...

    def again(self, folder: str, uidvalidity: int, uids: Collection[int]) -> Iterator[Arrived]:
        """Fetch mails that were ``unfetchable`` again; those that are gone, or whose UIDs are void, are left out."""
        ...

    def moving(self) -> Moving:
        """Say how ``done`` moves: ``whole`` may be asked for again, ``in-steps`` must not, ``not`` leaves all alone."""
        ...

    def done(self, folder: str, uidvalidity: int, uids: Collection[int], target: str) -> tuple[int, ...]:
        """Move stored mails to another folder where that is safe; give the UIDs that were moved. Never loses a mail."""
        ...

    def wait(self, seconds: float) -> bool:
        """Wait at most so long for a hint of new mail; True = look at once. Only a wake-up, never the truth."""
        ...

    def wake(self) -> None:
        """End a ``wait`` early; the only call allowed from another thread."""
        ...

    def close(self) -> None:
        """Let go of the mailbox; never raises."""
        ...
