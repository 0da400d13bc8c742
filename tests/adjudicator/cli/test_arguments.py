"""Arguments in any order, mistakes in them in one sentence, and output that a pipe can read."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from adjudicator.cli.app import app
from adjudicator.cli.speaking import fronted
from tests.adjudicator.cli.commands import adjudicator, write_config

PROGRAM = [sys.executable, "-c", "from adjudicator.cli import main; main()"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("check --config a.toml", "--config a.toml check"),
        ("--config a.toml check", "--config a.toml check"),
        ("game status --language=en pirates-1 --config=b", "--language=en --config=b game status pirates-1"),
        ("init --force", "init --force"),
        ("verify -- --config x", "verify -- --config x"),
        ("check --config", "check --config"),
    ],
)
def test_options_of_the_whole_program_may_stand_anywhere(given: str, expected: str) -> None:
    assert fronted(given.split()) == expected.split()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("nonsense", "✗ There is no command nonsense. See: adjudicator --help"),
        ("game crate", "✗ There is no command crate; did you mean create? See: adjudicator game --help"),
        ("init --forse", "✗ There is no option --forse; did you mean --force? See: adjudicator init --help"),
        ("verify", "✗ FILE… is missing. See: adjudicator verify --help"),
        ("selfplay x --seed", "✗ That will not do: Option '--seed' requires an argument. See: adjudicator --help"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_arguments_is_one_sentence_and_exit_code_2(tmp_path: Path, words: str, sentence: str) -> None:
    result = adjudicator(tmp_path, *words.split())

    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"{sentence}\n")


def test_a_number_that_is_none_is_named_with_its_option(tmp_path: Path) -> None:
    result = adjudicator(tmp_path, "selfplay", "pirates", "--games", "many", language="ru")

    assert result.exit_code == 2
    assert result.stderr.startswith("✗ --games не подходит: ")


def test_no_arguments_ask_for_help() -> None:
    result = CliRunner().invoke(app, [])

    assert result.exit_code == 0
    assert "selfplay" in result.stdout


def test_help_speaks_the_language_of_the_configuration(tmp_path: Path) -> None:
    write_config(tmp_path, service='address = "judge@example.org"\nlanguage = "ru"')

    result = CliRunner().invoke(app, ["check", "--help", "--config", str(tmp_path / "adjudicator.toml")])

    assert "Проверить настройки, ключ, базу, ящики и отправку" in result.stdout


def test_the_configuration_may_be_named_by_the_environment(tmp_path: Path) -> None:
    named = tmp_path / "elsewhere.toml"

    result = CliRunner().invoke(app, ["--language", "en", "check"], env={"ADJUDICATOR_CONFIG": str(named)})

    assert result.exit_code == 1
    assert f"There is no configuration {named}." in result.stdout


def test_an_error_is_one_sentence_in_the_language_asked_for(tmp_path: Path) -> None:
    result = adjudicator(tmp_path, "game", "status", language="ru")

    assert (result.exit_code, result.stdout) == (1, "")
    path = tmp_path / "adjudicator.toml"
    assert result.stderr == f"✗ Настроек {path} нет. Создайте их: adjudicator init; другой файл называет --config.\n"


def test_the_program_writes_plain_text_into_a_pipe(tmp_path: Path) -> None:
    run = subprocess.run(
        [*PROGRAM, "--language", "ru", "init"], cwd=tmp_path, capture_output=True, check=True, encoding="utf-8"
    )

    assert run.stdout.splitlines()[0] == "Настройки записаны: adjudicator.toml"
    assert "\x1b" not in run.stdout


def test_a_terminal_without_our_letters_is_spoken_to_all_the_same(tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONIOENCODING": "latin-1"}

    run = subprocess.run([*PROGRAM, "--language", "ru", "init"], cwd=tmp_path, capture_output=True, check=True, env=env)

    assert run.stdout.splitlines()[0] == b"????????? ????????: adjudicator.toml"


def test_a_reader_that_leaves_early_is_no_trouble(tmp_path: Path) -> None:
    help_into_head = subprocess.run(
        ["bash", "-o", "pipefail", "-c", '"$0" "$@" | head -c 10', *PROGRAM, "--help"],
        cwd=tmp_path, capture_output=True, check=False,
    )  # fmt: skip

    assert b"Traceback" not in help_into_head.stderr
