"""Robots of all sorts before the service: none is answered, none obeyed, and no two machines keep each other busy."""

from __future__ import annotations

import email
from collections import Counter
from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from sqlmodel import select

from adjudicator.letters import Receipt
from adjudicator.services import desking, outbox, post, releasing, tokens
from adjudicator.services.intake import Doorway
from adjudicator.services.moderation import By
from adjudicator.services.verbs import Verb
from adjudicator.services.work import Work
from adjudicator.storage.tables import Address, Letter
from tests.adjudicator.services.stage import (
    ANNA,
    BORIS,
    HOUR,
    JUDGE,
    MINUTE,
    OPERATOR,
    PIRATES,
    SPAIN,
    SPAIN_ORDERS,
    Stage,
)
from tests.mail import senders
from tests.mail.senders import PEOPLE, ROBOTS, Sample
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


# Delivery failures


Failed = tuple[str, str, str]
"""A recipient in a report, its action and status."""


def returned(place: Stage, letter: Letter, *failed: Failed, number: int = 1, headers: str = "") -> None:
    """Lay down a report on a letter, which returns its ``headers`` or others."""
    groups = "\n\n".join(f"Final-Recipient: rfc822; {to}\nAction: {act}\nStatus: {code}" for to, act, code in failed)
    text = (
        "Return-Path: <>\nFrom: MAILER-DAEMON@mx.example.org\nSubject: Undelivered Mail Returned to Sender\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="cut"\n\n'
        "--cut\nContent-Type: text/plain\n\nsorry\n\n"
        f"--cut\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.org\n\n{groups}\n\n"
        "--cut\nContent-Type: text/rfc822-headers\n\n@OURS@\n\n--cut--"
    )
    mine = senders.Letter(letter.message_id, letter.address)
    sample = Sample("report", "bounce", "", text.replace("@OURS@", headers) if headers else text)
    place.deliver(sample.raw(mine, number=number))


def receipt(place: Stage, tag: str) -> Letter:
    """Let Anna write, and return the letter that answers her."""
    place.say(tag, SPAIN, SPAIN_ORDERS)
    return place.letters("receipt")[-1][0]


def failures_of(place: Stage, address: str) -> int:
    with place.house.look() as work:
        return work.session.exec(select(Address.failures).where(Address.address == address)).one()


FAILED = (ANNA, "failed", "5.1.1")
ONE = ("one@other.example", "failed", "5.1.1")


def test_delay_sends_nothing_and_counts_nothing(place: Stage, smtp_sink: SmtpSink) -> None:
    tag = place.game()
    letter = receipt(place, tag)
    smtp_sink.forget()
    for number, status in enumerate((("delayed", "4.4.1"), ("failed", "4.2.2"), ("delayed", "4.7.0"))):
        returned(place, letter, (ANNA, *status), number=number)
    place.settle()

    assert (smtp_sink.received, failures_of(place, ANNA)) == ([], 0)


def test_hard_failures_of_two_letters_within_a_week_mark_the_address_and_resign_nobody(place: Stage) -> None:
    tag = place.game()
    returned(place, receipt(place, tag), FAILED, number=1)
    place.settle()
    place.clock.move(6 * 24 * HOUR)
    returned(place, receipt(place, tag), FAILED, number=2)
    place.settle()

    assert place.notices("address-fails", OPERATOR) == [{"address": ANNA, "seat": SPAIN, "tag": tag}]
    assert place.tenure(tag, SPAIN).until is None


def test_two_reports_on_one_letter_count_once(place: Stage) -> None:
    tag = place.game()
    letter = receipt(place, tag)
    for number in (1, 2):
        returned(place, letter, FAILED, number=number)
    place.settle()

    assert failures_of(place, ANNA) == 1
    assert len(place.letters("bounced")) == 1


def test_several_recipients_of_one_report_count_once(place: Stage) -> None:
    tag = place.game()
    returned(place, receipt(place, tag), ONE, ("two@other.example", "failed", "5.2.1"))
    place.settle()

    assert failures_of(place, ANNA) == 1


