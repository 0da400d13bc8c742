"""An answer in a player's words: which open question it is about, which choice it names (play-by-mail 1.8)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from msgspec import field

from adjudicator.letters import GameHead, Reader
from adjudicator.services import render
from adjudicator.services.commands import Command, Plan
from adjudicator.words.text import bare
from engine.core import codec
from engine.core.contract import Complaint, Language, Question, Ruleset, Value
from engine.core.names import Ambiguous, Found, find

_NUMBERED: Final = re.compile(r"(\d{1,3})\s*(?::\s*(\S.*))?")
_PLACE: Final = re.compile(r"(\d{1,3})(?:[.)]?\s+(\S.*)|[.)]?)")
"""A choice by its number, as it is or with its words behind it: ``2``, ``2.``, ``2. остаться``."""
_SAID_BEFORE: Final = re.compile(r"(?:ответ|answer)\s+", re.IGNORECASE)


class Numbered(Value, frozen=True):
    """A question with the number by which the seat answers it; numbers count through the turn, one row for a seat."""

    number: int
    question: Question


@dataclass(frozen=True, slots=True)
class Asked:
    """What a seat is asked as a letter finds it.

    ``view`` is what it knows of the turn so far. ``takes`` is false where the letter comes too late, or too early, for
    the questions that are open; ``elsewhere`` is true of a letter that answers one about other questions, so that only
    a number can mean these. ``closed`` are the numbers of questions asked before, 0 for those of another turn.
    """

    view: Any
    open: tuple[Numbered, ...]
    takes: bool = True
    elsewhere: bool = False
    closed: tuple[int, ...] = ()


class Taken(Value, frozen=True):
    """An answer that was understood."""

    number: int
    key: str
    word: str


class NotTaken(Value, frozen=True):
    """Why a line is no answer: ``key`` and ``facts`` of its complaint; ``facts`` have the question, if it is known."""

    key: str
    facts: dict[str, Any] = field(default_factory=dict)


def with_bare_answer(plan: Plan, asked: Asked | None) -> Plan:
    """Return the plan with a bare number or option as an answer, if it is all that the letter says beside commands."""
    places = [place for place, text in enumerate(plan.orders) if text.strip()]
    if asked is None or not (asked.open or asked.elsewhere) or plan.press or len(places) != 1:
        return plan
    if any(command.name == "answer" for command in plan.commands):
        return plan
    place = places[0]
    text = _SAID_BEFORE.sub("", " ".join(plan.orders[place].split()), count=1)
    command = Command(name="answer", line=place, argument=f": {text}")
    orders = (*plan.orders[:place], "", *plan.orders[place + 1 :])
    return Plan(commands=(*plan.commands, command), press=plan.press, orders=orders)


def with_told_answers(plan: Plan, asked: Asked | None, ruleset: Ruleset, language: Language) -> Plan:
    """Return the plan with lines that the rules read as the answer to an open question as answers.

    So the tale of an answer may run over several lines, and stand among orders.
    """
    told = {} if asked is None else {one.question.key: one.number for one in asked.open if not one.question.choices}
    if asked is None or not told or any(command.name == "answer" for command in plan.commands):
        return plan
    orders, answers = list(plan.orders), []
    for one in ruleset.read(asked.view, (), plan.orders, language).orders:
        if one.order.slot in told:
            text = " ".join(plan.orders[place].strip() for place in one.lines)
            number = told[one.order.slot]
            answers.append(Command(name="answer", line=one.lines[0], argument=f"{number}: {text}"))
            for place in one.lines:
                orders[place] = ""
    return Plan(commands=(*plan.commands, *answers), press=plan.press, orders=tuple(orders))


def read(
    ruleset: Ruleset, asked: Asked | None, argument: str, language: Language, names: Callable[[], Names]
) -> Taken | NotTaken:
    """Read what follows the word ``ответ``: a number and a colon where several are asked, and the answer."""
    if asked is None or not (asked.open or asked.closed or asked.elsewhere):
        return NotTaken(key="no-question")
    number, text = _split(argument, asked)
    if number is None and not text:
        return NotTaken(key="answer-empty", facts={"numbers": _numbers(asked)})
    if number is not None and number in asked.closed:
        return NotTaken(key="answer-closed", facts={"number": number})
    if not asked.takes or not asked.open or (number is None and asked.elsewhere):
        return NotTaken(key="answer-closed", facts={"number": number or 0})
    if number is None and len(asked.open) > 1:
        return NotTaken(key="which-question", facts={"numbers": _numbers(asked)})
    meant = next((one for one in asked.open if number in (None, one.number)), None)
    if meant is None:
        return NotTaken(key="no-such-question", facts={"number": number, "numbers": _numbers(asked)})
    if not text:
        return NotTaken(key="answer-empty", facts={"numbers": _numbers(asked)})
    return _word(ruleset, asked, meant, text, language, names)


def _split(argument: str, asked: Asked) -> tuple[int | None, str]:
    """Return the number of the question, if one is named, and the answer's own words."""
    if argument.startswith(":"):
        return None, argument[1:].strip()
    found = _NUMBERED.fullmatch(argument.strip())
    if found is None:
        return None, argument.strip()
    if found[2] is not None:
        return int(found[1]), found[2].strip()
    # «ответ 2» without a colon is the answer where one thing is asked, and half an answer where several are.
    return (None, found[1]) if len(asked.open) == 1 else (int(found[1]), "")


