"""Whatever one mail, one row or one ruleset does: it is named, set aside or stuck, and everything else goes on."""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage

import pytest
from sqlmodel import col, select

from adjudicator import failpoint, jobs
from adjudicator.letters import Receipt
from adjudicator.services import intake, lookout, resolving
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, LogEntry, Mail, Seat, Turn
from engine.core import registry
from engine.pirates import Pirates
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
    VERA,
    Stage,
)

OTHERS = ((VERA, "Вера", "ru", SPAIN), ("gleb@example.org", "Глеб", "ru", PIRATES))


# Bad input


def parts(number: int) -> bytes:
    body = b"--x\r\n\r\n\r\n" * number
    return b'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="x"\r\n\r\n' + body + b"--x--\r\n"


def nested(depth: int) -> bytes:
    head = b"MIME-Version: 1.0\r\n"
    for level in range(depth):
        head += b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (level, level)
    return head + b"\r\nhello\r\n"


def addressed(stage: Stage, tag: str, rest: bytes) -> bytes:
    """Return a mail of Anna with her token and the given end."""
    head = (
        f"From: {ANNA}\r\nTo: judge+{stage.carrier(tag, SPAIN)}@example.org\r\n"
        f"Message-ID: <bad.{len(rest)}@example.org>\r\nSubject: =?utf-8?b?0L/RgNC40LrQsNC30Ys=?=\r\n"
    )
    return head.encode() + rest


QUARANTINED = {
    "50,000 parts": (parts(50_000), "too-many-parts"),
    "3,000 multiparts in each other": (nested(3_000), "too-deep"),
    "text of 2 MB": (b"\r\n" + "корабль 1: стоять\r\n".encode() * 70_000, "text-too-large"),
    "2,500 lines": (b"\r\n" + "корабль 1: стоять\r\n".encode() * 2_500, "too-many-lines"),
}


@pytest.mark.parametrize(("rest", "why"), QUARANTINED.values(), ids=QUARANTINED.keys())
def test_mail_beyond_a_limit_is_set_aside_named_and_answered_and_the_next_is_read(
    both: Stage, rest: bytes, why: str
) -> None:
    tag = both.game()
    both.deliver(addressed(both, tag, rest))
    both.write(tag, PIRATES, "корабль 4: стоять")
    both.settle()

    assert both.verdicts() == [("quarantined", why), ("orders", "")]
    assert [fact["why"] for fact in both.notices("quarantined", ANNA)] == [why]
    assert [fact["why"] for fact in both.notices("quarantined-operator", OPERATOR)] == [why]
    assert both.in_force(tag, SPAIN) == ()
    assert len(both.in_force(tag, PIRATES)) == 1


READ_OR_HELD = {
    "broken multipart": b'Content-Type: multipart/mixed; boundary="x"\r\n\r\n--y\r\n\r\nhm\r\n--x\r\nContent-Type',
    "unknown charset": b"Content-Type: text/plain; charset=x-martian\r\n\r\n" + "корабль 1: стоять".encode("cp1251"),
    "line of 2 MB": b"Content-Type: text/plain; charset=utf-8\r\n\r\n" + b"A" * (2 << 20) + b"\r\n",
    "bad base64": b"Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n!!!%%%\r\n",
    "NUL and lone surrogates": b"Content-Type: text/plain; charset=utf-16\r\n\r\n\x00\xd8\x00\x00h\x00\r\n",
    "odd headers": b'Content-Type: text/plain; name*\r\nReferences: <[x@y]>\r\nCc: (c):\r\nX: "\r\n\r\n\xd0\xba\r\n',
    "nothing at all": b"",
}


@pytest.mark.parametrize("rest", READ_OR_HELD.values(), ids=READ_OR_HELD.keys())
def test_damaged_mail_gets_a_verdict_and_the_next_is_read(both: Stage, rest: bytes) -> None:
    tag = both.game()
    both.deliver(addressed(both, tag, rest))
    both.write(tag, PIRATES, "корабль 4: стоять")
    both.settle()

    (first, _), second = both.verdicts()
    assert first in ("orders", "held", "quarantined", "empty")
    assert second == ("orders", "")
    assert len(both.in_force(tag, PIRATES)) == 1


def test_bytes_that_are_no_mail_get_a_verdict(both: Stage) -> None:
    tag = both.game()
    for rubbish in (b"", b"\x00\xff\xfe" * 400, b"From: \r\n" * 3000, b"\r\n" * 100):
        both.deliver(rubbish)
    both.write(tag, PIRATES, "корабль 4: стоять")
    both.settle()

    assert "new" not in [verdict for verdict, _ in both.verdicts()]
    assert len(both.in_force(tag, PIRATES)) == 1


