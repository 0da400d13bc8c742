"""The same signs, keys and sounds in another alphabet."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.names import fold
from engine.core.scripts import as_cyrillic, as_digits, as_latin, keys, layouts, looks, sounds


def test_looks_are_folded_both_ways() -> None:
    assert as_latin("св") == "cb"
    assert as_cyrillic("cb") == "св"


@pytest.mark.parametrize("letter", "авекмнорстух")
def test_letters_that_look_alike_are_found_both_ways(letter: str) -> None:
    (twin,) = looks(letter)

    assert twin in "abekmhopctyx"
    assert letter in looks(twin)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("0гонь", "огонь"),
        ("к0рабль", "корабль"),
        ("3алп", "залп"),
        ("лю6ой", "любой"),
        ("kypc", "курс"),
        ("cтοять", "стоять"),  # the o is Greek
        ("v0lley", "volley"),
        ("vo1ley", "volley"),
    ],
)
def test_words_are_read_as_they_look(typed: str, meant: str) -> None:
    assert meant in looks(typed)


def test_numbers_and_single_letters_with_a_number_stay_apart() -> None:
    assert looks("с3 2") == ("c3 2",)
    assert looks("курс 3 3") == ("kypc 3 3",)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("о", "0"), ("o", "0"), ("з", "3"), ("l", "1"), ("i", "1"), ("|", "1"), ("б", "6"), ("1о", "10")],
)
def test_letters_that_look_like_digits_are_known(typed: str, meant: str) -> None:
    assert as_digits(typed) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("rjhf,km 4^ rehc >D 3", "корабль 4: курс ЮВ 3"),
        ("cnjznm", "стоять"),
        ("ырши 4Ж ыефтв", "shib 4: stand"),
        ("ыршз 4Ж сщгкыу ТУ 2ж ашку фаеук фтн", "ship 4: course NE 2; fire after any"),
        ("Kfcnjxrf", "Ласточка"),
    ],
)
def test_the_other_layout_gives_what_the_keys_meant(typed: str, meant: str) -> None:
    assert meant in layouts(typed)


def test_a_layout_keeps_every_place() -> None:
    assert all(len(text) == len("rjhf,km 4^ №") for text in layouts("rjhf,km 4^ №"))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("k.,jq", "любой"),
        ("vtcnm, kfcnjxrf", "месть, ласточка"),
        ('"vtcnm"', '"месть"'),
        ("x'hysq l;tr", "черный джек"),  # fold makes ' of the key of ё
        (".u", "юг"),
        ("cnj.", "стою"),
        ("ыефтв", "stand"),
    ],
)
def test_marks_may_be_letters_of_the_other_layout(typed: str, meant: str) -> None:
    assert meant in keys(typed)


@pytest.mark.parametrize(
    ("latin", "russian"),
    [
        ("lastochka", "ласточка"),
        ("lastochkoy", "ласточкой"),
        ("stoyat'", "стоять"),
        ("stojat", "стоять"),
        ("korabl", "корабль"),
        ("yuv", "юв"),
        ("juv", "юв"),
        ("lyuboi", "любой"),
        ("ljuboj", "любой"),
        ("mariya", "мария"),
        ("maria", "мария"),
        ("marija", "мария"),
        ("cherny", "черный"),
        ("chyornyi", "черный"),
        ("dzhek", "джек"),
        ("zhrebij", "жребий"),
        ("pomoshch", "помощь"),
        ("otchet", "отчет"),
        ("khod", "ход"),
        ("sv", "св"),
    ],
)
def test_russian_in_latin_letters_sounds_as_in_its_own(latin: str, russian: str) -> None:
    assert not set(sounds(latin)).isdisjoint(sounds(russian))


@pytest.mark.parametrize(("one", "other"), [("sz", "св"), ("zapad", "залп"), ("sever", "север!"), ("yug", "юз")])
def test_other_words_sound_otherwise(one: str, other: str) -> None:
    assert set(sounds(one)).isdisjoint(sounds(other))


@given(st.text(max_size=40))
@settings(derandomize=True, max_examples=300)
def test_no_text_changes_its_length_or_makes_it_fall(raw: str) -> None:
    text = fold(raw).text

    assert all(len(other) == len(text) for other in (*looks(text), *keys(text), as_digits(text)))
    assert sounds(text) == sounds(text)
