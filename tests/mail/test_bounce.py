"""What delivery failures say, in fields and in words of two languages."""

from __future__ import annotations

import base64
import logging
import time

import pytest

from mail.bounce import Bounce, read_bounces
from mail.message import decode
from mail.read import Verdict, read
from tests.mail.mails import ORDERS, parts, raw_mail
from tests.mail.senders import ROBOTS, Letter

LETTER = (
    b"From: judge@games.example\r\nTo: igor@example.ru\r\n"
    b"Message-ID: <7@games.example>\r\nX-Game-Outbox-Id: 77\r\n\r\nx\r\n"
)


def report(action: str, status: str, recipient: str = "rfc822; igor@example.ru") -> bytes:
    fields = (
        "Reporting-MTA: dns; mx.example\r\n\r\n"
        f"Final-Recipient: {recipient}\r\nAction: {action}\r\nStatus: {status}\r\nDiagnostic-Code: smtp; 550 gone\r\n"
    )
    body = parts(
        "b",
        ("Content-Type: text/plain", b"could not be delivered"),
        ("Content-Type: message/delivery-status", fields.encode()),
        ("Content-Type: message/rfc822", LETTER),
    )
    return raw_mail(
        body, sender="MAILER-DAEMON@mx.example", kind='multipart/report; report-type=delivery-status; boundary="b"'
    )


@pytest.mark.parametrize(
    ("action", "status", "result", "permanent"),
    [
        ("failed", "5.1.1", "failed", True),
        ("failed", "5.2.2 (mailbox full)", "failed", True),
        ("failed", "4.4.7", "delayed", False),
        ("delayed", "4.4.1", "delayed", False),
        ("relayed", "2.0.0", "other", False),
        ("Failed", "", "failed", True),
    ],
)
def test_report_fields_decide(action: str, status: str, result: str, permanent: bool) -> None:
    reading = read(report(action, status))
    (bounce,) = reading.bounces

    assert (reading.verdict, bounce.source, bounce.action, bounce.permanent) == (
        Verdict.BOUNCE,
        "fields",
        result,
        permanent,
    )
    assert (bounce.recipient, bounce.original, bounce.outbox_id) == ("igor@example.ru", "<7@games.example>", "77")


def test_report_with_returned_headers_only_names_the_letter() -> None:
    body = parts(
        "b",
        (
            "Content-Type: message/delivery-status",
            b"A: b\r\n\r\nFinal-Recipient: rfc822;igor@example.ru\r\nAction: failed\r\nStatus: 5.1.1\r\n",
        ),
        ("Content-Type: text/rfc822-headers", LETTER.split(b"\r\n\r\n")[0] + b"\r\n"),
    )
    (bounce,) = read(raw_mail(body, kind='multipart/report; report-type=delivery-status; boundary="b"')).bounces

    assert bounce.original == "<7@games.example>"


RUSSIAN = """Это письмо создано автоматически сервером Mail.ru, отвечать на него не нужно.

К сожалению, Ваше письмо не может быть доставлено одному или нескольким получателям:

igor@example.ru
user not found

Message-ID: <7@games.example>
"""


@pytest.mark.parametrize(
    ("text", "permanent"),
    [
        (RUSSIAN, True),
        (RUSSIAN.replace("user not found", "Почтовый ящик переполнен, попытки будут продолжены"), False),
        (RUSSIAN.replace("user not found", "450 4.2.1 greylisted"), False),
        (RUSSIAN.replace("user not found", "550 5.1.1 нет такого пользователя"), True),
    ],
)
def test_russian_words_of_a_bounce_are_understood(text: str, permanent: bool) -> None:
    reading = read(raw_mail(text, ("X-Failed-Recipients", "igor@example.ru"), sender="mailer-daemon@corp.mail.ru"))
    (bounce,) = reading.bounces

    assert (reading.verdict, bounce.recipient, bounce.permanent) == (Verdict.BOUNCE, "igor@example.ru", permanent)
    assert bounce.original == "<7@games.example>"


def test_words_without_a_header_still_name_the_recipient() -> None:
    (bounce,) = read(raw_mail(RUSSIAN, sender="mailer-daemon@corp.mail.ru")).bounces

    assert (bounce.recipient, bounce.source) == ("igor@example.ru", "words")


def test_a_bounce_that_quotes_nothing_of_ours_has_no_original() -> None:
    (bounce,) = read(
        raw_mail(
            "delivery failed: user unknown", ("X-Failed-Recipients", "igor@example.ru"), sender="postmaster@x.example"
        )
    ).bounces

    assert bounce.original == ""


