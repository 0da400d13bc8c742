"""Stories of time: deadlines that hold, move or come early, and servers that were away."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from adjudicator.services.header import Header
from tests.adjudicator.services.stage import ANNA, BORIS, OPERATOR, PIRATES_ORDERS, SPAIN, SPAIN_ORDERS
from tests.e2e.stories.story import Story
from tests.servers.dovecot import Dovecot
from tests.servers.smtp_sink import Fault
from tests.servers.smtp_sink import Stage as At

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def test_player_who_was_never_told_is_waited_for_and_the_operator_hears(story: Story) -> None:
    anna, boris = story.person(ANNA, "Анна"), story.person(BORIS, "Борис")
    operator = story.person(OPERATOR, "Хозяин")
    opening = boris.last("Ход 0")
    story.until(story.deadline)
    operator.news()

    # The report of turn 1, which opens turn 2, is refused for good: Boris does not know of it.
    story.sink.script(Fault(At.RCPT, "550 5.1.1 no such user", recipient=BORIS, times=None))
    story.passes(3 * MINUTE)
    words = "Без этого письма игрок не знает, что от него нужно, и ход его ждёт"
    assert [words in one.text for one in operator.news() if "Письмо не приняли" in one.subject] == [False, True]
    due = story.deadline
    story.until(due + DAY)
    assert (story.number, story.deadline) == (2, due)

    # He writes all the same: now he knows, and the turn has the time it owes him.
    story.sink.calm()
    boris.news()
    boris.answers(opening, "ход 2\nкорабль 4: стоять")
    story.work()
    assert boris.subjects()[:2] == ["[pirates-1] Ход 2: расписка 1 ✓", "[pirates-1] Ход 2: новый срок"]
    assert "Письмо о начале хода дошло не до всех вовремя" in anna.one("новый срок").text
    assert story.deadline == story.now + 12 * HOUR
    story.deadline_passes()
    assert story.number == 3


def test_mailbox_down_over_a_deadline_moves_it_and_everything_sent_meanwhile_counts(
    story: Story, dovecot: Dovecot
) -> None:
    anna, boris = story.person(ANNA, "Анна"), story.person(BORIS, "Борис")
    opening = anna.last("Ход 0")
    due = story.deadline
    story.until(due - HOUR)
    anna.news(), boris.news()

    with dovecot.outage():
        story.stage.clock.move(3 * HOUR)
        story.work()
        assert story.number == 1
    anna.answers(opening, "корабль 1: курс СВ 2", arrival=due + HOUR)  # the server took it before we could look
    story.work()

    moved = anna.last("новый срок")
    assert "Почта не читалась" in moved.text
    assert [one.subject for one in boris.letters("новый срок")] == [moved.subject]
    assert story.deadline > due + 2 * HOUR
    assert story.orders(SPAIN) == ("«Сан-Фелипе»: курс СВ 2",)
    story.deadline_passes()
    assert "Галион 1 «Сан-Фелипе»: P3" in anna.last().text


def test_submission_server_down_over_an_opening_gives_the_time_back(story: Story) -> None:
    anna, boris = story.person(ANNA, "Анна"), story.person(BORIS, "Борис")
    story.until(story.deadline)
    with story.sink.outage():
        story.passes(3 * MINUTE)
        assert story.number == 2
        due = story.deadline
        story.until(due - 2 * HOUR)
        assert "[pirates-1] Ход 1" not in [one.subject for one in anna.letters()]
    story.passes(HOUR)
    assert "[pirates-1] Ход 1" in [one.subject for one in anna.letters("Ход 1")]
    moved = boris.last("новый срок")
    assert "Письмо о начале хода дошло не до всех вовремя" in moved.text
    assert story.deadline >= due + 10 * HOUR
    story.until(due + HOUR)
    assert story.number == 2


def test_turn_locks_early_when_all_are_ready_after_the_cool_off(story: Story) -> None:
    anna, boris = story.person(ANNA, "Анна"), story.person(BORIS, "Борис")
    anna.answers(anna.last("Ход 0"), SPAIN_ORDERS + "готова")
    story.passes(HOUR)
    boris.answers(boris.last("Ход 0"), PIRATES_ORDERS + "готов")
    story.passes(10 * MINUTE)
    anna.answers(anna.last("расписка"), "корабль 1: курс СВ 2\nготова")
    story.passes(19 * MINUTE)
    assert story.number == 1

    story.passes(4 * MINUTE)
    assert story.number == 2
    assert "Галион 1 «Сан-Фелипе»: P3" in anna.last().text
    assert story.deadline == datetime(2026, 1, 7, 14, tzinfo=UTC)


def test_clock_change_night_keeps_the_wall_time_of_deadlines(blank: Story) -> None:
    blank.stage.clock.move_to(datetime(2026, 3, 20, 12, tzinfo=UTC))
    blank.stage.ready = blank.stage.game(header=Header(schedule="every sun 02:30 Europe/Berlin"), told=False)
    blank.work()
    anna = blank.person(ANNA, "Анна")
    anna.answers(anna.last("Ход 0"), "зона Берлин")
    blank.work()

    # In this night the clocks go from 02:00 to 03:00: there is no 02:30, so that the next instant counts.
    assert "вс 29 марта, 03:00" in anna.one("расписка").text
    assert blank.deadline == datetime(2026, 3, 29, 1, tzinfo=UTC)

    # A week later it is half past two again, by the new wall time.
    blank.deadline_passes()
    assert "вс 5 апреля, 02:30" in anna.last().text
    assert blank.deadline == datetime(2026, 4, 5, 0, 30, tzinfo=UTC)


def test_absence_over_a_deadline_moves_it_for_all_and_does_not_say_whose(story: Story) -> None:
    anna, boris = story.person(ANNA, "Анна"), story.person(BORIS, "Борис")
    due = story.deadline
    anna.answers(anna.last("Ход 0"), "отпуск 7.01-10.01")
    story.work()

    assert "Осталось 17 дней отпуска на эту партию" in anna.one("расписка").text
    moved = boris.one("новый срок")
    assert story.deadline == datetime(2026, 1, 10, 21, tzinfo=UTC)  # the 11th begins in Moscow
    assert "Кто-то из игроков в отъезде и предупредил заранее" in moved.text
    assert "Анна" not in moved.text
    assert "Испани" not in moved.text
    story.until(due + DAY)
    assert story.number == 1
    story.deadline_passes()
    assert story.number == 2


def test_grace_waits_for_the_late_and_closes_those_that_were_in(story: Story) -> None:
    story.header(missed="wait", grace=6 * 3600)
    anna, boris = story.person(ANNA, "Анна"), story.person(BORIS, "Борис")
    opening = boris.last("Ход 0")
    anna.answers(anna.last("Ход 0"), SPAIN_ORDERS)
    story.deadline_passes()
    assert "Ваши приказы приняты и с этой минуты закрыты" in anna.one("ждём опоздавших").text
    assert "Приказов от вас нет, но вас ждут" in boris.one("ещё можно прислать приказы").text

    story.passes(HOUR)
    anna.answers(anna.last("ждём"), "корабль 1: курс СВ 2")
    boris.answers(opening, PIRATES_ORDERS)
    story.work()
    assert "ждём только опоздавших, и эти строки не исполнены" in anna.one("расписка").text
    assert "**Всё понято.**" in boris.one("расписка").text

    story.passes(25 * MINUTE)
    assert story.number == 2
    assert "Галион 1 «Сан-Фелипе»: в порту Вера-Круз" in anna.last().text
    assert "прошёл без ваших приказов" not in " ".join(boris.subjects())
