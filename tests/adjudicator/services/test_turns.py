"""The life of a turn by real mail: told, open, locked, resolved, reported; waiting where it must (play-by-mail 1)."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest
from sqlmodel import select

from adjudicator.clock import iso
from adjudicator.errors import NotFound, RefusedByRules
from adjudicator.letters import Receipt, Report
from adjudicator.services import doubtful, turns
from adjudicator.services.header import Header
from adjudicator.services.work import Work
from adjudicator.storage.tables import Letter, Mailbox
from tests.adjudicator.services.stage import (
    ANNA,
    BORIS,
    CAST,
    HOUR,
    MINUTE,
    OPERATOR,
    PIRATES,
    PIRATES_ORDERS,
    SPAIN,
    SPAIN_ORDERS,
    START,
    VERA,
    Stage,
)
from tests.servers.dovecot import Dovecot
from tests.servers.smtp_sink import Fault, SmtpSink
from tests.servers.smtp_sink import Stage as At


def frozen(stage: Stage, tag: str, number: int) -> dict[str, list[str]]:
    """Return what the lock of a turn froze: each seat's slots with where the order came from."""
    with stage.house.look() as work:
        turn = stage.turn(tag, number)
        parts: dict[str, Any] = work.vault.open_value(turn.orders or b"", dict[str, Any])
    return {name: part["from"] for name, part in parts.items() if "from" in part}


# Told


def test_opening_letter_says_what_is_asked_by_when_with_examples(place: Stage) -> None:
    tag = place.game()

    report = place.letters("report", ANNA)[-1][1]

    assert isinstance(report, Report)
    assert [slot["key"] for slot in report.asked if not slot.get("optional")] == ["ship1", "ship2", "ship3"]
    assert report.deadline == iso(place.turn(tag).deadline)
    assert len(report.template) == 3
    assert set(report.template) <= set(report.examples)


# Locked at the deadline


def test_turn_locks_at_its_deadline_and_everybody_gets_a_report(both: Stage, smtp_sink: SmtpSink) -> None:
    tag = both.game()
    both.say(tag, SPAIN, SPAIN_ORDERS)
    deadline = both.turn(tag).deadline
    smtp_sink.forget()

    both.pass_deadline(tag)

    assert both.turn(tag, 1).status == "resolved"
    assert (both.turn(tag).number, both.turn(tag).status) == (2, "open")
    assert both.turn(tag).deadline == deadline + timedelta(hours=49)  # 48 h after the report, rounded up to a full hour
    assert frozen(both, tag, 1) == {SPAIN: ["sent"] * 3, PIRATES: ["silent"] * 6}
    assert sorted(one.recipients for one in smtp_sink.received) == [
        (ANNA,),
        (BORIS,),
        (BORIS,),  # who missed it
        (OPERATOR,),
    ]


def test_turn_does_not_lock_before_a_poll_that_began_the_margin_after_the_deadline(real: Stage) -> None:
    tag = real.game()
    real.settle()
    deadline = real.turn(tag).deadline

    real.read_until(deadline)
    real.later(MINUTE)
    real.later(59 * timedelta(seconds=1))
    assert real.turn(tag, 1).status == "open"

    real.later(timedelta(seconds=1))
    assert real.turn(tag, 1).status == "resolved"


def test_order_that_arrived_by_the_deadline_and_was_read_after_it_counts(real: Stage) -> None:
    tag = real.game()
    real.settle()
    deadline = real.turn(tag).deadline
    real.read_until(deadline - 10 * MINUTE)

    real.write(tag, SPAIN, SPAIN_ORDERS, arrival=deadline)
    real.write(tag, PIRATES, PIRATES_ORDERS, arrival=deadline + timedelta(seconds=1))
    real.at(deadline + 3 * MINUTE)

    assert frozen(real, tag, 1) == {SPAIN: ["sent"] * 3, PIRATES: ["silent"] * 6}
    assert [verdict for verdict, _ in real.verdicts()] == ["orders", "late"]


def test_junk_is_read_like_the_inbox_before_a_turn_locks(real: Stage) -> None:
    tag = real.game()
    real.settle()
    deadline = real.turn(tag).deadline
    real.read_until(deadline - MINUTE)

    real.write(tag, SPAIN, SPAIN_ORDERS, arrival=deadline - 30 * timedelta(seconds=1), folder="Junk")
    real.at(deadline + 3 * MINUTE)

    assert frozen(real, tag, 1)[SPAIN] == ["sent"] * 3


