"""What a provider's results prove: honest mail as providers stamp it, and every way to forge them that we know."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from mail.authentication import Authentication, authentication
from mail.message import decode
from mail.providers import BadPin, Pin, aligned, pin, providers, read_providers, registrable
from tests.mail.mails import ORDERS, raw_mail

CASES: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parent / "data" / "authentication.toml").read_text(encoding="utf-8")
)["case"]
GOOGLE = "mx.google.com"
SIGNED = ("DKIM-Signature", "v=1; a=rsa-sha256; d=example.ru; s=mail; h=from:to:subject; bh=x; b=y")


def stamped_mail(case: dict[str, Any]) -> bytes:
    """Build the mail of a case: headers as the server put them, a signature, and Igor's letter below."""
    head = case["headers"].lstrip("\n")
    if "sign" in case:
        head += f"DKIM-Signature: v=1; a=rsa-sha256; d={case['sign']}; s=mail; h=from:to:subject; bh=x; b=y\n"
    letter = raw_mail(ORDERS, sender=case.get("from", "Igor <igor@example.ru>"))
    return bytes(head.replace("\n", "\r\n").encode() + letter)


def said(case: dict[str, Any]) -> Authentication:
    trusted = pin(case.get("authserv", ""), case.get("provider", ""))
    return authentication(decode(stamped_mail(case)), trusted)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_results_of_a_provider_prove_what_they_say_and_no_more(case: dict[str, Any]) -> None:
    found = said(case)

    assert [found.result, found.why] == case["said"]
    assert not (case.get("forged") and found.result == "pass")


def test_corpus_is_large_enough_and_has_both_kinds() -> None:
    forged = [case for case in CASES if case.get("forged")]

    assert len(CASES) >= 60
    assert len(forged) >= 30
    assert len([case for case in CASES if case["said"][0] == "pass"]) >= 20
    assert {case["provider"] for case in CASES if "provider" in case} == set(providers())


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_no_mailbox_believes_a_mail_that_was_stamped_elsewhere(case: dict[str, Any]) -> None:
    mail = decode(stamped_mail(case))
    own = case.get("provider") or case["authserv"]
    others = [pin(provider=name) for name, profile in providers().items() if not profile.own and name != own]

    passes = [trusted for trusted in others if authentication(mail, trusted).result == "pass"]

    # One forges the results of Mail.ru: in a mailbox there they would be that server's own.
    stamped_by = {"Google, another provider's name": "mailru"}.get(case["name"])
    assert passes == [pin(provider=name) for name in (stamped_by,) if name]


def seen(*headers: tuple[str, str], by: Pin | str | None = GOOGLE, sender: str = "Igor <igor@example.ru>") -> list[str]:
    found = authentication(decode(raw_mail(ORDERS, *headers, sender=sender)), by)
    return [found.result, found.why]


PASS = ("Authentication-Results", f"{GOOGLE}; dmarc=pass header.from=example.ru; dkim=pass header.d=example.ru")


def test_decision_names_the_header_and_the_signer_that_made_it() -> None:
    dkim = ("Authentication-Results", f"{GOOGLE}; dkim=pass header.i=@example.ru")
    mail = decode(raw_mail(ORDERS, dkim, SIGNED))

    assert authentication(mail, GOOGLE) == Authentication("pass", "dkim=pass", "example.ru", GOOGLE, "example.ru")


@pytest.mark.parametrize(
    "sender",
    [
        "a@example.ru, b@example.ru",
        "igor@example.ru <evil@example.net>",
        "",
        "undisclosed:;",
        "friends: igor@example.ru;",
        "friends: Igor <igor@example.ru>;",
        '<evil"igor@example.ru>',
        "<evil,igor@example.ru>",
        "<evil igor@example.ru>",
        "<evil@example.ru:igor@example.ru>",
        "evil\\igor@example.ru",
    ],
)
def test_from_that_could_be_read_in_two_ways_is_nobodys(sender: str) -> None:
    assert seen(PASS, SIGNED, sender=sender) == ["none", "from-not-single"]


def test_two_from_headers_are_nobodys() -> None:
    assert seen(PASS, SIGNED, ("From", "igor@example.ru")) == ["none", "from-not-single"]


@pytest.mark.parametrize(
    "sender", ["<igor@example.ru", "IGOR@EXAMPLE.RU", "<@relay.example:igor@example.ru>", '"," <igor@example.ru>']
)
def test_from_of_one_mailbox_is_read_however_it_is_written(sender: str) -> None:
    assert seen(PASS, SIGNED, sender=sender) == ["pass", "dmarc=pass"]


@pytest.mark.parametrize("by", [None, ""])
def test_nothing_pinned_proves_nothing(by: str | None) -> None:
    assert seen(PASS, SIGNED, by=by) == ["none", "nothing-pinned"]


def test_inner_hops_without_a_name_are_stepped_over() -> None:
    hops = [("Received", "by 2002:a05:6a10:1:b0:2 with SMTP id x"), ("Received", "from a by localhost with LMTP")]

    assert seen(*hops, PASS) == ["pass", "dmarc=pass"]


def test_a_hundred_thousand_brackets_are_read_in_no_time() -> None:
    assert seen(("Authentication-Results", f"{GOOGLE}; spf=pass {'(' * 100_000}")) == ["none", "nothing-aligned"]


# ARC


