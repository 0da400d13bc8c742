"""Read a player's lines: which are orders, which cannot be followed, which are not meant for us."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal

import msgspec

from engine.core.contract import Complaint, Language, Note, Order, Reading, ReadOrder, Sheet
from engine.core.names import Folded
from engine.pirates.orders.grammar import Line, Stumble
from engine.pirates.orders.judging import Context, Judged, Refusal, judge
from engine.pirates.orders.lexeme import Lexeme, Segments
from engine.pirates.orders.lexicon import Lexicon, Way, lexicon, rhumb_codes, written
from engine.pirates.orders.mending import mend
from engine.pirates.orders.orderly import HEADS
from engine.pirates.orders.parsed import Parsed, in_other_layouts, parsed, uncommented
from engine.pirates.orders.position import ship_numbered
from engine.pirates.orders.remarks import remarks
from engine.pirates.orders.sheet import lay, pending_names
from engine.pirates.orders.writing import write
from engine.pirates.state import PiratesView, ShipOrder

LONGEST_LINE: Final = 2000
"""Characters of a line; longer ones are not read (play-by-mail 7)."""
_MOST_JOINED: Final = 4
_MOST_OFFERS: Final = 3

_BULLET: Final = re.compile(r"\s*(?:[-*+•·◦▪–—]\s+)")
_NUMBERED: Final = re.compile(r"\s*(\d{1,2})[.)]\s+")

_LONE_DIGIT: Final = re.compile(r"(?<![^\W_])[зliіӏ|б](?![^\W_])")
_LONE_COURSE: Final = frozenset({"no-distance", "bends-off", "no-target"})
"""Complaints about a letter, З or I, that would be a fine digit."""


class Attempt(msgspec.Struct, frozen=True):
    """What came of trying to read a text: orders, a refusal, or nothing that the grammar follows.

    ``orderly`` says whether the text begins as an order does; ``stuck`` are the tokens and the place that failed.
    """

    text: str
    folded: Folded
    kind: Literal["read", "refused", "failed"]
    orderly: bool
    judged: Judged | None = None
    refusal: Refusal | None = None
    tokens: tuple[Lexeme, ...] = ()
    stuck: tuple[tuple[Lexeme, ...], Stumble] | None = None
    repairs: tuple[Note, ...] = ()


# One text -------------------------------------------------------------------------------------------------------------


class Reader:
    """Reads single texts for one viewer."""

    def __init__(self, view: PiratesView, language: Language) -> None:
        self.view = view
        self.language: Language = language
        self._names = tuple((ship.number, ship.name) for ship in view.ships)
        self._lexicon = lexicon(self._names, bends=view.options.bend == "yes")

    def lexicon(self, sheet: Sheet) -> Lexicon:
        """Return the words and ship names in force, those the sheet gives included."""
        given = pending_names(sheet)
        if not given:
            return self._lexicon
        names = (*self._names, *(item for item in given.items() if item not in self._names))
        return lexicon(names, bends=self.view.options.bend == "yes")

    def parsed(self, text: str, sheet: Sheet, *, digits: bool = False) -> Parsed:
        """Return a text as the grammar takes it."""
        return parsed(self.lexicon(sheet), text, digits=digits)

    def attempt(self, text: str, sheet: Sheet) -> Attempt:
        """Try to read a text as it stands, then without its place in a list, then in the other keyboard layout."""
        start, listed = _starts(text)
        best = self._straight(text, text, start, sheet)
        if listed:
            best = _of_list(best, self._straight(text, text, listed, sheet))
        mistyped = len(best.repairs) > 1 and [note.key for note in best.repairs].count("layout") > 1
        if best.kind == "failed" or mistyped:
            found = self._mistyped(text, sheet)
            return _agreed([*([best] if best.kind != "failed" else []), *found]) if found else best
        return best

    def _mistyped(self, text: str, sheet: Sheet) -> list[Attempt]:
        """Return what a text is in the other keyboard layouts, if it begins as an order there."""
        begun = in_other_layouts(self.lexicon(sheet), text)
        found = ((other, self._straight(text, other, 0, sheet)) for other in begun)
        return [_with_layout(attempt, other) for other, attempt in found if attempt.kind != "failed"]

    def straight(self, text: str, sheet: Sheet) -> Attempt:
        """Try to read a text as it stands."""
        return self._straight(text, text, 0, sheet)

    def _straight(self, raw: str, typed: str, start: int, sheet: Sheet) -> Attempt:
        """Try to read ``typed``, which has a character for each of ``raw``, from a place on.

        Where it is no order, a letter that looks like a digit may be one.
        """
        text = _blanked(typed, start)
        attempt = self._tokens_read(raw, text, sheet)
        if attempt.kind == "read" or (attempt.refusal is not None and attempt.refusal.key not in _LONE_COURSE):
            return attempt
        if not _LONE_DIGIT.search(attempt.folded.text):
            return attempt
        other = self._tokens_read(raw, text, sheet, digits=True)
        better = other.kind != "failed" if attempt.kind == "failed" else other.kind == "read"
        return other if better or (other.refusal is not None and other.refusal.kind == "ambiguous") else attempt

    def _tokens_read(self, raw: str, text: str, sheet: Sheet, *, digits: bool = False) -> Attempt:
        found = self.parsed(text, sheet, digits=digits)
        if not found.followed:
            tokens = _flat(found.first)
            return Attempt(raw, found.folded, "failed", found.orderly, tokens=tokens, stuck=found.stuck)
        context = Context(self.view, sheet, raw, found.folded)
        return self._chosen(raw, found, [(way, _judge_all(lines, context)) for way, lines in found.followed])

    def _chosen(self, raw: str, found: Parsed, verdicts: list[tuple[Way, Judged | Refusal]]) -> Attempt:
        """Take the one reading that is allowed; refuse two, and a repair where not all were looked at (3.1)."""
        folded = found.folded
        allowed: dict[tuple[Order, ...], tuple[Way, Judged]] = {}
        for way, verdict in verdicts:
            if isinstance(verdict, Judged):
                allowed.setdefault(verdict.orders, (way, verdict))
        if len(allowed) == 1:
            ((way, judged),) = allowed.values()
            first = way.segments[0]
            if way.mended and not found.whole:
                refusal = Refusal("ambiguous", "two-readings", offers=judged.orders)
                return Attempt(raw, folded, "refused", found.orderly, refusal=refusal, tokens=first)
            notes = tuple(self._repairs(way.mended, raw, folded))
            return Attempt(raw, folded, "read", True, judged=judged, tokens=first, repairs=notes)
        refusals = [verdict for _, verdict in verdicts if isinstance(verdict, Refusal)]
        refusal = _two_readings(list(allowed.values()), raw, folded) if allowed else refusals[0]
        return Attempt(raw, folded, "refused", found.orderly, refusal=refusal, tokens=verdicts[0][0].segments[0])

    def _repairs(self, mended: Sequence[Lexeme], raw: str, folded: Folded) -> Iterator[Note]:
        for token in mended:
            start, end = folded.span(token.start, token.end)
            facts = {"typed": raw[start:end], "read": self._read_as(token)}
            yield Note(kind="repaired", key=token.repair, facts=facts)

    def _read_as(self, token: Lexeme) -> str:
        """Return what a token was read as, in the words the service writes."""
        if token.kind == "RHUMB":
            return rhumb_codes(self.language)[str(token.value)]
        if token.kind == "NAME":
            ship = ship_numbered(self.view, int(token.value))
            return ship.name if ship is not None else str(token.value)
        return written(self.language).get(_WRITTEN.get(token.kind, ""), str(token.value))


_WRITTEN: Final = {
    "SHIP": "ship",
    "COURSE": "course",
    "STAND": "stand",
    "REPAIR": "repair",
    "FIRE": "fire",
    "BEFORE": "before",
    "AFTER": "after",
    "AT": "at",
    "ANY": "any",
    "VOLLEY": "volley",
    "NONE": "none",
    "GOLD": "gold",
    "LOT": "lot",
    "NAMING": "name",
    "SEQUENCE": "sequence",
}


def _starts(text: str) -> tuple[int, int]:
    """Return where an order may begin: after a bullet, and after the number of a list, 0 if there is none."""
    bullet = _BULLET.match(text)
    start = bullet.end() if bullet else 0
    numbered = _NUMBERED.match(text, start)
    return start, numbered.end() if numbered else 0


def _of_list(whole: Attempt, rest: Attempt) -> Attempt:
    """Choose between «1) …» read with its number as the ship, and without: what names its own subject needs none."""
    named = rest.kind != "failed" and rest.tokens[0].kind in HEADS | {"SHIP", "ALL", "NUMBER", "NAME"}
    if named:
        return rest
    order = ("read", "refused", "failed")
    return min(whole, rest, key=lambda attempt: (order.index(attempt.kind), not attempt.orderly))


def _blanked(text: str, start: int) -> str:
    return " " * start + text[start:]


def _judge_all(lines: Sequence[Line], context: Context) -> Judged | Refusal:
    """Judge the orders of one text one after another; if one is refused, all are."""
    orders: list[Order] = []
    notes: list[Note] = []
    for line in lines:
        verdict = judge(line, context)
        if isinstance(verdict, Refusal):
            return verdict
        orders += verdict.orders
        notes += verdict.notes
        for order in verdict.orders:
            context = msgspec.structs.replace(context, sheet=lay(context.view, context.sheet, order).sheet)
    return Judged(tuple(orders), tuple(notes))


def _two_readings(allowed: list[tuple[Way, Judged]], raw: str, folded: Folded) -> Refusal:
    offers = tuple(order for _, judged in allowed for order in judged.orders)
    (one, _), (other, _) = allowed[:2]
    for ours, theirs in zip(_flat(one.segments), _flat(other.segments), strict=False):
        if ours != theirs and ours.start == theirs.start and ours.kind == theirs.kind == "NAME":
            place = (ours.start, ours.end)
            start, end = folded.span(*place)
            ships = tuple(dict.fromkeys(_named_at(way.segments, ours.start) for way, _ in allowed))
            facts = {"typed": raw[start:end], "ships": ships}
            return Refusal("ambiguous", "two-ships-fit", place=place, facts=facts, offers=offers)
    return Refusal("ambiguous", "two-readings", offers=offers)


def _flat(segments: Segments) -> tuple[Lexeme, ...]:
    return tuple(token for tokens in segments for token in tokens)


def _named_at(segments: Segments, start: int) -> int:
    return next((int(t.value) for t in _flat(segments) if t.start == start and t.kind == "NAME"), 0)


def _agreed(attempts: list[Attempt]) -> Attempt:
    """Return what attempts at one line agree on, the last one's words for it; of two readings none is chosen."""
    read_as = {attempt.judged.orders: attempt for attempt in attempts if attempt.judged is not None}
    if len(read_as) < 2:
        return next(iter(read_as.values()), attempts[0])
    offers = tuple(order for orders in read_as for order in orders)
    refusal = Refusal("ambiguous", "two-readings", offers=offers)
    return msgspec.structs.replace(attempts[0], kind="refused", judged=None, refusal=refusal, repairs=())


