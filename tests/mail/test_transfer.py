"""Transfer encodings: damage that people's programs and relays do to base64, quoted-printable and uuencode."""

from __future__ import annotations

import base64
import binascii
import quopri
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mail.transfer import Undone, size, undo, without_enclosed
from tests.mail.mails import FIXED, ORDERS

TEXT = f"Здравствуйте, судья! Вот приказы моей славной команды на этот ход.\n{ORDERS}\nконец\n"
DATA = TEXT.encode()
SOLID = base64.b64encode(DATA).decode()
PRINTABLE = quopri.encodestring(DATA).decode()


def wrapped(width: int, end: str = "\n") -> str:
    return end.join(textwrap.wrap(SOLID, width))


@pytest.mark.parametrize("label", ["base64", "BASE64", '"base64"', "base64;", "base64 (as ever)", "Base-64", "b64"])
def test_undo_reads_labels_of_base64_as_programs_write_them(label: str) -> None:
    assert undo(SOLID.encode(), label) == Undone(DATA)


@pytest.mark.parametrize("label", ["quoted-printable", "Quoted-Printable ;", "quoted_printable", "QP", "'quoted'"])
def test_undo_reads_labels_of_quoted_printable_as_programs_write_them(label: str) -> None:
    assert undo(PRINTABLE.encode(), label) == Undone(DATA)


@pytest.mark.parametrize("label", ["", "7bit", "8bit", "binary", "none", "utf-8", "8bit junk"])
def test_undo_leaves_bytes_alone_under_every_other_label(label: str) -> None:
    assert undo(DATA, label) == Undone(DATA)


@pytest.mark.parametrize(
    "body", [wrapped(76), wrapped(7), wrapped(61, "\r\n"), wrapped(1), wrapped(76, " "), wrapped(64, "\n\n")]
)
def test_undo_reads_base64_wrapped_in_any_way(body: str) -> None:
    assert undo(body.encode(), "base64") == Undone(DATA)


FOOTERS = [
    "\n-- \nПроверено антивирусом",
    "\n\n-- \nThis mail was checked by some program",
    "\n______________________\n",
]


@pytest.mark.parametrize(
    "body",
    [
        SOLID.rstrip("="),
        SOLID.replace("+", "-").replace("/", "_").rstrip("="),
        "\n".join(base64.b64encode(DATA[at : at + 40]).decode() for at in range(0, len(DATA), 40)),
        SOLID[:50] + "!" + SOLID[50:90] + "\x00*" + SOLID[90:],
        *(wrapped(76) + footer for footer in FOOTERS),
    ],
    ids=["no padding", "alphabet of URLs", "padding on every line", "strays", *("footer",) * len(FOOTERS)],
)
def test_undo_mends_base64_that_lost_nothing(body: str) -> None:
    undone = undo(body.encode(), "base64")

    assert (undone.data, undone.repairs in ((), ("transfer-mended",))) == (DATA, True)


@pytest.mark.parametrize("body", [SOLID[:81], SOLID[:81] + "!" + SOLID[83:], SOLID[:30] + "?" + SOLID[31:]])
def test_undo_says_where_base64_lost_something(body: str) -> None:
    assert undo(body.encode(), "base64").repairs == ("transfer-broken",)


@pytest.mark.parametrize(
    ("body", "label"),
    [
        (DATA, "base64"),
        (DATA, "quoted-printable"),
        (b"fire at B6", "base64"),
        (b"fire twice at B6", "base64"),
        (DATA, "x-uuencode"),
    ],
)
def test_undo_sees_that_text_was_never_encoded(body: bytes, label: str) -> None:
    assert undo(body, label) == Undone(body, ("transfer-guessed",))


@pytest.mark.parametrize(
    "body",
    [
        PRINTABLE.lower(),
        PRINTABLE.replace("=\n", "= \t\n"),
        PRINTABLE.replace("=\n", "="),
        PRINTABLE.replace("\n", "\r\n"),
        PRINTABLE.replace("\n", "\r"),
        PRINTABLE.rstrip("\n") + "\n=",
    ],
    ids=[
        "lower case",
        "blanks after soft break",
        "line ends of soft breaks lost",
        "CRLF",
        "CR",
        "= at the end",
    ],
)
def test_undo_reads_damaged_quoted_printable(body: str) -> None:
    assert undo(body.encode(), "quoted-printable").data.decode().lower() == TEXT.lower()


