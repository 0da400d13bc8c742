"""A mail taken apart: text chosen, letters right, people and thread found, whatever the client or the damage."""

from __future__ import annotations

import base64
import binascii
import quopri
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mail.addresses import Mailbox
from mail.message import Attached, Incoming, content_hash, decode
from tests.mail.mails import FIXED, ORDERS, parts, raw_mail

LINES = ORDERS.split("\n")


def texts(incoming: Incoming) -> list[str]:
    return [line.text for line in incoming.lines if line.raw.strip()]


@pytest.mark.parametrize(
    "label", ["koi8-r", "KOI8-R", '"koi8-r"', "windows-1251", "cp1251", "iso-8859-5", "cp866", "utf-8"]
)
def test_decode_reads_eight_bit_text_as_labelled(label: str) -> None:
    codec = label.strip('"').replace("windows-", "cp")
    incoming = decode(raw_mail(ORDERS, kind=f"text/plain; charset={label}", charset=codec))

    assert (texts(incoming), incoming.repairs) == (LINES, ())


@pytest.mark.parametrize(
    "label",
    ["unknown-8bit", "cp-850", "utf-8  euao6y69zh2w", "", "uft-8", "1", "unknown", "x-nope", '"utf-8 junk"', "none"],
)
def test_decode_reads_text_under_every_label_known_to_raise(label: str) -> None:
    incoming = decode(raw_mail(ORDERS, kind=f"text/plain; charset={label}"))

    assert texts(incoming) == LINES


def test_decode_reads_windows_1251_in_quoted_printable() -> None:
    body = quopri.encodestring(ORDERS.replace("\n", "\r\n").encode("cp1251"))
    incoming = decode(
        raw_mail(body, ("Content-Transfer-Encoding", "quoted-printable"), kind="text/plain; charset=windows-1251")
    )

    assert texts(incoming) == LINES


@pytest.mark.parametrize(
    "damage", [lambda text: text.rstrip("="), lambda text: text.replace("\r\n", "\n \n"), lambda text: text + "\r\n"]
)
def test_decode_reads_base64_with_small_damage(damage: object) -> None:
    assert callable(damage)
    body = damage(base64.encodebytes(ORDERS.encode() + b"\n!").decode().replace("\n", "\r\n"))
    incoming = decode(raw_mail(str(body), ("Content-Transfer-Encoding", "base64")))

    assert texts(incoming)[:2] == LINES


@pytest.mark.parametrize(
    "header",
    [
        ("Message-ID", "<[x]@[y].OUTLOOK.COM>"),
        ("Message-ID", "<[abc@microsoft.com]>"),
        ("To", "(c):"),
        ("To", '"'),
        ("Cc", '"'),
        ("Content-Disposition", "inline; filename*"),
        ("Content-Transfer-Encoding", "8bit junk"),
        ("Subject", "=?x-unknown-charset?B?SGk=?="),
        ("Date", "Mon, 99 Nov 99999 99:99:99 +9999"),
        ("References", "<a@b> <[c]@d>"),
        ("Sender", "\udce8\udce3 <x@y>"),
    ],
)
def test_decode_survives_headers_known_to_raise(header: tuple[str, str]) -> None:
    incoming = decode(raw_mail(ORDERS, header))

    assert (texts(incoming), incoming.damage) == (LINES, "")


def test_decode_keeps_an_odd_message_id_as_it_is() -> None:
    raw = raw_mail(ORDERS).replace(b"<1@example.ru>", b"<[x]@[y].OUTLOOK.COM>")

    assert decode(raw).message_id == "<[x]@[y].OUTLOOK.COM>"


def test_decode_survives_a_bare_star_in_a_type() -> None:
    assert texts(decode(raw_mail(ORDERS, kind="text/plain; name*"))) == LINES


def test_decode_survives_a_bare_star_before_a_boundary() -> None:
    body = parts("b", ("Content-Type: text/plain; charset=utf-8", ORDERS.encode()))

    assert texts(decode(raw_mail(body, kind="multipart/mixed; name*; boundary=b"))) == LINES


@pytest.mark.parametrize("kind", ["multipart/mixed", 'multipart/mixed; boundary="other"'])
def test_decode_reads_a_multipart_with_a_missing_or_wrong_boundary(kind: str) -> None:
    body = parts("b", ("Content-Type: text/plain; charset=utf-8", ORDERS.encode()), ("Content-Type: image/gif", b"GIF"))
    incoming = decode(raw_mail(body, kind=kind))

    assert (texts(incoming), incoming.repairs) == (LINES, ("boundary-guessed",))


