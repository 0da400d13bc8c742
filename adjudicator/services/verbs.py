"""What the lines of a moderator's letter ask for: his verbs, in Russian and English (play-by-mail 6)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Final

import msgspec

from adjudicator.services import commands
from engine.core.contract import Value

_TURN_BEHIND: Final = re.compile(r"[\s,;(]+(?:на\s+|for\s+)?(?:ход[ауе]?|turn)\s+(\d{1,6})\)?$", re.IGNORECASE)
_TURN_FIRST: Final = re.compile(r"(?:(?:ход|turn)\s+)?(\d{1,6})(?=\s|$)", re.IGNORECASE)
_TURN_OF_TEXT: Final = re.compile(r"(?:ход|turn)\s+(\d{1,6})\s*:\s*", re.IGNORECASE)
_NUMBER: Final = re.compile(r"(?:(?:письмо|mail)\s+)?[#№]?\s*(\d{1,9})", re.IGNORECASE)
_LINK: Final = re.compile(r"\s+(?:по|from)\s+(https?://\S{1,300}|\S*://\S{1,300})$", re.IGNORECASE)
_AS_OF: Final = re.compile(r"\s+(?:на|от|as of|as at)\s+(?=.*\d:\d\d)(.{4,60})$", re.IGNORECASE)
_AT_ONCE: Final = re.compile(r"(?:(?:на\s+|for\s+)?(?:ход|turn)\s+\d{1,6}\s*)?:(?=\s|$)", re.IGNORECASE)
_LINE_LIMIT: Final = 2000
_REASON: Final = re.compile(r"\s*\(([^()]{1,300})\)$")
_ORDERS_END: Final = ("конец приказов", "end orders")

LATER: Final = ("void", "rollback")
"""Verbs that are known and cannot be had yet."""
MODERATED: Final = ("at-once",)
"""Verbs of games alone whose rules want a moderator (`engine.core.contract.Moderated`)."""
BY_VOTE: Final = (
    "process",
    "deadline",
    "extend",
    "pause",
    "resume",
    "act-for",
    "amend",
    "replay",
    "substitute",
    "eject",
    "rule",
    "finish",
)
"""Verbs that the seats of a game without a moderator may propose."""


class Word(Value, frozen=True):
    """A verb as the data file describes it."""

    name: str
    spellings: tuple[str, ...]
    takes: tuple[str, ...]
    between: tuple[str, ...] = ()


class Verb(Value, frozen=True):
    """A verb that a line names, with what follows it; ``last`` is the last line that belongs to it.

    ``trapped`` is a line of an unclosed text that reads as another verb: the text may have been meant to end before.
    """

    name: str
    line: int
    last: int
    turn: int | None = None
    seat: str = ""
    address: str = ""
    when: str = ""
    span: str = ""
    number: int | None = None
    rest: str = ""
    why: str = ""
    link: str = ""
    text: tuple[str, ...] = ()
    wanting: str = ""
    trapped: str = ""


@cache
def words() -> tuple[Word, ...]:
    """Return the verbs of the data file. Raises ValueError if one spelling names two of them."""
    document = tomllib.loads(resources.files("adjudicator.data").joinpath("verbs.toml").read_text(encoding="utf-8"))
    found = []
    seen: dict[str, str] = {}
    for name, entry in document.items():
        spellings = (*entry["ru"], *entry["en"])
        for spelling in spellings:
            if seen.setdefault(spelling, name) != name:
                raise ValueError(f"{spelling!r} is both {seen[spelling]!r} and {name!r}")
        found.append(Word(name, spellings, tuple(entry["takes"]), tuple(entry.get("between", ()))))
    return tuple(found)


@cache
def _longest_first() -> tuple[tuple[str, Word], ...]:
    pairs = [(spelling, word) for word in words() for spelling in word.spellings]
    return tuple(sorted(pairs, key=lambda pair: (-len(pair[0]), pair[0])))


def spelled(name: str, language: str) -> str:
    """Return the first spelling of a verb in a language, as letters print it."""
    word = next(word for word in words() if word.name == name)
    return next(one for one in word.spellings if one.isascii() == (language == "en"))


def _named(line: str) -> tuple[Word, str] | None:
    """Return the verb that a line begins with, and what follows it as it was typed."""
    if len(line) > _LINE_LIMIT:
        return None
    typed = " ".join(line.split())
    plain = typed.casefold().replace("ё", "е").replace("’", "'")
    for spelling, word in _longest_first():
        if plain.rstrip(".! ") == spelling:
            return word, ""
        if plain.startswith(spelling) and plain[len(spelling)] in " :,":
            rest = typed[len(spelling) :].lstrip(" ,")
            if word.takes == ("orders",):
                found = _AT_ONCE.match(rest)
                return (word, rest) if found else None
            rest = rest if word.takes in ((), ("turn",)) else rest.lstrip(" :")
            if _has_colon(word, rest):
                return word, rest
    return None


def _has_colon(word: Word, rest: str) -> bool:
    """Say whether a verb that addresses somebody has its colon, without which the line is prose: «за вас»."""
    return ":" in rest if word.takes[:1] == ("seat",) and word.takes[-1] in ("text", "orders") else True


def is_verb(line: str) -> bool:
    """Say whether a line reads as a verb of the moderator's."""
    return _named(line) is not None