def test_arrival_decides_not_the_date_header(real: Stage) -> None:
    tag = real.game()
    real.settle()
    deadline = real.turn(tag).deadline
    real.read_until(deadline - MINUTE)

    real.write(tag, SPAIN, SPAIN_ORDERS, arrival=deadline - MINUTE, date=deadline + HOUR)
    real.write(tag, PIRATES, PIRATES_ORDERS, arrival=deadline + MINUTE, date=deadline - HOUR)
    real.at(deadline + 3 * MINUTE)

    assert frozen(real, tag, 1) == {SPAIN: ["sent"] * 3, PIRATES: ["silent"] * 6}


def test_draft_counts_in_full_at_the_lock(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, "корабль 1: стоять\nкорабль 2: лететь на луну\nчерновик")
    place.pass_deadline(tag)

    assert frozen(place, tag, 1)[SPAIN] == ["sent", "silent", "silent"]


def test_slot_without_an_order_takes_the_standing_one(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, "постоянный: корабль 2: стоять\nкорабль 1: стоять")
    place.pass_deadline(tag)

    assert frozen(place, tag, 1)[SPAIN] == ["sent", "standing", "silent"]


def test_lock_lists_the_hash_of_every_mail_of_the_game(place: Stage) -> None:
    tag = place.game()
    read = place.write(tag, SPAIN, SPAIN_ORDERS)
    held = place.deliver(place.message(BORIS, PIRATES_ORDERS, subject=f"[{tag}] приказы"))
    copy = place.deliver(b"X-Trace: relay\n" + read)
    place.settle()
    place.pass_deadline(tag)
    place.pass_deadline(tag)  # of the grace for the held mail

    assert [verdict for verdict, _ in place.verdicts()] == ["orders", "held", "orders"]
    assert place.events(tag, "lock")[-1]["mails"] == sorted(sha256(raw).hexdigest() for raw in (read, held, copy))


# Early


def test_turn_locks_early_when_all_are_ready_twenty_minutes_after_the_last_order(real: Stage) -> None:
    tag = real.game()
    real.say(tag, SPAIN, SPAIN_ORDERS + "готов")
    real.later(10 * MINUTE)
    real.say(tag, PIRATES, PIRATES_ORDERS + "ready")

    real.later(21 * MINUTE)
    assert real.turn(tag, 1).status == "open"

    real.later(MINUTE)
    assert real.turn(tag, 1).status == "resolved"
    assert frozen(real, tag, 1) == {SPAIN: ["sent"] * 3, PIRATES: ["sent"] * 6}


def test_wait_keeps_the_turn_open_until_its_deadline(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, SPAIN_ORDERS + "готов")
    place.say(tag, PIRATES, PIRATES_ORDERS + "готов\nждать")

    place.later(40 * MINUTE)
    assert place.turn(tag).number == 1

    place.pass_deadline(tag)
    assert place.turn(tag).number == 2


def test_change_of_mind_within_the_cool_off_keeps_the_turn_open(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, SPAIN_ORDERS + "готов")
    place.say(tag, PIRATES, PIRATES_ORDERS + "готов")
    place.later(15 * MINUTE)
    place.say(tag, SPAIN, "не готов")

    place.later(40 * MINUTE)

    assert place.turn(tag).number == 1


def test_game_may_lock_as_soon_as_all_have_orders_in(empty: Stage) -> None:
    tag = empty.game(header=Header(early="in"))
    empty.say(tag, SPAIN, SPAIN_ORDERS)
    empty.say(tag, PIRATES, PIRATES_ORDERS)

    empty.later(23 * MINUTE)

    assert empty.turn(tag).number == 2


def test_seat_that_owes_nothing_is_not_waited_for(empty: Stage) -> None:
    """In set-up only Spain owes: the gold."""
    cast = [*CAST, (VERA, "Вера", "ru", "pirates-2")]
    tag = empty.game(cast=cast)
    report = empty.letters("report", VERA)[0][1]

    assert isinstance(report, Report)
    assert report.turn == -1
    assert [slot for slot in report.asked if not slot.get("optional")] == []
    assert empty.turn(tag, 0).status == "resolved"


