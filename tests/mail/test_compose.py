"""Letters of ours: the same letter is the same bytes, every reader can read it, nobody can slip a header in."""

from __future__ import annotations

import base64
import email
import re
from datetime import UTC, datetime, timedelta, timezone
from email import policy
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from mail.addresses import Mailbox
from mail.compose import Letter, Part, compose, thread
from mail.message import decode
from mail.robots import Kind, classify
from tests.mail.mails import FIXED

LETTER = Letter(
    sender=Mailbox("Судья игры", "judge@games.example"),
    to=Mailbox("Игорь, «Волк»", "igor@example.ru"),
    reply_to=Mailbox("", "judge+g12.TOKEN@games.example"),
    subject="[pirates-7] Ход 12",
    date=datetime(2025, 11, 3, 10, tzinfo=timezone(timedelta(hours=3))),
    message_id="<abcdef@games.example>",
    in_reply_to="<[x]@[y].OUTLOOK.COM>",
    references=tuple(f"<{'r' * 70}{number}@games.example>" for number in range(9)),
    list_id="pirates-7.games.example",
    list_name="Пираты 7",
    unsubscribe=("mailto:judge@games.example?subject=unsubscribe", "https://games.example/u/TOKEN"),
    one_click=True,
    language="ru",
    text="# Ход 12\n\nФрегат «Волк» идёт на СВ.\n.\nFrom Kadiz\n",
    html="<p>Фрегат «Волк» идёт на СВ.</p><img src='cid:map@games.example'>",
    images=(Part("карта.png", "image/png", b"\x89PNG" * 100, cid="map@games.example"),),
    attachments=(
        Part("карта.svg", "image/svg+xml", b"<svg/>"),
        Part("deadline.ics", "text/calendar; charset=utf-8; method=PUBLISH", b"BEGIN:VCALENDAR\r\n"),
        Part("log-12.jsonl", "application/jsonl", b"{}\n"),
    ),
    headers=(("X-Game-Outbox-Id", "report/pirates-7/12"),),
)


def parsed(letter: Letter) -> EmailMessage:
    message = email.message_from_bytes(compose(letter), policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def test_the_same_letter_is_the_same_bytes() -> None:
    assert compose(LETTER) == compose(LETTER)


def test_another_zone_of_the_same_instant_is_the_same_bytes() -> None:
    assert compose(replace(LETTER, date=LETTER.date.astimezone(UTC))) == compose(LETTER)


def test_our_own_reader_reads_a_letter_back() -> None:
    incoming = decode(compose(LETTER))

    assert [line.raw for line in incoming.lines] == LETTER.text.splitlines()
    assert (incoming.subject, incoming.sender) == (LETTER.subject, (LETTER.sender,))
    assert (incoming.message_id, incoming.in_reply_to, incoming.references) == (
        LETTER.message_id,
        (LETTER.in_reply_to,),
        LETTER.references,
    )
    assert (incoming.date, incoming.repairs, incoming.damage) == (LETTER.date, (), "")
    assert [one.name for one in incoming.attached] == ["карта.png", "карта.svg", "deadline.ics", "log-12.jsonl"]
    assert incoming.html == LETTER.html


def test_our_own_letters_are_seen_as_automatic() -> None:
    assert classify(decode(compose(LETTER))).kind is Kind.AUTOMATIC


def test_another_reader_sees_the_shape() -> None:
    message = parsed(LETTER)
    shape = [part.get_content_type() for part in message.walk()]

    assert shape == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
        "image/svg+xml",
        "text/calendar",
        "application/jsonl",
    ]
    assert message.defects == []
    assert str(message["To"]) == '"Игорь, «Волк»" <igor@example.ru>'
    assert [part.get_filename() for part in message.iter_attachments()] == ["карта.svg", "deadline.ics", "log-12.jsonl"]
    plain = message.get_body(("plain",))
    assert plain is not None
    assert plain.get_content().splitlines() == LETTER.text.splitlines()


def test_ids_and_addresses_for_machines_are_never_encoded() -> None:
    head = compose(LETTER).partition(b"\r\n\r\n")[0]

    for name in (b"In-Reply-To", b"References", b"Message-ID", b"List-Unsubscribe", b"List-Unsubscribe-Post"):
        value = re.search(rb"^" + name + rb": ((?:[^\r]|\r\n )*)", head, re.MULTILINE)
        assert value is not None
        assert b"=?" not in value[1]


def test_lines_keep_within_the_limits() -> None:
    raw = compose(replace(LETTER, subject="Ход " * 200, text="слово " * 500 + "\nword " * 500))

    assert raw.isascii()
    assert re.search(rb"(?<!\r)\n|\r(?!\n)", raw) is None
    assert max(len(line) for line in raw.split(b"\r\n")) <= 998
    assert max(len(word) for word in re.findall(rb"=\?[^ ]*\?=", raw)) <= 75


