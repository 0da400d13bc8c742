"""Which spellings of an address are the same mailbox, and which only look like it."""

from __future__ import annotations

import unicodedata

import pytest

from mail.addresses import Mailbox, canonical, is_group, mailboxes, same_address


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("igor@example.ru", "IGOR@Example.RU."),
        ("игорь@пример.рф", "Игорь@xn--e1afmkfd.xn--p1ai"),
        ("сергей@пример.рф", unicodedata.normalize("NFD", "сергей@пример.рф")),
        ("igor@кроличий.example", unicodedata.normalize("NFD", "igor@кроличий.example")),
        ("igor@example.ru", "igor@example。ru"),
    ],
)
def test_address_is_the_same_however_it_is_spelt(one: str, other: str) -> None:
    assert same_address(one, other)


@pytest.mark.parametrize(
    "other",
    [
        "igor+x@example.ru", "i.gor@example.ru", "іgor@example.ru", "igor@exаmple.ru", "igor@example.ru.evil.example",
        "igor@sub.example.ru", "igor@exampleru", "igor@example.ru@evil.example", "igor\u200b@example.ru", "",
    ],
)  # fmt: skip
def test_address_that_only_looks_alike_is_another(other: str) -> None:
    assert not same_address("igor@example.ru", other)


@pytest.mark.parametrize("letter", ["ß", "ς", "\u200d", "\u200c"])
def test_domain_with_a_letter_of_its_own_is_no_other_domain(letter: str) -> None:
    plain = {"ß": "ss", "ς": "σ"}.get(letter, "")

    assert canonical(f"a@x{letter}y.example") != canonical(f"a@x{plain}y.example")
    assert canonical(f"a@x{letter}y.example").isascii()


@pytest.mark.parametrize(
    ("header", "group"),
    [
        ("friends: igor@example.ru;", True),
        ("friends: a@b.example, c@d.example;", True),
        ("undisclosed-recipients:;", True),
        ("Re: Igor <igor@example.ru>", False),
        ('"friends: x;" <igor@example.ru>', False),
        ("(a: b;) igor@example.ru", False),
        ("igor@example.ru; boris@example.ru", False),
        ("<@relay.example:igor@example.ru>", False),
    ],
)
def test_group_is_known_by_colon_and_semicolon_outside_of_decoration(header: str, group: bool) -> None:
    assert is_group(header) is group


@pytest.mark.parametrize(
    ("header", "boxes"),
    [
        ("<@a.example,@b.example:igor@example.ru>", (Mailbox("", "igor@example.ru"),)),
        ("Igor < igor@example.ru >", (Mailbox("Igor", "igor@example.ru"),)),
        ("Igor <mailto:igor@example.ru>", (Mailbox("Igor", "igor@example.ru"),)),
        ("<<igor@example.ru>>", (Mailbox(">", "igor@example.ru"),)),
        ("Igor <igor@example.ru", (Mailbox("Igor", "igor@example.ru"),)),
        ("igor@example.ru (Igor)", (Mailbox("", "igor@example.ru"),)),
        ('<evil"igor@example.ru>', ()),
        ("<evil igor@example.ru>", ()),
        ("<evil@example.ru:igor@example.ru>", ()),
        ("evil\\igor@example.ru", ()),
        ('"igor@example.ru"@evil.example', ()),
    ],
)
def test_address_that_is_none_from_end_to_end_is_nobodys(header: str, boxes: tuple[Mailbox, ...]) -> None:
    assert mailboxes(header) == boxes
