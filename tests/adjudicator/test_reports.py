"""Letters as wholes: golden texts, the order of their parts, sizes, secrets, HTML that carries nothing from outside."""

from __future__ import annotations

import re
from email.utils import parseaddr
from urllib.parse import parse_qs, unquote, urlsplit

import icalendar
import msgspec
import pytest

from adjudicator.fairplay.log import read_pins
from adjudicator.letters import LineVerdict, Receipt, Report
from adjudicator.services import pictures
from adjudicator.services.render import render
from engine.core import codec
from engine.core.contract import Complaint, Event
from engine.core.registry import ruleset
from engine.core.selfplay import play
from engine.pirates.state import GoldChosen
from tests.adjudicator.words import golden, samples

LANGUAGES = golden.LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", golden.LETTERS)
def test_letter_is_the_golden_one(name: str, language: samples.Tongue) -> None:
    kept = (golden.FOLDER / f"{name}.{language}.md").read_text(encoding="utf-8")

    assert golden.text(name, language) == kept, "if the change is meant: python -m tests.adjudicator.words.golden"


def test_report_has_its_parts_in_the_order_of_the_page() -> None:
    headings = [line[3:] for line in render(samples.report("ru")).text.splitlines() if line.startswith("## ")]

    assert headings == [
        "Что от вас нужно",
        "Ветер и курсы",
        "Что было",
        "Ваши",
        "Судовой журнал · ход 11, чт 3 декабря",
        "Карта",
        "Кто где",
        "Кости",
        "Заготовка ответа",
    ]


def test_report_gives_the_deadline_in_the_readers_zone_and_in_utc() -> None:
    text = " ".join(render(samples.report("ru")).text.split())

    assert "сб 5 декабря, 21:00 (UTC+6, Омск) = 15:00 UTC" in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", golden.LETTERS)
def test_text_part_fits_76_columns_and_html_100_kilobytes(name: str, language: samples.Tongue) -> None:
    made = render(golden.LETTERS[name](language))

    assert max(len(line) for line in made.text.splitlines()) <= 76
    assert len(made.html.encode()) < 100_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_html_has_a_light_ground_of_its_own_and_nothing_from_outside(language: samples.Tongue) -> None:
    html = render(samples.report(language)).html

    assert '<meta name="color-scheme" content="light">' in html
    assert "background: #fbf5e6" in html
    assert re.findall(r'src="(.*?)"', html) == ["cid:map"]
    assert {urlsplit(link).scheme for link in re.findall(r'href="(.*?)"', html)} == {"mailto"}
    assert not re.search(r"<(script|link|iframe|object|form)|url\(|@import", html)


def test_report_carries_the_map_as_picture_file_and_text() -> None:
    made = render(samples.report("ru"))

    assert [(name, data[:4]) for name, data in made.images] == [("map", b"\x89PNG")]
    assert len(made.images[0][1]) <= pictures.LARGEST
    assert [(name, kind) for name, kind, _ in made.files] == [
        ("map.svg", "image/svg+xml"),
        ("deadline.ics", "text/calendar; method=PUBLISH"),
    ]
    assert "M  #....##.....5...................S..#####" in made.text.splitlines()
    assert 'alt="Карта: Атлантика, ход 12, ветер норд-ост' in made.html


def test_rendering_twice_gives_the_same_bytes() -> None:
    assert render(samples.report("ru")) == render(samples.report("ru"))


def test_pin_of_a_letter_is_read_back() -> None:
    pins = list(read_pins(render(samples.report("ru")).text))

    assert [(pin.campaign, pin.seq, pin.head) for pin in pins] == [
        ("pirates-7", 214, samples.PIN.head),
        ("pirates-7", 197, samples.EARLIER.head),
    ]


def test_answer_link_opens_a_mail_with_the_lines() -> None:
    link = unquote_link(render(samples.report("ru")).html)
    query = parse_qs(link.query)

    assert '<p class="button"' in render(samples.report("ru")).html
    assert parseaddr(unquote(link.path))[1] == "judge+k7q2@example.org"
    assert query["subject"] == ["Re: [pirates-7] Ход 12"]
    assert query["body"] == ["корабль 1: курс ЮЗ 2; огонь после любой\r\nкорабль 2: стоять; огонь до 5"]