def test_headers_that_can_be_folded_stay_within_78_columns() -> None:
    head = compose(replace(LETTER, subject="[pirates-7] Ход 12: «Волк» идёт на СВ " * 5)).partition(b"\r\n\r\n")[0]
    long = [line for line in head.split(b"\r\n") if len(line) > 78]

    # an id cannot be cut
    assert [line for line in long if not line.startswith((b" <r", b"References: <r", b"List-"))] == []


def test_encoded_words_hold_whole_characters() -> None:
    head = compose(replace(LETTER, subject="ъ" * 300 + "🏴" * 40)).partition(b"\r\n\r\n")[0]
    words = re.findall(rb"=\?utf-8\?B\?([^?]*)\?=", head)

    assert len(words) > 10
    assert "".join(base64.b64decode(word).decode("utf-8") for word in words).count("ъ") == 300


def test_file_names_have_an_ascii_form_beside_the_real_one() -> None:
    raw = compose(LETTER)

    assert b'name="_____.png"' in raw
    assert b"filename*=utf-8''%D0%BA%D0%B0%D1%80%D1%82%D0%B0.png" in raw
    assert b'filename="deadline.ics"' in raw


def test_a_letter_without_html_has_one_part() -> None:
    assert parsed(replace(LETTER, html=" ", images=(), attachments=())).get_content_type() == "text/plain"


def test_an_ascii_subject_stays_readable_and_its_tag_too() -> None:
    assert b"Subject: [pirates-7] =?utf-8?B?" in compose(LETTER)
    assert b"Subject: [pirates-7] Turn 12\r\n" in compose(replace(LETTER, subject="[pirates-7] Turn 12"))


def test_boundaries_depend_on_the_message_id_alone() -> None:
    raw = compose(LETTER)
    boundaries = re.findall(rb'boundary="([^"]*)"', raw)

    assert boundaries == re.findall(rb'boundary="([^"]*)"', compose(replace(LETTER, text="x")))
    assert boundaries != re.findall(rb'boundary="([^"]*)"', compose(replace(LETTER, message_id="<b@games.example>")))


EVIL = "x\r\nBcc: everyone@example.net\n\n<b>\u2028y\x00"


def test_names_and_subjects_cannot_add_a_header() -> None:
    letter = replace(LETTER, subject=EVIL, sender=Mailbox(EVIL, "judge@games.example"), list_name=EVIL)
    message = parsed(letter)

    assert message["Bcc"] is None
    assert sorted(message.keys()) == sorted(parsed(LETTER).keys())


@pytest.mark.parametrize(
    "broken",
    [
        {"message_id": "<a@b>\r\nBcc: x@y"},
        {"message_id": "a@b"},
        {"to": Mailbox("", "igor@example.ru>\r\nBcc: x@y")},
        {"to": Mailbox("", "igor")},
        {"unsubscribe": ("https://x/\r\n",)},
        {"unsubscribe": ("javascript:x",)},
        {"list_id": "a b"},
        {"headers": (("X-A", "b\r\nBcc: x@y"),)},
        {"headers": (("X A", "b"),)},
        {"attachments": (Part("x", "text/plain\r\nX: y", b""),)},
    ],
)
def test_what_could_not_stand_in_a_mail_is_refused(broken: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="not a"):
        compose(replace(LETTER, **broken))


@pytest.mark.parametrize(
    "odd", ["<a@b>\r\nBcc: x@y", "<a b@c>", "<ы@b>", "a@b", "<a@b><c@d>", "<>", "", f"<{'x' * 2_000}@y>"]
)
def test_a_foreign_id_that_could_not_stand_in_a_mail_is_left_out(odd: str) -> None:
    incoming = decode(compose(replace(LETTER, in_reply_to=odd, references=("<a@b>", odd))))

    assert (incoming.in_reply_to, incoming.references, incoming.has("in-reply-to")) == ((), ("<a@b>",), False)


def test_file_names_cannot_leave_their_quotes() -> None:
    letter = replace(LETTER, attachments=(Part('a"; x="/../б\r\nX: y', "image/png", b""),))

    assert decode(compose(letter)).attached[-1].name == 'a"; x="_.._б X: y'


NAMES = st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp", "Zs"]) | st.just(" "), max_size=80)


@FIXED
@given(subject=NAMES, name=NAMES, text=st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]) | st.just("\n")))
def test_what_is_written_is_read_back(subject: str, name: str, text: str) -> None:
    incoming = decode(compose(replace(LETTER, subject=subject, sender=Mailbox(name, "judge@games.example"), text=text)))

    assert incoming.subject == " ".join(subject.split())
    assert incoming.sender == (Mailbox(" ".join(name.split()), "judge@games.example"),)


def test_thread_keeps_the_first_and_the_last_eight() -> None:
    ids = [f"<{number}@x>" for number in range(20)]

    assert thread(ids, "<p@x>") == ("<0@x>", *(f"<{number}@x>" for number in range(13, 20)), "<p@x>")
    assert thread(["<a@x>", "<b@x>"], "<b@x>") == ("<a@x>", "<b@x>")


def test_an_international_domain_is_written_in_ascii() -> None:
    assert b"To: igor@xn--80a1acny.xn--p1ai\r\n" in compose(replace(LETTER, to=Mailbox("", "igor@почта.рф")))
