"""Commands run as an operator runs them, in a folder of the test's own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from adjudicator.cli.app import app


def adjudicator(
    folder: Path,
    *args: object,
    language: str = "en",
    env: Mapping[str, str] | None = None,
    stdin: bytes | None = None,
) -> Any:
    """Run a command with the configuration of a folder; an exception that leaves it is the test's."""
    words = ["--config", str(folder / "adjudicator.toml"), "--language", language, *map(str, args)]
    return CliRunner().invoke(app, words, input=stdin, catch_exceptions=False, env=dict(env or {}))


def write_config(folder: Path, **sections: str) -> None:
    """Write a configuration of sections as given; what is left out is a server that nobody asks for."""
    parts = {
        "service": 'address = "judge@example.org"\nlanguage = "en"\nzone = "UTC"',
        "imap": 'host = "127.0.0.1"\nport = 9\nuser = "judge"\nsecurity = "none"',
        "smtp": 'host = "127.0.0.1"\nport = 9\nsecurity = "none"',
        **sections,
    }
    heads = {"imap": "[[imap]]", "maildir": "[[maildir]]"}
    text = "\n".join(f"{heads.get(name, f'[{name}]')}\n{body}\n" for name, body in parts.items() if body)
    (folder / "adjudicator.toml").write_text(text, encoding="utf-8")