def unquote_link(html: str) -> object:
    (address,) = re.findall(r'href="(mailto:.*?)"', html)
    return urlsplit(address.replace("&amp;", "&"))


def test_answer_link_above_1800_characters_is_left_out() -> None:
    lines = tuple(f"корабль {number}: курс ЮЗ 2; огонь после любой" for number in range(1, 10))

    made = render(samples.report("ru", template=lines))

    assert "mailto:" not in made.html
    assert all(f"    {line}" in made.text.splitlines() for line in lines)


def test_calendar_has_one_uid_a_seat_and_a_rising_sequence() -> None:
    first, second = (
        icalendar.Calendar.from_ical(render(letter).files[1][2]).walk("VEVENT")[0]
        for letter in (samples.report("ru"), samples.report("ru", pin=samples.Pin(seq=230, head="0" * 64)))
    )

    assert str(first["uid"]) == str(second["uid"]) == "pirates-7/spain-1/deadline"
    assert (first["sequence"], second["sequence"]) == (214, 230)
    assert first["dtstart"].dt.isoformat() == "2026-12-05T15:00:00+00:00"
    assert str(first["summary"]) == "[pirates-7] Ход 12"


# What people wrote ----------------------------------------------------------------------------------------------------


def test_press_cannot_pass_for_the_judge() -> None:
    made = render(samples.press("ru"))
    speech = [
        line for line in made.text.splitlines() if "Решение судьи" in line or "отменён" in line or "Судья" in line
    ]

    assert all(line.startswith("│ ") for line in speech)
    assert len(speech) == 3
    assert made.html.count("<h1") == 1
    assert "evil.example" in made.html
    assert 'href="' not in made.html


def test_press_is_a_quotation_line_by_line_in_the_html() -> None:
    quoted = re.findall(r"<blockquote.*?</blockquote>", render(samples.press("ru")).html, re.DOTALL)

    assert [re.sub(r"<[^>]*>", "", one).split("\n") for one in quoted] == [
        [
            "",
            "# Решение судьи",
            "Ход **отменён**, смотрите [сюда](https://evil.example/).",
            "&nbsp;",
            "&lt;b&gt;Судья&lt;/b&gt;",
            "",
        ]
    ]


def test_press_of_a_megabyte_is_whole_in_the_text_and_cut_in_the_html() -> None:
    letter = samples.press("ru")
    long = msgspec.structs.replace(letter, facts={**letter.facts, "text": "Слово за словом. \n" * 30_000})

    made = render(long)

    assert made.text.count("Слово за словом.") == 30_000
    assert len(made.html.encode()) < 100_000
    assert "всё целиком — в текстовой части письма" in " ".join(made.html.split())


def test_names_of_ships_and_people_stay_text() -> None:
    fleet = (samples.ship(1, "P8", name="<b>Дон</b> *Педро*"), *samples.FLEET[1:])
    reader = msgspec.structs.replace(samples.reader("ru"), name="</title><script>x</script>")

    made = render(samples.report("ru", view=codec.encode(samples.view(fleet)), reader=reader))

    assert "<script" not in made.html
    assert "&lt;b&gt;Дон&lt;/b&gt; *Педро*" in made.html
    assert "<b>Дон" not in made.html


def test_subject_has_no_line_break_whatever_a_name_is() -> None:
    letter = samples.press("ru")
    sly = msgspec.structs.replace(letter, facts={**letter.facts, "titles": {"ru": "Пираты\r\nBcc: x@y"}})

    assert render(sly).subject == "[pirates-7] Письмо: Пираты Bcc: x@y"


# Secrets --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_pirates_report_is_the_same_wherever_the_gold_is(language: samples.Tongue) -> None:
    rules = ruleset("pirates")
    letters = []
    for gold in (2, 3):
        secret = GoldChosen(rule="P4", ship=gold, by_lot=False, audience=("spain-1", "spain-2"), about=(f"ship{gold}",))
        events: tuple[Event, ...] = (secret, *samples.EVENTS)
        view = samples.view(samples.FLEET, seat="pirates-1", gold=gold)
        known = tuple(codec.encode(event) for event in events if event.known_to("pirates-1"))
        letters.append(
            render(
                samples.report(
                    language, reader=samples.reader(language, "pirates-1"), view=codec.encode(view), events=known
                )
            )
        )

    assert letters[0] == letters[1]
    assert rules.info.name == "pirates"


