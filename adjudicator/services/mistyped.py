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
_SMILES: Final = frozenset("()")
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
    ways = _ways(polite.split(maxsplit=1)[0])
    for rung in (_by_look(polite) if "lookalike" in ways else (), _by_guess(polite, ways)):
        found_by_meaning: dict[tuple[str, str], Command] = {}
        for one in rung:
            found_by_meaning.setdefault((one.name, one.argument), one)
        if found_by_meaning:
            return next(iter(found_by_meaning.values())) if len(found_by_meaning) == 1 else None
    return None


@lru_cache(maxsize=4096)
def _ways(first: str) -> frozenset[Mend]:
    """Return by which repairs a line with this first word may be a command: hardly any line of orders has one."""
    firsts = _first_words()
    found: set[Mend] = set()
    if any(folded(other).rstrip(":") in firsts for other in looks(first.casefold())):
        found.add("lookalike")
    if any(folded(other).rstrip(":") in firsts for other in layouts(first)):
        found.add("layout")
    if first.isascii() and any(key in _by_first_sound() for key in sounds(folded(first))):
        found.add("translit")
    return frozenset(found)


@cache
def _first_words() -> frozenset[str]:
    return frozenset(spelling.split()[0] for spelling, _ in _spellings())


def _by_look(line: str) -> Iterator[Command]:
    """Yield what a line is to the eye; what follows the command's word stays as it was typed."""
    typed = " ".join(line.split())
    small = typed.casefold()
    for other in looks(small) if len(small) == len(typed) else ():
        found, spelling = commands.spelled(folded(other), typed)
        yield from _allowed(found, "lookalike", meant=spelling)


def _by_guess(line: str, ways: frozenset[Mend]) -> Iterator[Command]:
    for other in layouts(line) if "layout" in ways else ():
        yield from _allowed(commands.read_command(other), "layout", meant=other)
    if "translit" in ways:
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
    said = folded(line).split()
    near = dict.fromkeys(pair for key in sounds(said[0]) for pair in _by_first_sound().get(key, ()))
    for spelling, word in near:
        named = spelling.split()
        if len(said) >= len(named) and all(map(_sound_alike, said, named)):
            yield from _with_number(word, spelling, said[len(named) :], "translit")


def _sound_alike(one: str, other: str) -> bool:
    return not set(sounds(one)).isdisjoint(sounds(other))


@cache
def _by_first_sound() -> dict[str, tuple[tuple[str, Word], ...]]:
    """Return the Russian spellings by the sound of their first word."""
    found: dict[str, tuple[tuple[str, Word], ...]] = {}
    for spelling, word in _spellings():
        if "translit" in word.mends and not spelling.isascii():
            for key in sounds(spelling.split()[0]):
                found[key] = (*found.get(key, ()), (spelling, word))
    return found


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
def _courtesies() -> tuple[re.Pattern[str], re.Pattern[str], frozenset[str]]:
    """Return what finds courtesies at the beginning and at the end of a line, and their first and last words."""
    document = tomllib.loads(
        resources.files("adjudicator.data").joinpath("courtesies.toml").read_text(encoding="utf-8")
    )
    words = sorted((*document["ru"], *document["en"]), key=len, reverse=True)
    either = "|".join(word.replace(" ", r"\s+") for word in words)
    before = re.compile(rf"^\s*(?:(?:{either})\b[\s,:]*)+", re.IGNORECASE)
    after = re.compile(rf"(?:[\s,.!]+(?:{either}))+[\s.!]*$", re.IGNORECASE)
    return before, after, frozenset(one for word in words for one in (word.split()[0], word.split()[-1]))


def _without_courtesies(line: str) -> str:
    before, after, words = _courtesies()
    plain = _SMILE.sub("", line) if line.rstrip(" .!")[-1:] in _SMILES else line
    spoken = plain.split()
    if not spoken or {spoken[0].casefold().rstrip(",:"), spoken[-1].casefold().rstrip(".!")}.isdisjoint(words):
        return plain if plain.strip() else line
    plain = after.sub("", before.sub("", plain))
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
