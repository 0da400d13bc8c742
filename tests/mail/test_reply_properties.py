"""Whatever shape a quote has, and wherever it stands: no order in it is read, and every order beside it is."""

from __future__ import annotations

import html
import textwrap
import tomllib
from itertools import groupby

from hypothesis import given, settings
from hypothesis import strategies as st

from mail.html import html_lines
from mail.read import read
from mail.reply import Speech, own_text
from mail.text import Line
from tests.mail.mails import FIXED, numbered, raw_mail, texts
from tests.mail.replies import DATA, Family, families, more_replies

OFTEN = settings(FIXED, max_examples=120)
SHAPES = tomllib.loads((DATA / "shapes.toml").read_text("utf-8"))
SPEECH = Speech(is_order=lambda text: text.startswith(("пират", "Сан-Фелипе", "готов")))

NEW = ["пират 1: A5 - B6", "пират 2: копать C4", "Сан-Фелипе: СВ 3, огонь после", "Сан-Фелипе — стоять", "готов"]
OLD = [
    "пират 1: A1 - A2",
    "пират 3: стоять",
    "Сан-Фелипе: Ю 1",
    "готов",
    "- пират 4: C1",
    "«Ласточка» — к порту",
    "",
    "конец",
]
SIGNATURES = [
    "-- \nИгорь Тестов\n8 900 000-00-00",
    "—\nИгорь",
    "С уважением,\nИгорь",
    "Отправлено с iPhone",
    "Sent from my iPhone",
    "",
]


def introductions() -> list[tuple[str, bool]]:
    """Give each introduction of the catalogue, and whether its quote may stand without marks."""
    found = [(text.strip("\n"), True) for kind in ("attributions", "headers") for text in SHAPES[kind].values()]
    for reply in more_replies():
        for kind, rows in groupby(reply.rows, key=lambda row: row[0] if row[0] in "ah" else ""):
            lines = "\n".join(words for _, words in rows)
            if kind and "Конец" not in lines and not reply.sent and reply.id != "outlook_ios":
                found.append((lines, families()[reply.family].mark.strip() == ""))
    return found


INTRODUCTIONS = introductions()
MAY_BE_BARE = [text for text, bare in INTRODUCTIONS if bare]
OF_ONE_LINE = [text for text, _ in INTRODUCTIONS if "\n" not in text]
MARKS = ["> ", ">", ">> ", "> > ", "  > ", "\t>", "&gt; ", "\uff1e ", ">\u00a0"]
BARE = ["", "    ", "\t", "| "]

own_lines = st.lists(st.sampled_from(NEW), min_size=1, max_size=4)
old_lines = st.lists(st.sampled_from(OLD), min_size=1, max_size=6).filter(any)
signatures = st.sampled_from(SIGNATURES)
widths = st.sampled_from([998, 78, 76, 72, 64])


def quoted(lines: list[str], mark: str) -> str:
    return "\n".join(mark + line for line in lines)


def wrapped(text: str, width: int) -> str:
    """Wrap an introduction of one line as a program does; headers are not wrapped."""
    return "\n".join(textwrap.wrap(text, width, break_on_hyphens=False)) if "\n" not in text and text.strip() else text


def expected(*pieces: list[str]) -> list[str]:
    return texts(numbered("\n".join(line for piece in pieces for line in piece)))


def parted(text: str) -> list[str]:
    return texts(own_text(numbered(text), speech=SPEECH).own)


@OFTEN
@given(own_lines, signatures, st.sampled_from(MAY_BE_BARE), widths, old_lines, st.sampled_from(BARE + MARKS))
def test_a_quote_below_ones_own_words_is_never_read(
    new: list[str], signature: str, introduction: str, width: int, old: list[str], mark: str
) -> None:
    text = "\n".join([*new, "", signature, "", wrapped(introduction, width), "", quoted(old, mark)])

    assert parted(text) == expected(new)


@OFTEN
@given(own_lines, st.sampled_from(INTRODUCTIONS), widths, old_lines, st.sampled_from(MARKS), own_lines, signatures)
def test_words_around_a_marked_quote_are_read(
    above: list[str], introduction: tuple[str, bool], width: int, old: list[str], mark: str, below: list[str], end: str
) -> None:
    text = "\n".join([*above, "", wrapped(introduction[0], width), quoted(old, mark), "", *below, "", end])
    wanted = expected(above) if is_forward(introduction[0]) else expected(above, below)

    assert parted(text) == wanted


