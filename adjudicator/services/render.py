"""Letters in words: a letter's value becomes subject, Markdown, HTML, pictures and files; no clock, no database."""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote, urlencode

import icalendar
import msgspec

from adjudicator.fairplay import log
from adjudicator.letters import (
    Closing,
    DieThrown,
    GameHead,
    LineVerdict,
    Notice,
    Pin,
    Purpose,
    Reader,
    Receipt,
    Rendered,
    Report,
    SeatStatus,
)
from adjudicator.services.pictures import Picture
from adjudicator.words import html
from adjudicator.words.environment import Phrases
from adjudicator.words.environment import render as fill
from adjudicator.words.language import hundredths, instant, moment
from adjudicator.words.layout import fold
from adjudicator.words.text import HTML_ONLY, Markdown, as_markdown, bare, player
from engine.core import codec
from engine.core.contract import MODERATOR, Complaint, Note, Question
from engine.core.drawing import Drawing, Label
from engine.core.registry import ruleset
from engine.core.story import JournalPage, Scene, Step, Tale

LONGEST_LINK: Final = 1800
"""Characters of a ``mailto:`` link; longer ones are left out (play-by-mail 5)."""

MAP: Final = "map"
TILES: Final = "tiles"
FAULT: Final = "fault"
"""Content-IDs of the map, of a sheet of tiles, of a drawing that shows why a line was refused."""

TERMS: Final = (
    "schedule",
    "phases",
    "early",
    "missed",
    "absence_days",
    "press",
    "press_read",
    "press_published",
    "names",
    "who_in",
    "dice",
    "open_orders",
    "moderator",
)
"""The switches of the header, in the order they are printed (play-by-mail 0)."""

DATED: Final = ("deadline-moved", "grace")
"""Notices that carry the new deadline as a calendar entry."""

_HOURS: Final = re.compile(r"([0-9]{1,4})h")

Facts = Mapping[str, Any]


def render(letter: Receipt | Report | Notice) -> Rendered:
    """Return a letter in the words of its reader. The same value gives the same bytes, whenever it is rendered.

    Raises LookupError for a key that has no phrase: a rule or service has learnt a word that the templates do not know.
    """
    match letter:
        case Report():
            return _report(letter)
        case Receipt():
            return _receipt(letter)
        case Notice():
            return _notice(letter)


# The voice ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Voice:
    """The phrases of a reader's language for a ruleset, and the cast of names that they speak of."""

    say: Phrases
    cast: dict[str, Any]
    reader: Reader

    def __call__(self, group: str, key: str, facts: Any = None) -> Markdown:
        """Return a phrase filled with facts."""
        return self.say(group, key, facts, self.cast)

    def label(self, label: Label) -> str:
        """Return the words of a label for a picture."""
        return bare(self("label", label.key, label.facts))

    def picture(self, drawing: Drawing) -> Picture:
        """Return a drawing with its labels in the reader's words."""
        return Picture(drawing, self.label, f"{self.say.ruleset}/{self.say.language}")

    def title(self, titles: Mapping[str, str]) -> str:
        """Return a seat's title in the reader's language, as it is called now where the game has renamed it."""
        seat = next((seat for seat, own in self.cast.get("created", {}).items() if own == titles), "")
        titles = self.cast["titles"].get(seat, titles)
        return titles.get(self.reader.language) or next(iter(titles.values()), "")


def voice_for(reader: Reader, head: GameHead, view: Any) -> Voice:
    """Return the voice for a reader in a game, with the names of what he sees."""
    return voice_of(reader, head, view, Room(head.ruleset))


def voice_of(reader: Reader, head: GameHead | None, view: Any = None, room: Room | None = None) -> Voice:
    """Return the voice of a reader's language, with the names that a view knows."""
    cast: dict[str, Any] = {"zone": reader.zone, "titles": {}, "ships": {}}
    if head is not None and head.header.get("dice") == "beacon":  # then phrases for the dice are not asked for
        cast["beacon"] = True
    if room is not None:
        created = room.titles(view)
        cast |= room.cast(view) | {"created": created, "titles": created | room.called(view)}
    return Voice(Phrases(reader.language, head.ruleset if head else ""), cast, reader)


@dataclass(frozen=True, slots=True)
class Room:
    """What a ruleset tells of its views: the story, the names in it, the drawing."""

    name: str

    @property
    def story(self) -> Any:
        """The ruleset's storyteller."""
        return importlib.import_module(f"engine.{self.name}.story")

    @property
    def _draws(self) -> Any:
        """The ruleset's drawings; not all have each of them."""
        return importlib.import_module(f"engine.{self.name}.draw")

    def view(self, text: str) -> Any:
        """Read a view."""
        return codec.decode(text, self.story.VIEW)

    def events(self, texts: Sequence[str]) -> tuple[Any, ...]:
        """Read events."""
        kind = ruleset(self.name).info.event
        return tuple(codec.decode(text, kind) for text in texts)

    def tell(self, view: Any, events: Sequence[Any]) -> Tale:
        """Return the story of a turn."""
        tale: Tale = self.story.tell(view, events)
        return tale

    def steps(self, view: Any, events: Sequence[Any]) -> tuple[Step, ...]:
        """Return the events one by one, each with the rule that brought it about."""
        steps: tuple[Step, ...] = self.story.steps(view, events)
        return steps

    def cast(self, view: Any) -> dict[str, Any]:
        """Return who and what the phrases name."""
        cast: dict[str, Any] = self.story.cast(view)
        return cast

    def titles(self, view: Any) -> dict[str, dict[str, str]]:
        """Return the titles of all seats."""
        seats = ruleset(self.name).seats(view.options, len(view.roster))
        return {seat.id: seat.titles for seat in seats}

    def called(self, view: Any) -> dict[str, dict[str, str]]:
        """Return the titles of seats that are called otherwise in this position than as the game was created."""
        called = getattr(self.story, "called", None)
        return called(view) if called is not None else {}

    def drawing(self, view: Any, events: Sequence[Any]) -> Drawing:
        """Return the board, with what the events add to it."""
        drawing: Drawing = self._draws.draw(view, events)
        return drawing

    def fault(self, view: Any, complaint: Complaint) -> Drawing | None:
        """Return the drawing that shows why a line was refused, if the ruleset has one for it."""
        draw = getattr(self._draws, "fault", None)
        return draw(view, complaint) if draw is not None else None

    def gallery(self) -> Drawing | None:
        """Return the sheet of a ruleset's tiles with their names, if it has one: it goes with its rules."""
        draw = getattr(self._draws, "gallery", None)
        return draw() if draw is not None else None


