"""Stories of who runs a game: a substitute is called, a moderator plays himself, or there is none."""

from __future__ import annotations

from datetime import timedelta

from tests.adjudicator.services.stage import ANNA, BORIS, PIRATES, PIRATES_ORDERS, SPAIN_ORDERS, VERA
from tests.e2e.stories.story import Story

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
ERIK = "erik@example.org"


def test_substitute_takes_a_seat_over_with_its_orders_as_a_draft_and_half_a_turn(story: Story) -> None:
    vera = story.judge(VERA, "Вера")
    anna, boris, erik = story.person(ANNA, "Анна"), story.person(BORIS, "Борис"), story.person(ERIK, "Эрик")
    opening = boris.last("Ход 0")
    boris.answers(opening, PIRATES_ORDERS + "готов")
    story.work()
    assert story.stage.word(story.tag, PIRATES) == "ready"
    story.until(story.deadline - 2 * HOUR)

    due = story.deadline
    vera.judges(f"ход 1\nзаменить пираты-1 на {ERIK}")
    story.work()
    assert "Место «Пираты-1» перейдёт, когда оттуда ответят `вступаю`" in vera.one("Сделано").text
    boris.news(), anna.news()
    erik.answers(erik.one("Нужна замена"), "вступаю")
    story.work()

    # The orders in force are his as a draft, he has the seat's record, and half a turn to find his way.
    assert (story.stage.word(story.tag, PIRATES), len(story.orders(PIRATES))) == ("draft", 6)
    assert story.deadline == story.now + DAY > due
    assert "Место принял новый игрок" in anna.one("новый срок").text
    record = erik.last("Дела вашего места")
    assert "К этому письму приложено всё, что место получало до вас" in record.text
    assert "Пираты-1** (Эрик)" in erik.last("Ход 0").text

    # Boris is told; what he still writes is answered once and not executed.
    assert "ваш ключ больше не действует" in boris.one("Ваше место передано").text
    for _ in range(2):
        boris.answers(opening, "корабль 4: курс СЗ 2")
        story.work()
    assert boris.subjects() == ["[pirates-1] Это место уже не ваше"]
    assert "«Месть»: стоять" in story.orders(PIRATES)

    erik.answers(record, "корабль 4: курс СЗ 2\nготов")
    story.work()
    assert (story.stage.word(story.tag, PIRATES), story.orders(PIRATES)[-1]) == ("ready", "«Месть»: курс СЗ 2")


def test_moderator_who_plays_sees_nothing_sealed_and_needs_anothers_yes(story: Story) -> None:
    story.header(moderator="plays")
    anna, boris = story.judge(ANNA, "Анна"), story.person(BORIS, "Борис")
    boris.answers(boris.last("Ход 0"), "корабль 4: курс СЗ 2\nготов")
    story.work()
    boris.news()
    due = story.deadline

    anna.judges("предпросмотр 1\nпродлить 1 24h: гроза на даче\nсостояние")
    story.work()
    answer = anna.one("дело не сделано")
    assert "вы в этой игре играете, и закрытое вам не показывается" in answer.text
    assert "это голосование 1" in answer.text
    assert ("Пираты-1 (Борис) — черновик" in answer.text, "СЗ 2" in answer.text) == (True, False)
    assert story.deadline == due

    boris.answers(boris.one("Голосование 1"), "да")
    story.work()
    assert story.deadline == due + DAY
    assert boris.one("новый срок").subject == anna.one("новый срок").subject == "[pirates-1] Ход 1: новый срок"


def test_game_without_a_moderator_is_run_by_its_players(story: Story) -> None:
    story.header(moderator="none")
    anna, boris = story.person(ANNA, "Анна"), story.person(BORIS, "Борис")
    anna.answers(anna.last("Ход 0"), SPAIN_ORDERS + "провести 1: мы оба всё прислали")
    boris.answers(boris.last("Ход 0"), PIRATES_ORDERS)
    story.work()
    assert "предложено всем, голосование 1; ваш голос — «за»" in anna.one("расписка").text
    assert story.number == 1

    ballot = boris.one("Голосование 1")
    assert "закрыть ход 1 сейчас («мы оба всё прислали»)" in ballot.text
    boris.answers(ballot, "да")
    story.work()
    assert story.number == 2
    assert "так решили игроки, голосованием. Причина: «мы оба всё прислали»." in anna.one("Ход 1 закрыт").text
    assert boris.last().subject == "[pirates-1] Ход 1"
