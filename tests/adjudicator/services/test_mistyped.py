"""Commands as people type them: read if only one can be meant, shown as repaired, and never guessed where it costs."""

from __future__ import annotations

import pytest

from adjudicator.letters import LineVerdict
from adjudicator.services import commands, mistyped
from adjudicator.services.commands import Command, ShortAnswer
from engine.core.contract import Note
from tests.adjudicator.services.stage import PIRATES, PIRATES_ORDERS, SPAIN, SPAIN_ORDERS, Stage
from tests.adjudicator.services.test_commands import PROSE


@pytest.mark.parametrize(
    ("line", "name", "argument", "how", "meant"),
    [
        ("готво", "ready", "", "one-off", "готов"),
        ("статсу", "status", "", "one-off", "статус"),
        ("черновк", "draft", "", "one-off", "черновик"),
        ("неготов", "not-ready", "", "one-off", "не готов"),
        ("отчте 4", "report", "4", "one-off", "отчет 4"),
        ("stauts", "status", "", "one-off", "status"),
        ("ujnjd", "ready", "", "layout", "готов"),
        ("Ujnjd!", "ready", "", "layout", "Готов!"),
        ("yt ujnjd", "not-ready", "", "layout", "не готов"),
        ("cnfnec", "status", "", "layout", "статус"),
        ("jnvtyf", "clear", "", "layout", "отмена"),
        ("dthyenm 3", "restore", "3", "layout", "вернуть 3"),
        ("[jl 7", "turn", "7", "layout", "ход 7"),
        (";lfnm", "wait", "", "layout", "ждать"),
        ("ыефегы", "status", "", "layout", "status"),
        ("куфвн", "ready", "", "layout", "ready"),
        ("gjcnjzyysq: rjhf,km 4: cnjznm", "standing", "корабль 4: стоять", "layout",
         "постоянный: корабль 4: стоять"),
        ("гoтoв", "ready", "", "lookalike", "готов"),
        ("СТATУC", "status", "", "lookalike", "статус"),
        ("кaрта", "map", "", "lookalike", "карта"),
        ("rеady", "ready", "", "lookalike", "ready"),
        ("Cоль: Йо-хо-хо", "salt", "Йо-хо-хо", "lookalike", "соль"),
        ("gotov", "ready", "", "translit", "готов"),
        ("ne gotova", "not-ready", "", "translit", "не готова"),
        ("otchet 4", "report", "4", "translit", "отчет 4"),
        ("pomoshch", "help", "", "translit", "помощь"),
        ("писмо Анне:", "press", "Анне:", "one-off", "письмо"),
        ("постояный: корабль 4: стоять", "standing", "корабль 4: стоять", "one-off", "постоянный"),
    ],
)  # fmt: skip
def test_a_mistyped_command_is_read_and_says_how(line: str, name: str, argument: str, how: str, meant: str) -> None:
    found = mistyped.read_command(line)

    assert found is not None
    assert (found.name, found.argument, found.how, found.meant) == (name, argument, how, meant)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("статус, пожалуйста", "status"),
        ("Пожалуйста, статус.", "status"),
        ("пришлите карту, пожалуйста", "map"),
        ("дай карту", "map"),
        ("готов)", "ready"),
        ("готов :)", "ready"),
        ("Готова, спасибо!", "ready"),
        ("я готов", "ready"),
        ("отчёт 4, пожалуйста", "report"),
        ("status please", "status"),
        ("send me the map, please", "map"),
        ("отмена, пожалуйста", "clear"),
    ],
)
def test_politeness_changes_nothing(line: str, name: str) -> None:
    found = mistyped.read_command(line)

    assert found is not None
    assert (found.name, found.how) == (name, "")


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("отмна", "отмена"),
        ("занво", "заново"),
        ("вернть 3", "вернуть 3"),
        ("сдаюс", "сдаюсь"),
        ("забыть мння", "забыть меня"),
        ("cancle", "cancel"),
    ],
)
def test_what_undoes_something_is_asked_about_when_a_letter_is_wrong(line: str, meant: str) -> None:
    found = mistyped.read_command(line)

    assert found == Command(name="nearly", line=0, argument=meant, how="one-off", meant=meant.rstrip(" 3"))


@pytest.mark.parametrize(
    "line",
    [
        *PROSE,
        "Котов",  # a name below a letter, one letter from «готов»
        "Марта",
        "John",
        "Drew",
        "Игорь",
        "роль: капитан",
        "соаь: йо-хо-хо",
        "сбор: в восемь",
        "спасибо",
        "Спасибо за карту",
        "хочу мира",
        "жду ответа",
        "привет",
        "hello",
        "I am ready to rumble",
        "vtcnj ;`knst",  # which seat or game is meant is never guessed
        "buhf pirates-7",
        "корабль 4: стоять",
        "ship 4: course NE 2",
    ],
)
def test_prose_and_orders_are_no_mistyped_commands(line: str) -> None:
    assert mistyped.read_command(line) == commands.read_command(line)


def test_a_line_that_may_be_two_commands_is_none() -> None:
    assert mistyped.read_command("games") == Command(name="games", line=0)
    assert mistyped.read_command("") is None
    assert mistyped.read_command("g" * 5000) is None


def test_every_command_is_read_in_the_other_layout_as_itself_or_not_at_all() -> None:
    from engine.core.scripts import layouts  # noqa: PLC0415

    for word in commands.words():
        for spelling in word.spellings:
            for typed in layouts(spelling):
                found = mistyped.read_command(typed)
                assert found is None or found.name == word.name, (spelling, typed)


