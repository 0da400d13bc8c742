"""Say why a line cannot be followed, and what it could have meant: orders that would be read and are allowed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from engine.core.contract import Order, Sheet
from engine.core.names import Folded, nearest, nearest_words
from engine.pirates.orders.choices import sensible
from engine.pirates.orders.grammar import Stumble, parse
from engine.pirates.orders.judging import Context, Judged, Refusal, judge
from engine.pirates.orders.lexeme import Lexeme
from engine.pirates.orders.lexicon import phrases, vocabulary
from engine.pirates.orders.position import commanded
from engine.pirates.state import PiratesView

_MOST_TRIES: Final = 12


def mend(
    view: PiratesView, folded: Folded, raw: str, sheet: Sheet, stuck: tuple[tuple[Lexeme, ...], Stumble]
) -> Refusal:
    """Return the complaint for tokens the grammar stumbled over."""
    tokens, stumble = stuck
    context = Context(view, sheet, raw, folded)
    west = _first_allowed(_threes_as_west(tokens), context)
    if west:
        three = next(token for token in tokens if _is_three(token))
        start, end = folded.span(three.start, three.end)
        place, facts = (three.start, three.end), {"typed": raw[start:end]}
        return Refusal("unread", "digit-for-west", place=place, facts=facts, offers=west)
    culprit = stumble.token
    if culprit is None:
        return Refusal("unread", "incomplete", offers=_completed(tokens, context))
    start, end = folded.span(culprit.start, culprit.end)
    key = _key(tokens, stumble)
    return Refusal(
        "unread",
        key,
        place=(culprit.start, culprit.end),
        facts={"typed": raw[start:end]},
        offers=_first_allowed(_reworded(tokens, stumble.place, folded, context), context)
        or _completed(tokens, context),
    )


def _key(tokens: Sequence[Lexeme], stumble: Stumble) -> str:
    token = tokens[stumble.place]
    if token.kind != "WORD":
        return "unexpected"
    before = tokens[stumble.place - 1].kind if stumble.place else ""
    after = tokens[stumble.place + 1].kind if stumble.place + 1 < len(tokens) else ""
    ship = before in {"SHIP", "AT", "BEFORE", "AFTER"} or after == "_COLON" or stumble.place == 0
    return "unknown-ship" if ship else "unknown-word"


def _first_allowed(candidates: Iterator[tuple[Lexeme, ...]], context: Context) -> tuple[Order, ...]:
    """Return the orders of the candidates that can be read and are allowed, each once."""
    found: dict[Order, None] = {}
    for _, tokens in zip(range(_MOST_TRIES), candidates, strict=False):
        line = parse(tokens)
        verdict = judge(line, context) if not isinstance(line, Stumble) else None
        if isinstance(verdict, Judged):
            found.update(dict.fromkeys(verdict.orders))
    return tuple(found)


def _threes_as_west(tokens: Sequence[Lexeme]) -> Iterator[tuple[Lexeme, ...]]:
    """Yield the line with one digit 3 read as the letter З: «3 3» as «З 3», «С3 2» as «СЗ 2»."""
    for place, token in enumerate(tokens):
        if not _is_three(token):
            continue
        yield (*tokens[:place], _west(token, "W"), *tokens[place + 1 :])
        before = tokens[place - 1] if place else None
        if before is not None and before.kind == "RHUMB" and before.value in {"N", "S"} and before.end == token.start:
            yield (*tokens[: place - 1], _west(token, f"{before.value}W"), *tokens[place + 1 :])


def _is_three(token: Lexeme) -> bool:
    """Say whether a token is the digit 3 (and not the word)."""
    return token.kind == "NUMBER" and token.value == "3" and token.end - token.start == 1


def _west(token: Lexeme, rhumb: str) -> Lexeme:
    return Lexeme("RHUMB", rhumb, token.start, token.end)


def _reworded(tokens: Sequence[Lexeme], place: int, folded: Folded, context: Context) -> Iterator[tuple[Lexeme, ...]]:
    """Yield the line with the word that failed replaced by the nearest words and names."""
    token = tokens[place]
    typed = folded.text[token.start : token.end]
    if token.kind != "WORD" or not typed.isalpha():
        yield (*tokens[:place], *tokens[place + 1 :])
        return
    yield from _renamed(tokens, place, folded, context.view)
    for word in nearest_words(typed, vocabulary()):
        for meaning in phrases()[(word,)]:
            one = Lexeme(meaning.kind, meaning.value, token.start, token.end)
            yield (*tokens[:place], one, *tokens[place + 1 :])


def _renamed(tokens: Sequence[Lexeme], place: int, folded: Folded, view: PiratesView) -> Iterator[tuple[Lexeme, ...]]:
    """Yield the line with the unknown words from a place on read as the nearest ships.

    What a line is about is one of the viewer's own ships: any of them, if none is near.
    """
    stop = place + 1
    while stop < len(tokens) and tokens[stop].kind == "WORD":
        stop += 1
    start, end = tokens[place].start, tokens[stop - 1].end
    subject = stop < len(tokens) and tokens[stop].kind == "_COLON"
    ships = commanded(view) if subject else view.ships
    near = nearest(folded.text[start:end], {str(ship.number): (ship.name,) for ship in ships})
    for number in near:
        yield (*tokens[:place], Lexeme("NAME", int(number), start, end), *tokens[stop:])
    if subject and not near:
        for ship in ships:
            yield (Lexeme("NUMBER", str(ship.number), start, end), *tokens[stop:])


def _completed(tokens: Sequence[Lexeme], context: Context) -> tuple[Order, ...]:
    """Return an order that is legal now for the ship a line is about, if that can be told."""
    view = context.view
    own = {ship.number: ship for ship in commanded(view)}
    numbers = [int(token.value) for token in tokens if token.kind in {"NUMBER", "NAME"} and len(str(token.value)) < 3]
    about = next((number for number in numbers[:1] if number in own), None)
    if about is None and len(own) == 1:
        about = next(iter(own))
    if about is None or (tokens and tokens[0].kind in {"VOLLEY", "GOLD", "NAMING", "SEQUENCE"}):
        return ()
    return (msgspec.structs.replace(sensible(view, own[about]), silent=False),)