def test_detectors_are_asked_last() -> None:
    text = (
        "Hi. This is the qmail-send program at mx.example.\n\n"
        "<igor@example.ru>:\nSorry, I have no idea.\n\n--- Below this line is a copy"
    )
    raw = raw_mail(text, sender="MAILER-DAEMON@mx.example")

    assert [(one.recipient, one.source) for one in read_bounces(decode(raw), raw)] == [("igor@example.ru", "detector")]


def test_a_persons_mail_reports_no_failure() -> None:
    assert read(raw_mail(ORDERS)).bounces == ()


# What servers write

OURS = Letter()
REPORTS = {one.name: one for one in ROBOTS if one.kind == "bounce"}
READ = {
    "Postfix report": ("failed", "5.1.1", "fields"),
    "Postfix delay": ("delayed", "4.4.1", "fields"),
    "Exim in words": ("failed", "", "header"),
    "Exim delay": ("delayed", "", "words"),
    "qmail": ("failed", "5.1.1", "words"),
    "Sendmail report": ("failed", "5.1.1", "fields"),
    "Office 365 report": ("failed", "5.1.10", "fields"),
    "Exchange in words, headers at the end": ("failed", "5.1.1", "words"),
    "Gmail report": ("failed", "5.1.1", "fields"),
    "Mail.ru in words": ("failed", "", "header"),
    "Yandex in words": ("failed", "5.1.1", "words"),
    "Rambler in words": ("failed", "", "words"),
    "server of a firm in Russian, full mailbox": ("delayed", "", "words"),
    "failure with nothing but an empty return path": ("failed", "", "words"),
    "report in a mixed mail by a daemon": ("failed", "5.1.1", "fields"),
}


@pytest.mark.parametrize("name", REPORTS)
def test_report_of_every_server_is_tied_to_the_letter_it_returns(name: str) -> None:
    (bounce,) = read(REPORTS[name].raw()).bounces

    assert (bounce.action, bounce.status, bounce.source) == READ[name]
    assert (bounce.recipient, bounce.original) == (OURS.address, OURS.message_id)


def failure(*pieces: tuple[str, bytes]) -> tuple[Bounce, ...]:
    """Return what a report with these parts says."""
    kind = 'multipart/report; report-type=delivery-status; boundary="b"'
    body = parts("b", ("Content-Type: text/plain", b"sorry"), *pieces)
    return read(raw_mail(body, sender="MAILER-DAEMON@mx.example", kind=kind)).bounces


def fields(*recipients: tuple[str, str], action: str = "failed") -> bytes:
    """Return the content of a delivery status for (final recipient, status) each."""
    groups = [
        f"Final-Recipient: rfc822; {one}\r\nAction: {action}\r\nStatus: {status}\r\n" for one, status in recipients
    ]
    return "\r\n".join(["Reporting-MTA: dns; mx.example\r\n", *groups]).encode()


RETURNED = ("Content-Type: message/rfc822", LETTER)


def test_several_recipients_of_one_report_are_told_apart() -> None:
    status = fields(("igor@example.ru", "5.1.1"), ("igor@other.example", "4.2.2"), ("i@third.example", "5.7.1"))
    found = failure(("Content-Type: message/delivery-status", status), RETURNED)

    assert [(one.recipient, one.action, one.original) for one in found] == [
        ("igor@example.ru", "failed", "<7@games.example>"),
        ("igor@other.example", "delayed", "<7@games.example>"),
        ("i@third.example", "failed", "<7@games.example>"),
    ]


def test_report_on_a_forwarded_address_is_tied_to_the_letter_all_the_same() -> None:
    group = b"Original-Recipient: rfc822;igor@example.ru\r\nFinal-Recipient: rfc822;elsewhere@other.example\r\n"
    status = b"A: b\r\n\r\n" + group + b"Action: failed\r\nStatus: 5.1.1\r\n"
    (bounce,) = failure(("Content-Type: message/delivery-status", status), RETURNED)

    assert (bounce.recipient, bounce.original, bounce.permanent) == (
        "elsewhere@other.example",
        "<7@games.example>",
        True,
    )


