"""``moderator: apart | plays | none``: what he may see and do alone, and who must agree (play-by-mail 6)."""

from __future__ import annotations

import pytest
from sqlmodel import col, select

from adjudicator.services.header import Header
from adjudicator.storage.tables import Mail
from tests.adjudicator.services.stage import (
    ANNA,
    BORIS,
    HOUR,
    MINUTE,
    PIRATES,
    SPAIN,
    Stage,
)
from tests.adjudicator.services.test_moderator import confirm, done, judged, last_answer, rulings

PLAYS = Header(moderator="plays")
NONE = Header(moderator="none")


def held(stage: Stage, tag: str) -> int:
    """Let Boris write without proof, and return the number of his held mail."""
    stage.deliver(stage.message(BORIS, "корабль 4: тайный приказ\nкорабль 4: стоять\n", subject=f"[{tag}]"))
    stage.settle()
    with stage.house.look() as work:
        row = work.session.exec(select(Mail).order_by(col(Mail.id).desc())).first()
        assert row is not None
        assert row.verdict == "held"
        return row.id or 0


# apart ----------------------------------------------------------------------------------------------------------------


def test_apart_every_look_at_held_mail_is_logged_before_it_is_shown(place: Stage) -> None:
    tag = judged(place)
    number = held(place, tag)

    assert done(place, tag, f"показать {number}\n") == [("done", "show")]

    assert last_answer(place)["extras"]["mails"][0]["lines"][0] == "корабль 4: тайный приказ"
    assert [one["what"] for one in place.events(tag, "look")] == ["mail"]


def test_apart_held_mail_is_released_and_counts_from_its_own_arrival(place: Stage) -> None:
    tag = judged(place)
    number = held(place, tag)
    arrived = place.clock.now()
    place.later(HOUR)

    assert done(place, tag, f"принять {number}: звонил мне\n") == [("done", "release")]

    assert place.in_force(tag, PIRATES) != ()
    last = place.position(tag).last_order
    assert last is not None
    assert last - arrived < MINUTE
    assert rulings(place, tag) == [f"moderator · release {number} · звонил мне"]
    assert len(place.letters("receipt", BORIS)) == 1


def test_apart_held_mail_is_dropped_and_its_writer_told(place: Stage) -> None:
    tag = judged(place)
    number = held(place, tag)

    assert done(place, tag, f"отклонить {number}\n") == [("done", "drop")]
    assert done(place, tag, f"принять {number}\n") == [("refused", "no-mail")]

    assert len(place.notices("mail-dropped", BORIS)) == 1
    assert place.in_force(tag, PIRATES) == ()


# plays ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["предпросмотр 1", "показать {}", "принять {}", "отклонить {}"])
def test_plays_nothing_sealed_is_shown_to_him(place: Stage, line: str) -> None:
    tag = judged(place, header=PLAYS, judge=ANNA)
    number = held(place, tag)

    assert done(place, tag, f"{line.format(number)}\n") == [("refused", "plays-himself")]

    assert place.letters("preview") == []
    assert place.events(tag, "look") == []


def test_plays_held_mail_is_shown_as_sender_and_time_only(place: Stage) -> None:
    tag = judged(place, header=PLAYS, judge=ANNA)
    number = held(place, tag)

    done(place, tag, "состояние\n")

    (mail,) = last_answer(place)["extras"]["status"]["held"]
    assert (mail["number"], mail["sender"]) == (number, BORIS)
    assert "тайный приказ" not in str(place.notices("moderated"))


@pytest.mark.parametrize(
    "line", ["провести 1", "продлить 1 24h", "срок 1 9.01 21:00", "за pirates-1, ход 1: корабль 4: стоять"]
)
def test_plays_what_could_favour_him_needs_one_other_players_yes(place: Stage, line: str) -> None:
    tag = judged(place, header=PLAYS, judge=ANNA)
    before = place.turn(tag).deadline

    ((mark, _),) = done(place, tag, f"{line}\n")
    assert mark == "proposed"
    assert (place.turn(tag).number, place.turn(tag).deadline, place.in_force(tag, PIRATES)) == (1, before, ())
    assert rulings(place, tag) == []

    ((proposal, _),) = place.letters("proposal", BORIS)
    place.write(tag, PIRATES, "голос да\n", answers=proposal.message_id)
    place.settle()

    assert len(rulings(place, tag)) == 1
    changed = (place.turn(tag).number, place.turn(tag).deadline, place.in_force(tag, PIRATES)) != (1, before, ())
    assert changed


def test_plays_his_own_seat_has_no_voice_on_his_verbs(place: Stage) -> None:
    tag = judged(place, header=PLAYS, judge=ANNA)
    done(place, tag, "провести 1\n")

    place.say(tag, SPAIN, "голос да\n")
    place.settle()

    assert place.turn(tag).number == 1


def test_plays_eject_is_confirmed_and_then_voted_on(place: Stage) -> None:
    tag = judged(place, header=PLAYS, judge=ANNA)

    assert done(place, tag, f"исключить {PIRATES}, ход 1\n") == [("asked", "asked")]
    confirm(place, tag)

    assert place.tenure(tag, PIRATES).until is None
    assert len(place.letters("proposal", BORIS)) == 1


def test_plays_acting_for_a_seat_shows_him_nothing_of_how_it_was_read(place: Stage) -> None:
    tag = judged(place, header=PLAYS, judge=ANNA)
    done(place, tag, "за pirates-1, ход 1: корабль 4: стоять\nкорабль 4: СЗ 9\n")
    ((proposal, _),) = place.letters("proposal", BORIS)

    place.write(tag, PIRATES, "голос да\n", answers=proposal.message_id)
    place.settle()

    acted = [row.address for row, value in place.letters("receipt") if getattr(value, "acted", None)]
    assert acted == [BORIS]


# none -----------------------------------------------------------------------------------------------------------------


def test_none_verbs_are_proposals_carried_by_all_seats(place: Stage) -> None:
    tag = place.game(header=NONE)
    before = place.turn(tag).deadline

    receipt = place.say(tag, SPAIN, "продлить 1 24h: в дороге\n")
    assert [(line.mark, line.key) for line in receipt.lines] == [("command", "proposed")]
    assert place.turn(tag).deadline == before

    place.say(tag, PIRATES, "голос да\n")
    place.settle()

    assert place.turn(tag).deadline == before + 24 * HOUR
    assert rulings(place, tag) == ["players · extend 1 24h · в дороге"]


def test_none_proposal_names_its_turn(place: Stage) -> None:
    tag = place.game(header=NONE)

    receipt = place.say(tag, SPAIN, "провести\nпровести 7\n")

    assert [(line.mark, line.key) for line in receipt.lines] == [
        ("command-refused", "name-the-turn"),
        ("command-refused", "not-that-turn"),
    ]


def test_none_one_voice_is_not_enough(place: Stage) -> None:
    tag = place.game(header=NONE)

    place.say(tag, SPAIN, "провести 1\n")
    place.settle()

    assert place.turn(tag).number == 1


def test_apart_a_players_line_is_no_proposal(place: Stage) -> None:
    tag = judged(place)

    place.write(tag, SPAIN, "продлить 1 24h\nготов\n")
    place.settle()

    assert place.letters("proposal") == []
