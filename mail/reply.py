"""A person's own words in a mail, and what was set aside as quote, attribution, signature or footer, line by line."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, cached_property
from typing import Final

from msgspec import Struct
from rapidfuzz import fuzz, process

from mail.boundary import HEAD, Boundary, Shaped, Why, boundary_at, introduced_above, left_open, shape
from mail.clients import clients
from mail.text import Line, folded, line_key, plain

END_WORDS: Final = frozenset({"конец", "end", "signoff"})
"""Words that, alone on a line of one's own, end the reading (play-by-mail 2)."""

_SIGNATURE_LINES: Final = 8
_VALEDICTION_LINES: Final = 4
_EDITED_LIMIT: Final = 100
_EDITED_RATIO: Final = 75.0
_SHORT: Final = 4
_ADDRESS_OF_PAGE: Final = re.compile(r"^\s{0,4}<?https?://[^\s<>]{1,200}>?\s{0,4}$")
_PIECES: Final = 8
"""Pieces that a program may break one of our lines into."""
_JOINS: Final = 4_000
"""Joins of such pieces that are tried in one mail."""
_TELLING: Final = 12
"""Letters of a line of ours that nobody writes by chance."""
_LOOKED_AT: Final = 40
_ECHO_LINES: Final = 4
_ECHO_TELLING: Final = 3


class SetAside(Struct, frozen=True, gc=False):
    """A line that is not taken as the writer's own words, and why."""

    line: Line
    why: Why


class OwnText(Struct, frozen=True):
    """The writer's own lines in order, and every other non-blank line with the reason it was set aside.

    ``forwarded``: nothing of one's own stands above a forwarded or header-quoted mail, so nothing may be executed.
    ``echoed``: own lines equal to lines we sent, outside any quote that was recognised.
    """

    own: tuple[Line, ...]
    set_aside: tuple[SetAside, ...] = ()
    forwarded: bool = False
    echoed: tuple[Line, ...] = ()

    def because(self, why: Why) -> tuple[Line, ...]:
        """Give the lines set aside for one reason."""
        return tuple(aside.line for aside in self.set_aside if aside.why == why)


class Speech(Struct, frozen=True):
    """What a caller knows of the language written in a mail; every field may be left out.

    ``is_order(text)``: this line reads as an order or command, so it is never a signature. ``opens``/``closes``:
    lines that open and close a block (a press letter) inside which the end words mean nothing.
    """

    is_order: Callable[[str], bool] | None = None
    opens: Callable[[str], bool] | None = None
    closes: Callable[[str], bool] | None = None
    end_words: AbstractSet[str] = END_WORDS

    def order(self, text: str) -> bool:
        """Say whether a line surely reads as an order."""
        return self.is_order is not None and self.is_order(text)


class _Sent:
    """The lines we sent to the writer, by their keys (``mail.text.line_key``)."""

    def __init__(self, keys: AbstractSet[str]) -> None:
        self.keys = keys
        self.joins = _JOINS

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self.keys)

    def begins(self, key: str) -> bool:
        """Say whether a line of ours begins so."""
        place = bisect_left(self._sorted, key)
        return place < len(self._sorted) and self._sorted[place].startswith(key)

    def holds(self, text: str) -> bool:
        """Say whether a text is a line of ours."""
        return bool(self.keys) and line_key(text) in self.keys


class _Found(Struct):
    """What was found on the way through the lines; ``doubtful`` is where a quote begins that few signs speak for."""

    forwarded: bool = False
    doubtful: int = -1


