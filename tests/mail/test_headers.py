"""Header fields: encoded words, parameters, ids, mailboxes, as mail programs really write them."""

from __future__ import annotations

import base64
import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mail.addresses import Mailbox, canonical, mailboxes, same_address, split_plus
from mail.headers import VALUE_LIMIT, claimed_date, decoded, first_token, message_id, parameters, thread_ids
from tests.mail.mails import FIXED


def word(data: bytes, charset: str = "utf-8") -> bytes:
    return b"=?" + charset.encode() + b"?B?" + base64.b64encode(data) + b"?="


def test_decoded_joins_a_letter_split_between_two_words() -> None:
    whole = "[джек-12] Ход".encode()

    assert decoded(word(whole[:4]) + b"\r\n " + word(whole[4:])) == "[джек-12] Ход"


def test_decoded_joins_base64_cut_inside_a_group() -> None:
    text = base64.b64encode("Ход пятый".encode())

    assert decoded(b"=?utf-8?B?" + text[:10] + b"?= =?utf-8?B?" + text[10:] + b"?=") == "Ход пятый"


def test_decoded_joins_a_letter_split_between_the_two_codings() -> None:
    text = base64.b64encode("Ход".encode()[:5])

    assert decoded(b"=?utf-8?B?" + text.rstrip(b"=") + b"?= =?UTF8?Q?=B4_=D0?= =?utf-8?Q?=BF?=") == "Ход п"


@pytest.mark.parametrize("charset", ["utf-8", "koi8-r", "windows-1251"])
@pytest.mark.parametrize("width", [1, 2, 3, 5, 10, 11])
def test_decoded_finds_a_tag_in_words_split_at_any_byte(width: int, charset: str) -> None:
    whole = "Re: [джек-12] Ход 5".encode(charset)
    value = b"\r\n ".join(word(whole[at : at + width], charset) for at in range(0, len(whole), width))

    assert decoded(value) == "Re: [джек-12] Ход 5"


@pytest.mark.parametrize("width", [1, 3, 6, 9])
def test_decoded_joins_base64_cut_at_any_character(width: int) -> None:
    text = base64.b64encode("Re: [джек-12] Ход 5".encode())
    value = b"\n\t".join(b"=?UTF-8?b?" + text[at : at + width] + b"?=" for at in range(0, len(text), width))

    assert decoded(value) == "Re: [джек-12] Ход 5"


def test_decoded_reads_a_bare_question_mark_and_a_language_inside_a_word() -> None:
    assert decoded(b"=?utf-8*ru?Q?=D1=85=D0=BE=D0=B4??= =?utf-8?Q?_5?=") == "ход? 5"


def test_decoded_keeps_blanks_only_around_plain_words() -> None:
    assert decoded(b"Re: [jackal-12] " + word("Ход".encode()) + b" 5") == "Re: [jackal-12] Ход 5"


def test_decoded_reads_quoted_printable_words() -> None:
    assert decoded(b"=?koi8-r?Q?=E8=CF=C4_5?=") == "Ход 5"


@pytest.mark.parametrize("charset", ["cp1251", "koi8-r", "utf-8"])
def test_decoded_reads_raw_eight_bit_headers(charset: str) -> None:
    assert decoded("Re: приказы на ход".encode(charset)) == "Re: приказы на ход"


def test_decoded_reads_an_unknown_charset_as_text() -> None:
    assert decoded(b"=?x-unknown-charset?B?SGk=?=") == "Hi"


def test_decoded_drops_controls() -> None:
    assert decoded(b"\xd1\x85\x00\xd0\xbe\xd0\xb4".replace(b"\x00", b"") + b"\x07 5") == "хо" + "д 5"


@FIXED
@given(st.binary(max_size=400))
def test_decoded_never_raises(value: bytes) -> None:
    assert decoded(value).encode("utf-8").decode("utf-8") == decoded(value)


