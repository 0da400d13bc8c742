"""A Maildir as a mailbox."""

from __future__ import annotations

import os
import threading
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mail.maildir import MaildirSource
from mail.source import Cursor, MailboxRefused
from tests.mail.mails import raw_mail

RAW = raw_mail("готов")
NOON = datetime(2025, 11, 3, 12, tzinfo=UTC)


@pytest.fixture
def maildir(tmp_path: Path) -> Path:
    for part in ("new", "cur", "tmp"):
        (tmp_path / part).mkdir()
    return tmp_path


def named(seconds: float, rest: str = "M250000P1.host") -> str:
    return f"{int(seconds)}.{rest}"


def test_arrival_is_the_time_in_the_name(maildir: Path) -> None:
    (maildir / "new" / named(NOON.timestamp())).write_bytes(RAW)
    os.utime(maildir / "new" / named(NOON.timestamp()), (0, 0))
    (mail,) = MaildirSource(maildir).poll("INBOX", Cursor())

    assert (mail.raw, mail.arrival, mail.size) == (RAW, NOON.replace(microsecond=250_000), len(RAW))
    assert mail.mailbox == f"maildir:{maildir}/INBOX"


def test_a_name_without_a_time_arrives_when_the_file_was_written(maildir: Path) -> None:
    (maildir / "new" / "mail").write_bytes(RAW)
    os.utime(maildir / "new" / "mail", (NOON.timestamp(), NOON.timestamp()))

    assert [mail.arrival for mail in MaildirSource(maildir).poll("INBOX", Cursor())] == [NOON]


def test_a_uid_outlives_a_move_to_cur_and_new_flags(maildir: Path) -> None:
    source = MaildirSource(maildir)
    file = maildir / "new" / named(NOON.timestamp())
    file.write_bytes(RAW)
    (before,) = source.poll("INBOX", Cursor())
    file.rename(maildir / "cur" / f"{file.name}:2,S")
    (after,) = source.poll("INBOX", Cursor())

    assert (after.uid, 0 < after.uid < 2**63) == (before.uid, True)


def test_known_mails_are_left_out_and_the_rest_comes_in_order(maildir: Path) -> None:
    source = MaildirSource(maildir)
    for number in (3, 1, 2):
        (maildir / "new" / named(NOON.timestamp() + number)).write_bytes(RAW + bytes([48 + number]))
    first, second, third = source.poll("INBOX", Cursor())

    assert [mail.raw for mail in (first, second, third) if mail.raw] == [RAW + b"1", RAW + b"2", RAW + b"3"]
    assert list(source.poll("INBOX", Cursor(), known={first.uid, third.uid})) == [second]


def test_polling_touches_nothing(maildir: Path) -> None:
    file = maildir / "new" / named(NOON.timestamp())
    file.write_bytes(RAW)
    before = sorted(path.name for path in maildir.rglob("*"))
    list(MaildirSource(maildir).poll("INBOX", Cursor()))

    assert sorted(path.name for path in maildir.rglob("*")) == before


def test_done_moves_files_beside_the_inbox(maildir: Path) -> None:
    source = MaildirSource(maildir)
    file = maildir / "new" / named(NOON.timestamp())
    file.write_bytes(RAW)
    (mail,) = source.poll("INBOX", Cursor())

    assert source.done("INBOX", 1, [mail.uid, 5], "Processed") == (mail.uid,)
    assert list(source.poll("INBOX", Cursor())) == []
    assert (maildir / ".Processed" / "cur" / f"{file.name}:2,S").read_bytes() == RAW


def test_links_and_folders_are_no_mail(maildir: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(b"key")
    (maildir / "new" / named(NOON.timestamp())).symlink_to(secret)
    (maildir / "new" / named(NOON.timestamp() + 1)).mkdir()

    assert list(MaildirSource(maildir).poll("INBOX", Cursor())) == []


def test_a_file_over_the_cap_is_not_read(maildir: Path) -> None:
    (maildir / "new" / named(NOON.timestamp())).write_bytes(b"x" * 5_000)
    (mail,) = MaildirSource(maildir, mail_limit=1_000).poll("INBOX", Cursor())

    assert (mail.raw, mail.why, mail.size) == (None, "too-large", 5_000)


def test_a_missing_maildir_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MailboxRefused, match="folder-missing"):
        list(MaildirSource(tmp_path / "nowhere").poll("INBOX", Cursor()))


@pytest.mark.parametrize("folder", ["../other", "", ".", "a/b"])
def test_a_folder_outside_the_maildir_is_a_mistake(maildir: Path, folder: str) -> None:
    with pytest.raises(ValueError, match="not a Maildir folder"):
        list(MaildirSource(maildir).poll(folder, Cursor()))


def test_wait_wakes_on_delivery(maildir: Path) -> None:
    post = threading.Timer(0.2, lambda: (maildir / "new" / named(NOON.timestamp())).write_bytes(RAW))
    post.start()
    began = time.perf_counter()

    assert MaildirSource(maildir).wait(20) is True
    assert time.perf_counter() - began < 5
    post.join()
