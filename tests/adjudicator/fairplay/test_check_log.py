"""The short script that travels with the reports: alone, on a bare Python, it finds what is wrong."""

from __future__ import annotations

import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from adjudicator.fairplay import check_log
from adjudicator.fairplay.chain import BEACON_CHAIN
from tests.adjudicator.fairplay.table import Table, whole_game

SCRIPT = Path(check_log.__file__)


def run(folder: Path, *logs: bytes) -> tuple[int, list[str]]:
    files = [folder / f"log-{number}.jsonl" for number, _ in enumerate(logs)]
    for file, log in zip(files, logs, strict=True):
        file.write_bytes(log)
    script = folder / "check_log.py"
    script.write_bytes(SCRIPT.read_bytes())
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-W", "error", script, *files], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


def test_script_is_short_and_needs_the_standard_library_alone() -> None:
    assert len(SCRIPT.read_text("utf-8").splitlines()) <= 80


def value(number: int) -> str:
    return f"drand:{BEACON_CHAIN}:{number}:{sha256(b'%d' % number).hexdigest()}"


@pytest.mark.parametrize(
    "game", [whole_game(), whole_game(10, 0), whole_game(beacon=value)], ids=["", "asks", "beacon"]
)
def test_script_finds_a_whole_game_right(tmp_path: Path, game: Table) -> None:
    assert run(tmp_path, game.file()) == (0, [f"right, head {game.book.head}"])


def test_script_takes_voids_replays_and_new_chains(tmp_path: Path) -> None:
    table = Table()
    table.begin()
    table.hide(2)
    table.search()
    table.void()
    table.search()
    table.correct(1, table.positions[1], [5], crew_3=2)
    table.rekey(b"\x07" * 32)
    table.search()

    assert run(tmp_path, table.file()) == (0, [f"right, head {table.book.head}"])


def test_script_takes_parts_in_any_order(tmp_path: Path) -> None:
    lines = whole_game().file().splitlines(keepends=True)

    code, said = run(tmp_path, b"".join(lines[9:]), b"".join(lines[:9]))

    assert (code, said) == (0, [f"right, head {whole_game().book.head}"])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b'"seats/x1/shuffle/0",2,', b'"seats/x1/shuffle/0",3,', "#8: the die"),
        (b'"phrases":{"crew-1":"', b'"phrases":{"crew-1":"x', "#14: the phrase of crew-1"),
        (b'"seeds":{"main":{"3":"', b'"seeds":{"main":{"3":"00', "#15: seed or entropy of main/3"),
        (b'"crew-2":"-","crew-3":"-"}},"seq":14', b'"crew-2":"-"}},"seq":14', "#15: seed or entropy of main/3"),
        (b'"object":{"hold":3}', b'"object":{"hold":2}', "#10: an opening does not fit"),
        (b'"at":"2026-01-05T18:02:00Z"', b'"at":"2026-01-05T18:02:01Z"', "#20: not the pin's head"),
        (b',"seq":4,', b',"seq":40,', "#4: missing"),
    ],
)
def test_script_finds_what_is_forged(tmp_path: Path, old: bytes, new: bytes, said: str) -> None:
    log = whole_game().file()
    assert old in log
    forged = log.replace(old, new, 1)
    if b'seeds":{"main":{"3"' in old:
        place = forged.index(new) + len(new) + 62
        forged = forged[:place] + forged[place + 2 :]

    code, lines = run(tmp_path, forged)

    assert code == 1
    assert [line for line in lines if line.startswith(said)]
    assert lines[-1].startswith("NOT RIGHT, head ")