SEAL = ("ARC-Seal", "i=2; a=rsa-sha256; cv=pass; d=lists.example; s=arc; b=x")
WORD = ("ARC-Authentication-Results", "i=2; mx.lists.example; dmarc=pass header.from=example.ru")
CHAIN = ("Authentication-Results", f"{GOOGLE}; arc=pass (i=2); dmarc=none header.from=example.ru")
SEALED = pin(GOOGLE, sealers=("lists.example",))


def test_arc_of_a_listed_sealer_is_proof_where_our_provider_found_it_whole() -> None:
    assert seen(CHAIN, WORD, SEAL, by=SEALED) == ["pass", "arc=pass"]


@pytest.mark.parametrize(
    "headers",
    [
        [("Authentication-Results", f"{GOOGLE}; arc=fail; dmarc=none header.from=example.ru"), WORD, SEAL],
        [("Authentication-Results", f"{GOOGLE}; dmarc=none header.from=example.ru"), WORD, SEAL],
        [CHAIN, WORD, ("ARC-Seal", SEAL[1].replace("lists.example", "evil.example"))],
        [CHAIN, WORD, SEAL, SEAL],
        [CHAIN, WORD, WORD, SEAL],
        [CHAIN, WORD, SEAL, ("ARC-Seal", "i=3; cv=pass; d=evil.example; s=arc; b=x")],
        [CHAIN, ("ARC-Authentication-Results", "i=1; mx; dmarc=pass header.from=example.ru"), SEAL],
        [CHAIN, ("ARC-Authentication-Results", "i=2; mx; dmarc=pass header.from=evil.example"), SEAL],
        [CHAIN, ("ARC-Authentication-Results", "i=2; mx; spf=pass smtp.mailfrom=example.ru"), SEAL],
    ],
)
def test_arc_proves_nothing_without_a_whole_chain_and_its_listed_sealers_word(headers: list[tuple[str, str]]) -> None:
    assert seen(*headers, by=SEALED) == ["none", "nothing-aligned"]


def test_arc_of_a_sealer_that_is_not_listed_is_ignored() -> None:
    assert seen(CHAIN, WORD, SEAL) == ["none", "nothing-aligned"]


def test_arc_does_not_mend_a_fail() -> None:
    failed = ("Authentication-Results", f"{GOOGLE}; arc=pass (i=2); dmarc=fail header.from=example.ru")

    assert seen(failed, WORD, SEAL, by=SEALED) == ["fail", "dmarc=fail"]


# Pins


def test_pin_of_a_known_id_has_its_providers_profile() -> None:
    assert pin("*.yandex.net") == pin(provider="yandex")
    assert pin("MX.Google.com ") == pin(provider="google")
    assert pin("mxfront2g.mail.yandex.net") == Pin(
        ("mxfront2g.mail.yandex.net",), ("yandex.net", "yandex.ru"), signed=True
    )
    assert pin("dmarc.icloud.com") == pin(provider="icloud")


def test_pin_of_a_server_of_ones_own_knows_its_hosts() -> None:
    assert pin("mx.club.msk.ru") == Pin(("mx.club.msk.ru",), ("club.msk.ru",))
    assert pin("mail.club.example", "opendmarc") == Pin(("mail.club.example",), ("club.example",), several=True)


def test_pin_of_nothing_is_none() -> None:
    assert pin() is None


@pytest.mark.parametrize(
    ("authserv", "provider", "key"),
    [
        ("", "gmail", "unknown-provider"),
        ("", "opendmarc", "provider-without-authserv"),
        ("mxs.mail.ru", "google", "authserv-of-another"),
        ("mx.evil.example", "outlook", "authserv-of-another"),
        ("*", "", "bad-authserv"),
        ("*.ru", "", "bad-authserv"),
        ("*yandex.net", "", "bad-authserv"),
        ("*.co.uk", "", "bad-authserv"),
        ("mx.club.example; x", "", "bad-authserv"),
        ("*.msk.ru", "rspamd", "bad-authserv"),
    ],
)
def test_pin_that_would_take_a_strangers_word_is_refused(authserv: str, provider: str, key: str) -> None:
    with pytest.raises(BadPin) as refused:
        pin(authserv, provider)

    assert refused.value.key == key
    assert refused.value.known == tuple(providers())


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ('[x]\ntitle = "X"\nids = ["*"]\nhome = ["x.example"]', "whose first part"),
        ('[x]\ntitle = "X"\nids = ["mx.x.example"]', "no domain of its own hosts"),
        ('[x]\ntitle = "X"\nown = true\nids = ["mx.x.example"]\nhome = ["x.example"]', "only the configuration knows"),
        ('[x]\ntitle = "X"\npieces = "many"', "pieces"),
        ('[x]\ntitle = "X"\nauthserv = "mx.x.example"', "authserv"),
        ("[x]\nids = []", "title"),
    ],
)
def test_profile_that_is_wrong_is_refused(text: str, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        read_providers(text)


@pytest.mark.parametrize(
    ("domain", "somebodys"),
    [
        ("example.ru", True), ("ru", False), ("", False), ("msk.ru", False), ("crew.msk.ru", True), ("co.uk", False),
        ("crew.co.uk", True), ("com.ua", False), ("org.ru", False), ("narod.ru", False), ("com.example", True),
        ("a..ru", False),
    ],
)  # fmt: skip
def test_domain_is_somebodys_unless_strangers_have_theirs_under_it(domain: str, somebodys: bool) -> None:
    assert registrable(domain) is somebodys
    assert aligned(domain, domain) is somebodys
