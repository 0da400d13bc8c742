"""Person or robot: the corpus of each, and the traps between them."""

from __future__ import annotations

import pytest

from mail.message import decode
from mail.robots import Kind, Sender, classify
from tests.mail.mails import ORDERS, OURS, parts, raw_mail
from tests.mail.senders import PEOPLE, ROBOTS, Letter, Sample

LETTER = Letter()


def seen(raw: bytes) -> Sender:
    return classify(decode(raw), own_addresses=[LETTER.judge], own_message_ids=lambda name: name == LETTER.message_id)


@pytest.mark.parametrize("sample", ROBOTS, ids=[one.name for one in ROBOTS])
def test_robot_is_known_by_its_first_signal(sample: Sample) -> None:
    assert seen(sample.raw()) == Sender(Kind(sample.kind), sample.signal)


@pytest.mark.parametrize("sample", PEOPLE, ids=[one.name for one in PEOPLE])
def test_person_is_never_taken_for_a_robot(sample: Sample) -> None:
    assert seen(sample.raw()) == Sender(Kind.HUMAN)


def test_corpus_is_wide_enough_and_names_each_mail_once() -> None:
    assert (len(ROBOTS) >= 80, len(PEOPLE) >= 80) == (True, True)
    assert len({one.name for one in (*ROBOTS, *PEOPLE)}) == len(ROBOTS) + len(PEOPLE)


REPORT = parts(
    "b", ("Content-Type: text/plain", b"read"), ("Content-Type: message/disposition-notification", b"x: y\r\n")
)


@pytest.mark.parametrize(
    ("raw", "kind", "signal"),
    [
        (raw_mail(ORDERS), Kind.HUMAN, ""),
        (raw_mail(ORDERS, ("X-Auto-Response-Suppress", "DR, OOF, AutoReply")), Kind.HUMAN, ""),
        (raw_mail(ORDERS, ("Auto-Submitted", "no")), Kind.HUMAN, ""),
        (raw_mail(ORDERS, ("Return-Path", "<igor@example.ru>")), Kind.HUMAN, ""),
        (raw_mail(ORDERS, sender="judge@games.example"), Kind.OURS, "own-address"),
        (raw_mail(ORDERS, sender="Judge <Judge+g12.x@Games.example>"), Kind.OURS, "own-address"),
        (raw_mail(ORDERS, ("X-Loop", "judge@games.example")), Kind.OURS, "own-loop-mark"),
        (raw_mail(ORDERS, ("Return-Path", "<>")), Kind.AUTOMATIC, "null-return-path"),
        (raw_mail(ORDERS, ("Auto-Submitted", "auto-replied (vacation)")), Kind.AUTOMATIC, "auto-submitted"),
        (raw_mail(ORDERS, ("Auto-Submitted", "auto-generated; owner-email=x")), Kind.AUTOMATIC, "auto-submitted"),
        (raw_mail(ORDERS, ("Precedence", "Bulk")), Kind.AUTOMATIC, "precedence"),
        (raw_mail(ORDERS, ("Precedence", "auto_reply")), Kind.AUTOMATIC, "precedence"),
        (raw_mail(ORDERS, ("List-Id", "<crew.example.ru>")), Kind.AUTOMATIC, "list"),
        (raw_mail(ORDERS, ("X-Autoreply", "yes")), Kind.AUTOMATIC, "robot-header"),
        (raw_mail(ORDERS, ("X-Apple-Action", ["VACATION", "DEFAULT"][0])), Kind.AUTOMATIC, "robot-header"),
        (raw_mail(ORDERS, ("Delivered-To", "Autoresponder")), Kind.AUTOMATIC, "robot-header"),
        (
            raw_mail(ORDERS, ("X-Auto-Response-Suppress", "All"), ("X-MS-Exchange-Inbox-Rules-Loop", "a@b")),
            Kind.AUTOMATIC,
            "exchange-rule",
        ),
        (raw_mail(ORDERS, sender="no-reply@shop.example"), Kind.AUTOMATIC, "nobody-sender"),
        (
            raw_mail(REPORT, kind='multipart/report; report-type=disposition-notification; boundary="b"'),
            Kind.AUTOMATIC,
            "report",
        ),
        (raw_mail(ORDERS, sender="MAILER-DAEMON@mail.example"), Kind.BOUNCE, "daemon-sender"),
        (raw_mail(ORDERS, ("X-Failed-Recipients", "igor@example.ru")), Kind.BOUNCE, "failed-recipients"),
        (
            raw_mail(ORDERS, ("Return-Path", "<>"), subject="Недоставленное сообщение"),
            Kind.BOUNCE,
            "bounce-subject",
        ),
        (raw_mail(ORDERS, subject="Автоматический ответ: Ход 5"), Kind.WEAK_AUTOMATIC, "robot-subject"),
        (raw_mail(ORDERS, subject="Out of Office"), Kind.WEAK_AUTOMATIC, "robot-subject"),
        (raw_mail(ORDERS, ("List-Unsubscribe", "<mailto:x@y>")), Kind.WEAK_AUTOMATIC, "list-trace"),
    ],
)
def test_classify_names_the_signal_that_fired(raw: bytes, kind: Kind, signal: str) -> None:
    assert classify(decode(raw), own_addresses=[OURS]) == Sender(kind, signal)


