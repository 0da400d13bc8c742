"""A hundred mail programs: of each answer exactly the writer's own lines are read, from text and from HTML alike."""

from __future__ import annotations

import re

import pytest

from mail.html import html_lines
from mail.read import read
from mail.reply import OwnText, Speech, own_text
from mail.text import Line, line_key
from tests.mail.mails import numbered, parts, raw_mail, texts
from tests.mail.replies import Reply, more_replies

CLOSING = (
    "Приказы принимаются до понедельника 10 ноября, 21:00 по Москве, потом ход закрыт и никакие исправления не "
    "принимаются"
)
SENT = frozenset(
    map(
        line_key,
        [
            "Отчёт о ходе 4",
            "пират 1: A1 - A2",
            "пират 3: стоять",
            CLOSING,
            "Карта лежит здесь:",
            "https://games.example/pirates-7/maps/turn-4/very-long-name-of-the-map.svg",
            "Ветер свежий, норд-ост, попутный курс на юго-запад",
        ],
    )
)
SPEECH = Speech(
    is_order=lambda text: text.startswith(
        ("пират", "Сан-Фелипе:", '"Ласточка" -', '"Чёрная', "Sail", "готов", "ready")
    ),
    opens=lambda text: text.startswith("письмо "),
    closes=lambda text: text == "конец письма",
)

IN_TEXT = [reply for reply in more_replies() if not reply.html_only]
IN_HTML = [reply for reply in more_replies() if not reply.plain]


def expected(reply: Reply) -> list[str]:
    return texts(numbered("\n".join(reply.own)))


def parted(reply: Reply, lines: tuple[Line, ...]) -> OwnText:
    return own_text(lines, sent_lines=SENT if reply.sent else frozenset(), speech=SPEECH)


def of_page(page: str) -> tuple[Line, ...]:
    return tuple(Line(number, line, mark) for number, (line, mark) in enumerate(html_lines(page), 1))


def test_the_set_is_large_and_its_names_are_unique() -> None:
    names = [reply.id for reply in more_replies()]

    assert len(names) >= 100
    assert sorted(set(names)) == sorted(names)


@pytest.mark.parametrize("reply", IN_TEXT, ids=lambda reply: reply.id)
def test_an_answer_in_text_gives_its_own_lines_and_nothing_else(reply: Reply) -> None:
    result = parted(reply, numbered(reply.as_text))

    assert texts(result.own) == expected(reply)
    assert result.forwarded == reply.forwarded


@pytest.mark.parametrize("reply", IN_HTML, ids=lambda reply: reply.id)
def test_its_twin_in_html_gives_the_same_lines(reply: Reply) -> None:
    result = parted(reply, of_page(reply.as_html))

    assert texts(result.own) == expected(reply)
    assert result.forwarded == reply.forwarded


@pytest.mark.parametrize("reply", IN_TEXT, ids=lambda reply: reply.id)
def test_every_line_that_is_not_ones_own_is_kept_with_its_reason(reply: Reply) -> None:
    lines = numbered(reply.as_text)
    result = parted(reply, lines)
    kept = {line.number for line in result.own}

    assert [aside.line.number for aside in result.set_aside] == [
        line.number for line in lines if line.raw.strip(" \t>") and line.number not in kept
    ]
    assert all(aside.why for aside in result.set_aside)


def in_mails(reply: Reply) -> dict[str, bytes]:
    """Give the answer as mails: its HTML alone, with its text before it, and with a text part that says nothing."""
    text, page = reply.as_text.encode(), reply.as_html.encode()
    plain, html = "Content-Type: text/plain; charset=utf-8", "Content-Type: text/html; charset=utf-8"
    alternative = 'multipart/alternative; boundary="b"'
    mails = {
        "html": raw_mail(page, kind="text/html; charset=utf-8"),
        "blank text": raw_mail(parts("b", (plain, b" \r\n\xc2\xa0\r\n"), (html, page)), kind=alternative),
    }
    if not reply.html_only:
        mails["both"] = raw_mail(parts("b", (plain, text), (html, page)), kind=alternative)
    return mails


def test_an_answer_in_a_whole_mail_gives_its_own_lines_whichever_parts_it_has() -> None:
    wrong = [
        (reply.id, name, found)
        for reply in IN_HTML
        for name, raw in in_mails(reply).items()
        if (found := texts(read(raw, sent_lines=SENT if reply.sent else frozenset(), speech=SPEECH).text.own))
        != expected(reply)
    ]

    assert wrong == []


def flowed(text: str) -> str:
    """Give a text as a program writes it that sends ``format=flowed`` (RFC 3676)."""
    out: list[str] = []
    for line in text.split("\n"):
        marks = (re.match(r"(?:> ?)*", line) or [""])[0]
        depth, words = marks.count(">"), line[len(marks) :].rstrip(" ") if line != "-- " else line
        lead = ">" * depth + " " if depth else ""
        while len(words) > 40 and (cut := words.rfind(" ", 1, 40)) > 0:
            out.append(lead + stuffed(words[: cut + 1], depth))
            words = words[cut + 1 :]
        out.append(lead + stuffed(words, depth) if words else lead.rstrip())
    return "\n".join(out)


def stuffed(words: str, depth: int) -> str:
    return " " + words if not depth and words.startswith((" ", ">", "From ")) else words


def test_flowed_answers_give_the_same_lines() -> None:
    kind = "text/plain; charset=utf-8; format=flowed"
    wrong = [
        (reply.id, found)
        for reply in IN_TEXT
        if (
            found := texts(
                read(
                    raw_mail(flowed(reply.as_text), kind=kind),
                    sent_lines=SENT if reply.sent else frozenset(),
                    speech=SPEECH,
                ).text.own
            )
        )
        != expected(reply)
    ]

    assert wrong == []


def test_an_order_below_a_bare_quote_of_ours_is_reported_as_edited() -> None:
    reply = next(reply for reply in more_replies() if reply.id == "outlook_bottom_known")

    assert texts(parted(reply, numbered(reply.as_text)).because("edited quote")) == ["пират 7: в пещеру"]
