"""Where a quote begins: lines that introduce one, separators and blocks of header lines, in any program's form."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Final, Literal

from msgspec import Struct

from mail.clients import any_of, clients
from mail.text import Line, folded

Why = Literal["quote", "edited quote", "attribution", "forward", "signature", "footer", "end", "after end", "struck"]

HEAD: Final = 500
"""Characters of a line that are looked at to find its kind; all patterns below are bounded by it."""
_WRAPPED: Final = 40
"""Columns after which a program may wrap a line."""
_WRAPS: Final = 4
_HEADER_LINES: Final = 12

_MARKS: Final = frozenset(">&\uff1e")
_SIGN: Final = r"(?:>|&gt;|\uff1e)"
_PREFIX: Final = re.compile(rf"^[ \t\u00a0]{{0,80}}((?:{_SIGN}[ \t\u00a0]?){{1,60}})")
_SIGNS: Final = re.compile(_SIGN)
_INITIALS: Final = re.compile(r"^\s?([^\W\d_]{1,4})(>{1,20})(?:\s|$)")
_ADDRESS: Final = re.compile(r"[^\s<>@\"',;:()]{1,64}@[^\s<>@\"',;:()]{1,255}")
_ANGLED: Final = re.compile(r"[<(][^\s<>@()]{1,64}@[^\s<>@()]{1,255}[>)]?\s{0,3}:?$")
_ANGLE: Final = re.compile(r"<[^\s<>@()]{1,64}@[^\s<>@()]{1,255}>")
_CLOSED_ANGLE: Final = re.compile(r"[^\s<>]\s{1,3}<[^\s<>@()]{1,64}@[^\s<>@()]{1,255}>$")
_OPENING_ANGLE: Final = re.compile(r"^[^<>]{1,80} <[^\s<>@()]{1,64}@[^\s<>@()]{1,255}>[\s,]{1,3}[^<>]{0,60}\d$")
_WORDY: Final = re.compile(r"(?:[^\W\d_]{2,}\W+){4}")
_TIME: Final = re.compile(r"(?<!\d)\d{1,2}[:.]\d{2}(?!\d|[./]\d)")
_HINT: Final = re.compile(r"@|\d[:.]\d\d|\d[./-]\d|\d{4}")
"""What any line that introduces a quote has some of: most lines of one's own have nothing of it."""
_DIGIT: Final = re.compile(r"\d")
_DIGIT_DATE: Final = re.compile(
    r"(?<!\d)(?:\d{1,2}(?:\.\d{1,2}\.|/\d{1,2}/|-\d{1,2}-)\d{2,4}|\d{4}[./-]\d{1,2}[./-]\d{1,2})(?!\d)"
)
_DASHES: Final = re.compile(r"^[-=_*~#+ ]{2,}")
_ROW: Final = re.compile(r"^[-=_*~#+]{4,}")
_RULE: Final = re.compile(r"^[-_=*]{10,}$")
_NAMED: Final = re.compile(r"^[^\W\d_][^\W_]{0,24}(?: [^\W_]{1,20}){0,2} ?: ?\S")
_CHAT: Final = re.compile(r"^[^\[\]]{1,60}, \[[\d./, :-]{14,24}\]:?$")
"""How messengers head a message that is copied out of them: «Судья, [05.01.2026 14:00]»."""
_GROUPWISE: Final = re.compile(r"^>{3} .{0,300}@.{0,300} >{3}$")


class Shaped(Struct, gc=False):
    """A line while it is judged: quote depth, content without the prefix, and the verdict so far.

    ``quoted``: it bears a mark of quotation, in its text or by the page it stood in. ``unnamed``: it is known to be
    in no block of header lines.
    """

    line: Line
    depth: int
    content: str
    blank: bool
    quoted: bool
    why: Why | Literal[""] = ""
    low_form: str | None = None
    header: str | None = None
    unnamed: bool = False

    @property
    def low(self) -> str:
        """The beginning of the content, folded; made once."""
        if self.low_form is None:
            self.low_form = folded(self.content[:HEAD])
        return self.low_form

    @property
    def role(self) -> str:
        """What a header line of this name is to a mail, or empty; made once."""
        if self.header is None:
            self.header = "" if self.blank else _header_role(self)
        return self.header


class Boundary(Struct, frozen=True):
    """Where a quote begins: the lines that say so end before ``end``; ``rest`` = all that follows belongs to it.

    ``sure``: an address, a separator or headers with a date say so, not only a date and a verb, which a person
    writes as well.
    """

    end: int
    why: Why
    rest: bool
    sure: bool = True


