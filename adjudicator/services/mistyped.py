"""Commands as people type them: politely, in look-alike letters, the other layout, Latin letters, one letter off."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib import resources
from typing import Final

from msgspec.structs import replace

from adjudicator.services import commands
from adjudicator.services.commands import Command, Mend, Plan, ShortAnswer, Word, folded
from engine.core.names import one_off_words
from engine.core.scripts import layouts, looks, sounds

_LONGEST: Final = 300
"""Characters of a line that may be a mistyped command."""
_SHORTEST_SLIP: Final = 5
"""Letters of a word of which one may be wrong: «проба» and «прова» are near, so are «соль» and «роль»."""
_SMILE: Final = re.compile(r"[\s.!]*(?:[:;=]?-?[)(]+)+[\s.!]*$")
_DIGITS: Final = re.compile(r"\d{1,6}")
_ANSWERS: Final = ("да", "нет")
_HEAD: Final = re.compile(r"[^\W\d_]+")


def read_command(line: str, place: int = 0) -> Command | None:
    """Return the command that a line is, or must have been meant to be; `Command.how` says by what repair.

    A word with one letter wrong that would undo something is the command ``nearly``: asked about and not done.
    """
    found = commands.read_command(line, place)
    if found is not None or len(line) > _LONGEST or not line.strip():
        return found
    mended = _mended(line)
    return replace(mended, line=place) if mended is not None and place else mended


def plan(lines: Sequence[str]) -> Plan:
    """Sort a letter's own lines into commands, press and lines for the rules, mistyped commands among the first."""
    return commands.plan(lines, read=read_command, closes=closes_press)


@lru_cache(maxsize=1024)
def _mended(line: str) -> Command | None:
    """Return the one command that a line can have been meant to be, None if there is none or more than one."""
    polite = _without_courtesies(line)
    if polite != line and (found := commands.read_command(polite)) is not None:
        return found
    for rung in (_by_look(polite), _by_guess(polite)):
        found_by_meaning: dict[tuple[str, str], Command] = {}
        for one in rung:
            found_by_meaning.setdefault((one.name, one.argument), one)
        if found_by_meaning:
            return next(iter(found_by_meaning.values())) if len(found_by_meaning) == 1 else None
    return None


def _by_look(line: str) -> Iterator[Command]:
    """Yield what a line is to the eye; what follows the command's word stays as it was typed."""
    typed = " ".join(line.split())
    small = typed.casefold()
    for other in looks(small) if len(small) == len(typed) else ():
        found, spelling = commands.spelled(folded(other), typed)
        yield from _allowed(found, "lookalike", meant=spelling)


def _by_guess(line: str) -> Iterator[Command]:
    for other in layouts(line):
        yield from _allowed(commands.read_command(other), "layout", meant=other)
    yield from _by_sound(line)
    yield from _by_slip(line)


def _allowed(command: Command | None, how: Mend, meant: str) -> Iterator[Command]:
    if command is not None and how in word_of(command).mends:
        yield replace(command, how=how, meant=" ".join(meant.split()))


def word_of(command: Command) -> Word:
    """Return the entry of the data file that a command was read by."""
    return next(word for word in commands.words() if word.name == command.name)


def _by_sound(line: str) -> Iterator[Command]:
    """Yield the Russian command that a line in Latin letters sounds like: «gotov», «otchet 4»."""
    typed = folded(line)
    if not typed.isascii():
        return
    said = typed.split()
    for spelling, word in _spellings():
        named = spelling.split()
        if "translit" not in word.mends or spelling.isascii() or len(said) < len(named):
            continue
        if all(not set(sounds(one)).isdisjoint(sounds(other)) for one, other in zip(said, named, strict=False)):
            yield from _with_number(word, spelling, said[len(named) :], "translit")


