"""What readers of answers elsewhere were reported for, with the mails that show it."""

from __future__ import annotations

import time

import pytest

from mail.read import read
from mail.reply import Speech, own_text
from mail.text import line_key
from tests.mail.mails import OLD, ORDERS, numbered, raw_mail, texts

NEW = ORDERS.split("\n")
SENT = ["Отчёт о ходе 4", *OLD.split("\n")]
QUOTE = "\n".join(f"> {line}" for line in SENT)
GLUED = "-----Original message----- From: Judge Sent: Monday, 3 November 2025 Subject: [Поддержка] Ход 4"
OUTLOOK = "От: Судья игры\nОтправлено: 3 ноября 2025 г. 10:00\nКому: Игорь\nТема: Ход 4"
SPEECH = Speech(is_order=lambda text: text.startswith("пират"))


def own(body: str, *headers: tuple[str, str], kind: str = "text/plain; charset=utf-8") -> list[str]:
    return texts(read(raw_mail(body, *headers, kind=kind), speech=SPEECH).text.own)


@pytest.mark.parametrize(
    "attribution",
    [
        "2025-11-03 13:29 GMT+03:00 Очень длинное имя судьи <\njudge@games.example>:",
        "пн, 3 нояб. 2025 г. в 10:00, Судья игры с очень длинным именем\n<judge@games.example>:",
        "пн, 3 нояб. 2025 г. в 10:00, Судья игры с очень длинным именем <\njudge@games.example>:",
        "3 ноября 2025 г., 10:00 пользователь Судья <judge@games.example>\nнаписал:",
    ],
)
@pytest.mark.parametrize("quote", [QUOTE, OLD], ids=["marked", "bare"])
def test_a_wrapped_attribution_goes_with_its_quote(attribution: str, quote: str) -> None:
    assert own(f"{ORDERS}\n\n{attribution}\n{quote}\n") == NEW


def test_headers_glued_onto_a_separator_end_the_letter() -> None:
    assert own(f"ок\n{ORDERS}\n{GLUED}\n{OLD}\n") == ["ок", *NEW]


@pytest.mark.parametrize("header", [OUTLOOK, OUTLOOK.replace("Отправлено", "Дата")], ids=["Отправлено", "Дата"])
def test_russian_headers_without_marks_begin_a_quote(header: str) -> None:
    assert own(f"{ORDERS}\n\n{header}\n\n{OLD}\n") == NEW


def test_lines_of_our_report_outside_a_quote_are_named() -> None:
    keys = frozenset(map(line_key, SENT))
    result = own_text(numbered("\n".join([*NEW, *SENT[:2]])), sent_lines=keys, speech=SPEECH)

    assert texts(result.own) == [*NEW, *SENT[:2]]
    assert texts(result.echoed) == SENT[:2]


def test_dashes_before_orders_are_bullets() -> None:
    assert own("- пират 1: A5-B6\n-пират 2: C4\n") == ["пират 1: A5-B6", "пират 2: C4"]


def test_orders_below_a_line_with_a_colon_stay() -> None:
    assert own(f"Вот мои ходы:-\n\n{ORDERS}\n\nИгорь\n") == ["Вот мои ходы:-", *NEW, "Игорь"]


def test_a_signature_mark_in_the_quote_leaves_the_answer_below_it() -> None:
    assert own(f"> текст\n> -- \n> Судья\n\n{ORDERS}\n") == NEW


