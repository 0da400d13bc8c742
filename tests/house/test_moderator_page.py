"""What the moderator's guide tells people to write is read as it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from adjudicator.fairplay import record
from adjudicator.services import hosting, verbs
from engine.core import codec
from engine.core.registry import ruleset

PAGE = (Path(__file__).parents[2] / "deploy" / "moderator.md").read_text(encoding="utf-8")


def rows(heading: str, page: str) -> list[tuple[str, str]]:
    """Return the Russian and English examples of the tables under a heading, several in one cell apart."""
    part = page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    found = []
    for line in part.splitlines():
        cells = line.strip("|").split("|")
        if len(cells) >= 2 and "`" in cells[0] and "`" in cells[1]:
            examples = (re.findall(r"`([^`]+)`", cell) for cell in cells[:2])
            found += list(zip(*examples, strict=True))
    return found


VERBS = rows("A turn", PAGE)
GAMES = rows("Which game", PAGE)


def test_the_guide_has_examples() -> None:
    assert (len(VERBS), len(GAMES)) == (18, 6)


@pytest.mark.parametrize(("russian", "english"), GAMES)
def test_an_example_of_a_game_makes_the_same_game_in_both_languages(russian: str, english: str) -> None:
    wanted, same = (hosting.read([line], "UTC") for line in (russian, english))
    info = ruleset(wanted.ruleset).info
    edition = info.editions[wanted.edition or next(iter(info.editions))]

    assert wanted == same
    assert codec.from_plain({**record.options_object(edition), **wanted.options}, info.options)
    assert ruleset(wanted.ruleset).seats(edition, wanted.players or info.seats[0])


def test_the_guide_names_every_edition_and_how_long_games_of_the_island_are() -> None:
    info = ruleset("jackal").info

    assert set(re.findall(r"`(\w\w)`", PAGE.split("Editions: ")[1].split("Games of bots")[0])) == set(info.editions)
    assert info.usual is not None
    assert "about {} to {} rounds".format(*info.usual) in " ".join(PAGE.split())


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
