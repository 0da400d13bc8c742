"""What the guide to a campaign tells a moderator to write is read as it says, and the letters it shows are sent so."""

from __future__ import annotations

import re

import msgspec
import pytest

from adjudicator.fairplay import record
from adjudicator.services import hosting
from engine.core import codec
from engine.core.contract import MODERATOR, Language
from engine.core.registry import ruleset
from engine.set_sail.cards import load
from engine.set_sail.commands import Declare, DoEffect, Ruling, Say, StandingLuck
from engine.set_sail.state import Article, SetSailState, SetSailView
from tests.adjudicator.words import golden, voyage
from tests.house.test_moderator_page import rows
from tests.house.test_texts import ROOT

PAGE = (ROOT / "deploy" / "campaign.md").read_text(encoding="utf-8")
GAMES = rows("Beginning", PAGE)
COMMANDS = rows("What you may command", PAGE)
LINES: list[tuple[Language, str]] = [*(("ru", one) for one, _ in COMMANDS), *(("en", one) for _, one in COMMANDS)]
EXCERPT = re.compile(r"<!-- (?P<source>\S+) -->\n```\n(?P<lines>.*?)\n```", re.DOTALL)
CODE = (Article(id="chest", kind="prescription"), Article(id="honour", kind="prescription"))


def desk() -> SetSailView:
    """Return what the moderator sees in mid-campaign, with the code that the page speaks of."""
    state: SetSailState = msgspec.structs.replace(voyage.position(), code=CODE)
    view: SetSailView = voyage.SAIL.view(state, MODERATOR)
    return view


def test_the_guide_has_examples() -> None:
    assert (len(GAMES), len(COMMANDS)) == (3, 43)


@pytest.mark.parametrize(("russian", "english"), GAMES)
def test_an_example_of_a_campaign_makes_the_same_campaign_in_both_languages(russian: str, english: str) -> None:
    wanted, same = (hosting.read([line], "UTC") for line in (russian, english))
    info = ruleset(wanted.ruleset).info
    edition = info.editions[wanted.edition or next(iter(info.editions))]

    assert wanted == same
    assert wanted.ruleset == "set_sail"
    assert codec.from_plain({**record.options_object(edition), **wanted.options}, info.options)
    assert ruleset(wanted.ruleset).seats(edition, wanted.players or info.seats[0])


@pytest.mark.parametrize(("tongue", "line"), LINES)
def test_a_command_of_the_guide_can_be_done_at_once(tongue: Language, line: str) -> None:
    reading = voyage.SAIL.read(desk(), (), (line,), tongue)

    assert [one.order.at_once for one in reading.orders] == [True]
    assert (reading.complaints, reading.prose) == ((), ())


def test_the_file_of_moves_in_the_guide_is_one() -> None:
    (document,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    (card,) = load(document)

    assert (card.id, card.status, card.private) == ("zataitsya", "ready", True)


def letter(first: str) -> tuple[str, ...]:
    """Return the lines of the letter in the guide that begins with a line."""
    block = PAGE.partition(f"\n    {first}")[2].partition("\n\n")[0]
    return tuple(line.strip() for line in (first + block).splitlines())


def test_the_player_of_the_guide_is_read_as_it_says() -> None:
    state = msgspec.structs.replace(voyage.position(), rolls=(), talks=(), decisions=())
    lines = letter("Порт спит.")
    reading = voyage.SAIL.read(voyage.SAIL.view(state, voyage.ANNA), (), lines, "ru")

    assert [type(one.order) for one in reading.orders] == [Declare, StandingLuck]
    assert [one.order for one in reading.told] == [Say(text=lines[1])]
    assert (reading.complaints, reading.prose) == ((), (0, 1))


def test_the_ruling_of_the_guide_is_read() -> None:
    reading = voyage.SAIL.read(voyage.SAIL.view(voyage.played()[0].state, MODERATOR), (), letter("рассказ:"), "ru")

    assert [type(one.order) for one in reading.orders] == [Say, Ruling, Ruling, DoEffect]
    assert (reading.complaints, reading.prose) == ((), ())


@pytest.mark.parametrize("number", range(len(EXCERPT.findall(PAGE))))
def test_a_letter_in_the_guide_is_one_that_is_sent(number: int) -> None:
    source, shown = EXCERPT.findall(PAGE)[number]
    rest = (golden.FOLDER / source).read_text(encoding="utf-8")

    for part in re.split(r"\n?^…\n?", shown, flags=re.MULTILINE):
        before, found, rest = rest.partition(part)
        assert found, f"{source} has no such lines after {before[-80:]!r}: {part}"


def test_the_picture_in_the_guide_is_the_one_that_comes_with_the_report() -> None:
    assert golden.SHEETS.read_bytes() == golden.sheets()
