"""Stories of machines without any sign: what answers our letters by itself falls silent soon, and so do we."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from adjudicator.services import observing
from tests.adjudicator.services.stage import ANNA, BORIS, OPERATOR
from tests.e2e.stories.story import Got, Person, Story

Says = Callable[[Got, int], str]
"""What a machine writes in answer to a letter, and which letter of its own that is."""


def goes_on(story: Story, says: Says, *machines: Person, threads: bool = True, rounds: int = 12) -> list[int]:
    """Let machines answer every letter they get, with a new ticket number each time; return how many each got.

    Each begins with the last letter it has. ``threads``: their answers name what they answer.
    """
    inbox = {machine.address: [machine.last()] for machine in machines}
    for machine in machines:
        machine.news()
    got = [0 for _ in machines]
    number = 1000
    for _ in range(rounds):
        for machine in machines:
            for letter in inbox[machine.address]:
                number += 1
                answered = str(letter.message["Message-ID"]) if threads else ""
                to = str(letter.message["Reply-To"] or letter.message["From"])
                machine.posts(
                    says(letter, number), subject=f"[#{number}] Re: {letter.subject}", to=to, answers=answered
                )
        story.work()
        for place, machine in enumerate(machines):
            inbox[machine.address] = machine.news()
            got[place] += len(inbox[machine.address])
        if not any(inbox.values()):
            return got
    raise AssertionError(f"after {rounds} rounds they still write: {got}")


MACHINES: dict[str, Says] = {
    "tells a number": lambda _, number: f"Здравствуйте!\nВаше обращение №{number} зарегистрировано, ждите ответа.",
    "says a command": lambda _, number: f"Обращение {number}\nстатус",
    "writes an order that is none": lambda _, number: f"Обращение {number}\nкорабль {number}: плыть {number}",
    "resigns": lambda _, number: f"Обращение {number}\nсдаюсь",
    "asks for its data": lambda _, number: f"Обращение {number}\nмои данные",
    "returns the letter": lambda letter, number: f"Обращение {number}. Ваше письмо:\n\n{letter.lines_as_sent}",
    "returns every third line": lambda letter, number: "\n".join(
        [str(number), *letter.lines_as_sent.splitlines()[::3]]
    ),
}


@pytest.mark.parametrize("says", MACHINES.values(), ids=MACHINES)
def test_machine_without_any_sign_gets_two_answers_of_a_kind_and_then_none(story: Story, says: Says) -> None:
    anna = story.person(ANNA, "Анна")
    goes_on(story, says, anna)

    answers = [
        kind for kind, address in story.stage.kinds() if address == ANNA and kind not in ("invitation", "report")
    ]
    assert max(Counter(answers).values()) <= 3
    assert len(answers) <= 4


def test_machine_that_names_nothing_it_answers_falls_silent_too(story: Story) -> None:
    assert goes_on(story, MACHINES["says a command"], story.person(ANNA, "Анна"), threads=False) == [2]


def test_press_between_two_machines_ends_after_two_letters_each(story: Story) -> None:
    anna, boris = story.person(ANNA, "Анна"), story.person(BORIS, "Борис")
    anna.answers(anna.last("Ход 0"), "письмо Борису:\nПривет!\nконец письма")
    story.work()
    goes_on(story, MACHINES["tells a number"], anna, boris)

    press = [address for kind, address in story.stage.kinds() if kind == "press"]
    assert (press.count(ANNA), press.count(BORIS)) == (2, 3)


def test_machine_of_the_moderator_falls_silent(story: Story) -> None:
    vera = story.judge("vera@example.org", "Вера")
    for text in ("статус", "Вера пишет"):
        vera.judges(text)
        story.work()
        goes_on(story, lambda letter, number: f"Обращение {number}\nстатус\n{letter.subject}", vera)

    answers = [kind for kind, address in story.stage.kinds() if address == vera.address]
    assert max(Counter(answers).values()) <= 6


def test_machine_of_an_operator_or_observer_falls_silent(story: Story) -> None:
    host = story.person(OPERATOR, "Хозяин")
    watcher = story.person("oleg@example.org", "Олег")
    story.stage.alter(
        lambda work: observing.begin(work, work.game(story.tag), watcher.address, name="Олег", language="ru", cause="1")
    )
    story.work()

    assert goes_on(story, MACHINES["says a command"], host, watcher) == [0, 0]
