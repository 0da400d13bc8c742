"""What people say is prose to the rules, and what their mail programs write is read as it was meant."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import get_args

import pytest

from adjudicator.demo.cast import company, words
from adjudicator.demo.chance import Chance
from adjudicator.demo.programs import Draft, Posting, Quoted, answer, delayed, programs
from adjudicator.services import commands
from engine.core.contract import Language
from engine.core.dice import MAIN, BatchDice
from engine.core.registry import ruleset
from mail.read import Verdict, read
from mail.text import line_key

LANGUAGES: tuple[Language, ...] = get_args(Language)
PEOPLE = company(9)
LETTER = Quoted(
    name="Судья",
    address="judge@pirates.example",
    reply_to="judge@pirates.example",
    written=datetime(2026, 3, 2, 16, 5, tzinfo=UTC),
    subject="[pirates-1] Ход 3",
    lines=("# Ход 3", "", "Корабли ходят…", "", "    «Месть»: курс ЮВ 3; огонь после любой", "    карта  ✓"),
    message_id="<letter@pirates.example>",
    references="<letter@pirates.example>",
)


def said_by_people(language: Language) -> list[str]:
    spoken = words(language)
    lines = [*spoken.letter.greetings, *spoken.letter.closings, *spoken.letter.intros]
    lines += [line for chat in spoken.chat.values() for line in chat]
    lines += [line for name in spoken.scenes for part in spoken.scenes[name] for line in spoken.lines(name, part)]
    lines += list(spoken.write["join_words"])
    return [line for line in lines if line]


@pytest.mark.parametrize("language", LANGUAGES)
def test_chat_is_prose_to_the_rules_and_to_the_service(language: Language) -> None:
    rules = ruleset("pirates")
    options = next(iter(rules.info.editions.values()))
    seats = [seat.id for seat in rules.seats(options, 4)]
    state = rules.start(options, seats, BatchDice({MAIN: {1: bytes(32)}, "gold": {1: bytes(32)}})).state
    lines = said_by_people(language)
    for seat in seats:
        reading = rules.read(rules.view(state, seat), (), lines, language)
        assert (reading.orders, reading.complaints) == ((), ())
    assert [line for line in lines if commands.read_command(line) is not None] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_languages_have_the_same_words(language: Language) -> None:
    mine, russian = words(language), words("ru")
    for part in ("chat", "write", "screen", "page", "scene", "outcomes", "rhumbs"):
        assert sorted(getattr(mine, part)) == sorted(getattr(russian, part))


def test_every_program_of_the_cast_is_known() -> None:
    assert {program for person in PEOPLE for program in person.programs} <= set(programs())


@pytest.mark.parametrize("person", PEOPLE, ids=lambda person: person.key)
def test_own_words_come_back_from_every_mail_program(person: object) -> None:
    someone = next(one for one in PEOPLE if one == person)
    keys = frozenset(line_key(line) for line in LETTER.lines if line)
    for name in someone.programs:
        posting = Posting(someone, programs()[name], datetime(2026, 3, 3, 5, 5, tzinfo=UTC), "mark")
        draft = Draft(lines=("Привет!", "", "Варяг: курс В 2; огонь после любой", someone.word), signature=someone.name)
        reading = read(answer(posting, draft, LETTER), own_addresses=(LETTER.address,), sent_lines=keys)
        assert reading.verdict is Verdict.HUMAN
        assert [line.raw for line in reading.text.own] == list(draft.lines), name


def test_an_inline_answer_stands_below_the_line_it_answers() -> None:
    margaret = next(person for person in PEOPLE if "thunderbird-inline-en" in person.programs)
    posting = Posting(margaret, programs()["thunderbird-inline-en"], datetime(2026, 3, 3, 5, 5, tzinfo=UTC), "mark")
    offered, own = "«Месть»: курс ЮВ 3; огонь после любой", "ship 4: stand"
    raw = answer(posting, Draft(lines=("Hello", own), between={offered: own}), LETTER)
    text = read(raw).incoming.lines
    place = next(number for number, line in enumerate(text) if line.raw == own)
    assert text[place - 1].raw == f">     {offered}"
    assert [line.raw for line in text].count(own) == 1


def test_an_edit_inside_a_quote_is_made_at_the_last_place_of_the_line() -> None:
    boris = next(person for person in PEOPLE if "outlook-ru" in person.programs)
    posting = Posting(boris, programs()["outlook-ru"], datetime(2026, 3, 3, 5, 5, tzinfo=UTC), "mark")
    draft = Draft(lines=("ниже",), edits={"«Месть»: курс ЮВ 3; огонь после любой": "корабль 4: стоять"})
    lines = [line.raw for line in read(answer(posting, draft, LETTER)).incoming.lines]
    assert "    корабль 4: стоять" in lines


def test_signs_that_an_old_charset_lacks_become_plain_ones() -> None:
    boris = next(person for person in PEOPLE if "outlook-ru" in person.programs)
    posting = Posting(boris, programs()["outlook-ru"], datetime(2026, 3, 3, 5, 5, tzinfo=UTC), "mark")
    raw = answer(posting, Draft(lines=("«Варяг» — вперёд → ура ✓",)), LETTER)
    assert '"Варяг" - вперёд -> ура ?'.encode("koi8-r") in raw


def test_nobody_writes_at_night() -> None:
    evening = datetime(2026, 3, 2, 19, 30, tzinfo=UTC)  # 22:30 in Moscow
    assert delayed(evening, "Europe/Moscow", 20) == datetime(2026, 3, 2, 19, 50, tzinfo=UTC)
    assert delayed(evening, "Europe/Moscow", 60).hour + 3 >= 8
    assert delayed(evening, "Europe/Moscow", 360) == datetime(2026, 3, 3, 5, 30, tzinfo=UTC)


def test_chance_is_the_same_for_the_same_seed_and_address() -> None:
    first, again, other = Chance("demo"), Chance("demo"), Chance("other")
    numbers = [first.below(1000, "anna", turn) for turn in range(20)]
    assert numbers == [again.below(1000, "anna", turn) for turn in range(20)]
    assert numbers != [other.below(1000, "anna", turn) for turn in range(20)]


def test_a_bot_is_told_apart_from_its_next_question() -> None:
    choose = Chance("demo").chooser("orders")
    assert len({choose(10**6) for _ in range(10)}) == 10


def test_there_are_no_more_people_than_the_cast_has() -> None:
    with pytest.raises(ValueError, match="not 10"):
        company(10)
