"""Bytes to text: UTF-8 first, then the claim, then the judge of Russian letters, then loss that is named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mail.charset import Decoded, decode, known, mended
from tests.mail.mails import FIXED

SHORT = [
    "да",
    "готов",
    "Привет",
    "ход 5",
    "Ход 5: готов",
    "черновик",
    "пират 1: A5 - B6",
    "пират 2: копать C4",
    "Сан-Фелипе: СВ 3, огонь после",
    "Чёрная Каракатица идёт на запад",
    "ПИРАТ 1: КОПАТЬ",
    "соль: ветер в парусах",
    "письмо Анне: давай союз против Бориса",
    "Игорь Тестов",
    "отпуск 3.12-10.12",
    "Судья, мой корабль стоит у порта Кадикс и ждёт ветра.",
]
CHARSETS = ["cp1251", "koi8-r", "cp866", "iso8859-5"]


@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("text", SHORT)
def test_decode_judges_short_russian_without_a_claim(text: str, charset: str) -> None:
    assert decode(text.encode(charset)).text == text


@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize(
    "claim", ["unknown-8bit", "x-unknown", "uft-8", "1", "none", "us-ascii", '"utf-8  euao6y69zh2w"']
)
def test_decode_judges_where_the_claim_says_nothing(charset: str, claim: str) -> None:
    text = "пират 1: копать, пират 2: стоять"

    assert decode(text.encode(charset), claim) == Decoded(text, charset, ("charset-guessed",))


@pytest.mark.parametrize(
    ("claim", "codec"),
    [
        ("KOI8-R", "koi8-r"),
        ("koi8r", "koi8-r"),
        ("Windows-1251", "cp1251"),
        ("win-1251", "cp1251"),
        ("cp-1251", "cp1251"),
        ("'utf8'", "utf-8"),
        ('"utf-8 junk"', "utf-8"),
        ("gb2312", "gb18030"),
        ("rot13", ""),
        ("base64", ""),
        ("", ""),
        ("no-such-charset", ""),
    ],
)
def test_known_reads_claims_as_people_write_them(claim: str, codec: str) -> None:
    assert known(claim) == codec


@pytest.mark.parametrize("claim", ["koi8-r", "windows-1251", "iso-8859-1", "cp866"])
def test_decode_believes_utf_8_before_an_eight_bit_claim(claim: str) -> None:
    assert decode("пират 1".encode(), claim) == Decoded("пират 1", "utf-8", ("charset-was-utf-8",))


@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("text", SHORT)
def test_decode_believes_an_honest_claim(text: str, charset: str) -> None:
    assert decode(text.encode(charset), charset) == Decoded(text, charset if text.isascii() is False else "us-ascii")


@pytest.mark.parametrize("claim", ["iso-8859-1", "windows-1252"])
def test_decode_sees_through_a_western_label_on_russian(claim: str) -> None:
    text = "Бригантина идёт на северо-восток"

    assert decode(text.encode("cp1251"), claim) == Decoded(text, "cp1251", ("charset-mislabelled",))


WORDS = ["копать", "фрегат", "черновик", "СВ 3, СЗ 1", "ПИРАТ 1: КОПАТЬ", "Флейт: огонь", "Анна, готов?"]


@pytest.mark.parametrize("claim", CHARSETS)
@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("text", WORDS)
def test_decode_believes_no_wrong_label_without_doubt(text: str, charset: str, claim: str) -> None:
    found = decode(text.encode(charset), claim)

    assert found.text == text or "charset-doubtful" in found.repairs


@pytest.mark.parametrize("claim", CHARSETS)
@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("text", [text for text in SHORT if len(text) > 12])
def test_decode_sees_through_a_wrong_russian_label(text: str, charset: str, claim: str) -> None:
    assert decode(text.encode(charset), claim).text == text


@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("text", ["Ю 2", "З 1", "ок", "щас", "шхуна", *WORDS])
def test_decode_believes_an_honest_label_on_the_shortest_words(text: str, charset: str) -> None:
    assert decode(text.encode(charset), charset) == Decoded(text, charset)


@pytest.mark.parametrize("text", ["Ю 2", "С", "ЮВ"])
def test_decode_doubts_its_guess_where_two_charsets_read_as_well(text: str) -> None:
    assert "charset-doubtful" in decode(text.encode("koi8-r")).repairs


@pytest.mark.parametrize("claim", ["", "koi8-r", "windows-1251"])
def test_decode_finds_letters_behind_a_page_of_styles(claim: str) -> None:
    page = "p.MsoNormal {margin:0cm}\n" * 400 + "<p>пират 1: копать C4</p>"

    assert decode(page.encode("koi8-r"), claim).text == page


def test_decode_survives_a_byte_that_a_judged_charset_has_no_letter_for() -> None:
    found = decode("пират 1: копать C4\n".encode("cp1251") * 1_000 + b"\x98", "x-nope")

    assert (found.charset, found.repairs) == ("cp1251", ("charset-guessed", "letters-damaged"))


@pytest.mark.parametrize(
    "claim", ["gb2312", "shift_jis", "euc-kr", "iso-8859-2", "windows-1250", "koi8-u", "macintosh"]
)
def test_decode_sees_through_a_foreign_label_on_russian(claim: str) -> None:
    text = "Бригантина идёт на северо-восток, огонь после"

    assert decode(text.encode("koi8-r"), claim).text == text


@pytest.mark.parametrize(
    ("text", "charset"),
    [
        ("海賊は北へ進む、そして撃つ", "shift_jis"),
        ("海盗向北航行，然后开火", "gb18030"),
        ("Zażółć gęślą jaźń, łódź płynie", "iso8859-2"),
        ("Ο πειρατής πλέει βόρεια", "cp1253"),
        ("Корабель пливе на північ, їхній вогонь", "koi8-u"),
    ],
)
def test_decode_leaves_honest_text_of_other_languages_alone(text: str, charset: str) -> None:
    assert decode(text.encode(charset), charset).text == text


def test_decode_leaves_western_text_alone() -> None:
    text = "Señor Muñoz, à bientôt, Größe"

    assert decode(text.encode("cp1252"), "windows-1252") == Decoded(text, "cp1252")


def test_decode_names_lost_letters() -> None:
    broken = "пират один, пират два, пират три".encode().replace("т".encode(), b"\xd1", 1)

    assert decode(broken, "utf-8").repairs == ("letters-damaged",)


def test_decode_reads_seven_bit_charsets_that_hide_letters() -> None:
    assert decode("海賊".encode("iso-2022-jp"), "iso-2022-jp").text == "海賊"


@pytest.mark.parametrize("misread", ["latin-1", "cp1251", "koi8-r", "cp866", "iso8859-5"])
def test_mended_undoes_one_double_encoding(misread: str) -> None:
    text = "ход: копать"
    garbled = text.encode("utf-8").decode(misread, "strict")

    assert mended(f"привет\n{garbled}") == Decoded(f"привет\n{text}", "", ("mojibake",))


@pytest.mark.parametrize(
    ("meant", "misread"),
    [("cp1251", "latin-1"), ("cp1251", "koi8-r"), ("koi8-r", "cp1251"), ("koi8-r", "latin-1"), ("cp866", "cp1251")],
)
def test_mended_undoes_one_charset_taken_for_another(meant: str, misread: str) -> None:
    text = "пират 1: A5 - B6\nпират 2: копать C4"
    garbled = text.encode(meant).decode(misread)

    assert mended(garbled) == Decoded(text, "", ("mojibake",))


@pytest.mark.parametrize(
    "text",
    ["Señor Muñoz, à bientôt, Größe", "Корабель пливе на північ, їхній вогонь", "海賊", "ПИРАТ 1: КОПАТЬ C4", "Ёж"],
)
def test_mended_leaves_other_languages_alone(text: str) -> None:
    assert mended(text) == Decoded(text, "")


def test_mended_names_what_cannot_be_undone() -> None:
    assert mended("пїЅпїЅпїЅ 5").repairs == ("letters-damaged",)


@pytest.mark.parametrize("text", SHORT)
def test_mended_leaves_honest_text_alone(text: str) -> None:
    assert mended(text) == Decoded(text, "", ())


@FIXED
@given(st.binary(max_size=300), st.text(max_size=20))
def test_decode_never_raises(data: bytes, claim: str) -> None:
    assert isinstance(decode(data, claim).text, str)


@pytest.mark.parametrize("label", ["x-mac-cyrillic", "mac-cyrillic", "koi8-u", "cp855"])
def test_a_cyrillic_charset_that_is_seldom_seen_is_believed(label: str) -> None:
    text = "корабль 1: СВ 2\nСпасибо за игру"

    assert decode(text.encode(known(label)), label) == Decoded(text, known(label))
