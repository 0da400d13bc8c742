"""Dice by the beacon: nothing is drawn before a round named ahead is out (fair-play 3.2, rules L and B)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from adjudicator.beacon import Relays
from adjudicator.clock import from_iso
from adjudicator.fairplay.chain import beacon_round, beacon_value, round_time
from adjudicator.fairplay.sources import read_source
from adjudicator.fairplay.verify import verify
from adjudicator.letters import Report
from adjudicator.services import games, logbook, positions, turns
from adjudicator.services.header import Header
from engine.core import registry
from tests.adjudicator.services.stage import CAST, MINUTE, SPAIN, SPAIN_ORDERS, Stage, fixed_chance
from tests.servers.relay import Relay, relay, signature

BY_BEACON = Header(dice="beacon", auto_start=False)


@pytest.fixture
def drand(empty: Stage) -> Iterator[Relay]:
    """Give a relay that the service asks."""
    with relay() as found:
        object.__setattr__(empty.desk, "beacon", Relays((found.address,)).value)
        yield found


def created(stage: Stage) -> str:
    with stage.house.unit("test") as work:
        game = games.create(work, "pirates", len(CAST), header=BY_BEACON, source=fixed_chance())
        for address, name, language, seat in CAST:
            invitation = games.invite(work, game, address, name=name, language=language, seat=seat)
            games.join(work, game, invitation, phrase=f"соль {name}", arrival=work.now)
    return game.tag


def started(stage: Stage) -> str:
    tag = created(stage)
    with stage.house.unit("test") as work:
        games.start(work, work.game(tag))
    stage.settle()
    stage.later(2 * MINUTE)
    return tag


def rounds(stage: Stage, tag: str, kind: str) -> list[Any]:
    return [event.get("round") for event in stage.events(tag, kind)]


def unix(instant: datetime) -> int:
    return int(instant.timestamp())


def checked(stage: Stage, tag: str) -> Any:
    with stage.house.look() as work:
        game = work.game(tag, lock=False)
        file = logbook.file_for(work, game, None, 0, game.seq)
    report = verify(read_source(tag, file), {"pirates": registry.ruleset("pirates")})
    assert report.faults == ()
    return report


def test_start_draws_nothing_before_the_round_is_out(empty: Stage, drand: Relay) -> None:
    tag = created(empty)
    with empty.house.unit("test") as work:
        games.start(work, work.game(tag))
    number = beacon_round(unix(empty.clock.now()))

    empty.settle()

    assert rounds(empty, tag, "lock") == [number]
    assert (empty.events(tag, "result"), drand.asked) == ([], [])

    empty.later(timedelta(seconds=round_time(number) - unix(empty.clock.now())))

    assert drand.asked == [number]
    assert [event["value"] for event in empty.events(tag, "beacon")] == [beacon_value(number, signature(number))]
    assert empty.turn(tag).number == 0
    assert checked(empty, tag).beacons == (beacon_value(number, signature(number)),)


def test_a_turn_names_its_round_when_it_opens_and_waits_for_it(empty: Stage, drand: Relay) -> None:
    tag = started(empty)
    turn = empty.turn(tag)
    number = beacon_round(unix(turn.deadline))

    assert rounds(empty, tag, "open") == [number]
    empty.write(tag, SPAIN, "соль: семь футов\nготов")
    empty.settle()
    empty.read_until(turn.deadline + 3 * MINUTE)

    assert rounds(empty, tag, "lock")[-1] == number
    assert drand.asked[-1] == number
    assert empty.turn(tag).number == 1
    assert {row for rows in empty.events(tag, "lock")[-1]["rows"].values() for row in rows.values()} == {"-"}
    checked(empty, tag)


def test_no_phrase_is_taken_and_the_receipt_says_why(empty: Stage, drand: Relay) -> None:
    tag = started(empty)

    receipt = empty.say(tag, SPAIN, "соль: семь футов под килем\nготов")

    assert [(line.mark, line.key) for line in receipt.lines] == [
        ("command-refused", "salt-beacon"),
        ("command", "ready-draft"),
    ]
    assert empty.events(tag, "phrase") == []


def test_an_early_lock_takes_a_round_still_to_come(empty: Stage, drand: Relay) -> None:
    tag = started(empty)
    empty.later(30 * MINUTE)
    with empty.house.unit("test") as work:
        turns.process(work, work.game(tag), 0)
    empty.settle()

    lock = empty.events(tag, "lock")[-1]
    decided = from_iso(lock["decided"])
    assert lock["round"] == beacon_round(unix(decided))
    assert round_time(lock["round"]) > unix(empty.clock.now())
    assert empty.turn(tag).status == "locked"

    empty.later(2 * MINUTE)

    assert empty.turn(tag).number == 1
    checked(empty, tag)


def test_a_moved_deadline_takes_another_round(empty: Stage, drand: Relay) -> None:
    tag = started(empty)
    with empty.house.unit("test") as work:
        turn = turns.extend(work, work.game(tag), 0, timedelta(hours=5))
        deadline = turn.deadline

    assert rounds(empty, tag, "deadline") == [beacon_round(unix(deadline))]
    empty.pass_deadline(tag)
    assert rounds(empty, tag, "lock")[-1] == beacon_round(unix(deadline))
    checked(empty, tag)


def test_a_round_nobody_has_is_replaced_by_one_still_to_come(empty: Stage, drand: Relay) -> None:
    """Rule B: never by one that is out already."""
    tag = started(empty)
    drand.mode = "missing"
    empty.pass_deadline(tag)
    first = rounds(empty, tag, "lock")[-1]
    assert empty.turn(tag).status == "locked"

    empty.later(61 * MINUTE)

    second = rounds(empty, tag, "beacon")[-1]
    assert second == beacon_round(unix(empty.clock.now())) != first
    assert empty.turn(tag).status == "locked"

    drand.mode = "good"
    empty.later(2 * MINUTE)

    assert [event.get("value", "") for event in empty.events(tag, "beacon")[-2:]] == [
        "",
        beacon_value(second, signature(second)),
    ]
    assert empty.turn(tag).number == 1
    checked(empty, tag)


def test_the_report_prints_round_and_value(empty: Stage, drand: Relay) -> None:
    tag = started(empty)
    empty.write(tag, SPAIN, SPAIN_ORDERS)
    empty.pass_deadline(tag)

    reports = [value for _, value in empty.letters("report") if isinstance(value, Report)]

    assert [report.beacon for report in reports[-2:]] == [empty.events(tag, "beacon")[-1]["value"]] * 2
    assert [report.weak_chance for report in reports[-2:]] == [False, False]
    with empty.house.look() as work:
        assert positions.table(work.game(tag, lock=False)).header.dice == "beacon"
