"""``verify`` and ``case``: what anyone can check, with exit code 1 for what does not hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from adjudicator import bootstrap
from adjudicator.config import load
from adjudicator.services import games, logbook, resolving, turns
from tests.adjudicator.cli.commands import adjudicator, write_config

CASES = Path(__file__).parents[2] / "cases" / "pirates"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Give the log of a game of two, with set-up and its first turn resolved."""
    write_config(tmp_path)
    adjudicator(tmp_path, "init")
    with bootstrap.opened(load(tmp_path / "adjudicator.toml")) as house:
        with house.unit("test") as work:
            game = games.create(work, "pirates", 2)
            for name in ("anna", "boris"):
                invitation = games.invite(work, game, f"{name}@example.org")
                games.join(work, game, invitation, phrase=f"{name} says so", arrival=work.now)
            if game.status == "created":
                games.start(work, game)
        for number in (0, 1):
            with house.unit("test") as work:
                turns.process(work, work.game("pirates-1"), number)
            resolving.resolve_due(house)
        with house.look() as work:
            game = work.game("pirates-1", lock=False)
            file = tmp_path / "log.jsonl"
            file.write_bytes(logbook.file_for(work, game, None, 0, game.seq))
    return file


def test_verify_says_of_each_turn_how_far_it_can_be_checked(tmp_path: Path, log: Path) -> None:
    result = adjudicator(tmp_path, "verify", log)

    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert [line.partition(":")[0] for line in lines[1:4]] == ["Start", "Turn 0", "Turn 1"]
    assert lines[1] == "Start: replayed, all agrees"
    assert lines[2].startswith("Turn 0: dice checked; cannot be replayed while sealed: ")
    assert lines[-1].startswith("The log is sound. Head: ")


def test_verify_names_the_line_that_was_altered(tmp_path: Path, log: Path) -> None:
    lines = log.read_text(encoding="utf-8").splitlines()
    [place] = [number for number, line in enumerate(lines) if json.loads(line).get("type") == "open"][1:2]
    lines[place] = lines[place].replace('"deadline":"20', '"deadline":"21')
    log.write_text("\n".join(lines) + "\n", encoding="utf-8")

    result = adjudicator(tmp_path, "verify", log, language="ru")

    assert result.exit_code == 1
    assert "НЕ СХОДИТСЯ" in result.stdout
    assert f"{log}" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("Журнал НЕ цел.")


def test_verify_wants_something_to_verify(tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("nothing of interest\n", encoding="utf-8")

    result = adjudicator(tmp_path, "verify", note)

    assert (result.exit_code, result.stderr) == (1, f"✗ These files hold neither a log nor pins: {note}.\n")


def test_verify_says_which_file_is_missing(tmp_path: Path) -> None:
    result = adjudicator(tmp_path, "verify", tmp_path / "none.jsonl")

    assert (result.exit_code, result.stderr) == (
        1,
        f"✗ The file {tmp_path / 'none.jsonl'} cannot be read: No such file or directory.\n",
    )


def test_cases_that_hold_are_told_one_a_line(tmp_path: Path) -> None:
    result = adjudicator(tmp_path, "case", CASES / "currents.case")

    assert (result.exit_code, result.stderr) == (0, "")
    assert {line.split()[0] for line in result.stdout.splitlines()} == {"ok"}


def test_a_case_that_fails_says_why(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.case"
    wrong.write_text(
        "ruleset pirates\n\n=== X1 a wish\n--- start\n--- dice\nwind/x1/rhumb/0 = 1\nwind/x1/force/0 = 2\n"
        "--- outcome\nspain gold-home spain-1\n",
        encoding="utf-8",
    )

    result = adjudicator(tmp_path, "case", wrong, CASES / "currents.case")

    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0] == "FAIL X1: outcome is «none», not «spain gold-home spain-1»"
    assert {line.split()[0] for line in lines[1:]} == {"ok"}


def test_a_case_file_that_cannot_be_read_is_a_failure_and_stops_no_other(tmp_path: Path) -> None:
    broken = tmp_path / "broken.case"
    broken.write_text("no ruleset here\n", encoding="utf-8")

    result = adjudicator(tmp_path, "case", broken, CASES / "currents.case")

    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0].startswith("FAIL broken.case: line 1: ")
    assert len(lines) > 1