def test_blank_lines_between_attribution_and_quote_change_nothing() -> None:
    assert own(f"{ORDERS}\n\nOn Mon, 3 Nov 2025 at 10:00, Judge <judge@games.example> wrote:\n\n\n{QUOTE}\n") == NEW


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (f"{ORDERS}\n{' on xxx at yyy' * 14_000}", ()),
        (f"{ORDERS}\n{'QUJDREVG' * 6_500}", ()),
        (ORDERS, (("References", " ".join(f"<{number}@example.ru>" for number in range(6_000))),)),
        (ORDERS, (("References", "<" * 100_000),)),
        (ORDERS, (("Subject", "Re: " * 25_000),)),
    ],
    ids=["on … at …", "base64", "References", "brackets", "Re:"],
)
def test_long_lines_and_headers_are_judged_within_a_second(body: str, headers: tuple[tuple[str, str], ...]) -> None:
    began = time.process_time()
    kept = own(body, *headers)

    assert time.process_time() - began < 1
    assert kept[:2] == NEW


def test_flowed_lines_are_joined_without_the_spaces_of_delsp() -> None:
    kind = "text/plain; charset=utf-8; format=flowed; DelSp=yes"

    assert own("пират 1: A5  \n- B6\nпират 2: ко \nпать C4\n-- \nИгорь\n", kind=kind) == NEW


def test_flowed_quotes_keep_their_depth_and_stuffed_lines_their_words() -> None:
    kind = "text/plain; charset=utf-8; format=flowed"
    body = "> пират 1: \n>> пират 2: A1\n> A3 - A4\n From Havana\nпират 2: \nкопать C4\n-- \nИгорь\n"

    assert own(body, kind=kind) == ["From Havana", "пират 2: копать C4"]


def test_words_of_word_give_a_line_each_and_no_styles() -> None:
    page = (
        "<html><head><style><!-- p.MsoNormal {margin:0cm} --></style><!--[if gte mso 9]><xml>пират 9: A1</xml>"
        "<![endif]--></head><body><div class=WordSection1><p class=MsoNormal>пират 1: A5 - B6<o:p></o:p></p>"
        "<p class=MsoNormal>пират 2: копать C4<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p>"
        "<p class=MsoNormal><b>От:</b> Судья<br><b>Отправлено:</b> 3 ноября 2025 г. 10:00<br><b>Кому:</b> Игорь</p>"
        f"<p class=MsoNormal>{OLD}</p></div></body></html>"
    )

    assert own(page, kind="text/html; charset=utf-8") == NEW


LETTER_OF_JUDGE = {
    "Lotus Notes": "Судья <judge@games.example>\n03.11.2025 10:00\n\nКому\nigor@example.ru\nкопия\n\nТема\nХод 4\n",
    "name and hour on two lines": "Судья <judge@games.example>\n03.11.2025 10:00\n",
    "hour and address, no colon": "03.11.2025 10:00, Судья <judge@games.example>\n",
    "address and hour, no colon": "Судья <judge@games.example> 3 ноября 2025 г. 10:00\n",
    "yesterday": "Вчера в 10:00 Судья judge@games.example написал(а):\n",
    "forwarded anew": "-------- Переадресованное сообщение --------\n",
    "quotation": "--- Цитата ---\n",
    "in answer to": "--- В ответ на ---\nОт: Судья\n",
    "address broken at its angles": "On Mon, Nov 03, 2025 at 10:00 AM, Судья <\njudge@games.example\n> wrote:\n",
    "out of a messenger": "Судья, [03.11.2025 10:00]\n",
}


@pytest.mark.parametrize("head", LETTER_OF_JUDGE.values(), ids=LETTER_OF_JUDGE.keys())
def test_who_wrote_and_when_begins_a_quote_without_colon_or_mark(head: str) -> None:
    assert own(f"{ORDERS}\n\n{head}\n{OLD}\n") == NEW


@pytest.mark.parametrize(
    "line",
    [
        "Пишите мне на новый адрес: Игорь <igor@example.net>",
        "В 10:00 меня не будет, пишите Ане <anna@example.ru>",
        "Вчера в 10:00 Игорь написал:",
        "Судья, [см. отчёт 4]",
    ],
)
def test_a_name_an_address_or_an_hour_of_ones_own_begins_no_quote(line: str) -> None:
    assert own(f"{line}\n{ORDERS}") == [line, *NEW]