# Reports --------------------------------------------------------------------------------------------------------------


def _report(letter: Report) -> Rendered:
    voice, context, drawing = _report_context(letter)
    shape = f"preview_{letter.preview}" if letter.preview else context["shape"]
    subject = _subject(letter.head, voice("subject", shape, context["letter_facts"]))
    picture = voice.picture(drawing)
    whole = _letter("report", subject, voice, context, ((MAP, picture.png()),))
    files = [(f"{MAP}.svg", "image/svg+xml", picture.svg.encode())]
    if letter.deadline and letter.pin is not None:
        files.append(calendar(letter.head, letter.reader, letter.next_turn, letter.deadline, letter.pin))
    return _with_files(whole, files)


@dataclass(frozen=True, slots=True)
class Unfolded:
    """A report before it is laid out for a mail: armoured Markdown with a paragraph a line, its voice and its map."""

    voice: Voice
    markdown: str
    picture: Picture
    alt: Markdown
    shown: Markdown
    """The line that shows the map, in Markdown."""
    terms: Markdown
    """The line that says how the game is played."""


def unfolded(letter: Report) -> Unfolded:
    """Return a report in words that are still to be laid out: for forums and pages."""
    voice, context, drawing = _report_context(letter)
    markdown = fill(f"{SHARED}/report.md.j2", voice.reader.language, voice.say.ruleset, c=voice.cast, **context)
    alt = voice("label", drawing.alt.key, drawing.alt.facts)
    return Unfolded(
        voice, fold(markdown, UNFOLDED), voice.picture(drawing), alt, context["picture"], context["terms_line"]
    )


UNFOLDED: Final = 1_000_000
"""Columns that no paragraph fills."""


def _report_context(letter: Report) -> tuple[Voice, dict[str, Any], Drawing]:
    room = Room(letter.head.ruleset)
    view, events = room.view(letter.view), room.events(letter.events)
    voice = voice_of(letter.reader, letter.head, view, room)
    tale = room.tell(view, events)
    drawing = room.drawing(view, events)
    shape = "last" if letter.outcome else "opening" if letter.turn < 0 else "report"
    facts = {"turn": letter.turn, "revision": letter.revision}
    context = {
        **_common(letter, voice),
        "shape": shape,
        "letter_facts": facts,
        **_demands(letter, voice),
        **_told(voice, tale),
        **_map(voice, drawing),
        **_end(letter, voice),
        "dice": dice_table(letter.dice, voice),
        "titles": {seat: voice.title(titles) for seat, titles in voice.cast["titles"].items()},
        "mailto": _mailto(letter, voice),
        "roster": _roster(letter, voice),
        "closing": statistics(letter.closing, voice) if letter.closing else None,
        "corrections": [{**one, "title": voice.title(one.get("titles", {}))} for one in letter.corrections],
        "options": _options(letter.head, voice),
        "brief": voice("rules", "brief") if shape == "opening" else "",
        "clock": moment(letter.resolved_at, letter.reader.zone, letter.reader.language),
    }
    if letter.preview:
        context["preview"] = voice("preview", f"mark_{letter.preview}", facts)
    context["corrected"] = _corrected(letter, room, voice, view)
    return voice, context, drawing


def _corrected(letter: Report, room: Room, voice: Voice, view: Any) -> list[Markdown]:
    """Say of a turn resolved again who had it done and why, and what is different for this reader (play-by-mail 6)."""
    told = letter.corrected
    if told is None:
        return []
    title = voice.title(told["titles"]) if told["titles"] else ""
    key = "preview" if letter.preview else "note"
    opens = letter.next_turn if letter.next_turn >= 0 and letter.reader.seat else None
    parts = [voice("corrected", key, {**told, "turn": letter.turn, "seat_title": title, "open": opens})]
    if told["orders"]:
        lines = [line for order in told["orders"] for line in order.splitlines()]
        parts += [voice("corrected", "orders"), _code(lines)]
    same = len(parts)
    earlier = room.view(told["before"]) if told.get("before") else view
    then = voice_of(letter.reader, letter.head, earlier, room)
    for key, seen, speaks in (("gone", earlier, then), ("new", view, voice)):
        lines = [_step(step, speaks) for step in room.steps(seen, room.events(told[key]))]
        if lines:
            parts += [voice("corrected", key), Markdown("\n".join(f"- {line}" for line in lines))]
    return parts if len(parts) > same else [*parts, voice("corrected", "same")]


def _step(step: Step, voice: Voice) -> Markdown:
    said = voice("journal", step.scene.key, step.scene.facts)
    return Markdown(f"{voice('journal', 'piece', step.piece)}: {said}" if step.piece else said)


def _common(letter: Report | Receipt, voice: Voice) -> dict[str, Any]:
    head, reader = letter.head, letter.reader
    title = voice.title(reader.titles) or (voice("judge", "title") if reader.seat == MODERATOR else "")
    seat = {"title": title, "name": reader.name}
    return {
        "letter": letter,
        "head": head,
        "game_title": Markdown(f"{voice('ruleset', 'title')}, {voice('', 'edition', {'edition': head.edition})}"),
        "who": voice("head", _rank(letter), seat),
        "terms": _terms(head, voice, "; "),
        "terms_line": voice("terms", "line", {"text": _terms(head, voice, "; ")}),
        "others": _others(letter, voice),
        "pin": _foot(letter, voice),
    }


def _rank(letter: Report | Receipt) -> str:
    """Say as what a letter is read: for a seat, by an observer, as the moderator's copy, or by anybody."""
    if letter.reader.seat:
        return "moderator" if letter.reader.seat == MODERATOR else "seat"
    if isinstance(letter, Report) and letter.forum:
        return "copy"
    return "observer" if letter.reader.address else "public"


def _terms(head: GameHead, voice: Voice, between: str) -> Markdown:
    """Say how the game is played (play-by-mail 0)."""
    hours = _HOURS.fullmatch(str(head.header.get("schedule", "")))
    said = [
        voice(
            "term",
            name,
            {
                "value": head.header[name],
                "hours": int(hours[1]) if hours else 0,
                "press": head.header.get("press"),
                "header": head.header,
            },
        )
        for name in TERMS
        if name in head.header
    ]
    return Markdown(between.join(one for one in said if one))


