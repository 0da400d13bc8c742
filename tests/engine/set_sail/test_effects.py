"""The vocabulary of effects: closed, read and written alike, and every effect can be undone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.core.codec import decode, encode
from engine.core.contract import MODERATOR, PUBLIC, Answers, Pause, Resolution, Seat
from engine.core.dice import LoadedDice
from engine.set_sail import RULESET, SetSail
from engine.set_sail.commands import DoEffect, UndoEffect
from engine.set_sail.effects import KINDS, RISING, BadEffect, CannotUndo, parse_effect, undo, write_effect
from engine.set_sail.events import CommandFailed, EffectApplied, EffectUndone
from engine.set_sail.notation import read_position
from engine.set_sail.options import SetSailOptions
from engine.set_sail.state import Pirate, SetSailState

ROSTER = ("pirate-1", "pirate-2")
EFFECTS = (
    "luck:+1:@who",
    "luck:-2:@pirate-2",
    "damage:2:@who",
    "damage:1:terrible:@pirate-1",
    "damage:?:@who",
    "heal:1:@pirate-1",
    "rep:+1",
    "rep:-1:@pirate-2",
    "stat:der:+1:@pirate-1",
    "stat:nav:-1",
    "forward:+1:next",
    "forward:-1:scene:@pirate-2",
    "ambush:+1:@fort",
    "ambush:+1:@fort:@pirate-1",
    "money:+50:@treasury",
    "money:-5:@pirate-1",
    "secret:-1:1",
    "exposed:+1:@fort:слово",
    "exposed:-1:@fort:слово",
    "hole:1",
    "hole:2",
    "breakdown:powder",
    "breakdown:none",
    "wound:1:serious:@pirate-1",
    "wound:2:none",
    "hull:+1",
    "hull:-1",
    "flag:blood",
    "chances:+2:crew",
    "chances:-1:gm:p1",
    "clock:doom:+2",
    "harm:1:@fort",
    "fate:@pirate-2",
    "status:dead:@pirate-2",
    "status:active:@pirate-1",
    "trigger:ne_poyti_ko_dnu",
    "gm_move",
    "note",
)
DONE = [one for one in EFFECTS if "?" not in one]
"""Those that are done at once; for an open number the moderator is asked."""
WORDY = ["secret:+1:губернатор: трус", "note:что-то: скрипнуло", "exposed:+1:@fort:кто мы: пираты"]


def test_every_kind_is_written_and_read_back_the_same() -> None:
    assert {parse_effect(text).kind for text in (*EFFECTS, *WORDY)} == set(KINDS)
    assert [write_effect(parse_effect(text)) for text in (*EFFECTS, *WORDY)] == [*EFFECTS, *WORDY]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "win",
        "luck",
        "luck:1",
        "luck:+1:who",
        "luck:+99999:@who",
        "damage:-1:@who",
        "damage:1:mortal:@who",
        "heal:4:@who",
        "secret:+2:x",
        "secret:-1:x",
        "secret:+1:",
        "flag:party",
        "status:asleep:@who",
        "gm_move:1",
        "hole:²",
        "note:a\nb",
        "note:a;b",
        "note:" + "x" * 400,
        "exposed:+2:@fort:x",
    ],
)
def test_what_is_not_of_the_vocabulary_is_refused(text: str) -> None:
    with pytest.raises(BadEffect):
        parse_effect(text)


@settings(derandomize=True, max_examples=100, deadline=None)
@given(st.text(max_size=40))
def test_reading_an_effect_raises_nothing_but_its_own_error(text: str) -> None:
    try:
        effect = parse_effect(text)
    except BadEffect:
        return
    assert parse_effect(write_effect(effect)) == effect


def position() -> SetSailState:
    text = """
    pirate-1 der+1 F4 L! S purse20; pirate-2 F2 rep-2; ship nav1 fire2 disp1 hull1/4; treasury 200
    secret 1 а; secret 2 б; secret 3 в; enemy fort threat; faction fort слово
    plan p1 crew1 gm2; open battle; clock doom 1
    """
    return read_position(text, SetSailOptions(), ROSTER, None)


def done(state: SetSailState, text: str) -> Resolution:
    """Carry out an effect at once; whatever is asked is answered by its default, and every die shows four."""
    answers: dict[str, str] = {}
    rules = SetSail()
    while True:
        dice = LoadedDice({}, lambda _, sides: min(4, sides))
        result = rules.interlude(state, (DoEffect(number=1, effect=text),), dice, Answers(answers, dice))
        if isinstance(result, Resolution):
            return result
        answers |= {question.key: question.unanswered[0] for question in result.questions}


def applied(result: Resolution) -> Iterator[EffectApplied]:
    return (event for event in result.events if isinstance(event, EffectApplied))


@settings(derandomize=True, max_examples=50, deadline=None)
@given(st.lists(st.sampled_from([*(one.replace("@who", "@pirate-1") for one in DONE), *WORDY]), max_size=8))
def test_effects_undone_give_the_same_state(texts: list[str]) -> None:
    state = first = position()
    made = []
    for text in texts:
        result = done(state, text)
        assert isinstance(result.state, SetSailState)
        events = list(applied(result))
        assert len(events) == (uncounted(result.state) != uncounted(state))
        made += events
        state = result.state
    for event in reversed(made):
        state = undo(state, event.changes, replace)

    assert encode(uncounted(state)) == encode(uncounted(first))


def uncounted(state: SetSailState) -> SetSailState:
    """Return a state without the numbers that only rise."""
    return replace(state, **dict.fromkeys(RISING, 0))


def test_an_effect_is_taken_back_by_the_moderators_word() -> None:
    before = position()
    hurt = done(before, "wound:3:terrible:@pirate-1")
    [event] = applied(hurt)
    changes = tuple((one.place, one.field, one.before, one.after) for one in event.changes)
    order = UndoEffect(number=1, effect=event.effect, changes=changes)

    line = RULESET.write(order, "ru")
    [read] = RULESET.read(RULESET.view(hurt.state, MODERATOR), (), [line], "ru").orders
    back = SetSail().interlude(hurt.state, (read.order,), LoadedDice({}), Answers())

    assert isinstance(back, Resolution)
    assert back.state == before
    assert [type(one) for one in back.events] == [EffectUndone]


def test_what_later_changes_stand_upon_cannot_be_undone() -> None:
    hurt = done(position(), "luck:+1:@pirate-1")
    [event] = applied(hurt)
    assert isinstance(hurt.state, SetSailState)
    later = done(hurt.state, "luck:+1:@pirate-1")

    with pytest.raises(CannotUndo, match="luck"):
        undo(later.state, event.changes, replace)


def test_effects_are_for_the_moderators_eyes() -> None:
    result = done(position(), "secret:-1:1")
    [event] = applied(result)

    assert event.known_to(MODERATOR)
    assert not any(event.known_to(seat) for seat in (*ROSTER, "public"))
    assert decode(encode(event), RULESET.info.event) == event
    assert not isinstance(result, Pause)


@pytest.mark.parametrize(
    ("effect", "known"),
    [
        ("secret:+1:SECRET", ("pirate-1",)),
        ("exposed:+1:@fort:SECRET", ("pirate-1",)),
        ("clock:SECRET:+1".lower(), ()),
        ("luck:+1:@pirate-1", ("pirate-1", PUBLIC)),
    ],
)
def test_what_was_taken_back_is_told_to_those_who_knew_it(effect: str, known: tuple[Seat, ...]) -> None:
    state = replace(position(), ship=replace(position().ship, secrets=()))
    hurt = done(state, effect)
    [event] = applied(hurt)
    changes = tuple((one.place, one.field, one.before, one.after) for one in event.changes)
    order = UndoEffect(number=1, effect=effect, changes=changes)

    back = SetSail().interlude(hurt.state, (order,), LoadedDice({}), Answers())

    assert isinstance(back, Resolution)
    [undone] = back.events
    assert tuple(seat for seat in ("pirate-1", PUBLIC) if undone.known_to(seat)) == known
    assert undone.known_to(MODERATOR)


@pytest.mark.parametrize(
    "row",
    [
        ("", "treasury", "-50", "0"),
        ("", "roster", "[]", '["pirate-1","pirate-2"]'),
        ("", "turn", "7", "3"),
        ("", "treasury", "{", "0"),
        ("", "treasury", '"x"', "0"),
        ("", "nothing", "1", "0"),
        ("", "__class__", "1", "0"),
        ("pirates/pirate-1", "luck", "-3", "0"),
        ("pirates/pirate-1", "seat", '"pirate-2"', '"pirate-1"'),
        ("", "pirates", "[]", ""),
        ("ship", "hull", "[" * 5000, "0"),
        ("ship", "hull_max", "99", "0"),
    ],
)
def test_line_of_changes_that_no_effect_made_takes_nothing_back(row: tuple[str, str, str, str]) -> None:
    state = SetSailState(
        options=SetSailOptions(),
        roster=("pirate-1", "pirate-2"),
        turn=3,
        stage="ruling",
        pirates=(Pirate(seat="pirate-1"), Pirate(seat="pirate-2")),
    )
    order = UndoEffect(number=1, effect="luck:+1:@pirate-1", changes=(row,))
    result = SetSail().interlude(state, (order,), LoadedDice({}), Answers())

    assert isinstance(result, Resolution)
    assert result.state == state
    assert {type(event) for event in result.events} <= {EffectUndone, CommandFailed}
    assert CommandFailed in {type(event) for event in result.events}
