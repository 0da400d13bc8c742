"""The command line: what an operator and a moderator can do from a terminal."""

from __future__ import annotations

import io
import sys

from adjudicator.cli.app import app


def main() -> None:
    """Run the command that the arguments of the process name, and end the process with its exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal without our letters shows a question mark, and goes on
    app()
