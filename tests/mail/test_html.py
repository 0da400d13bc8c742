"""HTML to lines: containers of known programs are marked, hidden matter goes, blocks become lines."""

from __future__ import annotations

import time
import tomllib
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mail.clients import Container, read_clients
from mail.html import html_lines
from mail.reply import own_text
from mail.text import Line
from tests.mail.mails import FIXED, texts

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


def test_an_answer_between_gmail_quotes_stays_own() -> None:
    page = f'<div class="gmail_quote"><blockquote class="gmail_quote">{OLD}</blockquote><div>{OWN}</div></div>'

    assert own(page) == [OWN]


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
    "page", ["<div>" * 50_000 + "x", "<blockquote type=cite>" * 20_000, "<p>x" * 50_000, "<" * 200_000]
)
def test_html_bombs_take_no_time(page: str) -> None:
    began = time.process_time()
    html_lines(page)
    assert time.process_time() - began < 3


def test_a_catalogue_with_an_unknown_key_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        read_clients('[[html]]\nclient = "x"\nmark = "quote"\ncolour = "red"\n')


def test_a_container_that_fits_everything_is_refused() -> None:
    with pytest.raises(ValueError, match="names no id"):
        Container(client="x", mark="quote")
