"""A story of «Шакал»: an island opened by mail, in two languages."""

from __future__ import annotations

from email.message import EmailMessage

from tests.adjudicator.services.islanders import lay
from tests.adjudicator.services.stage import ANNA, BORIS, MINUTE, OPERATOR
from tests.e2e.stories.story import Got, Story

OPENING = "all closed, G2 = plane closed, L7 = chest2 closed, C9 = ice closed"
"""The island as it lies in this story, nothing turned up yet."""


def pictures(letter: Got) -> list[str]:
    """Return the types of the pictures a letter brings, inline and attached."""
    return [part.get_content_type() for part in letter.message.walk() if part.get_content_maintype() == "image"]


def test_island_is_opened_by_mail_with_a_refusal_a_plane_and_a_picture(blank: Story) -> None:
    host, anna, boris = blank.person(OPERATOR, "Хозяин"), blank.person(ANNA, "Анна"), blank.person(BORIS, "Boris")

    # A host asks for a game by mail, and two people join: Anna in Russian, Boris in English.
    words = f"создать шакал\nигроков = 2\nрасписание = 24h\nпригласить Анна <{ANNA}> белые"
    host.posts(words, subject="игра")
    blank.work()
    host.answers(host.one("Создать игру?"), "да")
    blank.work()
    host.answers(host.one("Игра создана"), f"пригласить {BORIS}")
    blank.work()
    anna.answers(anna.one("Приглашение в игру"), "Вступаю!\nсоль: семь футов под килем")
    boris.answers(boris.one("Приглашение в игру"), "join\nlanguage en\nsalt: fifteen men")
    blank.work()
    blank.stage.ready = "jackal-1"
    lay(blank.stage, "jackal-1", OPENING)

    # Anna's line for black is no legal order; the receipt says why, offers ways out, and the other line stands.
    opening = anna.last("Игра начинается")
    assert "**Ход 1: жду ваших приказов" in opening.text
    anna.answers(opening, "Б: Б1 на G2\nЧ: Ч1 на \nготова")
    boris.answers(boris.last("The game begins"), "Y: Y1 to L7\nR: SHIP N\nready")
    anna.news(), boris.news()
    blank.work()
    refused = anna.one("расписка")
    assert refused.subject == "[jackal-1] Ход 1: расписка 1 ✗ 1 строка не принята"
    assert "✓ белые: Б1 на G2" in refused.text
    assert "здесь нужна клетка" in refused.text
    assert "Ч1 на G12" in refused.text
    assert "✓ yellow: Y1 to L7" in boris.one("receipt").text
    anna.answers(refused, "Ч: Ч1 на G12\nготова")
    blank.work()
    assert anna.one("расписка").subject == "[jackal-1] Ход 1: расписка 2 ✓"
    blank.passes(25 * MINUTE)

    # The plane is turned up: Anna is asked, Boris learns that she is. She answers by the number of the letter.
    asked = anna.one("решать вам")
    assert "Б1 G1 → G2 (J6.4), открыт самолёт (J8.12)." in asked.text
    assert "2. G1 — свой корабль 3. G13 — корабль чёрных" in asked.text
    (closed,) = asked.lines("4.")
    assert "закрыта, ближе всего к своему кораблю" in closed
    waiting = boris.one("a decision is awaited")
    assert "White and black" in waiting.text
    assert "1. stay" not in waiting.text
    anna.answers(asked, "4\nготова")
    blank.work()
    target = closed.split()[1]
    assert f"✓ вопрос 1: {target}" in anna.one("расписка").text
    blank.passes(25 * MINUTE)

    # The reports tell the round in both languages, with the picture of the island as each sees it.
    told, said = anna.one("Ход 1"), boris.one("Turn 1")
    assert f"Б1 G1 → G2 (J6.4), открыт самолёт (J8.12) → {target} самолётом (J8.12)" in told.text
    assert f"W1 G1 → G2 (J6.4), turned up the plane (J8.12) → {target} by plane (J8.12)" in said.text
    assert "Y1 M7 → L7 (J6.4), turned up chest II (J8.11), 2 coins there" in said.text
    for letter in (told, said):
        assert pictures(letter) == ["image/png", "image/svg+xml"]
        assert isinstance(letter.message.get_body(("html",)), EmailMessage)
    assert blank.number == 2
