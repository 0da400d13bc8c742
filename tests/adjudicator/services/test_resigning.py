"""``сдаюсь``: confirmed by an answer; the seat plays on unattended and is waited for no more (play-by-mail 2)."""

from __future__ import annotations

from datetime import timedelta

from adjudicator.fairplay.sources import read_source
from adjudicator.fairplay.verify import verify
from adjudicator.letters import Report
from adjudicator.services import logbook
from engine.core import registry
from tests.adjudicator.services.stage import (
    ANNA,
    BORIS,
    CAST,
    MINUTE,
    OPERATOR,
    PIRATES,
    PIRATES_ORDERS,
    SPAIN,
    SPAIN_ORDERS,
    VERA,
    Stage,
)

THREE = (*CAST, (VERA, "Вера", "ru", "pirates-2"))


def resign(stage: Stage, tag: str, seat: str, address: str) -> None:
    stage.say(tag, seat, "сдаюсь\n")
    row, _ = stage.letters("confirm", address)[-1]
    stage.write(tag, seat, "да\n", answers=row.message_id)
    stage.settle()


def test_nobody_resigns_before_he_has_confirmed_it(place: Stage) -> None:
    tag = place.game()
    receipt = place.say(tag, SPAIN, "сдаюсь\n")

    assert [(line.mark, line.key) for line in receipt.lines] == [("command", "resign")]
    assert place.tenure(tag, SPAIN).until is None


def test_resigned_seat_is_free_and_all_are_told(empty: Stage) -> None:
    tag = empty.game(cast=THREE)
    resign(empty, tag, SPAIN, ANNA)

    assert empty.events(tag, "tenure")[-1] | {"at": "", "seq": 0} == {
        "at": "",
        "reason": "resign",
        "seat": SPAIN,
        "seq": 0,
        "turn": 1,
        "type": "tenure",
    }
    told = [row.address for row, _ in empty.letters("seat-left")]
    assert (told, [row.address for row, _ in empty.letters("seat-free")]) == ([BORIS, VERA], [OPERATOR])
    assert [one["what"] for one in empty.notices("confirmed", ANNA)] == ["resign"]


def test_former_holder_speaks_for_the_seat_no_more(empty: Stage) -> None:
    tag = empty.game(cast=THREE)
    row, _ = empty.letters("report", ANNA)[-1]
    resign(empty, tag, SPAIN, ANNA)
    empty.deliver(empty.message(ANNA, SPAIN_ORDERS, answers=row.message_id))
    empty.settle()

    assert (empty.in_force(tag, SPAIN), empty.verdicts()[-1][0]) == ((), "held")


def test_resigned_seat_is_not_waited_for(place: Stage) -> None:
    """All who stay are ready, so the turn locks early although a seat has sent nothing."""
    tag = place.game()
    resign(place, tag, SPAIN, ANNA)
    place.say(tag, PIRATES, "готов\n" + PIRATES_ORDERS)
    place.read_until(place.clock.now() + 25 * MINUTE)

    assert (place.turn(tag).number, place.turn(tag, 1).status) == (2, "resolved")


def test_wait_of_a_resigned_seat_holds_nobody(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, "ждать\n")
    resign(place, tag, SPAIN, ANNA)
    place.say(tag, PIRATES, "готов\n" + PIRATES_ORDERS)
    place.read_until(place.clock.now() + 25 * MINUTE)

    assert place.turn(tag).number == 2


def test_orders_accepted_before_resigning_are_played_and_standing_ones_after(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, SPAIN_ORDERS + "постоянный: корабль 1: СВ 1\n")
    resign(place, tag, SPAIN, ANNA)
    assert len(place.in_force(tag, SPAIN)) == 3
    place.pass_deadline(tag)

    now = place.position(tag)
    assert (now.turn.number, len(now.seats[SPAIN].folded.standing), now.held) == (2, 1, (PIRATES,))


def test_log_with_a_resigned_seat_is_verified_whole(place: Stage) -> None:
    """The rows of the open batch stay those it was opened with, the next one has a row less."""
    tag = place.game()
    place.say(tag, PIRATES, PIRATES_ORDERS)
    resign(place, tag, SPAIN, ANNA)
    place.pass_deadline(tag)
    place.pass_deadline(tag)
    with place.house.look() as work:
        game = work.game(tag, lock=False)
        file = logbook.file_for(work, game, PIRATES, 0, game.seq)

    found = verify(read_source(tag, file), {"pirates": registry.ruleset("pirates")})

    assert (place.turn(tag).number, found.faults) == (3, ())


def test_nobody_reminds_a_free_seat(empty: Stage) -> None:
    tag = empty.game(cast=THREE)
    resign(empty, tag, SPAIN, ANNA)
    empty.read_until(empty.turn(tag).deadline - timedelta(hours=23))

    assert [row.address for row, _ in empty.letters("reminder")] == [BORIS, VERA]


def test_game_ends_when_nobody_is_left(place: Stage) -> None:
    tag = place.game()
    resign(place, tag, SPAIN, ANNA)
    resign(place, tag, PIRATES, BORIS)

    assert [one["reason"] for one in place.events(tag, "finish")] == ["finish"]
    last = [
        (row.address, value) for row, value in place.letters("report") if isinstance(value, Report) and value.outcome
    ]
    assert [(address, value.outcome.reason if value.outcome else "") for address, value in last] == [
        (BORIS, "nobody-left")
    ]


def test_resigning_twice_does_nothing_the_second_time(empty: Stage) -> None:
    tag = empty.game(cast=THREE)
    empty.say(tag, SPAIN, "сдаюсь\n")
    empty.say(tag, SPAIN, "resign\n")
    first, second = (row.message_id for row, _ in empty.letters("confirm", ANNA))
    for one in (first, second):
        empty.deliver(empty.message(ANNA, "да\n", answers=one))
    empty.settle()

    assert len(empty.events(tag, "tenure")) == 1
