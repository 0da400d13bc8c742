"""The page to look through: the game turn by turn, letters beside their answers, maps, the log and its verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any, Final
from zoneinfo import ZoneInfo

from babel.dates import format_datetime
from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from adjudicator.demo.cast import Person, Words, words
from adjudicator.demo.harvest import MAILS, START, Report, sections
from adjudicator.demo.postbag import Item, Postbag
from adjudicator.demo.scenes import ALL_READY, FORGOTTEN
from adjudicator.fairplay.verify import Report as Verification
from adjudicator.words import html
from adjudicator.words.environment import Phrases
from adjudicator.words.language import plural
from adjudicator.words.text import as_html
from engine.core.contract import Language
from mail.read import read
from mail.text import line_key

LANGUAGES: Final[tuple[Language, ...]] = ("ru", "en")
_PIN: Final = "\n```\n--- pin "


@dataclass(frozen=True, slots=True)
class TurnFacts:
    """A turn as the page tells of it; the wind is that of the turn, ``ended`` when it was resolved."""

    number: int
    rhumb: str
    force: str
    opened: datetime
    deadline: datetime
    locked: datetime
    ended: datetime


@dataclass(frozen=True, slots=True)
class Game:
    """All that the page is made of."""

    language: Language
    zone: str
    company: Sequence[Person]
    seats: Mapping[str, str]
    titles: Mapping[str, Mapping[str, str]]
    mail: Postbag
    reports: Sequence[Report]
    turns: Sequence[TurnFacts]
    outcome: str
    check: Verification
    log: Sequence[str]
    seconds: float


@dataclass(frozen=True, slots=True)
class Card:
    """A letter on the page: who wrote it when and how, its words, and what of it was set aside."""

    item: Item
    who: str
    when: Mapping[str, str]
    words: str | Markup
    aside: str = ""
    count: int = 0
    late: bool = False
    file: str = ""


@dataclass(frozen=True, slots=True)
class Thread:
    """A letter and what came back for it; ``copies`` is how often it came once more."""

    card: Card
    answers: Sequence[Card]
    copies: int = 0


@dataclass(frozen=True, slots=True)
class Chapter:
    """A turn, or what comes before the first."""

    anchor: str
    turn: TurnFacts | None
    dates: Mapping[str, str]
    early: bool
    verdict: str
    threads: Sequence[Thread]
    loose: Sequence[Card]
    reports: Sequence[Report]
    charts: Mapping[str, Report]
    story: Mapping[str, Markup]
    journal: Mapping[str, Markup]
    log: Sequence[str]
    scenes: Sequence[str] = field(default_factory=tuple)


def page(game: Game) -> str:
    """Return the page as HTML that asks nobody for anything."""
    chapters = list(_chapters(game))
    context: dict[str, Any] = {
        "game": game,
        "words": {language: words(language) for language in LANGUAGES},
        "chapters": chapters,
        "things": [(scene, chapter.anchor) for chapter in chapters for scene in chapter.scenes],
        "people": [_player(game, person) for person in game.company],
        "facts": _facts(game),
        "replayed": sum(turn.verdict == "replayed" for turn in game.check.turns),
        "outcome": {language: _outcome(words(language), game.outcome) for language in LANGUAGES},
        "final": {language: _chart(game.reports[-len(game.company) :], language) for language in LANGUAGES},
        "folder": MAILS,
    }
    return _environment().get_template("index.html.j2").render(context)


def _facts(game: Game) -> list[tuple[int, Mapping[str, str]]]:
    """Return the numbers at the head of the page, each with its word."""
    numbers = {
        "turns": game.turns[-1].number,
        "days": (game.turns[-1].ended - game.turns[0].opened).days + 1,
        "letters_in": sum(item.writer != "judge" for item in game.mail.items),
        "letters_out": sum(item.writer == "judge" for item in game.mail.items),
        "seconds": round(game.seconds),
    }
    return [
        (number, {language: plural(number, language, *words(language).screen[name]) for language in LANGUAGES})
        for name, number in numbers.items()
    ]


def _outcome(said: Words, reason: str) -> str:
    return said.outcomes.get(reason, said.outcomes["other"])


@cache
def _environment() -> Environment:
    return Environment(
        loader=FunctionLoader(lambda name: files("templates").joinpath("demo", name).read_text(encoding="utf-8")),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _player(game: Game, person: Person) -> dict[str, Any]:
    used = [item.program for item in game.mail.items if item.writer == person.key and item.program]
    seat = game.seats[person.key]
    return {
        "person": person,
        "titles": game.titles[seat],
        "side": seat.partition("-")[0],
        "programs": list(dict.fromkeys(used)),
    }


# Chapters -------------------------------------------------------------------------------------------------------------


def _chapters(game: Game) -> Iterator[Chapter]:
    verdicts = {turn.turn: turn.verdict for turn in game.check.turns}
    yield _chapter(game, None, game.turns[0].opened, verdicts)
    for place, turn in enumerate(game.turns):
        later = game.turns[place + 1 :]
        yield _chapter(game, turn, later[0].opened if later else None, verdicts)


def _chapter(game: Game, turn: TurnFacts | None, end: datetime | None, verdicts: Mapping[int | None, str]) -> Chapter:
    start = turn.opened if turn else datetime.min.replace(tzinfo=game.turns[0].opened.tzinfo)
    number = turn.number if turn else None
    told = START if turn is None else turn.number
    mails = [item for item in game.mail.items if start <= item.at and (end is None or item.at < end)]
    reports = [report for report in game.reports if report.turn == told]
    threads, loose = _threads(game, mails)
    scenes = dict.fromkeys(item.scene for item in mails if item.scene not in ("", "join"))
    return Chapter(
        anchor="start" if turn is None else f"turn-{turn.number}",
        turn=turn,
        dates=_dates(game, turn),
        early=turn is not None and turn.locked < turn.deadline,
        verdict=verdicts.get(number, "").replace(" ", "_"),
        threads=threads,
        loose=loose,
        reports=reports,
        charts={language: _chart(reports, language) for language in LANGUAGES} if reports else {},
        story={language: _told(reports, language, "story") for language in LANGUAGES},
        journal={language: _told(reports, language, "journal") for language in LANGUAGES},
        log=_lines(game.log, number),
        scenes=(*scenes, *_told_by_silence(turn, game)),
    )


def _told_by_silence(turn: TurnFacts | None, game: Game) -> Iterator[str]:
    """Yield the showpieces in which nobody writes: a turn played by standing orders, forgotten, locked early."""
    if turn is None or turn.number == 0:
        return
    if any(item.scene == "standing" and item.turn == turn.number - 1 for item in game.mail.items):
        yield "absent"
    reminded = {item.reader for item in game.mail.items if item.kind == "reminder" and item.turn == turn.number}
    wrote = {item.writer for item in game.mail.items if item.turn == turn.number and item.writer != "judge"}
    if turn.number == FORGOTTEN and reminded - wrote:
        yield "forgot"
    if turn.number == ALL_READY[0] and turn.locked < turn.deadline:
        yield "ready"


def _lines(log: Sequence[str], number: int | None) -> list[str]:
    mark = f'"turn":{"null" if number is None else number},'
    return [line for line in log if mark in f"{line.rstrip('}')}," or (number is None and '"turn":' not in line)]


def _dates(game: Game, turn: TurnFacts | None) -> dict[str, str]:
    if turn is None:
        return dict.fromkeys(LANGUAGES, "")
    return {
        language: f"{_moment(turn.opened, game.zone, language)} → {_moment(turn.locked, game.zone, language)}"
        for language in LANGUAGES
    }


def _moment(at: datetime, zone: str, language: Language) -> str:
    return format_datetime(at.astimezone(ZoneInfo(zone)), "EEE d MMM, HH:mm", locale=language)


def _chart(reports: Sequence[Report], language: Language) -> Report:
    """Return the report whose map shows most in a language: a Spaniard's, who knows about the gold."""
    mine = [report for report in reports if _language(report) == language] or list(reports)
    return next((report for report in mine if report.item.seat.startswith("spain")), mine[0])