@pytest.mark.parametrize(
    "kind",
    [
        "multipart/mixed; boundary=b",
        'multipart/mixed; boundary="b "',
        "multipart/mixed; boundary = b",
        "multipart/mixed;boundary=b;charset=x",
        "multipart/mixed; boundary*0=b",
        'multipart/mixed; boundary="b',
        "Multipart/Mixed; BOUNDARY=b",
        "multipart/mixed boundary=b",
        "multipart/digest; boundary=b",
        "multipart/x-odd; boundary=b",
        "multipart/mixed; boundary=",
        "multipart/mixed; boundary=B",
        "",
        "junk",
    ],
)
def test_decode_reads_a_multipart_however_its_boundary_is_told(kind: str) -> None:
    body = parts("b", ("Content-Type: text/plain; charset=utf-8", ORDERS.encode()), ("Content-Type: image/gif", b"GIF"))

    assert texts(decode(raw_mail(body, kind=kind))) == LINES


@pytest.mark.parametrize("boundary", ["=_b'()+_,-./:=? x", "--b--", "b" * 70, "----=_Part_1"])
def test_decode_reads_boundaries_of_every_character(boundary: str) -> None:
    body = parts(
        boundary, ("Content-Type: text/plain; charset=utf-8", ORDERS.encode()), ("Content-Type: image/gif", b"G")
    )

    assert texts(decode(raw_mail(body, kind=f'multipart/mixed; boundary="{boundary}"'))) == LINES


def test_decode_reads_a_multipart_inside_another_of_the_same_boundary() -> None:
    inner = parts("b", ("Content-Type: text/plain; charset=utf-8", ORDERS.encode()))
    body = parts("b", ("Content-Type: multipart/alternative; boundary=b", inner), ("Content-Type: image/gif", b"GIF"))

    assert texts(decode(raw_mail(body, kind="multipart/mixed; boundary=b"))) == LINES


def test_decode_reads_a_multipart_that_never_ends() -> None:
    body = parts("b", ("Content-Type: text/plain; charset=utf-8", ORDERS.encode())).replace(b"--b--", b"")

    assert texts(decode(raw_mail(body, kind="multipart/mixed; boundary=b"))) == LINES


def test_decode_reads_parts_without_any_header() -> None:
    body = f"preamble\r\n--b\r\n\r\n{ORDERS}\r\n--b--\r\nepilogue".encode()

    assert texts(decode(raw_mail(body, kind="multipart/mixed; boundary=b"))) == LINES


@pytest.mark.parametrize(
    "kind", ["multipart/mixed", "multipart/alternative; boundary=b", "multipart/related; boundary"]
)
def test_decode_reads_as_text_what_only_claims_to_have_parts(kind: str) -> None:
    assert texts(decode(raw_mail(ORDERS, kind=kind))) == LINES


@pytest.mark.parametrize(
    "head",
    [b"\r\n", b"\xef\xbb\xbf", b" \r\n\r\n", b">From igor Mon Nov 3 10:00\r\n", b"From igor@example.ru Mon Nov 3\r\n"],
)
def test_decode_finds_headers_behind_what_does_not_belong_there(head: bytes) -> None:
    incoming = decode(head + raw_mail(ORDERS))

    assert (texts(incoming), incoming.from_address) == (LINES, "igor@example.ru")


@pytest.mark.parametrize(
    "stray", [b"stray words that a relay left", "обрывок".encode("cp1251"), b"\x00\x01", b"x\r\ny"]
)
def test_decode_reads_headers_after_a_stray_line_among_them(stray: bytes) -> None:
    body = base64.encodebytes(ORDERS.encode())
    raw = raw_mail(body, ("Content-Transfer-Encoding", "base64")).replace(
        b"MIME-Version", stray + b"\r\nMIME-Version", 1
    )

    assert texts(decode(raw)) == LINES


def test_decode_says_that_headers_were_mended() -> None:
    raw = raw_mail(ORDERS).replace(b"MIME-Version", b"stray line\r\nMIME-Version", 1)

    assert (texts(decode(raw)), decode(raw).repairs) == (LINES, ("headers-mended",))


