"""``adjudicator demo``: a whole game by real mail on this machine, and everything that came of it in one folder."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Final

from rich.console import Console

from adjudicator.demo import harvest
from adjudicator.demo.cast import company, words
from adjudicator.demo.chance import Chance
from adjudicator.demo.harbour import DATABASE, KEY, RULESET, Harbour, OpenTurn
from adjudicator.demo.page import Game, TurnFacts, page
from adjudicator.demo.postbag import Item, Postbag
from adjudicator.demo.screen import Screen
from adjudicator.demo.troupe import Troupe
from adjudicator.demo.voyage import Voyage
from adjudicator.errors import ConfigError
from adjudicator.fairplay.sources import read_source
from adjudicator.fairplay.verify import Report, verify
from engine.core.contract import Language
from engine.core.registry import ruleset

MADE: Final = (
    harvest.INDEX,
    harvest.LOG,
    harvest.MAILS,
    harvest.MAPS,
    harvest.FONTS,
    harvest.REPORTS,
    KEY,
    DATABASE,
    f"{DATABASE}-wal",
    f"{DATABASE}-shm",
)
"""All that a demonstration leaves in its folder."""


TAKE: Final = 28
"""Which of the games that a seed could give: with the usual seed a short one that has all showpieces."""


@dataclass(frozen=True, slots=True)
class DemoResult:
    """What came of a demonstration: where it lies, how the game ended, every mail, and the check of its log.

    ``unsent`` counts letters that were not handed over, ``seconds`` is the time by the wall.
    """

    folder: Path
    index: Path
    turns: tuple[TurnFacts, ...]
    outcome: str
    mails: tuple[Item, ...]
    check: Report
    unsent: int
    seconds: float


def run(
    folder: Path,
    *,
    seed: str = "demo",
    players: int = 4,
    console: Console | None = None,
    language: Language = "ru",
) -> DemoResult:
    """Play a whole game by mail and leave everything in a folder, which is made; an earlier demonstration in it goes.

    Raises `ConfigError` ``demo-folder`` for a folder with anything else in it, ValueError for a number of players that
    the game or the cast does not have.
    """
    began = perf_counter()
    people = company(players)
    ruleset(RULESET).seats(next(iter(ruleset(RULESET).info.editions.values())), players)
    clear(folder)
    screen = Screen(console or Console(), words(language), language)
    take = f"{TAKE}-{seed}"
    with screen.open(people), Harbour(folder, take, people, language) as harbour:
        told = _Told(harbour, screen)
        Voyage(harbour, Troupe(harbour, Chance(take)), told.turn, told.mail).sail()
        log = harbour.log()
        (folder / harvest.LOG).write_bytes(log)
        check = verify(read_source(harvest.LOG, log), {RULESET: ruleset(RULESET)})
        screen.checked(check)
        reports = harvest.gather(folder, harbour.mail.items, harbour.told())
        game = Game(
            language=language,
            zone=harbour.config.service.zone,
            company=people,
            seats=harbour.seats(),
            titles=harbour.titles(),
            mail=harbour.mail,
            reports=reports,
            turns=told.turns,
            outcome=told.outcome,
            check=check,
            log=log.decode().splitlines(),
            seconds=perf_counter() - began,
        )
        index = folder / harvest.INDEX
        index.write_text(page(game), encoding="utf-8")
        unsent = harbour.unsent()
    seconds = perf_counter() - began
    screen.done(index, len(game.mail.items), seconds)
    return DemoResult(folder, index, tuple(told.turns), told.outcome, tuple(game.mail.items), check, unsent, seconds)


def clear(folder: Path) -> None:
    """Make a folder, or empty it of an earlier demonstration. Raises `ConfigError` if it holds anything else."""
    folder.mkdir(parents=True, exist_ok=True)
    strange = sorted(path.name for path in folder.iterdir() if path.name not in MADE)
    if strange:
        raise ConfigError("demo-folder", where=str(folder), name=strange[0])
    for name in MADE:
        path = folder / name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


class _Told:
    """Keeps what the page will tell of turns, and tells the screen."""

    def __init__(self, harbour: Harbour, screen: Screen) -> None:
        self.turns: list[TurnFacts] = []
        self.outcome = ""
        self._harbour = harbour
        self._screen = screen
        self._open: list[OpenTurn] = []

    def turn(self, opened: OpenTurn | None) -> None:
        """Take note that a turn has opened, or that the game is over, and tell of the one that ended."""
        if self._open:
            self.turns.append(self._facts(self._open[-1]))
            self._screen.turn(self.turns[-1], *_counted(self._harbour.mail, self.turns))
        else:
            self._screen.joined()
        if opened is not None:
            self._open.append(opened)
            return
        self.outcome = self._harbour.outcome()
        self._screen.ended(self.outcome)

    def mail(self, item: Item) -> None:
        """Show a mail that has just been sent."""
        self._screen.moment(item.at, f"{item.writer} → {item.reader}: {item.subject}")

    def _facts(self, turn: OpenTurn) -> TurnFacts:
        row = next(row for row in self._harbour.turns() if row.number == turn.number)
        wind = turn.state.wind
        return TurnFacts(
            number=turn.number,
            rhumb=wind.rhumb,
            force=wind.force,
            opened=turn.opened,
            deadline=row.deadline,
            locked=row.locked or row.deadline,
            ended=row.resolved or row.deadline,
        )


def _counted(mail: Postbag, turns: Sequence[TurnFacts]) -> tuple[int, int]:
    """Return how many letters players wrote in the last turn, and how many answers they had."""
    start = turns[-1].opened
    items = [item for item in mail.items if item.at >= start]
    return sum(item.writer != "judge" for item in items), sum(item.kind == "receipt" for item in items)
