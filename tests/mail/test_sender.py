"""Who speaks, what the provider vouches for, what tokens a mail carries."""

from __future__ import annotations

import pytest

from mail.message import decode
from mail.sender import Authentication, Carried, Kind, Sender, authentication, carried_tokens, classify, same_secret
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


# Authentication-Results

GOOGLE = "mx.google.com"


def seen(
    *headers: tuple[str, str], authserv: str | None = GOOGLE, sender: str = "Igor <igor@example.ru>"
) -> tuple[str, str]:
    result = authentication(decode(raw_mail(ORDERS, *headers, sender=sender)), authserv)
    return result.result, result.why


def stamped(results: str, name: str = GOOGLE) -> tuple[str, str]:
    return "Authentication-Results", f"{name};\r\n {results}"


@pytest.mark.parametrize(
    ("results", "verdict"),
    [
        (
            "dkim=pass header.i=@example.ru header.s=s; spf=pass; dmarc=pass (p=NONE) header.from=example.ru",
            ("pass", "dmarc=pass"),
        ),
        ("dkim=pass header.d=example.ru", ("pass", "dkim=pass")),
        ("dkim=pass (2048-bit key; unprotected) header.i=@mail.example.ru", ("none", "nothing-aligned")),
        ("dkim=pass header.d=evil.example", ("none", "nothing-aligned")),
        ("dkim=pass header.d=ru", ("none", "nothing-aligned")),
        ("dkim=fail header.d=example.ru", ("fail", "dkim=fail")),
        ("dkim=pass header.d=example.ru; dmarc=fail header.from=example.ru", ("fail", "dmarc=fail")),
        ("dmarc=pass header.from=evil.example", ("none", "nothing-aligned")),
        ("dmarc=none header.from=example.ru; spf=pass smtp.mailfrom=igor@example.ru", ("none", "nothing-aligned")),
        ("none", ("none", "no-trusted-result")),
        ('DKIM = Pass HEADER.D = "example.ru"', ("pass", "dkim=pass")),
        ("x-dmarc=pass header.from=example.ru", ("none", "nothing-aligned")),
        ("(dmarc=pass header.from=example.ru)", ("none", "no-trusted-result")),
        ('dkim=pass reason="header.d=example.ru" header.d=evil.example', ("none", "nothing-aligned")),
        ('spf=fail reason="dmarc=pass; dmarc=pass"', ("none", "nothing-aligned")),
    ],
)
def test_authentication_reads_the_providers_results(results: str, verdict: tuple[str, str]) -> None:
    assert seen(stamped(results)) == verdict


def test_authentication_accepts_a_parent_of_the_from_domain_as_signer() -> None:
    assert seen(stamped("dkim=pass header.d=example.ru"), sender="igor@mail.example.ru") == ("pass", "dkim=pass")


def test_authentication_does_not_take_a_longer_name_for_a_subdomain() -> None:
    assert seen(stamped("dkim=pass header.d=example.ru"), sender="igor@evilexample.ru") == ("none", "nothing-aligned")


def test_authentication_ignores_a_forged_topmost_result() -> None:
    forged = stamped("dkim=pass header.i=@example.ru", "aaa.example")

    assert seen(forged) == ("none", "no-trusted-result")
    assert seen(forged, authserv="*.yandex.net") == ("none", "no-trusted-result")


def test_authentication_ignores_results_below_a_foreign_hop() -> None:
    own = ("Received", "from relay (relay.example [192.0.2.1])\r\n by mx.google.com with ESMTPS id x")
    foreign = ("Received", "from pc by smtp.evil.example with ESMTP")

    assert seen(own, stamped("dmarc=pass header.from=example.ru")) == ("pass", "dmarc=pass")
    assert seen(own, foreign, stamped("dmarc=pass header.from=example.ru")) == ("none", "no-trusted-result")


def test_authentication_steps_over_inner_hops_without_a_name() -> None:
    hops = [("Received", "by 2002:a05:6a10:1:b0:2 with SMTP id x"), ("Received", "from a by localhost with LMTP")]

    assert seen(*hops, stamped("dmarc=pass header.from=example.ru")) == ("pass", "dmarc=pass")


def test_authentication_matches_a_suffix_for_providers_with_many_hosts() -> None:
    results = stamped("dkim=pass header.i=@example.ru", "mxfront2g.mail.yandex.net 1")

    assert seen(results, authserv="*.yandex.net") == ("pass", "dkim=pass")
    assert (
        seen(stamped("dkim=pass header.i=@example.ru", "yandex.net.evil.example"), authserv="*.yandex.net")[0] == "none"
    )


def test_authentication_joins_results_in_several_headers_and_fail_wins() -> None:
    assert seen(stamped("dkim=pass header.d=example.ru"), stamped("dmarc=fail header.from=example.ru")) == (
        "fail",
        "dmarc=fail",
    )


def test_authentication_of_outlook_without_an_id_is_nothing() -> None:
    assert seen(("Authentication-Results", "spf=pass smtp.mailfrom=x; dkim=pass header.d=example.ru; dmarc=pass")) == (
        "none",
        "no-trusted-result",
    )


@pytest.mark.parametrize(
    "sender", ["a@example.ru, b@example.ru", "igor@example.ru <evil@example.net>", "", "undisclosed:;"]
)
def test_authentication_needs_exactly_one_from_mailbox(sender: str) -> None:
    assert seen(stamped("dmarc=pass"), sender=sender) == ("none", "from-not-single")


def test_authentication_with_nothing_pinned_is_nothing() -> None:
    incoming = decode(raw_mail(ORDERS, stamped("dmarc=pass header.from=example.ru")))

    assert authentication(incoming, None) == Authentication("none", "nothing-pinned", "example.ru")


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
