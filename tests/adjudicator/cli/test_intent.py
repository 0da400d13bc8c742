"""Lines of intent are known without a game: orders of every ruleset, commands, press, answers, and no politeness."""

from __future__ import annotations

import time
from email.mime.text import MIMEText
from pathlib import Path
from typing import Any

import msgspec
import pytest

from adjudicator.cli import intent, reading

REPLIES = msgspec.json.decode(
    Path(__file__).parents[2].joinpath("mail", "data", "russian_replies.json").read_bytes(), type=list[dict[str, Any]]
)

MEANT = """
пират 1: A5 - B6
- пират 2: копать C4
пират №3: A5 → B6
корабль 4 курс ЮВ 3
ship #4: course SE 3
«Жемчужина»: СВ 3
Жемчужина: C4
Б1 на G7
1) Б2 на G7 (стрелка: С, СВ, В; конь: к кораблю)
если враг H5: Б1 на H5
иначе Б2 на F7
Ч: КОР Б В
КОР на F1, E1, D1
SHIP W
W1 to G7 +coin
политика: стрелка = не в воду
причалить G1, H1
завершаем
=ПЛ
= П Л; огонь все
план: = П Л; огонь все
plan: = s p; fire all
не стрелять
гавань L1
остров E8 F8 G8 G9 G10
расклад: случайный
заявка: Угрожать насилием, дерзость
фарт +1
помощь anna o3: подаю канат
hinder anna o3: I cut the rope
обмен да
урон: фарт 1, рана 1
ставка слава; тайна 2: довод
уступаю
бросок anna o3: нет
готов
Готова!
статус
соль: ветер и волны
постоянный: корабль 4: стоять
спор ход 3: это не я писал
слово: до встречи
ответ 2: лететь
ответ: 1
2
да
Нет.
на ход 8
письмо Борису: где вы?
провести 7
продлить 7 24h
создать pirates 4
""".strip().splitlines()

POLITE = """
спасибо за отчёт!
Спасибо за отчёт, хода не будет до завтра
Привет! Спасибо за игру, было весело.
Здравствуйте, Иван
ок
Понял, спасибо: это лучший ход
Сегодня 12.09.2025 я занят
Пришлю приказы завтра к 18:00.
Встретимся в 10: обсудим
Тел. 8: 916 123-45-67
Отчёт 5: отличный
P.S. Как погода?
Thanks for the report!
I will write tomorrow at 10:00.
""".strip().splitlines()


@pytest.mark.parametrize("line", MEANT)
def test_a_line_meant_for_a_game_is_known_without_one(line: str) -> None:
    assert verdict(line) == "orders"


@pytest.mark.parametrize("line", POLITE)
def test_politeness_is_no_order(line: str) -> None:
    assert verdict(line) == "empty"


def verdict(line: str) -> Any:
    return reading.read_alone(mail(f"{line}\n", "utf-8"), "no-configuration")["verdict"]


def mail(text: str, charset: str) -> bytes:
    message = MIMEText(text, "plain", charset)
    message["From"], message["Subject"], message["Message-ID"] = "anna@example.org", "ход", "<1@example.org>"
    return message.as_bytes()


def test_shapes_do_not_grow_slow_on_long_lines() -> None:
    intent.looks_like_order("готов")
    for line in ("a: " * 166, 'помощь а а: "' * 38, "если " + "а: " * 160, "п =" * 166, "пират 1" * 70):
        begin = time.process_time()
        intent.looks_like_order(line)
        assert time.process_time() - begin < 0.05


@pytest.mark.parametrize("charset", ["utf-8", "koi8-r", "windows-1251", "iso-8859-5"])
@pytest.mark.parametrize("case", REPLIES, ids=lambda case: case["id"])
def test_every_russian_reply_holds_orders_in_every_charset(case: dict[str, Any], charset: str) -> None:
    text = case["text"].encode(charset, "ignore").decode(charset)

    shown = reading.read_alone(mail(text, charset), "no-configuration")

    own = "\n".join(shown["own"])
    assert shown["verdict"] == "orders"
    assert [line for line in case["forbid"] if line in own] == []
    assert [line for line in case["keep"] if line not in own] == []
