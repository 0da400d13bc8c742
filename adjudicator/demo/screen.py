"""The demonstration on the screen: a line a turn, readable in a terminal and in a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from rich.console import Console
from rich.text import Text

from adjudicator.demo.cast import Person, Words
from adjudicator.demo.page import TurnFacts
from adjudicator.fairplay.verify import Report
from adjudicator.words.language import plural
from engine.core.contract import Language


class Screen:
    """Tells how the game goes, as it goes."""

    def __init__(self, console: Console, words: Words, language: Language) -> None:
        self._console = console
        self._words = words
        self._language: Language = language

    @contextmanager
    def open(self, company: Sequence[Person]) -> Iterator[None]:
        """Show the title, and below the last line what is going on, for the length of a block."""
        self._console.rule(Text(self._words.say("title"), "bold"))
        self._line(self._words.say("players", names=", ".join(person.name for person in company)))
        with self._console.status("") as status:
            self._status = status
            yield

    def moment(self, at: datetime, subject: str) -> None:
        """Show the game's clock and the letter in hand; only a terminal sees it."""
        if self._console.is_terminal:
            self._status.update(Text.assemble((f"{at:%d.%m %H:%M}", "dim"), "  ", subject))

    def joined(self) -> None:
        """Say that everybody has come."""
        self._line(self._words.say("joined"))

    def turn(self, turn: TurnFacts, letters: int, answers: int) -> None:
        """Tell of a turn that is resolved."""
        name = self._words.say("turn", turn=turn.number) if turn.number else self._words.say("setup")
        rhumb = "" if turn.force == "calm" else f" {self._words.rhumbs[turn.rhumb]}"
        wind = self._words.say("wind", wind=f"{self._words.say(turn.force)}{rhumb}")
        mails = self._words.say(
            "mails", letters=self._count("letters", letters), answers=self._count("answers", answers)
        )
        end = self._words.say("early" if turn.locked < turn.deadline else "deadline")
        self._line((f"{name:<11}", "bold"), f"  {turn.locked:%d.%m %H:%M}  {wind:<18}  {mails:<23} {end}")

    def ended(self, reason: str) -> None:
        """Say how the game ended."""
        outcomes = self._words.outcomes
        self._line((self._words.say("ended", outcome=outcomes.get(reason, outcomes["other"])), "bold"))

    def checked(self, check: Report) -> None:
        """Say what came of checking the log."""
        replayed = sum(turn.verdict == "replayed" for turn in check.turns)
        if check.replayed:
            self._line((self._words.say("verified", replayed=replayed, turns=len(check.turns)), "green"))
        else:
            faults = ", ".join(fault.kind for fault in check.faults)
            self._line((self._words.say("broken", faults=faults), "red"))

    def done(self, index: Path, mails: int, seconds: float) -> None:
        """Say where to look."""
        self._line(self._words.say("also", mails=mails))
        took = self._words.say("took", seconds=round(seconds))
        self._line((self._words.say("look", path=index), "bold"), f"  ({took})")

    def _count(self, name: str, number: int) -> str:
        forms = self._words.screen[name]
        return plural(number, self._language, *forms).format(n=number)

    def _line(self, *parts: str | tuple[str, str]) -> None:
        """Print a line of parts, each with a style or none; nothing in them is read as markup."""
        self._console.print(Text.assemble(*parts), soft_wrap=True)