def _with_layout(attempt: Attempt, read: str) -> Attempt:
    note = Note(kind="repaired", key="layout", facts={"typed": attempt.text.strip(), "read": read.strip()})
    return msgspec.structs.replace(attempt, repairs=(note, *attempt.repairs))


# All lines ------------------------------------------------------------------------------------------------------------


class _Block(msgspec.Struct, frozen=True):
    """Lines read together."""

    attempt: Attempt
    lines: tuple[int, ...]


class _Sorting:
    """Sorts lines into orders, complaints and prose, from the first to the last."""

    def __init__(self, view: PiratesView, sheet: Sheet, lines: Sequence[str], language: Language) -> None:
        self.reader = Reader(view, language)
        self.view = view
        self.sheet = tuple(sheet)
        self.lines = lines
        self.orders: list[ReadOrder] = []
        self.complaints: list[Complaint] = []
        self.prose: list[int] = []

    def run(self) -> Reading:
        place = 0
        while place < len(self.lines):
            place = self._next(place)
        return Reading(
            orders=tuple(self.orders), complaints=tuple(self.complaints), prose=tuple(self.prose), sheet=self.sheet
        )

    def _next(self, place: int) -> int:
        """Sort the line at a place, with those that go on with it; return the place after them."""
        text = self.lines[place]
        if not text.strip():
            self.prose.append(place)
            return place + 1
        if len(text) > LONGEST_LINE:
            self._long(place, text)
            return place + 1
        block = self._block(place, self.reader.attempt(text, self.sheet))
        self._sort(block)
        return block.lines[-1] + 1

    def _long(self, place: int, text: str) -> None:
        head = self.reader.attempt(text[:LONGEST_LINE], self.sheet)
        if head.orderly or head.kind != "failed":
            facts = {"length": len(text), "limit": LONGEST_LINE}
            self.complaints.append(Complaint(kind="unread", key="too-long", lines=(place,), facts=facts))
        else:
            self.prose.append(place)

    def _block(self, place: int, attempt: Attempt) -> _Block:
        """Join the lines that a mail client, or the player, put an order on."""
        block = _Block(attempt, (place,))
        if attempt.kind == "failed" and not attempt.orderly:
            return block
        text = uncommented(attempt.text)
        best = block
        for after in range(place + 1, min(place + _MOST_JOINED, len(self.lines))):
            line = self.lines[after]
            goes_on = line.strip() and self._goes_on(best.attempt, text, line)
            text = f"{text} {uncommented(line)}"
            if not goes_on or len(text) > LONGEST_LINE:
                break
            joined = self.reader.attempt(text, self.sheet)
            if joined.kind != "failed":
                best = _Block(joined, tuple(range(place, after + 1)))
        return best

    def _goes_on(self, attempt: Attempt, text: str, line: str) -> bool:
        if attempt.kind == "read" and not text.rstrip().endswith((",", "-", ":")):
            return self.reader.parsed(line, self.sheet).begins_clause
        return not self.reader.parsed(line, self.sheet).begins_anew

    def _sort(self, block: _Block) -> None:
        attempt = block.attempt
        if attempt.judged is not None:
            self._accept(block, attempt.judged)
        elif attempt.refusal is not None:
            self._complain(block, attempt.refusal)
        elif attempt.orderly and attempt.stuck is not None:
            self._complain(block, mend(self.view, attempt.folded, attempt.text, self.sheet, attempt.stuck))
        else:
            self._prose(block)

    def _accept(self, block: _Block, judged: Judged) -> None:
        repairs = block.attempt.repairs
        if len(block.lines) > 1:
            repairs = (*repairs, Note(kind="repaired", key="joined", facts={"lines": len(block.lines)}))
        for place, order in enumerate(judged.orders):
            laid = lay(self.view, self.sheet, order)
            self.sheet = laid.sheet
            own = [note for note in judged.notes if note.facts.get("ship", _ship(order)) == _ship(order)]
            notes = (*(repairs if place == 0 else ()), *own, *laid.notes, *remarks(self.view, order))
            self.orders.append(ReadOrder(order=order, lines=block.lines, notes=tuple(notes)))

    def _complain(self, block: _Block, refusal: Refusal) -> None:
        place = block.attempt.folded.span(*refusal.place) if refusal.place is not None else None
        if place is not None and place[1] > len(self.lines[block.lines[0]]):
            place = None  # it lies in a line that was joined on
        lines = [write(order, self.reader.language) for order in refusal.offers]
        complaint = Complaint(
            kind=refusal.kind,
            key=refusal.key,
            lines=block.lines,
            rule=refusal.rule,
            place=place,
            facts=refusal.facts,
            suggestions=tuple(dict.fromkeys(lines))[:_MOST_OFFERS],
        )
        self.complaints.append(complaint)

    def _prose(self, block: _Block) -> None:
        """Keep words as words, unless an order hides in them: it is not carried out, and the player is told."""
        refusal = order_in_prose(self.reader, block.attempt, self.sheet)
        if refusal is None:
            self.prose.extend(block.lines)
        else:
            self._complain(block, refusal)