def read(lines: Sequence[str], spans: Mapping[int, int] | None = None) -> tuple[tuple[Verb, ...], tuple[int, ...]]:
    """Return the verbs of a letter's own lines in order, and the places of the lines that are none.

    ``spans`` are texts of several lines, by first and last line: what stands in them is no verb, whatever it says.
    """
    found: list[Verb] = []
    unread: list[int] = []
    place = 0
    while place < len(lines):
        if spans is not None and place in spans:
            unread += [one for one in range(place, spans[place] + 1) if lines[one].strip()]
            place = spans[place] + 1
            continue
        named = _named(lines[place])
        if named is None:
            unread += [place] if lines[place].strip() else []
            place += 1
            continue
        verb = _verb(*named, lines, place)
        found.append(verb)
        place = verb.last + 1
    return tuple(found), tuple(unread)


def _verb(word: Word, rest: str, lines: Sequence[str], place: int) -> Verb:
    if word.takes[-1:] == ("text",):
        return _prose(word, rest, lines, place)
    if word.takes[-1:] == ("orders",):
        return _orders(word, rest, lines, place)
    if word.takes == ("rest",):
        return Verb(word.name, place, place, rest=rest)
    rest, why = _reason(rest)
    rest, turn = _turn_behind(rest)
    if "turn" in word.takes and turn is None and (first := _TURN_FIRST.match(rest)):
        turn, rest = int(first[1]), rest[first.end() :].strip()
    verb = Verb(word.name, place, place, turn=turn, why=why)
    match word.takes:
        case ("seat", "address"):
            seat, address = _parted(rest, word.between)
            return _whole(msgspec.structs.replace(verb, seat=seat, address=address), word)
        case (*_, "number"):
            found = _NUMBER.fullmatch(rest)
            return msgspec.structs.replace(verb, number=int(found[1])) if found else _whole(verb, word)
        case (*_, ("seat" | "address" | "when" | "span") as last):
            return _whole(msgspec.structs.replace(verb, **{last: rest}), word)
        case _:
            return msgspec.structs.replace(verb, rest=rest)


def _whole(verb: Verb, word: Word) -> Verb:
    """Return the verb with the first thing that it wants and its line does not name."""
    wanting = [name for name in word.takes if name != "turn" and not getattr(verb, name)]
    return msgspec.structs.replace(verb, wanting=next(iter(wanting), ""))


def _reason(rest: str) -> tuple[str, str]:
    """Part what a verb is about from its reason, which follows a colon and a space: hours have none behind theirs."""
    about, sign, why = f"{rest} ".partition(": ")
    return (about.strip(), why.strip()) if sign else (rest.rstrip(" ."), "")


def _turn_behind(rest: str) -> tuple[str, int | None]:
    found = _TURN_BEHIND.search(f" {rest}")
    return (f" {rest}"[: found.start()].strip(), int(found[1])) if found else (rest, None)


def _parted(rest: str, between: Sequence[str]) -> tuple[str, str]:
    """Part «жёлтые на boris@example.org»: the address is the last word."""
    front, _, address = rest.rpartition(" ")
    for word in between:
        front = re.sub(rf"(?i)\s*\b{word}$", "", front.strip())
    return (front.strip(), address) if "@" in address else (rest, "")


