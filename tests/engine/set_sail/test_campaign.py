"""A campaign played again gives the same sheets; a corrected order moves nobody's dice; commands are done at once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from msgspec.structs import replace

from engine.core.codec import decode, encode
from engine.core.contract import MODERATOR, Answers, Order, Resolution, Seat, Sheet, State
from engine.core.dice import BatchDice, LoadedDice, Throw
from engine.core.selfplay import play, turn_dice
from engine.set_sail import RULESET, SetSail
from engine.set_sail import commands as c
from engine.set_sail.events import CommandFailed, Gated, WoundTaken
from engine.set_sail.notation import read_position
from engine.set_sail.options import SetSailOptions
from engine.set_sail.state import SetSailState

SEED = "a year at sea"
TURNS = 60


@cache
def campaign() -> tuple[tuple[State, Mapping[Seat, Sheet], Resolution], ...]:
    """Return a campaign of bots, turn by turn."""
    turns: list[tuple[State, Mapping[Seat, Sheet], Resolution]] = []
    play(RULESET, SetSailOptions(), 4, SEED, watch=lambda *turn: turns.append(turn))
    return tuple(turns[:TURNS])


def test_a_campaign_played_again_from_its_orders_gives_the_same_sheets() -> None:
    seats = tuple(seat.id for seat in RULESET.seats(SetSailOptions(), 4))
    state: State = RULESET.start(SetSailOptions(), seats, turn_dice(RULESET, SEED, 0)).state
    asked = 0
    for number, (before, sheets, after) in enumerate(campaign(), 1):
        assert encode(state) == encode(before)
        stored = decode(encode(state), SetSailState)
        result = RULESET.resolve(stored, sheets, turn_dice(RULESET, SEED, number), Answers())
        if not isinstance(result, Resolution):  # what the bots answered is not kept: such a turn is taken as it went
            asked += 1
            state = after.state
            continue
        assert encode(result.state) == encode(after.state)
        state = result.state
    assert asked < TURNS // 3


def two_declared() -> SetSailState:
    state = read_position("pirate-1 der+1 izv+2; pirate-2 der0", SetSailOptions(), ("pirate-1", "pirate-2"), None)
    sheets: dict[Seat, Sheet] = {
        "pirate-1": (c.Declare(number=1, stat="der", text="раз"),),
        "pirate-2": (c.Declare(number=1, stat="der", text="два"), c.Declare(number=2, stat="der", text="три")),
    }
    return resolved(state, sheets)[0]


def resolved(state: State, sheets: Mapping[Seat, Sheet]) -> tuple[SetSailState, tuple[Throw, ...]]:
    dice = BatchDice({"main": {1: b"batch"}})
    result = SetSail().resolve(state, sheets, dice, Answers())
    assert isinstance(result, Resolution)
    assert isinstance(result.state, SetSailState)
    return result.state, dice.throws


def rulings(**changed: Order) -> dict[Seat, Sheet]:
    """Return the rulings of three declarations, some of them others than usual."""
    usual: dict[str, Order] = {
        "first": c.Ruling(roll="pirate-1/o1", stat="der"),
        "second": c.Ruling(roll="pirate-2/o1", stat="der"),
        "third": c.Ruling(roll="pirate-2/o2", stat="der"),
    }
    return {MODERATOR: tuple((usual | changed).values())}


def test_a_corrected_ruling_moves_nobodys_dice() -> None:
    state = two_declared()
    _, thrown = resolved(state, rulings())

    for other in (c.Ruling(roll="pirate-1/o1", stat="izv", move="poladit"), c.Ruling(roll="pirate-1/o1", rolls=False)):
        _, again = resolved(state, rulings(first=other))
        kept = [throw for throw in thrown if other.rolls or not throw.address.startswith("pirate-1/")]
        assert list(again) == kept


def test_the_move_is_ruled_anew_with_the_same_faces() -> None:
    state = two_declared()
    one, _ = resolved(state, rulings())
    other, _ = resolved(state, rulings(first=c.Ruling(roll="pirate-1/o1", stat="izv", move="poladit")))
    first, second = one.rolls[0], other.rolls[0]

    assert (first.faces, first.total + 1, "poladit") == (second.faces, second.total, second.move)
    assert one.rolls[1:] == other.rolls[1:]


def test_a_command_at_once_leaves_the_open_stage_as_it_was() -> None:
    state = two_declared()
    commands = (c.DoEffect(number=1, effect="damage:1:@pirate-2"), c.Gate(number=2, what="battle", opens=True))

    result = SetSail().interlude(state, commands, LoadedDice({}), Answers())

    assert isinstance(result, Resolution)
    assert isinstance(result.state, SetSailState)
    told = [type(event) for event in result.events if event.known_to("pirate-1")]
    assert told == [WoundTaken, Gated]
    assert (result.state.stage, result.state.turn, result.state.rolls) == (state.stage, state.turn, state.rolls)
    assert result.state.battle


def test_a_command_that_cannot_be_done_changes_nothing() -> None:
    state = two_declared()

    result = SetSail().interlude(state, (c.Repair(number=1, what="hull"),), LoadedDice({}), Answers())

    assert isinstance(result, Resolution)
    assert result.state == state
    assert [type(event) for event in result.events] == [CommandFailed]


def test_somebody_always_owes_even_when_nobody_is_left() -> None:
    state = read_position("pirate-1 dead; pirate-2 out", SetSailOptions(), ("pirate-1", "pirate-2"), None)

    after, _ = resolved(state, {})
    owed = [slot for slot in RULESET.owed(RULESET.view(after, MODERATOR)) if not slot.optional]

    assert after.stage == "ruling"
    assert [(slot.seat, slot.key) for slot in owed] == [(MODERATOR, "say")]


def test_two_pending_rolls_never_share_a_number() -> None:
    state, _ = resolved(two_declared(), rulings())
    state = replace(state, rolls=tuple(replace(roll, step="window") for roll in state.rolls))
    view = RULESET.view(state, "pirate-2")

    [first, *_] = [slot.key for slot in RULESET.owed(view) if slot.what == "declaration"]
    reading = RULESET.read(view, (), ["заявка: дерзость — ещё", "заявка: дерзость — и ещё"], "ru")

    assert first == "o3"
    assert [one.order.slot for one in reading.orders] == ["o3", "o4"]
