"""One player's letter heard for one seat: commands and orders, line by line, as effects and a receipt's lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from adjudicator.letters import LineVerdict
from adjudicator.services import commands, mistyped, questions, sheets, verbs, zones
from adjudicator.services.commands import Command, PressBlock
from adjudicator.services.positions import Table
from engine.core import codec
from engine.core.contract import Language, Note, Reading, Seat
from mail.text import Line

LANGUAGES = {"ru": "ru", "en": "en", "рус": "ru", "русский": "ru", "английский": "en", "russian": "ru", "english": "en"}


@dataclass(slots=True)
class Heard:
    """What a letter came to: effects for the fold, lines for the receipt by place, and what else it asked for."""

    effects: list[sheets.AnyEffect] = field(default_factory=list)
    lines: dict[int, LineVerdict] = field(default_factory=dict)
    phrase: str = ""
    press: list[tuple[PressBlock, int]] = field(default_factory=list)
    settings: dict[str, str] = field(default_factory=dict)
    asked: dict[str, list[str]] = field(default_factory=dict)
    deeds: list[Command] = field(default_factory=list)
    joins: bool = False
    turn: int | None = None
    seat: str = ""
    answers: dict[str, str] = field(default_factory=dict)
    unanswered: bool = False
    """Whether a line was meant as an answer and is none."""
    afterwards: list[sheets.AnyEffect] = field(default_factory=list)
    """Orders beside answers: of the turn that goes on after the command that asks."""
    at_once: int = 0
    """The moderator's commands in it that wait for no lock."""
    unheard: dict[int, str] = field(default_factory=dict)
    """Lines of prose that reach nobody, by place, where the rules want that said."""

    @property
    def intends(self) -> bool:
        """Whether the letter has any line of intent, so that it gets a receipt (play-by-mail 3)."""
        return bool(self.lines)

    @property
    def understood(self) -> bool:
        """Whether every line of intent was understood and taken."""
        return not any(line.mark in ("refused", "command-refused") for line in self.lines.values())

    @property
    def touches(self) -> bool:
        """Whether the letter changes what is in force."""
        changes = sheets.Put | sheets.Clear | sheets.Restore
        return any(isinstance(effect, changes) for effect in (*self.effects, *self.afterwards))

    def withdraw(self, lines: dict[int, LineVerdict]) -> None:
        """Let the letter do nothing at all, and say these lines in its receipt."""
        self.effects, self.lines, self.phrase = [], lines, ""
        self.press, self.settings, self.asked, self.deeds = [], {}, {}, []
        self.answers, self.unanswered, self.afterwards, self.unheard = {}, False, [], {}

    def verdicts(self) -> tuple[LineVerdict, ...]:
        """Return the receipt's lines in the order of the letter."""
        return tuple(self.lines[place] for place in sorted(self.lines))


@dataclass(frozen=True, slots=True)
class Hearing:
    """What a letter is heard against: table, the seat's view, and the seat as its mails before this one left it.

    ``number`` is the number of this letter's receipt. Lines are read upon the sheet as it was at the place of the
    letter's arrival. ``asking`` is what the seat is asked in mid-turn, None outside a pause.
    """

    table: Table
    view: Any
    seat: Seat
    language: Language
    before: sheets.History
    number: int
    asking: questions.Asked | None = None

    def after(self, effects: Sequence[sheets.AnyEffect]) -> sheets.SeatSheet:
        """Return the seat as its earlier mails and these effects leave it."""
        step = sheets.Step(number=self.number, effects=tuple(effects))
        return self.before.then(step, *sheets.laying(self.table.ruleset, self.view)).now


def hear(hearing: Hearing, lines: Sequence[Line]) -> Heard:
    """Hear the own lines of a letter."""
    plan = questions.with_bare_answer(_planned(hearing, lines), hearing.asking)
    plan = questions.with_told_answers(plan, hearing.asking, hearing.table.ruleset, hearing.language)
    if hearing.table.header.moderator == "none":
        plan = verbs.with_proposals(plan)
    heard = Heard()
    breaks = [one for one in plan.commands if one.name in ("clear", "anew", "restore")]
    start = 0
    for written in sorted((*plan.commands,), key=lambda one: one.line):
        command = _of_another_game(hearing, written)
        if written in breaks:
            _orders(hearing, heard, plan.orders, lines, start, command.line)
            start = command.line + 1
        if command.deed:
            heard.deeds.append(command)
            heard.lines[command.line] = LineVerdict(
                text=lines[command.line].raw.strip(), mark="command", key=command.name
            )
            continue
        _command(hearing, heard, command, lines[command.line].raw)
        if command.how and command.line in heard.lines:
            line = heard.lines[command.line]
            heard.lines[command.line] = replace(line, notes=(*repair_notes(command, line.text), *line.notes))
    _orders(hearing, heard, plan.orders, lines, start, len(lines))
    for block in plan.press:
        heard.press.append((as_written(block, lines), block.line))
    return heard