def test_decode_finds_text_where_the_line_between_headers_and_text_is_missing() -> None:
    raw = raw_mail(ORDERS).replace(b"\r\n\r\n", b"\r\n", 1)

    assert texts(decode(raw)) == LINES


@pytest.mark.parametrize("end", [b"\n", b"\r"])
def test_decode_reads_mails_of_every_line_end(end: bytes) -> None:
    body = parts("b", ("Content-Type: text/plain; charset=utf-8", ORDERS.replace("\n", "\r\n").encode()))
    incoming = decode(raw_mail(body, kind="multipart/mixed; boundary=b").replace(b"\r\n", end))

    assert (texts(incoming), incoming.from_address) == (LINES, "igor@example.ru")


def test_decode_reads_a_mail_that_has_no_headers_but_who_wrote_it() -> None:
    incoming = decode(b"From: igor@example.ru\r\n\r\n" + ORDERS.encode("koi8-r"))

    assert (texts(incoming), incoming.from_address, incoming.message_id, incoming.date) == (
        LINES,
        "igor@example.ru",
        "",
        None,
    )


@pytest.mark.parametrize("encoding", ["8bit junk", "quoted", "utf-8", "", "x-unknown", "base64", "quoted-printable"])
def test_decode_reads_plain_text_under_every_false_encoding(encoding: str) -> None:
    assert texts(decode(raw_mail(ORDERS, ("Content-Transfer-Encoding", encoding)))) == LINES


@pytest.mark.parametrize("charset", ["utf-8", "koi8-r", "cp1251"])
@pytest.mark.parametrize("label", ["BASE64", "base64 ", "7bit", "", "(x) base64", "quoted-printable"])
def test_decode_reads_base64_or_asks_under_every_false_encoding(label: str, charset: str) -> None:
    body = base64.encodebytes(f"{ORDERS}\nа вот и третий приказ\n".encode(charset))
    incoming = decode(raw_mail(body, ("Content-Transfer-Encoding", label), kind=f"text/plain; charset={charset}"))

    assert texts(incoming)[:2] == LINES


def test_decode_holds_a_text_whose_encoding_lost_bytes() -> None:
    body = base64.b64encode(ORDERS.encode())[:41]

    assert decode(raw_mail(body, ("Content-Transfer-Encoding", "base64"))).silent_execution_forbidden


def test_decode_takes_a_page_sent_as_plain_text_for_a_page() -> None:
    page = "<!DOCTYPE html><html><body><div>пират 1: A5 - B6</div><div>пират 2: копать C4</div></body></html>"
    incoming = decode(raw_mail(page))

    assert (texts(incoming), incoming.text_from) == (LINES, "html")


def test_decode_keeps_the_lines_of_plain_text_sent_as_a_page() -> None:
    incoming = decode(raw_mail(ORDERS, kind="text/html; charset=utf-8"))

    assert (texts(incoming), incoming.text_from) == (LINES, "plain")


@pytest.mark.parametrize("blank", ["", " \r\n", "\u00a0", "\u200b\r\n\ufeff", "\u2003\u2060"])
def test_decode_takes_invisible_plain_text_for_none(blank: str) -> None:
    page = "<p>пират 1: A5 - B6</p><p>пират 2: копать C4</p>"
    body = parts(
        "b",
        ("Content-Type: text/plain; charset=utf-8", blank.encode()),
        ("Content-Type: text/html; charset=utf-8", page.encode()),
    )

    assert texts(decode(raw_mail(body, kind="multipart/alternative; boundary=b"))) == LINES


def test_decode_reads_a_page_above_a_footer_that_is_plain_text() -> None:
    page = "<p>Бригантина: северо-восток, огонь левым бортом</p><p>пират 1: A5 - B6</p><p>пират 2: копать C4</p>"
    body = parts(
        "b",
        ("Content-Type: text/html; charset=utf-8", page.encode()),
        ("Content-Type: text/plain; charset=utf-8", "Проверено на вирусы".encode()),
    )

    assert texts(decode(raw_mail(body, kind="multipart/mixed; boundary=b")))[1:] == [*LINES, "Проверено на вирусы"]


