"""Questions by the beacon, and a kill between any two steps: nothing is lost or comes twice (play-by-mail 1.8)."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from adjudicator import failpoint, jobs
from adjudicator.beacon import Relays
from adjudicator.services.header import Header
from tests.adjudicator.services.smuggling import FIRST, asking_game, checked, game, group
from tests.adjudicator.services.stage import MINUTE, Stage, maildir_stage
from tests.rulesets import installed
from tests.servers.relay import relay
from tests.servers.smtp_sink import SmtpSink


@pytest.fixture(autouse=True)
def smugglers() -> Iterator[None]:
    with installed():
        yield


def test_group_of_answers_waits_for_a_round_of_its_own(empty: Stage) -> None:
    with relay() as found:
        object.__setattr__(empty.desk, "beacon", Relays((found.address,)).value)
        tag = game(empty, "first first", header=Header(dice="beacon", auto_start=False))
        empty.settle()
        empty.later(2 * MINUTE)
        empty.pass_deadline(tag)
        empty.later(2 * MINUTE)
        for number in (1, 2):
            assert group(empty, tag).number == number
            empty.say(tag, FIRST, "1\nготов")
            empty.later(23 * MINUTE)
            assert empty.turn(tag).status == "locked"  # the round is still to come
            empty.later(2 * MINUTE)

    assert empty.turn(tag).number == 2
    locks = [event["round"] for event in empty.events(tag, "lock")]
    assert [event["round"] for event in empty.events(tag, "beacon")] == locks
    assert len(set(locks)) == 4
    report = checked(empty, tag)
    assert report.faults == ()
    assert [turn.verdict for turn in report.turns] == ["replayed", "replayed"]


class Killed(BaseException):
    """The process is gone."""


def die_at(hit: int, trace: list[str]) -> Any:
    """Return a hook that kills at the hit-th place where a question is asked, closed or resolved with; 0 kills none."""

    def reach(name: str) -> None:
        if name.startswith(("asking:", "resolve:")):
            trace.append(name)
            if len(trace) == hit:
                raise Killed(name)

    return reach


def test_kill_between_any_two_steps_loses_nothing_and_repeats_nothing(
    tmp_path: Path, smtp_sink: SmtpSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = tmp_path / "before.db"
    with maildir_stage(f"sqlite:///{before}", smtp_sink, tmp_path / "before") as stage:
        tag = asking_game(stage, "first all")
        stage.say(tag, FIRST, "1\nготов")

    def played(hit: int) -> tuple[list[str], list[dict[str, Any]], list[str]]:
        place = tmp_path / f"killed-{hit}"
        place.mkdir()
        shutil.copy(before, place / "service.db")
        trace: list[str] = []
        with maildir_stage(f"sqlite:///{place / 'service.db'}", smtp_sink, place) as stage:
            stage.clock.move(timedelta(minutes=23))
            monkeypatch.setattr(failpoint, "hook", die_at(hit, trace))
            if hit:
                with pytest.raises(Killed):
                    stage.settle()
                monkeypatch.setattr(failpoint, "hook", None)
                jobs.take_over(stage.desk)
            stage.settle()
            monkeypatch.setattr(failpoint, "hook", None)
            assert group(stage, tag).number == 2
            return trace, stage.events(tag), [row.key for row, _ in stage.letters()]

    trace, log, letters = played(0)
    places = [f"{unit}:{step}" for unit in ("asking", "resolve") for step in ("begun", "before-commit", "after-commit")]
    assert set(trace) == {*places, "resolve:computed"}
    for hit in range(1, len(trace) + 1):
        _, again, sent = played(hit)
        assert (hit, again, sent) == (hit, log, letters)
