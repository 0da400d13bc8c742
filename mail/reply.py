"""A person's own words in a mail, and what was set aside as quote, attribution, signature or footer, line by line."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Final, Literal

from msgspec import Struct
from rapidfuzz import fuzz, process

from mail.clients import any_of, clients
from mail.text import Line, folded, line_key, plain

Why = Literal["quote", "edited quote", "attribution", "forward", "signature", "footer", "end", "after end"]

END_WORDS: Final = frozenset({"конец", "end", "signoff"})
"""Words that, alone on a line of one's own, end the reading (play-by-mail 2)."""

_HEAD: Final = 500
"""Characters of a line that are looked at to find its kind; all patterns below are bounded by it."""
_WRAPPED: Final = 40
"""Columns after which a program may wrap a line."""
_SIGNATURE_LINES: Final = 8
_VALEDICTION_LINES: Final = 4
_EDITED_LIMIT: Final = 100
_EDITED_RATIO: Final = 75.0
_SHORT: Final = 4

_PREFIX: Final = re.compile(r"^[ \t\u00a0]{0,3}((?:>[ \t\u00a0]?){1,60})")
_INITIALS: Final = re.compile(r"^\s?[^\W\d_]{1,4}>{1,20}(?:\s|$)")
_ADDRESS: Final = re.compile(r"[^\s<>@\"',;:]{1,64}@[^\s<>@\"',;:]{1,255}")
_ANGLED: Final = re.compile(r"<[^\s<>@]{1,64}@[^\s<>@]{1,255}>?\s{0,3}:?$")
_TIME: Final = re.compile(r"(?<!\d)\d{1,2}[:.]\d{2}(?!\d|[./]\d)")
_DIGIT_DATE: Final = re.compile(
    r"(?<!\d)(?:\d{1,2}(?:\.\d{1,2}\.|/\d{1,2}/|-\d{1,2}-)\d{2,4}|\d{4}[./-]\d{1,2}[./-]\d{1,2})(?!\d)"
)
_DASHES: Final = re.compile(r"^[-=_*~#+ ]{2,}")
_RULE: Final = re.compile(r"^[-_=*]{10,}$")
_SEPARATOR: Final = re.compile(r"^(?:--|-|—)$")


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


class _Shaped(Struct, gc=False):
    """A line while it is judged: quote depth, content without the prefix, and the verdict so far."""

    line: Line
    depth: int
    content: str
    blank: bool
    why: Why | Literal[""] = ""

    @property
    def quoted(self) -> bool:
        return self.depth > 0 or self.line.mark == "quote"


class _Boundary(Struct, frozen=True):
    """Where a quote begins: the lines that say so end before ``end``; ``rest`` = all that follows belongs to it."""

    end: int
    why: Why
    rest: bool


def own_text(
    lines: Sequence[Line],
    *,
    sent_lines: AbstractSet[str] = frozenset(),
    template: AbstractSet[str] = frozenset(),
    speech: Speech = Speech(),  # noqa: B008 - frozen
) -> OwnText:
    """Part a mail's lines into the writer's own and the rest; linear in the size of the mail.

    ``sent_lines`` are the keys (``mail.text.line_key``) of lines of the letters we sent to this writer: below the point
    where a quote begins, a line equal to one of them is a quote whatever its prefix; above it nothing is subtracted.
    ``template`` are the keys of the lines that a writer may have edited inside the quote (by default ``sent_lines``):
    quoted lines close to one of them but equal to none are reported as ``edited quote``, and so are orders written into
    a quote that is mostly ours. Every non-blank line is either own or set aside.
    """
    shaped = [_shape(line) for line in lines]
    forwarded = _separate(shaped, sent_lines)
    closed = _closed_blocks(shaped, speech)
    _cut_after_end(shaped, closed, speech)
    _cut_signatures(shaped, closed, speech)
    _mark_edited(shaped, sent_lines, template or sent_lines, speech)
    own = _trimmed([one.line for one in shaped if not one.why and not (one.blank and one.quoted)])
    aside = tuple(SetAside(one.line, one.why) for one in shaped if one.why and not one.blank)
    echoed = tuple(line for line in own if len(key := line_key(line.raw)) > _SHORT and key in sent_lines)
    return OwnText(own, aside, forwarded and not own, echoed)


