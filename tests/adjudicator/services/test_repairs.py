"""What was mended in a mail, what in it looks like our report and what was set aside: told and shown."""

from __future__ import annotations

import base64
import re
import zlib

import pytest
from sqlmodel import col, select

from adjudicator.letters import LineVerdict, Receipt, Report
from adjudicator.services.render import render
from adjudicator.services.work import Work
from adjudicator.storage.tables import Letter
from tests.adjudicator.services.stage import ANNA, PIRATES, SPAIN, Stage

ORDERS = "корабль 1: стоять\r\nкорабль 2: стоять и ждать попутного ветра\r\n"
PROSE = "Судья, здравствуйте! Вот мои приказы на этот ход, больше ничего не меняйте.\r\n"


def mail(stage: Stage, tag: str, rest: bytes) -> bytes:
    head = (
        f"From: {ANNA}\r\nTo: judge+{stage.carrier(tag, SPAIN)}@example.org\r\nSubject: turn\r\n"
        f"Message-ID: <mended.{len(rest)}@example.org>\r\nMIME-Version: 1.0\r\n"
    )
    return head.encode() + rest


def plain(charset: str, data: bytes, encoding: str = "8bit") -> bytes:
    head = f"Content-Type: text/plain{charset}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    return head.encode() + data


def mixed(kind: str, *parts: tuple[str, str], boundary: str = '; boundary="x"') -> bytes:
    body = "".join(f"--x\r\n{head}\r\n\r\n{text}\r\n" for head, text in parts)
    return f"Content-Type: multipart/{kind}{boundary}\r\n\r\n{body}--x--\r\n".encode()


PACKED = base64.b64encode(ORDERS.encode())
LATIN = base64.b64encode(b"ship 1: stand\r\n\r\nThe rest of this letter is talk about the weather.\r\n")
UTF = "Content-Type: text/plain; charset=utf-8"
FILE = f'{UTF}; name="prikazy.txt"\r\nContent-Disposition: attachment; filename="orders.txt"'

MENDED: dict[str, bytes] = {
    "charset-guessed": plain("", (PROSE + ORDERS).encode("koi8-r")),
    "charset-mislabelled": plain("; charset=windows-1251", (PROSE + ORDERS).encode("koi8-r")),
    "charset-was-utf-8": plain("; charset=koi8-r", ORDERS.encode()),
    "mojibake": plain("; charset=utf-8", ORDERS.encode().decode("latin-1").encode()),
    "transfer-mended": plain("; charset=utf-8", PACKED[:60] + b"\r\n-\r\n" + PACKED[60:].rstrip(b"="), "base64"),
    "transfer-guessed": plain("; charset=utf-8", ORDERS.encode(), "base64"),
    "headers-mended": b"Content-Type: text/plain; charset=utf-8\r\na torn line\r\n"
    b"Content-Transfer-Encoding: 8bit\r\n\r\n" + ORDERS.encode(),
    "boundary-guessed": mixed("mixed", (UTF, ORDERS), boundary=""),
    "orders-from-attachment": mixed("mixed", (UTF, " "), (FILE, ORDERS)),
    "attachment-not-read": mixed("mixed", (UTF, ORDERS), (FILE, ORDERS)),
    "alternative-differs": mixed(
        "alternative",
        (UTF, ORDERS),
        (
            "Content-Type: text/html; charset=utf-8",
            "<p>совсем другое письмо про погоду, рыбалку, дачу, соседей, котов, картошку, яблоки, грибы и лес</p>",
        ),
    ),
}
"""A mail for each repair after which a letter is carried out."""


@pytest.mark.parametrize("code", MENDED)
def test_receipt_names_what_was_mended(place: Stage, code: str) -> None:
    tag = place.game()
    place.deliver(mail(place, tag, MENDED[code]))
    place.settle()

    [(_, receipt)] = place.letters("receipt", ANNA)
    assert isinstance(receipt, Receipt)
    assert receipt.repairs == (code,)
    assert "«Сан-Фелипе»: стоять" in receipt.in_force


DOUBTFUL: dict[str, bytes] = {
    "letters-damaged": plain("; charset=utf-8", (ORDERS + "корабль 3: сто\ufffdть\r\n").encode()),
    "charset-doubtful": plain("", "ship 1: stand\r\n\r\nЮВ\r\n".encode("koi8-r")),
    "transfer-broken": plain("", LATIN[:60] + b"!!" + LATIN[63:], "base64"),
    "line-cut": plain("; charset=utf-8", (ORDERS + "и ещё " * 500 + "\r\n").encode()),
}
"""A mail for each repair after which a letter is held until its writer confirms it."""


