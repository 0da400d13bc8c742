"""HTML of a mail to lines, with the quote and signature containers of known programs marked before flattening."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any, Final

from lxml import etree, html
from msgspec import Struct

from mail.caps import TEXT_LINES_LIMIT
from mail.clients import Container, any_of, clients
from mail.text import Line, folded, line_key

_DROPPED: Final = frozenset(
    {"script", "style", "head", "title", "template", "noscript", "iframe", "object", "svg", "select", "textarea"}
)
_BLOCKS: Final = frozenset({
    "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "div", "dl", "dt", "fieldset",
    "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main", "nav",
    "ol", "p", "pre", "section", "table", "tbody", "thead", "tfoot", "tr", "ul",
})  # fmt: skip
_CELLS: Final = frozenset({"td", "th"})
_HIDDEN: Final = re.compile(
    r"display:none|visibility:hidden|mso-hide:all|mso-list:ignore|(?<![-\w])(?:font-size|max-height|opacity):0(?:\.0+)?(?:px|pt|em|%)?(?:;|!|$)"
)
_STRUCK_TAGS: Final = frozenset({"s", "strike", "del"})
_STRUCK: Final = re.compile(r"<(?:s|strike|del)[\s>]|line-through", re.IGNORECASE)
_INDENT: Final = "border:none;padding:0"
"""In the style of a ``blockquote`` that a writer made with the button for indenting (Gmail)."""
_KEEPS_BREAKS: Final = re.compile(r"white-space:(?:pre|break-spaces)")
_BLANKS: Final = re.compile(r"[ \t\r\n\f]+")
_INTRODUCES: Final = re.compile(r"(?:[^\s<>@]{1,64}@[^\s<>@]{1,255}|\d{1,2}:\d{2}).{0,200}:\s*$", re.DOTALL)
_ADDED: Final = re.compile(r"^(?:x_|m_-?\d{1,24}|ydp[0-9a-f]{4,16}|yiv\d{4,16}|mr_css_attr_)+(?=[a-z_])")
_NAME: Final = 100
"""Characters of a name in a page that are looked at."""
_NO_LETTERS: Final = re.compile(r"[\W_]+")
_FLAT: Final = 40
"""Characters of a line that may be several lines run together."""
_HOUR: Final = re.compile(r"\d{1,2}:\d{2}")
_FIRST: Final = 400
_LOOKED_AT: Final = 40

Row = tuple[str, str]
"""A line and its mark: empty, ``quote``, ``signature`` or ``struck``."""


class TooDeep(ValueError):
    """A page is nested deeper than its parser goes, so that not all of it can be read."""


class _Page:
    """The lines of a page while it is walked."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self._text: list[str] = []
        self._struck: list[str] = []
        self._mark = ""
        self.rest = False
        self.quotes = False
        """Whether a bare ``blockquote`` was found to be a quote: the next ones are its other pieces."""
        self.holders: dict[str, frozenset[Any]] = {}

    def write(self, text: str, mark: str, *, pre: bool) -> None:
        """Add running text under a mark; a change of mark begins a new line, but struck words leave theirs whole."""
        if not text:
            return
        if mark == "struck":
            self._struck.append(text)
            return
        if mark != self._mark and "".join(self._text).strip():
            self.end()
        self._mark = mark
        first, *others = text.split("\n") if pre else [_BLANKS.sub(" ", text)]
        self._text.append(first)
        for other in others:
            self.end(keep_blank=True)
            self._text.append(other)

    def end(self, *, keep_blank: bool = False) -> None:
        """End the line; an empty one is kept only where a break asks for it."""
        line = "".join(self._text)
        line = line if keep_blank else line.strip(" ")
        if line.strip() or keep_blank:
            self.add(line.rstrip(), self._mark)
        self._text.clear()
        if self._struck:
            for struck in "".join(self._struck).splitlines():
                if words := " ".join(struck.split()):
                    self.add(words, "struck")
            self._struck.clear()

    def add(self, line: str, mark: str) -> None:
        """Add a whole line; blank ones at the beginning and after another one go."""
        if line or (self.rows and self.rows[-1][0]):
            self.rows.append((line, mark))


class _Open(Struct):
    """What holds for an element and everything in it."""

    mark: str
    pre: bool
    dropped: bool


def html_lines(page: str) -> list[Row]:
    """Flatten a page to lines, one a block or break, each with its mark; hidden text, styles and scripts go.

    A page no parser makes sense of gives no lines, one that has more than a mail may have gives one too many; one that
    is nested 2,000 deep raises ``TooDeep``. A bare ``blockquote`` is a quote only below a line that introduces one
    (name, address or time, colon), or with such words at its beginning: it also serves as a mere indent.
    """
    root = _parsed(page)
    if root is None:
        return []
    sheet = _Page()
    stack = [_Open("", False, False)]
    for event, node in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        if event in ("comment", "pi"):
            _tail(sheet, node, stack[-1])
        elif event == "start":
            _enter(sheet, node, stack)
        else:
            _leave(sheet, node, stack)
        if len(sheet.rows) > TEXT_LINES_LIMIT:
            break
    sheet.end()
    return sheet.rows if not sheet.rows or sheet.rows[-1][0] else sheet.rows[:-1]


