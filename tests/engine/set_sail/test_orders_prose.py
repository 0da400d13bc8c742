"""What a pirate tells and says stays prose; a line that might be an order is asked about, never lost or guessed."""

from __future__ import annotations

import pytest

from engine.set_sail.commands import Declare, Say, Spend
from engine.set_sail.orders import read
from tests.engine.set_sail.order_positions import ANNA, BORIS, moderators_view, players_view

PROSE = """
Ветер переменился к полуночи, и «Каракатица» легла на левый галс.
Анна Бурая вышла на палубу, застёгивая на ходу куртку.
— Сколько до берега? — спросила она.
— Миль семь, капитан, — отозвался Борис. — Если ветер удержится.
Она кивнула. Семь миль — это два часа, не меньше.

В трюме тихо плескалась вода: помпу починили, но не до конца.
Вера Морган сидела на бочке и чистила пистолет.
— Бросаю эту затею, — сказала она. — Пусть губернатор сам ищет свой ларец.
— Помогаю тебе в последний раз, — буркнул Борис. — Держи крепче!
— Ставлю десять дублонов, что она передумает.
Помощь пришла, откуда не ждали.
Помогаю как умею, а умею я немного.
Помощь Анне не требовалась: она и сама справлялась с дюжиной таких.
Мешаю ром с водой и думаю о доме.
Помеха справа, крикнул вперёдсмотрящий.
Фарт любит смелых, говаривал старый боцман.
Фарт — штука капризная: сегодня есть, завтра нет.
Урон посчитали к утру.
Урон был велик, но корабль держался на плаву.
Удача +1, шутил Борис, и никто не смеялся.
Обмен пленными назначили на четверг.
Выбор у нас невелик.
Выбираю якорь, а он не идёт.
Поломка руля застала нас в тумане.
Пробоина ниже ватерлинии, сказал плотник.
Судьба хранила нас до самого мыса.
Судьба моя горька, как морская вода.
Как же мы проглядели их парус?
Как только взойдёт луна, выступаем.
Ставка губернатора стояла на холме.
Ставки сделаны, ставок больше нет!
Ставлю парус и беру курс на зюйд-вест.
Дальше будет только хуже.
Дальше — тишина.
Уступаю место у огня тому, кто старше.
Козни дона Педро нам известны.
Строить козни мы ещё не научились.
Участвую в этом против воли.
Участвую, куда же я денусь, подумала она.
Байка о трёх китах была длинной.
Говорю я ей: пустое это дело.
Рассказ его был краток.
Если ветер удержится, к утру мы будем у форта.
Если мы не успеем: нас повесят.
Без хода корабль беспомощен, как кит на берегу.
Лист бумаги лежал на столе, рядом перо.
Постоянный дождь вымотал всех.
Постоянно оглядываюсь: не идёт ли погоня.
Тайно мы вышли на берег в 3 часа ночи.
Втайне от всех она хранила портрет отца.
Заявка на место в шлюпке была отклонена под общий хохот.
Заявляю при свидетелях, что карта подлинная.
Вычеркнуть имя из судовой роли легко, труднее забыть.
Не вмешиваюсь в чужие ссоры, таков мой кодекс.
Открыть бой мы решили на рассвете.
Закрыть люк никто не догадался.
Бросок был точен: крюк впился в планшир.
Итог дня подвели за кружкой.
Эффект превзошёл ожидания.
Проверка пороха заняла час.
Кодекс гласит: своих не бросать.
План был прост: подойти в темноте и взять их тёпленькими.
Корабль качнуло, и кружки поползли по столу.
Враг не дремлет, но и мы не спим.
Угроза миновала только к полудню.
Запрет на ром продержался ровно день.
Часы в каюте отстали на четверть.
Капитан молчал, и это было хуже крика.
Репутация у нас такая, что в порт лучше не соваться.
Лечение шло медленно.
Рана ныла к дождю.
Деньги кончились в первом же трактире.
Тайна осталась тайной.
Корпус скрипел, как старая телега.
Шансы таяли с каждой минутой.
Вред от рома известен, а польза очевидна.
Пират не плачет, пират ругается.
Неприятность случилась у самого причала.
Засада ждала нас за поворотом: человек 20, не меньше.
Разоблачение грозило петлёй.
1 пистолет, 2 сабли и 3 бочонка рома — вот и всё наше богатство.
22 ноября. Туман. Ветра нет.
14:30 — показался парус.
— 3 фута воды в трюме!
— Анна, o1 по правому борту! — выкрикнул кто-то не то всерьёз, не то в шутку.
— Да, — сказала она. — Нет, — сказал он.
Анна: что ты думаешь?
Борису было 7 лет, когда он впервые увидел море.
Вера улыбнулась: пора.
Ждать больше нельзя.
Готов ли ты, Борис?
Ход у шхуны хороший, узлов 9.
Карта лгала.
Конец был близок, но не тот, которого ждали.
Ничья земля лежала перед ними.
Помогать ближнему — дело доброе.
Угрожать? Нет. Мы люди мирные.
Смекнуть бы, чья это лодка.
Ударить в спину может всякий, прикрыть её — только друг.
Палить из пушек в тумане глупо.
Мы закупились на 2 сундука вперёд и залатали что смогли.
С уважением, Анна
"""

