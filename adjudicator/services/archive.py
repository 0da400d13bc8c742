"""A game as static pages: index, turns, ships' logs, dice, in both languages; nothing in them is fetched or run (1.10).

Before the end only what everybody knows is told; afterwards all that was opened, names of an anonymous game too. A game
with texts that may never go out is told then as well as everybody knows it.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from adjudicator.clock import iso
from adjudicator.fairplay.sources import read_source
from adjudicator.fairplay.verify import verify
from adjudicator.letters import Closing, Reader, Report
from adjudicator.services import (
    casefile,
    closing,
    ending,
    farewells,
    history,
    logbook,
    people,
    positions,
    press,
    render,
)
from adjudicator.services.positions import Table
from adjudicator.services.render import SHARED, Room, Unfolded, unfolded, voice_of
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Turn
from adjudicator.words import forum, html
from adjudicator.words.environment import source
from adjudicator.words.layout import fold, table
from adjudicator.words.text import Markdown, as_html, bare, player
from engine.core import registry
from engine.core.contract import MODERATOR, PUBLIC, Language, Outcome, Seat

LANGUAGES: Final[tuple[Language, ...]] = ("ru", "en")
LOG: Final = "log.jsonl"
CHECKER: Final = "check_log.py"
PLACES: Final = ("index", "journal", "dice")
_DATE: Final = (1980, 1, 1, 0, 0, 0)
"""Of the files in a packed archive: the same game gives the same bytes."""


@dataclass(frozen=True, slots=True)
class _Told:
    """A resolved turn as the pages tell of it in one language."""

    turn: Turn
    report: Report
    words: Unfolded
    orders: tuple[casefile.SeatOrders, ...]
    verdict: str


def pages(work: Work, game: Game) -> dict[str, bytes]:
    """Return all files of a game's archive by name, as far as it may be public now."""
    at = positions.table(game)
    log = logbook.file_for(work, game, None, 0, game.seq)
    verdicts = {turn.turn: turn.verdict for turn in verify(read_source(game.tag, log), registry.rulesets()).turns}
    found: dict[str, bytes] = {
        LOG: log,
        CHECKER: files("adjudicator.fairplay").joinpath(CHECKER).read_bytes(),
    }
    closed = closing.gather(work, at) if game.status == "finished" else None
    for language in LANGUAGES:
        book = _Book(work, at, language, closed, verdicts)
        found |= {name: text.encode() for name, text in book.pages()}
        found |= dict(book.maps())
    return dict(sorted(found.items()))


