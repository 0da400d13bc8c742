"""What lies in deploy/ does what it says: backup and restore for real, and a unit that systemd understands."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.house.test_texts import ROOT
from tests.servers.postgres import Postgres

DEPLOY = ROOT / "deploy"


def script(name: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [str(DEPLOY / name), *map(str, arguments)]
    tools = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), Path("/usr/bin"))
    environment = {**os.environ, "PYTHON": sys.executable, "PATH": f"{tools}:{os.environ['PATH']}"}
    return subprocess.run(command, check=False, env=environment, capture_output=True, text=True)


def backed_up(config: Path, folder: Path) -> Path:
    done = script("backup.sh", config, folder)
    assert (done.returncode, done.stderr) == (0, "")
    return Path(done.stdout.strip())


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """Give a configuration with a relative SQLite path, as `init` writes it, and a database with one game in it."""
    path = tmp_path / "adjudicator.toml"
    path.write_text('[database]\nurl = "sqlite:///adjudicator.db"\n', encoding="utf-8")
    with sqlite3.connect(tmp_path / "adjudicator.db") as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE game (tag TEXT)")
        database.execute("INSERT INTO game VALUES ('pirates-7')")
    database.close()
    return path


def games(config: Path) -> list[str]:
    database = sqlite3.connect(config.parent / "adjudicator.db")
    found = [tag for (tag,) in database.execute("SELECT tag FROM game ORDER BY tag")]
    database.close()
    return found


def play_on(config: Path, tag: str) -> None:
    database = sqlite3.connect(config.parent / "adjudicator.db")
    with database:
        database.execute("INSERT INTO game VALUES (?)", (tag,))
    database.close()


def test_restore_gives_back_what_was_backed_up_and_keeps_what_it_replaces(config: Path, tmp_path: Path) -> None:
    backup = backed_up(config, tmp_path / "backup")
    play_on(config, "pirates-8")

    done = script("restore.sh", config, backup)

    assert (done.returncode, done.stderr) == (0, "")
    assert games(config) == ["pirates-7"]
    [kept] = tmp_path.glob("adjudicator.db.before-*")
    database = sqlite3.connect(kept)
    assert database.execute("SELECT count(*) FROM game").fetchone() == (2,)
    database.close()


def test_backup_of_a_running_service_holds_what_was_committed(config: Path, tmp_path: Path) -> None:
    writer = sqlite3.connect(tmp_path / "adjudicator.db", isolation_level=None)
    writer.execute("INSERT INTO game VALUES ('committed')")
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("INSERT INTO game VALUES ('not yet')")

    backup = backed_up(config, tmp_path / "backup")
    writer.execute("ROLLBACK")
    writer.close()

    copy = sqlite3.connect(backup)
    assert copy.execute("SELECT tag FROM game ORDER BY tag").fetchall() == [("committed",), ("pirates-7",)]
    copy.close()


def test_backup_is_readable_by_its_owner_alone(config: Path, tmp_path: Path) -> None:
    assert backed_up(config, tmp_path / "backup").stat().st_mode & 0o777 == 0o600


def test_backup_removes_those_older_than_thirty_days_and_nothing_else(config: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backup"
    folder.mkdir()
    for name, days in (("adjudicator-old.db", 32), ("adjudicator-young.db", 20), ("mine.db", 32)):
        (folder / name).touch()
        then = (folder / name).stat().st_mtime - days * 86400
        os.utime(folder / name, (then, then))

    backup = backed_up(config, folder)

    assert sorted(path.name for path in folder.iterdir()) == sorted([backup.name, "adjudicator-young.db", "mine.db"])


def test_restore_refuses_while_a_process_has_the_database_open(config: Path, tmp_path: Path) -> None:
    backup = backed_up(config, tmp_path / "backup")
    service = sqlite3.connect(tmp_path / "adjudicator.db")
    service.execute("SELECT * FROM game").fetchall()

    done = script("restore.sh", config, backup)
    service.close()

    assert done.returncode == 1
    assert done.stderr == f"process {os.getpid()} has the database open: stop the service first\n"


def test_restore_refuses_a_damaged_backup_and_touches_nothing(config: Path, tmp_path: Path) -> None:
    backup = backed_up(config, tmp_path / "backup")
    backup.write_bytes(backup.read_bytes()[:5000] + b"\xff" * 3000)

    done = script("restore.sh", config, backup)

    assert done.returncode == 1
    assert games(config) == ["pirates-7"]


@pytest.fixture
def two_databases(postgres: Postgres) -> Iterator[tuple[str, str]]:
    """Give the addresses of two empty databases."""
    urls = (postgres.new_database(), postgres.new_database())
    yield urls
    for url in urls:
        postgres.drop(url)


def test_postgresql_backup_restores_into_an_empty_database_only(two_databases: tuple[str, str], tmp_path: Path) -> None:
    first, second = two_databases
    config = tmp_path / "adjudicator.toml"
    config.write_text(f'[database]\nurl = "{first}"\n', encoding="utf-8")
    with psycopg.connect(first.replace("+psycopg", "")) as connection:
        connection.execute("CREATE TABLE game (tag TEXT)")
        connection.execute("INSERT INTO game VALUES ('pirates-7')")
    backup = backed_up(config, tmp_path / "backup")

    into_full = script("restore.sh", config, backup)
    config.write_text(f'[database]\nurl = "{second}"\n', encoding="utf-8")
    into_empty = script("restore.sh", config, backup)

    assert into_full.stderr == f"the database holds 1 tables: create an empty one and name it in {config}\n"
    assert (into_full.returncode, into_empty.returncode, into_empty.stderr) == (1, 0, "")
    with psycopg.connect(second.replace("+psycopg", "")) as connection:
        assert connection.execute("SELECT tag FROM game").fetchall() == [("pirates-7",)]


def test_password_of_the_database_stays_off_command_lines(tmp_path: Path) -> None:
    config = tmp_path / "adjudicator.toml"
    config.write_text('[database]\nurl = "postgresql+psycopg://gm:s%40cret@db.example:5433/games"\n', encoding="utf-8")

    command = [sys.executable, str(DEPLOY / "database_url.py"), str(config)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert printed == "postgresql://gm@db.example:5433/games\ns@cret\n"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
@pytest.mark.parametrize("unit", ["adjudicator.service", "adjudicator-backup.service", "adjudicator-backup.timer"])
def test_systemd_understands(unit: str, tmp_path: Path) -> None:
    for path in DEPLOY.glob("adjudicator*.[st]*"):
        lines = path.read_text(encoding="utf-8").splitlines()
        # The programs are not installed here; systemd looks for them.
        there = ["ExecStart=/bin/true" if line.startswith("ExecStart=") else line for line in lines]
        (tmp_path / path.name).write_text("\n".join(there) + "\n", encoding="utf-8")

    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", tmp_path / unit], check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
