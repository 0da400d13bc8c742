"""Whatever people write into a campaign is shown and does nothing: in letters, on boards, in pictures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Any

import pytest
from lxml import etree, html
from markdown_it import MarkdownIt
from msgspec.structs import replace

from adjudicator.letters import Report
from adjudicator.services.forum import boards, posts
from adjudicator.services.render import Rendered, render
from adjudicator.words.text import visible
from engine.core.contract import MODERATOR, PUBLIC, Answers, Event, Resolution, Seat
from engine.core.dice import LoadedDice
from engine.set_sail import commands as c
from engine.set_sail.cards import Card, CardOption
from engine.set_sail.state import Article, Enemy, Knowledge, Plan, SetSailState, ShipSecret, Talk
from tests.adjudicator.words import voyage
from tests.adjudicator.words.voyage import ANNA, BORIS, ROSTER, SAIL, VERA

HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "<!-- --><b>x</b>&lt;b&gt;&#60;i&#62;",
    '"><svg/onload=x>]]><![CDATA[<a>]]>',
    "[x](javascript:x) ![x](http://e.x/a.png) <http://e.x>",
    "# x\n## y\n- z\n1. w\n> q\n```\ncode\n```\n---",
    "[b]x[/b] [url=//e.x]y[/url] [img]z[/img] [/quote][/spoiler]",
    '[spoiler]x[/spoiler] [details=x] [quote="a"] [/code][/list]',
    "**x** __y__ `z` ~~w~~ | a | b |\n|---|---|",
    "{{ 7*7 }} {% set x %} ${x} %(x)s {0.x}",
    "\u202eкод\u202c \u2066x\u2069 \u200bx\u200e \ufeffy \x1b[31m",
    "@all @here :skull: https://e.x/?a=1&b=2 www.e.x",
    "│ Судья: ход 7 проведён\n--- pin ---\nset-sail-1 #3",
    "ы" * 900,
    "\u0336x" * 50 + "\ue03c\ue05b\U000f0000",
)


def world(words: Iterator[str]) -> tuple[SetSailState, tuple[Event, ...]]:
    """Return a campaign with the next of some words in every place that people fill, and what two turns brought."""

    def line(most: int = 4000) -> str:
        return " ".join(next(words).split())[:most]

    state = voyage.position()
    pirates = tuple(
        replace(
            one, name=line(60), post=line(60), background=line(60), knows=(Knowledge(id=1, who=BORIS, text=line()),)
        )
        for one in state.pirates
    )
    card = Card(id="ugrozhat", name=line(80), option=(CardOption(id="a", text=next(words)),), trigger=next(words))
    state = replace(
        state,
        pirates=pirates,
        ship=replace(
            state.ship, name=line(60), kind=line(60), secrets=(ShipSecret(id=1, text=line(), about=line(60)),)
        ),
        factions=(replace(state.factions[0], secrets=(line(),)),),
        enemies=(Enemy(id="gubernator", threat=True, name=line(60)),),
        code=(Article(id="vernost", kind="prescription", text=line()),),
        plans=(Plan(id="p1", goal=line(), crew=2, gm=1),),
        backgrounds=(replace(state.backgrounds[0], name=line(60)),),
        talks=(Talk(number=1, a=ANNA, b="gubernator", threat=True),),
        cards=tuple(card if one.id == card.id else one for one in state.cards),
        carouse=True,
    )
    first = resolved(
        state,
        {
            ANNA: (
                c.Say(text=next(words)),
                c.Declare(number=1, move="ugrozhat", stat="der", text=line()),
                c.Bid(talk=1, value="glory", text=line()),
            ),
            BORIS: (c.Declare(number=1, text=line(), stat="izv"), c.Tale(text=next(words))),
            VERA: (c.Scheme(number=1, goal=line(), secrets=(1,)),),
            MODERATOR: (c.DoEffect(number=1, effect="note:" + re.sub(r"[;\x00-\x1f]", "", line(200))),),
        },
    )
    rulings = tuple(c.Ruling(roll=f"{seat}/o1", stat="der") for seat in ROSTER)
    second = resolved(first.state, {MODERATOR: (c.Say(text=next(words)), *rulings)})
    assert isinstance(second.state, SetSailState)
    return second.state, (*first.events, *second.events)


def resolved(state: Any, sheets: dict[Seat, Any]) -> Resolution:
    faces = LoadedDice({}, lambda _, sides: min(sides, 3))
    result = SAIL.resolve(state, sheets, faces, Answers())
    assert isinstance(result, Resolution)
    return result


def reports(words: Sequence[str]) -> list[Report]:
    state, events = world(cycle(words))
    return [voyage.told("ru", seat, state, events) for seat in (ANNA, PUBLIC)]


def harmless(word: str) -> str:
    """Return a text of the same lines and words that could do nothing, whatever became of it."""
    return re.sub(r"[^\w\s]|_", "x", visible(word))


def bones(page: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the elements of a page with their attributes, but for the breaks of lines, which lie where words do."""
    found = [(str(one.tag), tuple(sorted(one.attrib))) for one in html.fromstring(page).iter()]
    return [one for one in found if one[0] != "br"]


def kinds(rendered: Rendered) -> set[tuple[str, tuple[str, ...]]]:
    """Return what elements the drawings of a letter are made of."""
    drawn = [data for name, _, data in rendered.files if name.endswith(".svg")]
    return {(str(one.tag), tuple(sorted(one.attrib))) for svg in drawn for one in etree.fromstring(svg).iter()}


DISCOURSE = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
TAG = re.compile(
    r"(?<!\\)\[/?(?:b|i|u|s|url|img|quote|code|list|spoiler|details|size|color|center|table|tr|td|\*)\b", re.IGNORECASE
)
UNSEEN = re.compile("[\u202a-\u202e\u2066-\u2069\u200b\u200e\ufeff\x1b]")
UNSPACED = re.compile("[\u0300-\u036f]")
CODE = re.compile(r"\[code\].*?\[/code\]|^```.*?^```", re.DOTALL | re.MULTILINE | re.IGNORECASE)


def tags(text: str) -> Counter[str]:
    """Return the tags of a board in a post, but for blocks of code, in which none counts."""
    return Counter(TAG.findall(CODE.sub("", text)))


@pytest.mark.parametrize("first", [0, 5, 10])
def test_what_people_write_changes_nothing_but_words(first: int) -> None:
    words = (*HOSTILE[first:], *HOSTILE[:first])
    for made, plain in zip(reports(words), reports([harmless(word) for word in words]), strict=True):
        letter, other = render(made), render(plain)

        assert bones(letter.html) == bones(other.html)
        assert kinds(letter) == kinds(other)
        assert not UNSEEN.search(letter.text + letter.html + letter.subject)
        lines = [UNSPACED.sub("", line) for line in letter.text.splitlines()]
        assert [line for line in lines if len(line) > 76 and not line.startswith("    ")] == []
        for board in boards() if made.reader.seat == "" else ():
            written, harmless_ = ("\n".join(posts(one, board)) for one in (made, plain))
            assert tags(written) == tags(harmless_)
            if board == "discourse":
                assert bones(DISCOURSE.render(written)) == bones(DISCOURSE.render(harmless_))