def _others(letter: Report | Receipt, voice: Voice) -> Markdown:
    count = letter.count_in if isinstance(letter, Receipt) else None
    facts = {"others": [_other(seat, voice) for seat in letter.others], "count": count}
    return voice("", "others", {**facts, "seated": letter.reader.seat not in ("", MODERATOR)})


def _other(seat: SeatStatus, voice: Voice) -> Markdown:
    word = voice("word", seat.word.replace(" ", "_")) if seat.word else ""
    return voice(
        "other", "seat", {"title": voice.title(seat.titles), "name": seat.name, "word": word, "waits": seat.waits}
    )


def terms(head: GameHead, voice: Voice) -> Markdown:
    """Say how the game is played, in one sentence without its full stop (play-by-mail 0)."""
    return _terms(head, voice, "; ")


def _roster(letter: Report, voice: Voice) -> list[Markdown]:
    """Name every seat and, where the game shows them, its holder."""
    names = {seat.seat: seat.name for seat in letter.others} | {letter.reader.seat: letter.reader.name}
    return [
        voice("roster", "row", {"title": voice.title(titles), "name": names.get(seat, "")})
        for seat, titles in voice.cast["titles"].items()
    ]


def _options(head: GameHead, voice: Voice) -> Markdown:
    """Say which switches of the rules differ from the ruleset's first edition."""
    info = ruleset(head.ruleset).info
    usual = codec.plain(info.options())
    said = [
        voice("option", name, {"value": value})
        for name, value in sorted(head.options.items())
        if usual.get(name, getattr(info.options(), name, None)) != value and voice.say.has("option", name)
    ]
    return voice("options", "changed" if said else "default", {"options": said})


def _demands(letter: Report, voice: Voice) -> dict[str, Any]:
    """Say what is asked of the reader and by when."""
    heading = "asked" if letter.reader.seat else "next"
    if letter.outcome or letter.next_turn < 0:
        return {"asked_heading": heading, "asked_by": "", "asked": []}
    facts = {"turn": letter.next_turn, "deadline": letter.deadline, "since": letter.resolved_at}
    owing = [slot for slot in letter.asked if not slot.get("optional")]
    key = "by" if owing else "judge" if letter.judge_awaited else "nothing" if letter.reader.seat else "observer"
    kinds = dict.fromkeys(slot["what"] for slot in letter.asked)
    asked = [voice("ask", kind, {"slots": [slot for slot in letter.asked if slot["what"] == kind]}) for kind in kinds]
    return {"asked_heading": heading, "asked_by": voice("asked", key, facts), "asked": asked}


def _told(voice: Voice, tale: Tale) -> dict[str, Any]:
    return {
        "outlook": _scenes(tale.outlook, voice),
        "story": _scenes(tale.story, voice),
        "own": _scenes(tale.own, voice),
        "journal": [journal_page(page, voice) for page in tale.journal],
        "table": voice("scene", tale.table.key, tale.table.facts) if tale.table else "",
    }


def journal_page(page: JournalPage, voice: Voice) -> Markdown:
    """Return a piece's entry in the судовой журнал of a turn."""
    lines = "; ".join(voice("journal", one.key, one.facts) for one in page.lines)
    return Markdown(f"**{voice('journal', 'piece', page.facts)}**: {lines}.")


def _scenes(scenes: Sequence[Scene], voice: Voice) -> list[Markdown]:
    said = [voice("scene", scene.key, scene.facts) for scene in scenes]
    return [text for text in said if text]


def _shown(voice: Voice, drawing: Drawing, name: str) -> Markdown:
    alt = voice("label", drawing.alt.key, drawing.alt.facts)
    return Markdown(f"{HTML_ONLY}![{alt}](cid:{name})")


def _map(voice: Voice, drawing: Drawing) -> dict[str, Any]:
    return {
        "picture": _shown(voice, drawing, MAP),
        "rows": [Markdown(row if isinstance(row, str) else row[voice.reader.language]) for row in drawing.rows],
        "legend": [voice("label", label.key, label.facts) for label in drawing.legend],
    }


def _end(letter: Report, voice: Voice) -> dict[str, Any]:
    if letter.outcome is None:
        return {"outcome": "", "winners": "", "farewells": [], "press": []}
    outcome = letter.outcome
    facts = {"reason": outcome.reason, "sides": outcome.sides, "facts": outcome.facts}
    titles = [voice.title(voice.cast["titles"][seat]) for seat in outcome.winners]
    winners = voice("outcome", "winners", {"titles": titles, "first": bool(outcome.facts)}) if titles else ""
    return {
        "outcome": voice("outcome", outcome.reason, facts),
        "winners": winners,
        "farewells": [
            voice("farewell", "row", {**one, "title": voice.title(one["titles"])}) for one in letter.farewells
        ],
        "press": [published(one, voice) for one in letter.press],
    }


def statistics(told: Closing, voice: Voice) -> dict[str, Any]:
    """Say who was who, how the dice of the whole game fell, and who looked at what was sealed."""
    language = voice.reader.language
    titles = {one.seat: voice.title(one.titles) for one in told.names}

    def purpose(one: Purpose) -> tuple[Markdown, ...]:
        faces = Markdown(" ".join(map(str, one.faces)))
        mean, expected = (Markdown(hundredths(number, language)) for number in (one.mean, one.expected))
        name = voice("purpose", one.key if voice.say.has("purpose", one.key) else "plain", {"sides": one.sides})
        return name, Markdown(str(one.count)), mean, expected, faces

    unusual = [one for one in told.dice if one.count >= 5 * one.sides and one.chi > 100 * UNUSUAL.get(one.sides, 99)]
    return {
        "names": [voice("roster", "row", {"title": titles[one.seat], "name": one.name}) for one in told.names],
        "dice": [purpose(one) for one in told.dice],
        "unusual": [voice("statistics", "unusual", {"what": purpose(one)[0]}) for one in unusual],
        "luck": [
            voice(
                "luck",
                one.key,
                {
                    "title": titles[one.seat],
                    "tries": one.tries,
                    "lucky": one.lucky,
                    "expected": Markdown(hundredths(one.expected, language)),
                },
            )
            for one in told.luck
        ],
        "looks": [voice("looks", "row", one) for one in told.looks],
        "replays": voice("statistics", "replays", {"turns": told.replays}) if told.replays else "",
    }


