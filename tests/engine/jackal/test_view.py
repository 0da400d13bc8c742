"""What each viewer of «Шакал» sees and owes (page 5.5, 5.6)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.contract import MODERATOR, PUBLIC, Answers, Outcome, Pause, Resolution
from engine.core.dice import LoadedDice
from engine.core.registry import ruleset
from engine.jackal.isle import ISLE
from engine.jackal.notation import read_position
from engine.jackal.options import JackalOptions
from engine.jackal.state import JackalState
from engine.jackal.tiles import HIDDEN, KINDS, OPEN

RULES = ruleset("jackal")


def position(text: str, players: int = 4, **options: Any) -> JackalState:
    chosen = JackalOptions(**options)
    return read_position(text, chosen, [seat.id for seat in RULES.seats(chosen, players)], None)


def play(state: JackalState, seat: str, line: str, answers: dict[str, str] | None = None) -> Resolution | Pause:
    reading = RULES.read(RULES.view(state, seat), (), line.split("\n"), "ru")
    assert reading.complaints == ()
    return RULES.resolve(state, {seat: reading.sheet}, LoadedDice({}), Answers(answers))


@pytest.mark.parametrize("seat", ["white", "yellow", PUBLIC, MODERATOR])
def test_closed_tiles_are_hidden_from_everybody(seat: str) -> None:
    state = position("H3 = chest5 closed, I3 = plane")

    view = RULES.view(state, seat)

    assert view.tiles[ISLE.cell("H3")] == HIDDEN
    assert view.tiles[ISLE.cell("I3")] == KINDS["plane"].code | OPEN
    assert view.pile == (("chest5", 1),)


def test_notebook_is_seen_by_its_seat_alone() -> None:
    state = position("H3 = chest5 closed, white knows H3")

    seen = {seat: RULES.view(state, seat).peeks for seat in (*state.roster, PUBLIC, MODERATOR)}

    assert [ISLE.names[peek.cell] for peek in seen.pop("white")] == ["H3"]
    assert set(seen.values()) == {()}


def test_page_of_the_notebook_goes_when_the_tile_is_turned_up() -> None:
    state = position("H3 = chest5 closed, white knows H3, W1 G3", mode="strict")

    result = play(state, "white", "Б1 на H3")

    assert isinstance(result, Resolution)
    assert RULES.view(result.state, "white").peeks == ()


def test_seat_of_two_colours_owes_two_slots_and_the_moderator_sees_all() -> None:
    state = position("W1 F6", players=2)

    own = [slot.key for slot in RULES.owed(RULES.view(state, "white")) if slot.seat == "white" and not slot.optional]
    every = [(slot.seat, slot.key) for slot in RULES.owed(RULES.view(state, MODERATOR))]

    assert own == ["white-1", "black-1"]
    assert every == [("white", "white-1"), ("yellow", "yellow-1"), ("white", "black-1"), ("yellow", "red-1")]


def test_in_the_smoke_a_seat_owes_the_men_it_commands() -> None:
    result = play(position("G6 = grass closed, W1 F6"), "white", "Б1 на G6")

    assert isinstance(result, Resolution)
    owed = RULES.owed(RULES.view(result.state, MODERATOR))
    assert [(slot.seat, slot.key, slot.what) for slot in owed] == [
        ("black", "yellow-1", "smoke"),
        ("red", "black-1", "smoke"),
        ("white", "red-1", "smoke"),
        ("yellow", "white-1", "smoke"),
    ]


def test_while_a_seat_decides_its_load_lies_where_it_stands() -> None:
    state = position("W1 F6, coin@F6, G6 = plane", mode="strict")

    pause = play(state, "white", "Б1 на G6 +монета")

    assert isinstance(pause, Pause)
    assert [(one.key, one.what) for one in pause.questions] == [("white/o1/plane/0", "plane")]
    assert pause.position.loads == ((ISLE.cell("G6") * 8, 1),)  # type: ignore[attr-defined]
    assert RULES.view(pause.position, "yellow").left == 40


def test_question_about_what_the_lighthouse_shows_is_put_to_the_finder_alone() -> None:
    state = position("all closed, open F6, W1 F6, G6 = lighthouse closed, H3 = chest5 closed", mode="strict")

    pause = play(state, "white", "Б1 на G6 (маяк: H3, I3, J3, K3)")

    assert isinstance(pause, Pause)
    (question,) = pause.questions
    assert (question.seat, question.facts["tiles"]) == ("white", ("chest5", "empty", "empty", "empty"))
    told = [type(event).__name__ for event in pause.events if event.known_to("yellow")]
    assert "PeekShown" not in told
    assert told[-1] == "DecisionAwaited"


def test_table_has_a_row_for_every_colour_in_the_game() -> None:
    columns, rows = RULES.table(RULES.view(position("W2 dead, BG white F6, gold white 4, bottles white 2"), PUBLIC))

    assert columns == ("colour", "seat", "side", "gold", "alive", "dead", "bottles", "residents", "ship")
    assert rows[0] == ("white", "white", "white", 4, 2, 1, 2, ("BG",), "G1")
    assert [row[0] for row in rows] == ["white", "yellow", "black", "red"]


@pytest.mark.parametrize(
    ("players", "teams", "seats"),
    [
        (2, "no", [("white", "white"), ("yellow", "yellow")]),
        (3, "no", [("white", "white"), ("yellow", "yellow"), ("red", "red")]),
        (4, "no", [("white", "white"), ("yellow", "yellow"), ("black", "black"), ("red", "red")]),
        (4, "yes", [("white", "white"), ("yellow", "yellow"), ("black", "white"), ("red", "yellow")]),
    ],
)
def test_seats_and_their_sides(players: int, teams: Any, seats: list[tuple[str, str]]) -> None:
    assert [(seat.id, seat.side) for seat in RULES.seats(JackalOptions(teams=teams), players)] == seats


def test_foresight_stops_at_a_closed_tile() -> None:
    view = RULES.view(
        position("all closed, open F6 G6, G6 = arrow E, W1 F6, H6 = chest5 closed", mode="strict"), "white"
    )
    sheet = RULES.read(view, (), ["Б1 на G6"], "ru").sheet

    assert [(event.cell, event.how) for event in RULES.foresee(view, sheet) if type(event).__name__ == "Moved"] == [  # type: ignore[attr-defined]
        ("G6", "step"),
        ("H6", "exit"),
    ]


def test_two_games_of_one_deal_are_told_alike_whatever_lies_closed() -> None:
    """A chest and a plane change places under their backs: no seat's answer template, examples or receipt shows it."""
    one = position("W1 F6, G6 = chest5 closed, G7 = plane closed", mode="strict")
    other = position("W1 F6, G6 = plane closed, G7 = chest5 closed", mode="strict")

    for state in (one, other):
        view = RULES.view(state, "white")
        assert RULES.template(view, "ru") == RULES.template(RULES.view(one, "white"), "ru")
        assert RULES.examples(view, "en") == RULES.examples(RULES.view(one, "white"), "en")
        reading = RULES.read(view, (), ["Б1 на G6"], "ru")
        assert [note.key for order in reading.orders for note in order.notes] == []


@pytest.mark.parametrize("seat", ["white", "yellow", PUBLIC, MODERATOR])
def test_what_stayed_face_down_is_told_to_all_when_the_game_is_over_and_not_before(seat: str) -> None:
    state = position("all closed, H3 = chest5 closed, white knows H3", mode="strict")
    over = msgspec.structs.replace(state, outcome=Outcome(reason="agreed", rule="J11.4"))

    assert RULES.view(state, seat).face_down == ()
    assert len(RULES.view(over, seat).face_down) == 117
    assert (ISLE.cell("H3"), "chest5") in RULES.view(over, seat).face_down
