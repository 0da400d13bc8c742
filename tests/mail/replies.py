"""Answers of people as their mail programs write them, in text and as the same program's HTML."""

from __future__ import annotations

import html
import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path

import msgspec
from msgspec import Struct

DATA = Path(__file__).parent / "data"
_LINE = re.compile(r"^([oaqrAhsfp])\|(.*)$")
_ROLE_OF_QUOTE = "qrAp"


class Family(Struct, frozen=True, forbid_unknown_fields=True):
    """How a kind of mail program marks quotes in text, and its containers in HTML; ``{}`` stands for what is inside."""

    mark: str
    deeper: str = ""
    line: str = "<div>{}</div>"
    blank: str = "<div><br></div>"
    own: str = "{}"
    intro: str = "<div>{}</div>"
    header: str = "<div>{}</div>"
    quote: str = "{}"
    thread: str = "{}"
    signature: str = "{}"
    footer: str = "{}"
    page: str = "<html><head></head><body>{}</body></html>"
    pre: bool = False
    bold: bool = False


class Reply(Struct, frozen=True, forbid_unknown_fields=True):
    """One answer: what stands in its data file, see there."""

    id: str
    client: str
    family: str
    text: str
    forwarded: bool = False
    sent: bool = False
    plain: bool = False
    html: str = ""
    html_only: bool = False

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """Role and words of each line; a blank line has the role of nobody."""
        found = ((_LINE.match(line), line) for line in self.text.removeprefix("\n").split("\n"))
        return tuple((match[1], match[2]) if match else ("", line) for match, line in found)

    @property
    def own(self) -> list[str]:
        """What has to be read, in order, blanks at the ends of lines apart."""
        return [words.strip() for role, words in self.rows if role == "o" and words.strip()]

    @property
    def strange(self) -> list[str]:
        """What must not be read."""
        return [words.strip() for role, words in self.rows if role not in ("", "o") and words.strip()]

    @property
    def as_text(self) -> str:
        """The answer as plain text."""
        family = families()[self.family]
        deeper = family.deeper or family.mark * 2
        marks = {"q": family.mark, "A": family.mark, "r": deeper}
        lines = ((marks.get(role, "") + words) if role in marks else words for role, words in self.rows)
        return "\n".join(line.rstrip() if line.endswith("> ") else line for line in lines)

    @property
    def as_html(self) -> str:
        """The answer as the HTML page that the same program writes."""
        family = families()[self.family]
        return self.html or family.page.replace("{}", _page(family, self.rows))


class _Document(Struct, frozen=True, forbid_unknown_fields=True):
    families: dict[str, Family]
    reply: tuple[Reply, ...]


@cache
def _document() -> _Document:
    return msgspec.convert(tomllib.loads((DATA / "more_replies.toml").read_text("utf-8")), _Document)


def families() -> dict[str, Family]:
    """Give all families by name."""
    return _document().families


def more_replies() -> tuple[Reply, ...]:
    """Give the answers of ``more_replies.toml``."""
    return _document().reply


@cache
def texts_with_own() -> tuple[tuple[str, str, tuple[str, ...], tuple[str, ...]], ...]:
    """Give (id, plain text, lines to keep, lines to forbid) of every answer that has a text form, the given set first.

    The answers that need knowledge of what we sent are left out.
    """
    given = json.loads((DATA / "russian_replies.json").read_text("utf-8"))
    first = tuple((one["id"], one["text"], tuple(one["keep"]), tuple(one["forbid"])) for one in given)
    more = (one for one in more_replies() if not (one.sent or one.html_only))
    return first + tuple((one.id, one.as_text, tuple(one.own), tuple(one.strange)) for one in more)


def _page(family: Family, rows: tuple[tuple[str, str], ...]) -> str:
    groups = [(kind, list(rest)) for kind, rest in groupby(_settled(rows), key=lambda row: row[0])]
    start = next((place for place, (kind, _) in enumerate(groups) if kind in ("intro", "header", "quote")), len(groups))
    above = "".join(_block(family, kind, [row[1] for row in rest]) for kind, rest in groups[:start])
    thread = "".join(_block(family, kind, [row[1] for row in rest]) for kind, rest in groups[start:])
    return above + (family.thread.replace("{}", thread) if thread else "")


def _settled(rows: tuple[tuple[str, str], ...]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Give the kind of block each line belongs to; blank lines between blocks belong to none."""
    kinds = {"o": "own", "a": "intro", "h": "header", "s": "signature", "f": "footer"}
    for role, words in rows:
        if role:
            yield ("quote" if role in _ROLE_OF_QUOTE else kinds[role], (role, words))


def _block(family: Family, kind: str, rows: list[tuple[str, str]]) -> str:
    words = [_escaped(text) for _, text in rows]
    if kind == "intro":
        return family.intro.replace("{}", " ".join(words))
    if kind == "header":
        return family.header.replace("{}", "<br>".join(_bold(line) if family.bold else line for line in words))
    if kind == "quote":
        return family.quote.replace("{}", _quoted(family, rows))
    inside = "".join(_line(family, line) for line in words)
    return {"own": family.own, "signature": family.signature, "footer": family.footer}[kind].replace("{}", inside)


def _quoted(family: Family, rows: list[tuple[str, str]]) -> str:
    out = []
    for deep, rest in groupby(rows, key=lambda row: row[0] == "r"):
        lines = [_escaped(text) for _, text in rest]
        inside = "\n".join(lines) if family.pre else "".join(_line(family, line) for line in lines)
        out.append(family.quote.replace("{}", inside) if deep else inside)
    return "".join(out)


def _line(family: Family, words: str) -> str:
    return family.line.replace("{}", words) if words.strip() else family.blank


def _bold(line: str) -> str:
    name, colon, rest = line.partition(":")
    return f"<b>{name}:</b>{rest}" if colon else line


def _escaped(text: str) -> str:
    return html.escape(text, quote=False).replace("  ", " &nbsp;").replace("\u00a0", "&nbsp;")