UNUSUAL: Final = {2: 7, 3: 9, 4: 11, 6: 15, 8: 18, 10: 22, 12: 25, 20: 36}
"""By sides: what χ² of fair dice passes once in a hundred times, rounded down."""


def published(facts: Facts, voice: Voice) -> Markdown:
    """Return a letter of the game's press as the last letter prints it."""
    title = voice.title(facts["titles"]) if facts["titles"] else ""
    writer = voice("press", "by", {"by": facts["by"], "title": title, "name": ""})
    to = [voice.title(titles) for titles in facts["to"]]
    return voice("press", "row", {**facts, "writer": writer, "to": to})


def dice_table(dice: Sequence[DieThrown], voice: Voice) -> list[dict[str, Any]]:
    """Return the dice of each batch of each stream, in the order they were thrown."""
    batches = dict.fromkeys((die.stream, die.batch) for die in dice)
    return [
        {
            "stream": stream,
            "batch": batch,
            "rows": [_die(die, voice) for die in dice if (die.stream, die.batch) == (stream, batch)],
        }
        for stream, batch in batches
    ]


def _die(die: DieThrown, voice: Voice) -> tuple[Markdown, Markdown, Markdown]:
    facts = {**die.facts, "face": die.face, "sides": die.sides}
    what = voice("die", die.key or "plain", facts)
    face = voice("face", die.key if voice.say.has("face", die.key) else "plain", facts)
    return Markdown(die.address), face, what


def _mailto(letter: Report, voice: Voice) -> Markdown:
    """Return the answer template as a link, or nothing where it would be too long for mail programs."""
    if not letter.template or not letter.reader.reply_to:
        return Markdown("")
    subject = _subject(letter.head, voice("subject", "report", {"turn": letter.next_turn}))
    query = urlencode({"subject": f"Re: {subject}", "body": "\r\n".join(letter.template)}, quote_via=quote)
    link = f"mailto:{quote(letter.reader.reply_to, safe='@+')}?{query}"
    if len(link) > LONGEST_LINK:
        return Markdown("")
    return Markdown(f"{HTML_ONLY}[{voice('template', 'link')}]({link})")


# Receipts -------------------------------------------------------------------------------------------------------------


def _receipt(letter: Receipt) -> Rendered:
    room = Room(letter.head.ruleset)
    shown = letter.view or (letter.reply or {}).get("map", {}).get("view", "")
    view = room.view(shown) if shown else None
    voice = voice_of(letter.reader, letter.head, view, room if shown else None)
    refused = sum(line.mark in ("refused", "command-refused") for line in letter.lines)
    good = refused == 0
    facts = {"turn": letter.turn, "number": letter.number, "refused": refused}
    replies, images = _replies(letter, voice, room, view)
    drawn = _faults(letter, voice, room, view)
    context = {
        **_common(letter, voice),
        "acted": _acted(letter, voice),
        "verdict": _verdict(letter, voice, refused),
        "notes": _notes_on_reading(letter, voice),
        "lines": [
            *(line_of(line, voice, letter) for line in letter.lines),
            *(part for part, _ in drawn),
            *_unheard(letter, voice),
        ],
        "edited": [line_of(line, voice, letter) for line in letter.edited_quote],
        "late_key": "late_orders" if (letter.late or {}).get("answers") else "late",
        "replies": replies,
        "shows_state": True,
        "in_force": [part for line in letter.in_force for part in _broken(_brief(line))],
        "missing": [voice("slot", slot["what"], slot) for slot in letter.missing],
        "word": voice("answered" if letter.asking else "word", letter.word.replace(" ", "_")),
        "deadline": _deadline(letter, voice),
        "questions": [],
        "phrase": voice("state", "phrase_auto" if letter.phrase_automatic else "phrase", {"phrase": letter.phrase}),
        **_asking(letter, voice, view),
    }
    subject = _subject(letter.head, voice("subject", "receipt_good" if good else "receipt_bad", facts))
    return _letter("receipt", subject, voice, context, (*images, *(image for _, image in drawn)))


def _faults(letter: Receipt, voice: Voice, room: Room, view: Any) -> list[tuple[Markdown, tuple[str, bytes]]]:
    """Draw why lines were refused, where the ruleset can show it: each as Markdown, and its picture."""
    found: list[tuple[Markdown, tuple[str, bytes]]] = []
    for line in letter.lines:
        drawing = room.fault(view, line.complaint) if line.complaint is not None and view is not None else None
        if drawing is not None:
            name = f"{FAULT}-{len(found) + 1}"
            shown = _map(voice, drawing)
            rows = "\n".join(shown["rows"])
            parts = (_shown(voice, drawing, name), f"```\n{rows}\n```", *shown["legend"])
            found.append((Markdown("\n\n".join(parts)), (name, voice.picture(drawing).png())))
    return found


def _acted(letter: Receipt, voice: Voice) -> Markdown:
    """Say that somebody else entered these orders for the seat, and that its player may overwrite them (6)."""
    acted = letter.acted
    if acted is None:
        return Markdown("")
    key = "acted_copy" if acted.get("copy") else "acted"
    return voice("receipt", key, {**acted, "seat_title": voice.title(acted.get("titles", {}))})


def _verdict(letter: Receipt, voice: Voice, refused: int) -> Markdown:
    if not letter.lines:
        return voice("receipt", "no_lines")
    return voice("receipt", "bad", {"refused": refused}) if refused else voice("receipt", "good")


def _notes_on_reading(letter: Receipt, voice: Voice) -> list[Markdown]:
    """Say what had to be mended to read the mail, and what in it looks like a quote that nobody marked."""
    notes = [voice("receipt", "reread", {"arrival": letter.reread})] if letter.reread else []
    if letter.at_once:
        notes.append(voice("receipt", "at_once", {"count": letter.at_once}))
    if letter.echoed:
        notes.append(voice("receipt", "echoed", {"count": letter.echoed}))
    return [*notes, *(voice("mended", code) for code in letter.repairs)]


def _unheard(letter: Receipt, voice: Voice) -> list[Markdown]:
    """Say which lines reach nobody: they might have been meant for somebody."""
    shown = [one if len(one) <= _UNHEARD_LENGTH else f"{one[:_UNHEARD_LENGTH].rstrip()}…" for one in letter.unheard]
    facts = {"lines": shown[:_UNHEARD], "more": max(0, len(shown) - _UNHEARD), "judge": letter.reader.seat == MODERATOR}
    return [voice("receipt", "unheard", facts)] if shown else []