def shape(lines: Sequence[Line]) -> list[Shaped]:
    """Find marks of quotation at the beginnings of lines, initials before the sign (``ИТ> …``) among them."""
    shaped = [_shape(line) for line in lines]
    for index, one in enumerate(shaped):
        if one.line.raw.startswith(">From "):
            _unescape(shaped, index)
    found = [(one, match) for one in shaped if not one.depth and (match := _initials(one))]
    if len(found) > 1:  # one alone may be a person's; below an attribution it is not
        for one, _ in found:
            _quote_by_initials(one)
    return shaped


def _shape(line: Line) -> Shaped:
    raw = line.raw
    if raw.startswith("> ") and raw[2:3] not in _MARKS:  # what most quoted lines are
        content = raw[2:]
        return Shaped(line, 1, content, not content or content.isspace(), quoted=True)
    prefix = _PREFIX.match(raw) if raw.lstrip()[:1] in _MARKS else None
    if prefix is None:
        return Shaped(line, 0, raw, not raw or raw.isspace(), line.mark == "quote")
    content = raw[prefix.end() :]
    return Shaped(line, len(_SIGNS.findall(prefix[1])), content, not content or content.isspace(), quoted=True)


def _unescape(shaped: list[Shaped], index: int) -> None:
    """Take the sign away that a server put before «From» (RFC 4155), unless the lines around are quoted."""
    around = shaped[max(0, index - 1) : index] + shaped[index + 1 : index + 2]
    if not any(one.depth for one in around):
        here = shaped[index]
        shaped[index] = _shape(Line(here.line.number, here.line.raw[1:], here.line.mark))


def _initials(one: Shaped) -> re.Match[str] | None:
    return _INITIALS.match(one.content) if ">" in one.content[:26] else None


def _quote_by_initials(one: Shaped) -> None:
    """Take ``ИТ> …`` as a quote mark: The Bat! writes the quoted person's initials before the sign."""
    match = _initials(one)
    if match is not None:
        one.depth, one.quoted, one.content = len(match[2]), True, one.content[match.end() :]
        one.blank, one.low_form, one.header = not one.content.strip(), None, None


def boundary_at(shaped: list[Shaped], index: int, is_order: Callable[[str], bool]) -> Boundary | None:
    """Say whether a quote begins at a line: attribution, separator phrase, or block of header lines.

    Lines that bear a mark and lines that bear none are not mixed in one block.
    """
    here = shaped[index]
    if here.blank:
        return None
    low = here.low
    if _is_separator(low) or _is_glued_header(low):
        return Boundary(index + 1, "forward", rest=True)
    ruled = _RULE.match(low) is not None
    place = _next_spoken(shaped, index + 1) if ruled else index
    if place == len(shaped):
        return None
    return (
        _header_block(shaped, place, ruled=ruled)
        or _foreign_headers(shaped, place, is_order, ruled=ruled)
        or _attribution(shaped, place)
    )


def left_open(shaped: list[Shaped], index: int) -> bool:
    """Say whether marked lines just above a line without a mark do no more than introduce what it begins.

    Mail.ru marks the attribution and not the quote, GroupWise puts signs around it; a forward from Gmail marks the
    headers in HTML and not what is forwarded.
    """
    last = index - 1
    while last >= 0 and shaped[last].blank:
        last -= 1
    ending = shaped[last]
    if _GROUPWISE.match(ending.line.raw[:HEAD].strip()):
        return True
    marked_by_page = ending.depth == 0
    if not (_ends_headers(ending) if marked_by_page else ending.content.rstrip().endswith((":", ")"))):
        return False
    place, first = last, max(0, last - (_HEADER_LINES if marked_by_page else 2))
    while place > first and (shaped[place - 1].quoted or shaped[place - 1].blank):
        place -= 1
    for begin in range(place, last + 1):
        found = boundary_at(shaped, begin, lambda _: False)
        if found is not None and found.end > last and (found.why == "forward" or not marked_by_page):
            return True
    return False


def _ends_headers(one: Shaped) -> bool:
    return bool(one.role) or _is_separator(one.low)


