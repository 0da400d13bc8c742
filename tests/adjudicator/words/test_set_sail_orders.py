"""Whatever the order language of «Поднять паруса!» says of a line has words, in both languages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from adjudicator.words.environment import Phrases, phrases_of
from adjudicator.words.language import Tongue
from engine.core.contract import Complaint, Note
from engine.set_sail import orders
from engine.set_sail.demands import DEMANDS
from engine.set_sail.orders import read
from tests.engine.set_sail.order_positions import ANNA, BORIS, moderators_view, players_view, setting_up

LANGUAGES: tuple[Tongue, Tongue] = ("ru", "en")
CODE = "\n".join(path.read_text("utf-8") for path in sorted(Path(orders.__file__).parent.glob("*.py")))
KINDS = ("pirate", "move", "option", "plan", "article", "thing", "stat", "gate", "bid", "development", "breakdown")


def phrases(language: Tongue) -> Mapping[str, Any]:
    return {name: macro for name, macro in phrases_of("set_sail", language).items() if name[:5] in ("compl", "note_")}


def test_both_languages_have_the_same_phrases() -> None:
    assert sorted(phrases("ru")) == sorted(phrases("en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_and_note_has_a_phrase(language: Tongue) -> None:
    say = Phrases(language, "set_sail")
    keys = set(re.findall(r'Fault\(\s*"[a-z-]+",\s*"([a-z-]+)"', CODE))
    keys |= {f"{what}-{kind}" for what in ("unknown", "which") for kind in KINDS}
    keys |= set(DEMANDS)
    warnings = set(re.findall(r'warn\(\s*"([a-z-]+)"', CODE)) | {"open-already", "closed-already"}
    repairs = {"lookalike", "part", "layout", "translit", "one-off", "declaration"}

    assert (len(keys) > 60, len(warnings) > 10) == (True, True)
    assert sorted(key for key in keys if not say.has("complaint", key)) == []
    assert sorted(key for key in warnings if not say.has("note_warning", key)) == []
    assert sorted(key for key in repairs if not say.has("note_repaired", key)) == []
    assert say.has("note_drops", "order")


LINES = """
фарт +2
помощь Вере: держу
помощь Гене: держу
урон: фарт 2, рана 1
урон: фарт 3
козни: флагман; тайны 9
козни: флагман
козни Бориса: вот
вычеркнуть тайну 7
ставка слва; тайна 9
ставка вера
обмен
поломка мачта
выбор 7
выбор: сделан
уступаю
лист: имя Анна
лист: дерзость 3
лист: дерзость
заявка o1: лезу
заявка:
помогаю Борису поднять паруса
Картографу: тсс
постоянный: танцы
постоянный: если дождь: фарт +1
постоянный: если меняет полосу: обмен да
постоянный: если фарт > 2: урон рана
постоянный: если счёт 0:2: фарт +1
постоянный: заявка: лезу
постоянный: помощь Анне до 1
постоянный: ставки слава слава слава слава
постоянный: обмен
если меняет полосу: фарт +1
открыть бой
заявка: Смекнусть, храбро — гляжу
заявка: Смекнуть, шанс — гляжу
заявка втайне: Закупится — беру ром
afhn +1
помошь Борсу: трос
участвую
ставка слава; тайна 3; шанс
бросок Анна o3: Смекнуть
бросок Анна o3: Смекнусть, дерзость
бросок Гена o3: нет
бросок: нет
обмен Борис o1
итог Анна o1: танцы 3
эффект damage:2
эффект танцы:3
урон 2
вред колдуну 2
открыть бойй
закрыть бой
переговоры: Анна — Анна
кодекс Анна: верность
кодекс Анна: честь соблюдена
план x1 окончен
починка руль 2
развитие: оснастка
развитие: танцы
корабль: навигация 2
снять эффект luck:+1:@pirate-1
проверка Анна: шанс
колода:
""".strip().splitlines()


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_said_of_lines_is_whole(language: Tongue) -> None:
    say = Phrases(language, "set_sail")
    told: set[str] = set()
    for seen in (players_view(ANNA), players_view(BORIS), moderators_view(), setting_up()):
        for line in LINES:
            reading = read(seen, (), [line], language)
            notes = [note for one in reading.orders for note in one.notes]
            said: list[Complaint | Note] = [*reading.complaints, *notes]
            for found in said:
                words = str(_said(say, found))
                assert words, found
                assert "None" not in words, words
                assert "{" not in words, words
                told.add(found.key)
    assert len(told) > 50, sorted(told)


def _said(say: Phrases, found: Complaint | Note) -> str:
    group = "complaint" if isinstance(found, Complaint) else f"note_{found.kind}"
    return str(say(group, found.key, found.facts, {}))