def test_decode_reads_twins_once_even_where_nothing_says_they_are() -> None:
    page = "".join(f"<p>{line}</p>" for line in LINES)
    body = parts(
        "b",
        ("Content-Type: text/plain; charset=utf-8", ORDERS.encode()),
        ("Content-Type: text/html; charset=utf-8", page.encode()),
    )

    assert texts(decode(raw_mail(body, kind="multipart/mixed; boundary=b"))) == LINES


def test_decode_joins_pages_around_a_picture() -> None:
    first, second = LINES
    inner = parts(
        "in",
        ("Content-Type: text/html; charset=utf-8", f"<p>{first}</p>".encode()),
        ("Content-Type: image/png", b"PNG"),
        ("Content-Type: text/html; charset=utf-8", f"<p>{second}</p>".encode()),
    )
    body = parts("out", ("Content-Type: text/plain", b" "), ("Content-Type: multipart/mixed; boundary=in", inner))

    assert texts(decode(raw_mail(body, kind="multipart/alternative; boundary=out"))) == LINES


@pytest.mark.parametrize(
    "head",
    [
        'Content-Type: text/plain; charset=utf-8; name="приказы.txt"',
        "Content-Type: application/octet-stream; name*=utf-8''%D0%BF%D1%80%D0%B8%D0%BA%D0%B0%D0%B7%D1%8B.txt",
        'Content-Type: text/markdown\nContent-Disposition: inline; filename="=?koi8-r?B?0NLJy8Ha2S50eHQ=?="',
        "Content-Disposition: x;\n filename*0*=utf-8''%D0%BF%D1%80%D0%B8%D0;\n filename*1*=%BA%D0%B0%D0%B7%D1%8B.txt",
    ],
)
@pytest.mark.parametrize("coding", ["8bit", "base64", "quoted-printable"])
def test_decode_takes_orders_from_a_file_beside_a_blank_text(head: str, coding: str) -> None:
    data = {"8bit": bytes, "base64": base64.encodebytes, "quoted-printable": quopri.encodestring}[coding](
        ORDERS.encode()
    )
    body = parts(
        "b",
        ("Content-Type: text/plain", b" "),
        (f"{head}\nContent-Transfer-Encoding: {coding}", data),
        ("Content-Type: image/png; name=flag.png", b"PNG"),
    )
    incoming = decode(raw_mail(body, kind="multipart/mixed; boundary=b"))

    assert (texts(incoming), incoming.text_from, incoming.attached[0].name) == (LINES, "attachment", "приказы.txt")


@pytest.mark.parametrize("charset", ["utf-8-sig", "utf-16", "koi8-r", "cp866"])
def test_decode_reads_a_file_of_orders_in_the_charset_of_a_desktop_editor(charset: str) -> None:
    head = "Content-Type: application/octet-stream; name=orders.txt\nContent-Transfer-Encoding: base64"
    body = parts("b", (head, base64.encodebytes(ORDERS.encode(charset))))

    assert texts(decode(raw_mail(body, kind="multipart/mixed; boundary=b"))) == LINES


def test_decode_takes_orders_from_a_uuencoded_file_in_the_text() -> None:
    data = ORDERS.encode()
    lines = b"".join(binascii.b2a_uu(data[at : at + 45]) for at in range(0, len(data), 45))
    incoming = decode(raw_mail("\r\nbegin 644 приказы.txt\n".encode() + lines + b"`\nend\n"))

    assert (texts(incoming), incoming.attached[0].name) == (LINES, "приказы.txt")


def test_decode_reads_uuencoded_text() -> None:
    body = b"begin 644 x\n" + binascii.b2a_uu(ORDERS.encode()[:45]) + binascii.b2a_uu(ORDERS.encode()[45:]) + b"end\n"

    assert texts(decode(raw_mail(body, ("Content-Transfer-Encoding", "x-uuencode")))) == LINES


@pytest.mark.parametrize("name", ["From", "To", "Cc", "Reply-To", "Sender"])
@pytest.mark.parametrize(
    "coded", ["=?utf-8?B?0JjQs9C+0YDRjA==?=", '"=?koi8-r?Q?=E9=C7=CF=D2=D8?="', "\udce9\udcc7\udccf\udcd2\udcd8"]
)
def test_decode_shows_names_in_every_address_header(name: str, coded: str) -> None:
    incoming = decode(raw_mail(ORDERS, (name, f"{coded} <igor@example.ru>"), sender=""))

    assert "Игорь" in incoming.header(name)