def test_spanish_report_shows_the_gold_to_those_who_know() -> None:
    told = [render(samples.report("ru", view=codec.encode(samples.view(samples.FLEET, gold=gold)))) for gold in (1, 3)]

    assert ["Золото — на галионе 1 «Сан-Фелипе»." in letter.text for letter in told] == [True, False]
    assert ["Золото — на галионе 3 «Эспириту-Санто»." in letter.text for letter in told] == [False, True]
    assert told[0].images != told[1].images


# Whole games ----------------------------------------------------------------------------------------------------------


READERS: tuple[tuple[samples.Tongue, str], ...] = (("ru", "spain-1"), ("en", "pirates-2"), ("ru", ""))


@pytest.mark.parametrize("edition", ["golitsyn", "pioneer-1989", "alternating", "by-side"])
def test_every_turn_of_a_game_is_told_in_both_languages(edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        pictures.Picture, "png", lambda _: b""
    )  # painting is tried elsewhere and takes most of the time
    rules = ruleset("pirates")
    turns: list[tuple[object, tuple[Event, ...]]] = []
    play(
        rules,
        rules.info.editions[edition],
        5,
        "told",
        watch=lambda _, __, made: turns.append((made.state, made.events)),
    )

    for number, (state, events) in enumerate(turns):
        for language, seat in READERS:
            text = render(report_of(language, seat, number, state, events)).text
            assert max(len(line) for line in text.splitlines()) <= 76


def report_of(language: samples.Tongue, seat: str, number: int, state: object, events: tuple[Event, ...]) -> Report:
    rules = ruleset("pirates")
    view = rules.view(state, seat or "public")  # type: ignore[arg-type]
    outcome = rules.outcome(state)  # type: ignore[arg-type]
    return samples.report(
        language,
        turn=number,
        next_turn=-1 if outcome else number + 1,
        view=codec.encode(view),
        events=tuple(codec.encode(event) for event in events if event.known_to(seat or "public")),
        asked=tuple(codec.plain(slot) for slot in rules.owed(view) if slot.seat == seat),
        template=rules.template(view, language) if seat and not outcome else (),
        examples=(),
        dice=(),
        outcome=outcome,
        reader=msgspec.structs.replace(samples.reader(language), seat=seat),
    )


# Receipts -------------------------------------------------------------------------------------------------------------

