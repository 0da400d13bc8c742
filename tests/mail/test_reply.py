"""One's own words: whatever a mail program does to the quote, no old order comes back as a new one."""

from __future__ import annotations

import json
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mail.reply import OwnText, Speech, own_text
from mail.text import Line, line_key, split_lines
from tests.mail.mails import FIXED, OLD, ORDERS, numbered, texts

NEW = ORDERS.split("\n")
SENT = frozenset(map(line_key, ["Отчёт о ходе 4", *OLD.split("\n"), "Приказы на ход 5:", "пират 1: …"]))
DATA = Path(__file__).parent / "data"
CASES = json.loads((DATA / "russian_replies.json").read_text("utf-8"))


def prefixed(text: str, mark: str = "> ") -> str:
    return "\n".join(f"{mark}{line}" for line in text.split("\n"))


def own(text: str, sent_lines: frozenset[str] = frozenset()) -> list[str]:
    return texts(own_text(numbered(text), sent_lines=sent_lines).own)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_russian_replies_keep_the_new_and_drop_the_old(case: dict[str, list[str]]) -> None:
    result = own_text(numbered(str(case["text"])))
    kept = "\n".join(texts(result.own))

    assert [line for line in case["keep"] if line.replace("\u00a0", " ") not in kept] == []
    assert [line for line in case["forbid"] if line in kept] == []


# Every client below puts OLD under ORDERS in its own way.

SHAPES = tomllib.loads((DATA / "shapes.toml").read_text("utf-8"))
ATTRIBUTIONS: dict[str, str] = SHAPES["attributions"]
HEADERS: dict[str, str] = SHAPES["headers"]


@pytest.mark.parametrize("attribution", ATTRIBUTIONS.values(), ids=ATTRIBUTIONS.keys())
@pytest.mark.parametrize(
    "quote", [prefixed(OLD), prefixed(OLD, ">"), OLD, prefixed(OLD, "    ")], ids=["> ", ">", "bare", "indented"]
)
def test_a_quote_under_an_attribution_is_not_ones_own(attribution: str, quote: str) -> None:
    assert own(f"{ORDERS}\n\n{attribution}{quote}\n") == NEW


@pytest.mark.parametrize("header", HEADERS.values(), ids=HEADERS.keys())
@pytest.mark.parametrize("quote", [OLD, prefixed(OLD)], ids=["bare", "> "])
def test_a_quote_under_header_lines_is_not_ones_own(header: str, quote: str) -> None:
    assert own(f"{ORDERS}\n\n{header}{quote}\n") == NEW


@pytest.mark.parametrize("header", HEADERS.values(), ids=HEADERS.keys())
def test_a_forward_without_own_words_is_no_order(header: str) -> None:
    result = own_text(numbered(header + OLD))

    assert (texts(result.own), result.forwarded) == ([], True)


@pytest.mark.parametrize("attribution", ATTRIBUTIONS.values(), ids=ATTRIBUTIONS.keys())
def test_an_answer_below_a_marked_quote_is_ones_own(attribution: str) -> None:
    assert own(f"{attribution}{prefixed(OLD)}\n\n{ORDERS}\n") == NEW


@pytest.mark.parametrize("attribution", ATTRIBUTIONS.values(), ids=ATTRIBUTIONS.keys())
def test_answers_between_marked_quotes_are_ones_own(attribution: str) -> None:
    first, second = NEW
    old, older = OLD.split("\n")

    assert own(f"{attribution}> {old}\n{first}\n> {older}\n{second}\n") == NEW


def test_initials_before_the_sign_are_quote_marks_below_an_attribution() -> None:
    assert own(f"Вы писали 3 ноября 2025 г., 10:00:00:\n\nСИ> {OLD.splitlines()[0]}\n\n{ORDERS}") == NEW