def introduced_above(shaped: list[Shaped], index: int, is_order: Callable[[str], bool]) -> int:
    """Give the first line of what introduces the marked quote that begins at ``index``, or ``index`` if nothing does.

    A quote that is marked needs less of an introduction than one that is not: «Судья пишет:» is enough.
    """
    place = index - 1
    while place >= 0 and index - place <= 3 and shaped[place].blank:
        place -= 1
    first, text = index, ""
    for at in range(place, max(-1, place - 3), -1):
        one = shaped[at]
        if one.blank or one.quoted or one.why:
            break
        text = f"{one.low} {text}".strip()
        if not _may_stand_above(text if first == index else one.low, alone=first == index) or is_order(one.line.text):
            break
        first = at
    return first


def _may_stand_above(low: str, *, alone: bool) -> bool:
    if not (_HINT.search(low) or low.endswith(_endings()) or low.startswith(_starts())):
        return False
    signs = sum((_dated(low), _TIME.search(low) is not None, _ADDRESS.search(low) is not None))
    if signs >= 2 or not alone:
        return signs >= 2
    ends = low.rstrip("-> ")
    verb = _verbs().search(ends)
    if verb is None and not low.startswith(_starts()):
        return False
    return ends.endswith(":") or (verb is not None and verb.end() == len(ends))


def _next_spoken(shaped: list[Shaped], index: int) -> int:
    stop = min(len(shaped), index + 4)
    while index < stop and shaped[index].blank:
        index += 1
    return index


# Separators and headers


def _is_separator(low: str) -> bool:
    dashes = _DASHES.match(low)
    if dashes is None:
        return low.endswith(":") and _lone_separators().fullmatch(low[:-1].rstrip()) is not None
    found = _separator_phrases().match(low, dashes.end())
    if found is None or low[found.end() : found.end() + 1].isalpha():
        return False
    rest = low[found.end() :].strip("-=_*~#+:. ")
    return not rest or _ROW.match(low) is not None or _glued_headers().match(rest) is not None


def _is_glued_header(low: str) -> bool:
    """Find a header block on one line («От: … Кому: … Отправлено: … Тема: …»): four roles or more, "from" too."""
    if low.count(":") < 4:
        return False
    roles = [_header_roles()[found[1]] for found in _glued_headers().finditer(low)]
    return "from" in roles and len(frozenset(roles)) >= 4


def _header_block(shaped: list[Shaped], index: int, *, ruled: bool) -> Boundary | None:
    """Find at least two header lines together, the writer's or the date's among them (or under a rule)."""
    if not shaped[index].role:
        return None
    marked = shaped[index].quoted
    roles: list[str] = []
    texts: list[str] = []
    end, gap = index, 0
    for place in range(index, len(shaped)):
        one = shaped[place]
        if one.quoted == marked and one.role:
            roles.append(one.role)
            end, gap = place + 1, 0
        elif gap == 2 or not (one.blank or (gap == 0 and _ADDRESS.search(one.low))):
            break
        else:
            gap += 1
        texts.append(one.low)
    kinds = frozenset(roles)
    if len(kinds) >= 2 and (ruled or "from" in kinds or ("sent" in kinds and len(kinds) >= 3)):
        return Boundary(end, "forward", rest=True, sure="sent" in kinds or _addressed("\n".join(texts[:_HEADER_LINES])))
    for one in shaped[index:end]:  # what is no block from here is none from further down either
        one.header = ""
    return None


def _addressed(text: str) -> bool:
    return _ADDRESS.search(text) is not None or _TIME.search(text) is not None


def _foreign_headers(
    shaped: list[Shaped], index: int, is_order: Callable[[str], bool], *, ruled: bool
) -> Boundary | None:
    """Find a block of headers in a language we do not know: names with colons, an address, and an hour or a rule."""
    end = index
    while end < len(shaped) and _is_named(shaped[end]):
        end += 1
    block = shaped[index:end]
    lows = [one.low for one in block]
    if (
        len(block) < 3
        or not any("@" in low and _ADDRESS.search(low) for low in lows)
        or not any(map(_TIME.search, lows))
        or not (ruled or any(map(_dated, lows)))
    ):
        for one in block:  # what is no block from here is none from further down either
            one.unnamed = True
        return None
    orders = [place for place, one in enumerate(block[:_HEADER_LINES]) if is_order(one.line.text)]
    for one in block[: orders[-1] + 1 if orders else 0]:
        one.unnamed = True
    return None if orders else Boundary(end, "forward", rest=True)


def _is_named(one: Shaped) -> bool:
    return not (one.blank or one.quoted or one.unnamed) and _NAMED.match(one.low) is not None


def _header_role(one: Shaped) -> str:
    begin = one.content[:60]
    if ":" not in begin and "\uff1a" not in begin:
        return ""
    name, colon, _ = one.low[:60].replace("*", "").lstrip("| ").partition(":")
    return _header_roles().get(name.strip(), "") if colon and len(name) < 30 else ""