WRONG = {
    "ru": (
        "корабль 4: курс С 1",
        "корабль 9: стоять",
        "корабль 1: курс ЮЗ 9; огонь после 8",
        "корабль 1: огонь 8",
        "корабль 1: курс ЮЮ 2",
        "корабль 1: курс 3 3",
        "корабль 1: курс С",
        "корабль 1: огонь до",
        "корабль 17: стоять",
        "корабль 1: ремонт",
        "золото 2",
        "имя 1: Гроза",
        "порядок 2,1",
        "залп А: 1,2 по любой до",
        "залп А: 4,5 по 1 до",
        "залп А: 1,4 по 8 до",
        "корабль 1: курс С 1; курс Ю 1",
        "корабль 1: стоять; курс С 1",
        "Сан-Филипе: стоять",
        "rjhf,km 1: cnjznm",
        "корабль 1: курс C 1",
        "корабль 1: огонь до 2",
        "корабль 1: огонь до 1",
        "корабль 1: огонь до 7",
        "корабль 1: курс С 1; огонь до 8; огонь после 8",
        "х" * 2100,
        "корабль",
        "курс С 1",
        "корабль 1: курс С 0",
        "корабль 1: курс СЗ СЗ",
        "я думаю, корабль 1: стоять",
        "залп АБВГДЕЖЗИК: 1,2 по 8 до",
        "1 «Месть»: стоять",
    ),
    "en": (
        "ship 4: course N 1",
        "ship 9: stand",
        "ship 1: course SW 9; fire after 8",
        "ship 1: fire 8",
        "ship 1: course XX 2",
        "ship 1: course N",
        "ship 1: fire before",
        "ship 17: stand",
        "ship 1: repair",
        "gold 2",
        "name 1: Terror",
        "sequence 2,1",
        "volley A: 1,2 at any before",
        "volley A: 4,5 at 1 before",
        "volley A: 1,4 at 8 before",
        "ship 1: course N 1; course S 1",
        "ship 1: stand; course N 1",
        "ship",
        "ship 1: fire before 2",
        "ship 1: fire before 1",
        "ship 1: fire before 7",
        "x" * 2100,
        "course N 1",
        "ship 1: course N 0",
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_receipt_says_why_of_every_wrong_line(language: samples.Tongue) -> None:
    rules, view = ruleset("pirates"), samples.view(samples.FLEET)
    for line in WRONG[language]:
        reading = rules.read(view, (), (line,), language)
        verdicts = [
            LineVerdict(text=line, mark="ok", read=rules.write(one.order, language, view), notes=one.notes)
            for one in reading.orders
        ] + [LineVerdict(text=line, mark="refused", complaint=complaint) for complaint in reading.complaints]
        made = render(msgspec.structs.replace(samples.receipt(language), lines=tuple(verdicts)))
        assert max(len(row) for row in made.text.splitlines()) <= 76 or any(
            row.startswith("    ") for row in made.text.splitlines()
        )


def test_receipt_points_at_the_place_and_offers_lines_that_can_be_sent() -> None:
    complaint = Complaint(
        kind="unread",
        key="unknown-word",
        lines=(0,),
        place=(16, 18),
        facts={"typed": "ЮЮ"},
        suggestions=("корабль 1: курс Ю 2", "корабль 1: курс ЮВ 2"),
    )
    line = LineVerdict(text="корабль 1: курс ЮЮ 2", mark="refused", complaint=complaint)

    text = render(msgspec.structs.replace(samples.receipt("ru"), lines=(line,))).text

    assert text.split("## Как прочитано\n\n")[1].startswith(
        "✗ «корабль 1: курс **ЮЮ** 2» — не прочиталось: не понимаю слова «ЮЮ».\n\n"
        "Может быть, одно из этих:\n\n    корабль 1: курс Ю 2\n    корабль 1: курс ЮВ 2\n"
    )


def test_receipt_without_a_view_names_ships_by_number() -> None:
    text = render(msgspec.structs.replace(samples.receipt("ru"), view="")).text

    assert "так нельзя: корабль 4 не ваш: командует pirates-1 (P2)" in " ".join(text.split())


def test_receipt_of_a_good_letter_says_so_in_its_subject() -> None:
    letter = samples.receipt("ru")
    good = msgspec.structs.replace(
        letter, lines=(LineVerdict(text="готов", mark="command", key="ready"),), understood=True
    )

    made = render(good)

    assert made.subject == "[pirates-7] Ход 12: расписка 4 ✓"
    assert "**Всё понято.**" in made.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_receipt_carries_what_else_was_asked_for(language: samples.Tongue) -> None:
    letter: Receipt = msgspec.structs.replace(
        samples.receipt(language),
        reply={
            "status": {"turn": 12},
            "map": {"view": codec.encode(samples.view(samples.FLEET))},
            "log": {
                "turns": [
                    {"turn": 11, "at": "2026-12-03T15:00:00Z", "events": [codec.encode(one) for one in samples.EVENTS]}
                ],
                "view": codec.encode(samples.view(samples.FLEET)),
            },
            "rules": {"topic": "ветер", "text": "## Ветер\n\n**P14.** Ветер дует *в компас*.\n"},
            "help": {"examples": ["корабль 1: стоять"]},
            "games": {"games": [{"tag": "pirates-7", "deadline": "2026-12-05T15:00:00Z"}]},
        },
        events=tuple(codec.encode(one) for one in samples.EVENTS[7:12]),
    )

    made = render(letter)

    assert [name for name, _ in made.images] == ["map"]
    assert "**P14.** Ветер дует *в компас*." in made.text
    assert max(len(row) for row in made.text.splitlines()) <= 76