def test_mail_over_the_size_limit_is_never_fetched_and_is_named(tmp_path: object, place: Stage) -> None:
    tag = place.game()
    place.deliver(addressed(place, tag, b"\r\n" + b"x" * (26 << 20)))
    place.write(tag, PIRATES, "корабль 4: стоять")
    place.settle()

    assert place.verdicts()[0] == ("quarantined", "too-large")
    assert [fact["why"] for fact in place.notices("quarantined-operator")] == ["too-large"]
    assert len(place.in_force(tag, PIRATES)) == 1


def test_orders_in_an_attachment_beside_html_do_no_harm(place: Stage) -> None:
    tag = place.game()
    message = EmailMessage()
    message["From"], message["To"] = ANNA, f"judge+{place.carrier(tag, SPAIN)}@example.org"
    message["Message-ID"] = "<attached@example.org>"
    message.set_content("корабль 1: стоять\n")
    message.add_alternative("<p>корабль 1: стоять</p><script>alert(1)</script>", subtype="html")
    message.add_attachment(b"\x00" * 1000, maintype="application", subtype="octet-stream", filename="../../etc/passwd")
    place.deliver(message.as_bytes())
    place.settle()

    assert len(place.in_force(tag, SPAIN)) == 1


def test_mail_that_raises_is_tried_three_times_and_then_set_aside(
    place: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    tag = place.game()
    place.alter(lambda work: spoil_seat_titles(work, tag))
    place.write(tag, SPAIN, SPAIN_ORDERS)
    for expected in ("new", "new", "quarantined"):
        place.settle()
        assert place.verdicts()[0][0] == expected
    assert [(fact["mail"], fact["sender"]) for fact in place.notices("quarantined-operator", OPERATOR)] == [(1, ANNA)]
    assert [fact["why"] for fact in place.notices("quarantined", ANNA)] == ["failed"]


def spoil_seat_titles(work: Work, tag: str) -> None:
    game = work.session.exec(select(Game).where(Game.tag == tag)).one()
    for seat in work.session.exec(select(Seat).where(Seat.game_id == game.id)):
        seat.titles = "{"
        work.session.add(seat)


# Altered rows


def flip(data: bytes) -> bytes:
    return data[:-1] + bytes([data[-1] ^ 1])


def other_game(stage: Stage) -> str:
    """Open a second game, which must go on whatever becomes of the first."""
    return stage.game(cast=OTHERS)


def goes_on(stage: Stage, tag: str) -> None:
    assert stage.turn(tag).number == 2


def test_state_altered_in_the_database_is_trouble_of_its_game_alone(both: Stage) -> None:
    tag, other = both.game(), other_game(both)

    def alter(work: Work) -> None:
        turn = work.session.exec(select(Turn).where(Turn.number == 1).order_by(col(Turn.id))).first()
        assert turn is not None
        turn.state = flip(turn.state)
        work.session.add(turn)

    both.alter(alter)
    both.pass_deadline(tag)

    goes_on(both, other)
    assert both.turn(tag, 1).status == "open"
    for minutes in (1, 5, 30):
        both.later(minutes * MINUTE)
    assert "InvalidTag" in both.notices("stuck-operator", OPERATOR)[0]["cause"]
    assert both.turn(tag, 1).trouble.startswith("InvalidTag")


@pytest.mark.parametrize("kind", ["lock", "open", "order"])
def test_event_altered_in_the_database_makes_its_turn_stuck(both: Stage, kind: str) -> None:
    tag, other = both.game(), other_game(both)
    both.say(tag, SPAIN, SPAIN_ORDERS)
    both.settle()
    both.read_until(both.turn(tag).deadline - MINUTE)

    def alter(work: Work) -> None:
        query = select(LogEntry).where(LogEntry.game_id == 1, col(LogEntry.event).contains(f'"type":"{kind}"'))
        entry = work.session.exec(query.order_by(col(LogEntry.seq).desc())).first()
        assert entry is not None
        entry.event = entry.event.replace('"at":"2026', '"at":"2027')
        work.session.add(entry)

    if kind == "lock":
        both.clock.move_to(both.turn(tag).deadline + 3 * MINUTE)
        lock_only(both)
    both.alter(alter)
    both.at(both.clock.now() + 4 * MINUTE)

    assert (both.turn(tag).number, both.turn(tag).status) == (1, "stuck")
    assert "was altered" in both.turn(tag).trouble
    goes_on(both, other)


def lock_only(stage: Stage) -> None:
    jobs.poll(stage.desk, stage.desk.sources[0])
    intake.handle_all(stage.house, stage.desk.doorway)
    lookout.look_after_all(stage.house, stage.desk.mailboxes)


class Died(BaseException):
    """What stands for the death of the process: nothing catches it."""


def die(name: str) -> None:
    if name == "intake:begun":
        raise Died


def attempts(stage: Stage) -> list[int]:
    with stage.house.look() as work:
        return list(work.session.exec(select(Mail.attempts).order_by(col(Mail.id))))


def test_a_mail_the_process_dies_of_three_times_is_set_aside_and_those_beside_it_are_not_suspected(
    place: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    tag = place.game()
    for _ in range(3):
        place.write(tag, SPAIN, SPAIN_ORDERS)
    counted = []
    with monkeypatch.context() as patched:
        patched.setattr(failpoint, "hook", die)
        for _ in range(3):
            with pytest.raises(Died):
                place.settle()
            counted.append(attempts(place))
    place.settle()

    assert counted == [[1, 1, 1], [2, 1, 1], [3, 1, 1]]
    assert [verdict for verdict, _ in place.verdicts()] == ["quarantined", "orders", "orders"]
    assert place.verdicts()[0][1] == intake.DIED
    assert attempts(place) == [3, 2, 2]


def test_where_several_services_share_a_database_one_at_a_time_reads_and_no_try_is_counted_for_the_others(
    both: Stage,
) -> None:
    tag = both.game()
    both.write(tag, SPAIN, SPAIN_ORDERS)
    with both.house.store.alone(intake.LOCK) as first:
        for _ in range(4):
            both.settle()
        waiting = attempts(both)
    both.settle()

    assert (first, waiting) == (True, [1] if both.house.store.is_sqlite else [0])
    assert both.verdicts() == [("orders", "")]
    assert attempts(both) == [1]


class Broken(Pirates):
    """Rules with a fault in them."""

    def resolve(self, state: object, sheets: object, dice: object, answers: object) -> object:  # type: ignore[override]
        raise ZeroDivisionError("the sea is flat")


def test_stuck_turn_is_tried_after_1_5_30_minutes_then_everybody_is_told_and_other_games_go_on(
    place: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    tag = place.game()
    place.say(tag, SPAIN, SPAIN_ORDERS)
    real = registry.ruleset
    monkeypatch.setattr(registry, "ruleset", lambda name: Broken() if name == "pirates" else real(name))
    place.pass_deadline(tag)

    assert (place.turn(tag).status, place.turn(tag).trouble) == ("stuck", "ZeroDivisionError: the sea is flat")
    tried = [place.clock.now()]
    for minutes in (1, 5, 30):
        assert place.letters("stuck") == []
        retry = place.turn(tag).retry
        assert retry == tried[-1] + minutes * MINUTE
        place.read_until(retry - timedelta(seconds=1))
        assert place.turn(tag).attempts == len(tried)
        place.read_until(retry)
        tried.append(retry)

    assert place.turn(tag).retry is None
    assert [row.address for row, _ in place.letters("stuck")] == [ANNA, BORIS]
    assert "the sea is flat" in place.notices("stuck-operator", OPERATOR)[0]["cause"]

    late = place.say(tag, SPAIN, SPAIN_ORDERS)
    assert late.late is not None
    assert late.late["reason"] == "locked"

    monkeypatch.undo()
    place.later(HOUR)
    assert place.turn(tag).status == "stuck"  # given up until the operator says so

    place.alter(lambda work: resolving.unstick(work, work.game(tag)))
    place.settle()
    assert place.turn(tag).number == 2


def test_stuck_turn_that_heals_goes_on_with_the_same_orders(place: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    tag = place.game()
    place.say(tag, SPAIN, SPAIN_ORDERS)
    real = registry.ruleset
    monkeypatch.setattr(registry, "ruleset", lambda name: Broken() if name == "pirates" else real(name))
    place.pass_deadline(tag)
    lock = place.events(tag, "lock")[-1]
    monkeypatch.undo()

    place.later(MINUTE)

    assert place.turn(tag).number == 2
    assert place.events(tag, "lock")[-1] == lock
    assert place.letters("stuck") == []


def test_forged_sender_changes_nothing(place: Stage) -> None:
    tag = place.game()
    place.deliver(place.message(ANNA, SPAIN_ORDERS, to=JUDGE, subject=f"[{tag}]"))
    place.settle()

    assert place.verdicts() == [("held", "unproven")]
    assert place.in_force(tag, SPAIN) == ()
    assert [isinstance(value, Receipt) for _, value in place.letters("receipt")] == []