def _parsed(page: str) -> Any:
    parser = html.HTMLParser(encoding="utf-8", remove_pis=True, huge_tree=True)
    try:
        root = html.document_fromstring(page.encode("utf-8", "replace"), parser=parser)
    except (etree.LxmlError, ValueError, AssertionError, RecursionError):  # empty, or damaged beyond libxml2's repair
        root = None
    last: Any = parser.error_log.last_error  # this one ends the parsing
    if last is not None and "depth" in last.message:
        raise TooDeep
    return root


def marked_by_page(lines: tuple[Line, ...], page: str) -> tuple[Line, ...]:
    """Mark the lines of a text that the HTML of the same mail shows as a quote, where their program left no sign.

    What cannot be found in the page goes with the line above it.
    """
    if not _quotes().search(page):
        return lines
    rows = html_lines(page)
    quoted = frozenset(line_key(line) for line, mark in rows if mark == "quote" and line)
    free = frozenset(line_key(line) for line, mark in rows if not mark)
    out: list[Line] = []
    inside = False
    for line in lines:
        key = line_key(line.raw)
        inside = key not in free and (inside or key in quoted)
        out.append(Line(line.number, line.raw, "quote") if inside and key else line)
    return tuple(out)


def unflattened(lines: Sequence[Line], page: str) -> tuple[Line, ...]:
    """Give the lines of the page of a mail whose text holds the same letters on one or two long lines; else nothing.

    Some programs make the text part out of the HTML and lose every break on the way.
    """
    spoken = [line.raw for line in lines if line.raw.strip()]
    if not 0 < len(spoken) <= 2 or max(map(len, spoken)) < _FLAT:
        return ()
    rows = html_lines(page)
    shown = [line for line, _ in rows if line]
    same = _NO_LETTERS.sub("", "".join(spoken)) == _NO_LETTERS.sub("", "".join(shown))
    if not same or len(shown) <= len(spoken):
        return ()
    return tuple(Line(number, line, mark) for number, (line, mark) in enumerate(rows, 1))


def with_strokes(page: str) -> tuple[Line, ...]:
    """Give the lines of a page in which words of one's own are struck through, which its text cannot show."""
    rows = html_lines(page) if _STRUCK.search(page) else []
    if all(mark != "struck" for _, mark in rows):
        return ()
    return tuple(Line(number, line, mark) for number, (line, mark) in enumerate(rows, 1))


@cache
def _quotes() -> re.Pattern[str]:
    named = (one.id or one.class_ or one.name or one.style for one in clients().html if one.mark == "quote")
    signs = ("blockquote", *(sign.partition(":")[0] for sign in named if sign))
    return re.compile("|".join(map(re.escape, dict.fromkeys(signs))), re.IGNORECASE)


def _enter(sheet: _Page, node: Any, stack: list[_Open]) -> None:
    above = stack[-1]
    style = _style(node)
    dropped = above.dropped or node.tag in _DROPPED or "hidden" in node.attrib or bool(style and _HIDDEN.search(style))
    mark = "" if dropped else _mark(sheet, node, style, above.mark)
    here = _Open(mark, above.pre or node.tag == "pre" or bool(style and _KEEPS_BREAKS.search(style)), dropped)
    stack.append(here)
    if dropped:
        return
    if node.tag in _BLOCKS:
        sheet.end()
    elif node.tag == "br":
        sheet.end(keep_blank=True)
    elif node.tag in _CELLS:
        sheet.write(" ", here.mark, pre=False)
    sheet.write(node.text or "", here.mark, pre=here.pre)


def _leave(sheet: _Page, node: Any, stack: list[_Open]) -> None:
    here = stack.pop()
    if not here.dropped and node.tag in _BLOCKS:
        sheet.end(keep_blank=False)
        if node.tag == "p":
            sheet.add("", here.mark)
    _tail(sheet, node, stack[-1])


def _tail(sheet: _Page, node: Any, above: _Open) -> None:
    if node.tail and not above.dropped:
        sheet.write(node.tail, "quote" if sheet.rest else above.mark, pre=above.pre)


def _mark(sheet: _Page, node: Any, style: str, above: str) -> str:
    if sheet.rest:
        return "quote"
    if above == "quote":
        return above
    if node.attrib:
        for container in _candidates(node, style):
            if _fits(container, node, style, sheet):
                sheet.rest = container.scope == "rest"
                return container.mark
    if node.tag in _STRUCK_TAGS or "line-through" in style:
        return "struck"
    if node.tag == "blockquote" and _is_quote(sheet, node, style):
        sheet.quotes = True
        return "quote"
    return above