def texts_in(table: Table, view: Any, lines: Sequence[Line], ends: Callable[[str], bool]) -> dict[int, int]:
    """Return the orders of several lines, by first and last line: a story, a file of cards.

    What stands in them is neither command nor verb, whatever it says. ``ends`` tells the lines before which a text ends
    that has no end of its own.
    """
    if not table.ruleset.info.as_written:
        return {}
    texts = ["" if ends(line.text) else line.raw for line in lines]
    found = table.ruleset.read(view, (), texts, "ru")
    spans: dict[int, int] = {}
    for places in (*(one.lines for one in found.orders), *(one.lines for one in found.complaints)):
        first = places[0]
        for before, place in pairwise(places):
            first = first if place == before + 1 else place  # of what is said in several places each is a text
            spans[first] = max(place, spans.get(first, 0))
    return {first: last for first, last in spans.items() if last > first}


def _planned(hearing: Hearing, lines: Sequence[Line]) -> commands.Plan:
    """Sort the lines of a letter; what can be an order of this position is not taken for a mistyped command."""
    orders_read = hearing.table.ruleset.read
    texts = [line.text for line in lines]
    told = texts_in(hearing.table, hearing.view, lines, lambda text: mistyped.read_command(text) is not None)
    inside = {place for first, last in told.items() for place in range(first + 1, last + 1)}

    def read(line: str, place: int) -> Command | None:
        if place in inside:
            return None
        command = mistyped.read_command(line, place)
        mended = command is not None and command.how
        return None if mended and orders_read(hearing.view, (), (line,), hearing.language).orders else command

    return commands.plan(texts, read=read, closes=mistyped.closes_press)


def repair_notes(command: Command | PressBlock, typed: str) -> tuple[Note, ...]:
    """Return what a receipt says of a command that was mistyped (play-by-mail 3.1)."""
    if not command.how or getattr(command, "name", "") == "nearly":
        return ()
    return (Note(kind="repaired", key=f"command-{command.how}", facts={"typed": typed, "read": command.meant}),)


def _of_another_game(hearing: Hearing, command: Command) -> Command:
    """Return ``вступаю pirates-8`` as the deed it is where it speaks of another game than the letter's own."""
    first = command.argument.partition(" ")[0].casefold()
    if command.name != "join" or not commands.TAG.fullmatch(first) or first == hearing.table.game.tag:
        return command
    return replace(command, name="join-other", deed=True)


def as_written(block: PressBlock, lines: Sequence[Line]) -> PressBlock:
    """Return a press block with its text as the player wrote it: press is passed on word for word (play-by-mail 2)."""
    first = lines[block.line].raw.partition(":")[2].strip()
    rest = [line.raw for line in lines[block.line + 1 : block.last + (not block.closed)]]
    return replace(block, text=(*([first] if first else []), *rest))


def _orders(hearing: Hearing, heard: Heard, texts: Sequence[str], lines: Sequence[Line], start: int, end: int) -> None:
    """Let the rules read the lines between two places, laid upon the sheet as it then is."""
    if not any(text.strip() for text in texts[start:end]):
        return
    sheet = hearing.after(heard.effects).seen
    ruleset = hearing.table.ruleset
    given = texts[start:end]
    if ruleset.info.as_written:
        given = [lines[start + place].raw if text.strip() else text for place, text in enumerate(given)]
    found = ruleset.read(hearing.view, sheet, given, hearing.language)
    heard.unheard |= {start + place: lines[start + place].raw.strip() for place in found.unheard}
    _enter(hearing, heard, found, lines, start, standing=False)


def _enter(
    hearing: Hearing, heard: Heard, found: Reading, lines: Sequence[Line], start: int, *, standing: bool
) -> None:
    ruleset, view = hearing.table.ruleset, hearing.view
    taken = (*found.orders, *found.told)
    for one in taken:
        place = start + one.lines[0]
        cut = any(note.kind == "cut" for note in one.notes)
        heard.lines[place] = LineVerdict(
            text=" ".join(lines[start + number].raw.strip() for number in one.lines),
            mark="cut" if cut else "ok",
            read=ruleset.write(one.order, hearing.language, view),
            notes=one.notes,
            key="standing" if standing else "",
        )
    for complaint in found.complaints:
        place = start + complaint.lines[0]
        heard.lines[place] = LineVerdict(
            text=" ".join(lines[start + number].raw.strip() for number in complaint.lines),
            mark="refused",
            complaint=complaint,
        )
    if taken:
        orders = tuple(codec.plain(one.order) for one in taken)
        heard.effects.append(sheets.Put(orders=orders, standing=standing))
    if found.complaints:
        heard.effects.append(sheets.Refused(traces=tuple(codec.plain(one) for one in found.traces)))