_UNHEARD: Final = 3
_UNHEARD_LENGTH: Final = 72


def _deadline(letter: Receipt, voice: Voice) -> Markdown:
    facts = {"turn": letter.turn, "deadline": letter.deadline, "now": letter.now}
    if letter.paused:
        return voice("state", "paused", facts)
    return voice("state", "deadline" if letter.deadline else "no_deadline", facts)


def line_of(line: LineVerdict, voice: Voice, letter: Receipt | Notice) -> Markdown:
    """Say how a line was read, beside the line as written (play-by-mail 3)."""
    match line.mark:
        case "ok" | "cut":
            return _order_line(line, voice)
        case "refused":
            return _refused_line(line, voice)
        case "command-refused":
            facts = line.complaint.facts if line.complaint else _answer_facts(line.facts, voice, letter)
            why = voice("complaint", line.complaint.key if line.complaint else line.key, facts)
            return _with_notes(voice("line", "refused", {"text": player(line.text), "why": why}), line, voice)
        case "press":
            sent = voice("cmd", "press", _press_facts(line.facts, voice))
            quoted = "\n".join(f"│ {player(one)}" for one in line.facts.get("lines", ()))
            return Markdown(f"{_with_notes(voice('line', 'command', {'what': sent}), line, voice)}\n\n{quoted}")
        case "command" | "phrase":
            what = voice("cmd", line.key, _answer_facts(line.facts, voice, letter))
            return _with_notes(voice("line", "command", {"what": what}), line, voice)


def _with_notes(said: Markdown, line: LineVerdict, voice: Voice) -> Markdown:
    """Return what is said of a line with a list of its notes."""
    notes = "\n".join(f"- {_note(note, voice)}" for note in line.notes)
    return Markdown(f"{said}\n\n{notes}") if notes else said


def _own_line(line: Facts, voice: Voice) -> Markdown:
    """Say what became of a line about its writer, which belongs to no turn."""
    key, facts = str(line["key"]), line["facts"]
    if line["mark"] == "command":
        return voice("line", "command", {"what": voice("cmd", key, facts)})
    return voice("line", "refused", {"text": player(line["text"]), "why": voice("complaint", key, facts)})


def _order_line(line: LineVerdict, voice: Voice) -> Markdown:
    read = voice("line", line.mark, {"read": _brief(line.read)})
    if line.key == "standing":
        read = voice("line", "command", {"what": voice("cmd", "standing", {"order": line.read})})
    remarks = [_note(note, voice) for note in line.notes]
    if not _says_the_same(line.text, line.read):
        remarks.insert(0, voice("line", "written", {"text": _brief(line.text)}))
    return Markdown("\n\n".join([read, "\n".join(f"- {remark}" for remark in remarks)] if remarks else [read]))


def _says_the_same(text: str, read: str) -> bool:
    """Say whether an order is written as it was typed, but for spaces; of a text of several lines, but for its end."""
    typed, written = (" ".join(one.split()).casefold() for one in (text, read.replace("↵", " ")))
    number = written.removesuffix(typed)
    counted = len(number) <= _LONGEST_NUMBER and number.endswith(": ")  # «c2: открыть бой»
    counted = counted or _OWN_NUMBER.sub("", written, count=1) == typed  # «заявка o2: лезу на мачту»
    return typed == written or counted or ("↵" in read and typed.startswith(written))


def _brief(text: str) -> str:
    """Return a long text, a story or a deck of cards, by its beginning and end."""
    return text if len(text) <= _LONG else f"{text[:_BEGINNING].rstrip()} … {text[-_END:].lstrip()}"


_LONGEST_NUMBER: Final = 5
_OWN_NUMBER: Final = re.compile(r"(?<=\S) o\d{1,2}(?=:|$)")
_LONG: Final = 1500
_BEGINNING: Final = 600
_END: Final = 200


def _note(note: Note, voice: Voice) -> Markdown:
    said = voice(f"note_{note.kind}", note.key, note.facts)
    return Markdown(f"{said} {voice('line', 'rule', {'rule': note.rule})}" if note.rule else said)


def _refused_line(line: LineVerdict, voice: Voice) -> Markdown:
    complaint = line.complaint
    if complaint is None:
        raise ValueError(f"a refused line without a complaint: {line.text!r}")
    why = Markdown(f"{voice('kind', complaint.kind)}: {voice('complaint', complaint.key, complaint.facts)}")
    if complaint.rule:
        why = Markdown(f"{why} {voice('line', 'rule', {'rule': complaint.rule})}")
    parts = [Markdown(voice("line", "refused", {"text": _pointed(line.text, complaint), "why": why}) + ".")]
    if complaint.suggestions:
        parts.append(voice("line", "suggest", {"lines": complaint.suggestions}))
        parts.append(Markdown("\n".join(f"    {player(one)}" for one in complaint.suggestions)))
    return Markdown("\n\n".join(parts))


def _pointed(text: str, complaint: Complaint) -> Markdown:
    """Return the line with the place of the trouble in bold, where it is a part of the line."""
    if complaint.place is None:
        return player(text)
    start, end = complaint.place
    bad = text[start:end]
    if not bad.strip() or bad.strip() == text.strip():
        return player(text)
    before, after = text[:start] + bad[: len(bad) - len(bad.lstrip())], bad[len(bad.rstrip()) :] + text[end:]
    return Markdown(f"{_kept(before)}**{player(bad)}**{_kept(after)}")


def _kept(text: str) -> str:
    """Return a piece of a line with a space at its ends where it has one."""
    lead, trail = " " if text[:1].isspace() else "", " " if text.strip() and text[-1:].isspace() else ""
    return f"{lead}{player(text)}{trail}"


def _press_facts(facts: Facts, voice: Voice) -> dict[str, Any]:
    titles = [voice.title(titles) if titles else voice("press", "judge") for titles in facts.get("seats", ())]
    return {**facts, "to": titles, "unsigned": facts.get("unsigned", False), "read": facts.get("read", False)}


