"""Which lines of a letter are commands of the service, which press, and which are for the rules (play-by-mail 2)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from importlib import resources
from typing import Final, Literal, TypeAlias

from msgspec.structs import replace

from adjudicator.fairplay import chain
from engine.core.contract import Value

Choice: TypeAlias = Literal["", "press", "orders"]
ARGUMENT_LIMIT: Final = 300
PRESS_END: Final = ("end press", "конец письма")
_YES: Final = ("да", "yes")
_NO: Final = ("нет", "no")
_CHOICES: Final[dict[str, Choice]] = {"письмо": "press", "press": "press", "приказы": "orders", "orders": "orders"}
_FOR_TURN: Final = re.compile(r"(?:на ход|for turn) (\d{1,6})")
_HEADING: Final = re.compile(
    r"(?:(?:мои|наши|my|our) )?(?:(?:приказы|ходы|orders|moves) )?(?:(?:на|за|к|для|for) )?"
    r"(?:(?:ход[ау]?|turn) ?[№#]? ?(\d{1,6})|(\d{1,6})(?:-?(?:й|го|му|st|nd|rd|th))? (?:ход[ау]?|turn)) ?:?"
)
"""A turn named over orders in one's own words: «Мои приказы на ход 7:», «на 7-й ход»; it means ``ход 7``."""
TAG: Final = re.compile(r"[a-z][a-z0-9-]{0,24}-\d{1,6}", re.IGNORECASE)
"""The name of a game: ``pirates-7``."""
_OF_TURN: Final = re.compile(r"(?:ход[ау]?|turn) \d{1,6} ?:", re.IGNORECASE)
"""A turn named before the colon: ``спор ход 7: …``."""
_DIGITS: Final = re.compile(r"\d{1,6}")
_ANSWER: Final = re.compile(r":\s*\S.*|\s*\d{1,3}\s*(:\s*\S.*)?")
"""What follows ``ответ``: ``: лететь``, `` 3: лететь``, `` 3``; other words make it prose."""


Mend: TypeAlias = Literal["", "lookalike", "layout", "translit", "one-off"]
"""By what repair a mistyped command was read, "" by none (`services.mistyped`)."""


class Word(Value, frozen=True):
    """A command as the data file describes it; a ``deed`` is done beside the sheet (`services.deeds`).

    ``mends`` are the repairs by which it may be read when it is mistyped; ``slips`` says whether it is taken with one
    letter wrong, or asked about because it undoes something.
    """

    name: str
    spellings: tuple[str, ...]
    argument: Literal["none", "optional", "required"] = "none"
    colon: bool = False
    loose: bool = False
    deed: bool = False
    mends: tuple[Mend, ...] = ("lookalike", "layout", "translit", "one-off")
    slips: Literal["taken", "asked"] = "taken"


class Command(Value, frozen=True):
    """A command and what it is about; ``line`` is its place among the lines read.

    ``how`` is the repair that was needed to read it, ``meant`` what was read.
    """

    name: str
    line: int
    argument: str = ""
    deed: bool = False
    how: Mend = ""
    meant: str = ""


class PressBlock(Value, frozen=True):
    """A press block: its first line names the readers. ``closed`` says whether ``конец письма`` was found.

    ``back`` is the seat that an answer to a press letter goes to; ``to`` is empty if its writer may not be known.
    ``how`` and ``meant`` are as of a `Command`.
    """

    line: int
    to: str
    text: tuple[str, ...]
    closed: bool
    last: int
    back: str = ""
    how: Mend = ""
    meant: str = ""


class Plan(Value, frozen=True):
    """A letter's lines sorted: commands and press blocks in order, and the rest.

    ``orders`` are the lines left to the rules, with an empty line in the place of every other, so that line numbers
    agree.
    """

    commands: tuple[Command, ...]
    press: tuple[PressBlock, ...]
    orders: tuple[str, ...]


def folded(line: str) -> str:
    """Return a line for comparison: one space, lower case, ё as е, no full stop or exclamation mark at the end."""
    return " ".join(line.split()).casefold().replace("ё", "е").replace("’", "'").rstrip(".! ")


@cache
def words() -> tuple[Word, ...]:
    """Return the commands of the data file. Raises ValueError if one spelling names two of them."""
    document = tomllib.loads(resources.files("adjudicator.data").joinpath("commands.toml").read_text(encoding="utf-8"))
    found = []
    seen: dict[str, str] = {}
    for name, entry in document.items():
        spellings = tuple(entry.pop("ru") + entry.pop("en"))
        for spelling in spellings:
            if seen.setdefault(spelling, name) != name:
                raise ValueError(f"{spelling!r} is both {seen[spelling]!r} and {name!r}")
        mends = tuple(entry.pop("mends", Word(name="", spellings=()).mends))
        found.append(Word(name=name, spellings=spellings, mends=mends, **entry))
    return tuple(found)


@cache
def _by_first_letters() -> dict[str, tuple[tuple[str, Word], ...]]:
    """Return the spellings by first two letters, longest first: most lines are no command, which shows at once."""
    pairs = [(spelling, word) for word in words() for spelling in word.spellings]
    found: dict[str, list[tuple[str, Word]]] = {}
    for spelling, word in sorted(pairs, key=lambda pair: (-len(pair[0]), pair[0])):
        found.setdefault(spelling[:2], []).append((spelling, word))
    return {start: tuple(rows) for start, rows in found.items()}


def read_command(line: str, place: int = 0) -> Command | None:
    """Return the command that a line is, or None."""
    found = _read(line) if len(line) <= 2000 else None
    return replace(found, line=place) if found is not None and place else found


