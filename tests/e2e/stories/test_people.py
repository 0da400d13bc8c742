"""Stories of people: a game from nothing by mail alone, addresses shared and split, and somebody who is forgotten."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from pathlib import Path

from adjudicator.services import retention
from adjudicator.services.header import Header
from tests.adjudicator.services.stage import ANNA, BORIS, OPERATOR, PIRATES, SPAIN, SPAIN_ORDERS, VERA
from tests.e2e.stories.story import VOUCHED, Got, Person, Story

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


def send_template(person: Person, report: Got, start: str, count: int, ready: str) -> None:
    """Let somebody send the answer template of a report back as it came."""
    person.answers(report, "\n".join([*report.lines(start)[:count], ready]))


def test_first_game_by_mail_alone(blank: Story) -> None:
    host, anna, boris = blank.person(OPERATOR, "Хозяин"), blank.person(ANNA, "Анна"), blank.person(BORIS, "Boris")

    # The host asks for a game; nobody vouches for his address, so that he is asked whether it was he.
    host.posts(f"создать пираты\nигроков = 2\nрасписание = 12h\nпригласить Анна <{ANNA}> испания-1", subject="игра")
    blank.work()
    host.answers(host.one("Создать игру?"), "да")
    blank.work()
    created = host.one("Игра создана")
    assert f"- {ANNA}: приглашение ушло" in created.text
    host.answers(created, f"пригласить {BORIS}")
    blank.work()

    # Both join; the last seat starts the game.
    anna.answers(anna.one("Приглашение в игру"), "Вступаю!\nсоль: семь футов под килем")
    boris.answers(boris.one("Приглашение в игру"), "join\nlanguage en\nsalt: fifteen men")
    blank.work()
    blank.stage.ready = "pirates-1"
    assert anna.subjects() == ["[pirates-1] Вы в игре", "[pirates-1] Игра начинается"]
    assert boris.subjects() == ["[pirates-1] You are in", "[pirates-1] The game begins"]

    # Spain sets up, and two turns are played by the answer templates.
    anna.answers(anna.last(), "золото 2\nимя 2: Надежда\nготова")
    blank.passes(25 * MINUTE)
    for number in (1, 2):
        assert blank.number == number
        send_template(anna, anna.last(f"Ход {number - 1}"), "корабль ", 3, "готова")
        send_template(boris, boris.last(f"Turn {number - 1}"), "ship ", 6, "ready")
        anna.news(), boris.news()
        blank.work()
        assert anna.one("расписка").subject == f"[pirates-1] Ход {number}: расписка {number + 1} ✓"
        assert boris.one("receipt").subject == f"[pirates-1] Turn {number}: receipt {number} ✓"
        blank.passes(25 * MINUTE)
    assert blank.number == 3
    assert "“Надежда”" in boris.last().text


def test_one_address_three_games(story: Story) -> None:
    story.provider_vouches()
    casts = (
        ((ANNA, "Анна", "ru", PIRATES), (VERA, "Вера", "ru", SPAIN)),
        ((BORIS, "Б", "ru", PIRATES), (ANNA, "А", "ru", SPAIN)),
    )
    first = story.tag
    second, third = (story.stage.game(header=Header(), cast=cast, told=False) for cast in casts)
    story.work()
    anna = story.person(ANNA, "Анна")

    # One letter for two games: it answers the second, and a line names the third.
    words = f"корабль 4: стоять\n\nигра {third}\nкорабль 1: курс СВ 1"
    anna.answers(anna.last(f"[{second}] Ход 0"), words, headers=VOUCHED)
    story.work()
    assert anna.subjects() == [f"[{second}] Ход 1: расписка 1 ✓", f"[{third}] Ход 1: расписка 1 ✓"]
    assert [
        len(story.stage.in_force(tag, seat)) for tag, seat in ((first, SPAIN), (second, PIRATES), (third, SPAIN))
    ] == [0, 1, 1]

    # A letter that names no game does nothing, and is answered with her games; a tag in the subject is enough.
    anna.posts("корабль 1: стоять", headers=VOUCHED)
    story.work()
    (which,) = anna.news()
    assert [tag in which.text for tag in (first, second, third)] == [True, True, True]
    anna.posts("корабль 1: стоять", subject=f"Re: [{first}]", headers=VOUCHED)
    story.work()
    assert anna.subjects() == [f"[{first}] Ход 1: расписка 1 ✓"]


def test_two_people_one_address(blank: Story) -> None:
    blank.provider_vouches()
    host = blank.person(OPERATOR, "Хозяин")
    anna, boris = blank.person(ANNA, "Анна"), blank.person(ANNA, "Борис")  # a couple with one mailbox
    host.posts(f"создать пираты\nигроков = 2\nпригласить Анна <{ANNA}> испания-1", headers=VOUCHED)
    blank.work()
    anna.answers(anna.one("Приглашение"), "вступаю")
    host.answers(host.one("Игра создана"), f"пригласить Борис <{ANNA}> пираты-1", headers=VOUCHED)
    blank.work()

    # His word is enough for a second seat at one address, but all are told that it is so.
    assert "это второе место на одном адресе, и всем об этом скажут" in host.one("Сделано").text
    anna.news()
    boris.answers(boris.last("Приглашение"), "вступаю", headers=VOUCHED)
    blank.work()
    blank.stage.ready = "pirates-1"
    assert [(one.subject, str(one.message["To"])) for one in anna.news()] == [
        ("[pirates-1] Вы в игре", f"Борис <{ANNA}>"),
        ("[pirates-1] Игра начинается", f"Анна <{ANNA}>"),
        ("[pirates-1] Игра начинается", f"Борис <{ANNA}>"),
        ("[pirates-1] Два места на одном адресе", f"Анна <{ANNA}>"),
        ("[pirates-1] Два места на одном адресе", f"Борис <{ANNA}>"),
    ]

    # Each speaks for his own seat by the letter he answers; a letter that answers none is asked whose it is.
    hers, his = anna.letters("Игра начинается")
    anna.answers(hers, "золото 1\nготова")
    blank.passes(25 * MINUTE)
    boris.answers(his, "ход 1\nкорабль 4: стоять")
    anna.answers(hers, "ход 1\nкорабль 1: стоять")
    blank.work()
    assert (len(blank.orders(SPAIN)), len(blank.orders(PIRATES))) == (1, 1)
    anna.news()
    anna.posts("корабль 1: ремонт", subject="Re: [pirates-1]", headers=VOUCHED)
    blank.work()
    (which,) = anna.news()
    assert ("Испания-1" in which.text, "Пираты-1" in which.text) == (True, True)
    assert len(blank.orders(SPAIN)) == 1


def test_forget_me_frees_the_seat_and_leaves_no_trace_of_the_person(story: Story, tmp_path: Path) -> None:
    anna, boris = story.person(ANNA, "Анна"), story.person(BORIS, "Борис")
    anna.answers(anna.last("Ход 0"), "письмо Борису: клад зарыт на Тортуге\nконец письма\n" + SPAIN_ORDERS)
    story.work()
    anna.answers(anna.last("расписка"), "забыть меня")
    story.work()
    asked = anna.one("Забыть вас?")
    assert "имя, адреса, письма и переписка удаляются" in asked.text

    anna.answers(asked, "да")
    story.work()
    retention.tidy(story.stage.house)
    assert anna.subjects() == ["Сделано"]
    assert "[pirates-1] Место свободно: Испания-1" in boris.subjects()
    with sqlite3.connect(tmp_path / "service.db") as database:
        dump = "\n".join(database.iterdump())
    assert (ANNA in dump, BORIS in dump) == (False, True)

    # The game goes on without her, and what she writes now is a stranger's letter.
    anna.answers(anna.last("Ход 0"), SPAIN_ORDERS)
    story.deadline_passes()
    assert anna.news() == []
    assert story.stage.verdicts()[-1] == ("held", "unknown-sender")
    assert (story.number, "Анна" in boris.last("Ход 1").text) == (2, False)
