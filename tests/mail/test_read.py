"""One verdict for every mail."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mail.read import Verdict, read, reread
from mail.sender import Carried
from mail.text import line_key
from tests.mail.mails import FIXED, OLD, ORDERS, OURS, parts, raw_mail, texts

OUTLOOK = f"{ORDERS}\n\nОт: Судья\nОтправлено: 3 ноября\nКому: Игорь\nТема: Ход\n\n{OLD}"


@pytest.mark.parametrize(
    ("raw", "verdict", "why", "held"),
    [
        (raw_mail(ORDERS), Verdict.HUMAN, "", ()),
        (raw_mail(OUTLOOK), Verdict.HUMAN, "", ()),
        (raw_mail(""), Verdict.EMPTY, "no-own-text", ()),
        (raw_mail(f"> {OLD}".replace("\n", "\n> ")), Verdict.EMPTY, "no-own-text", ()),
        (raw_mail(f"-----Original Message-----\nFrom: x\n\n{OLD}"), Verdict.EMPTY, "forwarded", ("forwarded",)),
        (raw_mail(ORDERS, ("Precedence", "list")), Verdict.AUTOMATIC, "precedence", ()),
        (raw_mail(ORDERS, sender=OURS), Verdict.OURS, "own-address", ()),
        (raw_mail(ORDERS, sender="mailer-daemon@x"), Verdict.BOUNCE, "daemon-sender", ()),
        (raw_mail(ORDERS, subject="Автоответ"), Verdict.HUMAN, "", ("weak-automatic",)),
        (raw_mail("пират 1: �"), Verdict.HUMAN, "", ("letters-damaged",)),
        (raw_mail("x" * 3_000), Verdict.HUMAN, "", ("line-cut",)),
        (raw_mail("x" * 2_000_000), Verdict.QUARANTINED, "text-too-large", ()),
        (raw_mail("x\n" * 2_001), Verdict.QUARANTINED, "too-many-lines", ()),
        (raw_mail("готов\n" + "> x\n" * 10_000), Verdict.HUMAN, "", ()),
    ],
)
def test_every_mail_gets_one_verdict(raw: bytes, verdict: Verdict, why: str, held: tuple[str, ...]) -> None:
    reading = read(raw, own_addresses=[OURS])

    assert (reading.verdict, reading.why, reading.held) == (verdict, why, held)


def test_read_gives_own_words_and_tokens() -> None:
    reading = read(raw_mail(OUTLOOK), own_addresses=[OURS])

    assert texts(reading.text.own) == ORDERS.split("\n")
    assert reading.tokens == (Carried("g12", "plus"),)


def test_html_only_mail_of_outlook_is_read_without_its_quote() -> None:
    page = (
        "<html><head><style>p.MsoNormal{margin:0}</style></head><body><!--[if mso]>x<![endif]-->"
        "<p class=MsoNormal>пират 1: A5 - B6<o:p></o:p></p><p class=MsoNormal>пират 2: копать C4</p>"
        "<p><b>От:</b> Судья<br><b>Отправлено:</b> 3 ноября<br><b>Кому:</b> Игорь</p><p>пират 1: A1 - A2</p>"
    )

    assert texts(read(raw_mail(page, kind="text/html; charset=utf-8")).text.own) == ORDERS.split("\n")


def test_a_quote_that_only_the_html_part_shows_is_one() -> None:
    text, page = f"{ORDERS}\n\n{OLD}", f"<p>{ORDERS}</p><div class='gmail_quote'>{OLD}</div>".replace("\n", "<br>")
    both = parts(
        "b",
        ("Content-Type: text/plain; charset=utf-8", text.encode()),
        ("Content-Type: text/html; charset=utf-8", page.encode()),
    )
    reading = read(raw_mail(both, kind='multipart/alternative; boundary="b"'))

    assert texts(reading.text.own) == ORDERS.split("\n")
    assert texts(reading.text.because("quote")) == OLD.split("\n")
    assert texts(reread(reading, sent_lines=frozenset()).text.own) == ORDERS.split("\n")


@pytest.mark.parametrize("mark", ["", "\t>"], ids=["all on one line", "the quote on another"])
def test_a_text_that_lost_its_breaks_is_read_from_its_html(mark: str) -> None:
    attribution = "03.11.2025, 10:00, Судья &lt;judge@games.example&gt;:"
    page = f"<p>{ORDERS}</p><p>{attribution}</p><blockquote>{OLD}</blockquote>".replace("\n", "<br>")
    text = f"{ORDERS} 03.11.2025, 10:00, Судья <judge@games.example>:{mark} {OLD}".replace("\n", " ").replace(
        "\t", "\n"
    )
    both = parts(
        "b",
        ("Content-Type: text/plain; charset=utf-8", text.encode()),
        ("Content-Type: text/html; charset=utf-8", page.encode()),
    )

    assert texts(read(raw_mail(both, kind='multipart/alternative; boundary="b"')).text.own) == ORDERS.split("\n")


def test_a_page_nested_too_deep_is_set_aside_whole() -> None:
    reading = read(raw_mail("<p>x</p>" + "<div>" * 5_000 + OLD, kind="text/html; charset=utf-8"))

    assert (reading.verdict, reading.why) == (Verdict.QUARANTINED, "too-deep")


def test_reread_parts_the_text_with_what_we_sent() -> None:
    reading = read(raw_mail(f"готов\n> Отчёт\n{OLD}"))
    again = reread(reading, sent_lines=frozenset(map(line_key, OLD.split("\n"))))

    assert texts(again.text.own) == ["готов"]
    assert again.incoming == reading.incoming


def test_reading_becomes_json() -> None:
    reading = read(raw_mail(OUTLOOK))

    assert b"\xd0" in msgspec.json.encode(reading.text)


@FIXED
@given(st.binary(max_size=1_500))
def test_read_never_raises(raw: bytes) -> None:
    assert read(raw, own_addresses=[OURS], authserv="mx.google.com").verdict in Verdict


@FIXED
@given(st.data())
def test_read_never_raises_on_mutated_mail(data: st.DataObject) -> None:
    seed = raw_mail(
        parts(
            "b",
            ("Content-Type: text/plain; charset=koi8-r", ORDERS.encode("koi8-r")),
            ("Content-Type: text/html", b"<p>x"),
        ),
        ("Authentication-Results", "mx.google.com; dkim=pass (x) header.d=example.ru"),
        ("Received", "from a by b.example"),
        kind='multipart/alternative; boundary="b"',
    )
    raw = bytearray(seed)
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at : at + data.draw(st.integers(0, 30))] = data.draw(st.binary(max_size=6))

    assert read(bytes(raw), authserv="mx.google.com").incoming.size == len(raw)


@pytest.mark.parametrize(
    ("raw", "verdict"),
    [
        (raw_mail(), Verdict.HUMAN),
        (raw_mail("> пират 1: A1 - A2\n"), Verdict.HUMAN),
        (raw_mail("привет", ("Auto-Submitted", "auto-replied")), Verdict.AUTOMATIC),
        (raw_mail("x\n" * 30_000), Verdict.QUARANTINED),
    ],
)
def test_words_may_be_parted_later(raw: bytes, verdict: Verdict) -> None:
    first = read(raw, parting=False)

    assert (first.verdict, first.text.own) == (verdict, ())
    assert reread(first, sent_lines=frozenset()) == read(raw)


def test_an_order_struck_through_in_the_page_alone_is_not_given() -> None:
    first, second = ORDERS.split("\n")
    page = f"<div><s>{first}</s></div><div>{second}</div>"
    both = parts(
        "b",
        ("Content-Type: text/plain; charset=utf-8", ORDERS.encode()),
        ("Content-Type: text/html; charset=utf-8", page.encode()),
    )
    text = read(raw_mail(both, kind='multipart/alternative; boundary="b"')).text

    assert texts(text.own) == [second]
    assert texts(text.because("struck")) == [first]
