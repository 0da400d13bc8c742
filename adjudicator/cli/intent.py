"""Whether a line of a letter is meant for a game, asked where no game is at hand to read it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import resources
from typing import Any, Final

from adjudicator.services import commands, mistyped, verbs
from adjudicator.services.resolving import TrialDice
from adjudicator.services.verbs import Verb
from engine.core import registry
from engine.core.contract import Answers, Reading, Resolution, Ruleset, Seat, Value
from engine.core.dice import MAIN

_LINE_LIMIT: Final = 500
"""Characters of a line that may be an order of a ruleset that is not here."""
_LISTED: Final = r"(?:\d{1,2}[.)] ?)?"
_PLACES: Final = {
    "n": r"\d{1,3}",
    "cell": r"[^\W\d_]\d{1,2}",
    "word": r"[^\W\d_]{2,20}",
    "unit": r"(?:[бжчкwybr][1-3]|бг|мс|пт|bg|ms|fr)",
    "colour": r"(?:[бжчкwybr]|белые|желтые|черные|красные|white|yellow|black|red)",
    "course": r"(?:[nsewсвюз]{1,2}|[бжчкwybr]|на|to|[^\W\d_]\d{1,2})",
    "sign": r"[+-] ?\d",
    "steps": r"(?:(?=[^;]{0,30}=)[=плsp-](?: ?[=плsp-]){0,11}|[пл](?: ?[пл]){1,11})",
    "rest": r"\S.{0,400}",
}
_PLACE: Final = re.compile(r"\{(\w+)\}")
_PUNCTUATED: Final = re.compile(r"(.+?)([:;,.]?)")

_View = tuple[Ruleset, Any]


class Shapes(Value, frozen=True):
    """The data file: how lines of orders look, and the words that make a heading of such a line."""

    lines: tuple[str, ...]
    headings: tuple[str, ...]


def seems(lines: Sequence[str]) -> bool:
    """Say whether any line is a command, press, a moderator's verb, or looks like an order of any ruleset."""
    plan = mistyped.plan(lines)
    if plan.commands or plan.press or mistyped.short_answer(lines) is not None or is_answer(lines):
        return True
    if any(looks_like_order(line) or _is_verb(line) for line in plan.orders):
        return True
    return read_as(lambda found: found.orders or found.complaints, _openings(), plan.orders)


def surely(line: str) -> bool:
    """Say whether a line is a command or a readable order, so that it cannot be a signature."""
    if mistyped.read_command(line) is not None or looks_like_order(line):
        return True
    return read_as(
        lambda found: found.orders or any(one.kind != "unread" for one in found.complaints), _openings(), (line,)
    )


def looks_like_order(line: str) -> bool:
    """Say whether a line has the shape of an order in some ruleset, installed here or not."""
    if len(line) > _LINE_LIMIT:
        return False
    found = _shapes().fullmatch(commands.folded(line))
    return found is not None and found["first"] not in _headings()


def read_as(matters: Callable[[Reading], Any], views: Sequence[_View], lines: Sequence[str]) -> bool:
    """Say whether what some ruleset reads in lines, as a seat sees them, matters."""
    return any(line.strip() for line in lines) and any(
        matters(ruleset.read(view, (), tuple(lines), "ru")) for ruleset, view in views
    )


def is_answer(lines: Sequence[str]) -> bool:
    """Say whether a number is all that is said: the answer to a question (play-by-mail 2)."""
    said = [line.strip() for line in lines if line.strip()]
    return len(said) == 1 and re.fullmatch(r"\d{1,3}[.!]?", said[0]) is not None


def _is_verb(line: str) -> bool:
    """Say whether a line names a moderator's verb with what the verb is about; its bare word may be anybody's."""
    found, _ = verbs.read((line,))
    return any(not verb.wanting and _names_something(verb) for verb in found)


def _names_something(verb: Verb) -> bool:
    return verb.turn is not None or verb.number is not None or "@" in verb.address or bool(verb.seat and verb.text)


# The shapes ---------------------------------------------------------------------------------------------------------


@cache
def shapes() -> Shapes:
    """Return the shapes of the data file."""
    text = resources.files("adjudicator.data").joinpath("order_lines.toml").read_text(encoding="utf-8")
    return Shapes(**{name: tuple(rows) for name, rows in tomllib.loads(text).items()})


@cache
def _shapes() -> re.Pattern[str]:
    body = "|".join(pattern(line) for line in shapes().lines)
    return re.compile(rf"{_LISTED}(?=(?P<first>[^\W\d_]*))(?:{body})")


@cache
def _headings() -> frozenset[str]:
    return frozenset(map(commands.folded, shapes().headings))


def pattern(shape: str) -> str:
    """Return a shape of the data file as a pattern over a folded line. Raises KeyError for a place nobody knows."""
    tokens = [_PUNCTUATED.fullmatch(token) for token in shape.split(" ")]
    pieces = [f"{_word(token[1])}{f' ?{token[2]}' if token[2] else ''}" for token in tokens if token]
    glue = [" ?" if piece.endswith((":", ";", ",", ".")) else " " for piece in pieces[:-1]]
    return "".join(part for pair in zip(pieces, [*glue, ""], strict=True) for part in pair)


def _word(token: str) -> str:
    if not _PLACE.search(token):
        return "(?:" + "|".join(re.escape(commands.folded(word)) for word in token.split("|")) + ")"
    pieces = _PLACE.split(token)
    return "".join(_PLACES[piece] if number % 2 else re.escape(piece) for number, piece in enumerate(pieces))


# The rules that are here ----------------------------------------------------------------------------------------------


@cache
def _openings() -> tuple[_View, ...]:
    """Return every seat's view of the first two positions of every ruleset, in the smallest game."""
    return tuple(view for ruleset in registry.rulesets().values() for view in _first_views(ruleset))


def _first_views(ruleset: Ruleset) -> Iterator[_View]:
    options = next(iter(ruleset.info.editions.values()))
    seats: tuple[Seat, ...] = tuple(seat.id for seat in ruleset.seats(options, ruleset.info.seats[0]))
    dice = TrialDice(bytes(32), (MAIN, *ruleset.info.streams))
    opening = ruleset.start(options, seats, dice)
    yield from ((ruleset, ruleset.view(opening.state, seat)) for seat in seats)
    sheets = {seat: ruleset.silent(ruleset.view(opening.state, seat), ()) for seat in seats}
    after = ruleset.resolve(opening.state, sheets, dice, Answers({}, dice))
    if isinstance(after, Resolution):
        yield from ((ruleset, ruleset.view(after.state, seat)) for seat in seats)