def _by_slip(line: str) -> Iterator[Command]:
    """Yield the command that a line is one letter off from; its first letter is hardly ever the wrong one."""
    typed = folded(line)
    number = _DIGITS.fullmatch(typed.rpartition(" ")[2])
    text = typed.rpartition(" ")[0] if number else typed
    for spelling, word in _one_letter_from(text):
        yield from _with_number(word, spelling, [number[0]] if number else [], "one-off")
    head = _HEAD.match(" ".join(line.split()))
    for spelling, word in _one_letter_from(folded(head[0])) if head and ":" in line else ():
        if head and word.colon:  # «писмо Анне:», «постояный: …»
            meant = spelling + " ".join(line.split())[head.end() :]
            yield from _allowed(commands.read_command(meant), "one-off", meant=spelling)


def _one_letter_from(text: str) -> Iterator[tuple[str, Word]]:
    if len(text) >= _SHORTEST_SLIP:
        near = one_off_words(text, _slippery())
        for spelling, word in _spellings() if near else ():
            if spelling in near and spelling[0] == text[0] and len(spelling) >= _SHORTEST_SLIP:
                yield spelling, word


def _with_number(word: Word, spelling: str, rest: Sequence[str], how: Mend) -> Iterator[Command]:
    """Yield a command with nothing behind its words, or with a number where it takes one."""
    if how == "one-off" and word.slips == "asked":
        if bool(rest) == (word.argument == "required"):
            yield Command(name="nearly", line=0, argument=" ".join((spelling, *rest)), how=how, meant=spelling)
        return
    meant = " ".join((spelling, *rest))
    if not rest or (len(rest) == 1 and _DIGITS.fullmatch(rest[0])):
        yield from _allowed(commands.read_command(meant), how, meant=meant)


@cache
def _spellings() -> tuple[tuple[str, Word], ...]:
    return tuple((spelling, word) for word in commands.words() for spelling in word.spellings)


@cache
def _slippery() -> tuple[str, ...]:
    """Return the spellings that may be one letter off."""
    return tuple(sorted(spelling for spelling, word in _spellings() if "one-off" in word.mends))


# Politeness -----------------------------------------------------------------------------------------------------------


@cache
def _courtesies() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what finds courtesies at the beginning and at the end of a line."""
    document = tomllib.loads(
        resources.files("adjudicator.data").joinpath("courtesies.toml").read_text(encoding="utf-8")
    )
    words = sorted((*document["ru"], *document["en"]), key=len, reverse=True)
    either = "|".join(word.replace(" ", r"\s+") for word in words)
    before = re.compile(rf"^\s*(?:(?:{either})\b[\s,:]*)+", re.IGNORECASE)
    after = re.compile(rf"(?:[\s,.!]+(?:{either}))+[\s.!]*$", re.IGNORECASE)
    return before, after


def _without_courtesies(line: str) -> str:
    before, after = _courtesies()
    plain = after.sub("", before.sub("", _SMILE.sub("", line)))
    return plain if plain.strip() else line


# Press and short answers ----------------------------------------------------------------------------------------------


def opens_press(text: str) -> bool:
    """Say whether a line begins a press block, mistyped or not: nothing in such a block is an order."""
    command = read_command(text)
    return command is not None and command.name == "press"


def closes_press(text: str) -> bool:
    """Say whether a line ends a press block, one letter off too: what follows must not be sent along."""
    if commands.closes_press(text):
        return True
    if len(text) > _LONGEST:
        return False
    typed, ends = folded(text), commands.PRESS_END
    others = (*looks(typed), *(folded(other) for other in layouts(text)))
    return any(other in ends for other in others) or bool(one_off_words(typed, ends))


def short_answer(lines: Sequence[str]) -> ShortAnswer | None:
    """Return what the own lines of a letter answer, if a short answer is all they say: «да», «да, спасибо», «lf»."""
    said = [line for line in lines if line.strip()]
    if len(said) != 1 or len(said[0]) > _LONGEST:
        return None
    polite = _without_courtesies(said[0])
    sounding = [word for word in _ANSWERS if not set(sounds(folded(polite))).isdisjoint(sounds(word))]
    for rung in ((said[0],), (polite,), looks(folded(polite)), (*layouts(polite), *sounding)):
        found = {answer for one in rung if (answer := commands.short_answer([one])) is not None}
        if found:
            return found.pop() if len(found) == 1 else None
    return None
