"""Letters handed over: each reader alone, the same bytes at every try, and what each answer means (play-by-mail 7)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from msgspec.structs import replace

from adjudicator import jobs
from adjudicator.services import outbox
from adjudicator.services.outbox import Job
from adjudicator.services.rendering import Made
from tests.adjudicator.services.stage import (
    ANNA,
    BORIS,
    HOUR,
    MINUTE,
    OPERATOR,
    PIRATES,
    PIRATES_ORDERS,
    SPAIN,
    SPAIN_ORDERS,
    Stage,
    plainly,
)
from tests.servers.smtp_sink import Fault, SmtpSink
from tests.servers.smtp_sink import Stage as At


def state(stage: Stage, kind: str = "receipt") -> tuple[str, int, str]:
    """Return status, tries and trouble of the last letter of a kind."""
    letter, _ = stage.letters(kind)[-1]
    return letter.status, letter.attempts, letter.trouble


def ask(stage: Stage) -> str:
    """Let Anna send orders, and return the game."""
    tag = stage.game()
    stage.say(tag, SPAIN, SPAIN_ORDERS)
    return tag


TEMPORARY = {
    "421 at RCPT": Fault(At.RCPT, "421 4.3.2 closing", hang_up=True),
    "450 at RCPT": Fault(At.RCPT, "450 4.2.0 greylisted"),
    "451 after DATA": Fault(At.BODY, "451 4.3.0 try later"),
    "452 at DATA": Fault(At.DATA, "452 4.2.2 full"),
    "hang-up at MAIL": Fault(At.MAIL, hang_up=True),
    "421 at connect": Fault(At.CONNECT, "421 4.3.2 busy", hang_up=True),
}


@pytest.mark.parametrize("fault", TEMPORARY.values(), ids=TEMPORARY.keys())
def test_letter_refused_for_now_is_tried_again_with_the_same_bytes(
    place: Stage, smtp_sink: SmtpSink, fault: Fault
) -> None:
    smtp_sink.script(fault)
    ask(place)
    status, tries, _ = state(place)
    assert (status, tries, smtp_sink.received) == ("rendered", 1, [])
    before, _ = place.letters("receipt")[-1]

    place.later(53 * timedelta(seconds=1))
    assert smtp_sink.received == []

    place.later(7 * timedelta(seconds=1))
    ((letter, _),) = place.letters("receipt")
    assert (letter.status, letter.attempts, letter.raw, letter.message_id) == (
        "sent",
        2,
        before.raw,
        before.message_id,
    )
    assert [one.sha256 for one in smtp_sink.received] == [letter.sha256]


def test_tries_come_after_one_five_fifteen_and_sixty_minutes(place: Stage, smtp_sink: SmtpSink) -> None:
    smtp_sink.script(Fault(At.RCPT, "450 4.2.0 greylisted", times=None))
    ask(place)
    spans = []
    for _ in range(6):
        letter, _ = place.letters("receipt")[-1]
        spans.append(letter.due - place.clock.now())
        place.at(letter.due)

    longest = [minutes * MINUTE for minutes in (1, 5, 15, 60, 60, 60)]
    assert [0.9 * most <= span <= most for span, most in zip(spans, longest, strict=True)] == [True] * 6
    assert len(set(spans[3:])) == 3  # letters put off together do not come together again


def test_letter_given_up_after_two_days_is_named_once_and_never_sent(place: Stage, smtp_sink: SmtpSink) -> None:
    smtp_sink.script(Fault(At.RCPT, "450 4.2.0 greylisted", recipient=ANNA, times=None))
    ask(place)
    letter, _ = place.letters("receipt")[-1]
    while state(place)[0] == "rendered":
        place.at(place.letters("receipt")[-1][0].due)

    assert 47 * HOUR < place.clock.now() - letter.created <= 48 * HOUR
    assert [fact["why"] for fact in place.notices("refused-letter", OPERATOR)] == ["rcpt 450 4.2.0 greylisted"]
    smtp_sink.calm()
    place.later(5 * HOUR)
    assert letter.message_id not in [one.message_id for one in smtp_sink.received]


def test_letter_put_off_holds_up_nobody_elses(place: Stage, smtp_sink: SmtpSink) -> None:
    tag = place.game()
    smtp_sink.script(Fault(At.RCPT, "450 4.2.0 greylisted", recipient=ANNA, times=None))
    place.write(tag, SPAIN, "статус")
    place.write(tag, PIRATES, "статус")
    place.settle()

    assert [one.recipients for one in smtp_sink.received] == [(BORIS,)]
    assert [(row.address, row.status) for row, _ in place.letters("receipt")] == [(ANNA, "rendered"), (BORIS, "sent")]


def test_lost_answer_after_data_is_uncertain_and_the_same_mail_goes_again(both: Stage, smtp_sink: SmtpSink) -> None:
    smtp_sink.script(Fault(At.BODY, hang_up=True, accepted=True))
    ask(both)
    letter, _ = both.letters("receipt")[-1]
    assert (letter.status, letter.uncertain) == ("rendered", True)

    both.later(MINUTE)

    first, second = smtp_sink.received
    assert (first.message_id, first.sha256) == (second.message_id, second.sha256)
    assert state(both)[0] == "sent"


@pytest.mark.parametrize(
    "fault",
    [Fault(At.RCPT, "550 5.1.1 no such user"), Fault(At.BODY, "554 5.6.0 not that"), Fault(At.DATA, "552 5.3.4 big")],
    ids=["550", "554", "552"],
)
def test_letter_refused_for_good_is_not_tried_again_and_the_operator_hears(
    place: Stage, smtp_sink: SmtpSink, fault: Fault
) -> None:
    smtp_sink.script(fault)
    ask(place)

    assert state(place)[:2] == ("failed", 1)
    (notice,) = place.notices("refused-letter", OPERATOR)
    assert (notice["address"], notice["seat"]) == (ANNA, SPAIN)
    place.later(2 * HOUR)
    assert [one.recipients for one in smtp_sink.received] == [(OPERATOR,)]


def refuse_anna(place: Stage, smtp_sink: SmtpSink, tag: str) -> None:
    """Let the next letter to Anna, an ordinary one, be refused for good."""
    smtp_sink.script(Fault(At.RCPT, "550 5.1.1 no such user", recipient=ANNA))
    place.write(tag, SPAIN, "статус")
    place.settle()


def test_address_that_fails_twice_within_a_week_is_marked_and_nobody_is_resigned(
    place: Stage, smtp_sink: SmtpSink
) -> None:
    tag = place.game()
    refuse_anna(place, smtp_sink, tag)
    assert place.notices("address-fails") == []

    place.clock.move(6 * 24 * HOUR)
    refuse_anna(place, smtp_sink, tag)

    assert place.notices("address-fails", OPERATOR) == [{"address": ANNA, "seat": SPAIN, "tag": tag}]
    assert place.tenure(tag, SPAIN).until is None

    refuse_anna(place, smtp_sink, tag)

    assert (len(place.notices("refused-letter")), len(place.notices("address-fails"))) == (2, 1)


def test_two_failures_more_than_a_week_apart_mark_nothing(place: Stage, smtp_sink: SmtpSink) -> None:
    tag = place.game()
    refuse_anna(place, smtp_sink, tag)

    place.clock.move(8 * 24 * HOUR)
    refuse_anna(place, smtp_sink, tag)

    assert place.notices("address-fails") == []


def test_refused_notice_to_the_operator_makes_no_notice(place: Stage, smtp_sink: SmtpSink) -> None:
    smtp_sink.script(Fault(At.RCPT, "550 5.1.1 no such user", times=None))
    ask(place)
    place.later(HOUR)

    assert [row.status for row, _ in place.letters("refused-letter")] == ["failed"]


def test_suspicion_of_spam_pauses_everything_and_resumes_with_the_same_letter(both: Stage, smtp_sink: SmtpSink) -> None:
    tag = both.game()
    smtp_sink.script(Fault(At.BODY, "554 5.7.1 Message rejected under suspicion of SPAM"))
    both.write(tag, SPAIN, SPAIN_ORDERS)
    both.write(tag, PIRATES, "корабль 4: стоять")
    both.settle()

    assert smtp_sink.received == []
    assert {row.status for row, _ in both.letters("receipt")} == {"rendered"}

    both.later(10 * MINUTE)
    both.say(tag, SPAIN, "статус")
    assert smtp_sink.received == []

    both.later(5 * MINUTE)
    assert {row.status for row, _ in both.letters("receipt")} == {"sent"}
    assert len([one for one in smtp_sink.received if one.recipients != (OPERATOR,)]) == 3


def test_server_that_is_down_is_not_asked_for_every_letter(place: Stage, smtp_sink: SmtpSink) -> None:
    tag = place.game()
    with smtp_sink.outage():
        for seat in (SPAIN, PIRATES):
            place.write(tag, seat, "статус")
        place.settle()
        assert [(row.status, row.attempts) for row, _ in place.letters("receipt")] == [("rendered", 1)] * 2

    place.later(MINUTE)
    assert [row.status for row, _ in place.letters("receipt")] == ["sent"] * 2


def test_one_mail_per_reader_and_transaction(place: Stage, smtp_sink: SmtpSink) -> None:
    tag = place.game()
    place.say(tag, SPAIN, SPAIN_ORDERS)
    place.say(tag, PIRATES, PIRATES_ORDERS)
    smtp_sink.forget()
    place.pass_deadline(tag)

    assert sorted(one.recipients for one in smtp_sink.received) == [(ANNA,), (BORIS,), (OPERATOR,)]
    assert {one.sender for one in smtp_sink.received} == {"judge@example.org"}


def test_breaker_stops_sending_and_never_reading(place: Stage, smtp_sink: SmtpSink) -> None:
    tag = place.game()
    place.clock.move(HOUR)  # what was sent at the start no longer counts
    config = place.house.config
    limits = replace(config.limits, letters_per_hour=3)
    object.__setattr__(place.house, "config", replace(config, limits=limits))
    for number in range(5):
        place.write(tag, SPAIN, f"корабль 1: курс СВ {number % 3 + 1}")
    place.settle()

    assert [verdict for verdict, _ in place.verdicts()] == ["orders"] * 5
    sent = [one for one in smtp_sink.received if one.recipients == (ANNA,)]
    assert len(sent) == 3

    place.later(HOUR)
    assert len([one for one in smtp_sink.received if one.recipients == (ANNA,)]) == 5


def test_letter_of_a_process_that_died_is_sent_again_after_its_lease(both: Stage, smtp_sink: SmtpSink) -> None:
    tag = both.game()
    both.write(tag, SPAIN, SPAIN_ORDERS)
    jobs.poll(both.desk, both.desk.sources[0])
    jobs.think(both.desk)
    jobs.render(both.desk)
    with both.house.unit("test") as work:
        (claimed,) = outbox.claim(work, "dead", 20)

    both.later(4 * MINUTE)
    assert smtp_sink.received == []

    both.later(MINUTE)
    assert [one.recipients for one in smtp_sink.received] == [(claimed.address,)]


def test_letter_that_cannot_be_rendered_holds_up_no_other(place: Stage, smtp_sink: SmtpSink) -> None:
    tag = place.game()

    def choosy(job: Job) -> Made:
        if job.to == ANNA:
            raise LookupError("no phrase")
        return plainly(job)

    object.__setattr__(place.desk, "make", choosy)
    place.pass_deadline(tag)

    assert {one.recipients for one in smtp_sink.received} == {(BORIS,), (OPERATOR,)}
    for minutes in (1, 5, 15):
        place.later(minutes * MINUTE)
    letter = next(row for row, _ in place.letters("report", ANNA) if row.turn == 2)
    assert (letter.status, letter.trouble) == ("failed", "LookupError: no phrase")
    assert {fact["address"] for fact in place.notices("unrenderable", OPERATOR)} == {ANNA}

    object.__setattr__(place.desk, "make", plainly)
    place.read_until(place.turn(tag).deadline + 3 * MINUTE)
    assert place.turn(tag).number == 2  # Anna was not told, and is waited for


def test_log_span_of_a_report_is_attached_once_and_grows(place: Stage) -> None:
    tag = place.game()
    place.pass_deadline(tag)
    with place.house.look() as work:
        spans = []
        for row, _ in place.letters("report", ANNA):
            envelope = work.vault.open_value(row.value, outbox.Envelope)
            spans.append((envelope.log_after, envelope.log_to))

    assert [after for after, _ in spans] == [0, *(to for _, to in spans[:-1])]
