"""Markdown as posts for boards: converted, escaped, folded away, split (play-by-mail 5)."""

from __future__ import annotations

import re

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.words.forum import JOINER, Fold, Piece, Profile, pieces, posts, profiles, sections
from adjudicator.words.text import HTML_ONLY, player

BBCODE = [name for name, profile in profiles().items() if profile.markup == "bbcode"]


def written(markdown: str, board: str) -> str:
    return "\n".join(piece.text for piece in pieces(markdown, profiles()[board]))


def test_there_is_a_profile_for_each_board_of_the_page() -> None:
    assert list(profiles()) == ["discourse", "mybb", "phpbb", "smf", "xenforo"]
    assert [profile.markup for profile in profiles().values()] == ["markdown", *["bbcode"] * 4]


@pytest.mark.parametrize(
    ("markdown", "board", "expected"),
    [
        ("# Turn 7", "phpbb", "[size=150][b]Turn 7[/b][/size]"),
        ("**Месть** *тонет*", "phpbb", "[b]Месть[/b] [i]тонет[/i]"),
        ("`adjudicator verify`", "phpbb", "adjudicator verify"),
        ("`adjudicator verify`", "xenforo", "[ICODE]adjudicator verify[/ICODE]"),
        ("- a\n- b", "phpbb", "[list]\n[*]a\n[*]b\n[/list]"),
        ("1. a\n2. b", "phpbb", "[list=1]\n[*]a\n[*]b\n[/list]"),
        ("- a\n- b", "smf", "[list]\n[li]a[/li]\n[li]b[/li]\n[/list]"),
        ("```\n#..#\n```", "phpbb", "[code]\n#..#\n[/code]"),
        ("    seed 1\n    seed 2", "mybb", "[code]\nseed 1\nseed 2\n[/code]"),
        ("> a\n> b", "phpbb", "[quote]\na b\n[/quote]"),
        ("│ a\n│ b", "phpbb", "[quote]\na\nb\n[/quote]"),
        ("│ a\n│ b", "discourse", "> a\n> b"),
        ("[log](https://example.org/log)", "phpbb", "[url=https://example.org/log]log[/url]"),
        ("[log](https://example.org/log)", "xenforo", "[URL='https://example.org/log']log[/URL]"),
        ("| a |\n|---|\n| 1 |", "smf", "[table]\n[tr][td][b]a[/b][/td][/tr]\n[tr][td]1[/td][/tr]\n[/table]"),
        ("| a  | b |\n|---|---|\n| 11 | 2 |", "phpbb", "[code]\na   b\n11  2\n[/code]"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "discourse", "| a | b |\n|---|---|\n| 1 | 2 |"),
        (f"{HTML_ONLY}![map](cid:map)", "phpbb", ""),
    ],
)  # fmt: skip
def test_markdown_of_a_report_becomes_the_markup_of_the_board(markdown: str, board: str, expected: str) -> None:
    assert written(markdown, board) == expected


def test_our_own_square_brackets_are_text_too() -> None:
    assert written("[pirates-7] turn", "phpbb") == f"[{JOINER}pirates-7] turn"


HOSTILE = ("[b]x[/b]", "[img]http://evil.example/a.png[/img]", "[/list]", "[url=//evil]", "[quote]", "[[b]]", "[ B ]")


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("board", BBCODE)
def test_bbcode_in_a_players_name_is_no_markup(board: str, name: str) -> None:
    ours = {tag for pair in profiles()[board].tags.values() for tag in re.findall(r"\[[^\]]*\]", "".join(pair))}
    for markdown in (f"**{player(name)}**", f"- {player(name)}", f"# {player(name)}"):
        text = written(markdown, board)
        for tag in sorted(ours):
            text = text.replace(tag, "")

        assert re.findall(r"\[(?!\u2060)", text) == []
        assert text.replace(JOINER, "").strip() == name


