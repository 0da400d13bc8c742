"""What delivery failures say, in fields and in words of two languages."""

from __future__ import annotations

import pytest

from mail.bounce import read_bounces
from mail.message import decode
from mail.read import Verdict, read
from tests.mail.mails import ORDERS, parts, raw_mail

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
