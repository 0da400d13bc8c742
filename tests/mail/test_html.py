"""HTML to lines: containers of known programs are marked, hidden matter goes, blocks become lines."""

from __future__ import annotations

import time
import tomllib
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mail.clients import Container, read_clients
from mail.html import TooDeep, html_lines, marked_by_page
from mail.reply import own_text
from mail.text import Line
from tests.mail.mails import FIXED, numbered, texts

OWN = "пират 1: A5 - B6"
OLD = "пират 1: A1 - A2"


def own(page: str) -> list[str]:
    rows = html_lines(page)
    return texts(own_text([Line(number, line, mark) for number, (line, mark) in enumerate(rows, 1)]).own)


def marked(page: str, mark: str) -> list[str]:
    return [line for line, found in html_lines(page) if found == mark and line.strip()]


SHAPES = tomllib.loads((Path(__file__).parent / "data" / "shapes.toml").read_text("utf-8"))
QUOTES = {name: page.replace("OWN", OWN).replace("OLD", OLD) for name, page in SHAPES["pages"].items()}


@pytest.mark.parametrize("page", QUOTES.values(), ids=QUOTES.keys())
def test_quotes_of_known_programs_are_marked(page: str) -> None:
    assert own(page) == [OWN]
    assert OLD in marked(page, "quote")


@pytest.mark.parametrize(
    "page",
    [
        f'<DIV>{OWN}</DIV><DIV CLASS="Gmail_Quote">{OLD}</DIV>',
        f'<div>{OWN}</div><div id="x_divrplyfwdmsg">От: Судья</div><div>{OLD}</div>',
        f'<div>{OWN}</div><div id="ydp1a2b3c4dyahoo_quoted_1" class="ydp1a2b3c4dyahoo_quoted">{OLD}</div>',
        f'<div>{OWN}</div><div class="m_-1234567890gmail_quote">{OLD}</div>',
    ],
    ids=["capitals", "Outlook", "Yahoo", "Gmail"],
)
def test_what_a_server_does_to_the_names_in_a_page_hides_no_quote(page: str) -> None:
    assert own(page) == [OWN]


def test_a_line_drawn_in_word_between_orders_is_no_quote() -> None:
    line = "border:none;border-top:solid windowtext 1.0pt;padding:1.0pt 0cm 0cm 0cm"

    assert own(f'<p>{OWN}</p><div style="{line}"><p>пират 2: C4</p></div>') == [OWN, "пират 2: C4"]


def test_the_same_line_above_headers_is_one() -> None:
    page = f'<p>{OWN}</p><div style="border-top:solid windowtext 1.0pt"><p><b>От:</b> Судья</p></div><p>{OLD}</p>'

    assert marked(page, "quote") == ["От: Судья", OLD]


def test_the_pieces_of_a_bare_quote_that_was_answered_between_are_quotes() -> None:
    page = (
        f"<div>03.11.2025, 10:00, Судья &lt;judge@games.example&gt;:</div><blockquote>{OLD}</blockquote>"
        f"<div>{OWN}</div><blockquote>{OLD}</blockquote>"
    )

    assert own(page) == [OWN]


def test_a_bare_quote_that_begins_with_its_own_introduction_is_one() -> None:
    page = (
        f"<blockquote>Понедельник, 3 ноября 2025, 10:00 +03:00 от Судья &lt;judge@games.example&gt;:<br>{OLD}"
        f"</blockquote><div>{OWN}</div>"
    )

    assert own(page) == [OWN]


@pytest.mark.parametrize("depth", [300, 1_900])
def test_orders_deep_inside_a_page_are_read(depth: int) -> None:
    assert own("<div>" * depth + OWN + "</div>" * depth) == [OWN]


def test_a_page_nested_deeper_than_can_be_read_is_refused_not_cut() -> None:
    with pytest.raises(TooDeep):
        html_lines(f"<p>{OWN}</p>" + "<div>" * 5_000 + OLD)


def test_a_text_without_signs_is_parted_by_its_page() -> None:
    text = numbered(f"{OWN}\n\nTurn 4\n{OLD}\n\nпират 2: C4")
    page = f'<div>{OWN}</div><div class="gmail_quote"><p>Turn 4</p><p>{OLD}</p></div><p>пират 2: C4</p>'

    assert texts(own_text(marked_by_page(text, page)).own) == [OWN, "пират 2: C4"]


def test_a_line_that_stands_in_the_page_both_ways_stays() -> None:
    text = numbered(f"{OWN}\n{OLD}")
    page = f'<div>{OWN}</div><blockquote type="cite">{OLD}</blockquote><p>{OLD}</p>'

    assert marked_by_page(text, page) == text


def test_an_answer_between_gmail_quotes_stays_own() -> None:
    page = f'<div class="gmail_quote"><blockquote class="gmail_quote">{OLD}</blockquote><div>{OWN}</div></div>'

    assert own(page) == [OWN]


@pytest.mark.parametrize(
    "quote",
    [
        f"<div>Судья пишет:</div><blockquote>{OLD}</blockquote>",
        f"<p>Судья написал(а):</p><blockquote><p>{OLD}</p></blockquote>",
        f'<blockquote cite="mid:4@games.example">{OLD}</blockquote>',
    ],
)
def test_a_blockquote_that_says_whose_words_it_holds_is_a_quote(quote: str) -> None:
    assert OWN in own(f"<div>{OWN}</div>{quote}")
    assert marked(f"<div>{OWN}</div>{quote}", "quote") == [OLD]


