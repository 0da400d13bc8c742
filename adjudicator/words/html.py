"""Markdown of a letter into the HTML part: rendered, cleaned by an allow-list, dressed with inline styles."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

import css_inline
import nh3
from markdown import Markdown as Renderer

from adjudicator.words.environment import source
from adjudicator.words.text import as_html

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
    speech = _SPEECH.sub(_quoted, markdown)
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
    return "> " + "  \n> ".join(line or "\u00a0" for line in lines) + "\n"


def _dressed(markup: str) -> str:
    """Give the classes that Markdown has no words for: wide tables, verdicts, the map, links that are buttons."""
    for mark, name in _MARKS.items():
        markup = markup.replace(f"<p>{mark}", f'<p class="{name}">{mark}')
    markup = markup.replace("<table>", '<div class="wide"><table>').replace("</table>", "</table></div>")
    markup = markup.replace('<p><a href="mailto:', '<p class="button"><a href="mailto:')
    return markup.replace("<img ", '<img class="map" width="720" ')


def page(title: str, language: str, markdown: str, rest: str) -> str:
    """Return the whole HTML part; one that mail programs would cut ends early with ``rest``, which says so."""
    style = source("shared/letter.css") or ""
    frame = source("shared/letter.html") or ""
    filled = frame.replace("{{ language }}", language).replace("{{ title }}", title).replace("{{ style }}", style)
    whole = as_html(_inliner().inline(filled.replace("{{ body }}", body(markdown))))
    if len(whole.encode()) < LIMIT:
        return whole
    return page(title, language, _shortened(markdown, rest), rest)


def _shortened(markdown: str, rest: str) -> str:
    """Return the first two thirds of the paragraphs and a word that the rest stands in the text part."""
    paragraphs = markdown.split("\n\n")
    if len(paragraphs) < 3:
        paragraphs = [paragraph[: len(paragraph) * 2 // 3] for paragraph in paragraphs]
    kept = paragraphs[: max(1, len(paragraphs) * 2 // 3)]
    return "\n\n".join([*kept, rest]) if kept[-1] != rest else "\n\n".join([*kept[:-2], rest])
