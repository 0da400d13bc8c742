"""A substitute takes a seat over, with its record, its orders as a draft and time to think (play-by-mail 6)."""

from __future__ import annotations

import json
from datetime import timedelta

from adjudicator.fairplay.sources import read_source
from adjudicator.fairplay.verify import verify
from adjudicator.letters import Notice, Report
from adjudicator.services import logbook, outbox, people, render, tokens
from engine.core import registry
from tests.adjudicator.services.stage import (
    ANNA,
    BORIS,
    HOUR,
    JUDGE,
    PIRATES,
    PIRATES_ORDERS,
    SPAIN,
    SPAIN_ORDERS,
    Stage,
)
from tests.adjudicator.services.test_moderator import ERIK, confirm, done, judged, rulings


def accepted(stage: Stage, tag: str, seat: str = SPAIN) -> None:
    """Ask Erik to take a seat over, and let him say yes."""
    assert done(stage, tag, f"заменить {seat} на {ERIK}, ход 1: молчит\n") == [("done", "substitute")]
    (found,) = [(row, value) for row, value in stage.letters("invitation", ERIK)]
    row, value = found
    assert isinstance(value, Notice)
    assert value.kind == "step-in"
    stage.deliver(stage.message(f"Эрик <{ERIK}>", "вступаю\n", to=value.reader.reply_to, answers=row.message_id))
    stage.settle()


def test_seat_changes_hands_only_when_the_substitute_says_yes(place: Stage) -> None:
    tag = judged(place)

    done(place, tag, f"заменить {SPAIN} на {ERIK}, ход 1\n")

    with place.house.look() as work:
        holder = people.player(work, place.tenure(tag, SPAIN).player_id)
        assert people.main_address(work, holder) == ANNA
    assert rulings(place, tag) == [f"moderator · substitute {SPAIN}"]


def test_substitute_revokes_the_old_token_and_all_are_told(place: Stage) -> None:
    tag = judged(place)
    old = place.carrier(tag, SPAIN)

    accepted(place, tag)

    assert place.carrier(tag, SPAIN) != old
    assert len(place.notices("replaced", ANNA)) == 1
    assert sorted(row.address for row, _ in place.letters("seat-taken")) == sorted([BORIS, ERIK])
    assert [(one["seat"], one["reason"], one["player"]) for one in place.events(tag, "tenure")] == [
        (SPAIN, "substitute", "p3")
    ]


def test_letters_of_the_former_holder_are_answered_once_and_not_executed(place: Stage) -> None:
    tag = judged(place)
    to = tokens.reply_address(JUDGE, place.carrier(tag, SPAIN))
    accepted(place, tag)

    for _ in range(3):
        place.deliver(place.message(ANNA, SPAIN_ORDERS, to=to))
        place.settle()

    assert place.in_force(tag, SPAIN) == ()
    assert place.verdicts()[-3:] == [("held", "former-holder")] * 3
    assert len(place.notices("former", ANNA)) == 1


def test_orders_in_force_stay_as_a_draft(place: Stage) -> None:
    tag = judged(place)
    place.say(tag, SPAIN, SPAIN_ORDERS + "готов\n")
    assert place.word(tag, SPAIN) == "ready"

    accepted(place, tag)

    assert place.word(tag, SPAIN) == "draft"
    assert len(place.in_force(tag, SPAIN)) == 3


def test_newcomer_has_at_least_half_a_turn(place: Stage) -> None:
    tag = judged(place)
    deadline, period = place.turn(tag).deadline, timedelta(seconds=place.turn(tag).period)
    place.read_until(deadline - 2 * HOUR)

    accepted(place, tag)

    assert place.turn(tag).deadline >= place.clock.now() + period / 2
    assert place.events(tag, "deadline")[-1]["reason"] == "substitute"


def test_newcomer_early_in_the_turn_moves_no_deadline(place: Stage) -> None:
    tag = judged(place)
    deadline = place.turn(tag).deadline

    accepted(place, tag)

    assert place.turn(tag).deadline == deadline


def test_newcomer_gets_the_report_that_opened_the_turn_and_the_seats_record(place: Stage) -> None:
    tag = judged(place)
    place.say(tag, SPAIN, "корабль 1: СВ 3\n")
    place.say(tag, PIRATES, PIRATES_ORDERS)

    accepted(place, tag)

    ((row, report),) = place.letters("report", ERIK)
    assert isinstance(report, Report)
    assert (report.reader.seat, report.next_turn, row.opening) == (SPAIN, 1, True)
    (record,) = place.notices("seat-record", ERIK)
    assert len(record["letters"]) == 3
    assert "корабль 1: СВ 3" in record["letters"][-1]["text"]
    assert place.carrier(tag, PIRATES).split(".")[-1] not in str(record)
    with place.house.look() as work:
        game = work.game(tag, lock=False)
        file = logbook.file_for(work, game, SPAIN, 0, game.seq).decode()
        envelope = work.vault.open_value(place.letters("seat-record")[0][0].value, outbox.Envelope)
    opened = [json.loads(line)["object"] for line in file.splitlines() if '"open":' in line]
    assert [one.get("seat") for one in opened if "orders" in one and "mail" in one] == [SPAIN]
    assert (envelope.log_after, envelope.log_to > 0) == (0, True)
    made = render.render(place.letters("seat-record")[0][1])
    assert [name for name, _, _ in made.files] == ["record.md"]


def test_record_holds_no_key_of_the_former_holder(place: Stage) -> None:
    tag = judged(place)
    key = place.carrier(tag, SPAIN)
    place.say(tag, SPAIN, "корабль 1: СВ 3\n")

    accepted(place, tag)

    assert key.rpartition(".")[2] not in str(place.notices("seat-record", ERIK))


def test_substitute_plays_and_the_log_is_sound(place: Stage) -> None:
    tag = judged(place)
    accepted(place, tag)
    place.say(tag, SPAIN, SPAIN_ORDERS + "соль: свежий ветер\nготов\n")
    place.say(tag, PIRATES, PIRATES_ORDERS + "готов\n")
    done(place, tag, "провести 1\n")
    assert place.turn(tag).number == 2

    with place.house.look() as work:
        game = work.game(tag, lock=False)
        log = logbook.file_for(work, game, None, 0, game.seq)
    assert verify(read_source(tag, log), {"pirates": registry.ruleset("pirates")}).faults == ()


def test_somebody_who_plays_is_no_substitute(place: Stage) -> None:
    tag = judged(place)

    assert done(place, tag, f"заменить {SPAIN} на {BORIS}, ход 1\n") == [("refused", "already-plays")]


def test_free_seat_is_taken_over_like_any_other(place: Stage) -> None:
    tag = judged(place)
    done(place, tag, f"исключить {SPAIN}, ход 1\n")
    confirm(place, tag)

    accepted(place, tag)

    with place.house.look() as work:
        holder = people.player(work, place.tenure(tag, SPAIN).player_id)
        assert people.main_address(work, holder) == ERIK
