"""What tokens a mail carries."""

from __future__ import annotations

from mail.message import decode
from mail.sender import Carried, carried_tokens, same_secret
from tests.mail.mails import ORDERS, OURS, raw_mail

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
