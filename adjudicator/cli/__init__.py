"""The command line: what an operator and a moderator can do from a terminal."""

from __future__ import annotations

from adjudicator.cli.app import app


def main() -> None:
    """Run the command that the arguments of the process name, and end the process with its exit code."""
    app()