@pytest.mark.parametrize(
    "value",
    [
        b"text/plain; name*0*=utf-8''%D0%BF%D1%80%D0%B8; name*1*=%D0%BA%D0%B0%D0%B7%D1%8B.txt",
        b'text/plain;\r\n name="' + word("приказы.txt".encode()) + b'"',
        b'text/plain; name="' + "приказы.txt".encode("cp1251") + b'"',
        b"text/plain; name*=utf-8'ru'%D0%BF%D1%80%D0%B8%D0%BA%D0%B0%D0%B7%D1%8B.txt",
        b'text/plain; charset="utf-8"; name=' + "приказы.txt".encode(),
        b"text/plain; name*1*=%D0%BA%D0%B0%D0%B7%D1%8B.txt; name*0*=utf-8''%D0%BF%D1%80%D0%B8",
        b"text/plain; name*0*=utf-8''%D0%BF%D1%80%D0%B8%D0; name*1*=%BA%D0%B0%D0%B7%D1%8B; name*2=.txt",
        b"text/plain; name*=koi8-r''%D0%D2%C9%CB%C1%DA%D9.txt; name=\"_______.txt\"",
        b'text/plain; name="%D0%BF%D1%80%D0%B8%D0%BA%D0%B0%D0%B7%D1%8B.txt"',
        b'text/plain; name*0="=?utf-8?B?0L/RgNC40LrQ"; name*1="sNC30Ysu"; name*2="dHh0?="',
        b'text/plain; name="=?koi8-r?Q?=D0=D2=C9=CB?=\r\n =?koi8-r?Q?=C1=DA=D9=2Etxt?="',
        b'text/plain; name="' + "приказы.txt".encode("koi8-r") + b'"',
        b"text/plain; NAME = 'x'; name*=''%D0%BF%D1%80%D0%B8%D0%BA%D0%B0%D0%B7%D1%8B.txt",
        b"text/plain; name*=\"utf-8''%D0%BF%D1%80%D0%B8%D0%BA%D0%B0%D0%B7%D1%8B.txt\"",
    ],
)
def test_parameters_reads_cyrillic_names_of_every_kind(value: bytes) -> None:
    assert parameters(value)["name"] == "приказы.txt"


def test_parameters_leaves_a_percent_sign_alone() -> None:
    assert parameters(b'a/b; name="100%25 sure.txt"; x=50%') == {"name": "100%25 sure.txt", "x": "50%"}


def test_parameters_joins_a_plain_first_piece_with_coded_ones() -> None:
    assert parameters(b'a/b; name*0="orders "; name*1*=%D0%BD; name*2=a')["name"] == "orders нa"


@pytest.mark.parametrize("value", [b"text/plain; name*", b"text/plain; charset", b";;;=", b"", b'a/b; x="'])
def test_parameters_survive_damage(value: bytes) -> None:
    assert "charset" not in parameters(value)


@FIXED
@given(st.binary(max_size=300))
def test_parameters_never_raise(value: bytes) -> None:
    assert isinstance(parameters(value), dict)


def test_thread_ids_keeps_exchange_ids_whole() -> None:
    assert thread_ids("<[a]@[b].OUTLOOK.COM>\r\n <c@d> junk <e@f>") == ("<[a]@[b].OUTLOOK.COM>", "<c@d>", "<e@f>")


def test_thread_ids_keeps_first_and_last_of_a_long_list() -> None:
    ids = [f"<{number}@x>" for number in range(5_000)]

    assert thread_ids(" ".join(ids)) == (ids[0], *ids[-100:])


def test_message_id_without_brackets_is_kept() -> None:
    assert message_id(" abc@def ") == "abc@def"


def test_first_token_allows_parameters() -> None:
    assert first_token("auto-replied (vacation)") == "auto-replied"


