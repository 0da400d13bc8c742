"""Stories of the service: two of them on one file, and a game's end."""

from __future__ import annotations

import dataclasses
from collections import Counter
from datetime import timedelta

import pytest

from adjudicator import bootstrap, jobs
from adjudicator.errors import ConfigError
from adjudicator.fairplay.sources import read_source
from adjudicator.fairplay.verify import verify
from adjudicator.services import archive
from engine.core import registry
from tests.adjudicator.services.stage import ANNA, BORIS, PIRATES_ORDERS, SPAIN_ORDERS
from tests.e2e.stories.story import Story

MINUTE = timedelta(minutes=1)


def test_two_services_on_one_sqlite_file_do_everything_once(story: Story) -> None:
    anna, boris = story.person(ANNA, "Анна"), story.person(BORIS, "Борис")
    config = story.stage.house.config

    # The second one is turned away while the first one runs.
    with (
        bootstrap.sole_service(config),
        pytest.raises(ConfigError, match="already-served"),
        bootstrap.sole_service(config),
    ):
        pass

    # Even where the lock is not seen, as from another machine, nothing happens twice.
    desk = story.stage.desk
    other = dataclasses.replace(desk, owner="another machine")
    anna.answers(anna.last("Ход 0"), SPAIN_ORDERS + "готова")
    boris.answers(boris.last("Ход 0"), PIRATES_ORDERS + "готов")
    for _ in range(3):
        for one in (desk, other):
            jobs.run_once(one)
        story.stage.clock.move(12 * MINUTE)
    assert anna.subjects() == boris.subjects() == ["[pirates-1] Ход 1: расписка 1 ✓", "[pirates-1] Ход 1"]
    assert story.number == 2
    counts = Counter(mail.message_id for mail in story.sink.received)
    assert set(counts.values()) == {1}


def test_end_and_archive(story: Story) -> None:
    anna, boris = story.person(ANNA, "Анна"), story.person(BORIS, "Борис")
    anna.answers(anna.last("Ход 0"), "ничья\nслово: Спасибо за игру!")
    story.work()
    anna.answers(anna.one("Предложить ничью?"), "да")
    story.work()
    boris.answers(boris.one("Голосование 1"), "голос да")
    story.work()

    # All are told, the last letter carries what was sealed and the whole log, and nobody is reminded of anything.
    last = boris.one("Конец игры")
    assert "Ничья: за неё проголосовали все, кто был в игре" in last.text
    assert "│ Спасибо за игру!" in last.lines_as_sent
    assert "## Кости всей партии" in last.lines_as_sent
    checked = verify(read_source("last letter", last.message.as_bytes()), {"pirates": registry.ruleset("pirates")})
    assert (checked.faults, checked.finished) == ((), True)
    anna.news()
    for _ in range(4):
        story.stage.later(timedelta(days=1))
    assert (anna.news(), boris.news()) == ([], [])

    # The archive opens with the result, and whoever looks at it later can check its log.
    with story.stage.house.look() as work:
        pages = archive.pages(work, work.game(story.tag, lock=False))
    assert "Ничья" in pages["index.html"].decode()
    assert "A draw" in pages["index.en.html"].decode()
    log = next(data for name, data in pages.items() if name.endswith(".jsonl"))
    assert verify(read_source("archive", log), {"pirates": registry.ruleset("pirates")}).faults == ()
