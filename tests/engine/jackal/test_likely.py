"""What questions offer by number: what one might want, done as it says, and nothing that the seat does not know."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.codec import decode
from engine.core.contract import Answers, Pause, Question, Resolution
from engine.core.dice import LoadedDice
from engine.core.registry import ruleset
from engine.jackal.commands import JackalOrder
from engine.jackal.events import EarthQuaked, LaidBack, Moved, Peeked, PlaneWaits
from engine.jackal.notation import read_position
from engine.jackal.options import JackalOptions
from engine.jackal.state import JackalState

RULES = ruleset("jackal")


def position(text: str, **options: Any) -> JackalState:
    chosen = JackalOptions(**options)
    return read_position(text, chosen, [seat.id for seat in RULES.seats(chosen, 4)], None)


def ask(state: JackalState, line: str, answers: dict[str, str] | None = None) -> Pause:
    found = resolve(state, line, answers)
    assert isinstance(found, Pause), found
    return found


def resolve(state: JackalState, line: str, answers: dict[str, str] | None = None) -> Resolution | Pause:
    reading = RULES.read(RULES.view(state, "white"), (), (line,), "ru")
    assert reading.complaints == ()
    return RULES.resolve(state, {"white": reading.sheet}, LoadedDice({}), Answers(answers))


def offered(state: JackalState, pause: Pause) -> list[tuple[str, str]]:
    """Return the offers of the only question, in words and why; each reads back as what is offered."""
    (question,) = pause.questions
    view = RULES.view(pause.position, "white", pause.questions)  # type: ignore[arg-type]
    found = []
    for offer in question.offers:
        order = decode_of(offer.word)
        line = RULES.write(order, "ru", view)
        assert [one.order for one in RULES.read(view, (), (line,), "ru").orders] == [order], line
        found.append((line, offer.facts["why"]))
    return found


def decode_of(word: str) -> Any:
    return decode(word, JackalOrder)


# Flights


PLANE = (
    "W1 F6, G6 = plane closed, coin@C3*2, coin@K9, Y1 K9, Y2 D8, R1 C10, W2 E11 trapped, E11 = trap,"
    " W3 dead, L6 = fort_girl, H3 = chest5 closed, I10 = croc closed, J10 = horse closed, I11 = keg closed"
)


def test_flight_offers_staying_home_gold_a_fight_help_and_what_is_closed() -> None:
    state = position(PLANE)

    assert offered(state, ask(state, "Б1 на G6")) == [
        ("остаться", "stay"),
        ("G1", "ship"),
        ("C3", "gold"),
        ("K9", "gold"),
        ("D8", "strike"),
        ("E11", "free"),
        ("L6", "raise"),
        ("H3", "closed-near"),
        ("I10", "closed-many"),
    ]


def test_flight_with_a_load_is_offered_home_and_no_heap_fight_or_closed_tile() -> None:
    state = position("W1 F6, coin@F6, G6 = plane, coin@C3, Y1 D8, H3 = chest5 closed")

    found = ask(state, "Б1 на G6 +монета")

    assert offered(state, found) == [("остаться", "stay"), ("G1", "ship")]
    assert found.questions[0].offers[1].facts["gold"] == 1


def test_flight_with_a_load_that_cannot_reach_the_ship_is_offered_the_nearest_land() -> None:
    state = position("W1 F6, coin@F6, G6 = plane", plane_to_ship="no")

    assert offered(state, ask(state, "Б1 на G6 +монета")) == [("остаться", "stay"), ("F2", "near-ship")]


def test_flight_to_certain_death_is_not_offered() -> None:
    state = position("W1 F6, G6 = plane closed, coin@C3, C3 = cannibal")

    assert offered(state, ask(state, "Б1 на G6 !")) == [("остаться", "stay"), ("G1", "ship")]


def test_ice_after_a_flight_offers_flights_without_staying() -> None:
    state = position("W1 F6, G6 = plane closed, C4 = ice closed, coin@C3")
    reading = RULES.read(RULES.view(state, "white"), (), ("политика: лёд = спросить", "Б1 на G6 (самолёт: C4)"), "ru")

    found = RULES.resolve(state, {"white": reading.sheet}, LoadedDice({}), Answers())

    assert isinstance(found, Pause)
    assert offered(state, found) == [("G1", "ship"), ("C3", "gold")]


# Lighthouse, laying back, earthquake


LIGHTHOUSE = "W1 F6, G6 = lighthouse closed, " + ", ".join(
    f"{cell} = {tile} closed"
    for cell, tile in [
        ("E8", "croc"),
        ("F8", "keg"),
        ("G3", "chest5"),
        ("G4", "fort"),
        ("K10", "horse"),
        ("K11", "rum1"),
        ("J10", "chest1"),
        ("J11", "ice"),
    ]
)


def test_lighthouse_offers_cells_near_men_ship_and_finder_and_where_most_is_closed() -> None:
    state = position(LIGHTHOUSE)

    assert offered(state, ask(state, "Б1 на G6")) == [
        ("G3, G4, E8, F8", "near-men"),
        ("J10, K10, J11, K11", "closed-many"),
    ]


def test_tiles_are_offered_as_they_lay_or_with_the_gold_nearest_the_ship() -> None:
    state = position(LIGHTHOUSE)
    line = "Б1 на G6 (маяк: K10, G3, G4, E8)"

    assert offered(state, ask(state, line)) == [("как было", "as-it-was")]
    line = "Б1 на G6 (маяк: K10, J10, G4, E8)"
    assert offered(state, ask(state, line)) == [
        ("как было", "as-it-was"),
        ("разложить J10-G4, G4-J10", "gold-near"),
    ]


QUAKE = "W1 G5, G6 = quake closed, H3 = croc, D10 = chest5 closed, white knows D10, F4 = keg closed, C11 = ice closed"


def test_quake_offers_far_cells_gold_one_has_seen_and_a_tile_that_harms() -> None:
    state = position(QUAKE)

    assert offered(state, ask(state, "Б1 на G6")) == [
        ("C11-F4", "far"),
        ("D10-F4", "gold-seen"),
        ("H3-C11", "harm-away"),
    ]


# A number means what it says


def answered(state: JackalState, line: str, question: Question, word: str) -> list[Any]:
    found = resolve(state, line, {question.key: word})
    return list(found.events)


def test_every_flight_offered_is_flown() -> None:
    state = position(PLANE)
    (question,) = ask(state, "Б1 на G6").questions

    for offer in question.offers:
        events = answered(state, "Б1 на G6", question, offer.word)
        (wish,) = decode_of(offer.word).want.wishes
        flown = [event.cell for event in events if isinstance(event, Moved) and event.how == "flight"]
        stayed = any(isinstance(event, PlaneWaits) for event in events)
        assert (flown, stayed) == (([], True) if wish.kind == "stay" else ([wish.way], False))


def test_every_look_laying_and_swap_offered_is_done() -> None:
    state = position(LIGHTHOUSE)
    (question,) = ask(state, "Б1 на G6").questions
    for offer in question.offers:
        events = answered(state, "Б1 на G6", question, offer.word)
        assert [event.cells for event in events if isinstance(event, Peeked)] == [decode_of(offer.word).want.cells]
    line = "Б1 на G6 (маяк: K10, J10, G4, E8)"
    (question,) = ask(state, line).questions
    laid = [
        [
            tuple(zip(event.cells, event.to, strict=True))
            for event in answered(state, line, question, offer.word)
            if isinstance(event, LaidBack)
        ]
        for offer in question.offers
    ]
    there = {"K10": "K10", "J10": "J10", "G4": "G4", "E8": "E8"}
    assert laid == [[tuple(there.items())], [tuple({**there, "J10": "G4", "G4": "J10"}.items())]]
    state = position(QUAKE)
    (question,) = ask(state, "Б1 на G6").questions
    for offer in question.offers:
        events = answered(state, "Б1 на G6", question, offer.word)
        assert [event.cells for event in events if isinstance(event, EarthQuaked)] == [decode_of(offer.word).want.pair]


# Nothing hidden shows


@pytest.mark.parametrize(
    ("text", "other"),
    [
        (PLANE, PLANE.replace("chest5 closed", "cannibal closed").replace("croc closed", "chest5 closed")),
        (LIGHTHOUSE, LIGHTHOUSE.replace("chest5 closed", "cannibal closed").replace("croc closed", "chest5 closed")),
        (QUAKE, QUAKE.replace("keg closed", "chest4 closed").replace("ice closed", "cannibal closed")),
    ],
    ids=["plane", "lighthouse", "quake"],
)
def test_offers_are_the_same_whatever_lies_under_closed_tiles(text: str, other: str) -> None:
    start = "Б1 на G6"
    assert text != other

    assert ask(position(text), start).questions == ask(position(other), start).questions


def test_what_another_has_seen_moves_no_offer() -> None:
    known = position(QUAKE.replace("white knows", "yellow knows"))
    unknown = position(QUAKE.replace(", white knows D10", ""))

    assert ask(known, "Б1 на G6").questions == ask(unknown, "Б1 на G6").questions