def own_text(
    lines: Sequence[Line],
    *,
    sent_lines: AbstractSet[str] = frozenset(),
    template: AbstractSet[str] = frozenset(),
    speech: Speech = Speech(),  # noqa: B008 - frozen
) -> OwnText:
    """Part a mail's lines into the writer's own and the rest; linear in the size of the mail.

    ``sent_lines`` are the keys (``mail.text.line_key``) of lines of the letters we sent to this writer: below the point
    where a quote begins, a line equal to one of them is a quote whatever its prefix; above it nothing is subtracted,
    but several of them together, not all of them orders, are themselves where a quote begins.
    ``template`` are the keys of the lines that a writer may have edited inside the quote (by default ``sent_lines``):
    quoted lines close to one of them but equal to none are reported as ``edited quote``, and so are orders written into
    a quote that is mostly ours. Every non-blank line is either own or set aside.
    """
    shaped = shape(lines)
    sent = _Sent(sent_lines)
    found = _separate(shaped, sent, speech)
    closed = _closed_blocks(shaped, speech)
    _cut_after_end(shaped, closed, speech)
    _cut_signatures(shaped, closed, speech)
    _mark_edited(shaped, sent_lines, template or sent_lines, speech)
    _mark_doubtful(shaped, found.doubtful, sent, speech)
    own = _trimmed([one.line for one in shaped if not one.why and not (one.blank and one.quoted)])
    aside = tuple(SetAside(one.line, one.why) for one in shaped if one.why and not one.blank)
    echoed = tuple(line for line in own if len(key := line_key(line.raw)) > _SHORT and key in sent_lines)
    return OwnText(own, aside, found.forwarded and not own, echoed)


# Where a quote begins


def _separate(shaped: list[Shaped], sent: _Sent, speech: Speech) -> _Found:
    """Set quotes and what introduces them aside."""
    index, below, above, found = 0, False, "", _Found()
    press = _Press(shaped, speech)
    while index < len(shaped):
        here = shaped[index]
        if here.quoted:
            if above != "quote":
                _begin(shaped, index, found, speech)
            here.why, below = "quote", True
        elif here.blank or here.line.mark == "struck":
            here.why = "" if here.blank else "struck"
            index += 1
            continue
        elif above == "quote" and left_open(shaped, index):
            found.doubtful = index
            _close(shaped, index, Boundary(index, "quote", rest=True))
            return found
        elif (boundary := _boundary(shaped, index, press, sent, None if below else sent, speech)) is not None:
            found.forwarded = found.forwarded or boundary.why == "forward"
            if boundary.rest and not boundary.sure:
                found.doubtful = boundary.end  # of no weight below lines of ours
            _close(shaped, index, boundary)
            index, below, above = (len(shaped) if boundary.rest else boundary.end), True, "attribution"
            continue
        elif here.line.mark == "signature" and not speech.order(here.line.text):
            here.why = "signature"
        elif below and (pieces := _ours(shaped, index, sent)):
            for one in shaped[index : index + pieces]:
                one.why = "quote"
            index += pieces - 1
        above = here.why
        index += 1
    return found


def _begin(shaped: list[Shaped], index: int, found: _Found, speech: Speech) -> None:
    """Look at the first line of a marked quote: what introduces it above, and whether it is a forwarded mail."""
    for one in shaped[introduced_above(shaped, index, speech.order) : index]:
        if not one.blank:
            one.why = "attribution"
    boundary = boundary_at(shaped, index, speech.order)
    found.forwarded = found.forwarded or (boundary is not None and boundary.why == "forward")


def _close(shaped: list[Shaped], index: int, boundary: Boundary) -> None:
    for one in shaped[index : boundary.end]:
        one.why = boundary.why
    if boundary.rest:
        for one in shaped[boundary.end :]:
            one.why = "quote"


class _Press:
    """Which lines stand in press letters that are closed, looked up only where it matters."""

    def __init__(self, shaped: list[Shaped], speech: Speech) -> None:
        self._shaped, self._speech = shaped, speech

    @cached_property
    def _closed(self) -> list[bool]:
        return _closed_blocks(self._shaped, self._speech)

    def holds(self, index: int) -> bool:
        """Say whether a line stands in one."""
        return self._closed[index]