def _told(reports: Sequence[Report], language: Language, heading: str) -> Markup:
    """Return a section of a report in a language, in any that there is where nobody reads that language."""
    told = {_language(report): report for report in reversed(reports)}
    found = told.get(language) or next(iter(told.values()), None)
    if found is None:
        return Markup("")
    title = Phrases(_language(found), "pirates")("heading", heading)
    return _marked_up(sections(found.item.part("plain")).get(str(title), ""))


def _language(report: Report) -> Language:
    return "en" if str(report.item.head.get("Content-Language", "")).startswith("en") else "ru"


def _marked_up(markdown: str) -> Markup:
    """Return Markdown of a letter of ours as clean HTML."""
    return Markup(as_html(html.body(markdown)))  # noqa: S704 - cleaned by an allow-list


# Letters --------------------------------------------------------------------------------------------------------------


def _threads(game: Game, mails: Sequence[Item]) -> tuple[list[Thread], list[Card]]:
    """Return letters with their answers, and what the service wrote unasked; reports are shown apart."""
    threads: list[Thread] = []
    copies: dict[str, int] = {}
    for item in mails:
        if item.writer == "judge":
            continue
        copies[item.message_id] = copies.get(item.message_id, 0) + 1
    answered: set[int] = set()
    for item in mails:
        if item.writer == "judge" or (extra := copies.pop(item.message_id, 0)) == 0:
            continue
        answers = game.mail.answers(item)
        answered |= {one.number for one in answers}
        threads.append(Thread(_letter(game, item), [_answer(game, one) for one in answers], extra - 1))
    unasked = [one for one in mails if one.writer == "judge" and one.kind != "report" and one.number not in answered]
    return threads, [_answer(game, one) for one in unasked]


def _letter(game: Game, item: Item) -> Card:
    """Return a player's letter with his own words, and apart what the service set aside as quoted."""
    quoted = [one for one in game.mail.items if one.message_id == item.in_reply_to]
    keys = frozenset(line_key(line) for one in quoted for line in one.part("plain").splitlines() if line.strip())
    reading = read(item.raw, sent_lines=keys)
    aside = [one.line.raw for one in reading.text.set_aside]
    person = next((one for one in game.company if one.key == item.writer), None)
    return Card(
        item,
        person.name if person else "",
        _whens(item, person.zone if person else game.zone),
        "\n".join(line.raw for line in reading.text.own) or "\n".join(aside),
        "\n".join(aside) if reading.text.own else "",
        len(aside) if reading.text.own else 0,
        late=item.scene == "late",
        file=f"{MAILS}/{item.file}",
    )


def _answer(game: Game, item: Item) -> Card:
    """Return a letter of the service without its pin, its title left to the head of the card."""
    text = item.part("plain").partition(_PIN)[0].partition("\n")[2]
    person = next((one for one in game.company if one.key == item.reader), None)
    zone = person.zone if person else game.zone
    return Card(item, person.name if person else "", _whens(item, zone), _marked_up(text), file=f"{MAILS}/{item.file}")


def _whens(item: Item, zone: str) -> dict[str, str]:
    return {language: _moment(item.at, zone, language) for language in LANGUAGES}