def _replies(
    letter: Receipt, voice: Voice, room: Room, view: Any
) -> tuple[list[Markdown], tuple[tuple[str, bytes], ...]]:
    """Answer what else the letter asked for, in a stated order."""
    asked = letter.reply or {}
    parts: list[Markdown] = []
    images: tuple[tuple[str, bytes], ...] = ()
    if "try" in asked or letter.events:
        tale = room.tell(view, room.events(letter.events))
        said = _scenes(tale.story, voice) or [voice("reply", "try_nothing")]
        parts += [_heading(voice, "try"), voice("reply", "try_intro"), *said]
    if "help" in asked:
        parts += [_heading(voice, "help"), voice("reply", "help_intro"), _code(asked["help"].get("examples", ()))]
        parts.append(voice("reply", "help_words"))
    if "rules" in asked:
        parts += [_heading(voice, "rules"), Markdown(asked["rules"].get("text", ""))]
        sheet = None if asked["rules"].get("topic") else room.gallery()
        if sheet is not None:
            parts.append(_shown(voice, sheet, TILES))
            images = ((TILES, voice.picture(sheet).png()),)
    if "games" in asked:
        parts += _games(asked["games"], voice)
    if "log" in asked:
        parts += _journal(asked["log"], voice, room)
    if "set-aside" in asked:
        parts += _aside(asked["set-aside"], voice)
    if "map" in asked and view is not None:
        drawing = room.drawing(view, ())
        context = _map(voice, drawing)
        rows = "\n".join(context["rows"])
        parts += [_heading(voice, "map"), context["picture"], Markdown(f"```\n{rows}\n```"), *context["legend"]]
        images = (*images, (MAP, voice.picture(drawing).png()))
    return parts, images


def _games(asked: Facts, voice: Voice) -> list[Markdown]:
    """List somebody's games with their deadlines, and those that anybody may join."""
    rows = [("games_row", game) for game in asked.get("games", ())]
    rows += [("games_open", game) for game in asked.get("open", ())]
    said = [Markdown(f"- {voice('reply', key, _titled(game, voice))}") for key, game in rows]
    return said if asked.get("games") else [voice("reply", "games_none"), *said]


def _aside(asked: Facts, voice: Voice) -> list[Markdown]:
    """Show the lines of a letter that were set aside, each with the reason."""
    rows = [f"{voice('aside', why)} | {text}" for why, text in asked["lines"]]
    if not rows:
        return [voice("reply", "aside_none", asked)]
    parts = [_heading(voice, "aside"), voice("reply", "aside_intro", asked), _code(rows)]
    return [*parts, voice("reply", "aside_more", asked)] if asked["more"] else parts


def _titled(facts: Facts, voice: Voice) -> dict[str, Any]:
    titles = facts.get("titles") or {}
    return {**facts, "title": voice.title(titles) if titles else ""}


def _heading(voice: Voice, key: str) -> Markdown:
    return Markdown(f"## {voice('heading', key)}")


def _broken(line: str) -> tuple[str, ...]:
    """Return an order that is broader than a letter in as many lines as it takes, each ending with its semicolon."""
    lines: list[str] = []
    for part in line.split("; "):
        if lines and len(lines[-1]) + len(part) + 3 <= BROADEST:
            lines[-1] = f"{lines[-1]}; {part}"
        else:
            lines = [*([f"{one};" if one is lines[-1] else one for one in lines]), part]
    return tuple(lines)


BROADEST: Final = 72
"""Columns of an order in a letter, which stands four to the right."""


def _code(lines: Sequence[str]) -> Markdown:
    return Markdown("\n".join(f"    {player(line)}" for line in lines))


def _journal(asked: Facts, voice: Voice, room: Room) -> list[Markdown]:
    """Return the судовой журнал of the turns asked for, a dated entry a piece and turn."""
    parts = [_heading(voice, "journal")]
    view = room.view(asked["view"]) if asked.get("view") else None
    for turn in asked.get("turns", ()):
        pages = room.tell(view, room.events(turn["events"])).journal
        if pages:
            parts.append(Markdown(f"### {voice('journal', 'dated', {'turn': turn['turn'], 'at': turn['at']})}"))
        parts += [journal_page(page, voice) for page in pages]
    return parts if len(parts) > 1 else [*parts, voice("journal", "empty")]


# Notices --------------------------------------------------------------------------------------------------------------


def _notice(letter: Notice) -> Rendered:
    head = letter.head
    told, voice = _asked_facts(letter)
    facts = _notice_facts(msgspec.structs.replace(letter, facts=told), voice)
    subject = _subject(head, voice("notice_subject", letter.kind, facts))
    shown, images = _seen(letter, voice)
    context = {
        "letter": letter,
        "head": head,
        "subject": voice("notice_subject", letter.kind, facts),
        "text": voice("notice", letter.kind, facts),
        "shown": shown,
        "pin": _foot(letter, voice),
    }
    whole = _letter("notice", subject, voice, context, images)
    if "case_file" in letter.facts:
        case = (letter.facts["case_name"], "text/markdown", letter.facts["case_file"].encode())
        whole = _with_files(whole, [case])
    if letter.kind == "seat-record" and facts["letters"]:
        return _with_files(whole, [_record(facts["letters"])])
    if letter.kind not in DATED or not facts["deadline"] or head is None or letter.pin is None:
        return whole
    return _with_files(whole, [calendar(head, letter.reader, facts["turn"], facts["deadline"], letter.pin)])


def _seen(letter: Notice, voice: Voice) -> tuple[list[Markdown], tuple[tuple[str, bytes], ...]]:
    """Return what a seat sees, where a notice shows it: what is its own, the map, the state table."""
    if letter.head is None or not letter.facts.get("view"):
        return [], ()
    room = Room(letter.head.ruleset)
    view = room.view(letter.facts["view"])
    seeing = voice_of(letter.reader, letter.head, view, room)
    tale, drawing = room.tell(view, ()), room.drawing(view, ())
    chart = _map(seeing, drawing)
    rows = "\n".join(chart["rows"])
    parts = [*_scenes(tale.own, seeing), _heading(voice, "map"), chart["picture"], Markdown(f"```\n{rows}\n```")]
    parts += [*chart["legend"], seeing("scene", tale.table.key, tale.table.facts) if tale.table else Markdown("")]
    return [part for part in parts if part], ((MAP, seeing.picture(drawing).png()),)


