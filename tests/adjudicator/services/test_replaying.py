"""Quarantined mail read again: in the place of its arrival, evidence after the lock, once, and its writer hears."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlmodel import col, select

from adjudicator.letters import Receipt
from adjudicator.services import replaying
from adjudicator.services.replaying import Replayed
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Seat
from mail import caps
from tests.adjudicator.services.stage import ANNA, MINUTE, OPERATOR, SPAIN, VERA, Stage
from tests.adjudicator.services.test_trouble import OTHERS, spoil_seat_titles

STRANGE = "\nпривет\n" * 1200
FIRST = "корабль 1: курс СВ 3\n"
"""Orders among more lines than a letter may have."""


def replay(stage: Stage) -> list[Replayed]:
    with stage.house.look() as work:
        waiting = replaying.waiting(work)
    done = [replaying.replay(stage.house, stage.desk.doorway, number) for number in waiting]
    stage.settle()
    return done


def outcome(done: list[Replayed]) -> list[tuple[str, str, str]]:
    return [(one.did, one.verdict, one.why) for one in done]


def set_aside(stage: Stage, tag: str, write: Callable[[], object]) -> None:
    """Let mail come in while a row of its game is spoilt, until it is set aside; then mend the row."""
    titles = dict[int, str]()

    def spoil(work: Work) -> None:
        for seat in work.session.exec(select(Seat).join(Game).where(Game.tag == tag)):
            titles[seat.id or 0], seat.titles = seat.titles, "{"
            work.session.add(seat)

    def mend(work: Work) -> None:
        for seat in work.session.exec(select(Seat).where(col(Seat.id).in_(list(titles)))):
            seat.titles = titles[seat.id or 0]
            work.session.add(seat)

    stage.alter(spoil)
    write()
    for _ in range(3):
        stage.settle()
    assert stage.verdicts()[-1][0] == "quarantined"
    stage.alter(mend)


def test_mail_that_raised_is_read_again_and_its_writer_gets_the_receipt(both: Stage) -> None:
    tag = both.game()
    set_aside(both, tag, lambda: both.write(tag, SPAIN, FIRST))

    done = replay(both)

    assert outcome(done) == [("read", "orders", "")]
    assert done[0].was.startswith("DecodeError: ")
    assert both.in_force(tag, SPAIN) == ("«Сан-Фелипе»: курс СВ 3",)
    [(row, receipt)] = both.letters("receipt")
    assert isinstance(receipt, Receipt)
    assert (row.address, receipt.reread != "") == (ANNA, True)


def test_mail_read_again_takes_the_place_of_its_arrival(place: Stage) -> None:
    tag = place.game()
    set_aside(place, tag, lambda: place.write(tag, SPAIN, FIRST + "корабль 2: стоять\n"))
    place.clock.move(MINUTE)
    place.say(tag, SPAIN, "корабль 1: стоять\n")

    replay(place)

    assert place.in_force(tag, SPAIN) == ("«Санта-Мария»: стоять", "«Сан-Фелипе»: стоять")


def test_mail_read_again_after_the_lock_is_evidence_alone(place: Stage) -> None:
    tag = place.game()
    set_aside(place, tag, lambda: place.write(tag, SPAIN, FIRST))
    place.pass_deadline(tag)
    assert place.turn(tag).number == 2
    before = place.in_force(tag, SPAIN)

    done = replay(place)

    assert outcome(done) == [("read", "late", "")]
    assert place.in_force(tag, SPAIN) == before
    receipt = place.letters("receipt", ANNA)[-1][1]
    assert isinstance(receipt, Receipt)
    assert receipt.late is not None
    assert receipt.late["turn"] == 1


def test_replay_is_idempotent(place: Stage) -> None:
    tag = place.game()
    set_aside(place, tag, lambda: place.write(tag, SPAIN, FIRST))
    number = replay(place)[0].number
    letters = [row.key for row, _ in place.letters()]

    again = replaying.replay(place.house, place.desk.doorway, number)
    place.settle()

    assert (again.did, again.verdict) == ("settled", "orders")
    assert replay(place) == []
    assert [row.key for row, _ in place.letters()] == letters


def test_mail_beyond_a_limit_stays_set_aside_and_nobody_is_told_twice(place: Stage) -> None:
    tag = place.game()
    place.write(tag, SPAIN, STRANGE)
    place.settle()
    letters = [row.key for row, _ in place.letters()]

    done = replay(place)

    assert outcome(done) == [("still", "quarantined", "too-many-lines")]
    assert [row.key for row, _ in place.letters()] == letters
    assert [fact["why"] for fact in place.notices("quarantined", ANNA)] == ["too-many-lines"]
    assert [fact["why"] for fact in place.notices("quarantined-operator", OPERATOR)] == ["too-many-lines"]


def test_mail_beyond_a_limit_is_read_once_the_limit_is_raised(place: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    tag = place.game()
    place.write(tag, SPAIN, FIRST + STRANGE)
    place.settle()
    assert place.verdicts() == [("quarantined", "too-many-lines")]
    monkeypatch.setattr(caps, "OWN_LINES_LIMIT", 10_000)

    assert outcome(replay(place)) == [("read", "orders", "")]
    assert place.in_force(tag, SPAIN) == ("«Сан-Фелипе»: курс СВ 3",)


def test_mail_that_still_raises_changes_nothing_and_does_not_stop_the_next(place: Stage) -> None:
    tag, other = place.game(), place.game(cast=OTHERS)
    set_aside(place, tag, lambda: place.write(tag, SPAIN, FIRST))
    set_aside(place, other, lambda: place.write(other, SPAIN, FIRST))
    place.alter(lambda work: spoil_seat_titles(work, tag))

    done = replay(place)

    assert [(one.sender, one.did, one.verdict) for one in done] == [
        (ANNA, "failed", "quarantined"),
        (VERA, "read", "orders"),
    ]
    assert done[0].why.startswith("DecodeError: ")
    assert place.in_force(other, SPAIN) == ("«Сан-Фелипе»: курс СВ 3",)
    assert [row.address for row, _ in place.letters("receipt")] == [VERA]


def test_copy_of_a_letter_goes_with_it(real: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    tag = real.game()
    raw = real.message(ANNA, FIRST, to=f"judge+{real.carrier(tag, SPAIN)}@example.org")
    with monkeypatch.context() as raised:
        raised.setattr(caps, "MAIL_LIMIT", 100)
        real.post(raw, real.clock.now(), "INBOX")
        real.post(b"Received: by mx.example.org\r\n" + raw, real.clock.now(), "Junk")
        real.settle()
    assert [verdict for verdict, _ in real.verdicts()] == ["quarantined", "quarantined"]

    done = replay(real)

    assert outcome(done) == [("read", "orders", "")]
    assert [verdict for verdict, _ in real.verdicts()] == ["orders", "orders"]
    assert len(real.letters("receipt")) == 1


def test_mail_whose_bytes_were_never_fetched_is_named(place: Stage) -> None:
    place.game()
    place.deliver(b"From: anna@example.org\r\n\r\n" + b"x" * (26 << 20))
    place.settle()

    assert outcome(replay(place)) == [("no-bytes", "quarantined", "")]


def test_stranger_without_any_game_is_read_again_too(empty: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    empty.deliver(empty.message("nobody@example.net", f"готов{STRANGE}"))
    empty.settle()
    assert empty.verdicts() == [("quarantined", "too-many-lines")]
    monkeypatch.setattr(caps, "OWN_LINES_LIMIT", 10_000)

    assert outcome(replay(empty)) == [("read", "held", "unknown-sender")]
    assert empty.letters(address="nobody@example.net") == []