@pytest.mark.parametrize(
    "text",
    [
        "Вчера Игорь написал:\n" + ORDERS,
        "К 12.09.2025:\n" + ORDERS,
        "От: меня ходы такие\n" + ORDERS,
        "Кому: всем союзникам привет\n" + ORDERS,
        "Вот мои ходы:-\n\n" + ORDERS + "\n\nИгорь",
        "пират 1: A5 - B6\n--------\nпират 2: копать C4",
        "пират 1: A5 - B6\n________________\nпират 2: копать C4",
        "- пират 1: A5 - B6\n- пират 2: копать C4",
        "Судья, добрый день! В 10:00 жду ответа:\n" + ORDERS,
        "отпуск 3.12-10.12\nадрес igor@example.org\nписьмо Анне:\nпривет\nконец письма\n" + ORDERS,
        "отпуск 03.12.2025-10.12.2025\nадрес igor@example.org\nписьмо Анне, 10:00:\n" + ORDERS,
        "вернуть 3\nписьмо Анне: в 10:00 жду\n" + ORDERS,
        "Тема: как договорились\n" + ORDERS,
    ],
)
def test_own_lines_that_look_like_a_quote_stay(text: str) -> None:
    assert [line for line in own(text) if line in NEW] == NEW


def test_a_signature_mark_inside_a_quote_does_not_swallow_the_answer_below() -> None:
    assert own(f"> текст\n> -- \n> Судья\n\n{ORDERS}") == NEW


def test_a_sign_that_a_server_put_before_from_is_taken_away() -> None:
    assert own(f">From Havana to Cadiz\n{ORDERS}") == ["From Havana to Cadiz", *NEW]


def test_a_quoted_from_among_quoted_lines_stays_a_quote() -> None:
    assert own(f"> Turn 4\n>From Havana to Cadiz\n{ORDERS}") == NEW


SIGNATURES = [
    "-- \nИгорь Тестов\n+7 900 000-00-00",
    "--\nИгорь\nОтправлено из Почты Mail.ru",
    "—\nИгорь",
    "Отправлено с iPhone",
    "Отправлено из мобильной Яндекс Почты",
    "Отправлено из Outlook для Android<https://aka.example>",
    "Sent from my iPhone",
    "Get Outlook for iOS",
    "С уважением,\nИгорь",
    "Best regards,\nIgor",
]


@pytest.mark.parametrize("signature", SIGNATURES)
def test_signatures_and_footers_are_set_aside(signature: str) -> None:
    assert own(f"{ORDERS}\n\n{signature}\n") == NEW


@pytest.mark.parametrize("signature", SIGNATURES)
def test_signatures_above_a_quote_are_set_aside(signature: str) -> None:
    assert own(f"{ORDERS}\n\n{signature}\n\n{ATTRIBUTIONS['yandex']}{OLD}\n") == NEW


def is_order(text: str) -> bool:
    return text.startswith("пират")


def test_an_order_is_never_part_of_a_signature() -> None:
    text = "пират 1: A5 - B6\n--\nпират 2: копать C4"

    assert texts(own_text(numbered(text), speech=Speech(is_order=is_order)).own) == [NEW[0], "--", NEW[1]]


def test_nine_lines_below_two_dashes_are_no_signature() -> None:
    text = "готов\n--\n" + "слово\n" * 9

    assert len(own(text)) == 11


@pytest.mark.parametrize("word", ["конец", "END", "SignOff", " Конец "])
def test_reading_stops_at_an_end_word(word: str) -> None:
    result = own_text(numbered(f"{ORDERS}\n{word}\nпират 3: стоять"))

    assert texts(result.own) == NEW
    assert [(aside.line.number, aside.why) for aside in result.set_aside] == [(3, "end"), (4, "after end")]


def test_an_end_word_in_a_closed_press_block_ends_nothing() -> None:
    speech = Speech(opens=lambda text: text.startswith("письмо"), closes=lambda text: text == "конец письма")
    text = "письмо Анне:\nвот и\nконец\nконец письма\nготов"

    assert texts(own_text(numbered(text), speech=speech).own) == [
        "письмо Анне:",
        "вот и",
        "конец",
        "конец письма",
        "готов",
    ]


@pytest.mark.parametrize(
    "introduction",
    [
        "От: Судья\nОтправлено: 3 ноября\nКому: Игорь",
        "От: Судья <judge@games.example>\nКому: Игорь",
        "-----Исходное сообщение-----",
        ATTRIBUTIONS["yandex"].strip(),
        "03.11.2025 10:00, Судья игры пишет:",
    ],
)
def test_a_press_letter_left_open_is_not_closed_by_what_is_quoted_below_it(introduction: str) -> None:
    speech = Speech(opens=lambda text: text.startswith("письмо"), closes=lambda text: text == "конец письма")
    text = f"письмо Анне:\nпривет\n\n{introduction}\n\nОтчёт о ходе 4\n{OLD}\nконец письма\n{OLD}"

    assert texts(own_text(numbered(text), sent_lines=SENT, speech=speech).own) == ["письмо Анне:", "привет"]


