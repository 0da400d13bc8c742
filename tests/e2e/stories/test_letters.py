"""Stories of letters and of what counts: late, halved, old, dated back, doubled, overtaken, quoted, unclosed."""

from __future__ import annotations

from datetime import timedelta

from tests.adjudicator.services.stage import ANNA, BORIS, SPAIN
from tests.e2e.stories.story import Story

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
SECOND = timedelta(seconds=1)


def test_late_letter_is_not_executed_and_one_word_makes_it_orders_of_the_next_turn(story: Story) -> None:
    anna = story.person(ANNA, "Анна")
    opening = anna.last("Ход 0")
    story.until(story.deadline)
    anna.news()

    anna.answers(opening, "корабль 1: курс СВ 2\nготова", arrival=story.now + 30 * SECOND)
    story.passes(3 * MINUTE)

    assert anna.subjects() == [
        "[pirates-1] Ход 1: расписка 1 ✓",
        "[pirates-1] Ход 1 прошёл без ваших приказов",
        "[pirates-1] Ход 1",
    ]
    receipt = anna.last("расписка")
    assert "Ход 1 уже закрыт, и эти строки не исполнены" in receipt.text
    assert "✓ «Сан-Фелипе»: курс СВ 2" in receipt.text
    assert "Галион 1 «Сан-Фелипе»: в порту Вера-Круз" in anna.last().text
    assert story.orders(SPAIN) == ()

    anna.answers(receipt, "на ход 2")
    story.work()

    assert story.orders(SPAIN) == ("«Сан-Фелипе»: курс СВ 2",)


def test_half_good_letter_at_the_deadline_counts_by_its_good_half(story: Story) -> None:
    anna = story.person(ANNA, "Анна")
    opening = anna.last("Ход 0")
    story.until(story.deadline - MINUTE)
    anna.news()

    anna.answers(opening, "корабль 1: курс СВ 2\nкорабль 2: на Луну")
    story.work()
    (receipt,) = anna.news()
    assert "1 строка не принята" in receipt.text
    assert "не понимаю слова «Луну»" in receipt.text
    assert "Ваше слово: **черновик**" in receipt.text

    story.passes(4 * MINUTE)
    (report,) = anna.news()
    assert "Галион 1 «Сан-Фелипе»: P3" in report.text
    assert "Галион 2 «Санта-Мария»: в порту Вера-Круз" in report.text


def test_letter_that_answers_an_old_report_does_nothing_until_its_turn_is_named(story: Story) -> None:
    anna = story.person(ANNA, "Анна")
    old = anna.last("Ход 0")
    story.deadline_passes()
    story.passes(HOUR)
    anna.news()

    anna.answers(old, "корабль 1: курс СВ 2\nготова")
    story.work()

    (receipt,) = anna.news()
    assert "Ход 1 уже закрыт, и эти строки не исполнены" in receipt.text
    assert story.orders(SPAIN) == ()
    anna.answers(receipt, "на ход 2")
    story.work()
    assert story.orders(SPAIN) == ("«Сан-Фелипе»: курс СВ 2",)


def test_back_dated_letter_counts_by_its_arrival(story: Story) -> None:
    anna, boris = story.person(ANNA, "Анна"), story.person(BORIS, "Борис")
    opening, other = anna.last("Ход 0"), boris.last("Ход 0")
    story.until(story.deadline)
    due = story.now

    boris.answers(other, "корабль 4: курс СЗ 2", arrival=due, date=due + timedelta(days=400))
    anna.answers(opening, "корабль 1: курс СВ 2", arrival=due + SECOND, date=due - timedelta(days=1))
    anna.news()
    story.passes(3 * MINUTE)

    assert "Ход 1 уже закрыт, и эти строки не исполнены" in anna.last("расписка").text
    assert "«Сан-Фелипе»: в порту Вера-Круз" in anna.last().text
    assert "Бригантина 4 «Месть»: в порту Нассау (O9)" in boris.last().text


def test_duplicate_and_overtaking_mail_acts_once_and_says_what_stands(story: Story) -> None:
    anna = story.person(ANNA, "Анна")
    opening = anna.last("Ход 0")
    first = story.now

    story.passes(HOUR)
    raw = anna.answers(opening, "корабль 1: курс СВ 1")
    for folder in ("INBOX", "Junk"):
        story.stage.deliver(raw, folder=folder)
    story.work()
    assert len(anna.news()) == 1

    story.passes(HOUR)
    anna.answers(opening, "корабль 1: курс СВ 3", date=first)
    story.work()
    (receipt,) = anna.news()
    assert "Это письмо написано раньше, чем другое ваше, но пришло позже" in receipt.text
    assert story.orders(SPAIN) == ("«Сан-Фелипе»: курс СВ 3",)

    anna.answers(receipt, "вернуть 1")
    story.work()
    assert story.orders(SPAIN) == ("«Сан-Фелипе»: курс СВ 1",)


def test_edited_quote_is_shown_and_waits_for_a_yes(story: Story) -> None:
    anna = story.person(ANNA, "Анна")
    opening = anna.last("Ход 0")
    line = opening.lines("корабль 1:")[0]
    quoting = opening.lines_as_sent.replace(line, "корабль 1: курс СВ 1")

    anna.answers(opening, "Добрый вечер! Приказы ниже.", quoting=quoting)
    story.work()

    (receipt,) = anna.news()
    assert "Вы исправили строки внутри цитаты — они не в силе" in receipt.text
    assert "«Сан-Фелипе»: курс СВ 1" in receipt.text
    assert story.orders(SPAIN) == ()

    anna.answers(receipt, "да")
    story.work()
    assert story.orders(SPAIN) == ("«Сан-Фелипе»: курс СВ 1",)


def test_unclosed_press_with_an_order_in_it_goes_nowhere_before_its_writer_says_so(story: Story) -> None:
    anna, boris = story.person(ANNA, "Анна"), story.person(BORIS, "Борис")
    words = "письмо Борису: сговоримся?\nкорабль 1: курс СВ 2"

    anna.answers(anna.last("Ход 0"), words)
    story.work()
    (receipt,) = anna.news()
    assert "ничего не отправлено и не исполнено" in receipt.text
    assert (boris.news(), story.orders(SPAIN)) == ([], ())

    anna.answers(receipt, "да")
    story.work()
    (press,) = boris.news()
    assert "│ сговоримся?" in press.lines_as_sent
    assert "│ корабль 1: курс СВ 2" in press.lines_as_sent
    assert story.orders(SPAIN) == ()
