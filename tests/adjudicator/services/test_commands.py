"""Lines that are commands, lines that only look like one, and press, in which nothing is read."""

from __future__ import annotations

import pytest

from adjudicator.services import commands
from adjudicator.services.commands import Command, Plan, PressBlock

ALONE = {
    "ready": ["готов", "готова", "Готов!", "ГОТОВ.", "ready", "Ready", " готов "],
    "not-ready": ["не готов", "Не готова", "not ready", "unready"],
    "wait": ["ждать", "wait"],
    "no-wait": ["не ждать", "no wait", "don't wait", "don’t wait"],
    "draft": ["черновик", "Черновик.", "draft"],
    "clear": ["отмена", "clear", "cancel"],
    "anew": ["заново", "anew"],
    "status": ["статус", "Статус", "status"],
    "map": ["карта", "map"],
    "report": ["отчёт", "отчет", "report"],
    "log": ["журнал", "log"],
    "rules": ["правила", "rules"],
    "help": ["помощь", "help", "Help!"],
    "join": ["вступаю", "Вступаю!", "join"],
    "try": ["проба", "try"],
    "draw": ["ничья", "Ничья.", "draw"],
    "resign": ["сдаюсь", "Сдаюсь!", "resign", "I resign"],
}

WITH_ARGUMENT = [
    ("вернуть 3", "restore", "3"),
    ("restore 12", "restore", "12"),
    ("отчёт 4", "report", "4"),
    ("отчет 4.", "report", "4"),
    ("report 4", "report", "4"),
    ("журнал 2", "log", "2"),
    ("журнал 2-5", "log", "2-5"),
    ("журнал 2–5", "log", "2–5"),
    ("log 1-3", "log", "1-3"),
    ("журнал всё", "log", "всё"),
    ("журнал все", "log", "все"),
    ("log all", "log", "all"),
    ("правила ураган", "rules", "ураган"),
    ("rules P18", "rules", "P18"),
    ("соль: Йо-хо-хо и бутылка рома!", "salt", "Йо-хо-хо и бутылка рома!"),
    ("соль йо-хо-хо", "salt", "йо-хо-хо"),
    ("salt: seven feet under the keel", "salt", "seven feet under the keel"),
    ("постоянный: корабль 4 стоять", "standing", "корабль 4 стоять"),
    ("постоянный: корабль 4: стоять", "standing", "корабль 4: стоять"),
    ("standing: ship 4: stand", "standing", "ship 4: stand"),
    ("язык en", "language", "en"),
    ("language ru", "language", "ru"),
    ("зона Омск", "zone", "Омск"),
    ("зона МСК+3", "zone", "МСК+3"),
    ("zone New York", "zone", "New York"),
    ("вступаю Испания-1", "join", "Испания-1"),
    ("join Spain-1", "join", "Spain-1"),
    ("ход 7", "turn", "7"),
    ("ход 7:", "turn", "7"),
    ("на ход 7:", "turn", "7"),
    ("адрес: anna@new.example", "address", "anna@new.example"),
    ("новый адрес Анна <anna@new.example>", "address", "Анна <anna@new.example>"),
    ("Приказы на ход 7.", "turn", "7"),
    ("Мои приказы на 7-й ход:", "turn", "7"),
    ("Ход №7", "turn", "7"),
    ("К ходу 7:", "turn", "7"),
    ("my orders for turn 7:", "turn", "7"),
    ("Orders for turn #7", "turn", "7"),
    ("turn 7", "turn", "7"),
    ("голос да", "vote", "да"),
    ("голос 2 нет", "vote", "2 нет"),
    ("vote no", "vote", "no"),
    ("слово: спасибо, было весело!", "farewell", "спасибо, было весело!"),
    ("farewell: thanks", "farewell", "thanks"),
    ("место жёлтые", "seat", "жёлтые"),
    ("seat yellow", "seat", "yellow"),
]