def _ship(order: Order) -> int:
    return order.ship if isinstance(order, ShipOrder) else 0


_MOST_TAILS: Final = 4


def order_in_prose(reader: Reader, attempt: Attempt, sheet: Sheet) -> Refusal | None:
    """Return the complaint for «я хотел сказать, корабль 4: стоять», or None if no order stands in the words."""
    tokens = attempt.tokens
    tails = [token.start for place, token in enumerate(tokens) if place and _may_begin(tokens, place)]
    for start in tails[:_MOST_TAILS]:
        raw_start = attempt.folded.origin[start]
        tail = reader.straight(attempt.text[raw_start:], sheet)
        if tail.kind == "failed" or not tail.orderly:
            continue
        typed = attempt.text[raw_start:].strip()
        offers = tail.judged.orders if tail.judged is not None else ()
        place = (start, len(attempt.folded.text))
        return Refusal("unread", "in-prose", place=place, facts={"typed": typed}, offers=offers)
    return None


def _may_begin(tokens: Sequence[Lexeme], place: int) -> bool:
    """Say whether an order may begin here: a head, «корабль», or a ship's number or name with a colon."""
    kind, before = tokens[place].kind, tokens[place - 1].kind
    ahead = tokens[place + 1].kind if place + 1 < len(tokens) else ""
    if kind in HEADS or kind == "SHIP":
        return before != "SHIP"
    return kind in {"NUMBER", "NAME"} and ahead == "_COLON" and before != "SHIP"


def read(view: PiratesView, sheet: Sheet, lines: Sequence[str], language: Language) -> Reading:
    """Read lines against what the seat sees. Never raises; both languages are understood in every line.

    A line that neither begins as an order does nor holds one is prose. Several orders on one line are all read or all
    refused; an order may span lines if the later ones only go on with it.
    """
    return _Sorting(view, sheet, lines, language).run()