def test_status_that_stands_only_in_the_diagnostic_counts() -> None:
    group = b"Final-Recipient: rfc822; igor@example.ru\r\nAction: failed\r\nDiagnostic-Code: smtp; 452 4.2.2 full\r\n"
    status = ("Content-Type: message/delivery-status", b"A: b\r\n\r\n" + group)

    assert [(one.action, one.status) for one in failure(status, RETURNED)] == [("delayed", "4.2.2")]


@pytest.mark.parametrize(
    "piece",
    [
        ("Content-Type: text/rfc822-headers", LETTER.partition(b"\r\n\r\n")[0]),
        ("Content-Type: message/global-headers", LETTER.partition(b"\r\n\r\n")[0]),
        ("Content-Type: message/rfc822\nContent-Transfer-Encoding: base64", base64.encodebytes(LETTER)),
        ("Content-Type: text/rfc822-headers\nContent-Transfer-Encoding: base64", base64.encodebytes(LETTER)),
        ("Content-Type: message/rfc822", LETTER[: LETTER.index(b"X-Game") - 2]),
        ("Content-Type: text/plain", b"The headers were:\r\n\r\n" + LETTER),
        ("Content-Type: text/plain", b"The headers were:\r\n\r\nMessage-Id:\r\n\t<7@games.example>\r\n"),
        ("Content-Type: text/plain", b"> " + LETTER.replace(b"\r\n", b"\r\n> ")),
        ("Content-Type: text/plain", b"log of the session\r\n" * 900 + LETTER),
    ],
    ids=[
        "headers", "international headers", "base64", "headers in base64", "cut off", "in the text", "folded", "quoted",
        "far below",
    ],
)  # fmt: skip
def test_letter_is_found_wherever_its_headers_are_returned(piece: tuple[str, bytes]) -> None:
    status = ("Content-Type: message/delivery-status", fields(("igor@example.ru", "5.1.1")))

    assert [(one.original, one.permanent) for one in failure(status, piece)] == [("<7@games.example>", True)]


def test_our_mark_alone_is_found_in_returned_headers_and_in_text() -> None:
    status = ("Content-Type: message/delivery-status", fields(("igor@example.ru", "5.1.1")))
    headers = failure(status, ("Content-Type: text/rfc822-headers", b"From: a@b.example\r\nX-Game-Outbox-Id: 77\r\n"))
    text = failure(status, ("Content-Type: text/plain", b"Headers: From: a@b.example\r\n  X-Game-Outbox-Id: 77\r\n"))

    assert [(one.original, one.outbox_id) for one in (*headers, *text)] == [("", "77")] * 2


def test_report_names_every_id_it_mentions_the_returned_letter_first() -> None:
    status = b"X-Original-Message-ID: <2@x.example>\r\n\r\n" + fields(("igor@example.ru", "5.1.1"))
    text = ("Content-Type: text/plain", b"queued as Message-ID: <3@x.example>")
    (bounce,) = failure(("Content-Type: message/delivery-status", status), text, RETURNED)

    assert bounce.mentioned == ("<7@games.example>", "<2@x.example>", "<3@x.example>")


@pytest.mark.parametrize("encoded", [False, True])
def test_fields_for_international_addresses_are_read(*, encoded: bool) -> None:
    status = fields(("igor@example.ru", "5.1.1")).replace(b"rfc822;", b"utf-8;")
    head = "Content-Type: message/global-delivery-status"
    piece = (f"{head}\nContent-Transfer-Encoding: base64", base64.encodebytes(status)) if encoded else (head, status)

    assert [(one.recipient, one.source) for one in failure(piece, RETURNED)] == [("igor@example.ru", "fields")]


@pytest.mark.parametrize("blank", [b"\r\n\r\n", b"a: b\r\n\r\n", b"Action: failed\r\n\r\n"])
def test_report_of_countless_groups_is_read_in_a_moment(blank: bytes) -> None:
    begun = time.process_time()
    found = failure(("Content-Type: message/delivery-status", blank * 20_000), RETURNED)

    assert time.process_time() - begun < 1
    assert len(found) <= 101


def test_detectors_that_throw_are_contained_and_say_nothing(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    raw = raw_mail("nothing", sender="MAILER-DAEMON@mx.example \udcff")  # one of them chokes on raw bytes in From

    assert read(raw).bounces == ()
    assert caplog.records == []


def test_detectors_are_never_asked_about_a_person() -> None:
    text = "Hi. This is the qmail-send program at mx.example.\n\n<igor@example.ru>:\nSorry.\n\n--- Below this line"

    assert read(raw_mail(text)).bounces == ()
