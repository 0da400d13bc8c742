"""Player text shows as typed and does nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.words.environment import environment
from adjudicator.words.html import body
from adjudicator.words.layout import fold
from adjudicator.words.text import Markdown, as_html, as_markdown, bare, finalize, player, player_line


def shown_html(text: Markdown) -> str:
    return as_html(body(fold(text))).replace("\n", " ")


def test_player_text_shows_as_typed_and_does_nothing_in_html() -> None:
    typed = "# **Судья** <script>alert(1)</script> [сюда](https://evil.example) `x` &amp; | a_b_c"

    shown = shown_html(player(typed))

    assert shown == (
        "<p># **Судья** &lt;script&gt;alert(1)&lt;/script&gt; [сюда](https://evil.example) `x` &amp;amp; | a_b_c</p>"
    )


def test_player_text_in_the_text_part_has_backslashes_only_where_markdown_would_act() -> None:
    typed = "Ты *где*? 3 < 5, a_b, _c_, [x](y), <b>, R&D, AT & T, `ls`"

    assert as_markdown(player(typed)) == (r"Ты \*где\*? 3 < 5, a_b, \_c\_, \[x\](y), \<b>, R\&D, AT & T, \`ls\`")


def test_player_text_in_a_block_of_code_stands_as_typed() -> None:
    assert as_markdown(f"    {player_line('золото *2*')}") == "    золото *2*"


def test_player_text_for_a_subject_or_picture_stands_as_typed() -> None:
    assert bare(player("[pirates-7] *Месть*")) == "[pirates-7] *Месть*"


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("раз\r\nдва", "раз два"),
        ("а\u202eб", "аб"),
        ("а\x00б\x07", "аб"),
        ("\ue021внутри", "внутри"),
        ("  края  ", "края"),
        ("два\tслова", "два слова"),
    ],
)
def test_player_text_keeps_no_line_breaks_and_nothing_unseen(typed: str, kept: str) -> None:
    assert bare(player(typed)) == kept


@pytest.mark.parametrize(
    "typed", ["# заголовок", "> цитата", "- пункт", "1. пункт", "    код", "===", "| a | b |", "```"]
)
def test_player_line_that_begins_like_markup_is_a_plain_paragraph(typed: str) -> None:
    assert shown_html(player_line(typed)).startswith("<p>")


@given(st.text(max_size=60))
@settings(derandomize=True, max_examples=300, deadline=None)
def test_no_player_text_makes_a_tag(typed: str) -> None:
    shown = shown_html(Markdown(f"Имя: {player(typed)}!"))

    assert shown.count("<") == shown.count("<p>") + shown.count("</p>")


def test_template_prints_player_text_armoured_and_ours_as_it_stands() -> None:
    template = environment("ru").from_string("{{ name }} {{ ours }} {{ number }}")

    made = template.render(name="*Анна*", ours=Markdown("*да*"), number=5)

    assert as_markdown(made) == r"\*Анна\* *да* 5"


@pytest.mark.parametrize("wrong", [None, True, 1.5, ["а"]])
def test_template_refuses_to_print_what_is_no_text(wrong: object) -> None:
    with pytest.raises(TypeError, match="a template cannot print"):
        finalize(wrong)


def test_template_refuses_a_name_that_is_missing() -> None:
    with pytest.raises(Exception, match="'missing' is undefined"):
        environment("ru").from_string("{{ missing }}").render()