# Not told (1.4)


def test_turn_waits_for_a_seat_whose_letter_was_not_accepted_and_gives_it_time(
    empty: Stage, smtp_sink: SmtpSink
) -> None:
    tag = empty.game(header=Header(schedule="24h"))
    smtp_sink.script(Fault(At.RCPT, "450 4.2.0 greylisted", recipient=BORIS, times=None))
    empty.pass_deadline(tag)  # opens turn 2; the report of Boris is deferred
    deadline = empty.turn(tag).deadline

    empty.read_until(deadline + 3 * MINUTE)
    assert (empty.turn(tag).number, empty.turn(tag).status) == (2, "open")

    empty.write(tag, SPAIN, SPAIN_ORDERS)  # after the old deadline, which has to move
    empty.settle()
    assert empty.word(tag, SPAIN) == "orders in"

    smtp_sink.calm()
    empty.read_until(deadline + 2 * HOUR)
    empty.settle()

    told = deadline + 2 * HOUR
    assert empty.turn(tag).deadline == told + 8 * HOUR  # a third of the period
    assert [fact["reason"] for fact in empty.notices("deadline-moved")] == ["told-late", "told-late"]

    empty.pass_deadline(tag)
    assert empty.turn(tag, 2).status == "resolved"
    assert frozen(empty, tag, 2)[SPAIN] == ["sent"] * 3


def test_letter_accepted_less_than_the_notice_before_the_deadline_moves_it_at_once(
    both: Stage, smtp_sink: SmtpSink
) -> None:
    tag = both.game()
    smtp_sink.script(Fault(At.RCPT, "450 4.2.0 greylisted", recipient=BORIS, times=None))
    both.pass_deadline(tag)
    deadline = both.turn(tag).deadline
    smtp_sink.calm()

    both.read_until(deadline - 5 * HOUR)
    both.settle()

    assert both.turn(tag).deadline == deadline + 7 * HOUR  # twelve hours after it was accepted


def test_letter_that_nobody_took_for_two_days_is_given_up_and_the_operator_told(
    place: Stage, smtp_sink: SmtpSink
) -> None:
    tag = place.game()
    place.say(tag, PIRATES, PIRATES_ORDERS)
    smtp_sink.script(Fault(At.RCPT, "450 4.2.0 greylisted", recipient=BORIS, times=None))
    place.pass_deadline(tag)
    place.read_until(place.clock.now() + 49 * HOUR)
    place.settle()

    (letter,) = (row for row, _ in place.letters("report", BORIS) if row.turn == 2)
    assert letter.status == "failed"
    assert [fact["opening"] for fact in place.notices("refused-letter", OPERATOR)] == [True]
    assert (place.turn(tag).number, place.turn(tag).status) == (2, "open")


def test_bounced_opening_letter_is_not_told_and_the_operator_hears_at_once(place: Stage) -> None:
    tag = place.game()
    letter = next(row for row, _ in place.letters("report", BORIS) if row.turn == 1)
    place.deliver(bounce(BORIS, letter.message_id))
    place.settle()

    assert place.verdicts() == [("bounce", "delivery-report")]
    ((notice, _),) = place.letters("bounced")
    assert notice.address == OPERATOR
    assert place.notices("bounced")[0]["opening"] is True

    place.pass_deadline(tag)
    assert (place.turn(tag).number, place.turn(tag).status) == (1, "open")


def test_seat_whose_letter_bounced_and_that_writes_all_the_same_knows_of_the_turn(place: Stage) -> None:
    tag = place.game()
    letter = next(row for row, _ in place.letters("report", BORIS) if row.turn == 1)
    place.deliver(bounce(BORIS, letter.message_id))
    place.settle()
    place.say(tag, PIRATES, PIRATES_ORDERS, answers=letter.message_id)

    place.pass_deadline(tag)

    assert place.turn(tag).number == 2


def test_bounce_that_quotes_no_letter_of_ours_proves_nothing(place: Stage) -> None:
    tag = place.game()
    place.deliver(bounce(BORIS, "<never.sent@example.org>"))
    place.settle()

    assert place.letters("bounced") == []
    place.pass_deadline(tag)
    assert place.turn(tag).number == 2


