"""Markdown of a public report into posts for a board: BBCode or Markdown, folded away and split as its profile says."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Final, Literal

import msgspec
from lxml import html as tree

from adjudicator.words import html
from adjudicator.words.text import HTML_ONLY, armoured, as_markdown, bare

DATA: Final = "adjudicator.data"
JOINER: Final = "\u2060"
"""WORD JOINER: cannot be seen, and no board's markup goes across it."""

Inline = Literal["strong", "em", "code"]
Block = Literal["h1", "h2", "h3", "pre", "blockquote", "ul", "ol", "li", "table", "tr", "th", "td", "spoiler"]


class Profile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of board, as its data file describes it (``adjudicator/data/forums/README.md``)."""

    title: str
    markup: Literal["markdown", "bbcode"]
    extension: str
    limit: Annotated[int, msgspec.Meta(ge=1000)]
    unit: Literal["characters", "bytes"]
    image: str
    tags: dict[Inline | Block, tuple[str, str]]
    escapes: dict[Annotated[str, msgspec.Meta(min_length=1, max_length=1)], str]
    link: str = "{text}"
    attached: str = ""

    def size(self, text: str) -> int:
        """Return the length of a text as this board counts."""
        return len(text) if self.unit == "characters" else len(text.encode())

    def picture(self, url: str, alt: str, file: str) -> str:
        """Return how a picture is shown: at its address, as an attachment, or not at all ("")."""
        if url:
            return self.image.format(url=url, alt=alt)
        return self.attached.format(file=file) if self.attached else ""


@cache
def profiles() -> dict[str, Profile]:
    """Return all boards by name, found by scanning. Raises msgspec.ValidationError for a file that is no profile."""
    folder = files(DATA) / "forums"
    found = sorted((file.name, file) for file in folder.iterdir() if file.name.endswith(".toml"))
    return {
        name.removesuffix(".toml"): msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), Profile)
        for name, file in found
    }


# Blocks of Markdown ---------------------------------------------------------------------------------------------------


class Piece(msgspec.Struct, frozen=True):
    """A block of a post that may be cut between its lines; each part then has head and tail again."""

    lines: tuple[str, ...]
    head: str = ""
    tail: str = ""

    @property
    def text(self) -> str:
        """The whole of it."""
        return "\n".join([*([self.head] if self.head else []), *self.lines, *([self.tail] if self.tail else [])])


class Section(msgspec.Struct, frozen=True):
    """A part of a report under its heading ("" before the first), as blocks of armoured Markdown."""

    heading: str
    blocks: tuple[str, ...]


def sections(markdown: str) -> tuple[Section, ...]:
    """Cut armoured Markdown at its second-level headings, and each part into blocks; code is never cut."""
    found: list[tuple[str, list[str]]] = [("", [])]
    for block in _blocks(markdown):
        if block.startswith("## "):
            found.append((block[3:].strip(), []))
        else:
            found[-1][1].append(block)
    return tuple(Section(heading, tuple(blocks)) for heading, blocks in found if heading or blocks)


def _blocks(markdown: str) -> Iterator[str]:
    block: list[str] = []
    fenced = False
    for line in markdown.split("\n"):
        fence = line.startswith("```")
        alone = not fenced and (not line.strip() or line.startswith(("#", HTML_ONLY)) or fence)
        if alone and block:
            yield "\n".join(block)
            block = []
        if fenced or line.strip():
            block.append(line)
        if (fenced and fence) or (alone and line.startswith(("#", HTML_ONLY))):
            yield "\n".join(block)
            block = []
        fenced ^= fence
    if block:
        yield "\n".join(block)


# Markdown of a board --------------------------------------------------------------------------------------------------


def _markdown(block: str, profile: Profile) -> Iterator[Piece]:
    if block.startswith("```"):
        yield Piece(tuple(bare(line) for line in block.split("\n")[1:-1]), "```", "```")
        return
    lines = as_markdown(_defused(block, profile)).split("\n")
    if block.startswith("|"):
        yield Piece(tuple(lines[2:]), "\n".join(lines[:2]))
    elif block.startswith("│"):
        yield Piece(tuple(f"> {line[1:].strip()}" for line in lines))
    else:
        yield Piece(tuple(lines))


_URL: Final = re.compile(f"{armoured(':')}(?={armoured('//')})")
_BLOCK: Final = re.compile(
    f"^(?:[-*] |[0-9]+\\. |│ ?)?(?=[{armoured('#+->=')}]|[0-9]+[{armoured('.)')}])", re.MULTILINE
)
"""Where words of people would begin a heading, a quote or a list of a board's own."""
_WWW: Final = re.compile(f"(?<![^\\W_])www(?={armoured('.')})", re.IGNORECASE)


