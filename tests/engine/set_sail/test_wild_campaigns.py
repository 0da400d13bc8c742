"""Campaigns of orders that make little sense, and of sane ones: nothing raises, and no law of the page is broken."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.core.codec import decode, encode
from engine.core.contract import MODERATOR, PUBLIC, Answers, Resolution
from engine.core.dice import LoadedDice, Throw
from engine.set_sail import RULESET
from engine.set_sail import commands as c
from engine.set_sail.events import SetSailEvent
from engine.set_sail.options import SetSailOptions
from engine.set_sail.state import Pirate, SetSailState, Ship
from tests.engine.set_sail.laws import LawBroken, check, within_bounds
from tests.engine.set_sail.soak import WILD, play

TURNS = 14


def written(before: SetSailState, result: Resolution, _throws: tuple[Throw, ...]) -> None:
    """Hold what a turn leaves behind to what the service does with it."""
    state = result.state
    assert isinstance(state, SetSailState)
    assert encode(decode(encode(state), SetSailState)) == encode(state)
    assert [decode(encode(event), SetSailEvent) for event in result.events] == list(result.events)
    for viewer in (*state.roster, PUBLIC, MODERATOR):
        view = RULESET.view(state, viewer)
        slots = RULESET.owed(view)
        assert len({(slot.seat, slot.key) for slot in slots}) == len(slots)
        assert all(list(RULESET.legal(view, slot.key)) for slot in slots if slot.seat == viewer)
    assert any(not slot.optional for slot in RULESET.owed(RULESET.view(state, MODERATOR)))
    assert before.turn == state.turn - 1


@pytest.mark.parametrize("number", [1, 2, 5, 7, 8])
def test_campaign_keeps_the_laws(number: int) -> None:
    told = play("laws", number, TURNS, written)

    assert told["wild"] == (number % WILD == WILD - 1)
    assert told["views"] > 0


@pytest.mark.parametrize(
    ("law", "changes"),
    [
        ("P1", {"pirates": (Pirate(seat="pirate-1", der=4),)}),
        ("P6", {"pirates": (Pirate(seat="pirate-1", luck=-1),)}),
        ("P24", {"treasury": -1}),
        ("P26", {"ship": Ship(hull=5, hull_max=4)}),
        ("P34", {"ship": Ship(bought=("nav", "nav"))}),
    ],
)
def test_laws_find_what_breaks_them(law: str, changes: dict[str, object]) -> None:
    with pytest.raises(LawBroken, match=law):
        within_bounds(SetSailState(options=SetSailOptions(), roster=("pirate-1",), **changes))


def test_laws_find_money_that_nobody_was_told_of() -> None:
    state = SetSailState(options=SetSailOptions(), roster=("pirate-1", "pirate-2"), stage="ruling")
    sheet = (c.DoEffect(number=1, effect="money:+50:@treasury"),)
    result = RULESET.resolve(state, {MODERATOR: sheet}, LoadedDice({}), Answers())
    assert isinstance(result, Resolution)
    check(state, result, ())

    with pytest.raises(LawBroken, match="P24"):
        check(state, Resolution(state=replace(result.state, treasury=51), events=result.events), ())
