"""A story of «Блокада»: from the invitation over sides, islands and a first chase to the last letter, by mail alone."""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage

from adjudicator.fairplay.sources import read_source
from adjudicator.fairplay.verify import verify
from engine.core import registry
from tests.adjudicator.services.stage import ANNA, BORIS, OPERATOR
from tests.e2e.stories.story import Got, Story

MINUTE = timedelta(minutes=1)
LAYOUT = {
    "Анна": "остров E8 F8 G8 G9 G10\nостров K12 L12 M12 L13 L11\nостров Q9 R9 S9 T9 T10\n"
    "остров O17 P17 P18 Q18 Q19\nскала M5\nскала H15",
    "Boris": "island E8 F8 G8 G9 G10\nisland K12 L12 M12 L13 L11\nisland Q9 R9 S9 T9 T10\n"
    "island O17 P17 P18 Q18 Q19\nrock M5\nrock H15",
}


def pictures(letter: Got) -> list[str]:
    """Return the names of the pictures that a letter shows."""
    parts = [part for part in letter.message.walk() if part.get_content_type() == "image/png"]
    return [str(part["Content-ID"]).strip("<>").partition("@")[0] for part in parts if isinstance(part, EmailMessage)]


def test_blockade_by_mail_alone(blank: Story) -> None:
    host, anna, boris = blank.person(OPERATOR, "Хозяин"), blank.person(ANNA, "Анна"), blank.person(BORIS, "Boris")
    host.posts(f"создать блокада\nрасписание = 12h\nпригласить Анна <{ANNA}>\nпригласить {BORIS}", subject="игра")
    blank.work()
    host.answers(host.one("Создать игру?"), "да")
    blank.work()
    anna.answers(anna.one("Приглашение в игру"), "Вступаю!\nсоль: полный вперёд")
    boris.answers(boris.one("Приглашение в игру"), "join\nlanguage en\nsalt: steam up")
    blank.work()
    blank.stage.ready = "blockade-1"

    # Sides and squares; then whoever won the toss lays out, first with islands that touch.
    anna.answers(anna.last("Игра начинается"), "сторона: прорыв\nгавань K1\nготова")
    boris.answers(boris.last("The game begins"), "side: blockader\ncorner W23\nready")
    blank.passes(25 * MINUTE)
    assert "Вы — **Прорыватель** (Анна)" in anna.last().text
    assert "You are **Blockader** (Boris)" in boris.last().text
    winner = anna if "Жребий ваш" in anna.last().text else boris
    layout, opened = LAYOUT[winner.name], winner.last()
    winner.answers(opened, layout.replace("Q9 R9 S9 T9 T10", "N13 O13 P13 Q13 R13"))
    winner.news()
    blank.work()
    refused = winner.one("✗")
    assert pictures(refused) == ["fault-1"]
    assert "!!" in refused.lines_as_sent
    winner.answers(opened, f"{layout}\n{'готова' if winner is anna else 'ready'}")
    blank.passes(25 * MINUTE)
    assert blank.number == 2

    # A turn by the answer templates; then both agree to count the points, with a plan in case the other does not.
    for person, start, ready in ((anna, "план:", "готова"), (boris, "plan:", "ready")):
        person.answers(person.last("1"), "\n".join([person.last("1").lines(start)[-1], ready]))
    blank.passes(25 * MINUTE)
    assert "так держать, K1 → K2" in anna.last("Ход 2").text
    assert "W23 → V23" in boris.last("Turn 2").text
    assert pictures(boris.last("Turn 2")) == ["map"]
    anna.answers(anna.last("Ход 2"), "план: = = =\nзавершаем\nготова\nслово: Ещё встретимся!")
    boris.answers(boris.last("Turn 2"), "plan: = = =\nconclude\nready")
    blank.passes(25 * MINUTE)
    last = boris.last()
    assert "Both agreed to count the points: they are equal, so the blockade was held." in last.text
    assert "Winner: Blockader." in last.text
    report = verify(read_source("blockade-1", last.file(".jsonl")), {"blockade": registry.ruleset("blockade")})
    assert (report.faults, report.sealed, {one.verdict for one in report.turns}) == ((), (), {"replayed"})