def bounce(address: str, message_id: str) -> bytes:
    return f"""Return-Path: <>
From: MAILER-DAEMON@example.org
To: judge@example.org
Subject: Undelivered Mail Returned to Sender
Message-ID: <bounce.{abs(hash(message_id)) % 10**8}@example.org>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary=cut

--cut
Content-Type: text/plain

I am sorry.

--cut
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; {address}
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 no such user

--cut
Content-Type: text/rfc822-headers

From: judge@example.org
Message-ID: {message_id}

--cut--
""".encode()


# The mailbox out of reach (1.3)


def test_turn_waits_while_the_mailbox_is_out_of_reach_and_loses_nobodys_order(both: Stage, dovecot: Dovecot) -> None:
    tag = both.game()
    both.settle()
    deadline = both.turn(tag).deadline
    both.read_until(deadline - 10 * MINUTE)

    with dovecot.outage():
        both.write(tag, SPAIN, SPAIN_ORDERS, arrival=deadline - 5 * MINUTE)
        for minutes in (0, 3, 20):
            both.clock.move_to(deadline + minutes * MINUTE)
            with pytest.raises(Exception, match="connect"):
                both.settle()
        assert both.turn(tag, 1).status == "open"

    both.at(deadline + 30 * MINUTE)

    assert both.turn(tag, 1).deadline == deadline  # 40 minutes: within the guard
    assert both.turn(tag, 1).status == "resolved"
    assert frozen(both, tag, 1)[SPAIN] == ["sent"] * 3


def test_long_outage_moves_the_deadline_by_its_length_and_everybody_is_told(both: Stage, dovecot: Dovecot) -> None:
    tag = both.game()
    both.settle()
    deadline = both.turn(tag).deadline
    both.read_until(deadline - HOUR)
    good = both.clock.now()

    with dovecot.outage():
        both.write(tag, SPAIN, SPAIN_ORDERS, arrival=deadline + 30 * MINUTE)
        both.clock.move_to(deadline + HOUR)
        with pytest.raises(Exception, match="connect"):
            both.settle()
        assert both.turn(tag, 1).status == "open"
        assert both.notices("outage-operator")[0]["since"] == iso(good)

    both.at(deadline + 2 * HOUR)

    assert both.turn(tag, 1).deadline == deadline + 3 * HOUR
    assert [(fact["reason"], fact["before"]) for fact in both.notices("deadline-moved", ANNA)] == [
        ("outage", iso(deadline))
    ]
    assert len(both.notices("deadline-moved")) == 2
    assert both.events(tag, "deadline")[-1]["reason"] == "outage"
    assert both.word(tag, SPAIN) == "orders in"  # written after the old deadline, before the new one

    both.pass_deadline(tag)
    assert frozen(both, tag, 1)[SPAIN] == ["sent"] * 3


def test_service_that_slept_over_a_deadline_moves_it_likewise(place: Stage) -> None:
    tag = place.game()
    place.settle()
    deadline = place.turn(tag).deadline

    place.at(deadline + HOUR)

    assert place.turn(tag, 1).status == "open"
    assert place.turn(tag, 1).deadline == deadline + (deadline + HOUR - START)


def test_operators_hear_of_an_outage_once(real: Stage, dovecot: Dovecot) -> None:
    real.game()
    real.settle()
    with dovecot.outage():
        for hours in range(1, 5):
            real.clock.move(hours * 40 * MINUTE)
            with pytest.raises(Exception, match="connect"):
                real.settle()

    assert len(real.letters("outage-operator")) == 1


# Doubtful, twice delivered, late


def test_mail_that_a_good_poll_did_not_show_counts_from_when_it_was_seen(real: Stage) -> None:
    tag = real.game()
    real.settle()
    deadline = real.turn(tag).deadline
    real.read_until(deadline - MINUTE)
    real.read_until(deadline + MINUTE)

    real.write(tag, SPAIN, SPAIN_ORDERS, arrival=deadline - 20 * MINUTE)  # back-dated, or moved here by a person
    real.at(deadline + 2 * MINUTE)

    assert real.verdicts()[0][0] == "late"
    assert frozen(real, tag, 1)[SPAIN] == ["silent"] * 3