def test_decode_finds_a_cyrillic_tag_split_in_the_middle_of_a_letter() -> None:
    whole = "Re: [джек-12] Ход 5".encode()
    words = " ".join(f"=?utf-8?B?{base64.b64encode(whole[at : at + 8]).decode()}?=" for at in range(0, len(whole), 8))

    assert decode(raw_mail(ORDERS, subject=words)).subject == "Re: [джек-12] Ход 5"


@pytest.mark.parametrize("sender", ["Игорь <igor@example.ru", "<igor@example.ru", "Игорь <igor@example.ru>>"])
def test_decode_accepts_an_unclosed_address_if_it_is_the_only_one_and_says_so(sender: str) -> None:
    incoming = decode(raw_mail(ORDERS, sender=sender))

    assert (incoming.from_address, incoming.repairs) == ("igor@example.ru", ("address-mended",))


def test_decode_finds_text_in_an_alternative_inside_a_mixed() -> None:
    inner = parts(
        "in",
        ("Content-Type: text/plain; charset=utf-8", ORDERS.encode()),
        ("Content-Type: text/html; charset=utf-8", b"<p>x</p>"),
    )
    body = parts(
        "out", ('Content-Type: multipart/alternative; boundary="in"', inner), ("Content-Type: image/gif", b"GIF")
    )

    assert texts(decode(raw_mail(body, kind='multipart/mixed; boundary="out"'))) == LINES


def test_decode_finds_orders_in_nested_multiparts_whatever_reply_to_and_date_say() -> None:
    inner = parts(
        "in", ("Content-Type: text/plain; charset=utf-8", ORDERS.encode()), ("Content-Type: text/html", b"<p>x")
    )
    body = parts(
        "out", ("Content-Type: multipart/alternative; boundary=in", inner), ("Content-Type: image/gif", b"GIF")
    )
    head = (("Reply-To", "other@example.net"), ("Date", "Thu, 1 Jan 1970 00:00:00 +0000"))
    incoming = decode(raw_mail(body, *head, kind="multipart/mixed; boundary=out"))

    assert (texts(incoming), incoming.from_address) == (LINES, "igor@example.ru")


def test_decode_reads_html_where_the_plain_part_is_blank() -> None:
    body = parts(
        "b",
        ("Content-Type: text/plain", b" \r\n\xc2\xa0\r\n"),
        ("Content-Type: text/html; charset=utf-8", "<div>пират 1: A5 - B6</div><div>пират 2: копать C4</div>".encode()),
    )
    incoming = decode(raw_mail(body, kind='multipart/alternative; boundary="b"'))

    assert (texts(incoming), incoming.text_from) == (LINES, "html")


@pytest.mark.parametrize(
    "words",
    [
        "Ваша почтовая программа не поддерживает HTML.",
        "This is a multi-part message in MIME format.",
        "Чтобы увидеть это письмо,\n\nвключите показ HTML в настройках почты",
    ],
)
def test_decode_takes_words_that_stand_for_a_page_for_none(words: str) -> None:
    page = f"<p>{LINES[0]}</p><p>{LINES[1]}</p>"
    body = parts(
        "b",
        ("Content-Type: text/plain; charset=utf-8", words.encode()),
        ("Content-Type: text/html; charset=utf-8", page.encode()),
    )

    assert texts(decode(raw_mail(body, kind='multipart/alternative; boundary="b"'))) == LINES


def test_decode_keeps_a_persons_own_words_about_html() -> None:
    words = "Отчёты в HTML удобнее!"
    body = parts(
        "b",
        ("Content-Type: text/plain; charset=utf-8", words.encode()),
        ("Content-Type: text/html; charset=utf-8", f"<p>{words}</p>".encode()),
    )
    incoming = decode(raw_mail(body, kind='multipart/alternative; boundary="b"'))

    assert (texts(incoming), incoming.text_from) == ([words], "plain")


@pytest.mark.parametrize("form", ["&#{};", "&#x{:x};"])
def test_decode_reads_letters_that_a_program_wrote_as_references(form: str) -> None:
    text = "".join(char if char.isascii() else form.format(ord(char)) for char in ORDERS)
    incoming = decode(raw_mail(text, kind="text/plain; charset=iso-8859-1"))

    assert (texts(incoming), incoming.repairs) == (LINES, ("mojibake",))