def _shape(line: Line) -> _Shaped:
    prefix = _PREFIX.match(line.raw) if ">" in line.raw else None
    content = line.raw if prefix is None else line.raw[prefix.end() :]
    return _Shaped(line, prefix[1].count(">") if prefix else 0, content, not content or content.isspace())


# Where a quote begins


def _separate(shaped: list[_Shaped], sent: AbstractSet[str]) -> bool:
    """Set quotes and what introduces them aside; say whether a forward or a header-quoted mail is among them."""
    index, below, forwarded = 0, False, False
    while index < len(shaped):
        here = shaped[index]
        if here.quoted:
            here.why, below = "quote", True
        elif here.line.mark == "signature":
            here.why = "signature"
        elif (boundary := _boundary(shaped, index)) is not None:
            forwarded = forwarded or boundary.why == "forward"
            _close(shaped, index, boundary)
            index, below = (len(shaped) if boundary.rest else boundary.end), True
            continue
        elif below and _ours(shaped, index, sent):
            here.why = "quote"
        index += 1
    return forwarded


def _close(shaped: list[_Shaped], index: int, boundary: _Boundary) -> None:
    for one in shaped[index : boundary.end]:
        one.why = boundary.why
    if boundary.rest:
        for one in shaped[boundary.end :]:
            one.why = "quote"


def _boundary(shaped: list[_Shaped], index: int) -> _Boundary | None:
    """Say whether a quote begins at an unquoted line: attribution, separator phrase, or block of header lines."""
    here = shaped[index]
    if here.blank:
        return None
    text = plain(here.content[:_HEAD])
    low = text.casefold().replace("ё", "е")
    if _is_separator(low) or _is_glued_header(low):
        return _Boundary(index + 1, "forward", rest=True)
    if _RULE.match(low):
        after = _next_spoken(shaped, index + 1)
        found = _header_block(shaped, after, ruled=True) or _attribution(shaped, after)
        return _Boundary(found.end, found.why, found.rest) if found else None
    return _header_block(shaped, index, ruled=False) or _attribution(shaped, index)


def _next_spoken(shaped: list[_Shaped], index: int) -> int:
    stop = min(len(shaped), index + 4)
    while index < stop and shaped[index].blank:
        index += 1
    return index


def _is_separator(low: str) -> bool:
    dashes = _DASHES.match(low)
    if dashes is not None:
        found = _separator_phrases().match(low, dashes.end())
        return found is not None and (found.end() == len(low) or not low[found.end()].isalpha())
    return low.endswith(":") and _lone_separators().fullmatch(low[:-1].rstrip()) is not None


def _is_glued_header(low: str) -> bool:
    """Find a header block on one line («От: … Кому: … Отправлено: … Тема: …»): four roles or more, "from" too."""
    if low.count(":") < 4:
        return False
    roles = [_header_roles()[found[1]] for found in _glued_headers().finditer(low)]
    return "from" in roles and len(frozenset(roles)) >= 4


def _header_block(shaped: list[_Shaped], index: int, *, ruled: bool) -> _Boundary | None:
    """Find at least two header lines together, the writer's or the date's among them (or under a rule)."""
    roles: list[str] = []
    end, gap = index, 0
    while index < len(shaped) and index - end < 3 and len(roles) < 12:
        one = shaped[index]
        index += 1
        role = "" if one.blank or one.depth else _header_role(one.content)
        if role:
            roles.append(role)
            end, gap = index, 0
        elif not roles or not (one.blank or _ADDRESS.search(one.content[:_HEAD])):
            break
        else:
            gap += 1
            if gap > 1:
                break
    kinds = frozenset(roles)
    enough = len(kinds) >= 2 and (ruled or "from" in kinds or ("sent" in kinds and len(kinds) >= 3))
    return _Boundary(end, "forward", rest=True) if enough else None


