"""The terminal a command speaks to: sentences, tables, progress; plain text where nobody sits before it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TextIO

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn
from rich.table import Table
from rich.text import Text

from adjudicator.cli.phrases import Language, Phrases, phrases, printable
from adjudicator.config import Config, load
from adjudicator.words.language import moment

_PIPE_WIDTH: Final = 200
"""Characters a table may take where no terminal limits it."""


def _console(stream: TextIO) -> Console:
    console = Console(file=stream, highlight=False, markup=False, emoji=False)
    return console if console.is_terminal else Console(file=stream, highlight=False, markup=False, width=_PIPE_WIDTH)


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where a command reads its configuration and says what came of it."""

    config_path: Path
    say: Phrases
    out: Console = field(default_factory=lambda: _console(sys.stdout))
    err: Console = field(default_factory=lambda: _console(sys.stderr))

    @property
    def language(self) -> Language:
        """The reader's language."""
        return self.say.language

    def config(self) -> Config:
        """Read the configuration. Raises `ConfigError`."""
        return load(self.config_path)

    def tell(self, key: str, /, *, style: str = "", **facts: Any) -> None:
        """Print the phrase of a key."""
        self.print(self.say(key, **facts), style=style)

    def warn(self, key: str, /, **facts: Any) -> None:
        """Print the phrase of a key where troubles are told."""
        self.err.print(Text(self.say(key, **facts)), soft_wrap=True)

    def print(self, text: str, *, style: str = "") -> None:
        """Print text of ours, or of others that `printable` has gone through."""
        self.out.print(Text(text, style=style), soft_wrap=True)

    def json(self, value: Any) -> None:
        """Print one object as JSON. Nothing is left out, and what could drive a terminal is escaped (RFC 8259, 7)."""
        text = json.dumps(value, ensure_ascii=False, indent=2)
        self.out.print(Text("".join(map(_escaped, text))), soft_wrap=True)

    def table(self, group: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """Print a table whose heads are the phrases ``<group>.<column>``."""
        table = Table(box=SIMPLE_HEAD, pad_edge=False)
        for column in columns:
            table.add_column(Text(self.say(f"{group}.{column}")), overflow="fold")
        for row in rows:
            table.add_row(*(Text(_cell(cell)) for cell in row))
        self.out.print(table)

    def when(self, instant: str, zone: str) -> str:
        """Return an instant (ISO 8601) in a zone, with its offset."""
        at = moment(instant, zone, self.language)
        return self.say("moment", day=at.day, clock=at.clock, offset=at.offset)

    @contextmanager
    def progress(self, key: str, total: int) -> Iterator[Progress]:
        """Show a bar on a terminal, nothing elsewhere; ``advance(0)`` of it counts one more."""
        bar = Progress(
            TextColumn(self.say(key)), BarColumn(), MofNCompleteColumn(), TaskProgressColumn(),
            console=self.err, disable=not self.err.is_terminal, transient=True,
        )  # fmt: skip
        bar.add_task(key, total=total)
        with bar:
            yield bar


def _escaped(char: str) -> str:
    if char == "\n" or printable(char) == char or ord(char) > 0xFFFF:
        return char
    return f"\\u{ord(char):04x}"


def _cell(value: Any) -> str:
    return "" if value is None else printable(str(value))


def terminal(config_path: Path, language: Language) -> Terminal:
    """Return the terminal of this process."""
    return Terminal(config_path, phrases(language))