# Attributions


def _attribution(shaped: list[Shaped], index: int) -> Boundary | None:
    """Find the line (wrapped up to four) that introduces a quote; if no quote mark follows, the rest is quote."""
    text = ""
    for end in range(index, min(len(shaped), index + _WRAPS)):
        one = shaped[end]
        piece = one.low
        if one.blank or (text and not _goes_on(text, piece, strange=one.quoted != shaped[index].quoted)):
            break
        text = f"{text} {piece}" if text else piece
        if end == index and not _may_introduce(text):
            break
        if found := _introduces(text[:HEAD]):
            return _introduction(shaped, end + 1, sure=found == "sure")
    return _headed(shaped, index)


def _introduction(shaped: list[Shaped], end: int, *, sure: bool) -> Boundary:
    """Say how far the quote goes that is introduced by the lines before ``end``."""
    after = _first_spoken(shaped, end)
    marked = after is None or after.quoted or _initials(after) is not None
    if after is not None and not after.quoted and marked:
        _quote_by_initials(after)
    return Boundary(end, "attribution", rest=not marked, sure=sure or marked)


def _headed(shaped: list[Shaped], index: int) -> Boundary | None:
    """Find who and when without a colon: on one line with the address at an end of it, or on two (Lotus Notes)."""
    low = shaped[index].low.strip()
    if low.endswith(("]", "]:")) and _CHAT.match(low) and _dated(low):
        return _introduction(shaped, index + 1, sure=False)
    if "<" not in low or low.endswith(":") or not (_CLOSED_ANGLE.search(low) or _OPENING_ANGLE.match(low)):
        return None
    end, rest = index + 1, _ANGLE.sub("", low)
    if not (_dated(rest) and _TIME.search(rest)):
        end = _next_spoken(shaped, index + 1)
        rest = shaped[end].low.strip() if end < len(shaped) and shaped[end].quoted == shaped[index].quoted else ""
        if end - index > 2 or not (_dated(rest) and _TIME.search(rest)) or _WORDY.search(rest):
            return None
        end += 1
    return _introduction(shaped, end, sure=True)


def _goes_on(text: str, piece: str, *, strange: bool) -> bool:
    """Say whether a line may be the wrapped rest of one that introduces a quote."""
    if strange:  # an angle that closes an address looks like a mark of quotation
        return piece in (":", "") or ("<" in text and _verbs().fullmatch(piece.rstrip(": ")) is not None)
    return len(text) >= _WRAPPED or text.endswith("<") or piece.startswith(("<", ">", ":"))


def _first_spoken(shaped: list[Shaped], index: int) -> Shaped | None:
    while index < len(shaped):
        if not shaped[index].blank:
            return shaped[index]
        index += 1
    return None


def _may_introduce(low: str) -> bool:
    if low.startswith(_starts()):
        return True
    if not _HINT.search(low):
        return False
    if _dated(low):
        return True
    return "@" in low and bool(_TIME.search(low) or _verbs().search(low) or _ANGLED.search(low))


def _introduces(low: str) -> Literal["sure", "unsure", ""]:
    """Say whether a line ends in a colon (or a verb of writing) and holds two of date, time, address, verb.

    Rather too often than too seldom: a person's own line taken for one costs a question, an old order taken for a
    new one costs the game. A date with nothing but a colon is a person's («К 12.09.2025:»).
    """
    low = low.strip("-> ")
    if not low.endswith(_endings()):
        return ""
    verb = _verbs().search(low)
    if not (low.endswith(":") or (verb is not None and verb.end() == len(low))):
        return ""
    dated, timed = _dated(low), _TIME.search(low) is not None
    if _ADDRESS.search(low):
        angled = _ANGLED.search(low) is not None
        told = verb is not None
        return "sure" if (dated and (timed or told)) or (timed and told) or (angled and (dated or timed)) else ""
    return "unsure" if dated and timed and (verb is not None or low.startswith(_starts())) else ""


@lru_cache(maxsize=64)  # a line is asked more than once
def _dated(low: str) -> bool:
    if not _DIGIT.search(low):
        return False
    if _DIGIT_DATE.search(low) or _months().search(low):
        return True
    return _weekdays().search(low) is not None and _TIME.search(low) is not None


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
def _endings() -> tuple[str, ...]:
    return (":", *map(folded, clients().attribution.verbs))


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