def _is_quote(sheet: _Page, node: Any, style: str) -> bool:
    """Tell a quote from an indent: introduced above it or in its first words, or the next piece of one that was."""
    if sheet.quotes:
        return _INDENT not in style
    last = next((line for line, _ in reversed(sheet.rows[-4:]) if line.strip()), "")
    if node.get("cite") or _INTRODUCES.search(last[-400:]) or _says_who_wrote(last[-_FIRST:]):
        return True
    first = _first_words(node)
    address = first.find("@")
    return address > 0 and _HOUR.search(first, 0, address) is not None and ":" in first[address:]


def _first_words(node: Any) -> str:
    """Give the beginning of an element's text, however deep it lies; looks at few elements."""
    words = ""
    for one in islice(node.iter(), _LOOKED_AT):
        if one.tag not in _DROPPED and isinstance(one.tag, str):
            words += (one.text or "")[:_FIRST] + " "
        words += (one.tail or "")[:_FIRST] if one is not node else ""
        if len(words) > _FIRST:
            break
    return " ".join(words[:_FIRST].split())


def _says_who_wrote(line: str) -> bool:
    """Say whether a line ends in a verb of writing and a colon («Судья пишет:»)."""
    return line.endswith(":") and _verbs_at_end().search(folded(line).rstrip(": ")) is not None


@cache
def _verbs_at_end() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{any_of(clients().attribution.verbs)})$")


@cache
def _headers() -> re.Pattern[str]:
    names = tuple(name for role in ("from", "sent", "to") for name in clients().headers[role])
    return re.compile(rf"(?<![^\W\d_])(?:{any_of(names)})\s?:")


class _Catalogue:
    """The containers of the catalogue, found by what an element bears; letter case means nothing."""

    def __init__(self, containers: Sequence[Container]) -> None:
        self.named: dict[tuple[str, str], list[Container]] = {}
        self.begun: list[tuple[str, Container]] = []
        self.styled: list[Container] = []
        for container in containers:
            if container.prefix:
                self.begun.append(((container.class_ or container.id).lower(), container))
            elif container.style:
                self.styled.append(container)
            else:
                self.named.setdefault(_first_sign(container), []).append(container)


def _first_sign(container: Container) -> tuple[str, str]:
    given = (("id", container.id), ("class", container.class_), ("name", container.name), ("type", container.type))
    return next((sign, value.lower()) for sign, value in given if value)


@cache
def _catalogue() -> _Catalogue:
    return _Catalogue(clients().html)


def _candidates(node: Any, style: str) -> Iterator[Container]:
    """Give the containers that an element may be, by its id, classes, name, type and style."""
    known = _catalogue()
    classes = _classes(node)
    names = [*classes, *(name for name in (_plain_id(node),) if name)]
    for sign in (("id", _plain_id(node)), *(("class", name) for name in classes), *_other_signs(node)):
        yield from known.named.get(sign, ())
    for name in names:
        yield from (container for begin, container in known.begun if name.startswith(begin))
    if style:
        yield from known.styled


def _other_signs(node: Any) -> Iterator[tuple[str, str]]:
    for sign in ("name", "type"):
        if value := node.get(sign):
            yield sign, value[:_NAME].lower()


def _classes(node: Any) -> list[str]:
    return [_bare(name) for name in node.get("class", "")[: 8 * _NAME].lower().split()]


def _plain_id(node: Any) -> str:
    return _bare(node.get("id", "")[:_NAME].lower())


def _bare(name: str) -> str:
    """Give a name as its program wrote it: Outlook, Gmail and Yahoo put something before those of quoted pages."""
    return _ADDED.sub("", name, count=1)


def _fits(container: Container, node: Any, style: str, sheet: _Page) -> bool:
    return _bears(container, node, style) and _within(container, node, sheet)


def _within(container: Container, node: Any, sheet: _Page) -> bool:
    """Look at what stands inside an element, where the container says anything of that."""
    if container.holds and not _headers().match(folded(_first_words(node))):
        return False
    return not (container.unless_inside and node in _holders(container.unless_inside, node, sheet))


def _holders(tag: str, node: Any, sheet: _Page) -> frozenset[Any]:
    """Give every element that has one of a tag inside; found once a page, each element being looked at once."""
    if tag not in sheet.holders:
        found: set[Any] = set()
        for one in node.getroottree().iter(tag):
            above = one.getparent()
            while above is not None and above not in found:
                found.add(above)
                above = above.getparent()
        sheet.holders[tag] = frozenset(found)
    return sheet.holders[tag]


def _bears(container: Container, node: Any, style: str) -> bool:
    if container.tag and node.tag != container.tag:
        return False
    if container.id and not _equal(container, container.id, _plain_id(node)):
        return False
    if container.class_ and not any(_equal(container, container.class_, name) for name in _classes(node)):
        return False
    if container.type and node.get("type", "").lower() != container.type:
        return False
    if container.name and node.get("name", "").lower() != container.name.lower():
        return False
    return not container.style or container.style.lower() in style


def _equal(container: Container, wanted: str, given: str) -> bool:
    return given.startswith(wanted.lower()) if container.prefix else given == wanted.lower()


def _style(node: Any) -> str:
    style = node.get("style")
    return "".join(style.split()).lower() if style else ""