def _header_role(content: str) -> str:
    if ":" not in content[:60]:
        return ""
    low = folded(content[:_HEAD]).replace("*", "").lstrip("| ")
    name, colon, _ = low.partition(":")
    return _header_roles().get(name.strip(), "") if colon and len(name) < 30 else ""


def _attribution(shaped: list[_Shaped], index: int) -> _Boundary | None:
    """Find the line (wrapped up to three) that introduces a quote; if no quote mark follows, the rest is quote."""
    text = ""
    for end in range(index, min(len(shaped), index + 3)):
        if shaped[end].blank:
            return None
        piece = shaped[end].content[:_HEAD].strip()
        if text and not _goes_on(text, piece):
            return None
        text = f"{text} {piece}" if text else piece
        low = folded(text)[:_HEAD]
        if end == index and not _may_introduce(low):
            return None
        if _introduces(low):
            after = _first_spoken(shaped, end + 1)
            marked = after is None or after.quoted or _INITIALS.match(after.content) is not None
            if after is not None and not after.quoted and marked:
                return _initialled(shaped, end + 1)
            return _Boundary(end + 1, "attribution", rest=not marked)
    return None


def _goes_on(text: str, piece: str) -> bool:
    """Say whether a line may be the wrapped rest of one that introduces a quote."""
    return len(text) >= _WRAPPED or text.endswith("<") or piece.startswith(("<", ">", ":"))


def _first_spoken(shaped: list[_Shaped], index: int) -> _Shaped | None:
    while index < len(shaped):
        if not shaped[index].blank:
            return shaped[index]
        index += 1
    return None


def _initialled(shaped: list[_Shaped], index: int) -> _Boundary:
    """Take ``ИТ> …`` as quote marks: The Bat! writes the quoted person's initials before the sign."""
    for one in shaped[index:]:
        if _INITIALS.match(one.content):
            one.depth, one.content = 1, one.content.partition(">")[2]
            one.blank = not one.content.strip()
    return _Boundary(index, "attribution", rest=False)


def _may_introduce(low: str) -> bool:
    if _dated(low) or low.startswith(_starts()):
        return True
    return "@" in low and (_TIME.search(low) is not None or _verbs().search(low) is not None)


def _introduces(low: str) -> bool:
    """Say whether a line ends in a colon (or a verb of writing) and holds two of date, time, address, verb.

    Rather too often than too seldom: a person's own line taken for one costs a question, an old order taken for a
    new one costs the game. A date with nothing but a colon is a person's («К 12.09.2025:»).
    """
    low = low.strip("-> ")
    verb = _verbs().search(low)
    if not (low.endswith(":") or (verb is not None and verb.end() == len(low))):
        return False
    dated, timed = _dated(low), _TIME.search(low) is not None
    if _ADDRESS.search(low):
        return (dated and (timed or verb is not None)) or (_ANGLED.search(low) is not None and (dated or timed))
    return dated and timed and (verb is not None or low.startswith(_starts()))


def _dated(low: str) -> bool:
    if _DIGIT_DATE.search(low) or _months().search(low):
        return True
    return _weekdays().search(low) is not None and _TIME.search(low) is not None


def _ours(shaped: list[_Shaped], index: int, sent: AbstractSet[str]) -> bool:
    """Below a boundary: the line equals one we sent, or goes on a quoted one that a program wrapped without a mark."""
    here = shaped[index]
    if here.blank or not sent:
        return False
    if line_key(here.content) in sent:
        return True
    before = shaped[index - 1] if index else None
    if before is None or before.why != "quote":
        return False
    return any(line_key(before.content.rstrip() + glue + here.content.strip()) in sent for glue in (" ", ""))


# Where a letter ends


def _cut_after_end(shaped: list[_Shaped], closed: Sequence[bool], speech: Speech) -> None:
    """Stop at an end word alone on an own line, outside a block that is closed later."""
    for index, one in enumerate(shaped):
        if not one.why and not closed[index] and folded(one.content[:_HEAD]) in speech.end_words:
            one.why = "end"
            for later in shaped[index + 1 :]:
                later.why = later.why or "after end"
            return