def _boundary(
    shaped: list[Shaped], index: int, press: _Press, sent: _Sent, above: _Sent | None, speech: Speech
) -> Boundary | None:
    """Find where a quote begins at an unmarked line.

    In a press letter that is closed only sure signs count, or lines of ours below unsure ones. ``above`` are our lines
    where they alone begin a quote: above any other sign of one.
    """
    found = boundary_at(shaped, index, speech.order)
    if found is None and above is not None and _echo_begins(shaped, index, above, speech):
        return None if press.holds(index) else Boundary(index, "quote", rest=True, sure=False)
    if found is None or found.sure or not found.rest:
        return found
    if speech.order(shaped[index].line.text):
        return None
    return None if press.holds(index) and not _holds_ours(shaped[found.end : found.end + _LOOKED_AT], sent) else found


def _holds_ours(below: Sequence[Shaped], sent: _Sent) -> bool:
    return any(sent.holds(one.content) for one in below)


def _echo_begins(shaped: list[Shaped], index: int, sent: _Sent, speech: Speech) -> bool:
    """Say whether lines of ours begin here, more of them in a row than a person repeats, and not only orders."""
    if not sent.holds(shaped[index].content):
        return False
    count = telling = 0
    for one in shaped[index : index + 3 * _ECHO_LINES]:
        if one.blank:
            continue
        if one.quoted or not sent.holds(one.content):
            break
        count += 1
        telling += len(line_key(one.content)) >= _TELLING and not speech.order(one.line.text)
    return count >= _ECHO_LINES and telling >= _ECHO_TELLING


def _ours(shaped: list[Shaped], index: int, sent: _Sent) -> int:
    """Give how many lines from here, below a boundary, are one line we sent, whole or broken anew without marks.

    The beginning of a broken line may stand in the quoted lines above.
    """
    if not sent.keys:
        return 0
    if sent.holds(shaped[index].content):
        return 1
    start = index
    while start > 0 and index - start < _PIECES and shaped[start - 1].why == "quote" and not shaped[start - 1].blank:
        start -= 1
    return next((pieces for first in range(index, start - 1, -1) if (pieces := _pieces(shaped, first, index, sent))), 0)


def _pieces(shaped: list[Shaped], first: int, index: int, sent: _Sent) -> int:
    """Join lines from ``first`` while a line of ours begins so; count those from ``index`` on once it is whole."""
    begun = [shaped[first].content.strip()]
    for place in range(first + 1, min(len(shaped), first + _PIECES)):
        sent.joins -= 1
        if sent.joins < 0 or not (begun := [text for text in begun if sent.begins(line_key(text))]):
            return 0
        here = shaped[place]
        if here.blank or (here.quoted and place >= index):
            return 0
        begun = [text + glue + here.content.strip() for text in begun for glue in (" ", "")]
        if place >= index and any(sent.holds(text) for text in begun):
            return place + 1 - index
    return 0


# Where a letter ends


def _cut_after_end(shaped: list[Shaped], closed: Sequence[bool], speech: Speech) -> None:
    """Stop at an end word alone on an own line, outside a block that is closed later."""
    for index, one in enumerate(shaped):
        if not one.why and not closed[index] and folded(one.content[:HEAD]) in speech.end_words:
            one.why = "end"
            for later in shaped[index + 1 :]:
                later.why = later.why or "after end"
            return


def _closed_blocks(shaped: list[Shaped], speech: Speech) -> list[bool]:
    """Say for each line whether it stands in a block that was opened before it and is closed after it."""
    inside = [False] * len(shaped)
    if speech.opens is None or speech.closes is None:
        return inside
    opened = -1
    for index, one in enumerate(shaped):
        if one.why or one.quoted or one.blank:
            continue
        if opened >= 0 and speech.closes(one.line.text):
            inside[opened:index] = [True] * (index - opened)
            opened = -1
        elif opened < 0 and speech.opens(one.line.text):
            opened = index
    return inside


def _cut_signatures(shaped: list[Shaped], closed: Sequence[bool], speech: Speech) -> None:
    """Set signatures, programs' footers and polite ends aside in each run of own lines."""
    run: list[Shaped] = []
    for index, one in enumerate(shaped):
        if one.why or closed[index]:
            if run:
                _cut_run(run, speech)
                run = []
        else:
            run.append(one)
    _cut_run(run, speech)


