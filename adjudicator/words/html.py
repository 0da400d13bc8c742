"""Markdown of a letter into the HTML part: rendered, cleaned by an allow-list, dressed with inline styles."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

import css_inline
import nh3
from markdown import Markdown as Renderer

from adjudicator.words.environment import source
from adjudicator.words.text import HTML_ONLY, as_html

LIMIT: Final = 100_000
"""Bytes of an HTML part: Gmail cuts longer ones and then drops their styles (play-by-mail 5)."""

_TAGS: Final = frozenset(
    {
        *(
            "a",
            "b",
            "blockquote",
            "br",
            "code",
            "div",
            "em",
            "h1",
            "h2",
            "h3",
            "hr",
            "i",
            "img",
            "li",
            "ol",
            "p",
            "pre",
        ),
        *("span", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul"),
    }
)
_ATTRIBUTES: Final = {
    "a": {"href", "class"},
    "img": {"src", "alt", "class", "width"},
    "td": {"style"},
    "th": {"style"},
    "div": {"class"},
    "p": {"class"},
    "span": {"class"},
}
_SPEECH: Final = re.compile(r"(?:^│.*\n?)+", re.MULTILINE)
_MARKS: Final = {"✓": "taken", "✂": "cut", "✗": "refused"}


@cache
def _inliner() -> css_inline.CSSInliner:
    return css_inline.CSSInliner(load_remote_stylesheets=False, keep_style_tags=False, keep_at_rules=True)


def body(markdown: str) -> str:
    """Return clean HTML of a letter's armoured Markdown, the armour still on."""
    speech = _SPEECH.sub(_quoted, markdown.replace(HTML_ONLY, ""))
    raw = Renderer(extensions=["tables", "fenced_code", "sane_lists"], output_format="html").convert(speech)
    clean = nh3.clean(
        raw,
        tags=set(_TAGS),
        attributes={tag: set(names) for tag, names in _ATTRIBUTES.items()},
        url_schemes={"mailto", "cid", "https"},
        filter_style_properties={"text-align"},
        link_rel=None,
    )
    return _dressed(clean)


def _quoted(match: re.Match[str]) -> str:
    """Make a quotation, line by line, of a player's words as they are marked in the text part."""
    lines = [line[1:].strip() for line in match.group().strip("\n").split("\n")]
    return "> " + "  \n> ".join(line or "&nbsp;" for line in lines) + "\n"


def _dressed(markup: str) -> str:
    """Give the classes that Markdown has no words for: wide tables, verdicts, the map, links that are buttons."""
    for mark, name in _MARKS.items():
        markup = markup.replace(f"<p>{mark}", f'<p class="{name}">{mark}')
    markup = markup.replace("<table>", '<div class="wide"><table>').replace("</table>", "</table></div>")
    markup = markup.replace('<p><a href="mailto:', '<p class="button"><a href="mailto:')
    return markup.replace("<img ", '<img class="map" width="720" ')


def page(title: str, language: str, markdown: str, rest: str) -> str:
    """Return the whole HTML part; one that mail programs would cut ends early with ``rest``, which says so."""
    for budget in _BUDGETS:
        whole = _page(title, language, _shortened(markdown, budget, rest))
        if len(whole.encode()) < LIMIT:
            return whole
    return _page(title, language, rest)


_BUDGETS: Final = (60_000, 40_000, 20_000, 8_000)
"""Bytes of Markdown that are tried: tags and styles double it, and a table may do worse."""


def _page(title: str, language: str, markdown: str) -> str:
    style = source("shared/letter.css") or ""
    frame = source("shared/letter.html") or ""
    filled = frame.replace("{{ language }}", language).replace("{{ title }}", title).replace("{{ style }}", style)
    return as_html(_inliner().inline(filled.replace("{{ body }}", body(markdown))))


def _shortened(markdown: str, budget: int, rest: str) -> str:
    """Return as many whole lines as fit into the budget, closing a fence that is cut, and then ``rest``."""
    if len(markdown.encode()) <= budget:
        return markdown
    kept: list[str] = []
    for line in markdown.split("\n"):
        budget -= len(line.encode()) + 1
        if budget < 0:
            break
        kept.append(line)
    fences = sum(line.startswith("```") for line in kept)
    return "\n".join([*kept, *(["```"] if fences % 2 else []), "", rest])
