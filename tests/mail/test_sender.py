"""Who speaks, and what tokens a mail carries."""

from __future__ import annotations

import pytest

from mail.message import decode
from mail.sender import Carried, Kind, Sender, carried_tokens, classify, same_secret
from tests.mail.mails import ORDERS, OURS, parts, raw_mail

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


# Tokens

TOKEN = "k3Jx9-QwErTyUiOpAsDf_1"


def test_tokens_are_found_in_plus_addresses_threads_and_text() -> None:
    raw = raw_mail(
        f"{ORDERS}\n\n> token: {TOKEN}",
        ("Delivered-To", f"judge+g12.p3.{TOKEN}@games.example"),
        ("X-Original-To", "judge+other@games.example"),
        ("In-Reply-To", "<a@games.example>"),
        ("References", "<root@games.example> <a@games.example>"),
    )

    assert carried_tokens(decode(raw), own_addresses=[OURS]) == (
        Carried("g12", "plus"),
        Carried(f"g12.p3.{TOKEN}", "plus"),
        Carried("other", "plus"),
        Carried("<a@games.example>", "thread"),
        Carried("<root@games.example>", "thread"),
        Carried(TOKEN, "text"),
    )


def test_tokens_in_other_peoples_plus_addresses_do_not_count() -> None:
    incoming = decode(raw_mail(ORDERS, ("Cc", f"igor+{TOKEN}@example.ru")))

    assert carried_tokens(incoming, own_addresses=[OURS]) == (Carried("g12", "plus"),)


def test_tokens_are_marked_in_russian_too() -> None:
    assert Carried(TOKEN, "text") in carried_tokens(decode(raw_mail(f"> Ваш ключ: {TOKEN} (не показывайте)")))


def test_tokens_are_capped() -> None:
    assert len(carried_tokens(decode(raw_mail("\n".join(f"token: {number:020d}" for number in range(500)))))) == 64


def test_same_secret_compares_and_refuses_the_empty() -> None:
    assert same_secret("abc", "abc")
    assert not same_secret("abc", "abd")
    assert not same_secret("", "")
    assert not same_secret("ключ", "ключи")