def _cut_run(run: list[Shaped], speech: Speech) -> None:
    above = ""
    for one in run:
        if one.blank:
            continue
        if (_is_footer(one) or (above and _ADDRESS_OF_PAGE.match(one.content))) and not speech.order(one.line.text):
            one.why = "footer"
        above = one.why
    own = [one for one in run if not one.blank and not one.why]
    for index in range(max(0, len(own) - _SIGNATURE_LINES - 1), len(own)):
        one, below = own[index], own[index + 1 :]
        if _is_signature(one, below) and not any(speech.order(later.line.text) for later in below):
            for later in own[index:]:
                later.why = "signature"
            return


def _is_footer(one: Shaped) -> bool:
    if len(one.content) > 150:
        return False
    low = folded(one.content).rstrip(".! ")
    return low in _footers() or low.startswith(_footer_starts())


def _is_signature(one: Shaped, below: list[Shaped]) -> bool:
    mark = one.content.strip()
    if mark in ("--", "—", "–"):
        return True
    if len(mark) > 60 or len(below) > _VALEDICTION_LINES or not folded(mark).startswith(_valedictions()):
        return False
    return not any(char.isdigit() for later in (one, *below) for char in later.content[:HEAD])


# What was changed inside a quote


def _mark_edited(shaped: list[Shaped], sent: AbstractSet[str], template: AbstractSet[str], speech: Speech) -> None:
    """Name quoted lines that the writer edited or added.

    They are close to a line of ours and equal to none, or an order in a quote that is otherwise ours.
    """
    quotes = [one for one in shaped if one.why == "quote" and not one.blank]
    if not template or not quotes:
        return
    known = sorted(key for key in template if len(key) > _SHORT)
    strange = [index for index, one in enumerate(quotes) if line_key(one.content) not in sent]
    mostly_ours = 2 * len(strange) <= len(quotes)
    for index in strange[:_EDITED_LIMIT]:
        key = line_key(quotes[index].content)
        close = len(key) > _SHORT and process.extractOne(key, known, scorer=fuzz.ratio, score_cutoff=_EDITED_RATIO)
        added = mostly_ours and speech.order(plain(quotes[index].content))
        if (close or added) and not _wrapped(quotes, index, sent):
            quotes[index].why = "edited quote"


def _mark_doubtful(shaped: list[Shaped], start: int, sent: _Sent, speech: Speech) -> None:
    """Report orders below a doubtful beginning of a quote that holds nothing of ours: their writer decides."""
    if start < 0 or not sent.keys or any(sent.holds(one.content) for one in shaped[start:] if not one.blank):
        return
    for one in [one for one in shaped[start:] if one.why == "quote" and not one.blank][:_EDITED_LIMIT]:
        if speech.order(one.line.text):
            one.why = "edited quote"


def _wrapped(quotes: list[Shaped], index: int, sent: AbstractSet[str]) -> bool:
    """Say whether a quoted line is only a piece of one of ours that a program broke in two."""
    for first in (index - 1, index):
        if 0 <= first < len(quotes) - 1:
            joined = f"{quotes[first].content.rstrip()} {quotes[first + 1].content.lstrip()}"
            if line_key(joined) in sent:
                return True
    return False


def _trimmed(lines: list[Line]) -> tuple[Line, ...]:
    """Drop blank lines at both ends and doubled ones between."""
    out: list[Line] = []
    for line in lines:
        if line.raw.strip() or (out and out[-1].raw.strip()):
            out.append(line)
    while out and not out[-1].raw.strip():
        out.pop()
    return tuple(out)


# The catalogue, compiled once


@cache
def _footers() -> frozenset[str]:
    return frozenset(map(folded, clients().footers.equal))


@cache
def _footer_starts() -> tuple[str, ...]:
    return tuple(map(folded, clients().footers.begin))


@cache
def _valedictions() -> tuple[str, ...]:
    return tuple(map(folded, clients().valedictions.begin))