@pytest.mark.parametrize(
    ("page", "read", "struck"),
    [
        (f"<div>{OWN}</div><div><s>{OLD}</s></div>", [OWN], [OLD]),
        (f"<del>{OLD}</del><br><strike>{OLD}</strike><br>{OWN}", [OWN], [OLD, OLD]),
        (f'<p>{OWN}</p><p><span style="text-decoration: line-through">{OLD}</span></p>', [OWN], [OLD]),
        ("<p>пират 1: A5 - <s>B5</s> B6</p>", [OWN], ["B5"]),
        (f"<ul><li>{OWN}</li><li><s>пират <b>1</b>: A1 - A2</s></li></ul>", [OWN], [OLD]),
        (f"<p><s>{OLD}</s></p>", [], [OLD]),
    ],
)
def test_words_struck_through_are_set_aside_and_the_rest_of_their_line_stays(
    page: str, read: list[str], struck: list[str]
) -> None:
    assert [" ".join(line.split()) for line in own(page)] == read
    assert marked(page, "struck") == struck


def test_words_struck_through_inside_a_quote_are_quote() -> None:
    assert marked(f"<p>{OWN}</p><blockquote type=cite><s>{OLD}</s></blockquote>", "quote") == [OLD]


def test_a_bare_blockquote_is_an_indent() -> None:
    assert own(f"<div>приказы</div><blockquote>{OWN}</blockquote>") == ["приказы", OWN]


@pytest.mark.parametrize(
    "page",
    [
        f'<div>{OWN}</div><div style="display: none">{OLD}</div>',
        f'<div>{OWN}</div><span style="font-size:0px">{OLD}</span>',
        f"<head><title>{OLD}</title><style>p {{}}</style></head><body><p>{OWN}</p></body>",
        f"<p>{OWN}</p><script>{OLD}</script><!-- {OLD} --><!--[if mso]>{OLD}<![endif]-->",
        f"<p>{OWN}</p><div hidden>{OLD}</div>",
        f"<p>{OWN}</p><?php {OLD} ?>",
    ],
)
def test_hidden_matter_goes(page: str) -> None:
    assert html_lines(page) == [(OWN, "")]


def test_the_number_that_word_puts_before_a_line_goes() -> None:
    number = "<span style='mso-list:Ignore'>1.<span style='font:7.0pt \"Times New Roman\"'>&nbsp;&nbsp; </span></span>"
    page = f"<p class=MsoListParagraph><![if !supportLists]>{number}<![endif]>{OWN}<o:p></o:p></p>"

    assert own(page) == [OWN]


def test_visible_small_print_stays() -> None:
    assert own(f'<span style="font-size:0.9em">{OWN}</span>') == [OWN]


def test_one_line_per_block_and_break() -> None:
    page = (
        f"<p class=MsoNormal>{OWN}<o:p></o:p></p><p class=MsoNormal>б</p><ul><li>в</li><li>г</li></ul>"
        "д<br>е<table><tr><td>ж</td><td>з</td></tr></table>"
    )

    assert own(page) == [OWN, "б", "в", "г", "д", "е", "ж з"]


def test_preformatted_lines_stay() -> None:
    assert own("<pre>а\nб</pre>") == ["а", "б"]


def test_what_is_inside_a_quote_is_quote_whatever_else_it_is() -> None:
    page = f'<div>{OWN}</div><div class="yahoo_quoted"><div class="gmail_signature">{OLD}</div></div>'

    assert marked(page, "quote") == [OLD]


def test_signatures_are_marked() -> None:
    assert marked(f'<div>{OWN}</div><div class="gmail_signature">Игорь</div>', "signature") == ["Игорь"]


@FIXED
@given(st.text(alphabet="<>/ abpdivquote=\"'&;!-\n", max_size=400))
def test_html_never_raises(page: str) -> None:
    assert all(mark in ("", "quote", "signature") for _, mark in html_lines(page))


@pytest.mark.parametrize(
    "page",
    [
        "<div>" * 50_000 + "x",
        "<blockquote type=cite>" * 20_000,
        "<div class=gmail_quote>" * 1_900 + "<blockquote>" + OLD,
        "<p>x" * 200_000,
        "<b>x</b>" * 100_000,
        "<" * 200_000,
        "<p class='" + "a " * 400_000 + "'>x",
        "<p class='a b c d' id=q style='color:red'>x" * 20_000,
    ],
    ids=lambda page: page[:24],
)
def test_html_bombs_take_no_time(page: str) -> None:
    began = time.process_time()
    with suppress(TooDeep):
        html_lines(page)
    assert time.process_time() - began < 3


def test_a_catalogue_with_an_unknown_key_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        read_clients('[[html]]\nclient = "x"\nmark = "quote"\ncolour = "red"\n')


def test_a_container_that_fits_everything_is_refused() -> None:
    with pytest.raises(ValueError, match="names no id"):
        Container(client="x", mark="quote")