def _numbers(asked: Asked) -> list[int]:
    return [one.number for one in asked.open]


# Choices --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Names:
    """The words by which choices go: their phrases in both languages, with the names of this game in them."""

    voices: tuple[render.Voice, ...]

    def of(self, question: Question) -> dict[str, list[str]]:
        """Return the names of a question's choices."""
        return {
            choice.word: [
                choice.word,
                *(bare(render.choice_text(voice, choice.word, choice.facts)) for voice in self.voices),
            ]
            for choice in question.choices
        }


def names(head: GameHead, view: Any) -> Names:
    """Return the names of choices for a seat that sees this view."""
    languages: tuple[Language, ...] = ("ru", "en")
    readers = (Reader(name="", language=language, zone="UTC") for language in languages)
    return Names(tuple(render.voice_for(reader, head, view) for reader in readers))


def _word(
    ruleset: Ruleset, asked: Asked, meant: Numbered, text: str, language: Language, known: Callable[[], Names]
) -> Taken | NotTaken:
    question = meant.question
    about: dict[str, Any] = {"number": meant.number, "question": codec.plain(question)}
    if not question.choices:
        return _open_answer(ruleset, asked, meant, text, language, about)
    words = [choice.word for choice in question.choices]
    candidates = _meant(text, words, known().of(question))
    if len(candidates) == 1:
        return Taken(number=meant.number, key=question.key, word=candidates[0])
    if candidates:
        return NotTaken(key="answer-ambiguous", facts={**about, "words": list(candidates)})
    return NotTaken(key="answer-unknown", facts=about)


def _meant(text: str, words: Sequence[str], called: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return the choices that a text may mean: by number, by words, or by both, which then must agree."""
    by_words = _called(text, called)
    placed = _PLACE.fullmatch(text)
    if placed is None:
        return by_words
    number = int(placed[1])
    by_number = (words[number - 1],) if 1 <= number <= len(words) else ()
    if placed[2] is None:
        return tuple(dict.fromkeys((*by_number, *by_words)))
    behind = _called(placed[2], called)
    return tuple(dict.fromkeys((*(by_number if behind else ()), *behind, *by_words)))


def _called(text: str, called: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    match find(text, called):
        case Found(key=key):
            return (key,)
        case Ambiguous(keys=keys):
            return keys
    return ()


def _open_answer(
    ruleset: Ruleset, asked: Asked, meant: Numbered, text: str, language: Language, about: dict[str, Any]
) -> Taken | NotTaken:
    """Return the answer to an open question: one that it offers by number, or what the rules read.

    With a number and words behind it both must say the same. Past the last offer a number is left to the rules.
    """
    offers = [offer.word for offer in meant.question.offers]
    placed = _PLACE.fullmatch(text)
    number = int(placed[1]) if placed is not None else 0
    offered = offers[number - 1] if 1 <= number <= len(offers) else ""
    behind = placed[2] if placed is not None and offered else text
    if behind is None:
        return Taken(number=meant.number, key=meant.question.key, word=offered)
    word, complaint = _by_rules(ruleset, asked, meant, behind, language)
    if word and offered not in ("", word):
        return NotTaken(key="answer-ambiguous", facts={**about, "words": [offered, word]})
    if word:
        return Taken(number=meant.number, key=meant.question.key, word=word)
    if complaint is not None:
        return NotTaken(key="answer-complaint", facts={**about, "complaint": codec.plain(complaint)})
    return NotTaken(key="answer-unknown", facts=about)


def _by_rules(
    ruleset: Ruleset, asked: Asked, meant: Numbered, text: str, language: Language
) -> tuple[str, Complaint | None]:
    """Let the rules read an answer: an order whose slot is the question's key; "" and why, if there is none."""
    found = ruleset.read(asked.view, (), (text,), language)
    orders = [one.order for one in found.orders if one.order.slot == meant.question.key]
    if len(orders) == 1 and len(found.orders) == 1:
        return codec.encode(orders[0]), None
    return "", next(iter(found.complaints), None)
