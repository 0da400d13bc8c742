"""A story of «Поднять паруса!»: a moderator and two players, one writing Russian and one English, by mail."""

from __future__ import annotations

from datetime import timedelta

from adjudicator.fairplay.sources import read_source
from adjudicator.fairplay.verify import verify
from adjudicator.services import games, people
from adjudicator.services.header import Header
from engine.core import registry
from tests.adjudicator.services.stage import ANNA, BORIS, fixed_chance
from tests.e2e.stories.story import Got, Person, Story

MASTER = "master@example.org"
MINUTE = timedelta(minutes=1)
TAG = "set-sail-1"
OPENING = """открыть главу
открыть сцену: губернатор
тайна: у губернатора есть брат
корабль: имя Чёрная Каракатица; навигация 2; боевая мощь 1; водоизмещение 1; корпус 4"""
SECRETS = ("brass key", "не верьте боцману", "у губернатора есть брат")
"""What no public letter may hold: a hidden declaration, a note to the moderator, what the crew knows."""


def campaign(story: Story) -> Person:
    """Make a campaign whose moderator is no operator, and let him invite by mail; return him."""
    with story.stage.house.unit("test") as work:
        master = people.register(work, MASTER, name="Мастер", language="ru", zone="Europe/Moscow")
        header = Header(schedule="48h", early="in", cool_off=0)
        games.create(work, "set_sail", 2, header=header, moderator=master, source=fixed_chance("story"))
    story.stage.ready = TAG
    judge = story.person(MASTER, "Мастер")
    judge.judges(f"пригласить Анна <{ANNA}>\nпригласить {BORIS}")
    story.work()
    return judge


def pictures(letter: Got) -> list[str]:
    """Return the types of the pictures a letter brings, inline and attached."""
    return [part.get_content_type() for part in letter.message.walk() if part.get_content_maintype() == "image"]


def for_forums(letters: list[Got]) -> str:
    """Return all that letters bring to be posted on forums."""
    parts = [part for letter in letters for part in letter.message.iter_attachments()]
    texts = [part for part in parts if str(part.get_filename()).startswith(("start", "turn"))]
    return "\n".join(bytes(part.get_payload(decode=True) or b"").decode() for part in texts)


def test_campaign_is_told_by_its_moderator_and_played_in_two_languages(blank: Story) -> None:
    master = campaign(blank)
    anna, boris = Person(blank, ANNA, "Анна"), Person(blank, BORIS, "Boris")

    # Two people join and fill in their sheets; the moderator opens the first scene, which is done at once.
    anna.answers(anna.one("Приглашение в игру"), "Вступаю!\nсоль: семь футов")
    boris.answers(boris.one("Приглашение в игру"), "join\nlanguage en\nsalt: fifteen men")
    blank.work()
    anna.answers(anna.last("Игра начинается"), "лист: имя Анна Бурая; должность капитан; дерзость +2")
    boris.answers(boris.last("The game begins"), "sheet: name Flint; post gunner; cunning +2, foresight +1")
    blank.passes(5 * MINUTE)
    master.judges(OPENING)
    blank.passes(5 * MINUTE)
    assert blank.number == 2
    assert "Перед вами: губернатор" in anna.last("Ход 1").text

    # They write as one writes in a letter: prose that is told, a note to the moderator, a secret move. Meanwhile he
    # gives money, at once; what Anna has written stays.
    anna.answers(
        anna.last("Ход 1"),
        "Ночь, порт.\n\n— Тихо! — шепчет Анна.\n\nзаявка: Угрожать насилием, дерзость — нож у горла\n"
        "письмо судье:\nне верьте боцману\nконец письма",
    )
    blank.work()
    master.judges("деньги Flint +1 сундук\nурон Никому 1")
    blank.passes(5 * MINUTE)
    assert "Может быть, одно из этих: урон Анна Бурая 1 урон Flint 1" in master.last("расписка").text
    assert "purse: plus 1 chest" in boris.last("Turn 2").text
    assert (blank.number, blank.orders("pirate-1")[0][:30]) == (3, "заявка o1: Угрожать насилием, ")
    boris.answers(boris.last("Turn 2"), "move: Смекнуть, foresight — I count\nsecret move: I pocket the brass key")
    blank.passes(5 * MINUTE)
    assert "не верьте боцману" in master.last("Письмо").text
    assert any("I pocket the brass key" in one.text for one in master.letters("Ход 3"))

    # The moderator rules, and the dice fall. Then a hindrance, help, and luck for a wound.
    master.judges(
        "рассказ: Луна зашла.\nбросок Анна o1: как заявлено, +9\nбросок Flint o1: как заявлено\n"
        "бросок Flint o2: нет\nурон Flint 1"
    )
    blank.passes(5 * MINUTE)
    assert "│ Луна зашла." in boris.last("Turn 4").text
    anna.answers(anna.last("Ход 4"), "помощь Flint o1: держу фонарь\nне вмешиваюсь: Анна o1\nбез хода")
    boris.answers(boris.last("Turn 4"), "hinder Анна o1: I sneeze\nstay out: Flint o1\ndamage: luck 1\ndo nothing")
    blank.passes(5 * MINUTE)
    assert "Flint hinders: −1, “I sneeze”; final **" in boris.last("Turn 5").text
    assert "**Flint**: luck −1 instead of a wound, 1 left (P6)." in boris.last("Turn 5").text
    assert pictures(boris.last("Turn 5")) == ["image/png", "image/svg+xml"]
    assert b"Flint" in boris.last("Turn 5").file("map.svg")

    # A trade is offered and taken.
    master.judges("обмен Анна o1: фарт Анна +1\nитог Flint o1: ничего")
    blank.passes(5 * MINUTE)
    anna.answers(anna.last("Ход 6"), "обмен да\nбез хода")
    boris.answers(boris.last("Turn 6"), "do nothing")
    blank.passes(5 * MINUTE)
    assert "the trade is taken: the success became a **failure**" in boris.last("Turn 7").text

    # What is for forums holds nothing private. In the end all is opened, and the log is right.
    posts = for_forums(master.letters())
    assert "Угрожать насилием" in posts
    assert [secret for secret in SECRETS if secret in posts] == []
    master.judges(f"завершить ход {blank.number}")
    blank.work()
    master.answers(master.last("Закончить игру?"), "да")
    blank.work()
    report = verify(read_source(TAG, boris.last().file(".jsonl")), {"set_sail": registry.ruleset("set_sail")})
    assert (report.faults, {one.verdict for one in report.turns}) == ((), {"replayed"})
    assert [one.type for one in report.sealed] == ["press"]  # the note was to the moderator alone