def test_a_command_that_reads_like_an_introduction_is_a_command() -> None:
    speech = Speech(is_order=lambda text: text.startswith(("пират", "спор")))
    text = f"спор ход 3: судья 03.11.2025 в 10:00 написал:\n{ORDERS}"

    assert texts(own_text(numbered(text), speech=speech).own) == text.split("\n")


def test_an_order_below_a_doubtful_introduction_is_reported_not_lost() -> None:
    text = f"привет\nБорис мне 03.11.2025 в 10:00 написал:\n{ORDERS}"
    result = own_text(numbered(text), sent_lines=SENT, speech=Speech(is_order=is_order))

    assert texts(result.own) == ["привет"]
    assert texts(result.because("edited quote")) == NEW


def test_an_end_word_in_an_unclosed_press_block_ends_the_reading() -> None:
    speech = Speech(opens=lambda text: text.startswith("письмо"), closes=lambda text: text == "конец письма")

    assert texts(own_text(numbered("письмо Анне:\nпривет\nконец\nготов"), speech=speech).own) == [
        "письмо Анне:",
        "привет",
    ]


def test_a_line_we_sent_is_a_quote_below_the_boundary_whatever_its_prefix() -> None:
    text = f"{NEW[0]}\n\n{ATTRIBUTIONS['thunderbird ru']}> Отчёт о ходе 4\n{OLD}\n{NEW[1]}"

    assert own(text, sent_lines=SENT) == NEW


def test_a_line_we_sent_stays_ones_own_above_the_boundary() -> None:
    result = own_text(numbered(f"{OLD}\n\n{ATTRIBUTIONS['yandex']}> Отчёт о ходе 4"), sent_lines=SENT)

    assert texts(result.own) == OLD.split("\n")
    assert texts(result.echoed) == OLD.split("\n")


def test_the_unmarked_end_of_a_wrapped_quoted_line_is_a_quote() -> None:
    sent = frozenset({line_key("Приказы принимаются до понедельника 21:00 по Москве, потом ход закрыт")})
    text = f"> Приказы принимаются до понедельника 21:00 по\nМоскве, потом ход закрыт\n{ORDERS}"

    assert own(text, sent_lines=sent) == NEW


def test_an_edited_line_of_the_template_is_reported_and_not_taken() -> None:
    result = own_text(
        numbered(f"готов\n\n{ATTRIBUTIONS['gmail ru']}> пират 1: A1 - A9\n> пират 3: стоять"), sent_lines=SENT
    )

    assert texts(result.own) == ["готов"]
    assert [line.raw for line in result.because("edited quote")] == ["> пират 1: A1 - A9"]
    assert [line.raw for line in result.because("quote")] == ["> пират 3: стоять"]


def test_an_order_added_inside_our_quote_is_reported_and_not_taken() -> None:
    text = f"{ATTRIBUTIONS['yandex']}Отчёт о ходе 4\n{OLD}\nпират 7: в пещеру"
    result = own_text(numbered(text), sent_lines=SENT, speech=Speech(is_order=is_order))

    assert texts(result.own) == []
    assert texts(result.because("edited quote")) == ["пират 7: в пещеру"]


def test_a_wrapped_quoted_line_is_not_taken_for_edited() -> None:
    sent = frozenset({line_key("Сан-Фелипе: СВ 3, огонь после, цель Чёрная Каракатица у порта Кадикс")})
    text = "готов\n> Сан-Фелипе: СВ 3, огонь после, цель Чёрная Каракатица у порта\n> Кадикс"

    assert own_text(numbered(text), sent_lines=sent).because("edited quote") == ()


WORDS = st.sampled_from(
    [
        "пират 1: A1 - A2",
        "Сан-Фелипе: СВ 3",
        "готов",
        "огонь",
        "ход 4",
        "the report of turn 4",
        "#5 fire",
        "- B",
        "1. x",
    ]
)


ANY_LINE = st.one_of(
    WORDS,
    st.sampled_from(
        ["", "> a", ">> b", "--", "-- ", "конец", "От: x", "Кому: y", "Тема: z", "----------", "Отправлено с iPhone"]
    ),
    st.sampled_from([line for text in (*ATTRIBUTIONS.values(), *HEADERS.values()) for line in text.split("\n")]),
    st.text(max_size=30),
)