def _command(hearing: Hearing, heard: Heard, command: Command, raw: str) -> None:
    text = raw.strip()

    def done(key: str = command.name, **facts: Any) -> None:
        heard.lines[command.line] = LineVerdict(text=text, mark="command", key=key, facts=facts)

    def refused(key: str, **facts: Any) -> None:
        heard.lines[command.line] = LineVerdict(text=text, mark="command-refused", key=key, facts=facts)

    match command.name:
        case "ready" | "not-ready" | "wait" | "no-wait" | "draft":
            heard.effects.append(sheets.Say(word=command.name))
            done()
        case "clear" | "anew":
            heard.effects.append(sheets.Clear())
            done()
        case "restore":
            _restore(hearing, heard, int(command.argument), done, refused)
        case "answer":
            _answer(hearing, heard, command.argument, done, refused)
        case "salt":
            _salt(hearing, heard, raw, done, refused)
        case "standing":
            _standing(hearing, heard, command, raw)
        case "language" | "zone":
            _setting(heard, command, done, refused)
        case "join":
            heard.joins = True
            done(seat=command.argument)
        case "nearly":
            refused("nearly", read=command.argument)
        case "turn":
            heard.turn = int(command.argument)
            done("for-turn", turn=heard.turn)
        case "seat":
            heard.seat = command.argument
            done("for-seat", typed=command.argument)
        case name:
            heard.asked.setdefault(name, []).append(command.argument)
            done(argument=command.argument)


def _restore(hearing: Hearing, heard: Heard, number: int, done: Any, refused: Any) -> None:
    numbers = list(hearing.before.after)
    if number in numbers:
        heard.effects.append(sheets.Restore(number=number))
        done(number=number)
    else:
        refused("no-such-receipt", number=number, numbers=numbers)


def _setting(heard: Heard, command: Command, done: Any, refused: Any) -> None:
    """Take the writer's language or zone as understood."""
    if command.name == "language":
        found = LANGUAGES.get(command.argument.casefold())
    else:
        found = zones.resolve(command.argument)
    if found:
        heard.settings[command.name] = found
        done(**{command.name: found})
    elif command.name == "language":
        refused("unknown-language", typed=command.argument)
    else:
        refused("unknown-zone", typed=command.argument)


def _answer(hearing: Hearing, heard: Heard, argument: str, done: Any, refused: Any) -> None:
    """Take an answer to a question asked in mid-turn; of two to the same question the later line counts (1.8)."""
    table, asking = hearing.table, hearing.asking

    def names() -> questions.Names:
        return questions.names(table.head, hearing.view if asking is None else asking.view)

    found = questions.read(table.ruleset, asking, argument, hearing.language, names)
    if asking is None or isinstance(found, questions.NotTaken):
        heard.unanswered = True
        if isinstance(found, questions.NotTaken):
            refused(found.key, **found.facts)
        return
    heard.answers[found.key] = found.word
    put = next(one.question for one in asking.open if one.number == found.number)
    done("answer", number=found.number, question=codec.plain(put), word=found.word)


def _salt(hearing: Hearing, heard: Heard, raw: str, done: Any, refused: Any) -> None:
    """Take the first phrase of the letter: what is hashed must be what the player sees."""
    if hearing.table.header.dice == "beacon":
        refused("salt-beacon")
        return
    if heard.phrase:
        refused("salt-twice", phrase=heard.phrase)
        return
    heard.phrase = commands.phrase_of(raw)
    done("salt", phrase=heard.phrase)


def _standing(hearing: Hearing, heard: Heard, command: Command, raw: str) -> None:
    standing = hearing.after(heard.effects).standing
    found = hearing.table.ruleset.read(hearing.view, standing, (command.argument,), hearing.language)
    line = Line(number=command.line, raw=raw)
    whole = hearing.table.ruleset.read(hearing.view, standing, (f"standing: {command.argument}",), hearing.language)
    if whole.orders and all(one.order.lasts for one in whole.orders):  # a word that the rules themselves let stand
        _enter(hearing, heard, whole, [*([line] * (command.line + 1))], command.line, standing=False)
        return
    if not found.orders and not found.complaints:
        heard.lines[command.line] = LineVerdict(text=raw.strip(), mark="command-refused", key="standing-unread")
        return
    _enter(hearing, heard, found, [*([line] * (command.line + 1))], command.line, standing=True)
