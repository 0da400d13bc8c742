"""Who knows what: nothing private stands in a public view, nor in another seat's."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.core.codec import encode
from engine.core.contract import MODERATOR, PUBLIC, Answers, Event, Order, Resolution, Seat, Sheet
from engine.core.dice import LoadedDice
from engine.set_sail import RULESET, SetSail
from engine.set_sail import commands as c
from engine.set_sail.cards import cards_of, deck
from engine.set_sail.events import Noted
from engine.set_sail.options import SetSailOptions
from engine.set_sail.state import (
    Clock,
    Decision,
    Faction,
    Knowledge,
    Pirate,
    Plan,
    Roll,
    SetSailState,
    Ship,
    ShipSecret,
    Talk,
)

ROSTER = ("pirate-1", "pirate-2", "pirate-3")
CARDS = cards_of(
    {
        "meta": {"schema": "movecards/1", "visibility": "private"},
        "move": [
            {
                "id": "ugrozhat",
                "name": "Угрожать",
                "trigger": "CARD-TEXT",
                "option": [{"id": "a", "text": "CARD-TEXT"}],
                "miss": {"text": "CARD-TEXT", "effects": ["note:CARD-TEXT"]},
            }
        ],
    }
)


def full_of_secrets() -> SetSailState:
    """Return a state with a word of its own in every private place."""
    return SetSailState(
        options=SetSailOptions(),
        roster=ROSTER,
        turn=3,
        stage="turn",
        pirates=(
            Pirate(seat="pirate-1", knows=(Knowledge(id=1, who="pirate-2", text="KNOWN-TO-1"),)),
            Pirate(seat="pirate-2", luck=1),
            Pirate(seat="pirate-3", luck=1),
        ),
        ship=Ship(secrets=(ShipSecret(id=2, text="CREW-SECRET", about="CREW-ABOUT"),)),
        factions=(Faction(id="fort", secrets=("CREW-EXPOSED",)),),
        clocks=(Clock(id="closed-clock", n=3), Clock(id="open-clock", n=1, open=True)),
        plans=(Plan(id="p1", goal="CREW-GOAL", crew=1),),
        talks=(
            Talk(
                number=1,
                a="pirate-3",
                b="fort",
                sealed="glory",
                sealed_secret="SEALED-BY-MODERATOR",
                sealed_chance=True,
                suitable_a=(2,),
            ),
            Talk(number=2, a="pirate-1", b="pirate-2", suitable_a=(771,), suitable_b=(882,)),
        ),
        rolls=(
            Roll(key="pirate-1/o1", seat="pirate-1", step="window", text="HIDDEN-OF-1", hidden=True),
            Roll(key="pirate-2/o1", seat="pirate-2", kind="scheme", step="offer", goal="CREW-GOAL", secrets=(2,)),
            Roll(key="pirate-3/o1", seat="pirate-3", step="offer", proposal=("note:RULED-LATER",)),
        ),
        decisions=(
            Decision(
                key="pirate-1/o1/damage/0", seat="pirate-1", kind="damage", roll="pirate-1/o1", text="HIDDEN-OF-1"
            ),
            Decision(key="gm/c/number/0", seat=MODERATOR, kind="number", about="clock:closed-clock:?"),
            Decision(key="pirate-2/c/stale/0", seat="pirate-2", kind="stale", text="CREW-NEW-SECRET"),
        ),
        cards=deck(CARDS),
        used=("pirate-1/USED-BY-1",),
        secrets_found=2,
    )


LATER = ("RULED-LATER", "USED-BY-1", "sealed_chance")
PRIVATE = {
    PUBLIC: (
        "KNOWN",
        "CREW",
        "closed-clock",
        "SEALED",
        "glory",
        "sealed_chance",
        "HIDDEN",
        "CARD-TEXT",
        "771",
        "882",
        "suitable",
        *LATER,
    ),
    "pirate-3": ("KNOWN", "closed-clock", "SEALED", "glory", "HIDDEN", "771", "882", *LATER),
    "pirate-2": ("KNOWN", "closed-clock", "SEALED", "glory", "HIDDEN", "771", *LATER),
    "pirate-1": ("closed-clock", "SEALED", "glory", "882", "RULED-LATER"),
}


@pytest.mark.parametrize("viewer", PRIVATE)
def test_nothing_private_stands_in_a_view_nor_in_what_is_owed(viewer: Seat) -> None:
    view = RULESET.view(full_of_secrets(), viewer)
    told = encode((view, RULESET.owed(view), RULESET.table(view), RULESET.draw(view)))

    assert [word for word in PRIVATE[viewer] if word in told] == []


def test_each_secret_stands_in_the_view_of_whoever_may_know_it() -> None:
    state = full_of_secrets()

    assert "KNOWN-TO-1" in encode(RULESET.view(state, "pirate-1"))
    assert "HIDDEN-OF-1" in encode(RULESET.view(state, "pirate-1"))
    assert "CREW-SECRET" in encode(RULESET.view(state, "pirate-2"))
    assert "CARD-TEXT" in encode(RULESET.view(state, "pirate-2"))
    assert "open-clock" in encode(RULESET.view(state, PUBLIC))
    assert RULESET.view(state, "pirate-1").state.talks[0].suitable_a == (2,)
    assert RULESET.view(state, "pirate-1").state.talks[1].suitable_a == (771,)
    assert RULESET.view(state, "pirate-2").state.talks[1].suitable_b == (882,)
    assert RULESET.view(state, MODERATOR).state == state


def test_nobody_can_tell_from_numbers_that_another_learnt_a_secret() -> None:
    state = replace(full_of_secrets(), stage="ruling", rolls=(), decisions=(), talks=())
    find = c.DoEffect(number=2, effect="secret:+1:слово")
    seen = []
    for commands_ in ((find,), (c.Learn(number=1, seat="pirate-1", who="pirate-2", text="слово"), find)):
        result = SetSail().resolve(state, {MODERATOR: commands_}, LoadedDice({}), Answers())
        seen.append(encode(RULESET.view(result.state, "pirate-3")))  # type: ignore[union-attr]

    assert seen[0] == seen[1]


def test_note_of_a_private_card_is_for_the_crew_and_one_of_the_moderator_for_all() -> None:
    roll = Roll(key="pirate-3/o1", seat="pirate-3", step="offer", move="ugrozhat", band="miss")
    state = replace(full_of_secrets(), stage="ruling", rolls=(roll,), decisions=(), talks=())
    sheet = (c.Offer(roll=roll.key, effects=("note:из книги",)), c.DoEffect(number=1, effect="note:вечереет"))
    result = SetSail().resolve(state, {MODERATOR: sheet}, LoadedDice({}), Answers())

    notes = {event.text: event.audience for event in result.events if isinstance(event, Noted)}
    assert notes == {"из книги": ROSTER, "вечереет": ("*",)}


def test_hidden_roll_has_no_window_for_others() -> None:
    view = RULESET.view(full_of_secrets(), MODERATOR)

    assert [slot.seat for slot in RULESET.owed(view) if slot.key == "pirate-1/o1/window"] == []


WORDS = st.sampled_from(["SECRET-A", "SECRET-B", "SECRET-C"])


def commands(word: str) -> tuple[Order, ...]:
    """Return orders of the moderator that hold a word nobody outside the crew may read."""
    return (
        c.DoEffect(number=1, effect=f"secret:+1:{word}"),
        c.Learn(number=2, seat="pirate-1", who="pirate-2", text=word),
        c.DoEffect(number=3, effect=f"exposed:+1:@fort:{word}"),
        c.Put(number=4, what="clock", id=word.lower(), n=2),
        c.DoEffect(number=5, effect="secret:-1:1"),
        c.DoEffect(number=6, effect=f"clock:{word.lower()}:+1"),
        c.DoEffect(number=7, effect=f"secret:-1:{9}"),
        c.OpenTalk(number=8, a="pirate-1", b="fort", suitable_a=(1,)),
        c.SealBid(number=9, talk=1, value="glory", uses=word),
    )


def players(word: str) -> dict[Seat, Sheet]:
    return {
        "pirate-2": (c.Declare(number=1, stat="der", text=word, hidden=True),),
        "pirate-3": (c.Scheme(number=1, goal=word, secrets=(1,)),),
    }


@settings(derandomize=True, max_examples=20, deadline=None)
@given(words=st.lists(WORDS, min_size=1, max_size=4))
def test_nothing_private_is_told_to_the_public_in_a_course_of_turns(words: list[str]) -> None:
    state: SetSailState = replace(
        full_of_secrets(), rolls=(), decisions=(), talks=(), ship=Ship(), plans=(), factions=(), cards=deck()
    )
    events: list[Event] = []
    for word in words:
        sheets = {**players(word), MODERATOR: commands(word)} if state.stage == "turn" else {MODERATOR: ruled(state)}
        result = SetSail().resolve(state, sheets, LoadedDice({}, lambda _, sides: min(3, sides)), Answers())
        assert isinstance(result, Resolution)
        assert isinstance(result.state, SetSailState)
        state = result.state
        events += result.events
        assert "SECRET" not in encode(RULESET.view(state, PUBLIC))
        assert "secret-" not in encode(RULESET.view(state, PUBLIC))

    public = [encode(event) for event in events if event.known_to(PUBLIC)]
    assert [line for line in public if "SECRET" in line or "secret-" in line] == []
    others = [encode(event) for event in events if event.known_to("pirate-3")]
    assert [line for line in others if '"hidden"' in line or '"rule":"P43","seat"' in line] == []


def ruled(state: SetSailState) -> Sheet:
    return tuple(c.Ruling(roll=roll.key, stat="der") for roll in state.rolls if roll.step == "declared")