@pytest.mark.parametrize("name", ["[b]x[/b]", "[details]", "<b>x</b>", "![x](http://evil.example)", "*x*", "`x`"])
def test_markup_in_a_players_name_is_no_markup_on_discourse(name: str) -> None:
    text = written(f"«{player(name)}» ушёл", "discourse")

    assert not re.search(r"(?<!\\)[\[*`]|(?<!\\)<[a-z/]", text)


@pytest.mark.parametrize("board", profiles())
def test_a_players_words_call_no_member_and_make_no_link(board: str) -> None:
    text = written(f"{player('@admin http://evil.example www.evil.example')}", board)

    assert f"@{JOINER}admin" in text
    assert f"http:{JOINER}//evil" in text
    assert f"www{JOINER}.evil" in text


@pytest.mark.parametrize("board", BBCODE)
def test_code_ends_only_where_we_end_it(board: str) -> None:
    text = written(f"    {player('a [/CODE] [/code] b')}", board)

    assert len(re.findall(r"\[/code\]", text, re.IGNORECASE)) == 1


def test_sections_are_cut_at_headings_and_never_in_code() -> None:
    found = sections("# T\n\none\ntwo\n\n## A\n\n```\n## no\n\nx\n```\n\nthree\n")

    assert [(section.heading, section.blocks) for section in found] == [
        ("", ("# T", "one\ntwo")),
        ("A", ("```\n## no\n\nx\n```", "three")),
    ]


# Splitting ------------------------------------------------------------------------------------------------------------

SMALL = msgspec.structs.replace(profiles()["xenforo"], limit=1000)


def split(folds: list[Fold], profile: Profile = SMALL) -> tuple[str, ...]:
    return posts(folds, profile, lambda part, parts: f"({part}/{parts})")


def test_a_short_report_is_one_post_and_says_nothing_of_parts() -> None:
    assert split([Fold((Piece(("a",)), Piece(("b",))))]) == ("a\n\nb",)


def test_a_long_code_block_is_cut_between_lines_and_opened_again() -> None:
    rows = tuple(f"{number:03} {'x' * 60}" for number in range(30))
    made = split([Fold((Piece(rows, "[CODE]", "[/CODE]"),), "Map")])

    assert len(made) > 1
    assert all(post.count('[SPOILER="Map"]') == post.count("[/SPOILER]") == 1 for post in made)
    assert all(post.count("[CODE]") == post.count("[/CODE]") == 1 for post in made)
    assert [line for post in made for line in post.splitlines() if line in rows] == list(rows)
    assert made[1].startswith(f"(2/{len(made)})\n\n")


def test_bytes_are_counted_where_the_board_counts_bytes() -> None:
    profile = msgspec.structs.replace(profiles()["mybb"], limit=1000)
    made = split([Fold(tuple(Piece(("ж" * 300,)) for _ in range(4)))], profile)

    assert [len(post.encode()) <= 1000 for post in made] == [True] * 4


WORDS = st.text(alphabet="абв [](){}:/@xyz.", min_size=1, max_size=400)
PIECES = st.builds(
    Piece, st.lists(WORDS, min_size=1, max_size=12).map(tuple), st.sampled_from(["", "[LIST]"]), st.just("")
)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.lists(st.builds(Fold, st.lists(PIECES, max_size=5).map(tuple), st.sampled_from(["", "Кости"])), max_size=5))
def test_no_post_is_longer_than_the_board_takes_and_no_word_is_lost(folds: list[Fold]) -> None:
    made = split(folds)
    told = "".join("".join(line.split()) for fold in folds for piece in fold.pieces for line in piece.lines)
    frame = re.compile(r'\(\d+/\d+\)\n\n|\[LIST\]|\[SPOILER="Кости"\]|\[/SPOILER\]')
    left = "".join("".join(frame.sub("", post).split()) for post in made)

    assert all(len(post) <= SMALL.limit for post in made)
    assert left == told