def test_decode_reads_signs_that_were_left_of_a_page_in_its_text() -> None:
    assert texts(decode(raw_mail("&laquo;Сан-Фелипе&raquo;:&nbsp;СВ&nbsp;2"))) == ['"Сан-Фелипе": СВ 2']


def test_decode_says_when_plain_and_html_are_different_texts() -> None:
    body = parts(
        "b",
        ("Content-Type: text/plain", b"This mail is best seen elsewhere."),
        (
            "Content-Type: text/html; charset=utf-8",
            "<p>бригантина идёт на северо-восток, огонь левым бортом, затем разворот и дозор у порта</p>".encode(),
        ),
    )

    assert decode(raw_mail(body, kind='multipart/alternative; boundary="b"')).repairs == ("alternative-differs",)


def test_decode_joins_texts_around_a_picture() -> None:
    body = parts(
        "b",
        ("Content-Type: text/plain; charset=utf-8", "пират 1: A5 - B6".encode()),
        ("Content-Type: image/png", b"PNG"),
        ("Content-Type: text/plain; charset=utf-8", "пират 2: копать C4".encode()),
    )

    assert texts(decode(raw_mail(body, kind='multipart/mixed; boundary="b"'))) == LINES


@pytest.mark.parametrize(
    "named",
    [
        "filename*0*=utf-8''%D0%BF%D1%80%D0%B8; filename*1*=%D0%BA%D0%B0%D0%B7%D1%8B.txt",
        'filename="=?utf-8?B?' + base64.b64encode("приказы.txt".encode()).decode() + '?="',
        'filename="' + "приказы.txt".encode("cp1251").decode("utf-8", "surrogateescape") + '"',
    ],
    ids=["2231", "2047 in quotes", "raw cp1251"],
)
def test_decode_takes_orders_from_a_file_where_there_is_no_text(named: str) -> None:
    head = f"Content-Type: text/plain; charset=utf-8\r\nContent-Disposition: attachment; {named}"
    body = b"--b\r\n" + head.encode("utf-8", "surrogateescape") + b"\r\n\r\n" + ORDERS.encode() + b"\r\n--b--\r\n"
    incoming = decode(raw_mail(body, kind='multipart/mixed; boundary="b"'))

    assert texts(incoming) == LINES
    assert (incoming.attached[0].name, incoming.repairs) == ("приказы.txt", ("orders-from-attachment",))


def test_decode_names_a_file_of_orders_it_did_not_read() -> None:
    body = parts(
        "b",
        ("Content-Type: text/plain", b"see the file"),
        ('Content-Type: text/plain\nContent-Disposition: attachment; filename="orders.txt"', b"fire"),
    )
    incoming = decode(raw_mail(body, kind='multipart/mixed; boundary="b"'))

    assert (texts(incoming), incoming.repairs) == (["see the file"], ("attachment-not-read",))
    assert incoming.attached == (Attached("orders.txt", "text/plain", 4),)


def test_decode_reads_flowed_text_with_delsp() -> None:
    body = "пират 1: A5 \n- B6\n-- \nИгорь"

    assert (
        texts(decode(raw_mail(body, kind="text/plain; charset=utf-8; format=flowed; delsp=yes")))[0]
        == "пират 1: A5- B6"
    )


def test_decode_repairs_double_encoding_and_says_so() -> None:
    incoming = decode(raw_mail(ORDERS.encode().decode("latin-1").encode()))

    assert (texts(incoming), incoming.repairs) == (LINES, ("mojibake",))


def test_decode_forbids_silent_execution_of_damaged_letters() -> None:
    incoming = decode(raw_mail("пират 1: ��пать"))

    assert (incoming.repairs, incoming.silent_execution_forbidden) == (("letters-damaged",), True)


def test_decode_cuts_a_long_line_and_says_so() -> None:
    incoming = decode(raw_mail("x" * 5_000))

    assert (len(incoming.lines[0].raw), incoming.repairs) == (2_000, ("line-cut",))