@FIXED
@given(st.lists(ANY_LINE, max_size=30), st.booleans())
def test_every_line_is_either_own_or_set_aside(lines: list[str], ours: bool) -> None:
    given_lines = numbered("\n".join(lines))
    result: OwnText = own_text(given_lines, sent_lines=SENT if ours else frozenset())
    spoken = [line.number for line in given_lines if line.raw.strip()]
    kept = [line.number for line in result.own if line.raw.strip()]
    aside = [one.line.number for one in result.set_aside]

    assert sorted(kept + aside) == spoken
    assert [
        line.raw
        for line in result.own
        if line.raw.lstrip(" \t\u00a0").startswith(">") and line.raw[:4].strip()[:1] == ">"
    ] == []


def rows(*lines: str) -> Callable[[int], str]:
    """Give what makes a text of so many characters out of lines, as many as a mail may have."""
    block = "\n".join(lines) + "\n"
    return lambda size: block * min(19_000 // len(lines), size // len(block))


NASTY: dict[str, Callable[[int], str]] = {
    "one line": lambda size: " on xxx at yyy" * (size // 14),
    "one word": lambda size: "x" * size,
    "one sign": lambda size: ">" * size,
    "signs": lambda size: "> " * (size // 2),
    "dashes": lambda size: "-" * size,
    "addresses": lambda size: "a@" * (size // 2),
    "header in a line": lambda size: "От: " * (size // 4),
    "short lines": rows("а"),
    "quoted lines": rows("> пират 1: A1 - A2 и ещё много слов после него"),
    "deep signs": rows(">" * 50),
    "signs and none in turn": rows("> пират 1: A1 - A2 слово", "пират 2: A1 - A2 слово"),
    "headers": rows("От: Судья <judge@games.example> и прочее"),
    "headers and strangers": rows("Кому: x@y.example 10:00", "а: 10:00 b@c.example", "Тема: y"),
    "marked headers": rows("> Кому: x@y.example 10:00:", "слово"),
    "names and addresses": rows("Адрес: igor@example.org 10:00"),
    "attributions": rows("пн, 3 нояб. 2025 г. в 10:00, Судья <a@b.example>:", "> x"),
    "almost attributions": rows(" on 03.11.2025 10:00 at yyy <a@b.example> и ещё"),
    "initials": rows("ИТ> пират 1: A1 - A2"),
    "signature marks": rows("--"),
    "rules": rows("-" * 40),
    "footers": rows("Отправлено с iPhone"),
    "press": rows("письмо Анне:", "Борис 3 ноября в 10:00 написал:", "конец письма"),
    "lines like ours": rows("пират 1: A1 - A2 длинная", "> пират 2: A1 - A2"),
    "escaped": rows(">From x"),
}
SPEECH = Speech(
    is_order=is_order, opens=lambda text: text.startswith("письмо"), closes=lambda text: text == "конец письма"
)
MUCH_SENT = frozenset(line_key(f"пират {number}: A1 - A2 длинная строка письма") for number in range(1_500))


def part(text: str) -> None:
    lines = [Line(number, raw[:2_000]) for number, raw in enumerate(split_lines(text), 1)]
    own_text(lines, sent_lines=MUCH_SENT, speech=SPEECH)


@pytest.mark.parametrize(
    "name",
    [
        "one line",
        "one sign",
        "signs and none in turn",
        "headers and strangers",
        "marked headers",
        "names and addresses",
        "attributions",
        "almost attributions",
        "press",
        "lines like ours",
    ],
)
def test_a_megabyte_of_anything_is_parted_in_a_moment(name: str) -> None:
    text = NASTY[name](1_000_000)

    began = time.process_time()
    part(text)
    assert time.process_time() - began < 2  # half a second where nothing else runs


def calls(text: str) -> int:
    """Count the calls that parting a text takes, those into C among them."""
    count = 0

    def seen(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        part(text)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("build", NASTY.values(), ids=NASTY.keys())
def test_twice_the_text_takes_twice_the_work(build: Callable[[int], str]) -> None:
    part(build(1_500))  # what is made once is made

    assert calls(build(6_000)) < 2.5 * calls(build(3_000))