def test_undo_joins_lines_where_a_lost_soft_break_tore_a_letter_in_two() -> None:
    text = f"- {TEXT}"
    torn = quopri.encodestring(text.encode()).replace(b"=\n", b"\n")

    assert undo(torn, "quoted-printable") == Undone(text.encode(), ("transfer-mended",))


def test_undo_keeps_coded_blanks_and_breaks_of_quoted_printable() -> None:
    assert undo(b"a=20\nb =3D5=0D=0Ac=\n d =G1", "quoted-printable") == Undone(b"a \nb =5\r\nc d =G1")


@pytest.mark.parametrize("charset", ["utf-8", "koi8-r"])
@pytest.mark.parametrize("label", ["", "8bit"])
def test_undo_sees_quoted_printable_nobody_labelled(charset: str, label: str) -> None:
    body = quopri.encodestring(TEXT.encode(charset))

    assert undo(body, label) == Undone(TEXT.encode(charset), ("transfer-guessed",))


@pytest.mark.parametrize("charset", ["utf-8", "koi8-r"])
def test_undo_sees_base64_nobody_labelled(charset: str) -> None:
    assert undo(base64.encodebytes(TEXT.encode(charset)), "7bit") == Undone(TEXT.encode(charset), ("transfer-guessed",))


@pytest.mark.parametrize(
    "body", [b"x" * 3_000, b"ready\nmap\nrules\nhelp\nstatus\ngames\nready\nready\n", b"a=b\nc=d\ne=f\ng=a1\n", b""]
)
def test_undo_takes_no_ordinary_text_for_encoded(body: bytes) -> None:
    assert undo(body, "") == Undone(body)


def uuencoded(name: str) -> bytes:
    lines = b"".join(binascii.b2a_uu(DATA[at : at + 45]) for at in range(0, len(DATA), 45))
    return f"begin 644 {name}\n".encode() + lines + b"`\nend\n"


@pytest.mark.parametrize(
    "damage",
    [lambda body: body, lambda body: body.replace(b"\n", b"\r\n"), lambda body: body.replace(b"`\nend\n", b"")],
)
def test_undo_reads_uuencode(damage: object) -> None:
    assert callable(damage)
    assert undo(damage(uuencoded("orders.txt")), "x-uuencode") == Undone(DATA)


def test_uuencoded_file_is_taken_out_of_a_text() -> None:
    text, (file,) = without_enclosed("см. файл\n".encode() + uuencoded("приказы.txt") + "вот\n".encode())

    assert (text.decode(), file.name.decode(), file.undone) == ("см. файл\nвот\n", "приказы.txt", Undone(DATA))


@pytest.mark.parametrize("text", ["begin 644 x\nпират 1: A5\nend\n", "begin 1\nend", "x begin 644 y\n" * 3])
def test_a_text_that_only_speaks_of_beginning_stays_whole(text: str) -> None:
    assert without_enclosed(text.encode()) == (text.encode(), ())


@pytest.mark.parametrize("length", [0, 1, 2, 3, 100])
@pytest.mark.parametrize("label", ["base64", "quoted-printable", "8bit"])
def test_size_is_that_of_the_bytes_undone(length: int, label: str) -> None:
    data = DATA[:length]
    body = {"base64": base64.encodebytes(data), "quoted-printable": quopri.encodestring(data), "8bit": data}[label]

    assert size(body, label) == length


@FIXED
@given(st.binary(max_size=400), st.sampled_from(["base64", "quoted-printable", "x-uuencode", ""]))
def test_undo_never_raises(body: bytes, label: str) -> None:
    assert isinstance(undo(body, label).data, bytes)
    assert isinstance(without_enclosed(body)[0], bytes)
