"""Words and names people typed: folding, look-alikes, keyboard layouts, case forms, and which of several was meant."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.names import (
    Ambiguous,
    Found,
    NotFound,
    declined,
    find,
    fold,
    forms,
    nearest,
    one_off_words,
    skeleton,
    words_of,
)

FLEET = {
    "1": ("Сан-Фелипе",),
    "2": ("Санта-Мария",),
    "3": ("Эспириту-Санто",),
    "4": ("Месть",),
    "5": ("Ласточка",),
    "6": ("Чёрный Джек",),
    "7": ("Фортуна",),
    "8": ("Морской Волк",),
    "9": ("Queen Anne's Revenge",),
}


@pytest.mark.parametrize(
    ("raw", "folded"),
    [
        ("Курс СВ", "курс св"),
        ("и\u0306", "й"),
        ("Ё\u0435\u0308", "ее"),
        ("се\u0301вер", "север"),
        ("ко\u00adрабль\u200b", "корабль"),
        ("\ufeffкурс", "курс"),
        ("1\ufe0f\u20e3", "1"),
        ("a\u00a0b\u2009c\u202fd\te", "a b c d e"),
        ("\u2013 \u2014 \u2212 \u2011", "- - - -"),
        ("«Месть» “x” „y‟", '"месть" "x" "y"'),
        ("don’t", "don't"),
        ("→ ⇒", "-> ->"),
        ("СВ…", "св..."),
        ("\uff33\uff25 \uff13", "se 3"),
        ("№4", "№4"),
        ("Straße", "strasse"),
        ("\ud800x\ud800", "x"),
        ("", ""),
        ("\u202e4\u202c", "4"),
    ],
)
def test_fold_makes_texts_comparable(raw: str, folded: str) -> None:
    assert fold(raw).text == folded


def test_fold_knows_where_each_letter_stood() -> None:
    raw = "\ufeffи\u0306 ся…"
    folded = fold(raw)

    assert folded.text == "й ся..."
    assert raw[slice(*folded.span(0, 1))] == "и\u0306"
    assert raw[slice(*folded.span(2, 4))] == "ся"
    assert folded.span(4, 7) == (6, 7)


@given(st.text(max_size=60))
@settings(derandomize=True, max_examples=300)
def test_fold_never_raises_and_keeps_a_place_for_every_letter(raw: str) -> None:
    folded = fold(raw)

    assert len(folded.origin) == len(folded.text) + 1
    assert list(folded.origin) == sorted(folded.origin)
    assert folded.origin[-1] == len(raw)
    assert fold(folded.text).text == folded.text


def test_names_that_look_alike_have_one_skeleton() -> None:
    assert skeleton("Mecть") == skeleton("Месть")
    assert skeleton("Сан Фелипе") == skeleton("САН-ФЕЛИПЕ")


@pytest.mark.parametrize(
    ("word", "cases"),
    [
        ("месть", "мести местью"),
        ("ласточка", "ласточки ласточке ласточку ласточкой ласточкою"),
        ("мария", "марии марию марией"),
        ("джек", "джека джеку джеком джеке"),
        ("черный", "черного черному черным черном"),
        ("морской", "морского морскому морским морском"),
        ("волк", "волка волку волком волке"),
        ("ветер", "ветра ветру ветром ветре"),
        ("лев", "льва льву львом льве"),
        ("воробей", "воробья воробью воробьем воробье"),
        ("вихрь", "вихря вихрю вихрем вихре"),
        ("заря", "зари заре зарю зарей"),
        ("удача", "удачи удаче удачу удачей"),
        ("великая", "великой великую"),
        ("солнце", "солнца солнцу солнцем"),
        ("морган", "моргана моргану морганом"),
        ("стрелок", "стрелка стрелку стрелком"),
        ("герой", "героя герою героем герое"),
    ],
)
def test_russian_names_are_known_in_their_cases(word: str, cases: str) -> None:
    assert set(cases.split()) <= forms(word)


@pytest.mark.parametrize(("typed", "word"), [("мара", "мария"), ("вол", "волк"), ("мест", "месть"), ("анны", "анно")])
def test_another_word_is_no_case_form(typed: str, word: str) -> None:
    assert not declined(typed, word)


@pytest.mark.parametrize(
    ("typed", "key", "how"),
    [
        ("Сан-Фелипе", "1", "exact"),
        ("сан фелипе", "1", "exact"),
        ("САНФЕЛИПЕ", "1", "exact"),
        ("«Месть»", "4", "exact"),
        ("черный джек", "6", "exact"),
        ("Queen Anne’s Revenge", "9", "exact"),
        ("Мести", "4", "declined"),
        ("Местью", "4", "declined"),
        ("Ласточкой", "5", "declined"),
        ("Ласточку", "5", "declined"),
        ("Чёрному Джеку", "6", "declined"),
        ("Чёрным Джеком", "6", "declined"),
        ("Морского Волка", "8", "declined"),
        ("Санта-Марии", "2", "declined"),
        ("Санта-Марию", "2", "declined"),
        ("Фортуны", "7", "declined"),
        ("Mecть", "4", "lookalike"),
        ("Лacтoчкa", "5", "lookalike"),
        ("Лacтoчкой", "5", "lookalike"),
        ("Джек", "6", "part"),
        ("Волку", "8", "part"),
        ("Фелипе", "1", "part"),
        ("Revenge", "9", "part"),
        ("Vtcnm", "4", "layout"),
        ("Kfcnjxrf", "5", "layout"),
        ("Мсеть", "4", "one-off"),
        ("Ласточа", "5", "one-off"),
        ("Лостачка", None, None),
        ("Фортунаа", "7", "one-off"),
        ("Морской Вок", "8", "one-off"),
        ("Сан-Филипе", "1", "one-off"),
        ("Queen Annes Revenge", "9", "exact"),
        ("Queen Ane's Revenge", "9", "one-off"),
    ],
)
def test_find_names_the_one_that_was_meant(typed: str, key: str | None, how: str | None) -> None:
    found = find(typed, FLEET)

    assert isinstance(found, NotFound) if key is None else found == Found(key, how)  # type: ignore[arg-type]


def test_find_does_not_choose_between_two() -> None:
    twins = {"white": ("Анна",), "red": ("Анне",)}

    assert find("Анну", twins) == Ambiguous(("white", "red"), "declined")
    assert find("Анна", twins) == Found("white", "exact")


def test_find_tells_the_nearest_of_what_it_does_not_know() -> None:
    assert find("Лостачка", FLEET) == NotFound(("5",))
    assert find("Каракатица", FLEET) == NotFound(())
    assert find("", FLEET) == NotFound(())


def test_a_name_is_near_by_one_of_its_words() -> None:
    fleet = {"4": ("Чёрная Каракатица",), "5": ("Морской Волк",), "6": ("Старая Карета",)}

    assert nearest("Каракатичка", fleet) == ("4",)
    assert nearest("Волчок", fleet) == ("5",)


def test_who_is_clearly_farther_is_not_suggested() -> None:
    fleet = {"1": ("Ласты",), "2": ("Ласточка",), "3": ("Лосточки",)}

    assert nearest("Лосточка", fleet) == ("2", "3")
    assert nearest("Ласт", fleet) == ("1",)


def test_short_names_are_never_one_letter_off() -> None:
    assert find("Ад", {"1": ("Яд",)}) == NotFound(())


def test_names_of_other_scripts_are_found_too() -> None:
    assert find("黒船", {"1": ("黒船",), "2": ("Ο Αετός",)}) == Found("1", "exact")
    assert find("ο αετόσ", {"1": ("黒船",), "2": ("Ο Αετός",)}) == Found("2", "exact")


def test_words_of_a_name_are_parted_by_anything_but_an_apostrophe() -> None:
    assert words_of("«Queen-Anne's» Revenge №2") == ("queen", "annes", "revenge", "2")


def test_one_letter_off_in_any_way() -> None:
    vocabulary = ("курс", "огонь", "залп", "порядок")

    assert one_off_words("огнь", vocabulary) == ("огонь",)
    assert one_off_words("огоннь", vocabulary) == ("огонь",)
    assert one_off_words("огонб", vocabulary) == ("огонь",)
    assert one_off_words("гоонь", vocabulary) == ("огонь",)
    assert one_off_words("гоньь", vocabulary) == ()
    assert one_off_words("кур", vocabulary) == ()


@given(st.text(max_size=40))
@settings(derandomize=True, max_examples=300)
def test_find_never_raises(typed: str) -> None:
    assert isinstance(find(typed, FLEET), Found | Ambiguous | NotFound)


def test_russian_case_of_a_name_in_latin_letters_is_found() -> None:
    crew = {"1": ("Flint",), "2": ("Anna Bonny",), "3": ("Вера",)}

    assert [find(typed, crew) for typed in ("Флинту", "Флинта", "Анне Бонни")] == [
        Found("1", "translit"),
        Found("1", "translit"),
        Found("2", "translit"),
    ]
    assert isinstance(find("Фланту", crew), NotFound)