@lru_cache(maxsize=1024)  # a letter's lines are looked at for several ends
def _read(line: str) -> Command | None:
    plain = folded(line)
    if heading := _HEADING.fullmatch(plain):
        return Command(name="turn", line=0, argument=heading[1] or heading[2])
    return spelled(plain, " ".join(line.split()))[0]


def spelled(plain: str, typed: str) -> tuple[Command | None, str]:
    """Return the command that a folded line is, and its spelling; ``typed`` is the line as it was typed.

    Both have one space between words and agree character for character, as far as the folded one goes.
    """
    for spelling, word in _by_first_letters().get(plain[:2], ()):
        if plain == spelling and word.argument != "required":
            return Command(name=word.name, line=0, deed=word.deed), spelling
        if word.argument == "none" or not plain.startswith(spelling):
            continue
        if (argument := _argument(typed[len(spelling) :], word)) is not None:
            return Command(name=word.name, line=0, argument=argument, deed=word.deed), spelling
    return None, ""


def _argument(rest: str, word: Word) -> str | None:
    """Return what follows a command word, or None if it does not read as that command."""
    if rest[:1] not in (" ", ":"):
        return None
    found = rest.lstrip(" ")
    if word.name == "answer":
        return found if _ANSWER.fullmatch(rest) and len(found) <= ARGUMENT_LIMIT else None
    if word.colon and word.deed and not (found.startswith(":") or _OF_TURN.match(found)):
        return None  # «слово дня: …» is prose
    if word.colon:
        if not found.endswith(":") and ":" not in found:
            return None
        return found.removeprefix(":").strip()
    found = found.removeprefix(":").strip()
    if not found:
        return None
    if word.loose:
        return found
    found = found.rstrip(".! ")
    if word.name in ("turn", "game"):
        found = found.removesuffix(":").rstrip()  # «Ход 7:» as a heading over orders
    if word.name in ("restore", "report", "turn", "set-aside") and not re.fullmatch(r"\d{1,6}", found):
        return None
    if word.name == "address" and "@" in found and "<" not in found and len(found.split()) > 2:
        return None  # «Адрес изменён, пишите на …» is prose, most often a machine's
    if word.name == "game" and not TAG.fullmatch(found):
        return None
    if word.name == "log" and not re.fullmatch(r"(\d{1,6}(\s*[-–]\s*\d{1,6})?|все|всё|all)", found, re.IGNORECASE):
        return None
    limit = {"language": 1, "zone": 3, "join": 3, "seat": 3, "rules": 3}.get(word.name, 99)
    return found if len(found) <= ARGUMENT_LIMIT and len(found.split()) <= limit else None


def plan(
    lines: Sequence[str],
    *,
    read: Callable[[str, int], Command | None] = read_command,
    closes: Callable[[str], bool] | None = None,
) -> Plan:
    """Sort a letter's own lines into commands, press and lines for the rules; in press only its end is read.

    ``read`` reads a command, ``closes`` knows the end of press: as they are spelled, or otherwise (`mistyped`).
    """
    ends = closes or closes_press
    commands: list[Command] = []
    press: list[PressBlock] = []
    orders = list(lines)
    place = 0
    while place < len(lines):
        command = read(lines[place], place)
        if command is None:
            place += 1
            continue
        orders[place] = ""
        if command.name == "press":
            block = _press(lines, command, ends)
            for inside in range(place, block.last + 1):
                orders[inside] = ""
            press.append(block)
            place = block.last + 1
            continue
        commands.append(command)
        place += 1
    return Plan(commands=tuple(commands), press=tuple(press), orders=tuple(orders))


def opens_press(text: str) -> bool:
    """Say whether a line begins a press block."""
    command = read_command(text)
    return command is not None and command.name == "press"


def closes_press(text: str) -> bool:
    """Say whether a line ends a press block."""
    return folded(text) in PRESS_END


def _press(lines: Sequence[str], command: Command, closes: Callable[[str], bool]) -> PressBlock:
    to, _, first = command.argument.partition(":")
    text = [first.strip()] if first.strip() else []
    block = PressBlock(
        line=command.line,
        to=to.strip(),
        text=(),
        closed=False,
        last=len(lines) - 1,
        how=command.how,
        meant=command.meant,
    )
    for place in range(command.line + 1, len(lines)):
        if closes(lines[place]):
            return replace(block, text=tuple(text), closed=True, last=place)
        text.append(lines[place])
    return replace(block, text=tuple(text))


def phrase_of(line: str) -> str:
    """Return the dice phrase of a ``соль`` line: from the line as written, normalised as it is hashed (fair-play 2)."""
    head = len("соль")  # both words, соль and salt, have four letters
    return chain.normalised(line.strip()[head:].lstrip(" :\u00a0"))


class ShortAnswer(Value, frozen=True):
    """The whole answer to a letter that asks: ``да``, ``нет`` (``no``), ``на ход 8``, or which of two."""

    turn: int | None = None
    no: bool = False
    choice: Choice = ""


def short_answer(lines: Sequence[str]) -> ShortAnswer | None:
    """Return what the own lines of a letter answer, if one of the short answers is all they say."""
    said = [folded(line) for line in lines if line.strip()]
    if len(said) != 1:
        return None
    if said[0] in _YES:
        return ShortAnswer()
    if said[0] in _NO:
        return ShortAnswer(no=True)
    if said[0] in _CHOICES:
        return ShortAnswer(choice=_CHOICES[said[0]])
    named = _FOR_TURN.fullmatch(said[0])
    return ShortAnswer(turn=int(named[1])) if named else None


def range_of(argument: str) -> tuple[int, int] | None:
    """Return the first and last turn that ``журнал N[-M]`` names, or None for all of it."""
    numbers = [int(number) for number in _DIGITS.findall(argument)]
    return (numbers[0], numbers[-1]) if numbers else None