def test_classify_knows_our_own_message_ids() -> None:
    sender = classify(decode(raw_mail(ORDERS)), own_message_ids=lambda name: name == "<1@example.ru>")

    assert sender == Sender(Kind.OURS, "own-message-id")


@pytest.mark.parametrize(
    "address",
    [
        "ivan.noreplyov@example.ru", "noreplay@example.ru", "piratenoreply@example.ru", "robot@example.ru",
        "daemon@example.ru", "mailer@example.ru",
        "postmasterov@example.ru", "autoreplyer@example.ru", "list@example.ru", "bulk@example.ru", "bounce@example.ru",
        "ivan@no-reply.example.ru", "1+ivan@users.noreply.example.com",
    ],
)  # fmt: skip
def test_person_with_such_an_address_is_a_person(address: str) -> None:
    assert seen(raw_mail(ORDERS, sender=f"Иван <{address}>")).kind is Kind.HUMAN


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("no", Kind.HUMAN),
        (" NO ; x=y", Kind.HUMAN),
        ("(a comment) no", Kind.HUMAN),
        ("", Kind.HUMAN),
        ("auto-generated", Kind.AUTOMATIC),
        ('"auto-replied"', Kind.AUTOMATIC),
        ("(vacation) auto-replied", Kind.AUTOMATIC),
        ("auto-replied(zimbra)", Kind.AUTOMATIC),
        ("nope", Kind.AUTOMATIC),
        ("yes", Kind.AUTOMATIC),
    ],
)
def test_auto_submitted_is_read_by_its_first_token(value: str, kind: Kind) -> None:
    assert seen(raw_mail(ORDERS, ("Auto-Submitted", value or " "))).kind is kind


def test_any_of_several_headers_tells() -> None:
    assert (
        seen(raw_mail(ORDERS, ("Auto-Submitted", "no"), ("Auto-Submitted", "auto-replied"))).signal == "auto-submitted"
    )
    assert (
        seen(raw_mail(ORDERS, ("Return-Path", "<igor@example.ru>"), ("Return-Path", "<>"))).signal == "null-return-path"
    )


def test_delivery_report_is_read_as_one_whatever_other_signs_it_shows() -> None:
    report = next(one for one in ROBOTS if one.name == "Postfix report")
    text = "Precedence: bulk\nX-Autoreply: yes\nList-Id: <x.example.org>\n" + report.text
    raw = Sample(report.name, report.kind, report.signal, text).raw()

    assert seen(raw) == Sender(Kind.BOUNCE, "delivery-report")


def test_ourselves_come_before_everything() -> None:
    raw = raw_mail(ORDERS, ("Return-Path", "<>"), ("X-Failed-Recipients", "a@example.org"), sender=f"<{LETTER.judge}>")

    assert seen(raw) == Sender(Kind.OURS, "own-address")


@pytest.mark.parametrize(
    "words",
    [
        "Здравствуйте!\nВаше обращение № 123 зарегистрировано. Не отвечайте на это письмо.",
        "Это автоматический ответ. Буду 12 января.",
        "Добрый день!\n\nДанное письмо сформировано автоматически.",
        "This is an automated response: your request has been received.",
    ],
)
def test_a_machine_that_says_so_in_its_first_words_is_held(words: str) -> None:
    sender = classify(decode(raw_mail(words)))

    assert (sender.kind, sender.signal) == (Kind.WEAK_AUTOMATIC, "robot-words")


@pytest.mark.parametrize(
    "words",
    [
        f"{ORDERS}\n\n> Это автоматический ответ. Не отвечайте на это письмо.",
        "Получил от Бориса «это автоматический ответ», он в отъезде?",
        "Если я не отвечаю на это письмо два дня, играйте без меня",
    ],
)
def test_a_person_who_speaks_of_machines_is_none(words: str) -> None:
    assert classify(decode(raw_mail(words))).kind is Kind.HUMAN
