"""Robots of all sorts before the service: none is answered, none obeyed, and no two machines keep each other busy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from adjudicator.services import desking, outbox, releasing, tokens
from adjudicator.services.intake import Doorway
from adjudicator.services.moderation import By
from adjudicator.services.verbs import Verb
from adjudicator.storage.tables import Letter
from tests.adjudicator.services.stage import (
    ANNA,
    BORIS,
    JUDGE,
    OPERATOR,
    PIRATES,
    SPAIN,
    Stage,
)
from tests.mail import senders
from tests.mail.senders import PEOPLE, ROBOTS
from tests.servers.smtp_sink import SmtpSink

ORDER = "корабль 1: стоять"
VERDICTS = {"ours": "automatic", "automatic": "automatic", "bounce": "bounce", "weak-automatic": "held"}


def report_to(place: Stage, address: str) -> Letter:
    """Return the letter that opened turn 1 to somebody."""
    return next(row for row, _ in place.letters("report", address) if row.turn == 1)


def answering(place: Stage, tag: str, address: str = ANNA, seat: str = SPAIN) -> senders.Letter:
    """Return the opening letter as the corpus answers it: by its thread and its reply address, which prove the seat."""
    carrier = tokens.reply_address(JUDGE, place.carrier(tag, seat))
    return senders.Letter(report_to(place, address).message_id, address, JUDGE, carrier)


# The corpus


def test_no_robot_of_the_corpus_causes_a_letter_or_is_obeyed(place: Stage, smtp_sink: SmtpSink) -> None:
    tag = place.game()
    letter = answering(place, tag)
    quiet = [one for one in ROBOTS if one.kind != "bounce"]
    before = place.kinds()
    for number, sample in enumerate(quiet):
        place.deliver(sample.raw(letter, "Спасибо за письмо!", number))
    place.settle()

    found = [(verdict, why) for verdict, why in place.verdicts()]
    strong = [(VERDICTS[one.kind], one.signal) for one in quiet if one.kind != "weak-automatic"]
    assert [one for one in found if one[0] != "held"] == strong
    assert Counter(found)["held", "robot"] == sum(one.kind == "weak-automatic" for one in quiet)
    assert (place.kinds(), place.in_force(tag, SPAIN), smtp_sink.received) == (before, (), [])


def test_every_person_of_the_corpus_is_obeyed_and_answered(place: Stage) -> None:
    tag = place.game()
    letters = [answering(place, tag), answering(place, tag, BORIS, PIRATES)]
    for number, sample in enumerate(PEOPLE):
        order = ORDER if number % 2 == 0 else "корабль 4: стоять"
        place.deliver(sample.raw(letters[number % 2], order, number))
    place.settle()

    assert Counter(place.verdicts()) == {("orders", ""): len(PEOPLE)}
    assert len(place.letters("receipt")) == len(PEOPLE)


def test_failures_of_the_corpus_cause_no_letter_to_the_address_that_fails(place: Stage, smtp_sink: SmtpSink) -> None:
    tag = place.game()
    letter = answering(place, tag)
    for number, sample in enumerate(one for one in ROBOTS if one.kind == "bounce"):
        place.deliver(sample.raw(letter, "", number))
    place.settle()

    assert {verdict for verdict, _ in place.verdicts()} == {"bounce"}
    assert [one.recipients for one in smtp_sink.received] == [(OPERATOR,)]
    assert [facts["address"] for facts in place.notices("bounced")] == [ANNA]


@pytest.mark.parametrize("damage", [b"\r\n" + b"x" * 1_100_000, b"\r\nhm\r\n" * 2_500])
def test_what_may_be_a_robot_and_breaks_a_limit_causes_no_letter(place: Stage, damage: bytes) -> None:
    place.game()
    before = place.kinds()
    head = f"From: {ANNA}\r\nSubject: Auto: x\r\nList-Unsubscribe: <mailto:x@y.example>\r\n"
    place.deliver(head.encode() + damage)
    place.settle()

    assert [verdict for verdict, _ in place.verdicts()] == ["quarantined"]
    assert place.kinds() == before


def test_weak_signs_are_held_unanswered_whatever_else_is_wrong_with_the_sender(place: Stage) -> None:
    tag = place.game()
    before = place.kinds()
    failed = ("Authentication-Results", "mx.example.org; dmarc=fail header.from=example.org")
    object.__setattr__(place.desk, "doorway", Doorway(lambda _: "mx.example.org", lambda _: False))
    place.write(tag, SPAIN, ORDER, headers=[failed, ("List-Unsubscribe", "<mailto:x@example.org>")])
    place.write(tag, SPAIN, ORDER, sender=BORIS, headers=[("List-Help", "<mailto:x@example.org>")])
    place.settle()

    assert place.verdicts() == [("held", "robot")] * 2
    assert place.kinds() == before


# Called automatic, and written by a person


@pytest.mark.parametrize(
    "headers",
    [
        [("Auto-Submitted", "auto-generated"), ("X-ServiceNow-Generated", "true")],
        [("X-Autoreply", "yes")],
        [("Precedence", "bulk"), ("List-Id", "<desk.example.org>")],
        [("Return-Path", "<>")],
    ],
    ids=["ServiceNow", "contact form", "list", "no envelope"],
)
def test_orders_under_a_key_from_what_calls_itself_automatic_are_held_and_shown(
    place: Stage, smtp_sink: SmtpSink, headers: list[tuple[str, str]]
) -> None:
    tag = place.game()
    place.write(tag, SPAIN, f"Здравствуйте!\n{ORDER}", headers=headers)
    place.settle()

    assert place.verdicts() == [("held", "robot")]
    assert place.in_force(tag, SPAIN) == ()
    assert smtp_sink.received == []
    with place.house.look() as work:
        waiting = desking.desk(work, work.game(tag, lock=False), None)["held"]
    assert [(one["sender"], one["why"]) for one in waiting] == [(ANNA, "robot")]


def test_orders_so_held_are_released_by_the_moderator_and_count_from_their_arrival(place: Stage) -> None:
    tag = place.game()
    place.write(tag, SPAIN, ORDER, headers=[("Auto-Submitted", "auto-generated")])
    place.settle()
    verb, by = Verb("release", 0, 0, number=1), By("operator", "его сервер так пишет")
    place.alter(lambda work: releasing.release(work, work.game(tag), by, verb))

    assert place.in_force(tag, SPAIN) == ("«Сан-Фелипе»: стоять",)


def test_orders_of_a_form_whose_sender_nobody_knows_are_held_for_the_seat_of_the_key(place: Stage) -> None:
    tag = place.game()
    place.write(tag, SPAIN, ORDER, sender="form@web.example", headers=[("X-Autoreply", "yes")])
    place.settle()

    assert place.verdicts() == [("held", "robot")]


def test_player_who_is_a_postmaster_is_held_and_shown(place: Stage) -> None:
    tag = place.game()
    place.write(tag, SPAIN, ORDER, sender="postmaster@example.org")
    place.settle()

    assert place.verdicts() == [("held", "robot")]
    assert place.in_force(tag, SPAIN) == ()


@pytest.mark.parametrize(
    ("text", "headers"),
    [
        ("Я в отпуске, ходы пришлю потом.", [("Auto-Submitted", "auto-replied")]),
        ("статус\nготов", [("Auto-Submitted", "auto-replied")]),
        (f"> {ORDER}", [("Auto-Submitted", "auto-replied")]),
    ],
)
def test_note_without_orders_of_its_own_is_dropped(place: Stage, text: str, headers: Sequence[tuple[str, str]]) -> None:
    tag = place.game()
    place.write(tag, SPAIN, text, headers=headers)
    place.settle()

    assert place.verdicts() == [("automatic", "auto-submitted")]


def test_note_that_returns_our_own_template_without_a_mark_is_dropped(place: Stage) -> None:
    tag = place.game()
    with place.house.look() as work:
        text = outbox.text_of(work, work.session.get_one(Letter, report_to(place, ANNA).id))
    template = [line for line in text.splitlines() if line.startswith("корабль")]
    returned = "\n".join(("Ваше письмо получено:", "", *template))
    place.write(tag, SPAIN, returned, headers=[("Auto-Submitted", "auto-replied")])
    place.settle()

    assert len(template) == 3
    assert place.verdicts() == [("automatic", "auto-submitted")]


def test_orders_without_a_key_are_dropped(place: Stage) -> None:
    place.game()
    place.deliver(place.message(ANNA, ORDER, headers=[("Auto-Submitted", "auto-replied")]))
    place.settle()

    assert place.verdicts() == [("automatic", "auto-submitted")]
