"""Lines sorted into orders, complaints and prose, against what the seat sees (2.5)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import msgspec

from engine.blockade.commands import (
    CornerOrder,
    DashDecision,
    DashOrder,
    HarbourOrder,
    LayoutOrder,
    LineOrder,
    Part,
    SideOrder,
    TurnDecision,
)
from engine.blockade.layout import Fault, fault_of
from engine.blockade.orders.lexicon import MOST_CHARACTERS, PORT_OR_STARBOARD, tokens
from engine.blockade.orders.mending import Mended, mendings
from engine.blockade.orders.parsing import (
    LAYOUT_HEADS,
    Land,
    Line,
    Parser,
    TwoReadings,
    Unread,
    as_relative,
    as_squares,
    begins_order,
    begins_with_cell,
)
from engine.blockade.orders.remarks import on_part, sized
from engine.blockade.orders.sheet import fold, parts_of
from engine.blockade.orders.writing import write
from engine.blockade.state import BlockadeView
from engine.blockade.view import movers
from engine.blockade.waters import corners, harbour
from engine.core.contract import Complaint, Language, Note, Order, Question, Reading, ReadOrder, Sheet
from engine.core.names import fold as folded

SETUP: Final = (SideOrder, HarbourOrder, CornerOrder)
_COMMENT: Final = re.compile(r"#(?!\d)|(?:^|(?<=\s))//")
_PROSE_WORDS: Final = 5
"""A line of so many words that begins with a keyword and goes on as no order does is a sentence."""


class Refused(Exception):
    """A line that was read and cannot be an order here: key, rule, facts, and lines that could be sent instead."""

    def __init__(self, key: str, rule: str, suggestions: tuple[str, ...] = (), **facts: Any) -> None:
        super().__init__(key)
        self.key = key
        self.rule = rule
        self.suggestions = suggestions
        self.facts = facts


def read(view: BlockadeView, sheet: Sheet, lines: Sequence[str], language: Language) -> Reading:
    """Read lines against what the seat sees. Never raises; every line is an order, a complaint or prose."""
    orders: list[ReadOrder] = []
    complaints: list[Complaint] = []
    prose: list[int] = []
    before = {order.slot: order for order in sheet}
    for places, text in _joined(view, lines):
        found = _line(view, text, language)
        if found is None:
            prose += places
        elif isinstance(found, Complaint):
            single = len(places) == 1 and found.place is not None and found.place[1] <= len(lines[places[0]])
            complaints.append(msgspec.structs.replace(found, lines=places, place=found.place if single else None))
        else:
            notes = (*found.notes, *_drops(before, found.order, language))
            orders.append(ReadOrder(order=found.order, lines=places, notes=notes))
            before |= {part.slot: part for part in parts_of(found.order)}
    laid = fold(sheet, [one.order for one in orders])
    return Reading(orders=tuple(orders), complaints=tuple(complaints), prose=tuple(prose), sheet=laid)


def _joined(view: BlockadeView, lines: Sequence[str]) -> list[tuple[tuple[int, ...], str]]:
    """Return the lines, those of a layout joined: it is one piece, wherever its lines stand in the letter (2.5.1)."""
    found: list[tuple[tuple[int, ...], str]] = []
    layout: list[int] = []
    for place, line in enumerate(lines):
        text = _bare(line)
        goes_on = bool(layout) and layout[-1] == place - 1 and begins_with_cell(text)
        if view.stage == "layout" and (begins_order(text) in LAYOUT_HEADS or goes_on):
            layout.append(place)
        else:
            found.append(((place,), text))
    if layout:
        texts = [_bare(lines[place]).strip().rstrip(";") for place in layout]
        pieces = "".join(("; " if begins_order(text) else " ") + text for text in texts)
        found.append((tuple(layout), pieces.removeprefix("; ")))
    return sorted(found)


def _bare(line: str) -> str:
    """Return a line without its comment (play-by-mail 2)."""
    return _COMMENT.split(line, maxsplit=1)[0].rstrip()


def _line(view: BlockadeView, text: str, language: Language) -> ReadOrder | Complaint | None:
    """Return what a line is: an order with its notes, a complaint (without line numbers), None for prose."""
    if not text.strip() or len(text) > MOST_CHARACTERS:
        return None
    if view.questions:
        return _answer(view, view.questions[0], text, language)
    begun = bool(begins_order(text))
    try:
        return _order(view, Parser(text, language).read(), language)
    except TwoReadings as two:
        return _two_readings(text, two, lambda line: _reads_back(line, language))
    except Unread as why:
        return _mended(view, text, language, why, begun=begun)
    except Refused as why:
        return _refusal(why)


def _refusal(why: Refused) -> Complaint:
    return Complaint(
        kind="not-allowed", key=why.key, lines=(), rule=why.rule, facts=why.facts, suggestions=why.suggestions
    )


def _two_readings(text: str, two: TwoReadings, reads: Callable[[str], str]) -> Complaint:
    """Refuse P after a Russian keyword with both readings: П, and Л for port (2.5.2).

    ``reads`` returns a line as it is written, and raises Unread and TwoReadings.
    """
    start, end = two.place
    lines = [_read_as(letter, two, reads) for letter in "ПЛ"]
    return Complaint(
        kind="ambiguous",
        key="port-or-starboard",
        lines=(),
        rule="2.5.2",
        place=two.place if two.line == text else None,
        facts={"typed": two.line[start:end]},
        suggestions=tuple(line for line in lines if line),
    )


def _read_as(letter: str, two: TwoReadings, reads: Callable[[str], str]) -> str:
    """Return the line with one letter for every P that stands after a Russian keyword, "" if it cannot be read."""
    for _ in tokens(two.line):
        text, (start, end) = two.line, two.place
        swapped = "".join(letter if folded(sign).text in tuple(PORT_OR_STARBOARD) else sign for sign in text[start:end])
        try:
            return reads(text[:start] + swapped + text[end:])
        except Unread:
            break
        except TwoReadings as another:
            two = another
    return ""


def _reads_back(line: str, language: Language) -> str:
    return _written(Parser(line, language).read().parts, "ru")


def _written(parts: Sequence[Part], language: Language) -> str:
    return "; ".join(write(part, language) for part in parts)


# Orders ---------------------------------------------------------------------------------------------------------------


def _order(view: BlockadeView, line: Line, language: Language) -> ReadOrder:
    """Return the order that a line is in this position. Raises Refused."""
    if view.outcome is not None:
        raise Refused("game-over", "2.5")
    if view.seat not in view.roster:
        raise Refused("no-seat", "2.5")
    if line.land:
        return ReadOrder(order=_layout(view, line.land, language), lines=(), notes=line.notes)
    parts: list[Part] = []
    notes = list(line.notes)
    faults: list[Refused] = []
    for one in line.parts:
        part, cut = sized(view, one)
        try:
            _check(view, part, language)
        except Refused as why:
            faults.append(why)
            continue
        parts.append(part)
        notes += (*cut, *on_part(view, part))
    if faults:
        first = faults[0]
        rest = first.suggestions or ((_written(parts, language),) if parts else ())
        raise Refused(first.key, first.rule, rest, **first.facts)
    order: Order = parts[0] if len(parts) == 1 else LineOrder(parts=tuple(parts))
    return ReadOrder(order=order, lines=(), notes=tuple(notes))


def _check(view: BlockadeView, part: Part, language: Language) -> None:
    """Refuse a part that this position has no use for. Raises Refused."""
    if isinstance(part, SETUP):
        if view.stage != "sides":
            raise Refused("set-up-over", "2.5.1", what=part.slot)
        _check_square(view, part, language)
        return
    if view.stage != "play":
        raise Refused("play-not-begun", "2.5.1", what=part.slot, stage=view.stage)
    if part.slot not in ("conclude", "turn") and view.piece not in movers(view):
        raise Refused("not-your-turn", "2.5", what=part.slot)
    if isinstance(part, DashOrder) and part.dash == "run" and view.piece == "blockader":
        raise Refused("no-run", "D15", (write(DashOrder(dash="ram"), language),))


def _check_square(view: BlockadeView, part: Part, language: Language) -> None:
    kinds: tuple[tuple[type[HarbourOrder | CornerOrder], tuple[str, ...], str, str], ...] = (
        (HarbourOrder, harbour(view.options), "not-harbour", "B2"),
        (CornerOrder, corners(view.options), "not-corner", "B3"),
    )
    for kind, legal, key, rule in kinds:
        if isinstance(part, kind) and part.cell not in legal:
            lines = tuple(write(kind(cell=cell), language) for cell in legal[:3])
            raise Refused(key, rule, lines, cell=part.cell, cells=legal)


# Layout ---------------------------------------------------------------------------------------------------------------


def _layout(view: BlockadeView, land: Sequence[Land], language: Language) -> LayoutOrder:
    """Return the whole layout of a letter. Raises Refused with the condition it breaks (B5)."""
    if view.stage != "layout":
        raise Refused("no-layout-now", "2.5.1", stage=view.stage)
    if view.seat != view.toss:
        raise Refused("toss-lost", "B4", seat=view.toss)
    islands = tuple(one.cells for one in land if one.what == "island")
    rocks = tuple(cell for one in land if one.what == "rock" for cell in one.cells)
    if not islands and not rocks:
        return LayoutOrder()
    drawn = (write(LayoutOrder(), language),)
    if any(one.what == "random" for one in land):
        raise Refused("layout-both", "2.5.1", drawn)
    fault = fault_of(islands, rocks, [ship.cell for ship in view.ships])
    if fault is not None:
        raise _refused_layout(fault, islands, rocks, drawn)
    return LayoutOrder(islands=islands, rocks=rocks)


def _refused_layout(
    fault: Fault, islands: tuple[tuple[str, ...], ...], rocks: tuple[str, ...], drawn: tuple[str, ...]
) -> Refused:
    """Return the refusal of a layout: the condition, the squares that break it, and all that was laid out."""
    facts = {"cells": fault.cells, "number": fault.number, "islands": islands, "rocks": rocks}
    rule = "D3" if fault.condition in ("too-near", "island-broken") else "B5"
    return Refused(f"layout-{fault.condition}", rule, drawn, **facts)


# Mistyped lines -------------------------------------------------------------------------------------------------------


def _mended(
    view: BlockadeView, text: str, language: Language, why: Unread, *, begun: bool
) -> ReadOrder | Complaint | None:
    """Return the one order that a faulty line can be mended to; else why it cannot be read, None for prose (3.1)."""
    found: dict[Order, ReadOrder] = {}
    two: Complaint | None = None
    for one in mendings(text, lambda mended: Parser(mended, language).read()):
        if isinstance(one, TwoReadings):
            two = two or _two_readings(text, one, lambda line: _reads_back(line, language))
            continue
        read_ = _taken(view, one, language)
        if read_ is None:
            continue
        known = found.get(read_.order)
        if known is None or len(read_.notes) < len(known.notes):
            found[read_.order] = read_
    if len(found) == 1 and two is None:
        return next(iter(found.values()))
    if found or two is not None:
        lines = tuple(write(order, language) for order in found)
        return two or Complaint(kind="ambiguous", key="two-readings", lines=(), rule="2.5", suggestions=lines)
    if not begun or _is_sentence(text, why):
        return None
    return Complaint(kind="unread", key=why.why, lines=(), rule="2.5", place=why.place)


def _taken(view: BlockadeView, one: Mended[Line], language: Language) -> ReadOrder | None:
    try:
        order = _order(view, one.found, language)
    except Refused:
        return None
    return msgspec.structs.replace(order, notes=(*one.notes, *order.notes))


def _is_sentence(text: str, why: Unread) -> bool:
    """Say whether a line that begins with a keyword is a sentence: many words, no colon, no order after the keyword."""
    found = tokens(text)
    words = sum(token.text.isalpha() for token in found)
    second = why.place is not None and len(found) > 1 and why.place[0] == found[1].start
    return words >= _PROSE_WORDS and second and found[1].text != ":"


# Answers --------------------------------------------------------------------------------------------------------------


def _answer(view: BlockadeView, question: Question, text: str, language: Language) -> ReadOrder | Complaint | None:
    """Read a line as the answer to what is asked in mid-turn (strict, 2.5)."""
    try:
        found = _numbered(question, text) or Parser(text, language).answer(question.what)
        return _decided(view, question, found, language)
    except TwoReadings as two:
        return _two_readings(text, two, lambda line: _answers_back(view, question, line, language))
    except Unread as why:
        return _mended_answer(view, question, text, language, why)
    except Refused as why:
        return _refusal(why)


def _answers_back(view: BlockadeView, question: Question, line: str, language: Language) -> str:
    return write(_decided(view, question, Parser(line, language).answer(question.what), language).order, "ru")


def _mended_answer(
    view: BlockadeView, question: Question, text: str, language: Language, why: Unread
) -> ReadOrder | Complaint | None:
    """Return the one answer that a mistyped line can be mended to, else why it cannot be read, None for prose."""
    found: dict[Order, ReadOrder] = {}
    for one in mendings(text, lambda mended: Parser(mended, language).answer(question.what)):
        if isinstance(one, Mended):
            try:
                decided = _decided(view, question, one.found, language)
            except Refused:
                continue
            found.setdefault(decided.order, msgspec.structs.replace(decided, notes=(*one.notes, *decided.notes)))
    if len(found) == 1:
        return next(iter(found.values()))
    if not begins_order(text) and sum(token.text.isalpha() for token in tokens(text)) >= _PROSE_WORDS:
        return None
    return Complaint(kind="unread", key=why.why, lines=(), rule="2.5", place=why.place)


def _numbered(question: Question, text: str) -> str:
    """Return the choice that a bare number names, in the order in which the letter lists them, "" if none."""
    number = text.strip().rstrip(".)")
    listed = ("none", "s", "p") if question.what == "turn" else tuple(question.facts["ways"])
    return listed[int(number) - 1] if number in [str(place) for place in range(1, len(listed) + 1)] else ""


def _decided(view: BlockadeView, question: Question, found: str, language: Language) -> ReadOrder:
    if question.what == "turn":
        relative = question.facts["auto"] if found == "auto" else as_relative(found)
        return ReadOrder(order=TurnDecision(key=question.key, turn=relative), lines=())
    _check(view, DashOrder(dash=found), language)
    part, cut = sized(view, DashOrder(dash=found))
    assert isinstance(part, DashOrder)  # noqa: S101 - `sized` keeps the kind
    return ReadOrder(order=DashDecision(key=question.key, dash=as_squares(part.dash)), lines=(), notes=cut)


def _drops(before: dict[str, Order], order: Order, language: Language) -> Iterator[Note]:
    """Say which earlier parts a line replaces (play-by-mail 2)."""
    for part in parts_of(order):
        earlier = before.get(part.slot)
        if earlier is not None and earlier != part:
            yield Note(kind="drops", key="order", rule="2.5.2", facts={"order": write(earlier, language)})