def is_forward(introduction: str) -> bool:
    """Say whether all below an introduction belongs to another letter, marked or not."""
    result = own_text(numbered(f"{introduction}\n> x"))
    return bool(result.because("forward"))


@OFTEN
@given(
    st.lists(st.tuples(old_lines, own_lines), min_size=1, max_size=5),
    st.sampled_from(OF_ONE_LINE),
    widths,
    st.sampled_from(MARKS),
    signatures,
)
def test_answers_between_quoted_lines_are_read(
    pieces: list[tuple[list[str], list[str]]], introduction: str, width: int, mark: str, end: str
) -> None:
    body = [line for old, new in pieces for line in (quoted(old, mark), *new)]
    wanted = [] if is_forward(introduction) else expected(*(new for _, new in pieces))

    assert parted("\n".join([wrapped(introduction, width), *body, "", end])) == wanted


@OFTEN
@given(
    own_lines,
    st.sampled_from(MAY_BE_BARE),
    st.sampled_from(MAY_BE_BARE),
    old_lines,
    old_lines,
    st.sampled_from(BARE + MARKS),
    st.sampled_from(BARE + MARKS),
)
def test_a_letter_quoted_in_a_quoted_letter_is_never_read(
    new: list[str], outer: str, inner: str, old: list[str], older: list[str], mark: str, deeper: str
) -> None:
    inside = "\n".join([*old, "", inner, quoted(older, deeper)]).split("\n")

    assert parted("\n".join([*new, "", outer, "", quoted(inside, mark)])) == expected(new)


def page_of(family: Family, above: list[str], introduction: str, old: list[str], below: list[str]) -> str:
    def lines(some: list[str]) -> str:
        return "".join(family.line.replace("{}", html.escape(line)) if line else family.blank for line in some)

    shown = html.escape(introduction).replace("\n", "<br>")
    intro = family.intro if "\n" not in introduction else family.header
    inside = intro.replace("{}", shown) + family.quote.replace("{}", lines(old)) + (lines(below) if below else "")
    return family.page.replace("{}", family.own.replace("{}", lines(above)) + family.thread.replace("{}", inside))


def of_page(page: str) -> list[str]:
    rows = html_lines(page)
    lines = [Line(number, line, mark) for number, (line, mark) in enumerate(rows, 1)]
    return texts(own_text(lines, speech=SPEECH).own)


@OFTEN
@given(st.sampled_from(sorted(families())), own_lines, st.sampled_from(MAY_BE_BARE), old_lines)
def test_a_quote_in_the_page_of_any_program_is_never_read(
    name: str, new: list[str], introduction: str, old: list[str]
) -> None:
    assert of_page(page_of(families()[name], new, introduction, old, [])) == expected(new)


ATTRIBUTIONS = [text for text in OF_ONE_LINE if not is_forward(text)]
WITH_PIECES = ["gmail", "apple", "thunderbird", "evolution", "roundcube", "proton", "tuta", "marked"]


@OFTEN
@given(st.sampled_from(WITH_PIECES), own_lines, st.sampled_from(ATTRIBUTIONS), old_lines, own_lines)
def test_words_around_a_quote_in_a_page_are_read(
    name: str, above: list[str], introduction: str, old: list[str], below: list[str]
) -> None:
    assert of_page(page_of(families()[name], above, introduction, old, below)) == expected(above, below)


@OFTEN
@given(own_lines, st.sampled_from(OF_ONE_LINE), old_lines, own_lines, st.sampled_from([60, 72]))
def test_a_flowed_quote_is_never_read(
    above: list[str], introduction: str, old: list[str], below: list[str], width: int
) -> None:
    soft = "\n".join(line + " " for line in textwrap.wrap(introduction, width, break_on_hyphens=False))[:-1]
    text = "\n".join([*above, "", soft, quoted(old, "> "), "", *below])
    raw = raw_mail(text, kind="text/plain; charset=utf-8; format=flowed")
    wanted = expected(above) if is_forward(introduction) else expected(above, below)

    assert texts(read(raw, speech=SPEECH).text.own) == wanted