def _defused(text: str, profile: Profile) -> str:
    """Break what a board would make a link or a call for a member of, in players' words: nobody is called by a name."""
    text = _URL.sub(armoured(":") + JOINER, text)
    text = _WWW.sub(lambda found: found.group() + JOINER, text)
    if profile.markup == "markdown":
        text = _BLOCK.sub(lambda found: found.group() + JOINER, text)
        for mark, written in profile.escapes.items():
            text = text.replace(armoured(mark), "".join(armoured(one) if one == mark else one for one in written))
    return text


# BBCode ---------------------------------------------------------------------------------------------------------------


def _bbcode(block: str, profile: Profile) -> Iterator[Piece]:
    """Return a block as BBCode, made from the same clean HTML that letters show."""
    root = tree.fragment_fromstring(html.body(_defused(block, profile)), create_parent="div")
    for element in root:
        yield from _element(element, profile)


def _element(element: Any, profile: Profile) -> Iterator[Piece]:
    match element.tag:
        case "div":
            for inner in element:
                yield from _element(inner, profile)
        case "pre":
            yield _code(_raw(element).strip("\n").split("\n"), profile)
        case "ul" | "ol":
            items = tuple(_wrapped("li", _inline(item, profile).strip(), profile) for item in element)
            yield Piece(items, *_tag(element.tag, profile))
        case "blockquote":
            lines = [line.strip() for inner in element for line in _inline(inner, profile).strip().split("\n")]
            yield Piece(tuple(lines), *_tag("blockquote", profile))
        case "table":
            yield _table(element, profile)
        case "hr":
            yield Piece(("———",))
        case _:
            yield Piece((_wrapped(element.tag, _inline(element, profile).strip(), profile),))


def _tag(name: str, profile: Profile) -> tuple[str, str]:
    return next((pair for tag, pair in profile.tags.items() if tag == name), ("", ""))


def _wrapped(name: str, text: str, profile: Profile) -> str:
    opening, closing = _tag(name, profile)
    return f"{opening}{text}{closing}"


def _code(lines: Sequence[str], profile: Profile) -> Piece:
    """Return a block of code, in which only its own end could do harm."""
    opening, closing = _tag("pre", profile)
    return Piece(tuple(_unending(bare(line), closing) for line in lines), opening, closing)


def _unending(text: str, closing: str) -> str:
    if not closing:
        return text
    return re.sub(re.escape(closing[:-1]), lambda found: f"[{JOINER}{found.group()[1:]}", text, flags=re.IGNORECASE)


def _table(element: Any, profile: Profile) -> Piece:
    rows = list(element.iter("tr"))
    if "table" in profile.tags:
        return Piece(tuple(_row(row, profile) for row in rows), *_tag("table", profile))
    cells = [[bare(" ".join(_raw(cell).split())) for cell in row] for row in rows]
    sizes = [max(len(row[place]) for row in cells if place < len(row)) for place in range(max(map(len, cells)))]
    lines = ["  ".join(cell.ljust(size) for cell, size in zip(row, sizes, strict=False)).rstrip() for row in cells]
    return _code(lines, profile)


def _row(row: Any, profile: Profile) -> str:
    cells = "".join(_wrapped(cell.tag, _inline(cell, profile).strip(), profile) for cell in row)
    return _wrapped("tr", cells, profile)


def _raw(element: Any) -> str:
    return "".join(element.itertext())


def _inline(element: Any, profile: Profile) -> str:
    """Return what stands in an element, markup written as the board wants it and text that would be markup escaped."""
    parts = [_text(element.text, profile)]
    for inner in element:
        parts += [_inner(inner, profile), _text(inner.tail, profile)]
    return "".join(parts)


def _inner(element: Any, profile: Profile) -> str:
    match element.tag:
        case "br":
            return "\n"
        case "img":
            return _text(element.get("alt"), profile)
        case "a":
            return profile.link.format(url=element.get("href", ""), text=_inline(element, profile))
        case "b":
            return _wrapped("strong", _inline(element, profile), profile)
        case "i":
            return _wrapped("em", _inline(element, profile), profile)
        case "code" if "code" in profile.tags:  # nothing is markup in there but its own end
            return _wrapped("code", _unending(bare(_raw(element)), _tag("code", profile)[1]), profile)
        case name:
            return _wrapped(name, _inline(element, profile), profile)


def _text(text: str | None, profile: Profile) -> str:
    """Return text with everything in it escaped that the board could take for markup, players' or ours."""
    words = " ".join((text or "").split("\n"))
    own = words.replace("[", profile.escapes.get("[", "["))
    return bare("".join(_mark(char, profile) for char in own))