@pytest.mark.parametrize("code", DOUBTFUL)
def test_receipt_of_a_held_letter_names_what_was_lost(place: Stage, code: str) -> None:
    tag = place.game()
    place.deliver(mail(place, tag, DOUBTFUL[code]))
    place.settle()
    assert place.verdicts() == [("held", "damaged")]
    question, _ = place.letters("held", ANNA)[-1]

    receipt = place.say(tag, SPAIN, "да", answers=question.message_id)

    assert code in receipt.repairs
    assert "«Сан-Фелипе»: стоять" in receipt.in_force


# What looks like our report -------------------------------------------------------------------------------------------


REPORT = ("Ветер южный, свежий", "корабль 1: курс СВ 3", "Отчёт о ходе 4", "корабль 3: стоять", "журнал: сели на мель")


def sent_to_anna(stage: Stage, tag: str) -> None:
    """Let the last report that Anna got have this text."""

    def alter(work: Work) -> None:
        row = work.session.exec(
            select(Letter).where(Letter.kind == "report", Letter.address == ANNA).order_by(col(Letter.id).desc())
        ).first()
        assert row is not None
        row.text = work.vault.seal(zlib.compress("\n".join(REPORT).encode()))
        work.session.add(row)

    stage.settle()
    assert stage.turn(tag).number == 1
    stage.alter(alter)


def test_lines_of_ours_outside_any_known_quote_are_warned_of(place: Stage) -> None:
    tag = place.game()
    sent_to_anna(place, tag)

    scattered = "\n".join(f"корабль 2: стоять\n{line}" for line in REPORT[:3])
    receipt = place.say(tag, SPAIN, f"{scattered}\nготов\n")

    assert receipt.echoed == 3
    text = " ".join(render(receipt).text.split())
    assert "**Часть текста похожа на наш отчёт**: так же выглядят 3 строки." in text


def test_one_line_of_ours_is_no_quote(place: Stage) -> None:
    tag = place.game()
    sent_to_anna(place, tag)

    assert place.say(tag, SPAIN, f"корабль 2: стоять\n{REPORT[1]}\n").echoed == 0


def test_answer_template_sent_back_is_what_it_is_for(place: Stage) -> None:
    tag = place.game()
    place.settle()
    template = [value for _, value in place.letters("", ANNA) if isinstance(value, Report)][-1].template
    assert len(template) == 3

    receipt = place.say(tag, SPAIN, "\n".join(template) + "\n")

    assert (receipt.echoed, len(receipt.in_force)) == (0, 3)


# What was set aside ---------------------------------------------------------------------------------------------------

ATTRIBUTION = "пн, 3 нояб. 2025 г. в 10:00, Судья <judge@example.org>:"
QUOTING = f"корабль 1: стоять\n\n{ATTRIBUTION}\n> корабль 2: стоять\n\n-- \nАнна\n"
ASIDE = [
    ["attribution", ATTRIBUTION],
    ["quote", "> корабль 2: стоять"],
    ["signature", "--"],
    ["signature", "Анна"],
]


def aside(receipt: Receipt) -> object:
    return (receipt.reply or {}).get("set-aside")


@pytest.mark.parametrize("asked", ["отложенное", "отложенное 1", "Set aside 1"])
def test_lines_set_aside_are_shown_on_request(place: Stage, asked: str) -> None:
    tag = place.game()
    assert place.say(tag, SPAIN, QUOTING).set_aside == 4

    receipt = place.say(tag, SPAIN, asked)

    assert aside(receipt) == {"number": 1, "lines": ASIDE, "more": 0}
    text = render(receipt).text
    assert "    цитата | > корабль 2: стоять" in text
    assert "    подпись | Анна" in text


def test_receipt_that_is_answered_is_the_one_that_is_meant(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, QUOTING)
    place.say(tag, SPAIN, "готов")
    [first, _] = [row for row, _ in place.letters("receipt", ANNA)]

    receipt = place.say(tag, SPAIN, "отложенное", answers=first.message_id)

    assert aside(receipt) == {"number": 1, "lines": ASIDE, "more": 0}


@pytest.mark.parametrize(("asked", "number"), [("отложенное 7", 7), ("отложенное", 0)])
def test_letter_there_was_not_has_nothing_to_show(place: Stage, asked: str, number: int) -> None:
    tag = place.game()

    receipt = place.say(tag, SPAIN, asked)

    assert aside(receipt) is None
    assert receipt.lines == (
        LineVerdict(text=asked, mark="command-refused", key="no-letter", facts={"number": number}),
    )


def test_lines_set_aside_are_shown_to_their_seat_alone(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, QUOTING)

    receipt = place.say(tag, PIRATES, "отложенное 1")

    assert [line.key for line in receipt.lines] == ["no-letter"]
    assert "Анна" not in render(receipt).text.split("##")[1]


def test_receipt_says_how_to_see_what_was_set_aside(place: Stage) -> None:
    tag = place.game()

    text = re.sub(r"\s+", " ", render(place.say(tag, SPAIN, QUOTING)).text)

    assert "4 строки отложены как цитата или подпись: в них я приказов не ищу. Показать их: `отложенное 1`." in text
