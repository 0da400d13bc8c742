"""Whose text is whose: our Markdown passes as it stands, what people wrote is armoured.

Every ASCII punctuation mark of a player's text travels through templates, Markdown and HTML as a code point of the
private use area, where it means nothing to anybody. At the very end it becomes the mark again: escaped for HTML, with a
backslash where a reader of Markdown would see markup, or bare in a block of code. There is no text a player could write
that turns into a heading, a link, a tag or a table.
"""

from __future__ import annotations

import html
import re
import unicodedata
from typing import Any, Final

from jinja2 import Undefined
from markupsafe import Markup

_ARMOUR: Final = 0xE000
_MARKS: Final = "".join(chr(code) for code in range(0x21, 0x7F) if not chr(code).isalnum())
_TO_ARMOUR: Final = {ord(mark): chr(_ARMOUR + ord(mark)) for mark in _MARKS} | {ord("│"): chr(_ARMOUR + ord("|"))}
"""The bar before people's words is ours as well: whoever writes it himself gets the mark that looks like it."""
_FROM_ARMOUR: Final = {_ARMOUR + ord(mark): mark for mark in _MARKS}
_TO_HTML: Final = {_ARMOUR + ord(mark): html.escape(mark) for mark in _MARKS}
HTML_ONLY: Final = "\ue100"
"""Begins a line that only the HTML part shows: a picture, a link longer than a line of mail may be."""

_ARMOURED: Final = re.compile(f"[{chr(_ARMOUR)}-{chr(_ARMOUR + 0x7E)}]")
# Marks that can begin markup inside a line of CommonMark.
_ACTIVE: Final = "\\`*_[]<&|~#>+"
_BEGINS: Final = re.compile(r"\s*(?:[-*] |\d+\. )?")
_SPACE: Final = re.compile(r"\s+")


class Markdown(Markup):
    """Markdown of our own: the only kind of text that a template passes on as it stands."""


def player(text: str) -> Markdown:
    """Return what a person wrote as one line of Markdown that shows exactly this and does nothing."""
    return Markdown(_SPACE.sub(" ", visible(text)).strip().translate(_TO_ARMOUR))


def player_line(text: str) -> Markdown:
    """Return a line a person wrote, its indentation kept but meaning nothing."""
    line = visible(text).replace("\t", "    ").replace("\n", " ").rstrip()
    words = line.lstrip()
    return Markdown(chr(_ARMOUR + ord(" ")) * (len(line) - len(words)) + words.translate(_TO_ARMOUR))


def visible(text: str) -> str:
    """Drop what cannot be seen yet changes how text reads: controls, direction marks, private code points."""
    return "".join(char for char in text if char in "\n\t\u200d" or unicodedata.category(char) not in _UNSEEN)


_UNSEEN: Final = ("Cc", "Cf", "Co", "Cs", "Cn")


def armoured(marks: str) -> str:
    """Return punctuation as it travels in players' text."""
    return marks.translate(_TO_ARMOUR)


def finalize(value: Any) -> Any:
    """Say what a template prints of a value: ours as it stands, a number as digits, any other string armoured.

    Raises TypeError for what is no text at all: a missing name, None or a flag is a mistake in the template.
    """
    if isinstance(value, Markup):
        return value
    if isinstance(value, Undefined):
        return str(value)  # raises, and names what is missing
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise TypeError(f"a template cannot print {value!r}")
    return Markdown(str(value)) if isinstance(value, int) else player(value)


def bare(text: str) -> str:
    """Return the text with every armoured mark as the person typed it: for subjects, code, addresses, pictures."""
    return text.translate(_FROM_ARMOUR)


def as_markdown(text: str) -> str:
    """Return the text part of a letter: armoured marks bare, with a backslash only where Markdown would see markup."""
    lines: list[str] = []
    fenced = False
    for line in text.split("\n"):
        if line.startswith(HTML_ONLY) or (not line and not fenced and lines[-1:] == [""]):
            continue
        fence = line.startswith("```")
        fenced ^= fence
        code = fenced or fence or line.startswith("    ")
        lines.append(bare(line) if code else _ARMOURED.sub(_escaped, line))
    return "\n".join(lines)


def _escaped(match: re.Match[str]) -> str:
    mark = chr(ord(match.group()) - _ARMOUR)
    return f"\\{mark}" if mark in _ACTIVE and _would_act(mark, match) else mark


def _would_act(mark: str, match: re.Match[str]) -> bool:
    before, after = _neighbours(match)
    if mark in "#>+":  # a heading, a quote or a list, where a line or an item of ours begins with it
        return _BEGINS.fullmatch(match.string[: match.start()]) is not None
    if mark in "*~`|\\[]":
        return True
    if mark == "_":
        return not (before.isalnum() and after.isalnum())
    if mark == "<":
        return after.isalpha() or chr(ord(after) - _ARMOUR if _ARMOURED.match(after) else ord(after)) in "/!?"
    return after.isalpha() or _ARMOURED.match(after) is not None


def _neighbours(match: re.Match[str]) -> tuple[str, str]:
    text, start, end = match.string, match.start(), match.end()
    return text[start - 1 : start] or " ", text[end : end + 1] or " "


def as_html(markup: str) -> str:
    """Return HTML made from armoured Markdown with every armoured mark as an escaped character."""
    return markup.translate(_TO_HTML)