def test_decode_reads_people_and_thread() -> None:
    incoming = decode(
        raw_mail(
            ORDERS,
            ("Delivered-To", "judge+g12.TOKEN@games.example"),
            ("In-Reply-To", "<a@games.example>"),
            ("References", "<a@games.example>\r\n\t<b@games.example>"),
            sender="=?utf-8?B?0JjQs9C+0YDRjA==?= <Igor@Example.ru>",
        )
    )

    assert incoming.sender == (Mailbox("Игорь", "Igor@Example.ru"),)
    assert incoming.delivered_to == ("judge+g12.TOKEN@games.example",)
    assert (incoming.in_reply_to, incoming.references) == (
        ("<a@games.example>",),
        ("<a@games.example>", "<b@games.example>"),
    )


def test_decode_does_not_take_an_address_from_an_encoded_name() -> None:
    name = base64.b64encode(b"igor@example.ru>").decode()
    incoming = decode(raw_mail(ORDERS, sender=f"=?utf-8?B?{name}?= <evil@example.net>"))

    assert incoming.from_address == "evil@example.net"


@pytest.mark.parametrize(
    "raw",
    [
        raw_mail(ORDERS, ("From", "other@example.ru")),
        raw_mail(ORDERS, sender="a@example.ru, b@example.ru"),
        raw_mail(ORDERS, sender=""),
        raw_mail(ORDERS, sender="igor@example.ru <evil@example.net>"),
    ],
    ids=["two headers", "two mailboxes", "none", "two addresses"],
)
def test_from_address_is_empty_unless_there_is_exactly_one(raw: bytes) -> None:
    assert decode(raw).from_address == ""


def test_header_access_is_caseless_and_gives_all_values() -> None:
    incoming = decode(raw_mail(ORDERS, ("X-Loop", "a"), ("x-loop", "b")))

    assert (incoming.header("X-LOOP"), incoming.all("x-loop"), incoming.has("x-nothing")) == ("a", ("a", "b"), False)


def test_subject_loses_control_characters() -> None:
    assert decode(raw_mail(ORDERS, subject="ход\x0c5\x00")).subject == "ход 5"


def test_content_hash_ignores_traces_of_the_way_and_nothing_else() -> None:
    raw = raw_mail(ORDERS)
    way = b"Received: from a\r\n\tby b\r\nDelivered-To: judge@games.example\r\n"

    assert content_hash(way + raw) == content_hash(raw.replace(b"\r\n", b"\n"))
    assert content_hash(raw) != content_hash(raw.replace(b"C4", b"C5"))
    assert content_hash(raw) != content_hash(raw.replace(b"<1@", b"<2@"))


@FIXED
@given(st.binary(max_size=2_000))
def test_decode_never_raises_on_bytes(raw: bytes) -> None:
    assert decode(raw).size == len(raw)


SEEDS = [
    raw_mail(ORDERS, kind="text/plain; charset=koi8-r; format=flowed", charset="koi8-r"),
    raw_mail(
        parts(
            "b",
            (
                "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64",
                base64.encodebytes(ORDERS.encode()),
            ),
            ("Content-Type: text/html; charset=utf-8", "<blockquote type=cite>а</blockquote><p>б".encode()),
            ("Content-Type: message/rfc822", raw_mail("x")),
            ("Content-Type: message/delivery-status", b"Reporting-MTA: x\r\n\r\nAction: failed\r\nStatus: 5.1.1\r\n"),
        ),
        kind='multipart/mixed; boundary="b"',
    ),
]


@FIXED
@given(st.sampled_from(SEEDS), st.lists(st.tuples(st.integers(0, 10_000), st.binary(max_size=4)), max_size=12))
def test_decode_never_raises_on_mutated_mail(seed: bytes, cuts: list[tuple[int, bytes]]) -> None:
    raw = bytearray(seed)
    for place, data in cuts:
        at = place % (len(raw) + 1)
        raw[at : at + len(data)] = data
    incoming = decode(bytes(raw))

    assert "".join(line.raw for line in incoming.lines).encode("utf-8") is not None
    assert "\x00" not in incoming.subject


def test_package_reads_its_catalogue_from_its_own_folder() -> None:
    assert (Path(__file__).parents[2] / "mail" / "data" / "clients.toml").is_file()


@pytest.mark.parametrize("blank", [b"\r\n" * 300, b"\n" * 300, b"\t\r\n" * 300, b" \r\n" * 300])
def test_text_of_blank_lines_alone_is_an_empty_text(blank: bytes) -> None:
    assert [line.raw.strip() for line in decode(raw_mail(blank)).lines if line.raw.strip()] == []