def test_every_command_with_a_letter_lost_is_itself_or_asked_about_or_none() -> None:
    for word in commands.words():
        for spelling in word.spellings:
            for place in range(1, len(spelling)):
                found = mistyped.read_command(spelling[:place] + spelling[place + 1 :])
                assert found is None or found.name in (word.name, "nearly"), (spelling, place)
                if found is not None and found.name == "nearly":
                    asked = commands.read_command(found.argument)
                    assert asked is not None
                    assert asked.name == word.name


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("да", ShortAnswer()),
        ("Да, спасибо!", ShortAnswer()),
        ("lf", ShortAnswer()),
        ("дa", ShortAnswer()),
        ("da", ShortAnswer()),
        ("нет, спасибо", ShortAnswer(no=True)),
        ("ytn", ShortAnswer(no=True)),
        ("нуы", ShortAnswer()),
        ("yf [jl 8", ShortAnswer(turn=8)),
        ("ну", None),
        ("дай", None),
        ("да нет", None),
        ("спасибо", None),
        ("", None),
    ],
)
def test_short_answers_are_known_as_people_type_them(line: str, answer: ShortAnswer | None) -> None:
    assert mistyped.short_answer([line, ""]) == answer
    assert mistyped.short_answer([line, "и ещё"]) is None


@pytest.mark.parametrize(
    "end", ["конец письма", "конец писма", "rjytw gbcmvf", "кoнец письма", "end pres", "Конец письма!"]
)
def test_press_ends_where_its_end_is_mistyped(end: str) -> None:
    plan = mistyped.plan(["письмо Анне:", "корабль 1: стоять", end, "готов"])

    assert [(block.closed, block.last) for block in plan.press] == [(True, 2)]
    assert [command.name for command in plan.commands] == ["ready"]


def test_a_mistyped_beginning_of_press_keeps_its_lines_from_being_read() -> None:
    plan = mistyped.plan(["писмо Анне:", "корабль 4: стоять", "конец письма"])

    assert plan.commands == ()
    assert plan.orders == ("", "", "")
    assert [(block.to, block.text, block.how) for block in plan.press] == [("Анне", ("корабль 4: стоять",), "one-off")]


# In letters -----------------------------------------------------------------------------------------------------------


def shown(lines: tuple[LineVerdict, ...]) -> list[tuple[str, str, str, tuple[Note, ...]]]:
    return [(line.text, line.mark, line.key, line.notes) for line in lines]


def repaired(how: str, typed: str, read: str) -> tuple[Note, ...]:
    return (Note(kind="repaired", key=f"command-{how}", facts={"typed": typed, "read": read}),)


def test_a_receipt_shows_how_a_command_was_read(place: Stage) -> None:
    receipt = place.say(place.game(), SPAIN, SPAIN_ORDERS + "ujnjd\nстатсу\n")

    assert shown(receipt.lines)[3:] == [
        ("ujnjd", "command", "ready", repaired("layout", "ujnjd", "готов")),
        ("статсу", "command", "status", repaired("one-off", "статсу", "статус")),
    ]
    assert (receipt.word, receipt.understood) == ("ready", True)


def test_orders_stay_when_a_word_that_would_drop_them_is_one_letter_off(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, SPAIN_ORDERS)
    receipt = place.say(tag, SPAIN, "отмна\n")

    assert shown(receipt.lines) == [("отмна", "command-refused", "nearly", ())]
    assert len(receipt.in_force) == 3
    assert not receipt.understood

    receipt = place.say(tag, SPAIN, "jnvtyf\n")

    assert shown(receipt.lines) == [("jnvtyf", "command", "clear", repaired("layout", "jnvtyf", "отмена"))]
    assert receipt.in_force == ()


def test_what_can_be_an_order_is_no_mistyped_command(place: Stage) -> None:
    tag = place.game()
    receipt = place.say(tag, PIRATES, "имя 4: Статос\nСтатос стоять\n")

    assert [(line.mark, line.read) for line in receipt.lines] == [
        ("ok", "имя 4: Статос"),
        ("ok", "«Месть»: стоять"),
    ]


def test_a_ship_somebody_else_names_in_secret_is_no_candidate(place: Stage) -> None:
    """A repair looks for names in what the seat may see: not in the others' sheets (play-by-mail 3.2)."""
    said = {}
    for secret in ("Вихрь", "Гроза"):
        tag = place.game()
        place.say(tag, PIRATES, f"имя 4: {secret}\n" + PIRATES_ORDERS)
        typed = ("Вихрь", "Вихрем", "Виxрь", "Db[hm", "Vihr", "Вихр", "Гроза", "Uhjpf")
        receipt = place.say(tag, SPAIN, "".join(f"корабль 1: огонь до по {name}\n" for name in typed))
        said[secret] = receipt.lines
        assert all(line.mark == "refused" for line in receipt.lines)

    assert said["Вихрь"] == said["Гроза"]


def test_a_line_with_the_marks_of_a_phone_is_read_as_the_plain_one_and_shown_in_its_plain_form(place: Stage) -> None:
    receipt = place.say(
        place.game(),
        SPAIN,
        "\ufeffкорабль\u00a01:\u202fкурс С\u2011В 1; огонь до “Месть”\n"
        "„Санта—Мария“ — \u200bстоять\n"
        "кора\u0301бль 3: стоять\n",  # a stress mark
    )

    assert [(line.mark, line.read) for line in receipt.lines] == [
        ("ok", "«Сан-Фелипе»: курс СВ 1; огонь до «Месть»"),
        ("ok", "«Санта-Мария»: стоять"),
        ("ok", "«Эспириту-Санто»: стоять"),
    ]
    assert [note for line in receipt.lines for note in line.notes if note.kind == "repaired"] == []