@pytest.mark.parametrize("copies", [10])
def test_letter_delivered_ten_times_acts_once(both: Stage, copies: int) -> None:
    tag = both.game()
    raw = both.write(tag, SPAIN, SPAIN_ORDERS + "соль: раз\nписьмо Борису:\nпривет\nконец письма\n")
    for number in range(1, copies):
        trace = f"Received: from relay{number} by mx.example.org; Mon, 5 Jan 2026 12:00:00 +0000\n".encode()
        both.deliver(trace + raw, folder="Junk" if number % 3 else "INBOX", arrival=both.clock.now() + number * MINUTE)
    both.later(12 * MINUTE)
    both.later(MINUTE)

    assert len(both.verdicts()) == copies
    assert len(both.letters("receipt")) == 1
    assert len(both.letters("press")) == 1
    assert len(both.events(tag, "order")) == 1
    assert len(both.in_force(tag, SPAIN)) == 3


def test_earlier_arrival_of_two_copies_counts(real: Stage) -> None:
    tag = real.game()
    real.settle()
    deadline = real.turn(tag).deadline
    real.read_until(deadline - MINUTE)
    raw = real.write(tag, SPAIN, SPAIN_ORDERS, arrival=deadline + MINUTE)
    real.deliver(raw, folder="Junk", arrival=deadline - MINUTE)

    real.at(deadline + 3 * MINUTE)

    assert frozen(real, tag, 1)[SPAIN] == ["sent"] * 3


def test_copy_in_time_counts_although_the_late_one_was_read_first(real: Stage) -> None:
    tag = real.game()
    real.settle()
    deadline = real.turn(tag).deadline
    real.read_until(deadline - MINUTE)
    raw = real.write(tag, SPAIN, SPAIN_ORDERS, arrival=deadline + MINUTE)
    real.at(deadline + MINUTE)
    assert real.verdicts()[0][0] == "late"

    real.deliver(raw, folder="Junk", arrival=deadline - MINUTE)
    real.at(deadline + 3 * MINUTE)

    assert frozen(real, tag, 1)[SPAIN] == ["sent"] * 3


def test_letter_after_the_lock_is_evidence_not_orders(place: Stage) -> None:
    tag = place.game()
    place.settle()
    locked = place.turn(tag).deadline
    place.read_until(locked + MINUTE)
    raw = place.write(tag, SPAIN, SPAIN_ORDERS, arrival=locked + 10 * timedelta(seconds=1))
    place.at(locked + 3 * MINUTE)
    receipt = place.letters("receipt")[-1][1]

    assert isinstance(receipt, Receipt)
    assert place.verdicts() == [("late", "")]
    assert receipt.late is not None
    assert receipt.late["reason"] in ("deadline", "locked", "other-turn")
    assert [line.mark for line in receipt.lines] == ["ok"] * 3
    assert place.in_force(tag, SPAIN) == ()
    assert raw


def test_late_orders_become_orders_of_the_open_turn_when_the_player_says_so(place: Stage) -> None:
    tag = place.game()
    place.pass_deadline(tag)
    old = next(row for row, _ in place.letters("report", ANNA) if row.turn == 1)
    late = place.say(tag, SPAIN, SPAIN_ORDERS + "готов", answers=old.message_id)

    assert late.late is not None
    assert (late.late["turn"], late.late["open"], late.in_force) == (1, 2, ())

    letter, _ = place.letters("receipt")[-1]
    taken = place.say(tag, SPAIN, "на ход 2", answers=letter.message_id)

    assert (taken.late, len(taken.in_force), taken.word) == (None, 3, "ready")


def test_for_turn_names_the_open_turn_or_does_nothing(place: Stage) -> None:
    tag = place.game()
    place.pass_deadline(tag)
    old = next(row for row, _ in place.letters("report", ANNA) if row.turn == 1)
    place.say(tag, SPAIN, SPAIN_ORDERS, answers=old.message_id)
    letter, _ = place.letters("receipt")[-1]

    again = place.say(tag, SPAIN, "на ход 7", answers=letter.message_id)

    assert again.late is not None
    assert (again.late["turn"], again.in_force) == (7, ())


def test_question_about_an_old_turn_is_answered_and_not_called_late(place: Stage) -> None:
    tag = place.game()
    place.pass_deadline(tag)
    old = next(row for row, _ in place.letters("report", ANNA) if row.turn == 1)

    receipt = place.say(tag, SPAIN, "статус", answers=old.message_id)

    assert (receipt.late, receipt.turn) == (None, 2)