def _record(letters: Sequence[Facts]) -> tuple[str, str, bytes]:
    """Return the letters of a seat's former holders as one file, each under the day it was written."""
    rule = "=" * 76
    text = "\n\n".join(f"{rule}\n{one['at']}\n{rule}\n\n{one['text'].strip()}" for one in letters)
    return "record.md", "text/markdown; charset=utf-8", f"{text}\n".encode()


def _notice_facts(letter: Notice, voice: Voice) -> dict[str, Any]:
    """Add to a notice's facts what its phrases say of them: titles, slots and terms in the reader's words."""
    facts = dict(letter.facts)
    titles = letter.reader.titles
    if "titles" in facts:
        titles = facts["titles"]
    facts["seat_title"] = voice.title(titles) if titles and facts.get("seat", "x") else ""
    facts["to_titles"] = [voice.title(one) if isinstance(one, Mapping) else one for one in facts.get("to", ()) or ()]
    facts["seat_titles"] = [
        voice.title(one.get("titles", one)) if isinstance(one, Mapping) else one for one in facts.get("seats", ()) or ()
    ]
    facts["slots"] = [voice("slot", slot["what"], slot) for slot in facts.get("missing", ())]
    facts["wished_title"] = voice.title(facts["wished"]) if facts.get("wished") else ""
    told = [line for line in facts.get("lines", ()) if isinstance(line, Mapping) and "mark" in line]
    facts["line_texts"] = [_own_line(line, voice) for line in told]
    read = [codec.from_plain(line, LineVerdict) for line in facts.get("as_read", ())]
    facts["read_texts"] = [line_of(line, voice, letter) for line in read]
    facts["lost"] = [{**one, "title": voice.title(one["titles"])} for one in facts.get("lost", ())]
    facts["games_texts"] = _games(facts, voice) if letter.kind == "settings" and "games" in facts else []
    facts["games"] = [_titled(game, voice) for game in facts.get("games", ())]
    if letter.kind in ("moderated", "desk"):
        facts |= _moderated(letter, voice)
    if letter.kind == "confirmed":
        facts["matter"] = voice("matter", facts["what"], facts)
    if letter.kind == "confirmed-refused":
        facts["refusal"] = voice("complaint", facts["why"], facts)
    if letter.kind.startswith("proposal"):
        facts["proposed"] = voice("proposal", facts["what"], facts)
    if letter.head is not None:
        facts["game_title"] = voice("ruleset", "title")
        facts["terms_text"] = _terms(letter.head, voice, "; ")
        facts["options_text"] = _options(letter.head, voice)
        facts["tag"] = letter.head.tag
    return facts


# Questions ------------------------------------------------------------------------------------------------------------


def question_text(voice: Voice, question: Question) -> Markdown:
    """Return a question in words: the ruleset's phrase, or what it is about where the ruleset has none."""
    if voice.say.has("question", question.what):
        return voice("question", question.what, question.facts)
    return voice("question", "any", {"what": question.what})


def choice_text(voice: Voice, word: str, facts: Facts) -> Markdown:
    """Return a choice in words: the ruleset's phrase, or the word that answers it where the ruleset has none."""
    if voice.say.has("choice", word):
        return voice("choice", word, facts)
    return voice("choice", "any", {"word": word})


def answer_text(voice: Voice, head: GameHead, view: Any, question: Question, word: str) -> Markdown:
    """Return an answer in words; that to an open question is an order, written as the ruleset writes it."""
    if question.choices:
        facts = next((choice.facts for choice in question.choices if choice.word == word), {})
        return choice_text(voice, word, facts)
    rules = ruleset(head.ruleset)
    order = codec.decode(word, rules.info.order)
    return player(rules.write(order, voice.reader.language, view))


def option_texts(voice: Voice, head: GameHead, view: Any, question: Question) -> list[Markdown]:
    """Return what a question lists under numbers, in words: its choices, or what an open question offers.

    The ruleset's phrase for an offer has the answer, as a player writes it, among its facts.
    """
    if question.choices:
        return [choice_text(voice, choice.word, choice.facts) for choice in question.choices]
    known = voice.say.has("offer", question.what)
    said = [(answer_text(voice, head, view, question, offer.word), offer.facts) for offer in question.offers]
    return [voice("offer", question.what, {**facts, "answer": answer}) if known else answer for answer, facts in said]


def _silence(voice: Voice, head: GameHead, view: Any, question: Question, word: str) -> Markdown:
    """Say what comes of silence: the ruleset may have a phrase for it where the answer is free text."""
    if not question.choices and voice.say.has("silence", question.what):
        return voice("silence", question.what, question.facts)
    return answer_text(voice, head, view, question, word)


def _questions(asked: Sequence[Facts], voice: Voice, head: GameHead, view: Any) -> list[dict[str, Any]]:
    """Return numbered questions in words: the text, the options, what was answered, what counts without an answer."""
    said = []
    for one in asked:
        question: Question = codec.from_plain(one["question"], Question)
        word, whose = question.unanswered
        answer = one.get("answer", "")
        said.append(
            {
                "number": one["number"],
                "text": question_text(voice, question),
                "choices": option_texts(voice, head, view, question),
                "answer": answer_text(voice, head, view, question, answer) if answer else "",
                "unanswered": _silence(voice, head, view, question, word),
                "whose": whose,
            }
        )
    return said


def _asked_facts(letter: Notice) -> tuple[dict[str, Any], Voice]:
    """Return the facts of a letter about questions, with what has happened so far told as a report tells it."""
    head, facts = letter.head, dict(letter.facts)
    seen = facts.get("view") or facts.get("names")
    if head is None or not seen or not {"questions", "as_read"} & set(facts):
        return facts, voice_of(letter.reader, head)
    room = Room(head.ruleset)
    view = room.view(seen)
    voice = voice_of(letter.reader, head, view, room)
    if "questions" not in facts:
        return facts, voice
    facts["awaited"] = [voice.title(titles) for titles in facts.get("awaited", ())]
    facts["story"] = _scenes(room.tell(view, room.events(facts.get("events", ()))).story, voice)
    facts["questions"] = _questions(facts.get("questions", ()), voice, head, view)
    return facts, voice


