"""A mail that is only looked at gets the verdict that intake gives it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from adjudicator.cli.reading import read_here
from tests.adjudicator.services.stage import ANNA, BORIS, SPAIN, SPAIN_ORDERS, Stage

Mail = Callable[[Stage, str], bytes]
FORWARD = "-------- Пересылаемое сообщение --------\nОт: Судья <judge@example.org>\nТема: ход\n\nкорабль 1: стоять\n"


def to_spain(text: str, sender: str = ANNA, **headers: str) -> Mail:
    def written(stage: Stage, tag: str) -> bytes:
        to = f"judge+{stage.carrier(tag, SPAIN)}@example.org"
        fields = [(name.replace("_", "-"), value) for name, value in headers.items()]
        return stage.message(sender, text, to=to, headers=fields)

    return written


def bare(text: str, sender: str = ANNA) -> Mail:
    return lambda stage, tag: stage.message(sender, text, subject=f"[{tag}]")


MAILS: dict[str, tuple[Mail, str]] = {
    "orders": (to_spain(SPAIN_ORDERS), "orders"),
    "a line that is refused": (to_spain("корабль 77: стоять"), "orders"),
    "a command": (to_spain("статус"), "orders"),
    "press": (to_spain("письмо Борису:\nпривет\nконец письма"), "orders"),
    "a dispute": (to_spain("спор ход 1: не так было"), "orders"),
    "thanks": (to_spain("спасибо за отчёт!"), "empty"),
    "nothing": (to_spain("\n"), "empty"),
    "a quote alone": (to_spain("> корабль 1: стоять\n"), "empty"),
    "forwarded without a word": (to_spain(FORWARD), "held"),
    "lost letters": (to_spain("корабль 1: сто\ufffdть"), "held"),
    "without proof": (bare(SPAIN_ORDERS), "held"),
    "thanks without proof": (bare("спасибо за отчёт!"), "held"),
    "from nobody known": (bare(SPAIN_ORDERS, "nobody@example.net"), "held"),
    "with another's token": (to_spain(SPAIN_ORDERS, BORIS), "held"),
    "a robot's": (to_spain("меня нет", Auto_Submitted="auto-replied"), "automatic"),
    "a robot's with orders": (to_spain(SPAIN_ORDERS, Auto_Submitted="auto-generated"), "held"),
    "perhaps a robot's": (to_spain("меня нет", List_Help="<mailto:help@example.net>"), "held"),
    "a list's": (to_spain(SPAIN_ORDERS, List_Id="<all.example.net>"), "held"),
    "ours": (bare(SPAIN_ORDERS, "judge@example.org"), "automatic"),
    "returned": (bare("550 no such user", "mailer-daemon@example.net"), "bounce"),
    "too many lines": (to_spain("корабль 1: стоять\n" * 2_100), "quarantined"),
}


@pytest.mark.parametrize(("write", "verdict"), MAILS.values(), ids=MAILS.keys())
def test_looking_gives_the_verdict_of_intake(place: Stage, write: Mail, verdict: str) -> None:
    tag = place.game()
    raw = write(place, tag)
    with place.house.look() as work:
        looked = read_here(work, raw, place.desk.doorway)

    place.deliver(raw)
    place.settle()

    assert (looked["verdict"], place.verdicts()[-1][0]) == (verdict, verdict)
