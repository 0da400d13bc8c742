"""Russian replies in every charset, under every label, in every transfer coding: the same own lines, or a question."""

from __future__ import annotations

import base64
import itertools
import json
import quopri
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mail.message import decode
from mail.read import MailReading, read, reread
from mail.text import line_key, plain
from tests.mail.replies import more_replies
from tests.mail.test_replies import SENT as SENT_TO_ALL
from tests.mail.test_replies import SPEECH

DATA = Path(__file__).parent / "data"
CHARSETS = {"utf-8": "utf-8", "koi8-r": "koi8-r", "windows-1251": "cp1251", "iso-8859-5": "iso8859-5"}
LOOK_ALIKES = {"«": '"', "»": '"', "„": '"', "“": '"', "—": "-", "–": "-", "…": "...", "\u00a0": " "}
LOST = ("?", "look-alike", "")
"""What a client writes for a character that its charset lacks."""
SENT = ("Отчёт — ход 4", "«Ласточка» — З 2, огонь „до“", "«Ёрш»: Ю 1… стоять", "пират 1: A1 - A2", "пират 3: стоять")

SIGNS: list[dict[str, Any]] = [
    {
        "id": "signs above a marked quote",
        "text": "«Сан-Фелипе»: СВ 3 — огонь по «Чёрной Каракатице»\nписьмо Анне: «да» — и точка…\nконец письма\n\n"
        "пн, 3 нояб. 2025 г. в 10:00, Судья «Пиратов» <judge@games.example>:\n\n"
        "> Отчёт — ход 4\n> «Ласточка» — З 2, огонь „до“\n",
        "keep": ["«Сан-Фелипе»: СВ 3 — огонь по «Чёрной Каракатице»", "письмо Анне: «да» — и точка…"],
        "forbid": ["«Ласточка» — З 2, огонь „до“"],
    },
    {
        "id": "signs above a bare quote",
        "text": "«Сан-Фелипе»: СВ 3 — ждать\n\nОт: Судья — «Пираты»\nОтправлено: 3 ноября 2025 г. 10:00\nКому: Игорь\n"
        "Тема: Ход 5 — «Пираты»\n\nОтчёт — ход 4\n«Ласточка» — З 2, огонь „до“\n",
        "keep": ["«Сан-Фелипе»: СВ 3 — ждать"],
        "forbid": ["«Ласточка» — З 2, огонь „до“"],
    },
    {
        "id": "an answer below lines of ours that lost their marks",
        "text": "03.11.2025 10:00, Судья игры пишет:\n> Отчёт — ход 4\n«Ласточка» — З 2, огонь „до“\n"
        "«Ёрш»: Ю 1… стоять\n\n«Сан-Фелипе»: СВ 3 — ждать…\n",
        "keep": ["«Сан-Фелипе»: СВ 3 — ждать…"],
        "forbid": ["«Ласточка» — З 2, огонь „до“", "«Ёрш»: Ю 1… стоять"],
    },
]
CASES = [*json.loads((DATA / "russian_replies.json").read_text("utf-8")), *SIGNS]
CODINGS = ("8bit", "quoted-printable", "base64")


def written(text: str, codec: str, lost: str) -> str:
    """Write a text as a client does whose charset lacks some of its characters."""

    def other(char: str) -> str:
        return LOOK_ALIKES.get(char, "?") if lost == "look-alike" else lost

    return "".join(char if char.encode(codec, "ignore") else other(char) for char in text)


def labelled(charset: str) -> Iterator[str]:
    """Give the right label, none, one nobody knows, and each wrong one."""
    yield from (charset, "", "x-nope", *(other for other in CHARSETS if other != charset))


def mailed(text: str, codec: str, label: str, coding: str) -> bytes:
    data = text.replace("\n", "\r\n").encode(codec)
    coded = {"8bit": bytes, "quoted-printable": quopri.encodestring, "base64": base64.encodebytes}[coding](data)
    kind = f"text/plain; charset={label}" if label else "text/plain"
    head = (
        "From: Igor <igor@example.ru>\r\nTo: judge+g12@games.example\r\nSubject: Re: x\r\nMIME-Version: 1.0\r\n"
        f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {coding}\r\n\r\n"
    )
    return head.encode() + coded