def _answer_facts(facts: Facts, voice: Voice, letter: Receipt | Notice) -> dict[str, Any]:
    """Return what a receipt says of an answer or of why a line is none, in words."""
    if "question" not in facts or not isinstance(letter, Receipt):
        return dict(facts)
    question: Question = codec.from_plain(facts["question"], Question)
    view = Room(letter.head.ruleset).view(letter.view)
    said: dict[str, Any] = {**facts, "text": question_text(voice, question)}
    said["answer"] = answer_text(voice, letter.head, view, question, facts["word"]) if "word" in facts else ""
    said["choices"] = option_texts(voice, letter.head, view, question)
    said["meant"] = [answer_text(voice, letter.head, view, question, word) for word in facts.get("words", ())]
    if "complaint" in facts:
        complaint: Complaint = codec.from_plain(facts["complaint"], Complaint)
        said["why"] = voice("complaint", complaint.key, complaint.facts)
    return said


def _asking(letter: Receipt, voice: Voice, view: Any) -> dict[str, Any]:
    """Say what is asked in mid-turn, and what of it is answered; nothing where nothing is."""
    asking = letter.asking
    if asking is None:
        return {}
    facts = {
        "turn": letter.turn,
        "now": letter.now,
        "deadline": asking["deadline"],
        "awaited": [voice.title(titles) for titles in asking["awaited"]],
        "moderator": asking["moderator"],
    }
    shown = _questions(asking["questions"], voice, letter.head, view) if asking["questions"] else []
    return {
        "deadline": voice("state", "asking", facts),
        "questions": [voice("state", "question", one) for one in shown],
    }


def _moderated(letter: Notice, voice: Voice) -> dict[str, Any]:
    """Put the moderator's verbs and what lies on his desk into words."""
    facts = letter.facts
    if letter.kind == "desk":
        return _desk(facts, voice)
    said = [{**line, "words": _deed(line, voice), "read": _as_read(line, letter)} for line in facts["answers"]]
    extras = dict(facts["extras"])
    if "status" in extras:
        extras["status"] = {**extras["status"], **_desk(extras["status"], voice)}
    if "verbs" in extras and voice.say.has("moderator", "words"):
        extras["words"] = voice("moderator", "words")
    return {"said": said, "extras": extras}


def _as_read(line: Facts, letter: Notice) -> list[Markdown]:
    """Say how the lines of orders below a verb were read, where that is why it was not done."""
    if letter.head is None or "as_read" not in line["facts"]:
        return []
    room = Room(letter.head.ruleset)
    voice = voice_of(letter.reader, letter.head, room.view(line["facts"]["names"]), room)
    read = [codec.from_plain(one, LineVerdict) for one in line["facts"]["as_read"]]
    return [line_of(one, voice, letter) for one in read]


def _deed(line: Facts, voice: Voice) -> Markdown:
    facts = {"seat_title": voice.title(line["facts"].get("titles") or {}), **line["facts"]}
    facts["names"] = [voice.title(titles) for titles in facts.get("seats", ()) if isinstance(titles, Mapping)]
    return voice("complaint" if line["mark"] == "refused" else "did", line["key"], facts)


def _desk(facts: Facts, voice: Voice) -> dict[str, Any]:
    """Name the seats of a desk, and say their words, in the reader's language."""

    def named(row: Facts) -> dict[str, Any]:
        word = str(row["word"]).replace(" ", "_") if row.get("word") else ""
        return {**row, "title": voice.title(row.get("titles") or {}), "said": voice("word", word) if word else ""}

    lists = ("seats", "returned", "missed", "empty", "absences", "disputes")
    return {name: [named(row) for row in facts[name]] for name in lists}


# Parts of every letter ------------------------------------------------------------------------------------------------


def _subject(head: GameHead | None, words: str) -> str:
    plain = bare(words)
    return f"[{head.tag}] {plain}" if head else plain


def _foot(letter: Report | Receipt | Notice, voice: Voice) -> Markdown:
    """Return the end of a letter: where to answer, whose token a quote of it carries (play-by-mail 4b), and the pin."""
    reader, foot = letter.reader, ""
    if "+" in reader.reply_to:
        foot = f"\n{voice('foot', 'address')}\n\n    {reader.reply_to}\n"
    return Markdown(foot + (_pin(letter.head, letter.pin, letter.prev_pin) if letter.head else ""))


def _pin(head: GameHead, pin: Pin | None, previous: Pin | None) -> Markdown:
    """Return the pin at the end of a letter (fair-play 7), as a block of code."""
    if pin is None:
        return Markdown("")
    earlier = log.Pin(previous.seq, previous.head) if previous else None
    block = log.write_pin(log.Pin(pin.seq, pin.head, head.campaign), earlier)
    return Markdown(f"\n```\n{block}```\n")


def _letter(
    skeleton: str, subject: str, voice: Voice, context: Mapping[str, Any], images: tuple[tuple[str, bytes], ...] = ()
) -> Rendered:
    language, name = voice.reader.language, voice.say.ruleset
    markdown = fold(fill(f"{SHARED}/{skeleton}.md.j2", language, name, c=voice.cast, **context))
    page = html.page(player(subject), language, markdown, voice("", "too_long"))
    return Rendered(subject=subject, text=as_markdown(markdown), html=page, images=images)


SHARED: Final = "shared"


def _with_files(letter: Rendered, files: Sequence[tuple[str, str, bytes]]) -> Rendered:
    return msgspec.structs.replace(letter, files=(*letter.files, *files))


# The calendar ---------------------------------------------------------------------------------------------------------


def calendar(head: GameHead, reader: Reader, turn: int, deadline: str, pin: Pin) -> tuple[str, str, bytes]:
    """Return ``deadline.ics`` of the open turn (RFC 5545): one UID a game and seat, SEQUENCE rising.

    The sequence is that of the log, which rises with every report and every deadline that moves.
    """
    voice = voice_of(reader, head)
    subject = _subject(head, voice("subject", "report", {"turn": turn}))
    event = icalendar.Event()
    event.add("uid", f"{head.campaign}/{reader.seat or 'observer'}/deadline")
    event.add("sequence", pin.seq)
    event.add("dtstamp", instant(deadline))
    event.add("dtstart", instant(deadline))
    event.add("dtend", instant(deadline))
    event.add("summary", subject)
    event.add("transp", "TRANSPARENT")
    whole = icalendar.Calendar()
    whole.add("prodid", "-//adjudicator//deadline//EN")
    whole.add("version", "2.0")
    whole.add("method", "PUBLISH")
    whole.add_component(event)
    return "deadline.ics", "text/calendar; method=PUBLISH", whole.to_ical()