# Which turn (4)


def test_named_turn_beats_the_letter_that_is_answered(place: Stage) -> None:
    tag = place.game()
    place.pass_deadline(tag)
    old = next(row for row, _ in place.letters("report", ANNA) if row.turn == 1)

    receipt = place.say(tag, SPAIN, "ход 2\n" + SPAIN_ORDERS, answers=old.message_id)

    assert (receipt.late, len(receipt.in_force)) == (None, 3)


def test_letter_in_flight_before_the_report_was_handed_over_is_about_the_turn_before(
    place: Stage, smtp_sink: SmtpSink
) -> None:
    tag = place.game()
    smtp_sink.script(Fault(At.RCPT, "450 4.2.0 later", recipient=ANNA, times=None))
    place.pass_deadline(tag)

    receipt = place.say(tag, SPAIN, SPAIN_ORDERS)

    assert receipt.late is not None
    assert (receipt.late["turn"], receipt.late["open"]) == (1, 2)

    smtp_sink.calm()
    place.later(2 * MINUTE)
    place.later(MINUTE)

    assert place.say(tag, SPAIN, SPAIN_ORDERS).late is None


# Reminders, play-by-mail 1.6


def reminders(stage: Stage) -> list[tuple[str, int]]:
    return [(row.address, int(row.key.rpartition("/")[2]) // 3600) for row, _ in stage.letters("reminder")]


def test_reminders_go_once_per_step_to_those_who_have_sent_nothing_or_a_draft(place: Stage) -> None:
    tag = place.game()
    place.say(tag, PIRATES, PIRATES_ORDERS)
    deadline = place.turn(tag).deadline

    place.read_until(deadline - 25 * HOUR)
    assert reminders(place) == []

    for minutes in (0, 10, 60):
        place.read_until(deadline - 24 * HOUR + minutes * MINUTE)
    assert reminders(place) == [(ANNA, 24)]

    place.say(tag, SPAIN, "корабль 1: стоять")  # a draft
    place.read_until(deadline - 4 * HOUR)
    place.read_until(deadline - 3 * HOUR)
    assert reminders(place) == [(ANNA, 24), (ANNA, 4)]

    assert place.notices("reminder", ANNA)[-1]["word"] == "draft"


def test_moved_deadline_arms_the_reminders_anew(place: Stage) -> None:
    tag = place.game()
    deadline = place.turn(tag).deadline
    place.read_until(deadline - 4 * HOUR)
    assert reminders(place) == [(ANNA, 4), (BORIS, 4)]

    place.alter(lambda work: turns.extend(work, work.game(tag), 1, 24 * HOUR))
    place.read_until(deadline + 20 * HOUR)

    assert reminders(place) == [(ANNA, 4), (BORIS, 4)] * 2


def test_reminder_that_could_not_be_sent_by_its_deadline_is_withdrawn(place: Stage, smtp_sink: SmtpSink) -> None:
    tag = place.game()
    deadline = place.turn(tag).deadline
    with smtp_sink.outage():
        place.read_until(deadline - 4 * HOUR)
    place.read_until(deadline + 3 * MINUTE)
    place.later(2 * HOUR)

    assert {row.status for row, _ in place.letters("reminder")} == {"withdrawn"}


def test_reminder_that_names_a_deadline_that_has_moved_is_withdrawn(place: Stage, smtp_sink: SmtpSink) -> None:
    tag = place.game()
    deadline = place.turn(tag).deadline
    with smtp_sink.outage():
        place.read_until(deadline - 4 * HOUR)
        place.alter(lambda work: turns.extend(work, work.game(tag), 1, 24 * HOUR))
    place.read_until(deadline - 2 * HOUR)

    assert {row.status for row, _ in place.letters("reminder")} == {"withdrawn"}


# Commands name their turn (1.9)


def test_command_for_a_turn_that_has_moved_on_does_nothing_and_says_so(place: Stage) -> None:
    tag = place.game()
    place.pass_deadline(tag)
    before = place.events(tag)

    with pytest.raises(RefusedByRules) as refusal:
        place.alter(lambda work: turns.process(work, work.game(tag), 1))

    assert refusal.value.facts == {"turn": 1, "current": 2, "status": "open"}
    assert place.events(tag) == before


def test_process_freezes_all_that_was_accepted_although_the_mail_servers_clock_is_ahead(real: Stage) -> None:
    tag = real.game()
    real.say(tag, SPAIN, SPAIN_ORDERS, arrival=real.clock.now() + 7 * timedelta(seconds=1))

    real.alter(lambda work: turns.process(work, work.game(tag), 1))
    real.settle()

    assert frozen(real, tag, 1)[SPAIN] == ["sent"] * 3


def test_polls_are_kept_per_folder(real: Stage) -> None:
    real.game()
    real.settle()

    def good(work: Work) -> None:
        boxes = work.session.exec(select(Mailbox)).all()
        assert sorted(box.name.rpartition("/")[2] for box in boxes) == ["INBOX", "Junk"]
        assert {box.good for box in boxes} == {real.clock.now()}
        assert work.session.exec(select(Letter)).first() is not None

    real.alter(good)


# Doubtful letters and evidence (1.3)


def doubtful_letter(stage: Stage, tag: str) -> None:
    """Let a letter of Anna's be laid down after its hour, which a good poll did not show."""
    deadline = stage.turn(tag).deadline
    stage.settle()
    stage.read_until(deadline - MINUTE)
    stage.read_until(deadline + MINUTE)
    stage.write(tag, SPAIN, SPAIN_ORDERS, arrival=deadline - 20 * MINUTE)
    stage.clock.move(30 * timedelta(seconds=1))
    stage.settle()


def test_moderator_is_told_of_a_doubtful_letter(real: Stage) -> None:
    tag = real.game()
    doubtful_letter(real, tag)

    assert real.verdicts() == [("late", "doubtful")]
    ((letter, _),) = real.letters("doubtful")
    assert letter.address == OPERATOR
    assert real.notices("doubtful")[0]["arrival"] == iso(real.turn(tag).deadline - 20 * MINUTE)


def test_doubtful_letter_counts_from_its_arrival_if_the_moderator_rules_so_in_the_log(real: Stage) -> None:
    tag = real.game()
    doubtful_letter(real, tag)
    number = real.notices("doubtful")[0]["mail"]

    real.alter(lambda work: doubtful.admit(work, work.game(tag), number, "Почта Анны стояла, провайдер подтвердил."))
    real.later(2 * MINUTE)

    assert frozen(real, tag, 1)[SPAIN] == ["sent"] * 3
    (ruling,) = real.events(tag, "ruling")
    assert (ruling["turn"], ruling["seat"], ruling["text"]) == (1, SPAIN, "Почта Анны стояла, провайдер подтвердил.")
    assert len(real.events(tag, "order")) == 1
    assert [row.address for row, _ in real.letters("ruling")] == [ANNA, BORIS]


def test_letter_that_turns_up_after_the_lock_is_evidence_and_sender_and_moderator_are_told(real: Stage) -> None:
    tag = real.game()
    real.settle()
    deadline = real.turn(tag).deadline
    real.pass_deadline(tag)

    real.write(tag, SPAIN, SPAIN_ORDERS, arrival=deadline - 20 * MINUTE)
    real.later(20 * MINUTE)

    receipt = real.letters("receipt", ANNA)[-1][1]
    assert isinstance(receipt, Receipt)
    assert receipt.late is not None
    assert (receipt.late["turn"], receipt.late["open"], receipt.in_force) == (1, 2, ())
    assert [row.address for row, _ in real.letters("evidence")] == [OPERATOR]
    assert real.notices("evidence")[0]["turn"] == 1
    assert real.in_force(tag, SPAIN) == ()  # nor have they become orders of turn 2

    number = real.notices("evidence")[0]["mail"]
    with pytest.raises(RefusedByRules, match="mail-too-late"):
        real.alter(lambda work: doubtful.admit(work, work.game(tag), number, "why"))


def test_only_a_doubtful_letter_of_the_game_can_be_admitted(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, SPAIN_ORDERS)

    with pytest.raises(RefusedByRules, match="not-doubtful"):
        place.alter(lambda work: doubtful.admit(work, work.game(tag), 1, "why"))
    with pytest.raises(NotFound, match="mail"):
        place.alter(lambda work: doubtful.admit(work, work.game(tag), 99, "why"))