ENGLISH = """
The wind fell at dusk, and we lay becalmed.
- Move over, said Boris, and help me with this rope.
Move along, there is nothing to see.
Help is on its way.
Help yourself to the rum, all 3 barrels.
Luck was with us that night.
Luck runs out; ours ran out at noon.
Trade with the islanders went well.
Damage below the waterline.
Choose your friends well.
Bid them welcome!
Fate is not kind to those who wait.
How could we have known?
Say what you like, she is fast.
Tale after tale he told us.
Story of my life.
Play on, fiddler!
Yield? Never.
If the wind holds, we land at six.
If she asks: we were never here.
Stand by to go about.
Standing on the quarterdeck, Anna laughed.
Ship ahoy!
Enemy in sight, 2 points to starboard.
Open fire at 200 yards.
Close the hatch.
Roll of the drums.
Code of the brethren: share alike.
Secret after secret.
Turn in, all of you.
End of the watch.
"""


def told(text: str) -> list[str]:
    return text.strip().splitlines()


def test_hundred_lines_of_a_story_are_prose_while_everything_is_open() -> None:
    lines = told(PROSE)
    reading = read(players_view(ANNA), (), lines, "ru")

    assert len(lines) > 100
    assert [one.order for one in reading.orders] == []
    assert [lines[one.lines[0]] for one in reading.complaints] == []
    assert reading.prose == tuple(range(len(lines)))


def test_story_of_the_moderator_is_prose() -> None:
    lines = told(PROSE)
    reading = read(moderators_view(), (), lines, "ru")

    assert [one.order for one in reading.orders] == []
    assert [lines[one.lines[0]] for one in reading.complaints] == []


@pytest.mark.parametrize("tail", [" 3", " Анна.", " 2 дублона.", ": так-то."])
def test_story_with_numbers_names_and_colons_orders_nothing(tail: str) -> None:
    for view in (players_view(ANNA), players_view(BORIS), moderators_view()):
        lines = [line.rstrip(".!?") + tail for line in told(PROSE) if line.strip()]
        reading = read(view, (), lines, "ru")
        assert [one.order for one in reading.orders] == []
        assert len(reading.complaints) < 8, [lines[one.lines[0]] for one in reading.complaints]


def test_english_story_is_prose() -> None:
    for view in (players_view(ANNA), players_view(BORIS), moderators_view()):
        lines = told(ENGLISH)
        reading = read(view, (), lines, "en")
        assert [one.order for one in reading.orders] == []
        assert [lines[one.lines[0]] for one in reading.complaints] == []


def test_orders_among_prose_are_found() -> None:
    lines = (
        *told(PROSE)[:20],
        "заявка: Затаиться — прячусь за бочкой",
        *told(PROSE)[20:60],
        "помощь Борису: держу",
        "",
    )
    reading = read(players_view(ANNA), (), lines, "ru")

    assert [one.order for one in reading.orders] == [
        Declare(number=2, move="zataitsya", text="прячусь за бочкой"),
        Spend(roll=f"{BORIS}/o1", act="help", how="держу"),
    ]
    assert reading.complaints == ()


def test_effect_on_somebody_unknown_is_asked_about() -> None:
    for line, instead, first in (
        ("вред колдуну 2", "эффект harm:2:@koldunu", "враг колдуну"),
        ("разоблачение колдуну: мы жгли порт", "эффект exposed:+1:@koldunu:мы жгли порт", "сторона колдуну"),
    ):
        reading = read(moderators_view(), (), [line], "ru")
        assert [(one.key, one.suggestions) for one in reading.complaints] == [("doubtful", (instead, first))]


def test_what_a_pirate_says_is_prose_and_goes_into_the_report() -> None:
    lines = [
        "Анна поднимает бровь.",
        "",
        "— Стойте! — говорит она. — Ни шагу",
        "дальше.",
        "— А карта? — спрашивает Борис.",
        "",
        "Картограф, у меня вопрос.",
        "— Картограф, а можно я предам Бориса?",
        "",
        "фарт +1",
    ]
    reading = read(players_view(ANNA), (), lines, "ru")

    assert [(one.order, one.lines) for one in reading.told] == [
        (Say(text="— Стойте! — говорит она. — Ни шагу дальше.\n— А карта? — спрашивает Борис."), (2, 3, 4))
    ]
    assert reading.prose == (0, 1, 2, 3, 4, 5, 6, 7, 8)
    assert reading.sheet == (Spend(roll=f"{ANNA}/o1", act="luck"), reading.told[0].order)


def test_who_says_by_its_word_what_is_said_is_taken_by_it() -> None:
    reading = read(players_view(ANNA), (), ["— Стойте!", "", "говорю: Назад!"], "ru")

    assert (reading.told, [one.order for one in reading.orders]) == ((), [Say(text="Назад!")])


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("Помогаю Борису поднять паруса.", "помощь Борис o1: поднять паруса."),
        ("Затаиться — вот что нам нужно.", "заявка o2: Затаиться — вот что нам нужно."),
        ("Ставлю паруса!", "Ставлю кошелёк!"),
        ("— Заявка: бросаю якорь!", "Заявка: бросаю якорь!"),
        ("Картографу: хочу предать Бориса", "письмо судье: хочу предать Бориса"),
    ],
)
def test_doubtful_line_is_asked_about_with_the_line_it_would_have_to_be(line: str, instead: str) -> None:
    reading = read(players_view(ANNA), (), [line], "ru")

    assert reading.orders == ()
    assert [one.suggestions[0] for one in reading.complaints] == [instead]


GENERAL = (
    "готов, не готов, ждать, конец, ничья, карта, помощь, отмена, черновик, статус, правила, проба, сдаюсь, заново"
)
GENERAL_EN = "да, нет, ready, wait, end, turn 7, ход 7, help, map, draw, yes, status, clear, answer 2, vote yes"


@pytest.mark.parametrize("word", [*GENERAL.split(", "), *GENERAL_EN.split(", ")])
def test_general_word_is_never_an_order(word: str) -> None:
    for view in (players_view(ANNA), moderators_view()):
        reading = read(view, (), [word], "ru")
        assert (reading.orders, reading.complaints) == ((), ())