@pytest.mark.parametrize(
    "other", [("relayed", "2.0.0"), ("delivered", "2.1.5"), ("delayed", "4.4.1"), ("expanded", "2.0.0")]
)
def test_letter_that_another_recipient_has_or_may_get_has_not_failed(place: Stage, other: tuple[str, str]) -> None:
    tag = place.game()
    returned(place, receipt(place, tag), ONE, ("two@other.example", *other))
    place.settle()

    assert failures_of(place, ANNA) == 0


def test_failure_of_a_forwarded_address_is_that_of_the_address_we_wrote_to(place: Stage) -> None:
    tag = place.game()
    returned(place, receipt(place, tag), ("elsewhere@other.example", "failed", "5.1.1"))
    place.settle()

    assert failures_of(place, ANNA) == 1
    assert [facts["address"] for facts in place.notices("bounced")] == [ANNA]


def test_report_is_tied_by_our_mark_where_no_message_id_came_back(place: Stage) -> None:
    tag = place.game()
    letter = receipt(place, tag)
    mark = letter.message_id.strip("<>").partition("@")[0]
    head = "Return-Path: <>\nFrom: mailer-daemon@mx.example\nIn-Reply-To:"
    text = f"{head}\n\nНе удалось доставить: нет такого пользователя {ANNA}\n\nX-Game-Outbox-Id: {mark}"
    place.deliver(Sample("", "bounce", "", text).raw())
    place.settle()

    assert failures_of(place, ANNA) == 1


@pytest.mark.parametrize("headers", ["Message-ID: <never.sent@example.org>", "X-Game-Outbox-Id: never"])
def test_forged_report_that_returns_nothing_of_ours_is_ignored(place: Stage, headers: str) -> None:
    tag = place.game()
    letter = receipt(place, tag)
    letter.message_id = "<never.sent@example.org>"
    returned(place, letter, FAILED, headers=headers)
    place.settle()

    assert place.verdicts()[-1] == ("bounce", "delivery-report")
    assert (failures_of(place, ANNA), place.letters("bounced")) == (0, [])


def test_notices_that_come_back_themselves_are_told_to_nobody(place: Stage) -> None:
    tag = place.game()
    returned(place, receipt(place, tag), FAILED)
    place.settle()
    ((notice, _),) = place.letters("bounced")
    for number in range(2, 5):
        returned(place, notice, (OPERATOR, "failed", "5.1.1"), number=number)
        place.settle()

    assert len(place.letters("bounced")) == 1


# Caps


def test_caps_fail_closed_where_nothing_can_be_counted(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, "статус")

    def spoil(work: Work) -> None:
        for letter in work.session.exec(select(Letter).where(Letter.kind == "receipt")):
            letter.value = letter.value[:-1] + bytes([letter.value[-1] ^ 1])
            work.session.add(letter)

    place.alter(spoil)
    place.write(tag, SPAIN, "статус")
    for _ in range(4):
        place.settle()

    assert place.verdicts()[-1][0] == "quarantined"
    with place.house.look() as work:
        assert len(work.session.exec(select(Letter.id).where(Letter.kind == "receipt")).all()) == 1


def test_day_has_ten_receipts_beyond_the_letters_that_change_something(place: Stage) -> None:
    tag = place.game()
    for number in range(14):
        place.write(tag, SPAIN, f"корабль 1: плыть {number}")
        place.write(tag, SPAIN, f"корабль 1: курс СВ {number % 3 + 1}")
    place.settle()

    receipts = [value for _, value in place.letters("receipt") if isinstance(value, Receipt)]
    assert Counter(one.idle for one in receipts) == {True: 10, False: 14}