def _closed_blocks(shaped: list[_Shaped], speech: Speech) -> list[bool]:
    """Say for each line whether it stands in a block that was opened before it and is closed after it."""
    inside = [False] * len(shaped)
    if speech.opens is None or speech.closes is None:
        return inside
    opened = -1
    for index, one in enumerate(shaped):
        if one.why:
            continue
        if opened >= 0 and speech.closes(one.line.text):
            inside[opened:index] = [True] * (index - opened)
            opened = -1
        elif opened < 0 and speech.opens(one.line.text):
            opened = index
    return inside


def _cut_signatures(shaped: list[_Shaped], closed: Sequence[bool], speech: Speech) -> None:
    """Set signatures, programs' footers and polite ends aside in each run of own lines."""
    run: list[_Shaped] = []
    for index, one in enumerate(shaped):
        if one.why or closed[index]:
            if run:
                _cut_run(run, speech)
                run = []
        else:
            run.append(one)
    _cut_run(run, speech)


def _cut_run(run: list[_Shaped], speech: Speech) -> None:
    for one in run:
        if not one.blank and _is_footer(one) and not speech.order(one.line.text):
            one.why = "footer"
    own = [one for one in run if not one.blank and not one.why]
    for index in range(max(0, len(own) - _SIGNATURE_LINES - 1), len(own)):
        one, below = own[index], own[index + 1 :]
        if _is_signature(one, below) and not any(speech.order(later.line.text) for later in below):
            for later in own[index:]:
                later.why = "signature"
            return


def _is_footer(one: _Shaped) -> bool:
    if len(one.content) > 150:
        return False
    low = folded(one.content).rstrip(".! ")
    return low in _footers() or low.startswith(_footer_starts())


def _is_signature(one: _Shaped, below: list[_Shaped]) -> bool:
    mark = one.content.strip()
    if mark in ("--", "—", "–"):
        return True
    if len(mark) > 60 or len(below) > _VALEDICTION_LINES or not folded(mark).startswith(_valedictions()):
        return False
    return not any(char.isdigit() for later in (one, *below) for char in later.content[:_HEAD])


# What was changed inside a quote


def _mark_edited(shaped: list[_Shaped], sent: AbstractSet[str], template: AbstractSet[str], speech: Speech) -> None:
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


def _wrapped(quotes: list[_Shaped], index: int, sent: AbstractSet[str]) -> bool:
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
def _separator_phrases() -> re.Pattern[str]:
    return re.compile(any_of(clients().separators.phrases))


@cache
def _lone_separators() -> re.Pattern[str]:
    return re.compile(any_of(clients().separators.alone))


@cache
def _header_roles() -> dict[str, str]:
    return {folded(name): role for role, names in clients().headers.items() for name in names}


@cache
def _glued_headers() -> re.Pattern[str]:
    long = tuple(name for name in _header_roles() if len(name) > 1)
    return re.compile(rf"(?<![^\W\d_])({any_of(long)})\s?:")


@cache
def _verbs() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{any_of(clients().attribution.verbs)})(?!\w)")


@cache
def _months() -> re.Pattern[str]:
    name = rf"(?:{any_of(clients().attribution.months)})\w{{0,8}}"
    return re.compile(rf"(?<!\d)\d{{1,2}}(?:\.|\s|\sde){{1,2}}\s?{name}|(?<!\w){name}[.\s]{{1,2}}\d{{1,2}}(?!\d)")


@cache
def _weekdays() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{any_of(clients().attribution.weekdays)})(?!\w)")


@cache
def _starts() -> tuple[str, ...]:
    return tuple(map(folded, clients().attribution.starts))


@cache
def _footers() -> frozenset[str]:
    return frozenset(map(folded, clients().footers.equal))


@cache
def _footer_starts() -> tuple[str, ...]:
    return tuple(map(folded, clients().footers.begin))


@cache
def _valedictions() -> tuple[str, ...]:
    return tuple(map(folded, clients().valedictions.begin))