PROSE = [
    "ход конём был хорош",
    "ход конем",
    "готов к бою",
    "слово дня: пятница",
    "слово за вами",
    "ничья земля",
    "сдаюсь не скоро",
    "проба пера",
    "готовы к бою как никогда",
    "ждать не буду",
    "ждать до завтра",
    "waiting for you",
    "wait for me",
    "карта красивая",
    "отчёт пришёл, спасибо",
    "отчёт хорош",
    "журнал наблюдений порадовал",
    "вернуть бы всё назад",
    "вернуть 3 корабля",
    "отмена встречи в среду",
    "статус кво",
    "draft beer tonight?",
    "помощь пришла вовремя",
    "turn the other cheek",
    "letter of the law",
    "постоянный ветер с моря",
    "письмо получил",
    "соль",
    "salt",
    "язык мой — враг мой",
    "место встречи изменить нельзя никак",
    "солью посыпать рану",
    "Адрес изменён, пишите на anna@new.example",
    "Новый адрес нашей почты: office@new.example",
    "готовность номер один",
    "",
    "   ",
]


@pytest.mark.parametrize(("name", "line"), [(name, line) for name, lines in ALONE.items() for line in lines])
def test_command_alone_on_its_line_is_read(name: str, line: str) -> None:
    found = commands.read_command(line)

    assert found is not None
    assert (found.name, found.line, found.argument) == (name, 0, "")


@pytest.mark.parametrize(("line", "name", "argument"), WITH_ARGUMENT)
def test_command_with_argument_is_read(line: str, name: str, argument: str) -> None:
    found = commands.read_command(line)

    assert found is not None
    assert (found.name, found.line, found.argument) == (name, 0, argument)


@pytest.mark.parametrize("line", PROSE)
def test_words_of_a_command_in_prose_are_no_command(line: str) -> None:
    assert commands.read_command(line) is None


def test_line_beyond_the_limit_is_no_command() -> None:
    assert commands.read_command("соль: " + "я" * 2000) is None


def test_every_spelling_of_the_file_is_read_as_its_command() -> None:
    samples = {
        "restore": " 1",
        "turn": " 1",
        "game": " pirates-7",
        "salt": ": x",
        "farewell": ": x",
        "standing": ": x",
        "press": " Анне: x",
        "dispute": " ход 1: x",
        "answer": " 1: x",
    }
    for word in commands.words():
        for spelling in word.spellings:
            ending = samples.get(word.name, " Омск" if word.argument == "required" else "")
            found = commands.read_command(spelling + ending)
            assert found is not None, spelling
            assert found.name == word.name, spelling


def test_plan_leaves_other_lines_to_the_rules_in_their_places() -> None:
    plan = commands.plan(["корабль 4: стоять", "готов", "", "корабль 5: стоять"])

    assert plan == Plan(
        commands=(Command(name="ready", line=1),), press=(), orders=("корабль 4: стоять", "", "", "корабль 5: стоять")
    )


def test_press_block_hides_commands_and_orders_until_its_end() -> None:
    lines = ["письмо Анне, Борису:", "готов", "корабль 4: стоять", "Конец письма.", "готов"]

    assert commands.plan(lines) == Plan(
        commands=(Command(name="ready", line=4),),
        press=(PressBlock(line=0, to="Анне, Борису", text=("готов", "корабль 4: стоять"), closed=True, last=3),),
        orders=("", "", "", "", ""),
    )


def test_press_may_begin_on_its_first_line() -> None:
    (block,) = commands.plan(["press to all: ahoy", "there", "end press"]).press

    assert (block.to, block.text, block.closed) == ("all", ("ahoy", "there"), True)


def test_press_without_end_takes_the_rest_and_says_so() -> None:
    (block,) = commands.plan(["письмо всем:", "ждите меня", "готов"]).press

    assert (block.text, block.closed, block.last) == (("ждите меня", "готов"), False, 2)


@pytest.mark.parametrize(
    ("argument", "bounds"), [("", None), ("всё", None), ("3", (3, 3)), ("2-5", (2, 5)), ("2 – 5", (2, 5))]
)
def test_range_of_turns(argument: str, bounds: tuple[int, int] | None) -> None:
    assert commands.range_of(argument) == bounds