def packed(found: Mapping[str, bytes], folder: str) -> bytes:
    """Return files as a zip archive, in a folder of that name; the same files give the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(found.items()):
            archive.writestr(zipfile.ZipInfo(f"{folder}/{name}", _DATE), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def file_name(stem: str, language: Language) -> str:
    """Return the name of a page: Russian is the plain one."""
    return f"{stem}.html" if language == "ru" else f"{stem}.{language}.html"


class _Book:
    """The pages of a game in one language."""

    def __init__(
        self, work: Work, at: Table, language: Language, closed: Closing | None, verdicts: Mapping[int | None, str]
    ) -> None:
        self._work = work
        self._at = at
        self._game = at.game
        self._language = language
        self._closed = closed
        whole = closed is not None and not ending.kept_inside(work, at)
        viewer: Seat = MODERATOR if whole else PUBLIC
        self._titles = people.seat_titles(work, at.game)
        self._reader = Reader(
            name="", language=language, zone=at.header.zone, seat=MODERATOR if viewer == MODERATOR else ""
        )
        self._told = [self._tell(turn, verdicts) for turn in history.resolved(work, at.game)]
        self._voice = self._told[-1].words.voice if self._told else voice_of(self._reader, at.head)

    def _tell(self, turn: Turn, verdicts: Mapping[int | None, str]) -> _Told:
        report = history.retold(self._work, self._at, turn, self._reader)
        orders = casefile.locked_orders(self._work, self._at, turn, self._reader, PUBLIC)
        return _Told(turn, report, unfolded(report), orders, verdicts.get(turn.number, ""))

    def say(self, group: str, key: str, facts: Any = None) -> Markdown:
        """Return a phrase."""
        return self._voice(group, key, facts)

    # Files ------------------------------------------------------------------------------------------------------------

    def pages(self) -> Iterator[tuple[str, str]]:
        """Yield the pages by name."""
        yield self._page("index", str(self._index()), self._title())
        yield self._page("journal", self._journals(), self.say("archive", "journal"))
        yield self._page("dice", self._dice(), self.say("archive", "dice"))
        for place, told in enumerate(self._told):
            title = self.say("archive", "turn", {"turn": told.turn.number, "revision": told.turn.revision})
            yield self._page(f"turn-{told.turn.number}", self._turn(place), title)

    def maps(self) -> Iterator[tuple[str, bytes]]:
        """Yield the maps by name."""
        for told in self._told:
            yield self._map(told.turn.number), told.words.picture.png()

    def _map(self, number: int) -> str:
        return f"map-{number}.{self._language}.png"

    def _page(self, stem: str, body: str, title: Markdown) -> tuple[str, str]:
        other: Language = "en" if self._language == "ru" else "ru"
        elsewhere = voice_of(_reader(other, self._at), self._at.head)
        pin = logbook.pin(self._game)
        facts = {"campaign": self._game.campaign, "seq": pin.seq, "head": pin.head}
        here = file_name(stem, self._language)
        name = bare(self._title())
        text = _frame().render(
            language=self._language,
            title=name if stem == "index" else f"{bare(title)} · {name}",
            game=name,
            home=file_name("index", self._language),
            places=[(bare(self.say("archive", key)), file_name(key, self._language)) for key in PLACES],
            here=here,
            other=file_name(stem, other),
            other_language=other,
            other_name=bare(elsewhere("archive", "tongue")),
            turns=[(one.turn.number, file_name(f"turn-{one.turn.number}", self._language)) for one in self._told],
            turns_name=bare(self.say("archive", "turns")),
            style=Markup(source(f"{SHARED}/archive.css") or ""),  # noqa: S704 - a file of ours
            body=Markup(as_html(html.body(fold(body, render.UNFOLDED)))),  # noqa: S704 - cleaned by an allow-list
            footer=bare(self.say("archive", "footer", facts)),
        )
        return here, text

    # What is told -----------------------------------------------------------------------------------------------------

    def _title(self) -> Markdown:
        return Markdown(f"{self.say('ruleset', 'title')} · {player(self._game.tag)}")

    def _index(self) -> str:
        head = self._at.head
        edition = self.say("", "edition", {"edition": head.edition})
        parts = [f"# {self._title()}", str(edition)]
        if self._closed and self._game.finished:
            parts += [self.say("archive", "finished", {"at": iso(self._game.finished)}), self._outcome()]
        else:
            parts.append(self.say("archive", "running"))
        if self._told:
            last = self._told[-1]
            parts.append(f"![{last.words.alt}]({self._map(last.turn.number)})")
        parts += [f"## {self.say('heading', 'players')}", "\n".join(f"- {row}" for row in self._players())]
        parts += [f"## {self.say('archive', 'turns')}", self._turns()] if self._told else []
        said = render.terms(head, self._voice)
        parts += [f"## {self.say('heading', 'terms')}", self.say("archive", "terms", {"text": said})]
        if self._closed:
            parts += self._words_left()
        parts += [f"## {self.say('archive', 'check')}", self.say("archive", "log")]
        return "\n\n".join(part for part in parts if part)

    def _outcome(self) -> str:
        """Say how the game ended: as its last event has it."""
        entry = logbook.entries(self._work, self._game, 0, self._game.seq)
        finish = next(event for one in entry if (event := json.loads(one.event))["type"] == "finish")
        state = self._at.ruleset.outcome(history.final_state(self._work, self._at))
        outcome = state or Outcome(reason=finish["reason"], rule="")
        facts = {"reason": outcome.reason, "sides": outcome.sides, "facts": outcome.facts}
        said = f"**{self.say('outcome', outcome.reason, facts)}**"
        titles = [self._voice.title(self._titles[seat]) for seat in outcome.winners]
        if titles:
            said += f"\n\n{self.say('outcome', 'winners', {'titles': titles, 'first': bool(outcome.facts)})}"
        return said

    def _players(self) -> Iterator[Markdown]:
        """Yield the seats, with their holders where everybody may know them by now."""
        if self._closed:
            names = {one.seat: one.name for one in self._closed.names}
        elif self._at.header.names == "shown":
            tenures = people.tenures(self._work, self._game)
            names = {one.seat: people.player(self._work, one.player_id).name for one in tenures}
        else:
            names = {}
        for seat, titles in self._titles.items():
            yield self.say("roster", "row", {"title": self._voice.title(titles), "name": names.get(seat, "")})

    def _turns(self) -> str:
        rows = []
        for told in self._told:
            title = self.say("archive", "turn", {"turn": told.turn.number, "revision": told.turn.revision})
            link = f"[{title}]({file_name(f'turn-{told.turn.number}', self._language)})"
            when = self.say("archive", "dated", {"at": told.report.resolved_at})
            rows.append((link, str(when), str(self._verdict(told))))
        head = [str(self.say("archive", f"row_{key}")) for key in ("turn", "when", "checked")]
        return str(table(head, rows, render.UNFOLDED))

    def _verdict(self, told: _Told) -> Markdown:
        known = {"replayed": "replayed", "dice checked": "checked", "broken": "broken"}
        return self.say("archive", known.get(told.verdict, "unchecked"))

    def _words_left(self) -> list[str]:
        """Return players' farewells, the press that is published, and who looked at what was sealed."""
        parts: list[str] = []
        said = farewells.all_of(self._work, self._game)
        if said:
            parts.append(f"## {self.say('heading', 'farewells')}")
            parts += [
                str(self.say("farewell", "row", {**one, "title": self._voice.title(one["titles"])})) for one in said
            ]
        letters = press.published(self._work, self._game)
        if letters:
            parts.append(f"## {self.say('heading', 'press')}")
            parts += [str(render.published(one, self._voice)) for one in letters]
        looks = [f"- {self.say('looks', 'row', one)}" for one in self._closed.looks] if self._closed else []
        parts += [f"## {self.say('heading', 'looks')}", "\n".join(looks) or str(self.say("looks", "none"))]
        return parts

    def _turn(self, place: int) -> str:
        told = self._told[place]
        title = self.say("archive", "turn", {"turn": told.turn.number, "revision": told.turn.revision})
        when = self.say("archive", "dated", {"at": told.report.resolved_at})
        parts = [f"# {title}", f"{when} · {self._verdict(told)}"]
        quiet = {str(told.words.voice("heading", key)) for key in ("asked", "next")}
        for section in forum.sections(told.words.markdown):
            if not section.heading or section.heading in quiet:
                continue
            parts.append(f"## {section.heading}")
            if told.words.shown in section.blocks:
                parts.append(f"![{told.words.alt}]({self._map(told.turn.number)})")
                continue
            parts += [block for block in section.blocks if not block.startswith(str(told.words.terms)[:12])]
        parts += self._orders(told)
        around = [("before", place - 1), ("after", place + 1)]
        links = [
            self.say("archive", key, {"turn": self._told[other].turn.number})
            for key, other in around
            if 0 <= other < len(self._told)
        ]
        return "\n\n".join([*parts, " · ".join(links)])

    def _orders(self, told: _Told) -> list[str]:
        """Return the orders of a turn that are open to all, seat by seat."""
        open_ones = [one for one in told.orders if one.orders]
        parts = [f"## {self.say('archive', 'orders')}"] if open_ones else []
        for one in open_ones:
            lines = [
                f"    {player(line)}    # {told.words.voice('origin', origin)}" for line, origin in one.orders or ()
            ]
            parts += [f"**{self._voice.title(self._titles[one.seat])}**", "\n".join(lines)]
        return parts

    def _journals(self) -> str:
        """Return every piece's журнал through the whole game."""
        room = Room(self._game.ruleset)
        found: dict[str, list[str]] = {}
        names: dict[str, str] = {}
        for told in self._told:
            view = room.view(told.report.view)
            voice = told.words.voice
            for page in room.tell(view, room.events(told.report.events)).journal:
                dated = voice("journal", "dated", {"turn": told.turn.number, "at": told.report.resolved_at})
                lines = "; ".join(voice("journal", one.key, one.facts) for one in page.lines)
                link = f"[{dated}]({file_name(f'turn-{told.turn.number}', self._language)})"
                found.setdefault(page.piece, []).append(f"- {link}: {lines}.")
                names[page.piece] = str(voice("journal", "piece", page.facts))
        parts = [f"# {self.say('archive', 'journal')}"]
        for piece in sorted(found):
            parts += [f"## {names[piece]}", "\n".join(found[piece])]
        return "\n\n".join(parts if found else [*parts, str(self.say("archive", "no_journal"))])

    def _dice(self) -> str:
        parts = [f"# {self.say('archive', 'dice')}"]
        if self._closed:
            told = render.statistics(self._closed, self._voice)
            head = [str(self.say("statistics", key)) for key in ("what", "count", "mean", "expected", "faces")]
            parts += [f"## {self.say('heading', 'statistics')}", str(self.say("statistics", "intro"))]
            parts += [str(table(head, told["dice"], render.UNFOLDED)), *told["unusual"], *told["luck"]]
        parts.append(f"## {self.say('archive', 'all_faces')}")
        heads = [str(self.say("dice", f"head_{key}")) for key in ("address", "face", "what")]
        for one in self._told:
            parts.append(f"### {self.say('archive', 'turn', {'turn': one.turn.number})}")
            for batch in render.dice_table(one.report.dice, one.words.voice):
                parts += [str(self.say("dice", "batch", batch)), str(table(heads, batch["rows"], render.UNFOLDED))]
            seeds = [f"    {stream} {batch}  {seed}" for stream, batch, seed in one.report.seeds]
            parts += [str(self.say("seeds", "intro")), "\n".join(seeds)] if seeds else []
        return "\n\n".join(map(str, parts))


def _reader(language: Language, at: Table) -> Reader:
    return Reader(name="", language=language, zone=at.header.zone)


@cache
def _frame() -> Any:
    environment = Environment(
        loader=FunctionLoader(source), undefined=StrictUndefined, autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template(f"{SHARED}/archive.html.j2")
