"""What a game leaves for others to read: ``forum``, ``archive``, ``explain`` (play-by-mail 1.10, 5, 6)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from adjudicator import bootstrap
from adjudicator.config import load
from adjudicator.services import disputes, logbook
from tests.adjudicator.cli.commands import adjudicator
from tests.adjudicator.cli.conftest import Houses
from tests.adjudicator.cli.test_game import begun, look


def under_way(folder: Path) -> None:
    """Set up a house in which turn 1 of pirates-1 is open."""
    begun(folder)
    assert adjudicator(folder, "game", "process", "pirates-1", 0).exit_code == 0


@pytest.fixture
def played(tmp_path: Path, houses: Houses) -> Path:
    """Give a house in which turn 1 of pirates-1 is open."""
    return houses.lay(tmp_path, under_way)


def test_forum_prints_the_posts_of_one_board(played: Path) -> None:
    result = adjudicator(played, "forum", "pirates-1", 0, "--profile", "phpbb", "--lang", "ru")

    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == "[size=150][b]Паруса подняты · pirates-1[/b][/size]"
    assert "[attachment=0]map.png[/attachment]" in result.stdout
    assert "public" not in result.stderr


def test_forum_links_the_map_where_it_was_uploaded(played: Path) -> None:
    result = adjudicator(played, "forum", "pirates-1", 0, "--profile", "smf", "--map-url", "https://img.example/1.png")

    assert "[img]https://img.example/1.png[/img]" in result.stdout


def test_forum_writes_every_board_into_a_folder(played: Path, tmp_path: Path) -> None:
    result = adjudicator(played, "forum", "pirates-1", 0, "--to", tmp_path / "posts")

    assert result.exit_code == 0
    names = sorted(file.name for file in (tmp_path / "posts").iterdir())
    assert names == [
        "map.png",
        "turn-0.discourse.md",
        "turn-0.mybb.txt",
        "turn-0.phpbb.txt",
        "turn-0.smf.txt",
        "turn-0.xenforo.txt",
    ]
    assert result.stdout.splitlines() == [f"Written to {tmp_path / 'posts'}: 6 files."]


def test_forum_of_a_turn_that_is_open_or_of_an_unknown_board_says_so(played: Path) -> None:
    open_turn = adjudicator(played, "forum", "pirates-1", 1)
    board = adjudicator(played, "forum", "pirates-1", 0, "--profile", "usenet")

    assert (open_turn.exit_code, board.exit_code) == (1, 1)
    assert "Turn 1 of pirates-1 is not resolved yet" in open_turn.stderr
    assert "discourse, mybb, phpbb, smf, xenforo" in board.stderr


def test_explain_prints_the_case_and_logs_the_look_before(played: Path) -> None:
    result = adjudicator(played, "explain", "pirates-1", 0)

    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == "# The case of turn 0 · pirates-1"
    with look(played) as work:
        game = work.game("pirates-1", lock=False)
        events = [json.loads(entry.event) for entry in logbook.entries(work, game, 0, game.seq)]
    assert [(one["turn"], one["who"], one["what"]) for one in events if one["type"] == "look"] == [
        (0, "operator", "case")
    ]


def test_explain_as_the_public_is_no_look(played: Path) -> None:
    assert adjudicator(played, "explain", "pirates-1", 0, "spain-1", "--as", "public").exit_code == 0

    with look(played) as work:
        game = work.game("pirates-1", lock=False)
        events = [json.loads(entry.event) for entry in logbook.entries(work, game, 0, game.seq)]
    assert [one for one in events if one["type"] == "look"] == []


def test_explain_refuses_a_turn_a_seat_and_a_piece_that_are_not_there(played: Path) -> None:
    answers = [
        adjudicator(played, "explain", "pirates-1", 7),
        adjudicator(played, "explain", "pirates-1", 0, "--as", "nobody"),
        adjudicator(played, "explain", "pirates-1", 0, "canoe"),
    ]

    assert [one.exit_code for one in answers] == [1, 1, 1]
    assert ["no turn 7" in answers[0].stderr, "nobody" in answers[1].stderr, "canoe" in answers[2].stderr] == [True] * 3


def test_settle_answers_a_dispute_once(played: Path) -> None:
    with bootstrap.opened(load(played / "adjudicator.toml")) as house, house.unit("test") as work:
        disputes.open_dispute(work, work.game("pirates-1"), "pirates-1", 0, "not my ship")

    wordless = adjudicator(played, "game", "settle", "pirates-1", 0, "rule")
    settled = adjudicator(played, "game", "settle", "pirates-1", 0, "stands", "It was hers.")
    again = adjudicator(played, "game", "settle", "pirates-1", 0, "stands")

    assert [one.exit_code for one in (wordless, settled, again)] == [1, 0, 1]
    assert settled.stdout == "The dispute about turn 0 of pirates-1 is settled: it stands. Everybody is told.\n"


def test_archive_writes_the_pages_into_a_folder(played: Path, tmp_path: Path) -> None:
    result = adjudicator(played, "archive", "pirates-1", "--to", tmp_path / "site")

    assert result.exit_code == 0
    names = sorted(file.name for file in (tmp_path / "site").iterdir())
    assert names[:4] == ["check_log.py", "dice.en.html", "dice.html", "index.en.html"]
    assert result.stdout == f"Files written: {len(names)}. Open {tmp_path / 'site' / 'index.html'}.\n"