def own(reading: MailReading) -> list[str]:
    return [line.text for line in reading.text.own if line.raw.strip()]


def understood(case: dict[str, Any], text: str, codec: str, lost: str, sent: frozenset[str]) -> list[str]:
    """Read a text in the best of forms, and see that the right lines are one's own in it."""
    lines = own(reread(read(mailed(text, "utf-8", "utf-8", "8bit")), sent_lines=sent))
    kept = "\n".join(lines)
    assert [line for line in case["keep"] if plain(written(line, codec, lost)) not in kept] == [], case["id"]
    assert [line for line in case["forbid"] if plain(written(line, codec, lost)) in kept] == [], case["id"]
    return lines


@pytest.mark.parametrize("charset", CHARSETS)
def test_a_reply_is_the_same_in_every_charset_label_and_coding_or_is_asked_about(charset: str) -> None:
    codec, sent = CHARSETS[charset], frozenset(map(line_key, SENT))
    read_, held = 0, 0
    for case in CASES:
        # Only what some charset lacks is written in more than one way.
        ways = {written(case["text"], codec, lost): lost for lost in LOST}
        for text, lost in ways.items():
            wanted = understood(case, text, codec, lost, sent)
            for label in labelled(charset):
                for coding in CODINGS:
                    reading = reread(read(mailed(text, codec, label, coding)), sent_lines=sent)
                    assert own(reading) == wanted or reading.held, (case["id"], lost, label, coding)
                    read_, held = read_ + 1, held + bool(reading.held)

    assert (read_ >= 18 * len(CASES), held) == (True, 0)


@pytest.mark.parametrize("charset", CHARSETS)
def test_the_answers_of_a_hundred_programs_are_the_same_in_every_charset(charset: str) -> None:
    codec = CHARSETS[charset]
    codings = itertools.cycle(CODINGS)
    for reply in (reply for reply in more_replies() if not reply.html_only):
        sent = SENT_TO_ALL if reply.sent else frozenset()
        wanted = [line_key(line) for line in reply.own if line.strip()]
        ways = {written(reply.as_text, codec, lost): lost for lost in LOST}
        for text, lost in ways.items():
            for label in labelled(charset):
                raw = mailed(text, codec, label, next(codings))
                reading = reread(read(raw), sent_lines=sent, speech=SPEECH)
                found = [line_key(line.raw) for line in reading.text.own if line.raw.strip()]
                assert found == wanted or reading.held, (reply.id, lost, label)


@pytest.mark.parametrize("label", ["utf-8", "", "x-nope", "koi8-r", "windows-1251", "iso-8859-5"])
@pytest.mark.parametrize("charset", CHARSETS)
def test_a_page_is_the_same_in_every_charset_and_label(charset: str, label: str) -> None:
    page = "<style>p{margin:0}</style><p>пират 1: A5 - B6</p><blockquote type=cite>пират 1: A1 - A2</blockquote>"
    kind = f"text/html; charset={label}" if label else "text/html"
    raw = f"From: igor@example.ru\r\nContent-Type: {kind}\r\n\r\n".encode() + page.encode(CHARSETS[charset])

    assert own(read(raw)) == ["пират 1: A5 - B6"]


@pytest.mark.parametrize("label", ["utf-8", "", "x-nope", "koi8-r", "windows-1251", "iso-8859-5", "us-ascii"])
@pytest.mark.parametrize("charset", CHARSETS)
def test_a_raw_subject_and_name_are_the_same_in_every_charset(charset: str, label: str) -> None:
    fields = "From: Игорь Тестов <igor@example.ru>\r\nSubject: Re: приказы на пятый ход\r\n".encode(CHARSETS[charset])
    incoming = decode(fields + f"Content-Type: text/plain; charset={label}\r\n\r\nок".encode())

    assert (incoming.subject, incoming.sender[0].name) == ("Re: приказы на пятый ход", "Игорь Тестов")
