"""What the moderator's guide tells people to write is read as it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from adjudicator.services import verbs

PAGE = (Path(__file__).parents[2] / "deploy" / "moderator.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[tuple[str, str]]:
    """Return the Russian and English examples of the tables under a heading, several in one cell apart."""
    part = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    found = []
    for line in part.splitlines():
        cells = line.strip("|").split("|")
        if len(cells) >= 2 and "`" in cells[0] and "`" in cells[1]:
            examples = (re.findall(r"`([^`]+)`", cell) for cell in cells[:2])
            found += list(zip(*examples, strict=True))
    return found


VERBS = rows("A turn")


def test_the_guide_has_examples() -> None:
    assert len(VERBS) == 16


@pytest.mark.parametrize(("russian", "english"), VERBS)
def test_an_example_is_one_verb_in_both_languages(russian: str, english: str) -> None:
    said = [verbs.read([line.replace("…", "слово" if line == russian else "word")]) for line in (russian, english)]

    assert [(len(found), unread) for found, unread in said] == [(1, ()), (1, ())]
    first, second = (found[0] for found, _ in said)
    assert (first.name, first.turn, first.wanting, first.trapped) == (second.name, second.turn, "", "")
    assert second.wanting == ""


@pytest.mark.parametrize(
    "line", re.findall(r"`((?:показать|принять|отклонить|в силе|решение|stands|rule)[^`]*)`", PAGE)
)
def test_what_the_guide_names_in_passing_is_a_verb(line: str) -> None:
    found, unread = verbs.read([line.replace(" N", " 12").replace("…", "слово")])

    assert (len(found), unread) == (1, ())
