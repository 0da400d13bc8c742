"""A Maildir read as a mailbox: the time in the file name is the arrival, and no file is touched unless asked."""

from __future__ import annotations

import hashlib
import os
import re
import stat
import threading
from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from mail.caps import MAIL_LIMIT
from mail.source import Arrived, Cursor, MailboxRefused, MailboxUnreachable, Moving, Position

INBOX: Final = "INBOX"
UIDVALIDITY: Final = 1
"""A Maildir's names are unique for ever, so its UIDs never become void."""

_TIME: Final = re.compile(r"^(\d{9,11})(?:\.[^.]*?M(\d{1,6}))?")
_UNIQUE: Final = re.compile(r"[:;!]2,[A-Za-z]*$")
_SLICE: Final = 1.0


class MaildirSource:
    """A Maildir (and its ``.Folder`` subfolders) on this machine. Owned by one thread."""

    def __init__(self, path: Path, *, folders: tuple[str, ...] = (INBOX,), mail_limit: int = MAIL_LIMIT) -> None:
        self._path = path
        self._folders = folders
        self._limit = mail_limit
        self._positions: dict[str, Position] = {}
        self._wake = threading.Event()

    @property
    def name(self) -> str:
        """The name under which mails of this directory are stored."""
        return f"maildir:{self._path}"

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders to poll."""
        return self._folders

    @property
    def counts_up(self) -> bool:
        """A UID is made of the file's name and says nothing about the order."""
        return False

    def poll(self, folder: str, cursor: Cursor, known: Collection[int] = ()) -> Iterator[Arrived]:
        """Give the mails whose UID is not ``known``, by time of arrival; the cursor's UID means nothing here.

        A UID is made of the unique part of the file's name, so it stays the same when a mail program moves the file
        from ``new`` to ``cur`` or changes its flags.
        """
        self._positions.pop(folder, None)
        left = frozenset(known)
        for uid, path in self._listed(folder):
            if uid not in left and (arrived := self._read(folder, uid, path)) is not None:
                yield arrived
        self._positions[folder] = Position(UIDVALIDITY, cursor.uid, relisted=False)

    def position(self, folder: str) -> Position | None:
        """Tell what the last finished poll of a folder saw."""
        return self._positions.get(folder)

    def again(self, folder: str, uidvalidity: int, uids: Collection[int]) -> Iterator[Arrived]:
        """Read some mails once more; those that are gone are left out."""
        for uid, path in self._listed(folder):
            if uid in uids and (arrived := self._read(folder, uid, path)) is not None:
                yield arrived

    def moving(self) -> Moving:
        """Say that a rename happens whole or not at all."""
        return "whole"

    def done(self, folder: str, uidvalidity: int, uids: Collection[int], target: str) -> tuple[int, ...]:
        """Move stored mails into ``.target/cur`` beside the inbox, marked as seen; a rename, so nothing is lost."""
        moved: list[int] = []
        there = self._directory(target)
        for part in ("cur", "new", "tmp"):
            (there / part).mkdir(parents=True, exist_ok=True)
        for uid, path in self._listed(folder):
            if uid in uids:
                try:
                    path.rename(there / "cur" / f"{_UNIQUE.sub('', path.name)}:2,S")
                except FileNotFoundError:
                    continue  # a mail program moved it meanwhile; the next pass finds it under its new name
                moved.append(uid)
        return tuple(moved)

    def wait(self, seconds: float) -> bool:
        """Wait until a name appears in ``new`` or ``cur``, looking once a second; True = look at once."""
        before = self._names()
        left = seconds
        while left > 0:
            if self._wake.wait(min(_SLICE, left)):
                self._wake.clear()
                return True
            left -= _SLICE
            if self._names() - before:
                return True
        return False

    def wake(self) -> None:
        """End a ``wait`` that another thread is in, or the next one."""
        self._wake.set()

    def close(self) -> None:
        """Nothing is held open between calls."""

    def _directory(self, folder: str) -> Path:
        if folder == INBOX:
            return self._path
        if not folder or "/" in folder or "\0" in folder or folder in (".", ".."):
            raise ValueError(f"not a Maildir folder name: {folder!r}")
        return self._path / f".{folder}"

    def _names(self) -> frozenset[str]:
        return frozenset(_UNIQUE.sub("", path.name) for folder in self._folders for _, path in self._listed(folder))

    def _listed(self, folder: str) -> list[tuple[int, Path]]:
        """List UIDs and files by time in the name, then by name."""
        found: dict[str, Path] = {}
        for part in ("new", "cur"):
            for path in self._scanned(self._directory(folder) / part):
                found[_UNIQUE.sub("", path.name)] = path
        order = sorted(found, key=lambda unique: (_stamp(unique), unique))
        return [(_uid(unique), found[unique]) for unique in order]

    def _scanned(self, directory: Path) -> list[Path]:
        try:
            with os.scandir(directory) as entries:
                return [Path(entry.path) for entry in entries if not entry.name.startswith(".")]
        except FileNotFoundError as error:
            raise MailboxRefused("folder-missing", str(directory)) from error
        except OSError as error:
            raise MailboxUnreachable("connection-lost", f"{directory}: {error.strerror}") from error

    def _read(self, folder: str, uid: int, path: Path) -> Arrived | None:
        try:
            facts = path.lstat()
            if not stat.S_ISREG(facts.st_mode):
                return None  # a link or a directory is no mail
            raw = path.read_bytes() if facts.st_size <= self._limit else None
        except FileNotFoundError:
            return None  # moved while we looked; the next poll finds it
        except OSError as error:
            raise MailboxUnreachable("connection-lost", f"{path}: {error.strerror}", uid) from error
        mailbox = f"{self.name}/{folder}"
        seconds = _stamp(path.name) or facts.st_mtime
        arrival = datetime.fromtimestamp(seconds, UTC)
        why = "" if raw is not None else "too-large"
        return Arrived(mailbox, folder, UIDVALIDITY, uid, arrival, facts.st_size, raw, "too-large" if why else "")


def _stamp(name: str) -> float:
    found = _TIME.match(name)
    return int(found[1]) + int(found[2] or 0) / 1_000_000 if found else 0.0


def _uid(unique: str) -> int:
    """Give a positive 63-bit number for a unique name: it fits every database's integer."""
    return int.from_bytes(hashlib.sha256(unique.encode("utf-8", "surrogateescape")).digest()[:8], "big") >> 1