def _prose(word: Word, rest: str, lines: Sequence[str], place: int) -> Verb:
    """Take a text whole: to its end mark, else to the end of the letter."""
    seat, turn = "", None
    if "seat" in word.takes:
        seat, _, rest = rest.partition(":")
    elif about := _TURN_OF_TEXT.match(rest):
        turn, rest = int(about[1]), rest[about.end() :]
    text = [rest.strip()] if rest.strip() else []
    last, closed = len(lines) - 1, False
    for at in range(place + 1, len(lines)):
        if commands.closes_press(lines[at]):
            last, closed = at, True
            break
        text.append(lines[at])
    while text and not text[-1].strip():
        text.pop()
    trapped = "" if closed else next((line for line in text[1:] if is_verb(line)), "")
    wanting = "" if text else "text"
    return Verb(
        word.name, place, last, turn=turn, seat=seat.strip(), text=tuple(text), wanting=wanting, trapped=trapped
    )


def _orders(word: Word, rest: str, lines: Sequence[str], place: int) -> Verb:
    """Take the lines of orders that follow «за жёлтых:», to the next verb, to «конец приказов» or to the end."""
    front, behind = _heading(rest)
    text = [behind.strip()] if behind.strip() else []
    last = place
    for at in range(place + 1, len(lines)):
        if commands.folded(lines[at]) in _ORDERS_END or commands.closes_press(lines[at]):
            last = at
            break
        if is_verb(lines[at]):
            break
        text.append(lines[at])
        last = at
    front, turn = _turn_behind(front or "")
    why = ""
    if "turn" in word.takes:
        front, why = _reason_in_brackets(front)
        if turn is None and (first := _TURN_FIRST.match(front)):
            turn, front = int(first[1]), front[first.end() :].strip()
    link = _LINK.search(front)
    front = front[: link.start()] if link else front
    as_of = _AS_OF.search(front)
    when, front = (as_of[1].strip(), front[: as_of.start()]) if as_of else ("", front)
    seat = front.strip(" ,")
    wanting = "" if any(line.strip() for line in text) else "orders"
    if "turn" in word.takes and not seat:
        wanting = "seat"
    return Verb(
        word.name, place, last, turn=turn, seat=seat, when=when, why=why, link=link[1] if link else "",
        text=tuple(text), wanting=wanting,
    )  # fmt: skip


def _reason_in_brackets(front: str) -> tuple[str, str]:
    """Part a heading from its reason: «поправить 7 жёлтые (письмо прочли неверно)»."""
    found = _REASON.search(front)
    return (front[: found.start()], found[1].strip()) if found else (front, "")


def _heading(rest: str) -> tuple[str, str]:
    """Part a heading from the order behind its colon; hours and links have colons of their own."""
    found = re.search(r":(?=\s|$)", rest)
    return (rest[: found.start()], rest[found.end() :]) if found else (rest.rstrip(":"), "")


# In a player's letter -------------------------------------------------------------------------------------------------


def proposed(line: str) -> Verb | None:
    """Return the verb that a player's line proposes where there is no moderator, None if it is no such line."""
    found, _ = read(line.splitlines())
    return next((verb for verb in found if verb.name in BY_VOTE), None)


def with_proposals(plan: commands.Plan) -> commands.Plan:
    """Return a letter's plan in which each line that proposes a verb is a command and no order.

    Where orders are to stand below such a line, those of the letter do, to «конец приказов» or to its end.
    """
    blocks = {verb.line: verb.last for verb in read(plan.orders)[0]}
    found: list[commands.Command] = []
    taken: set[int] = set()
    for place, line in enumerate(plan.orders):
        verb = proposed(line.strip()) if place not in taken else None
        if verb is None:
            continue
        last = blocks.get(place, place) if verb.wanting == "orders" else place
        taken |= set(range(place, last + 1))
        argument = "\n".join(plan.orders[place : last + 1]).strip()
        found.append(commands.Command(name="propose", line=place, argument=argument, deed=True))
    orders = tuple("" if place in taken else line for place, line in enumerate(plan.orders))
    return msgspec.structs.replace(plan, commands=(*plan.commands, *found), orders=orders)