def test_breaker_calls_the_operators_once_and_loses_nothing(place: Stage, smtp_sink: SmtpSink) -> None:
    tag = place.game()
    place.clock.move(HOUR)
    config = place.house.config
    object.__setattr__(place.house, "config", replace(config, limits=replace(config.limits, letters_per_hour=3)))
    for number in range(6):
        place.write(tag, SPAIN, f"корабль 1: курс СВ {number % 3 + 1}")
    for _ in range(3):
        place.settle()

    assert [one.recipients for one in smtp_sink.received] == [(ANNA,)] * 3 + [(OPERATOR,)]
    assert place.notices("breaker", OPERATOR) == [{"limit": 3, "count": 3}]
    assert [verdict for verdict, _ in place.verdicts()] == ["orders"] * 6

    place.later(HOUR + MINUTE)
    place.later(HOUR + MINUTE)
    assert [one.recipients for one in smtp_sink.received].count((ANNA,)) == 6


def test_flood_of_broken_mail_does_not_fill_the_operators_box(place: Stage) -> None:
    place.game()
    for number in range(30):
        place.deliver(f"From: s{number}@example.net\r\nSubject: {number}\r\n\r\n".encode() + b"hm\r\n" * 2_500)
    place.settle()

    assert Counter(place.verdicts()) == {("quarantined", "too-many-lines"): 30}
    assert len(place.letters("quarantined-operator")) == 20


# What people ask of mail programs


def test_receipts_that_a_mail_program_asks_for_are_never_sent(place: Stage, smtp_sink: SmtpSink) -> None:
    tag = place.game()
    names = ("Disposition-Notification-To", "Return-Receipt-To", "X-Confirm-Reading-To")
    asks = [(name, "spy@example.net") for name in names]
    place.write(tag, SPAIN, SPAIN_ORDERS, headers=asks)
    place.settle()

    (mail,) = smtp_sink.received
    assert mail.recipients == (ANNA,)
    assert b"disposition-notification" not in mail.raw.lower()


def test_our_own_mail_to_ourselves_is_dropped_and_counted(place: Stage, smtp_sink: SmtpSink) -> None:
    tag = place.game()
    place.say(tag, SPAIN, SPAIN_ORDERS)
    raw = smtp_sink.received[-1].raw
    smtp_sink.forget()
    place.deliver(place.message(JUDGE, ORDER, to=JUDGE))
    place.deliver(raw)
    for number in range(3):  # a distribution list multiplies it, each copy with a trace of its own
        place.deliver(f"Sender: list{number}@example.org\r\n".encode() + raw)
    place.settle()

    assert Counter(place.verdicts()[1:]) == {("automatic", "own-address"): 1, ("automatic", "own-message-id"): 4}
    assert smtp_sink.received == []


def test_receipt_says_that_it_is_automatic_and_what_it_answers(place: Stage) -> None:
    tag = place.game()
    object.__setattr__(place.desk, "make", post.make)
    place.write(tag, SPAIN, SPAIN_ORDERS, answers=report_to(place, ANNA).message_id)
    place.settle()
    with place.house.look() as work:
        raw = work.vault.open(work.session.exec(select(Letter.raw).where(Letter.kind == "receipt")).one() or b"")
    written = email.message_from_bytes(raw)

    assert (written["Auto-Submitted"], written["X-Auto-Response-Suppress"]) == ("auto-replied", "All")
    assert written["In-Reply-To"] == "<1.letter@example.org>"
    assert str(written["References"]).split()[-1] == "<1.letter@example.org>"


def test_stranger_has_one_word_a_day_whatever_he_asks(place: Stage, smtp_sink: SmtpSink) -> None:
    tag = place.game()
    object.__setattr__(place.desk, "doorway", Doorway(lambda _: "mx.example.org", lambda _: False))
    vouched = [("Authentication-Results", "mx.example.org; dmarc=pass header.from=example.org")]

    def asks() -> int:
        smtp_sink.forget()
        for text in (f"наблюдать {tag}", f"вступаю {tag}", f"observe {tag}", f"join {tag}", "Здравствуйте!", "статус"):
            place.deliver(place.message("stranger@example.org", text, headers=vouched))
            place.settle()
        return len([one for one in smtp_sink.received if one.recipients == ("stranger@example.org",)])

    assert asks() == 1
    place.clock.move(25 * HOUR)
    assert asks() == 1