@pytest.mark.parametrize(
    ("value", "instant"),
    [
        ("Mon, 3 Nov 2025 10:00:00 +0300", datetime(2025, 11, 3, 7, tzinfo=UTC)),
        ("Mon, 3 Nov 2025 10:00:00 -0000", datetime(2025, 11, 3, 10, tzinfo=UTC)),
        ("yesterday", None),
        ("", None),
        ("Mon, 3 Nov 99999 10:00:00 +0300", None),
        ("Fri, 31 Dec 9999 23:59:59 -2300", None),
    ],
)
def test_claimed_date_is_aware_or_nothing(value: str, instant: datetime | None) -> None:
    assert claimed_date(value) == instant


@pytest.mark.parametrize(
    ("header", "boxes"),
    [
        ("Игорь <igor@example.ru>", (Mailbox("Игорь", "igor@example.ru"),)),
        ('"Тестов, Игорь" <igor@example.ru>', (Mailbox("Тестов, Игорь", "igor@example.ru"),)),
        ("igor@example.ru (Игорь)", (Mailbox("", "igor@example.ru"),)),
        ("Игорь <igor@example.ru", (Mailbox("Игорь", "igor@example.ru"),)),
        ("igor@example.ru <igor@example.ru>", (Mailbox("igor@example.ru", "igor@example.ru"),)),
        (
            "igor@example.ru <evil@example.net>",
            (Mailbox("igor@example.ru", "evil@example.net"), Mailbox("", "igor@example.ru")),
        ),
        ('"igor@example.ru" <evil@example.net>', (Mailbox("igor@example.ru", "evil@example.net"),)),
        ("a@example.ru, b@example.ru", (Mailbox("", "a@example.ru"), Mailbox("", "b@example.ru"))),
        ("crew: a@example.ru, b@example.ru;", (Mailbox("", "a@example.ru"), Mailbox("", "b@example.ru"))),
        ("<@relay.example:igor@example.ru>", (Mailbox("", "igor@example.ru"),)),
        ("(c):", ()),
        ('"', ()),
        ("undisclosed-recipients:;", ()),
        ("alice@example.org)bob@example.com", (Mailbox("", "alice@example.org"), Mailbox("", "bob@example.com"))),
    ],
)
def test_mailboxes_name_who_a_header_points_at(header: str, boxes: tuple[Mailbox, ...]) -> None:
    assert mailboxes(header) == boxes


@FIXED
@given(st.text(max_size=300))
def test_mailboxes_never_raise(header: str) -> None:
    assert all("@" in box.address for box in mailboxes(header))


def test_addresses_are_compared_without_case_and_after_idna() -> None:
    assert canonical("Igor@Почта.РФ") == "igor@xn--80a1acny.xn--p1ai"
    assert same_address("igor@почта.рф", "IGOR@XN--80A1ACNY.XN--P1AI")
    assert not same_address("i.gor@example.ru", "igor@example.ru")


def test_split_plus_gives_the_tag() -> None:
    assert split_plus("judge+g12.p3.TOKEN@games.example") == ("judge@games.example", "g12.p3.TOKEN")


@pytest.mark.parametrize(
    "value", ["a" * 60_000 + "@" + ":" * 60_000, "<" * 120_000, '"a" ' * 30_000, "(:@" * 40_000, "a@" * 60_000]
)
def test_mailboxes_of_a_giant_header_are_found_in_a_moment(value: str) -> None:
    began = time.process_time()
    mailboxes(value)

    assert time.process_time() - began < 1


@pytest.mark.parametrize(
    "value",
    [b"=?u?q? ", b"=?u?q?a?=", b"=?", b"=?utf-8?b?", b";a=", b'"', b"; a*1*=%D0", b"%", b"\xd0", b"\\", b" ", b'a="'],
)
def test_a_giant_header_is_read_in_a_moment(value: bytes) -> None:
    began = time.process_time()
    decoded(value * (VALUE_LIMIT // len(value)))
    parameters(b"text/plain;" + value * (VALUE_LIMIT // len(value)))

    assert time.process_time() - began < 1