def _mark(char: str, profile: Profile) -> str:
    mark = bare(char)
    return profile.escapes.get(mark, mark) if mark != char else char


# Posts ----------------------------------------------------------------------------------------------------------------


def pieces(block: str, profile: Profile) -> list[Piece]:
    """Return a block of armoured Markdown as the board writes it."""
    if block.startswith(HTML_ONLY):
        return []
    return list(_markdown(block, profile) if profile.markup == "markdown" else _bbcode(block, profile))


def heading(text: str, level: int, profile: Profile) -> Piece:
    """Return a heading of armoured Markdown as the board writes it."""
    return pieces(f"{'#' * level} {text}", profile)[0]


class Fold(msgspec.Struct, frozen=True):
    """Pieces that belong together, folded away under a title where the board can."""

    pieces: tuple[Piece, ...]
    title: str = ""

    def wrap(self, profile: Profile) -> tuple[str, str]:
        """Return what stands before and after them."""
        if not self.title:
            return "", ""
        opening, closing = _tag("spoiler", profile)
        quiet = bare(self.title).replace('"', "'").replace("[", "(").replace("]", ")")
        return opening.format(title=quiet), closing


MARGIN: Final = 200
"""What is left free in every post for the line that says which part it is."""


def posts(folds: Sequence[Fold], profile: Profile, continued: Callable[[int, int], str]) -> tuple[str, ...]:
    """Return the posts of a report, none longer than the board takes; the second and later ones begin ``continued``."""
    writing = _Writing(profile, profile.limit - MARGIN)
    for fold in folds:
        writing.begin(fold.wrap(profile))
        for piece in fold.pieces:
            writing.add(piece)
    made = writing.done()
    if len(made) == 1:
        return tuple(made)
    return tuple(
        text if place == 1 else f"{continued(place, len(made))}\n\n{text}" for place, text in enumerate(made, 1)
    )


class _Writing:
    """Posts being filled, piece by piece."""

    def __init__(self, profile: Profile, room: int) -> None:
        self._size = profile.size
        self._room = room
        self._posts: list[str] = []
        self._parts: list[str] = []
        self._inside: list[str] = []
        self._wrap = ("", "")

    def begin(self, wrap: tuple[str, str]) -> None:
        """Begin a fold."""
        self._close()
        self._wrap = wrap

    def add(self, piece: Piece) -> None:
        """Write a piece, cut where it must be."""
        if self._fits(piece.text):
            self._inside.append(piece.text)
            return
        self._turn_over()
        rest = piece
        while not self._fits(rest.text):
            part, rest = self._cut(rest)
            self._inside.append(part.text)
            self._turn_over()
        self._inside.append(rest.text)

    def done(self) -> list[str]:
        """Return the posts."""
        self._turn_over()
        return self._posts

    def _whole(self, more: str = "") -> str:
        inside = [*self._inside, *([more] if more else [])]
        fold = "\n\n".join(inside)
        parts = [*self._parts, *([f"{self._wrap[0]}{fold}{self._wrap[1]}"] if inside else [])]
        return "\n\n".join(parts)

    def _fits(self, more: str) -> bool:
        return self._size(self._whole(more)) <= self._room

    def _close(self) -> None:
        text = self._whole()
        self._parts, self._inside = ([text] if text else []), []

    def _turn_over(self) -> None:
        self._close()
        if self._parts:
            self._posts.append("\n\n".join(self._parts))
        self._parts = []

    def _cut(self, piece: Piece) -> tuple[Piece, Piece]:
        """Cut a piece after as many lines as fit into an empty post; a line that is too long itself, at a space."""
        count = 0
        while count < len(piece.lines) and self._fits(
            msgspec.structs.replace(piece, lines=piece.lines[: count + 1]).text
        ):
            count += 1
        if count:
            first, rest = piece.lines[:count], piece.lines[count:]
        else:
            frame = self._size(self._whole(_with(piece, ("",)).text))
            place = self._place(piece.lines[0], self._room - frame)
            first, rest = (piece.lines[0][:place],), (piece.lines[0][place:].lstrip(), *piece.lines[1:])
        return _with(piece, first), _with(piece, rest)

    def _place(self, line: str, room: int) -> int:
        """Return where to cut a line: at the last space that fits and stands outside markup, else where it is full."""
        end = len(line)
        while end > 1 and self._size(line[:end]) > room:
            end -= max(1, (self._size(line[:end]) - room) // 4)
        space = line.rfind(" ", 1, end)
        while space > 0 and line.rfind("[", 0, space) > line.rfind("]", 0, space):
            space = line.rfind(" ", 1, space)
        return space if space > 0 else end


def _with(piece: Piece, lines: tuple[str, ...]) -> Piece:
    return Piece(lines, piece.head, piece.tail)
